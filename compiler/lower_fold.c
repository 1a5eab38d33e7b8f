/* Folds: one bounded loop, carried names whose type holds both sides, and carried values that are known
   at compile time (the norm of an fBm), found by running the loop in the folder. */
#include <assert.h>
#include <string.h>

#include "lower.h"
#include "../runtime/num.h"

typedef struct Round {                          /* what a loop body was built from */
	const Expr *fold;
	Ref header;                             /* the IR_LOOP */
	Type *type;                             /* of each carried name */
	uint32_t carried, most;                 /* how many names; the proved maximum of rounds */
} Round;

/* What the types of an inner fold grew to in an earlier attempt at the fold around it: they start from there
   the next time, or the attempts of nested folds would multiply. */
typedef struct FoldTypes {
	const Expr *fold;
	int width;
	Type *type;
	struct FoldTypes *next;
} FoldTypes;

static Type *known_types(Lower *l, const Context *c, const Expr *e, uint32_t carried)
{
	for (FoldTypes *t = c->frame->fold_types; t; t = t->next)
		if (t->fold == e && t->width == c->width)
			return t->type;
	FoldTypes *t = arena_alloc(l->arena, sizeof *t);
	*t = (FoldTypes){ e, c->width, arena_alloc(l->arena, (carried + 1) * sizeof *t->type), c->frame->fold_types };
	c->frame->fold_types = t;
	return t->type;
}

static uint32_t count_carried(const Expr *e)
{
	uint32_t n = 0;
	for (const Carry *k = e->u.fold.lines; k; k = k->next)
		n += k->then != NULL;
	return n;
}

static Env *round_env(Lower *l, const Env *outer, const Expr *e, bool inside)
{
	Env *env = arena_alloc(l->arena, sizeof *env);
	*env = (Env){ .outer = outer, .scope = outer->scope, .lines = inside ? e->u.fold.lines : NULL, .id = ++l->env_count };
	env->binding = arena_alloc(l->arena, (count_carried(e) + 1) * sizeof *env->binding);
	return env;
}

static void bind_value(Env *env, const char *name, Type type, const Func *f, Ref r)
{
	env->binding[env->bindings++] = (Binding){ .name = name, .kind = BIND_VALUE, .type = type, .func = f, .ref = r };
}

/* ---- running a loop at compile time ---- */

typedef struct Run {
	const Program *program;
	Arena *arena;
	const Func *f;
	uint32_t (*arg)[4];                     /* of a function that the body calls */
	Ref header;
	bool *known;                            /* per carried value */
	uint32_t (*value)[4], (*result)[4];     /* per carried value; per value of the body this round */
	signed char *state;                     /* per value: 0 not yet, 1 known, -1 not known */
	int32_t round;
	uint32_t *left;                         /* values that may still be evaluated: calls can multiply without end */
	int depth;
} Run;

enum { EVALUATIONS = 200000, CALLS_DEEP = 64 };

static bool evaluate(Run *t, Ref r);

static bool evaluate_call(Run *t, const Func *callee, const Ref *operands, uint32_t out[4])
{
	Run inner = { .program = t->program, .arena = t->arena, .f = callee, .left = t->left, .depth = t->depth + 1 };
	if (inner.depth > CALLS_DEEP)
		return false;
	inner.arg = arena_alloc(t->arena, (callee->args + 1) * sizeof *inner.arg);
	for (uint32_t i = 0; i < callee->args; i++) {
		if (!evaluate(t, operands[i]))
			return false;
		memcpy(inner.arg[i], t->result[operands[i]], sizeof inner.arg[i]);
	}
	inner.result = arena_alloc(t->arena, callee->count * sizeof *inner.result);
	inner.state = arena_alloc(t->arena, callee->count);
	if (!evaluate(&inner, callee->result[0]))
		return false;
	memcpy(out, inner.result[callee->result[0]], sizeof inner.result[0]);
	return true;
}

static bool evaluate(Run *t, Ref r)
{
	const Func *f = t->f;
	const Value *v = &f->value[r];
	if (t->state[r])
		return t->state[r] > 0;
	const Ref *o = ir_operands(f, r);
	bool known = true;
	t->state[r] = -1;
	if (*t->left == 0)
		return false;
	--*t->left;
	if (v->op == IR_CONST) {
		memcpy(t->result[r], o, v->width * sizeof *o);
	} else if (v->op == IR_ARG && t->arg) {
		memcpy(t->result[r], t->arg[v->imm], sizeof t->result[r]);
	} else if (v->op == IR_CALL) {
		known = evaluate_call(t, t->program->func[v->imm], o, t->result[r]);
	} else if (v->op == IR_INDEX && t->header && o[0] == t->header) {
		t->result[r][0] = (uint32_t)t->round;
	} else if (v->op == IR_CARRY && t->header && o[0] == t->header) {
		known = t->known[v->imm];
		memcpy(t->result[r], t->value[v->imm], sizeof t->result[r]);
	} else if (v->op < OP_COUNT || v->op == IR_VEC || v->op == IR_LANE) {
		for (uint32_t i = 0; i < v->operands; i++)
			known = evaluate(t, o[i]) && known;
		for (int lane = 0; known && lane < v->width; lane++) {
			uint32_t w[3] = { 0, 0, 0 };
			if (v->op == IR_VEC) {
				t->result[r][lane] = t->result[o[lane]][0];
			} else if (v->op == IR_LANE) {
				t->result[r][0] = t->result[o[0]][v->imm];
			} else {
				for (uint32_t i = 0; i < v->operands; i++)
					w[i] = t->result[o[i]][lane];
				t->result[r][lane] = op_fold((Op)v->op, w[0], w[1], w[2]);
			}
		}
	} else {
		known = false;
	}
	t->state[r] = known ? 1 : -1;
	return known;
}

/* Marks the carried values that follow from constants alone, and leaves their values after `rounds`. */
static void run_known(Lower *l, const Func *f, Ref header, const Ref *first, const Ref *next, uint32_t carried, uint32_t rounds,
	bool *known, uint32_t (*value)[4])
{
	uint32_t left = EVALUATIONS;
	Run t = { .left = &left, .program = l->program, .arena = l->arena, .f = f, .header = header, .known = known, .value = value };
	t.result = arena_alloc(l->arena, f->count * sizeof *t.result);
	t.state = arena_alloc(l->arena, f->count);
	for (uint32_t k = 0; k < carried; k++)
		known[k] = ir_is_const(f, first[k]);
	for (bool changed = true; changed;) {
		changed = false;
		memset(t.state, 0, f->count);
		for (uint32_t k = 0; k < carried; k++)
			if (known[k] && !evaluate(&t, next[k])) {
				known[k] = false;
				changed = true;
			}
	}
	for (uint32_t k = 0; k < carried; k++)
		if (known[k])
			memcpy(value[k], ir_bits(f, first[k]), f->value[first[k]].width * sizeof(uint32_t));
	uint32_t (*after)[4] = arena_alloc(l->arena, (carried + 1) * sizeof *after);
	for (uint32_t i = 0; i < rounds; i++) {
		t.round = (int32_t)i;
		memset(t.state, 0, f->count);
		for (uint32_t k = 0; k < carried; k++)
			if (known[k] && evaluate(&t, next[k]))
				memcpy(after[k], t.result[next[k]], sizeof after[k]);
		memcpy(value, after, carried * sizeof *after);
	}
	/* too long to run, or a value that no target can print: left to run time */
	for (uint32_t k = 0; k < carried; k++)
		for (int lane = 0; known[k] && lane < f->value[next[k]].width; lane++)
			known[k] = left > 0 && !(f->value[next[k]].kind == KIND_FLOAT && (value[k][lane] & 0x7f800000u) == 0x7f800000u);
}

/* ---- equal folds ---- */

typedef struct FoldLoop { Ref header, end; struct FoldLoop *next; } FoldLoop;

/* Whether a and b are the same value when the loop pair[header] stands for the loop `header`. */
static bool same_in(const Func *f, Ref *pair, Ref a, Ref b)
{
	const Value *x = &f->value[a], *y = &f->value[b];
	if (a == b || pair[a] == b)
		return true;
	if (pair[a] || x->op != y->op || x->kind != y->kind || x->width != y->width || x->imm != y->imm || x->operands != y->operands || x->op == IR_CONST)
		return false;
	const Ref *o = ir_operands(f, a), *q = ir_operands(f, b);
	if (x->operands == 0)
		return false;
	for (uint32_t i = 0; i < x->operands; i++)
		if (!same_in(f, pair, o[i], q[i]))
			return false;
	pair[a] = b;
	return true;
}

/* The end of an earlier loop of this function that computes the same from the same; 0: there is none. */
static Ref equal_loop(Lower *l, const Context *c, Ref header, const Ref *next, uint32_t carried)
{
	const Func *f = c->frame->func;
	const Value *h = &f->value[header];
	for (const FoldLoop *d = c->frame->fold_loops; d; d = d->next) {
		const Value *o = &f->value[d->header];
		if (o->loop != h->loop || o->operands != h->operands || memcmp(ir_operands(f, d->header), ir_operands(f, header), h->operands * sizeof(Ref)))
			continue;
		Ref *pair = arena_alloc(l->arena, f->count * sizeof *pair);
		pair[header] = d->header;
		bool same = true;
		for (uint32_t k = 0; k < carried && same; k++)
			same = same_in(f, pair, next[k], ir_operands(f, d->end)[k + 1]);
		if (same)
			return d->end;
	}
	return 0;
}

/* ---- building ---- */

/* The number of rounds, an int: max(0, to - from), proved to be at most MAX_ROUNDS. */
static Ref count_rounds(Lower *l, const Context *c, const Env *env, const Expr *e, Ref *start, uint32_t *most)
{
	Func *f = c->frame->func;
	Type int_type = type_make(BASE_INT, 1);
	Typed from = convert(l, c, lower_expr(l, c, env, e->u.fold.from, int_type), int_type, e->u.fold.from->span, "the first round");
	Typed to = convert(l, c, lower_expr(l, c, env, e->u.fold.to, int_type), int_type, e->u.fold.to->span, "the bound of a fold");
	if (!from.ref || !to.ref)
		return 0;
	Ref count = ir_op(f, OP_IMAX, ir_int(f, 0), ir_op(f, OP_ISUB, to.ref, from.ref, 0), 0);
	Range r = range_of(l->program, f, count, true);
	bool known = ir_is_const(f, from.ref) && ir_is_const(f, to.ref);
	int64_t exact = known ? (int64_t)num_int(ir_bits(f, to.ref)[0]) - num_int(ir_bits(f, from.ref)[0]) : 0;
	if (r.high > MAX_ROUNDS || exact > MAX_ROUNDS) {       /* the difference of two ints may wrap */
		if (known)
			lower_error(l, "N0411", e->u.fold.to->span, "a fold has at most %d rounds, not %u", MAX_ROUNDS, (unsigned)exact);
		else
			lower_error(l, "N0411", e->u.fold.to->span, "cannot prove that this fold has at most %d rounds; give what it depends on a range, as in 'param n: int = 4 in 0 .. 16', or write min(n, 16)", MAX_ROUNDS);
		return 0;
	}
	*start = from.ref;
	*most = (uint32_t)r.high;
	return count;
}

static bool first_values(Lower *l, const Context *c, const Env *env, const Expr *e, Round *round, Typed *first)
{
	uint32_t k = 0;
	bool fine = true;
	for (const Carry *line = e->u.fold.lines; line; line = line->next) {
		if (!line->then)
			continue;
		Type declared = type_of_name(l, line->type, c->width);
		first[k] = lower_expr(l, c, env, line->first, declared);
		if (declared.base)
			first[k] = convert(l, c, first[k], declared, line->first->span, text_print(l->arena, "'%s'", line->name));
		fine = fine && first[k].ref;
		first[k].type.whole = false;
		round->type[k] = first[k].type;
		k++;
	}
	return fine;
}

/* Builds the body once for the types at hand; afterwards round->type are the least types that hold both sides. */
static bool build_body(Lower *l, const Context *c, const Env *env, Round *round, Ref count, Ref start, const Typed *first, Ref *next, bool *stable)
{
	const Expr *e = round->fold;
	Func *f = c->frame->func;
	Ref *operand = arena_alloc(l->arena, (round->carried + 1) * sizeof *operand);
	operand[0] = count;
	for (uint32_t k = 0; k < round->carried; k++)
		operand[k + 1] = convert_quietly(c, first[k], round->type[k]).ref;
	Ref header = ir_loop(f, round->most, operand, round->carried + 1);
	Ref outer = f->open_loop;
	f->open_loop = header;
	round->header = header;
	Env *inside = round_env(l, env, e, true);
	Ref index = ir_op(f, OP_IADD, ir_value(f, IR_INDEX, KIND_INT, 1, 0, &header, 1), start, 0);
	f->value[index].name = e->u.fold.index;
	bind_value(inside, e->u.fold.index, type_make(BASE_INT, 1), f, index);
	uint32_t k = 0;
	for (const Carry *line = e->u.fold.lines; line; line = line->next)
		if (line->then) {
			Type t = round->type[k];
			Ref r = ir_value(f, IR_CARRY, type_kind(t), t.width, k++, &header, 1);
			f->value[r].name = line->name;
			bind_value(inside, line->name, t, f, r);
		}
	bool fine = true;
	*stable = true;
	k = 0;
	for (const Carry *line = e->u.fold.lines; line; line = line->next) {
		if (!line->then)
			continue;
		Typed v = lower_expr(l, c, inside, line->then, round->type[k]);
		Type least = round->type[k];
		if (!v.ref) {
			fine = false;
		} else if (!type_least(round->type[k], v.type, &least)) {
			lower_error(l, "N0412", line->then->span, "'%s' starts as %s but continues as %s", line->name, type_text(l, round->type[k]), type_text(l, v.type));
			fine = false;
		} else if (!type_same(least, round->type[k]) && line->type.name) {
			lower_error(l, "N0412", line->then->span, "'%s' is declared %s but continues as %s", line->name, type_text(l, round->type[k]), type_text(l, v.type));
			fine = false;
		} else if (!type_same(least, round->type[k])) {
			*stable = false;
			least.whole = false;
			round->type[k] = least;
		} else {
			next[k] = convert_quietly(c, v, least).ref;
		}
		k++;
	}
	f->open_loop = outer;
	return fine;
}

Typed lower_fold(Lower *l, const Context *c, const Env *env, const Expr *e, Type expect)
{
	Func *f = c->frame->func;
	Round round = { .fold = e, .carried = count_carried(e) };
	uint32_t n = round.carried;
	round.type = arena_alloc(l->arena, (n + 1) * sizeof *round.type);
	Typed *first = arena_alloc(l->arena, (n + 1) * sizeof *first);
	Ref *next = arena_alloc(l->arena, (n + 2) * sizeof *next);
	Ref start = 0, count = count_rounds(l, c, env, e, &start, &round.most);
	if (n > 250) {
		lower_error(l, "N0412", e->span, "a fold carries at most 250 names");
		return typed_bad();
	}
	if (!first_values(l, c, env, e, &round, first) || !count)
		return typed_bad();

	Type *before_now = f->open_loop ? known_types(l, c, e, n) : NULL, least;
	for (uint32_t k = 0; before_now && k < n; k++)
		if (before_now[k].base && type_least(round.type[k], before_now[k], &least))
			round.type[k] = least;
	bool stable = false, fine = true;
	while (!stable) {
		/* as long as types still grow, what does not fit now may fit in the next attempt */
		Trial before = lower_try(l);
		fine = build_body(l, c, env, &round, count, start, first, next + 1, &stable);
		if (!stable)
			lower_undo(l, before);
	}
	if (before_now)
		memcpy(before_now, round.type, n * sizeof *before_now);
	if (!fine)
		return typed_bad();

	bool *known = arena_alloc(l->arena, n + 1);
	uint32_t (*value)[4] = arena_alloc(l->arena, (n + 1) * sizeof *value);
	if (ir_is_const(f, count)) {
		Ref *start_value = arena_alloc(l->arena, (n + 1) * sizeof *start_value);
		for (uint32_t k = 0; k < n; k++)
			start_value[k] = ir_operands(f, round.header)[k + 1];
		run_known(l, f, round.header, start_value, next + 1, n, ir_bits(f, count)[0], known, value);
	}
	LoopPlace *place = arena_alloc(l->arena, sizeof *place);
	*place = (LoopPlace){ .func = f, .header = round.header, .next = l->loops };
	place->uneven = lower_later(l, "N0411", e->u.fold.to->span, lower_uneven_text(l, env, e));
	l->loops = place;

	Ref end = equal_loop(l, c, round.header, next + 1, n);
	if (!end) {
		next[0] = round.header;
		end = ir_value(f, IR_END, KIND_INT, 1, 0, next, n + 1);
		FoldLoop *loop = arena_alloc(l->arena, sizeof *loop);
		*loop = (FoldLoop){ round.header, end, c->frame->fold_loops };
		c->frame->fold_loops = loop;
	}
	Env *after = round_env(l, env, e, false);
	uint32_t k = 0;
	for (const Carry *line = e->u.fold.lines; line; line = line->next)
		if (line->then) {
			Type t = round.type[k];
			Ref r = known[k] ? ir_const(f, type_kind(t), t.width, value[k])
			                 : ir_value(f, IR_OUT, type_kind(t), t.width, k, &end, 1);
			if (!known[k])
				f->value[r].name = line->name;
			bind_value(after, line->name, t, f, r);
			k++;
		}
	return lower_expr(l, c, after, e->u.fold.result, expect);
}
