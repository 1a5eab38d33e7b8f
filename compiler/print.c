/* Functions as text. Values that the author named, or that are used more than once, become locals; the
   rest nests into the expression that uses it. Locals whose operations must round as written carry the
   dialect's mark; conditions, loop bounds and what stands under a swizzle are plain variables, because
   shader compilers lose the mark there. */
#include <assert.h>
#include <string.h>

#include "print.h"

enum { WIDE = 90 };                             /* columns an expression may take before its parts get names */

/* ---- which values get a variable ---- */

static void count_use(Printer *p, Ref of, Ref by)
{
	p->uses[of]++;
	p->user[of] = by;
}

static bool *reachable(Printer *p)
{
	const Func *f = p->f;
	bool *live = arena_alloc(p->arena, f->count);
	for (uint32_t i = 0; i < f->results; i++) {
		live[f->result[i]] = true;
		count_use(p, f->result[i], 0);
	}
	for (Ref r = 1; r < f->count; r++)
		if (f->value[r].op == IR_END)
			p->end_of[ir_operands(f, r)[0]] = r;
	for (Ref r = f->count; r-- > 1;) {
		const Value *v = &f->value[r];
		if (v->op == IR_LOOP && p->end_of[r] && live[p->end_of[r]])
			live[r] = true;
		if (!live[r] || v->op == IR_CONST)
			continue;
		for (uint32_t i = 0; i < v->operands; i++) {
			Ref o = ir_operands(f, r)[i];
			live[o] = true;
			count_use(p, o, r);
		}
	}
	return live;
}

static bool is_atom(const Func *f, Ref r)
{
	uint8_t op = f->value[r].op;
	return op == IR_CONST || op == IR_ARG || op == IR_UNIFORM || op == IR_INPUT;
}

/* The condition of a choice, or what one of its sides gives. */
static bool nests_in_choice(const Printer *p, Ref r, Ref choice)
{
	const Func *f = p->f;
	const Ref *o = ir_operands(f, choice);
	if (r == o[0])
		return f->value[r].loop == f->value[choice].loop && !p->exact[r] && p->size[r] <= WIDE;
	uint32_t i = 3;
	while (o[i] != r)
		i++;
	return f->value[r].loop == o[i % 2 ? 1 : 2] && p->size[r] <= WIDE;
}

/* What is handed to a function, and what one returns, has to be marked by itself. */
static bool marks_each(const Dialect *d) { return d->exact[0] && !d->exact_reaches; }

/* Under a swizzle only a variable may stand; a plain component of one may nest anywhere. */
bool print_needs_variable(const Printer *p, Ref r)
{
	const Func *f = p->f;
	const Value *v = &f->value[r];
	if (v->op == IR_OUT || v->op == IR_CARRY || v->op == IR_INDEX || v->op == IR_JOIN)
		return true;
	if (is_atom(f, r) || v->op == IR_LOOP || v->op == IR_END || v->op == IR_ARM || v->op == IR_IF)
		return false;
	if (v->op == IR_LANE)
		return false;
	if (v->op == IR_VEC && print_is_swizzle(f, r))
		return false;
	if (v->name)
		return true;
	if (p->uses[r] > 1)
		return true;
	Ref user = p->user[r];
	if (!user)
		return false;
	uint8_t by = f->value[user].op;
	if (by == IR_LANE || by == IR_LOOP)
		return true;
	if (by == IR_END)
		return false;
	if (by == IR_IF)
		return !nests_in_choice(p, r, user);
	if (by == IR_CALL && p->exact[r] && marks_each(p->d))
		return true;
	return f->value[user].loop != v->loop || p->size[r] > WIDE;
}

const char *print_wish(const Printer *p, Ref r)
{
	const Value *v = &p->f->value[r];
	if (v->name)
		return v->name;
	if (v->op == IR_CALL && p->program->func[v->imm]->name)
		return text_print(p->arena, "%s_value", p->program->func[v->imm]->name);
	if (v->op == IR_INDEX)
		return "i";
	if (v->op == IR_CARRY || v->op == IR_OUT)
		return "carried";
	return v->kind == KIND_UINT ? "h" : v->kind == KIND_BOOL ? "b" : v->kind == KIND_INT ? "n" : "t";
}

/* ---- statements ---- */

void print_indent(Printer *p)
{
	for (int i = 0; i < p->indent; i++)
		text_add(p->out, "    ");
}

void print_measure(Printer *p, Ref r)
{
	const Value *v = &p->f->value[r];
	const Ref *o = ir_operands(p->f, r);
	uint32_t size = v->op == IR_CONST ? 6u * v->width : 3u;
	bool exact = v->op < OP_COUNT && op_info[v->op].flags & ROUNDS;
	if (v->op == IR_CALL)
		size += (uint32_t)strlen(p->names->func[v->imm]);
	if (v->op >= IR_LOOP) {
		p->size[r] = 4;
		return;
	}
	for (uint32_t i = 0; v->op != IR_CONST && i < v->operands; i++) {
		size += p->name[o[i]] ? (uint32_t)strlen(p->name[o[i]]) + 2u : p->size[o[i]] + 2u;
		exact = exact || (!p->name[o[i]] && p->exact[o[i]]);
	}
	p->size[r] = size;
	p->exact[r] = exact;
}

/* The start of a declaration, up to its value if it has one. */
void print_open_local(Printer *p, const char *form, bool exact, Ref type_of, const char *name)
{
	print_indent(p);
	print_fill(p->out, form, (const Hole[]){ { "exact", exact ? p->d->exact : "" }, { "type", print_type(p, type_of) }, { "name", name }, { NULL, NULL } });
}

void print_value_doc(Printer *p, Ref r)
{
	Text pad = { .arena = p->arena };
	for (int i = 0; i < p->indent; i++)
		text_add(&pad, "    ");
	if (p->f->value[r].doc)
		print_doc(p->out, pad.data, p->f->value[r].doc);
}

static void declare(Printer *p, Ref r)
{
	const Value *v = &p->f->value[r];
	print_value_doc(p, r);
	const char *name = p->name[r];
	p->name[r] = NULL;                      /* print the expression, not the name */
	print_open_local(p, p->d->let, v->kind == KIND_FLOAT || p->exact[r], r, name);
	print_expression(p, r);
	text_add(p->out, ";\n");
	p->name[r] = name;
}

/* The statements of one loop's body or one side of a choice (0: of the function), in order. */
void print_region(Printer *p, const bool *live, Ref loop, Ref from, Ref to)
{
	const Func *f = p->f;
	for (Ref r = from; r < to; r++) {
		const Value *v = &f->value[r];
		if (!live[r] || v->loop != loop)
			continue;
		print_measure(p, r);
		if (v->op == IR_END) {
			print_loop(p, live, r);
		} else if (v->op == IR_IF) {
			print_choice(p, live, r);
		} else if (v->op < IR_LOOP && print_needs_variable(p, r)) {
			p->name[r] = name_make(&p->local, print_wish(p, r));
			declare(p, r);
			p->exact[r] = false;
		}
	}
}

void print_doc(Text *out, const char *pad, const char *doc)
{
	while (doc && *doc) {
		const char *stop = strchr(doc, '\n');
		size_t n = stop ? (size_t)(stop - doc) : strlen(doc);
		text_format(out, "%s//%s", pad ? pad : "", n ? " " : "");
		text_add_n(out, doc, n);
		if (n && (doc[n - 1] == '\\' || doc[n - 1] == '/'))
			text_add(out, " .");            /* a backslash would swallow the next line */
		text_add(out, "\n");
		doc += n + (stop != NULL);
	}
}

static void add_argument(const Dialect *d, TypeInfo type, const char *name, Text *out)
{
	text_add(out, out->size ? ", " : "");
	print_fill(out, d->argument, (const Hole[]){ { "type", d->type[type.kind][type.width] }, { "name", name }, { NULL, NULL } });
}

const char *print_arguments(Arena *arena, const Dialect *d, const Program *p, const FuncNames *names)
{
	Text t = { .arena = arena };
	add_argument(d, (TypeInfo){ KIND_FLOAT, p->domain, NULL }, "p", &t);
	for (uint32_t i = 0; i < p->inputs; i++)
		add_argument(d, p->input[i].type, names->input[i], &t);
	text_add(&t, ", ");
	print_fill(&t, d->argument, (const Hole[]){ { "type", names->params }, { "name", "params" }, { NULL, NULL } });
	add_argument(d, (TypeInfo){ KIND_UINT, 1, NULL }, "seed", &t);
	return t.data;
}

void print_function(const Dialect *d, bool exact, const char *type, const char *name, const char *arguments, Text *out)
{
	print_fill(out, d->function, (const Hole[]){ { "exact", exact ? d->exact : "" }, { "type", type }, { "name", name }, { "arguments", arguments }, { NULL, NULL } });
}

/* Does a float leave the function, or arithmetic happen on the way to its result? */
static bool rounds(const Func *f, const bool *live)
{
	bool any = f->value[f->result[0]].kind == KIND_FLOAT;
	for (Ref r = 1; r < f->count; r++)
		any = any || (live[r] && f->value[r].op < OP_COUNT && op_info[f->value[r].op].flags & ROUNDS);
	return any;
}

static void print_result(Printer *p, Ref r)
{
	const char *name = NULL;
	if (marks_each(p->d) && !p->name[r] && p->exact[r]) {
		name = name_make(&p->local, "result");
		print_open_local(p, p->d->let, true, r, name);
		print_expression(p, r);
		text_add(p->out, ";\n");
	}
	text_add(p->out, "    return ");
	if (name)
		text_add(p->out, name);
	else
		print_expression(p, r);
	text_add(p->out, ";\n}\n");
}

void print_func(Arena *arena, const Dialect *d, const Program *program, const FuncNames *names, const Func *f, Text *out)
{
	Printer p = { .arena = arena, .d = d, .program = program, .names = names, .f = f, .out = out, .indent = 1 };
	bool root = f == program->root;
	p.local = (Names){ .arena = arena, .dialect = d, .outer = &names->global };
	p.name = arena_alloc(arena, f->count * sizeof *p.name);
	p.uses = arena_alloc(arena, f->count * sizeof *p.uses);
	p.user = arena_alloc(arena, f->count * sizeof *p.user);
	p.size = arena_alloc(arena, f->count * sizeof *p.size);
	p.exact = arena_alloc(arena, f->count * sizeof *p.exact);
	p.end_of = arena_alloc(arena, f->count * sizeof *p.end_of);
	bool *live = reachable(&p);

	/* the library's own comments go on to its reasons: what the function is for stands in their first paragraph */
	const char *reasons = f->library && f->doc ? strstr(f->doc, "\n\n") : NULL;
	print_doc(out, "", reasons ? text_print(arena, "%.*s", (int)(reasons - f->doc), f->doc) : f->doc);
	if (root) {
		name_make(&p.local, "p");
		name_make(&p.local, "params");
		name_make(&p.local, "seed");
		for (uint32_t i = 0; i < program->inputs; i++)
			name_make(&p.local, names->input[i]);
		print_function(d, false, names->out, names->func[f->id], print_arguments(arena, d, program, names), out);
	} else {
		Text arguments = { .arena = arena };
		text_add(&arguments, "");
		for (uint32_t i = 0; i < f->args; i++)
			f->arg[i].name = name_make(&p.local, f->arg[i].name ? f->arg[i].name : "x");
		for (uint32_t i = 0; i < f->args; i++)
			add_argument(d, (TypeInfo){ f->arg[i].kind, f->arg[i].width, NULL }, f->arg[i].name, &arguments);
		print_function(d, rounds(f, live), print_type(&p, f->result[0]), names->func[f->id], arguments.data, out);
	}
	for (Ref r = 1; r < f->count; r++) {
		const Value *v = &f->value[r];
		if (v->op == IR_ARG)
			p.name[r] = root ? f->arg[v->imm].role == ROLE_POSITION ? "p" : "seed" : f->arg[v->imm].name;
		else if (v->op == IR_UNIFORM)
			p.name[r] = text_print(arena, "params.%s", names->uniform[v->imm]);
		else if (v->op == IR_INPUT)
			p.name[r] = names->input[v->imm];
	}
	print_region(&p, live, 0, 1, f->count);
	if (root) {
		const char *result = name_make(&p.local, "result");
		text_add(out, "    ");
		print_fill(out, d->blank, (const Hole[]){ { "exact", d->exact }, { "type", names->out }, { "name", result }, { NULL, NULL } });
		for (uint32_t i = 0; i < f->results; i++) {
			text_format(out, "    %s.%s = ", result, names->output[i]);
			print_expression(&p, f->result[i]);
			text_add(out, ";\n");
		}
		text_format(out, "    return %s;\n}\n", result);
	} else {
		print_result(&p, f->result[0]);
	}
}
