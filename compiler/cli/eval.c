/* eval: the values of outputs at points, as text. */
#include <stdlib.h>
#include <string.h>

#include "points.h"

const char eval_help[] =
	"usage: noisec eval FILE --at X,Y[,Z[,W]]... [OPTIONS]\n\n"
	"Prints a line per point: its position and the value of every output there.\n\n"
	"  --at X,Y          a point, with as many coordinates as the file's domain has; may be repeated\n"
	"  --points FILE|-   a point per line, commas or blanks between numbers. A first line of names (x y z w, and\n"
	"                    inputs: name, or name.x for vectors) orders the columns and gives inputs per point\n"
	"  --out NAME        only this output; may be repeated\n"
	"  -o, --out-file F  where to write; - or nothing: standard output\n"
	"  --format F        text (the default), csv, json, or bits: csv of every component's 32 bits in hex\n"
	SUBJECT_HELP "\n"
	"Inputs that are not given are 0, clamped to their range.\n"
	MESSAGE_HELP "\n"
	"  noisec eval hills.noise --at 12.5,-3 --at 0,0 --seed 7\n"
	"  noisec eval hills.noise --points places.csv --out height --format csv > heights.csv\n";

enum { ID_AT = 1, ID_POINTS, ID_OUT, ID_FORMAT, ID_FILE };
enum { FORMAT_TEXT, FORMAT_CSV, FORMAT_BITS, FORMAT_JSON };

typedef struct Results {
	const Subject *subject;
	const Points *points;
	const uint32_t *shown;                  /* outputs */
	uint32_t shown_count;
	uint32_t *(*words)[4];                  /* by output and component */
	int format;
	FILE *file;
} Results;

static void print_bits(FILE *file, nz_kind kind, uint32_t bits)
{
	fprintf(file, "%08lx", (unsigned long)(kind == NZ_FLOAT && bits == 0x80000000u ? 0 : bits));
}

static void print_output(const Results *r, uint32_t output, size_t point)
{
	const nz_type *type = &r->subject->info->outputs[output].type;
	const char *const open[] = { "(", "", "", "[" }, *const between[] = { ", ", ",", ",", "," }, *const close[] = { ")", "", "", "]" };
	if (type->width > 1)
		fputs(open[r->format], r->file);
	for (uint32_t lane = 0; lane < type->width; lane++) {
		nz_word word = { .u = r->words[output][lane][point] };
		if (lane > 0)
			fputs(between[r->format], r->file);
		if (r->format == FORMAT_BITS)
			print_bits(r->file, type->kind, word.u);
		else
			print_component(r->file, type, word, r->format == FORMAT_JSON);
	}
	if (type->width > 1)
		fputs(close[r->format], r->file);
}

static void print_point(const Results *r, size_t point)
{
	uint32_t domain = r->subject->info->domain;
	fputs(r->format == FORMAT_JSON ? "{\"p\":[" : "", r->file);
	for (uint32_t axis = 0; axis < domain; axis++) {
		nz_word word = { .u = r->points->column[axis][point] };
		fputs(axis > 0 ? "," : "", r->file);
		if (r->format == FORMAT_BITS)
			print_bits(r->file, NZ_FLOAT, word.u);
		else
			print_float(r->file, word.f);
	}
	fputs(r->format == FORMAT_JSON ? "]" : "", r->file);
	for (uint32_t i = 0; i < r->shown_count; i++) {
		const char *name = r->subject->info->outputs[r->shown[i]].name;
		if (r->format == FORMAT_TEXT)
			fprintf(r->file, "%s%s=", i == 0 ? "  " : " ", name);
		else if (r->format == FORMAT_JSON)
			fprintf(r->file, ",\"%s\":", name);
		else
			fputc(',', r->file);
		print_output(r, r->shown[i], point);
	}
	fputs(r->format == FORMAT_JSON ? "}" : "", r->file);
}

static void print_results(const Results *r)
{
	const nz_program_info *info = r->subject->info;
	bool table = r->format == FORMAT_CSV || r->format == FORMAT_BITS;
	for (uint32_t axis = 0; table && axis < info->domain; axis++)
		fprintf(r->file, "%s%c", axis > 0 ? "," : "", "xyzw"[axis]);
	for (uint32_t i = 0; table && i < r->shown_count; i++) {
		const nz_output *output = &info->outputs[r->shown[i]];
		for (uint32_t lane = 0; lane < output->type.width; lane++)
			fprintf(r->file, output->type.width > 1 ? ",%s.%c" : ",%s", output->name, "xyzw"[lane]);
	}
	fputs(table ? "\n" : r->format == FORMAT_JSON ? "[\n" : "", r->file);
	for (size_t point = 0; point < r->points->count; point++) {
		print_point(r, point);
		fputs(r->format == FORMAT_JSON && point + 1 < r->points->count ? ",\n" : "\n", r->file);
	}
	fputs(r->format == FORMAT_JSON ? "]\n" : "", r->file);
}

/* Gives the evaluator the columns, and room for the outputs that are shown. */
static int evaluate(Subject *s, const Points *points, Results *r)
{
	const nz_program_info *info = s->info;
	nz_output_data *data = calloc((size_t)info->output_count + 1, sizeof *data);
	float *axis[4] = { NULL, NULL, NULL, NULL };
	bool enough = data != NULL;
	uint32_t column = info->domain;
	for (uint32_t a = 0; a < info->domain && enough; a++) {
		axis[a] = malloc((points->count + 1) * sizeof **axis);          /* none at all is no failure */
		enough = axis[a] != NULL;
		if (enough && points->count > 0)
			memcpy(axis[a], points->column[a], points->count * sizeof **axis);
	}
	for (uint32_t i = 0; i < info->input_count; i++)
		for (uint32_t lane = 0; lane < info->inputs[i].type.width; lane++, column++)
			s->inputs[i].array[lane] = points->used[column] ? points->column[column] : NULL;
	for (uint32_t i = 0; i < r->shown_count && enough; i++)
		for (uint32_t lane = 0; lane < info->outputs[r->shown[i]].type.width && enough; lane++) {
			uint32_t **words = &r->words[r->shown[i]][lane];
			if (*words == NULL)
				*words = malloc((points->count + 1) * sizeof **words);
			enough = *words != NULL;
			data[r->shown[i]].array[lane] = *words;
		}
	if (enough)
		nz_evaluate_points(s->evaluator, points->count, (const float *const *)axis, s->inputs, data);
	for (uint32_t a = 0; a < 4; a++)
		free(axis[a]);
	free(data);
	return enough ? STATUS_FINE : complain(STATUS_FILE, "out of memory");
}

typedef struct Request {
	const char **at, **points, **outs;
	size_t at_count, points_count, out_count;
	int format;
	const char *path;
} Request;

static int answer(Subject *s, const Request *request)
{
	Points points;
	OutFile out;
	int status = points_init(&points, s);
	uint32_t *shown = calloc(s->info->output_count + request->out_count + 1, sizeof *shown);
	Results r = { .subject = s, .points = &points, .shown = shown, .format = request->format };
	r.words = calloc((size_t)s->info->output_count + 1, sizeof *r.words);
	if (status == STATUS_FINE && (shown == NULL || r.words == NULL))
		status = complain(STATUS_FILE, "out of memory");
	for (size_t i = 0; i < request->out_count && status == STATUS_FINE; i++)
		status = subject_find_output(s, request->outs[i], &shown[r.shown_count++]);
	if (request->out_count == 0 && status == STATUS_FINE)
		for (uint32_t i = 0; i < s->info->output_count; i++)
			shown[r.shown_count++] = i;
	for (size_t i = 0; i < request->at_count && status == STATUS_FINE; i++)
		status = points_add_text(&points, request->at[i]);
	for (size_t i = 0; i < request->points_count && status == STATUS_FINE; i++)
		status = points_add_file(&points, request->points[i]);
	if (status == STATUS_FINE)
		status = evaluate(s, &points, &r);
	if (status == STATUS_FINE && (status = open_out(&out, request->path, false)) == STATUS_FINE) {
		r.file = out.file;
		print_results(&r);
		status = close_out(&out);
	}
	for (uint32_t i = 0; r.words != NULL && i < s->info->output_count; i++)
		for (int lane = 0; lane < 4; lane++)
			free(r.words[i][lane]);
	free(r.words);
	free(shown);
	points_free(&points);
	return status;
}

/* Neither the program nor the points are written over. */
static int check_in_and_out(const Subject *s, const Request *request)
{
	const char **in = calloc(request->points_count + 1, sizeof *in);
	if (in == NULL)
		return complain(STATUS_FILE, "out of memory");
	in[0] = s->file;
	for (size_t i = 0; i < request->points_count; i++)
		in[i + 1] = request->points[i];
	int status = check_standard_input(in, request->points_count + 1);
	if (status == STATUS_FINE)
		status = check_distinct(in, request->points_count + 1, &request->path, 1);
	free(in);
	return status;
}

static int set_format(Request *request, const char *name)
{
	static const char *const names[] = { "text", "csv", "bits", "json" };
	for (int i = 0; i < 4; i++)
		if (strcmp(name, names[i]) == 0) {
			request->format = i;
			return STATUS_FINE;
		}
	const char *nearest = nz_find_nearest(name, names, 4);
	if (nearest != NULL)
		return complain(STATUS_USE, "unknown format '%s'; did you mean '%s'?", name, nearest);
	return complain(STATUS_USE, "unknown format '%s'; there are text, csv, bits and json", name);
}

int eval_run(const Verb *verb, int argc, char **argv)
{
	static const Option options[] = {
		{ ID_AT, 0, "at", OPTION_MANY }, { ID_POINTS, 0, "points", OPTION_MANY }, { ID_OUT, 0, "out", OPTION_MANY },
		{ ID_FORMAT, 0, "format", OPTION_VALUE }, { ID_FILE, 'o', "out-file", OPTION_VALUE }, SUBJECT_OPTIONS,
	};
	Arguments a = { .verb = verb, .argv = argv, .argc = argc, .options = options, .count = sizeof options / sizeof *options };
	Subject subject;
	int id, status = subject_init(&subject, argc);
	const char **lists = calloc(3u * ((size_t)argc + 1), sizeof *lists);
	Request request = { .at = lists, .points = lists + argc, .outs = lists + 2 * argc };
	if (lists == NULL)
		status = complain(STATUS_FILE, "out of memory");
	while (status == STATUS_FINE && (id = read_option(&a)) != OPTION_END) {
		switch (id) {
		case OPTION_STOP:
			free(lists);
			subject_close(&subject);
			return a.status;
		case ID_AT: request.at[request.at_count++] = a.value; break;
		case ID_POINTS: request.points[request.points_count++] = a.value; break;
		case ID_OUT: request.outs[request.out_count++] = a.value; break;
		case ID_FILE: request.path = a.value; break;
		case ID_FORMAT: status = set_format(&request, a.value); break;
		default: status = subject_option(&subject, id, a.value);
		}
	}
	if (status == STATUS_FINE && subject.file == NULL)
		status = complain(STATUS_USE, "no file; see 'noisec eval --help'");
	if (status == STATUS_FINE && request.at_count + request.points_count == 0)
		status = complain(STATUS_USE, "no points: give --at X,Y or --points FILE");
	if (status == STATUS_FINE)
		status = check_in_and_out(&subject, &request);
	if (status == STATUS_FINE)
		status = subject_compile(&subject);
	if (status == STATUS_FINE)
		status = subject_load(&subject);
	if (status == STATUS_FINE)
		status = answer(&subject, &request);
	free(lists);
	subject_close(&subject);
	return status;
}
