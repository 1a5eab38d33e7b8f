/* GLSL 4.50 for Vulkan: the defaults of ops.def, `precise`, one uniform block, buffers of words. The words are those
   of its specification (GLSL 4.60, chapter 3.6 keywords and chapter 8 built-in functions) that a noise author may
   use as names; the other versions of GLSL share them, so that names are the same in all. */
#include "print.h"

const char *const glsl_reserved[] = {
	"active", "all", "any", "array", "asm", "atomic_uint", "attribute", "bool", "break", "buffer", "bvec2", "bvec3", "bvec4",
	"case", "cast", "centroid", "class", "coherent", "common", "const", "continue", "default", "discard", "do", "dmat2",
	"dmat3", "dmat4", "double", "dvec2", "dvec3", "dvec4", "else", "enum", "extern", "external", "false", "filter", "fixed",
	"flat", "float", "for", "fvec2", "fvec3", "fvec4", "goto", "half", "highp", "hvec2", "hvec3", "hvec4", "if", "in", "inline",
	"inout", "input", "int", "interface", "invariant", "isampler2D", "ivec2", "ivec3", "ivec4", "layout", "long", "lowp",
	"main", "mat2", "mat3", "mat4", "mediump", "namespace", "noinline", "noperspective", "out", "output", "packed", "partition",
	"patch", "precise", "precision", "public", "readonly", "resource", "restrict", "return", "sample", "sampler1D",
	"sampler2D", "sampler3D", "samplerCube", "shared", "short", "sizeof", "smooth", "static", "struct", "subroutine",
	"superp", "switch", "template", "texture", "this", "true", "typedef", "uint", "uniform", "union", "unsigned", "using",
	"uvec2", "uvec3", "uvec4", "varying", "vec2", "vec3", "vec4", "void", "volatile", "while", "writeonly",
	"abs", "acos", "acosh", "asin", "asinh", "atan", "atanh", "ceil", "clamp", "cos", "cosh", "cross", "degrees",
	"determinant", "distance", "dot", "equal", "exp", "exp2", "faceforward", "findLSB", "findMSB", "floatBitsToInt",
	"floatBitsToUint", "floor", "fma", "fract", "frexp", "fwidth", "greaterThan", "greaterThanEqual", "intBitsToFloat",
	"inverse", "inversesqrt", "isinf", "isnan", "ldexp", "length", "lessThan", "lessThanEqual", "log", "log2",
	"matrixCompMult", "max", "min", "mix", "mod", "modf", "noise1", "noise2", "noise3", "noise4", "normalize", "not",
	"notEqual", "outerProduct", "pow", "radians", "reflect", "refract", "round", "roundEven", "sign", "sin", "sinh",
	"smoothstep", "sqrt", "step", "tan", "tanh", "transpose", "trunc", "uintBitsToFloat", "dFdx", "dFdy",
	NULL
};

/* gl_ names, predefined macros, and the families of matrix, image, sampler and texture types */
const char *const glsl_reserved_start[] = {
	"gl_", "GL_", "VULKAN", "dmat", "mat2x", "mat3x", "mat4x", "image", "iimage", "uimage", "sampler", "isampler", "usampler",
	"texture", "itexture", "utexture", "subpassInput", "isubpassInput", "usubpassInput", NULL
};

/* A bool travels as a uint; the seed comes last. */
#define BLOCK { \
	.open = "\nlayout(std140, set = 0, binding = 0) uniform Params\n{\n", \
	.each = "    $stored $name;\n", \
	.close = "    uint seed;\n} block;\n" \
}
#define PARAMS { .open = "    $params params;\n", .each = "    params.$name = $value;\n", .none = "    params.unused = 0.0;\n" }
#define CALL "    $exact$out $result = $eval(p$arguments, params, block.seed);\n"

static const Entry fragment = {
	.first_place = 1,
	.one_output = true,
	.param = "block.$name",
	.input = "vary$number",
	.uniforms = BLOCK,
	.inputs = { .open = "\nlayout(location = 0) in $position p;\n", .each = "layout(location = $place) $flatin $stored vary$number; // $name\n" },
	.outputs = { .open = "layout(location = 0) out vec4 $colour;\n\nvoid main()\n{\n" },
	.params = PARAMS,
	.values = { .each = "    $type in$number = $value;\n" },
	.argument = "in$number",
	.call = CALL,
	.result = {
		NULL, "    $colour = vec4(vec3($value), 1.0);\n", "    $colour = vec4($value, 0.0, 1.0);\n",
		"    $colour = vec4($value, 1.0);\n", "    $colour = $value;\n"
	},
	.close = "}\n"
};

#define WORD "    output$number.word[$widthu * index + $laneu] = $value;\n"

static const Entry compute = {
	.first_place = 2,
	.param = "block.$name",
	.input = "input$number.word[$widthu * index + $laneu]",
	.point = "positions.word[$widthu * index + $laneu]",
	.uniforms = BLOCK,
	.inputs = {
		.open = "\n// words of 32 bits, $width a point for p\n"
			"layout(std430, set = 0, binding = 1) readonly buffer Positions { uint word[]; } positions;\n",
		.each = "layout(std430, set = 0, binding = $place) readonly buffer Input$number { uint word[]; } input$number; // $name\n"
	},
	.outputs = {
		.each = "layout(std430, set = 0, binding = $place) writeonly buffer Output$number { uint word[]; } output$number; // $name\n",
		.close = "\nlayout(local_size_x = 64) in;\n\nvoid main()\n{\n    uint index = gl_GlobalInvocationID.x;\n"
			"    if ($widthu * index + $widthu > uint(positions.word.length()))\n        return;\n"
	},
	.params = PARAMS,
	.values = { .open = "    $position p = $value;\n", .each = "    $type in$number = $value;\n" },
	.argument = "in$number",
	.call = CALL,
	.result = { NULL, WORD, WORD, WORD, WORD },
	.close = "}\n"
};

const Dialect dialect_glsl = {
	.name = "glsl",
	.suffix = ".glsl",
	.description = "GLSL 4.50, for Vulkan",
	.binds = true,
	.vulkan = true,
	.type = GLSL_TYPES,
	.uint_suffix = "u",
	.float_suffix = "",
	.int_min = "int(0x80000000u)",
	.fills = true,
	.exact = "precise ",
	.exact_reaches = true,                  /* glslang follows it, which the static check of the tests sees */
	.let = "$exact$type $name = ",
	.variable = "$exact$type $name = ",
	.blank = "$exact$type $name;\n",
	.member = "$type $name;",
	.argument = "$type $name",
	.function = "$exact$type $name($arguments)\n{\n",
	.loop = "for ($type $name = 0; $name < $count; $name++) {\n",
	.promise = "// Exact: the same bits as the noise runtime, on drivers that honour `precise` and round + - * correctly.\n",
	.version = "#version 450\n",
	.flat = "flat ",
	.truth = { "$value != 0u", "notEqual($value, $stored(0u))" },
	.load = { [KIND_BOOL] = "$value != 0u", [KIND_INT] = "int($value)", [KIND_UINT] = "$value", [KIND_FLOAT] = "uintBitsToFloat($value)" },
	.store = { [KIND_BOOL] = "uint($value)", [KIND_INT] = "uint($value)", [KIND_UINT] = "uint($value)", [KIND_FLOAT] = "floatBitsToUint($value)" },
	.fragment = &fragment,
	.compute = &compute,
	.reserved = { glsl_reserved },
	.reserved_start = { glsl_reserved_start }
};
