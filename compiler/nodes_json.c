/* The catalogue as JSON for editors. Within a "version" members are only ever added. */
#include <string.h>

#include "nodes.h"
#include "../runtime/num.h"

static void add_string(Text *out, const char *text)
{
	if (!text) {
		text_add(out, "null");
		return;
	}
	text_add(out, "\"");
	for (const char *c = text; *c; c++)
		if (*c == '"' || *c == '\\')
			text_format(out, "\\%c", *c);
		else if (*c == '\n')
			text_add(out, "\\n");
		else if ((unsigned char)*c < 32)
			text_format(out, "\\u00%c%c", "0123456789abcdef"[*c >> 4], "0123456789abcdef"[*c & 15]);
		else
			text_add_n(out, c, 1);
	text_add(out, "\"");
}

static void add_member(Text *out, const char *name, const char *text)
{
	text_format(out, ", \"%s\": ", name);
	add_string(out, text);
}

static void add_dimensions(Text *out, unsigned mask)
{
	bool any = false;
	text_add(out, ", \"dimensions\": [");
	for (int d = 1; d <= 4; d++)
		if (mask & 1u << (d - 1)) {
			text_format(out, "%s%d", any ? ", " : "", d);
			any = true;
		}
	text_add(out, "]");
}

static void add_signature(const NodeSignature *s, Text *out)
{
	text_add(out, "        { \"text\": ");
	add_string(out, s->text);
	add_dimensions(out, s->dimensions);
	if (s->doc)
		add_member(out, "doc", s->doc);
	text_add(out, ", \"arguments\": [");
	for (const NodeArgument *a = s->args; a; a = a->next) {
		text_add(out, "\n          { \"name\": ");
		add_string(out, a->name);
		add_member(out, "type", a->type);
		add_member(out, "default", a->value);
		add_member(out, "low", a->low);
		add_member(out, "high", a->high);
		add_member(out, "doc", a->doc);
		text_format(out, ", \"field\": %s }%s", a->field ? "true" : "false", a->next ? "," : "\n        ");
	}
	text_format(out, "] }%s\n", s->next ? "," : "");
}

static void add_bound(const NodeResult *r, const char *name, float x, bool there, Text *out)
{
	text_format(out, ", \"%s\": ", name);
	if (!there)
		text_add(out, "null");
	else if (r->kind == KIND_FLOAT)
		text_float(out, x);
	else if (r->kind == KIND_INT)
		text_format(out, "%d", x >= 2147483648.0f ? 2147483647 : (int)x);
	else
		text_format(out, "%u", x >= 4294967296.0f ? 4294967295u : (unsigned)x);
}

static void add_result(const NodeResult *r, Text *out)
{
	text_add(out, "        { \"type\": ");
	add_string(out, r->type);
	add_dimensions(out, r->dimensions);
	add_member(out, "option", r->option);
	add_member(out, "operands", r->operands);
	add_bound(r, "low", r->bounds.low, r->bounded && r->bounds.low > -NUM_FLOAT_MAX, out);
	add_bound(r, "high", r->bounds.high, r->bounded && r->bounds.high < NUM_FLOAT_MAX, out);
	add_bound(r, "narrow_low", r->narrow.low, r->narrowed && r->narrow.low > -NUM_FLOAT_MAX, out);
	add_bound(r, "narrow_high", r->narrow.high, r->narrowed && r->narrow.high < NUM_FLOAT_MAX, out);
	text_format(out, " }%s\n", r->next ? "," : "");
}

static void add_node(const Node *n, Text *out)
{
	static const char *const kinds[] = { "function", "enum", "form", "operation" };
	text_add(out, "    { \"name\": ");
	add_string(out, n->name);
	add_member(out, "kind", kinds[n->kind]);
	add_member(out, "group", n->group);
	add_member(out, "doc", n->doc.text);
	add_member(out, "source", n->doc.source);
	add_member(out, "example", n->doc.example);
	add_member(out, "also", n->also);
	add_member(out, "helper", n->doc.helper);
	text_format(out, ", \"absent\": %s", n->absent ? "true" : "false");
	add_member(out, "types", n->types);
	add_member(out, "result", n->form ? n->form->result : NULL);
	add_member(out, "users", n->users);
	text_add(out, ",\n      \"signatures\": [\n");
	for (const NodeSignature *s = n->signatures; s; s = s->next)
		add_signature(s, out);
	text_add(out, "      ],\n      \"results\": [\n");
	for (const NodeResult *r = n->results; r; r = r->next)
		add_result(r, out);
	text_add(out, "      ],\n      \"enumerators\": [");
	for (const Enumerator *e = n->kind == NODE_ENUM ? n->decl->enumerators : NULL; e; e = e->next) {
		text_add(out, "\n        { \"name\": ");
		add_string(out, e->name);
		text_format(out, ", \"value\": %d", e->value);
		add_member(out, "doc", e->doc);
		text_format(out, " }%s", e->next ? "," : "\n      ");
	}
	text_format(out, "] }%s\n", n->next ? "," : "");
}

void nodes_print_json(Arena *arena, const Node *list, Text *out)
{
	(void)arena;
	text_add(out, "{\n  \"format\": \"noisec-nodes\",\n  \"version\": 1,\n  \"nodes\": [\n");
	for (const Node *n = list; n; n = n->next)
		add_node(n, out);
	text_add(out, "  ]\n}\n");
}
