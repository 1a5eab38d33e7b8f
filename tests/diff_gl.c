/* The OpenGL way. The library form of glsl330 is called by a main of the test, which reads positions and inputs from a
   texture and writes the outputs' bits; each complete fragment shader is drawn as points and its colour compared.
   glslang's front end has to accept both without a warning. The functions, put between the version and the interface
   of the Vulkan shader, also pass the static check of exact arithmetic: the names are the same in all versions. */
#define _POSIX_C_SOURCE 200809L         /* strdup */
#include "diff_ways.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/log.h"

enum { WORDS_A_DRAW = 4 * GL_TARGETS };

static const char *read_struct(const char *at, char name[128], char (*member)[128])
{
	at = strstr(at, "struct ");
	if (!at || sscanf(at, "struct %127s", name) != 1)
		return NULL;
	int n = 0;
	for (at = strchr(at, '\n'); at && strncmp(at, "\n};", 3); at = strchr(at + 1, '\n')) {
		const char *line = at + 1 + strspn(at + 1, " ");
		if (*line != '{' && strncmp(line, "//", 2) && n < MOST_NAMES && sscanf(line, "%*s %127[^;]", member[n]) == 1)
			n++;
	}
	return at;
}

bool printed_read(Printed *p, const char *text)
{
	*p = (Printed){ .text = must(strdup(text)), .param = must(calloc(MOST_NAMES, 128)), .output = must(calloc(MOST_NAMES, 128)) };
	char call[160];
	const char *at = read_struct(p->text, p->params, p->param);
	at = at ? read_struct(at, p->out, p->output) : NULL;
	snprintf(call, sizeof call, "\n%s ", p->out);
	at = at ? strstr(at, call) : NULL;
	return at && sscanf(at + strlen(call), "%127[^(]", p->eval) == 1;
}

void printed_free(Printed *p)
{
	free(p->text);
	free(p->param);
	free(p->output);
}

static bool refused(Diff *d, const Case *c, const char *way, GpuStatus status, char *log, const char *text)
{
	bool bad = status != GPU_OK || (log && log[0]);
	if (bad) {
		fprintf(stderr, "%s: %s is refused or warned of:\n%s\n%s\n", c->name, way, log ? log : "", getenv("NOISE_SHOW") ? text : "");
		d->findings++;
	}
	free(log);
	return bad;
}

/* ---- the words that a point is given, and the params ---- */

size_t main_stride(const nz_program_info *info)
{
	size_t words = info->domain;
	for (uint32_t n = 0; n < info->input_count; n++)
		words += info->inputs[n].type.width;
	return words;
}

uint32_t *main_given(const nz_program_info *info, const Points *p)
{
	size_t stride = main_stride(info);
	uint32_t *given = must(malloc(stride * p->count * sizeof *given));
	for (size_t i = 0; i < p->count; i++) {
		uint32_t *to = given + stride * i;
		for (uint32_t a = 0; a < info->domain; a++)
			memcpy(to++, &p->axis[a][i], 4);
		for (uint32_t n = 0; n < info->input_count; n++)
			for (uint32_t k = 0; k < info->inputs[n].type.width; k++)
				*to++ = p->input[n][k][i];
	}
	return given;
}

static size_t set_uniforms(const nz_program_info *info, const Printed *names, nz_word (*params)[4], GlUniform *u)
{
	size_t n = 0;
	for (; n < info->param_count; n++) {
		nz_kind kind = info->params[n].type.kind;
		snprintf(u[n].name, sizeof u[n].name, "params.%.100s", names->param[n]);
		u[n].kind = kind == NZ_FLOAT ? 'f' : kind == NZ_INT ? 'i' : 'u';
		u[n].width = info->params[n].type.width;
		for (uint32_t k = 0; k < u[n].width; k++)
			u[n].word[k] = params[n][k].u;
	}
	u[n] = (GlUniform){ .name = "seed", .kind = 'u', .width = 1, .word = { SEED } };
	return n + 1;
}

/* ---- a main around the library form ---- */

static const char *const scalar[] = { [NZ_BOOL] = "bool", [NZ_INT] = "int", [NZ_UINT] = "uint", [NZ_FLOAT] = "float" };
static const char *const vector[] = { [NZ_BOOL] = "bvec", [NZ_INT] = "ivec", [NZ_UINT] = "uvec", [NZ_FLOAT] = "vec" };

static void add_type(GpuLog *t, nz_kind kind, uint32_t width)
{
	if (width == 1)
		gpu_log_add(t, "%s", scalar[kind]);
	else
		gpu_log_add(t, "%s%u", vector[kind], (unsigned)width);
}

void main_add_value(GpuLog *t, nz_kind kind, uint32_t width, unsigned *word)
{
	add_type(t, kind, width);
	for (uint32_t k = 0; k < width; k++) {
		gpu_log_add(t, k ? ", " : "(");
		switch (kind) {
		case NZ_BOOL: gpu_log_add(t, "word(%u) != 0u", (*word)++); break;
		case NZ_INT: gpu_log_add(t, "int(word(%u))", (*word)++); break;
		case NZ_UINT: gpu_log_add(t, "word(%u)", (*word)++); break;
		default: gpu_log_add(t, "uintBitsToFloat(word(%u))", (*word)++); break;
		}
	}
	gpu_log_add(t, ")");
}

static void add_reader(GpuLog *t, const nz_program_info *info, const char *index)
{
	gpu_log_add(t, "uniform highp usampler2D given;\n\nuint word(int j)\n{\n    ivec2 at = %s;\n"
		"    return texelFetch(given, ivec2(at.x, at.y * %u + j), 0).x;\n}\n\n", index, (unsigned)main_stride(info));
}

char *main_make(const char *version, const Printed *p, const nz_program_info *info, size_t first)
{
	GpuLog t = { 0 };
	unsigned word = 0;
	size_t total = diff_output_words(info), n = total - first < WORDS_A_DRAW ? total - first : WORDS_A_DRAW, at = 0;
	gpu_log_add(&t, "%s%s\nuniform %s params;\nuniform uint seed;\n", version, p->text, p->params);
	for (unsigned k = 0; k < (n + 3) / 4; k++)
		gpu_log_add(&t, "layout(location = %u) out highp uvec4 words%u;\n", k, k);
	add_reader(&t, info, "ivec2(int(gl_FragCoord.x), int(gl_FragCoord.y))");
	gpu_log_add(&t, "void main()\n{\n    %s result = %s(", p->out, p->eval);
	main_add_value(&t, NZ_FLOAT, info->domain, &word);
	for (uint32_t i = 0; i < info->input_count; i++) {
		gpu_log_add(&t, ", ");
		main_add_value(&t, info->inputs[i].type.kind, info->inputs[i].type.width, &word);
	}
	gpu_log_add(&t, ", params, seed);\n");
	for (unsigned k = 0; k < (n + 3) / 4; k++)
		gpu_log_add(&t, "    words%u = uvec4(0u);\n", k);
	for (uint32_t o = 0; o < info->output_count; o++)
		for (uint32_t k = 0; k < info->outputs[o].type.width; k++, at++)
			if (at >= first && at < first + n)
				gpu_log_add(&t, "    words%u.%c = %s(result.%s%s%.1s);\n", (unsigned)(at - first) / 4, "xyzw"[(at - first) % 4],
					info->outputs[o].type.kind == NZ_FLOAT ? "floatBitsToUint" : "uint", p->output[o],
					info->outputs[o].type.width > 1 ? "." : "", info->outputs[o].type.width > 1 ? &"xyzw"[k] : "");
	gpu_log_add(&t, "}\n");
	return must(t.s);
}

/* The draw that gives words `first` and on; they are put where they belong among all results. */
static bool draw_words(Diff *d, const Case *c, const char *way, GlProgram *program, const Printed *names, const Points *p, nz_word (*params)[4], size_t first, uint32_t *all)
{
	size_t total = diff_output_words(c->info), n = total - first < WORDS_A_DRAW ? total - first : WORDS_A_DRAW;
	GlUniform *uniforms = must(calloc(c->info->param_count + 1, sizeof *uniforms));
	uint32_t *given = main_given(c->info, p), *out = must(calloc(p->count * 4 * ((n + 3) / 4), sizeof *out));
	GlDraw draw = { .uniforms = uniforms, .n_uniforms = set_uniforms(c->info, names, params, uniforms), .given = given,
		.stride = (unsigned)main_stride(c->info), .points = p->count, .targets = (unsigned)(n + 3) / 4 };
	char *log = NULL;
	GpuStatus status = gl_program_draw(program, &draw, out, &log);
	for (size_t w = 0; w < n; w++)
		for (size_t i = 0; i < p->count; i++)
			all[(first + w) * p->count + i] = out[4 * (w / 4 * p->count + i) + w % 4];
	free(given);
	free(out);
	free(uniforms);
	return !refused(d, c, way, status, log, "");
}

static bool run_library(Diff *d, const Case *c, const char *way, const char *version, const Printed *names)
{
	size_t total = diff_output_words(c->info);
	uint32_t *got[3];                       /* with both sets of params, and at wild positions */
	bool fine = true;
	for (int run = 0; run < 3; run++)
		got[run] = must(calloc(total * (run < 2 ? c->points : c->wild)->count + 1, 4));
	for (size_t first = 0; first < total; first += WORDS_A_DRAW) {
		char *text = main_make(version, names, c->info, first), *log = NULL;
		GpuStatus status = gpu_parse_glsl(text, GPU_FRAGMENT, &log);
		d->shaders++;
		fine = !refused(d, c, way, status, log, text) && fine;
		log = NULL;
		GlProgram *program = d->gl ? gl_program_create(d->gl, NULL, text, &log) : NULL;
		if (d->gl)
			fine = !refused(d, c, way, program ? GPU_OK : GPU_NO_COMPILE, log, text) && fine;
		for (int run = 0; program && run < 3; run++)
			fine = draw_words(d, c, way, program, names, run < 2 ? c->points : c->wild, c->params[run % 2], first, got[run]) && fine;
		gl_program_destroy(program);
		free(text);
	}
	uint64_t before = d->compared;
	for (int run = 0; d->gl && run < 2; run++)
		fine = diff_compare(d, c, way, c->want[run], got[run]) && fine;
	if (d->gl)
		fine = diff_finite(d, c, way, got[2]) && fine;
	d->by_gl += d->compared - before;
	for (int run = 0; run < 3; run++)
		free(got[run]);
	return fine;
}

/* ---- complete fragment shaders ---- */

/* Hands each vertex its position and inputs, under the names that the fragment shader declares, in its order. */
static char *make_vertex(const char *fragment, const nz_program_info *info)
{
	GpuLog t = { 0 }, set = { 0 };
	unsigned word = 0;
	uint32_t n = 0;
	gpu_log_add(&t, "#version 330 core\nuniform ivec2 size;\n");
	add_reader(&t, info, "ivec2(gl_VertexID % 1024, gl_VertexID / 1024)");
	for (const char *at = strstr(fragment, "\nuniform uint seed;\n"); (at = strchr(at, '\n')) != NULL && n <= info->input_count; at++) {
		char type[32], name[128];
		bool flat = !strncmp(at, "\nflat in ", 9);
		if (!flat && strncmp(at, "\nin ", 4))
			continue;
		if (sscanf(at + (flat ? 9 : 4), "%31s %127[^;]", type, name) != 2)
			break;
		nz_type given = n ? info->inputs[n - 1].type : (nz_type){ .kind = NZ_FLOAT, .width = info->domain };
		gpu_log_add(&t, "%sout %s %s;\n", flat ? "flat " : "", type, name);
		gpu_log_add(&set, "    %s = ", name);
		main_add_value(&set, given.kind == NZ_BOOL ? NZ_UINT : given.kind, given.width, &word);
		gpu_log_add(&set, ";\n");
		n++;
	}
	gpu_log_add(&t, "\nvoid main()\n{\n%s    ivec2 at = ivec2(gl_VertexID %% 1024, gl_VertexID / 1024);\n"
		"    gl_Position = vec4((vec2(at) + 0.5) / vec2(size) * 2.0 - 1.0, 0.0, 1.0);\n    gl_PointSize = 1.0;\n}\n", set.s ? set.s : "");
	free(set.s);
	return must(t.s);
}

/* Output `o` as a colour: floats as they are, all else as floats. */
static bool compare_colour(Diff *d, const Case *c, uint32_t o, const uint32_t *got)
{
	size_t word = 0;
	nz_type type = c->info->outputs[o].type;
	uint64_t before = d->differing;
	for (uint32_t i = 0; i < o; i++)
		word += c->info->outputs[i].type.width;
	for (uint32_t k = 0; k < type.width; k++)
		for (size_t i = 0; i < c->points->count; i++) {
			nz_word want = { .u = c->want[0][(word + k) * c->points->count + i] };
			if (type.kind == NZ_INT)
				want.f = (float)want.i;
			else if (type.kind != NZ_FLOAT)
				want.f = (float)want.u;
			d->compared++;
			d->by_gl++;
			if (diff_canonical(want.u, NZ_FLOAT) == diff_canonical(got[4 * i + k], NZ_FLOAT))
				continue;
			if (d->differing++ == before)
				fprintf(stderr, "%s: the fragment shader of %s differs: component %u is %08x, not %08x, at point %zu\n", c->name,
					c->info->outputs[o].name, (unsigned)k, (unsigned)got[4 * i + k], (unsigned)want.u, i);
		}
	return d->differing == before;
}

static bool run_fragment(Diff *d, const Case *c, const char *text, const Printed *names, uint32_t o)
{
	const char *way = "the GLSL 3.30 fragment shader";
	char *log = NULL, *vertex = make_vertex(text, c->info);
	GlProgram *program = gl_program_create(d->gl, vertex, text, &log);
	bool fine = !refused(d, c, way, program ? GPU_OK : GPU_NO_COMPILE, log, text);
	if (program) {
		GlUniform *uniforms = must(calloc(c->info->param_count + 1, sizeof *uniforms));
		uint32_t *given = main_given(c->info, c->points), *out = must(calloc(c->points->count * 4, sizeof *out));
		size_t n = set_uniforms(c->info, names, c->params[0], uniforms);
		/* the params of this run are the defaults, which the shader has itself: only the seed is set */
		GlDraw draw = { .uniforms = uniforms + n - 1, .n_uniforms = 1, .given = given, .stride = (unsigned)main_stride(c->info),
			.points = c->points->count, .targets = 1, .floats = true };
		log = NULL;
		GpuStatus status = gl_program_draw(program, &draw, out, &log);
		fine = !refused(d, c, way, status, log, "") && compare_colour(d, c, o, out) && fine;
		free(uniforms);
		free(given);
		free(out);
	}
	gl_program_destroy(program);
	free(vertex);
	return fine;
}

static bool diff_fragments(Diff *d, const Case *c, nz_module *m, const Printed *names)
{
	bool fine = true;
	for (uint32_t o = 0; o < c->info->output_count; o++) {
		nz_emit_options options = { .target = "glsl330", .entry = NZ_ENTRY_FRAGMENT, .output = c->info->outputs[o].name };
		const char *text = diff_emit(d, c, m, &options);
		char *log = NULL;
		if (!text)
			return false;
		d->shaders++;
		GpuStatus status = gpu_parse_glsl(text, GPU_FRAGMENT, &log);
		fine = !refused(d, c, "the GLSL 3.30 fragment shader", status, log, text) && fine;
		if (d->gl)
			fine = run_fragment(d, c, text, names, o) && fine;
	}
	return fine;
}

/* The marks of the functions, seen where the mark is a word of the language. */
static bool check_exact(Diff *d, const Case *c, nz_module *m, const char *way, const char *functions)
{
	nz_emit_options options = { .target = "glsl", .entry = NZ_ENTRY_FRAGMENT };
	const char *whole = diff_emit(d, c, m, &options), *interface = whole ? strstr(whole, "\nlayout(std140") : NULL;
	GpuLog text = { 0 };
	char *log = NULL, *report = NULL;
	uint32_t *words = NULL;
	size_t count, findings = 0;
	if (!interface)
		return false;
	gpu_log_add(&text, "#version 450\n%s%s", functions, interface);
	GpuStatus status = gpu_compile_glsl(must(text.s), GPU_FRAGMENT, &words, &count, &log);
	bool fine = !refused(d, c, way, status, log, text.s);
	if (words)
		findings = gpu_check_exact(words, count, &report);
	if (findings)
		fprintf(stderr, "%s: %s may round differently:\n%s\n", c->name, way, report ? report : "");
	d->findings += findings;
	free(words);
	free(report);
	free(text.s);
	return fine && !findings;
}

bool diff_gl(Diff *d, const Case *c, nz_module *m, const char *passes)
{
	nz_emit_options options = { .target = "glsl330" };
	Printed names;
	char way[64], version[512] = "";
	const char *text = diff_emit(d, c, m, &options);
	bool fine = text != NULL;
	snprintf(way, sizeof way, "GLSL 3.30%s", passes);
	if (text) {
		bool known = printed_read(&names, text);
		/* the version, and what a complete shader says before its banner */
		options.entry = NZ_ENTRY_FRAGMENT;
		const char *whole = diff_emit(d, c, m, &options), *banner = whole ? strstr(whole, "\n// ") : NULL;
		if (!banner || (size_t)(banner + 1 - whole) >= sizeof version || !known) {
			fprintf(stderr, "%s: the text is not as expected\n", c->name);
			d->findings++;
			fine = false;
		} else {
			memcpy(version, whole, (size_t)(banner + 1 - whole));
			fine = check_exact(d, c, m, way, names.text) && fine;
			fine = run_library(d, c, way, version, &names) && fine;
			if (d->fragments && !passes[0])
				fine = diff_fragments(d, c, m, &names) && fine;
		}
		printed_free(&names);
	}
	return fine;
}
