/* Promise: what a stage makes of a program changes only on purpose. Beside each golden/NAME.noise lie the forms that
   are kept, NAME.STAGE.txt or NAME.STAGE.TARGET.txt. A difference is shown by its first line; with
   NOISE_UPDATE_GOLDEN set the files are written anew, to be reviewed as a diff. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "noisec.h"

#define FOLDER TESTS "/golden"

static char *read_text(const char *path, size_t *size)
{
	FILE *file = fopen(path, "rb");
	if (!file)
		fail_msg("cannot read %s", path);
	char *text = calloc(1, 1 << 20);
	*size = fread(text, 1, (1 << 20) - 1, file);
	fclose(file);
	return text;
}

/* "NAME.STAGE[.TARGET].txt" in parts; false: another file. */
static bool split(char *file, char **stage, char **target)
{
	char *dot = strchr(file, '.'), *end = dot ? strstr(dot, ".txt") : NULL;
	if (!end || strcmp(end, ".txt") != 0 || end == dot)
		return false;
	*dot = *end = '\0';
	*stage = dot + 1;
	*target = strchr(*stage, '.');
	if (*target)
		*(*target)++ = '\0';
	return true;
}

static bool same_text(const char *what, const char *want, const char *got)
{
	unsigned line = 1;
	if (!strcmp(want, got))
		return true;
	while (*want && *want == *got) {
		line += *want == '\n';
		want++;
		got++;
	}
	while (line > 1 && want[-1] != '\n') {
		want--;
		got--;
	}
	print_error("%s:%u:\n  kept  %.*s\n  now   %.*s\n", what, line, (int)strcspn(want, "\n"), want, (int)strcspn(got, "\n"), got);
	return false;
}

static void every_form_is_as_it_was_kept(void **state)
{
	DIR *folder = opendir(FOLDER);
	int forms = 0, changed = 0;
	(void)state;
	assert_non_null(folder);
	for (struct dirent *entry; (entry = readdir(folder));) {
		char name[256], source[1024], kept[1024], *stage, *target;
		size_t size, source_size;
		const char *data;
		nz_module *m = NULL;
		snprintf(name, sizeof name, "%s", entry->d_name);
		if (!split(name, &stage, &target))
			continue;
		forms++;
		snprintf(source, sizeof source, "%s/%s.noise", FOLDER, name);
		snprintf(kept, sizeof kept, "%s/%s", FOLDER, entry->d_name);
		char *text = read_text(source, &source_size), *want = read_text(kept, &size);
		if (nz_compile_module(name, text, source_size, NULL, &m) != NZ_OK)
			fail_msg("%s", nz_get_diagnostics(m));
		assert_int_equal(nz_dump_stage(m, stage, target, &data, &size), NZ_OK);
		if (getenv("NOISE_UPDATE_GOLDEN")) {
			FILE *out = fopen(kept, "wb");
			assert_non_null(out);
			assert_int_equal(fwrite(data, 1, size, out), size);
			fclose(out);
		} else {
			changed += !same_text(entry->d_name, want, data);
		}
		nz_free_module(m);
		free(text);
		free(want);
	}
	closedir(folder);
	printf("golden: %d forms, %d changed\n", forms, changed);
	assert_true(forms > 10);
	assert_int_equal(changed, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(every_form_is_as_it_was_kept) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
