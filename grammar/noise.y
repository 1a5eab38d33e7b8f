/* The grammar of one statement, free of conflicts. Actions only build nodes; parse.c has what they build
   with, feeds the tokens, and reports errors before the engine sees them, from the tables (see accepts).
   Leaves out everything that needs the meaning of a name. */
%include {
#include "parse.h"
#include "noise.h"

/* The driver starts the statement anew when a token did not fit. */
#define YYNOERRORRECOVERY 1
#define Grammar_ENGINEALWAYSONSTACK 1
#define NDEBUG 1

/* The template narrows its table entries on purpose, and declares more than this grammar needs. */
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-parameter"
}

%name Grammar
%token_prefix TOKEN_
%token_type {Token}
%default_type {Expr *}
%extra_context {Parser *parser}
%start_symbol program
%stack_size 1000
%stack_overflow { parser->too_deep = true; }
%syntax_error { parser->refused = true; }

/* Words that mean something in one place only. */
%fallback ID AS AT THEN ELSE NOISE.

%type statement {Decl *}
%type node {Decl *}
%type par {Decl *}
%type type {TypeName}
%type range {Limits}
%type signature {Signature}
%type at {TypeName}
%type result {TypeName}
%type pars {DeclList}
%type pars1 {DeclList}
%type body {DeclList}
%type names {EnumeratorList}
%type carries {CarryList}
%type callee {Callee}
%type args {ArgList}
%type args1 {ArgList}
%type arg {Arg *}
%type arms {ArmList}
%type arm {Arm *}
%type stops {StopList}
%type stop {Stop *}

program ::= statement(S).                       { parser->statement = S; }

/* ---- statements ---- */

statement(A) ::= NOISE(F) NUM(N).               { A = parse_noise(parser, F, N); }
statement(A) ::= IMPORT(F) STRING(P) AS ID(N).  { A = parse_import(parser, F, P, N); }
statement(A) ::= DOMAIN(F) ID(N).               { A = parse_decl(parser, DECL_DOMAIN, F, &N, (TypeName){ 0 }, NULL); }
statement(A) ::= ENUM(F) ID(N) LB names(L) comma RB.    { A = parse_enum(parser, F, N, L); }
statement(A) ::= CONST(F) ID(N) type(T) EQ expr(E).     { A = parse_decl(parser, DECL_CONST, F, &N, T, E); }
statement(A) ::= PARAM(F) ID(N) type(T) EQ expr(E) range(R). {
	A = parse_ranged(parse_decl(parser, DECL_PARAM, F, &N, T, E), R);
}
statement(A) ::= INPUT(F) ID(N) type(T) range(R). {
	A = parse_ranged(parse_decl(parser, DECL_INPUT, F, &N, T, NULL), R);
}
statement(A) ::= OUTPUT(F) ID(N) type(T) EQ expr(E).    { A = parse_decl(parser, DECL_OUTPUT, F, &N, T, E); }
statement(A) ::= node(N).                       { A = N; }
statement(A) ::= FN(F) ID(N) LP pars(P) RP signature(S) EQ expr(E). {
	A = parse_fn(parser, F, N, P, S, (DeclList){ 0 }, E);
}
statement(A) ::= FN(F) ID(N) LP pars(P) RP signature(S) LB body(B) RETURN expr(E) RB. {
	A = parse_fn(parser, F, N, P, S, B, E);
}

node(A) ::= NODE(F) ID(N) type(T) EQ expr(E).   { A = parse_decl(parser, DECL_NODE, F, &N, T, E); }
body(A) ::= .                                   { A = (DeclList){ 0 }; }
body(A) ::= body(A) node(N).                    { APPEND(A, N); }

names(A) ::= ID(N). {
	Enumerator *first = parse_enumerator(parser, N, NULL);
	A = (EnumeratorList){ first, first };
}
names(A) ::= names(A) COMMA ID(N). {
	Enumerator *enumerator = parse_enumerator(parser, N, A.last);
	APPEND(A, enumerator);
}
comma ::= .
comma ::= COMMA.

type(A) ::= .                                   { A = (TypeName){ 0 }; }
type(A) ::= COLON ID(N).                        { A = parse_type(parser, N); }
range(A) ::= .                                  { A = (Limits){ 0 }; }
range(A) ::= IN cond(L) DOTDOT cond(H).         { A = (Limits){ L, H }; }
signature(A) ::= at(T) result(R) range(L).      { A = (Signature){ T, R, L }; }
at(A) ::= .                                     { A = (TypeName){ 0 }; }
at(A) ::= AT ID(N).                             { A = parse_type(parser, N); }
result(A) ::= .                                 { A = (TypeName){ 0 }; }
result(A) ::= ARROW ID(N).                      { A = parse_type(parser, N); }

pars(A) ::= .                                   { A = (DeclList){ 0 }; }
pars(A) ::= pars1(A) comma.
pars1(A) ::= par(P).                            { A = (DeclList){ P, P }; }
pars1(A) ::= pars1(A) COMMA par(P).             { APPEND(A, P); }
par(A) ::= ID(N) type(T) range(R). {
	A = parse_ranged(parse_decl(parser, DECL_ARGUMENT, N, &N, T, NULL), R);
}
par(A) ::= ID(N) type(T) EQ expr(E) range(R). {
	A = parse_ranged(parse_decl(parser, DECL_ARGUMENT, N, &N, T, E), R);
}

/* ---- expressions, loosest first ---- */

expr(A) ::= pipe(A).
pipe(A) ::= cond(A).
pipe(A) ::= FOLD(F) ID(N) IN cond(L) DOTDOT cond(H) LB carries(C) RB RETURN cond(E). {
	A = parse_fold(parser, F, N, (Limits){ L, H }, C, E);
}
pipe(A) ::= pipe(E) PIPE callee(C) LP args(L) RP(Z).    { A = parse_pipe(parser, E, C, L, Z); }
pipe(A) ::= pipe(E) PIPE callee(C).             { A = parse_uncalled(parser, E, C); }
callee(A) ::= ID(N).                            { A = parse_callee(parser, NULL, N); }
callee(A) ::= ID(M) DOT ID(N).                  { A = parse_callee(parser, &M, N); }

carries(A) ::= .                                { A = (CarryList){ 0 }; }
carries(A) ::= carries(A) node(N).              { Carry *line = parse_carry_node(parser, N); APPEND(A, line); }
carries(A) ::= carries(A) ID(N) type(T) EQ expr(E) THEN expr(F). {
	Carry *line = parse_carry(parser, N, T, E, F);
	APPEND(A, line);
}

cond(A) ::= or(A).
cond(A) ::= or(C) QUEST expr(Y) COLON cond(N).  { A = parse_choice(parser, C, Y, N); }
or(A) ::= and(A).
or(A) ::= or(L) OR(O) and(R).                   { A = parse_binary(parser, EXPR_BINARY, "or", O, L, R); }
and(A) ::= not(A).
and(A) ::= and(L) AND(O) not(R).                { A = parse_binary(parser, EXPR_BINARY, "and", O, L, R); }
not(A) ::= cmp(A).
not(A) ::= NOT(O) not(E).                       { A = parse_unary(parser, "not", O, E); }
cmp(A) ::= bin(A).
cmp(A) ::= bin(L) CMP(O) bin(R).                { A = parse_operator(parser, O, L, R); }

%left BAR.
%left XOR.
%left AMP.
%left SHIFT.
%left PLUS MINUS.
%left STAR SLASH PERCENT.

bin(A) ::= bin(L) BAR(O) bin(R).                { A = parse_operator(parser, O, L, R); }
bin(A) ::= bin(L) XOR(O) bin(R).                { A = parse_operator(parser, O, L, R); }
bin(A) ::= bin(L) AMP(O) bin(R).                { A = parse_operator(parser, O, L, R); }
bin(A) ::= bin(L) SHIFT(O) bin(R).              { A = parse_operator(parser, O, L, R); }
bin(A) ::= bin(L) PLUS(O) bin(R).               { A = parse_operator(parser, O, L, R); }
bin(A) ::= bin(L) MINUS(O) bin(R).              { A = parse_operator(parser, O, L, R); }
bin(A) ::= bin(L) STAR(O) bin(R).               { A = parse_operator(parser, O, L, R); }
bin(A) ::= bin(L) SLASH(O) bin(R).              { A = parse_operator(parser, O, L, R); }
bin(A) ::= bin(L) PERCENT(O) bin(R).            { A = parse_operator(parser, O, L, R); }
bin(A) ::= un(A).

un(A) ::= MINUS(O) un(E).                       { A = parse_unary(parser, "-", O, E); }
un(A) ::= TILDE(O) un(E).                       { A = parse_unary(parser, "~", O, E); }
un(A) ::= PLUS(O) un(E). {
	if (!parser->guessed)
		diag_fix(parser->diagnostics, diag_error(parser->diagnostics, "N0108", parse_token_span(parser, O),
			"leave out the '+': there is no unary plus"), parse_token_span(parser, O), "%s", "");
	A = E;
}
un(A) ::= sample(A).
sample(A) ::= post(A).
sample(A) ::= sample(F) SAMPLE(O) where(Q).     { A = parse_binary(parser, EXPR_SAMPLE, "@", O, F, Q); }
where(A) ::= post(A).
where(A) ::= MINUS(O) where(E).                 { A = parse_unary(parser, "-", O, E); }

post(A) ::= prim(A).
post(A) ::= post(E) DOT ID(N).                  { A = parse_member(parser, E, N); }
post(A) ::= post(E) LP args(L) RP(Z).           { A = parse_call(parser, E, L, Z); }

prim(A) ::= ID(N).                              { A = parse_leaf(parser, EXPR_NAME, N); }
prim(A) ::= NUM(N).                             { A = parse_leaf(parser, EXPR_NUMBER, N); }
prim(A) ::= COLOUR(N).                          { A = parse_leaf(parser, EXPR_COLOUR, N); }
prim(A) ::= TRUE(N).                            { A = parse_leaf(parser, EXPR_BOOL, N); }
prim(A) ::= FALSE(N).                           { A = parse_leaf(parser, EXPR_BOOL, N); }
prim(A) ::= LP(O) expr(E) RP(Z).                { A = parse_parenthesised(O, E, Z); }
prim(A) ::= LK(O) stops(L) comma RK(Z).         { A = parse_stops(parser, O, L, Z); }
prim(A) ::= MATCH(F) expr(E) LB arms(L) comma RB(Z).    { A = parse_match(parser, F, E, L, Z); }

stops(A) ::= stop(S).                           { A = (StopList){ S, S }; }
stops(A) ::= stops(A) COMMA stop(S).            { APPEND(A, S); }
stop(A) ::= expr(E) COLON expr(V).              { A = parse_stop(parser, E, V); }

arms(A) ::= arm(R).                             { A = (ArmList){ R, R }; }
arms(A) ::= arms(A) COMMA arm(R).               { APPEND(A, R); }
arm(A) ::= ID(M) DOT ID(N) COLON expr(E).       { A = parse_arm(parser, &M, N, E); }
arm(A) ::= ID(N) COLON expr(E).                 { A = parse_arm(parser, NULL, N, E); }
arm(A) ::= ELSE(N) COLON expr(E).               { A = parse_arm(parser, NULL, N, E); }

args(A) ::= .                                   { A = (ArgList){ 0 }; }
args(A) ::= args1(A) comma.
args1(A) ::= arg(G).                            { A = (ArgList){ G, G }; }
args1(A) ::= args1(A) COMMA arg(G).             { parse_add_arg(parser, &A, G); }
arg(A) ::= expr(E).                             { A = parse_arg(parser, NULL, E); }
arg(A) ::= ID(N) COLON expr(E).                 { A = parse_arg(parser, &N, E); }

%code {
bool grammar_run(Parser *parser, bool (*read)(Parser *))
{
	yyParser engine;
	GrammarInit(&engine, parser);
	parser->engine = &engine;
	bool whole = read(parser);
	parser->engine = NULL;
	return whole;
}

void grammar_feed(Parser *parser, Token token)
{
	Grammar(parser->engine, token.kind, token);
}

/* Follows the tables as the engine would, reductions included, on a copy of the few states that change.
   Asking before feeding matters: the engine reduces by default on a wrong token too, after which it no
   longer knows what could have stood there. */
bool grammar_accepts(const Parser *parser, int kind)
{
	const yyParser *engine = parser->engine;
	YYACTIONTYPE changed[YYSTACKDEPTH];
	ptrdiff_t kept = engine->yytos - engine->yystack + 1;   /* entries of the real stack */
	int above = 0;                                          /* entries of `changed` on top of them */
	for (;;) {
		YYACTIONTYPE state = above ? changed[above - 1] : engine->yystack[kept - 1].stateno;
		YYACTIONTYPE action = yy_find_shift_action((YYCODETYPE)kind, state);
		if (action < YY_MIN_REDUCE)
			return action != YY_ERROR_ACTION;
		unsigned rule = action - YY_MIN_REDUCE;
		for (int pops = -yyRuleInfoNRhs[rule]; pops > 0; pops--) {
			if (above)
				above--;
			else
				kept--;
		}
		state = above ? changed[above - 1] : engine->yystack[kept - 1].stateno;
		if (above == YYSTACKDEPTH)
			return true;                            /* the engine will find it too deep */
		changed[above++] = yy_find_reduce_action(state, yyRuleInfoLhs[rule]);
	}
}

bool grammar_open_bracket(const Parser *parser, Token *bracket)
{
	const yyParser *engine = parser->engine;
	for (const yyStackEntry *entry = engine->yytos; entry > engine->yystack; entry--) {
		if (entry->major == TOKEN_LP || entry->major == TOKEN_LK || entry->major == TOKEN_LB) {
			*bracket = entry->minor.yy0;
			return true;
		}
	}
	return false;
}
}
