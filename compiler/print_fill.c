/* Forms with holes. A hole is a $ and a word; no word of a form's holes begins another, so that letters may follow
   a hole directly. */
#include <assert.h>
#include <string.h>

#include "print.h"

void print_fill(Text *out, const char *form, const Hole *holes)
{
	for (const char *dollar; (dollar = strchr(form, '$')) != NULL;) {
		const Hole *hole = holes;
		while (hole->name && strncmp(hole->name, dollar + 1, strlen(hole->name)))
			hole++;
		assert(hole->name);             /* a form with a hole that nothing fills */
		text_add_n(out, form, (size_t)(dollar - form));
		text_add(out, hole->text);
		form = dollar + 1 + strlen(hole->name);
	}
	text_add(out, form);
}
