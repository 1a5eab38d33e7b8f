/* What the Vulkan files share: an open device, a pipeline, and how errors are told. */
#ifndef NOISEC_TESTS_GPU_VK_H
#define NOISEC_TESTS_GPU_VK_H

#include "gpu.h"
#include "log.h"

#include <vulkan/vulkan.h>

struct Gpu {
	VkInstance instance;
	VkPhysicalDevice physical;
	VkPhysicalDeviceProperties properties;
	VkDevice device;
	VkQueue queue;
	uint32_t family;
	VkCommandPool commands;
	bool has_stats; /* VK_KHR_pipeline_executable_properties is on */
};

struct GpuPipeline {
	Gpu *gpu;
	VkDescriptorSetLayout set_layout;
	VkPipelineLayout layout;
	VkPipeline pipeline;
	VkDescriptorPool pool;
	VkDescriptorSet set;
	size_t n_buffers;
};

/* True if the call went well; otherwise writes "CALL: VkResult N" to the log. */
bool vk_ok(VkResult result, const char *call, GpuLog *log);

#define VK_OK(call, log) vk_ok(call, #call, log)

/* Uploads the buffers, runs groups_x work groups, waits and reads back. */
bool vk_dispatch(GpuPipeline *p, const GpuBuffer *buffers, size_t n_buffers, uint32_t groups_x, GpuLog *log);

VkDescriptorType vk_type(GpuBufferKind kind);

#endif
