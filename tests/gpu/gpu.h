/* The GPU side of the differential tests: compiles GLSL 450 to SPIR-V in this process, validates it, checks that it
   keeps the exact-arithmetic rules, and runs it as a Vulkan compute shader, on a software driver by default. Assumes
   one thread at a time. A function that can fail takes `char **log`: where log is not NULL, *log becomes a
   NUL-terminated text that the caller frees with free(), empty when there is nothing to say (NULL: no memory). */
#ifndef NOISEC_TESTS_GPU_H
#define NOISEC_TESTS_GPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- GLSL to SPIR-V ---- */

typedef enum GpuStage { GPU_COMPUTE, GPU_FRAGMENT } GpuStage;

typedef enum GpuStatus {
	GPU_OK = 0,
	GPU_NO_COMPILE, /* a syntax or type error; the log has "ERROR: 0:LINE: ..." for each */
	GPU_NO_LINK,    /* recursion, or a function that is called and has no body */
	GPU_INVALID,    /* glslang's output, or the words given, break a rule of spirv-val for Vulkan 1.1 */
	GPU_NO_TOOL,    /* spirv-opt could not be started or failed */
	GPU_NO_DEVICE,  /* a Vulkan call failed, or the buffers do not fit the device; the log names the call */
	GPU_NO_MEMORY
} GpuStatus;

/* Does glslang's front end accept the shader as OpenGL's, under the #version that it begins with? Parsed and linked as a
   program of one stage. The log holds warnings also on GPU_OK. */
GpuStatus gpu_parse_glsl(const char *text, GpuStage stage, char **log);

/* Compiles one stage (entry point `main`, Vulkan 1.1 rules), links it and validates the result. `text` starts with
   #version. On GPU_OK *words and *count (in 32-bit words) hold the module, which carries source lines, and the caller
   frees *words; otherwise they are NULL and 0. The log holds warnings also on GPU_OK. */
GpuStatus gpu_compile_glsl(const char *text, GpuStage stage, uint32_t **words, size_t *count, char **log);

/* Checks a module against the rules of SPIR-V for Vulkan 1.1: GPU_OK or GPU_INVALID. gpu_compile_glsl has done this. */
GpuStatus gpu_validate(const uint32_t *words, size_t count, char **log);

/* Runs `spirv-opt --strip-debug -O` (found on PATH) over a module. Result as for gpu_compile_glsl. */
GpuStatus gpu_optimize(const uint32_t *words, size_t count, uint32_t **out_words, size_t *out_count, char **log);

/* Counts the instructions that may round differently from one driver to another. These are findings:
   a float add, subtract, multiply or negate without NoContraction or with RelaxedPrecision; a float division or
   remainder, a dot or matrix product, fract, fma, mix, and every other GLSL.std.450 operation that is not exact by
   definition. *report gets one line for each, "FUNCTION:LINE: OpFMul %12: ...", in the order of the module. Words that
   are no SPIR-V module give one finding. Image sampling and derivatives are not looked at. */
size_t gpu_check_exact(const uint32_t *words, size_t count, char **report);

/* ---- running ---- */

typedef struct Gpu Gpu;                 /* an open device */
typedef struct GpuPipeline GpuPipeline; /* a shader made ready on it */

typedef enum GpuBufferKind { GPU_UNIFORM, GPU_STORAGE } GpuBufferKind;

typedef struct GpuBuffer {
	uint32_t binding; /* in descriptor set 0 */
	GpuBufferKind kind;
	void *data;     /* the caller's; copied to the device before a run */
	size_t size;    /* in bytes, a multiple of 4, not 0 */
	bool read_back; /* copy the contents to `data` after the run */
} GpuBuffer;

/* Opens the first device whose name contains `name` (case matters), or, with NULL, the first whose type is CPU
   (llvmpipe, SwiftShader). NULL if there is none; the log then says why and lists the devices seen, so that a test can
   skip with that reason. VK_DRIVER_FILES chooses among drivers as usual. */
Gpu *gpu_open(const char *name, char **log);
/* Closes a device; its pipelines must be destroyed before. NULL is allowed. */
void gpu_close(Gpu *gpu);
/* The device's own name; lives as long as the device. */
const char *gpu_name(const Gpu *gpu);

/* Makes a compute pipeline of a module with entry point `main`. Of `buffers` only binding and kind are read, and they
   must name each binding the shader uses; the words are not kept. NULL on failure. Invalid SPIR-V is undefined
   behaviour in a driver: pass only validated words. */
GpuPipeline *gpu_pipeline_create(
	Gpu *gpu, const uint32_t *words, size_t count, const GpuBuffer *buffers, size_t n_buffers, char **log);
/* Runs groups_x work groups and waits for them. The buffers have the bindings and kinds given at creation, in the same
   order; data and sizes may differ from run to run. */
GpuStatus gpu_pipeline_run(
	GpuPipeline *pipeline, const GpuBuffer *buffers, size_t n_buffers, uint32_t groups_x, char **log);
/* Frees a pipeline. NULL is allowed. */
void gpu_pipeline_destroy(GpuPipeline *pipeline);

/* Creates, runs once and destroys. */
GpuStatus gpu_run(Gpu *gpu, const uint32_t *words, size_t count, const GpuBuffer *buffers, size_t n_buffers,
	uint32_t groups_x, char **log);

/* ---- the driver's figures for a pipeline ---- */

typedef struct GpuStat {
	char name[256]; /* as the driver spells it, e.g. "Inverse Throughput" */
	double value;
} GpuStat;

/* Reads the statistics of the pipeline's first executable (VK_KHR_pipeline_executable_properties). On GPU_OK the caller
   frees *stats. GPU_NO_DEVICE where the driver has none. */
GpuStatus gpu_stats(GpuPipeline *pipeline, GpuStat **stats, size_t *n_stats, char **log);

#endif
