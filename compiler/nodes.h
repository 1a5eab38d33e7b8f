/* Shared by the nodes*.c files alone: what can be written in a program, as people and editors are told of it. */
#ifndef NOISEC_NODES_H
#define NOISEC_NODES_H

#include "cc.h"

typedef enum NodeKind { NODE_FUNCTION, NODE_ENUM, NODE_FORM, NODE_OPERATION } NodeKind;

typedef struct NodeArgument {
	const char *name, *doc;
	const char *type, *value, *low, *high;  /* as written, or NULL */
	bool field;                             /* sampled elsewhere, or its range is asked for */
	struct NodeArgument *next;
} NodeArgument;

typedef struct NodeSignature {                  /* an overload of a function; the types of an operation */
	const char *text;
	const char *doc;                        /* where it differs from the first one's, or NULL */
	const Decl *fn;                         /* or NULL */
	const OpInfo *row;                      /* or NULL */
	unsigned dimensions;                    /* bit d - 1: it serves p of d components */
	NodeArgument *args;
	struct NodeSignature *next;
} NodeSignature;

typedef struct NodeResult {
	unsigned dimensions;                    /* as above; 0: of an operation, in any */
	const char *option;                     /* the enumerator that it holds for, "kind = Fbm", or NULL */
	const char *operands;                   /* of an operation: their types, or NULL */
	const char *type;
	const char *doc;                        /* of an operation's row, or NULL */
	Kind kind;
	bool bounded, narrowed;
	Bounds bounds;                          /* whatever is given */
	Bounds narrow;                          /* where every number given is in -1 .. 1 and the other arguments are left out */
	struct NodeResult *next;
} NodeResult;

typedef struct Node {
	NodeKind kind;
	const char *name;
	const char *group, *group_title;        /* "noise", and what the file says of itself; "forms", "operations" */
	NodeDoc doc;
	bool absent;                            /* of a later version of the language */
	const Decl *decl;                       /* a function's first overload, or the enum */
	const FormInfo *form;
	const char *also;                       /* what other tools call it, or NULL */
	const char *users;                      /* of an enum: the functions that take it */
	NodeSignature *signatures;
	const char *types;                      /* "float -> float, vecN -> vecN"; NULL: the signature says it */
	NodeResult *results;                    /* filled in by nodes_measure */
	struct Node *next;
} Node;

/* nodes.c */
Node *nodes_list(Arena *, const Scope *library, bool all);      /* in the order in which they are told; helpers too if `all` */
bool node_is_library(const Node *);                             /* a function or enum of library/ */

/* nodes_probe.c: fills in types and results by compiling small programs */
void nodes_measure(Arena *, const Scope *library, Node *);

/* nodes_text.c, nodes_json.c */
void nodes_print_list(Arena *, const Node *, Text *out);        /* signatures and first sentences, grouped */
void nodes_print_one(Arena *, const Node *, Text *out);
void nodes_print_markdown(Arena *, const Node *, Text *out);
void nodes_print_json(Arena *, const Node *, Text *out);

#endif
