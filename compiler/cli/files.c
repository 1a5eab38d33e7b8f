/* Files read whole, and files written whole or not at all: under another name beside their place, then renamed.
   What is neither a regular file nor new (a device, a pipe) is written to directly. Several outputs of one run
   are all complete before the first is renamed. A signal that ends the command removes what is not in place. */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"

enum { READ_LIMIT = 1 << 30 };          /* the compiler takes no more; endless devices end here */

static bool is_standard(const char *path) { return path == NULL || strcmp(path, "-") == 0; }

int read_file(const char *path, char **data, size_t *size)
{
	bool standard = is_standard(path);
	FILE *file = standard ? stdin : fopen(path, "rb");
	const char *shown = standard ? "standard input" : path;
	size_t capacity = 1 << 16;
	*size = 0;
	if (path[0] == '\0')
		return complain(STATUS_USE, "a file's name is empty");
	if (file == NULL)
		return complain(STATUS_FILE, "cannot read '%s': %s", shown, strerror(errno));
	char *bytes = malloc(capacity);
	errno = 0;
	while (bytes != NULL) {
		*size += fread(bytes + *size, 1, capacity - *size - 1, file);
		if (*size < capacity - 1 || *size > READ_LIMIT)
			break;
		char *more = realloc(bytes, capacity * 2);
		if (more == NULL)
			free(bytes);
		bytes = more;
		capacity *= 2;
	}
	int error = bytes == NULL ? ENOMEM : ferror(file) ? errno : *size > READ_LIMIT ? EFBIG : 0;
	if (!standard)
		fclose(file);
	if (error != 0) {
		free(bytes);
		return complain(STATUS_FILE, "cannot read '%s': %s", shown, error == EFBIG ? "more than 1 GiB" : strerror(error));
	}
	bytes[*size] = '\0';
	*data = bytes;
	return STATUS_FINE;
}

/* ---- names ---- */

static const char *find_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash != NULL ? slash + 1 : path;
}

bool is_folder(const char *path)
{
	struct stat state;
	size_t size = strlen(path);
	return !is_standard(path) && size > 0 && (path[size - 1] == '/' || (stat(path, &state) == 0 && S_ISDIR(state.st_mode)));
}

/* The number behind /dev/stdout and the like, which name what is open already: perhaps a file with something in it.
   -1: another path. */
static int find_descriptor(const char *path)
{
	static const char *const names[] = { "/dev/stdin", "/dev/stdout", "/dev/stderr" }, *const folders[] = { "/dev/fd/", "/proc/self/fd/" };
	uint64_t number;
	for (int i = 0; i < 3; i++)
		if (strcmp(path, names[i]) == 0)
			return i;
	for (int i = 0; i < 2; i++)
		if (strncmp(path, folders[i], strlen(folders[i])) == 0 && read_uint(path + strlen(folders[i]), INT_MAX, &number))
			return (int)number;
	return -1;
}

bool is_stream(const char *path)
{
	struct stat state;
	return is_standard(path) || find_descriptor(path) >= 0 || (stat(path, &state) == 0 && !S_ISREG(state.st_mode));
}

/* The file of `name` in the folder of `path`; the caller frees it. */
static char *put_beside(const char *path, const char *name)
{
	size_t size = (size_t)(find_name(path) - path);
	char *result = malloc(size + strlen(name) + 1);
	if (result != NULL) {
		memcpy(result, path, size);
		strcpy(result + size, name);
	}
	return result;
}

/* Where the text of `path` goes: links are followed, to a file that need not exist. NULL: errno. */
static char *follow_links(const char *path)
{
	char *now = strdup(path);
	for (int links = 0; now != NULL; links++) {
		char to[PATH_MAX];
		struct stat state;
		if (lstat(now, &state) != 0 || !S_ISLNK(state.st_mode))
			return now;
		ssize_t size = readlink(now, to, sizeof to - 1);
		char *next = NULL;
		if (links == 40)
			errno = ELOOP;
		else if (size >= 0) {
			to[size] = '\0';
			next = to[0] == '/' ? strdup(to) : put_beside(now, to);
		}
		free(now);
		now = next;
	}
	return NULL;
}

/* ---- no file twice ---- */

typedef struct Place {
	const char *path;
	bool in;                                /* a file that is read */
	bool exists;
	dev_t device; ino_t number;             /* of the file, or of its folder */
	const char *name;                       /* "" if it exists */
} Place;

/* Returns false for what may be opened more than once. */
static bool find_place(const char *path, bool in, Place *out)
{
	struct stat state;
	*out = (Place) { .path = path, .in = in, .name = "" };
	if (is_standard(path))
		return !in;                     /* two products in one stream could not be told apart */
	if (!in && find_descriptor(path) >= 0)
		return false;
	if (stat(path, &state) == 0) {
		out->exists = true;
		out->device = state.st_dev;
		out->number = state.st_ino;
		return S_ISREG(state.st_mode);
	}
	char *folder = put_beside(path, ".");
	out->name = path;
	if (folder != NULL && stat(folder, &state) == 0) {
		out->device = state.st_dev;
		out->number = state.st_ino;
		out->name = find_name(path);
	}
	free(folder);
	return true;
}

static int compare_places(const void *left, const void *right)
{
	const Place *a = left, *b = right;
	if (a->exists != b->exists)
		return a->exists ? 1 : -1;
	if (a->device != b->device)
		return a->device < b->device ? -1 : 1;
	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	int names = strcmp(a->name, b->name);
	return names != 0 ? names : (int)b->in - (int)a->in;
}

static bool is_same_place(const Place *a, const Place *b)
{
	return a->exists == b->exists && a->device == b->device && a->number == b->number && strcmp(a->name, b->name) == 0;
}

int check_distinct(const char *const *in, size_t ins, const char *const *out, size_t outs)
{
	Place *place = calloc(ins + outs + 1, sizeof *place);
	size_t count = 0;
	int status = STATUS_FINE;
	if (place == NULL)
		return complain(STATUS_FILE, "out of memory");
	for (size_t i = 0; i < ins + outs; i++)
		count += find_place(i < ins ? in[i] : out[i - ins], i < ins, &place[count]);
	qsort(place, count, sizeof *place, compare_places);
	for (size_t i = 1; i < count && status == STATUS_FINE; i++) {
		const Place *a = &place[i - 1], *b = &place[i];
		if (b->in || !is_same_place(a, b))
			continue;
		if (a->in)
			status = complain(STATUS_USE, "'%s' would be written over its own source", b->path);
		else if (is_standard(b->path))
			status = complain(STATUS_USE, "two outputs on standard output; give one a file");
		else
			status = complain(STATUS_USE, "two outputs would be written to '%s'", b->path);
	}
	free(place);
	return status;
}

/* ---- signals ---- */

static OutFile *pending;                        /* files not in place; changed with the signals below held back */

static const int endings[] = { SIGHUP, SIGINT, SIGTERM };
enum { ENDINGS = sizeof endings / sizeof *endings };

static void remove_pending(int number)
{
	for (OutFile *out = pending; out != NULL; out = out->next)
		unlink(out->temporary);
	signal(number, SIG_DFL);                /* and the command ends as it would have */
	raise(number);
}

static sigset_t hold_signals(void)
{
	sigset_t held, before;
	sigemptyset(&held);
	for (int i = 0; i < ENDINGS; i++)
		sigaddset(&held, endings[i]);
	sigprocmask(SIG_BLOCK, &held, &before);
	return before;
}

static void release_signals(sigset_t before) { sigprocmask(SIG_SETMASK, &before, NULL); }

/* A closed standard stream would lend its number to the next file opened, and messages or products would land
   there. It is opened so that using it fails. */
static void fill_streams(void)
{
	for (int handle = 0; handle < 3; handle++)
		if (fcntl(handle, F_GETFD) < 0 && open("/dev/null", handle == STDIN_FILENO ? O_WRONLY : O_RDONLY) != handle)
			_exit(STATUS_FILE);     /* there is nowhere to tell it */
}

void prepare_streams(void)
{
	fill_streams();
	struct sigaction action = { .sa_handler = remove_pending }, before;
	sigemptyset(&action.sa_mask);
	for (int i = 0; i < ENDINGS; i++)       /* what nohup ignores stays ignored */
		if (sigaction(endings[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
			sigaction(endings[i], &action, NULL);
	signal(SIGPIPE, SIG_IGN);               /* a closed pipe or a full quota is a failed write, reported like others */
	signal(SIGXFSZ, SIG_IGN);
}

static void forget(OutFile *out)
{
	for (OutFile **at = &pending; *at != NULL; at = &(*at)->next)
		if (*at == out) {
			*at = out->next;
			return;
		}
}

/* ---- outputs ---- */

/* As if never opened. */
void drop_out(OutFile *out)
{
	if (out->file != NULL && out->file != stdout)
		fclose(out->file);
	if (out->temporary != NULL) {
		sigset_t before = hold_signals();
		unlink(out->temporary);
		forget(out);
		release_signals(before);
	}
	free(out->temporary);
	free(out->target);
	*out = (OutFile) { 0 };
}

static int fail_out(OutFile *out, int error)
{
	const char *path = out->path;
	drop_out(out);
	return complain(STATUS_FILE, "cannot write '%s': %s", path, strerror(error));
}

/* A new file beside the target, with the rights and, where possible, the owner of what it replaces. Its name is
   short, so that every target's is possible. */
static int open_temporary(OutFile *out, const struct stat *old)
{
	out->temporary = put_beside(out->target, ".noisec-XXXXXX");
	if (out->temporary == NULL)
		return ENOMEM;
	sigset_t before = hold_signals();
	int handle = mkstemp(out->temporary), error = errno;
	if (handle >= 0) {
		out->next = pending;
		pending = out;
	}
	release_signals(before);
	if (handle < 0) {
		free(out->temporary);
		out->temporary = NULL;
		return error;
	}
	mode_t mask = umask(0);
	umask(mask);
	bool owned = old == NULL || fchown(handle, old->st_uid, old->st_gid) == 0;
	mode_t mode = old == NULL ? 0666 & ~mask : old->st_mode & 0777;
	if (!owned && old->st_gid != getegid())
		mode &= 0707;                   /* rights of another group are not for ours */
	fchmod(handle, mode);
	out->file = fdopen(handle, "wb");
	if (out->file != NULL)
		return 0;
	error = errno;
	close(handle);
	return error;
}

int open_out(OutFile *out, const char *path, bool binary)
{
	struct stat state;
	*out = (OutFile) { .path = path };
	if (is_standard(path)) {
		if (binary && isatty(STDOUT_FILENO))
			return complain(STATUS_USE, "not sending bytes to a terminal; give a file with -o FILE, or redirect");
		out->path = "standard output";
		out->file = stdout;
		errno = 0;
		return STATUS_FINE;
	}
	if (path[0] == '\0')
		return complain(STATUS_USE, "the name of a file to write is empty");
	bool exists = stat(path, &state) == 0;
	if (!exists && errno != ENOENT)
		return fail_out(out, errno);
	int descriptor = find_descriptor(path);
	if (exists && (descriptor >= 0 || !S_ISREG(state.st_mode))) {
		int handle = descriptor >= 0 ? dup(descriptor) : -1;
		out->file = handle >= 0 ? fdopen(handle, "wb") : fopen(path, "wb");
		if (out->file == NULL)
			return fail_out(out, errno);
	} else {
		if (exists && access(path, W_OK) != 0)
			return fail_out(out, errno);
		out->target = follow_links(path);
		if (out->target == NULL)
			return fail_out(out, errno);
		if (strlen(find_name(out->target)) > NAME_MAX)
			return fail_out(out, ENAMETOOLONG);
		int error = open_temporary(out, exists ? &state : NULL);
		if (error != 0)
			return fail_out(out, error);
	}
	errno = 0;
	return STATUS_FINE;
}

int seal_out(OutFile *out)
{
	FILE *file = out->file;
	if (fflush(file) != 0 || ferror(file))
		return fail_out(out, errno != 0 ? errno : EIO);         /* of the write that failed last: open_out left it clear */
	if (out->temporary != NULL && fsync(fileno(file)) != 0 && errno != EINVAL && errno != ENOSYS)
		return fail_out(out, errno);    /* before the renaming, so that a crash leaves the old text or the new */
	if (file != stdout) {
		out->file = NULL;
		if (fclose(file) != 0)
			return fail_out(out, errno);
	}
	return STATUS_FINE;
}

int place_out(OutFile *out)
{
	if (out->temporary != NULL) {
		sigset_t before = hold_signals();
		int error = rename(out->temporary, out->target) != 0 ? errno : 0;
		if (error == 0)
			forget(out);
		release_signals(before);
		if (error != 0)
			return fail_out(out, error);
		free(out->temporary);
		out->temporary = NULL;
	}
	out->file = NULL;
	drop_out(out);
	return STATUS_FINE;
}

int close_out(OutFile *out)
{
	int status = seal_out(out);
	return status == STATUS_FINE ? place_out(out) : status;
}

int make_folder(const char *path, bool *made)
{
	struct stat state;
	*made = mkdir(path, 0777) == 0;
	int error = errno;
	if (*made || (stat(path, &state) == 0 && S_ISDIR(state.st_mode)))
		return STATUS_FINE;
	return complain(STATUS_FILE, "cannot make the folder '%s': %s", path, strerror(error == EEXIST ? ENOTDIR : error));
}

void remove_folder(const char *path) { rmdir(path); }
