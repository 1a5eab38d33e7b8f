/* Words that mean nothing here: what may have been meant by an unknown name, type or call. Also the names of types. */
#include <string.h>

#include "check.h"

static const char *const type_names[] = {
	"bool", "bvec2", "bvec3", "bvec4", "int", "ivec2", "ivec3", "ivec4", "uint", "uvec2", "uvec3", "uvec4",
	"float", "vec2", "vec3", "vec4", "vecP", "ivecP", "uvecP", "bvecP"
};

/* What people type who come from shaders and other noise tools. */
static const struct { const char *word, *advice; } habits[] = {
	{ "uv", "the position is 'p'" },
	{ "pos", "the position is 'p'" },
	{ "position", "the position is 'p'" },
	{ "coord", "the position is 'p'" },
	{ "fragCoord", "the position is 'p'" },
	{ "x", "write 'p.x'" },
	{ "y", "write 'p.y'" },
	{ "z", "write 'p.z'" },
	{ "time", "there is no built-in time; declare 'param time = 0.0'" },
	{ "iTime", "there is no built-in time; declare 'param time = 0.0'" },
	{ "fbm", "write 'perlin() |> octaves(5)'" },
	{ "ridged", "write 'perlin() |> octaves(5, Ridged)'" },
	{ "billow", "write 'perlin() |> octaves(5, Billow)'" },
	{ "turbulence", "write 'perlin() |> octaves(5, Turbulence)'" },
	{ "noise", "name the kind: 'perlin()', 'simplex()', 'value()', 'worley()'" },
	{ "voronoi", "the cellular noise is 'worley()'" },
	{ "cellular", "the cellular noise is 'worley()'" },
	{ "snoise", "write 'simplex()'" },
	{ "cnoise", "write 'perlin()'" },
	{ "pnoise", "write 'perlin()'" },
	{ "rand", "write 'white()', a random number for each cell of the lattice" },
	{ "random", "write 'white()', a random number for each cell of the lattice" },
	{ "frequency", "write 'f |> scale(k)'" },
	{ "freq", "write 'f |> scale(k)'" },
	{ "uniform", "write 'param name = default in low .. high'" },
	{ "let", "write 'node name = expression'" },
	{ "var", "write 'node name = expression'" },
	{ "def", "write 'fn name(arguments) = expression'" },
	{ "frac", "write 'fract'" },
	{ "lerp", "write 'mix'" },
	{ "mod", "write 'x % y'" },
	{ "fmod", "write 'x % y'" },
	{ "mul", "write 'x * y'" },
	{ "rsqrt", "write 'inversesqrt'" },
	{ "float2", "write 'vec2'" },
	{ "float3", "write 'vec3'" },
	{ "float4", "write 'vec4'" },
	{ "int2", "write 'ivec2'" },
	{ "int3", "write 'ivec3'" },
	{ "int4", "write 'ivec4'" },
	{ "double", "write 'float'" },
	{ "half", "write 'float'" },
	{ "if", "write 'condition ? a : b'" },
	{ "PI", "write 'const PI = 3.14159265'" }
};

static bool in_list(const char *name, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (name[0] == list[i][0] && !strcmp(name, list[i]))
			return true;
	return false;
}

#define COUNT(a) (sizeof (a) / sizeof *(a))

bool is_type_name(const char *name) { return in_list(name, type_names, COUNT(type_names)); }

/* Names that could have been meant: what is called, or what is a value. */
static const char *near_name(Check *c, const char *name, const Local *locals, bool called)
{
	size_t count = 0, room = form_count + COUNT(type_names) + OP_COUNT;
	for (const Local *l = locals; l; l = l->outer)
		room++;
	for (const Scope *s = c->scope; s; s = s->outer)
		for (const Decl *d = s->first; d; d = d->next_in_scope) {
			room++;
			for (const Enumerator *e = d->enumerators; e; e = e->next)
				room++;
		}
	const char **near = arena_alloc(c->arena, room * sizeof *near);
	for (const Local *l = called ? NULL : locals; l; l = l->outer)
		if (!l->hidden)
			near[count++] = l->name;
	for (const Scope *s = c->scope; s; s = s->outer)
		for (const Decl *d = s->first; d; d = d->next_in_scope) {
			if (called == (d->kind == DECL_FN) || d->kind == DECL_ENUM)
				near[count++] = d->name;
			for (const Enumerator *e = called ? NULL : d->enumerators; e; e = e->next)
				near[count++] = e->name;
		}
	for (size_t i = 0; i < form_count; i++)
		if (!(form_info[i].flags & FORM_SIGN) && called == !(form_info[i].flags & FORM_VALUE))
			near[count++] = form_info[i].name;
	for (size_t i = 0; called && i < COUNT(type_names); i++)
		near[count++] = type_names[i];
	for (int op = 0; called && op < OP_COUNT; op++)
		if (op_info[op].name[0] >= 'a' && !(op_info[op].flags & (HIDDEN | LIB)))
			near[count++] = op_info[op].name;
	return diag_nearest(name, near, count);
}

void check_unknown(Check *c, const char *name, Span span, const Local *locals, bool called)
{
	enum { SHOWN = 50 };                    /* errors that are printed: beyond them, no search for names */
	const char *what = called ? "node" : "name", *best = NULL;
	for (const Local *l = locals; l; l = l->outer)
		if (l->hidden && l->name == name) {
			diag_error(c->diag, "N0203", span, "unknown name '%s'; what stands after 'return' sees the carried names of the fold only", name);
			return;
		}
	for (size_t i = 0; i < COUNT(habits); i++)
		if (!strcmp(habits[i].word, name)) {
			diag_error(c->diag, "N0204", span, "unknown %s '%s'; %s", what, name, habits[i].advice);
			return;
		}
	if (c->broken)
		return;
	if (c->diag->errors < SHOWN && (best = near_name(c, name, locals, called)))
		diag_error(c->diag, "N0203", span, "unknown %s '%s'; did you mean '%s'?", what, name, best);
	else if (c->diag->errors < SHOWN && (best = near_name(c, name, locals, !called)))
		diag_error(c->diag, "N0203", span, called ? "unknown node '%s'; '%s' is not a function" : "unknown name '%s'; did you mean '%s()'?", name, best);
	else
		diag_error(c->diag, "N0203", span, "unknown %s '%s'", what, name);
}

static bool is_enum(const Scope *s, const char *name)
{
	for (; s; s = s->outer)
		for (uint32_t i = 0; i < s->enumerations; i++)
			if (s->enumeration[i]->name == name)
				return true;
	return false;
}

void check_type(Check *c, TypeName t)
{
	if (!t.name || is_type_name(t.name) || is_enum(c->scope, t.name))
		return;
	for (size_t i = 0; i < COUNT(habits); i++)
		if (!strcmp(habits[i].word, t.name)) {
			diag_error(c->diag, "N0301", t.span, "unknown type '%s'; %s", t.name, habits[i].advice);
			return;
		}
	const char *near = diag_nearest(t.name, type_names, COUNT(type_names));
	if (near)
		diag_error(c->diag, "N0301", t.span, "unknown type '%s'; did you mean '%s'?", t.name, near);
	else if (!c->broken)
		diag_error(c->diag, "N0301", t.span, "unknown type '%s'; types are bool int uint float, vec2 to vec4 (also bvec ivec uvec), vecP and enums", t.name);
}

static const char *text_of(Check *c, const Expr *e)
{
	uint32_t size = e->span.end - e->span.start;
	const char *text = e->span.source->text + e->span.start;
	if (size > 40 || memchr(text, '\n', size))
		return "q";
	Text t = { .arena = c->arena };
	text_add_n(&t, text, size);
	return e->kind == EXPR_NAME || e->kind == EXPR_CALL || e->kind == EXPR_MEMBER ? t.data : text_print(c->arena, "(%s)", t.data);
}

void check_not_function(Check *c, const char *name, Span span, const Arg *args)
{
	const char *q = args && !args->name && !args->next ? text_of(c, args->value) : "q";
	diag_error(c->diag, "N0205", span, "'%s' is not a function; to sample it at another place, write '%s @ %s'", name, name, q);
}
