/* The frozen range rule: what interval a value is proved to lie in, one rule per row of ops.def, run on
   the form as lowered. `range` and `unit` print these numbers into programs, so a rule may never change
   within an edition. Float arithmetic rounds monotonically, so rounding the ends to float like the
   operation itself does gives a sound interval with no extra margin. Calls are followed with the ranges
   of their arguments; folds run their rounds. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "cc.h"
#include "../runtime/num.h"

typedef struct Ranges {                         /* of one function's values under given argument ranges */
	const Program *program;
	const Func *f;
	const Range *arg;                       /* NULL: full, but captured values of the root */
	bool finite_position;
	int nesting, depth;                     /* loops being run around this, in callers too; calls being followed */
	Range *range;
	bool *done;
	RangeCache *cache;
} Ranges;

typedef struct Entry {                          /* results of calls already followed */
	const Func *f;
	int nesting;
	Range *arg;
	Range result;
	struct Entry *next;
} Entry;

enum { CALLS = 200, FOLLOWED_CALLS = 50000 };   /* calls inside calls, and all together, that are followed; what lies beyond may be anything */
enum { FOLLOWED = 1, RESTED = 3 };              /* how deep loops may nest, calls included, to be run round by round or to rest */

struct RangeCache {
	Entry *entry[4096];
	uint32_t followed;
};

RangeCache *range_cache(Arena *arena)
{
	return arena_alloc(arena, sizeof(RangeCache));
}

static Range interval(double low, double high) { return (Range){ low, high, false }; }

static Range full(int kind)
{
	switch (kind) {
	case KIND_BOOL: return interval(0, 1);
	case KIND_INT: return interval(INT32_MIN, INT32_MAX);
	case KIND_UINT: return interval(0, UINT32_MAX);
	default: return (Range){ -INFINITY, INFINITY, true };
	}
}

Bounds range_bounds(Range r)
{
	const double largest = NUM_FLOAT_MAX;
	double low = fmax(fmin(r.low, largest), -largest), high = fmax(fmin(r.high, largest), -largest);
	Bounds b = { (float)low, (float)high };
	if ((double)b.low > low)
		b.low = nextafterf(b.low, -INFINITY);
	if ((double)b.high < high)
		b.high = nextafterf(b.high, INFINITY);
	return b;
}

bool range_is_finite(Range r)
{
	return !r.nan && r.low >= -(double)NUM_FLOAT_MAX && r.high <= (double)NUM_FLOAT_MAX;
}

Range range_hull(Range a, Range b)
{
	return (Range){ fmin(a.low, b.low), fmax(a.high, b.high), a.nan || b.nan };
}

static Range ends(double a, double b, double c, double d, bool nan)
{
	double low = INFINITY, high = -INFINITY, all[4] = { a, b, c, d };
	for (int i = 0; i < 4; i++) {
		if (isnan(all[i])) {            /* 0 * inf and its like: what lies beside it is 0 */
			nan = true;
			all[i] = 0;
		}
		low = fmin(low, all[i]);
		high = fmax(high, all[i]);
	}
	return (Range){ low, high, nan };
}

static Range whole(double low, double high, int kind)
{
	Range f = full(kind);
	return low >= f.low && high <= f.high ? interval(low, high) : f;
}

static bool contains(Range r, double x) { return r.low <= x && r.high >= x; }

/* ---- the rules: range_<column>(operands, same: both operands are one value, kind of the result) ---- */

#define RULE(name) static Range range_##name(const Range *a, bool same, int kind)
#define UNUSED (void)a; (void)same; (void)kind

RULE(same) { UNUSED; return a[0]; }
RULE(select) { UNUSED; return a[0].low == a[0].high ? a[0].low != 0 ? a[1] : a[2] : range_hull(a[1], a[2]); }
RULE(bool) { UNUSED; return interval(0, 1); }

RULE(fadd)
{
	UNUSED;
	bool nan = a[0].nan || a[1].nan || (a[0].low == -INFINITY && a[1].high == INFINITY) || (a[0].high == INFINITY && a[1].low == -INFINITY);
	double low = (float)a[0].low + (float)a[1].low, high = (float)a[0].high + (float)a[1].high;
	return (Range){ isnan(low) ? -INFINITY : low, isnan(high) ? INFINITY : high, nan };
}

RULE(fneg) { UNUSED; return (Range){ -a[0].high, -a[0].low, a[0].nan }; }

RULE(fsub)
{
	Range b[2] = { a[0], range_fneg(a + 1, false, kind) };
	return range_fadd(b, same, kind);
}

RULE(fmul)
{
	UNUSED;
	float l = (float)a[0].low, h = (float)a[0].high, m = (float)a[1].low, n = (float)a[1].high;
	bool infinite = l == -INFINITY || h == INFINITY, infinite2 = m == -INFINITY || n == INFINITY;
	Range r = ends((double)(l * m), (double)(l * n), (double)(h * m), (double)(h * n), a[0].nan || a[1].nan);
	if ((infinite && contains(a[1], 0)) || (infinite2 && contains(a[0], 0)))
		r.nan = true;
	if (same) {
		r.low = contains(a[0], 0) ? 0 : fmin((double)(l * l), (double)(h * h));
		r.high = fmax((double)(l * l), (double)(h * h));
		r.nan = a[0].nan;
	}
	return r;
}

RULE(fdiv)
{
	UNUSED;
	float l = (float)a[0].low, h = (float)a[0].high, m = (float)a[1].low, n = (float)a[1].high;
	if (contains(a[1], 0)) {
		Range r = (Range){ -INFINITY, INFINITY, a[0].nan || a[1].nan || !range_is_finite(a[0]) };
		if (m >= 0 && l >= 0)
			r.low = 0;
		return r;
	}
	bool infinite = (l == -INFINITY || h == INFINITY) && (m == -INFINITY || n == INFINITY);
	return ends((double)(l / m), (double)(l / n), (double)(h / m), (double)(h / n), a[0].nan || a[1].nan || infinite);
}

RULE(fmod)
{
	UNUSED;
	/* near the largest float the quotient times b may overflow */
	double high = fmax(fabs(a[1].low), fabs(a[1].high));
	return high < 1e38 ? (Range){ 0, high, a[1].nan } : (Range){ 0, INFINITY, true };
}

RULE(fsqrt)
{
	UNUSED;
	return interval(a[0].low > 0 && !a[0].nan ? (double)sqrtf((float)a[0].low) : 0, a[0].high > 0 ? (double)sqrtf((float)a[0].high) : 0);
}

RULE(fabs)
{
	UNUSED;
	double x = fabs(a[0].low), y = fabs(a[0].high);
	return (Range){ contains(a[0], 0) ? 0 : fmin(x, y), fmax(x, y), a[0].nan };
}

RULE(ffloor) { UNUSED; return (Range){ floor(a[0].low), floor(a[0].high), a[0].nan }; }
RULE(fceil) { UNUSED; return (Range){ ceil(a[0].low), ceil(a[0].high), a[0].nan }; }
RULE(ftrunc) { UNUSED; return (Range){ trunc(a[0].low), trunc(a[0].high), a[0].nan }; }
RULE(fround) { UNUSED; return (Range){ (double)num_round((float)a[0].low), (double)num_round((float)a[0].high), a[0].nan }; }

/* a < b ? a : b gives b where either is NaN, and b where b is */
RULE(fmin)
{
	UNUSED;
	Range r = { fmin(a[0].low, a[1].low), fmin(a[0].high, a[1].high), a[1].nan };
	if (a[0].nan)
		r.high = fmax(r.high, a[1].high);
	if (a[1].nan)
		r = range_hull(r, a[1]);
	return r;
}

RULE(fmax)
{
	UNUSED;
	Range r = { fmax(a[0].low, a[1].low), fmax(a[0].high, a[1].high), a[1].nan };
	if (a[0].nan)
		r.low = fmin(r.low, a[1].low);
	if (a[1].nan)
		r = range_hull(r, a[1]);
	return r;
}

RULE(fbound)
{
	UNUSED;
	double m = NUM_LATTICE_LIMIT;
	return (Range){ fmax(fmin(a[0].low, m), -m), fmax(fmin(a[0].high, m), -m), a[0].nan };
}

RULE(fclean)
{
	UNUSED;
	double m = NUM_FLOAT_MAX;
	Range r = interval(fmin(fmax(a[0].low, -m), m), fmax(fmin(a[0].high, m), -m));
	return a[0].nan ? range_hull(r, interval(0, 0)) : r;
}

RULE(within)
{
	UNUSED;
	return (Range){ fmax(a[0].low, a[1].low), fmin(a[0].high, a[2].high), a[0].nan };
}

RULE(iadd) { UNUSED; return whole(a[0].low + a[1].low, a[0].high + a[1].high, kind); }
RULE(isub) { UNUSED; return whole(a[0].low - a[1].high, a[0].high - a[1].low, kind); }
RULE(ineg) { UNUSED; return whole(-a[0].high, -a[0].low, kind); }

RULE(imul)
{
	UNUSED;
	Range r = ends(a[0].low * a[1].low, a[0].low * a[1].high, a[0].high * a[1].low, a[0].high * a[1].high, false);
	return whole(r.low, r.high, kind);
}

RULE(idiv)
{
	UNUSED;
	if (contains(a[1], 0))
		return full(kind);
	Range r = ends(a[0].low / a[1].low, a[0].low / a[1].high, a[0].high / a[1].low, a[0].high / a[1].high, false);
	return whole(floor(r.low), floor(r.high), kind);
}

RULE(imod)
{
	UNUSED;
	double high = fmax(a[1].high - 1, 0), low = fmin(a[1].low + 1, 0);
	return interval(low, high);
}

RULE(iabs)
{
	UNUSED;
	double x = fabs(a[0].low), y = fabs(a[0].high);
	return whole(contains(a[0], 0) ? 0 : fmin(x, y), fmax(x, y), kind);
}

RULE(imin) { UNUSED; return interval(fmin(a[0].low, a[1].low), fmin(a[0].high, a[1].high)); }
RULE(imax) { UNUSED; return interval(fmax(a[0].low, a[1].low), fmax(a[0].high, a[1].high)); }
RULE(iany) { UNUSED; return full(KIND_INT); }
RULE(uany) { UNUSED; return full(KIND_UINT); }
#define range_uadd range_iadd
#define range_usub range_isub
#define range_umul range_imul
#define range_umin range_imin
#define range_umax range_imax
RULE(uand) { UNUSED; return interval(0, fmin(a[0].high, a[1].high)); }
RULE(udiv) { UNUSED; return interval(0, a[1].low >= 1 ? floor(a[0].high / a[1].low) : a[0].high); }
RULE(umod) { UNUSED; return interval(0, a[1].high >= 1 ? a[1].high - 1 : 0); }

RULE(ushr)
{
	UNUSED;
	return a[1].low == a[1].high && a[1].low < 32 ? interval(floor(a[0].low / exp2(a[1].low)), floor(a[0].high / exp2(a[1].low))) : interval(0, a[0].high);
}

RULE(ftoi)
{
	UNUSED;
	Range r = interval(fmax(trunc(a[0].low), INT32_MIN), fmin(trunc(a[0].high), INT32_MAX));
	r.low = fmin(r.low, INT32_MAX);
	r.high = fmax(r.high, INT32_MIN);
	return a[0].nan ? range_hull(r, interval(0, 0)) : r;
}

RULE(ftou)
{
	UNUSED;
	Range r = interval(fmin(fmax(trunc(a[0].low), 0), UINT32_MAX), fmax(fmin(trunc(a[0].high), UINT32_MAX), 0));
	return a[0].nan ? range_hull(r, interval(0, 0)) : r;
}

RULE(itou) { UNUSED; return a[0].low >= 0 ? a[0] : full(KIND_UINT); }
RULE(itof) { UNUSED; return interval((double)(float)a[0].low, (double)(float)a[0].high); }
#define range_utof range_itof
RULE(btof) { UNUSED; return a[0]; }
#define range_btoi range_btof
#define range_btou range_btof

/* bits of floats of one sign rise with the float, so ends map to ends while they stay finite */
RULE(bitsf)
{
	UNUSED;
	if (a[0].high < 0x7f800000u)
		return interval((double)num_from_bits((uint32_t)a[0].low), (double)num_from_bits((uint32_t)a[0].high));
	return full(KIND_FLOAT);
}

typedef Range Rule(const Range *, bool, int);

static Rule *const rules[OP_COUNT] = {
#define OP(ID, NAME, R, A, B, C, FLAGS, MEANING, SHADER, VSHADER, RANGE, DOC) [OP_##ID] = range_##RANGE,
#include "../runtime/ops.def"
#undef OP
};

/* ---- walking a function ---- */

static Range value_range(Ranges *s, Ref r);

static Range constant(const Func *f, Ref r)
{
	const Value *v = &f->value[r];
	Range all = interval(INFINITY, -INFINITY);
	for (int i = 0; i < v->width; i++) {
		uint32_t bits = ir_bits(f, r)[i];
		double x = v->kind == KIND_FLOAT ? (double)num_from_bits(bits) : v->kind == KIND_INT ? (double)num_int(bits) : (double)bits;
		all = range_hull(all, interval(x, x));
	}
	return all;
}

/* The range of one value, all that it needs in order, so that long chains do not recurse. */
static Range settle(Ranges *s, Ref target)
{
	const Func *f = s->f;
	bool *need = arena_alloc(s->program->arena, target + 1u);
	need[target] = true;
	for (Ref r = target; r > 0; r--)
		for (uint32_t i = 0; need[r] && f->value[r].op != IR_CONST && i < f->value[r].operands; i++)
			need[ir_operands(f, r)[i]] = true;
	for (Ref r = 1; r < target; r++)
		if (need[r] && !f->value[r].loop && f->value[r].op != IR_LOOP && f->value[r].op != IR_END)
			value_range(s, r);
	return value_range(s, target);
}

static uint32_t hash_range(uint32_t h, Range r)
{
	uint32_t word[4];
	memcpy(word, &r.low, sizeof r.low);
	memcpy(word + 2, &r.high, sizeof r.high);
	for (int i = 0; i < 4; i++) {
		h = (h ^ word[i]) * 0x85EBCA77u;
		h ^= h >> 15;
	}
	return h;
}

static Range call(Ranges *s, const Value *v, const Ref *o)
{
	const Func *callee = s->program->func[v->imm];
	Arena *arena = s->program->arena;
	Range *arg = arena_alloc(arena, (callee->args + 1) * sizeof *arg);
	uint32_t h = callee->id;
	for (uint32_t i = 0; i < callee->args; i++) {
		arg[i] = value_range(s, o[i]);
		h = hash_range(h, arg[i]);
	}
	int nesting = s->nesting < RESTED ? s->nesting : RESTED;
	Entry **slot = &s->cache->entry[h % 4096];
	for (Entry *e = *slot; e; e = e->next) {
		bool same = e->f == callee && e->nesting == nesting;
		for (uint32_t i = 0; same && i < callee->args; i++)
			same = e->arg[i].low == arg[i].low && e->arg[i].high == arg[i].high && e->arg[i].nan == arg[i].nan;
		if (same)
			return e->result;
	}
	if (s->depth == CALLS || s->cache->followed >= FOLLOWED_CALLS)
		return full(v->kind);
	s->cache->followed++;
	Entry *e = arena_alloc(arena, sizeof *e);
	Ranges inner = { .program = s->program, .f = callee, .arg = arg, .finite_position = s->finite_position, .nesting = nesting, .depth = s->depth + 1, .cache = s->cache };
	inner.range = arena_alloc(arena, callee->count * sizeof *inner.range);
	inner.done = arena_alloc(arena, callee->count * sizeof *inner.done);
	*e = (Entry){ .f = callee, .nesting = nesting, .arg = arg, .result = settle(&inner, callee->result[0]) };
	e->next = *slot;
	*slot = e;
	return e->result;
}

static Range argument(const Ranges *s, const Value *v)
{
	const FuncArg *a = &s->f->arg[v->imm];
	if (s->arg)
		return s->arg[v->imm];
	if (a->role == ROLE_POSITION && s->finite_position)
		return interval(-(double)NUM_FLOAT_MAX, (double)NUM_FLOAT_MAX);
	if (a->source)
		return range_of(s->program, a->source, a->source_ref, s->finite_position);
	return full(v->kind);
}

/* One loop under evaluation. */
typedef struct Loop {
	Ref header, end, index;                 /* index 0: not read */
	uint32_t carried;
	const Ref *first, *next;                /* per carried value */
	Ref *carry;                             /* per carried value; 0: not read in the body */
	Range *now, *then;                      /* per carried value: before and after a round */
} Loop;

static Loop open_loop(Ranges *s, Ref end)
{
	const Func *f = s->f;
	Arena *arena = s->program->arena;
	Loop l = { .header = ir_operands(f, end)[0], .end = end, .next = ir_operands(f, end) + 1 };
	l.carried = f->value[l.header].operands - 1u;
	l.first = ir_operands(f, l.header) + 1;
	l.carry = arena_alloc(arena, (l.carried + 1) * sizeof *l.carry);
	l.now = arena_alloc(arena, (l.carried + 1) * sizeof *l.now);
	l.then = arena_alloc(arena, (l.carried + 1) * sizeof *l.then);
	for (Ref r = l.header; r < end; r++)
		if ((f->value[r].op == IR_CARRY || f->value[r].op == IR_INDEX) && ir_operands(f, r)[0] == l.header)
			*(f->value[r].op == IR_CARRY ? &l.carry[f->value[r].imm] : &l.index) = r;
	return l;
}

/* One pass over the body: l->then from l->now. */
static void run_round(Ranges *s, Loop *l, Range index)
{
	for (Ref r = l->header; r < l->end; r++)
		if (s->f->value[r].loop >= l->header)
			s->done[r] = false;
	for (uint32_t k = 0; k < l->carried; k++)
		if (l->carry[k]) {
			s->range[l->carry[k]] = l->now[k];
			s->done[l->carry[k]] = true;
		}
	if (l->index) {
		s->range[l->index] = index;
		s->done[l->index] = true;
	}
	s->nesting++;
	for (Ref r = l->header; r < l->end; r++)
		if (s->f->value[r].loop == l->header && s->f->value[r].op != IR_LOOP && s->f->value[r].op != IR_END)
			value_range(s, r);
	for (uint32_t k = 0; k < l->carried; k++)
		l->then[k] = value_range(s, l->next[k]);
	s->nesting--;
}

/* Grows l->now until a round stays inside it; bounds that go on growing after a few rounds go to the end. */
static void run_to_rest(Ranges *s, Loop *l, Range index)
{
	for (int pass = 0;; pass++) {
		bool rests = true;
		run_round(s, l, index);
		for (uint32_t k = 0; k < l->carried; k++) {
			Range *now = &l->now[k], then = l->then[k], end = full(s->f->value[l->first[k]].kind);
			bool lower = then.low < now->low, higher = then.high > now->high, nan = then.nan && !now->nan;
			rests = rests && !lower && !higher && !nan;
			if (lower)
				now->low = pass < 3 ? then.low : end.low;
			if (higher)
				now->high = pass < 3 ? then.high : end.high;
			now->nan = now->nan || then.nan;
		}
		if (rests)
			return;
	}
}

/* Leaves the range of each carried value after a loop. The outermost loop is followed round by round; in it
   loops are run until their intervals rest; deeper ones, for whose cost nothing would vouch, are taken once
   with carried values that may be anything. */
static void run_loop(Ranges *s, Ref end)
{
	const Func *f = s->f;
	Loop l = open_loop(s, end);
	Range rounds = value_range(s, ir_operands(f, l.header)[0]);
	Range *after = arena_alloc(s->program->arena, (l.carried + 1) * sizeof *after);
	bool exact = rounds.low == rounds.high;
	for (uint32_t k = 0; k < l.carried; k++)
		after[k] = l.now[k] = value_range(s, l.first[k]);
	if (s->nesting < FOLLOWED) {
		for (double i = 0; i < rounds.high; i++) {
			run_round(s, &l, interval(i, i));
			for (uint32_t k = 0; k < l.carried; k++) {
				l.now[k] = l.then[k];
				after[k] = exact || i < rounds.low ? l.now[k] : range_hull(after[k], l.now[k]);
			}
		}
	} else if (rounds.high > 0) {
		Range index = interval(0, rounds.high - 1);
		if (s->nesting < RESTED) {
			run_to_rest(s, &l, index);
		} else {
			for (uint32_t k = 0; k < l.carried; k++)
				l.now[k] = full(f->value[l.first[k]].kind);
			run_round(s, &l, index);
		}
		for (uint32_t k = 0; k < l.carried; k++)
			after[k] = rounds.low >= 1 ? l.then[k] : range_hull(after[k], l.then[k]);
	}
	for (Ref r = end + 1; r < f->count; r++)
		if (f->value[r].op == IR_OUT && ir_operands(f, r)[0] == end) {
			s->range[r] = after[f->value[r].imm];
			s->done[r] = true;
		}
}

/* uintBitsToFloat((h & mask) | base): how gradients and random floats are made. */
static bool masked_bits(const Func *f, Ref bits, Range *out)
{
	const Value *v = &f->value[bits];
	if (v->op != OP_UOR || f->value[ir_operands(f, bits)[0]].op != OP_UAND)
		return false;
	Ref mask = ir_operands(f, ir_operands(f, bits)[0])[1], base = ir_operands(f, bits)[1];
	if (!ir_is_const(f, mask) || !ir_is_const(f, base) || f->value[mask].width != 1)
		return false;
	uint32_t m = ir_bits(f, mask)[0], b = ir_bits(f, base)[0], most = (m | b) & 0x7fffffffu;
	if (most >= 0x7f800000u)
		return false;
	double high = (double)num_from_bits(most), low = (double)num_from_bits(b & 0x7fffffffu);
	if (m >> 31)
		*out = interval(-high, b >> 31 ? -low : high);
	else
		*out = b >> 31 ? interval(-high, -low) : interval(low, high);
	return true;
}

static Range compute(Ranges *s, Ref r)
{
	const Func *f = s->f;
	const Value *v = &f->value[r];
	const Ref *o = ir_operands(f, r);
	if (v->op < OP_COUNT) {
		Range a[3];
		for (uint32_t i = 0; i < v->operands; i++)
			a[i] = value_range(s, o[i]);
		/* x - floor(x) */
		if (v->op == OP_FSUB && f->value[o[1]].op == OP_FFLOOR && ir_operands(f, o[1])[0] == o[0])
			return (Range){ 0, 1, a[0].nan || a[0].low == -INFINITY || a[0].high == INFINITY };
		if (v->op == OP_BITSF && masked_bits(f, o[0], &a[0]))
			return a[0];
		return rules[v->op](a, v->operands == 2 && o[0] == o[1], v->kind);
	}
	switch (v->op) {
	case IR_CONST: return constant(f, r);
	case IR_ARG: return argument(s, v);
	case IR_CALL: return call(s, v, o);
	case IR_LANE: return value_range(s, o[0]);
	case IR_VEC: {
		Range all = value_range(s, o[0]);
		for (int i = 1; i < v->width; i++)
			all = range_hull(all, value_range(s, o[i]));
		return all;
	}
	case IR_INDEX: return interval(0, 255);
	case IR_OUT:
		run_loop(s, o[0]);
		return s->range[r];
	default: return full(v->kind);          /* params and inputs before their clamp; carried values seen from within */
	}
}

static Range value_range(Ranges *s, Ref r)
{
	if (!s->done[r]) {
		s->range[r] = compute(s, r);
		s->done[r] = true;
	}
	return s->range[r];
}

static Ranges begin(const Program *p, const Func *f, bool finite_position)
{
	Ranges s = { .program = p, .f = f, .finite_position = finite_position };
	s.range = arena_alloc(p->arena, f->count * sizeof *s.range);
	s.done = arena_alloc(p->arena, f->count * sizeof *s.done);
	return s;
}

Range range_of(const Program *p, const Func *f, Ref r, bool finite_position)
{
	Ranges s = begin(p, f, finite_position);
	s.cache = range_cache(p->arena);
	return settle(&s, r);
}

/* Gives the carried values of a loop ranges that hold in all of its rounds, for who asks about its body. */
static void hold_in_every_round(Ranges *s, Ref end)
{
	Loop l = open_loop(s, end);
	Range rounds = value_range(s, ir_operands(s->f, l.header)[0]), index = interval(0, fmax(rounds.high - 1, 0));
	for (uint32_t k = 0; k < l.carried; k++)
		l.now[k] = value_range(s, l.first[k]);
	run_to_rest(s, &l, index);
	for (Ref r = l.header; r < end; r++)
		if (s->f->value[r].loop >= l.header)
			s->done[r] = false;
	for (uint32_t k = 0; k < l.carried; k++)
		if (l.carry[k]) {
			s->range[l.carry[k]] = l.now[k];
			s->done[l.carry[k]] = true;
		}
	if (l.index) {
		s->range[l.index] = index;
		s->done[l.index] = true;
	}
}

const Range *range_all(const Program *p, const Func *f, const Range *args, bool finite_position, RangeCache *cache)
{
	Ranges s = begin(p, f, finite_position);
	s.cache = cache;
	s.arg = args;
	/* kept apart: following a loop for its results leaves the ranges of its last round behind */
	Range *all = arena_alloc(p->arena, f->count * sizeof *all);
	Ref *end_of = arena_alloc(p->arena, f->count * sizeof *end_of);
	for (Ref r = 1; r < f->count; r++)
		if (f->value[r].op == IR_END)
			end_of[ir_operands(f, r)[0]] = r;
	for (Ref r = 1; r < f->count; r++)
		if (f->value[r].op == IR_LOOP && end_of[r])
			hold_in_every_round(&s, end_of[r]);
		else if (f->value[r].op != IR_LOOP && f->value[r].op != IR_END)
			all[r] = value_range(&s, r);
	return all;
}
