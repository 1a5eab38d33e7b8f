/* What the arguments of a function are used for: whether it samples one elsewhere (Decl.by_name), and
   whether a choice, a bound or a form depends on one (Decl.decides). Needs the same of all its callees;
   a function that calls an overload of its own name is taken to do both to what it hands over. */
#include <string.h>

#include "check.h"

enum { SAMPLED = 1, DECIDING = 2, MARK_SHIFT = 4 };

typedef struct Later { Decl *node; const Local *locals; int how; struct Later *next; } Later;

typedef struct Uses {
	Check *check;
	Later *later;                           /* local nodes met: in a list, since they may form long chains */
} Uses;

static void use(Uses *u, const Expr *e, const Local *locals, int how);

static void use_name(Uses *u, const char *name, const Local *locals, int how)
{
	const Local *l = check_find(locals, name);
	if (!l || !l->decl)
		return;
	if (l->decl->kind == DECL_ARGUMENT) {
		l->decl->by_name |= (how & SAMPLED) != 0;
		l->decl->decides |= (how & DECIDING) != 0;
	} else if (how & ~(l->decl->mark >> MARK_SHIFT)) {
		l->decl->mark |= how << MARK_SHIFT;
		Later *later = arena_alloc(u->check->arena, sizeof *later);
		*later = (Later){ l->decl, *l->block, how, u->later };
		u->later = later;
	}
}

static int use_of_argument(const Uses *u, const Decl *fn, const Arg *a, int position, int how)
{
	if (fn->scope == u->check->scope && fn->name == u->check->decl->name)
		return how | SAMPLED | DECIDING;
	for (; fn; fn = fn->overload) {
		int i = 0;
		for (const Decl *d = fn->args; d; d = d->next, i++)
			if (a->name ? a->name == d->name : i == position)
				how |= (d->by_name ? SAMPLED : 0) | (d->decides ? DECIDING : 0);
	}
	return how;
}

static void use_call(Uses *u, const Expr *e, const Local *locals, int how)
{
	const char *name = e->u.call.name;
	if (!name)
		return;
	const Decl *fn = scope_find(u->check->scope, name);
	for (const Arg *a = e->u.call.args; a; a = a->next)
		if (a->name && !strcmp(a->name, "seed"))
			how |= SAMPLED;
	int position = 0;
	for (const Arg *a = e->u.call.args; a; a = a->next, position++) {
		int h = how;
		if (fn && fn->kind == DECL_FN)
			h = use_of_argument(u, fn, a, position, how);
		else if ((!strcmp(name, "reseed") || !strcmp(name, "tile")) && position == 0)
			h |= SAMPLED;
		else if (!strcmp(name, "range") || !strcmp(name, "grad") || !strcmp(name, "here"))
			h |= SAMPLED;
		else if (!strcmp(name, "known") || !strcmp(name, "ramp"))
			h |= DECIDING;
		use(u, a->value, locals, h);
	}
}

static void use_fold(Uses *u, const Expr *e, const Local *locals, int how)
{
	use(u, e->u.fold.from, locals, how | DECIDING);
	use(u, e->u.fold.to, locals, how | DECIDING);
	uint32_t lines = 1;
	for (const Carry *k = e->u.fold.lines; k; k = k->next)
		lines += 2;
	Local *at = arena_alloc(u->check->arena, lines * sizeof *at);
	const Local **block = arena_alloc(u->check->arena, sizeof *block);
	const Local *carried = locals;
	*at = (Local){ .name = e->u.fold.index, .outer = locals };
	*block = at++;
	for (const Carry *k = e->u.fold.lines; k; k = k->next) {
		*at = (Local){ .name = k->name, .decl = k->node, .block = block, .outer = *block };
		*block = at++;
		if (k->then) {
			*at = (Local){ .name = k->name, .outer = carried };
			carried = at++;
		}
	}
	for (const Carry *k = e->u.fold.lines; k; k = k->next) {
		/* what a round computes may be known at compile time: the norm of an fBm */
		use(u, k->first, k->then ? locals : *block, how | DECIDING);
		use(u, k->then, *block, how | DECIDING);
	}
	use(u, e->u.fold.result, carried, how);
}

static void use(Uses *u, const Expr *e, const Local *locals, int how)
{
	if (!e)
		return;
	switch (e->kind) {
	case EXPR_NAME:
		use_name(u, e->u.name, locals, how);
		break;
	case EXPR_UNARY:
		use(u, e->u.op.a, locals, how);
		break;
	case EXPR_BINARY:
		for (; e->kind == EXPR_BINARY; e = e->u.op.a)
			use(u, e->u.op.b, locals, how);
		use(u, e, locals, how);
		break;
	case EXPR_SAMPLE:
		use(u, e->u.op.a, locals, how | SAMPLED);
		use(u, e->u.op.b, locals, how);
		break;
	case EXPR_CHOICE:
		use(u, e->u.choice.condition, locals, how | DECIDING);
		use(u, e->u.choice.yes, locals, how);
		use(u, e->u.choice.no, locals, how);
		break;
	case EXPR_CALL:
		use_call(u, e, locals, how);
		break;
	case EXPR_MEMBER:
		use(u, e->u.member.of, locals, how);
		break;
	case EXPR_FOLD:
		use_fold(u, e, locals, how);
		break;
	case EXPR_MATCH:
		use(u, e->u.match.of, locals, how | DECIDING);
		for (const Arm *a = e->u.match.arms; a; a = a->next)
			use(u, a->value, locals, how);
		break;
	case EXPR_STOPS:
		for (const Stop *s = e->u.stops; s; s = s->next) {
			use(u, s->at, locals, how);
			use(u, s->value, locals, how);
		}
		break;
	case EXPR_NUMBER: case EXPR_COLOUR: case EXPR_BOOL:
		break;
	}
}

void check_uses(Check *c, Decl *fn)
{
	Uses u = { .check = c };
	Local *at = arena_alloc(c->arena, (check_count(fn->args) + check_count(fn->locals) + 1) * sizeof *at);
	const Local **block = arena_alloc(c->arena, sizeof *block);
	c->decl = fn;
	check_declare(at, fn->args, block);
	check_declare(at + check_count(fn->args), fn->locals, block);
	use(&u, fn->value, *block, 0);
	for (const Decl *n = fn->locals; n; n = n->next)
		use(&u, n->value, *block, 0);
	while (u.later) {
		Later *next = u.later;
		u.later = next->next;
		use(&u, next->node->value, next->locals, next->how);
	}
}
