/* What surrounds the functions: the banner, the structs of params and outputs, one thin function per
   output, and with an entry the interface and main. The library form declares nothing else, so that two
   programs with different prefixes can stand in one shader. */
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

const char *dialect_list(Arena *arena)
{
	Text t = { .arena = arena };
	for (size_t i = 0; i < sizeof dialects / sizeof *dialects; i++)
		text_format(&t, "%s%s", i ? ", " : "", dialects[i]->name);
	return t.data;
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

static void bounds_text(const Dialect *d, Kind kind, const uint32_t *low, const uint32_t *high, Text *out)
{
	text_add(out, ", ");
	print_literal(d, kind, low[0], out);
	text_add(out, " .. ");
	print_literal(d, kind, high[0], out);
}

static void print_structs(const Dialect *d, const Program *p, const FuncNames *n, Text *out)
{
	text_format(out, "struct %s\n{\n", n->params);
	for (uint32_t i = 0; i < p->uniforms; i++) {
		const Uniform *u = &p->uniform[i];
		print_doc(out, "    ", u->doc);
		text_format(out, "    %s %s; // default ", type_name(d, u->type), n->uniform[i]);
		for (int k = 0; k < u->type.width; k++) {
			text_add(out, k ? ", " : "");
			print_literal(d, (Kind)u->type.kind, u->value[k], out);
		}
		if (u->ranged)
			bounds_text(d, (Kind)u->type.kind, u->low, u->high, out);
		text_add(out, "\n");
	}
	if (!p->uniforms)
		text_format(out, "    %s unused; // this program has no params\n", d->type[KIND_FLOAT][1]);
	text_format(out, "};\n\nstruct %s\n{\n", n->out);
	for (uint32_t i = 0; i < p->outputs; i++) {
		const Output *o = &p->output[i];
		print_doc(out, "    ", o->doc);
		text_format(out, "    %s %s;", type_name(d, o->type), n->output[i]);
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
		text_format(out, "%s%s %s", o->type.kind == KIND_FLOAT ? d->exact : "", type_name(d, o->type), n->output_func[i]);
		print_signature(arena, d, p, n, out);
		text_format(out, "\n{\n    return %s(p", n->func[p->root->id]);
		for (uint32_t k = 0; k < p->inputs; k++)
			text_format(out, ", %s", n->input[k]);
		text_format(out, ", params, seed).%s;\n}\n", n->output[i]);
	}
}

/* ---- complete shaders ----

   Their own names have no underscore, and those of the program's functions and structs all have one. */

/* bool has no place in a buffer: it travels as uint */
static const char *stored_type(const Dialect *d, TypeInfo t)
{
	return d->type[t.kind == KIND_BOOL ? KIND_UINT : t.kind][t.width];
}

static void print_block(const Dialect *d, const Program *p, const FuncNames *n, Text *out)
{
	text_add(out, "\nlayout(std140, set = 0, binding = 0) uniform Params\n{\n");
	for (uint32_t i = 0; i < p->uniforms; i++)
		text_format(out, "    %s %s;\n", stored_type(d, p->uniform[i].type), n->uniform[i]);
	text_format(out, "    %s seed;\n} block;\n", d->type[KIND_UINT][1]);
}

static void print_params(const Dialect *d, const Program *p, const FuncNames *n, Text *out)
{
	text_format(out, "    %s params;\n", n->params);
	for (uint32_t i = 0; i < p->uniforms; i++) {
		if (p->uniform[i].type.kind == KIND_BOOL && p->uniform[i].type.width > 1)
			text_format(out, "    params.%s = notEqual(block.%s, %s(0u));\n", n->uniform[i], n->uniform[i], stored_type(d, p->uniform[i].type));
		else
			text_format(out, "    params.%s = block.%s%s;\n", n->uniform[i], n->uniform[i], p->uniform[i].type.kind == KIND_BOOL ? " != 0u" : "");
	}
	if (!p->uniforms)
		text_add(out, "    params.unused = 0.0;\n");
}

static void call_root(const Program *p, const FuncNames *n, Text *out)
{
	text_format(out, "    precise %s result = %s(p", n->out, n->func[p->root->id]);
	for (uint32_t k = 0; k < p->inputs; k++)
		text_format(out, ", in%u", (unsigned)k);
	text_add(out, ", params, block.seed);\n");
}

static void print_fragment(const Dialect *d, const Program *p, const FuncNames *n, uint32_t which, Text *out)
{
	print_block(d, p, n, out);
	text_format(out, "\nlayout(location = 0) in %s p;\n", d->type[KIND_FLOAT][p->domain]);
	for (uint32_t i = 0; i < p->inputs; i++) {
		bool flat = p->input[i].type.kind != KIND_FLOAT;
		text_format(out, "layout(location = %u) %sin %s vary%u; // %s\n", (unsigned)i + 1u, flat ? "flat " : "", stored_type(d, p->input[i].type), (unsigned)i, n->input[i]);
	}
	text_add(out, "layout(location = 0) out vec4 colour;\n\nvoid main()\n{\n");
	print_params(d, p, n, out);
	for (uint32_t i = 0; i < p->inputs; i++) {
		bool truth = p->input[i].type.kind == KIND_BOOL;
		text_format(out, "    %s in%u = ", type_name(d, p->input[i].type), (unsigned)i);
		if (truth && p->input[i].type.width > 1)
			text_format(out, "notEqual(vary%u, %s(0u));\n", (unsigned)i, stored_type(d, p->input[i].type));
		else
			text_format(out, "vary%u%s;\n", (unsigned)i, truth ? " != 0u" : "");
	}
	call_root(p, n, out);
	const Output *o = &p->output[which];
	const char *value = text_print(p->arena, o->type.kind == KIND_FLOAT ? "result.%s" : o->type.width == 1 ? "float(result.%s)" : o->type.width == 2 ? "vec2(result.%s)"
		: o->type.width == 3 ? "vec3(result.%s)" : "vec4(result.%s)", n->output[which]);
	switch (o->type.width) {
	case 1: text_format(out, "    colour = vec4(vec3(%s), 1.0);\n}\n", value); break;
	case 2: text_format(out, "    colour = vec4(%s, 0.0, 1.0);\n}\n", value); break;
	case 3: text_format(out, "    colour = vec4(%s, 1.0);\n}\n", value); break;
	default: text_format(out, "    colour = %s;\n}\n", value); break;
	}
}

static const char *read_word(const char *buffer, Kind kind, const char *index, Arena *arena)
{
	const char *word = text_print(arena, "%s.word[%s]", buffer, index);
	switch (kind) {
	case KIND_FLOAT: return text_print(arena, "uintBitsToFloat(%s)", word);
	case KIND_INT: return text_print(arena, "int(%s)", word);
	case KIND_BOOL: return text_print(arena, "%s != 0u", word);
	default: return word;
	}
}

static void read_value(const Dialect *d, TypeInfo t, const char *buffer, const char *variable, Arena *arena, Text *out)
{
	text_format(out, "    %s %s = %s(", type_name(d, t), variable, type_name(d, t));
	for (int k = 0; k < t.width; k++)
		text_format(out, "%s%s", k ? ", " : "", read_word(buffer, (Kind)t.kind, text_print(arena, "%du * index + %du", t.width, k), arena));
	text_add(out, ");\n");
}

static void print_compute(Arena *arena, const Dialect *d, const Program *p, const FuncNames *n, Text *out)
{
	uint32_t binding = 1;
	print_block(d, p, n, out);
	text_format(out, "\n// words of 32 bits, %d a point for p\n", p->domain);
	text_format(out, "layout(std430, set = 0, binding = %u) readonly buffer Positions { uint word[]; } positions;\n", (unsigned)binding++);
	for (uint32_t i = 0; i < p->inputs; i++)
		text_format(out, "layout(std430, set = 0, binding = %u) readonly buffer Input%u { uint word[]; } input%u; // %s\n", (unsigned)binding++, (unsigned)i, (unsigned)i, n->input[i]);
	for (uint32_t i = 0; i < p->outputs; i++)
		text_format(out, "layout(std430, set = 0, binding = %u) writeonly buffer Output%u { uint word[]; } output%u; // %s\n", (unsigned)binding++, (unsigned)i, (unsigned)i, n->output[i]);
	text_add(out, "\nlayout(local_size_x = 64) in;\n\nvoid main()\n{\n    uint index = gl_GlobalInvocationID.x;\n");
	text_format(out, "    if (%du * index + %du > uint(positions.word.length()))\n        return;\n", p->domain, p->domain);
	print_params(d, p, n, out);
	read_value(d, (TypeInfo){ KIND_FLOAT, p->domain, NULL }, "positions", "p", arena, out);
	for (uint32_t i = 0; i < p->inputs; i++)
		read_value(d, p->input[i].type, text_print(arena, "input%u", (unsigned)i), text_print(arena, "in%u", (unsigned)i), arena, out);
	call_root(p, n, out);
	for (uint32_t i = 0; i < p->outputs; i++)
		for (int k = 0; k < p->output[i].type.width; k++) {
			TypeInfo t = p->output[i].type;
			const char *member = t.width == 1 ? text_print(arena, "result.%s", n->output[i]) : text_print(arena, "result.%s.%c", n->output[i], "xyzw"[k]);
			text_format(out, "    output%u.word[%du * index + %du] = %s(%s);\n", (unsigned)i, t.width, k, t.kind == KIND_FLOAT ? "floatBitsToUint" : "uint", member);
		}
	text_add(out, "}\n");
}

void print_program(Arena *arena, const Dialect *d, const Program *p, const PrintOptions *options, Text *out)
{
	FuncNames n;
	name_all(arena, d, p, options->prefix, &n);
	if (options->entry != NZ_ENTRY_NONE)
		text_add(out, d->version);
	text_format(out, "// %s, made by noisec from the noise language; edit the source, not this text.\n", options->prefix);
	text_add(out, "// Exact: the same bits as the noise runtime, on drivers that honour `precise` and round + - * correctly.\n\n");
	print_structs(d, p, &n, out);
	for (uint32_t i = 0; i < p->funcs; i++) {
		text_add(out, "\n");
		print_func(arena, d, p, &n, p->func[i], out);
	}
	print_output_functions(arena, d, p, &n, out);
	if (options->entry == NZ_ENTRY_FRAGMENT)
		print_fragment(d, p, &n, options->output, out);
	else if (options->entry == NZ_ENTRY_COMPUTE)
		print_compute(arena, d, p, &n, out);
}
