/* The syntax tree: what the actions of the grammar build with, and the values of literals.
   Guarantees for later stages: no tree is deeper than MAX_DEPTH, where a chain of binary operators through
   their left operands counts as one level (walk it with a loop). */
#include "../grammar/parse.h"
#include "noise.h"

#include <float.h>
#include <string.h>

enum { MAX_DEPTH = 1000 };

/* ---- places and names ---- */

Span parse_span(const Parser *parser, uint32_t start, uint32_t end)
{
	return (Span){ parser->source, start, end };
}

Span parse_token_span(const Parser *parser, Token token)
{
	return parse_span(parser, token.start, token.end);
}

const char *parse_text(const Parser *parser, Token token)
{
	return parser->source->text + token.start;
}

const char *parse_name(Parser *parser, Token token)
{
	return arena_intern(parser->arena, parse_text(parser, token), token.end - token.start);
}

TypeName parse_type(Parser *parser, Token token)
{
	return (TypeName){ parse_name(parser, token), parse_token_span(parser, token) };
}

/* ---- expressions ---- */

/* What the parser knows of an expression beyond the tree. Every Expr here is the first member of one. */
typedef struct Tree {
	Expr expr;
	int depth;
} Tree;

static Tree *tree(Expr *expr)
{
	return (Tree *)expr;
}

static Expr *new_expr(Parser *parser, ExprKind kind, uint32_t start, uint32_t end)
{
	Tree *tree = arena_alloc(parser->arena, sizeof *tree);
	tree->expr.kind = kind;
	tree->expr.span = tree->expr.outer = parse_span(parser, start, end);
	tree->depth = 1;
	return &tree->expr;
}

static void set_depth(Parser *parser, Expr *parent, int depth)
{
	if (depth > tree(parent)->depth)
		tree(parent)->depth = depth;
	if (depth > MAX_DEPTH)
		parser->too_deep = true;
}

static void add_child(Parser *parser, Expr *parent, Expr *child)
{
	set_depth(parser, parent, tree(child)->depth + 1);
}

static int hex_digit(char c)
{
	return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
}

static size_t count_hex_digits(const char *text, size_t size)
{
	size_t count = 0;
	while (count < size && text[count] && strchr("0123456789abcdefABCDEF", text[count]))
		count++;
	return count;
}

/* The value, brought into the range of floats with a message where it is outside. */
static float check_range(Parser *parser, Token token, float value, bool zero)
{
	const char *text = parse_text(parser, token);
	int size = (int)(token.end - token.start);
	if (value > FLT_MAX) {
		diag_error(parser->diagnostics, "N0103", parse_token_span(parser, token),
			"%.*s is too large for a float, whose largest value is 3.4028235e38", size, text);
		return FLT_MAX;
	}
	if (value == 0.0f && !zero)
		diag_fix(parser->diagnostics, diag_error(parser->diagnostics, "N0103", parse_token_span(parser, token),
			"%.*s is too small for a float; write 0.0", size, text), parse_token_span(parser, token), "0.0");
	return value;
}

static void read_number(Parser *parser, Token token, Expr *expr)
{
	const char *text = parse_text(parser, token);
	size_t size = token.end - token.start, digits;
	bool hex = size > 2 && text[0] == '0' && (text[1] | 0x20) == 'x';
	uint64_t whole = 0;
	if (hex) {
		digits = 2 + count_hex_digits(text + 2, size - 2);
		for (size_t i = 2; i < digits && whole <= UINT32_MAX; i++)
			whole = whole * 16 + (uint64_t)hex_digit(text[i]);
		expr->u.number.real = (float)whole;
	} else {
		for (digits = 0; digits < size && text[digits] >= '0' && text[digits] <= '9'; digits++)
			if (whole <= UINT32_MAX)
				whole = whole * 10 + (uint64_t)(text[digits] - '0');
		expr->u.number.real = text_read_float(text, size);
	}

	if (!hex && digits < size && strchr(".eEfF", text[digits])) {
		bool zero = true;
		for (size_t i = 0; i < size && text[i] != 'e' && text[i] != 'E'; i++)
			zero &= !(text[i] >= '1' && text[i] <= '9');
		expr->u.number.real = check_range(parser, token, expr->u.number.real, zero);
		expr->u.number.kind = NUMBER_REAL;
	} else if (whole > UINT32_MAX) {
		diag_error(parser->diagnostics, "N0103", parse_token_span(parser, token),
			"%.*s does not fit in 32 bits; the largest whole number is 4294967295", (int)size, text);
		expr->u.number.kind = NUMBER_REAL;
	} else {
		expr->u.number.kind = digits < size && text[digits] == 'u' ? NUMBER_UINT : NUMBER_WHOLE;
		expr->u.number.whole = whole;
	}
}

/* The lexer has complained about other counts than six and eight; three digits are then read as CSS does. */
static void read_colour(Parser *parser, Token token, Expr *expr)
{
	const char *text = parse_text(parser, token) + 1;
	size_t digits = count_hex_digits(text, token.end - token.start - 1);
	uint32_t value = 0;
	for (size_t i = 0; i < 8; i++) {
		size_t from = digits == 3 ? i / 2 : i;
		uint32_t digit = from < digits ? (uint32_t)hex_digit(text[from]) : 0;
		value = value << 4 | digit;
	}
	bool alpha = digits == 8;
	expr->u.colour.rgba = alpha ? value : value | 0xff;
	expr->u.colour.channels = alpha ? 4 : 3;
}

Expr *parse_leaf(Parser *parser, ExprKind kind, Token token)
{
	Expr *expr = new_expr(parser, kind, token.start, token.end);
	if (kind == EXPR_NAME)
		expr->u.name = parse_name(parser, token);
	else if (kind == EXPR_BOOL)
		expr->u.truth = token.kind == TOKEN_TRUE;
	else if (kind == EXPR_NUMBER)
		read_number(parser, token, expr);
	else
		read_colour(parser, token, expr);
	return expr;
}

static Expr *new_operation(Parser *parser, ExprKind kind, const char *op, Token sign, Expr *a, Expr *b)
{
	uint32_t start = kind == EXPR_UNARY ? sign.start : a->outer.start;
	Expr *expr = new_expr(parser, kind, start, (b ? b : a)->outer.end);
	expr->u.op.op = op;
	expr->u.op.op_span = parse_token_span(parser, sign);
	expr->u.op.a = a;
	expr->u.op.b = b;
	if (kind == EXPR_BINARY && a->kind == EXPR_BINARY)
		set_depth(parser, expr, tree(a)->depth);
	else
		add_child(parser, expr, a);
	if (b)
		add_child(parser, expr, b);
	return expr;
}

Expr *parse_unary(Parser *parser, const char *op, Token sign, Expr *a)
{
	return new_operation(parser, EXPR_UNARY, arena_intern(parser->arena, op, strlen(op)), sign, a, NULL);
}

Expr *parse_binary(Parser *parser, ExprKind kind, const char *op, Token sign, Expr *a, Expr *b)
{
	return new_operation(parser, kind, arena_intern(parser->arena, op, strlen(op)), sign, a, b);
}

Expr *parse_operator(Parser *parser, Token sign, Expr *a, Expr *b)
{
	return new_operation(parser, EXPR_BINARY, parse_name(parser, sign), sign, a, b);
}

Expr *parse_choice(Parser *parser, Expr *condition, Expr *yes, Expr *no)
{
	Expr *expr = new_expr(parser, EXPR_CHOICE, condition->outer.start, no->outer.end);
	expr->u.choice.condition = condition;
	expr->u.choice.yes = yes;
	expr->u.choice.no = no;
	add_child(parser, expr, condition);
	add_child(parser, expr, yes);
	add_child(parser, expr, no);
	return expr;
}

Expr *parse_member(Parser *parser, Expr *of, Token name)
{
	Expr *expr = new_expr(parser, EXPR_MEMBER, of->outer.start, name.end);
	expr->u.member.of = of;
	expr->u.member.name = parse_name(parser, name);
	expr->u.member.name_span = parse_token_span(parser, name);
	add_child(parser, expr, of);
	return expr;
}

Expr *parse_parenthesised(Token open, Expr *expr, Token closing)
{
	expr->parenthesised = true;
	expr->outer.start = open.start;
	expr->outer.end = closing.end;
	return expr;
}

/* ---- calls ---- */

static void set_args(Parser *parser, Expr *call, Arg *args)
{
	call->u.call.args = args;
	for (const Arg *arg = args; arg; arg = arg->next)
		add_child(parser, call, arg->value);
}

Expr *parse_call(Parser *parser, Expr *callee, ArgList args, Token closing)
{
	Expr *expr = new_expr(parser, EXPR_CALL, callee->outer.start, closing.end);
	const Expr *of = callee->kind == EXPR_MEMBER ? callee->u.member.of : NULL;
	if (callee->kind == EXPR_NAME && !callee->parenthesised) {
		expr->u.call.name = callee->u.name;
		expr->u.call.name_span = callee->span;
	} else if (of && of->kind == EXPR_NAME && !of->parenthesised && !callee->parenthesised) {
		expr->u.call.module = of->u.name;
		expr->u.call.name = callee->u.member.name;
		expr->u.call.name_span = callee->u.member.name_span;
	} else {
		expr->u.call.callee = callee;
		add_child(parser, expr, callee);
	}
	set_args(parser, expr, args.first);
	return expr;
}

Callee parse_callee(Parser *parser, const Token *module, Token name)
{
	return (Callee){
		module ? parse_name(parser, *module) : NULL, parse_name(parser, name), parse_token_span(parser, name),
	};
}

Expr *parse_pipe(Parser *parser, Expr *left, Callee callee, ArgList args, Token closing)
{
	Expr *expr = new_expr(parser, EXPR_CALL, left->outer.start, closing.end);
	expr->u.call.module = callee.module;
	expr->u.call.name = callee.name;
	expr->u.call.name_span = callee.name_span;
	expr->u.call.piped = true;
	Arg *first = parse_arg(parser, NULL, left);
	first->next = args.first;
	set_args(parser, expr, first);
	return expr;
}

Expr *parse_uncalled(Parser *parser, Expr *left, Callee callee)
{
	Message *message = diag_error(parser->diagnostics, "N0116", callee.name_span, "the right side of |> is a call; write %s%s%s()",
		callee.module ? callee.module : "", callee.module ? "." : "", callee.name);
	diag_fix(parser->diagnostics, message, parse_span(parser, callee.name_span.end, callee.name_span.end), "()");
	return parse_pipe(parser, left, callee, (ArgList){ 0 }, (Token){ .end = callee.name_span.end });
}

Arg *parse_arg(Parser *parser, const Token *name, Expr *value)
{
	Arg *arg = arena_alloc(parser->arena, sizeof *arg);
	if (name) {
		arg->name = parse_name(parser, *name);
		arg->name_span = parse_token_span(parser, *name);
	}
	arg->value = value;
	return arg;
}

void parse_add_arg(Parser *parser, ArgList *list, Arg *arg)
{
	if (!arg->name && list->last->name)
		diag_error(parser->diagnostics, "N0119", arg->value->span,
			"positional arguments come before named ones; move it before '%s:' or name it", list->last->name);
	APPEND(*list, arg);
}

/* ---- fold, match, ramps ---- */

Carry *parse_carry(Parser *parser, Token name, TypeName type, Expr *first, Expr *then)
{
	Carry *line = arena_alloc(parser->arena, sizeof *line);
	line->name = parse_name(parser, name);
	line->name_span = parse_token_span(parser, name);
	line->type = type;
	line->first = first;
	line->then = then;
	return line;
}

Carry *parse_carry_node(Parser *parser, Decl *node)
{
	Carry *line = arena_alloc(parser->arena, sizeof *line);
	line->name = node->name;
	line->name_span = node->name_span;
	line->type = node->type;
	line->first = node->value;
	line->node = node;
	return line;
}

Expr *parse_fold(Parser *parser, Token first, Token index, Limits limits, CarryList lines, Expr *result)
{
	Expr *expr = new_expr(parser, EXPR_FOLD, first.start, result->outer.end);
	expr->u.fold.index = parse_name(parser, index);
	expr->u.fold.index_span = parse_token_span(parser, index);
	expr->u.fold.from = limits.low;
	expr->u.fold.to = limits.high;
	expr->u.fold.lines = lines.first;
	expr->u.fold.result = result;
	add_child(parser, expr, limits.low);
	add_child(parser, expr, limits.high);
	add_child(parser, expr, result);
	for (const Carry *line = lines.first; line; line = line->next) {
		add_child(parser, expr, line->first);
		if (line->then)
			add_child(parser, expr, line->then);
	}
	return expr;
}

Arm *parse_arm(Parser *parser, const Token *enumeration, Token name, Expr *value)
{
	Arm *arm = arena_alloc(parser->arena, sizeof *arm);
	if (enumeration)
		arm->enumeration = parse_name(parser, *enumeration);
	if (enumeration || name.kind != TOKEN_ELSE)
		arm->name = parse_name(parser, name);
	arm->span = parse_span(parser, enumeration ? enumeration->start : name.start, name.end);
	arm->value = value;
	return arm;
}

Expr *parse_match(Parser *parser, Token first, Expr *of, ArmList arms, Token closing)
{
	Expr *expr = new_expr(parser, EXPR_MATCH, first.start, closing.end);
	expr->u.match.of = of;
	expr->u.match.arms = arms.first;
	add_child(parser, expr, of);
	for (const Arm *arm = arms.first; arm; arm = arm->next)
		add_child(parser, expr, arm->value);
	return expr;
}

Stop *parse_stop(Parser *parser, Expr *at, Expr *value)
{
	Stop *stop = arena_alloc(parser->arena, sizeof *stop);
	stop->at = at;
	stop->value = value;
	return stop;
}

Expr *parse_stops(Parser *parser, Token first, StopList stops, Token closing)
{
	Expr *expr = new_expr(parser, EXPR_STOPS, first.start, closing.end);
	expr->u.stops = stops.first;
	for (const Stop *stop = stops.first; stop; stop = stop->next) {
		add_child(parser, expr, stop->at);
		add_child(parser, expr, stop->value);
	}
	return expr;
}

/* ---- statements ---- */

/* Actions run before the engine takes the next token, so the last one taken is where the statement ends. */
Decl *parse_decl(Parser *parser, DeclKind kind, Token first, const Token *name, TypeName type, Expr *value)
{
	Decl *decl = arena_alloc(parser->arena, sizeof *decl);
	decl->kind = kind;
	decl->span = parse_span(parser, first.start, parser->last.end);
	decl->name_span = parse_token_span(parser, name ? *name : first);
	if (name)
		decl->name = parse_name(parser, *name);
	decl->doc = first.doc;
	decl->doubtful = parser->guessed;
	decl->type = type;
	decl->value = value;
	return decl;
}

Decl *parse_ranged(Decl *decl, Limits limits)
{
	decl->low = limits.low;
	decl->high = limits.high;
	return decl;
}

Decl *parse_noise(Parser *parser, Token first, Token number)
{
	Decl *decl = parse_decl(parser, DECL_NOISE, first, NULL, (TypeName){ 0 }, NULL);
	Expr *edition = parse_leaf(parser, EXPR_NUMBER, number);
	bool whole = edition->u.number.kind == NUMBER_WHOLE;
	if (!whole)
		diag_fix(parser->diagnostics, diag_error(parser->diagnostics, "N0102", edition->span, "an edition is a whole number; write noise 1"), edition->span, "1");
	decl->edition = whole ? edition->u.number.whole : 1;
	return decl;
}

Decl *parse_import(Parser *parser, Token first, Token path, Token name)
{
	Decl *decl = parse_decl(parser, DECL_IMPORT, first, &name, (TypeName){ 0 }, NULL);
	const char *text = parse_text(parser, path);
	size_t size = path.end - path.start;
	bool closed = size > 1 && text[size - 1] == text[0];
	decl->path = arena_intern(parser->arena, text + 1, size - 1 - closed);
	return decl;
}

Enumerator *parse_enumerator(Parser *parser, Token name, const Enumerator *before)
{
	Enumerator *enumerator = arena_alloc(parser->arena, sizeof *enumerator);
	enumerator->name = parse_name(parser, name);
	enumerator->span = parse_token_span(parser, name);
	enumerator->doc = name.doc;
	enumerator->value = before ? before->value + 1 : 0;
	return enumerator;
}

Decl *parse_enum(Parser *parser, Token first, Token name, EnumeratorList enumerators)
{
	Decl *decl = parse_decl(parser, DECL_ENUM, first, &name, (TypeName){ 0 }, NULL);
	decl->enumerators = enumerators.first;
	return decl;
}

Decl *parse_fn(Parser *parser, Token first, Token name, DeclList args, Signature signature, DeclList locals, Expr *value)
{
	Decl *decl = parse_decl(parser, DECL_FN, first, &name, signature.type, value);
	decl->at = signature.at;
	decl->args = args.first;
	decl->locals = locals.first;
	return parse_ranged(decl, signature.limits);
}
