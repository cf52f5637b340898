/*
 * pack_codec: what pack asks of the encoder of one format.
 */
#ifndef EVE_PACK_CODEC_H
#define EVE_PACK_CODEC_H

#include "base.h"
#include "pack.h"

struct eve_pack_codec {
    /* An encoder; free it with `close`. EVE_FAIL: no memory. */
    enum eve_status (*open)(void **state, struct eve_err *err);
    void (*close)(void *state);
    /* As eve_pack_some, into the `room` bytes at `to`; *got is how many came. */
    enum eve_status (*step)(void *state, struct eve_slice *in, enum eve_pack_how how, char *to,
                            size_t room, size_t *got, struct eve_err *err);
};

#ifdef EVE_WITH_GZIP
extern const struct eve_pack_codec eve_pack_gzip;
#endif
#ifdef EVE_WITH_ZSTD
extern const struct eve_pack_codec eve_pack_zstd;
#endif

#endif
