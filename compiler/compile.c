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
	bool optimise, wrong_use;               /* wrong_use: an option names what the program does not have */
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
	c->lowered.arena = c->arena;
	c->lowered.name = c->name;
	if (!lower_program(c->arena, &c->diag, &c->file, &c->scope, o->preview_node, &c->lowered))
		return;
	ir_verify(&c->lowered);
	c->optimised = copy_of(c, &c->lowered);
	if (c->optimise) {
		pass_inline(&c->optimised);
		pass_share(&c->optimised);
		pass_sharpen(&c->optimised);
		ir_verify(&c->optimised);
	}
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
	c->optimise = o->optimise != 1;
	char *copy = arena_alloc(arena, size + 1);
	if (size)
		memcpy(copy, text, size);
	const char *shown = !strcmp(name, "-") ? "<stdin>" : arena_intern(arena, name, strlen(name));
	c->source = (Source){ .name = shown, .text = copy, .size = size };
	c->name = base_name(arena, name);
	compile(c, o);
	diag_print(&c->diag, &c->messages);
	return c->wrong_use ? NZ_ERROR_ARGUMENT : c->diag.errors ? NZ_ERROR_SOURCE : NZ_OK;
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

int nz_count_errors(const nz_module *m) { return m && m->status != NZ_ERROR_MEMORY ? m->compilation->diag.errors : 1; }
int nz_count_warnings(const nz_module *m) { return m && m->status != NZ_ERROR_MEMORY ? m->compilation->diag.warnings : 0; }

static nz_status refuse(Compilation *c, const char *code, const char *message)
{
	Span nowhere = { NULL, 0, 0 };
	Diagnostics one = { .arena = c->arena };
	diag_error(&one, code, nowhere, "%s", message);
	diag_print(&one, &c->messages);
	return NZ_ERROR_ARGUMENT;
}

/* Shaders keep their loops, since people read them and drivers unroll; the interpreter gains by writing
   short ones out. */
static Program for_runtime(Compilation *c)
{
	Program p = copy_of(c, &c->optimised);
	if (c->optimise)
		pass_unroll(&p);
	if (c->optimise)
		pass_lazy(&p);
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
		return refuse(c, "N0503", text_print(c->arena, "unknown target '%s'; targets are %s, program", target, dialect_list(c->arena)));
	if (!dialect_has_entry(d, o->entry))
		return refuse(c, "N0505", text_print(c->arena, "target '%s' has no %s shaders", target, o->entry == NZ_ENTRY_COMPUTE ? "compute" : "fragment"));
	PrintOptions print = { .prefix = o->prefix ? o->prefix : c->name, .entry = o->entry };
	while (o->output && print.output < p.outputs && strcmp(p.output[print.output].name, o->output))
		print.output++;
	if (print.output >= p.outputs)
		return refuse(c, "N0501", text_print(c->arena, "the program has no output '%s'", o->output));
	if (!legalise(c->arena, &c->diag, d, &p, &c->library)) {
		diag_print(&c->diag, &c->messages);
		return NZ_ERROR_INTERNAL;
	}
	if (c->optimise) {                      /* the functions that spell operations are new to the passes */
		pass_inline(&p);
		pass_sharpen(&p);
		pass_lazy(&p);
	}
	ir_verify(&p);
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

static void dump_program(Compilation *c)
{
	Program p = for_runtime(c);
	slots_dump(c->arena, &p, &c->emitted);
}

nz_status nz_dump_stage(nz_module *m, const char *stage, const char **data, size_t *size)
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
	else if (!strcmp(stage, "ir"))
		ir_dump(&c->lowered, &c->emitted);
	else if (!strcmp(stage, "opt"))
		ir_dump(&c->optimised, &c->emitted);
	else if (!strcmp(stage, "program"))
		dump_program(c);
	else
		return refuse(c, "N0504", text_print(c->arena, "unknown stage '%s'; stages are ast, ir, opt and program", stage));
	*data = c->emitted.data ? c->emitted.data : "";
	*size = c->emitted.size;
	return NZ_OK;
}
