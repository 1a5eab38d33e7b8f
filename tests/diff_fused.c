/* What a driver may do that fuses a * b + c, where GLSL 3.30 cannot forbid it: the library form is compiled as C++ over
   GLM, once as written (then the bits must be those of the interpreter, which shows that the rest is right) and once
   with every multiplication fused into the addition behind it that gcc finds. The differences are measured, not judged.
   Needs g++, GLM and a CPU with fused multiply-add. */
#define _POSIX_C_SOURCE 200809L         /* mkdtemp */
#include "diff_ways.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* GLSL's words for what only shaders have */
static const char before[] =
	"#define GLM_FORCE_SWIZZLE\n#include <glm/glm.hpp>\n#include <cstdio>\nusing namespace glm;\n"
	"struct usampler2D { int unused; };\nstatic uint row[1024];\nstatic vec4 gl_FragCoord;\n"
	"static uvec4 texelFetch(usampler2D, ivec2 at, int) { return uvec4(row[at.y]); }\n"
	"#define NOISE_PRECISE\n#define uniform static\n#define layout(where) static\n#define out\n#define highp\n#define main shade\n";

static char *make_program(const Printed *p, const nz_program_info *info)
{
	GpuLog t = { 0 };
	char *shader = main_make(before, p, info, 0);
	unsigned stride = (unsigned)main_stride(info), word = stride;
	gpu_log_add(&t, "%s#undef main\n\nint main()\n{\n    while (fread(row, 4, ROW, stdin) == ROW) {\n", shader);
	free(shader);
	for (uint32_t i = 0; i < info->param_count; i++) {
		gpu_log_add(&t, "        params.%s = ", p->param[i]);
		main_add_value(&t, info->params[i].type.kind, info->params[i].type.width, &word);
		gpu_log_add(&t, ";\n");
	}
	gpu_log_add(&t, "        seed = word(%u);\n        shade();\n", word);
	for (size_t k = 0; k < (diff_output_words(info) + 3) / 4; k++)
		gpu_log_add(&t, "        fwrite(&words%u, 4, 4, stdout);\n", (unsigned)k);
	gpu_log_add(&t, "    }\n    return 0;\n}\n");
	char *head = must(malloc(64 + t.len));
	snprintf(head, 64 + t.len, "#define ROW %u\n%s", word + 1, t.s);
	free(t.s);
	return head;
}

static bool write_file(const char *path, const void *data, size_t size)
{
	FILE *f = fopen(path, "wb");
	bool fine = f && fwrite(data, 1, size, f) == size;
	return f && !fclose(f) && fine;
}

static bool write_rows(const char *path, const Case *c, nz_word (*params)[4])
{
	size_t stride = main_stride(c->info), room = 1, n = 0;
	uint32_t *given = main_given(c->info, c->points), seed = SEED;
	FILE *f = fopen(path, "wb");
	for (uint32_t i = 0; i < c->info->param_count; i++)
		room += c->info->params[i].type.width;
	uint32_t *tail = must(malloc(room * sizeof *tail));
	for (uint32_t i = 0; i < c->info->param_count; i++)
		for (uint32_t k = 0; k < c->info->params[i].type.width; k++)
			tail[n++] = params[i][k].u;
	tail[n++] = seed;
	bool fine = f != NULL;
	for (size_t i = 0; fine && i < c->points->count; i++)
		fine = fwrite(given + stride * i, 4, stride, f) == stride && fwrite(tail, 4, n, f) == n;
	free(tail);
	free(given);
	return f && !fclose(f) && fine;
}

static uint32_t *read_results(const char *path, const Case *c)
{
	size_t total = diff_output_words(c->info), width = (total + 3) / 4 * 4;
	uint32_t *all = must(calloc(total * c->points->count + 1, 4)), *one = must(malloc(width * 4));
	FILE *f = fopen(path, "rb");
	bool fine = f != NULL;
	for (size_t i = 0; fine && i < c->points->count; i++) {
		fine = fread(one, 4, width, f) == width;
		for (size_t w = 0; fine && w < total; w++)
			all[w * c->points->count + i] = one[w];
	}
	if (f)
		fclose(f);
	free(one);
	if (!fine) {
		free(all);
		all = NULL;
	}
	return all;
}

/* Farther out a position that is scaled rounds to another place, and fused to yet another. */
static bool near(const Case *c, size_t i)
{
	bool near = true;
	for (uint32_t a = 0; a < c->info->domain; a++)
		near = near && fabsf(c->points->axis[a][i]) <= FUSED_NEAR;
	return near;
}

/* A float by how much of its proved range, or of the largest value where there is none, it differs. */
static void measure(Diff *d, const Case *c, const uint32_t *want, const uint32_t *got)
{
	size_t word = 0, count = c->points->count;
	double worst = 0.0;
	uint64_t flips = 0;
	for (uint32_t o = 0; o < c->info->output_count; o++)
		for (uint32_t k = 0; k < c->info->outputs[o].type.width; k++, word++) {
			const nz_output *out = &c->info->outputs[o];
			double range = (double)out->high - (double)out->low, most = 0.0;
			bool bounded = range < 1e30;
			range = bounded ? range : 0.0;
			for (size_t i = 0; i < count && !bounded && out->type.kind == NZ_FLOAT; i++)
				range = fmax(range, fabs((double)(nz_word){ .u = want[word * count + i] }.f));
			for (size_t i = 0; i < count; i++) {
				if (!near(c, i))
					continue;
				nz_word a = { .u = want[word * count + i] }, b = { .u = got[word * count + i] };
				if (out->type.kind != NZ_FLOAT) {
					d->decisions++;
					flips += a.u != b.u;
				} else if (range > 0.0) {
					most = fmax(most, fabs((double)a.f - (double)b.f) / range);
				}
			}
			worst = fmax(worst, most);
		}
	printf("%s: fused, floats differ by up to %.3g of their range (2^%.1f), %llu decisions differ\n", c->name, worst, worst > 0.0 ? log2(worst) : -INFINITY,
		(unsigned long long)flips);
	d->fused_value = fmax(d->fused_value, worst);
	d->fused_decisions += flips;
}

static bool build_and_run(Diff *d, const Case *c, const char *folder, bool fused)
{
	char command[1024], path[256];
	bool fine = true;
	snprintf(command, sizeof command, "g++ -std=c++17 -O2 -w -fsingle-precision-constant -fms-extensions -D_MSC_EXTENSIONS -mfma -ffp-contract=%s "
		"-o %s/run %s/text.cpp >%s/log 2>&1", fused ? "fast" : "off", folder, folder, folder);
	if (system(command)) {
		fprintf(stderr, "%s: as C++ it is refused:\n", c->name);
		snprintf(command, sizeof command, "head -20 %s/log >&2", folder);
		if (system(command))
			fine = false;
		d->findings++;
		return false;
	}
	for (int set = 0; set < 2; set++) {
		snprintf(path, sizeof path, "%s/in", folder);
		snprintf(command, sizeof command, "%s/run <%s/in >%s/out", folder, folder, folder);
		uint32_t *got = NULL;
		if (write_rows(path, c, c->params[set]) && !system(command)) {
			snprintf(path, sizeof path, "%s/out", folder);
			got = read_results(path, c);
		}
		if (!got) {
			fprintf(stderr, "%s: as C++ it does not run\n", c->name);
			d->findings++;
			return false;
		}
		if (fused)
			measure(d, c, c->want[set], got);
		else
			fine = diff_compare(d, c, "GLSL 3.30 as C++", c->want[set], got) && fine;
		free(got);
	}
	return fine;
}

bool diff_fused(Diff *d, const Case *c, nz_module *m)
{
	static const char *const files[] = { "text.cpp", "log", "run", "in", "out" };
	nz_emit_options options = { .target = "glsl330" };
	char folder[] = "/tmp/noisefused-XXXXXX", path[256];
	const char *text = diff_emit(d, c, m, &options);
	Printed names;
	if (!text || !mkdtemp(folder))
		return false;
	bool fine = printed_read(&names, text);
	char *program = fine ? make_program(&names, c->info) : NULL;
	snprintf(path, sizeof path, "%s/text.cpp", folder);
	fine = program && write_file(path, program, strlen(program)) && build_and_run(d, c, folder, false) && build_and_run(d, c, folder, true);
	free(program);
	printed_free(&names);
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		snprintf(path, sizeof path, "%s/%s", folder, files[i]);
		remove(path);
	}
	rmdir(folder);
	return fine;
}
