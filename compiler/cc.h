/* The map of the compiler: every internal type, then the prototypes grouped by file in floor order.
   A file uses only what stands above its own group. All memory comes from one Arena per compilation;
   every `const char *` name in the AST is interned, so equal names are equal pointers. */
#ifndef NOISEC_CC_H
#define NOISEC_CC_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "noisec.h"

typedef struct Arena Arena;
typedef struct Compilation Compilation;         /* compile.h */

/* A growing text. `data` is always NUL-terminated once anything was added. Memory: the arena's. */
typedef struct Text {
	Arena *arena;
	char *data;
	size_t size, capacity;
} Text;

/* ---- places and messages ---- */

typedef struct Source {
	const char *name;                       /* as the user wrote it; shown in messages */
	const char *text;                       /* NUL-terminated at text[size] */
	size_t size;
	bool library;                           /* from library/: may use LIB operations */
} Source;

/* A piece of a source: bytes start <= i < end. */
typedef struct Span {
	const Source *source;
	uint32_t start, end;
} Span;

typedef enum Severity { SEVERITY_ERROR, SEVERITY_WARNING, SEVERITY_NOTE } Severity;

/* What to write instead of a piece of the user's text. All of one message belong together, in the order of the text. */
typedef struct Fix {
	Span span;                              /* empty: insert before it */
	const char *text;
	struct Fix *next;
} Fix;

typedef struct Message {
	Severity severity;
	const char *code;                       /* "N0203"; NULL for a note */
	Span span;                              /* span.source may be NULL: no place */
	const char *text;
	Fix *fixes;                             /* only where the correction is certain or a likely name is proposed */
	struct Message *notes, *next;           /* notes of this message; next in the list */
} Message;

typedef struct Diagnostics {
	Arena *arena;
	Message *first, *last;
	int errors, warnings;
	int muted;                              /* > 0: messages are counted in muted_messages and dropped */
	int muted_messages;
	const struct WarningSet *wanted;        /* NULL: those that are on by default */
	Message *spare;                         /* stands for all messages that are only counted */
} Diagnostics;

enum { MOST_CODES = 128 };

/* Which warnings are told, and which of them are errors; by the row of codes.def. */
typedef struct WarningSet {
	bool on[MOST_CODES], none, all_errors;
	signed char error[MOST_CODES];          /* 1 error, -1 warning, 0 as all_errors says */
} WarningSet;

/* Messages in the order of files and places, each once, warnings as the set wants them. */
typedef struct Report {
	Arena *arena;
	const Message **message;
	size_t count;
	int errors, warnings;                   /* those that were only counted included */
	int kept_errors, kept_warnings;
	nz_diagnostic *described;               /* diag_api.c: those that were asked for; code NULL: not yet */
	struct Lines *lines;                    /* diag.c: where the lines of sources start, made on demand */
} Report;

/* ---- syntax tree (built by parse, never changed after) ---- */

typedef struct Expr Expr;
typedef struct Decl Decl;
typedef struct Scope Scope;

typedef enum ExprKind {
	EXPR_NAME, EXPR_NUMBER, EXPR_COLOUR, EXPR_BOOL, EXPR_UNARY, EXPR_BINARY, EXPR_CHOICE, EXPR_CALL,
	EXPR_MEMBER, EXPR_SAMPLE, EXPR_FOLD, EXPR_MATCH, EXPR_STOPS
} ExprKind;

typedef struct Arg {                            /* of a call; positional ones have name NULL */
	const char *name;
	Span name_span;
	Expr *value;
	struct Arg *next;
} Arg;

typedef struct Arm {                            /* of a match; name NULL is `else` */
	const char *enumeration, *name;         /* Biome.Ocean; enumeration may be NULL */
	Span span;                              /* of the pattern */
	Expr *value;
	struct Arm *next;
} Arm;

typedef struct Stop {                           /* of a ramp's list */
	Expr *at, *value;
	struct Stop *next;
} Stop;

typedef struct TypeName {                       /* a written type; name NULL: none was written */
	const char *name;
	Span span;
} TypeName;

typedef struct Carry {                          /* one line of a fold: a carried name, or a local node */
	const char *name;
	Span name_span;
	TypeName type;
	Expr *first, *then;                     /* then is NULL for a node, whose expression is first */
	Decl *node;                             /* the node's declaration, NULL for a carried name */
	struct Carry *next;
} Carry;

typedef enum NumberKind { NUMBER_WHOLE, NUMBER_UINT, NUMBER_REAL } NumberKind;   /* 5, 5u, 5.0 */

struct Expr {
	ExprKind kind;
	Span span;                              /* the whole expression, parentheses excluded */
	Span outer;                             /* parentheses included */
	bool parenthesised;
	union {
		const char *name;                                       /* NAME */
		struct { NumberKind kind; uint64_t whole; float real; } number;  /* real: nearest float, whole: if WHOLE/UINT */
		struct { uint32_t rgba; int channels; } colour;         /* 0xRRGGBBAA as written, sRGB; 3 or 4 */
		bool truth;                                             /* BOOL */
		struct { const char *op; Span op_span; Expr *a, *b; } op;   /* UNARY (a: "-" "~" "not"), BINARY (the sign or "and" "or"), SAMPLE ("@") */
		struct { Expr *condition, *yes, *no; } choice;          /* c ? a : b */
		struct {                                                /* CALL: callee is a name or module.name */
			const char *module, *name;
			Span name_span;
			Arg *args;
			bool piped;                                     /* written with |>, the first arg is the left side */
			Expr *callee;                                   /* set instead of name when something else is called: an error for check */
		} call;
		struct { Expr *of; const char *name; Span name_span; } member;   /* v.xy, Biome.Ocean, m.name */
		struct { const char *index; Span index_span; Expr *from, *to; Carry *lines; Expr *result; } fold;
		struct { Expr *of; Arm *arms; } match;
		Stop *stops;
	} u;
};

typedef enum DeclKind {
	DECL_NOISE, DECL_IMPORT, DECL_DOMAIN, DECL_ENUM, DECL_CONST, DECL_PARAM, DECL_INPUT, DECL_NODE, DECL_FN,
	DECL_OUTPUT, DECL_ARGUMENT              /* a parameter of a fn */
} DeclKind;

typedef struct Enumerator {
	const char *name;
	Span span;
	const char *doc;
	int value;
	struct Enumerator *next;
} Enumerator;

struct Decl {
	DeclKind kind;
	const char *name;                       /* DOMAIN: the type's name; NOISE: NULL */
	Span span, name_span;                   /* the whole statement; the name alone */
	const char *doc;                        /* text of the /// lines, "\n" between them; NULL if none */
	TypeName type;                          /* ": type", or a fn's "-> type" */
	Expr *value;                            /* const, param (default), node, output, fn (result), argument (default) */
	Expr *low, *high;                       /* "in low .. high" */
	TypeName at;                            /* fn … at vec3 */
	Decl *args;                             /* fn: its arguments (DECL_ARGUMENT), linked by next */
	Decl *locals;                           /* fn with a block: its nodes, linked by next */
	Enumerator *enumerators;                /* enum */
	const char *path;                       /* import: the text between the quotes */
	uint64_t edition;                       /* noise N */
	Decl *next;
	/* filled in by check */
	Decl *overload, *next_in_scope;
	const Scope *scope;
	bool by_name;                           /* an argument that the function samples elsewhere, or asks the range of */
	bool decides;                           /* an argument on which a choice, a bound or a form depends */
	bool broken;                            /* member of a cycle: lower must not enter */
	bool unread;                            /* known by kind, name and `at` alone: see Shelf */
	bool doubtful;                          /* some of its text was dropped: what is wrong with it may follow from that */
	bool used;                              /* an argument or a local node that something mentions */
	Decl *inner;                            /* every local node, those of folds too, by next_in_scope */
	int mark;                               /* of a walk over declarations */
	struct Link *uses;                      /* the declarations of its scope, or of its block, that it uses */
	Decl *next_in_order;
};

typedef struct Link { Decl *to; Span use; struct Link *next; } Link;

typedef struct LostName { const char *name; struct LostName *next; } LostName;

typedef struct File {
	const Source *source;
	Decl *decls;                            /* in order of the text */
	bool broken;                            /* text was dropped: any name may be missing */
	LostName *lost;                         /* names that are missing because their statements were dropped */
} File;

/* ---- scopes (check) ---- */

/* Declarations of a scope whose text is parsed and checked when a name is first asked for. */
typedef struct Shelf {
	Arena *arena;
	Diagnostics *diag;
	void (*read)(struct Shelf *, Decl *);   /* parses it into its place */
	bool busy;                              /* while a name and all that it uses are read */
	Decl **taken;                           /* the declarations read at once */
	struct Step *stack;                     /* of check.c */
} Shelf;

struct Scope {                                  /* the names of one file, or of the library */
	const Scope *outer;              /* a file's is the library's; the library's has none */
	Decl **slot;                            /* hash of interned names; overloads follow by Decl.overload */
	uint32_t size, used;
	Decl *first, *last;                     /* every declaration, by Decl.next_in_scope */
	Decl **enumeration; uint32_t enumerations;
	Decl *order;                            /* all, each after those that it uses, by Decl.next_in_order */
	bool library;
	Shelf *shelf;                           /* NULL: all is read */
};

/* ---- intermediate form ---- */

typedef enum Kind { KIND_BOOL, KIND_INT, KIND_UINT, KIND_FLOAT } Kind;

typedef enum Op {
#define OP(ID, ...) OP_##ID,
#include "../runtime/ops.def"
#undef OP
	OP_COUNT,
	IR_CONST = OP_COUNT,                    /* operand words are the bits of its lanes */
	IR_ARG,                                 /* parameter `imm` of the function */
	IR_UNIFORM,                             /* param `imm` of the program, clamped to its range */
	IR_INPUT,                               /* input `imm` of the program, clamped to its range */
	IR_VEC,                                 /* lanes from scalars */
	IR_LANE,                                /* lane `imm` of a vector, a scalar */
	IR_CALL,                                /* function `imm` of the program on the operands */
	IR_LOOP,                                /* opens a loop of at most `imm` rounds: operands count, then first values */
	IR_INDEX,                               /* operand the IR_LOOP: number of the round, from 0 */
	IR_CARRY,                               /* operand the IR_LOOP: carried value `imm` at the start of the round */
	IR_END,                                 /* closes a loop: operands the IR_LOOP, then next values */
	IR_OUT,                                 /* operand the IR_END: carried value `imm` after the last round */
	IR_ARM,                                 /* opens one side of an IR_IF; made by the last pass alone, like the next two */
	IR_IF,                                  /* operands a scalar bool, the IR_ARMs of yes and no, then pairs of values, yes before no */
	IR_JOIN,                                /* operand the IR_IF: the value of pair `imm` on the side that was taken */
	IR_OP_COUNT
} Op;

enum { COMMUTES = 1, ROUNDS = 2, LIB = 4, HIDDEN = 8 };

typedef struct OpInfo {
	const char *id, *name;
	char result, operand[3];                /* letters of ops.def: b i u f w v */
	int arity;
	int flags;
	const char *shader, *vshader, *doc;
} OpInfo;

typedef uint32_t Ref;                           /* a value of a function: index into Func.value; 0 = none */

/* One SSA value. Values stand in an order in which operands come first. A value belongs to the innermost
   loop that it depends on (`loop`, an IR_LOOP or 0), not to the place where it was written, so invariant
   code stands outside loops by construction. IR_LOOP, IR_END and IR_OUT belong to the loop around.
   After pass_lazy `loop` may be the IR_ARM in which alone the value is wanted; the form is only read then. */
typedef struct Value {
	uint8_t op, kind, width;                /* Op, Kind, 1..4 */
	uint8_t operands;                       /* how many; more than 255 never occur */
	uint32_t first;                         /* Func.pool index of the operands (or of a constant's bits) */
	uint32_t imm;
	Ref loop;
	const char *name;                       /* the author's name for it, or NULL */
	const char *doc;
} Value;

typedef enum ArgRole { ROLE_POSITION, ROLE_SEED, ROLE_VALUE, ROLE_INPUT } ArgRole;

typedef struct FuncArg {
	const char *name;
	uint8_t kind, width;
	ArgRole role;
	uint32_t index;                         /* ROLE_INPUT: of the program's input; ROLE_VALUE without source: of the call's argument */
	const struct Func *source;              /* a value of another function handed in: which function, */
	uint32_t source_ref;                    /* and which of its values; NULL: given by the caller */
	Span use;                               /* ROLE_INPUT: where the input is used */
} FuncArg;

typedef struct Func {
	Arena *arena;
	uint32_t id;                            /* index in Program.func: callees have smaller ids */
	const char *name, *doc;                 /* the author's or the library's */
	bool library;                           /* written in library/ */
	bool local;                             /* a node inside a function or fold, or an argument: not a declaration of a file */
	Value *value;                           /* value[0] is unused */
	uint32_t count, capacity;
	uint32_t *pool;
	uint32_t pool_size, pool_capacity;
	FuncArg *arg;
	uint32_t args, arg_capacity;
	Ref *result;                            /* one value; the root has one per output */
	uint32_t results;
	uint32_t *table;                        /* hash-consing, ir.c */
	uint32_t table_size, table_used;
	Ref open_loop;                          /* the loop whose body is being built, 0 outside */
	int level;                              /* 0 as lowered, 2 while an optimising pass rebuilds */
	int rewriting;                          /* depth of rewrites at work, ir.c */
} Func;

typedef struct TypeInfo {                       /* type of a param, input or output */
	uint8_t kind, width;
	const Decl *enumeration;                /* NULL unless an enum (kind int) */
} TypeInfo;

typedef struct Bounds { float low, high; } Bounds;      /* ints and uints as the nearest floats */

typedef struct Uniform {
	const char *name, *doc;
	TypeInfo type;
	uint32_t value[4];                      /* default, bits per component */
	bool ranged;
	uint32_t low[4], high[4];               /* bits per component */
	bool colour;                            /* the default was written as #rrggbb */
} Uniform;

typedef struct Input {
	const char *name, *doc;
	TypeInfo type;
	bool ranged;
	uint32_t low[4], high[4];
} Input;

typedef struct Output {
	const char *name, *doc;
	TypeInfo type;
	Bounds bounds;                          /* by the frozen rule, after cleaning */
	bool colour;                            /* a vec3/vec4 that holds a colour: its name or its type says so */
} Output;

typedef struct Program {
	Arena *arena;
	const char *name;                       /* base name of the file, an identifier */
	uint8_t domain;                         /* width of p */
	Func **func;                            /* callees first; the last is the root */
	uint32_t funcs, func_capacity;
	Func *root;                             /* results: the outputs, cleaned */
	Uniform *uniform; uint32_t uniforms;
	Input *input; uint32_t inputs;
	Output *output; uint32_t outputs;
	const Decl **enumeration; uint32_t enumerations;
} Program;

/* A sound interval, NaN tracked apart. For vectors the hull of the components. */
typedef struct Range {
	double low, high;
	bool nan;
} Range;

/* ======== prototypes, floor by floor ======== */

/* arena.c: the only malloc of the compiler */
Arena *arena_new(void);                                         /* NULL when out of memory */
Arena *arena_new_in(const nz_allocator *);                      /* the same from the caller's memory */
void arena_free(Arena *);
void *arena_alloc(Arena *, size_t size);                        /* zeroed; on exhaustion longjmps to arena_guard's place */
void *arena_grow(Arena *, void *old, size_t old_size, size_t new_size);
const char *arena_intern(Arena *, const char *text, size_t size);
uint32_t arena_hash(const char *interned);                      /* of the text, so the same in every run */
typedef struct ArenaMark { struct Chunk *chunk; size_t used; } ArenaMark;
void *arena_scratch(Arena *, size_t size);                      /* zeroed; until the mark that was taken before is released */
ArenaMark arena_mark(Arena *);
void arena_release(Arena *, ArenaMark);                         /* marks are released in reverse order */
#include <setjmp.h>
jmp_buf *arena_guard(Arena *);                                  /* where out-of-memory goes: set it before use */

/* text.c */
void text_add(Text *, const char *string);
void text_add_n(Text *, const char *string, size_t size);
void text_format(Text *, const char *format, ...) __attribute__((format(printf, 2, 3)));  /* %s %d %u %zu %x %c only */
void text_float(Text *, float value);           /* shortest that reads back to the same bits; always with a point or exponent; finite only */
float text_read_float(const char *string, size_t size);         /* locale-free, nearest */
const char *text_print(Arena *, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *text_vprint(Arena *, const char *format, va_list);

/* diag.c: messages, their places */
Message *diag_error(Diagnostics *, const char *code, Span, const char *format, ...) __attribute__((format(printf, 4, 5)));
Message *diag_warning(Diagnostics *, const char *code, Span, const char *format, ...) __attribute__((format(printf, 4, 5)));
void diag_note(Diagnostics *, Message *of, Span, const char *format, ...) __attribute__((format(printf, 4, 5)));
void diag_fix(Diagnostics *, Message *of, Span, const char *format, ...) __attribute__((format(printf, 4, 5)));     /* %s and so on: the new text */
void diag_add(Diagnostics *, Message *);                        /* one made elsewhere, to the end of the list */
Report *diag_report(const Diagnostics *);
void report_place(Report *, const Source *, size_t offset, uint32_t *line, uint32_t *column);  /* 1-based; columns count code points */

/* diag_code.c: the table of codes, and which warnings are told */
const nz_code *code_find(const char *code_or_warning);          /* NULL: there is none */
WarningSet warning_defaults(void);
bool warning_choose(WarningSet *, const char *option);          /* what follows -W: NAME, no-NAME, all, unused, error, error=NAME …; false: no such */
const char *warning_nearest(const char *option);                /* NULL: none */
typedef enum Wish { WISH_NONE, WISH_WARNING, WISH_ERROR } Wish;
Wish warning_wish(const Diagnostics *, const char *code);       /* how this warning is to be told */

/* diag_glyph.c: code points, and how wide they are on a terminal */
size_t glyph_size(const char *at, const char *end);             /* in bytes; 1 for a byte that starts none */
int glyph_cells(const char *at, const char *end);               /* 0 to 2 */
bool glyph_is_safe(const char *at, const char *end);            /* no control character, no broken or direction-changing one */
void glyph_add_clean(Text *, const char *at, const char *end);  /* one '?' for each unsafe one, a blank for a tab */

/* habit.c: words of other languages */
typedef struct Habit { const char *word, *advice, *instead; } Habit;    /* instead: NULL if it takes more than another word */
const Habit *habit_find(const char *word);                      /* NULL: none that is known */
const Habit *habit_at(size_t);                                  /* the words but types, one by one; NULL behind the last */
const Habit *habit_type(const char *word);                      /* of types alone */

/* diag_text.c, diag_json.c */
void report_text(Report *, const nz_render_options *, Text *out);       /* form of language.md §7 */
void report_json(Report *, const nz_render_options *, Text *out);       /* a line per message */

/* diag_near.c */
const char *diag_nearest(const char *name, const char *const *candidates, size_t count);  /* NULL: none near enough */

/* grammar/noise.re, grammar/noise.y, parse.c */
enum { PARSE_MOST_BYTES = 1 << 30 };            /* a larger text is refused */
void parse_file(Arena *, Diagnostics *, const Source *, File *out);
void parse_part(Arena *, Diagnostics *, const Source *, uint32_t start, uint32_t end, File *out);    /* the statements between two places */
void parse_dump(const File *, Text *out);                       /* --dump=ast: one s-expression per statement */

/* form.c: the words that belong to the language */
enum { FORM_VALUE = 1, FORM_RESERVED = 2, FORM_ABSENT = 4, FORM_SIGN = 8 };  /* not called; names nothing else; not in this version; not a name */
typedef struct FormInfo {
	const char *name;
	int flags;
	const char *signature, *result, *doc, *example;         /* example: an expression, or NULL */
} FormInfo;
extern const FormInfo form_info[];
extern const size_t form_count;
const FormInfo *form_find(const char *name);                    /* NULL: none */
bool is_form_name(const char *name);
bool is_form_value(const char *name);                           /* p, seed, period: written without parentheses */
bool is_reserved_form(const char *name);                        /* those that cannot name anything else */

/* node_doc.c: what the /// comments of library functions say */
typedef struct NodeDoc {
	const char *text;                       /* without the facts */
	const char *source, *example, *helper;  /* of the formula, a call of it, for whom it is private; or NULL */
	const char *result;                     /* "0 .. 1." or "at least 0.": bounds of what it gives, or NULL */
} NodeDoc;
void node_doc(Arena *, const Decl *fn, NodeDoc *out);
const char *node_argument_doc(Arena *, const Decl *first, const Decl *fn, const char *name);     /* `first` overload of fn; NULL if none */
const char *node_sentence(Arena *, const char *text);           /* the first sentence, in one line */

/* ir.c: the one door through which values are built */
extern const OpInfo op_info[OP_COUNT];
uint32_t op_fold(Op, uint32_t a, uint32_t b, uint32_t c);       /* one component, by the runtime's own meaning */
Func *ir_func_new(Arena *);
Func *ir_func_like(const Func *);                               /* no values yet; name, arguments and number of results are the same */
Func *ir_func_sized(Arena *, uint32_t values, uint32_t words);  /* with room for so many values and operands; it grows; neither is 0 */
Ref ir_value(Func *, Op, Kind, int width, uint32_t imm, const Ref *operands, uint32_t count);   /* folds, simplifies, shares */
Ref ir_op(Func *, Op, Ref a, Ref b, Ref c);                     /* kind and width follow from the row; scalars are spread */
Ref ir_const(Func *, Kind, int width, const uint32_t *bits);
Ref ir_float(Func *, float);
Ref ir_int(Func *, int32_t);
Ref ir_uint(Func *, uint32_t);
Ref ir_bool(Func *, bool);
Ref ir_vec(Func *, const Ref *lanes, int width);
Ref ir_lane(Func *, Ref vector, int lane);
Ref ir_splat(Func *, Ref scalar, int width);
Ref ir_arg(Func *, const char *name, Kind, int width, ArgRole, uint32_t index);
Ref ir_loop(Func *, uint32_t most, const Ref *operands, uint32_t count);         /* an IR_LOOP, never shared: count, first values */
Ref ir_place(Func *, Value, const uint32_t *words, Ref home);  /* as it is, neither folded nor shared: for pass_lazy */
static inline bool ir_is_const(const Func *f, Ref r) { return f->value[r].op == IR_CONST; }
const uint32_t *ir_bits(const Func *, Ref constant);
static inline const Ref *ir_operands(const Func *f, Ref r) { return f->pool + f->value[r].first; }
void ir_dump(const Program *, Text *out);                       /* --dump=ir */
void ir_verify(const Program *);                                /* aborts on a bug of ours */

/* check.c: names, overloads, cycles; what each argument is used for */
void check_scope(Arena *, Diagnostics *, const File *files, size_t count, const Scope *outer, bool library, Scope *out);
void check_shelf(Shelf *, Decl *decls, Scope *out);             /* as a library's scope; decls: linked by next, enums read, others perhaps not */
void check_unused(Arena *, Diagnostics *, const Scope *);       /* check_unused.c: warnings, of a program without errors */
Decl *scope_find(const Scope *, const char *name);              /* here, then outer; NULL; reads what was not */
bool is_type_name(const char *name);                            /* float vec2 … vecP */

/* range.c: the frozen rule */
Range range_of(const Program *, const Func *, Ref, bool finite_position);
typedef struct RangeCache RangeCache;           /* calls already followed, for questions of one kind of position */
RangeCache *range_cache(Arena *);
const Range *range_all(const Program *, const Func *, const Range *args, bool finite_position, RangeCache *);  /* of every value, by Ref; args may be NULL */
bool range_is_finite(Range);
Range range_hull(Range, Range);
Bounds range_bounds(Range);                                     /* as finite floats, rounded outward */

/* lower.c and its siblings: names and types, per instance, straight into the intermediate form */
bool lower_program(Arena *, Diagnostics *, const File *, const Scope *, const char *preview, Program *out);
typedef struct HelperOperand { Kind kind; int width; const uint32_t *known; } HelperOperand;     /* known: its bits, or NULL */
/* A library function as the spelling of an operation; where the known operands decide its result, *func is NULL and `constant` has it. */
bool lower_helper(Arena *, Diagnostics *, Program *, const Scope *library, const char *name, const HelperOperand *, uint32_t count,
	Func **func, uint32_t constant[4]);

/* nodes.c and its siblings: the library, forms and operations described; false: no such name, `out` says what is near */
bool nodes_describe(Arena *, const Scope *library, const nz_describe_options *, Text *out);

/* copy.c: what passes are made of */
typedef struct Copy {
	Program *program;
	/* Returns what stands for value r of `from` in `to`, its operands already copied; 0: a plain copy. */
	Ref (*hook)(struct Copy *, const Func *from, Ref r, Func *to, const Ref *operands);
	/* Should this loop be written out? Its count is a constant and no loop stands in it. NULL: none. */
	bool (*unroll)(struct Copy *, const Func *from, Ref header, Ref end);
	int level;                              /* Func.level of the copies */
	const Ref *map;                         /* set while a body is copied: the copies so far, by Ref */
	const Ref *order;                       /* values of the function to be copied, operands first; NULL: as they stand */
	uint32_t ordered;
} Copy;
Ref copy_body(Copy *, const Func *from, Func *to, const Ref *args, Ref around);  /* into `to`, args for IR_ARG; `around`: the open loop */
Func *copy_func(Copy *, const Func *);
void copy_program(Copy *, Program *);
void copy_finish(Program *);                                    /* what a pass does last that copied every function itself */
void program_order(Program *);                                  /* callees first, only what the root reaches */

/* late.c: where values are wanted, without moving any */
typedef struct LateNode {                       /* a place: the function, a loop's body, or one side of a choice */
	uint32_t parent, depth;
	Ref header;                             /* of a loop */
	uint32_t choice;                        /* of a side: index in Late.choice */
	bool yes;
	uint64_t cost;                          /* operations of all that is wanted here alone */
} LateNode;
typedef struct LateChoice {                     /* selects of one condition at one place */
	Ref condition;                          /* a scalar */
	uint32_t home, depth, node[2];          /* node: of no, of yes */
	Ref *select;                            /* the selects, in order */
	uint32_t selects;
	uint32_t next;                          /* with the same condition; 0 ends */
} LateChoice;
typedef struct Late {
	bool *live;                             /* per value */
	uint32_t *home;                         /* per live value: node */
	uint32_t *choice_of;                    /* per select: index of its choice, 0 where both sides are always computed */
	LateNode *node; uint32_t nodes;         /* [0] is the function; parents come first */
	LateChoice *choice; uint32_t choices;   /* [0] is unused */
} Late;
bool *late_live(Arena *, const Func *);                         /* per value: a result depends on it */
uint64_t *late_costs(const Program *);                          /* per function: operations of one call */
uint64_t late_call_cost(const Func *, const uint64_t *of_function);
uint64_t late_cost(const Func *, Ref, const uint64_t *of_function);
uint32_t late_rounds(const Func *, Ref header);                 /* a guess */
Late *late_homes(Arena *, const Func *, const uint64_t *of_function);
/* The live values, operands first, as near to the old order as can be, those of one group (> 0) behind each
   other. Values of one group may not need each other, directly or through other groups. */
Ref *late_order(Arena *, const Func *, const bool *live, const uint32_t *group, uint32_t *count);

/* passes: each one file, its contract on top */
#define PASS(name, what) void pass_##name(Program *);           /* NAME.c; after `lazy` nothing rebuilds */
#include "passes.def"
#undef PASS

/* pipeline.c: the order of the passes */
typedef enum Route { ROUTE_ALL, ROUTE_SHADER, ROUTE_PROGRAM } Route;
uint32_t pipeline_all(void);                                    /* the set of all passes */
uint32_t pipeline_passes(Arena *, const char *list, const char **unknown);
bool pipeline_has_stage(Route, const char *stage);
void pipeline_run(Program *, Route, uint32_t skipped, const char *last);        /* up to the stage `last`; NULL: all of them */

/* print.c: program -> shader text */
typedef struct Dialect Dialect;
typedef struct PrintOptions {
	const char *prefix;
	nz_entry entry;
	uint32_t output;                        /* fragment entry: which */
} PrintOptions;
#define DIALECT(name) extern const Dialect dialect_##name;
#include "dialects.def"
#undef DIALECT
const Dialect *dialect_find(const char *name);
bool dialect_has_entry(const Dialect *, nz_entry);
bool dialect_describe(size_t index, nz_target *out);            /* false behind the last */
bool legalise(Arena *, Diagnostics *, const Dialect *, Program *, const Scope *library);     /* legalise.c */
void print_program(Arena *, const Dialect *, const Program *, const PrintOptions *, Text *out);

bool dialect_is_exact(const Dialect *);                         /* keeps every operation as written: the bits are promised */
bool dialect_is_vulkan(const Dialect *);                        /* its complete shaders have the interface of docs/runtime.md */
const char *dialect_type(const Dialect *, Kind, int width);
typedef struct EntryNames {                     /* what a host calls and fills, as the printer names it */
	const char *eval, *params, *out;
	const char **uniform, **input, **output, **output_func;
} EntryNames;
void dialect_names(Arena *, const Dialect *, const Program *, const char *prefix, EntryNames *out);

/* layout.c: the uniform block of complete shaders */
typedef struct BlockMember {
	const Uniform *uniform;                 /* NULL: the seed */
	uint8_t kind, width;                    /* as stored */
	uint32_t offset;
} BlockMember;
typedef struct UniformBlock {
	BlockMember *member;
	uint32_t members;
	uint32_t size, room;                    /* bytes to the end of the last member; of a buffer for it */
} UniformBlock;
void layout_block(Arena *, const Program *, UniformBlock *out);

/* json.c: JSON as it is written. Each value of an object follows json_key, each of an array json_next. */
typedef struct Json {
	Text *out;
	int depth;
	bool filled;                            /* the open object or array has something in it */
} Json;
void json_next(Json *);
void json_key(Json *, const char *name);
void json_open(Json *, const char *bracket);
void json_close(Json *, const char *bracket);
void json_string(Json *, const char *value);    /* NULL: "" */
void json_put_text(Json *, const char *name, const char *value);
void json_put_whole(Json *, const char *name, uint32_t value);
void json_put_truth(Json *, const char *name, bool value);

/* reflect.c: program -> JSON */
typedef struct ReflectOptions {
	const char *prefix;
	const nz_target *target;
	size_t targets;
} ReflectOptions;
void reflect_program(Arena *, const Program *, const ReflectOptions *, Text *out);

/* print_header.c: program -> a C header for hosts of its complete shaders */
void print_header(Arena *, const Program *, const char *prefix, Text *out);
void print_baked(Arena *, const Program *, const char *prefix, const Text *blob, Text *out);       /* the header of -t program */

/* slots.c: program -> blob for the runtime */
void slots_write(Arena *, const Program *, Text *out);
void slots_dump(Arena *, const Program *, Text *out);           /* --dump=program */

/* library.c: library/, made part of the compiler by the build */
void library_open(Arena *, Diagnostics *, Scope *out);          /* its names; what they mean is read as they are asked for */

/* compile.c: the order of it all; beside the public functions of noisec.h */
Report *compile_report(const nz_module *);                      /* NULL after running out of memory */
nz_status compile_no_memory(nz_module *);                       /* frees all but the handle */
void compile_library(Arena *, Diagnostics *, Scope *out);       /* library/, all of it read */

#endif
