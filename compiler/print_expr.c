/* Expressions as text. The binding strength of an operation is read off its spelling; what has a variable
   prints as its name, the rest nests. */
#include <assert.h>
#include <string.h>

#include "print.h"

const char *print_type(const Printer *p, Ref r)
{
	return p->d->type[p->f->value[r].kind][p->f->value[r].width];
}

bool print_is_swizzle(const Func *f, Ref vec)
{
	const Ref *o = ir_operands(f, vec);
	for (int i = 0; i < f->value[vec].width; i++)
		if (f->value[o[i]].op != IR_LANE || ir_operands(f, o[i])[0] != ir_operands(f, o[0])[0])
			return false;
	return true;
}

typedef enum Level {                            /* binding strength, loosest first, as in C */
	LEVEL_CHOICE, LEVEL_OR, LEVEL_AND, LEVEL_BIT_OR, LEVEL_BIT_XOR, LEVEL_BIT_AND, LEVEL_EQUAL, LEVEL_COMPARE, LEVEL_SHIFT,
	LEVEL_ADD, LEVEL_MULTIPLY, LEVEL_UNARY, LEVEL_PRIMARY
} Level;

/* Read off the spelling, so that a row needs no column for it. */
static Level spelling_level(const char *s)
{
	static const struct { const char *sign; Level level; } signs[] = {
		{ "||", LEVEL_OR }, { "&&", LEVEL_AND }, { "|", LEVEL_BIT_OR }, { "^", LEVEL_BIT_XOR }, { "&", LEVEL_BIT_AND },
		{ "==", LEVEL_EQUAL }, { "!=", LEVEL_EQUAL }, { "<", LEVEL_COMPARE }, { "<=", LEVEL_COMPARE },
		{ ">", LEVEL_COMPARE }, { ">=", LEVEL_COMPARE }, { "<<", LEVEL_SHIFT }, { ">>", LEVEL_SHIFT },
		{ "+", LEVEL_ADD }, { "-", LEVEL_ADD }, { "*", LEVEL_MULTIPLY }, { "/", LEVEL_MULTIPLY }, { "%", LEVEL_MULTIPLY }
	};
	if (s[0] == '-' || s[0] == '~' || s[0] == '!')
		return LEVEL_UNARY;
	if (strncmp(s, "$0 ", 3))
		return LEVEL_PRIMARY;
	const char *space = strchr(s + 3, ' ');
	size_t length = space ? (size_t)(space - (s + 3)) : strlen(s + 3);
	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
		if (strlen(signs[i].sign) == length && !strncmp(signs[i].sign, s + 3, length))
			return signs[i].level;
	return LEVEL_CHOICE;
}

static void expression(Printer *p, Ref r, Level around);

static void print_number(Printer *p, Kind kind, uint32_t bits, Level around)
{
	bool wrap = (kind == KIND_FLOAT || kind == KIND_INT) && bits & 0x80000000u && around > LEVEL_ADD;
	text_add(p->out, wrap ? "(" : "");
	print_literal(p->d, kind, bits, p->out);
	text_add(p->out, wrap ? ")" : "");
}

static void constant(Printer *p, Ref r, Level around)
{
	const Value *v = &p->f->value[r];
	const uint32_t *bits = ir_bits(p->f, r);
	bool splat = p->d->fills;
	for (int i = 1; i < v->width; i++)
		splat = splat && bits[i] == bits[0];
	if (v->width == 1) {
		print_number(p, (Kind)v->kind, bits[0], around);
		return;
	}
	text_format(p->out, "%s(", print_type(p, r));
	for (int i = 0; i < (splat ? 1 : v->width); i++) {
		text_add(p->out, i ? ", " : "");
		print_literal(p->d, (Kind)v->kind, bits[i], p->out);
	}
	text_add(p->out, ")");
}

/* The scalar that fills the vector: a value, or for a constant the vector itself. */
static Ref splat_of(const Printer *p, Ref r)
{
	const Value *v = &p->f->value[r];
	const uint32_t *o = ir_operands(p->f, r);
	if (p->name[r] || (v->op != IR_VEC && v->op != IR_CONST))
		return 0;
	for (int i = 1; i < v->width; i++)
		if (o[i] != o[0])
			return 0;
	return v->op == IR_CONST ? r : o[0];
}

static void print_splat(Printer *p, Ref scalar, Ref vector, Level around)
{
	if (scalar == vector)
		print_number(p, (Kind)p->f->value[vector].kind, ir_bits(p->f, vector)[0], around);
	else
		expression(p, scalar, around);
}

static void row(Printer *p, Ref r, Level around)
{
	const Value *v = &p->f->value[r];
	const Ref *o = ir_operands(p->f, r);
	const char *s = dialect_spelling(p->d, (Op)v->op, (Kind)v->kind, v->width);
	Level level = spelling_level(s);
	bool wrap = level < around;
	/* a rounding order must be visible, and some compilers warn of & beside + */
	if (level > LEVEL_AND && level <= LEVEL_SHIFT && around > LEVEL_AND && around < LEVEL_PRIMARY)
		wrap = true;
	/* the same where + or * stands in a bit operation */
	if (level >= LEVEL_SHIFT && level <= LEVEL_MULTIPLY && around >= LEVEL_BIT_OR && around <= LEVEL_EQUAL)
		wrap = true;
	text_add(p->out, wrap ? "(" : "");
	bool primary = level == LEVEL_PRIMARY;
	/* a vector beside a number: the number need not be spread */
	bool spread = v->width > 1 && (level == LEVEL_ADD || level == LEVEL_MULTIPLY);
	Ref scalar[2] = { 0, 0 };
	for (int k = 0; spread && k < 2; k++)
		scalar[k] = splat_of(p, o[k]);
	for (; *s; s++) {
		if (s[0] == '$' && s[1] == 'T') {
			text_add(p->out, print_type(p, r));
			s++;
		} else if (s[0] == '$') {
			int k = s[1] - '0';
			/* operators lean left: the right side of an equal one needs parentheses */
			Level inner = primary ? LEVEL_CHOICE : k == 0 && level != LEVEL_CHOICE ? level : level == LEVEL_CHOICE ? LEVEL_OR : (Level)(level + 1);
			if (spread && scalar[k] && !scalar[1 - k])
				print_splat(p, scalar[k], o[k], inner);
			else
				expression(p, o[k], inner);
			s++;
		} else {
			text_add_n(p->out, s, 1);
		}
	}
	text_add(p->out, wrap ? ")" : "");
}

static void list(Printer *p, const Ref *o, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		text_add(p->out, i ? ", " : "");
		expression(p, o[i], LEVEL_CHOICE);
	}
}

static void expression(Printer *p, Ref r, Level around)
{
	const Value *v = &p->f->value[r];
	const Ref *o = ir_operands(p->f, r);
	if (p->name[r]) {
		text_add(p->out, p->name[r]);
		return;
	}
	if (v->op < OP_COUNT) {
		row(p, r, around);
		return;
	}
	switch (v->op) {
	case IR_CONST:
		constant(p, r, around);
		break;
	case IR_VEC: {
		if (print_is_swizzle(p->f, r)) {
			expression(p, ir_operands(p->f, o[0])[0], LEVEL_PRIMARY);
			text_add(p->out, ".");
			for (int i = 0; i < v->width; i++)
				text_add_n(p->out, &"xyzw"[p->f->value[o[i]].imm], 1);
			break;
		}
		bool splat = p->d->fills;
		for (int i = 1; i < v->width; i++)
			splat = splat && o[i] == o[0];
		text_format(p->out, "%s(", print_type(p, r));
		list(p, o, splat ? 1 : v->width);
		text_add(p->out, ")");
		break;
	}
	case IR_LANE:
		expression(p, o[0], LEVEL_PRIMARY);
		text_format(p->out, ".%c", "xyzw"[v->imm]);
		break;
	case IR_CALL:
		text_format(p->out, "%s(", p->names->func[v->imm]);
		list(p, o, v->operands);
		text_add(p->out, ")");
		break;
	default:
		assert(false);                  /* a value without a name or a spelling */
	}
}

void print_expression(Printer *p, Ref r)
{
	expression(p, r, LEVEL_CHOICE);
}

void print_operand(Printer *p, Ref r)
{
	expression(p, r, LEVEL_SHIFT);
}
