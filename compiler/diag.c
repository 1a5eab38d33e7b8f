/* Messages: collecting them, finding their places, printing them with the line they are about.
   Assumes nothing about the sources: bytes that are not UTF-8 count as one column each, and no control
   character of a source reaches the terminal. */
#include "cc.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_ERRORS = 50, MAX_COLUMNS = 120, CUT_COLUMNS = 40 };

/* ---- collecting ---- */

static Message *add_message(Diagnostics *diagnostics, Severity severity, const char *code, Span span,
	const char *format, va_list arguments)
{
	Message *message = arena_alloc(diagnostics->arena, sizeof *message);
	*message = (Message){ .severity = severity, .code = code, .span = span };
	message->text = text_vprint(diagnostics->arena, format, arguments);
	return message;
}

/* A muted message is returned, so that notes can be added to it, but stands in no list. */
static void keep_message(Diagnostics *diagnostics, Message *message)
{
	bool error = message->severity == SEVERITY_ERROR;
	if (diagnostics->muted > 0) {
		diagnostics->muted_messages++;
		return;
	}
	diagnostics->errors += error;
	diagnostics->warnings += !error;
	if (diagnostics->last)
		diagnostics->last->next = message;
	else
		diagnostics->first = message;
	diagnostics->last = message;
}

Message *diag_error(Diagnostics *diagnostics, const char *code, Span span, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	Message *message = add_message(diagnostics, SEVERITY_ERROR, code, span, format, arguments);
	va_end(arguments);
	keep_message(diagnostics, message);
	return message;
}

Message *diag_warning(Diagnostics *diagnostics, const char *code, Span span, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	Message *message = add_message(diagnostics, SEVERITY_WARNING, code, span, format, arguments);
	va_end(arguments);
	keep_message(diagnostics, message);
	return message;
}

void diag_note(Diagnostics *diagnostics, Message *of, Span span, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	Message **end = &of->notes;
	while (*end)
		end = &(*end)->next;
	*end = add_message(diagnostics, SEVERITY_NOTE, NULL, span, format, arguments);
	va_end(arguments);
}

/* ---- places ---- */

/* Size of the code point at `at`; 1 for a byte that starts none. */
static size_t code_point_size(const char *at, const char *end)
{
	unsigned char first = (unsigned char)*at;
	size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 1;
	if (first > 0xf4 || (size_t)(end - at) < size)
		return 1;
	for (size_t i = 1; i < size; i++)
		if (((unsigned char)at[i] & 0xc0) != 0x80)
			return 1;
	return size;
}

static const char *text_start(const Source *source)
{
	bool marked = source->size >= 3 && memcmp(source->text, "\xef\xbb\xbf", 3) == 0;
	return source->text + (marked ? 3 : 0);
}

static const char *line_start(const Source *source, const char *at)
{
	const char *start = text_start(source);
	while (at > start && at[-1] != '\n')
		at--;
	return at < start ? start : at;
}

static const char *line_end(const Source *source, const char *at)
{
	const char *end = source->text + source->size;
	while (at < end && *at != '\n')
		at++;
	if (at > source->text && at[-1] == '\r')
		at--;
	return at;
}

static const char *span_start(Span span)
{
	return span.source->text + (span.start < span.source->size ? span.start : span.source->size);
}

static const char *span_end(Span span)
{
	return span.source->text + (span.end < span.source->size ? span.end : span.source->size);
}

void diag_place(Span span, unsigned *line, unsigned *column)
{
	const char *place = span_start(span), *start = line_start(span.source, place);
	*line = *column = 1;
	for (const char *at = text_start(span.source); at < start; at++)
		*line += *at == '\n';
	for (const char *at = start; at < place; at += code_point_size(at, place))
		++*column;
}

/* ---- printing ---- */

/* Adds text of a user: control characters and bytes that are not UTF-8 become '?'. */
static void add_clean(Text *out, const char *at, const char *end)
{
	while (at < end) {
		size_t size = code_point_size(at, end);
		unsigned char first = (unsigned char)*at;
		/* Code points 0x80 to 0x9f (c2 80 to c2 9f) are control characters too. */
		bool control = (first < 0x20 && first != '\t') || first == 0x7f ||
			(size == 1 && first >= 0x80) || (first == 0xc2 && (unsigned char)at[1] < 0xa0);
		if (control)
			text_add(out, "?");
		else
			text_add_n(out, at, size);
		at += size;
	}
}

static const char *skip_columns(const char *at, const char *end, unsigned count)
{
	while (count-- > 0 && at < end)
		at += code_point_size(at, end);
	return at;
}

static unsigned count_columns(const char *at, const char *end)
{
	unsigned count = 0;
	for (; at < end; at += code_point_size(at, end))
		count++;
	return count;
}

static void add_repeated(Text *out, const char *string, unsigned count)
{
	while (count-- > 0)
		text_add(out, string);
}

/* The line and the mark under it. Of a very long line only the surroundings of the place are shown. */
static void print_line(Span span, unsigned line, unsigned column, Text *out)
{
	const char *place = span_start(span), *last = span_end(span);
	const char *start = line_start(span.source, place), *end = line_end(span.source, place);
	if (end < start)
		end = start;
	if (place > end)
		place = end;
	if (last > end)
		last = end;

	bool cut_start = false, cut_end = false;
	if (count_columns(start, end) > MAX_COLUMNS) {
		if (column > CUT_COLUMNS) {
			start = skip_columns(start, end, column - CUT_COLUMNS);
			cut_start = true;
		}
		const char *shown = skip_columns(start, end, MAX_COLUMNS);
		cut_end = shown < end;
		end = shown;
		if (last > end)
			last = end;
	}

	const char *number = text_print(out->arena, " %u", line);
	text_format(out, "%s | %s", number, cut_start ? "..." : "");
	add_clean(out, start, end);
	text_format(out, "%s\n", cut_end ? "..." : "");

	add_repeated(out, " ", (unsigned)strlen(number));
	text_format(out, " | %s", cut_start ? "   " : "");
	for (const char *at = start; at < place; at += code_point_size(at, end))
		text_add(out, *at == '\t' ? "\t" : " ");
	text_add(out, "^");
	unsigned width = count_columns(place, last);
	add_repeated(out, "~", width > 1 ? width - 1 : 0);
	text_add(out, "\n");
}

static void print_message(const Message *message, Text *out)
{
	static const char *const severity[] = { "error", "warning", "note" };
	unsigned line = 0, column = 0;
	const Source *source = message->span.source;
	if (source) {
		diag_place(message->span, &line, &column);
		add_clean(out, source->name, source->name + strlen(source->name));
		text_format(out, ":%u:%u: ", line, column);
	} else {
		text_add(out, "noisec: ");
	}
	text_add(out, severity[message->severity]);
	if (message->code)
		text_format(out, "[%s]", message->code);
	text_add(out, ": ");
	add_clean(out, message->text, message->text + strlen(message->text));
	text_add(out, "\n");
	if (source)
		print_line(message->span, line, column, out);
}

typedef struct Entry {
	const Message *message;
	size_t file, index;                     /* rank of the file, and order of arrival */
} Entry;

/* Messages without a place come first, then files in the order in which they were first spoken of. */
static size_t file_rank(const Source **files, size_t *count, const Source *file)
{
	if (!file)
		return 0;
	for (size_t i = 0; i < *count; i++)
		if (files[i] == file)
			return i + 1;
	files[*count] = file;
	return ++*count;
}

static int compare_entries(const void *left, const void *right)
{
	const Entry *a = left, *b = right;
	if (a->file != b->file)
		return a->file < b->file ? -1 : 1;
	if (a->file && a->message->span.start != b->message->span.start)
		return a->message->span.start < b->message->span.start ? -1 : 1;
	return a->index < b->index ? -1 : 1;
}

static bool said_before(const Entry *entries, size_t which)
{
	const Entry *entry = &entries[which];
	for (size_t i = which; i-- > 0;) {
		const Entry *other = &entries[i];
		if (other->file != entry->file || other->message->span.start != entry->message->span.start)
			return false;
		if (strcmp(other->message->text, entry->message->text) == 0)
			return true;
	}
	return false;
}

void diag_print(const Diagnostics *diagnostics, Text *out)
{
	size_t count = 0, files = 0;
	for (const Message *m = diagnostics->first; m; m = m->next)
		count++;
	if (count == 0)
		return;
	Entry *entries = arena_alloc(out->arena, count * sizeof *entries);
	const Source **file = arena_alloc(out->arena, count * sizeof *file);
	size_t index = 0;
	for (const Message *m = diagnostics->first; m; m = m->next, index++)
		entries[index] = (Entry){ m, file_rank(file, &files, m->span.source), index };
	qsort(entries, count, sizeof *entries, compare_entries);

	int errors = 0;
	for (size_t i = 0; i < count; i++) {
		const Message *message = entries[i].message;
		if (said_before(entries, i))
			continue;
		if (message->severity == SEVERITY_ERROR && errors++ == MAX_ERRORS) {
			text_format(out, "noisec: too many errors: only the first %d are shown\n", MAX_ERRORS);
			return;
		}
		print_message(message, out);
		for (const Message *note = message->notes; note; note = note->next)
			print_message(note, out);
	}
}

/* ---- suggestions ---- */

enum { LONGEST_NAME = 63 };

static int lower(char c)
{
	return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

static int least(int a, int b)
{
	return a < b ? a : b;
}

/* Damerau-Levenshtein distance, adjacent swaps only; a change of case costs nothing. */
static int distance(const char *a, int a_size, const char *b, int b_size)
{
	int rows[3][LONGEST_NAME + 1];
	int *before = rows[0], *above = rows[1], *row = rows[2];
	for (int j = 0; j <= b_size; j++)
		above[j] = before[j] = j;
	for (int i = 1; i <= a_size; i++) {
		row[0] = i;
		for (int j = 1; j <= b_size; j++) {
			bool same = lower(a[i - 1]) == lower(b[j - 1]);
			row[j] = least(above[j - 1] + !same, least(above[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]))
				row[j] = least(row[j], before[j - 2] + 1);
		}
		int *oldest = before;
		before = above;
		above = row;
		row = oldest;
	}
	return above[b_size];
}

/* Names of one or two letters are near only to themselves in other case: anything else would guess. */
const char *diag_nearest(const char *name, const char *const *candidates, size_t count)
{
	size_t size = strlen(name);
	if (size > LONGEST_NAME)
		return NULL;
	int limit = size < 3 ? 0 : size < 6 ? 1 : (int)size / 3;
	const char *nearest = NULL;
	for (size_t i = 0; i < count; i++) {
		size_t other = strlen(candidates[i]);
		if (other > LONGEST_NAME || strcmp(name, candidates[i]) == 0)
			continue;
		int found = distance(name, (int)size, candidates[i], (int)other);
		if (found > limit || (nearest && found == limit))
			continue;
		nearest = candidates[i];
		limit = found;
	}
	return nearest;
}
