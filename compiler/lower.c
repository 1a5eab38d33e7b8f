/* Expressions, typed and turned into values in one walk, because the type of a field depends on where it
   is sampled and on what is known there. See lower.h for instances and contexts. Unknown names were
   reported by check: here they are silently BAD. */
#include <assert.h>
#include <string.h>

#include "lower.h"
#include "../runtime/num.h"

bool lower_is_const(const Context *c, Typed v)
{
	return v.ref && ir_is_const(c->frame->func, v.ref);
}

/* ---- the context as values ---- */

static Ref own_arg(Func *f, ArgRole role, const char *name, Kind kind, int width)
{
	for (uint32_t i = 0; i < f->args; i++)
		if (f->arg[i].role == role)
			return ir_value(f, IR_ARG, kind, width, i, NULL, 0);
	return ir_arg(f, name, kind, width, role, 0);
}

/* Under here() it is the root's, handed down to the function being built. */
static Ref context_arg(Lower *l, const Context *c, ArgRole role, const char *name, Kind kind, int width)
{
	Func *f = c->here ? l->root.func : c->frame->func;
	Ref r = own_arg(f, role, name, kind, width);
	return c->here ? lower_capture(c->frame, f, r, NULL, c->frame->call) : r;
}

Ref lower_position(Lower *l, const Context *c)
{
	c->use->position = true;
	return c->p ? c->p : context_arg(l, c, ROLE_POSITION, "p", KIND_FLOAT, c->width);
}

Ref lower_seed(Lower *l, const Context *c)
{
	c->use->seed = true;
	return c->seed ? c->seed : context_arg(l, c, ROLE_SEED, "seed", KIND_UINT, 1);
}

/* A value of `source`, a function around this one, seen from `frame`: handed in as an argument. `like`
   tells that it is a sample's input. */
Ref lower_capture(Frame *frame, const Func *source, Ref r, const FuncArg *like, Span use)
{
	Func *f = frame->func;
	const Value *v = &source->value[r];
	if (source == f)
		return r;
	if (v->op == IR_CONST)
		return ir_const(f, (Kind)v->kind, v->width, ir_bits(source, r));
	assert(frame->caller);                  /* nothing is handed to the root */
	for (uint32_t i = 0; i < f->args; i++)
		if (f->arg[i].source == source && f->arg[i].source_ref == r && (f->arg[i].role == ROLE_INPUT) == (like != NULL))
			return ir_value(f, IR_ARG, (Kind)v->kind, v->width, i, NULL, 0);
	Ref arg = ir_arg(f, v->name, (Kind)v->kind, v->width, like ? like->role : ROLE_VALUE, like ? like->index : 0);
	FuncArg *a = &f->arg[f->args - 1];
	a->source = source;
	a->source_ref = r;
	a->use = use;
	return arg;
}

/* A finished function takes its position first, then the seed, then what it was given. */
void lower_order_args(Lower *l, Func *f)
{
	static const int rank[] = { [ROLE_POSITION] = 0, [ROLE_SEED] = 2, [ROLE_VALUE] = 1, [ROLE_INPUT] = 1 };
	FuncArg *sorted = arena_alloc(l->arena, (f->args + 1) * sizeof *sorted);
	uint32_t *place = arena_alloc(l->arena, (f->args + 1) * sizeof *place), count = 0;
	for (int r = 0; r < 3; r++)
		for (uint32_t i = 0; i < f->args; i++)
			if (rank[f->arg[i].role] == r) {
				place[i] = count;
				sorted[count++] = f->arg[i];
			}
	for (Ref r = 1; r < f->count; r++)
		if (f->value[r].op == IR_ARG)
			f->value[r].imm = place[f->value[r].imm];
	f->arg = sorted;
	f->arg_capacity = f->args;
}

/* ---- names ---- */

const Decl *lower_enum_of(const Env *env, const char *name, int *value)
{
	for (const Scope *s = env->scope; s; s = s->outer)
		for (uint32_t i = 0; i < s->enumerations; i++)
			for (const Enumerator *e = s->enumeration[i]->enumerators; e; e = e->next)
				if (e->name == name) {
					*value = e->value;
					return s->enumeration[i];
				}
	return NULL;
}

const Enumerator *lower_enumerator(const Decl *d, const char *name)
{
	const Enumerator *e = d->enumerators;
	while (e && e->name != name)
		e = e->next;
	return e;
}

/* Says what the enum has instead: the nearest, or all if they are few. */
void lower_no_enumerator(Lower *l, const Decl *d, const char *name, Span span)
{
	enum { FEW = 8, MANY = 64 };
	const char *names[MANY] = { NULL };
	size_t count = 0;
	Text list = { .arena = l->arena };
	for (const Enumerator *n = d->enumerators; n && count < MANY; n = n->next) {
		text_format(&list, "%s%s", count ? ", " : "", n->name);
		names[count++] = n->name;
	}
	const char *near = diag_nearest(name, names, count);
	if (near) {
		lower_fix(l, span, "%s", near);
		lower_error(l, "N0304", span, "'%s' is not one of %s; did you mean '%s'?", name, d->name, near);
	} else if (count <= FEW)
		lower_error(l, "N0304", span, "'%s' is not one of %s, which has %s", name, d->name, list.data);
	else
		lower_error(l, "N0304", span, "'%s' is not one of %s", name, d->name);
}

static Typed enum_value(const Context *c, const Decl *d, int value)
{
	return typed((Type){ .base = BASE_ENUM, .width = 1, .enumeration = d }, ir_int(c->frame->func, value));
}

static Typed clamp_argument(Lower *l, const Context *c, Typed v, const Decl *d)
{
	if (!d || !d->low)
		return v;
	return lower_clamp(l, c, d->scope == l->library ? l->library_env : l->file_env, v, d->low, d->high);
}

static Typed bound_value(Lower *l, const Context *c, const Binding *b, const Env *where, Span span)
{
	switch (b->kind) {
	case BIND_CONST:
		return typed(b->type, ir_const(c->frame->func, type_kind(b->type), b->type.width, b->bits));
	case BIND_VALUE:
		return typed(b->type, lower_capture(c->frame, b->func, b->ref, NULL, span));
	case BIND_ARGUMENT: {
		/* an argument of a call: of the function being built for that call, here or further out */
		Frame *home = c->frame;
		while (home && home->env != where)
			home = home->caller;
		assert(home);
		Ref r = 0;
		for (uint32_t i = 0; i < home->func->args && !r; i++) {
			const FuncArg *a = &home->func->arg[i];
			if (a->role == ROLE_VALUE && !a->source && a->index == b->index)
				r = ir_value(home->func, IR_ARG, (Kind)a->kind, a->width, i, NULL, 0);
		}
		if (!r)
			r = ir_arg(home->func, b->name, type_kind(b->type), b->type.width, ROLE_VALUE, b->index);
		Context at_home = { .frame = home, .width = home->width, .use = c->use };
		Typed v = clamp_argument(l, &at_home, typed(b->type, r), b->decl);
		return v.ref ? typed(v.type, lower_capture(c->frame, home->func, v.ref, NULL, span)) : v;
	}
	case BIND_FIELD: {
		bool node = b->decl && b->decl->kind == DECL_NODE;
		Type type = node ? type_of_name(l, b->decl->type, c->width) : b->type;
		Typed v = lower_field(l, c, b->expr, b->env, b->decl, type);
		if (type.base != BASE_BAD)
			v = convert(l, c, v, type, b->expr->span, text_print(l->arena, "'%s'", b->name));
		return b->decl && b->decl->kind == DECL_ARGUMENT && v.ref ? clamp_argument(l, c, v, b->decl) : v;
	}
	}
	return typed_bad();
}

/* An input at a place moved to by '@': `span` says where, `use` names the input. */
Typed lower_refuse_input(Lower *l, const char *name, Span span, Span use)
{
	if (use.start != span.start)
		lower_note(l, use, "the input is used here");
	if (use.source && !strncmp(use.source->text + use.start, name, use.end - use.start) && strlen(name) == use.end - use.start)
		lower_fix(l, use, "here(%s)", name);
	lower_error(l, "N0401", span, "input '%s' is known only at the sample being evaluated, not at another place: move it outside of '@', or write here(%s)", name, name);
	return typed_bad();
}

Typed lower_declared(Lower *l, const Context *c, const Decl *d, Span span)
{
	const Env *env = d->scope == l->library ? l->library_env : l->file_env;
	if (d->broken)
		return typed_bad();
	switch (d->kind) {
	case DECL_CONST: {
		Type t = type_of_name(l, d->type, c->width);
		Typed v = lower_field(l, c, d->value, env, d, t);
		if (t.base)
			v = convert(l, c, v, t, d->value->span, text_print(l->arena, "'%s'", d->name));
		if (v.ref && !lower_is_const(c, v)) {
			lower_error(l, "N0303", d->value->span, "the value of const '%s' is not known at compile time", d->name);
			return typed_bad();
		}
		return v;
	}
	case DECL_PARAM: case DECL_INPUT:
		if (!l->ready) {
			lower_error(l, "N0303", span, "'%s' is not known at compile time", d->name);
			return typed_bad();
		}
		for (uint32_t i = 0; i < l->program->uniforms; i++)
			if (l->uniform_decl[i] == d && l->uniform[i].ref)
				return typed(l->uniform[i].type, lower_capture(c->frame, l->root.func, l->uniform[i].ref, NULL, span));
		for (uint32_t i = 0; i < l->program->inputs; i++)
			if (l->input_decl[i] == d && l->input[i].ref) {
				FuncArg like = { .role = ROLE_INPUT, .index = i };
				if (c->moved)
					return lower_refuse_input(l, d->name, span, span);
				return typed(l->input[i].type, lower_capture(c->frame, l->root.func, l->input[i].ref, c->here ? NULL : &like, span));
			}
		return typed_bad();
	case DECL_NODE: case DECL_OUTPUT: {
		Type t = type_of_name(l, d->type, c->width);
		Typed v = lower_field(l, c, d->value, env, d, t);
		return t.base ? convert(l, c, v, t, d->value->span, text_print(l->arena, "'%s'", d->name)) : v;
	}
	default:
		return typed_bad();
	}
}

static Typed lower_name(Lower *l, const Context *c, const Env *env, const Expr *e, Type expect)
{
	const char *name = e->u.name;
	if (expect.base == BASE_ENUM) {
		const Enumerator *n = lower_enumerator(expect.enumeration, name);
		if (n)
			return enum_value(c, expect.enumeration, n->value);
	}
	Binding b;
	const Env *where;
	if (lower_lookup(env, name, &b, &where))
		return bound_value(l, c, &b, where, e->span);
	const Decl *d = scope_find(env->scope, name);
	if (d)
		return lower_declared(l, c, d, e->span);
	if (!strcmp(name, "p"))
		return typed(type_make(BASE_FLOAT, c->width), lower_position(l, c));
	if (!strcmp(name, "seed"))
		return typed(type_make(BASE_UINT, 1), lower_seed(l, c));
	if (!strcmp(name, "period")) {
		lower_error(l, "N0410", e->span, "'period' is not in this version");
		return typed_bad();
	}
	int value;
	const Decl *owner = lower_enum_of(env, name, &value);
	if (owner && expect.base == BASE_ENUM)
		lower_no_enumerator(l, expect.enumeration, name, e->span);
	else if (owner) {
		lower_fix(l, e->span, "%s.%s", owner->name, name);
		lower_error(l, "N0304", e->span, "'%s' needs its enum here: write '%s.%s'", name, owner->name, name);
	}
	return typed_bad();
}

/* ---- fields and instances ---- */

static bool is_atom(const Expr *e)
{
	return e->kind == EXPR_NUMBER || e->kind == EXPR_BOOL || e->kind == EXPR_COLOUR || e->kind == EXPR_STOPS
		|| (e->kind == EXPR_NAME && (!strcmp(e->u.name, "p") || !strcmp(e->u.name, "seed")));
}

/* A name that stands for another field is that field: moves e and env there, returns its declaration. */
const Decl *lower_resolve(const Expr **e, const Env **env, const Decl *d)
{
	while ((*e)->kind == EXPR_NAME) {
		Binding b;
		const Env *where;
		if (!lower_lookup(*env, (*e)->u.name, &b, &where) || b.kind != BIND_FIELD || b.type.base != BASE_BAD
		    || (b.decl && (b.decl->type.name || b.decl->low)))
			break;
		*e = b.expr;
		*env = b.env;
		d = b.decl ? b.decl : d;
	}
	return d;
}

/* The value of a field in a context: a call of its instance. */
Typed lower_field(Lower *l, const Context *c, const Expr *e, const Env *env, const Decl *d, Type expect)
{
	d = lower_resolve(&e, &env, d);
	if (is_atom(e) || e->kind == EXPR_NAME) {
		Typed v = lower_expr(l, c, env, e, expect);
		v.type.whole = false;
		return v;
	}
	Instance *i = lower_find_instance(l, e, env, c->width, expect);
	if (!i->func) {
		i->func = ir_func_new(l->arena);
		i->func->name = d && d->kind != DECL_ARGUMENT ? d->name : NULL;
		i->func->doc = d && d->kind != DECL_ARGUMENT ? d->doc : NULL;
		i->func->library = e->span.source && e->span.source->library;
		i->func->local = !d || d->kind == DECL_ARGUMENT || !d->scope;
		Frame frame = { .func = i->func, .caller = c->frame, .width = c->width, .place = c->place };
		Context inside = { .frame = &frame, .width = c->width, .place = c->place, .use = &i->use };
		Frame *outer = l->frame;
		Instance *around = l->current;
		l->frame = &frame;
		l->current = i;
		Typed v = lower_expr(l, &inside, env, e, expect);
		l->frame = outer;
		l->current = around;
		v.type.whole = false;           /* a named whole number is a float */
		i->type = v.type;
		i->stops = v;
		i->func->results = 1;
		i->func->result = arena_alloc(l->arena, sizeof *i->func->result);
		i->func->result[0] = v.ref;
		lower_order_args(l, i->func);
		i->state = v.ref || v.type.base == BASE_STOPS ? INSTANCE_DONE : INSTANCE_BAD;
	}
	return lower_instance(l, c, i, NULL, e->span);
}

/* ---- the rest ---- */

static Typed lower_number(Lower *l, const Context *c, const Expr *e, Type expect)
{
	Func *f = c->frame->func;
	uint64_t whole = e->u.number.whole;
	if (e->u.number.kind == NUMBER_REAL)
		return typed(type_make(BASE_FLOAT, 1), ir_float(f, e->u.number.real));
	if (e->u.number.kind == NUMBER_UINT || expect.base == BASE_UINT)
		return typed(type_make(BASE_UINT, 1), ir_uint(f, (uint32_t)whole));
	if (expect.base == BASE_INT) {
		if (whole > INT32_MAX) {
			lower_fix(l, e->span, "int(%uu)", (unsigned)whole);
			lower_error(l, "N0310", e->span, "%u does not fit in an int; write int(%uu) for its bits", (unsigned)whole, (unsigned)whole);
			return typed_bad();
		}
		return typed(type_make(BASE_INT, 1), ir_int(f, num_int((uint32_t)whole)));
	}
	/* a float for now; one that float cannot hold must not later become another int */
	Typed v = typed(type_make(BASE_FLOAT, 1), ir_float(f, (float)whole));
	v.type.whole = whole <= 1u << 24;
	return v;
}

/* sRGB to linear, IEC 61966-2-1, through a table so that no libm enters. */
static const float srgb_linear[256] = {
#include "srgb_table.h"
};

static Typed lower_colour(const Context *c, const Expr *e)
{
	uint32_t bits[4], rgba = e->u.colour.rgba;
	for (int i = 0; i < 3; i++)
		bits[i] = num_bits(srgb_linear[rgba >> (24 - 8 * i) & 255u]);
	bits[3] = num_bits((float)(rgba & 255u) / 255.0f);
	return typed(type_make(BASE_FLOAT, e->u.colour.channels), ir_const(c->frame->func, KIND_FLOAT, e->u.colour.channels, bits));
}

/* s t p q of GLSL, u v of others, by our names; NULL: none of them. */
static const char *texture_swizzle(Lower *l, const char *name)
{
	static const char *const sets[] = { "stpq", "uv" };
	for (size_t i = 0; i < 2; i++) {
		if (strspn(name, sets[i]) != strlen(name))
			continue;
		Text text = { .arena = l->arena };
		for (; *name; name++)
			text_add_n(&text, &"xyzw"[strchr(sets[i], *name) - sets[i]], 1);
		return text.data;
	}
	return NULL;
}

static Typed lower_swizzle(Lower *l, const Context *c, const Env *env, const Expr *e)
{
	const char *name = e->u.member.name;
	if (e->u.member.of->kind == EXPR_NAME) {
		Binding b;
		const Env *where;
		const Decl *d = lower_lookup(env, e->u.member.of->u.name, &b, &where) ? NULL : scope_find(env->scope, e->u.member.of->u.name);
		if (d && d->kind == DECL_IMPORT)
			return typed_bad();
		if (d && d->kind == DECL_ENUM) {
			const Enumerator *n = lower_enumerator(d, name);
			if (n)
				return enum_value(c, d, n->value);
			lower_no_enumerator(l, d, name, e->u.member.name_span);
			return typed_bad();
		}
	}
	Typed v = lower_expr(l, c, env, e->u.member.of, type_none());
	if (v.type.base == BASE_BAD)
		return v;
	size_t count = strlen(name);
	const char *set = NULL;
	for (const char *const *s = (const char *const[]){ "xyzw", "rgba", NULL }; *s && !set; s++)
		if (strspn(name, *s) == count)
			set = *s;
	if (!set || count < 1 || count > 4 || !(type_numeric(v.type) || v.type.base == BASE_BOOL)) {
		const char *ours = texture_swizzle(l, name);
		if (ours)
			lower_fix(l, e->u.member.name_span, "%s", ours);
		lower_error(l, "N0311", e->u.member.name_span, "'%s' has no member '%s'; components are x y z w or r g b a", type_text(l, v.type), name);
		return typed_bad();
	}
	Ref lanes[4];
	for (size_t i = 0; i < count; i++) {
		int lane = (int)(strchr(set, name[i]) - set);
		if (lane >= v.type.width) {
			lower_error(l, "N0311", e->u.member.name_span, "a %s has no component '%c'", type_text(l, v.type), name[i]);
			return typed_bad();
		}
		lanes[i] = ir_lane(c->frame->func, v.ref, lane);
	}
	return typed(type_make(v.type.base, (int)count), ir_vec(c->frame->func, lanes, (int)count));
}

/* The context on the left of f @ q, which may be `c` itself; false after an error. */
bool lower_move(Lower *l, const Context *c, const Env *env, const Expr *e, Context *there)
{
	Typed q = lower_expr(l, c, env, e->u.op.b, type_none());
	if (q.type.base == BASE_INT || q.type.base == BASE_UINT)
		q = convert_quietly(c, q, type_make(BASE_FLOAT, q.type.width));
	if (q.type.base != BASE_BAD && q.type.base != BASE_FLOAT) {
		lower_error(l, "N0312", e->u.op.b->span, "the place after '@' must be float or a float vector, not %s", type_text(l, q.type));
		q = typed_bad();
	}
	if (q.type.base == BASE_BAD)
		return false;
	Span own = { NULL, 0, 0 };
	Span place = q.type.width == c->width ? c->place : q.type.width == l->program->domain ? own : e->u.op.op_span;
	*there = *c;
	there->width = q.type.width;
	there->p = q.ref;
	there->moved = true;
	there->place = place;
	return true;
}

static Typed lower_sample(Lower *l, const Context *c, const Env *env, const Expr *e, Type expect)
{
	Context there;
	if (!lower_move(l, c, env, e, &there))
		return typed_bad();
	Use use = { false, false };
	there.use = &use;
	Typed v = lower_expr(l, &there, env, e->u.op.a, expect);
	c->use->seed = c->use->seed || use.seed;
	if (v.ref && !use.position)
		lower_warning(l, "N0450", e->u.op.op_span, "'@' has no effect: what stands on its left does not depend on p");
	v.type.whole = false;
	return v;
}

/* clamp(v, low, high) as min(max(v, low), high), for "in low .. high". */
Typed lower_clamp(Lower *l, const Context *c, const Env *env, Typed v, const Expr *low, const Expr *high)
{
	if (!v.ref)
		return v;
	if (!type_numeric(v.type)) {
		lower_error(l, "N0313", low->span, "a range needs numbers, not %s", type_text(l, v.type));
		return typed_bad();
	}
	Type scalar = type_make(v.type.base, 1);
	Use none = { false, false };
	Context still = *c;
	still.use = &none;
	Typed a = convert(l, c, lower_expr(l, &still, env, low, scalar), v.type, low->span, "the lower bound");
	Typed b = convert(l, c, lower_expr(l, &still, env, high, scalar), v.type, high->span, "the upper bound");
	if (!a.ref || !b.ref)
		return typed_bad();
	if (!lower_is_const(c, a) || !lower_is_const(c, b)) {
		lower_error(l, "N0303", low->span, "the bounds of a range must be known at compile time");
		return typed_bad();
	}
	Func *f = c->frame->func;
	bool real = v.type.base == BASE_FLOAT, whole = v.type.base == BASE_INT;
	Ref order = ir_op(f, real ? OP_FLE : whole ? OP_ILE : OP_ULE, a.ref, b.ref, 0);
	if (!ir_bits(f, order)[0]) {
		lower_error(l, "N0314", low->span, "the range is empty: its lower bound is above the upper one");
		return typed_bad();
	}
	Ref r = ir_op(f, real ? OP_FMAX : whole ? OP_IMAX : OP_UMAX, v.ref, a.ref, 0);
	return typed(v.type, ir_op(f, real ? OP_FMIN : whole ? OP_IMIN : OP_UMIN, r, b.ref, 0));
}

static Typed lower_by_kind(Lower *l, const Context *c, const Env *env, const Expr *e, Type expect)
{
	switch (e->kind) {
	case EXPR_NAME: return lower_name(l, c, env, e, expect);
	case EXPR_NUMBER: return lower_number(l, c, e, expect);
	case EXPR_COLOUR: return lower_colour(c, e);
	case EXPR_BOOL: return typed(type_make(BASE_BOOL, 1), ir_bool(c->frame->func, e->u.truth));
	case EXPR_UNARY: return lower_unary(l, c, env, e, expect);
	case EXPR_BINARY: return lower_chain(l, c, env, e, expect);
	case EXPR_CHOICE: return lower_choice(l, c, env, e, expect);
	case EXPR_CALL: return lower_call(l, c, env, e, expect);
	case EXPR_MEMBER: return lower_swizzle(l, c, env, e);
	case EXPR_SAMPLE: return lower_sample(l, c, env, e, expect);
	case EXPR_FOLD: return lower_fold(l, c, env, e, expect);
	case EXPR_MATCH: return lower_match(l, c, env, e, expect);
	case EXPR_STOPS: {
		Typed v = { .type = type_make(BASE_STOPS, 1), .stops = e->u.stops ? e : NULL, .stops_env = env };
		return v;
	}
	}
	return typed_bad();
}

Typed lower_expr(Lower *l, const Context *c, const Env *env, const Expr *e, Type expect)
{
	if (l->depth >= MAX_DEPTH) {
		if (l->depth == MAX_DEPTH) {
			l->depth++;
			lower_error(l, "N0405", e->span, "the fields and functions that lead here are nested too deeply");
		}
		return typed_bad();
	}
	l->depth++;
	Typed v = lower_by_kind(l, c, env, e, expect);
	l->depth--;
	return v;
}
