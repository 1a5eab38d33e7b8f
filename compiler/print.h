/* A dialect is data: how a target spells types, literals, declarations and operations. The printer knows
   no target by name. Shared by legalise.c, print*.c and dialect_*.c. */
#ifndef NOISEC_PRINT_H
#define NOISEC_PRINT_H

#include "cc.h"

/* Where a row's default spelling is not this target's. */
typedef struct Spelling {
	Op op;
	unsigned kinds;                         /* 0: always; or for results of these kinds: 1u << KIND_INT | ... */
	const char *shader, *vshader;
} Spelling;

/* Forms are text with holes: a word behind a $ stands for what the printer fills in. Which holes a form has is said
   beside it; every form of a list or a declaration may use each of them in any order, or leave it out. */
typedef struct Part {                           /* text around a list */
	const char *open, *each, *none, *close; /* none: instead of `each`, where the list is empty */
} Part;

/* What a complete shader has around the functions, in this order. Everywhere: $params and $out the structs, $eval the
   function, $position the type of p, $width its components, and the local names $colour and $result, which no other
   name of the shader equals. For each param: $name, $type, $stored (its type where it is stored), $value (it, read
   from `param`), $default, $comma (", " but for the first). For each input: $name, $type, $stored, $value (read from
   `input`), $number from 0, $place, $flat (the dialect's mark unless it is a float). For each output: $name, $type,
   $number, $place, and in `result` $value. A form with $lane (0 to 3) is repeated for each component. */
typedef struct Entry {
	unsigned first_place;                   /* $place counts from here through inputs and outputs */
	bool one_output;                        /* delivers one output, as a colour; else all, as words */
	bool inputs_by_name;                    /* declares the inputs by $name */
	const char *param, *input, *point;      /* where a param, an input and p are read from */
	Part uniforms, inputs, outputs;         /* the interface, up to the opening of main */
	Part params, values;                    /* statements: the struct of params, inputs as their own types */
	const char *argument;                   /* how an input is handed to the function: as an input's holes */
	const char *call;                       /* $exact, $arguments (", …" or nothing) */
	const char *result[5];                  /* an output delivered, by width */
	const char *close;
} Entry;

struct Dialect {
	const char *name, *suffix, *description;        /* of the target; see nz_target */
	bool binds;                             /* the mark `exact` always binds a driver: bits are promised */
	bool vulkan;                            /* complete shaders use set 0, std140 and std430: docs/runtime.md */
	const char *type[4][5];                 /* by kind and width (1 to 4) */

	/* literals and constructors */
	const char *uint_suffix, *float_suffix;
	const char *int_min;                    /* the smallest int, which has no literal */
	bool fills;                             /* vec3(x) makes three of one scalar */

	/* declarations: $exact the mark or nothing, $type, $name */
	const char *exact;                      /* the mark of what must round as written, with a space behind; or "" */
	bool exact_reaches;                     /* it reaches through calls: what is handed to one needs no mark of its own */
	const char *let, *variable;             /* before the value of a local: one that stays, one that is assigned again */
	const char *blank;                      /* a local without a value */
	const char *member;                     /* of a struct; a comment and the end of the line follow */
	const char *argument;
	const char *function;                   /* up to its opening brace; also $arguments */
	const char *loop;                       /* up to its opening brace; also $count */

	/* operations */
	const Spelling *exception;              /* ends with shader NULL */

	/* around the functions */
	const char *promise;                    /* comment lines: how exact the text is */
	const char *prelude;                    /* before the structs, or NULL */
	const char *version;                    /* first lines of a complete shader */
	const char *flat;                       /* marks what must not be interpolated */
	const char *truth[2];                   /* a stored $value as bool, and as a vector of them; $stored */
	const char *load[4], *store[4];         /* a 32-bit word as $value of a kind; a $value of a kind as a word */
	const Entry *fragment, *compute;        /* NULL: the target has none */

	/* words */
	const char *const *reserved[3];         /* lists of words that cannot name anything; each ends with NULL */
	const char *const *reserved_start[3];   /* how such words may start */
};

/* dialect_glsl.c: what all versions of GLSL share */
#define GLSL_TYPES { \
	[KIND_BOOL] = { NULL, "bool", "bvec2", "bvec3", "bvec4" }, \
	[KIND_INT] = { NULL, "int", "ivec2", "ivec3", "ivec4" }, \
	[KIND_UINT] = { NULL, "uint", "uvec2", "uvec3", "uvec4" }, \
	[KIND_FLOAT] = { NULL, "float", "vec2", "vec3", "vec4" } \
}
extern const char *const glsl_reserved[], *const glsl_reserved_start[];

/* print_fill.c */
typedef struct Hole { const char *name, *text; } Hole;
void print_fill(Text *, const char *form, const Hole *holes);    /* holes end with name NULL */

/* legalise.c */
const char *dialect_spelling(const Dialect *, Op, Kind, int width);

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
void print_open_local(Printer *, const char *form, bool exact, Ref type_of, const char *name);     /* a declaration, up to its value if it has one */
void print_region(Printer *, const bool *live, Ref place, Ref from, Ref to);    /* the statements of a loop's body or a side; place 0: of the function */
void print_func(Arena *, const Dialect *, const Program *, const FuncNames *, const Func *, Text *);
void print_doc(Text *, const char *indent, const char *doc);
const char *print_arguments(Arena *, const Dialect *, const Program *, const FuncNames *);       /* "vec2 p, …" of the root */
void print_function(const Dialect *, bool exact, const char *type, const char *name, const char *arguments, Text *);   /* up to its brace */

/* print_entry.c */
void print_entry(Arena *, const Dialect *, const Entry *, const Program *, const FuncNames *, uint32_t output, Text *);

#endif
