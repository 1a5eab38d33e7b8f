/* A build tool: writes the files named on the command line as a C table of texts, for compile.c. */
#include <stdio.h>
#include <string.h>

static int embed(const char *path, int number)
{
	FILE *in = fopen(path, "rb");
	int c, column = 0;
	if (!in) {
		perror(path);
		return 1;
	}
	printf("static const char text_%d[] = {", number);
	while ((c = getc(in)) != EOF)
		printf("%s%d,", column++ % 24 ? "" : "\n\t", c < 128 ? c : c - 256);
	printf("0 };\n");
	fclose(in);
	return 0;
}

int main(int argc, char **argv)
{
	printf("#include <stddef.h>\n");
	for (int i = 1; i < argc; i++)
		if (embed(argv[i], i))
			return 1;
	printf("extern const struct LibraryFile { const char *name, *text; size_t size; } library_files[];\nextern const size_t library_file_count;\n");
	printf("const struct LibraryFile library_files[] = {\n");
	for (int i = 1; i < argc; i++) {
		const char *base = strrchr(argv[i], '/');
		printf("\t{ \"library/%s\", text_%d, sizeof text_%d - 1 },\n", base ? base + 1 : argv[i], i, i);
	}
	printf("};\nconst size_t library_file_count = %d;\n", argc - 1);
	return 0;
}
