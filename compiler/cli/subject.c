/* From a file and options to a module, and on to a program that is ready to run. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

int subject_init(Subject *s, int argc)
{
	size_t room = (size_t)argc + 1;
	*s = (Subject) { 0 };
	s->sets = calloc(room, sizeof *s->sets);
	s->defines = calloc(room, sizeof *s->defines);
	s->messages.warnings = calloc(room, sizeof *s->messages.warnings);
	if (s->sets == NULL || s->defines == NULL || s->messages.warnings == NULL)
		return complain(STATUS_FILE, "out of memory");
	s->compile.defines = s->defines;
	return STATUS_FINE;
}

void subject_forget(Subject *s)
{
	nz_free_program(s->program);
	nz_free_module(s->module);
	free(s->inputs);
	free(s->memory);
	s->module = NULL;
	s->program = NULL;
	s->evaluator = NULL;
	s->inputs = NULL;
	s->memory = NULL;
}

void subject_close(Subject *s)
{
	subject_forget(s);
	for (size_t i = 0; i < s->compile.define_count; i++)
		free((char *)s->defines[i].name);
	free(s->defines);
	free(s->messages.warnings);
	free(s->sets);
	*s = (Subject) { 0 };
}

static int add_define(Subject *s, const char *text)
{
	const char *equals = strchr(text, '=');
	if (equals == NULL || equals == text || equals[1] == '\0')
		return complain(STATUS_USE, "-D needs NAME=VALUE, not '%s'", text);
	size_t size = strlen(text) + 1;
	char *name = malloc(size);
	if (name == NULL)
		return complain(STATUS_FILE, "out of memory");
	memcpy(name, text, size);
	name[equals - text] = '\0';
	s->defines[s->compile.define_count++] = (nz_define) { name, name + (equals - text) + 1 };
	return STATUS_FINE;
}

int subject_option(Subject *s, int id, const char *value)
{
	switch (id) {
	case ID_DEFINE:
		return add_define(s, value);
	case ID_OPTIMISE:
		if (strcmp(value, "0") != 0 && strcmp(value, "2") != 0)
			return complain(STATUS_USE, "unknown option '-O%s'; there are -O0 and -O2", value);
		s->compile.optimise = value[0] == '0' ? 1 : 2;
		return STATUS_FINE;
	case ID_SKIP:
		s->compile.skip_passes = value;
		return STATUS_FINE;
	case ID_STDIN_NAME:
		if (value[0] == '\0' || strcmp(value, "-") == 0)
			return complain(STATUS_USE, "bad --stdin-name '%s': a file name", value);
		s->stdin_name = value;
		return STATUS_FINE;
	case ID_SET:
		if (strchr(value, '=') == NULL)
			return complain(STATUS_USE, "--set needs NAME=VALUE, not '%s'", value);
		s->sets[s->set_count++] = value;
		return STATUS_FINE;
	case ID_SEED:
		if (!read_uint(value, UINT64_MAX, &s->seed))
			return complain(STATUS_USE, "bad seed '%s': a whole number below 2^64, decimal or 0x", value);
		return STATUS_FINE;
	case ID_WARNING: case ID_NO_WARNINGS: case ID_COLOUR: case ID_DIAGNOSTICS: case ID_MAX_ERRORS:
		return message_option(&s->messages, id, value);
	default:
		if (s->file != NULL && value[strspn(value, "0123456789+-.,eE")] == '\0')
			return complain(STATUS_USE, "'%s' is taken as a file; an option with a value is missing before it, such as --at", value);
		if (s->file != NULL)
			return complain(STATUS_USE, "one file at a time: '%s' and '%s'", s->file, value);
		s->file = value;
		return STATUS_FINE;
	}
}

const char *subject_name(const Subject *s, const char *file)
{
	return strcmp(file, "-") != 0 ? file : s->stdin_name != NULL ? s->stdin_name : "-";
}

int check_standard_input(const char *const *files, size_t count)
{
	size_t found = 0;
	for (size_t i = 0; i < count; i++)
		found += strcmp(files[i], "-") == 0;
	return found < 2 ? STATUS_FINE : complain(STATUS_USE, "standard input can be read only once");
}

int subject_compile(Subject *s)
{
	char *text;
	size_t size;
	int status = read_file(s->file, &text, &size);
	if (status != STATUS_FINE)
		return status;
	s->compile.warnings = s->messages.warnings;
	s->compile.warning_count = s->messages.warning_count;
	nz_status result = nz_compile_module(subject_name(s, s->file), text, size, &s->compile, &s->module);
	free(text);
	if (s->module != NULL)
		show_messages(&s->messages, s->module);
	switch (result) {
	case NZ_OK:
		return STATUS_FINE;
	case NZ_ERROR_SOURCE:
		return STATUS_SOURCE;
	case NZ_ERROR_ARGUMENT:
		return STATUS_USE;
	case NZ_ERROR_MEMORY:
		return complain(STATUS_FILE, "out of memory");
	default:
		return complain(STATUS_BUG, "internal error while compiling '%s'; please report it with the file", s->file);
	}
}

/* ---- params and inputs ---- */

static int report_name(const Subject *s, const char *name)
{
	const nz_program_info *info = s->info;
	size_t count = 0;
	const char **names = calloc((size_t)info->param_count + info->input_count + 1, sizeof *names);
	if (names == NULL)
		return complain(STATUS_FILE, "out of memory");
	for (uint32_t i = 0; i < info->param_count; i++)
		names[count++] = info->params[i].name;
	for (uint32_t i = 0; i < info->input_count; i++)
		names[count++] = info->inputs[i].name;
	const char *nearest = nz_find_nearest(name, names, count);
	free(names);
	if (nearest != NULL)
		return complain(STATUS_USE, "no param or input '%s' in '%s'; did you mean '%s'?", name, s->file, nearest);
	return complain(STATUS_USE, "no param or input '%s' in '%s'%s", name, s->file, count == 0 ? ", which has none" : "");
}

static void print_words(FILE *file, const nz_type *type, const nz_word *words)
{
	for (uint32_t i = 0; i < type->width; i++) {
		fputs(i > 0 ? "," : "", file);
		print_component(file, type, words[i], false);
	}
}

/* What the evaluator will make of an input; the value is finite. */
static void clamp_input(const nz_input *input, const nz_word *value, nz_word *now)
{
	for (uint32_t i = 0; i < input->type.width; i++) {
		nz_word low = input->low[i], high = input->high[i];
		now[i] = value[i];
		if (!input->ranged)
			continue;
		if (input->type.kind == NZ_FLOAT)
			now[i].f = value[i].f < low.f ? low.f : value[i].f > high.f ? high.f : value[i].f;
		else if (input->type.kind == NZ_INT)
			now[i].i = value[i].i < low.i ? low.i : value[i].i > high.i ? high.i : value[i].i;
		else
			now[i].u = value[i].u < low.u ? low.u : value[i].u > high.u ? high.u : value[i].u;
	}
}

static int set_value(Subject *s, const char *set)
{
	char name[128], expected[256];
	nz_word value[4], now[4];
	const char *text = strchr(set, '=') + 1;
	size_t size = (size_t)(text - set) - 1;
	if (size >= sizeof name)
		return complain(STATUS_USE, "no param or input '%.*s' in '%s'", (int)size, set, s->file);
	memcpy(name, set, size);
	name[size] = '\0';
	uint32_t param = nz_find_param(s->program, name), input = nz_find_input(s->program, name);
	if (param == NZ_NOT_FOUND && input == NZ_NOT_FOUND)
		return report_name(s, name);
	const nz_type *type = param != NZ_NOT_FOUND ? &s->info->params[param].type : &s->info->inputs[input].type;
	if (!read_value(type, text, value))
		return complain(STATUS_USE, "bad value '%s' for '%s': expected %s", text, name, name_type(type, expected));
	if (param != NZ_NOT_FOUND) {
		nz_set_param(s->evaluator, param, value);
		nz_get_param(s->evaluator, param, now);
	} else {
		memcpy(s->inputs[input].constant, value, sizeof value);
		clamp_input(&s->info->inputs[input], value, now);
	}
	bool changed = false;
	for (uint32_t i = 0; i < type->width; i++)
		changed = changed || (type->kind == NZ_FLOAT ? now[i].f < value[i].f || now[i].f > value[i].f : now[i].u != value[i].u);
	if (changed) {
		fprintf(stderr, "noisec: note: %s=%s is outside its range, taken as ", name, text);
		print_words(stderr, type, now);
		fputc('\n', stderr);
	}
	return STATUS_FINE;
}

int subject_load(Subject *s)
{
	nz_emit_options emit = { .target = "program" };
	const char *bytes, *why;
	size_t size;
	if (nz_emit_target(s->module, &emit, &bytes, &size) != NZ_OK)
		return complain(STATUS_BUG, "internal error: '%s' gives no program", s->file);
	nz_status status = nz_load_program(bytes, size, NULL, &s->program, &why);
	if (status == NZ_ERROR_MEMORY)
		return complain(STATUS_FILE, "out of memory");
	if (status != NZ_OK)
		return complain(STATUS_BUG, "internal error: '%s' gives a wrong program: %s", s->file, why);
	s->info = nz_describe_program(s->program);
	size = nz_measure_evaluator(s->program, 0);
	s->memory = size > 0 ? malloc(size) : NULL;
	s->inputs = calloc((size_t)s->info->input_count + 1, sizeof *s->inputs);
	if (s->memory == NULL || s->inputs == NULL)
		return complain(STATUS_FILE, "out of memory");
	nz_place_evaluator(s->program, 0, s->memory, size, &s->evaluator);
	nz_set_seed(s->evaluator, s->seed);
	for (size_t i = 0; i < s->set_count; i++) {
		int result = set_value(s, s->sets[i]);
		if (result != STATUS_FINE)
			return result;
	}
	return STATUS_FINE;
}

int subject_find_output(const Subject *s, const char *name, uint32_t *index)
{
	*index = nz_find_output(s->program, name);
	if (*index != NZ_NOT_FOUND)
		return STATUS_FINE;
	const char **names = calloc((size_t)s->info->output_count + 1, sizeof *names);
	if (names == NULL)
		return complain(STATUS_FILE, "out of memory");
	for (uint32_t i = 0; i < s->info->output_count; i++)
		names[i] = s->info->outputs[i].name;
	const char *nearest = nz_find_nearest(name, names, s->info->output_count);
	free(names);
	if (nearest != NULL)
		return complain(STATUS_USE, "no output '%s' in '%s'; did you mean '%s'?", name, s->file, nearest);
	return complain(STATUS_USE, "no output '%s' in '%s'", name, s->file);
}
