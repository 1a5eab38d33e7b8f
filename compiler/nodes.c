/* The catalogue for `noisec nodes` and editors, read off what the compiler itself goes by: the syntax trees of the
   library, the table of forms and the table of operations. Nothing is listed here by hand. */
#include <string.h>

#include "nodes.h"

typedef struct Listing {
	Arena *arena;
	const Scope *library;
	Node *first, *last;
} Listing;

/* The words for which this name can simply be put. */
static const char *other_words(Arena *arena, const char *name)
{
	Text t = { .arena = arena };
	const Habit *h;
	for (size_t i = 0; (h = habit_at(i)); i++)
		if (h->instead && !strcmp(h->instead, name))
			text_format(&t, "%s%s", t.size ? ", " : "", h->word);
	return t.data;
}

static Node *add(Listing *l, Node n)
{
	Node *node = arena_alloc(l->arena, sizeof *node);
	*node = n;
	node->also = other_words(l->arena, n.name);
	if (l->last)
		l->last->next = node;
	else
		l->first = node;
	return l->last = node;
}

static const char *slice(Arena *arena, const Source *s, size_t start, size_t end)
{
	return text_print(arena, "%.*s", (int)(end - start), s->text + start);
}

static const char *written(Arena *arena, const Expr *e)
{
	return e ? slice(arena, e->span.source, e->span.start, e->span.end) : NULL;
}

/* ---- functions and enums of the library ---- */

/* "library/noise.noise" -> "noise" */
static const char *group_of(Arena *arena, const Source *s)
{
	const char *name = strrchr(s->name, '/') ? strrchr(s->name, '/') + 1 : s->name;
	return slice(arena, &(Source){ .text = name }, 0, strcspn(name, "."));
}

/* The first sentence of the comment that opens the file. */
static const char *title_of(Arena *arena, const Source *s)
{
	Text t = { .arena = arena };
	text_add(&t, "");
	for (const char *line = s->text; !strncmp(line, "// ", 3); line += strcspn(line, "\n") + 1)
		text_format(&t, "%.*s ", (int)strcspn(line + 3, "\n"), line + 3);
	return node_sentence(arena, t.data);
}

static unsigned dimensions_of(const Decl *first, const Decl *fn)
{
	static const char *const types[] = { "float", "vec2", "vec3", "vec4" };
	unsigned own = 0, others = 0;
	for (const Decl *o = first; o; o = o->overload)
		for (unsigned i = 0; i < 4; i++)
			if (o->at.name && !strcmp(o->at.name, types[i])) {
				own |= o == fn ? 1u << i : 0;
				others |= 1u << i;
			}
	return fn->at.name ? own : ~others & 15u;
}

static bool is_enum(const Scope *scope, const char *type)
{
	const Decl *d = type ? scope_find(scope, type) : NULL;
	return d && d->kind == DECL_ENUM;
}

static NodeSignature *signature_of(Arena *arena, const Decl *first, const Decl *fn)
{
	NodeSignature *s = arena_alloc(arena, sizeof *s);
	Text t = { .arena = arena };
	NodeArgument **tail = &s->args;
	text_format(&t, "%s(", fn->name);
	for (const Decl *a = fn->args; a; a = a->next) {
		NodeArgument *n = *tail = arena_alloc(arena, sizeof *n);
		*n = (NodeArgument){ a->name, node_argument_doc(arena, first, fn, a->name), a->type.name, written(arena, a->value),
			written(arena, a->low), written(arena, a->high), a->by_name && !is_enum(fn->scope, a->type.name), NULL };
		tail = &n->next;
		text_add(&t, n->name);
		if (n->type)
			text_format(&t, ": %s", n->type);
		if (n->value)
			text_format(&t, " = %s", n->value);
		if (n->low)
			text_format(&t, " in %s .. %s", n->low, n->high);
		text_add(&t, a->next ? ", " : "");
	}
	text_add(&t, ")");
	if (fn->at.name)
		text_format(&t, " at %s", fn->at.name);
	if (fn->type.name)
		text_format(&t, " -> %s", fn->type.name);
	if (fn->low)
		text_format(&t, " in %s .. %s", written(arena, fn->low), written(arena, fn->high));
	NodeDoc doc;
	node_doc(arena, fn, &doc);
	s->text = t.data;
	s->doc = fn != first ? doc.text : NULL;
	s->fn = fn;
	s->dimensions = dimensions_of(first, fn);
	return s;
}

static void add_function(Listing *l, const Decl *first, bool all)
{
	Node n = { .kind = NODE_FUNCTION, .name = first->name, .decl = first };
	NodeSignature **tail = &n.signatures;
	node_doc(l->arena, first, &n.doc);
	if (n.doc.helper && !all)
		return;
	n.group = group_of(l->arena, first->span.source);
	n.group_title = title_of(l->arena, first->span.source);
	for (const Decl *fn = first; fn; fn = fn->overload) {
		*tail = signature_of(l->arena, first, fn);
		tail = &(*tail)->next;
	}
	add(l, n);
}

static bool takes(const Decl *fn, const char *type)
{
	const Decl *a = fn->args;
	while (a && a->type.name != type)
		a = a->next;
	return a != NULL;
}

static void add_enum(Listing *l, const Decl *d)
{
	Text users = { .arena = l->arena };
	for (const Decl *fn = l->library->first; fn; fn = fn->next_in_scope) {
		NodeDoc doc;
		if (fn->kind != DECL_FN || scope_find(l->library, fn->name) != fn || !takes(fn, d->name))
			continue;
		node_doc(l->arena, fn, &doc);
		if (!doc.helper)
			text_format(&users, "%s%s", users.size ? ", " : "", fn->name);
	}
	for (size_t i = 0; i < form_count; i++)
		if (strstr(form_info[i].signature, text_print(l->arena, ": %s", d->name)))
			text_format(&users, "%s%s", users.size ? ", " : "", form_info[i].name);
	add(l, (Node){ .kind = NODE_ENUM, .name = d->name, .decl = d, .users = users.data, .doc = { .text = d->doc ? d->doc : "" },
		.group = group_of(l->arena, d->span.source), .group_title = title_of(l->arena, d->span.source) });
}

/* ---- operations ---- */

static bool is_word(const char *name) { return name[0] >= 'a' && name[0] <= 'z'; }

static const char *operation_text(Arena *arena, const OpInfo *row)
{
	if (is_word(row->name) && strcmp(row->name, "and") && strcmp(row->name, "or") && strcmp(row->name, "not"))
		return text_print(arena, row->arity == 1 ? "%s(a)" : row->arity == 2 ? "%s(a, b)" : "%s(a, b, c)", row->name);
	return text_print(arena, row->arity == 1 ? is_word(row->name) ? "%s a" : "%sa" : "a %s b", row->name);
}

static bool is_told(const OpInfo *row, bool all)
{
	return *row->name && !(row->flags & HIDDEN) && (all || !(row->flags & LIB));
}

static const char *example_of(Arena *arena, const char *name)
{
	static const char *const pattern[] = { "%s(perlin())", "%s(perlin(), 0.25)" };
	for (int op = 0; op < OP_COUNT; op++)
		if (!strcmp(op_info[op].name, name) && is_word(name) && op_info[op].operand[0] == 'f' && !(op_info[op].flags & LIB))
			return text_print(arena, pattern[op_info[op].arity - 1], name);
	return NULL;
}

static void add_operation(Listing *l, int first, bool all)
{
	const char *name = op_info[first].name;
	for (int op = 0; op < first; op++)
		if (is_told(&op_info[op], all) && !strcmp(op_info[op].name, name))
			return;                         /* told with the row before */
	Node n = { .kind = NODE_OPERATION, .name = name, .group = "operations", .group_title = "What the processor does, per component on vectors.",
		.doc = { .text = op_info[first].doc, .example = example_of(l->arena, name), .helper = op_info[first].flags & LIB ? "the library" : NULL } };
	NodeSignature **tail = &n.signatures;
	for (int op = first; op < OP_COUNT; op++)
		if (is_told(&op_info[op], all) && !strcmp(op_info[op].name, name)) {
			NodeSignature *s = *tail = arena_alloc(l->arena, sizeof *s);
			*s = (NodeSignature){ .text = operation_text(l->arena, &op_info[op]), .doc = op == first ? NULL : op_info[op].doc, .row = &op_info[op], .dimensions = 15 };
			tail = &s->next;
		}
	add(l, n);
}

/* ---- the whole ---- */

Node *nodes_list(Arena *arena, const Scope *library, bool all)
{
	Listing l = { .arena = arena, .library = library };
	for (const Decl *d = library->first; d; d = d->next_in_scope)
		if (d->kind == DECL_FN && scope_find(library, d->name) == d)
			add_function(&l, d, all);
		else if (d->kind == DECL_ENUM)
			add_enum(&l, d);
	for (size_t i = 0; i < form_count; i++) {
		const FormInfo *f = &form_info[i];
		NodeSignature *s = arena_alloc(arena, sizeof *s);
		*s = (NodeSignature){ .text = f->signature, .dimensions = 15 };
		add(&l, (Node){ .kind = NODE_FORM, .name = f->name, .form = f, .absent = (f->flags & FORM_ABSENT) != 0, .signatures = s,
			.group = "forms", .group_title = "Parts of the language.", .doc = { .text = f->doc, .example = f->example } });
	}
	for (int op = 0; op < OP_COUNT; op++)
		if (is_told(&op_info[op], all))
			add_operation(&l, op, all);
	return l.first;
}

bool node_is_library(const Node *n) { return n->kind == NODE_FUNCTION || n->kind == NODE_ENUM; }

/* ---- finding ---- */

static char lower_case(char c) { return (char)(c >= 'A' && c <= 'Z' ? c + 32 : c); }

/* Does `word` stand in the text, whatever its case, as a word or several, or as the start of one? */
static bool has_word(const char *text, const char *word, bool start)
{
	size_t n = strlen(word);
	for (const char *at = text; at && *at; at++) {
		size_t i = 0;
		while (i < n && at[i] && lower_case(at[i]) == lower_case(word[i]))
			i++;
		bool starts = at == text || !(lower_case(at[-1]) >= 'a' && lower_case(at[-1]) <= 'z');
		if (n && i == n && starts && (start || !(lower_case(at[n]) >= 'a' && lower_case(at[n]) <= 'z')))
			return true;
	}
	return false;
}

static Node *node_named(Node *list, const char *name)
{
	for (Node *n = list; n; n = n->next)
		if (!strcmp(n->name, name))
			return n;
	return NULL;
}

/* What is known of a word, whatever its case. */
static const Habit *habit_like(const char *word)
{
	const Habit *h = habit_find(word);
	for (size_t i = 0; !h && habit_at(i); i++)
		if (strlen(habit_at(i)->word) == strlen(word) && has_word(habit_at(i)->word, word, false))
			h = habit_at(i);
	return h;
}

/* The node that advice on a word names, last called in its only quotation: "write 'perlin() |> octaves(5)'". */
static Node *node_advised(Arena *arena, Node *list, const Habit *h)
{
	const char *start = strchr(h->advice, '\''), *end = start ? strchr(start + 1, '\'') : NULL;
	Node *found = h->instead ? node_named(list, h->instead) : NULL;
	if (h->instead && !found && is_type_name(h->instead))
		found = node_named(list, "vecN");
	if (!end || strchr(end + 1, '\''))
		return found;
	for (const char *at = start + 1; !h->instead && at < end; at++) {
		size_t n = strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
		if (n && at[n] == '(') {
			Node *called = node_named(list, text_print(arena, "%.*s", (int)n, at));
			found = called ? called : found;
		}
		at += n ? n - 1 : 0;
	}
	return found;
}

/* The enum with an enumerator of this name, or like it but for the case; *how names it. */
static Node *node_of_enumerator(Arena *arena, Node *list, const char *name, bool same, const char **how)
{
	for (Node *n = list; n; n = n->next)
		for (const Enumerator *e = n->kind == NODE_ENUM ? n->decl->enumerators : NULL; e; e = e->next)
			if (same ? !strcmp(e->name, name) : has_word(e->name, name, false)) {
				*how = text_print(arena, "'%s' is one of '%s'.\n\n", e->name, n->name);
				return n;
			}
	return NULL;
}

/* The node of a type, of an enumerator, or of what is called otherwise elsewhere; *how says why it is the answer. */
static Node *node_meant(Arena *arena, Node *list, const char *name, const char **how)
{
	const Habit *habit = habit_like(name);
	Node *found;
	if (is_type_name(name)) {
		*how = text_print(arena, "'%s' is a type.\n\n", name);
		return node_named(list, "vecN");
	}
	if ((found = node_of_enumerator(arena, list, name, true, how)))
		return found;
	if (habit && (found = node_advised(arena, list, habit))) {
		*how = text_print(arena, "'%s': %s.\n\n", name, habit->advice);
		return found;
	}
	return node_of_enumerator(arena, list, name, false, how);
}

static const char *nearest_name(Arena *arena, const Node *list, const char *name)
{
	size_t count = 0;
	for (const Node *n = list; n; n = n->next)
		count++;
	const char **names = arena_alloc(arena, count * sizeof *names);
	count = 0;
	for (const Node *n = list; n; n = n->next)
		names[count++] = n->name;
	return diag_nearest(name, names, count);
}

static bool mentions(const Node *n, const char *word)
{
	for (const Enumerator *e = n->kind == NODE_ENUM ? n->decl->enumerators : NULL; e; e = e->next)
		if (e->doc && has_word(e->doc, word, true))
			return true;
	return has_word(n->doc.text, word, true);
}

static void tell_unknown(Arena *arena, Node *list, const char *name, Text *out)
{
	const char *near = nearest_name(arena, list, name);
	const Habit *habit = habit_like(name);
	Listing mention = { .arena = arena };
	for (Node *n = list; n; n = n->next)
		if (!n->doc.helper && mentions(n, name)) {
			Node copy = *n;
			copy.next = NULL;
			add(&mention, copy);
		}
	text_format(out, "no node is called '%s'", name);
	if (habit) {
		text_format(out, "; %s\n", habit->advice);
		return;
	}
	if (near)
		text_format(out, "; did you mean '%s'?", near);
	text_add(out, mention.first ? near ? " It is mentioned by\n" : "; it is mentioned by\n" : "\n");
	nodes_print_list(arena, mention.first, out);
}

bool nodes_describe(Arena *arena, const Scope *library, const nz_describe_options *o, Text *out)
{
	Node *list = nodes_list(arena, library, o->all || o->name);
	const char *how = NULL;
	if (o->name) {
		Node *found = node_named(list, o->name);
		if (!found)
			found = node_meant(arena, list, o->name, &how);
		if (!found) {
			tell_unknown(arena, list, o->name, out);
			return false;
		}
		found->next = NULL;
		list = found;
	}
	bool measured = o->name || o->form != NZ_DESCRIBE_TEXT;
	for (Node *n = measured ? list : NULL; n; n = n->next)
		nodes_measure(arena, library, n);
	if (o->form == NZ_DESCRIBE_JSON) {
		nodes_print_json(arena, list, out);
	} else if (o->form == NZ_DESCRIBE_MARKDOWN) {
		nodes_print_markdown(arena, list, out);
	} else if (o->name) {
		text_add(out, how ? how : "");
		nodes_print_one(arena, list, out);
	} else {
		nodes_print_list(arena, list, out);
	}
	return true;
}
