/* What the loader and the compiler's writer share: clamps values, checks the instructions of a program, which may
   be hostile, and measures what they can cost. */
#include "num.h"
#include "program.h"

uint32_t program_clamp(const Port *port, uint32_t enumerators, uint32_t lane, uint32_t word)
{
	if (port->enumeration != 0) {
		int32_t value = num_int(word), last = (int32_t)enumerators - 1;
		word = num_uint(value < 0 ? 0 : value > last ? last : value);
	}
	if (port->kind == NZ_BOOL)
		return word != 0;
	if (!(port->flags & PORT_RANGED))
		return word;
	uint32_t low = port->low[lane], high = port->high[lane];
	if (port->kind == NZ_FLOAT) {           /* as max, then min: NaN becomes low */
		float x = num_from_bits(word), lo = num_from_bits(low), hi = num_from_bits(high);
		x = x > lo ? x : lo;
		return num_bits(x < hi ? x : hi);
	}
	if (port->kind == NZ_INT)
		return num_int(word) < num_int(low) ? low : num_int(word) > num_int(high) ? high : word;
	return word < low ? low : word > high ? high : word;
}

#define ARITY_b 1
#define ARITY_i 1
#define ARITY_u 1
#define ARITY_f 1
#define ARITY_w 1
#define ARITY_v 0

static const struct { const char *signature; uint8_t arity; } row[ROW_COUNT] = {
#define OP(ID, name, R, A, B, C, ...) { #ID " " #R #A #B #C "\n", ARITY_##A + ARITY_##B + ARITY_##C },
#include "ops.def"
#undef OP
};

uint32_t program_fingerprint(uint32_t rows)
{
	uint32_t hash = 2166136261u;            /* FNV-1a */
	for (uint32_t i = 0; i < rows; i++)
		for (const char *s = row[i].signature; *s; s++)
			hash = (hash ^ (unsigned char)*s) * 16777619u;
	return hash;
}

static uint64_t add_saturating(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t multiply_saturating(uint64_t a, uint64_t b)
{
	return b != 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

/* Opens a part of a function: the body of a loop or what a SKIP may leave out. Parts nest without limit and
   without a stack: the last instruction of an open part, its END or MEET, holds the first one's number in dst,
   the last one of the part around in a (0 at the top: none is instruction 0), and the cost counted before the
   part in b and c. */
static const char *open_part(Instruction *code, uint32_t pc, uint32_t end, uint32_t closing, uint32_t *open, uint64_t *cost)
{
	const Instruction *in = &code[pc];
	uint32_t inside_of = *open != 0 ? *open : end - 1;
	if (in->c >= inside_of - pc - 1 || code[pc + 1 + in->c].op != closing)
		return closing == CONTROL_END ? "a loop has no end" : "a skipped part has no end";
	Instruction *last = &code[pc + 1 + in->c];
	if (last->dst != 0 || last->a != 0 || last->b != 0 || last->c != 0)
		return "the end of a part has operands";
	last->dst = pc;
	last->a = *open;
	last->b = (uint32_t)*cost;
	last->c = (uint32_t)(*cost >> 32);
	*open = pc + 1 + in->c;
	*cost = 0;
	return NULL;
}

/* Closes the innermost part, which must end here, and takes the cost counted before it from its end. */
static const char *close_part(const Instruction *code, uint32_t pc, uint32_t *open, uint64_t *before)
{
	if (*open == 0 || pc != *open)          /* instruction 0 may be a stray end */
		return "the end of a part stands alone";
	*before = code[pc].b | (uint64_t)code[pc].c << 32;
	*open = code[pc].a;
	return NULL;
}

static const char *check_function(Instruction *code, Function *function, uint32_t id, uint32_t work_slot, uint32_t slots, uint32_t *loop_max)
{
	Function *f = &function[id];
	uint32_t end = f->first + f->count, open = 0, nesting = 0;
	uint64_t cost = 0;
	const char *wrong;
	f->depth = 0;
	for (uint32_t pc = f->first; pc < end; pc++) {
		Instruction *in = &code[pc];
		if ((pc == end - 1) != (in->op == CONTROL_RETURN))
			return "a function does not end with its only return";
		if (in->op < ROW_COUNT) {
			uint32_t arity = row[in->op].arity;
			if (in->dst < work_slot || in->dst >= slots)
				return "an instruction writes to a wrong slot";
			if (in->a >= slots || in->b >= slots || in->c >= slots)
				return "an instruction reads a wrong slot";
			if ((arity < 2 && in->b != 0) || (arity < 3 && in->c != 0))
				return "an instruction has too many operands";
			cost = add_saturating(cost, 1);
		} else if (in->op == CONTROL_CALL) {
			if (in->a >= id || in->dst != 0 || in->b != 0 || in->c != 0)
				return "a call goes to a wrong function";
			uint32_t depth = nesting + 1 + function[in->a].depth;
			f->depth = depth > f->depth ? depth : f->depth;
			cost = add_saturating(cost, add_saturating(function[in->a].cost, 1));
		} else if (in->op == CONTROL_LOOP) {
			if (in->dst < work_slot || in->dst >= slots || in->a >= slots)
				return "a loop uses a wrong slot";
			if (in->b > PROGRAM_LOOP_MAX)
				return "a loop has too many rounds";
			if ((wrong = open_part(code, pc, end, CONTROL_END, &open, &cost)) != NULL)
				return wrong;
			*loop_max = in->b > *loop_max ? in->b : *loop_max;
			nesting++;
			f->depth = nesting > f->depth ? nesting : f->depth;
		} else if (in->op == CONTROL_SKIP) {
			if (in->a >= slots || in->b > 1 || in->dst != 0)
				return "a skipped part has wrong operands";
			if ((wrong = open_part(code, pc, end, CONTROL_MEET, &open, &cost)) != NULL)
				return wrong;
		} else if (in->op == CONTROL_END) {
			uint64_t before;
			if ((wrong = close_part(code, pc, &open, &before)) != NULL)
				return wrong;
			cost = add_saturating(before, multiply_saturating(add_saturating(cost, 1), code[in->dst].b));
			cost = add_saturating(cost, 1);
			nesting--;
		} else if (in->op == CONTROL_MEET) {
			uint64_t before;
			if ((wrong = close_part(code, pc, &open, &before)) != NULL)
				return wrong;
			cost = add_saturating(before, add_saturating(cost, 1));
		} else if (in->op == CONTROL_RETURN) {
			if (in->dst != 0 || in->a != 0 || in->b != 0 || in->c != 0)
				return "a return has operands";
		} else {
			return "an instruction is unknown";
		}
	}
	f->cost = cost;
	return NULL;
}

const char *program_check(Instruction *code, Function *function, uint32_t functions, uint32_t work_slot, uint32_t slots, uint32_t *loop_max)
{
	*loop_max = 0;
	for (uint32_t i = 0; i < functions; i++) {
		const char *wrong = check_function(code, function, i, work_slot, slots, loop_max);
		if (wrong != NULL)
			return wrong;
	}
	return NULL;
}
