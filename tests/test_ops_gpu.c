/* Promise: every row of ops.def means the same in a shader as in the folder, as a number and as a vector, on
   all pairs of corner values and on random ones. Rows are put straight into the intermediate form, so that
   those without a word in the language are covered too. Operands or results that are denormal, infinite or
   NaN are run but not compared: drivers need not keep them. */
#include <math.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "cc.h"
#include "num.h"
#include "gpu/gpu.h"

enum { POINTS = 4096 };

static Gpu *gpu;
static char *why_no_gpu;

static const uint32_t float_corners[] = {
	0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x3f000000, 0xbf000000, 0x3fc00000, 0x40200000, 0xc0200000, 0x40490fdb,
	0x00800000, 0x80800000, 0x7f7fffff, 0xff7fffff, 0x4b000000, 0x4b000001, 0xcb000000, 0x4b7fffff, 0x4effffff, 0x4f000000,
	0xcf000000, 0xcf000001, 0x4f7fffff, 0x4f800000, 0x3f7fffff, 0x3f800001, 0x2f800000, 0x6f800000, 0x7f800000, 0xff800000,
	0x7fc00000, 0x00000001, 0x3eaaaaab, 0x42280000, 0xc2280000
};
static const uint32_t int_corners[] = {
	0, 1, 2, 3, 7, 31, 32, 33, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0xfffffffe, 0xfffffff9, 0x00ffffff, 0x01000000, 0x40000000, 0xc0000000
};

static uint32_t random_word(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	uint32_t high = *state >> 16;
	*state = *state * 1664525u + 1013904223u;
	return high << 16 | *state >> 16;
}

static uint32_t operand(char type, size_t i, size_t stride, uint32_t *state)
{
	size_t corners = type == 'f' ? sizeof float_corners / 4 : sizeof int_corners / 4;
	const uint32_t *corner = type == 'f' ? float_corners : int_corners;
	if (type == 'b')
		return random_word(state) & 1u;
	if (i < corners * corners)
		return corner[i / stride % corners];
	uint32_t w = random_word(state);
	if (type == 'f')                        /* exponents around 1, where most work is done */
		w = (w & 0x807fffffu) | (97u + (w >> 24) % 60u) << 23;
	return w;
}

static bool plain(char type, uint32_t w)
{
	uint32_t exponent = w >> 23 & 0xffu;
	return type != 'f' || (exponent != 0 && exponent != 255) || (w & 0x7fffffffu) == 0;
}

/* Rows whose meaning leaves some operands open. */
static bool in_domain(Op op, const uint32_t *w)
{
	float x = num_from_bits(w[0]);
	switch (op) {
	case OP_FINT: return fabsf(x) < 2147483648.0f;
	case OP_FUINT: return x >= 0.0f && x < 4294967296.0f;
	case OP_UQUOT: return w[1] != 0;
	case OP_ITOF: return w[0] + 0x1000000u <= 0x2000000u;
	case OP_UTOF: return w[0] <= 0x1000000u;
	default: return true;
	}
}

static char letter(char type) { return type == 'w' ? 'f' : type; }

static Kind kind_of(char type) { return type == 'b' ? KIND_BOOL : type == 'i' ? KIND_INT : type == 'u' ? KIND_UINT : KIND_FLOAT; }

/* A program whose one output is the row applied to inputs. */
static const char *shader_for(Arena *arena, Diagnostics *diag, const Scope *library, Op op, int width)
{
	const OpInfo *row = &op_info[op];
	Program p = { .arena = arena, .name = "row", .domain = 1 };
	Input input[3];
	Output output = { .name = "result", .type = { .kind = (uint8_t)kind_of(letter(row->result)), .width = (uint8_t)width } };
	Ref o[3] = { 0, 0, 0 };
	static const char *const names[] = { "a", "b", "c" };
	Text text = { .arena = arena };
	p.root = ir_func_new(arena);
	for (int i = 0; i < row->arity; i++) {
		Kind kind = kind_of(letter(row->operand[i]));
		input[i] = (Input){ .name = names[i], .type = { .kind = (uint8_t)kind, .width = (uint8_t)width } };
		o[i] = ir_value(p.root, IR_INPUT, kind, width, (uint32_t)i, NULL, 0);
	}
	Ref result = ir_op(p.root, op, o[0], o[1], o[2]);
	p.root->result = &result;
	p.root->results = 1;
	p.func = &p.root;
	p.funcs = p.func_capacity = 1;
	p.input = input;
	p.inputs = (uint32_t)row->arity;
	p.output = &output;
	p.outputs = 1;
	Func **grown = arena_alloc(arena, sizeof *grown);
	grown[0] = p.root;
	p.func = grown;
	assert_true(legalise(arena, diag, &dialect_glsl, &p, library));
	PrintOptions options = { .prefix = "row", .entry = NZ_ENTRY_COMPUTE };
	print_program(arena, &dialect_glsl, &p, &options, &text);
	return text.data;
}

typedef struct Counts { unsigned long compared, skipped, differing; } Counts;

static void run_row(Arena *arena, Diagnostics *diag, const Scope *library, Op op, int width, Counts *counts)
{
	const OpInfo *row = &op_info[op];
	const char *text = shader_for(arena, diag, library, op, width);
	uint32_t *words, state = 7u + (uint32_t)op, block[4] = { 0, 0, 0, 0 };
	size_t count, n = 2 + (size_t)row->arity + 1, size = (size_t)width * POINTS;
	char *log = NULL, *report = NULL;
	GpuStatus status = gpu_compile_glsl(text, GPU_COMPUTE, &words, &count, &log);
	if (status != GPU_OK || (log && log[0]))
		fail_msg("%s width %d: %s\n%s", row->id, width, log ? log : "", text);
	if (gpu_check_exact(words, count, &report))
		fail_msg("%s width %d: %s\n%s", row->id, width, report, text);
	free(report);
	free(log);
	log = NULL;
	uint32_t *data[5] = { NULL };
	for (size_t i = 0; i < n - 1; i++)
		assert_non_null(data[i] = calloc(size, 4));
	for (size_t i = 0; i < size; i++)
		for (int k = 0; k < row->arity; k++)
			data[1 + k][i] = operand(letter(row->operand[k]), i, k == 0 ? 1 : k == 1 ? sizeof float_corners / 4 : 7, &state);
	if (gpu) {
		GpuBuffer buffer[6] = { { 0, GPU_UNIFORM, block, sizeof block, false }, { 1, GPU_STORAGE, data[0], POINTS * 4, false } };
		for (size_t i = 0; i + 2 < n; i++)
			buffer[2 + i] = (GpuBuffer){ (uint32_t)(2 + i), GPU_STORAGE, data[1 + i], size * 4, i + 3 == n };
		if (gpu_run(gpu, words, count, buffer, n, POINTS / 64, &log) != GPU_OK)
			fail_msg("%s: %s", row->id, log);
		free(log);
		for (size_t i = 0; i < size; i++) {
			uint32_t w[3] = { 0, 0, 0 };
			bool compare = true;
			for (int k = 0; k < row->arity; k++) {
				w[k] = data[1 + k][i];
				compare = compare && plain(letter(row->operand[k]), w[k]);
			}
			uint32_t want = op_fold(op, w[0], w[1], w[2]), got = data[n - 2][i];
			if (!compare || !plain(letter(row->result), want) || !in_domain(op, w)) {
				counts->skipped++;
				continue;
			}
			counts->compared++;
			if (letter(row->result) == 'f' && ((want | got) & 0x7fffffffu) == 0)
				continue;
			if (want != got && counts->differing++ < 20)
				print_error("%s width %d (%08x, %08x, %08x): folder %08x, shader %08x\n", row->id, width, w[0], w[1], w[2], want, got);
		}
	}
	for (size_t i = 0; i < n - 1; i++)
		free(data[i]);
	free(words);
}

static void run_widths(Op op, Counts *counts)
{
	Arena *arena = arena_new();
	assert_non_null(arena);
	if (setjmp(*arena_guard(arena)))
		fail_msg("out of memory");
	Diagnostics *diag = arena_alloc(arena, sizeof *diag);
	Scope *library = arena_alloc(arena, sizeof *library);
	diag->arena = arena;
	compile_library(arena, diag, library);
	assert_int_equal(diag->errors, 0);
	run_row(arena, diag, library, op, 1, counts);
	run_row(arena, diag, library, op, 3, counts);
	arena_free(arena);
}

static void every_row_means_the_same_in_a_shader(void **state)
{
	Counts counts = { 0, 0, 0 };
	(void)state;
	for (int op = 0; op < OP_COUNT; op++)
		if (op != OP_COPY)              /* has no spelling of its own: it never reaches a shader */
			run_widths((Op)op, &counts);
	printf("%d rows as number and vec3: %lu results compared, %lu outside of the promise, %lu differing\n", OP_COUNT, counts.compared, counts.skipped, counts.differing);
	if (!gpu)
		printf("SKIP: shaders were checked but not run: %s\n", why_no_gpu);
	assert_int_equal(counts.differing, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(every_row_means_the_same_in_a_shader) };
	gpu = gpu_open(NULL, &why_no_gpu);
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	gpu_close(gpu);
	free(why_no_gpu);
	return failed;
}
