/* GLSL 4.50 for Vulkan: the defaults of ops.def, `precise`, and the words of its specification
   (GLSL 4.60, chapter 3.6 keywords and chapter 8 built-in functions) that a noise author may use as names. */
#include "print.h"

static const char *const reserved[] = {
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
static const char *const reserved_start[] = {
	"gl_", "GL_", "VULKAN", "dmat", "mat2x", "mat3x", "mat4x", "image", "iimage", "uimage", "sampler", "isampler", "usampler",
	"texture", "itexture", "utexture", "subpassInput", "isubpassInput", "usubpassInput", NULL
};

const Dialect dialect_glsl = {
	.name = "glsl",
	.type = {
		[KIND_BOOL] = { NULL, "bool", "bvec2", "bvec3", "bvec4" },
		[KIND_INT] = { NULL, "int", "ivec2", "ivec3", "ivec4" },
		[KIND_UINT] = { NULL, "uint", "uvec2", "uvec3", "uvec4" },
		[KIND_FLOAT] = { NULL, "float", "vec2", "vec3", "vec4" }
	},
	.exact = "precise ",
	.uint_suffix = "u",
	.float_suffix = "",
	.int_min = "int(0x80000000u)",
	.version = "#version 450\n",
	.reserved = reserved,
	.reserved_start = reserved_start
};
