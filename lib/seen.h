/*
 * seen: which ids came before, and what came with them.
 *
 * Ids are ULIDs, which grow with time. So nearly each one is greater than all before it, and is put
 * behind them in a sorted list, 32 bytes an id (48 while growing), without any hashing. One that is
 * not is looked up there by halving; if it is not there, it goes into a hash map, as do ids of any
 * other form and those of groups. What came with an id is a number of EVE_SEEN_BITS.
 */
#ifndef EVE_SEEN_H
#define EVE_SEEN_H

#include "base.h"
#include "map.h"

#define EVE_SEEN_BITS 48

/* A ULID as it is written: its characters are in the order of their values. */
struct eve_ulid {
    char s[26];
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

/* The ULID at `p`: 26 characters of Crockford's base 32, the first 0 to 7. False: it is none. */
bool eve_seen_ulid(const char *p, struct eve_ulid *out);

/* Eight characters as a number whose order is theirs. */
static inline uint64_t eve_seen_word(const char *p)
{
    const unsigned char *s = (const unsigned char *)p;
    return (uint64_t)s[0] << 56 | (uint64_t)s[1] << 48 | (uint64_t)s[2] << 40 |
           (uint64_t)s[3] << 32 | (uint64_t)s[4] << 24 | (uint64_t)s[5] << 16 |
           (uint64_t)s[6] << 8 | (uint64_t)s[7]; /* compilers make one load of it */
}

/* a < b */
static inline bool eve_seen_before(struct eve_ulid a, struct eve_ulid b)
{
    static const size_t at[] = {0, 8, 10, 18}; /* some overlap */
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        uint64_t x = eve_seen_word(a.s + at[i]);
        uint64_t y = eve_seen_word(b.s + at[i]);
        if (x != y) {
            return x < y;
        }
    }
    return false;
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
