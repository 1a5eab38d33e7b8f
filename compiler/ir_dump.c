/* The intermediate form as text, and the check that it is well formed. */
#include <assert.h>

#include "cc.h"
#include "../runtime/num.h"

static const char *const ir_names[] = { "const", "arg", "uniform", "input", "vec", "lane", "call", "loop", "index", "carry", "end", "out", "arm", "if", "join" };

static void dump_type(Text *out, int kind, int width)
{
	text_format(out, "%c32", "biuf"[kind]);
	if (width > 1)
		text_format(out, "x%d", width);
}

static void dump_const(const Func *f, Ref r, Text *out)
{
	const Value *v = &f->value[r];
	for (int i = 0; i < v->width; i++) {
		uint32_t bits = ir_bits(f, r)[i];
		text_add(out, " ");
		if (v->kind == KIND_FLOAT)
			text_float(out, num_from_bits(bits));
		else if (v->kind == KIND_INT)
			text_format(out, "%d", num_int(bits));
		else
			text_format(out, "0x%x", (unsigned)bits);
	}
}

static void dump_func(const Func *f, Text *out)
{
	text_format(out, "func %u %s(", (unsigned)f->id, f->name ? f->name : "");
	for (uint32_t i = 0; i < f->args; i++) {
		text_format(out, "%s%s ", i ? ", " : "", f->arg[i].name ? f->arg[i].name : "x");
		dump_type(out, f->arg[i].kind, f->arg[i].width);
	}
	text_add(out, ")\n");
	for (Ref r = 1; r < f->count; r++) {
		const Value *v = &f->value[r];
		text_format(out, "  %%%u ", (unsigned)r);
		dump_type(out, v->kind, v->width);
		text_format(out, " = %s", v->op < OP_COUNT ? op_info[v->op].id : ir_names[v->op - OP_COUNT]);
		if (v->op == IR_CONST) {
			dump_const(f, r, out);
		} else {
			if (v->op == IR_ARG || v->op == IR_UNIFORM || v->op == IR_INPUT || v->op == IR_LANE || v->op == IR_CALL || v->op == IR_CARRY || v->op == IR_OUT || v->op == IR_ARM || v->op == IR_JOIN)
				text_format(out, " #%u", (unsigned)v->imm);
			for (uint32_t i = 0; i < v->operands; i++)
				text_format(out, " %%%u", (unsigned)ir_operands(f, r)[i]);
		}
		if (v->loop)
			text_format(out, "  @%u", (unsigned)v->loop);
		if (v->name)
			text_format(out, "  ; %s", v->name);
		text_add(out, "\n");
	}
	for (uint32_t i = 0; i < f->results; i++)
		text_format(out, "  return %%%u\n", (unsigned)f->result[i]);
}

void ir_dump(const Program *p, Text *out)
{
	for (uint32_t i = 0; i < p->funcs; i++)
		dump_func(p->func[i], out);
}

void ir_verify(const Program *p)
{
	for (uint32_t i = 0; i < p->funcs; i++) {
		const Func *f = p->func[i];
		assert(f->id == i);
		for (Ref r = 1; r < f->count; r++) {
			const Value *v = &f->value[r];
			const Ref *o = ir_operands(f, r);
			if (v->op == IR_CONST)
				continue;
			for (uint32_t k = 0; k < v->operands; k++)
				assert(o[k] > 0 && o[k] < r);
			if (v->op < OP_COUNT)
				for (uint32_t k = 0; k < v->operands; k++)
					assert(f->value[o[k]].width == v->width);
			if (v->op == IR_CALL)
				assert(v->imm < i && p->func[v->imm]->args == v->operands);
			if (v->op == IR_END)
				assert(v->operands == f->value[o[0]].operands);
			if (v->op == IR_IF)
				assert(v->operands % 2 == 1 && f->value[o[1]].op == IR_ARM && f->value[o[2]].op == IR_ARM);
			if (v->op == IR_JOIN)
				assert(f->value[o[0]].op == IR_IF && 2 * v->imm + 4 < f->value[o[0]].operands);
		}
	}
}
