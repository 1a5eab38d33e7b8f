/* Promises about messages in general: what is shown of the source, in text, colour and JSON; what an editor gets;
   which warnings are told; that the explanations of codes are true. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdbool.h>
#include <cmocka.h>
#include <cjson/cJSON.h>

#include "cases.h"
#include "noisec.h"

#define COUNT(a) (sizeof (a) / sizeof *(a))

static nz_module *compile_bytes(const char *name, const char *text, size_t size, const nz_compile_options *options)
{
	nz_module *m;
	nz_compile_module(name, text, size, options, &m);
	assert_non_null(m);
	return m;
}

static nz_module *compile(const char *text) { return compile_bytes("t.noise", text, strlen(text), NULL); }

static const char *render(nz_module *m, nz_format format, int colour, int max_errors)
{
	const char *text;
	size_t size;
	assert_int_equal(nz_render_diagnostics(m, &(nz_render_options){ .format = format, .colour = colour, .max_errors = max_errors }, &text, &size), NZ_OK);
	assert_int_equal(strlen(text), size);
	return text;
}

static int count_of(const char *text, const char *word)
{
	int count = 0;
	for (; (text = strstr(text, word)); text += strlen(word))
		count++;
	return count;
}

/* ---- the source as it is shown ---- */

static void marks_stand_below_their_text(void **state)
{
	static const struct { const char *what, *text, *shown; } row[] = {
		{ "a tab is blanks up to the next fourth column",
			"\toutput a =\tzz",
			"t.noise:1:13: error[N0203]: unknown name 'zz'\n 1 |     output a =  zz\n   |                 ^~\n" },
		{ "Chinese characters take two cells, and count as one column",
			"import \"\xe6\xbc\xa2\xe5\xad\x97\" as e output a = zz",
			"t.noise:1:1: error[N0210]: import is not in this version; put the declarations into this file\n"
			" 1 | import \"\xe6\xbc\xa2\xe5\xad\x97\" as e output a = zz\n"
			"   | ^~~~~~~~~~~~~~~~~~\n"
			"t.noise:1:29: error[N0203]: unknown name 'zz'\n"
			" 1 | import \"\xe6\xbc\xa2\xe5\xad\x97\" as e output a = zz\n"
			"   |                               ^~\n" },
		{ "an emoji takes two",
			"import \"\xf0\x9f\x8c\x8b\" as e output a = zz",
			"t.noise:1:1: error[N0210]: import is not in this version; put the declarations into this file\n"
			" 1 | import \"\xf0\x9f\x8c\x8b\" as e output a = zz\n"
			"   | ^~~~~~~~~~~~~~~~\n"
			"t.noise:1:28: error[N0203]: unknown name 'zz'\n"
			" 1 | import \"\xf0\x9f\x8c\x8b\" as e output a = zz\n"
			"   |                             ^~\n" },
		{ "a combining mark takes none",
			"import \"e\xcc\x81\" as e output a = zz",
			"t.noise:1:1: error[N0210]: import is not in this version; put the declarations into this file\n"
			" 1 | import \"e\xcc\x81\" as e output a = zz\n"
			"   | ^~~~~~~~~~~~~~~\n"
			"t.noise:1:29: error[N0203]: unknown name 'zz'\n"
			" 1 | import \"e\xcc\x81\" as e output a = zz\n"
			"   |                            ^~\n" },
		{ "escapes of terminals, stray bytes, and characters that turn the line around are not shown",
			"output a = zz // \x1b[31m \xff \xc2\x9b \xe2\x80\xae \xed\xa0\x80",
			"t.noise:1:12: error[N0203]: unknown name 'zz'\n 1 | output a = zz // ?[31m ? ? ? ???\n   |            ^~\n" },
		{ "nor in the message itself",
			"output a = 1 \x1b",
			"t.noise:1:14: error[N0101]: the text contains a control character (code 27)\n 1 | output a = 1 ?\n   |              ^\n" },
		{ "a byte order mark is no column",
			"\xef\xbb\xbfoutput a = zz",
			"t.noise:1:12: error[N0203]: unknown name 'zz'\n 1 | output a = zz\n   |            ^~\n" },
		{ "lines may end as on Windows",
			"node b = 1\r\noutput a = zz\r\n",
			"t.noise:2:12: error[N0203]: unknown name 'zz'\n 2 | output a = zz\n   |            ^~\n" },
		{ "of several lines the first and the last are shown",
			"enum B { X, Y, Z }\noutput a = match B.X {\n    X: 1,\n    Z: 2\n    }",
			"t.noise:2:12: error[N0309]: match over B lacks 'Y'; add an arm for it, or else\n"
			" 2 | output a = match B.X {\n   |            ^~~~~~~~~~~\n   | ...\n 5 |     }\n   |     ~\n" },
		{ "two lines have nothing between, and one width of numbers",
			"\n\n\n\n\n\n\n\noutput a = [0: 0,\n1: 1]",
			"t.noise:9:12: error[N0316]: a list of stops is not a value; give it to ramp\n"
			"  9 | output a = [0: 0,\n    |            ^~~~~~\n 10 | 1: 1]\n    | ~~~~~\n" },
		{ "what is written instead stands below",
			"output a = frac(p.x)",
			"t.noise:1:12: error[N0204]: unknown node 'frac'; write 'fract'\n 1 | output a = frac(p.x)\n   |            ^~~~\n   |            fract\n" },
		{ "what is removed has dashes, what is put in stands where it goes",
			"output a = perlin(p * 4)",
			"t.noise:1:19: error[N0403]: 'perlin' takes no argument; write 'perlin() |> scale(4)' or 'perlin() @ (p * 4)'\n"
			" 1 | output a = perlin(p * 4)\n   |                   ^~~~~\n   |                   -----  @ (p * 4)\n" },
		{ "what is put in around a tab and a wide character still does",
			"\toutput a =\tfrac(p.x) // \xe6\xbc\xa2",
			"t.noise:1:13: error[N0204]: unknown node 'frac'; write 'fract'\n"
			" 1 |     output a =  frac(p.x) // \xe6\xbc\xa2\n   |                 ^~~~\n   |                 fract\n" },
		{ "a new line is shown as one",
			"output a = time",
			"t.noise:1:12: error[N0204]: unknown name 'time'; there is no built-in time; declare 'param time = 0.0'\n"
			" 1 | output a = time\n   |            ^~~~\n   | + param time = 0.0\n" },
	};
	(void)state;
	for (size_t i = 0; i < COUNT(row); i++) {
		nz_module *m = compile(row[i].text);
		if (strcmp(nz_get_diagnostics(m), row[i].shown))
			fail_msg("%s\n%s\nshould say\n%s\nsays\n%s", row[i].what, row[i].text, row[i].shown, nz_get_diagnostics(m));
		nz_free_module(m);
	}
}

/* Of a line as long as a file the surroundings of the place are shown, with the mark below it. */
static void long_lines_are_cut(void **state)
{
	(void)state;
	static char text[40000];
	for (int before = 0; before < 300; before += 37) {
		strcpy(text, "output a = p.x");
		for (int i = 0; i < before; i++)
			strcat(text, " + \xe2\x82\xac");
		char *at = text;
		for (; (at = strstr(at, "\xe2\x82\xac")); )
			memcpy(at, "p.y", 3);
		strcat(text, " + zz");
		size_t place = strlen(text) - 2;
		for (int i = 0; i < 200; i++)
			strcat(text, " + p.x");
		nz_module *m = compile(text);
		const char *said = nz_get_diagnostics(m), *line = strchr(said, '\n') + 1, *mark = strchr(line, '\n') + 1;
		char head[80];
		snprintf(head, sizeof head, "t.noise:1:%zu: error[N0203]", place + 1);
		assert_memory_equal(said, head, strlen(head));
		assert_true(mark - line < 140);
		assert_memory_equal(line + (strchr(mark, '^') - mark), "zz", 2);
		assert_int_equal(strstr(line, "...") != NULL, true);
		nz_free_module(m);
	}
}

/* ---- over all mistakes: the forms agree ---- */

static Cases cases;

static int load(void **state) { (void)state; cases = cases_load(TESTS "/mistakes"); return 0; }
static int unload(void **state) { (void)state; cases_free(&cases); return 0; }

static const char *const all_warnings[] = { "all" };
static const nz_compile_options with_all = { .warnings = all_warnings, .warning_count = 1 };

static void colour_changes_nothing_but_colour(void **state)
{
	(void)state;
	for (size_t i = 0; i < cases.count; i++) {
		nz_module *m = compile_bytes("t.noise", cases.item[i].program, strlen(cases.item[i].program), &with_all);
		const char *plain = render(m, NZ_FORMAT_TEXT, 0, -1), *at = render(m, NZ_FORMAT_TEXT, 1, -1);
		assert_null(strchr(plain, '\033'));
		char *stripped = case_text("", 0);
		bool coloured = false;
		for (; *at; at++) {
			if (*at == '\033') {
				at += strcspn(at, "m");
				coloured = at[-1] != '0' || (at[-2] >= '0' && at[-2] <= '9');
			} else {
				case_append(&stripped, at, 1);
			}
		}
		assert_false(coloured);                 /* the terminal is left as it was */
		assert_string_equal(stripped, plain);
		free(stripped);
		nz_free_module(m);
	}
}

static void check_place(const char *program, const nz_place *p)
{
	if (!p->file || strcmp(p->file, "t.noise"))
		return;
	assert_true(p->start_offset <= p->end_offset && p->end_offset <= strlen(program));
	for (int end = 0; end < 2; end++) {
		uint32_t line = 1, column = 1, offset = end ? p->end_offset : p->start_offset;
		for (uint32_t k = 0; k < offset; k++) {
			line += program[k] == '\n';
			column = program[k] == '\n' ? 1 : column + (((unsigned char)program[k] & 0xc0) != 0x80);
		}
		assert_int_equal(end ? p->end_line : p->start_line, line);
		assert_int_equal(end ? p->end_column : p->start_column, column);
	}
}

static double number(const cJSON *object, const char *name)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
	assert_true(cJSON_IsNumber(item));
	return item->valuedouble;
}

static const char *string(const cJSON *object, const char *name)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
	assert_true(cJSON_IsString(item) || cJSON_IsNull(item));
	return item->valuestring;
}

static void assert_same_place(const cJSON *object, const nz_place *p)
{
	const char *file = string(object, "file");
	assert_int_equal(file == NULL, p->file == NULL);
	if (!file)
		return;
	const cJSON *start = cJSON_GetObjectItem(object, "start"), *end = cJSON_GetObjectItem(object, "end");
	assert_string_equal(file, p->file);
	assert_true(number(start, "line") == p->start_line && number(start, "column") == p->start_column && number(start, "offset") == p->start_offset);
	assert_true(number(end, "line") == p->end_line && number(end, "column") == p->end_column && number(end, "offset") == p->end_offset);
}

/* Editors and tools get the same as people: one by one, as JSON, as text. */
static void all_forms_say_the_same(void **state)
{
	(void)state;
	for (size_t i = 0; i < cases.count; i++) {
		const char *program = cases.item[i].program;
		nz_module *m = compile_bytes("t.noise", program, strlen(program), &with_all);
		const char *json = render(m, NZ_FORMAT_JSON, 0, 0), *text = render(m, NZ_FORMAT_TEXT, 0, -1);
		size_t errors = 0, warnings = 0;
		for (size_t k = 0; k < nz_count_diagnostics(m); k++) {
			nz_diagnostic d;
			const char *rest = NULL;
			assert_int_equal(nz_get_diagnostic(m, k, &d), NZ_OK);
			cJSON *line = cJSON_ParseWithOpts(json, &rest, false);
			if (!line)
				fail_msg("no JSON: %s", json);
			json = rest + 1;
			bool error = d.severity == NZ_SEVERITY_ERROR;
			errors += error;
			warnings += !error;
			assert_true(number(line, "version") == 1);
			assert_string_equal(string(line, "severity"), error ? "error" : "warning");
			assert_string_equal(string(line, "code"), d.code);
			assert_string_equal(string(line, "message"), d.message);
			assert_int_equal(string(line, "warning") == NULL, d.warning == NULL);
			check_place(program, &d.place);
			assert_same_place(line, &d.place);
			const cJSON *notes = cJSON_GetObjectItem(line, "notes"), *fixes = cJSON_GetObjectItem(line, "fixes");
			assert_int_equal(cJSON_GetArraySize(notes), d.note_count);
			assert_int_equal(cJSON_GetArraySize(fixes), d.fix_count);
			for (size_t n = 0; n < d.note_count; n++) {
				check_place(program, &d.notes[n].place);
				assert_string_equal(string(cJSON_GetArrayItem(notes, (int)n), "message"), d.notes[n].message);
				assert_same_place(cJSON_GetArrayItem(notes, (int)n), &d.notes[n].place);
			}
			for (size_t n = 0; n < d.fix_count; n++) {
				check_place(program, &d.fixes[n].place);
				assert_string_equal(string(cJSON_GetArrayItem(fixes, (int)n), "replacement"), d.fixes[n].replacement);
				assert_same_place(cJSON_GetArrayItem(fixes, (int)n), &d.fixes[n].place);
			}
			cJSON_Delete(line);
			assert_non_null(strstr(text, d.message));
		}
		assert_int_equal(*json, 0);
		assert_int_equal(nz_count_errors(m), errors);
		assert_int_equal(nz_count_warnings(m), warnings);
		nz_diagnostic none;
		assert_int_equal(nz_get_diagnostic(m, nz_count_diagnostics(m), &none), NZ_ERROR_ARGUMENT);
		nz_free_module(m);
	}
}

/* Whatever the bytes, JSON stays JSON and text stays text. */
static void hostile_bytes_are_harmless(void **state)
{
	(void)state;
	uint32_t random = 1;
	for (int round = 0; round < 300; round++) {
		char text[200];
		size_t size = 0;
		for (; size < sizeof text; size++) {
			random = random * 1664525u + 1013904223u;
			static const char common[] = "output a = \"\n\t'\\(){}#/*;perlin";
			text[size] = random >> 28 < 9 ? common[(random >> 16) % (sizeof common - 1)] : (char)(random >> 20);
		}
		nz_module *m = compile_bytes("na\xff\x1b\"me.noise", text, size, NULL);
		const char *json = render(m, NZ_FORMAT_JSON, 0, 0);
		while (*json) {
			const char *rest = NULL;
			cJSON *line = cJSON_ParseWithOpts(json, &rest, false);
			if (!line)
				fail_msg("no JSON: %s", json);
			cJSON_Delete(line);
			assert_int_equal(*rest, '\n');
			json = rest + 1;
		}
		for (const char *at = nz_get_diagnostics(m); *at; at++)
			assert_true((unsigned char)*at >= 0x20 || *at == '\n');
		nz_free_module(m);
	}
}

static void colours_are_those_of_terminals(void **state)
{
	(void)state;
	nz_module *m = compile("output a = frac(p.x)");
	assert_string_equal(render(m, NZ_FORMAT_TEXT, 1, 0),
		"\033[1mt.noise:1:12: \033[0m\033[1;31merror[N0204]:\033[0m \033[1munknown node 'frac'; write 'fract'\033[0m\n"
		" 1 | output a = frac(p.x)\n   |            \033[1;32m^~~~\033[0m\n   |            \033[1;32mfract\033[0m\n");
	nz_free_module(m);
}

/* ---- many ---- */

static void the_first_are_shown_and_all_are_counted(void **state)
{
	(void)state;
	char *text = case_text("", 0);
	for (int i = 0; i < 5000; i++) {
		char line[80];
		snprintf(line, sizeof line, "output o%d = zz%d\n", i, i);
		case_append(&text, line, strlen(line));
	}
	nz_module *m = compile(text);
	assert_int_equal(nz_count_errors(m), 5000);
	assert_int_equal(nz_count_diagnostics(m), 1000);
	const char *said = nz_get_diagnostics(m);
	assert_int_equal(count_of(said, "error[N0203]"), 20);
	assert_non_null(strstr(said, "\nnoisec: 4980 more errors, not shown; --max-errors says how many are\n"));
	assert_int_equal(count_of(render(m, NZ_FORMAT_TEXT, 0, 3), "error[N0203]"), 3);
	assert_int_equal(count_of(render(m, NZ_FORMAT_TEXT, 0, -1), "error[N0203]"), 1000);
	assert_non_null(strstr(render(m, NZ_FORMAT_TEXT, 0, -1), "\nnoisec: 4000 more errors, not shown\n"));
	assert_int_equal(count_of(render(m, NZ_FORMAT_JSON, 0, 0), "\n"), 1000);
	assert_int_equal(count_of(render(m, NZ_FORMAT_JSON, 0, 7), "\n"), 7);
	nz_free_module(m);
	free(text);
}

static void one_message_of_many_is_told_as_one(void **state)
{
	(void)state;
	nz_module *m = compile("output a = zz output b = p * vec3(1)\nnode n = yy");
	const char *text = render(m, NZ_FORMAT_TEXT, 0, 2);
	assert_non_null(strstr(text, "noisec: 1 more error, not shown"));
	nz_free_module(m);
}

/* ---- warnings ---- */

static nz_module *compile_warned(const char *text, const char *const *warnings)
{
	nz_compile_options o = { .warnings = warnings };
	while (warnings[o.warning_count])
		o.warning_count++;
	return compile_bytes("t.noise", text, strlen(text), &o);
}

static void warnings_are_chosen_in_order(void **state)
{
	static const char program[] = "param height = 1 output a = perlin() @ p * 2";    /* one on by default, one not */
	static const struct { const char *options[5]; int errors, warnings; } row[] = {
		{ { NULL }, 0, 1 },
		{ { "all", NULL }, 0, 2 },
		{ { "unused", NULL }, 0, 2 },
		{ { "unused-param", NULL }, 0, 2 },
		{ { "N0455", NULL }, 0, 2 },
		{ { "no-precedence", NULL }, 0, 0 },
		{ { "no-N0453", NULL }, 0, 0 },
		{ { "no-all", NULL }, 0, 0 },
		{ { "all", "no-unused", NULL }, 0, 1 },
		{ { "no-precedence", "precedence", NULL }, 0, 1 },
		{ { "error", NULL }, 1, 0 },
		{ { "all", "error", NULL }, 2, 0 },
		{ { "error", "no-error", NULL }, 0, 1 },
		{ { "error=precedence", NULL }, 1, 0 },
		{ { "error=unused-param", NULL }, 1, 1 },
		{ { "all", "error", "no-error=unused-param", NULL }, 1, 1 },
		{ { "error=precedence", "no-error=precedence", NULL }, 0, 1 },
		{ { "none", NULL }, 0, 0 },
		{ { "none", "all", "error", NULL }, 0, 0 },
	};
	(void)state;
	for (size_t i = 0; i < COUNT(row); i++) {
		nz_module *m = compile_warned(program, row[i].options);
		if (nz_count_errors(m) != row[i].errors || nz_count_warnings(m) != row[i].warnings)
			fail_msg("row %zu: %d errors, %d warnings\n%s", i, nz_count_errors(m), nz_count_warnings(m), nz_get_diagnostics(m));
		const char *data;
		size_t size;
		assert_int_equal(nz_emit_target(m, NULL, &data, &size), row[i].errors ? NZ_ERROR_SOURCE : NZ_OK);
		nz_free_module(m);
	}
}

static void unknown_warnings_are_wrong_use(void **state)
{
	(void)state;
	static const struct { const char *option, *said; } row[] = {
		{ "precedense", "noisec: error[N0507]: unknown warning 'precedense'; did you mean 'precedence'?\n" },
		{ "no-unused-parm", "noisec: error[N0507]: unknown warning 'no-unused-parm'; did you mean 'unused-param'?\n" },
		{ "error=shadw", "noisec: error[N0507]: unknown warning 'error=shadw'; did you mean 'shadow'?\n" },
		{ "xyz", "noisec: error[N0507]: unknown warning 'xyz'; 'noisec explain' lists them\n" },
		{ "N0203", "noisec: error[N0507]: unknown warning 'N0203'; 'noisec explain' lists them\n" },
		{ "", "noisec: error[N0507]: unknown warning ''; 'noisec explain' lists them\n" },
	};
	for (size_t i = 0; i < COUNT(row); i++) {
		nz_module *m;
		nz_compile_options o = { .warnings = &row[i].option, .warning_count = 1 };
		assert_int_equal(nz_compile_module("t.noise", "output a = 1", 12, &o, &m), NZ_ERROR_ARGUMENT);
		assert_string_equal(nz_get_diagnostics(m), row[i].said);
		nz_free_module(m);
	}
}

/* What is shipped draws no warning, not even those that are off by default. */
static void examples_draw_no_warnings(void **state)
{
	(void)state;
	struct dirent **entry;
	int count = scandir(EXAMPLES, &entry, case_file, alphasort);
	assert_true(count > 5);
	for (int i = 0; i < count; i++) {
		char path[1024];
		static char text[1 << 16];
		snprintf(path, sizeof path, EXAMPLES "/%s", entry[i]->d_name);
		FILE *f = fopen(path, "rb");
		assert_non_null(f);
		size_t size = fread(text, 1, sizeof text, f);
		fclose(f);
		nz_module *m = compile_bytes(entry[i]->d_name, text, size, &with_all);
		if (nz_count_diagnostics(m))
			fail_msg("%s", nz_get_diagnostics(m));
		nz_free_module(m);
		free(entry[i]);
	}
	free(entry);
}

/* ---- codes ---- */

static bool gives_only(nz_module *m, const char *code)
{
	for (size_t i = 0; i < nz_count_diagnostics(m); i++) {
		nz_diagnostic d;
		assert_int_equal(nz_get_diagnostic(m, i, &d), NZ_OK);
		if (strcmp(d.code, code))
			return false;
	}
	return nz_count_diagnostics(m) > 0;
}

static void explanations_are_true(void **state)
{
	static const char *const without[] = { "N0105", "N0120", "N0122", "N0405", "N0408", "N0501", "N0502", "N0503", "N0504", "N0505", "N0506", "N0507" };
	(void)state;
	for (size_t i = 0; i < nz_count_codes(); i++) {
		const nz_code *c = nz_get_code(i);
		bool excused = false;
		for (size_t k = 0; k < COUNT(without); k++)
			excused = excused || !strcmp(without[k], c->code);
		assert_true(strlen(c->title) > 5 && strlen(c->text) > 20);
		assert_ptr_equal(nz_find_code(c->code), c);
		if (i > 0)
			assert_true(strcmp(nz_get_code(i - 1)->code, c->code) < 0);
		if (excused)
			continue;
		assert_true(c->wrong && c->right);
		const char *options[] = { c->warning ? c->warning : "no-all", NULL };
		nz_module *m = compile_warned(c->wrong, options);
		if (!gives_only(m, c->code))
			fail_msg("the wrong program of %s gives\n%s", c->code, nz_get_diagnostics(m));
		nz_free_module(m);
		m = compile_warned(c->right, options);
		if (nz_count_diagnostics(m))
			fail_msg("the right program of %s gives\n%s", c->code, nz_get_diagnostics(m));
		nz_free_module(m);
		m = compile(c->wrong);
		if (c->warning && (nz_count_warnings(m) > 0) != (c->by_default != 0))
			fail_msg("%s is told by default, or not, other than the table says", c->code);
		nz_free_module(m);
	}
	assert_null(nz_get_code(nz_count_codes()));
	assert_null(nz_find_code("N9999"));
	assert_string_equal(nz_find_code("precedence")->code, "N0453");
}

static void assert_first(nz_module *m, const char *code)
{
	nz_diagnostic d;
	assert_int_equal(nz_get_diagnostic(m, 0, &d), NZ_OK);
	if (strcmp(d.code, code))
		fail_msg("not %s but\n%s", code, nz_get_diagnostics(m));
	nz_free_module(m);
}

/* Codes that need more text than a file of mistakes has room for, or an option. */
static void rare_codes_are_given(void **state)
{
	(void)state;
	char *text = case_text("output a = ", 11);
	for (int i = 0; i < 3000; i++)
		case_append(&text, "(", 1);
	assert_first(compile(text), "N0120");
	text[0] = '\0';
	for (int i = 0; i < 2000; i++) {
		char line[80];
		snprintf(line, sizeof line, "fn f%d(x) = f%d(x) + 1\n", i, i + 1);
		case_append(&text, line, strlen(line));
	}
	case_append(&text, "fn f2000(x) = x output a = f0(p.x)", 34);
	assert_first(compile(text), "N0405");
	text[0] = '\0';
	for (int i = 0; i < 300; i++) {
		char line[80];
		snprintf(line, sizeof line, "param k%d = %d.5\n", i, i);
		case_append(&text, line, strlen(line));
	}
	case_append(&text, "node n = p.x", 12);
	for (int i = 0; i < 300; i++) {
		char piece[40];
		snprintf(piece, sizeof piece, " + k%d", i);
		case_append(&text, piece, strlen(piece));
	}
	case_append(&text, " output a = n @ (p * 2)", 23);
	assert_first(compile(text), "N0408");
	assert_first(compile_bytes("t.noise", text, ((size_t)1 << 30) + 1, NULL), "N0122");     /* refused unread */
	free(text);

	nz_module *m;
	const char *data;
	size_t size;
	nz_compile_options o = { .preview_node = "zz" };
	assert_first(compile_bytes("t.noise", "output a = 1", 12, &o), "N0501");
	nz_define define = { "ZZ", "1" };
	o = (nz_compile_options){ .defines = &define, .define_count = 1 };
	assert_first(compile_bytes("t.noise", "output a = 1", 12, &o), "N0502");
	o = (nz_compile_options){ .skip_passes = "zz" };
	assert_first(compile_bytes("t.noise", "output a = 1", 12, &o), "N0506");
	m = compile("output a = 1");
	assert_int_equal(nz_emit_target(m, &(nz_emit_options){ .target = "glls" }, &data, &size), NZ_ERROR_ARGUMENT);
	assert_non_null(strstr(nz_get_diagnostics(m), "unknown target 'glls'; did you mean 'glsl'?"));
	assert_first(m, "N0503");
	m = compile("output a = 1");
	assert_int_equal(nz_dump_stage(m, "optt", NULL, &data, &size), NZ_ERROR_ARGUMENT);
	assert_non_null(strstr(nz_get_diagnostics(m), "unknown stage 'optt'; did you mean 'opt'?"));
	assert_first(m, "N0504");
}

static void likely_names_are_proposed(void **state)
{
	(void)state;
	static const char *const names[] = { "perlin", "simplex", "Ridged", "worley", "mix", "p", "f" };
	assert_string_equal(nz_find_nearest("perlim", names, COUNT(names)), "perlin");
	assert_string_equal(nz_find_nearest("ridged", names, COUNT(names)), "Ridged");
	assert_null(nz_find_nearest("q", names, COUNT(names)));
	assert_null(nz_find_nearest("voronoi", names, COUNT(names)));
	assert_null(nz_find_nearest("x", NULL, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(marks_stand_below_their_text),
		cmocka_unit_test(long_lines_are_cut),
		cmocka_unit_test(colour_changes_nothing_but_colour),
		cmocka_unit_test(colours_are_those_of_terminals),
		cmocka_unit_test(all_forms_say_the_same),
		cmocka_unit_test(hostile_bytes_are_harmless),
		cmocka_unit_test(the_first_are_shown_and_all_are_counted),
		cmocka_unit_test(one_message_of_many_is_told_as_one),
		cmocka_unit_test(warnings_are_chosen_in_order),
		cmocka_unit_test(unknown_warnings_are_wrong_use),
		cmocka_unit_test(examples_draw_no_warnings),
		cmocka_unit_test(explanations_are_true),
		cmocka_unit_test(rare_codes_are_given),
		cmocka_unit_test(likely_names_are_proposed),
	};
	return cmocka_run_group_tests(tests, load, unload);
}
