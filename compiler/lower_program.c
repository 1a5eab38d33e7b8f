/* The program as a whole: params and inputs, clamped once on entry of the root function; every output
   cleaned on delivery; every other node lowered too, so that its mistakes are told; folds checked to run
   the same number of rounds everywhere. */
#include <assert.h>
#include <string.h>

#include "lower.h"
#include "../runtime/num.h"

static Context root_context(Lower *l, Use *use)
{
	return (Context){ .frame = &l->root, .width = l->program->domain, .use = use };
}

static void copy_bits(const Func *f, Ref r, uint32_t out[4])
{
	memcpy(out, ir_bits(f, r), f->value[r].width * sizeof *out);
}

/* The bounds of a param or input: known, of its type, in order. */
static bool bounds(Lower *l, const Context *c, const Decl *d, Type type, uint32_t low[4], uint32_t high[4])
{
	if (!type_numeric(type)) {
		lower_error(l, "N0313", d->low->span, "a range needs numbers, not %s", type_text(l, type));
		return false;
	}
	Type scalar = type_make(type.base, 1);
	Typed a = convert(l, c, lower_expr(l, c, l->file_env, d->low, scalar), type, d->low->span, "the lower bound");
	Typed b = convert(l, c, lower_expr(l, c, l->file_env, d->high, scalar), type, d->high->span, "the upper bound");
	if (!a.ref || !b.ref)
		return false;
	if (!lower_is_const(c, a) || !lower_is_const(c, b)) {
		lower_error(l, "N0303", d->low->span, "the bounds of a range must be known at compile time");
		return false;
	}
	copy_bits(l->root.func, a.ref, low);
	copy_bits(l->root.func, b.ref, high);
	return true;
}

/* The program names the enums of its file, and those of the library that it speaks to its host in. */
static void note_enumeration(Program *p, Type type)
{
	if (type.base != BASE_ENUM)
		return;
	for (uint32_t i = 0; i < p->enumerations; i++)
		if (p->enumeration[i] == type.enumeration)
			return;
	p->enumeration[p->enumerations++] = type.enumeration;
}

static void add_uniform(Lower *l, const Context *c, const Decl *d, uint32_t index)
{
	Program *p = l->program;
	Func *f = l->root.func;
	Type declared = type_of_name(l, d->type, p->domain);
	if (d->type.name && !declared.base)
		return;
	Typed v = lower_expr(l, c, l->file_env, d->value, declared);
	if (declared.base)
		v = convert(l, c, v, declared, d->value->span, text_print(l->arena, "'%s'", d->name));
	if (v.type.base == BASE_STOPS)
		lower_error(l, "N0316", d->value->span, "a list of stops is not a value; give it to ramp");
	if (!v.ref)
		return;
	v.type.whole = false;
	if (!lower_is_const(c, v)) {
		lower_error(l, "N0303", d->value->span, "the default of param '%s' must be known at compile time", d->name);
		return;
	}
	note_enumeration(p, v.type);
	Uniform *u = &p->uniform[index];
	*u = (Uniform){ .name = d->name, .doc = d->doc, .type = type_info(v.type), .colour = d->value->kind == EXPR_COLOUR };
	copy_bits(f, v.ref, u->value);
	Ref r = ir_value(f, IR_UNIFORM, type_kind(v.type), v.type.width, index, NULL, 0);
	f->value[r].name = d->name;
	Typed clamped = typed(v.type, r);
	if (d->low) {
		u->ranged = bounds(l, c, d, v.type, u->low, u->high);
		if (!u->ranged)
			return;
		clamped = lower_clamp(l, c, l->file_env, clamped, d->low, d->high);
		Typed first = lower_clamp(l, c, l->file_env, v, d->low, d->high);
		if (!clamped.ref || !first.ref)
			return;
		if (memcmp(ir_bits(f, first.ref), u->value, (size_t)v.type.width * 4)) {
			lower_error(l, "N0314", d->value->span, "the default of param '%s' lies outside of its range", d->name);
			return;
		}
		f->value[clamped.ref].name = d->name;
	} else if (v.type.base == BASE_ENUM) {
		int last = 0;
		for (const Enumerator *n = v.type.enumeration->enumerators; n; n = n->next)
			last = n->value;
		u->ranged = true;
		u->high[0] = (uint32_t)last;
		clamped.ref = ir_op(f, OP_IMIN, ir_op(f, OP_IMAX, r, ir_int(f, 0), 0), ir_int(f, last), 0);
		f->value[clamped.ref].name = d->name;
	}
	l->uniform[index] = clamped;
}

static void add_input(Lower *l, const Context *c, const Decl *d, uint32_t index)
{
	Program *p = l->program;
	Func *f = l->root.func;
	Type type = d->type.name ? type_of_name(l, d->type, p->domain) : type_make(BASE_FLOAT, 1);
	if (!type.base)
		return;
	note_enumeration(p, type);
	Input *in = &p->input[index];
	*in = (Input){ .name = d->name, .doc = d->doc, .type = type_info(type) };
	Ref r = ir_value(f, IR_INPUT, type_kind(type), type.width, index, NULL, 0);
	f->value[r].name = d->name;
	Typed clamped = typed(type, r);
	if (d->low) {
		in->ranged = bounds(l, c, d, type, in->low, in->high);
		if (!in->ranged)
			return;
		clamped = lower_clamp(l, c, l->file_env, clamped, d->low, d->high);
		if (clamped.ref)
			f->value[clamped.ref].name = d->name;
	} else if (type.base == BASE_ENUM) {
		int last = 0;
		for (const Enumerator *n = type.enumeration->enumerators; n; n = n->next)
			last = n->value;
		in->ranged = true;
		in->high[0] = (uint32_t)last;
		clamped.ref = ir_op(f, OP_IMIN, ir_op(f, OP_IMAX, r, ir_int(f, 0), 0), ir_int(f, last), 0);
	}
	l->input[index] = clamped;
}

static bool names_colour(const char *name)
{
	return strstr(name, "color") || strstr(name, "colour") || strstr(name, "albedo") || strstr(name, "tint");
}

static void add_output(Lower *l, const Context *c, const Decl *d)
{
	Program *p = l->program;
	Func *f = l->root.func;
	Type declared = type_of_name(l, d->type, p->domain);
	if (d->type.name && !declared.base)
		return;
	Typed v = lower_field(l, c, d->value, l->file_env, d, declared);
	if (declared.base)
		v = convert(l, c, v, declared, d->value->span, text_print(l->arena, "'%s'", d->name));
	if (v.type.base == BASE_STOPS)
		lower_error(l, "N0316", d->value->span, "a list of stops is not a value; give it to ramp");
	if (!v.ref)
		return;
	note_enumeration(p, v.type);
	Output *o = &p->output[p->outputs];
	*o = (Output){ .name = d->name, .doc = d->doc, .type = type_info(v.type) };
	o->colour = v.type.base == BASE_FLOAT && v.type.width >= 3 && names_colour(d->name);
	f->result[p->outputs++] = v.ref;
}

/* Outputs are cleaned where their range does not show that they are finite. */
static void clean_outputs(Program *p)
{
	Func *f = p->root;
	RangeCache *cache = range_cache(p->arena);      /* cleaning changes no function that is called */
	const Range *range = range_all(p, f, NULL, false, cache);
	for (uint32_t i = 0; i < p->outputs; i++) {
		Ref *r = &f->result[i];
		if (p->output[i].type.kind == KIND_FLOAT && !range_is_finite(range[*r]))
			*r = ir_op(f, OP_FCLEAN, *r, 0, 0);
		if (!f->value[*r].name && !ir_is_const(f, *r))
			f->value[*r].name = p->output[i].name;
	}
	range = range_all(p, f, NULL, false, cache);
	for (uint32_t i = 0; i < p->outputs; i++)
		p->output[i].bounds = range_bounds(range[f->result[i]]);
}

/* ---- nodes in order ---- */

enum { MENTIONED = 3 };                         /* Decl.mark: an output needs it, directly or not */

/* Lowers every node after those that it uses, which keeps the recursion shallow however long the chain. In
   a function of its own that nothing calls, and silently: only places where a node is sampled count. */
static void lower_ahead(Lower *l)
{
	Instance nobody = { .own.arena = l->arena };
	Use use = { false, false };
	Frame frame = { .func = ir_func_new(l->arena), .env = l->file_env, .caller = &l->root, .width = l->program->domain };
	Context c = { .frame = &frame, .width = l->program->domain, .use = &use };
	l->frame = &frame;
	l->current = &nobody;
	for (const Decl *d = l->file->order; d; d = d->next_in_order)
		if (d->kind == DECL_NODE || d->kind == DECL_OUTPUT)
			lower_declared(l, &c, d, d->value->span);
	l->frame = &l->root;
	l->current = &l->top;
}

static void mark_mentioned(Lower *l)
{
	uint32_t count = 1, depth = 0;
	for (const Decl *d = l->file->first; d; d = d->next_in_scope)
		count++;
	Decl **stack = arena_alloc(l->arena, count * sizeof *stack);
	for (Decl *d = l->file->first; d; d = d->next_in_scope)
		if (d->kind == DECL_OUTPUT) {
			d->mark = MENTIONED;
			stack[depth++] = d;
		}
	while (depth > 0)
		for (const Link *link = stack[--depth]->uses; link; link = link->next)
			if (link->to->mark != MENTIONED) {
				link->to->mark = MENTIONED;
				stack[depth++] = link->to;
			}
}

static Instance *lower_alone(Lower *l, const Decl *d, int width)
{
	Instance *alone = arena_alloc(l->arena, sizeof *alone);
	alone->own.arena = l->arena;
	Use use = { false, false };
	Frame frame = { .func = ir_func_sized(l->arena, 2, 2), .env = l->file_env, .caller = &l->root, .width = width };
	Context c = { .frame = &frame, .width = width, .use = &use };
	l->frame = &frame;
	l->current = alone;
	if (d->kind == DECL_FN)
		lower_unused(l, &c, d);
	else
		lower_declared(l, &c, d, d->value->span);
	l->frame = &l->root;
	l->current = &l->top;
	return alone;
}

/* Mistakes of nodes and functions that no output mentions are told too, unless they are none for some other dimension of p. */
static void tell_unused(Lower *l)
{
	mark_mentioned(l);
	for (const Decl *d = l->file->order; d; d = d->next_in_order) {
		if (d->mark == MENTIONED || (d->kind != DECL_NODE && d->kind != DECL_FN))
			continue;
		Instance *own = lower_alone(l, d, l->program->domain);
		bool fine = lower_is_clean(l, own), elsewhere = false;
		for (int width = 1; width <= 4 && !fine && !elsewhere; width++)
			elsewhere = width != l->program->domain && lower_is_clean(l, lower_alone(l, d, width));
		if (fine || !elsewhere)
			lower_tell(l, own);
	}
}

static uint32_t count_kind(const Scope *s, DeclKind kind)
{
	uint32_t n = 0;
	for (const Decl *d = s->first; d; d = d->next_in_scope)
		n += d->kind == kind;
	return n;
}

static uint8_t domain_width(Lower *l, const File *file)
{
	uint8_t width = 2;
	const Decl *seen = NULL;
	for (const Decl *d = file->decls; d; d = d->next) {
		if (d->kind == DECL_NOISE && d->edition != NZ_LANGUAGE_EDITION)
			diag_error(l->diag, "N0209", d->span, "this compiler knows edition %d of the language only", NZ_LANGUAGE_EDITION);
		if (d->kind != DECL_DOMAIN)
			continue;
		if (seen)
			diag_error(l->diag, "N0201", d->span, "a second domain");
		seen = d;
		if (!strcmp(d->name, "float"))
			width = 1;
		else if (!strncmp(d->name, "vec", 3) && d->name[3] >= '2' && d->name[3] <= '4' && !d->name[4])
			width = (uint8_t)(d->name[3] - '0');
		else
			diag_error(l->diag, "N0301", d->name_span, "the domain is float, vec2, vec3 or vec4");
	}
	return width;
}

static Lower lower_begin(Arena *arena, Diagnostics *diag, const Scope *file, const Scope *library, Program *p)
{
	Lower l = { .arena = arena, .diag = diag, .program = p, .file = file, .library = library, .most_funcs = p->funcs + MAX_FUNCS };
	l.library_env = arena_alloc(arena, sizeof *l.library_env);
	*l.library_env = (Env){ .scope = library, .id = 1 };
	l.file_env = arena_alloc(arena, sizeof *l.file_env);
	*l.file_env = (Env){ .scope = file, .id = 2 };
	l.env_count = 2;
	l.top.own.arena = arena;
	return l;
}

static void finish_root(Lower *l)
{
	Program *p = l->program;
	if (p->funcs == p->func_capacity) {
		p->func = arena_grow(l->arena, p->func, p->funcs * sizeof *p->func, (p->funcs + 1) * sizeof *p->func);
		p->func_capacity = p->funcs + 1;
	}
	p->root->id = p->funcs;
	p->root->results = p->outputs;
	p->func[p->funcs++] = p->root;
}

/* Nodes that no output mentions were lowered for their mistakes, and calls that folding took away left
   their functions: neither may count in what passes decide. The root is the last one then. */
static void drop_unreached(Program *p)
{
	bool *reached = arena_alloc(p->arena, p->funcs);
	uint32_t *id = arena_alloc(p->arena, p->funcs * sizeof *id), count = 0;
	reached[p->root->id] = true;
	for (uint32_t i = p->root->id + 1; i-- > 0;)
		for (Ref r = 1; reached[i] && r < p->func[i]->count; r++)
			if (p->func[i]->value[r].op == IR_CALL)
				reached[p->func[i]->value[r].imm] = true;
	for (uint32_t i = 0; i <= p->root->id; i++)
		if (reached[i]) {
			id[i] = count;
			p->func[count++] = p->func[i];
		}
	for (uint32_t i = 0; i < count; i++) {
		p->func[i]->id = i;
		for (Ref r = 1; r < p->func[i]->count; r++)
			if (p->func[i]->value[r].op == IR_CALL)
				p->func[i]->value[r].imm = id[p->func[i]->value[r].imm];
	}
	p->funcs = count;
}

bool lower_program(Arena *arena, Diagnostics *diag, const File *source, const Scope *file, const char *preview, Program *out)
{
	Program *p = out;
	Lower l = lower_begin(arena, diag, file, file->outer, p);
	l.file_source = source->source;
	for (const Decl *d = file->first; d; d = d->next_in_scope)
		l.most_funcs++;
	p->domain = domain_width(&l, source);
	p->root = ir_func_new(arena);
	l.root = (Frame){ .func = p->root, .env = l.file_env };
	l.frame = &l.root;
	l.current = &l.top;
	l.root.width = p->domain;
	Use use = { false, false };
	Context c = root_context(&l, &use);

	uint32_t enums = count_kind(file, DECL_ENUM), params = count_kind(file, DECL_PARAM), inputs = count_kind(file, DECL_INPUT);
	uint32_t outputs = count_kind(file, DECL_OUTPUT);
	p->enumeration = arena_alloc(arena, (enums + params + inputs + outputs + 2) * sizeof *p->enumeration);
	p->uniform = arena_alloc(arena, (params + 1) * sizeof *p->uniform);
	p->input = arena_alloc(arena, (inputs + 1) * sizeof *p->input);
	p->output = arena_alloc(arena, (outputs + 2) * sizeof *p->output);
	p->root->result = arena_alloc(arena, (outputs + 2) * sizeof *p->root->result);
	l.uniform = arena_alloc(arena, (params + 1) * sizeof *l.uniform);
	l.uniform_decl = arena_alloc(arena, (params + 1) * sizeof *l.uniform_decl);
	l.input = arena_alloc(arena, (inputs + 1) * sizeof *l.input);
	l.input_decl = arena_alloc(arena, (inputs + 1) * sizeof *l.input_decl);
	for (const Decl *d = file->first; d; d = d->next_in_scope)
		if (d->kind == DECL_ENUM)
			p->enumeration[p->enumerations++] = d;
	for (const Decl *d = file->first; d; d = d->next_in_scope)
		if (d->kind == DECL_PARAM)
			l.uniform_decl[p->uniforms++] = d;
		else if (d->kind == DECL_INPUT)
			l.input_decl[p->inputs++] = d;
	for (Decl *d = file->order; d; d = d->next_in_order)
		if (d->kind == DECL_CONST && lower_declared(&l, &c, d, d->value->span).type.base == BASE_BAD)
			d->broken = true;
	for (uint32_t i = 0; i < p->uniforms; i++)
		if (!l.uniform_decl[i]->broken)
			add_uniform(&l, &c, l.uniform_decl[i], i);
	for (uint32_t i = 0; i < p->inputs; i++)
		if (!l.input_decl[i]->broken)
			add_input(&l, &c, l.input_decl[i], i);
	l.ready = true;
	lower_ahead(&l);
	for (const Decl *d = file->first; d; d = d->next_in_scope)
		if (!d->broken && (preview ? (d->kind == DECL_NODE || d->kind == DECL_OUTPUT) && !strcmp(d->name, preview) : d->kind == DECL_OUTPUT))
			add_output(&l, &c, d);
		else if (d->kind == DECL_OUTPUT)
			lower_declared(&l, &c, d, d->value->span);
	finish_root(&l);
	clean_outputs(p);
	lower_tell(&l, &l.top);
	tell_unused(&l);
	if (diag->errors == 0 && p->outputs == 0) {
		Span nowhere = { NULL, 0, 0 };
		diag_error(diag, "N0211", nowhere, "the program has no output; write 'output name = expression'");
	}
	if (diag->errors == 0)
		lower_check_rounds(&l);
	if (diag->errors == 0)
		lower_tell_comparisons(&l);
	drop_unreached(p);
	return diag->errors == 0;
}

bool lower_helper(Arena *arena, Diagnostics *diag, Program *p, const Scope *library, const char *name, const HelperOperand *operand, uint32_t count,
	Func **func, uint32_t constant[4])
{
	Lower l = lower_begin(arena, diag, library, library, p);
	Func *probe = ir_func_new(arena);
	l.root = (Frame){ .func = probe, .env = l.library_env };
	l.frame = &l.root;
	l.current = &l.top;
	Use use = { false, false };
	Context c = { .frame = &l.root, .width = 2, .use = &use };
	Typed args[3];
	for (uint32_t i = 0; i < count; i++) {
		static const Base bases[] = { BASE_BOOL, BASE_INT, BASE_UINT, BASE_FLOAT };
		Type t = type_make(bases[operand[i].kind], operand[i].width);
		args[i] = typed(t, operand[i].known ? ir_const(probe, operand[i].kind, operand[i].width, operand[i].known)
		                                    : ir_arg(probe, "x", operand[i].kind, operand[i].width, ROLE_VALUE, i));
	}
	Span nowhere = { NULL, 0, 0 };
	Typed v = lower_library(&l, &c, name, args, count, nowhere);
	lower_tell(&l, &l.top);
	*func = NULL;
	if (!v.ref)
		return false;
	if (ir_is_const(probe, v.ref))
		copy_bits(probe, v.ref, constant);
	else
		*func = p->func[probe->value[v.ref].imm];
	return true;
}
