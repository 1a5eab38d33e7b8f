/* What people and programs are told of the library: its comments, and what `noisec nodes` makes of them. */
#include <ctype.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "cc.h"
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_says_what_it_is),
		cmocka_unit_test(the_judge_of_comments_judges),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
