/* render: one output over a rectangle of its domain, as a picture. The top row has the highest y, and the
   centre of the picture is the centre of its pixels, not one of them. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "picture.h"

const char render_help[] =
	"usage: noisec render FILE -o OUT.png [OPTIONS]\n\n"
	"Draws an output over x and y; y grows upwards. Numbers become grey over the range that the compiler proved;\n"
	"where there is none, over the range measured in the picture. vec3 and vec4 are linear colours. bool, enum and\n"
	"int values have a colour each.\n\n"
	"  -o, --out-file F  where to write the PNG; - is standard output, DIR/ or a folder gets hills.png for hills.noise\n"
	"  --size WxH        pixels; default 512x512\n"
	"  --center X,Y      the position in the middle; default 0,0\n"
	"  --span UNITS      how many units of x the width shows; default 8. Pixels are square\n"
	"  --slice Z[,W]     the coordinates behind x and y of a domain vec3 or vec4; default 0\n"
	"  --out NAME        the output to draw; default: the first\n"
	"  --node NAME       draw this node instead of an output\n"
	"  --range LO,HI     black and white, instead of the proved range; for vectors, per component\n"
	"  --bits 8|16       bits per channel; default 8\n"
	SUBJECT_HELP MESSAGE_HELP "\n"
	"  noisec render hills.noise -o hills.png --span 512 --size 800x600\n"
	"  noisec render hills.noise -o ridges.png --node ridges --set feature=100 --seed 7\n";

enum { ID_FILE = 1, ID_SIZE, ID_CENTER, ID_SPAN, ID_SLICE, ID_OUT, ID_NODE, ID_RANGE, ID_BITS };
enum { SIZE_LIMIT = 16384 };

typedef struct View {
	const char *path, *out;
	const char *center_text, *slice_text;
	uint32_t width, height;
	double center[4], span;
	bool ranged;
	double low, high;
	int bits;
} View;

/* Reads `least` to `most` numbers with commas between; returns how many, 0 if the text is wrong. */
static int read_list(const char *text, double *out, int least, int most)
{
	char piece[64];
	int count = 0;
	for (const char *at = text;; at++) {
		size_t size = strcspn(at, ",");
		if (size >= sizeof piece || count == most)
			return 0;
		memcpy(piece, at, size);
		piece[size] = '\0';
		if (!read_double(piece, &out[count++]))
			return 0;
		at += size;
		if (*at == '\0')
			return count >= least ? count : 0;
	}
}

static int read_size(View *v, const char *text)
{
	char first[16];
	uint64_t width, height;
	size_t size = strcspn(text, "xX");
	if (size < sizeof first && text[size] != '\0') {
		memcpy(first, text, size);
		first[size] = '\0';
		if (read_uint(first, SIZE_LIMIT, &width) && read_uint(text + size + 1, SIZE_LIMIT, &height) && width > 0 && height > 0) {
			v->width = (uint32_t)width;
			v->height = (uint32_t)height;
			return STATUS_FINE;
		}
	}
	return complain(STATUS_USE, "bad size '%s': give WIDTHxHEIGHT, each 1 to %d", text, SIZE_LIMIT);
}

static int read_view_option(View *v, int id, const char *value)
{
	double range[2];
	switch (id) {
	case ID_FILE: v->path = value; break;
	case ID_OUT: v->out = value; break;
	case ID_CENTER: v->center_text = value; break;
	case ID_SLICE: v->slice_text = value; break;
	case ID_SIZE: return read_size(v, value);
	case ID_SPAN:
		if (!read_double(value, &v->span) || v->span <= 0)
			return complain(STATUS_USE, "bad span '%s': a number above 0", value);
		break;
	case ID_RANGE:
		if (read_list(value, range, 2, 2) == 0 || !(range[0] < range[1]))
			return complain(STATUS_USE, "bad range '%s': give LO,HI with LO below HI", value);
		v->ranged = true;
		v->low = range[0];
		v->high = range[1];
		break;
	default:
		if (strcmp(value, "8") != 0 && strcmp(value, "16") != 0)
			return complain(STATUS_USE, "bad --bits '%s': 8 or 16", value);
		v->bits = value[0] == '8' ? 8 : 16;
	}
	return STATUS_FINE;
}

static int set_place(View *v, uint32_t domain, const char *file)
{
	int plane = domain < 2 ? (int)domain : 2, rest = (int)domain - plane;
	if (v->center_text != NULL && read_list(v->center_text, v->center, plane, plane) == 0)
		return complain(STATUS_USE, "bad center '%s': give %s", v->center_text, plane == 1 ? "X" : "X,Y");
	if (v->slice_text != NULL && rest == 0)
		return complain(STATUS_USE, "--slice has no use: the domain of '%s' has %u coordinate%s", file, (unsigned)domain, domain == 1 ? "" : "s");
	if (v->slice_text != NULL && read_list(v->slice_text, v->center + 2, 1, rest) == 0)
		return complain(STATUS_USE, "bad slice '%s': give %s", v->slice_text, rest == 1 ? "Z" : "Z or Z,W");
	return STATUS_FINE;
}

/* A 1-D domain makes one row, which then fills the picture. */
static nz_status evaluate(const Subject *s, const View *v, uint32_t output, nz_word *const words[4])
{
	nz_grid grid = { .size = { v->width, s->info->domain > 1 ? v->height : 1, 1, 1 } };
	nz_output_data *data = calloc(s->info->output_count, sizeof *data);
	double step = v->span / v->width;
	if (data == NULL)
		return NZ_ERROR_MEMORY;
	for (int axis = 0; axis < 4; axis++)
		grid.origin[axis] = v->center[axis];
	grid.step[0] = step;
	grid.step[1] = -step;
	grid.origin[0] -= (v->width - 1) * 0.5 * step;
	if (s->info->domain > 1)
		grid.origin[1] += (v->height - 1) * 0.5 * step;
	for (int lane = 0; lane < 4; lane++)
		data[output].array[lane] = words[lane];
	nz_status status = nz_evaluate_grid(s->evaluator, &grid, s->inputs, data);
	free(data);
	return status;
}

/* ---- values to samples ---- */

/* Measured where the proved range has an open side, and told, as such pictures do not compare. */
static void find_range(View *v, const nz_output *output, nz_word *const words[4], size_t count)
{
	if (v->ranged)
		return;
	v->low = output->low;
	v->high = output->high;
	if (output->low > -FLT_MAX && output->high < FLT_MAX)
		return;
	v->low = DBL_MAX;
	v->high = -DBL_MAX;
	for (uint32_t lane = 0; lane < output->type.width; lane++)
		for (size_t i = 0; i < count; i++) {
			double x = words[lane][i].f;
			v->low = x < v->low ? x : v->low;
			v->high = x > v->high ? x : v->high;
		}
	fprintf(stderr, "noisec: note: '%s' has no proved range; black is ", output->name);
	print_float(stderr, (float)v->low);
	fputs(" and white ", stderr);
	print_float(stderr, (float)v->high);
	fputs(" as measured\n", stderr);
}

static uint16_t quantise(double x, int bits)
{
	double most = bits == 16 ? 65535.0 : 255.0;
	return (uint16_t)(x > 0.0 ? x < 1.0 ? x * most + 0.5 : most : 0.0);
}

static double encode_srgb(double x)
{
	return x <= 0.0031308 ? x * 12.92 : 1.055 * pow(x, 1.0 / 2.4) - 0.055;
}

static double map_range(const View *v, float x)
{
	return v->high > v->low ? (x - v->low) / (v->high - v->low) : 0.0;
}

/* Twelve colours that differ in hue and lightness; neighbours contrast. */
static const uint8_t palette[12][3] = {
	{ 38, 70, 133 }, { 232, 197, 109 }, { 54, 128, 81 }, { 196, 86, 63 }, { 131, 197, 224 }, { 122, 74, 140 },
	{ 160, 190, 82 }, { 90, 60, 50 }, { 236, 152, 173 }, { 64, 160, 152 }, { 240, 238, 225 }, { 104, 110, 122 },
};

static void put_colour(const nz_type *type, nz_word *const words[4], size_t i, int bits, uint16_t *out)
{
	uint32_t value = 0;
	for (uint32_t lane = 0; lane < type->width; lane++)
		value = value * 5 + words[lane][i].u;
	for (int channel = 0; channel < 3; channel++) {
		uint32_t byte = type->kind == NZ_BOOL && type->width == 1 ? (value != 0 ? 255u : 0u) : palette[value % 12][channel];
		*out++ = (uint16_t)(bits == 16 ? byte * 257 : byte);
	}
}

/* Width 1: grey. 2: red and green over the range. 3 and 4: linear colour, over --range if there is one. */
static void put_float(const View *v, uint32_t width, nz_word *const words[4], size_t i, uint16_t *out)
{
	if (width == 1) {
		*out = quantise(map_range(v, words[0][i].f), v->bits);
		return;
	}
	for (uint32_t lane = 0; lane < (width < 3 ? 3 : width); lane++) {
		double x = lane >= width ? 0.0 : width == 2 || v->ranged ? map_range(v, words[lane][i].f) : words[lane][i].f;
		*out++ = quantise(width == 2 || lane == 3 ? x : encode_srgb(x), v->bits);
	}
}

static int draw(View *v, const nz_output *output, nz_word *const words[4], uint32_t rows)
{
	bool numbers = output->type.kind == NZ_FLOAT;
	int channels = !numbers ? 3 : output->type.width == 1 ? 1 : output->type.width == 4 ? 4 : 3;
	size_t count = (size_t)v->width * v->height;
	uint16_t *sample = malloc(count * (size_t)channels * sizeof *sample);
	if (sample == NULL)
		return complain(STATUS_FILE, "out of memory");
	if (numbers && output->type.width < 3)
		find_range(v, output, words, (size_t)v->width * rows);
	for (size_t i = 0; i < count; i++) {
		size_t from = rows == 1 ? i % v->width : i;
		if (numbers)
			put_float(v, output->type.width, words, from, sample + i * (size_t)channels);
		else
			put_colour(&output->type, words, from, v->bits, sample + i * (size_t)channels);
	}
	Picture picture = { v->width, v->height, channels, v->bits, sample };
	int status = picture_write(&picture, v->path);
	free(sample);
	return status;
}

static int render(Subject *s, View *v)
{
	uint32_t index = 0;
	int status = set_place(v, s->info->domain, s->file);
	if (status == STATUS_FINE && s->info->output_count == 0)
		status = complain(STATUS_USE, "'%s' has no output; --node NAME draws a node", s->file);
	if (status == STATUS_FINE && v->out != NULL)
		status = subject_find_output(s, v->out, &index);
	if (status != STATUS_FINE)
		return status;
	const nz_output *output = &s->info->outputs[index];
	uint32_t rows = s->info->domain > 1 ? v->height : 1;
	nz_word *words[4] = { NULL, NULL, NULL, NULL };
	bool enough = true;
	for (uint32_t lane = 0; lane < output->type.width; lane++) {
		words[lane] = malloc((size_t)v->width * rows * sizeof **words);
		enough = enough && words[lane] != NULL;
	}
	if (!enough || evaluate(s, v, index, words) != NZ_OK)
		status = complain(STATUS_FILE, "out of memory");
	else
		status = draw(v, output, words, rows);
	for (int lane = 0; lane < 4; lane++)
		free(words[lane]);
	return status;
}

/* Bytes of a PNG under a name of another kind would only confuse later. */
static int check_format(const char *path)
{
	static const char *const others[] = { ".jpg", ".jpeg", ".bmp", ".gif", ".tga", ".tif", ".tiff", ".exr", ".webp", ".ppm", ".pgm", ".svg", ".hdr" };
	const char *end = strrchr(path, '.');
	if (path[0] == '\0')
		return complain(STATUS_USE, "-o needs a file name; this one is empty");
	for (size_t i = 0; end != NULL && i < sizeof others / sizeof *others; i++)
		if (strcmp(end, others[i]) == 0)
			return complain(STATUS_USE, "pictures are PNG files: call '%s' .png", path);
	return STATUS_FINE;
}

int render_run(const Verb *verb, int argc, char **argv)
{
	static const Option options[] = {
		{ ID_FILE, 'o', "out-file", OPTION_VALUE }, { ID_SIZE, 0, "size", OPTION_VALUE }, { ID_CENTER, 0, "center", OPTION_VALUE },
		{ ID_SPAN, 0, "span", OPTION_VALUE }, { ID_SLICE, 0, "slice", OPTION_VALUE }, { ID_OUT, 0, "out", OPTION_VALUE },
		{ ID_NODE, 0, "node", OPTION_VALUE }, { ID_RANGE, 0, "range", OPTION_VALUE }, { ID_BITS, 0, "bits", OPTION_VALUE }, SUBJECT_OPTIONS,
	};
	Arguments a = { .verb = verb, .argv = argv, .argc = argc, .options = options, .count = sizeof options / sizeof *options };
	View view = { .width = 512, .height = 512, .span = 8.0, .bits = 8 };
	Subject subject;
	int id, status = subject_init(&subject, argc);
	while (status == STATUS_FINE && (id = read_option(&a)) != OPTION_END) {
		if (id == OPTION_STOP) {
			subject_close(&subject);
			return a.status;
		}
		if (id == ID_NODE)
			subject.compile.preview_node = a.value;
		else if (id >= ID_FILE && id <= ID_BITS)
			status = read_view_option(&view, id, a.value);
		else
			status = subject_option(&subject, id, a.value);
	}
	if (status == STATUS_FINE && subject.file == NULL)
		status = complain(STATUS_USE, "no file; see 'noisec render --help'");
	if (status == STATUS_FINE && view.path == NULL)
		status = complain(STATUS_USE, "where to? give -o OUT.png");
	if (status == STATUS_FINE && subject.compile.preview_node != NULL && view.out != NULL)
		status = complain(STATUS_USE, "--node and --out: one of them");
	if (status == STATUS_FINE)
		status = check_format(view.path);
	char *path = status == STATUS_FINE ? name_product(view.path, subject_name(&subject, subject.file), ".png", &status) : NULL;
	const char *folder = view.path;
	view.path = path;
	if (status == STATUS_FINE)
		status = check_distinct(&subject.file, 1, &view.path, 1);
	if (status == STATUS_FINE)
		status = subject_compile(&subject);
	if (status == STATUS_FINE)
		status = subject_load(&subject);
	bool made = false;
	if (status == STATUS_FINE && folder[strlen(folder) - 1] == '/')
		status = make_folder(folder, &made);
	if (status == STATUS_FINE)
		status = render(&subject, &view);
	if (status != STATUS_FINE && made)
		remove_folder(folder);
	free(path);
	subject_close(&subject);
	return status;
}
