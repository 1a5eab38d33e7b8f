/* One dispatch: buffers in memory that host and device share, a command buffer, a wait, and the results copied back.
   Everything made here is freed here, so that a pipeline can run any number of times. */
#include "vk.h"

#include <stdlib.h>
#include <string.h>

typedef struct Slot {
	VkBuffer buffer;
	VkDeviceMemory memory;
	void *mapped;
} Slot;

static bool choose_memory(const Gpu *gpu, uint32_t allowed, uint32_t *type, GpuLog *log)
{
	const VkMemoryPropertyFlags need = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
	VkPhysicalDeviceMemoryProperties memory;
	vkGetPhysicalDeviceMemoryProperties(gpu->physical, &memory);
	for (uint32_t i = 0; i < memory.memoryTypeCount; i++) {
		if ((allowed >> i & 1u) && (memory.memoryTypes[i].propertyFlags & need) == need) {
			*type = i;
			return true;
		}
	}
	gpu_log_add(log, "%s has no memory that the host can map\n", gpu->properties.deviceName);
	return false;
}

static bool fits(const Gpu *gpu, const GpuBuffer *b, GpuLog *log)
{
	const VkPhysicalDeviceLimits *limits = &gpu->properties.limits;
	size_t most = b->kind == GPU_UNIFORM ? limits->maxUniformBufferRange : limits->maxStorageBufferRange;
	if (b->size == 0 || b->size % 4 || b->size > most) {
		gpu_log_add(log, "binding %u: %zu bytes; a multiple of 4 from 4 to %zu is needed\n",
			(unsigned)b->binding, b->size, most);
		return false;
	}
	return true;
}

static bool fill_slot(Gpu *gpu, const GpuBuffer *b, Slot *slot, GpuLog *log)
{
	VkBufferCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
		.size = b->size,
		.usage = (VkBufferUsageFlags)(b->kind == GPU_UNIFORM ? VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT
								     : VK_BUFFER_USAGE_STORAGE_BUFFER_BIT),
	};
	if (!fits(gpu, b, log) || !VK_OK(vkCreateBuffer(gpu->device, &info, NULL, &slot->buffer), log))
		return false;
	VkMemoryRequirements need;
	vkGetBufferMemoryRequirements(gpu->device, slot->buffer, &need);
	VkMemoryAllocateInfo memory = { .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = need.size };
	if (!choose_memory(gpu, need.memoryTypeBits, &memory.memoryTypeIndex, log) ||
		!VK_OK(vkAllocateMemory(gpu->device, &memory, NULL, &slot->memory), log) ||
		!VK_OK(vkBindBufferMemory(gpu->device, slot->buffer, slot->memory, 0), log) ||
		!VK_OK(vkMapMemory(gpu->device, slot->memory, 0, VK_WHOLE_SIZE, 0, &slot->mapped), log))
		return false;
	memcpy(slot->mapped, b->data, b->size);
	return true;
}

static void free_slots(Gpu *gpu, Slot *slots, size_t n)
{
	for (size_t i = 0; slots && i < n; i++) {
		vkDestroyBuffer(gpu->device, slots[i].buffer, NULL);
		vkFreeMemory(gpu->device, slots[i].memory, NULL); /* unmaps too */
	}
	free(slots);
}

static void bind_slot(GpuPipeline *p, const GpuBuffer *b, const Slot *slot)
{
	VkDescriptorBufferInfo info = { .buffer = slot->buffer, .offset = 0, .range = VK_WHOLE_SIZE };
	VkWriteDescriptorSet write = { .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
		.dstSet = p->set,
		.dstBinding = b->binding,
		.descriptorCount = 1,
		.descriptorType = vk_type(b->kind),
		.pBufferInfo = &info };
	vkUpdateDescriptorSets(p->gpu->device, 1, &write, 0, NULL);
}

static bool record(const GpuPipeline *p, VkCommandBuffer commands, uint32_t groups_x, GpuLog *log)
{
	VkCommandBufferBeginInfo begin = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
		.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT };
	if (!VK_OK(vkBeginCommandBuffer(commands, &begin), log))
		return false;
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, p->pipeline);
	vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, p->layout, 0, 1, &p->set, 0, NULL);
	vkCmdDispatch(commands, groups_x, 1, 1);
	VkMemoryBarrier written = { .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
		.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
		.dstAccessMask = VK_ACCESS_HOST_READ_BIT };
	vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &written,
		0, NULL, 0, NULL);
	return VK_OK(vkEndCommandBuffer(commands), log);
}

static bool submit(const GpuPipeline *p, uint32_t groups_x, GpuLog *log)
{
	Gpu *gpu = p->gpu;
	VkCommandBufferAllocateInfo info = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
		.commandPool = gpu->commands,
		.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
		.commandBufferCount = 1 };
	VkCommandBuffer commands;
	if (!VK_OK(vkAllocateCommandBuffers(gpu->device, &info, &commands), log))
		return false;
	VkSubmitInfo work = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands
	};
	bool ok = record(p, commands, groups_x, log) &&
		VK_OK(vkQueueSubmit(gpu->queue, 1, &work, VK_NULL_HANDLE), log) &&
		VK_OK(vkQueueWaitIdle(gpu->queue), log);
	vkFreeCommandBuffers(gpu->device, gpu->commands, 1, &commands);
	return ok;
}

bool vk_dispatch(GpuPipeline *p, const GpuBuffer *buffers, size_t n_buffers, uint32_t groups_x, GpuLog *log)
{
	Gpu *gpu = p->gpu;
	uint32_t most = gpu->properties.limits.maxComputeWorkGroupCount[0];
	if (groups_x > most) {
		gpu_log_add(log, "%u work groups; %s takes %u\n", (unsigned)groups_x, gpu_name(gpu), (unsigned)most);
		return false;
	}
	if (n_buffers != p->n_buffers) {
		gpu_log_add(log, "%zu buffers given to a pipeline made for %zu\n", n_buffers, p->n_buffers);
		return false;
	}
	Slot *slots = calloc(n_buffers + 1, sizeof *slots);
	bool ok = slots != NULL;
	for (size_t i = 0; ok && i < n_buffers; i++) {
		ok = fill_slot(gpu, &buffers[i], &slots[i], log);
		if (ok)
			bind_slot(p, &buffers[i], &slots[i]);
	}
	ok = ok && submit(p, groups_x, log);
	for (size_t i = 0; ok && i < n_buffers; i++)
		if (buffers[i].read_back)
			memcpy(buffers[i].data, slots[i].mapped, buffers[i].size);
	free_slots(gpu, slots, n_buffers);
	return ok;
}
