/* The Vulkan way: the compute shader of a program is compiled, checked and run; its fragment shaders are compiled and
   checked. */
#include "diff_ways.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BUFFERS = 64 };

static size_t std140_block(const nz_program_info *info, nz_word (*params)[4], uint32_t *words)
{
	size_t at = 0;
	for (uint32_t i = 0; i < info->param_count; i++) {
		uint32_t width = info->params[i].type.width, align = width == 3 ? 4 : width;
		at = (at + align - 1) / align * align;
		for (uint32_t k = 0; k < width; k++)
			words[at++] = params[i][k].u;
	}
	words[at++] = SEED;
	while (at % 4)
		words[at++] = 0;
	return at;
}

static uint32_t *interleave(uint32_t *const *component, uint32_t width, size_t count)
{
	uint32_t *all = must(malloc(width * count * 4));
	for (size_t i = 0; i < count; i++)
		for (uint32_t k = 0; k < width; k++)
			all[width * i + k] = component[k][i];
	return all;
}

static uint32_t *run_shader(Diff *d, GpuPipeline *pipeline, const nz_program_info *info, const Points *p, nz_word (*params)[4], GpuBuffer *buffers, size_t n)
{
	uint32_t block[1024];
	uint32_t *axis[4];
	char *log = NULL;
	memcpy(axis, p->axis, sizeof axis);
	buffers[0].data = block;
	buffers[0].size = std140_block(info, params, block) * 4;
	buffers[1].data = interleave(axis, info->domain, p->count);
	buffers[1].size = info->domain * p->count * 4;
	for (uint32_t i = 0; i < info->input_count; i++) {
		buffers[2 + i].data = interleave((uint32_t *const *)p->input[i], info->inputs[i].type.width, p->count);
		buffers[2 + i].size = info->inputs[i].type.width * p->count * 4;
	}
	for (uint32_t o = 0; o < info->output_count; o++) {
		GpuBuffer *b = &buffers[2 + info->input_count + o];
		b->size = info->outputs[o].type.width * p->count * 4;
		b->data = must(calloc(b->size, 1));
	}
	GpuStatus status = gpu_pipeline_run(pipeline, buffers, n, (uint32_t)((p->count + 63) / 64), &log);
	uint32_t *result = NULL;
	if (status != GPU_OK) {
		fprintf(stderr, "shader did not run: %s\n", log ? log : "");
		d->findings++;
	} else {
		result = must(calloc(diff_output_words(info) * p->count + 1, 4));
		size_t word = 0;
		for (uint32_t o = 0; o < info->output_count; o++) {
			const uint32_t *from = buffers[2 + info->input_count + o].data;
			uint32_t width = info->outputs[o].type.width;
			for (uint32_t k = 0; k < width; k++, word++)
				for (size_t i = 0; i < p->count; i++)
					result[word * p->count + i] = from[width * i + k];
		}
	}
	for (size_t i = 1; i < n; i++)
		free(buffers[i].data);
	free(log);
	return result;
}

/* Compiles the compute shader, checks it, and compares what it computes. */
static bool diff_compute(Diff *d, const Case *c, nz_module *m, const char *way)
{
	nz_emit_options options = { .target = "glsl", .entry = NZ_ENTRY_COMPUTE };
	const nz_program_info *info = c->info;
	const char *text = diff_emit(d, c, m, &options), *name = c->name;
	size_t count;
	uint32_t *words;
	char *log = NULL, *report = NULL;
	bool fine = true;
	if (!text)
		return false;
	d->shaders++;
	GpuStatus status = gpu_compile_glsl(text, GPU_COMPUTE, &words, &count, &log);
	if (status != GPU_OK || (log && strstr(log, "WARNING"))) {
		fprintf(stderr, "%s: %s is refused or warned of:\n%s\n", name, way, log ? log : "");
		d->findings++;
		fine = false;
	}
	free(log);
	log = NULL;
	if (status != GPU_OK)
		return false;
	size_t findings = gpu_check_exact(words, count, &report);
	if (findings) {
		fprintf(stderr, "%s: %s may round differently:\n%s\n", name, way, report ? report : "");
		d->findings += findings;
		fine = false;
	}
	free(report);
	size_t n = 2 + info->input_count + info->output_count;
	GpuBuffer buffers[MOST_BUFFERS] = { { .kind = GPU_UNIFORM } };
	if (d->gpu && n > MOST_BUFFERS) {
		fprintf(stderr, "%s: %s is not run: it has more than %d inputs and outputs\n", name, way, MOST_BUFFERS - 2);
		d->findings++;
		fine = false;
	} else if (d->gpu) {
		for (uint32_t i = 1; i < n; i++)
			buffers[i] = (GpuBuffer){ .binding = i, .kind = GPU_STORAGE, .read_back = i >= 2 + info->input_count };
		GpuPipeline *pipeline = gpu_pipeline_create(d->gpu, words, count, buffers, n, &log);
		if (!pipeline) {
			fprintf(stderr, "%s: no pipeline: %s\n", name, log ? log : "");
			d->findings++;
			fine = false;
		}
		for (int set = 0; pipeline && set < 2; set++) {
			uint32_t *got = run_shader(d, pipeline, info, c->points, c->params[set], buffers, n);
			fine = got && diff_compare(d, c, way, c->want[set], got) && fine;
			free(got);
		}
		if (pipeline) {
			uint32_t *got = run_shader(d, pipeline, info, c->wild, c->params[0], buffers, n);
			fine = got && diff_finite(d, c, way, got) && fine;
			free(got);
		}
		gpu_pipeline_destroy(pipeline);
		free(log);
	}
	free(words);
	return fine;
}

/* A fragment shader for every output: compiled and checked, not run. */
static bool check_fragments(Diff *d, const Case *c, nz_module *m)
{
	const nz_program_info *info = c->info;
	bool fine = true;
	for (uint32_t o = 0; o < info->output_count; o++) {
		nz_emit_options options = { .entry = NZ_ENTRY_FRAGMENT, .output = info->outputs[o].name };
		const char *text = "";
		size_t size, count, findings = 0;
		uint32_t *words = NULL;
		char *log = NULL, *report = NULL;
		bool made = nz_emit_target(m, &options, &text, &size) == NZ_OK && gpu_compile_glsl(text, GPU_FRAGMENT, &words, &count, &log) == GPU_OK;
		d->shaders++;
		if (made)
			findings = gpu_check_exact(words, count, &report);
		if (!made || findings) {
			fprintf(stderr, "%s: fragment shader of %s: %s%s\n", c->name, info->outputs[o].name, log ? log : "", report ? report : "");
			d->findings += findings + !made;
			fine = false;
		}
		free(words);
		free(log);
		free(report);
	}
	return fine;
}

bool diff_vulkan(Diff *d, const Case *c, nz_module *m, const char *passes)
{
	char way[64];
	snprintf(way, sizeof way, "GLSL%s", passes);
	bool fine = diff_compute(d, c, m, way);
	return (!d->fragments || passes[0] || check_fragments(d, c, m)) && fine;
}
