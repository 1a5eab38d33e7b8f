/* The library as a walk. What is tested is read from library/ itself: every function, in every dimension of p
   that it is defined for, with every enumerator of its enums, on fields of several types, with its other
   arguments left out, known, given as params and varying. Nothing here names a function of the library. */
#include <stdarg.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "cc.h"
#include "diff.h"
#include "library_source.h"
#include "noisert.h"

enum {
	POINTS = 1024, FEW_POINTS = 256,        /* compared per program and way; few where samples are dear */
	DEAR = 20000,                           /* operations of one sample */
	RANGE_POINTS = 4096,                    /* per program, for the ranges */
	OUTPUTS = 12,                           /* of one program: a shader has 16 buffers */
	MAX_ARGS = 8, MAX_NOISES = 16, MAX_CHOICES = 32
};

/* How the arguments that are not enums are given. */
typedef enum Mode {
	MODE_FIELD,                             /* all are fields of noise */
	MODE_POSITION,                          /* all are coordinates: whole numbers, halves, their neighbours, far places */
	MODE_DEFAULT,                           /* those with a default are left out */
	MODE_KNOWN,                             /* all but the first required one are literals */
	MODE_PARAM,                             /* all but the first required one are params */
	MODES
} Mode;

typedef struct Shape { char base; int width; } Shape;   /* 'f' 'i' 'u' 'b'; base 0: none */

typedef struct Call {
	const Decl *fn;
	int dimension;
	const char *params, *text;              /* declarations of its params; the call itself */
} Call;

typedef struct Walk {
	Library lib;
	const Decl *noise[MAX_NOISES];          /* what can be called without arguments and depends on p */
	int noises;
	Diff diff;
	Call *call;
	size_t calls, capacity;
	size_t failures;
	size_t limited;                         /* functions that are compiled, not compared: see is_limited */
	unsigned number;                        /* names of params */
} Walk;

/* "float", "ivec3", "vecP"; base 0 for what is not a type of numbers or bools */
static Shape shape_of(const char *type, int dimension)
{
	static const struct { const char *prefix; char base; } vectors[] = { { "vec", 'f' }, { "ivec", 'i' }, { "uvec", 'u' }, { "bvec", 'b' } };
	static const struct { const char *name; char base; } scalars[] = { { "float", 'f' }, { "int", 'i' }, { "uint", 'u' }, { "bool", 'b' } };
	for (size_t i = 0; i < 4; i++) {
		size_t n = strlen(vectors[i].prefix);
		if (!strcmp(type, scalars[i].name))
			return (Shape){ scalars[i].base, 1 };
		if (!strncmp(type, vectors[i].prefix, n) && type[n] && !type[n + 1])
			return (Shape){ vectors[i].base, type[n] == 'P' ? dimension : type[n] - '0' };
	}
	return (Shape){ 0, 0 };
}

/* What is known of an argument's type: written, or told by its default. */
static Shape shape_of_argument(const Decl *a, int dimension)
{
	double ignored;
	if (a->type.name)
		return shape_of(a->type.name, dimension);
	if (a->value && number_of(a->value, &ignored))
		return (Shape){ 'f', 1 };
	if (a->value && a->value->kind == EXPR_CALL && a->value->u.call.name)
		return shape_of(a->value->u.call.name, dimension);
	return (Shape){ 0, 0 };
}

/* ---- arguments as text ---- */

static const char *type_text(Arena *arena, Shape s)
{
	const char *scalar = s.base == 'f' ? "float" : s.base == 'i' ? "int" : s.base == 'u' ? "uint" : "bool";
	const char *prefix = s.base == 'f' ? "" : s.base == 'i' ? "i" : s.base == 'u' ? "u" : "b";
	return s.width == 1 ? scalar : text_print(arena, "%svec%d", prefix, s.width);
}

static const char *coordinate(int dimension, int k)
{
	static const char *const name[] = { "p.x", "p.y", "p.z", "p.w" };
	return dimension == 1 ? "p" : name[k % dimension];
}

/* One component, the k-th of the call: 1-D noise, which is cheap in every dimension. No field has denormal values, for
   which no bits are promised: noise is moved off 0, coordinates are rounded to multiples of 2^-17. */
static void put_component(Text *t, char base, Mode mode, int dimension, int k, const Decl *a)
{
	char number[32];
	double low = 0.0, high = 1.0;
	bool varies = mode == MODE_FIELD || mode == MODE_POSITION;
	bool ranged = number_of(a->low, &low) && number_of(a->high, &high);
	const char *noise = text_print(t->arena, "perlin(seed: %d)%s%s", k + 1, dimension == 1 ? "" : " @ ", dimension == 1 ? "" : coordinate(dimension, k));
	switch (base) {
	case 'f':
		if (mode == MODE_POSITION) {
			text_format(t, "(clamp(%s, -100, 100) + 64) - 64", coordinate(dimension, k));
		} else if (varies) {
			text_format(t, "%s * 2.0 + 0.3", noise);
		} else {
			snprintf(number, sizeof number, "%.4f", ranged ? low + (high - low) * 0.37 : 0.7 + 0.4 * k);
			text_add(t, number);
		}
		break;
	case 'i':
		if (varies)
			text_format(t, "int(%s * 40.0)", noise);
		else
			text_format(t, "%d", k + 2);
		break;
	case 'u':
		if (varies)
			text_format(t, "hash(int(%s), %d)", coordinate(dimension, k), k + 1);
		else
			text_format(t, "%du", k + 3);
		break;
	default:
		if (varies)
			text_format(t, "(%s > 0.1)", noise);
		else
			text_add(t, k % 2 ? "false" : "true");
		break;
	}
}

static void put_value(Text *t, Shape s, Mode mode, int dimension, int k, const Decl *a)
{
	if (s.width > 1)
		text_format(t, "%s(", type_text(t->arena, s));
	for (int i = 0; i < s.width; i++) {
		if (i)
			text_add(t, ", ");
		put_component(t, s.base, mode, dimension, k + i, a);
	}
	if (s.width > 1)
		text_add(t, ")");
}

static const char *put_param(Walk *w, Text *params, Shape s, int dimension, int k, const Decl *a)
{
	const char *name = text_print(w->lib.arena, "q%u", w->number++);
	double low, high;
	text_format(params, "param %s: %s = ", name, type_text(w->lib.arena, s));
	put_value(params, s, MODE_KNOWN, dimension, k, a);
	if (s.base == 'f') {
		char range[80] = " in -2.0 .. 3.0";
		if (number_of(a->low, &low) && number_of(a->high, &high))
			snprintf(range, sizeof range, " in %.4f .. %.4f", low, high);
		text_add(params, range);
	} else if (s.base == 'i') {
		text_add(params, " in -3 .. 12");
	}
	text_add(params, "\n");
	return name;
}

/* A field for an argument that the function samples elsewhere: one of the library's noises, or several as a vector. */
static void put_noise(Text *t, const Decl *noise, Shape s)
{
	if (s.width == 1) {
		text_format(t, "%s()", noise->name);
		return;
	}
	text_format(t, "%s(", type_text(t->arena, s));
	for (int i = 0; i < s.width; i++)
		text_format(t, "%s%s(seed: %d)", i ? ", " : "", noise->name, i + 1);
	text_add(t, ")");
}

/* One way to call a function: a shape for each argument, an enumerator for each enum. */
typedef struct Way {
	Mode mode;
	Shape shape[MAX_ARGS];                  /* base 0: an enum */
	const char *enumerator[MAX_ARGS];       /* NULL: not an enum */
	bool enum_params;                       /* enums are params that start at their enumerator */
	const Decl *noise;                      /* for arguments by name, or NULL */
} Way;

static Call make_call(Walk *w, const Decl *fn, int dimension, const Way *way)
{
	Arena *arena = w->lib.arena;
	Text t = { .arena = arena }, params = { .arena = arena };
	bool first = true, field_given = false;
	int k = 0, written = 0;
	text_format(&t, "%s(", fn->name);
	for (const Decl *a = fn->args; a; a = a->next, k++) {
		Shape s = way->shape[k];
		if (way->mode == MODE_DEFAULT && a->value && !way->enumerator[k]) {
			first = false;
			continue;
		}
		text_add(&t, written++ ? ", " : "");
		if (!first)
			text_format(&t, "%s: ", a->name);
		if (way->enumerator[k] && way->enum_params) {
			const char *name = text_print(arena, "q%u", w->number++);
			text_format(&params, "param %s: %s = %s\n", name, a->type.name, way->enumerator[k]);
			text_add(&t, name);
		} else if (way->enumerator[k]) {
			text_add(&t, way->enumerator[k]);
		} else if (a->by_name && way->noise && !a->type.name) {
			put_noise(&t, way->noise, s);
			field_given = true;
		} else if ((way->mode == MODE_KNOWN || way->mode == MODE_PARAM) && (field_given || a->value)) {
			if (way->mode == MODE_KNOWN)
				put_value(&t, s, MODE_KNOWN, dimension, k, a);
			else
				text_add(&t, put_param(w, &params, s, dimension, k, a));
		} else {
			put_value(&t, s, way->mode == MODE_POSITION ? MODE_POSITION : MODE_FIELD, dimension, k, a);
			field_given = true;
		}
	}
	text_add(&t, ")");
	return (Call){ fn, dimension, params.data ? params.data : "", t.data };
}

static const char *program_text(Arena *arena, const Call *calls, size_t count)
{
	Text t = { .arena = arena };
	text_format(&t, "domain %s\n", type_of_p(calls[0].dimension));
	for (size_t i = 0; i < count; i++)
		text_add(&t, calls[i].params);
	for (size_t i = 0; i < count; i++)
		text_format(&t, "output %s_%u = %s\n", calls[i].fn->name, (unsigned)i, calls[i].text);
	return t.data;
}

static bool compiles(Walk *w, const Call *call)
{
	const char *text = program_text(w->lib.arena, call, 1);
	nz_module *m = NULL;
	nz_compile_module("call", text, strlen(text), NULL, &m);
	bool fine = nz_count_errors(m) == 0;
	nz_free_module(m);
	return fine;
}

/* Adds the call to the walk if it compiles; one that is there already counts. */
static bool try_way(Walk *w, const Decl *fn, int dimension, const Way *way)
{
	Call call = make_call(w, fn, dimension, way);
	for (size_t i = w->calls; i-- > 0 && w->call[i].fn == fn && w->call[i].dimension == dimension;)
		if (!*call.params && !strcmp(w->call[i].text, call.text))
			return true;
	if (!compiles(w, &call))
		return false;
	if (w->calls == w->capacity) {
		w->capacity = w->capacity ? 2 * w->capacity : 256;
		w->call = realloc(w->call, w->capacity * sizeof *w->call);
		assert_non_null(w->call);
	}
	w->call[w->calls++] = call;
	return true;
}

/* Some helpers are right for some arguments only, which their callers keep to. Their doc comment says so with
   "Only for", and they are compared through those callers. */
static bool is_limited(const Decl *fn) { return fn->doc && strstr(fn->doc, "Only for "); }

/* ---- the ways to call one function ---- */

enum { SHAPES = 8 };

static Shape shape_number(int n, int dimension)
{
	static const char base[SHAPES] = { 'f', 'f', 'i', 'i', 'u', 'u', 'b', 'b' };
	int wide = dimension == 1 ? 2 : dimension;
	return (Shape){ base[n], n % 2 ? wide : 1 };
}

typedef struct Signature {
	int args, open[MAX_ARGS], opens;        /* arguments whose type nothing tells */
	int enums[MAX_ARGS], enum_count;
	const Decl *enumeration[MAX_ARGS];
	bool by_name;                           /* an open argument is sampled elsewhere */
} Signature;

static Signature read_signature(const Walk *w, const Decl *fn, int dimension, Way *way)
{
	Signature s = { 0 };
	for (const Decl *a = fn->args; a; a = a->next, s.args++) {
		assert_true(s.args < MAX_ARGS);
		const Decl *e = enum_named(&w->lib, a->type.name);
		way->shape[s.args] = e ? (Shape){ 0, 0 } : shape_of_argument(a, dimension);
		if (e) {
			s.enumeration[s.enum_count] = e;
			s.enums[s.enum_count++] = s.args;
			way->enumerator[s.args] = e->enumerators->name;
		} else if (!way->shape[s.args].base) {
			s.open[s.opens++] = s.args;
			s.by_name = s.by_name || a->by_name;
		}
	}
	return s;
}

static void set_shapes(Way *way, const Signature *s, int n, int dimension)
{
	for (int i = 0; i < s->opens; i++)
		way->shape[s->open[i]] = shape_number(n, dimension);
}

/* The next combination of enumerators; false after the last. */
static bool next_enumerators(const Signature *s, Way *way)
{
	for (int i = 0; i < s->enum_count; i++) {
		const Enumerator *e = s->enumeration[i]->enumerators;
		while (e->name != way->enumerator[s->enums[i]])
			e = e->next;
		if (e->next) {
			way->enumerator[s->enums[i]] = e->next->name;
			return true;
		}
		way->enumerator[s->enums[i]] = s->enumeration[i]->enumerators->name;
	}
	return false;
}

/* Shapes that differ among the open arguments: the first that compiles. */
static bool find_mixed_shapes(Walk *w, const Decl *fn, int dimension, const Signature *s, Way *way)
{
	int combinations = 1;
	for (int i = 0; i < s->opens && combinations < 5000; i++)
		combinations *= SHAPES;
	for (int n = 0; n < combinations; n++) {
		for (int i = 0, rest = n; i < s->opens; i++, rest /= SHAPES)
			way->shape[s->open[i]] = shape_number(rest % SHAPES, dimension);
		if (try_way(w, fn, dimension, way))
			return true;
	}
	return false;
}

/* Functions that do not sample their arguments elsewhere, and have no overloads by dimension, meet every type and
   mode in 2-D; in other dimensions they meet vectors of that width, every enumerator and every mode once. */
static void walk_function(Walk *w, const Decl *fn, int dimension)
{
	Way way = { .mode = MODE_FIELD };
	Signature s = read_signature(w, fn, dimension, &way);
	bool full = dimension == 2 || fn->at.name || s.by_name, first = true;
	Shape best[MAX_ARGS];
	bool any = false;
	size_t before = w->calls;
	/* every type its open arguments can have, with the first enumerators */
	for (int n = 0; n < (s.opens ? SHAPES : 1); n++) {
		if (any && dimension != 2 && shape_number(n, dimension).base != 'f')
			break;
		set_shapes(&way, &s, n, dimension);
		if (try_way(w, fn, dimension, &way) && !any) {
			any = true;
			memcpy(best, way.shape, sizeof best);
		}
	}
	if (s.opens > 1) {                      /* a vector and then numbers */
		Way mixed = way;
		for (int i = 0; i < s.opens; i++)
			mixed.shape[s.open[i]] = shape_number(i == 0, dimension);
		if (try_way(w, fn, dimension, &mixed) && !any) {
			any = true;
			memcpy(best, mixed.shape, sizeof best);
		}
	}
	if (!any && find_mixed_shapes(w, fn, dimension, &s, &way)) {
		any = true;
		memcpy(best, way.shape, sizeof best);
	}
	/* fields may have to be left out where a bound or a form asks for known values */
	for (int mode = MODE_DEFAULT; !any && mode < MODES; mode++) {
		way.mode = (Mode)mode;
		for (int n = 0; !any && n < (s.opens ? SHAPES : 1); n++) {
			set_shapes(&way, &s, n, dimension);
			any = try_way(w, fn, dimension, &way);
		}
		if (any)
			memcpy(best, way.shape, sizeof best);
	}
	if (!any) {
		fprintf(stderr, "%s: no call of '%s' compiles where p is %s\n", fn->name_span.source->name, fn->name, type_of_p(dimension));
		w->failures++;
		return;
	}
	/* the best types in every mode, for every enumerator of every enum */
	memcpy(way.shape, best, sizeof best);
	do {
		bool fine = false;
		for (int mode = 0; mode < (first || full ? (int)MODES : 1); mode++) {
			way.mode = (Mode)mode;
			fine = try_way(w, fn, dimension, &way) || fine;
		}
		if (s.by_name) {
			way.mode = MODE_DEFAULT;
			for (int i = 0; i < w->noises; i++) {
				way.noise = w->noise[i];
				if (!overload_at(way.noise, dimension))
					continue;
				for (int wide = 0; wide < 2; wide++) {
					if (s.opens)
						way.shape[s.open[0]] = (Shape){ 'f', 1 + wide };
					fine = try_way(w, fn, dimension, &way) || fine;
				}
			}
			way.noise = NULL;
			memcpy(way.shape, best, sizeof best);
		}
		way.mode = MODE_FIELD;
		for (int n = 0; !fine && n < (s.opens ? SHAPES : 0); n++) {
			set_shapes(&way, &s, n, dimension);
			fine = try_way(w, fn, dimension, &way);
		}
		memcpy(way.shape, best, sizeof best);
		if (!fine) {
			Call call = make_call(w, fn, dimension, &way);
			fprintf(stderr, "%s does not compile in any way where p is %s\n", call.text, type_of_p(dimension));
			w->failures++;
		}
		first = false;
	} while (next_enumerators(&s, &way));
	/* enums as params, where the function allows it */
	if (s.enum_count) {
		way.enum_params = true;
		way.mode = MODE_FIELD;
		try_way(w, fn, dimension, &way);
	}
	assert_true(w->calls > before);
	if (is_limited(fn)) {
		w->calls = before;
		w->limited++;
	}
}

/* A noise is what can be called without arguments and asks for p: it differs between two places. */
static bool is_noise(Walk *w, const Decl *fn)
{
	for (const Decl *a = fn->args; a; a = a->next)
		if (!a->value)
			return false;
	Call call = { fn, 2, "", text_print(w->lib.arena, "unit(%s())", fn->name) };
	return compiles(w, &call);
}

/* ---- ranges ---- */

static double value_of(nz_word word, nz_kind kind)
{
	return kind == NZ_FLOAT ? (double)word.f : kind == NZ_INT ? (double)(float)word.i : (double)(float)word.u;
}

/* Every result lies in the range that was proved, and in the one its function states. *cost: of one sample. */
static size_t check_ranges(Walk *w, const Call *calls, size_t count, uint64_t *cost)
{
	static float axis[4][RANGE_POINTS];
	static nz_word words[OUTPUTS][4][RANGE_POINTS];
	const char *text = program_text(w->lib.arena, calls, count), *data, *why = NULL;
	nz_emit_options options = { .target = "program" };
	nz_module *m = NULL;
	nz_program *program = NULL;
	nz_evaluator *e;
	uint32_t state = 4242;
	size_t size, outside = 0;
	assert_int_equal(nz_compile_module("ranges", text, strlen(text), NULL, &m), NZ_OK);
	assert_int_equal(nz_emit_target(m, &options, &data, &size), NZ_OK);
	assert_int_equal(nz_load_program(data, size, NULL, &program, &why), NZ_OK);
	const nz_program_info *info = nz_describe_program(program);
	*cost = info->cost;
	for (size_t i = 0; i < RANGE_POINTS; i++) {
		float scale = i % 4 == 0 ? 1.0f : i % 4 == 1 ? 10.0f : i % 4 == 2 ? 1000.0f : 1e5f;
		for (int a = 0; a < 4; a++) {
			state = state * 1664525u + 1013904223u;
			axis[a][i] = ((float)(state >> 8) * (1.0f / 8388608.0f) - 1.0f) * scale;
		}
	}
	size = nz_measure_evaluator(program, 128);
	void *memory = malloc(size);
	assert_non_null(memory);
	assert_int_equal(nz_place_evaluator(program, 128, memory, size, &e), NZ_OK);
	nz_set_seed(e, 77);
	const float *position[4] = { axis[0], axis[1], axis[2], axis[3] };
	nz_output_data outputs[OUTPUTS] = { { { NULL } } };
	for (uint32_t o = 0; o < info->output_count; o++)
		for (uint32_t k = 0; k < info->outputs[o].type.width; k++)
			outputs[o].array[k] = words[o][k];
	assert_int_equal(nz_evaluate_points(e, RANGE_POINTS, position, NULL, outputs), NZ_OK);
	for (uint32_t o = 0; o < info->output_count; o++) {
		const nz_output *out = &info->outputs[o];
		const Decl *fn = calls[o].fn;
		double low, high;
		bool stated = number_of(fn->low, &low) && number_of(fn->high, &high);
		if (stated && ((double)out->low < low || (double)out->high > high)) {
			fprintf(stderr, "%s: proved in %g .. %g only\n", calls[o].text, (double)out->low, (double)out->high);
			outside++;
		}
		for (uint32_t k = 0; k < out->type.width; k++)
			for (size_t i = 0; i < RANGE_POINTS; i++) {
				double x = value_of(words[o][k][i], out->type.kind);
				if (x >= (double)out->low && x <= (double)out->high && (!stated || (x >= low && x <= high)))
					continue;
				fprintf(stderr, "%s is %.9g at %.9g %.9g %.9g %.9g, outside of %.9g .. %.9g\n", calls[o].text, x, (double)axis[0][i],
					(double)axis[1][i], (double)axis[2][i], (double)axis[3][i], (double)out->low, (double)out->high);
				outside++;
				break;
			}
	}
	free(memory);
	nz_free_program(program);
	nz_free_module(m);
	return outside;
}

/* ---- the tests ---- */

/* Promises: every function of the library gives the same bits in the interpreter and in its shader, in every
   dimension, with every option; and its results lie in the range that it states and the compiler proves. */
static void every_function_is_equal_everywhere(void **state)
{
	Walk w = { .calls = 0 };
	size_t functions = 0, outside = 0, points = 0;
	(void)state;
	read_library(&w.lib);
	diff_open(&w.diff, POINTS);
	for (const Decl *d = w.lib.scope.first; d; d = d->next_in_scope)
		if (d->kind == DECL_FN && first_of_its_name(&w.lib, d) && is_noise(&w, d)) {
			assert_true(w.noises < MAX_NOISES);
			w.noise[w.noises++] = d;
		}
	for (const Decl *d = w.lib.scope.first; d; d = d->next_in_scope)
		functions += d->kind == DECL_FN && first_of_its_name(&w.lib, d);
	for (int dimension = 1; dimension <= 4; dimension++) {
		size_t from = w.calls;
		for (const Decl *d = w.lib.scope.first; d; d = d->next_in_scope)
			if (d->kind == DECL_FN && first_of_its_name(&w.lib, d)) {
				const Decl *fn = overload_at(d, dimension);
				if (fn)
					walk_function(&w, fn, dimension);
			}
		for (size_t i = from; i < w.calls; i += OUTPUTS) {
			size_t count = w.calls - i < OUTPUTS ? w.calls - i : OUTPUTS;
			const char *text = program_text(w.lib.arena, &w.call[i], count);
			uint64_t cost;
			outside += check_ranges(&w, &w.call[i], count, &cost);
			w.diff.points = cost > DEAR ? FEW_POINTS : POINTS;
			points += w.diff.points;
			if (diff_program(&w.diff, w.call[i].fn->name, text, false) != DIFF_EQUAL) {
				fprintf(stderr, "in this program:\n%s\n", text);
				w.failures++;
			}
		}
	}
	printf("library: %zu functions, %d noises, %zu calls, %zu outside of their range; %zu with limits compiled only\n",
		functions, w.noises, w.calls, outside, w.limited);
	w.diff.points = points / w.diff.programs;       /* the mean */
	diff_report(&w.diff, "library");
	if (!w.diff.gpu)
		printf("SKIP: shaders were checked but not run: %s\n", w.diff.why_no_gpu);
	assert_true(functions > 0 && w.calls > functions);
	assert_int_equal(w.diff.differing, 0);
	assert_int_equal(w.diff.findings, 0);
	assert_int_equal(w.failures, 0);
	assert_int_equal(outside, 0);
	free(w.call);
	diff_close(&w.diff);
	arena_free(w.lib.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_function_is_equal_everywhere),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
