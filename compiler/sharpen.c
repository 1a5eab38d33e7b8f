/* Uses of proved ranges. Needs the range rule; keeps every bit while no value is NaN or infinite, and
   totality always; leaves built-in min and max where no operand can be NaN, plain conversions where
   saturation cannot happen, no idle clamps, and no marks that only carried a range. */
#include "cc.h"

typedef struct Sharpen {
	Copy copy;
	const Func *of;                         /* the function that `range` describes */
	const Range *range;
} Sharpen;

static Ref sharpen_value(Copy *c, const Func *from, Ref r, Func *to, const Ref *o)
{
	Sharpen *s = (Sharpen *)c;
	const Value *v = &from->value[r];
	if (v->op >= OP_COUNT)
		return 0;
	if (s->of != from) {
		s->of = from;
		s->range = range_all(c->program, from, true);
	}
	const Ref *old = ir_operands(from, r);
	Range a = s->range[old[0]], b = v->operands > 1 ? s->range[old[1]] : a;
	bool ordered = !a.nan && !b.nan;
	switch (v->op) {
	case OP_WITHIN:
		return o[0];
	case OP_FMIN:
		if (ordered && a.high <= b.low)
			return o[0];
		return ordered ? ir_op(to, OP_FLEAST, o[0], o[1], 0) : 0;
	case OP_FMAX:
		if (ordered && a.low >= b.high)
			return o[0];
		return ordered ? ir_op(to, OP_FMOST, o[0], o[1], 0) : 0;
	case OP_IMIN: case OP_UMIN:
		return a.high <= b.low ? o[0] : 0;
	case OP_IMAX: case OP_UMAX:
		return a.low >= b.high ? o[0] : 0;
	case OP_IAND: case OP_UAND:             /* a mask of low bits that takes nothing away */
		return from->value[old[1]].op == IR_CONST && b.low == b.high && a.low >= 0 && a.high <= b.low
			&& ((uint32_t)b.low & ((uint32_t)b.low + 1)) == 0 ? o[0] : 0;
	case OP_FBOUND:
		return !a.nan && a.low >= -1073741824.0 && a.high <= 1073741824.0 ? o[0] : 0;
	case OP_FTOI:
		return !a.nan && a.low > -2147483648.0 && a.high < 2147483648.0 ? ir_op(to, OP_FINT, o[0], 0, 0) : 0;
	case OP_FTOU:
		return !a.nan && a.low >= 0 && a.high < 4294967296.0 ? ir_op(to, OP_FUINT, o[0], 0, 0) : 0;
	default:
		return 0;
	}
}

void pass_sharpen(Program *p)
{
	Sharpen s = { .copy = { .hook = sharpen_value, .level = 2 } };
	copy_program(&s.copy, p);
}
