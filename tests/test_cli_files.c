/* What users of the command rely on when files are read and written: whole or not at all, and one clear line for
   each failure. */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"

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
	EXPECT(FILES, "render", "line.noise", "--range", "0,1", "-o", "none/x.png");
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

/* ---- what outputs may be ---- */

static void links_are_followed_to_what_they_name(void **state)
{
	struct stat info;
	(void)state;
	EXPECT(FINE, "line.noise");
	char *text = copy_output();
	assert_int_equal(mkdir(in_work("sub"), 0700), 0);
	assert_int_equal(symlink("sub/real.glsl", in_work("one.glsl")), 0);     /* which does not exist yet */
	assert_int_equal(symlink("one.glsl", in_work("two.glsl")), 0);
	EXPECT(FINE, "line.noise", "-o", "two.glsl");
	expect_file("sub/real.glsl", text);
	assert_int_equal(lstat(in_work("one.glsl"), &info), 0);
	assert_true(S_ISLNK(info.st_mode));
	assert_int_equal(lstat(in_work("two.glsl"), &info), 0);
	assert_true(S_ISLNK(info.st_mode));
	assert_int_equal(count_files(in_work("sub")), 1);
	assert_int_equal(symlink("round.glsl", in_work("round.glsl")), 0);
	EXPECT(FILES, "line.noise", "-o", "round.glsl");
	ONE_LINE();
	free(text);
}

static void devices_and_pipes_are_written_to(void **state)
{
	char got[8192];
	(void)state;
	EXPECT(FINE, "line.noise");
	char *text = copy_output();
	EXPECT(FINE, "line.noise", "-o", "/dev/null");
	EXPECT(FINE, "line.noise", "-t", "program", "-o", "/dev/null");
	if (access("/dev/stdout", F_OK) == 0) {         /* which may be a file that has something in it */
		assert_int_equal(run((const char *const[]){ "sh", "-c", "(echo first; " NOISEC " line.noise -o /dev/stdout; " NOISEC " line.noise -o /dev/fd/1 && echo last) > f", NULL }), 0);
		Bytes b = read_bytes(in_work("f"));
		assert_int_equal(b.size, 6 + 2 * strlen(text) + 5);
		assert_memory_equal(b.data, "first\n", 6);
		assert_memory_equal(b.data + 6, text, strlen(text));
		assert_memory_equal(b.data + b.size - 5, "last\n", 5);
		free(b.data);
	}
	assert_int_equal(access("/dev/null", W_OK), 0);
	assert_int_equal(mkfifo(in_work("pipe"), 0600), 0);
	int both = open(in_work("pipe"), O_RDWR);
	assert_true(both >= 0);
	EXPECT(FINE, "line.noise", "-o", "pipe");
	ssize_t size = read(both, got, sizeof got - 1);
	assert_int_equal(size, strlen(text));
	assert_memory_equal(got, text, (size_t)size);
	assert_int_equal(write(both, line_source, strlen(line_source)), strlen(line_source));
	close(both);
	struct stat info;
	assert_int_equal(stat(in_work("pipe"), &info), 0);
	assert_true(S_ISFIFO(info.st_mode));
	free(text);
}

static void rights_are_those_of_the_old_file_or_the_mask(void **state)
{
	struct stat info;
	(void)state;
	assert_int_equal(run((const char *const[]){ "sh", "-c", "umask 027; " NOISEC " line.noise -t glsl,program -o ./", NULL }), 0);
	assert_int_equal(stat(in_work("line.glsl"), &info), 0);
	assert_int_equal(info.st_mode & 07777, 0640);
	assert_int_equal(chmod(in_work("line.glsl"), 0604), 0);
	EXPECT(FINE, "line.noise", "-o", "line.glsl");
	assert_int_equal(stat(in_work("line.glsl"), &info), 0);
	assert_int_equal(info.st_mode & 07777, 0604);
	if (geteuid() != 0) {
		printf("SKIP: only root may give files away, to see that their owner stays\n");
		return;
	}
	assert_int_equal(chown(in_work("line.glsl"), 65534, 65534), 0);
	EXPECT(FINE, "line.noise", "-o", "line.glsl");
	assert_int_equal(stat(in_work("line.glsl"), &info), 0);
	assert_int_equal(info.st_uid, 65534);
	assert_int_equal(info.st_mode & 07777, 0604);
}

/* Tried as a user without rights, since root has them all. */
static void what_may_not_be_read_or_written_is_told(void **state)
{
	(void)state;
	assert_int_equal(chmod(base, 0755), 0);
	assert_int_equal(chmod(work, 0777), 0);
	given.powerless = true;
	if (run((const char *const[]){ NOISEC, "--version", NULL }) != FINE) {
		printf("SKIP: only root may run this noisec\n");
		skip();
	}
	put("closed.noise", line_source);
	put("kept.glsl", "as it was");
	assert_int_equal(mkdir(in_work("closed"), 0700), 0);
	assert_int_equal(chmod(in_work("closed.noise"), 0), 0);
	assert_int_equal(chmod(in_work("line.noise"), 0444), 0);
	assert_int_equal(chmod(in_work("kept.glsl"), 0444), 0);
	assert_int_equal(chmod(in_work("closed"), 0555), 0);
	int files = count_files(work);
	static const char *const wrong[][6] = {
		{ "closed.noise" }, { "check", "closed.noise" }, { "eval", "line.noise", "--points", "closed.noise" }, { "check", "@closed.noise" },
		{ "line.noise", "-o", "kept.glsl" }, { "line.noise", "-o", "closed/x.glsl" }, { "line.noise", "-o", "closed/x/" }, { "line.noise", "--header", "kept.glsl" },
	};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		const char *argv[8] = { NOISEC };
		for (int k = 0; k < 6 && wrong[i][k] != NULL; k++)
			argv[k + 1] = wrong[i][k];
		expect(__LINE__, FILES, argv);
		SAYS("Permission denied");
		ONE_LINE();
	}
	EXPECT(FINE, "line.noise", "-o", "new.glsl");
	unlink(in_work("new.glsl"));
	expect_file("kept.glsl", "as it was");
	assert_int_equal(count_files(work), files);
	assert_int_equal(chmod(in_work("closed"), 0755), 0);
}

/* ---- failures are one line ---- */

static const char *fill_name(char *name, size_t size, const char *end)
{
	memset(name, 'n', size);
	strcpy(name + size, end);
	return name;
}

static void names_may_be_as_long_as_the_system_allows(void **state)
{
	char name[5000];
	(void)state;
	EXPECT(FINE, "line.noise", "-o", fill_name(name, 250, ".glsl"));
	assert_int_equal(access(in_work(name), F_OK), 0);
	EXPECT(FINE, "line.noise", "-o", name);
	EXPECT(FILES, "line.noise", "-o", fill_name(name, 251, ".glsl"));
	ONE_LINE();
	SAYS("File name too long");
	EXPECT(FILES, "line.noise", "-o", fill_name(name, 4990, ""));
	ONE_LINE();
	EXPECT(FILES, "check", fill_name(name, 4990, ""));
	ONE_LINE();
	EXPECT(FILES, "line.noise", "-o", fill_name(name, 300, "/"));
	ONE_LINE();
}

static void each_failure_is_one_line(void **state)
{
	static const char *const cases[][8] = {
		{ "none.noise" }, { "." }, { "line.noise/x" }, { "line.noise", "-o", "line.noise/x.glsl" }, { "line.noise", "-o", "none/x" },
		{ "line.noise", "-o", "none/none/" }, { "eval", "none.noise", "--at", "0,0" }, { "eval", "line.noise", "--points", "none" },
		{ "eval", "line.noise", "--points", "." }, { "eval", "line.noise", "--at", "0,0", "-o", "none/x" }, { "eval", "line.noise", "--at", "0,0", "-o", "." },
		{ "render", "line.noise", "--range", "0,1", "-o", "none/x.png" }, { "check", "none.noise" }, { "line.noise", "--reflect", "none/x" },
		{ "line.noise", "-MD", "-MF", "none/x" }, { "line.noise", "-M", "-o", "none/x" }, { "none\n\x1b[31m.noise" }, { "line.noise", "-o", "none\n/x" },
	};
	static const char *const empty[][8] = {
		{ "" }, { "check", "" }, { "eval", "", "--at", "0,0" }, { "render", "", "-o", "x.png" }, { "line.noise", "-o", "" }, { "eval", "line.noise", "--points", "" },
		{ "render", "line.noise", "--range", "0,1", "-o", "" }, { "line.noise", "--header", "" }, { "line.noise", "-MD", "-MF", "" }, { "eval", "line.noise", "--at", "0,0", "-o", "" },
	};
	(void)state;
	int files = count_files(work);
	for (size_t i = 0; i < sizeof cases / sizeof *cases + sizeof empty / sizeof *empty; i++) {
		bool second = i >= sizeof cases / sizeof *cases;
		const char *const *words = second ? empty[i - sizeof cases / sizeof *cases] : cases[i], *argv[10] = { NOISEC };
		for (int k = 0; k < 8 && words[k] != NULL; k++)
			argv[k + 1] = words[k];
		expect(second ? 1000 + (int)i : (int)i, second ? USE : FILES, argv);
		SAYS("noisec: ");
		ONE_LINE();
		assert_null(strpbrk(err.data, "\x1b\r\t"));
	}
	assert_int_equal(count_files(work), files);
}

/* A limit of the file's size stands for a full disk: writing fails in the middle. */
static void a_write_that_fails_leaves_nothing(void **state)
{
	(void)state;
	put("big.noise", many_source);
	put("big.glsl", "as it was");
	int files = count_files(work);
	given.output = "/dev/null";
	int status = run((const char *const[]){ "sh", "-c", "ulimit -f 1; exec " NOISEC " big.noise -t glsl -o big.glsl", NULL });
	assert_int_equal(status, FILES);
	SAYS("cannot write 'big.glsl': File too large");
	ONE_LINE();
	status = run((const char *const[]){ "sh", "-c", "ulimit -f 1; exec " NOISEC " render line.noise --range 0,1 -o big.png", NULL });
	assert_int_equal(status, FILES);
	ONE_LINE();
	expect_file("big.glsl", "as it was");
	assert_int_equal(count_files(work), files);
}

/* Starts a run that has finished one output and waits at a pipe for a reader of the next; ends it by a signal.
   Returns how it ended. */
static int interrupt(int number, bool ignored)
{
	int status;
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		if (chdir(work) != 0)
			_exit(126);
		if (ignored)
			signal(number, SIG_IGN);
		alarm(60);
		execl(NOISEC, NOISEC, "line.noise", "-o", "done.glsl", "--header", "pipe", (char *)NULL);
		_exit(127);
	}
	for (int wait = 0; count_files(work) < 5 && wait < 5000; wait++)        /* until the temporary file is there */
		usleep(2000);
	assert_int_equal(count_files(work), 5);
	assert_int_equal(kill(child, number), 0);
	if (ignored) {
		int reader = open(in_work("pipe"), O_RDONLY);
		char bytes[4096];
		while (read(reader, bytes, sizeof bytes) > 0)
			;
		close(reader);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return status;
}

static void an_interrupted_run_leaves_nothing(void **state)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	(void)state;
	assert_int_equal(mkfifo(in_work("pipe"), 0600), 0);
	assert_int_equal(count_files(work), 4);
	for (int i = 0; i < 3; i++) {
		int status = interrupt(signals[i], false);
		assert_true(WIFSIGNALED(status) && WTERMSIG(status) == signals[i]);
		assert_int_equal(count_files(work), 4);
	}
	/* nohup and the like */
	int status = interrupt(SIGHUP, true);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == FINE);
	assert_int_equal(count_files(work), 5);
	assert_int_equal(access(in_work("done.glsl"), F_OK), 0);
}

/* A stream that is closed is no place for the next file that is opened. */
static void closed_streams_fail_and_lend_their_numbers_to_no_file(void **state)
{
	static const struct { const char *command; int status; const char *says; } cases[] = {
		{ NOISEC " line.noise >&-", FILES, "cannot write 'standard output'" }, { NOISEC " line.noise -o x.glsl >&-", FINE, "" },
		{ NOISEC " bad.noise -o x.glsl 2>&-", SOURCE, "" }, { NOISEC " line.noise -o x.glsl --header x.h <&- >&- 2>&-", FINE, "" },
		{ NOISEC " check - <&-", FILES, "cannot read 'standard input'" }, { NOISEC " check bad.noise <&- >&- 2>&-", SOURCE, "" }, { NOISEC " --help >&-", FILES, "" },
		{ NOISEC " eval line.noise --at 0,0 >&-", FILES, "cannot write 'standard output'" },
	};
	(void)state;
	EXPECT(FINE, "line.noise");
	char *text = copy_output();
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		unlink(in_work("x.glsl"));
		assert_int_equal(run((const char *const[]){ "sh", "-c", cases[i].command, NULL }), cases[i].status);
		SAYS(cases[i].says);
		assert_int_equal(out.size, 0);
		if (cases[i].status == FINE)
			expect_file("x.glsl", text);
	}
	free(text);
}

/* An endless device is refused before memory ends. */
static void endless_input_is_refused(void **state)
{
	(void)state;
	if (access("/dev/zero", R_OK) != 0) {
		printf("SKIP: there is no /dev/zero\n");
		skip();
	}
	int status = run((const char *const[]){ "sh", "-c", "ulimit -v 4000000; " NOISEC " check /dev/zero; exit $?", NULL });
	if (strstr(err.data, "Sanitizer") != NULL) {
		printf("SKIP: the sanitizer needs more address space than the limit leaves\n");
		skip();
	}
	assert_int_equal(status, FILES);
	SAYS("cannot read '/dev/zero': more than 1 GiB");
	ONE_LINE();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(files_that_fail_are_3),
		TEST(full_devices_and_closed_pipes_are_3),
		TEST(dash_is_standard_input_and_output),
		TEST(nothing_is_left_half_written),
		TEST(output_files_are_replaced_whole),
		TEST(a_source_is_never_written_over),
		TEST(links_are_followed_to_what_they_name),
		TEST(devices_and_pipes_are_written_to),
		TEST(rights_are_those_of_the_old_file_or_the_mask),
		TEST(what_may_not_be_read_or_written_is_told),
		TEST(names_may_be_as_long_as_the_system_allows),
		TEST(each_failure_is_one_line),
		TEST(a_write_that_fails_leaves_nothing),
		TEST(an_interrupted_run_leaves_nothing),
		TEST(closed_streams_fail_and_lend_their_numbers_to_no_file),
		TEST(endless_input_is_refused),
	};
	return RUN_TESTS(tests);
}
