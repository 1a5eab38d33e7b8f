/* Writes pictures with libpng: no date, no text, so equal pictures are equal files. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "picture.h"

/* libpng reports here, then jumps. */
static void remember(png_structp png, png_const_charp text)
{
	const char **message = png_get_error_ptr(png);
	*message = text;
	png_longjmp(png, 1);
}

static void ignore(png_structp png, png_const_charp text)
{
	(void)png, (void)text;
}

static void put_row(const Picture *p, uint32_t y, png_byte *row)
{
	size_t count = (size_t)p->width * (size_t)p->channels;
	const uint16_t *sample = p->sample + y * count;
	for (size_t i = 0; i < count; i++) {
		if (p->bits == 16)
			*row++ = (png_byte)(sample[i] >> 8);
		*row++ = (png_byte)(sample[i] & 0xff);
	}
}

/* Returns NULL, or what went wrong. Nothing here is changed between setjmp and the jump. */
static const char *encode(const Picture *p, FILE *file, png_byte *row)
{
	static const int types[5] = { 0, PNG_COLOR_TYPE_GRAY, 0, PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGB_ALPHA };
	const char *message = "out of memory";
	png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &message, remember, ignore);
	png_infop info = png != NULL ? png_create_info_struct(png) : NULL;
	if (info == NULL) {
		png_destroy_write_struct(&png, NULL);
		return "out of memory";
	}
	if (setjmp(png_jmpbuf(png)) != 0) {
		png_destroy_write_struct(&png, &info);
		return ferror(file) ? strerror(errno) : "the picture cannot be encoded";
	}
	png_init_io(png, file);
	png_set_IHDR(png, info, p->width, p->height, p->bits, types[p->channels], PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
	png_write_info(png, info);
	for (uint32_t y = 0; y < p->height; y++) {
		put_row(p, y, row);
		png_write_row(png, row);
	}
	png_write_end(png, NULL);
	png_destroy_write_struct(&png, &info);
	return NULL;
}

int picture_write(const Picture *p, const char *path)
{
	OutFile out;
	int status = open_out(&out, path, true);
	if (status != STATUS_FINE)
		return status;
	png_byte *row = malloc((size_t)p->width * (size_t)p->channels * 2);
	const char *wrong = row != NULL ? encode(p, out.file, row) : "out of memory";
	free(row);
	if (wrong != NULL) {
		complain(STATUS_FILE, "cannot write '%s': %s", out.path, wrong);
		drop_out(&out);
		return STATUS_FILE;
	}
	return close_out(&out);
}
