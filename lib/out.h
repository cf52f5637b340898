/*
 * out: the one writer through which every byte of data leaves.
 *
 * Short writes and EINTR are invisible. The first error sticks: later calls do nothing and report
 * it again, so a caller may check once in a while and has to check eve_out_flush at the end. Small
 * pieces are gathered; a long lent range goes out as it stands. The bytes can be compressed on
 * their way; all counts are of the bytes as they were given.
 */
#ifndef EVE_OUT_H
#define EVE_OUT_H

#include "base.h"
#include "buf.h"
#include "pack.h"

#define EVE_OUT_ROOM ((size_t)64 * 1024)

struct eve_out {
    int fd;
    char *buf;
    size_t n;              /* bytes gathered */
    struct eve_slice lent; /* comes after them; borrowed */
    uint64_t bytes;        /* bytes taken so far, written or not */
    size_t write_bytes;    /* at most so many bytes a write; 0: no limit */
    struct eve_buf *into;  /* takes the bytes instead; borrowed; NULL: none */
    struct eve_pack *pack; /* compresses what is written; owned; NULL: nothing does */
    bool live;             /* a flush reaches whoever decompresses */
    bool visible; /* set by the caller, for a terminal: DEL and U+0080 to U+009F are written
                     as \u00XX, which is the same within a JSON string */
    bool half;    /* the first byte of what may be one of those was taken */
    struct eve_err failure; /* sys is 0 while all is well */
};

/* Write to `fd`, which stays the caller's; -1 counts the bytes and writes nothing. */
EVE_MUST_USE enum eve_status eve_out_init(struct eve_out *o, int fd, struct eve_err *err);
void eve_out_fini(struct eve_out *o);

/* The other kind: every byte is put behind what is in `into` at once. Nothing is allocated here,
 * and eve_out_fini is not needed. */
void eve_out_init_memory(struct eve_out *o, struct eve_buf *into);

/* Compress what is written from now on; EVE_PACKED_NOT: do not. `live`: each eve_out_flush lets the
 * reader have all that was taken, which costs some bytes. Call eve_out_finish at the end. EVE_FAIL:
 * no memory, or the format is not in this build. */
EVE_MUST_USE enum eve_status eve_out_pack(struct eve_out *o, enum eve_packed format, bool live,
                                          struct eve_err *err);

/* Take `s`; it is copied or written before the call returns. */
EVE_MUST_USE enum eve_status eve_out_put(struct eve_out *o, struct eve_slice s,
                                         struct eve_err *err);

/* Take `s`, whose bytes stay good until eve_out_settle: ranges that lie one behind the other in
 * memory become one write. */
EVE_MUST_USE enum eve_status eve_out_lend(struct eve_out *o, struct eve_slice s,
                                          struct eve_err *err);

/* Be done with what was lent. */
EVE_MUST_USE enum eve_status eve_out_settle(struct eve_out *o, struct eve_err *err);

/* Write everything taken so far (compressed and not live: hand it to the compression). EVE_FAIL:
 * err->sys has the reason. */
EVE_MUST_USE enum eve_status eve_out_flush(struct eve_out *o, struct eve_err *err);

/* The same at the end: compressed data is completed. Nothing may be taken after it. */
EVE_MUST_USE enum eve_status eve_out_finish(struct eve_out *o, struct eve_err *err);

#endif
