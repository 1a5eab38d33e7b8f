/* The differential runner: one program, every way to run it, the same points, the same bits. Ways so far:
   the interpreter at two block sizes and without passes, by point, GLSL on a software Vulkan driver, and GLSL 3.30
   on a software OpenGL driver, each with and without passes. At positions that are NaN, infinite, huge or denormal results need only be finite. Every shader also passes spirv-val and the static check of gpu_check_exact. */
#ifndef NOISEC_TESTS_DIFF_H
#define NOISEC_TESTS_DIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gpu/gl.h"
#include "gpu/gpu.h"

typedef struct Diff {
	Gpu *gpu;                               /* NULL: shaders are compiled and checked, not run */
	Gl *gl;                                 /* NULL: the same for OpenGL */
	const char *why_no_gpu, *why_no_gl;
	size_t points;                          /* per program */
	uint64_t programs, shaders, compared, differing;        /* words compared with the reference, and those that differ */
	uint64_t by_gl;                         /* of them by OpenGL */
	uint64_t findings;                      /* of the static check and the front end */
	bool fused;                             /* instead of shaders: their text as C++, see diff_fused.c */
	double fused_value;                     /* by how much of its range a float differed, at most, */
	uint64_t fused_decisions, decisions;    /* and how many bools, ints and uints did, of how many */
	bool fragments;                         /* check a fragment shader for each output too */
} Diff;

enum { FUSED_NEAR = 1000 };             /* how far from the origin, along each axis, fused_value is measured */

typedef enum DiffResult { DIFF_EQUAL, DIFF_DIFFERS, DIFF_NO_COMPILE } DiffResult;

/* Opens the driver. `points` per program. */
void diff_open(Diff *d, size_t points);
void diff_close(Diff *d);
/* Runs all of it and prints what differs on stderr. `quiet`: a program that does not compile says nothing. */
DiffResult diff_program(Diff *d, const char *name, const char *text, bool quiet);
/* One line: programs, points, words compared, bits differing. */
void diff_report(const Diff *d, const char *what);

#endif
