/* Promise: bytes that are not a whole and right program are refused, with a text that says what is wrong; wrong
   arguments are errors and not crashes. One row per thing that can be wrong; test_runtime adds random ones. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../compiler/noisec.h"
#include "../runtime/program.h"

static const char source[] =
	"domain vec2\n"
	"enum Biome { Ocean, Beach, Forest }\n"
	"enum Mood { Calm, Wild }\n"
	"/// Metres.\n"
	"param size = 2 in 0.5 .. 10\n"
	"param rounds: int = 3 in 0 .. 6\n"
	"param count: uint = 5 in 1 .. 9\n"
	"param kind: Biome = Beach\n"
	"param mood: Mood = Calm\n"
	"param on: bool = true\n"
	"param shift: vec2 = vec2(1, 2)\n"
	"input level: float in -1 .. 1\n"
	"input flag: bool\n"
	"node hills = fold i in 0 .. rounds { total = 0.0 then total + perlin() * size } return total\n"
	"output height = hills + level + shift.y\n"
	"output near: bool = flag and on and hills > 0\n"
	"output biome: Biome = match kind { Ocean: Beach, else: Forest }\n"
	"output many: uint = count + (mood == Wild ? 1u : 0u)\n";

typedef struct Blob { uint32_t *word; size_t words; } Blob;

static Blob make(const char *text, int optimise)
{
	nz_module *m;
	const char *data;
	size_t size;
	if (nz_compile_module("world.noise", text, strlen(text), &(nz_compile_options) { .optimise = optimise }, &m) != NZ_OK)
		fail_msg("%s", nz_get_diagnostics(m));
	assert_int_equal(nz_emit_target(m, &(nz_emit_options) { .target = "program" }, &data, &size), NZ_OK);
	Blob b = { malloc(size), size / 4 };
	assert_non_null(b.word);
	memcpy(b.word, data, size);             /* the tests run on little-endian machines only */
	nz_free_module(m);
	return b;
}

/* ---- the parts of the bytes ---- */

typedef enum Part { HEAD, FUNCTIONS, CODE, PARAMS, INPUTS, OUTPUTS, ENUMERATIONS, ENUMERATORS, TEXT, TEXT_END } Part;

static size_t find_part(const Blob *b, Part part)
{
	const uint32_t *head = b->word;
	const size_t size[] = {                 /* of the parts; the constants count as the header's */
		HEADER_WORDS + head[HEADER_CONSTANTS], head[HEADER_FUNCTIONS], (size_t)head[HEADER_CODE] * INSTRUCTION_WORDS,
		(size_t)head[HEADER_PARAMS] * PORT_WORDS, (size_t)head[HEADER_INPUTS] * PORT_WORDS, (size_t)head[HEADER_OUTPUTS] * PORT_WORDS,
		(size_t)head[HEADER_ENUMERATIONS] * ENUMERATION_WORDS, (size_t)head[HEADER_ENUMERATORS] * ENUMERATOR_WORDS };
	size_t at = 0;
	for (Part before = HEAD; before < part && part != TEXT_END; before++)
		at += size[before];
	return part != TEXT_END ? at : b->words - 1;
}

/* Where a word of a port lies. */
enum { NAME, DOC, KIND, WIDTH, ENUMERATION, FLAGS, VALUE, LOW = VALUE + 4, HIGH = LOW + 4 };

typedef struct Damage {
	Part part;
	uint32_t item, word;                    /* item: of ports, enumerations and enumerators */
	uint32_t value;
	const char *why;
} Damage;

#define FAR 0x40000000u

static const Damage damages[] = {
	{ HEAD, 0, HEADER_MAGIC, 0, "not a noise program" },
	{ HEAD, 0, HEADER_VERSION, PROGRAM_VERSION + 1, "the program is of another version" },
	{ HEAD, 0, HEADER_ROWS, ROW_COUNT + 1, "the program was written for another table of operations" },
	{ HEAD, 0, HEADER_FINGERPRINT, 1, "the program was written for another table of operations" },
	{ HEAD, 0, HEADER_SIZE, 1, "the sizes do not add up" },
	{ HEAD, 0, HEADER_DOMAIN, 0, "the dimension is wrong" },
	{ HEAD, 0, HEADER_DOMAIN, 5, "the dimension is wrong" },
	{ HEAD, 0, HEADER_SLOTS, 3, "the number of slots is wrong" },
	{ HEAD, 0, HEADER_SLOTS, FAR, "the number of slots is wrong" },
	{ HEAD, 0, HEADER_LOOP, 7, "the cost is not as stated" },
	{ HEAD, 0, HEADER_COST_LOW, 1, "the cost is not as stated" },
	{ HEAD, 0, HEADER_COST_HIGH, 1, "the cost is not as stated" },
	{ HEAD, 0, HEADER_CONSTANTS, 0, "the sizes do not add up" },
	{ HEAD, 0, HEADER_CODE, UINT32_MAX, "the sizes do not add up" },
	{ HEAD, 0, HEADER_TEXT, 4, "the sizes do not add up" },
	{ FUNCTIONS, 0, 0, 0, "the functions do not add up" },
	{ FUNCTIONS, 0, 0, 1, "the functions do not add up" },
	{ FUNCTIONS, 0, 0, FAR, "the functions do not add up" },
	{ PARAMS, 0, NAME, FAR, "a text lies outside" },
	{ PARAMS, 0, NAME, 0, "a name is empty" },
	{ PARAMS, 0, DOC, FAR, "a text lies outside" },
	{ PARAMS, 0, KIND, 4, "a type is wrong" },
	{ PARAMS, 0, WIDTH, 0, "a type is wrong" },
	{ PARAMS, 0, WIDTH, 5, "a type is wrong" },
	{ PARAMS, 0, ENUMERATION, 3, "a type is wrong" },
	{ PARAMS, 0, ENUMERATION, 1, "a type is wrong" },               /* a float enum */
	{ PARAMS, 3, WIDTH, 2, "a type is wrong" },                     /* an enum of two components */
	{ PARAMS, 0, FLAGS, 4, "a flag is unknown" },
	{ PARAMS, 0, VALUE + 1, 1, "a component is too many" },
	{ PARAMS, 0, LOW + 3, 1, "a component is too many" },
	{ PARAMS, 0, HIGH + 2, 1, "a component is too many" },
	{ PARAMS, 0, VALUE, 0x42c80000, "a default lies outside its range" },
	{ PARAMS, 0, LOW, 0x7fc00000, "a range is wrong" },             /* NaN */
	{ PARAMS, 0, HIGH, 0x7f800000, "a range is wrong" },            /* infinity */
	{ PARAMS, 0, HIGH, 0, "a range is wrong" },
	{ PARAMS, 1, HIGH, (uint32_t)-1, "a range is wrong" },
	{ PARAMS, 1, VALUE, 7, "a default lies outside its range" },
	{ PARAMS, 1, VALUE, (uint32_t)-7, "a default lies outside its range" },
	{ PARAMS, 2, LOW, 10, "a range is wrong" },
	{ PARAMS, 2, VALUE, 0, "a default lies outside its range" },
	{ PARAMS, 2, VALUE, 10, "a default lies outside its range" },
	{ PARAMS, 3, VALUE, 3, "a default lies outside its range" },
	{ PARAMS, 3, VALUE, (uint32_t)-1, "a default lies outside its range" },
	{ PARAMS, 5, FLAGS, PORT_RANGED, "a range is wrong" },          /* of a bool */
	{ PARAMS, 5, VALUE, 2, "a default lies outside its range" },
	{ INPUTS, 0, NAME, 0, "a name is empty" },
	{ INPUTS, 0, DOC, FAR, "a text lies outside" },
	{ INPUTS, 1, FLAGS, PORT_RANGED, "a range is wrong" },
	{ OUTPUTS, 0, NAME, FAR, "a text lies outside" },
	{ OUTPUTS, 0, VALUE, FAR, "an output has a wrong slot" },
	{ OUTPUTS, 0, LOW, 0x7fc00000, "a range is wrong" },
	{ OUTPUTS, 0, FLAGS, PORT_RANGED, "a range is wrong" },
	{ ENUMERATIONS, 0, 0, FAR, "a text lies outside" },
	{ ENUMERATIONS, 0, 0, 0, "a name is empty" },
	{ ENUMERATIONS, 0, 1, FAR, "a text lies outside" },
	{ ENUMERATIONS, 0, 2, 0, "the enumerators do not add up" },
	{ ENUMERATIONS, 0, 2, 2, "the enumerators do not add up" },
	{ ENUMERATIONS, 1, 2, FAR, "the enumerators do not add up" },
	{ ENUMERATORS, 2, 0, 0, "a name is empty" },
	{ ENUMERATORS, 4, 1, FAR, "a text lies outside" },
	{ TEXT, 0, 0, 0x41414141, "the text does not end" },
	{ TEXT_END, 0, 0, 0x41414141, "the text does not end" },
	{ CODE, 0, 0, 0xffff, "an instruction is unknown" },
};

static uint32_t *find_word(const Blob *b, const Damage *d)
{
	static const uint32_t each[] = { [PARAMS] = PORT_WORDS, [INPUTS] = PORT_WORDS, [OUTPUTS] = PORT_WORDS,
		[ENUMERATIONS] = ENUMERATION_WORDS, [ENUMERATORS] = ENUMERATOR_WORDS, [TEXT_END] = 0 };
	return b->word + find_part(b, d->part) + d->item * each[d->part] + d->word;
}

static void refuse(const void *bytes, size_t size, const char *expected, int row)
{
	nz_program *program = (nz_program *)(void *)&row;
	const char *why = NULL;
	nz_status status = nz_load_program(bytes, size, NULL, &program, &why);
	if (status != NZ_ERROR_PROGRAM || program != NULL || why == NULL || strcmp(why, expected) != 0)
		fail_msg("row %d: status %d (%s), not '%s'", row, (int)status, why != NULL ? why : "no text", expected);
}

static void each_damage_is_named(void **state)
{
	(void)state;
	Blob b = make(source, 1);
	nz_program *program;
	assert_int_equal(nz_load_program(b.word, b.words * 4, NULL, &program, NULL), NZ_OK);
	nz_free_program(program);
	for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
		uint32_t *word = find_word(&b, &damages[i]), before = *word;
		assert_int_not_equal(before, damages[i].value);
		*word = damages[i].value;
		refuse(b.word, b.words * 4, damages[i].why, (int)i);
		*word = before;
	}
	refuse(b.word, 3, "not a noise program", -1);
	refuse(b.word, 20, "the program is cut short", -1);
	refuse(b.word, (size_t)PROGRAM_SIZE_MAX + 4, "the sizes do not add up", -1);    /* of which it reads the header only */
	free(b.word);
}

/* Headers whose sums are right although a part is missing. */
static void missing_parts(void **state)
{
	uint32_t word[HEADER_WORDS + 4] = { 0 };
	(void)state;
	memcpy(word, PROGRAM_MAGIC, 4);
	word[HEADER_VERSION] = PROGRAM_VERSION;
	word[HEADER_ROWS] = 3;                  /* of an older table, which is fine */
	word[HEADER_FINGERPRINT] = program_fingerprint(3);
	word[HEADER_DOMAIN] = 1;
	word[HEADER_SIZE] = HEADER_WORDS * 4 + 4;
	word[HEADER_FUNCTIONS] = 1;
	refuse(word, word[HEADER_SIZE], "a part is missing", 0);
	word[HEADER_FUNCTIONS] = 0;
	word[HEADER_TEXT] = 4;
	refuse(word, word[HEADER_SIZE], "a part is missing", 1);
	word[HEADER_TEXT] = 3;
	word[HEADER_SIZE]--;
	refuse(word, word[HEADER_SIZE], "the sizes do not add up", 2);
	word[HEADER_TEXT] = 4;
	word[HEADER_FUNCTIONS] = word[HEADER_CODE] = 1;
	word[HEADER_SIZE] = sizeof word;        /* no room for the instruction that is said to be there */
	refuse(word, sizeof word, "the sizes do not add up", 3);
}

/* ---- instructions ---- */

enum { SLOTS = 10, WORK = 5, MOST = 8 };

typedef struct Case {
	const char *why;                        /* NULL: fine */
	uint64_t cost;
	uint32_t loop_max, depth;
	uint32_t count[2];                      /* instructions of the first function and of the second, the root */
	Instruction code[MOST];
} Case;

#define ADD { ROW_FADD, 5, 0, 1, 0 }
#define END { CONTROL_END, 0, 0, 0, 0 }
#define MEET { CONTROL_MEET, 0, 0, 0, 0 }
#define RETURN { CONTROL_RETURN, 0, 0, 0, 0 }

static const Case cases[] = {
	{ NULL, 1, 0, 0, { 0, 2 }, { ADD, RETURN } },
	{ NULL, 3, 0, 1, { 3, 2 }, { ADD, ADD, RETURN, { CONTROL_CALL, 0, 0, 0, 0 }, RETURN } },
	{ NULL, 7 * (2 + 1) + 1, 7, 1, { 0, 5 }, { { CONTROL_LOOP, 5, 1, 7, 2 }, ADD, ADD, END, RETURN } },
	{ NULL, 2 * (3 * 1 + 1 + 1) + 1, 3, 2, { 0, 5 }, { { CONTROL_LOOP, 5, 1, 2, 2 }, { CONTROL_LOOP, 6, 1, 3, 0 }, END, END, RETURN } },
	{ NULL, 1 + (1 + 1), 0, 0, { 0, 5 }, { ADD, { CONTROL_SKIP, 0, 4, 1, 1 }, ADD, MEET, RETURN } },
	{ NULL, 4 * (1 + 1 + 1) + 1, 4, 1, { 0, 6 }, { { CONTROL_LOOP, 5, 1, 4, 3 }, { CONTROL_SKIP, 0, 5, 0, 1 }, ADD, MEET, END, RETURN } },
	{ "a function does not end with its only return", 0, 0, 0, { 0, 1 }, { ADD } },
	{ "a function does not end with its only return", 0, 0, 0, { 0, 3 }, { ADD, RETURN, RETURN } },
	{ "an instruction writes to a wrong slot", 0, 0, 0, { 0, 2 }, { { ROW_FADD, WORK - 1, 0, 0, 0 }, RETURN } },
	{ "an instruction writes to a wrong slot", 0, 0, 0, { 0, 2 }, { { ROW_FADD, SLOTS, 0, 0, 0 }, RETURN } },
	{ "an instruction reads a wrong slot", 0, 0, 0, { 0, 2 }, { { ROW_SELECT, 5, SLOTS, 0, 0 }, RETURN } },
	{ "an instruction reads a wrong slot", 0, 0, 0, { 0, 2 }, { { ROW_SELECT, 5, 0, SLOTS, 0 }, RETURN } },
	{ "an instruction reads a wrong slot", 0, 0, 0, { 0, 2 }, { { ROW_SELECT, 5, 0, 0, SLOTS }, RETURN } },
	{ "an instruction has too many operands", 0, 0, 0, { 0, 2 }, { { ROW_FNEG, 5, 0, 1, 0 }, RETURN } },
	{ "an instruction has too many operands", 0, 0, 0, { 0, 2 }, { { ROW_FADD, 5, 0, 1, 1 }, RETURN } },
	{ "an instruction is unknown", 0, 0, 0, { 0, 2 }, { { ROW_COUNT, 5, 0, 1, 1 }, RETURN } },
	{ "an instruction is unknown", 0, 0, 0, { 0, 2 }, { { CONTROL_MEET + 1, 5, 0, 1, 1 }, RETURN } },
	{ "a call goes to a wrong function", 0, 0, 0, { 1, 2 }, { RETURN, { CONTROL_CALL, 0, 1, 0, 0 }, RETURN } },
	{ "a call goes to a wrong function", 0, 0, 0, { 1, 2 }, { RETURN, { CONTROL_CALL, 1, 0, 0, 0 }, RETURN } },
	{ "a call goes to a wrong function", 0, 0, 0, { 1, 2 }, { RETURN, { CONTROL_CALL, 0, 0, 1, 0 }, RETURN } },
	{ "a call goes to a wrong function", 0, 0, 0, { 1, 2 }, { RETURN, { CONTROL_CALL, 0, 0, 0, 1 }, RETURN } },
	{ "a call goes to a wrong function", 0, 0, 0, { 2, 1 }, { { CONTROL_CALL, 0, 0, 0, 0 }, RETURN, RETURN } },
	{ "a loop uses a wrong slot", 0, 0, 0, { 0, 3 }, { { CONTROL_LOOP, 0, 1, 7, 0 }, END, RETURN } },
	{ "a loop uses a wrong slot", 0, 0, 0, { 0, 3 }, { { CONTROL_LOOP, SLOTS, 1, 7, 0 }, END, RETURN } },
	{ "a loop uses a wrong slot", 0, 0, 0, { 0, 3 }, { { CONTROL_LOOP, 5, SLOTS, 7, 0 }, END, RETURN } },
	{ "a loop has too many rounds", 0, 0, 0, { 0, 3 }, { { CONTROL_LOOP, 5, 1, PROGRAM_LOOP_MAX + 1, 0 }, END, RETURN } },
	{ "a loop has no end", 0, 0, 0, { 0, 3 }, { { CONTROL_LOOP, 5, 1, 7, 1 }, END, RETURN } },
	{ "a loop has no end", 0, 0, 0, { 0, 3 }, { { CONTROL_LOOP, 5, 1, 7, 0 }, ADD, RETURN } },
	{ "a loop has no end", 0, 0, 0, { 0, 3 }, { { CONTROL_LOOP, 5, 1, 7, UINT32_MAX }, END, RETURN } },
	{ "a loop has no end", 0, 0, 0, { 0, 5 }, { { CONTROL_LOOP, 5, 1, 7, 1 }, { CONTROL_LOOP, 5, 1, 7, 1 }, END, END, RETURN } },
	{ "a loop has no end", 0, 0, 0, { 0, 4 }, { { CONTROL_LOOP, 5, 1, 7, 0 }, MEET, END, RETURN } },
	{ "the end of a part has operands", 0, 0, 0, { 0, 3 }, { { CONTROL_LOOP, 5, 1, 7, 0 }, { CONTROL_END, 1, 0, 0, 0 }, RETURN } },
	{ "the end of a part has operands", 0, 0, 0, { 0, 3 }, { { CONTROL_LOOP, 5, 1, 7, 0 }, { CONTROL_END, 0, 1, 0, 0 }, RETURN } },
	{ "the end of a part has operands", 0, 0, 0, { 0, 3 }, { { CONTROL_LOOP, 5, 1, 7, 0 }, { CONTROL_END, 0, 0, 1, 0 }, RETURN } },
	{ "the end of a part has operands", 0, 0, 0, { 0, 3 }, { { CONTROL_LOOP, 5, 1, 7, 0 }, { CONTROL_END, 0, 0, 0, 1 }, RETURN } },
	{ "the end of a part stands alone", 0, 0, 0, { 0, 2 }, { END, RETURN } },
	{ "the end of a part stands alone", 0, 0, 0, { 0, 2 }, { MEET, RETURN } },
	{ "a skipped part has wrong operands", 0, 0, 0, { 0, 3 }, { { CONTROL_SKIP, 0, SLOTS, 0, 0 }, MEET, RETURN } },
	{ "a skipped part has wrong operands", 0, 0, 0, { 0, 3 }, { { CONTROL_SKIP, 0, 1, 2, 0 }, MEET, RETURN } },
	{ "a skipped part has wrong operands", 0, 0, 0, { 0, 3 }, { { CONTROL_SKIP, 1, 1, 0, 0 }, MEET, RETURN } },
	{ "a skipped part has no end", 0, 0, 0, { 0, 3 }, { { CONTROL_SKIP, 0, 1, 0, 0 }, END, RETURN } },
	{ "a return has operands", 0, 0, 0, { 0, 1 }, { { CONTROL_RETURN, 1, 0, 0, 0 } } },
	{ "a return has operands", 0, 0, 0, { 0, 1 }, { { CONTROL_RETURN, 0, 1, 0, 0 } } },
	{ "a return has operands", 0, 0, 0, { 0, 1 }, { { CONTROL_RETURN, 0, 0, 1, 0 } } },
	{ "a return has operands", 0, 0, 0, { 0, 1 }, { { CONTROL_RETURN, 0, 0, 0, 1 } } },
};

static void instructions_are_checked(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const Case *c = &cases[i];
		Instruction code[MOST];
		Function function[2] = { { .first = 0, .count = c->count[0] }, { .first = c->count[0], .count = c->count[1] } };
		bool two = c->count[0] > 0;
		uint32_t loop_max;
		memcpy(code, c->code, sizeof code);
		const char *why = program_check(code, two ? function : function + 1, two ? 2 : 1, WORK, SLOTS, &loop_max);
		if ((why == NULL) != (c->why == NULL) || (why != NULL && strcmp(why, c->why) != 0))
			fail_msg("case %d: '%s', not '%s'", (int)i, why != NULL ? why : "fine", c->why != NULL ? c->why : "fine");
		if (why == NULL && (function[1].cost != c->cost || loop_max != c->loop_max || function[1].depth != c->depth))
			fail_msg("case %d: cost %d, rounds %d, depth %d", (int)i, (int)function[1].cost, (int)loop_max, (int)function[1].depth);
	}
}

/* Loops in loops, beyond 64 bits: the cost saturates instead of wrapping to something small, also where a caller
   adds to it. */
static void costs_do_not_wrap(void **state)
{
	enum { DEEP = 12 };
	Instruction code[2 * DEEP + 1 + 4];
	Function function[2] = { { 0, 2 * DEEP + 1, 0, 0 }, { 2 * DEEP + 1, 4, 0, 0 } };
	uint32_t loop_max;
	(void)state;
	for (uint32_t i = 0; i < DEEP; i++) {
		code[i] = (Instruction) { CONTROL_LOOP, 5, 1, PROGRAM_LOOP_MAX, 2 * (DEEP - 1 - i) };
		code[DEEP + i] = (Instruction) END;
	}
	code[2 * DEEP] = (Instruction) RETURN;
	code[2 * DEEP + 1] = (Instruction) { CONTROL_LOOP, 5, 1, 3, 1 };
	code[2 * DEEP + 2] = (Instruction) { CONTROL_CALL, 0, 0, 0, 0 };
	code[2 * DEEP + 3] = (Instruction) END;
	code[2 * DEEP + 4] = (Instruction) RETURN;
	assert_null(program_check(code, function, 2, WORK, SLOTS, &loop_max));
	assert_true(function[0].cost == UINT64_MAX && function[1].cost == UINT64_MAX);
	assert_int_equal(function[0].depth, DEEP);
	assert_int_equal(function[1].depth, DEEP + 2);
}

/* ---- arguments ---- */

static void wrong_arguments_are_errors(void **state)
{
	Blob b = make(source, 2);
	nz_program *program;
	nz_evaluator *e;
	nz_word word[4] = { { 0 } };
	nz_value in[2] = { { { { 0 } } } }, out[4];
	float x[3] = { 0 }, position[2] = { 0 };
	const float *const axis[2] = { x, x }, *const half[2] = { x, NULL };
	nz_grid grid = { .size = { 1, 1 } };
	nz_input_data inputs[2] = { { .array = { NULL } } };
	nz_output_data outputs[4] = { { .array = { NULL } } };
	(void)state;
	assert_int_equal(nz_load_program(NULL, 4, NULL, &program, NULL), NZ_ERROR_ARGUMENT);
	assert_int_equal(nz_load_program(b.word, 4, NULL, NULL, NULL), NZ_ERROR_ARGUMENT);
	assert_int_equal(nz_load_program(b.word, 12, NULL, &program, NULL), NZ_ERROR_PROGRAM);
	assert_int_equal(nz_load_program(b.word, b.words * 4, NULL, &program, NULL), NZ_OK);
	assert_null(nz_describe_program(NULL));
	assert_int_equal(nz_find_param(NULL, "size"), NZ_NOT_FOUND);
	assert_int_equal(nz_find_input(NULL, "level"), NZ_NOT_FOUND);
	assert_int_equal(nz_find_output(NULL, "height"), NZ_NOT_FOUND);
	assert_int_equal(nz_find_param(program, NULL), NZ_NOT_FOUND);
	assert_int_equal(nz_find_input(program, NULL), NZ_NOT_FOUND);
	assert_int_equal(nz_find_output(program, NULL), NZ_NOT_FOUND);
	assert_int_equal(nz_find_param(program, "height"), NZ_NOT_FOUND);
	assert_int_equal(nz_find_input(program, "height"), NZ_NOT_FOUND);

	size_t room = nz_measure_evaluator(program, 0);
	void *memory = malloc(room);
	assert_int_equal(room, nz_measure_evaluator(program, NZ_DEFAULT_BLOCK));
	assert_int_equal(nz_measure_evaluator(NULL, 1), 0);
	assert_int_equal(nz_place_evaluator(NULL, 0, memory, room, &e), NZ_ERROR_ARGUMENT);
	assert_int_equal(nz_place_evaluator(program, 0, NULL, room, &e), NZ_ERROR_ARGUMENT);
	assert_int_equal(nz_place_evaluator(program, 0, memory, room, NULL), NZ_ERROR_ARGUMENT);
	assert_int_equal(nz_place_evaluator(program, 0, memory, room, &e), NZ_OK);
	assert_int_equal(nz_set_param(NULL, 0, word), NZ_ERROR_ARGUMENT);
	assert_int_equal(nz_set_param(e, 0, NULL), NZ_ERROR_ARGUMENT);
	assert_int_equal(nz_set_param(e, 99, word), NZ_ERROR_ARGUMENT);
	assert_int_equal(nz_get_param(NULL, 0, word), NZ_ERROR_ARGUMENT);
	assert_int_equal(nz_get_param(e, 0, NULL), NZ_ERROR_ARGUMENT);
	assert_int_equal(nz_get_param(e, 99, word), NZ_ERROR_ARGUMENT);
	nz_set_seed(NULL, 1);
	assert_int_equal(nz_evaluate_point(NULL, position, in, out), NZ_ERROR_ARGUMENT);
	assert_int_equal(nz_evaluate_point(e, NULL, in, out), NZ_ERROR_ARGUMENT);
	assert_int_equal(nz_evaluate_point(e, position, in, NULL), NZ_ERROR_ARGUMENT);
	assert_int_equal(nz_evaluate_points(NULL, 3, axis, inputs, outputs), NZ_ERROR_ARGUMENT);
	assert_int_equal(nz_evaluate_points(e, 3, NULL, inputs, outputs), NZ_ERROR_ARGUMENT);
	assert_int_equal(nz_evaluate_points(e, 3, axis, inputs, NULL), NZ_ERROR_ARGUMENT);
	assert_int_equal(nz_evaluate_points(e, 3, half, inputs, outputs), NZ_ERROR_ARGUMENT);
	assert_int_equal(nz_evaluate_points(e, 0, half, inputs, outputs), NZ_OK);
	assert_int_equal(nz_evaluate_grid(NULL, &grid, inputs, outputs), NZ_ERROR_ARGUMENT);
	assert_int_equal(nz_evaluate_grid(e, NULL, inputs, outputs), NZ_ERROR_ARGUMENT);
	assert_int_equal(nz_evaluate_grid(e, &grid, inputs, NULL), NZ_ERROR_ARGUMENT);
	nz_grid huge = { .size = { UINT32_MAX, UINT32_MAX } };
	assert_int_equal(nz_evaluate_grid(e, &huge, inputs, outputs), NZ_ERROR_ARGUMENT);
	assert_int_equal(nz_evaluate_points(e, 3, axis, NULL, outputs), NZ_OK);         /* nothing is wanted: fine */
	assert_int_equal(nz_evaluate_grid(e, &grid, NULL, outputs), NZ_OK);
	free(memory);
	nz_free_program(program);
	free(b.word);
}

static void statuses_and_versions_have_words(void **state)
{
	char text[32];
	(void)state;
	for (int i = NZ_OK; i <= NZ_ERROR_INTERNAL; i++)
		for (int j = NZ_OK; j < i; j++)
			assert_string_not_equal(nz_status_text((nz_status)i), nz_status_text((nz_status)j));
	assert_string_equal(nz_status_text((nz_status)77), "an unknown status");
	assert_int_equal(nz_get_version(), NZ_VERSION);
	snprintf(text, sizeof text, "%d.%d.%d", NZ_VERSION_MAJOR, NZ_VERSION_MINOR, NZ_VERSION_PATCH);
	assert_string_equal(text, NZ_VERSION_STRING);
}

/* ---- choices ---- */

/* What a block may skip depends on its samples; the results do not. */
static void skipped_parts_change_no_bits(void **state)
{
	static const char text[] = "output a = p.x > 0.5 ? worley() : perlin() |> octaves(4)\noutput b = p.y > 0.25 ? p.x : simplex()\n";
	static const uint32_t blocks[] = { 1, 2, 9, 128 };
	enum { SIDE = 16 };
	static float first[2][SIDE * SIDE], other[2][SIDE * SIDE];
	nz_module *m;
	const char *dump;
	size_t size;
	(void)state;
	assert_int_equal(nz_compile_module("a", text, sizeof text - 1, NULL, &m), NZ_OK);
	assert_int_equal(nz_dump_stage(m, "program", NULL, &dump, &size), NZ_OK);
	assert_non_null(strstr(dump, "where "));
	nz_free_module(m);
	for (int way = 0; way < 8; way++) {
		Blob b = make(text, way < 4 ? 2 : 1);
		nz_program *program;
		nz_evaluator *e;
		assert_int_equal(nz_load_program(b.word, b.words * 4, NULL, &program, NULL), NZ_OK);
		size_t room = nz_measure_evaluator(program, blocks[way % 4]);
		void *memory = malloc(room);
		assert_int_equal(nz_place_evaluator(program, blocks[way % 4], memory, room, &e), NZ_OK);
		nz_grid grid = { .origin = { -1, -1 }, .step = { 0.17, 0.19 }, .size = { SIDE, SIDE } };
		nz_output_data outputs[2] = { { .array = { way ? other[0] : first[0] } }, { .array = { way ? other[1] : first[1] } } };
		assert_int_equal(nz_evaluate_grid(e, &grid, NULL, outputs), NZ_OK);
		if (way > 0)
			assert_memory_equal(first, other, sizeof first);
		free(memory);
		nz_free_program(program);
		free(b.word);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_damage_is_named), cmocka_unit_test(missing_parts), cmocka_unit_test(instructions_are_checked),
		cmocka_unit_test(costs_do_not_wrap), cmocka_unit_test(wrong_arguments_are_errors),
		cmocka_unit_test(statuses_and_versions_have_words), cmocka_unit_test(skipped_parts_change_no_bits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
