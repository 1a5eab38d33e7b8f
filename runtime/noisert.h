/* noisert: evaluates compiled noise programs on the CPU. C11 and C++, needs libc only.

   nz_load_program checks the bytes that `noisec -t program` wrote, once and fully: they may come from
   anywhere. A program never changes and may be shared by threads. A thread evaluates with its own
   nz_evaluator, which lies in memory the caller gives and holds the params, the seed and the scratch.
   Evaluating allocates nothing, has no globals, and gives the same bits for every block size. */
#ifndef NOISERT_H
#define NOISERT_H

#include "nz_common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct nz_program nz_program;
typedef struct nz_evaluator nz_evaluator;

enum { NZ_DEFAULT_BLOCK = 128, NZ_MAX_BLOCK = 1024 };
#define NZ_NOT_FOUND UINT32_MAX

typedef enum nz_kind { NZ_BOOL = 0, NZ_INT, NZ_UINT, NZ_FLOAT } nz_kind;

/* One component of a value. A bool is 0 or 1 in `u`, an enum its number in `i`. */
typedef union nz_word { float f; int32_t i; uint32_t u; } nz_word;

/* A value of up to four components. */
typedef struct nz_value { nz_word word[4]; } nz_value;

/* ---- what a program says about itself; owned by the program ---- */

typedef struct nz_enumerator {
	const char *name, *doc;                 /* doc: the author's text, "" if none, here and below */
} nz_enumerator;

typedef struct nz_enumeration {
	const char *name, *doc;
	const nz_enumerator *enumerators;       /* numbered from 0 in this order */
	uint32_t count;
} nz_enumeration;

typedef struct nz_type {
	nz_kind kind;
	uint32_t width;                         /* components, 1..4 */
	const nz_enumeration *enumeration;      /* NULL unless an enum: then one int */
} nz_type;

typedef struct nz_param {
	const char *name, *doc;
	nz_type type;
	nz_word value[4];                       /* the default */
	int ranged;                             /* values are clamped to low .. high, component by component */
	nz_word low[4], high[4];
	int colour;                             /* linear RGB or RGBA */
} nz_param;

typedef struct nz_input {                       /* a value supplied with each sample */
	const char *name, *doc;
	nz_type type;
	int ranged;
	nz_word low[4], high[4];
} nz_input;

typedef struct nz_output {
	const char *name, *doc;
	nz_type type;
	float low, high;                        /* proved: no component leaves them; +-FLT_MAX on an unbounded side */
	int colour;                             /* linear RGB or RGBA */
} nz_output;

typedef struct nz_program_info {
	uint32_t domain;                        /* coordinates of a position, 1..4 */
	const nz_param *params;
	uint32_t param_count;
	const nz_input *inputs;
	uint32_t input_count;
	const nz_output *outputs;
	uint32_t output_count;
	const nz_enumeration *enumerations;
	uint32_t enumeration_count;
	uint64_t cost;                          /* the most operations one sample can take: for hosts that refuse */
	uint32_t loop_max;                      /* the most rounds of any one loop, 0 without loops */
} nz_program_info;

/* ---- programs ---- */

typedef struct nz_load_options {                /* zero-initialised means defaults */
	nz_allocator memory;                    /* of the program: one block */
} nz_load_options;

/* Makes a program of `size` bytes, which are copied; any alignment. *out is the caller's, to be given to
   nz_free_program, and NULL on failure. `options` and `why` may be NULL; *why says what is wrong with the
   bytes, a constant text, or NULL. NZ_ERROR_PROGRAM, NZ_ERROR_MEMORY or NZ_ERROR_ARGUMENT (a null pointer, or
   one function of the allocator without the other). */
NZ_API nz_status nz_load_program(const void *bytes, size_t size, const nz_load_options *options, nz_program **out, const char **why);
NZ_API void nz_free_program(nz_program *program);      /* NULL is allowed; no evaluator of it may be in use */

/* Valid as long as the program. NULL for NULL. */
NZ_API const nz_program_info *nz_describe_program(const nz_program *program);

/* The number of the param, input or output called `name`, or NZ_NOT_FOUND. Numbers follow the order of the file. */
NZ_API uint32_t nz_find_param(const nz_program *program, const char *name);
NZ_API uint32_t nz_find_input(const nz_program *program, const char *name);
NZ_API uint32_t nz_find_output(const nz_program *program, const char *name);

/* The 32-bit seed that a 64-bit one stands for; what a host gives to a shader to get the same world.
   Seeds below 2^32 are themselves. */
NZ_API uint32_t nz_stir_seed(uint64_t seed);

/* ---- evaluators ---- */

/* Bytes of memory for an evaluator that works on `block` samples at once, 1..NZ_MAX_BLOCK; 0 means
   NZ_DEFAULT_BLOCK. 1 is best for single points. Returns 0 if the block or the size is out of range. */
NZ_API size_t nz_measure_evaluator(const nz_program *program, uint32_t block);

/* Puts an evaluator into `memory` (any alignment), with the default params and seed 0. The memory stays the
   caller's; there is nothing to free. It must not move, and the program must outlive it.
   NZ_ERROR_MEMORY if `size` is less than nz_measure_evaluator says, NZ_ERROR_ARGUMENT if that says 0. */
NZ_API nz_status nz_place_evaluator(const nz_program *program, uint32_t block, void *memory, size_t size, nz_evaluator **out);

/* Sets a param: `value` has as many components as its type. Ranged ones are clamped, and NaN becomes the low
   end; an enum becomes one of its enumerators. NZ_ERROR_ARGUMENT: a null pointer, or there is no param `index`. */
NZ_API nz_status nz_set_param(nz_evaluator *evaluator, uint32_t index, const nz_word *value);

/* The value in force, after clamping: writes as many components as the type has. */
NZ_API nz_status nz_get_param(const nz_evaluator *evaluator, uint32_t index, nz_word *value);

NZ_API void nz_set_seed(nz_evaluator *evaluator, uint64_t seed);

/* ---- evaluation ----

   The processor must round floats to nearest, as it does unless a program changes that; whether it flushes
   denormals does not matter. Inputs are clamped like params. `inputs` has an entry per input of the program, or is NULL: all are 0.
   `outputs` has an entry per output. Results are 32-bit words: floats (never NaN or infinite), ints, uints,
   bools as 0 or 1. -0 may stand for 0. */

typedef struct nz_input_data {                  /* zero-initialised: the constant 0 */
	const void *array[4];                   /* per component: one word per sample, or NULL for `constant` */
	nz_word constant[4];
} nz_input_data;

typedef struct nz_output_data {
	void *array[4];                         /* per component: room for one word per sample, or NULL: not wanted */
} nz_output_data;

/* `count` positions: axis[0] has their x, axis[1] their y, and so on for the program's domain. Output arrays
   may not overlap input ones. NZ_ERROR_ARGUMENT: a null pointer; all that these three calls can return beside NZ_OK. */
NZ_API nz_status nz_evaluate_points(nz_evaluator *evaluator, size_t count, const float *const *axis,
	const nz_input_data *inputs, const nz_output_data *outputs);

/* A box of samples. Along axis a sample i (0 <= i < size[a]) stands at (float)(origin[a] + (first[a] + i) * step[a]),
   computed in double. `first` lets parts of one grid be evaluated apart with equal bits. Arrays run along axis 0
   fastest, then 1, 2, 3. A slice has size 1 on the axes that stay fixed; axes beyond the domain are not read. */
typedef struct nz_grid {
	double origin[4], step[4];
	uint32_t first[4], size[4];
} nz_grid;

/* NZ_ERROR_ARGUMENT: a null pointer, or more samples than memory could hold. */
NZ_API nz_status nz_evaluate_grid(nz_evaluator *evaluator, const nz_grid *grid, const nz_input_data *inputs, const nz_output_data *outputs);

/* One position. `inputs`: a value for each input, or NULL; `outputs`: room for a value of each output. Components
   beyond a type's width are not read, and stay as they are. */
NZ_API nz_status nz_evaluate_point(nz_evaluator *evaluator, const float *position, const nz_value *inputs, nz_value *outputs);

#ifdef __cplusplus
}
#endif

#endif
