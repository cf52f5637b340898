/*
 * stat: the core of evestat. Decoded events of one stream go in, an account comes out.
 *
 * What is counted per event needs no state, so that parts of a stream add up. State over events is
 * kept for four things: restarts (see snapshot.h), the largest blocks, a breakdown by block, and
 * what version 24 would have cost. A block is what block.h says; its events are its appends.
 */
#ifndef EVE_STAT_H
#define EVE_STAT_H

#include "account.h"
#include "base.h"
#include "decode.h"
#include "event.h"
#include "snapshot.h"

/* What a row of the breakdown is. */
enum eve_stat_by {
    EVE_STAT_BY_NOTHING,
    EVE_STAT_BY_TYPE,
    EVE_STAT_BY_TURN,
    EVE_STAT_BY_STEP,
    EVE_STAT_BY_BLOCK
};

struct eve_stat_options {
    enum eve_stat_by by;
    unsigned as_if;                  /* 24: also count what that version costs; else 0 */
    struct eve_snapshots *snapshots; /* borrowed; emptied at the end of each stream */
    uint64_t seed[2];                /* see map.h */
};

struct eve_stat;

/* Starts on a stream. `account`, one of zeros, is borrowed until eve_stat_free and is filled in
 * event by event: all but name, state, and those figures that only the reader of lines knows
 * (lines, longestLine, badLines, in, transport, bad). EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status eve_stat_new(struct eve_stat **out,
                                          const struct eve_stat_options *options,
                                          struct eve_account *account, struct eve_err *err);

/* Frees what was needed on the way; the account stays. */
void eve_stat_free(struct eve_stat *s);

/* Count a decoded event: `d` is what eve_decode made of it with names for skills. EVE_FAIL: no
 * memory. */
EVE_MUST_USE enum eve_status eve_stat_event(struct eve_stat *s, const struct eve_event *ev,
                                            const struct eve_decoder *d, struct eve_err *err);

/* Do delta-only appends that are like the event counted last (of its shape, see event.h) take no
 * more than adding up? */
bool eve_stat_takes_more(const struct eve_stat *s);

/* Then count some of them: the `lines`, each with its LF, and their number. `ev`: the event counted
 * last, whose line is still there. EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status eve_stat_more(struct eve_stat *s, const struct eve_event *ev,
                                           struct eve_slice lines, uint64_t count,
                                           struct eve_err *err);

#endif
