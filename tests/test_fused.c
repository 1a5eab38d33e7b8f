/* Promise: what the banner of glsl330 says of drivers that fuse multiplications and additions. The text of every example
   is compiled as C++ by a compiler that does. As written, it also gives the interpreter's bits there. */
#include <dirent.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "diff.h"

/* The banner's figure. */
#define BOUND 2e-4

static char *read_whole(const char *path)
{
	FILE *f = fopen(path, "rb");
	char *text = calloc(1, 1 << 16);
	assert_non_null(f);
	assert_non_null(text);
	assert_true(fread(text, 1, (1 << 16) - 1, f) > 0);
	fclose(f);
	return text;
}

static const char *why_not(void)
{
	if (system("grep -qw fma /proc/cpuinfo 2>/dev/null"))
		return "this CPU has no fused multiply-add";
	if (system("echo '#include <glm/glm.hpp>' | g++ -x c++ -fsyntax-only - 2>/dev/null"))
		return "g++ or GLM is missing (Debian: g++ libglm-dev)";
	return NULL;
}

static void fusing_moves_values_by_less_than_the_banner_says(void **state)
{
	struct dirent **entry;
	const char *why = why_not();
	(void)state;
	if (why) {
		printf("SKIP: %s\n", why);
		skip();
	}
	int count = scandir(EXAMPLES, &entry, NULL, alphasort), programs = 0;
	Diff d;
	assert_true(count > 0);
	diff_open(&d, 4096);
	d.fused = true;
	for (int i = 0; i < count; i++) {
		char path[512];
		const char *dot = strrchr(entry[i]->d_name, '.');
		if (dot && !strcmp(dot, ".noise")) {
			snprintf(path, sizeof path, "%s/%s", EXAMPLES, entry[i]->d_name);
			char *text = read_whole(path);
			assert_int_equal(diff_program(&d, entry[i]->d_name, text, false), DIFF_EQUAL);
			free(text);
			programs++;
		}
		free(entry[i]);
	}
	free(entry);
	printf("fused: %d examples, %llu values equal as written; fused, floats differ by up to %.3g of their range, %llu of %llu decisions differ\n",
		programs, (unsigned long long)d.compared, d.fused_value, (unsigned long long)d.fused_decisions, (unsigned long long)d.decisions);
	assert_true(programs > 0);
	assert_int_equal(d.differing, 0);
	assert_true(d.fused_value > 0.0);       /* else nothing was fused, and nothing measured */
	assert_true(d.fused_value < BOUND);
	diff_close(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(fusing_moves_values_by_less_than_the_banner_says) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
