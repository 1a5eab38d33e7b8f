/* Functions as text. Values that the author named, or that are used more than once, become locals; the
   rest nests into the expression that uses it. Locals whose operations must round as written carry the
   dialect's mark; conditions, loop bounds and what stands under a swizzle are plain variables, because
   shader compilers lose the mark there. */
#include <assert.h>
#include <string.h>

#include "print.h"
#include "../runtime/num.h"

enum { WIDE = 90 };                             /* columns an expression may take before its parts get names */

typedef struct Printer {
	Arena *arena;
	const Dialect *d;
	const Program *program;
	const FuncNames *names;
	const Func *f;
	Text *out;
	Names local;
	const char **name;                      /* per value: its variable, or NULL while it nests */
	uint32_t *uses;
	Ref *user;                              /* the one value that uses it, when uses == 1 */
	uint32_t *size;                         /* rough width of its expression */
	bool *exact;                            /* its nested expression rounds */
	Ref *end_of;
	int indent;
} Printer;

/* ---- names ---- */

static bool reserved(const Dialect *d, const char *name)
{
	for (const char *const *r = d->reserved; *r; r++)
		if (!strcmp(*r, name))
			return true;
	return !strncmp(name, "gl_", 3);
}

const char *name_clean(Arena *arena, const Dialect *d, const char *wish)
{
	Text t = { .arena = arena };
	char last = 0;
	for (const char *c = wish; *c; c++) {
		char x = *c;
		bool fine = (x >= 'a' && x <= 'z') || (x >= 'A' && x <= 'Z') || (x >= '0' && x <= '9' && t.size) || x == '_';
		if (!fine)
			x = '_';
		if (x == '_' && (last == '_' || !t.size))
			continue;
		text_add_n(&t, &x, 1);
		last = x;
	}
	while (t.size && t.data[t.size - 1] == '_')
		t.data[--t.size] = 0;
	if (!t.size)
		text_add(&t, "v");
	if (reserved(d, t.data))
		text_add(&t, "_v");
	return t.data;
}

static UsedName *find_name(Names *n, const char *name)
{
	uint32_t h = 2166136261u;
	for (const char *c = name; *c; c++)
		h = (h ^ (unsigned char)*c) * 16777619u;
	size_t i = (h ^ h >> 15) & (n->size - 1);
	while (n->table[i].name && strcmp(n->table[i].name, name))
		i = (i + 1) & (n->size - 1);
	return &n->table[i];
}

static void reserve_names(Names *n)
{
	UsedName *old = n->table;
	size_t old_size = n->size;
	if (2 * (n->count + 1) < n->size)
		return;
	n->size = old_size ? 2 * old_size : 64;
	n->table = arena_alloc(n->arena, n->size * sizeof *n->table);
	for (size_t i = 0; i < old_size; i++)
		if (old[i].name)
			*find_name(n, old[i].name) = old[i];
}

const char *name_make(Names *n, const char *wish)
{
	const char *clean = name_clean(n->arena, n->dialect, wish), *name = clean;
	reserve_names(n);
	UsedName *base = find_name(n, clean), *free = base;
	unsigned number = base->name ? base->next : 0;
	while (free->name) {
		name = text_print(n->arena, "%s_%u", clean, number++);
		free = find_name(n, name);
	}
	if (base != free)
		base->next = number;
	*free = (UsedName){ name, 2 };
	n->count++;
	return name;
}

/* ---- literals and types ---- */

void print_literal(const Dialect *d, Kind kind, uint32_t bits, Text *out)
{
	switch (kind) {
	case KIND_BOOL:
		text_add(out, bits ? "true" : "false");
		break;
	case KIND_INT:
		if (bits == 0x80000000u)
			text_add(out, d->int_min);
		else
			text_format(out, "%d", num_int(bits));
		break;
	case KIND_UINT:
		if (bits >= 0x10000u)
			text_format(out, "0x%x%s", (unsigned)bits, d->uint_suffix);
		else
			text_format(out, "%u%s", (unsigned)bits, d->uint_suffix);
		break;
	case KIND_FLOAT:
		text_float(out, num_from_bits(bits));
		text_add(out, d->float_suffix);
		break;
	}
}

static const char *type_of(const Printer *p, Ref r)
{
	return p->d->type[p->f->value[r].kind][p->f->value[r].width];
}

/* ---- which values get a variable ---- */

static void count_use(Printer *p, Ref of, Ref by)
{
	p->uses[of]++;
	p->user[of] = by;
}

static bool same_vector_lanes(const Func *f, Ref vec)
{
	const Ref *o = ir_operands(f, vec);
	for (int i = 0; i < f->value[vec].width; i++)
		if (f->value[o[i]].op != IR_LANE || ir_operands(f, o[i])[0] != ir_operands(f, o[0])[0])
			return false;
	return true;
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

/* Under a swizzle only a variable may stand; a plain component of one may nest anywhere. */
static bool needs_variable(const Printer *p, Ref r)
{
	const Func *f = p->f;
	const Value *v = &f->value[r];
	if (v->op == IR_OUT || v->op == IR_CARRY || v->op == IR_INDEX)
		return true;
	if (is_atom(f, r) || v->op == IR_LOOP || v->op == IR_END)
		return false;
	if (v->op == IR_LANE)
		return false;
	if (v->op == IR_VEC && same_vector_lanes(f, r))
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
	return f->value[user].loop != v->loop || p->size[r] > WIDE;
}

static const char *wish(const Printer *p, Ref r)
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

/* ---- expressions ---- */

typedef enum Level {                            /* binding strength, loosest first, as in C */
	LEVEL_CHOICE, LEVEL_OR, LEVEL_AND, LEVEL_BIT_OR, LEVEL_BIT_XOR, LEVEL_BIT_AND, LEVEL_EQUAL, LEVEL_COMPARE, LEVEL_SHIFT,
	LEVEL_ADD, LEVEL_MULTIPLY, LEVEL_UNARY, LEVEL_PRIMARY
} Level;

/* Read off the spelling, so that a row needs no column for it. */
static Level spelling_level(const char *s)
{
	static const struct { const char *sign; Level level; } signs[] = {
		{ "||", LEVEL_OR }, { "&&", LEVEL_AND }, { "|", LEVEL_BIT_OR }, { "^", LEVEL_BIT_XOR }, { "&", LEVEL_BIT_AND },
		{ "==", LEVEL_EQUAL }, { "!=", LEVEL_EQUAL }, { "<", LEVEL_COMPARE }, { "<=", LEVEL_COMPARE },
		{ ">", LEVEL_COMPARE }, { ">=", LEVEL_COMPARE }, { "<<", LEVEL_SHIFT }, { ">>", LEVEL_SHIFT },
		{ "+", LEVEL_ADD }, { "-", LEVEL_ADD }, { "*", LEVEL_MULTIPLY }, { "/", LEVEL_MULTIPLY }, { "%", LEVEL_MULTIPLY }
	};
	if (s[0] == '-' || s[0] == '~' || s[0] == '!')
		return LEVEL_UNARY;
	if (strncmp(s, "$0 ", 3))
		return LEVEL_PRIMARY;
	const char *space = strchr(s + 3, ' ');
	size_t length = space ? (size_t)(space - (s + 3)) : strlen(s + 3);
	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
		if (strlen(signs[i].sign) == length && !strncmp(signs[i].sign, s + 3, length))
			return signs[i].level;
	return LEVEL_CHOICE;
}

static void expression(Printer *p, Ref r, Level around);

static void print_number(Printer *p, Kind kind, uint32_t bits, Level around)
{
	bool wrap = (kind == KIND_FLOAT || kind == KIND_INT) && bits & 0x80000000u && around > LEVEL_ADD;
	text_add(p->out, wrap ? "(" : "");
	print_literal(p->d, kind, bits, p->out);
	text_add(p->out, wrap ? ")" : "");
}

static void constant(Printer *p, Ref r, Level around)
{
	const Value *v = &p->f->value[r];
	const uint32_t *bits = ir_bits(p->f, r);
	bool splat = true;
	for (int i = 1; i < v->width; i++)
		splat = splat && bits[i] == bits[0];
	if (v->width == 1) {
		print_number(p, (Kind)v->kind, bits[0], around);
		return;
	}
	text_format(p->out, "%s(", type_of(p, r));
	for (int i = 0; i < (splat ? 1 : v->width); i++) {
		text_add(p->out, i ? ", " : "");
		print_literal(p->d, (Kind)v->kind, bits[i], p->out);
	}
	text_add(p->out, ")");
}

/* The scalar that fills the vector: a value, or for a constant the vector itself. */
static Ref splat_of(const Printer *p, Ref r)
{
	const Value *v = &p->f->value[r];
	const uint32_t *o = ir_operands(p->f, r);
	if (p->name[r] || (v->op != IR_VEC && v->op != IR_CONST))
		return 0;
	for (int i = 1; i < v->width; i++)
		if (o[i] != o[0])
			return 0;
	return v->op == IR_CONST ? r : o[0];
}

static void print_splat(Printer *p, Ref scalar, Ref vector, Level around)
{
	if (scalar == vector)
		print_number(p, (Kind)p->f->value[vector].kind, ir_bits(p->f, vector)[0], around);
	else
		expression(p, scalar, around);
}

static void row(Printer *p, Ref r, Level around)
{
	const Value *v = &p->f->value[r];
	const Ref *o = ir_operands(p->f, r);
	const char *s = dialect_spelling(p->d, (Op)v->op, v->width);
	Level level = spelling_level(s);
	bool wrap = level < around;
	/* a rounding order must be visible, and some compilers warn of & beside + */
	if (level > LEVEL_AND && level <= LEVEL_SHIFT && around > LEVEL_AND && around < LEVEL_PRIMARY)
		wrap = true;
	/* the same where + or * stands in a bit operation */
	if (level >= LEVEL_SHIFT && level <= LEVEL_MULTIPLY && around >= LEVEL_BIT_OR && around <= LEVEL_EQUAL)
		wrap = true;
	text_add(p->out, wrap ? "(" : "");
	bool primary = level == LEVEL_PRIMARY;
	/* a vector beside a number: the number need not be spread */
	bool spread = v->width > 1 && (level == LEVEL_ADD || level == LEVEL_MULTIPLY);
	Ref scalar[2] = { 0, 0 };
	for (int k = 0; spread && k < 2; k++)
		scalar[k] = splat_of(p, o[k]);
	for (; *s; s++) {
		if (s[0] == '$' && s[1] == 'T') {
			text_add(p->out, type_of(p, r));
			s++;
		} else if (s[0] == '$') {
			int k = s[1] - '0';
			/* operators lean left: the right side of an equal one needs parentheses */
			Level inner = primary ? LEVEL_CHOICE : k == 0 && level != LEVEL_CHOICE ? level : level == LEVEL_CHOICE ? LEVEL_OR : (Level)(level + 1);
			if (spread && scalar[k] && !scalar[1 - k])
				print_splat(p, scalar[k], o[k], inner);
			else
				expression(p, o[k], inner);
			s++;
		} else {
			text_add_n(p->out, s, 1);
		}
	}
	text_add(p->out, wrap ? ")" : "");
}

static void list(Printer *p, const Ref *o, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		text_add(p->out, i ? ", " : "");
		expression(p, o[i], LEVEL_CHOICE);
	}
}

static void expression(Printer *p, Ref r, Level around)
{
	const Value *v = &p->f->value[r];
	const Ref *o = ir_operands(p->f, r);
	if (p->name[r]) {
		text_add(p->out, p->name[r]);
		return;
	}
	if (v->op < OP_COUNT) {
		row(p, r, around);
		return;
	}
	switch (v->op) {
	case IR_CONST:
		constant(p, r, around);
		break;
	case IR_VEC: {
		if (same_vector_lanes(p->f, r)) {
			expression(p, ir_operands(p->f, o[0])[0], LEVEL_PRIMARY);
			text_add(p->out, ".");
			for (int i = 0; i < v->width; i++)
				text_add_n(p->out, &"xyzw"[p->f->value[o[i]].imm], 1);
			break;
		}
		bool splat = true;
		for (int i = 1; i < v->width; i++)
			splat = splat && o[i] == o[0];
		text_format(p->out, "%s(", type_of(p, r));
		list(p, o, splat ? 1 : v->width);
		text_add(p->out, ")");
		break;
	}
	case IR_LANE:
		expression(p, o[0], LEVEL_PRIMARY);
		text_format(p->out, ".%c", "xyzw"[v->imm]);
		break;
	case IR_CALL:
		text_format(p->out, "%s(", p->names->func[v->imm]);
		list(p, o, v->operands);
		text_add(p->out, ")");
		break;
	default:
		assert(v->op != v->op);         /* a value without a name or a spelling: a bug of ours */
	}
}

/* ---- statements ---- */

static void indent(Printer *p)
{
	for (int i = 0; i < p->indent; i++)
		text_add(p->out, "    ");
}

static void measure(Printer *p, Ref r)
{
	const Value *v = &p->f->value[r];
	const Ref *o = ir_operands(p->f, r);
	uint32_t size = v->op == IR_CONST ? 6u * v->width : 3u;
	bool exact = v->op < OP_COUNT && op_info[v->op].flags & ROUNDS;
	if (v->op == IR_CALL)
		size += (uint32_t)strlen(p->names->func[v->imm]);
	if (v->op == IR_OUT || v->op == IR_CARRY || v->op == IR_INDEX || v->op == IR_LOOP || v->op == IR_END) {
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

static void declare(Printer *p, Ref r)
{
	const Value *v = &p->f->value[r];
	if (v->doc) {
		Text pad = { .arena = p->arena };
		for (int i = 0; i < p->indent; i++)
			text_add(&pad, "    ");
		print_doc(p->out, pad.data, v->doc);
	}
	const char *name = p->name[r];
	p->name[r] = NULL;                      /* print the expression, not the name */
	indent(p);
	if (v->kind == KIND_FLOAT || p->exact[r])
		text_add(p->out, p->d->exact);
	text_format(p->out, "%s %s = ", type_of(p, r), name);
	expression(p, r, LEVEL_CHOICE);
	text_add(p->out, ";\n");
	p->name[r] = name;
}

static bool reads(const Printer *p, Ref r, Ref what)
{
	const Value *v = &p->f->value[r];
	if (r == what)
		return true;
	if (p->name[r] || v->op == IR_CONST)
		return false;
	for (uint32_t i = 0; i < v->operands; i++)
		if (reads(p, ir_operands(p->f, r)[i], what))
			return true;
	return false;
}

/* All next values come from the previous round: a carried name is assigned when no later assignment
   reads it, and where they read each other in a ring, one takes its new value to the side. */
static void assign_carried(Printer *p, const Ref *carry, const Ref *next, uint32_t count)
{
	bool *done = arena_alloc(p->arena, count + 1);
	const char **held = arena_alloc(p->arena, (count + 1) * sizeof *held);
	for (uint32_t left = count; left;) {
		uint32_t pick = count;
		for (uint32_t k = 0; k < count && pick == count; k++) {
			bool free = !done[k];
			for (uint32_t m = 0; m < count && free; m++)
				free = m == k || done[m] || held[m] || !reads(p, next[m], carry[k]);
			if (free)
				pick = k;
		}
		if (pick == count) {
			uint32_t k = 0;
			while (done[k] || held[k])
				k++;
			const char *name = name_make(&p->local, text_print(p->arena, "next_%s", p->name[carry[k]]));
			indent(p);
			text_format(p->out, "%s%s %s = ", p->d->exact, type_of(p, carry[k]), name);
			expression(p, next[k], LEVEL_CHOICE);
			text_add(p->out, ";\n");
			held[k] = name;
			continue;
		}
		done[pick] = true;
		left--;
		if (next[pick] == carry[pick])
			continue;
		indent(p);
		text_format(p->out, "%s = ", p->name[carry[pick]]);
		if (held[pick])
			text_add(p->out, held[pick]);
		else
			expression(p, next[pick], LEVEL_CHOICE);
		text_add(p->out, ";\n");
	}
}

static void region(Printer *p, const bool *live, Ref loop, Ref from, Ref to);

static void print_loop(Printer *p, const bool *live, Ref end)
{
	const Func *f = p->f;
	Ref header = ir_operands(f, end)[0], index = 0;
	uint32_t count = f->value[header].operands - 1u;
	Ref *carry = arena_alloc(p->arena, (count + 1) * sizeof *carry);
	Ref *next = arena_alloc(p->arena, (count + 1) * sizeof *next);
	const char **variable = arena_alloc(p->arena, (count + 1) * sizeof *variable);
	for (Ref r = header; r < end; r++)
		if (live[r] && f->value[r].op == IR_CARRY && ir_operands(f, r)[0] == header)
			carry[f->value[r].imm] = r;
		else if (live[r] && f->value[r].op == IR_INDEX && ir_operands(f, r)[0] == header)
			index = r;
	for (uint32_t k = 0; k < count; k++) {
		Ref first = ir_operands(f, header)[k + 1];
		const char *want = carry[k] ? wish(p, carry[k]) : NULL;
		for (Ref r = end + 1; !want && r < f->count; r++)
			if (f->value[r].op == IR_OUT && ir_operands(f, r)[0] == end && f->value[r].imm == k)
				want = wish(p, r);
		variable[k] = name_make(&p->local, want ? want : "carried");
		indent(p);
		const Value *v = &f->value[first];
		if (v->kind == KIND_FLOAT || p->exact[first] || p->exact[ir_operands(f, end)[k + 1]])
			text_add(p->out, p->d->exact);
		text_format(p->out, "%s %s = ", type_of(p, first), variable[k]);
		expression(p, first, LEVEL_CHOICE);
		text_add(p->out, ";\n");
	}
	const char *i = name_make(&p->local, index && f->value[index].name ? f->value[index].name : "i");
	if (index)
		p->name[index] = i;
	for (uint32_t k = 0; k < count; k++) {
		if (carry[k])
			p->name[carry[k]] = variable[k];
		next[k] = ir_operands(f, end)[k + 1];
	}
	indent(p);
	const char *int_type = p->d->type[KIND_INT][1];
	text_format(p->out, "for (%s %s = 0; %s < ", int_type, i, i);
	expression(p, ir_operands(f, header)[0], LEVEL_SHIFT);
	text_format(p->out, "; %s++) {\n", i);
	p->indent++;
	region(p, live, header, header + 1, end);
	/* a carried value that nothing in the loop reads still has a variable to assign to */
	Ref *target = arena_alloc(p->arena, (count + 1) * sizeof *target);
	for (uint32_t k = 0; k < count; k++)
		target[k] = carry[k];
	for (uint32_t k = 0; k < count; k++)
		if (!carry[k]) {
			indent(p);
			text_format(p->out, "%s = ", variable[k]);
			expression(p, next[k], LEVEL_CHOICE);
			text_add(p->out, ";\n");
		}
	uint32_t n = 0;
	for (uint32_t k = 0; k < count; k++)
		if (carry[k]) {
			target[n] = carry[k];
			next[n++] = next[k];
		}
	assign_carried(p, target, next, n);
	p->indent--;
	indent(p);
	text_add(p->out, "}\n");
	for (Ref r = end + 1; r < f->count; r++)
		if (f->value[r].op == IR_OUT && ir_operands(f, r)[0] == end)
			p->name[r] = variable[f->value[r].imm];
}

/* The statements of one loop's body (0: of the function), in order. */
static void region(Printer *p, const bool *live, Ref loop, Ref from, Ref to)
{
	const Func *f = p->f;
	for (Ref r = from; r < to; r++) {
		const Value *v = &f->value[r];
		if (!live[r] || v->loop != loop)
			continue;
		measure(p, r);
		if (v->op == IR_END) {
			print_loop(p, live, r);
		} else if (v->op != IR_OUT && v->op != IR_CARRY && v->op != IR_INDEX && needs_variable(p, r)) {
			p->name[r] = name_make(&p->local, wish(p, r));
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

void print_signature(Arena *arena, const Dialect *d, const Program *p, const FuncNames *names, Text *out)
{
	(void)arena;
	text_format(out, "(%s p", d->type[KIND_FLOAT][p->domain]);
	for (uint32_t i = 0; i < p->inputs; i++)
		text_format(out, ", %s %s", d->type[p->input[i].type.kind][p->input[i].type.width], names->input[i]);
	text_format(out, ", %s params, %s seed)", names->params, d->type[KIND_UINT][1]);
}

/* Does a float leave the function, or arithmetic happen on the way to its result? */
static bool rounds(const Func *f, const bool *live)
{
	bool any = f->value[f->result[0]].kind == KIND_FLOAT;
	for (Ref r = 1; r < f->count; r++)
		any = any || (live[r] && f->value[r].op < OP_COUNT && op_info[f->value[r].op].flags & ROUNDS);
	return any;
}

void print_func(Arena *arena, const Dialect *d, const Program *program, const FuncNames *names, const Func *f, Text *out)
{
	Printer p = { .arena = arena, .d = d, .program = program, .names = names, .f = f, .out = out, .indent = 1 };
	bool root = f == program->root;
	p.local = (Names){ .arena = arena, .dialect = d };
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
		text_format(out, "%s %s", names->out, names->func[f->id]);
		print_signature(arena, d, program, names, out);
	} else {
		Ref result = f->result[0];
		text_format(out, "%s%s %s(", rounds(f, live) ? d->exact : "", type_of(&p, result), names->func[f->id]);
		for (uint32_t i = 0; i < f->args; i++)
			f->arg[i].name = name_make(&p.local, f->arg[i].name ? f->arg[i].name : "x");
		for (uint32_t i = 0; i < f->args; i++)
			text_format(out, "%s%s %s", i ? ", " : "", d->type[f->arg[i].kind][f->arg[i].width], f->arg[i].name);
		text_add(out, ")");
	}
	text_add(out, "\n{\n");
	for (Ref r = 1; r < f->count; r++) {
		const Value *v = &f->value[r];
		if (v->op == IR_ARG)
			p.name[r] = root ? f->arg[v->imm].role == ROLE_POSITION ? "p" : "seed" : f->arg[v->imm].name;
		else if (v->op == IR_UNIFORM)
			p.name[r] = text_print(arena, "params.%s", names->uniform[v->imm]);
		else if (v->op == IR_INPUT)
			p.name[r] = names->input[v->imm];
	}
	region(&p, live, 0, 1, f->count);
	if (root) {
		const char *result = name_make(&p.local, "result");
		text_format(out, "    %s%s %s;\n", d->exact, names->out, result);
		for (uint32_t i = 0; i < f->results; i++) {
			text_format(out, "    %s.%s = ", result, names->output[i]);
			expression(&p, f->result[i], LEVEL_CHOICE);
			text_add(out, ";\n");
		}
		text_format(out, "    return %s;\n}\n", result);
	} else {
		text_add(out, "    return ");
		expression(&p, f->result[0], LEVEL_CHOICE);
		text_add(out, ";\n}\n");
	}
}
