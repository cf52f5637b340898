/*
 * roster: where turns and calls began, and what became of them.
 *
 * A member is a key (a coordinate with its group) with the place of the event that began it, a
 * state and flags of the caller's. Members are in the order in which they came; one that came again
 * moves to the end, or stands before the older one of its key. Dropped ones are forgotten, in time,
 * so that what is kept is what is still of use: about 90 bytes a member with keys of 16 bytes.
 */
#ifndef EVE_ROSTER_H
#define EVE_ROSTER_H

#include "base.h"
#include "buf.h"
#include "map.h"

struct eve_roster_member {
    uint64_t line;
    uint64_t event;
    uint32_t owner;     /* the caller's: number of a group */
    uint32_t turn;      /* the caller's */
    uint32_t ask;       /* the caller's */
    uint32_t key;       /* number of its entry; not the caller's */
    uint32_t older;     /* number + 1 of the one of its key that came before; not the caller's */
    uint16_t name;      /* the caller's */
    uint8_t step;       /* the caller's */
    unsigned state : 4; /* the caller's; 0: dropped */
    unsigned flags : 4; /* the caller's */
};

struct eve_roster {
    struct eve_map keys; /* value: number of the member */
    struct eve_roster_member *members;
    size_t count;
    size_t cap;
    size_t dropped;
};

/* `seed`: see map.h. */
void eve_roster_init(struct eve_roster *r, const uint64_t seed[2]);
void eve_roster_fini(struct eve_roster *r);
void eve_roster_clear(struct eve_roster *r);

/* The member of `key` that is not dropped, the last that came, or NULL. Good until the next is
 * added. */
struct eve_roster_member *eve_roster_get(const struct eve_roster *r, struct eve_slice key);

/* The one of the same key that came before `member`, or NULL. */
struct eve_roster_member *eve_roster_older(const struct eve_roster *r,
                                           const struct eve_roster_member *member);

/* Add `member` (state not 0) as the last; the last one of the same key is dropped. EVE_FAIL: no
 * memory. */
EVE_MUST_USE enum eve_status eve_roster_add(struct eve_roster *r, struct eve_slice key,
                                            struct eve_roster_member member, struct eve_err *err);

/* The same, but one of the same key stays, as the older one. */
EVE_MUST_USE enum eve_status eve_roster_push(struct eve_roster *r, struct eve_slice key,
                                             struct eve_roster_member member, struct eve_err *err);

/* Forget a member; those of its key that came after it are gone through. */
void eve_roster_drop(struct eve_roster *r, struct eve_roster_member *member);

/* The key of a member; good until the next eve_roster_add. */
struct eve_slice eve_roster_key(const struct eve_roster *r, const struct eve_roster_member *member);

#endif
