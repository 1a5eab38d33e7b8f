/* The meaning of the primitive operations that need more than one C operator, shared by the constant
   folder, the interpreter and the tests. Everything here is defined for every operand: no undefined
   behaviour, no rounding mode but nearest-even. Must be compiled with -ffp-contract=off. */
#ifndef NOISE_NUM_H
#define NOISE_NUM_H

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#if defined(__FAST_MATH__)
#error "noise needs strict floating point: do not build with -ffast-math"
#endif
#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0
#error "noise needs float arithmetic in float: build with SSE2 (-msse2 -mfpmath=sse)"
#endif

#define NUM_FLOAT_MAX 3.402823466e+38f
#define NUM_LATTICE_LIMIT 1073741824.0f         /* 2^30 cells: positions are clamped to +- this */

static inline uint32_t num_bits(float x) { uint32_t u; memcpy(&u, &x, 4); return u; }
static inline float num_from_bits(uint32_t u) { float x; memcpy(&x, &u, 4); return x; }
static inline uint32_t num_uint(int32_t x) { return (uint32_t)x; }
static inline int32_t num_int(uint32_t u) { int32_t x; memcpy(&x, &u, 4); return x; }

static inline float num_fdiv(float a, float b) { return b == 0.0f ? 0.0f : a / b; }
static inline float num_fsqrt(float a) { return a > 0.0f ? sqrtf(a) : 0.0f; }
static inline float num_fabs(float a) { return num_from_bits(num_bits(a) & 0x7fffffffu); }
static inline float num_floor(float a) { return floorf(a); }
static inline float num_ceil(float a) { return ceilf(a); }
static inline float num_trunc(float a) { return truncf(a); }

/* Adding and taking away 1.5 * 2^23 rounds to whole, halves to even, below 2^22; larger floats have few
   fraction bits left, for which 2^23 itself serves. */
static inline float num_round(float a)
{
	float m = num_fabs(a);
	float r = m < 8388608.0f ? (m + 8388608.0f) - 8388608.0f : m;
	return num_from_bits(num_bits(r) | (num_bits(a) & 0x80000000u));
}

static inline float num_bound(float a)
{
	float low = a < -NUM_LATTICE_LIMIT ? -NUM_LATTICE_LIMIT : a;
	return low > NUM_LATTICE_LIMIT ? NUM_LATTICE_LIMIT : low;
}

static inline float num_clean(float a)
{
	uint32_t u = num_bits(a), m = u & 0x7fffffffu;
	uint32_t finite = m < 0x7f800000u ? u : (u & 0x80000000u) | 0x7f7fffffu;
	return num_from_bits(m > 0x7f800000u ? 0u : finite);
}

/* Floored remainder. The quotient is the rounded one, so r may fall just outside [0, m): two corrections
   bring it back. Beyond 2^23 the quotient has no fraction left to speak of and the result is 0. */
static inline float num_fmod(float a, float b)
{
	float m = num_fabs(b);
	float q = floorf(num_fdiv(a, m));
	float r = a - q * m;
	float up = r < 0.0f ? r + m : r;
	float in = up >= m ? up - m : up;
	return m > 0.0f && num_fabs(q) <= 8388608.0f ? in : 0.0f;
}

static inline int32_t num_rawint(float a)
{
	return a > -2147483904.0f && a < 2147483648.0f ? (int32_t)a : INT32_MIN;
}

static inline uint32_t num_rawuint(float a)
{
	return a > -1.0f && a < 4294967296.0f ? (uint32_t)a : 0u;
}

static inline int32_t num_ftoi(float a)
{
	return a >= 2147483648.0f ? INT32_MAX : a <= -2147483648.0f ? INT32_MIN : a == a ? num_rawint(a) : 0;
}

static inline uint32_t num_ftou(float a)
{
	return a >= 4294967296.0f ? UINT32_MAX : a > 0.0f ? num_rawuint(a) : 0u;
}


static inline int32_t num_idiv(int32_t a, int32_t b)
{
	if (b == 0)
		return 0;
	if (b == -1)
		return num_int(0u - num_uint(a));
	return a / b - (a % b != 0 && (a ^ b) < 0);
}

static inline int32_t num_imod(int32_t a, int32_t b)
{
	return num_int(num_uint(a) - num_uint(num_idiv(a, b)) * num_uint(b) * (b != 0)) * (b != 0);
}

static inline int32_t num_shr(int32_t a, int32_t b)
{
	uint32_t fill = a < 0 ? 0xffffffffu : 0u, n = (uint32_t)b & 31u;
	return num_int(((num_uint(a) ^ fill) >> n) ^ fill);
}

#endif
