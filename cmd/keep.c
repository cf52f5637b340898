#include "keep.h"

#include "str.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KEEP_ROOM = 1 << 20, READ_ROOM = 1 << 16 };

void keep_init(struct keep *k, const char *path, const struct eve_state *state)
{
    *k = (struct keep){.path = path, .state = *state};
    eve_buf_init(&k->text, SIZE_MAX / 2);
    (void)clock_gettime(CLOCK_MONOTONIC, &k->saved);
}

void keep_fini(struct keep *k)
{
    eve_buf_fini(&k->text);
}

static enum eve_status fail(struct eve_err *err, const char *msg)
{
    return eve_fail(err, EVE_FAIL, EVE_RULE_NONE, msg, 0, errno);
}

static enum eve_status read_all(int fd, struct eve_buf *to, struct eve_err *err)
{
    ssize_t got = 0;
    enum eve_status status = EVE_OK;
    do {
        status = eve_buf_reserve(to, READ_ROOM, err);
        if (status != EVE_OK) {
            return status;
        }
        got = read(fd, to->p + to->n, to->cap - to->n);
        if (got > 0) {
            to->n += (size_t)got;
        } else if (got < 0 && errno != EINTR) {
            return fail(err, "cannot read");
        }
    } while (got != 0);
    return EVE_OK;
}

/* The whole file in place of what `to` has; EVE_END: there is none. */
static enum eve_status read_file(const char *path, struct eve_buf *to, struct eve_err *err)
{
    struct stat st;
    enum eve_status status = EVE_OK;
    int fd = (int)TEMP_FAILURE_RETRY(open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
    if (fd < 0) {
        return errno == ENOENT ? EVE_END : fail(err, "cannot open");
    }
    eve_buf_clear(to, KEEP_ROOM);
    if (fstat(fd, &st) != 0) {
        status = fail(err, "cannot read");
    } else if (!S_ISREG(st.st_mode)) {
        status = eve_fail(err, EVE_FAIL, EVE_RULE_NONE, "a state has to be a regular file", 0, 0);
    } else {
        status = read_all(fd, to, err);
    }
    (void)close(fd);
    return status;
}

/* See whether a new state can be put in place. */
static enum eve_status try_to_save(const struct keep *k, struct eve_err *err)
{
    struct sink sink;
    enum eve_status status = sink_open_plain(&sink, k->path, err);
    if (status == EVE_OK) {
        sink_abort(&sink);
    }
    return status;
}

enum eve_status keep_load(struct keep *k, struct eve_err *err)
{
    enum eve_status status = read_file(k->path, &k->text, err);
    if (status == EVE_OK) {
        status = eve_state_load(&k->state, eve_buf_slice(&k->text), err);
        k->found = status == EVE_OK;
    }
    eve_buf_clear(&k->text, KEEP_ROOM);
    k->saved_at = k->state.cursor->at;
    if (status == EVE_OK || status == EVE_END) {
        return try_to_save(k, err);
    }
    return EVE_FAIL;
}

bool keep_mode(const char *path, struct eve_buf *text, struct eve_state_mode *mode)
{
    struct eve_err ignored; /* told by keep_load */
    return read_file(path, text, &ignored) == EVE_OK &&
           eve_state_mode(eve_buf_slice(text), mode, &ignored) == EVE_OK;
}

/* A system that dies must not know more of a state than of the output that belongs to it. */
static enum eve_status sync_output(struct eve_out *out, struct eve_err *err)
{
    struct stat st;
    enum eve_status status = eve_out_flush(out, err);
    if (status == EVE_OK && fstat(out->fd, &st) == 0 && S_ISREG(st.st_mode) &&
        TEMP_FAILURE_RETRY(fdatasync(out->fd)) != 0 && errno != EINVAL && errno != EROFS) {
        status = fail(err, "cannot write");
    }
    return status;
}

enum eve_status keep_save(struct keep *k, struct eve_out *out, struct eve_err *err)
{
    struct sink sink;
    enum eve_status status = sync_output(out, err);
    if (status == EVE_OK) {
        status = sink_open_plain(&sink, k->path, err);
    }
    if (status != EVE_OK) {
        return status;
    }
    status = eve_state_save(&k->state, &sink.out, err);
    if (status == EVE_OK) {
        status = sink_commit(&sink, err);
    } else {
        sink_abort(&sink);
    }
    if (status == EVE_OK) {
        k->saved_at = k->state.cursor->at;
        (void)clock_gettime(CLOCK_MONOTONIC, &k->saved);
    }
    return status;
}

enum eve_status keep_tick(struct keep *k, struct eve_out *out, int *wait_ms, struct eve_err *err)
{
    struct timespec now;
    if (k->state.cursor->at == k->saved_at) {
        *wait_ms = -1;
        return EVE_OK;
    }
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    int64_t passed_ms =
        (int64_t)(now.tv_sec - k->saved.tv_sec) * 1000 + (now.tv_nsec - k->saved.tv_nsec) / 1000000;
    if (passed_ms < KEEP_MS) {
        *wait_ms = (int)(KEEP_MS - passed_ms);
        return EVE_OK;
    }
    *wait_ms = -1;
    return keep_save(k, out, err);
}
