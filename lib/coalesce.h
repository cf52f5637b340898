/*
 * coalesce: appends that follow each other become one.
 *
 * The joined event is the last one with the raw bytes of all deltas put together. One event is held
 * in hand until it is known whether the next one joins it; the caller writes what is handed back.
 */
#ifndef EVE_COALESCE_H
#define EVE_COALESCE_H

#include "base.h"
#include "buf.h"
#include "event.h"
#include "out.h"

/* A joined delta never has more UTF-16 units than this, the limit of eve's own writer. */
#define EVE_COALESCE_UNITS 65536

struct eve_coalesce {
    struct eve_buf held;  /* the event in hand, delta-only, as it would be written; n = 0: none */
    struct eve_buf delta; /* its joined delta, raw */
    size_t delta_from;    /* where its own delta (inside the quotes) lies in `held` */
    size_t delta_to;
    uint64_t units;      /* of the joined delta */
    struct eve_buf key;  /* type and coordinates of the event in hand */
    struct eve_buf next; /* of the event at hand */
    bool joinable;       /* it is an append of the plain shape */
};

void eve_coalesce_init(struct eve_coalesce *c);
void eve_coalesce_fini(struct eve_coalesce *c);

/* Take the event `ev`, whose delta-only form is `text` (borrowed for the call). If it joins the
 * event in hand, *joined is set; otherwise the event in hand is written to `out` first. `apart`:
 * never join it to what came before. EVE_FAIL: no memory, or the output. */
EVE_MUST_USE enum eve_status eve_coalesce_take(struct eve_coalesce *c, const struct eve_event *ev,
                                               struct eve_slice text, bool apart,
                                               struct eve_out *out, bool *joined,
                                               struct eve_err *err);

/* Write the event in hand, if there is one, and hold nothing. */
EVE_MUST_USE enum eve_status eve_coalesce_release(struct eve_coalesce *c, struct eve_out *out,
                                                  struct eve_err *err);

/* Bytes the event in hand will take when it is written; 0 if there is none. */
size_t eve_coalesce_pending(const struct eve_coalesce *c);

#endif
