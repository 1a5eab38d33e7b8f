/* What is said of a program, and when. A message belongs to the instance in which it arose, and is told if
   an output reaches that instance: so what is lowered ahead or on trial is silent, and a field is judged
   only by the places where it is sampled. */
#include <string.h>

#include "lower.h"

static bool inside(Span part, const Decl *fn)
{
	return part.source && part.source == fn->span.source && part.start >= fn->span.start && part.end <= fn->span.end;
}

static bool told(const Diagnostics *d, const Message *message)
{
	for (const Message *m = d->first; m; m = m->next)
		if (m->span.source == message->span.source && m->span.start == message->span.start && !strcmp(m->text, message->text))
			return true;
	return false;
}

static void keep(Diagnostics *d, Message *m)
{
	if (told(d, m))
		return;
	diag_add(d, m);
}

static uint32_t hash_message(const Message *m)
{
	uint32_t h = m->span.start * 0x9E3779B1u;
	for (const char *c = m->text; *c; c++)
		h = (h ^ (unsigned char)*c) * 16777619u;
	return h ^ h >> 15;
}

/* Where this message stands among those that were told, or belongs. */
static Message **told_slot(Lower *l, const Message *m)
{
	uint32_t i = hash_message(m);
	for (;; i++) {
		Message **slot = &l->told[i & (l->told_slots - 1)], *other = *slot;
		if (!other || (other->span.source == m->span.source && other->span.start == m->span.start && !strcmp(other->text, m->text)))
			return slot;
	}
}

/* Adds a message to those that are told, of which there may be many. Of fields that are nested too deeply
   one is told: each of a chain that is too long is one. */
static void tell(Lower *l, Message *m)
{
	bool deep = m->code && !strcmp(m->code, "N0405");
	if (deep && l->deep)
		return;
	l->deep = l->deep || deep;
	if (2 * l->told_count >= l->told_slots) {
		Message **old = l->told;
		uint32_t count = l->told_slots;
		l->told_slots = count ? 2 * count : 64;
		l->told = arena_alloc(l->arena, l->told_slots * sizeof *l->told);
		for (uint32_t i = 0; i < count; i++)
			if (old[i])
				*told_slot(l, old[i]) = old[i];
	}
	Message **slot = told_slot(l, m);
	if (*slot)
		return;
	*slot = m;
	l->told_count++;
	diag_add(l->diag, m);
}

/* The calls that lead to `at`, innermost first; of very many, the first and the last. */
static void note_calls(Diagnostics *d, Message *m, const Frame *f, Span at)
{
	enum { FIRST = 6, LAST = 2 };
	int calls = 0, told = 0;
	for (int pass = 0; pass < 2; pass++) {
		Span place = at;
		for (const Frame *g = f; g; g = g->caller) {
			if (!g->fn || !g->call.source || !inside(place, g->fn))
				continue;
			place = g->call;
			if (pass == 0) {
				calls++;
				continue;
			}
			if (told < FIRST || told >= calls - LAST)
				diag_note(d, m, g->call, "in '%s', called from here", g->fn->name);
			else if (told == FIRST)
				diag_note(d, m, (Span){ NULL, 0, 0 }, "and %d calls between, not shown", calls - FIRST - LAST);
			told++;
		}
	}
}

/* A mistake found in the library's text is the caller's: it is told at the call in the user's text, with
   the place in the library as a note. The calls that lead to a function of the user follow, innermost
   first; only functions whose text holds the place count, not those that were handed the field. */
static Message *make(Lower *l, Severity severity, const char *code, Span span, const char *text)
{
	Span at = span;
	const Frame *f = l->frame;
	const char *entered = NULL;
	for (; f && at.source && at.source->library; f = f->caller)
		if (f->fn && f->call.source && inside(at, f->fn)) {
			at = f->call;
			entered = f->fn->name;
		}
	if (entered)
		text = text_print(l->arena, "in '%s': %s", entered, text);
	Diagnostics single = { .arena = l->arena };
	Message *m = severity == SEVERITY_ERROR ? diag_error(&single, code, at, "%s", text) : diag_warning(&single, code, at, "%s", text);
	for (int i = 0; i < l->notes; i++)
		diag_note(&single, m, l->pending[i].span, "%s", l->pending[i].text);
	for (int i = 0; i < l->fixes; i++)
		diag_fix(&single, m, l->fix[i].span, "%s", l->fix[i].text);
	l->notes = l->fixes = 0;
	if (entered)
		diag_note(&single, m, span, "found here, in the library");
	note_calls(&single, m, f, at);
	if (l->frame->place.source && !l->frame->place.source->library)
		diag_note(&single, m, l->frame->place, "p is %s there, because of this '@'", type_text(l, type_make(BASE_FLOAT, l->frame->width)));
	return m;
}

void lower_error(Lower *l, const char *code, Span span, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	keep(&l->current->own, make(l, SEVERITY_ERROR, code, span, text_vprint(l->arena, format, list)));
	va_end(list);
}

/* The library's own text draws no warnings. */
void lower_warning(Lower *l, const char *code, Span span, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	if (!span.source || !span.source->library)
		keep(&l->current->own, make(l, SEVERITY_WARNING, code, span, text_vprint(l->arena, format, list)));
	else
		l->notes = l->fixes = 0;
	va_end(list);
}

void lower_note(Lower *l, Span span, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	l->pending[l->notes++] = (struct Pending){ span, text_vprint(l->arena, format, list) };
	va_end(list);
}

void lower_fix(Lower *l, Span span, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	l->fix[l->fixes++] = (struct PendingFix){ span, text_vprint(l->arena, format, list) };
	va_end(list);
}

void lower_fix_around(Lower *l, Span span, const char *before, const char *behind)
{
	lower_fix(l, (Span){ span.source, span.start, span.start }, "%s", before);
	lower_fix(l, (Span){ span.source, span.end, span.end }, "%s", behind);
}

Message *lower_later(Lower *l, const char *code, Span span, const char *text)
{
	return make(l, SEVERITY_ERROR, code, span, text);
}

void lower_keep(Lower *l, Message *m)
{
	tell(l, m);
}

/* ---- trials ---- */

Trial lower_try(const Lower *l)
{
	return (Trial){ l->current->own, l->current->calls };
}

void lower_undo(Lower *l, Trial before)
{
	l->current->own = before.own;
	if (before.own.last)
		before.own.last->next = NULL;
	l->current->calls = before.calls;
}

void lower_reach(Lower *l, Instance *to)
{
	if (l->current->calls && l->current->calls->to == to)
		return;
	Edge *edge = arena_alloc(l->arena, sizeof *edge);
	*edge = (Edge){ to, l->current->calls };
	l->current->calls = edge;
}

/* Walks all instances that `from` reaches and that are not marked; false if it stops because one has an error. */
static bool reach(Lower *l, Instance *from, InstanceMark mark, bool stop_at_error)
{
	Instance *stack = from, *seen = NULL, **last = &seen;
	bool fine = true;
	from->below = NULL;
	from->mark |= MARK_SEEN;
	while (stack && fine) {
		Instance *i = stack;
		stack = i->below;
		i->below = NULL;
		*last = i;                      /* in the order of the text, as only so many messages are kept */
		last = &i->below;
		if (stop_at_error && (i->own.errors > 0 || i->state == INSTANCE_BAD))
			fine = false;
		for (const Edge *e = i->calls; e; e = e->next)
			if (!(e->to->mark & (MARK_SEEN | mark))) {
				e->to->mark |= MARK_SEEN;
				e->to->below = stack;
				stack = e->to;
			}
	}
	for (Instance *next; stack; stack = next) {
		next = stack->below;
		stack->mark &= ~(unsigned)MARK_SEEN;
	}
	for (; seen; seen = seen->below) {
		seen->mark &= ~(unsigned)MARK_SEEN;
		seen->mark |= fine ? (unsigned)mark : 0;
		for (Message *m = stop_at_error ? NULL : seen->own.first, *next; m; m = next) {
			next = m->next;
			tell(l, m);
		}
		if (!stop_at_error)
			seen->own.first = seen->own.last = NULL;
	}
	return fine;
}

void lower_tell(Lower *l, Instance *from)
{
	reach(l, from, MARK_TOLD, false);
}

bool lower_is_clean(Lower *l, Instance *from)
{
	return reach(l, from, MARK_CLEAN, true);
}
