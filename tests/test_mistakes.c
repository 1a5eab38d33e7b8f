/* Promise: a mistake is told once, at its place, with the way out, and what is proposed as a fix removes it.
   The mistakes and what is said of them are in tests/mistakes/ (see cases.h). NOISEC_BLESS=1 writes down
   what is said now: look at the difference before it is committed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdbool.h>
#include <cmocka.h>

#include "cases.h"
#include "noisec.h"

#define FOLDER TESTS "/mistakes"
enum { MOST_OPTIONS = 8 };

static Cases cases;

static int load(void **state) { (void)state; cases = cases_load(FOLDER); return 0; }
static int unload(void **state) { (void)state; cases_free(&cases); return 0; }

static nz_module *compile(const char *program, const char *options)
{
	const char *warning[MOST_OPTIONS];
	char *words = case_text(options ? options : "", options ? strlen(options) : 0);
	nz_compile_options o = { .warnings = warning };
	for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) {
		assert_true(!strncmp(word, "-W", 2) && o.warning_count < MOST_OPTIONS);
		warning[o.warning_count++] = word + 2;
	}
	nz_module *m;
	nz_compile_module("t.noise", program, strlen(program), &o, &m);
	assert_non_null(m);
	free(words);
	return m;
}

/* ---- what is said, in the form of the cases ---- */

static void put(char **text, const char *format, ...)
{
	char piece[8192];
	va_list list;
	va_start(list, format);
	int n = vsnprintf(piece, sizeof piece, format, list);
	va_end(list);
	assert_true(n >= 0 && n < (int)sizeof piece);
	case_append(text, piece, (size_t)n);
}

/* The place as a mark below line `line`, or in words. */
static void put_place(char **text, const nz_place *p, uint32_t line)
{
	put(text, "//|");
	if (!p->file) {
		put(text, " noisec");
	} else if (strcmp(p->file, "t.noise")) {
		put(text, " %.*s", (int)strcspn(p->file, "/"), p->file);
	} else if (p->start_line != line) {
		put(text, " at %u:%u-%u", p->start_line, p->start_column, p->end_column);
	} else {
		put(text, "%*s", (int)p->start_column, "");
		bool several = p->end_line != p->start_line;
		uint32_t width = several ? 3 : p->end_column - p->start_column;
		put(text, width == 0 ? "|" : "^");
		for (uint32_t i = 1; i < width; i++)
			put(text, several && i == 2 ? ">" : "~");
		if (several)
			put(text, " %u:%u", p->end_line, p->end_column);
	}
}

/* In quotes where blanks would not be seen. */
static void put_replacement(char **text, const char *replacement)
{
	size_t size = strlen(replacement);
	bool blank = size > 0 && (replacement[0] == ' ' || replacement[size - 1] == ' ');
	put(text, size == 0 ? " fix: remove" : blank ? " fix: \"" : " fix: ");
	for (; *replacement; replacement++)
		put(text, *replacement == '\n' ? "\\n" : "%c", *replacement);
	put(text, blank ? "\"\n" : "\n");
}

static void put_message(char **text, const nz_diagnostic *d)
{
	uint32_t line = d->place.start_line;
	put_place(text, &d->place, line);
	put(text, " %s", d->code);
	if (d->warning)
		put(text, " [%s%s]", d->severity == NZ_SEVERITY_ERROR ? "error=" : "", d->warning);
	put(text, " %s\n", d->message);
	for (size_t i = 0; i < d->note_count; i++) {
		put_place(text, &d->notes[i].place, line);
		put(text, " note: %s\n", d->notes[i].message);
	}
	for (size_t i = 0; i < d->fix_count; i++) {
		put_place(text, &d->fixes[i].place, line);
		put_replacement(text, d->fixes[i].replacement);
	}
}

/* The program, and after each line what is said of it. */
static char *describe(const Case *c)
{
	char *text = case_text("", 0);
	nz_module *m = compile(c->program, c->options);
	size_t count = nz_count_diagnostics(m);
	uint32_t line = 1;
	for (const char *at = c->program;; line++) {
		size_t size = strcspn(at, "\n");
		put(&text, "    %.*s\n", (int)size, at);
		for (size_t i = 0; i < count; i++) {
			nz_diagnostic d;
			assert_int_equal(nz_get_diagnostic(m, i, &d), NZ_OK);
			bool here = d.place.file && !strcmp(d.place.file, "t.noise");
			if (here ? d.place.start_line == line : !at[size])
				put_message(&text, &d);
		}
		if (!at[size])
			break;
		at += size + 1;
	}
	nz_free_module(m);
	return text;
}

static void write_down(void)
{
	FILE *f = NULL;
	for (size_t i = 0; i < cases.count; i++) {
		const Case *c = &cases.item[i];
		bool first = i == 0 || strcmp(c->file, cases.item[i - 1].file);
		if (first) {
			char path[1024];
			snprintf(path, sizeof path, FOLDER "/%s", c->file);
			if (f)
				fclose(f);
			f = fopen(path, "wb");
			assert_non_null(f);
		}
		char *said = describe(c);
		fprintf(f, "%s//// %s\n", first ? "" : "\n", c->title);
		if (c->options)
			fprintf(f, "//! %s\n", c->options);
		fputs(said, f);
		free(said);
	}
	if (f)
		fclose(f);
}

static void every_mistake_is_told_as_expected(void **state)
{
	(void)state;
	int wrong = 0;
	if (getenv("NOISEC_BLESS"))
		write_down();
	for (size_t i = 0; i < cases.count; i++) {
		const Case *c = &cases.item[i];
		char *said = describe(c);
		if (strcmp(said, c->expected) && !getenv("NOISEC_BLESS")) {
			print_error("%s: %s\nexpected\n%ssaid\n%s\n", c->file, c->title, c->expected, said);
			wrong++;
		}
		free(said);
	}
	print_message("%zu mistakes\n", cases.count);
	assert_int_equal(wrong, 0);
	assert_true(cases.count >= 120);
}

/* ---- fixes ---- */

/* The program with one message's fixes, which are in order and apart. */
static char *apply(const char *program, const nz_diagnostic *d)
{
	char *text = case_text("", 0);
	uint32_t at = 0;
	for (size_t i = 0; i < d->fix_count; i++) {
		const nz_fix *fix = &d->fixes[i];
		assert_true(fix->place.start_offset >= at && fix->place.end_offset <= strlen(program));
		case_append(&text, program + at, fix->place.start_offset - at);
		case_append(&text, fix->replacement, strlen(fix->replacement));
		at = fix->place.end_offset;
	}
	case_append(&text, program + at, strlen(program + at));
	return text;
}

static int count_like(nz_module *m, const nz_diagnostic *like)
{
	int count = 0;
	for (size_t i = 0; i < nz_count_diagnostics(m); i++) {
		nz_diagnostic d;
		assert_int_equal(nz_get_diagnostic(m, i, &d), NZ_OK);
		count += !strcmp(d.code, like->code) && !strcmp(d.message, like->message);
	}
	return count;
}

static void every_fix_removes_its_mistake(void **state)
{
	(void)state;
	int wrong = 0, applied = 0, clean = 0;
	for (size_t i = 0; i < cases.count; i++) {
		const Case *c = &cases.item[i];
		nz_module *m = compile(c->program, c->options);
		for (size_t k = 0; k < nz_count_diagnostics(m); k++) {
			nz_diagnostic d;
			assert_int_equal(nz_get_diagnostic(m, k, &d), NZ_OK);
			if (d.fix_count == 0)
				continue;
			char *fixed = apply(c->program, &d);
			nz_module *after = compile(fixed, c->options);
			applied++;
			clean += nz_count_diagnostics(m) == 1 && nz_count_diagnostics(after) == 0;
			if (count_like(after, &d) >= count_like(m, &d)) {
				print_error("%s: %s\n%s\nfixed for %s %s\n%s\n%s\n", c->file, c->title, c->program, d.code, d.message, fixed, nz_get_diagnostics(after));
				wrong++;
			}
			nz_free_module(after);
			free(fixed);
		}
		nz_free_module(m);
	}
	print_message("%d fixes applied; %d of them made a program with one mistake clean\n", applied, clean);
	assert_int_equal(wrong, 0);
	assert_true(applied >= 60);
}

/* ---- completeness ---- */

static bool is_said(const char *code)
{
	char head[16];
	snprintf(head, sizeof head, " %s ", code);
	for (size_t i = 0; i < cases.count; i++)
		if (strstr(cases.item[i].expected, head))
			return true;
	return false;
}

/* test_messages.c and test_language.c make those for which it takes a command line, or more text than fits here. */
static void every_code_is_given(void **state)
{
	static const char *const elsewhere[] = { "N0120", "N0122", "N0405", "N0408", "N0501", "N0502", "N0503", "N0504", "N0505", "N0506", "N0507" };
	(void)state;
	for (size_t i = 0; i < nz_count_codes(); i++) {
		const char *code = nz_get_code(i)->code;
		bool other = false;
		for (size_t k = 0; k < sizeof elsewhere / sizeof *elsewhere; k++)
			other = other || !strcmp(code, elsewhere[k]);
		if (is_said(code) == other)
			fail_msg("%s is given by %s", code, other ? "a case, too: take it out of the list of others" : "no case");
	}
}

/* No code in the sources that the table lacks, and none in the table that the sources lack. */
static void note_codes(const char *folder, bool *found)
{
	DIR *d = opendir(folder);
	assert_non_null(d);
	for (struct dirent *entry; (entry = readdir(d));) {
		const char *dot = strrchr(entry->d_name, '.');
		if (!dot || (strcmp(dot, ".c") && strcmp(dot, ".re") && strcmp(dot, ".y")))
			continue;
		char path[1024];
		static char text[1 << 18];
		snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
		FILE *f = fopen(path, "rb");
		assert_non_null(f);
		size_t size = fread(text, 1, sizeof text - 1, f);
		fclose(f);
		assert_true(size < sizeof text - 1);
		text[size] = '\0';
		for (const char *at = text; (at = strstr(at, "\"N0")); at++) {
			bool listed = at[6] != '"';
			for (size_t i = 0; i < nz_count_codes(); i++)
				if (!listed && !strncmp(nz_get_code(i)->code, at + 1, 5))
					listed = found[i] = true;
			if (!listed)
				fail_msg("%s uses %.5s, which codes.def does not explain", path, at + 1);
		}
	}
	closedir(d);
}

static void the_table_lists_what_the_sources_use(void **state)
{
	(void)state;
	bool found[256] = { false };
	assert_true(nz_count_codes() <= 256);
	note_codes(TESTS "/../compiler", found);
	note_codes(TESTS "/../compiler/cli", found);
	note_codes(TESTS "/../grammar", found);
	for (size_t i = 0; i < nz_count_codes(); i++)
		if (!found[i])
			fail_msg("nothing gives %s", nz_get_code(i)->code);
}

/* What people write who come from elsewhere gets an answer that is about it. */
static void every_habit_is_answered(void **state)
{
	static const char *const habits[] = {
		"perlin(p * 4)", "fbm(p)", "uv", "time", "voronoi(", "cellular(", "frequency", "uniform float", "frac(", "lerp(", "mod(",
		"vec2 x;", "1.0f", "&&", "++", "/*", ";",
	};
	(void)state;
	for (size_t i = 0; i < sizeof habits / sizeof *habits; i++) {
		bool found = false;
		for (size_t k = 0; k < cases.count && !found; k++)
			found = !strcmp(cases.item[k].file, "habits.noise") && strstr(cases.item[k].program, habits[i]) && strstr(cases.item[k].expected, " N0");
		if (!found)
			fail_msg("no case in habits.noise for '%s'", habits[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_mistake_is_told_as_expected),
		cmocka_unit_test(every_fix_removes_its_mistake),
		cmocka_unit_test(every_code_is_given),
		cmocka_unit_test(the_table_lists_what_the_sources_use),
		cmocka_unit_test(every_habit_is_answered),
	};
	return cmocka_run_group_tests(tests, load, unload);
}
