/*
 * chunk: the chunked transfer coding of HTTP/1.1 (RFC 9112, section 7.1), decoded in place.
 *
 * Feed it the bytes as they come, cut anywhere. Chunk extensions and trailers are passed over.
 */
#ifndef EVE_CHUNK_H
#define EVE_CHUNK_H

#include "base.h"

enum eve_chunk_state {
    EVE_CHUNK_SIZE,      /* in the digits of a size */
    EVE_CHUNK_EXTENSION, /* after them, up to LF */
    EVE_CHUNK_DATA,
    EVE_CHUNK_DATA_CR, /* the line end after the data */
    EVE_CHUNK_DATA_LF,
    EVE_CHUNK_TRAILER, /* at the start of a trailer line */
    EVE_CHUNK_TRAILER_LINE,
    EVE_CHUNK_DONE
};

struct eve_chunk {
    enum eve_chunk_state state;
    uint64_t left; /* bytes of the current chunk still to come, or its size so far */
    bool digits;   /* the size has a digit */
};

void eve_chunk_init(struct eve_chunk *c);

/* Decode the `n` bytes at `p` in place: *out is the number of body bytes that now stand at `p`.
 * EVE_END: the body is complete, and nothing follows it. EVE_FAIL: what stands at err->pos is no
 * chunk, or comes after the last one; *out is the body before it. */
EVE_MUST_USE enum eve_status eve_chunk_decode(struct eve_chunk *c, char *p, size_t n, size_t *out,
                                              struct eve_err *err);

#endif
