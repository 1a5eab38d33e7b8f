/* The runtime by its public header, on a compiled program with loops, calls, params and inputs: every way to
   evaluate gives the same bits, values are clamped, and no bytes can hurt. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "../compiler/noisec.h"
#include "../runtime/noisert.h"

#ifndef MUTATIONS
#define MUTATIONS 100000
#endif

enum { COUNT = 517, OUTPUTS = 5 };

static const char source[] =
	"domain vec2\n"
	"enum Biome {\n"
	"  /// Salt water.\n"
	"  Ocean,\n"
	"  Beach, Forest }\n"
	"/// Metres.\n"
	"param size = 2 in 0.5 .. 10\n"
	"param rounds: int = 3 in 0 .. 6\n"
	"param kind: Biome = Beach\n"
	"param tint = #3a7d44\n"
	"param free = 1.5\n"
	"input level: float in -1 .. 1\n"
	"input wide: vec3\n"
	"node base = simplex()\n"
	"node hills = fold i in 0 .. rounds {\n"
	"  node octave = reseed(base, i) @ (p * freq)\n"
	"  total = 0.0 then total + octave / freq\n"
	"  freq = 1.0 then freq * 2\n"
	"} return total\n"
	"/// The ground.\n"
	"output height = (hills |> scale(1 / size)) + level + wide.y * free\n"
	"output near: bool = base > worley()\n"
	"output biome: Biome = match kind { Ocean: Beach, Beach: Forest, Forest: Ocean }\n"
	"output tinted: vec3 = tint * hills + wide\n"
	"output stirred: uint = stir(seed, 7)\n";

typedef struct Bytes { const char *data; size_t size; nz_module *module; } Bytes;

static Bytes compile(const char *text)
{
	Bytes b = { NULL, 0, NULL };
	nz_compile_options options = { .optimise = 1 };         /* keeps calls and loops */
	nz_emit_options emit = { .target = "program" };
	if (nz_compile_module("world.noise", text, strlen(text), &options, &b.module) != NZ_OK)
		fail_msg("%s", nz_get_diagnostics(b.module));
	assert_int_equal(nz_emit_target(b.module, &emit, &b.data, &b.size), NZ_OK);
	return b;
}

static nz_program *load(const char *text)
{
	Bytes b = compile(text);
	nz_program *program;
	const char *why = NULL;
	if (nz_load_program(b.data, b.size, NULL, &program, &why) != NZ_OK)
		fail_msg("%s", why);
	nz_free_module(b.module);
	return program;
}

typedef struct Room { void *memory; nz_evaluator *evaluator; } Room;

static Room enter(const nz_program *program, uint32_t block)
{
	Room r;
	size_t size = nz_measure_evaluator(program, block);
	r.memory = malloc(size);
	assert_int_equal(nz_place_evaluator(program, block, r.memory, size, &r.evaluator), NZ_OK);
	return r;
}

/* ---- samples ---- */

static float xs[COUNT], ys[COUNT], levels[COUNT], wides[COUNT];
static const float *const axes[2] = { xs, ys };
static const nz_input_data inputs[2] = {
	{ .array = { levels } },
	{ .array = { NULL, wides }, .constant = { { .f = 0.25f }, { .f = 0 }, { .f = -2.0f } } },
};

static void set_samples(void)
{
	for (int i = 0; i < COUNT; i++) {
		xs[i] = (float)(-10.0 + (i % 47) * 0.37);
		ys[i] = (float)(5.0 - (i / 47) * 0.73);
		levels[i] = (float)(i % 9) * 0.5f - 2.0f;
		wides[i] = (float)i * 0.01f;
	}
}

typedef struct Result { uint32_t word[OUTPUTS][4][COUNT]; } Result;

static void run_points(nz_evaluator *e, Result *r)
{
	nz_output_data outputs[OUTPUTS];
	memset(r, 0, sizeof *r);
	for (int i = 0; i < OUTPUTS; i++)
		for (int lane = 0; lane < 4; lane++)
			outputs[i].array[lane] = r->word[i][lane];
	assert_int_equal(nz_evaluate_points(e, COUNT, axes, inputs, outputs), NZ_OK);
}

static void ways_agree(void **unused)
{
	(void)unused;
	static const uint32_t blocks[] = { 1, 2, 7, 64, 128, 1000, 1024 };
	static Result first, other;
	nz_program *program = load(source);
	assert_in_range(nz_describe_program(program)->loop_max, 6, 256);
	set_samples();
	for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++) {
		Room r = enter(program, blocks[b]);
		nz_set_seed(r.evaluator, 99);
		run_points(r.evaluator, b == 0 ? &first : &other);
		if (b > 0)
			assert_memory_equal(&first, &other, sizeof first);

		nz_grid grid = { .origin = { -10.0, 5.0 }, .step = { 0.37, -0.73 }, .size = { 47, 11 } };
		nz_output_data outputs[OUTPUTS];
		memset(&other, 0, sizeof other);
		for (int i = 0; i < OUTPUTS; i++)
			for (int lane = 0; lane < 4; lane++)
				outputs[i].array[lane] = other.word[i][lane];
		assert_int_equal(nz_evaluate_grid(r.evaluator, &grid, inputs, outputs), NZ_OK);
		assert_memory_equal(&first, &other, sizeof first);

		for (int i = 0; i < COUNT; i += 13) {
			float p[2] = { xs[i], ys[i] };
			nz_value in[2] = { { { { .f = levels[i] } } }, { { { .f = 0.25f }, { .f = wides[i] }, { .f = -2.0f } } } }, out[OUTPUTS];
			memset(out, 0, sizeof out);
			assert_int_equal(nz_evaluate_point(r.evaluator, p, in, out), NZ_OK);
			for (int o = 0; o < OUTPUTS; o++)
				for (int lane = 0; lane < 4; lane++)
					assert_int_equal(out[o].word[lane].u, first.word[o][lane][i]);
		}
		free(r.memory);
	}
	nz_free_program(program);
}

static void grids_in_parts(void **unused)
{
	(void)unused;
	static float whole[5 * 4 * 3], part[2 * 4 * 3];
	nz_program *program = load("domain vec3\noutput a = perlin() + p.z\n");
	Room r = enter(program, 8);
	nz_grid grid = { .origin = { 0.1, 0.2, 0.3 }, .step = { 0.1, 0.7, 0.3 }, .size = { 5, 4, 3 } };
	assert_int_equal(nz_evaluate_grid(r.evaluator, &grid, NULL, &(nz_output_data) { .array = { whole } }), NZ_OK);
	grid.first[0] = 3;
	grid.size[0] = 2;
	assert_int_equal(nz_evaluate_grid(r.evaluator, &grid, NULL, &(nz_output_data) { .array = { part } }), NZ_OK);
	for (int row = 0; row < 12; row++)
		assert_memory_equal(part + row * 2, whole + row * 5 + 3, 2 * sizeof *part);
	grid.size[1] = 0;
	assert_int_equal(nz_evaluate_grid(r.evaluator, &grid, NULL, &(nz_output_data) { .array = { part } }), NZ_OK);
	free(r.memory);
	nz_free_program(program);
}

/* ---- descriptions, params, seeds ---- */

static void descriptions(void **unused)
{
	(void)unused;
	nz_program *program = load(source);
	const nz_program_info *info = nz_describe_program(program);
	assert_int_equal(info->domain, 2);
	assert_int_equal(info->param_count, 5);
	assert_int_equal(info->input_count, 2);
	assert_int_equal(info->output_count, OUTPUTS);
	assert_string_equal(info->params[0].doc, "Metres.");
	assert_true(info->params[0].ranged && info->params[0].low[0].f == 0.5f && info->params[0].high[0].f == 10.0f);
	assert_string_equal(info->params[2].type.enumeration->enumerators[0].doc, "Salt water.");
	assert_string_equal(info->params[2].type.enumeration->enumerators[2].name, "Forest");
	assert_int_equal(info->params[3].type.width, 3);
	assert_true(info->params[3].colour && !info->params[4].colour && !info->params[4].ranged);
	assert_string_equal(info->outputs[0].doc, "The ground.");
	assert_true(info->outputs[0].high == FLT_MAX && info->outputs[0].low == -FLT_MAX);
	assert_int_equal(nz_find_param(program, "kind"), 2);
	assert_int_equal(nz_find_input(program, "wide"), 1);
	assert_int_equal(nz_find_output(program, "tinted"), 3);
	assert_int_equal(nz_find_output(program, "tint"), NZ_NOT_FOUND);
	assert_true(info->cost > 50);
	nz_free_program(program);
}

static float set_float(nz_evaluator *e, uint32_t index, float value)
{
	nz_word in[4] = { { .f = value } }, out[4];
	assert_int_equal(nz_set_param(e, index, in), NZ_OK);
	assert_int_equal(nz_get_param(e, index, out), NZ_OK);
	return out[0].f;
}

static int32_t set_int(nz_evaluator *e, uint32_t index, int32_t value)
{
	nz_word in[4] = { { .i = value } }, out[4];
	assert_int_equal(nz_set_param(e, index, in), NZ_OK);
	assert_int_equal(nz_get_param(e, index, out), NZ_OK);
	return out[0].i;
}

static void params_are_clamped(void **unused)
{
	(void)unused;
	nz_program *program = load(source);
	Room r = enter(program, 3);
	assert_true(set_float(r.evaluator, 0, -1.0f) == 0.5f);
	assert_true(set_float(r.evaluator, 0, 11.0f) == 10.0f);
	assert_true(set_float(r.evaluator, 0, 4.0f) == 4.0f);
	assert_true(set_float(r.evaluator, 0, NAN) == 0.5f);
	assert_true(set_float(r.evaluator, 0, INFINITY) == 10.0f);
	assert_true(set_float(r.evaluator, 4, 1e30f) == 1e30f);
	assert_int_equal(set_int(r.evaluator, 1, 7), 6);
	assert_int_equal(set_int(r.evaluator, 1, INT32_MIN), 0);
	assert_int_equal(set_int(r.evaluator, 2, 3), 2);
	assert_int_equal(set_int(r.evaluator, 2, -1), 0);
	assert_int_equal(nz_set_param(r.evaluator, 5, (nz_word[4]) { { 0 } }), NZ_ERROR_ARGUMENT);

	nz_value out[OUTPUTS];
	float p[2] = { 0.3f, 0.4f };
	assert_int_equal(nz_evaluate_point(r.evaluator, p, NULL, out), NZ_OK);
	assert_int_equal(out[2].word[0].i, 1);       /* kind is Ocean now */
	free(r.memory);
	nz_free_program(program);
}

static void seeds(void **unused)
{
	(void)unused;
	nz_program *program = load(source);
	Room r = enter(program, 1);
	nz_value out[OUTPUTS];
	float p[2] = { 0.3f, 0.4f };
	assert_int_equal(nz_stir_seed(0xffffffffu), 0xffffffffu);
	nz_set_seed(r.evaluator, 12345);
	assert_int_equal(nz_evaluate_point(r.evaluator, p, NULL, out), NZ_OK);
	assert_int_equal(out[4].word[0].u, nz_stir_seed(12345 | (uint64_t)7 << 32));         /* the library's stir(seed, 7) */
	nz_set_seed(r.evaluator, 12345 | (uint64_t)7 << 32);
	nz_value again[OUTPUTS];
	assert_int_equal(nz_evaluate_point(r.evaluator, p, NULL, again), NZ_OK);
	assert_int_not_equal(again[4].word[0].u, out[4].word[0].u);
	nz_set_seed(r.evaluator, out[4].word[0].u);
	assert_int_equal(nz_evaluate_point(r.evaluator, p, NULL, out), NZ_OK);
	assert_int_equal(again[4].word[0].u, out[4].word[0].u);
	free(r.memory);
	nz_free_program(program);
}

/* ---- memory ---- */

static int allocations;

static void *allocate(void *user, size_t size)
{
	allocations++;
	return *(bool *)user ? malloc(size) : NULL;
}

static void release(void *user, void *memory)
{
	(void)user;
	allocations--;
	free(memory);
}

static void memory(void **unused)
{
	(void)unused;
	Bytes b = compile(source);
	bool enough = false;
	nz_load_options options = { { allocate, release, &enough } };
	nz_program *program;
	nz_evaluator *e;
	assert_int_equal(nz_load_program(b.data, b.size, &(nz_load_options) { { allocate, NULL, &enough } }, &program, NULL), NZ_ERROR_ARGUMENT);
	assert_int_equal(nz_load_program(b.data, b.size, &(nz_load_options) { { NULL, release, &enough } }, &program, NULL), NZ_ERROR_ARGUMENT);
	allocations = 0;
	assert_int_equal(nz_load_program(b.data, b.size, &options, &program, NULL), NZ_ERROR_MEMORY);
	assert_null(program);
	enough = true;
	allocations = 0;
	assert_int_equal(nz_load_program(b.data, b.size, &options, &program, NULL), NZ_OK);
	assert_int_equal(allocations, 1);
	size_t size = nz_measure_evaluator(program, 16);
	char *room = malloc(size + 3);
	assert_int_equal(nz_place_evaluator(program, 16, room, size - 1, &e), NZ_ERROR_MEMORY);
	assert_int_equal(nz_place_evaluator(program, 16, room + 3, size, &e), NZ_OK);
	static Result r;
	set_samples();
	run_points(e, &r);
	assert_int_equal(nz_measure_evaluator(program, NZ_MAX_BLOCK + 1), 0);
	assert_int_equal(nz_place_evaluator(program, NZ_MAX_BLOCK + 1, room, size, &e), NZ_ERROR_ARGUMENT);
	free(room);
	nz_free_program(program);
	assert_int_equal(allocations, 0);
	nz_free_program(NULL);
	nz_free_module(b.module);
}

/* ---- hostile bytes: run with the sanitizers ---- */

static void prefixes_fail(void **unused)
{
	(void)unused;
	Bytes b = compile(source);
	for (size_t size = 0; size < b.size; size++) {
		char *copy = malloc(size + 1);
		nz_program *program;
		const char *why = NULL;
		memcpy(copy, b.data, size);
		copy = realloc(copy, size > 0 ? size : 1);      /* exact, so that reading on is seen */
		assert_int_equal(nz_load_program(copy, size, NULL, &program, &why), NZ_ERROR_PROGRAM);
		assert_non_null(why);
		free(copy);
	}
	nz_free_module(b.module);
}

static uint32_t draw(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*state >> 33);
}

/* A byte, a bit, or a word that becomes a small number or another word of the same program. */
static void mutate(unsigned char *bytes, size_t size, uint64_t *state)
{
	size_t word = draw(state) % (size / 4) * 4, from = draw(state) % (size / 4) * 4;
	unsigned char small[4] = { (unsigned char)(draw(state) % 80), 0, 0, 0 };
	switch (draw(state) % 4) {
	case 0: bytes[draw(state) % size] = (unsigned char)draw(state); break;
	case 1: bytes[draw(state) % size] ^= (unsigned char)(1u << draw(state) % 8); break;
	case 2: memcpy(bytes + word, small, 4); break;
	default: memmove(bytes + word, bytes + from, 4);
	}
}

static void mutations_are_harmless(void **unused)
{
	(void)unused;
	static Result r;
	Bytes b = compile(source);
	unsigned char *copy = malloc(b.size);
	uint64_t state = 1;
	int loaded = 0;
	set_samples();
	for (int i = 0; i < MUTATIONS; i++) {
		nz_program *program;
		memcpy(copy, b.data, b.size);
		for (uint32_t n = 1 + draw(&state) % 3; n > 0; n--)
			mutate(copy, b.size, &state);
		if (nz_load_program(copy, b.size, NULL, &program, NULL) != NZ_OK)
			continue;
		loaded++;
		const nz_program_info *info = nz_describe_program(program);
		if (info->cost < 100000) {
			nz_output_data outputs[OUTPUTS + 1];
			Room room = enter(program, 4);
			for (uint32_t k = 0; k < OUTPUTS; k++)
				for (int lane = 0; lane < 4; lane++)
					outputs[k].array[lane] = r.word[k][lane];
			const float *const many[4] = { xs, ys, xs, ys };
			assert_true(info->output_count <= OUTPUTS && info->input_count <= 2);
			assert_int_equal(nz_evaluate_points(room.evaluator, 6, many, inputs, outputs), NZ_OK);
			for (uint32_t k = 0; k < info->param_count; k++)
				assert_true(strlen(info->params[k].name) + strlen(info->params[k].doc) < b.size);
			free(room.memory);
		}
		nz_free_program(program);
	}
	assert_true(loaded > MUTATIONS / 100);
	print_message("%d of %d mutated programs loaded\n", loaded, MUTATIONS);
	free(copy);
	nz_free_module(b.module);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ways_agree), cmocka_unit_test(grids_in_parts), cmocka_unit_test(descriptions),
		cmocka_unit_test(params_are_clamped), cmocka_unit_test(seeds), cmocka_unit_test(memory),
		cmocka_unit_test(prefixes_fail), cmocka_unit_test(mutations_are_harmless),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
