/*
 * accum: deltas become texts again.
 *
 * Each append goes behind the text of its block: of its turn, step and kind, or of its call. A
 * legacy append says the whole text; where that does not continue the kept one, the block is
 * abandoned and begins again. Blocks end as evestream(5) says; each ending is handed to the caller
 * once. With a group member all of it is kept per group.
 *
 * Memory: the open texts, and a row a group. Nothing is allocated for an append that goes on.
 */
#ifndef EVE_ACCUM_H
#define EVE_ACCUM_H

#include "base.h"
#include "draft.h"
#include "ending.h"
#include "event.h"
#include "saved.h"

struct eve_accum;

struct eve_accum_options {
    uint64_t seed[2]; /* see map.h */
    /* A block ended; *e is good during the call. NULL: nobody wants to know, texts are only
     * accumulated, and late appends begin a block as others do. */
    enum eve_status (*ended)(void *ctx, const struct eve_ending *e, struct eve_err *err);
    void *ctx;
};

/* With nothing open. EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status
eve_accum_new(struct eve_accum **out, const struct eve_accum_options *options, struct eve_err *err);
void eve_accum_free(struct eve_accum *a);

/* Take an event that eve_decode took; `legacy` is what it found. `index`: its number. EVE_FAIL: no
 * memory, or what `ended` returned. */
EVE_MUST_USE enum eve_status eve_accum_event(struct eve_accum *a, const struct eve_event *ev,
                                             bool legacy, uint64_t index, struct eve_err *err);

/* The block that the append just taken went to. Good until the next event. */
const struct eve_draft *eve_accum_draft(const struct eve_accum *a);

/* The input is over: what is open ends as such, in the order of first appends, and all is
 * forgotten, except what eve_accum_save keeps of groups. */
EVE_MUST_USE enum eve_status eve_accum_end(struct eve_accum *a, struct eve_err *err);

/* Forget everything: another file begins. */
void eve_accum_clear(struct eve_accum *a);

/* Write all that is kept as a member of a state file, an object (`name` NULL: as an element); and
 * take it up again, after eve_accum_new. EVE_BAD: `object` (which was scanned before) is not what
 * was saved; err->msg names the member. */
void eve_accum_save(const struct eve_accum *a, const char *name, struct eve_saved *out);
EVE_MUST_USE enum eve_status eve_accum_load(struct eve_accum *a, struct eve_json_value object,
                                            struct eve_err *err);

#endif
