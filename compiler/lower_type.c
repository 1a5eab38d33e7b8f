/* Types of expressions and the conversions that need no cast: whole-number literals take the type of
   their place, ints and uints promote to float, scalars spread over vectors. Nothing narrows. */
#include <assert.h>
#include <string.h>

#include "lower.h"
#include "../runtime/num.h"

Type type_make(Base base, int width) { return (Type){ .base = base, .width = width }; }
Type type_none(void) { return (Type){ .base = BASE_BAD, .width = 1 }; }
Typed typed(Type type, Ref ref) { return (Typed){ .type = type, .ref = ref }; }
Typed typed_bad(void) { return (Typed){ .type = type_none() }; }

static const char *const scalar_names[] = { "?", "bool", "int", "uint", "float", "enum", "list of stops" };
static const char *const vector_letters[] = { "?", "b", "i", "u", "", "i", "?" };

const char *type_text(Lower *l, Type t)
{
	if (t.base == BASE_ENUM)
		return t.enumeration->name;
	if (t.width == 1)
		return scalar_names[t.base];
	return text_print(l->arena, "%svec%d", vector_letters[t.base], t.width);
}

Kind type_kind(Type t)
{
	return t.base == BASE_BOOL ? KIND_BOOL : t.base == BASE_UINT ? KIND_UINT : t.base == BASE_FLOAT ? KIND_FLOAT : KIND_INT;
}

TypeInfo type_info(Type t)
{
	return (TypeInfo){ .kind = (uint8_t)type_kind(t), .width = (uint8_t)t.width, .enumeration = t.base == BASE_ENUM ? t.enumeration : NULL };
}

bool type_same(Type a, Type b)
{
	return a.base == b.base && a.width == b.width && (a.base != BASE_ENUM || a.enumeration == b.enumeration);
}

bool type_numeric(Type t)
{
	return t.base == BASE_INT || t.base == BASE_UINT || t.base == BASE_FLOAT;
}

Type type_of_name(Lower *l, TypeName n, int position_width)
{
	if (!n.name)
		return type_none();
	for (Base b = BASE_BOOL; b <= BASE_FLOAT; b++) {
		if (!strcmp(n.name, scalar_names[b]))
			return type_make(b, 1);
		size_t k = strlen(vector_letters[b]);
		if (strncmp(n.name, vector_letters[b], k) || strncmp(n.name + k, "vec", 3) || strlen(n.name) != k + 4)
			continue;
		char last = n.name[k + 3];
		if (last == 'P')
			return type_make(b, position_width);
		if (last >= '2' && last <= '4')
			return type_make(b, last - '0');
	}
	if (n.span.source && n.span.source->library && !strcmp(n.name, "key"))
		return type_make(BASE_UINT, 1);         /* see lower_call.c */
	for (const Scope *s = n.span.source && n.span.source->library ? l->library : l->file; s; s = s->outer)
		for (uint32_t i = 0; i < s->enumerations; i++)
			if (s->enumeration[i]->name == n.name)
				return (Type){ .base = BASE_ENUM, .width = 1, .enumeration = s->enumeration[i] };
	return type_none();                     /* unknown: reported by check */
}

bool type_converts(Type from, Type to)
{
	if (from.base == BASE_BAD || to.base == BASE_BAD)
		return false;
	if (from.base == BASE_ENUM || to.base == BASE_ENUM || from.base == BASE_STOPS || to.base == BASE_STOPS)
		return type_same(from, to);
	if (from.width != to.width && from.width != 1)
		return false;
	if (from.base == to.base)
		return true;
	if (to.base == BASE_FLOAT)
		return from.base == BASE_INT || from.base == BASE_UINT;
	return from.whole && (to.base == BASE_INT || to.base == BASE_UINT);
}

bool type_least(Type a, Type b, Type *out)
{
	int width = a.width > b.width ? a.width : b.width;
	if (a.base == BASE_ENUM || b.base == BASE_ENUM || a.base == BASE_STOPS || b.base == BASE_STOPS) {
		*out = a;
		return type_same(a, b);
	}
	Base base = a.base;
	if (a.whole && !b.whole && type_numeric(b))
		base = b.base;
	else if (a.base != b.base && !(b.whole && type_numeric(a)))
		base = BASE_FLOAT;
	*out = (Type){ .base = base, .width = width, .whole = a.whole && b.whole };
	if ((a.base == BASE_INT && b.base == BASE_UINT) || (a.base == BASE_UINT && b.base == BASE_INT))
		return false;
	return type_converts(a, *out) && type_converts(b, *out);
}

Typed convert_quietly(const Context *c, Typed v, Type to)
{
	Func *f = c->frame->func;
	assert(type_converts(v.type, to));
	if (v.type.base == BASE_STOPS)
		return v;
	Ref r = v.ref;
	if (v.type.base != to.base && to.base != BASE_ENUM) {
		if (v.type.base == BASE_FLOAT) {        /* a whole literal: its constant is exact */
			uint32_t bits[4];
			for (int i = 0; i < v.type.width; i++) {
				float x = num_from_bits(ir_bits(f, r)[i]);
				bits[i] = to.base == BASE_INT ? num_uint(num_ftoi(x)) : x < 0.0f ? num_uint(num_ftoi(x)) : num_ftou(x);
			}
			r = ir_const(f, type_kind(to), v.type.width, bits);
		} else {
			r = ir_op(f, v.type.base == BASE_INT ? OP_ITOF : OP_UTOF, r, 0, 0);
		}
	}
	return typed((Type){ .base = to.base, .width = to.width, .enumeration = to.enumeration }, ir_splat(f, r, to.width));
}

Typed convert(Lower *l, const Context *c, Typed v, Type to, Span span, const char *what)
{
	if (v.type.base == BASE_BAD || to.base == BASE_BAD)
		return v;
	if (type_converts(v.type, to))
		return convert_quietly(c, v, to);
	const char *from_text = type_text(l, v.type), *to_text = type_text(l, to);
	if (v.type.width == to.width && v.type.base != BASE_ENUM && v.type.base != BASE_STOPS && to.base != BASE_ENUM) {
		lower_fix_around(l, span, text_print(l->arena, "%s(", to_text), ")");
		lower_error(l, "N0302", span, "%s must be %s, not %s; write %s(…) to convert", what, to_text, from_text, to_text);
	} else if (to.base == BASE_ENUM) {
		Text list = { .arena = l->arena };
		for (const Enumerator *n = to.enumeration->enumerators; n; n = n->next)
			text_format(&list, "%s%s", list.size ? ", " : "", n->name);
		lower_error(l, "N0302", span, "%s must be %s, not %s: one of %s", what, to_text, from_text, list.data);
	} else {
		lower_error(l, "N0302", span, "%s must be %s, not %s", what, to_text, from_text);
	}
	return typed_bad();
}
