/* The lexer: one function, one token a call. A token is a piece of the text; its value is read later.
   The text must end with a NUL behind its last byte; NUL bytes before that are reported and skipped.
   Forms of other languages are tokens too: they give one message that says what to write, and reading
   goes on with what was meant. */
#include "noise.h"
#include "parse.h"

#include <string.h>

typedef const unsigned char *Place;

static Span span_between(const Parser *parser, Place start, Place end)
{
	const unsigned char *text = (Place)parser->source->text;
	return parse_span(parser, (uint32_t)(start - text), (uint32_t)(end - text));
}

/* Each use is in a function with parser, start, cursor and message. */
#define HINT(CODE, ...) \
	(message = parser->quiet ? NULL : diag_error(parser->diagnostics, CODE, span_between(parser, start, cursor), __VA_ARGS__))

/* What to write between two places instead of what the last hint was about. */
#define FIX(FROM, TO, ...) \
	do { \
		if (message) \
			diag_fix(parser->diagnostics, message, span_between(parser, FROM, TO), __VA_ARGS__); \
	} while (0)

/* For text that is dropped: what follows may then look wrong without being so. */
#define HINT_AND_DROP(CODE, ...) \
	do { \
		message = NULL; \
		if (!parser->guessed) \
			HINT(CODE, __VA_ARGS__); \
		parser->guessed |= !parser->quiet; \
	} while (0)

#define SIZE ((int)(cursor - start))            /* of this token, for %.*s */
#define TEXT ((const char *)start)

/* Skips a comment whose opening was read; false if it does not end. */
static bool skip_block_comment(Place *cursor, Place end)
{
	for (Place at = *cursor; at + 1 < end; at++) {
		if (at[0] == '*' && at[1] == '/') {
			*cursor = at + 2;
			return true;
		}
	}
	*cursor = end;
	return false;
}

/* The comment as lines that start with //, or with /// where it was one for documentation. */
static void fix_block_comment(Parser *parser, Message *message, Place start, Place end)
{
	bool doc = end - start > 4 && start[2] == '*';
	const char *mark = doc ? "///" : "//";
	Place closing = end - 2, at = start + (doc ? 3 : 2);
	FIX(start, at, "%s", mark);
	while ((at = memchr(at, '\n', (size_t)(closing - at))) != NULL) {
		for (at++; *at == ' ' || *at == '\t';)
			at++;
		if (at >= closing)
			break;
		FIX(at, at + (*at == '*'), "%s%s", mark, *at == '*' ? "" : " ");
	}
	for (at = end; *at == ' ' || *at == '\t' || *at == '\r';)
		at++;
	FIX(closing, end, "%s", *at == '\n' || *at == '\0' ? "" : "\n");
}

/* The word for an operator, with the blanks that it needs on both sides. */
static void fix_word(Parser *parser, Message *message, Place start, Place cursor, const char *word)
{
	Place text = (Place)parser->source->text;
	bool before = start > text && start[-1] > ' ' && start[-1] != '(', behind = *cursor > ' ';
	FIX(start, cursor, "%s%s%s", before ? " " : "", word, behind ? " " : "");
}

/* #define NAME value is a const; other directives have nothing in their place. */
static void bad_directive(Parser *parser, Place start, Place cursor)
{
	Message *message = NULL;
	const char *name = TEXT + 1 + strspn(TEXT + 1, " \t");
	bool define = strncmp(name, "define", 6) == 0;
	name += define ? 6 : 0;
	name += strspn(name, " \t");
	size_t size = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
	if (define && size > 0 && !parser->quiet)
		parse_lose(parser, arena_intern(parser->arena, name, size));
	const char *value = name + size + strspn(name + size, " \t"), *end = (const char *)cursor;
	while (end > value && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
		end--;
	if (define && size > 0 && value < end && name[size] != '(') {
		HINT("N0109", "there are no # directives; write const %.*s = %.*s", (int)size, name, (int)(end - value < 40 ? end - value : 40), value);
		FIX(start, (Place)end, "const %.*s = %.*s", (int)size, name, (int)(end - value), value);
	} else if (define && name[size] == '(') {
		HINT("N0109", "there are no # directives; write fn %.*s(…) = …", (int)size, name);
	} else {
		HINT("N0109", "there are no # directives; leave it out");
		FIX(start, cursor, "%s", "");
	}
}

/* One message tells of all semicolons of the file. */
static void report_semicolon(Parser *parser, Place start, Place cursor)
{
	enum { MOST = 1000 };
	Message *message = parser->semicolon;
	if (!message && HINT("N0107", "statements end without ';'; leave it out, here and elsewhere"))
		parser->semicolon = message;
	if (message && start >= parser->behind_semicolon && parser->semicolons++ < MOST)
		FIX(start, cursor, "%s", "");
	if (message && cursor > parser->behind_semicolon)
		parser->behind_semicolon = cursor;
}

/* Adds one /// line to the documentation that waits for its token. */
static void add_doc(Text *doc, Place start, Place end)
{
	if (start < end && *start == ' ')
		start++;
	while (end > start && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
		end--;
	if (doc->data)
		text_add(doc, "\n");
	text_add_n(doc, (const char *)start, (size_t)(end - start));
}

/* What to write for a colour of `digits` hexadecimal digits that is not one. */
static void bad_colour(Parser *parser, Place start, Place cursor)
{
	Message *message;
	const char *text = TEXT + 1;
	size_t digits = strspn(text, "0123456789abcdefABCDEF");
	if (digits == 3 && SIZE == 4) {
		HINT("N0104", "a colour has six or eight digits; write #%c%c%c%c%c%c",
			text[0], text[0], text[1], text[1], text[2], text[2]);
		FIX(start, cursor, "#%c%c%c%c%c%c", text[0], text[0], text[1], text[1], text[2], text[2]);
	} else
		HINT("N0104", "a colour is # and six hexadecimal digits, or eight with alpha: #rrggbb or #rrggbbaa");
}

/* What to write for a number with something glued to its end. */
static void bad_number(Parser *parser, Place start, Place cursor)
{
	Message *message;
	size_t digits = strspn(TEXT, "0123456789."), whole = strcspn(TEXT, ".");
	char last = (char)cursor[-1];
	bool suffix = digits + 1 == (size_t)SIZE;
	if (parser->last.kind == TOKEN_DOMAIN) {
		HINT("N0301", "the domain is a type: float, vec2, vec3 or vec4");
		if (suffix && digits == 1 && *TEXT >= '2' && *TEXT <= '4')
			FIX(start, cursor, "vec%c", *TEXT);
		parser->guessed |= !parser->quiet;
		return;
	}
	if (suffix && (last == 'u' || last == 'U'))
		HINT("N0102", "'u' belongs to whole numbers; write %.*su, or %.*s for a float",
			(int)(whole < digits ? whole : digits), TEXT, (int)digits, TEXT);
	else if (suffix && strchr("dDhHlL", last)) {
		bool point = whole < digits;
		HINT("N0102", "floats have no suffix; write %.*s%s", (int)digits, TEXT, point ? "" : ".0");
		FIX(start, cursor, "%.*s%s", (int)digits, TEXT, point ? "" : ".0");
	} else
		HINT("N0102", "'%.*s' is not a number", SIZE, TEXT);
}

Token lex_token(Parser *parser)
{
	const Place text = (Place)parser->source->text, end = parser->end;
	Place cursor = parser->cursor, marker, start;
	Text doc = { .arena = parser->arena };
	Message *message;
	int kind;

	for (;;) {
		start = cursor;
		if (start >= end) {             /* a part of a text ends before its NUL */
			kind = 0;
			break;
		}
/*!re2c
	re2c:yyfill:enable = 0;
	re2c:define:YYCTYPE = "unsigned char";
	re2c:define:YYCURSOR = cursor;
	re2c:define:YYMARKER = marker;

	D = [0-9];
	H = [0-9a-fA-F];
	W = [a-zA-Z0-9_];
	EXPONENT = [eE] [+-]? D+;
	LINE = [^\n\000]*;
	UTF8 = [\xc2-\xdf] [\x80-\xbf] | [\xe0-\xef] [\x80-\xbf]{2} | [\xf0-\xf4] [\x80-\xbf]{3};

	"\000" {
		HINT_AND_DROP("N0101", "the text contains a NUL byte");
		continue;
	}
	[ \t\r\n\f\v]+          { continue; }
	"////" LINE             { continue; }
	"///" LINE              { add_doc(&doc, start + 3, cursor); continue; }
	"//" LINE               { continue; }
	"/*" {
		Place opening = cursor;
		bool closed = skip_block_comment(&cursor, end);
		Place behind = cursor;
		cursor = opening;
		HINT("N0106", closed ? "comments start with // and end with the line" :
			"comments start with //; this one has no end");
		if (closed && message)
			fix_block_comment(parser, message, start, behind);
		cursor = behind;
		continue;
	}

	D+ "u"?                 { kind = TOKEN_NUM; break; }
	"0" [xX] H+ "u"?        { kind = TOKEN_NUM; break; }
	D+ "." D+ EXPONENT?     { kind = TOKEN_NUM; break; }
	D+ EXPONENT             { kind = TOKEN_NUM; break; }
	D+ "." / [^.0-9a-zA-Z_] {
		HINT("N0102", "write a digit after the point: %.*s0", SIZE, TEXT);
		FIX(start, cursor, "%.*s0", SIZE, TEXT);
		kind = TOKEN_NUM;
		break;
	}
	D+ "." EXPONENT {
		Place behind_point = start + strcspn(TEXT, ".") + 1;
		HINT("N0102", "write a digit after the point: %.*s0%.*s", (int)(behind_point - start), TEXT,
			(int)(cursor - behind_point), (const char *)behind_point);
		FIX(behind_point, behind_point, "0");
		kind = TOKEN_NUM;
		break;
	}
	D+ "." [fF] / [^0-9a-zA-Z_] {
		HINT("N0102", "floats have no suffix; write %.*s0", SIZE - 1, TEXT);
		FIX(start, cursor, "%.*s0", SIZE - 1, TEXT);
		kind = TOKEN_NUM;
		break;
	}
	"." D+ EXPONENT? [fF]? {
		HINT("N0102", "write a digit before the point: 0%.*s", SIZE - (cursor[-1] == 'f' || cursor[-1] == 'F'), TEXT);
		FIX(start, cursor, "0%.*s", SIZE - (cursor[-1] == 'f' || cursor[-1] == 'F'), TEXT);
		parser->guessed |= !parser->quiet;
		kind = TOKEN_NUM;
		break;
	}
	D+ [fF] {
		HINT("N0102", "floats have no suffix; write %.*s.0", SIZE - 1, TEXT);
		FIX(start, cursor, "%.*s.0", SIZE - 1, TEXT);
		kind = TOKEN_NUM;
		break;
	}
	D+ "." D+ EXPONENT? [fF] | D+ EXPONENT [fF] {
		HINT("N0102", "floats have no suffix; write %.*s", SIZE - 1, TEXT);
		FIX(start, cursor, "%.*s", SIZE - 1, TEXT);
		kind = TOKEN_NUM;
		break;
	}
	D+ ("." D+)? EXPONENT? [a-zA-Z_] W* {
		bad_number(parser, start, cursor);
		kind = TOKEN_NUM;
		break;
	}

	"#" H{6} | "#" H{8}     { kind = TOKEN_COLOUR; break; }
	"#" [ \t]* "include" LINE {
		HINT("N0109", "there are no # directives; write import \"file.noise\" as name");
		continue;
	}
	"#" [ \t]* ("define" | "undef" | "if" | "ifdef" | "ifndef" | "elif" | "else" | "endif" | "pragma" |
		"version" | "extension" | "line") ([^a-zA-Z0-9_\n\000] LINE)? {
		bad_directive(parser, start, cursor);
		continue;
	}
	"#" W+ {
		bad_colour(parser, start, cursor);
		kind = TOKEN_COLOUR;
		break;
	}

	["] [^"\n\000]* ["]     { kind = TOKEN_STRING; break; }
	["] [^"\n\000]* {
		HINT("N0105", "the string is not closed; write \" at its end");
		parser->guessed |= !parser->quiet;
		kind = TOKEN_STRING;
		break;
	}
	['] [^'\n\000]* ['] {
		HINT("N0105", "strings stand in double quotes; write \"%.*s\"", SIZE - 2, TEXT + 1);
		FIX(start, cursor, "\"%.*s\"", SIZE - 2, TEXT + 1);
		kind = TOKEN_STRING;
		break;
	}

	";" {
		report_semicolon(parser, start, cursor);
		continue;
	}
	"&&" {
		HINT("N0108", "write 'and' for '&&'");
		fix_word(parser, message, start, cursor, "and");
		kind = TOKEN_AND;
		break;
	}
	"||" {
		HINT("N0108", "write 'or' for '||'");
		fix_word(parser, message, start, cursor, "or");
		kind = TOKEN_OR;
		break;
	}
	"!" {
		HINT("N0108", "write 'not' for '!'");
		fix_word(parser, message, start, cursor, "not");
		parser->guessed |= !parser->quiet;
		kind = TOKEN_NOT;
		break;
	}
	"++" | "--" {
		HINT_AND_DROP("N0108", "there is no '%.*s'; names never change: write x %c 1 where that value is needed",
			SIZE, TEXT, *start);
		continue;
	}
	"**" {
		HINT_AND_DROP("N0108", "there is no '**'; write pow(x, y)");
		continue;
	}
	"+=" | "-=" | "*=" | "/=" | "%=" | "&=" | "|=" | "^=" | "<<=" | ">>=" {
		HINT_AND_DROP("N0108", "there is no '%.*s'; names never change: write a new node, node y = x %.*s …",
			SIZE, TEXT, SIZE - 1, TEXT);
		kind = TOKEN_EQ;
		break;
	}
	":=" {
		HINT("N0108", "write '=' for ':='");
		FIX(start, cursor, "=");
		kind = TOKEN_EQ;
		break;
	}
	"..." {
		HINT("N0108", "a range is written with two points: low .. high");
		FIX(start, cursor, "..");
		kind = TOKEN_DOTDOT;
		break;
	}

	".."                    { kind = TOKEN_DOTDOT; break; }
	"|>"                    { kind = TOKEN_PIPE; break; }
	"->"                    { kind = TOKEN_ARROW; break; }
	"==" | "!=" | "<=" | ">=" | "<" | ">"   { kind = TOKEN_CMP; break; }
	"<<" | ">>"             { kind = TOKEN_SHIFT; break; }
	"|"                     { kind = TOKEN_BAR; break; }
	"^"                     { kind = TOKEN_XOR; break; }
	"&"                     { kind = TOKEN_AMP; break; }
	"+"                     { kind = TOKEN_PLUS; break; }
	"-"                     { kind = TOKEN_MINUS; break; }
	"*"                     { kind = TOKEN_STAR; break; }
	"/"                     { kind = TOKEN_SLASH; break; }
	"%"                     { kind = TOKEN_PERCENT; break; }
	"~"                     { kind = TOKEN_TILDE; break; }
	"@"                     { kind = TOKEN_SAMPLE; break; }
	"."                     { kind = TOKEN_DOT; break; }
	","                     { kind = TOKEN_COMMA; break; }
	":"                     { kind = TOKEN_COLON; break; }
	"?"                     { kind = TOKEN_QUEST; break; }
	"="                     { kind = TOKEN_EQ; break; }
	"("                     { kind = TOKEN_LP; break; }
	")"                     { kind = TOKEN_RP; break; }
	"["                     { kind = TOKEN_LK; break; }
	"]"                     { kind = TOKEN_RK; break; }
	"{"                     { kind = TOKEN_LB; break; }
	"}"                     { kind = TOKEN_RB; break; }

	"import"                { kind = TOKEN_IMPORT; break; }
	"domain"                { kind = TOKEN_DOMAIN; break; }
	"enum"                  { kind = TOKEN_ENUM; break; }
	"const"                 { kind = TOKEN_CONST; break; }
	"param"                 { kind = TOKEN_PARAM; break; }
	"input"                 { kind = TOKEN_INPUT; break; }
	"node"                  { kind = TOKEN_NODE; break; }
	"fn"                    { kind = TOKEN_FN; break; }
	"output"                { kind = TOKEN_OUTPUT; break; }
	"noise"                 { kind = TOKEN_NOISE; break; }
	"match"                 { kind = TOKEN_MATCH; break; }
	"else"                  { kind = TOKEN_ELSE; break; }
	"as"                    { kind = TOKEN_AS; break; }
	"at"                    { kind = TOKEN_AT; break; }
	"in"                    { kind = TOKEN_IN; break; }
	"then"                  { kind = TOKEN_THEN; break; }
	"return"                { kind = TOKEN_RETURN; break; }
	"fold"                  { kind = TOKEN_FOLD; break; }
	"and"                   { kind = TOKEN_AND; break; }
	"or"                    { kind = TOKEN_OR; break; }
	"not"                   { kind = TOKEN_NOT; break; }
	"true"                  { kind = TOKEN_TRUE; break; }
	"false"                 { kind = TOKEN_FALSE; break; }
	[a-zA-Z_] W*            { kind = TOKEN_ID; break; }

	"\xe2\x88\x92" {
		HINT("N0101", "this is a minus sign of typography; write '-'");
		FIX(start, cursor, "-");
		kind = TOKEN_MINUS;
		break;
	}
	"\xc3\x97" {
		HINT("N0101", "write '*' for '%.*s'", SIZE, TEXT);
		FIX(start, cursor, "*");
		kind = TOKEN_STAR;
		break;
	}
	"\xe2\x89\xa4" | "\xe2\x89\xa5" | "\xe2\x89\xa0" {
		const char *sign = start[2] == 0xa4 ? "<=" : start[2] == 0xa5 ? ">=" : "!=";
		HINT("N0101", "write '%s' for '%.*s'", sign, SIZE, TEXT);
		FIX(start, cursor, "%s", sign);
		parser->guessed |= !parser->quiet;
		kind = TOKEN_CMP;
		break;
	}
	"\xc2\xa0"              { continue; }          // a no-break space, as text copied from the web has

	UTF8+ {
		HINT_AND_DROP("N0101", "'%.*s' cannot stand here; names are made of A-Z, a-z, 0-9 and _", SIZE, TEXT);
		continue;
	}
	* {
		if (*start >= 0x80)
			HINT_AND_DROP("N0101", "the text is not UTF-8");
		else if (*start < 0x20 || *start == 0x7f)
			HINT_AND_DROP("N0101", "the text contains a control character (code %d)", *start);
		else
			HINT_AND_DROP("N0101", "'%c' is not used in the language", *start);
		continue;
	}
*/
	}
	parser->cursor = cursor;
	return (Token){ kind, (uint32_t)(start - text), (uint32_t)(cursor - text), doc.data };
}
