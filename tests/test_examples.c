/* Promise: every program in examples/ gives the same bits in the interpreter and in its shader. */
#include <dirent.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "diff.h"

static char *read_whole(const char *path)
{
	FILE *f = fopen(path, "rb");
	char *text;
	long size;
	assert_non_null(f);
	fseek(f, 0, SEEK_END);
	size = ftell(f);
	rewind(f);
	text = malloc((size_t)size + 1);
	assert_non_null(text);
	assert_int_equal(fread(text, 1, (size_t)size, f), (size_t)size);
	text[size] = 0;
	fclose(f);
	return text;
}

static int by_name(const struct dirent **a, const struct dirent **b) { return strcmp((*a)->d_name, (*b)->d_name); }

static void examples_are_equal_everywhere(void **state)
{
	struct dirent **entry;
	int count = scandir(EXAMPLES, &entry, NULL, by_name), programs = 0;
	Diff d;
	(void)state;
	assert_true(count > 0);
	diff_open(&d, 4096);
	d.fragments = true;
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
	diff_report(&d, "examples");
	assert_true(programs > 0);
	assert_int_equal(d.differing, 0);
	assert_int_equal(d.findings, 0);
	diff_close(&d);
}

/* names that a target keeps for itself, and names that functions of the library or of the program have too */
static void names_of_authors_survive_in_shaders(void **state)
{
	static const char text[] =
		"param texture2D: bool = true param gl_FragCoord = 4 param VULKAN = 1 param mat2x3 = 2\n"
		"input image: vec3 input t: bool input result in 0 .. 1\n"
		"node q_perlin = perlin() node gl = perlin(seed: 3) node q_out = value() node precise = simplex()\n"
		"node seedling = gl @ (p * 3) + gl + precise + (precise @ p.yx)\n"
		"output a = q_perlin + (q_perlin @ (p * 2)) + q_out + (q_out @ (p * 3)) + seedling\n"
		"output main = texture2D ? gl_FragCoord + VULKAN + mat2x3 + image.x : result\n"
		"output params: bool = t output eval = image.zyx output float_v: int = int(p.x)\n";
	static const char *const names[] = { "q.noise", "output.noise", "in.noise", "gl.noise", "gl_foo.noise", "texture.noise", "vary.noise" };
	Diff d;
	(void)state;
	diff_open(&d, 256);
	d.fragments = true;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		assert_int_equal(diff_program(&d, names[i], text, false), DIFF_EQUAL);
	diff_report(&d, "awkward names");
	diff_close(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(examples_are_equal_everywhere), cmocka_unit_test(names_of_authors_survive_in_shaders) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
