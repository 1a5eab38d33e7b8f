#include "diff.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diff_ways.h"

void diff_open(Diff *d, size_t points)
{
	char *log = NULL;
	*d = (Diff){ .points = points };
	d->gpu = gpu_open(NULL, &log);
	d->why_no_gpu = d->gpu ? NULL : log;
	if (d->gpu)
		free(log);
	d->gl = gl_open(GL_CORE_33, &log);
	d->why_no_gl = d->gl ? NULL : log;
	if (d->gl)
		free(log);
}

void diff_close(Diff *d)
{
	gl_close(d->gl);
	d->gl = NULL;
	gpu_close(d->gpu);
	d->gpu = NULL;
}

void *must(void *memory)
{
	if (!memory) {
		fprintf(stderr, "out of memory\n");
		exit(1);
	}
	return memory;
}

static uint32_t next(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

static float unit(uint32_t *state) { return (float)next(state) * (1.0f / 16777216.0f); }

/* Places where noise goes wrong: near 0, negative, on lattice lines and halves, just beside them, far away, tiny. */
static float any_coordinate(uint32_t *state)
{
	float x = unit(state) * 2.0f - 1.0f;
	switch (next(state) % 12) {
	case 0: return x;
	case 1: return floorf(x * 16.0f);
	case 2: return floorf(x * 16.0f) + 0.5f;
	case 3: return nextafterf(floorf(x * 16.0f), x > 0.0f ? 1e9f : -1e9f);
	case 4: return x * 1000.0f;
	case 5: return x * 1e6f;
	case 6: return x * (next(state) % 2 ? 3e7f : 1e10f);
	case 7: return x * 1e-5f;
	case 8: return next(state) % 2 ? 0.0f : -0.0f;
	default: return x * 20.0f;
	}
}

/* Drivers need not keep denormals, nor products that become such: nothing lies closer to 0 than 1e-6. */
static float coordinate(uint32_t *state)
{
	float x = any_coordinate(state);
	return x != 0.0f && fabsf(x) < 1e-6f ? copysignf(1e-6f, x) : x;
}

/* NaN, infinities, denormals, the largest: bits are not promised there, but that results are numbers is. */
static float wild_coordinate(uint32_t *state)
{
	static const float wild[] = { INFINITY, -INFINITY, NAN, 3.4e38f, -3.4e38f, 1e-40f, -1e-45f, 0.0f, 2147483648.0f, 1e20f };
	return next(state) % 4 ? wild[next(state) % (sizeof wild / sizeof *wild)] : coordinate(state);
}

static uint32_t input_word(const nz_input *in, uint32_t k, uint32_t *state)
{
	nz_word w = { .u = 0 };
	switch (in->type.kind) {
	case NZ_BOOL: w.u = next(state) & 1u; break;
	case NZ_FLOAT: w.f = in->ranged ? in->low[k].f + unit(state) * (in->high[k].f - in->low[k].f) : coordinate(state); break;
	case NZ_INT:
		w.i = in->type.enumeration ? (int32_t)(next(state) % in->type.enumeration->count) : (int32_t)(next(state) % 65536u) - 32768;
		break;
	case NZ_UINT: w.u = next(state) << 8 ^ next(state); break;
	}
	return w.u;
}

static Points make_points(const nz_program_info *info, size_t count, float (*place)(uint32_t *))
{
	Points p = { .count = count };
	uint32_t state = 12345;
	for (uint32_t a = 0; a < info->domain; a++)
		p.axis[a] = must(malloc(count * sizeof(float)));
	for (size_t i = 0; i < count; i++)
		for (uint32_t a = 0; a < info->domain; a++)
			p.axis[a][i] = place(&state);
	for (uint32_t n = 0; n < info->input_count && n < 16; n++)
		for (uint32_t k = 0; k < info->inputs[n].type.width; k++) {
			p.input[n][k] = must(malloc(count * sizeof(uint32_t)));
			for (size_t i = 0; i < count; i++)
				p.input[n][k][i] = input_word(&info->inputs[n], k, &state);
		}
	return p;
}

static void free_points(Points *p)
{
	for (int a = 0; a < 4; a++)
		free(p->axis[a]);
	for (int n = 0; n < 16; n++)
		for (int k = 0; k < 4; k++)
			free(p->input[n][k]);
}

size_t diff_output_words(const nz_program_info *info)
{
	size_t words = 0;
	for (uint32_t o = 0; o < info->output_count; o++)
		words += info->outputs[o].type.width;
	return words;
}

/* Values for the params: the defaults, or others from their ranges. */
static void choose_params(const nz_program_info *info, bool defaults, nz_word (*value)[4])
{
	uint32_t state = 99;
	for (uint32_t i = 0; i < info->param_count; i++)
		for (uint32_t k = 0; k < info->params[i].type.width; k++) {
			const nz_param *p = &info->params[i];
			value[i][k] = p->value[k];
			if (defaults)
				continue;
			if (p->type.kind == NZ_BOOL)
				value[i][k].u = !p->value[k].u;
			else if (p->type.kind == NZ_UINT && !p->ranged)
				value[i][k].u = next(&state);
			else if (p->type.kind == NZ_FLOAT && !p->ranged)
				value[i][k].f = p->value[k].f + unit(&state);
			else if (p->ranged && p->type.kind == NZ_FLOAT)
				value[i][k].f = p->low[k].f + unit(&state) * (p->high[k].f - p->low[k].f);
			else if (p->ranged && p->type.kind == NZ_INT)
				value[i][k].i = p->low[k].i + (int32_t)(next(&state) % (uint32_t)(p->high[k].i - p->low[k].i + 1));
		}
}

enum { WILD_POINTS = 256 };

/* Results lie output after output, component after component, each `count` words. */
static uint32_t *interpret(const nz_program *program, const Points *p, nz_word (*params)[4], uint32_t block, bool by_point)
{
	const nz_program_info *info = nz_describe_program(program);
	uint32_t *result = must(calloc(diff_output_words(info) * p->count + 1, 4));
	size_t size = nz_measure_evaluator(program, block);
	void *memory = must(malloc(size));
	nz_evaluator *e;
	nz_place_evaluator(program, block, memory, size, &e);
	nz_set_seed(e, SEED);
	for (uint32_t i = 0; i < info->param_count; i++)
		nz_set_param(e, i, params[i]);
	nz_input_data inputs[16] = { { { NULL }, { { .u = 0 } } } };
	nz_output_data outputs[64] = { { { NULL } } };
	size_t word = 0;
	for (uint32_t n = 0; n < info->input_count && n < 16; n++)
		for (uint32_t k = 0; k < info->inputs[n].type.width; k++)
			inputs[n].array[k] = p->input[n][k];
	for (uint32_t o = 0; o < info->output_count && o < 64; o++)
		for (uint32_t k = 0; k < info->outputs[o].type.width; k++)
			outputs[o].array[k] = result + p->count * word++;
	if (!by_point) {
		nz_evaluate_points(e, p->count, (const float *const *)p->axis, inputs, outputs);
	} else {
		for (size_t i = 0; i < p->count; i++) {
			nz_value in[16], out[64];
			float at[4];
			for (uint32_t a = 0; a < info->domain; a++)
				at[a] = p->axis[a][i];
			for (uint32_t n = 0; n < info->input_count && n < 16; n++)
				for (uint32_t k = 0; k < info->inputs[n].type.width; k++)
					in[n].word[k].u = p->input[n][k][i];
			nz_evaluate_point(e, at, in, out);
			for (uint32_t o = 0; o < info->output_count && o < 64; o++)
				for (uint32_t k = 0; k < info->outputs[o].type.width; k++)
					((uint32_t *)outputs[o].array[k])[i] = out[o].word[k].u;
		}
	}
	free(memory);
	return result;
}

uint32_t diff_canonical(uint32_t bits, nz_kind kind) { return kind == NZ_FLOAT && bits == 0x80000000u ? 0u : bits; }

bool diff_compare(Diff *d, const Case *c, const char *way, const uint32_t *want, const uint32_t *got)
{
	const nz_program_info *info = c->info;
	const Points *p = c->points;
	const char *name = c->name;
	size_t word = 0;
	uint64_t before = d->differing;
	for (uint32_t o = 0; o < info->output_count; o++)
		for (uint32_t k = 0; k < info->outputs[o].type.width; k++, word++)
			for (size_t i = 0; i < p->count; i++) {
				uint32_t a = diff_canonical(want[word * p->count + i], info->outputs[o].type.kind);
				uint32_t b = diff_canonical(got[word * p->count + i], info->outputs[o].type.kind);
				d->compared++;
				if (a == b)
					continue;
				if (d->differing++ == before) {
					fprintf(stderr, "%s: %s differs: %s component %u is %08x, not %08x, at", name, way, info->outputs[o].name, (unsigned)k, (unsigned)b, (unsigned)a);
					for (uint32_t x = 0; x < info->domain; x++)
						fprintf(stderr, " %.9g", (double)p->axis[x][i]);
					fprintf(stderr, "\n");
				}
			}
	return d->differing == before;
}

/* Every float that was delivered is finite. */
bool diff_finite(Diff *d, const Case *c, const char *way, const uint32_t *got)
{
	const nz_program_info *info = c->info;
	const Points *p = c->wild;
	const char *name = c->name;
	size_t word = 0;
	for (uint32_t o = 0; o < info->output_count; o++)
		for (uint32_t k = 0; k < info->outputs[o].type.width; k++, word++)
			for (size_t i = 0; i < p->count && info->outputs[o].type.kind == NZ_FLOAT; i++)
				if ((got[word * p->count + i] & 0x7f800000u) == 0x7f800000u) {
					fprintf(stderr, "%s: %s delivers %08x in %s at", name, way, (unsigned)got[word * p->count + i], info->outputs[o].name);
					for (uint32_t x = 0; x < info->domain; x++)
						fprintf(stderr, " %.9g", (double)p->axis[x][i]);
					fprintf(stderr, "\n");
					d->findings++;
					return false;
				}
	return true;
}

static nz_module *compile(const char *name, const char *text, int optimise)
{
	nz_compile_options options = { .optimise = optimise };
	nz_module *m = NULL;
	nz_compile_module(name, text, strlen(text), &options, &m);
	return m;
}

const char *diff_emit(Diff *d, const Case *c, nz_module *m, const nz_emit_options *options)
{
	const char *text = NULL;
	size_t size;
	if (nz_emit_target(m, options, &text, &size) == NZ_OK)
		return text;
	fprintf(stderr, "%s: no %s: %s\n", c->name, options->target, nz_get_diagnostics(m));
	d->findings++;
	return NULL;
}

static nz_program *load(nz_module *m, const char *name)
{
	nz_emit_options options = { .target = "program" };
	const char *data, *why = NULL;
	size_t size;
	nz_program *program = NULL;
	if (nz_emit_target(m, &options, &data, &size) != NZ_OK || nz_load_program(data, size, NULL, &program, &why) != NZ_OK)
		fprintf(stderr, "%s: the program does not load: %s\n", name, why ? why : nz_get_diagnostics(m));
	return program;
}

/* Leaves the program in the folder $NOISEC_KEEP, if there is one, for the test of 32-bit builds. */
static void keep_program(const char *text)
{
	const char *folder = getenv("NOISEC_KEEP");
	uint64_t hash = 14695981039346656037u;
	char path[1024];
	if (folder == NULL)
		return;
	for (const char *c = text; *c != '\0'; c++)
		hash = (hash ^ (unsigned char)*c) * 1099511628211u;
	snprintf(path, sizeof path, "%s/%016llx.noise", folder, (unsigned long long)hash);
	FILE *f = fopen(path, "wb");
	if (f == NULL || fputs(text, f) < 0 || fclose(f) != 0)
		fprintf(stderr, "cannot write %s\n", path);
}

DiffResult diff_program(Diff *d, const char *name, const char *text, bool quiet)
{
	nz_module *full = compile(name, text, 2), *plain = compile(name, text, 1);
	nz_program *program = NULL, *unoptimised = NULL;
	bool fine = true;
	if (nz_count_errors(full) || nz_count_errors(plain)) {
		if (!quiet)
			fprintf(stderr, "%s", nz_get_diagnostics(full));
		nz_free_module(full);
		nz_free_module(plain);
		return DIFF_NO_COMPILE;
	}
	keep_program(text);
	program = load(full, name);
	unoptimised = load(plain, name);
	if (program && unoptimised) {
		const nz_program_info *info = nz_describe_program(program);
		Points p = make_points(info, d->points, coordinate), wild = make_points(info, WILD_POINTS, wild_coordinate);
		Case c = { .name = name, .info = info, .points = &p, .wild = &wild };
		d->programs++;
		for (int set = 0; set < 2; set++) {
			c.params[set] = must(calloc(info->param_count + 1, sizeof *c.params[set]));
			choose_params(info, set == 0, c.params[set]);
			c.want[set] = interpret(program, &p, c.params[set], 128, false);
			static const uint32_t blocks[] = { 7, 1 };
			for (int b = 0; b < 2; b++) {
				uint32_t *got = interpret(program, &p, c.params[set], blocks[b], b == 1);
				fine = diff_compare(d, &c, b ? "point by point" : "block 7", c.want[set], got) && fine;
				free(got);
			}
			uint32_t *got = interpret(unoptimised, &p, c.params[set], 64, false);
			fine = diff_compare(d, &c, "without passes", c.want[set], got) && fine;
			free(got);
		}
		uint32_t *got = interpret(program, &wild, c.params[0], 128, false);
		fine = diff_finite(d, &c, "the interpreter", got) && fine;
		free(got);
		if (d->fused) {
			fine = diff_fused(d, &c, full) && fine;
		} else {
			fine = diff_vulkan(d, &c, full, "") && fine;
			fine = diff_vulkan(d, &c, plain, " without passes") && fine;
			fine = diff_gl(d, &c, full, "") && fine;
			fine = diff_gl(d, &c, plain, " without passes") && fine;
		}
		for (int set = 0; set < 2; set++) {
			free(c.params[set]);
			free(c.want[set]);
		}
		free_points(&p);
		free_points(&wild);
	} else {
		d->findings++;
		fine = false;
	}
	nz_free_program(program);
	nz_free_program(unoptimised);
	nz_free_module(full);
	nz_free_module(plain);
	return fine ? DIFF_EQUAL : DIFF_DIFFERS;
}

void diff_report(const Diff *d, const char *what)
{
	printf("%s: %llu programs, %llu shaders, %zu points each on %s: %llu values compared, %llu differing, %llu findings\n", what,
		(unsigned long long)d->programs, (unsigned long long)d->shaders, d->points, d->gpu ? gpu_name(d->gpu) : "no GPU",
		(unsigned long long)d->compared, (unsigned long long)d->differing, (unsigned long long)d->findings);
	if (d->gl)
		printf("of these %llu values by glsl330 on %s\n", (unsigned long long)d->by_gl, gl_name(d->gl));
	if (!d->gpu)
		printf("SKIP: Vulkan shaders were checked but not run: %s\n", d->why_no_gpu);
	if (!d->gl)
		printf("SKIP: OpenGL shaders were checked but not run: %s\n", d->why_no_gl);
}
