/* What a program means: the rows of language.def, then sizes, and texts that nobody means. What is said of wrong
   programs is in test_mistakes.c. NOISEC_SOUP=n tries n random programs instead of a few hundred. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../compiler/noisec.h"
#include "cases.h"
#include "../runtime/noisert.h"

typedef struct Row { const char *promise, *program, *expected; } Row;

static const Row values[] = {
#define VALUE(PROMISE, PROGRAM, EXPECTED) { PROMISE, PROGRAM, EXPECTED },
#include "language.def"
#undef VALUE
};

#define COUNT(a) (sizeof (a) / sizeof *(a))

enum { OUTPUTS = 8, TEXT = 4096 };

/* ---- values ---- */

typedef nz_value Result[OUTPUTS];

static void add(char *text, const char *piece)
{
	assert_true(strlen(text) + strlen(piece) + 2 < TEXT);
	if (*text)
		strcat(text, " ");
	strcat(text, piece);
}

/* As the table has it: 2.5 3 7u true, enumerators as numbers, whole floats without a point. */
static void write_outputs(const nz_program *program, Result out, char *text)
{
	const nz_program_info *info = nz_describe_program(program);
	*text = '\0';
	for (uint32_t i = 0; i < info->output_count; i++)
		for (uint32_t k = 0; k < info->outputs[i].type.width; k++) {
			char piece[40];
			nz_word w = out[i].word[k];
			switch (info->outputs[i].type.kind) {
			case NZ_BOOL: snprintf(piece, sizeof piece, "%s", w.u ? "true" : "false"); break;
			case NZ_INT: snprintf(piece, sizeof piece, "%d", (int)w.i); break;
			case NZ_UINT: snprintf(piece, sizeof piece, "%uu", (unsigned)w.u); break;
			case NZ_FLOAT: snprintf(piece, sizeof piece, "%.9g", (double)w.f); break;
			}
			if (info->outputs[i].type.kind == NZ_FLOAT) {
				char shortest[32];
				size_t n = nz_format_float(shortest, w.f == 0.0f ? 0.0f : w.f);
				if (n > 2 && !strcmp(shortest + n - 2, ".0"))
					shortest[n - 2] = '\0';
				snprintf(piece, sizeof piece, "%s", shortest);
			}
			add(text, piece);
		}
}

static nz_module *compile(const char *text, int optimise)
{
	nz_module *m;
	static const char *const plain[] = { "no-clamped-argument", "no-constant-comparison" };     /* rows do both on purpose */
	nz_compile_options options = { .optimise = optimise, .warnings = plain, .warning_count = COUNT(plain) };
	nz_compile_module("t.noise", text, strlen(text), &options, &m);
	assert_non_null(m);
	return m;
}

static void evaluate(nz_module *m, const float *at, Result out, char *text)
{
	const char *bytes, *why;
	size_t size;
	nz_program *program;
	nz_emit_options target = { .target = "program" };
	assert_int_equal(nz_emit_target(m, &target, &bytes, &size), NZ_OK);
	assert_int_equal(nz_load_program(bytes, size, NULL, &program, &why), NZ_OK);
	size_t room = nz_measure_evaluator(program, 1);
	void *memory = malloc(room);
	nz_evaluator *e;
	assert_int_equal(nz_place_evaluator(program, 1, memory, room, &e), NZ_OK);
	nz_value inputs[4];
	for (int i = 0; i < 4; i++)
		for (int k = 0; k < 4; k++)
			inputs[i].word[k].f = 0.75f;
	assert_true(nz_describe_program(program)->output_count <= OUTPUTS && nz_describe_program(program)->input_count <= 4);
	memset(out, 0, sizeof(Result));
	assert_int_equal(nz_evaluate_point(e, at, inputs, out), NZ_OK);
	write_outputs(program, out, text);
	uint32_t outputs = nz_describe_program(program)->output_count;
	for (uint32_t i = outputs; i < OUTPUTS; i++)
		out[i].word[0].u = UINT32_MAX;       /* none */
	nz_free_program(program);
	free(memory);
}

static bool as_expected(const char *expected, Result out, const char *text)
{
	if (strcmp(expected, "=") && strcmp(expected, "!"))
		return !strcmp(expected, text);
	for (int i = 0; i < OUTPUTS && out[i].word[0].u != UINT32_MAX; i++)
		for (int k = 0; k < i; k++)
			if (!memcmp(&out[i], &out[k], sizeof out[i]) != (*expected == '='))
				return false;
	return true;
}

static void test_values(void **state)
{
	(void)state;
	static const float places[][4] = { { 1.25f, -3.5f, 2.0f, 0.5f }, { -7.3f, 0.2f, 9.9f, 3.1f }, { 100.5f, 33.3f, -4.7f, 0.1f } };
	int wrong = 0;
	for (size_t i = 0; i < COUNT(values); i++) {
		const Row *r = &values[i];
		bool relation = !strcmp(r->expected, "=") || !strcmp(r->expected, "!");
		for (int optimise = 1; optimise <= 2; optimise++) {
			nz_module *m = compile(r->program, optimise);
			const char *said = nz_get_diagnostics(m);
			bool fine = !*said;
			char text[TEXT] = "";
			for (size_t k = 0; k < (relation ? COUNT(places) : 1) && fine; k++) {
				Result out;
				evaluate(m, places[k], out, text);
				fine = as_expected(r->expected, out, text);
			}
			if (!fine) {
				print_error("%s, -O%d\n    %s\n    should give  %s\n    gives        %s\n%s", r->promise, optimise == 1 ? 0 : 2, r->program, r->expected, text, said);
				wrong++;
			}
			nz_free_module(m);
		}
	}
	assert_int_equal(wrong, 0);
}

static char *read_file(const char *path)
{
	FILE *f = fopen(path, "rb");
	assert_non_null(f);
	fseek(f, 0, SEEK_END);
	long size = ftell(f);
	rewind(f);
	char *text = calloc(1, (size_t)size + 1);
	assert_int_equal(fread(text, 1, (size_t)size, f), (size_t)size);
	fclose(f);
	return text;
}

/* ---- sizes ---- */

typedef struct Builder { char *data; size_t size, room; } Builder;

static void put(Builder *b, const char *format, ...)
{
	char piece[256];
	va_list list;
	va_start(list, format);
	int n = vsnprintf(piece, sizeof piece, format, list);
	va_end(list);
	assert_true(n >= 0 && n < (int)sizeof piece);
	if (b->size + (size_t)n + 1 > b->room) {
		b->room = 2 * b->room + 1024;
		b->data = realloc(b->data, b->room);
		assert_non_null(b->data);
	}
	memcpy(b->data + b->size, piece, (size_t)n + 1);
	b->size += (size_t)n;
}

static size_t count_of(const char *text, const char *word)
{
	size_t n = 0;
	for (; (text = strstr(text, word)); text++)
		n++;
	return n;
}

/* Compiles, and returns the number of errors; the program must load if there is none. */
static int compile_large(Builder *b)
{
	nz_module *m = compile(b->data, 0);
	int errors = nz_count_errors(m);
	char text[TEXT];
	static const float at[4] = { 0.5f, 0.5f, 0.5f, 0.5f };
	Result out;
	if (errors == 0)
		evaluate(m, at, out, text);
	nz_free_module(m);
	b->size = 0;
	return errors;
}

static void test_long_programs(void **state)
{
	(void)state;
	enum { N = 10000, DEEP = 300 };
	Builder b = { 0 };
	put(&b, "node n0 = p.x\n");
	for (int i = 1; i < N; i++)
		put(&b, "node n%d = n%d * 1.0001\n", i, i - 1);
	put(&b, "output o = n%d\n", N - 1);
	assert_int_equal(compile_large(&b), 0);

	put(&b, "output o = n%d\n", N - 1);             /* the same, backwards */
	for (int i = N - 1; i > 0; i--)
		put(&b, "node n%d = n%d * 1.0001\n", i, i - 1);
	put(&b, "node n0 = p.x\n");
	assert_int_equal(compile_large(&b), 0);

	for (int i = 0; i < N; i++)
		put(&b, "const c%d = %s%d + 1\n", i, i ? "c" : "", i ? i - 1 : 0);
	put(&b, "output o = c%d", N - 1);
	assert_int_equal(compile_large(&b), 0);

	put(&b, "output o = 0");
	for (int i = 0; i < N; i++)
		put(&b, " + p.x * %d.0", i);
	assert_int_equal(compile_large(&b), 0);

	for (int i = 0; i < N; i++)
		put(&b, "node n%d = p.x * %d.5\n", i, i);
	put(&b, "output o = n7");
	assert_int_equal(compile_large(&b), 0);

	for (int i = 0; i < N; i++)
		put(&b, "node n%d = n%d\n", i, (i + 1) % N);
	put(&b, "output o = n7");
	assert_int_equal(compile_large(&b), 1);         /* one cycle, one error */

	put(&b, "fn f0(x) = x\n");
	for (int i = 1; i < N; i++)
		put(&b, "fn f%d(x) = f%d(x) + 1\n", i, i - 1);
	put(&b, "output o = f%d(p.x)", N - 1);
	assert_int_equal(compile_large(&b), 1);         /* too deep, told once */

	put(&b, "output o = ");
	for (int i = 0; i < DEEP; i++)
		put(&b, "sin((");
	put(&b, "p.x");
	for (int i = 0; i < DEEP; i++)
		put(&b, "))");
	assert_int_equal(compile_large(&b), 0);
	free(b.data);
}

/* warp(warp(f)) costs a function a level, not twice the code. */
/* Parts used many times over, in folds, calls, keys and lanes: work that doubles with each level would not end. */
static void test_shared_parts_do_not_multiply(void **state)
{
	(void)state;
	enum { LEVELS = 30 };
	Builder b = { 0 };
	put(&b, "output o = ");
	for (int i = 0; i < LEVELS; i++)
		put(&b, "(fold i%d in 0 .. 2 { s%d = 0.0 then s%d + ", i, i, i);
	put(&b, "p.x");
	for (int i = LEVELS; i-- > 0;)
		put(&b, " } return s%d)", i);
	assert_int_equal(compile_large(&b), 0);

	put(&b, "fn f0(x: float) = x * 0.5 + 0.25\n");
	for (int i = 1; i < LEVELS; i++)
		put(&b, "fn f%d(x: float) = f%d(x) + f%d(x * 0.5 + 1.0)\n", i, i - 1, i - 1);
	put(&b, "output o = fold i in 0 .. 256 { a = 1.0 then f%d(a) * 0.001 } return a", LEVELS - 1);
	assert_int_equal(compile_large(&b), 0);

	put(&b, "fn f() { node a0: int = (p.x > 0 ? 1 : 2) + (p.y > 0 ? 1 : 2)\n");
	for (int i = 1; i < LEVELS; i++)
		put(&b, "node a%d: int = a%d + a%d\n", i, i - 1, i - 1);
	put(&b, "return uint(a%d) } output o: uint = f()", LEVELS - 1);
	assert_int_equal(compile_large(&b), 0);

	put(&b, "fn f() { node a0 = ivec2(p.x > 0 ? 1 : 2, p.y > 0 ? 1 : 2)\n");
	for (int i = 1; i < LEVELS; i++)
		put(&b, "node a%d = a%d + a%d.yx\n", i, i - 1, i - 1);
	put(&b, "return uint(a%d.x + a%d.y) } output o: uint = f()", LEVELS - 1, LEVELS - 1);
	assert_int_equal(compile_large(&b), 0);
	free(b.data);
}

static void test_nested_warps_are_linear(void **state)
{
	(void)state;
	enum { LEVELS = 60 };
	Builder b = { 0 };
	put(&b, "fn w(f) = f @ (p + f) output o = ");
	for (int i = 0; i < LEVELS; i++)
		put(&b, "w(");
	put(&b, "perlin()");
	for (int i = 0; i < LEVELS; i++)
		put(&b, ")");
	nz_module *m = compile(b.data, 0);
	const char *text;
	size_t size;
	assert_int_equal(nz_dump_stage(m, "ir", NULL, &text, &size), NZ_OK);
	assert_true(size < 200 * 1000);
	nz_free_module(m);
	free(b.data);
}

static void test_equal_folds_are_one_loop(void **state)
{
	(void)state;
	static const struct { const char *program; size_t loops; } row[] = {
		{ "param n: int = 3 in 0 .. 9 output a = (fold i in 0 .. n { s = p.x then s * p.y + i  t = 1.0 then t + s } return s)"
		  " + (fold k in 0 .. n { s = p.x then s * p.y + k  t = 1.0 then t + s } return t)", 1 },
		{ "param n: int = 3 in 0 .. 9 output a = (fold i in 0 .. n { s = p.x then s * p.y + i } return s)"
		  " + (fold i in 0 .. n { s = p.x then s * p.y - i } return s)", 2 },
		{ "param n: int = 3 in 0 .. 9 output a = (fold i in 0 .. n { s = p.x then s + (fold j in 0 .. n { t = p.x then t * s } return t) } return s)"
		  " + (fold i in 0 .. n { s = p.x then s + (fold j in 0 .. n { t = p.x then t * s } return t) } return s)", 2 },
		{ "param n: int = 3 in 0 .. 9 fn f(x) = fold i in 0 .. n { s = x then s * p.y + i } return s output a = f(p.x) + f(p.x)", 1 },
	};
	for (size_t i = 0; i < COUNT(row); i++) {
		nz_module *m = compile(row[i].program, 0);
		const char *text;
		size_t size;
		assert_int_equal(nz_dump_stage(m, "opt", NULL, &text, &size), NZ_OK);
		if (count_of(text, "= loop") != row[i].loops)
			fail_msg("%s\nshould have %zu loops:\n%s", row[i].program, row[i].loops, text);
		nz_free_module(m);
	}
}

/* ---- hostile texts ---- */

static uint64_t random_state = 12345;

static size_t draw(size_t below)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (size_t)(random_state >> 33) % below;
}

static const char *const tokens[] = {
	"output", "node", "fn", "param", "input", "const", "enum", "domain", "vec3", "vec2", "float", "int", "uint", "bool", "fold", "in",
	"then", "return", "match", "else", "at", "a", "b", "f", "g", "x", "i", "s", "A", "B", "E", "p", "seed", "perlin", "worley", "octaves",
	"scale", "warp", "ramp", "unit", "range", "here", "reseed", "known", "min", "sin", "F1", "Ridged", "Linear", "1", "0", "2.5", "3u",
	"#ff0000", "true", "(", ")", "(", ")", "{", "}", "[", "]", ",", ":", "..", "|>", "?", "@", "+", "-", "*", "/", "%", "<", "==", "and",
	"not", "&", "<<", "~", "=", "=", ".", ".x", ".xy", "->", "output a =", "node b =", "fn f(x) =", "f(", "a", "b", "p.x", "E.A", "enum E { A, B }",
	"fold i in 0 .. 3 { s = 0.0 then s +", "} return s", "perlin()", "|> octaves(3)", "@ (p +"
};

static void try(const char *text)
{
	nz_module *m = compile(text, draw(2) ? 1 : 2);
	const char *data;
	size_t size;
	nz_emit_options program = { .target = "program" };
	if (nz_count_errors(m) == 0) {
		assert_int_equal(nz_emit_target(m, &program, &data, &size), NZ_OK);
		assert_int_equal(nz_emit_target(m, NULL, &data, &size), NZ_OK);
	} else {
		assert_true(*nz_get_diagnostics(m));
	}
	nz_free_module(m);
}

static size_t soup_size(void)
{
	const char *wanted = getenv("NOISEC_SOUP");
	return wanted ? (size_t)atol(wanted) : 400;
}

static void test_soup(void **state)
{
	(void)state;
	for (size_t i = 0; i < soup_size(); i++) {
		char text[2048] = "";
		for (size_t n = 1 + draw(60); n > 0; n--) {
			strcat(text, tokens[draw(COUNT(tokens))]);
			strcat(text, " ");
		}
		try(text);
	}
}

/* Programs of the tables with some words taken out, doubled or replaced: wrong in deeper ways than soup. */
static void test_mutants(void **state)
{
	(void)state;
	Cases cases = cases_load(TESTS "/mistakes");
	for (size_t i = 0; i < soup_size(); i++) {
		size_t which = draw(COUNT(values) + cases.count);
		const char *from = which < COUNT(values) ? values[which].program : cases.item[which - COUNT(values)].program;
		char text[4096] = "";
		size_t rate = 4 + draw(30);
		for (const char *at = from; *at;) {
			size_t n = strcspn(at, " (),+*");
			n += n == 0 || at[n] == ' ';
			size_t what = draw(rate);
			if (what != 0)
				strncat(text, at, n);
			if (what == 1)
				strncat(text, at, n);
			if (what <= 2 && what != 1) {
				strcat(text, tokens[draw(COUNT(tokens))]);
				strcat(text, " ");
			}
			at += n;
		}
		try(text);
	}
	cases_free(&cases);
}

/* The library's own text as a user's file, cut off anywhere. */
static void test_cut_library(void **state)
{
	(void)state;
	static const char *const files[] = { "noise", "fractal", "domain", "lattice", "combine", "math" };
	for (size_t f = 0; f < COUNT(files); f++) {
		char path[1024];
		snprintf(path, sizeof path, LIBRARY "/%s.noise", files[f]);
		char *text = read_file(path);
		size_t size = strlen(text), step = size / (2 + soup_size() / 100);
		for (size_t cut = size; cut > step; cut -= 1 + step / 2 + draw(step)) {
			text[cut] = '\0';
			try(text);
			if (cut < step * 2)
				break;
		}
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_long_programs), cmocka_unit_test(test_shared_parts_do_not_multiply),
		cmocka_unit_test(test_nested_warps_are_linear),
		cmocka_unit_test(test_equal_folds_are_one_loop), cmocka_unit_test(test_soup), cmocka_unit_test(test_mutants),
		cmocka_unit_test(test_cut_library)
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
