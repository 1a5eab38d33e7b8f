/* What hosts and tools rely on: --reflect and --header say what the runtime says of a program, and lay the uniform
   block out as the compiled shader does. */
#include <float.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cjson/cJSON.h>

#include "command.h"
#include "noisec.h"
#include "noisert.h"
#ifdef HAVE_GPU
#include "gpu.h"
#endif

/* ---- a program, and what is said of it ---- */

typedef struct Said {
	nz_module *module;
	nz_program *program;
	const nz_program_info *info;
	cJSON *json;
	const char *text;
} Said;

static Said describe(const char *name, const char *source)
{
	Said s = { NULL, NULL, NULL, NULL, NULL };
	const char *data;
	size_t size;
	if (nz_compile_module(name, source, strlen(source), NULL, &s.module) != NZ_OK)
		fail_msg("%s", nz_get_diagnostics(s.module));
	assert_int_equal(nz_emit_target(s.module, &(nz_emit_options){ .target = "program" }, &data, &size), NZ_OK);
	assert_int_equal(nz_load_program(data, size, NULL, &s.program, NULL), NZ_OK);
	s.info = nz_describe_program(s.program);
	assert_int_equal(nz_reflect_module(s.module, NULL, &s.text, &size), NZ_OK);
	assert_int_equal(strlen(s.text), size);
	s.json = cJSON_ParseWithOpts(s.text, NULL, 1);
	if (s.json == NULL)
		fail_msg("no JSON: %.200s", cJSON_GetErrorPtr());
	return s;
}

static void forget(Said *s)
{
	cJSON_Delete(s->json);
	nz_free_program(s->program);
	nz_free_module(s->module);
}

static const cJSON *get(const cJSON *object, const char *name)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
	if (item == NULL)
		fail_msg("no field '%s' in %s", name, cJSON_Print(object));
	return item;
}

static const char *get_text(const cJSON *object, const char *name)
{
	const cJSON *item = get(object, name);
	assert_true(cJSON_IsString(item));
	return item->valuestring;
}

static uint32_t get_whole(const cJSON *object, const char *name)
{
	const cJSON *item = get(object, name);
	assert_true(cJSON_IsNumber(item) && item->valuedouble >= 0 && item->valuedouble == (uint32_t)item->valuedouble);
	return (uint32_t)item->valuedouble;
}

static void expect_component(const cJSON *item, nz_kind kind, nz_word word)
{
	switch (kind) {
	case NZ_BOOL: assert_true(word.u != 0 ? cJSON_IsTrue(item) : cJSON_IsFalse(item)); break;
	case NZ_INT: assert_true(cJSON_IsNumber(item) && item->valuedouble == word.i); break;
	case NZ_UINT: assert_true(cJSON_IsNumber(item) && item->valuedouble == word.u); break;
	default: assert_true(cJSON_IsNumber(item) && (float)item->valuedouble == word.f);
	}
}

static void expect_words(const cJSON *value, const nz_type *type, const nz_word *words)
{
	if (type->width == 1) {
		expect_component(value, type->kind, words[0]);
		return;
	}
	assert_int_equal(cJSON_GetArraySize(value), type->width);
	for (uint32_t i = 0; i < type->width; i++)
		expect_component(cJSON_GetArrayItem(value, (int)i), type->kind, words[i]);
}

static void expect_type(const cJSON *item, const nz_type *type)
{
	static const char *const names[4][5] = { { "", "bool", "bvec2", "bvec3", "bvec4" }, { "", "int", "ivec2", "ivec3", "ivec4" },
		{ "", "uint", "uvec2", "uvec3", "uvec4" }, { "", "float", "vec2", "vec3", "vec4" } };
	bool chosen = type->enumeration != NULL;
	assert_string_equal(get_text(item, "type"), chosen ? type->enumeration->name : names[type->kind][type->width]);
	assert_string_equal(get_text(item, "kind"), chosen ? "enum" : names[type->kind][1]);
	assert_int_equal(get_whole(item, "components"), type->width);
}

static void expect_limits(const cJSON *item, const nz_type *type, int ranged, const nz_word *low, const nz_word *high)
{
	const cJSON *range = get(item, "range");
	assert_true(ranged ? cJSON_IsObject(range) : cJSON_IsNull(range));
	if (ranged) {
		expect_words(get(range, "low"), type, low);
		expect_words(get(range, "high"), type, high);
	}
}

static void expect_bound(const cJSON *item, const nz_type *type, float bound)
{
	if (type->kind == NZ_FLOAT && (bound <= -FLT_MAX || bound >= FLT_MAX))
		assert_true(cJSON_IsNull(item));
	else if (type->kind == NZ_FLOAT)
		assert_true((float)item->valuedouble == bound);
	else
		assert_true(item->valuedouble == (double)bound || (item->valuedouble == 2147483647.0 && bound == 2147483648.0f)
			|| (item->valuedouble == 4294967295.0 && bound == 4294967296.0f));
}

static void expect_outputs(const Said *s)
{
	assert_int_equal(cJSON_GetArraySize(get(s->json, "outputs")), s->info->output_count);
	for (uint32_t i = 0; i < s->info->output_count; i++) {
		const nz_output *o = &s->info->outputs[i];
		const cJSON *item = cJSON_GetArrayItem(get(s->json, "outputs"), (int)i), *range = get(item, "range");
		assert_string_equal(get_text(item, "name"), o->name);
		assert_string_equal(get_text(item, "doc"), o->doc);
		expect_type(item, &o->type);
		assert_int_equal(cJSON_IsTrue(get(item, "colour")), o->colour != 0);
		assert_string_equal(get_text(get(item, "promise"), "program"), "bits");
		assert_string_equal(get_text(get(item, "promise"), "glsl"), "bits");
		assert_true(o->type.kind == NZ_BOOL ? cJSON_IsNull(range) : cJSON_IsObject(range));
		if (o->type.kind != NZ_BOOL) {
			expect_bound(get(range, "low"), &o->type, o->low);
			expect_bound(get(range, "high"), &o->type, o->high);
		}
	}
}

static void expect_agreement(const Said *s)
{
	const nz_program_info *info = s->info;
	static const char *const domains[] = { "", "float", "vec2", "vec3", "vec4" };
	assert_string_equal(get_text(s->json, "format"), "noisec reflection");
	assert_int_equal(get_whole(s->json, "version"), 1);
	assert_string_equal(get_text(s->json, "domain"), domains[info->domain]);
	assert_int_equal(cJSON_GetArraySize(get(s->json, "params")), info->param_count);
	for (uint32_t i = 0; i < info->param_count; i++) {
		const nz_param *p = &info->params[i];
		const cJSON *item = cJSON_GetArrayItem(get(s->json, "params"), (int)i);
		assert_string_equal(get_text(item, "name"), p->name);
		assert_string_equal(get_text(item, "doc"), p->doc);
		expect_type(item, &p->type);
		expect_words(get(item, "default"), &p->type, p->value);
		expect_limits(item, &p->type, p->ranged, p->low, p->high);
		assert_int_equal(cJSON_IsTrue(get(item, "colour")), p->colour != 0);
	}
	assert_int_equal(cJSON_GetArraySize(get(s->json, "inputs")), info->input_count);
	for (uint32_t i = 0; i < info->input_count; i++) {
		const nz_input *in = &info->inputs[i];
		const cJSON *item = cJSON_GetArrayItem(get(s->json, "inputs"), (int)i);
		assert_string_equal(get_text(item, "name"), in->name);
		assert_string_equal(get_text(item, "doc"), in->doc);
		expect_type(item, &in->type);
		expect_limits(item, &in->type, in->ranged, in->low, in->high);
	}
	expect_outputs(s);
	assert_int_equal(cJSON_GetArraySize(get(s->json, "enums")), info->enumeration_count);
	for (uint32_t i = 0; i < info->enumeration_count; i++) {
		const nz_enumeration *e = &info->enumerations[i];
		const cJSON *item = cJSON_GetArrayItem(get(s->json, "enums"), (int)i), *list = get(item, "enumerators");
		assert_string_equal(get_text(item, "name"), e->name);
		assert_string_equal(get_text(item, "doc"), e->doc);
		assert_int_equal(cJSON_GetArraySize(list), e->count);
		for (uint32_t k = 0; k < e->count; k++) {
			assert_string_equal(get_text(cJSON_GetArrayItem(list, (int)k), "name"), e->enumerators[k].name);
			assert_string_equal(get_text(cJSON_GetArrayItem(list, (int)k), "doc"), e->enumerators[k].doc);
			assert_int_equal(get_whole(cJSON_GetArrayItem(list, (int)k), "value"), k);
		}
	}
}

/* Every kind of thing, extreme values, words that targets reserve. */
static const char all_source[] =
	"domain vec3\n"
	"/// How the ground looks.\n"
	"enum Biome { Ocean,\n/// Sand.\nBeach, Forest }\n"
	"enum Unused { One }\n"
	"/// First line,\n/// second.\n"
	"param sample = 0.1 in -1e-7 .. 16777217\n"
	"param class: uint = 4294967295u\n"
	"param least: int = -2147483647 - 1\n"
	"param odd: bvec3 = bvec3(true, false, true)\n"
	"param pad16: vec3 = vec3(3.4028235e38, 1e-38, -0.0)\n"
	"param kind: Biome = Beach\n"
	"param tint = #3a7d44\n"
	"param glass = #3a7d4480\n"
	"param grid: ivec2 = ivec2(3, -4) in ivec2(0, -5) .. ivec2(7, 9)\n"
	"param register = 1\n"
	"input level in -1 .. 1\n"
	"input place: Biome\n"
	"input wet: bvec2\n"
	"input params in 0 .. 1\n"
	"/// The ground.\n"
	"output height = perlin() * sample + level + register + pad16.x\n"
	"output main: bool = p.x > 1\n"
	"output where: Biome = p.x > 1 ? place : kind\n"
	"output count: int = least + grid.x\n"
	"output bits: uint = class\n"
	"output eval = params\n"
	"output out: uvec2 = uvec2(bits)\n"
	"output colour: vec3 = odd.x and wet.x ? tint : glass.rgb\n";

static void use_example(const char *path, const char *name)
{
	Bytes source = read_bytes(path);
	Said s = describe(name, source.data);
	expect_agreement(&s);
	free(source.data);
	forget(&s);
}

static void reflection_says_what_the_runtime_says(void **state)
{
	(void)state;
	each_example(use_example);
	Said s = describe("all.noise", all_source);
	expect_agreement(&s);
	assert_int_equal(s.info->param_count, 10);
	assert_string_equal(get_text(cJSON_GetArrayItem(get(s.json, "params"), 0), "doc"), "First line,\nsecond.");
	forget(&s);
	s = describe("many.noise", many_source);
	expect_agreement(&s);
	forget(&s);
	s = describe("line.noise", line_source);
	expect_agreement(&s);
	forget(&s);
}

/* The command gives the library's text, for the targets that are written, and nothing else where none is asked for. */
static void reflection_is_written_by_the_command(void **state)
{
	(void)state;
	put("all.noise", all_source);
	Said s = describe("all.noise", all_source);
	EXPECT(FINE, "all.noise", "--reflect", "-");
	assert_string_equal(out.data, s.text);
	EXPECT(FINE, "all.noise", "--reflect", "r.json");
	assert_int_equal(out.size, 0);
	expect_file("r.json", s.text);
	forget(&s);
	EXPECT(FINE, "all.noise", "--reflect=r.json", "--prefix", "land", "-o", "all.glsl");
	Bytes b = read_bytes(in_work("r.json"));
	cJSON *json = cJSON_Parse(b.data);
	assert_string_equal(get_text(json, "name"), "land");
	assert_int_equal(cJSON_GetArraySize(get(json, "targets")), 1);
	assert_string_equal(get_text(get(cJSON_GetArrayItem(get(json, "targets"), 0), "functions"), "all"), "land_eval");
	cJSON_Delete(json);
	free(b.data);
	EXPECT(FINE, "all.noise", "many.noise", "--reflect", "d/", "--header", "d/", "-o", "d/", "-t", "program");
	assert_int_equal(count_files(in_work("d")), 6);
	EXPECT(FINE, "all.noise", "many.noise", "--reflect", "json/", "--header", "json/h/");
	assert_int_equal(count_files(in_work("json")) + count_files(in_work("json/h")), 5);
	EXPECT(USE, "all.noise", "many.noise", "--reflect", "r.json");
	EXPECT(USE, "all.noise", "--reflect", "-", "--header", "-");
	SAYS("two outputs on standard output");
	EXPECT(USE, "all.noise", "--reflect", "all.noise");
	EXPECT(USE, "all.noise", "--reflect", "");
	EXPECT(USE, "all.noise", "--reflect", "r.json", "--dump=ir");
	EXPECT(SOURCE, "bad.noise", "--reflect", "new.json", "--header", "new.h");
	EXPECT(FILES, "all.noise", "--reflect", "new.json", "--header", "none/new.h");
	assert_int_not_equal(access(in_work("new.json"), F_OK), 0);
}

/* Where a target cannot bind a driver, bits are promised only of what no rounding leads to; optimised or not. */
static void promises_fit_the_target(void **state)
{
	static const char source[] =
		"param k = 2.0\ninput n: int\n"
		"node heavy = perlin() |> octaves(3)\n"
		"output noise = perlin()\noutput twice = p.x * 2\noutput less = p.x - k\noutput part = p.x / 4\noutput root = sqrt(p.x)\noutput wave = sin(p.x)\n"
		"output edge: bool = heavy > 0\noutput sum = fold i in 0 .. 3 { a = 0.0 then a + p.x } return a\noutput cell: int = int(p.x * 0.5)\noutput scaled = float(n)\n"
		"output steps = floor(p.x)\noutput least = min(p.x, k)\noutput hashed: uint = stir(seed, 3)\noutput side: bool = p.x > k\noutput chosen = p.x > 0 ? k : p.y\n"
		"output whole: int = n * 3 + int(p.y)\noutput swap: vec2 = p.yx\noutput first = clamp(round(p.x), -4, 4)\n";
	static const char *const rough[] = { "noise", "twice", "less", "part", "root", "wave", "edge", "sum", "cell", "scaled", NULL };
	(void)state;
	for (int level = 0; level < 2; level++) {
		put("p.noise", source);
		EXPECT(FINE, "p.noise", "--reflect", "-", level == 0 ? "-O0" : "-O2");
		cJSON *json = cJSON_Parse(out.data);
		const cJSON *item;
		cJSON_ArrayForEach(item, get(json, "outputs")) {
			bool rounds = false;
			for (const char *const *r = rough; *r != NULL; r++)
				rounds = rounds || strcmp(*r, get_text(item, "name")) == 0;
			const cJSON *promise = get(item, "promise");
			assert_string_equal(get_text(promise, "glsl"), "bits");
			assert_string_equal(get_text(promise, "program"), "bits");
			if (strcmp(get_text(promise, "glsl330"), rounds ? "range" : "bits") != 0)
				fail_msg("%s should promise %s", get_text(item, "name"), rounds ? "its range" : "bits");
		}
		assert_int_equal(cJSON_GetArraySize(get(json, "outputs")), 18);
		cJSON_Delete(json);
	}
}

/* Memory that ends after `left` allocations. */
static int left;

static void *allocate(void *user, size_t size)
{
	(void)user;
	return left-- > 0 ? malloc(size) : NULL;
}

static void release(void *user, void *memory)
{
	(void)user;
	free(memory);
}

static void memory_may_end_at_any_time(void **state)
{
	nz_compile_options options = { .memory = { .allocate = allocate, .release = release } };
	const char *data;
	size_t size, length = 0;
	char *source = malloc(400000);
	(void)state;
	assert_non_null(source);
	for (int i = 0; i < 3000; i++)          /* enough to need more memory than compiling left */
		length += (size_t)sprintf(source + length, "/// The number %d of many.\nparam param_number_%d = %d.5 in 0 .. 4000\n", i, i, i);
	strcpy(source + length, line_source);
	for (int what = 0; what < 2; what++) {
		int fewest = 0;
		nz_status status = NZ_ERROR_MEMORY;
		for (int most = 0; status == NZ_ERROR_MEMORY; most++) {
			nz_module *m;
			left = 1 << 30;
			assert_int_equal(nz_compile_module("all.noise", source, strlen(source), &options, &m), NZ_OK);
			left = most;
			status = what == 0 ? nz_reflect_module(m, NULL, &data, &size) : nz_emit_header(m, NULL, &data, &size);
			assert_true(status == NZ_OK || status == NZ_ERROR_MEMORY);
			assert_true((status == NZ_OK) == (size > 1000));
			nz_free_module(m);
			fewest = most;
		}
		assert_in_range(fewest, 1, 1000);
	}
	free(source);
	nz_module *m;
	assert_int_equal(nz_compile_module("bad", "output a = zz\n", 14, NULL, &m), NZ_ERROR_SOURCE);
	assert_int_equal(nz_reflect_module(m, NULL, &data, &size), NZ_ERROR_SOURCE);
	assert_int_equal(nz_emit_header(m, NULL, &data, &size), NZ_ERROR_SOURCE);
	assert_int_equal(nz_reflect_module(m, NULL, NULL, &size), NZ_ERROR_ARGUMENT);
	assert_int_equal(nz_emit_header(NULL, NULL, &data, &size), NZ_ERROR_ARGUMENT);
	nz_free_module(m);
	assert_int_equal(nz_compile_module("fine", line_source, strlen(line_source), NULL, &m), NZ_OK);
	assert_int_equal(nz_reflect_module(m, &(nz_reflect_options){ .targets = (const char *const[]){ "glsl", "glls" }, .target_count = 2 }, &data, &size), NZ_ERROR_ARGUMENT);
	assert_int_equal(size, 0);
	nz_free_module(m);
}

/* Whatever bytes stand in a comment, the JSON is well-formed, and the text is the comment's. */
static void any_comment_makes_valid_json(void **state)
{
	static const struct { const char *written, *read; } cases[] = {
		{ "a \"quoted\" \\ back\\slash \\", "a \"quoted\" \\ back\\slash \\" }, { "tab\there", "tab\there" }, { "</script> \x7f", "</script> \x7f" },
		{ "\xc3\xa4\xe2\x82\xac\xf0\x9f\x8c\x8b", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x8c\x8b" }, { "*/ /* ?\?/", "*/ /* ?\?/" }, { "\x01\x02\x1f", "\x01\x02\x1f" },
		{ "bad \xff\xc0\xaf\xed\xa0\x80 end", "bad \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd end" }, { "cut \xe2\x82", "cut \xef\xbf\xbd\xef\xbf\xbd" },
	};
	(void)state;
	int accepted = 0;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char source[256];
		nz_module *m;
		snprintf(source, sizeof source, "/// %s\nparam k = 1\noutput a = k\n", cases[i].written);
		if (nz_compile_module("t", source, strlen(source), NULL, &m) == NZ_OK) {
			Said s = describe("t", source);
			assert_string_equal(get_text(cJSON_GetArrayItem(get(s.json, "params"), 0), "doc"), cases[i].read);
			forget(&s);
			accepted++;
		}
		nz_free_module(m);
	}
	assert_in_range(accepted, 4, 8);        /* the compiler may refuse a comment that is no text */
}

static void look_for_keys(const cJSON *json, const char *page)
{
	char marked[128];
	if (json->string != NULL) {
		snprintf(marked, sizeof marked, "`%s`", json->string);
		if (strstr(page, marked) == NULL)
			fail_msg("the page does not explain %s", marked);
	}
	for (const cJSON *child = json->child; child != NULL; child = child->next)
		look_for_keys(child, page);
}

/* A program all of whose names are explained words, so that only the schema's own keys remain. */
static void every_field_is_documented(void **state)
{
	(void)state;
	Bytes page = read_bytes(TESTS "/../docs/reflection.md");
	Said s = describe("doc", "enum E { A }\nparam params: E = A\ninput inputs in 0 .. 1\noutput outputs = inputs\noutput name: E = params\n");
	cJSON *promise = cJSON_GetObjectItem(cJSON_GetArrayItem(get(s.json, "outputs"), 0), "promise");
	while (promise->child != NULL)
		cJSON_DeleteItemFromObject(promise, promise->child->string);
	promise = cJSON_GetObjectItem(cJSON_GetArrayItem(get(s.json, "outputs"), 1), "promise");
	while (promise->child != NULL)
		cJSON_DeleteItemFromObject(promise, promise->child->string);
	look_for_keys(s.json, page.data);
	forget(&s);
	free(page.data);
}

/* Each example fits the schema, and nothing that it requires may be missing or of another kind. */
static const char check_schema[] =
	"import copy, json, sys\n"
	"try:\n    import jsonschema\nexcept ImportError:\n    sys.exit(77)\n"
	"schema = json.load(open(sys.argv[1]))\n"
	"jsonschema.Draft202012Validator.check_schema(schema)\n"
	"fits = jsonschema.Draft202012Validator(schema)\n"
	"for name in sys.argv[2:]:\n    fits.validate(json.load(open(name)))\n"
	"whole = json.load(open(sys.argv[2]))\n"
	"def places(node):\n"
	"    for key in (node if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else []):\n"
	"        yield node, key\n        yield from places(node[key])\n"
	"tried = 0\n"
	"for i, (node, key) in enumerate(places(whole)):\n"
	"    if node is whole and key == 'vulkan':\n        continue\n"
	"    old = node[key]\n"
	"    node[key] = {'what': 1}\n"
	"    if fits.is_valid(whole):\n        sys.exit('%s may be anything' % key)\n"
	"    node[key] = old\n    tried += 1\n"
	"print(tried)\n";

static void every_example_fits_the_schema(void **state)
{
	static const char *const files[] = { "all.noise", "many.noise", "line.noise", EXAMPLES "/mountains.noise", EXAMPLES "/island.noise" };
	static char names[5][16];
	const char *argv[12] = { "python3", "schema.py", TESTS "/../docs/reflection.schema.json" };
	(void)state;
	Bytes schema = read_bytes(TESTS "/../docs/reflection.schema.json");
	cJSON *json = cJSON_Parse(schema.data);
	assert_non_null(json);
	cJSON_Delete(json);
	free(schema.data);
	put("all.noise", all_source);
	put("schema.py", check_schema);
	for (int i = 0; i < 5; i++) {
		snprintf(names[i], sizeof names[i], "%d.json", i);
		EXPECT(FINE, files[i], "--reflect", names[i]);
		argv[i + 3] = names[i];
	}
	int status = run(argv);
	if (status == 127 || status == 77) {
		printf("SKIP: python3 with jsonschema is not installed\n");
		skip();
	}
	if (status != 0)
		fail_msg("%.3000s", err.data);
	assert_true(atoi(out.data) > 200);
}

/* ---- the shader ---- */

/* All that is said of the uniform block, by the shader compiler: the members' names and offsets. */
typedef struct Layout {
	int count;
	char name[64][64];
	uint32_t offset[64];
} Layout;

#ifdef HAVE_GPU
enum { OP_NAME = 5, OP_MEMBER_NAME = 6, OP_MEMBER_DECORATE = 72, DECORATION_OFFSET = 35 };

static Layout read_layout(const uint32_t *words, size_t count)
{
	Layout layout = { .count = 0 };
	uint32_t block = 0;
	for (size_t at = 5; at < count; at += words[at] >> 16)
		if ((words[at] & 0xffff) == OP_NAME && strcmp((const char *)&words[at + 2], "Params") == 0)
			block = words[at + 1];
	assert_int_not_equal(block, 0);
	for (size_t at = 5; at < count; at += words[at] >> 16) {
		uint32_t op = words[at] & 0xffff;
		if (op == OP_MEMBER_NAME && words[at + 1] == block) {
			assert_in_range(words[at + 2], 0, 63);
			snprintf(layout.name[words[at + 2]], 64, "%s", (const char *)&words[at + 3]);
		}
		if (op == OP_MEMBER_DECORATE && words[at + 1] == block && words[at + 3] == DECORATION_OFFSET) {
			layout.offset[words[at + 2]] = words[at + 4];
			layout.count++;
		}
	}
	return layout;
}

static void compile_text(const char *text, GpuStage stage, uint32_t **words, size_t *count)
{
	char *log;
	if (gpu_compile_glsl(text, stage, words, count, &log) != GPU_OK)
		fail_msg("%s\n%s", log, text);
	free(log);
}
#endif

static void expect_block(const Said *s, nz_entry entry)
{
#ifdef HAVE_GPU
	const char *text;
	size_t size, count;
	uint32_t *words;
	const cJSON *members = get(get(get(s->json, "vulkan"), "block"), "members"), *item;
	assert_int_equal(nz_emit_target(s->module, &(nz_emit_options){ .entry = entry }, &text, &size), NZ_OK);
	compile_text(text, entry == NZ_ENTRY_COMPUTE ? GPU_COMPUTE : GPU_FRAGMENT, &words, &count);
	Layout layout = read_layout(words, count);
	free(words);
	assert_int_equal(layout.count, cJSON_GetArraySize(members));
	int i = 0;
	cJSON_ArrayForEach(item, members) {
		const cJSON *names = get(get(get(cJSON_GetArrayItem(get(s->json, "targets"), 0), "structs"), "params"), "members");
		const char *name = get_text(item, "name");
		assert_int_equal(get_whole(item, "offset"), layout.offset[i]);
		assert_string_equal(layout.name[i], strcmp(name, "seed") == 0 ? "seed" : get_text(names, name));
		i++;
	}
#else
	(void)s, (void)entry;
#endif
}

/* A source with params of many types in an order that `h` chooses. */
static const char *mix_params(uint32_t h)
{
	static char source[4096];
	static const char *const types[] = { "float", "vec2", "vec3", "vec4", "bool", "bvec2", "bvec3", "bvec4", "int", "ivec2", "ivec3", "ivec4",
		"uint", "uvec2", "uvec3", "uvec4", "E" };
	size_t size = (size_t)snprintf(source, sizeof source, "enum E { A, B }\n");
	for (int i = 0; i < 20; i++) {
		h = h * 1664525u + 1013904223u;
		const char *type = types[(h >> 16) % 17];
		const char *value = strchr(type, 'b') != NULL ? "true" : type[0] == 'u' ? "7u" : type[0] == 'i' ? "-3" : type[0] == 'E' ? "B" : "0.1";
		bool vector = strstr(type, "vec") != NULL;
		size += (size_t)snprintf(source + size, sizeof source - size, "param k%d: %s = %s%s%s%s\n", i, type, vector ? type : "", vector ? "(" : "", value, vector ? ")" : "");
	}
	snprintf(source + size, sizeof source - size, "output a = p.x\n");
	return source;
}

static void the_block_lies_as_the_shader_has_it(void **state)
{
	(void)state;
#ifndef HAVE_GPU
	printf("SKIP: no glslang to compile shaders with\n");
	skip();
#endif
	for (int i = 0; i < 2; i++) {
		nz_entry entry = i == 0 ? NZ_ENTRY_COMPUTE : NZ_ENTRY_FRAGMENT;
		Said s = describe("all.noise", all_source);
		expect_block(&s, entry);
		forget(&s);
		s = describe("line.noise", line_source);
		expect_block(&s, entry);
		forget(&s);
		for (uint32_t h = 0; h < 40; h++) {
			s = describe("mix.noise", mix_params(h));
			expect_block(&s, entry);
			forget(&s);
		}
	}
}

/* A shader written from what is said alone: every function is called, every member read and written. */
static void names_are_those_of_the_shader(void **state)
{
	(void)state;
#ifndef HAVE_GPU
	printf("SKIP: no glslang to compile shaders with\n");
	skip();
#else
	Said s = describe("all.noise", all_source);
	const cJSON *target = cJSON_GetArrayItem(get(s.json, "targets"), 0), *functions = get(target, "functions"), *structs = get(target, "structs"), *item;
	const char *body;
	size_t size, count;
	uint32_t *words;
	char *text = malloc(200000), *at = text;
	assert_non_null(text);
	assert_int_equal(nz_emit_target(s.module, NULL, &body, &size), NZ_OK);
	assert_string_equal(get_text(target, "name"), "glsl");
	at += sprintf(at, "#version 450\nlayout(location = 0) out vec4 colour;\n%svoid main()\n{\n", body);
	cJSON_ArrayForEach(item, get(functions, "arguments"))
		at += sprintf(at, "%s a%s;\n", get_text(item, "type"), get_text(item, "name"));
	cJSON_ArrayForEach(item, get(get(structs, "params"), "members"))
		at += sprintf(at, "aparams.%s = aparams.%s;\n", item->valuestring, item->valuestring);
	at += sprintf(at, "%s all = %s(", get_text(get(structs, "out"), "name"), get_text(functions, "all"));
	cJSON_ArrayForEach(item, get(functions, "arguments"))
		at += sprintf(at, "%sa%s", item->prev->next != NULL ? ", " : "", get_text(item, "name"));
	at += sprintf(at, ");\ncolour = vec4(0.0);\n");
	cJSON_ArrayForEach(item, get(get(structs, "out"), "members"))
		at += sprintf(at, "colour.x += float(all.%s == all.%s);\n", item->valuestring, item->valuestring);
	int called = 0;
	const cJSON *one;
	cJSON_ArrayForEach(one, get(functions, "outputs")) {
		at += sprintf(at, "colour.y += float(all.%s == %s(", get_text(get(get(structs, "out"), "members"), one->string), one->valuestring);
		cJSON_ArrayForEach(item, get(functions, "arguments"))
			at += sprintf(at, "%sa%s", item->prev->next != NULL ? ", " : "", get_text(item, "name"));
		at += sprintf(at, "));\n");
		called++;
	}
	sprintf(at, "}\n");
	assert_int_equal(called, 8);
	compile_text(text, GPU_FRAGMENT, &words, &count);
	free(words);
	free(text);
	forget(&s);
#endif
}

/* ---- the header ---- */

static const char *const c_compilers[] = { "gcc", "clang", NULL }, *const cpp_compilers[] = { "g++", "clang++", NULL };

/* The first that is installed; NULL: none. */
static const char *find_compiler(const char *const *names)
{
	for (; *names != NULL; names++)
		if (run((const char *const[]){ *names, "--version", NULL }) == 0)
			return *names;
	printf("SKIP: no compiler among gcc, clang, g++, clang++ for one of the languages\n");
	return NULL;
}

static void compile_host(const char *compiler, const char *standard, const char *file)
{
	if (run((const char *const[]){ compiler, standard, "-Wall", "-Wextra", "-Wpedantic", "-Werror", file, "-o", "host", NULL }) != 0)
		fail_msg("%s %s: %.3000s", compiler, file, err.data);
}

/* A host that prints the words of the struct with the defaults. Beside the block's own bytes, which the words of
   the params have at the offsets that are said. */
static void expect_host(const Said *s, const char *prefix)
{
	char expected[64];
	const cJSON *block = get(get(s->json, "vulkan"), "block"), *members = get(block, "members");
	uint32_t room = get_whole(block, "room");
	uint32_t *words = calloc(room / 4 + 1, sizeof *words);
	assert_non_null(words);
	for (uint32_t i = 0; i < s->info->param_count; i++)
		memcpy(words + get_whole(cJSON_GetArrayItem(members, (int)i), "offset") / 4, s->info->params[i].value, 4 * s->info->params[i].type.width);
	assert_int_equal(run((const char *const[]){ "./host", prefix, NULL }), 0);
	const char *at = out.data;
	for (uint32_t i = 0; i < room / 4; i++) {
		snprintf(expected, sizeof expected, "%08x\n", (unsigned)words[i]);
		if (strncmp(at, expected, 9) != 0)
			fail_msg("word %u of %s: expected %s, found %.9s", (unsigned)i, prefix, expected, at);
		at += 9;
	}
	assert_int_equal(*at, '\0');
	free(words);
}

static void write_host(const char *name, const char *const *prefixes)
{
	char text[8192];
	size_t size = (size_t)snprintf(text, sizeof text, "#include <stdio.h>\n#include <string.h>\n");
	for (const char *const *p = prefixes; *p != NULL; p++)
		size += (size_t)snprintf(text + size, sizeof text - size, "#include \"%s.h\"\n#include \"%s.h\"\n", *p, *p);
	size += (size_t)snprintf(text + size, sizeof text - size, "static void show(const void *block, size_t size)\n{\n\tuint32_t word;\n"
		"\tfor (size_t i = 0; i < size; i += 4) {\n\t\tmemcpy(&word, (const char *)block + i, 4);\n\t\tprintf(\"%%08x\\n\", (unsigned)word);\n\t}\n}\n\n"
		"int main(int argc, char **argv)\n{\n");
	for (const char *const *p = prefixes; *p != NULL; p++)
		size += (size_t)snprintf(text + size, sizeof text - size, "\t%s_params b_%s = %s_DEFAULT_PARAMS;\n\tif (argc > 1 && strcmp(argv[1], \"%s\") == 0)\n\t\tshow(&b_%s, sizeof b_%s);\n",
			*p, *p, *p, *p, *p, *p);
	snprintf(text + size, sizeof text - size, "\treturn 0;\n}\n");
	put(name, text);
}

static void the_header_compiles_and_holds_the_defaults(void **state)
{
	static const char *const prefixes[] = { "all", "many", "line", "mix", NULL };
	static const char *const standards[2][2] = { { "-std=c11", "host.c" }, { "-std=c++11", "host.cpp" } };
	(void)state;
	const char *compiler[2] = { find_compiler(c_compilers), find_compiler(cpp_compilers) };
	if (compiler[0] == NULL && compiler[1] == NULL)
		skip();
	write_host("host.c", prefixes);
	write_host("host.cpp", prefixes);
	for (uint32_t h = 0; h < 6; h++) {
		const char *sources[4] = { all_source, many_source, line_source, mix_params(h) };
		for (int i = 0; i < 4; i++) {
			char name[32], header[32];
			snprintf(name, sizeof name, "%s.noise", prefixes[i]);
			snprintf(header, sizeof header, "%s.h", prefixes[i]);
			put(name, sources[i]);
			EXPECT(FINE, name, "--header", header);
		}
		for (int c = 0; c < 2; c++) {
			if (compiler[c] == NULL)
				continue;
			compile_host(compiler[c], standards[c][0], standards[c][1]);
			for (int i = 0; i < 4; i++) {
				Said s = describe(prefixes[i], sources[i]);
				expect_host(&s, prefixes[i]);
				forget(&s);
			}
		}
	}
}

/* Names that would meet: the padding's, keywords, enumerators that spell alike, what the block adds. */
static void the_header_has_every_name_once(void **state)
{
	static const char clashing[] =
		"enum A { B_C }\nenum A_B { C }\nenum Params { One }\nenum params { Two }\n"
		"/// ends in a backslash \\\n/// */ /* ?\?/\nparam pad = 1.0\nparam pad_ = 1.0\nparam pad4: vec3 = vec3(1)\nparam class = 1\nparam class_ = 2\n"
		"param delete: A = B_C\nparam int32: A_B = C\nparam e: Params = One\nparam f: params = Two\noutput a = pad + pad_ + class + class_\noutput positions = p.x\n";
	static const char *const prefixes[] = { "clash", NULL };
	(void)state;
	const char *compiler[2] = { find_compiler(c_compilers), find_compiler(cpp_compilers) };
	if (compiler[0] == NULL && compiler[1] == NULL)
		skip();
	put("clash.noise", clashing);
	EXPECT(FINE, "clash.noise", "--header", "clash.h");
	write_host("host.c", prefixes);
	write_host("host.cpp", prefixes);
	if (compiler[0] != NULL)
		compile_host(compiler[0], "-std=c11", "host.c");
	if (compiler[1] != NULL)
		compile_host(compiler[1], "-std=c++11", "host.cpp");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(reflection_says_what_the_runtime_says),
		TEST(reflection_is_written_by_the_command),
		TEST(promises_fit_the_target),
		TEST(memory_may_end_at_any_time),
		TEST(any_comment_makes_valid_json),
		TEST(every_field_is_documented),
		TEST(every_example_fits_the_schema),
		TEST(the_block_lies_as_the_shader_has_it),
		TEST(names_are_those_of_the_shader),
		TEST(the_header_compiles_and_holds_the_defaults),
		TEST(the_header_has_every_name_once),
	};
	return RUN_TESTS(tests);
}
