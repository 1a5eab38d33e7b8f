/* A dialect is data: how a target spells types, literals, declarations and operations. The printer knows
   no target by name. Shared by legalise.c, print*.c and dialect_*.c. */
#ifndef NOISEC_PRINT_H
#define NOISEC_PRINT_H

#include "cc.h"

typedef struct Spelling { Op op; const char *shader, *vshader; } Spelling;

struct Dialect {
	const char *name;
	const char *type[4][5];                 /* by kind and width (1 to 4) */
	const char *exact;                      /* before a local or result whose operations must round as written */
	const char *uint_suffix, *float_suffix;
	const char *int_min;                    /* the smallest int, which has no literal */
	const char *version;                    /* first lines of a complete shader */
	const Spelling *exception;              /* where a row's default spelling is not this target's; ends with shader NULL */
	const char *const *reserved;            /* words that cannot name anything; ends with NULL */
	const char *const *reserved_start;      /* how such words may start; ends with NULL */
};

/* legalise.c */
const char *dialect_spelling(const Dialect *, Op, int width);

/* print_name.c */
typedef struct UsedName { const char *name; unsigned next; } UsedName;  /* next: number to try for a namesake */
typedef struct Names {
	Arena *arena;
	const Dialect *dialect;
	const struct Names *outer;              /* names that must not be hidden, or NULL */
	UsedName *table;                        /* open addressing */
	size_t size, count;
} Names;
const char *name_make(Names *, const char *wish);               /* a legal name not used yet, and now used */
const char *name_clean(Arena *, const Dialect *, const char *wish);
void print_literal(const Dialect *, Kind, uint32_t bits, Text *out);
typedef struct FuncNames {                      /* what the functions of a program are called */
	const char **func;                      /* by id */
	const char *params, *out;               /* struct types */
	const char **uniform, **input, **output;/* members and parameters */
	const char **output_func;               /* the function of each output */
	Names global;                           /* all of the global ones, which locals may not hide */
} FuncNames;

/* print_expr.c */
typedef struct Printer {
	Arena *arena;
	const Dialect *d;
	const Program *program;
	const FuncNames *names;
	const Func *f;
	Text *out;
	Names local;
	const char **name;                      /* per value: its variable, or NULL while it nests */
	uint32_t *uses;
	Ref *user;                              /* the one value that uses it, when uses == 1 */
	uint32_t *size;                         /* rough width of its expression */
	bool *exact;                            /* its nested expression rounds */
	Ref *end_of;
	int indent;
} Printer;
const char *print_type(const Printer *, Ref);
bool print_is_swizzle(const Func *, Ref vec);                   /* a vector of components of one other vector */
void print_expression(Printer *, Ref);
void print_operand(Printer *, Ref);                             /* where only a comparison stands around it */

/* print_flow.c */
void print_loop(Printer *, const bool *live, Ref end);
void print_choice(Printer *, const bool *live, Ref choice);

/* print.c */
bool print_needs_variable(const Printer *, Ref);
const char *print_wish(const Printer *, Ref);                   /* for its variable's name */
void print_indent(Printer *);
void print_measure(Printer *, Ref);                             /* fills size and exact */
void print_value_doc(Printer *, Ref);
void print_region(Printer *, const bool *live, Ref place, Ref from, Ref to);    /* the statements of a loop's body or a side; place 0: of the function */
void print_func(Arena *, const Dialect *, const Program *, const FuncNames *, const Func *, Text *);
void print_doc(Text *, const char *indent, const char *doc);
void print_signature(Arena *, const Dialect *, const Program *, const FuncNames *, Text *);     /* "(vec2 p, …)" of the root */

#endif
