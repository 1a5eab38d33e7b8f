/* Compute pipelines: made once, run many times, and the statistics a driver keeps about them. */
#include "vk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BUFFERS = 64 };

VkDescriptorType vk_type(GpuBufferKind kind)
{
	return kind == GPU_UNIFORM ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
}

static bool create_layout(GpuPipeline *p, const GpuBuffer *buffers, size_t n_buffers, GpuLog *log)
{
	VkDevice device = p->gpu->device;
	VkDescriptorSetLayoutBinding bindings[MAX_BUFFERS];
	uint32_t n = (uint32_t)n_buffers;
	for (uint32_t i = 0; i < n; i++) {
		bindings[i] = (VkDescriptorSetLayoutBinding){ .binding = buffers[i].binding,
			.descriptorType = vk_type(buffers[i].kind),
			.descriptorCount = 1,
			.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT };
	}
	VkDescriptorSetLayoutCreateInfo set = {
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = n, .pBindings = bindings
	};
	if (!VK_OK(vkCreateDescriptorSetLayout(device, &set, NULL, &p->set_layout), log))
		return false;
	VkPipelineLayoutCreateInfo layout = { .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
		.setLayoutCount = 1,
		.pSetLayouts = &p->set_layout };
	return VK_OK(vkCreatePipelineLayout(device, &layout, NULL, &p->layout), log);
}

static bool create_pipeline(GpuPipeline *p, const uint32_t *words, size_t count, GpuLog *log)
{
	VkDevice device = p->gpu->device;
	VkShaderModuleCreateInfo module_info = {
		.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = count * sizeof *words, .pCode = words
	};
	VkShaderModule module;
	if (!VK_OK(vkCreateShaderModule(device, &module_info, NULL, &module), log))
		return false;
	VkComputePipelineCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
		.flags = p->gpu->has_stats ? VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR : 0,
		.stage = { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
			.stage = VK_SHADER_STAGE_COMPUTE_BIT,
			.module = module,
			.pName = "main" },
		.layout = p->layout,
	};
	bool ok = VK_OK(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, NULL, &p->pipeline), log);
	vkDestroyShaderModule(device, module, NULL);
	return ok;
}

static bool create_set(GpuPipeline *p, size_t n_buffers, GpuLog *log)
{
	VkDescriptorPoolSize sizes[] = { { VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, (uint32_t)n_buffers + 1 },
		{ VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, (uint32_t)n_buffers + 1 } };
	VkDescriptorPoolCreateInfo pool = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
		.maxSets = 1,
		.poolSizeCount = 2,
		.pPoolSizes = sizes };
	if (!VK_OK(vkCreateDescriptorPool(p->gpu->device, &pool, NULL, &p->pool), log))
		return false;
	VkDescriptorSetAllocateInfo set = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
		.descriptorPool = p->pool,
		.descriptorSetCount = 1,
		.pSetLayouts = &p->set_layout };
	return VK_OK(vkAllocateDescriptorSets(p->gpu->device, &set, &p->set), log);
}

GpuPipeline *gpu_pipeline_create(
	Gpu *gpu, const uint32_t *words, size_t count, const GpuBuffer *buffers, size_t n_buffers, char **log)
{
	GpuLog text = { 0 };
	GpuPipeline *p = NULL;
	if (n_buffers > MAX_BUFFERS)
		gpu_log_add(&text, "%zu buffers; the most is %d\n", n_buffers, MAX_BUFFERS);
	else
		p = calloc(1, sizeof *p);
	if (p) {
		p->gpu = gpu;
		p->n_buffers = n_buffers;
		if (!(create_layout(p, buffers, n_buffers, &text) && create_pipeline(p, words, count, &text) &&
			    create_set(p, n_buffers, &text))) {
			gpu_pipeline_destroy(p);
			p = NULL;
		}
	}
	gpu_log_give(&text, log);
	return p;
}

void gpu_pipeline_destroy(GpuPipeline *p)
{
	if (!p)
		return;
	VkDevice device = p->gpu->device;
	vkDestroyDescriptorPool(device, p->pool, NULL); /* frees the set too */
	vkDestroyPipeline(device, p->pipeline, NULL);
	vkDestroyPipelineLayout(device, p->layout, NULL);
	vkDestroyDescriptorSetLayout(device, p->set_layout, NULL);
	free(p);
}

GpuStatus gpu_pipeline_run(GpuPipeline *p, const GpuBuffer *buffers, size_t n_buffers, uint32_t groups_x, char **log)
{
	GpuLog text = { 0 };
	bool ok = vk_dispatch(p, buffers, n_buffers, groups_x, &text);
	gpu_log_give(&text, log);
	return ok ? GPU_OK : GPU_NO_DEVICE;
}

GpuStatus gpu_run(Gpu *gpu, const uint32_t *words, size_t count, const GpuBuffer *buffers, size_t n_buffers,
	uint32_t groups_x, char **log)
{
	GpuPipeline *p = gpu_pipeline_create(gpu, words, count, buffers, n_buffers, log);
	if (!p)
		return GPU_NO_DEVICE;
	if (log)
		free(*log);
	GpuStatus status = gpu_pipeline_run(p, buffers, n_buffers, groups_x, log);
	gpu_pipeline_destroy(p);
	return status;
}

/* ---- statistics ---- */

static double stat_value(const VkPipelineExecutableStatisticKHR *s)
{
	switch (s->format) {
	case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_BOOL32_KHR:
		return s->value.b32 ? 1 : 0;
	case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_INT64_KHR:
		return (double)s->value.i64;
	case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR:
		return (double)s->value.u64;
	default:
		return s->value.f64;
	}
}

GpuStatus gpu_stats(GpuPipeline *p, GpuStat **stats, size_t *n_stats, char **log)
{
	*stats = NULL;
	*n_stats = 0;
	GpuLog text = { 0 };
	GpuStatus status = GPU_NO_DEVICE;
	VkDevice device = p->gpu->device;
	PFN_vkGetPipelineExecutableStatisticsKHR get = p->gpu->has_stats
		? (PFN_vkGetPipelineExecutableStatisticsKHR)vkGetDeviceProcAddr(
			  device, "vkGetPipelineExecutableStatisticsKHR")
		: NULL;
	VkPipelineExecutableInfoKHR which = { .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR,
		.pipeline = p->pipeline };
	uint32_t n = 0;
	if (!get) {
		gpu_log_add(&text, "%s keeps no pipeline statistics\n", gpu_name(p->gpu));
	} else if (vk_ok(get(device, &which, &n, NULL), "vkGetPipelineExecutableStatisticsKHR", &text)) {
		VkPipelineExecutableStatisticKHR *raw = calloc(n + 1, sizeof *raw);
		GpuStat *list = calloc(n + 1, sizeof *list);
		for (uint32_t i = 0; raw && i < n; i++)
			raw[i].sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR;
		if (!raw || !list) {
			status = GPU_NO_MEMORY;
		} else if (vk_ok(get(device, &which, &n, raw), "vkGetPipelineExecutableStatisticsKHR", &text)) {
			for (uint32_t i = 0; i < n; i++) {
				snprintf(list[i].name, sizeof list[i].name, "%s", raw[i].name);
				list[i].value = stat_value(&raw[i]);
			}
			*stats = list;
			*n_stats = n;
			list = NULL;
			status = GPU_OK;
		}
		free(list);
		free(raw);
	}
	gpu_log_give(&text, log);
	return status;
}
