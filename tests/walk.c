/* See walk.h. Nothing here names a function of the library. */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "walk.h"

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
	if (a->type.name && !strcmp(a->type.name, "key"))
		return (Shape){ 'u', 1 };       /* or an int, of which the bits count */
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

/* An input for MODE_INPUT, or a param. Floats have no range but the argument's own, or -1 .. 1 where they are narrow. */
static const char *put_given(Walk *w, Text *given, const Way *way, Shape s, int dimension, int k, const Decl *a)
{
	bool param = way->params == PARAMS_ALL || (a->decides && way->params == PARAMS_DECIDING);
	const char *name = text_print(w->lib.arena, "q%u", w->number++);
	double low, high;
	text_format(given, "%s %s: %s", param ? "param" : "input", name, type_text(w->lib.arena, s));
	if (param && s.base == 'f' && !a->low) {
		text_format(given, " = %s(0.5)", type_text(w->lib.arena, s));
	} else if (param) {
		text_add(given, " = ");
		put_value(given, s, MODE_KNOWN, dimension, k, a);
	}
	if (s.base == 'f' && (way->narrow || (a->low && param))) {
		char range[80] = " in -1.0 .. 1.0";
		if (number_of(a->low, &low) && number_of(a->high, &high))
			snprintf(range, sizeof range, " in %.4f .. %.4f", low, high);
		text_add(given, range);
	} else if (s.base == 'i' && param) {
		text_add(given, " in -3 .. 12");
	}
	text_add(given, "\n");
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

Call walk_call(Walk *w, const Decl *fn, int dimension, const Way *way)
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
		} else if (way->mode == MODE_INPUT && !a->by_name) {
			text_add(&t, put_given(w, &params, way, s, dimension, k, a));
		} else if (way->mode == MODE_INPUT && way->narrow && s.base == 'f') {
			put_noise(&t, w->noise[0], s);
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

const char *walk_program(Arena *arena, const Call *calls, size_t count)
{
	Text t = { .arena = arena };
	text_format(&t, "domain %s\n", type_of_p(calls[0].dimension));
	for (size_t i = 0; i < count; i++)
		text_add(&t, calls[i].given);
	for (size_t i = 0; i < count; i++)
		text_format(&t, "output %s_%u = %s\n", calls[i].fn->name, (unsigned)i, calls[i].text);
	return t.data;
}

bool walk_compiles(Walk *w, const Call *call)
{
	const char *text = walk_program(w->lib.arena, call, 1);
	nz_module *m = NULL;
	nz_compile_module("call", text, strlen(text), NULL, &m);
	bool fine = nz_count_errors(m) == 0;
	nz_free_module(m);
	return fine;
}

/* Adds the call to the walk if it compiles; one that is there already counts. */
static bool try_way(Walk *w, const Decl *fn, int dimension, const Way *way)
{
	Call call = walk_call(w, fn, dimension, way);
	for (size_t i = w->calls; i-- > 0 && w->call[i].fn == fn && w->call[i].dimension == dimension;)
		if (!*call.given && !strcmp(w->call[i].text, call.text))
			return true;
	if (!walk_compiles(w, &call))
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
bool walk_is_limited(const Decl *fn) { return fn->doc && strstr(fn->doc, "Only for "); }

/* ---- the ways to call one function ---- */

Shape walk_shape(int n, int dimension)
{
	static const char base[SHAPES] = { 'f', 'f', 'i', 'i', 'u', 'u', 'b', 'b' };
	int wide = dimension == 1 ? 2 : dimension;
	return (Shape){ base[n], n % 2 ? wide : 1 };
}

Signature walk_signature(const Walk *w, const Decl *fn, int dimension, Way *way)
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
		way->shape[s->open[i]] = walk_shape(n, dimension);
}

/* The next combination of enumerators; false after the last. */
bool walk_next_enumerators(const Signature *s, Way *way)
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
			way->shape[s->open[i]] = walk_shape(rest % SHAPES, dimension);
		if (try_way(w, fn, dimension, way))
			return true;
	}
	return false;
}

/* Functions that do not sample their arguments elsewhere, and have no overloads by dimension, meet every type and
   mode in 2-D; in other dimensions they meet vectors of that width, every enumerator and every mode once. */
void walk_function(Walk *w, const Decl *fn, int dimension)
{
	Way way = { .mode = MODE_FIELD };
	Signature s = walk_signature(w, fn, dimension, &way);
	bool full = dimension == 2 || fn->at.name || s.by_name, first = true;
	Shape best[MAX_ARGS];
	bool any = false;
	size_t before = w->calls;
	/* every type its open arguments can have, with the first enumerators */
	for (int n = 0; n < (s.opens ? SHAPES : 1); n++) {
		if (any && dimension != 2 && walk_shape(n, dimension).base != 'f')
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
			mixed.shape[s.open[i]] = walk_shape(i == 0, dimension);
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
			Call call = walk_call(w, fn, dimension, &way);
			fprintf(stderr, "%s does not compile in any way where p is %s\n", call.text, type_of_p(dimension));
			w->failures++;
		}
		first = false;
	} while (walk_next_enumerators(&s, &way));
	/* enums as params, where the function allows it */
	if (s.enum_count) {
		way.enum_params = true;
		way.mode = MODE_FIELD;
		try_way(w, fn, dimension, &way);
	}
	assert_true(w->calls > before);
	if (walk_is_limited(fn)) {
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
	return walk_compiles(w, &call);
}

void walk_open(Walk *w)
{
	*w = (Walk){ .calls = 0 };
	read_library(&w->lib);
	for (const Decl *d = w->lib.scope.first; d; d = d->next_in_scope)
		if (d->kind == DECL_FN && first_of_its_name(&w->lib, d) && is_noise(w, d)) {
			assert_true(w->noises < MAX_NOISES);
			w->noise[w->noises++] = d;
		}
}

void walk_close(Walk *w)
{
	free(w->call);
	arena_free(w->lib.arena);
}
