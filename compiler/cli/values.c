/* Values of params, inputs and outputs as text. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

bool read_component(const nz_type *type, const char *text, nz_word *out)
{
	uint64_t whole;
	char *end;
	if (type->enumeration != NULL) {
		for (uint32_t i = 0; i < type->enumeration->count; i++)
			if (strcmp(type->enumeration->enumerators[i].name, text) == 0) {
				out->i = (int32_t)i;
				return true;
			}
		if (!read_uint(text, type->enumeration->count - 1, &whole))
			return false;
		out->i = (int32_t)whole;
		return true;
	}
	switch (type->kind) {
	case NZ_BOOL:
		out->u = strcmp(text, "true") == 0 || strcmp(text, "1") == 0;
		return out->u == 1 || strcmp(text, "false") == 0 || strcmp(text, "0") == 0;
	case NZ_INT: {
		errno = 0;
		bool hex = strncmp(text, "0x", 2) == 0;
		long long value = strtoll(text, &end, hex ? 16 : 10);
		if (*text == '\0' || strchr("0123456789-", *text) == NULL || *end != '\0' || errno != 0 || value < INT32_MIN || value > INT32_MAX)
			return false;
		out->i = (int32_t)value;
		return true;
	}
	case NZ_UINT:
		if (!read_uint(text, UINT32_MAX, &whole))
			return false;
		out->u = (uint32_t)whole;
		return true;
	default:
		return read_float(text, &out->f);
	}
}

bool read_value(const nz_type *type, const char *text, nz_word out[4])
{
	char piece[64];
	uint32_t count = 0;
	for (const char *at = text;; at++) {
		size_t size = strcspn(at, ",");
		if (size >= sizeof piece || count == type->width)
			return false;
		memcpy(piece, at, size);
		piece[size] = '\0';
		if (!read_component(type, piece, &out[count++]))
			return false;
		at += size;
		if (*at == '\0')
			break;
	}
	for (uint32_t i = 1; count == 1 && i < type->width; i++)
		out[i] = out[0];
	return count == 1 || count == type->width;
}

const char *name_type(const nz_type *type, char buffer[256])
{
	static const char *const scalar[4] = { "true or false", "a whole number", "a whole number from 0", "a number" };
	static const char *const vector[4] = { "bools", "ints", "uints", "numbers" };
	if (type->enumeration != NULL) {
		int size = snprintf(buffer, 256, "one of enum %.40s:", type->enumeration->name);
		for (uint32_t i = 0; i < type->enumeration->count; i++) {
			const char *name = type->enumeration->enumerators[i].name;
			if (size + (int)strlen(name) + 8 > 256) {
				strcpy(buffer + size, " ...");
				break;
			}
			size += snprintf(buffer + size, (size_t)(256 - size), "%s %s", i > 0 ? "," : "", name);
		}
	} else if (type->width == 1)
		snprintf(buffer, 256, "%s", scalar[type->kind]);
	else
		snprintf(buffer, 256, "%u %s with commas between", (unsigned)type->width, vector[type->kind]);
	return buffer;
}

void print_float(FILE *file, float value)
{
	char text[32];
	size_t size = nz_format_float(text, value == 0.0f ? 0.0f : value);
	if (size > 2 && strcmp(text + size - 2, ".0") == 0)
		text[size - 2] = '\0';
	fputs(text, file);
}

void print_component(FILE *file, const nz_type *type, nz_word word, bool quote)
{
	const nz_enumeration *e = type->enumeration;
	if (e != NULL && word.u < e->count)
		fprintf(file, quote ? "\"%s\"" : "%s", e->enumerators[word.u].name);
	else if (type->kind == NZ_BOOL)
		fputs(word.u != 0 ? "true" : "false", file);
	else if (type->kind == NZ_INT)
		fprintf(file, "%ld", (long)word.i);
	else if (type->kind == NZ_UINT)
		fprintf(file, "%lu", (unsigned long)word.u);
	else
		print_float(file, word.f);
}
