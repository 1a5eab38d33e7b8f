/* Promise: programs that nobody wrote (maker.h) give the same bits everywhere too. A failing one is printed
   whole. */
#include <stdarg.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "diff.h"
#include "maker.h"

static void random_programs_are_equal_everywhere(void **state)
{
	static Maker maker;
	const char *from = getenv("NOISE_RANDOM_FIRST"), *many = getenv("NOISE_RANDOM_COUNT");
	uint32_t first = from ? (uint32_t)strtoul(from, NULL, 10) : 1, count = many ? (uint32_t)strtoul(many, NULL, 10) : 60;
	uint32_t refused = 0;
	Diff d;
	(void)state;
	diff_open(&d, 512);
	for (uint32_t i = first; i < first + count; i++) {
		const char *text = make_program(&maker, i);
		char name[32];
		snprintf(name, sizeof name, "random %u", i);
		DiffResult r = diff_program(&d, name, text, false);
		if (r != DIFF_EQUAL)
			fprintf(stderr, "---- %s ----\n%s\n", name, text);
		refused += r == DIFF_NO_COMPILE;
	}
	diff_report(&d, "random programs");
	assert_int_equal(refused, 0);
	assert_int_equal(d.differing, 0);
	assert_int_equal(d.findings, 0);
	diff_close(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(random_programs_are_equal_everywhere) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
