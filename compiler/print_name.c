/* Names and literals of a target: legal, not reserved, unique in their scope, and the same whatever the
   order of asking was elsewhere. */
#include <string.h>

#include "print.h"
#include "../runtime/num.h"

/* ---- names ---- */

static bool starts(const char *name, const char *with) { return !strncmp(name, with, strlen(with)); }

static bool reserved(const Dialect *d, const char *name)
{
	for (int i = 0; i < 3; i++) {
		for (const char *const *r = d->reserved[i]; r && *r; r++)
			if (!strcmp(*r, name))
				return true;
		for (const char *const *r = d->reserved_start[i]; r && *r; r++)
			if (starts(name, *r))
				return true;
	}
	return false;
}

const char *name_clean(Arena *arena, const Dialect *d, const char *wish)
{
	Text t = { .arena = arena };
	char last = 0;
	for (const char *c = wish; *c; c++) {
		char x = *c;
		bool fine = (x >= 'a' && x <= 'z') || (x >= 'A' && x <= 'Z') || (x >= '0' && x <= '9' && t.size) || x == '_';
		if (!fine)
			x = '_';
		if (x == '_' && (last == '_' || !t.size))
			continue;
		text_add_n(&t, &x, 1);
		last = x;
	}
	while (t.size && t.data[t.size - 1] == '_')
		t.data[--t.size] = 0;
	if (!t.size)
		text_add(&t, "v");
	/* a number may follow behind an underscore: gl would become gl_2 */
	return reserved(d, t.data) || reserved(d, text_print(arena, "%s_", t.data)) ? text_print(arena, "v_%s", t.data) : t.data;
}

static UsedName *find_name(const Names *n, const char *name)
{
	uint32_t h = 2166136261u;
	for (const char *c = name; *c; c++)
		h = (h ^ (unsigned char)*c) * 16777619u;
	size_t i = (h ^ h >> 15) & (n->size - 1);
	while (n->table[i].name && strcmp(n->table[i].name, name))
		i = (i + 1) & (n->size - 1);
	return &n->table[i];
}

static bool taken(const Names *n, const char *name)
{
	return n && n->size && find_name(n, name)->name;
}

static void reserve_names(Names *n)
{
	UsedName *old = n->table;
	size_t old_size = n->size;
	if (2 * (n->count + 1) < n->size)
		return;
	n->size = old_size ? 2 * old_size : 64;
	n->table = arena_alloc(n->arena, n->size * sizeof *n->table);
	for (size_t i = 0; i < old_size; i++)
		if (old[i].name)
			*find_name(n, old[i].name) = old[i];
}

const char *name_make(Names *n, const char *wish)
{
	const char *clean = name_clean(n->arena, n->dialect, wish), *name = clean;
	reserve_names(n);
	UsedName *base = find_name(n, clean), *place = base;
	unsigned number = base->name ? base->next : 2;
	while (place->name || taken(n->outer, name)) {
		name = text_print(n->arena, "%s_%u", clean, number++);
		place = find_name(n, name);
	}
	if (base->name)
		base->next = number;
	*place = (UsedName){ name, number };
	n->count++;
	return name;
}

/* ---- literals and types ---- */

void print_literal(const Dialect *d, Kind kind, uint32_t bits, Text *out)
{
	switch (kind) {
	case KIND_BOOL:
		text_add(out, bits ? "true" : "false");
		break;
	case KIND_INT:
		if (bits == 0x80000000u)
			text_add(out, d->int_min);
		else
			text_format(out, "%d", num_int(bits));
		break;
	case KIND_UINT:
		if (bits >= 0x10000u)
			text_format(out, "0x%x%s", (unsigned)bits, d->uint_suffix);
		else
			text_format(out, "%u%s", (unsigned)bits, d->uint_suffix);
		break;
	case KIND_FLOAT:
		text_float(out, num_from_bits(bits));
		text_add(out, d->float_suffix);
		break;
	}
}
