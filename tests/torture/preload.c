/*
 * preload: a library for LD_PRELOAD that makes one system call or allocation of a tool go wrong.
 *
 * What happens comes from the environment, read at the start:
 *   TORTURE_SERIES  which calls count: io (all but memory), intr (those that a signal may
 *                   interrupt), memory
 *   TORTURE_AT      at which of them it happens, from 1; 0 or not set: nowhere
 *   TORTURE_DO      what: a number is the errno the call fails with; kill-before, kill-after,
 *                   stop-before, term-before, term-after send the signal to the tool itself
 *   TORTURE_FOREVER if set, all later calls of the series fail too
 *   TORTURE_SMALL   reads and writes take at most so many bytes; 0 or not set: no limit
 *   TORTURE_FD      the name of the call is written there when it happens
 *
 * Messages of the tools go through stdio, whose own calls do not come by here.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <unistd.h>

enum series { IO = 1, INTR = 2, MEMORY = 4 };
enum action { NOTHING, FAIL, KILL_BEFORE, KILL_AFTER, STOP_BEFORE, TERM_BEFORE, TERM_AFTER };

static struct {
    bool ready;
    unsigned series;
    unsigned long at;
    unsigned long seen;
    enum action action;
    int error;
    bool forever;
    size_t small;
    int fd;
} plan;

static unsigned long number(const char *name)
{
    const char *s = getenv(name);
    return s == NULL ? 0 : strtoul(s, NULL, 10);
}

/* What happens before (in the loader, in sanitizers) does not count. */
__attribute__((constructor)) static void make_ready(void)
{
    static const char *const actions[] = {
        "", "", "kill-before", "kill-after", "stop-before", "term-before", "term-after"};
    const char *series = getenv("TORTURE_SERIES");
    const char *what = getenv("TORTURE_DO");
    plan.ready = true;
    plan.at = number("TORTURE_AT");
    plan.small = number("TORTURE_SMALL");
    plan.forever = getenv("TORTURE_FOREVER") != NULL;
    plan.fd = getenv("TORTURE_FD") != NULL ? (int)number("TORTURE_FD") : -1;
    plan.series = series == NULL                ? 0
                  : strcmp(series, "io") == 0   ? IO
                  : strcmp(series, "intr") == 0 ? INTR
                                                : MEMORY;
    plan.error = (int)number("TORTURE_DO");
    plan.action = plan.error > 0 ? FAIL : NOTHING;
    for (int i = KILL_BEFORE; what != NULL && i <= TERM_AFTER; i++) {
        if (strcmp(what, actions[i]) == 0) {
            plan.action = (enum action)i;
        }
    }
}

static void send_self(int sig)
{
    (void)syscall(SYS_kill, syscall(SYS_getpid), sig);
}

/* A call of these series is about to be made. Returns the errno it is to fail with, or 0; *after is
 * the signal to send when it was made. */
static int begin(unsigned series, const char *name, int *after)
{
    *after = 0;
    if (!plan.ready || (plan.series & series) == 0 || plan.at == 0) {
        return 0;
    }
    plan.seen++;
    if (plan.seen != plan.at && !(plan.forever && plan.seen > plan.at)) {
        return 0;
    }
    if (plan.fd >= 0 && plan.seen == plan.at) {
        (void)syscall(SYS_write, plan.fd, name, strlen(name));
    }
    switch (plan.action) {
    case KILL_BEFORE:
        send_self(SIGKILL);
        break;
    case STOP_BEFORE:
        send_self(SIGSTOP);
        break;
    case TERM_BEFORE:
        send_self(SIGTERM);
        break;
    case KILL_AFTER:
        *after = SIGKILL;
        break;
    case TERM_AFTER:
        *after = SIGTERM;
        break;
    case FAIL:
        return plan.error;
    case NOTHING:
        break;
    }
    return 0;
}

static void end(int after)
{
    int saved = errno;
    if (after != 0) {
        send_self(after);
    }
    errno = saved;
}

static size_t at_most(size_t n)
{
    return plan.small > 0 && n > plan.small ? plan.small : n;
}

/* The function that would have been called without this library. */
static void find(void *real, const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (found == NULL) {
        static const char text[] = "torture: a function is not there\n";
        (void)syscall(SYS_write, 2, text, sizeof text - 1);
        _exit(3);
    }
    memcpy(real, &found, sizeof found);
}

/* A function that returns `bad` when it fails. `args` are the names in `params`. */
#define CALL(series, type, bad, name, params, args)                                                \
    type name params;                                                                              \
    type name params                                                                               \
    {                                                                                              \
        static type(*real) params;                                                                 \
        int after = 0;                                                                             \
        if (real == NULL) {                                                                        \
            find(&real, #name);                                                                    \
        }                                                                                          \
        int error = begin(series, #name, &after);                                                  \
        if (error != 0) {                                                                          \
            errno = error;                                                                         \
            return bad;                                                                            \
        }                                                                                          \
        type result = real args;                                                                   \
        end(after);                                                                                \
        return result;                                                                             \
    }

/* open and its kin take a mode only if the flags ask for a new file. */
#define OPEN(name, params, args)                                                                   \
    int name params;                                                                               \
    int name params                                                                                \
    {                                                                                              \
        static int(*real) params;                                                                  \
        int after = 0;                                                                             \
        mode_t mode = 0;                                                                           \
        if ((flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE) {                          \
            va_list list;                                                                          \
            va_start(list, flags);                                                                 \
            mode = va_arg(list, mode_t);                                                           \
            va_end(list);                                                                          \
        }                                                                                          \
        if (real == NULL) {                                                                        \
            find(&real, #name);                                                                    \
        }                                                                                          \
        int error = begin(IO | INTR, #name, &after);                                               \
        if (error != 0) {                                                                          \
            errno = error;                                                                         \
            return -1;                                                                             \
        }                                                                                          \
        int result = real args;                                                                    \
        end(after);                                                                                \
        return result;                                                                             \
    }

OPEN(open, (const char *path, int flags, ...), (path, flags, mode))
OPEN(open64, (const char *path, int flags, ...), (path, flags, mode))
OPEN(openat, (int folder, const char *path, int flags, ...), (folder, path, flags, mode))
OPEN(openat64, (int folder, const char *path, int flags, ...), (folder, path, flags, mode))
CALL(IO | INTR, int, -1, __open_2, (const char *path, int flags), (path, flags))
CALL(IO | INTR, int, -1, __open64_2, (const char *path, int flags), (path, flags))
CALL(IO, int, -1, mkostemp, (char *path, int flags), (path, flags))
CALL(IO, int, -1, mkostemp64, (char *path, int flags), (path, flags))
CALL(IO | INTR, ssize_t, -1, read, (int fd, void *p, size_t n), (fd, p, at_most(n)))
CALL(IO | INTR, ssize_t, -1, __read_chk, (int fd, void *p, size_t n, size_t room),
     (fd, p, at_most(n), room))
CALL(IO | INTR, ssize_t, -1, pread, (int fd, void *p, size_t n, off_t at), (fd, p, at_most(n), at))
CALL(IO | INTR, ssize_t, -1, write, (int fd, const void *p, size_t n), (fd, p, at_most(n)))
CALL(IO | INTR, int, -1, fsync, (int fd), (fd))
CALL(IO | INTR, int, -1, fdatasync, (int fd), (fd))
CALL(IO | INTR, int, -1, ftruncate, (int fd, off_t n), (fd, n))
CALL(IO | INTR, int, -1, poll, (struct pollfd * p, nfds_t n, int ms), (p, n, ms))
CALL(IO | INTR, int, -1, connect, (int fd, __CONST_SOCKADDR_ARG to, socklen_t n), (fd, to, n))
CALL(IO, int, -1, socket, (int family, int type, int protocol), (family, type, protocol))
CALL(IO, int, -1, dup, (int fd), (fd))
CALL(IO, int, -1, pipe2, (int fds[2], int flags), (fds, flags))
CALL(IO, char *, NULL, getcwd, (char *out, size_t n), (out, n))
CALL(IO, int, -1, fchmod, (int fd, mode_t mode), (fd, mode))
CALL(IO, int, -1, fchown, (int fd, uid_t owner, gid_t group), (fd, owner, group))
CALL(IO, int, -1, rename, (const char *from, const char *to), (from, to))
CALL(IO, int, -1, renameat2,
     (int from_fd, const char *from, int to_fd, const char *to, unsigned flags),
     (from_fd, from, to_fd, to, flags))
CALL(IO, int, -1, link, (const char *from, const char *to), (from, to))
CALL(IO, int, -1, fstat, (int fd, struct stat *st), (fd, st))
CALL(IO, int, -1, stat, (const char *path, struct stat *st), (path, st))
CALL(IO, int, -1, lstat, (const char *path, struct stat *st), (path, st))
CALL(IO, char *, NULL, realpath, (const char *path, char *out), (path, out))
CALL(IO, char *, NULL, __realpath_chk, (const char *path, char *out, size_t n), (path, out, n))
CALL(IO, ssize_t, -1, flistxattr, (int fd, char *p, size_t n), (fd, p, n))
CALL(IO, ssize_t, -1, fgetxattr, (int fd, const char *name, void *p, size_t n), (fd, name, p, n))
CALL(IO, int, -1, fsetxattr, (int fd, const char *name, const void *p, size_t n, int flags),
     (fd, name, p, n, flags))
CALL(IO, int, -1, fremovexattr, (int fd, const char *name), (fd, name))
CALL(IO, ssize_t, -1, getrandom, (void *p, size_t n, unsigned flags), (p, n, flags))
CALL(IO, FILE *, NULL, fopen, (const char *path, const char *mode), (path, mode))
CALL(MEMORY, void *, NULL, malloc, (size_t n), (n))
CALL(MEMORY, void *, NULL, realloc, (void *p, size_t n), (p, n))
CALL(MEMORY, void *, NULL, reallocarray, (void *p, size_t count, size_t n), (p, count, n))

ssize_t writev(int fd, const struct iovec *parts, int count)
{
    static ssize_t (*real)(int, const struct iovec *, int);
    int after = 0;
    if (real == NULL) {
        find(&real, "writev");
    }
    int error = begin(IO | INTR, "writev", &after);
    if (error != 0) {
        errno = error;
        return -1;
    }
    struct iovec first = {NULL, 0};
    for (int i = 0; i < count && first.iov_len == 0; i++) {
        first = parts[i];
    }
    bool cut = plan.small > 0;
    first.iov_len = at_most(first.iov_len);
    ssize_t result = cut ? real(fd, &first, 1) : real(fd, parts, count);
    end(after);
    return result;
}

/* As on Linux, a close that fails has closed the descriptor. */
int close(int fd)
{
    static int (*real)(int);
    int after = 0;
    if (real == NULL) {
        find(&real, "close");
    }
    int error = begin(IO, "close", &after);
    int result = real(fd);
    end(after);
    if (error != 0) {
        errno = error;
        return -1;
    }
    return result;
}

/* Removing a file is only a place to be killed at: a file that cannot be removed stays. */
int unlink(const char *path)
{
    static int (*real)(const char *);
    int after = 0;
    if (real == NULL) {
        find(&real, "unlink");
    }
    (void)begin(IO, "unlink", &after);
    int result = real(path);
    end(after);
    return result;
}

/* dlsym may call this itself; it does without then. */
void *calloc(size_t count, size_t n)
{
    static void *(*real)(size_t, size_t);
    static bool finding;
    int after = 0;
    if (real == NULL) {
        if (finding) {
            return NULL;
        }
        finding = true;
        find(&real, "calloc");
    }
    if (begin(MEMORY, "calloc", &after) != 0) {
        errno = ENOMEM;
        return NULL;
    }
    return real(count, n);
}
