/* Which argument of a call goes to which parameter of a function, and what to write instead where a noise
   is called as other languages do, with a position. */
#include <string.h>

#include "lower.h"

static bool is_p(const Expr *e)
{
	return e->kind == EXPR_NAME && !strcmp(e->u.name, "p");
}

bool lower_mentions_p(const Expr *e)
{
	switch (e->kind) {
	case EXPR_NAME: return is_p(e);
	case EXPR_UNARY: return lower_mentions_p(e->u.op.a);
	case EXPR_MEMBER: return lower_mentions_p(e->u.member.of);
	case EXPR_BINARY: case EXPR_SAMPLE:
		for (; e->kind == EXPR_BINARY || e->kind == EXPR_SAMPLE; e = e->u.op.a)
			if (lower_mentions_p(e->u.op.b))
				return true;
		return lower_mentions_p(e);
	case EXPR_CALL:
		for (const Arg *a = e->u.call.args; a; a = a->next)
			if (lower_mentions_p(a->value))
				return true;
		return false;
	default: return false;
	}
}

/* What the author wrote, if it is short. */
const char *lower_text(Lower *l, const Expr *e)
{
	enum { SHORT = 40 };
	uint32_t size = e->span.end - e->span.start;
	const char *text = e->span.source->text + e->span.start;
	if (size > SHORT || memchr(text, '\n', size))
		return NULL;
	Text t = { .arena = l->arena };
	text_add_n(&t, text, size);
	return t.data;
}

/* perlin(p * 4): the position that was given to a noise, as this language says it. */
const char *lower_sampling(Lower *l, const Decl *fn, const Expr *e)
{
	const char *name = fn->name, *text = lower_text(l, e);
	if (is_p(e))
		return text_print(l->arena, "'%s()' is sampled at p already", name);
	if (!text)
		return text_print(l->arena, "to sample at q, write '%s() @ q'", name);
	if (e->kind == EXPR_NUMBER)
		return text_print(l->arena, "write '%s() |> scale(%s)', or '%s() @ q' to sample at q", name, text, name);
	if (e->kind == EXPR_BINARY && !strcmp(e->u.op.op, "*") && (is_p(e->u.op.a) || is_p(e->u.op.b))) {
		const char *k = lower_text(l, is_p(e->u.op.a) ? e->u.op.b : e->u.op.a);
		return text_print(l->arena, "write '%s() |> scale(%s)' or '%s() @ (%s)'", name, k, name, text);
	}
	bool simple = e->kind == EXPR_NAME || e->kind == EXPR_CALL || e->kind == EXPR_MEMBER;
	return text_print(l->arena, simple ? "write '%s() @ %s'" : "write '%s() @ (%s)'", name, text);
}

Span lower_cut(const Arg *a, const Expr *call)
{
	Span cut = a->value->outer;
	const char *text = cut.source->text;
	if (a->name)
		cut.start = a->name_span.start;
	uint32_t behind = cut.end, before = cut.start;
	while (behind < call->span.end && (text[behind] == ' ' || text[behind] == ','))
		behind++;
	while (before > call->u.call.name_span.end && (text[before - 1] == ' ' || text[before - 1] == ','))
		before--;
	if (text[behind] == ')')
		cut.start = before;             /* the last one: with the comma before it */
	else if (behind > cut.end)
		cut.end = behind;
	return cut;
}

void lower_fix_sampling(Lower *l, const Expr *call, const Arg *a)
{
	const Expr *q = a->value;
	if (a->name || q->span.source->library || q->kind == EXPR_NUMBER)
		return;
	lower_fix(l, lower_cut(a, call), "%s", "");
	if (is_p(q))
		return;
	bool simple = q->parenthesised || q->kind == EXPR_NAME || q->kind == EXPR_CALL || q->kind == EXPR_MEMBER;
	int size = (int)(q->outer.end - q->outer.start);
	lower_fix(l, (Span){ q->span.source, call->span.end, call->span.end }, simple ? " @ %.*s" : " @ (%.*s)", size, q->outer.source->text + q->outer.start);
}

/* perlin(frequency: 4): what other tools make arguments of. NULL: nothing to say. */
static const char *advice_for_name(Lower *l, const Expr *call, const Arg *a, const char *fn)
{
	static const struct { const char *word, *before, *behind; } habits[] = {
		{ "frequency", "|> scale(", ")" }, { "freq", "|> scale(", ")" }, { "scale", "|> scale(", ")" },
		{ "octaves", "|> octaves(", ")" }, { "offset", "|> offset(", ")" }, { "amplitude", "* (", ")" }
	};
	for (size_t i = 0; i < sizeof habits / sizeof *habits; i++) {
		if (strcmp(habits[i].word, a->name))
			continue;
		const char *text = lower_text(l, a->value);
		bool simple = a->value->kind == EXPR_NAME || a->value->kind == EXPR_NUMBER;
		const char *before = simple && habits[i].before[0] == '*' ? "* " : habits[i].before, *behind = before[1] == ' ' && !before[2] ? "" : habits[i].behind;
		const char *applied = text_print(l->arena, " %s%s%s", before, text ? text : "k", behind);
		if (text) {
			lower_fix(l, lower_cut(a, call), "%s", "");
			lower_fix_around(l, call->span, "(", text_print(l->arena, "%s)", applied));
		}
		return text_print(l->arena, "%s()%s", fn, applied);
	}
	return NULL;
}

/* What other tools call an argument that the function has. NULL: nothing. */
static const char *same_argument(const Decl *fn, const char *name)
{
	static const struct { const char *word, *ours; } same[] = {
		{ "octaves", "n" }, { "count", "n" }, { "steps", "n" }, { "persistence", "gain" }, { "roughness", "gain" }, { "distance", "metric" },
		{ "type", "kind" }, { "mode", "kind" }, { "return", "value" }, { "strength", "amount" }, { "factor", "k" }, { "frequency", "k" },
		{ "alpha", "opacity" }, { "weight", "opacity" }, { "randomness", "jitter" },
	};
	for (size_t i = 0; i < sizeof same / sizeof *same; i++)
		for (const Decl *d = fn->args; d; d = d->next)
			if (!strcmp(same[i].word, name) && !strcmp(same[i].ours, d->name))
				return d->name;
	return NULL;
}

static void no_parameter(Lower *l, const Decl *fn, const Expr *call, const Arg *a)
{
	enum { MANY = 64 };
	const char *names[MANY] = { "seed" };
	size_t n = 1;
	for (const Decl *x = fn->args; x && n < MANY; x = x->next)
		names[n++] = x->name;
	const char *same = same_argument(fn, a->name), *near = same ? NULL : diag_nearest(a->name, names, n);
	const char *advice = near || same ? NULL : advice_for_name(l, call, a, fn->name);
	if (same) {
		lower_fix(l, a->name_span, "%s", same);
		lower_error(l, "N0404", a->name_span, "'%s' has no argument '%s'; it is called '%s'", fn->name, a->name, same);
	} else if (near) {
		lower_fix(l, a->name_span, "%s", near);
		lower_error(l, "N0404", a->name_span, "'%s' has no argument '%s'; did you mean '%s'?", fn->name, a->name, near);
	} else if (advice) {
		lower_error(l, "N0404", a->name_span, "'%s' has no argument '%s'; write '%s'", fn->name, a->name, advice);
	} else {
		Text list = { .arena = l->arena };
		for (size_t i = 1; i < n; i++)
			text_format(&list, "%s%s", i > 1 ? ", " : "", names[i]);
		lower_error(l, "N0404", a->name_span, "'%s' has no argument '%s'; it %s%s", fn->name, a->name, n > 1 ? "has " : "has none", n > 1 ? list.data : "");
	}
}

/* simplex(p.x, p.y): a position in parts. False if it is none. */
static bool refuse_parts(Lower *l, const Decl *fn, const Expr *e, const Arg *a, uint32_t count)
{
	const Arg *last = a;
	uint32_t parts = 1;
	for (; last->next && !last->next->name; last = last->next)
		parts++;
	const char *text = a->value->span.source->text;
	uint32_t from = a->value->outer.start, to = last->value->outer.end;
	if (count > 0 || parts < 2 || parts > 4 || e->u.call.piped || !lower_mentions_p(a->value) || to - from > 80 || memchr(text + from, '\n', to - from))
		return false;
	const char *place = text_print(l->arena, "vec%u(%.*s)", (unsigned)parts, (int)(to - from), text + from);
	if (!last->next) {
		lower_fix(l, (Span){ a->value->span.source, from, to }, "%s", "");
		lower_fix(l, (Span){ e->span.source, e->span.end, e->span.end }, " @ %s", place);
	}
	lower_error(l, "N0403", (Span){ a->value->span.source, from, to }, "'%s' takes no argument; write '%s() @ %s'", fn->name, fn->name, place);
	return true;
}

static void too_many(Lower *l, const Decl *fn, const Expr *e, const Arg *a, uint32_t count)
{
	if (refuse_parts(l, fn, e, a, count))
		return;
	uint32_t given_count = 0;
	for (const Arg *x = e->u.call.args; x; x = x->next)
		given_count += !x->name;
	if (count == 0 || lower_mentions_p(a->value)) {
		lower_fix_sampling(l, e, a);
		lower_error(l, "N0403", a->value->span, "'%s' takes %s; %s", fn->name, count ? "no position" : "no argument", lower_sampling(l, fn, a->value));
	} else
		lower_error(l, "N0403", a->value->span, "'%s' takes %u argument%s, not %u", fn->name, (unsigned)count, count == 1 ? "" : "s", (unsigned)given_count);
}

/* Fills given[], by parameter; false after an error. `seed:` was taken out before. */
bool lower_bind(Lower *l, const Decl *fn, const Expr *e, const Arg **given, uint32_t count)
{
	uint32_t position = 0;
	bool fine = true, named = false;
	for (const Arg *a = e->u.call.args; a; a = a->next) {
		uint32_t k = 0;
		const Decl *d = fn->args;
		if ((!a->name && named) || (a->name && !strcmp(a->name, "seed")))
			return false;           /* reported by the parser; a second seed: */
		named = named || a->name;
		if (!a->name) {
			k = position++;
			if (k >= count) {
				too_many(l, fn, e, a, count);
				return false;
			}
		} else {
			while (d && d->name != a->name) {
				d = d->next;
				k++;
			}
			if (!d) {
				no_parameter(l, fn, e, a);
				fine = false;
				continue;
			}
		}
		if (given[k]) {
			lower_error(l, "N0404", a->name_span, "this argument of '%s' is given twice", fn->name);
			fine = false;
		}
		given[k] = a;
	}
	uint32_t k = 0;
	for (const Decl *d = fn->args; d; d = d->next, k++)
		if (!given[k] && !d->value && fine) {
			lower_error(l, "N0403", e->u.call.name_span, "'%s' needs its argument '%s'", fn->name, d->name);
			fine = false;
		}
	return fine;
}
