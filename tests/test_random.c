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

/* What is proved of a value at any position must hold where an operation meets NaN or an infinity too. Each
   line is a way in which a proof once did not. */
static void proofs_hold_at_positions_that_are_no_numbers(void **state)
{
	static const char *const programs[] = {
		"output a = max(fract(p.y) / 3, 0)",
		"output a = max(0.5 / (2 + fract(p.x)), 0.1)",
		"output a = min(1 / (1 + p.x * p.x), 0.5)",
		"output a = min(sqrt(p.x * p.x), 2)",
		"output a = max(fract(p.x) % 0.7, 0)",
		"output a = min(p.x % (p.y * p.y), 2)",
		"output a = 1e38 * float(clamp(int(p.x * 5), 0, 3))",
		"output a = 1e37 * float(int(fract(p.x) * 9))",
		"output a = fract(p.x) > 2 ? p.y : 0.5",
		"output a = abs(fract(p.x)) < 3 ? 0.5 : p.y",
	};
	Diff d;
	(void)state;
	diff_open(&d, 512);
	for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
		if (diff_program(&d, "proof", programs[i], false) != DIFF_EQUAL)
			fprintf(stderr, "---- %s\n", programs[i]);
	diff_report(&d, "proofs at positions that are no numbers");
	assert_int_equal(d.programs, sizeof programs / sizeof *programs);
	assert_int_equal(d.differing, 0);
	assert_int_equal(d.findings, 0);
	diff_close(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = { 
		cmocka_unit_test(random_programs_are_equal_everywhere),
		cmocka_unit_test(proofs_hold_at_positions_that_are_no_numbers)
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
