/* Unrolling. Needs nothing; keeps every bit, since a round computes the same whether its number is counted
   or known; leaves no loop whose body does a good part of its work on the number of the round alone, as the
   search over the cells of a lattice does, and that is short enough to be written out. Octaves stay loops:
   their bodies call noises. */
#include "cc.h"

enum {
	MOST_ROUNDS = 16,
	WRITTEN = 900,                          /* operations of all rounds together, at most */
	SHARE = 4                               /* one operation in so many must depend on the number of the round alone */
};

static bool should_unroll(Copy *c, const Func *f, Ref header, Ref end)
{
	Ref count = ir_operands(f, header)[0];
	uint32_t operations = 0, decided = 0;
	if (!ir_is_const(f, count) || ir_bits(f, count)[0] == 0 || ir_bits(f, count)[0] > MOST_ROUNDS)
		return false;
	bool *by_round = arena_alloc(c->program->arena, f->count);
	for (Ref r = header + 1; r < end; r++) {
		const Value *v = &f->value[r];
		if (v->loop != header)
			continue;
		if (v->op == IR_CALL || v->op == IR_LOOP)
			return false;
		by_round[r] = v->op == IR_INDEX;
		if (v->op == IR_INDEX || v->op == IR_CARRY)
			continue;
		by_round[r] = true;
		for (uint32_t i = 0; i < v->operands; i++) {
			Ref o = ir_operands(f, r)[i];
			by_round[r] = by_round[r] && (by_round[o] || ir_is_const(f, o));
		}
		operations++;
		decided += by_round[r];
	}
	return operations * ir_bits(f, count)[0] <= WRITTEN && decided * SHARE >= operations;
}

void pass_unroll(Program *p)
{
	Copy c = { .unroll = should_unroll, .level = 2 };
	copy_program(&c, p);
}
