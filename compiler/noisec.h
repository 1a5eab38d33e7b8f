/* noisec: the compiler as a library. C11 and C++.

   A source becomes a module; a module gives text for a target, or a program for the runtime (noisert.h).
   Nothing is global: modules of different threads are independent. */
#ifndef NOISEC_H
#define NOISEC_H

#include "nz_common.h"

#ifdef __cplusplus
extern "C" {
#endif

#define NZ_LANGUAGE_EDITION 1                   /* the edition of the language that this compiler knows */

typedef struct nz_module nz_module;

typedef struct nz_define {                      /* -D NAME=VALUE: replaces the value of a const */
	const char *name, *value;
} nz_define;

typedef struct nz_compile_options {             /* zero-initialised means defaults */
	const nz_define *defines;
	size_t define_count;
	int optimise;                           /* 0 default (2), 1 none (-O0), 2 full (-O2) */
	const char *skip_passes;                /* NULL, or names of optimising passes to leave out, commas between */
	const char *preview_node;               /* NULL, or a node that becomes the only output */
	nz_allocator memory;                    /* of the module and all that it gives out */
	const char *const *warnings;            /* in order, as behind -W: "NAME", "no-NAME", "all", "unused", "error", "error=NAME",
	                                           "no-error=NAME", or "none" for -w */
	size_t warning_count;
} nz_compile_options;

typedef struct nz_target {                      /* what a module can be written as */
	const char *name;                       /* for nz_emit_options.target and `noisec -t` */
	const char *suffix;                     /* of its files: ".glsl" */
	const char *description;                /* one line for people */
	int binary;                             /* bytes, not text */
	unsigned entries;                       /* bit 1 << nz_entry for each complete shader that it has */
} nz_target;

typedef enum nz_entry { NZ_ENTRY_NONE = 0, NZ_ENTRY_FRAGMENT, NZ_ENTRY_COMPUTE } nz_entry;

typedef struct nz_emit_options {                /* zero-initialised means defaults */
	const char *target;                     /* NULL: "glsl"; "program" gives the runtime's blob */
	nz_entry entry;
	const char *prefix;                     /* NULL: the file's base name */
	const char *output;                     /* fragment: the output to show, NULL the first */
} nz_emit_options;

/* Describes target number `index`; returns 0, and leaves *out as it is, where there are no more. The texts are
   constants. */
NZ_COMPILER_API int nz_get_target(size_t index, nz_target *out);

/* Compiles `size` bytes of `text`. `name` is shown in messages and its base name is the default prefix.
   *out is the caller's, to be given to nz_free_module. It is set even when the source has errors, to read the
   diagnostics; NULL for a null pointer (NZ_ERROR_ARGUMENT), or if there was no memory at all. Text and options are
   not kept. A module is used by one thread at a time. */
NZ_COMPILER_API nz_status nz_compile_module(const char *name, const char *text, size_t size, const nz_compile_options *options, nz_module **out);
NZ_COMPILER_API void nz_free_module(nz_module *module); /* NULL is allowed */

/* All messages as text, in the order of their places, "" if none: the first 20 errors and 20 warnings, without
   colour. Owned by the module. Of NULL, or after NZ_ERROR_MEMORY: that there was no memory. */
NZ_COMPILER_API const char *nz_get_diagnostics(const nz_module *module);
NZ_COMPILER_API int nz_count_errors(const nz_module *module);
NZ_COMPILER_API int nz_count_warnings(const nz_module *module);

/* The files that the module was made of: number 0 is the source under its name, then what it imports, each once.
   Known too where the source has errors. Owned by the module; NULL behind the last. */
NZ_COMPILER_API size_t nz_count_dependencies(const nz_module *module);
NZ_COMPILER_API const char *nz_get_dependency(const nz_module *module, size_t index);

/* ---- messages one by one, for editors ---- */

typedef enum nz_severity { NZ_SEVERITY_ERROR, NZ_SEVERITY_WARNING } nz_severity;

typedef struct nz_place {                       /* of a text: bytes start <= i < end; start = end is a point */
	const char *file;                       /* the name given to nz_compile_module, "library/…", or NULL: no place */
	uint32_t start_line, start_column, start_offset;        /* lines and columns from 1, columns count code points; */
	uint32_t end_line, end_column, end_offset;              /* offsets are bytes from 0. The end lies behind. */
} nz_place;

typedef struct nz_note {                        /* another place that belongs to a message */
	const char *message;
	nz_place place;
} nz_note;

typedef struct nz_fix {                         /* text to write in the place of what stands there */
	nz_place place;
	const char *replacement;
} nz_fix;

typedef struct nz_diagnostic {
	nz_severity severity;
	const char *code;                       /* "N0203" */
	const char *warning;                    /* its name for -W, NULL for an error of the language */
	const char *message;
	nz_place place;
	const nz_note *notes;
	size_t note_count;
	const nz_fix *fixes;                    /* one correction: apply all, or none */
	size_t fix_count;
} nz_diagnostic;

/* How many messages there are to get: of each severity at most 1000, though all are counted. */
NZ_COMPILER_API size_t nz_count_diagnostics(const nz_module *module);
/* The index-th in the order of places. What *out points to is the module's, valid until it is freed. */
NZ_COMPILER_API nz_status nz_get_diagnostic(nz_module *module, size_t index, nz_diagnostic *out);

typedef enum nz_format { NZ_FORMAT_TEXT = 0, NZ_FORMAT_JSON } nz_format;       /* JSON: docs/diagnostics.md */

typedef struct nz_render_options {              /* zero-initialised means defaults */
	nz_format format;
	int colour;                             /* 1: escape sequences of terminals; text only */
	int max_errors;                         /* of each severity; 0 default (20 in text, all in JSON), -1 all */
} nz_render_options;

/* All messages in another form. *data is owned by the module, valid until it is freed. */
NZ_COMPILER_API nz_status nz_render_diagnostics(nz_module *module, const nz_render_options *options, const char **data, size_t *size);

/* ---- what messages there are ---- */

typedef struct nz_code {
	const char *code, *warning;             /* "N0453"; its name for -W, NULL: an error */
	int by_default;                         /* a warning that is told without -W */
	const char *title, *text;               /* one line; a paragraph */
	const char *wrong, *right;              /* programs that give it, and that do not; NULL where no short one can */
} nz_code;

NZ_COMPILER_API size_t nz_count_codes(void);
NZ_COMPILER_API const nz_code *nz_get_code(size_t index);                       /* NULL: no more */
NZ_COMPILER_API const nz_code *nz_find_code(const char *code_or_warning);       /* NULL: there is none */

/* The one of `names` that is most like `name`, to ask "did you mean"; NULL if none is like it. */
NZ_COMPILER_API const char *nz_find_nearest(const char *name, const char *const *names, size_t count);

/* Text or bytes for a target. *data is owned by the module, valid until it is freed; behind the bytes stands a NUL.
   NZ_ERROR_ARGUMENT: a null pointer, or options that do not fit the program, which the diagnostics then tell.
   NZ_ERROR_SOURCE: the source has errors. After NZ_ERROR_MEMORY the module gives nothing more and is to be freed. */
NZ_COMPILER_API nz_status nz_emit_target(nz_module *module, const nz_emit_options *options, const char **data, size_t *size);

typedef struct nz_reflect_options {             /* zero-initialised means defaults */
	const char *prefix;                     /* as of nz_emit_options */
	const char *const *targets;             /* names of those to describe; NULL: all */
	size_t target_count;
} nz_reflect_options;

/* The program described in JSON: params, inputs, outputs, enums, the names and places of everything that a host
   of each target uses. docs/reflection.md is the schema. *data is owned by the module. */
NZ_COMPILER_API nz_status nz_reflect_module(nz_module *module, const nz_reflect_options *options, const char **data, size_t *size);

typedef struct nz_header_options {              /* zero-initialised means defaults */
	const char *prefix;                     /* as of nz_emit_options */
	int program;                            /* 1: for a host of the runtime */
} nz_header_options;

/* A header for C11 and C++11: the uniform block of complete shaders as a struct, padded, aligned and checked, its
   defaults, and the enums. Or, for a host of the runtime: the program as bytes for nz_load_program, the numbers of
   params, inputs and outputs, and the enums. *data is owned by the module. */
NZ_COMPILER_API nz_status nz_emit_header(nz_module *module, const nz_header_options *options, const char **data, size_t *size);

/* The form after a stage, for people and for tests: "ast", "ir" (as lowered), the name of a pass, "opt" (after those
   that all targets share), "spelled" (operations that the target lacks are functions), "spelled-inline" (some of them
   in their callers), "program" (the instructions). `target` decides about the stages behind "opt"; NULL: "glsl". */
NZ_COMPILER_API nz_status nz_dump_stage(nz_module *module, const char *stage, const char *target, const char **data, size_t *size);

typedef struct nz_pass { const char *name, *description; } nz_pass;

/* The optimising passes. Constant. */
NZ_COMPILER_API const nz_pass *nz_list_passes(size_t *count);

typedef enum nz_describe_form { NZ_DESCRIBE_TEXT = 0, NZ_DESCRIBE_JSON, NZ_DESCRIBE_MARKDOWN } nz_describe_form;

typedef struct nz_describe_options {            /* zero-initialised means defaults */
	const char *name;                       /* NULL: everything; or a node, form, operation or enum */
	nz_describe_form form;
	int all;                                /* also what only the library itself uses */
} nz_describe_options;

/* What can be written in a program: the functions and enums of the library, the forms of the language and its
   operations, with arguments, ranges, proved bounds and examples. The same for every module. *data is owned by the
   module, valid until the next call that emits, dumps or describes. NZ_ERROR_ARGUMENT: there is no such name, and *data
   is a message that says what is near. */
NZ_COMPILER_API nz_status nz_describe_library(nz_module *module, const nz_describe_options *options, const char **data, size_t *size);

/* Writes `value`, which is finite, as the shortest decimal that reads back to the same float, whatever the locale,
   with a point or an exponent: "0.1", "-3.0", "1e10". Returns the length. */
NZ_COMPILER_API size_t nz_format_float(char buffer[32], float value);

#ifdef __cplusplus
}
#endif

#endif
