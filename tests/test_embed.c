/* Promise: a host that carries a program in its own text computes what the command computes. The example game is
   built with the header that `noisec world.noise -t program --header` makes, and its answers are compared with
   `noisec eval`; the header serves C and C++, and is whole where names are words of C. */
#include <stdlib.h>
#include <string.h>

#include "command.h"

enum { MOST_LINES = 40 };

/* The height that the command tells of a place, in the game's world. */
static float height_by_command(const char *place)
{
	EXPECT(FINE, "eval", EXAMPLES "/embed/world.noise", "--at", place, "--set", "sea=1.5", "--seed", "2026", "--out", "height");
	const char *at = strstr(out.data, "height=");
	assert_non_null(at);
	return strtof(at + 7, NULL);
}

static void the_game_stands_on_the_ground_of_the_command(void **state)
{
	(void)state;
	assert_int_equal(run((const char *const[]){ GAME, NULL }), 0);
	char *answer = copy_output();
	int places = 0, rows = 0;
	for (char *line = strtok(answer, "\n"); line != NULL && rows < MOST_LINES; line = strtok(NULL, "\n")) {
		char place[64];
		float height;
		if (sscanf(line, "spawn %63s height %f", place, &height) == 2 || sscanf(line, "walk %63s height %f", place, &height) == 2) {
			places++;
			if (height != height_by_command(place))
				fail_msg("%s", line);
			assert_true(height >= 1.5f);            /* dry */
		} else {
			rows++;
			assert_int_equal(strlen(line), 60);     /* a row of the map */
			assert_int_equal(strspn(line, "~.\"^@"), 60);
		}
	}
	assert_int_equal(places, 5);
	assert_int_equal(rows, 20);
	free(answer);
}

static void compile(const char *compiler, const char *standard, const char *source)
{
	const char *const argv[] = { compiler, standard, "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only", source, NULL };
	if (run(argv) != 0)
		fail_msg("%s", err.data);
}

static void the_header_is_c_and_cpp_whatever_names_it_has(void **state)
{
	(void)state;
	put("while.noise", "/// A tricky */ comment \\\nenum Do { If, Else }\nparam int32 = 1 in 0 .. 2\nparam class: Do = Do.Else\n"
		"input union: vec2\noutput double = perlin() + int32 + union.x\noutput new: Do = class\n");
	EXPECT(FINE, "while.noise", "-t", "program", "--header", "while.h");
	PRINTS("");
	put("host.c", "#include \"while.h\"\n#include \"while.h\"\n"
		"int check[sizeof while_program > 100 && while_PARAM_class == 1 && while_OUTPUT_double == 0 && while_Do_Else == 1 ? 1 : -1];\n");
	compile(CC, "-std=c11", "host.c");
	put("host.cc", "#include \"while.h\"\nstatic_assert(sizeof while_program > 100 && while_INPUT_union == 0, \"\");\n");
	compile(CXX, "-std=c++11", "host.cc");
}

static void the_bytes_are_those_of_the_program(void **state)
{
	(void)state;
	put("hill.noise", "param k = 2\noutput h = perlin() * k\n");
	EXPECT(FINE, "hill.noise", "-t", "program", "-o", "hill.nzp", "--header", "hill.h");
	Bytes blob = read_bytes(in_work("hill.nzp")), header = read_bytes(in_work("hill.h"));
	char *at = strstr(header.data, "] = {");
	assert_non_null(at);
	at += 5;
	for (size_t i = 0; i < blob.size; i++) {
		char *end;
		assert_int_equal(strtoul(at, &end, 10), (unsigned char)blob.data[i]);
		assert_true(end != at);
		at = end + (*end == ',');
	}
	assert_int_equal(*(at + strspn(at, "\n")), '}');
	free(blob.data);
	free(header.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_game_stands_on_the_ground_of_the_command),
		TEST(the_header_is_c_and_cpp_whatever_names_it_has),
		TEST(the_bytes_are_those_of_the_program)
	};
	return RUN_TESTS(tests);
}
