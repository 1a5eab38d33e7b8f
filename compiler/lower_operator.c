/* Operators, choices and match: which side tells a literal its type, the least type of both sides, and what
   is chosen at compile time. */
#include <string.h>

#include "lower.h"
#include "../runtime/num.h"

bool lower_is_literal(const Expr *e)
{
	while (e->kind == EXPR_UNARY || e->kind == EXPR_BINARY) {
		if (e->kind == EXPR_BINARY && !lower_is_literal(e->u.op.b))
			return false;
		e = e->u.op.a;
	}
	return e->kind == EXPR_NUMBER && e->u.number.kind == NUMBER_WHOLE;
}

/* What an operand is told to be: whole literals and enumerators listen to it. */
Type lower_hint(Type t)
{
	return t.base == BASE_ENUM ? t : type_numeric(t) && !t.whole ? type_make(t.base, 1) : type_none();
}

static bool is_bitwise(const char *op)
{
	return strchr("&|^~", op[0]) || !strcmp(op, "<<") || !strcmp(op, ">>");
}

/* Bits are those of ints and uints only, so that is what a literal among them is: an int where nothing else decides. */
static Type bit_hint(Type t)
{
	return t.base == BASE_UINT ? t : type_make(BASE_INT, 1);
}

static bool compares(const char *op)
{
	return strchr("=!<>", op[0]) && strcmp(op, "<<") && strcmp(op, ">>");
}

static Typed binary_row(Lower *l, const Context *c, const Expr *e, Typed a, Typed b)
{
	const char *op = e->u.op.op;
	if (a.type.base == BASE_BAD || b.type.base == BASE_BAD)
		return typed_bad();
	Typed operands[2] = { a, b };
	bool shift = !strcmp(op, "<<") || !strcmp(op, ">>");
	if (shift) {
		/* the count is taken & 31; its sign does not matter */
		Func *f = c->frame->func;
		Type count = a.type.whole ? type_make(BASE_INT, 1) : a.type;
		if (b.type.whole)
			b = convert_quietly(c, b, type_make(BASE_INT, b.type.width));
		if (b.type.base == BASE_UINT && count.base == BASE_INT)
			b = typed(type_make(BASE_INT, b.type.width), ir_op(f, OP_UTOI, b.ref, 0, 0));
		else if (b.type.base == BASE_INT && count.base == BASE_UINT)
			b = typed(type_make(BASE_UINT, b.type.width), ir_op(f, OP_ITOU, b.ref, 0, 0));
		operands[1] = b;
		if (b.type.base == BASE_INT || b.type.base == BASE_UINT) {
			Ref mask = b.type.base == BASE_INT ? ir_int(f, 31) : ir_uint(f, 31u);
			operands[1].ref = ir_op(f, b.type.base == BASE_INT ? OP_IAND : OP_UAND, b.ref, mask, 0);
		}
	}
	if (is_bitwise(op) && a.type.whole && operands[1].type.whole)
		for (int i = 0; i < 2; i++)
			operands[i] = convert_quietly(c, operands[i], type_make(BASE_INT, operands[i].type.width));
	Typed r = lower_row(l, c, op, operands, 2, e->u.op.op_span, true);
	if (r.ref && compares(op))
		lower_note_comparison(l, c, e, a.ref, b.ref, r.ref);
	return r;
}

static Typed lower_binary(Lower *l, const Context *c, const Env *env, const Expr *e, Type expect)
{
	const char *op = e->u.op.op;
	bool comparison = compares(op);
	Type down = comparison || !strcmp(op, "and") || !strcmp(op, "or") ? type_none() : lower_hint(expect);
	if (down.base == BASE_ENUM)
		down = type_none();
	if (is_bitwise(op))
		down = bit_hint(down);
	const Expr *x = e->u.op.a, *y = e->u.op.b;
	Typed a, b;
	int value;
	if (lower_is_literal(x) || (comparison && x->kind == EXPR_NAME && !scope_find(env->scope, x->u.name) && lower_enum_of(env, x->u.name, &value))) {
		b = lower_expr(l, c, env, y, down);
		a = lower_expr(l, c, env, x, b.type.base && !(lower_is_literal(y) && !comparison) ? lower_hint(b.type) : down);
	} else {
		a = lower_expr(l, c, env, x, down);
		b = lower_expr(l, c, env, y, a.type.base && !a.type.whole ? lower_hint(a.type) : down);
	}
	return binary_row(l, c, e, a, b);
}

Typed lower_unary(Lower *l, const Context *c, const Env *env, const Expr *e, Type expect)
{
	const char *op = e->u.op.op;
	const Expr *of = e->u.op.a;
	Type down = lower_hint(expect).base == BASE_ENUM ? type_none() : lower_hint(expect);
	if (is_bitwise(op))
		down = bit_hint(down);
	/* the smallest int has no positive: it is the only one to be read with its sign */
	if (down.base == BASE_INT && !strcmp(op, "-") && of->kind == EXPR_NUMBER && of->u.number.kind == NUMBER_WHOLE && of->u.number.whole == 1u << 31)
		return typed(type_make(BASE_INT, 1), ir_int(c->frame->func, INT32_MIN));
	Typed a = lower_expr(l, c, env, of, down);
	if (a.type.base == BASE_BAD)
		return a;
	bool whole = a.type.whole;
	Typed r = lower_row(l, c, e->u.op.op, &a, 1, e->u.op.op_span, true);
	r.type.whole = whole && r.type.base == BASE_FLOAT;
	return r;
}

/* a op b op c … leans left and may be long: the spine is walked in a loop, its operands lowered in order. */
Typed lower_chain(Lower *l, const Context *c, const Env *env, const Expr *e, Type expect)
{
	size_t count = 0;
	const Expr *bottom = e;
	while (bottom->u.op.a->kind == EXPR_BINARY) {
		bottom = bottom->u.op.a;
		count++;
	}
	if (count < 64)
		return lower_binary(l, c, env, e, expect);
	const Expr **spine = arena_alloc(l->arena, count * sizeof *spine);
	const Expr *s = e;
	for (size_t i = count; i-- > 0; s = s->u.op.a)
		spine[i] = s;
	Typed a = lower_binary(l, c, env, bottom, expect);
	for (size_t i = 0; i < count; i++) {
		Type down = is_bitwise(spine[i]->u.op.op) ? bit_hint(lower_hint(a.type)) : a.type.base ? lower_hint(a.type) : type_none();
		Typed b = lower_expr(l, c, env, spine[i]->u.op.b, down);
		a = binary_row(l, c, spine[i], a, b);
	}
	return a;
}

/* Both sides brought to the least type that holds them. */
static bool unify(Lower *l, const Context *c, Typed *a, Typed *b, Span span, const char *what)
{
	Type least;
	if (a->type.base == BASE_BAD || b->type.base == BASE_BAD)
		return false;
	if (!type_least(a->type, b->type, &least) || least.base == BASE_STOPS) {
		lower_error(l, "N0305", span, "%s have types %s and %s, which no type holds", what, type_text(l, a->type), type_text(l, b->type));
		return false;
	}
	bool whole = least.whole;
	*a = convert_quietly(c, *a, least);
	*b = convert_quietly(c, *b, least);
	a->type.whole = b->type.whole = whole;
	return true;
}

static Typed select_value(const Context *c, Typed condition, Typed a, Typed b)
{
	Func *f = c->frame->func;
	int width = condition.type.width > a.type.width ? condition.type.width : a.type.width;
	Typed r = typed(a.type, ir_op(f, OP_SELECT, condition.ref, a.ref, b.ref));
	r.type.width = width;
	return r;
}

Typed lower_choice(Lower *l, const Context *c, const Env *env, const Expr *e, Type expect)
{
	Typed condition = lower_expr(l, c, env, e->u.choice.condition, type_none());
	if (condition.type.base != BASE_BAD && condition.type.base != BASE_BOOL) {
		lower_error(l, "N0306", e->u.choice.condition->span, "the condition of '?' must be bool, not %s", type_text(l, condition.type));
		condition = typed_bad();
	}
	if (condition.type.base == BASE_BOOL && condition.type.width == 1 && lower_is_const(c, condition))
		return lower_expr(l, c, env, ir_bits(c->frame->func, condition.ref)[0] ? e->u.choice.yes : e->u.choice.no, expect);
	Typed a = lower_expr(l, c, env, e->u.choice.yes, expect);
	Type other = expect.base ? expect : a.type.base == BASE_ENUM ? a.type : lower_hint(a.type);
	Typed b = lower_expr(l, c, env, e->u.choice.no, other);
	if (!expect.base && lower_is_literal(e->u.choice.yes) && b.type.base)
		a = lower_expr(l, c, env, e->u.choice.yes, lower_hint(b.type));
	if (!unify(l, c, &a, &b, e->span, "the two sides of ':'") || condition.type.base == BASE_BAD)
		return typed_bad();
	if (condition.type.width > 1 && a.type.width > 1 && condition.type.width != a.type.width) {
		lower_error(l, "N0306", e->span, "a %s cannot choose between values of type %s", type_text(l, condition.type), type_text(l, a.type));
		return typed_bad();
	}
	return select_value(c, condition, a, b);
}

Typed lower_match(Lower *l, const Context *c, const Env *env, const Expr *e, Type expect)
{
	Typed of = lower_expr(l, c, env, e->u.match.of, type_none());
	if (of.type.base == BASE_BAD)
		return of;
	if (of.type.base != BASE_ENUM) {
		lower_error(l, "N0307", e->u.match.of->span, "match needs an enum, not %s", type_text(l, of.type));
		return typed_bad();
	}
	const Decl *d = of.type.enumeration;
	const Arm *other = NULL;
	bool fine = true;
	uint32_t count = 0;
	for (const Enumerator *n = d->enumerators; n; n = n->next)
		count++;
	const Arm **arm = arena_alloc(l->arena, count * sizeof *arm);
	for (const Arm *a = e->u.match.arms; a; a = a->next) {
		const Enumerator *n = a->name ? lower_enumerator(d, a->name) : NULL;
		if (!a->name) {
			if (other) {
				lower_error(l, "N0308", a->span, "a second else");
				fine = false;
			}
			other = a;
		} else if (!n || (a->enumeration && a->enumeration != d->name)) {
			if (a->enumeration && a->enumeration != d->name)
				lower_error(l, "N0304", a->span, "'%s.%s' is not one of %s", a->enumeration, a->name, d->name);
			else
				lower_no_enumerator(l, d, a->name, a->span);
			fine = false;
		} else if (arm[n->value]) {
			lower_error(l, "N0308", a->span, "'%s' has two arms", a->name);
			fine = false;
		} else {
			arm[n->value] = a;
		}
	}
	for (const Enumerator *n = d->enumerators; n; n = n->next)
		if (!arm[n->value]) {
			arm[n->value] = other;
			if (!other && fine) {
				lower_error(l, "N0309", e->span, "match over %s lacks '%s'; add an arm for it, or else", d->name, n->name);
				fine = false;
			}
		}
	if (!fine)
		return typed_bad();
	Func *f = c->frame->func;
	if (lower_is_const(c, of))
		return lower_expr(l, c, env, arm[ir_bits(f, of.ref)[0]]->value, expect);
	Typed r = typed_bad();
	for (uint32_t i = count; i-- > 0;) {
		if (i + 1 < count && arm[i] == arm[i + 1] && arm[i] == arm[count - 1])
			continue;                       /* a run at the end shares the last arm's value */
		Typed v = lower_expr(l, c, env, arm[i]->value, expect);
		if (!v.ref)
			return typed_bad();
		if (!r.ref) {
			r = v;
			continue;
		}
		if (!unify(l, c, &v, &r, arm[i]->value->span, "the arms"))
			return typed_bad();
		Typed is = typed(type_make(BASE_BOOL, 1), ir_op(f, OP_IEQ, of.ref, ir_int(f, (int32_t)i), 0));
		r = select_value(c, is, v, r);
	}
	return r;
}
