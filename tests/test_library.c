/* The library as a walk. What is tested is read from library/ itself: every function, in every dimension of p
   that it is defined for, with every enumerator of its enums, on fields of several types, with its other
   arguments left out, known, given as params and varying. Nothing here names a function of the library. */
#include <stdarg.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "cc.h"
#include "diff.h"
#include "walk.h"
#include "noisert.h"

enum {
	POINTS = 1024, FEW_POINTS = 256,        /* compared per program and way; few where samples are dear */
	DEAR = 20000,                           /* operations of one sample */
	RANGE_POINTS = 4096,                    /* per program, for the ranges */
	OUTPUTS = 12                            /* of one program: a shader has 16 buffers */
};

/* ---- ranges ---- */

static double value_of(nz_word word, nz_kind kind)
{
	return kind == NZ_FLOAT ? (double)word.f : kind == NZ_INT ? (double)(float)word.i : (double)(float)word.u;
}

/* Every result lies in the range that was proved, and in the one its function states. *cost: of one sample. */
static size_t check_ranges(Walk *w, const Call *calls, size_t count, uint64_t *cost)
{
	static float axis[4][RANGE_POINTS];
	static nz_word words[OUTPUTS][4][RANGE_POINTS];
	const char *text = walk_program(w->lib.arena, calls, count), *data, *why = NULL;
	nz_emit_options options = { .target = "program" };
	nz_module *m = NULL;
	nz_program *program = NULL;
	nz_evaluator *e;
	uint32_t state = 4242;
	size_t size, outside = 0;
	assert_int_equal(nz_compile_module("ranges", text, strlen(text), NULL, &m), NZ_OK);
	assert_int_equal(nz_emit_target(m, &options, &data, &size), NZ_OK);
	assert_int_equal(nz_load_program(data, size, NULL, &program, &why), NZ_OK);
	const nz_program_info *info = nz_describe_program(program);
	*cost = info->cost;
	for (size_t i = 0; i < RANGE_POINTS; i++) {
		float scale = i % 4 == 0 ? 1.0f : i % 4 == 1 ? 10.0f : i % 4 == 2 ? 1000.0f : 1e5f;
		for (int a = 0; a < 4; a++) {
			state = state * 1664525u + 1013904223u;
			axis[a][i] = ((float)(state >> 8) * (1.0f / 8388608.0f) - 1.0f) * scale;
		}
	}
	size = nz_measure_evaluator(program, 128);
	void *memory = malloc(size);
	assert_non_null(memory);
	assert_int_equal(nz_place_evaluator(program, 128, memory, size, &e), NZ_OK);
	nz_set_seed(e, 77);
	const float *position[4] = { axis[0], axis[1], axis[2], axis[3] };
	nz_output_data outputs[OUTPUTS] = { { { NULL } } };
	for (uint32_t o = 0; o < info->output_count; o++)
		for (uint32_t k = 0; k < info->outputs[o].type.width; k++)
			outputs[o].array[k] = words[o][k];
	assert_int_equal(nz_evaluate_points(e, RANGE_POINTS, position, NULL, outputs), NZ_OK);
	for (uint32_t o = 0; o < info->output_count; o++) {
		const nz_output *out = &info->outputs[o];
		const Decl *fn = calls[o].fn;
		double low, high;
		bool stated = number_of(fn->low, &low) && number_of(fn->high, &high);
		if (stated && ((double)out->low < low || (double)out->high > high)) {
			fprintf(stderr, "%s: proved in %g .. %g only\n", calls[o].text, (double)out->low, (double)out->high);
			outside++;
		}
		for (uint32_t k = 0; k < out->type.width; k++)
			for (size_t i = 0; i < RANGE_POINTS; i++) {
				double x = value_of(words[o][k][i], out->type.kind);
				if (x >= (double)out->low && x <= (double)out->high && (!stated || (x >= low && x <= high)))
					continue;
				fprintf(stderr, "%s is %.9g at %.9g %.9g %.9g %.9g, outside of %.9g .. %.9g\n", calls[o].text, x, (double)axis[0][i],
					(double)axis[1][i], (double)axis[2][i], (double)axis[3][i], (double)out->low, (double)out->high);
				outside++;
				break;
			}
	}
	free(memory);
	nz_free_program(program);
	nz_free_module(m);
	return outside;
}

/* ---- the tests ---- */

/* Promises: every function of the library gives the same bits in the interpreter and in its shader, in every
   dimension, with every option; and its results lie in the range that it states and the compiler proves. */
static void every_function_is_equal_everywhere(void **state)
{
	Walk w;
	Diff diff;
	size_t functions = 0, outside = 0, points = 0;
	(void)state;
	walk_open(&w);
	diff_open(&diff, POINTS);
	for (const Decl *d = w.lib.scope.first; d; d = d->next_in_scope)
		functions += d->kind == DECL_FN && first_of_its_name(&w.lib, d);
	for (int dimension = 1; dimension <= 4; dimension++) {
		size_t from = w.calls;
		for (const Decl *d = w.lib.scope.first; d; d = d->next_in_scope)
			if (d->kind == DECL_FN && first_of_its_name(&w.lib, d)) {
				const Decl *fn = overload_at(d, dimension);
				if (fn)
					walk_function(&w, fn, dimension);
			}
		for (size_t i = from; i < w.calls; i += OUTPUTS) {
			size_t count = w.calls - i < OUTPUTS ? w.calls - i : OUTPUTS;
			const char *text = walk_program(w.lib.arena, &w.call[i], count);
			uint64_t cost;
			outside += check_ranges(&w, &w.call[i], count, &cost);
			diff.points = cost > DEAR ? FEW_POINTS : POINTS;
			points += diff.points;
			if (diff_program(&diff, w.call[i].fn->name, text, false) != DIFF_EQUAL) {
				fprintf(stderr, "in this program:\n%s\n", text);
				w.failures++;
			}
		}
	}
	printf("library: %zu functions, %d noises, %zu calls, %zu outside of their range; %zu with limits compiled only\n",
		functions, w.noises, w.calls, outside, w.limited);
	diff.points = points / diff.programs;       /* the mean */
	diff_report(&diff, "library");
	assert_true(functions > 0 && w.calls > functions);
	assert_int_equal(diff.differing, 0);
	assert_int_equal(diff.findings, 0);
	assert_int_equal(w.failures, 0);
	assert_int_equal(outside, 0);
	diff_close(&diff);
	walk_close(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_function_is_equal_everywhere),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
