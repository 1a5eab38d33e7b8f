/* One run of build: what the options say, and the products that follow from it. */
#ifndef NOISEC_BUILD_H
#define NOISEC_BUILD_H

#include "cli.h"

enum { TARGETS_MAX = 32 };

typedef enum JobKind { JOB_TARGET, JOB_DUMP, JOB_REFLECT, JOB_HEADER, JOB_RULE } JobKind;

typedef struct Job {                            /* what a product holds; in the order of Build.products */
	JobKind kind;
	size_t file;                            /* of Build.files; JOB_RULE of -M and -MF: ALL_FILES */
	size_t which;                           /* TARGET: of Build.target. RULE: the job that it is about, or ALL_JOBS */
	char *made;                             /* its file as a rule names it; RULE: NULL */
} Job;

#define ALL_FILES SIZE_MAX
#define ALL_JOBS SIZE_MAX

typedef struct Build {
	Subject subject;                        /* of one file after the other */
	const char **files;
	size_t file_count;
	nz_emit_options emit;
	nz_target target[TARGETS_MAX];
	size_t target_count;
	const char *path, *stage, *reflect, *header;
	bool rules, rules_only, phony;          /* -MD; -M; -MP */
	const char *rule_path;                  /* -MF */
	char **rule_target;                     /* -MT, -MQ; quoted */
	size_t rule_target_count;
	Products products;
	Job *job;
} Build;

/* build_plan.c */
int plan_build(Build *);                                /* names the products */
int make_build(Build *);                                /* compiles, fills and writes them */

#endif
