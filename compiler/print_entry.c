/* Complete shaders: the interface and main around the functions, as the forms of an Entry say. The own names of a
   complete shader have no underscore, and those of the program's functions and structs all have one. */
#include <string.h>

#include "print.h"

typedef struct Printing {
	Arena *arena;
	const Dialect *d;
	const Entry *entry;
	const Program *p;
	const FuncNames *names;
	const char *colour, *result;            /* local names */
	Text *out;
} Printing;

enum { HOLES = 24 };

typedef struct Holes {
	Hole hole[HOLES + 1];
	size_t count;
} Holes;

static void add(Holes *h, const char *name, const char *text) { h->hole[h->count++] = (Hole){ name, text }; }

static const char *number(const Printing *e, uint32_t n) { return text_print(e->arena, "%u", (unsigned)n); }

static const char *filled(const Printing *e, const char *form, const Holes *holes)
{
	Text t = { .arena = e->arena };
	print_fill(&t, form, holes->hole);
	return t.data ? t.data : "";
}

/* What is known everywhere. */
static Holes holes_of_program(const Printing *e)
{
	Holes h = { .count = 0 };
	add(&h, "params", e->names->params);
	add(&h, "out", e->names->out);
	add(&h, "eval", e->names->func[e->p->root->id]);
	add(&h, "position", e->d->type[KIND_FLOAT][e->p->domain]);
	add(&h, "colour", e->colour);
	add(&h, "result", e->result);
	return h;
}

/* bool has no place in a buffer: it travels as uint */
static const char *stored_type(const Dialect *d, TypeInfo t) { return d->type[t.kind == KIND_BOOL ? KIND_UINT : t.kind][t.width]; }

static Holes holes_of(const Printing *e, TypeInfo t, const char *name, uint32_t index, uint32_t place)
{
	Holes h = holes_of_program(e);
	add(&h, "name", name);
	add(&h, "type", e->d->type[t.kind][t.width]);
	add(&h, "stored", stored_type(e->d, t));
	add(&h, "number", number(e, index));
	add(&h, "place", number(e, place));
	add(&h, "width", number(e, t.width));
	add(&h, "flat", t.kind == KIND_FLOAT ? "" : e->d->flat);
	return h;
}

/* A value read from `source`, a form: one word for each component where it has a $lane, else the stored value. */
static const char *read_value(const Printing *e, TypeInfo t, const char *source, const Holes *holes)
{
	Text all = { .arena = e->arena };
	if (!strstr(source, "$lane")) {
		const char *stored = filled(e, source, holes);
		const Hole one[] = { { "value", stored }, { "stored", stored_type(e->d, t) }, { NULL, NULL } };
		print_fill(&all, t.kind == KIND_BOOL ? e->d->truth[t.width > 1] : "$value", one);
		return all.data;
	}
	text_format(&all, "%s(", e->d->type[t.kind][t.width]);
	for (uint32_t k = 0; k < t.width; k++) {
		Holes lane = *holes;
		add(&lane, "lane", number(e, k));
		const Hole word[] = { { "value", filled(e, source, &lane) }, { NULL, NULL } };
		text_add(&all, k ? ", " : "");
		print_fill(&all, e->d->load[t.kind], word);
	}
	text_add(&all, ")");
	return all.data;
}

static const char *default_of(const Printing *e, const Uniform *u)
{
	Text t = { .arena = e->arena };
	text_add(&t, u->type.width > 1 ? text_print(e->arena, "%s(", e->d->type[u->type.kind][u->type.width]) : "");
	for (int k = 0; k < u->type.width; k++) {
		text_add(&t, k ? ", " : "");
		print_literal(e->d, (Kind)u->type.kind, u->value[k], &t);
	}
	text_add(&t, u->type.width > 1 ? ")" : "");
	return t.data;
}

static Holes holes_of_param(const Printing *e, uint32_t i)
{
	const Uniform *u = &e->p->uniform[i];
	Holes h = holes_of(e, u->type, e->names->uniform[i], i, 0);
	add(&h, "default", default_of(e, u));
	add(&h, "comma", i ? ", " : "");
	add(&h, "value", read_value(e, u->type, e->entry->param, &h));
	return h;
}

static Holes holes_of_input(const Printing *e, uint32_t i)
{
	Holes h = holes_of(e, e->p->input[i].type, e->names->input[i], i, e->entry->first_place + i);
	add(&h, "value", read_value(e, e->p->input[i].type, e->entry->input, &h));
	return h;
}

/* Opens and closes with what is known of p; its width is the domain's. */
static void print_part(const Printing *e, const Part *part, uint32_t count, Holes (*holes)(const Printing *, uint32_t))
{
	TypeInfo point = { KIND_FLOAT, e->p->domain, NULL };
	Holes around = holes_of(e, point, "p", 0, 0);
	if (e->entry->point)
		add(&around, "value", read_value(e, point, e->entry->point, &around));
	text_add(e->out, part->open ? filled(e, part->open, &around) : "");
	for (uint32_t i = 0; part->each && i < count; i++) {
		Holes h = holes(e, i);
		print_fill(e->out, part->each, h.hole);
	}
	if (!count && part->none)
		text_add(e->out, filled(e, part->none, &around));
	text_add(e->out, part->close ? filled(e, part->close, &around) : "");
}

static Holes holes_of_output(const Printing *e, uint32_t i)
{
	return holes_of(e, e->p->output[i].type, e->names->output[i], i, e->entry->first_place + e->p->inputs + i);
}

static void print_call(const Printing *e)
{
	Holes h = holes_of_program(e);
	Text arguments = { .arena = e->arena };
	text_add(&arguments, "");
	for (uint32_t i = 0; i < e->p->inputs; i++) {
		Holes input = holes_of_input(e, i);
		text_add(&arguments, ", ");
		print_fill(&arguments, e->entry->argument, input.hole);
	}
	add(&h, "exact", e->d->exact);
	add(&h, "arguments", arguments.data ? arguments.data : "");
	print_fill(e->out, e->entry->call, h.hole);
}

/* A colour is made of floats; words are stored one by one. */
static void print_result(const Printing *e, uint32_t i)
{
	TypeInfo t = e->p->output[i].type;
	const char *form = e->entry->result[t.width], *member = text_print(e->arena, "%s.%s", e->result, e->names->output[i]);
	bool words = strstr(form, "$lane") != NULL;
	for (uint32_t k = 0; k < (words ? t.width : 1u); k++) {
		Holes h = holes_of_output(e, i);
		const char *value = words && t.width > 1 ? text_print(e->arena, "%s.%c", member, "xyzw"[k]) : member;
		Holes v = { .count = 0 };
		add(&v, "value", value);
		add(&h, "lane", number(e, k));
		if (words)
			add(&h, "value", filled(e, e->d->store[t.kind], &v));
		else
			add(&h, "value", t.kind == KIND_FLOAT ? value : text_print(e->arena, "%s(%s)", e->d->type[KIND_FLOAT][t.width], value));
		print_fill(e->out, form, h.hole);
	}
}

void print_entry(Arena *arena, const Dialect *d, const Entry *entry, const Program *p, const FuncNames *names, uint32_t output, Text *out)
{
	Names local = { .arena = arena, .dialect = d, .outer = &names->global };
	Printing e = { .arena = arena, .d = d, .entry = entry, .p = p, .names = names, .out = out };
	for (uint32_t i = 0; entry->inputs_by_name && i < p->inputs; i++)
		name_make(&local, names->input[i]);
	e.colour = name_make(&local, "colour");
	e.result = name_make(&local, "result");
	print_part(&e, &entry->uniforms, p->uniforms, holes_of_param);
	print_part(&e, &entry->inputs, p->inputs, holes_of_input);
	print_part(&e, &entry->outputs, entry->one_output ? 0 : p->outputs, holes_of_output);
	print_part(&e, &entry->params, p->uniforms, holes_of_param);
	print_part(&e, &entry->values, p->inputs, holes_of_input);
	print_call(&e);
	if (entry->one_output)
		print_result(&e, output);
	for (uint32_t i = 0; !entry->one_output && i < p->outputs; i++)
		print_result(&e, i);
	text_add(out, entry->close);
}
