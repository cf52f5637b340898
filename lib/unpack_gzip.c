#include "unpack_codec.h"

#ifdef EVE_WITH_GZIP

#include "mem.h"
#include "zlib_mem.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

/* Largest window, and a gzip head only. */
enum { WINDOW_BITS = 15 + 16 };

static enum eve_status no_memory(struct eve_err *err)
{
    return eve_fail(err, EVE_FAIL, EVE_RULE_NONE, "out of memory", 0, ENOMEM);
}

static enum eve_status open_gzip(void **state, struct eve_err *err)
{
    z_stream *z = NULL;
    enum eve_status status = eve_mem_resize(&z, 1, sizeof *z, err);
    if (status != EVE_OK) {
        return status;
    }
    *z = (z_stream){.zalloc = eve_zlib_take, .zfree = eve_zlib_give};
    if (inflateInit2(z, WINDOW_BITS) != Z_OK) {
        eve_mem_free(z);
        return no_memory(err);
    }
    *state = z;
    return EVE_OK;
}

static void close_gzip(void *state)
{
    (void)inflateEnd(state);
    eve_mem_free(state);
}

static unsigned at_most(size_t n)
{
    return n < UINT_MAX ? (unsigned)n : UINT_MAX;
}

static enum eve_status result(const z_stream *z, int status, struct eve_err *err)
{
    if (status == Z_OK || status == Z_BUF_ERROR) {
        return EVE_OK;
    }
    if (status == Z_MEM_ERROR) {
        return no_memory(err);
    }
    bool sum = z->msg != NULL && strstr(z->msg, " check") != NULL;
    return eve_fail(err, EVE_FAIL, EVE_RULE_NONE,
                    sum ? "damaged gzip data: the checksum is wrong" : "damaged gzip data", 0, 0);
}

static enum eve_status step_gzip(void *state, bool full, struct eve_slice *in, char *to,
                                 size_t room, size_t *got, struct eve_err *err)
{
    z_stream *z = state;
    unsigned given = at_most(in->n);
    unsigned open = at_most(room);
    (void)full;
    z->next_in = (z_const Bytef *)(uintptr_t)in->p;
    z->avail_in = given;
    z->next_out = (Bytef *)to;
    z->avail_out = open;
    int status = inflate(z, Z_NO_FLUSH);
    *got = open - z->avail_out;
    if (given > 0) {
        *in = (struct eve_slice){in->p + (given - z->avail_in), in->n - (given - z->avail_in)};
    }
    if (status == Z_STREAM_END) {
        (void)inflateReset(z);
        return EVE_END;
    }
    return result(z, status, err);
}

const struct eve_unpack_codec eve_unpack_gzip = {open_gzip, close_gzip, step_gzip};

#endif
