/*
 * tally: the figures of a stream or of a part of one, all of which add up.
 *
 * A plain value: the caller counts into `n` and into the counts of event types. Types are told
 * apart by what their names say and are kept in one spelling (see spell.h), so that the same
 * figures always read the same.
 */
#ifndef EVE_TALLY_H
#define EVE_TALLY_H

#include "base.h"
#include "event.h"
#include "map.h"

/* The figures in the order of the report: symbol, the object they stand in (NULL: the report
 * itself), name. They are numbers or bytes; the longest line is the one that does not add up but
 * counts as the larger. */
#define EVE_TALLY_FIGURES(X)                                                                       \
    X(EVENTS, NULL, "events")                                                                      \
    X(LINES, NULL, "lines")                                                                        \
    X(TURNS, NULL, "turns")                                                                        \
    X(STEPS, NULL, "steps")                                                                        \
    X(BLOCKS, NULL, "blocks")                                                                      \
    X(RESTARTS, NULL, "restarts")                                                                  \
    X(LONGEST_LINE, NULL, "longestLine")                                                           \
    X(BAD_LINES, NULL, "badLines")                                                                 \
    X(IN, "bytes", "in")                                                                           \
    X(DELTA_ONLY, "bytes", "deltaOnly")                                                            \
    X(REMOVED, "bytes", "removed")                                                                 \
    X(TRANSPORT, "bytes", "transport")                                                             \
    X(BAD, "bytes", "bad")                                                                         \
    X(ADDED, "bytes", "added")                                                                     \
    X(PAYLOAD, "payload", "messageSoFar")                                                          \
    X(REASONING_SO_FAR, "payload", "reasoningSoFar")                                               \
    X(INPUT_TEXT_OFFSET, "payload", "inputTextOffset")                                             \
    X(MESSAGE_OFFSET, "payload", "messageOffset")                                                  \
    X(REASONING_OFFSET, "payload", "reasoningOffset")

/* EVE_TALLY_PAYLOAD is the first of the removed members, which come in the order of event.h. */
enum eve_tally_figure {
#define X(symbol, group, name) EVE_TALLY_##symbol,
    EVE_TALLY_FIGURES(X)
#undef X
        EVE_TALLY_COUNT
};

/* What some events amount to. */
struct eve_tally_count {
    uint64_t events;
    uint64_t bytes;   /* as found, without white space around them, with one LF each */
    uint64_t removed; /* of these, what delta-only form does not have */
};

struct eve_tally_type {
    struct eve_slice name; /* spelled; good until eve_tally_fini */
    struct eve_tally_count count;
};

struct eve_tally {
    uint64_t n[EVE_TALLY_COUNT];
    struct eve_tally_type *types; /* in the order they came */
    size_t type_count;
    size_t type_cap;
    struct eve_map names;           /* spelled names -> place in `types` */
    size_t known[EVE_EVENT_OTHER];  /* place in `types` + 1 of the types we know */
    struct eve_tally_type **sorted; /* see eve_tally_sort */
};

/* A number with two decimals, or nothing where there is nothing to divide by. */
struct eve_tally_ratio {
    bool known;
    uint64_t whole;
    unsigned hundredths;
};

/* `seed`: see map.h. */
void eve_tally_init(struct eve_tally *t, const uint64_t seed[2]);
void eve_tally_fini(struct eve_tally *t);

/* The object in the report that holds a figure (NULL: the report itself), and its name; constant.
 */
const char *eve_tally_group(enum eve_tally_figure f);
const char *eve_tally_name(enum eve_tally_figure f);

/* The count of the event's type, made if there is none; good until the next call. EVE_FAIL: no
 * memory. */
EVE_MUST_USE enum eve_status eve_tally_of_event(struct eve_tally *t, const struct eve_event *ev,
                                                struct eve_tally_count **out, struct eve_err *err);

/* The same by a spelled name, which is copied. */
EVE_MUST_USE enum eve_status eve_tally_of_name(struct eve_tally *t, struct eve_slice name,
                                               struct eve_tally_count **out, struct eve_err *err);

/* Add all of `more`. EVE_BAD (bad-data): a sum is over 2^64-1; *t is then of no use. EVE_FAIL: no
 * memory. */
EVE_MUST_USE enum eve_status eve_tally_add(struct eve_tally *t, const struct eve_tally *more,
                                           struct eve_err *err);

/* The figures can be those of events: what is said of the types sums up to what is said of all,
 * removed members are of the appends that have them, and nothing is larger than what it is part of.
 * The types need not be known here; a last LF that was missing is one byte of `added` an event. */
bool eve_tally_adds_up(const struct eve_tally *t);

/* The same figures, and the same types with the same counts. */
bool eve_tally_equal(const struct eve_tally *a, const struct eve_tally *b);

/* The types sorted, by name or by bytes (most first, then by name); t->type_count pointers, good
 * until the next call that is given `t`. EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status eve_tally_sort(struct eve_tally *t, bool by_bytes,
                                            struct eve_tally_type *const **out,
                                            struct eve_err *err);

/* What delta-only form saves: 100 x removed / (deltaOnly + removed), and (deltaOnly + removed) /
 * deltaOnly. Exact, rounded to the nearer hundredth, half up. */
struct eve_tally_ratio eve_tally_percent(const struct eve_tally *t);
struct eve_tally_ratio eve_tally_times(const struct eve_tally *t);

/* 100 x part / whole, part being at most whole; and part / whole. */
struct eve_tally_ratio eve_tally_share(uint64_t part, uint64_t whole);
struct eve_tally_ratio eve_tally_quotient(uint64_t part, uint64_t whole);

#endif
