/* nodes: what can be written in a program. */
#include <string.h>

#include "cli.h"

const char nodes_help[] =
	"usage: noisec nodes [NAME] [OPTIONS]\n\n"
	"Lists the nodes of the library, the forms of the language and its operations, each with its signature and what it\n"
	"does. With a NAME, all about this one: arguments and their ranges, types, dimensions, the bounds that the compiler\n"
	"proves, where the formula is from and an example. NAME may also be an enum (Metric), one of its values, a sign ('+')\n"
	"or what other tools call it (voronoi).\n\n"
	"  --all        also what only the library itself uses\n"
	"  --json       for programs\n"
	"  --markdown   as a page\n\n"
	"  noisec nodes\n"
	"  noisec nodes worley\n";

static int print(const nz_describe_options *options)
{
	static const char text[] = "output nothing = 0.0\n";
	nz_module *module;
	const char *data;
	size_t size;
	int status = STATUS_BUG;
	nz_status result = nz_compile_module("nodes", text, sizeof text - 1, NULL, &module);
	if (result == NZ_OK)
		result = nz_describe_library(module, options, &data, &size);
	if (result == NZ_OK)
		status = print_text(data);
	else if (result == NZ_ERROR_ARGUMENT)
		status = complain(STATUS_USE, "%.*s", (int)size - 1, data);     /* complain ends the line */
	else
		status = complain(result == NZ_ERROR_MEMORY ? STATUS_FILE : STATUS_BUG, "%s", result == NZ_ERROR_MEMORY ? "out of memory" : "the library has errors");
	nz_free_module(module);
	return status;
}

int nodes_run(const Verb *verb, int argc, char **argv)
{
	enum { ALL = 1, JSON, MARKDOWN };
	static const Option options[] = { { ALL, 0, "all", true }, { JSON, 0, "json", true }, { MARKDOWN, 0, "markdown", true } };
	Arguments a = { .verb = verb, .argv = argv, .argc = argc, .options = options, .count = sizeof options / sizeof *options };
	nz_describe_options describe = { .name = NULL };
	int id;
	while ((id = read_option(&a)) != OPTION_END) {
		if (id == OPTION_STOP)
			return a.status;
		if (id == OPTION_FILE && describe.name != NULL)
			return complain(STATUS_USE, "one name at a time; see 'noisec nodes --help'");
		if (id == OPTION_FILE)
			describe.name = a.value;
		else if (id == ALL)
			describe.all = 1;
		else if (describe.form != NZ_DESCRIBE_TEXT)
			return complain(STATUS_USE, "--json and --markdown exclude each other");
		else
			describe.form = id == JSON ? NZ_DESCRIBE_JSON : NZ_DESCRIBE_MARKDOWN;
	}
	return print(&describe);
}
