/* Loads and checks programs. Bytes may be hostile: after nz_load_program returned NZ_OK, evaluation reads and
   writes only its own slots and frames and ends after at most `cost` operations per sample. The types of
   slots are not checked, as every operation has a meaning for every word. */
#include <stdlib.h>
#include <string.h>

#include "num.h"
#include "program.h"

/* ---- what both libraries share ---- */

uint32_t nz_get_version(void)
{
	return NZ_VERSION;
}

const char *nz_status_text(nz_status status)
{
	switch (status) {
	case NZ_OK: return "no error";
	case NZ_ERROR_SOURCE: return "the source has errors";
	case NZ_ERROR_ARGUMENT: return "a wrong argument";
	case NZ_ERROR_MEMORY: return "out of memory";
	case NZ_ERROR_PROGRAM: return "not a valid program";
	case NZ_ERROR_INTERNAL: return "an internal error of noisec";
	}
	return "an unknown status";
}

/* ---- values ---- */

static bool is_finite(uint32_t bits)
{
	return (bits & 0x7fffffffu) < 0x7f800000u;
}

static bool is_ordered(uint32_t kind, uint32_t low, uint32_t high)
{
	if (kind == NZ_FLOAT)
		return is_finite(low) && is_finite(high) && num_from_bits(low) <= num_from_bits(high);
	return kind == NZ_INT ? num_int(low) <= num_int(high) : low <= high;
}

/* ---- the file ---- */

typedef struct Loader {
	const unsigned char *bytes;
	size_t at;                              /* next word to be read, in bytes */
	uint32_t head[HEADER_WORDS];
	nz_program *program;                    /* and parts of it that it shows as const: */
	nz_param *params;
	nz_input *inputs;
	nz_output *outputs;
	nz_enumeration *enumerations;
	nz_enumerator *enumerators;
	const char *text;
	const char *wrong;
} Loader;

static uint32_t read_word(Loader *l)
{
	const unsigned char *b = l->bytes + l->at;
	l->at += 4;
	return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static bool fail(Loader *l, const char *wrong)
{
	l->wrong = wrong;
	return false;
}

static bool read_header(Loader *l, size_t size)
{
	const uint32_t *head = l->head;
	if (size < 4 || memcmp(l->bytes, PROGRAM_MAGIC, 4) != 0)
		return fail(l, "not a noise program");
	if (size < HEADER_WORDS * 4u)
		return fail(l, "the program is cut short");
	for (int i = 0; i < HEADER_WORDS; i++)
		l->head[i] = read_word(l);
	if (head[HEADER_VERSION] != PROGRAM_VERSION)
		return fail(l, "the program is of another version");
	if (head[HEADER_ROWS] > ROW_COUNT || head[HEADER_FINGERPRINT] != program_fingerprint(head[HEADER_ROWS]))
		return fail(l, "the program was written for another table of operations");
	if (head[HEADER_DOMAIN] < 1 || head[HEADER_DOMAIN] > 4)
		return fail(l, "the dimension is wrong");
	uint64_t words = HEADER_WORDS;
	words += head[HEADER_CONSTANTS];
	words += head[HEADER_FUNCTIONS];
	words += (uint64_t)head[HEADER_CODE] * INSTRUCTION_WORDS;
	words += ((uint64_t)head[HEADER_PARAMS] + head[HEADER_INPUTS] + head[HEADER_OUTPUTS]) * PORT_WORDS;
	words += (uint64_t)head[HEADER_ENUMERATIONS] * ENUMERATION_WORDS;
	words += (uint64_t)head[HEADER_ENUMERATORS] * ENUMERATOR_WORDS;
	if (size > PROGRAM_SIZE_MAX || head[HEADER_SIZE] != size || words * 4 + head[HEADER_TEXT] != size || head[HEADER_TEXT] % 4 != 0)
		return fail(l, "the sizes do not add up");
	if (head[HEADER_FUNCTIONS] == 0 || head[HEADER_TEXT] == 0)
		return fail(l, "a part is missing");
	if (l->bytes[size - head[HEADER_TEXT]] != 0 || l->bytes[size - 1] != 0)
		return fail(l, "the text does not end");
	return true;
}

/* Cuts arrays out of one block. With base NULL it only counts. */
typedef struct Cutter {
	char *base;
	uint64_t size;
} Cutter;

static void *cut(Cutter *c, uint64_t count, size_t each)
{
	void *piece = c->base != NULL ? c->base + c->size : NULL;
	c->size += (count * each + 15) / 16 * 16;
	return piece;
}

static void cut_program(Cutter *c, Loader *l)
{
	const uint32_t *head = l->head;
	uint32_t ports = head[HEADER_PARAMS] + head[HEADER_INPUTS] + head[HEADER_OUTPUTS];
	nz_program *p = cut(c, 1, sizeof *p);
	Instruction *code = cut(c, head[HEADER_CODE], sizeof *code);
	Function *function = cut(c, head[HEADER_FUNCTIONS], sizeof *function);
	uint32_t *constant = cut(c, head[HEADER_CONSTANTS], sizeof *constant);
	Port *port = cut(c, ports, sizeof *port);
	nz_param *params = cut(c, head[HEADER_PARAMS], sizeof *params);
	nz_input *inputs = cut(c, head[HEADER_INPUTS], sizeof *inputs);
	nz_output *outputs = cut(c, head[HEADER_OUTPUTS], sizeof *outputs);
	nz_enumeration *enumerations = cut(c, head[HEADER_ENUMERATIONS], sizeof *enumerations);
	nz_enumerator *enumerators = cut(c, head[HEADER_ENUMERATORS], sizeof *enumerators);
	char *text = cut(c, head[HEADER_TEXT], 1);
	if (p == NULL)
		return;
	memset(p, 0, sizeof *p);
	p->code = code;
	p->function = function;
	p->constant = constant;
	p->port = port;
	p->constants = head[HEADER_CONSTANTS];
	p->functions = head[HEADER_FUNCTIONS];
	p->info.domain = head[HEADER_DOMAIN];
	p->info.params = params;
	p->info.param_count = head[HEADER_PARAMS];
	p->info.inputs = inputs;
	p->info.input_count = head[HEADER_INPUTS];
	p->info.outputs = outputs;
	p->info.output_count = head[HEADER_OUTPUTS];
	p->info.enumerations = enumerations;
	p->info.enumeration_count = head[HEADER_ENUMERATIONS];
	memcpy(text, l->bytes + head[HEADER_SIZE] - head[HEADER_TEXT], head[HEADER_TEXT]);
	l->program = p;
	l->params = params;
	l->inputs = inputs;
	l->outputs = outputs;
	l->enumerations = enumerations;
	l->enumerators = enumerators;
	l->text = text;
}

static bool read_text(Loader *l, uint32_t offset, bool needed, const char **out)
{
	if (offset >= l->head[HEADER_TEXT])
		return fail(l, "a text lies outside");
	*out = l->text + offset;
	return !needed || **out != '\0' || fail(l, "a name is empty");
}

static bool read_code(Loader *l)
{
	nz_program *p = l->program;
	uint64_t next = 0;
	for (uint32_t i = 0; i < p->constants; i++)
		p->constant[i] = read_word(l);
	for (uint32_t i = 0; i < p->functions; i++) {
		uint32_t count = read_word(l);
		p->function[i] = (Function) { .first = (uint32_t)next, .count = count };
		next += count;
		if (count == 0 || next > l->head[HEADER_CODE])
			return fail(l, "the functions do not add up");
	}
	if (next != l->head[HEADER_CODE])
		return fail(l, "the functions do not add up");
	for (uint32_t i = 0; i < l->head[HEADER_CODE]; i++) {
		Instruction *in = &p->code[i];
		in->op = read_word(l);
		in->dst = read_word(l);
		in->a = read_word(l);
		in->b = read_word(l);
		in->c = read_word(l);
	}
	return true;
}

static bool read_port(Loader *l, Port *port)
{
	port->name = read_word(l);
	port->doc = read_word(l);
	port->kind = read_word(l);
	port->width = read_word(l);
	port->enumeration = read_word(l);
	port->flags = read_word(l);
	for (int i = 0; i < 4; i++)
		port->value[i] = read_word(l);
	for (int i = 0; i < 4; i++)
		port->low[i] = read_word(l);
	for (int i = 0; i < 4; i++)
		port->high[i] = read_word(l);
	if (port->kind > NZ_FLOAT || port->width < 1 || port->width > 4 || port->enumeration > l->head[HEADER_ENUMERATIONS])
		return fail(l, "a type is wrong");
	if (port->enumeration != 0 && (port->kind != NZ_INT || port->width != 1))
		return fail(l, "a type is wrong");
	if ((port->flags & ~(uint32_t)(PORT_RANGED | PORT_COLOUR)) != 0)
		return fail(l, "a flag is unknown");
	for (uint32_t i = 0; i < 4; i++) {
		if (i >= port->width && (port->value[i] | port->low[i] | port->high[i]) != 0)
			return fail(l, "a component is too many");
		if (i < port->width && (port->flags & PORT_RANGED) && !is_ordered(port->kind, port->low[i], port->high[i]))
			return fail(l, "a range is wrong");
	}
	if ((port->flags & PORT_RANGED) && port->kind == NZ_BOOL)
		return fail(l, "a range is wrong");
	return true;
}

static bool describe_port(Loader *l, const Port *port, const char **name, const char **doc, nz_type *type)
{
	type->kind = (nz_kind)port->kind;
	type->width = port->width;
	type->enumeration = port->enumeration != 0 ? &l->program->info.enumerations[port->enumeration - 1] : NULL;
	return read_text(l, port->name, true, name) && read_text(l, port->doc, false, doc);
}

static void copy_words(nz_word to[4], const uint32_t from[4])
{
	for (int i = 0; i < 4; i++)
		to[i].u = from[i];
}

static bool read_ports(Loader *l)
{
	nz_program *p = l->program;
	uint32_t params = p->info.param_count, inputs = p->info.input_count, outputs = p->info.output_count;
	uint32_t param_lanes = 0, input_lanes = 0;
	for (uint32_t i = 0; i < params + inputs + outputs; i++) {
		Port *port = &p->port[i];
		if (!read_port(l, port))
			return false;
		if (i < params) {
			nz_param *out = &l->params[i];
			if (!describe_port(l, port, &out->name, &out->doc, &out->type))
				return false;
			copy_words(out->value, port->value);
			copy_words(out->low, port->low);
			copy_words(out->high, port->high);
			out->ranged = (port->flags & PORT_RANGED) != 0;
			out->colour = (port->flags & PORT_COLOUR) != 0;
			param_lanes += port->width;
		} else if (i < params + inputs) {
			nz_input *out = &l->inputs[i - params];
			if (!describe_port(l, port, &out->name, &out->doc, &out->type))
				return false;
			copy_words(out->low, port->low);
			copy_words(out->high, port->high);
			out->ranged = (port->flags & PORT_RANGED) != 0;
			input_lanes += port->width;
		} else {
			nz_output *out = &l->outputs[i - params - inputs];
			if (!describe_port(l, port, &out->name, &out->doc, &out->type))
				return false;
			if (!is_ordered(NZ_FLOAT, port->low[0], port->high[0]) || (port->flags & PORT_RANGED))
				return fail(l, "a range is wrong");
			out->low = num_from_bits(port->low[0]);
			out->high = num_from_bits(port->high[0]);
			out->colour = (port->flags & PORT_COLOUR) != 0;
		}
	}
	p->seed_slot = p->constants + param_lanes;
	p->position_slot = p->seed_slot + 1;
	p->input_slot = p->position_slot + p->info.domain;
	p->work_slot = p->input_slot + input_lanes;
	p->slots = l->head[HEADER_SLOTS];
	return true;
}

static bool read_enumerations(Loader *l)
{
	nz_program *p = l->program;
	nz_enumerator *enumerator = l->enumerators;
	uint64_t total = 0;
	for (uint32_t i = 0; i < p->info.enumeration_count; i++) {
		nz_enumeration *out = &l->enumerations[i];
		uint32_t name = read_word(l), doc = read_word(l);
		out->count = read_word(l);
		out->enumerators = enumerator + total;
		total += out->count;
		if (out->count == 0 || total > l->head[HEADER_ENUMERATORS])
			return fail(l, "the enumerators do not add up");
		if (!read_text(l, name, true, &out->name) || !read_text(l, doc, false, &out->doc))
			return false;
	}
	if (total != l->head[HEADER_ENUMERATORS])
		return fail(l, "the enumerators do not add up");
	for (uint32_t i = 0; i < l->head[HEADER_ENUMERATORS]; i++) {
		uint32_t name = read_word(l), doc = read_word(l);
		if (!read_text(l, name, true, &enumerator[i].name) || !read_text(l, doc, false, &enumerator[i].doc))
			return false;
	}
	return true;
}

static uint32_t count_enumerators(const nz_program *p, const Port *port)
{
	return port->enumeration != 0 ? p->info.enumerations[port->enumeration - 1].count : 0;
}

/* What is left once everything was read: slots, code, header claims, defaults. */
static bool check_program(Loader *l)
{
	nz_program *p = l->program;
	const uint32_t *head = l->head;
	uint32_t params = p->info.param_count, first_output = params + p->info.input_count;
	if (p->slots < p->work_slot || p->slots - p->work_slot > head[HEADER_CODE])
		return fail(l, "the number of slots is wrong");
	for (uint32_t i = 0; i < params; i++)
		for (uint32_t lane = 0; lane < p->port[i].width; lane++)
			if (program_clamp(&p->port[i], count_enumerators(p, &p->port[i]), lane, p->port[i].value[lane]) != p->port[i].value[lane])
				return fail(l, "a default lies outside its range");
	for (uint32_t i = first_output; i < first_output + p->info.output_count; i++)
		for (uint32_t lane = 0; lane < p->port[i].width; lane++)
			if (p->port[i].value[lane] >= p->slots)
				return fail(l, "an output has a wrong slot");
	l->wrong = program_check(p->code, p->function, p->functions, p->work_slot, p->slots, &p->info.loop_max);
	if (l->wrong != NULL)
		return false;
	const Function *root = &p->function[p->functions - 1];
	p->info.cost = root->cost;
	p->frames = root->depth;
	if (head[HEADER_LOOP] != p->info.loop_max || head[HEADER_COST_LOW] != (uint32_t)root->cost || head[HEADER_COST_HIGH] != (uint32_t)(root->cost >> 32))
		return fail(l, "the cost is not as stated");
	return true;
}

static void *allocate_default(void *user, size_t size)
{
	(void)user;
	return malloc(size);
}

static void release_default(void *user, void *memory)
{
	(void)user;
	free(memory);
}

nz_status nz_load_program(const void *bytes, size_t size, const nz_load_options *options, nz_program **out, const char **why)
{
	Loader l = { .bytes = bytes };
	nz_allocator use = options != NULL ? options->memory : (nz_allocator) { 0 };
	if (why != NULL)
		*why = NULL;
	if (out == NULL || bytes == NULL)
		return NZ_ERROR_ARGUMENT;
	*out = NULL;
	if ((use.allocate == NULL) != (use.release == NULL))
		return NZ_ERROR_ARGUMENT;
	if (use.allocate == NULL)
		use = (nz_allocator) { allocate_default, release_default, NULL };
	void *block = NULL;
	bool ok = read_header(&l, size);
	if (ok) {
		Cutter count = { 0 };
		cut_program(&count, &l);
		block = count.size <= SIZE_MAX ? use.allocate(use.user, (size_t)count.size) : NULL;
		if (block == NULL)
			return NZ_ERROR_MEMORY;
		cut_program(&(Cutter) { .base = block }, &l);
		ok = read_code(&l) && read_ports(&l) && read_enumerations(&l) && check_program(&l);
	}
	if (!ok) {
		if (block != NULL)
			use.release(use.user, block);
		if (why != NULL)
			*why = l.wrong;
		return NZ_ERROR_PROGRAM;
	}
	l.program->memory = use;
	*out = l.program;
	return NZ_OK;
}

void nz_free_program(nz_program *program)
{
	if (program != NULL) {
		nz_allocator memory = program->memory;  /* which goes with the program */
		memory.release(memory.user, program);
	}
}

const nz_program_info *nz_describe_program(const nz_program *program)
{
	return program != NULL ? &program->info : NULL;
}

uint32_t nz_find_param(const nz_program *program, const char *name)
{
	if (program == NULL || name == NULL)
		return NZ_NOT_FOUND;
	for (uint32_t i = 0; i < program->info.param_count; i++)
		if (strcmp(program->info.params[i].name, name) == 0)
			return i;
	return NZ_NOT_FOUND;
}

uint32_t nz_find_input(const nz_program *program, const char *name)
{
	if (program == NULL || name == NULL)
		return NZ_NOT_FOUND;
	for (uint32_t i = 0; i < program->info.input_count; i++)
		if (strcmp(program->info.inputs[i].name, name) == 0)
			return i;
	return NZ_NOT_FOUND;
}

uint32_t nz_find_output(const nz_program *program, const char *name)
{
	if (program == NULL || name == NULL)
		return NZ_NOT_FOUND;
	for (uint32_t i = 0; i < program->info.output_count; i++)
		if (strcmp(program->info.outputs[i].name, name) == 0)
			return i;
	return NZ_NOT_FOUND;
}
