/* What noisert.h and noisec.h share: the version, the statuses, the allocator, and how functions are exported.
   C11 and C++. */
#ifndef NZ_COMMON_H
#define NZ_COMMON_H

#include <stddef.h>
#include <stdint.h>

/* Until 1.0 a new MINOR may change the interface and the numbers; the shared libraries carry MAJOR.MINOR in
   their names, so programs find the one they were built for. A PATCH changes neither. */
#define NZ_VERSION_MAJOR 0
#define NZ_VERSION_MINOR 1
#define NZ_VERSION_PATCH 0
#define NZ_VERSION (NZ_VERSION_MAJOR * 1000000 + NZ_VERSION_MINOR * 1000 + NZ_VERSION_PATCH)
#define NZ_VERSION_STRING "0.1.0"

/* Only the functions of these headers leave a shared library. On Windows define NZ_SHARED where you use DLLs,
   and NZ_BUILD_RUNTIME or NZ_BUILD_COMPILER as well where you build one; elsewhere nothing is to be defined. */
#if defined(_WIN32) && defined(NZ_SHARED)
#define NZ_EXPORT __declspec(dllexport)
#define NZ_IMPORT __declspec(dllimport)
#elif !defined(_WIN32) && defined(__GNUC__)
#define NZ_EXPORT __attribute__((visibility("default")))
#define NZ_IMPORT NZ_EXPORT
#else
#define NZ_EXPORT
#define NZ_IMPORT
#endif
#if defined(NZ_BUILD_RUNTIME)
#define NZ_API NZ_EXPORT                        /* functions of the runtime */
#else
#define NZ_API NZ_IMPORT
#endif
#if defined(NZ_BUILD_COMPILER)
#define NZ_COMPILER_API NZ_EXPORT               /* functions of the compiler */
#else
#define NZ_COMPILER_API NZ_IMPORT
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum nz_status {                        /* numbers are stable */
	NZ_OK = 0,
	NZ_ERROR_SOURCE,                        /* the source has errors: see nz_get_diagnostics */
	NZ_ERROR_ARGUMENT,                      /* an argument or option names something that does not exist or cannot be */
	NZ_ERROR_MEMORY,                        /* an allocation failed, or the memory given is too small */
	NZ_ERROR_PROGRAM,                       /* bytes that are not a valid program */
	NZ_ERROR_INTERNAL                       /* a bug of ours */
} nz_status;

/* Where memory comes from. Zero-initialised means malloc and free; give both functions or none. `allocate` returns
   memory aligned as malloc's, or NULL if there is none, which the caller sees as NZ_ERROR_MEMORY. Both are called
   in the thread that called the library, and must not throw or jump. What is kept (a module, a program) keeps a
   copy of this struct, so `user` must outlive it. */
typedef struct nz_allocator {
	void *(*allocate)(void *user, size_t size);
	void (*release)(void *user, void *memory);      /* never NULL */
	void *user;
} nz_allocator;

/* NZ_VERSION of the library that runs, to compare with the headers'. Part of the runtime, as the next is. */
NZ_API uint32_t nz_get_version(void);

/* A status in words, for logs: a constant text, in lower case and without a full stop. */
NZ_API const char *nz_status_text(nz_status status);

#ifdef __cplusplus
}
#endif

#endif
