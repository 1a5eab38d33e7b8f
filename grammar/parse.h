/* What the lexer (noise.re), the grammar (noise.y), the driver and the tree (compiler/parse*.c) share.
   One Parser reads one file; token kinds are the TOKEN_ constants that lemon writes to noise.h. */
#ifndef NOISE_PARSE_H
#define NOISE_PARSE_H

#include "../compiler/cc.h"

typedef struct Token {
	int kind;                               /* TOKEN_…, 0 at the end of the text */
	uint32_t start, end;
	const char *doc;                        /* the /// lines just before it, NULL if none */
} Token;

/* Lists that grow at the end. */
typedef struct ArgList { Arg *first, *last; } ArgList;
typedef struct ArmList { Arm *first, *last; } ArmList;
typedef struct StopList { Stop *first, *last; } StopList;
typedef struct CarryList { Carry *first, *last; } CarryList;
typedef struct DeclList { Decl *first, *last; } DeclList;
typedef struct EnumeratorList { Enumerator *first, *last; } EnumeratorList;

#define APPEND(list, item) \
	((list).last ? ((list).last->next = (item)) : ((list).first = (item)), (list).last = (item))

typedef struct Limits { Expr *low, *high; } Limits;     /* "in low .. high"; both NULL if not written */
typedef struct Signature { TypeName at, type; Limits limits; } Signature;
typedef struct Callee { const char *module, *name; Span name_span; } Callee;

typedef struct Parser {
	Arena *arena;
	Diagnostics *diagnostics;
	const Source *source;

	/* lexer */
	const unsigned char *cursor, *end;
	bool quiet;                             /* hints are not reported: the text is being skipped */
	Message *semicolon;                     /* once per file is enough: what was said of the first */
	const unsigned char *behind_semicolon;  /* tokens may be read twice: this one is known */
	int semicolons;
	bool guessed;                           /* in this statement the lexer dropped or guessed something */

	/* driver */
	void *engine;                           /* lemon's state for this statement */
	Token token, last;                      /* the next token, and the last one the engine took */
	Decl *statement;                        /* the finished statement */
	bool too_deep;
	bool refused;                           /* the engine was fed a token that does not fit */
	bool broken;                            /* text was dropped that may have declared anything */
	struct LostName *lost;                  /* what dropped statements would have declared */
	Token choice;                           /* an `if` or the like that was read as a name in this statement */
	bool spoilt;                            /* what was read of this statement is not to be kept */
	Token type;                             /* of a declaration in the order of C: read behind its name */
} Parser;

/* noise.re: the next token. Reports forms of other languages and goes on with what was meant. */
Token lex_token(Parser *);

/* noise.y */
bool grammar_run(Parser *, bool (*read)(Parser *));     /* sets up an engine for one statement, and returns what `read` does */
bool grammar_accepts(const Parser *, int kind); /* would the engine take this token now? */
void grammar_feed(Parser *, Token);
bool grammar_open_bracket(const Parser *, Token *);     /* the innermost bracket that is still open */

/* parse.c */
void parse_lose(Parser *, const char *name);            /* what would have declared it was dropped */

/* parse_tree.c: what the actions of the grammar build with */
Span parse_span(const Parser *, uint32_t start, uint32_t end);
Span parse_token_span(const Parser *, Token);
const char *parse_text(const Parser *, Token);          /* points into the source */
const char *parse_name(Parser *, Token);                /* interned */
TypeName parse_type(Parser *, Token);

Expr *parse_leaf(Parser *, ExprKind, Token);            /* NAME, BOOL, NUMBER, COLOUR */
Expr *parse_unary(Parser *, const char *op, Token, Expr *);
Expr *parse_binary(Parser *, ExprKind, const char *op, Token, Expr *, Expr *);
Expr *parse_operator(Parser *, Token, Expr *, Expr *);  /* BINARY whose sign is the token's text */
Expr *parse_choice(Parser *, Expr *condition, Expr *yes, Expr *no);
Expr *parse_call(Parser *, Expr *callee, ArgList, Token closing);
Expr *parse_pipe(Parser *, Expr *left, Callee, ArgList, Token closing);
Expr *parse_member(Parser *, Expr *, Token name);
Expr *parse_fold(Parser *, Token first, Token index, Limits, CarryList, Expr *result);
Expr *parse_match(Parser *, Token first, Expr *, ArmList, Token closing);
Expr *parse_stops(Parser *, Token first, StopList, Token closing);
Expr *parse_parenthesised(Token open, Expr *, Token closing);

Arg *parse_arg(Parser *, const Token *name, Expr *);
void parse_add_arg(Parser *, ArgList *, Arg *);
Arm *parse_arm(Parser *, const Token *enumeration, Token name, Expr *);
Stop *parse_stop(Parser *, Expr *at, Expr *value);
Carry *parse_carry(Parser *, Token name, TypeName, Expr *first, Expr *then);
Carry *parse_carry_node(Parser *, Decl *node);
Callee parse_callee(Parser *, const Token *module, Token name);
Expr *parse_uncalled(Parser *, Expr *left, Callee);     /* x |> f without (): an error, read as x |> f() */

Decl *parse_decl(Parser *, DeclKind, Token first, const Token *name, TypeName, Expr *value);
Decl *parse_noise(Parser *, Token first, Token number);
Decl *parse_import(Parser *, Token first, Token path, Token name);
Decl *parse_enum(Parser *, Token first, Token name, EnumeratorList);
Decl *parse_ranged(Decl *, Limits);
Decl *parse_fn(Parser *, Token first, Token name, DeclList args, Signature, DeclList locals, Expr *value);
Enumerator *parse_enumerator(Parser *, Token name, const Enumerator *before);

#endif
