/* Points to evaluate: a column per axis, then one per component of every input. */
#ifndef NOISEC_POINTS_H
#define NOISEC_POINTS_H

#include "cli.h"

typedef struct Points {
	const Subject *subject;
	size_t count, capacity;
	uint32_t columns;
	uint32_t **column;                      /* words */
	bool *used;                             /* some file gives this column; axes are always used */
} Points;

int points_init(Points *, const Subject *);
int points_add_text(Points *, const char *text);        /* of --at: coordinates with commas */
int points_add_file(Points *, const char *path);
void points_free(Points *);

#endif
