/* What users rely on in `noisec eval`: points in, numbers out. */
#include <stdlib.h>
#include <string.h>

#include "command.h"

static void wrong_use_of_eval_is_2(void **state)
{
	static const char *const points[] = { "1", "1,2,3", "1,x", "", "1,", ",", "1,nan", "inf,1", "1e39,0", "1 2", "1,2junk" };
	(void)state;
	for (size_t i = 0; i < sizeof points / sizeof *points; i++)
		EXPECT(USE, "eval", "line.noise", "--at", points[i]);
	EXPECT(USE, "eval", "line.noise", "--at", "1");
	SAYS("has 1 coordinate, but the domain of 'line.noise' has 2");
	EXPECT(USE, "eval", "line.noise");
	EXPECT(USE, "eval", "line.noise", "--at", "0,0", "--out", "aa");
	SAYS("no output 'aa' in 'line.noise'");
	EXPECT(USE, "eval", "line.noise", "--at", "0,0", "--format", "xml");
	EXPECT(USE, "eval", "many.noise", "--at", "0,0", "--set", "gian=1");
	SAYS("no param or input 'gian' in 'many.noise'; did you mean 'gain'?");
	EXPECT(USE, "eval", "many.noise", "--at", "0,0", "--set", "gain");
	EXPECT(USE, "eval", "many.noise", "--at", "0,0", "--set", "gain=");
	EXPECT(USE, "eval", "many.noise", "--at", "0,0", "--set", "gain=x");
	EXPECT(USE, "eval", "many.noise", "--at", "0,0", "--set", "gain=nan");
	EXPECT(USE, "eval", "many.noise", "--at", "0,0", "--set", "gain=1,2");
	EXPECT(USE, "eval", "many.noise", "--at", "0,0", "--set", "tint=1,2");
	EXPECT(USE, "eval", "many.noise", "--at", "0,0", "--set", "count=1.5");
	EXPECT(USE, "eval", "many.noise", "--at", "0,0", "--set", "count=3000000000");
	EXPECT(USE, "eval", "many.noise", "--at", "0,0", "--set", "mask=-1");
	EXPECT(USE, "eval", "many.noise", "--at", "0,0", "--set", "on=2");
	EXPECT(USE, "eval", "many.noise", "--at", "0,0", "--set", "kind=Sea");
	SAYS("expected one of enum Biome");
	EXPECT(USE, "eval", "many.noise", "--at", "0,0", "--set", "kind=3");
	EXPECT(USE, "eval", "line.noise", "--at", "0,0", "--seed", "-1");
	EXPECT(USE, "eval", "line.noise", "--at", "0,0", "--seed", "1x");
	EXPECT(USE, "eval", "line.noise", "--at", "0,0", "--seed", "18446744073709551616");
}

/* ---- eval ---- */

static void eval_prints_text(void **state)
{
	(void)state;
	EXPECT(FINE, "eval", "line.noise", "--at", "12.5,-3", "--at", "-0,0.1");
	PRINTS("12.5,-3  a=26\n0,0.1  a=1\n");
	EXPECT(FINE, "eval", "many.noise", "--at", "1.5,-3", "--set", "place=Forest");
	PRINTS("1.5,-3  a=6 b=true e=Forest i=3 v=(1.5, 3, 4.5) u=7 o=10\n");
	assert_int_equal(err.size, 0);
}

static void eval_prints_csv(void **state)
{
	(void)state;
	EXPECT(FINE, "eval", "many.noise", "--at", "1.5,-3", "--at", "-2,1e10", "--format", "csv");
	PRINTS("x,y,a,b,e,i,v.x,v.y,v.z,u,o\n1.5,-3,6,true,Ocean,3,1.5,3,4.5,7,10\n-2,1e10,-1,false,Beach,-6,-2,-4,-6,7,10\n");
}

static void eval_prints_bits(void **state)
{
	(void)state;
	EXPECT(FINE, "eval", "many.noise", "--at", "1.5,-3", "--at", "-2,-0", "--format=bits");
	PRINTS("x,y,a,b,e,i,v.x,v.y,v.z,u,o\n"
		"3fc00000,c0400000,40c00000,00000001,00000000,00000003,3fc00000,40400000,40900000,00000007,41200000\n"
		"c0000000,00000000,bf800000,00000000,00000001,fffffffa,c0000000,c0800000,c0c00000,00000007,41200000\n");
	put("zero.noise", "param k = 1.0\noutput a = -(p.x * k)\noutput v: vec2 = -p * k\noutput m = p.x * (-k)\n");
	EXPECT(FINE, "eval", "zero.noise", "--at", "0,0", "--format", "bits");
	PRINTS("x,y,a,v.x,v.y,m\n00000000,00000000,00000000,00000000,00000000,00000000\n");
	EXPECT(FINE, "eval", "zero.noise", "--at", "0,0");
	PRINTS("0,0  a=0 v=(0, 0) m=0\n");
}

static void eval_prints_json(void **state)
{
	(void)state;
	EXPECT(FINE, "eval", "many.noise", "--at", "1.5,-3", "--at", "1,1", "--format", "json");
	PRINTS("[\n{\"p\":[1.5,-3],\"a\":6,\"b\":true,\"e\":\"Ocean\",\"i\":3,\"v\":[1.5,3,4.5],\"u\":7,\"o\":10},\n"
		"{\"p\":[1,1],\"a\":5,\"b\":false,\"e\":\"Beach\",\"i\":3,\"v\":[1,2,3],\"u\":7,\"o\":10}\n]\n");
	put("none.csv", "");
	EXPECT(FINE, "eval", "many.noise", "--points", "none.csv", "--format", "json");
	PRINTS("[\n]\n");
}

static void eval_takes_as_many_coordinates_as_the_domain(void **state)
{
	static const char *const point[] = { "1", "1,2", "1,2,3", "1,2,3,4" };
	static const char *const source[] = {
		"domain float\noutput a = p\n", "domain vec2\noutput a = p.x + p.y\n",
		"domain vec3\noutput a = p.x + p.y + p.z\n", "domain vec4\noutput a = p.x + p.y + p.z + p.w\n" };
	static const char *const line[] = { "1  a=1\n", "1,2  a=3\n", "1,2,3  a=6\n", "1,2,3,4  a=10\n" };
	(void)state;
	for (int i = 0; i < 4; i++) {
		put("d.noise", source[i]);
		for (int j = 0; j < 4; j++)
			EXPECT(i == j ? FINE : USE, "eval", "d.noise", "--at", point[j]);
		EXPECT(FINE, "eval", "d.noise", "--at", point[i]);
		PRINTS(line[i]);
	}
}

static void points_come_from_files_and_standard_input(void **state)
{
	(void)state;
	put("p.csv", "1,2\n3 4\n\n   \n5\t,  6\r\n7,8");
	EXPECT(FINE, "eval", "line.noise", "--points", "p.csv");
	PRINTS("1,2  a=3\n3,4  a=7\n5,6  a=11\n7,8  a=15\n");
	feed("y x\r\n\r\n1 2\r\n");
	EXPECT(FINE, "eval", "line.noise", "--points", "-", "--at", "0,0", "--format", "csv");
	PRINTS("x,y,a\n0,0,1\n2,1,5\n");
	put("p.csv", "x,y,level,wind.y,place,wind.x\n1,2,0.5,7,Forest,8\n2,0,-9,0,1,0\n");
	EXPECT(FINE, "eval", "many.noise", "--points", "p.csv", "--set", "wind=1", "--out", "a", "--out", "e", "--out", "v");
	PRINTS("1,2  a=5.5 e=Beach v=(9, 9, 4)\n2,0  a=6 e=Beach v=(2, 4, 7)\n");
	EXPECT(FINE, "eval", "many.noise", "--at", "1,0", "--points", "p.csv", "--set", "level=-0.5", "--out", "a");
	PRINTS("1,0  a=4.5\n1,2  a=5.5\n2,0  a=6\n");
	put("p.csv", "\xef\xbb\xbfx,y\n1,2\n");
	EXPECT(FINE, "eval", "line.noise", "--points", "p.csv");
	PRINTS("1,2  a=3\n");
}

static void wrong_points_say_file_and_line(void **state)
{
	static const char *const wrong[] = {
		"x,y\n1\n", "1,2\n1,2,3\n", "1,2\n1,x\n", "1,2\n1,,2\n", "1,2\n1,2,\n", "1,2\n1,nan\n", "x,y,level\n1,2\n",
		"x,y,place\n1,2,Sea\n", "1,2\nx,y\n",
	};
	static const char *const header[] = { "x,y,levle\n1,2,3\n", "x\n1\n", "x,y,x\n1,2,3\n", "x,y,wind\n1,2,3\n" };
	(void)state;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		put("p.csv", wrong[i]);
		EXPECT(USE, "eval", "many.noise", "--points", "p.csv");
		SAYS("p.csv:2: ");
	}
	for (size_t i = 0; i < sizeof header / sizeof *header; i++) {
		put("p.csv", header[i]);
		EXPECT(USE, "eval", "many.noise", "--points", "p.csv");
		SAYS("p.csv:1: ");
	}
	put_bytes("p.csv", "1,2\n\0", 5);
	EXPECT(USE, "eval", "line.noise", "--points", "p.csv");
}

static void set_gives_params_and_inputs(void **state)
{
	(void)state;
	EXPECT(FINE, "eval", "many.noise", "--at", "2,0", "--set", "gain=0.5", "--set", "tint=1,0,-1", "--set", "kind=Forest",
		"--set", "count=0x4", "--set", "mask=0xffffffff", "--set", "level=0.25", "--set", "wind=1,2,3", "--set", "place=1", "--set", "base=15");
	PRINTS("2,0  a=4.25 b=true e=Beach i=8 v=(3, 2, 1) u=4294967295 o=15\n");
	assert_int_equal(err.size, 0);
	EXPECT(FINE, "eval", "many.noise", "--at", "1,0", "--set", "kind=Forest", "--set", "tint=2", "--set", "on=false", "--set", "gain=1", "--set", "gain=3");
	PRINTS("1,0  a=6 b=false e=Forest i=3 v=(2, 2, 2) u=7 o=10\n");
}

static void values_outside_a_range_are_clamped_and_told(void **state)
{
	(void)state;
	EXPECT(FINE, "eval", "many.noise", "--at", "1,0", "--out", "a", "--set", "gain=9");
	PRINTS("1,0  a=7\n");
	SAYS("note: gain=9 is outside its range, taken as 4\n");
	EXPECT(FINE, "eval", "many.noise", "--at", "1,0", "--out", "i", "--set", "count=-5");
	PRINTS("1,0  i=0\n");
	SAYS("taken as 0\n");
	EXPECT(FINE, "eval", "many.noise", "--at", "1,0", "--out", "a", "--set", "level=-7");
	PRINTS("1,0  a=4\n");
	SAYS("note: level=-7 is outside its range, taken as -1\n");
}

static void seeds_have_64_bits(void **state)
{
	static const char *const seed[][2] = {          /* pairs that are one seed */
		{ "7", "0x7" }, { "0", "0" }, { "4294967303", "0x100000007" }, { "18446744073709551615", "0xffffffffffffffff" },
	};
	char *text[4];
	(void)state;
	put("seed.noise", "output a: uint = seed\noutput b = perlin()\n");
	for (int i = 0; i < 4; i++) {
		EXPECT(FINE, "eval", "seed.noise", "--at", "0.3,0.4", "--seed", seed[i][0]);
		text[i] = copy_output();
		EXPECT(FINE, "eval", "seed.noise", "--at", "0.3,0.4", "--seed", seed[i][1]);
		assert_string_equal(out.data, text[i]);
		for (int j = 0; j < i; j++)
			assert_string_not_equal(text[i], text[j]);
	}
	assert_non_null(strstr(text[0], " a=7 "));
	EXPECT(FINE, "eval", "seed.noise", "--at", "0.3,0.4");
	assert_string_equal(out.data, text[1]);
	for (int i = 0; i < 4; i++)
		free(text[i]);
}

static void out_chooses_outputs_in_order(void **state)
{
	(void)state;
	EXPECT(FINE, "eval", "many.noise", "--at", "1,0", "--out", "u", "--out", "a", "--out", "u");
	PRINTS("1,0  u=7 a=5 u=7\n");
	EXPECT(FINE, "eval", "many.noise", "--at", "1,0", "--out", "v", "--format", "csv");
	PRINTS("x,y,v.x,v.y,v.z\n1,0,1,2,3\n");
}

static void define_replaces_a_const(void **state)
{
	(void)state;
	EXPECT(FINE, "eval", "many.noise", "--at", "1,0", "--out", "a", "-D", "K=10");
	PRINTS("1,0  a=12\n");
	EXPECT(FINE, "eval", "many.noise", "--at", "1,0", "--out", "a", "-DK=-1.5 * 2");
	PRINTS("1,0  a=-1\n");
	EXPECT(SOURCE, "eval", "many.noise", "--at", "1,0", "-D", "K=zz");
	SAYS("<command line>:");
	EXPECT(FINE, "check", "many.noise", "-D", "K=1");
	EXPECT(FINE, "many.noise");
	char *text = copy_output();
	EXPECT(FINE, "many.noise", "-D", "K=10");
	assert_string_not_equal(out.data, text);
	free(text);
}

/* Points near 0, negative, on lattice lines and far, with as many coordinates as the program wants. */
static void optimising_keeps_bits(const char *path, const char *name)
{
	char points[500 * 64];
	(void)name;
	for (int domain = 2; domain <= 3; domain++) {
		uint32_t h = 1;
		size_t size = 0;
		for (int i = 0; i < 500; i++)
			for (int axis = 0; axis < domain; axis++) {
				h = h * 1664525u + 1013904223u;
				double x = ((double)(h >> 8) - 8388608.0) / (i % 3 == 0 ? 8388608.0 : i % 3 == 1 ? 4096.0 : 262144.0);
				size += (size_t)snprintf(points + size, sizeof points - size, "%.9g%c", i % 5 == 0 ? (int)x : x, axis + 1 < domain ? ',' : '\n');
			}
		feed(points);
		if (run((const char *const[]){ NOISEC, "eval", path, "--points", "-", "--format", "bits", "-O0", NULL }) == FINE)
			break;
		assert_int_equal(domain, 2);
	}
	char *text = copy_output();
	assert_true(out.size > 500 * 20);
	EXPECT(FINE, "eval", path, "--points", "-", "--format", "bits", "-O2");
	assert_string_equal(out.data, text);
	EXPECT(FINE, "eval", path, "--points", "-", "--format", "bits");
	assert_string_equal(out.data, text);
	free(text);
}

static void optimised_or_not_gives_the_same_bits(void **state)
{
	(void)state;
	each_example(optimising_keeps_bits);
}

static void eval_writes_a_file_and_nothing_over(void **state)
{
	(void)state;
	put("p.csv", "1,2\n");
	EXPECT(FINE, "eval", "line.noise", "--points", "p.csv", "-o", "a.txt");
	assert_int_equal(out.size, 0);
	expect_file("a.txt", "1,2  a=3\n");
	EXPECT(USE, "eval", "line.noise", "--points", "p.csv", "-o", "p.csv");
	SAYS("'p.csv' would be written over its own source");
	EXPECT(USE, "eval", "line.noise", "--points", "p.csv", "-o", "line.noise");
	EXPECT(USE, "eval", "line.noise", "--points", "x", "-o", "a.txt", "--format", "xml");
	expect_file("p.csv", "1,2\n");
	expect_file("a.txt", "1,2  a=3\n");
	EXPECT(USE, "eval", "-", "--points", "-");
	SAYS("standard input can be read only once");
	EXPECT(USE, "eval", "line.noise", "--points", "-", "--points", "-");
	EXPECT(USE, "check", "-", "-");
	EXPECT(USE, "eval", "line.noise", "1,2");
	SAYS("an option with a value is missing before it, such as --at");
}

/* Each mistake of -D is one message, at its place, and says what is meant. */
static void wrong_defines_are_told(void **state)
{
	static const struct { const char *define, *says; } cases[] = {
		{ "K", "-D needs NAME=VALUE, not 'K'" }, { "K=", "-D needs NAME=VALUE" }, { "=1", "-D needs NAME=VALUE" }, { "gain=1", "'gain' is a param: the host sets it" },
		{ "KK=1", "-D KK: the program has no const of this name" }, { "k=1", "did you mean 'K'?" }, { "K=)", "expected an expression, found ')'" }, { "K=1 2", "<command line>:1:13: error[N0110]" },
		{ "K=1;", "statements end without ';'" }, { "K=1\nconst L = 2", "needs one expression" }, { "a=1", "no const of this name" }, { "perlin=1", "no const of this name" },
		{ "3=4", "expected a name" }, { "", "-D needs NAME=VALUE" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		EXPECT(USE, "eval", "many.noise", "--at", "0,0", "-D", cases[i].define);
		SAYS(cases[i].says);
		if (cases[i].define[0] != '\0') {
			const char *first = strstr(err.data, "error[");
			assert_true(first == NULL || strstr(first + 1, "error[") == NULL);
		}
	}
}

static void wrong_enumerators_are_told_with_all(void **state)
{
	(void)state;
	EXPECT(USE, "eval", "many.noise", "--at", "0,0", "--set", "kind=ocean");
	SAYS("bad value 'ocean' for 'kind': expected one of enum Biome: Ocean, Beach, Forest");
	put("big.noise", "enum E { A000000000000000000000000000000000000000000000000000000000001, A000000000000000000000000000000000000000000000000000000000002,\n"
		"A000000000000000000000000000000000000000000000000000000000003, A000000000000000000000000000000000000000000000000000000000004 }\n"
		"param e: E = A000000000000000000000000000000000000000000000000000000000001\noutput a: E = e\n");
	EXPECT(USE, "eval", "big.noise", "--at", "0,0", "--set", "e=B");
	SAYS(" ...");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(wrong_use_of_eval_is_2),
		TEST(eval_prints_text),
		TEST(eval_prints_csv),
		TEST(eval_prints_bits),
		TEST(eval_prints_json),
		TEST(eval_takes_as_many_coordinates_as_the_domain),
		TEST(points_come_from_files_and_standard_input),
		TEST(wrong_points_say_file_and_line),
		TEST(set_gives_params_and_inputs),
		TEST(values_outside_a_range_are_clamped_and_told),
		TEST(seeds_have_64_bits),
		TEST(out_chooses_outputs_in_order),
		TEST(define_replaces_a_const),
		TEST(optimised_or_not_gives_the_same_bits),
		TEST(eval_writes_a_file_and_nothing_over),
		TEST(wrong_defines_are_told),
		TEST(wrong_enumerators_are_told_with_all),
	};
	return RUN_TESTS(tests);
}
