/* noisediff FILE...: runs each program in the interpreter (several block sizes, with and without passes) and
   as a shader on a software Vulkan driver, on the same points, and compares the bits. Exit status: 0 equal,
   1 not, 3 a file cannot be read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diff.h"

static char *read_whole(const char *path)
{
	FILE *f = fopen(path, "rb");
	size_t size = 0, room = 1 << 16, got;
	char *text = f ? malloc(room) : NULL;
	while (text && (got = fread(text + size, 1, room - size - 1, f)) > 0) {
		size += got;
		if (room - size < 2)
			text = realloc(text, room *= 2);
	}
	if (f)
		fclose(f);
	if (text)
		text[size] = 0;
	return text;
}

int main(int argc, char **argv)
{
	int status = 0;
	Diff d;
	if (argc < 2) {
		fprintf(stderr, "usage: noisediff FILE...\n");
		return 2;
	}
	diff_open(&d, 65536);
	d.fragments = true;
	for (int i = 1; i < argc; i++) {
		char *text = read_whole(argv[i]);
		const char *base = strrchr(argv[i], '/');
		if (!text) {
			fprintf(stderr, "noisediff: cannot read '%s'\n", argv[i]);
			status = 3;
		} else if (diff_program(&d, base ? base + 1 : argv[i], text, false) != DIFF_EQUAL) {
			status = 1;
		}
		free(text);
	}
	diff_report(&d, argc == 2 ? argv[1] : "all files");
	diff_close(&d);
	return status;
}
