/*
 * seen: which ids came before, and what came with them.
 *
 * Ids are ULIDs, which grow with time. So nearly each one is greater than all before it, and is put
 * behind them in a sorted list, 24 bytes an id (36 while growing), without any hashing. One that is
 * not is looked up there by halving; if it is not there, it goes into a hash map, as do ids of any
 * other form and those of groups.
 */
#ifndef EVE_SEEN_H
#define EVE_SEEN_H

#include "base.h"
#include "map.h"

/* A ULID as a number of 128 bits. */
struct eve_ulid {
    uint64_t high;
    uint64_t low;
};

struct eve_seen_id;

struct eve_seen {
    struct eve_seen_id *list; /* ascending */
    size_t count;
    size_t cap;
    struct eve_map others; /* value: what came with the id */
};

/* `seed`: see map.h. */
void eve_seen_init(struct eve_seen *s, const uint64_t seed[2]);
void eve_seen_fini(struct eve_seen *s);
void eve_seen_clear(struct eve_seen *s);

/* The number of a ULID: 26 characters of Crockford's base 32 at `p`, the first 0 to 7. False: it is
 * none. */
bool eve_seen_ulid(const char *p, struct eve_ulid *out);

/* a < b */
static inline bool eve_seen_before(struct eve_ulid a, struct eve_ulid b)
{
    return a.high < b.high || (a.high == b.high && a.low < b.low);
}

/* Take note of an id with the number `said`. *added: it did not come before; otherwise *said is the
 * number it came with. EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status eve_seen_ulid_put(struct eve_seen *s, struct eve_ulid id,
                                               struct eve_slice key, uint64_t *said, bool *added,
                                               struct eve_err *err);
/* The same for an id of any form. */
EVE_MUST_USE enum eve_status eve_seen_put(struct eve_seen *s, struct eve_slice key, uint64_t *said,
                                          bool *added, struct eve_err *err);

#endif
