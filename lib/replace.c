#include "replace.h"

#include "mem.h"
#include "str.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/xattr.h>
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
    if (r->before.st_nlink > 1) {
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
    if (status == EVE_OK) {
        r->source_fd = open_again(r->target, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
        status = r->source_fd < 0 ? fail(err, "cannot open") : check_source(r, err);
    }
    r->existed = true;
    if (status == EVE_OK && suffix != NULL) {
        status = concat(eve_str(r->target), eve_str(suffix), &r->backup, err);
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

/* Owner first, since a change of owner clears set-id bits; then the mode. Where the group cannot be
 * kept, a new one must not get more than everybody has. */
static enum eve_status copy_owner(const struct eve_replace *r, bool *same_group,
                                  struct eve_err *err)
{
    mode_t mode = r->before.st_mode & 07777;
    *same_group = true;
    /* An ACL inherited from the folder would be opened up by the mode; the file's own comes later.
     */
    (void)!fremovexattr(r->fd, "system.posix_acl_access");
    if (fchown(r->fd, r->before.st_uid, r->before.st_gid) != 0) {
        mode &= (mode_t) ~(S_ISUID | S_ISGID);
        if (fchown(r->fd, (uid_t)-1, r->before.st_gid) != 0) {
            *same_group = false;
            mode &= ~(mode_t)S_IRWXG | (mode & S_IRWXO) << 3;
        }
    }
    return fchmod(r->fd, mode) == 0 ? EVE_OK : fail(err, "cannot set the mode of the new file");
}

/* One attribute; a buffer that is large enough is kept in *value. */
static void copy_attribute(const struct eve_replace *r, int from, const char *name, char **value,
                           size_t *room)
{
    struct eve_err ignored;
    ssize_t size = fgetxattr(from, name, NULL, 0);
    if (size < 0 ||
        ((size_t)size > *room && eve_mem_resize(value, (size_t)size, 1, &ignored) != EVE_OK)) {
        return;
    }
    *room = (size_t)size > *room ? (size_t)size : *room;
    size = fgetxattr(from, name, *value, *room);
    if (size >= 0) {
        (void)!fsetxattr(r->fd, name, *value, (size_t)size, 0);
    }
}

/* Extended attributes and, if the group is the same, ACLs; where the system allows it. */
static void copy_attributes(const struct eve_replace *r, int from, bool same_group)
{
    struct eve_err ignored;
    char *names = NULL;
    char *value = NULL;
    size_t room = 0;
    ssize_t n = flistxattr(from, NULL, 0);
    if (n > 0 && eve_mem_resize(&names, (size_t)n, 1, &ignored) == EVE_OK) {
        n = flistxattr(from, names, (size_t)n);
        for (ssize_t i = 0; i < n; i += (ssize_t)strlen(names + i) + 1) {
            if (same_group || strncmp(names + i, "system.posix_acl", 16) != 0) {
                copy_attribute(r, from, names + i, &value, &room);
            }
        }
    }
    eve_mem_free(names);
    eve_mem_free(value);
}

static enum eve_status dress(const struct eve_replace *r, struct eve_err *err)
{
    bool same_group = true;
    if (!r->existed) {
        mode_t mask = umask(0);
        (void)umask(mask);
        return fchmod(r->fd, 0666 & ~mask) == 0 ? EVE_OK
                                                : fail(err, "cannot set the mode of the new file");
    }
    enum eve_status status = copy_owner(r, &same_group, err);
    int from = r->source_fd >= 0 ? dup(r->source_fd) : open_again(r->target, O_RDONLY);
    if (status == EVE_OK && from >= 0) {
        copy_attributes(r, from, same_group);
    }
    close_fd(&from);
    return status;
}

static bool same_time(struct timespec a, struct timespec b)
{
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

/* The target is still what it was when it was opened. */
static enum eve_status check_unchanged(const struct eve_replace *r, struct eve_err *err)
{
    struct stat now;
    if (stat(r->target, &now) != 0) {
        return errno == ENOENT && !r->existed ? EVE_OK : fail(err, "changed meanwhile");
    }
    if (!r->existed || now.st_dev != r->before.st_dev || now.st_ino != r->before.st_ino ||
        now.st_size != r->before.st_size || !same_time(now.st_mtim, r->before.st_mtim)) {
        return refuse(err, "changed meanwhile by somebody else; left as it is");
    }
    return EVE_OK;
}

/* A name in a folder is only safe on disk when the folder is synced. */
static void sync_folder(const char *target)
{
    char *folder = NULL;
    struct eve_err ignored;
    struct eve_slice name = folder_of(target);
    if (concat(name.n > 0 ? name : eve_str("."), eve_str(""), &folder, &ignored) == EVE_OK) {
        int fd = open_again(folder, O_RDONLY | O_DIRECTORY);
        if (fd >= 0) {
            (void)fsync(fd); /* some file systems cannot; the rename itself has happened */
        }
        close_fd(&fd);
        eve_mem_free(folder);
    }
}

static enum eve_status swap(struct eve_replace *r, struct eve_err *err)
{
    enum eve_status status = check_unchanged(r, err);
    if (status == EVE_OK && r->backup != NULL && link(r->target, r->backup) != 0) {
        return errno == EEXIST ? refuse(err, "its backup exists already and is not replaced")
                               : fail(err, "cannot make the backup");
    }
    if (status == EVE_OK && rename(r->temp, r->target) != 0) {
        status = fail(err, "cannot replace it");
        if (r->backup != NULL) {
            (void)unlink(r->backup);
        }
        return status;
    }
    if (status == EVE_OK) {
        eve_mem_free(r->temp);
        r->temp = NULL;
        sync_folder(r->target);
    }
    return status;
}

enum eve_status eve_replace_commit(struct eve_replace *r, struct eve_err *err)
{
    enum eve_status status = EVE_OK;
    if (!r->direct) {
        status = dress(r, err);
        if (status == EVE_OK && TEMP_FAILURE_RETRY(fsync(r->fd)) != 0) {
            status = fail(err, "cannot write");
        }
    }
    int fd = r->fd;
    r->fd = -1;
    if (fd >= 0 && close(fd) != 0 && status == EVE_OK) {
        status = fail(err, "cannot write");
    }
    if (status == EVE_OK && !r->direct) {
        status = swap(r, err);
    }
    eve_replace_abort(r);
    return status;
}
