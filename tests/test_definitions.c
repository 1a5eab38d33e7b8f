/* The compiled library against its scalar references, bit for bit, through the runtime; and the properties of
   its noises that authors count on. */
#include <stdarg.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "cc.h"
#include "noisert.h"
#include "num.h"
#include "lattice_reference.h"
#include "math_reference.h"

enum { POINTS = 120000, MAX_OUTPUTS = 24, MAX_INPUTS = 4 };

/* ---- compiling and running ---- */

typedef struct Subject {
	nz_module *module;
	nz_program *program;
	const nz_program_info *info;
	nz_evaluator *evaluator;
	void *memory;
} Subject;

static Subject subject_open(const char *text)
{
	Subject s = { .module = NULL };
	nz_emit_options options = { .target = "program" };
	const char *data, *why = NULL;
	size_t size;
	if (nz_compile_module("definitions", text, strlen(text), NULL, &s.module) != NZ_OK)
		fail_msg("%s\n%s", nz_get_diagnostics(s.module), text);
	assert_int_equal(nz_emit_target(s.module, &options, &data, &size), NZ_OK);
	assert_int_equal(nz_load_program(data, size, NULL, &s.program, &why), NZ_OK);
	s.info = nz_describe_program(s.program);
	assert_true(s.info->output_count <= MAX_OUTPUTS && s.info->input_count <= MAX_INPUTS);
	size = nz_measure_evaluator(s.program, 256);
	s.memory = malloc(size);
	assert_non_null(s.memory);
	assert_int_equal(nz_place_evaluator(s.program, 256, s.memory, size, &s.evaluator), NZ_OK);
	return s;
}

static void subject_close(Subject *s)
{
	nz_free_program(s->program);
	nz_free_module(s->module);
	free(s->memory);
}

static void *must(void *memory)
{
	assert_non_null(memory);
	return memory;
}

static float *floats(size_t count) { return must(malloc((count + 1) * sizeof(float))); }

/* Output o, component 0, of every sample goes to out[o]. All inputs are floats. */
static void subject_run(const Subject *s, size_t count, float *const *axis, float *const *input, nz_word *const *out)
{
	nz_input_data inputs[MAX_INPUTS] = { { { NULL }, { { .u = 0 } } } };
	nz_output_data outputs[MAX_OUTPUTS] = { { { NULL } } };
	const float *position[4] = { NULL };
	for (uint32_t a = 0; a < s->info->domain; a++)
		position[a] = axis[a];
	for (uint32_t i = 0; i < s->info->input_count; i++)
		inputs[i].array[0] = input[i];
	for (uint32_t o = 0; o < s->info->output_count; o++)
		outputs[o].array[0] = out[o];
	assert_int_equal(nz_evaluate_points(s->evaluator, count, position, inputs, outputs), NZ_OK);
}

static void set_param(const Subject *s, const char *name, float value)
{
	nz_word word = { .f = value };
	assert_int_equal(nz_set_param(s->evaluator, nz_find_param(s->program, name), &word), NZ_OK);
}

/* ---- comparing ---- */

static uint32_t canonical(float x)
{
	uint32_t bits = num_bits(num_clean(x));
	return bits == 0x80000000u ? 0u : bits;
}

typedef struct Tally { uint64_t compared, differing; } Tally;

static void tally_bits(Tally *t, const char *what, size_t i, uint32_t want, uint32_t got)
{
	t->compared++;
	if (want != got && t->differing++ < 5)
		fprintf(stderr, "%s: %08x, not %08x, at sample %zu\n", what, (unsigned)got, (unsigned)want, i);
}

static void tally_float(Tally *t, const char *what, size_t i, float want, nz_word got)
{
	tally_bits(t, what, i, canonical(want), canonical(got.f));
}

static void tally_end(const Tally *t, const char *what)
{
	printf("%s: %llu values compared, %llu differing\n", what, (unsigned long long)t->compared, (unsigned long long)t->differing);
	assert_true(t->compared > 0);
	assert_int_equal(t->differing, 0);
}

/* ---- operands and places ---- */

static uint32_t random_state;

static uint32_t random_bits(void)
{
	random_state += 0x9E3779B9u;
	return ref_stir(random_state, 7);
}

static float random_unit(void) { return (float)(random_bits() >> 8) * (1.0f / 16777216.0f); }

/* Any float but NaN, infinite and denormal ones; often a plain one. */
static float random_float(void)
{
	uint32_t bits = random_bits();
	uint32_t exponent = 1 + random_bits() % 254;
	switch (random_bits() % 4) {
	case 0: return num_from_bits((bits & 0x807fffffu) | exponent << 23);
	case 1: return num_from_bits((bits & 0x807fffffu) | (117 + exponent % 20) << 23);
	case 2: return (random_unit() * 2.0f - 1.0f) * 8.0f;
	default: return (random_unit() * 2.0f - 1.0f) * 100.0f;
	}
}

static const float special[] = {
	0.0f, -0.0f, 1.0f, -1.0f, 0.5f, -0.5f, 2.0f, -2.0f, 3.0f, 7.0f, 0.25f, 1.5f, -1.5f, 2.5f, 0.99999994f, 1.0000001f, -0.99999994f,
	1.17549435e-38f, -1.17549435e-38f, 3.402823466e+38f, -3.402823466e+38f, 1.6777216e7f, 8388608.0f, -8388608.0f, 8388607.5f,
	1e30f, -1e30f, 1e-30f, 1.2676506e30f, 1.2676507e30f, 3.1415927f, 1.5707964f, 0.78539819f, 126.0f, 127.0f, -126.0f, 128.0f, 88.0f, -87.0f
};
enum { SPECIALS = sizeof special / sizeof *special };

/* A place along one axis: random near and far, on lattice lines and halves, beside them, negative ones included. */
static float random_place(void)
{
	float x = random_unit() * 2.0f - 1.0f;
	switch (random_bits() % 10) {
	case 0: return floorf(x * 16.0f);
	case 1: return floorf(x * 16.0f) + 0.5f;
	case 2: return nextafterf(floorf(x * 16.0f) + 0.25f, x);
	case 3: return nextafterf(floorf(x * 15.0f) + 16.5f, x < 0.0f ? 0.0f : 99.0f);
	case 4: return floorf(x * 16.0f) + 0.25f * (float)(random_bits() % 4);
	case 5: return x * 1e5f;
	case 6: return x * 1.0e9f;
	case 7: return x * 1e-4f;
	default: return x * 40.0f;
	}
}

static void fill_places(int n, size_t count, float **axis)
{
	for (int a = 0; a < n; a++)
		axis[a] = floats(count);
	for (size_t i = 0; i < count; i++)
		for (int a = 0; a < n; a++) {
			/* ties of the simplex: places with equal coordinates */
			axis[a][i] = a && random_bits() % 8 == 0 ? axis[a - 1][i] : random_place();
		}
}

static void free_all(int n, float **axis)
{
	for (int a = 0; a < n; a++)
		free(axis[a]);
}

static const char *type_of_p(int n)
{
	static const char *const name[] = { "", "float", "vec2", "vec3", "vec4" };
	return name[n];
}

/* ---- the lattice ---- */

static const uint32_t seeds[] = { 0u, 1u, 0x9E3779B9u, 0xffffffffu };
enum { SEEDS = sizeof seeds / sizeof *seeds };

typedef float LatticeReference(int n, const float *p, uint32_t seed);

static float simplex_reference(int n, const float *p, uint32_t seed)
{
	return n == 2 ? ref_simplex2(p[0], p[1], seed) : ref_simplex3(p[0], p[1], p[2], seed);
}

/* Promise: the definitions of the lattice noises are fixed to the bit; a world made today is the same tomorrow. */
static void lattice_noises_are_their_definitions(void **state)
{
	static const struct { const char *name; int low, high; LatticeReference *reference; } noise[] = {
		{ "white", 1, 4, ref_white }, { "value", 1, 4, ref_value }, { "perlin", 1, 4, ref_perlin }, { "simplex", 2, 3, simplex_reference }
	};
	nz_word *out = must(malloc(POINTS * sizeof *out));
	(void)state;
	random_state = 1;
	for (int n = 1; n <= 4; n++) {
		float *axis[4];
		fill_places(n, POINTS, axis);
		for (size_t k = 0; k < sizeof noise / sizeof *noise; k++) {
			char text[128], what[64];
			Tally t = { 0, 0 };
			if (n < noise[k].low || n > noise[k].high)
				continue;
			snprintf(text, sizeof text, "domain %s\noutput v = %s()\n", type_of_p(n), noise[k].name);
			snprintf(what, sizeof what, "%s at %s", noise[k].name, type_of_p(n));
			Subject s = subject_open(text);
			for (int e = 0; e < SEEDS; e++) {
				nz_set_seed(s.evaluator, seeds[e]);
				subject_run(&s, POINTS, axis, NULL, (nz_word *[]){ out });
				for (size_t i = 0; i < POINTS; i++) {
					float p[4] = { 0.0f };
					for (int a = 0; a < n; a++)
						p[a] = axis[a][i];
					tally_float(&t, what, i, noise[k].reference(n, p, seeds[e]), out[i]);
				}
			}
			subject_close(&s);
			tally_end(&t, what);
		}
		free_all(n, axis);
	}
	free(out);
}

/* Promise: the doors for noises of one's own (hash, corner, stir, shift) are fixed to the bit. */
static void hashes_are_their_definitions(void **state)
{
	static const char text[] = "domain vec3\n"
		"node c = cell(p)\n"
		"output a = stir(seed, c.x)\noutput b = corner(c, 0x12345u)\noutput d = corner(c.xy, 7u)\noutput e = corner(c.z, 7u)\n"
		"output f = hash(c.x, c.y, c.z)\noutput g = hash(c.x)\noutput h = hash(c.x, c.y, c.z, 9)\noutput i = hashFloat(hash(c.y))\n"
		"output j = corner(ivec4(c, 5), 7u)\noutput k: uint = reseed(seed, c.x)\n"
		"output l = local(p).x\noutput m = c.x\n";
	nz_word *out[12];
	float *axis[4];
	Tally t = { 0, 0 };
	(void)state;
	random_state = 2;
	fill_places(3, POINTS, axis);
	for (int o = 0; o < 12; o++)
		out[o] = must(malloc(POINTS * sizeof *out[o]));
	Subject s = subject_open(text);
	for (int e = 0; e < SEEDS; e++) {
		uint32_t seed = seeds[e];
		nz_set_seed(s.evaluator, seed);
		subject_run(&s, POINTS, axis, NULL, out);
		for (size_t i = 0; i < POINTS; i++) {
			float p[3] = { axis[0][i], axis[1][i], axis[2][i] }, f[3];
			int32_t c[4] = { 0, 0, 0, 5 };
			ref_split(3, p, c, f);
			uint32_t x = (uint32_t)c[0], y = (uint32_t)c[1], z = (uint32_t)c[2];
			tally_bits(&t, "stir", i, ref_stir(seed, x), out[0][i].u);
			tally_bits(&t, "corner of 3", i, ref_corner(3, c, seed, 0x12345u), out[1][i].u);
			tally_bits(&t, "corner of 2", i, ref_corner(2, c, seed, 7), out[2][i].u);
			tally_bits(&t, "corner of 1", i, ref_corner(1, c + 2, seed, 7), out[3][i].u);
			tally_bits(&t, "hash of 3", i, ref_hash(x, y, z, 0, seed), out[4][i].u);
			tally_bits(&t, "hash of 1", i, ref_hash(x, 0, 0, 0, seed), out[5][i].u);
			tally_bits(&t, "hash of 4", i, ref_hash(x, y, z, 9, seed), out[6][i].u);
			tally_float(&t, "hashFloat", i, ref_hash_float(ref_hash(y, 0, 0, 0, seed)), out[7][i]);
			tally_bits(&t, "corner of 4", i, ref_corner(4, c, seed, 7), out[8][i].u);
			tally_bits(&t, "reseed", i, ref_stir(seed, x), out[9][i].u);
			tally_float(&t, "local", i, f[0], out[10][i]);
			tally_bits(&t, "cell", i, x, out[11][i].u);
		}
	}
	subject_close(&s);
	for (int n = 1; n <= 4; n++) {
		char shifts[128];
		float zero[1] = { 0.0f };
		float *origin[4] = { zero, zero, zero, zero };
		static const char axis_name[] = "xyzw";
		for (int i = 0; i < 20; i++)
			for (int j = 0; j < n; j++) {
				nz_word one;
				if (n == 1)
					snprintf(shifts, sizeof shifts, "domain float\noutput v = shift(%d)\n", i);
				else
					snprintf(shifts, sizeof shifts, "domain %s\noutput v = shift(%d).%c\n", type_of_p(n), i, axis_name[j]);
				s = subject_open(shifts);
				subject_run(&s, 1, origin, NULL, (nz_word *[]){ &one });
				tally_float(&t, "shift", (size_t)i, ref_shift(n, i, j), one);
				subject_close(&s);
			}
	}
	tally_end(&t, "stir, corner, hash, shift, cell, local");
	for (int o = 0; o < 12; o++)
		free(out[o]);
	free_all(3, axis);
}

/* ---- worley ---- */

static const char *const values[] = { "F1", "F2", "F2MinusF1", "CellValue", "CellId" };
static const char *const metrics[] = { "Euclidean", "EuclideanSq", "Manhattan", "Chebyshev" };
enum { VALUES = 5, METRICS = 4 };

/* One search gives all values; both searches, as the library's and by brute force, are compared. */
static void compare_worley(Tally *t, const char *what, int n, const float *p, size_t i, int metric, float jitter, uint32_t seed,
	bool brute, nz_word *const *out)
{
	RefNearest one = ref_worley_search(n, p, metric, jitter, seed, 0, brute);
	RefNearest two = ref_worley_search(n, p, metric, jitter, seed, 1, brute);
	bool root = metric == REF_EUCLIDEAN;
	float first = root ? sqrtf(two.first) : two.first, second = root ? sqrtf(two.second) : two.second;
	tally_float(t, what, i, root ? sqrtf(one.first) : one.first, out[0][i]);
	tally_float(t, what, i, second, out[1][i]);
	tally_float(t, what, i, ref_max(second - first, 0.0f), out[2][i]);
	tally_float(t, what, i, ref_hash_float(ref_stir(one.winner, REF_CELL)), out[3][i]);
	tally_bits(t, what, i, ref_stir(one.winner, REF_CELL), out[4][i].u);
}

/* Promises: worley finds the nearest points for every jitter in 0 .. 1, in every metric (no artefacts at cell
   borders); it gives the same bits whether jitter is a literal, which searches fewer cells, or a param. */
static void worley_is_its_definition(void **state)
{
	static const float jitters[] = { 1.0f, 0.0f, 0.25f, 0.3f, 0.49f, 0.5f, 0.65f, 0.7f };
	nz_word *out[VALUES];
	(void)state;
	random_state = 3;
	for (int o = 0; o < VALUES; o++)
		out[o] = must(malloc(POINTS * sizeof *out[o]));
	for (int n = 2; n <= 3; n++) {
		float *axis[4];
		size_t all = 0;
		fill_places(n, POINTS, axis);
		for (int metric = 0; metric < METRICS; metric++) {
			Tally t = { 0, 0 };
			char what[64];
			snprintf(what, sizeof what, "worley at %s, %s", type_of_p(n), metrics[metric]);
			for (size_t j = 0; j < sizeof jitters / sizeof *jitters; j++)
				for (int param = 0; param < 2; param++) {
					char text[512], literal[32];
					snprintf(literal, sizeof literal, "%.6f", (double)jitters[j]);
					int at = snprintf(text, sizeof text, "domain %s\nparam j = 0.5 in 0 .. 1\n", type_of_p(n));
					for (int v = 0; v < VALUES; v++)
						at += snprintf(text + at, sizeof text - (size_t)at, "output v%d = worley(%s, %s, %s)\n", v, values[v], metrics[metric], param ? "j" : literal);
					Subject s = subject_open(text);
					uint32_t seed = seeds[(j + (size_t)param) % SEEDS];
					/* 120,000 points for each value, metric and dimension, spread over the jitters */
					size_t count = POINTS / 16, from = (all++ % 16) * count;
					float *part[4] = { NULL };
					for (int a = 0; a < n; a++)
						part[a] = axis[a] + from;
					set_param(&s, "j", jitters[j]);
					nz_set_seed(s.evaluator, seed);
					subject_run(&s, count, part, NULL, out);
					for (size_t i = 0; i < count; i++) {
						float p[3] = { 0.0f };
						for (int a = 0; a < n; a++)
							p[a] = part[a][i];
						compare_worley(&t, what, n, p, i, metric, jitters[j], seed, false, out);
						if (i % 8 == 0)
							compare_worley(&t, "worley by brute force", n, p, i, metric, jitters[j], seed, true, out);
					}
					subject_close(&s);
				}
			tally_end(&t, what);
		}
		free_all(n, axis);
	}
	for (int o = 0; o < VALUES; o++)
		free(out[o]);
}

/* Moves every place to where worley's distance is larger, a little less far each round. */
static void climb(const Subject *s, int n, size_t count, float *const *axis, float *const *moved, nz_word *const *out, nz_word *best)
{
	subject_run(s, count, axis, NULL, out);
	memcpy(best, out[0], count * sizeof *best);
	for (int round = 0; round < 8; round++) {
		for (int a = 0; a < n; a++)
			for (size_t i = 0; i < count; i++)
				moved[a][i] = axis[a][i] + (random_unit() - 0.5f) * (0.6f / (float)(1 + round));
		subject_run(s, count, moved, NULL, out);
		for (size_t i = 0; i < count; i++)
			if (out[0][i].f > best[i].f) {
				best[i] = out[0][i];
				for (int a = 0; a < n; a++)
					axis[a][i] = moved[a][i];
			}
	}
}

/* Promise: worley is exact also where the points are farthest, which random places hardly ever are: there the
   outermost cells of the search decide. Places climb to such spots, then all cells around are searched. */
static void worley_is_exact_at_its_farthest(void **state)
{
	static const float jitters[] = { 1.0f, 0.65f, 0.49f, 0.3f };
	enum { COUNT = 24000 };
	float *axis[3], *moved[3];
	nz_word *out = must(malloc(COUNT * sizeof *out)), *best = must(malloc(COUNT * sizeof *best));
	Tally t = { 0, 0 };
	(void)state;
	random_state = 11;
	for (int a = 0; a < 3; a++) {
		axis[a] = floats(COUNT);
		moved[a] = floats(COUNT);
	}
	for (int n = 2; n <= 3; n++)
		for (int value = REF_F1; value <= REF_F2; value++)
			for (int metric = 0; metric < METRICS; metric++)
				for (size_t j = 0; j < sizeof jitters / sizeof *jitters; j++) {
					char text[128];
					size_t count = n == 2 ? COUNT : COUNT / 4;
					snprintf(text, sizeof text, "domain %s\noutput v = worley(%s, %s, %.6f)\n", type_of_p(n), values[value], metrics[metric], (double)jitters[j]);
					for (size_t i = 0; i < count; i++)
						for (int a = 0; a < n; a++)
							axis[a][i] = (random_unit() * 2.0f - 1.0f) * 2000.0f;
					Subject s = subject_open(text);
					nz_set_seed(s.evaluator, 31);
					climb(&s, n, count, axis, moved, (nz_word *[]){ out }, best);
					subject_close(&s);
					for (size_t i = 0; i < count; i++) {
						float p[3] = { axis[0][i], axis[1][i], axis[2][i] };
						tally_float(&t, text, i, ref_worley(n, p, value, metric, jitters[j], 31, 1), best[i]);
					}
				}
	tally_end(&t, "worley at its farthest, by brute force");
	free_all(3, axis);
	free_all(3, moved);
	free(out);
	free(best);
}

/* Promise: as above, next to the middles and corners of cells: the only places where a cell two away can matter,
   a few times in a million. */
static void worley_is_exact_in_the_middle(void **state)
{
	enum { COUNT = 1500000 };
	float *axis[3];
	nz_word *out = must(malloc(COUNT * sizeof *out));
	Tally t = { 0, 0 };
	(void)state;
	random_state = 12;
	for (int a = 0; a < 3; a++)
		axis[a] = floats(COUNT);
	for (size_t i = 0; i < COUNT; i++)
		for (int a = 0; a < 3; a++)
			axis[a][i] = floorf((random_unit() - 0.5f) * 20000.0f) + (random_bits() % 8 ? 0.5f : 0.0f) + (random_unit() - 0.5f) * 0.04f;
	for (int n = 2; n <= 3; n++)
		for (int metric = REF_EUCLIDEAN_SQ; metric <= REF_MANHATTAN; metric++) {
			char text[128];
			size_t count = n == 2 ? COUNT : COUNT / 8;
			snprintf(text, sizeof text, "domain %s\noutput v = worley(F2, %s)\n", type_of_p(n), metrics[metric]);
			Subject s = subject_open(text);
			nz_set_seed(s.evaluator, 31);
			subject_run(&s, count, axis, NULL, (nz_word *[]){ out });
			subject_close(&s);
			for (size_t i = 0; i < count; i++) {
				float p[3] = { axis[0][i], axis[1][i], axis[2][i] };
				tally_float(&t, text, i, ref_worley(n, p, REF_F2, metric, 1.0f, 31, 1), out[i]);
			}
		}
	tally_end(&t, "worley in the middle of cells, by brute force");
	free_all(3, axis);
	free(out);
}

/* ---- math.noise, line by line ---- */

/* x, y and z are operands; vector functions are given (x, y, z) and (y, z, x). */
typedef struct Operands { float x, y, z; } Operands;

static float pow3(float x) { return ref_pow_literal(x, 3); }

static float dot3(Operands a, Operands b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static Operands turned(Operands a) { return (Operands){ a.y, a.z, a.x }; }
static float length3(Operands a) { return num_fsqrt(dot3(a, a)); }

static Operands minus(Operands a, Operands b) { return (Operands){ a.x - b.x, a.y - b.y, a.z - b.z }; }

#define FUNCTIONS(F) \
	F("clamp", "clamp(x, y, z)", ref_clamp(a.x, a.y, a.z)) \
	F("saturate", "saturate(x)", ref_saturate(a.x)) \
	F("mix", "mix(x, y, z)", ref_mix(a.x, a.y, a.z)) \
	F("step", "step(x, y)", ref_step(a.x, a.y)) \
	F("smoothstep", "smoothstep(x, y, z)", ref_smoothstep(a.x, a.y, a.z)) \
	F("fract", "fract(x)", ref_fract(a.x)) \
	F("sign", "sign(x)", ref_sign(a.x)) \
	F("radians", "radians(x)", ref_radians(a.x)) \
	F("degrees", "degrees(x)", ref_degrees(a.x)) \
	F("sineArch", "sineArch(x, y)", ref_sine_arch(a.x, a.y)) \
	F("sin", "sin(x)", ref_sin(a.x)) \
	F("cos", "cos(x)", ref_cos(a.x)) \
	F("tan", "tan(x)", ref_tan(a.x)) \
	F("arcRest", "arcRest(x)", ref_arc_rest(a.x)) \
	F("asin", "asin(x)", ref_asin(a.x)) \
	F("acos", "acos(x)", ref_acos(a.x)) \
	F("atan2", "atan2(x, y)", ref_atan2(a.x, a.y)) \
	F("atan", "atan(x)", ref_atan(a.x)) \
	F("exp2", "exp2(x)", ref_exp2(a.x)) \
	F("exp", "exp(x)", ref_exp(a.x)) \
	F("log2", "log2(x)", ref_log2(a.x)) \
	F("log", "log(x)", ref_log(a.x)) \
	F("powGeneral", "powGeneral(x, y)", ref_pow(a.x, a.y)) \
	F("powKnown", "powKnown(x, 3)", pow3(a.x)) \
	F("pow", "pow(x, y)", ref_pow(a.x, a.y)) \
	F("inversesqrt", "inversesqrt(x)", ref_inversesqrt(a.x)) \
	F("sinh", "sinh(x)", ref_sinh(a.x)) \
	F("cosh", "cosh(x)", ref_cosh(a.x)) \
	F("tanh", "tanh(x)", ref_tanh(a.x)) \
	F("dot", "dot(vec3(x, y, z), vec3(y, z, x))", dot3(a, turned(a))) \
	F("length", "length(vec3(x, y, z))", length3(a)) \
	F("distance", "distance(vec3(x, y, z), vec3(y, z, x))", length3(minus(a, turned(a)))) \
	F("normalize", "normalize(vec3(x, y, z)).y", a.y * ref_inversesqrt(dot3(a, a))) \
	F("cross", "cross(vec3(x, y, z), vec3(y, z, x)).x", a.y * a.x - a.z * a.z) \
	F("reflect", "reflect(vec3(x, y, z), vec3(y, z, x)).x", a.x - (2.0f * dot3(a, turned(a))) * a.y)

static const struct { const char *name, *text; } functions[] = {
#define FUNCTION(NAME, TEXT, REFERENCE) { NAME, TEXT },
	FUNCTIONS(FUNCTION)
#undef FUNCTION
};
enum { FUNCTION_COUNT = sizeof functions / sizeof *functions };

static float function_reference(size_t which, Operands a)
{
	size_t n = 0;
#define FUNCTION(NAME, TEXT, REFERENCE) if (which == n++) return REFERENCE;
	FUNCTIONS(FUNCTION)
#undef FUNCTION
	return 0.0f;
}

/* Every pair of special values, then random ones; any operand may be equal to another. */
static void fill_operands(size_t count, float **input)
{
	for (int k = 0; k < 3; k++)
		input[k] = floats(count);
	for (size_t i = 0; i < count; i++) {
		bool pair = i < (size_t)SPECIALS * SPECIALS;
		input[0][i] = pair ? special[i % SPECIALS] : random_float();
		input[1][i] = pair ? special[i / SPECIALS] : random_bits() % 16 == 0 ? input[0][i] : random_float();
		input[2][i] = random_bits() % 16 == 0 ? special[random_bits() % SPECIALS] : random_float();
	}
}

/* Promise: sin, exp, pow and the rest are ours, fixed to the bit, the same on every machine. */
static void math_is_its_definition(void **state)
{
	float *input[3], *origin = must(calloc(POINTS, sizeof *origin));
	nz_word *out = must(malloc(POINTS * sizeof *out));
	Tally all = { 0, 0 };
	(void)state;
	random_state = 4;
	fill_operands(POINTS, input);
	for (size_t k = 0; k < FUNCTION_COUNT; k++) {
		char text[256];
		Tally t = { 0, 0 };
		snprintf(text, sizeof text, "domain float\ninput x\ninput y\ninput z\noutput v = %s\n", functions[k].text);
		Subject s = subject_open(text);
		subject_run(&s, POINTS, (float *[]){ origin }, input, (nz_word *[]){ out });
		for (size_t i = 0; i < POINTS; i++)
			tally_float(&t, functions[k].name, i, function_reference(k, (Operands){ input[0][i], input[1][i], input[2][i] }), out[i]);
		subject_close(&s);
		all.compared += t.compared;
		all.differing += t.differing;
	}
	for (int n = 0; n <= 8; n++) {
		char text[128];
		snprintf(text, sizeof text, "domain float\ninput x\noutput v = pow(x, %d)\n", n);
		Subject s = subject_open(text);
		subject_run(&s, POINTS, (float *[]){ origin }, input, (nz_word *[]){ out });
		for (size_t i = 0; i < POINTS; i++)
			tally_float(&all, text, i, ref_pow_literal(input[0][i], n), out[i]);
		subject_close(&s);
	}
	tally_end(&all, "math.noise");
	free_all(3, input);
	free(origin);
	free(out);
}

static bool is_tested(const char *name)
{
	for (size_t k = 0; k < FUNCTION_COUNT; k++)
		if (!strcmp(functions[k].name, name))
			return true;
	return false;
}

/* Promise: no mathematical function goes without a second definition to compare with. */
static void no_function_of_math_is_left_out(void **state)
{
	Arena *arena = arena_new();
	Diagnostics diag = { .arena = arena };
	static char text[1 << 16];
	FILE *f = fopen(LIBRARY "/math.noise", "rb");
	size_t missing = 0, found = 0;
	File file;
	(void)state;
	assert_non_null(arena);
	assert_non_null(f);
	size_t size = fread(text, 1, sizeof text - 1, f);
	fclose(f);
	assert_true(size < sizeof text - 1);
	Source source = { .name = "math.noise", .text = text, .size = size, .library = true };
	parse_file(arena, &diag, &source, &file);
	assert_int_equal(diag.errors, 0);
	for (const Decl *d = file.decls; d; d = d->next) {
		if (d->kind != DECL_FN)
			continue;
		found++;
		if (!is_tested(d->name)) {
			fprintf(stderr, "math.noise: '%s' is not compared with a reference\n", d->name);
			missing++;
		}
	}
	arena_free(arena);
	assert_true(found > 0);
	assert_int_equal(missing, 0);
}

/* ---- / sqrt % and the texts that shaders use for them ---- */

static bool normal(float x) { uint32_t m = num_bits(x) & 0x7fffffffu; return m >= 0x00800000u && m < 0x7f800000u; }

/* Promises: / sqrt % are correctly rounded and total; the functions that shaders print for them, run here as
   written, give the bits of the hardware wherever operands and result are normal, and 0 for a divisor of 0. */
static void exact_operators_are_the_hardware(void **state)
{
	enum { COUNT = 1200000 };
	static const char text[] = "domain float\ninput x\ninput y\n"
		"output a = x / y\noutput b = sqrt(x)\noutput c = x % y\n"
		"output d = exactDivide(x, y)\noutput e = exactSqrt(x)\noutput f = exactMod(x, y)\n"
		"output g = x / 3\noutput h = exactDivide(x, 3)\noutput i = x % 0.7\n";
	enum { OUTPUTS = 9 };
	float *input[3], *origin = must(calloc(COUNT, sizeof *origin));
	nz_word *out[OUTPUTS];
	Tally t = { 0, 0 };
	uint64_t beyond = 0;
	(void)state;
	random_state = 5;
	fill_operands(COUNT, input);
	for (int o = 0; o < OUTPUTS; o++)
		out[o] = must(malloc(COUNT * sizeof *out[o]));
	Subject s = subject_open(text);
	subject_run(&s, COUNT, (float *[]){ origin }, input, out);
	for (size_t i = 0; i < COUNT; i++) {
		float x = input[0][i], y = input[1][i], q = y == 0.0f ? 0.0f : x / y, third = x / 3.0f;
		tally_float(&t, "/", i, q, out[0][i]);
		tally_float(&t, "sqrt", i, x > 0.0f ? sqrtf(x) : 0.0f, out[1][i]);
		tally_float(&t, "%", i, ref_mod(x, y), out[2][i]);
		tally_float(&t, "exactMod", i, ref_mod(x, y), out[5][i]);
		tally_float(&t, "/ 3", i, third, out[6][i]);
		tally_float(&t, "% 0.7", i, ref_mod(x, 0.7f), out[8][i]);
		if (x == 0.0f || y == 0.0f || normal(q) || isinf(q)) {
			tally_float(&t, "exactDivide", i, q, out[3][i]);
		} else {                        /* the quotient is denormal: what comes out is too, or the least normal */
			assert_true(fabsf(out[3][i].f) <= FLT_MIN);
			beyond++;
		}
		tally_float(&t, "exactSqrt", i, x > 0.0f ? sqrtf(x) : 0.0f, out[4][i]);
		if (x == 0.0f || normal(third))
			tally_float(&t, "exactDivide by 3", i, third, out[7][i]);
	}
	subject_close(&s);
	printf("%llu quotients were too small for a normal float\n", (unsigned long long)beyond);
	tally_end(&t, "/ sqrt % and exact.noise");
	free_all(3, input);
	free(origin);
	for (int o = 0; o < OUTPUTS; o++)
		free(out[o]);
}

/* Promise: whatever goes in, NaN and infinities included, an output is finite. */
static void nothing_gets_out_that_is_not_finite(void **state)
{
	static const float wild[] = {
		NAN, INFINITY, -INFINITY, 1e-45f, -1e-45f, 1e-40f, 3.4028235e38f, -3.4028235e38f, 0.0f, 1.0f, -1.0f, 2.0f
	};
	enum { WILD = sizeof wild / sizeof *wild, COUNT = WILD * WILD * WILD };
	float *input[3], *axis[4];
	nz_word *out = must(malloc(COUNT * sizeof *out));
	uint64_t checked = 0;
	(void)state;
	for (int k = 0; k < 3; k++)
		input[k] = floats(COUNT);
	for (size_t i = 0; i < COUNT; i++) {
		input[0][i] = wild[i % WILD];
		input[1][i] = wild[i / WILD % WILD];
		input[2][i] = wild[i / WILD / WILD];
	}
	for (int a = 0; a < 4; a++)
		axis[a] = input[a % 3];
	static const char *const noises[] = {
		"white()", "value()", "perlin()", "simplex()", "worley()", "worley(F2MinusF1, Manhattan)", "worley(CellValue)", "octaves(perlin(), 3)"
	};
	enum { NOISES = sizeof noises / sizeof *noises, EXACT = 3 };
	static const char *const exact[EXACT] = { "exactDivide(x, y)", "exactSqrt(x)", "exactMod(x, y)" };
	for (size_t k = 0; k < FUNCTION_COUNT + NOISES + EXACT; k++) {
		const char *expression = k < FUNCTION_COUNT ? functions[k].text
			: k < FUNCTION_COUNT + NOISES ? noises[k - FUNCTION_COUNT] : exact[k - FUNCTION_COUNT - NOISES];
		char text[256];
		snprintf(text, sizeof text, "domain vec3\ninput x\ninput y\ninput z\noutput v = %s\n", expression);
		Subject s = subject_open(text);
		subject_run(&s, COUNT, axis, input, (nz_word *[]){ out });
		for (size_t i = 0; i < COUNT; i++, checked++)
			if (!isfinite(out[i].f) || out[i].f < s.info->outputs[0].low || out[i].f > s.info->outputs[0].high)
				fail_msg("%s gives %g for %g %g %g, outside of %g .. %g", expression, (double)out[i].f, (double)input[0][i], (double)input[1][i],
					(double)input[2][i], (double)s.info->outputs[0].low, (double)s.info->outputs[0].high);
		subject_close(&s);
	}
	printf("%llu results of wild operands, all finite and in their proved range\n", (unsigned long long)checked);
	free_all(3, input);
	free(out);
}

/* ---- properties ---- */

/* Runs a program of one or more outputs on given places. */
static void sample(const char *text, uint32_t seed, size_t count, float *const *axis, nz_word *const *out)
{
	Subject s = subject_open(text);
	nz_set_seed(s.evaluator, seed);
	subject_run(&s, count, axis, NULL, out);
	subject_close(&s);
}

/* Promises: noises at different seeds, and different noises at one seed, are unrelated; their mean is where an
   author expects it and their contrast does not drift. */
static void statistics_are_sound(void **state)
{
	enum { COUNT = 1000000, OUTPUTS = 8 };
	static const struct { int n; const char *noise; double mean, low, high; } window[] = {
		/* variance: 4 per cent to either side of what was measured; white and CellValue: of an even spread */
		{ 2, "white()", 0.0, 0.3200, 0.3467 }, { 3, "white()", 0.0, 0.3200, 0.3467 },
		{ 2, "value()", 0.0, 0.1765, 0.1913 }, { 3, "value()", 0.0, 0.1311, 0.1421 },
		{ 2, "perlin()", 0.0, 0.0877, 0.0951 }, { 3, "perlin()", 0.0, 0.0510, 0.0552 },
		{ 2, "simplex()", 0.0, 0.1884, 0.2040 }, { 3, "simplex()", 0.0, 0.1419, 0.1537 },
		{ 2, "worley(CellValue)", 0.5, 0.0800, 0.0867 }, { 3, "worley(CellValue)", 0.5, 0.0800, 0.0867 },
	};
	float *axis[4];
	nz_word *out[OUTPUTS];
	double worst = 0.0;
	(void)state;
	random_state = 6;
	for (int a = 0; a < 3; a++)
		axis[a] = floats(COUNT);
	for (int o = 0; o < OUTPUTS; o++)
		out[o] = must(malloc(COUNT * sizeof *out[o]));
	for (size_t i = 0; i < COUNT; i++)
		for (int a = 0; a < 3; a++)
			axis[a][i] = (random_unit() * 2.0f - 1.0f) * 20000.0f;
	for (size_t k = 0; k < sizeof window / sizeof *window; k++) {
		char text[512];
		double sum[2] = { 0, 0 }, square[2] = { 0, 0 }, product = 0;
		snprintf(text, sizeof text, "domain %s\nnode n = %s\noutput a = n\noutput b = reseed(n, 1)\n", type_of_p(window[k].n), window[k].noise);
		sample(text, 0, COUNT, axis, out);
		for (size_t i = 0; i < COUNT; i++) {
			double a = (double)out[0][i].f - window[k].mean, b = (double)out[1][i].f - window[k].mean;
			sum[0] += a;
			sum[1] += b;
			square[0] += a * a;
			square[1] += b * b;
			product += a * b;
		}
		double r = product / sqrt(square[0] * square[1]);
		worst = fmax(worst, fabs(r));
		for (int e = 0; e < 2; e++) {
			double mean = sum[e] / COUNT, variance = square[e] / COUNT - mean * mean;
			printf("%s at %s: mean %.4f, variance %.4f, r %.4f\n", window[k].noise, type_of_p(window[k].n), mean + window[k].mean, variance, r);
			assert_true(fabs(mean) < 0.005);
			assert_true(variance > window[k].low && variance < window[k].high);
		}
		assert_true(fabs(r) <= 0.01);
	}
	for (int n = 2; n <= 3; n++) {
		static const char *const kinds[] = { "white()", "value()", "perlin()", "simplex()", "worley(CellValue) - 0.5" };
		enum { KINDS = 5 };
		char text[512];
		int at = snprintf(text, sizeof text, "domain %s\n", type_of_p(n));
		for (int o = 0; o < KINDS; o++)
			at += snprintf(text + at, sizeof text - (size_t)at, "output v%d = %s\n", o, kinds[o]);
		sample(text, 12345, COUNT, axis, out);
		for (int o = 0; o < KINDS; o++)
			for (int q = 0; q < o; q++) {
				double product = 0, one = 0, two = 0;
				for (size_t i = 0; i < COUNT; i++) {
					double a = (double)out[o][i].f, b = (double)out[q][i].f;
					product += a * b;
					one += a * a;
					two += b * b;
				}
				double r = product / sqrt(one * two);
				worst = fmax(worst, fabs(r));
				if (fabs(r) > 0.01)
					fail_msg("%s and %s at %s: r %.4f", kinds[o], kinds[q], type_of_p(n), r);
			}
	}
	printf("worst correlation of seeds and kinds: %.4f\n", worst);
	free_all(3, axis);
	for (int o = 0; o < OUTPUTS; o++)
		free(out[o]);
}

/* Promises: no octaves give 0, a whole number of octaves is reached without a step, the kinds keep their ranges,
   and one octave of Fbm is the field itself, moved. */
static void octaves_behave(void **state)
{
	enum { COUNT = 20000 };
	static const char text[] = "param n = 3 in 0 .. 16\n"
		"output a = octaves(perlin(), n)\noutput b = octaves(perlin(), n, Ridged)\n"
		"output c = octaves(value(), n, Billow)\noutput d = octaves(value(), n, Turbulence)\n"
		"output e = octaves(perlin(), 0)\noutput f = octaves(perlin(), 3)\n"
		"output g = octaves(perlin(), 1)\noutput h = reseed(perlin(), 0) @ (p + shift(0))\n";
	enum { OUTPUTS = 8 };
	static const float counts[] = { 0.0f, 0.001f, 0.5f, 1.0f, 2.0f, 2.999f, 3.0f, 3.001f, 8.0f, 15.999f, 16.0f, 40.0f, -3.0f };
	enum { COUNTS = sizeof counts / sizeof *counts };
	static nz_word result[COUNTS][4][COUNT];
	float *axis[4];
	nz_word *rest = must(malloc(COUNT * OUTPUTS * sizeof *rest));
	(void)state;
	random_state = 7;
	fill_places(2, COUNT, axis);
	Subject s = subject_open(text);
	for (int k = 0; k < COUNTS; k++) {
		nz_word *out[OUTPUTS];
		for (int o = 0; o < OUTPUTS; o++)
			out[o] = o < 4 ? result[k][o] : rest + (size_t)o * COUNT;
		set_param(&s, "n", counts[k]);
		subject_run(&s, COUNT, axis, NULL, out);
		for (size_t i = 0; i < COUNT; i++) {
			for (int o = 0; o < 4; o++) {
				float v = result[k][o][i].f;
				assert_true(v >= (o == 3 ? 0.0f : -1.0f) && v <= 1.0f);
				if (counts[k] <= 0.0f)
					assert_true(v == 0.0f);
			}
			assert_true(out[4][i].f == 0.0f);
			assert_int_equal(canonical(out[6][i].f), canonical(out[7][i].f));
			if (counts[k] == 3.0f)
				assert_int_equal(canonical(out[5][i].f), canonical(result[k][0][i].f));
		}
	}
	subject_close(&s);
	for (int o = 0; o < 4; o++)
		for (size_t i = 0; i < COUNT; i++) {
			/* the last octave of three weighs 1/7 of the sum, so a thousandth of it less than 0.0006 in a range of 2 */
			assert_true(fabsf(result[5][o][i].f - result[6][o][i].f) < 0.0006f);
			assert_true(fabsf(result[7][o][i].f - result[6][o][i].f) < 0.0006f);
			assert_true(result[10][o][i].f == result[11][o][i].f);
		}
	free_all(2, axis);
	free(rest);
}

/* Promise: perlin is 0 on its lattice, in every dimension. */
static void perlin_is_0_on_the_lattice(void **state)
{
	enum { COUNT = 50000 };
	nz_word *out = must(malloc(COUNT * sizeof *out));
	(void)state;
	random_state = 8;
	for (int n = 1; n <= 4; n++) {
		char text[64];
		float *axis[4];
		fill_places(n, COUNT, axis);
		for (int a = 0; a < n; a++)
			for (size_t i = 0; i < COUNT; i++)
				axis[a][i] = floorf(axis[a][i]);
		snprintf(text, sizeof text, "domain %s\noutput v = perlin()\n", type_of_p(n));
		sample(text, 5, COUNT, axis, (nz_word *[]){ out });
		for (size_t i = 0; i < COUNT; i++)
			assert_true(out[i].f == 0.0f);
		free_all(n, axis);
	}
	free(out);
}

static float on_grid(float x) { return floorf(x * 8192.0f) / 8192.0f; }

/* Promise: gradient and value noises have no seams: over a step of 2^-12 across lattice lines and the faces of
   simplices they change by no more than a smooth field of their steepness can. */
static void noises_have_no_seams(void **state)
{
	enum { COUNT = 100000 };
	static const float step = 1.0f / 4096.0f;
	nz_word *here = must(malloc(COUNT * sizeof *here)), *there = must(malloc(COUNT * sizeof *there));
	(void)state;
	random_state = 9;
	for (int n = 2; n <= 3; n++) {
		static const char *const noise[] = { "simplex()", "perlin()", "value()", "worley()", "worley(F2)" };
		float *axis[4], *moved[4];
		for (int a = 0; a < n; a++) {
			axis[a] = floats(COUNT);
			moved[a] = floats(COUNT);
		}
		for (size_t i = 0; i < COUNT; i++) {
			/* a point on a face: equal skewed fractions or a whole one, built from places on a grid of 2^-13 */
			float x = on_grid((random_unit() * 2.0f - 1.0f) * 64.0f), y = on_grid(random_unit() * 8.0f), z = on_grid(random_unit() * 8.0f);
			uint32_t face = random_bits() % 4;
			if (n == 2)                     /* skewed: (x + y/2, y) */
				x = face == 0 ? floorf(x) + 0.5f * y : face == 1 ? floorf(x) - 0.5f * y : x;
			else                            /* skewed: (y + z, x + z, x + y) */
				x = face == 0 ? floorf(x) + y : face == 1 ? floorf(x) - y : face == 2 ? floorf(x) + z : x;
			if (face == 3)
				y = floorf(y);
			float p[3] = { x, y, z }, d[3];
			for (int a = 0; a < n; a++) {
				d[a] = (float)(random_bits() % 3) - 1.0f;
				axis[a][i] = p[a] - d[a] * step * 0.5f;
				moved[a][i] = p[a] + d[a] * step * 0.5f;
			}
		}
		for (size_t k = 0; k < sizeof noise / sizeof *noise; k++) {
			char text[64];
			float worst = 0.0f;
			snprintf(text, sizeof text, "domain %s\noutput v = %s\n", type_of_p(n), noise[k]);
			sample(text, 3, COUNT, axis, (nz_word *[]){ here });
			sample(text, 3, COUNT, moved, (nz_word *[]){ there });
			for (size_t i = 0; i < COUNT; i++)
				worst = fmaxf(worst, fabsf(here[i].f - there[i].f));
			printf("%s at %s: steepest across faces %.2f per cell\n", noise[k], type_of_p(n), (double)(worst / step));
			assert_true(worst / step < 16.0f);      /* a seam of 1/256 would show */
		}
		free_all(n, axis);
		free_all(n, moved);
	}
	free(here);
	free(there);
}

/* Promises: modes that are called symmetric do not care which field comes first; the smooth minimum is the
   minimum at k = 0 and away from the corner. */
static void combinations_are_symmetric(void **state)
{
	static const char *const modes[] = {
		"Darken", "Difference", "Exclusion", "Lighten", "LinearBurn", "LinearDodge", "Multiply", "Screen", "Max", "Min", "Add"
	};
	enum { MODES = sizeof modes / sizeof *modes, COUNT = 100000 };
	float *input[3], *origin = must(calloc(COUNT, sizeof *origin));
	nz_word *out[4];
	(void)state;
	random_state = 10;
	for (int k = 0; k < 3; k++)
		input[k] = floats(COUNT);
	for (size_t i = 0; i < COUNT; i++)
		for (int k = 0; k < 3; k++)
			input[k][i] = random_bits() % 8 == 0 ? special[random_bits() % 17] : random_unit() * 4.0f - 2.0f;
	for (int o = 0; o < 4; o++)
		out[o] = must(malloc(COUNT * sizeof *out[o]));
	for (int k = 0; k < MODES; k++) {
		char text[256];
		snprintf(text, sizeof text, "domain float\ninput x\ninput y\noutput a = blend(x, y, %s)\noutput b = blend(y, x, %s)\n", modes[k], modes[k]);
		Subject s = subject_open(text);
		subject_run(&s, COUNT, (float *[]){ origin }, input, out);
		for (size_t i = 0; i < COUNT; i++) {
			/* 2 b a and (1 - b)(1 - a) round as 2 a b and (1 - a)(1 - b) do */
			if (canonical(out[0][i].f) != canonical(out[1][i].f))
				fail_msg("%s of %g and %g is not symmetric: %.9g and %.9g", modes[k], (double)input[0][i], (double)input[1][i],
					(double)out[0][i].f, (double)out[1][i].f);
		}
		subject_close(&s);
	}
	Subject s = subject_open("domain float\ninput x\ninput y\ninput z\n"
		"output a = smoothMin(x, y, abs(z))\noutput b = smoothMin(y, x, abs(z))\noutput c = smoothMin(x, y, 0)\noutput d = smoothMax(x, y, abs(z))\n");
	subject_run(&s, COUNT, (float *[]){ origin }, input, out);
	for (size_t i = 0; i < COUNT; i++) {
		float x = input[0][i], y = input[1][i], k = fabsf(input[2][i]), least = fminf(x, y), most = fmaxf(x, y);
		assert_int_equal(canonical(out[0][i].f), canonical(out[1][i].f));
		assert_true(out[2][i].f == least);
		assert_true(out[0][i].f <= least && out[0][i].f >= least - 0.25f * k - 1e-6f);
		assert_true(out[3][i].f >= most && out[3][i].f <= most + 0.25f * k + 1e-6f);
		if (fabsf(x - y) >= k)
			assert_true(out[0][i].f == least && out[3][i].f == most);
	}
	subject_close(&s);
	free_all(3, input);
	free(origin);
	for (int o = 0; o < 4; o++)
		free(out[o]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hashes_are_their_definitions),
		cmocka_unit_test(lattice_noises_are_their_definitions),
		cmocka_unit_test(worley_is_its_definition),
		cmocka_unit_test(worley_is_exact_at_its_farthest),
		cmocka_unit_test(worley_is_exact_in_the_middle),
		cmocka_unit_test(math_is_its_definition),
		cmocka_unit_test(no_function_of_math_is_left_out),
		cmocka_unit_test(exact_operators_are_the_hardware),
		cmocka_unit_test(nothing_gets_out_that_is_not_finite),
		cmocka_unit_test(statistics_are_sound),
		cmocka_unit_test(octaves_behave),
		cmocka_unit_test(perlin_is_0_on_the_lattice),
		cmocka_unit_test(noises_have_no_seams),
		cmocka_unit_test(combinations_are_symmetric),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
