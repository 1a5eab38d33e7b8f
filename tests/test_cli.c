/* What users of the command rely on, one promise per test: exit statuses, help, the same bytes everywhere, and
   sources that no one meant well. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"

/* ---- exit status and streams ---- */

static void fine_is_0_and_errors_are_1(void **state)
{
	(void)state;
	EXPECT(FINE, "line.noise");
	assert_true(out.size > 0);
	assert_int_equal(err.size, 0);
	EXPECT(FINE, "build", "line.noise");
	EXPECT(FINE, "check", "line.noise", "many.noise");
	assert_int_equal(out.size + err.size, 0);
	EXPECT(FINE, "--", "line.noise");
	EXPECT(FINE, "--help");
	EXPECT(FINE, "--version");
	EXPECT(SOURCE, "bad.noise");
	EXPECT(SOURCE, "check", "line.noise", "bad.noise");
	EXPECT(SOURCE, "eval", "bad.noise", "--at", "0,0");
	EXPECT(SOURCE, "render", "bad.noise", "-o", "x.png");
	EXPECT(SOURCE, "bad.noise", "-t", "program");
	EXPECT(SOURCE, "bad.noise", "--dump=ir");
	put("warns.noise", "output v: vec2 = vec2(perlin(), perlin())\n");
	EXPECT(FINE, "check", "warns.noise");
	SAYS("warns.noise:1:");
	SAYS("warning");
	assert_int_equal(out.size, 0);
	EXPECT(FINE, "warns.noise");
	SAYS("warning");
	assert_null(strstr(out.data, "warning"));
}

static void messages_name_file_line_and_column(void **state)
{
	(void)state;
	EXPECT(SOURCE, "check", "bad.noise");
	SAYS("bad.noise:2:12: error[N0203]: unknown name 'zz'");
	SAYS("bad.noise:3:12: error[N0203]: ");
	SAYS("did you mean");
	SAYS("\n 2 | output b = zz\n   |            ^~\n");
	feed("output b = zz\n");
	EXPECT(SOURCE, "check", "-");
	SAYS("<stdin>:1:12: error");
	feed("output a = p.x *\noutput b = p.y\n");
	EXPECT(SOURCE, "check", "-");
	SAYS("<stdin>:1:17: error[N0111]: ");
}

static void wrong_use_is_2(void **state)
{
	(void)state;
	EXPECT(USE, "bulid", "line.noise");
	SAYS("did you mean 'build'?");
	EXPECT(USE, "frob", "line.noise");
	SAYS("'frob' is neither a verb nor a file");
	EXPECT(USE, "--frob");
	EXPECT(USE, "-x", "line.noise");
	EXPECT(USE, "eval", "line.noise", "--att", "0,0");
	SAYS("did you mean '--at'?");
	expect(__LINE__, USE, (const char *const[]){ NOISEC, NULL });
	EXPECT(USE, "build");
	EXPECT(USE, "check");
	EXPECT(USE, "eval");
	EXPECT(USE, "render");
	EXPECT(USE, "line.noise", "many.noise");
	EXPECT(USE, "line.noise", "-o");
	EXPECT(USE, "line.noise", "-O1");
	EXPECT(USE, "line.noise", "-t", "glls");
	SAYS("unknown target 'glls'; did you mean 'glsl'?");
	EXPECT(USE, "line.noise", "--entry", "vertex");
	EXPECT(USE, "line.noise", "--dump=asm");
	SAYS("unknown stage 'asm'");
	EXPECT(USE, "line.noise", "--entry", "fragment", "--out", "z");
	SAYS("no output 'z'");
	EXPECT(USE, "line.noise", "--entry", "fragment", "-t", "program");
	EXPECT(USE, "line.noise", "--entry", "compute", "--out", "a");
	EXPECT(USE, "line.noise", "--entry", "fragment", "--dump=ir");
	EXPECT(USE, "line.noise", "--prefix", "");
	EXPECT(USE, "line.noise", "--prefix", "9a");
	EXPECT(USE, "line.noise", "--prefix", "a b");
	EXPECT(USE, "line.noise", "--prefix", "a__b");
	EXPECT(USE, "line.noise", "--prefix", "gl_a");
	EXPECT(USE, "line.noise", "-D", "K=1");
	SAYS("K");
	EXPECT(USE, "many.noise", "-D", "K");
	EXPECT(USE, "many.noise", "-D", "=1");
	EXPECT(USE, "many.noise", "-D", "gain=1");
}

static void help_names_every_verb_and_option(void **state)
{
	static const char *const options[][30] = {
		{ "build", "-t", "-o", "--entry", "--out", "--prefix", "-O0", "-O2", "-D", "--skip", "--stdin-name", "--dump", "--reflect", "--header", "-M,", "-MM", "-MD", "-MMD",
			"-MF", "-MT", "-MQ", "-MP", "-W", "-w", "--color", "--diagnostics", "--max-errors" },
		{ "check", "-D", "--stdin-name", "-W", "-Wno-", "-Wall", "-Werror", "-w", "--color", "--diagnostics", "--max-errors" },
		{ "eval", "--at", "--points", "--out", "-o", "--set", "--seed", "--format", "-D", "-O0", "--skip", "--stdin-name", "-W" },
		{ "render", "-o", "--size", "--center", "--span", "--slice", "--out", "--node", "--set", "--seed", "--range", "--bits", "-D", "-O0", "-W" },
	};
	(void)state;
	EXPECT(FINE, "--help");
	for (int i = 0; i < 4; i++)
		assert_non_null(strstr(out.data, options[i][0]));
	for (int i = 0; i < 4; i++) {
		EXPECT(FINE, options[i][0], "--help");
		assert_int_equal(err.size, 0);
		for (int j = 1; j < 30 && options[i][j] != NULL; j++)
			if (strstr(out.data, options[i][j]) == NULL)
				fail_msg("the help of %s does not name %s", options[i][0], options[i][j]);
	}
}

/* ---- the same everywhere ---- */

/* Nor does any product say where or when it was made. */
static void same_bytes_in_every_surrounding(void **state)
{
	static const char *const kinds[][8] = {         /* FILE stands for the path */
		{ "FILE" }, { "FILE", "--entry", "compute" }, { "FILE", "-t", "glsl330", "--entry", "fragment" }, { "FILE", "-t", "program" }, { "FILE", "--dump=opt" },
		{ "FILE", "-O0" }, { "FILE", "--reflect", "-" }, { "FILE", "--header", "-" }, { "eval", "FILE", "--at", "0.3,-7.25", "--set", "k=0.5" },
		{ "render", "FILE", "-o", "-", "--size", "16x16", "--out", "c" },
	};
	static const char *const around[][4] = {
		{ NULL }, { "LC_ALL=de_DE.UTF-8", "LANG=de_DE.UTF-8", NULL }, { "LC_ALL=tr_TR.UTF-8", NULL }, { "TZ=Asia/Kolkata", NULL },
		{ "MALLOC_PERTURB_=165", NULL }, { "LC_ALL=C", "HOME=/", NULL },
	};
	(void)state;
	put("world.noise", "/// Of all.\nenum E { A, B }\nparam e: E = A\nparam k = 0.25 in 0.1 .. 0.9\noutput h = (perlin() |> octaves(5)) * k + 1.5e-7\n"
		"output c: vec3 = mix(#3a7d44, #ffffff, saturate(h))\n");
	char path[700];
	snprintf(path, sizeof path, "%s", in_work("world.noise"));
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
		const char *argv[16] = { NOISEC };
		Bytes first = { NULL, 0 };
		for (int i = 0; i < 8 && kinds[k][i] != NULL; i++)
			argv[i + 1] = strcmp(kinds[k][i], "FILE") == 0 ? path : kinds[k][i];
		for (size_t i = 0; i < sizeof around / sizeof *around; i++)
			for (int folder = 0; folder < 2; folder++) {
				given.environment = around[i];
				given.folder = folder == 0 ? NULL : "/";
				expect(__LINE__, FINE, argv);
				if (first.data == NULL)
					first = (Bytes){ copy_output(), out.size };
				assert_true(out.size > 0);
				assert_int_equal(out.size, first.size);
				assert_memory_equal(out.data, first.data, first.size);
			}
		for (size_t at = 0; at + strlen(base) <= first.size; at++)
			assert_memory_not_equal(first.data + at, base, strlen(base));
		free(first.data);
	}
}

/* ---- hostile sources ---- */

/* Errors, told on one screen, for every verb and by standard input too. */
static void expect_refused(const char *name)
{
	for (int i = 0; i < 5; i++) {
		if (i == 0)
			EXPECT(SOURCE, name);
		else if (i == 1)
			EXPECT(SOURCE, "check", name);
		else if (i == 2)
			EXPECT(SOURCE, "eval", name, "--at", "0,0");
		else if (i == 3)
			EXPECT(SOURCE, "render", name, "-o", "x.png");
		else {
			Bytes b = read_bytes(in_work(name));
			given.input = b.data;
			given.input_size = b.size;
			EXPECT(SOURCE, "-");
			given.input = NULL;
			free(b.data);
		}
		size_t lines = 0;
		for (const char *at = err.data; (at = strchr(at, '\n')) != NULL; at++)
			lines++;
		assert_in_range(lines, 1, 24);
		assert_in_range(err.size, 1, 4096);
	}
}

static void random_bytes_are_refused(void **state)
{
	enum { SIZE = 1000000 };
	char *bytes = malloc(SIZE);
	(void)state;
	assert_non_null(bytes);
	for (uint32_t seed = 1; seed <= 3; seed++) {
		uint32_t h = seed;
		for (int i = 0; i < SIZE; i++) {
			h = h * 1664525u + 1013904223u;
			bytes[i] = (char)(h >> 24);
		}
		put_bytes("hostile", bytes, SIZE);
		expect_refused("hostile");
	}
	/* the letters of the language, in no order */
	for (int i = 0; i < SIZE; i++)
		bytes[i] = "output node =()[]{}+-*/.,:?p019x@|>\"#\n_fnin\t"[(unsigned char)bytes[i] % 45];
	put_bytes("hostile", bytes, SIZE);
	EXPECT(SOURCE, "hostile");
	EXPECT(USE, "eval", "line.noise", "--points", "hostile");
	free(bytes);
}

static void empty_sources_are_refused(void **state)
{
	(void)state;
	put("hostile", "");
	expect_refused("hostile");
	put("hostile", "\n// nothing\n");
	expect_refused("hostile");
	EXPECT(SOURCE, "/dev/null");
}

static void sources_with_nul_are_refused(void **state)
{
	static const char inside[] = "output a = p.x\0 + 1\n", behind[] = "output a = p.x\n\0\0\0";
	(void)state;
	put_bytes("hostile", inside, sizeof inside - 1);
	expect_refused("hostile");
	SAYS(":1:15: error");
	put_bytes("hostile", behind, sizeof behind - 1);
	expect_refused("hostile");
	put_bytes("hostile", "\0", 1);
	expect_refused("hostile");
}

static void deep_sources_are_refused(void **state)
{
	static const char *const unit[] = { "(", "-(", "[", "not ", "p.x > 0 ? 1 : ", "vec2(", "{", "f(", "if " };
	enum { DEPTH = 100000 };
	(void)state;
	for (size_t k = 0; k < sizeof unit / sizeof *unit; k++) {
		size_t size = strlen(unit[k]);
		char *text = malloc(size * DEPTH + 2 * DEPTH + 64), *at = text;
		assert_non_null(text);
		at += sprintf(at, "output a = ");
		for (int i = 0; i < DEPTH; i++, at += size)
			memcpy(at, unit[k], size);
		at += sprintf(at, "p.x");
		memset(at, ')', DEPTH);
		put_bytes("hostile", text, (size_t)(at - text) + DEPTH);
		expect_refused("hostile");
		put_bytes("hostile", text, (size_t)(at - text));
		expect_refused("hostile");
		free(text);
	}
}

static void long_names_and_arguments_are_harmless(void **state)
{
	enum { SIZE = 60000 };
	char *name = malloc(SIZE + 64);
	(void)state;
	assert_non_null(name);
	memset(name, 'a', SIZE);
	strcpy(name + SIZE, "=1");
	EXPECT(USE, "eval", "many.noise", "--at", "0,0", "--set", name);
	EXPECT(USE, "many.noise", "-D", name);
	name[SIZE] = '\0';
	EXPECT(USE, "eval", "many.noise", "--at", "0,0", "--out", name);
	EXPECT(USE, "eval", "many.noise", "--at", name);
	EXPECT(USE, "eval", "many.noise", "--at", "0,0", "--format", name);
	EXPECT(USE, "eval", "many.noise", "--at", "0,0", "--seed", name);
	EXPECT(USE, "render", "many.noise", "-o", "x.png", "--node", name);
	EXPECT(USE, "render", "many.noise", "-o", "x.png", "--size", name);
	EXPECT(USE, "many.noise", "-t", name);
	EXPECT(FILES, "line.noise", "-o", name);
	EXPECT(FILES, "check", name);
	EXPECT(FINE, "line.noise", "--prefix", name);
	free(name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(fine_is_0_and_errors_are_1),
		TEST(messages_name_file_line_and_column),
		TEST(wrong_use_is_2),
		TEST(help_names_every_verb_and_option),
		TEST(same_bytes_in_every_surrounding),
		TEST(random_bytes_are_refused),
		TEST(empty_sources_are_refused),
		TEST(sources_with_nul_are_refused),
		TEST(deep_sources_are_refused),
		TEST(long_names_and_arguments_are_harmless),
	};
	return RUN_TESTS(tests);
}
