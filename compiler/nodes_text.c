/* The catalogue as text for a terminal and as a page of Markdown. */
#include <string.h>

#include "nodes.h"
#include "../runtime/num.h"

/* ---- pieces ---- */

static const char *dimensions_text(Arena *arena, unsigned mask)
{
	Text t = { .arena = arena };
	if (mask == 15)
		return "1-D to 4-D";
	for (int d = 1; d <= 4; d++)
		if (mask & 1u << (d - 1))
			text_format(&t, "%s%d-D", t.size ? ", " : "", d);
	return t.data ? t.data : "";
}

static void add_bound(Text *out, Kind kind, float x)
{
	if (kind == KIND_FLOAT)
		text_float(out, x);
	else if (kind == KIND_INT)
		text_format(out, "%d", x >= 2147483648.0f ? 2147483647 : (int)x);
	else
		text_format(out, "%u", x >= 4294967296.0f ? 4294967295u : (unsigned)x);
}

static void add_bounds(const char *before, Kind kind, Bounds b, Text *out)
{
	bool low = b.low > -NUM_FLOAT_MAX, high = b.high < NUM_FLOAT_MAX;
	text_format(out, "%s%s", before, low && high ? "in " : low ? "at least " : "at most ");
	if (low)
		add_bound(out, kind, b.low);
	text_add(out, low && high ? " .. " : "");
	if (high)
		add_bound(out, kind, b.high);
}

static void add_result(const NodeResult *r, Text *out)
{
	text_add(out, r->type);
	if (r->bounded)
		add_bounds(" ", r->kind, r->bounds, out);
	if (r->narrowed) {
		add_bounds(r->bounded ? "; " : " ", r->kind, r->narrow, out);
		text_add(out, " for numbers in -1 .. 1");
	}
}

enum { LINE = 112 };

/* Words in lines; what follows the first is indented by `indent`, and `column` letters stand in the first already. */
static void add_wrapped(const char *text, size_t column, size_t indent, Text *out)
{
	while (*text) {
		size_t n = strcspn(text, " \n");
		if (n && column + 1 + n > LINE && column > indent) {
			text_add(out, "\n");
			for (column = 0; column < indent; column++)
				text_add(out, " ");
		} else if (n && column > indent) {
			text_add(out, " ");
			column++;
		}
		text_add_n(out, text, n);
		column += n;
		text += n + (text[n] != '\0');
	}
	text_add(out, "\n");
}

/* Do all dimensions and options give the same? */
static bool is_uniform(const Node *n) { return n->results && !n->results->next && !n->results->option && !n->results->operands; }

static const char *result_label(Arena *arena, const Node *n, const NodeResult *r)
{
	bool same = true;
	for (const NodeResult *o = n->results; o; o = o->next)
		same = same && o->dimensions == n->results->dimensions;
	if (r->operands)
		return r->operands;
	return r->option && same ? r->option : r->option ? text_print(arena, "%s, %s", r->option, dimensions_text(arena, r->dimensions))
	                                                  : dimensions_text(arena, r->dimensions);
}

static unsigned served(const Node *n)
{
	unsigned mask = 0;
	for (const NodeSignature *s = n->signatures; s; s = s->next)
		mask |= s->dimensions;
	return mask;
}

static void pad(Text *out, const char *word, size_t width)
{
	text_add(out, word);
	for (size_t n = strlen(word); n < width; n++)
		text_add(out, " ");
	text_add(out, "  ");
}

static void add_paragraphs(const char *text, const char *indent, Text *out)
{
	for (const char *line = text; *line; line += *line == '\n') {
		size_t n = strcspn(line, "\n");
		if (n)
			text_format(out, "%s%.*s", indent, (int)n, line);
		text_add(out, "\n");
		line += n;
	}
}

/* What an argument is when none is written of it: nothing; else how it may be left out and where it lies. */
static const char *argument_facts(Arena *arena, const NodeArgument *a)
{
	Text t = { .arena = arena };
	if (a->type)
		text_add(&t, a->type);
	if (a->low)
		text_format(&t, "%s%s .. %s", t.size ? ", " : "", a->low, a->high);
	if (a->value)
		text_format(&t, "%s%s by default", t.size ? ", " : "", a->value);
	if (a->field)
		text_format(&t, "%sa field", t.size ? ", " : "");
	return t.data ? t.data : "";
}

/* Every argument once, with the most that an overload says of it. */
static const NodeArgument *arguments_of(Arena *arena, const Node *n)
{
	NodeArgument *list = NULL, **tail = &list;
	for (const NodeSignature *s = n->signatures; s; s = s->next)
		for (const NodeArgument *a = s->args; a; a = a->next) {
			const NodeArgument *o = list;
			while (o && (strcmp(o->name, a->name) || strcmp(argument_facts(arena, o), argument_facts(arena, a)) || (o->doc && a->doc && strcmp(o->doc, a->doc))))
				o = o->next;
			if (!o) {
				*tail = arena_alloc(arena, sizeof **tail);
				**tail = *a;
				(*tail)->next = NULL;
				tail = &(*tail)->next;
			}
		}
	return list;
}

/* The signature without the dimension, for lists; overloads that differ in it alone are one line. */
static const char *short_signature(Arena *arena, const NodeSignature *s)
{
	const char *at = strstr(s->text, ") at ");
	if (!at || !s->fn)
		return s->text;
	const char *rest = strchr(at + 5, ' ');
	return text_print(arena, "%.*s%s", (int)(at + 1 - s->text), s->text, rest ? rest : "");
}

static void add_signatures(Arena *arena, const Node *n, const char *indent, Text *out)
{
	for (const NodeSignature *s = n->signatures; s; s = s->next) {
		unsigned dimensions = 0;
		bool told = false;
		for (const NodeSignature *o = n->signatures; o; o = o->next)
			if (!strcmp(short_signature(arena, o), short_signature(arena, s))) {
				told = told || (o->dimensions < s->dimensions && dimensions) || (dimensions && o == s);
				dimensions |= o->dimensions;
			}
		if (told)
			continue;
		text_format(out, "%s%s", indent, short_signature(arena, s));
		if (s->fn && dimensions != 15)
			text_format(out, "   [%s]", dimensions_text(arena, dimensions));
		text_add(out, "\n");
	}
}

/* ---- the terminal ---- */

void nodes_print_list(Arena *arena, const Node *list, Text *out)
{
	for (const Node *n = list, *before = NULL; n; before = n, n = n->next) {
		if (!before || strcmp(before->group, n->group))
			text_format(out, "%s%s: %s\n", before ? "\n" : "", n->group, n->group_title);
		if (n->kind == NODE_ENUM)
			text_format(out, "  enum %s\n", n->name);
		else
			add_signatures(arena, n, "  ", out);
		text_format(out, "      %s%s\n", node_sentence(arena, n->doc.text), n->absent ? " Not in this version." : "");
	}
}

static Text *add_label(const char *label, Text *out)
{
	text_add(out, label);
	return out;
}

static void print_enumerators(const Node *n, Text *out)
{
	size_t width = 0;
	for (const Enumerator *e = n->decl->enumerators; e; e = e->next)
		width = strlen(e->name) > width ? strlen(e->name) : width;
	for (const Enumerator *e = n->decl->enumerators; e; e = e->next) {
		text_add(out, "  ");
		pad(out, e->name, width);
		text_format(out, "%s\n", e->doc ? e->doc : "");
	}
}

static void print_arguments(Arena *arena, const Node *n, Text *out)
{
	const NodeArgument *args = arguments_of(arena, n);
	size_t width = 0;
	for (const NodeArgument *a = args; a; a = a->next)
		width = strlen(a->name) > width ? strlen(a->name) : width;
	text_add(out, args ? "\narguments:\n" : "");
	for (const NodeArgument *a = args; a; a = a->next) {
		const char *facts = argument_facts(arena, a);
		text_add(out, "  ");
		pad(out, a->name, width);
		add_wrapped(text_print(arena, "%s%s%s", facts, *facts ? ". " : "", a->doc ? a->doc : ""), width + 4, width + 4, out);
	}
}

static void print_results(Arena *arena, const Node *n, Text *out)
{
	size_t width = 0;
	if (n->types)
		text_format(out, "\ntypes: %s\n", n->types);
	if (!n->results)
		return;
	if (is_uniform(n)) {
		text_add(out, "\nresult: ");
		add_result(n->results, out);
		text_add(out, "\n");
		return;
	}
	for (const NodeResult *r = n->results; r; r = r->next) {
		size_t size = strlen(result_label(arena, n, r));
		width = size > width ? size : width;
	}
	text_add(out, "\nresult, with its proved bounds:\n");
	for (const NodeResult *r = n->results; r; r = r->next) {
		text_add(out, "  ");
		pad(out, result_label(arena, n, r), width);
		add_result(r, out);
		text_format(out, "%s%s\n", r->doc ? ": " : "", r->doc ? r->doc : "");
	}
}

void nodes_print_one(Arena *arena, const Node *n, Text *out)
{
	if (n->kind == NODE_ENUM) {
		text_format(out, "enum %s   (library/%s.noise)\n\n", n->name, n->group);
		add_paragraphs(n->doc.text, "  ", out);
		text_add(out, "\n");
		print_enumerators(n, out);
		if (n->users)
			text_format(out, "\ntaken by: %s\n", n->users);
		return;
	}
	add_signatures(arena, n, "", out);
	if (n->kind == NODE_FUNCTION)
		text_format(out, "  library/%s.noise, %s%s%s\n", n->group, dimensions_text(arena, served(n)), n->doc.helper ? "; helper of " : "", n->doc.helper ? n->doc.helper : "");
	else
		text_format(out, "  %s\n", n->absent ? "a form of the language; not in this version" : n->kind == NODE_FORM ? "a form of the language"
			: n->doc.helper ? "an operation, for the library only" : "an operation, per component on vectors");
	if (n->kind == NODE_FORM) {
		text_add(out, "\n  ");
		add_wrapped(n->doc.text, 2, 2, out);
	} else if (n->kind == NODE_FUNCTION) {
		text_add(out, "\n");
		add_paragraphs(n->doc.text, "  ", out);
	}
	for (const NodeSignature *s = n->signatures; s; s = s->next)
		if (s->doc && s->fn) {
			text_format(out, "\n  at %s:\n", s->fn->at.name ? s->fn->at.name : "other dimensions");
			add_paragraphs(s->doc, "  ", out);
		}
	print_arguments(arena, n, out);
	if (n->form && !n->absent)
		text_format(out, "\nresult: %s\n", n->form->result);
	print_results(arena, n, out);
	if (n->doc.source)
		add_wrapped(n->doc.source, 8, 8, add_label("\nsource: ", out));
	if (n->also)
		add_wrapped(n->also, 13, 13, add_label("\nalso called: ", out));
	if (n->doc.example)
		text_format(out, "\nexample:\n  output a = %s\n", n->doc.example);
}

/* ---- Markdown ---- */

/* Text for a cell of a table or a paragraph: no line breaks, no signs that Markdown reads. */
static void add_escaped(const char *text, Text *out)
{
	bool code = false;
	for (const char *c = text; *c; c++) {
		code ^= *c == '`';
		if (*c == '\n')
			text_add(out, " ");
		else {
			if (*c == '|' || (!code && strchr("*_<", *c)))
				text_add(out, "\\");
			text_add_n(out, c, 1);
		}
	}
}

static void markdown_function(Arena *arena, const Node *n, Text *out)
{
	text_format(out, "### %s\n\n```text\n", n->name);
	add_signatures(arena, n, "", out);
	text_add(out, "```\n\n");
	add_escaped(n->doc.text, out);
	text_add(out, "\n");
	for (const NodeSignature *s = n->signatures; s; s = s->next)
		if (s->doc && s->fn) {
			text_format(out, "\n*at %s*: ", s->fn->at.name ? s->fn->at.name : "other dimensions");
			add_escaped(s->doc, out);
			text_add(out, "\n");
		}
	const NodeArgument *args = arguments_of(arena, n);
	text_add(out, args ? "\n" : "");
	for (const NodeArgument *a = args; a; a = a->next) {
		const char *facts = argument_facts(arena, a);
		text_format(out, "* `%s`%s%s%s: ", a->name, *facts ? " (" : "", facts, *facts ? ")" : "");
		add_escaped(a->doc ? a->doc : "", out);
		text_add(out, "\n");
	}
	if (n->form && !n->absent)
		text_format(out, "\nResult: %s.\n", n->form->result);
	if (n->absent)
		text_add(out, "\nNot in this version.\n");
	if (n->types)
		text_format(out, "\nTypes: `%s`.\n", n->types);
	if (is_uniform(n)) {
		text_add(out, "\nResult: ");
		add_result(n->results, out);
		text_add(out, ".\n");
	} else if (n->results) {
		text_add(out, "\n| | result, with its proved bounds |\n|---|---|\n");
		for (const NodeResult *r = n->results; r; r = r->next) {
			text_format(out, "| %s | ", result_label(arena, n, r));
			add_result(r, out);
			text_add(out, " |\n");
		}
	}
	if (n->doc.source) {
		text_add(out, "\nSource: ");
		add_escaped(n->doc.source, out);
		text_add(out, "\n");
	}
	if (n->doc.example)
		text_format(out, "\n```noise\noutput a = %s\n```\n", n->doc.example);
	text_add(out, "\n");
}

static void markdown_operation(Arena *arena, const Node *n, Text *out)
{
	(void)arena;
	for (const NodeSignature *s = n->signatures; s; s = s->next) {
		const NodeResult *r = n->results;
		for (const NodeSignature *o = n->signatures; o != s; o = o->next)
			r = r->next;
		text_add(out, "| `");
		for (const char *c = s->text; *c; c++)
			text_add(out, *c == '|' ? "\\|" : (char[2]){ *c, '\0' });
		text_format(out, "` | %s | ", r->operands);
		add_result(r, out);
		text_add(out, " | ");
		add_escaped(s->row->doc, out);
		text_add(out, " |\n");
	}
}

void nodes_print_markdown(Arena *arena, const Node *list, Text *out)
{
	text_add(out, "# Nodes, forms and operations\n\nWritten by `noisec nodes --markdown` from the library, the table of forms and the table of\n"
		"operations; a test compares. Bounds are those that the compiler proves, by the rule of `range`, for every\nposition, seed and argument.\n");
	for (const Node *n = list, *before = NULL; n; before = n, n = n->next) {
		if (!before || strcmp(before->group, n->group)) {
			text_format(out, "\n## %s\n\n", n->group);
			add_escaped(n->group_title, out);
			text_add(out, n->kind == NODE_OPERATION ? "\n\n| | operands | result | |\n|---|---|---|---|\n" : "\n\n");
		}
		if (n->kind == NODE_OPERATION) {
			markdown_operation(arena, n, out);
		} else if (n->kind == NODE_ENUM) {
			text_format(out, "### enum %s\n\n", n->name);
			add_escaped(n->doc.text, out);
			text_format(out, " Taken by %s.\n\n| | |\n|---|---|\n", n->users ? n->users : "no function");
			for (const Enumerator *e = n->decl->enumerators; e; e = e->next) {
				text_format(out, "| `%s` | ", e->name);
				add_escaped(e->doc ? e->doc : "", out);
				text_add(out, " |\n");
			}
			text_add(out, "\n");
		} else {
			markdown_function(arena, n, out);
		}
	}
}
