/* The static check for exact arithmetic, on the words of a SPIR-V module. Software drivers never contract, so the bits
   they compute cannot show a missing NoContraction; this can. One pass collects names and decorations, which come first
   in a module, and judges the instructions, which come after. */
#include "gpu.h"
#include "log.h"

#include <stdlib.h>
#include <string.h>

enum {
	OP_NAME = 5,
	OP_LINE = 8,
	OP_EXT_INST_IMPORT = 11,
	OP_EXT_INST = 12,
	OP_FUNCTION = 54,
	OP_FUNCTION_END = 56,
	OP_DECORATE = 71,
	OP_GROUP_DECORATE = 74,
	OP_NO_LINE = 317,
	DECORATION_RELAXED_PRECISION = 0,
	DECORATION_NO_CONTRACTION = 42
};

enum { MAGIC = 0x07230203, HEADER_WORDS = 5, MAX_IDS = 0x3fffff /* a limit of SPIR-V itself */ };

/* Core instructions that are judged. An operation either is exact once marked NoContraction, or is never allowed. */
typedef struct CoreRule {
	uint16_t op;
	const char *name;
	const char *never; /* the reason, or NULL if a mark is enough */
} CoreRule;

static const CoreRule core_rules[] = {
	{ 127, "OpFNegate", NULL },
	{ 129, "OpFAdd", NULL },
	{ 131, "OpFSub", NULL },
	{ 133, "OpFMul", NULL },
	{ 142, "OpVectorTimesScalar", NULL },
	{ 143, "OpMatrixTimesScalar", NULL },
	{ 147, "OpOuterProduct", NULL },
	{ 136, "OpFDiv", "drivers divide inexactly" },
	{ 140, "OpFRem", "drivers divide inexactly" },
	{ 141, "OpFMod", "drivers divide inexactly" },
	{ 144, "OpVectorTimesMatrix", "the order of its sum is the driver's" },
	{ 145, "OpMatrixTimesVector", "the order of its sum is the driver's" },
	{ 146, "OpMatrixTimesMatrix", "the order of its sum is the driver's" },
	{ 148, "OpDot", "the order of its sum is the driver's" },
};

/* GLSL.std.450 operations by number; those not listed in `exact` are findings. */
static const char *const ext_names[] = {
	[1] = "Round",
	[2] = "RoundEven",
	[3] = "Trunc",
	[4] = "FAbs",
	[5] = "SAbs",
	[6] = "FSign",
	[7] = "SSign",
	[8] = "Floor",
	[9] = "Ceil",
	[10] = "Fract",
	[11] = "Radians",
	[12] = "Degrees",
	[13] = "Sin",
	[14] = "Cos",
	[15] = "Tan",
	[16] = "Asin",
	[17] = "Acos",
	[18] = "Atan",
	[19] = "Sinh",
	[20] = "Cosh",
	[21] = "Tanh",
	[22] = "Asinh",
	[23] = "Acosh",
	[24] = "Atanh",
	[25] = "Atan2",
	[26] = "Pow",
	[27] = "Exp",
	[28] = "Log",
	[29] = "Exp2",
	[30] = "Log2",
	[31] = "Sqrt",
	[32] = "InverseSqrt",
	[33] = "Determinant",
	[34] = "MatrixInverse",
	[35] = "Modf",
	[36] = "ModfStruct",
	[37] = "FMin",
	[38] = "UMin",
	[39] = "SMin",
	[40] = "FMax",
	[41] = "UMax",
	[42] = "SMax",
	[43] = "FClamp",
	[44] = "UClamp",
	[45] = "SClamp",
	[46] = "FMix",
	[47] = "IMix",
	[48] = "Step",
	[49] = "SmoothStep",
	[50] = "Fma",
	[51] = "Frexp",
	[52] = "FrexpStruct",
	[53] = "Ldexp",
	[66] = "Length",
	[67] = "Distance",
	[68] = "Cross",
	[69] = "Normalize",
	[70] = "FaceForward",
	[71] = "Reflect",
	[72] = "Refract",
	[73] = "FindILsb",
	[74] = "FindSMsb",
	[75] = "FindUMsb",
	[79] = "NMin",
	[80] = "NMax",
	[81] = "NClamp",
};

/* Step is a comparison and a choice, the Find family is integer; the rest choose or round to an integer. */
static const uint8_t exact[] = { 2, 3, 4, 5, 6, 7, 8, 9, 37, 38, 39, 40, 41, 42, 43, 44, 45, 48, 73, 74, 75, 79, 80,
	81 };

typedef struct Id {
	const char *name; /* from OpName, inside the module; NULL if none */
	bool no_contraction, relaxed, glsl_450;
} Id;

typedef struct Check {
	Id *ids; /* by result id, n_ids of them */
	uint32_t n_ids;
	const char *function; /* that the scan is in; NULL outside */
	uint32_t line;        /* 0 if unknown */
	size_t findings;
	GpuLog report;
} Check;

static void finding(Check *c, const char *op, const char *sub, uint32_t id, const char *reason)
{
	c->findings++;
	/* glslang names a function "name(types;"; the name is enough. */
	const char *function = c->function ? c->function : "?";
	gpu_log_add(&c->report, "%.*s:", (int)strcspn(function, "("), function);
	if (c->line)
		gpu_log_add(&c->report, "%u:", (unsigned)c->line);
	gpu_log_add(&c->report, " %s%s%s %%%u: %s\n", op, *sub ? " " : "", sub, (unsigned)id, reason);
}

/* A literal string of `n` words: NULL unless its end lies inside them. SPIR-V text is little-endian, as the host is. */
static const char *literal(const uint32_t *words, size_t n)
{
	const char *s = (const char *)words;
	return memchr(s, 0, n * sizeof *words) ? s : NULL;
}

static Id *id_at(Check *c, uint32_t id)
{
	return id < c->n_ids ? &c->ids[id] : NULL;
}

static void decorate(Check *c, const uint32_t *w)
{
	Id *id = id_at(c, w[1]);
	if (id) {
		id->no_contraction |= w[2] == DECORATION_NO_CONTRACTION;
		id->relaxed |= w[2] == DECORATION_RELAXED_PRECISION;
	}
}

static void decorate_group(Check *c, const uint32_t *w, size_t n)
{
	const Id *group = id_at(c, w[1]);
	for (size_t i = 2; group && i < n; i++) {
		Id *id = id_at(c, w[i]);
		if (id) {
			id->no_contraction |= group->no_contraction;
			id->relaxed |= group->relaxed;
		}
	}
}

static void judge_core(Check *c, uint32_t op, const uint32_t *w)
{
	for (size_t i = 0; i < sizeof core_rules / sizeof *core_rules; i++) {
		const CoreRule *rule = &core_rules[i];
		const Id *id = rule->op == op ? id_at(c, w[2]) : NULL;
		if (!id)
			continue;
		if (rule->never)
			finding(c, rule->name, "", w[2], rule->never);
		else if (!id->no_contraction)
			finding(c, rule->name, "", w[2], "lacks NoContraction");
		else if (id->relaxed)
			finding(c, rule->name, "", w[2], "is RelaxedPrecision");
	}
}

static void judge_ext(Check *c, const uint32_t *w)
{
	const Id *set = id_at(c, w[3]);
	if (!set || !set->glsl_450)
		return;
	uint32_t op = w[4];
	for (size_t i = 0; i < sizeof exact; i++)
		if (exact[i] == op)
			return;
	const char *name = op < sizeof ext_names / sizeof *ext_names ? ext_names[op] : NULL;
	finding(c, "OpExtInst", name ? name : "?", w[2], "not exact by definition");
}

static void instruction(Check *c, uint32_t op, const uint32_t *w, size_t n)
{
	Id *id = NULL;
	switch (op) {
	case OP_NAME:
		id = n > 2 ? id_at(c, w[1]) : NULL;
		if (id)
			id->name = literal(w + 2, n - 2);
		break;
	case OP_EXT_INST_IMPORT:
		id = n > 2 ? id_at(c, w[1]) : NULL;
		if (id) {
			const char *set = literal(w + 2, n - 2);
			id->glsl_450 = set && strcmp(set, "GLSL.std.450") == 0;
		}
		break;
	case OP_DECORATE:
		if (n > 2)
			decorate(c, w);
		break;
	case OP_GROUP_DECORATE:
		if (n > 2)
			decorate_group(c, w, n);
		break;
	case OP_FUNCTION:
		id = n > 2 ? id_at(c, w[2]) : NULL;
		c->function = id ? id->name : NULL;
		break;
	case OP_FUNCTION_END:
		c->function = NULL;
		c->line = 0;
		break;
	case OP_LINE:
		c->line = n > 2 ? w[2] : 0;
		break;
	case OP_NO_LINE:
		c->line = 0;
		break;
	case OP_EXT_INST:
		if (n > 4)
			judge_ext(c, w);
		break;
	default:
		if (n > 2)
			judge_core(c, op, w);
		break;
	}
}

size_t gpu_check_exact(const uint32_t *words, size_t count, char **report)
{
	Check c = { 0 };
	size_t at = HEADER_WORDS;
	if (count >= HEADER_WORDS && words[0] == MAGIC) {
		c.n_ids = words[3];
		c.ids = c.n_ids <= MAX_IDS ? calloc((size_t)c.n_ids + 1, sizeof *c.ids) : NULL;
	}
	while (c.ids && at < count) {
		size_t n = words[at] >> 16;
		if (n == 0 || n > count - at)
			break;
		instruction(&c, words[at] & 0xffffu, words + at, n);
		at += n;
	}
	if (!c.ids || at != count) {
		c.findings++;
		gpu_log_add(&c.report, "not a complete SPIR-V module\n");
	}
	free(c.ids);
	gpu_log_give(&c.report, report);
	return c.findings;
}
