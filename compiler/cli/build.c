/* build: text or bytes for a target, or the form after a stage. */
#include <string.h>

#include "cli.h"

const char build_help[] =
	"usage: noisec [build] FILE|- [OPTIONS]\n\n"
	"Compiles a file to functions for a shader: NAME_eval returns all outputs, NAME_<output> one of them,\n"
	"where NAME is the file's base name. Params are passed as a struct, the seed as a uint.\n\n"
	"  -t, --target T    glsl (4.50, the default), glsl330 (OpenGL 3.3), or program: bytes for the runtime, see noisert.h\n"
	"  -o, --out-file F  where to write; - or nothing: standard output\n"
	"  --entry KIND      a whole shader with main(): fragment draws one output, compute (glsl, Vulkan) fills a buffer\n"
	"  --out NAME        the output that a fragment shader draws; default: the first\n"
	"  --prefix P        the first part of all names, instead of the file's name\n"
	"  -O0, -O2          optimise nothing, or all (the default); the numbers stay the same\n"
	"  -D NAME=VALUE     replaces the value of a const\n"
	"  --skip=PASS,...   leave out passes: inline, share, sharpen, unroll, lazy; the numbers stay the same\n"
	"  --dump=STAGE      print the form after a stage: ast, ir, a pass, opt (after those that all targets share),\n"
	"                    spelled, spelled-inline (on the way to the target's text), program\n"
	MESSAGE_HELP "\n"
	"  noisec hills.noise -o hills.glsl\n"
	"  noisec hills.noise --entry fragment | glslangValidator -V --stdin -S frag -o hills.spv\n"
	"  noisec hills.noise -t program -o hills.nzp\n";

enum { ID_TARGET = 1, ID_FILE, ID_ENTRY, ID_OUT, ID_PREFIX, ID_DUMP };

static int explain(Subject *s, nz_status status, const nz_emit_options *emit, const char *stage)
{
	static const char *const targets[] = { "glsl", "glsl330", "program" };
	static const char *const stages[] = { "ast", "ir", "inline", "share", "sharpen", "opt", "spelled", "spelled-inline", "unroll", "lazy", "program" };
	const char *name = stage != NULL ? stage : emit->target;
	const char *const *names = stage != NULL ? stages : targets;
	size_t count = stage != NULL ? sizeof stages / sizeof *stages : 3;
	bool known = name == NULL;
	for (size_t i = 0; i < count; i++)
		known = known || strcmp(name, names[i]) == 0;
	if (status == NZ_ERROR_ARGUMENT && !known) {
		const char *nearest = nz_find_nearest(name, names, count);
		const char *what = stage != NULL ? "stage" : "target";
		if (nearest != NULL)
			return complain(STATUS_USE, "unknown %s '%s'; did you mean '%s'?", what, name, nearest);
		return complain(STATUS_USE, "unknown %s '%s'; there are %s", what, name, stage != NULL ? "ast, ir, opt, program and those of passes" : "glsl, glsl330 and program");
	}
	if (status == NZ_ERROR_ARGUMENT && emit->entry == NZ_ENTRY_COMPUTE)     /* every target of text has fragment shaders */
		return complain(STATUS_USE, "target '%s' has no compute shaders; --entry fragment, or -t glsl", emit->target);
	if (status == NZ_ERROR_ARGUMENT && emit->output != NULL) {
		uint32_t index;
		int result = subject_load(s);   /* which knows the outputs' names */
		result = result == STATUS_FINE ? subject_find_output(s, emit->output, &index) : result;
		if (result != STATUS_FINE)
			return result;
	}
	if (status == NZ_ERROR_ARGUMENT)
		return complain(STATUS_USE, "'%s' cannot be written with these options", s->file);
	if (status == NZ_ERROR_MEMORY)
		return complain(STATUS_FILE, "out of memory");
	return complain(STATUS_BUG, "internal error: '%s' cannot be written; please report it with the file", s->file);
}

static int write_result(Subject *s, const nz_emit_options *emit, const char *stage, const char *path)
{
	const char *data;
	size_t size;
	OutFile out;
	bool binary = stage == NULL && emit->target != NULL && strcmp(emit->target, "program") == 0;
	nz_status result = stage != NULL ? nz_dump_stage(s->module, stage, emit->target, &data, &size) : nz_emit_target(s->module, emit, &data, &size);
	if (result != NZ_OK)
		return explain(s, result, emit, stage);
	int status = open_out(&out, path, binary);
	if (status != STATUS_FINE)
		return status;
	fwrite(data, 1, size, out.file);
	return close_out(&out, true);
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

/* Options that would be ignored are refused. */
static int check_options(const nz_emit_options *emit, const char *stage)
{
	bool program = emit->target != NULL && strcmp(emit->target, "program") == 0;
	if (emit->entry != NZ_ENTRY_NONE && stage != NULL)
		return complain(STATUS_USE, "--entry and --dump: one of them");
	if (emit->entry != NZ_ENTRY_NONE && program)
		return complain(STATUS_USE, "--entry has no use with -t program");
	if (emit->output != NULL && (emit->entry != NZ_ENTRY_FRAGMENT || stage != NULL))
		return complain(STATUS_USE, "--out has a use with --entry fragment only");
	return emit->prefix != NULL ? check_prefix(emit->prefix) : STATUS_FINE;
}

int build_run(const Verb *verb, int argc, char **argv)
{
	static const Option options[] = {
		{ ID_TARGET, 't', "target", false }, { ID_FILE, 'o', "out-file", false }, { ID_ENTRY, 0, "entry", false },
		{ ID_OUT, 0, "out", false }, { ID_PREFIX, 0, "prefix", false }, { ID_DUMP, 0, "dump", false }, SUBJECT_COMPILE_OPTIONS,
	};
	Arguments a = { .verb = verb, .argv = argv, .argc = argc, .options = options, .count = sizeof options / sizeof *options };
	Subject subject;
	nz_emit_options emit = { 0 };
	const char *path = NULL, *stage = NULL;
	int id, status = subject_init(&subject, argc);
	while (status == STATUS_FINE && (id = read_option(&a)) != OPTION_END) {
		switch (id) {
		case OPTION_STOP:
			subject_close(&subject);
			return a.status;
		case ID_TARGET: emit.target = a.value; break;
		case ID_FILE: path = a.value; break;
		case ID_ENTRY: status = set_entry(&emit, a.value); break;
		case ID_OUT: emit.output = a.value; break;
		case ID_PREFIX: emit.prefix = a.value; break;
		case ID_DUMP: stage = a.value; break;
		default: status = subject_option(&subject, id, a.value);
		}
	}
	if (status == STATUS_FINE && subject.file == NULL)
		status = complain(STATUS_USE, "no file; see 'noisec --help'");
	if (status == STATUS_FINE)
		status = check_options(&emit, stage);
	if (status == STATUS_FINE)
		status = check_distinct(subject.file, path);
	if (status == STATUS_FINE)
		status = subject_compile(&subject);
	if (status == STATUS_FINE) {
		if (emit.prefix == NULL && strcmp(subject.file, "-") == 0)
			emit.prefix = "noise";
		status = write_result(&subject, &emit, stage, path);
	}
	subject_close(&subject);
	return status;
}
