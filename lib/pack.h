/*
 * pack: text in, compressed bytes out; see packed.h for the formats.
 *
 * Made as gzip and zstd do when nothing else is asked for (levels 6 and 3), without a name or a
 * time and with a checksum, so that the same text always gives the same bytes.
 */
#ifndef EVE_PACK_H
#define EVE_PACK_H

#include "base.h"
#include "packed.h"

enum eve_pack_how {
    EVE_PACK_GATHER, /* more is to come: keep it as long as that helps */
    EVE_PACK_FLUSH,  /* whoever decodes what came out so far has all the text so far */
    EVE_PACK_FINISH  /* no more is to come */
};

struct eve_pack;

/* An encoder; `format` is in this build or EVE_FAIL is returned. Free it with eve_pack_free.
 * EVE_FAIL also: no memory. */
EVE_MUST_USE enum eve_status eve_pack_new(struct eve_pack **p, enum eve_packed format,
                                          struct eve_err *err);
void eve_pack_free(struct eve_pack *p);

/* Encode from *in, which loses the bytes that were taken. *out is what came out, good until the
 * next call. EVE_OK: call again, there is more; EVE_END: done. EVE_FAIL: no memory (err->sys).
 * Nothing may follow EVE_PACK_FINISH. */
EVE_MUST_USE enum eve_status eve_pack_some(struct eve_pack *p, struct eve_slice *in,
                                           enum eve_pack_how how, struct eve_slice *out,
                                           struct eve_err *err);

#endif
