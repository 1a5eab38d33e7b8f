/* Words that mean nothing here: what may have been meant by an unknown name, type or call. Also the names of types. */
#include <string.h>

#include "check.h"

static const char *const type_names[] = {
	"bool", "bvec2", "bvec3", "bvec4", "int", "ivec2", "ivec3", "ivec4", "uint", "uvec2", "uvec3", "uvec4",
	"float", "vec2", "vec3", "vec4", "vecP", "ivecP", "uvecP", "bvecP"
};

static bool in_list(const char *name, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (name[0] == list[i][0] && !strcmp(name, list[i]))
			return true;
	return false;
}

#define COUNT(a) (sizeof (a) / sizeof *(a))

bool is_type_name(const char *name) { return in_list(name, type_names, COUNT(type_names)); }

/* Names that could have been meant: what is called, or what is a value. */
static const char *near_name(Check *c, const char *name, const Local *locals, bool called)
{
	size_t count = 0, room = form_count + COUNT(type_names) + OP_COUNT;
	for (const Local *l = locals; l; l = l->outer)
		room++;
	for (const Scope *s = c->scope; s; s = s->outer)
		for (const Decl *d = s->first; d; d = d->next_in_scope) {
			room++;
			for (const Enumerator *e = d->enumerators; e; e = e->next)
				room++;
		}
	const char **near = arena_alloc(c->arena, room * sizeof *near);
	for (const Local *l = called ? NULL : locals; l; l = l->outer)
		if (!l->hidden)
			near[count++] = l->name;
	for (const Scope *s = c->scope; s; s = s->outer)
		for (const Decl *d = s->first; d; d = d->next_in_scope) {
			bool inner = s->library && d->kind == DECL_CONST;       /* the library's own numbers */
			if (!inner && (called == (d->kind == DECL_FN) || d->kind == DECL_ENUM))
				near[count++] = d->name;
			for (const Enumerator *e = called ? NULL : d->enumerators; e; e = e->next)
				near[count++] = e->name;
		}
	for (size_t i = 0; i < form_count; i++)
		if (!(form_info[i].flags & FORM_SIGN) && called == !(form_info[i].flags & FORM_VALUE))
			near[count++] = form_info[i].name;
	for (size_t i = 0; called && i < COUNT(type_names); i++)
		near[count++] = type_names[i];
	for (int op = 0; called && op < OP_COUNT; op++)
		if (op_info[op].name[0] >= 'a' && !(op_info[op].flags & (HIDDEN | LIB)))
			near[count++] = op_info[op].name;
	return diag_nearest(name, near, count);
}

bool check_is_lost(const Check *c, const char *name)
{
	for (size_t i = 0; i < c->file_count; i++)
		for (const LostName *lost = c->files[i].lost; lost; lost = lost->next)
			if (lost->name == name)
				return true;
	return false;
}

/* The text of an operand, in parentheses where it needs them. */
static const char *operand_text(const Expr *e, int *size)
{
	*size = (int)(e->outer.end - e->outer.start);
	return e->outer.source->text + e->outer.start;
}

static bool is_simple(const Expr *e)
{
	return e->parenthesised || e->kind == EXPR_NAME || e->kind == EXPR_NUMBER || e->kind == EXPR_CALL || e->kind == EXPR_MEMBER;
}

static void fix_with_declaration(Check *c, Message *m, const char *text)
{
	Span behind = { c->decl->span.source, c->decl->span.end, c->decl->span.end };
	diag_fix(c->diag, m, behind, "\n%s", text);
}

/* A word of another language: what to write for it, where that is certain. */
static void fix_habit(Check *c, Message *m, const Habit *habit, Span span, const Expr *call)
{
	const Arg *a = call ? call->u.call.args : NULL;
	bool piped = call && call->u.call.piped;
	bool fractal = !strncmp(habit->advice, "write 'perlin() |> ", 19);
	bool at_p = a && !a->name && !a->next && a->value->kind == EXPR_NAME && !strcmp(a->value->u.name, "p");
	if (habit->instead) {
		diag_fix(c->diag, m, span, "%s", habit->instead);
	} else if (fractal && call && !piped && (!a || at_p)) {
		diag_fix(c->diag, m, call->span, "(%.*s)", (int)strlen(habit->advice) - 8, habit->advice + 7);
	} else if (!strcmp(habit->word, "mod") && a && a->next && !a->next->next && !piped && !a->name && !a->next->name) {
		int n[2];
		const char *x = operand_text(a->value, &n[0]), *y = operand_text(a->next->value, &n[1]);
		bool sx = is_simple(a->value), sy = is_simple(a->next->value);
		diag_fix(c->diag, m, call->span, "(%s%.*s%s %% %s%.*s%s)", sx ? "" : "(", n[0], x, sx ? "" : ")", sy ? "" : "(", n[1], y, sy ? "" : ")");
	} else if (!strncmp(habit->advice, "there is no built-in time", 25) && !call && habit->word[0] != '_') {
		fix_with_declaration(c, m, text_print(c->arena, "param %s = 0.0", habit->word));
	} else if (!call && (!strcmp(habit->word, "PI") || !strcmp(habit->word, "TAU"))) {
		fix_with_declaration(c, m, !strcmp(habit->word, "PI") ? "const PI = 3.14159265" : "const TAU = 6.2831853");
	}
}

void check_unknown(Check *c, const char *name, Span span, const Local *locals, const Expr *call)
{
	enum { SHOWN = 50 };                    /* errors that may be printed: beyond them, no search for names */
	bool called = call != NULL;
	const char *what = called ? "node" : "name", *best = NULL;
	for (const Local *l = locals; l; l = l->outer)
		if (l->hidden && l->name == name) {
			diag_error(c->diag, "N0203", span, "unknown name '%s'; what stands after 'return' sees the carried names of the fold only", name);
			return;
		}
	if (check_is_lost(c, name))
		return;
	const Habit *habit = habit_find(name);
	if (habit) {
		Message *m = diag_error(c->diag, "N0204", span, "unknown %s '%s'; %s", what, name, habit->advice);
		fix_habit(c, m, habit, span, call);
		return;
	}
	if (c->broken)
		return;
	if (c->diag->errors < SHOWN && (best = near_name(c, name, locals, called))) {
		diag_fix(c->diag, diag_error(c->diag, "N0203", span, "unknown %s '%s'; did you mean '%s'?", what, name, best), span, "%s", best);
	} else if (c->diag->errors < SHOWN && (best = near_name(c, name, locals, !called))) {
		Message *m = diag_error(c->diag, "N0203", span, called ? "unknown node '%s'; did you mean '%s', which is no function?" : "unknown name '%s'; did you mean '%s()'?", name, best);
		if (!called)
			diag_fix(c->diag, m, span, "%s()", best);
		else if (!call->u.call.args)
			diag_fix(c->diag, m, call->span, "%s", best);
	} else {
		diag_error(c->diag, "N0203", span, "unknown %s '%s'", what, name);
	}
}

/* An argument that is a name, unknown, where an enum is expected: one of its enumerators was meant. */
void check_unknown_enumerator(Check *c, const char *name, Span span, const Decl *fn, const Decl *parameter, const Decl *enumeration)
{
	enum { FEW = 32, MANY = 64 };
	const char *names[MANY] = { NULL };
	size_t count = 0;
	Text list = { .arena = c->arena };
	for (const Enumerator *n = enumeration->enumerators; n && count < MANY; n = n->next) {
		text_format(&list, "%s%s", count ? ", " : "", n->name);
		names[count++] = n->name;
	}
	const char *near = diag_nearest(name, names, count);
	if (near)
		diag_fix(c->diag, diag_error(c->diag, "N0203", span, "unknown name '%s'; did you mean '%s'?", name, near), span, "%s", near);
	else
		diag_error(c->diag, "N0203", span, "unknown name '%s'; '%s' of '%s' is one of %s", name, parameter->name, fn->name,
			count <= FEW ? list.data : text_print(c->arena, "the enum %s", enumeration->name));
}

static bool is_enum(const Scope *s, const char *name)
{
	for (; s; s = s->outer)
		for (uint32_t i = 0; i < s->enumerations; i++)
			if (s->enumeration[i]->name == name)
				return true;
	return false;
}

void check_type(Check *c, TypeName t)
{
	if (!t.name || is_type_name(t.name) || is_enum(c->scope, t.name) || check_is_lost(c, t.name))
		return;
	if (c->scope->library && !strcmp(t.name, "key"))
		return;                         /* the library's own: int or uint */
	const Habit *habit = habit_type(t.name);
	const char *near = diag_nearest(t.name, type_names, COUNT(type_names));
	if (habit)
		diag_fix(c->diag, diag_error(c->diag, "N0301", t.span, "unknown type '%s'; %s", t.name, habit->advice), t.span, "%s", habit->instead);
	else if (near)
		diag_fix(c->diag, diag_error(c->diag, "N0301", t.span, "unknown type '%s'; did you mean '%s'?", t.name, near), t.span, "%s", near);
	else if (!c->broken)
		diag_error(c->diag, "N0301", t.span, "unknown type '%s'; types are bool int uint float, vec2 to vec4 (also bvec ivec uvec), vecP and enums", t.name);
}

/* An operand as written, in parentheses if @ would take it apart; NULL if it is long. */
static const char *place_text(Check *c, const Expr *e)
{
	int size;
	const char *text = operand_text(e, &size);
	if (size > 60 || memchr(text, '\n', (size_t)size))
		return NULL;
	return text_print(c->arena, is_simple(e) ? "%.*s" : "(%.*s)", size, text);
}

/* perlin().scale(4) as perlin() |> scale(4): every point in the chain becomes a pipe. */
static void fix_methods(Check *c, Message *m, const Expr *call)
{
	for (const Expr *e = call; e->kind == EXPR_CALL && (e->u.call.callee || e->u.call.module);) {
		Span name = e->u.call.name_span;
		const Expr *callee = e->u.call.callee;
		if (callee && callee->kind != EXPR_MEMBER)
			return;
		name = callee ? callee->u.member.name_span : name;
		uint32_t point = name.start;
		while (point > e->span.start && name.source->text[point] != '.')
			point--;
		diag_fix(c->diag, m, (Span){ name.source, point, name.start }, " |> ");
		if (!callee)
			break;
		e = callee->u.member.of;
	}
	diag_fix(c->diag, m, (Span){ call->span.source, call->span.start, call->span.start }, "(");
	diag_fix(c->diag, m, (Span){ call->span.source, call->span.end, call->span.end }, ")");
}

/* x.f(…) where x is a field and f a function; false if it is something else. */
bool check_method(Check *c, const Expr *call, const Local *locals)
{
	const Expr *callee = call->u.call.callee;
	const char *name = callee && callee->kind == EXPR_MEMBER ? callee->u.member.name : call->u.call.name;
	const Decl *fn = name ? scope_find(c->scope, name) : NULL;
	const Decl *of = call->u.call.module ? scope_find(c->scope, call->u.call.module) : NULL;
	bool field = callee || check_find(locals, call->u.call.module) || (of && of->kind != DECL_IMPORT && of->kind != DECL_ENUM);
	if (!fn || fn->kind != DECL_FN || !field)
		return false;
	Span at = callee ? callee->u.member.name_span : call->u.call.name_span;
	Message *m = diag_error(c->diag, "N0205", at, "fields have no methods; hand this one on: x |> %s(…)", name);
	fix_methods(c, m, call);
	return true;
}

/* f(q): the field f at q. */
void check_not_function(Check *c, const char *name, Span span, const Expr *call)
{
	if (call->u.call.piped && call->span.end == span.end)
		return;                         /* x |> f without parentheses: the parser has spoken */
	const Decl *d = scope_find(c->scope, name), *hidden = c->scope->outer ? scope_find(c->scope->outer, name) : NULL;
	if (d && d->scope == c->scope && hidden && hidden->kind == DECL_FN) {
		Message *m = diag_error(c->diag, "N0205", d->name_span, "'%s' hides the function of this name, which is called; choose another name", name);
		diag_note(c->diag, m, span, "called here");
		return;
	}
	const Arg *args = call->u.call.args;
	const char *q = args && !args->name && !args->next && !call->u.call.piped ? place_text(c, args->value) : NULL;
	Message *m = diag_error(c->diag, "N0205", span, "'%s' is not a function; to sample it at another place, write '%s @ %s'", name, name, q ? q : "q");
	if (!q)
		return;
	const char *text = span.source->text;
	uint32_t before = call->span.start;
	while (before > 0 && text[before - 1] == ' ')
		before--;
	bool apart = text[call->span.end] == '.' || (before > 0 && text[before - 1] == '@');
	diag_fix(c->diag, m, call->span, apart ? "(%s @ %s)" : "%s @ %s", name, q);
}
