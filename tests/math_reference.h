/* Reference forms of library/exact.noise and library/math.noise: every function below repeats the text of the library function of the
   same name, operation by operation, on scalar floats. Compiled programs must agree with these bit for bit; the comment over each states
   the accuracy that was measured against a wider libm. Build with -ffp-contract=off: a fused multiply-add gives other bits.

   ref_over and sqrtf stand for the operators / and sqrt of the language: correctly rounded, and 0 where the divisor is 0. ref_divide and
   ref_sqrt are their spellings in shaders and give the same bits for normal operands and results. */
#ifndef NOISEC_TESTS_MATH_REFERENCE_H
#define NOISEC_TESTS_MATH_REFERENCE_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#if defined(__FAST_MATH__) || (defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0)
#error "the reference needs strict single precision"
#endif

/* ---- primitive operations of the language ---- */

static inline float ref_from_bits(uint32_t u)
{
	float f;
	memcpy(&f, &u, sizeof f);
	return f;
}

static inline uint32_t ref_bits(float f)
{
	uint32_t u;
	memcpy(&u, &f, sizeof u);
	return u;
}

/* uint to int, the bits kept */
static inline int32_t ref_signed(uint32_t u)
{
	int32_t i;
	memcpy(&i, &u, sizeof i);
	return i;
}

/* round half to even */
static inline float ref_round(float x)
{
	float a = fabsf(x);
	float r = a < 8388608.0f ? (a + 8388608.0f) - 8388608.0f : a;
	return x < 0.0f ? -r : r;
}

static inline float ref_min(float a, float b) { return a < b ? a : b; }
static inline float ref_max(float a, float b) { return a > b ? a : b; }
static inline float ref_over(float x, float y) { return y == 0.0f ? 0.0f : x / y; }

/* ---- library/exact.noise ---- */

/* x / y, correctly rounded where operands and result are normal; 0 where y = 0 */
static inline float ref_divide(float x, float y)
{
	float scale = fabsf(y) > 0x1p100f ? 0x1p-64f : 1.0f;
	float c = fabsf(y) * scale;
	uint32_t u = ref_bits(c);
	uint32_t m = (u & 0x7fffffu) | 0x800000u;
	float unit = ref_from_bits(0x7f000000u - (u & 0x7f800000u));
	float r0 = ref_from_bits(0x7ef54000u - u);
	float r1 = r0 * (2.0018406f - c * r0);
	float r2 = r1 * (2.0f - c * r1);
	uint32_t n = (ref_bits(r2) & 0x7fffffu) | 0x800000u;
	float r = r2 - r2 * ((float)ref_signed(n * m) * 0x1p-47f);

	uint32_t v = ref_bits(x);
	float q = ref_from_bits((v & 0x7fffffu) | 0x3f800000u) * r;
	uint32_t k = (ref_bits(q) & 0x7fffffu) | 0x800000u;
	int32_t rest = ref_signed((v << (q < unit ? 25u : 24u)) - k * (m + m));
	int32_t half = ref_signed(m);
	uint32_t step = rest > half ? 1u : rest < -half ? 0xffffffffu : 0u;
	float power = ref_from_bits((v ^ (ref_bits(y) & 0x80000000u)) & 0xff800000u);
	return y == 0.0f ? 0.0f : ref_from_bits(ref_bits(q) + step) * (power * scale);
}

/* the square root, correctly rounded for normal x; 0 for x <= 0 */
static inline float ref_sqrt(float x)
{
	uint32_t v = ref_bits(x);
	float z = ref_from_bits(0x5f30c000u - (v >> 1));
	float s0 = x * z;
	float e = 1.0f - s0 * z;
	float s = s0 + s0 * (e * (0.49999523f + e * (0.375379f + e * (0.30323336f + e * 0.360171f))));
	uint32_t k = (ref_bits(s) & 0x7fffffu) | 0x800000u;
	int32_t rest = ref_signed((v << (24u - ((v >> 23) & 1u))) - k * k);
	int32_t edge = ref_signed(k);
	uint32_t step = rest > edge ? 1u : rest <= -edge ? 0xffffffffu : 0u;
	return x > 0.0f ? ref_from_bits(ref_bits(s) + step) : 0.0f;
}

/* float %, in [0, |y|); 0 where y = 0 or |floor(x / |y|)| > 2^23 */
static inline float ref_mod(float x, float y)
{
	float a = fabsf(y);
	float q = floorf(ref_over(x, a));
	float r = x - q * a;
	float lifted = r < 0.0f ? r + a : r;
	float wrapped = lifted >= a ? lifted - a : lifted;
	return a > 0.0f ? (fabsf(q) <= 8388608.0f ? wrapped : 0.0f) : 0.0f;
}

/* ---- library/math.noise ---- */

static inline float ref_clamp(float x, float lo, float hi) { return ref_min(ref_max(x, lo), hi); }

static inline float ref_sine_arch(float s, float t)
{
	return s * (1.0f + t * (-0.16666657f + t * (8.333011e-3f + t * (-1.9806229e-4f + t * 2.5993447e-6f))));
}

/* absolute error below 2^-22.5 for |x| <= 2^12; exact at 0; never beyond +-1 */
static inline float ref_sin(float x)
{
	float t = x * 0.31830987f + 12582912.0f;
	float k = t - 12582912.0f;
	float r = (x - k * 3.140625f) - k * 9.676536e-4f;
	float s = ref_from_bits(ref_bits(r) ^ (ref_bits(t) << 31));
	return ref_clamp(ref_sine_arch(s, r * r), -1.0f, 1.0f);
}

/* absolute error below 2^-22 for |x| <= 2^12; never beyond +-1 */
static inline float ref_cos(float x)
{
	float k = ref_round(x * 0.15915494f);
	float r = (x - k * 6.28125f) - k * 1.9353072e-3f;
	float s = 1.5707964f - fabsf(r);
	return ref_clamp(ref_sine_arch(s, s * s), -1.0f, 1.0f);
}

/* 3 ulp for |x| < pi/2; 2^-23 of 1 + tan^2 for |x| <= 2^12 */
static inline float ref_tan(float x)
{
	float t = x * 0.63661975f + 12582912.0f;
	float k = t - 12582912.0f;
	float r = ((x - k * 1.5703125f) - k * 4.837513e-4f) - k * 7.54979e-8f;
	float z = r * r;
	float s = r + r * z * (-0.16666655f + z * (8.33219e-3f + z * -1.9518455e-4f));
	float c = 1.0f + z * (-0.5f + z * (0.041666646f + z * (-1.3887311e-3f + z * 2.4432566e-5f)));
	int odd = (ref_bits(t) & 1u) != 0u;
	return ref_over(odd ? -c : s, odd ? s : c);
}

static inline float ref_arc_rest(float z)
{
	return 0.16666673f + z * (0.07498762f + z * (0.045020174f + z * (0.026433537f + z * 0.038328044f)));
}

/* 2.6 ulp */
static inline float ref_asin(float x)
{
	float a = ref_min(fabsf(x), 1.0f);
	float z = a > 0.5f ? (1.0f - a) * 0.5f : a * a;
	float s = a > 0.5f ? sqrtf(z) : a;
	float r = s + s * z * ref_arc_rest(z);
	float e = a > 0.5f ? 1.5707964f - (r + r) : r;
	return x < 0.0f ? -e : e;
}

/* 1.5 ulp */
static inline float ref_acos(float x)
{
	float a = ref_min(fabsf(x), 1.0f);
	float z = a > 0.5f ? (1.0f - a) * 0.5f : a * a;
	float s = a > 0.5f ? sqrtf(z) : a;
	float r = s + s * z * ref_arc_rest(z);
	float e = a > 0.5f ? r + r : 1.5707964f - r;
	return x < 0.0f ? 3.1415927f - e : e;
}

/* 3.2 ulp where the result is normal */
static inline float ref_atan2(float y, float x)
{
	float ax = fabsf(x);
	float ay = fabsf(y);
	float t = ref_over(ref_min(ax, ay), ref_max(ax, ay));
	float z = t * t;
	float r = t + t * z * (-0.33333325f + z * (0.19998917f + z * (-0.14260803f + z * (0.1088814f + z * (-0.080731735f
		+ z * (0.04983978f + z * (-0.020696241f + z * 4.0571527e-3f)))))));
	float half = ay > ax ? 1.5707964f - r : r;
	float e = x < 0.0f ? 3.1415927f - half : half;
	return y < 0.0f ? -e : e;
}

static inline float ref_atan(float x) { return ref_atan2(x, 1.0f); }

/* 1.1 ulp in -126 .. 127, exact for whole x */
static inline float ref_exp2(float x)
{
	float a = ref_clamp(x, -126.0f, 127.0f);
	float t = a + 12582912.0f;
	float f = a - (t - 12582912.0f);
	float e = 1.0f + f * (0.6931472f + f * (0.24022645f + f * (0.055503588f + f * (9.618834e-3f + f * (1.3391302e-3f + f * 1.5241285e-4f)))));
	return ref_from_bits(ref_bits(e) + (ref_bits(t) << 23));
}

/* 1.2 ulp in -87.33 .. 88.02 */
static inline float ref_exp(float x)
{
	float a = ref_clamp(x, -87.3365f, 88.029686f);
	float t = a * 1.442695f + 12582912.0f;
	float k = t - 12582912.0f;
	float f = (a - k * 0.693145751953125f) - k * 1.4286068e-6f;
	float e = 1.0f + f * (1.0f + f * (0.4999999f + f * (0.16666521f + f * (0.041668963f + f * (8.368669e-3f + f * 1.3782458e-3f)))));
	return ref_from_bits(ref_bits(e) + (ref_bits(t) << 23));
}

/* 1.6 ulp for normal x; -127 elsewhere */
static inline float ref_log2(float x)
{
	uint32_t u = ref_bits(x) + 0x004afb0du;
	float n = ref_from_bits((u >> 23) | 0x4b000000u) - 8388735.0f;
	float t = ref_from_bits((u & 0x7fffffu) + 0x3f3504f3u) - 1.0f;
	float e = n + (t + t * (0.442695f + t * (-0.7213472f + t * (0.48091143f + t * (-0.36071575f + t * (0.28791216f + t * (-0.23867565f
		+ t * (0.21542938f + t * (-0.208992f + t * 0.12880234f)))))))));
	return x >= 1.1754944e-38f ? e : -127.0f;
}

/* 2.3 ulp */
static inline float ref_log(float x) { return ref_log2(x) * 0.6931472f; }

/* the general power, for exponents not known at compile time: relative error below 2^-18 where |y log2 x| <= 32, 2^-16 beyond */
static inline float ref_pow(float x, float y)
{
	float m = ref_exp2(y * ref_log2(fabsf(x)));
	float h = y * 0.5f;
	float below = y != floorf(y) ? 0.0f : h != floorf(h) ? -m : m;
	return x == 0.0f ? (y == 0.0f ? 1.0f : 0.0f) : x < 0.0f ? below : m;
}

/* pow(x, n) for a literal exponent of 0 to 8 */
static inline float ref_pow_literal(float x, int n)
{
	float x2 = x * x, x3 = x2 * x, x4 = x2 * x2;
	return n == 0 ? 1.0f : n == 1 ? x : n == 2 ? x2 : n == 3 ? x3 : n == 4 ? x4 : n == 5 ? x4 * x : n == 6 ? x3 * x3
		: n == 7 ? x3 * x3 * x : x4 * x4;
}

/* 1.9 ulp for |x| <= 87 */
static inline float ref_sinh(float x)
{
	float z = x * x;
	float low = x + x * z * (0.16666676f + z * (8.331733e-3f + z * 2.0261342e-4f));
	float high = 0.5f * (ref_exp(x) - ref_exp(-x));
	return fabsf(x) < 1.0f ? low : high;
}

/* 1.7 ulp for |x| <= 87 */
static inline float ref_cosh(float x) { return 0.5f * (ref_exp(x) + ref_exp(-x)); }

/* 1.4 ulp; never beyond +-1 */
static inline float ref_tanh(float x)
{
	float a = fabsf(x);
	float z = x * x;
	float low = x + x * z * (-0.33333328f + z * (0.13332647f + z * (-0.053830326f + z * (0.020896787f + z * -5.9503046e-3f))));
	float high = 1.0f - ref_over(2.0f, ref_exp(a + a) + 1.0f);
	return a < 0.65f ? low : x < 0.0f ? -high : high;
}

/* 1.7 ulp */
static inline float ref_inversesqrt(float x)
{
	float z = ref_from_bits(0x5f374800u - (ref_bits(x) >> 1));
	float e = 1.0f - x * z * z;
	float r = z + z * (e * (0.49999836f + e * (0.37499678f + e * (0.31392986f + e * 0.27518404f))));
	return x > 0.0f ? r : 0.0f;
}

static inline float ref_radians(float x) { return x * 0.017453292f; }
static inline float ref_degrees(float x) { return x * 57.29578f; }
static inline float ref_sign(float x) { return x > 0.0f ? 1.0f : x < 0.0f ? -1.0f : 0.0f; }
static inline float ref_fract(float x) { return x - floorf(x); }
static inline float ref_saturate(float x) { return ref_clamp(x, 0.0f, 1.0f); }
static inline float ref_step(float edge, float x) { return x < edge ? 0.0f : 1.0f; }
static inline float ref_mix(float a, float b, float t) { return a + t * (b - a); }

static inline float ref_smoothstep(float a, float b, float x)
{
	float t = ref_clamp(ref_over(x - a, b - a), 0.0f, 1.0f);
	return a == b ? (x < a ? 0.0f : 1.0f) : t * t * (3.0f - 2.0f * t);
}

#endif
