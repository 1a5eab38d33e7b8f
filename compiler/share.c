/* Lattice sharing. Needs calls, so it runs after inlining; keeps every bit; leaves one call where a function of
   a position was called several times at one place with nothing but the seeds different: a function for two,
   three or four seeds, in which all that does not depend on a seed is computed once. Loops of such a function
   run for all its seeds together, and calls inside are shared in turn: an fBm for two seeds calls a noise for
   two seeds. */
#include <assert.h>
#include <string.h>

#include "cc.h"

enum {
	MOST_SEEDS = 4,
	LEAST = 6,                              /* operations that a call must have in common with the next */
	COMMON_DEPTH = 8,                       /* calls inside calls that are looked into for them */
	LARGEST = 3000                          /* values of a function for several seeds */
};

typedef struct Group {                          /* calls that become one */
	Ref call[MOST_SEEDS];
	uint32_t calls, home, depth, hash;
	Ref made;                               /* the call for all */
} Group;

typedef struct Callee {                         /* what is known of a function, by id */
	bool looked_at;
	bool *by_seed;                          /* per value: depends on a seed; NULL: cannot be shared */
	Func *several[MOST_SEEDS + 1];          /* by number of seeds, once made */
	uint32_t common[COMMON_DEPTH + 1];      /* common_cost by depth, plus one; 0: not known */
} Callee;

typedef struct Share {
	Copy copy;
	Arena *arena;
	Program *program;
	uint64_t *cost;                         /* per function: of one call */
	Callee *callee; uint32_t capacity;      /* per function */
	const Func *from;                       /* the function at hand */
	Group *group; uint32_t groups;          /* [0] is unused */
	uint32_t *group_of;                     /* per value */
	bool any;
} Share;

/* ---- what depends on a seed ---- */

static bool loop_depends(const Func *f, const bool *by_seed, Ref header, Ref end, uint32_t carried)
{
	return by_seed[ir_operands(f, header)[carried + 1]] || by_seed[ir_operands(f, end)[carried + 1]];
}

/* NULL where a loop's number of rounds depends on a seed. */
static bool *find_dependent(Arena *arena, const Func *f)
{
	const bool *live = late_live(arena, f);
	bool *by_seed = arena_alloc(arena, f->count), changed = true;
	Ref *end_of = arena_alloc(arena, f->count * sizeof *end_of);
	for (Ref r = 1; r < f->count; r++)
		if (f->value[r].op == IR_END)
			end_of[ir_operands(f, r)[0]] = r;
	while (changed) {                       /* a carried value may depend on what stands behind it */
		changed = false;
		for (Ref r = 1; r < f->count; r++) {
			const Value *v = &f->value[r];
			const Ref *o = ir_operands(f, r);
			if (!live[r])
				continue;
			bool depends = v->op == IR_ARG && f->arg[v->imm].role == ROLE_SEED;
			if (v->op == IR_CARRY)
				depends = loop_depends(f, by_seed, o[0], end_of[o[0]], v->imm);
			else if (v->op == IR_OUT)
				depends = loop_depends(f, by_seed, ir_operands(f, o[0])[0], o[0], v->imm);
			else if (v->op != IR_CONST && v->op != IR_LOOP && v->op != IR_END && v->op != IR_INDEX)
				for (uint32_t i = 0; i < v->operands; i++)
					depends = depends || by_seed[o[i]];
			changed = changed || (depends && !by_seed[r]);
			by_seed[r] = by_seed[r] || depends;
		}
	}
	for (Ref r = 1; r < f->count; r++)
		if (live[r] && f->value[r].op == IR_LOOP && by_seed[ir_operands(f, r)[0]])
			return NULL;
	return by_seed;
}

static Callee *look_at(Share *s, uint32_t id)
{
	Callee *c = &s->callee[id];
	if (!c->looked_at) {
		c->looked_at = true;
		c->by_seed = find_dependent(s->arena, s->program->func[id]);
	}
	return c;
}

/* Do two calls of one function differ in seeds alone? */
static bool differ_in_seeds(const Func *callee, const Ref *a, const Ref *b)
{
	for (uint32_t i = 0; i < callee->args; i++)
		if (a[i] != b[i] && callee->arg[i].role != ROLE_SEED)
			return false;
	return true;
}

/* Operations of a call that do not depend on its seeds, up to LEAST. */
static uint64_t common_cost(Share *s, uint32_t id, uint32_t depth)
{
	const Func *f = s->program->func[id];
	Callee *c = look_at(s, id);
	uint64_t sum = 0;
	if (c->common[depth])                   /* without this the calls of each level would multiply */
		return c->common[depth] - 1;
	for (Ref r = 1; c->by_seed && r < f->count && sum < LEAST; r++)
		if (!c->by_seed[r])
			sum += late_cost(f, r, s->cost);
		else if (f->value[r].op == IR_CALL && depth < COMMON_DEPTH)
			sum += common_cost(s, f->value[r].imm, depth + 1);
	sum = sum < LEAST ? sum : LEAST;
	c->common[depth] = (uint32_t)sum + 1;
	return sum;
}

/* ---- a function for several seeds ---- */

typedef struct Several {
	Func *to;
	const Func *from;
	const bool *by_seed;
	uint32_t seeds;
	Ref *map[MOST_SEEDS];                   /* per seed and value; the same for all where nothing depends on it */
	uint32_t **slot;                        /* per header: number of the first copy of each carried value */
} Several;

static uint32_t copies(const Several *s, Ref r) { return s->by_seed[r] ? s->seeds : 1; }

static void set_all(Several *s, Ref r, Ref made)
{
	for (uint32_t k = 0; k < s->seeds; k++)
		s->map[k][r] = made;
}

/* First or next values of a loop: as many copies of each carried value as it needs. */
static bool loop_operands(Several *s, Ref r, Ref header, Ref end, Ref *operand, uint32_t *count)
{
	const Ref *o = ir_operands(s->from, r);
	uint32_t operands = s->from->value[r].operands;
	*count = 0;
	operand[(*count)++] = s->map[0][o[0]];
	for (uint32_t c = 0; c + 1 < operands; c++) {
		uint32_t n = loop_depends(s->from, s->by_seed, header, end, c) ? s->seeds : 1;
		s->slot[header][c] = *count - 1;
		if (*count + n > 255)
			return false;
		for (uint32_t k = 0; k < n; k++)
			operand[(*count)++] = s->map[k][o[c + 1]];
	}
	return true;
}

static void copy_row(Several *s, Ref r)
{
	const Value *v = &s->from->value[r];
	const Ref *o = ir_operands(s->from, r);
	for (uint32_t k = 0; k < copies(s, r); k++) {
		Ref operand[256];
		uint32_t imm = v->imm;
		for (uint32_t i = 0; v->op != IR_CONST && i < v->operands; i++)
			operand[i] = s->map[k][o[i]];
		if (v->op == IR_CARRY)
			imm = s->slot[o[0]][v->imm] + k;
		else if (v->op == IR_OUT)
			imm = s->slot[ir_operands(s->from, o[0])[0]][v->imm] + k;
		Ref made = v->op == IR_CONST ? ir_const(s->to, (Kind)v->kind, v->width, o)
			: ir_value(s->to, (Op)v->op, (Kind)v->kind, v->width, imm, operand, v->operands);
		if (copies(s, r) == 1)
			set_all(s, r, made);
		else
			s->map[k][r] = made;
		if (v->name && !s->to->value[made].name && v->op != IR_CONST)
			s->to->value[made].name = v->name;
	}
}

static void copy_args(Several *s)
{
	const Func *f = s->from;
	Ref *made = arena_alloc(f->arena, (f->args * s->seeds + 1) * sizeof *made);
	for (uint32_t i = 0; i < f->args; i++)
		for (uint32_t k = 0; k < (f->arg[i].role == ROLE_SEED ? s->seeds : 1); k++) {
			const FuncArg *a = &f->arg[i];
			made[i * s->seeds + k] = ir_arg(s->to, a->name, (Kind)a->kind, a->width, a->role, a->index);
			s->to->arg[s->to->args - 1] = *a;
		}
	for (Ref r = 1; r < f->count; r++)
		if (f->value[r].op == IR_ARG)
			for (uint32_t k = 0; k < s->seeds; k++)
				s->map[k][r] = made[f->value[r].imm * s->seeds + (s->by_seed[r] ? k : 0)];
}

static bool copy_values(Several *s)
{
	const Func *f = s->from;
	Ref operand[256], *end_of = arena_alloc(f->arena, f->count * sizeof *end_of);
	const bool *live = late_live(f->arena, f);
	uint32_t operands;
	for (Ref r = 1; r < f->count; r++)
		if (f->value[r].op == IR_END)
			end_of[ir_operands(f, r)[0]] = r;
	for (Ref r = 1; r < f->count; r++) {
		const Value *v = &f->value[r];
		if (!live[r] || v->op == IR_ARG) {
			continue;
		} else if (v->op == IR_LOOP) {
			s->slot[r] = arena_alloc(f->arena, v->operands * sizeof **s->slot);
			if (!loop_operands(s, r, r, end_of[r], operand, &operands))
				return false;
			s->to->open_loop = v->loop ? s->map[0][v->loop] : 0;
			set_all(s, r, ir_loop(s->to, v->imm, operand, operands));
		} else if (v->op == IR_END) {
			loop_operands(s, r, ir_operands(f, r)[0], r, operand, &operands);
			set_all(s, r, ir_value(s->to, IR_END, KIND_INT, 1, 0, operand, operands));
		} else {
			copy_row(s, r);
		}
	}
	return true;
}

static Func *make_several(Share *share, uint32_t id, uint32_t seeds)
{
	static const char *const many[] = { "", "", "Pair", "Triple", "Quad" };
	const Func *f = share->program->func[id];
	Several s = { .from = f, .by_seed = share->callee[id].by_seed, .seeds = seeds };
	s.to = ir_func_new(f->arena);
	s.to->level = 2;
	s.to->library = f->library;
	s.to->local = f->local;
	s.to->name = f->name ? text_print(f->arena, "%s%s", f->name, many[seeds]) : NULL;
	const char *rest = f->doc ? strstr(f->doc, "\n\n") : NULL;
	int first = f->doc ? (int)(rest ? (size_t)(rest - f->doc) : strlen(f->doc)) : 0;
	s.to->doc = text_print(f->arena, "%.*s%sFor %u seeds, which share what does not depend on a seed.", first, f->doc ? f->doc : "", f->doc ? "\n" : "", (unsigned)seeds);
	for (uint32_t k = 0; k < seeds; k++)
		s.map[k] = arena_alloc(f->arena, f->count * sizeof **s.map);
	s.slot = arena_alloc(f->arena, f->count * sizeof *s.slot);
	copy_args(&s);
	if (!copy_values(&s))
		return NULL;
	Ref lane[4];
	int width = f->value[f->result[0]].width, lanes = 0;
	for (uint32_t k = 0; k < seeds; k++)
		for (int i = 0; i < width; i++)
			lane[lanes++] = ir_lane(s.to, s.map[k][f->result[0]], i);
	s.to->results = 1;
	s.to->result = arena_alloc(f->arena, sizeof *s.to->result);
	s.to->result[0] = ir_vec(s.to, lane, lanes);
	return s.to;
}

static void make_room(Share *s, uint32_t functions)
{
	if (functions <= s->capacity)
		return;
	uint32_t capacity = 2 * functions;
	s->callee = arena_grow(s->arena, s->callee, s->capacity * sizeof *s->callee, capacity * sizeof *s->callee);
	s->cost = arena_grow(s->arena, s->cost, s->capacity * sizeof *s->cost, capacity * sizeof *s->cost);
	s->capacity = capacity;
}

/* The number of the function for several seeds, or 0: there can be none. (No function for several seeds is number 0.) */
static uint32_t several_of(Share *s, uint32_t id, uint32_t seeds)
{
	Program *p = s->program;
	if (!s->callee[id].several[seeds]) {
		Func *made = p->func[id]->count * seeds <= LARGEST ? make_several(s, id, seeds) : NULL;
		if (!made)
			return 0;
		if (p->funcs == p->func_capacity) {
			p->func = arena_grow(s->arena, p->func, p->func_capacity * sizeof *p->func, 2u * p->func_capacity * sizeof *p->func);
			p->func_capacity *= 2;
		}
		make_room(s, p->funcs + 1);
		made->id = p->funcs;
		p->func[p->funcs++] = made;
		s->cost[made->id] = late_call_cost(made, s->cost);
		s->callee[id].several[seeds] = made;
	}
	return s->callee[id].several[seeds]->id;
}

/* ---- calls ---- */

static uint32_t hash_call(const Func *f, Ref r, const Func *callee, uint32_t home, uint32_t depth)
{
	uint32_t h = (f->value[r].imm * 0x9E3779B1u ^ home) * 0x85EBCA77u ^ depth;
	for (uint32_t i = 0; i < callee->args; i++)
		if (callee->arg[i].role != ROLE_SEED)
			h = (h ^ ir_operands(f, r)[i]) * 0x27D4EB2Fu ^ h >> 15;
	return h ^ h >> 13;
}

static bool can_share(Share *s, Ref r)
{
	const Value *v = &s->from->value[r];
	if (v->op != IR_CALL || v->width > 2)
		return false;
	const Func *callee = s->program->func[v->imm];
	bool seeded = false;
	for (uint32_t i = 0; i < callee->args; i++)
		seeded = seeded || callee->arg[i].role == ROLE_SEED;
	return seeded && common_cost(s, v->imm, 0) >= LEAST;
}

/* Calls of equal depth do not need each other, nor do groups of them in a ring: depth grows along every way. */
static bool find_groups(Share *s)
{
	const Func *f = s->from;
	const Late *late = late_homes(s->arena, f, s->cost);
	uint32_t *depth = arena_alloc(s->arena, f->count * sizeof *depth), candidates = 0, size = 16;
	bool *candidate = arena_alloc(s->arena, f->count), any = false;
	for (Ref r = 1; r < f->count; r++) {
		candidate[r] = late->live[r] && can_share(s, r);
		candidates += candidate[r];
	}
	if (candidates < 2)
		return false;
	while (size < 2 * candidates)
		size *= 2;
	uint32_t *table = arena_alloc(s->arena, size * sizeof *table);          /* open groups by hash */
	s->group = arena_alloc(s->arena, (candidates + 1) * sizeof *s->group);
	s->group_of = arena_alloc(s->arena, f->count * sizeof *s->group_of);
	s->groups = 1;
	for (Ref r = 1; r < f->count; r++) {
		const Value *v = &f->value[r];
		const Ref *o = ir_operands(f, r);
		depth[r] = v->loop ? depth[v->loop] : 0;
		for (uint32_t i = 0; v->op != IR_CONST && i < v->operands; i++)
			depth[r] = depth[o[i]] > depth[r] ? depth[o[i]] : depth[r];
		if (!candidate[r])
			continue;
		depth[r]++;
		const Func *callee = s->program->func[v->imm];
		uint32_t h = hash_call(f, r, callee, late->home[r], depth[r]), i = h & (size - 1);
		for (; table[i]; i = (i + 1) & (size - 1)) {
			const Group *g = &s->group[table[i]];
			if (g->hash == h && g->home == late->home[r] && g->depth == depth[r] && f->value[g->call[0]].imm == v->imm
				&& differ_in_seeds(callee, ir_operands(f, g->call[0]), o))
				break;
		}
		Group *g = &s->group[table[i]];
		if (!table[i] || (g->calls + 1) * v->width > MOST_SEEDS) {
			table[i] = s->groups++;
			g = &s->group[table[i]];
			*g = (Group){ .home = late->home[r], .depth = depth[r], .hash = h };
		}
		g->call[g->calls++] = r;
		any = any || g->calls > 1;
		s->group_of[r] = table[i];
	}
	for (Ref r = 1; r < f->count; r++)      /* one alone is no group */
		if (s->group_of[r] && s->group[s->group_of[r]].calls < 2)
			s->group_of[r] = 0;
	if (any)
		s->copy.order = late_order(s->arena, f, late->live, s->group_of, &s->copy.ordered);
	return any;
}

static Ref share_call(Copy *c, const Func *from, Ref r, Func *to, const Ref *operands)
{
	Share *s = (Share *)c;
	(void)operands;
	if (!s->group_of[r])
		return 0;
	Group *g = &s->group[s->group_of[r]];
	const Value *v = &from->value[r];
	const Func *callee = s->program->func[v->imm];
	uint32_t several = several_of(s, v->imm, g->calls), args = 0, number = 0;
	if (!several)
		return 0;
	while (g->call[number] != r)
		number++;
	if (!g->made) {
		Ref *arg = arena_alloc(s->arena, callee->args * g->calls * sizeof *arg);
		for (uint32_t i = 0; i < callee->args; i++)
			for (uint32_t k = 0; k < (callee->arg[i].role == ROLE_SEED ? g->calls : 1); k++)
				arg[args++] = c->map[ir_operands(from, g->call[k])[i]];
		g->made = ir_value(to, IR_CALL, (Kind)v->kind, v->width * (int)g->calls, several, arg, args);
		s->any = true;
	}
	Ref lane[4];
	for (int i = 0; i < v->width; i++)
		lane[i] = ir_lane(to, g->made, (int)number * v->width + i);
	return ir_vec(to, lane, v->width);
}

void pass_share(Program *p)
{
	Share s = { .copy = { .hook = share_call, .level = 2, .program = p }, .arena = p->arena, .program = p };
	make_room(&s, p->funcs);
	memcpy(s.cost, late_costs(p), p->funcs * sizeof *s.cost);
	for (uint32_t i = 0; i < p->funcs; i++) {       /* those that are made on the way come in their turn */
		s.from = p->func[i];
		if (!find_groups(&s))
			continue;
		Func *made = copy_func(&s.copy, s.from);
		p->func[i] = made;
		s.callee[i].looked_at = false;
		memset(s.callee[i].common, 0, sizeof s.callee[i].common);
		if (p->root == s.from)
			p->root = made;
	}
	if (s.any) {
		Copy plain = { .level = 2 };
		copy_program(&plain, p);
	}
}
