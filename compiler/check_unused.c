/* Declarations that no output needs, and arguments and local nodes that nothing mentions. Asked for when the
   program is right: what a mistake hides is not unused. Enums are left out, since hosts read them. */
#include "cc.h"

enum { NEEDED = 4 };                            /* Decl.mark */

static void mark_needed(Arena *arena, const Scope *scope)
{
	uint32_t count = 1, depth = 0;
	for (const Decl *d = scope->first; d; d = d->next_in_scope)
		count++;
	Decl **stack = arena_alloc(arena, count * sizeof *stack);
	for (Decl *d = scope->first; d; d = d->next_in_scope)
		if (d->kind == DECL_OUTPUT) {
			d->mark = NEEDED;
			stack[depth++] = d;
		}
	while (depth > 0)
		for (const Link *link = stack[--depth]->uses; link; link = link->next)
			if (link->to->mark != NEEDED) {
				link->to->mark = NEEDED;
				stack[depth++] = link->to;
			}
}

static void warn_declaration(Diagnostics *diag, const Decl *d)
{
	switch (d->kind) {
	case DECL_NODE: diag_warning(diag, "N0454", d->name_span, "no output needs node '%s'", d->name); break;
	case DECL_PARAM: diag_warning(diag, "N0455", d->name_span, "no output depends on param '%s'", d->name); break;
	case DECL_INPUT: diag_warning(diag, "N0456", d->name_span, "no output depends on input '%s'", d->name); break;
	case DECL_CONST: diag_warning(diag, "N0457", d->name_span, "no output needs const '%s'", d->name); break;
	case DECL_FN: diag_warning(diag, "N0458", d->name_span, "no output needs function '%s'", d->name); break;
	default: break;
	}
}

void check_unused(Arena *arena, Diagnostics *diag, const Scope *scope)
{
	mark_needed(arena, scope);
	for (const Decl *d = scope->first; d; d = d->next_in_scope) {
		if (d->mark != NEEDED)
			warn_declaration(diag, d);
		for (const Decl *a = d->args; a; a = a->next)
			if (!a->used)
				diag_warning(diag, "N0459", a->name_span, "'%s' does not use its argument '%s'", d->name, a->name);
		for (const Decl *n = d->inner; n; n = n->next_in_scope)
			if (!n->used)
				diag_warning(diag, "N0454", n->name_span, "nothing uses node '%s' in '%s'", n->name, d->name);
	}
}
