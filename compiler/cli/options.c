/* Options, numbers and complaints, the same for every verb. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

enum { LONGEST_NAME = 63 };

int complain(int status, const char *format, ...)
{
	char text[2048];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);        /* longer ones are cut: they quote a path or argument */
	va_end(arguments);
	show_complaint(text);
	return status;
}

int print_text(const char *text)
{
	errno = 0;
	if (fputs(text, stdout) >= 0 && fflush(stdout) == 0)
		return STATUS_FINE;
	return complain(STATUS_FILE, "cannot write 'standard output': %s", strerror(errno));
}

/* ---- options ---- */

static int stop(Arguments *a, int status)
{
	a->status = status;
	return OPTION_STOP;
}

static int report_unknown(Arguments *a, const char *text, size_t size)
{
	const char *names[64];
	char name[LONGEST_NAME + 1];
	size_t count = 0;
	const char *nearest = NULL;
	if (size <= LONGEST_NAME && text[1] == '-') {
		memcpy(name, text + 2, size - 2);
		name[size - 2] = '\0';
		for (size_t i = 0; i < a->count && count < 60; i++)
			if (a->options[i].name != NULL)
				names[count++] = a->options[i].name;
		names[count++] = "help";
		nearest = nz_find_nearest(name, names, count);
	}
	if (nearest != NULL)
		complain(STATUS_USE, "unknown option '%.*s'; did you mean '--%s'?", (int)size, text, nearest);
	else
		complain(STATUS_USE, "unknown option '%.*s'; 'noisec %s --help' lists them", (int)size, text, a->verb->name);
	return stop(a, STATUS_USE);
}

static int take_value(Arguments *a, const Option *option, const char *joined, const char *text, size_t size)
{
	if (option->flag && joined != NULL) {
		complain(STATUS_USE, "option '%.*s' takes no value", (int)size, text);
		return stop(a, STATUS_USE);
	}
	if (option->flag || joined != NULL) {
		a->value = joined;
		return option->id;
	}
	if (a->at == a->argc) {
		complain(STATUS_USE, "option '%.*s' needs a value; see 'noisec %s --help'", (int)size, text, a->verb->name);
		return stop(a, STATUS_USE);
	}
	a->value = a->argv[a->at++];            /* whatever it begins with: -3,4 is a place */
	return option->id;
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
	if (strcmp(text, "--help") == 0 || strcmp(text, "-h") == 0) {
		return stop(a, print_text(a->verb->help));
	}
	if (text[1] == '-') {
		const char *equals = strchr(text, '=');
		size_t size = equals != NULL ? (size_t)(equals - text) : strlen(text);
		for (size_t i = 0; i < a->count; i++) {
			const char *name = a->options[i].name;
			if (name != NULL && strlen(name) == size - 2 && memcmp(name, text + 2, size - 2) == 0)
				return take_value(a, &a->options[i], equals != NULL ? equals + 1 : NULL, text, size);
		}
		return report_unknown(a, text, size);
	}
	for (size_t i = 0; i < a->count; i++)
		if (a->options[i].letter == text[1])
			return take_value(a, &a->options[i], text[2] != '\0' ? text + 2 : NULL, text, 2);
	return report_unknown(a, text, strlen(text));
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
