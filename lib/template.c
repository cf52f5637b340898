#include "template.h"

#include "json.h"
#include "template_shape.h"
#include "utf8.h"

#include <string.h>

/* How many other shapes are tried when the expected one does not fit: of the least recently used,
 * which are next where many blocks take turns, and of the most recently used. */
enum { OLDEST = 4, NEWEST = 32 };

/* Where the parts of a line are that is of a shape. */
struct found {
    const char *delta;     /* content */
    const char *delta_end; /* closing quote; NULL: no string */
    bool escaped;
    const char *sum;
    size_t sum_n;
    const char *tail;
    const char *end; /* behind the LF */
    struct eve_block *block;
    bool sum_escaped; /* of a snapshot */
};

/* Does the piece stand at `p`? */
static inline bool is_like(const struct eve_template_shape *s, int which, const char *p,
                           const char *end)
{
    return (size_t)(end - p) >= s->piece[which].n && eve_simd_like(p, &s->piece[which]);
}

/* The value of four hexadecimal digits; the escapes of a valid string have them. */
static unsigned hex(const char *p)
{
    unsigned v = 0;
    for (int i = 0; i < 4; i++) {
        v = v << 4 | (unsigned)(p[i] <= '9' ? p[i] - '0' : (p[i] | 0x20) - 'a' + 10);
    }
    return v;
}

/* The text ends with the first half of a pair as an escape, which is no escaped backslash. */
static bool ends_with_half(struct eve_slice text)
{
    enum { LEN = 6 };
    size_t n = 0;
    if (text.n < LEN || text.p[text.n - LEN] != '\\' || text.p[text.n - LEN + 1] != 'u') {
        return false;
    }
    while (n < text.n - LEN && text.p[text.n - LEN - 1 - n] == '\\') {
        n++;
    }
    return n % 2 == 0 && hex(text.p + text.n - 4) >> 10 == 0xD800 >> 10;
}

/* Bytes that the snapshot has less than what is kept and the delta: two halves that meet become one
 * character. *pair is that. */
static size_t joins(struct eve_slice kept, const struct found *found, char pair[4])
{
    const char *delta = found->delta;
    if (EVE_LIKELY(!found->escaped) || found->delta_end - delta < 6 || delta[0] != '\\' ||
        delta[1] != 'u' || hex(delta + 2) >> 10 != 0xDC00 >> 10 || !ends_with_half(kept)) {
        return 0;
    }
    uint32_t high = hex(kept.p + kept.n - 4) & 0x3FF;
    return 12 - eve_utf8_encode(0x10000 + (high << 10) + (hex(delta + 2) & 0x3FF), pair);
}

/* The cumulative field, from its first byte on: it must continue what is kept. The end is looked at
 * before the whole, since other blocks may have the same text. */
static bool find_snapshot(const struct eve_template_shape *s, const struct eve_snapshots *snapshots,
                          const char *end, struct found *found)
{
    char pair[4];
    struct eve_slice kept = {0};
    found->block = eve_snapshot_of(snapshots, &s->ev, &kept);
    if (found->block == NULL) {
        return false;
    }
    size_t delta_n = (size_t)(found->delta_end - found->delta);
    size_t less = joins(kept, found, pair);
    size_t cut = less > 0 ? 6 : 0;
    const char *seam = found->sum + kept.n - cut;
    found->sum_n = kept.n + delta_n - less;
    found->tail = found->sum + found->sum_n;
    if ((size_t)(end - found->sum) <= found->sum_n || !is_like(s, TAIL, found->tail, end) ||
        memcmp(found->tail - (delta_n - cut), found->delta + cut, delta_n - cut) != 0 ||
        (less > 0 && memcmp(seam, pair, 4) != 0) || memcmp(found->sum, kept.p, kept.n - cut) != 0) {
        return false;
    }
    found->sum_escaped = less > 0 ? memchr(found->sum, '\\', found->sum_n) != NULL
                                  : found->escaped || eve_snapshot_is_escaped(found->block);
    return true;
}

/* An offset: digits without a leading zero, few enough for any version to take it. */
static bool find_offset(const struct eve_template_shape *s, const char *end, struct found *found)
{
    const char *p = found->sum;
    while (p < end && *p >= '0' && *p <= '9') {
        p++;
    }
    found->sum_n = (size_t)(p - found->sum);
    found->tail = p;
    return found->sum_n > 0 && found->sum_n < 16 && (*found->sum != '0' || found->sum_n == 1) &&
           is_like(s, TAIL, p, end);
}

/* Is the line at the start of `bytes` of the shape? *found may know the delta from a try before. */
static inline bool is_of(const struct eve_template_shape *s, struct eve_slice bytes,
                         const struct eve_snapshots *snapshots, struct found *found)
{
    const char *end = bytes.p + bytes.n;
    const char *delta = bytes.p + s->piece[HEAD].n;
    if ((s->sum_kind == EVE_JSON_STRING && snapshots == NULL) || !is_like(s, HEAD, bytes.p, end)) {
        return false;
    }
    if (found->delta != delta) {
        found->delta = delta;
        found->escaped = false;
        found->delta_end = eve_simd_string_end(delta, end, &found->escaped);
    }
    if (found->delta_end == NULL) {
        return false;
    }
    found->block = NULL;
    found->tail = found->delta_end;
    if (s->sum_kind != EVE_JSON_NONE) {
        found->sum = found->delta_end + s->piece[MIDDLE].n;
        if (!is_like(s, MIDDLE, found->delta_end, end)) {
            return false;
        }
        return s->sum_kind == EVE_JSON_STRING ? find_snapshot(s, snapshots, end, found)
                                              : find_offset(s, end, found);
    }
    return is_like(s, TAIL, found->tail, end);
}

/* The same for the shape that most likely is it: without a sum, all is done in one go. */
static inline bool is_expected(const struct eve_template_shape *s, struct eve_slice bytes,
                               const struct eve_snapshots *snapshots, struct found *found)
{
    if (s->sum_kind != EVE_JSON_NONE) {
        return is_of(s, bytes, snapshots, found);
    }
    found->escaped = false;
    const char *quote = eve_simd_line(bytes.p, bytes.p + bytes.n, &s->piece[HEAD], &s->piece[TAIL],
                                      &found->escaped);
    if (quote == NULL) {
        return false;
    }
    found->delta = bytes.p + s->piece[HEAD].n;
    found->delta_end = found->tail = quote;
    found->block = NULL;
    return true;
}

/* The shape of the line that the `bytes` begin with, or NULL. */
static inline struct eve_template_shape *find(struct eve_templates *t, struct eve_slice bytes,
                                              const struct eve_snapshots *snapshots,
                                              struct found *found)
{
    struct eve_template_shape *guess = t->latest != NULL ? t->latest->next : NULL;
    found->delta = NULL;
    if (guess != NULL && is_expected(guess, bytes, snapshots, found)) {
        if (EVE_UNLIKELY(guess != t->latest)) {
            eve_template_follow(t, guess);
        }
        t->vain = 0;
        return guess;
    }
    struct eve_template_shape *s = t->last;
    for (int i = 0; s != NULL && i < OLDEST; s = s->before, i++) {
        if (s != guess && is_of(s, bytes, snapshots, found)) {
            eve_template_follow(t, s);
            t->vain = 0;
            return s;
        }
    }
    s = t->first;
    for (int i = 0; s != NULL && i < NEWEST; s = s->after, i++) {
        if (s != guess && is_of(s, bytes, snapshots, found)) {
            eve_template_follow(t, s);
            t->vain = 0;
            return s;
        }
    }
    return NULL;
}

bool eve_template_rests(struct eve_templates *t)
{
    return EVE_UNLIKELY(t->vain >= EVE_TEMPLATE_PATIENCE) &&
           ++t->vain % 16 > 2; /* a shape learned is one of them */
}

/* Behind the LF that ends the line. */
static const char *end_of(const struct eve_template_shape *s, const struct found *found)
{
    return found->tail + s->piece[TAIL].n;
}

static inline void set_slots(struct eve_template_shape *s, int which, const char *base)
{
    const struct slot *slot = s->slot + s->slots[which].first;
    for (size_t i = s->slots[which].n; i > 0; i--, slot++) {
        const char *p = base + slot->offset;
        memcpy((char *)&s->ev + slot->at, &p, sizeof p);
    }
}

const struct eve_event *eve_template_match(struct eve_templates *t, struct eve_slice bytes,
                                           const struct eve_snapshots *snapshots)
{
    struct found found;
    struct eve_template_shape *s = find(t, bytes, snapshots, &found);
    if (s == NULL) {
        return NULL;
    }
    struct eve_event *ev = &s->ev;
    struct eve_json_value *delta = &ev->field[s->delta].value;
    size_t line_n = (size_t)(end_of(s, &found) - bytes.p) - 1;
    ev->line = ev->text = (struct eve_slice){bytes.p, line_n};
    ev->continues = found.block;
    set_slots(s, HEAD, bytes.p);
    set_slots(s, MIDDLE, found.delta_end);
    set_slots(s, TAIL, found.tail);
    ev->data.n = (size_t)(found.tail + s->data_end - ev->data.p);
    delta->n = (size_t)(found.delta_end - found.delta) + 2;
    delta->escaped = found.escaped;
    if (s->sum_kind != EVE_JSON_NONE) {
        struct eve_json_value *sum = &ev->field[s->sum].value;
        bool quoted = s->sum_kind == EVE_JSON_STRING;
        sum->n = found.sum_n + (quoted ? 2 : 0);
        sum->escaped = quoted && found.sum_escaped;
    }
    return ev;
}

/* Has no removed member. */
static inline bool is_delta_only(const struct eve_template_shape *s)
{
    return (s->ev.seen & ((1u << EVE_FIELD_REMOVED_COUNT) - 1)) == 0;
}

/* Behind the lines from `p` on, before `end`, that are of the shape, which is delta-only. */
static const char *pass(const struct eve_template_shape *s, const char *p, const char *end,
                        uint64_t *count, uint64_t *longest)
{
    return eve_simd_lines(p, end, &s->piece[HEAD], &s->piece[TAIL], count, longest);
}

size_t eve_template_run(struct eve_templates *t, struct eve_slice bytes, uint64_t *count,
                        uint64_t *longest)
{
    struct found found;
    struct eve_slice rest = bytes;
    struct eve_template_shape *s = NULL;
    *count = 0;
    if (t->latest == NULL || t->latest->next->sum_kind != EVE_JSON_NONE) {
        return 0;
    }
    while ((s = find(t, rest, NULL, &found)) != NULL && is_delta_only(s)) {
        const char *end = end_of(s, &found);
        uint64_t most = (uint64_t)(end - rest.p);
        end = pass(s, end, bytes.p + bytes.n, count, &most);
        *longest = most - 1 > *longest ? most - 1 : *longest;
        rest = (struct eve_slice){end, (size_t)(bytes.p + bytes.n - end)};
        ++*count;
    }
    return (size_t)(rest.p - bytes.p);
}

size_t eve_template_more(const struct eve_templates *t, struct eve_slice bytes, uint64_t *count,
                         uint64_t *longest)
{
    uint64_t most = *longest + 1;
    *count = 0;
    if (t->latest == NULL || !is_delta_only(t->latest)) {
        return 0;
    }
    const char *end = pass(t->latest, bytes.p, bytes.p + bytes.n, count, &most);
    *longest = most - 1;
    return (size_t)(end - bytes.p);
}
