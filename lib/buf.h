/*
 * buf: bytes that grow up to a stated maximum.
 *
 * A buffer owns its bytes; `p` is NULL while nothing was ever put in. It is reused from record to
 * record: eve_buf_clear keeps the room. A slice of its content is good until the next change.
 */
#ifndef EVE_BUF_H
#define EVE_BUF_H

#include "base.h"

struct eve_buf {
    char *p;
    size_t n;   /* bytes in use */
    size_t cap; /* bytes of room */
    size_t max; /* never more room than this */
};

/* An empty buffer that may grow to `max` bytes. */
void eve_buf_init(struct eve_buf *b, size_t max);
void eve_buf_fini(struct eve_buf *b);

/* Make room for `more` bytes after the content. EVE_FAIL: no memory, or over the maximum. */
EVE_MUST_USE enum eve_status eve_buf_reserve(struct eve_buf *b, size_t more, struct eve_err *err);

/* The same for what is kept in great numbers: little room is left over, at most a fifth of it all.
 */
EVE_MUST_USE enum eve_status eve_buf_reserve_close(struct eve_buf *b, size_t more,
                                                   struct eve_err *err);

/* Append; on EVE_FAIL the content is as it was. */
EVE_MUST_USE enum eve_status eve_buf_put(struct eve_buf *b, struct eve_slice s,
                                         struct eve_err *err);
EVE_MUST_USE enum eve_status eve_buf_puts(struct eve_buf *b, const char *s, struct eve_err *err);
EVE_MUST_USE enum eve_status eve_buf_putc(struct eve_buf *b, char c, struct eve_err *err);

/* Append `v` in decimal. */
EVE_MUST_USE enum eve_status eve_buf_put_u64(struct eve_buf *b, uint64_t v, struct eve_err *err);

/* Forget the content and keep the room; room beyond `keep` bytes is given back. */
void eve_buf_clear(struct eve_buf *b, size_t keep);

static inline struct eve_slice eve_buf_slice(const struct eve_buf *b)
{
    return (struct eve_slice){b->p, b->n};
}

#endif
