/* Shared by the check*.c files alone: the names inside a declaration. */
#ifndef NOISEC_CHECK_H
#define NOISEC_CHECK_H

#include "cc.h"

typedef struct Local {                          /* a name inside a declaration */
	const char *name;
	Decl *decl;                             /* argument or local node; NULL for a round's value */
	bool hidden;                            /* of a fold that ended: only to explain a mistake */
	const struct Local **block;             /* a local node: the names that it sees */
	const struct Local *outer;
} Local;

typedef struct Check {
	Arena *arena;
	Diagnostics *diag;
	const Scope *scope;
	bool broken;                            /* text was dropped, so a name may be missing: do not complain of it */
	const File *files;                      /* with the names that are missing for that reason */
	size_t file_count;
	Decl *decl, *node;                      /* being walked: a declaration of the scope, a local node inside it or NULL */
	Decl *locals;                           /* every local node of it, by Decl.next_in_scope */
	Decl **tail;                            /* of the order of declarations, while it is made */
} Check;

/* check.c */
const Local *check_find(const Local *, const char *name);
void check_declare(Local *at, Decl *list, const Local **block);
uint32_t check_count(const Decl *list);

/* check_word.c: messages */
bool check_is_lost(const Check *, const char *name);            /* its declaration was dropped */
void check_unknown(Check *, const char *name, Span, const Local *, const Expr *call);     /* call: NULL for a value */
void check_unknown_enumerator(Check *, const char *name, Span, const Decl *fn, const Decl *parameter, const Decl *enumeration);
void check_type(Check *, TypeName);                             /* an error if there is no such type */
bool check_method(Check *, const Expr *call, const Local *);    /* x.f(…): an error, if f is a function */
void check_not_function(Check *, const char *name, Span, const Expr *call);

/* check_use.c: sets by_name and decides of the arguments of a function whose callees have theirs */
void check_uses(Check *, Decl *fn);

#endif
