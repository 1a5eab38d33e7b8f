/* What users of the command rely on where it speaks of their programs: colour, JSON, warnings, explanations.
   Tried on the built binary, without a shell; a terminal is a pseudo-terminal. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>
#include <cjson/cJSON.h>

#include "../compiler/noisec.h"

enum { FINE = 0, SOURCE = 1, USE = 2, FILES = 3, ROOM = 1 << 18, MOST = 12 };

static char folder[] = "/tmp/noisec_messages_XXXXXX";
static char out[ROOM], err[ROOM];               /* of the last run */

static void put(const char *name, const char *text)
{
	char path[256];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *f = fopen(path, "wb");
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

/* Everything until the other side closes; a closed pseudo-terminal is an error of reading. */
static void drain(int handle, char *text)
{
	size_t size = 0;
	ssize_t n;
	while (size < ROOM - 1 && ((n = read(handle, text + size, ROOM - 1 - size)) > 0 || (n < 0 && errno == EINTR)))
		size += n > 0 ? (size_t)n : 0;
	text[size] = '\0';
	close(handle);
}

static int open_terminal(int *other)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY);
	assert_true(master >= 0);
	assert_int_equal(grantpt(master), 0);
	assert_int_equal(unlockpt(master), 0);
	*other = open(ptsname(master), O_RDWR | O_NOCTTY);
	assert_true(*other >= 0);
	return master;
}

/* Runs the command in an environment of nothing but `environment`; its errors go to a terminal if `terminal`. */
static int run_in(bool terminal, const char *const *environment, const char *const *arguments)
{
	const char *argv[MOST + 2] = { NOISEC };
	int to[2], errors[2];
	for (int i = 0; arguments[i]; i++) {
		assert_true(i < MOST);
		argv[i + 1] = arguments[i];
	}
	assert_int_equal(pipe(to), 0);
	if (terminal)
		errors[0] = open_terminal(&errors[1]);
	else
		assert_int_equal(pipe(errors), 0);
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		if (dup2(to[1], 1) < 0 || dup2(errors[1], 2) < 0 || chdir(folder) != 0)
			_exit(126);
		close(to[0]);
		close(errors[0]);
		alarm(60);
		execve(NOISEC, (char *const *)(uintptr_t)argv, (char *const *)(uintptr_t)environment);
		_exit(127);
	}
	close(to[1]);
	close(errors[1]);
	drain(errors[0], err);
	drain(to[0], out);
	int status;
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

#define RUN(...) run_in(false, (const char *const[]){ NULL }, (const char *const[]){ __VA_ARGS__, NULL })
#define SAYS(text) do { if (!strstr(err, text)) fail_msg("'%s' is not in\n%s", text, err); } while (0)
#define PRINTS(text) do { if (!strstr(out, text)) fail_msg("'%s' is not in\n%s", text, out); } while (0)

static bool coloured(void) { return strchr(err, '\033') != NULL; }

static int set_up(void **state)
{
	(void)state;
	assert_non_null(mkdtemp(folder));
	put("bad.noise", "output a = frac(p.x)\noutput b = zz\n");
	put("warns.noise", "param height = 1\noutput a = perlin() @ p * 2\n");
	put("good.noise", "output a = perlin()\n");
	return 0;
}

static int tear_down(void **state)
{
	static const char *const names[] = { "bad.noise", "warns.noise", "good.noise" };
	(void)state;
	for (int i = 0; i < 3; i++) {
		char path[256];
		snprintf(path, sizeof path, "%s/%s", folder, names[i]);
		unlink(path);
	}
	return rmdir(folder);
}

static void colour_goes_to_terminals(void **state)
{
	static const struct { bool terminal; const char *environment[4], *option; bool coloured; } row[] = {
		{ true, { "TERM=xterm", NULL }, NULL, true },
		{ true, { "TERM=xterm", NULL }, "--color=auto", true },
		{ true, { "TERM=xterm", NULL }, "--color=never", false },
		{ true, { "TERM=dumb", NULL }, NULL, false },
		{ true, { NULL }, NULL, false },                                /* TERM says nothing: no terminal that is known */
		{ true, { "TERM=xterm", "NO_COLOR=1", NULL }, NULL, false },
		{ true, { "TERM=xterm", "NO_COLOR=", NULL }, NULL, true },      /* empty does not count: no-color.org */
		{ true, { "TERM=xterm", "NO_COLOR=1", NULL }, "--color=always", true },
		{ false, { "TERM=xterm", NULL }, NULL, false },
		{ false, { "TERM=xterm", NULL }, "--color=always", true },
		{ false, { "TERM=xterm", "CLICOLOR_FORCE=1", NULL }, NULL, true },
		{ false, { "TERM=xterm", "CLICOLOR_FORCE=0", NULL }, NULL, false },
		{ false, { "TERM=xterm", "CLICOLOR_FORCE=1", "NO_COLOR=1", NULL }, NULL, false },
	};
	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		assert_int_equal(run_in(row[i].terminal, row[i].environment, (const char *const[]){ "check", "bad.noise", row[i].option, NULL }), SOURCE);
		if (coloured() != row[i].coloured)
			fail_msg("row %zu:\n%s", i, err);
	}
}

static void shaders_and_json_have_no_colour(void **state)
{
	(void)state;
	assert_int_equal(RUN("warns.noise", "--color=always"), FINE);
	assert_true(coloured());
	assert_null(strchr(out, '\033'));
	assert_int_equal(RUN("check", "bad.noise", "--color=always", "--diagnostics=json"), SOURCE);
	assert_false(coloured());
}

static void json_is_an_object_a_line(void **state)
{
	(void)state;
	assert_int_equal(RUN("check", "good.noise", "bad.noise", "warns.noise", "--diagnostics=json"), SOURCE);
	int lines = 0;
	static const char *const files[] = { "bad.noise", "bad.noise", "warns.noise" };
	for (const char *line = err; *line; lines++) {
		const char *rest = NULL;
		cJSON *object = cJSON_ParseWithOpts(line, &rest, false);
		assert_non_null(object);
		assert_true(lines < 3);
		assert_string_equal(cJSON_GetObjectItem(object, "file")->valuestring, files[lines]);
		cJSON_Delete(object);
		assert_int_equal(*rest, '\n');
		line = rest + 1;
	}
	assert_int_equal(lines, 3);
	assert_int_equal(RUN("check", "good.noise", "--diagnostics", "json"), FINE);
	assert_string_equal(err, "");
	assert_int_equal(RUN("check", "--diagnostics=json", "n\xc3\xb6ne\xff\"\n.noise"), FILES);
	cJSON *object = cJSON_Parse(err);
	assert_non_null(object);
	assert_non_null(strstr(cJSON_GetObjectItem(object, "message")->valuestring, "n\xc3\xb6ne\xef\xbf\xbd\"\n.noise"));
	assert_true(cJSON_IsNull(cJSON_GetObjectItem(object, "code")));
	cJSON_Delete(object);
}

static void warnings_change_the_status_on_request_only(void **state)
{
	(void)state;
	assert_int_equal(RUN("check", "warns.noise"), FINE);
	SAYS("warning[N0453]");
	SAYS("[-Wprecedence]\n");
	assert_int_equal(RUN("check", "warns.noise", "-Wall"), FINE);
	SAYS("[-Wunused-param]");
	assert_int_equal(RUN("check", "warns.noise", "-W", "unused"), FINE);
	SAYS("[-Wunused-param]");
	assert_int_equal(RUN("check", "warns.noise", "-Wno-precedence"), FINE);
	assert_string_equal(err, "");
	assert_int_equal(RUN("check", "warns.noise", "-w"), FINE);
	assert_string_equal(err, "");
	assert_int_equal(RUN("check", "warns.noise", "-Werror"), SOURCE);
	SAYS("error[N0453]");
	SAYS("[-Werror=precedence]\n");
	assert_int_equal(RUN("check", "warns.noise", "-Werror=unused-param"), SOURCE);
	assert_int_equal(RUN("check", "warns.noise", "-Werror", "-Wno-error=precedence"), FINE);
	assert_int_equal(RUN("warns.noise", "-Werror"), SOURCE);
	assert_string_equal(out, "");
	assert_int_equal(RUN("eval", "warns.noise", "--at", "0,0", "-Wno-precedence"), FINE);
	assert_string_equal(err, "");
}

static void wrong_options_say_what_was_meant(void **state)
{
	(void)state;
	assert_int_equal(RUN("check", "warns.noise", "-Wprecedense"), USE);
	SAYS("unknown warning 'precedense'; did you mean 'precedence'?");
	assert_int_equal(RUN("check", "warns.noise", "--color=allways"), USE);
	SAYS("unknown color 'allways'; did you mean 'always'?");
	assert_int_equal(RUN("check", "warns.noise", "--color=blue"), USE);
	SAYS("there are never, auto and always");
	assert_int_equal(RUN("check", "warns.noise", "--diagnostics=jsn"), USE);
	SAYS("did you mean 'json'?");
	assert_int_equal(RUN("check", "warns.noise", "--max-errors=few"), USE);
	SAYS("bad number of errors 'few'");
	assert_int_equal(RUN("check", "warns.noise", "--colour=always"), USE);
	SAYS("did you mean '--color'?");
}

static void max_errors_limits_what_is_shown(void **state)
{
	(void)state;
	assert_int_equal(RUN("check", "bad.noise", "--max-errors=1"), SOURCE);
	SAYS("\nnoisec: 1 more error, not shown");
	assert_null(strstr(err, "'zz'"));
	assert_int_equal(RUN("check", "bad.noise", "--max-errors", "0"), SOURCE);
	SAYS("'zz'");
}

static void codes_are_explained(void **state)
{
	(void)state;
	assert_int_equal(RUN("explain"), FINE);
	for (size_t i = 0; i < nz_count_codes(); i++) {
		const nz_code *c = nz_get_code(i);
		PRINTS(c->code);
		if (c->warning)
			PRINTS(c->warning);
	}
	for (size_t i = 0; i < nz_count_codes(); i++) {
		const nz_code *c = nz_get_code(i);
		assert_int_equal(RUN("explain", c->code), FINE);
		PRINTS(c->title);
		for (const char *line = out; *line; line = strchr(line, '\n') + 1)
			assert_true(strcspn(line, "\n") <= 120);
	}
	assert_int_equal(RUN("explain", "n0203"), FINE);
	PRINTS("N0203: an unknown name\n");
	PRINTS("    output a = perlim()\n");
	PRINTS("    output a = perlin()\n");
	assert_int_equal(RUN("explain", "[N0203]"), FINE);
	assert_int_equal(RUN("explain", "precedence", "N0101"), FINE);
	PRINTS("N0453: ");
	PRINTS("N0101: ");
	assert_int_equal(RUN("explain", "-Wprecedence"), FINE);
	PRINTS("-Wno-precedence");
	assert_int_equal(RUN("explain", "N0299"), USE);
	SAYS("no code or warning 'N0299'; did you mean 'N0209'?");
	assert_int_equal(RUN("explain", "presedence"), USE);
	SAYS("did you mean 'precedence'?");
	assert_int_equal(RUN("explain", "what"), USE);
	SAYS("'noisec explain' lists them");
	assert_int_equal(RUN("explain", "--help"), FINE);
	PRINTS("usage: noisec explain");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(colour_goes_to_terminals),
		cmocka_unit_test(shaders_and_json_have_no_colour),
		cmocka_unit_test(json_is_an_object_a_line),
		cmocka_unit_test(warnings_change_the_status_on_request_only),
		cmocka_unit_test(wrong_options_say_what_was_meant),
		cmocka_unit_test(max_errors_limits_what_is_shown),
		cmocka_unit_test(codes_are_explained),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
