/* Messages: collecting them, putting them in order, finding their places. Of very many only the first are
   kept, the others are counted. Leaves out how they look (diag_text.c, diag_json.c).
   Assumes nothing about the sources: bytes that are not UTF-8 count as one column each. */
#include "cc.h"

#include <string.h>

enum { MOST_KEPT = 1000 };                      /* errors, and as many warnings */

/* ---- collecting ---- */

static Message *make_message(Diagnostics *diagnostics, Severity severity, const char *code, Span span,
	const char *format, va_list arguments)
{
	Message *message = arena_alloc(diagnostics->arena, sizeof *message);
	*message = (Message){ .severity = severity, .code = code, .span = span };
	message->text = text_vprint(diagnostics->arena, format, arguments);
	return message;
}

/* Counts one; true if it is also to be kept. */
static bool count_message(Diagnostics *diagnostics, Severity severity)
{
	if (diagnostics->muted > 0) {
		diagnostics->muted_messages++;
		return false;
	}
	int *count = severity == SEVERITY_ERROR ? &diagnostics->errors : &diagnostics->warnings;
	return ++*count <= MOST_KEPT;
}

static void append(Diagnostics *diagnostics, Message *message)
{
	message->next = NULL;
	if (diagnostics->last)
		diagnostics->last->next = message;
	else
		diagnostics->first = message;
	diagnostics->last = message;
}

/* One that is muted or only counted is the spare one, which takes no notes. */
static Message *add_message(Diagnostics *diagnostics, Severity severity, const char *code, Span span,
	const char *format, va_list arguments)
{
	if (!count_message(diagnostics, severity)) {
		if (!diagnostics->spare)
			diagnostics->spare = arena_alloc(diagnostics->arena, sizeof *diagnostics->spare);
		*diagnostics->spare = (Message){ .severity = severity, .code = code, .span = span, .text = "" };
		return diagnostics->spare;
	}
	Message *message = make_message(diagnostics, severity, code, span, format, arguments);
	append(diagnostics, message);
	return message;
}

void diag_add(Diagnostics *diagnostics, Message *message)
{
	if (count_message(diagnostics, message->severity))
		append(diagnostics, message);
}

Message *diag_error(Diagnostics *diagnostics, const char *code, Span span, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	Message *message = add_message(diagnostics, SEVERITY_ERROR, code, span, format, arguments);
	va_end(arguments);
	return message;
}

Message *diag_warning(Diagnostics *diagnostics, const char *code, Span span, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	Message *message = add_message(diagnostics, SEVERITY_WARNING, code, span, format, arguments);
	va_end(arguments);
	return message;
}

void diag_note(Diagnostics *diagnostics, Message *of, Span span, const char *format, ...)
{
	if (of == diagnostics->spare)
		return;
	va_list arguments;
	va_start(arguments, format);
	Message **end = &of->notes;
	while (*end)
		end = &(*end)->next;
	*end = make_message(diagnostics, SEVERITY_NOTE, NULL, span, format, arguments);
	va_end(arguments);
}

/* The library's text is not the author's to mend. */
void diag_fix(Diagnostics *diagnostics, Message *of, Span span, const char *format, ...)
{
	if (of == diagnostics->spare || !span.source || span.source->library)
		return;
	Fix **place = &of->fixes;               /* in the order of the text */
	while (*place && (*place)->span.start <= span.start) {
		if ((*place)->span.start == span.start && (*place)->span.end == span.end && span.start < span.end)
			return;                 /* a text may be read twice */
		place = &(*place)->next;
	}
	va_list arguments;
	va_start(arguments, format);
	Fix *fix = arena_alloc(diagnostics->arena, sizeof *fix);
	*fix = (Fix){ .span = span, .text = text_vprint(diagnostics->arena, format, arguments), .next = *place };
	*place = fix;
	va_end(arguments);
}

/* ---- order ---- */

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

static bool stands_before(const Entry *a, const Entry *b)
{
	if (a->file != b->file)
		return a->file < b->file;
	if (a->file && a->message->span.start != b->message->span.start)
		return a->message->span.start < b->message->span.start;
	return a->index < b->index;
}

/* Merges runs of doubling length. Not qsort, which takes memory that is not the caller's. */
static Entry *sort_entries(Arena *arena, Entry *from, size_t count)
{
	Entry *to = arena_alloc(arena, (count + 1) * sizeof *to);
	for (size_t run = 1; run < count; run *= 2) {
		for (size_t start = 0; start < count; start += 2 * run) {
			size_t middle = start + run < count ? start + run : count, end = middle + run < count ? middle + run : count;
			for (size_t a = start, b = middle, k = start; k < end; k++)
				to[k] = b == end || (a < middle && stands_before(&from[a], &from[b])) ? from[a++] : from[b++];
		}
		Entry *merged = to;
		to = from;
		from = merged;
	}
	return from;
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

/* NULL if this warning is not wanted; a copy if it is wanted as an error. */
static const Message *as_wanted(const Diagnostics *diagnostics, const Message *message)
{
	Wish wish = message->severity == SEVERITY_WARNING ? warning_wish(diagnostics, message->code) : WISH_WARNING;
	if (wish != WISH_ERROR)
		return wish == WISH_NONE ? NULL : message;
	Message *error = arena_alloc(diagnostics->arena, sizeof *error);
	*error = *message;
	error->severity = SEVERITY_ERROR;
	return error;
}

Report *diag_report(const Diagnostics *diagnostics)
{
	Report *report = arena_alloc(diagnostics->arena, sizeof *report);
	*report = (Report){ .arena = diagnostics->arena };
	size_t most = 0, count = 0, files = 0;
	for (const Message *m = diagnostics->first; m; m = m->next)
		most++;
	Entry *entries = arena_alloc(report->arena, (most + 1) * sizeof *entries);
	const Source **file = arena_alloc(report->arena, (most + 1) * sizeof *file);
	for (const Message *m = diagnostics->first; m; m = m->next) {
		const Message *wanted = as_wanted(diagnostics, m);
		if (wanted) {
			entries[count] = (Entry){ wanted, file_rank(file, &files, wanted->span.source), count };
			count++;
		}
	}
	entries = sort_entries(report->arena, entries, count);

	report->message = arena_alloc(report->arena, (count + 1) * sizeof *report->message);
	for (size_t i = 0; i < count; i++) {
		if (said_before(entries, i))
			continue;
		report->message[report->count++] = entries[i].message;
		report->kept_errors += entries[i].message->severity == SEVERITY_ERROR;
		report->kept_warnings += entries[i].message->severity == SEVERITY_WARNING;
	}
	report->errors = report->kept_errors + (diagnostics->errors > MOST_KEPT ? diagnostics->errors - MOST_KEPT : 0);
	report->warnings = report->kept_warnings + (diagnostics->warnings > MOST_KEPT ? diagnostics->warnings - MOST_KEPT : 0);
	return report;
}

/* ---- places ---- */

enum { STRIDE = 64 };

/* Where every STRIDE-th line of a source starts, and the place that was asked for last: places are mostly
   asked for in order, and a line may be as long as the file. */
typedef struct Lines {
	const Source *source;
	uint32_t *start, count;
	size_t offset;
	uint32_t line, column;
	struct Lines *next;
} Lines;

static size_t text_start(const Source *source)
{
	return source->size >= 3 && memcmp(source->text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

static Lines *lines_of(Report *report, const Source *source)
{
	for (Lines *lines = report->lines; lines; lines = lines->next)
		if (lines->source == source)
			return lines;
	Lines *lines = arena_alloc(report->arena, sizeof *lines);
	*lines = (Lines){ .source = source, .offset = text_start(source), .line = 1, .column = 1, .next = report->lines };
	uint32_t number = 0, room = 0;
	for (size_t at = text_start(source);; number++) {
		if (number % STRIDE == 0) {
			if (lines->count == room) {
				uint32_t more = room ? 2 * room : 16;
				lines->start = arena_grow(report->arena, lines->start, room * sizeof *lines->start, more * sizeof *lines->start);
				room = more;
			}
			lines->start[lines->count++] = (uint32_t)at;
		}
		const char *end = memchr(source->text + at, '\n', source->size - at);
		if (!end)
			break;
		at = (size_t)(end - source->text) + 1;
	}
	return report->lines = lines;
}

/* The start of the line that holds `offset`, and its number. */
static size_t line_start(const Lines *lines, size_t offset, uint32_t *number)
{
	uint32_t low = 0, high = lines->count;
	while (high - low > 1) {
		uint32_t middle = (low + high) / 2;
		if (lines->start[middle] <= offset)
			low = middle;
		else
			high = middle;
	}
	size_t at = lines->start[low];
	const char *text = lines->source->text, *end;
	for (*number = low * STRIDE + 1; offset > at && (end = memchr(text + at, '\n', offset - at)); ++*number)
		at = (size_t)(end - text) + 1;
	return at;
}

void report_place(Report *report, const Source *source, size_t offset, uint32_t *line, uint32_t *column)
{
	Lines *lines = lines_of(report, source);
	if (offset > source->size)
		offset = source->size;
	if (offset < text_start(source))
		offset = text_start(source);
	const char *text = source->text, *end = text + source->size;
	if (offset < lines->offset || memchr(text + lines->offset, '\n', offset - lines->offset)) {
		lines->offset = line_start(lines, offset, &lines->line);
		lines->column = 1;
	}
	while (lines->offset < offset) {
		lines->offset += glyph_size(text + lines->offset, end);
		lines->column++;
	}
	*line = lines->line;
	*column = lines->column;
}
