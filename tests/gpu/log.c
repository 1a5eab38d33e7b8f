/* A growing text. Out of memory loses text, never the call's result. */
#include "log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void gpu_log_add(GpuLog *t, const char *format, ...)
{
	va_list args, again;
	va_start(args, format);
	va_copy(again, args);
	int n = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (n > 0) {
		size_t need = t->len + (size_t)n + 1;
		if (need > t->cap) {
			size_t cap = need * 2;
			char *s = realloc(t->s, cap);
			if (s) {
				t->s = s;
				t->cap = cap;
			}
		}
		if (need <= t->cap) {
			vsnprintf(t->s + t->len, (size_t)n + 1, format, again);
			t->len += (size_t)n;
		}
	}
	va_end(again);
}

void gpu_log_give(GpuLog *t, char **log)
{
	if (log)
		*log = t->s ? t->s : calloc(1, 1);
	else
		free(t->s);
	*t = (GpuLog){ 0 };
}
