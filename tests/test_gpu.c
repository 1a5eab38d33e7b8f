/* Tests of the GPU test library: that it compiles, runs and reads back, and above all that its checks bite. */
#include "gpu.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HEAD \
	"#version 450\n" \
	"layout(local_size_x = 4) in;\n" \
	"layout(std430, set = 0, binding = 0) buffer Data { uint data[]; };\n"

#define MAIN(body) \
	"void main() {\n" \
	"uint i = gl_GlobalInvocationID.x;\n" \
	"precise float x = uintBitsToFloat(data[i]);\n" \
	"precise vec2 v = vec2(x, x);\n" \
	"precise float r;\n" body "\n" \
	"data[i] = floatBitsToUint(r);\n" \
	"}\n"

static GpuStatus compile(const char *text, uint32_t **words, size_t *count, char **log)
{
	GpuStatus status = gpu_compile_glsl(text, GPU_COMPUTE, words, count, log);
	assert_non_null(*log);
	return status;
}

/* Compiles a shader that must compile in silence, and returns its findings. */
static size_t findings(const char *text, char **report)
{
	uint32_t *words;
	size_t count;
	char *log;
	GpuStatus status = compile(text, &words, &count, &log);
	if (status != GPU_OK || *log)
		print_error("%s", log);
	assert_int_equal(status, GPU_OK);
	assert_string_equal(log, "");
	size_t n = gpu_check_exact(words, count, report);
	assert_non_null(*report);
	free(words);
	free(log);
	return n;
}

static void expect_clean(const char *text)
{
	char *report;
	size_t n = findings(text, &report);
	assert_string_equal(report, "");
	assert_int_equal(n, 0);
	free(report);
}

/* One finding, whose line contains `part`. */
static void expect_finding(const char *text, const char *part)
{
	char *report;
	size_t n = findings(text, &report);
	if (n != 1 || !strstr(report, part))
		print_error("expected \"%s\", found %zu:\n%s", part, n, report);
	assert_int_equal(n, 1);
	assert_non_null(strstr(report, part));
	free(report);
}

/* ---- compiling ---- */

static void syntax_error_names_the_line(void **state)
{
	(void)state;
	uint32_t *words;
	size_t count;
	char *log;
	const char *text = HEAD "void main() {\n  float x = ;\n  data[0] = nothing;\n}\n";
	assert_int_equal(compile(text, &words, &count, &log), GPU_NO_COMPILE);
	assert_non_null(strstr(log, "0:5:"));
	assert_null(words);
	assert_int_equal(count, 0);
	free(log);
}

static void several_errors_are_told(void **state)
{
	(void)state;
	uint32_t *words;
	size_t count;
	char *log;
	const char *text = HEAD "void main() {\n  data[0] = first;\n  data[1] = second;\n}\n";
	assert_int_equal(compile(text, &words, &count, &log), GPU_NO_COMPILE);
	assert_non_null(strstr(log, "0:5:"));
	assert_non_null(strstr(log, "0:6:"));
	free(log);
}

static void recursion_is_reported(void **state)
{
	(void)state;
	uint32_t *words;
	size_t count;
	char *log;
	const char *text = HEAD "uint g(uint n);\n"
				"uint f(uint n) { return n == 0u ? 0u : g(n - 1u); }\n"
				"uint g(uint n) { return f(n); }\n"
				"void main() { data[0] = f(3u); }\n";
	assert_int_equal(compile(text, &words, &count, &log), GPU_NO_LINK);
	assert_non_null(strstr(log, "ecursi"));
	assert_null(words);
	free(log);
}

static void a_missing_body_is_reported(void **state)
{
	(void)state;
	uint32_t *words;
	size_t count;
	char *log;
	assert_int_equal(
		compile(HEAD "uint f(uint n);\nvoid main() { data[0] = f(3u); }\n", &words, &count, &log), GPU_NO_LINK);
	assert_true(*log != 0);
	free(log);
}

static void broken_words_are_invalid(void **state)
{
	(void)state;
	uint32_t *words;
	size_t count;
	char *log;
	assert_int_equal(compile(HEAD MAIN("r = x * 2.0;"), &words, &count, &log), GPU_OK);
	free(log);
	assert_int_equal(gpu_validate(words, count, &log), GPU_OK);
	assert_string_equal(log, "");
	free(log);
	assert_int_equal(gpu_validate(words, count - 1, &log), GPU_INVALID);
	assert_non_null(strstr(log, "spirv-val"));
	free(log);
	free(words);
}

/* A mark on an `in` parameter does nothing, and glslang says so without failing. */
static void warnings_are_handed_out(void **state)
{
	(void)state;
	uint32_t *words;
	size_t count;
	char *log;
	const char *text = HEAD "float f(precise float x) { return x; }\n" MAIN("r = f(x);");
	assert_int_equal(compile(text, &words, &count, &log), GPU_OK);
	assert_non_null(strstr(log, "WARNING: 0:4:"));
	free(log);
	free(words);
}

/* The log may be refused everywhere. */
static void logs_are_optional(void **state)
{
	(void)state;
	uint32_t *words;
	size_t count;
	assert_int_equal(gpu_compile_glsl("nonsense", GPU_FRAGMENT, &words, &count, NULL), GPU_NO_COMPILE);
	assert_int_equal(gpu_compile_glsl(HEAD MAIN("r = x * x;"), GPU_COMPUTE, &words, &count, NULL), GPU_OK);
	assert_int_equal(gpu_check_exact(words, count, NULL), 0);
	free(words);
}

/* ---- the static check ---- */

static void exact_shaders_pass(void **state)
{
	(void)state;
	expect_clean(HEAD MAIN("r = (x * 2.0 + 1.0) * x - x;"));
	expect_clean(HEAD MAIN("v = -v * 2.0; r = v.x;"));
	expect_clean(HEAD MAIN("r = min(max(floor(x * 2.0), trunc(x)), roundEven(ceil(abs(x))));"));
	expect_clean(HEAD MAIN("r = clamp(x, 0.0, 1.0);"));
	expect_clean(HEAD MAIN("r = mix(x, 2.0, x < 1.0);"));
	expect_clean(HEAD MAIN("v = mix(v, v * 2.0, lessThan(v, v + 1.0)); r = v.x;"));
	expect_clean(HEAD MAIN("precise int n = int(floor(x * 2.0)); r = float(n * 3 % 5 / 2);"));
	expect_clean(HEAD "precise float f(float x) { return x * 2.0 + 1.0; }\n" MAIN("r = f(x * 0.5) - x;"));
}

static void a_missing_mark_is_found(void **state)
{
	(void)state;
	expect_finding(HEAD "float f(float x) { return x * 2.0; }\n" MAIN("r = f(x);"), "f:4: OpFMul");
	expect_finding(HEAD "float f(float x) { return x + 2.0; }\n" MAIN("r = f(x);"), "f:4: OpFAdd");
	expect_finding(HEAD "float f(float x) { return x - 2.0; }\n" MAIN("r = f(x);"), "f:4: OpFSub");
	expect_finding(HEAD "float f(float x) { return -x; }\n" MAIN("r = f(x);"), "f:4: OpFNegate");
	expect_finding(HEAD "vec2 f(vec2 x) { return x * 2.0; }\n" MAIN("v = f(v); r = v.x;"), "OpVectorTimesScalar");
}

/* Places where glslang drops the mark although the result is precise. */
static void marks_that_glslang_drops_are_found(void **state)
{
	(void)state;
	expect_finding(HEAD MAIN("r = 0.0; if (x * 2.0 > 1.0) r = 1.0;"), "main:9: OpFMul");
	expect_finding(HEAD MAIN("r = (v * 2.0).y;"), "OpVectorTimesScalar");
	expect_finding(HEAD MAIN("r = vec2(x * 3.0, x).y;"), "OpFMul");
	expect_finding(HEAD MAIN("r = uintBitsToFloat(data[int(x * 2.0)]);"), "OpFMul");
	expect_finding(HEAD "layout(std430, set = 0, binding = 1) buffer Out { uint to[]; };\n" MAIN(
			       "r = x; to[7] = floatBitsToUint(x * 2.0);"),
		"OpFMul");
	expect_finding(HEAD "void f(float x, out float y) { y = x * 2.0; }\n" MAIN("f(x, r);"), "f:4: OpFMul");
}

static void inexact_operations_are_found(void **state)
{
	(void)state;
	static const struct {
		const char *text, *part;
	} rows[] = {
		{ HEAD MAIN("r = fract(x);"), "OpExtInst Fract" },
		{ HEAD MAIN("r = dot(v, v);"), "OpDot" },
		{ HEAD MAIN("r = mix(x, 2.0, 0.25);"), "OpExtInst FMix" },
		{ HEAD MAIN("r = 1.0 / x;"), "OpFDiv" },
		{ HEAD MAIN("r = mod(x, 3.0);"), "OpFMod" },
		{ HEAD MAIN("r = fma(x, x, x);"), "OpExtInst Fma" },
		{ HEAD MAIN("r = sqrt(x);"), "OpExtInst Sqrt" },
		{ HEAD MAIN("r = inversesqrt(x);"), "OpExtInst InverseSqrt" },
		{ HEAD MAIN("r = pow(x, 2.5);"), "OpExtInst Pow" },
		{ HEAD MAIN("r = sin(x);"), "OpExtInst Sin" },
		{ HEAD MAIN("r = cos(x);"), "OpExtInst Cos" },
		{ HEAD MAIN("r = tan(x);"), "OpExtInst Tan" },
		{ HEAD MAIN("r = exp(x);"), "OpExtInst Exp" },
		{ HEAD MAIN("r = exp2(x);"), "OpExtInst Exp2" },
		{ HEAD MAIN("r = log(x);"), "OpExtInst Log" },
		{ HEAD MAIN("r = log2(x);"), "OpExtInst Log2" },
		{ HEAD MAIN("r = round(x);"), "OpExtInst Round" },
		{ HEAD MAIN("r = smoothstep(0.0, 1.0, x);"), "OpExtInst SmoothStep" },
		{ HEAD MAIN("r = length(v);"), "OpExtInst Length" },
		{ HEAD MAIN("r = distance(v, v.yx);"), "OpExtInst Distance" },
		{ HEAD MAIN("v = normalize(v); r = v.x;"), "OpExtInst Normalize" },
		{ HEAD MAIN("v = reflect(v, v.yx); r = v.x;"), "OpExtInst Reflect" },
		{ HEAD MAIN("precise vec3 c = cross(vec3(x), vec3(x, 1.0, x)); r = c.x;"), "OpExtInst Cross" },
		{ HEAD MAIN("v = mat2(x, 1.0, 2.0, x) * v; r = v.x;"), "OpMatrixTimesVector" },
		{ HEAD MAIN("precise mediump float h = x; r = h * 2.0;"), "RelaxedPrecision" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		expect_finding(rows[i].text, rows[i].part);
}

static void words_that_are_no_module_are_a_finding(void **state)
{
	(void)state;
	const uint32_t words[] = { 0x07230203u, 0x00010300u, 0, 3, 0, 0x00090005u };
	assert_int_equal(gpu_check_exact(NULL, 0, NULL), 1);
	assert_int_equal(gpu_check_exact(words, 3, NULL), 1);
	assert_int_equal(gpu_check_exact(words, 5, NULL), 0);
	assert_int_equal(gpu_check_exact(words, 6, NULL), 1);
}

static void fragment_shaders_compile(void **state)
{
	(void)state;
	uint32_t *words;
	size_t count;
	char *log, *report;
	const char *text = "#version 450\n"
			   "layout(location = 0) out vec4 colour;\n"
			   "void main() {\n"
			   "precise vec2 p = gl_FragCoord.xy;\n"
			   "precise vec2 q = p * 2.0;\n"
			   "colour = vec4(q, 0.0, 1.0);\n"
			   "}\n";
	assert_int_equal(gpu_compile_glsl(text, GPU_FRAGMENT, &words, &count, &log), GPU_OK);
	assert_int_equal(gpu_check_exact(words, count, &report), 0);
	free(words);
	free(log);
	free(report);
}

/* ---- running ---- */

/* Opens the CPU device or skips the test with the reason. */
static Gpu *open_or_skip(void)
{
	char *log;
	Gpu *gpu = gpu_open(NULL, &log);
	if (!gpu) {
		print_message("SKIP: %s", log);
		free(log);
		skip();
	}
	free(log);
	return gpu;
}

static uint32_t bits(float x)
{
	uint32_t u;
	memcpy(&u, &x, sizeof u);
	return u;
}

static void no_such_device_gives_a_reason(void **state)
{
	(void)state;
	char *log;
	assert_null(gpu_open("no device has this name", &log));
	assert_true(*log != 0);
	free(log);
}

/* (x*x - 1) with x*x rounded before the subtraction: an FMA would give other bits for most of these. */
static void a_shader_gives_the_exact_bits(void **state)
{
	(void)state;
	Gpu *gpu = open_or_skip();
	uint32_t *words;
	size_t count;
	char *log;
	assert_int_equal(compile(HEAD MAIN("r = x * x - 1.0;"), &words, &count, &log), GPU_OK);
	free(log);
	uint32_t data[8], expected[8];
	for (int i = 0; i < 8; i++) {
		float x = 1.0f + (float)i * 0.1234567f;
		volatile float square = x * x; /* rounded here, whatever the compiler's options */
		data[i] = bits(x);
		expected[i] = bits(square - 1.0f);
	}
	GpuBuffer buffer = { .binding = 0, .kind = GPU_STORAGE, .data = data, .size = sizeof data, .read_back = true };
	GpuStatus status = gpu_run(gpu, words, count, &buffer, 1, 2, &log);
	if (status != GPU_OK)
		print_error("%s: %s", gpu_name(gpu), log);
	assert_int_equal(status, GPU_OK);
	assert_memory_equal(data, expected, sizeof data);
	free(log);
	free(words);
	gpu_close(gpu);
}

static void a_pipeline_runs_again_with_other_buffers(void **state)
{
	(void)state;
	Gpu *gpu = open_or_skip();
	const char *text = "#version 450\n"
			   "layout(local_size_x = 1) in;\n"
			   "layout(std140, set = 0, binding = 0) uniform Params { uint add; uint times; };\n"
			   "layout(std430, set = 0, binding = 1) readonly buffer In { uint from[]; };\n"
			   "layout(std430, set = 0, binding = 2) buffer Out { uint to[]; };\n"
			   "void main() { uint i = gl_GlobalInvocationID.x; to[i] = from[i] * times + add; }\n";
	uint32_t *words;
	size_t count;
	char *log;
	assert_int_equal(compile(text, &words, &count, &log), GPU_OK);
	free(log);
	uint32_t params[4] = { 5, 3, 0, 0 }, from[100], to[100];
	GpuBuffer buffers[] = {
		{ .binding = 0, .kind = GPU_UNIFORM, .data = params, .size = sizeof params },
		{ .binding = 1, .kind = GPU_STORAGE, .data = from, .size = sizeof from },
		{ .binding = 2, .kind = GPU_STORAGE, .data = to, .size = sizeof to, .read_back = true },
	};
	GpuPipeline *pipeline = gpu_pipeline_create(gpu, words, count, buffers, 3, NULL);
	assert_non_null(pipeline);
	free(words);
	for (uint32_t n = 1; n <= 100; n++) {
		for (uint32_t i = 0; i < 100; i++) {
			from[i] = i + n;
			to[i] = 77;
		}
		params[0] = n;
		buffers[1].size = buffers[2].size = n * sizeof *to;
		assert_int_equal(gpu_pipeline_run(pipeline, buffers, 3, n, NULL), GPU_OK);
		for (uint32_t i = 0; i < 100; i++)
			assert_int_equal(to[i], i < n ? (i + n) * 3 + n : 77);
	}
	assert_int_equal(gpu_pipeline_run(pipeline, buffers, 2, 1, &log), GPU_NO_DEVICE);
	assert_non_null(strstr(log, "2 buffers"));
	free(log);
	buffers[1].size = 2;
	assert_int_equal(gpu_pipeline_run(pipeline, buffers, 3, 1, &log), GPU_NO_DEVICE);
	assert_non_null(strstr(log, "binding 1"));
	free(log);
	gpu_pipeline_destroy(pipeline);
	gpu_close(gpu);
}

/* 300 shaders on one device, as the differential runner does. */
static void many_shaders_fit_one_device(void **state)
{
	(void)state;
	Gpu *gpu = open_or_skip();
	uint32_t *words;
	size_t count;
	assert_int_equal(gpu_compile_glsl(HEAD MAIN("r = x + 1.0;"), GPU_COMPUTE, &words, &count, NULL), GPU_OK);
	for (int i = 0; i < 300; i++) {
		uint32_t data[4] = { bits(1.0f), bits(2.0f), bits(3.0f), bits((float)i) };
		GpuBuffer buffer = {
			.binding = 0, .kind = GPU_STORAGE, .data = data, .size = sizeof data, .read_back = true
		};
		assert_int_equal(gpu_run(gpu, words, count, &buffer, 1, 1, NULL), GPU_OK);
		assert_int_equal(data[3], bits((float)i + 1.0f));
	}
	free(words);
	gpu_close(gpu);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(syntax_error_names_the_line),
		cmocka_unit_test(several_errors_are_told),
		cmocka_unit_test(recursion_is_reported),
		cmocka_unit_test(a_missing_body_is_reported),
		cmocka_unit_test(broken_words_are_invalid),
		cmocka_unit_test(warnings_are_handed_out),
		cmocka_unit_test(logs_are_optional),
		cmocka_unit_test(exact_shaders_pass),
		cmocka_unit_test(a_missing_mark_is_found),
		cmocka_unit_test(marks_that_glslang_drops_are_found),
		cmocka_unit_test(inexact_operations_are_found),
		cmocka_unit_test(words_that_are_no_module_are_a_finding),
		cmocka_unit_test(fragment_shaders_compile),
		cmocka_unit_test(no_such_device_gives_a_reason),
		cmocka_unit_test(a_shader_gives_the_exact_bits),
		cmocka_unit_test(a_pipeline_runs_again_with_other_buffers),
		cmocka_unit_test(many_shaders_fit_one_device),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
