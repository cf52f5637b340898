/*
 * source: the bytes of a descriptor, decompressed where they are compressed.
 *
 * What it is shows in the first bytes. Compressed data of a format that this build lacks is handed
 * out as it is. Each call makes at most one read(2) that may block, so that the caller can see
 * before whether it would. A long text is decoded ahead on a thread; the thread only decodes.
 */
#ifndef EVE_SOURCE_H
#define EVE_SOURCE_H

#include "ahead.h"
#include "base.h"
#include "packed.h"
#include "unpack.h"

/* Compressed bytes asked of one read, and least room for the bytes that come out. */
#define EVE_SOURCE_BLOCK ((size_t)128 * 1024)

struct eve_source {
    int fd;
    size_t max;             /* at most so many bytes a read, and decoded at a time */
    bool alone;             /* on no thread */
    uint64_t taken;         /* bytes read from fd so far */
    enum eve_packed format; /* good once `known` */
    bool known;
    bool ended; /* fd has no more */
    char head[EVE_PACKED_MAGIC];
    size_t head_n;             /* first bytes that do not tell yet */
    struct eve_unpack *unpack; /* NULL: the bytes go out as they are */
    char *in;                  /* compressed bytes; owned */
    size_t in_cap;
    struct eve_slice left;   /* of these, the ones not decoded yet */
    struct eve_ahead *ahead; /* it does the decoding; NULL: not, or not yet */
};

/* Read from `fd`, which stays the caller's. Allocates nothing yet. */
void eve_source_init(struct eve_source *s, int fd, size_t max, bool alone);
void eve_source_fini(struct eve_source *s);

/* The next call of eve_source_read makes a read(2) that may block. */
bool eve_source_reads(const struct eve_source *s);

/* Put the next bytes at `to`, where there is `room` for at least EVE_SOURCE_BLOCK; *got tells how
 * many there are, on EVE_OK perhaps none: then call again. EVE_END: no more. EVE_FAIL: no memory or
 * a failed read (err->sys; a later call tries again), or it cannot be decoded (err->sys is 0, and
 * err->pos is how many bytes of the descriptor are before the part that is wrong); rule truncated
 * if it ends too soon. */
EVE_MUST_USE enum eve_status eve_source_read(struct eve_source *s, char *to, size_t room,
                                             size_t *got, struct eve_err *err);

#endif
