/*
 * unpack_codec: what unpack asks of the decoder of one format.
 */
#ifndef EVE_UNPACK_CODEC_H
#define EVE_UNPACK_CODEC_H

#include "base.h"

struct eve_unpack_codec {
    /* A decoder at the start of a part; free it with `close`. EVE_FAIL: no memory. */
    enum eve_status (*open)(void **state, struct eve_err *err);
    void (*close)(void *state);
    /* As eve_unpack_some, within one part. `full`: all room was used the last time. EVE_END: the
     * part is complete, and all of it was given out; the next call begins another. EVE_FAIL: *got
     * bytes were given out before what is wrong. */
    enum eve_status (*step)(void *state, bool full, struct eve_slice *in, char *to, size_t room,
                            size_t *got, struct eve_err *err);
};

#ifdef EVE_WITH_GZIP
extern const struct eve_unpack_codec eve_unpack_gzip;
#endif
#ifdef EVE_WITH_ZSTD
extern const struct eve_unpack_codec eve_unpack_zstd;
#endif

#endif
