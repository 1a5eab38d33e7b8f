/* Dependency rules in the form of gcc -M, which make and ninja read. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

typedef struct Line { char *data; size_t size, capacity; bool failed; } Line;

static void add(Line *line, const char *text, size_t size)
{
	if (line->failed)
		return;
	if (line->size + size + 1 > line->capacity) {
		size_t capacity = 2 * line->capacity + size + 256;
		char *more = realloc(line->data, capacity);
		line->failed = more == NULL;
		if (line->failed)
			return;
		line->data = more;
		line->capacity = capacity;
	}
	memcpy(line->data + line->size, text, size);
	line->size += size;
	line->data[line->size] = '\0';
}

/* A blank is escaped, and with it the backslashes before it, which otherwise mean themselves. */
static void add_word(Line *line, const char *name)
{
	for (const char *at = name; *at != '\0'; at++) {
		if (*at == ' ' || *at == '\t') {
			for (const char *back = at; back > name && back[-1] == '\\'; back--)
				add(line, "\\", 1);
			add(line, "\\", 1);
		} else if (*at == '#')
			add(line, "\\", 1);
		else if (*at == '$')
			add(line, "$", 1);
		add(line, at, 1);
	}
}

char *quote_target(const char *name)
{
	Line line = { 0 };
	add(&line, "", 0);
	add_word(&line, name);
	if (line.failed) {
		free(line.data);
		return NULL;
	}
	return line.data;
}

int print_rule(const nz_module *module, bool unnamed, const char *const *targets, size_t count, bool phony, char **out, size_t *size)
{
	Line line = { 0 };
	size_t files = nz_count_dependencies(module);
	for (size_t i = 0; i < count; i++) {
		add(&line, " ", i > 0);
		add(&line, targets[i], strlen(targets[i]));
	}
	add(&line, ":", 1);
	for (size_t i = unnamed; i < files; i++) {   /* standard input is no file */
		add(&line, i > unnamed ? " \\\n  " : " ", i > unnamed ? 5 : 1);
		add_word(&line, nz_get_dependency(module, i));
	}
	add(&line, "\n", 1);
	for (size_t i = 1; i < files && phony; i++) {   /* so that a file may vanish */
		add_word(&line, nz_get_dependency(module, i));
		add(&line, ":\n", 2);
	}
	if (line.failed) {
		free(line.data);
		return complain(STATUS_FILE, "out of memory");
	}
	*out = line.data;
	*size = line.size;
	return STATUS_FINE;
}
