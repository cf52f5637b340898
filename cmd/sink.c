#include "sink.h"

#include "signals.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* One block that was read fits: whole runs of lines are written at once. Not more, since what is in
 * the pipe when its reader leaves was read for nothing. */
#define PIPE_BYTES (512 * 1024)

void sink_widen_pipe(int fd, int bytes)
{
    int now = fcntl(fd, F_GETPIPE_SZ);
    if (now > 0 && now < bytes) {
        (void)fcntl(fd, F_SETPIPE_SZ, bytes);
    }
}

void sink_reserve_descriptors(void)
{
    static const int wrong_way[] = {O_WRONLY, O_RDONLY, O_WRONLY};
    for (int fd = 0; fd <= 2; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF) {
            (void)open("/dev/null", wrong_way[fd]); /* gets the lowest free one: this */
        }
    }
}

bool sink_is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

bool sink_is_file(const char *path, const struct stat *st)
{
    struct stat found;
    int got = strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &found) : stat(path, &found);
    return got == 0 && sink_is_same(&found, st);
}

/* After the target was opened: gather for it, and guard what is temporary. */
static enum eve_status ready(struct sink *s, enum eve_status status, enum eve_packed format,
                             struct eve_err *err)
{
    if (status == EVE_OK) {
        s->replaces = true;
        status = eve_out_init(&s->out, s->file.fd, err);
        s->out.visible = s->file.direct && isatty(s->file.fd);
        if (status == EVE_OK) {
            status = eve_out_pack(&s->out, format, s->file.direct, err);
        }
        if (status != EVE_OK) {
            eve_out_fini(&s->out);
            eve_replace_abort(&s->file);
            s->replaces = false;
        } else if (s->file.temp != NULL) {
            char quoted[EVE_QUOTE_MAX];
            struct eve_slice name = {s->name, strlen(s->name)};
            (void)snprintf(s->on_signal, sizeof s->on_signal,
                           "%s: %s: error: stopped by a signal; left as it is\n",
                           program_invocation_short_name,
                           eve_quote(quoted, sizeof quoted, name, true));
            signals_guard(s->file.temp, s->on_signal);
        }
    }
    return status;
}

static enum eve_status open_file(struct sink *s, const char *path, enum eve_packed format,
                                 struct eve_err *err)
{
    *s = (struct sink){.name = path};
    signals_hold();
    enum eve_status status = ready(s, eve_replace_output(&s->file, path, err), format, err);
    signals_release();
    return status;
}

enum eve_status sink_open_plain(struct sink *s, const char *path, struct eve_err *err)
{
    return open_file(s, path, EVE_PACKED_NOT, err);
}

enum eve_status sink_open(struct sink *s, const char *path, struct eve_err *err)
{
    if (path != NULL) {
        return open_file(s, path, eve_packed_named(path), err);
    }
    *s = (struct sink){.name = "standard output"};
    sink_widen_pipe(STDOUT_FILENO, PIPE_BYTES);
    enum eve_status status = eve_out_init(&s->out, STDOUT_FILENO, err);
    s->out.visible = isatty(STDOUT_FILENO);
    return status;
}

/* What an old file is, so that the new one becomes the same. What this build cannot decompress is
 * found bad when it is read. */
static enum eve_status find_format(int fd, enum eve_packed *format, struct eve_err *err)
{
    char first[EVE_PACKED_MAGIC];
    size_t n = 0;
    ssize_t got = 1;
    bool more = false;
    while (n < sizeof first && got > 0) {
        got = TEMP_FAILURE_RETRY(pread(fd, first + n, sizeof first - n, (off_t)n));
        n += got > 0 ? (size_t)got : 0;
    }
    if (got < 0) {
        return eve_fail(err, EVE_FAIL, EVE_RULE_NONE, "cannot read", 0, errno);
    }
    *format = eve_packed_of((struct eve_slice){first, n}, &more);
    *format = eve_packed_built(*format) ? *format : EVE_PACKED_NOT;
    return EVE_OK;
}

enum eve_status sink_open_in_place(struct sink *s, const char *path, const char *suffix,
                                   struct eve_err *err)
{
    *s = (struct sink){.name = path};
    signals_hold();
    enum eve_status status = eve_replace_in_place(&s->file, path, suffix, err);
    enum eve_packed format = EVE_PACKED_NOT;
    if (status == EVE_OK) {
        status = find_format(s->file.source_fd, &format, err);
        if (status != EVE_OK) {
            eve_replace_abort(&s->file);
        }
    }
    status = ready(s, status, format, err);
    signals_release();
    return status;
}

enum eve_status sink_open_nowhere(struct sink *s, struct eve_err *err)
{
    *s = (struct sink){.name = "nowhere"};
    return eve_out_init(&s->out, -1, err);
}

/* The temporary file is about to go, by being put in place or by being removed. */
static void unguard(struct sink *s)
{
    if (s->file.temp != NULL) {
        signals_unguard(s->file.temp);
    }
}

enum eve_status sink_commit(struct sink *s, struct eve_err *err)
{
    enum eve_status status = eve_out_finish(&s->out, err);
    if (status == EVE_OK && s->replaces) {
        signals_hold();
        unguard(s);
        status = eve_replace_commit(&s->file, err);
        s->replaces = false;
        signals_release();
    } else if (status == EVE_OK && s->out.fd == STDOUT_FILENO && close(STDOUT_FILENO) != 0) {
        status = eve_fail(err, EVE_FAIL, EVE_RULE_NONE, "cannot write", 0, errno);
    }
    if (status != EVE_OK) {
        sink_abort(s);
    }
    eve_out_fini(&s->out);
    return status;
}

void sink_abort(struct sink *s)
{
    struct eve_err ignored;
    if (s->replaces) {
        signals_hold();
        unguard(s);
        eve_replace_abort(&s->file);
        s->replaces = false;
        signals_release();
    } else if (s->out.buf != NULL) {
        (void)!eve_out_flush(&s->out, &ignored);
    }
    eve_out_fini(&s->out);
}

bool sink_is_broken_pipe(const struct sink *s)
{
    return s->out.failure.sys == EPIPE;
}
