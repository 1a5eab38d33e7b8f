/* Program -> instructions over slots (runtime/program.h). Vectors are split into lanes, each a register; arguments and
   results are copied to and from the callee's slots, which are fixed. slots_place.c gives registers their slots.
   Needs operands before their users; leaves out values that no result depends on. */
#include <assert.h>
#include <string.h>

#include "slots.h"
#include "../runtime/num.h"

typedef struct Emitter {                        /* of one function */
	Slots *slots;
	const Func *func;
	uint32_t (*lane)[4];                    /* by Ref: operands */
	Ref *head, *next, *end;                 /* values of a place in order; the IR_END of an IR_LOOP, the IR_IF of an IR_ARM */
	uint32_t *loop_at, *carry;              /* instruction of an IR_LOOP or IR_ARM; first register of the carried values */
	uint32_t registers;
} Emitter;

/* ---- pieces ---- */

static void emit(Slots *s, uint32_t op, uint32_t dst, uint32_t a, uint32_t b, uint32_t c)
{
	if (s->count == s->capacity) {
		uint32_t capacity = s->capacity != 0 ? 2 * s->capacity : 256;
		s->code = arena_grow(s->arena, s->code, s->capacity * sizeof *s->code, capacity * sizeof *s->code);
		s->capacity = capacity;
	}
	s->code[s->count++] = (Instruction) { op, dst, a, b, c };
}

static uint32_t *find_constant(Slots *s, uint32_t bits)
{
	uint32_t i = (bits * 0x9E3779B1u >> 7) & (s->table_size - 1);
	while (s->table[i] != 0 && s->constant[s->table[i] - 1] != bits)
		i = (i + 1) & (s->table_size - 1);
	return &s->table[i];
}

static uint32_t use_constant(Slots *s, uint32_t bits)
{
	if (2 * (s->constants + 1) > s->table_size) {
		uint32_t size = s->table_size != 0 ? 2 * s->table_size : 64;
		s->constant = arena_grow(s->arena, s->constant, s->table_size / 2 * sizeof *s->constant, size / 2 * sizeof *s->constant);
		s->table_size = size;
		s->table = arena_alloc(s->arena, size * sizeof *s->table);
		for (uint32_t i = 0; i < s->constants; i++)
			*find_constant(s, s->constant[i]) = i + 1;
	}
	uint32_t *entry = find_constant(s, bits);
	if (*entry == 0) {
		s->constant[s->constants++] = bits;
		*entry = s->constants;
	}
	return CLASS_CONSTANT + *entry - 1;
}

uint32_t slots_operands(const Instruction *in)
{
	return in->op < OP_COUNT ? (uint32_t)op_info[in->op].arity : in->op == CONTROL_LOOP || in->op == CONTROL_SKIP ? 1 : 0;
}

bool slots_writes(const Instruction *in)
{
	return in->op < OP_COUNT || in->op == CONTROL_LOOP;
}

/* ---- values to instructions ---- */

static uint32_t new_registers(Emitter *e, uint32_t count)
{
	e->registers += count;
	return e->registers - count;
}

static uint32_t find_uniform(const Program *p, uint32_t index)
{
	uint32_t at = 0;
	for (uint32_t i = 0; i < index; i++)
		at += p->uniform[i].type.width;
	return at;
}

static uint32_t find_input(const Slots *s, uint32_t index)
{
	uint32_t at = s->input;
	for (uint32_t i = 0; i < index; i++)
		at += s->program->input[i].type.width;
	return at;
}

static void emit_row(Emitter *e, Ref r)
{
	const Value *v = &e->func->value[r];
	const Ref *operand = ir_operands(e->func, r);
	for (uint32_t lane = 0; lane < v->width; lane++) {
		uint32_t from[3] = { 0, 0, 0 };
		for (uint32_t i = 0; i < v->operands; i++)
			from[i] = e->lane[operand[i]][e->func->value[operand[i]].width == 1 ? 0 : lane];
		e->lane[r][lane] = new_registers(e, 1);
		emit(e->slots, v->op, e->lane[r][lane], from[0], from[1], from[2]);
	}
}

static void emit_call(Emitter *e, Ref r)
{
	const Value *v = &e->func->value[r];
	const Body *callee = &e->slots->body[v->imm];
	const uint32_t *to = callee->arg;
	for (uint32_t i = 0; i < v->operands; i++) {
		Ref from = ir_operands(e->func, r)[i];
		for (uint32_t lane = 0; lane < e->func->value[from].width; lane++, to++)
			if (*to != CLASS_NONE)
				emit(e->slots, OP_COPY, *to, e->lane[from][lane], 0, 0);
	}
	emit(e->slots, CONTROL_CALL, 0, v->imm, 0, 0);
	for (uint32_t lane = 0; lane < v->width; lane++) {
		e->lane[r][lane] = callee->result[lane];
		if ((callee->result[lane] & CLASS_MASK) == CLASS_WORK) {
			e->lane[r][lane] = new_registers(e, 1);
			emit(e->slots, OP_COPY, e->lane[r][lane], callee->result[lane], 0, 0);
		}
	}
}

static uint32_t find_carry(const Emitter *e, Ref loop, uint32_t index)
{
	const Ref *first = ir_operands(e->func, loop) + 1;
	uint32_t at = e->carry[loop];
	for (uint32_t i = 0; i < index; i++)
		at += e->func->value[first[i]].width;
	return at;
}

static void open_loop(Emitter *e, Ref loop)
{
	const Value *v = &e->func->value[loop];
	const Ref *operand = ir_operands(e->func, loop);
	uint32_t lanes = 0, most = PROGRAM_LOOP_MAX;
	for (uint32_t i = 1; i < v->operands; i++)
		lanes += e->func->value[operand[i]].width;
	uint32_t to = e->carry[loop] = new_registers(e, lanes);
	for (uint32_t i = 1; i < v->operands; i++)
		for (uint32_t lane = 0; lane < e->func->value[operand[i]].width; lane++)
			emit(e->slots, OP_COPY, to++, e->lane[operand[i]][lane], 0, 0);
	if (v->imm >= 1 && v->imm < most)
		most = v->imm;
	if (ir_is_const(e->func, operand[0])) {
		int32_t rounds = num_int(ir_bits(e->func, operand[0])[0]);
		most = rounds < 0 ? 0 : (uint32_t)rounds < most ? (uint32_t)rounds : most;
	}
	e->loop_at[loop] = e->slots->count;
	emit(e->slots, CONTROL_LOOP, new_registers(e, 1), e->lane[operand[0]][0], most, 0);
}

/* All moves happen at once: one whose target nobody reads any more goes first; when there is none, all that
   are left form cycles, and a register that holds one target's old value opens one. */
static void emit_moves(Emitter *e, uint32_t first_target, uint32_t *source, uint32_t count)
{
	bool *done = arena_alloc(e->slots->arena, count + 1);
	uint32_t left = 0;
	for (uint32_t i = 0; i < count; i++) {
		done[i] = source[i] == first_target + i;
		left += !done[i];
	}
	while (left > 0) {
		bool moved = false;
		uint32_t waiting = 0;
		for (uint32_t i = 0; i < count; i++) {
			bool read = false;
			if (done[i])
				continue;
			for (uint32_t j = 0; j < count; j++)
				read = read || (j != i && !done[j] && source[j] == first_target + i);
			waiting = i;
			if (read)
				continue;
			emit(e->slots, OP_COPY, first_target + i, source[i], 0, 0);
			done[i] = moved = true;
			left--;
		}
		if (left > 0 && !moved) {
			uint32_t old = new_registers(e, 1);
			emit(e->slots, OP_COPY, old, first_target + waiting, 0, 0);
			for (uint32_t j = 0; j < count; j++)
				if (!done[j] && source[j] == first_target + waiting)
					source[j] = old;
		}
	}
}

static void close_loop(Emitter *e, Ref loop)
{
	Ref end = e->end[loop];
	const Value *v = &e->func->value[end];
	const Ref *operand = ir_operands(e->func, end);
	uint32_t *source = arena_alloc(e->slots->arena, 4u * v->operands * sizeof *source), lanes = 0;
	for (uint32_t i = 1; i < v->operands; i++)
		for (uint32_t lane = 0; lane < e->func->value[operand[i]].width; lane++)
			source[lanes++] = e->lane[operand[i]][lane];
	emit_moves(e, e->carry[loop], source, lanes);
	e->slots->code[e->loop_at[loop]].c = e->slots->count - e->loop_at[loop] - 1;
	emit(e->slots, CONTROL_END, 0, 0, 0, 0);
}

/* ---- choices ---- */

static void emit_join(Emitter *e, Ref r)
{
	const Func *f = e->func;
	Ref choice = ir_operands(f, r)[0];
	const Ref *o = ir_operands(f, choice);
	Ref yes = o[3 + 2 * f->value[r].imm], no = o[4 + 2 * f->value[r].imm];
	for (uint32_t lane = 0; lane < f->value[r].width; lane++) {
		e->lane[r][lane] = new_registers(e, 1);
		emit(e->slots, OP_SELECT, e->lane[r][lane], e->lane[o[0]][0], e->lane[yes][lane], e->lane[no][lane]);
	}
}

static void open_arm(Emitter *e, Ref choice, Ref arm)
{
	uint32_t condition = e->lane[ir_operands(e->func, choice)[0]][0];
	e->loop_at[arm] = e->slots->count;
	if (e->head[arm] != 0)
		emit(e->slots, CONTROL_SKIP, 0, condition, e->func->value[arm].imm, 0);
}

static void close_arm(Emitter *e, Ref arm)
{
	if (e->head[arm] == 0)
		return;
	e->slots->code[e->loop_at[arm]].c = e->slots->count - e->loop_at[arm] - 1;
	emit(e->slots, CONTROL_MEET, 0, 0, 0, 0);
}

static void emit_value(Emitter *e, Ref r)
{
	const Func *f = e->func;
	const Value *v = &f->value[r];
	const Ref *operand = ir_operands(f, r);
	Slots *s = e->slots;
	uint32_t *lane = e->lane[r], first = 0;
	switch (v->op) {
	case IR_CONST:
		for (uint32_t i = 0; i < v->width; i++)
			lane[i] = use_constant(s, ir_bits(f, r)[i]);
		return;
	case IR_ARG:                            /* the registers of arguments were made first */
		return;
	case IR_VEC:
		for (uint32_t i = 0; i < v->width; i++)
			lane[i] = e->lane[operand[i]][0];
		return;
	case IR_LANE:
		lane[0] = e->lane[operand[0]][v->imm];
		return;
	case IR_CALL:
		emit_call(e, r);
		return;
	case IR_LOOP: case IR_ARM:              /* written where the IR_END or IR_IF stands */
		return;
	case IR_JOIN:
		emit_join(e, r);
		return;
	case IR_UNIFORM:
		first = CLASS_FIXED + find_uniform(s->program, v->imm);
		break;
	case IR_INPUT:
		first = CLASS_FIXED + find_input(s, v->imm);
		break;
	case IR_INDEX:
		first = s->code[e->loop_at[operand[0]]].dst;
		break;
	case IR_CARRY:
		first = find_carry(e, operand[0], v->imm);
		break;
	case IR_OUT:
		first = find_carry(e, ir_operands(f, operand[0])[0], v->imm);
		break;
	default:
		assert(v->op < OP_COUNT);
		emit_row(e, r);
		return;
	}
	for (uint32_t i = 0; i < v->width; i++)
		lane[i] = first + i;
}

/* Operands for the arguments: registers, except where every call must pass the same fixed slots. */
static void set_args(Emitter *e, uint32_t *arg)
{
	const Func *f = e->func;
	Slots *s = e->slots;
	for (uint32_t i = 0; i < f->args; i++) {
		const FuncArg *a = &f->arg[i];
		bool root = f == s->program->root;
		uint32_t first = a->role == ROLE_INPUT ? CLASS_FIXED + find_input(s, a->index)
			: root && a->role == ROLE_POSITION ? CLASS_FIXED + s->position
			: root && a->role == ROLE_SEED ? CLASS_FIXED + s->seed
			: new_registers(e, a->width);
		for (uint32_t lane = 0; lane < a->width; lane++)
			*arg++ = first + lane;
	}
}

static bool *mark_needed(Arena *arena, const Func *f)
{
	bool *needed = arena_alloc(arena, f->count);
	for (uint32_t i = 0; i < f->results; i++)
		needed[f->result[i]] = true;
	for (Ref r = f->count - 1; r > 0; r--)
		if (needed[r] && f->value[r].op != IR_CONST)
			for (uint32_t i = 0; i < f->value[r].operands; i++)
				needed[ir_operands(f, r)[i]] = true;
	return needed;
}

/* Writes the instructions of a function over registers; no recursion, however deep loops nest. */
static void emit_function(Emitter *e, const uint32_t *arg)
{
	const Func *f = e->func;
	const bool *needed = mark_needed(e->slots->arena, f);
	for (Ref r = f->count - 1; r > 0; r--) {
		const Value *v = &f->value[r];
		if (!needed[r])
			continue;
		e->next[r] = e->head[v->loop];
		e->head[v->loop] = r;
		if (v->op == IR_END)
			e->end[ir_operands(f, r)[0]] = r;
		if (v->op == IR_IF)
			e->end[ir_operands(f, r)[1]] = e->end[ir_operands(f, r)[2]] = r;
		if (v->op == IR_ARG) {
			uint32_t at = 0;
			for (uint32_t i = 0; i < v->imm; i++)
				at += f->arg[i].width;
			memcpy(e->lane[r], arg + at, v->width * sizeof *arg);
		}
	}
	Ref place = 0, r = e->head[0];          /* place: the open loop or side of a choice */
	while (r != 0 || place != 0) {
		Ref choice = f->value[place].op == IR_ARM ? e->end[place] : 0;
		if (r == 0 && choice != 0) {
			close_arm(e, place);
			bool other = place == ir_operands(f, choice)[1];
			place = other ? ir_operands(f, choice)[2] : f->value[choice].loop;
			r = other ? e->head[place] : e->next[choice];
			if (other)
				open_arm(e, choice, place);
		} else if (r == 0) {
			close_loop(e, place);
			r = e->next[e->end[place]];
			place = f->value[place].loop;
		} else if (f->value[r].op == IR_END) {
			place = ir_operands(f, r)[0];
			open_loop(e, place);
			r = e->head[place];
		} else if (f->value[r].op == IR_IF) {
			place = ir_operands(f, r)[1];
			open_arm(e, r, place);
			r = e->head[place];
		} else {
			emit_value(e, r);
			r = e->next[r];
		}
	}
	emit(e->slots, CONTROL_RETURN, 0, 0, 0, 0);
}

/* ---- whole functions ---- */

static uint32_t count_lanes(const Func *f, bool results)
{
	uint32_t lanes = 0;
	for (uint32_t i = 0; results && i < f->results; i++)
		lanes += f->value[f->result[i]].width;
	for (uint32_t i = 0; !results && i < f->args; i++)
		lanes += f->arg[i].width;
	return lanes;
}

static void make_body(Slots *s, const Func *f, Body *body)
{
	Emitter e = { .slots = s, .func = f };
	uint32_t lanes = count_lanes(f, true), arg_lanes = count_lanes(f, false), at = 0;
	e.lane = arena_alloc(s->arena, f->count * sizeof *e.lane);
	e.head = arena_alloc(s->arena, f->count * sizeof *e.head);
	e.next = arena_alloc(s->arena, f->count * sizeof *e.next);
	e.end = arena_alloc(s->arena, f->count * sizeof *e.end);
	e.loop_at = arena_alloc(s->arena, f->count * sizeof *e.loop_at);
	e.carry = arena_alloc(s->arena, f->count * sizeof *e.carry);
	body->first = s->count;
	body->arg = arena_alloc(s->arena, (arg_lanes + 1) * sizeof *body->arg);
	body->result = arena_alloc(s->arena, (lanes + 1) * sizeof *body->result);
	set_args(&e, body->arg);
	uint32_t args = e.registers;
	emit_function(&e, body->arg);
	body->count = s->count - body->first;
	for (uint32_t i = 0; i < f->results; i++)
		for (uint32_t lane = 0; lane < f->value[f->result[i]].width; lane++)
			body->result[at++] = e.lane[f->result[i]][lane];

	slots_place(s, body, e.registers, args, arg_lanes, lanes);
}

uint32_t slots_number(const Slots *s, uint32_t operand)
{
	uint32_t number = operand & ~(uint32_t)CLASS_MASK;
	switch (operand & CLASS_MASK) {
	case CLASS_CONSTANT: return number;
	case CLASS_FIXED: return s->constants + number;
	default: return s->constants + s->fixed_end + number;
	}
}

Slots *slots_make(Arena *arena, const Program *program)
{
	Slots *s = arena_alloc(arena, sizeof *s);
	s->arena = arena;
	s->program = program;
	s->seed = find_uniform(program, program->uniforms);
	s->position = s->seed + 1;
	s->input = s->position + program->domain;
	s->fixed_end = find_input(s, program->inputs);
	s->body = arena_alloc(arena, program->funcs * sizeof *s->body);
	for (uint32_t i = 0; i < program->funcs; i++)
		make_body(s, program->func[i], &s->body[i]);
	return s;
}
