/* check: the messages of files, and nothing else. */
#include "cli.h"

const char check_help[] =
	"usage: noisec check FILE... [OPTIONS]\n\n"
	"Reports the errors and warnings of each file on standard error, and prints nothing if there are none.\n"
	"The exit status is 1 if a file has errors; warnings do not change it.\n\n"
	SUBJECT_COMPILE_HELP
	"  -W NAME, -Wno-NAME\n"
	"                    tell a warning, or do not; 'noisec explain' lists them\n"
	"  -Wall, -Wunused   tell all of them but shadow; all whose names begin with unused-\n"
	"  -Werror           every warning is an error; -Werror=NAME, -Wno-error=NAME: this one, not this one\n"
	"  -w                no warnings\n"
	"  --max-errors N    show the first N errors and N warnings; 0: all. In text the default is 20\n"
	"  --color WHEN      always, never, or auto (the default): where standard error is a terminal that is not\n"
	"                    dumb. auto heeds NO_COLOR, which says never, and CLICOLOR_FORCE, which says always\n"
	"  --diagnostics FORM\n"
	"                    text (the default), or json: one object a line, see docs/diagnostics.md\n\n"
	"  noisec check hills.noise caves.noise -Wall\n"
	"  noisec check hills.noise --diagnostics=json 2>messages.jsonl\n";

int check_run(const Verb *verb, int argc, char **argv)
{
	static const Option options[] = { SUBJECT_COMPILE_OPTIONS };
	Arguments a = { .verb = verb, .argv = argv, .argc = argc, .options = options, .count = sizeof options / sizeof *options };
	Subject subject;
	int id, status = subject_init(&subject, argc), files = 0;
	const char **file = subject.sets;       /* check sets nothing: its room serves for the files */
	while (status == STATUS_FINE && (id = read_option(&a)) != OPTION_END) {
		if (id == OPTION_STOP) {
			subject_close(&subject);
			return a.status;
		}
		if (id == OPTION_FILE)
			file[files++] = a.value;
		else
			status = subject_option(&subject, id, a.value);
	}
	if (status == STATUS_FINE && files == 0)
		status = complain(STATUS_USE, "no file; see 'noisec check --help'");
	if (status == STATUS_FINE)
		status = check_standard_input(file, (size_t)files);
	for (int i = 0, wanted = status == STATUS_FINE ? files : 0; i < wanted; i++) {
		subject.file = file[i];
		int result = subject_compile(&subject);
		status = result > status ? result : status;
		subject_forget(&subject);
	}
	subject_close(&subject);
	return status;
}
