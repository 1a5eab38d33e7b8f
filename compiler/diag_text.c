/* Messages as text: a line that names the place, the line of the source with a mark under it, what to write
   instead below the mark. No control character of a source reaches the terminal; tabs become blanks. */
#include "cc.h"

#include <string.h>

enum { MAX_CELLS = 120, BEFORE_CELLS = 60, TAB = 4, MOST_SHOWN = 20 };

typedef struct Page {                           /* one text being written */
	Report *report;
	Text *out;
	bool colour;
	int gutter;                             /* width of the line numbers of this message */
} Page;

static const char RED[] = "\033[1;31m", MAGENTA[] = "\033[1;35m", CYAN[] = "\033[1;36m", GREEN[] = "\033[1;32m", BOLD[] = "\033[1m";

static void paint(const Page *page, const char *colour)
{
	if (page->colour)
		text_add(page->out, colour ? colour : "\033[0m");
}

static void repeat(Text *out, const char *string, int count)
{
	while (count-- > 0)
		text_add(out, string);
}

/* ---- a line of the source in cells ---- */

typedef struct Row {
	const char *start, *end;                /* of the line, without its end */
	int first, last;                        /* the cells that are shown */
	bool cut_start, cut_end;
} Row;

static int next_cell(int cell, const char *at, const char *end)
{
	return *at == '\t' ? cell + TAB - cell % TAB : cell + glyph_cells(at, end);
}

/* The cell at which the glyph at `place` begins; beyond MAX_CELLS times a lot it does not matter where. */
static int cell_of(const Row *row, const char *place)
{
	int cell = 0;
	for (const char *at = row->start; at < place && at < row->end; at += glyph_size(at, row->end))
		cell = next_cell(cell, at, row->end);
	return cell;
}

static const char *end_of_line(const Source *source, const char *at)
{
	const char *end = source->text + source->size, *newline = memchr(at, '\n', (size_t)(end - at));
	end = newline ? newline : end;
	return end > at && end[-1] == '\r' ? end - 1 : end;
}

/* The line that holds `place`. Of a very long one only the surroundings of the place are shown. */
static Row row_at(const Source *source, size_t place)
{
	const char *at = source->text + place, *start = at;
	bool marked = source->size >= 3 && memcmp(source->text, "\xef\xbb\xbf", 3) == 0;
	const char *first = source->text + (marked ? 3 : 0);
	while (start > first && start[-1] != '\n')
		start--;
	Row row = { .start = start, .end = end_of_line(source, start) };
	int cells = cell_of(&row, row.end);
	row.last = cells;
	if (cells > MAX_CELLS) {
		int cell = cell_of(&row, at);
		row.first = cell > BEFORE_CELLS ? cell - BEFORE_CELLS : 0;
		row.last = row.first + MAX_CELLS < cells ? row.first + MAX_CELLS : cells;
		row.cut_start = row.first > 0;
		row.cut_end = row.last < cells;
	}
	return row;
}

static void begin_line(const Page *page, const char *number)
{
	text_add(page->out, " ");
	repeat(page->out, " ", page->gutter - (int)strlen(number));
	text_format(page->out, "%s |", number);
}

static void write_source(const Page *page, const Row *row)
{
	Text *out = page->out;
	text_add(out, row->cut_start ? " ..." : " ");
	int cell = 0;
	for (const char *at = row->start; at < row->end && cell < row->last;) {
		size_t size = glyph_size(at, row->end);
		int behind = next_cell(cell, at, row->end);
		if (*at != '\t' && cell >= row->first && behind <= row->last)
			glyph_add_clean(out, at, at + size);
		else if (behind > row->first)
			repeat(out, " ", (behind < row->last ? behind : row->last) - (cell > row->first ? cell : row->first));
		cell = behind;
		at += size;
	}
	text_add(out, row->cut_end ? "...\n" : "\n");
}

/* Blanks up to a cell of the line above; the first of them belongs to the bar. */
static void move_to(const Page *page, const Row *row, int cell)
{
	repeat(page->out, " ", 1 + (row->cut_start ? 3 : 0) + cell - row->first);
}

static int held_in(const Row *row, int cell)
{
	return cell < row->first ? row->first : cell > row->last ? row->last : cell;
}

static void write_mark(const Page *page, const Row *row, const char *from, const char *to, bool caret)
{
	int first = held_in(row, cell_of(row, from)), last = held_in(row, cell_of(row, to));
	begin_line(page, "");
	move_to(page, row, first);
	paint(page, GREEN);
	text_add(page->out, caret ? "^" : "~");
	repeat(page->out, "~", last - first - 1);
	paint(page, NULL);
	text_add(page->out, "\n");
}

/* What the fixes of this line write, each below the place where it goes; dashes where text is to go. */
static void write_fixes(const Page *page, const Row *row, const Message *message)
{
	const char *text = message->span.source->text;
	bool begun = false;
	int at = 0;
	for (const Fix *fix = message->fixes; fix; fix = fix->next) {
		const char *place = text + fix->span.start;
		int cell = cell_of(row, place), behind = cell_of(row, text + fix->span.end);
		if (fix->text[0] == '\n' || fix->span.source != message->span.source || place < row->start || place > row->end || cell < row->first || cell > row->last)
			continue;
		if (!begun) {
			begin_line(page, "");
			move_to(page, row, cell);
			paint(page, GREEN);
		} else {
			repeat(page->out, " ", cell > at ? cell - at : 1);
			at = cell > at ? cell : at + 1;
		}
		at = begun ? at : cell;
		begun = true;
		size_t size = strcspn(fix->text, "\n");
		glyph_add_clean(page->out, fix->text, fix->text + size);
		for (const char *c = fix->text; c < fix->text + size; c += glyph_size(c, fix->text + size))
			at += glyph_cells(c, fix->text + size);
		if (size == 0) {
			int dashes = behind - cell > 1 ? behind - cell : 1;
			repeat(page->out, "-", dashes);
			at += dashes;
		}
	}
	if (begun) {
		paint(page, NULL);
		text_add(page->out, "\n");
	}
}

/* A fix that starts with a line end adds lines. */
static void write_new_lines(const Page *page, const Message *message)
{
	for (const Fix *fix = message->fixes; fix; fix = fix->next) {
		if (fix->text[0] != '\n' || fix->text[1] == '\0')
			continue;
		begin_line(page, "");
		paint(page, GREEN);
		text_add(page->out, " + ");
		glyph_add_clean(page->out, fix->text + 1, fix->text + strlen(fix->text));
		paint(page, NULL);
		text_add(page->out, "\n");
	}
}

/* ---- a message ---- */

static size_t held(const Source *source, size_t offset)
{
	return offset < source->size ? offset : source->size;
}

/* The first line of the span, and the last one where it has several. */
static void write_excerpt(Page *page, const Message *message)
{
	Span span = message->span;
	const char *text = span.source->text;
	size_t from = held(span.source, span.start), to = held(span.source, span.end);
	uint32_t line, last, column;
	report_place(page->report, span.source, from, &line, &column);
	Row row = row_at(span.source, from);
	bool several = text + to > row.end && memchr(text + from, '\n', to - from) != NULL;
	last = line;
	if (several)
		report_place(page->report, span.source, to, &last, &column);
	const char *number = text_print(page->out->arena, "%u", (unsigned)last);
	page->gutter = (int)strlen(number);
	begin_line(page, text_print(page->out->arena, "%u", (unsigned)line));
	write_source(page, &row);
	write_mark(page, &row, text + from, text + to < row.end ? text + to : row.end, true);
	write_fixes(page, &row, message);
	if (!several || last == line) {
		write_new_lines(page, message);
		return;
	}
	if (last > line + 1) {
		begin_line(page, "");
		text_add(page->out, " ...\n");
	}
	row = row_at(span.source, to);
	const char *first = row.start;
	while (first < text + to && (*first == ' ' || *first == '\t'))
		first++;
	if (first == text + to)
		return;                         /* it ends with a line */
	begin_line(page, number);
	write_source(page, &row);
	write_mark(page, &row, first, text + to, false);
	write_fixes(page, &row, message);
}

static void write_message(Page *page, const Message *message)
{
	static const char *const severity[] = { "error", "warning", "note" };
	static const char *const colour[] = { RED, MAGENTA, CYAN };
	Text *out = page->out;
	const Source *source = message->span.source;
	paint(page, BOLD);
	if (source) {
		uint32_t line, column;
		report_place(page->report, source, message->span.start, &line, &column);
		glyph_add_clean(out, source->name, source->name + strlen(source->name));
		text_format(out, ":%u:%u: ", (unsigned)line, (unsigned)column);
	} else {
		text_add(out, "noisec: ");
	}
	paint(page, NULL);
	paint(page, colour[message->severity]);
	text_add(out, severity[message->severity]);
	if (message->code)
		text_format(out, "[%s]", message->code);
	text_add(out, ":");
	paint(page, NULL);
	text_add(out, " ");
	if (message->severity != SEVERITY_NOTE)
		paint(page, BOLD);
	glyph_add_clean(out, message->text, message->text + strlen(message->text));
	if (message->severity != SEVERITY_NOTE)
		paint(page, NULL);
	const nz_code *info = message->code ? code_find(message->code) : NULL;
	if (info && info->warning)
		text_format(out, " [-W%s%s]", message->severity == SEVERITY_ERROR ? "error=" : "", info->warning);
	text_add(out, "\n");
	if (source)
		write_excerpt(page, message);
}

void report_text(Report *report, const nz_render_options *options, Text *out)
{
	Page page = { .report = report, .out = out, .colour = options->colour };
	int most = options->max_errors ? options->max_errors : MOST_SHOWN, shown[2] = { 0, 0 };
	for (size_t i = 0; i < report->count; i++) {
		const Message *message = report->message[i];
		if (most >= 0 && shown[message->severity] >= most)
			continue;
		shown[message->severity]++;
		write_message(&page, message);
		for (const Message *note = message->notes; note; note = note->next)
			write_message(&page, note);
	}
	int errors = report->errors - shown[SEVERITY_ERROR], warnings = report->warnings - shown[SEVERITY_WARNING];
	if (errors + warnings == 0)
		return;
	text_add(out, "noisec: ");
	if (errors > 0)
		text_format(out, "%d more error%s%s", errors, errors == 1 ? "" : "s", warnings > 0 ? " and " : "");
	if (warnings > 0)
		text_format(out, "%d more warning%s", warnings, warnings == 1 ? "" : "s");
	text_add(out, most >= 0 ? ", not shown; --max-errors says how many are\n" : ", not shown\n");
}
