/* Where values are wanted: the innermost loop body or side of a choice that holds all their uses (the late
   schedule of C. Click, "Global code motion / global value numbering", 1995), kept out of loops that they do
   not depend on. A select whose condition is one bool, and one of whose sides holds enough work that nothing
   else wants, is a lazy choice. Assumes the form that passes exchange, without IR_IF; changes nothing. */
#include <assert.h>
#include <string.h>

#include "cc.h"

enum {
	GUESSED_ROUNDS = 4,                     /* of a loop whose count is not known */
	LAZY = 40,                              /* operations on one side for which a branch pays */
	HEAVY = 8,                              /* operations of a division, a root or a remainder */
	NESTED = 48,                            /* choices and loops inside each other; what is deeper is never lazy */
	TOGETHER = 100                          /* selects of one choice: an IR_IF has at most 255 operands */
};
static const uint32_t unplaced = UINT32_MAX;
static const uint64_t most = UINT64_C(1) << 40;                 /* costs stay below, so that sums cannot wrap */

uint32_t late_rounds(const Func *f, Ref header)
{
	Ref count = ir_operands(f, header)[0];
	if (!ir_is_const(f, count))
		return GUESSED_ROUNDS;
	return ir_bits(f, count)[0] < 256 ? ir_bits(f, count)[0] : 256;
}

uint64_t late_cost(const Func *f, Ref r, const uint64_t *of_function)
{
	const Value *v = &f->value[r];
	if (v->op == IR_CALL)
		return 1 + of_function[v->imm];
	if (v->op >= OP_COUNT)
		return 0;
	bool heavy = v->op == OP_FDIV || v->op == OP_FMOD || v->op == OP_FSQRT || v->op == OP_IDIV || v->op == OP_IMOD;
	return (heavy ? HEAVY : 1u) * v->width;
}

uint64_t late_call_cost(const Func *f, const uint64_t *of_function)
{
	uint64_t *times = arena_alloc(f->arena, f->count * sizeof *times), cost = 0;    /* times: per header, runs of its body */
	times[0] = 1;
	for (Ref r = 1; r < f->count; r++) {
		uint64_t here = times[f->value[r].loop], one = late_cost(f, r, of_function);
		if (f->value[r].op == IR_LOOP)
			times[r] = here * late_rounds(f, r) < most ? here * late_rounds(f, r) : most;
		cost = one != 0 && here > most / one ? most : cost + here * one;
		cost = cost < most ? cost : most;
	}
	return cost;
}

uint64_t *late_costs(const Program *p)
{
	uint64_t *cost = arena_alloc(p->arena, (p->funcs + 1) * sizeof *cost);
	for (uint32_t i = 0; i < p->funcs; i++)
		cost[i] = late_call_cost(p->func[i], cost);
	return cost;
}

/* ---- homes ---- */

typedef struct Placing {
	Arena *arena;
	const Func *f;
	Late *late;
	const bool *candidate;                  /* per value: selects that may be lazy */
	uint32_t *loop_node;                    /* per header */
	uint32_t *depth;                        /* per value: most candidates on a way to it */
	uint32_t *first_choice;                 /* per condition */
	uint32_t node_capacity, choice_capacity;
} Placing;

/* The one bool that decides all components, or 0. */
static Ref scalar_condition(const Func *f, Ref select)
{
	Ref c = ir_operands(f, select)[0];
	if (f->value[c].width == 1)
		return ir_is_const(f, c) ? 0 : c;
	if (f->value[c].op != IR_VEC)
		return 0;
	const Ref *o = ir_operands(f, c);
	for (int i = 1; i < f->value[c].width; i++)
		if (o[i] != o[0])
			return 0;
	return ir_is_const(f, o[0]) ? 0 : o[0];
}

static uint32_t new_node(Placing *p, LateNode node)
{
	Late *l = p->late;
	if (l->nodes == p->node_capacity) {
		l->node = arena_grow(p->arena, l->node, p->node_capacity * sizeof *l->node, 2u * p->node_capacity * sizeof *l->node);
		p->node_capacity *= 2;
	}
	node.depth = l->nodes ? l->node[node.parent].depth + 1 : 0;
	l->node[l->nodes] = node;
	return l->nodes++;
}

static uint32_t meet(const Late *l, uint32_t a, uint32_t b)
{
	if (a == unplaced)
		return b;
	while (a != b) {
		if (l->node[a].depth >= l->node[b].depth)
			a = l->node[a].parent;
		else
			b = l->node[b].parent;
	}
	return a;
}

bool *late_live(Arena *arena, const Func *f)
{
	bool *live = arena_alloc(arena, f->count);
	for (uint32_t i = 0; i < f->results; i++)
		live[f->result[i]] = true;
	for (Ref r = f->count; r-- > 1;)
		for (uint32_t i = 0; live[r] && f->value[r].op != IR_CONST && i < f->value[r].operands; i++)
			live[ir_operands(f, r)[i]] = true;
	return live;
}

static void count_depths(Placing *p)
{
	const Func *f = p->f;
	for (Ref r = 1; r < f->count; r++) {
		const Value *v = &f->value[r];
		uint32_t d = v->loop ? p->depth[v->loop] : 0;
		for (uint32_t i = 0; v->op != IR_CONST && i < v->operands; i++) {
			Ref o = ir_operands(f, r)[i];
			d = p->depth[o] > d ? p->depth[o] : d;
		}
		p->depth[r] = d + p->candidate[r];
	}
}

/* Selects of one condition, at one place and of one depth share their sides. Equal depth means that none needs
   another, and since depth grows along every way, choices cannot need each other in a ring either. */
static uint32_t choice_for(Placing *p, Ref select, Ref condition)
{
	Late *l = p->late;
	uint32_t home = l->home[select];
	for (uint32_t c = p->first_choice[condition]; c; c = l->choice[c].next)
		if (l->choice[c].home == home && l->choice[c].depth == p->depth[select] && l->choice[c].selects < TOGETHER)
			return c;
	if (l->choices == p->choice_capacity) {
		l->choice = arena_grow(p->arena, l->choice, p->choice_capacity * sizeof *l->choice, 2u * p->choice_capacity * sizeof *l->choice);
		p->choice_capacity *= 2;
	}
	uint32_t c = l->choices++;
	LateChoice *made = &l->choice[c];
	*made = (LateChoice){ .condition = condition, .home = home, .depth = p->depth[select], .next = p->first_choice[condition] };
	p->first_choice[condition] = c;
	made->node[0] = new_node(p, (LateNode){ .parent = home, .choice = c });
	made->node[1] = new_node(p, (LateNode){ .parent = home, .choice = c, .yes = true });
	return c;
}

/* Out of all loops that the value does not depend on. */
static uint32_t leave_loops(const Placing *p, Ref r, uint32_t home)
{
	const Late *l = p->late;
	uint32_t own = p->f->value[r].loop ? p->loop_node[p->f->value[r].loop] : 0, out = home;
	for (uint32_t n = home; n != own; n = l->node[n].parent) {
		assert(n != 0);
		if (l->node[n].header)
			out = l->node[n].parent;
	}
	return out;
}

static void use(Placing *p, Ref of, uint32_t at)
{
	p->late->home[of] = meet(p->late, p->late->home[of], at);
}

static void place_all(Placing *p)
{
	const Func *f = p->f;
	Late *l = p->late;
	for (Ref r = 0; r < f->count; r++)
		l->home[r] = unplaced;
	for (uint32_t i = 0; i < f->results; i++)
		use(p, f->result[i], 0);
	for (Ref r = f->count; r-- > 1;) {
		const Value *v = &f->value[r];
		const Ref *o = ir_operands(f, r);
		if (!l->live[r] || v->op == IR_CONST)
			continue;
		if (v->op == IR_INDEX || v->op == IR_CARRY) {
			l->home[r] = p->loop_node[o[0]];
			continue;
		}
		l->home[r] = v->op == IR_LOOP ? l->node[p->loop_node[r]].parent : leave_loops(p, r, l->home[r]);
		uint32_t here = l->home[r];
		if (v->op == IR_END) {
			p->loop_node[o[0]] = new_node(p, (LateNode){ .parent = here, .header = o[0] });
			for (uint32_t i = 1; i < v->operands; i++)
				use(p, o[i], p->loop_node[o[0]]);
			continue;
		}
		Ref condition = p->candidate[r] && l->node[here].depth < NESTED ? scalar_condition(f, r) : 0;
		if (condition) {
			uint32_t c = choice_for(p, r, condition);
			l->choice[c].selects++;
			l->choice_of[r] = c;
			use(p, condition, here);
			use(p, o[1], l->choice[c].node[1]);
			use(p, o[2], l->choice[c].node[0]);
			if (o[0] != condition)
				use(p, o[0], here);     /* its splat, which only this select may have wanted */
			continue;
		}
		for (uint32_t i = 0; i < v->operands; i++)
			use(p, o[i], here);
	}
}

static void add_costs(Placing *p, const uint64_t *of_function)
{
	Late *l = p->late;
	for (Ref r = 1; r < p->f->count; r++)
		if (l->live[r] && p->f->value[r].op != IR_CONST)
			l->node[l->home[r]].cost += late_cost(p->f, r, of_function);
	for (uint32_t n = l->nodes; n-- > 1;) {
		LateNode *node = &l->node[n];
		uint64_t times = node->header ? late_rounds(p->f, node->header) : 1;
		uint64_t all = times != 0 && node->cost > most / times ? most : node->cost * times;
		LateNode *parent = &l->node[node->parent];
		parent->cost = parent->cost + all < most ? parent->cost + all : most;
	}
}

static Late *place(Arena *arena, const Func *f, const uint64_t *of_function, bool *live, const bool *candidate)
{
	Placing p = { .arena = arena, .f = f, .candidate = candidate, .node_capacity = 16, .choice_capacity = 8 };
	Late *l = p.late = arena_alloc(arena, sizeof *l);
	l->live = live;
	l->home = arena_alloc(arena, f->count * sizeof *l->home);
	l->choice_of = arena_alloc(arena, f->count * sizeof *l->choice_of);
	l->node = arena_alloc(arena, p.node_capacity * sizeof *l->node);
	l->choice = arena_alloc(arena, p.choice_capacity * sizeof *l->choice);
	l->choices = 1;
	p.loop_node = arena_alloc(arena, f->count * sizeof *p.loop_node);
	p.depth = arena_alloc(arena, f->count * sizeof *p.depth);
	p.first_choice = arena_alloc(arena, f->count * sizeof *p.first_choice);
	new_node(&p, (LateNode){ .parent = 0 });
	count_depths(&p);
	place_all(&p);
	add_costs(&p, of_function);
	for (uint32_t c = 1; c < l->choices; c++) {
		l->choice[c].select = arena_alloc(arena, l->choice[c].selects * sizeof *l->choice[c].select);
		l->choice[c].selects = 0;
	}
	for (Ref r = 1; r < f->count; r++)
		if (l->choice_of[r]) {
			LateChoice *c = &l->choice[l->choice_of[r]];
			c->select[c->selects++] = r;
		}
	return l;
}

Late *late_homes(Arena *arena, const Func *f, const uint64_t *of_function)
{
	bool *live = late_live(arena, f), *candidate = arena_alloc(arena, f->count), any = false;
	for (Ref r = 1; r < f->count; r++) {
		candidate[r] = live[r] && f->value[r].op == OP_SELECT && scalar_condition(f, r);
		any = any || candidate[r];
	}
	Late *l = place(arena, f, of_function, live, candidate);
	if (!any)
		return l;
	/* Selects that save too little stay. What was on their sides moves to the side around, so a second look
	   finds no side that holds less than the first. */
	for (Ref r = 1; r < f->count; r++)
		if (candidate[r]) {
			const LateChoice *c = &l->choice[l->choice_of[r]];
			candidate[r] = l->choice_of[r] && (l->node[c->node[0]].cost >= LAZY || l->node[c->node[1]].cost >= LAZY);
		}
	return place(arena, f, of_function, live, candidate);
}

/* ---- order ---- */

typedef struct Visit { Ref at; uint32_t next; } Visit;          /* next: of its needs */

/* Need number n of a value: its operands, then the loop it stands in. 0: no more. */
static Ref need(const Func *f, Ref r, uint32_t n)
{
	const Value *v = &f->value[r];
	uint32_t operands = v->op == IR_CONST ? 0 : v->operands;
	if (n < operands)
		return ir_operands(f, r)[n];
	return n == operands ? v->loop : 0;
}

static void visit(Visit *stack, uint32_t *depth, Ref r, bool *open, const uint32_t *group, Ref *leader)
{
	stack[(*depth)++] = (Visit){ r, 0 };
	open[r] = true;
	if (group[r] && !leader[group[r]])
		leader[group[r]] = r;
}

Ref *late_order(Arena *arena, const Func *f, const bool *live, const uint32_t *group, uint32_t *count)
{
	Ref *order = arena_alloc(arena, (f->count + 1) * sizeof *order);
	Ref *next = arena_alloc(arena, f->count * sizeof *next);                /* of the same group, in a ring */
	Ref *last = arena_alloc(arena, f->count * sizeof *last), *first = arena_alloc(arena, f->count * sizeof *first);
	bool *done = arena_alloc(arena, f->count), *open = arena_alloc(arena, f->count);
	Ref *leader = arena_alloc(arena, f->count * sizeof *leader);            /* per group: the first that was opened */
	Visit *stack = arena_alloc(arena, (f->count + 1) * sizeof *stack);
	*count = 0;
	for (Ref r = 1; r < f->count; r++) {
		if (!live[r] || !group[r])
			continue;
		if (first[group[r]])
			next[last[group[r]]] = r;
		else
			first[group[r]] = r;
		last[group[r]] = r;
		next[r] = first[group[r]];
	}
	for (Ref start = 1; start < f->count; start++) {
		uint32_t depth = 0;
		if (!live[start] || done[start])
			continue;
		visit(stack, &depth, start, open, group, leader);
		while (depth) {
			Visit *top = &stack[depth - 1];
			Ref wanted = need(f, top->at, top->next);
			if (wanted) {
				top->next++;
				assert(done[wanted] || !open[wanted]);
				if (!done[wanted])
					visit(stack, &depth, wanted, open, group, leader);
				continue;
			}
			/* all that it needs is there; a group comes out whole, when the first of it that was opened closes */
			uint32_t g = group[top->at];
			Ref other = g ? next[top->at] : 0;
			while (other && other != top->at && open[other])
				other = next[other];
			if (other && other != top->at) {
				visit(stack, &depth, other, open, group, leader);
				continue;
			}
			Ref closing = top->at, r = g ? first[g] : closing;
			depth--;
			if (g && leader[g] != closing)
				continue;
			do {
				done[r] = true;
				order[(*count)++] = r;
				r = g ? next[r] : r;
			} while (g && r != first[g]);
		}
	}
	return order;
}
