/* Nodes over nodes: noises, warps, reseeds, folds, choices, matches, integers and vectors. Sums are averaged and
   products squashed. */
#include <stdarg.h>
#include <stdio.h>

#include "maker.h"

static uint32_t roll(Maker *m, uint32_t sides)
{
	m->state = m->state * 1664525u + 1013904223u;
	return (m->state >> 8) % sides;
}

static void put(Maker *m, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	int n = vsnprintf(m->text + m->size, sizeof m->text - m->size, format, list);
	va_end(list);
	if (n > 0 && m->size + (size_t)n < sizeof m->text)
		m->size += (size_t)n;
}

static void make_float(Maker *m, int depth);
static void make_vector(Maker *m, int depth);

static void make_number(Maker *m) { put(m, "%.3f", (double)roll(m, 2000) / 1000.0 - 0.999); }

static void make_noise(Maker *m)
{
	static const char *const noise[] = { "perlin", "simplex", "value", "white", "worley" };
	uint32_t which = roll(m, 5);
	put(m, "%s(", noise[which]);
	if (which == 4) {
		static const char *const value[] = { "F1", "F2", "F2MinusF1", "CellValue" }, *const metric[] = { "Euclidean", "EuclideanSq", "Manhattan", "Chebyshev" };
		put(m, "%s, %s, ", value[roll(m, 4)], metric[roll(m, 4)]);
	}
	put(m, "seed: %u)", roll(m, 9));
}

static void make_int(Maker *m, int depth)
{
	switch (depth > 0 ? roll(m, 6) : roll(m, 2)) {
	case 0: put(m, "int(%d)", (int)roll(m, 100) - 50); break;
	case 1: put(m, "int(floor("); make_float(m, depth - 1); put(m, " * 40))"); break;
	case 2: put(m, "("); make_int(m, depth - 1); put(m, " %s ", roll(m, 2) ? "%" : "/"); make_int(m, depth - 1); put(m, ")"); break;
	case 3: put(m, "("); make_int(m, depth - 1); put(m, " %s ", roll(m, 2) ? "^" : "&"); make_int(m, depth - 1); put(m, ")"); break;
	case 4: put(m, "(("); make_int(m, depth - 1); put(m, ") >> %u)", roll(m, 40)); break;
	default: put(m, "min("); make_int(m, depth - 1); put(m, ", "); make_int(m, depth - 1); put(m, ")"); break;
	}
}

static void make_bool(Maker *m, int depth)
{
	static const char *const compare[] = { "<", "<=", ">", ">=", "==", "!=" };
	if (depth > 0 && roll(m, 4) == 0) {
		put(m, "("); make_bool(m, depth - 1); put(m, roll(m, 2) ? " and " : " or "); make_bool(m, depth - 1); put(m, ")");
	} else if (roll(m, 3) == 0) {
		put(m, "("); make_int(m, depth - 1); put(m, " %s ", compare[roll(m, 6)]); make_int(m, depth - 1); put(m, ")");
	} else {
		put(m, "("); make_float(m, depth - 1); put(m, " %s ", compare[roll(m, 4)]); make_float(m, depth - 1); put(m, ")");
	}
}

/* one field under several seeds, as a warp asks for it */
static void make_seeds(Maker *m, int depth)
{
	uint32_t copies = 2 + roll(m, 3);
	put(m, "(");
	size_t from = m->size;
	make_float(m, depth - 1);
	size_t size = m->size - from;
	for (uint32_t k = 1; k < copies; k++)
		put(m, " - reseed(%.*s, %u)", (int)size, m->text + from, k + roll(m, 3));
	put(m, ") / %u", copies);
}

static void make_match(Maker *m, const char *of, int depth)
{
	static const char *const name[] = { "A", "B", "C" };
	uint32_t arms = 1 + roll(m, 3);
	put(m, "(match %s { ", of);
	for (uint32_t i = 0; i < arms; i++) {
		put(m, "%s: ", name[i]);
		make_float(m, depth - 1);
		put(m, i + 1 < arms || arms < 3 ? ", " : " ");
	}
	if (arms < 3) {
		put(m, "else: ");
		make_float(m, depth - 1);
	}
	put(m, " })");
}

/* a float of magnitude about 1 */
static void make_float(Maker *m, int depth)
{
	if (depth <= 0) {
		switch (roll(m, 4)) {
		case 0: make_number(m); return;
		case 1: if (m->nodes > 0) { put(m, "n%u", roll(m, (uint32_t)(m->nodes + 1) / 2) * 2); return; } make_noise(m); return;
		case 2: put(m, "fract(p.%c)", "xyz"[roll(m, (uint32_t)m->domain)]); return;
		default: make_noise(m); return;
		}
	}
	switch (roll(m, 20)) {
	case 0: put(m, "("); make_float(m, depth - 1); put(m, " + "); make_float(m, depth - 1); put(m, ") * 0.5"); break;
	case 1: put(m, "("); make_float(m, depth - 1); put(m, " - "); make_float(m, depth - 1); put(m, ")"); break;
	case 2: put(m, "("); make_float(m, depth - 1); put(m, " * (1.5 + "); make_float(m, depth - 1); put(m, "))"); break;
	case 3: put(m, "("); make_float(m, depth - 1); put(m, " / (2.5 + abs("); make_float(m, depth - 1); put(m, ")))"); break;
	case 4: put(m, "mix("); make_float(m, depth - 1); put(m, ", "); make_float(m, depth - 1); put(m, ", saturate("); make_float(m, depth - 1); put(m, "))"); break;
	case 5: put(m, "("); make_bool(m, depth - 1); put(m, " ? "); make_float(m, depth - 1); put(m, " : "); make_float(m, depth - 1); put(m, ")"); break;
	case 6: put(m, "sin("); make_float(m, depth - 1); put(m, " * 7)"); break;
	case 7: put(m, "sqrt(abs("); make_float(m, depth - 1); put(m, ") + 0.01)"); break;
	case 8: put(m, "("); make_float(m, depth - 1); put(m, " %% 0.7)"); break;
	case 9: put(m, "(("); make_float(m, depth - 1); put(m, ") @ ("); make_vector(m, depth - 1); put(m, " * %u))", 1 + roll(m, 9)); break;
	case 10: put(m, "reseed("); make_float(m, depth - 1); put(m, ", %u)", roll(m, 99)); break;
	case 11: put(m, "warp("); make_float(m, depth - 1); put(m, ", "); make_vector(m, depth - 1); put(m, ", 0.%u)", roll(m, 9)); break;
	case 12: put(m, "octaves("); make_float(m, depth - 1); put(m, ", %u, %s)", 1 + roll(m, 4), (const char *const[]){ "Fbm", "Ridged", "Billow", "Turbulence" }[roll(m, 4)]); break;
	case 13:
		put(m, "(fold i in 0 .. %u { node t = reseed(", 1 + roll(m, 5)); make_float(m, depth - 1);
		put(m, ", i) @ (p * a)  s = 0.25 then (s + t) * 0.5  a = 1.0 then a * 1.5 } return s + a * 0.01)"); break;
	case 15: make_seeds(m, depth); break;
	case 16: put(m, "(k > 0.%u ? ", 2 + roll(m, 7)); make_float(m, depth - 1); put(m, " : "); make_float(m, depth - 1); put(m, ")"); break;
	case 17: make_match(m, roll(m, 2) ? "which" : "kind", depth); break;
	case 18: put(m, "octaves("); make_float(m, depth - 1); put(m, ", count)"); break;
	case 14: put(m, "float("); make_int(m, depth - 1); put(m, " %% 16) / 16"); break;
	default: put(m, "("); make_vector(m, depth - 1); put(m, ").%c", "xyz"[roll(m, (uint32_t)m->domain)]); break;
	}
}

static void make_vector(Maker *m, int depth)
{
	if (depth <= 0 || roll(m, 5) == 0) {
		if (m->nodes > 1 && roll(m, 2)) {
			put(m, "n%u", roll(m, (uint32_t)m->nodes / 2) * 2 + 1);
			return;
		}
		put(m, "vec%d(", m->domain);
		for (int k = 0; k < m->domain; k++) {
			put(m, k ? ", " : "");
			make_float(m, depth - 1);
		}
		put(m, ")");
		return;
	}
	switch (roll(m, 7)) {
	case 0: put(m, "("); make_vector(m, depth - 1); put(m, " + "); make_vector(m, depth - 1); put(m, ") * 0.5"); break;
	case 1: put(m, "("); make_vector(m, depth - 1); put(m, " * "); make_float(m, depth - 1); put(m, ")"); break;
	case 2: put(m, "min("); make_vector(m, depth - 1); put(m, ", "); make_vector(m, depth - 1); put(m, ")"); break;
	case 3: put(m, "("); make_vector(m, depth - 1); put(m, " < "); make_vector(m, depth - 1); put(m, " ? "); make_vector(m, depth - 1); put(m, " : "); make_vector(m, depth - 1); put(m, ")"); break;
	case 4: put(m, "("); make_vector(m, depth - 1); put(m, ").%s", m->domain == 2 ? "yx" : "zxy"); break;
	case 5: put(m, "vecOf("); make_float(m, depth - 1); put(m, ")"); break;
	default: put(m, "normalize("); make_vector(m, depth - 1); put(m, " + 3)"); break;
	}
}

const char *make_program(Maker *m, uint32_t seed)
{
	m->size = 0;
	m->state = seed * 2654435761u + 1u;
	m->nodes = 0;
	m->domain = 2 + (int)roll(m, 2);
	put(m, "domain vec%d\nenum Kind { A, B, C }\nparam k = 0.5 in 0 .. 1\nparam count: int = 3 in 0 .. 4\nparam which: Kind = Kind.B\n", m->domain);
	put(m, "node kind: Kind = perlin() > 0.1 ? Kind.A : p.x < p.y ? Kind.B : Kind.C\n");
	int nodes = 2 + 2 * (int)roll(m, 4);
	for (int i = 0; i < nodes; i++) {
		put(m, "node n%d = ", i);
		if (i % 2)
			make_vector(m, 2);
		else
			make_float(m, 3);
		put(m, "\n");
		m->nodes = i + 1;
	}
	put(m, "output a = (n0 + k) * 0.5 + ");
	make_float(m, 2);
	put(m, "\noutput b = n1\noutput c: bool = ");
	make_bool(m, 2);
	put(m, "\noutput d: int = ");
	make_int(m, 2);
	put(m, "\n");
	return m->text;
}
