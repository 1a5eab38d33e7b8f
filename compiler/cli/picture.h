/* Pictures as PNG files. */
#ifndef NOISEC_PICTURE_H
#define NOISEC_PICTURE_H

#include "cli.h"

typedef struct Picture {
	uint32_t width, height;
	int channels;                           /* 1 grey, 3 colour, 4 with alpha */
	int bits;                               /* 8 or 16 per channel */
	const uint16_t *sample;                 /* row by row from the top, channel by channel, 0 .. 2^bits - 1 */
} Picture;

int picture_write(const Picture *, const char *path);

#endif
