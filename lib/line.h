/*
 * line: bytes from a descriptor, handed out line by line; of compressed data, those of its text.
 *
 * Any read sizes give the same lines: a pipe that brings one byte at a time, or a file. A line ends
 * in LF and may hold any other byte; the last one may lack its LF. One buffer is reused and grows
 * with the longest line (at most twice its length), so a line is good until the next call. Before
 * every read the caller's hook is called, so that what was lent from the buffer can be written, and
 * everything be flushed when the read would block.
 */
#ifndef EVE_LINE_H
#define EVE_LINE_H

#include "base.h"
#include "chunk.h"
#include "source.h"

#include <sys/types.h>

/* Bytes asked of one read, unless the line at hand is longer. */
#define EVE_LINE_BLOCK ((size_t)512 * 1024)

/* As many bytes behind those at hand can be read, whatever they are: for scanners that look at
 * whole blocks. */
#define EVE_LINE_SLACK ((size_t)32)

/* Called before each read. `blocks`: nothing is there to read yet. The return value is how many
 * milliseconds to wait before it is called again, -1 for as long as it takes; it only counts when
 * `blocks`. -2 ends the reading with EVE_FAIL and err->sys = EINTR. */
typedef int (*eve_line_hook)(void *ctx, bool blocks);

struct eve_line_options {
    size_t max_bytes;   /* longest line allowed without its LF; 0: no limit */
    size_t read_bytes;  /* at most so many bytes a read; 0: EVE_LINE_BLOCK */
    eve_line_hook hook; /* or NULL */
    void *hook_ctx;
    int wake_fd; /* the hook is also called when there is something to read here, and has to end the
                    reading then; 0: none */
    bool alone;  /* decompress on no thread */
};

struct eve_line {
    struct eve_slice text; /* without LF */
    uint64_t number;       /* from 1 */
    bool ended;            /* an LF was there */
};

struct eve_line_reader {
    struct eve_source source;
    struct eve_line_options options;
    char *buf;
    size_t cap;
    size_t from;      /* first byte not handed out */
    size_t scanned;   /* no LF before here */
    size_t to;        /* end of the bytes read */
    uint64_t number;  /* lines begun so far */
    uint64_t bytes;   /* bytes of text so far, handed out or not */
    uint64_t framing; /* of these, bytes of chunk framing */
    bool pollable;    /* a read may block */
    bool eof;
    bool overlong;   /* in the middle of a line over the limit */
    bool rest_ended; /* eve_line_rest came to the LF of that line just now */
    bool chunked;
    struct eve_chunk chunk;
    struct eve_err broken; /* a broken chunk or compression, told after the lines before it; msg
                              NULL: none */
};

/* Read from `fd`, which stays the caller's. Allocates nothing yet. */
void eve_line_init(struct eve_line_reader *r, int fd, const struct eve_line_options *options);
void eve_line_fini(struct eve_line_reader *r);

/* The next line. EVE_END: no more. EVE_BAD (line-too-long): it is over the limit; *out holds its
 * first part, and the rest comes from eve_line_rest or is passed over by the next call. EVE_FAIL:
 * reading failed (err->sys), no memory, or a bad chunk or compression; with rule truncated if that
 * ended early, after all whole lines were handed out and the last piece as a line that is not
 * ended. */
EVE_MUST_USE enum eve_status eve_line_next(struct eve_line_reader *r, struct eve_line *out,
                                           struct eve_err *err);

/* The bytes at hand from the next line on, without reading any; good until the next call. */
static inline struct eve_slice eve_line_peek(const struct eve_line_reader *r)
{
    return r->overlong ? (struct eve_slice){0}
                       : (struct eve_slice){r->buf + r->from, r->to - r->from};
}

/* Hand out the first `n` bytes of them, behind which an LF was seen, as the next line. */
void eve_line_take(struct eve_line_reader *r, size_t n, struct eve_line *out);

/* Pass the first `n` bytes of them, which are `count` whole lines. */
void eve_line_pass(struct eve_line_reader *r, size_t n, uint64_t count);

/* The next piece of an overlong line, good until the next call; EVE_END at its end. */
EVE_MUST_USE enum eve_status eve_line_rest(struct eve_line_reader *r, struct eve_slice *piece,
                                           struct eve_err *err);

/* Put back the line that was just handed out: the next call gives it again. */
void eve_line_back(struct eve_line_reader *r, const struct eve_line *line);

/* Take what comes from here on, read already or not, as chunked. */
void eve_line_dechunk(struct eve_line_reader *r);

#endif
