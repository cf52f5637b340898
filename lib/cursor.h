/*
 * cursor: where in a stream of events a reader stands, and which events at the beginning of an
 * input were taken before.
 *
 * Events are numbered from 0: as the server does, and apart from that the events that were taken,
 * where those that were bad or dropped leave no gap. An input that goes on where an earlier one
 * stopped may repeat events of it: either it is said where the input begins, and the events before
 * the cursor are dropped; or the ids of the last events tell. Nothing is ever judged by its
 * content.
 */
#ifndef EVE_CURSOR_H
#define EVE_CURSOR_H

#include "base.h"
#include "event.h"
#include "recent.h"

struct eve_cursor {
    uint64_t at;              /* number of the next event, as the server counts */
    uint64_t index;           /* number that the next event taken gets */
    struct eve_recent recent; /* ids of the last events */
    bool keeps_ids;
    uint64_t before; /* events of the input that are still before the cursor */
    bool by_id;      /* still at the beginning, where ids tell */
    bool first;      /* no event of the input was seen */
};

/* `seed`: see map.h. */
void eve_cursor_init(struct eve_cursor *c, const uint64_t seed[2]);
void eve_cursor_fini(struct eve_cursor *c);

/* An input begins at event number `start`. `kept`: the cursor was kept from an earlier input and
 * must not lie before `start` (EVE_FAIL); else it is set to it. */
EVE_MUST_USE enum eve_status eve_cursor_start_at(struct eve_cursor *c, uint64_t start, bool kept,
                                                 struct eve_err *err);

/* An input begins that may repeat the last events. EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status eve_cursor_start(struct eve_cursor *c, struct eve_err *err);

/* The next event of the input. *repeated: it was taken before. EVE_FAIL: no memory, or it is the
 * first and has no id, so that nobody can know. */
EVE_MUST_USE enum eve_status eve_cursor_look(struct eve_cursor *c, const struct eve_event *ev,
                                             bool *repeated, struct eve_err *err);

/* It is dropped for another reason. EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status eve_cursor_drop(struct eve_cursor *c, const struct eve_event *ev,
                                             struct eve_err *err);

/* In place of the next event of the input was one that is bad. Where ids tell what was taken
 * before, it counts only behind the first event that was not. */
void eve_cursor_pass(struct eve_cursor *c);

/* It is taken; *index is its number. EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status eve_cursor_take(struct eve_cursor *c, const struct eve_event *ev,
                                             uint64_t *index, struct eve_err *err);

#endif
