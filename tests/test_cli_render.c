/* What users rely on in `noisec render`: the right samples in the picture. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <png.h>

#include "command.h"

static void wrong_use_of_render_is_2(void **state)
{
	static const char *const wrong[][2] = {
		{ "--size", "0x3" }, { "--size", "3" }, { "--size", "99999x3" }, { "--size", "-3x3" }, { "--bits", "12" },
		{ "--range", "1,0" }, { "--range", "1" }, { "--range", "0,x" }, { "--span", "0" }, { "--span", "-3" },
		{ "--span", "x" }, { "--center", "1" }, { "--center", "1,x" }, { "--slice", "1" }, { "--out", "z" }, { "--node", "z" },
		{ "--node", "K" }, { "--set", "z=1" }, { "--seed", "x" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		EXPECT(USE, "render", "many.noise", "-o", "x.png", wrong[i][0], wrong[i][1]);
	EXPECT(USE, "render", "many.noise");
	EXPECT(USE, "render", "many.noise", "-o", "x.png", "--out", "a", "--node", "hidden");
	assert_int_not_equal(access(in_work("x.png"), F_OK), 0);
}

/* ---- render ---- */

typedef struct Image {
	uint32_t width, height;
	int bits, colour;                       /* as in the header */
	uint16_t sample[64];
} Image;

static uint32_t big_endian(const char *at)
{
	const unsigned char *b = (const unsigned char *)at;
	return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

/* Reads the header by its bytes and the samples by libpng. */
static Image read_image(const char *name)
{
	Image image = { 0 };
	Bytes b = read_bytes(in_work(name));
	assert_true(b.size > 26);
	assert_memory_equal(b.data, "\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16);
	image.width = big_endian(b.data + 16);
	image.height = big_endian(b.data + 20);
	image.bits = b.data[24];
	image.colour = b.data[25];
	free(b.data);
	FILE *f = fopen(in_work(name), "rb");
	png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
	png_infop info = png_create_info_struct(png);
	assert_non_null(f);
	assert_non_null(info);
	png_init_io(png, f);
	png_read_png(png, info, PNG_TRANSFORM_IDENTITY, NULL);
	size_t row = png_get_rowbytes(png, info) / (size_t)(image.bits / 8);
	for (size_t i = 0; i < row * image.height && i < 64; i++) {
		const png_byte *at = png_get_rows(png, info)[i / row] + i % row * (size_t)(image.bits / 8);
		image.sample[i] = (uint16_t)(image.bits == 16 ? at[0] << 8 | at[1] : at[0]);
	}
	png_destroy_read_struct(&png, &info, NULL);
	fclose(f);
	return image;
}

static void expect_image(Image image, uint32_t width, uint32_t height, int bits, int colour, size_t count, const uint16_t *sample)
{
	assert_int_equal(image.width, width);
	assert_int_equal(image.height, height);
	assert_int_equal(image.bits, bits);
	assert_int_equal(image.colour, colour);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(image.sample[i], sample[i]);
}
#define SAMPLES(...) sizeof((const uint16_t[]){ __VA_ARGS__ }) / sizeof(uint16_t), (const uint16_t[]){ __VA_ARGS__ }

static void render_makes_grey_of_the_proved_range(void **state)
{
	(void)state;
	put("g.noise", "output g = saturate(p.x / 4)\noutput h = saturate(p.y / 4)\n");
	EXPECT(FINE, "render", "g.noise", "-o", "g.png", "--size", "4x2", "--span", "4", "--center", "2,0");
	assert_int_equal(out.size + err.size, 0);
	expect_image(read_image("g.png"), 4, 2, 8, PNG_COLOR_TYPE_GRAY, SAMPLES(32, 96, 159, 223, 32, 96, 159, 223));
	EXPECT(FINE, "render", "g.noise", "-o", "g.png", "--size", "4x2", "--span", "4", "--center", "2,0", "--bits", "16");
	expect_image(read_image("g.png"), 4, 2, 16, PNG_COLOR_TYPE_GRAY, SAMPLES(8192, 24576, 40959, 57343));
	/* y grows upwards */
	EXPECT(FINE, "render", "g.noise", "-o", "g.png", "--size", "2x4", "--span", "2", "--center", "0,2", "--out", "h");
	expect_image(read_image("g.png"), 2, 4, 8, PNG_COLOR_TYPE_GRAY, SAMPLES(223, 223, 159, 159, 96, 96, 32, 32));
	EXPECT(FINE, "render", "g.noise", "-o", "g.png");
	expect_image(read_image("g.png"), 512, 512, 8, PNG_COLOR_TYPE_GRAY, 0, NULL);
}

static void render_range_overrides(void **state)
{
	(void)state;
	put("g.noise", "output g = saturate(p.x / 4)\n");
	EXPECT(FINE, "render", "g.noise", "-o", "g.png", "--size", "4x1", "--span", "4", "--center", "2,0", "--range", "-1,1");
	expect_image(read_image("g.png"), 4, 1, 8, PNG_COLOR_TYPE_GRAY, SAMPLES(143, 175, 207, 239));
	EXPECT(FINE, "render", "g.noise", "-o", "g.png", "--size", "4x1", "--span", "4", "--center", "2,0", "--range", "0.25,0.5");
	expect_image(read_image("g.png"), 4, 1, 8, PNG_COLOR_TYPE_GRAY, SAMPLES(0, 128, 255, 255));
}

static void render_tells_a_measured_range(void **state)
{
	(void)state;
	EXPECT(FINE, "render", "line.noise", "-o", "a.png", "--size", "4x1", "--span", "4");
	SAYS("'a' has no proved range; black is -2 and white 4 as measured");
	expect_image(read_image("a.png"), 4, 1, 8, PNG_COLOR_TYPE_GRAY, SAMPLES(0, 85, 170, 255));
	EXPECT(FINE, "render", "line.noise", "-o", "a.png", "--size", "4x1", "--span", "4", "--range", "-2,4");
	assert_int_equal(err.size, 0);
	expect_image(read_image("a.png"), 4, 1, 8, PNG_COLOR_TYPE_GRAY, SAMPLES(0, 85, 170, 255));
}

static void render_draws_nodes(void **state)
{
	(void)state;
	EXPECT(FINE, "render", "many.noise", "-o", "n.png", "--node", "hidden", "--size", "1x4", "--span", "1", "--center", "0,2");
	expect_image(read_image("n.png"), 1, 4, 8, PNG_COLOR_TYPE_GRAY, SAMPLES(223, 159, 96, 32));
	put("n.noise", "node only = saturate(p.x)\n");
	EXPECT(FINE, "render", "n.noise", "-o", "n.png", "--node", "only", "--size", "2x2");
	EXPECT(SOURCE, "render", "n.noise", "-o", "n.png");
}

static void render_slices_higher_domains(void **state)
{
	(void)state;
	put("s.noise", "domain vec3\noutput g = saturate(p.z)\n");
	EXPECT(FINE, "render", "s.noise", "-o", "s.png", "--size", "2x1", "--slice", "0.5");
	expect_image(read_image("s.png"), 2, 1, 8, PNG_COLOR_TYPE_GRAY, SAMPLES(128, 128));
	EXPECT(FINE, "render", "s.noise", "-o", "s.png", "--size", "2x1");
	expect_image(read_image("s.png"), 2, 1, 8, PNG_COLOR_TYPE_GRAY, SAMPLES(0, 0));
	EXPECT(USE, "render", "s.noise", "-o", "s.png", "--slice", "1,2");
	put("s.noise", "domain vec4\noutput g = saturate(p.z + p.w)\n");
	EXPECT(FINE, "render", "s.noise", "-o", "s.png", "--size", "2x1", "--slice", "0.25,0.25");
	expect_image(read_image("s.png"), 2, 1, 8, PNG_COLOR_TYPE_GRAY, SAMPLES(128, 128));
}

static void render_draws_colours(void **state)
{
	(void)state;
	put("c.noise", "output c: vec3 = vec3(0, 0.25, 1)\noutput d: vec4 = vec4(0, 0.25, 1, 0.5)\noutput hex: vec3 = #3a7d44\n");
	EXPECT(FINE, "render", "c.noise", "-o", "c.png", "--size", "1x1");
	expect_image(read_image("c.png"), 1, 1, 8, PNG_COLOR_TYPE_RGB, SAMPLES(0, 137, 255));
	EXPECT(FINE, "render", "c.noise", "-o", "c.png", "--size", "1x1", "--out", "d");
	expect_image(read_image("c.png"), 1, 1, 8, PNG_COLOR_TYPE_RGB_ALPHA, SAMPLES(0, 137, 255, 128));
	EXPECT(FINE, "render", "c.noise", "-o", "c.png", "--size", "1x1", "--out", "hex");
	expect_image(read_image("c.png"), 1, 1, 8, PNG_COLOR_TYPE_RGB, SAMPLES(0x3a, 0x7d, 0x44));
	EXPECT(FINE, "render", "c.noise", "-o", "c.png", "--size", "1x1", "--out", "hex", "--bits", "16");
	expect_image(read_image("c.png"), 1, 1, 16, PNG_COLOR_TYPE_RGB, 0, NULL);
}

static void render_draws_bools_and_enums(void **state)
{
	(void)state;
	put("e.noise", "enum Side { Left, Right }\noutput b: bool = p.x > 0\noutput e: Side = p.x > 0 ? Right : Left\n");
	EXPECT(FINE, "render", "e.noise", "-o", "e.png", "--size", "2x1", "--span", "2");
	expect_image(read_image("e.png"), 2, 1, 8, PNG_COLOR_TYPE_RGB, SAMPLES(0, 0, 0, 255, 255, 255));
	EXPECT(FINE, "render", "e.noise", "-o", "e.png", "--size", "2x1", "--span", "2", "--out", "e");
	Image image = read_image("e.png");
	expect_image(image, 2, 1, 8, PNG_COLOR_TYPE_RGB, 0, NULL);
	assert_memory_not_equal(image.sample, image.sample + 3, 3 * sizeof *image.sample);
}

static void render_agrees_with_eval(void **state)
{
	(void)state;
	put("r.noise", "param k = 1 in 0 .. 2\noutput g = saturate(0.5 + k * perlin())\n");
	EXPECT(FINE, "render", "r.noise", "-o", "r.png", "--size", "4x1", "--span", "4", "--bits", "16", "--seed", "9", "--set", "k=0.75");
	Image image = read_image("r.png");
	EXPECT(FINE, "eval", "r.noise", "--at", "-1.5,0", "--at", "-0.5,0", "--at", "0.5,0", "--at", "1.5,0", "--seed", "9", "--set", "k=0.75", "--format", "csv");
	const char *at = out.data;
	for (int i = 0; i < 4; i++) {
		at = strchr(at, '\n');
		assert_non_null(at);
		at = strchr(strchr(at, ',') + 1, ',');
		assert_int_equal(image.sample[i], (int)(strtod(at + 1, NULL) * 65535.0 + 0.5));
	}
}

static void render_names_pictures_in_a_folder(void **state)
{
	(void)state;
	put("g.noise", "output g = saturate(p.x / 4)\n");
	EXPECT(FINE, "render", "g.noise", "-o", "pictures/", "--size", "2x2");
	expect_image(read_image("pictures/g.png"), 2, 2, 8, PNG_COLOR_TYPE_GRAY, 0, NULL);
	EXPECT(FINE, "render", "g.noise", "-o", "pictures", "--size", "3x2");
	expect_image(read_image("pictures/g.png"), 3, 2, 8, PNG_COLOR_TYPE_GRAY, 0, NULL);
	EXPECT(SOURCE, "render", "bad.noise", "-o", "new/");
	EXPECT(USE, "render", "g.noise", "-o", "new/", "--out", "zz");
	EXPECT(USE, "render", "g.noise", "-o", "new/", "--slice", "3");
	assert_int_not_equal(access(in_work("new"), F_OK), 0);
	EXPECT(USE, "render", "g.noise", "-o", "g.jpg");
	SAYS("pictures are PNG files");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(wrong_use_of_render_is_2),
		TEST(render_makes_grey_of_the_proved_range),
		TEST(render_range_overrides),
		TEST(render_tells_a_measured_range),
		TEST(render_draws_nodes),
		TEST(render_slices_higher_domains),
		TEST(render_draws_colours),
		TEST(render_draws_bools_and_enums),
		TEST(render_agrees_with_eval),
		TEST(render_names_pictures_in_a_folder),
	};
	return RUN_TESTS(tests);
}
