/* Reads points from arguments and from files: lines of numbers, with an optional first line of names. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "points.h"

enum { FIELDS_MAX = 512 };

int points_init(Points *p, const Subject *s)
{
	*p = (Points) { .subject = s, .columns = s->info->domain };
	for (uint32_t i = 0; i < s->info->input_count; i++)
		p->columns += s->info->inputs[i].type.width;
	p->column = calloc(p->columns, sizeof *p->column);
	p->used = calloc(p->columns, sizeof *p->used);
	if (p->column == NULL || p->used == NULL)
		return complain(STATUS_FILE, "out of memory");
	return STATUS_FINE;
}

void points_free(Points *p)
{
	for (uint32_t i = 0; p->column != NULL && i < p->columns; i++)
		free(p->column[i]);
	free(p->column);
	free(p->used);
}

/* The input and component behind a column. */
static const nz_input *find_input(const Points *p, uint32_t column, uint32_t *index, uint32_t *lane)
{
	uint32_t rest = column - p->subject->info->domain;
	for (*index = 0; rest >= p->subject->info->inputs[*index].type.width; (*index)++)
		rest -= p->subject->info->inputs[*index].type.width;
	*lane = rest;
	return &p->subject->info->inputs[*index];
}

static int add_row(Points *p, const nz_word *row)
{
	if (p->count == p->capacity) {
		size_t capacity = p->capacity != 0 ? 2 * p->capacity : 64;
		for (uint32_t i = 0; i < p->columns; i++) {
			uint32_t *more = realloc(p->column[i], capacity * sizeof *more);
			if (more == NULL)
				return complain(STATUS_FILE, "out of memory");
			p->column[i] = more;
		}
		p->capacity = capacity;
	}
	for (uint32_t i = 0; i < p->columns; i++)
		p->column[i][p->count] = row[i].u;
	p->count++;
	return STATUS_FINE;
}

/* A row whose inputs are those of --set. */
static void fill_row(const Points *p, nz_word *row)
{
	for (uint32_t i = p->subject->info->domain; i < p->columns; i++) {
		uint32_t index, lane;
		find_input(p, i, &index, &lane);
		row[i] = p->subject->inputs[index].constant[lane];
	}
}

/* Cuts a line into fields, in place. Blanks around commas do not count. Returns how many, or FIELDS_MAX + 1. */
static size_t split(char *line, char *field[FIELDS_MAX])
{
	size_t count = 0;
	for (char *at = line;;) {
		at += strspn(at, " \t\r");
		if (*at == '\0' && count == 0)
			return 0;
		if (count == FIELDS_MAX)
			return FIELDS_MAX + 1;
		field[count++] = at;
		at += strcspn(at, ", \t\r");
		char *end = at;
		at += strspn(at, " \t\r");
		bool comma = *at == ',';
		bool last = *at == '\0';
		*end = '\0';
		if (last)
			return count;
		at += comma;
	}
}

int points_add_text(Points *p, const char *text)
{
	const Subject *s = p->subject;
	uint32_t domain = s->info->domain, count = 0;
	char piece[64];
	nz_word *row = calloc(p->columns, sizeof *row);
	int status = STATUS_FINE;
	if (row == NULL)
		return complain(STATUS_FILE, "out of memory");
	fill_row(p, row);
	for (const char *at = text; status == STATUS_FINE; at++) {
		size_t size = strcspn(at, ",");
		snprintf(piece, sizeof piece, "%.*s", (int)(size < sizeof piece ? size : sizeof piece - 1), at);
		float value;
		if (size >= sizeof piece || !read_float(piece, &value))
			status = complain(STATUS_USE, "bad number '%.*s' in --at %s", (int)size, at, text);
		else if (count < domain)
			row[count].f = value;
		count++;
		at += size;
		if (*at == '\0')
			break;
	}
	if (status == STATUS_FINE && count != domain)
		status = complain(STATUS_USE, "--at %s has %u coordinate%s, but the domain of '%s' has %u", text,
			(unsigned)count, count == 1 ? "" : "s", s->file, (unsigned)domain);
	if (status == STATUS_FINE)
		status = add_row(p, row);
	free(row);
	return status;
}

/* ---- files ---- */

static bool name_column(const Points *p, uint32_t column, char name[128])
{
	uint32_t index, lane;
	if (column < p->subject->info->domain) {
		snprintf(name, 128, "%c", "xyzw"[column]);
		return true;
	}
	const nz_input *input = find_input(p, column, &index, &lane);
	int size = snprintf(name, 128, input->type.width > 1 ? "%s.%c" : "%s", input->name, "xyzw"[lane]);
	return size > 0 && size < 128;
}

static int report_column(const Points *p, const char *path, unsigned long line, const char *field)
{
	char (*text)[128] = calloc(p->columns, sizeof *text);
	const char **names = calloc(p->columns, sizeof *names);
	const char *nearest = NULL;
	if (text != NULL && names != NULL) {
		for (uint32_t i = 0; i < p->columns; i++) {
			name_column(p, i, text[i]);
			names[i] = text[i];
		}
		nearest = nz_find_nearest(field, names, p->columns);
	}
	if (nearest != NULL)
		complain(STATUS_USE, "%s:%lu: unknown column '%s'; did you mean '%s'?", path, line, field, nearest);
	else
		complain(STATUS_USE, "%s:%lu: unknown column '%s': columns are axes and inputs of '%s'", path, line, field, p->subject->file);
	free(names);
	free(text);
	return STATUS_USE;
}

typedef struct Header {
	uint32_t column[FIELDS_MAX];            /* of each field */
	size_t count;
} Header;

static int read_header(Points *p, const char *path, unsigned long line, char **field, size_t count, Header *header)
{
	char name[128];
	uint32_t domain = p->subject->info->domain;
	bool axis[4] = { false, false, false, false };
	header->count = count;
	for (size_t i = 0; i < count; i++) {
		uint32_t column = 0;
		while (column < p->columns && !(name_column(p, column, name) && strcmp(name, field[i]) == 0))
			column++;
		if (column == p->columns)
			return report_column(p, path, line, field[i]);
		for (size_t j = 0; j < i; j++)
			if (header->column[j] == column)
				return complain(STATUS_USE, "%s:%lu: two columns '%s'", path, line, field[i]);
		header->column[i] = column;
		p->used[column] = true;
		if (column < domain)
			axis[column] = true;
	}
	for (uint32_t i = 0; i < domain; i++)
		if (!axis[i])
			return complain(STATUS_USE, "%s:%lu: no column '%c'", path, line, "xyzw"[i]);
	return STATUS_FINE;
}

static int read_row(Points *p, const char *path, unsigned long line, char **field, size_t count, const Header *header, nz_word *row)
{
	static const nz_type coordinate = { NZ_FLOAT, 1, NULL };
	char expected[256];
	if (count != header->count)
		return complain(STATUS_USE, "%s:%lu: %zu value%s, expected %zu", path, line, count, count == 1 ? "" : "s", header->count);
	fill_row(p, row);
	for (size_t i = 0; i < count; i++) {
		nz_type type = coordinate;
		uint32_t index, lane;
		if (header->column[i] >= p->subject->info->domain)
			type = find_input(p, header->column[i], &index, &lane)->type;
		type.width = 1;
		if (!read_component(&type, field[i], &row[header->column[i]]))
			return complain(STATUS_USE, "%s:%lu: bad value '%s': expected %s", path, line, field[i], name_type(&type, expected));
	}
	return add_row(p, row);
}

static int read_lines(Points *p, const char *path, char *text, nz_word *row)
{
	static const nz_type coordinate = { NZ_FLOAT, 1, NULL };
	Header header = { .count = p->subject->info->domain };
	char *field[FIELDS_MAX];
	bool first = true;
	unsigned long number = 0;
	int status = STATUS_FINE;
	for (uint32_t i = 0; i < header.count; i++)
		header.column[i] = i;
	for (char *line = text, *next; line != NULL && status == STATUS_FINE; line = next) {
		nz_word word;
		next = strchr(line, '\n');
		if (next != NULL)
			*next++ = '\0';
		number++;
		size_t count = split(line, field);
		if (count == 0 || field[0][0] == '#')
			continue;
		if (count > FIELDS_MAX)
			status = complain(STATUS_USE, "%s:%lu: too many values", path, number);
		else if (first && (isalpha((unsigned char)field[0][0]) || field[0][0] == '_') && !read_component(&coordinate, field[0], &word))
			status = read_header(p, path, number, field, count, &header);
		else
			status = read_row(p, path, number, field, count, &header, row);
		first = false;
	}
	return status;
}

int points_add_file(Points *p, const char *path)
{
	char *text;
	size_t size;
	const char *shown = strcmp(path, "-") == 0 ? "<stdin>" : path;
	int status = read_file(path, &text, &size);
	if (status != STATUS_FINE)
		return status;
	nz_word *row = calloc(p->columns, sizeof *row);
	if (memchr(text, '\0', size) != NULL)
		status = complain(STATUS_USE, "%s: not a text file", shown);
	else if (row == NULL)
		status = complain(STATUS_FILE, "out of memory");
	else
		status = read_lines(p, shown, text + (strncmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0), row);        /* behind a byte order mark */
	free(row);
	free(text);
	return status;
}
