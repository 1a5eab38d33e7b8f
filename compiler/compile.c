/* The pipeline, and the public library around it. The only file that knows the order of the stages. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "cc.h"

/* library/ as text, made by the build */
extern const struct LibraryFile { const char *name, *text; size_t size; } library_files[];
extern const size_t library_file_count;

struct Compilation {
	Arena *arena;
	Diagnostics diag;
	Source source;
	File file;
	Scope library, scope;
	Program lowered, optimised;
	const char *name;                       /* default prefix */
	bool optimise, wrong_use;               /* wrong_use: an option names what the program does not have */
	WarningSet warnings;
	Report *report;
	Text messages, emitted;
};

/* The public handle. It lives outside of the arena so that it can tell that there was no memory. */
struct nz_module {
	Compilation *compilation;
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
	File *files = arena_alloc(arena, library_file_count * sizeof *files);
	for (size_t i = 0; i < library_file_count; i++) {
		Source *s = arena_alloc(arena, sizeof *s);
		*s = (Source){ .name = library_files[i].name, .text = library_files[i].text, .size = library_files[i].size, .library = true };
		parse_file(arena, diag, s, &files[i]);
	}
	check_scope(arena, diag, files, library_file_count, NULL, true, out);
}

/* -D NAME=VALUE puts another expression in the place of a const's. */
static void apply_define(Compilation *c, const nz_define *define)
{
	Text text = { .arena = c->arena };
	text_format(&text, "const %s = %s", define->name, define->value);
	Source *s = arena_alloc(c->arena, sizeof *s);
	*s = (Source){ .name = "<command line>", .text = text.data, .size = text.size };
	File one;
	parse_file(c->arena, &c->diag, s, &one);
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
	diag_error(&c->diag, "N0502", one.decls->name_span, "-D %s: the program has no const of this name", define->name);
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
			diag_error(&c->diag, "N0505", nowhere, "unknown warning '%s'; did you mean '%s'?", o->warnings[i], near);
		else
			diag_error(&c->diag, "N0505", nowhere, "unknown warning '%s'; 'noisec explain' lists them", o->warnings[i]);
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

static void compile(Compilation *c, const nz_compile_options *o)
{
	choose_warnings(c, o);
	compile_library(c->arena, &c->diag, &c->library);
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
	c->lowered.arena = c->arena;
	c->lowered.name = c->name;
	if (!lower_program(c->arena, &c->diag, &c->file, &c->scope, o->preview_node, &c->lowered))
		return;
	if (!o->preview_node)
		check_unused(c->arena, &c->diag, &c->scope);
	ir_verify(&c->lowered);
	c->optimised = copy_of(c, &c->lowered);
	if (c->optimise) {
		pass_inline(&c->optimised);
		pass_sharpen(&c->optimised);
		ir_verify(&c->optimised);
	}
}

nz_status nz_compile_module(const char *name, const char *text, size_t size, const nz_compile_options *options, nz_module **out)
{
	static const nz_compile_options defaults;
	nz_module *m = calloc(1, sizeof *m);
	Arena *arena = arena_new();
	*out = m;
	if (!m || !arena) {
		arena_free(arena);
		if (m)
			m->status = NZ_ERROR_MEMORY;
		return NZ_ERROR_MEMORY;
	}
	if (setjmp(*arena_guard(arena))) {
		arena_free(arena);
		m->compilation = NULL;
		return m->status = NZ_ERROR_MEMORY;
	}
	Compilation *c = arena_alloc(arena, sizeof *c);
	m->compilation = c;
	c->arena = arena;
	c->diag.arena = arena;
	c->messages.arena = c->emitted.arena = arena;
	c->optimise = !options || options->optimise != 1;
	char *copy = arena_alloc(arena, size <= PARSE_MOST_BYTES ? size + 1 : 1);       /* what is too large is refused unread */
	memcpy(copy, text, size <= PARSE_MOST_BYTES ? size : 0);
	const char *shown = !strcmp(name, "-") ? "<stdin>" : arena_intern(arena, name, strlen(name));
	c->source = (Source){ .name = shown, .text = copy, .size = size };
	c->name = base_name(arena, name);
	compile(c, options ? options : &defaults);
	report(c);
	return m->status = c->wrong_use ? NZ_ERROR_ARGUMENT : c->report->errors ? NZ_ERROR_SOURCE : NZ_OK;
}

void nz_free_module(nz_module *m)
{
	if (m && m->compilation)
		arena_free(m->compilation->arena);
	free(m);
}

const char *nz_get_diagnostics(const nz_module *m)
{
	if (!m || m->status == NZ_ERROR_MEMORY)
		return "noisec: out of memory\n";
	return m->compilation->messages.data ? m->compilation->messages.data : "";
}

Report *compile_report(const nz_module *m)
{
	return m && m->compilation ? m->compilation->report : NULL;
}

nz_status compile_no_memory(nz_module *m)
{
	arena_free(m->compilation->arena);
	m->compilation = NULL;
	return m->status = NZ_ERROR_MEMORY;
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

/* Shaders keep their loops, since people read them and drivers unroll; the interpreter gains by writing
   short ones out. */
static Program for_runtime(Compilation *c)
{
	Program p = copy_of(c, &c->optimised);
	if (c->optimise)
		pass_unroll(&p);
	ir_verify(&p);
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
		return refuse_name(c, "N0503", "target", target, text_print(c->arena, "%s, program", dialect_list(c->arena)));
	PrintOptions print = { .prefix = o->prefix ? o->prefix : c->name, .entry = o->entry };
	while (o->output && print.output < p.outputs && strcmp(p.output[print.output].name, o->output))
		print.output++;
	if (print.output >= p.outputs)
		return refuse(c, "N0501", text_print(c->arena, "the program has no output '%s'", o->output));
	if (!legalise(c->arena, &c->diag, d, &p, &c->library)) {
		report(c);
		return NZ_ERROR_INTERNAL;
	}
	if (c->optimise) {                      /* the functions that spell operations are new to the passes */
		pass_inline(&p);
		pass_sharpen(&p);
	}
	ir_verify(&p);
	print_program(c->arena, d, &p, &print, &c->emitted);
	return NZ_OK;
}

nz_status nz_emit_target(nz_module *m, const nz_emit_options *options, const char **data, size_t *size)
{
	static const nz_emit_options defaults;
	if (!m || m->status != NZ_OK)
		return m ? m->status : NZ_ERROR_MEMORY;
	if (setjmp(*arena_guard(m->compilation->arena)))
		return compile_no_memory(m);
	Compilation *c = m->compilation;
	c->emitted = (Text){ .arena = c->arena };
	nz_status status = emit(c, options ? options : &defaults);
	*data = c->emitted.data ? c->emitted.data : "";
	*size = c->emitted.size;
	return status;
}

static void dump_program(Compilation *c)
{
	Program p = for_runtime(c);
	slots_dump(c->arena, &p, &c->emitted);
}

nz_status nz_dump_stage(nz_module *m, const char *stage, const char **data, size_t *size)
{
	if (!m || m->status == NZ_ERROR_MEMORY)
		return NZ_ERROR_MEMORY;
	if (setjmp(*arena_guard(m->compilation->arena)))
		return compile_no_memory(m);
	Compilation *c = m->compilation;
	bool syntax = !strcmp(stage, "ast");
	c->emitted = (Text){ .arena = c->arena };
	if (!syntax && m->status != NZ_OK)
		return m->status;
	if (syntax)
		parse_dump(&c->file, &c->emitted);
	else if (!strcmp(stage, "ir"))
		ir_dump(&c->lowered, &c->emitted);
	else if (!strcmp(stage, "opt"))
		ir_dump(&c->optimised, &c->emitted);
	else if (!strcmp(stage, "program"))
		dump_program(c);
	else
		return refuse_name(c, "N0504", "stage", stage, "ast, ir, opt, program");
	*data = c->emitted.data ? c->emitted.data : "";
	*size = c->emitted.size;
	return NZ_OK;
}
