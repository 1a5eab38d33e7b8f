/* noisegpu: checks a shader against the exact-arithmetic rules, or prices it with RADV's model of an AMD chip, which
   needs no GPU. Products go to stdout, errors to stderr; exit 0 ok, 1 findings or a bad shader, 2 usage, 3 no
   driver or no such chip. */
#define _POSIX_C_SOURCE 200809L
#include "gpu.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char usage[] =
	"usage: noisegpu check FILE.comp|FILE.frag\n"
	"         compile, link, validate; list each operation that is not exact\n"
	"       noisegpu stats FILE [CHIP] [--call EXPR] [--dim 2|3]\n"
	"         cost of a compute shader on CHIP (default navi21, see RADV_FORCE_FAMILY) after spirv-opt -O\n"
	"         FILE.comp is taken whole; any other FILE holds functions, and the harness calls EXPR\n"
	"         (default NOISE(p, 1337u)) with p a vec2 or, with --dim 3, a vec3; alone it counts 22 to 24\n";

/* RADV aborts the process when it does not know the chip, after a message of its own. */
static void on_abort(int signal_number)
{
	static const char text[] = "noisegpu: the driver gave up; is the chip's name right?\n";
	(void)signal_number;
	_exit(write(STDERR_FILENO, text, sizeof text - 1) < 0 ? 4 : 3);
}

/* The harness behind the published figures: do not change, or figures no longer compare. */
static const char harness_head[] =
	"#version 450\nlayout(local_size_x=64) in; layout(std430,binding=0) buffer B{float o[];};\n"
	"#line 1\n";
static const char harness_2[] =
	"\nvoid main(){ uint i=gl_GlobalInvocationID.x; vec2 p=vec2(float(i&1023u),float(i>>10))*0.037; "
	"o[i]=%s; }\n";
static const char harness_3[] = "\nvoid main(){ uint i=gl_GlobalInvocationID.x; "
				"vec3 p=vec3(float(i&127u),float((i>>7)&127u),float(i>>14))*0.037; o[i]=%s; }\n";

static const char radv_icd[] = "/usr/share/vulkan/icd.d/radeon_icd.x86_64.json";

static char *read_file(const char *path)
{
	FILE *f = fopen(path, "rb");
	char *text = NULL;
	size_t size = 0, cap = 0;
	if (f) {
		do {
			char *more = realloc(text, cap = cap * 2 + 4096);
			if (!more)
				break;
			text = more;
			size += fread(text + size, 1, cap - size - 1, f);
			text[size] = 0;
		} while (size == cap - 1);
		fclose(f);
	}
	if (!text)
		fprintf(stderr, "noisegpu: cannot read %s\n", path);
	return text;
}

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);
	return n >= m && strcmp(s + n - m, end) == 0;
}

/* Prints a log to stderr and frees it. */
static void say(char *log)
{
	if (log && *log)
		fputs(log, stderr);
	free(log);
}

static int check(const char *path)
{
	bool fragment = ends_with(path, ".frag");
	if (!fragment && !ends_with(path, ".comp")) {
		fprintf(stderr, "noisegpu: %s is neither .comp nor .frag\n", path);
		return 2;
	}
	char *text = read_file(path);
	if (!text)
		return 2;
	uint32_t *words;
	size_t count;
	char *log, *report;
	GpuStatus status = gpu_compile_glsl(text, fragment ? GPU_FRAGMENT : GPU_COMPUTE, &words, &count, &log);
	free(text);
	say(log);
	if (status != GPU_OK)
		return 1;
	size_t findings = gpu_check_exact(words, count, &report);
	fputs(report ? report : "", stdout);
	printf("%s: %zu finding%s\n", path, findings, findings == 1 ? "" : "s");
	free(report);
	free(words);
	return findings ? 1 : 0;
}

/* Puts functions into the harness. A #version line of theirs becomes a comment, so that line numbers stay. */
static char *wrap(char *functions, const char *call, int dim)
{
	for (char *line = functions; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, "#version", 8) == 0)
			memcpy(line, "//", 2);
	}
	const char *tail = dim == 3 ? harness_3 : harness_2;
	size_t size = sizeof harness_head + strlen(functions) + strlen(tail) + strlen(call);
	char *text = malloc(size);
	if (text) {
		int n = snprintf(text, size, "%s%s", harness_head, functions);
		snprintf(text + n, size - (size_t)n, tail, call);
	}
	return text;
}

static double figure(const GpuStat *stats, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(stats[i].name, name) == 0)
			return stats[i].value;
	return -1;
}

/* Compiles, optimises and asks the driver. */
static int price(const char *path, const char *text, const char *chip)
{
	uint32_t *words = NULL, *fast = NULL;
	size_t count, fast_count, n = 0;
	char *log;
	int code = 1;
	GpuPipeline *pipeline = NULL;
	GpuStat *stats = NULL;
	GpuBuffer output = { .binding = 0, .kind = GPU_STORAGE };
	Gpu *gpu = gpu_open("RADV", &log);
	say(log);
	if (!gpu)
		return 3;
	GpuStatus status = gpu_compile_glsl(text, GPU_COMPUTE, &words, &count, &log);
	say(log);
	if (status == GPU_OK) {
		status = gpu_optimize(words, count, &fast, &fast_count, &log);
		say(log);
	}
	if (status == GPU_OK) {
		pipeline = gpu_pipeline_create(gpu, fast, fast_count, &output, 1, &log);
		say(log);
	}
	if (pipeline) {
		status = gpu_stats(pipeline, &stats, &n, &log);
		say(log);
		if (status == GPU_OK) {
			printf("%s on %s: inverse throughput %.0f, VGPRs %.0f, instructions %.0f, latency %.0f, code "
			       "%.0f bytes\n",
				path, chip, figure(stats, n, "Inverse Throughput"), figure(stats, n, "VGPRs"),
				figure(stats, n, "Instructions"), figure(stats, n, "Latency"),
				figure(stats, n, "Code size"));
			code = 0;
		}
	}
	free(stats);
	gpu_pipeline_destroy(pipeline);
	free(fast);
	free(words);
	gpu_close(gpu);
	return code;
}

static int run_stats(int argc, char **argv)
{
	const char *path = NULL, *chip = "navi21", *call = "NOISE(p, 1337u)";
	int dim = 2, names = 0;
	for (int i = 0; i < argc; i++) {
		if (strcmp(argv[i], "--call") == 0 && i + 1 < argc) {
			call = argv[++i];
		} else if (strcmp(argv[i], "--dim") == 0 && i + 1 < argc) {
			dim = strcmp(argv[++i], "3") == 0 ? 3 : 2;
		} else if (argv[i][0] != '-' && names < 2) {
			*(names++ ? &chip : &path) = argv[i];
		} else {
			path = NULL;
			break;
		}
	}
	char *text = path ? read_file(path) : NULL;
	if (!text) {
		fputs(path ? "" : usage, stderr);
		return 2;
	}
	char *whole = ends_with(path, ".comp") ? text : wrap(text, call, dim);
	setenv("RADV_FORCE_FAMILY", chip, 1);
	if (!getenv("VK_DRIVER_FILES") && !getenv("VK_ICD_FILENAMES") && access(radv_icd, R_OK) == 0)
		setenv("VK_ICD_FILENAMES", radv_icd, 1);
	signal(SIGABRT, on_abort);
	int code = whole ? price(path, whole, chip) : 1;
	if (whole != text)
		free(whole);
	free(text);
	return code;
}

int main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "check") == 0)
		return check(argv[2]);
	if (argc >= 3 && strcmp(argv[1], "stats") == 0)
		return run_stats(argc - 2, argv + 2);
	fputs(usage, stderr);
	return 2;
}
