/* Uses of proved ranges. Needs the range rule; keeps every bit while no value is NaN or infinite, and
   totality always; leaves built-in min and max where no operand can be NaN, plain conversions where
   saturation cannot happen, no idle clamps, and no marks that only carried a range. */
#include "cc.h"

typedef struct Sharpen {
	Copy copy;
	const Range **range;                    /* per function, by id: of its values */
} Sharpen;

static Ref sharpen_value(Copy *c, const Func *from, Ref r, Func *to, const Ref *o)
{
	Sharpen *s = (Sharpen *)c;
	const Value *v = &from->value[r];
	if (v->op >= OP_COUNT)
		return 0;
	const Range *range = s->range[from->id];
	const Ref *old = ir_operands(from, r);
	Range a = range[old[0]], b = v->operands > 1 ? range[old[1]] : a;
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

/* What any call hands to each argument, and a position that is finite: the ranges of all functions, callers
   first. */
static const Range **all_ranges(const Program *p)
{
	const Range **range = arena_alloc(p->arena, p->funcs * sizeof *range);
	Range **arg = arena_alloc(p->arena, p->funcs * sizeof *arg);
	bool *called = arena_alloc(p->arena, p->funcs);
	for (uint32_t i = p->funcs; i-- > 0;) {
		const Func *f = p->func[i];
		for (uint32_t k = 0; called[i] && k < f->args; k++)
			if (f->arg[k].role == ROLE_POSITION)
				arg[i][k] = (Range){ -3.4028234663852886e38, 3.4028234663852886e38, false };
		range[i] = range_all(p, f, called[i] ? arg[i] : NULL, true);
		for (Ref r = 1; r < f->count; r++) {
			if (f->value[r].op != IR_CALL)
				continue;
			uint32_t callee = f->value[r].imm;
			const Ref *o = ir_operands(f, r);
			if (!called[callee])
				arg[callee] = arena_alloc(p->arena, (f->value[r].operands + 1u) * sizeof **arg);
			for (uint32_t k = 0; k < f->value[r].operands; k++)
				arg[callee][k] = called[callee] ? range_hull(arg[callee][k], range[i][o[k]]) : range[i][o[k]];
			called[callee] = true;
		}
	}
	return range;
}

void pass_sharpen(Program *p)
{
	Sharpen s = { .copy = { .hook = sharpen_value, .level = 2 } };
	s.range = all_ranges(p);
	copy_program(&s.copy, p);
}
