/* The ways to call every function of the library, read from its sources: in every dimension of p that it is defined
   for, with every enumerator of its enums, on arguments of several types, given in several modes. */
#ifndef WALK_H
#define WALK_H

#include "library_source.h"

enum { MAX_ARGS = 8, MAX_NOISES = 16, SHAPES = 8 };

/* How the arguments that are not enums are given. */
typedef enum Mode {
	MODE_FIELD,                             /* all are fields of noise */
	MODE_POSITION,                          /* all are coordinates: whole numbers, halves, their neighbours, far places */
	MODE_DEFAULT,                           /* those with a default are left out */
	MODE_KNOWN,                             /* all but the first required one are literals */
	MODE_PARAM,                             /* all but the first required one are params */
	MODES,
	MODE_INPUT                              /* inputs or params, noise where the function samples them elsewhere */
} Mode;

typedef enum Params { PARAMS_NONE, PARAMS_DECIDING, PARAMS_ALL } Params;        /* those by which the function decides; all */

typedef struct Shape { char base; int width; } Shape;   /* 'f' 'i' 'u' 'b'; base 0: none */

typedef struct Call {
	const Decl *fn;
	int dimension;
	const char *given, *text;               /* declarations of its params and inputs; the call itself */
} Call;

typedef struct Walk {
	Library lib;
	const Decl *noise[MAX_NOISES];          /* what can be called without arguments and depends on p */
	int noises;
	Call *call;
	size_t calls, capacity;
	size_t failures;
	size_t limited;                         /* functions that are compiled, not compared: see walk_is_limited */
	unsigned number;                        /* names of params and inputs */
} Walk;

/* One way to call a function: a shape for each argument, an enumerator for each enum. */
typedef struct Way {
	Mode mode;
	Shape shape[MAX_ARGS];                  /* base 0: an enum */
	const char *enumerator[MAX_ARGS];       /* NULL: not an enum */
	bool enum_params;                       /* enums are params that start at their enumerator */
	const Decl *noise;                      /* for arguments by name, or NULL */
	bool narrow;                            /* MODE_INPUT: floats lie in -1 .. 1 */
	Params params;                          /* MODE_INPUT: instead of inputs */
} Way;

typedef struct Signature {
	int args, open[MAX_ARGS], opens;        /* arguments whose type nothing tells */
	int enums[MAX_ARGS], enum_count;
	const Decl *enumeration[MAX_ARGS];
	bool by_name;                           /* an open argument is sampled elsewhere */
} Signature;

void walk_open(Walk *);                                         /* reads the library and finds its noises */
void walk_close(Walk *);
void walk_function(Walk *, const Decl *fn, int dimension);      /* adds its calls */
Signature walk_signature(const Walk *, const Decl *fn, int dimension, Way *);
bool walk_next_enumerators(const Signature *, Way *);           /* the next combination; false after the last */
Shape walk_shape(int n, int dimension);                         /* 0 to SHAPES - 1 */
Call walk_call(Walk *, const Decl *fn, int dimension, const Way *);
bool walk_compiles(Walk *, const Call *);
bool walk_is_limited(const Decl *fn);
const char *walk_program(Arena *, const Call *, size_t count);  /* all calls of one dimension: outputs NAME_0, NAME_1, … */

#endif
