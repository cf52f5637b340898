#include "replace.h"

#include "attrs.h"
#include "mem.h"
#include "str.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static enum eve_status fail(struct eve_err *err, const char *msg)
{
    return eve_fail(err, EVE_FAIL, EVE_RULE_NONE, msg, 0, errno);
}

/* The same for what is refused without an errno. */
static enum eve_status refuse(struct eve_err *err, const char *msg)
{
    return eve_fail(err, EVE_FAIL, EVE_RULE_NONE, msg, 0, 0);
}

/* `a`, `b` put together as an owned string. */
static enum eve_status concat(struct eve_slice a, struct eve_slice b, char **out,
                              struct eve_err *err)
{
    char *s = NULL;
    enum eve_status status = eve_mem_resize(&s, a.n + b.n + 1, 1, err);
    if (status == EVE_OK) {
        memcpy(s, a.p, a.n);
        memcpy(s + a.n, b.p, b.n);
        s[a.n + b.n] = '\0';
        *out = s;
    }
    return status;
}

/* The folder part of a path, its last slash included; empty for a bare name. */
static struct eve_slice folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return (struct eve_slice){path, slash == NULL ? 0 : (size_t)(slash + 1 - path)};
}

/* A signal that does not end the tool is nothing to it. */
static int open_again(const char *path, int flags)
{
    return (int)TEMP_FAILURE_RETRY(open(path, flags | O_CLOEXEC));
}

static void close_fd(int *fd)
{
    if (*fd >= 0) {
        (void)close(*fd);
        *fd = -1;
    }
}

static void start(struct eve_replace *r)
{
    *r = (struct eve_replace){.source_fd = -1, .fd = -1};
}

static void release(struct eve_replace *r)
{
    close_fd(&r->source_fd);
    close_fd(&r->fd);
    eve_mem_free(r->target);
    eve_mem_free(r->temp);
    eve_mem_free(r->backup);
    start(r);
}

void eve_replace_abort(struct eve_replace *r)
{
    if (r->temp != NULL) {
        (void)unlink(r->temp);
    }
    release(r);
}

static enum eve_status open_temp(struct eve_replace *r, struct eve_err *err)
{
    char *temp = NULL;
    enum eve_status status = concat(folder_of(r->target), eve_str(".evetools-XXXXXX"), &temp, err);
    if (status != EVE_OK) {
        return status;
    }
    r->fd = mkostemp(temp, O_CLOEXEC);
    if (r->fd < 0) {
        status = fail(err, "cannot create a temporary file beside it");
        eve_mem_free(temp);
        return status;
    }
    r->temp = temp;
    return EVE_OK;
}

/* Follow the links of `path` to what it names; *missing: there is nothing, and no link to nothing.
 */
static enum eve_status resolve(struct eve_replace *r, const char *path, bool *missing,
                               struct eve_err *err)
{
    char resolved[PATH_MAX];
    struct stat st;
    *missing = false;
    if (realpath(path, resolved) != NULL) {
        return concat(eve_str(resolved), eve_str(""), &r->target, err);
    }
    if (errno != ENOENT) {
        return fail(err, "cannot open");
    }
    if (lstat(path, &st) == 0) {
        errno = ENOENT;
        return fail(err, "the symbolic link leads nowhere");
    }
    *missing = true;
    return concat(eve_str(path), eve_str(""), &r->target, err);
}

/* The backup is the file itself: a run that was killed had come so far. */
static bool has_own_backup(const struct eve_replace *r)
{
    struct stat st;
    return r->backup != NULL && lstat(r->backup, &st) == 0 && st.st_dev == r->before.st_dev &&
           st.st_ino == r->before.st_ino;
}

static enum eve_status check_source(struct eve_replace *r, struct eve_err *err)
{
    if (fstat(r->source_fd, &r->before) != 0) {
        return fail(err, "cannot read");
    }
    if (S_ISDIR(r->before.st_mode)) {
        errno = EISDIR;
        return fail(err, "cannot read");
    }
    if (!S_ISREG(r->before.st_mode)) {
        return refuse(err, "not a regular file; it cannot be rewritten in place");
    }
    if (r->before.st_nlink > (has_own_backup(r) ? 2 : 1)) {
        return refuse(err, "has hard links; rewriting it in place would part them");
    }
    return EVE_OK;
}

enum eve_status eve_replace_in_place(struct eve_replace *r, const char *path, const char *suffix,
                                     struct eve_err *err)
{
    bool missing = false;
    start(r);
    enum eve_status status = resolve(r, path, &missing, err);
    r->existed = true;
    if (status == EVE_OK && suffix != NULL) {
        status = concat(eve_str(r->target), eve_str(suffix), &r->backup, err);
    }
    if (status == EVE_OK) {
        r->source_fd = open_again(r->target, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
        status = r->source_fd < 0 ? fail(err, "cannot open") : check_source(r, err);
    }
    if (status == EVE_OK) {
        status = open_temp(r, err);
    }
    if (status != EVE_OK) {
        eve_replace_abort(r);
    }
    return status;
}

/* A socket cannot be opened; it is connected to. */
static int connect_socket(const char *path)
{
    struct sockaddr_un addr = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof addr.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(addr.sun_path, path, strlen(path) + 1);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && connect(fd, (const struct sockaddr *)&addr, sizeof addr) != 0) {
        int sys = errno;
        (void)close(fd);
        errno = sys;
        fd = -1;
    }
    return fd;
}

static enum eve_status open_direct(struct eve_replace *r, struct eve_err *err)
{
    r->direct = true;
    r->fd = S_ISSOCK(r->before.st_mode) ? connect_socket(r->target)
                                        : open_again(r->target, O_WRONLY | O_NOCTTY);
    return r->fd < 0 ? fail(err, "cannot open") : EVE_OK;
}

/* What the path names cannot be resolved when it is a pipe in /proc (as /dev/stdout may be); then
 * it is opened by its own name. */
static enum eve_status look(struct eve_replace *r, const char *path, struct eve_err *err)
{
    struct stat st;
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
        r->existed = true;
        r->before = st;
        return concat(eve_str(path), eve_str(""), &r->target, err);
    }
    bool missing = false;
    enum eve_status status = resolve(r, path, &missing, err);
    if (status == EVE_OK && !missing) {
        r->existed = true;
        if (stat(r->target, &r->before) != 0) {
            status = fail(err, "cannot open");
        }
    }
    return status;
}

enum eve_status eve_replace_output(struct eve_replace *r, const char *path, struct eve_err *err)
{
    start(r);
    enum eve_status status = look(r, path, err);
    if (status == EVE_OK && r->existed && S_ISDIR(r->before.st_mode)) {
        errno = EISDIR;
        status = fail(err, "cannot write");
    } else if (status == EVE_OK && r->existed && S_ISBLK(r->before.st_mode)) {
        status = refuse(err, "a block device is not written to");
    } else if (status == EVE_OK && r->existed && !S_ISREG(r->before.st_mode)) {
        status = open_direct(r, err);
    } else if (status == EVE_OK) {
        status = open_temp(r, err);
    }
    if (status != EVE_OK) {
        eve_replace_abort(r);
    }
    return status;
}

static enum eve_status dress(const struct eve_replace *r, struct eve_err *err)
{
    if (!r->existed) {
        return eve_attrs_new(r->fd, err);
    }
    int from = r->source_fd >= 0 ? dup(r->source_fd) : open_again(r->target, O_RDONLY);
    enum eve_status status = eve_attrs_copy(from, r->fd, &r->before, err);
    close_fd(&from);
    return status;
}

static bool same_time(struct timespec a, struct timespec b)
{
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

/* `now` is the file that was opened, and nobody wrote to it. */
static bool is_as_before(const struct eve_replace *r, const struct stat *now)
{
    return now->st_dev == r->before.st_dev && now->st_ino == r->before.st_ino &&
           now->st_size == r->before.st_size && same_time(now->st_mtim, r->before.st_mtim);
}

/* The target is still what it was when it was opened. */
static enum eve_status check_unchanged(const struct eve_replace *r, struct eve_err *err)
{
    struct stat now;
    if (stat(r->target, &now) != 0) {
        return errno == ENOENT && !r->existed ? EVE_OK : fail(err, "changed meanwhile");
    }
    if (!r->existed || !is_as_before(r, &now) || now.st_nlink != r->before.st_nlink ||
        !same_time(now.st_ctim, r->before.st_ctim)) {
        return refuse(err, "changed meanwhile by somebody else; left as it is");
    }
    return EVE_OK;
}

enum eve_status eve_replace_sync_folder(const char *path, struct eve_err *err)
{
    char *folder = NULL;
    struct eve_slice name = folder_of(path);
    enum eve_status status = concat(name.n > 0 ? name : eve_str("."), eve_str(""), &folder, err);
    if (status != EVE_OK) {
        return status;
    }
    int fd = open_again(folder, O_RDONLY | O_DIRECTORY);
    /* A folder that cannot be read cannot be synced, and some file systems have no such thing. */
    if (fd >= 0 && TEMP_FAILURE_RETRY(fsync(fd)) != 0 && errno != EINVAL && errno != ENOTSUP) {
        status = fail(err, "the file is in place, but its folder could not be synced");
    }
    close_fd(&fd);
    eve_mem_free(folder);
    return status;
}

/* The bytes of the old file, for a backup where links cannot be made. */
static enum eve_status copy_bytes(int from, int to, struct eve_err *err)
{
    char block[16384];
    off_t at = 0;
    for (;;) {
        ssize_t n = TEMP_FAILURE_RETRY(pread(from, block, sizeof block, at));
        if (n <= 0) {
            return n == 0 ? EVE_OK : fail(err, "cannot read");
        }
        for (ssize_t done = 0; done < n;) {
            ssize_t wrote = TEMP_FAILURE_RETRY(write(to, block + done, (size_t)(n - done)));
            if (wrote < 0) {
                return fail(err, "cannot write its backup");
            }
            done += wrote;
        }
        at += n;
    }
}

static enum eve_status copy_backup(const struct eve_replace *r, struct eve_err *err)
{
    int fd =
        (int)TEMP_FAILURE_RETRY(open(r->backup, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (fd < 0) {
        return fail(err, "cannot make its backup");
    }
    enum eve_status status = copy_bytes(r->source_fd, fd, err);
    if (status == EVE_OK) {
        status = eve_attrs_copy(r->source_fd, fd, &r->before, err);
    }
    if (status == EVE_OK && TEMP_FAILURE_RETRY(fsync(fd)) != 0) {
        status = fail(err, "cannot write its backup");
    }
    if (close(fd) != 0 && errno != EINTR && status == EVE_OK) {
        status = fail(err, "cannot write its backup");
    }
    if (status != EVE_OK) {
        (void)unlink(r->backup);
    }
    return status;
}

/* *made: there is a backup now that was not there before. */
static enum eve_status make_backup(const struct eve_replace *r, bool *made, struct eve_err *err)
{
    *made = false;
    if (r->backup == NULL || has_own_backup(r)) {
        return EVE_OK;
    }
    if (link(r->target, r->backup) == 0) {
        *made = true;
        return EVE_OK;
    }
    if (errno == EEXIST) {
        return refuse(err, "its backup exists already and is not replaced");
    }
    enum eve_status status = copy_backup(r, err);
    *made = status == EVE_OK;
    return status;
}

/* The temporary name is no longer ours to remove. */
static void forget_temp(struct eve_replace *r)
{
    eve_mem_free(r->temp);
    r->temp = NULL;
}

/* The names were exchanged: the old file has the temporary name now. Did somebody write to it after
 * the last look? Then change back, unless the new one was written to as well. */
static enum eve_status settle_exchange(struct eve_replace *r, struct eve_err *err)
{
    struct stat old;
    struct stat new;
    if (stat(r->temp, &old) != 0 || is_as_before(r, &old)) {
        (void)unlink(r->temp);
        forget_temp(r);
        return EVE_OK;
    }
    bool untouched = stat(r->target, &new) == 0 &&
                     new.st_ino == r->after.st_ino &&new.st_size ==
                         r->after.st_size &&same_time(new.st_mtim, r->after.st_mtim);
    if (untouched && renameat2(AT_FDCWD, r->temp, AT_FDCWD, r->target, RENAME_EXCHANGE) == 0) {
        return refuse(err, "changed meanwhile by somebody else; left as it is");
    }
    forget_temp(r);
    return refuse(err,
                  "changed while it was replaced; what it was is kept beside it, under a name that "
                  "begins with .evetools-");
}

/* Put the new file in the place of the old one. Exchanging the names keeps the old one until it is
 * known that nobody wrote to it; where that cannot be done, it is renamed over. */
static enum eve_status put_in_place(struct eve_replace *r, struct eve_err *err)
{
    struct stat old;
    if (r->existed && renameat2(AT_FDCWD, r->temp, AT_FDCWD, r->target, RENAME_EXCHANGE) == 0) {
        return settle_exchange(r, err);
    }
    if (rename(r->temp, r->target) != 0) {
        return fail(err, "cannot replace it");
    }
    forget_temp(r);
    if (r->source_fd >= 0 && fstat(r->source_fd, &old) == 0 && !is_as_before(r, &old)) {
        return refuse(err, "somebody wrote to it in the moment it was replaced; that is lost");
    }
    return EVE_OK;
}

static enum eve_status swap(struct eve_replace *r, struct eve_err *err)
{
    bool made = false;
    enum eve_status status = check_unchanged(r, err);
    if (status == EVE_OK) {
        status = make_backup(r, &made, err);
    }
    if (status != EVE_OK) {
        return status;
    }
    status = put_in_place(r, err);
    if (status == EVE_OK) {
        return eve_replace_sync_folder(r->target, err);
    }
    if (made && r->temp != NULL) { /* the target is as it was */
        (void)unlink(r->backup);
    }
    return status;
}

enum eve_status eve_replace_commit(struct eve_replace *r, struct eve_err *err)
{
    enum eve_status status = EVE_OK;
    if (!r->direct) {
        status = dress(r, err);
        if (status == EVE_OK &&
            (TEMP_FAILURE_RETRY(fsync(r->fd)) != 0 || fstat(r->fd, &r->after) != 0)) {
            status = fail(err, "cannot write");
        }
    }
    int fd = r->fd;
    r->fd = -1;
    if (fd >= 0 && close(fd) != 0 && errno != EINTR && status == EVE_OK) {
        status = fail(err, "cannot write");
    }
    if (status == EVE_OK && !r->direct) {
        status = swap(r, err);
    }
    eve_replace_abort(r);
    return status;
}
