/* A game server that knows its world without a file and without a compiler: world.h holds the compiled program as
   bytes, made while building by
       noisec world.noise -t program --header world.h
   It asks three things: where can a player appear, how high is the ground on the way, what does the map look like.
   The shaders of the same world.noise see the same world, bit for bit. */
#include <stdio.h>
#include <stdlib.h>

#include <noisert.h>

#include "world.h"

enum { SEED = 2026 };

/* ---- where to appear: one grid, many samples at once ---- */

enum { SIDE = 129 };                            /* samples along each side of the searched square */

typedef struct Place { float x, y, height; int found; } Place;

/* The place nearest to the origin that is dry, flat and not on a mountain. */
static Place find_spawn(nz_evaluator *evaluator, float sea)
{
	static float height[SIDE * SIDE], slope[SIDE * SIDE];
	const float step = 4;
	const double corner = -(double)step * (SIDE / 2);
	nz_grid grid = { .origin = { corner, corner }, .step = { step, step }, .size = { SIDE, SIDE } };
	nz_output_data wanted[3] = { { { NULL } } };            /* an entry for each output; NULL: not wanted */
	wanted[world_OUTPUT_height].array[0] = height;
	wanted[world_OUTPUT_slope].array[0] = slope;
	Place best = { 0 };
	float least = 0;
	if (nz_evaluate_grid(evaluator, &grid, NULL, wanted) != NZ_OK)
		return best;
	for (int i = 0; i < SIDE * SIDE; i++) {
		float x = (float)(corner + (i % SIDE) * (double)step), y = (float)(corner + (i / SIDE) * (double)step);
		float distance = x * x + y * y;
		if (height[i] < sea + 2 || height[i] > sea + 20 || slope[i] > 0.1f || (best.found && distance >= least))
			continue;
		best = (Place) { x, y, height[i], 1 };
		least = distance;
	}
	return best;
}

/* ---- under the player's feet: single points, again and again ---- */

static float find_height(nz_evaluator *evaluator, float x, float y)
{
	const float position[2] = { x, y };
	nz_value out[3];                                        /* one for each output */
	return nz_evaluate_point(evaluator, position, NULL, out) == NZ_OK ? out[world_OUTPUT_height].word[0].f : 0;
}

/* ---- the map: a coarse grid of an enum ---- */

enum { MAP_WIDTH = 60, MAP_HEIGHT = 20 };

static void print_map(nz_evaluator *evaluator, Place middle)
{
	static int32_t ground[MAP_WIDTH * MAP_HEIGHT];
	static const char sign[] = { [world_Ground_Water] = '~', [world_Ground_Beach] = '.', [world_Ground_Grass] = '"', [world_Ground_Rock] = '^' };
	const double step = 12;
	/* rows run down the screen, so y falls; a sign is twice as high as wide */
	nz_grid grid = { .origin = { middle.x - step * (MAP_WIDTH / 2), middle.y + 2 * step * (MAP_HEIGHT / 2) },
		.step = { step, -2 * step }, .size = { MAP_WIDTH, MAP_HEIGHT } };
	nz_output_data wanted[3] = { { { NULL } } };
	wanted[world_OUTPUT_ground].array[0] = ground;
	if (nz_evaluate_grid(evaluator, &grid, NULL, wanted) != NZ_OK)
		return;
	for (int y = 0; y < MAP_HEIGHT; y++) {
		for (int x = 0; x < MAP_WIDTH; x++)
			putchar(x == MAP_WIDTH / 2 && y == MAP_HEIGHT / 2 ? '@' : sign[ground[y * MAP_WIDTH + x]]);
		putchar('\n');
	}
}

/* ---- setting up ---- */

/* An evaluator in memory of ours, with this game's params and seed. `block` is how many samples it works on at once. */
static nz_evaluator *make_evaluator(const nz_program *program, uint32_t block, float sea, void **memory)
{
	size_t size = nz_measure_evaluator(program, block);
	nz_evaluator *evaluator;
	nz_word value = { .f = sea };
	*memory = malloc(size);
	if (*memory == NULL || nz_place_evaluator(program, block, *memory, size, &evaluator) != NZ_OK)
		return NULL;
	nz_set_param(evaluator, world_PARAM_sea, &value);
	nz_set_seed(evaluator, SEED);
	return evaluator;
}

int main(void)
{
	const float sea = 1.5f;
	nz_program *program;
	const char *why;
	nz_status status = nz_load_program(world_program, sizeof world_program, NULL, &program, &why);
	if (status != NZ_OK) {
		fprintf(stderr, "world: %s: %s\n", nz_status_text(status), why != NULL ? why : "");
		return 1;
	}
	void *many_memory, *one_memory;
	nz_evaluator *many = make_evaluator(program, 0, sea, &many_memory);     /* for grids */
	nz_evaluator *one = make_evaluator(program, 1, sea, &one_memory);       /* for single points */
	if (many != NULL && one != NULL) {
		Place spawn = find_spawn(many, sea);
		if (spawn.found) {
			printf("spawn %.9g,%.9g height %.9g\n", (double)spawn.x, (double)spawn.y, (double)spawn.height);
			for (int i = 1; i <= 4; i++) {
				float x = spawn.x + 2.5f * (float)i, y = spawn.y;
				printf("walk %.9g,%.9g height %.9g\n", (double)x, (double)y, (double)find_height(one, x, y));
			}
		}
		print_map(many, spawn);
	}
	free(many_memory);
	free(one_memory);
	nz_free_program(program);
	return many == NULL || one == NULL;
}
