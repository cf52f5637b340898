/*
 * dedupe: which events came before, by their `meta.id`.
 *
 * Ids are compared by what they say. Events of two groups, and events without a string id, are
 * never taken for each other; nor is anything ever judged by its content.
 */
#ifndef EVE_DEDUPE_H
#define EVE_DEDUPE_H

#include "base.h"
#include "buf.h"
#include "event.h"
#include "map.h"

struct eve_dedupe {
    struct eve_map ids;
    struct eve_buf key; /* scratch */
};

/* `seed`: see map.h. */
void eve_dedupe_init(struct eve_dedupe *d, const uint64_t seed[2]);
void eve_dedupe_fini(struct eve_dedupe *d);
void eve_dedupe_clear(struct eve_dedupe *d);

/* Take note of the event. *seen: its id came before; *without: it has none. EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status eve_dedupe_see(struct eve_dedupe *d, const struct eve_event *ev,
                                            bool *seen, bool *without, struct eve_err *err);

#endif
