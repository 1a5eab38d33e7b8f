/* What users of the command rely on when they write its arguments: the forms of options, files of arguments, and a
   help whose examples work. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"

static void options_come_in_every_form(void **state)
{
	static const char *const form[][4] = { { "-ox.glsl" }, { "-o", "x.glsl" }, { "--out-file", "x.glsl" }, { "--out-file=x.glsl" } };
	(void)state;
	EXPECT(FINE, "line.noise");
	char *text = copy_output();
	for (size_t i = 0; i < sizeof form / sizeof *form; i++)
		for (int last = 0; last < 2; last++) {
			const char *argv[8] = { NOISEC, "build" };
			int n = 2;
			if (last)
				argv[n++] = "line.noise";
			for (int k = 0; form[i][k] != NULL; k++)
				argv[n++] = form[i][k];
			if (!last)
				argv[n++] = "line.noise";
			unlink(in_work("x.glsl"));
			expect(__LINE__, FINE, argv);
			assert_int_equal(out.size, 0);
			expect_file("x.glsl", text);
		}
	put("-o", line_source);
	EXPECT(FINE, "--prefix", "line", "--", "-o");
	assert_string_equal(out.data, text);
	EXPECT(FINE, "--prefix", "line", "./-o");
	assert_string_equal(out.data, text);
	EXPECT(FINE, "eval", "--out=a", "many.noise", "--at=1,0");
	PRINTS("1,0  a=5\n");
	EXPECT(USE, "line.noise", "-MDx");
	EXPECT(USE, "line.noise", "-M=x");
	free(text);
}

/* Of two different values one would be ignored. A list grows, and of two values for one name the later counts. */
static void an_option_that_would_be_ignored_is_refused(void **state)
{
	(void)state;
	EXPECT(USE, "line.noise", "-o", "x", "--out-file", "y");
	SAYS("option '--out-file' is given twice: 'x' and 'y'");
	ONE_LINE();
	EXPECT(USE, "line.noise", "-O0", "-O2");
	EXPECT(USE, "eval", "line.noise", "--at", "0,0", "--seed", "1", "--seed", "2");
	EXPECT(USE, "eval", "line.noise", "--at", "0,0", "--format", "csv", "--format", "json");
	EXPECT(USE, "line.noise", "--prefix", "a", "--prefix", "b");
	EXPECT(FINE, "line.noise", "--prefix", "a", "--prefix", "a");
	EXPECT(FINE, "eval", "many.noise", "--at", "1,0", "--out", "a", "-D", "K=1", "-DK=10");
	PRINTS("1,0  a=12\n");
	EXPECT(FINE, "eval", "many.noise", "--at", "1,0", "--out", "a", "--set", "gain=1", "--set", "gain=3");
	PRINTS("1,0  a=6\n");
	EXPECT(USE, "line.noise", "--dump=ir", "-t", "glsl,program");
	EXPECT(USE, "line.noise", "--dump=spelled-inline", "-t", "program");
	SAYS("there is no stage 'spelled-inline' on the way to the target 'program'");
	EXPECT(USE, "line.noise", "--dump=shapren");
	SAYS("did you mean 'sharpen'?");
	EXPECT(USE, "line.noise", "--skip=foo");
	EXPECT(USE, "line.noise", "--dump=ir", "--header", "x.h");
	EXPECT(USE, "line.noise", "-MF", "x.d");
	EXPECT(USE, "line.noise", "-M", "-MD");
	EXPECT(USE, "line.noise", "-M", "--reflect", "x.json");
	EXPECT(USE, "line.noise", "-t", "glsl,glsl");
	EXPECT(USE, "line.noise", "-t", "");
	EXPECT(USE, "line.noise", "-t", "glsl,");
}

static void mistakes_are_told_with_what_was_meant(void **state)
{
	static const struct { const char *argument, *says; } cases[] = {
		{ "--prefxi=a", "unknown option '--prefxi'; did you mean '--prefix'?" }, { "-prefix=a", "unknown option '-prefix'; did you mean '--prefix'?" },
		{ "-help", "did you mean '--help'?" }, { "--helf", "did you mean '--help'?" }, { "--targte", "did you mean '--target'?" },
		{ "--zzzzzzz", "unknown option '--zzzzzzz'; 'noisec build --help' lists them" }, { "-z", "unknown option '-z'" }, { "-o", "option '-o' needs a value" },
		{ "-MF", "option '-MF' needs a value" }, { "--help=3", "option '--help' takes no value" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		EXPECT(USE, "line.noise", cases[i].argument);
		SAYS(cases[i].says);
		ONE_LINE();
	}
	EXPECT(USE, "-O0", "eval", "line.noise");
	SAYS("the verb comes first: noisec eval");
	EXPECT(USE, "help", "evla");
	SAYS("did you mean 'eval'?");
	EXPECT(USE, "help", "eval", "check");
	EXPECT(USE, "hlep");
	SAYS("did you mean 'help'?");
}

/* ---- files of arguments ---- */

static void response_files_stand_for_their_words(void **state)
{
	static const char *const texts[] = {
		"many.noise --at 1,0 --out a", "many.noise\n--at\t1,0\r\n\r\n  --out a\n", "# all of it\nmany.noise # the file\n--at 1,0 --out a#\n",
		"'many.noise' \"--at\" 1',0' --out \"\"a", "m\\any.noise --at 1\\,0 --out 'a'", "many.noise @more.rsp",
	};
	(void)state;
	put("a#", "");
	put("more.rsp", "--at 1,0 @most.rsp");
	put("most.rsp", "--out\na");
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		put("args.rsp", texts[i]);
		if (i == 2) {                   /* # inside a word is a letter */
			EXPECT(USE, "eval", "@args.rsp");
			SAYS("no output 'a#'");
			continue;
		}
		EXPECT(FINE, "eval", "@args.rsp");
		PRINTS("1,0  a=5\n");
	}
	put("all.rsp", "eval many.noise --at '1,0' --out a --set 'gain=3'");
	EXPECT(FINE, "@all.rsp");
	PRINTS("1,0  a=6\n");
	put("empty.rsp", "\n# nothing\n");
	EXPECT(FINE, "check", "line.noise", "@empty.rsp");
	put("@x", line_source);
	put("odd name.noise", line_source);
	put("odd.rsp", "check ./@x \\@x 'odd name.noise' odd\\ name.noise \"odd name.noise\" -- @x");
	EXPECT(FINE, "@odd.rsp");
	EXPECT(FINE, "check", "./@x", "--", "@x");
	feed("check line.noise");
	EXPECT(FINE, "@-");
}

static void wrong_response_files_are_told(void **state)
{
	static const struct { const char *text, *says; } cases[] = {
		{ "line.noise\n  'abc", "bad.rsp:2:3: this quote is not closed" }, { "\"a\nb\"", "bad.rsp:1:1: this quote is not closed" },
		{ "a 'b\\' c'd", "bad.rsp:1:9: this quote is not closed" }, { "\n\nabc\\", "bad.rsp:3:4: a backslash" }, { "a\\\nb", "bad.rsp:1:2: a backslash" },
		{ "@bad.rsp", "nested more than 16 deep" }, { "@", "@ needs the name" }, { "@none.rsp", "cannot read 'none.rsp'" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		put("bad.rsp", cases[i].text);
		EXPECT(i == 7 ? FILES : USE, "check", "@bad.rsp");
		SAYS(cases[i].says);
		ONE_LINE();
	}
	put_bytes("bad.rsp", "line.noise\0x", 12);
	EXPECT(USE, "check", "@bad.rsp");
	SAYS("bad.rsp: not a text file");
	EXPECT(FILES, "check", "@none.rsp");
	EXPECT(FILES, "check", "@.");
	EXPECT(USE, "@");
	/* a tree of files that would never end */
	for (int i = 0; i < 12; i++) {
		char name[16], text[256] = "";
		snprintf(name, sizeof name, "t%d", i);
		for (int k = 0; k < 20; k++)
			snprintf(text + strlen(text), sizeof text - strlen(text), "@t%d ", i + 1);
		put(name, text);
	}
	put("t12", "");
	EXPECT(USE, "check", "@t0");
	SAYS("more than 4096 response files");
}

/* ---- help ---- */

static void run_example(const char *line, size_t size)
{
	char text[512], path[1024];
	snprintf(text, sizeof text, "%.*s", (int)size, line);
	if (strstr(text, "glslangValidator") != NULL && run((const char *const[]){ "glslangValidator", "--version", NULL }) == 127) {
		printf("SKIP: glslangValidator is not installed, which an example uses\n");
		return;
	}
	/* the first noisec that is found is ours */
	snprintf(path, sizeof path, "PATH=%.*s:%s", (int)(strrchr(NOISEC, '/') - NOISEC), NOISEC, getenv("PATH"));
	given.environment = (const char *const[]){ path, NULL };
	int status = run((const char *const[]){ "sh", "-c", text, NULL });
	given.environment = NULL;
	if (status != 0)
		fail_msg("the example '%s' of the help ends with %d: %s", text, status, err.data);
}

static int run_examples(const char *help)
{
	int count = 0;
	for (const char *at = help; (at = strstr(at, "\n  noisec ")) != NULL; at++, count++)
		run_example(at + 3, strcspn(at + 3, "\n"));
	return count;
}

static void every_example_of_the_help_works(void **state)
{
	(void)state;
	put("hills.noise", "param feature = 64 in 1 .. 1000\nnode ridges = simplex() |> octaves(3, Ridged)\noutput height = perlin() |> octaves(5) |> scale(1 / feature)\n");
	put("caves.noise", "domain vec3\noutput cave: bool = perlin() > 0.3\n");
	put("places.csv", "x,y\n1,2\n");
	EXPECT(FINE, "--help");
	char *help = copy_output();
	assert_in_range(run_examples(help), 4, 100);
	/* the verbs, as the help lists them */
	int verbs = 0;
	for (const char *at = strstr(help, "verbs:\n") + 7; strncmp(at, "  ", 2) == 0; at = strchr(at, '\n') + 1) {
		char verb[32];
		snprintf(verb, sizeof verb, "%.*s", (int)strcspn(at + 2, " "), at + 2);
		if (strcmp(verb, "help") == 0)
			continue;
		EXPECT(FINE, "help", verb);
		char *text = copy_output();
		EXPECT(FINE, verb, "--help");
		assert_string_equal(out.data, text);
		if (run_examples(text) == 0)
			fail_msg("the help of %s has no example", verb);
		for (const char *line = text; *line != '\0'; line += strcspn(line, "\n") + 1)
			if (strcspn(line, "\n") > 125)
				fail_msg("a line of the help of %s is too long for a terminal: %.*s", verb, (int)strcspn(line, "\n"), line);
		free(text);
		verbs++;
	}
	assert_in_range(verbs, 4, 100);
	EXPECT(FINE, "help");
	assert_string_equal(out.data, help);
	EXPECT(FINE, "-h");
	assert_string_equal(out.data, help);
	free(help);
}

static void the_version_names_the_edition(void **state)
{
	int major, minor, patch, edition, end = 0;
	(void)state;
	EXPECT(FINE, "--version");
	assert_int_equal(sscanf(out.data, "noisec %d.%d.%d (language edition %d)\n%n", &major, &minor, &patch, &edition, &end), 4);
	assert_int_equal(end, out.size);
}

static void standard_input_may_have_a_name(void **state)
{
	(void)state;
	feed("output b = zz\n");
	EXPECT(SOURCE, "check", "-", "--stdin-name", "dir/hills.noise");
	SAYS("dir/hills.noise:1:12: error");
	feed(line_source);
	EXPECT(FINE, "-", "--stdin-name=dir/hills.noise");
	assert_non_null(strstr(out.data, "hills_eval("));
	EXPECT(FINE, "-", "--stdin-name=hills.noise", "-o", "./");
	assert_int_equal(access(in_work("hills.glsl"), F_OK), 0);
	EXPECT(USE, "-", "--stdin-name", "");
	EXPECT(USE, "-", "--stdin-name", "-");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(options_come_in_every_form),
		TEST(an_option_that_would_be_ignored_is_refused),
		TEST(mistakes_are_told_with_what_was_meant),
		TEST(response_files_stand_for_their_words),
		TEST(wrong_response_files_are_told),
		TEST(every_example_of_the_help_works),
		TEST(the_version_names_the_edition),
		TEST(standard_input_may_have_a_name),
	};
	return RUN_TESTS(tests);
}
