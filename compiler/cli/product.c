/* The outputs of a run. First they are named, then compared with what is read, then filled, then written: all
   of them or, where one fails, none but those on devices and pipes. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

/* The file's name without its folder and without what follows the last point. */
static size_t find_base(const char *file, const char **start)
{
	const char *slash = strrchr(file, '/');
	*start = strcmp(file, "-") == 0 || strcmp(file, "<stdin>") == 0 ? "noise" : slash != NULL ? slash + 1 : file;
	const char *dot = strrchr(*start, '.');
	return dot != NULL && dot != *start ? (size_t)(dot - *start) : strlen(*start);
}

char *name_product(const char *path, const char *file, const char *suffix, int *status)
{
	const char *base = "";
	size_t folder, size = 0;
	if (path == NULL || strcmp(path, "-") == 0)
		return NULL;
	folder = strlen(path);
	bool inside = folder == 0 || is_folder(path);
	if (inside)
		size = find_base(file, &base);
	char *result = malloc(folder + size + strlen(suffix) + 2);
	if (result == NULL) {
		*status = complain(STATUS_FILE, "out of memory");
		return NULL;
	}
	memcpy(result, path, folder + 1);
	if (folder > 0 && inside && path[folder - 1] != '/')
		result[folder++] = '/';
	if (inside) {
		memcpy(result + folder, base, size);
		strcpy(result + folder + size, suffix);
	}
	return result;
}

int add_product(Products *p, char *path, bool binary, size_t *index)
{
	if (p->count == p->capacity) {
		size_t capacity = p->capacity != 0 ? 2 * p->capacity : 8;
		Product *more = realloc(p->list, capacity * sizeof *more);
		if (more == NULL) {
			free(path);
			return complain(STATUS_FILE, "out of memory");
		}
		p->list = more;
		p->capacity = capacity;
	}
	*index = p->count++;
	p->list[*index] = (Product) { .path = path, .binary = binary };
	return STATUS_FINE;
}

int fill_product(Product *p, const char *data, size_t size)
{
	char *more = realloc(p->data, p->size + size + 1);
	if (more == NULL)
		return complain(STATUS_FILE, "out of memory");
	memcpy(more + p->size, data, size);
	p->data = more;
	p->size += size;
	return STATUS_FINE;
}

int check_products(const Products *p, const char *const *in, size_t ins)
{
	const char **out = calloc(p->count + 1, sizeof *out);
	if (out == NULL)
		return complain(STATUS_FILE, "out of memory");
	size_t outs = 0;
	for (size_t i = 0; i < p->count; i++)
		if (!p->list[i].unwanted)
			out[outs++] = p->list[i].path;
	int status = check_distinct(in, ins, out, outs);
	free(out);
	return status;
}

int write_products(const Products *p)
{
	OutFile *out = calloc(p->count + 1, sizeof *out);
	if (out == NULL)
		return complain(STATUS_FILE, "out of memory");
	int status = STATUS_FINE;
	size_t opened = 0;
	for (size_t k = 0; k < 2 * p->count && status == STATUS_FINE; k++) {    /* what cannot be taken back comes last */
		const Product *product = &p->list[k % p->count];
		if (product->unwanted || is_stream(product->path) != (k >= p->count))
			continue;
		status = open_out(&out[opened], product->path, product->binary);
		if (status == STATUS_FINE) {
			fwrite(product->data, 1, product->size, out[opened].file);
			status = seal_out(&out[opened++]);
		}
	}
	for (size_t i = 0; i < opened && status == STATUS_FINE; i++)
		status = place_out(&out[i]);
	for (size_t i = 0; i < opened; i++)
		drop_out(&out[i]);
	free(out);
	return status;
}

void free_products(Products *p)
{
	for (size_t i = 0; i < p->count; i++) {
		free(p->list[i].path);
		free(p->list[i].data);
	}
	free(p->list);
	*p = (Products) { 0 };
}
