/* A growing text, for the logs that the library hands out. */
#ifndef NOISEC_TESTS_GPU_LOG_H
#define NOISEC_TESTS_GPU_LOG_H

#include <stddef.h>

typedef struct GpuLog {
	char *s; /* NULL until something was added */
	size_t len, cap;
} GpuLog;

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void gpu_log_add(GpuLog *t, const char *format, ...); /* drops what does not fit in memory */

/* Hands the text over through log, as gpu.h promises, or frees it where log is NULL. */
void gpu_log_give(GpuLog *t, char **log);

#endif
