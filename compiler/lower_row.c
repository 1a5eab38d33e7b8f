/* The rows of ops.def, as operators and as functions: the row for the least type that holds the operands. */
#include <string.h>

#include "lower.h"

static Base letter_base(char letter)
{
	return letter == 'b' ? BASE_BOOL : letter == 'i' ? BASE_INT : letter == 'u' ? BASE_UINT : BASE_FLOAT;
}

static bool may_use(const OpInfo *row, const char *name, bool library)
{
	return row->name[0] == name[0] && !strcmp(row->name, name) && !(row->flags & HIDDEN) && (library || !(row->flags & LIB));
}

/* How many operands the operation of this name takes; 0: there is none. */
static int row_arity(const char *name, bool library)
{
	int arity = 0;
	for (int op = 0; op < OP_COUNT; op++)
		if (may_use(&op_info[op], name, library) && op_info[op].arity > arity)
			arity = op_info[op].arity;
	return arity;
}

/* least: of all operands, BAD if none holds them. */
static void wrong_types(Lower *l, const char *name, const Typed *args, uint32_t count, Type least, Span span)
{
	Type a = args[0].type, b = args[count - 1].type;
	bool logic = !strcmp(name, "and") || !strcmp(name, "or") || !strcmp(name, "not");
	bool bits = !logic && (strchr("&|^~", name[0]) || !strcmp(name, "<<") || !strcmp(name, ">>"));
	if (logic) {
		Type wrong = a.base == BASE_BOOL ? b : a;
		if (wrong.base == BASE_BOOL)
			lower_error(l, "N0305", span, "'%s' cannot combine %s and %s", name, type_text(l, a), type_text(l, b));
		else
			lower_error(l, "N0305", span, "'%s' needs bool%s, not %s", name, count > 1 ? " on both sides" : "", type_text(l, wrong));
	} else if ((a.base == BASE_INT && b.base == BASE_UINT) || (a.base == BASE_UINT && b.base == BASE_INT)) {
		lower_error(l, "N0305", span, "'%s' cannot combine %s and %s; write int(…) or uint(…) around one", name, type_text(l, a), type_text(l, b));
	} else if (!least.base) {
		lower_error(l, "N0305", span, "'%s' cannot combine %s and %s", name, type_text(l, a), type_text(l, b));
	} else if (bits) {
		bool real = least.base == BASE_FLOAT, pipe = !strcmp(name, "|") || !strcmp(name, ">>");
		const char *power = real && !strcmp(name, "^") ? "; a power is pow(x, y)" : real && pipe ? "; to hand a field to a function, write |>" : "";
		lower_error(l, "N0305", span, "'%s' works on int and uint, not on %s%s", name, type_text(l, least), power);
	} else {
		lower_error(l, "N0305", span, "'%s' does not work on %s", name, type_text(l, least));
	}
}

/* The row of this name for the least type of the operands; ints go to a float row where there is none for them. */
Typed lower_row(Lower *l, const Context *c, const char *name, Typed *args, uint32_t count, Span span, bool library)
{
	Type least = args[0].type;
	for (uint32_t i = 0; i < count; i++)
		if (args[i].type.base == BASE_BAD)
			return typed_bad();
	for (uint32_t i = 1; i < count; i++)
		if (!type_least(least, args[i].type, &least)) {
			wrong_types(l, name, args, count, type_none(), span);
			return typed_bad();
		}
	bool enums = least.base == BASE_ENUM, named = false;
	const Decl *enumeration = least.enumeration;
	if (enums)
		least.base = BASE_INT;
	for (int pass = 0; pass < 2; pass++) {
		for (int op = 0; op < OP_COUNT; op++) {
			const OpInfo *row = &op_info[op];
			if (!may_use(row, name, library) || (uint32_t)row->arity != count)
				continue;
			named = true;
			if (letter_base(row->operand[0]) != least.base || (enums && strcmp(name, "==") && strcmp(name, "!=")))
				continue;
			Ref r[3] = { 0, 0, 0 };
			for (uint32_t i = 0; i < count; i++)
				r[i] = enums ? args[i].ref : convert_quietly(c, args[i], least).ref;
			Type type = type_make(letter_base(row->result), least.width);
			type.whole = least.whole && type.base == BASE_FLOAT;
			Typed v = typed(type, ir_op(c->frame->func, (Op)op, r[0], r[1], r[2]));
			v.type.whole = v.type.whole && ir_is_const(c->frame->func, v.ref);
			return v;
		}
		if (!named || enums || (least.base != BASE_INT && least.base != BASE_UINT))
			break;
		least.base = BASE_FLOAT;
		least.whole = false;
	}
	if (enums)
		least = (Type){ .base = BASE_ENUM, .width = 1, .enumeration = enumeration };
	if (!named && row_arity(name, library) > 0)
		lower_error(l, "N0403", span, "'%s' takes %d argument%s, not %u", name, row_arity(name, library), row_arity(name, library) == 1 ? "" : "s", (unsigned)count);
	else if (named)
		wrong_types(l, name, args, count, least, span);
	return typed_bad();
}

/* A call of an operation by its name. Whole literals listen to the other operands. */
Typed lower_operation(Lower *l, const Context *c, const Env *env, const Expr *e)
{
	const char *name = e->u.call.name;
	Typed args[3] = { typed_bad(), typed_bad(), typed_bad() };
	uint32_t count = 0;
	int arity = row_arity(name, env->scope->library);
	if (arity == 0)
		return typed_bad();             /* an unknown name, reported by check */
	for (const Arg *a = e->u.call.args; a; a = a->next, count++)
		if (a->name) {
			lower_error(l, "N0404", a->name_span, "'%s' takes its arguments by position", name);
			return typed_bad();
		}
	if (count < 1 || count > 3) {
		lower_error(l, "N0403", e->u.call.name_span, "'%s' takes %d argument%s, not %u", name, arity, arity == 1 ? "" : "s", (unsigned)count);
		return typed_bad();
	}
	Type known = type_none();
	for (int literals = 0; literals < 2; literals++) {
		uint32_t i = 0;
		for (const Arg *a = e->u.call.args; a; a = a->next, i++) {
			if (lower_is_literal(a->value) != literals)
				continue;
			args[i] = lower_expr(l, c, env, a->value, known);
			if (!literals && !known.base)
				known = lower_hint(args[i].type);
		}
	}
	return lower_row(l, c, name, args, count, e->u.call.name_span, env->scope->library);
}
