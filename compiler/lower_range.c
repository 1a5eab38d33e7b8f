/* range(f), and what unit(f) needs of it: bounds on both sides, or a word on which part of f has none. */
#include <string.h>

#include "lower.h"
#include "../runtime/num.h"

Typed lower_range(Lower *l, const Context *c, const Env *env, const Expr *of)
{
	Use use = { false, false };
	Context still = *c;
	still.use = &use;
	Typed v = lower_expr(l, &still, env, of, type_none());
	if (!v.ref)
		return v;
	if (!type_numeric(v.type)) {
		lower_error(l, "N0313", of->span, "range needs numbers, not %s", type_text(l, v.type));
		return typed_bad();
	}
	Range r = range_of(l->program, c->frame->func, v.ref, true);
	Bounds b = range_bounds(r);
	uint32_t bits[2] = { num_bits(b.low), num_bits(b.high) };
	return typed(type_make(BASE_FLOAT, 2), ir_const(c->frame->func, KIND_FLOAT, 2, bits));
}

static bool has_low(Range r) { return r.low > -(double)NUM_FLOAT_MAX; }
static bool has_high(Range r) { return r.high < (double)NUM_FLOAT_MAX; }

/* Whether this part of a field is without bounds, as far as can be told without a message. */
static bool is_unbounded(Lower *l, const Context *c, const Env *env, const Expr *e)
{
	Use use = { false, false };
	Context still = *c;
	still.use = &use;
	Trial before = lower_try(l);
	Typed v = lower_expr(l, &still, env, e, type_none());
	lower_undo(l, before);
	if (!v.ref || !type_numeric(v.type))
		return false;
	Range r = range_of(l->program, c->frame->func, v.ref, true);
	return !has_low(r) || !has_high(r);
}

/* The smallest part without bounds that the author can see: down through operators, names and arguments. */
static const Expr *unbounded_part(Lower *l, const Context *c, const Env *env, const Expr *e)
{
	enum { STEPS = 64 };
	Context there = *c;
	for (int step = 0; step < STEPS; step++) {
		const Expr *part[2] = { NULL, NULL };
		if (e->kind == EXPR_UNARY) {
			part[0] = e->u.op.a;
		} else if (e->kind == EXPR_BINARY) {
			part[0] = e->u.op.b;
			part[1] = e->u.op.a;
		} else if (e->kind == EXPR_CHOICE) {
			part[0] = e->u.choice.yes;
			part[1] = e->u.choice.no;
		} else if (e->kind == EXPR_MEMBER) {
			bool position = e->u.member.of->kind == EXPR_NAME && !strcmp(e->u.member.of->u.name, "p");
			part[0] = position ? NULL : e->u.member.of;
		} else if (e->kind == EXPR_SAMPLE) {
			Trial before = lower_try(l);
			bool fine = lower_move(l, &there, env, e, &there);
			lower_undo(l, before);
			part[0] = fine ? e->u.op.a : NULL;
		} else if (e->kind == EXPR_CALL) {
			const Arg *a = e->u.call.args;
			while (a && !is_unbounded(l, &there, env, a->value))
				a = a->next;
			part[0] = a ? a->value : NULL;
		} else if (e->kind == EXPR_NAME) {
			Binding b;
			const Env *where;
			const Decl *d = NULL;
			if (lower_lookup(env, e->u.name, &b, &where)) {
				if (b.kind != BIND_FIELD)
					return e;
				e = b.expr;
				env = b.env;
				continue;
			}
			d = scope_find(env->scope, e->u.name);
			if (!d || d->scope != l->file || (d->kind != DECL_NODE && d->kind != DECL_OUTPUT))
				return e;
			e = d->value;
			env = l->file_env;
			continue;
		}
		if (part[0] && is_unbounded(l, &there, env, part[0]))
			e = part[0];
		else if (part[1] && is_unbounded(l, &there, env, part[1]))
			e = part[1];
		else
			return e;
	}
	return e;
}

/* The compiler's part of unit(f): false after an error. */
bool lower_has_bounds(Lower *l, const Context *c, const Binding *field)
{
	Typed f = lower_field(l, c, field->expr, field->env, NULL, type_none());
	if (!f.ref || !type_numeric(f.type)) {
		if (f.ref)
			lower_error(l, "N0313", field->expr->span, "unit needs numbers, not %s", type_text(l, f.type));
		return false;
	}
	Range r = range_of(l->program, c->frame->func, f.ref, true);
	if (has_low(r) && has_high(r))
		return true;
	const Expr *part = unbounded_part(l, c, field->env, field->expr);
	const char *text = lower_text(l, part), *side = has_low(r) ? "upper" : has_high(r) ? "lower" : "lower or upper";
	if (part != field->expr)
		lower_note(l, part->span, "the part without bounds");
	if (text)
		lower_error(l, "N0409", field->expr->span, "unit needs a field with bounds, but '%s' has no %s one; clamp it, or write remap(f, low, high, 0, 1)", text, side);
	else
		lower_error(l, "N0409", field->expr->span, "unit needs a field with bounds, but this has no %s one; clamp it, or write remap(f, low, high, 0, 1)", side);
	return false;
}
