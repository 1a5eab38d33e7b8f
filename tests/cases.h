/* The mistakes in tests/mistakes/, read into memory. A case is

       //// what is wrong
       //! -Wall                                    options, if it needs any
           output a = perlim()                      the program, four blanks further right
       //|            ^~~~~~ N0203 unknown …        what is said of the line above

   A mark covers what the message is about: ^ and ~ for its columns, | for the point before a column; ~~> goes on
   to the place named behind it. Notes and fixes follow their message; those of other lines, of the library or of
   no place start with a place instead of a mark. A fix tells what is written instead, \n for a new line, and
   `remove` where nothing is. */
#ifndef CASES_H
#define CASES_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Case {
	char *file, *title, *options;           /* options: what follows //!, or NULL */
	char *program, *expected;               /* expected: the lines of the case, program included */
} Case;

typedef struct Cases { Case *item; size_t count; } Cases;

static char *case_text(const char *start, size_t size)
{
	char *text = calloc(1, size + 1);
	assert_non_null(text);
	memcpy(text, start, size);
	return text;
}

static void case_append(char **text, const char *piece, size_t size)
{
	size_t old = *text ? strlen(*text) : 0;
	*text = realloc(*text, old + size + 1);
	assert_non_null(*text);
	memcpy(*text + old, piece, size);
	(*text)[old + size] = '\0';
}

static void cases_read(Cases *cases, const char *folder, const char *name)
{
	char path[1024];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *f = fopen(path, "rb");
	assert_non_null(f);
	char *text = calloc(1, 1 << 20);
	assert_true(fread(text, 1, (1 << 20) - 1, f) > 0);
	fclose(f);
	Case *now = NULL;
	for (char *line = text, *next; *line; line = next) {
		size_t size = strcspn(line, "\n");
		next = line + size + (line[size] == '\n');
		if (!strncmp(line, "//// ", 5)) {
			cases->item = realloc(cases->item, (cases->count + 1) * sizeof *cases->item);
			assert_non_null(cases->item);
			now = &cases->item[cases->count++];
			*now = (Case){ .file = case_text(name, strlen(name)), .title = case_text(line + 5, size - 5) };
			now->program = case_text("", 0);
			now->expected = case_text("", 0);
		} else if (now && !strncmp(line, "//! ", 4)) {
			now->options = case_text(line + 4, size - 4);
		} else if (now && !strncmp(line, "    ", 4)) {
			if (*now->program)
				case_append(&now->program, "\n", 1);
			case_append(&now->program, line + 4, size - 4);
		} else if (now && size > 0 && strncmp(line, "//|", 3)) {
			fail_msg("%s: neither program nor expectation: %.*s", path, (int)size, line);
		}
		if (now && (!strncmp(line, "    ", 4) || !strncmp(line, "//|", 3)))
			case_append(&now->expected, line, (size_t)(next - line));
	}
	free(text);
}

static int case_file(const struct dirent *e)
{
	const char *dot = strrchr(e->d_name, '.');
	return dot && !strcmp(dot, ".noise");
}

static Cases cases_load(const char *folder)
{
	Cases cases = { 0 };
	struct dirent **entry;
	int count = scandir(folder, &entry, case_file, alphasort);
	assert_true(count > 0);
	for (int i = 0; i < count; i++) {
		cases_read(&cases, folder, entry[i]->d_name);
		free(entry[i]);
	}
	free(entry);
	return cases;
}

static void cases_free(Cases *cases)
{
	for (size_t i = 0; i < cases->count; i++) {
		Case *c = &cases->item[i];
		free(c->file);
		free(c->title);
		free(c->options);
		free(c->program);
		free(c->expected);
	}
	free(cases->item);
}

#endif
