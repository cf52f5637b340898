#include "unpack_codec.h"

#ifdef EVE_WITH_ZSTD

#include "mem.h"

#include <errno.h>
#include <zstd.h>
#include <zstd_errors.h>

/* log2 of EVE_UNPACK_WINDOW */
enum { WINDOW_LOG = 27, BLOCK_HEAD = 3 };

struct decoder {
    ZSTD_DStream *z;
    size_t start;  /* bytes wanted at the start of a frame */
    size_t wanted; /* bytes up to the end of the block at hand */
};

static enum eve_status no_memory(struct eve_err *err)
{
    return eve_fail(err, EVE_FAIL, EVE_RULE_NONE, "out of memory", 0, ENOMEM);
}

static enum eve_status open_zstd(void **state, struct eve_err *err)
{
    struct decoder *d = NULL;
    enum eve_status status = eve_mem_resize(&d, 1, sizeof *d, err);
    if (status != EVE_OK) {
        return status;
    }
    d->z = ZSTD_createDStream();
    if (d->z == NULL) {
        eve_mem_free(d);
        return no_memory(err);
    }
    d->start = d->wanted = ZSTD_initDStream(d->z);
    (void)ZSTD_DCtx_setParameter(d->z, ZSTD_d_windowLogMax, WINDOW_LOG);
    *state = d;
    return EVE_OK;
}

static void close_zstd(void *state)
{
    struct decoder *d = state;
    (void)ZSTD_freeDStream(d->z);
    eve_mem_free(d);
}

static enum eve_status refuse(size_t code, struct eve_err *err)
{
    const char *msg = "damaged zstd data";
    switch (ZSTD_getErrorCode(code)) {
    case ZSTD_error_memory_allocation:
        return no_memory(err);
    case ZSTD_error_frameParameter_windowTooLarge:
        msg = "zstd data with a window of more than 128 MiB; decompress it with zstd -dc --long=31";
        break;
    case ZSTD_error_dictionary_wrong:
        msg = "zstd data that needs a dictionary; decompress it with zstd -dc -D";
        break;
    case ZSTD_error_checksum_wrong:
        msg = "damaged zstd data: the checksum is wrong";
        break;
    default:
        break;
    }
    return eve_fail(err, EVE_FAIL, EVE_RULE_NONE, msg, 0, 0);
}

/* A call that fails gives out nothing of what it decoded before. So each call gets the bytes of one
 * block without the head of the next, which the decoder asks for with it, and none as long as there
 * is something left to give out of the one before. */
static enum eve_status step_zstd(void *state, bool full, struct eve_slice *in, char *to,
                                 size_t room, size_t *got, struct eve_err *err)
{
    struct decoder *d = state;
    ZSTD_outBuffer out = {to, room, 0};
    do {
        size_t n = d->wanted > BLOCK_HEAD ? d->wanted - BLOCK_HEAD : d->wanted;
        n = full ? 0 : n;
        ZSTD_inBuffer block = {in->p, in->n < n ? in->n : n, 0};
        size_t left = ZSTD_decompressStream(d->z, &out, &block);
        *got = out.pos;
        if (ZSTD_isError(left)) {
            return refuse(left, err);
        }
        if (block.pos > 0) {
            *in = (struct eve_slice){in->p + block.pos, in->n - block.pos};
        }
        d->wanted = left > 0 ? left : d->start;
        if (left == 0) {
            return EVE_END;
        }
        full = false;
    } while (out.pos < room && in->n > 0);
    return EVE_OK;
}

const struct eve_unpack_codec eve_unpack_zstd = {open_zstd, close_zstd, step_zstd};

#endif
