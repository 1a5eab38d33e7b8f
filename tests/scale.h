/* Programs of any size, for tests and measurements of how the compiler grows. Texts are the caller's to free. */
#ifndef NOISEC_SCALE_H
#define NOISEC_SCALE_H

#include <stddef.h>

typedef struct Shape {                          /* a family of programs */
	const char *name, *what;
	char *(*make)(size_t count, size_t *size);
} Shape;

extern const Shape scale_shapes[];              /* large counts: each is one program that has a result */
extern const size_t scale_shape_count;
extern const Shape scale_nests[];               /* an expression inside itself, `count` deep */
extern const size_t scale_nest_count;

#endif
