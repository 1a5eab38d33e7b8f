/* A build tool: writes the library files named on the command line as C, for library.c: their texts, and
   where their statements stand. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cc.h"

static char *read_text(Arena *arena, const char *path, size_t *size)
{
	FILE *in = fopen(path, "rb");
	Text text = { .arena = arena };
	char block[4096];
	if (!in) {
		perror(path);
		exit(1);
	}
	for (size_t n; (n = fread(block, 1, sizeof block, in)) > 0;)
		text_add_n(&text, block, n);
	text_add(&text, "");
	fclose(in);
	*size = text.size;
	return text.data;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

static void embed_text(const char *text, size_t size, int number)
{
	printf("static const char text_%d[] = {", number);
	for (size_t i = 0; i <= size; i++)
		printf("%s%d,", i % 24 ? "" : "\n\t", (signed char)text[i]);
	printf(" };\n");
}

static void index_file(Arena *arena, const Source *source, int number)
{
	Diagnostics diag = { .arena = arena };
	File file;
	parse_file(arena, &diag, source, &file);
	uint32_t start = 0;
	for (const Decl *d = file.decls; d; d = d->next) {
		printf("\t{ %d, %u, %u, (DeclKind)%d, \"%s\", ", number, (unsigned)start, (unsigned)d->span.end, (int)d->kind, d->name);
		printf(d->at.name ? "\"%s\"" : "NULL", d->at.name);
		printf(", %zu, %zu },\n", strlen(d->name), d->at.name ? strlen(d->at.name) : 0);
		start = d->span.end;
	}
	if (diag.errors) {
		const Message *m = diag.first;
		fprintf(stderr, "%s, byte %u: %s\n", source->name, (unsigned)m->span.start, m->text);
		exit(1);
	}
}

int main(int argc, char **argv)
{
	Arena *arena = arena_new();
	if (!arena || setjmp(*arena_guard(arena))) {
		fprintf(stderr, "out of memory\n");
		return 1;
	}
	Source *source = arena_alloc(arena, (size_t)argc * sizeof *source);
	printf("#include \"library.h\"\n");
	for (int i = 1; i < argc; i++) {
		source[i].name = argv[i];
		source[i].text = read_text(arena, argv[i], &source[i].size);
		embed_text(source[i].text, source[i].size, i);
	}
	printf("const LibraryFile library_files[] = {\n");
	for (int i = 1; i < argc; i++)
		printf("\t{ \"library/%s\", text_%d, sizeof text_%d - 1 },\n", base_name(argv[i]), i, i);
	printf("};\nconst size_t library_file_count = %d;\nconst LibraryStatement library_statements[] = {\n", argc - 1);
	for (int i = 1; i < argc; i++)
		index_file(arena, &source[i], i - 1);
	printf("};\nconst size_t library_statement_count = sizeof library_statements / sizeof *library_statements;\n");
	arena_free(arena);
	return 0;
}
