/* Finds a Vulkan driver by name or the first one that computes on the CPU, and opens it with one compute queue. */
#include "vk.h"

#include <stdlib.h>
#include <string.h>

bool vk_ok(VkResult result, const char *call, GpuLog *log)
{
	if (result != VK_SUCCESS)
		gpu_log_add(log, "%.*s: VkResult %d\n", (int)strcspn(call, "("), call, (int)result);
	return result == VK_SUCCESS;
}

static bool wanted(const VkPhysicalDeviceProperties *properties, const char *name)
{
	return name ? strstr(properties->deviceName, name) != NULL
		    : properties->deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
}

static bool create_instance(Gpu *gpu, GpuLog *log)
{
	VkApplicationInfo app = { .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
		.pApplicationName = "noisec tests",
		.apiVersion = VK_API_VERSION_1_1 };
	VkInstanceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &app };
	VkResult result = vkCreateInstance(&info, NULL, &gpu->instance);
	if (result == VK_ERROR_INCOMPATIBLE_DRIVER) {
		gpu_log_add(log, "no Vulkan driver is installed\n");
		return false;
	}
	return vk_ok(result, "vkCreateInstance", log);
}

static bool choose_physical(Gpu *gpu, const char *name, GpuLog *log)
{
	uint32_t n = 0;
	if (!VK_OK(vkEnumeratePhysicalDevices(gpu->instance, &n, NULL), log))
		return false;
	VkPhysicalDevice *devices = calloc(n + 1, sizeof *devices);
	if (!devices || !VK_OK(vkEnumeratePhysicalDevices(gpu->instance, &n, devices), log)) {
		free(devices);
		return false;
	}
	GpuLog seen = { 0 };
	for (uint32_t i = 0; i < n && !gpu->physical; i++) {
		VkPhysicalDeviceProperties properties;
		vkGetPhysicalDeviceProperties(devices[i], &properties);
		if (properties.apiVersion >= VK_API_VERSION_1_1 && wanted(&properties, name)) {
			gpu->physical = devices[i];
			gpu->properties = properties;
		}
		gpu_log_add(&seen, "%s%s", seen.len ? ", " : "", properties.deviceName);
	}
	if (!gpu->physical) {
		gpu_log_add(log, "no Vulkan 1.1 device %s%s (seen: %s)\n", name ? "named like " : "of type CPU",
			name ? name : "", seen.len ? seen.s : "none");
	}
	free(seen.s);
	free(devices);
	return gpu->physical != VK_NULL_HANDLE;
}

static bool choose_family(Gpu *gpu, GpuLog *log)
{
	VkQueueFamilyProperties families[16];
	uint32_t n = 16;
	vkGetPhysicalDeviceQueueFamilyProperties(gpu->physical, &n, families);
	for (uint32_t i = 0; i < n; i++) {
		if (families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) {
			gpu->family = i;
			return true;
		}
	}
	gpu_log_add(log, "%s has no compute queue\n", gpu->properties.deviceName);
	return false;
}

static bool has_extension(VkPhysicalDevice physical, const char *name)
{
	bool found = false;
	uint32_t n = 0;
	vkEnumerateDeviceExtensionProperties(physical, NULL, &n, NULL);
	VkExtensionProperties *list = calloc(n + 1, sizeof *list);
	if (list) {
		vkEnumerateDeviceExtensionProperties(physical, NULL, &n, list);
		for (uint32_t i = 0; i < n && !found; i++)
			found = strcmp(list[i].extensionName, name) == 0;
	}
	free(list);
	return found;
}

static bool create_device(Gpu *gpu, GpuLog *log)
{
	const char *const extensions[] = { VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME };
	VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR stats = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR,
		.pipelineExecutableInfo = VK_TRUE,
	};
	float priority = 1;
	VkDeviceQueueCreateInfo queue = { .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
		.queueFamilyIndex = gpu->family,
		.queueCount = 1,
		.pQueuePriorities = &priority };
	VkDeviceCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .queueCreateInfoCount = 1, .pQueueCreateInfos = &queue
	};
	gpu->has_stats = has_extension(gpu->physical, extensions[0]);
	if (gpu->has_stats) {
		info.pNext = &stats;
		info.enabledExtensionCount = 1;
		info.ppEnabledExtensionNames = extensions;
	}
	if (!VK_OK(vkCreateDevice(gpu->physical, &info, NULL, &gpu->device), log))
		return false;
	vkGetDeviceQueue(gpu->device, gpu->family, 0, &gpu->queue);
	VkCommandPoolCreateInfo pool = { .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
		.flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT,
		.queueFamilyIndex = gpu->family };
	return VK_OK(vkCreateCommandPool(gpu->device, &pool, NULL, &gpu->commands), log);
}

Gpu *gpu_open(const char *name, char **log)
{
	GpuLog text = { 0 };
	Gpu *gpu = calloc(1, sizeof *gpu);
	if (gpu &&
		!(create_instance(gpu, &text) && choose_physical(gpu, name, &text) && choose_family(gpu, &text) &&
			create_device(gpu, &text))) {
		gpu_close(gpu);
		gpu = NULL;
	}
	gpu_log_give(&text, log);
	return gpu;
}

void gpu_close(Gpu *gpu)
{
	if (!gpu)
		return;
	if (gpu->device) {
		vkDestroyCommandPool(gpu->device, gpu->commands, NULL);
		vkDestroyDevice(gpu->device, NULL);
	}
	if (gpu->instance)
		vkDestroyInstance(gpu->instance, NULL);
	free(gpu);
}

const char *gpu_name(const Gpu *gpu)
{
	return gpu->properties.deviceName;
}
