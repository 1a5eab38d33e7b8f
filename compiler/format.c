/* The public door to text.c's float printing, for tools that print results of programs. */
#include "cc.h"

size_t nz_format_float(char buffer[32], float value)
{
	Text text = { .data = buffer, .capacity = 32 };         /* has room for every float, so no arena is asked */
	text_float(&text, value);
	return text.size;
}
