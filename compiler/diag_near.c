/* What may have been meant by a name that is unknown: the nearest of those that exist. For names of at most
   63 bytes; longer ones are near to nothing. */
#include "cc.h"

#include <string.h>

enum { LONGEST_NAME = 63 };

static int lower(char c)
{
	return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

static int least(int a, int b)
{
	return a < b ? a : b;
}

/* Damerau-Levenshtein distance, adjacent swaps only; a change of case costs nothing. */
static int distance(const char *a, int a_size, const char *b, int b_size)
{
	int rows[3][LONGEST_NAME + 1];
	int *before = rows[0], *above = rows[1], *row = rows[2];
	for (int j = 0; j <= b_size; j++)
		above[j] = before[j] = j;
	for (int i = 1; i <= a_size; i++) {
		row[0] = i;
		for (int j = 1; j <= b_size; j++) {
			bool same = lower(a[i - 1]) == lower(b[j - 1]);
			row[j] = least(above[j - 1] + !same, least(above[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]))
				row[j] = least(row[j], before[j - 2] + 1);
		}
		int *oldest = before;
		before = above;
		above = row;
		row = oldest;
	}
	return above[b_size];
}

/* Names of one or two letters are near only to themselves in other case: anything else would guess. */
const char *diag_nearest(const char *name, const char *const *candidates, size_t count)
{
	size_t size = strlen(name);
	if (size > LONGEST_NAME)
		return NULL;
	int limit = size < 3 ? 0 : size < 6 ? 1 : (int)size / 3;
	const char *nearest = NULL;
	for (size_t i = 0; i < count; i++) {
		size_t other = strlen(candidates[i]);
		if (other > LONGEST_NAME || strcmp(name, candidates[i]) == 0)
			continue;
		int found = distance(name, (int)size, candidates[i], (int)other);
		if (found > limit || (nearest && found == limit))
			continue;
		nearest = candidates[i];
		limit = found;
	}
	return nearest;
}

const char *nz_find_nearest(const char *name, const char *const *names, size_t count)
{
	return diag_nearest(name, names, count);
}
