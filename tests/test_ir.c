/* Promise: the door through which values are built keeps every bit. It folds only what is constant, shares
   equal values, and assumes nothing about operands that may be infinite or NaN; loops keep their rounds. */
#include <math.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <cmocka.h>

#include "cc.h"
#include "num.h"

typedef struct Bench { Arena *arena; Func *f; Ref x, n; } Bench;

static int set_up(void **state)
{
	static Bench bench;
	bench.arena = arena_new();
	if (!bench.arena || setjmp(*arena_guard(bench.arena)))
		return 1;
	bench.f = ir_func_new(bench.arena);
	bench.x = ir_arg(bench.f, "x", KIND_FLOAT, 1, ROLE_VALUE, 0);
	bench.n = ir_arg(bench.f, "n", KIND_INT, 1, ROLE_VALUE, 1);
	*state = &bench;
	return 0;
}

static int tear_down(void **state)
{
	arena_free(((Bench *)*state)->arena);
	return 0;
}

static bool is_float(const Func *f, Ref r, float x) { return ir_is_const(f, r) && ir_bits(f, r)[0] == num_bits(x); }

/* x may be infinite or NaN, where x*0 and x-x are NaN: they stay what they are at every level */
static void products_with_zero_are_not_assumed(void **state)
{
	Bench *b = *state;
	for (b->f->level = 0; b->f->level <= 2; b->f->level += 2) {
		Ref zero = ir_float(b->f, 0.0f);
		assert_int_equal(b->f->value[ir_op(b->f, OP_FMUL, b->x, zero, 0)].op, OP_FMUL);
		assert_int_equal(b->f->value[ir_op(b->f, OP_FMUL, zero, b->x, 0)].op, OP_FMUL);
		assert_int_equal(b->f->value[ir_op(b->f, OP_FSUB, b->x, b->x, 0)].op, OP_FSUB);
		assert_int_equal(b->f->value[ir_op(b->f, OP_FDIV, b->x, b->x, 0)].op, OP_FDIV);
		assert_int_equal(b->f->value[ir_op(b->f, OP_FEQ, b->x, b->x, 0)].op, OP_FEQ);
	}
}

/* what is known at compile time may not depend on what an identity finds out */
static void constants_come_from_constants_alone(void **state)
{
	Bench *b = *state;
	Func *f = b->f;
	Ref zero = ir_int(f, 0);
	assert_false(ir_is_const(f, ir_op(f, OP_IMUL, b->n, zero, 0)));
	assert_false(ir_is_const(f, ir_op(f, OP_IAND, b->n, zero, 0)));
	assert_false(ir_is_const(f, ir_op(f, OP_ISUB, b->n, b->n, 0)));
	Ref truth = ir_op(f, OP_IEQ, b->n, zero, 0), one = ir_float(f, 1.0f);
	assert_false(ir_is_const(f, ir_op(f, OP_SELECT, truth, one, one)));
}

static void identities_that_keep_bits_are_applied(void **state)
{
	Bench *b = *state;
	Func *f = b->f;
	Ref zero = ir_float(f, 0.0f), one = ir_float(f, 1.0f);
	assert_int_equal(ir_op(f, OP_FADD, b->x, zero, 0), b->x);
	assert_int_equal(ir_op(f, OP_FMUL, one, b->x, 0), b->x);
	assert_int_equal(ir_op(f, OP_FDIV, b->x, one, 0), b->x);
	assert_int_equal(ir_op(f, OP_FNEG, ir_op(f, OP_FNEG, b->x, 0, 0), 0, 0), b->x);
	assert_int_equal(ir_op(f, OP_SELECT, ir_bool(f, true), b->x, one), b->x);
	/* a power of two divides by multiplying; its inverse must be a normal float too */
	Ref eighth = ir_op(f, OP_FDIV, b->x, ir_float(f, 8.0f), 0);
	assert_int_equal(f->value[eighth].op, OP_FMUL);
	assert_true(is_float(f, ir_operands(f, eighth)[1], 0.125f));
	assert_int_equal(f->value[ir_op(f, OP_FDIV, b->x, ir_float(f, 3.0f), 0)].op, OP_FDIV);
	assert_int_equal(f->value[ir_op(f, OP_FDIV, b->x, ir_float(f, ldexpf(1.0f, 127)), 0)].op, OP_FDIV);
}

static void folding_is_the_meaning_of_the_row_and_never_makes_infinities(void **state)
{
	Bench *b = *state;
	Func *f = b->f;
	assert_true(is_float(f, ir_op(f, OP_FDIV, ir_float(f, 1.0f), ir_float(f, 3.0f), 0), 1.0f / 3.0f));
	assert_true(is_float(f, ir_op(f, OP_FDIV, ir_float(f, 1.0f), ir_float(f, 0.0f), 0), 0.0f));
	assert_true(is_float(f, ir_op(f, OP_FROUND, ir_float(f, 2.5f), 0, 0), 2.0f));
	Ref huge = ir_float(f, 3e38f);
	assert_int_equal(f->value[ir_op(f, OP_FMUL, huge, huge, 0)].op, OP_FMUL);
	assert_true(ir_bits(f, ir_op(f, OP_FTOI, huge, 0, 0))[0] == 0x7fffffffu);
}

static void equal_values_are_one(void **state)
{
	Bench *b = *state;
	Func *f = b->f;
	Ref y = ir_op(f, OP_FADD, b->x, ir_float(f, 2.0f), 0);
	assert_int_equal(ir_op(f, OP_FADD, ir_float(f, 2.0f), b->x, 0), y);             /* either order */
	assert_int_not_equal(ir_op(f, OP_FSUB, b->x, y, 0), ir_op(f, OP_FSUB, y, b->x, 0));
	Ref lanes[2] = { b->x, y }, pair = ir_vec(f, lanes, 2);
	assert_int_equal(ir_lane(f, pair, 1), y);
	Ref again[2] = { ir_lane(f, pair, 0), ir_lane(f, pair, 1) };
	assert_int_equal(ir_vec(f, again, 2), pair);
}

/* keys of neighbouring lattice points share one multiplication, with the same bits */
static void neighbouring_keys_share_their_product(void **state)
{
	Bench *b = *state;
	Func *f = b->f;
	f->level = 2;
	Ref k = ir_uint(f, 0x9E3779B1u), here = ir_op(f, OP_UMUL, ir_op(f, OP_ITOU, b->n, 0, 0), k, 0);
	Ref beside = ir_op(f, OP_UMUL, ir_op(f, OP_ITOU, ir_op(f, OP_IADD, b->n, ir_int(f, -1), 0), 0, 0), k, 0);
	assert_int_equal(f->value[beside].op, OP_UADD);
	assert_int_equal(ir_operands(f, beside)[0], here);
	assert_true(ir_bits(f, ir_operands(f, beside)[1])[0] == 0u - 0x9E3779B1u);
}

/* what does not depend on a loop stands outside of it; equal loops are not mixed up */
static void values_belong_to_the_loop_they_depend_on(void **state)
{
	Bench *b = *state;
	Func *f = b->f;
	Ref open[2] = { ir_int(f, 4), ir_float(f, 0.0f) };
	Ref loop = ir_loop(f, 4, open, 2), other = ir_loop(f, 4, open, 2);
	assert_int_not_equal(loop, other);
	f->open_loop = loop;
	Ref sum = ir_value(f, IR_CARRY, KIND_FLOAT, 1, 0, &loop, 1);
	Ref outside = ir_op(f, OP_FMUL, b->x, b->x, 0), inside = ir_op(f, OP_FADD, sum, outside, 0);
	f->open_loop = 0;
	Ref close[2] = { loop, inside }, end = ir_value(f, IR_END, KIND_INT, 1, 0, close, 2);
	Ref out = ir_value(f, IR_OUT, KIND_FLOAT, 1, 0, &end, 1);
	assert_int_equal(f->value[outside].loop, 0);
	assert_int_equal(f->value[inside].loop, loop);
	assert_int_equal(f->value[out].loop, 0);
}

/* the largest int becomes 2^31 as a float, which no longer fits an int: the conversion back must saturate */
static void ranges_round_as_the_operations_do(void **state)
{
	Bench *b = *state;
	Func *f = b->f;
	Program p = { .arena = b->arena, .domain = 1, .root = f, .func = &f, .funcs = 1 };
	Ref back = ir_op(f, OP_ITOF, ir_op(f, OP_IMAX, b->n, ir_int(f, 1), 0), 0, 0);
	Range r = range_of(&p, f, back, true);
	assert_true(r.low == 1.0 && r.high == 2147483648.0);
	Bounds outward = range_bounds((Range){ -16777217.0, 16777217.0, false });
	assert_true(outward.low == -16777218.0f && outward.high == 16777218.0f);
	/* a root or a remainder may meet NaN and infinities */
	Range root = range_of(&p, f, ir_op(f, OP_FSQRT, ir_op(f, OP_FMAX, ir_float(f, 4.0f), b->x, 0), 0, 0), false);
	assert_true(root.low == 0.0 && !root.nan);
	assert_true(range_of(&p, f, ir_op(f, OP_FMOD, ir_float(f, 1.0f), b->x, 0), false).nan);
}

/* an output that is not cleaned, because its clamp turns NaN into a number, keeps a clamp that does so, also where a
   cleaning was idle and goes; where cleaning follows, the built-in will do */
static void a_clamp_that_a_proof_rests_on_stays_proof_against_nan(void **state)
{
	Bench *b = *state;
	enum { PLAIN, IDLY_CLEANED, CLEANED };
	for (int way = PLAIN; way <= CLEANED; way++) {
		Func *f = ir_func_new(b->arena);
		Ref at = ir_arg(f, "p", KIND_FLOAT, 1, ROLE_POSITION, 0);
		Ref low = ir_op(f, OP_FMAX, at, ir_float(f, 0.0f), 0), result = ir_op(f, OP_FMIN, low, ir_float(f, 1.0f), 0);
		if (way == CLEANED)
			result = ir_op(f, OP_FADD, result, at, 0);
		if (way != PLAIN)
			result = ir_op(f, OP_FCLEAN, result, 0, 0);
		Func *list[1] = { f };
		Program p = { .arena = b->arena, .domain = 1, .root = f, .func = list, .funcs = 1, .func_capacity = 1 };
		f->result = &result;
		f->results = 1;
		pass_sharpen(&p);
		bool proof = false, cleaning = false;
		for (Ref r = 1; r < p.root->count; r++) {
			proof = proof || p.root->value[r].op == OP_FMAX;
			cleaning = cleaning || p.root->value[r].op == OP_FCLEAN;
		}
		assert_int_equal(proof, way != CLEANED);
		assert_int_equal(cleaning, way == CLEANED);
	}
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		CASE(products_with_zero_are_not_assumed), CASE(constants_come_from_constants_alone), CASE(identities_that_keep_bits_are_applied),
		CASE(folding_is_the_meaning_of_the_row_and_never_makes_infinities), CASE(equal_values_are_one),
		CASE(neighbouring_keys_share_their_product), CASE(ranges_round_as_the_operations_do),
		CASE(a_clamp_that_a_proof_rests_on_stays_proof_against_nan), CASE(values_belong_to_the_loop_they_depend_on)
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
