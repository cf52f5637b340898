#include "seen.h"

#include "mem.h"

enum { FIRST_IDS = 64, KEEP_IDS = 65536 };

struct eve_seen_id {
    struct eve_ulid id;
    uint64_t said;
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

/* Values of the digits plus 1; 0: no digit. */
static const unsigned char digits[256] = {
    ['0'] = 1,  ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,  ['6'] = 7,  ['7'] = 8,
    ['8'] = 9,  ['9'] = 10, ['A'] = 11, ['B'] = 12, ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
    ['G'] = 17, ['H'] = 18, ['J'] = 19, ['K'] = 20, ['M'] = 21, ['N'] = 22, ['P'] = 23, ['Q'] = 24,
    ['R'] = 25, ['S'] = 26, ['T'] = 27, ['V'] = 28, ['W'] = 29, ['X'] = 30, ['Y'] = 31, ['Z'] = 32};

bool eve_seen_ulid(const char *p, struct eve_ulid *out)
{
    enum { HALF = 13, LENGTH = 26 };
    const unsigned char *s = (const unsigned char *)p;
    uint64_t high = 0; /* 3 + 12 x 5 bits */
    uint64_t low = 0;  /* 12 x 5 bits, after the digit in the middle */
    unsigned middle = digits[s[HALF]] - 1U;
    unsigned all = middle; /* over 31 if one of them is no digit */
    for (size_t i = 0; i < HALF; i++) {
        unsigned digit = digits[s[i]] - 1U;
        all |= digit;
        high = high << 5 | (digit & 31);
    }
    for (size_t i = HALF + 1; i < LENGTH; i++) {
        unsigned digit = digits[s[i]] - 1U;
        all |= digit;
        low = low << 5 | (digit & 31);
    }
    out->high = high << 1 | (middle & 31) >> 4;
    out->low = (uint64_t)(middle & 31) << 60 | low;
    return all <= 31 && s[0] <= '7';
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
    s->list[s->count++] = (struct eve_seen_id){id, said};
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
    bool found =
        from < s->count && s->list[from].id.high == id.high && s->list[from].id.low == id.low;
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
    *said = found->said;
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
