#include "tally.h"

#include "buf.h"
#include "mem.h"
#include "spell.h"
#include "str.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_TYPES = 16 };

static const struct {
    const char *group;
    const char *name;
} figures[] = {
#define X(symbol, group, name) {group, name},
    EVE_TALLY_FIGURES(X)
#undef X
};

const char *eve_tally_group(enum eve_tally_figure f)
{
    return figures[f].group;
}

const char *eve_tally_name(enum eve_tally_figure f)
{
    return figures[f].name;
}

void eve_tally_init(struct eve_tally *t, const uint64_t seed[2])
{
    *t = (struct eve_tally){0};
    eve_map_init(&t->names, seed);
}

void eve_tally_fini(struct eve_tally *t)
{
    eve_mem_free(t->types);
    eve_mem_free(t->sorted);
    eve_map_fini(&t->names);
    t->types = NULL;
    t->sorted = NULL;
    t->type_count = t->type_cap = 0;
}

/* The place of a type, made if there is none. */
static enum eve_status find(struct eve_tally *t, struct eve_slice name, size_t *place,
                            struct eve_err *err)
{
    struct eve_map_entry *entry = NULL;
    bool added = false;
    if (t->type_count == t->type_cap) {
        size_t cap = eve_mem_grow(t->type_cap, t->type_count + 1, FIRST_TYPES, SIZE_MAX / 2);
        enum eve_status status = eve_mem_resize(&t->types, cap, sizeof *t->types, err);
        if (status != EVE_OK) {
            return status;
        }
        t->type_cap = cap;
    }
    enum eve_status status = eve_map_put(&t->names, name, &entry, &added, err);
    if (status != EVE_OK) {
        return status;
    }
    if (added) {
        entry->value = t->type_count;
        t->types[t->type_count++] = (struct eve_tally_type){.name = {entry->key, entry->key_n}};
    }
    *place = (size_t)entry->value;
    return EVE_OK;
}

enum eve_status eve_tally_of_name(struct eve_tally *t, struct eve_slice name,
                                  struct eve_tally_count **out, struct eve_err *err)
{
    size_t place = 0;
    enum eve_status status = find(t, name, &place, err);
    if (status == EVE_OK) {
        *out = &t->types[place].count;
    }
    return status;
}

enum eve_status eve_tally_of_event(struct eve_tally *t, const struct eve_event *ev,
                                   struct eve_tally_count **out, struct eve_err *err)
{
    size_t place = 0;
    enum eve_status status = EVE_OK;
    if (ev->type == EVE_EVENT_OTHER) {
        struct eve_buf name;
        eve_buf_init(&name, SIZE_MAX / 2);
        status = eve_spell_put(&name, 0, ev->type_value, err);
        if (status == EVE_OK) {
            status = eve_tally_of_name(t, eve_buf_slice(&name), out, err);
        }
        eve_buf_fini(&name);
        return status;
    }
    if (t->known[ev->type] == 0) {
        status = find(t, eve_str(eve_event_type_name(ev->type)), &place, err);
        if (status != EVE_OK) {
            return status;
        }
        t->known[ev->type] = place + 1;
    }
    *out = &t->types[t->known[ev->type] - 1].count;
    return EVE_OK;
}

/* *sum += more. False: it does not fit. */
static bool add(uint64_t *sum, uint64_t more)
{
    return !__builtin_add_overflow(*sum, more, sum);
}

enum eve_status eve_tally_add(struct eve_tally *t, const struct eve_tally *more,
                              struct eve_err *err)
{
    bool fits = true;
    for (size_t f = 0; f < EVE_TALLY_COUNT; f++) {
        if (f == EVE_TALLY_LONGEST_LINE) {
            t->n[f] = more->n[f] > t->n[f] ? more->n[f] : t->n[f];
        } else {
            fits = add(&t->n[f], more->n[f]) && fits;
        }
    }
    uint64_t found = t->n[EVE_TALLY_DELTA_ONLY]; /* what the ratios divide */
    fits = add(&found, t->n[EVE_TALLY_REMOVED]) && fits;
    for (size_t i = 0; i < more->type_count; i++) {
        struct eve_tally_count *count = NULL;
        const struct eve_tally_type *type = &more->types[i];
        enum eve_status status = eve_tally_of_name(t, type->name, &count, err);
        if (status != EVE_OK) {
            return status;
        }
        fits = add(&count->events, type->count.events) && fits;
        fits = add(&count->bytes, type->count.bytes) && fits;
        fits = add(&count->removed, type->count.removed) && fits;
    }
    return fits ? EVE_OK : eve_fail(err, EVE_BAD, EVE_RULE_BAD_DATA, "a sum is over 2^64-1", 0, 0);
}

/* What is said of a type that we know; zeros if nothing is. */
static struct eve_tally_count count_of(const struct eve_tally *t, enum eve_event_type type)
{
    const struct eve_map_entry *entry = eve_map_get(&t->names, eve_str(eve_event_type_name(type)));
    return entry != NULL ? t->types[entry->value].count : (struct eve_tally_count){0};
}

/* *sum: the counts of all types. False: it does not fit, or a count is of no events. */
static bool sum_types(const struct eve_tally *t, struct eve_tally_count *sum)
{
    enum { LEAST = sizeof "{\"type\":\"\"}\n" - 1 }; /* bytes of an event beside its type */
    bool fits = true;
    *sum = (struct eve_tally_count){0};
    for (size_t i = 0; i < t->type_count && fits; i++) {
        const struct eve_tally_count *c = &t->types[i].count;
        uint64_t least = LEAST + t->types[i].name.n;
        fits = c->removed <= c->bytes && c->events <= (c->bytes - c->removed) / least &&
               (c->events > 0 || c->bytes == 0) && add(&sum->events, c->events) &&
               add(&sum->bytes, c->bytes) && add(&sum->removed, c->removed);
    }
    return fits;
}

/* Sums of payloads are those of the appends that have such members. */
static bool payload_adds_up(const struct eve_tally *t)
{
    uint64_t message = t->n[EVE_TALLY_PAYLOAD];
    uint64_t reasoning = t->n[EVE_TALLY_REASONING_SO_FAR];
    uint64_t all = t->n[EVE_TALLY_INPUT_TEXT_OFFSET];
    bool fits = count_of(t, EVE_EVENT_INPUT_APPENDED).removed == all;
    fits = fits && add(&message, t->n[EVE_TALLY_MESSAGE_OFFSET]) &&
           add(&reasoning, t->n[EVE_TALLY_REASONING_OFFSET]) && add(&all, message) &&
           add(&all, reasoning);
    return fits && count_of(t, EVE_EVENT_MESSAGE_APPENDED).removed == message &&
           count_of(t, EVE_EVENT_REASONING_APPENDED).removed == reasoning &&
           t->n[EVE_TALLY_REMOVED] == all;
}

/* in + added = deltaOnly + removed + transport + bad. */
static bool bytes_add_up(const struct eve_tally *t)
{
    uint64_t left = t->n[EVE_TALLY_IN];
    uint64_t right = t->n[EVE_TALLY_DELTA_ONLY];
    return add(&left, t->n[EVE_TALLY_ADDED]) && add(&right, t->n[EVE_TALLY_REMOVED]) &&
           add(&right, t->n[EVE_TALLY_TRANSPORT]) && add(&right, t->n[EVE_TALLY_BAD]) &&
           left == right;
}

/* deltaOnly + removed is what the types take and the names of skills, `added` is these names and
 * the LFs that were missing. */
static bool added_adds_up(const struct eve_tally *t, const struct eve_tally_count *sum)
{
    enum { LEAST = sizeof ",\"name\":\"\"" - 1 };
    uint64_t kept = t->n[EVE_TALLY_DELTA_ONLY] + t->n[EVE_TALLY_REMOVED];
    uint64_t names = kept - sum->bytes;
    uint64_t ends = t->n[EVE_TALLY_ADDED] - names;
    if (kept < sum->bytes || t->n[EVE_TALLY_ADDED] < names || ends > sum->events) {
        return false;
    }
    return names == 0 || (names >= LEAST && count_of(t, EVE_EVENT_ACTIONS_REQUESTED).events > 0);
}

/* What is counted of single events. */
static bool events_add_up(const struct eve_tally *t)
{
    const uint64_t *n = t->n;
    uint64_t appends = count_of(t, EVE_EVENT_MESSAGE_APPENDED).events +
                       count_of(t, EVE_EVENT_REASONING_APPENDED).events +
                       count_of(t, EVE_EVENT_INPUT_APPENDED).events;
    uint64_t texts = count_of(t, EVE_EVENT_MESSAGE_COMPLETED).events +
                     count_of(t, EVE_EVENT_REASONING_COMPLETED).events;
    bool calls = count_of(t, EVE_EVENT_ACTIONS_REQUESTED).events > 0;
    return n[EVE_TALLY_TURNS] == count_of(t, EVE_EVENT_TURN_STARTED).events &&
           n[EVE_TALLY_STEPS] == count_of(t, EVE_EVENT_STEP_STARTED).events &&
           n[EVE_TALLY_BLOCKS] >= texts && (calls || n[EVE_TALLY_BLOCKS] == texts) &&
           n[EVE_TALLY_RESTARTS] <= appends;
}

bool eve_tally_adds_up(const struct eve_tally *t)
{
    struct eve_tally_count sum;
    const uint64_t *n = t->n;
    return sum_types(t, &sum) && payload_adds_up(t) && bytes_add_up(t) &&
           sum.events == n[EVE_TALLY_EVENTS] && sum.removed == n[EVE_TALLY_REMOVED] &&
           added_adds_up(t, &sum) && events_add_up(t) &&
           n[EVE_TALLY_EVENTS] <= n[EVE_TALLY_LINES] && n[EVE_TALLY_LINES] <= n[EVE_TALLY_IN] &&
           n[EVE_TALLY_LONGEST_LINE] <= n[EVE_TALLY_IN] &&
           (n[EVE_TALLY_BAD] == 0 || n[EVE_TALLY_BAD_LINES] > 0);
}

bool eve_tally_equal(const struct eve_tally *a, const struct eve_tally *b)
{
    bool equal = memcmp(a->n, b->n, sizeof a->n) == 0 && a->type_count == b->type_count;
    for (size_t i = 0; i < a->type_count && equal; i++) {
        const struct eve_tally_count *x = &a->types[i].count;
        const struct eve_map_entry *entry = eve_map_get(&b->names, a->types[i].name);
        const struct eve_tally_count *y = entry != NULL ? &b->types[entry->value].count : NULL;
        equal =
            y != NULL && x->events == y->events && x->bytes == y->bytes && x->removed == y->removed;
    }
    return equal;
}

static int by_name(const void *a, const void *b)
{
    const struct eve_tally_type *x = *(struct eve_tally_type *const *)a;
    const struct eve_tally_type *y = *(struct eve_tally_type *const *)b;
    return eve_text_compare(x->name, y->name);
}

static int by_size(const void *a, const void *b)
{
    const struct eve_tally_type *x = *(struct eve_tally_type *const *)a;
    const struct eve_tally_type *y = *(struct eve_tally_type *const *)b;
    if (x->count.bytes != y->count.bytes) {
        return x->count.bytes > y->count.bytes ? -1 : 1;
    }
    return eve_text_compare(x->name, y->name);
}

enum eve_status eve_tally_sort(struct eve_tally *t, bool by_bytes,
                               struct eve_tally_type *const **out, struct eve_err *err)
{
    enum eve_status status =
        eve_mem_resize(&t->sorted, t->type_count, sizeof(struct eve_tally_type *), err);
    if (status != EVE_OK) {
        return status;
    }
    for (size_t i = 0; i < t->type_count; i++) {
        t->sorted[i] = &t->types[i];
    }
    qsort(t->sorted, t->type_count, sizeof(struct eve_tally_type *), by_bytes ? by_size : by_name);
    *out = t->sorted;
    return EVE_OK;
}

/* The next decimal digit of rest / divisor, with rest < divisor; rest becomes what is left. Ten
 * additions modulo the divisor, so that nothing can overflow. */
static unsigned next_digit(uint64_t *rest, uint64_t divisor)
{
    uint64_t sum = 0;
    unsigned digit = 0;
    for (int i = 0; i < 10; i++) {
        if (sum >= divisor - *rest) {
            sum -= divisor - *rest;
            digit++;
        } else {
            sum += *rest;
        }
    }
    *rest = sum;
    return digit;
}

/* 10^shift x part / divisor; `shift` is even and small. */
static struct eve_tally_ratio divide(uint64_t part, uint64_t divisor, int shift)
{
    struct eve_tally_ratio r = {0};
    if (divisor == 0) {
        return r;
    }
    r.known = true;
    r.whole = part / divisor;
    uint64_t rest = part % divisor;
    for (int i = 0; i < shift; i++) {
        r.whole = r.whole * 10 + next_digit(&rest, divisor);
    }
    r.hundredths = next_digit(&rest, divisor) * 10;
    r.hundredths += next_digit(&rest, divisor);
    if (rest >= divisor - rest && ++r.hundredths == 100) {
        r.hundredths = 0;
        r.whole++;
    }
    return r;
}

struct eve_tally_ratio eve_tally_share(uint64_t part, uint64_t whole)
{
    return divide(part, whole, 2);
}

struct eve_tally_ratio eve_tally_quotient(uint64_t part, uint64_t whole)
{
    return divide(part, whole, 0);
}

struct eve_tally_ratio eve_tally_percent(const struct eve_tally *t)
{
    return eve_tally_share(t->n[EVE_TALLY_REMOVED],
                           t->n[EVE_TALLY_DELTA_ONLY] + t->n[EVE_TALLY_REMOVED]);
}

struct eve_tally_ratio eve_tally_times(const struct eve_tally *t)
{
    return eve_tally_quotient(t->n[EVE_TALLY_DELTA_ONLY] + t->n[EVE_TALLY_REMOVED],
                              t->n[EVE_TALLY_DELTA_ONLY]);
}
