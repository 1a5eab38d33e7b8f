/* noisec: the compiler as a library. C11 and C++.

   A source becomes a module; a module gives text for a target, or a program for the runtime (noisert.h).
   Nothing is global: modules of different threads are independent. */
#ifndef NOISEC_H
#define NOISEC_H

#include "nz_common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct nz_module nz_module;

typedef struct nz_define {                      /* -D NAME=VALUE: replaces the value of a const */
	const char *name, *value;
} nz_define;

typedef struct nz_compile_options {             /* zero-initialised means defaults */
	const nz_define *defines;
	size_t define_count;
	int optimise;                           /* 0 default (2), 1 none (-O0), 2 full (-O2) */
	const char *preview_node;               /* NULL, or a node that becomes the only output */
	nz_allocator memory;                    /* of the module and all that it gives out */
} nz_compile_options;

typedef enum nz_entry { NZ_ENTRY_NONE = 0, NZ_ENTRY_FRAGMENT, NZ_ENTRY_COMPUTE } nz_entry;

typedef struct nz_emit_options {                /* zero-initialised means defaults */
	const char *target;                     /* NULL: "glsl"; "program" gives the runtime's blob */
	nz_entry entry;
	const char *prefix;                     /* NULL: the file's base name */
	const char *output;                     /* fragment: the output to show, NULL the first */
} nz_emit_options;

/* Compiles `size` bytes of `text`. `name` is shown in messages and its base name is the default prefix.
   *out is the caller's, to be given to nz_free_module. It is set even when the source has errors, to read the
   diagnostics; NULL for a null pointer (NZ_ERROR_ARGUMENT), or if there was no memory at all. Text and options are
   not kept. A module is used by one thread at a time. */
NZ_COMPILER_API nz_status nz_compile_module(const char *name, const char *text, size_t size, const nz_compile_options *options, nz_module **out);
NZ_COMPILER_API void nz_free_module(nz_module *module); /* NULL is allowed */

/* All messages as text, "" if none. Owned by the module. Of NULL, or after NZ_ERROR_MEMORY: that there was no memory. */
NZ_COMPILER_API const char *nz_get_diagnostics(const nz_module *module);
NZ_COMPILER_API int nz_count_errors(const nz_module *module);
NZ_COMPILER_API int nz_count_warnings(const nz_module *module);

/* Text or bytes for a target. *data is owned by the module, valid until it is freed; behind the bytes stands a NUL.
   NZ_ERROR_ARGUMENT: a null pointer, or options that do not fit the program, which the diagnostics then tell.
   NZ_ERROR_SOURCE: the source has errors. After NZ_ERROR_MEMORY the module gives nothing more and is to be freed. */
NZ_COMPILER_API nz_status nz_emit_target(nz_module *module, const nz_emit_options *options, const char **data, size_t *size);

/* The form after a stage: "ast", "ir" (as first lowered), "opt" (after the passes), "program". */
NZ_COMPILER_API nz_status nz_dump_stage(nz_module *module, const char *stage, const char **data, size_t *size);

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
