/* Registers of a function -> slots, by linear scan, so that few slots are hot. Functions that are never active
   together share slots: a function's lie above those of all its callees. */
#include "slots.h"

typedef struct Life {                           /* of a register, in instructions counted from 1; arguments begin at 0 */
	uint32_t first, last;
	uint32_t slot;
	uint32_t next;                          /* with the same last, number + 1 */
} Life;

typedef struct OpenLoop { uint32_t begin, end; } OpenLoop;

/* A register that was born before a loop and is met inside must live until the loop's end. */
static void extend(Life *life, const OpenLoop *loop, uint32_t loops, uint32_t at)
{
	for (uint32_t i = 0; i < loops; i++)
		if (loop[i].begin > life->first) {
			at = loop[i].end;
			break;
		}
	if (at > life->last)
		life->last = at;
}

static Life *find_lives(const Slots *s, const Body *body, uint32_t registers, uint32_t args)
{
	Life *life = arena_alloc(s->arena, (registers + 1) * sizeof *life);
	OpenLoop *loop = arena_alloc(s->arena, (body->count + 1) * sizeof *loop);
	uint32_t loops = 0;
	for (uint32_t i = args; i < registers; i++)
		life[i].first = UINT32_MAX;     /* not met yet */
	for (uint32_t i = 0; i < body->count; i++) {
		const Instruction *in = &s->code[body->first + i];
		const uint32_t operand[3] = { in->a, in->b, in->c };
		for (uint32_t j = 0; j < slots_operands(in); j++)
			if ((operand[j] & CLASS_MASK) == CLASS_REGISTER)
				extend(&life[operand[j]], loop, loops, i + 1);
		if (slots_writes(in) && (in->dst & CLASS_MASK) == CLASS_REGISTER) {
			if (life[in->dst].first == UINT32_MAX)
				life[in->dst].first = i + 1;
			extend(&life[in->dst], loop, loops, i + 1);
		}
		if (in->op == CONTROL_LOOP)
			loop[loops++] = (OpenLoop) { i + 1, i + 1 + in->c + 1 };
		else if (in->op == CONTROL_END)
			loops--;
	}
	return life;
}

static void assign(const Life *life, uint32_t *operand)
{
	if ((*operand & CLASS_MASK) == CLASS_REGISTER)
		*operand = CLASS_WORK + life[*operand].slot;
}

/* Linear scan. A slot falls free at its register's last use and may at once take that instruction's result. */
static void place(const Slots *s, Body *body, Life *life, uint32_t registers, uint32_t args)
{
	uint32_t *ending = arena_alloc(s->arena, (body->count + 1) * sizeof *ending);
	uint32_t *unused = arena_alloc(s->arena, (registers + 1) * sizeof *unused), count = 0;
	for (uint32_t i = 0; i < registers; i++) {
		life[i].next = ending[life[i].last];
		ending[life[i].last] = i + 1;
		if (i < args && life[i].last > 0)
			life[i].slot = body->work_end++;
	}
	for (uint32_t at = 1; at <= body->count; at++) {
		Instruction *in = &s->code[body->first + at - 1];
		uint32_t born = slots_writes(in) && (in->dst & CLASS_MASK) == CLASS_REGISTER && life[in->dst].first == at ? in->dst + 1 : 0;
		for (uint32_t i = ending[at]; i != 0; i = life[i - 1].next)
			if (i != born)
				unused[count++] = life[i - 1].slot;
		if (born != 0) {
			life[born - 1].slot = count > 0 ? unused[--count] : body->work_end++;
			if (life[born - 1].last == at)
				unused[count++] = life[born - 1].slot;
		}
		uint32_t *operand[3] = { &in->a, &in->b, &in->c };
		for (uint32_t i = 0; i < slots_operands(in); i++)
			assign(life, operand[i]);
		if (slots_writes(in))
			assign(life, &in->dst);
	}
}

void slots_place(Slots *s, Body *body, uint32_t registers, uint32_t args, uint32_t arg_lanes, uint32_t results)
{
	Life *life = find_lives(s, body, registers, args);
	for (uint32_t i = 0; i < results; i++)
		if ((body->result[i] & CLASS_MASK) == CLASS_REGISTER)
			life[body->result[i]].last = body->count;
	for (uint32_t i = 0; i < body->count; i++) {
		const Instruction *in = &s->code[body->first + i];
		if (in->op == CONTROL_CALL && s->body[in->a].work_end > body->work_end)
			body->work_end = s->body[in->a].work_end;
	}
	place(s, body, life, registers, args);
	for (uint32_t i = 0; i < arg_lanes; i++) {
		bool dead = (body->arg[i] & CLASS_MASK) == CLASS_REGISTER && life[body->arg[i]].last == 0;
		if (dead || (body->arg[i] & CLASS_MASK) == CLASS_FIXED)
			body->arg[i] = CLASS_NONE;      /* callers need not pass it */
		else
			assign(life, &body->arg[i]);
	}
	for (uint32_t i = 0; i < results; i++)
		assign(life, &body->result[i]);
	if (body->work_end > s->work_end)
		s->work_end = body->work_end;
}
