/* Shared by the lower*.c files alone: how a field becomes values.

   A field is an expression in an environment (what its names mean). Lowering it in a context (position,
   seed) gives a typed value of the function being built. A node, a by-name argument or a function body
   becomes an instance: one IR function per (expression, environment, dimension of p), called wherever it
   is sampled; so code stays linear in distinct instances. Instances are shared because environments are:
   equal bindings of one function are one environment. */
#ifndef NOISEC_LOWER_H
#define NOISEC_LOWER_H

#include "cc.h"

typedef enum Base { BASE_BAD, BASE_BOOL, BASE_INT, BASE_UINT, BASE_FLOAT, BASE_ENUM, BASE_STOPS } Base;

typedef struct Type {
	Base base;                              /* BAD: an error was reported, or nothing is expected */
	int width;
	const Decl *enumeration;                /* ENUM */
	bool whole;                             /* a whole-number literal: FLOAT that may still become INT or UINT */
} Type;

typedef struct Env Env;

typedef struct Typed {
	Type type;
	Ref ref;
	const Expr *stops;                      /* STOPS: the list, and what its names mean */
	const Env *stops_env;
} Typed;

typedef enum BindingKind { BIND_FIELD, BIND_CONST, BIND_VALUE, BIND_ARGUMENT } BindingKind;

typedef struct Binding {
	const char *name;
	BindingKind kind;
	Type type;                              /* CONST, VALUE, ARGUMENT: its type; FIELD: the annotated type or BAD */
	const Decl *decl;                       /* the argument or node, for its range and name; may be NULL */
	const Expr *expr;                       /* FIELD */
	const Env *env;
	uint32_t bits[4];                       /* CONST */
	const Func *func;                       /* VALUE: a value of this function */
	Ref ref;
	uint32_t index;                         /* ARGUMENT: position in the call */
} Binding;

struct Env {
	const Env *outer;
	const Scope *scope;
	const Decl *fn;                         /* set for a call: its locals are found here too */
	const Carry *lines;                     /* set for a fold: its local nodes are found here too */
	int width;                              /* a call: dimension of p where the function is called */
	uint32_t bindings;
	Binding *binding;
	uint32_t id, hash;
	Env *next;                              /* in the table of calls' environments */
};

typedef enum InstanceState { INSTANCE_OPEN, INSTANCE_DONE, INSTANCE_BAD } InstanceState;

typedef struct Use { bool position, seed; } Use;

typedef struct Edge { struct Instance *to; struct Edge *next; } Edge;

typedef enum InstanceMark { MARK_SEEN = 1, MARK_TOLD = 2, MARK_CLEAN = 4 } InstanceMark;   /* clean: no error in it, nor in what it reaches */

typedef struct Instance {
	const Expr *expr;
	const Env *env;
	int width;
	Type expect;
	Func *func;
	Type type;
	InstanceState state;
	Typed stops;                            /* an instance may be a list of stops */
	Use use;                                /* what of its context matters, if only at compile time */
	Diagnostics own;                        /* what there is to say of it, told when it is reached */
	Edge *calls;                            /* the instances that it reaches */
	unsigned mark;
	struct Instance *below;                 /* in the stack of a walk */
	uint32_t hash;
	struct Instance *next;                  /* in the table of instances */
} Instance;

typedef struct Frame {                          /* a function being built */
	Func *func;
	const Env *env;                         /* whose ARGUMENT bindings are this function's arguments */
	struct Frame *caller;
	const Decl *fn;                         /* a function of the language, NULL for a field */
	Span call;                              /* where it was called */
	int width;                              /* dimension of p */
	struct FoldTypes *fold_types;           /* lower_fold.c: of inner folds, and the loops that were built */
	struct FoldLoop *fold_loops;
	Span place;                             /* the '@' that gave p this dimension; no source: the program's own */
} Frame;

typedef struct Context {
	Frame *frame;
	int width;                              /* dimension of p */
	Ref p, seed;                            /* 0: the function's own, or the output's under here() */
	bool moved;                             /* under @: inputs are out of reach */
	bool here;                              /* in here(): the context of the output */
	Span place;                             /* as Frame.place */
	Use *use;                               /* what was asked for, for warnings */
} Context;

typedef struct LoopPlace { Func *func; Ref header; Message *uneven; struct LoopPlace *next; } LoopPlace;   /* what to say if its rounds differ */

typedef struct Trial { Diagnostics own; Edge *calls; } Trial;

/* MAX_FUNCS: beside one for each declaration of the file; it stops fields that multiply. */
enum { MAX_DEPTH = 1000, MAX_FUNCS = 65536, MAX_ROUNDS = 256 };

typedef struct Lower {
	Arena *arena;
	Diagnostics *diag;
	Program *program;
	const Scope *file, *library;
	Env *file_env, *library_env;
	Frame root;
	Typed *uniform, *input;                 /* clamped, in the root */
	const Decl **uniform_decl, **input_decl;
	Instance **instance;                    /* two tables of lists, as long as there are entries, or powers of two above */
	Env **call_env;
	uint32_t instance_slots, instances, env_slots, envs;
	uint32_t most_funcs;
	bool full, deep;                        /* it was told that there are too many functions, that they are nested too deeply */
	Message **told;                         /* a hash of the messages told */
	uint32_t told_slots, told_count;
	LoopPlace *loops;
	const Source *file_source;              /* the author's; NULL while helpers are lowered */
	struct Comparison *comparisons;         /* lower_compare.c */
	uint32_t env_count;
	int depth;
	Frame *frame;                           /* innermost function being built */
	Instance *current, top;                 /* whose messages are being found; that of the outputs */
	struct Pending { Span span; const char *text; } pending[4];    /* notes for the next error */
	struct PendingFix { Span span; const char *text; } fix[4];     /* and fixes */
	int notes, fixes;
	bool ready;                             /* params and inputs have their values */
} Lower;

/* lower_type.c */
Type type_make(Base, int width);
Type type_none(void);
const char *type_text(Lower *, Type);
Kind type_kind(Type);
TypeInfo type_info(Type);
bool type_same(Type, Type);
bool type_numeric(Type);
Type type_of_name(Lower *, TypeName, int position_width);       /* BAD if unknown or NULL */
bool type_least(Type, Type, Type *out);                         /* the least type that holds both */
bool type_converts(Type from, Type to);                         /* without a cast */
Typed typed(Type, Ref);
Typed typed_bad(void);
Typed convert(Lower *, const Context *, Typed, Type to, Span, const char *what);
Typed convert_quietly(const Context *, Typed, Type to);         /* types must convert */

/* lower_tell.c */
void lower_error(Lower *, const char *code, Span, const char *format, ...) __attribute__((format(printf, 4, 5)));
void lower_warning(Lower *, const char *code, Span, const char *format, ...) __attribute__((format(printf, 4, 5)));
void lower_note(Lower *, Span, const char *format, ...) __attribute__((format(printf, 3, 4)));   /* of the next error */
void lower_fix(Lower *, Span, const char *format, ...) __attribute__((format(printf, 3, 4)));    /* of the next error or warning */
void lower_fix_around(Lower *, Span, const char *before, const char *behind);
Message *lower_later(Lower *, const char *code, Span, const char *text);    /* an error that lower_keep may add to the others */
void lower_keep(Lower *, Message *);
Trial lower_try(const Lower *);
void lower_undo(Lower *, Trial before);                         /* forgets what was said since then */
void lower_reach(Lower *, Instance *to);                        /* from the one being lowered */
void lower_tell(Lower *, Instance *from);                       /* all that there is to say of it and what it reaches */
bool lower_is_clean(Lower *, Instance *from);

/* lower.c */
Typed lower_expr(Lower *, const Context *, const Env *, const Expr *, Type expect);
Ref lower_position(Lower *, const Context *);
Ref lower_seed(Lower *, const Context *);
Typed lower_refuse_input(Lower *, const char *name, Span, Span use);
Ref lower_capture(Frame *, const Func *source, Ref, const FuncArg *like, Span use);
Typed lower_declared(Lower *, const Context *, const Decl *, Span use);    /* a declaration of a file, not a function */
const Decl *lower_resolve(const Expr **, const Env **, const Decl *);
Typed lower_field(Lower *, const Context *, const Expr *, const Env *, const Decl *, Type expect);
void lower_order_args(Lower *, Func *);
const Decl *lower_enum_of(const Env *, const char *name, int *value);   /* the one enum that has this enumerator */
bool lower_move(Lower *, const Context *, const Env *, const Expr *sample, Context *there);
bool lower_is_const(const Context *, Typed);
Typed lower_clamp(Lower *, const Context *, const Env *, Typed, const Expr *low, const Expr *high);

const Enumerator *lower_enumerator(const Decl *, const char *name);     /* NULL: it has none of this name */
void lower_no_enumerator(Lower *, const Decl *, const char *name, Span);

/* lower_operator.c */
bool lower_is_literal(const Expr *);            /* whole numbers and operators over them: waits for a type */
Type lower_hint(Type);                          /* what an operand is told to be by the other one */
Typed lower_unary(Lower *, const Context *, const Env *, const Expr *, Type expect);
Typed lower_chain(Lower *, const Context *, const Env *, const Expr *, Type expect);    /* a binary operator */
Typed lower_choice(Lower *, const Context *, const Env *, const Expr *, Type expect);
Typed lower_match(Lower *, const Context *, const Env *, const Expr *, Type expect);

/* lower_call.c */
Typed lower_call(Lower *, const Context *, const Env *, const Expr *, Type expect);
void lower_unused(Lower *, const Context *, const Decl *fn);    /* tells the mistakes of a function that is not generic */
Typed lower_library(Lower *, const Context *, const char *name, const Typed *args, uint32_t count, Span);
Typed lower_instance(Lower *, const Context *, Instance *, const Typed *args, Span);
Instance *lower_find_instance(Lower *, const Expr *, const Env *, int width, Type expect);
bool lower_lookup(const Env *, const char *name, Binding *out, const Env **where);
Ref lower_reseed(Lower *, const Context *, Typed k, Span);           /* stir(seed, k), 0 after an error */

/* lower_args.c */
bool lower_bind(Lower *, const Decl *fn, const Expr *call, const Arg **given, uint32_t count);
bool lower_mentions_p(const Expr *);
const char *lower_text(Lower *, const Expr *);                  /* as written; NULL if long */
const char *lower_sampling(Lower *, const Decl *fn, const Expr *position);
void lower_fix_sampling(Lower *, const Expr *call, const Arg *);        /* perlin(p * 4) as perlin() @ (p * 4) */
Span lower_cut(const Arg *, const Expr *call);                  /* the text of an argument, with the comma that goes with it */

/* lower_row.c */
Typed lower_operation(Lower *, const Context *, const Env *, const Expr *call);
Typed lower_row(Lower *, const Context *, const char *name, Typed *args, uint32_t count, Span, bool library);

/* lower_form.c */
bool is_form(const char *name);
Typed lower_form(Lower *, const Context *, const Env *, const Expr *, Type expect);
Typed lower_constructor(Lower *, const Context *, const Env *, const Expr *, Type target);

/* lower_range.c */
Typed lower_range(Lower *, const Context *, const Env *, const Expr *of);
bool lower_has_bounds(Lower *, const Context *, const Binding *field);

/* lower_rounds.c */
void lower_check_rounds(Lower *);
const char *lower_uneven_text(Lower *, const Env *, const Expr *fold);

/* lower_compare.c */
void lower_note_comparison(Lower *, const Context *, const Expr *, Ref a, Ref b, Ref result);
void lower_tell_comparisons(Lower *);

/* lower_fold.c */
Typed lower_fold(Lower *, const Context *, const Env *, const Expr *, Type expect);

#endif
