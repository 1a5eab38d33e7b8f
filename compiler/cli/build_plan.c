/* The products of a run of build: named before anything is compiled, filled file by file, written together. */
#include <stdlib.h>
#include <string.h>

#include "build.h"

/* ---- what the run will write ---- */

static int add_job(Build *b, Job job, char *path, bool binary)
{
	size_t index, room = b->products.count + 1;
	Job *more = realloc(b->job, (room + 1) * sizeof *more);
	if (more == NULL) {
		free(path);
		free(job.made);
		return complain(STATUS_FILE, "out of memory");
	}
	b->job = more;
	int status = add_product(&b->products, path, binary, &index);
	if (status == STATUS_FINE)
		b->job[index] = job;
	else
		free(job.made);
	return status;
}

/* A product of a file. What goes to standard output has a name in rules all the same: the one that it would have
   in the current folder. */
static int plan_job(Build *b, Job job, const char *path, const char *suffix, bool binary)
{
	const char *source = subject_name(&b->subject, b->files[job.file]);
	int status = STATUS_FINE;
	char *name = name_product(path, source, suffix, &status);
	if (status == STATUS_FINE)
		job.made = name != NULL ? copy_text(name) : name_product("", source, suffix, &status);
	if (status == STATUS_FINE && job.made == NULL)
		status = complain(STATUS_FILE, "out of memory");
	if (status == STATUS_FINE)
		return add_job(b, job, name, binary);
	free(name);
	return status;
}

static int plan_targets(Build *b, size_t file, const char *path)
{
	static const char *const stages[] = { "", ".frag", ".comp" };
	char suffix[64];
	int status = STATUS_FINE;
	if (b->stage != NULL) {
		snprintf(suffix, sizeof suffix, ".%s", b->stage);
		return plan_job(b, (Job) { .kind = JOB_DUMP, .file = file }, path, suffix, false);
	}
	for (size_t i = 0; i < b->target_count && status == STATUS_FINE; i++) {
		const char *last = strrchr(b->target[i].suffix, '.');
		snprintf(suffix, sizeof suffix, "%.*s%s%s", (int)(last - b->target[i].suffix), b->target[i].suffix, stages[b->emit.entry], last);
		status = plan_job(b, (Job) { .kind = JOB_TARGET, .file = file, .which = i }, path, suffix, b->target[i].binary);
	}
	return status;
}

/* OUTPUT.d for one job. */
static int plan_rule(Build *b, size_t which)
{
	const Job *job = &b->job[which];
	char *name = malloc(strlen(job->made) + 3);
	if (name == NULL)
		return complain(STATUS_FILE, "out of memory");
	strcat(strcpy(name, job->made), ".d");
	return add_job(b, (Job) { .kind = JOB_RULE, .file = job->file, .which = which }, name, false);
}

/* The description and the header: all there is to write, where neither a target nor a place for it is given. */
static int plan_companions(Build *b, size_t file)
{
	int status = STATUS_FINE;
	if (b->reflect != NULL)
		status = plan_job(b, (Job) { .kind = JOB_REFLECT, .file = file }, b->reflect, ".json", false);
	if (b->header != NULL && status == STATUS_FINE)
		status = plan_job(b, (Job) { .kind = JOB_HEADER, .file = file }, b->header, ".h", false);
	return status;
}

/* -t program --header: the header has the program in it. */
static bool is_baked(const Build *b)
{
	return b->header != NULL && b->target_count == 1 && strcmp(b->target[0].name, "program") == 0;
}

int plan_build(Build *b)
{
	int status = STATUS_FINE;
	bool in_header = is_baked(b) && b->path == NULL;        /* and nowhere else */
	bool only_companions = (b->reflect != NULL || b->header != NULL) && b->path == NULL && b->emit.entry == NZ_ENTRY_NONE;
	if (b->target_count == 0 && b->stage == NULL && !only_companions)
		nz_get_target(b->target_count++, &b->target[0]);
	for (size_t f = 0; f < b->file_count && status == STATUS_FINE; f++) {
		if (!in_header)
			status = plan_targets(b, f, b->rules_only ? NULL : b->path);
		if (status == STATUS_FINE)
			status = plan_companions(b, f);
	}
	size_t made = b->products.count;
	for (size_t i = 0; i < made; i++)
		b->products.list[i].unwanted = b->rules_only;
	const char *path = b->rule_path != NULL ? b->rule_path : b->rules_only && b->path != NULL ? b->path : NULL;
	if (status == STATUS_FINE && (b->rules_only || path != NULL)) {
		char *name = name_product(path, subject_name(&b->subject, b->files[0]), ".d", &status);
		if (status == STATUS_FINE)
			status = add_job(b, (Job) { .kind = JOB_RULE, .file = ALL_FILES, .which = ALL_JOBS }, name, false);
	} else if (b->rules)
		for (size_t i = 0; i < made && status == STATUS_FINE; i++)
			status = plan_rule(b, i);
	return status;
}

/* ---- doing it ---- */

static int explain(Build *b, nz_status status)
{
	Subject *s = &b->subject;
	if (status == NZ_ERROR_ARGUMENT && b->stage != NULL)
		return complain(STATUS_USE, "there is no stage '%s' on the way to the target '%s'", b->stage, b->target_count > 0 ? b->target[0].name : "glsl");
	if (status == NZ_ERROR_ARGUMENT && b->emit.output != NULL) {
		uint32_t index;
		int result = subject_load(s);   /* which knows the outputs' names */
		result = result == STATUS_FINE ? subject_find_output(s, b->emit.output, &index) : result;
		if (result != STATUS_FINE)
			return result;
	}
	if (status == NZ_ERROR_ARGUMENT)
		return complain(STATUS_USE, "'%s' cannot be written with these options", s->file);
	if (status == NZ_ERROR_MEMORY)
		return complain(STATUS_FILE, "out of memory");
	return complain(STATUS_BUG, "internal error: '%s' cannot be written; please report it with the file", s->file);
}

/* Adds the rule of the file that was just compiled to what the product has. */
static int fill_rule(Build *b, size_t file, const Job *job, Product *product)
{
	size_t count = 0, size, outputs = b->products.count;
	char **target = calloc(outputs + b->rule_target_count + 1, sizeof *target), *text = NULL;
	int status = target != NULL ? STATUS_FINE : complain(STATUS_FILE, "out of memory");
	for (size_t i = 0; i < b->rule_target_count && status == STATUS_FINE; i++)
		target[count++] = copy_text(b->rule_target[i]);
	for (size_t i = 0; i < outputs && status == STATUS_FINE && b->rule_target_count == 0; i++)
		if (b->job[i].made != NULL && b->job[i].file == file && (job->which == ALL_JOBS || job->which == i))
			target[count++] = quote_target(b->job[i].made);
	for (size_t i = 0; i < count && status == STATUS_FINE; i++)
		if (target[i] == NULL)
			status = complain(STATUS_FILE, "out of memory");
	bool unnamed = strcmp(b->files[file], "-") == 0 && b->subject.stdin_name == NULL;
	if (status == STATUS_FINE)
		status = print_rule(b->subject.module, unnamed, (const char *const *)target, count, b->phony, &text, &size);
	if (status == STATUS_FINE)
		status = fill_product(product, text, size);
	free(text);
	for (size_t i = 0; i < count; i++)
		free(target[i]);
	free(target);
	return status;
}

/* Describes the targets that are written, or all. */
static nz_status reflect(Build *b, const char **data, size_t *size)
{
	const char *names[TARGETS_MAX];
	for (size_t i = 0; i < b->target_count; i++)
		names[i] = b->target[i].name;
	nz_reflect_options options = { .prefix = b->emit.prefix, .targets = b->target_count > 0 ? names : NULL, .target_count = b->target_count };
	return nz_reflect_module(b->subject.module, &options, data, size);
}

static nz_status emit_header(Build *b, const char **data, size_t *size)
{
	nz_header_options options = { .prefix = b->emit.prefix, .program = is_baked(b) };
	return nz_emit_header(b->subject.module, &options, data, size);
}

static int fill_job(Build *b, size_t file, size_t index)
{
	const Job *job = &b->job[index];
	Product *product = &b->products.list[index];
	const char *data;
	size_t size;
	if (product->unwanted)
		return STATUS_FINE;
	if (job->kind == JOB_RULE)
		return fill_rule(b, file, job, product);
	if (job->kind == JOB_TARGET)
		b->emit.target = b->target[job->which].name;
	nz_status status = NZ_OK;
	switch (job->kind) {
	case JOB_DUMP: status = nz_dump_stage(b->subject.module, b->stage, b->target_count > 0 ? b->target[0].name : NULL, &data, &size); break;
	case JOB_REFLECT: status = reflect(b, &data, &size); break;
	case JOB_HEADER: status = emit_header(b, &data, &size); break;
	default: status = nz_emit_target(b->subject.module, &b->emit, &data, &size);
	}
	return status == NZ_OK ? fill_product(product, data, size) : explain(b, status);
}

/* Every file is compiled, so that all errors are told; then a failure of one stops the writing of all. */
static int build_files(Build *b)
{
	int status = STATUS_FINE;
	for (size_t f = 0; f < b->file_count; f++) {
		b->subject.file = b->files[f];
		int result = subject_compile(&b->subject);
		for (size_t i = 0; i < b->products.count && result == STATUS_FINE && status == STATUS_FINE; i++)
			if (b->job[i].file == f || b->job[i].file == ALL_FILES)
				result = fill_job(b, f, i);
		status = result > status ? result : status;
		subject_forget(&b->subject);
	}
	return status;
}

/* Folders that are named with a / are made when everything is there to be written. */
static int write_all(const Build *b)
{
	const char *const folder[] = { b->path, b->reflect, b->header, b->rule_path };
	enum { FOLDERS = sizeof folder / sizeof *folder };
	bool made[FOLDERS] = { false };
	int status = STATUS_FINE;
	for (int i = 0; i < FOLDERS && status == STATUS_FINE; i++)
		if (folder[i] != NULL && folder[i][strlen(folder[i]) - 1] == '/')
			status = make_folder(folder[i], &made[i]);
	if (status == STATUS_FINE)
		status = write_products(&b->products);
	for (int i = FOLDERS; i-- > 0 && status != STATUS_FINE; )
		if (made[i])
			remove_folder(folder[i]);
	return status;
}

int make_build(Build *b)
{
	int status = build_files(b);
	return status == STATUS_FINE ? write_all(b) : status;
}
