#include "pack_codec.h"

#ifdef EVE_WITH_ZSTD

#include <errno.h>
#include <zstd.h>

static enum eve_status no_memory(struct eve_err *err)
{
    return eve_fail(err, EVE_FAIL, EVE_RULE_NONE, "out of memory", 0, ENOMEM);
}

static enum eve_status open_zstd(void **state, struct eve_err *err)
{
    ZSTD_CCtx *z = ZSTD_createCCtx();
    if (z == NULL) {
        return no_memory(err);
    }
    (void)ZSTD_CCtx_setParameter(z, ZSTD_c_compressionLevel, ZSTD_CLEVEL_DEFAULT);
    (void)ZSTD_CCtx_setParameter(z, ZSTD_c_checksumFlag, 1);
    *state = z;
    return EVE_OK;
}

static void close_zstd(void *state)
{
    (void)ZSTD_freeCCtx(state);
}

static enum eve_status step_zstd(void *state, struct eve_slice *in, enum eve_pack_how how, char *to,
                                 size_t room, size_t *got, struct eve_err *err)
{
    static const ZSTD_EndDirective directive[] = {ZSTD_e_continue, ZSTD_e_flush, ZSTD_e_end};
    ZSTD_inBuffer from = {in->p, in->n, 0};
    ZSTD_outBuffer out = {to, room, 0};
    size_t left = ZSTD_compressStream2(state, &out, &from, directive[how]);
    *got = out.pos;
    if (from.pos > 0) {
        *in = (struct eve_slice){in->p + from.pos, in->n - from.pos};
    }
    if (ZSTD_isError(left)) {
        return no_memory(err); /* nothing else can go wrong with good parameters */
    }
    return in->n == 0 && (how == EVE_PACK_GATHER || left == 0) ? EVE_END : EVE_OK;
}

const struct eve_pack_codec eve_pack_zstd = {open_zstd, close_zstd, step_zstd};

#endif
