/* Promise: programs that nobody wrote give the same bits everywhere too. A generator makes well-typed
   programs from a seed: nodes over nodes, noises, warps, reseeds, folds, choices, integers and vectors.
   Values stay moderate (sums are averaged, products squashed), because bits are promised only where no
   intermediate value is denormal, infinite or NaN. A failing program is printed whole. */
#include <stdarg.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "diff.h"

typedef struct Maker {
	char text[1 << 16];
	size_t size;
	uint32_t state;
	int nodes;                              /* declared so far: n0, n1, …; even ones float, odd ones vecP */
	int domain;
} Maker;

static uint32_t roll(Maker *m, uint32_t sides)
{
	m->state = m->state * 1664525u + 1013904223u;
	return (m->state >> 8) % sides;
}

static void put(Maker *m, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	int n = vsnprintf(m->text + m->size, sizeof m->text - m->size, format, list);
	va_end(list);
	if (n > 0 && m->size + (size_t)n < sizeof m->text)
		m->size += (size_t)n;
}

static void make_float(Maker *m, int depth);
static void make_vector(Maker *m, int depth);

static void make_number(Maker *m) { put(m, "%.3f", (double)roll(m, 2000) / 1000.0 - 0.999); }

static void make_noise(Maker *m)
{
	static const char *const noise[] = { "perlin", "simplex", "value", "white", "worley" };
	uint32_t which = roll(m, 5);
	put(m, "%s(", noise[which]);
	if (which == 4) {
		static const char *const value[] = { "F1", "F2", "F2MinusF1", "CellValue" }, *const metric[] = { "Euclidean", "EuclideanSq", "Manhattan", "Chebyshev" };
		put(m, "%s, %s, ", value[roll(m, 4)], metric[roll(m, 4)]);
	}
	put(m, "seed: %u)", roll(m, 9));
}

static void make_int(Maker *m, int depth)
{
	switch (depth > 0 ? roll(m, 6) : roll(m, 2)) {
	case 0: put(m, "int(%d)", (int)roll(m, 100) - 50); break;
	case 1: put(m, "int(floor("); make_float(m, depth - 1); put(m, " * 40))"); break;
	case 2: put(m, "("); make_int(m, depth - 1); put(m, " %s ", roll(m, 2) ? "%" : "/"); make_int(m, depth - 1); put(m, ")"); break;
	case 3: put(m, "("); make_int(m, depth - 1); put(m, " %s ", roll(m, 2) ? "^" : "&"); make_int(m, depth - 1); put(m, ")"); break;
	case 4: put(m, "(("); make_int(m, depth - 1); put(m, ") >> %u)", roll(m, 40)); break;
	default: put(m, "min("); make_int(m, depth - 1); put(m, ", "); make_int(m, depth - 1); put(m, ")"); break;
	}
}

static void make_bool(Maker *m, int depth)
{
	static const char *const compare[] = { "<", "<=", ">", ">=", "==", "!=" };
	if (depth > 0 && roll(m, 4) == 0) {
		put(m, "("); make_bool(m, depth - 1); put(m, roll(m, 2) ? " and " : " or "); make_bool(m, depth - 1); put(m, ")");
	} else if (roll(m, 3) == 0) {
		put(m, "("); make_int(m, depth - 1); put(m, " %s ", compare[roll(m, 6)]); make_int(m, depth - 1); put(m, ")");
	} else {
		put(m, "("); make_float(m, depth - 1); put(m, " %s ", compare[roll(m, 4)]); make_float(m, depth - 1); put(m, ")");
	}
}

/* a float of magnitude about 1 */
static void make_float(Maker *m, int depth)
{
	if (depth <= 0) {
		switch (roll(m, 4)) {
		case 0: make_number(m); return;
		case 1: if (m->nodes > 0) { put(m, "n%u", roll(m, (uint32_t)(m->nodes + 1) / 2) * 2); return; } make_noise(m); return;
		case 2: put(m, "fract(p.%c)", "xyz"[roll(m, (uint32_t)m->domain)]); return;
		default: make_noise(m); return;
		}
	}
	switch (roll(m, 16)) {
	case 0: put(m, "("); make_float(m, depth - 1); put(m, " + "); make_float(m, depth - 1); put(m, ") * 0.5"); break;
	case 1: put(m, "("); make_float(m, depth - 1); put(m, " - "); make_float(m, depth - 1); put(m, ")"); break;
	case 2: put(m, "("); make_float(m, depth - 1); put(m, " * (1.5 + "); make_float(m, depth - 1); put(m, "))"); break;
	case 3: put(m, "("); make_float(m, depth - 1); put(m, " / (2.5 + abs("); make_float(m, depth - 1); put(m, ")))"); break;
	case 4: put(m, "mix("); make_float(m, depth - 1); put(m, ", "); make_float(m, depth - 1); put(m, ", saturate("); make_float(m, depth - 1); put(m, "))"); break;
	case 5: put(m, "("); make_bool(m, depth - 1); put(m, " ? "); make_float(m, depth - 1); put(m, " : "); make_float(m, depth - 1); put(m, ")"); break;
	case 6: put(m, "sin("); make_float(m, depth - 1); put(m, " * 7)"); break;
	case 7: put(m, "sqrt(abs("); make_float(m, depth - 1); put(m, ") + 0.01)"); break;
	case 8: put(m, "("); make_float(m, depth - 1); put(m, " %% 0.7)"); break;
	case 9: put(m, "(("); make_float(m, depth - 1); put(m, ") @ ("); make_vector(m, depth - 1); put(m, " * %u))", 1 + roll(m, 9)); break;
	case 10: put(m, "reseed("); make_float(m, depth - 1); put(m, ", %u)", roll(m, 99)); break;
	case 11: put(m, "warp("); make_float(m, depth - 1); put(m, ", "); make_vector(m, depth - 1); put(m, ", 0.%u)", roll(m, 9)); break;
	case 12: put(m, "octaves("); make_float(m, depth - 1); put(m, ", %u, %s)", 1 + roll(m, 4), (const char *const[]){ "Fbm", "Ridged", "Billow", "Turbulence" }[roll(m, 4)]); break;
	case 13:
		put(m, "(fold i in 0 .. %u { node t = reseed(", 1 + roll(m, 5)); make_float(m, depth - 1);
		put(m, ", i) @ (p * a)  s = 0.25 then (s + t) * 0.5  a = 1.0 then a * 1.5 } return s + a * 0.01)"); break;
	case 14: put(m, "float("); make_int(m, depth - 1); put(m, " %% 16) / 16"); break;
	default: put(m, "("); make_vector(m, depth - 1); put(m, ").%c", "xyz"[roll(m, (uint32_t)m->domain)]); break;
	}
}

static void make_vector(Maker *m, int depth)
{
	if (depth <= 0 || roll(m, 5) == 0) {
		if (m->nodes > 1 && roll(m, 2)) {
			put(m, "n%u", roll(m, (uint32_t)m->nodes / 2) * 2 + 1);
			return;
		}
		put(m, "vec%d(", m->domain);
		for (int k = 0; k < m->domain; k++) {
			put(m, k ? ", " : "");
			make_float(m, depth - 1);
		}
		put(m, ")");
		return;
	}
	switch (roll(m, 7)) {
	case 0: put(m, "("); make_vector(m, depth - 1); put(m, " + "); make_vector(m, depth - 1); put(m, ") * 0.5"); break;
	case 1: put(m, "("); make_vector(m, depth - 1); put(m, " * "); make_float(m, depth - 1); put(m, ")"); break;
	case 2: put(m, "min("); make_vector(m, depth - 1); put(m, ", "); make_vector(m, depth - 1); put(m, ")"); break;
	case 3: put(m, "("); make_vector(m, depth - 1); put(m, " < "); make_vector(m, depth - 1); put(m, " ? "); make_vector(m, depth - 1); put(m, " : "); make_vector(m, depth - 1); put(m, ")"); break;
	case 4: put(m, "("); make_vector(m, depth - 1); put(m, ").%s", m->domain == 2 ? "yx" : "zxy"); break;
	case 5: put(m, "vecOf("); make_float(m, depth - 1); put(m, ")"); break;
	default: put(m, "normalize("); make_vector(m, depth - 1); put(m, " + 3)"); break;
	}
}

static const char *make_program(Maker *m, uint32_t seed)
{
	m->size = 0;
	m->state = seed * 2654435761u + 1u;
	m->nodes = 0;
	m->domain = 2 + (int)roll(m, 2);
	put(m, "domain vec%d\nparam k = 0.5 in 0 .. 1\n", m->domain);
	int nodes = 2 + 2 * (int)roll(m, 4);
	for (int i = 0; i < nodes; i++) {
		put(m, "node n%d = ", i);
		if (i % 2)
			make_vector(m, 2);
		else
			make_float(m, 3);
		put(m, "\n");
		m->nodes = i + 1;
	}
	put(m, "output a = (n0 + k) * 0.5 + ");
	make_float(m, 2);
	put(m, "\noutput b = n1\noutput c: bool = ");
	make_bool(m, 2);
	put(m, "\noutput d: int = ");
	make_int(m, 2);
	put(m, "\n");
	return m->text;
}

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
	if (!d.gpu)
		printf("SKIP: shaders were checked but not run: %s\n", d.why_no_gpu);
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
