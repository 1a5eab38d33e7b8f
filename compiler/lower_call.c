/* Calls: overload by the type of p, instances and their arguments in the IR. */
#include <assert.h>
#include <string.h>

#include "lower.h"

/* ---- environments ---- */

bool lower_lookup(const Env *env, const char *name, Binding *out, const Env **where)
{
	for (; env; env = env->outer) {
		*where = env;
		for (uint32_t i = 0; i < env->bindings; i++)
			if (env->binding[i].name == name) {
				*out = env->binding[i];
				return true;
			}
		const Decl *node = NULL;
		for (const Decl *d = env->fn ? env->fn->locals : NULL; d && !node; d = d->next)
			node = d->name == name ? d : NULL;
		for (const Carry *k = env->lines; k && !node; k = k->next)
			node = k->node && k->name == name ? k->node : NULL;
		if (node) {
			*out = (Binding){ .name = name, .kind = BIND_FIELD, .decl = node, .expr = node->value, .env = env };
			return true;
		}
	}
	return false;
}

static bool same_binding(const Binding *a, const Binding *b)
{
	if (a->kind != b->kind || a->name != b->name || !type_same(a->type, b->type))
		return false;
	switch (a->kind) {
	case BIND_FIELD: return a->expr == b->expr && a->env == b->env;
	case BIND_CONST: return !memcmp(a->bits, b->bits, sizeof a->bits);
	case BIND_VALUE: return a->func == b->func && a->ref == b->ref;
	case BIND_ARGUMENT: return true;
	}
	return false;
}

static uint32_t mix(uint32_t h, uint32_t k)
{
	h = (h ^ k) * 0x85EBCA77u;
	return h ^ h >> 14;
}

static void grow_envs(Lower *l)
{
	uint32_t size = l->env_slots ? 4 * l->env_slots : 64;
	Env **table = arena_alloc(l->arena, size * sizeof *table);
	for (uint32_t k = 0; k < l->env_slots; k++)
		for (Env *e = l->call_env[k], *next; e; e = next) {
			next = e->next;
			e->next = table[e->hash & (size - 1)];
			table[e->hash & (size - 1)] = e;
		}
	l->call_env = table;
	l->env_slots = size;
}

static void grow_instances(Lower *l)
{
	uint32_t size = l->instance_slots ? 4 * l->instance_slots : 64;
	Instance **table = arena_alloc(l->arena, size * sizeof *table);
	for (uint32_t k = 0; k < l->instance_slots; k++)
		for (Instance *i = l->instance[k], *next; i; i = next) {
			next = i->next;
			i->next = table[i->hash & (size - 1)];
			table[i->hash & (size - 1)] = i;
		}
	l->instance = table;
	l->instance_slots = size;
}

/* The one environment of a function with these bindings. Ids, not addresses, go into hashes. */
static const Env *call_env(Lower *l, const Decl *fn, const Env *home, int width, Binding *binding, uint32_t count)
{
	uint32_t h = mix((uint32_t)width, (uint32_t)(fn->span.start));
	for (uint32_t i = 0; i < count; i++) {
		h = mix(h, (uint32_t)binding[i].kind << 8 | (uint32_t)binding[i].type.width);
		if (binding[i].kind == BIND_FIELD)
			h = mix(mix(h, binding[i].env->id), binding[i].expr->span.start);
		else if (binding[i].kind == BIND_CONST)
			h = mix(h, binding[i].bits[0]);
	}
	if (l->envs >= l->env_slots)
		grow_envs(l);
	Env **slot = &l->call_env[h & (l->env_slots - 1)];
	for (Env *e = *slot; e; e = e->next) {
		bool same = e->hash == h && e->fn == fn && e->width == width && e->bindings == count;
		for (uint32_t i = 0; same && i < count; i++)
			same = same_binding(&e->binding[i], &binding[i]);
		if (same)
			return e;
	}
	Env *e = arena_alloc(l->arena, sizeof *e);
	*e = (Env){ .outer = home, .scope = fn->scope, .fn = fn, .width = width, .bindings = count, .binding = binding, .id = ++l->env_count, .hash = h, .next = *slot };
	l->envs++;
	return *slot = e;
}

Instance *lower_find_instance(Lower *l, const Expr *expr, const Env *env, int width, Type expect)
{
	uint32_t h = mix(mix(expr->span.start, env->id), (uint32_t)width);
	if (l->instances >= l->instance_slots)
		grow_instances(l);
	Instance **slot = &l->instance[h & (l->instance_slots - 1)];
	for (Instance *i = *slot; i; i = i->next)
		if (i->expr == expr && i->env == env && i->width == width && type_same(i->expect, expect))
			return i;
	Instance *i = arena_alloc(l->arena, sizeof *i);
	*i = (Instance){ .expr = expr, .env = env, .width = width, .expect = expect, .own.arena = l->arena, .hash = h, .next = *slot };
	l->instances++;
	return *slot = i;
}

/* ---- calling an instance ---- */

static void add_func(Lower *l, Func *f)
{
	Program *p = l->program;
	if (p->funcs == p->func_capacity) {
		uint32_t capacity = p->func_capacity ? 2 * p->func_capacity : 64;
		p->func = arena_grow(l->arena, p->func, p->func_capacity * sizeof *p->func, capacity * sizeof *p->func);
		p->func_capacity = capacity;
	}
	f->id = p->funcs;
	p->func[p->funcs++] = f;
}

static Ref constant_from(Func *to, const Func *from, Ref r)
{
	return ir_const(to, (Kind)from->value[r].kind, from->value[r].width, ir_bits(from, r));
}

Typed lower_instance(Lower *l, const Context *c, Instance *i, const Typed *args, Span span)
{
	Func *f = c->frame->func, *callee = i->func;
	lower_reach(l, i);
	if (i->state == INSTANCE_BAD)
		return typed_bad();
	c->use->position = c->use->position || i->use.position;
	c->use->seed = c->use->seed || i->use.seed;
	assert(i->state != INSTANCE_OPEN);      /* recursion was refused on declarations, and by choose_overload */
	if (i->type.base == BASE_STOPS)
		return i->stops;
	Ref result = callee->result[0];
	if (ir_is_const(callee, result)) {
		Typed v = typed(i->type, constant_from(f, callee, result));
		return v;
	}
	if (l->program->funcs == 0 || callee->id >= l->program->funcs || l->program->func[callee->id] != callee) {
		if (l->program->funcs >= l->most_funcs) {
			if (!l->full)           /* of the program as a whole: told once, whoever asks */
				lower_keep(l, lower_later(l, "N0408", span, text_print(l->arena, "the program needs more than %u functions", (unsigned)l->most_funcs)));
			l->full = true;
			return typed_bad();
		}
		add_func(l, callee);
	}
	Ref *operand = arena_alloc(l->arena, (callee->args + 1) * sizeof *operand);
	for (uint32_t k = 0; k < callee->args; k++) {
		const FuncArg *a = &callee->arg[k];
		if (a->role == ROLE_POSITION) {
			operand[k] = lower_position(l, c);
		} else if (a->role == ROLE_SEED) {
			operand[k] = lower_seed(l, c);
		} else if (!a->source) {
			operand[k] = args[a->index].ref;
		} else {
			bool input = a->role == ROLE_INPUT;
			if (input && c->moved)
				return lower_refuse_input(l, a->name, span, a->use);
			operand[k] = lower_capture(c->frame, a->source, a->source_ref, input && !c->here ? a : NULL, input ? a->use : span);
		}
	}
	if (callee->args > 255) {
		lower_error(l, "N0408", span, "this field depends on more than 255 values");
		return typed_bad();
	}
	Ref r = ir_value(f, IR_CALL, type_kind(i->type), i->type.width, callee->id, operand, callee->args);
	return typed(i->type, r);
}

/* ---- functions of the language ---- */

static Type argument_type(Lower *l, const Decl *a, int width)
{
	return type_of_name(l, a->type, width);
}

static const Decl *choose_overload(Lower *l, const Context *c, const Env *env, const Decl *fn, const Expr *e)
{
	const Decl *any = NULL, *chosen = NULL;
	Text dims = { .arena = l->arena };
	for (const Decl *d = fn; d; d = d->overload) {
		if (!d->at.name)
			any = d;
		else if (type_of_name(l, d->at, c->width).width == c->width)
			chosen = d;
		else
			text_format(&dims, "%s%s", dims.size ? ", " : "", d->at.name);
	}
	const char *have = type_text(l, type_make(BASE_FLOAT, c->width));
	if (!chosen && !any) {
		lower_error(l, "N0402", e->u.call.name_span, "'%s' is not defined where p is %s, only for %s", fn->name, have, dims.data);
		return NULL;
	}
	while (env && !env->fn)
		env = env->outer;
	if (env && env->fn->scope == fn->scope && env->fn->name == fn->name && (!chosen || c->width >= env->width)) {
		lower_error(l, "N0407", e->u.call.name_span, "'%s' may call its own name only where p has a smaller dimension; here it is %s", fn->name, have);
		return NULL;
	}
	c->use->position = c->use->position || chosen || fn->overload;
	return chosen ? chosen : any;
}

static bool literal(const Expr *e)
{
	return e->kind == EXPR_NUMBER || e->kind == EXPR_BOOL || e->kind == EXPR_COLOUR;
}

static Binding field_binding(const Decl *d, Type type, const Expr *e, const Env *env)
{
	lower_resolve(&e, &env, d);             /* so that instances are shared */
	return (Binding){ .name = d->name, .kind = BIND_FIELD, .type = type, .decl = d, .expr = e, .env = env };
}

/* The body of a function for one set of bindings. */
static Instance *function_instance(Lower *l, const Context *c, const Decl *fn, const Env *env, Span call)
{
	Instance *i = lower_find_instance(l, fn->value, env, c->width, type_none());
	if (i->func)
		return i;
	i->func = ir_func_new(l->arena);
	i->func->name = fn->name;
	i->func->doc = fn->doc;
	i->func->library = fn->scope == l->library;
	Frame frame = { .func = i->func, .env = env, .caller = c->frame, .fn = fn, .call = call, .width = c->width, .place = c->place };
	Context inside = { .frame = &frame, .width = c->width, .place = c->place, .use = &i->use };
	Frame *outer = l->frame;
	Instance *around = l->current;
	l->frame = &frame;
	l->current = i;
	Type declared = type_of_name(l, fn->type, c->width);
	Typed v = lower_expr(l, &inside, env, fn->value, declared);
	if (declared.base)
		v = convert(l, &inside, v, declared, fn->value->span, text_print(l->arena, "the result of '%s'", fn->name));
	if (fn->low && v.ref) {
		const Env *home = fn->scope == l->library ? l->library_env : l->file_env;
		if (v.type.whole)
			v.type.whole = false;
		v = lower_clamp(l, &inside, home, v, fn->low, fn->high);
	}
	l->frame = outer;
	l->current = around;
	i->type = v.type;
	i->stops = v;
	i->func->results = 1;
	i->func->result = arena_alloc(l->arena, sizeof *i->func->result);
	i->func->result[0] = v.ref;
	lower_order_args(l, i->func);
	i->state = v.ref || v.type.base == BASE_STOPS ? INSTANCE_DONE : INSTANCE_BAD;
	return i;
}

static Typed call_bound(Lower *l, const Context *c, const Decl *fn, Binding *binding, Typed *value, uint32_t count, Span span)
{
	const Env *home = fn->scope == l->library ? l->library_env : l->file_env;
	bool all_known = true;
	for (uint32_t k = 0; k < count; k++)
		all_known = all_known && (binding[k].kind == BIND_CONST || (binding[k].kind == BIND_ARGUMENT && lower_is_const(c, value[k])));
	for (uint32_t k = 0; k < count; k++) {
		Binding *b = &binding[k];
		b->index = k;
		if (b->kind != BIND_ARGUMENT || !lower_is_const(c, value[k]) || !(all_known || b->decl->decides))
			continue;
		b->kind = BIND_CONST;
		if (b->decl->low)
			value[k] = lower_clamp(l, c, home, value[k], b->decl->low, b->decl->high);
		if (!value[k].ref)
			return typed_bad();
		memcpy(b->bits, ir_bits(c->frame->func, value[k].ref), (size_t)value[k].type.width * sizeof *b->bits);
	}
	const Env *env = call_env(l, fn, home, c->width, binding, count);
	return lower_instance(l, c, function_instance(l, c, fn, env, span), value, span);
}

static uint32_t count_args(const Decl *fn)
{
	uint32_t count = 0;
	for (const Decl *d = fn->args; d; d = d->next)
		count++;
	return count;
}

/* The library's type `key`: an int, of which the bits count, or a uint. A whole literal is an int. */
static Typed key_value(Lower *l, const Context *c, Typed v, Span span, const char *what)
{
	Func *f = c->frame->func;
	if (v.type.whole)
		v = convert_quietly(c, v, type_make(BASE_INT, v.type.width));
	if (v.type.base == BASE_INT && v.type.width == 1)
		return typed(type_make(BASE_UINT, 1), ir_op(f, OP_ITOU, v.ref, 0, 0));
	if (v.type.base == BASE_BAD || (v.type.base == BASE_UINT && v.type.width == 1))
		return v;
	bool number = v.type.base == BASE_FLOAT && v.type.width == 1;
	if (number)
		lower_fix_around(l, span, "int(", ")");
	lower_error(l, "N0302", span, "%s must be int or uint, not %s%s", what, type_text(l, v.type), number ? "; write int(…) to convert" : "");
	return typed_bad();
}

/* An argument that is known, and outside of the range of its parameter. */
static void warn_clamped(Lower *l, const Context *c, const Decl *fn, const Decl *d, const Expr *x, Typed v)
{
	if (!v.ref || !type_numeric(v.type) || !lower_is_const(c, v))
		return;
	Typed held = lower_clamp(l, c, fn->scope == l->library ? l->library_env : l->file_env, v, d->low, d->high);
	size_t size = (size_t)v.type.width * sizeof(uint32_t);
	const Func *f = c->frame->func;
	if (!held.ref || !lower_is_const(c, held) || !memcmp(ir_bits(f, held.ref), ir_bits(f, v.ref), size))
		return;
	const char *low = lower_text(l, d->low), *high = lower_text(l, d->high), *given = lower_text(l, x);
	Range was = range_of(l->program, f, v.ref, true), is = range_of(l->program, f, held.ref, true);
	const char *bound = was.low < is.low ? low : high;
	if (!low || !high || !given || v.type.width > 1)
		return;
	if (x->kind == EXPR_NUMBER || x->kind == EXPR_UNARY)
		lower_fix(l, x->span, "%s", bound);
	lower_warning(l, "N0462", x->span, "'%s' of '%s' lies in %s .. %s: %s is taken as %s", d->name, fn->name, low, high, given, bound);
}

static Typed call_function(Lower *l, const Context *c, const Env *env, const Decl *fn, const Expr *e)
{
	fn = choose_overload(l, c, env, fn, e);
	if (!fn || fn->broken)
		return typed_bad();
	uint32_t count = count_args(fn);
	const Arg **given = arena_alloc(l->arena, (count + 1) * sizeof *given);
	if (!lower_bind(l, fn, e, given, count))
		return typed_bad();
	const Env *home = fn->scope == l->library ? l->library_env : l->file_env;
	Binding *binding = arena_alloc(l->arena, (count + 1) * sizeof *binding);
	Typed *value = arena_alloc(l->arena, (count + 1) * sizeof *value);
	bool bad = false;
	uint32_t k = 0;
	for (const Decl *d = fn->args; d; d = d->next, k++) {
		const Expr *x = given[k] ? given[k]->value : d->value;
		const Env *where = given[k] ? env : home;
		Type type = argument_type(l, d, c->width);
		if (d->type.name && !type.base) {
			bad = true;
			continue;
		}
		if (x->kind == EXPR_STOPS || (d->by_name && !literal(x))) {
			binding[k] = field_binding(d, type, x, where);
			continue;
		}
		if (given[k] && type.base == BASE_ENUM && lower_mentions_p(x)) {
			lower_fix_sampling(l, e, given[k]);
			lower_error(l, "N0403", x->span, "'%s' of '%s' is one of %s; %s", d->name, fn->name, type.enumeration->name, lower_sampling(l, fn, x));
			bad = true;
			continue;
		}
		const char *what = text_print(l->arena, "'%s' of '%s'", d->name, fn->name);
		bool key = d->type.name && !strcmp(d->type.name, "key");
		Typed v = lower_expr(l, c, where, x, key ? type_make(BASE_INT, 1) : type);
		if (key)
			v = key_value(l, c, v, x->span, what);
		else if (type.base)
			v = convert(l, c, v, type, x->span, what);
		v.type.whole = false;
		if (given[k] && d->low && !type_numeric(v.type) && v.type.base != BASE_BAD) {
			lower_error(l, "N0302", x->span, "%s must be a number, not %s", what, type_text(l, v.type));
			v = typed_bad();
		}
		if (given[k] && d->low)
			warn_clamped(l, c, fn, d, x, v);
		if (v.type.base == BASE_STOPS) {
			binding[k] = field_binding(d, type, v.stops, v.stops_env);
			continue;
		}
		bad = bad || !v.ref;
		value[k] = v;
		binding[k] = (Binding){ .name = d->name, .kind = BIND_ARGUMENT, .type = v.type, .decl = d };
	}
	if (bad)
		return typed_bad();
	if (fn->scope == l->library && !strcmp(fn->name, "unit") && binding[0].kind == BIND_FIELD && !lower_has_bounds(l, c, &binding[0]))
		return typed_bad();
	return call_bound(l, c, fn, binding, value, count, e->u.call.name_span);
}

/* A function whose parameters all have a type means the same wherever it is called: its mistakes are told
   without a call. Those on which a choice or a bound depends may count on what they are given. */
void lower_unused(Lower *l, const Context *c, const Decl *fn)
{
	Binding *binding = arena_alloc(l->arena, (count_args(fn) + 1) * sizeof *binding);
	Use use = { false, false };
	Context there = *c;
	there.use = &use;
	if (fn->at.name)
		there.width = type_of_name(l, fn->at, c->width).width;
	uint32_t count = 0;
	for (const Decl *d = fn->args; d; d = d->next, count++) {
		Type type = argument_type(l, d, there.width);
		if (!type.base || d->by_name || d->decides)
			return;
		binding[count] = (Binding){ .name = d->name, .kind = BIND_ARGUMENT, .type = type, .decl = d, .index = count };
	}
	Span nowhere = { NULL, 0, 0 };
	if (!fn->broken && there.width == c->width)
		lower_reach(l, function_instance(l, &there, fn, call_env(l, fn, l->file_env, there.width, binding, count), nowhere));
}

/* A library function on values, for what the language spells otherwise (reseed, operators of a target). */
Typed lower_library(Lower *l, const Context *c, const char *name, const Typed *args, uint32_t count, Span span)
{
	const Decl *fn = scope_find(l->library, arena_intern(l->arena, name, strlen(name)));
	assert(fn && count_args(fn) == count);
	Binding *binding = arena_alloc(l->arena, (count + 1) * sizeof *binding);
	Typed *value = arena_alloc(l->arena, (count + 1) * sizeof *value);
	uint32_t k = 0;
	for (const Decl *d = fn->args; d; d = d->next, k++) {
		Type type = argument_type(l, d, c->width);
		value[k] = type.base ? convert(l, c, args[k], type, span, d->name) : args[k];
		value[k].type.whole = false;
		if (!value[k].ref)
			return typed_bad();
		binding[k] = (Binding){ .name = d->name, .kind = BIND_ARGUMENT, .type = value[k].type, .decl = d };
	}
	return call_bound(l, c, fn, binding, value, count, span);
}

/* ---- seed: k, which any call takes ---- */

static const Arg *seed_argument(Lower *l, const Expr *e)
{
	const Arg *seed = NULL;
	for (const Arg *a = e->u.call.args; a; a = a->next)
		if (a->name && !strcmp(a->name, "seed")) {
			if (seed)
				lower_error(l, "N0404", a->name_span, "'seed:' is given twice");
			seed = a;
		}
	return seed;
}

static Expr *without_seed(Lower *l, const Expr *e, const Arg *seed)
{
	Expr *bare = arena_alloc(l->arena, sizeof *bare);
	*bare = *e;
	Arg **tail = &bare->u.call.args;
	*tail = NULL;
	for (const Arg *a = e->u.call.args; a; a = a->next)
		if (a != seed) {
			Arg *copy = arena_alloc(l->arena, sizeof *copy);
			*copy = *a;
			copy->next = NULL;
			*tail = copy;
			tail = &copy->next;
		}
	return bare;
}

Typed lower_call(Lower *l, const Context *c, const Env *env, const Expr *e, Type expect)
{
	if (!e->u.call.name || e->u.call.module)
		return typed_bad();
	const Decl *d = scope_find(env->scope, e->u.call.name);
	Use use = { false, false };
	Context reseeded = *c;
	const Arg *seed = seed_argument(l, e);
	if (seed) {
		Typed k = lower_expr(l, c, env, seed->value, type_make(BASE_INT, 1));
		if (!k.ref)
			return typed_bad();
		reseeded.seed = lower_reseed(l, c, k, seed->value->span);
		if (!reseeded.seed)
			return typed_bad();
		reseeded.use = &use;
		e = without_seed(l, e, seed);
	}
	Typed v;
	if (d && d->kind == DECL_FN)
		v = call_function(l, &reseeded, env, d, e);
	else if (d && d->kind == DECL_ENUM)
		v = lower_constructor(l, &reseeded, env, e, (Type){ .base = BASE_ENUM, .width = 1, .enumeration = d });
	else if (d)
		return typed_bad();
	else if (is_form(e->u.call.name))
		v = lower_form(l, &reseeded, env, e, expect);
	else
		v = lower_operation(l, &reseeded, env, e);
	if (seed) {
		c->use->position = c->use->position || use.position;
		if (v.ref && !use.seed) {
			lower_fix(l, lower_cut(seed, e), "%s", "");
			lower_warning(l, "N0451", seed->name_span, "'seed:' has no effect: '%s' does not depend on the seed", e->u.call.name);
		}
	}
	return v;
}
