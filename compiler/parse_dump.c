/* The syntax tree as text, one s-expression per statement. For people and tests: the layout is not a
   format to be read back, and documentation and parentheses are left out. */
#include "cc.h"

static void dump_expr(const Expr *, Text *);

static void dump_number(const Expr *expr, Text *out)
{
	if (expr->u.number.kind == NUMBER_REAL)
		text_float(out, expr->u.number.real);
	else
		text_format(out, "%u%s", (unsigned)expr->u.number.whole, expr->u.number.kind == NUMBER_UINT ? "u" : "");
}

/* A sum may have tens of thousands of terms, so its left operands are walked, not recursed into. */
static void dump_binary(const Expr *expr, Text *out)
{
	size_t count = 0;
	for (const Expr *e = expr; e->kind == EXPR_BINARY; e = e->u.op.a)
		count++;
	const Expr **chain = arena_alloc(out->arena, count * sizeof *chain);
	const Expr *left = expr;
	for (size_t i = 0; i < count; i++, left = left->u.op.a) {
		chain[i] = left;
		text_format(out, "(%s ", left->u.op.op);
	}
	dump_expr(left, out);
	while (count-- > 0) {
		text_add(out, " ");
		dump_expr(chain[count]->u.op.b, out);
		text_add(out, ")");
	}
}

static void dump_pair(const char *head, const Expr *a, const Expr *b, Text *out)
{
	text_format(out, "(%s ", head);
	dump_expr(a, out);
	if (b) {
		text_add(out, " ");
		dump_expr(b, out);
	}
	text_add(out, ")");
}

static void dump_call(const Expr *expr, Text *out)
{
	text_add(out, "(call ");
	if (expr->u.call.callee)
		dump_expr(expr->u.call.callee, out);
	else if (expr->u.call.module)
		text_format(out, "%s.%s", expr->u.call.module, expr->u.call.name);
	else
		text_add(out, expr->u.call.name);
	for (const Arg *arg = expr->u.call.args; arg; arg = arg->next) {
		text_add(out, " ");
		if (arg->name)
			text_format(out, "%s:", arg->name);
		dump_expr(arg->value, out);
	}
	text_add(out, ")");
}

static void dump_type(TypeName type, Text *out)
{
	if (type.name)
		text_format(out, ":%s", type.name);
}

static void dump_decl(const Decl *, Text *);

static void dump_fold(const Expr *expr, Text *out)
{
	text_format(out, "(fold %s ", expr->u.fold.index);
	dump_expr(expr->u.fold.from, out);
	text_add(out, " ");
	dump_expr(expr->u.fold.to, out);
	for (const Carry *line = expr->u.fold.lines; line; line = line->next) {
		text_add(out, " ");
		if (line->node) {
			dump_decl(line->node, out);
			continue;
		}
		text_format(out, "(%s", line->name);
		dump_type(line->type, out);
		text_add(out, " ");
		dump_expr(line->first, out);
		text_add(out, " then ");
		dump_expr(line->then, out);
		text_add(out, ")");
	}
	text_add(out, " ");
	dump_expr(expr->u.fold.result, out);
	text_add(out, ")");
}

static void dump_match(const Expr *expr, Text *out)
{
	text_add(out, "(match ");
	dump_expr(expr->u.match.of, out);
	for (const Arm *arm = expr->u.match.arms; arm; arm = arm->next) {
		text_add(out, " ");
		if (arm->enumeration)
			text_format(out, "%s.", arm->enumeration);
		text_format(out, "%s:", arm->name ? arm->name : "else");
		dump_expr(arm->value, out);
	}
	text_add(out, ")");
}

static void dump_expr(const Expr *expr, Text *out)
{
	switch (expr->kind) {
	case EXPR_NAME:
		text_add(out, expr->u.name);
		break;
	case EXPR_NUMBER:
		dump_number(expr, out);
		break;
	case EXPR_COLOUR:
		if (expr->u.colour.channels == 4)
			text_format(out, "#%08x", (unsigned)expr->u.colour.rgba);
		else
			text_format(out, "#%06x", (unsigned)(expr->u.colour.rgba >> 8));
		break;
	case EXPR_BOOL:
		text_add(out, expr->u.truth ? "true" : "false");
		break;
	case EXPR_UNARY:
	case EXPR_SAMPLE:
		dump_pair(expr->u.op.op, expr->u.op.a, expr->u.op.b, out);
		break;
	case EXPR_BINARY:
		dump_binary(expr, out);
		break;
	case EXPR_CHOICE:
		text_add(out, "(? ");
		dump_expr(expr->u.choice.condition, out);
		text_add(out, " ");
		dump_expr(expr->u.choice.yes, out);
		text_add(out, " ");
		dump_expr(expr->u.choice.no, out);
		text_add(out, ")");
		break;
	case EXPR_CALL:
		dump_call(expr, out);
		break;
	case EXPR_MEMBER:
		text_add(out, "(. ");
		dump_expr(expr->u.member.of, out);
		text_format(out, " %s)", expr->u.member.name);
		break;
	case EXPR_FOLD:
		dump_fold(expr, out);
		break;
	case EXPR_MATCH:
		dump_match(expr, out);
		break;
	case EXPR_STOPS:
		text_add(out, "[");
		for (const Stop *stop = expr->u.stops; stop; stop = stop->next) {
			dump_expr(stop->at, out);
			text_add(out, ":");
			dump_expr(stop->value, out);
			text_add(out, stop->next ? " " : "]");
		}
		break;
	}
}

static void dump_range(const Decl *decl, Text *out)
{
	if (!decl->low)
		return;
	text_add(out, " in ");
	dump_expr(decl->low, out);
	text_add(out, " .. ");
	dump_expr(decl->high, out);
}

static void dump_value(const Decl *decl, Text *out)
{
	if (!decl->value)
		return;
	text_add(out, " ");
	dump_expr(decl->value, out);
}

/* "(head name:type value in low .. high)", for all declarations that have no more than that. */
static void dump_simple(const char *head, const Decl *decl, Text *out)
{
	text_format(out, "(%s%s", head, decl->name);
	dump_type(decl->type, out);
	dump_value(decl, out);
	dump_range(decl, out);
	text_add(out, ")");
}

static void dump_fn(const Decl *decl, Text *out)
{
	text_format(out, "(fn %s (", decl->name);
	for (const Decl *arg = decl->args; arg; arg = arg->next) {
		dump_decl(arg, out);
		text_add(out, arg->next ? " " : "");
	}
	text_add(out, ")");
	if (decl->at.name)
		text_format(out, " at %s", decl->at.name);
	if (decl->type.name)
		text_format(out, " -> %s", decl->type.name);
	dump_range(decl, out);
	for (const Decl *local = decl->locals; local; local = local->next) {
		text_add(out, " ");
		dump_decl(local, out);
	}
	dump_value(decl, out);
	text_add(out, ")");
}

static void dump_decl(const Decl *decl, Text *out)
{
	switch (decl->kind) {
	case DECL_NOISE:
		text_format(out, "(noise %u)", (unsigned)decl->edition);
		break;
	case DECL_IMPORT:
		text_format(out, "(import \"%s\" %s)", decl->path, decl->name);
		break;
	case DECL_ENUM:
		text_format(out, "(enum %s", decl->name);
		for (const Enumerator *e = decl->enumerators; e; e = e->next)
			text_format(out, " %s", e->name);
		text_add(out, ")");
		break;
	case DECL_DOMAIN:   dump_simple("domain ", decl, out); break;
	case DECL_CONST:    dump_simple("const ", decl, out); break;
	case DECL_PARAM:    dump_simple("param ", decl, out); break;
	case DECL_INPUT:    dump_simple("input ", decl, out); break;
	case DECL_NODE:     dump_simple("node ", decl, out); break;
	case DECL_OUTPUT:   dump_simple("output ", decl, out); break;
	case DECL_ARGUMENT: dump_simple("", decl, out); break;
	case DECL_FN:       dump_fn(decl, out); break;
	}
}

void parse_dump(const File *file, Text *out)
{
	for (const Decl *decl = file->decls; decl; decl = decl->next) {
		dump_decl(decl, out);
		text_add(out, "\n");
	}
}
