/* The messages of a module for its user: the part of noisec.h that asks for them. */
#include "cc.h"

static nz_place place_of(Report *report, Span span)
{
	nz_place place = { 0 };
	if (!span.source)
		return place;
	place.file = span.source->name;
	place.start_offset = span.start;
	place.end_offset = span.end;
	report_place(report, span.source, span.start, &place.start_line, &place.start_column);
	report_place(report, span.source, span.end, &place.end_line, &place.end_column);
	return place;
}

static void describe(Report *report, const Message *message, nz_diagnostic *out)
{
	const nz_code *info = code_find(message->code);
	*out = (nz_diagnostic){
		.severity = message->severity == SEVERITY_ERROR ? NZ_SEVERITY_ERROR : NZ_SEVERITY_WARNING,
		.code = message->code, .warning = info ? info->warning : NULL, .message = message->text,
		.place = place_of(report, message->span),
	};
	for (const Message *note = message->notes; note; note = note->next)
		out->note_count++;
	for (const Fix *fix = message->fixes; fix; fix = fix->next)
		out->fix_count++;
	nz_note *notes = arena_alloc(report->arena, (out->note_count + 1) * sizeof *notes);
	nz_fix *fixes = arena_alloc(report->arena, (out->fix_count + 1) * sizeof *fixes);
	out->notes = notes;
	out->fixes = fixes;
	for (const Message *note = message->notes; note; note = note->next)
		*notes++ = (nz_note){ note->text, place_of(report, note->span) };
	for (const Fix *fix = message->fixes; fix; fix = fix->next)
		*fixes++ = (nz_fix){ place_of(report, fix->span), fix->text };
}

size_t nz_count_diagnostics(const nz_module *module)
{
	const Report *report = compile_report(module);
	return report ? report->count : 0;
}

int nz_count_errors(const nz_module *module)
{
	const Report *report = compile_report(module);
	return report ? report->errors : 1;
}

int nz_count_warnings(const nz_module *module)
{
	const Report *report = compile_report(module);
	return report ? report->warnings : 0;
}

nz_status nz_get_diagnostic(nz_module *module, size_t index, nz_diagnostic *out)
{
	Report *report = compile_report(module);
	*out = (nz_diagnostic){ 0 };
	if (!report)
		return NZ_ERROR_MEMORY;
	if (index >= report->count)
		return NZ_ERROR_ARGUMENT;
	if (setjmp(*arena_guard(report->arena)))
		return compile_no_memory(module);
	if (!report->described)
		report->described = arena_alloc(report->arena, report->count * sizeof *report->described);
	if (!report->described[index].code)
		describe(report, report->message[index], &report->described[index]);
	*out = report->described[index];
	return NZ_OK;
}

static nz_status render(nz_module *module, Report *report, const nz_render_options *options, Text *text)
{
	if (setjmp(*arena_guard(report->arena)))
		return compile_no_memory(module);
	text_add(text, "");
	if (options->format == NZ_FORMAT_JSON)
		report_json(report, options, text);
	else
		report_text(report, options, text);
	return NZ_OK;
}

nz_status nz_render_diagnostics(nz_module *module, const nz_render_options *options, const char **data, size_t *size)
{
	static const nz_render_options defaults;
	Report *report = compile_report(module);
	Text text = { .arena = report ? report->arena : NULL };
	nz_status status = report ? render(module, report, options ? options : &defaults, &text) : NZ_ERROR_MEMORY;
	*data = status == NZ_OK ? text.data : "";
	*size = status == NZ_OK ? text.size : 0;
	return status;
}
