/* Promise: nothing is global. Threads that compile at the same time get, byte for byte, what one alone gets, and
   threads that share a program, each with an evaluator of its own, compute the same bits. */
#include <dirent.h>
#include <pthread.h>
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

enum { MOST = 64, THREADS = 4, SIDE = 48 };

typedef struct Example { char *name, *text; size_t size; } Example;
typedef struct Product { char *shader, *program, *messages; size_t shader_size, program_size; } Product;

static Example example[MOST];
static Product expected[MOST];
static int examples;

static char *copy_of(const char *data, size_t size)
{
	char *copy = malloc(size + 1);
	if (copy == NULL)
		abort();
	memcpy(copy, data, size);
	copy[size] = '\0';
	return copy;
}

static bool make(const Example *e, Product *out)
{
	nz_module *m;
	const char *data;
	bool fine = nz_compile_module(e->name, e->text, e->size, NULL, &m) != NZ_ERROR_MEMORY;
	*out = (Product) { 0 };
	out->messages = copy_of(nz_get_diagnostics(m), strlen(nz_get_diagnostics(m)));
	nz_emit_target(m, &(nz_emit_options) { .entry = NZ_ENTRY_COMPUTE }, &data, &out->shader_size);
	out->shader = copy_of(data, out->shader_size);
	nz_emit_target(m, &(nz_emit_options) { .target = "program" }, &data, &out->program_size);
	out->program = copy_of(data, out->program_size);
	nz_free_module(m);
	return fine;
}

static void drop(Product *p)
{
	free(p->shader);
	free(p->program);
	free(p->messages);
}

static bool same(const Product *a, const Product *b)
{
	return a->shader_size == b->shader_size && memcmp(a->shader, b->shader, a->shader_size) == 0
		&& a->program_size == b->program_size && memcmp(a->program, b->program, a->program_size) == 0
		&& strcmp(a->messages, b->messages) == 0;
}

static void add_example(const char *name, const char *text, size_t size)
{
	assert_true(examples < MOST);
	example[examples++] = (Example) { copy_of(name, strlen(name)), copy_of(text, size), size };
}

static int read_examples(void **state)
{
	DIR *folder = opendir(EXAMPLES);
	static char text[1 << 16];
	(void)state;
	if (folder == NULL)
		return -1;
	for (struct dirent *d; (d = readdir(folder)) != NULL; ) {
		char path[1024];
		size_t length = strlen(d->d_name);
		if (length < 6 || strcmp(d->d_name + length - 6, ".noise") != 0)
			continue;
		snprintf(path, sizeof path, "%s/%s", EXAMPLES, d->d_name);
		FILE *f = fopen(path, "rb");
		if (f == NULL)
			return -1;
		size_t size = fread(text, 1, sizeof text, f);
		fclose(f);
		add_example(d->d_name, text, size);
	}
	closedir(folder);
	static const char wrong[] = "node a = perlim()\noutput b: vec3 = a + vec2(1, 2)\noutput c = perlin(p * 4) && 1\n";
	add_example("wrong.noise", wrong, sizeof wrong - 1);
	for (int i = 0; i < examples; i++)
		if (!make(&example[i], &expected[i]))
			return -1;
	return 0;
}

static int drop_examples(void **state)
{
	(void)state;
	for (int i = 0; i < examples; i++) {
		drop(&expected[i]);
		free(example[i].name);
		free(example[i].text);
	}
	return 0;
}

typedef struct Job {
	pthread_t thread;
	int number, wrong;
	const nz_program *program;
	const float *heights;
} Job;

static void run_jobs(Job *job, void *(*work)(void *))
{
	for (int i = 0; i < THREADS; i++) {
		job[i].number = i;
		assert_int_equal(pthread_create(&job[i].thread, NULL, work, &job[i]), 0);
	}
	for (int i = 0; i < THREADS; i++) {
		assert_int_equal(pthread_join(job[i].thread, NULL), 0);
		assert_int_equal(job[i].wrong, 0);
	}
}

/* Each thread begins elsewhere, so that different files meet. */
static void *compile_all(void *of)
{
	Job *job = of;
	for (int i = 0; i < examples; i++) {
		int at = (i + job->number * examples / THREADS) % examples;
		Product p;
		if (!make(&example[at], &p) || !same(&p, &expected[at]))
			job->wrong++;
		drop(&p);
	}
	return NULL;
}

static void threads_compile_the_same(void **state)
{
	Job job[THREADS] = { { 0 } };
	(void)state;
	assert_true(examples > 5 && expected[examples - 1].messages[0] != '\0');
	run_jobs(job, compile_all);
}

static bool fill_heights(const nz_program *program, uint32_t block, uint32_t first, uint32_t rows, float *heights)
{
	size_t size = nz_measure_evaluator(program, block);
	void *memory = malloc(size);
	nz_evaluator *e;
	nz_output_data out[8] = { { .array = { heights } } };
	nz_grid grid = { .step = { 31, 17 }, .first = { 0, first }, .size = { SIDE, rows } };
	bool fine = memory != NULL && nz_place_evaluator(program, block, memory, size, &e) == NZ_OK;
	if (fine) {
		nz_set_seed(e, 42);
		fine = nz_evaluate_grid(e, &grid, NULL, out) == NZ_OK;
	}
	free(memory);
	return fine;
}

static void *evaluate_a_part(void *of)
{
	Job *job = of;
	static const uint32_t blocks[THREADS] = { 1, 0, 37, NZ_MAX_BLOCK };
	enum { ROWS = SIDE / THREADS };
	uint32_t first = (uint32_t)job->number * ROWS;
	float heights[SIDE * ROWS];
	if (!fill_heights(job->program, blocks[job->number], first, ROWS, heights))
		job->wrong++;
	job->wrong += memcmp(heights, job->heights + first * SIDE, sizeof heights) != 0;
	return NULL;
}

static void threads_share_a_program(void **state)
{
	Job job[THREADS] = { { 0 } };
	static float whole[SIDE * SIDE];
	int at = 0;
	nz_program *program;
	(void)state;
	while (at < examples && strcmp(example[at].name, "mountains.noise") != 0)
		at++;
	assert_true(at < examples);
	assert_int_equal(nz_load_program(expected[at].program, expected[at].program_size, NULL, &program, NULL), NZ_OK);
	assert_true(nz_describe_program(program)->output_count <= 8);
	assert_true(fill_heights(program, 0, 0, SIDE, whole));
	for (int i = 0; i < THREADS; i++) {
		job[i].program = program;
		job[i].heights = whole;
	}
	run_jobs(job, evaluate_a_part);
	nz_free_program(program);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(threads_compile_the_same), cmocka_unit_test(threads_share_a_program) };
	return cmocka_run_group_tests(tests, read_examples, drop_examples);
}
