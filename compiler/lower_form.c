/* Forms of the language that look like calls: constructors and casts, reseed, here, range, known,
   components, sum, any, all, ramp; and those that this version refuses. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "lower.h"
#include "../runtime/num.h"

static bool type_by_name(const char *name, int position_width, Type *out)
{
	static const char *const scalar[] = { "bool", "int", "uint", "float" };
	static const char *const letter[] = { "b", "i", "u", "" };
	for (int b = 0; b < 4; b++) {
		if (!strcmp(name, scalar[b])) {
			*out = type_make((Base)(BASE_BOOL + b), 1);
			return true;
		}
		size_t k = strlen(letter[b]);
		if (!strncmp(name, letter[b], k) && !strncmp(name + k, "vec", 3) && strlen(name) == k + 4) {
			char last = name[k + 3];
			int width = last == 'P' ? position_width : last - '0';
			if (last != 'P' && (width < 2 || width > 4))
				continue;
			*out = type_make((Base)(BASE_BOOL + b), width);
			return true;
		}
	}
	return false;
}

bool is_form(const char *name)
{
	Type t;
	return is_form_name(name) ? !is_form_value(name) : type_by_name(name, 2, &t);
}

/* ---- casts and constructors ---- */

static const char *cast_name(Base b)
{
	return b == BASE_BOOL ? "bool" : b == BASE_INT ? "int" : b == BASE_UINT ? "uint" : "float";
}

static Typed cast(Lower *l, const Context *c, Typed v, Base to, Span span)
{
	if (v.type.base == to) {
		v.type.whole = false;
		return v;
	}
	if (v.type.base == BASE_STOPS || v.type.base == BASE_BAD) {
		if (v.type.base == BASE_STOPS)
			lower_error(l, "N0302", span, "a list of stops cannot be converted");
		return typed_bad();
	}
	if (v.type.whole && (to == BASE_INT || to == BASE_UINT))
		return convert_quietly(c, v, type_make(to, v.type.width));
	if (v.type.base == BASE_ENUM) {
		v.type = type_make(BASE_INT, 1);
		if (to == BASE_INT)
			return v;
	}
	v.type.whole = false;
	return lower_row(l, c, cast_name(to), &v, 1, span, true);
}

static Typed enum_from_int(Lower *l, const Context *c, Typed v, Type target, Span span)
{
	int last = 0;
	for (const Enumerator *n = target.enumeration->enumerators; n; n = n->next)
		last = n->value;
	v = cast(l, c, v, BASE_INT, span);
	if (!v.ref)
		return v;
	Func *f = c->frame->func;
	Ref r = ir_op(f, OP_IMIN, ir_op(f, OP_IMAX, v.ref, ir_int(f, 0), 0), ir_int(f, last), 0);
	return typed(target, r);
}

static void warn_same_noise(Lower *l, Span call, int lane)
{
	Span closing = { call.source, call.end - 1, call.end - 1 };
	const char *seed;
	do
		seed = text_print(l->arena, "seed: %d", lane);
	while (strstr(call.source->text, seed) && lane++ < 99);        /* one that no other noise of the file has */
	lower_fix(l, closing, "%s%s", call.source->text[closing.start - 1] == '(' ? "" : ", ", seed);
	lower_warning(l, "N0452", call, "this is the same noise as the component before it; give it a 'seed:' of its own");
}

Typed lower_constructor(Lower *l, const Context *c, const Env *env, const Expr *e, Type target)
{
	Func *f = c->frame->func;
	Ref lane[16];
	const Expr *from[16];
	int lanes = 0, args = 0;
	Typed first = typed_bad();
	bool fine = true;
	const char *name = e->u.call.name;
	for (const Arg *a = e->u.call.args; a; a = a->next) {
		if (a->name) {
			lower_error(l, "N0404", a->name_span, "'%s' takes its arguments by position", name);
			return typed_bad();
		}
		Type expect = target.base == BASE_ENUM ? type_make(BASE_INT, 1) : type_make(target.base, 1);
		Typed v = lower_expr(l, c, env, a->value, expect);
		if (target.base != BASE_ENUM)
			v = cast(l, c, v, target.base, a->value->span);
		fine = fine && v.ref;
		if (args++ == 0)
			first = v;
		for (int i = 0; v.ref && i < v.type.width && lanes < 16; i++) {
			lane[lanes] = ir_lane(f, v.ref, i);
			from[lanes++] = a->value;
		}
	}
	if (!fine)
		return typed_bad();
	if (args == 0) {
		lower_error(l, "N0403", e->span, "'%s' needs an argument", name);
		return typed_bad();
	}
	if (target.base == BASE_ENUM) {
		if (args > 1 || first.type.width > 1) {
			lower_error(l, "N0403", e->span, "'%s' takes one number", name);
			return typed_bad();
		}
		return enum_from_int(l, c, first, target, e->span);
	}
	if (args == 1 && first.type.width == 1)
		return typed(target, ir_splat(f, first.ref, target.width));
	if (lanes < target.width || (args > 1 && lanes > target.width)) {
		lower_error(l, "N0315", e->span, "'%s' needs %d components, not %d", name, target.width, lanes);
		return typed_bad();
	}
	for (int i = 1; i < target.width; i++)
		if (lane[i] == lane[i - 1] && from[i] != from[i - 1] && f->value[lane[i]].op == IR_CALL
		    && from[i]->kind == EXPR_CALL && from[i - 1]->kind == EXPR_CALL)
			warn_same_noise(l, from[i]->span, i);
	return typed(target, ir_vec(f, lane, target.width));
}

/* ---- ramp ---- */

static Typed ramp_segment(Lower *l, const Context *c, const char *kind, Typed x, Typed a, Typed b, Typed from, Typed to, Span span)
{
	Func *f = c->frame->func;
	if (!strcmp(kind, "Constant")) {
		Ref after = ir_op(f, OP_FGE, x.ref, b.ref, 0);
		return typed(to.type, ir_op(f, OP_SELECT, after, to.ref, from.ref));
	}
	/* where x lies between the stops, 0 to 1; two stops at one place make a step */
	Ref width = ir_op(f, OP_FSUB, b.ref, a.ref, 0);
	Ref inverse = ir_op(f, OP_FDIV, ir_float(f, 1.0f), width, 0);
	Ref along = ir_op(f, OP_FMUL, ir_op(f, OP_FSUB, x.ref, a.ref, 0), inverse, 0);
	Ref t = ir_op(f, OP_FMIN, ir_op(f, OP_FMAX, along, ir_float(f, 0.0f), 0), ir_float(f, 1.0f), 0);
	Ref step = ir_op(f, OP_FGE, x.ref, b.ref, 0);
	Ref empty = ir_op(f, OP_FLE, width, ir_float(f, 0.0f), 0);
	Ref jump = ir_op(f, OP_SELECT, step, ir_float(f, 1.0f), ir_float(f, 0.0f));
	Typed args[3] = { typed(type_make(BASE_FLOAT, 1), ir_op(f, OP_SELECT, empty, jump, t)), from, to };
	return lower_library(l, c, !strcmp(kind, "Smooth") ? "rampSmooth" : "rampLinear", args, 3, span);
}

static Typed lower_ramp(Lower *l, const Context *c, const Env *env, const Expr *e)
{
	const Arg *given[3] = { NULL, NULL, NULL };
	static const char *const names[] = { "x", "stops", "kind" };
	int position = 0;
	for (const Arg *a = e->u.call.args; a; a = a->next) {
		int k = a->name ? 0 : position++;
		while (a->name && k < 3 && strcmp(names[k], a->name))
			k++;
		if (k > 2 || given[k]) {
			lower_error(l, "N0404", a->name ? a->name_span : a->value->span, "ramp takes (x, stops, kind), each once");
			return typed_bad();
		}
		given[k] = a;
	}
	if (!given[0] || !given[1]) {
		lower_error(l, "N0403", e->span, "ramp needs a value and stops: ramp(x, [0: #000000, 1: #ffffff])");
		return typed_bad();
	}
	Type float_type = type_make(BASE_FLOAT, 1);
	Typed x = convert(l, c, lower_expr(l, c, env, given[0]->value, float_type), float_type, given[0]->value->span, "the value of a ramp");
	Typed list = lower_expr(l, c, env, given[1]->value, type_none());
	const char *kind = "Linear";
	const Decl *kinds = scope_find(l->library, arena_intern(l->arena, "RampKind", 8));
	if (given[2] && kinds) {
		Type enum_type = { .base = BASE_ENUM, .width = 1, .enumeration = kinds };
		Typed k = convert(l, c, lower_expr(l, c, env, given[2]->value, enum_type), enum_type, given[2]->value->span, "the kind of a ramp");
		if (!k.ref)
			return typed_bad();
		if (!lower_is_const(c, k)) {
			lower_error(l, "N0303", given[2]->value->span, "the kind of a ramp must be known at compile time");
			return typed_bad();
		}
		for (const Enumerator *n = kinds->enumerators; n; n = n->next)
			if ((uint32_t)n->value == ir_bits(c->frame->func, k.ref)[0])
				kind = n->name;
	}
	if (!x.ref)
		return typed_bad();
	if (list.type.base != BASE_STOPS) {
		if (list.type.base != BASE_BAD)
			lower_error(l, "N0316", given[1]->value->span, "ramp needs a list of stops, as in [0: #000000, 1: #ffffff]");
		return typed_bad();
	}
	Typed result = typed_bad(), at = typed_bad();
	for (const Stop *s = list.stops->u.stops; s; s = s->next) {
		Typed place = convert(l, c, lower_expr(l, c, list.stops_env, s->at, float_type), float_type, s->at->span, "the place of a stop");
		Typed value = lower_expr(l, c, list.stops_env, s->value, result.ref ? result.type : type_none());
		if (value.type.base == BASE_INT || value.type.base == BASE_UINT)
			value = convert_quietly(c, value, type_make(BASE_FLOAT, value.type.width));
		if (!place.ref || !value.ref)
			return typed_bad();
		if (value.type.base != BASE_FLOAT && strcmp(kind, "Constant")) {
			lower_error(l, "N0316", s->value->span, "a stop between which to blend must be float or a float vector, not %s", type_text(l, value.type));
			return typed_bad();
		}
		if (!result.ref) {
			result = value;
			result.type.whole = false;
			at = place;
			continue;
		}
		Type least;
		if (!type_least(result.type, value.type, &least)) {
			lower_error(l, "N0305", s->value->span, "the stops have types %s and %s, which no type holds", type_text(l, result.type), type_text(l, value.type));
			return typed_bad();
		}
		Func *f = c->frame->func;
		if (lower_is_const(c, at) && lower_is_const(c, place) && num_from_bits(ir_bits(f, at.ref)[0]) > num_from_bits(ir_bits(f, place.ref)[0])) {
			lower_error(l, "N0316", s->at->span, "stops must ascend");
			return typed_bad();
		}
		result = ramp_segment(l, c, kind, x, at, place, convert_quietly(c, result, least), convert_quietly(c, value, least), e->span);
		at = place;
		if (!result.ref)
			return typed_bad();
	}
	return result;
}

/* ---- the others ---- */

/* 42.0 as 42. */
static void fix_seed(Lower *l, const Context *c, Typed k, Span span)
{
	if (k.type.base != BASE_FLOAT || k.type.width != 1 || !lower_is_const(c, k))
		return;
	float value = num_from_bits(ir_bits(c->frame->func, k.ref)[0]);
	if (value >= 0.0f && value <= 16777216.0f && value == (float)(uint32_t)value && strspn(span.source->text + span.start, "0123456789.") == span.end - span.start)
		lower_fix(l, span, "%u", (unsigned)value);
}

Ref lower_reseed(Lower *l, const Context *c, Typed k, Span span)
{
	Func *f = c->frame->func;
	if (k.type.whole)
		k = convert_quietly(c, k, type_make(BASE_INT, 1));
	if (!k.ref || k.type.width != 1 || (k.type.base != BASE_INT && k.type.base != BASE_UINT)) {
		if (k.ref) {
			fix_seed(l, c, k, span);
			lower_error(l, "N0317", span, "a seed must be int or uint, not %s", type_text(l, k.type));
		}
		return 0;
	}
	Typed args[2] = {
		typed(type_make(BASE_UINT, 1), lower_seed(l, c)),
		typed(type_make(BASE_UINT, 1), k.type.base == BASE_INT ? ir_op(f, OP_ITOU, k.ref, 0, 0) : k.ref)
	};
	return lower_library(l, c, "stir", args, 2, span).ref;
}

static Typed form_reseed(Lower *l, const Context *c, const Env *env, const Expr *e, Type expect)
{
	const Arg *of = e->u.call.args, *k = of ? of->next : NULL;
	if (!k || k->next) {
		lower_error(l, "N0403", e->span, "reseed takes a field and a number: reseed(f, 1)");
		return typed_bad();
	}
	Typed key = lower_expr(l, c, env, k->value, type_make(BASE_INT, 1));
	Use use = { false, false };
	Context other = *c;
	other.seed = key.ref ? lower_reseed(l, c, key, k->value->span) : 0;
	other.use = &use;
	if (!other.seed)
		return typed_bad();
	Typed v = lower_expr(l, &other, env, of->value, expect);
	c->use->position = c->use->position || use.position;
	if (v.ref && !use.seed)
		lower_warning(l, "N0451", e->u.call.name_span, "reseed has no effect: the field does not depend on the seed");
	return v;
}

static Typed form_here(Lower *l, const Context *c, const Env *env, const Expr *of, Type expect)
{
	Use use = { false, false };
	Context root = { .frame = c->frame, .width = l->program->domain, .here = true, .use = &use };
	Typed v = lower_expr(l, &root, env, of, expect);
	v.type.whole = false;
	return v;
}

/* Components combined from left to right. */
static Ref reduce(Func *f, Op op, Ref v)
{
	Ref r = ir_lane(f, v, 0);
	for (int i = 1; i < f->value[v].width; i++)
		r = ir_op(f, op, r, ir_lane(f, v, i), 0);
	return r;
}

Typed lower_form(Lower *l, const Context *c, const Env *env, const Expr *e, Type expect)
{
	const char *name = e->u.call.name;
	Func *f = c->frame->func;
	Type target;
	if (type_by_name(name, c->width, &target)) {
		c->use->position = c->use->position || name[strlen(name) - 1] == 'P';
		return lower_constructor(l, c, env, e, target);
	}
	if (!strcmp(name, "ramp"))
		return lower_ramp(l, c, env, e);
	if (!strcmp(name, "reseed"))
		return form_reseed(l, c, env, e, expect);
	if (!strcmp(name, "grad") || !strcmp(name, "tile")) {
		lower_error(l, "N0410", e->u.call.name_span, "%s() is not in this version", name);
		return typed_bad();
	}
	const Arg *a = e->u.call.args;
	if (!a || a->next || a->name) {
		lower_error(l, "N0403", e->span, "%s takes one argument", name);
		return typed_bad();
	}
	if (!strcmp(name, "here"))
		return form_here(l, c, env, a->value, expect);
	if (!strcmp(name, "range"))
		return lower_range(l, c, env, a->value);
	Typed v = lower_expr(l, c, env, a->value, type_none());
	if (!v.ref)
		return typed_bad();
	if (!strcmp(name, "known"))
		return typed(type_make(BASE_BOOL, 1), ir_bool(f, lower_is_const(c, v)));
	if (!strcmp(name, "components"))
		return typed(type_make(BASE_INT, 1), ir_int(f, v.type.width));
	if (!strcmp(name, "sum") && type_numeric(v.type)) {
		Op op = v.type.base == BASE_FLOAT ? OP_FADD : v.type.base == BASE_INT ? OP_IADD : OP_UADD;
		return typed(type_make(v.type.base, 1), reduce(f, op, v.ref));
	}
	if ((!strcmp(name, "any") || !strcmp(name, "all")) && v.type.base == BASE_BOOL)
		return typed(type_make(BASE_BOOL, 1), reduce(f, name[1] == 'n' ? OP_BOR : OP_BAND, v.ref));
	lower_error(l, "N0305", a->value->span, "%s does not work on %s", name, type_text(l, v.type));
	return typed_bad();
}
