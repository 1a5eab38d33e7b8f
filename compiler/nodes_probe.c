/* What types a function takes and which bounds the compiler proves for it, found by compiling calls of it: the first
   types that compile for the arguments whose type is open, every dimension of p, every enumerator of each enum in turn
   (the others at their default or first). The numbers given are params, fields are noise times one: without bounds. Where
   a side has no bound, the call is repeated with all numbers in -1 .. 1 and what has a default left out. */
#include <assert.h>
#include <string.h>

#include "nodes.h"
#include "../runtime/num.h"

typedef struct Shape { char base; int width; } Shape;   /* letters of ops.def */

typedef struct Probe {
	Arena *arena;
	const Scope *library;
	int dimension;
	Shape open;                             /* of the arguments without a type; */
	int mixed;                              /* 1, 2: of the first of them alone, the others being floats, bools */
	bool narrow;                            /* numbers lie in -1 .. 1 */
	bool defaults;                          /* arguments with a default are left out */
	const Decl *varied;                     /* the enum argument that takes `enumerator` */
	const char *enumerator;
} Probe;

static const char *type_name(Arena *arena, Shape s)
{
	const char *scalar = s.base == 'f' ? "float" : s.base == 'i' ? "int" : s.base == 'u' ? "uint" : "bool";
	return s.width == 1 ? scalar : text_print(arena, "%svec%d", s.base == 'f' ? "" : s.base == 'i' ? "i" : s.base == 'u' ? "u" : "b", s.width);
}

/* A written type, or that of a default; base 0: open. */
static Shape written_shape(const Probe *p, const Decl *a)
{
	static const char letters[] = "biuf";
	const char *name = a->type.name;
	if (!name && a->value)
		name = a->value->kind == EXPR_CALL ? a->value->u.call.name : "float";
	for (int width = 1; name && width <= 4; width++)
		for (int i = 0; i < 4; i++)
			if (!strcmp(name, type_name(p->arena, (Shape){ letters[i], width })))
				return (Shape){ letters[i], width };
	size_t n = name ? strlen(name) : 0;
	if (n >= 4 && !strcmp(name + n - 4, "vecP"))
		return (Shape){ n == 4 ? 'f' : name[0], p->dimension };
	return (Shape){ 0, 0 };
}

static const Decl *enum_of(const Probe *p, const Decl *a)
{
	const Decl *e = a->type.name ? scope_find(p->library, a->type.name) : NULL;
	return e && e->kind == DECL_ENUM ? e : NULL;
}

/* A field of which nothing is known but that it lies in -1 .. 1 if it is narrow. */
static void add_field(const Probe *p, Shape s, Text *call)
{
	const char *one = s.base == 'f' ? p->narrow ? "white()" : "white() * wide" : s.base == 'i' ? "int(white() * wide)" : s.base == 'u' ? "hash(int(white() * wide))" : "(white() > 0)";
	text_format(call, "%s(", type_name(p->arena, s));
	for (int k = 0; k < s.width; k++)
		text_format(call, "%s%s", k ? ", " : "", one);
	text_add(call, ")");
}

static void add_param(const Probe *p, Shape s, int number, Text *params, Text *call)
{
	const char *type = type_name(p->arena, s);
	const char *one = s.base == 'f' ? "0.5" : s.base == 'i' ? "1" : s.base == 'u' ? "1u" : "true";
	text_format(params, "param q%d: %s = %s(%s)%s\n", number, type, type, one, p->narrow && s.base == 'f' ? " in -1.0 .. 1.0" : "");
	text_format(call, "q%d", number);
}

/* The call as a program; NULL where an enum that is needed has no value. */
static const char *program_of(const Probe *p, const Decl *fn)
{
	static const char *const types[] = { "", "float", "vec2", "vec3", "vec4" };
	Text params = { .arena = p->arena }, call = { .arena = p->arena };
	int number = 0, written = 0, open = 0;
	text_format(&params, "domain %s\nparam wide = 2.0\n", types[p->dimension]);
	text_format(&call, "output r = %s(", fn->name);
	for (const Decl *a = fn->args; a; a = a->next, number++) {
		const Decl *e = enum_of(p, a);
		Shape s = written_shape(p, a);
		if (a->value && a != p->varied && (e || p->defaults))
			continue;
		text_format(&call, "%s%s: ", written++ ? ", " : "", a->name);
		if (!s.base)
			s = p->mixed && open++ ? (Shape){ p->mixed == 1 ? 'f' : 'b', 1 } : p->open;
		if (e)
			text_format(&call, "%s.%s", e->name, a == p->varied ? p->enumerator : e->enumerators->name);
		else if (a->by_name)
			add_field(p, s, &call);
		else
			add_param(p, s, number, &params, &call);
	}
	text_format(&call, ")\n");
	text_add(&params, call.data);
	return params.data;
}

static bool compiles(const Probe *p, const char *text, Program *out)
{
	Diagnostics diag = { .arena = p->arena };
	Source *s = arena_alloc(p->arena, sizeof *s);
	Scope *scope = arena_alloc(p->arena, sizeof *scope);
	File file = { .source = s };
	*s = (Source){ .name = "call", .text = text, .size = strlen(text) };
	*out = (Program){ .arena = p->arena, .name = "call" };
	parse_file(p->arena, &diag, s, &file);
	check_scope(p->arena, &diag, &file, 1, p->library, false, scope);
	return diag.errors == 0 && lower_program(p->arena, &diag, &file, scope, NULL, out);
}

static bool try_call(Probe *p, const Decl *fn, Program *out)
{
	for (int n = 0; n < 2; n++) {
		p->defaults = n != p->narrow;
		if (compiles(p, program_of(p, fn), out))
			return true;
	}
	return false;
}

/* On how many sides; an enum says its values itself. */
static int count_sides(TypeInfo t, Bounds b)
{
	switch (t.kind) {
	case KIND_FLOAT:
		return (b.low > -NUM_FLOAT_MAX) + (b.high < NUM_FLOAT_MAX);
	case KIND_INT:
		return t.enumeration ? 0 : 2 * (b.low > -2147483648.0f || b.high < 2147483648.0f);
	case KIND_UINT:
		return 2 * (b.low > 0.0f || b.high < 4294967296.0f);
	default:
		return 2;
	}
}

static const char *type_text(Arena *arena, TypeInfo t)
{
	static const char letters[] = "biuf";
	return t.enumeration ? t.enumeration->name : type_name(arena, (Shape){ letters[t.kind], t.width });
}

static NodeResult result_of(Arena *arena, const Program *program)
{
	const Output *o = &program->output[0];
	return (NodeResult){ .type = type_text(arena, o->type), .kind = (Kind)o->type.kind, .bounded = count_sides(o->type, o->bounds) && o->type.kind != KIND_BOOL, .bounds = o->bounds };
}

static bool is_equal(bool a, Bounds x, bool b, Bounds y)
{
	return a == b && (!a || (x.low == y.low && x.high == y.high));
}

/* Adds the result, to an equal one of another dimension if there is one. */
static void add_result(Arena *arena, Node *n, NodeResult r)
{
	NodeResult **tail = &n->results;
	for (; *tail; tail = &(*tail)->next) {
		NodeResult *o = *tail;
		bool option = o->option == r.option || (o->option && r.option && !strcmp(o->option, r.option));
		if (option && !o->operands && !strcmp(o->type, r.type) && is_equal(o->bounded, o->bounds, r.bounded, r.bounds)
		    && is_equal(o->narrowed, o->narrow, r.narrowed, r.narrow)) {
			o->dimensions |= r.dimensions;
			return;
		}
	}
	*tail = arena_alloc(arena, sizeof **tail);
	**tail = r;
}

static void measure_call(Probe *p, Node *n, const Decl *fn)
{
	Program program;
	p->narrow = false;
	if (!try_call(p, fn, &program))
		return;
	NodeResult r = result_of(p->arena, &program);
	int sides = count_sides(program.output[0].type, r.bounds);
	p->narrow = true;
	if (sides < 2 && try_call(p, fn, &program)) {
		r.narrow = program.output[0].bounds;
		r.narrowed = count_sides(program.output[0].type, r.narrow) > sides;
	}
	r.option = p->enumerator ? text_print(p->arena, "%s = %s", p->varied->name, p->enumerator) : NULL;
	r.dimensions = 1u << (p->dimension - 1);
	add_result(p->arena, n, r);
}

static bool has_open(const Probe *p, const Decl *fn)
{
	for (const Decl *a = fn->args; a; a = a->next)
		if (!enum_of(p, a) && !written_shape(p, a).base)
			return true;
	return false;
}

/* The types that the open arguments may have, and what comes of them. `open` becomes the first. */
static void find_types(Probe *p, Node *n, const Decl *fn)
{
	static const Shape shapes[] = { { 'f', 1 }, { 'f', 3 }, { 'i', 1 }, { 'i', 3 }, { 'u', 1 }, { 'u', 3 }, { 'b', 1 }, { 'b', 3 } };
	Text types = { .arena = p->arena };
	Shape first = { 0, 0 };
	int first_mixed = 0;
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
		Program program;
		bool fine = false;
		p->open = shapes[i];
		for (int mixed = 0; mixed < 3 && !fine; mixed++) {
			p->mixed = mixed;
			fine = try_call(p, fn, &program);
		}
		if (!fine)
			continue;
		if (!first.base) {
			first = shapes[i];
			first_mixed = p->mixed;
		}
		TypeInfo t = program.output[0].type;
		bool wide = shapes[i].width == 3;
		const char *from = wide ? text_print(p->arena, "%svecN", shapes[i].base == 'f' ? "" : shapes[i].base == 'i' ? "i" : shapes[i].base == 'u' ? "u" : "b")
		                        : type_name(p->arena, shapes[i]);
		const char *to = type_text(p->arena, t);
		if (wide && t.width == 3)
			to = text_print(p->arena, "%.*sN", (int)strlen(to) - 1, to);
		text_format(&types, "%s%s -> %s", types.size ? ", " : "", from, to);
	}
	p->open = first;
	p->mixed = first_mixed;
	if (!n->types)
		n->types = types.data;
}

static void measure_function(Arena *arena, const Scope *library, Node *n)
{
	for (int d = 1; d <= 4; d++)
		for (const NodeSignature *s = n->signatures; s; s = s->next) {
			Probe p = { .arena = arena, .library = library, .dimension = d, .open = { 'f', 1 } };
			bool enums = false;
			if (!(s->dimensions & 1u << (d - 1)))
				continue;
			if (has_open(&p, s->fn))
				find_types(&p, n, s->fn);
			for (const Decl *a = s->fn->args; a; a = a->next) {
				const Decl *e = enum_of(&p, a);
				for (const Enumerator *k = e ? e->enumerators : NULL; k; k = k->next) {
					p.varied = a;
					p.enumerator = k->name;
					measure_call(&p, n, s->fn);
					enums = true;
				}
			}
			if (!enums)
				measure_call(&p, n, s->fn);
		}
}

/* An operation in one of its rows, by the range rule of that row. */
static void measure_row(Arena *arena, Node *n, const OpInfo *row)
{
	static const Kind kinds[] = { KIND_BOOL, KIND_INT, KIND_UINT, KIND_FLOAT };
	Ref operands[3] = { 0, 0, 0 };
	Text types = { .arena = arena };
	Func *f = ir_func_new(arena);
	Program program = { .arena = arena, .func = &f, .funcs = 1, .root = f };
	for (int i = 0; i < row->arity; i++) {
		Kind kind = kinds[strchr("biuf", row->operand[i]) - "biuf"];
		operands[i] = ir_arg(f, "x", kind, 1, ROLE_VALUE, (uint32_t)i);
		text_format(&types, "%s%s", i ? ", " : "", type_name(arena, (Shape){ row->operand[i], 1 }));
	}
	Ref r = ir_op(f, (Op)(row - op_info), operands[0], operands[1], operands[2]);
	TypeInfo t = { f->value[r].kind, 1, NULL };
	Bounds b = range_bounds(range_of(&program, f, r, true));
	add_result(arena, n, (NodeResult){ .operands = types.data, .type = type_text(arena, t), .doc = row->doc, .kind = (Kind)t.kind,
		.bounded = count_sides(t, b) && t.kind != KIND_BOOL, .bounds = b });
}

void nodes_measure(Arena *arena, const Scope *library, Node *n)
{
	if (n->kind == NODE_FUNCTION)
		measure_function(arena, library, n);
	for (const NodeSignature *s = n->kind == NODE_OPERATION ? n->signatures : NULL; s; s = s->next)
		measure_row(arena, n, s->row);
}
