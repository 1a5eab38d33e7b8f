/* Random programs in the intermediate form, with calls, nested loops and vectors: their blobs must load, and give
   at every block size what a direct walk over the values gives. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "../compiler/cc.h"
#include "../runtime/noisert.h"
#include "../runtime/num.h"

enum { PROGRAMS = 1000, SAMPLES = 67, VALUES_MAX = 4096, CHOICES_MAX = 2048 };

static uint64_t state;

static uint32_t draw(uint32_t below)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((state >> 33) % below);
}

/* ---- building: no folding, so that every operation is run ---- */

typedef struct Maker {
	Program *program;
	Func *func;
	Ref choice[CHOICES_MAX];                /* values that may be used here */
	uint32_t choices;
	Ref open[4];
	uint32_t loops;
} Maker;

static Ref add(Func *f, uint32_t op, uint32_t kind, uint32_t width, uint32_t imm, const Ref *words, uint32_t count)
{
	Value v = { .op = (uint8_t)op, .kind = (uint8_t)kind, .width = (uint8_t)width, .operands = (uint8_t)count, .imm = imm, .first = f->pool_size };
	if (op == IR_INDEX || op == IR_CARRY)
		v.loop = words[0];
	else if (op == IR_END)
		v.loop = f->value[words[0]].loop;
	else
		for (uint32_t i = 0; op != IR_CONST && i < count; i++)
			v.loop = f->value[words[i]].loop > v.loop ? f->value[words[i]].loop : v.loop;
	for (uint32_t i = 0; i < count; i++)
		f->pool[f->pool_size++] = words[i];
	f->value[f->count] = v;
	return f->count++;
}

static Ref offer(Maker *m, Ref r)
{
	if (m->choices < CHOICES_MAX)
		m->choice[m->choices++] = r;
	return r;
}

static Ref make_constant(Maker *m, uint32_t kind, uint32_t width)
{
	static const float floats[] = { 0.0f, 1.0f, -1.5f, 0.25f, 3e5f, -7.0f, 1e-3f };
	uint32_t bits[4];
	for (uint32_t i = 0; i < width; i++)
		bits[i] = kind == KIND_FLOAT ? num_bits(floats[draw(7)]) : kind == KIND_BOOL ? draw(2) : draw(4) != 0 ? draw(9) : draw(0x7fffffff) * 2 + 1;
	return add(m->func, IR_CONST, kind, width, 0, bits, width);
}

static Ref choose(Maker *m, uint32_t kind, uint32_t width)
{
	for (int i = 0; i < 24 && m->choices > 0; i++) {
		Ref r = m->choice[draw(2) ? m->choices - 1 - draw(m->choices < 12 ? m->choices : 12) : draw(m->choices)];
		if (m->func->value[r].kind == kind && m->func->value[r].width == width)
			return r;
	}
	return make_constant(m, kind, width);
}

static uint32_t kind_of(char letter, uint32_t any)
{
	return letter == 'b' ? KIND_BOOL : letter == 'i' ? KIND_INT : letter == 'u' ? KIND_UINT : letter == 'f' ? KIND_FLOAT : any;
}

static void make_row(Maker *m)
{
	uint32_t op = draw(OP_COUNT), any = draw(4), width = 1 + draw(4);
	Ref from[3];
	if (op == OP_FBITS)                     /* would show the bits of a NaN, which nothing promises */
		return;
	for (int i = 0; i < op_info[op].arity; i++)
		from[i] = choose(m, kind_of(op_info[op].operand[i], any), width);
	offer(m, add(m->func, op, kind_of(op_info[op].result, any), width, 0, from, (uint32_t)op_info[op].arity));
}

static void make_vector(Maker *m)
{
	uint32_t kind = draw(4), width = 2 + draw(3);
	Ref from[4];
	if (draw(2)) {
		from[0] = choose(m, kind, width);
		offer(m, add(m->func, IR_LANE, kind, 1, draw(width), from, 1));
		return;
	}
	for (uint32_t i = 0; i < width; i++)
		from[i] = choose(m, kind, 1);
	offer(m, add(m->func, IR_VEC, kind, width, 0, from, width));
}

static void make_call(Maker *m)
{
	if (m->program->funcs == 0)
		return;
	uint32_t id = draw(m->program->funcs);
	const Func *callee = m->program->func[id];
	const Value *result = &callee->value[callee->result[0]];
	Ref from[8];
	for (uint32_t i = 0; i < callee->args; i++)
		from[i] = choose(m, callee->arg[i].kind, callee->arg[i].width);
	offer(m, add(m->func, IR_CALL, result->kind, result->width, id, from, callee->args));
}

static void make_values(Maker *m, uint32_t count);

static void make_loop(Maker *m)
{
	Func *f = m->func;
	Ref from[5], next[5], end;
	uint32_t carried = draw(5);
	if (m->loops == 3)
		return;
	uint32_t three = draw(5);
	from[0] = draw(2) ? add(f, IR_CONST, KIND_INT, 1, 0, &three, 1) : add(f, IR_UNIFORM, KIND_INT, 1, 0, NULL, 0);
	uint32_t kind = draw(4), width = 1 + draw(2);
	for (uint32_t i = 1; i <= carried; i++) {
		if (draw(3) == 0) {
			kind = draw(4);
			width = 1 + draw(4);
		}
		from[i] = choose(m, kind, width);
	}
	Ref loop = add(f, IR_LOOP, KIND_INT, 1, draw(2) * 3, from, carried + 1);
	f->value[loop].loop = m->loops > 0 ? m->open[m->loops - 1] : 0;
	m->open[m->loops++] = loop;
	offer(m, add(f, IR_INDEX, KIND_INT, 1, 0, &loop, 1));
	for (uint32_t i = 1; i <= carried; i++)
		offer(m, add(f, IR_CARRY, f->value[from[i]].kind, f->value[from[i]].width, i - 1, &loop, 1));
	make_values(m, 2 + draw(8));
	next[0] = loop;
	for (uint32_t i = 1; i <= carried; i++)
		next[i] = choose(m, f->value[from[i]].kind, f->value[from[i]].width);
	m->loops--;
	end = add(f, IR_END, KIND_INT, 1, 0, next, carried + 1);
	uint32_t kept = 0;                      /* what did not depend on the loop may be used behind it */
	for (uint32_t i = 0; i < m->choices; i++)
		if (f->value[m->choice[i]].loop < loop)
			m->choice[kept++] = m->choice[i];
	m->choices = kept;
	for (uint32_t i = 1; i <= carried; i++)
		offer(m, add(f, IR_OUT, f->value[from[i]].kind, f->value[from[i]].width, i - 1, &end, 1));
}

static void make_values(Maker *m, uint32_t count)
{
	for (uint32_t i = 0; i < count && m->func->count < VALUES_MAX - 300; i++) {
		uint32_t what = draw(20);
		if (what < 13)
			make_row(m);
		else if (what < 16)
			make_vector(m);
		else if (what < 18)
			make_call(m);
		else
			make_loop(m);
	}
}

static Func *new_func(Arena *arena)
{
	Func *f = arena_alloc(arena, sizeof *f);
	f->arena = arena;
	f->count = 1;
	f->value = arena_alloc(arena, VALUES_MAX * sizeof *f->value);
	f->pool = arena_alloc(arena, 16 * VALUES_MAX * sizeof *f->pool);
	f->arg = arena_alloc(arena, 8 * sizeof *f->arg);
	f->result = arena_alloc(arena, 8 * sizeof *f->result);
	return f;
}

/* Values that no result needs belong to no loop: the walk passes over them, as the writer must. */
static void drop_unused(Func *f)
{
	bool *needed = arena_alloc(f->arena, f->count);
	for (uint32_t i = 0; i < f->results; i++)
		needed[f->result[i]] = true;
	for (Ref r = f->count - 1; r > 0; r--) {
		for (uint32_t i = 0; needed[r] && f->value[r].op != IR_CONST && i < f->value[r].operands; i++)
			needed[ir_operands(f, r)[i]] = true;
		if (!needed[r])
			f->value[r].loop = UINT32_MAX;
	}
}

static void make_func(Program *p, Arena *arena, bool root)
{
	Maker m = { .program = p, .func = new_func(arena) };
	Func *f = m.func;
	f->id = p->funcs;
	f->name = "f";
	f->args = root ? 2 : draw(6);
	for (uint32_t i = 0; i < f->args; i++) {
		f->arg[i] = (FuncArg) { .name = "a", .kind = (uint8_t)draw(4), .width = (uint8_t)(1 + draw(4)), .role = ROLE_VALUE };
		if (root)
			f->arg[i] = i == 0 ? (FuncArg) { .name = "p", .kind = KIND_FLOAT, .width = p->domain, .role = ROLE_POSITION }
				: (FuncArg) { .name = "seed", .kind = KIND_UINT, .width = 1, .role = ROLE_SEED };
		offer(&m, add(f, IR_ARG, f->arg[i].kind, f->arg[i].width, i, NULL, 0));
	}
	for (uint32_t i = 0; i < p->uniforms; i++)
		offer(&m, add(f, IR_UNIFORM, p->uniform[i].type.kind, p->uniform[i].type.width, i, NULL, 0));
	for (uint32_t i = 0; root && i < p->inputs; i++)
		offer(&m, add(f, IR_INPUT, p->input[i].type.kind, p->input[i].type.width, i, NULL, 0));
	make_values(&m, 3 + draw(root ? 60 : 25));
	f->results = root ? p->outputs : 1;
	for (uint32_t i = 0; i < f->results; i++)
		f->result[i] = root ? choose(&m, p->output[i].type.kind, p->output[i].type.width) : m.choices > 0 ? m.choice[m.choices - 1 - draw(m.choices < 4 ? m.choices : 4)] : make_constant(&m, KIND_FLOAT, 2);
	drop_unused(f);
	p->func[p->funcs++] = f;
	p->root = f;
}

/* ---- the direct walk ---- */

typedef struct Cell { uint32_t lane[4]; } Cell;

typedef struct Sample {
	const Program *program;
	Cell uniform[4], input[4];
} Sample;

static void walk_values(const Sample *s, const Func *f, Ref loop, const Cell *arg, Cell *cell);

static void walk_loop(const Sample *s, const Func *f, Ref end, const Cell *arg, Cell *cell)
{
	const Ref *next = ir_operands(f, end);
	Ref loop = next[0];
	const Ref *first = ir_operands(f, loop);
	uint32_t carried = f->value[loop].operands - 1u, most = f->value[loop].imm != 0 ? f->value[loop].imm : 256;
	int32_t rounds = num_int(cell[first[0]].lane[0]);
	Cell now[5], then[5];
	for (uint32_t i = 0; i < carried; i++)
		now[i] = cell[first[i + 1]];
	for (int32_t round = 0; round < rounds && round < (int32_t)most; round++) {
		for (Ref r = loop; r < end; r++) {
			if (f->value[r].op == IR_INDEX && f->value[r].loop == loop)
				cell[r].lane[0] = (uint32_t)round;
			if (f->value[r].op == IR_CARRY && f->value[r].loop == loop)
				cell[r] = now[f->value[r].imm];
		}
		walk_values(s, f, loop, arg, cell);
		for (uint32_t i = 0; i < carried; i++)
			then[i] = cell[next[i + 1]];
		memcpy(now, then, sizeof now);
	}
	for (Ref r = end; r < f->count; r++)
		if (f->value[r].op == IR_OUT && ir_operands(f, r)[0] == end)
			cell[r] = now[f->value[r].imm];
}

static Cell walk_func(const Sample *s, const Func *f, const Cell *arg, Cell *results)
{
	Cell *cell = calloc(f->count, sizeof *cell);
	walk_values(s, f, 0, arg, cell);
	for (uint32_t i = 0; i < f->results; i++)
		results[i] = cell[f->result[i]];
	free(cell);
	return results[0];
}

static void walk_values(const Sample *s, const Func *f, Ref loop, const Cell *arg, Cell *cell)
{
	for (Ref r = 1; r < f->count; r++) {
		const Value *v = &f->value[r];
		const Ref *from = ir_operands(f, r);
		Cell passed[8], result[1];
		if (v->loop != loop)
			continue;
		switch (v->op) {
		case IR_CONST: memcpy(cell[r].lane, from, v->width * sizeof *from); break;
		case IR_ARG: cell[r] = arg[v->imm]; break;
		case IR_UNIFORM: cell[r] = s->uniform[v->imm]; break;
		case IR_INPUT: cell[r] = s->input[v->imm]; break;
		case IR_LANE: cell[r].lane[0] = cell[from[0]].lane[v->imm]; break;
		case IR_END: walk_loop(s, f, r, arg, cell); break;
		case IR_LOOP: case IR_INDEX: case IR_CARRY: case IR_OUT: break;
		case IR_VEC:
			for (int i = 0; i < v->width; i++)
				cell[r].lane[i] = cell[from[i]].lane[0];
			break;
		case IR_CALL:
			for (uint32_t i = 0; i < v->operands; i++)
				passed[i] = cell[from[i]];
			cell[r] = walk_func(s, s->program->func[v->imm], passed, result);
			break;
		default:
			for (int i = 0; i < v->width; i++)
				cell[r].lane[i] = op_fold((Op)v->op, cell[from[0]].lane[i],
					v->operands > 1 ? cell[from[1]].lane[i] : 0, v->operands > 2 ? cell[from[2]].lane[i] : 0);
		}
	}
}

/* ---- comparing ---- */

static uint32_t canonical(uint32_t kind, uint32_t bits)
{
	bool nan = kind == KIND_FLOAT && (bits & 0x7fffffffu) > 0x7f800000u;
	return nan ? 0x7fc00000u : bits;
}

static void compare(const Program *p, const nz_program *loaded, uint32_t block)
{
	size_t size = nz_measure_evaluator(loaded, block);
	void *memory = malloc(size);
	nz_evaluator *e;
	float axis[4][SAMPLES];
	const float *axes[4] = { axis[0], axis[1], axis[2], axis[3] };
	uint32_t input[3][SAMPLES], output[4][4][SAMPLES];
	nz_input_data inputs[2] = { { .array = { input[0] } }, { .array = { input[1], input[2] } } };
	nz_output_data outputs[4];
	uint32_t seed = 12345;
	assert_int_equal(nz_place_evaluator(loaded, block, memory, size, &e), NZ_OK);
	nz_set_seed(e, seed);
	for (int i = 0; i < SAMPLES; i++) {
		for (int a = 0; a < 4; a++)
			axis[a][i] = (float)((i * (7 + a)) % 41) * 0.37f - 6.0f;
		input[0][i] = (uint32_t)i * 2654435761u;
		input[1][i] = num_bits((float)i);
		input[2][i] = num_bits(-0.5f * (float)i);
	}
	for (int i = 0; i < 4; i++)
		for (int lane = 0; lane < 4; lane++)
			outputs[i].array[lane] = output[i][lane];
	assert_int_equal(nz_evaluate_points(e, SAMPLES, axes, inputs, outputs), NZ_OK);
	free(memory);
	for (int i = 0; i < SAMPLES; i++) {
		Sample s = { .program = p, .uniform = { { { 3 } }, { { num_bits(0.75f), num_bits(2.0f) } } } };
		Cell arg[2] = { { { 0 } }, { { seed } } }, result[8];
		s.input[0].lane[0] = input[0][i];
		s.input[1].lane[0] = input[1][i];
		s.input[1].lane[1] = input[2][i];
		for (int a = 0; a < p->domain; a++)
			arg[0].lane[a] = num_bits(axis[a][i]);
		walk_func(&s, p->root, arg, result);
		for (uint32_t o = 0; o < p->outputs; o++)
			for (int lane = 0; lane < p->output[o].type.width; lane++)
				assert_int_equal(canonical(p->output[o].type.kind, output[o][lane][i]), canonical(p->output[o].type.kind, result[o].lane[lane]));
	}
}

static void random_programs(void **unused)
{
	(void)unused;
	for (uint32_t i = 0; i < PROGRAMS; i++) {
		Arena *arena = arena_new();
		Func *funcs[8];
		Uniform uniform[2] = { { .name = "n", .type = { KIND_INT, 1, NULL }, .value = { 3 }, .ranged = true, .high = { 5 } },
			{ .name = "v", .doc = "Two.", .type = { KIND_FLOAT, 2, NULL }, .value = { num_bits(0.75f), num_bits(2.0f) } } };
		Input input[2] = { { .name = "k", .type = { KIND_UINT, 1, NULL } }, { .name = "w", .type = { KIND_FLOAT, 2, NULL } } };
		Output output[4];
		state = 0x9E3779B97F4A7C15u * (i + 1);
		Program p = { .arena = arena, .name = "random", .domain = (uint8_t)(1 + draw(4)), .func = funcs,
			.uniform = uniform, .uniforms = 2, .input = input, .inputs = 2, .output = output, .outputs = 1 + draw(4) };
		for (uint32_t o = 0; o < p.outputs; o++)
			output[o] = (Output) { .name = "out", .type = { (uint8_t)draw(4), (uint8_t)(1 + draw(4)), NULL }, .bounds = { -1.0f, 1.0f } };
		for (uint32_t helpers = draw(5); helpers > 0; helpers--)
			make_func(&p, arena, false);
		make_func(&p, arena, true);
		Text blob = { .arena = arena }, dump = { .arena = arena };
		slots_write(arena, &p, &blob);
		slots_dump(arena, &p, &dump);
		nz_program *loaded;
		const char *why;
		nz_status status = nz_load_program(blob.data, blob.size, NULL, &loaded, &why);
		if (status != NZ_OK)
			fail_msg("program %u: %s", i, why);
		static const uint32_t blocks[] = { 1, 7, 64, 128 };
		if (nz_describe_program(loaded)->cost < 5000)
			for (int b = 0; b < 4; b++)
				compare(&p, loaded, blocks[b]);
		nz_free_program(loaded);
		arena_free(arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(random_programs) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
