/* What interval a value is proved to lie in, run on the form as lowered: rules per row in range_rule.c,
   calls followed with the ranges of their arguments, folds by their rounds. Frozen like the rules. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "range.h"
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
	uint32_t hash;
	int nesting;
	Range *arg;
	Range result;
	struct Entry *next;
} Entry;

enum { CALLS = 200, FOLLOWED_CALLS = 50000 };   /* calls inside calls, and all together, that are followed; what lies beyond may be anything */
enum { FOLLOWED = 1, RESTED = 3 };              /* how deep loops may nest, calls included, to be run round by round or to rest */

struct RangeCache {
	Entry **slot;                           /* as many as a power of two */
	uint32_t size, used, followed;
};

RangeCache *range_cache(Arena *arena)
{
	RangeCache *c = arena_alloc(arena, sizeof *c);
	c->size = 16;
	c->slot = arena_alloc(arena, c->size * sizeof *c->slot);
	return c;
}

static void keep_entry(Arena *arena, RangeCache *c, Entry *e)
{
	if (c->used++ == c->size) {
		Entry **old = c->slot;
		c->slot = arena_alloc(arena, 2 * c->size * sizeof *c->slot);
		for (uint32_t i = 0; i < c->size; i++)
			for (Entry *from = old[i], *next; from; from = next) {
				Entry **to = &c->slot[from->hash & (2 * c->size - 1)];
				next = from->next;
				from->next = *to;
				*to = from;
			}
		c->size *= 2;
	}
	Entry **slot = &c->slot[e->hash & (c->size - 1)];
	e->next = *slot;
	*slot = e;
}

static Range value_range(Ranges *s, Ref r);

static Range constant(const Func *f, Ref r)
{
	const Value *v = &f->value[r];
	Range all = range_interval(INFINITY, -INFINITY);
	for (int i = 0; i < v->width; i++) {
		uint32_t bits = ir_bits(f, r)[i];
		double x = v->kind == KIND_FLOAT ? (double)num_from_bits(bits) : v->kind == KIND_INT ? (double)num_int(bits) : (double)bits;
		all = range_hull(all, range_interval(x, x));
	}
	return all;
}

/* The range of one value, all that it needs in order, so that long chains do not recurse. */
static Range settle(Ranges *s, Ref target)
{
	const Func *f = s->f;
	bool *need = arena_scratch(s->program->arena, target + 1u);
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
	ArenaMark mark = arena_mark(arena);
	Range *arg = arena_scratch(arena, (callee->args + 1) * sizeof *arg);
	uint32_t h = callee->id;
	for (uint32_t i = 0; i < callee->args; i++) {
		arg[i] = value_range(s, o[i]);
		h = hash_range(h, arg[i]);
	}
	int nesting = s->nesting < RESTED ? s->nesting : RESTED;
	for (Entry *e = s->cache->slot[h & (s->cache->size - 1)]; e; e = e->next) {
		bool same = e->hash == h && e->f == callee && e->nesting == nesting;
		for (uint32_t i = 0; same && i < callee->args; i++)
			same = e->arg[i].low == arg[i].low && e->arg[i].high == arg[i].high && e->arg[i].nan == arg[i].nan;
		if (same) {
			arena_release(arena, mark);
			return e->result;
		}
	}
	if (s->depth == CALLS || s->cache->followed >= FOLLOWED_CALLS) {
		arena_release(arena, mark);
		return range_full(v->kind);
	}
	s->cache->followed++;
	Entry *e = arena_alloc(arena, sizeof *e);
	Ranges inner = { .program = s->program, .f = callee, .arg = arg, .finite_position = s->finite_position, .nesting = nesting, .depth = s->depth + 1, .cache = s->cache };
	inner.range = arena_scratch(arena, callee->count * sizeof *inner.range);
	inner.done = arena_scratch(arena, callee->count * sizeof *inner.done);
	*e = (Entry){ .f = callee, .hash = h, .nesting = nesting, .result = settle(&inner, callee->result[0]) };
	e->arg = arena_alloc(arena, (callee->args + 1) * sizeof *arg);
	memcpy(e->arg, arg, callee->args * sizeof *arg);
	arena_release(arena, mark);
	keep_entry(arena, s->cache, e);
	return e->result;
}

static Range argument(const Ranges *s, const Value *v)
{
	const FuncArg *a = &s->f->arg[v->imm];
	if (s->arg)
		return s->arg[v->imm];
	if (a->role == ROLE_POSITION && s->finite_position)
		return range_interval(-(double)NUM_FLOAT_MAX, (double)NUM_FLOAT_MAX);
	if (a->source)
		return range_of(s->program, a->source, a->source_ref, s->finite_position);
	return range_full(v->kind);
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
	l.carry = arena_scratch(arena, (l.carried + 1) * sizeof *l.carry);
	l.now = arena_scratch(arena, (l.carried + 1) * sizeof *l.now);
	l.then = arena_scratch(arena, (l.carried + 1) * sizeof *l.then);
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
			Range *now = &l->now[k], then = l->then[k], end = range_full(s->f->value[l->first[k]].kind);
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
	Range *after = arena_scratch(s->program->arena, (l.carried + 1) * sizeof *after);
	bool exact = rounds.low == rounds.high;
	for (uint32_t k = 0; k < l.carried; k++)
		after[k] = l.now[k] = value_range(s, l.first[k]);
	if (s->nesting < FOLLOWED) {
		for (double i = 0; i < rounds.high; i++) {
			run_round(s, &l, range_interval(i, i));
			for (uint32_t k = 0; k < l.carried; k++) {
				l.now[k] = l.then[k];
				after[k] = exact || i < rounds.low ? l.now[k] : range_hull(after[k], l.now[k]);
			}
		}
	} else if (rounds.high > 0) {
		Range index = range_interval(0, rounds.high - 1);
		if (s->nesting < RESTED) {
			run_to_rest(s, &l, index);
		} else {
			for (uint32_t k = 0; k < l.carried; k++)
				l.now[k] = range_full(f->value[l.first[k]].kind);
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
		*out = range_interval(-high, b >> 31 ? -low : high);
	else
		*out = b >> 31 ? range_interval(-high, -low) : range_interval(low, high);
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
		return range_apply((Op)v->op, a, v->operands == 2 && o[0] == o[1], v->kind);
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
	case IR_INDEX: return range_interval(0, 255);
	case IR_OUT:
		run_loop(s, o[0]);
		return s->range[r];
	default: return range_full(v->kind);          /* params and inputs before their clamp; carried values seen from within */
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
	s.range = arena_scratch(p->arena, f->count * sizeof *s.range);
	s.done = arena_scratch(p->arena, f->count * sizeof *s.done);
	return s;
}

Range range_of(const Program *p, const Func *f, Ref r, bool finite_position)
{
	ArenaMark mark = arena_mark(p->arena);
	Ranges s = begin(p, f, finite_position);
	s.cache = range_cache(p->arena);
	Range range = settle(&s, r);
	arena_release(p->arena, mark);
	return range;
}

/* Gives the carried values of a loop ranges that hold in all of its rounds, for who asks about its body. */
static void hold_in_every_round(Ranges *s, Ref end)
{
	Loop l = open_loop(s, end);
	Range rounds = value_range(s, ir_operands(s->f, l.header)[0]), index = range_interval(0, fmax(rounds.high - 1, 0));
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
	ArenaMark mark = arena_mark(p->arena);
	Ranges s = begin(p, f, finite_position);
	s.cache = cache;
	s.arg = args;
	/* kept apart: following a loop for its results leaves the ranges of its last round behind */
	Range *all = arena_alloc(p->arena, f->count * sizeof *all);
	Ref *end_of = arena_scratch(p->arena, f->count * sizeof *end_of);
	for (Ref r = 1; r < f->count; r++)
		if (f->value[r].op == IR_END)
			end_of[ir_operands(f, r)[0]] = r;
	for (Ref r = 1; r < f->count; r++)
		if (f->value[r].op == IR_LOOP && end_of[r])
			hold_in_every_round(&s, end_of[r]);
		else if (f->value[r].op != IR_LOOP && f->value[r].op != IR_END)
			all[r] = value_range(&s, r);
	arena_release(p->arena, mark);
	return all;
}
