/* Uses of proved ranges. Needs the range rule; keeps every bit while no value is NaN or infinite, and
   totality always; leaves built-in min and max where no operand can be NaN, plain conversions where
   saturation cannot happen, no comparison whose outcome is proved (so no select that always takes one side), no
   idle clamp, minimum, magnitude, remainder or cleaning, and no marks that only carried a range.

   Spellings are chosen for a finite position. That an output needs no cleaning was proved for any position,
   and the proof may rest on a min or max that turns NaN into a number: those are `trusted` and change only
   by ranges that hold for any position. */
#include "range.h"
#include "../runtime/num.h"

typedef struct Sharpen {
	Copy copy;
	const Range **range, **any;             /* per function, by id: of its values, for a finite and for any position */
	bool **trusted;                         /* per function: values that must not become NaN */
} Sharpen;

/* 1 or 0 where a comparison has one outcome for all values of its operands' ranges, -1 otherwise. Where an
   operand may be NaN only `!=` can be proved true. */
static int decide(Op op, Range a, Range b)
{
	bool less = a.high < b.low, greater = a.low > b.high, number = !a.nan && !b.nan;
	bool equal = number && a.low == a.high && b.low == b.high && a.low == b.low;
	switch (op) {
	case OP_FLT: case OP_ILT: case OP_ULT:
		return number && less ? 1 : a.low >= b.high ? 0 : -1;
	case OP_FGT: case OP_IGT: case OP_UGT:
		return number && greater ? 1 : a.high <= b.low ? 0 : -1;
	case OP_FLE: case OP_ILE: case OP_ULE:
		return number && a.high <= b.low ? 1 : greater ? 0 : -1;
	case OP_FGE: case OP_IGE: case OP_UGE:
		return number && a.low >= b.high ? 1 : less ? 0 : -1;
	case OP_FEQ: case OP_IEQ: case OP_UEQ:
		return less || greater ? 0 : equal ? 1 : -1;
	case OP_FNE: case OP_INE: case OP_UNE:
		return less || greater ? 1 : equal ? 0 : -1;
	default:
		return -1;
	}
}

static bool is_one_number(const Func *f, Ref r, Range range)
{
	return f->value[r].op == IR_CONST && range.low == range.high;
}

static Ref sharpen_value(Copy *c, const Func *from, Ref r, Func *to, const Ref *o)
{
	Sharpen *s = (Sharpen *)c;
	const Value *v = &from->value[r];
	if (v->op >= OP_COUNT)
		return 0;
	const Range *any = s->any[from->id], *range = s->trusted[from->id][r] ? any : s->range[from->id];
	const Ref *old = ir_operands(from, r);
	Range a = range[old[0]], b = v->operands > 1 ? range[old[1]] : a;
	bool ordered = !a.nan && !b.nan;
	/* a comparison may be what keeps NaN out of a trusted value */
	int outcome = v->operands == 2 ? decide((Op)v->op, any[old[0]], any[old[1]]) : -1;
	if (outcome >= 0) {
		uint32_t bits[4] = { (uint32_t)outcome, (uint32_t)outcome, (uint32_t)outcome, (uint32_t)outcome };
		return ir_const(to, KIND_BOOL, v->width, bits);
	}
	switch (v->op) {
	case OP_WITHIN:
		return o[0];
	case OP_FMIN:
		if (ordered && (a.high <= b.low || b.high <= a.low))
			return a.high <= b.low ? o[0] : o[1];
		return ordered ? ir_op(to, OP_FLEAST, o[0], o[1], 0) : 0;
	case OP_FMAX:
		if (ordered && (a.low >= b.high || b.low >= a.high))
			return a.low >= b.high ? o[0] : o[1];
		return ordered ? ir_op(to, OP_FMOST, o[0], o[1], 0) : 0;
	case OP_IMIN: case OP_UMIN:
		return a.high <= b.low ? o[0] : b.high <= a.low ? o[1] : 0;
	case OP_IMAX: case OP_UMAX:
		return a.low >= b.high ? o[0] : b.low >= a.high ? o[1] : 0;
	case OP_FABS:
		return !a.nan && a.low >= 0 ? o[0] : 0;
	case OP_IABS:
		return a.low >= 0 ? o[0] : 0;
	case OP_IMOD: case OP_UMOD:
		return is_one_number(from, old[1], b) && a.low >= 0 && a.high < b.low ? o[0] : 0;
	case OP_FCLEAN:                         /* delivered, whatever the position */
		return range_is_finite(any[old[0]]) ? o[0] : 0;
	case OP_IAND: case OP_UAND:             /* a mask of low bits that takes nothing away */
		return is_one_number(from, old[1], b) && a.low >= 0 && a.high <= b.low
			&& ((uint32_t)b.low & ((uint32_t)b.low + 1)) == 0 ? o[0] : 0;
	case OP_FBOUND:
		return !a.nan && a.low >= -(double)NUM_LATTICE_LIMIT && a.high <= (double)NUM_LATTICE_LIMIT ? o[0] : 0;
	case OP_FTOI:
		return !a.nan && a.low > -2147483648.0 && a.high < 2147483648.0 ? ir_op(to, OP_FINT, o[0], 0, 0) : 0;
	case OP_FTOU:
		return !a.nan && a.low >= 0 && a.high < 4294967296.0 ? ir_op(to, OP_FUINT, o[0], 0, 0) : 0;
	default:
		return 0;
	}
}

/* The ranges of all functions, callers first, from what any call hands to each argument. */
static const Range **all_ranges(const Program *p, bool finite_position)
{
	const Range **range = arena_alloc(p->arena, p->funcs * sizeof *range);
	Range **arg = arena_alloc(p->arena, p->funcs * sizeof *arg);
	bool *called = arena_alloc(p->arena, p->funcs);
	RangeCache *cache = range_cache(p->arena);
	for (uint32_t i = p->funcs; i-- > 0;) {
		const Func *f = p->func[i];
		for (uint32_t k = 0; finite_position && called[i] && k < f->args; k++)
			if (f->arg[k].role == ROLE_POSITION)
				arg[i][k] = (Range){ -(double)NUM_FLOAT_MAX, (double)NUM_FLOAT_MAX, false };
		range[i] = range_all(p, f, called[i] ? arg[i] : NULL, finite_position, cache);
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

/* Does the range of an integer operand matter? A conversion that may meet NaN becomes a raw one, whose result may
   then be any int, unless it is trusted. */
static bool int_matters(const Func *f, const Range *any, Ref r, uint32_t i)
{
	const Value *v = &f->value[r];
	const Ref *o = ir_operands(f, r);
	Range operand[3], result;
	if (v->op >= OP_COUNT)
		return true;
	for (uint32_t k = 0; k < v->operands; k++)
		operand[k] = k == i ? range_full(f->value[o[k]].kind) : any[o[k]];
	result = range_apply((Op)v->op, operand, false, v->kind);
	return result.low < any[r].low || result.high > any[r].high || (result.nan && !any[r].nan);
}

/* What a value that must keep the range proved for any position asks of its operands: the same, but a min or max
   whose second operand is a number already does not need the first, and what removes NaN stays as it is where
   NaN can come. */
static void trust_operands(const Func *f, const Range *any, Ref r, bool *trusted)
{
	const Value *v = &f->value[r];
	const Ref *o = ir_operands(f, r);
	if (v->op == IR_CONST || v->op == IR_INDEX)
		return;
	if ((v->op == OP_FMIN || v->op == OP_FMAX) && any[o[0]].nan && !any[o[1]].nan) {
		trusted[o[1]] = true;
		return;
	}
	if ((v->op == OP_FCLEAN && !range_is_finite(any[o[0]])) || ((v->op == OP_FTOI || v->op == OP_FTOU) && any[o[0]].nan))
		return;
	if (v->op == IR_OUT || v->op == IR_CARRY) {
		Ref header = v->op == IR_OUT ? ir_operands(f, o[0])[0] : o[0];
		trusted[ir_operands(f, header)[v->imm + 1]] = true;
		for (Ref e = header; e < f->count; e++)
			if (f->value[e].op == IR_END && ir_operands(f, e)[0] == header)
				trusted[ir_operands(f, e)[v->imm + 1]] = true;
		return;
	}
	for (uint32_t i = 0; i < v->operands; i++) {
		Kind kind = (Kind)f->value[o[i]].kind;
		if (kind == KIND_FLOAT || ((kind == KIND_INT || kind == KIND_UINT) && int_matters(f, any, r, i)))
			trusted[o[i]] = true;
	}
}

static uint32_t count_true(const bool *flags, uint32_t count)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < count; i++)
		n += flags[i];
	return n;
}

static bool **all_trusted(const Program *p, const Range **any)
{
	bool **trusted = arena_alloc(p->arena, p->funcs * sizeof *trusted);
	for (uint32_t i = 0; i < p->funcs; i++)
		trusted[i] = arena_alloc(p->arena, p->func[i]->count);
	for (uint32_t i = p->funcs; i-- > 0;) {
		const Func *f = p->func[i];
		for (uint32_t k = 0; f == p->root && k < f->results; k++)
			trusted[i][f->result[k]] = f->value[f->result[k]].kind == KIND_FLOAT;
		/* a loop's carried value asks of its next value, which stands behind it: sweep until nothing is new */
		uint32_t before, after = count_true(trusted[i], f->count);
		do {
			before = after;
			for (Ref r = f->count; r-- > 1;)
				if (trusted[i][r])
					trust_operands(f, any[i], r, trusted[i]);
			after = count_true(trusted[i], f->count);
		} while (after != before);
		for (Ref r = 1; r < f->count; r++)
			if (trusted[i][r] && f->value[r].op == IR_CALL)
				trusted[f->value[r].imm][p->func[f->value[r].imm]->result[0]] = true;
	}
	return trusted;
}

void pass_sharpen(Program *p)
{
	Sharpen s = { .copy = { .hook = sharpen_value, .level = 2 } };
	s.range = all_ranges(p, true);
	s.any = all_ranges(p, false);
	s.trusted = all_trusted(p, s.any);
	copy_program(&s.copy, p);
}
