/* Inlining. Needs callees before callers; keeps every bit; leaves functions where a person would write
   them: the author's larger nodes, the noises of the library and its mathematics. What is small, local or
   a part of one library function alone goes into its caller, where its work is shared. */
#include <assert.h>

#include "cc.h"

enum {
	SMALL = 10, SMALL_PART = 14,            /* operations: a call would cost as much; inside the library, hide as much */
	NOISE = 24,                             /* from here on a function of p is worth its name */
	PART = 64, COPIES = 220                 /* a part of a library function, and all its copies together */
};

typedef struct Callee {                         /* what decides about a function's calls */
	uint32_t calls, callers;                /* before the pass */
	uint32_t last_caller;
	bool called_by_author;
	uint32_t size;                          /* after its own turn */
	bool samples, loops;
} Callee;

typedef struct Inline {
	Copy copy;
	Callee *callee;                         /* by id */
} Inline;

static void count_calls(const Program *p, Callee *callee)
{
	for (uint32_t i = 0; i < p->funcs; i++) {
		const Func *f = p->func[i];
		for (Ref r = 1; r < f->count; r++) {
			if (f->value[r].op != IR_CALL)
				continue;
			Callee *c = &callee[f->value[r].imm];
			c->callers += c->calls == 0 || c->last_caller != i;
			c->last_caller = i;
			c->calls++;
			c->called_by_author = c->called_by_author || !f->library;
		}
	}
}

static void measure(const Func *f, Callee *c)
{
	for (uint32_t i = 0; i < f->args; i++)
		c->samples = c->samples || f->arg[i].role == ROLE_POSITION;
	for (Ref r = 1; r < f->count; r++) {
		c->size += f->value[r].op < OP_COUNT || f->value[r].op == IR_CALL;
		c->loops = c->loops || f->value[r].op == IR_LOOP;
	}
}

static bool should_inline(const Callee *c, const Func *f)
{
	bool few = c->calls == 1 || (c->size <= PART && c->size * c->calls <= COPIES);
	if (c->size <= SMALL || (f->library && !c->called_by_author && c->size <= SMALL_PART))
		return true;
	if (f->local)
		return few;
	if (!f->library)
		return c->calls == 1 && c->size < NOISE && !c->loops;
	if (c->samples)
		return c->calls == 1 && (c->loops || c->size < NOISE);
	return !c->called_by_author && c->callers == 1 && few;
}

static Ref inline_call(Copy *c, const Func *from, Ref r, Func *to, const Ref *operands)
{
	Inline *s = (Inline *)c;
	const Value *v = &from->value[r];
	if (v->op != IR_CALL || !should_inline(&s->callee[v->imm], c->program->func[v->imm]))
		return 0;
	const Func *callee = c->program->func[v->imm];
	Ref around = 0;
	for (uint32_t i = 0; i < v->operands; i++)
		if (to->value[operands[i]].loop > around)
			around = to->value[operands[i]].loop;
	Copy plain = { .program = c->program, .level = c->level };
	Ref result = copy_body(&plain, callee, to, operands, around);
	if ((callee->local || !callee->library) && callee->name && !to->value[result].name && to->value[result].op != IR_CONST) {
		to->value[result].name = callee->name;
		to->value[result].doc = callee->doc;
	}
	return result;
}

void pass_inline(Program *p)
{
	Inline s = { .copy = { .program = p, .hook = inline_call, .level = 2 } };
	s.callee = arena_alloc(p->arena, p->funcs * sizeof *s.callee);
	count_calls(p, s.callee);
	for (uint32_t i = 0; i < p->funcs; i++) {
		Func *f = p->func[i];
		p->func[i] = copy_func(&s.copy, f);
		measure(p->func[i], &s.callee[i]);
		if (p->root == f)
			p->root = p->func[i];
	}
	copy_finish(p);
}
