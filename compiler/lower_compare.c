/* Comparisons of the author's text that have the same result at every position, by the proved ranges of both
   sides. Noted while they are lowered, judged when the program is whole. A comparison inside a function is left
   alone: it may be there for other callers; so is one that was decided at compile time, or that is decided in
   some of the contexts in which its field is sampled, and not in others. */
#include <string.h>

#include "lower.h"

typedef struct Comparison {
	const Expr *expr;
	const Func *func;
	Ref a, b, result;
	struct Comparison *next;
} Comparison;

typedef enum Verdict { OPEN, ALWAYS, NEVER } Verdict;

void lower_note_comparison(Lower *l, const Context *c, const Expr *e, Ref a, Ref b, Ref result)
{
	Span at = e->span;
	if (!at.source || at.source != l->file_source || warning_wish(l->diag, "N0461") == WISH_NONE)
		return;
	for (const Frame *f = c->frame; f; f = f->caller)
		if (f->fn && f->fn->span.source == at.source && f->fn->span.start <= at.start && at.end <= f->fn->span.end)
			return;
	Comparison *one = arena_alloc(l->arena, sizeof *one);
	*one = (Comparison){ e, c->frame->func, a, b, result, l->comparisons };
	l->comparisons = one;
}

static Verdict turned(Verdict v)
{
	return v == ALWAYS ? NEVER : v == NEVER ? ALWAYS : OPEN;
}

static Verdict judge(const char *op, Range a, Range b)
{
	if (a.nan || b.nan)
		return OPEN;
	if (!strcmp(op, "<"))
		return a.high < b.low ? ALWAYS : a.low >= b.high ? NEVER : OPEN;
	if (!strcmp(op, "<="))
		return a.high <= b.low ? ALWAYS : a.low > b.high ? NEVER : OPEN;
	if (!strcmp(op, ">") || !strcmp(op, ">="))
		return judge(op[1] ? "<=" : "<", b, a);
	Verdict apart = a.high < b.low || b.high < a.low ? ALWAYS : OPEN;
	return !strcmp(op, "!=") ? apart : turned(apart);
}

static bool is_bounded(double x)
{
	return x > -3.4e38 && x < 3.4e38;
}

static void add_number(Text *t, float value)
{
	Text number = { .arena = t->arena };
	text_float(&number, value);
	bool whole = number.size > 2 && !strcmp(number.data + number.size - 2, ".0");
	text_add_n(t, number.data, number.size - (whole ? 2 : 0));
}

/* "lies in -1 .. 1" */
static void add_range(Text *t, Range r)
{
	Bounds b = range_bounds(r);
	bool low = is_bounded(r.low), high = is_bounded(r.high);
	text_add(t, low && high && b.low < b.high ? "lies in " : low && high ? "is " : low ? "is at least " : high ? "is at most " : "may be anything");
	if (low)
		add_number(t, b.low);
	if (low && high && b.low < b.high)
		text_add(t, " .. ");
	if (high && (!low || b.low < b.high))
		add_number(t, b.high);
}

static void tell(Lower *l, const Comparison *one, Verdict verdict, Range a, Range b)
{
	const char *text = lower_text(l, one->expr);
	Text why = { .arena = l->arena };
	bool left = ir_is_const(one->func, one->a), right = ir_is_const(one->func, one->b);
	if (!left) {
		text_add(&why, "its left side ");
		add_range(&why, a);
	}
	if (!left && !right)
		text_add(&why, ", ");
	if (!right) {
		text_add(&why, "its right side ");
		add_range(&why, b);
	}
	diag_warning(l->diag, "N0461", one->expr->span, "%s is always %s: %s", text ? text_print(l->arena, "'%s'", text) : "this comparison",
		verdict == ALWAYS ? "true" : "false", why.data);
}

typedef struct Known { const Func *func; const Range *range; struct Known *next; } Known;

static const Range *ranges_of(Lower *l, Known **known, const Func *f, RangeCache *cache)
{
	for (const Known *k = *known; k; k = k->next)
		if (k->func == f)
			return k->range;
	Known *k = arena_alloc(l->arena, sizeof *k);
	*k = (Known){ f, range_all(l->program, f, NULL, true, cache), *known };
	*known = k;
	return k->range;
}

static bool is_reached(const Program *p, const Func *f)
{
	return f->id < p->funcs && p->func[f->id] == f;
}

void lower_tell_comparisons(Lower *l)
{
	RangeCache *cache = l->comparisons ? range_cache(l->arena) : NULL;
	Known *known = NULL;
	for (Comparison *one = l->comparisons; one; one = one->next) {
		if (!one->expr || !is_reached(l->program, one->func))
			continue;
		Verdict verdict = OPEN;
		bool first = true;
		const Expr *expr = one->expr;
		Range a = { 0 }, b = { 0 };
		/* every context in which this text was lowered */
		for (Comparison *other = one; other; other = other->next) {
			if (other->expr != expr || !is_reached(l->program, other->func))
				continue;
			Verdict now = OPEN;
			if (!ir_is_const(other->func, other->result)) {
				const Range *range = ranges_of(l, &known, other->func, cache);
				now = judge(expr->u.op.op, range[other->a], range[other->b]);
				a = first ? range[other->a] : range_hull(a, range[other->a]);
				b = first ? range[other->b] : range_hull(b, range[other->b]);
			}
			verdict = first || verdict == now ? now : OPEN;
			first = false;
			if (other != one)
				other->expr = NULL;
		}
		if (verdict != OPEN)
			tell(l, one, verdict, a, b);
	}
}
