/* What users and later stages rely on in the parser: trees, places, messages that help and do not cascade,
   documentation, bounded nesting, no text that crashes it; and the floors below it: texts, floats, messages.
   Trees are compared as s-expressions. */
#include "cc.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct Parsed {
	Arena *arena;
	Source source;
	Diagnostics diagnostics;
	File file;
	const char *dump, *messages;
} Parsed;

static Arena *guarded_arena(void)
{
	Arena *arena = arena_new();
	assert_non_null(arena);
	if (setjmp(*arena_guard(arena)))
		fail_msg("out of memory");
	return arena;
}

static void parse_bytes(Parsed *parsed, const char *text, size_t size)
{
	memset(parsed, 0, sizeof *parsed);
	Arena *arena = guarded_arena();
	/* An exact copy, so that the sanitizer sees any step beyond the final NUL. */
	char *copy = malloc(size + 1);
	assert_non_null(copy);
	memcpy(copy, text, size);
	copy[size] = '\0';
	parsed->arena = arena;
	parsed->diagnostics.arena = arena;
	parsed->source = (Source){ "t.noise", copy, size, false };
	parse_file(arena, &parsed->diagnostics, &parsed->source, &parsed->file);
	Text dump = { .arena = arena }, messages = { .arena = arena };
	text_add(&dump, "");
	text_add(&messages, "");
	parse_dump(&parsed->file, &dump);
	report_text(diag_report(&parsed->diagnostics), &(nz_render_options){ 0 }, &messages);
	parsed->dump = dump.data;
	parsed->messages = messages.data;
}

static void parse(Parsed *parsed, const char *text)
{
	parse_bytes(parsed, text, strlen(text));
}

static void done(Parsed *parsed)
{
	free((char *)parsed->source.text);
	arena_free(parsed->arena);
}

static void expect_dump(const char *text, const char *dump)
{
	Parsed parsed;
	parse(&parsed, text);
	assert_string_equal(parsed.messages, "");
	assert_string_equal(parsed.dump, dump);
	assert_false(parsed.file.broken);
	done(&parsed);
}

static void expect_messages(const char *text, const char *messages)
{
	Parsed parsed;
	parse(&parsed, text);
	assert_string_equal(parsed.messages, messages);
	done(&parsed);
}

/* ---- trees ---- */

static const char island[] =
	"noise 1\n"
	"// an island\n"
	"import \"biomes.noise\" as biomes\n"
	"domain vec2\n"
	"enum Biome { Ocean, Beach, Forest, }\n"
	"const K: int = 0x1F\n"
	"/// Metres across one hill.\n"
	"param feature = 400 in 10 .. 4000\n"
	"param tint = #3a7d44 param clear = #3a7d4480\n"
	"input wet: float in 0..1\n"
	"input dry\n"
	"node drift = vec2(simplex(seed: 1), biomes.base(seed: 2u),) |> octaves(3) |> biomes.tidy()\n"
	"node moving = -drift @ vec3(p, time) @ -q\n"
	"fn mirror(f, a: int = -1 in 0..3,) at vec3 -> float in 0 .. 1 = f @ abs(p)\n"
	"fn nothing() = true\n"
	"fn block(a) { node t = a * a node u: float = t return t + u }\n"
	"fn fbm(f, n: int) = fold i in 0 .. n {\n"
	"\tnode octave = reseed(f, i)\n"
	"\tsum: vec2 = 0.0 then sum + octave\n"
	"} return sum |> scale(2)\n"
	"node m = match b { Ocean: 1, Biome.Beach: 2.5, else: 3 }\n"
	"node as = at ? then : else.noise\n"
	"output height: float = ramp(h, [0: #000000, a + 1: b ? c : d], Smooth)\n";

static void test_every_statement(void **state)
{
	(void)state;
	expect_dump(island,
		"(noise 1)\n"
		"(import \"biomes.noise\" biomes)\n"
		"(domain vec2)\n"
		"(enum Biome Ocean Beach Forest)\n"
		"(const K:int 31)\n"
		"(param feature 400 in 10 .. 4000)\n"
		"(param tint #3a7d44)\n"
		"(param clear #3a7d4480)\n"
		"(input wet:float in 0 .. 1)\n"
		"(input dry)\n"
		"(node drift (call biomes.tidy (call octaves (call vec2 (call simplex seed:1) (call biomes.base seed:2u)) 3)))\n"
		"(node moving (- (@ (@ drift (call vec3 p time)) (- q))))\n"
		"(fn mirror ((f) (a:int (- 1) in 0 .. 3)) at vec3 -> float in 0 .. 1 (@ f (call abs p)))\n"
		"(fn nothing () true)\n"
		"(fn block ((a)) (node t (* a a)) (node u:float t) (+ t u))\n"
		"(fn fbm ((f) (n:int)) (call scale (fold i 0 n (node octave (call reseed f i)) "
		"(sum:vec2 0.0 then (+ sum octave)) sum) 2))\n"
		"(node m (match b Ocean:1 Biome.Beach:2.5 else:3))\n"
		"(node as (? at then (. else noise)))\n"
		"(output height:float (call ramp h [0:#000000 (+ a 1):(? b c d)] Smooth))\n");
}

static void test_precedence(void **state)
{
	(void)state;
	static const struct { const char *text, *tree; } row[] = {
		{ "a |> f() |> g(b)", "(call g (call f a) b)" },
		{ "c ? a : b |> f()", "(call f (? c a b))" },
		{ "c ? a |> f() : b", "(? c (call f a) b)" },
		{ "c ? a : d ? e : b", "(? c a (? d e b))" },
		{ "a or b ? c : d", "(? (or a b) c d)" },
		{ "a or b and not c", "(or a (and b (not c)))" },
		{ "a or b or c", "(or (or a b) c)" },
		{ "not a == b", "(not (== a b))" },
		{ "not not a", "(not (not a))" },
		{ "a & b == c | d", "(== (& a b) (| c d))" },
		{ "a | b ^ c & d << e + f * g", "(| a (^ b (& c (<< d (+ e (* f g))))))" },
		{ "a * b + c << d & e ^ f | g", "(| (^ (& (<< (+ (* a b) c) d) e) f) g)" },
		{ "a - b - c", "(- (- a b) c)" },
		{ "a / b * c % d", "(% (* (/ a b) c) d)" },
		{ "a >> b << c", "(<< (>> a b) c)" },
		{ "-a * ~b", "(* (- a) (~ b))" },
		{ "a - -b", "(- a (- b))" },
		{ "-f @ q", "(- (@ f q))" },
		{ "f @ p * 2", "(* (@ f p) 2)" },
		{ "f @ a @ b", "(@ (@ f a) b)" },
		{ "f @ -a.x", "(@ f (- (. a x)))" },
		{ "a.b.c", "(. (. a b) c)" },
		{ "f(x).y", "(. (call f x) y)" },
		{ "f(x)(y)", "(call (call f x) y)" },
		{ "(m).f(x)", "(call (. m f) x)" },
		{ "(f)(x)", "(call f x)" },
		{ "a * (b + c)", "(* a (+ b c))" },
		{ "fold i in 0 .. 3 { } return a + b |> f()", "(call f (fold i 0 3 (+ a b)))" },
		{ "1 + (fold i in 0 .. 3 { } return a)", "(+ 1 (fold i 0 3 a))" },
		{ "x<-1", "(< x (- 1))" },
		{ "f(a, b: c ? d : e)", "(call f a b:(? c d e))" },
		{ "[c ? a : b : 2]", "[(? c a b):2]" },
	};
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		char text[200], dump[200];
		snprintf(text, sizeof text, "node x = %s", row[i].text);
		snprintf(dump, sizeof dump, "(node x %s)\n", row[i].tree);
		expect_dump(text, dump);
	}
}

static void test_numbers(void **state)
{
	(void)state;
	expect_dump("node x = f(0, 007, 4294967295, 4294967295u, 0xffffffff, 0XaBu, 1e3, 1E-3, 1.50, 0.0e+0, 1e-45)",
		"(node x (call f 0 7 4294967295 4294967295u 4294967295 171u 1000.0 0.001 1.5 0.0 1e-45))\n");
	expect_dump("param a = 1 in 0..1 param b = 1 in -1..-0.5",
		"(param a 1 in 0 .. 1)\n(param b 1 in (- 1) .. (- 0.5))\n");
	expect_messages("node x = 4294967296 + 0x100000000u + 3.5e38 + 1e-99",
		"t.noise:1:10: error[N0103]: 4294967296 does not fit in 32 bits; the largest whole number is 4294967295\n"
		" 1 | node x = 4294967296 + 0x100000000u + 3.5e38 + 1e-99\n"
		"   |          ^~~~~~~~~~\n"
		"t.noise:1:23: error[N0103]: 0x100000000u does not fit in 32 bits; the largest whole number is 4294967295\n"
		" 1 | node x = 4294967296 + 0x100000000u + 3.5e38 + 1e-99\n"
		"   |                       ^~~~~~~~~~~~\n"
		"t.noise:1:38: error[N0103]: 3.5e38 is too large for a float, whose largest value is 3.4028235e38\n"
		" 1 | node x = 4294967296 + 0x100000000u + 3.5e38 + 1e-99\n"
		"   |                                      ^~~~~~\n"
		"t.noise:1:47: error[N0103]: 1e-99 is too small for a float; write 0.0\n"
		" 1 | node x = 4294967296 + 0x100000000u + 3.5e38 + 1e-99\n"
		"   |                                               ^~~~~\n"
		"   |                                               0.0\n");
}

static void expect_span(Span span, const char *text)
{
	assert_int_equal(span.end - span.start, strlen(text));
	assert_memory_equal(span.source->text + span.start, text, strlen(text));
}

static void test_spans(void **state)
{
	(void)state;
	Parsed parsed;
	parse(&parsed, "node s: int = ((a + b)) * -m.f(1, k: 2) |> g() // end\noutput t = (x)");
	const Decl *decl = parsed.file.decls;
	expect_span(decl->span, "node s: int = ((a + b)) * -m.f(1, k: 2) |> g()");
	expect_span(decl->name_span, "s");
	expect_span(decl->type.span, "int");
	const Expr *pipe = decl->value;
	expect_span(pipe->span, "((a + b)) * -m.f(1, k: 2) |> g()");
	expect_span(pipe->u.call.name_span, "g");
	assert_true(pipe->u.call.piped);
	const Expr *product = pipe->u.call.args->value;
	expect_span(product->span, "((a + b)) * -m.f(1, k: 2)");
	expect_span(product->u.op.op_span, "*");
	expect_span(product->u.op.a->span, "a + b");
	assert_true(product->u.op.a->parenthesised);
	assert_false(product->parenthesised);
	const Expr *call = product->u.op.b->u.op.a;
	expect_span(call->span, "m.f(1, k: 2)");
	expect_span(call->u.call.name_span, "f");
	expect_span(call->u.call.args->next->name_span, "k");
	assert_ptr_equal(call->u.call.module, arena_intern(parsed.arena, "m", 1));
	expect_span(decl->next->span, "output t = (x)");
	expect_span(decl->next->value->span, "x");
	done(&parsed);
}

static void test_documentation(void **state)
{
	(void)state;
	Parsed parsed;
	parse(&parsed,
		"/// Two  \r\n"
		"///  lines.\n"
		"// not this\n"
		"//// nor this\n"
		"enum E {\n"
		"\t/// first\n"
		"\tA,\n"
		"\tB\n"
		"}\n"
		"fn f(/// the field\n"
		"\tf, n) = f\n"
		"node /// lost\n"
		"a = 1 /// the next\n"
		"///\n"
		"output b = a\n");
	assert_string_equal(parsed.messages, "");
	const Decl *e = parsed.file.decls, *f = e->next, *a = f->next, *b = a->next;
	assert_string_equal(e->doc, "Two\n lines.");
	assert_string_equal(e->enumerators->doc, "first");
	assert_null(e->enumerators->next->doc);
	assert_int_equal(e->enumerators->next->value, 1);
	assert_null(f->doc);
	assert_string_equal(f->args->doc, "the field");
	assert_null(f->args->next->doc);
	assert_null(a->doc);
	assert_string_equal(b->doc, "the next\n");
	done(&parsed);
}

/* ---- messages ---- */

static void test_places(void **state)
{
	(void)state;
	expect_messages("\tnode a = 1 \xe2\x82\xac\n",
		"t.noise:1:13: error[N0101]: '\xe2\x82\xac' cannot stand here; names are made of A-Z, a-z, 0-9 and _\n"
		" 1 |     node a = 1 \xe2\x82\xac\n"
		"   |                ^\n");
	/* Behind the characters of a comment, columns count characters. */
	expect_messages("\xef\xbb\xbfimport \"\xc3\xa9\xc3\xa9\" as e node a = ]\r\n",
		"t.noise:1:27: error[N0110]: expected an expression, found ']'\n"
		" 1 | import \"\xc3\xa9\xc3\xa9\" as e node a = ]\n"
		"   |                           ^\n");
	/* No control character and no broken UTF-8 reaches the terminal. */
	expect_messages("node a = \x1b 1\nnode b = \xff 1",
		"t.noise:1:10: error[N0101]: the text contains a control character (code 27)\n"
		" 1 | node a = ? 1\n"
		"   |          ^\n"
		"t.noise:2:10: error[N0101]: the text is not UTF-8\n"
		" 2 | node b = ? 1\n"
		"   |          ^\n");
}

static void test_nul_bytes(void **state)
{
	(void)state;
	static const char text[] = "node a = \0 1 // \0 x\noutput b = a";
	Parsed parsed;
	parse_bytes(&parsed, text, sizeof text - 1);
	assert_non_null(strstr(parsed.messages, "t.noise:1:10: error[N0101]: the text contains a NUL byte\n"));
	assert_non_null(strstr(parsed.dump, "(node a 1)\n"));
	assert_non_null(strstr(parsed.dump, "(output b a)\n"));
	done(&parsed);
}

static void test_no_cascades(void **state)
{
	(void)state;
	expect_messages(
		"node a = (1 + \n"
		"  2\n"
		"param b = * 3 { node x = 1 }\n"
		"fn f(a) { node t = a\n"
		"enum E { A B }\n"
		"node ok = 1\n"
		"output =\n",
		"t.noise:2:4: error[N0111]: the statement ends too early: expected ')'\n"
		" 2 |   2\n"
		"   |    ^\n"
		"t.noise:1:10: note: opened here\n"
		" 1 | node a = (1 + \n"
		"   |          ^\n"
		"t.noise:3:11: error[N0110]: expected an expression, found '*'\n"
		" 3 | param b = * 3 { node x = 1 }\n"
		"   |           ^\n"
		"t.noise:4:21: error[N0111]: the statement ends too early: expected 'node' or 'return'\n"
		" 4 | fn f(a) { node t = a\n"
		"   |                     ^\n"
		"t.noise:5:12: error[N0110]: expected '}' or ',', found 'B'\n"
		" 5 | enum E { A B }\n"
		"   |            ^\n"
		"t.noise:7:8: error[N0110]: expected a name, found '='\n"
		" 7 | output =\n"
		"   |        ^\n");
}

static void test_reserved_words(void **state)
{
	(void)state;
	Parsed parsed;
	parse(&parsed,
		"node node = 3\n"
		"param in = 1\n"
		"enum E { A, output, B }\n"
		"node b = f(input: 1)\n"
		"node c = fold param in 0 .. 1 { const = 1 then 2 } return 1\n"
		"node d = return + 1\n"
		"node\n"
		"node e = 1\n");
	assert_string_equal(parsed.dump,
		"(node node 3)\n"
		"(param in 1)\n"
		"(enum E A output B)\n"
		"(node b (call f input:1))\n"
		"(node c (fold param 0 1 (const 1 then 2) 1))\n"
		"(node d (+ return 1))\n"
		"(node e 1)\n");
	static const char *const reserved[] = { "node", "in", "output", "input", "param", "const", "return" };
	for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++) {
		char message[100];
		snprintf(message, sizeof message, "error[N0112]: '%s' is a reserved word; choose another name\n", reserved[i]);
		assert_non_null(strstr(parsed.messages, message));
	}
	assert_non_null(strstr(parsed.messages, "t.noise:7:5: error[N0111]: the statement ends too early: expected a name\n"));
	assert_int_equal(parsed.diagnostics.errors, 8);
	done(&parsed);
}

/* Each row: a text with one mistake, the head of the only message about it, and the tree that is left. */
static void test_hints(void **state)
{
	(void)state;
	static const struct { const char *text, *message, *dump; } row[] = {
		{ "node x = 1.", "1:10: error[N0102]: write a digit after the point: 1.0", "(node x 1.0)" },
		{ "node x = 1. + a", "1:10: error[N0102]: write a digit after the point: 1.0", "(node x (+ 1.0 a))" },
		{ "node x = 1.e5", "1:10: error[N0102]: write a digit after the point: 1.0e5", "(node x 100000.0)" },
		{ "node x = .5", "1:10: error[N0102]: write a digit before the point: 0.5", "(node x 0.5)" },
		{ "node x = 1.0f", "1:10: error[N0102]: floats have no suffix; write 1.0", "(node x 1.0)" },
		{ "node x = 1.f", "1:10: error[N0102]: floats have no suffix; write 1.0", "(node x 1.0)" },
		{ "node x = 2f", "1:10: error[N0102]: floats have no suffix; write 2.0", "(node x 2.0)" },
		{ "node x = 1.5u", "1:10: error[N0102]: 'u' belongs to whole numbers; write 1u, or 1.5 for a float", "(node x 1.5)" },
		{ "node x = 3d", "1:10: error[N0102]: floats have no suffix; write 3.0", "(node x 3)" },
		{ "node x = 0x1g", "1:10: error[N0102]: '0x1g' is not a number", "(node x 1)" },
		{ "node x = a && b", "1:12: error[N0108]: write 'and' for '&&'", "(node x (and a b))" },
		{ "node x = a || b", "1:12: error[N0108]: write 'or' for '||'", "(node x (or a b))" },
		{ "node x = !a", "1:10: error[N0108]: write 'not' for '!'", "(node x (not a))" },
		{ "node x = 1; node y = 2;", "1:11: error[N0107]: statements end without ';'", "(node x 1)\n(node y 2)" },
		{ "/* a\n * b */ node x = 1", "1:1: error[N0106]: comments start with //", "(node x 1)" },
		{ "node x = 1 /* a", "1:12: error[N0106]: comments start with //; this one has no end", "(node x 1)" },
		{ "node x = i++", "1:11: error[N0108]: there is no '++'", "(node x i)" },
		{ "node x = --i", "1:10: error[N0108]: there is no '--'", "(node x i)" },
		{ "node x = 2 ** 3", "1:12: error[N0108]: there is no '**'; write pow(x, y)", "(node x 2)" },
		{ "node x = +1", "1:10: error[N0108]: leave out the '+'", "(node x 1)" },
		{ "node x += 1", "1:8: error[N0108]: there is no '+='", "(node x 1)" },
		{ "node x := 1", "1:8: error[N0108]: write '=' for ':='", "(node x 1)" },
		{ "input x in 0...1", "1:13: error[N0108]: a range is written with two points", "(input x in 0 .. 1)" },
		{ "node x = #abc", "1:10: error[N0104]: a colour has six or eight digits; write #aabbcc", "(node x #aabbcc)" },
		{ "node x = #1234567", "1:10: error[N0104]: a colour is # and six", "(node x #123456)" },
		{ "#define A 1\nnode x = 1", "1:1: error[N0109]: there are no # directives; write const A = 1", "(node x 1)" },
		{ "import \"a as b\nnode x = 1", "1:8: error[N0105]: the string is not closed", "(node x 1)" },
		{ "import 'a' as b", "1:8: error[N0105]: strings stand in double quotes; write \"a\"", "(import \"a\" b)" },
		{ "node caf\xc3\xa9 = 1\nnode x = 1", "1:9: error[N0101]: '\xc3\xa9' cannot stand here", "(node caf 1)\n(node x 1)" },
		{ "node x = 1 $ 2", "1:12: error[N0101]: '$' is not used in the language", "(node x 1)" },
		{ "vec2 x;", "1:1: error[N0114]: a declaration starts with its keyword; write 'node x: vec2 = …'", "" },
		{ "float3 f(a) { }", "1:1: error[N0114]: functions start with fn", "" },
		{ "x = 1", "1:1: error[N0114]: a declaration starts with its keyword; write 'node x = …'", "(node x 1)" },
		{ "node x = 1\ny = 2", "2:1: error[N0114]: a declaration starts with its keyword; write 'node y = …'", "(node x 1)\n(node y 2)" },
		{ "if (a) { b }", "1:1: error[N0114]: there is no 'if': choices are expressions; write c ? a : b", "" },
		{ "uniform float x;", "1:1: error[N0114]: there is no 'uniform': write param x", "" },
		{ "param vec2 x = 1", "1:7: error[N0114]: the type stands behind the name; write 'x: vec2'", "" },
		{ "fn f(float a) = a", "1:6: error[N0114]: the type stands behind the name; write 'a: float'", "" },
		{ "fn f(a) { float b = a return b }", "1:11: error[N0114]: a declaration starts with its keyword", "(fn f ((a)) (node b:float a) b)" },
		{ "node x = f(gain = 1)", "1:17: error[N0114]: a named argument has a colon; write 'gain: …'", "(node x (call f gain:1))" },
		{ "node x = a = b", "1:12: error[N0110]: expected an operator or the next statement, found '='; to compare, write '=='", "(node x a)" },
		{ "what is this\nnode x = 1", "1:1: error[N0113]: a statement starts with node, output", "(node x 1)" },
		{ "node x = a < b < c", "1:16: error[N0115]: comparisons do not chain; write a < b and b < c", "(node x (< a b))" },
		{ "node x = a |> f", "1:15: error[N0116]: the right side of |> is a call; write f()", "(node x (call f a))" },
		{ "node x = a |> m.f |> g()", "1:17: error[N0116]: the right side of |> is a call; write m.f()", "(node x (call g (call m.f a)))" },
		{ "node x = a |> f() * 2", "1:19: error[N0116]: the right side of |> is a call; write (x |> f()) * …", "(node x (call f a))" },
		{ "node x = a |> 2", "1:15: error[N0116]: the right side of |> is a call, such as", "" },
		{ "node x = 1 + fold i in 0 .. 3 { } return 1", "1:14: error[N0117]: inside an expression a fold stands in parentheses", "" },
		{ "node x = fold i in 0 .. 3 { } + 1", "1:31: error[N0118]: a fold ends with its result", "" },
		{ "fn f(a) { node t = a }", "1:22: error[N0118]: a block ends with its result", "" },
		{ "node x = f(a: 1, 2)", "1:18: error[N0119]: positional arguments come before named ones; move it before 'a:'", "(node x (call f a:1 2))" },
		{ "node x = 1 noise 1", "1:12: error[N0121]: 'noise' and its edition stand before everything else", "(node x 1)" },
		{ "noise 1.5", "1:7: error[N0102]: an edition is a whole number", "(noise 1)" },
		{ "import \"a\"", "1:11: error[N0111]: the statement ends too early: expected 'as'", "" },
		{ "node x = [1, 2]", "1:12: error[N0110]: there are no arrays; a list of stops", "" },
		{ "node x = f(1 2)", "1:14: error[N0110]: expected ')' or ',', found '2'", "" },
		{ "node x = c ? a b", "1:16: error[N0110]: expected ':', found 'b'", "" },
		{ "node x 1", "1:8: error[N0110]: expected '=', found '1'", "" },
	};
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		char head[200], dump[100];
		snprintf(head, sizeof head, "t.noise:%s", row[i].message);
		snprintf(dump, sizeof dump, "%s%s", row[i].dump, row[i].dump[0] ? "\n" : "");
		Parsed parsed;
		parse(&parsed, row[i].text);
		if (strncmp(parsed.messages, head, strlen(head)) != 0 || parsed.diagnostics.errors != 1)
			fail_msg("%s\ngave\n%s", row[i].text, parsed.messages);
		assert_string_equal(parsed.dump, dump);
		done(&parsed);
	}
}

static void test_codes_are_listed(void **state)
{
	(void)state;
	static const char *const codes[] = {
#define CODE(ID, ...) #ID,
#define WARNING(ID, ...) #ID,
#include "codes.def"
#undef CODE
#undef WARNING
	};
	for (size_t i = 1; i < sizeof codes / sizeof *codes; i++)
		assert_true(strcmp(codes[i - 1], codes[i]) < 0);
	Parsed parsed;
	parse(&parsed, "; node x = 1. node x = .5 node x = 1e99 node x = #f /* */ node a! noise ( fold 'a");
	for (const Message *m = parsed.diagnostics.first; m; m = m->next) {
		bool listed = false;
		for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
			listed |= strcmp(codes[i], m->code) == 0;
		assert_true(listed);
	}
	done(&parsed);
}

/* ---- sizes ---- */

static char *put(char *at, const char *piece, size_t count)
{
	size_t size = strlen(piece);
	for (size_t i = 0; i < count; i++, at += size)
		memcpy(at, piece, size);
	*at = '\0';
	return at;
}

static char *repeat(const char *before, const char *piece, size_t count, const char *middle, const char *close, const char *after)
{
	size_t size = strlen(before) + (strlen(piece) + strlen(close)) * count + strlen(middle) + strlen(after) + 1;
	char *text = malloc(size);
	assert_non_null(text);
	char *at = put(text, before, 1);
	at = put(at, piece, count);
	at = put(at, middle, 1);
	at = put(at, close, count);
	put(at, after, 1);
	return text;
}

static void test_nesting(void **state)
{
	(void)state;
	static const struct { const char *piece, *middle, *close; } row[] = {
		{ "(", "a", ")" }, { "f(", "a", ")" }, { "-", "a", "" }, { "~", "a", "" }, { "not ", "a", "" }, { "c ? a : ", "b", "" },
		{ "", "a", " |> f()" }, { "", "a", ".x" }, { "", "a", " @ b" }, { "", "a", "(1)" }, { "[0: ", "a", "]" },
		{ "match a { else: ", "a", "}" }, { "fold i in 0 .. 1 { } return (", "a", ")" }, { "a + (", "a", ")" },
	};
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		bool minus = row[i].piece[0] == '-';
		char *fits = repeat("node x = ", minus ? "- " : row[i].piece, 60, row[i].middle, row[i].close, "\noutput y = 1");
		char *deep = repeat("node x = ", minus ? "- " : row[i].piece, 20000, row[i].middle, row[i].close, "\noutput y = 1");
		Parsed parsed;
		parse(&parsed, fits);
		assert_string_equal(parsed.messages, "");
		done(&parsed);
		parse(&parsed, deep);
		assert_int_equal(parsed.diagnostics.errors, 1);
		assert_non_null(strstr(parsed.messages, "error[N0120]: too deeply nested"));
		assert_string_equal(parsed.dump, "(output y 1)\n");
		done(&parsed);
		free(fits);
		free(deep);
	}
}

static void test_long_sums(void **state)
{
	(void)state;
	static const char *const terms[] = { "a + ", "a or ", "a * b - " };
	for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
		char *text = repeat("node x = ", terms[i], 20000, "a", "", "");
		Parsed parsed;
		parse(&parsed, text);
		assert_string_equal(parsed.messages, "");
		size_t depth = 0;
		for (const Expr *e = parsed.file.decls->value; e->kind == EXPR_BINARY; e = e->u.op.a)
			depth++;
		assert_true(depth >= 20000);
		done(&parsed);
		free(text);
	}
}

static uint32_t random_state = 2463534242u;

static uint32_t random_word(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 17;
	random_state ^= random_state << 5;
	return random_state;
}

static void parse_and_drop(const char *text, size_t size)
{
	Parsed parsed;
	parse_bytes(&parsed, text, size);
	done(&parsed);
}

static void test_any_bytes(void **state)
{
	(void)state;
	char text[300];
	for (int round = 0; round < 3000; round++) {
		size_t size = random_word() % sizeof text;
		bool printable = round % 2;
		for (size_t i = 0; i < size; i++)
			text[i] = (char)(printable ? 32 + random_word() % 95 : random_word());
		parse_and_drop(text, size);
	}
}

static void test_any_tokens(void **state)
{
	(void)state;
	static const char *const words[] = {
		"node", "output", "param", "input", "const", "fn", "enum", "domain", "import", "noise", "fold", "match", "in",
		"return", "then", "else", "as", "at", "and", "or", "not", "true", "a", "f", "vec2", "1", "2.5", "3u", "#ffffff",
		"\"s\"", "(", ")", "[", "]", "{", "}", "=", "==", "<", "+", "-", "*", "@", ".", "..", ",", ":", "?", "|>", "->",
		"|", "<<", "~", "!", "&&", ";", "++", "1.", "/// d\n", "// c\n", "/*", "*/", "$", "+=", "'", "\"", "\n",
	};
	for (int round = 0; round < 5000; round++) {
		char text[600];
		size_t size = 0;
		int count = (int)(random_word() % 60);
		for (int i = 0; i < count; i++)
			size += (size_t)snprintf(text + size, sizeof text - size, "%s ",
				words[random_word() % (sizeof words / sizeof *words)]);
		parse_and_drop(text, size);
	}
}

static void test_truncated_and_damaged(void **state)
{
	(void)state;
	char text[sizeof island];
	for (size_t size = 0; size < sizeof island; size++)
		parse_and_drop(island, size);
	for (int round = 0; round < 3000; round++) {
		memcpy(text, island, sizeof island);
		for (int i = 0; i < 3; i++)
			text[random_word() % (sizeof island - 1)] = island[random_word() % (sizeof island - 1)];
		parse_and_drop(text, sizeof island - 1);
	}
}

/* ---- floats ---- */

static uint32_t bits_of(float value)
{
	uint32_t bits;
	memcpy(&bits, &value, sizeof bits);
	return bits;
}

static float float_of(uint32_t bits)
{
	float value;
	memcpy(&value, &bits, sizeof value);
	return value;
}

static void expect_float(Arena *arena, float value, const char *written)
{
	Text text = { .arena = arena };
	text_float(&text, value);
	assert_string_equal(text.data, written);
}

static void test_floats_written(void **state)
{
	(void)state;
	Arena *arena = guarded_arena();
	expect_float(arena, 0.0f, "0.0");
	expect_float(arena, -0.0f, "-0.0");
	expect_float(arena, 1.0f, "1.0");
	expect_float(arena, 0.5f, "0.5");
	expect_float(arena, -400.0f, "-400.0");
	expect_float(arena, 0.1f, "0.1");
	expect_float(arena, 0.0001f, "0.0001");
	expect_float(arena, 1e-12f, "1e-12");
	expect_float(arena, 1.5e-12f, "1.5e-12");
	expect_float(arena, 16777216.0f, "16777216.0");
	expect_float(arena, 100000000.0f, "100000000.0");
	expect_float(arena, 1e10f, "1e10");
	expect_float(arena, 3.4028235e38f, "3.4028235e38");
	expect_float(arena, 1.17549435e-38f, "1.1754944e-38");
	expect_float(arena, 1e-45f, "1e-45");
	expect_float(arena, 3.14159274f, "3.1415927");
	/* Below a power of two floats lie closer than above it. */
	expect_float(arena, 0x1p-44f, "5.684342e-14");
	arena_free(arena);
}

static void check_round_trip(Text *text, uint32_t bits)
{
	text->size = 0;
	text_float(text, float_of(bits));
	if (bits_of(text_read_float(text->data, text->size)) != bits || bits_of(strtof(text->data, NULL)) != bits)
		fail_msg("%08x was written as %s", (unsigned)bits, text->data);
	assert_non_null(strpbrk(text->data, ".e"));
	/* No shorter decimal does: the C library's nearest one with a digit less reads back as another float. */
	size_t digits = 0;
	bool leading = true;
	for (const char *at = text->data; *at && *at != 'e'; at++) {
		leading &= *at < '1' || *at > '9';
		digits += !leading && *at >= '0' && *at <= '9';
	}
	const char *exponent = strchr(text->data, 'e');
	if (digits > 1 && exponent) {
		char shorter[40];
		snprintf(shorter, sizeof shorter, "%.*e", (int)digits - 2, (double)float_of(bits));
		assert_true(bits_of(strtof(shorter, NULL)) != bits);
	}
}

static void test_float_round_trips(void **state)
{
	(void)state;
	Arena *arena = guarded_arena();
	Text text = { .arena = arena };
	for (uint32_t exponent = 0; exponent < 255; exponent++) {
		static const uint32_t fractions[] = { 0, 1, 2, 0x400000, 0x7ffffe, 0x7fffff, 0x2aaaaa };
		for (size_t i = 0; i < sizeof fractions / sizeof *fractions; i++)
			check_round_trip(&text, exponent << 23 | fractions[i]);
	}
	for (int i = 0; i < 20000; i++) {
		uint32_t bits = random_word();
		if ((bits >> 23 & 0xff) != 255)
			check_round_trip(&text, bits);
	}
	arena_free(arena);
}

static void expect_read(const char *written, float value)
{
	assert_int_equal(bits_of(text_read_float(written, strlen(written))), bits_of(value));
}

static void test_floats_read(void **state)
{
	(void)state;
	expect_read("0.0", 0.0f);
	expect_read("000.000e5", 0.0f);
	expect_read("1e-46", 0.0f);
	expect_read("1e999999999999", float_of(0x7f800000));
	expect_read("1e-999999999999", 0.0f);
	expect_read("3.40282356e38", 3.4028235e38f);
	/* Half a unit above the largest float is infinity, just below it is not. */
	expect_read("340282356779733661637539395458142568448", float_of(0x7f800000));
	expect_read("340282356779733661637539395458142568447.9", 3.4028235e38f);
	/* Ties go to the even neighbour; anything beyond the tie, however far behind, breaks it. */
	expect_read("16777217", 16777216.0f);
	expect_read("16777219", 16777220.0f);
	expect_read("16777217.00000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
		"0000000000000000000000000000000000000000000000000000000000000000000000000000000001", 16777218.0f);
	/* Rounded to double first, these would be ties and go the wrong way. */
	expect_read("1.00000017881393432617187499", 1.0000001f);
	expect_read("1.000000059604644775390625001", 1.0000001f);
	expect_read("7.006492321624085354618e-46", 0.0f);
	expect_read("7.006492321624085354619e-46", float_of(1));
	for (int i = 0; i < 20000; i++) {
		char written[60];
		snprintf(written, sizeof written, "%u.%u%ue%d", random_word() % 1000, random_word(), random_word(),
			(int)(random_word() % 100) - 55);
		expect_read(written, strtof(written, NULL));
	}
}

static void test_floats_in_a_comma_locale(void **state)
{
	(void)state;
	static const char *const locales[] = { "de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8" };
	bool set = false;
	for (size_t i = 0; i < sizeof locales / sizeof *locales && !set; i++)
		set = setlocale(LC_ALL, locales[i]) != NULL;
	if (!set)
		skip();
	Arena *arena = guarded_arena();
	expect_float(arena, 0.5f, "0.5");
	expect_read("0.5", 0.5f);
	arena_free(arena);
	setlocale(LC_ALL, "C");
}

/* ---- memory and texts ---- */

static void test_arena(void **state)
{
	(void)state;
	Arena *arena = guarded_arena();
	unsigned char *first = arena_alloc(arena, 10);
	memset(first, 1, 10);
	unsigned char *grown = arena_grow(arena, first, 10, 1000);
	assert_ptr_equal(grown, first);
	assert_int_equal(grown[9], 1);
	assert_int_equal(grown[999], 0);
	unsigned char *other = arena_alloc(arena, 1);
	unsigned char *moved = arena_grow(arena, grown, 1000, 100000);
	assert_ptr_not_equal(moved, grown);
	assert_int_equal(moved[9], 1);
	assert_int_equal(moved[99999], 0);
	assert_ptr_not_equal(other, moved);
	assert_ptr_equal(arena_intern(arena, "abc", 3), arena_intern(arena, "abcd", 3));
	assert_ptr_not_equal(arena_intern(arena, "abc", 3), arena_intern(arena, "abcd", 4));
	const char *name[2000];
	for (int i = 0; i < 2000; i++) {
		char text[20];
		int size = snprintf(text, sizeof text, "name%d", i);
		name[i] = arena_intern(arena, text, (size_t)size);
	}
	for (int i = 0; i < 2000; i++)
		assert_ptr_equal(arena_intern(arena, name[i], strlen(name[i])), name[i]);
	arena_free(arena);
}

static void test_out_of_memory(void **state)
{
	(void)state;
	Arena *volatile arena = arena_new();
	assert_non_null(arena);
	volatile bool reached = false;
	if (setjmp(*arena_guard(arena)) == 0) {
		arena_alloc(arena, SIZE_MAX - 20);
		fail_msg("memory for everything");
	} else {
		reached = true;
	}
	assert_true(reached);
	arena_free(arena);
}

/* ---- messages in general ---- */

static void test_messages_sorted_and_once(void **state)
{
	(void)state;
	Arena *arena = guarded_arena();
	Diagnostics d = { .arena = arena };
	Source one = { "one.noise", "abc\ndef", 7, false }, two = { "two.noise", "xyz", 3, false };
	diag_error(&d, "N0999", (Span){ &one, 4, 7 }, "second");
	Message *first = diag_warning(&d, "N0453", (Span){ &one, 1, 6 }, "%s", "first");
	diag_note(&d, first, (Span){ &two, 0, 1 }, "called from here");
	diag_error(&d, "N0999", (Span){ &two, 3, 3 }, "third");
	diag_error(&d, "N0999", (Span){ &one, 4, 7 }, "second");
	diag_error(&d, "N0997", (Span){ 0 }, "no place");
	d.muted++;
	diag_note(&d, diag_error(&d, "N0996", (Span){ &one, 0, 1 }, "muted"), (Span){ 0 }, "so is this");
	d.muted--;
	assert_int_equal(d.errors, 4);
	assert_int_equal(d.warnings, 1);
	Text out = { .arena = arena };
	report_text(diag_report(&d), &(nz_render_options){ 0 }, &out);
	assert_string_equal(out.data,
		"noisec: error[N0997]: no place\n"
		"one.noise:1:2: warning[N0453]: first [-Wprecedence]\n"
		" 1 | abc\n"
		"   |  ^~\n"
		" 2 | def\n"
		"   | ~~\n"
		"two.noise:1:1: note: called from here\n"
		" 1 | xyz\n"
		"   | ^\n"
		"one.noise:2:1: error[N0999]: second\n"
		" 2 | def\n"
		"   | ^~~\n"
		"two.noise:1:4: error[N0999]: third\n"
		" 1 | xyz\n"
		"   |    ^\n");
	arena_free(arena);
}

static void test_too_many_errors(void **state)
{
	(void)state;
	char *text = repeat("", "node = 1\n", 60, "", "", "");
	Parsed parsed;
	parse(&parsed, text);
	assert_int_equal(parsed.diagnostics.errors, 60);
	assert_non_null(strstr(parsed.messages, "t.noise:20:6: error"));
	assert_null(strstr(parsed.messages, "t.noise:21:6: error"));
	assert_non_null(strstr(parsed.messages, "\nnoisec: 40 more errors, not shown; --max-errors says how many are\n"));
	done(&parsed);
	free(text);
}

static void test_long_lines(void **state)
{
	(void)state;
	char *text = repeat("node x = ", "a + ", 100, ")", " + b", "");
	Parsed parsed;
	parse(&parsed, text);
	const char *line = strchr(parsed.messages, '\n') + 1, *mark = strchr(line, '\n') + 1;
	assert_memory_equal(line, " 1 | ...", 8);
	assert_true(mark - line < 140);
	assert_int_equal(line[strchr(mark, '^') - mark], ')');
	done(&parsed);
	free(text);
}

static void test_nearest(void **state)
{
	(void)state;
	static const char *const names[] = { "perlin", "simplex", "Ridged", "worley", "mix", "p", "f" };
	size_t count = sizeof names / sizeof *names;
	assert_string_equal(diag_nearest("perlim", names, count), "perlin");
	assert_string_equal(diag_nearest("pelrin", names, count), "perlin");
	assert_string_equal(diag_nearest("ridged", names, count), "Ridged");
	assert_string_equal(diag_nearest("SIMPLEX", names, count), "simplex");
	assert_string_equal(diag_nearest("mixx", names, count), "mix");
	assert_string_equal(diag_nearest("P", names, count), "p");
	assert_null(diag_nearest("q", names, count));
	assert_null(diag_nearest("voronoi", names, count));
	assert_null(diag_nearest("max3", names, count));
	assert_null(diag_nearest("x", NULL, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_statement),
		cmocka_unit_test(test_precedence),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_spans),
		cmocka_unit_test(test_documentation),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_nul_bytes),
		cmocka_unit_test(test_no_cascades),
		cmocka_unit_test(test_reserved_words),
		cmocka_unit_test(test_hints),
		cmocka_unit_test(test_codes_are_listed),
		cmocka_unit_test(test_nesting),
		cmocka_unit_test(test_long_sums),
		cmocka_unit_test(test_any_bytes),
		cmocka_unit_test(test_any_tokens),
		cmocka_unit_test(test_truncated_and_damaged),
		cmocka_unit_test(test_floats_written),
		cmocka_unit_test(test_float_round_trips),
		cmocka_unit_test(test_floats_read),
		cmocka_unit_test(test_floats_in_a_comma_locale),
		cmocka_unit_test(test_arena),
		cmocka_unit_test(test_out_of_memory),
		cmocka_unit_test(test_messages_sorted_and_once),
		cmocka_unit_test(test_too_many_errors),
		cmocka_unit_test(test_long_lines),
		cmocka_unit_test(test_nearest),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
