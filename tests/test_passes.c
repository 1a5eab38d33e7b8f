/* Promise: no pass changes a number. Every example and a thousand programs that nobody wrote give the same bits
   with all passes, with none, and with each one left out, for params that take different branches; and what the
   passes are for is there: a lazy side is skipped, a lattice shared. The number of programs and the first one may
   be given in NOISE_PASSES_COUNT and NOISE_PASSES_FIRST. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "maker.h"
#include "noisec.h"
#include "noisert.h"

#if defined(__SANITIZE_ADDRESS__)
#define PROGRAMS 30
#else
#define PROGRAMS 1000
#endif

enum { POINTS = 200, WORDS = 64 };

typedef struct Answer { uint32_t word[WORDS * POINTS]; size_t words; } Answer;

static nz_module *compile(const char *name, const char *text, int optimise, const char *skip)
{
	nz_compile_options options = { .optimise = optimise, .skip_passes = skip };
	nz_module *m = NULL;
	if (nz_compile_module(name, text, strlen(text), &options, &m) != NZ_OK)
		fail_msg("%s\n%s\n%s", name, nz_get_diagnostics(m), text);
	return m;
}

static nz_program *load(nz_module *m)
{
	nz_emit_options options = { .target = "program" };
	const char *data, *why = NULL;
	size_t size;
	nz_program *program = NULL;
	assert_int_equal(nz_emit_target(m, &options, &data, &size), NZ_OK);
	if (nz_load_program(data, size, NULL, &program, &why) != NZ_OK)
		fail_msg("%s", why);
	return program;
}

static float coordinate(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return (float)(int32_t)(*state >> 8) / 65536.0f - 128.0f;
}

/* All outputs at POINTS positions, for two sets of params. */
static void answer(const char *name, const char *text, int optimise, const char *skip, Answer *a)
{
	nz_module *m = compile(name, text, optimise, skip);
	nz_program *program = load(m);
	const nz_program_info *info = nz_describe_program(program);
	size_t room = nz_measure_evaluator(program, 64);
	void *memory = malloc(room);
	nz_evaluator *e;
	float axis[4][POINTS];
	uint32_t state = 1;
	assert_int_equal(nz_place_evaluator(program, 64, memory, room, &e), NZ_OK);
	for (int x = 0; x < 4; x++)
		for (int i = 0; i < POINTS; i++)
			axis[x][i] = coordinate(&state);
	a->words = 0;
	for (int set = 0; set < 2; set++) {
		for (uint32_t k = 0; set == 1 && k < info->param_count; k++) {
			nz_word value[4] = { { .u = 0 } };
			memcpy(value, info->params[k].low, sizeof value);
			nz_set_param(e, k, value);
		}
		nz_output_data out[16];
		memset(out, 0, sizeof out);
		for (uint32_t k = 0; k < info->output_count; k++)
			for (uint32_t lane = 0; lane < info->outputs[k].type.width; lane++) {
				assert_true(k < 16 && (a->words + 1) <= WORDS);
				out[k].array[lane] = a->word + a->words++ * POINTS;
			}
		const float *const at[4] = { axis[0], axis[1], axis[2], axis[3] };
		assert_int_equal(nz_evaluate_points(e, POINTS, at, NULL, out), NZ_OK);
	}
	free(memory);
	nz_free_program(program);
	nz_free_module(m);
}

static bool same_word(uint32_t a, uint32_t b)
{
	return a == b || ((a | b) & 0x7fffffffu) == 0;          /* -0 may stand for 0 */
}

static size_t compare(const char *name, const char *way, const char *text, const Answer *want, const Answer *got)
{
	size_t differing = 0;
	assert_int_equal(want->words, got->words);
	for (size_t i = 0; i < want->words * POINTS; i++)
		differing += !same_word(want->word[i], got->word[i]);
	if (differing)
		print_error("%s, %s: %zu of %zu words differ\n%s\n", name, way, differing, want->words * POINTS, text);
	return differing;
}

/* With all passes against none, and against each left out. */
static size_t check(const char *name, const char *text, size_t *compared)
{
	static Answer want, got;
	size_t passes, differing;
	const nz_pass *pass = nz_list_passes(&passes);
	answer(name, text, 2, NULL, &want);
	answer(name, text, 1, NULL, &got);
	differing = compare(name, "-O0", text, &want, &got);
	for (size_t i = 0; i < passes; i++) {
		answer(name, text, 2, pass[i].name, &got);
		differing += compare(name, pass[i].name, text, &want, &got);
	}
	*compared += (passes + 1) * want.words * POINTS;
	return differing;
}

static char *read_text(const char *path)
{
	FILE *file = fopen(path, "rb");
	assert_non_null(file);
	char *text = calloc(1, 1 << 16);
	size_t n = fread(text, 1, (1 << 16) - 1, file);
	text[n] = '\0';
	fclose(file);
	return text;
}

static void every_example_gives_the_same_bits_without_any_pass(void **state)
{
	DIR *folder = opendir(EXAMPLES);
	size_t compared = 0, differing = 0;
	(void)state;
	assert_non_null(folder);
	for (struct dirent *entry; (entry = readdir(folder));) {
		char path[1024];
		size_t n = strlen(entry->d_name);
		if (n < 6 || strcmp(entry->d_name + n - 6, ".noise") != 0)
			continue;
		snprintf(path, sizeof path, "%s/%s", EXAMPLES, entry->d_name);
		char *text = read_text(path);
		differing += check(entry->d_name, text, &compared);
		free(text);
	}
	closedir(folder);
	printf("passes: examples: %zu words compared, %zu differing\n", compared, differing);
	assert_true(compared > 0);
	assert_int_equal(differing, 0);
}

static void random_programs_give_the_same_bits_without_any_pass(void **state)
{
	static Maker maker;
	const char *from = getenv("NOISE_PASSES_FIRST"), *many = getenv("NOISE_PASSES_COUNT");
	uint32_t first = from ? (uint32_t)strtoul(from, NULL, 10) : 1, count = many ? (uint32_t)strtoul(many, NULL, 10) : PROGRAMS;
	size_t compared = 0, differing = 0;
	(void)state;
	for (uint32_t i = first; i < first + count; i++) {
		char name[32];
		snprintf(name, sizeof name, "random %u", i);
		differing += check(name, make_program(&maker, i), &compared);
	}
	printf("passes: %u random programs: %zu words compared, %zu differing\n", count, compared, differing);
	assert_int_equal(differing, 0);
}

/* Ranges touch, overlap by a little, or lie apart: a comparison is decided where they allow, and only there. */
static void comparisons_are_decided_only_where_ranges_allow(void **state)
{
	static const char *const sign[] = { "<", "<=", ">", ">=", "==", "!=" };
	size_t compared = 0, differing = 0;
	(void)state;
	for (size_t i = 0; i < sizeof sign / sizeof *sign; i++) {
		char text[1024];
		const char *s = sign[i];
		snprintf(text, sizeof text,
			"node x = saturate(p.x)\nnode n: int = int(p.y) & 3\n"
			"output a: bool = x %s 0\noutput b: bool = x %s 1\noutput c: bool = x %s 0.7\noutput d: bool = 0.3 %s x\n"
			"output e: bool = x %s -1\noutput f: bool = n %s 0\noutput g: bool = n %s 3\noutput h: bool = n %s 2\n"
			"output i: bool = 4 %s n\noutput j: bool = uint(n) %s 1u\noutput k: bool = p.x %s p.x\noutput l: bool = x + 1 %s 1\n",
			s, s, s, s, s, s, s, s, s, s, s, s);
		differing += check(s, text, &compared);
	}
	assert_true(compared > 0);
	assert_int_equal(differing, 0);
}

static size_t count_in(const char *text, const char *program, const char *skip)
{
	nz_module *m = compile("counted", program, 2, skip);
	const char *data;
	size_t size, n = 0;
	assert_int_equal(nz_dump_stage(m, "program", "program", &data, &size), NZ_OK);
	for (const char *at = data; (at = strstr(at, text)); at += strlen(text))
		n++;
	nz_free_module(m);
	return n;
}

static void six_biomes_do_not_cost_six(void **state)
{
	const char *program =
		"enum Biome { A, B, C, D, E, F }\nparam biome: Biome = Biome.A\n"
		"output h = match biome { A: perlin() |> octaves(5), B: simplex() |> octaves(5), C: value() |> octaves(4),\n"
		"  D: worley(), E: perlin(seed: 4) |> octaves(3), else: simplex(seed: 9) }\n";
	(void)state;
	assert_true(count_in("  where", program, NULL) >= 5);
	assert_int_equal(count_in("  where", program, "lazy"), 0);
}

static void noises_that_differ_in_their_seeds_share_a_lattice(void **state)
{
	const char *fractal = "node n = perlin() |> octaves(4)\noutput v: vec2 = vec2(n, reseed(n, 1))\n";
	const char *apart = "node n = perlin()\noutput v: vec2 = p.x < 0 ? vec2(n @ (p * 2), 0) : vec2(reseed(n, 1) @ (p * 2), 1)\n";
	(void)state;
	/* the fractions of a lattice cell: one floor for each of its axes, and those of the octaves' offsets */
	assert_int_equal(count_in("FFLOOR", fractal, NULL), 4);
	assert_int_equal(count_in("Pair", fractal, NULL) > 0, 1);
	assert_int_equal(count_in("Pair", fractal, "share"), 0);
	/* on two sides of a choice they stay apart: sharing would compute both */
	assert_int_equal(count_in("Pair", apart, NULL), 0);
}

static void an_unknown_pass_is_an_error_of_use(void **state)
{
	nz_compile_options options = { .skip_passes = "inline,inlin" };
	nz_module *m = NULL;
	(void)state;
	assert_int_equal(nz_compile_module("x", "output a = p.x", 14, &options, &m), NZ_ERROR_ARGUMENT);
	assert_non_null(strstr(nz_get_diagnostics(m), "no pass 'inlin'"));
	nz_free_module(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_example_gives_the_same_bits_without_any_pass),
		cmocka_unit_test(random_programs_give_the_same_bits_without_any_pass),
		cmocka_unit_test(comparisons_are_decided_only_where_ranges_allow),
		cmocka_unit_test(six_biomes_do_not_cost_six),
		cmocka_unit_test(noises_that_differ_in_their_seeds_share_a_lattice),
		cmocka_unit_test(an_unknown_pass_is_an_error_of_use)
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
