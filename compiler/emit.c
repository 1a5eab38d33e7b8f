/* What a module gives: text and bytes for targets, descriptions, the form after a stage. Each goes on from the
   passes that all targets share, on a copy. */
#include <string.h>

#include "compile.h"

int nz_get_target(size_t index, nz_target *out)
{
	size_t dialects = 0;
	nz_target one;
	while (dialect_describe(dialects, &one)) {
		if (dialects == index)
			*out = one;
		dialects++;
	}
	if (index == dialects)
		*out = (nz_target){ .name = "program", .suffix = ".nzp", .description = "bytes for the C runtime, see noisert.h", .binary = 1 };
	return index <= dialects;
}

/* The names of all targets, ", " between. */
static const char *list_targets(Arena *arena)
{
	Text t = { .arena = arena };
	nz_target one;
	for (size_t i = 0; nz_get_target(i, &one); i++)
		text_format(&t, "%s%s", i ? ", " : "", one.name);
	return t.data;
}

static nz_status refuse(Compilation *c, const char *code, const char *message)
{
	Span nowhere = { NULL, 0, 0 };
	diag_error(&c->diag, code, nowhere, "%s", message);
	compile_tell(c);
	return NZ_ERROR_ARGUMENT;
}

/* names: those that there are, ", " between. */
static nz_status refuse_name(Compilation *c, const char *code, const char *what, const char *name, const char *names)
{
	enum { MOST = 16 };
	const char *list[MOST];
	size_t count = 0;
	for (const char *at = names; *at && count < MOST; at += strspn(at, ", ")) {
		size_t n = strcspn(at, ",");
		list[count++] = arena_intern(c->arena, at, n);
		at += n;
	}
	const char *near = diag_nearest(name, list, count);
	if (near)
		return refuse(c, code, text_print(c->arena, "unknown %s '%s'; did you mean '%s'?", what, name, near));
	return refuse(c, code, text_print(c->arena, "unknown %s '%s'; there are %s", what, name, names));
}

static Program for_runtime(Compilation *c)
{
	Program p = compile_copy(c, &c->optimised);
	pipeline_run(&p, ROUTE_PROGRAM, c->skipped, NULL);
	return p;
}

static nz_status emit(Compilation *c, const nz_emit_options *o)
{
	const char *target = o->target ? o->target : "glsl";
	if (!strcmp(target, "program")) {
		Program p = for_runtime(c);
		slots_write(c->arena, &p, &c->emitted);
		return NZ_OK;
	}
	Program p = compile_copy(c, &c->optimised);
	const Dialect *d = dialect_find(target);
	if (!d)
		return refuse_name(c, "N0503", "target", target, list_targets(c->arena));
	if (!dialect_has_entry(d, o->entry))
		return refuse(c, "N0505", text_print(c->arena, "target '%s' has no %s shaders", target, o->entry == NZ_ENTRY_COMPUTE ? "compute" : "fragment"));
	PrintOptions print = { .prefix = o->prefix ? o->prefix : c->name, .entry = o->entry };
	while (o->output && print.output < p.outputs && strcmp(p.output[print.output].name, o->output))
		print.output++;
	if (print.output >= p.outputs)
		return refuse(c, "N0501", text_print(c->arena, "the program has no output '%s'", o->output));
	if (!legalise(c->arena, &c->diag, d, &p, &c->library)) {
		compile_tell(c);
		return NZ_ERROR_INTERNAL;
	}
	pipeline_run(&p, ROUTE_SHADER, c->skipped, NULL);
	print_program(c->arena, d, &p, &print, &c->emitted);
	return NZ_OK;
}

nz_status nz_emit_target(nz_module *m, const nz_emit_options *options, const char **data, size_t *size)
{
	static const nz_emit_options defaults;
	if (!m || !data || !size)
		return NZ_ERROR_ARGUMENT;
	*data = "";
	*size = 0;
	if (m->status != NZ_OK)
		return m->status;
	if (setjmp(*arena_guard(m->arena)))
		return m->status = NZ_ERROR_MEMORY;
	Compilation *c = m->compilation;
	c->emitted = (Text){ .arena = c->arena };
	nz_status status = emit(c, options ? options : &defaults);
	*data = c->emitted.data ? c->emitted.data : "";
	*size = c->emitted.size;
	return status;
}

static nz_status reflect(Compilation *c, const nz_reflect_options *o)
{
	nz_target one;
	size_t all = 0;
	while (nz_get_target(all, &one))
		all++;
	size_t wanted = o->targets ? o->target_count : all;
	nz_target *target = arena_alloc(c->arena, (wanted + 1) * sizeof *target);
	for (size_t i = 0; i < wanted; i++) {
		size_t at = o->targets ? 0 : i;
		while (nz_get_target(at, &target[i]) && o->targets && strcmp(target[i].name, o->targets[i]))
			at++;
		if (at == all)
			return refuse_name(c, "N0503", "target", o->targets[i], list_targets(c->arena));
	}
	ReflectOptions options = { .prefix = o->prefix ? o->prefix : c->name, .target = target, .targets = wanted };
	reflect_program(c->arena, &c->lowered, &options, &c->emitted);        /* before passes: no promise depends on them */
	return NZ_OK;
}

nz_status nz_reflect_module(nz_module *m, const nz_reflect_options *options, const char **data, size_t *size)
{
	static const nz_reflect_options defaults;
	if (!m || !data || !size)
		return NZ_ERROR_ARGUMENT;
	*data = "";
	*size = 0;
	if (m->status != NZ_OK)
		return m->status;
	if (setjmp(*arena_guard(m->arena)))
		return m->status = NZ_ERROR_MEMORY;
	Compilation *c = m->compilation;
	c->emitted = (Text){ .arena = c->arena };
	nz_status status = reflect(c, options ? options : &defaults);
	*data = c->emitted.data ? c->emitted.data : "";
	*size = c->emitted.size;
	return status;
}

nz_status nz_emit_header(nz_module *m, const nz_header_options *options, const char **data, size_t *size)
{
	if (!m || !data || !size)
		return NZ_ERROR_ARGUMENT;
	*data = "";
	*size = 0;
	if (m->status != NZ_OK)
		return m->status;
	if (setjmp(*arena_guard(m->arena)))
		return m->status = NZ_ERROR_MEMORY;
	Compilation *c = m->compilation;
	c->emitted = (Text){ .arena = c->arena };
	const char *prefix = options && options->prefix ? options->prefix : c->name;
	if (options && options->program) {
		Program p = for_runtime(c);
		Text blob = { .arena = c->arena };
		slots_write(c->arena, &p, &blob);
		print_baked(c->arena, &p, prefix, &blob, &c->emitted);
	} else {
		print_header(c->arena, &c->optimised, prefix, &c->emitted);
	}
	*data = c->emitted.data;
	*size = c->emitted.size;
	return NZ_OK;
}

nz_status nz_describe_library(nz_module *m, const nz_describe_options *options, const char **data, size_t *size)
{
	static const nz_describe_options defaults;
	Scope library;
	if (!m || !data || !size)
		return NZ_ERROR_ARGUMENT;
	*data = "";
	*size = 0;
	if (m->status == NZ_ERROR_MEMORY)
		return NZ_ERROR_MEMORY;
	if (setjmp(*arena_guard(m->arena)))
		return m->status = NZ_ERROR_MEMORY;
	Compilation *c = m->compilation;
	c->emitted = (Text){ .arena = c->arena };
	compile_library(c->arena, &c->diag, &library);
	bool found = nodes_describe(c->arena, &library, options ? options : &defaults, &c->emitted);
	*data = c->emitted.data;
	*size = c->emitted.size;
	return found ? NZ_OK : NZ_ERROR_ARGUMENT;
}

/* Up to a stage behind the parser; false: there is no such stage, or no such target. */
static bool dump(Compilation *c, const char *stage, const char *target)
{
	Program p = compile_copy(c, &c->lowered);
	bool program = !strcmp(target, "program"), opt = !strcmp(stage, "opt");
	const Dialect *d = program ? NULL : dialect_find(target);
	if (!strcmp(stage, "program")) {
		p = for_runtime(c);
		slots_dump(c->arena, &p, &c->emitted);
		return true;
	}
	if (strcmp(stage, "ir") != 0)
		pipeline_run(&p, ROUTE_ALL, c->skipped, stage);
	if (strcmp(stage, "ir") != 0 && !opt && !pipeline_has_stage(ROUTE_ALL, stage)) {
		bool unrolled = program || !strcmp(stage, "unroll"), spelled = !strcmp(stage, "spelled");
		if (!spelled && !pipeline_has_stage(unrolled ? ROUTE_PROGRAM : ROUTE_SHADER, stage))
			return false;
		if (!unrolled && (!d || !legalise(c->arena, &c->diag, d, &p, &c->library)))
			return false;
		if (!spelled)
			pipeline_run(&p, unrolled ? ROUTE_PROGRAM : ROUTE_SHADER, c->skipped, stage);
	}
	ir_dump(&p, &c->emitted);
	return true;
}

nz_status nz_dump_stage(nz_module *m, const char *stage, const char *target, const char **data, size_t *size)
{
	if (!m || !stage || !data || !size)
		return NZ_ERROR_ARGUMENT;
	*data = "";
	*size = 0;
	if (m->status == NZ_ERROR_MEMORY)
		return NZ_ERROR_MEMORY;
	if (setjmp(*arena_guard(m->arena)))
		return m->status = NZ_ERROR_MEMORY;
	Compilation *c = m->compilation;
	bool syntax = !strcmp(stage, "ast");
	c->emitted = (Text){ .arena = c->arena };
	if (!syntax && m->status != NZ_OK)
		return m->status;
	if (syntax)
		parse_dump(&c->file, &c->emitted);
	else if (!dump(c, stage, target ? target : "glsl"))
		return refuse_name(c, "N0504", "stage", stage, "ast, ir, inline, share, sharpen, opt, spelled, spelled-inline, unroll, lazy, program");
	*data = c->emitted.data ? c->emitted.data : "";
	*size = c->emitted.size;
	return NZ_OK;
}
