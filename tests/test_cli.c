/* What users of the command rely on, one promise per test, tried on the built binary. It runs in a folder of
   its own, without a shell, and may never end by a signal; the alarm makes a hang one. */
#include <dirent.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>
#include <png.h>

enum { FINE = 0, SOURCE = 1, USE = 2, FILES = 3, PATIENCE = 300 };

/* ---- files ---- */

typedef struct Bytes { char *data; size_t size; } Bytes;       /* with a NUL behind */

static char base[256], work[300];               /* work: where the command runs */

static Bytes read_bytes(const char *path)
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

static const char *in_work(const char *name)
{
	static char path[2][640];
	static int turn;
	turn ^= 1;
	snprintf(path[turn], sizeof path[turn], "%s/%s", work, name);
	return path[turn];
}

static void put_bytes(const char *name, const void *data, size_t size)
{
	FILE *f = fopen(in_work(name), "wb");
	assert_non_null(f);
	assert_int_equal(fwrite(data, 1, size, f), size);
	assert_int_equal(fclose(f), 0);
}

static void put(const char *name, const char *text) { put_bytes(name, text, strlen(text)); }

static int any_name(const struct dirent *e) { return strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0; }

static int by_name(const struct dirent **a, const struct dirent **b) { return strcmp((*a)->d_name, (*b)->d_name); }

static int count_files(const char *folder)
{
	struct dirent **entry;
	int count = scandir(folder, &entry, any_name, by_name);
	assert_true(count >= 0);
	for (int i = 0; i < count; i++)
		free(entry[i]);
	free(entry);
	return count;
}

static void remove_folder(const char *folder)
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

/* How the next runs differ from a plain one. */
static struct {
	const char *input;                      /* NULL: none */
	size_t input_size;
	const char *folder;                     /* NULL: work */
	const char *output;                     /* NULL: caught */
	int output_handle;                      /* 0: none */
	const char *const *environment;         /* NAME=VALUE..., NULL */
} given;

static Bytes out, err;                          /* of the last run */

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
	alarm(PATIENCE);
	execvp(argv[0], (char *const *)(uintptr_t)argv);
	_exit(127);
}

/* Returns the exit status; a signal fails the test. */
static int run(const char *const *argv)
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
static void expect(int line, int status, const char *const *argv)
{
	int got = run(argv);
	if (got == status && (status == FINE || (err.size > 0 && out.size == 0)))
		return;
	fprintf(stderr, "line %d:", line);
	for (const char *const *a = argv; *a != NULL; a++)
		fprintf(stderr, " %s", *a);
	fail_msg("exit status %d, expected %d; %zu bytes on standard output, on standard error: %.2000s", got, status, out.size, err.data);
}

#define EXPECT(status, ...) expect(__LINE__, status, (const char *const[]){ NOISEC, __VA_ARGS__, NULL })

static void says(int line, const char *text)
{
	if (strstr(err.data, text) == NULL)
		fail_msg("line %d: expected '%s' on standard error, found: %s", line, text, err.data);
}
#define SAYS(text) says(__LINE__, text)
#define PRINTS(text) (assert_string_equal(out.data, text), assert_int_equal(out.size, strlen(text)))

static void feed(const char *text)
{
	given.input = text;
	given.input_size = strlen(text);
}

/* ---- programs ---- */

static const char line_source[] = "output a = p.x * 2 + 1\n";
static const char many_source[] =
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

static int open_folder(void **state)
{
	const char *root = getenv("TMPDIR");
	(void)state;
	snprintf(base, sizeof base, "%s/noisec-XXXXXX", root != NULL && strlen(root) < 200 ? root : "/tmp");
	if (mkdtemp(base) == NULL)
		return 1;
	snprintf(work, sizeof work, "%s/work", base);
	return mkdir(work, 0700);
}

static int close_folder(void **state)
{
	(void)state;
	free(out.data);
	free(err.data);
	remove_folder(base);
	return 0;
}

/* Every test begins with the same files and a plain run. */
static int reset(void **state)
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
static void each_example(void (*use)(const char *path, const char *name))
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

/* ---- exit status and streams ---- */

static void fine_is_0_and_errors_are_1(void **state)
{
	(void)state;
	EXPECT(FINE, "line.noise");
	assert_true(out.size > 0);
	assert_int_equal(err.size, 0);
	EXPECT(FINE, "build", "line.noise");
	EXPECT(FINE, "check", "line.noise", "many.noise");
	assert_int_equal(out.size + err.size, 0);
	EXPECT(FINE, "--", "line.noise");
	EXPECT(FINE, "--help");
	EXPECT(FINE, "--version");
	EXPECT(SOURCE, "bad.noise");
	EXPECT(SOURCE, "check", "line.noise", "bad.noise");
	EXPECT(SOURCE, "eval", "bad.noise", "--at", "0,0");
	EXPECT(SOURCE, "render", "bad.noise", "-o", "x.png");
	EXPECT(SOURCE, "bad.noise", "-t", "program");
	EXPECT(SOURCE, "bad.noise", "--dump=ir");
	put("warns.noise", "output v: vec2 = vec2(perlin(), perlin())\n");
	EXPECT(FINE, "check", "warns.noise");
	SAYS("warns.noise:1:");
	SAYS("warning");
	assert_int_equal(out.size, 0);
	EXPECT(FINE, "warns.noise");
	SAYS("warning");
	assert_null(strstr(out.data, "warning"));
}

static void messages_name_file_line_and_column(void **state)
{
	(void)state;
	EXPECT(SOURCE, "check", "bad.noise");
	SAYS("bad.noise:2:12: error[N0203]: unknown name 'zz'");
	SAYS("bad.noise:3:12: error[N0203]: ");
	SAYS("did you mean");
	SAYS("\n 2 | output b = zz\n   |            ^~\n");
	feed("output b = zz\n");
	EXPECT(SOURCE, "check", "-");
	SAYS("<stdin>:1:12: error");
	feed("output a = p.x *\noutput b = p.y\n");
	EXPECT(SOURCE, "check", "-");
	SAYS("<stdin>:1:17: error[N0111]: ");
}

static void wrong_use_is_2(void **state)
{
	(void)state;
	EXPECT(USE, "bulid", "line.noise");
	SAYS("did you mean 'build'?");
	EXPECT(USE, "frob", "line.noise");
	SAYS("'frob' is neither a verb nor a file");
	EXPECT(USE, "--frob");
	EXPECT(USE, "-x", "line.noise");
	EXPECT(USE, "eval", "line.noise", "--att", "0,0");
	SAYS("did you mean '--at'?");
	expect(__LINE__, USE, (const char *const[]){ NOISEC, NULL });
	EXPECT(USE, "build");
	EXPECT(USE, "check");
	EXPECT(USE, "eval");
	EXPECT(USE, "render");
	EXPECT(USE, "line.noise", "many.noise");
	EXPECT(USE, "line.noise", "-o");
	EXPECT(USE, "line.noise", "-O1");
	EXPECT(USE, "line.noise", "-t", "glls");
	SAYS("unknown target 'glls'; did you mean 'glsl'?");
	EXPECT(USE, "line.noise", "--entry", "vertex");
	EXPECT(USE, "line.noise", "--dump=asm");
	SAYS("unknown stage 'asm'");
	EXPECT(USE, "line.noise", "--entry", "fragment", "--out", "z");
	SAYS("no output 'z'");
	EXPECT(USE, "line.noise", "--entry", "fragment", "-t", "program");
	EXPECT(USE, "line.noise", "--entry", "compute", "--out", "a");
	EXPECT(USE, "line.noise", "--entry", "fragment", "--dump=ir");
	EXPECT(USE, "line.noise", "--prefix", "");
	EXPECT(USE, "line.noise", "--prefix", "9a");
	EXPECT(USE, "line.noise", "--prefix", "a b");
	EXPECT(USE, "line.noise", "--prefix", "a__b");
	EXPECT(USE, "line.noise", "--prefix", "gl_a");
	EXPECT(USE, "line.noise", "-D", "K=1");
	SAYS("K");
	EXPECT(USE, "many.noise", "-D", "K");
	EXPECT(USE, "many.noise", "-D", "=1");
	EXPECT(USE, "many.noise", "-D", "gain=1");
}

static void wrong_use_of_eval_is_2(void **state)
{
	static const char *const points[] = { "1", "1,2,3", "1,x", "", "1,", ",", "1,nan", "inf,1", "1e39,0", "1 2", "1,2junk" };
	(void)state;
	for (size_t i = 0; i < sizeof points / sizeof *points; i++)
		EXPECT(USE, "eval", "line.noise", "--at", points[i]);
	EXPECT(USE, "eval", "line.noise", "--at", "1");
	SAYS("has 1 coordinate, but the domain of 'line.noise' has 2");
	EXPECT(USE, "eval", "line.noise");
	EXPECT(USE, "eval", "line.noise", "--at", "0,0", "--out", "aa");
	SAYS("no output 'aa' in 'line.noise'");
	EXPECT(USE, "eval", "line.noise", "--at", "0,0", "--format", "xml");
	EXPECT(USE, "eval", "many.noise", "--at", "0,0", "--set", "gian=1");
	SAYS("no param or input 'gian' in 'many.noise'; did you mean 'gain'?");
	EXPECT(USE, "eval", "many.noise", "--at", "0,0", "--set", "gain");
	EXPECT(USE, "eval", "many.noise", "--at", "0,0", "--set", "gain=");
	EXPECT(USE, "eval", "many.noise", "--at", "0,0", "--set", "gain=x");
	EXPECT(USE, "eval", "many.noise", "--at", "0,0", "--set", "gain=nan");
	EXPECT(USE, "eval", "many.noise", "--at", "0,0", "--set", "gain=1,2");
	EXPECT(USE, "eval", "many.noise", "--at", "0,0", "--set", "tint=1,2");
	EXPECT(USE, "eval", "many.noise", "--at", "0,0", "--set", "count=1.5");
	EXPECT(USE, "eval", "many.noise", "--at", "0,0", "--set", "count=3000000000");
	EXPECT(USE, "eval", "many.noise", "--at", "0,0", "--set", "mask=-1");
	EXPECT(USE, "eval", "many.noise", "--at", "0,0", "--set", "on=2");
	EXPECT(USE, "eval", "many.noise", "--at", "0,0", "--set", "kind=Sea");
	SAYS("expected one of enum Biome");
	EXPECT(USE, "eval", "many.noise", "--at", "0,0", "--set", "kind=3");
	EXPECT(USE, "eval", "line.noise", "--at", "0,0", "--seed", "-1");
	EXPECT(USE, "eval", "line.noise", "--at", "0,0", "--seed", "1x");
	EXPECT(USE, "eval", "line.noise", "--at", "0,0", "--seed", "18446744073709551616");
}

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

static void files_that_fail_are_3(void **state)
{
	static const char *const verbs[] = { "build", "check" };
	(void)state;
	for (int i = 0; i < 2; i++) {
		EXPECT(FILES, verbs[i], "none.noise");
		SAYS("none.noise");
		EXPECT(FILES, verbs[i], ".");
		EXPECT(FILES, verbs[i], "none/line.noise");
	}
	EXPECT(FILES, "none.noise");
	EXPECT(FILES, "check", "bad.noise", "none.noise");
	EXPECT(FILES, "eval", "none.noise", "--at", "0,0");
	EXPECT(FILES, "eval", "line.noise", "--points", "none.csv");
	EXPECT(FILES, "eval", "line.noise", "--points", ".");
	EXPECT(FILES, "render", "none.noise", "-o", "x.png");
	EXPECT(FILES, "line.noise", "-o", "none/x.glsl");
	SAYS("none/x.glsl");
	EXPECT(FILES, "line.noise", "-o", ".");
	EXPECT(FILES, "render", "line.noise", "--range", "0,1", "-o", "none/x.png");
	if (geteuid() != 0) {                   /* root may read and write everything */
		assert_int_equal(chmod(in_work("line.noise"), 0), 0);
		EXPECT(FILES, "line.noise");
	}
}

static void full_devices_and_closed_pipes_are_3(void **state)
{
	int ends[2];
	(void)state;
	if (access("/dev/full", W_OK) == 0) {
		EXPECT(FILES, "line.noise", "-o", "/dev/full");
		EXPECT(FILES, "render", "line.noise", "-o", "/dev/full");
		given.output = "/dev/full";
		EXPECT(FILES, "line.noise");
		EXPECT(FILES, "line.noise", "-o", "-");
		EXPECT(FILES, "eval", "line.noise", "--at", "0,0");
		EXPECT(FILES, "render", "line.noise", "-o", "-");
		EXPECT(FILES, "--help");
		EXPECT(FILES, "--version");
		EXPECT(FILES, "eval", "--help");
		given.output = NULL;
	}
	assert_int_equal(pipe(ends), 0);
	close(ends[0]);
	given.output_handle = ends[1];
	EXPECT(FILES, "line.noise");
	SAYS("standard output");
	close(ends[1]);
}

static void help_names_every_verb_and_option(void **state)
{
	static const char *const options[][12] = {
		{ "build", "-t", "-o", "--entry", "--out", "--prefix", "-O0", "-O2", "-D", "--dump" },
		{ "check", "-D" },
		{ "eval", "--at", "--points", "--out", "--set", "--seed", "--format", "-D" },
		{ "render", "-o", "--size", "--center", "--span", "--slice", "--out", "--node", "--set", "--seed", "--range", "--bits" },
	};
	(void)state;
	EXPECT(FINE, "--help");
	for (int i = 0; i < 4; i++)
		assert_non_null(strstr(out.data, options[i][0]));
	for (int i = 0; i < 4; i++) {
		EXPECT(FINE, options[i][0], "--help");
		assert_int_equal(err.size, 0);
		for (int j = 1; j < 12 && options[i][j] != NULL; j++)
			assert_non_null(strstr(out.data, options[i][j]));
	}
}

static void dash_is_standard_input_and_output(void **state)
{
	(void)state;
	EXPECT(FINE, "line.noise", "--prefix", "noise", "-o", "-");
	char *text = strdup(out.data);
	feed(line_source);
	EXPECT(FINE, "-", "-o", "-");
	assert_string_equal(out.data, text);
	EXPECT(FINE, "build", "-");
	assert_string_equal(out.data, text);
	free(text);
	EXPECT(FINE, "check", "-");
	EXPECT(FINE, "eval", "-", "--at", "1,0");
	PRINTS("1,0  a=3\n");
	EXPECT(USE, "eval", "-", "--points", "-");
	EXPECT(FINE, "render", "-", "-o", "-", "--size", "2x2", "--range", "0,1");
	assert_true(out.size > 8);
	assert_memory_equal(out.data, "\x89PNG\r\n\x1a\n", 8);
	assert_int_equal(err.size, 0);
}

/* ---- writing ---- */

static void expect_file(const char *name, const char *text)
{
	Bytes b = read_bytes(in_work(name));
	assert_string_equal(b.data, text);
	free(b.data);
}

static void nothing_is_left_half_written(void **state)
{
	(void)state;
	put("kept.glsl", "as it was");
	int files = count_files(work);
	EXPECT(SOURCE, "bad.noise", "-o", "kept.glsl");
	EXPECT(USE, "line.noise", "-o", "kept.glsl", "--dump=asm");
	EXPECT(USE, "line.noise", "-o", "kept.glsl", "-t", "hlls");
	EXPECT(FILES, "none.noise", "-o", "kept.glsl");
	EXPECT(SOURCE, "render", "bad.noise", "-o", "kept.glsl");
	EXPECT(USE, "render", "line.noise", "-o", "kept.glsl", "--out", "z");
	expect_file("kept.glsl", "as it was");
	EXPECT(SOURCE, "bad.noise", "-o", "new.glsl");
	assert_int_not_equal(access(in_work("new.glsl"), F_OK), 0);
	assert_int_equal(count_files(work), files);
}

static void output_files_are_replaced_whole(void **state)
{
	struct stat info;
	(void)state;
	EXPECT(FINE, "line.noise");
	char *text = strdup(out.data);
	put("old.glsl", "as it was");
	assert_int_equal(chmod(in_work("old.glsl"), 0640), 0);
	assert_int_equal(symlink("old.glsl", in_work("link.glsl")), 0);
	int files = count_files(work);
	EXPECT(FINE, "line.noise", "-o", "link.glsl");
	assert_int_equal(out.size, 0);
	expect_file("old.glsl", text);
	assert_int_equal(lstat(in_work("link.glsl"), &info), 0);
	assert_true(S_ISLNK(info.st_mode));
	assert_int_equal(stat(in_work("old.glsl"), &info), 0);
	assert_int_equal(info.st_mode & 0777, 0640);
	assert_int_equal(count_files(work), files);
	EXPECT(FINE, "line.noise", "-o", "new.glsl");
	expect_file("new.glsl", text);
	assert_int_equal(count_files(work), files + 1);
	free(text);
}

static void a_source_is_never_written_over(void **state)
{
	(void)state;
	assert_int_equal(symlink("line.noise", in_work("link.noise")), 0);
	EXPECT(USE, "line.noise", "-o", "line.noise");
	EXPECT(USE, "line.noise", "-o", "./link.noise");
	EXPECT(USE, "render", "link.noise", "-o", "line.noise");
	expect_file("line.noise", line_source);
}

/* ---- eval ---- */

static void eval_prints_text(void **state)
{
	(void)state;
	EXPECT(FINE, "eval", "line.noise", "--at", "12.5,-3", "--at", "-0,0.1");
	PRINTS("12.5,-3  a=26\n0,0.1  a=1\n");
	EXPECT(FINE, "eval", "many.noise", "--at", "1.5,-3", "--set", "place=Forest");
	PRINTS("1.5,-3  a=6 b=true e=Forest i=3 v=(1.5, 3, 4.5) u=7 o=10\n");
	assert_int_equal(err.size, 0);
}

static void eval_prints_csv(void **state)
{
	(void)state;
	EXPECT(FINE, "eval", "many.noise", "--at", "1.5,-3", "--at", "-2,1e10", "--format", "csv");
	PRINTS("x,y,a,b,e,i,v.x,v.y,v.z,u,o\n1.5,-3,6,true,Ocean,3,1.5,3,4.5,7,10\n-2,1e10,-1,false,Beach,-6,-2,-4,-6,7,10\n");
}

static void eval_prints_bits(void **state)
{
	(void)state;
	EXPECT(FINE, "eval", "many.noise", "--at", "1.5,-3", "--at", "-2,-0", "--format=bits");
	PRINTS("x,y,a,b,e,i,v.x,v.y,v.z,u,o\n"
		"3fc00000,c0400000,40c00000,00000001,00000000,00000003,3fc00000,40400000,40900000,00000007,41200000\n"
		"c0000000,00000000,bf800000,00000000,00000001,fffffffa,c0000000,c0800000,c0c00000,00000007,41200000\n");
	put("zero.noise", "param k = 1.0\noutput a = -(p.x * k)\noutput v: vec2 = -p * k\noutput m = p.x * (-k)\n");
	EXPECT(FINE, "eval", "zero.noise", "--at", "0,0", "--format", "bits");
	PRINTS("x,y,a,v.x,v.y,m\n00000000,00000000,00000000,00000000,00000000,00000000\n");
	EXPECT(FINE, "eval", "zero.noise", "--at", "0,0");
	PRINTS("0,0  a=0 v=(0, 0) m=0\n");
}

static void eval_prints_json(void **state)
{
	(void)state;
	EXPECT(FINE, "eval", "many.noise", "--at", "1.5,-3", "--at", "1,1", "--format", "json");
	PRINTS("[\n{\"p\":[1.5,-3],\"a\":6,\"b\":true,\"e\":\"Ocean\",\"i\":3,\"v\":[1.5,3,4.5],\"u\":7,\"o\":10},\n"
		"{\"p\":[1,1],\"a\":5,\"b\":false,\"e\":\"Beach\",\"i\":3,\"v\":[1,2,3],\"u\":7,\"o\":10}\n]\n");
	put("none.csv", "");
	EXPECT(FINE, "eval", "many.noise", "--points", "none.csv", "--format", "json");
	PRINTS("[\n]\n");
}

static void eval_takes_as_many_coordinates_as_the_domain(void **state)
{
	static const char *const point[] = { "1", "1,2", "1,2,3", "1,2,3,4" };
	static const char *const source[] = {
		"domain float\noutput a = p\n", "domain vec2\noutput a = p.x + p.y\n",
		"domain vec3\noutput a = p.x + p.y + p.z\n", "domain vec4\noutput a = p.x + p.y + p.z + p.w\n" };
	static const char *const line[] = { "1  a=1\n", "1,2  a=3\n", "1,2,3  a=6\n", "1,2,3,4  a=10\n" };
	(void)state;
	for (int i = 0; i < 4; i++) {
		put("d.noise", source[i]);
		for (int j = 0; j < 4; j++)
			EXPECT(i == j ? FINE : USE, "eval", "d.noise", "--at", point[j]);
		EXPECT(FINE, "eval", "d.noise", "--at", point[i]);
		PRINTS(line[i]);
	}
}

static void points_come_from_files_and_standard_input(void **state)
{
	(void)state;
	put("p.csv", "1,2\n3 4\n\n   \n5\t,  6\r\n7,8");
	EXPECT(FINE, "eval", "line.noise", "--points", "p.csv");
	PRINTS("1,2  a=3\n3,4  a=7\n5,6  a=11\n7,8  a=15\n");
	feed("y x\r\n\r\n1 2\r\n");
	EXPECT(FINE, "eval", "line.noise", "--points", "-", "--at", "0,0", "--format", "csv");
	PRINTS("x,y,a\n0,0,1\n2,1,5\n");
	put("p.csv", "x,y,level,wind.y,place,wind.x\n1,2,0.5,7,Forest,8\n2,0,-9,0,1,0\n");
	EXPECT(FINE, "eval", "many.noise", "--points", "p.csv", "--set", "wind=1", "--out", "a", "--out", "e", "--out", "v");
	PRINTS("1,2  a=5.5 e=Beach v=(9, 9, 4)\n2,0  a=6 e=Beach v=(2, 4, 7)\n");
	EXPECT(FINE, "eval", "many.noise", "--at", "1,0", "--points", "p.csv", "--set", "level=-0.5", "--out", "a");
	PRINTS("1,0  a=4.5\n1,2  a=5.5\n2,0  a=6\n");
	put("p.csv", "\xef\xbb\xbfx,y\n1,2\n");
	EXPECT(FINE, "eval", "line.noise", "--points", "p.csv");
	PRINTS("1,2  a=3\n");
}

static void wrong_points_say_file_and_line(void **state)
{
	static const char *const wrong[] = {
		"x,y\n1\n", "1,2\n1,2,3\n", "1,2\n1,x\n", "1,2\n1,,2\n", "1,2\n1,2,\n", "1,2\n1,nan\n", "x,y,level\n1,2\n",
		"x,y,place\n1,2,Sea\n", "1,2\nx,y\n",
	};
	static const char *const header[] = { "x,y,levle\n1,2,3\n", "x\n1\n", "x,y,x\n1,2,3\n", "x,y,wind\n1,2,3\n" };
	(void)state;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		put("p.csv", wrong[i]);
		EXPECT(USE, "eval", "many.noise", "--points", "p.csv");
		SAYS("p.csv:2: ");
	}
	for (size_t i = 0; i < sizeof header / sizeof *header; i++) {
		put("p.csv", header[i]);
		EXPECT(USE, "eval", "many.noise", "--points", "p.csv");
		SAYS("p.csv:1: ");
	}
	put_bytes("p.csv", "1,2\n\0", 5);
	EXPECT(USE, "eval", "line.noise", "--points", "p.csv");
}

static void set_gives_params_and_inputs(void **state)
{
	(void)state;
	EXPECT(FINE, "eval", "many.noise", "--at", "2,0", "--set", "gain=0.5", "--set", "tint=1,0,-1", "--set", "kind=Forest",
		"--set", "count=0x4", "--set", "mask=0xffffffff", "--set", "level=0.25", "--set", "wind=1,2,3", "--set", "place=1", "--set", "base=15");
	PRINTS("2,0  a=4.25 b=true e=Beach i=8 v=(3, 2, 1) u=4294967295 o=15\n");
	assert_int_equal(err.size, 0);
	EXPECT(FINE, "eval", "many.noise", "--at", "1,0", "--set", "kind=Forest", "--set", "tint=2", "--set", "on=false", "--set", "gain=1", "--set", "gain=3");
	PRINTS("1,0  a=6 b=false e=Forest i=3 v=(2, 2, 2) u=7 o=10\n");
}

static void values_outside_a_range_are_clamped_and_told(void **state)
{
	(void)state;
	EXPECT(FINE, "eval", "many.noise", "--at", "1,0", "--out", "a", "--set", "gain=9");
	PRINTS("1,0  a=7\n");
	SAYS("note: gain=9 is outside its range, taken as 4\n");
	EXPECT(FINE, "eval", "many.noise", "--at", "1,0", "--out", "i", "--set", "count=-5");
	PRINTS("1,0  i=0\n");
	SAYS("taken as 0\n");
	EXPECT(FINE, "eval", "many.noise", "--at", "1,0", "--out", "a", "--set", "level=-7");
	PRINTS("1,0  a=4\n");
	SAYS("note: level=-7 is outside its range, taken as -1\n");
}

static char *copy_output(void)
{
	char *copy = malloc(out.size + 1);
	assert_non_null(copy);
	memcpy(copy, out.data, out.size + 1);
	return copy;
}

static void seeds_have_64_bits(void **state)
{
	static const char *const seed[][2] = {          /* pairs that are one seed */
		{ "7", "0x7" }, { "0", "0" }, { "4294967303", "0x100000007" }, { "18446744073709551615", "0xffffffffffffffff" },
	};
	char *text[4];
	(void)state;
	put("seed.noise", "output a: uint = seed\noutput b = perlin()\n");
	for (int i = 0; i < 4; i++) {
		EXPECT(FINE, "eval", "seed.noise", "--at", "0.3,0.4", "--seed", seed[i][0]);
		text[i] = copy_output();
		EXPECT(FINE, "eval", "seed.noise", "--at", "0.3,0.4", "--seed", seed[i][1]);
		assert_string_equal(out.data, text[i]);
		for (int j = 0; j < i; j++)
			assert_string_not_equal(text[i], text[j]);
	}
	assert_non_null(strstr(text[0], " a=7 "));
	EXPECT(FINE, "eval", "seed.noise", "--at", "0.3,0.4");
	assert_string_equal(out.data, text[1]);
	for (int i = 0; i < 4; i++)
		free(text[i]);
}

static void out_chooses_outputs_in_order(void **state)
{
	(void)state;
	EXPECT(FINE, "eval", "many.noise", "--at", "1,0", "--out", "u", "--out", "a", "--out", "u");
	PRINTS("1,0  u=7 a=5 u=7\n");
	EXPECT(FINE, "eval", "many.noise", "--at", "1,0", "--out", "v", "--format", "csv");
	PRINTS("x,y,v.x,v.y,v.z\n1,0,1,2,3\n");
}

static void define_replaces_a_const(void **state)
{
	(void)state;
	EXPECT(FINE, "eval", "many.noise", "--at", "1,0", "--out", "a", "-D", "K=10");
	PRINTS("1,0  a=12\n");
	EXPECT(FINE, "eval", "many.noise", "--at", "1,0", "--out", "a", "-DK=-1.5 * 2");
	PRINTS("1,0  a=-1\n");
	EXPECT(SOURCE, "eval", "many.noise", "--at", "1,0", "-D", "K=zz");
	SAYS("<command line>:");
	EXPECT(FINE, "check", "many.noise", "-D", "K=1");
	EXPECT(FINE, "many.noise");
	char *text = copy_output();
	EXPECT(FINE, "many.noise", "-D", "K=10");
	assert_string_not_equal(out.data, text);
	free(text);
}

/* Points near 0, negative, on lattice lines and far, with as many coordinates as the program wants. */
static void optimising_keeps_bits(const char *path, const char *name)
{
	char points[500 * 64];
	(void)name;
	for (int domain = 2; domain <= 3; domain++) {
		uint32_t h = 1;
		size_t size = 0;
		for (int i = 0; i < 500; i++)
			for (int axis = 0; axis < domain; axis++) {
				h = h * 1664525u + 1013904223u;
				double x = ((double)(h >> 8) - 8388608.0) / (i % 3 == 0 ? 8388608.0 : i % 3 == 1 ? 4096.0 : 262144.0);
				size += (size_t)snprintf(points + size, sizeof points - size, "%.9g%c", i % 5 == 0 ? (int)x : x, axis + 1 < domain ? ',' : '\n');
			}
		feed(points);
		if (run((const char *const[]){ NOISEC, "eval", path, "--points", "-", "--format", "bits", "-O0", NULL }) == FINE)
			break;
		assert_int_equal(domain, 2);
	}
	char *text = copy_output();
	assert_true(out.size > 500 * 20);
	EXPECT(FINE, "eval", path, "--points", "-", "--format", "bits", "-O2");
	assert_string_equal(out.data, text);
	EXPECT(FINE, "eval", path, "--points", "-", "--format", "bits");
	assert_string_equal(out.data, text);
	free(text);
}

static void optimised_or_not_gives_the_same_bits(void **state)
{
	(void)state;
	each_example(optimising_keeps_bits);
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

/* ---- build ---- */

static void stages_can_be_dumped(void **state)
{
	static const char *const stage[] = { "--dump=ast", "--dump=ir", "--dump=opt", "--dump=program" };
	char *text[4];
	(void)state;
	for (int i = 0; i < 4; i++) {
		EXPECT(FINE, EXAMPLES "/mountains.noise", stage[i]);
		assert_true(out.size > 100);
		assert_int_equal(out.data[out.size - 1], '\n');
		assert_int_equal(strlen(out.data), out.size);
		text[i] = copy_output();
		for (int j = 0; j < i; j++)
			assert_string_not_equal(text[i], text[j]);
	}
	for (int i = 0; i < 4; i++)
		free(text[i]);
	EXPECT(USE, "line.noise", "--dump=");
	EXPECT(USE, "line.noise", "--dump=ASM");
}

static void programs_are_binary(void **state)
{
	(void)state;
	EXPECT(FINE, "line.noise", "-t", "program");
	assert_true(out.size > 16);
	Bytes printed = { copy_output(), out.size };
	EXPECT(FINE, "line.noise", "-t", "program", "-o", "line.nzp");
	Bytes written = read_bytes(in_work("line.nzp"));
	assert_int_equal(written.size, printed.size);
	assert_memory_equal(written.data, printed.data, printed.size);
	free(written.data);
	free(printed.data);
}

static void entries_are_whole_shaders(const char *path, const char *name)
{
	static const char *const kind[] = { "fragment", "compute" };
	(void)name;
	for (int i = 0; i < 2; i++) {
		EXPECT(FINE, path, "--entry", kind[i]);
		assert_memory_equal(out.data, "#version 450\n", 13);
		assert_non_null(strstr(out.data, "void main()"));
	}
}

static void functions_need_nothing_around(const char *path, const char *name)
{
	char expected[80];
	EXPECT(FINE, path);
	assert_null(strstr(out.data, "#version"));
	assert_null(strstr(out.data, "uniform"));
	assert_null(strstr(out.data, "main("));
	assert_null(strstr(out.data, "layout"));
	snprintf(expected, sizeof expected, "\n%.*s_out %.*s_eval(", (int)strcspn(name, "."), name, (int)strcspn(name, "."), name);
	assert_non_null(strstr(out.data, expected));
}

static void entry_makes_a_whole_shader(void **state)
{
	(void)state;
	each_example(entries_are_whole_shaders);
	EXPECT(FINE, "many.noise", "--entry", "fragment");
	char *text = copy_output();
	EXPECT(FINE, "many.noise", "--entry", "fragment", "--out", "a");
	assert_string_equal(out.data, text);
	EXPECT(FINE, "many.noise", "--entry", "fragment", "--out", "v");
	assert_string_not_equal(out.data, text);
	free(text);
}

static void library_form_declares_functions_only(void **state)
{
	(void)state;
	each_example(functions_need_nothing_around);
}

static void prefix_is_the_base_name_or_given(void **state)
{
	(void)state;
	EXPECT(FINE, "line.noise");
	assert_non_null(strstr(out.data, "line_out line_eval(vec2 p, line_params params, uint seed)"));
	assert_non_null(strstr(out.data, "float line_a(vec2 p, line_params params, uint seed)"));
	EXPECT(FINE, "line.noise", "--prefix", "hills");
	assert_non_null(strstr(out.data, "hills_out hills_eval("));
	assert_null(strstr(out.data, "line_"));
	feed(line_source);
	EXPECT(FINE, "-");
	assert_non_null(strstr(out.data, "noise_out noise_eval("));
	assert_int_equal(mkdir(in_work("sub.dir"), 0700), 0);
	put("sub.dir/a-b.v2.noise", line_source);
	EXPECT(FINE, "sub.dir/a-b.v2.noise");
	assert_non_null(strstr(out.data, "a_b_out a_b_eval("));
}

static FILE *together;

static void append_functions(const char *path, const char *name)
{
	(void)name;
	EXPECT(FINE, path);
	fputs(out.data, together);
	EXPECT(FINE, path, "--prefix", "other", "-O0");
}

static void have_glslang(void)
{
	given.folder = NULL;
	if (run((const char *const[]){ "glslangValidator", "--version", NULL }) == 127) {
		printf("SKIP: glslangValidator is not installed\n");
		skip();
	}
}

static void compile_shader(const char *name)
{
	int status = run((const char *const[]){ "glslangValidator", "-S", "frag", name, NULL });
	if (status != 0 || strstr(out.data, "WARNING") != NULL)
		fail_msg("glslangValidator: %.2000s", out.data);
}

static void programs_share_no_global_name(void **state)
{
	(void)state;
	have_glslang();
	together = fopen(in_work("all.frag"), "wb");
	assert_non_null(together);
	fputs("#version 450\n", together);
	each_example(append_functions);
	for (int i = 0; i < 4; i++) {           /* one program, twice optimised and twice not */
		static const char *const prefix[] = { "one", "two", "three", "four" };
		EXPECT(FINE, EXAMPLES "/mountains.noise", "--prefix", prefix[i], i < 2 ? "-O2" : "-O0");
		fputs(out.data, together);
	}
	fputs("void main() { }\n", together);
	fclose(together);
	compile_shader("all.frag");
}

/* ---- the same everywhere ---- */

static void same_bytes_in_every_surrounding(void **state)
{
	static const char *const kinds[][8] = {
		{ NULL }, { "--entry", "compute", NULL }, { "-t", "program", NULL }, { "--dump=opt", NULL }, { "-O0", NULL },
	};
	static const char *const around[][4] = {
		{ NULL }, { "LC_ALL=de_DE.UTF-8", "LANG=de_DE.UTF-8", NULL }, { "LC_ALL=tr_TR.UTF-8", NULL }, { "TZ=Asia/Kolkata", NULL },
		{ "MALLOC_PERTURB_=165", NULL }, { "LC_ALL=C", "HOME=/", NULL },
	};
	(void)state;
	put("world.noise", "param k = 0.25 in 0.1 .. 0.9\noutput h = (perlin() |> octaves(5)) * k + 1.5e-7\noutput c: vec3 = mix(#3a7d44, #ffffff, saturate(h))\n");
	char path[700];
	snprintf(path, sizeof path, "%s", in_work("world.noise"));
	for (int k = 0; k < 7; k++) {
		const char *argv[16] = { NOISEC };
		int argc = 1;
		Bytes first = { NULL, 0 };
		if (k >= 5)
			argv[argc++] = k == 5 ? "eval" : "render";
		argv[argc++] = path;
		for (int i = 0; k < 5 && kinds[k][i] != NULL; i++)
			argv[argc++] = kinds[k][i];
		static const char *const tail[2][6] = { { "--at", "0.3,-7.25", "--set", "k=0.5" }, { "-o", "-", "--size", "16x16", "--out", "c" } };
		for (int i = 0; k >= 5 && i < 6 && tail[k - 5][i] != NULL; i++)
			argv[argc++] = tail[k - 5][i];
		for (size_t i = 0; i < sizeof around / sizeof *around; i++)
			for (int folder = 0; folder < 2; folder++) {
				given.environment = around[i];
				given.folder = folder == 0 ? NULL : "/";
				expect(__LINE__, FINE, argv);
				if (first.data == NULL)
					first = (Bytes){ copy_output(), out.size };
				assert_true(out.size > 0);
				assert_int_equal(out.size, first.size);
				assert_memory_equal(out.data, first.data, first.size);
			}
		free(first.data);
	}
}

/* ---- hostile sources ---- */

/* Errors, told on one screen, for every verb and by standard input too. */
static void expect_refused(const char *name)
{
	for (int i = 0; i < 5; i++) {
		if (i == 0)
			EXPECT(SOURCE, name);
		else if (i == 1)
			EXPECT(SOURCE, "check", name);
		else if (i == 2)
			EXPECT(SOURCE, "eval", name, "--at", "0,0");
		else if (i == 3)
			EXPECT(SOURCE, "render", name, "-o", "x.png");
		else {
			Bytes b = read_bytes(in_work(name));
			given.input = b.data;
			given.input_size = b.size;
			EXPECT(SOURCE, "-");
			given.input = NULL;
			free(b.data);
		}
		size_t lines = 0;
		for (const char *at = err.data; (at = strchr(at, '\n')) != NULL; at++)
			lines++;
		assert_in_range(lines, 1, 24);
		assert_in_range(err.size, 1, 4096);
	}
}

static void random_bytes_are_refused(void **state)
{
	enum { SIZE = 1000000 };
	char *bytes = malloc(SIZE);
	(void)state;
	assert_non_null(bytes);
	for (uint32_t seed = 1; seed <= 3; seed++) {
		uint32_t h = seed;
		for (int i = 0; i < SIZE; i++) {
			h = h * 1664525u + 1013904223u;
			bytes[i] = (char)(h >> 24);
		}
		put_bytes("hostile", bytes, SIZE);
		expect_refused("hostile");
	}
	/* the letters of the language, in no order */
	for (int i = 0; i < SIZE; i++)
		bytes[i] = "output node =()[]{}+-*/.,:?p019x@|>\"#\n_fnin\t"[(unsigned char)bytes[i] % 45];
	put_bytes("hostile", bytes, SIZE);
	EXPECT(SOURCE, "hostile");
	EXPECT(USE, "eval", "line.noise", "--points", "hostile");
	free(bytes);
}

static void empty_sources_are_refused(void **state)
{
	(void)state;
	put("hostile", "");
	expect_refused("hostile");
	put("hostile", "\n// nothing\n");
	expect_refused("hostile");
	EXPECT(SOURCE, "/dev/null");
}

static void sources_with_nul_are_refused(void **state)
{
	static const char inside[] = "output a = p.x\0 + 1\n", behind[] = "output a = p.x\n\0\0\0";
	(void)state;
	put_bytes("hostile", inside, sizeof inside - 1);
	expect_refused("hostile");
	SAYS(":1:15: error");
	put_bytes("hostile", behind, sizeof behind - 1);
	expect_refused("hostile");
	put_bytes("hostile", "\0", 1);
	expect_refused("hostile");
}

static void deep_sources_are_refused(void **state)
{
	static const char *const unit[] = { "(", "-(", "[", "not ", "p.x > 0 ? 1 : ", "vec2(", "{", "f(", "if " };
	enum { DEPTH = 100000 };
	(void)state;
	for (size_t k = 0; k < sizeof unit / sizeof *unit; k++) {
		size_t size = strlen(unit[k]);
		char *text = malloc(size * DEPTH + 2 * DEPTH + 64), *at = text;
		assert_non_null(text);
		at += sprintf(at, "output a = ");
		for (int i = 0; i < DEPTH; i++, at += size)
			memcpy(at, unit[k], size);
		at += sprintf(at, "p.x");
		memset(at, ')', DEPTH);
		put_bytes("hostile", text, (size_t)(at - text) + DEPTH);
		expect_refused("hostile");
		put_bytes("hostile", text, (size_t)(at - text));
		expect_refused("hostile");
		free(text);
	}
}

static void long_names_and_arguments_are_harmless(void **state)
{
	enum { SIZE = 60000 };
	char *name = malloc(SIZE + 64);
	(void)state;
	assert_non_null(name);
	memset(name, 'a', SIZE);
	strcpy(name + SIZE, "=1");
	EXPECT(USE, "eval", "many.noise", "--at", "0,0", "--set", name);
	EXPECT(USE, "many.noise", "-D", name);
	name[SIZE] = '\0';
	EXPECT(USE, "eval", "many.noise", "--at", "0,0", "--out", name);
	EXPECT(USE, "eval", "many.noise", "--at", name);
	EXPECT(USE, "eval", "many.noise", "--at", "0,0", "--format", name);
	EXPECT(USE, "eval", "many.noise", "--at", "0,0", "--seed", name);
	EXPECT(USE, "render", "many.noise", "-o", "x.png", "--node", name);
	EXPECT(USE, "render", "many.noise", "-o", "x.png", "--size", name);
	EXPECT(USE, "many.noise", "-t", name);
	EXPECT(FILES, "line.noise", "-o", name);
	EXPECT(FILES, "check", name);
	EXPECT(FINE, "line.noise", "--prefix", name);
	free(name);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, reset)
	const struct CMUnitTest tests[] = {
		TEST(fine_is_0_and_errors_are_1),
		TEST(messages_name_file_line_and_column),
		TEST(wrong_use_is_2),
		TEST(wrong_use_of_eval_is_2),
		TEST(wrong_use_of_render_is_2),
		TEST(files_that_fail_are_3),
		TEST(full_devices_and_closed_pipes_are_3),
		TEST(help_names_every_verb_and_option),
		TEST(dash_is_standard_input_and_output),
		TEST(nothing_is_left_half_written),
		TEST(output_files_are_replaced_whole),
		TEST(a_source_is_never_written_over),
		TEST(eval_prints_text),
		TEST(eval_prints_csv),
		TEST(eval_prints_bits),
		TEST(eval_prints_json),
		TEST(eval_takes_as_many_coordinates_as_the_domain),
		TEST(points_come_from_files_and_standard_input),
		TEST(wrong_points_say_file_and_line),
		TEST(set_gives_params_and_inputs),
		TEST(values_outside_a_range_are_clamped_and_told),
		TEST(seeds_have_64_bits),
		TEST(out_chooses_outputs_in_order),
		TEST(define_replaces_a_const),
		TEST(optimised_or_not_gives_the_same_bits),
		TEST(render_makes_grey_of_the_proved_range),
		TEST(render_range_overrides),
		TEST(render_tells_a_measured_range),
		TEST(render_draws_nodes),
		TEST(render_slices_higher_domains),
		TEST(render_draws_colours),
		TEST(render_draws_bools_and_enums),
		TEST(render_agrees_with_eval),
		TEST(stages_can_be_dumped),
		TEST(programs_are_binary),
		TEST(entry_makes_a_whole_shader),
		TEST(library_form_declares_functions_only),
		TEST(prefix_is_the_base_name_or_given),
		TEST(programs_share_no_global_name),
		TEST(same_bytes_in_every_surrounding),
		TEST(random_bytes_are_refused),
		TEST(empty_sources_are_refused),
		TEST(sources_with_nul_are_refused),
		TEST(deep_sources_are_refused),
		TEST(long_names_and_arguments_are_harmless),
	};
	return cmocka_run_group_tests(tests, open_folder, close_folder);
}
