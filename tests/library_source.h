/* The library as its sources say it, for tests that walk through it. Nothing here names a function of it. */
#ifndef LIBRARY_SOURCE_H
#define LIBRARY_SOURCE_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cc.h"

enum { MAX_FILES = 64 };

typedef struct Library {
	Arena *arena;
	Diagnostics diag;
	File file[MAX_FILES];
	size_t files;
	Scope scope;
} Library;

static char *read_whole(Arena *arena, const char *path, size_t *size)
{
	FILE *f = fopen(path, "rb");
	long n;
	char *text;
	assert_non_null(f);
	fseek(f, 0, SEEK_END);
	n = ftell(f);
	rewind(f);
	text = arena_alloc(arena, (size_t)n + 1);
	assert_int_equal(fread(text, 1, (size_t)n, f), (size_t)n);
	fclose(f);
	*size = (size_t)n;
	return text;
}

static int by_name(const struct dirent **a, const struct dirent **b) { return strcmp((*a)->d_name, (*b)->d_name); }

static inline void read_library(Library *lib)
{
	struct dirent **entry;
	int count = scandir(LIBRARY, &entry, NULL, by_name);
	assert_true(count > 0);
	lib->arena = arena_new();               /* without a guard: running out of memory aborts */
	assert_non_null(lib->arena);
	lib->diag.arena = lib->arena;
	for (int i = 0; i < count; i++) {
		const char *dot = strrchr(entry[i]->d_name, '.');
		if (dot && !strcmp(dot, ".noise")) {
			char path[512];
			Source *s = arena_alloc(lib->arena, sizeof *s);
			assert_true(lib->files < MAX_FILES);
			snprintf(path, sizeof path, "%s/%s", LIBRARY, entry[i]->d_name);
			s->name = arena_intern(lib->arena, entry[i]->d_name, strlen(entry[i]->d_name));
			s->text = read_whole(lib->arena, path, &s->size);
			s->library = true;
			parse_file(lib->arena, &lib->diag, s, &lib->file[lib->files++]);
		}
		free(entry[i]);
	}
	free(entry);
	check_scope(lib->arena, &lib->diag, lib->file, lib->files, NULL, true, &lib->scope);
	assert_int_equal(lib->diag.errors, 0);
}

static inline const char *type_of_p(int dimension)
{
	static const char *const name[] = { "", "float", "vec2", "vec3", "vec4" };
	return name[dimension];
}

/* The overload that a call in this dimension means, or NULL. */
static inline const Decl *overload_at(const Decl *fn, int dimension)
{
	const Decl *any = NULL;
	for (; fn; fn = fn->overload) {
		if (!fn->at.name)
			any = fn;
		else if (!strcmp(fn->at.name, type_of_p(dimension)))
			return fn;
	}
	return any;
}

static inline const Decl *enum_named(const Library *lib, const char *name)
{
	Decl *d = name ? scope_find(&lib->scope, name) : NULL;
	return d && d->kind == DECL_ENUM ? d : NULL;
}

static inline bool number_of(const Expr *e, double *out)
{
	if (e && e->kind == EXPR_UNARY && !strcmp(e->u.op.op, "-") && number_of(e->u.op.a, out)) {
		*out = -*out;
		return true;
	}
	if (!e || e->kind != EXPR_NUMBER)
		return false;
	*out = e->u.number.kind == NUMBER_REAL ? (double)e->u.number.real : (double)e->u.number.whole;
	return true;
}

static inline bool first_of_its_name(const Library *lib, const Decl *fn) { return scope_find(&lib->scope, fn->name) == fn; }

#endif
