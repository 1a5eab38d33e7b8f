/* What the /// comment of a library function says. Its last paragraph may hold facts, one to a line, which go on
   in lines that open no other: "Source: …", "Example: …", "Result: …", "Helper of …" and, for arguments without
   a comment of their own, "a, b: …". The facts of a name stand at its first overload; an argument that an overload
   leaves without a comment has that of the same name there. */
#include <string.h>

#include "cc.h"

typedef struct Facts {
	Arena *arena;
	const Decl *fn;
	const char *at;                         /* the next line */
	const char *label;                      /* the words before ": "; NULL at the end */
	const char *text;
} Facts;

static size_t line_size(const char *at) { return strcspn(at, "\n"); }

/* Are these names of arguments, with ", " between? */
static bool names_arguments(const Decl *fn, const char *at, size_t size)
{
	for (const char *end = at + size; at <= end;) {
		size_t n = strcspn(at, ",:");
		const Decl *a = fn->args;
		while (a && (strlen(a->name) != n || memcmp(a->name, at, n)))
			a = a->next;
		if (!a)
			return false;
		at += n + 2;
	}
	return true;
}

/* How many letters of the line are the label of a fact; 0: it opens none. */
static size_t label_size(const Decl *fn, const char *line)
{
	static const char *const labels[] = { "Source: ", "Example: ", "Result: ", "Helper of " };
	for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
		if (!strncmp(line, labels[i], strlen(labels[i])))
			return strlen(labels[i]);
	const char *colon = strstr(line, ": ");
	return colon && colon < line + line_size(line) && names_arguments(fn, line, (size_t)(colon - line)) ? (size_t)(colon + 2 - line) : 0;
}

static bool next_fact(Facts *f)
{
	if (!f->at || !*f->at)
		return false;
	size_t n = label_size(f->fn, f->at);
	Text label = { .arena = f->arena }, text = { .arena = f->arena };
	text_add_n(&label, f->at, n);
	f->at += n;
	do {
		if (text.size)
			text_add(&text, " ");
		text_add_n(&text, f->at, line_size(f->at));
		f->at += line_size(f->at);
		f->at += *f->at == '\n';
	} while (*f->at && !label_size(f->fn, f->at));
	f->label = label.data;
	f->text = text.data;
	return true;
}

/* Where the facts begin: the last paragraph, if its first line is one. */
static const char *facts_of(const Decl *fn)
{
	if (!fn->doc)
		return NULL;
	const char *start = fn->doc + strspn(fn->doc, "\n"), *blank;
	while ((blank = strstr(start, "\n\n")))
		start = blank + 2;
	return label_size(fn, start) ? start : NULL;
}

void node_doc(Arena *arena, const Decl *fn, NodeDoc *out)
{
	const char *facts = facts_of(fn);
	Text text = { .arena = arena };
	*out = (NodeDoc){ .text = "" };
	if (fn->doc) {
		size_t n = facts ? (size_t)(facts - fn->doc) : strlen(fn->doc);
		while (n && fn->doc[n - 1] == '\n')
			n--;
		text_add_n(&text, fn->doc, n);
		out->text = text.data;
	}
	for (Facts f = { .arena = arena, .fn = fn, .at = facts }; next_fact(&f);) {
		if (!strcmp(f.label, "Source: "))
			out->source = f.text;
		else if (!strcmp(f.label, "Example: "))
			out->example = f.text;
		else if (!strcmp(f.label, "Result: "))
			out->result = f.text;
		else if (!strcmp(f.label, "Helper of "))
			out->helper = f.text;
	}
}

static bool is_among(const char *label, const char *name)
{
	size_t size = strlen(name);
	for (const char *at = label; (at = strstr(at, name)); at += size)
		if ((at == label || at[-1] == ' ') && (at[size] == ',' || at[size] == ':'))
			return true;
	return false;
}

const char *node_argument_doc(Arena *arena, const Decl *first, const Decl *fn, const char *name)
{
	for (int pass = 0; pass < 2; pass++, fn = first) {
		for (const Decl *a = fn->args; a; a = a->next)
			if (!strcmp(a->name, name) && a->doc)
				return a->doc;
		for (Facts f = { .arena = arena, .fn = fn, .at = facts_of(fn) }; next_fact(&f);)
			if (is_among(f.label, name))
				return f.text;
	}
	return NULL;
}

/* Does the sentence end at this point? Not in "0 .. 1", behind the initial of a name, or before a small letter. */
static bool ends_sentence(const char *text, const char *at)
{
	if (*at != '.' || at - text < 2 || at[-1] == '.' || (at[1] && at[1] != ' ' && at[1] != '\n'))
		return false;
	bool initial = at[-1] >= 'A' && at[-1] <= 'Z' && strchr(" \n(", at[-2]);
	const char *next = at + 1 + strspn(at + 1, " \n");
	return !initial && !(*next >= 'a' && *next <= 'z');
}

const char *node_sentence(Arena *arena, const char *text)
{
	Text out = { .arena = arena };
	text_add(&out, "");
	for (const char *at = text; *at && strncmp(at, "\n\n", 2); at++) {
		text_add_n(&out, *at == '\n' ? " " : at, 1);
		if (ends_sentence(text, at))
			break;
	}
	return out.data;
}
