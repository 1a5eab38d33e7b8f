/* explain: what a code or a warning means, with a program that gives it; without a name, the list of all. */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "cli.h"

const char explain_help[] =
	"usage: noisec explain [CODE|WARNING]...\n\n"
	"Tells what the code of a message means, why it is a mistake, and what to write instead. Without a name it\n"
	"lists all codes, and the warnings with their names for -W.\n\n"
	"  noisec explain N0203\n"
	"  noisec explain precedence\n";

/* A paragraph in lines of at most 80 columns. */
static void print_wrapped(const char *text)
{
	enum { WIDTH = 80 };
	while (*text != '\0') {
		size_t size = strlen(text), line = size;
		if (size > WIDTH)
			for (line = WIDTH; line > 0 && text[line] != ' '; line--)
				;
		printf("%.*s\n", (int)line, text);
		text += line + (text[line] == ' ');
	}
}

static void print_program(const char *title, const char *program)
{
	printf("\n%s\n\n", title);
	while (*program != '\0') {
		size_t line = strcspn(program, "\n");
		printf("    %.*s\n", (int)line, program);
		program += line + (program[line] == '\n');
	}
}

static void print_code(const nz_code *c)
{
	printf("%s: %s\n\n", c->code, c->title);
	print_wrapped(c->text);
	if (c->wrong != NULL)
		print_program(c->warning != NULL ? "Draws it:" : "Wrong:", c->wrong);
	if (c->right != NULL)
		print_program(c->warning != NULL ? "Does not:" : "Right:", c->right);
	if (c->warning != NULL) {
		printf("\nA warning, %s. -W%s tells it, -Wno-%s does not,\n", c->by_default ? "told unless switched off" : "told on request", c->warning, c->warning);
		printf("-Werror=%s makes it an error.\n", c->warning);
	}
}

static void print_list(void)
{
	static const char *const groups[] = {
		"Text and syntax", "Names and declarations", "Types and values", "Calls, forms and folds", "The command line",
	};
	char group = '0';
	bool warnings = false;
	for (size_t i = 0; i < nz_count_codes(); i++) {
		const nz_code *c = nz_get_code(i);
		if (c->code[2] != group && c->warning == NULL) {
			group = c->code[2];
			printf("%s%s\n", i > 0 ? "\n" : "", groups[group - '1']);
		} else if (c->warning != NULL && !warnings) {
			warnings = true;
			printf("\nWarnings: -WNAME tells one, -Wno-NAME does not; * is told without -W; -Wall tells all but shadow\n");
		}
		if (c->warning != NULL)
			printf("  %s  %s %-20s %s\n", c->code, c->by_default ? "*" : " ", c->warning, c->title);
		else
			printf("  %s  %s\n", c->code, c->title);
	}
	printf("\n'noisec explain CODE' tells more.\n");
}

static int report_unknown(const char *name)
{
	const char *names[512];
	size_t count = 0;
	for (size_t i = 0; i < nz_count_codes() && count + 2 < sizeof names / sizeof *names; i++) {
		const nz_code *c = nz_get_code(i);
		names[count++] = c->code;
		if (c->warning != NULL)
			names[count++] = c->warning;
	}
	const char *nearest = nz_find_nearest(name, names, count);
	if (nearest != NULL)
		return complain(STATUS_USE, "no code or warning '%s'; did you mean '%s'?", name, nearest);
	return complain(STATUS_USE, "no code or warning '%s'; 'noisec explain' lists them", name);
}

/* N0203, n0203, [N0203]: as a person copies it from a message. */
static const nz_code *find_code(const char *text)
{
	char name[64];
	size_t size = 0;
	for (; *text != '\0' && size + 1 < sizeof name; text++)
		if (*text != '[' && *text != ']')
			name[size++] = *text;
	name[size] = '\0';
	if (name[0] == 'n' && size == 5 && isdigit((unsigned char)name[1]))
		name[0] = 'N';
	return nz_find_code(name);
}

int explain_run(const Verb *verb, int argc, char **argv)
{
	static const Option options[] = { { 1, 'W', NULL, false } };    /* -Wprecedence, as messages show it */
	Arguments a = { .verb = verb, .argv = argv, .argc = argc, .options = options, .count = 1 };
	int id, status = STATUS_FINE, told = 0;
	errno = 0;
	while ((id = read_option(&a)) != OPTION_END) {
		if (id == OPTION_STOP)
			return a.status;
		const nz_code *code = find_code(a.value);
		if (code == NULL)
			return report_unknown(a.value);
		printf("%s", told++ > 0 ? "\n" : "");
		print_code(code);
	}
	if (told == 0)
		print_list();
	if (fflush(stdout) != 0)
		status = complain(STATUS_FILE, "cannot write 'standard output': %s", strerror(errno));
	return status;
}
