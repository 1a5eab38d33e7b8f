/* library/ as the build embeds it: its texts, and a table of their statements (embed.c makes both). Its names
   are known at once; a statement is parsed and checked when its name is first asked for, with all that it
   uses. So a compilation pays for the part of the library that it needs, however large the whole becomes. */
#include <assert.h>

#include "library.h"

typedef struct Library {
	Shelf shelf;                            /* first: the shelf is the library */
	Source *source;                         /* per file */
	Decl *decl;                             /* per statement */
} Library;

static void read_statement(Shelf *shelf, Decl *d)
{
	Library *l = (Library *)shelf;
	const LibraryStatement *s = &library_statements[d - l->decl];
	File file;
	parse_part(shelf->arena, shelf->diag, &l->source[s->file], s->start, s->end, &file);
	assert(file.decls && !file.decls->next);
	Decl place = *d;
	*d = *file.decls;
	d->next = place.next;
	d->next_in_scope = place.next_in_scope;
	d->overload = place.overload;
	d->scope = place.scope;
}

void library_open(Arena *arena, Diagnostics *diag, Scope *out)
{
	Library *l = arena_alloc(arena, sizeof *l);
	l->shelf = (Shelf){ .arena = arena, .diag = diag, .read = read_statement };
	l->source = arena_alloc(arena, library_file_count * sizeof *l->source);
	for (size_t i = 0; i < library_file_count; i++)
		l->source[i] = (Source){ .name = library_files[i].name, .text = library_files[i].text, .size = library_files[i].size, .library = true };
	l->decl = arena_alloc(arena, library_statement_count * sizeof *l->decl);
	for (size_t i = 0; i < library_statement_count; i++) {
		const LibraryStatement *s = &library_statements[i];
		Decl *d = &l->decl[i];
		d->kind = (DeclKind)s->kind;
		d->name = arena_intern(arena, s->name, s->name_size);
		d->at.name = s->at ? arena_intern(arena, s->at, s->at_size) : NULL;
		d->unread = d->kind != DECL_ENUM;
		d->next = i + 1 < library_statement_count ? d + 1 : NULL;
		if (!d->unread)
			read_statement(&l->shelf, d);
	}
	check_shelf(&l->shelf, l->decl, out);
}
