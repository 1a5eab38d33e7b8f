/* Names: scopes, duplicates, words that cannot be redefined, unknown names and types, and the order of
   declarations, each after those it uses, in which cycles are found. No walk follows declarations by
   recursion: they may form chains of any length. (Expressions are only so deep: see parse_tree.c.)
   Types wait for lower.c, because they depend on where a field is sampled. */
#include <string.h>

#include "check.h"

/* ---- scopes ---- */

static uint32_t slot_of(const Scope *s, const char *name)
{
	uint32_t i = arena_hash(name) & (s->size - 1);
	while (s->slot[i] && s->slot[i]->name != name)
		i = (i + 1) & (s->size - 1);
	return i;
}

static void read_in(const Scope *, Decl *);

Decl *scope_find(const Scope *s, const char *name)
{
	for (; s; s = s->outer) {
		Decl *d = s->slot[slot_of(s, name)];
		if (d && d->unread && !s->shelf->busy)
			read_in(s, d);
		if (d)
			return d;
	}
	return NULL;
}

static bool overloads(const Decl *a, const Decl *b)
{
	return a->kind == DECL_FN && b->kind == DECL_FN && a->at.name != b->at.name;
}

static void refuse_reserved(Check *c, const char *name, Span span)
{
	if (is_type_name(name))
		diag_error(c->diag, "N0202", span, "'%s' is a type and cannot name anything else", name);
	else if (is_reserved_form(name))
		diag_error(c->diag, "N0202", span, "'%s' belongs to the language and cannot name anything else", name);
}

/* A name of a function or fold. */
static void check_inner_name(Check *c, const char *name, Span span)
{
	refuse_reserved(c, name, span);
	const Decl *outer = c->scope->library ? NULL : scope_find(c->scope, name);
	if (!outer || outer->scope != c->scope || outer->kind == DECL_FN || outer->kind == DECL_ENUM || is_type_name(name) || is_reserved_form(name))
		return;
	Message *m = diag_warning(c->diag, "N0460", span, "'%s' hides what has this name outside", name);
	diag_note(c->diag, m, outer->name_span, "this is hidden");
}

static void add(Check *c, Scope *s, Decl *d)
{
	refuse_reserved(c, d->name, d->name_span);
	d->scope = s;
	if (s->last)
		s->last->next_in_scope = d;
	else
		s->first = d;
	s->last = d;
	Decl **place = &s->slot[slot_of(s, d->name)];
	for (Decl *o = *place; o; o = o->overload)
		if (!overloads(o, d)) {
			if (d->doubtful)
				return;
			Message *m = diag_error(c->diag, "N0201", d->name_span, "'%s' is declared twice", d->name);
			diag_note(c->diag, m, o->name_span, "the first one is here");
			return;
		}
	while (*place)
		place = &(*place)->overload;
	*place = d;
}

static bool has_name(const Decl *d)
{
	return d->kind != DECL_NOISE && d->kind != DECL_DOMAIN;
}

/* ---- names ---- */

const Local *check_find(const Local *l, const char *name)
{
	while (l && (l->name != name || l->hidden))
		l = l->outer;
	return l;
}

uint32_t check_count(const Decl *list)
{
	uint32_t count = 0;
	for (; list; list = list->next)
		count++;
	return count;
}

/* Makes the list's names in `at`, around those of the block so far, and all of them the block. */
void check_declare(Local *at, Decl *list, const Local **block)
{
	for (Decl *d = list; d; d = d->next, at++) {
		*at = (Local){ .name = d->name, .decl = d, .block = block, .outer = *block };
		*block = at;
	}
}

static bool is_enumerator(const Scope *s, const char *name)
{
	for (; s; s = s->outer)
		for (uint32_t i = 0; i < s->enumerations; i++)
			for (const Enumerator *e = s->enumeration[i]->enumerators; e; e = e->next)
				if (e->name == name)
					return true;
	return false;
}

static bool is_row_name(const char *name, bool library)
{
	for (int op = 0; op < OP_COUNT; op++)
		if (op_info[op].name[0] == name[0] && !strcmp(op_info[op].name, name) && !(op_info[op].flags & HIDDEN) && (library || !(op_info[op].flags & LIB)))
			return true;
	return false;
}

/* Dimensions of p; 0: this is none. */
static int dimension(TypeName t)
{
	static const char *const names[] = { "float", "vec2", "vec3", "vec4" };
	for (int i = 0; t.name && i < 4; i++)
		if (!strcmp(names[i], t.name))
			return i + 1;
	return 0;
}

/* ---- walking expressions ---- */

static void walk(Check *c, const Expr *e, const Local *locals);

static void link_to(Check *c, Decl *from, Decl *to, Span span)
{
	Link *link = arena_alloc(c->arena, sizeof *link);
	*link = (Link){ to, span, from->uses };
	from->uses = link;
}

/* What the declaration being walked uses. A function may call an overload of its own name for a smaller
   dimension: lower.c refuses the others. */
static void link_global(Check *c, Decl *to, Span span)
{
	Decl *from = c->decl;
	if (to->scope != c->scope)
		return;
	for (Decl *o = to; o; o = o->overload) {
		bool own = o->kind == DECL_FN && from->kind == DECL_FN && o->name == from->name && o->at.name;
		if (!own || (from->at.name && dimension(o->at) < dimension(from->at)))
			link_to(c, from, o, span);
	}
}

static void walk_name(Check *c, const char *name, Span span, const Local *locals, const Expr *call)
{
	const Local *l = check_find(locals, name);
	if (l && call && is_form_name(name))
		return;                         /* a value called sum does not stand in the way of sum(v) */
	if (l) {
		if (l->decl)
			l->decl->used = true;
		if (call)
			check_not_function(c, name, span, call);
		else if (l->decl && l->decl->kind == DECL_NODE && c->node)
			link_to(c, c->node, l->decl, span);
		return;
	}
	Decl *d = scope_find(c->scope, name);
	if (d) {
		if (call && d->kind != DECL_FN && d->kind != DECL_ENUM)
			check_not_function(c, name, span, call);
		else if (!call && d->kind == DECL_FN)
			diag_fix(c->diag, diag_error(c->diag, "N0207", span, "'%s' is a function; write '%s()'", name, name), span, "%s()", name);
		else if (!call && d->kind == DECL_ENUM)
			diag_error(c->diag, "N0207", span, "'%s' is an enum; write '%s.%s'", name, name, d->enumerators->name);
		else
			link_global(c, d, span);
		return;
	}
	if (call ? is_type_name(name) || (is_form_name(name) && !is_form_value(name)) || is_row_name(name, c->scope->library)
	         : is_form_value(name) || is_enumerator(c->scope, name))
		return;
	if (call && is_form_name(name))
		diag_error(c->diag, "N0205", span, "'%s' is not a function", name);
	else
		check_unknown(c, name, span, locals, call);
}

/* Local nodes of a block see each other whatever their order. */
static void walk_local(Check *c, Decl *n, const Local *locals)
{
	Decl *outer = c->node;
	check_type(c, n->type);
	n->next_in_scope = c->locals;
	c->locals = c->node = n;
	walk(c, n->value, locals);
	c->node = outer;
}

static void walk_fold(Check *c, const Expr *e, const Local *locals)
{
	walk(c, e->u.fold.from, locals);
	walk(c, e->u.fold.to, locals);
	check_inner_name(c, e->u.fold.index, e->u.fold.index_span);
	uint32_t lines = 1;
	for (const Carry *k = e->u.fold.lines; k; k = k->next)
		lines++;
	Local *l = arena_alloc(c->arena, 2 * lines * sizeof *l);
	const Local *inside = locals, *after = locals;
	*l = (Local){ .name = e->u.fold.index, .outer = inside };
	inside = l++;
	*l = (Local){ .name = e->u.fold.index, .hidden = true, .outer = after };
	after = l++;
	for (const Carry *k = e->u.fold.lines; k; k = k->next) {
		check_inner_name(c, k->name, k->name_span);
		for (const Local *o = inside; o != locals; o = o->outer)
			if (o->name == k->name)
				diag_error(c->diag, "N0201", k->name_span, "'%s' is declared twice in this fold", k->name);
		*l = (Local){ .name = k->name, .decl = k->node, .outer = inside };
		inside = l++;
		*l = (Local){ .name = k->name, .hidden = !k->then, .outer = after };
		after = l++;
	}
	for (const Carry *k = e->u.fold.lines; k; k = k->next)
		if (k->then) {
			check_type(c, k->type);
			walk(c, k->first, locals);
			walk(c, k->then, inside);
		} else {
			walk_local(c, k->node, inside);
		}
	walk(c, e->u.fold.result, after);
}

/* f @ p * 2 is (f @ p) * 2, and nobody needs f @ p: it is f. */
static void warn_precedence(Check *c, const Expr *e)
{
	const Expr *sample = e->u.op.a, *q = sample->u.op.b;
	if (sample->kind != EXPR_SAMPLE || sample->parenthesised || q->parenthesised || c->scope->library || !strchr("*/%+-", e->u.op.op[0]))
		return;
	bool product = strchr("*/%", e->u.op.op[0]) != NULL;
	while (q->kind == EXPR_UNARY || (product && q->kind == EXPR_MEMBER))
		q = q->kind == EXPR_UNARY ? q->u.op.a : q->u.member.of;
	if (q->kind == EXPR_NAME && !strcmp(q->u.name, "p"))
	{
		const Expr *from = sample->u.op.b, *to = e->u.op.b;
		Span open = { from->outer.source, from->outer.start, from->outer.start }, closing = { to->outer.source, to->outer.end, to->outer.end };
		Message *m = diag_warning(c->diag, "N0453", sample->u.op.op_span, "'@' binds tighter than '%s': write 'f @ (p %s x)', or '(f @ p) %s x' where this is meant", e->u.op.op, e->u.op.op, e->u.op.op);
		diag_fix(c->diag, m, open, "(");
		diag_fix(c->diag, m, closing, ")");
	}
}

/* An argument for an enum that is a name, and unknown. True if that was said. */
static bool refuse_enumerator(Check *c, const Decl *fn, const Arg *a, uint32_t place, const Local *locals)
{
	const Decl *d = fn->args;
	for (uint32_t i = 0; d && (a->name ? d->name != a->name : i < place); i++)
		d = d->next;
	if (!d || !d->type.name || a->value->kind != EXPR_NAME || c->broken || check_is_lost(c, a->value->u.name))
		return false;
	const char *name = a->value->u.name;
	const Decl *type = scope_find(fn->scope, d->type.name);
	if (!type || type->kind != DECL_ENUM || check_find(locals, name) || scope_find(c->scope, name) || is_enumerator(c->scope, name) || is_reserved_form(name))
		return false;
	check_unknown_enumerator(c, name, a->value->span, fn, d, type);
	return true;
}

static void walk_call(Check *c, const Expr *e, const Local *locals)
{
	const char *module = e->u.call.module;
	if (module) {
		const Decl *d = scope_find(c->scope, module);
		const Habit *habit = habit_find(e->u.call.name);
		if (check_method(c, e, locals))
			;
		else if ((!d || d->kind != DECL_IMPORT) && habit)
			diag_error(c->diag, "N0204", e->u.call.name_span, "unknown node '%s.%s'; %s", module, e->u.call.name, habit->advice);
		else if (!d || d->kind != DECL_IMPORT)
			diag_error(c->diag, "N0205", e->u.call.name_span, "'%s.%s' is not a function", module, e->u.call.name);
	} else if (e->u.call.name) {
		walk_name(c, e->u.call.name, e->u.call.name_span, locals, e);
	} else if (check_method(c, e, locals)) {
		const Expr *of = e->u.call.callee->u.member.of;
		while (of->kind == EXPR_CALL && of->u.call.callee && of->u.call.callee->kind == EXPR_MEMBER)
			of = of->u.call.callee->u.member.of;
		walk(c, of, locals);
	} else {
		diag_error(c->diag, "N0205", e->span, "only a name can be called");
	}
	const Decl *fn = !module && e->u.call.name && !check_find(locals, e->u.call.name) ? scope_find(c->scope, e->u.call.name) : NULL;
	uint32_t place = 0;
	for (const Arg *a = e->u.call.args; a; a = a->next, place++)
		if (!fn || fn->kind != DECL_FN || !refuse_enumerator(c, fn, a, place, locals))
			walk(c, a->value, locals);
}

static void walk(Check *c, const Expr *e, const Local *locals)
{
	if (!e)
		return;
	switch (e->kind) {
	case EXPR_NAME:
		walk_name(c, e->u.name, e->span, locals, NULL);
		break;
	case EXPR_UNARY:
		walk(c, e->u.op.a, locals);
		break;
	case EXPR_BINARY:
		/* chains lean left and may be long */
		for (; e->kind == EXPR_BINARY; e = e->u.op.a) {
			warn_precedence(c, e);
			walk(c, e->u.op.b, locals);
		}
		walk(c, e, locals);
		break;
	case EXPR_SAMPLE:
		walk(c, e->u.op.a, locals);
		walk(c, e->u.op.b, locals);
		break;
	case EXPR_CHOICE:
		walk(c, e->u.choice.condition, locals);
		walk(c, e->u.choice.yes, locals);
		walk(c, e->u.choice.no, locals);
		break;
	case EXPR_CALL:
		walk_call(c, e, locals);
		break;
	case EXPR_MEMBER:
		if (e->u.member.of->kind == EXPR_NAME && !check_find(locals, e->u.member.of->u.name)) {
			const Decl *d = scope_find(c->scope, e->u.member.of->u.name);
			if (d && (d->kind == DECL_ENUM || d->kind == DECL_IMPORT))
				break;
		}
		walk(c, e->u.member.of, locals);
		break;
	case EXPR_FOLD:
		walk_fold(c, e, locals);
		break;
	case EXPR_MATCH:
		walk(c, e->u.match.of, locals);
		for (const Arm *a = e->u.match.arms; a; a = a->next)
			walk(c, a->value, locals);
		break;
	case EXPR_STOPS:
		for (const Stop *s = e->u.stops; s; s = s->next) {
			walk(c, s->at, locals);
			walk(c, s->value, locals);
		}
		break;
	case EXPR_NUMBER: case EXPR_COLOUR: case EXPR_BOOL:
		break;
	}
}

/* ---- order and cycles ---- */

typedef struct Step { Decl *decl; Link *next; Span use; } Step;    /* use: of this one, in the step before */

static void report_cycle(Check *c, const Step *step, uint32_t length, Span closing)
{
	enum { NOTES = 12 };
	uint32_t first = 0;
	bool told = true;
	for (uint32_t i = 0; i < length; i++) {
		told = told && step[i].decl->broken;
		step[i].decl->broken = true;
		if (step[i].decl->name_span.start < step[first].decl->name_span.start)
			first = i;
	}
	if (told)
		return;
	Message *m = diag_error(c->diag, "N0206", step[first].decl->name_span, "'%s' is defined by itself", step[first].decl->name);
	for (uint32_t i = 0; i < length && i < NOTES; i++) {
		uint32_t from = (first + i) % length, to = (from + 1) % length;
		diag_note(c->diag, m, to ? step[to].use : closing, "'%s' uses '%s' here", step[from].decl->name, step[to].decl->name);
	}
	if (length > NOTES)
		diag_note(c->diag, m, step[first].decl->name_span, "and so on, %u declarations in all", (unsigned)length);
}

/* Depth first from `root`, with a stack of its own. What all uses of a declaration are done with goes to c->tail. */
static void visit(Check *c, Step *stack, Decl *root)
{
	if (root->mark)
		return;
	uint32_t depth = 1;
	root->mark = 1;
	stack[0] = (Step){ root, root->uses, root->name_span };
	while (depth > 0) {
		Step *top = &stack[depth - 1];
		if (!top->next) {
			top->decl->mark = 2;
			if (c->tail) {
				*c->tail = top->decl;
				c->tail = &top->decl->next_in_order;
			}
			depth--;
			continue;
		}
		Link *link = top->next;
		top->next = link->next;
		if (link->to->mark == 0) {
			link->to->mark = 1;
			stack[depth++] = (Step){ link->to, link->to->uses, link->use };
		} else if (link->to->mark == 1) {
			uint32_t from = depth - 1;
			while (stack[from].decl != link->to)
				from--;
			report_cycle(c, stack + from, depth - from, link->use);
		}
	}
}

/* A cycle among local nodes breaks the whole declaration. */
static void order_locals(Check *c, Decl *d)
{
	uint32_t count = 1;
	for (const Decl *n = c->locals; n; n = n->next_in_scope)
		count++;
	if (count == 1)
		return;
	Step *stack = arena_alloc(c->arena, count * sizeof *stack);
	for (Decl *n = c->locals; n; n = n->next_in_scope) {
		visit(c, stack, n);
		d->broken = d->broken || n->broken;
	}
}

static void walk_decl(Check *c, Decl *d)
{
	uint32_t names = check_count(d->args) + check_count(d->locals);
	Local *at = arena_alloc(c->arena, (names + 1) * sizeof *at);
	const Local **block = arena_alloc(c->arena, sizeof *block);
	c->decl = d;
	c->node = c->locals = NULL;
	check_type(c, d->type);
	if (d->at.name && !dimension(d->at))
		diag_error(c->diag, "N0301", d->at.span, "'at' takes a dimension of p: float, vec2, vec3 or vec4");
	for (const Decl *a = d->args; a; a = a->next) {
		check_type(c, a->type);
		walk(c, a->value, NULL);
		walk(c, a->low, NULL);
		walk(c, a->high, NULL);
	}
	walk(c, d->low, NULL);
	walk(c, d->high, NULL);
	check_declare(at, d->args, block);
	check_declare(at + check_count(d->args), d->locals, block);
	for (const Local *l = *block; l; l = l->outer) {
		if (l->decl->kind == DECL_ARGUMENT && !strcmp(l->name, "p")) {
			diag_error(c->diag, "N0202", l->decl->name_span, "'p' is the position in every field and is not handed over; leave it out");
			continue;
		}
		check_inner_name(c, l->name, l->decl->name_span);
		if (check_find(l->outer, l->name))
			diag_error(c->diag, "N0201", l->decl->name_span, "'%s' is declared twice in this function", l->name);
	}
	for (Decl *n = d->locals; n; n = n->next)
		walk_local(c, n, *block);
	walk(c, d->value, *block);
	d->inner = c->locals;
	order_locals(c, d);
}

/* ---- declarations ---- */

static void check_enum(Check *c, const Decl *d)
{
	for (const Enumerator *e = d->enumerators; e; e = e->next) {
		if (e->name[0] < 'A' || e->name[0] > 'Z')
			diag_error(c->diag, "N0208", e->span, "an enumerator starts with a capital letter");
		for (const Enumerator *o = d->enumerators; o != e; o = o->next)
			if (o->name == e->name)
				diag_error(c->diag, "N0201", e->span, "'%s' is listed twice", e->name);
	}
}

static void scope_new(Arena *arena, uint32_t names, Scope *out)
{
	out->size = 16;
	while (out->size < 2 * names + 2)
		out->size *= 2;
	out->slot = arena_alloc(arena, out->size * sizeof *out->slot);
	out->enumeration = arena_alloc(arena, (names + 1) * sizeof *out->enumeration);
}

static void declare(Check *c, Scope *s, Decl *d)
{
	if (d->kind == DECL_IMPORT)
		diag_error(c->diag, "N0210", d->span, "import is not in this version; put the declarations into this file");
	if (has_name(d))
		add(c, s, d);
	if (d->kind == DECL_ENUM) {
		check_enum(c, d);
		s->enumeration[s->enumerations++] = d;
	}
}

void check_scope(Arena *arena, Diagnostics *diag, const File *files, size_t count, const Scope *outer, bool library, Scope *out)
{
	Check c = { .arena = arena, .diag = diag, .scope = out };
	c.files = files;
	c.file_count = count;
	for (size_t i = 0; i < count; i++)
		c.broken = c.broken || files[i].broken;
	uint32_t names = 0;
	for (size_t i = 0; i < count; i++)
		names += check_count(files[i].decls);
	*out = (Scope){ .outer = outer, .library = library };
	scope_new(arena, names, out);
	for (size_t i = 0; i < count; i++)
		for (Decl *d = files[i].decls; d; d = d->next)
			declare(&c, out, d);
	for (Decl *d = out->first; d; d = d->next_in_scope)
		walk_decl(&c, d);
	Step *stack = arena_alloc(arena, (names + 1) * sizeof *stack);
	c.tail = &out->order;
	for (Decl *d = out->first; d; d = d->next_in_scope)
		visit(&c, stack, d);
	for (Decl *d = out->order; d; d = d->next_in_order)
		if (d->kind == DECL_FN && !d->broken)
			check_uses(&c, d);
}

/* ---- declarations read on demand ---- */

static uint32_t take(Shelf *shelf, Decl *d, uint32_t count)
{
	for (; d; d = d->overload)
		if (d->unread) {
			shelf->read(shelf, d);
			shelf->taken[count++] = d;
		}
	return count;
}

/* Reads and checks a declaration with its overloads and all that they use, as check_scope does with a file. */
static void read_in(const Scope *s, Decl *wanted)
{
	Shelf *shelf = s->shelf;
	Check c = { .arena = shelf->arena, .diag = shelf->diag, .scope = s };
	Decl *order = NULL;
	shelf->busy = true;
	uint32_t count = take(shelf, wanted, 0);
	for (uint32_t i = 0; i < count; i++) {
		walk_decl(&c, shelf->taken[i]);
		for (const Link *link = shelf->taken[i]->uses; link; link = link->next)
			count = take(shelf, link->to, count);
	}
	c.tail = &order;
	for (uint32_t i = 0; i < count; i++)
		visit(&c, shelf->stack, shelf->taken[i]);
	for (Decl *d = order; d; d = d->next_in_order)
		if (d->kind == DECL_FN && !d->broken)
			check_uses(&c, d);
	shelf->busy = false;
}

void check_shelf(Shelf *shelf, Decl *decls, Scope *out)
{
	Check c = { .arena = shelf->arena, .diag = shelf->diag, .scope = out };
	uint32_t names = check_count(decls);
	*out = (Scope){ .library = true, .shelf = shelf };
	scope_new(shelf->arena, names, out);
	shelf->taken = arena_alloc(shelf->arena, (names + 1) * sizeof *shelf->taken);
	shelf->stack = arena_alloc(shelf->arena, (names + 1) * sizeof *shelf->stack);
	for (Decl *d = decls; d; d = d->next)
		declare(&c, out, d);
}
