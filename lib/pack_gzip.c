#include "pack_codec.h"

#ifdef EVE_WITH_GZIP

#include "mem.h"
#include "zlib_mem.h"

#include <errno.h>
#include <limits.h>

/* Largest window with a gzip head, and the memory that goes with it in zlib and gzip. */
enum { LEVEL = 6, WINDOW_BITS = 15 + 16, MEMORY_LEVEL = 8 };

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
    if (deflateInit2(z, LEVEL, Z_DEFLATED, WINDOW_BITS, MEMORY_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK) {
        eve_mem_free(z);
        return no_memory(err);
    }
    *state = z;
    return EVE_OK;
}

static void close_gzip(void *state)
{
    (void)deflateEnd(state);
    eve_mem_free(state);
}

static enum eve_status step_gzip(void *state, struct eve_slice *in, enum eve_pack_how how, char *to,
                                 size_t room, size_t *got, struct eve_err *err)
{
    static const int flush[] = {Z_NO_FLUSH, Z_SYNC_FLUSH, Z_FINISH};
    z_stream *z = state;
    unsigned given = in->n < UINT_MAX ? (unsigned)in->n : UINT_MAX;
    (void)err; /* all memory was taken at the start */
    z->next_in = (z_const Bytef *)(uintptr_t)in->p;
    z->avail_in = given;
    z->next_out = (Bytef *)to;
    z->avail_out = (unsigned)room;
    int status = deflate(z, given < in->n ? Z_NO_FLUSH : flush[how]);
    *got = room - z->avail_out;
    if (given > 0) {
        *in = (struct eve_slice){in->p + (given - z->avail_in), in->n - (given - z->avail_in)};
    }
    if (how == EVE_PACK_FINISH) {
        return status == Z_STREAM_END ? EVE_END : EVE_OK;
    }
    return in->n == 0 && z->avail_out > 0 ? EVE_END : EVE_OK;
}

const struct eve_pack_codec eve_pack_gzip = {open_gzip, close_gzip, step_gzip};

#endif
