#include "buf.h"

#include "mem.h"
#include "str.h"

#include <errno.h>

enum { FIRST = 64 };

void eve_buf_init(struct eve_buf *b, size_t max)
{
    *b = (struct eve_buf){.max = max};
}

void eve_buf_fini(struct eve_buf *b)
{
    eve_mem_free(b->p);
    eve_buf_init(b, b->max);
}

/* Have room of `cap` bytes; 0: there is none. */
static enum eve_status resize(struct eve_buf *b, size_t cap, struct eve_err *err)
{
    if (cap == 0) {
        return eve_fail(err, EVE_FAIL, EVE_RULE_NONE, "a buffer would grow over its limit", 0,
                        ENOMEM);
    }
    enum eve_status status = eve_mem_resize(&b->p, cap, 1, err);
    if (status == EVE_OK) {
        b->cap = cap;
    }
    return status;
}

enum eve_status eve_buf_reserve(struct eve_buf *b, size_t more, struct eve_err *err)
{
    if (more <= b->cap - b->n) {
        return EVE_OK;
    }
    return resize(b, more > b->max - b->n ? 0 : eve_mem_grow(b->cap, b->n + more, FIRST, b->max),
                  err);
}

enum eve_status eve_buf_reserve_close(struct eve_buf *b, size_t more, struct eve_err *err)
{
    if (more <= b->cap - b->n) {
        return EVE_OK;
    }
    size_t cap = more > b->max - b->n ? 0 : b->n + more;
    size_t grown = b->cap > b->max - b->cap / 4 ? b->max : b->cap + b->cap / 4;
    return resize(b, cap > 0 && cap < grown ? grown : cap, err);
}

enum eve_status eve_buf_put(struct eve_buf *b, struct eve_slice s, struct eve_err *err)
{
    enum eve_status status = eve_buf_reserve(b, s.n, err);
    if (status == EVE_OK && s.n > 0) {
        memcpy(b->p + b->n, s.p, s.n);
        b->n += s.n;
    }
    return status;
}

enum eve_status eve_buf_puts(struct eve_buf *b, const char *s, struct eve_err *err)
{
    return eve_buf_put(b, eve_str(s), err);
}

enum eve_status eve_buf_putc(struct eve_buf *b, char c, struct eve_err *err)
{
    return eve_buf_put(b, (struct eve_slice){&c, 1}, err);
}

enum eve_status eve_buf_put_u64(struct eve_buf *b, uint64_t v, struct eve_err *err)
{
    char digits[20];
    size_t i = sizeof digits;
    do {
        digits[--i] = (char)('0' + v % 10);
        v /= 10;
    } while (v > 0);
    return eve_buf_put(b, (struct eve_slice){digits + i, sizeof digits - i}, err);
}

void eve_buf_clear(struct eve_buf *b, size_t keep)
{
    b->n = 0;
    if (b->cap > keep) {
        eve_buf_fini(b);
    }
}
