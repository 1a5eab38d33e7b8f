/* The floors of the house, read from the sources: a file includes only what lies below it, memory comes from one
   place, nothing depends on the surroundings, and every function of the library says what it does.
   Comments and strings are blanked before a text is judged; what a macro pastes together is not seen. */
#include <ctype.h>
#include <dirent.h>
#include <stdarg.h>
#include <stdbool.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#define ROOT TESTS "/.."

static bool is_one_of(const char *const *list, const char *name)
{
	for (; *list != NULL; list++)
		if (strcmp(*list, name) == 0)
			return true;
	return false;
}

static bool starts_with(const char *text, const char *start) { return strncmp(text, start, strlen(start)) == 0; }

static char *read_text(const char *path)
{
	FILE *f = fopen(path, "rb");
	if (f == NULL)
		fail_msg("cannot read %s", path);
	fseek(f, 0, SEEK_END);
	size_t size = (size_t)ftell(f);
	char *text = malloc(size + 1);
	assert_non_null(text);
	rewind(f);
	assert_int_equal(fread(text, 1, size, f), size);
	text[size] = '\0';
	fclose(f);
	return text;
}

/* Comments become blanks, and so do the insides of strings if `strings`; lines stay. */
static void blank(char *text, bool strings)
{
	for (char *at = text; *at != '\0';) {
		char first = *at;
		if (first == '/' && at[1] == '/') {
			while (*at != '\0' && *at != '\n')
				*at++ = ' ';
		} else if (first == '/' && at[1] == '*') {
			char *end = strstr(at + 2, "*/");
			end = end != NULL ? end + 2 : at + strlen(at);
			for (; at < end; at++)
				*at = *at == '\n' ? '\n' : ' ';
		} else if (first == '"' || first == '\'') {
			for (at++; *at != '\0' && *at != first && *at != '\n';) {
				int n = *at == '\\' && at[1] != '\0' && at[1] != '\n' ? 2 : 1;
				for (; n > 0; n--, at++)
					*at = strings ? ' ' : *at;
			}
			at += *at != '\0';
		} else
			at++;
	}
}

/* ---- judges: each returns how many breaches a text has, and tells them ---- */

static bool quiet;                              /* while the judges are judged */

static int breach(const char *file, const char *what, const char *name)
{
	if (!quiet)
		fprintf(stderr, "%s: %s %s\n", file, what, name);
	return 1;
}

/* How often `name` is called, which means: stands as a word with a parenthesis behind. */
static int count_calls(const char *text, const char *name)
{
	int count = 0;
	size_t size = strlen(name);
	for (const char *at = text; (at = strstr(at, name)) != NULL; at += size) {
		const char *behind = at + size;
		bool word = at == text || (!isalnum((unsigned char)at[-1]) && at[-1] != '_' && at[-1] != '.' && !(at[-1] == '>' && at > text + 1 && at[-2] == '-'));
		while (*behind == ' ' || *behind == '\t' || *behind == '\n')
			behind++;
		count += word && *behind == '(';
	}
	return count;
}

static int judge_calls(const char *file, const char *source, const char *const *names, int allowed)
{
	char *text = strdup(source);
	int calls = 0, breaches = 0;
	assert_non_null(text);
	blank(text, true);
	for (; *names != NULL; names++) {
		int count = count_calls(text, *names);
		calls += count;
		if (count > 0 && calls > allowed)
			breaches += breach(file, "calls", *names);
	}
	free(text);
	return breaches;
}

static const char *const libc_headers[] = {
	"assert.h", "ctype.h", "errno.h", "float.h", "inttypes.h", "limits.h", "math.h", "setjmp.h", "stdalign.h", "stdarg.h",
	"stdatomic.h", "stdbool.h", "stddef.h", "stdint.h", "stdio.h", "stdlib.h", "stdnoreturn.h", "string.h", NULL };

typedef struct Floor {
	const char *folder, *extensions[4];
	const char *below[6];                   /* folders whose files may be included */
	const char *files[8];                   /* and single files */
	const char *system[8];                  /* headers in <> beside libc's */
} Floor;

static const Floor floors[] = {
	{ "runtime", { ".c", ".h", ".def" }, { "runtime" }, { NULL }, { NULL } },
	{ "compiler", { ".c", ".h", ".def" }, { "compiler" },
		{ "grammar/parse.h", "noise.h", "runtime/num.h", "runtime/ops.def", "runtime/program.h", "runtime/nz_common.h" }, { NULL } },
	{ "grammar", { ".y", ".re", ".h" }, { "grammar" }, { "compiler/cc.h", "noise.h" }, { NULL } },
	{ "compiler/cli", { ".c", ".h", ".def" }, { "compiler/cli" }, { "compiler/noisec.h", "runtime/noisert.h" },
		{ "fcntl.h", "png.h", "signal.h", "sys/stat.h", "sys/types.h", "unistd.h" } },
};
enum { FLOORS = sizeof floors / sizeof *floors };

/* The path from the root of a header that a file of `folder` includes, as the compiler looks for it. What is
   not found is made by the build: it keeps its name. */
static const char *resolve(const char *folder, const char *header, char out[512])
{
	const char *const places[] = { folder, "compiler", "runtime", "grammar" };
	char path[1024], from[256];
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		const char *rest = header;
		snprintf(from, sizeof from, "%s", places[i]);
		while (starts_with(rest, "../") && from[0] != '\0') {
			char *slash = strrchr(from, '/');
			*(slash != NULL ? slash : from) = '\0';
			rest += 3;
		}
		snprintf(out, 512, "%s%s%s", from, from[0] != '\0' ? "/" : "", rest);
		snprintf(path, sizeof path, ROOT "/%s", out);
		if (access(path, R_OK) == 0)
			return out;
	}
	snprintf(out, 512, "%s", header);
	return out;
}

static bool lies_in(const char *path, const char *folder)
{
	size_t size = strlen(folder);
	return strncmp(path, folder, size) == 0 && path[size] == '/' && strchr(path + size + 1, '/') == NULL;
}

static bool may_include(const Floor *floor, const char *path)
{
	for (const char *const *below = floor->below; *below != NULL; below++)
		if (lies_in(path, *below))
			return true;
	return is_one_of(floor->files, path);
}

/* Headers of one stage, and how the names of the files begin that may include them. */
static const struct { const char *header; const char *stage[4]; } private_headers[] = {
	{ "compiler/compile.h", { "compiler/compile", "compiler/emit" } },
	{ "compiler/check.h", { "compiler/check" } },
	{ "compiler/lower.h", { "compiler/lower" } },
	{ "compiler/nodes.h", { "compiler/nodes" } },
	{ "compiler/print.h", { "compiler/print", "compiler/dialect", "compiler/legalise" } },
	{ "compiler/slots.h", { "compiler/slots" } },
	{ "grammar/parse.h", { "compiler/parse", "grammar/" } },
};

static bool is_of_another_stage(const char *file, const char *path)
{
	for (size_t i = 0; i < sizeof private_headers / sizeof *private_headers; i++)
		if (strcmp(path, private_headers[i].header) == 0) {
			for (const char *const *stage = private_headers[i].stage; *stage != NULL; stage++)
				if (starts_with(file, *stage))
					return false;
			return true;
		}
	return false;
}

static int judge_includes(const Floor *floor, const char *file, const char *source)
{
	char *text = strdup(source), *next;
	int breaches = 0;
	assert_non_null(text);
	blank(text, false);
	for (char *line = text; line != NULL; line = next) {
		char name[256], path[512], end;
		next = strchr(line, '\n');
		if (next != NULL)
			*next++ = '\0';
		line += strspn(line, " \t");
		if (*line != '#')
			continue;
		line += 1 + strspn(line + 1, " \t");
		if (!starts_with(line, "include"))
			continue;
		if (sscanf(line, "include <%255[^>]%c", name, &end) == 2) {
			if (!is_one_of(libc_headers, name) && !is_one_of(floor->system, name))
				breaches += breach(file, "includes", name);
		} else if (sscanf(line, "include \"%255[^\"]%c", name, &end) == 2) {
			resolve(floor->folder, name, path);
			if (!may_include(floor, path) || is_of_another_stage(file, path))
				breaches += breach(file, "includes", path);
		} else
			breaches += breach(file, "has an unclear", line);
	}
	free(text);
	return breaches;
}

static int judge_comments(const char *file, const char *text)
{
	int breaches = 0;
	bool documented = false;
	for (const char *line = text; line != NULL; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (starts_with(line, "fn ") && !documented) {
			char name[64];
			snprintf(name, sizeof name, "%.*s", (int)strcspn(line, "({\n"), line);
			breaches += breach(file, "has no /// above", name);
		}
		documented = starts_with(line, "/// ") && line[4] != '\n';
	}
	return breaches;
}

/* ---- the sources ---- */

static int any(const struct dirent *e) { return e->d_name[0] != '.'; }

/* Calls `judge` with every file of a folder that ends so; returns the breaches. */
static int judge_folder(const char *folder, const char *const *extensions, int least, int (*judge)(const Floor *, const char *file, const char *text), const Floor *floor)
{
	struct dirent **entry;
	char path[512];
	snprintf(path, sizeof path, ROOT "/%s", folder);
	int count = scandir(path, &entry, any, alphasort), judged = 0, breaches = 0;
	if (count < 0)
		fail_msg("cannot read %s", path);
	for (int i = 0; i < count; i++) {
		const char *dot = strrchr(entry[i]->d_name, '.');
		if (dot != NULL && is_one_of(extensions, dot)) {
			char name[512];
			snprintf(name, sizeof name, "%s/%s", folder, entry[i]->d_name);
			snprintf(path, sizeof path, ROOT "/%.400s", name);
			char *text = read_text(path);
			breaches += judge(floor, name, text);
			free(text);
			judged++;
		}
		free(entry[i]);
	}
	free(entry);
	assert_true(judged >= least);           /* nothing read would be no test */
	return breaches;
}

static void files_include_only_what_lies_below(void **state)
{
	int breaches = 0;
	(void)state;
	for (int i = 0; i < FLOORS; i++)
		breaches += judge_folder(floors[i].folder, floors[i].extensions, 3, judge_includes, &floors[i]);
	assert_int_equal(breaches, 0);
}

static int judge_memory(const Floor *floor, const char *file, const char *text)
{
	static const char *const names[] = { "malloc", "calloc", "realloc", "aligned_alloc", "strdup", "strndup", "alloca", "qsort", NULL };
	(void)floor;
	if (strcmp(file, "compiler/arena.c") == 0)
		return 0;
	bool one = strcmp(file, "runtime/program.c") == 0;
	return judge_calls(file, text, names, one);
}

/* arena.c has all of the compiler's, from the caller's allocator; program.c one block. */
static void memory_comes_from_one_place(void **state)
{
	int breaches = 0;
	(void)state;
	for (int i = 0; i < 3; i++)
		breaches += judge_folder(floors[i].folder, floors[i].extensions, 3, judge_memory, NULL);
	assert_int_equal(breaches, 0);
}

static int judge_surroundings(const Floor *floor, const char *file, const char *text)
{
	static const char *const names[] = { "setlocale", "localeconv", "time", "clock", "gettimeofday", "clock_gettime", "localtime",
		"getenv", "secure_getenv", "rand", "srand", "random", "drand48", NULL };
	static const char *const messages[] = { "compiler/cli/messages.c", NULL };      /* NO_COLOR and the terminal */
	(void)floor;
	return is_one_of(messages, file) ? 0 : judge_calls(file, text, names, 0);
}

static void nothing_asks_its_surroundings(void **state)
{
	int breaches = 0;
	(void)state;
	for (int i = 0; i < FLOORS; i++)
		breaches += judge_folder(floors[i].folder, floors[i].extensions, 3, judge_surroundings, NULL);
	assert_int_equal(breaches, 0);
}

static int judge_library(const Floor *floor, const char *file, const char *text)
{
	(void)floor;
	return judge_comments(file, text);
}

static void library_functions_say_what_they_do(void **state)
{
	static const char *const extensions[] = { ".noise", NULL };
	(void)state;
	assert_int_equal(judge_folder("library", extensions, 5, judge_library, NULL), 0);
}

/* ---- the judges themselves ---- */

static void judges_see_breaches(void **state)
{
	static const struct { int floor; const char *file, *text; int breaches; } cases[] = {
		{ 0, "runtime/x.c", "#include <string.h>\n#include \"num.h\"\n# include \"ops.def\"\n", 0 },
		{ 0, "runtime/x.c", "#include \"../compiler/noisec.h\"\n", 1 },
		{ 0, "runtime/x.c", "  #  include \"noisec.h\"\n#include <unistd.h>\n", 2 },
		{ 0, "runtime/x.c", "/* #include \"noisec.h\" */\n// #include <png.h>\n/*\n#include <png.h>\n*/\n", 0 },
		{ 0, "runtime/x.c", "#include HEADER\n", 1 },
		{ 1, "compiler/x.c", "#include \"cc.h\"\n#include \"../runtime/num.h\"\n", 0 },
		{ 1, "compiler/x.c", "#include \"../runtime/noisert.h\"\n#include \"cli/cli.h\"\n", 2 },
		{ 1, "compiler/print_x.c", "#include \"print.h\"\n#include \"lower.h\"\n", 1 },
		{ 3, "compiler/cli/x.c", "#include \"../cc.h\"\n#include \"../../runtime/num.h\"\n#include \"cc.h\"\n", 3 },
		{ 3, "compiler/cli/x.c", "#include \"../noisec.h\"\n#include \"../../runtime/noisert.h\"\n#include <png.h>\n#include \"cli.h\"\n", 0 },
	};
	(void)state;
	quiet = true;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		if (judge_includes(&floors[cases[i].floor], cases[i].file, cases[i].text) != cases[i].breaches)
			fail_msg("wrong about %s", cases[i].text);
	assert_int_equal(judge_memory(NULL, "compiler/x.c", "p = malloc (1);\nq =\n\tcalloc(1, 2);\n"), 2);
	assert_int_equal(judge_memory(NULL, "compiler/x.c", "my_malloc(1); a.malloc(2); b->calloc(1, 1); \"malloc(3)\"; // malloc(4)\n/* realloc(p) */ f(malloc);"), 0);
	assert_int_equal(judge_memory(NULL, "runtime/program.c", "p = calloc(1, 2);"), 0);
	assert_int_equal(judge_memory(NULL, "runtime/program.c", "p = calloc(1, 2); q = malloc(1);"), 1);
	assert_int_equal(judge_surroundings(NULL, "runtime/x.c", "char c = '\"'; x = time(NULL);"), 1);
	assert_int_equal(judge_surroundings(NULL, "runtime/x.c", "char c = '\\''; x = runtime(NULL); s = \"a\\\"b\"; y = rand();"), 1);
	assert_int_equal(judge_comments("x", "/// Says.\nfn a(f) = f\n\n// no\nfn b(f) = f\n///\nfn c(f) = f\n/// Far.\n\nfn d(f) = f\nfn e(f) = f"), 4);
	quiet = false;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(judges_see_breaches),
		cmocka_unit_test(files_include_only_what_lies_below),
		cmocka_unit_test(memory_comes_from_one_place),
		cmocka_unit_test(nothing_asks_its_surroundings),
		cmocka_unit_test(library_functions_say_what_they_do),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
