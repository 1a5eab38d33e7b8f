/* build: text or bytes for one or several targets, or the form after a stage; and what goes with them: the
   description, the C header, rules for make. */
#include <stdlib.h>
#include <string.h>

#include "build.h"

const char build_help[] =
	"usage: noisec [build] FILE... [OPTIONS]\n\n"
	"Compiles a file to functions for a shader: NAME_eval returns all outputs, NAME_<output> one of them,\n"
	"where NAME is the file's base name. Params are passed as a struct, the seed as a uint.\n\n"
	"  -t, --target T,...\n"
	"                    what to write; several with commas, or by repeating the option:\n"
	"<targets>"
	"  -o, --out-file F  where to write. DIR/, or a folder that exists: one file for each FILE and target, with the\n"
	"                    target's suffix (hills.glsl, hills.nzp). - or nothing: standard output\n"
	"  --entry KIND      a whole shader with main(): fragment draws one output, compute (glsl, Vulkan) fills buffers;\n"
	"                    in a folder hills.frag.glsl and hills.comp.glsl\n"
	"  --out NAME        the output that a fragment shader draws; default: the first\n"
	"  --prefix P        the first part of all names, instead of the file's name\n"
	SUBJECT_COMPILE_HELP
	"  --reflect F.json  describe params, inputs, outputs, enums and the names in each target, for tools\n"
	"  --header F.h      a C header with the uniform block of --entry shaders as a struct, defaults and enums;\n"
	"                    for -t program alone (-o may be left out) a C header with the program as bytes, and\n"
	"                    params, inputs and outputs by number\n"
	"                    (both: - is standard output, DIR/ names them after FILE; without -o and -t nothing else\n"
	"                    is written)\n"
	"  --dump=STAGE      print the form after a stage: ast, ir, a pass, opt (after those that all targets share),\n"
	"                    spelled, spelled-inline (on the way to the target's text), program\n"
	MESSAGE_HELP "\n"
	"Rules for make and ninja, in the form of gcc:\n"
	"  -MD, -MMD         also write a rule that names the files read, to OUTPUT.d for each output\n"
	"  -M, -MM           write the rule and nothing else\n"
	"  -MF FILE          write all rules to FILE\n"
	"  -MT T, -MQ T      what the rule makes, instead of the outputs; -MQ quotes it for make; may be repeated\n"
	"  -MP               an empty rule for each imported file, so that it may vanish\n\n"
	"If an error occurs, or the run is interrupted, no file is changed.\n\n"
	"  noisec hills.noise -o hills.glsl\n"
	"  noisec hills.noise --entry fragment | glslangValidator -V --stdin -S frag -o hills.spv\n"
	"  noisec hills.noise -t program -o hills.nzp\n"
	"  noisec hills.noise --entry compute -o hills.comp.glsl --header hills.h --reflect hills.json\n"
	"  noisec hills.noise -t program --header hills.h\n"
	"  noisec hills.noise caves.noise -t glsl,program -o build/ -MD\n";

enum { ID_TARGET = 1, ID_FILE, ID_ENTRY, ID_OUT, ID_PREFIX, ID_DUMP, ID_REFLECT, ID_HEADER, ID_M, ID_MM, ID_MD, ID_MMD, ID_MF, ID_MT, ID_MQ, ID_MP };

/* ---- options ---- */

static int add_target(Build *b, const char *name, size_t size)
{
	const char *names[TARGETS_MAX], *nearest;
	char word[64], list[512] = "";
	size_t count = 0, length = 0;
	nz_target target;
	for (; count < TARGETS_MAX && nz_get_target(count, &target); count++) {
		names[count] = target.name;
		length += (size_t)snprintf(list + length, sizeof list - length, "%s%s", count > 0 ? ", " : "", target.name);
		if (strlen(target.name) != size || memcmp(target.name, name, size) != 0)
			continue;
		for (size_t i = 0; i < b->target_count; i++)
			if (strcmp(b->target[i].name, target.name) == 0)
				return complain(STATUS_USE, "target '%s' is given twice", target.name);
		b->target[b->target_count++] = target;
		return STATUS_FINE;
	}
	snprintf(word, sizeof word, "%.*s", (int)size, name);
	nearest = size < sizeof word ? nz_find_nearest(word, names, count) : NULL;
	if (nearest != NULL)
		return complain(STATUS_USE, "unknown target '%s'; did you mean '%s'?", word, nearest);
	return complain(STATUS_USE, "unknown target '%.*s'; there are %s", (int)size, name, list);
}

static int add_targets(Build *b, const char *text)
{
	int status = STATUS_FINE;
	for (const char *at = text; status == STATUS_FINE; at++) {
		size_t size = strcspn(at, ",");
		status = add_target(b, at, size);
		at += size;
		if (*at == '\0')
			break;
	}
	return status;
}

static int set_entry(nz_emit_options *emit, const char *kind)
{
	static const char *const kinds[] = { "fragment", "compute" };
	if (strcmp(kind, "fragment") == 0)
		emit->entry = NZ_ENTRY_FRAGMENT;
	else if (strcmp(kind, "compute") == 0)
		emit->entry = NZ_ENTRY_COMPUTE;
	else if (nz_find_nearest(kind, kinds, 2) != NULL)
		return complain(STATUS_USE, "unknown entry '%s'; did you mean '%s'?", kind, nz_find_nearest(kind, kinds, 2));
	else
		return complain(STATUS_USE, "unknown entry '%s'; there are fragment and compute", kind);
	return STATUS_FINE;
}

/* The passes are the library's; whether a stage is on the way to a target shows later. */
static int set_stage(Build *b, const char *name)
{
	const char *names[64] = { "ast", "ir", "opt", "spelled", "spelled-inline", "spelled-sharpen", "program" };
	size_t count = 7, passes;
	const nz_pass *pass = nz_list_passes(&passes);
	for (size_t i = 0; i < passes && count < 64; i++)
		names[count++] = pass[i].name;
	b->stage = name;
	for (size_t i = 0; i < count; i++)
		if (strcmp(names[i], name) == 0)
			return STATUS_FINE;
	const char *nearest = nz_find_nearest(name, names, count);
	if (nearest != NULL)
		return complain(STATUS_USE, "unknown stage '%s'; did you mean '%s'?", name, nearest);
	return complain(STATUS_USE, "unknown stage '%s'; 'noisec build --help' lists them", name);
}

/* It starts names of every target: GLSL keeps gl_ and names with two underscores for itself. */
static int check_prefix(const char *prefix)
{
	bool fine = prefix[0] != '\0' && prefix[0] != '_' && !(prefix[0] >= '0' && prefix[0] <= '9') && strncmp(prefix, "gl_", 3) != 0 && strcmp(prefix, "gl") != 0;
	for (const char *at = prefix; *at != '\0' && fine; at++)
		fine = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || (*at >= '0' && *at <= '9') || (*at == '_' && at[1] != '_' && at[1] != '\0');
	if (fine)
		return STATUS_FINE;
	return complain(STATUS_USE, "bad prefix '%s': letters, digits and single _ between, with a letter first, and not gl", prefix);
}

static int add_rule_target(Build *b, const char *text, bool quote)
{
	char *copy = quote ? quote_target(text) : copy_text(text);
	if (copy == NULL)
		return complain(STATUS_FILE, "out of memory");
	b->rule_target[b->rule_target_count++] = copy;
	return STATUS_FINE;
}

static int read_build_option(Build *b, int id, const char *value)
{
	switch (id) {
	case OPTION_FILE: b->files[b->file_count++] = value; break;
	case ID_TARGET: return add_targets(b, value);
	case ID_FILE: b->path = value; break;
	case ID_ENTRY: return set_entry(&b->emit, value);
	case ID_OUT: b->emit.output = value; break;
	case ID_PREFIX: b->emit.prefix = value; break;
	case ID_DUMP: return set_stage(b, value);
	case ID_REFLECT: b->reflect = value; break;
	case ID_HEADER: b->header = value; break;
	case ID_M: case ID_MM: b->rules_only = true; break;
	case ID_MD: case ID_MMD: b->rules = true; break;
	case ID_MF: b->rule_path = value; break;
	case ID_MT: return add_rule_target(b, value, false);
	case ID_MQ: return add_rule_target(b, value, true);
	case ID_MP: b->phony = true; break;
	default: return subject_option(&b->subject, id, value);
	}
	return STATUS_FINE;
}

/* Options that would be ignored are refused. */
static int check_rule_options(const Build *b)
{
	if (b->rules && b->rules_only)
		return complain(STATUS_USE, "-M and -MD: one of them");
	if (!b->rules && !b->rules_only && (b->rule_path != NULL || b->rule_target_count > 0 || b->phony))
		return complain(STATUS_USE, "-MF, -MT, -MQ and -MP need -M or -MD");
	if (b->rules_only && b->path != NULL && b->rule_path != NULL)
		return complain(STATUS_USE, "-M writes one file: -o and -MF name two");
	if ((b->rules || b->rules_only) && b->stage != NULL)
		return complain(STATUS_USE, "rules of dependencies have no use with --dump");
	for (size_t i = 0; i < b->file_count && (b->rules || b->rules_only); i++)
		if (strpbrk(b->files[i], "\r\n") != NULL)
			return complain(STATUS_USE, "'%s' cannot stand in a rule for make: its name has more than one line", b->files[i]);
	return STATUS_FINE;
}

static int check_options(const Build *b)
{
	const nz_emit_options *emit = &b->emit;
	if (b->file_count == 0)
		return complain(STATUS_USE, "no file; see 'noisec --help'");
	const struct { const char *option, *path; } places[] = { { "-o", b->path }, { "--reflect", b->reflect }, { "--header", b->header }, { "-MF", b->rule_path } };
	for (size_t i = 0; i < sizeof places / sizeof *places; i++)
		if (places[i].path != NULL && places[i].path[0] == '\0')
			return complain(STATUS_USE, "%s needs a file name; this one is empty", places[i].option);
	if (b->stage != NULL && b->target_count > 1)
		return complain(STATUS_USE, "--dump is of one target at a time");
	if ((b->reflect != NULL || b->header != NULL) && (b->stage != NULL || b->rules_only))
		return complain(STATUS_USE, "--reflect and --header have no use with --dump or -M");
	if (emit->entry != NZ_ENTRY_NONE && b->stage != NULL)
		return complain(STATUS_USE, "--entry and --dump: one of them");
	for (size_t i = 0; i < b->target_count && emit->entry != NZ_ENTRY_NONE; i++)
		if ((b->target[i].entries >> emit->entry & 1) == 0)
			return complain(STATUS_USE, "target '%s' has no %s shaders", b->target[i].name, emit->entry == NZ_ENTRY_FRAGMENT ? "fragment" : "compute");
	if (emit->output != NULL && (emit->entry != NZ_ENTRY_FRAGMENT || b->stage != NULL))
		return complain(STATUS_USE, "--out has a use with --entry fragment only");
	bool companions = b->reflect != NULL || b->header != NULL, targets = !companions || b->path != NULL || b->target_count > 0;
	if (!b->rules_only && targets && (b->file_count > 1 || b->target_count > 1) && (b->path == NULL || !is_folder(b->path)))
		return complain(STATUS_USE, b->file_count > 1 ? "several files need a folder: -o DIR/" : "several targets need a folder: -o DIR/");
	if (b->file_count > 1 && ((b->reflect != NULL && !is_folder(b->reflect)) || (b->header != NULL && !is_folder(b->header))))
		return complain(STATUS_USE, "several files need a folder: --reflect DIR/, --header DIR/");
	int status = check_standard_input(b->files, b->file_count);
	if (status == STATUS_FINE)
		status = check_rule_options(b);
	return status == STATUS_FINE && emit->prefix != NULL ? check_prefix(emit->prefix) : status;
}

static void close_build(Build *b)
{
	for (size_t i = 0; i < b->rule_target_count; i++)
		free(b->rule_target[i]);
	for (size_t i = 0; i < b->products.count; i++)
		free(b->job[i].made);
	free(b->job);
	free(b->rule_target);
	free(b->files);
	free_products(&b->products);
	subject_close(&b->subject);
}

int build_run(const Verb *verb, int argc, char **argv)
{
	static const Option options[] = {
		{ ID_TARGET, 't', "target", OPTION_MANY }, { ID_FILE, 'o', "out-file", OPTION_VALUE }, { ID_ENTRY, 0, "entry", OPTION_VALUE },
		{ ID_OUT, 0, "out", OPTION_VALUE }, { ID_PREFIX, 0, "prefix", OPTION_VALUE }, { ID_DUMP, 0, "dump", OPTION_VALUE },
		{ ID_REFLECT, 0, "reflect", OPTION_VALUE }, { ID_HEADER, 0, "header", OPTION_VALUE },
		{ ID_M, 0, "-M", OPTION_FLAG }, { ID_MM, 0, "-MM", OPTION_FLAG }, { ID_MD, 0, "-MD", OPTION_FLAG }, { ID_MMD, 0, "-MMD", OPTION_FLAG },
		{ ID_MF, 0, "-MF", OPTION_VALUE }, { ID_MT, 0, "-MT", OPTION_MANY }, { ID_MQ, 0, "-MQ", OPTION_MANY }, { ID_MP, 0, "-MP", OPTION_FLAG },
		SUBJECT_COMPILE_OPTIONS,
	};
	Arguments a = { .verb = verb, .argv = argv, .argc = argc, .options = options, .count = sizeof options / sizeof *options };
	Build b = { .files = calloc((size_t)argc + 1, sizeof *b.files), .rule_target = calloc((size_t)argc + 1, sizeof *b.rule_target) };
	int id, status = subject_init(&b.subject, argc);
	if (b.files == NULL || b.rule_target == NULL)
		status = complain(STATUS_FILE, "out of memory");
	while (status == STATUS_FINE && (id = read_option(&a)) != OPTION_END) {
		if (id == OPTION_STOP) {
			close_build(&b);
			return a.status;
		}
		status = read_build_option(&b, id, a.value);
	}
	if (status == STATUS_FINE)
		status = check_options(&b);
	if (status == STATUS_FINE)
		status = plan_build(&b);
	if (status == STATUS_FINE)
		status = check_products(&b.products, b.files, b.file_count);
	if (status == STATUS_FINE)
		status = make_build(&b);
	close_build(&b);
	return status;
}
