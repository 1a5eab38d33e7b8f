/* The one door through which values are built: it folds constants with the runtime's own functions,
   applies identities that keep every bit, and shares equal values. A constant comes out only where all
   operands are constants, so "known at compile time" means the same with and without optimisation;
   rewrites that go further wait for Func.level 2, which passes set. */
#include <assert.h>
#include <string.h>

#include "cc.h"
#include "../runtime/num.h"

const OpInfo op_info[OP_COUNT] = {
#define ARITY(B, C) (1 + ((#B)[0] != 'v') + ((#C)[0] != 'v'))
#define OP(ID, NAME, R, A, B, C, FLAGS, MEANING, SHADER, VSHADER, RANGE, DOC) \
	[OP_##ID] = { #ID, NAME, (#R)[0], { (#A)[0], (#B)[0], (#C)[0] }, ARITY(B, C), FLAGS, SHADER, VSHADER, DOC },
#include "../runtime/ops.def"
#undef OP
};

/* ---- folding ---- */

typedef uint32_t word_b, word_u, word_w, word_v;
typedef int32_t word_i;
typedef float word_f;
#define get_b(x) (x)
#define get_u(x) (x)
#define get_w(x) (x)
#define get_v(x) (x)
#define get_i(x) num_int(x)
#define get_f(x) num_from_bits(x)
#define put_b(x) ((uint32_t)((x) ? 1u : 0u))
#define put_u(x) ((uint32_t)(x))
#define put_w(x) ((uint32_t)(x))
#define put_i(x) num_uint(x)
#define put_f(x) num_bits(x)

#define OP(ID, NAME, R, A, B, C, FLAGS, MEANING, SHADER, VSHADER, RANGE, DOC) \
static uint32_t fold_##ID(uint32_t x, uint32_t y, uint32_t z) \
{ \
	word_##A a = get_##A(x); \
	word_##B b = get_##B(y); \
	word_##C c = get_##C(z); \
	(void)a; (void)b; (void)c; \
	return put_##R(MEANING); \
}
#include "../runtime/ops.def"
#undef OP

uint32_t op_fold(Op op, uint32_t a, uint32_t b, uint32_t c)
{
	static uint32_t (*const fold[OP_COUNT])(uint32_t, uint32_t, uint32_t) = {
#define OP(ID, ...) [OP_##ID] = fold_##ID,
#include "../runtime/ops.def"
#undef OP
	};
	return fold[op](a, b, c);
}

/* ---- storage ---- */

Func *ir_func_new(Arena *arena)
{
	return ir_func_sized(arena, 16, 32);    /* most functions are small, and there are many */
}

Func *ir_func_sized(Arena *arena, uint32_t values, uint32_t words)
{
	Func *f = arena_alloc(arena, sizeof *f);
	f->arena = arena;
	f->capacity = values;
	f->value = arena_alloc(arena, f->capacity * sizeof *f->value);
	f->count = 1;
	f->pool_capacity = words;
	f->pool = arena_alloc(arena, f->pool_capacity * sizeof *f->pool);
	f->table_size = 8;
	while (f->table_size < 2 * values)
		f->table_size *= 2;
	f->table = arena_alloc(arena, f->table_size * sizeof *f->table);
	return f;
}

Func *ir_func_like(const Func *from)
{
	Func *to = ir_func_sized(from->arena, from->count + 1, from->pool_size + 1);
	to->id = from->id;
	to->name = from->name;
	to->doc = from->doc;
	to->library = from->library;
	to->local = from->local;
	to->results = from->results;
	to->result = arena_alloc(from->arena, (from->results + 1) * sizeof *to->result);
	to->arg = arena_alloc(from->arena, (from->args + 1) * sizeof *to->arg);
	for (uint32_t i = 0; i < from->args; i++)
		to->arg[i] = from->arg[i];
	to->args = to->arg_capacity = from->args;
	return to;
}

const uint32_t *ir_bits(const Func *f, Ref r)
{
	assert(ir_is_const(f, r));
	return f->pool + f->value[r].first;
}

static uint32_t hash_value(const Value *v, const uint32_t *words)
{
	uint32_t h = (uint32_t)v->op * 0x9E3779B1u ^ ((uint32_t)v->kind << 8 | v->width) * 0x85EBCA77u ^ v->imm * 0xC2B2AE3Du;
	for (uint32_t i = 0; i < v->operands; i++)
		h = ((h ^ words[i]) * 0x27D4EB2Fu) ^ (h >> 15);
	return h ^ h >> 13;
}

static bool same_value(const Func *f, const Value *a, const Value *b, const uint32_t *words)
{
	return a->op == b->op && a->kind == b->kind && a->width == b->width && a->imm == b->imm
		&& a->operands == b->operands
		&& (b->operands == 0 || !memcmp(f->pool + a->first, words, b->operands * sizeof *words));
}

static void table_insert(Func *f, Ref r, uint32_t hash)
{
	uint32_t mask = f->table_size - 1, i = hash & mask;
	while (f->table[i])
		i = (i + 1) & mask;
	f->table[i] = r;
}

static void table_grow(Func *f)
{
	uint32_t old_size = f->table_size;
	uint32_t *old = f->table;
	f->table_size *= 2;
	f->table = arena_alloc(f->arena, f->table_size * sizeof *f->table);
	for (uint32_t i = 0; i < old_size; i++)
		if (old[i])
			table_insert(f, old[i], hash_value(&f->value[old[i]], f->pool + f->value[old[i]].first));
}

static Ref find(const Func *f, const Value *v, const uint32_t *words, uint32_t hash)
{
	uint32_t mask = f->table_size - 1;
	for (uint32_t i = hash & mask; f->table[i]; i = (i + 1) & mask)
		if (same_value(f, &f->value[f->table[i]], v, words))
			return f->table[i];
	return 0;
}

/* The innermost loop on which a value depends. Inner loops open after outer ones, so the largest header. */
static Ref deepest_loop(const Func *f, const Value *v, const uint32_t *words)
{
	Ref loop = 0;
	if (v->op == IR_CONST || v->op == IR_ARG || v->op == IR_UNIFORM || v->op == IR_INPUT)
		return 0;
	if (v->op == IR_INDEX || v->op == IR_CARRY)
		return words[0];
	if (v->op == IR_END)
		return f->value[words[0]].loop;
	if (v->op == IR_LOOP)
		return f->open_loop;
	for (uint32_t i = 0; i < v->operands; i++)
		if (f->value[words[i]].loop > loop)
			loop = f->value[words[i]].loop;
	return loop;
}

static Ref append(Func *f, Value v, const uint32_t *words, uint32_t hash)
{
	if (f->count == f->capacity) {
		f->value = arena_grow(f->arena, f->value, f->capacity * sizeof *f->value, 2u * f->capacity * sizeof *f->value);
		f->capacity *= 2;
	}
	while (f->pool_size + v.operands > f->pool_capacity) {
		f->pool = arena_grow(f->arena, f->pool, f->pool_capacity * sizeof *f->pool, 2u * f->pool_capacity * sizeof *f->pool);
		f->pool_capacity *= 2;
	}
	v.loop = deepest_loop(f, &v, words);
	v.first = f->pool_size;
	if (v.operands)
		memcpy(f->pool + f->pool_size, words, v.operands * sizeof *words);
	f->pool_size += v.operands;
	f->value[f->count] = v;
	if (2 * (f->table_used + 1) > f->table_size)
		table_grow(f);
	f->table_used++;
	table_insert(f, f->count, hash);
	return f->count++;
}

static Ref intern(Func *f, Value v, const uint32_t *words)
{
	uint32_t hash = hash_value(&v, words);
	Ref r = find(f, &v, words, hash);
	return r ? r : append(f, v, words, hash);
}

Ref ir_place(Func *f, Value v, const uint32_t *words, Ref home)
{
	Ref r = append(f, v, words, hash_value(&v, words));
	f->value[r].loop = home;
	return r;
}

/* Rewrites inside rewrites: enough for the keys of a lattice, and a bound where values share parts many times over. */
enum { REWRITES = 6 };

/* ---- identities: each keeps every bit (a zero's sign aside, which nothing can observe) ---- */

static bool is_splat(const Func *f, Ref r, uint32_t bits)
{
	if (!ir_is_const(f, r))
		return false;
	for (int i = 0; i < f->value[r].width; i++)
		if (ir_bits(f, r)[i] != bits)
			return false;
	return true;
}

/* 1/x where x is a power of two whose inverse is a normal float too: then x*y and y/x round alike. */
static bool power_of_two_inverse(const Func *f, Ref r, uint32_t *inverse)
{
	if (!ir_is_const(f, r))
		return false;
	for (int i = 0; i < f->value[r].width; i++) {
		uint32_t bits = ir_bits(f, r)[i], exponent = bits >> 23 & 0xffu;
		if (bits & 0x7fffffu || exponent < 1 || exponent > 253)
			return false;
		inverse[i] = (bits & 0x80000000u) | (254u - exponent) << 23;
	}
	return true;
}

static Ref rewrite_row(Func *f, Op op, const Ref *o)
{
	const uint32_t one = 0x3f800000u, zero = 0, minus_zero = 0x80000000u;
	uint32_t inverse[4];
	switch (op) {
	case OP_COPY:
		return o[0];
	case OP_SELECT:
		if (is_splat(f, o[0], 1))
			return o[1];
		if (is_splat(f, o[0], 0))
			return o[2];
		return o[1] == o[2] && (f->level >= 2 || !ir_is_const(f, o[1])) ? o[1] : 0;
	case OP_FADD:
		if (is_splat(f, o[0], zero) || is_splat(f, o[0], minus_zero))
			return o[1];
		return is_splat(f, o[1], zero) || is_splat(f, o[1], minus_zero) ? o[0] : 0;
	case OP_FSUB:
		return is_splat(f, o[1], zero) || is_splat(f, o[1], minus_zero) ? o[0] : 0;
	case OP_FMUL:
		if (is_splat(f, o[0], one))
			return o[1];
		return is_splat(f, o[1], one) ? o[0] : 0;
	case OP_FDIV:
		if (is_splat(f, o[1], one))
			return o[0];
		if (power_of_two_inverse(f, o[1], inverse))
			return ir_op(f, OP_FMUL, o[0], ir_const(f, KIND_FLOAT, f->value[o[1]].width, inverse), 0);
		return 0;
	case OP_FNEG: case OP_INEG: case OP_UNEG: case OP_INOT: case OP_UNOT: case OP_BNOT:
		return f->value[o[0]].op == op ? ir_operands(f, o[0])[0] : 0;
	case OP_IADD: case OP_UADD: case OP_IXOR: case OP_UXOR: case OP_IOR: case OP_UOR:
		if (is_splat(f, o[0], 0))
			return o[1];
		return is_splat(f, o[1], 0) ? o[0] : 0;
	case OP_ISUB: case OP_USUB: case OP_ISHL: case OP_ISHR: case OP_USHL: case OP_USHR:
		return is_splat(f, o[1], 0) ? o[0] : 0;
	case OP_IMUL: case OP_UMUL:
		if (is_splat(f, o[0], 1))
			return o[1];
		return is_splat(f, o[1], 1) ? o[0] : 0;
	case OP_BAND:
		return is_splat(f, o[0], 1) ? o[1] : is_splat(f, o[1], 1) ? o[0] : 0;
	case OP_BOR:
		return is_splat(f, o[0], 0) ? o[1] : is_splat(f, o[1], 0) ? o[0] : 0;
	case OP_UTOI:
		return f->value[o[0]].op == OP_ITOU ? ir_operands(f, o[0])[0] : 0;
	case OP_ITOU:
		return f->value[o[0]].op == OP_UTOI ? ir_operands(f, o[0])[0] : 0;
	default:
		return 0;
	}
}

/* The step to a neighbouring lattice point: a constant, a choice between two, or a sum of such. */
static bool is_step_within(const Func *f, Ref r, int depth)
{
	const Ref *o = ir_operands(f, r);
	switch (f->value[r].op) {
	case IR_CONST: return true;
	case OP_SELECT: return ir_is_const(f, o[1]) && ir_is_const(f, o[2]);
	case OP_IADD: case OP_UADD: return depth > 0 && is_step_within(f, o[0], depth - 1) && is_step_within(f, o[1], depth - 1);
	default: return false;
	}
}

static bool is_step(const Func *f, Ref r) { return is_step_within(f, r, 3); }

/* Level 2. Keys of neighbouring lattice points share their multiplication: in wrapping arithmetic
   (a + step) * k = a*k + step*k, where step*k is a constant, a choice or a sum again. */
static Ref rewrite_keys(Func *f, Op op, const Ref *o)
{
	const Value *a = &f->value[o[0]];
	if (op != OP_ITOU && !(op == OP_UMUL && ir_is_const(f, o[1])))
		return 0;
	Ref k = op == OP_UMUL ? o[1] : 0, left = a->operands > 0 ? ir_operands(f, o[0])[0] : 0;
	Ref right = a->operands > 1 && a->op < OP_COUNT ? ir_operands(f, o[0])[1] : 0;
	if (f->rewriting > REWRITES)
		return 0;
	if (a->op == OP_SELECT && is_step(f, o[0])) {
		Ref other = ir_operands(f, o[0])[2];
		right = ir_op(f, op, right, k, 0);
		return ir_op(f, OP_SELECT, left, right, ir_op(f, op, other, k, 0));
	}
	if (a->op != (op == OP_ITOU ? OP_IADD : OP_UADD) || !(is_step(f, right) || is_step(f, left)))
		return 0;
	f->rewriting++;
	left = ir_op(f, op, left, k, 0);
	right = ir_op(f, op, right, k, 0);
	f->rewriting--;
	return ir_op(f, OP_UADD, left, right, 0);
}

static Ref fold_row(Func *f, const Value *v, const Ref *o)
{
	uint32_t bits[4];
	for (uint32_t i = 0; i < v->operands; i++)
		if (!ir_is_const(f, o[i]))
			return 0;
	for (int lane = 0; lane < v->width; lane++) {
		uint32_t w[3] = { 0, 0, 0 };
		for (uint32_t i = 0; i < v->operands; i++)
			w[i] = ir_bits(f, o[i])[f->value[o[i]].width == 1 ? 0 : lane];
		bits[lane] = op_fold((Op)v->op, w[0], w[1], w[2]);
		/* The folder's answer must be one that every backend can hold and print. */
		if (v->kind == KIND_FLOAT && (bits[lane] & 0x7f800000u) == 0x7f800000u)
			return 0;
	}
	return ir_const(f, (Kind)v->kind, v->width, bits);
}

/* Level 2. An operation on constants and one choice between constants is a choice between results. */
static Ref fold_through_choice(Func *f, const Value *v, const Ref *o)
{
	uint32_t at = v->operands;
	Ref yes[3] = { 0, 0, 0 }, no[3] = { 0, 0, 0 };
	if (v->op == OP_SELECT || v->op == OP_WITHIN)
		return 0;
	for (uint32_t i = 0; i < v->operands; i++) {
		yes[i] = no[i] = o[i];
		if (ir_is_const(f, o[i]))
			continue;
		const Ref *s = ir_operands(f, o[i]);
		if (at < v->operands || f->value[o[i]].op != OP_SELECT || !ir_is_const(f, s[1]) || !ir_is_const(f, s[2]))
			return 0;
		at = i;
		yes[i] = s[1];
		no[i] = s[2];
	}
	Ref a = fold_row(f, v, yes), b = a ? fold_row(f, v, no) : 0;
	return b ? ir_op(f, OP_SELECT, ir_operands(f, o[at])[0], a, b) : 0;
}

static Ref rewrite_vec(Func *f, const Value *v, const Ref *o)
{
	uint32_t bits[4];
	bool constant = true, whole = true;
	for (int i = 0; i < v->width; i++) {
		constant = constant && ir_is_const(f, o[i]);
		whole = whole && f->value[o[i]].op == IR_LANE && f->value[o[i]].imm == (uint32_t)i
			&& ir_operands(f, o[i])[0] == ir_operands(f, o[0])[0];
	}
	if (constant) {
		for (int i = 0; i < v->width; i++)
			bits[i] = ir_bits(f, o[i])[0];
		return ir_const(f, (Kind)v->kind, v->width, bits);
	}
	if (whole && f->value[ir_operands(f, o[0])[0]].width == v->width)
		return ir_operands(f, o[0])[0];
	return 0;
}

static Ref rewrite_lane(Func *f, const Value *v, Ref of)
{
	const Value *a = &f->value[of];
	if (a->width == 1)
		return of;
	if (a->op == IR_CONST)
		return ir_const(f, (Kind)a->kind, 1, ir_bits(f, of) + v->imm);
	if (a->op == IR_VEC)
		return ir_operands(f, of)[v->imm];
	if (f->level < 2 || f->rewriting > REWRITES || a->op >= OP_COUNT || (a->kind != KIND_INT && a->kind != KIND_UINT))
		return 0;
	Ref lanes[3] = { 0, 0, 0 };
	Op op = (Op)a->op;
	uint32_t operands = a->operands, lane = v->imm;
	bool useful = false;
	for (uint32_t i = 0; i < operands; i++) {
		const Value *w = &f->value[ir_operands(f, of)[i]];
		useful = useful || w->op == IR_VEC || is_step(f, ir_operands(f, of)[i]);
	}
	if (!useful && op != OP_ITOU && op != OP_UTOI)
		return 0;
	f->rewriting++;
	for (uint32_t i = 0; i < operands; i++)
		lanes[i] = ir_lane(f, ir_operands(f, of)[i], (int)lane);
	f->rewriting--;
	return ir_op(f, op, lanes[0], lanes[1], lanes[2]);
}

Ref ir_value(Func *f, Op op, Kind kind, int width, uint32_t imm, const Ref *operands, uint32_t count)
{
	Value v = { .op = (uint8_t)op, .kind = (uint8_t)kind, .width = (uint8_t)width, .imm = imm, .operands = (uint8_t)count };
	Ref r = 0;
	assert(count <= 255);
	if (op < OP_COUNT) {
		r = fold_row(f, &v, operands);
		if (!r)
			r = rewrite_row(f, op, operands);
		if (!r && f->level >= 2)
			r = fold_through_choice(f, &v, operands);
		if (!r && f->level >= 2)
			r = rewrite_keys(f, op, operands);
		if (!r && op_info[op].flags & COMMUTES) {
			Ref swapped[2] = { operands[1], operands[0] };
			r = find(f, &v, swapped, hash_value(&v, swapped));
		}
	} else if (op == IR_VEC) {
		r = rewrite_vec(f, &v, operands);
	} else if (op == IR_LANE) {
		r = rewrite_lane(f, &v, operands[0]);
	}
	return r ? r : intern(f, v, operands);
}

Ref ir_loop(Func *f, uint32_t most, const Ref *operands, uint32_t count)
{
	Value v = { .op = IR_LOOP, .kind = KIND_INT, .width = 1, .imm = most, .operands = (uint8_t)count };
	return append(f, v, operands, hash_value(&v, operands));
}

/* ---- conveniences ---- */

static Kind letter_kind(char letter)
{
	return letter == 'b' ? KIND_BOOL : letter == 'i' ? KIND_INT : letter == 'u' ? KIND_UINT : KIND_FLOAT;
}

Ref ir_op(Func *f, Op op, Ref a, Ref b, Ref c)
{
	const OpInfo *info = &op_info[op];
	Ref o[3] = { a, b, c };
	int width = f->value[a].width;
	for (int i = 1; i < info->arity; i++)
		if (f->value[o[i]].width > width)
			width = f->value[o[i]].width;
	for (int i = 0; i < info->arity; i++) {
		assert(o[i]);
		o[i] = ir_splat(f, o[i], width);
	}
	Kind kind = info->result == 'w' ? (Kind)f->value[o[info->arity == 3 ? 1 : 0]].kind : letter_kind(info->result);
	return ir_value(f, op, kind, width, 0, o, (uint32_t)info->arity);
}

Ref ir_const(Func *f, Kind kind, int width, const uint32_t *bits)
{
	Value v = { .op = IR_CONST, .kind = (uint8_t)kind, .width = (uint8_t)width, .operands = (uint8_t)width };
	uint32_t words[4];
	for (int i = 0; i < width; i++)
		words[i] = kind == KIND_FLOAT && bits[i] == 0x80000000u ? 0u : bits[i];
	return intern(f, v, words);
}

Ref ir_float(Func *f, float x) { uint32_t u = num_bits(x); return ir_const(f, KIND_FLOAT, 1, &u); }
Ref ir_int(Func *f, int32_t x) { uint32_t u = num_uint(x); return ir_const(f, KIND_INT, 1, &u); }
Ref ir_uint(Func *f, uint32_t x) { return ir_const(f, KIND_UINT, 1, &x); }
Ref ir_bool(Func *f, bool x) { uint32_t u = x; return ir_const(f, KIND_BOOL, 1, &u); }

Ref ir_vec(Func *f, const Ref *lanes, int width)
{
	return width == 1 ? lanes[0] : ir_value(f, IR_VEC, (Kind)f->value[lanes[0]].kind, width, 0, lanes, (uint32_t)width);
}

Ref ir_lane(Func *f, Ref vector, int lane)
{
	assert(lane < f->value[vector].width);
	return ir_value(f, IR_LANE, (Kind)f->value[vector].kind, 1, (uint32_t)lane, &vector, 1);
}

Ref ir_splat(Func *f, Ref scalar, int width)
{
	Ref lanes[4] = { scalar, scalar, scalar, scalar };
	return f->value[scalar].width == width ? scalar : ir_vec(f, lanes, width);
}

Ref ir_arg(Func *f, const char *name, Kind kind, int width, ArgRole role, uint32_t index)
{
	if (f->args == f->arg_capacity) {
		uint32_t capacity = f->arg_capacity ? 2 * f->arg_capacity : 2;
		f->arg = arena_grow(f->arena, f->arg, f->arg_capacity * sizeof *f->arg, capacity * sizeof *f->arg);
		f->arg_capacity = capacity;
	}
	f->arg[f->args] = (FuncArg){ .name = name, .kind = (uint8_t)kind, .width = (uint8_t)width, .role = role, .index = index };
	Ref r = ir_value(f, IR_ARG, kind, width, f->args++, NULL, 0);
	f->value[r].name = name;
	return r;
}
