/* What users rely on in `noisec build`: the products of a file. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "noisec.h"

/* ---- build ---- */

static void stages_can_be_dumped(void **state)
{
	static const char *const stage[] = { "--dump=ast", "--dump=ir", "--dump=opt", "--dump=program" };
	char *text[4];
	(void)state;
	for (int i = 0; i < 4; i++) {
		EXPECT(FINE, EXAMPLES "/mountains.noise", stage[i]);
		assert_true(out.size > 100);
		assert_int_equal(out.data[out.size - 1], '\n');
		assert_int_equal(strlen(out.data), out.size);
		text[i] = copy_output();
		for (int j = 0; j < i; j++)
			assert_string_not_equal(text[i], text[j]);
	}
	for (int i = 0; i < 4; i++)
		free(text[i]);
	EXPECT(USE, "line.noise", "--dump=");
	EXPECT(USE, "line.noise", "--dump=ASM");
}

static void programs_are_binary(void **state)
{
	(void)state;
	EXPECT(FINE, "line.noise", "-t", "program");
	assert_true(out.size > 16);
	Bytes printed = { copy_output(), out.size };
	EXPECT(FINE, "line.noise", "-t", "program", "-o", "line.nzp");
	Bytes written = read_bytes(in_work("line.nzp"));
	assert_int_equal(written.size, printed.size);
	assert_memory_equal(written.data, printed.data, printed.size);
	free(written.data);
	free(printed.data);
}

static void entries_are_whole_shaders(const char *path, const char *name)
{
	static const char *const kind[] = { "fragment", "compute" };
	(void)name;
	for (int i = 0; i < 2; i++) {
		EXPECT(FINE, path, "--entry", kind[i]);
		assert_memory_equal(out.data, "#version 450\n", 13);
		assert_non_null(strstr(out.data, "void main()"));
	}
}

static void functions_need_nothing_around(const char *path, const char *name)
{
	char expected[80];
	EXPECT(FINE, path);
	assert_null(strstr(out.data, "#version"));
	assert_null(strstr(out.data, "uniform"));
	assert_null(strstr(out.data, "main("));
	assert_null(strstr(out.data, "layout"));
	snprintf(expected, sizeof expected, "\n%.*s_out %.*s_eval(", (int)strcspn(name, "."), name, (int)strcspn(name, "."), name);
	assert_non_null(strstr(out.data, expected));
}

static void entry_makes_a_whole_shader(void **state)
{
	(void)state;
	each_example(entries_are_whole_shaders);
	EXPECT(FINE, "many.noise", "--entry", "fragment");
	char *text = copy_output();
	EXPECT(FINE, "many.noise", "--entry", "fragment", "--out", "a");
	assert_string_equal(out.data, text);
	EXPECT(FINE, "many.noise", "--entry", "fragment", "--out", "v");
	assert_string_not_equal(out.data, text);
	free(text);
}

static void library_form_declares_functions_only(void **state)
{
	(void)state;
	each_example(functions_need_nothing_around);
}

static void prefix_is_the_base_name_or_given(void **state)
{
	(void)state;
	EXPECT(FINE, "line.noise");
	assert_non_null(strstr(out.data, "line_out line_eval(vec2 p, line_params params, uint seed)"));
	assert_non_null(strstr(out.data, "float line_a(vec2 p, line_params params, uint seed)"));
	EXPECT(FINE, "line.noise", "--prefix", "hills");
	assert_non_null(strstr(out.data, "hills_out hills_eval("));
	assert_null(strstr(out.data, "line_"));
	feed(line_source);
	EXPECT(FINE, "-");
	assert_non_null(strstr(out.data, "noise_out noise_eval("));
	assert_int_equal(mkdir(in_work("sub.dir"), 0700), 0);
	put("sub.dir/a-b.v2.noise", line_source);
	EXPECT(FINE, "sub.dir/a-b.v2.noise");
	assert_non_null(strstr(out.data, "a_b_out a_b_eval("));
}

static FILE *together;

static void append_functions(const char *path, const char *name)
{
	(void)name;
	EXPECT(FINE, path);
	fputs(out.data, together);
	EXPECT(FINE, path, "--prefix", "other", "-O0");
}

static void have_glslang(void)
{
	given.folder = NULL;
	if (run((const char *const[]){ "glslangValidator", "--version", NULL }) == 127) {
		printf("SKIP: glslangValidator is not installed\n");
		skip();
	}
}

static void compile_shader(const char *name)
{
	int status = run((const char *const[]){ "glslangValidator", "-S", "frag", name, NULL });
	if (status != 0 || strstr(out.data, "WARNING") != NULL)
		fail_msg("glslangValidator: %.2000s", out.data);
}

static void programs_share_no_global_name(void **state)
{
	(void)state;
	have_glslang();
	together = fopen(in_work("all.frag"), "wb");
	assert_non_null(together);
	fputs("#version 450\n", together);
	each_example(append_functions);
	for (int i = 0; i < 4; i++) {           /* one program, twice optimised and twice not */
		static const char *const prefix[] = { "one", "two", "three", "four" };
		EXPECT(FINE, EXAMPLES "/mountains.noise", "--prefix", prefix[i], i < 2 ? "-O2" : "-O0");
		fputs(out.data, together);
	}
	fputs("void main() { }\n", together);
	fclose(together);
	compile_shader("all.frag");
}

/* ---- several targets, several files ---- */

/* Each target's bytes are those of a run of its own. */
static void a_folder_gets_a_file_for_each_target(void **state)
{
	nz_target target;
	char list[256] = "";
	int targets = 0;
	(void)state;
	for (; nz_get_target((size_t)targets, &target); targets++)
		snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", targets > 0 ? "," : "", target.name);
	assert_true(targets >= 2);
	assert_int_equal(mkdir(in_work("src"), 0700), 0);
	put("src/a-b.v2.noise", many_source);
	EXPECT(FINE, "line.noise", "src/a-b.v2.noise", "-t", list, "-o", "made/");
	assert_int_equal(out.size, 0);
	assert_int_equal(count_files(in_work("made")), 2 * targets);
	for (int i = 0; i < targets; i++) {
		static const char *const source[2] = { "line.noise", "src/a-b.v2.noise" }, *const base_name[2] = { "line", "a-b.v2" };
		nz_get_target((size_t)i, &target);
		for (int k = 0; k < 2; k++) {
			char name[64];
			snprintf(name, sizeof name, "made/%s%s", base_name[k], target.suffix);
			EXPECT(FINE, source[k], "-t", target.name);
			Bytes made = read_bytes(in_work(name));
			assert_int_equal(made.size, out.size);
			assert_memory_equal(made.data, out.data, out.size);
			free(made.data);
		}
	}
	/* a folder that is there needs no slash, and -t may be repeated */
	EXPECT(FINE, "line.noise", "-t", "glsl", "-t", "program", "-o", "src");
	assert_int_equal(count_files(in_work("src")), 3);
	EXPECT(FINE, "line.noise", "-o", "src", "--entry", "fragment");
	EXPECT(FINE, "line.noise", "-o", "src", "--entry", "compute");
	assert_int_equal(access(in_work("src/line.frag.glsl"), F_OK) + access(in_work("src/line.comp.glsl"), F_OK), 0);
	EXPECT(FINE, "line.noise", "-o", "src", "--dump=ir");
	assert_int_equal(access(in_work("src/line.ir"), F_OK), 0);
	feed(line_source);
	EXPECT(FINE, "-", "-o", "src");
	assert_int_equal(access(in_work("src/noise.glsl"), F_OK), 0);
}

static void outputs_that_would_meet_are_refused(void **state)
{
	(void)state;
	assert_int_equal(mkdir(in_work("sub"), 0700), 0);
	put("sub/line.noise", line_source);
	put("x.glsl", line_source);
	int files = count_files(work);
	EXPECT(USE, "line.noise", "-t", "glsl,program");
	SAYS("several targets need a folder: -o DIR/");
	EXPECT(USE, "line.noise", "many.noise");
	SAYS("several files need a folder: -o DIR/");
	EXPECT(USE, "line.noise", "-t", "glsl,program", "-o", "x.glsl");
	EXPECT(USE, "line.noise", "sub/line.noise", "-o", "./");
	SAYS("two outputs would be written to './line.glsl'");
	EXPECT(USE, "line.noise", "./line.noise", "-o", "new/");
	EXPECT(USE, "line.noise", "-o", "x", "-MD", "-MF", "./x");
	EXPECT(USE, "line.noise", "-o", "x.h", "--header", "sub/../x.h");
	EXPECT(USE, "x.glsl", "-o", "./");
	SAYS("'./x.glsl' would be written over its own source");
	EXPECT(USE, "line.noise", "x.glsl", "-o", "./");
	EXPECT(USE, "line.noise", "-t", "glsl330", "--entry", "compute");
	SAYS("target 'glsl330' has no compute shaders");
	EXPECT(USE, "line.noise", "-t", "glsl,program", "--entry", "fragment", "-o", "new/");
	EXPECT(FILES, "line.noise", "-o", "line.noise/");
	SAYS("cannot make the folder 'line.noise/': Not a directory");
	ONE_LINE();
	EXPECT(FILES, "line.noise", "-o", "none/new/");
	EXPECT(FINE, "line.noise", "-t", "glsl", "-o", "/dev/null", "--header", "/dev/null", "--reflect", "/dev/null");
	assert_int_equal(count_files(work), files);
	expect_file("x.glsl", line_source);
}

/* One wrong file stops the writing of all, and all are told. */
static void a_run_writes_all_or_nothing(void **state)
{
	(void)state;
	put("worse.noise", "output a = qq\n");
	EXPECT(SOURCE, "line.noise", "bad.noise", "worse.noise", "-o", "new/", "-MD");
	SAYS("bad.noise:2");
	SAYS("worse.noise:1");
	EXPECT(FILES, "line.noise", "none.noise", "-o", "new/");
	assert_int_not_equal(access(in_work("new"), F_OK), 0);
	put("line.glsl", "as it was");
	assert_int_equal(mkdir(in_work("line.nzp"), 0700), 0);
	int files = count_files(work);
	EXPECT(FILES, "line.noise", "-t", "glsl,program", "-o", "./", "--header", "new.h");
	SAYS("cannot write './line.nzp': Is a directory");
	ONE_LINE();
	EXPECT(FILES, "line.noise", "-o", "new/", "--reflect", "none/r.json");
	EXPECT(FILES, "line.noise", "-o", "new/", "--reflect", "new/deep/", "--header", "none/h/");
	EXPECT(FILES, "line.noise", "-t", "glsl", "-o", "line.glsl", "-MD", "-MF", "/dev/full");
	EXPECT(FILES, "line.noise", "--reflect", "-", "--header", "none/x.h");
	assert_int_equal(count_files(work), files);
	expect_file("line.glsl", "as it was");
}

/* ---- rules for make ---- */

static void rules_have_the_form_of_gcc(void **state)
{
	(void)state;
	EXPECT(FINE, "line.noise", "-M");
	PRINTS("line.glsl: line.noise\n");
	EXPECT(FINE, "./line.noise", "-MM", "-t", "glsl,program");
	PRINTS("line.glsl line.nzp: ./line.noise\n");
	EXPECT(FINE, "line.noise", "-M", "-MT", "x $y", "-MQ", "x $y#\t", "-MP");
	PRINTS("x $y x\\ $$y\\#\\\t: line.noise\n");
	EXPECT(FINE, "line.noise", "-M", "-o", "rule");
	expect_file("rule", "line.glsl: line.noise\n");
	EXPECT(FINE, "line.noise", "many.noise", "-M", "-MF", "rule");
	expect_file("rule", "line.glsl: line.noise\nmany.glsl: many.noise\n");
	EXPECT(FINE, "line.noise", "-MD", "-o", "out.glsl");
	expect_file("out.glsl.d", "out.glsl: line.noise\n");
	EXPECT(FINE, "line.noise", "-MMD", "-MFrule", "-MTall", "-o", "out.glsl");
	expect_file("rule", "all: line.noise\n");
	EXPECT(FINE, "line.noise", "-MD");
	assert_true(out.size > 100);
	expect_file("line.glsl.d", "line.glsl: line.noise\n");
	EXPECT(FINE, "line.noise", "many.noise", "-MD", "-t", "glsl,program", "-o", "d/", "--header", "d/");
	expect_file("d/many.nzp.d", "d/many.nzp: many.noise\n");
	expect_file("d/many.h.d", "d/many.h: many.noise\n");
	assert_int_equal(count_files(in_work("d")), 12);
	EXPECT(FINE, "line.noise", "-MD", "-MF", "rule", "-t", "glsl,program", "-o", "d/", "--reflect", "d/r.json");
	expect_file("rule", "d/line.glsl d/line.nzp d/r.json: line.noise\n");
	EXPECT(FINE, "line.noise", "-MD", "-MF-", "-o", "out.glsl");
	PRINTS("out.glsl: line.noise\n");
	feed(line_source);
	EXPECT(FINE, "-", "-M");
	PRINTS("noise.glsl:\n");
	EXPECT(FINE, "-", "-M", "--stdin-name", "src/line.noise");
	PRINTS("line.glsl: src/line.noise\n");
	unlink(in_work("rule"));
	EXPECT(SOURCE, "bad.noise", "-M", "-MF", "rule");
	EXPECT(SOURCE, "bad.noise", "-MD", "-MF", "rule", "-o", "out.glsl");
	assert_int_not_equal(access(in_work("rule"), F_OK), 0);
	EXPECT(USE, "line\nx.noise", "-M");
	ONE_LINE();
}

/* make itself finds the file behind every name. */
static void make_reads_the_rules(void **state)
{
	static const char *const names[] = { "a b", "a  b ", "a#b", "a$b", "a$$(b)", "a\\b", "a\\ b", "a\\\\ b", "a\\#b'\"", "\xc3\xa4\xe2\x82\xac", "-a", "a&<>b" };
	(void)state;
	given.folder = NULL;
	if (run((const char *const[]){ "make", "--version", NULL }) == 127) {
		printf("SKIP: make is not installed\n");
		skip();
	}
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		char file[64];
		const char *const dry[] = { "make", "-rR", "-f", "rule", "-n", "made", NULL };
		snprintf(file, sizeof file, "%s.noise", names[i]);
		put(file, line_source);
		EXPECT(FINE, "-MD", "-MF", "rule", "-MT", "made", "-o", "x.glsl", "--", file);
		if (strchr(names[i], '\\') != NULL && strchr(names[i], '#') != NULL)
			continue;               /* make has no way to write this name; gcc does not either */
		if (run(dry) != 0)
			fail_msg("make does not find '%s': %s", file, err.data);
		unlink(in_work(file));
		if (run(dry) == 0)
			fail_msg("make does not miss '%s'", file);
	}
}

/* The block of docs/command.md that is fenced so, written to a file with `more` behind. */
static void put_from_page(const char *fence, const char *name, const char *more)
{
	Bytes page = read_bytes(TESTS "/../docs/command.md");
	char *start = strstr(page.data, fence), *end = start != NULL ? strstr(start + strlen(fence), "```") : NULL, text[2048];
	assert_non_null(end);
	start += strlen(fence);
	snprintf(text, sizeof text, "%.*s%s", (int)(end - start), start, more);
	put(name, text);
	free(page.data);
}

/* Builds, has nothing to do, and builds again when the source is newer. */
static void expect_rebuild(const char *const *build, const char *nothing, const char *product)
{
	char path[1024];
	const struct timespec past[2] = { { .tv_sec = 1000000000 }, { .tv_sec = 1000000000 } };
	snprintf(path, sizeof path, "PATH=%.*s:%s", (int)(strrchr(NOISEC, '/') - NOISEC), NOISEC, getenv("PATH"));
	given.environment = (const char *const[]){ path, NULL };
	put("hills.noise", line_source);
	assert_int_equal(utimensat(AT_FDCWD, in_work("hills.noise"), past, 0), 0);
	for (int i = 0; i < 2; i++) {
		if (run(build) != 0)
			fail_msg("%s: %s%s", build[0], out.data, err.data);
		assert_true((strstr(out.data, nothing) != NULL) == (i == 1));
		assert_int_equal(access(in_work(product), F_OK), 0);
	}
	assert_int_equal(utimensat(AT_FDCWD, in_work("hills.noise"), NULL, 0), 0);
	assert_int_equal(run(build), 0);
	assert_null(strstr(out.data, nothing));
	given.environment = NULL;
}

static void make_and_ninja_build_as_the_page_says(void **state)
{
	(void)state;
	if (run((const char *const[]){ "make", "--version", NULL }) == 127)
		printf("SKIP: make is not installed\n");
	else {
		put_from_page("```make\n", "Makefile", "");
		expect_rebuild((const char *const[]){ "make", "build/hills.glsl", NULL }, "up to date", "build/hills.nzp.d");
	}
	if (run((const char *const[]){ "ninja", "--version", NULL }) == 127)
		printf("SKIP: ninja is not installed\n");
	else {
		put_from_page("```ninja\n", "build.ninja", "build hills.glsl: noise hills.noise\n");
		expect_rebuild((const char *const[]){ "ninja", NULL }, "no work to do", "hills.glsl");
		assert_int_equal(run((const char *const[]){ "ninja", "-t", "deps", "hills.glsl", NULL }), 0);
		assert_non_null(strstr(out.data, "hills.noise"));
	}
}

static void the_compiler_tells_what_it_read(void **state)
{
	nz_module *m;
	(void)state;
	assert_int_equal(nz_compile_module("dir/x.noise", "output a = zz\n", 14, NULL, &m), NZ_ERROR_SOURCE);
	assert_int_equal(nz_count_dependencies(m), 1);
	assert_string_equal(nz_get_dependency(m, 0), "dir/x.noise");
	assert_null(nz_get_dependency(m, 1));
	nz_free_module(m);
	assert_int_equal(nz_count_dependencies(NULL), 0);
	assert_null(nz_get_dependency(NULL, 0));
}

static void targets_are_listed_with_a_suffix_each(void **state)
{
	nz_target a, b;
	(void)state;
	EXPECT(FINE, "build", "--help");
	for (size_t i = 0; nz_get_target(i, &a); i++) {
		assert_non_null(strstr(out.data, a.name));
		assert_non_null(strstr(out.data, a.description));
		assert_int_equal(a.suffix[0], '.');
		for (size_t k = 0; k < i; k++) {
			nz_get_target(k, &b);
			assert_string_not_equal(a.name, b.name);
			assert_string_not_equal(a.suffix, b.suffix);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(stages_can_be_dumped),
		TEST(programs_are_binary),
		TEST(entry_makes_a_whole_shader),
		TEST(library_form_declares_functions_only),
		TEST(prefix_is_the_base_name_or_given),
		TEST(programs_share_no_global_name),
		TEST(a_folder_gets_a_file_for_each_target),
		TEST(outputs_that_would_meet_are_refused),
		TEST(a_run_writes_all_or_nothing),
		TEST(rules_have_the_form_of_gcc),
		TEST(make_reads_the_rules),
		TEST(make_and_ninja_build_as_the_page_says),
		TEST(the_compiler_tells_what_it_read),
		TEST(targets_are_listed_with_a_suffix_each),
	};
	return RUN_TESTS(tests);
}
