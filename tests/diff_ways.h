/* What the ways of the differential runner share: points, the params of a run, and how results are judged. */
#ifndef NOISEC_TESTS_DIFF_WAYS_H
#define NOISEC_TESTS_DIFF_WAYS_H

#include "diff.h"
#include "noisec.h"
#include "noisert.h"

enum { SEED = 20260u };

typedef struct Points {
	size_t count;
	float *axis[4];
	uint32_t *input[16][4];                 /* per input and component */
} Points;

/* One program with all that its runs need: two sets of params and what the interpreter made of them. */
typedef struct Case {
	const char *name;
	const nz_program_info *info;
	const Points *points, *wild;            /* wild: positions for which results need only be finite */
	nz_word (*params[2])[4];
	uint32_t *want[2];
} Case;

void *must(void *memory);                       /* not NULL, or the end */
size_t diff_output_words(const nz_program_info *);
/* Results lie output after output, component after component, each `count` words. */
bool diff_compare(Diff *, const Case *, const char *way, const uint32_t *want, const uint32_t *got);
bool diff_finite(Diff *, const Case *, const char *way, const uint32_t *got);
uint32_t diff_canonical(uint32_t bits, nz_kind);        /* -0 is 0: nothing in the language can tell them apart */
const char *diff_emit(Diff *, const Case *, nz_module *, const nz_emit_options *);      /* NULL, and said, if it fails */

/* diff_vk.c. `passes`: "" or what is said of a module made without them, for which less is done. */
bool diff_vulkan(Diff *, const Case *, nz_module *, const char *passes);

/* diff_gl.c: the library form called by a main of the test, and every fragment shader, by OpenGL. */
bool diff_gl(Diff *, const Case *, nz_module *, const char *passes);

#endif
