/* Names and literals of a target: legal, not reserved, unique in their scope, and the same whatever the
   order of asking was elsewhere. */
#include <string.h>

#include "print.h"
#include "../runtime/num.h"

/* ---- names ---- */

/* Is `name`, with a '_' behind it if `underscore`, a word of the target? */
static bool reserved(const Dialect *d, const char *name, size_t size, bool underscore)
{
	size_t whole = size + underscore;
	for (int i = 0; i < 3; i++) {
		for (const char *const *r = d->reserved[i]; r && *r; r++)
			if (**r == *name && strlen(*r) == whole && !memcmp(*r, name, size) && (!underscore || (*r)[size] == '_'))
				return true;
		for (const char *const *r = d->reserved_start[i]; r && *r; r++) {
			size_t part = **r == *name ? strlen(*r) : whole + 1;
			if (part <= whole && !memcmp(*r, name, part < size ? part : size) && (part <= size || (*r)[size] == '_'))
				return true;
		}
	}
	return false;
}

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Letters, digits and single underscores between them. */
static bool is_clean(const char *name, size_t size)
{
	if (!is_letter(name[0]) || name[size - 1] == '_')
		return false;
	for (size_t i = 1; i < size; i++)
		if (!is_letter(name[i]) && !is_digit(name[i]) && (name[i] != '_' || name[i - 1] == '_'))
			return false;
	return true;
}

static const char *make_clean(Arena *arena, const char *wish)
{
	Text t = { .arena = arena };
	char last = 0;
	for (const char *c = wish; *c; c++) {
		char x = *c;
		if (!is_letter(x) && !(is_digit(x) && t.size))
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
	return t.data;
}

const char *name_clean(Arena *arena, const Dialect *d, const char *wish)
{
	size_t size = strlen(wish);
	const char *name = wish;
	if (!is_clean(wish, size)) {
		name = make_clean(arena, wish);
		size = strlen(name);
	}
	/* a number may follow behind an underscore: gl would become gl_2 */
	return reserved(d, name, size, false) || reserved(d, name, size, true) ? text_print(arena, "v_%s", name) : name;
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
	reserve_names(n);
	bool known = find_name(n, wish)->name != NULL;          /* what was made is clean */
	const char *clean = known ? wish : name_clean(n->arena, n->dialect, wish), *name = clean;
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
