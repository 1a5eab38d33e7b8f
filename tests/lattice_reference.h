/* The lattice noises of library/lattice.noise and library/noise.noise once more, in scalar C and by another
   hand: the tests compare the compiled library with these bit for bit. Positions within +-2^30; compile
   with -ffp-contract=off. Worley is here twice: searched by the tables of the library, and by brute force
   over every cell within three of the one that holds p. */
#ifndef NOISE_LATTICE_REFERENCE_H
#define NOISE_LATTICE_REFERENCE_H

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { REF_F1, REF_F2, REF_F2_MINUS_F1, REF_CELL_VALUE, REF_CELL_ID };
enum { REF_EUCLIDEAN, REF_EUCLIDEAN_SQ, REF_MANHATTAN, REF_CHEBYSHEV };

#define REF_WHITE 0x57484954u
#define REF_VALUE 0x56414C55u
#define REF_PERLIN 0x5045524Cu
#define REF_SIMPLEX 0x53494D50u
#define REF_WORLEY 0x574F524Cu
#define REF_CELL 0x43454C4Cu
#define REF_HASH 0x48415348u

static inline uint32_t ref_stir(uint32_t s, uint32_t k)
{
	uint32_t h = s ^ s >> 16;
	h *= 0x7feb352du;
	h ^= h >> 15;
	h += k * 0x9E3779B1u + 0x6A09E667u;
	h ^= h >> 16;
	h *= 0x21f0aaadu;
	h ^= h >> 15;
	h *= 0xd35a2d97u;
	return h ^ h >> 15;
}

static inline uint32_t ref_mixed(uint32_t k) { return (k >> 8) * ((k & 0x7fffffu) | 0x800001u); }

/* The hash of the lattice point c of n coordinates. */
static inline uint32_t ref_corner(int n, const int32_t *c, uint32_t seed, uint32_t kind)
{
	static const uint32_t key[4] = { 0x9E3779B1u, 0x85EBCA77u, 0xC2B2AE3Du, 0x27D4EB2Fu };
	uint32_t s = ref_stir(seed, kind);
	for (int i = n - 1; i > 0; i--)
		s += (uint32_t)c[i] * key[i];
	return ref_mixed((uint32_t)c[0] * key[0] ^ s);
}

static inline uint32_t ref_corner2(int32_t x, int32_t y, uint32_t seed, uint32_t kind)
{
	int32_t c[2] = { x, y };
	return ref_corner(2, c, seed, kind);
}

static inline uint32_t ref_corner3(int32_t x, int32_t y, int32_t z, uint32_t seed, uint32_t kind)
{
	int32_t c[3] = { x, y, z };
	return ref_corner(3, c, seed, kind);
}

static inline uint32_t ref_hash(uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t seed)
{
	uint32_t s = ref_stir(seed, REF_HASH) + d * 0x27D4EB2Fu + c * 0xC2B2AE3Du + b * 0x85EBCA77u;
	return ref_stir(a * 0x9E3779B1u ^ s, REF_HASH);
}

static inline float ref_pattern(uint32_t h, uint32_t mask, uint32_t base)
{
	uint32_t u = (h & mask) | base;
	float x;
	memcpy(&x, &u, 4);
	return x;
}

static inline float ref_hash_float(uint32_t h) { return (float)(h >> 8) * (1.0f / 16777216.0f); }

/* cell and local; p within +-2^30 */
static inline void ref_split(int n, const float *p, int32_t *c, float *f)
{
	for (int i = 0; i < n; i++) {
		float low = floorf(p[i]);
		c[i] = (int32_t)low;
		f[i] = p[i] - low;
	}
}

static inline float ref_fade5(float t)
{
	float u = t - 1.25f;
	return t * t * t * (u * u * 6.0f + 0.62499994f);
}

static inline float ref_fade3(float t) { return t * t * (3.0f - 2.0f * t); }

static inline float ref_unit(float x)
{
	float low = x > -1.0f ? x : -1.0f;
	return low < 1.0f ? low : 1.0f;
}

/* The shift of octave i along axis j of n. */
static inline float ref_shift(int n, int i, int j)
{
	static const float start[4] = { 0.140625f, 0.578125f, 0.546875f, 0.546875f };
	static const float step[4][4] = {
		{ 0.6180339887f },
		{ 0.7548776662f, 0.5698402910f },
		{ 0.8191725134f, 0.6710436067f, 0.5497004779f },
		{ 0.8566748839f, 0.7338918566f, 0.6287067210f, 0.5385972572f },
	};
	float x = start[n - 1] + ((float)i + 1.0f) * step[n - 1][j];
	return x - floorf(x);
}

/* white and value, 1-D to 4-D */
static inline float ref_white(int n, const float *p, uint32_t seed)
{
	int32_t c[4];
	float f[4];
	ref_split(n, p, c, f);
	return ref_pattern(ref_corner(n, c, seed, REF_WHITE), 0x7fffffu, 0x40000000u) - 3.0f;
}

static inline float ref_value(int n, const float *p, uint32_t seed)
{
	int32_t c[4], at[4];
	float f[4], v[16];
	ref_split(n, p, c, f);
	for (int q = 0; q < 1 << n; q++) {
		for (int i = 0; i < n; i++)
			at[i] = c[i] + ((q >> i) & 1);
		v[q] = ref_pattern(ref_corner(n, at, seed, REF_VALUE), 0x7fffffu, 0x40000000u);
	}
	for (int i = 1; i <= n; i++) {          /* along y, z, w, and then x */
		int axis = i < n ? i : 0;
		for (int q = 0; q < 1 << n; q++)
			if (!((q >> axis) & 1))
				v[q] = v[q] + ref_fade3(f[axis]) * (v[q | 1 << axis] - v[q]);
	}
	return v[0] - 3.0f;
}

static inline void ref_gradient2(uint32_t h, float *x, float *y)
{
	*x = ref_pattern(h, 0x80C00000u, 0x3f000000u);
	*y = ref_pattern((h ^ 0x00C00000u) + 0x40000000u, 0x80C00000u, 0x3f000000u);
}

static inline void ref_gradient3(uint32_t h, float *g)
{
	g[0] = ref_pattern(h, 0x80C00000u, 0x3f000000u);
	g[1] = ref_pattern((h ^ 0x00800000u) + 0x40000000u, 0x80C00000u, 0x3f000000u);
	g[2] = ref_pattern((h << 2) + 0x01000000u, 0x81000000u, 0x3eb0fafau);
}

static inline void ref_gradient(int n, uint32_t h, float *g)
{
	if (n == 3) {
		ref_gradient3(h, g);
	} else if (n == 1) {
		g[0] = ref_pattern(h, 0x80C00000u, 0x3f000000u);
	} else {
		ref_gradient2(h, &g[0], &g[1]);
		if (n == 4)
			ref_gradient2(h << 2, &g[2], &g[3]);
	}
}

/* perlin, 1-D to 4-D. A column's corners are summed in the order of their bits (y lowest); in 4-D the two
   halves w = 0 and w = 1 are summed first. */
static inline float ref_perlin(int n, const float *p, uint32_t seed)
{
	static const float scale[4] = { 1.33333206f, 0.983405948f, 0.691124976f, 0.49170299f };
	int32_t c[4], at[4];
	float f[4], u[4], g[4], end[2];
	ref_split(n, p, c, f);
	for (int i = 0; i < n; i++)
		u[i] = ref_fade5(f[i]);
	for (int x = 0; x < 2; x++) {
		float a = 0.0f, b = 0.0f, lowa = 0.0f, lowb = 0.0f;
		at[0] = c[0] + x;
		if (n == 1) {
			ref_gradient(1, ref_corner(1, at, seed, REF_PERLIN), g);
			end[x] = g[0] * (x ? f[0] - 1.0f : f[0]);
			continue;
		}
		for (int q = 0; q < 1 << (n - 1); q++) {
			float w = 1.0f, rest = 0.0f;
			for (int i = 1; i < n; i++) {
				int one = (q >> (i - 1)) & 1;
				float t = one ? u[i] : 1.0f - u[i];
				at[i] = c[i] + one;
				w = i == 1 ? t : w * t;
			}
			ref_gradient(n, ref_corner(n, at, seed, REF_PERLIN), g);
			for (int i = 1; i < n; i++) {
				float e = g[i] * (w * ((q >> (i - 1)) & 1 ? f[i] - 1.0f : f[i]));
				rest = i == 1 ? e : rest + e;
			}
			if (q == 4) {
				lowa = a;
				lowb = b;
			}
			a = q % 4 ? a + g[0] * w : g[0] * w;
			b = q % 4 ? b + rest : rest;
		}
		if (n == 4) {
			a = lowa + a;
			b = lowb + b;
		}
		end[x] = a * (x ? f[0] - 1.0f : f[0]) + b;
	}
	return ref_unit((end[0] + u[0] * (end[1] - end[0])) * scale[n - 1]);
}

static inline float ref_fourth(float reach, float d)
{
	float t = reach - d;
	t = t > 0.0f ? t : 0.0f;
	t = t * t;
	return t * t;
}

static inline float ref_simplex2(float x, float y, uint32_t seed)
{
	float q[2] = { x + 0.5f * y, y }, f[2], sum = 0.0f;
	int32_t c[2];
	ref_split(2, q, c, f);
	int g = f[0] >= f[1];
	float dx[3], dy[3];
	int ox[3] = { 0, g, 1 }, oy[3] = { 0, 1 - g, 1 };
	dx[0] = f[0] - 0.5f * f[1];
	dy[0] = f[1];
	dx[1] = dx[0] - (g ? 1.0f : -0.5f);
	dy[1] = dy[0] - (g ? 0.0f : 1.0f);
	dx[2] = dx[0] - 0.5f;
	dy[2] = dy[0] - 1.0f;
	for (int i = 0; i < 3; i++) {
		float a, b;
		ref_gradient2(ref_corner2(c[0] + ox[i], c[1] + oy[i], seed, REF_SIMPLEX), &a, &b);
		float e = (a * dx[i] + b * dy[i]) * ref_fourth(0.8f, dx[i] * dx[i] + dy[i] * dy[i]);
		sum = i ? sum + e : e;
	}
	return ref_unit(sum * 7.17838526f);
}

static inline float ref_simplex3(float x, float y, float z, uint32_t seed)
{
	float q[3] = { y + z, x + z, x + y }, f[3], sum = 0.0f;
	int32_t c[3];
	ref_split(3, q, c, f);
	/* the first step goes along the largest axis, the second along the two largest */
	int ab = f[0] >= f[1], bc = f[1] >= f[2], ac = f[0] >= f[2];
	int step[4][3] = {
		{ 0, 0, 0 },
		{ ab && ac, !ab && bc, !(ac || bc) },
		{ ab || ac, !ab || bc, !(ac && bc) },
		{ 1, 1, 1 },
	};
	float d0[3] = { 0.5f * (f[1] + f[2] - f[0]), 0.5f * (f[0] + f[2] - f[1]), 0.5f * (f[0] + f[1] - f[2]) };
	for (int i = 0; i < 4; i++) {
		float d[3], g[3];
		for (int j = 0; j < 3; j++)
			d[j] = i == 0 ? d0[j] : i == 1 ? d0[j] - (step[1][j] ? -0.5f : 0.5f)
			     : i == 2 ? d0[j] - (step[2][j] ? 0.0f : 1.0f) : d0[j] - 0.5f;
		ref_gradient3(ref_corner3(c[0] + step[i][0], c[1] + step[i][1], c[2] + step[i][2], seed, REF_SIMPLEX), g);
		float e = (g[0] * d[0] + g[1] * d[1] + g[2] * d[2]) *
		          ref_fourth(0.5f, d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
		sum = i ? sum + e : e;
	}
	return ref_unit(sum * 60.9883156f);
}

/* What a search has found so far. */
typedef struct RefNearest {
	float first, second;
	uint32_t winner;
} RefNearest;

/* One cell: offset o from the cell c of p, whose place in it is f. n is 2 or 3. */
static inline void ref_worley_visit(RefNearest *found, int n, const int32_t *c, const float *f, const int *o,
                                    int metric, float jitter, uint32_t seed)
{
	int32_t at[3];
	float d = 0.0f;
	for (int i = 0; i < n; i++)
		at[i] = c[i] + o[i];
	uint32_t h = ref_corner(n, at, seed, REF_WORLEY), spread[3] = { h, h >> 9, h << 9 };
	for (int i = 0; i < n; i++) {
		float e = (((float)o[i] + (0.5f - 1.5f * jitter)) - f[i]) + jitter * ref_pattern(spread[i], 0x7fffffu, 0x3f800000u);
		float a = metric <= REF_EUCLIDEAN_SQ ? e * e : e < 0.0f ? -e : e;
		d = i == 0 ? a : metric != REF_CHEBYSHEV ? d + a : d > a ? d : a;
	}
	if (d < found->first) {
		found->second = found->first;
		found->first = d;
		found->winner = h;
	} else {
		if (d < found->second)
			found->second = d;
		if (d == found->first && h < found->winner)
			found->winner = h;
	}
}

/* The library's searches: cells that can hold the nearest point or, for `both`, the two nearest. */
static inline int ref_worley_needed(int n, const int *w, int metric, int both)
{
	/* rank: how far out a cell lies, on an axis whose middle is between -1 and 0 */
	int rank = 0, far = 0, outer = 0, zero = 0, one = 0;
	for (int i = 0; i < n; i++) {
		int r = w[i] < 0 ? -1 - w[i] : w[i];
		rank += r;
		far = r > far ? r : far;
		outer += w[i] == 2;
		zero += w[i] == 0;
		one += w[i] == 1;
	}
	if (metric == REF_CHEBYSHEV)
		return w[0] >= -1 && w[0] <= 1 && w[1] >= -1 && w[1] <= 1 && (n == 2 || (w[2] >= -1 && w[2] <= 1));
	if (n == 2)
		return (far <= 1 && rank < 2) || (both && ((one == 2) || (outer == 1 && zero == 1)));
	if (far <= 1 && rank < 3)
		return 1;
	if (both && (one == 3 || (outer == 1 && zero == 1 && one == 1)))
		return 1;
	if (metric == REF_MANHATTAN)
		return far == 2 && rank == 2;
	return both && outer == 1 && rank == 2 && zero >= 1;
}

static inline RefNearest ref_worley_search(int n, const float *p, int metric, float jitter, uint32_t seed,
                                           int both, int brute)
{
	RefNearest found = { 1e9f, 1e9f, 0 };
	int32_t c[3];
	float f[3];
	int o[3] = { 0, 0, 0 }, w[3] = { 0, 0, 0 }, deep = n == 3 ? 3 : 0;
	ref_split(n, p, c, f);
	for (w[2] = -deep; w[2] <= deep; w[2]++)
		for (w[1] = -3; w[1] <= 3; w[1]++)
			for (w[0] = -3; w[0] <= 3; w[0]++) {
				/* w is for p nearest to the low corner */
				for (int i = 0; i < n; i++)
					o[i] = f[i] < 0.5f || metric == REF_CHEBYSHEV ? w[i] : -w[i];
				if (brute || ref_worley_needed(n, w, metric, both))
					ref_worley_visit(&found, n, c, f, o, metric, jitter, seed);
			}
	return found;
}

/* worley in 2-D and 3-D; CellId has its own function. */
static inline uint32_t ref_worley_id(int n, const float *p, int metric, float jitter, uint32_t seed, int brute)
{
	return ref_stir(ref_worley_search(n, p, metric, jitter, seed, 0, brute).winner, REF_CELL);
}

static inline float ref_worley(int n, const float *p, int value, int metric, float jitter, uint32_t seed, int brute)
{
	int both = value == REF_F2 || value == REF_F2_MINUS_F1;
	RefNearest found = ref_worley_search(n, p, metric, jitter, seed, both, brute);
	float first = metric == REF_EUCLIDEAN ? sqrtf(found.first) : found.first;
	float second = metric == REF_EUCLIDEAN ? sqrtf(found.second) : found.second;
	switch (value) {
	case REF_F1: return first;
	case REF_F2: return second;
	case REF_F2_MINUS_F1: return second - first > 0.0f ? second - first : 0.0f;
	case REF_CELL_VALUE: return ref_hash_float(ref_stir(found.winner, REF_CELL));
	default: return 0.0f;
	}
}

#endif
