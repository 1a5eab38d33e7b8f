/* Runs programs on blocks of samples: one loop over the lanes per instruction, every loop made of its row
   of ops.def. Lanes are 32-bit words, so slots of all types share the memory. The loader has checked the code;
   nothing is checked here. */
#include <string.h>

#if defined(__clang__)                          /* some rows have no vector form; clang reports them where ops.def is first included */
#pragma clang diagnostic ignored "-Wpass-failed"
#endif

#include "num.h"
#include "program.h"

typedef struct Frame {                          /* an open loop, or a call of which only pc matters */
	uint32_t pc;                            /* where a call returns to, or a loop begins its body */
	uint32_t round, rounds;
} Frame;

struct nz_evaluator {
	const nz_program *program;
	size_t block;                           /* lanes of a slot */
	Frame *frame;
	uint32_t *slot;
};

/* ---- one loop per row ---- */

/* A result may take the place of an operand: then lane i reads and writes only place i, so lanes are
   independent either way, which compilers must be told. */
#if defined(__clang__)
#define INDEPENDENT_LANES _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define INDEPENDENT_LANES _Pragma("GCC ivdep")
#else
#define INDEPENDENT_LANES
#endif

#define TYPE_b uint32_t
#define TYPE_i int32_t
#define TYPE_u uint32_t
#define TYPE_f float
#define TYPE_w uint32_t
#define TYPE_v uint32_t
#define FROM_b(word) (word)
#define FROM_i(word) num_int(word)
#define FROM_u(word) (word)
#define FROM_f(word) num_from_bits(word)
#define FROM_w(word) (word)
#define FROM_v(word) 0
#define TO_b(value) (uint32_t)(value)
#define TO_i(value) num_uint(value)
#define TO_u(value) (value)
#define TO_f(value) num_bits(value)
#define TO_w(value) (value)

typedef void Loop(uint32_t *d, const uint32_t *x, const uint32_t *y, const uint32_t *z, size_t n);

#define OP(ID, name, R, A, B, C, flags, meaning, ...) \
static void loop_##ID(uint32_t *d, const uint32_t *x, const uint32_t *y, const uint32_t *z, size_t n) \
{ \
	(void)x, (void)y, (void)z; \
	INDEPENDENT_LANES \
	for (size_t i = 0; i < n; i++) { \
		TYPE_##A a = FROM_##A(x[i]); \
		TYPE_##B b = FROM_##B(y[i]); \
		TYPE_##C c = FROM_##C(z[i]); \
		(void)a, (void)b, (void)c; \
		d[i] = TO_##R(meaning); \
	} \
}
#include "ops.def"
#undef OP

static Loop *const loops[ROW_COUNT] = {
#define OP(ID, ...) loop_##ID,
#include "ops.def"
#undef OP
};

static void fill(uint32_t *slot, uint32_t word, size_t n)
{
	for (size_t i = 0; i < n; i++)
		slot[i] = word;
}

static uint32_t *find_slot(const nz_evaluator *e, uint32_t number)
{
	return e->slot + number * e->block;
}

static bool holds_anywhere(const uint32_t *slot, uint32_t word, size_t n)
{
	size_t i = 0;
	while (i < n && slot[i] != word)
		i++;
	return i < n;
}

static void run(const nz_evaluator *e, size_t n)
{
	const nz_program *p = e->program;
	const Instruction *code = p->code;
	Frame *top = e->frame;                  /* the next free one */
	uint32_t pc = p->function[p->functions - 1].first;
	for (;;) {
		const Instruction *in = &code[pc++];
		if (in->op < ROW_COUNT) {
			loops[in->op](find_slot(e, in->dst), find_slot(e, in->a), find_slot(e, in->b), find_slot(e, in->c), n);
		} else if (in->op == CONTROL_CALL) {
			(top++)->pc = pc;
			pc = p->function[in->a].first;
		} else if (in->op == CONTROL_LOOP) {
			int32_t stated = num_int(find_slot(e, in->a)[0]);
			uint32_t rounds = stated < 0 ? 0 : (uint32_t)stated < in->b ? (uint32_t)stated : in->b;
			if (rounds == 0) {
				pc += in->c + 1;
			} else {
				*top++ = (Frame) { .pc = pc, .round = 0, .rounds = rounds };
				fill(find_slot(e, in->dst), 0, n);
			}
		} else if (in->op == CONTROL_END) {
			Frame *loop = top - 1;
			if (++loop->round < loop->rounds) {
				pc = loop->pc;
				fill(find_slot(e, code[in->dst].dst), loop->round, n);
			} else {
				top--;
			}
		} else if (in->op == CONTROL_SKIP) {
			if (!holds_anywhere(find_slot(e, in->a), in->b, n))
				pc += in->c + 1;
		} else if (in->op == CONTROL_MEET) {
			continue;
		} else if (top == e->frame) {
			return;
		} else {
			pc = (--top)->pc;
		}
	}
}

/* ---- evaluators ---- */

enum { ALIGNMENT = 64 };

static size_t align_up(size_t size)
{
	return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

size_t nz_measure_evaluator(const nz_program *program, uint32_t block)
{
	if (program == NULL || block > NZ_MAX_BLOCK)
		return 0;
	uint64_t lanes = block != 0 ? block : NZ_DEFAULT_BLOCK;
	uint64_t size = ALIGNMENT + align_up(sizeof(nz_evaluator));
	size += (uint64_t)program->frames * sizeof(Frame) + ALIGNMENT;
	size += program->slots * lanes * 4;
	return size <= SIZE_MAX / 2 ? (size_t)size : 0;
}

nz_status nz_place_evaluator(const nz_program *program, uint32_t block, void *memory, size_t size, nz_evaluator **out)
{
	size_t needed = nz_measure_evaluator(program, block);
	if (needed == 0 || memory == NULL || out == NULL)
		return NZ_ERROR_ARGUMENT;
	*out = NULL;
	if (size < needed)
		return NZ_ERROR_MEMORY;
	uintptr_t misfit = (uintptr_t)memory % ALIGNMENT;
	char *at = (char *)memory + (misfit != 0 ? ALIGNMENT - misfit : 0);
	nz_evaluator *e = (nz_evaluator *)(void *)at;
	at += align_up(sizeof *e);
	e->program = program;
	e->block = block != 0 ? block : NZ_DEFAULT_BLOCK;
	e->frame = (Frame *)(void *)at;
	at += align_up(program->frames * sizeof(Frame));
	e->slot = (uint32_t *)(void *)at;
	fill(e->slot, 0, program->slots * e->block);
	for (uint32_t i = 0; i < program->constants; i++)
		fill(find_slot(e, i), program->constant[i], e->block);
	for (uint32_t i = 0; i < program->info.param_count; i++)
		nz_set_param(e, i, program->info.params[i].value);
	nz_set_seed(e, 0);
	*out = e;
	return NZ_OK;
}

static uint32_t find_param_slot(const nz_program *p, uint32_t index)
{
	uint32_t slot = p->constants;
	for (uint32_t i = 0; i < index; i++)
		slot += p->port[i].width;
	return slot;
}

static uint32_t count_enumerators(const nz_program *p, const Port *port)
{
	return port->enumeration != 0 ? p->info.enumerations[port->enumeration - 1].count : 0;
}

nz_status nz_set_param(nz_evaluator *evaluator, uint32_t index, const nz_word *value)
{
	if (evaluator == NULL || value == NULL || index >= evaluator->program->info.param_count)
		return NZ_ERROR_ARGUMENT;
	const nz_program *p = evaluator->program;
	const Port *port = &p->port[index];
	uint32_t slot = find_param_slot(p, index);
	for (uint32_t lane = 0; lane < port->width; lane++)
		fill(find_slot(evaluator, slot + lane), program_clamp(port, count_enumerators(p, port), lane, value[lane].u), evaluator->block);
	return NZ_OK;
}

nz_status nz_get_param(const nz_evaluator *evaluator, uint32_t index, nz_word *value)
{
	if (evaluator == NULL || value == NULL || index >= evaluator->program->info.param_count)
		return NZ_ERROR_ARGUMENT;
	const nz_program *p = evaluator->program;
	uint32_t slot = find_param_slot(p, index);
	for (uint32_t lane = 0; lane < p->port[index].width; lane++)
		value[lane].u = find_slot(evaluator, slot + lane)[0];
	return NZ_OK;
}

/* As `stir` of the library; frozen. */
uint32_t nz_stir_seed(uint64_t seed)
{
	uint32_t h = (uint32_t)seed, k = (uint32_t)(seed >> 32);
	if (k == 0)
		return h;
	h = (h ^ h >> 16) * 0x7feb352du;
	h = (h ^ h >> 15) + k * 0x9E3779B1u + 0x6A09E667u;
	h = (h ^ h >> 16) * 0x21f0aaadu;
	h = (h ^ h >> 15) * 0xd35a2d97u;
	return h ^ h >> 15;
}

void nz_set_seed(nz_evaluator *evaluator, uint64_t seed)
{
	if (evaluator != NULL)
		fill(find_slot(evaluator, evaluator->program->seed_slot), nz_stir_seed(seed), evaluator->block);
}

/* ---- evaluation ---- */

/* Inputs that are constant over the call; arrays follow per block. */
static void set_constant_inputs(const nz_evaluator *e, const nz_input_data *inputs, size_t n)
{
	const nz_program *p = e->program;
	uint32_t slot = p->input_slot;
	for (uint32_t i = 0; i < p->info.input_count; i++) {
		const Port *port = &p->port[p->info.param_count + i];
		for (uint32_t lane = 0; lane < port->width; lane++, slot++)
			if (inputs == NULL || inputs[i].array[lane] == NULL)
				fill(find_slot(e, slot), program_clamp(port, count_enumerators(p, port), lane, inputs != NULL ? inputs[i].constant[lane].u : 0), n);
	}
}

static void read_inputs(const nz_evaluator *e, const nz_input_data *inputs, size_t first, size_t n)
{
	const nz_program *p = e->program;
	uint32_t slot = p->input_slot;
	for (uint32_t i = 0; i < p->info.input_count; i++) {
		const Port *port = &p->port[p->info.param_count + i];
		for (uint32_t lane = 0; lane < port->width; lane++, slot++) {
			uint32_t *words = find_slot(e, slot), enumerators = count_enumerators(p, port);
			if (inputs[i].array[lane] == NULL)
				continue;
			memcpy(words, (const char *)inputs[i].array[lane] + first * 4, n * 4);
			for (size_t j = 0; j < n; j++)
				words[j] = program_clamp(port, enumerators, lane, words[j]);
		}
	}
}

/* Runs the block whose position slots are set, and delivers it. */
static void run_block(const nz_evaluator *e, size_t first, size_t n, const nz_input_data *inputs, const nz_output_data *outputs)
{
	const nz_program *p = e->program;
	const Port *port = p->port + p->info.param_count + p->info.input_count;
	if (inputs != NULL)
		read_inputs(e, inputs, first, n);
	run(e, n);
	for (uint32_t i = 0; i < p->info.output_count; i++)
		for (uint32_t lane = 0; lane < port[i].width; lane++)
			if (outputs[i].array[lane] != NULL)
				memcpy((char *)outputs[i].array[lane] + first * 4, find_slot(e, port[i].value[lane]), n * 4);
}

nz_status nz_evaluate_points(nz_evaluator *evaluator, size_t count, const float *const *axis, const nz_input_data *inputs, const nz_output_data *outputs)
{
	const nz_evaluator *e = evaluator;
	if (e == NULL || outputs == NULL || axis == NULL)
		return NZ_ERROR_ARGUMENT;
	const nz_program *p = e->program;
	for (uint32_t a = 0; a < p->info.domain; a++)
		if (axis[a] == NULL && count > 0)
			return NZ_ERROR_ARGUMENT;
	set_constant_inputs(e, inputs, count < e->block ? count : e->block);
	for (size_t first = 0, n; first < count; first += n) {
		n = count - first < e->block ? count - first : e->block;
		for (uint32_t a = 0; a < p->info.domain; a++)
			memcpy(find_slot(e, p->position_slot + a), axis[a] + first, n * 4);
		run_block(e, first, n, inputs, outputs);
	}
	return NZ_OK;
}

static uint32_t find_coordinate(const nz_grid *grid, uint32_t axis, uint64_t i)
{
	double offset = (double)(grid->first[axis] + i) * grid->step[axis];
	return num_bits((float)(grid->origin[axis] + offset));
}

/* Positions of samples `first` to first + n - 1; a block may span several rows and begin inside one. */
static void set_grid_positions(const nz_evaluator *e, const nz_grid *grid, size_t first, size_t n)
{
	uint32_t domain = e->program->info.domain, at[4] = { 0 };
	for (uint32_t a = 0; a < domain; a++) {
		at[a] = (uint32_t)(first % grid->size[a]);
		first /= grid->size[a];
	}
	for (size_t done = 0; done < n; ) {
		size_t row = grid->size[0] - at[0] < n - done ? grid->size[0] - at[0] : n - done;
		uint32_t *x = find_slot(e, e->program->position_slot) + done;
		for (size_t i = 0; i < row; i++)
			x[i] = find_coordinate(grid, 0, at[0] + i);
		for (uint32_t a = 1; a < domain; a++)
			fill(find_slot(e, e->program->position_slot + a) + done, find_coordinate(grid, a, at[a]), row);
		done += row;
		at[0] = 0;                      /* where the row did not end, neither did the loop need it */
		for (uint32_t a = 1; a < domain; a++) {
			if (++at[a] < grid->size[a])
				break;
			at[a] = 0;
		}
	}
}

nz_status nz_evaluate_grid(nz_evaluator *evaluator, const nz_grid *grid, const nz_input_data *inputs, const nz_output_data *outputs)
{
	const nz_evaluator *e = evaluator;
	size_t count = 1;
	if (e == NULL || grid == NULL || outputs == NULL)
		return NZ_ERROR_ARGUMENT;
	for (uint32_t a = 0; a < e->program->info.domain; a++)
		if (grid->size[a] == 0)
			return NZ_OK;
	for (uint32_t a = 0; a < e->program->info.domain; a++) {
		if (count > SIZE_MAX / 4 / grid->size[a])
			return NZ_ERROR_ARGUMENT;
		count *= grid->size[a];
	}
	set_constant_inputs(e, inputs, count < e->block ? count : e->block);
	for (size_t first = 0, n; first < count; first += n) {
		n = count - first < e->block ? count - first : e->block;
		set_grid_positions(e, grid, first, n);
		run_block(e, first, n, inputs, outputs);
	}
	return NZ_OK;
}

nz_status nz_evaluate_point(nz_evaluator *evaluator, const float *position, const nz_value *inputs, nz_value *outputs)
{
	const nz_evaluator *e = evaluator;
	if (e == NULL || position == NULL || outputs == NULL)
		return NZ_ERROR_ARGUMENT;
	const nz_program *p = e->program;
	const Port *port = p->port + p->info.param_count;
	uint32_t slot = p->input_slot;
	for (uint32_t a = 0; a < p->info.domain; a++)
		find_slot(e, p->position_slot + a)[0] = num_bits(position[a]);
	for (uint32_t i = 0; i < p->info.input_count; i++, port++)
		for (uint32_t lane = 0; lane < port->width; lane++, slot++)
			find_slot(e, slot)[0] = program_clamp(port, count_enumerators(p, port), lane, inputs != NULL ? inputs[i].word[lane].u : 0);
	run(e, 1);
	for (uint32_t i = 0; i < p->info.output_count; i++, port++)
		for (uint32_t lane = 0; lane < port->width; lane++)
			outputs[i].word[lane].u = find_slot(e, port->value[lane])[0];
	return NZ_OK;
}
