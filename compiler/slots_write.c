/* The blob of a program, and its disassembly for people. */
#include <assert.h>
#include <string.h>

#include "slots.h"
#include "../runtime/num.h"

typedef struct Blob {
	Text *out;
	Text text;                              /* of strings */
	const Slots *slots;
} Blob;

static void add_word(Text *out, uint32_t word)
{
	const char bytes[4] = { (char)(word & 0xff), (char)(word >> 8 & 0xff), (char)(word >> 16 & 0xff), (char)(word >> 24) };
	text_add_n(out, bytes, 4);
}

static void add_string(Blob *b, const char *string)
{
	add_word(b->out, string != NULL && *string != '\0' ? (uint32_t)b->text.size : 0);
	if (string != NULL && *string != '\0')
		text_add_n(&b->text, string, strlen(string) + 1);
}

static uint32_t number_enumeration(const Program *p, const Decl *enumeration)
{
	for (uint32_t i = 0; i < p->enumerations; i++)
		if (p->enumeration[i] == enumeration)
			return i + 1;
	return 0;
}

static uint32_t count_enumerators(const Decl *enumeration)
{
	uint32_t count = 0;
	for (const Enumerator *e = enumeration != NULL ? enumeration->enumerators : NULL; e != NULL; e = e->next)
		count++;
	return count;
}

static void add_port(Blob *b, const char *name, const char *doc, const TypeInfo *type, Port *port)
{
	port->kind = type->kind;
	port->width = type->width;
	port->enumeration = number_enumeration(b->slots->program, type->enumeration);
	add_string(b, name);
	add_string(b, doc);
	add_word(b->out, port->kind);
	add_word(b->out, port->width);
	add_word(b->out, port->enumeration);
	add_word(b->out, port->flags);
	for (int i = 0; i < 4; i++)
		add_word(b->out, port->value[i]);
	for (int i = 0; i < 4; i++)
		add_word(b->out, port->low[i]);
	for (int i = 0; i < 4; i++)
		add_word(b->out, port->high[i]);
}

static void add_params(Blob *b, const Program *p)
{
	for (uint32_t i = 0; i < p->uniforms; i++) {
		const Uniform *u = &p->uniform[i];
		Port port = { .flags = (u->ranged ? PORT_RANGED : 0u) | (u->colour ? PORT_COLOUR : 0u) };
		port.kind = u->type.kind;
		port.enumeration = number_enumeration(p, u->type.enumeration);
		for (uint32_t lane = 0; lane < u->type.width; lane++) {
			port.low[lane] = u->ranged ? u->low[lane] : 0;
			port.high[lane] = u->ranged ? u->high[lane] : 0;
			port.value[lane] = program_clamp(&port, count_enumerators(u->type.enumeration), lane, u->value[lane]);
		}
		add_port(b, u->name, u->doc, &u->type, &port);
	}
}

static void add_inputs(Blob *b, const Program *p)
{
	for (uint32_t i = 0; i < p->inputs; i++) {
		const Input *in = &p->input[i];
		Port port = { .flags = in->ranged ? PORT_RANGED : 0u };
		for (uint32_t lane = 0; in->ranged && lane < in->type.width; lane++) {
			port.low[lane] = in->low[lane];
			port.high[lane] = in->high[lane];
		}
		add_port(b, in->name, in->doc, &in->type, &port);
	}
}

static void add_outputs(Blob *b, const Program *p)
{
	const uint32_t *result = b->slots->body[p->root->id].result;
	for (uint32_t i = 0; i < p->outputs; i++) {
		const Output *o = &p->output[i];
		Port port = { .flags = o->colour ? PORT_COLOUR : 0u };
		port.low[0] = num_bits(num_clean(o->bounds.low));
		port.high[0] = num_bits(num_clean(o->bounds.high));
		for (uint32_t lane = 0; lane < o->type.width; lane++)
			port.value[lane] = slots_number(b->slots, *result++);
		add_port(b, o->name, o->doc, &o->type, &port);
	}
}

static void add_enumerations(Blob *b, const Program *p)
{
	for (uint32_t i = 0; i < p->enumerations; i++) {
		add_string(b, p->enumeration[i]->name);
		add_string(b, p->enumeration[i]->doc);
		add_word(b->out, count_enumerators(p->enumeration[i]));
	}
	for (uint32_t i = 0; i < p->enumerations; i++)
		for (const Enumerator *e = p->enumeration[i]->enumerators; e != NULL; e = e->next) {
			add_string(b, e->name);
			add_string(b, e->doc);
		}
}

/* The instructions as the runtime numbers slots. */
static Instruction *number_code(const Slots *s)
{
	Instruction *code = arena_alloc(s->arena, (s->count + 1) * sizeof *code);
	for (uint32_t i = 0; i < s->count; i++) {
		Instruction *in = &code[i];
		*in = s->code[i];
		uint32_t *operand[3] = { &in->a, &in->b, &in->c };
		for (uint32_t j = 0; j < slots_operands(in); j++)
			*operand[j] = slots_number(s, *operand[j]);
		if (slots_writes(in))
			in->dst = slots_number(s, in->dst);
	}
	return code;
}

static Function *list_functions(const Slots *s)
{
	Function *function = arena_alloc(s->arena, s->program->funcs * sizeof *function);
	for (uint32_t i = 0; i < s->program->funcs; i++) {
		function[i].first = s->body[i].first;
		function[i].count = s->body[i].count;
	}
	return function;
}

static void add_code(Blob *b, const Instruction *code)
{
	const Slots *s = b->slots;
	for (uint32_t i = 0; i < s->constants; i++)
		add_word(b->out, s->constant[i]);
	for (uint32_t i = 0; i < s->program->funcs; i++)
		add_word(b->out, s->body[i].count);
	for (uint32_t i = 0; i < s->count; i++) {
		add_word(b->out, code[i].op);
		add_word(b->out, code[i].dst);
		add_word(b->out, code[i].a);
		add_word(b->out, code[i].b);
		add_word(b->out, code[i].c);
	}
}

void slots_write(Arena *arena, const Program *p, Text *out)
{
	const Slots *s = slots_make(arena, p);
	Text parts = { .arena = arena };
	Blob b = { .out = &parts, .text = { .arena = arena }, .slots = s };
	Instruction *code = number_code(s);
	Function *function = list_functions(s);
	uint32_t slots = s->constants + s->fixed_end + s->work_end, head[HEADER_WORDS] = { 0 };
	text_add_n(&b.text, "", 1);
	add_code(&b, code);
	add_params(&b, p);
	add_inputs(&b, p);
	add_outputs(&b, p);
	add_enumerations(&b, p);
	while (b.text.size % 4 != 0)
		text_add_n(&b.text, "", 1);

	const char *wrong = program_check(code, function, p->funcs, s->constants + s->fixed_end, slots, &head[HEADER_LOOP]);
	assert(wrong == NULL);
	(void)wrong;
	head[HEADER_VERSION] = PROGRAM_VERSION;
	head[HEADER_ROWS] = ROW_COUNT;
	head[HEADER_FINGERPRINT] = program_fingerprint(ROW_COUNT);
	head[HEADER_SIZE] = (uint32_t)(HEADER_WORDS * 4 + parts.size + b.text.size);
	head[HEADER_DOMAIN] = p->domain;
	head[HEADER_SLOTS] = slots;
	head[HEADER_COST_LOW] = (uint32_t)function[p->funcs - 1].cost;
	head[HEADER_COST_HIGH] = (uint32_t)(function[p->funcs - 1].cost >> 32);
	head[HEADER_CONSTANTS] = s->constants;
	head[HEADER_FUNCTIONS] = p->funcs;
	head[HEADER_CODE] = s->count;
	head[HEADER_PARAMS] = p->uniforms;
	head[HEADER_INPUTS] = p->inputs;
	head[HEADER_OUTPUTS] = p->outputs;
	head[HEADER_ENUMERATIONS] = p->enumerations;
	for (uint32_t i = 0; i < p->enumerations; i++)
		head[HEADER_ENUMERATORS] += count_enumerators(p->enumeration[i]);
	head[HEADER_TEXT] = (uint32_t)b.text.size;
	text_add_n(out, PROGRAM_MAGIC, 4);
	for (int i = HEADER_MAGIC + 1; i < HEADER_WORDS; i++)
		add_word(out, head[i]);
	text_add_n(out, parts.data, parts.size);
	text_add_n(out, b.text.data, b.text.size);
}

/* ---- disassembly ---- */

static void dump_lane(Text *out, uint32_t width, uint32_t lane)
{
	if (width > 1)
		text_format(out, ".%c", "xyzw"[lane]);
}

static void dump_fixed(const Slots *s, uint32_t number, Text *out)
{
	const Program *p = s->program;
	for (uint32_t i = 0, at = 0; i < p->uniforms; at += p->uniform[i++].type.width)
		if (number - at < p->uniform[i].type.width) {
			text_add(out, p->uniform[i].name);
			dump_lane(out, p->uniform[i].type.width, number - at);
		}
	if (number == s->seed)
		text_add(out, "seed");
	if (number >= s->position && number < s->input) {
		text_add(out, "p");
		dump_lane(out, p->domain, number - s->position);
	}
	for (uint32_t i = 0, at = s->input; i < p->inputs; at += p->input[i++].type.width)
		if (number - at < p->input[i].type.width) {
			text_add(out, p->input[i].name);
			dump_lane(out, p->input[i].type.width, number - at);
		}
}

/* Constants show as the type `letter` of ops.def that the operation reads. */
static void dump_operand(const Slots *s, uint32_t operand, char letter, Text *out)
{
	uint32_t number = operand & ~(uint32_t)CLASS_MASK;
	switch (operand & CLASS_MASK) {
	case CLASS_WORK:
		text_format(out, "s%u", number);
		return;
	case CLASS_FIXED:
		dump_fixed(s, number, out);
		return;
	default:
		if (letter == 'f' && (s->constant[number] & 0x7fffffffu) < 0x7f800000u)
			text_float(out, num_from_bits(s->constant[number]));
		else if (letter == 'i')
			text_format(out, "%d", num_int(s->constant[number]));
		else
			text_format(out, "0x%x", s->constant[number]);
	}
}

static void dump_instruction(const Slots *s, const Instruction *in, uint32_t nesting, Text *out)
{
	for (uint32_t i = 0; i < nesting; i++)
		text_add(out, "  ");
	if (in->op == CONTROL_CALL) {
		const char *name = s->program->func[in->a]->name;
		text_format(out, "call f%u %s\n", in->a, name != NULL ? name : "");
		return;
	}
	if (in->op == CONTROL_END || in->op == CONTROL_MEET || in->op == CONTROL_RETURN) {
		text_add(out, in->op == CONTROL_RETURN ? "return\n" : "end\n");
		return;
	}
	if (in->op == CONTROL_SKIP) {
		text_add(out, in->b != 0 ? "where " : "where not ");
		dump_operand(s, in->a, 'b', out);
		text_add(out, "\n");
		return;
	}
	dump_operand(s, in->dst, 'w', out);
	if (in->op == CONTROL_LOOP) {
		text_add(out, " = loop ");
		dump_operand(s, in->a, 'i', out);
		text_format(out, " at most %u\n", in->b);
		return;
	}
	const uint32_t operand[3] = { in->a, in->b, in->c };
	text_format(out, " = %s", op_info[in->op].id);
	for (uint32_t i = 0; i < slots_operands(in); i++) {
		text_add(out, i == 0 ? " " : ", ");
		dump_operand(s, operand[i], op_info[in->op].operand[i], out);
	}
	text_add(out, "\n");
}

void slots_dump(Arena *arena, const Program *p, Text *out)
{
	const Slots *s = slots_make(arena, p);
	const uint32_t *result = s->body[p->root->id].result;
	text_format(out, "program %s: %u functions, %u instructions, %u constants, %u work slots\n", p->name != NULL ? p->name : "",
		p->funcs, s->count, s->constants, s->work_end);
	for (uint32_t i = 0; i < p->funcs; i++) {
		const Body *body = &s->body[i];
		uint32_t nesting = 1;
		text_format(out, "\nf%u %s\n", i, p->func[i]->name != NULL ? p->func[i]->name : "");
		for (uint32_t j = 0; j < body->count; j++) {
			const Instruction *in = &s->code[body->first + j];
			nesting -= in->op == CONTROL_END || in->op == CONTROL_MEET;
			dump_instruction(s, in, nesting, out);
			nesting += in->op == CONTROL_LOOP || in->op == CONTROL_SKIP;
		}
	}
	for (uint32_t i = 0; i < p->outputs; i++) {
		const Output *o = &p->output[i];
		text_format(out, "\noutput %s =", o->name);
		for (uint32_t lane = 0; lane < o->type.width; lane++) {
			text_add(out, " ");
			dump_operand(s, *result++, "biuf"[o->type.kind], out);
		}
	}
	text_add(out, "\n");
}
