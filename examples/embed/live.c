/* An editor's view of a world: compiles the source at run time, as often as it changes, and says what is wrong with
   it. Here once, for the file and the position on the command line:
       live world.noise 12 -40
   Its memory has a limit, by an allocator of its own, as in games. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <noisec.h>
#include <noisert.h>

/* ---- memory with a limit ---- */

typedef struct Budget { size_t left, least; } Budget;

typedef union Header { size_t size; max_align_t align; } Header;        /* before each block */

static void *take(void *user, size_t size)
{
	Budget *budget = user;
	Header *block = size <= budget->left ? malloc(sizeof *block + size) : NULL;
	if (block == NULL)
		return NULL;                                    /* seen as NZ_ERROR_MEMORY */
	block->size = size;
	budget->left -= size;
	budget->least = budget->left < budget->least ? budget->left : budget->least;
	return block + 1;
}

static void give_back(void *user, void *memory)
{
	Budget *budget = user;
	Header *block = (Header *)memory - 1;
	budget->left += block->size;
	free(block);
}

static char *read_file(const char *path, size_t *size)
{
	FILE *file = fopen(path, "rb");
	char *text = file != NULL ? malloc(1 << 20) : NULL;
	*size = text != NULL ? fread(text, 1, 1 << 20, file) : 0;
	if (file != NULL)
		fclose(file);
	return text;
}

/* ---- from text to a program; NULL: it was said what is wrong ---- */

static nz_program *compile(const char *path, nz_allocator memory)
{
	size_t size;
	char *text = read_file(path, &size);
	if (text == NULL) {
		fprintf(stderr, "cannot read '%s'\n", path);
		return NULL;
	}
	nz_compile_options options = { .memory = memory };
	nz_load_options load = { .memory = memory };
	nz_emit_options emit = { .target = "program" };
	nz_module *module;
	nz_program *program = NULL;
	const char *bytes;
	nz_status status = nz_compile_module(path, text, size, &options, &module);
	free(text);                                             /* the module keeps nothing of it */
	fputs(nz_get_diagnostics(module), stderr);              /* warnings too */
	if (status == NZ_OK)
		status = nz_emit_target(module, &emit, &bytes, &size);
	if (status == NZ_OK)
		status = nz_load_program(bytes, size, &load, &program, NULL);
	if (status != NZ_OK)
		fprintf(stderr, "%s: %s\n", path, nz_status_text(status));
	nz_free_module(module);                                 /* the program keeps nothing of the module */
	return program;
}

/* ---- every output at one place, by what the program says of itself ---- */

static void print_value(const nz_output *output, const nz_value *value)
{
	printf("%s =", output->name);
	for (uint32_t k = 0; k < output->type.width; k++) {
		nz_word word = value->word[k];
		if (output->type.enumeration != NULL)
			printf(" %s", output->type.enumeration->enumerators[word.i].name);
		else if (output->type.kind == NZ_FLOAT)
			printf(" %.9g", (double)word.f);
		else if (output->type.kind == NZ_BOOL)
			printf(" %s", word.u ? "true" : "false");
		else
			printf(" %ld", output->type.kind == NZ_INT ? (long)word.i : (long)word.u);
	}
	printf("\n");
}

static int evaluate(const nz_program *program, float x, float y)
{
	const nz_program_info *info = nz_describe_program(program);
	const float position[4] = { x, y };                     /* what a domain has beyond x and y is 0 */
	size_t size = nz_measure_evaluator(program, 1);
	void *memory = malloc(size);
	nz_value *values = calloc(info->output_count, sizeof *values);
	nz_evaluator *evaluator;
	int fine = memory != NULL && values != NULL && nz_place_evaluator(program, 1, memory, size, &evaluator) == NZ_OK;
	if (fine) {
		nz_set_seed(evaluator, 2026);
		nz_evaluate_point(evaluator, position, NULL, values);
		for (uint32_t i = 0; i < info->output_count; i++)
			print_value(&info->outputs[i], &values[i]);
	}
	free(values);
	free(memory);
	return fine;
}

int main(int argc, char **argv)
{
	const size_t limit = 64u << 20;
	Budget budget = { limit, limit };
	if (argc != 4) {
		fprintf(stderr, "usage: live FILE.noise X Y\n");
		return 2;
	}
	nz_program *program = compile(argv[1], (nz_allocator) { take, give_back, &budget });
	int fine = program != NULL && evaluate(program, strtof(argv[2], NULL), strtof(argv[3], NULL));
	nz_free_program(program);
	fprintf(stderr, "%zu KiB at most, %zu left behind\n", (limit - budget.least) / 1024, limit - budget.left);
	return fine ? 0 : 1;
}
