#include "map.h"

#include "mem.h"
#include "str.h"

#include <errno.h>

enum { FIRST_ENTRIES = 16, KEEP_ENTRIES = 4096 };

static uint64_t rotate(uint64_t v, int bits)
{
    return v << bits | v >> (64 - bits);
}

static void sip_round(uint64_t v[4])
{
    v[0] += v[1];
    v[1] = rotate(v[1], 13) ^ v[0];
    v[0] = rotate(v[0], 32);
    v[2] += v[3];
    v[3] = rotate(v[3], 16) ^ v[2];
    v[0] += v[3];
    v[3] = rotate(v[3], 21) ^ v[0];
    v[2] += v[1];
    v[1] = rotate(v[1], 17) ^ v[2];
    v[2] = rotate(v[2], 32);
}

/* Eight bytes at `p` as a little-endian number on any machine. */
static uint64_t load64(const char *p)
{
    uint64_t v = 0;
    for (int i = 0; i < 8; i++) {
        v |= (uint64_t)(unsigned char)p[i] << (8 * i);
    }
    return v;
}

/* Take in all of `s`. */
static void sip_absorb(uint64_t v[4], struct eve_slice s)
{
    size_t i = 0;
    for (; s.n - i >= 8; i += 8) {
        uint64_t word = load64(s.p + i);
        v[3] ^= word;
        sip_round(v);
        v[0] ^= word;
    }
    uint64_t last = (uint64_t)s.n << 56;
    for (size_t k = 0; i + k < s.n; k++) {
        last |= (uint64_t)(unsigned char)s.p[i + k] << (8 * k);
    }
    v[3] ^= last;
    sip_round(v);
    v[0] ^= last;
}

static uint64_t sip_finish(uint64_t v[4])
{
    for (int k = 0; k < 3; k++) {
        sip_round(v);
    }
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

static void sip_start(uint64_t v[4], const uint64_t seed[2])
{
    v[0] = seed[0] ^ 0x736f6d6570736575u;
    v[1] = seed[1] ^ 0x646f72616e646f6du;
    v[2] = seed[0] ^ 0x6c7967656e657261u;
    v[3] = seed[1] ^ 0x7465646279746573u;
}

uint64_t eve_map_hash(const uint64_t seed[2], struct eve_slice s)
{
    uint64_t v[4];
    sip_start(v, seed);
    sip_absorb(v, s);
    v[2] ^= 0xff;
    return sip_finish(v);
}

void eve_map_hash128(const uint64_t seed[2], struct eve_slice s, uint64_t out[2])
{
    uint64_t v[4];
    sip_start(v, seed);
    v[1] ^= 0xee;
    sip_absorb(v, s);
    v[2] ^= 0xee;
    out[0] = sip_finish(v);
    v[1] ^= 0xdd;
    out[1] = sip_finish(v);
}

void eve_map_init(struct eve_map *m, const uint64_t seed[2])
{
    *m = (struct eve_map){.seed = {seed[0], seed[1]}};
    eve_arena_init(&m->keys);
}

void eve_map_fini(struct eve_map *m)
{
    eve_mem_free(m->entries);
    eve_mem_free(m->index);
    eve_arena_fini(&m->keys);
    eve_map_init(m, m->seed);
}

void eve_map_clear(struct eve_map *m)
{
    if (m->cap > KEEP_ENTRIES) {
        eve_map_fini(m);
        return;
    }
    if (m->count > 0) {
        memset(m->index, 0, m->index_cap * sizeof *m->index);
        m->count = 0;
        eve_arena_reset(&m->keys);
    }
}

/* The place in the index where `key` is, or where it belongs. */
static uint32_t *find(const struct eve_map *m, struct eve_slice key, uint32_t hash)
{
    size_t mask = m->index_cap - 1;
    for (size_t at = hash & mask;; at = (at + 1) & mask) {
        uint32_t number = m->index[at];
        if (number == 0) {
            return &m->index[at];
        }
        const struct eve_map_entry *e = &m->entries[number - 1];
        if (e->hash == hash && eve_str_equal((struct eve_slice){e->key, e->key_n}, key)) {
            return &m->index[at];
        }
    }
}

struct eve_map_entry *eve_map_get(const struct eve_map *m, struct eve_slice key)
{
    if (m->count == 0) {
        return NULL;
    }
    uint32_t number = *find(m, key, (uint32_t)eve_map_hash(m->seed, key));
    return number == 0 ? NULL : &m->entries[number - 1];
}

static enum eve_status grow_index(struct eve_map *m, struct eve_err *err)
{
    size_t cap = m->index_cap == 0 ? (size_t)FIRST_ENTRIES * 2 : m->index_cap * 2;
    uint32_t *index = NULL;
    enum eve_status status = eve_mem_resize(&index, cap, sizeof *index, err);
    if (status != EVE_OK) {
        return status;
    }
    memset(index, 0, cap * sizeof *index);
    for (size_t i = 0; i < m->count; i++) {
        size_t at = m->entries[i].hash & (cap - 1);
        while (index[at] != 0) {
            at = (at + 1) & (cap - 1);
        }
        index[at] = (uint32_t)(i + 1);
    }
    eve_mem_free(m->index);
    m->index = index;
    m->index_cap = cap;
    return EVE_OK;
}

/* Room for one more entry, with the index at most half full. */
static enum eve_status make_room(struct eve_map *m, struct eve_err *err)
{
    if (m->count == m->cap) {
        size_t cap = eve_mem_grow(m->cap, m->count + 1, FIRST_ENTRIES, UINT32_MAX - 1);
        if (cap == 0) {
            return eve_fail(err, EVE_FAIL, EVE_RULE_NONE, "too many different names", 0, ENOMEM);
        }
        enum eve_status status = eve_mem_resize(&m->entries, cap, sizeof *m->entries, err);
        if (status != EVE_OK) {
            return status;
        }
        m->cap = cap;
    }
    return (m->count + 1) * 2 > m->index_cap ? grow_index(m, err) : EVE_OK;
}

enum eve_status eve_map_put(struct eve_map *m, struct eve_slice key, struct eve_map_entry **entry,
                            bool *added, struct eve_err *err)
{
    struct eve_slice copy = {0};
    if (key.n > UINT32_MAX) {
        return eve_fail(err, EVE_FAIL, EVE_RULE_NONE, "a name of over 4 GiB", 0, ENOMEM);
    }
    enum eve_status status = make_room(m, err);
    if (status != EVE_OK) {
        return status;
    }
    uint32_t hash = (uint32_t)eve_map_hash(m->seed, key);
    uint32_t *place = find(m, key, hash);
    *added = *place == 0;
    if (*added) {
        status = eve_arena_copy(&m->keys, key, &copy, err);
        if (status != EVE_OK) {
            return status;
        }
        m->entries[m->count] = (struct eve_map_entry){copy.p, (uint32_t)copy.n, hash, 0};
        *place = (uint32_t)++m->count;
    }
    *entry = &m->entries[*place - 1];
    return EVE_OK;
}
