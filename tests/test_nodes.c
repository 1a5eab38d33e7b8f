/* What people and programs are told of the library: its comments, and what `noisec nodes` makes of them. */
#include <ctype.h>
#include <float.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <cmocka.h>
#ifdef HAVE_CJSON
#include <cjson/cJSON.h>
#endif

#include "nodes.h"
#include "library_source.h"

static bool quiet;                              /* while the judge is judged */

static size_t fault(const char *file, const char *name, const char *what)
{
	if (!quiet)
		fprintf(stderr, "%s: '%s' %s\n", file, name, what);
	return 1;
}

static bool is_empty(const char *text) { return !text || !*text; }

/* "any" as a word: every value is meant. */
static bool says_any(const char *text)
{
	for (const char *at = text; at && (at = strpbrk(at, "aA")); at++)
		if ((at == text || !isalpha((unsigned char)at[-1])) && !strncmp(at + 1, "ny", 2) && !isalpha((unsigned char)at[3]))
			return true;
	return false;
}

/* What a helper may be private to: functions, operations and forms. */
static bool is_known_name(const Library *lib, const char *name)
{
	for (int op = 0; op < OP_COUNT; op++)
		if (!strcmp(op_info[op].name, name))
			return true;
	return is_form_name(name) || scope_find(&lib->scope, arena_intern(lib->arena, name, strlen(name)));
}

static bool spells_an_operation(const char *name)
{
	for (int op = 0; op < OP_COUNT; op++)
		if (op_info[op].shader[0] == '@' && !strcmp(op_info[op].shader + 1, name))
			return true;
	return false;
}

static size_t judge_helper(const Library *lib, const char *file, const Decl *fn, const char *of)
{
	char name[64], end[8];
	size_t faults = 0;
	int used;
	if (spells_an_operation(fn->name))
		return 0;
	for (; sscanf(of, "%63[^ .]%7[ .]%n", name, end, &used) == 2; of += used)
		if (strcmp(name, "and") && !is_known_name(lib, name))
			faults += fault(file, fn->name, "is a helper of something unknown");
	return faults + (*of ? fault(file, fn->name, "does not end the list of what it helps with a point") : 0);
}

static size_t judge_arguments(const Library *lib, const char *file, const Decl *first, const Decl *fn)
{
	size_t faults = 0;
	for (const Decl *a = fn->args; a; a = a->next) {
		const char *doc = node_argument_doc(lib->arena, first, fn, a->name);
		bool all = enum_named(lib, a->type.name) || (a->type.name && strstr(a->type.name, "bool"));
		if (is_empty(doc))
			faults += fault(file, fn->name, text_print(lib->arena, "does not say what '%s' is", a->name));
		else if (!a->low && !all && !says_any(doc))
			faults += fault(file, fn->name, text_print(lib->arena, "has no range for '%s', nor says that any value is fine", a->name));
	}
	return faults;
}

static size_t judge_example(const Library *lib, const char *file, const Decl *fn, const char *example)
{
	const char *text = text_print(lib->arena, "output shown = %s\n", example);
	nz_module *m = NULL;
	nz_compile_module("example", text, strlen(text), NULL, &m);
	bool calls = strstr(example, text_print(lib->arena, "%s(", fn->name)) != NULL, fine = !*nz_get_diagnostics(m);
	if (!fine && !quiet)
		fprintf(stderr, "%s", nz_get_diagnostics(m));
	nz_free_module(m);
	return !calls ? fault(file, fn->name, "is not in its example") : !fine ? fault(file, fn->name, "has an example that does not compile") : 0;
}

/* What the comments of all functions and enums lack. */
static size_t judge_comments(const Library *lib)
{
	size_t faults = 0;
	for (const Decl *d = lib->scope.first; d; d = d->next_in_scope) {
		const char *file = d->name_span.source->name;
		if (d->kind == DECL_ENUM && is_empty(d->doc))
			faults += fault(file, d->name, "has no doc comment");
		for (const Enumerator *e = d->enumerators; e; e = e->next)
			if (is_empty(e->doc))
				faults += fault(file, e->name, "has no doc comment");
		if (d->kind != DECL_FN)
			continue;
		NodeDoc doc;
		const Decl *first = scope_find(&lib->scope, d->name);
		node_doc(lib->arena, d, &doc);
		if (is_empty(doc.text))
			faults += fault(file, d->name, "has no doc comment");
		node_doc(lib->arena, first, &doc);
		if (!doc.helper)
			faults += judge_arguments(lib, file, first, d);
		if (d != first)
			continue;
		if (!doc.helper && is_empty(doc.source))
			faults += fault(file, d->name, "has neither a 'Source:' nor a 'Helper of'");
		if (doc.helper && doc.source)
			faults += fault(file, d->name, "has both a 'Source:' and a 'Helper of'");
		if (doc.helper)
			faults += judge_helper(lib, file, d, doc.helper);
		else
			faults += doc.example ? judge_example(lib, file, d, doc.example) : fault(file, d->name, "has no 'Example:'");
	}
	return faults;
}

/* Promise: every function, enum and enumerator of the library says what it does, every public function also from
   where its formula is, what each argument means and may be, and how it is called: for `noisec nodes`, editors and
   the comments of generated code. */
static void everything_says_what_it_is(void **state)
{
	Library lib = { .files = 0 };
	size_t functions = 0, helpers = 0;
	(void)state;
	read_library(&lib);
	size_t faults = judge_comments(&lib);
	for (const Decl *d = lib.scope.first; d; d = d->next_in_scope)
		if (d->kind == DECL_FN && first_of_its_name(&lib, d)) {
			NodeDoc doc;
			node_doc(lib.arena, d, &doc);
			functions++;
			helpers += doc.helper != NULL;
		}
	printf("library: %zu files, %zu names of functions, %zu of them private, %zu faults of their comments\n", lib.files, functions, helpers, faults);
	arena_free(lib.arena);
	assert_int_equal(faults, 0);
}

static size_t judge_text(const char *text)
{
	Library lib = { .arena = arena_new(), .files = 1 };
	Source s = { .name = "planted", .text = text, .size = strlen(text), .library = true };
	assert_non_null(lib.arena);
	lib.diag.arena = lib.arena;
	parse_file(lib.arena, &lib.diag, &s, &lib.file[0]);
	check_scope(lib.arena, &lib.diag, lib.file, 1, NULL, true, &lib.scope);
	assert_int_equal(lib.diag.errors, 0);
	quiet = true;
	size_t faults = judge_comments(&lib);
	quiet = false;
	arena_free(lib.arena);
	return faults;
}

/* The judge above sees each fault, one at a time. */
static void the_judge_of_comments_judges(void **state)
{
	(void)state;
	assert_int_equal(judge_text("/// Twice x.\n///\n/// x: any number.\n/// Source: known.\n/// Example: white(1)\nfn white(x) = x\n"), 1);
	assert_int_equal(judge_text("/// Noise.\n///\n/// Source: known.\n/// Example: white()\nfn white() = p.x\n"), 0);
	assert_int_equal(judge_text("/// Noise.\n///\n/// Source: known.\n/// Example: value()\nfn white() = p.x\n"), 1);
	assert_int_equal(judge_text("/// Noise.\n///\n/// Source: known.\nfn white() = p.x\n"), 1);
	assert_int_equal(judge_text("/// Noise.\n///\n/// Example: white()\nfn white() = p.x\n"), 1);
	assert_int_equal(judge_text("///\n/// Source: known.\n/// Example: white()\nfn white() = p.x\n"), 1);
	assert_int_equal(judge_text("/// Noise.\nfn white() = p.x\n"), 2);
	assert_int_equal(judge_text("fn white() = p.x\n"), 3);
	const char *fine = "/// x to 0 .. 1.\n///\n/// Source: known.\n/// Example: saturate(white())\nfn saturate(\n    /// Any number.\n    x\n) = x\n";
	assert_int_equal(judge_text(fine), 0);
	assert_int_equal(judge_text("/// x.\n///\n/// x: any number.\n/// Source: known.\n/// Example: saturate(white())\nfn saturate(x) = x\n"), 0);
	assert_int_equal(judge_text("/// x.\n///\n/// x: the number.\n/// Source: known.\n/// Example: saturate(white())\nfn saturate(x in 0 .. 1) = x\n"), 0);
	assert_int_equal(judge_text("/// x.\n///\n/// x: the number, anyhow.\n/// Source: known.\n/// Example: saturate(white())\nfn saturate(x) = x\n"), 1);
	assert_int_equal(judge_text("/// x.\n///\n/// Source: known.\n/// Example: saturate(white())\nfn saturate(x in 0 .. 1) = x\n"), 1);
	assert_int_equal(judge_text("/// x.\n///\n/// x, k: any.\n/// Source: known.\n/// Example: saturate(white())\nfn saturate(x) = x\n"), 3);
	assert_int_equal(judge_text("/// A part.\n///\n/// Helper of sqrt and part.\nfn part(x) = x\n"), 0);
	assert_int_equal(judge_text("/// A part.\n///\n/// Helper of nothing.\nfn part(x) = x\n"), 1);
	assert_int_equal(judge_text("/// A part.\n///\n/// Helper of sqrt\nfn part(x) = x\n"), 1);
	assert_int_equal(judge_text("/// A part.\n///\n/// Helper of sqrt.\n/// Source: known.\nfn part(x) = x\n"), 1);
	assert_int_equal(judge_text("enum Kind {\n    /// First.\n    A\n}\n"), 1);
	assert_int_equal(judge_text("/// Kinds.\nenum Kind { A }\n"), 1);
}

/* ---- stated bounds ---- */

/* The bounds of what a function gives, over all its dimensions and options, whatever it is given: those that the
   compiler proves. Without a float result, or without bounds, they are all floats. */
static Bounds proved_bounds(const Node *n)
{
	Bounds b = { FLT_MAX, -FLT_MAX };
	for (const NodeResult *r = n->results; r; r = r->next)
		if (r->kind == KIND_FLOAT) {
			b.low = !r->bounded ? -FLT_MAX : r->bounds.low < b.low ? r->bounds.low : b.low;
			b.high = !r->bounded ? FLT_MAX : r->bounds.high > b.high ? r->bounds.high : b.high;
		}
	return b.low <= b.high ? b : (Bounds){ -FLT_MAX, FLT_MAX };
}

/* What the source states: "in low .. high" behind the signature, "Result: low .. high." or "Result: at least low." */
static bool stated_bounds(const Node *n, Bounds *out)
{
	double low, high;
	char text[64];
	int used = 0;
	*out = (Bounds){ -FLT_MAX, FLT_MAX };
	if (n->decl->low && number_of(n->decl->low, &low) && number_of(n->decl->high, &high)) {
		*out = (Bounds){ (float)low, (float)high };
		return !n->doc.result;
	}
	if (!n->doc.result)
		return true;
	size_t size = strlen(n->doc.result);
	if (size < 2 || size >= sizeof text || n->doc.result[size - 1] != '.')
		return false;
	memcpy(text, n->doc.result, size - 1);
	text[size - 1] = '\0';
	if (sscanf(text, "%f .. %f%n", &out->low, &out->high, &used) != 2 && sscanf(text, "at least %f%n", &out->low, &used) != 1)
		return false;
	return text[used] == '\0';
}

static size_t judge_bounds(Arena *arena, const Scope *library, Node *n)
{
	Bounds proved, stated;
	nodes_measure(arena, library, n);
	proved = proved_bounds(n);
	if (!stated_bounds(n, &stated))
		return fault(n->group, n->name, "has a 'Result:' that cannot be read");
	if (stated.low == proved.low && stated.high == proved.high)
		return 0;
	char text[160];
	snprintf(text, sizeof text, "states %.9g .. %.9g, and %.9g .. %.9g is proved", (double)stated.low, (double)stated.high, (double)proved.low, (double)proved.high);
	return fault(n->group, n->name, text);
}

/* Promise: a public function whose results have bounds whatever it is given states them in its source, and they are
   neither looser nor tighter than what the compiler proves. (test_ranges looks for values outside.) */
static void bounds_are_stated(void **state)
{
	Library lib = { .files = 0 };
	size_t faults = 0, bounded = 0, functions = 0;
	(void)state;
	read_library(&lib);
	for (Node *n = nodes_list(lib.arena, &lib.scope, false); n; n = n->next)
		if (n->kind == NODE_FUNCTION) {
			Bounds stated;
			faults += judge_bounds(lib.arena, &lib.scope, n);
			functions++;
			bounded += stated_bounds(n, &stated) && stated.low > -FLT_MAX;
		}
	printf("library: %zu public functions, %zu with stated bounds, %zu faults\n", functions, bounded, faults);
	arena_free(lib.arena);
	assert_int_equal(faults, 0);
}

/* The judge above sees each fault. */
static void the_judge_of_bounds_judges(void **state)
{
	static const struct { const char *text; size_t faults; } cases[] = {
		{ "/// x.\n///\n/// x: any.\n/// Result: 0 .. 1.\nfn f(x) = min(max(x, 0.0), 1.0)\n", 0 },
		{ "/// x.\n///\n/// x: any.\nfn f(x) = min(max(x, 0.0), 1.0)\n", 1 },
		{ "/// x.\n///\n/// x: any.\n/// Result: 0 .. 2.\nfn f(x) = min(max(x, 0.0), 1.0)\n", 1 },
		{ "/// x.\n///\n/// x: any.\n/// Result: 0 to 1.\nfn f(x) = min(max(x, 0.0), 1.0)\n", 1 },
		{ "/// x.\n///\n/// x: any.\n/// Result: 0 .. 1.\nfn f(x) = x\n", 1 },
		{ "/// x.\n///\n/// x: any.\n/// Result: at least 0.\nfn f(x) = abs(x)\n", 0 },
		{ "/// x.\nfn f(x) in 0.0 .. 1.0 = x\n", 0 },
		{ "/// x.\nfn f(x) = x\n", 0 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		Library lib = { .arena = arena_new(), .files = 1 };
		Source s = { .name = "planted", .text = cases[i].text, .size = strlen(cases[i].text), .library = true };
		assert_non_null(lib.arena);
		lib.diag.arena = lib.arena;
		parse_file(lib.arena, &lib.diag, &s, &lib.file[0]);
		check_scope(lib.arena, &lib.diag, lib.file, 1, NULL, true, &lib.scope);
		quiet = true;
		size_t faults = judge_bounds(lib.arena, &lib.scope, nodes_list(lib.arena, &lib.scope, false));
		quiet = false;
		arena_free(lib.arena);
		if (faults != cases[i].faults)
			fail_msg("%zu faults, not %zu, in\n%s", faults, cases[i].faults, cases[i].text);
	}
}

/* ---- the description ---- */

/* The description of `name`, or of all; the caller frees *m. */
static nz_status describe(const char *name, nz_describe_form form, bool all, const char **text, nz_module **m)
{
	static const char program[] = "output a = 0.0\n";
	nz_describe_options options = { .name = name, .form = form, .all = all };
	size_t size;
	assert_int_equal(nz_compile_module("nodes", program, sizeof program - 1, NULL, m), NZ_OK);
	nz_status status = nz_describe_library(*m, &options, text, &size);
	assert_int_equal(strlen(*text), size);
	return status;
}

static void expect_described(const char *name, const char *const *parts)
{
	const char *text;
	nz_module *m;
	if (describe(name, NZ_DESCRIBE_TEXT, false, &text, &m) != NZ_OK)
		fail_msg("'%s' is not described: %s", name, text);
	for (; *parts; parts++)
		if (!strstr(text, *parts))
			fail_msg("'%s' is described without \"%s\":\n%s", name, *parts, text);
	nz_free_module(m);
}

/* Promise: `noisec nodes NAME` finds every function, enum, enumerator, form and operation, and tells what its source says. */
static void every_name_is_described(void **state)
{
	Library lib = { .files = 0 };
	size_t names = 0;
	(void)state;
	read_library(&lib);
	for (const Decl *d = lib.scope.first; d; d = d->next_in_scope) {
		NodeDoc doc;
		if (d->kind == DECL_ENUM) {
			expect_described(d->name, (const char *const[]){ d->doc, d->name, NULL });
			for (const Enumerator *e = d->enumerators; e; e = e->next, names++)
				expect_described(e->name, (const char *const[]){ e->name, e->doc, NULL });
		} else if (d->kind == DECL_FN) {
			node_doc(lib.arena, d, &doc);
			Text first = { .arena = lib.arena };
			text_add_n(&first, doc.text, strcspn(doc.text, "\n"));
			expect_described(d->name, (const char *const[]){ d->name, first.data, d->args ? d->args->name : "", NULL });
			if (doc.example)
				expect_described(d->name, (const char *const[]){ "source: ", doc.example, "result", NULL });
			names++;
		}
	}
	for (size_t i = 0; i < form_count; i++, names++)
		expect_described(form_info[i].name, (const char *const[]){ form_info[i].signature, NULL });
	for (int op = 0; op < OP_COUNT; op++, names++)
		if (*op_info[op].name && !(op_info[op].flags & HIDDEN))
			expect_described(op_info[op].name, (const char *const[]){ op_info[op].name, op_info[op].doc, NULL });
	printf("library: %zu names described\n", names);
	arena_free(lib.arena);
}

/* Promise: what a node is told to give is what the compiler proves: range() of the same call says it too. */
static void described_bounds_are_those_of_range(void **state)
{
	(void)state;
	expect_described("perlin", (const char *const[]){ "result: float in -1.0 .. 1.0", "1-D to 4-D", NULL });
	expect_described("smoothstep", (const char *const[]){ "result: float in 0.0 .. 1.0", "vecN -> vecN", NULL });
	expect_described("octaves", (const char *const[]){ "kind = Turbulence  float at least 0.0; in 0.0 .. 1.0 for numbers in -1 .. 1", "0 .. 16, 5.0 by default", NULL });
	expect_described("worley", (const char *const[]){ "[2-D, 3-D]", "value = CellId", NULL });
	expect_described("abs", (const char *const[]){ "float at least 0.0: magnitude", NULL });
	expect_described("cell", (const char *const[]){ "int in -1 .. 1 for numbers in -1 .. 1", NULL });
	expect_described("length", (const char *const[]){ "float at least 0.0", "vecN -> float", NULL });
}

/* Promise: docs/nodes.md, to which the documents refer, is what the compiler knows. */
static void the_page_is_up_to_date(void **state)
{
	const char *text;
	nz_module *m;
	size_t size;
	Arena *arena = arena_new();
	(void)state;
	char *page = read_whole(arena, TESTS "/../docs/nodes.md", &size);
	assert_int_equal(describe(NULL, NZ_DESCRIBE_MARKDOWN, false, &text, &m), NZ_OK);
	if (strcmp(page, text)) {
		size_t same = 0, line = 1;
		for (; page[same] && page[same] == text[same]; same++)
			line += page[same] == '\n';
		fail_msg("docs/nodes.md differs at line %zu; look at the change of `noisec nodes --markdown > docs/nodes.md`", line);
	}
	nz_free_module(m);
	arena_free(arena);
}

/* Promise: an unknown name gets the nearest, or what mentions it; words of other tools are known. */
static void names_that_are_not_there_are_answered(void **state)
{
	static const struct { const char *name; nz_status status; const char *part; } cases[] = {
		{ "perlim", NZ_ERROR_ARGUMENT, "no node is called 'perlim'; did you mean 'perlin'?" },
		{ "crest", NZ_ERROR_ARGUMENT, "it is mentioned by\nfractal:" },
		{ "zzzzzzzz", NZ_ERROR_ARGUMENT, "no node is called 'zzzzzzzz'\n" },
		{ "", NZ_ERROR_ARGUMENT, "no node is called ''\n" },
		{ "voronoi", NZ_OK, "'voronoi': the cellular noise is 'worley()'.\n\nworley(" },
		{ "lerp", NZ_OK, "'lerp': write 'mix'.\n\nmix(a, b, t)" },
		{ "Voronoi", NZ_OK, "'Voronoi': the cellular noise is 'worley()'.\n\nworley(" },
		{ "fbm", NZ_OK, "'fbm': write 'perlin() |> octaves(5)'.\n\noctaves(" },
		{ "float3", NZ_OK, "'float3': write 'vec3'." },
		{ "time", NZ_ERROR_ARGUMENT, "no node is called 'time'; there is no built-in time" },
		{ "noise", NZ_ERROR_ARGUMENT, "no node is called 'noise'; name the kind" },
		{ "ridged", NZ_OK, "'ridged': write 'perlin() |> octaves(5, Ridged)'.\n\noctaves(" },
		{ "Ridged", NZ_OK, "'Ridged' is one of 'Fractal'.\n\nenum Fractal" },
		{ "difference", NZ_OK, "'Difference' is one of 'BlendMode'." },
		{ "ivec3", NZ_OK, "'ivec3' is a type." },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *text;
		nz_module *m;
		assert_int_equal(describe(cases[i].name, NZ_DESCRIBE_TEXT, false, &text, &m), cases[i].status);
		if (!strstr(text, cases[i].part))
			fail_msg("'%s' is answered without \"%s\":\n%s", cases[i].name, cases[i].part, text);
		nz_free_module(m);
	}
}

/* Promise: what only the library uses is told on demand alone. */
static void helpers_are_told_on_demand(void **state)
{
	Library lib = { .files = 0 };
	const char *few, *all;
	nz_module *m, *n;
	size_t helpers = 0;
	(void)state;
	read_library(&lib);
	assert_int_equal(describe(NULL, NZ_DESCRIBE_TEXT, false, &few, &m), NZ_OK);
	assert_int_equal(describe(NULL, NZ_DESCRIBE_TEXT, true, &all, &n), NZ_OK);
	for (const Decl *d = lib.scope.first; d; d = d->next_in_scope)
		if (d->kind == DECL_FN && scope_find(&lib.scope, d->name) == d) {
			NodeDoc doc;
			const char *start = text_print(lib.arena, "\n  %s(", d->name);
			node_doc(lib.arena, d, &doc);
			helpers += doc.helper != NULL;
			assert_int_equal(strstr(few, start) != NULL, doc.helper == NULL);
			assert_non_null(strstr(all, start));
		}
	assert_true(helpers > 0);
	nz_free_module(m);
	nz_free_module(n);
	arena_free(lib.arena);
}

/* Promise: `--json` is JSON, of a stated version, with every node in it. */
static void the_json_can_be_read(void **state)
{
	(void)state;
#ifndef HAVE_CJSON
	printf("SKIP: the_json_can_be_read: cJSON was not found when the tests were built\n");
#else
	const char *text;
	nz_module *m;
	size_t functions = 0, examples = 0;
	assert_int_equal(describe(NULL, NZ_DESCRIBE_JSON, true, &text, &m), NZ_OK);
	cJSON *all = cJSON_ParseWithOpts(text, NULL, 1), *node;
	if (!all)
		fail_msg("not JSON: %.200s", cJSON_GetErrorPtr());
	assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(all, "format")), "noisec-nodes");
	assert_int_equal(cJSON_GetNumberValue(cJSON_GetObjectItem(all, "version")), 1);
	cJSON_ArrayForEach(node, cJSON_GetObjectItem(all, "nodes")) {
		const char *name = cJSON_GetStringValue(cJSON_GetObjectItem(node, "name")), *kind = cJSON_GetStringValue(cJSON_GetObjectItem(node, "kind"));
		assert_non_null(name);
		assert_true(cJSON_IsString(cJSON_GetObjectItem(node, "doc")));
		functions += !strcmp(kind, "function");
		if (!strcmp(kind, "function"))
			assert_true(cJSON_GetArraySize(cJSON_GetObjectItem(node, "results")) > 0);
		if (!strcmp(name, "worley")) {
			cJSON *signature = cJSON_GetArrayItem(cJSON_GetObjectItem(node, "signatures"), 0), *jitter = cJSON_GetArrayItem(cJSON_GetObjectItem(signature, "arguments"), 2);
			assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(jitter, "name")), "jitter");
			assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(jitter, "default")), "1.0");
			assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(jitter, "high")), "1");
		}
		examples += cJSON_IsString(cJSON_GetObjectItem(node, "example")) ? 1 : 0;
	}
	printf("JSON: %zu functions, %zu examples\n", functions, examples);
	assert_true(functions > 100);
	cJSON_Delete(all);
	nz_free_module(m);
#endif
}

static int run(const char *arguments, char *text, size_t room)
{
	char command[512];
	snprintf(command, sizeof command, "%s nodes %s 2>&1", NOISEC, arguments);
	FILE *pipe = popen(command, "r");
	assert_non_null(pipe);
	size_t size = fread(text, 1, room - 1, pipe);
	text[size] = '\0';
	int status = pclose(pipe);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

/* Promise: the command prints, and its exit status says whether there was an answer. */
static void the_command_answers(void **state)
{
	static char text[1 << 20];
	(void)state;
	assert_int_equal(run("", text, sizeof text), 0);
	assert_non_null(strstr(text, "noise: The lattice noises.\n"));
	assert_non_null(strstr(text, "\n  reseed(f, k)\n"));
	assert_non_null(strstr(text, "\n  min(a, b)\n"));
	assert_int_equal(run("perlin", text, sizeof text), 0);
	assert_int_equal(strncmp(text, "perlin() -> float in -1 .. 1\n", 29), 0);
	assert_int_equal(run("perlim", text, sizeof text), 2);
	assert_string_equal(text, "noisec: no node is called 'perlim'; did you mean 'perlin'?\n");
	assert_int_equal(run("perlin value", text, sizeof text), 2);
	assert_int_equal(run("--json --markdown", text, sizeof text), 2);
	assert_int_equal(run("--json perlin", text, sizeof text), 0);
	assert_int_equal(run("--help", text, sizeof text), 0);
	assert_int_equal(run("perlin > /dev/full", text, sizeof text), 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_says_what_it_is),
		cmocka_unit_test(the_judge_of_comments_judges),
		cmocka_unit_test(bounds_are_stated),
		cmocka_unit_test(the_judge_of_bounds_judges),
		cmocka_unit_test(every_name_is_described),
		cmocka_unit_test(described_bounds_are_those_of_range),
		cmocka_unit_test(the_page_is_up_to_date),
		cmocka_unit_test(names_that_are_not_there_are_answered),
		cmocka_unit_test(helpers_are_told_on_demand),
		cmocka_unit_test(the_json_can_be_read),
		cmocka_unit_test(the_command_answers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
