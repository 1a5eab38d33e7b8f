/* Options, numbers and complaints, the same for every verb. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

enum { LONGEST_NAME = 63 };

int complain(int status, const char *format, ...)
{
	char fixed[512], *text = fixed;
	va_list arguments, again;
	va_start(arguments, format);
	va_copy(again, arguments);
	int size = vsnprintf(fixed, sizeof fixed, format, arguments);
	if (size >= (int)sizeof fixed && (text = malloc((size_t)size + 1)) != NULL)
		vsnprintf(text, (size_t)size + 1, format, again);
	show_complaint(text != NULL ? text : fixed);
	if (text != fixed)
		free(text);
	va_end(again);
	va_end(arguments);
	return status;
}

static void print_targets(void)
{
	nz_target target;
	for (size_t i = 0; nz_get_target(i, &target); i++)
		printf("                      %s: %s%s\n", target.name, target.description, i == 0 ? " (the default)" : "");
}

static void print_passes(void)
{
	size_t count;
	const nz_pass *pass = nz_list_passes(&count);
	for (size_t i = 0; i < count; i++)
		printf("%s%s", i > 0 ? ", " : "", pass[i].name);
}

int print_text(const char *text)
{
	static const struct { const char *mark; void (*print)(void); } lists[] = { { "<targets>", print_targets }, { "<passes>", print_passes } };
	errno = 0;
	while (*text != '\0') {
		size_t plain = strcspn(text, "<"), skip = 0;
		printf("%.*s", (int)plain, text);
		text += plain;
		for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
			if (strncmp(text, lists[i].mark, strlen(lists[i].mark)) == 0) {
				lists[i].print();
				skip = strlen(lists[i].mark);
			}
		if (skip == 0 && *text == '<') {
			putchar('<');
			skip = 1;
		}
		text += skip;
	}
	if (fflush(stdout) == 0 && !ferror(stdout))
		return STATUS_FINE;
	return complain(STATUS_FILE, "cannot write 'standard output': %s", strerror(errno));
}

char *copy_text(const char *text)
{
	size_t size = strlen(text) + 1;
	char *copy = malloc(size);
	return copy != NULL ? memcpy(copy, text, size) : NULL;
}

/* ---- options ---- */

static int stop(Arguments *a, int status)
{
	a->status = status;
	return OPTION_STOP;
}

static bool has_one_dash(const Option *option) { return option->name != NULL && option->name[0] == '-'; }

/* `text` has one dash or two, and its name ends after `size` bytes. */
static int report_unknown(Arguments *a, const char *text, size_t size)
{
	const char *names[66], *nearest = NULL;
	char name[LONGEST_NAME + 1];
	size_t count = 0, dashes = text[1] == '-' ? 2 : 1;
	if (size - dashes <= LONGEST_NAME && size - dashes > 1) {
		snprintf(name, sizeof name, "%.*s", (int)(size - dashes), text + dashes);
		for (size_t i = 0; i < a->count; i++)
			if (a->options[i].name != NULL && !has_one_dash(&a->options[i]))
				names[count++] = a->options[i].name;
		names[count++] = "help";
		nearest = nz_find_nearest(name, names, count);
		for (size_t i = 0; i < count; i++)
			if (strcmp(names[i], name) == 0)        /* a dash is missing, no letter */
				nearest = name;
	}
	if (nearest != NULL)
		complain(STATUS_USE, "unknown option '%.*s'; did you mean '--%s'?", (int)size, text, nearest);
	else
		complain(STATUS_USE, "unknown option '%.*s'; 'noisec %s --help' lists them", (int)size, text, a->verb->name);
	return stop(a, STATUS_USE);
}

/* `shown`, `size` bytes long, is the option as it was written, without its value. */
static int take_value(Arguments *a, size_t which, const char *joined, const char *shown, size_t size)
{
	const Option *option = &a->options[which];
	if (option->kind == OPTION_FLAG && joined != NULL) {
		complain(STATUS_USE, "option '%.*s' takes no value", (int)size, shown);
		return stop(a, STATUS_USE);
	}
	if (option->kind != OPTION_FLAG && joined == NULL) {
		if (a->at == a->argc) {
			complain(STATUS_USE, "option '%.*s' needs a value; see 'noisec %s --help'", (int)size, shown, a->verb->name);
			return stop(a, STATUS_USE);
		}
		joined = a->argv[a->at++];      /* whatever it begins with: -3,4 is a place */
	}
	const char *before = a->given[which];
	if (option->kind == OPTION_VALUE && before != NULL && strcmp(before, joined) != 0) {
		complain(STATUS_USE, "option '%.*s' is given twice: '%s' and '%s'", (int)size, shown, before, joined);
		return stop(a, STATUS_USE);
	}
	a->value = a->given[which] = joined;
	return option->id;
}

static int read_long(Arguments *a, const char *text)
{
	const char *equals = strchr(text, '=');
	size_t size = equals != NULL ? (size_t)(equals - text) : strlen(text);
	for (size_t i = 0; i < a->count; i++) {
		const char *name = a->options[i].name;
		if (name != NULL && !has_one_dash(&a->options[i]) && strlen(name) == size - 2 && memcmp(name, text + 2, size - 2) == 0)
			return take_value(a, i, equals != NULL ? equals + 1 : NULL, text, size);
	}
	return report_unknown(a, text, size);
}

/* -MF is before -M, and a whole long name with one dash is a mistake rather than a letter with a value. */
static int read_short(Arguments *a, const char *text)
{
	size_t word = strcspn(text, "="), best = a->count, best_size = 0;
	for (size_t i = 0; i < a->count; i++) {
		const Option *option = &a->options[i];
		size_t size = option->name != NULL ? strlen(option->name) : 0;
		if (has_one_dash(option)) {
			bool whole = strcmp(text, option->name) == 0;
			bool start = strncmp(text, option->name, size) == 0 && option->kind != OPTION_FLAG;
			if ((whole || start) && size > best_size) {
				best = i;
				best_size = size;
			}
		} else if (size > 1 && size == word - 1 && memcmp(option->name, text + 1, size) == 0)
			return report_unknown(a, text, word);
	}
	if (best < a->count)
		return take_value(a, best, text[best_size] != '\0' ? text + best_size : NULL, text, best_size);
	for (size_t i = 0; i < a->count; i++)
		if (a->options[i].letter == text[1])
			return take_value(a, i, text[2] != '\0' ? text + 2 : NULL, text, 2);
	return report_unknown(a, text, word);
}

int read_option(Arguments *a)
{
	if (a->at == a->argc)
		return OPTION_END;
	const char *text = a->argv[a->at++];
	a->value = text;
	if (a->only_files || text[0] != '-' || text[1] == '\0')
		return OPTION_FILE;
	if (strcmp(text, "--") == 0) {
		a->only_files = true;
		return read_option(a);
	}
	if (strcmp(text, "--help") == 0 || strcmp(text, "-h") == 0)
		return stop(a, print_text(a->verb->help));
	if (strncmp(text, "--help=", 7) == 0) {
		complain(STATUS_USE, "option '--help' takes no value");
		return stop(a, STATUS_USE);
	}
	return text[1] == '-' ? read_long(a, text) : read_short(a, text);
}

/* ---- numbers ---- */

static bool starts_number(const char *text)
{
	return *text != '\0' && strchr("0123456789.+-", *text) != NULL;         /* no blanks, nan or inf */
}

bool read_uint(const char *text, uint64_t most, uint64_t *out)
{
	char *end;
	bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	unsigned long long value = strtoull(text, &end, hex ? 16 : 10);
	if (*end != '\0' || errno != 0 || value > most)
		return false;
	*out = value;
	return true;
}

bool read_float(const char *text, float *out)
{
	char *end;
	if (!starts_number(text))
		return false;
	*out = strtof(text, &end);
	return *end == '\0' && isfinite(*out);
}

bool read_double(const char *text, double *out)
{
	char *end;
	if (!starts_number(text))
		return false;
	*out = strtod(text, &end);
	return *end == '\0' && isfinite(*out);
}
