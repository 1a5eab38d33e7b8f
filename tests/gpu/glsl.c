/* GLSL to SPIR-V through glslang's C library, validation through SPIRV-Tools, optimisation by the spirv-opt program
   (the SPIRV-Tools of Debian 12 has no C entry point for its optimiser). */
#define _POSIX_C_SOURCE 200809L
#include "gpu.h"
#include "log.h"

#include <glslang/Include/glslang_c_interface.h>
#include <glslang/Public/resource_limits_c.h>
#include <spawn.h>
#include <spirv-tools/libspirv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Started once: glslang builds its tables of built-in functions on first use, and they serve every later shader. */
static bool glsl_start(void)
{
	static bool started;
	if (!started && glslang_initialize_process()) {
		started = true;
		atexit(glslang_finalize_process);
	}
	return started;
}

static void add_lines(GpuLog *log, const char *text)
{
	if (text && *text) {
		size_t n = strlen(text);
		gpu_log_add(log, "%s%s", text, text[n - 1] == '\n' ? "" : "\n");
	}
}

static GpuStatus validate(const uint32_t *words, size_t count, GpuLog *log)
{
	spv_context context = spvContextCreate(SPV_ENV_VULKAN_1_1);
	if (!context)
		return GPU_NO_MEMORY;
	spv_const_binary_t binary = { words, count };
	spv_diagnostic diagnostic = NULL;
	spv_result_t result = spvValidate(context, &binary, &diagnostic);
	if (result != SPV_SUCCESS) {
		gpu_log_add(log, "spirv-val: word %zu: %s\n", diagnostic ? diagnostic->position.index : 0,
			diagnostic ? diagnostic->error : "rejected");
	}
	spvDiagnosticDestroy(diagnostic);
	spvContextDestroy(context);
	return result == SPV_SUCCESS ? GPU_OK : GPU_INVALID;
}

GpuStatus gpu_validate(const uint32_t *words, size_t count, char **log)
{
	GpuLog text = { 0 };
	GpuStatus status = validate(words, count, &text);
	gpu_log_give(&text, log);
	return status;
}

static uint32_t *copy_words(const uint32_t *words, size_t count)
{
	uint32_t *copy = count ? malloc(count * sizeof *copy) : NULL;
	if (copy)
		memcpy(copy, words, count * sizeof *copy);
	return copy;
}

static GpuStatus generate(
	glslang_program_t *program, glslang_stage_t stage, uint32_t **words, size_t *count, GpuLog *log)
{
	glslang_spv_options_t options = { 0 };
	options.generate_debug_info = true; /* source lines, for gpu_check_exact */
	options.disable_optimizer = true;
	glslang_program_SPIRV_generate_with_options(program, stage, &options);
	add_lines(log, glslang_program_SPIRV_get_messages(program));
	size_t n = glslang_program_SPIRV_get_size(program);
	const uint32_t *made = glslang_program_SPIRV_get_ptr(program);
	GpuStatus status = validate(made, n, log);
	if (status == GPU_OK) {
		*words = copy_words(made, n);
		*count = *words ? n : 0;
		status = *words ? GPU_OK : GPU_NO_MEMORY;
	}
	return status;
}

GpuStatus gpu_compile_glsl(const char *text, GpuStage stage, uint32_t **words, size_t *count, char **log)
{
	*words = NULL;
	*count = 0;
	GpuLog out = { 0 };
	GpuStatus status = GPU_NO_MEMORY;
	glslang_stage_t kind = stage == GPU_COMPUTE ? GLSLANG_STAGE_COMPUTE : GLSLANG_STAGE_FRAGMENT;
	/* With cascading errors glslang goes on after the first one. */
	int messages = GLSLANG_MSG_SPV_RULES_BIT | GLSLANG_MSG_VULKAN_RULES_BIT | GLSLANG_MSG_CASCADING_ERRORS_BIT |
		GLSLANG_MSG_DEBUG_INFO_BIT;
	glslang_input_t input = {
		.language = GLSLANG_SOURCE_GLSL,
		.stage = kind,
		.client = GLSLANG_CLIENT_VULKAN,
		.client_version = GLSLANG_TARGET_VULKAN_1_1,
		.target_language = GLSLANG_TARGET_SPV,
		.target_language_version = GLSLANG_TARGET_SPV_1_3,
		.code = text,
		.default_version = 100,
		.default_profile = GLSLANG_NO_PROFILE,
		.messages = (glslang_messages_t)messages,
		.resource = glslang_default_resource(),
	};
	glslang_shader_t *shader = glsl_start() ? glslang_shader_create(&input) : NULL;
	glslang_program_t *program = shader ? glslang_program_create() : NULL;
	if (program) {
		bool parsed = glslang_shader_preprocess(shader, &input) && glslang_shader_parse(shader, &input);
		add_lines(&out, glslang_shader_get_info_log(shader));
		if (!parsed) {
			status = GPU_NO_COMPILE;
		} else {
			glslang_program_add_shader(program, shader);
			bool linked = glslang_program_link(program, messages);
			add_lines(&out, glslang_program_get_info_log(program));
			status = linked ? generate(program, kind, words, count, &out) : GPU_NO_LINK;
		}
	}
	if (program)
		glslang_program_delete(program);
	if (shader)
		glslang_shader_delete(shader);
	gpu_log_give(&out, log);
	return status;
}

GpuStatus gpu_parse_glsl(const char *text, GpuStage stage, char **log)
{
	GpuLog out = { 0 };
	GpuStatus status = GPU_NO_MEMORY;
	glslang_input_t input = {
		.language = GLSLANG_SOURCE_GLSL,
		.stage = stage == GPU_COMPUTE ? GLSLANG_STAGE_COMPUTE : GLSLANG_STAGE_FRAGMENT,
		.client = GLSLANG_CLIENT_NONE,          /* OpenGL's own rules; as a client it would stand for its SPIR-V */
		.target_language = GLSLANG_TARGET_NONE,
		.code = text,
		.default_version = 100,
		.default_profile = GLSLANG_NO_PROFILE,
		.messages = GLSLANG_MSG_CASCADING_ERRORS_BIT,
		.resource = glslang_default_resource(),
	};
	glslang_shader_t *shader = glsl_start() ? glslang_shader_create(&input) : NULL;
	glslang_program_t *program = shader ? glslang_program_create() : NULL;
	if (program) {
		bool parsed = glslang_shader_preprocess(shader, &input) && glslang_shader_parse(shader, &input);
		add_lines(&out, glslang_shader_get_info_log(shader));
		status = GPU_NO_COMPILE;
		if (parsed) {
			glslang_program_add_shader(program, shader);
			status = glslang_program_link(program, GLSLANG_MSG_DEFAULT_BIT) ? GPU_OK : GPU_NO_LINK;
			add_lines(&out, glslang_program_get_info_log(program));
		}
	}
	if (program)
		glslang_program_delete(program);
	if (shader)
		glslang_shader_delete(shader);
	gpu_log_give(&out, log);
	return status;
}

/* ---- spirv-opt ---- */

static bool write_words(const char *path, const uint32_t *words, size_t count)
{
	FILE *f = fopen(path, "wb");
	if (!f)
		return false;
	bool ok = fwrite(words, sizeof *words, count, f) == count;
	return fclose(f) == 0 && ok;
}

static uint32_t *read_words(const char *path, size_t *count)
{
	FILE *f = fopen(path, "rb");
	if (!f)
		return NULL;
	uint32_t *words = NULL;
	long size = fseek(f, 0, SEEK_END) == 0 ? ftell(f) : -1;
	if (size > 0 && fseek(f, 0, SEEK_SET) == 0) {
		size_t n = (size_t)size / sizeof *words;
		words = malloc(n * sizeof *words);
		if (words && fread(words, sizeof *words, n, f) != n) {
			free(words);
			words = NULL;
		}
		*count = words ? n : 0;
	}
	fclose(f);
	return words;
}

static bool run_spirv_opt(char *in, char *out, GpuLog *log)
{
	char program[] = "spirv-opt", env[] = "--target-env=vulkan1.1", strip[] = "--strip-debug", level[] = "-O",
	     o[] = "-o";
	char *args[] = { program, env, strip, level, in, o, out, NULL };
	pid_t child;
	int state = 0;
	int failed = posix_spawnp(&child, program, NULL, NULL, args, environ);
	if (failed) {
		gpu_log_add(log, "cannot start spirv-opt: %s\n", strerror(failed));
		return false;
	}
	if (waitpid(child, &state, 0) != child || !WIFEXITED(state) || WEXITSTATUS(state)) {
		gpu_log_add(log, "spirv-opt failed\n");
		return false;
	}
	return true;
}

GpuStatus gpu_optimize(const uint32_t *words, size_t count, uint32_t **out_words, size_t *out_count, char **log)
{
	*out_words = NULL;
	*out_count = 0;
	GpuLog text = { 0 };
	GpuStatus status = GPU_NO_TOOL;
	char folder[] = "/tmp/noisegpu-XXXXXX";
	if (!mkdtemp(folder)) {
		gpu_log_add(&text, "cannot make a folder in /tmp\n");
	} else {
		char in[sizeof folder + 8], out[sizeof folder + 8];
		snprintf(in, sizeof in, "%s/in.spv", folder);
		snprintf(out, sizeof out, "%s/out.spv", folder);
		if (!write_words(in, words, count)) {
			gpu_log_add(&text, "cannot write %s\n", in);
		} else if (run_spirv_opt(in, out, &text)) {
			*out_words = read_words(out, out_count);
			status = *out_words ? GPU_OK : GPU_NO_MEMORY;
		}
		remove(in);
		remove(out);
		rmdir(folder);
	}
	gpu_log_give(&text, log);
	return status;
}
