/* What people write who come from shaders and other noise tools, and what it is called here. Only words that
   mean nothing in the language or its library are listed. */
#include "cc.h"

#include <string.h>

/* `instead` stands where the word can simply be replaced by it. */
static const Habit habits[] = {
	/* the position */
	{ "uv", "the position is 'p'", "p" },
	{ "UV", "the position is 'p'", "p" },
	{ "vUv", "the position is 'p'", "p" },
	{ "st", "the position is 'p'", "p" },
	{ "pos", "the position is 'p'", "p" },
	{ "position", "the position is 'p'", "p" },
	{ "coord", "the position is 'p'", "p" },
	{ "fragCoord", "the position is 'p'; its scale is the host's, or 'f |> scale(k)'", "p" },
	{ "gl_FragCoord", "the position is 'p'; its scale is the host's, or 'f |> scale(k)'", "p" },
	{ "FRAGCOORD", "the position is 'p'; its scale is the host's, or 'f |> scale(k)'", "p" },
	{ "VERTEX", "the position is 'p'", "p" },
	{ "x", "write 'p.x'", "p.x" },
	{ "y", "write 'p.y'", "p.y" },
	{ "z", "write 'p.z'", "p.z" },
	/* time and surroundings */
	{ "time", "there is no built-in time; declare 'param time = 0.0'", NULL },
	{ "iTime", "there is no built-in time; declare 'param iTime = 0.0'", NULL },
	{ "iGlobalTime", "there is no built-in time; declare 'param iGlobalTime = 0.0'", NULL },
	{ "u_time", "there is no built-in time; declare 'param u_time = 0.0'", NULL },
	{ "TIME", "there is no built-in time; declare 'param TIME = 0.0'", NULL },
	{ "_Time", "there is no built-in time; declare 'param time = 0.0'", NULL },
	{ "iResolution", "a field does not know the picture; the host scales p", NULL },
	{ "u_resolution", "a field does not know the picture; the host scales p", NULL },
	{ "iMouse", "what the host knows is a param: declare 'param mouse = vec2(0, 0)'", NULL },
	{ "PI", "declare 'const PI = 3.14159265'", NULL },
	{ "TAU", "declare 'const TAU = 6.2831853'", NULL },
	/* noises */
	{ "fbm", "write 'perlin() |> octaves(5)'", NULL },
	{ "fBm", "write 'perlin() |> octaves(5)'", NULL },
	{ "FBM", "write 'perlin() |> octaves(5)'", NULL },
	{ "fractal", "write 'perlin() |> octaves(5)'", NULL },
	{ "ridged", "write 'perlin() |> octaves(5, Ridged)'", NULL },
	{ "ridge", "write 'perlin() |> octaves(5, Ridged)'", NULL },
	{ "billow", "write 'perlin() |> octaves(5, Billow)'", NULL },
	{ "turbulence", "write 'perlin() |> octaves(5, Turbulence)'", NULL },
	{ "noise", "name the kind: 'perlin()', 'simplex()', 'value()', 'worley()'", NULL },
	{ "voronoi", "the cellular noise is 'worley()'", "worley" },
	{ "cellular", "the cellular noise is 'worley()'", "worley" },
	{ "snoise", "write 'simplex()'", "simplex" },
	{ "simplexNoise", "write 'simplex()'", "simplex" },
	{ "OpenSimplex2", "write 'simplex()'", "simplex" },
	{ "opensimplex2", "write 'simplex()'", "simplex" },
	{ "OpenSimplex", "write 'simplex()'", "simplex" },
	{ "simplex2D", "write 'simplex()'", "simplex" },
	{ "simplex3D", "write 'simplex()'; the place decides the dimension: simplex() @ vec3(p, z)", "simplex" },
	{ "perlin2D", "write 'perlin()'", "perlin" },
	{ "perlin3D", "write 'perlin()'; the place decides the dimension: perlin() @ vec3(p, z)", "perlin" },
	{ "noise2D", "name the kind: 'perlin()', 'simplex()', 'value()', 'worley()'", NULL },
	{ "noise3D", "name the kind, and give it a place: 'perlin() @ vec3(p, z)'", NULL },
	{ "openSimplex", "write 'simplex()'", "simplex" },
	{ "cnoise", "write 'perlin()'", "perlin" },
	{ "pnoise", "write 'perlin()'", NULL },
	{ "perlinNoise", "write 'perlin()'", "perlin" },
	{ "PerlinNoise", "write 'perlin()'", "perlin" },
	{ "gradientNoise", "write 'perlin()'", "perlin" },
	{ "valueNoise", "write 'value()'", "value" },
	{ "simpleNoise", "write 'value()'", "value" },
	{ "whiteNoise", "write 'white()'", "white" },
	{ "rand", "write 'white()', a random number for each cell of the lattice", NULL },
	{ "random", "write 'white()', a random number for each cell of the lattice", NULL },
	{ "random2", "write 'vecOf(white())', random numbers for each cell of the lattice", NULL },
	{ "hash21", "write 'white()', a random number for each cell of the lattice", NULL },
	{ "domainWarp", "write 'f |> warp(by, amount)'", "warp" },
	{ "distort", "write 'f |> warp(by, amount)'", "warp" },
	{ "translate", "write 'f |> offset(d)'", NULL },
	{ "tiling", "write 'f |> scale(k)'", NULL },
	{ "posterize", "write 'terrace(x, n)'", NULL },
	{ "mapRange", "write 'remap'", "remap" },
	{ "GetNoise", "write a noise and its form: 'perlin() |> octaves(5) |> scale(0.01)'", NULL },
	{ "get_noise_2d", "write a noise and its form: 'perlin() |> octaves(5) |> scale(0.01)'", NULL },
	{ "FastNoiseLite", "write a noise and its form: 'perlin() |> octaves(5) |> scale(0.01)'", NULL },
	{ "SetFrequency", "write 'f |> scale(k)'", NULL },
	{ "SetSeed", "write 'seed: k' in the call of a noise", NULL },
	{ "frequency", "write 'f |> scale(k)'", NULL },
	{ "freq", "write 'f |> scale(k)'", NULL },
	/* statements */
	{ "uniform", "write 'param name = default in low .. high'", NULL },
	{ "let", "write 'node name = expression'", NULL },
	{ "var", "write 'node name = expression'", NULL },
	{ "def", "write 'fn name(arguments) = expression'", NULL },
	{ "if", "write 'condition ? a : b'", NULL },
	/* functions */
	{ "frac", "write 'fract'", "fract" },
	{ "lerp", "write 'mix'", "mix" },
	{ "mod", "write 'x % y'", NULL },
	{ "fmod", "write 'x % y', which is never negative for y > 0", NULL },
	{ "mul", "write 'x * y'; there are no matrices", NULL },
	{ "rsqrt", "write 'inversesqrt'", "inversesqrt" },
	{ "fabs", "write 'abs'", "abs" },
	{ "absf", "write 'abs'", "abs" },
	{ "powf", "write 'pow'", "pow" },
	{ "sinf", "write 'sin'", "sin" },
	{ "cosf", "write 'cos'", "cos" },
	{ "sqrtf", "write 'sqrt'", "sqrt" },
	{ "floorf", "write 'floor'", "floor" },
	{ "fmin", "write 'min'", "min" },
	{ "fmax", "write 'max'", "max" },
	{ "smin", "write 'smoothMin'", "smoothMin" },
	{ "smax", "write 'smoothMax'", "smoothMax" },
	{ "clamp01", "write 'saturate'", "saturate" },
	{ "linearstep", "write 'saturate(remap(x, low, high, 0, 1))'", NULL },
	{ "invlerp", "write 'remap(x, low, high, 0, 1)'", NULL },
	{ "inverse_lerp", "write 'remap(x, low, high, 0, 1)'", NULL },
	{ "rotate2D", "write 'f |> rotate(angle)'", NULL },
	{ "rot", "write 'f |> rotate(angle)'", NULL },
	{ "mat2", "there are no matrices; to turn a field, write 'f |> rotate(angle)'", NULL },
	{ "mat3", "there are no matrices; to turn a field, write 'f |> rotate(angle)'", NULL },
	{ "lessThan", "write 'a < b'", NULL },
	{ "greaterThan", "write 'a > b'", NULL },
	{ "select", "write 'condition ? a : b'", NULL },
	{ "texture", "a field reads no texture: the host samples it and gives the value as an 'input'", NULL },
	{ "texture2D", "a field reads no texture: the host samples it and gives the value as an 'input'", NULL },
	{ "tex2D", "a field reads no texture: the host samples it and gives the value as an 'input'", NULL },
	{ "dFdx", "derivatives come from the host's shader; 'grad(f)' is not in this version", NULL },
	{ "dFdy", "derivatives come from the host's shader; 'grad(f)' is not in this version", NULL },
	{ "ddy", "derivatives come from the host's shader; 'grad(f)' is not in this version", NULL },
	{ "ddx", "derivatives come from the host's shader; 'grad(f)' is not in this version", NULL },
	{ "fwidth", "derivatives come from the host's shader; 'grad(f)' is not in this version", NULL },
};

/* Types of HLSL, Metal, WGSL and CPU libraries. */
static const Habit types[] = {
	{ "float2", "write 'vec2'", "vec2" }, { "float3", "write 'vec3'", "vec3" }, { "float4", "write 'vec4'", "vec4" },
	{ "half", "write 'float'", "float" }, { "half2", "write 'vec2'", "vec2" }, { "half3", "write 'vec3'", "vec3" },
	{ "half4", "write 'vec4'", "vec4" }, { "fixed", "write 'float'", "float" }, { "double", "write 'float'", "float" },
	{ "double2", "write 'vec2'", "vec2" }, { "double3", "write 'vec3'", "vec3" }, { "real", "write 'float'", "float" },
	{ "int2", "write 'ivec2'", "ivec2" }, { "int3", "write 'ivec3'", "ivec3" }, { "int4", "write 'ivec4'", "ivec4" },
	{ "uint2", "write 'uvec2'", "uvec2" }, { "uint3", "write 'uvec3'", "uvec3" }, { "uint4", "write 'uvec4'", "uvec4" },
	{ "bool2", "write 'bvec2'", "bvec2" }, { "bool3", "write 'bvec3'", "bvec3" }, { "bool4", "write 'bvec4'", "bvec4" },
	{ "f32", "write 'float'", "float" }, { "i32", "write 'int'", "int" }, { "u32", "write 'uint'", "uint" },
	{ "vec2f", "write 'vec2'", "vec2" }, { "vec3f", "write 'vec3'", "vec3" }, { "vec4f", "write 'vec4'", "vec4" },
	{ "Vector2", "write 'vec2'", "vec2" }, { "Vector3", "write 'vec3'", "vec3" }, { "color", "a colour is a vec3", "vec3" },
	{ "Color", "a colour is a vec3", "vec3" },
};

static const Habit *find(const Habit *list, size_t count, const char *word)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(list[i].word, word) == 0)
			return &list[i];
	return NULL;
}

const Habit *habit_type(const char *word)
{
	return find(types, sizeof types / sizeof *types, word);
}

const Habit *habit_at(size_t i)
{
	return i < sizeof habits / sizeof *habits ? &habits[i] : NULL;
}

const Habit *habit_find(const char *word)
{
	const Habit *type = habit_type(word);
	return type ? type : find(habits, sizeof habits / sizeof *habits, word);
}
