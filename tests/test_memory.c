/* Promise: every byte of the library comes from the caller's allocator, goes back to it, and where there is none
   the answer is NZ_ERROR_MEMORY and nothing worse. Each allocation is failed in turn, in the chunks that are
   shipped and in small ones, which fail in the middle of everything. The sanitizers watch. */
#include <stdarg.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "noisec.h"
#include "noisert.h"

/* ---- an allocator that fails once, or from some call on ---- */

typedef struct Purse {
	long calls, fail_at;                    /* fail_at < 0: never */
	bool for_good;                          /* not only once */
	long held;
} Purse;

static void *allocate(void *user, size_t size)
{
	Purse *purse = user;
	long call = purse->calls++;
	if (purse->fail_at >= 0 && (purse->for_good ? call >= purse->fail_at : call == purse->fail_at))
		return NULL;
	void *memory = malloc(size);
	assert_non_null(memory);
	memset(memory, 0xa5, size);             /* the library may not count on zeros */
	purse->held++;
	return memory;
}

static void release(void *user, void *memory)
{
	Purse *purse = user;
	assert_non_null(memory);
	purse->held--;
	free(memory);
}

/* ---- what is done ---- */

static const char good[] =
	"/// Where one lives.\n"
	"enum Biome {\n  /// Salt.\n  Ocean, Beach, Forest }\n"
	"const SIZE = 3\n"
	"/// Metres.\nparam feature = 64 in 1 .. 1000\n"
	"param kind: Biome = Beach\n"
	"param tint = #3a7d44\n"
	"input wet: float in 0 .. 1\n"
	"fn ridge(n, k = 2.0 in 1 .. 8) = 1 - abs(n) * k\n"
	"node base = perlin() |> octaves(4)\n"
	"node cells = worley()\n"
	"/// The ground.\n"
	"output height = ridge(base |> warp(cells, 0.3)) |> scale(1 / feature)\n"
	"output steep: bool = height > 0.25 and wet < 0.5\n"
	"output biome: Biome = match kind { Ocean: Beach, else: Forest }\n"
	"output colour: vec3 = tint * (height / SIZE + wet)\n";

static const char bad[] =
	"node a = perlim()\n"
	"output b: vec3 = a + vec2(1, 2)\n"
	"output c = perlin(p * 4) && 1\n"
	"param d = = 3\n"
	"fn e(x) = e(x)\n"
	"node a = 3\n";

typedef struct Work {
	const char *text;
	int optimise;
	const char *target, *stage, *preview;
	nz_entry entry;
	const char *define, *describe;
} Work;

static const Work works[] = {
	{ .text = good }, { .text = good, .target = "glsl" }, { .text = good, .target = "program", .define = "4 + 1" },
	{ .text = good, .target = "glsl", .optimise = 1 }, { .text = good, .target = "program", .optimise = 1 },
	{ .text = good, .target = "glsl", .entry = NZ_ENTRY_FRAGMENT }, { .text = good, .target = "glsl", .entry = NZ_ENTRY_COMPUTE },
	{ .text = good, .target = "none" }, { .text = good, .target = "glsl", .preview = "base" },
	{ .text = good, .stage = "ast" }, { .text = good, .stage = "ir" }, { .text = good, .stage = "opt" },
	{ .text = good, .stage = "program" }, { .text = good, .stage = "none" },
	{ .text = bad }, { .text = bad, .stage = "ast" }, { .text = good, .define = "(" }, { .text = good, .preview = "nobody" },
	{ .text = good, .describe = "worley" }, { .text = bad, .describe = "nobody" },
};
enum { WORKS = sizeof works / sizeof *works };

typedef struct Answer {
	nz_status compiled, given;
	char *messages, *data;                  /* copies */
	size_t size;
} Answer;

static char *copy_of(const char *data, size_t size)
{
	char *copy = malloc(size + 1);
	assert_non_null(copy);
	memcpy(copy, data, size);
	copy[size] = '\0';
	return copy;
}

/* Does one work and reads everything that it may read, so that the sanitizers see what does not hold. */
static Answer do_work(const Work *w, Purse *purse)
{
	nz_define define = { "SIZE", w->define };
	nz_compile_options options = { .optimise = w->optimise, .preview_node = w->preview, .defines = &define, .define_count = w->define != NULL,
		.memory = { allocate, release, purse } };
	nz_module *m = (nz_module *)(void *)purse;
	Answer a = { 0 };
	a.compiled = nz_compile_module("dir/world.noise", w->text, strlen(w->text), &options, &m);
	assert_int_equal(a.compiled == NZ_ERROR_MEMORY || m != NULL, 1);
	const char *before = nz_get_diagnostics(m), *data = NULL;
	a.messages = copy_of(before, strlen(before));
	assert_int_equal(nz_count_errors(m) > 0, a.compiled != NZ_OK);
	assert_true(nz_count_warnings(m) >= 0);
	if (m != NULL && w->stage != NULL)
		a.given = nz_dump_stage(m, w->stage, NULL, &data, &a.size);
	else if (m != NULL && w->describe != NULL)
		a.given = nz_describe_library(m, &(nz_describe_options) { .name = w->describe }, &data, &a.size);
	else if (m != NULL && w->target != NULL)
		a.given = nz_emit_target(m, &(nz_emit_options) { .target = w->target, .entry = w->entry }, &data, &a.size);
	if (data != NULL)
		a.data = copy_of(data, a.size);
	assert_true(strlen(nz_get_diagnostics(m)) + strlen(before) < 100000);
	if (a.compiled == NZ_ERROR_MEMORY || a.given == NZ_ERROR_MEMORY) {
		assert_string_equal(nz_get_diagnostics(m), "noisec: out of memory\n");
		assert_int_equal(nz_count_errors(m), 1);
		if (m != NULL) {                        /* and it stays so, whatever there is now */
			purse->fail_at = -1;
			assert_int_equal(nz_emit_target(m, NULL, &data, &a.size), NZ_ERROR_MEMORY);
			assert_int_equal(nz_dump_stage(m, "ast", NULL, &data, &a.size), NZ_ERROR_MEMORY);
			assert_int_equal(nz_describe_library(m, NULL, &data, &a.size), NZ_ERROR_MEMORY);
		}
	}
	nz_free_module(m);
	return a;
}

static void drop(Answer *a)
{
	free(a->messages);
	free(a->data);
}

static void fails_well(const Work *w, long fail_at, bool for_good)
{
	Purse purse = { .fail_at = fail_at, .for_good = for_good };
	Answer a = do_work(w, &purse);
	if (a.compiled != NZ_ERROR_MEMORY && a.given != NZ_ERROR_MEMORY)
		fail_msg("work %d: allocation %ld failed and nobody noticed", (int)(w - works), fail_at);
	assert_int_equal(purse.held, 0);
	drop(&a);
}

static void every_allocation_may_fail(void **state)
{
	long failed = 0;
	(void)state;
	for (const Work *w = works; w < works + WORKS; w++) {
		Purse purse = { .fail_at = -1 };
		Answer a = do_work(w, &purse);
		long calls = purse.calls, step = calls > 200 ? calls / 40 + 1 : 1;
		assert_int_equal(purse.held, 0);
		assert_true(calls > 1);
		assert_true(a.compiled != NZ_ERROR_MEMORY && a.compiled != NZ_ERROR_INTERNAL && a.given != NZ_ERROR_INTERNAL);
		for (long i = 0; i < calls; i += i < 8 ? 1 : step, failed += 2) {
			fails_well(w, i, false);
			fails_well(w, i, true);
		}
		fails_well(w, calls - 1, true);
		drop(&a);
	}
	printf("%ld allocations failed in turn\n", failed);
}

static void a_caller_can_go_on_after_a_failure(void **state)
{
	Purse rich = { .fail_at = -1 }, poor = { .fail_at = 2, .for_good = true };
	(void)state;
	Answer first = do_work(&works[1], &rich), none = do_work(&works[1], &poor), second = do_work(&works[1], &rich);
	assert_int_equal(none.compiled, NZ_ERROR_MEMORY);
	assert_int_equal(first.given, NZ_OK);
	assert_string_equal(first.data, second.data);
	drop(&first);
	drop(&none);
	drop(&second);
}

static void the_runtime_asks_once_and_then_never(void **state)
{
	Purse purse = { .fail_at = 0 };
	nz_module *m;
	nz_program *program;
	nz_evaluator *evaluator;
	const char *data;
	size_t size;
	(void)state;
	assert_int_equal(nz_compile_module("w.noise", good, sizeof good - 1, NULL, &m), NZ_OK);
	assert_int_equal(nz_emit_target(m, &(nz_emit_options) { .target = "program" }, &data, &size), NZ_OK);
	nz_load_options options = { .memory = { allocate, release, &purse } };
	assert_int_equal(nz_load_program(data, size, &options, &program, NULL), NZ_ERROR_MEMORY);
	assert_null(program);
	purse = (Purse) { .fail_at = 1, .for_good = true };
	assert_int_equal(nz_load_program(data, size, &options, &program, NULL), NZ_OK);
	nz_free_module(m);                      /* a program keeps nothing of the module */
	size_t room = nz_measure_evaluator(program, 16);
	void *memory = malloc(room);
	assert_int_equal(nz_place_evaluator(program, 16, memory, room, &evaluator), NZ_OK);
	float height[35];
	nz_grid grid = { .step = { 1, 1 }, .size = { 7, 5 } };
	nz_output_data outputs[4] = { { .array = { height } } };
	assert_int_equal(nz_evaluate_grid(evaluator, &grid, NULL, outputs), NZ_OK);
	assert_int_equal(purse.calls, 1);
	free(memory);
	nz_free_program(program);
	assert_int_equal(purse.held, 0);
}

static void one_function_alone_is_no_allocator(void **state)
{
	nz_module *m;
	(void)state;
	assert_int_equal(nz_compile_module("w", "", 0, &(nz_compile_options) { .memory = { .allocate = allocate } }, &m), NZ_ERROR_ARGUMENT);
	assert_null(m);
	assert_int_equal(nz_compile_module("w", "", 0, &(nz_compile_options) { .memory = { .release = release } }, &m), NZ_ERROR_ARGUMENT);
	assert_null(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_allocation_may_fail), cmocka_unit_test(a_caller_can_go_on_after_a_failure),
		cmocka_unit_test(the_runtime_asks_once_and_then_never), cmocka_unit_test(one_function_alone_is_no_allocator),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
