/* How long compiling takes: the stages of one file of thirty nodes, and how families of programs grow.
   Prints tables and judges nothing; `bench_compile SHAPE [COUNT…]` measures one family alone. Every growing
   case runs in a process of its own, which has two minutes and 8 GB. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cc.h"
#include "scale.h"

enum { REPEATS = 200, SECONDS = 120 };

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return x < y ? -1 : x > y;
}

/* ---- one file ---- */

typedef struct Subject { const char *name, *text; size_t size; } Subject;

static void run_library(const Subject *s)
{
	Arena *arena = arena_new();
	if (!arena || setjmp(*arena_guard(arena)))
		exit(3);
	Diagnostics diag = { .arena = arena };
	Scope scope;
	(void)s;
	compile_library(arena, &diag, &scope);
	arena_free(arena);
}

static int is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

/* Every word of the file is looked up, which reads those that are names of the library. */
static void run_needed_library(const Subject *s)
{
	Arena *arena = arena_new();
	if (!arena || setjmp(*arena_guard(arena)))
		exit(3);
	Diagnostics diag = { .arena = arena };
	Scope scope;
	library_open(arena, &diag, &scope);
	for (const char *at = s->text, *end = at + s->size; at < end; at++) {
		const char *start = at;
		while (at < end && is_letter(*at))
			at++;
		if (at > start)
			scope_find(&scope, arena_intern(arena, start, (size_t)(at - start)));
	}
	arena_free(arena);
}

static void run_module(const Subject *s, int optimise, const char *target)
{
	nz_module *module;
	const char *data;
	size_t size;
	nz_compile_options options = { .optimise = optimise };
	nz_emit_options emit = { .target = target };
	if (nz_compile_module(s->name, s->text, s->size, &options, &module) != NZ_OK || (target && nz_emit_target(module, &emit, &data, &size) != NZ_OK)) {
		fputs(nz_get_diagnostics(module), stderr);
		exit(1);
	}
	nz_free_module(module);
}

static void run_checked(const Subject *s) { run_module(s, 1, NULL); }
static void run_optimised(const Subject *s) { run_module(s, 2, NULL); }
static void run_glsl(const Subject *s) { run_module(s, 2, "glsl"); }
static void run_program(const Subject *s) { run_module(s, 2, "program"); }

static void measure_file(const Subject *s)
{
	static const struct { const char *what; void (*run)(const Subject *); } stage[] = {
		{ "the whole library, parsed and checked", run_library },
		{ "the part of the library that the file needs", run_needed_library },
		{ "file parsed, checked and lowered (-O0)", run_checked },
		{ "the same with its passes (-O2)", run_optimised },
		{ "the same, and written for the runtime", run_program },
		{ "or printed as GLSL", run_glsl },
	};
	printf("%s, %zu bytes; each line contains those before it                       least    median\n", s->name, s->size);
	for (size_t i = 0; i < sizeof stage / sizeof *stage; i++) {
		static double time[REPEATS];
		for (int k = 0; k < REPEATS; k++) {
			double start = now();
			stage[i].run(s);
			time[k] = now() - start;
		}
		qsort(time, REPEATS, sizeof *time, compare);
		printf("  %-68s %7.2f   %7.2f ms\n", stage[i].what, time[0], time[REPEATS / 2]);
	}
}

static char *read_file(const char *path, size_t *size)
{
	FILE *file = fopen(path, "rb");
	char *text = NULL;
	long length;
	if (!file || fseek(file, 0, SEEK_END) || (length = ftell(file)) < 0 || fseek(file, 0, SEEK_SET)
	    || !(text = malloc((size_t)length + 1)) || fread(text, 1, (size_t)length, file) != (size_t)length) {
		perror(path);
		exit(3);
	}
	*size = (size_t)length;
	fclose(file);
	return text;
}

/* ---- growing ---- */

typedef struct Growth { double check, glsl; size_t size, emitted; char message[200]; } Growth;

static Growth grow(const Shape *shape, size_t count)
{
	Growth g = { 0 };
	char *text = shape->make(count, &g.size);
	nz_module *module;
	const char *data;
	double start = now();
	nz_status status = nz_compile_module("grown.noise", text, g.size, NULL, &module);
	g.check = now() - start;
	if (status == NZ_OK)
		status = nz_emit_target(module, NULL, &data, &g.emitted);
	g.glsl = now() - start;
	if (status != NZ_OK)
		snprintf(g.message, sizeof g.message, "%d errors: %.*s", nz_count_errors(module), (int)strcspn(nz_get_diagnostics(module), "\n"), nz_get_diagnostics(module));
	nz_free_module(module);
	free(text);
	return g;
}

/* Prints a line; false if the case was stopped. */
static int grow_apart(const Shape *shape, size_t count)
{
	int pipes[2];
	Growth g;
	if (pipe(pipes))
		exit(3);
	fflush(stdout);
	pid_t child = fork();
	if (child < 0)
		exit(3);
	if (child == 0) {
		struct rlimit room = { (rlim_t)8 << 30, (rlim_t)8 << 30 };
		setrlimit(RLIMIT_AS, &room);
		alarm(SECONDS);
		g = grow(shape, count);
		if (write(pipes[1], &g, sizeof g) != sizeof g)
			_exit(3);
		_exit(0);
	}
	close(pipes[1]);
	int whole = read(pipes[0], &g, sizeof g) == sizeof g;
	close(pipes[0]);
	int status;
	struct rusage used;
	wait4(child, &status, 0, &used);
	if (!whole)
		printf("  %9zu  stopped by signal %d (%d is the time limit)\n", count, WIFSIGNALED(status) ? WTERMSIG(status) : 0, SIGALRM);
	else
		printf("  %9zu %9.2f MB %10.1f %10.1f ms %9.2f us each %9.1f MB  %s\n", count, (double)g.size / 1e6, g.check, g.glsl,
			g.glsl * 1e3 / (double)count, (double)used.ru_maxrss / 1024, g.message);
	return whole;
}

static void measure_growth(const Shape *shape, const size_t *counts, size_t n)
{
	printf("%s: %s\n      count       text      check   and GLSL                        memory\n", shape->name, shape->what);
	for (size_t i = 0; i < n && grow_apart(shape, counts[i]); i++)
		;
}

static int is_named(const Shape *shape, int argc, char **argv)
{
	return argc < 2 || !strcmp(argv[1], "all") || !strcmp(argv[1], shape->name);
}

int main(int argc, char **argv)
{
	static const size_t large[] = { 1000, 2000, 5000, 10000, 20000, 40000, 80000 }, deep[] = { 100, 200, 500, 1000, 10000, 100000 };
	size_t chosen[16], n = 0;
	for (int i = 2; i < argc && n < 16; i++)
		chosen[n++] = strtoull(argv[i], NULL, 10);
	if (argc < 2 || !strcmp(argv[1], "file")) {
		Subject s = { .name = argc > 2 ? argv[2] : TESTS "/thirty.noise" };
		s.text = read_file(s.name, &s.size);
		measure_file(&s);
	}
	for (size_t i = 0; i < scale_shape_count; i++)
		if (is_named(&scale_shapes[i], argc, argv))
			measure_growth(&scale_shapes[i], n ? chosen : large, n ? n : sizeof large / sizeof *large);
	for (size_t i = 0; i < scale_nest_count; i++)
		if (argc > 1 && is_named(&scale_nests[i], argc, argv))
			measure_growth(&scale_nests[i], n ? chosen : deep, n ? n : sizeof deep / sizeof *deep);
	return 0;
}
