/* The command: picks the verb. */
#include <errno.h>
#include <signal.h>
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
		"usage: noisec [VERB] FILE [OPTIONS]\n\nverbs:\n", out);
	for (int i = 0; i < VERBS; i++)
		fprintf(out, "  %-8s %s\n", verbs[i].name, verbs[i].line);
	fputs("\nA first program, hills.noise:\n\n"
		"  param feature = 64 in 1 .. 1000\n"
		"  output height = perlin() |> octaves(5) |> scale(1 / feature)\n\n"
		"  noisec render hills.noise -o hills.png --span 512\n"
		"  noisec eval hills.noise --at 12.5,-3 --set feature=100\n"
		"  noisec hills.noise -o hills.glsl\n\n"
		"'noisec VERB --help' tells more. 'noisec --version' prints the version.\n"
		"FILE may be - for standard input. Exit status: 0 fine, 1 errors in the program, 2 wrong use,\n"
		"3 input or output failed, 4 a bug of noisec.\n", out);
	if (fflush(out) == 0)
		return STATUS_FINE;
	return complain(STATUS_FILE, "cannot write the help: %s", strerror(errno));
}

/* A plain word that is no verb and no file is most likely a mistyped verb. */
static bool report_mistyped(const char *word)
{
	const char *names[VERBS];
	if (word[0] == '\0' || strpbrk(word, "./\\-") != NULL)
		return false;
	FILE *file = fopen(word, "rb");
	if (file != NULL || errno != ENOENT) {
		if (file != NULL)
			fclose(file);
		return false;
	}
	for (int i = 0; i < VERBS; i++)
		names[i] = verbs[i].name;
	const char *nearest = nz_find_nearest(word, names, VERBS);
	if (nearest != NULL)
		complain(STATUS_USE, "unknown verb '%s'; did you mean '%s'?", word, nearest);
	else
		complain(STATUS_USE, "'%s' is neither a verb nor a file; 'noisec --help' lists the verbs", word);
	return true;
}

int main(int argc, char **argv)
{
#ifdef SIGPIPE
	signal(SIGPIPE, SIG_IGN);               /* a closed pipe is a failed write, reported like others */
#endif
	if (argc < 2) {
		print_help(stderr);
		return STATUS_USE;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
		return print_help(stdout);
	if (strcmp(argv[1], "--version") == 0)
		return print_text("noisec " NZ_VERSION_STRING "\n");
	for (int i = 0; i < VERBS; i++)
		if (strcmp(argv[1], verbs[i].name) == 0)
			return verbs[i].run(&verbs[i], argc - 2, argv + 2);
	if (report_mistyped(argv[1]))
		return STATUS_USE;
	return verbs[0].run(&verbs[0], argc - 1, argv + 1);
}
