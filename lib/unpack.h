/*
 * unpack: compressed bytes in, the text out; see packed.h for the formats.
 *
 * Feed it the bytes as they come, cut anywhere; the text is the same. Parts (members, frames) that
 * follow each other give one text. Each byte is given out as soon as the format allows, and all
 * that comes before a damaged block is given out before that is told. Memory is bounded: 32 KiB
 * of window for gzip, the window of the frame for zstd, at most EVE_UNPACK_WINDOW.
 */
#ifndef EVE_UNPACK_H
#define EVE_UNPACK_H

#include "base.h"
#include "packed.h"

/* Frames of zstd that need more memory than this (they were made with --ultra and --long) are
 * refused, as zstd itself does. */
#define EVE_UNPACK_WINDOW ((size_t)128 << 20)

struct eve_unpack;

/* A decoder at the start of data of `format`, which is in this build or EVE_FAIL is returned. Free
 * it with eve_unpack_free. EVE_FAIL also: no memory. */
EVE_MUST_USE enum eve_status eve_unpack_new(struct eve_unpack **u, enum eve_packed format,
                                            struct eve_err *err);
void eve_unpack_free(struct eve_unpack *u);

/* Decode from *in, which loses the bytes that were taken, into the `room` bytes at `to`; *got is
 * the number of bytes put there, on every return. EVE_OK: all room is used, or all of *in.
 * EVE_FAIL, and again at each later call: no memory (err->sys), or it cannot be decoded; err->pos
 * is how many bytes had been taken before the part that is wrong, and *got is 0. */
EVE_MUST_USE enum eve_status eve_unpack_some(struct eve_unpack *u, struct eve_slice *in, char *to,
                                             size_t room, size_t *got, struct eve_err *err);

/* There may be more text to give out though no more bytes come in. */
bool eve_unpack_holds(const struct eve_unpack *u);

/* No more bytes come in: EVE_END, or EVE_FAIL with rule truncated in the middle of a part. */
EVE_MUST_USE enum eve_status eve_unpack_end(const struct eve_unpack *u, struct eve_err *err);

#endif
