/* Programs of any size: see scale.h. */
#include "scale.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Buffer {
	char *data;
	size_t size, capacity;
} Buffer;

static void add(Buffer *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(Buffer *b, const char *format, ...)
{
	va_list list;
	for (;;) {
		va_start(list, format);
		size_t room = b->capacity - b->size;
		int size = vsnprintf(b->data ? b->data + b->size : NULL, room, format, list);
		va_end(list);
		if (size < 0)
			abort();
		if ((size_t)size < room) {
			b->size += (size_t)size;
			return;
		}
		b->capacity = 2 * b->capacity + (size_t)size + 256;
		b->data = realloc(b->data, b->capacity);
		if (!b->data)
			abort();
	}
}

static char *finish(Buffer *b, size_t *size)
{
	*size = b->size;
	return b->data;
}

/* ---- large counts ---- */

static char *chain(size_t count, size_t *size)
{
	Buffer b = { 0 };
	add(&b, "node n0 = perlin()\n");
	for (size_t i = 1; i < count; i++)
		add(&b, "node n%zu = n%zu * 0.99 + p.x * 0.01\n", i, i - 1);
	add(&b, "output h = n%zu\n", count - 1);
	return finish(&b, size);
}

static char *independent(size_t count, size_t *size)
{
	Buffer b = { 0 };
	for (size_t i = 0; i < count; i++)
		add(&b, "node n%zu = p.x * %zu.25 + p.y * 0.5 - 1.0\n", i, i);
	add(&b, "output h = n%zu\n", count - 1);
	return finish(&b, size);
}

static char *used_by_one(size_t count, size_t *size)
{
	Buffer b = { 0 };
	for (size_t i = 0; i < count; i++)
		add(&b, "node n%zu = p.x * %zu.25 + p.y * 0.5 - 1.0\n", i, i);
	add(&b, "output h = n0");
	for (size_t i = 1; i < count; i++)
		add(&b, "\n\t+ n%zu", i);
	add(&b, "\n");
	return finish(&b, size);
}

static char *sum(size_t count, size_t *size)
{
	Buffer b = { 0 };
	add(&b, "output h = 0.0");
	for (size_t i = 0; i < count; i++)
		add(&b, "%s+ p.%c * %zu.5", i % 8 ? " " : "\n\t", "xy"[i % 2], i);
	add(&b, "\n");
	return finish(&b, size);
}

static char *functions(size_t count, size_t *size)
{
	Buffer b = { 0 };
	add(&b, "fn f0(x) = x * 0.5 + p.x\n");
	for (size_t i = 1; i < count; i++)
		add(&b, "fn f%zu(x) = f%zu(x * 0.99) + p.y * 0.01\n", i, i - 1);
	add(&b, "output h = f%zu(0.5)\n", count - 1);
	return finish(&b, size);
}

static char *calls(size_t count, size_t *size)
{
	Buffer b = { 0 };
	add(&b, "fn bend(x, k = 0.5) = x * x * k + x * (1 - k)\n");
	add(&b, "node n0 = perlin()\n");
	for (size_t i = 1; i < count; i++)
		add(&b, "node n%zu = bend(n%zu, 0.%zu) + simplex(seed: %zu) * 0.1\n", i, i - 1, 1 + i % 9, i);
	add(&b, "output h = n%zu\n", count - 1);
	return finish(&b, size);
}

static char *warps(size_t count, size_t *size)
{
	Buffer b = { 0 };
	add(&b, "node n0 = perlin()\n");
	for (size_t i = 1; i < count; i++)
		add(&b, "node n%zu = n%zu @ (p + n%zu)\n", i, i - 1, i - 1);
	add(&b, "output h = n%zu\n", count - 1);
	return finish(&b, size);
}

static char *params(size_t count, size_t *size)
{
	Buffer b = { 0 };
	for (size_t i = 0; i < count; i++)
		add(&b, "param k%zu = 0.5 in 0 .. %zu\n", i, 1 + i);
	add(&b, "output h = p.x");
	for (size_t i = 0; i < count; i++)
		add(&b, "\n\t+ k%zu", i);
	add(&b, "\n");
	return finish(&b, size);
}

static char *outputs(size_t count, size_t *size)
{
	Buffer b = { 0 };
	for (size_t i = 0; i < count; i++)
		add(&b, "output h%zu = p.x * %zu.5\n", i, i);
	return finish(&b, size);
}

static char *enumerators(size_t count, size_t *size)
{
	Buffer b = { 0 };
	add(&b, "enum Kind {");
	for (size_t i = 0; i < count; i++)
		add(&b, "%s E%zu", i ? "," : "", i);
	add(&b, " }\nparam kind: Kind = E%zu\n", count / 2);
	add(&b, "output h = match kind {");
	for (size_t i = 0; i < count; i++)
		add(&b, "%s E%zu: p.x * %zu.5", i ? "," : "", i, i);
	add(&b, " }\n");
	return finish(&b, size);
}

static char *locals(size_t count, size_t *size)
{
	Buffer b = { 0 };
	add(&b, "fn f(x) {\n\tnode n0 = x * 0.5\n");
	for (size_t i = 1; i < count; i++)
		add(&b, "\tnode n%zu = n%zu * 0.99 + p.x * 0.01\n", i, i - 1);
	add(&b, "\treturn n%zu\n}\noutput h = f(p.y)\n", count - 1);
	return finish(&b, size);
}

static char *consts(size_t count, size_t *size)
{
	Buffer b = { 0 };
	add(&b, "const k0 = 0.5\n");
	for (size_t i = 1; i < count; i++)
		add(&b, "const k%zu = k%zu * 0.999 + 0.001\n", i, i - 1);
	add(&b, "output h = p.x * k%zu\n", count - 1);
	return finish(&b, size);
}

static char *comments(size_t count, size_t *size)
{
	Buffer b = { 0 };
	for (size_t i = 0; i < count; i++)
		add(&b, "// line %zu says nothing to the compiler, and there are many of its kind\n", i);
	add(&b, "output h = p.x\n");
	return finish(&b, size);
}

static char *documents(size_t count, size_t *size)
{
	Buffer b = { 0 };
	for (size_t i = 0; i < count; i++)
		add(&b, "/// line %zu of what the output is for\n", i);
	add(&b, "output h = p.x\n");
	return finish(&b, size);
}

static char *pipes(size_t count, size_t *size)
{
	Buffer b = { 0 };
	add(&b, "output h = perlin()");
	for (size_t i = 0; i < count; i++)
		add(&b, "%s|> abs()", i % 8 ? " " : "\n\t");
	add(&b, "\n");
	return finish(&b, size);
}

const Shape scale_shapes[] = {
	{ "chain", "each node uses the one before", chain },
	{ "independent", "nodes that use nothing of each other", independent },
	{ "used by one", "independent nodes, added up", used_by_one },
	{ "sum", "terms of one expression", sum },
	{ "functions", "each function calls the one before", functions },
	{ "calls", "each node calls two functions", calls },
	{ "warps", "each node samples the one before twice", warps },
	{ "locals", "nodes of one function, each using the one before", locals },
	{ "consts", "each const uses the one before", consts },
	{ "params", "params of one sum", params },
	{ "outputs", "outputs", outputs },
	{ "enumerators", "enumerators, and a match over them", enumerators },
	{ "comments", "lines of comment", comments },
	{ "documents", "lines of one /// text", documents },
};
const size_t scale_shape_count = sizeof scale_shapes / sizeof *scale_shapes;

/* ---- nesting ---- */

static char *nest(size_t count, size_t *size, const char *head, const char *open, const char *core, const char *close, const char *tail)
{
	Buffer b = { 0 };
	add(&b, "%s", head);
	for (size_t i = 0; i < count; i++)
		add(&b, "%s", open);
	add(&b, "%s", core);
	for (size_t i = 0; i < count; i++)
		add(&b, "%s", close);
	add(&b, "%s\n", tail);
	return finish(&b, size);
}

#define NEST(NAME, HEAD, OPEN, CORE, CLOSE, TAIL) \
	static char *NAME(size_t count, size_t *size) { return nest(count, size, HEAD, OPEN, CORE, CLOSE, TAIL); }

NEST(nest_parentheses, "output h = ", "(", "p.x", ")", "")
NEST(nest_sums, "output h = ", "(1 + ", "p.x", ")", "")
NEST(nest_minus, "output h = ", "-", "p.x", "", "")
NEST(nest_not, "output h: bool = ", "not ", "p.x > 0", "", "")
NEST(nest_calls, "output h = ", "abs(", "p.x", ")", "")
NEST(nest_functions, "fn f(x) = x * 0.5 + p.y\noutput h = ", "f(", "p.x", ")", "")
NEST(nest_fields, "fn f(x) = x @ (p * 0.5) + p.y\noutput h = ", "f(", "p.x", ")", "")
NEST(nest_choices, "output h = ", "p.x > 0 ? ", "p.x", " : 1", "")
NEST(nest_other_choices, "output h = ", "p.x > 0 ? 1 : ", "p.x", "", "")
NEST(nest_conditions, "output h = ", "(", "p.x", " > 0 ? 1 : 0)", "")
NEST(nest_folds, "output h = ", "(fold i in 0 .. 2 { s = 0.0 then s + ", "p.x", " } return s)", "")
NEST(nest_known_folds, "output h = ", "(fold i in 0 .. 2 { s = 0.0 then s + ", "1", " } return s) + p.x", "")
NEST(nest_results, "output h = ", "(fold i in 0 .. 2 { s = 0.0 then s + 1 } return s + ", "p.x", ")", "")
NEST(nest_matches, "enum E { A, B }\nparam e: E = A\noutput h = ", "match e { A: ", "p.x", ", B: 1 }", "")
NEST(nest_ramps, "output h = ", "ramp(", "p.x", ", [0: 0, 1: 1])", "")
NEST(nest_stops, "output h = ", "ramp(p.x, [0: 0, 1: ", "p.y", "])", "")
NEST(nest_samples, "output h = ", "(", "perlin()", ") @ (p * 0.5)", "")
NEST(nest_places, "output h = ", "perlin() @ (p + ", "p.x", ")", "")
NEST(nest_vectors, "output h = ", "vec2(1, ", "p.x", ").y", "")
NEST(nest_members, "output h = ", "", "p", ".xy", ".x")
NEST(nest_octaves, "output h = ", "octaves(", "perlin()", ", 2)", "")
NEST(nest_named, "output h = ", "mix(a: 1, b: ", "p.x", ", t: 0.5)", "")
NEST(nest_seeds, "output h = ", "reseed(", "perlin()", ", 3)", "")
NEST(nest_ranges, "param k = 0.5 in 0 .. ", "(", "2", ")", "\noutput h = p.x * k")
NEST(nest_brackets, "output h = ", "[", "p.x", "]", "")
NEST(nest_braces, "fn f(a) ", "{", "return a", "}", "\noutput h = f(p.x)")
NEST(nest_units, "output h = ", "unit(", "perlin()", ")", "")

const Shape scale_nests[] = {
	{ "parentheses", "((…))", nest_parentheses },
	{ "sums", "(1 + (1 + …))", nest_sums },
	{ "minus", "- - …", nest_minus },
	{ "not", "not not …", nest_not },
	{ "calls", "abs(abs(…))", nest_calls },
	{ "functions", "f(f(…)), by value", nest_functions },
	{ "fields", "f(f(…)), by name", nest_fields },
	{ "choices", "c ? c ? … : 1 : 1", nest_choices },
	{ "other choices", "c ? 1 : c ? 1 : …", nest_other_choices },
	{ "conditions", "((… > 0 ? 1 : 0) > 0 ? 1 : 0)", nest_conditions },
	{ "folds", "a fold in a fold's next value", nest_folds },
	{ "known folds", "the same, of constants", nest_known_folds },
	{ "results", "a fold in a fold's result", nest_results },
	{ "matches", "match e { A: match e { … } }", nest_matches },
	{ "ramps", "ramp(ramp(…))", nest_ramps },
	{ "stops", "a ramp in a ramp's stop", nest_stops },
	{ "samples", "((f @ q) @ q) …", nest_samples },
	{ "places", "f @ (p + f @ (p + …))", nest_places },
	{ "vectors", "vec2(1, vec2(1, …).y).y", nest_vectors },
	{ "members", "p.xy.xy…", nest_members },
	{ "octaves", "octaves(octaves(…))", nest_octaves },
	{ "named arguments", "mix(a: 1, b: mix(…))", nest_named },
	{ "seeds", "reseed(reseed(…))", nest_seeds },
	{ "ranges", "in 0 .. ((…))", nest_ranges },
	{ "brackets", "[[…]], which is an error", nest_brackets },
	{ "braces", "{{…}}, which is an error", nest_braces },
	{ "units", "unit(unit(…))", nest_units },
	{ "pipes", "f |> abs() |> abs() …", pipes },
};
const size_t scale_nest_count = sizeof scale_nests / sizeof *scale_nests;
