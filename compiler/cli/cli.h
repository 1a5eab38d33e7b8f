/* What the verbs share. They use the public headers only. Numbers are read and printed by libc in the "C"
   locale, as nothing here calls setlocale. */
#ifndef NOISEC_CLI_H
#define NOISEC_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "../noisec.h"
#include "../../runtime/noisert.h"

enum { STATUS_FINE = 0, STATUS_SOURCE = 1, STATUS_USE = 2, STATUS_FILE = 3, STATUS_BUG = 4 };

typedef struct Verb {
	const char *name;
	int (*run)(const struct Verb *, int argc, char **argv);         /* argv without the verb; returns the exit status */
	const char *line;                       /* for the list of verbs */
	const char *help;                       /* what `--help` prints */
} Verb;

#define VERB(name, line) \
	int name##_run(const Verb *, int argc, char **argv); \
	extern const char name##_help[];
#include "verbs.def"
#undef VERB

/* ---- options.c ---- */

/* Says "noisec: ..." on standard error and returns `status`. */
int complain(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints to standard output and returns the exit status. */
int print_text(const char *text);

typedef struct Option {
	int id;                                 /* > 0 */
	char letter;                            /* 0: none */
	const char *name;                       /* without dashes; NULL: none */
	bool flag;                              /* takes no value */
} Option;

enum { OPTION_END = 0, OPTION_FILE = -1, OPTION_STOP = -2 };

typedef struct Arguments {
	const Verb *verb;
	char **argv;
	int argc, at;
	const Option *options;
	size_t count;
	bool only_files;                        /* after -- */
	const char *value;                      /* of the option just read, or the file */
	int status;                             /* to return after OPTION_STOP */
} Arguments;

/* The id of the next option, OPTION_FILE or OPTION_END. OPTION_STOP: help was printed, or a mistake reported. */
int read_option(Arguments *);

bool read_uint(const char *text, uint64_t most, uint64_t *out);         /* decimal or 0x, the whole text */
bool read_float(const char *text, float *out);                          /* finite, the whole text */
bool read_double(const char *text, double *out);

/* ---- messages.c: how the messages of programs are shown ---- */

typedef struct MessageOptions {
	nz_render_options render;
	int colour;                             /* -1 never, 0 as the terminal says, 1 always */
	const char **warnings;                  /* what followed each -W */
	size_t warning_count;
} MessageOptions;

enum { ID_WARNING = 1100, ID_NO_WARNINGS, ID_COLOUR, ID_DIAGNOSTICS, ID_MAX_ERRORS };
#define MESSAGE_OPTIONS { ID_WARNING, 'W', NULL, false }, { ID_NO_WARNINGS, 'w', NULL, true }, { ID_COLOUR, 0, "color", false }, \
	{ ID_DIAGNOSTICS, 0, "diagnostics", false }, { ID_MAX_ERRORS, 0, "max-errors", false }
#define MESSAGE_HELP \
	"  -W NAME, -Wno-NAME, -Wall, -Werror, -Werror=NAME, -w, --color, --diagnostics, --max-errors\n" \
	"                    about messages: see 'noisec check --help'\n"

int message_option(MessageOptions *, int id, const char *value);        /* one of the ids above */
void show_messages(const MessageOptions *, nz_module *);                /* on standard error */
void show_complaint(const char *text);                                  /* one about the command or a file; in JSON too, once that was asked for */

/* ---- files.c ---- */

/* Reads FILE or - whole, with a NUL behind. The caller frees *data. */
int read_file(const char *path, char **data, size_t *size);

/* Refuses, as wrong use, to write over the file that was read; either may be NULL or "-". */
int check_distinct(const char *in, const char *out);

/* A file that is written whole or not at all; path NULL or "-" is standard output. */
typedef struct OutFile {
	FILE *file;
	const char *path;                       /* for messages */
	char *target, *temporary;               /* NULL if written in place */
} OutFile;

int open_out(OutFile *, const char *path, bool binary);                 /* refuses to send bytes to a terminal */
int close_out(OutFile *, bool keep);                                    /* keep false: as if never opened */

/* ---- subject.c: a file compiled, and its program ready to run ---- */

typedef struct Subject {
	/* set by options */
	const char *file;
	nz_compile_options compile;
	MessageOptions messages;
	const char **sets;                      /* NAME=VALUE */
	size_t set_count;
	uint64_t seed;
	/* set by opening */
	nz_module *module;
	nz_program *program;
	const nz_program_info *info;
	nz_evaluator *evaluator;
	nz_input_data *inputs;                  /* constants from --set */
	void *memory;
	nz_define *defines;
} Subject;

enum { ID_DEFINE = 1000, ID_OPTIMISE, ID_SKIP, ID_SET, ID_SEED };
#define SUBJECT_COMPILE_OPTIONS { ID_DEFINE, 'D', NULL, false }, { ID_OPTIMISE, 'O', NULL, false }, { ID_SKIP, 0, "skip", false }, MESSAGE_OPTIONS
#define SUBJECT_OPTIONS SUBJECT_COMPILE_OPTIONS, { ID_SET, 0, "set", false }, { ID_SEED, 0, "seed", false }

int subject_init(Subject *, int argc);                                  /* room for argc options */
int subject_option(Subject *, int id, const char *value);               /* one of the ids above, or OPTION_FILE */
int subject_compile(Subject *);                                         /* to a module; prints its messages */
int subject_load(Subject *);                                            /* to a program with params, inputs and seed set */
void subject_close(Subject *);
int subject_find_output(const Subject *, const char *name, uint32_t *index);

/* ---- values.c ---- */

/* Reads one component: a number, true or false, or the name of an enumerator. */
bool read_component(const nz_type *, const char *text, nz_word *out);
/* Components with commas between, or one for all. */
bool read_value(const nz_type *, const char *text, nz_word out[4]);
const char *name_type(const nz_type *, char buffer[64]);                /* "vec3", "an int", for messages */
/* -0 is printed as 0, as nothing in the language can tell them apart. Enumerators are quoted if `quote`. */
void print_component(FILE *, const nz_type *, nz_word, bool quote);
void print_float(FILE *, float);

#endif
