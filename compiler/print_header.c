/* A C header for hosts of complete shaders: the uniform block as a struct with std140's padding, checked by the
   host's compiler, its defaults, the enums, the numbers of buffers. For C11 and C++11; every name begins with the
   prefix, so that headers of several programs can be included together. Or, for hosts of the runtime, the
   program itself as bytes beside the numbers of params, inputs and outputs. */
#include <string.h>

#include "print.h"
#include "../runtime/num.h"

/* Keywords of C and C++, and macros of their standard headers, that the language allows as names. */
static const char *const words[] = {
	"alignas", "alignof", "and", "and_eq", "asm", "assert", "atomic_cancel", "auto", "bitand", "bitor", "bool", "break", "case", "catch",
	"char", "char16_t", "char32_t", "char8_t", "class", "co_await", "co_return", "co_yield", "compl", "complex", "concept", "const",
	"const_cast", "consteval", "constexpr", "constinit", "continue", "decltype", "default", "delete", "do", "double", "dynamic_cast",
	"else", "enum", "errno", "explicit", "export", "extern", "false", "float", "for", "friend", "goto", "if", "imaginary", "inline", "int", "linux",
	"long", "mutable", "namespace", "new", "noexcept", "noreturn", "not", "not_eq", "nullptr", "offsetof", "operator", "or", "or_eq",
	"private", "protected", "public", "register", "reinterpret_cast", "requires", "restrict", "return", "short", "signed", "sizeof",
	"static", "static_assert", "static_cast", "stderr", "stdin", "stdout", "struct", "switch", "template", "this", "thread_local", "throw",
	"true", "try", "typedef", "typeid", "typename", "typeof", "union", "unix", "unsigned", "using", "virtual", "void", "volatile", "wchar_t",
	"while", "xor", "xor_eq", "I", "EOF", "NULL", "NAN", "INFINITY", NULL
};

/* Names in use: open addressing over texts. */
typedef struct Used {
	Arena *arena;
	const char **slot;
	size_t size, count;
} Used;

static const char **find(const Used *u, const char *name)
{
	uint32_t h = 2166136261u;
	for (const char *c = name; *c; c++)
		h = (h ^ (unsigned char)*c) * 16777619u;
	size_t i = (h ^ h >> 15) & (u->size - 1);
	while (u->slot[i] && strcmp(u->slot[i], name))
		i = (i + 1) & (u->size - 1);
	return &u->slot[i];
}

/* `wish`, or with as many _ behind as make it free and no word of C. */
static const char *take_name(Used *u, const char *wish)
{
	if (2 * (u->count + 1) > u->size) {
		Used old = *u;
		u->size = old.size ? 2 * old.size : 64;
		u->slot = arena_alloc(u->arena, u->size * sizeof *u->slot);
		for (size_t i = 0; i < old.size; i++)
			if (old.slot[i])
				*find(u, old.slot[i]) = old.slot[i];
	}
	bool word = false;
	for (const char *const *w = words; *w; w++)
		word = word || !strcmp(*w, wish);
	while (word || *find(u, wish)) {
		wish = text_print(u->arena, "%s_", wish);
		word = false;
	}
	u->count++;
	return *find(u, wish) = wish;
}

typedef struct Header {
	Arena *arena;
	const Program *p;
	const char *prefix;
	UniformBlock block;
	const char **member;                    /* of the block */
	Used global;
	Text *out;
} Header;

static const char *take_global(Header *h, const char *kind, const char *name)
{
	return take_name(&h->global, text_print(h->arena, "%s_%s%s%s", h->prefix, kind, *kind && *name ? "_" : "", name));
}

static void print_number(Text *out, Kind kind, uint32_t bits)
{
	switch (kind) {
	case KIND_BOOL: text_add(out, bits ? "1u" : "0u"); break;
	case KIND_INT:
		if (bits == 0x80000000u)
			text_add(out, "(-2147483647 - 1)");     /* it has no literal */
		else
			text_format(out, "%d", num_int(bits));
		break;
	case KIND_UINT: text_format(out, "%uu", (unsigned)bits); break;
	case KIND_FLOAT:
		text_float(out, num_from_bits(bits));
		text_add(out, "f");
		break;
	}
}

static void print_numbers(Text *out, TypeInfo type, const uint32_t *bits)
{
	for (int i = 0; i < type.width; i++) {
		text_add(out, i ? ", " : "");
		print_number(out, (Kind)type.kind, bits[i]);
	}
}

/* ---- enums ---- */

static void print_enums(Header *h)
{
	Text *out = h->out;
	for (uint32_t i = 0; i < h->p->enumerations; i++) {
		const Decl *d = h->p->enumeration[i];
		const char *name = take_global(h, "", d->name);
		text_add(out, "\n");
		print_doc(out, "", d->doc);
		text_format(out, "typedef enum %s {\n", name);
		for (const Enumerator *e = d->enumerators; e; e = e->next) {
			print_doc(out, "\t", e->doc);
			text_format(out, "\t%s = %d%s\n", take_global(h, d->name, e->name), e->value, e->next ? "," : "");
		}
		text_format(out, "} %s;\n", name);
	}
}

/* ---- numbers for bindings and for the runtime ---- */

static void print_numbering(Header *h, const char *comment, const char *kind, uint32_t count, const char *(*name)(const Program *, uint32_t), uint32_t first)
{
	if (count == 0)
		return;
	text_format(h->out, "\n// %s\nenum {\n", comment);
	for (uint32_t i = 0; i < count; i++)
		text_format(h->out, "\t%s = %u%s\n", take_global(h, kind, name(h->p, i)), (unsigned)(first + i), i + 1 < count ? "," : "");
	text_add(h->out, "};\n");
}

static const char *name_of_param(const Program *p, uint32_t i) { return p->uniform[i].name; }
static const char *name_of_input(const Program *p, uint32_t i) { return p->input[i].name; }
static const char *name_of_output(const Program *p, uint32_t i) { return p->output[i].name; }

static const char *name_of_buffer(const Program *p, uint32_t i)
{
	if (i < 2)
		return i == 0 ? "params" : "p";         /* no input or output can be called p; one called params gets a _ */
	return i - 2 < p->inputs ? p->input[i - 2].name : p->output[i - 2 - p->inputs].name;
}

/* ---- the block ---- */

static const char *stored_type(Kind kind) { return kind == KIND_FLOAT ? "float" : kind == KIND_INT ? "int32_t" : "uint32_t"; }

static void print_padding(Header *h, const char *pad, uint32_t from, uint32_t to)
{
	if (to == from + 4)
		text_format(h->out, "\tuint32_t %s%u;\n", pad, (unsigned)from);
	else if (to > from)
		text_format(h->out, "\tuint32_t %s%u[%u];\n", pad, (unsigned)from, (unsigned)(to - from) / 4);
}

static void print_member(Header *h, const BlockMember *m, const char *name)
{
	const Uniform *u = m->uniform;
	Text *out = h->out;
	text_add(out, "\t");
	if (m->offset == 0)
		text_add(out, "NOISEC_ALIGN_16 ");
	text_format(out, "%s %s", stored_type((Kind)m->kind), name);
	if (m->width > 1)
		text_format(out, "[%d]", m->width);
	if (!u) {
		text_add(out, ";  // of the world; nz_stir_seed makes it of a longer one\n");
		return;
	}
	text_add(out, ";  // ");
	if (u->type.enumeration)
		text_format(out, "enum %s, ", u->type.enumeration->name);
	else if (u->type.kind == KIND_BOOL)
		text_add(out, "0 or 1, ");
	else if (u->colour)
		text_add(out, "linear colour, ");
	text_add(out, "default ");
	const Enumerator *e = u->type.enumeration ? u->type.enumeration->enumerators : NULL;
	while (e && (uint32_t)e->value != u->value[0])
		e = e->next;
	if (e)
		text_add(out, e->name);
	else
		print_numbers(out, u->type, u->value);
	if (u->ranged && !u->type.enumeration) {
		bool same = true;
		for (int i = 1; i < u->type.width; i++)
			same = same && u->low[i] == u->low[0] && u->high[i] == u->high[0];
		TypeInfo shown = { u->type.kind, same ? 1 : u->type.width, NULL };
		text_add(out, same ? ", " : ", (");
		print_numbers(out, shown, u->low);
		text_add(out, same ? " .. " : ") .. (");
		print_numbers(out, shown, u->high);
		text_add(out, same ? "" : ")");
	}
	text_add(out, "\n");
}

/* What the padding's names begin with: no param's name does. */
static const char *choose_padding(Header *h)
{
	const char *pad = "pad";
	for (uint32_t i = 0; i < h->p->uniforms; i++)
		while (!strncmp(h->p->uniform[i].name, pad, strlen(pad)))
			pad = text_print(h->arena, "%s_", pad);         /* longer: what did not begin with it still does not */
	return pad;
}

static void print_struct(Header *h, const char *name)
{
	Text *out = h->out;
	const char *pad = choose_padding(h);
	uint32_t end = 0;
	text_format(out, "\n// The uniform block of the shaders of --entry, std140, set 0, binding 0: %u bytes, in a buffer of %u.\ntypedef struct %s {\n",
		(unsigned)h->block.size, (unsigned)h->block.room, name);
	for (uint32_t i = 0; i < h->block.members; i++) {
		const BlockMember *m = &h->block.member[i];
		print_padding(h, pad, end, m->offset);
		if (m->uniform)
			print_doc(out, "\t", m->uniform->doc);
		print_member(h, m, h->member[i]);
		end = m->offset + 4u * m->width;
	}
	print_padding(h, pad, end, h->block.room);
	text_format(out, "} %s;\n\n", name);
	for (uint32_t i = 0; i < h->block.members; i++)
		text_format(out, "NOISEC_CHECK(offsetof(%s, %s) == %u);\n", name, h->member[i], (unsigned)h->block.member[i].offset);
	text_format(out, "NOISEC_CHECK(sizeof(%s) == %u);\n", name, (unsigned)h->block.room);
}

static void print_padding_value(Header *h, uint32_t from, uint32_t to, bool last)
{
	if (to == from)
		return;
	text_add(h->out, to == from + 4 ? "0u" : "{ 0u }");
	text_add(h->out, last ? "" : ", ");
}

/* Without the names of members, which C++ allows from C++20 only; so the padding has its places. */
static void print_defaults(Header *h, const char *block, const char *name)
{
	Text *out = h->out;
	uint32_t end = 0;
	text_format(out, "\n// %s block = %s;\n#define %s { ", block, name, name);
	for (uint32_t i = 0; i < h->block.members; i++) {
		const BlockMember *m = &h->block.member[i];
		print_padding_value(h, end, m->offset, false);
		end = m->offset + 4u * m->width;
		text_add(out, m->width > 1 ? "{ " : "");
		if (m->uniform)
			print_numbers(out, m->uniform->type, m->uniform->value);
		else
			text_add(out, "0u");
		text_add(out, m->width > 1 ? " }" : "");
		text_add(out, i + 1 < h->block.members || end < h->block.room ? ", " : "");
	}
	print_padding_value(h, end, h->block.room, true);
	text_add(out, " }\n");
}

/* ---- a program in C ---- */

static void print_bytes(Text *out, const Text *blob, const char *name)
{
	text_format(out, "\n// The program, for nz_load_program: %zu bytes.\nstatic const unsigned char %s[%zu] = {", blob->size, name, blob->size);
	for (size_t i = 0; i < blob->size; i++)
		text_format(out, "%s%u", i % 24 == 0 ? (i ? ",\n\t" : "\n\t") : ",", (unsigned)(unsigned char)blob->data[i]);
	text_add(out, "\n};\n");
}

/* What a param, input or output is, beside its number. */
static void print_port_doc(Text *out, const char *doc, TypeInfo type)
{
	static const char *const kinds[] = { "bool", "int", "uint", "float" };
	print_doc(out, "\t", doc);
	if (type.enumeration)
		text_format(out, "\t// enum %s\n", type.enumeration->name);
	else if (type.width > 1)
		text_format(out, "\t// %d of %s\n", type.width, kinds[type.kind]);
	else
		text_format(out, "\t// %s\n", kinds[type.kind]);
}

static void print_documented(Header *h, const char *comment, const char *kind, uint32_t count)
{
	if (count == 0)
		return;
	text_format(h->out, "\n// %s\nenum {\n", comment);
	for (uint32_t i = 0; i < count; i++) {
		const Program *p = h->p;
		bool param = kind[0] == 'P', input = kind[0] == 'I';
		const char *name = param ? p->uniform[i].name : input ? p->input[i].name : p->output[i].name;
		print_port_doc(h->out, param ? p->uniform[i].doc : input ? p->input[i].doc : p->output[i].doc,
			param ? p->uniform[i].type : input ? p->input[i].type : p->output[i].type);
		text_format(h->out, "\t%s = %u%s\n", take_global(h, kind, name), (unsigned)i, i + 1 < count ? "," : "");
	}
	text_add(h->out, "};\n");
}

static void open_header(Header *h)
{
	text_format(h->out, "// %s, made by noisec from the noise language; edit the source, not this text.\n", h->prefix);
	text_format(h->out, "#ifndef NOISEC_%s_H\n#define NOISEC_%s_H\n", h->prefix, h->prefix);
}

void print_baked(Arena *arena, const Program *p, const char *prefix, const Text *blob, Text *out)
{
	Header h = { .arena = arena, .p = p, .prefix = prefix, .global.arena = arena, .out = out };
	const char *bytes = take_global(&h, "program", "");
	open_header(&h);
	print_enums(&h);
	print_documented(&h, "Params by number, for nz_set_param.", "PARAM", p->uniforms);
	print_documented(&h, "Inputs by number.", "INPUT", p->inputs);
	print_documented(&h, "Outputs by number.", "OUTPUT", p->outputs);
	print_bytes(out, blob, bytes);
	text_add(out, "\n#endif\n");
}

void print_header(Arena *arena, const Program *p, const char *prefix, Text *out)
{
	Header h = { .arena = arena, .p = p, .prefix = prefix, .global.arena = arena, .out = out };
	Used member = { .arena = arena };
	layout_block(arena, p, &h.block);
	h.member = arena_alloc(arena, h.block.members * sizeof *h.member);
	for (uint32_t i = h.block.members; i-- > 0; )           /* the seed first: it keeps its name */
		h.member[i] = take_name(&member, h.block.member[i].uniform ? h.block.member[i].uniform->name : "seed");
	const char *block = take_global(&h, "params", ""), *defaults = take_global(&h, "DEFAULT_PARAMS", "");
	open_header(&h);
	text_add(out, "\n#include <stddef.h>\n#include <stdint.h>\n\n#ifdef __cplusplus\n#define NOISEC_ALIGN_16 alignas(16)\n#define NOISEC_CHECK(what) static_assert(what, #what)\n"
		"#else\n#define NOISEC_ALIGN_16 _Alignas(16)\n#define NOISEC_CHECK(what) _Static_assert(what, #what)\n#endif\n");
	print_enums(&h);
	print_struct(&h, block);
	print_defaults(&h, block, defaults);
	print_numbering(&h, "Bindings of --entry compute: the block, positions, inputs, outputs.", "BINDING", 2 + p->inputs + p->outputs, name_of_buffer, 0);
	print_numbering(&h, "Params by number, for the runtime (noisert.h).", "PARAM", p->uniforms, name_of_param, 0);
	print_numbering(&h, "Inputs by number, for the runtime.", "INPUT", p->inputs, name_of_input, 0);
	print_numbering(&h, "Outputs by number, for the runtime.", "OUTPUT", p->outputs, name_of_output, 0);
	text_add(out, "\n#undef NOISEC_ALIGN_16\n#undef NOISEC_CHECK\n\n#endif\n");
}
