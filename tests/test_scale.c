/* What a user may count on however large, deep or broken a file is: a result, or one error with its place,
   soon and in bounded memory. bench_compile measures the same programs; here they are judged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include <cmocka.h>

#include "cc.h"
#include "scale.h"

/* The sanitizers slow everything down and multiply memory. */
#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

enum { LARGE = SANITIZED ? 2000 : 10000, SECONDS = 300 };

/* Compiles, and emits for both kinds of target. Returns how many errors there were; the first line of messages is left in `first`. */
static int compile_text(const char *text, size_t size, char first[200])
{
	nz_module *module;
	const char *data;
	size_t bytes;
	nz_status status = nz_compile_module("grown.noise", text, size, NULL, &module);
	const char *said = nz_get_diagnostics(module);
	snprintf(first, 200, "%.*s", (int)strcspn(said, "\n"), said);
	int errors = nz_count_errors(module);
	assert_true((status == NZ_OK) == (errors == 0));
	assert_int_not_equal(status, NZ_ERROR_MEMORY);
	assert_int_not_equal(status, NZ_ERROR_INTERNAL);
	for (int k = 0; k < 2 && status == NZ_OK; k++) {
		nz_emit_options options = { .target = k ? "program" : "glsl" };
		assert_int_equal(nz_emit_target(module, &options, &data, &bytes), NZ_OK);
		assert_true(bytes > 0);
	}
	assert_true(strlen(said) < 1000000);    /* however many mistakes: what is printed stays readable */
	nz_free_module(module);
	return errors;
}

static int compile_shape(const Shape *shape, size_t count, char first[200])
{
	size_t size;
	char *text = shape->make(count, &size);
	int errors = compile_text(text, size, first);
	free(text);
	return errors;
}

/* Ten thousand of anything is a result, unless a limit of the language stands against it: then one error names it. */
static void large_counts_give_results(void **state)
{
	static const struct { const char *shape, *code; } limited[] = {
		{ "params", "N0408" },          /* one field, and more than 255 values */
		{ "functions", "N0405" }, { "locals", "N0405" },
	};
	(void)state;
	for (size_t i = 0; i < scale_shape_count; i++) {
		char first[200];
		const char *code = NULL;
		for (size_t k = 0; k < sizeof limited / sizeof *limited; k++)
			if (!strcmp(limited[k].shape, scale_shapes[i].name))
				code = limited[k].code;
		int errors = compile_shape(&scale_shapes[i], LARGE, first);
		if (errors != (code != NULL) || (code && !strstr(first, code)))
			fail_msg("%s: %d errors: %s", scale_shapes[i].name, errors, first);
	}
}

/* An expression inside itself: a few hundred levels of the plain kinds are a result, and any number of any kind
   is one or is one error that names its place. */
static void deep_nesting_gives_a_result_or_one_error(void **state)
{
	static const size_t depths[] = { 50, 500, 1000, 20000 };
	static const char *const wrong[] = { "minus", "brackets", "braces", "units", NULL };   /* at any depth */
	(void)state;
	for (size_t i = 0; i < scale_nest_count; i++)
		for (size_t k = 0; k < sizeof depths / sizeof *depths; k++) {
			char first[200];
			bool fine = true;
			int errors = compile_shape(&scale_nests[i], depths[k], first);
			for (const char *const *w = wrong; *w; w++)
				fine = fine && strcmp(*w, scale_nests[i].name);
			if (errors > 1 || (errors && strncmp(first, "grown.noise:", 12)) || (errors && fine && depths[k] == 50))
				fail_msg("%s, %zu deep: %d errors: %s", scale_nests[i].name, depths[k], errors, first);
		}
}

static uint64_t next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Bytes of any kind, and words of the language in any order: never a crash, and a message where there is a mistake. */
static void random_bytes_give_messages(void **state)
{
	static const char *const words[] = {
		"node ", "output ", "param ", "fn ", "enum ", "fold ", "match ", "in ", "then ", "return ", "x", "n1 ", "perlin()", "p", " = ", "(", ")", "{", "}",
		"[", "]", ":", ",", "..", "|> ", "@ ", "+ ", "-", "* ", "? ", "1", "0.5 ", "#fff", "#1a2b3c ", "\"a\" ", "// c\n", "/// d\n", "/* ", "*/", "\n", "\t", "\xc3\xa9", "\xff", "and ", "domain vec3\n"
	};
	uint64_t seed = 88172645463325252u;
	(void)state;
	for (int round = 0; round < 60; round++) {
		size_t room = round < 50 ? 3000 : SANITIZED ? 100000 : 1000000, size = 0;
		char *text = malloc(room + 32), first[200];
		assert_non_null(text);
		while (size < room)
			if (round % 2) {
				const char *word = words[next(&seed) % (sizeof words / sizeof *words)];
				memcpy(text + size, word, strlen(word));
				size += strlen(word);
			} else {
				text[size++] = (char)(next(&seed) >> 32);
			}
		int errors = compile_text(text, size, first);
		assert_true(errors > 0);
		assert_true(strlen(first) > 0);
		free(text);
	}
}

/* A good file that is cut or damaged somewhere: a result or messages. */
static void damaged_files_give_a_result_or_messages(void **state)
{
	FILE *file = fopen(TESTS "/thirty.noise", "rb");
	char whole[8192], text[8192], first[200];
	uint64_t seed = 362436069u;
	(void)state;
	assert_non_null(file);
	size_t size = fread(whole, 1, sizeof whole, file);
	fclose(file);
	assert_true(size > 1000 && size < sizeof whole);
	assert_int_equal(compile_text(whole, size, first), 0);
	for (int round = 0; round < (SANITIZED ? 60 : 300); round++) {
		size_t n = size;
		memcpy(text, whole, size);
		if (round % 3 == 0)
			n = next(&seed) % size;
		for (int k = 0; k < round % 4; k++)
			text[next(&seed) % size] = round % 2 ? (char)next(&seed) : whole[next(&seed) % size];
		if (compile_text(text, n, first) > 0)
			assert_true(strlen(first) > 0);
	}
}

/* Every line a mistake: all are counted, some are told, and the work stays in proportion. */
static void many_mistakes_stay_cheap(void **state)
{
	static const char *const lines[] = {
		"output h%d = nope%d + 1\n", "output h%d = p.x and %d\n", "node n%d = p.x +* %d\n", "output h = p.x * %d.%d\n", "node n%d = 1.5 @ (p * %d)\noutput h = 1.0\n"
	};
	(void)state;
	for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
		size_t size = 0;
		char *text = malloc((size_t)LARGE * 64), first[200];
		assert_non_null(text);
		for (int i = 0; i < LARGE; i++)
			size += (size_t)snprintf(text + size, 64, lines[k], i, i);
		int errors = compile_text(text, size, first);
		if (errors < LARGE - 1)
			fail_msg("%s: %d errors: %s", lines[k], errors, first);
		free(text);
	}
}

/* Fifty megabytes of comments are read in passing. */
static void a_very_large_file_is_read(void **state)
{
	char first[200];
	(void)state;
	for (size_t i = 0; i < scale_shape_count; i++)
		if (!strcmp(scale_shapes[i].name, "comments"))
			assert_int_equal(compile_shape(&scale_shapes[i], SANITIZED ? 70000 : 700000, first), 0);
}

/* A statement of the library that is read when its name is asked for is the same as in a file read whole. */
static void library_read_by_name_is_the_same(void **state)
{
	Arena *arena = arena_new();
	(void)state;
	assert_non_null(arena);
	if (setjmp(*arena_guard(arena)))
		fail_msg("out of memory");
	Diagnostics diag = { .arena = arena };
	Scope whole, part;
	compile_library(arena, &diag, &whole);
	library_open(arena, &diag, &part);
	int compared = 0;
	for (const Decl *d = whole.last; d; d = d == whole.last ? whole.first : d->next_in_scope) {
		const Decl *other = scope_find(&part, d->name);
		while (other && other->at.name != d->at.name)
			other = other->overload;
		assert_non_null(other);
		File one = { .decls = NULL }, two = { .decls = NULL };
		Decl a = *d, b = *other;
		a.next = b.next = NULL;
		one.decls = &a;
		two.decls = &b;
		Text left = { .arena = arena }, right = { .arena = arena };
		parse_dump(&one, &left);
		parse_dump(&two, &right);
		assert_string_equal(left.data, right.data);
		for (const Decl *x = d->args, *y = other->args; x; x = x->next, y = y->next)
			assert_true(x->by_name == y->by_name && x->decides == y->decides);
		compared++;
		if (d == whole.last && compared > 1)
			break;
	}
	assert_true(compared > 100);
	assert_int_equal(diag.errors, 0);
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(large_counts_give_results),
		cmocka_unit_test(deep_nesting_gives_a_result_or_one_error),
		cmocka_unit_test(random_bytes_give_messages),
		cmocka_unit_test(damaged_files_give_a_result_or_messages),
		cmocka_unit_test(many_mistakes_stay_cheap),
		cmocka_unit_test(a_very_large_file_is_read),
		cmocka_unit_test(library_read_by_name_is_the_same),
	};
	if (!SANITIZED) {
		struct rlimit room = { (rlim_t)4 << 30, (rlim_t)4 << 30 };
		setrlimit(RLIMIT_AS, &room);
	}
	alarm(SECONDS);                         /* a hang is a failure */
	return cmocka_run_group_tests(tests, NULL, NULL);
}
