/* How the messages of programs are shown: in colour or not, as text or JSON, which warnings. The only file
   that asks its surroundings: NO_COLOR, CLICOLOR_FORCE, TERM, and whether standard error is a terminal. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

static bool complaints_in_json;                 /* as soon as --diagnostics=json was read: complaints come from everywhere */

static int choose(const char *value, const char *what, const char *const *names, int count, int *out)
{
	for (*out = 0; *out < count; ++*out)
		if (strcmp(value, names[*out]) == 0)
			return STATUS_FINE;
	const char *nearest = nz_find_nearest(value, names, (size_t)count);
	if (nearest != NULL)
		return complain(STATUS_USE, "unknown %s '%s'; did you mean '%s'?", what, value, nearest);
	if (count == 2)
		return complain(STATUS_USE, "unknown %s '%s'; there are %s and %s", what, value, names[0], names[1]);
	return complain(STATUS_USE, "unknown %s '%s'; there are %s, %s and %s", what, value, names[0], names[1], names[2]);
}

int message_option(MessageOptions *m, int id, const char *value)
{
	static const char *const colours[] = { "never", "auto", "always" }, *const formats[] = { "text", "json" };
	int chosen, status;
	uint64_t most;
	switch (id) {
	case ID_WARNING:
		m->warnings[m->warning_count++] = value;
		return STATUS_FINE;
	case ID_NO_WARNINGS:
		m->warnings[m->warning_count++] = "none";
		return STATUS_FINE;
	case ID_COLOUR:
		status = choose(value, "color", colours, 3, &chosen);
		m->colour = chosen - 1;
		return status;
	case ID_DIAGNOSTICS:
		status = choose(value, "form of diagnostics", formats, 2, &chosen);
		m->render.format = chosen == 1 ? NZ_FORMAT_JSON : NZ_FORMAT_TEXT;
		complaints_in_json = chosen == 1;
		return status;
	default:
		if (!read_uint(value, 1000000, &most))
			return complain(STATUS_USE, "bad number of errors '%s': a whole number, 0 for all", value);
		m->render.max_errors = most > 0 ? (int)most : -1;
		return STATUS_FINE;
	}
}

static bool is_set(const char *name)
{
	const char *value = getenv(name);
	return value != NULL && value[0] != '\0';
}

static bool wants_colour(const MessageOptions *m)
{
	if (m->colour != 0)
		return m->colour > 0;
	if (is_set("NO_COLOR"))
		return false;
	if (is_set("CLICOLOR_FORCE") && strcmp(getenv("CLICOLOR_FORCE"), "0") != 0)
		return true;
	const char *terminal = getenv("TERM");
	return isatty(STDERR_FILENO) && terminal != NULL && strcmp(terminal, "dumb") != 0;
}

void show_messages(const MessageOptions *m, nz_module *module)
{
	nz_render_options options = m->render;
	const char *text;
	size_t size;
	options.colour = wants_colour(m);
	if (nz_render_diagnostics(module, &options, &text, &size) == NZ_OK)
		fwrite(text, 1, size, stderr);
}

/* Bytes of the UTF-8 character at `at`; 0: it is none. */
static int character_size(const unsigned char *at)
{
	int size = *at < 0x80 ? 1 : *at >= 0xc2 && *at < 0xe0 ? 2 : *at >= 0xe0 && *at < 0xf0 ? 3 : *at >= 0xf0 && *at < 0xf5 ? 4 : 0;
	for (int i = 1; i < size; i++)
		if ((at[i] & 0xc0) != 0x80)
			return 0;
	return size;
}

/* A path may hold any bytes, JSON may not. */
void show_complaint(const char *text)
{
	if (!complaints_in_json) {              /* one line, whatever a name contains */
		fputs("noisec: ", stderr);
		for (const char *at = text; *at != '\0'; at++)
			if ((unsigned char)*at < ' ' || *at == 127)
				fprintf(stderr, "\\x%02x", (unsigned)(unsigned char)*at);
			else
				fputc(*at, stderr);
		fputc('\n', stderr);
		return;
	}
	fputs("{\"version\":1,\"severity\":\"error\",\"code\":null,\"warning\":null,\"message\":\"", stderr);
	for (const unsigned char *at = (const unsigned char *)text; *at != '\0';) {
		int size = character_size(at);
		if (size == 0)
			fputs("\\ufffd", stderr);
		else if (*at < 0x20 || *at == 0x7f)
			fprintf(stderr, "\\u%04x", *at);
		else
			fprintf(stderr, "%s%.*s", *at == '"' || *at == '\\' ? "\\" : "", size, (const char *)at);
		at += size > 0 ? size : 1;
	}
	fputs("\",\"file\":null,\"notes\":[],\"fixes\":[]}\n", stderr);
}
