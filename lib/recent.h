/*
 * recent: the ids of the last events, and where a repeated beginning of a stream ends.
 *
 * After a reconnect a server may send events again that were taken before. With the ids of the last
 * EVE_RECENT_MAX events at hand, the events at the beginning of the input that are among them are
 * known. Ids of two groups are never taken for each other; events without a string for an id are
 * not kept.
 */
#ifndef EVE_RECENT_H
#define EVE_RECENT_H

#include "base.h"
#include "buf.h"
#include "event.h"
#include "map.h"
#include "saved.h"

#define EVE_RECENT_MAX 1024

struct eve_recent {
    struct eve_buf id[EVE_RECENT_MAX]; /* a ring; as JSON: the string, or an array of the string and
                                          the group */
    uint64_t count;                    /* of all ids so far */
    struct eve_map known;              /* see eve_recent_know */
    struct eve_buf scratch;
};

/* `seed`: see map.h. */
void eve_recent_init(struct eve_recent *r, const uint64_t seed[2]);
void eve_recent_fini(struct eve_recent *r);

/* Take note of the event. EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status eve_recent_add(struct eve_recent *r, const struct eve_event *ev,
                                            struct eve_err *err);

/* What is kept now is what eve_recent_knows knows. EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status eve_recent_know(struct eve_recent *r, struct eve_err *err);

/* *known: the id of the event (a string) is known. EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status eve_recent_knows(struct eve_recent *r, const struct eve_event *ev,
                                              bool *known, struct eve_err *err);

/* Go through the ids in a saved array: begin with *at = 0; each time it is true, ev->id and
 * ev->group are those of an event. An element that is none gives an id of kind EVE_JSON_NONE. */
bool eve_recent_next(struct eve_json_value array, size_t *at, struct eve_event *ev);

/* Write the ids as a member that is an array, oldest first; and read them back. EVE_BAD: it is no
 * such array. */
void eve_recent_save(const struct eve_recent *r, const char *name, struct eve_saved *out);
EVE_MUST_USE enum eve_status eve_recent_load(struct eve_recent *r, struct eve_json_value array,
                                             struct eve_err *err);

#endif
