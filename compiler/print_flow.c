/* Loops and choices as statements. Values that leave them are variables, declared in front. */
#include <string.h>

#include "print.h"

/* ---- loops ---- */

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
			print_open_local(p, p->d->let, true, carry[k], name);
			print_expression(p, next[k]);
			text_add(p->out, ";\n");
			held[k] = name;
			continue;
		}
		done[pick] = true;
		left--;
		if (next[pick] == carry[pick])
			continue;
		print_indent(p);
		text_format(p->out, "%s = ", p->name[carry[pick]]);
		if (held[pick])
			text_add(p->out, held[pick]);
		else
			print_expression(p, next[pick]);
		text_add(p->out, ";\n");
	}
}

void print_loop(Printer *p, const bool *live, Ref end)
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
		const char *want = carry[k] ? print_wish(p, carry[k]) : NULL;
		for (Ref r = end + 1; !want && r < f->count; r++)
			if (f->value[r].op == IR_OUT && ir_operands(f, r)[0] == end && f->value[r].imm == k)
				want = print_wish(p, r);
		variable[k] = name_make(&p->local, want ? want : "carried");
		bool exact = f->value[first].kind == KIND_FLOAT || p->exact[first] || p->exact[ir_operands(f, end)[k + 1]];
		print_open_local(p, p->d->variable, exact, first, variable[k]);
		print_expression(p, first);
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
	Text count_text = { .arena = p->arena }, *out = p->out;
	p->out = &count_text;
	print_operand(p, ir_operands(f, header)[0]);
	p->out = out;
	print_indent(p);
	print_fill(out, p->d->loop, (const Hole[]){ { "type", p->d->type[KIND_INT][1] }, { "name", i }, { "count", count_text.data }, { NULL, NULL } });
	p->indent++;
	print_region(p, live, header, header + 1, end);
	/* a carried value that nothing in the loop reads still has a variable to assign to */
	Ref *target = arena_alloc(p->arena, (count + 1) * sizeof *target);
	for (uint32_t k = 0; k < count; k++)
		target[k] = carry[k];
	for (uint32_t k = 0; k < count; k++)
		if (!carry[k]) {
			print_indent(p);
			text_format(p->out, "%s = ", variable[k]);
			print_expression(p, next[k]);
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
	print_indent(p);
	text_add(p->out, "}\n");
	for (Ref r = end + 1; r < f->count; r++)
		if (f->value[r].op == IR_OUT && ir_operands(f, r)[0] == end)
			p->name[r] = variable[f->value[r].imm];
}

/* ---- choices ---- */

/* Does anything stand on this side, that nothing else wants? */
static bool is_empty(const Printer *p, const bool *live, Ref arm, Ref end)
{
	for (Ref r = arm + 1; r < end; r++)
		if (live[r] && p->f->value[r].loop == arm)
			return false;
	return true;
}

/* The one choice that a side consists of, when all else in it nests into that; 0: it holds more. */
static Ref only_choice(Printer *p, const bool *live, Ref arm, Ref end)
{
	const Func *f = p->f;
	Ref found = 0;
	for (Ref r = arm + 1; r < end; r++) {
		if (!live[r] || f->value[r].loop != arm || f->value[r].op == IR_ARM || f->value[r].op == IR_JOIN)
			continue;
		if (f->value[r].op == IR_IF && !found) {
			found = r;
			continue;
		}
		print_measure(p, r);
		if (f->value[r].op == IR_IF || f->value[r].op == IR_END || print_needs_variable(p, r))
			return 0;
	}
	return found;
}

static void assign(Printer *p, const char *variable, Ref value)
{
	if (p->name[value] && !strcmp(p->name[value], variable))
		return;
	print_indent(p);
	text_format(p->out, "%s = ", variable);
	print_expression(p, value);
	text_add(p->out, ";\n");
}

/* One side: its statements, then its values to the variables. An inner choice whose value is only passed on
   writes to the same variable. */
static void print_side(Printer *p, const bool *live, Ref choice, bool yes, const char *const *variable, uint32_t joins)
{
	const Func *f = p->f;
	const Ref *o = ir_operands(f, choice);
	Ref arm = o[yes ? 1 : 2];
	for (uint32_t k = 0; k < joins; k++) {
		Ref given = o[3 + 2 * k + !yes];
		if (variable[k] && f->value[given].op == IR_JOIN && f->value[given].loop == arm && p->uses[given] == 1)
			p->name[given] = variable[k];
	}
	p->indent++;
	print_region(p, live, arm, arm + 1, choice);
	for (uint32_t k = 0; k < joins; k++)
		if (variable[k])
			assign(p, variable[k], o[3 + 2 * k + !yes]);
	p->indent--;
}

/* `if (…) {` and what follows, up to the last brace; the variables are declared. */
static void print_branches(Printer *p, const bool *live, Ref choice, const char *const *variable, uint32_t joins, bool one_sided)
{
	const Func *f = p->f;
	for (;;) {
		const Ref *o = ir_operands(f, choice);
		text_add(p->out, "if (");
		print_expression(p, o[0]);
		text_add(p->out, ") {\n");
		print_side(p, live, choice, true, variable, joins);
		print_indent(p);
		Ref inner = one_sided ? 0 : only_choice(p, live, o[2], choice);
		bool passes_on = inner != 0;
		for (uint32_t k = 0; k < joins && passes_on; k++) {
			Ref given = o[4 + 2 * k];
			passes_on = !variable[k] || (f->value[given].op == IR_JOIN && ir_operands(f, given)[0] == inner && p->uses[given] == 1);
		}
		if (!passes_on)
			break;
		/* else if: the inner choice gives its values to the variables of the outer one */
		uint32_t inner_joins = (f->value[inner].operands - 3u) / 2;
		const char **inside = arena_alloc(p->arena, (inner_joins + 1) * sizeof *inside);
		for (uint32_t k = 0; k < joins; k++)
			if (variable[k])
				inside[f->value[o[4 + 2 * k]].imm] = variable[k];
		for (Ref r = inner + 1; r < f->count && f->value[r].op == IR_JOIN; r++)
			passes_on = passes_on && (!live[r] || inside[f->value[r].imm]);
		if (!passes_on)
			break;
		text_add(p->out, "} else ");
		choice = inner;
		variable = inside;
		joins = inner_joins;
	}
	if (!one_sided) {
		text_add(p->out, "} else {\n");
		print_side(p, live, choice, false, variable, joins);
		print_indent(p);
	}
	text_add(p->out, "}\n");
}

void print_choice(Printer *p, const bool *live, Ref choice)
{
	const Func *f = p->f;
	const Ref *o = ir_operands(f, choice);
	uint32_t joins = (f->value[choice].operands - 3u) / 2;
	const char **variable = arena_alloc(p->arena, (joins + 1) * sizeof *variable);
	bool one_sided = is_empty(p, live, o[2], choice);
	for (Ref r = choice + 1; r < f->count && f->value[r].op == IR_JOIN; r++) {
		uint32_t k = f->value[r].imm;
		if (!live[r])
			continue;
		if (p->name[r]) {               /* the variable of a choice around */
			variable[k] = p->name[r];
			if (one_sided)
				assign(p, variable[k], o[4 + 2 * k]);
			continue;
		}
		print_value_doc(p, r);
		variable[k] = name_make(&p->local, print_wish(p, r));
		bool exact = f->value[r].kind == KIND_FLOAT || p->exact[o[3 + 2 * k]] || p->exact[o[4 + 2 * k]];
		print_open_local(p, one_sided ? p->d->variable : p->d->blank, exact, r, variable[k]);
		if (!one_sided)
			continue;
		print_expression(p, o[4 + 2 * k]);
		text_add(p->out, ";\n");
	}
	print_indent(p);
	print_branches(p, live, choice, variable, joins, one_sided);
	for (Ref r = choice + 1; r < f->count && f->value[r].op == IR_JOIN; r++)
		if (live[r])
			p->name[r] = variable[f->value[r].imm];
}
