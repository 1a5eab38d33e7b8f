/* Lazy choices. Needs a program on which no other pass runs afterwards; keeps every bit, since a select takes
   nothing from the side that it does not choose; leaves an IR_IF where one side of a choice holds work that
   nothing else wants: a branch in shaders, and a stretch that the runtime skips where no sample of a block
   wants it. */
#include "cc.h"

typedef struct Lazy {
	Arena *arena;
	const Func *from;
	Func *to;
	const Late *late;
	Ref *map;                               /* per value */
	Ref *place;                             /* per node: its IR_LOOP or IR_ARM, once it stands */
} Lazy;

static Ref place_of(Lazy *z, uint32_t node)
{
	const LateNode *n = &z->late->node[node];
	if (node == 0 || z->place[node])
		return z->place[node];
	if (n->header)
		return z->map[n->header];
	/* sides nest no deeper than late.c allows */
	Value arm = { .op = IR_ARM, .kind = KIND_BOOL, .width = 1, .imm = n->yes };
	Ref around = place_of(z, n->parent);
	z->place[node] = ir_place(z->to, arm, NULL, around);
	return z->place[node];
}

static void copy_plain(Lazy *z, Ref r)
{
	Value v = z->from->value[r];
	const Ref *old = ir_operands(z->from, r);
	Ref operand[256];
	for (uint32_t i = 0; i < v.operands; i++)
		operand[i] = v.op == IR_CONST ? old[i] : z->map[old[i]];
	z->map[r] = ir_place(z->to, v, operand, v.op == IR_CONST ? 0 : place_of(z, z->late->home[r]));
}

static void make_if(Lazy *z, const LateChoice *c)
{
	Ref operand[256];
	uint32_t operands = 0;
	operand[operands++] = z->map[c->condition];
	operand[operands++] = place_of(z, c->node[1]);
	operand[operands++] = place_of(z, c->node[0]);
	for (uint32_t i = 0; i < c->selects; i++) {
		operand[operands++] = z->map[ir_operands(z->from, c->select[i])[1]];
		operand[operands++] = z->map[ir_operands(z->from, c->select[i])[2]];
	}
	Ref home = place_of(z, c->home);
	Value choice = { .op = IR_IF, .kind = KIND_BOOL, .width = 1, .operands = (uint8_t)operands };
	Ref made = ir_place(z->to, choice, operand, home);
	for (uint32_t i = 0; i < c->selects; i++) {
		Value join = z->from->value[c->select[i]];
		join.op = IR_JOIN;
		join.operands = 1;
		join.imm = i;
		z->map[c->select[i]] = ir_place(z->to, join, &made, home);
	}
}

static Func *make_lazy(Arena *arena, const Func *from, const Late *late)
{
	Func *to = ir_func_like(from);
	Lazy z = { .arena = arena, .from = from, .to = to, .late = late };
	uint32_t count;
	Ref *order = late_order(arena, from, late->live, late->choice_of, &count);
	z.map = arena_alloc(arena, from->count * sizeof *z.map);
	z.place = arena_alloc(arena, late->nodes * sizeof *z.place);
	for (uint32_t i = 0; i < count; i++) {
		const LateChoice *c = &late->choice[late->choice_of[order[i]]];
		if (!late->choice_of[order[i]])
			copy_plain(&z, order[i]);
		else if (order[i] == c->select[0])
			make_if(&z, c);
	}
	for (uint32_t i = 0; i < from->results; i++)
		to->result[i] = z.map[from->result[i]];
	return to;
}

void pass_lazy(Program *p)
{
	const uint64_t *cost = late_costs(p);
	for (uint32_t i = 0; i < p->funcs; i++) {
		Func *f = p->func[i];
		const Late *late = late_homes(p->arena, f, cost);
		if (late->choices == 1)
			continue;
		p->func[i] = make_lazy(p->arena, f, late);
		if (p->root == f)
			p->root = p->func[i];
	}
}
