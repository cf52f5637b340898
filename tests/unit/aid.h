#ifndef AID_H
#define AID_H

/*
 * What several unit tests share: random numbers from a fixed seed, files in memory, and events from
 * a line of text.
 */

#include "buf.h"
#include "check.h"
#include "event.h"
#include "out.h"
#include "str.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* A slice of a literal, which may hold NUL bytes. */
#define S(literal) ((struct eve_slice){literal, sizeof(literal) - 1})
#define CHECK_SLICE(got, literal) CHECK_EQ_MEM((got).p, (got).n, literal, sizeof(literal) - 1)

/* The next of a fixed series of random numbers (xorshift, G. Marsaglia); *state is not 0. */
static inline uint64_t aid_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state >> 8;
}

/* One of 0 to n-1. */
static inline unsigned aid_below(uint64_t *state, size_t n)
{
    return (unsigned)(aid_random(state) % n);
}

/* A file in memory that holds `s`, at its start. The caller closes it. */
static inline int aid_file(struct eve_slice s)
{
    int fd = memfd_create("unit", MFD_CLOEXEC);
    bool ok = fd >= 0 && (s.n == 0 || write(fd, s.p, s.n) == (ssize_t)s.n) && lseek(fd, 0, 0) == 0;
    if (!CHECK(ok))
        exit(1);
    return fd;
}

/* What the file holds, up to `cap` bytes. */
static inline struct eve_slice aid_content(int fd, char *buf, size_t cap)
{
    ssize_t n = pread(fd, buf, cap, 0);
    return (struct eve_slice){buf, n > 0 ? (size_t)n : 0};
}

/* An output into a file in memory, the same one for all, until aid_taken. */
static inline struct eve_out *aid_out(void)
{
    static struct eve_out out;
    struct eve_err err;
    if (out.buf == NULL && !CHECK(eve_out_init(&out, aid_file(S("")), &err) == EVE_OK))
        exit(1);
    return &out;
}

/* Append to `to` what was written to aid_out, which is empty then. EVE_FAIL: no memory. */
static inline enum eve_status aid_taken(struct eve_buf *to, struct eve_err *why)
{
    struct eve_err err;
    struct eve_out *out = aid_out();
    off_t n = eve_out_flush(out, &err) == EVE_OK ? lseek(out->fd, 0, SEEK_END) : -1;
    enum eve_status status = n >= 0 ? eve_buf_reserve(to, (size_t)n + 1, why) : EVE_FAIL;
    if (status == EVE_OK) {
        CHECK(pread(out->fd, to->p + to->n, (size_t)n, 0) == n);
        to->n += (size_t)n;
    }
    CHECK(ftruncate(out->fd, 0) == 0 && lseek(out->fd, 0, SEEK_SET) == 0);
    return status;
}

/* The event in `line`, which has to be one. */
static inline void aid_event(struct eve_event *ev, const char *line, const char *group)
{
    struct eve_err err = {0};
    struct eve_event_options options = {eve_str(group)};
    enum eve_status status = eve_event_parse(ev, eve_str(line), false, &options, &err);
    if (!CHECK(status == EVE_OK && ev->kind == EVE_LINE_EVENT))
        exit(1);
}

#endif
