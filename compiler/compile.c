/* The pipeline, and the public library around it. The only file that knows the order of the stages. */
#include <assert.h>
#include <string.h>

#include "cc.h"

struct Compilation {
	Arena *arena;
	Diagnostics diag;
	Source source;
	File file;
	Scope library, scope;
	Program lowered, optimised;
	const char *name;                       /* default prefix */
	uint32_t skipped;                       /* passes that do not run */
	bool wrong_use;                         /* wrong_use: an option names what the program does not have */
	WarningSet warnings;
	Report *report;
	Text messages, emitted;
};

/* The public handle, the first thing in its arena. After NZ_ERROR_MEMORY it can only be freed: what was being
   built is in pieces, though all that was given out before stays. */
struct nz_module {
	Arena *arena;
	Compilation *compilation;               /* NULL: there was not even memory for that */
	nz_status status;
};

static const char *base_name(Arena *arena, const char *path)
{
	const char *start = path, *slash;
	while ((slash = strpbrk(start, "/\\")))
		start = slash + 1;
	const char *dot = strchr(start, '.');
	size_t n = dot && dot != start ? (size_t)(dot - start) : strlen(start);
	if (!strcmp(start, "-") || n == 0)
		return "noise";
	Text t = { .arena = arena };
	for (size_t i = 0; i < n; i++) {
		char c = start[i];
		bool fine = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9' && i) || c == '_';
		text_add_n(&t, fine ? &c : "_", 1);
	}
	return t.data;
}

void compile_library(Arena *arena, Diagnostics *diag, Scope *out)
{
	library_open(arena, diag, out);
	for (Decl *d = out->first; d; d = d->next_in_scope)
		scope_find(out, d->name);
}

/* Why -D finds no const, told at its name. */
static void refuse_define(Compilation *c, const Decl *wanted)
{
	const char **name = NULL;
	size_t count = 0, decls = 0;
	for (const Decl *d = c->file.decls; d; d = d->next)
		decls++;
	name = arena_alloc(c->arena, (decls + 1) * sizeof *name);
	for (const Decl *d = c->file.decls; d; d = d->next) {
		if (d->kind == DECL_CONST)
			name[count++] = d->name;
		if (d->kind == DECL_PARAM && d->name == wanted->name) {
			diag_error(&c->diag, "N0502", wanted->name_span, "-D is for consts, and '%s' is a param: the host sets it", d->name);
			return;
		}
	}
	const char *nearest = diag_nearest(wanted->name, name, count);
	if (nearest)
		diag_error(&c->diag, "N0502", wanted->name_span, "-D %s: the program has no const of this name; did you mean '%s'?", wanted->name, nearest);
	else
		diag_error(&c->diag, "N0502", wanted->name_span, "-D %s: the program has no const of this name", wanted->name);
}

/* -D NAME=VALUE puts another expression in the place of a const's. */
static void apply_define(Compilation *c, const nz_define *define)
{
	Text text = { .arena = c->arena };
	text_format(&text, "const %s = %s", define->name, define->value);
	Source *s = arena_alloc(c->arena, sizeof *s);
	*s = (Source){ .name = "<command line>", .text = text.data, .size = text.size };
	File one;
	int errors = c->diag.errors;
	parse_file(c->arena, &c->diag, s, &one);
	if (c->diag.errors > errors) {          /* which tell what is wrong with the text */
		c->wrong_use = true;
		return;
	}
	if (!one.decls || one.decls->next || one.decls->kind != DECL_CONST) {
		Span nowhere = { NULL, 0, 0 };
		c->wrong_use = true;
		diag_error(&c->diag, "N0502", nowhere, "-D %s=%s: needs one expression after '='", define->name, define->value);
		return;
	}
	for (Decl *d = c->file.decls; d; d = d->next)
		if (d->kind == DECL_CONST && d->name == one.decls->name) {
			d->value = one.decls->value;
			return;
		}
	c->wrong_use = true;
	refuse_define(c, one.decls);
}

/* -W in all its forms. */
static void choose_warnings(Compilation *c, const nz_compile_options *o)
{
	c->warnings = warning_defaults();
	c->diag.wanted = &c->warnings;
	for (size_t i = 0; i < o->warning_count; i++) {
		if (warning_choose(&c->warnings, o->warnings[i]))
			continue;
		Span nowhere = { NULL, 0, 0 };
		const char *near = warning_nearest(o->warnings[i]);
		c->wrong_use = true;
		if (near)
			diag_error(&c->diag, "N0507", nowhere, "unknown warning '%s'; did you mean '%s'?", o->warnings[i], near);
		else
			diag_error(&c->diag, "N0507", nowhere, "unknown warning '%s'; 'noisec explain' lists them", o->warnings[i]);
	}
}

/* Puts what was said in order, and into words. */
static void report(Compilation *c)
{
	static const nz_render_options defaults;
	c->report = diag_report(&c->diag);
	c->messages = (Text){ .arena = c->arena };
	report_text(c->report, &defaults, &c->messages);
}

static Program copy_of(Compilation *c, const Program *p)
{
	Program copy = *p;
	copy.func = arena_alloc(c->arena, p->funcs * sizeof *copy.func);
	memcpy(copy.func, p->func, p->funcs * sizeof *copy.func);
	copy.func_capacity = p->funcs;
	return copy;
}

/* Which passes run; true after an error. */
static bool unknown_pass(Compilation *c, const nz_compile_options *o)
{
	const char *unknown;
	c->skipped = o->optimise == 1 ? pipeline_all() : pipeline_passes(c->arena, o->skip_passes, &unknown);
	if (o->optimise == 1 || !unknown)
		return false;
	Text names = { .arena = c->arena };
	size_t count;
	const nz_pass *pass = nz_list_passes(&count);
	for (size_t i = 0; i < count; i++)
		text_format(&names, "%s%s", i ? ", " : "", pass[i].name);
	diag_error(&c->diag, "N0506", (Span){ NULL, 0, 0 }, "there is no pass '%s' to skip; passes are %s", unknown, names.data);
	c->wrong_use = true;
	return true;
}

static void compile(Compilation *c, const nz_compile_options *o)
{
	choose_warnings(c, o);
	library_open(c->arena, &c->diag, &c->library);
	parse_file(c->arena, &c->diag, &c->source, &c->file);
	for (size_t i = 0; i < o->define_count; i++)
		apply_define(c, &o->defines[i]);
	check_scope(c->arena, &c->diag, &c->file, 1, &c->library, false, &c->scope);
	const Decl *preview = o->preview_node ? scope_find(&c->scope, arena_intern(c->arena, o->preview_node, strlen(o->preview_node))) : NULL;
	if (o->preview_node && (!preview || preview->scope != &c->scope || (preview->kind != DECL_NODE && preview->kind != DECL_OUTPUT))) {
		Span nowhere = { NULL, 0, 0 };
		diag_error(&c->diag, "N0501", nowhere, "there is no node '%s'", o->preview_node);
		c->wrong_use = true;
		return;
	}
	if (unknown_pass(c, o))
		return;
	c->lowered.arena = c->arena;
	c->lowered.name = c->name;
	if (!lower_program(c->arena, &c->diag, &c->file, &c->scope, o->preview_node, &c->lowered))
		return;
	if (!o->preview_node)
		check_unused(c->arena, &c->diag, &c->scope);
	ir_verify(&c->lowered);
	c->optimised = copy_of(c, &c->lowered);
	pipeline_run(&c->optimised, ROUTE_ALL, c->skipped, NULL);
}

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

static nz_status fill_module(nz_module *m, const char *name, const char *text, size_t size, const nz_compile_options *o)
{
	Arena *arena = m->arena;
	if (setjmp(*arena_guard(arena)))
		return NZ_ERROR_MEMORY;
	Compilation *c = arena_alloc(arena, sizeof *c);
	m->compilation = c;
	c->arena = arena;
	c->diag.arena = arena;
	c->messages.arena = c->emitted.arena = arena;
	bool readable = size <= PARSE_MOST_BYTES;               /* what is too large is refused unread */
	char *copy = arena_alloc(arena, readable ? size + 1 : 1);
	if (size && readable)
		memcpy(copy, text, size);
	const char *shown = !strcmp(name, "-") ? "<stdin>" : arena_intern(arena, name, strlen(name));
	c->source = (Source){ .name = shown, .text = copy, .size = size };
	c->name = base_name(arena, name);
	compile(c, o);
	report(c);
	return c->wrong_use ? NZ_ERROR_ARGUMENT : c->report->errors ? NZ_ERROR_SOURCE : NZ_OK;
}

nz_status nz_compile_module(const char *name, const char *text, size_t size, const nz_compile_options *options, nz_module **out)
{
	static const nz_compile_options defaults;
	const nz_compile_options *o = options ? options : &defaults;
	if (!out)
		return NZ_ERROR_ARGUMENT;
	*out = NULL;
	if (!name || (!text && size) || !o->memory.allocate != !o->memory.release)
		return NZ_ERROR_ARGUMENT;
	Arena *arena = arena_new_in(&o->memory);
	if (!arena)
		return NZ_ERROR_MEMORY;
	nz_module *m = arena_alloc(arena, sizeof *m);           /* a new arena has room */
	m->arena = arena;
	*out = m;
	return m->status = fill_module(m, name, text, size, o);
}

void nz_free_module(nz_module *m)
{
	if (m)
		arena_free(m->arena);
}

const char *nz_get_diagnostics(const nz_module *m)
{
	if (!m || m->status == NZ_ERROR_MEMORY)
		return "noisec: out of memory\n";
	return m->compilation->messages.data ? m->compilation->messages.data : "";
}

Report *compile_report(const nz_module *m)
{
	return m && m->status != NZ_ERROR_MEMORY ? m->compilation->report : NULL;
}

nz_status compile_no_memory(nz_module *m)
{
	return m->status = NZ_ERROR_MEMORY;
}

size_t nz_count_dependencies(const nz_module *m) { return m && m->status != NZ_ERROR_MEMORY ? 1 : 0; }

const char *nz_get_dependency(const nz_module *m, size_t index)
{
	return index < nz_count_dependencies(m) ? m->compilation->source.name : NULL;
}

static nz_status refuse(Compilation *c, const char *code, const char *message)
{
	Span nowhere = { NULL, 0, 0 };
	diag_error(&c->diag, code, nowhere, "%s", message);
	report(c);
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
	Program p = copy_of(c, &c->optimised);
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
	Program p = copy_of(c, &c->optimised);
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
		report(c);
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
	Program p = copy_of(c, &c->lowered);
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
