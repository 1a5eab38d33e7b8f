/* The driver of the parser, and its messages.
   One statement is one run of the engine. It is first fed as it stands; if that fails it is read again with
   care: each token is tried before it is fed, so that an error is reported while it is still known what
   could stand there; then everything up to the next statement is skipped.
   Leaves out what names mean. */
#include "../grammar/parse.h"
#include "noise.h"

#include <string.h>

enum { SHOWN_TEXT = 40 };

/* ---- tokens ---- */

static void advance(Parser *parser)
{
	parser->last = parser->token;
	parser->token = lex_token(parser);
}

/* The token `distance` behind the next one, read without a word. */
static Token peek(Parser *parser, int distance)
{
	const unsigned char *cursor = parser->cursor;
	bool quiet = parser->quiet;
	parser->quiet = true;
	Token token = { 0 };
	while (distance-- > 0)
		token = lex_token(parser);
	parser->quiet = quiet;
	parser->cursor = cursor;
	return token;
}

static bool is_statement_keyword(int kind)
{
	switch (kind) {
	case TOKEN_IMPORT: case TOKEN_DOMAIN: case TOKEN_ENUM: case TOKEN_CONST: case TOKEN_PARAM:
	case TOKEN_INPUT: case TOKEN_NODE: case TOKEN_FN: case TOKEN_OUTPUT:
		return true;
	default:
		return false;
	}
}

static bool is_reserved(int kind)
{
	switch (kind) {
	case TOKEN_MATCH: case TOKEN_IN: case TOKEN_FOLD: case TOKEN_RETURN: case TOKEN_AND: case TOKEN_OR:
	case TOKEN_NOT: case TOKEN_TRUE: case TOKEN_FALSE:
		return true;
	default:
		return is_statement_keyword(kind);
	}
}

static bool is_expression_word(int kind)
{
	return kind == TOKEN_FOLD || kind == TOKEN_AND || kind == TOKEN_OR || kind == TOKEN_NOT;
}

static bool is_operator(int kind)
{
	switch (kind) {
	case TOKEN_QUEST: case TOKEN_OR: case TOKEN_AND: case TOKEN_CMP: case TOKEN_BAR: case TOKEN_XOR:
	case TOKEN_AMP: case TOKEN_SHIFT: case TOKEN_PLUS: case TOKEN_MINUS: case TOKEN_STAR: case TOKEN_SLASH:
	case TOKEN_PERCENT: case TOKEN_SAMPLE: case TOKEN_DOT: case TOKEN_LP:
		return true;
	default:
		return false;
	}
}

static bool begins_line(const Parser *parser, Token token)
{
	const char *text = parser->source->text;
	uint32_t at = token.start;
	while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t'))
		at--;
	return at == 0 || text[at - 1] == '\n';
}

/* A keyword that is meant as one has a name behind it; `node: 3` or `(input)` use it as a name. */
static bool is_followed_by_name(Parser *parser)
{
	int next = peek(parser, 1).kind;
	return next == TOKEN_STRING || next == TOKEN_ID ||
		next == TOKEN_AS || next == TOKEN_AT || next == TOKEN_THEN || next == TOKEN_ELSE || next == TOKEN_NOISE;
}

/* Inside braces `node` belongs to a block or fold. */
static bool may_start_statement(int kind, int depth)
{
	return is_statement_keyword(kind) && (kind != TOKEN_NODE || depth == 0);
}

static int depth_after(int kind, int depth)
{
	if (kind == TOKEN_LB)
		return depth + 1;
	return kind == TOKEN_RB && depth > 0 ? depth - 1 : depth;
}

/* ---- syntax errors ---- */

static bool accepts(const Parser *parser, int kind)
{
	return grammar_accepts(parser, kind);
}

/* The token as shown in a message. */
static const char *shown(Parser *parser, Token token)
{
	const char *text = parse_text(parser, token);
	int size = (int)(token.end - token.start);
	if (size <= SHOWN_TEXT)
		return text_print(parser->arena, "'%.*s'", size, text);
	size = SHOWN_TEXT;
	while (size > 0 && ((unsigned char)text[size] & 0xc0) == 0x80)
		size--;
	return text_print(parser->arena, "'%.*s…'", size, text);
}

/* What could stand at this place, in words. After a whole expression operators could, which goes without
   saying wherever something else could, too. */
static const char *expected(Parser *parser)
{
	static const struct { int kind; const char *words; } signs[] = {
		{ TOKEN_STRING, "a file name in double quotes" }, { TOKEN_EQ, "'='" }, { TOKEN_LB, "'{'" },
		{ TOKEN_THEN, "'then'" }, { TOKEN_NODE, "'node'" }, { TOKEN_RETURN, "'return'" },
		{ TOKEN_DOTDOT, "'..'" }, { TOKEN_RP, "')'" }, { TOKEN_RK, "']'" }, { TOKEN_RB, "'}'" },
		{ TOKEN_COMMA, "','" }, { TOKEN_COLON, "':'" }, { TOKEN_IN, "'in'" }, { TOKEN_LP, "'('" },
	};
	if (accepts(parser, TOKEN_NUM))
		return accepts(parser, TOKEN_ID) ? "an expression" : "a number";

	enum { MOST = 3 };
	const char *words[MOST];
	int count = 0;
	bool complete = accepts(parser, TOKEN_PLUS) || accepts(parser, TOKEN_PIPE);
	if (accepts(parser, TOKEN_ID))
		words[count++] = "a name";
	else if (accepts(parser, TOKEN_AS))
		words[count++] = "'as'";
	for (size_t i = 0; i < sizeof signs / sizeof *signs && count < MOST; i++) {
		/* A call is an operator too, 'then' is a name wherever one is due, and types and ranges may be
		   left out wherever something else may follow. */
		int kind = signs[i].kind;
		bool optional = kind == TOKEN_THEN || kind == TOKEN_COLON || kind == TOKEN_IN;
		if (kind == TOKEN_LP ? complete : optional && count > 0)
			continue;
		if (accepts(parser, kind))
			words[count++] = signs[i].words;
	}
	if (accepts(parser, 0))
		return complete ? "an operator or the next statement" : "the next statement";

	Text text = { .arena = parser->arena };
	for (int i = 0; i < count; i++)
		text_format(&text, "%s%s", i == 0 ? "" : i + 1 < count ? ", " : " or ", words[i]);
	return text.data ? text.data : "something else";
}

/* Says where the bracket was opened whose end is missing, unless the reader sees it in the same line. */
static void note_open_bracket(Parser *parser, Message *message)
{
	Token bracket;
	bool due = accepts(parser, TOKEN_RP) || accepts(parser, TOKEN_RK) || accepts(parser, TOKEN_RB);
	if (!due || !grammar_open_bracket(parser, &bracket))
		return;
	if (memchr(parse_text(parser, bracket), '\n', message->span.start - bracket.start))
		diag_note(parser->diagnostics, message, parse_token_span(parser, bracket), "opened here");
}

/* float, vec3, int2, half4 …: a word that is a type here or in a shading language. */
static bool looks_like_type(const char *word)
{
	if (habit_type(word))
		return true;
	static const char *const types[] = {
		"bool", "int", "uint", "float", "half", "double", "vec", "bvec", "ivec", "uvec", "mat",
	};
	size_t letters = strcspn(word, "0123456789");
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (strlen(types[i]) == letters && memcmp(types[i], word, letters) == 0)
			return true;
	return false;
}

static const char *our_type(const char *word)
{
	const Habit *habit = habit_type(word);
	return habit ? habit->instead : word;
}

/* Words that begin statements of other languages. */
static const struct { const char *word, *hint, *instead; } foreign_words[] = {
	{ "if", "choices are expressions; write c ? a : b", NULL },
	{ "for", "loops are expressions; write fold i in 0 .. n { sum = 0.0 then sum + f } return sum", NULL },
	{ "while", "loops are expressions; write fold i in 0 .. n { sum = 0.0 then sum + f } return sum", NULL },
	{ "let", "write node x = …", "node" }, { "var", "write node x = …", "node" }, { "auto", "write node x = …", "node" },
	{ "uniform", "write param x = …, with its default", NULL },
	{ "varying", "write input x", NULL }, { "attribute", "write input x", NULL },
	{ "void", "write fn f(a) = …", NULL }, { "def", "write fn f(a) = …", "fn" }, { "func", "write fn f(a) = …", "fn" },
	{ "function", "write fn f(a) = …", "fn" }, { "export", "write param x = …, with its default", NULL },
	{ "precision", "all floats have 32 bits; leave it out", NULL }, { "struct", "give each part a node of its own", NULL },
	{ "shader_type", "a host's shader calls what is printed; leave it out", NULL },
};

static bool is_foreign_word(const char *word)
{
	for (size_t i = 0; i < sizeof foreign_words / sizeof *foreign_words; i++)
		if (strcmp(word, foreign_words[i].word) == 0)
			return true;
	return false;
}

/* The name will be missing without fault of who uses it. */
void parse_lose(Parser *parser, const char *name)
{
	LostName *lost = arena_alloc(parser->arena, sizeof *lost);
	*lost = (LostName){ name, parser->lost };
	parser->lost = lost;
}

/* A declaration of another language that can be read as one of ours: the next token is a name where a statement
   or a local node is due. It becomes the keyword that is missing, or is read again behind one. */
static bool correct_declaration(Parser *parser)
{
	Diagnostics *diagnostics = parser->diagnostics;
	Token first = parser->token, second = peek(parser, 1);
	if (first.kind != TOKEN_ID || (second.kind != TOKEN_ID && second.kind != TOKEN_EQ))
		return false;
	const char *word = parse_name(parser, first);
	Span span = parse_token_span(parser, first);
	int third = peek(parser, 2).kind;
	const char *name = parse_name(parser, second), *type = our_type(word);
	for (size_t i = 0; i < sizeof foreign_words / sizeof *foreign_words; i++) {
		if (strcmp(word, foreign_words[i].word) != 0)
			continue;
		bool function = foreign_words[i].instead && strcmp(foreign_words[i].instead, "fn") == 0;
		if (!foreign_words[i].instead || third != (function ? TOKEN_LP : TOKEN_EQ))
			return false;
		Message *message = diag_error(diagnostics, "N0114", span, "there is no '%s': %s", word, foreign_words[i].hint);
		diag_fix(diagnostics, message, span, "%s", foreign_words[i].instead);
		parser->token.kind = function ? TOKEN_FN : TOKEN_NODE;
		return true;
	}
	if (second.kind == TOKEN_ID && third == TOKEN_EQ) {
		Message *message = diag_error(diagnostics, "N0114", span, "a declaration starts with its keyword; write 'node %s: %s = …'", name, type);
		diag_fix(diagnostics, message, parse_span(parser, span.start, second.end), "node %s: %s", name, type);
		if (looks_like_type(word) && type == word)
			parser->type = first;
		parser->token.kind = TOKEN_NODE;
		return true;
	}
	if (second.kind != TOKEN_EQ)
		return false;
	Message *message = diag_error(diagnostics, "N0114", span, "a declaration starts with its keyword; write 'node %s = …'", word);
	diag_fix(diagnostics, message, parse_span(parser, span.start, span.start), "node ");
	parser->token = (Token){ .kind = TOKEN_NODE, .start = first.start, .end = first.start, .doc = first.doc };
	parser->cursor = (const unsigned char *)parse_text(parser, first);
	return true;
}

/* One that cannot: it is told, and dropped. False if it looks like none. */
static bool report_foreign_statement(Parser *parser)
{
	Diagnostics *diagnostics = parser->diagnostics;
	const char *word = parse_name(parser, parser->token);
	Span span = parse_token_span(parser, parser->token);
	Token second = peek(parser, 1), third = peek(parser, 2);
	bool foreign = is_foreign_word(word);
	if (!foreign && (second.kind != TOKEN_ID || !looks_like_type(word)))
		return false;
	if (second.kind == TOKEN_ID)
		parse_lose(parser, parse_name(parser, second));
	if (third.kind == TOKEN_ID)
		parse_lose(parser, parse_name(parser, third));
	for (size_t i = 0; i < sizeof foreign_words / sizeof *foreign_words; i++)
		if (strcmp(word, foreign_words[i].word) == 0)
			diag_error(diagnostics, "N0114", span, "there is no '%s': %s", word, foreign_words[i].hint);
	if (foreign)
		return true;
	const char *name = parse_name(parser, second), *type = our_type(word);
	if (third.kind == TOKEN_LP)
		diag_error(diagnostics, "N0114", span, "functions start with fn; write fn %s(…) -> %s = …", name, type);
	else
		diag_error(diagnostics, "N0114", span, "a declaration starts with its keyword; write 'node %s: %s = …'", name, type);
	return true;
}

static bool is_in_list(const Parser *parser)
{
	Token bracket;
	return grammar_open_bracket(parser, &bracket) && bracket.kind == TOKEN_LK;
}

/* if, for and so on inside an expression: names as far as the tables know, until something does not fit. */
static bool is_choice_word(const Parser *parser, Token token)
{
	static const char *const words[] = { "if", "for", "while", "switch" };
	size_t size = token.end - token.start;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strlen(words[i]) == size && memcmp(words[i], parse_text(parser, token), size) == 0)
			return true;
	return false;
}

/* Forms that have a message of their own. False if this is none of them. */
static bool report_known_mistake(Parser *parser)
{
	Diagnostics *diagnostics = parser->diagnostics;
	Token token = parser->token, bracket;
	Span span = parse_token_span(parser, token);

	if (parser->choice.kind) {
		Token choice = parser->choice;
		bool loop = parse_text(parser, choice)[0] != 'i' && parse_text(parser, choice)[0] != 's';
		diag_error(diagnostics, "N0114", parse_token_span(parser, choice), "there is no '%.*s': %s", (int)(choice.end - choice.start),
			parse_text(parser, choice), loop ? "loops are folds; write fold i in 0 .. n { sum = 0.0 then sum + f } return sum" :
			"choices are expressions; write c ? a : b, or match over an enum");
		parser->spoilt = true;
	} else if (token.kind == TOKEN_CMP && accepts(parser, TOKEN_AND)) {
		diag_error(diagnostics, "N0115", span, "comparisons do not chain; write a < b and b < c");
	} else if (accepts(parser, TOKEN_PIPE) && !accepts(parser, TOKEN_PLUS) && is_operator(token.kind)) {
		diag_error(diagnostics, "N0116", span, "the right side of |> is a call; write (x |> f()) %.*s …",
			(int)(token.end - token.start), parse_text(parser, token));
	} else if (parser->last.kind == TOKEN_PIPE) {
		diag_error(diagnostics, "N0116", span, "the right side of |> is a call, such as x |> scale(2)");
	} else if (token.kind == TOKEN_FOLD && accepts(parser, TOKEN_NUM)) {
		diag_error(diagnostics, "N0117", span, "inside an expression a fold stands in parentheses: (fold … return …)");
	} else if (accepts(parser, TOKEN_RETURN) && (token.kind == TOKEN_RB || !accepts(parser, TOKEN_NODE))) {
		diag_error(diagnostics, "N0118", span, accepts(parser, TOKEN_NODE) ?
			"a block ends with its result; write 'return …' before this '}'" :
			"a fold ends with its result; write 'return …' behind its '}'");
	} else if (token.kind == TOKEN_ID && parser->last.kind == TOKEN_ID &&
		accepts(parser, TOKEN_COLON) && !accepts(parser, TOKEN_PLUS)) {
		Span both = parse_span(parser, parser->last.start, token.end);
		const char *type = our_type(parse_name(parser, parser->last)), *name = parse_name(parser, token);
		Message *message = diag_error(diagnostics, "N0114", both, "the type stands behind the name; write '%s: %s'", name, type);
		diag_fix(diagnostics, message, both, "%s: %s", name, type);
		parse_lose(parser, name);
		parser->spoilt = true;
	} else if (token.kind == TOKEN_NOISE && accepts(parser, 0)) {
		diag_error(diagnostics, "N0121", span, "'noise' and its edition stand before everything else in the file");
	} else if (token.kind == TOKEN_EQ && accepts(parser, TOKEN_CMP)) {
		diag_error(diagnostics, "N0110", span, "expected %s, found '='; to compare, write '=='", expected(parser));
	} else if (token.kind == TOKEN_RETURN && accepts(parser, TOKEN_NODE)) {
		diag_error(diagnostics, "N0118", span, "the result of a fold stands behind its brace; write '} return …'");
	} else if ((token.kind == TOKEN_COMMA || token.kind == TOKEN_RK) && accepts(parser, TOKEN_COLON) && is_in_list(parser)) {
		diag_error(diagnostics, "N0110", span, "there are no arrays; a list of stops for ramp is written [0: a, 1: b]");
	} else if (token.kind == TOKEN_COMMA && grammar_open_bracket(parser, &bracket) && bracket.kind == TOKEN_LP &&
		accepts(parser, TOKEN_RP) && accepts(parser, TOKEN_PIPE)) {
		diag_error(diagnostics, "N0110", span, "a comma makes no vector; write vec2(…) or vec3(…)");
	} else if (token.kind == TOKEN_COMMA && accepts(parser, 0) && accepts(parser, TOKEN_PIPE)) {
		int next = peek(parser, 1).kind;
		Message *message = diag_error(diagnostics, "N0110", span, next == 0 || is_statement_keyword(next) ?
			"statements end without ','; leave it out" : "a comma makes no vector; write vec2(…) or vec3(…)");
		if (next == 0 || is_statement_keyword(next))
			diag_fix(diagnostics, message, span, "%s", "");
	} else if (token.kind == TOKEN_LK && accepts(parser, TOKEN_DOT)) {
		diag_error(diagnostics, "N0110", span, "values have no indices; components are v.x v.y v.z v.w");
	} else if (token.kind == TOKEN_COLON && parser->last.kind == TOKEN_NUM && accepts(parser, TOKEN_COMMA) && accepts(parser, TOKEN_RP)) {
		diag_error(diagnostics, "N0110", span, "a list of stops stands in brackets: [0: a, 1: b]");
	} else if (accepts(parser, TOKEN_THEN) && !accepts(parser, TOKEN_ID)) {
		diag_error(diagnostics, "N0110", span, "expected 'then', found %s; a carried name has a first value and a next one: sum = 0.0 then sum + f",
			shown(parser, token));
	} else if (token.kind == TOKEN_STRING && accepts(parser, TOKEN_NUM)) {
		diag_error(diagnostics, "N0110", span, "there are no texts in expressions; modes are enumerators, without quotes: Ridged, Multiply");
	} else if (token.kind == TOKEN_ID && accepts(parser, TOKEN_NODE)) {
		return report_foreign_statement(parser);
	} else {
		return false;
	}
	return true;
}

/* Reports the next token, which the engine does not accept. */
static void report_token(Parser *parser)
{
	if (parser->guessed || report_known_mistake(parser))
		return;
	Message *message = diag_error(parser->diagnostics, "N0110", parse_token_span(parser, parser->token),
		"expected %s, found %s", expected(parser), shown(parser, parser->token));
	note_open_bracket(parser, message);
}

/* Takes a token that stands in a place of another one for that one, where it is clear what was meant. */
static void correct_token(Parser *parser)
{
	Token *token = &parser->token;
	Token bracket;
	if (accepts(parser, TOKEN_NODE) && correct_declaration(parser))
		return;
	/* An operator or fold where an expression is due is no name. */
	bool word = is_reserved(token->kind) && !(accepts(parser, TOKEN_NUM) && is_expression_word(token->kind));
	if (word && accepts(parser, TOKEN_ID) && !is_followed_by_name(parser)) {
		diag_error(parser->diagnostics, "N0112", parse_token_span(parser, *token),
			"%s is a reserved word; choose another name", shown(parser, *token));
		token->kind = TOKEN_ID;
	} else if (token->kind == TOKEN_EQ && parser->last.kind == TOKEN_ID && accepts(parser, TOKEN_COLON) &&
		accepts(parser, TOKEN_CMP) && grammar_open_bracket(parser, &bracket) && bracket.kind == TOKEN_LP) {
		Message *message = diag_error(parser->diagnostics, "N0114", parse_token_span(parser, *token),
			"a named argument has a colon; write '%s: …'", parse_name(parser, parser->last));
		diag_fix(parser->diagnostics, message, parse_span(parser, parser->last.end, token->end), ":");
		token->kind = TOKEN_COLON;
	} else if (token->kind == TOKEN_ARROW && accepts(parser, TOKEN_COLON) && grammar_open_bracket(parser, &bracket) && bracket.kind == TOKEN_LB) {
		Message *message = diag_error(parser->diagnostics, "N0114", parse_token_span(parser, *token), "an arm of a match has a colon; write 'Name: value'");
		diag_fix(parser->diagnostics, message, parse_span(parser, parser->last.end, token->end), ":");
		token->kind = TOKEN_COLON;
	}
}

/* ---- the driver ---- */

/* A declaration of another language at the very start of a line, outside of braces. */
static bool starts_foreign_statement(Parser *parser, int depth)
{
	uint32_t start = parser->token.start;
	if (depth > 0 || parser->token.kind != TOKEN_ID || (start > 0 && parser->source->text[start - 1] != '\n'))
		return false;
	const char *word = parse_name(parser, parser->token);
	int second = peek(parser, 1).kind;
	return is_foreign_word(word) || second == TOKEN_EQ || (looks_like_type(word) && second == TOKEN_ID);
}

/* True if the text that was dropped may have declared something. */
static bool skip_to_statement(Parser *parser, int depth)
{
	bool names = false;
	parser->quiet = true;
	for (bool first = true; parser->token.kind; first = false) {
		if (may_start_statement(parser->token.kind, depth) &&
			(begins_line(parser, parser->token) || is_followed_by_name(parser)))
			break;
		if (!first && starts_foreign_statement(parser, depth))
			break;
		depth = depth_after(parser->token.kind, depth);
		names |= parser->token.kind == TOKEN_ID;
		advance(parser);
	}
	parser->quiet = false;
	return names;
}

static void end_statement(Parser *parser)
{
	if (accepts(parser, 0)) {
		grammar_feed(parser, (Token){ .start = parser->last.end, .end = parser->last.end });
		return;
	}
	if (!parser->guessed) {
		uint32_t behind = parser->last.end;
		Message *message = diag_error(parser->diagnostics, "N0111", parse_span(parser, behind, behind),
			"the statement ends too early: expected %s", expected(parser));
		note_open_bracket(parser, message);
	}
}

static void report_depth(Parser *parser)
{
	diag_error(parser->diagnostics, "N0120", parse_token_span(parser, parser->last),
		"too deeply nested; give a part of it a name with 'node'");
}

/* Feeds the next token. A type that stood before the name is fed behind it. */
static void take(Parser *parser)
{
	grammar_feed(parser, parser->token);
	advance(parser);
	if (parser->type.kind && parser->last.kind == TOKEN_ID) {
		Token type = parser->type, colon = type;
		parser->type.kind = 0;
		colon.kind = TOKEN_COLON;
		grammar_feed(parser, colon);
		grammar_feed(parser, type);
	}
}

/* A statement without mistakes, which needs no questions to the tables: half of the time of parsing. False
   if it is none. */
static bool read_plainly(Parser *parser)
{
	int depth = 0;
	for (bool inside = false; !parser->refused && !parser->too_deep; inside = true) {
		Token token = parser->token;
		if (token.kind == 0 || (inside && may_start_statement(token.kind, depth))) {
			grammar_feed(parser, (Token){ .start = parser->last.end, .end = parser->last.end });
			break;
		}
		depth = depth_after(token.kind, depth);
		take(parser);
	}
	return !parser->refused && !parser->too_deep;
}

static bool read_with_care(Parser *parser)
{
	int depth = 0;
	bool inside = false;
	parser->choice.kind = 0;
	parser->spoilt = false;
	for (;;) {
		if (inside && parser->token.kind == TOKEN_ID && is_choice_word(parser, parser->token))
			parser->choice = parser->token;
		if (inside && !accepts(parser, parser->token.kind))
			correct_token(parser);
		int kind = parser->token.kind;
		if (kind == 0 || (inside && may_start_statement(kind, depth))) {
			end_statement(parser);
			break;
		}
		if (!accepts(parser, kind)) {
			/* What stands before a wrong token may be whole: keep it, so that its name is known. */
			bool whole = accepts(parser, 0);
			if (whole && starts_foreign_statement(parser, depth)) {
				end_statement(parser);
				break;
			}
			report_token(parser);
			if (whole && !parser->spoilt)
				end_statement(parser);
			parser->broken |= skip_to_statement(parser, depth) && whole && !parser->spoilt;
			break;
		}
		depth = depth_after(kind, depth);
		take(parser);
		inside = true;
		if (parser->too_deep)
			break;
	}
	if (parser->too_deep) {
		report_depth(parser);
		parser->statement = NULL;
		skip_to_statement(parser, depth);
	}
	return true;
}

/* Reads the statement whose keyword is the next token, up to the keyword of the following one. It is left
   in parser->statement unless it is broken. */
static void read_statement(Parser *parser)
{
	Parser before = *parser;
	Diagnostics said = *parser->diagnostics;
	if (grammar_run(parser, read_plainly))
		return;
	*parser = before;
	*parser->diagnostics = said;
	if (said.last)
		said.last->next = NULL;
	grammar_run(parser, read_with_care);
}

/* The statement that began there was dropped: the name behind its keyword will be missing. */
static void lose_statement(Parser *parser, Token keyword)
{
	const unsigned char *cursor = parser->cursor;
	parser->cursor = (const unsigned char *)parser->source->text + keyword.end;
	Token name = peek(parser, 1);
	parser->cursor = cursor;
	if (keyword.kind == TOKEN_ENUM || keyword.kind == TOKEN_IMPORT || name.kind != TOKEN_ID)
		parser->broken = true;
	else
		parse_lose(parser, parse_name(parser, name));
}

static void report_no_statement(Parser *parser)
{
	Span span = parse_token_span(parser, parser->token);
	if (parser->guessed) {
		parser->broken = true;
		return;
	}
	if (parser->token.kind == TOKEN_NOISE && peek(parser, 1).kind == TOKEN_NUM)
		diag_error(parser->diagnostics, "N0121", span, "'noise' and its edition stand before everything else in the file");
	else if (parser->token.kind != TOKEN_ID || !report_foreign_statement(parser)) {
		diag_error(parser->diagnostics, "N0113", span, "a statement starts with node, output, param, input, const, "
			"fn, enum, domain or import; found %s", shown(parser, parser->token));
		parser->broken = true;
	}
}

void parse_file(Arena *arena, Diagnostics *diagnostics, const Source *source, File *out)
{
	bool marked = source->size >= 3 && memcmp(source->text, "\xef\xbb\xbf", 3) == 0;
	*out = (File){ .source = source };
	if (source->size > PARSE_MOST_BYTES) {
		diag_error(diagnostics, "N0122", (Span){ 0 }, "%s is too large: more than %d bytes", source->name, PARSE_MOST_BYTES);
		out->broken = true;
		return;
	}
	parse_part(arena, diagnostics, source, marked ? 3 : 0, (uint32_t)source->size, out);
}

void parse_part(Arena *arena, Diagnostics *diagnostics, const Source *source, uint32_t start, uint32_t end, File *out)
{
	*out = (File){ .source = source };
	Parser parser = { .arena = arena, .diagnostics = diagnostics, .source = source };
	parser.cursor = (const unsigned char *)source->text + start;
	parser.end = (const unsigned char *)source->text + end;
	advance(&parser);

	DeclList decls = { 0 };
	for (bool first = true; parser.token.kind; first = false) {
		parser.statement = NULL;
		parser.too_deep = parser.refused = false;
		if (!parser.guessed)
			correct_declaration(&parser);
		Token keyword = parser.token;
		if (is_statement_keyword(parser.token.kind) || (first && parser.token.kind == TOKEN_NOISE)) {
			parser.guessed = false;
			read_statement(&parser);
		} else {
			report_no_statement(&parser);
			parser.guessed = false;
			skip_to_statement(&parser, 0);
		}
		if (parser.statement) {
			APPEND(decls, parser.statement);
			out->decls = decls.first;
		} else if (is_statement_keyword(keyword.kind)) {
			lose_statement(&parser, keyword);
		}
	}
	out->broken = parser.broken;
	out->lost = parser.lost;
}
