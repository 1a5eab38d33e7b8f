/* The words of the language that are neither operations nor functions of the library. This table alone says which they
   are: check and lower ask it, `noisec nodes` prints it. (Signs and keywords are the grammar's; here they are described.) Each is lowered in lower.c or lower_form.c. */
#include <string.h>

#include "cc.h"

const FormInfo form_info[] = {
	{ "p", FORM_VALUE | FORM_RESERVED, "p", "float, vec2, vec3 or vec4",
		"The position: where the field is sampled. As wide as the domain of the program, or as the position behind the last '@'.", "length(p)" },
	{ "seed", FORM_VALUE | FORM_RESERVED, "seed", "uint",
		"Which of all random worlds this is. The host sets it, 0 by default; 'reseed' and 'seed:' change it for a field.", "hashFloat(stir(seed, 1))" },
	{ "period", FORM_VALUE | FORM_RESERVED | FORM_ABSENT, "period", "ivecP",
		"After how many cells the lattice repeats along each axis.", NULL },
	{ "range", FORM_RESERVED, "range(f)", "vec2",
		"The bounds that the compiler proves for the field f, known at compile time; for a vector, of all its components. "
		"An unbounded side is the largest finite float, with its sign. The rule is fixed within an edition.", "range(perlin() |> octaves(3)).y" },
	{ "grad", FORM_RESERVED | FORM_ABSENT, "grad(f)", "vecP",
		"The derivative of the field f along each axis of p.", NULL },
	{ "reseed", FORM_RESERVED, "reseed(f, k)", "as f",
		"The field f under another seed, made of the present one and k by 'stir'. k is any int or uint, and may be a field. "
		"'seed: k' behind the arguments of any call does the same.", "perlin() + 0.5 * reseed(perlin(), 1)" },
	{ "tile", FORM_RESERVED | FORM_ABSENT, "tile(f, n)", "as f",
		"The field f repeated after n units of p along each axis.", NULL },
	{ "here", FORM_RESERVED, "here(x)", "as x",
		"x at the sample being evaluated, with its p and seed, whatever '@' and 'reseed' stand around it. It does not see the "
		"arguments of the function or the values of the fold around it.", "(perlin() + here(p.x) * 0.1) @ (p * 2)" },
	{ "known", 0, "known(x)", "bool",
		"Is x known at compile time? Literals, consts, enumerators, 'range', 'components' and operators and calls over them are.", "known(4) ? 1 : 0" },
	{ "components", 0, "components(x)", "int",
		"How many components x has, known at compile time.", "components(p)" },
	{ "sum", 0, "sum(v)", "float, int or uint",
		"The sum of the components of v, from x on. v is any number or vector.", "sum(abs(p))" },
	{ "any", 0, "any(b)", "bool", "Is any component of b true? b is any bool or bvec.", "any(p < 0) ? 1 : 0" },
	{ "all", 0, "all(b)", "bool", "Are all components of b true? b is any bool or bvec.", "all(p > 0) ? 1 : 0" },
	{ "ramp", 0, "ramp(x, [at: value, …], kind: RampKind = Linear)", "as the values",
		"A piecewise curve. It finds the two stops around x and blends their values; before the first stop and behind the last "
		"their values hold. The places of the stops are known at compile time and ascend; the values are floats or float vectors "
		"(with Constant, of any type).", "ramp(perlin(), [-0.3: 0.0, 0: 0.2, 0.5: 1.0], Smooth)" },
	{ "vecN", FORM_SIGN, "vec2(a, …) vec3(a, …) vec4(a, …) vecP(a, …)", "the type",
		"A vector of numbers and vectors, or of one number; components that a vector has too many are left out. ivecN, uvecN and "
		"bvecN hold ints, uints and bools; a vector of another kind is converted. vecP is as wide as p.", "vec3(p, 1).z" },
	{ "@", FORM_SIGN, "f @ q", "as f",
		"The field f where p is q. q itself is evaluated outside; its type sets the dimension of p inside. It binds tighter than "
		"unary minus.", "perlin() @ (p * 4)" },
	{ "|>", FORM_SIGN, "a |> f(x)", "as f(a, x)",
		"f(a, x): the left side becomes the first argument of the call on the right.", "perlin() |> octaves(5) |> scale(0.01)" },
	{ "?:", FORM_SIGN, "c ? a : b", "as a and b",
		"a where c is true, else b. A condition known at compile time chooses, and the other side is not even typed; a bvec "
		"chooses per component.", "perlin() > 0 ? 1 : 0" },
	{ "fold", FORM_SIGN, "fold i in from .. to { name = first then next … } return e", "as e",
		"A loop with carried values: each name is 'first' before the first round and 'next' after each; 'node' lines are fields of "
		"the round. It runs max(0, to - from) rounds, at most 256, the same number at every sample.",
		"fold i in 0 .. 4 { total = 0.0 then total + perlin(seed: i) } return total / 4" },
	{ "match", FORM_SIGN, "match e { A: x, B: y, else: z }", "as the arms",
		"Chooses by an enum: every enumerator has an arm, or there is an 'else'.", "match Fractal(int(perlin() * 4)) { Fbm: 0.0, else: 1.0 }" },
};
const size_t form_count = sizeof form_info / sizeof *form_info;

const FormInfo *form_find(const char *name)
{
	for (size_t i = 0; i < form_count; i++)
		if (!strcmp(form_info[i].name, name))
			return &form_info[i];
	return NULL;
}

static bool has_flag(const char *name, int flag)
{
	const FormInfo *f = form_find(name);
	return f && (f->flags & flag);
}

bool is_form_name(const char *name) { return form_find(name) && !has_flag(name, FORM_SIGN); }
bool is_form_value(const char *name) { return has_flag(name, FORM_VALUE); }
bool is_reserved_form(const char *name) { return has_flag(name, FORM_RESERVED); }
