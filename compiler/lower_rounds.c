/* Every fold runs the same number of rounds at all samples, as the lanes of a block need: its count may not
   depend on p or an input. Which values vary is found through calls, callers first. */
#include "lower.h"

/* The values of a function that may differ from sample to sample; `arg`: which of its arguments do. */
static bool *varying_values(Lower *l, const Func *f, bool root, const bool *arg)
{
	bool *varies = arena_alloc(l->arena, f->count);
	Ref *end_of = arena_alloc(l->arena, f->count * sizeof *end_of);
	for (Ref r = 1; r < f->count; r++)
		if (f->value[r].op == IR_END)
			end_of[ir_operands(f, r)[0]] = r;
	for (bool changed = true; changed;) {
		changed = false;                /* a carried value varies as its next value does, which stands behind it */
		for (Ref r = 1; r < f->count; r++) {
			const Value *v = &f->value[r];
			const Ref *o = ir_operands(f, r);
			bool now = v->op == IR_INPUT;
			if (v->op == IR_ARG) {
				now = f->arg[v->imm].role == ROLE_POSITION || (!root && arg[v->imm]);
			} else if (v->op == IR_LOOP) {
				now = varies[o[0]];
			} else if (v->op == IR_CARRY || v->op == IR_OUT) {
				Ref header = v->op == IR_CARRY ? o[0] : ir_operands(f, o[0])[0], end = end_of[header];
				now = varies[header] || varies[ir_operands(f, header)[v->imm + 1]] || (end && varies[ir_operands(f, end)[v->imm + 1]]);
			} else if (v->op != IR_CONST && v->op != IR_END) {
				for (uint32_t k = 0; k < v->operands; k++)
					now = now || varies[o[k]];
			}
			if (now && !varies[r])
				varies[r] = changed = true;
		}
	}
	return varies;
}

void lower_check_rounds(Lower *l)
{
	const Program *p = l->program;
	bool **varying_arg = arena_alloc(l->arena, (p->funcs + 1) * sizeof *varying_arg);
	for (uint32_t i = 0; i < p->funcs; i++)
		varying_arg[i] = arena_alloc(l->arena, p->func[i]->args + 1);
	bool *reached = arena_alloc(l->arena, p->funcs);
	reached[p->root->id] = true;
	LoopPlace **places = arena_alloc(l->arena, p->funcs * sizeof *places);
	for (LoopPlace *place = l->loops, *next; place; place = next) {
		next = place->next;
		if (p->func[place->func->id] != place->func)
			continue;               /* of a function that nothing calls */
		place->next = places[place->func->id];
		places[place->func->id] = place;
	}
	for (uint32_t i = p->funcs; i-- > 0;) {
		const Func *f = p->func[i];
		if (!reached[i])
			continue;
		const bool *varies = varying_values(l, f, f == p->root, varying_arg[i]);
		for (Ref r = 1; r < f->count; r++)
			if (f->value[r].op == IR_CALL) {
				reached[f->value[r].imm] = true;
				for (uint32_t k = 0; k < f->value[r].operands; k++)
					if (varies[ir_operands(f, r)[k]])
						varying_arg[f->value[r].imm][k] = true;
			}
		for (const LoopPlace *place = places[i]; place; place = place->next)
			if (varies[ir_operands(f, place->header)[0]])
				lower_keep(l, place->uneven);
	}
}

/* ---- what is said of it ---- */

/* The one argument of the function around that an expression mentions; false if there are two. */
static bool one_argument(const Env *env, const Expr *e, const char **name)
{
	Binding b;
	const Env *where;
	switch (e->kind) {
	case EXPR_NAME:
		if (!lower_lookup(env, e->u.name, &b, &where) || !where->fn || !b.decl || b.decl->kind != DECL_ARGUMENT)
			return true;
		if (*name && *name != e->u.name)
			return false;
		*name = e->u.name;
		return true;
	case EXPR_UNARY:
		return one_argument(env, e->u.op.a, name);
	case EXPR_BINARY:
		for (; e->kind == EXPR_BINARY; e = e->u.op.a)
			if (!one_argument(env, e->u.op.b, name))
				return false;
		return one_argument(env, e, name);
	case EXPR_CALL:
		for (const Arg *a = e->u.call.args; a; a = a->next)
			if (!one_argument(env, a->value, name))
				return false;
		return true;
	default:
		return true;
	}
}

/* For a fold whose rounds turn out to vary: names the argument that decides, where there is one. */
const char *lower_uneven_text(Lower *l, const Env *env, const Expr *fold)
{
	const char *name = NULL;
	if (one_argument(env, fold->u.fold.from, &name) && one_argument(env, fold->u.fold.to, &name) && name)
		return text_print(l->arena, "'%s' decides how many rounds a fold has, so it must be the same at every sample; here it depends on p or an input", name);
	return "the number of rounds must be the same at every sample; this one depends on p or an input";
}
