/* The command under test: run it, look at what it says, prints and writes. See command.c. */
#ifndef NOISEC_TESTS_COMMAND_H
#define NOISEC_TESTS_COMMAND_H

#include <stdarg.h>
#include <stdbool.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

enum { FINE = 0, SOURCE = 1, USE = 2, FILES = 3 };      /* exit statuses */

typedef struct Bytes { char *data; size_t size; } Bytes;       /* with a NUL behind */

/* How the next runs differ from a plain one. */
typedef struct Given {
	const char *input;                      /* NULL: none */
	size_t input_size;
	const char *folder;                     /* NULL: work */
	const char *output;                     /* NULL: caught */
	int output_handle;                      /* 0: none */
	const char *const *environment;         /* NAME=VALUE..., NULL */
	bool powerless;                         /* as a user who owns nothing, where we are root */
} Given;
extern Given given;

extern char base[256], work[300];               /* work: where the command runs */
extern Bytes out, err;                          /* of the last run */
extern const char line_source[], many_source[]; /* line.noise and many.noise, which every test begins with */

int run(const char *const *argv);               /* returns the exit status; a signal fails the test */
/* A run that fails prints a message and no product. */
void expect(int line, int status, const char *const *argv);
#define EXPECT(status, ...) expect(__LINE__, status, (const char *const[]){ NOISEC, __VA_ARGS__, NULL })
void says(int line, const char *text);
#define SAYS(text) says(__LINE__, text)         /* on standard error */
#define PRINTS(text) (assert_string_equal(out.data, text), assert_int_equal(out.size, strlen(text)))
#define ONE_LINE() assert_ptr_equal(strchr(err.data, '\n'), err.data + err.size - 1)     /* the message is one line */
void feed(const char *text);                    /* to standard input of the next runs */
char *copy_output(void);

const char *in_work(const char *name);          /* its path; of the last two calls */
Bytes read_bytes(const char *path);
void put_bytes(const char *name, const void *data, size_t size);
void put(const char *name, const char *text);
void expect_file(const char *name, const char *text);
int count_files(const char *folder);
void remove_folder(const char *folder);
void each_example(void (*use)(const char *path, const char *name));

/* Of a group, and before each of its tests. */
int open_folder(void **state);
int close_folder(void **state);
int reset(void **state);
#define TEST(name) cmocka_unit_test_setup(name, reset)
#define RUN_TESTS(tests) cmocka_run_group_tests(tests, open_folder, close_folder)

#endif
