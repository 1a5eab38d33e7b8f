/* Programs that nobody wrote: well typed, made from a number, the same on every machine. Values stay moderate,
   since bits are promised only where no intermediate value is denormal, infinite or NaN. */
#ifndef NOISEC_TESTS_MAKER_H
#define NOISEC_TESTS_MAKER_H

#include <stddef.h>
#include <stdint.h>

typedef struct Maker {
	char text[1 << 16];
	size_t size;
	uint32_t state;
	int nodes;                              /* declared so far: n0, n1, ...; even ones float, odd ones vecP */
	int domain;
} Maker;

/* The program number `seed`, in m->text. */
const char *make_program(Maker *m, uint32_t seed);

#endif
