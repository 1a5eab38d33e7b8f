/* Every row of ops.def: the folder, the interpreter's loops at several lengths, and the row's own expression agree
   in bits, on corner values and on random words. NaNs count as equal: their bits are promised nowhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "../compiler/cc.h"
#include "../runtime/noisert.h"
#include "../runtime/num.h"

enum { CORNERS_MAX = 64, RANDOM = 20000 };

/* ---- the meaning, one lane ---- */

typedef uint32_t Type_b, Type_u, Type_w, Type_v;
typedef int32_t Type_i;
typedef float Type_f;
#define IN_b(word) (word)
#define IN_u(word) (word)
#define IN_w(word) (word)
#define IN_v(word) (word)
#define IN_i(word) num_int(word)
#define IN_f(word) num_from_bits(word)
#define OUT_b(value) (uint32_t)(value)
#define OUT_u(value) (value)
#define OUT_w(value) (value)
#define OUT_i(value) num_uint(value)
#define OUT_f(value) num_bits(value)

#define OP(ID, name, R, A, B, C, flags, meaning, ...) \
static uint32_t mean_##ID(uint32_t x, uint32_t y, uint32_t z) \
{ \
	Type_##A a = IN_##A(x); \
	Type_##B b = IN_##B(y); \
	Type_##C c = IN_##C(z); \
	(void)a, (void)b, (void)c; \
	return OUT_##R(meaning); \
}
#include "../runtime/ops.def"
#undef OP

static uint32_t (*const mean[OP_COUNT])(uint32_t, uint32_t, uint32_t) = {
#define OP(ID, ...) mean_##ID,
#include "../runtime/ops.def"
#undef OP
};

/* ---- operands ---- */

static const float corner_floats[] = {
	0.0f, -0.0f, 1.0f, -1.0f, 0.5f, -0.5f, 1.5f, 2.5f, -2.5f, 0.1f, 3.0f, -7.25f, FLT_MAX, -FLT_MAX, FLT_MIN, -FLT_MIN,
	8388607.5f, 8388608.0f, 8388609.0f, -8388607.5f, -8388609.0f, 4194303.75f, 4194304.5f, 16777216.0f, 1073741824.0f, -1073741888.0f,
	2147483520.0f, 2147483648.0f, -2147483648.0f, -2147483904.0f, 4294967040.0f, 4294967296.0f, 0.99999994f, 1.0000001f, 1e-30f, 1e30f,
};
static const uint32_t corner_words[] = {
	0, 1, 2, 3, 7, 31, 32, 33, 255, 65535, 65536, 8388607, 8388608, 16777215, 16777217, 0x7fffffff, 0x80000000, 0x80000001,
	0xfffffffe, 0xffffffff, 0xfffffff9, 0xff800001, 0x9e3779b1, 0x55555555,
};

static uint32_t list_corners(char letter, uint32_t out[CORNERS_MAX])
{
	uint32_t count = 0;
	if (letter == 'v' || letter == 'b') {
		out[0] = 0;
		out[1] = 1;
		return letter == 'b' ? 2 : 1;
	}
	for (size_t i = 0; letter == 'f' && i < sizeof corner_floats / sizeof *corner_floats; i++)
		out[count++] = num_bits(corner_floats[i]);
	for (size_t i = 0; letter != 'f' && i < sizeof corner_words / sizeof *corner_words; i++)
		out[count++] = corner_words[i];
	return count;
}

static uint32_t next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*state >> 32);
}

/* Half of them small or near 1, so that operands meet; the others any bits, NaN, infinite and denormal ones too. */
static uint32_t draw_word(char letter, uint64_t *state)
{
	uint32_t word = next_random(state), kind = next_random(state) >> 30;
	if (letter == 'b')
		return word >> 31;
	if (letter == 'f')
		return kind < 2 ? word : num_bits(((float)(int32_t)word) * (kind == 2 ? 0x1p-28f : 0x1p-8f));
	return kind < 2 ? word : num_uint(num_int(word) >> 24);
}

/* ---- a program of one operation ---- */

static uint8_t kind_of(char letter)
{
	return letter == 'b' ? KIND_BOOL : letter == 'i' ? KIND_INT : letter == 'f' ? KIND_FLOAT : KIND_UINT;
}

static nz_program *make_program(Op op)
{
	const OpInfo *info = &op_info[op];
	Arena *arena = arena_new();
	Func *f = ir_func_new(arena);
	Input input[3];
	Ref operand[3] = { 0, 0, 0 }, result;
	Text blob = { .arena = arena };
	nz_program *program = NULL;
	for (int i = 0; i < info->arity; i++) {
		input[i] = (Input) { .name = i == 0 ? "a" : i == 1 ? "b" : "c", .type = { kind_of(info->operand[i]), 1, NULL } };
		operand[i] = ir_value(f, IR_INPUT, (Kind)input[i].type.kind, 1, (uint32_t)i, operand, 0);
	}
	result = ir_value(f, op, (Kind)kind_of(info->result), 1, 0, operand, (uint32_t)info->arity);
	f->result = &result;
	f->results = 1;
	Output output = { .name = "r", .type = { kind_of(info->result), 1, NULL } };
	Program p = { .arena = arena, .name = "row", .domain = 1, .func = &f, .funcs = 1, .root = f,
		.input = input, .inputs = (uint32_t)info->arity, .output = &output, .outputs = 1 };
	slots_write(arena, &p, &blob);
	assert_int_equal(nz_load_program(blob.data, blob.size, NULL, &program, NULL), NZ_OK);
	arena_free(arena);
	return program;
}

static uint32_t canonical(char letter, uint32_t bits)
{
	return letter == 'f' && (bits & 0x7fffffffu) > 0x7f800000u ? 0x7fc00000u : bits;
}

static void compare(Op op, const nz_program *program, uint32_t *const word[3], size_t count)
{
	static const uint32_t blocks[] = { 1, 3, 8, 31, 128, 1000 };
	char letter = op_info[op].result;
	uint32_t *result = malloc(count * sizeof *result), *expected = malloc(count * sizeof *expected);
	float *position = calloc(count, sizeof *position);
	const float *axis[1] = { position };
	nz_input_data inputs[3] = { { .array = { word[0] } }, { .array = { word[1] } }, { .array = { word[2] } } };
	nz_output_data output = { .array = { result } };
	for (size_t i = 0; i < count; i++) {
		expected[i] = canonical(letter, mean[op](word[0][i], word[1][i], word[2][i]));
		uint32_t folded = canonical(letter, op_fold(op, word[0][i], word[1][i], word[2][i]));
		if (folded != expected[i])
			fail_msg("%s %08x %08x %08x: folded %08x, means %08x", op_info[op].id, word[0][i], word[1][i], word[2][i], folded, expected[i]);
	}
	for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++) {
		nz_evaluator *e;
		size_t size = nz_measure_evaluator(program, blocks[b]);
		void *memory = malloc(size);
		assert_int_equal(nz_place_evaluator(program, blocks[b], memory, size, &e), NZ_OK);
		assert_int_equal(nz_evaluate_points(e, count, axis, inputs, &output), NZ_OK);
		for (size_t i = 0; i < count; i++)
			if (canonical(letter, result[i]) != expected[i])
				fail_msg("%s %08x %08x %08x, block %u: ran %08x, means %08x", op_info[op].id, word[0][i], word[1][i], word[2][i], blocks[b], result[i], expected[i]);
		free(memory);
	}
	free(result);
	free(expected);
	free(position);
}

static void corners(void **unused)
{
	(void)unused;
	for (int op = 0; op < OP_COUNT; op++) {
		uint32_t list[3][CORNERS_MAX], n[3], *word[3], count = 0;
		for (int i = 0; i < 3; i++)
			n[i] = list_corners(op_info[op].operand[i], list[i]);
		for (int i = 0; i < 3; i++)
			word[i] = malloc(n[0] * n[1] * n[2] * sizeof *word[i]);
		for (uint32_t i = 0; i < n[0]; i++)
			for (uint32_t j = 0; j < n[1]; j++)
				for (uint32_t k = 0; k < n[2]; k++, count++) {
					word[0][count] = list[0][i];
					word[1][count] = list[1][j];
					word[2][count] = list[2][k];
				}
		nz_program *program = make_program((Op)op);
		compare((Op)op, program, word, count);
		nz_free_program(program);
		for (int i = 0; i < 3; i++)
			free(word[i]);
	}
}

static void random_words(void **unused)
{
	(void)unused;
	uint64_t state = 1;
	for (int op = 0; op < OP_COUNT; op++) {
		uint32_t *word[3];
		for (int i = 0; i < 3; i++) {
			word[i] = malloc(RANDOM * sizeof *word[i]);
			for (int j = 0; j < RANDOM; j++)
				word[i][j] = draw_word(op_info[op].operand[i], &state);
		}
		nz_program *program = make_program((Op)op);
		compare((Op)op, program, word, RANDOM);
		nz_free_program(program);
		for (int i = 0; i < 3; i++)
			free(word[i]);
	}
}

/* Definitions that goldens freeze, as plain examples. */
static void definitions(void **unused)
{
	(void)unused;
	const uint32_t minus_seven = num_uint(-7), lowest = 0x80000000u, nan = 0x7fc00000u, infinity = 0x7f800000u;
	assert_int_equal(num_int(op_fold(OP_IDIV, minus_seven, 2, 0)), -4);
	assert_int_equal(num_int(op_fold(OP_IMOD, minus_seven, 2, 0)), 1);
	assert_int_equal(op_fold(OP_IDIV, lowest, 0xffffffffu, 0), lowest);
	assert_int_equal(op_fold(OP_IDIV, 5, 0, 0), 0);
	assert_int_equal(op_fold(OP_IMOD, 5, 0, 0), 0);
	assert_int_equal(op_fold(OP_ISHL, 1, 33, 0), 2);
	assert_int_equal(op_fold(OP_ISHR, lowest, 31, 0), 0xffffffffu);
	assert_int_equal(op_fold(OP_FTOI, num_bits(-1.9f), 0, 0), num_uint(-1));
	assert_int_equal(op_fold(OP_FTOI, infinity, 0, 0), 0x7fffffffu);
	assert_int_equal(op_fold(OP_FTOI, nan, 0, 0), 0);
	assert_int_equal(op_fold(OP_FTOU, num_bits(-3.0f), 0, 0), 0);
	assert_int_equal(op_fold(OP_FTOU, infinity, 0, 0), 0xffffffffu);
	assert_int_equal(op_fold(OP_FROUND, num_bits(2.5f), 0, 0), num_bits(2.0f));
	assert_int_equal(op_fold(OP_FROUND, num_bits(-3.5f), 0, 0), num_bits(-4.0f));
	assert_int_equal(op_fold(OP_FMOD, num_bits(-0.25f), num_bits(1.0f), 0), num_bits(0.75f));
	assert_int_equal(op_fold(OP_FMOD, num_bits(1.0f), 0, 0), 0);
	assert_int_equal(op_fold(OP_FDIV, num_bits(1.0f), 0, 0), 0);
	assert_int_equal(op_fold(OP_FSQRT, num_bits(-1.0f), 0, 0), 0);
	assert_int_equal(op_fold(OP_FMIN, nan, num_bits(2.0f), 0), num_bits(2.0f));
	assert_int_equal(op_fold(OP_FMAX, nan, num_bits(2.0f), 0), num_bits(2.0f));
	assert_int_equal(op_fold(OP_FCLEAN, nan, 0, 0), 0);
	assert_int_equal(op_fold(OP_FCLEAN, infinity, 0, 0), num_bits(FLT_MAX));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(corners), cmocka_unit_test(random_words), cmocka_unit_test(definitions),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
