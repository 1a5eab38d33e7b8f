/* The table of codes, and which of its warnings are told. */
#include "cc.h"

#include <string.h>

static const nz_code codes[] = {
#define CODE(ID, TITLE, TEXT, WRONG, RIGHT) { #ID, NULL, false, TITLE, TEXT, WRONG, RIGHT },
#define WARNING(ID, NAME, DEFAULT, TITLE, TEXT, WRONG, RIGHT) { #ID, NAME, DEFAULT, TITLE, TEXT, WRONG, RIGHT },
#include "codes.def"
#undef CODE
#undef WARNING
};
enum { CODES = sizeof codes / sizeof *codes };
_Static_assert((int)CODES <= (int)MOST_CODES, "WarningSet has room for each row");

const nz_code *code_find(const char *name)
{
	for (int i = 0; i < CODES; i++)
		if (strcmp(codes[i].code, name) == 0 || (codes[i].warning && strcmp(codes[i].warning, name) == 0))
			return &codes[i];
	return NULL;
}

/* ---- which warnings ---- */

WarningSet warning_defaults(void)
{
	WarningSet set = { .none = false };
	for (int i = 0; i < CODES; i++)
		set.on[i] = codes[i].by_default;
	return set;
}

static const nz_code *find_warning(const char *name)
{
	const nz_code *found = code_find(name);
	return found && found->warning ? found : NULL;
}

/* "all" leaves out what is as often meant as not, when it is turned on. */
static void turn(WarningSet *set, const char *group, bool on)
{
	for (int i = 0; i < CODES; i++) {
		const char *name = codes[i].warning;
		bool unused = name && strncmp(name, "unused-", 7) == 0;
		if (name && (unused || (strcmp(group, "all") == 0 && (!on || strcmp(name, "shadow") != 0))))
			set->on[i] = on;
	}
}

bool warning_choose(WarningSet *set, const char *option)
{
	bool on = strncmp(option, "no-", 3) != 0;
	const char *name = on ? option : option + 3;
	const nz_code *one = find_warning(strncmp(name, "error=", 6) == 0 ? name + 6 : name);
	if (strcmp(option, "none") == 0) {
		set->none = true;
	} else if (strcmp(name, "error") == 0) {
		set->all_errors = on;
	} else if (strcmp(name, "all") == 0 || strcmp(name, "unused") == 0) {
		turn(set, name, on);
	} else if (one && strncmp(name, "error=", 6) == 0) {
		set->error[one - codes] = on ? 1 : -1;
		set->on[one - codes] |= on;
	} else if (one) {
		set->on[one - codes] = on;
	} else {
		return false;
	}
	return true;
}

const char *warning_nearest(const char *option)
{
	const char *names[CODES + 4];
	size_t count = 0;
	const char *name = strncmp(option, "no-", 3) == 0 ? option + 3 : option;
	if (strncmp(name, "error=", 6) == 0)
		name += 6;
	for (int i = 0; i < CODES; i++)
		if (codes[i].warning)
			names[count++] = codes[i].warning;
	names[count++] = "all";
	names[count++] = "error";
	names[count++] = "unused";
	return diag_nearest(name, names, count);
}

Wish warning_wish(const Diagnostics *diagnostics, const char *code)
{
	WarningSet defaults = warning_defaults();
	const WarningSet *set = diagnostics->wanted ? diagnostics->wanted : &defaults;
	const nz_code *row = code_find(code);
	size_t i = row ? (size_t)(row - codes) : 0;
	if (!row || !row->warning || set->none || !set->on[i])
		return WISH_NONE;
	return set->error[i] > 0 || (set->error[i] == 0 && set->all_errors) ? WISH_ERROR : WISH_WARNING;
}

/* ---- for people: noisec.h ---- */

size_t nz_count_codes(void)
{
	return CODES;
}

const nz_code *nz_get_code(size_t index)
{
	return index < CODES ? &codes[index] : NULL;
}

const nz_code *nz_find_code(const char *code_or_warning)
{
	return code_find(code_or_warning);
}
