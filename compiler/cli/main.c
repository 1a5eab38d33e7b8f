/* The command: picks the verb. */
#include <errno.h>
#include <string.h>

#include "cli.h"

static const Verb verbs[] = {
#define VERB(name, line) { #name, name##_run, line, name##_help },
#include "verbs.def"
#undef VERB
};
enum { VERBS = sizeof verbs / sizeof *verbs };

static int print_help(FILE *out)
{
	errno = 0;
	fputs("noisec compiles .noise files: procedural noise with the same bits in shaders and on the CPU.\n\n"
		"usage: noisec [VERB] FILE... [OPTIONS]\n\nverbs:\n", out);
	for (int i = 0; i < VERBS; i++)
		fprintf(out, "  %-8s %s\n", verbs[i].name, verbs[i].line);
	fputs("  help     this text, or with a verb what it does and all of its options\n"
		"\nA first program, hills.noise:\n\n"
		"  /// Metres across one hill.\n"
		"  param feature = 64 in 1 .. 1000\n"
		"  output height = perlin() |> octaves(5) |> scale(1 / feature)\n\n"
		"Look at it, ask it for numbers, print it as functions for a shader:\n\n"
		"  noisec render hills.noise -o hills.png --span 512\n"
		"  noisec eval hills.noise --at 12.5,-3 --set feature=100\n"
		"  noisec hills.noise -o hills.glsl\n\n"
		"In a build: shader and program for the runtime, a rule for make, a C header, a description for tools:\n\n"
		"  noisec hills.noise -t glsl,program -o build/ -MD --header build/ --reflect build/\n\n"
		"Options stand anywhere behind the verb: -oFILE, -o FILE, --out-file FILE or --out-file=FILE; behind -- all is\n"
		"files. FILE may be - for standard input. @FILE stands for the words of a file, with quotes, \\ and # comments\n"
		"as in a shell; a file that is really called @x is ./@x. 'noisec --version' prints the version.\n\n"
		"Exit status: 0 fine, 1 errors in the program, 2 wrong use, 3 input or output failed, 4 a bug of noisec.\n", out);
	if (fflush(out) == 0 && !ferror(out))
		return STATUS_FINE;
	return complain(STATUS_FILE, "cannot write the help: %s", strerror(errno));
}

static const Verb *find_verb(const char *name)
{
	for (int i = 0; i < VERBS; i++)
		if (strcmp(name, verbs[i].name) == 0)
			return &verbs[i];
	return NULL;
}

static int report_verb(const char *word, const char *otherwise)
{
	const char *names[VERBS + 1] = { "help" };
	for (int i = 0; i < VERBS; i++)
		names[i + 1] = verbs[i].name;
	const char *nearest = nz_find_nearest(word, names, VERBS + 1);
	if (nearest != NULL)
		return complain(STATUS_USE, "unknown verb '%s'; did you mean '%s'?", word, nearest);
	return complain(STATUS_USE, "'%s' is %s; 'noisec --help' lists the verbs", word, otherwise);
}

static int help_with(int argc, char **argv)
{
	if (argc == 0 || strcmp(argv[0], "--help") == 0)
		return print_help(stdout);
	if (argc > 1)
		return complain(STATUS_USE, "help tells of one verb at a time");
	const Verb *verb = find_verb(argv[0]);
	return verb != NULL ? print_text(verb->help) : report_verb(argv[0], "no verb");
}

static bool exists(const char *path)
{
	FILE *file = fopen(path, "rb");
	bool found = file != NULL || errno != ENOENT;
	if (file != NULL)
		fclose(file);
	return found;
}

/* -o, --seed; not -O0, --seed=3. */
static bool may_want_value(const char *option)
{
	return option[0] == '-' && (option[1] == '-' ? strchr(option, '=') == NULL : strlen(option) == 2);
}

/* A plain word that is no verb and no file is most likely a mistyped verb, and a verb behind options is late. */
static int run_default(int argc, char **argv)
{
	if (argv[0][0] != '\0' && strpbrk(argv[0], "./\\-") == NULL && !exists(argv[0]))
		return report_verb(argv[0], "neither a verb nor a file");
	for (int i = 1; i < argc && argv[0][0] == '-' && argv[0][1] != '\0' && strcmp(argv[i - 1], "--") != 0; i++)
		if (find_verb(argv[i]) != NULL && !may_want_value(argv[i - 1]) && !exists(argv[i]))
			return complain(STATUS_USE, "the verb comes first: noisec %s ...", argv[i]);
	return verbs[0].run(&verbs[0], argc, argv);
}

#define QUOTE(x) #x
#define EDITION(x) QUOTE(x)

static int run(int argc, char **argv)
{
	if (argc == 0) {
		print_help(stderr);
		return STATUS_USE;
	}
	if (strcmp(argv[0], "help") == 0)
		return help_with(argc - 1, argv + 1);
	if (strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0)
		return print_help(stdout);
	if (strcmp(argv[0], "--version") == 0)
		return print_text("noisec " NZ_VERSION_STRING " (language edition " EDITION(NZ_LANGUAGE_EDITION) ")\n");
	const Verb *verb = find_verb(argv[0]);
	return verb != NULL ? verb->run(verb, argc - 1, argv + 1) : run_default(argc, argv);
}

int main(int argc, char **argv)
{
	Words words;
	prepare_streams();
	int status = expand_words(&words, argc, argv);
	if (status == STATUS_FINE)
		status = run(words.count > 0 ? (int)words.count - 1 : 0, words.list + (words.count > 0));
	free_words(&words);
	return status;
}
