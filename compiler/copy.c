/* Rebuilding: a pass walks the functions, callees first, and copies each through the door of ir.c with a
   hook that may put another value in a value's place. What nothing reaches is not copied, so every pass
   also drops dead code. */
#include <assert.h>
#include <string.h>

#include "cc.h"

static Ref *loop_ends(Arena *arena, const Func *f)
{
	Ref *end = arena_scratch(arena, f->count * sizeof *end);
	for (Ref r = 1; r < f->count; r++)
		if (f->value[r].op == IR_END)
			end[ir_operands(f, r)[0]] = r;
	return end;
}

/* What the results need. A carried value lives if something reads it in the loop or after it, and then
   its first and next values live too; that may wake values further down, so sweep until nothing changes. */
static bool *live_values(Arena *arena, const Func *f, const Ref *end_of)
{
	bool *live = arena_scratch(arena, f->count);
	for (uint32_t i = 0; i < f->results; i++)
		live[f->result[i]] = true;
	for (bool changed = true; changed;) {
		changed = false;
		for (Ref r = f->count; r-- > 1;) {
			const Value *v = &f->value[r];
			const Ref *o = ir_operands(f, r);
			Ref want[4] = { 0, 0, 0, 0 };
			uint32_t operands = v->op == IR_CONST ? 0 : v->op == IR_LOOP || v->op == IR_END ? 1 : v->operands;
			if (!live[r])
				continue;
			if (v->op == IR_OUT || v->op == IR_CARRY) {
				Ref header = v->op == IR_OUT ? ir_operands(f, o[0])[0] : o[0];
				want[0] = end_of[header];
				want[1] = ir_operands(f, want[0])[v->imm + 1];
				want[2] = ir_operands(f, header)[v->imm + 1];
			} else if (v->op == IR_INDEX) {
				want[0] = end_of[o[0]];
			}
			for (int i = 0; i < 4; i++)
				if (want[i] && !live[want[i]]) {
					live[want[i]] = true;
					changed = changed || want[i] > r;
				}
			for (uint32_t i = 0; i < operands; i++)
				live[o[i]] = true;
		}
	}
	return live;
}

/* For each carried value of a loop, by imm: does anything read it? */
static void kept_carries(const Func *f, Ref header, Ref end, const bool *live, bool *kept)
{
	for (Ref r = header; r < f->count; r++)
		if (live[r] && ((f->value[r].op == IR_CARRY && ir_operands(f, r)[0] == header) || (f->value[r].op == IR_OUT && ir_operands(f, r)[0] == end)))
			kept[f->value[r].imm] = true;
}

typedef struct Body {                           /* of one function, on its way into another */
	Copy *copy;
	const Func *from;
	Func *to;
	const Ref *args;
	Ref around;
	const Ref *end_of;                      /* per header */
	const bool *live;
	Ref *map;                               /* per value: its copy */
	uint8_t **slot;                         /* per header: new number of each carried value */
	Ref **current;                          /* per header of an unrolled loop: its carried values so far */
} Body;

static void keep_name(const Value *v, Func *to, Ref made)
{
	if (v->name && !to->value[made].name && to->value[made].op != IR_CONST) {
		to->value[made].name = v->name;
		to->value[made].doc = v->doc;
	}
}

static Ref copy_loop(Body *b, Ref r)
{
	const Func *from = b->from;
	const Value *v = &from->value[r];
	const Ref *o = ir_operands(from, r);
	Ref header = v->op == IR_LOOP ? r : o[0], operand[256];
	uint32_t operands = 0;
	bool kept[256] = { false };
	kept_carries(from, header, b->end_of[header], b->live, kept);
	operand[operands++] = b->map[o[0]];
	if (v->op == IR_LOOP)
		b->slot[r] = arena_scratch(b->to->arena, v->operands);
	for (uint32_t k = 1; k < v->operands; k++)
		if (kept[k - 1]) {
			b->slot[header][k - 1] = (uint8_t)(operands - 1);
			operand[operands++] = b->map[o[k]];
		}
	if (v->op == IR_END)
		return ir_value(b->to, IR_END, KIND_INT, 1, 0, operand, operands);
	b->to->open_loop = v->loop ? b->map[v->loop] : b->around;
	return ir_loop(b->to, v->imm, operand, operands);
}

static Ref copy_value(Body *b, Ref r)
{
	const Func *from = b->from;
	const Value *v = &from->value[r];
	const Ref *o = ir_operands(from, r);
	Ref operand[256], made = 0;
	uint32_t imm = v->imm;
	if (v->op == IR_CONST)
		return ir_const(b->to, (Kind)v->kind, v->width, o);
	if (v->op == IR_ARG && b->args)
		return b->args[v->imm];
	if (v->op == IR_LOOP || v->op == IR_END)
		return copy_loop(b, r);
	for (uint32_t i = 0; i < v->operands; i++)
		operand[i] = b->map[o[i]];
	if (v->op == IR_CARRY)
		imm = b->slot[o[0]][v->imm];
	else if (v->op == IR_OUT)
		imm = b->slot[ir_operands(from, o[0])[0]][v->imm];
	if (b->copy->hook)
		made = b->copy->hook(b->copy, from, r, b->to, operand);
	return made ? made : ir_value(b->to, (Op)v->op, (Kind)v->kind, v->width, imm, operand, v->operands);
}

/* A loop written out: its body once per round, with the number of the round known. */
static void copy_rounds(Body *b, Ref end)
{
	const Func *from = b->from;
	Ref header = ir_operands(from, end)[0];
	uint32_t carried = from->value[header].operands - 1u, rounds = ir_bits(from, ir_operands(from, header)[0])[0];
	Ref *current = b->current[header], *next = arena_scratch(b->to->arena, (carried + 1) * sizeof *next);
	for (uint32_t k = 0; k < carried; k++)
		current[k] = b->map[ir_operands(from, header)[k + 1]];
	for (uint32_t i = 0; i < rounds; i++) {
		for (Ref r = header + 1; r < end; r++) {
			const Value *v = &from->value[r];
			if (!b->live[r] || v->loop != header)
				continue;
			b->map[r] = v->op == IR_CARRY ? current[v->imm] : v->op == IR_INDEX ? ir_int(b->to, (int32_t)i) : copy_value(b, r);
			keep_name(v, b->to, b->map[r]);
		}
		for (uint32_t k = 0; k < carried; k++)
			next[k] = b->map[ir_operands(from, end)[k + 1]];
		memcpy(current, next, carried * sizeof *current);
	}
}

Ref copy_body(Copy *c, const Func *from, Func *to, const Ref *args, Ref around)
{
	Arena *arena = to->arena;
	ArenaMark mark = arena_mark(arena);
	Ref *end_of = loop_ends(arena, from);
	Body b = { .copy = c, .from = from, .to = to, .args = args, .around = around, .end_of = end_of };
	b.live = live_values(arena, from, end_of);
	b.map = arena_scratch(arena, from->count * sizeof *b.map);
	c->map = b.map;
	b.slot = arena_scratch(arena, from->count * sizeof *b.slot);
	b.current = arena_scratch(arena, from->count * sizeof *b.current);
	for (uint32_t i = 1; i < (c->order ? c->ordered + 1 : from->count); i++) {
		Ref r = c->order ? c->order[i - 1] : i;
		const Value *v = &from->value[r];
		if (!b.live[r] || (v->loop && b.current[v->loop]))
			continue;                       /* the body of an unrolled loop waits for its end */
		Ref header = v->op == IR_LOOP ? r : v->op == IR_END ? ir_operands(from, r)[0] : v->op == IR_OUT ? ir_operands(from, ir_operands(from, r)[0])[0] : 0;
		if (v->op == IR_LOOP && c->unroll && c->unroll(c, from, r, end_of[r]))
			b.current[r] = arena_scratch(arena, v->operands * sizeof **b.current);
		else if (v->op == IR_END && b.current[header])
			copy_rounds(&b, r);
		else
			b.map[r] = v->op == IR_OUT && b.current[header] ? b.current[header][v->imm] : copy_value(&b, r);
		if (b.map[r])
			keep_name(v, to, b.map[r]);
	}
	to->open_loop = 0;
	for (uint32_t i = 0; i < from->results && !args; i++)
		to->result[i] = b.map[from->result[i]];
	Ref first = from->results ? b.map[from->result[0]] : 0;
	arena_release(arena, mark);
	return first;
}

Func *copy_func(Copy *c, const Func *from)
{
	Func *to = ir_func_like(from);
	to->level = c->level;
	copy_body(c, from, to, NULL, 0);
	return to;
}

/* Puts callees before callers, drops functions that nothing calls, and numbers the rest anew. */
void program_order(Program *p)
{
	Func **order = arena_alloc(p->arena, p->funcs * sizeof *order), **stack = arena_alloc(p->arena, p->funcs * sizeof *stack);
	Ref *at = arena_alloc(p->arena, p->funcs * sizeof *at);         /* per function: next value to look at, 0 not met */
	uint32_t *id = arena_alloc(p->arena, p->funcs * sizeof *id), count = 0, depth = 0;
	stack[depth++] = p->root;
	at[p->root->id] = 1;
	while (depth) {
		Func *f = stack[depth - 1], *callee = NULL;
		while (!callee && at[f->id] < f->count) {
			const Value *v = &f->value[at[f->id]++];
			if (v->op == IR_CALL && !at[v->imm])
				callee = p->func[v->imm];
		}
		if (callee) {
			at[callee->id] = 1;
			stack[depth++] = callee;
		} else {
			id[f->id] = count;
			order[count++] = f;
			depth--;
		}
	}
	for (uint32_t i = 0; i < count; i++)
		for (Ref r = 1; r < order[i]->count; r++)
			if (order[i]->value[r].op == IR_CALL)
				order[i]->value[r].imm = id[order[i]->value[r].imm];
	for (uint32_t i = 0; i < count; i++) {
		p->func[i] = order[i];
		order[i]->id = i;
	}
	p->funcs = count;
}

/* After functions were copied: their values moved, so the places where arguments came from are gone. */
void copy_finish(Program *p)
{
	program_order(p);
	for (uint32_t i = 0; i < p->funcs; i++)
		for (uint32_t k = 0; k < p->func[i]->args; k++)
			p->func[i]->arg[k].source = NULL;
}

void copy_program(Copy *c, Program *p)
{
	c->program = p;
	for (uint32_t i = 0; i < p->funcs; i++) {
		Func *f = p->func[i];
		p->func[i] = copy_func(c, f);
		if (p->root == f)
			p->root = p->func[i];
	}
	copy_finish(p);
}
