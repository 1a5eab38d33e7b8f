/* Names: scopes, duplicates, words that cannot be redefined, unknown names, cycles between declarations.
   Also finds what each function argument is used for (Decl.by_name, Decl.decides), callees first.
   Types wait for lower.c, because they depend on where a field is sampled. */
#include <assert.h>
#include <string.h>

#include "cc.h"

typedef struct Local {                          /* a name inside a declaration */
	const char *name;
	Decl *decl;                             /* argument or local node; NULL for a round's value */
	const struct Local *outer;
} Local;

typedef struct Check {
	Arena *arena;
	Diagnostics *diag;
	const Scope *scope;
	bool broken;                            /* a statement was dropped, so a name may be missing: do not complain of it */
	struct Link { Decl *decl; Span use; struct Link *outer; } *path;   /* declarations being visited */
} Check;

static const char *const type_names[] = {
	"bool", "bvec2", "bvec3", "bvec4", "int", "ivec2", "ivec3", "ivec4", "uint", "uvec2", "uvec3", "uvec4",
	"float", "vec2", "vec3", "vec4", "vecP", "ivecP", "uvecP", "bvecP"
};
static const char *const form_names[] = {
	"p", "seed", "period", "range", "grad", "reseed", "tile", "here", "known", "components", "sum", "any", "all"
};

/* What people type who come from shaders and other noise tools. */
static const struct { const char *word, *advice; } habits[] = {
	{ "uv", "the position is 'p'" },
	{ "pos", "the position is 'p'" },
	{ "position", "the position is 'p'" },
	{ "time", "there is no built-in time; declare 'param time = 0.0'" },
	{ "fbm", "write 'perlin() |> octaves(5)'" },
	{ "voronoi", "the cellular noise is 'worley()'" },
	{ "cellular", "the cellular noise is 'worley()'" },
	{ "snoise", "write 'simplex()'" },
	{ "cnoise", "write 'perlin()'" },
	{ "frequency", "write 'f |> scale(k)'" },
	{ "uniform", "write 'param name = default in low .. high'" },
	{ "let", "write 'node name = expression'" },
	{ "var", "write 'node name = expression'" },
	{ "def", "write 'fn name(arguments) = expression'" },
	{ "frac", "write 'fract'" },
	{ "lerp", "write 'mix'" },
	{ "mod", "write 'x % y'" },
	{ "fmod", "write 'x % y'" },
	{ "rsqrt", "write 'inversesqrt'" },
	{ "float2", "write 'vec2'" },
	{ "float3", "write 'vec3'" },
	{ "float4", "write 'vec4'" },
	{ "if", "write 'condition ? a : b'" },
	{ "PI", "write 'const PI = 3.14159265'" }
};

static bool in_list(const char *name, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(name, list[i]))
			return true;
	return false;
}

#define COUNT(a) (sizeof (a) / sizeof *(a))

bool is_type_name(const char *name) { return in_list(name, type_names, COUNT(type_names)); }
bool is_form_name(const char *name) { return in_list(name, form_names, COUNT(form_names)); }

/* ---- scopes ---- */

static uint32_t slot_of(const Scope *s, const char *name)
{
	uint32_t h = 2166136261u;
	for (const char *c = name; *c; c++)
		h = (h ^ (unsigned char)*c) * 16777619u;
	uint32_t i = (h ^ h >> 15) & (s->size - 1);
	while (s->slot[i] && s->slot[i]->name != name)
		i = (i + 1) & (s->size - 1);
	return i;
}

Decl *scope_find(const Scope *s, const char *name)
{
	for (; s; s = s->outer) {
		Decl *d = s->slot[slot_of(s, name)];
		if (d)
			return d;
	}
	return NULL;
}

static bool overloads(const Decl *a, const Decl *b)
{
	return a->kind == DECL_FN && b->kind == DECL_FN && a->at.name != b->at.name;
}

static void refuse_reserved(Check *c, const char *name, Span span)
{
	if (is_type_name(name))
		diag_error(c->diag, "N0202", span, "'%s' is a type and cannot name anything else", name);
	else if (is_form_name(name))
		diag_error(c->diag, "N0202", span, "'%s' belongs to the language and cannot name anything else", name);
}

static void add(Check *c, Scope *s, Decl *d)
{
	refuse_reserved(c, d->name, d->name_span);
	d->scope = s;
	if (s->last)
		s->last->next_in_scope = d;
	else
		s->first = d;
	s->last = d;
	Decl **place = &s->slot[slot_of(s, d->name)];
	for (Decl *o = *place; o; o = o->overload)
		if (!overloads(o, d)) {
			Message *m = diag_error(c->diag, "N0201", d->name_span, "'%s' is declared twice", d->name);
			diag_note(c->diag, m, o->name_span, "the first one is here");
			return;
		}
	while (*place)
		place = &(*place)->overload;
	*place = d;
}

static bool has_name(const Decl *d)
{
	return d->kind != DECL_NOISE && d->kind != DECL_DOMAIN;
}

/* ---- walking expressions ---- */

static const Local *find_local(const Local *l, const char *name)
{
	while (l && l->name != name)
		l = l->outer;
	return l;
}

static bool is_enumerator(const Scope *s, const char *name)
{
	for (; s; s = s->outer)
		for (const Decl *d = s->first; d; d = d->next_in_scope)
			for (const Enumerator *e = d->enumerators; e; e = e->next)
				if (e->name == name)
					return true;
	return false;
}

static bool is_row_name(const char *name, bool library)
{
	for (int op = 0; op < OP_COUNT; op++)
		if (!strcmp(op_info[op].name, name) && !(op_info[op].flags & HIDDEN) && (library || !(op_info[op].flags & LIB)))
			return true;
	return false;
}

static void unknown(Check *c, const char *what, const char *name, Span span, const Local *locals)
{
	for (size_t i = 0; i < COUNT(habits); i++)
		if (!strcmp(habits[i].word, name)) {
			diag_error(c->diag, "N0204", span, "unknown %s '%s'; %s", what, name, habits[i].advice);
			return;
		}
	if (c->broken)
		return;
	size_t count = 0, room = COUNT(form_names) + COUNT(type_names) + OP_COUNT;
	for (const Local *l = locals; l; l = l->outer)
		room++;
	for (const Scope *s = c->scope; s; s = s->outer)
		for (const Decl *d = s->first; d; d = d->next_in_scope) {
			room++;
			for (const Enumerator *e = d->enumerators; e; e = e->next)
				room++;
		}
	const char **near = arena_alloc(c->arena, room * sizeof *near);
	for (const Local *l = locals; l; l = l->outer)
		near[count++] = l->name;
	for (const Scope *s = c->scope; s; s = s->outer)
		for (const Decl *d = s->first; d; d = d->next_in_scope) {
			near[count++] = d->name;
			for (const Enumerator *e = d->enumerators; e; e = e->next)
				near[count++] = e->name;
		}
	for (size_t i = 0; i < COUNT(form_names); i++)
		near[count++] = form_names[i];
	for (size_t i = 0; i < COUNT(type_names); i++)
		near[count++] = type_names[i];
	for (int op = 0; op < OP_COUNT; op++)
		if (op_info[op].name[0] >= 'a' && !(op_info[op].flags & (HIDDEN | LIB)))
			near[count++] = op_info[op].name;
	const char *best = diag_nearest(name, near, count);
	if (best)
		diag_error(c->diag, "N0203", span, "unknown %s '%s'; did you mean '%s'?", what, name, best);
	else
		diag_error(c->diag, "N0203", span, "unknown %s '%s'", what, name);
}

static void visit(Check *c, Decl *d, Span use);
static void walk(Check *c, const Expr *e, const Local *locals);

/* Local nodes of a block see each other whatever their order; their cycles are found as those of declarations. */
static void walk_locals(Check *c, Decl *nodes, const Local *locals)
{
	for (Decl *n = nodes; n; n = n->next)
		if (n->mark == 0) {
			n->mark = 1;
			struct Link link = { n, n->name_span, c->path };
			c->path = &link;
			walk(c, n->value, locals);
			c->path = link.outer;
			n->mark = 2;
		}
}

static void cycle(Check *c, Decl *d, Span use)
{
	const struct Link *first = NULL;
	for (const struct Link *l = c->path; l; l = l->outer) {
		l->decl->broken = true;
		if (!first || l->decl->name_span.start < first->decl->name_span.start)
			first = l;
		if (l->decl == d)
			break;
	}
	if (!first)
		return;
	Message *m = diag_error(c->diag, "N0206", first->decl->name_span, "'%s' is defined by itself", first->decl->name);
	Span at = use;
	const char *target = d->name;
	for (const struct Link *l = c->path; l; l = l->outer) {
		diag_note(c->diag, m, at, "'%s' uses '%s' here", l->decl->name, target);
		if (l->decl == d)
			break;
		at = l->use;
		target = l->decl->name;
	}
}

static void reach(Check *c, Decl *d, Span use)
{
	for (Decl *o = d; o; o = o->overload) {
		if (o->mark == 1) {
			/* an overload may call its own name for a smaller dimension */
			if (!(o->kind == DECL_FN && c->path && c->path->decl->kind == DECL_FN && c->path->decl->name == o->name && o->at.name))
				cycle(c, o, use);
		} else {
			visit(c, o, use);
		}
	}
}

static void walk_name(Check *c, const char *name, Span span, const Local *locals, bool called)
{
	const Local *l = find_local(locals, name);
	if (l) {
		if (called)
			diag_error(c->diag, "N0205", span, "'%s' is not a function; write '%s @ q' to sample it at q", name, name);
		else if (l->decl && l->decl->kind == DECL_NODE && l->decl->mark == 1)
			cycle(c, l->decl, span);
		return;
	}
	Decl *d = scope_find(c->scope, name);
	if (d) {
		if (called && d->kind != DECL_FN && d->kind != DECL_ENUM) {
			diag_error(c->diag, "N0205", span, "'%s' is not a function; write '%s @ q' to sample it at q", name, name);
			return;
		}
		if (!called && d->kind == DECL_FN) {
			diag_error(c->diag, "N0207", span, "'%s' is a function; write '%s()'", name, name);
			return;
		}
		if (!called && d->kind == DECL_ENUM) {
			diag_error(c->diag, "N0207", span, "'%s' is an enum; write '%s.%s'", name, name, d->enumerators->name);
			return;
		}
		reach(c, d, span);
		return;
	}
	if (called ? is_type_name(name) || is_form_name(name) || is_row_name(name, c->scope->library) || !strcmp(name, "ramp")
	           : !strcmp(name, "p") || !strcmp(name, "seed") || !strcmp(name, "period") || is_enumerator(c->scope, name))
		return;
	unknown(c, called ? "function" : "name", name, span, locals);
}

static void walk_fold(Check *c, const Expr *e, const Local *locals)
{
	walk(c, e->u.fold.from, locals);
	walk(c, e->u.fold.to, locals);
	refuse_reserved(c, e->u.fold.index, e->u.fold.index_span);
	const Local *inside = locals, *carried = locals;
	size_t lines = 2;
	for (const Carry *k = e->u.fold.lines; k; k = k->next)
		lines += 2;
	Local *l = arena_alloc(c->arena, lines * sizeof *l);
	*l = (Local){ e->u.fold.index, NULL, inside };
	inside = l++;
	for (const Carry *k = e->u.fold.lines; k; k = k->next) {
		refuse_reserved(c, k->name, k->name_span);
		for (const Local *o = inside; o != locals; o = o->outer)
			if (o->name == k->name)
				diag_error(c->diag, "N0201", k->name_span, "'%s' is declared twice in this fold", k->name);
		*l = (Local){ k->name, k->node, inside };
		inside = l++;
		if (k->then) {
			*l = (Local){ k->name, NULL, carried };
			carried = l++;
		}
	}
	for (const Carry *k = e->u.fold.lines; k; k = k->next)
		if (k->then) {
			walk(c, k->first, locals);
			walk(c, k->then, inside);
		} else {
			walk_locals(c, k->node, inside);
		}
	walk(c, e->u.fold.result, carried);
}

static void walk(Check *c, const Expr *e, const Local *locals)
{
	if (!e)
		return;
	switch (e->kind) {
	case EXPR_NAME:
		walk_name(c, e->u.name, e->span, locals, false);
		break;
	case EXPR_UNARY:
		walk(c, e->u.op.a, locals);
		break;
	case EXPR_BINARY:
	case EXPR_SAMPLE:
		/* chains lean left and may be long: go down them in a loop */
		while (e->kind == EXPR_BINARY) {
			walk(c, e->u.op.b, locals);
			e = e->u.op.a;
		}
		if (e->kind != EXPR_SAMPLE) {
			walk(c, e, locals);
			break;
		}
		walk(c, e->u.op.a, locals);
		walk(c, e->u.op.b, locals);
		break;
	case EXPR_CHOICE:
		walk(c, e->u.choice.condition, locals);
		walk(c, e->u.choice.yes, locals);
		walk(c, e->u.choice.no, locals);
		break;
	case EXPR_CALL:
		if (e->u.call.module)
			diag_error(c->diag, "N0210", e->u.call.name_span, "import is not in this version, so '%s.%s' cannot be reached", e->u.call.module, e->u.call.name);
		else if (e->u.call.name)
			walk_name(c, e->u.call.name, e->u.call.name_span, locals, true);
		else
			diag_error(c->diag, "N0205", e->span, "only a name can be called");
		for (const Arg *a = e->u.call.args; a; a = a->next)
			walk(c, a->value, locals);
		break;
	case EXPR_MEMBER:
		if (e->u.member.of->kind == EXPR_NAME && !find_local(locals, e->u.member.of->u.name)) {
			const Decl *d = scope_find(c->scope, e->u.member.of->u.name);
			if (d && d->kind == DECL_ENUM)
				break;
			if (d && d->kind == DECL_IMPORT)
				break;
		}
		walk(c, e->u.member.of, locals);
		break;
	case EXPR_FOLD:
		walk_fold(c, e, locals);
		break;
	case EXPR_MATCH:
		walk(c, e->u.match.of, locals);
		for (const Arm *a = e->u.match.arms; a; a = a->next)
			walk(c, a->value, locals);
		break;
	case EXPR_STOPS:
		for (const Stop *s = e->u.stops; s; s = s->next) {
			walk(c, s->at, locals);
			walk(c, s->value, locals);
		}
		break;
	case EXPR_NUMBER: case EXPR_COLOUR: case EXPR_BOOL:
		break;
	}
}

/* ---- what arguments are used for ---- */

enum { SAMPLED = 1, DECIDING = 2 };

static void use(Check *c, const Expr *e, const Local *locals, int how);

static void use_name(Check *c, const char *name, const Local *locals, int how)
{
	const Local *l = find_local(locals, name);
	if (!l || !l->decl)
		return;
	if (l->decl->kind == DECL_ARGUMENT) {
		l->decl->by_name |= (how & SAMPLED) != 0;
		l->decl->decides |= (how & DECIDING) != 0;
	} else if ((l->decl->mark & how << 4) != how << 4) {
		l->decl->mark |= how << 4;
		use(c, l->decl->value, locals, how);
	}
}

static int use_of_argument(const Decl *fn, const Arg *a, int position, int how)
{
	for (; fn; fn = fn->overload) {
		int i = 0;
		for (const Decl *d = fn->args; d; d = d->next, i++)
			if (a->name ? a->name == d->name : i == position)
				how |= (d->by_name ? SAMPLED : 0) | (d->decides ? DECIDING : 0);
		if (fn->mark == 1)
			how |= SAMPLED;
	}
	return how;
}

static void use_call(Check *c, const Expr *e, const Local *locals, int how)
{
	const char *name = e->u.call.name;
	if (!name)
		return;
	const Decl *fn = scope_find(c->scope, name);
	for (const Arg *a = e->u.call.args; a; a = a->next)
		if (a->name && !strcmp(a->name, "seed"))
			how |= SAMPLED;
	int position = 0;
	for (const Arg *a = e->u.call.args; a; a = a->next, position++) {
		int h = how;
		if (fn)
			h = use_of_argument(fn, a, position, how);
		else if ((!strcmp(name, "reseed") || !strcmp(name, "tile")) && position == 0)
			h |= SAMPLED;
		else if (!strcmp(name, "range") || !strcmp(name, "grad") || !strcmp(name, "here"))
			h |= SAMPLED;
		else if (!strcmp(name, "known") || !strcmp(name, "ramp"))
			h |= DECIDING;
		use(c, a->value, locals, h);
	}
}

static void use(Check *c, const Expr *e, const Local *locals, int how)
{
	if (!e)
		return;
	switch (e->kind) {
	case EXPR_NAME:
		use_name(c, e->u.name, locals, how);
		break;
	case EXPR_UNARY:
		use(c, e->u.op.a, locals, how);
		break;
	case EXPR_BINARY:
		for (; e->kind == EXPR_BINARY; e = e->u.op.a)
			use(c, e->u.op.b, locals, how);
		use(c, e, locals, how);
		break;
	case EXPR_SAMPLE:
		use(c, e->u.op.a, locals, how | SAMPLED);
		use(c, e->u.op.b, locals, how);
		break;
	case EXPR_CHOICE:
		use(c, e->u.choice.condition, locals, how | DECIDING);
		use(c, e->u.choice.yes, locals, how);
		use(c, e->u.choice.no, locals, how);
		break;
	case EXPR_CALL:
		use_call(c, e, locals, how);
		break;
	case EXPR_MEMBER:
		use(c, e->u.member.of, locals, how);
		break;
	case EXPR_FOLD: {
		const Local *inside = locals;
		use(c, e->u.fold.from, locals, how | DECIDING);
		use(c, e->u.fold.to, locals, how | DECIDING);
		for (const Carry *k = e->u.fold.lines; k; k = k->next) {
			Local *l = arena_alloc(c->arena, sizeof *l);
			*l = (Local){ k->name, k->node, inside };
			inside = l;
		}
		for (const Carry *k = e->u.fold.lines; k; k = k->next) {
			/* what a round computes may be known at compile time: the norm of an fBm */
			use(c, k->first, k->then ? locals : inside, how | DECIDING);
			use(c, k->then, inside, how | DECIDING);
		}
		use(c, e->u.fold.result, inside, how);
		break;
	}
	case EXPR_MATCH:
		use(c, e->u.match.of, locals, how | DECIDING);
		for (const Arm *a = e->u.match.arms; a; a = a->next)
			use(c, a->value, locals, how);
		break;
	case EXPR_STOPS:
		for (const Stop *s = e->u.stops; s; s = s->next) {
			use(c, s->at, locals, how);
			use(c, s->value, locals, how);
		}
		break;
	case EXPR_NUMBER: case EXPR_COLOUR: case EXPR_BOOL:
		break;
	}
}

/* ---- declarations ---- */

static const Local *declare(Check *c, Decl *list, const Local *locals)
{
	for (Decl *d = list; d; d = d->next) {
		refuse_reserved(c, d->name, d->name_span);
		if (find_local(locals, d->name))
			diag_error(c->diag, "N0201", d->name_span, "'%s' is declared twice in this function", d->name);
		Local *l = arena_alloc(c->arena, sizeof *l);
		*l = (Local){ d->name, d, locals };
		locals = l;
	}
	return locals;
}

static void visit_fn(Check *c, Decl *fn)
{
	for (const Decl *a = fn->args; a; a = a->next) {
		walk(c, a->value, NULL);
		walk(c, a->low, NULL);
		walk(c, a->high, NULL);
	}
	const Local *locals = declare(c, fn->locals, declare(c, fn->args, NULL));
	walk_locals(c, fn->locals, locals);
	walk(c, fn->value, locals);
	use(c, fn->value, locals, 0);
	for (const Decl *n = fn->locals; n; n = n->next)
		use(c, n->value, locals, 0);
}

static void visit(Check *c, Decl *d, Span use_span)
{
	if (d->mark || d->scope->library != c->scope->library)
		return;
	d->mark = 1;
	struct Link link = { d, use_span, c->path };
	c->path = &link;
	if (d->kind == DECL_FN)
		visit_fn(c, d);
	else
		walk(c, d->value, NULL);
	walk(c, d->low, NULL);
	walk(c, d->high, NULL);
	c->path = link.outer;
	d->mark = 2;
}

static void check_enum(Check *c, const Decl *d)
{
	for (const Enumerator *e = d->enumerators; e; e = e->next) {
		if (e->name[0] < 'A' || e->name[0] > 'Z')
			diag_error(c->diag, "N0208", e->span, "an enumerator starts with a capital letter");
		for (const Enumerator *o = d->enumerators; o != e; o = o->next)
			if (o->name == e->name)
				diag_error(c->diag, "N0201", e->span, "'%s' is listed twice", e->name);
	}
}

void check_scope(Arena *arena, Diagnostics *diag, const File *files, size_t count, const Scope *outer, bool library, Scope *out)
{
	Check c = { .arena = arena, .diag = diag, .scope = out };
	for (size_t i = 0; i < count; i++)
		c.broken = c.broken || files[i].broken;
	size_t names = 0;
	for (size_t i = 0; i < count; i++)
		for (const Decl *d = files[i].decls; d; d = d->next)
			names++;
	*out = (Scope){ .outer = outer, .library = library, .size = 16 };
	while (out->size < 2 * names + 2)
		out->size *= 2;
	out->slot = arena_alloc(arena, out->size * sizeof *out->slot);
	for (size_t i = 0; i < count; i++)
		for (Decl *d = files[i].decls; d; d = d->next) {
			if (d->kind == DECL_IMPORT)
				diag_error(diag, "N0210", d->span, "import is not in this version; put the declarations into this file");
			if (has_name(d))
				add(&c, out, d);
			if (d->kind == DECL_ENUM)
				check_enum(&c, d);
		}
	for (Decl *d = out->first; d; d = d->next_in_scope)
		visit(&c, d, d->name_span);
}
