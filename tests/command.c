/* Runs the built command for tests: in a folder of its own, without a shell. It may never end by a signal, and an
   alarm makes a hang one. */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"

enum { PATIENCE = 300 };

/* ---- files ---- */

char base[256], work[300];

Bytes read_bytes(const char *path)
{
	FILE *f = fopen(path, "rb");
	Bytes b = { NULL, 0 };
	if (f == NULL)
		fail_msg("cannot read %s", path);
	assert_int_equal(fseek(f, 0, SEEK_END), 0);
	b.size = (size_t)ftell(f);
	rewind(f);
	b.data = malloc(b.size + 1);
	assert_non_null(b.data);
	assert_int_equal(fread(b.data, 1, b.size, f), b.size);
	b.data[b.size] = '\0';
	fclose(f);
	return b;
}

const char *in_work(const char *name)
{
	static char path[2][640];
	static int turn;
	turn ^= 1;
	snprintf(path[turn], sizeof path[turn], "%s/%s", work, name);
	return path[turn];
}

void put_bytes(const char *name, const void *data, size_t size)
{
	FILE *f = fopen(in_work(name), "wb");
	assert_non_null(f);
	assert_int_equal(fwrite(data, 1, size, f), size);
	assert_int_equal(fclose(f), 0);
}

void put(const char *name, const char *text) { put_bytes(name, text, strlen(text)); }

static int any_name(const struct dirent *e) { return strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0; }

static int by_name(const struct dirent **a, const struct dirent **b) { return strcmp((*a)->d_name, (*b)->d_name); }

int count_files(const char *folder)
{
	struct dirent **entry;
	int count = scandir(folder, &entry, any_name, by_name);
	assert_true(count >= 0);
	for (int i = 0; i < count; i++)
		free(entry[i]);
	free(entry);
	return count;
}

void remove_folder(const char *folder)
{
	struct dirent **entry;
	int count = scandir(folder, &entry, any_name, by_name);
	for (int i = 0; i < count; i++) {
		char path[1024];
		snprintf(path, sizeof path, "%s/%s", folder, entry[i]->d_name);
		if (unlink(path) != 0)
			remove_folder(path);
		free(entry[i]);
	}
	if (count >= 0)
		free(entry);
	rmdir(folder);
}

/* ---- runs ---- */

Given given;
Bytes out, err;

static void start(const char *const *argv, const char *const file[3])
{
	int handle[3];
	for (int i = 0; i < 3; i++) {
		handle[i] = i == 1 && given.output_handle != 0 ? given.output_handle : open(file[i], i == 0 ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC, 0600);
		if (handle[i] < 0 || dup2(handle[i], i) < 0)
			_exit(126);
	}
	for (const char *const *e = given.environment; e != NULL && *e != NULL; e++)
		if (putenv((char *)(uintptr_t)*e) != 0)
			_exit(126);
	if (chdir(given.folder != NULL ? given.folder : work) != 0)
		_exit(126);
	if (given.powerless && geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
		_exit(126);
	alarm(PATIENCE);
	execvp(argv[0], (char *const *)(uintptr_t)argv);
	_exit(127);
}

/* Returns the exit status; a signal fails the test. */
int run(const char *const *argv)
{
	char path[3][300];
	int status;
	for (int i = 0; i < 3; i++)
		snprintf(path[i], sizeof path[i], "%s/%d", base, i);
	FILE *in = fopen(path[0], "wb");
	assert_non_null(in);
	if (given.input != NULL)
		assert_int_equal(fwrite(given.input, 1, given.input_size, in), given.input_size);
	assert_int_equal(fclose(in), 0);
	unlink(path[1]);
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0)
		start(argv, (const char *const[]){ path[0], given.output != NULL ? given.output : path[1], path[2] });
	assert_int_equal(waitpid(child, &status, 0), child);
	free(out.data);
	free(err.data);
	err = out = (Bytes){ NULL, 0 };
	err = read_bytes(path[2]);
	if (access(path[1], R_OK) == 0)
		out = read_bytes(path[1]);
	else
		out.data = calloc(1, 1);
	if (WIFSIGNALED(status))
		fail_msg("%s %s ... ended by signal %d", argv[0], argv[1], WTERMSIG(status));
	return WEXITSTATUS(status);
}

/* A run that fails prints a message and no product. */
void expect(int line, int status, const char *const *argv)
{
	int got = run(argv);
	if (got == status && (status == FINE || (err.size > 0 && out.size == 0)))
		return;
	fprintf(stderr, "line %d:", line);
	for (const char *const *a = argv; *a != NULL; a++)
		fprintf(stderr, " %s", *a);
	fail_msg("exit status %d, expected %d; %zu bytes on standard output, on standard error: %.2000s", got, status, out.size, err.data);
}


void says(int line, const char *text)
{
	if (strstr(err.data, text) == NULL)
		fail_msg("line %d: expected '%s' on standard error, found: %s", line, text, err.data);
}

void feed(const char *text)
{
	given.input = text;
	given.input_size = strlen(text);
}

/* ---- programs ---- */

const char line_source[] = "output a = p.x * 2 + 1\n";
const char many_source[] =
	"enum Biome { Ocean, Beach, Forest }\n"
	"const K = 3\n"
	"param gain = 2 in 0 .. 4\n"
	"param tint: vec3 = vec3(1, 2, 3)\n"
	"param kind: Biome = Beach\n"
	"param count: int = 3 in 0 .. 6\n"
	"param on: bool = true\n"
	"param mask: uint = 7u\n"
	"input level: float in -1 .. 1\n"
	"input base: float in 10 .. 20\n"
	"input wind: vec3\n"
	"input place: Biome\n"
	"node hidden = saturate(p.y / 4)\n"
	"output a = p.x * gain + K + level\n"
	"output b: bool = on and p.x > 1\n"
	"output e: Biome = p.x > 1 ? place : kind\n"
	"output i: int = int(p.x) * count\n"
	"output v: vec3 = tint * p.x + wind\n"
	"output u: uint = mask\n"
	"output o = base\n";

int open_folder(void **state)
{
	const char *root = getenv("TMPDIR");
	(void)state;
	snprintf(base, sizeof base, "%s/noisec-XXXXXX", root != NULL && strlen(root) < 200 ? root : "/tmp");
	if (mkdtemp(base) == NULL)
		return 1;
	snprintf(work, sizeof work, "%s/work", base);
	return mkdir(work, 0700);
}

int close_folder(void **state)
{
	(void)state;
	free(out.data);
	free(err.data);
	remove_folder(base);
	return 0;
}

/* Every test begins with the same files and a plain run. */
int reset(void **state)
{
	(void)state;
	memset(&given, 0, sizeof given);
	remove_folder(work);
	if (mkdir(work, 0700) != 0)
		return 1;
	put("line.noise", line_source);
	put("many.noise", many_source);
	put("bad.noise", "output a = p.x\noutput b = zz\noutput c = perlim()\n");
	return 0;
}

/* Calls `use` with the path and the name of every example. */
void each_example(void (*use)(const char *path, const char *name))
{
	struct dirent **entry;
	int count = scandir(EXAMPLES, &entry, any_name, by_name), used = 0;
	assert_true(count > 0);
	for (int i = 0; i < count; i++) {
		const char *dot = strrchr(entry[i]->d_name, '.');
		char path[512];
		snprintf(path, sizeof path, "%s/%s", EXAMPLES, entry[i]->d_name);
		if (dot != NULL && strcmp(dot, ".noise") == 0) {
			use(path, entry[i]->d_name);
			used++;
		}
		free(entry[i]);
	}
	free(entry);
	assert_true(used > 0);
}

void expect_file(const char *name, const char *text)
{
	Bytes b = read_bytes(in_work(name));
	assert_string_equal(b.data, text);
	free(b.data);
}

char *copy_output(void)
{
	char *copy = malloc(out.size + 1);
	assert_non_null(copy);
	memcpy(copy, out.data, out.size + 1);
	return copy;
}
