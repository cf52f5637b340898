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

/* Sixteen characters at once; the compiler makes of it what the machine has. */
typedef unsigned char vector __attribute__((vector_size(16)));

/* All bits of a byte are set where the character is a digit of Crockford's base 32: 0 to 9 and A to
 * Z without I, L, O and U. */
static vector digits(const char *p)
{
    vector c;
    memcpy(&c, p, sizeof c);
    vector letter = (vector)(c - 'A' < 26) & (vector)(c != 'I') & (vector)(c != 'L') &
                    (vector)(c != 'O') & (vector)(c != 'U');
    return (vector)(c - '0' < 10) | letter;
}

bool eve_seen_ulid(const char *p, struct eve_ulid *out)
{
    uint64_t all[2];
    vector good = digits(p) & digits(p + sizeof out->s - sizeof good); /* they overlap */
    memcpy(all, &good, sizeof all);
    memcpy(out->s, p, sizeof out->s);
    return (all[0] & all[1]) == UINT64_MAX && (unsigned char)p[0] <= '7';
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
