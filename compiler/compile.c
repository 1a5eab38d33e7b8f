/* From a source to a module: the order of the stages, up to the form that all targets share. emit.c goes on from
   there. */
#include <string.h>

#include "compile.h"

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
void compile_tell(Compilation *c)
{
	static const nz_render_options defaults;
	c->report = diag_report(&c->diag);
	c->messages = (Text){ .arena = c->arena };
	report_text(c->report, &defaults, &c->messages);
}

Program compile_copy(Compilation *c, const Program *p)
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
	c->optimised = compile_copy(c, &c->lowered);
	pipeline_run(&c->optimised, ROUTE_ALL, c->skipped, NULL);
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
	compile_tell(c);
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
