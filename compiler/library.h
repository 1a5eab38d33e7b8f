/* The embedded library, as embed.c writes it and library.c reads it. */
#ifndef NOISEC_LIBRARY_H
#define NOISEC_LIBRARY_H

#include "cc.h"

typedef struct LibraryFile { const char *name, *text; size_t size; } LibraryFile;

typedef struct LibraryStatement {
	uint32_t file, start, end;              /* the comments before it included */
	DeclKind kind;
	const char *name, *at;                  /* at: NULL if none was written */
	uint32_t name_size, at_size;
} LibraryStatement;

extern const LibraryFile library_files[];
extern const size_t library_file_count;
extern const LibraryStatement library_statements[];
extern const size_t library_statement_count;

#endif
