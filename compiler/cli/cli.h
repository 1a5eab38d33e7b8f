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

/* Prints to standard output, with lists of the library for "<targets>" and "<passes>", and returns the exit status. */
int print_text(const char *text);

char *copy_text(const char *text);              /* the caller frees it; NULL: no memory */

typedef enum OptionKind {
	OPTION_VALUE = 0,                       /* takes a value; a second, different one is refused */
	OPTION_FLAG = 1,                        /* takes none */
	OPTION_MANY = 2                         /* may be given again: each value counts */
} OptionKind;

typedef struct Option {
	int id;                                 /* > 0 */
	char letter;                            /* -o FILE, -oFILE; 0: none */
	const char *name;                       /* behind two dashes; or with its one dash: "-MF"; NULL: none */
	int kind;                               /* OptionKind */
} Option;

enum { OPTION_END = 0, OPTION_FILE = -1, OPTION_STOP = -2 };

typedef struct Arguments {
	const Verb *verb;
	char **argv;
	int argc, at;
	const Option *options;
	size_t count;
	bool only_files;                        /* after -- */
	const char *given[64];                  /* values of the options so far, in the order of `options` */
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
#define MESSAGE_OPTIONS { ID_WARNING, 'W', NULL, OPTION_MANY }, { ID_NO_WARNINGS, 'w', NULL, OPTION_FLAG }, { ID_COLOUR, 0, "color", OPTION_VALUE }, \
	{ ID_DIAGNOSTICS, 0, "diagnostics", OPTION_VALUE }, { ID_MAX_ERRORS, 0, "max-errors", OPTION_VALUE }
#define MESSAGE_HELP \
	"  -W NAME, -Wno-NAME, -Wall, -Werror, -Werror=NAME, -w, --color, --diagnostics, --max-errors\n" \
	"                    about messages: see 'noisec check --help'\n"

int message_option(MessageOptions *, int id, const char *value);        /* one of the ids above */
void show_messages(const MessageOptions *, nz_module *);                /* on standard error */
void show_complaint(const char *text);                                  /* one about the command or a file; in JSON too, once that was asked for */

/* ---- response.c: arguments from files ---- */

typedef struct Words {
	char **list;                            /* NULL behind the last */
	size_t count, capacity, files;
	bool only_files;                        /* -- was among them */
} Words;

int expand_words(Words *, int argc, char **argv);       /* argv with @FILE replaced by what the files hold */
void free_words(Words *);

/* ---- files.c ---- */

/* Reads FILE or - whole, with a NUL behind. The caller frees *data. */
int read_file(const char *path, char **data, size_t *size);

/* Ends in / or is a folder that exists. */
bool is_folder(const char *path);

/* Standard output, a device or a pipe: what is written there cannot be taken back. */
bool is_stream(const char *path);

/* Refuses, as wrong use, to write over a file that is read, or two outputs to one place. NULL and "-" are the
   standard streams. Devices and pipes may be named twice. */
int check_distinct(const char *const *in, size_t ins, const char *const *out, size_t outs);

/* Before any file is opened: signals that end the command remove files that are not complete, a closed pipe is a
   failed write, and so is a standard stream that was closed. */
void prepare_streams(void);

/* A file that is written whole or not at all; path NULL or "-" is standard output. It may not move while open. */
typedef struct OutFile {
	FILE *file;
	const char *path;                       /* for messages */
	char *target, *temporary;               /* NULL if written in place */
	struct OutFile *next;                   /* of those that a signal removes */
} OutFile;

int open_out(OutFile *, const char *path, bool binary);                 /* refuses to send bytes to a terminal */
int seal_out(OutFile *);                                                /* complete, under its temporary name still */
int place_out(OutFile *);                                               /* a sealed one into its place */
int close_out(OutFile *);                                               /* both */
void drop_out(OutFile *);                                               /* as if never opened; also after the others failed */

int make_folder(const char *path, bool *made);                          /* one level, if it is not there */
void remove_folder(const char *path);                                   /* if it is empty */

/* ---- product.c: the outputs of a run, all of them or none ---- */

typedef struct Product {
	char *path;                             /* NULL: standard output */
	bool binary;
	bool unwanted;                          /* only its name was: nothing is written */
	char *data;
	size_t size;
} Product;

typedef struct Products {
	Product *list;
	size_t count, capacity;
} Products;

/* The path of a product of `file`: `path` itself, or in it, if it is a folder, the file's base name and `suffix`.
   A `path` of "" is the current folder; a file "-" is called noise. NULL or "-" give NULL, and so does exhausted memory, which *status tells. */
char *name_product(const char *path, const char *file, const char *suffix, int *status);

/* Takes the path over. *index is the product's place in the list; its data come later. */
int add_product(Products *, char *path, bool binary, size_t *index);
int fill_product(Product *, const char *data, size_t size);             /* adds a copy to what it has */
int check_products(const Products *, const char *const *in, size_t ins);        /* see check_distinct */
int write_products(const Products *);                                   /* every file complete before the first is in its place */
void free_products(Products *);

/* ---- depend.c: rules for make and ninja ---- */

/* A rule that `targets`, which are quoted already, are made of the module's files, but not of the first if that
   is standard input without a name; with `phony` an empty rule for each imported file too. The caller frees *out. */
int print_rule(const nz_module *, bool unnamed, const char *const *targets, size_t count, bool phony, char **out, size_t *size);
char *quote_target(const char *name);                                   /* for -MQ; the caller frees it */

/* ---- subject.c: a file compiled, and its program ready to run ---- */

typedef struct Subject {
	/* set by options */
	const char *file, *stdin_name;
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

enum { ID_DEFINE = 1000, ID_OPTIMISE, ID_SKIP, ID_STDIN_NAME, ID_SET, ID_SEED };
#define SUBJECT_COMPILE_OPTIONS { ID_DEFINE, 'D', NULL, OPTION_MANY }, { ID_OPTIMISE, 'O', NULL, OPTION_VALUE }, \
	{ ID_SKIP, 0, "skip", OPTION_VALUE }, { ID_STDIN_NAME, 0, "stdin-name", OPTION_VALUE }, MESSAGE_OPTIONS
#define SUBJECT_OPTIONS SUBJECT_COMPILE_OPTIONS, { ID_SET, 0, "set", OPTION_MANY }, { ID_SEED, 0, "seed", OPTION_VALUE }

/* Their lines in a verb's help. */
#define SUBJECT_COMPILE_HELP \
	"  -D NAME=VALUE     replaces the value of a const; may be repeated\n" \
	"  -O0, -O2          optimise nothing, or all (the default); the numbers stay the same\n" \
	"  --skip PASS,...   leave out passes (<passes>); the numbers stay the same\n" \
	"  --stdin-name NAME\n" \
	"                    what to call standard input in messages and names, when FILE is -\n"
#define SUBJECT_HELP \
	"  --set NAME=VALUE  sets a param, or an input at all points: 0.5, 1,0,0, true, or an enumerator; may be repeated\n" \
	"  --seed N          another world: a whole number below 2^64, decimal or 0x; default 0\n" \
	SUBJECT_COMPILE_HELP

int subject_init(Subject *, int argc);                                  /* room for argc options */
int subject_option(Subject *, int id, const char *value);               /* one of the ids above, or OPTION_FILE */
const char *subject_name(const Subject *, const char *file);            /* what the compiler calls `file` */
int check_standard_input(const char *const *files, size_t count);      /* refuses it as two of them */
int subject_compile(Subject *);                                         /* to a module; prints its messages */
int subject_load(Subject *);                                            /* to a program with params, inputs and seed set */
void subject_forget(Subject *);                                         /* what was compiled; options stay, for the next file */
void subject_close(Subject *);
int subject_find_output(const Subject *, const char *name, uint32_t *index);

/* ---- values.c ---- */

/* Reads one component: a number, true or false, or the name of an enumerator. */
bool read_component(const nz_type *, const char *text, nz_word *out);
/* Components with commas between, or one for all. */
bool read_value(const nz_type *, const char *text, nz_word out[4]);
const char *name_type(const nz_type *, char buffer[256]);               /* "a number", "one of enum E: A, B", for messages */
/* -0 is printed as 0, as nothing in the language can tell them apart. Enumerators are quoted if `quote`. */
void print_component(FILE *, const nz_type *, nz_word, bool quote);
void print_float(FILE *, float);

#endif
