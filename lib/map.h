/*
 * map: an ordered hash map from byte strings to a number.
 *
 * Keys are copied and owned by the map; entries are numbered 0, 1, 2 … in the order they came and
 * are never removed one by one. The hash is keyed (SipHash-1-3) with a seed the caller draws at
 * random, so that no input can be made to collide. About 64 bytes an entry with keys of 30 bytes,
 * 96 while growing.
 */
#ifndef EVE_MAP_H
#define EVE_MAP_H

#include "arena.h"
#include "base.h"

struct eve_map_entry {
    const char *key;
    uint32_t key_n;
    uint32_t hash;
    uint64_t value; /* the caller's */
};

struct eve_map {
    struct eve_map_entry *entries;
    size_t count;
    size_t cap;
    uint32_t *index; /* entry number + 1, or 0; a power of two of them */
    size_t index_cap;
    struct eve_arena keys;
    uint64_t seed[2];
};

void eve_map_init(struct eve_map *m, const uint64_t seed[2]);
void eve_map_fini(struct eve_map *m);

/* The entry of `key`, or NULL. Good until the next eve_map_put. */
struct eve_map_entry *eve_map_get(const struct eve_map *m, struct eve_slice key);

/* The entry of `key`, made with value 0 if there was none; *added says which. Good until the next
 * eve_map_put. EVE_FAIL: no memory, a key of 4 GiB, or 4 billion entries; the map is as it was. */
EVE_MUST_USE enum eve_status eve_map_put(struct eve_map *m, struct eve_slice key,
                                         struct eve_map_entry **entry, bool *added,
                                         struct eve_err *err);

/* Forget all entries; a small map keeps its room. */
void eve_map_clear(struct eve_map *m);

/* SipHash-1-3 of `s` (J.-P. Aumasson and D. J. Bernstein, 2012), for other keyed tables. */
uint64_t eve_map_hash(const uint64_t seed[2], struct eve_slice s);

/* The same with 128 bits, so many that the hash can stand for what was hashed. */
void eve_map_hash128(const uint64_t seed[2], struct eve_slice s, uint64_t out[2]);

#endif
