/* Promise: no result leaves the bounds that the compiler proves for it, which `range`, `unit`, `noisec nodes` and the
   printed shaders rely on. Every function of the library, in every dimension, with every enumerator, is sampled at
   random positions, seeds and arguments, the arguments within -1 .. 1 and without bounds; then the largest and the
   smallest samples are climbed from. NOISE_SAMPLES: how many samples each function gets, 1000000 unless it is set.
   `test_ranges table` prints how close to the bounds they came. */
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "walk.h"
#include "noisert.h"

enum { BATCH = 1024, STEPS = 64, TRIES = 64, BEST = 2, LEAST = 4 * BATCH };

typedef struct Sample {
	uint64_t seed;
	nz_word param[MAX_ARGS][4], input[MAX_ARGS][4];
	float position[4];
	double value;
	bool there;
} Sample;

typedef struct Row {                            /* of the table */
	const char *text;
	int dimension;
	const char *given;                      /* how the arguments are */
	double low, high, least, most;          /* proved, found */
	nz_kind kind;
} Row;

typedef struct Sampler {
	const nz_program_info *info;
	nz_evaluator *evaluator;
	uint64_t random;
	float axis[4][BATCH];
	nz_word input[MAX_ARGS][4][BATCH], result[4][BATCH];
	Sample now;                             /* the seed and the params in force */
	Sample most[BEST], least[BEST];
} Sampler;

typedef struct Search {
	Walk walk;
	size_t wanted, samples, outside, unsampled, functions;
	Row *row;
	size_t rows, capacity;
} Search;

/* ---- random values ---- */

static uint32_t draw(Sampler *s)                /* a step of a 64-bit congruence, its upper half stirred */
{
	s->random = s->random * 6364136223846793005u + 1442695040888963407u;
	uint32_t x = (uint32_t)(s->random >> 32);
	x ^= x >> 16;
	x *= 0x7feb352du;
	return x ^ x >> 15;
}

static float draw_unit(Sampler *s) { return (float)(draw(s) >> 8) * 0x1p-24f; }

static float draw_between(Sampler *s, float low, float high) { return low + (high - low) * draw_unit(s); }

/* Some are special numbers, some huge or tiny, most near 0. Denormals are left out: nothing is promised for them. */
static float draw_number(Sampler *s)
{
	static const float special[] = { 0.0f, 1.0f, -1.0f, 0.5f, -0.5f, 2.0f, -2.0f, 0.25f, 3.0f, 0.99999994f, 1.0000001f, FLT_MAX, -FLT_MAX, FLT_MIN,
		-FLT_MIN, 8388608.0f, 1073741824.0f, -1073741824.0f, 1.5707964f, 3.1415927f };
	switch (draw(s) % 8) {
	case 0:
		return special[draw(s) % (sizeof special / sizeof *special)];
	case 1:
		return ldexpf(draw_between(s, 1.0f, 2.0f), (int)(draw(s) % 253) - 126) * (draw(s) & 1 ? 1.0f : -1.0f);
	case 2:
		return floorf(draw_between(s, -32.0f, 32.0f)) * 0.5f;
	case 3:
		return draw_between(s, -1000.0f, 1000.0f);
	case 4:
		return draw_between(s, -10.0f, 10.0f);
	default:
		return draw_between(s, -1.5f, 1.5f);
	}
}

static nz_word draw_word(Sampler *s, nz_kind kind, bool ranged, nz_word low, nz_word high)
{
	nz_word w = { .u = 0 };
	uint32_t how = draw(s);
	switch (kind) {
	case NZ_FLOAT:
		w.f = !ranged ? draw_number(s) : how % 16 == 0 ? low.f : how % 16 == 1 ? high.f : draw_between(s, low.f, high.f);
		break;
	case NZ_INT:
		w.i = ranged ? low.i + (int32_t)(draw(s) % ((uint32_t)high.i - (uint32_t)low.i + 1)) : how % 2 ? (int32_t)draw(s) : (int32_t)(draw(s) % 33) - 16;
		break;
	case NZ_UINT:
		w.u = how % 2 ? draw(s) : draw(s) % 16;
		break;
	default:
		w.u = how & 1;
		break;
	}
	return w;
}

static float draw_coordinate(Sampler *s)
{
	static const float reach[] = { 1.0f, 10.0f, 1000.0f, 1e5f, 1e9f };
	float x = draw_between(s, -1.0f, 1.0f) * reach[draw(s) % 64 ? draw(s) % 4 : 4];
	return draw(s) % 16 ? x : floorf(x * 2.0f) * 0.5f;
}

/* ---- evaluation ---- */

static double value_of(nz_word word, nz_kind kind)
{
	return kind == NZ_FLOAT ? (double)word.f : kind == NZ_INT ? (double)(float)word.i : (double)(float)word.u;
}

static void use_sample(Sampler *s, const Sample *x)
{
	if (s->now.there && s->now.seed == x->seed && !memcmp(s->now.param, x->param, sizeof x->param))
		return;
	s->now = *x;
	s->now.there = true;
	nz_set_seed(s->evaluator, x->seed);
	for (uint32_t i = 0; i < s->info->param_count; i++)
		assert_int_equal(nz_set_param(s->evaluator, i, x->param[i]), NZ_OK);
}

static void put(Sampler *s, size_t at, const Sample *x)
{
	for (int a = 0; a < 4; a++)
		s->axis[a][at] = x->position[a];
	for (uint32_t i = 0; i < s->info->input_count; i++)
		for (int k = 0; k < 4; k++)
			s->input[i][k][at] = x->input[i][k];
}

static void evaluate(Sampler *s, size_t count)
{
	const float *axis[4] = { s->axis[0], s->axis[1], s->axis[2], s->axis[3] };
	nz_input_data inputs[MAX_ARGS] = { { { NULL } } };
	nz_output_data output = { { s->result[0], s->result[1], s->result[2], s->result[3] } };
	for (uint32_t i = 0; i < s->info->input_count; i++)
		for (uint32_t k = 0; k < s->info->inputs[i].type.width; k++)
			inputs[i].array[k] = s->input[i][k];
	assert_int_equal(nz_evaluate_points(s->evaluator, count, axis, inputs, &output), NZ_OK);
}

/* Which component of which sample is the largest (sign 1) or smallest (-1), and is one outside? */
static size_t find_best(const Sampler *s, size_t count, double sign, double *value)
{
	const nz_type *t = &s->info->outputs[0].type;
	size_t best = 0;
	*value = -INFINITY;
	for (uint32_t k = 0; k < t->width; k++)
		for (size_t i = 0; i < count; i++) {
			double x = sign * value_of(s->result[k][i], t->kind);
			if (x > *value) {
				*value = x;
				best = i;
			}
		}
	*value *= sign;
	return best;
}

static Sample sample_at(const Sampler *s, size_t at, double value)
{
	Sample x = s->now;
	for (int a = 0; a < 4; a++)
		x.position[a] = s->axis[a][at];
	for (uint32_t i = 0; i < s->info->input_count; i++)
		for (int k = 0; k < 4; k++)
			x.input[i][k] = s->input[i][k][at];
	x.value = value;
	return x;
}

static void keep(Sample best[BEST], Sample x, double sign)
{
	for (int i = 0; i < BEST; i++)
		if (!best[i].there || sign * x.value > sign * best[i].value) {
			memmove(best + i + 1, best + i, (size_t)(BEST - 1 - i) * sizeof *best);
			best[i] = x;
			return;
		}
}

/* ---- the search ---- */

static void sample_randomly(Sampler *s)
{
	Sample x = { .seed = draw(s), .there = true };
	for (uint32_t i = 0; i < s->info->param_count; i++) {
		const nz_param *p = &s->info->params[i];
		for (uint32_t k = 0; k < p->type.width; k++)
			x.param[i][k] = draw_word(s, p->type.kind, p->ranged, p->low[k], p->high[k]);
	}
	use_sample(s, &x);
	for (size_t at = 0; at < BATCH; at++) {
		for (int a = 0; a < 4; a++)
			x.position[a] = draw_coordinate(s);
		for (uint32_t i = 0; i < s->info->input_count; i++) {
			const nz_input *in = &s->info->inputs[i];
			for (uint32_t k = 0; k < in->type.width; k++)
				x.input[i][k] = draw_word(s, in->type.kind, in->ranged, in->low[k], in->high[k]);
		}
		put(s, at, &x);
	}
	evaluate(s, BATCH);
	for (int sign = -1; sign <= 1; sign += 2) {
		double value;
		size_t at = find_best(s, BATCH, sign, &value);
		keep(sign > 0 ? s->most : s->least, sample_at(s, at, value), sign);
	}
}

/* A sample near x: some coordinates and arguments moved by up to `step`; or at the same place of other cells; or
   with one argument anew. */
static Sample vary(Sampler *s, const Sample *x, float step)
{
	Sample y = *x;
	uint32_t how = draw(s) % 8;
	for (int a = 0; a < 4; a++)
		if (draw(s) & 1)
			y.position[a] += how == 0 ? floorf(draw_between(s, -500.0f, 500.0f)) : draw_between(s, -step, step);
	for (uint32_t i = 0; i < s->info->input_count; i++) {
		const nz_input *in = &s->info->inputs[i];
		bool anew = how == 1 && draw(s) % s->info->input_count == 0;
		for (uint32_t k = 0; k < in->type.width; k++) {
			nz_word *w = &y.input[i][k];
			if (anew || (in->type.kind != NZ_FLOAT && draw(s) % 4 == 0))
				*w = draw_word(s, in->type.kind, in->ranged, in->low[k], in->high[k]);
			else if (in->type.kind == NZ_FLOAT && draw(s) & 1)
				w->f += draw_between(s, -step, step) * (fabsf(w->f) > 1.0f ? fabsf(w->f) : 1.0f);
			if (in->type.kind == NZ_FLOAT && !(fabsf(w->f) <= FLT_MAX))
				w->f = draw_number(s);
			if (in->type.kind == NZ_FLOAT && fabsf(w->f) < FLT_MIN)
				w->f = 0.0f;
		}
	}
	return y;
}

/* The same place in many other cells: what is hashed differs in nothing else. */
static size_t try_cells(Sampler *s, const Sample *base)
{
	for (size_t i = 0; i < BATCH; i++) {
		Sample y = *base;
		for (int a = 0; a < 4; a++)
			y.position[a] = y.position[a] - floorf(y.position[a]) + floorf(draw_between(s, -4096.0f, 4096.0f));
		put(s, i, &y);
	}
	return BATCH;
}

static size_t try_near(Sampler *s, const Sample *base, float step)
{
	for (size_t i = 0; i < TRIES; i++) {
		Sample y = vary(s, base, step);
		put(s, i, &y);
	}
	return TRIES;
}

/* Params and seed change with the whole block, so every few steps a block tries others of them. */
static size_t climb(Sampler *s, Sample *best, double sign, bool hashed)
{
	float step = 0.5f;
	size_t samples = 0;
	for (int round = 0; round < STEPS; round++) {
		Sample base = *best;
		bool elsewhere = hashed && round % 4 == 1;
		if (elsewhere || round % 8 == 7) {
			base.seed = draw(s);
			for (uint32_t i = 0; i < s->info->param_count; i++) {
				const nz_param *p = &s->info->params[i];
				for (uint32_t k = 0; k < p->type.width; k++)
					if (draw(s) & 1)
						base.param[i][k] = draw_word(s, p->type.kind, p->ranged, p->low[k], p->high[k]);
			}
		}
		use_sample(s, &base);
		size_t count = elsewhere ? try_cells(s, &base) : try_near(s, &base, step);
		evaluate(s, count);
		samples += count;
		double value;
		size_t at = find_best(s, count, sign, &value);
		if (sign * value > sign * best->value)
			*best = sample_at(s, at, value);
		else if (!elsewhere && round % 8 != 7)
			step *= 0.7f;
		if (elsewhere)
			step = 0.25f;                   /* other random numbers: climb anew */
	}
	return samples;
}

static bool is_inside(const Sampler *s, double x) { return x >= (double)s->info->outputs[0].low && x <= (double)s->info->outputs[0].high; }

static void tell_sample(const Sampler *s, const char *call, const char *program, const Sample *x)
{
	fprintf(stderr, "%s is %.9g, outside of %.9g .. %.9g, at", call, x->value, (double)s->info->outputs[0].low, (double)s->info->outputs[0].high);
	for (uint32_t a = 0; a < s->info->domain; a++)
		fprintf(stderr, " %.9g", (double)x->position[a]);
	fprintf(stderr, ", seed %llu", (unsigned long long)x->seed);
	for (uint32_t i = 0; i < s->info->input_count; i++)
		for (uint32_t k = 0; k < s->info->inputs[i].type.width; k++)
			fprintf(stderr, ", %s.%u = %.9g (%08x)", s->info->inputs[i].name, (unsigned)k, value_of(x->input[i][k], s->info->inputs[i].type.kind), (unsigned)x->input[i][k].u);
	for (uint32_t i = 0; i < s->info->param_count; i++)
		for (uint32_t k = 0; k < s->info->params[i].type.width; k++)
			fprintf(stderr, ", %s.%u = %.9g", s->info->params[i].name, (unsigned)k, value_of(x->param[i][k], s->info->params[i].type.kind));
	fprintf(stderr, "\nin this program:\n%s\n", program);
}

/* Samples one call; its bounds and what was found are a row. */
static void search_call(Search *search, const Call *call, const char *given, size_t wanted, bool hashed)
{
	static Sampler s;
	const char *text = walk_program(search->walk.lib.arena, call, 1), *data, *why;
	nz_emit_options options = { .target = "program" };
	nz_module *m = NULL;
	nz_program *program = NULL;
	size_t size;
	assert_int_equal(nz_compile_module("ranges", text, strlen(text), NULL, &m), NZ_OK);
	assert_int_equal(nz_emit_target(m, &options, &data, &size), NZ_OK);
	assert_int_equal(nz_load_program(data, size, NULL, &program, &why), NZ_OK);
	memset(&s, 0, sizeof s);
	s.info = nz_describe_program(program);
	s.random = 77 + search->rows;
	assert_true(s.info->input_count <= MAX_ARGS && s.info->param_count <= MAX_ARGS);
	size = nz_measure_evaluator(program, 128);
	void *memory = malloc(size);
	assert_non_null(memory);
	assert_int_equal(nz_place_evaluator(program, 128, memory, size, &s.evaluator), NZ_OK);
	for (size_t done = 0; done < wanted; done += BATCH, search->samples += BATCH)
		sample_randomly(&s);
	for (int i = 0; i < BEST; i++) {
		search->samples += climb(&s, &s.most[i], 1.0, hashed);
		search->samples += climb(&s, &s.least[i], -1.0, hashed);
	}
	const Sample *most = s.most[0].value >= s.most[1].value ? &s.most[0] : &s.most[1];
	const Sample *least = s.least[0].value <= s.least[1].value ? &s.least[0] : &s.least[1];
	const Sample *wrong = !is_inside(&s, most->value) ? most : !is_inside(&s, least->value) ? least : NULL;
	if (wrong) {
		tell_sample(&s, call->text, text, wrong);
		search->outside++;
	}
	double low, high;
	if (number_of(call->fn->low, &low) && number_of(call->fn->high, &high) && ((double)s.info->outputs[0].low < low || (double)s.info->outputs[0].high > high)) {
		fprintf(stderr, "%s: stated %g .. %g, proved in %.9g .. %.9g only\n", call->text, low, high, (double)s.info->outputs[0].low, (double)s.info->outputs[0].high);
		search->outside++;
	}
	if (search->rows == search->capacity) {
		search->capacity = search->capacity ? 2 * search->capacity : 256;
		search->row = realloc(search->row, search->capacity * sizeof *search->row);
		assert_non_null(search->row);
	}
	search->row[search->rows++] = (Row){ call->text, call->dimension, given, (double)s.info->outputs[0].low, (double)s.info->outputs[0].high,
		least->value, most->value, s.info->outputs[0].type.kind };
	free(memory);
	nz_free_program(program);
	nz_free_module(m);
}

/* The first shapes of the open arguments with which the call compiles, from shape number `from` on, in the order: as
   inputs, those by which the function decides as params, all as params, as the walk's fields. Their number, or -1. */
static int find_call(Search *search, const Decl *fn, int dimension, const Signature *g, Way *way, int from, Call *call)
{
	Walk *w = &search->walk;
	for (int n = from; n < (g->opens ? SHAPES : 1); n++)
		for (int mixed = 0; mixed < (g->opens > 1 ? 3 : 1); mixed++) {
			for (int i = 0; i < g->opens; i++)
				way->shape[g->open[i]] = i && mixed ? (Shape){ mixed == 1 ? 'f' : 'b', 1 } : walk_shape(n, dimension);
			static const struct { Mode mode; Params params; } given[] = { { MODE_INPUT, PARAMS_NONE }, { MODE_INPUT, PARAMS_DECIDING }, { MODE_INPUT, PARAMS_ALL },
				{ MODE_FIELD, PARAMS_NONE }, { MODE_DEFAULT, PARAMS_NONE } };
			for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
				way->mode = given[i].mode;
				way->params = given[i].params;
				*call = walk_call(w, fn, dimension, way);
				if (walk_compiles(w, call))
					return n;
			}
		}
	return -1;
}

typedef struct Planned { Call call; const char *given; } Planned;
enum { MOST_CALLS = 512 };

static bool is_noise(const Walk *w, const Decl *fn)
{
	for (int i = 0; i < w->noises; i++)
		if (w->noise[i]->name == fn->name)
			return true;
	return false;
}

static void search_function(Search *search, const Decl *fn, int dimension, int dimensions)
{
	static Planned plan[MOST_CALLS];
	size_t count = 0;
	Way way = { .mode = MODE_INPUT };
	Signature g = walk_signature(&search->walk, fn, dimension, &way);
	bool hashed = is_noise(&search->walk, fn);
	do {
		size_t before = count;
		for (int narrow = 1; narrow >= hashed; narrow--) {
			way.narrow = narrow;
			/* a number and, in 2-D, a vector */
			for (int n = 0, more = 0; n >= 0 && more < (dimension == 2 && g.opens ? 2 : 1); n++, more++) {
				Call call;
				n = find_call(search, fn, dimension, &g, &way, n, &call);
				if (n < 0)
					break;
				bool again = false;
				for (size_t i = before; i < count; i++)
					again = again || (!*call.given && !strcmp(plan[i].call.text, call.text));
				assert_true(count < MOST_CALLS);
				if (!again)
					plan[count++] = (Planned){ call, way.mode != MODE_INPUT ? "noise" : narrow ? "narrow" : "wide" };
			}
		}
		if (count == before) {
			fprintf(stderr, "%s is not sampled where p is %s\n", fn->name, type_of_p(dimension));
			search->unsampled++;
		}
	} while (walk_next_enumerators(&g, &way));
	/* the extremes of hashed numbers are rare: each way to call a noise gets a fifth of what another function gets in all */
	size_t each = hashed ? search->wanted / 5 : count ? search->wanted / (size_t)dimensions / count : 0;
	for (size_t i = 0; i < count; i++)
		search_call(search, &plan[i].call, plan[i].given, each > LEAST ? each : LEAST, hashed);
}

/* ---- the table ---- */

static double tightness(const Row *r)
{
	if (r->kind != NZ_FLOAT || r->low <= -(double)FLT_MAX || r->high >= (double)FLT_MAX)
		return 2.0;                     /* without bounds, or not a float: last */
	return r->high > r->low ? (r->most - r->least) / (r->high - r->low) : 1.0;
}

static int by_tightness(const void *a, const void *b)
{
	double x = tightness(a), y = tightness(b);
	return (x > y) - (x < y);
}

static bool table;                              /* print all of it */

static void print_rows(Search *search)
{
	size_t bounded = 0, shown = 0;
	qsort(search->row, search->rows, sizeof *search->row, by_tightness);
	for (size_t i = 0; i < search->rows; i++)
		bounded += tightness(&search->row[i]) <= 1.0;
	printf("ranges: %zu of %zu ways to call have two bounds; the loosest:\n", bounded, search->rows);
	for (size_t i = 0; i < bounded && shown < (table ? bounded : 5); i++, shown++) {
		const Row *r = &search->row[i];
		printf("  %5.1f %%  %d-D %-6s %.9g .. %.9g, found %.9g .. %.9g  %s\n", 100.0 * tightness(r), r->dimension, r->given, r->low, r->high,
			r->least, r->most, r->text);
	}
}

static void no_result_leaves_its_bounds(void **state)
{
	static Search search;
	const char *wanted = getenv("NOISE_SAMPLES");
	(void)state;
	walk_open(&search.walk);
	search.wanted = wanted ? (size_t)strtoull(wanted, NULL, 10) : 1000000;
	assert_true(search.wanted > 0);
	for (const Decl *d = search.walk.lib.scope.first; d; d = d->next_in_scope) {
		int dimensions = 0;
		if (d->kind != DECL_FN || !first_of_its_name(&search.walk.lib, d))
			continue;
		for (int i = 1; i <= 4; i++)
			dimensions += overload_at(d, i) != NULL;
		search.functions++;
		for (int i = 1; i <= 4; i++) {
			const Decl *fn = overload_at(d, i);
			if (fn && !walk_is_limited(fn))
				search_function(&search, fn, i, dimensions);
		}
	}
	printf("ranges: %zu functions, %zu ways to call them, %.1f million samples; %zu outside of their bounds\n", search.functions, search.rows,
		(double)search.samples * 1e-6, search.outside);
	print_rows(&search);
	assert_int_equal(search.outside, 0);
	assert_int_equal(search.unsampled, 0);
	free(search.row);
	walk_close(&search.walk);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(no_result_leaves_its_bounds) };
	table = argc > 1 && !strcmp(argv[1], "table");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
