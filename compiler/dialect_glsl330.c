/* GLSL 3.30 core, for OpenGL 3.3 and later: plain uniforms with the params' defaults, inputs by name, and no compute
   shaders. The language has no `precise`. It came with 4.00 and GL_ARB_gpu_shader5, so the mark is a macro, and where
   that must be empty a driver may fuse multiplications and additions. */
#include "print.h"

static const Entry fragment = {
	.one_output = true,
	.inputs_by_name = true,
	.param = "$name",                       /* a member of the struct that is a uniform itself */
	.input = "$name",
	.uniforms = { .open = "\nuniform $params params = $params(", .each = "$comma$default", .none = "0.0", .close = ");\nuniform uint seed;\n" },
	.inputs = { .open = "\nin $position p;\n", .each = "$flatin $stored $name;\n" },
	.outputs = { .open = "layout(location = 0) out vec4 $colour;\n\nvoid main()\n{\n" },
	.argument = "$value",
	.call = "    $exact$out $result = $eval(p$arguments, params, seed);\n",
	.result = {
		NULL, "    $colour = vec4(vec3($value), 1.0);\n", "    $colour = vec4($value, 0.0, 1.0);\n",
		"    $colour = vec4($value, 1.0);\n", "    $colour = $value;\n"
	},
	.close = "}\n"
};

/* mix chooses between floats only */
static const Spelling exception[] = {
	{ OP_SELECT, 1u << KIND_BOOL | 1u << KIND_INT | 1u << KIND_UINT, "$0 ? $1 : $2", "." },
	{ 0, 0, NULL, NULL }
};

static const char *const reserved[] = { "NOISE_PRECISE", NULL };

const Dialect dialect_glsl330 = {
	.name = "glsl330",
	.suffix = ".330.glsl",
	.description = "GLSL 3.30 core, for OpenGL 3.3 and later",
	.type = GLSL_TYPES,
	.uint_suffix = "u",
	.float_suffix = "",
	.int_min = "int(0x80000000u)",
	.fills = true,
	.exact = "NOISE_PRECISE ",              /* OpenGL drivers refuse it on functions, and it ends at their arguments */
	.let = "$exact$type $name = ",
	.variable = "$exact$type $name = ",
	.blank = "$exact$type $name;\n",
	.member = "$type $name;",
	.argument = "$type $name",
	.function = "$type $name($arguments)\n{\n",
	.loop = "for ($type $name = 0; $name < $count; $name++) {\n",
	.exception = exception,
	/* the figures are those of tests/test_fused.c */
	.promise =
		"// Exact where NOISE_PRECISE is `precise`: the same bits as the noise runtime, on drivers that round + - * correctly.\n"
		"// Where it is empty a driver may fuse a * b + c. Measured on noisec's examples within 1000 units of the origin, a value\n"
		"// then differs by less than 0.02 % of its range, and a choice only where its operands come that close; farther out more.\n",
	.prelude =
		"// What must round as written is marked. Before 4.00 GLSL has no word for it; where you enable GL_ARB_gpu_shader5,\n"
		"// define NOISE_PRECISE as precise before this text.\n"
		"#ifndef NOISE_PRECISE\n"
		"#if __VERSION__ >= 400\n"
		"#define NOISE_PRECISE precise\n"
		"#else\n"
		"#define NOISE_PRECISE\n"
		"#endif\n"
		"#endif\n\n",
	/* glslang defines the extension's name and does not know its word; it is told by a macro of its own */
	.version =
		"#version 330 core\n"
		"#if defined(GL_ARB_gpu_shader5) && !defined(GL_GOOGLE_include_directive)\n"
		"#extension GL_ARB_gpu_shader5 : enable\n"
		"#define NOISE_PRECISE precise\n"
		"#endif\n",
	.flat = "flat ",
	.truth = { "$value != 0u", "notEqual($value, $stored(0u))" },
	.fragment = &fragment,
	.reserved = { glsl_reserved, reserved },
	.reserved_start = { glsl_reserved_start }
};
