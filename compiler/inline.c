/* Inlining. Needs callees before callers; keeps every bit; leaves no call of a function that is small or
   called once, except that a large leaf of the library (a noise) stays a function, since that is how one
   would write it and how kernels are found. */
#include <assert.h>

#include "cc.h"

enum { SMALL = 14, LARGE = 24 };

typedef struct Inline {
	Copy copy;
	uint32_t *calls;                        /* per function, before the pass */
	uint32_t *size;                         /* per function, after its own turn */
	bool *leaf;
} Inline;

static uint32_t size_of(const Func *f, bool *leaf)
{
	uint32_t n = 0;
	*leaf = true;
	for (Ref r = 1; r < f->count; r++) {
		uint8_t op = f->value[r].op;
		n += op < OP_COUNT || op == IR_CALL;
		if (op == IR_CALL)
			*leaf = false;
	}
	return n;
}

static Ref inline_call(Copy *c, const Func *from, Ref r, Func *to, const Ref *operands)
{
	Inline *s = (Inline *)c;
	const Value *v = &from->value[r];
	if (v->op != IR_CALL)
		return 0;
	uint32_t id = v->imm;
	const Func *callee = c->program->func[id];
	bool named = callee->library && s->leaf[id] && s->size[id] >= LARGE;
	if (s->size[id] > SMALL && (s->calls[id] > 1 || named))
		return 0;
	Ref around = 0;
	for (uint32_t i = 0; i < v->operands; i++)
		if (to->value[operands[i]].loop > around)
			around = to->value[operands[i]].loop;
	Copy plain = { .program = c->program, .level = c->level };
	Ref result = copy_body(&plain, callee, to, operands, around);
	if (!callee->library && callee->name && !to->value[result].name && to->value[result].op != IR_CONST) {
		to->value[result].name = callee->name;
		to->value[result].doc = callee->doc;
	}
	return result;
}

void pass_inline(Program *p)
{
	Inline s = { .copy = { .program = p, .hook = inline_call, .level = 2 } };
	s.calls = arena_alloc(p->arena, p->funcs * sizeof *s.calls);
	s.size = arena_alloc(p->arena, p->funcs * sizeof *s.size);
	s.leaf = arena_alloc(p->arena, p->funcs * sizeof *s.leaf);
	for (uint32_t i = 0; i < p->funcs; i++)
		for (Ref r = 1; r < p->func[i]->count; r++)
			if (p->func[i]->value[r].op == IR_CALL)
				s.calls[p->func[i]->value[r].imm]++;
	for (uint32_t i = 0; i < p->funcs; i++) {
		Func *f = p->func[i];
		p->func[i] = copy_func(&s.copy, f);
		s.size[i] = size_of(p->func[i], &s.leaf[i]);
		if (p->root == f)
			p->root = p->func[i];
	}
	Copy plain = { .level = 2 };
	copy_program(&plain, p);
}
