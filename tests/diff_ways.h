/* What the ways of the differential runner share: points, the params of a run, and how results are judged. */
#ifndef NOISEC_TESTS_DIFF_WAYS_H
#define NOISEC_TESTS_DIFF_WAYS_H

#include "diff.h"
#include "noisec.h"
#include "noisert.h"
#include "gpu/log.h"

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

/* What the text of a library form calls things. */
typedef struct Printed {
	char *text;
	char params[128], out[128], eval[128];
	char (*param)[128], (*output)[128];
} Printed;

enum { MOST_NAMES = 320 };

bool printed_read(Printed *, const char *text); /* false: the text is not as expected */
void printed_free(Printed *);

/* A main around it, which reads a point's words with word(j) and writes the bits of the outputs, from word `first` on,
   to words0, words1, … (uvec4). A caller frees the text. */
char *main_make(const char *version, const Printed *, const nz_program_info *, size_t first);
size_t main_stride(const nz_program_info *);                    /* words of a point: its position and its inputs */
uint32_t *main_given(const nz_program_info *, const Points *);  /* those of all points; a caller frees them */
void main_add_value(GpuLog *, nz_kind, uint32_t width, unsigned *word);         /* a value made of the next words */

/* diff_fused.c: the same text compiled as C++, with multiplications and additions fused or not. */
bool diff_fused(Diff *, const Case *, nz_module *);

#endif
