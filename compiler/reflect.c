/* A program described in JSON, for tools: docs/reflection.md is the schema. Fields are only ever added within a
   version. Floats are the shortest decimals that read back to the same bits. */
#include <string.h>

#include "cc.h"
#include "../runtime/num.h"

enum { VERSION = 1 };

static void number(Json *j, Kind kind, uint32_t bits)
{
	switch (kind) {
	case KIND_BOOL: text_add(j->out, bits ? "true" : "false"); break;
	case KIND_INT: text_format(j->out, "%d", num_int(bits)); break;
	case KIND_UINT: text_format(j->out, "%u", (unsigned)bits); break;
	case KIND_FLOAT: text_float(j->out, num_from_bits(bits << 1 ? bits : 0)); break;         /* -0 is 0 */
	}
}

/* A scalar, or an array of components. */
static void put_value(Json *j, const char *name, TypeInfo type, const uint32_t *bits)
{
	json_key(j, name);
	if (type.width > 1)
		text_add(j->out, "[");
	for (int i = 0; i < type.width; i++) {
		text_add(j->out, i ? ", " : "");
		number(j, (Kind)type.kind, bits[i]);
	}
	if (type.width > 1)
		text_add(j->out, "]");
}

/* ---- what a program has ---- */

static const char *const type_names[4][5] = {
	{ NULL, "bool", "bvec2", "bvec3", "bvec4" }, { NULL, "int", "ivec2", "ivec3", "ivec4" },
	{ NULL, "uint", "uvec2", "uvec3", "uvec4" }, { NULL, "float", "vec2", "vec3", "vec4" },
};

static void put_type(Json *j, TypeInfo type)
{
	json_put_text(j, "type", type.enumeration ? type.enumeration->name : type_names[type.kind][type.width]);
	json_put_text(j, "kind", type.enumeration ? "enum" : type_names[type.kind][1]);
	json_put_whole(j, "components", type.width);
}

static void put_range(Json *j, TypeInfo type, bool ranged, const uint32_t *low, const uint32_t *high)
{
	json_key(j, "range");
	if (!ranged) {
		text_add(j->out, "null");
		return;
	}
	json_open(j, "{");
	put_value(j, "low", type, low);
	put_value(j, "high", type, high);
	json_close(j, "}");
}

static void put_params(Json *j, const Program *p)
{
	json_key(j, "params");
	json_open(j, "[");
	for (uint32_t i = 0; i < p->uniforms; i++) {
		const Uniform *u = &p->uniform[i];
		json_next(j);
		json_open(j, "{");
		json_put_text(j, "name", u->name);
		json_put_text(j, "doc", u->doc);
		put_type(j, u->type);
		put_value(j, "default", u->type, u->value);
		put_range(j, u->type, u->ranged, u->low, u->high);
		json_put_truth(j, "colour", u->colour);
		json_close(j, "}");
	}
	json_close(j, "]");
}

static void put_inputs(Json *j, const Program *p)
{
	json_key(j, "inputs");
	json_open(j, "[");
	for (uint32_t i = 0; i < p->inputs; i++) {
		const Input *in = &p->input[i];
		json_next(j);
		json_open(j, "{");
		json_put_text(j, "name", in->name);
		json_put_text(j, "doc", in->doc);
		put_type(j, in->type);
		put_range(j, in->type, in->ranged, in->low, in->high);
		json_close(j, "}");
	}
	json_close(j, "]");
}

/* One side of a proved range; whole numbers as such, and no side beyond what the type holds. */
static void put_bound(Json *j, const char *name, Kind kind, float bound)
{
	json_key(j, name);
	if (kind == KIND_FLOAT && (bound <= -NUM_FLOAT_MAX || bound >= NUM_FLOAT_MAX))
		text_add(j->out, "null");
	else if (kind == KIND_FLOAT)
		text_float(j->out, bound == 0.0f ? 0.0f : bound);
	else if (kind == KIND_INT)
		text_format(j->out, "%d", bound >= 2147483648.0f ? INT32_MAX : bound < -2147483648.0f ? INT32_MIN : (int)bound);
	else
		text_format(j->out, "%u", bound >= 4294967296.0f ? UINT32_MAX : bound < 0.0f ? 0u : (unsigned)bound);
}

/* Does this operation give the same bits in a shader that may fuse and reorder arithmetic? A row not named here
   is taken to round. */
static bool is_steady(const Value *v)
{
	if (v->kind != KIND_FLOAT || v->op >= OP_COUNT)
		return true;
	switch (v->op) {
	case OP_COPY: case OP_SELECT: case OP_FABS: case OP_FFLOOR: case OP_FCEIL: case OP_FTRUNC: case OP_FROUND: case OP_FMIN: case OP_FMAX:
	case OP_FLEAST: case OP_FMOST: case OP_FBOUND: case OP_FCLEAN: case OP_WITHIN: case OP_BITSF: case OP_BTOF:
		return true;
	default:
		return false;
	}
}

/* steady[i]: no arithmetic that can round stands between output i and what is given. */
static void find_steady(Arena *arena, const Program *p, bool *steady)
{
	bool *func = arena_alloc(arena, (p->funcs + 1) * sizeof *func);
	const Func *root = p->root;
	bool *needed = arena_alloc(arena, root->count * sizeof *needed);
	for (uint32_t k = 0; k < p->funcs; k++) {       /* callees first */
		func[k] = true;
		for (Ref r = 1; r < p->func[k]->count; r++) {
			const Value *v = &p->func[k]->value[r];
			func[k] = func[k] && is_steady(v) && (v->op != IR_CALL || func[v->imm]);
		}
	}
	for (uint32_t i = 0; i < p->outputs; i++) {
		memset(needed, 0, root->count * sizeof *needed);
		needed[root->result[i]] = true;
		steady[i] = true;
		for (Ref r = root->count; r-- > 1; ) {
			const Value *v = &root->value[r];
			if (!needed[r])
				continue;
			steady[i] = steady[i] && is_steady(v) && (v->op != IR_CALL || func[v->imm]);
			for (uint32_t k = 0; k < v->operands && v->op != IR_CONST; k++)
				needed[ir_operands(root, r)[k]] = true;
		}
	}
}

static void put_outputs(Json *j, Arena *arena, const Program *p, const ReflectOptions *o)
{
	bool *steady = arena_alloc(arena, (p->outputs + 1) * sizeof *steady);
	find_steady(arena, p, steady);
	json_key(j, "outputs");
	json_open(j, "[");
	for (uint32_t i = 0; i < p->outputs; i++) {
		const Output *output = &p->output[i];
		Kind kind = (Kind)output->type.kind;
		json_next(j);
		json_open(j, "{");
		json_put_text(j, "name", output->name);
		json_put_text(j, "doc", output->doc);
		put_type(j, output->type);
		json_key(j, "range");
		if (kind == KIND_BOOL)
			text_add(j->out, "null");
		else {
			json_open(j, "{");
			put_bound(j, "low", kind, output->bounds.low);
			put_bound(j, "high", kind, output->bounds.high);
			json_close(j, "}");
		}
		json_put_truth(j, "colour", output->colour);
		json_key(j, "promise");
		json_open(j, "{");
		for (size_t t = 0; t < o->targets; t++) {
			const Dialect *d = dialect_find(o->target[t].name);
			json_put_text(j, o->target[t].name, !d || dialect_is_exact(d) || steady[i] ? "bits" : "range");
		}
		json_close(j, "}");
		json_close(j, "}");
	}
	json_close(j, "]");
}

static void put_enums(Json *j, const Program *p)
{
	json_key(j, "enums");
	json_open(j, "[");
	for (uint32_t i = 0; i < p->enumerations; i++) {
		json_next(j);
		json_open(j, "{");
		json_put_text(j, "name", p->enumeration[i]->name);
		json_put_text(j, "doc", p->enumeration[i]->doc);
		json_key(j, "enumerators");
		json_open(j, "[");
		for (const Enumerator *e = p->enumeration[i]->enumerators; e; e = e->next) {
			json_next(j);
			json_open(j, "{");
			json_put_text(j, "name", e->name);
			json_put_text(j, "doc", e->doc);
			json_put_whole(j, "value", (uint32_t)e->value);
			json_close(j, "}");
		}
		json_close(j, "]");
		json_close(j, "}");
	}
	json_close(j, "]");
}

/* ---- targets ---- */

static void put_names(Json *j, const char *name, const char *struct_name, uint32_t count, const char *const *member, const char *(*of)(const Program *, uint32_t), const Program *p)
{
	json_key(j, name);
	json_open(j, "{");
	json_put_text(j, "name", struct_name);
	json_key(j, "members");
	json_open(j, "{");
	for (uint32_t i = 0; i < count; i++)
		json_put_text(j, of(p, i), member[i]);
	json_close(j, "}");
	json_close(j, "}");
}

static const char *name_of_param(const Program *p, uint32_t i) { return p->uniform[i].name; }
static const char *name_of_output(const Program *p, uint32_t i) { return p->output[i].name; }

static void put_argument(Json *j, const char *name, const char *type)
{
	json_next(j);
	json_open(j, "{");
	json_put_text(j, "name", name);
	json_put_text(j, "type", type);
	json_close(j, "}");
}

static void put_functions(Json *j, Arena *arena, const Program *p, const Dialect *d, const char *prefix)
{
	EntryNames n;
	dialect_names(arena, d, p, prefix, &n);
	json_key(j, "functions");
	json_open(j, "{");
	json_put_text(j, "all", n.eval);
	json_key(j, "outputs");
	json_open(j, "{");
	for (uint32_t i = 0; i < p->outputs; i++)
		json_put_text(j, p->output[i].name, n.output_func[i]);
	json_close(j, "}");
	json_key(j, "arguments");
	json_open(j, "[");
	put_argument(j, "p", dialect_type(d, KIND_FLOAT, p->domain));
	for (uint32_t i = 0; i < p->inputs; i++)
		put_argument(j, n.input[i], dialect_type(d, (Kind)p->input[i].type.kind, p->input[i].type.width));
	put_argument(j, "params", n.params);
	put_argument(j, "seed", dialect_type(d, KIND_UINT, 1));
	json_close(j, "]");
	json_close(j, "}");
	json_key(j, "structs");
	json_open(j, "{");
	put_names(j, "params", n.params, p->uniforms, n.uniform, name_of_param, p);
	put_names(j, "out", n.out, p->outputs, n.output, name_of_output, p);
	json_close(j, "}");
}

static void put_targets(Json *j, Arena *arena, const Program *p, const ReflectOptions *o)
{
	json_key(j, "targets");
	json_open(j, "[");
	for (size_t i = 0; i < o->targets; i++) {
		const nz_target *t = &o->target[i];
		const Dialect *d = dialect_find(t->name);
		json_next(j);
		json_open(j, "{");
		json_put_text(j, "name", t->name);
		json_put_text(j, "suffix", t->suffix);
		json_put_truth(j, "binary", t->binary);
		if (d)
			put_functions(j, arena, p, d, o->prefix);
		json_close(j, "}");
	}
	json_close(j, "]");
}

/* ---- the interface of complete shaders ---- */

static void put_block(Json *j, Arena *arena, const Program *p)
{
	UniformBlock block;
	layout_block(arena, p, &block);
	json_key(j, "block");
	json_open(j, "{");
	json_put_text(j, "layout", "std140");
	json_put_whole(j, "set", 0);
	json_put_whole(j, "binding", 0);
	json_put_whole(j, "size", block.size);
	json_put_whole(j, "room", block.room);
	json_key(j, "members");
	json_open(j, "[");
	for (uint32_t i = 0; i < block.members; i++) {
		const BlockMember *m = &block.member[i];
		json_next(j);
		json_open(j, "{");
		json_put_text(j, "name", m->uniform ? m->uniform->name : "seed");
		json_put_text(j, "type", type_names[m->kind][m->width]);
		json_put_whole(j, "offset", m->offset);
		json_put_whole(j, "size", 4u * m->width);
		json_close(j, "}");
	}
	json_close(j, "]");
	json_close(j, "}");
}

static void put_place(Json *j, const char *name, const char *where, uint32_t place, TypeInfo type)
{
	json_next(j);
	json_open(j, "{");
	json_put_text(j, "name", name);
	json_put_whole(j, where, place);
	json_put_text(j, "type", type_names[type.kind == KIND_BOOL ? KIND_UINT : type.kind][type.width]);
	json_close(j, "}");
}

static void put_vulkan(Json *j, Arena *arena, const Program *p)
{
	const TypeInfo position = { KIND_FLOAT, p->domain, NULL };
	json_key(j, "vulkan");
	json_open(j, "{");
	put_block(j, arena, p);
	json_key(j, "fragment");
	json_open(j, "{");
	json_key(j, "inputs");
	json_open(j, "[");
	put_place(j, "p", "location", 0, position);
	for (uint32_t i = 0; i < p->inputs; i++)
		put_place(j, p->input[i].name, "location", i + 1, p->input[i].type);
	json_close(j, "]");
	json_close(j, "}");
	json_key(j, "compute");
	json_open(j, "{");
	json_put_whole(j, "group", 64);
	json_key(j, "buffers");
	json_open(j, "[");
	uint32_t binding = 1;
	put_place(j, "p", "binding", binding++, position);
	for (uint32_t i = 0; i < p->inputs; i++)
		put_place(j, p->input[i].name, "binding", binding++, p->input[i].type);
	for (uint32_t i = 0; i < p->outputs; i++)
		put_place(j, p->output[i].name, "binding", binding++, p->output[i].type);
	json_close(j, "]");
	json_close(j, "}");
	json_close(j, "}");
}

void reflect_program(Arena *arena, const Program *p, const ReflectOptions *o, Text *out)
{
	Json j = { .out = out };
	json_open(&j, "{");
	json_put_text(&j, "format", "noisec reflection");
	json_put_whole(&j, "version", VERSION);
	json_put_whole(&j, "edition", NZ_LANGUAGE_EDITION);
	json_put_text(&j, "name", o->prefix);
	json_put_text(&j, "domain", type_names[KIND_FLOAT][p->domain]);
	json_key(&j, "seed");
	json_open(&j, "{");
	json_put_text(&j, "type", "uint");
	json_put_whole(&j, "default", 0);
	json_close(&j, "}");
	put_params(&j, p);
	put_inputs(&j, p);
	put_outputs(&j, arena, p, o);
	put_enums(&j, p);
	put_targets(&j, arena, p, o);
	for (size_t i = 0; i < o->targets; i++) {
		const Dialect *d = dialect_find(o->target[i].name);
		if (d && dialect_is_vulkan(d)) {
			put_vulkan(&j, arena, p);
			break;
		}
	}
	json_close(&j, "}");
	text_add(out, "\n");
}
