#include "line.h"

#include "mem.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PAGE = 4096 };

void eve_line_init(struct eve_line_reader *r, int fd, const struct eve_line_options *options)
{
    struct stat st;
    *r = (struct eve_line_reader){.options = *options};
    if (r->options.read_bytes == 0) {
        r->options.read_bytes = EVE_LINE_BLOCK;
    }
    eve_source_init(&r->source, fd, r->options.read_bytes, r->options.alone);
    r->pollable = fstat(fd, &st) != 0 || !S_ISREG(st.st_mode);
}

void eve_line_fini(struct eve_line_reader *r)
{
    eve_source_fini(&r->source);
    eve_mem_free(r->buf);
    r->buf = NULL;
    r->cap = r->from = r->scanned = r->to = 0;
}

/* Wait until there is something to read, calling the hook as it asks. */
static enum eve_status await_input(struct eve_line_reader *r, struct eve_err *err)
{
    struct pollfd ready[] = {{.fd = r->source.fd, .events = POLLIN},
                             {.fd = r->options.wake_fd, .events = POLLIN}};
    nfds_t count = r->options.wake_fd > 0 ? 2 : 1;
    int wait_ms = 0;
    bool blocks = r->pollable && eve_source_reads(&r->source) && poll(ready, 1, 0) == 0;
    do {
        if (r->options.hook != NULL) {
            wait_ms = r->options.hook(r->options.hook_ctx, blocks);
        } else {
            wait_ms = -1;
        }
        if (wait_ms == -2) {
            return eve_fail(err, EVE_FAIL, EVE_RULE_NONE, "interrupted", 0, EINTR);
        }
        if (!blocks) {
            return EVE_OK;
        }
        /* An error of poll is left to the read to report; a signal goes round again. */
        ready[0].revents = 0;
        errno = 0;
    } while (poll(ready, count, wait_ms) >= 0 ? ready[0].revents == 0 : errno == EINTR);
    return EVE_OK;
}

/* Room for one more read behind what is kept, which is all of one line. That is moved to the front
 * if it is less than what was handed out before it, or if there is no room: a long line that comes
 * in small pieces is not moved for each. It is moved so that the read goes to the start of a page:
 * the kernel copies faster there. */
static enum eve_status make_room(struct eve_line_reader *r, struct eve_err *err)
{
    size_t kept = r->to - r->from;
    size_t block = r->options.read_bytes < EVE_LINE_BLOCK ? EVE_LINE_BLOCK : r->options.read_bytes;
    if (r->cap < PAGE + kept + block / 2) {
        size_t cap = r->cap == 0 ? PAGE + block : r->cap * 2;
        enum eve_status status = eve_mem_resize(&r->buf, cap + EVE_LINE_SLACK, 1, err);
        if (status != EVE_OK) {
            return status;
        }
        r->cap = cap;
    }
    if (kept > r->from && r->cap - r->to >= block / 2) {
        return EVE_OK;
    }
    size_t from = (size_t) - ((uintptr_t)r->buf + kept) % PAGE;
    if (kept > 0 && from != r->from) {
        memmove(r->buf + from, r->buf + r->from, kept);
    }
    r->scanned = r->scanned - r->from + from;
    r->from = from;
    r->to = from + kept;
    return EVE_OK;
}

/* Decode `got` bytes behind the end. A broken chunk is the end of the input; it is reported when
 * the lines before it have been handed out. */
static enum eve_status take_chunked(struct eve_line_reader *r, size_t got)
{
    size_t body = 0;
    struct eve_err err;
    enum eve_status status = eve_chunk_decode(&r->chunk, r->buf + r->to, got, &body, &err);
    r->to += body;
    r->framing += got - body;
    if (status == EVE_FAIL) {
        r->broken = err;
        r->broken.pos = 0; /* nothing that a user could count */
        r->eof = true;
        return EVE_END;
    }
    return EVE_OK;
}

/* One step of the source: *got bytes behind the end, perhaps none. The hook comes first: what was
 * lent from the buffer is moved by make_room. */
static enum eve_status take_in(struct eve_line_reader *r, size_t *got, struct eve_err *err)
{
    enum eve_status status = await_input(r, err);
    if (status == EVE_OK) {
        status = make_room(r, err);
    }
    if (status != EVE_OK) {
        return status;
    }
    status = eve_source_read(&r->source, r->buf + r->to, r->cap - r->to, got, err);
    if (status == EVE_FAIL && (err->sys == EAGAIN || err->sys == EWOULDBLOCK)) {
        r->pollable = true; /* a descriptor set to non-blocking by others */
        return EVE_OK;
    }
    if (status == EVE_FAIL && err->sys == EINTR) {
        return EVE_OK;
    }
    if (status == EVE_FAIL && err->sys == 0) {
        r->broken = *err;
        return EVE_END;
    }
    return status;
}

/* Read on; EVE_END at the end of the input. */
static enum eve_status fill(struct eve_line_reader *r, struct eve_err *err)
{
    size_t got = 0;
    enum eve_status status = EVE_OK;
    while (status == EVE_OK && got == 0) {
        status = take_in(r, &got, err);
    }
    if (status != EVE_OK) {
        r->eof = r->eof || status == EVE_END;
        return status;
    }
    r->bytes += got;
    if (r->chunked) {
        return take_chunked(r, got);
    }
    r->to += got;
    return EVE_OK;
}

/* Hand out the bytes up to `end`; the LF there, if any, is passed. */
static void hand_out(struct eve_line_reader *r, size_t end, bool ended, struct eve_line *out)
{
    out->text = (struct eve_slice){r->buf + r->from, end - r->from};
    out->number = ++r->number;
    r->rest_ended = false;
    out->ended = ended;
    r->from = r->scanned = end + (ended ? 1 : 0);
}

void eve_line_take(struct eve_line_reader *r, size_t n, struct eve_line *out)
{
    hand_out(r, r->from + n, true, out);
}

void eve_line_pass(struct eve_line_reader *r, size_t n, uint64_t count)
{
    r->from = r->scanned = r->from + n;
    r->number += count;
    r->rest_ended = false;
}

static enum eve_status at_end(struct eve_line_reader *r, struct eve_line *out, struct eve_err *err)
{
    if (r->chunked && r->chunk.state != EVE_CHUNK_DONE && r->broken.msg == NULL) {
        (void)eve_fail(&r->broken, EVE_FAIL, EVE_RULE_TRUNCATED, "the chunked body ends too soon",
                       0, 0);
    }
    if (r->from < r->to) {
        hand_out(r, r->to, false, out);
        return EVE_OK;
    }
    if (r->broken.msg != NULL) {
        *err = r->broken;
        return EVE_FAIL;
    }
    return EVE_END;
}

static enum eve_status too_long(struct eve_line_reader *r, struct eve_line *out,
                                struct eve_err *err)
{
    size_t max = r->options.max_bytes;
    hand_out(r, r->from + max, false, out);
    r->overlong = true;
    return eve_fail(err, EVE_BAD, EVE_RULE_LINE_TOO_LONG, "longer than --max-line allows", max, 0);
}

enum eve_status eve_line_rest(struct eve_line_reader *r, struct eve_slice *piece,
                              struct eve_err *err)
{
    while (r->overlong) {
        char *at = r->buf + r->from;
        size_t n = r->to - r->from;
        if (n > 0) {
            char *lf = memchr(at, '\n', n);
            size_t len = lf != NULL ? (size_t)(lf - at) : n;
            *piece = (struct eve_slice){at, len};
            r->from = r->scanned = r->from + len + (lf != NULL ? 1 : 0);
            r->overlong = lf == NULL;
            r->rest_ended = lf != NULL;
            return EVE_OK;
        }
        enum eve_status status = r->eof ? EVE_END : fill(r, err);
        if (status == EVE_END) {
            r->overlong = r->from < r->to; /* a broken chunk may bring its last bytes */
        } else if (status != EVE_OK) {
            return status;
        }
    }
    return EVE_END;
}

enum eve_status eve_line_next(struct eve_line_reader *r, struct eve_line *out, struct eve_err *err)
{
    struct eve_slice passed;
    size_t max = r->options.max_bytes;
    while (r->overlong) {
        enum eve_status status = eve_line_rest(r, &passed, err);
        if (status != EVE_OK && status != EVE_END) {
            return status;
        }
    }
    for (;;) {
        char *lf =
            r->scanned < r->to ? memchr(r->buf + r->scanned, '\n', r->to - r->scanned) : NULL;
        size_t end = lf != NULL ? (size_t)(lf - r->buf) : r->to;
        if (max > 0 && end - r->from > max) {
            return too_long(r, out, err);
        }
        if (lf != NULL) {
            hand_out(r, end, true, out);
            return EVE_OK;
        }
        r->scanned = r->to;
        if (r->eof) {
            return at_end(r, out, err);
        }
        enum eve_status status = fill(r, err);
        if (status != EVE_OK && status != EVE_END) {
            return status;
        }
    }
}

void eve_line_back(struct eve_line_reader *r, const struct eve_line *line)
{
    r->from = r->scanned = (size_t)(line->text.p - r->buf);
    r->number--;
}

void eve_line_dechunk(struct eve_line_reader *r)
{
    size_t got = r->to - r->from;
    eve_chunk_init(&r->chunk);
    r->chunked = true;
    r->to = r->scanned = r->from;
    (void)take_chunked(r, got); /* what is wrong is told when the reader gets there */
}
