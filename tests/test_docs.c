/* Promise: what the documents show works. Every block fenced as `noise` compiles without a message, and every
   `noise-error` block gives the code that it names. */
#include <stdarg.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "noisec.h"

static char *read_whole(const char *path)
{
	FILE *f = fopen(path, "rb");
	char *text = calloc(1, 1 << 20);
	if (!f || !text || fread(text, 1, (1 << 20) - 1, f) == 0)
		fail_msg("cannot read %s", path);
	fclose(f);
	return text;
}

static void check_block(const char *path, int number, const char *block, size_t size, int error)
{
	char *text = calloc(1, size + 64);
	nz_module *m;
	assert_non_null(text);
	memcpy(text, block, size);
	if (!error && !strstr(text, "output "))
		strcat(text, "\noutput checked = 0.0\n");       /* a fragment: what it declares must be right */
	nz_compile_module("block.noise", text, strlen(text), NULL, &m);
	const char *said = nz_get_diagnostics(m);
	if (error) {
		char code[8] = "N????";
		const char *named = strstr(text, "N0");
		assert_non_null(named);
		memcpy(code, named, 5);
		if (nz_count_errors(m) == 0 || !strstr(said, code))
			fail_msg("%s, block %d should give %s:\n%s\n%s", path, number, code, text, said);
	} else if (said[0]) {
		fail_msg("%s, block %d should compile:\n%s\n%s", path, number, text, said);
	}
	nz_free_module(m);
	free(text);
}

static int check_file(const char *path)
{
	char *text = read_whole(path);
	int blocks = 0;
	for (const char *at = text; (at = strstr(at, "\n```noise")); ) {
		const char *kind = at + 4, *start = strchr(kind, '\n') + 1, *end = strstr(start, "\n```");
		assert_non_null(end);
		check_block(path, ++blocks, start, (size_t)(end + 1 - start), !strncmp(kind, "noise-error", 11));
		at = end + 4;
	}
	free(text);
	return blocks;
}

static void the_documents_show_programs_that_compile(void **state)
{
	(void)state;
	int blocks = check_file(TESTS "/../README.md") + check_file(TESTS "/../grammar/language.md") + check_file(TESTS "/../docs/nodes.md")
		+ check_file(TESTS "/../docs/shaders.md") + check_file(TESTS "/../docs/contributing.md");
	printf("%d blocks of the documents checked\n", blocks);
	assert_true(blocks > 15);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(the_documents_show_programs_that_compile) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
