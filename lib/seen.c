#include "seen.h"

#include "mem.h"

#include <string.h>

enum { FIRST_IDS = 64, KEEP_IDS = 65536 };

struct eve_seen_id {
    struct eve_ulid id;
    uint16_t said_high;
    uint32_t said_low;
};

void eve_seen_init(struct eve_seen *s, const uint64_t seed[2])
{
    *s = (struct eve_seen){0};
    eve_map_init(&s->others, seed);
}

void eve_seen_fini(struct eve_seen *s)
{
    eve_mem_free(s->list);
    s->list = NULL;
    s->count = s->cap = 0;
    eve_map_fini(&s->others);
}

void eve_seen_clear(struct eve_seen *s)
{
    if (s->cap > KEEP_IDS) {
        eve_seen_fini(s);
    }
    s->count = 0;
    eve_map_clear(&s->others);
}

/* 0: a digit. */
static const unsigned char no_digit[256] = {
#define R16 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1
    R16, R16, R16,                                                     /* below '0' */
    0,   0,   0,   0,   0,   0,   0,   0,   0,   0,  1, 1, 1, 1, 1, 1, /* 0 to 9 */
    1,   0,   0,   0,   0,   0,   0,   0,   0,   1,  0, 0, 1, 0, 0, 1, /* A to H, J, K, M, N */
    0,   0,   0,   0,   0,   1,   0,   0,   0,   0,  0, 1, 1, 1, 1, 1, /* P to T, V to Z */
    R16, R16, R16, R16, R16, R16, R16, R16, R16, R16
#undef R16
};

bool eve_seen_ulid(const char *p, struct eve_ulid *out)
{
    const unsigned char *s = (const unsigned char *)p;
    unsigned bad = s[0] > '7';
    for (size_t i = 0; i < sizeof out->s; i++) {
        bad |= no_digit[s[i]];
    }
    memcpy(out->s, p, sizeof out->s);
    return bad == 0;
}

static enum eve_status append(struct eve_seen *s, struct eve_ulid id, uint64_t said,
                              struct eve_err *err)
{
    if (s->count == s->cap) {
        size_t cap = eve_mem_grow(s->cap, s->count + 1, FIRST_IDS, SIZE_MAX / sizeof *s->list);
        enum eve_status status = eve_mem_resize(&s->list, cap, sizeof *s->list, err);
        if (status != EVE_OK) {
            return status;
        }
        s->cap = cap;
    }
    s->list[s->count++] = (struct eve_seen_id){id, (uint16_t)(said >> 32), (uint32_t)said};
    return EVE_OK;
}

/* The id in the list, or NULL. */
static const struct eve_seen_id *find(const struct eve_seen *s, struct eve_ulid id)
{
    size_t from = 0;
    size_t to = s->count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (eve_seen_before(s->list[middle].id, id)) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    bool found = from < s->count && memcmp(s->list[from].id.s, id.s, sizeof id.s) == 0;
    return found ? &s->list[from] : NULL;
}

enum eve_status eve_seen_ulid_put(struct eve_seen *s, struct eve_ulid id, struct eve_slice key,
                                  uint64_t *said, bool *added, struct eve_err *err)
{
    if (s->count == 0 || eve_seen_before(s->list[s->count - 1].id, id)) {
        *added = true;
        return append(s, id, *said, err);
    }
    const struct eve_seen_id *found = find(s, id);
    if (found == NULL) {
        return eve_seen_put(s, key, said, added, err);
    }
    *added = false;
    *said = (uint64_t)found->said_high << 32 | found->said_low;
    return EVE_OK;
}

enum eve_status eve_seen_put(struct eve_seen *s, struct eve_slice key, uint64_t *said, bool *added,
                             struct eve_err *err)
{
    struct eve_map_entry *entry = NULL;
    enum eve_status status = eve_map_put(&s->others, key, &entry, added, err);
    if (status == EVE_OK && *added) {
        entry->value = *said;
    } else if (status == EVE_OK) {
        *said = entry->value;
    }
    return status;
}
