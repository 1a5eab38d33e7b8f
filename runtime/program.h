/* The layout of a compiled program, for the runtime and for the compiler's writer.

   Little-endian 32-bit words: the header; constants; instructions per function; the instructions; params,
   inputs, outputs; enumerations; enumerators; text. The counts in the header fix where each part begins.
   Strings are byte offsets into the text, whose first byte is NUL: offset 0 is "".
   Slots are numbered: constants, params by component, seed, position, inputs by component, then work. */
#ifndef NOISE_PROGRAM_H
#define NOISE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "noisert.h"

enum {
#define OP(ID, ...) ROW_##ID,
#include "ops.def"
#undef OP
	ROW_COUNT,

	CONTROL_CALL = 0x100,                   /* runs function a, whose number is less than the caller's */
	CONTROL_LOOP,                           /* lane 0 of slot a, clamped to 0 .. b, is the number of rounds; dst receives the round; the END is c instructions after the next */
	CONTROL_END,
	CONTROL_RETURN,                         /* the last instruction of a function, and only that */
	CONTROL_SKIP,                           /* if slot a is b (0 or 1) in no lane, goes on behind the MEET, which is c instructions after the next */
	CONTROL_MEET                            /* ends what a SKIP may leave out */
};

#define PROGRAM_MAGIC "NZP1"                    /* the first four bytes */

enum {
	PROGRAM_VERSION = 2,
	PROGRAM_LOOP_MAX = 256,
	PROGRAM_SIZE_MAX = 1 << 30              /* bytes; keeps every sum of counts below 2^32 */
};

enum {                                          /* words of the header */
	HEADER_MAGIC, HEADER_VERSION,
	HEADER_ROWS, HEADER_FINGERPRINT,        /* rows of ops.def known to the writer, and a hash over them */
	HEADER_SIZE,                            /* of everything, in bytes */
	HEADER_DOMAIN, HEADER_SLOTS,
	HEADER_LOOP, HEADER_COST_LOW, HEADER_COST_HIGH,
	HEADER_CONSTANTS, HEADER_FUNCTIONS, HEADER_CODE,
	HEADER_PARAMS, HEADER_INPUTS, HEADER_OUTPUTS, HEADER_ENUMERATIONS, HEADER_ENUMERATORS,
	HEADER_TEXT,                            /* bytes, a multiple of 4 */
	HEADER_WORDS
};

enum { PORT_RANGED = 1, PORT_COLOUR = 2 };

typedef struct Instruction {
	uint32_t op, dst, a, b, c;              /* operands that an operation lacks are 0 */
} Instruction;

typedef struct Port {                           /* a param, input or output as 18 words */
	uint32_t name, doc;
	uint32_t kind, width;
	uint32_t enumeration;                   /* 0 none, else its number + 1 */
	uint32_t flags;
	uint32_t value[4];                      /* param: default; output: slots; lanes beyond width are 0 */
	uint32_t low[4], high[4];               /* if ranged; output: bounds as floats in [0] */
} Port;

typedef struct EnumerationRecord { uint32_t name, doc, count; } EnumerationRecord;
typedef struct EnumeratorRecord { uint32_t name, doc; } EnumeratorRecord;

enum {
	INSTRUCTION_WORDS = sizeof(Instruction) / 4,
	PORT_WORDS = sizeof(Port) / 4,
	ENUMERATION_WORDS = sizeof(EnumerationRecord) / 4,
	ENUMERATOR_WORDS = sizeof(EnumeratorRecord) / 4
};

typedef struct Function {
	uint32_t first, count;                  /* instructions */
	uint32_t depth;                         /* frames that a run needs, calls and loops together */
	uint64_t cost;
} Function;

struct nz_program {
	nz_program_info info;
	nz_allocator memory;
	Instruction *code;
	Function *function;
	uint32_t *constant;
	Port *port;                             /* params, then inputs, then outputs */
	uint32_t constants, functions;
	uint32_t seed_slot, position_slot;      /* constants and params lie before */
	uint32_t input_slot, work_slot, slots;
	uint32_t frames;
};

/* Hash over the first `rows` rows' names and types: rows are only ever appended, so an older writer's
   hash stays valid. */
uint32_t program_fingerprint(uint32_t rows);

/* Checks the code and fills depth and cost of each function. Each END receives the number of its LOOP in
   dst. Returns NULL, or what is wrong. */
const char *program_check(Instruction *code, Function *function, uint32_t functions,
	uint32_t work_slot, uint32_t slots, uint32_t *loop_max);

/* The value that a param or input takes when set to `word`. */
uint32_t program_clamp(const Port *port, uint32_t enumerators, uint32_t lane, uint32_t word);

#endif
