/* Spelling by library function. Needs the program after its passes; keeps every bit, since the functions
   are the same operation made of others; leaves only operations that the dialect can print. A spelling
   "@name" stands for that function of library/spelling.noise or exact.noise, "." for component by component. */
#include <assert.h>
#include <string.h>

#include "print.h"

typedef struct Helper {
	const char *name;
	HelperOperand operand[3];
	uint32_t bits[3][4];
	uint32_t count;
	Func *func;                             /* NULL: the operands decide the result */
	uint32_t constant[4];
	struct Helper *next;
} Helper;

typedef struct Legalise {
	Copy copy;
	Arena *arena;
	Diagnostics *diag;
	const Dialect *dialect;
	const Scope *library;
	Helper *helpers;
	bool failed;
} Legalise;

const char *dialect_spelling(const Dialect *d, Op op, Kind kind, int width)
{
	const char *shader = op_info[op].shader, *vshader = op_info[op].vshader;
	for (const Spelling *s = d->exception; s && s->shader; s++)
		if (s->op == op && (!s->kinds || s->kinds >> kind & 1u)) {
			shader = s->shader;
			vshader = s->vshader;
		}
	return width > 1 && vshader[0] ? vshader : shader;
}

static const Helper *helper(Legalise *l, const char *name, const HelperOperand *operand, uint32_t count)
{
	for (Helper *h = l->helpers; h; h = h->next) {
		bool same = h->count == count && !strcmp(h->name, name);
		for (uint32_t i = 0; same && i < count; i++)
			same = h->operand[i].kind == operand[i].kind && h->operand[i].width == operand[i].width
				&& !h->operand[i].known == !operand[i].known
				&& (!operand[i].known || !memcmp(h->bits[i], operand[i].known, (size_t)operand[i].width * 4));
		if (same)
			return h;
	}
	Helper *h = arena_alloc(l->arena, sizeof *h);
	*h = (Helper){ .name = name, .count = count, .next = l->helpers };
	for (uint32_t i = 0; i < count; i++) {
		h->operand[i] = operand[i];
		if (operand[i].known) {
			memcpy(h->bits[i], operand[i].known, (size_t)operand[i].width * 4);
			h->operand[i].known = h->bits[i];
		}
	}
	if (!lower_helper(l->arena, l->diag, l->copy.program, l->library, name, h->operand, count, &h->func, h->constant))
		return NULL;
	l->helpers = h;
	return h;
}

static Ref by_lane(Func *to, const Value *v, const Ref *operands)
{
	Ref lane[4];
	for (int i = 0; i < v->width; i++) {
		Ref o[3] = { 0, 0, 0 };
		for (uint32_t k = 0; k < v->operands; k++)
			o[k] = ir_lane(to, operands[k], i);
		lane[i] = ir_op(to, (Op)v->op, o[0], o[1], o[2]);
	}
	return ir_vec(to, lane, v->width);
}

static Ref respell(Copy *c, const Func *from, Ref r, Func *to, const Ref *operands)
{
	Legalise *l = (Legalise *)c;
	const Value *v = &from->value[r];
	if (v->op >= OP_COUNT)
		return 0;
	const char *spelling = dialect_spelling(l->dialect, (Op)v->op, (Kind)v->kind, v->width);
	if (!strcmp(spelling, "."))
		return by_lane(to, v, operands);
	if (spelling[0] != '@')
		return 0;
	HelperOperand shape[3];
	Ref pass[3];
	uint32_t passed = 0;
	for (uint32_t i = 0; i < v->operands; i++) {
		const Value *o = &to->value[operands[i]];
		shape[i] = (HelperOperand){ (Kind)o->kind, o->width, o->op == IR_CONST ? ir_bits(to, operands[i]) : NULL };
	}
	const Helper *h = helper(l, spelling + 1, shape, v->operands);
	if (!h) {
		l->failed = true;
		return 0;
	}
	if (!h->func)
		return ir_const(to, (Kind)v->kind, v->width, h->constant);
	const Func *f = h->func;
	for (uint32_t i = 0; i < f->args; i++) {
		assert(f->arg[i].role == ROLE_VALUE && f->arg[i].index < v->operands);
		pass[passed++] = operands[f->arg[i].index];
	}
	return ir_value(to, IR_CALL, (Kind)v->kind, v->width, f->id, pass, passed);
}

bool legalise(Arena *arena, Diagnostics *diag, const Dialect *dialect, Program *p, const Scope *library)
{
	Legalise l = { .copy = { .hook = respell, .level = 2, .program = p }, .arena = arena, .diag = diag, .dialect = dialect, .library = library };
	/* a helper may need helpers: those are appended, and reached in turn; splitting by component needs a second look */
	for (int look = 0; look < 2; look++)
		for (uint32_t done = 0; done < p->funcs; done++) {
			Func *f = p->func[done];
			bool root = f == p->root;
			Func *made = copy_func(&l.copy, f);
			p->func[done] = made;
			for (Helper *h = l.helpers; h; h = h->next)
				if (h->func == f)
					h->func = made;
			if (root)
				p->root = made;
		}
	program_order(p);
	return !l.failed;
}
