/* Sums over everything that the compiler and the runtime compute, for builds whose bits must be equal: one line per
   operation, and per file and level of optimising. Programs are compared as bytes, texts as text, and results
   at positions near and far. NaN counts as one value: its bits are not promised, and the processor chooses them.
     sums FILE.noise... */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cc.h"
#include "num.h"
#include "noisert.h"

enum { POINTS = 96, ROLLS = 20000 };

static uint64_t add_bytes(uint64_t sum, const void *data, size_t size)
{
	const unsigned char *byte = data;
	for (size_t i = 0; i < size; i++)
		sum = (sum ^ byte[i]) * 1099511628211u; /* FNV-1a */
	return sum;
}

static uint64_t add_word(uint64_t sum, uint32_t word, bool is_float)
{
	if (is_float && (word & 0x7fffffffu) > 0x7f800000u)
		word = 0x7fc00000u;
	const unsigned char byte[4] = { (unsigned char)word, (unsigned char)(word >> 8), (unsigned char)(word >> 16), (unsigned char)(word >> 24) };
	return add_bytes(sum, byte, 4);
}

static const uint64_t empty = UINT64_C(14695981039346656037);

static uint32_t roll(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*state >> 32);
}

/* ---- operations ---- */

static uint32_t draw_operand(char letter, uint64_t *state)
{
	uint32_t word = roll(state), kind = roll(state) >> 30;
	if (letter == 'b')
		return word >> 31;
	if (letter == 'f')
		return kind == 0 ? word : num_bits((float)num_int(word) * (kind == 1 ? 0x1p-31f : kind == 2 ? 0x1p-20f : 0x1p-3f));
	return kind < 2 ? word : num_uint(num_int(word) >> 24);
}

static void sum_operations(void)
{
	for (int op = 0; op < OP_COUNT; op++) {
		const OpInfo *info = &op_info[op];
		uint64_t sum = empty, state = 1;
		for (int i = 0; i < ROLLS; i++) {
			uint32_t x[3];
			for (int k = 0; k < 3; k++)
				x[k] = draw_operand(info->operand[k], &state);
			sum = add_word(sum, op_fold((Op)op, x[0], x[1], x[2]), info->result == 'f');
		}
		printf("%-8s %016llx\n", info->id, (unsigned long long)sum);
	}
}

/* ---- files ---- */

static char *read_whole(const char *path, size_t *size)
{
	FILE *f = fopen(path, "rb");
	char *text = malloc(1 << 20);
	*size = f != NULL && text != NULL ? fread(text, 1, 1 << 20, f) : 0;
	if (f != NULL)
		fclose(f);
	return text;
}

static uint64_t sum_values(const void *bytes, size_t size)
{
	static float position[4][POINTS];
	static uint32_t input[POINTS], result[64][4][POINTS];
	const float *const axis[4] = { position[0], position[1], position[2], position[3] };
	uint64_t sum = empty, state = 7;
	nz_program *program;
	nz_evaluator *e;
	const char *why;
	if (nz_load_program(bytes, size, NULL, &program, &why) != NZ_OK) {
		printf("does not load: %s\n", why);
		exit(1);
	}
	const nz_program_info *info = nz_describe_program(program);
	size_t room = nz_measure_evaluator(program, 0);
	void *memory = malloc(room);
	if (info->output_count > 64 || info->input_count > 16 || nz_place_evaluator(program, 0, memory, room, &e) != NZ_OK)
		exit(1);
	for (int i = 0; i < POINTS; i++) {
		float reach = i % 8 == 7 ? 0x1p20f : i % 8 == 6 ? 1000.0f : 8.0f;
		for (int a = 0; a < 4; a++)
			position[a][i] = (float)num_int(roll(&state)) * 0x1p-31f * reach;
		input[i] = num_bits((float)num_int(roll(&state)) * 0x1p-30f);
	}
	nz_input_data inputs[16];
	nz_output_data outputs[64];
	memset(inputs, 0, sizeof inputs);
	for (int i = 0; i < 16; i++)
		inputs[i].array[0] = input;
	for (int i = 0; i < 64; i++)
		for (int k = 0; k < 4; k++)
			outputs[i].array[k] = result[i][k];
	nz_set_seed(e, 0x123456789);
	nz_evaluate_points(e, POINTS, axis, inputs, outputs);
	for (uint32_t o = 0; o < info->output_count; o++)
		for (uint32_t k = 0; k < info->outputs[o].type.width; k++)
			for (int i = 0; i < POINTS; i++)
				sum = add_word(sum, result[o][k][i], info->outputs[o].type.kind == NZ_FLOAT);
	free(memory);
	nz_free_program(program);
	return sum;
}

static uint64_t sum_emitted(nz_module *m, const char *target, nz_entry entry, bool values)
{
	const char *data;
	size_t size;
	if (nz_emit_target(m, &(nz_emit_options) { .target = target, .entry = entry }, &data, &size) != NZ_OK)
		return 0;
	return values ? sum_values(data, size) : add_bytes(empty, data, size);
}

static void sum_file(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
	size_t size;
	char *text = read_whole(path, &size);
	for (int level = 2; level >= 0; level -= 2) {
		nz_module *m;
		nz_status status = nz_compile_module(name, text, size, &(nz_compile_options) { .optimise = level == 0 ? 1 : 2 }, &m);
		const char *said = nz_get_diagnostics(m);
		printf("%s -O%d", name, level);
		if (status != NZ_OK)
			printf(" status %d messages %016llx\n", (int)status, (unsigned long long)add_bytes(empty, said, strlen(said)));
		else
			printf(" program %016llx values %016llx glsl %016llx compute %016llx\n",
				(unsigned long long)sum_emitted(m, "program", NZ_ENTRY_NONE, false), (unsigned long long)sum_emitted(m, "program", NZ_ENTRY_NONE, true),
				(unsigned long long)sum_emitted(m, "glsl", NZ_ENTRY_NONE, false), (unsigned long long)sum_emitted(m, "glsl", NZ_ENTRY_COMPUTE, false));
		nz_free_module(m);
	}
	free(text);
}

int main(int argc, char **argv)
{
	sum_operations();
	for (int i = 1; i < argc; i++)
		sum_file(argv[i]);
	return 0;
}
