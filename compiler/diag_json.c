/* Messages as JSON, an object and a line for each: what docs/diagnostics.md describes. Bytes that are not
   UTF-8 become U+FFFD, so that any reader takes it. */
#include "cc.h"

#include <string.h>

static void add_string(Text *out, const char *text)
{
	static const char hex[] = "0123456789abcdef";
	const char *end = text + strlen(text);
	text_add(out, "\"");
	while (text < end) {
		size_t size = glyph_size(text, end);
		unsigned char c = (unsigned char)*text;
		if (c == '"' || c == '\\')
			text_format(out, "\\%c", c);
		else if (c < 0x20 || c == 0x7f)
			text_format(out, "\\u00%c%c", hex[c >> 4], hex[c & 15]);
		else if (size == 1 && c >= 0x80)
			text_add(out, "\xef\xbf\xbd");
		else
			text_add_n(out, text, size);
		text += size;
	}
	text_add(out, "\"");
}

static void add_point(Report *report, Text *out, const char *name, const Source *source, uint32_t offset)
{
	uint32_t line, column;
	report_place(report, source, offset, &line, &column);
	text_format(out, ",\"%s\":{\"line\":%u,\"column\":%u,\"offset\":%u}", name, (unsigned)line, (unsigned)column, (unsigned)offset);
}

static void add_place(Report *report, Text *out, Span span)
{
	text_add(out, "\"file\":");
	if (!span.source) {
		text_add(out, "null");
		return;
	}
	add_string(out, span.source->name);
	add_point(report, out, "start", span.source, span.start);
	add_point(report, out, "end", span.source, span.end);
}

static void add_message(Report *report, Text *out, const Message *message)
{
	const nz_code *info = code_find(message->code);
	text_format(out, "{\"version\":1,\"severity\":\"%s\",\"code\":\"%s\",\"warning\":", message->severity == SEVERITY_ERROR ? "error" : "warning", message->code);
	if (info && info->warning)
		add_string(out, info->warning);
	else
		text_add(out, "null");
	text_add(out, ",\"message\":");
	add_string(out, message->text);
	text_add(out, ",");
	add_place(report, out, message->span);
	text_add(out, ",\"notes\":[");
	for (const Message *note = message->notes; note; note = note->next) {
		text_add(out, note == message->notes ? "{\"message\":" : ",{\"message\":");
		add_string(out, note->text);
		text_add(out, ",");
		add_place(report, out, note->span);
		text_add(out, "}");
	}
	text_add(out, "],\"fixes\":[");
	for (const Fix *fix = message->fixes; fix; fix = fix->next) {
		text_add(out, fix == message->fixes ? "{\"replacement\":" : ",{\"replacement\":");
		add_string(out, fix->text);
		text_add(out, ",");
		add_place(report, out, fix->span);
		text_add(out, "}");
	}
	text_add(out, "]}\n");
}

void report_json(Report *report, const nz_render_options *options, Text *out)
{
	int shown[2] = { 0, 0 };
	for (size_t i = 0; i < report->count; i++) {
		const Message *message = report->message[i];
		if (options->max_errors > 0 && shown[message->severity] >= options->max_errors)
			continue;
		shown[message->severity]++;
		add_message(report, out, message);
	}
}
