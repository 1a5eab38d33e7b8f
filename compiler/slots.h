/* Between slots.c, which makes instructions, slots_place.c, which places them, and slots_write.c, which makes
   bytes or text of them. */
#ifndef NOISEC_SLOTS_H
#define NOISEC_SLOTS_H

#include "cc.h"
#include "../runtime/program.h"

/* An operand is one of these classes and a number. */
enum {
	CLASS_REGISTER = 0,                     /* of the function at hand; none is left at the end */
	CLASS_WORK = 1 << 28,                   /* a slot, counted from the first work slot */
	CLASS_FIXED = 2 << 28,                  /* a slot, counted from the first param */
	CLASS_CONSTANT = 3 << 28,
	CLASS_NONE = 4 << 28,                   /* an argument that is not used */
	CLASS_MASK = 7 << 28
};

typedef struct Body {                           /* a function that was written */
	uint32_t first, count;                  /* its instructions */
	uint32_t work_end;                      /* its slots and its callees' lie below */
	uint32_t *arg, *result;                 /* operands, lane after lane */
} Body;

typedef struct Slots {
	Arena *arena;
	const Program *program;
	Instruction *code;
	uint32_t count, capacity;
	Body *body;                             /* by Func.id; the root's results are the outputs */
	uint32_t *constant, *table;             /* table: number + 1, open addressing */
	uint32_t constants, table_size;
	uint32_t seed, position, input, fixed_end;      /* numbers of CLASS_FIXED */
	uint32_t work_end;
} Slots;

Slots *slots_make(Arena *, const Program *);
void slots_place(Slots *, Body *, uint32_t registers, uint32_t args, uint32_t arg_lanes, uint32_t results);
uint32_t slots_number(const Slots *, uint32_t operand);         /* as the runtime counts them */
uint32_t slots_operands(const Instruction *);                   /* how many of a, b, c are slots */
bool slots_writes(const Instruction *);                         /* whether dst is a slot */

#endif
