/* Between compile.c, which makes modules, and emit.c, which makes something of them. */
#ifndef NOISEC_COMPILE_H
#define NOISEC_COMPILE_H

#include "cc.h"

struct Compilation {
	Arena *arena;
	Diagnostics diag;
	Source source;
	File file;
	Scope library, scope;
	Program lowered, optimised;
	const char *name;                       /* default prefix */
	uint32_t skipped;                       /* passes that do not run */
	bool wrong_use;                         /* an option names what the program does not have */
	WarningSet warnings;
	Report *report;
	Text messages, emitted;
};

/* The public handle, the first thing in its arena. After NZ_ERROR_MEMORY it can only be freed: what was being
   built is in pieces, though all that was given out before stays. */
struct nz_module {
	Arena *arena;
	Compilation *compilation;               /* NULL: there was not even memory for that */
	nz_status status;
};

void compile_tell(Compilation *);                               /* renders the messages so far */
Program compile_copy(Compilation *, const Program *);           /* for passes to work on; the functions are shared */

#endif
