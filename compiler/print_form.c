/* What surrounds the functions: the banner, the structs of params and outputs, one thin function per
   output. The library form declares nothing else, so that two programs with different prefixes can stand in
   one shader; print_entry.c makes a complete one. */
#include <string.h>

#include "print.h"
#include "../runtime/num.h"

static const Dialect *const dialects[] = {
#define DIALECT(name) &dialect_##name,
#include "dialects.def"
#undef DIALECT
};

const Dialect *dialect_find(const char *name)
{
	for (size_t i = 0; i < sizeof dialects / sizeof *dialects; i++)
		if (!strcmp(dialects[i]->name, name))
			return dialects[i];
	return NULL;
}

bool dialect_has_entry(const Dialect *d, nz_entry entry)
{
	return entry == NZ_ENTRY_NONE || (entry == NZ_ENTRY_FRAGMENT ? d->fragment : d->compute) != NULL;
}

static unsigned dialect_entries(const Dialect *d)
{
	return (d->fragment ? 1u << NZ_ENTRY_FRAGMENT : 0) | (d->compute ? 1u << NZ_ENTRY_COMPUTE : 0);
}

bool dialect_describe(size_t index, nz_target *out)
{
	if (index >= sizeof dialects / sizeof *dialects)
		return false;
	const Dialect *d = dialects[index];
	*out = (nz_target){ .name = d->name, .suffix = d->suffix, .description = d->description, .entries = dialect_entries(d) };
	return true;
}

static const char *type_name(const Dialect *d, TypeInfo t) { return d->type[t.kind][t.width]; }

static void name_all(Arena *arena, const Dialect *d, const Program *p, const char *prefix, FuncNames *n)
{
	Names global = { .arena = arena, .dialect = d }, member = global, param = global;
	n->func = arena_alloc(arena, (p->funcs + 1) * sizeof *n->func);
	n->uniform = arena_alloc(arena, (p->uniforms + 1) * sizeof *n->uniform);
	n->input = arena_alloc(arena, (p->inputs + 1) * sizeof *n->input);
	n->output = arena_alloc(arena, (p->outputs + 1) * sizeof *n->output);
	n->output_func = arena_alloc(arena, (p->outputs + 1) * sizeof *n->output_func);
	n->params = name_make(&global, text_print(arena, "%s_params", prefix));
	n->out = name_make(&global, text_print(arena, "%s_out", prefix));
	n->func[p->root->id] = name_make(&global, text_print(arena, "%s_eval", prefix));
	for (uint32_t i = 0; i < p->outputs; i++) {
		n->output[i] = name_make(&member, p->output[i].name);
		n->output_func[i] = name_make(&global, text_print(arena, "%s_%s", prefix, p->output[i].name));
	}
	for (uint32_t i = 0; i < p->uniforms; i++)
		n->uniform[i] = name_make(&param, p->uniform[i].name);
	for (uint32_t i = 0; i < p->funcs; i++)
		if (p->func[i] != p->root)
			n->func[i] = name_make(&global, text_print(arena, "%s_%s", prefix, p->func[i]->name ? p->func[i]->name : "field"));
	n->global = global;
	Names argument = { .arena = arena, .dialect = d, .outer = &n->global };
	name_make(&argument, "p");
	name_make(&argument, "params");
	name_make(&argument, "seed");
	for (uint32_t i = 0; i < p->inputs; i++)
		n->input[i] = name_make(&argument, p->input[i].name);
}

void dialect_names(Arena *arena, const Dialect *d, const Program *p, const char *prefix, EntryNames *out)
{
	FuncNames n;
	name_all(arena, d, p, prefix, &n);
	*out = (EntryNames){ .eval = n.func[p->root->id], .params = n.params, .out = n.out, .uniform = n.uniform, .input = n.input,
		.output = n.output, .output_func = n.output_func };
}

bool dialect_is_exact(const Dialect *d) { return d->binds; }
bool dialect_is_vulkan(const Dialect *d) { return d->vulkan; }
const char *dialect_type(const Dialect *d, Kind kind, int width) { return d->type[kind][width]; }

static void bounds_text(const Dialect *d, Kind kind, const uint32_t *low, const uint32_t *high, Text *out)
{
	text_add(out, ", ");
	print_literal(d, kind, low[0], out);
	text_add(out, " .. ");
	print_literal(d, kind, high[0], out);
}

static void print_member(const Dialect *d, const char *type, const char *name, Text *out)
{
	text_add(out, "    ");
	print_fill(out, d->member, (const Hole[]){ { "type", type }, { "name", name }, { NULL, NULL } });
}

static void print_structs(const Dialect *d, const Program *p, const FuncNames *n, Text *out)
{
	text_format(out, "struct %s\n{\n", n->params);
	for (uint32_t i = 0; i < p->uniforms; i++) {
		const Uniform *u = &p->uniform[i];
		print_doc(out, "    ", u->doc);
		print_member(d, type_name(d, u->type), n->uniform[i], out);
		text_add(out, " // default ");
		for (int k = 0; k < u->type.width; k++) {
			text_add(out, k ? ", " : "");
			print_literal(d, (Kind)u->type.kind, u->value[k], out);
		}
		if (u->ranged)
			bounds_text(d, (Kind)u->type.kind, u->low, u->high, out);
		text_add(out, "\n");
	}
	if (!p->uniforms) {
		print_member(d, d->type[KIND_FLOAT][1], "unused", out);
		text_add(out, " // this program has no params\n");
	}
	text_format(out, "};\n\nstruct %s\n{\n", n->out);
	for (uint32_t i = 0; i < p->outputs; i++) {
		const Output *o = &p->output[i];
		print_doc(out, "    ", o->doc);
		print_member(d, type_name(d, o->type), n->output[i], out);
		bool bounded = o->type.kind == KIND_FLOAT && o->bounds.low > -NUM_FLOAT_MAX && o->bounds.high < NUM_FLOAT_MAX;
		if (bounded) {
			text_add(out, " // ");
			text_float(out, o->bounds.low);
			text_add(out, " .. ");
			text_float(out, o->bounds.high);
		}
		if (o->type.enumeration)
			text_format(out, " // %s:", o->type.enumeration->name);
		for (const Enumerator *e = o->type.enumeration ? o->type.enumeration->enumerators : NULL; e; e = e->next)
			text_format(out, " %d %s%s", e->value, e->name, e->next ? "," : "");
		text_add(out, "\n");
	}
	text_add(out, "};\n");
}

static void print_output_functions(Arena *arena, const Dialect *d, const Program *p, const FuncNames *n, Text *out)
{
	for (uint32_t i = 0; i < p->outputs; i++) {
		const Output *o = &p->output[i];
		text_add(out, "\n");
		print_doc(out, "", o->doc);
		print_function(d, o->type.kind == KIND_FLOAT, type_name(d, o->type), n->output_func[i], print_arguments(arena, d, p, n), out);
		text_format(out, "    return %s(p", n->func[p->root->id]);
		for (uint32_t k = 0; k < p->inputs; k++)
			text_format(out, ", %s", n->input[k]);
		text_format(out, ", params, seed).%s;\n}\n", n->output[i]);
	}
}

void print_program(Arena *arena, const Dialect *d, const Program *p, const PrintOptions *options, Text *out)
{
	FuncNames n;
	name_all(arena, d, p, options->prefix, &n);
	if (options->entry != NZ_ENTRY_NONE)
		text_add(out, d->version);
	text_format(out, "// %s, made by noisec; edit the source, not this text. The source's author owns both.\n", options->prefix);
	text_format(out, "%s\n%s", d->promise, d->prelude ? d->prelude : "");
	print_structs(d, p, &n, out);
	for (uint32_t i = 0; i < p->funcs; i++) {
		text_add(out, "\n");
		print_func(arena, d, p, &n, p->func[i], out);
	}
	print_output_functions(arena, d, p, &n, out);
	const Entry *entry = options->entry == NZ_ENTRY_FRAGMENT ? d->fragment : options->entry == NZ_ENTRY_COMPUTE ? d->compute : NULL;
	if (entry)
		print_entry(arena, d, entry, p, &n, options->output, out);
}
