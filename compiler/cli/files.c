/* Files read whole, and files written whole or not at all. */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"

int read_file(const char *path, char **data, size_t *size)
{
	bool standard = strcmp(path, "-") == 0;
	FILE *file = standard ? stdin : fopen(path, "rb");
	const char *shown = standard ? "standard input" : path;
	size_t capacity = 1 << 16;
	char *bytes = file != NULL ? malloc(capacity) : NULL;
	*size = 0;
	if (file == NULL)
		return complain(STATUS_FILE, "cannot read '%s': %s", shown, strerror(errno));
	while (bytes != NULL) {
		*size += fread(bytes + *size, 1, capacity - *size - 1, file);
		if (*size < capacity - 1)
			break;
		char *more = capacity <= SIZE_MAX / 2 ? realloc(bytes, capacity * 2) : NULL;
		if (more == NULL)
			free(bytes);
		bytes = more;
		capacity *= 2;
	}
	int error = bytes == NULL ? ENOMEM : ferror(file) ? errno : 0;
	if (!standard)
		fclose(file);
	if (error != 0) {
		free(bytes);
		return complain(STATUS_FILE, "cannot read '%s': %s", shown, strerror(error));
	}
	bytes[*size] = '\0';
	*data = bytes;
	return STATUS_FINE;
}

int check_distinct(const char *in, const char *out)
{
	struct stat a, b;
	if (in == NULL || out == NULL || strcmp(in, "-") == 0 || strcmp(out, "-") == 0)
		return STATUS_FINE;
	if (stat(in, &a) != 0 || stat(out, &b) != 0 || !S_ISREG(a.st_mode) || a.st_dev != b.st_dev || a.st_ino != b.st_ino)
		return STATUS_FINE;
	return complain(STATUS_USE, "'%s' would be written over its own source", out);
}

static int fail_out(OutFile *out, int error)
{
	if (out->file != NULL && out->file != stdout)
		fclose(out->file);
	if (out->temporary != NULL)
		unlink(out->temporary);
	free(out->temporary);
	free(out->target);
	complain(STATUS_FILE, "cannot write '%s': %s", out->path, strerror(error));
	*out = (OutFile) { 0 };
	return STATUS_FILE;
}

/* Only a regular file can be replaced by renaming; a device or a pipe is written to, and a link is followed. */
int open_out(OutFile *out, const char *path, bool binary)
{
	struct stat state;
	*out = (OutFile) { .path = path };
	if (path == NULL || strcmp(path, "-") == 0) {
		if (binary && isatty(STDOUT_FILENO))
			return complain(STATUS_USE, "not sending bytes to a terminal; give a file with -o FILE, or redirect");
		out->path = "standard output";
		out->file = stdout;
		errno = 0;
		return STATUS_FINE;
	}
	bool exists = stat(path, &state) == 0;
	if (exists && !S_ISREG(state.st_mode)) {
		errno = 0;
		out->file = fopen(path, "wb");
		return out->file != NULL ? STATUS_FINE : fail_out(out, errno);
	}
	if (exists && access(path, W_OK) != 0)
		return fail_out(out, errno);
	out->target = exists ? realpath(path, NULL) : strdup(path);
	if (out->target == NULL)
		return fail_out(out, errno);
	out->temporary = malloc(strlen(out->target) + 8);
	if (out->temporary == NULL)
		return fail_out(out, ENOMEM);
	strcpy(out->temporary, out->target);
	strcat(out->temporary, ".XXXXXX");
	int handle = mkstemp(out->temporary);
	if (handle < 0) {
		int error = errno;
		free(out->temporary);
		out->temporary = NULL;
		return fail_out(out, error);
	}
	mode_t mask = umask(0);
	umask(mask);
	fchmod(handle, exists ? state.st_mode & 0777 : 0666 & ~mask);
	out->file = fdopen(handle, "wb");
	if (out->file == NULL) {
		int error = errno;
		close(handle);
		return fail_out(out, error);
	}
	errno = 0;
	return STATUS_FINE;
}

int close_out(OutFile *out, bool keep)
{
	FILE *file = out->file;
	bool failed = fflush(file) != 0 || ferror(file);
	int error = errno != 0 ? errno : EIO;   /* of the write that failed last: open_out left it clear */
	if (failed && keep)
		return fail_out(out, error);
	if (file != stdout) {
		out->file = NULL;
		if (fclose(file) != 0 && keep)
			return fail_out(out, errno);
	}
	if (out->temporary != NULL && keep && rename(out->temporary, out->target) != 0)
		return fail_out(out, errno);
	if (out->temporary != NULL && !keep)
		unlink(out->temporary);
	free(out->temporary);
	free(out->target);
	*out = (OutFile) { 0 };
	return STATUS_FINE;
}
