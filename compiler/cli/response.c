/* Response files: @FILE among the arguments stands for the words of a file. Words are separated by blanks and line
   ends; '…' and "…" keep blanks; a backslash takes the next character as it is, but not in '…'; # where a word could
   begin starts a comment. @FILE within is expanded too. Behind -- nothing is. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

enum { DEPTH_MAX = 16, WORDS_MAX = 1 << 20, FILES_MAX = 4096 };

static int add_word(Words *w, const char *text, size_t size)
{
	if (w->count + 1 >= w->capacity) {
		size_t capacity = w->capacity != 0 ? 2 * w->capacity : 64;
		char **more = realloc(w->list, capacity * sizeof *more);
		if (more == NULL)
			return complain(STATUS_FILE, "out of memory");
		w->list = more;
		w->capacity = capacity;
	}
	char *copy = malloc(size + 1);
	if (copy == NULL)
		return complain(STATUS_FILE, "out of memory");
	memcpy(copy, text, size);
	copy[size] = '\0';
	w->list[w->count++] = copy;
	w->list[w->count] = NULL;               /* as of main */
	if (w->count > WORDS_MAX)
		return complain(STATUS_USE, "response files hold more than %d words", WORDS_MAX);
	if (strcmp(copy, "--") == 0)
		w->only_files = true;
	return STATUS_FINE;
}

static int add_argument(Words *w, const char *text, size_t size, int depth);

/* Where the text is read. */
typedef struct Place { const char *path; size_t line; const char *start; } Place;

static int report(const Place *place, const char *at, const char *what)
{
	return complain(STATUS_USE, "%s:%zu:%zu: %s", place->path, place->line, (size_t)(at - place->start) + 1, what);
}

/* Reads the word at *at into `word`, which has room for it; *at is then behind it. */
static int read_word(const char **at, const Place *place, char *word, size_t *size)
{
	const char *s = *at, *opened = NULL;
	char quote = '\0';
	*size = 0;
	for (; *s != '\0' && (quote != '\0' || strchr(" \t\r\n\f\v", *s) == NULL); s++) {
		if (*s == quote)
			quote = '\0';
		else if (quote == '\0' && (*s == '"' || *s == '\'')) {
			quote = *s;
			opened = s;
		} else if (*s == '\n')
			return report(place, opened, "this quote is not closed on its line");
		else if (*s == '\\' && quote != '\'') {
			if (s[1] == '\0' || s[1] == '\n')
				return report(place, s, "a backslash takes the next character as it is, and there is none on its line");
			word[(*size)++] = *++s;
		} else
			word[(*size)++] = *s;
	}
	if (quote != '\0')
		return report(place, opened, "this quote is not closed on its line");
	*at = s;
	return STATUS_FINE;
}

static int add_file(Words *w, const char *path, int depth)
{
	char *text;
	size_t size;
	if (path[0] == '\0')
		return complain(STATUS_USE, "@ needs the name of a response file behind it");
	if (depth == DEPTH_MAX)
		return complain(STATUS_USE, "response files are nested more than %d deep at '@%s'", DEPTH_MAX, path);
	if (++w->files > FILES_MAX)
		return complain(STATUS_USE, "more than %d response files", FILES_MAX);
	int status = read_file(path, &text, &size);
	if (status != STATUS_FINE)
		return status;
	char *word = malloc(size + 1);
	Place place = { .path = strcmp(path, "-") == 0 ? "<stdin>" : path, .line = 1, .start = text };
	if (word == NULL)
		status = complain(STATUS_FILE, "out of memory");
	else if (strlen(text) != size)
		status = complain(STATUS_USE, "%s: not a text file", place.path);
	for (const char *at = text; status == STATUS_FINE && *at != '\0'; ) {
		if (*at == '#')
			at += strcspn(at, "\n");
		else if (*at == '\n') {
			place.start = ++at;
			place.line++;
		} else if (strchr(" \t\r\f\v", *at) != NULL)
			at++;
		else {
			bool plain = *at == '@';        /* a quoted or escaped @ is a letter */
			status = read_word(&at, &place, word, &size);
			if (status == STATUS_FINE)
				status = plain ? add_argument(w, word, size, depth) : add_word(w, word, size);
		}
	}
	free(word);
	free(text);
	return status;
}

static int add_argument(Words *w, const char *text, size_t size, int depth)
{
	if (text[0] != '@' || w->only_files)
		return add_word(w, text, size);
	char *path = malloc(size);
	if (path == NULL)
		return complain(STATUS_FILE, "out of memory");
	memcpy(path, text + 1, size - 1);
	path[size - 1] = '\0';
	int status = add_file(w, path, depth + 1);
	free(path);
	return status;
}

int expand_words(Words *w, int argc, char **argv)
{
	int status = STATUS_FINE;
	*w = (Words) { 0 };
	for (int i = 0; i < argc && status == STATUS_FINE; i++)
		status = i == 0 ? add_word(w, argv[i], strlen(argv[i])) : add_argument(w, argv[i], strlen(argv[i]), 0);
	return status;
}

void free_words(Words *w)
{
	for (size_t i = 0; i < w->count; i++)
		free(w->list[i]);
	free(w->list);
	*w = (Words) { 0 };
}
