/* The order of the passes. What all targets share runs once; then a target takes one of two routes. Every pass
   can be left out, and no number changes by it. */
#include <string.h>

#include "cc.h"

typedef enum PassId {
#define PASS(name, what) PASS_##name,
#include "passes.def"
#undef PASS
	PASSES
} PassId;

static const nz_pass passes[PASSES] = {
#define PASS(name, what) { #name, what },
#include "passes.def"
#undef PASS
};

static void (*const run[PASSES])(Program *) = {
#define PASS(name, what) pass_##name,
#include "passes.def"
#undef PASS
};

static const struct Step { Route route; const char *stage; PassId pass; } steps[] = {
	{ ROUTE_ALL, "inline", PASS_inline },
	{ ROUTE_ALL, "share", PASS_share },
	{ ROUTE_ALL, "sharpen", PASS_sharpen },
	/* the functions that spell operations (legalise.c) are new to the passes */
	{ ROUTE_SHADER, "spelled-inline", PASS_inline },
	{ ROUTE_SHADER, "lazy", PASS_lazy },
	/* shaders keep their loops, since people read them and drivers unroll */
	{ ROUTE_PROGRAM, "unroll", PASS_unroll },
	{ ROUTE_PROGRAM, "lazy", PASS_lazy }
};
enum { STEPS = sizeof steps / sizeof *steps };

const nz_pass *nz_list_passes(size_t *count)
{
	*count = PASSES;
	return passes;
}

uint32_t pipeline_all(void) { return (1u << PASSES) - 1; }

/* Reads names with commas between; *unknown is the first that is no pass, or NULL. */
uint32_t pipeline_passes(Arena *arena, const char *list, const char **unknown)
{
	uint32_t set = 0;
	*unknown = NULL;
	while (list && *list && !*unknown) {
		size_t n = strcspn(list, ",");
		uint32_t found = 0;
		for (int i = 0; i < PASSES; i++)
			if (strlen(passes[i].name) == n && !strncmp(passes[i].name, list, n))
				found = 1u << i;
		if (!found && n)
			*unknown = arena_intern(arena, list, n);
		set |= found;
		list += n + (list[n] == ',');
	}
	return set;
}

bool pipeline_has_stage(Route route, const char *stage)
{
	for (int i = 0; i < STEPS; i++)
		if (steps[i].route == route && !strcmp(steps[i].stage, stage))
			return true;
	return false;
}

void pipeline_run(Program *p, Route route, uint32_t skipped, const char *last)
{
	for (int i = 0; i < STEPS; i++) {
		if (steps[i].route != route)
			continue;
		if (!(skipped >> steps[i].pass & 1u)) {
			run[steps[i].pass](p);
			ir_verify(p);
		}
		if (last && !strcmp(steps[i].stage, last))
			return;
	}
}
