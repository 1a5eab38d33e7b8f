/* Promise: the tutorial is true. Its programs are the files of examples/tutorial/, all of them; its commands run as
   they stand and print what stands below them; its pictures are what they draw. */
#define _XOPEN_SOURCE 700
#include <dirent.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include <png.h>

#define PAGE TESTS "/../docs/tutorial.md"
#define FILES EXAMPLES "/tutorial"

enum { ROOM = 1 << 16 };

static char folder[] = "/tmp/noisetutorial-XXXXXX";

static char *read_stream(FILE *f)
{
	char *text = calloc(1, ROOM);
	assert_non_null(text);
	assert_true(fread(text, 1, ROOM - 1, f) < ROOM - 1);
	return text;
}

static char *read_whole(const char *path)
{
	FILE *f = fopen(path, "rb");
	if (!f)
		fail_msg("cannot read %s", path);
	char *text = read_stream(f);
	fclose(f);
	return text;
}

/* The next block fenced as `kind`, or NULL; *after is behind it. */
static char *next_block(const char *from, const char *kind, const char **after)
{
	char fence[32];
	snprintf(fence, sizeof fence, "\n```%s\n", kind);
	const char *start = strstr(from, fence), *end;
	if (!start)
		return NULL;
	start += strlen(fence);
	end = strstr(start, "```\n");
	assert_non_null(end);
	*after = end + 3;
	return strndup(start, (size_t)(end - start));
}

static void programs_are_the_files(void **state)
{
	char *page = read_whole(PAGE);
	struct dirent **entry;
	const char *at = page;
	int shown = 0, files = 0, count = scandir(FILES, &entry, NULL, alphasort);
	(void)state;
	assert_true(count > 0);
	for (int i = 0; i < count; i++) {
		char path[512], named[512];
		if (strstr(entry[i]->d_name, ".noise")) {
			files++;
			snprintf(path, sizeof path, FILES "/%.200s", entry[i]->d_name);
			snprintf(named, sizeof named, "\n`examples/tutorial/%.200s`:\n\n```noise\n", entry[i]->d_name);
			char *text = read_whole(path), *block;
			at = strstr(at, named);
			if (!at)
				fail_msg("the page does not show %s, or not in its turn", entry[i]->d_name);
			block = next_block(at, "noise", &at);
			assert_string_equal(block, text);
			free(block);
			free(text);
		}
		free(entry[i]);
	}
	free(entry);
	for (at = page; (at = strstr(at, "\n```noise")) != NULL; at++)
		shown++;
	assert_int_equal(shown, files);
	assert_true(files >= 5);
	free(page);
}

/* Runs one line in the folder, where `noisec` is the one that was built; returns what it prints. */
static char *run(const char *line)
{
	char command[2048];
	if (strncmp(line, "noisec ", 7))
		fail_msg("not a command of the tutorial: %s", line);
	snprintf(command, sizeof command, "cd %s && " NOISEC " %s 2>&1", folder, line + 7);
	FILE *f = popen(command, "r");
	assert_non_null(f);
	char *said = read_stream(f);
	if (pclose(f))
		fail_msg("%s\nfails:\n%s", line, said);
	return said;
}

static void commands_print_what_is_shown(void **state)
{
	char *page = read_whole(PAGE), *block;
	const char *at = page;
	int commands = 0, shown = 0;
	(void)state;
	while ((block = next_block(at, "sh", &at)) != NULL) {
		char *all = calloc(1, ROOM);
		for (char *line = strtok(block, "\n"); line; line = strtok(NULL, "\n"), commands++) {
			char *said = run(line);
			strcat(all, said);
			free(said);
		}
		const char *ignored;
		char *want = !strncmp(at, "\n\n```text\n", 10) ? next_block(at, "text", &ignored) : strdup("");
		assert_string_equal(all, want);
		shown += want[0] != 0;
		free(want);
		free(all);
		free(block);
	}
	printf("tutorial: %d commands run, output of %d blocks compared\n", commands, shown);
	assert_true(commands >= 8 && shown >= 3);
	free(page);
}

static png_bytep read_picture(const char *path, png_image *image)
{
	*image = (png_image){ .version = PNG_IMAGE_VERSION };
	if (!png_image_begin_read_from_file(image, path))
		fail_msg("cannot read %s", path);
	image->format = PNG_FORMAT_RGBA;
	png_bytep pixels = malloc(PNG_IMAGE_SIZE(*image));
	assert_true(png_image_finish_read(image, NULL, pixels, 0, NULL));
	return pixels;
}

/* After the commands have run. */
static void pictures_are_what_the_commands_draw(void **state)
{
	char *page = read_whole(PAGE), name[256], kept[512], drawn[512];
	int pictures = 0;
	(void)state;
	for (const char *at = page; (at = strstr(at, "](tutorial/")) != NULL; at++, pictures++) {
		png_image a, b;
		assert_int_equal(sscanf(at, "](tutorial/%255[^)]", name), 1);
		snprintf(kept, sizeof kept, TESTS "/../docs/tutorial/%s", name);
		snprintf(drawn, sizeof drawn, "%s/%s", folder, name);
		png_bytep x = read_picture(kept, &a), y = read_picture(drawn, &b);
		assert_true(a.width == b.width && a.height == b.height);
		if (memcmp(x, y, PNG_IMAGE_SIZE(a)))
			fail_msg("%s is not what its command draws", name);
		free(x);
		free(y);
	}
	assert_true(pictures >= 5);
	free(page);
}

static int enter(void **state)
{
	char command[512];
	(void)state;
	if (!mkdtemp(folder))
		return -1;
	snprintf(command, sizeof command, "cp " FILES "/*.noise %s", folder);
	return system(command);
}

static int leave(void **state)
{
	char command[512];
	(void)state;
	snprintf(command, sizeof command, "rm -r %s", folder);
	return system(command);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(programs_are_the_files),
		cmocka_unit_test(commands_print_what_is_shown),
		cmocka_unit_test(pictures_are_what_the_commands_draw),
	};
	return cmocka_run_group_tests(tests, enter, leave);
}
