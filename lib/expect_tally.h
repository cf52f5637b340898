/*
 * expect_tally: what a stream holds of that which can be expected of one.
 *
 * Memory: a row a type and a turn, final texts, and the requested tool calls.
 */
#ifndef EVE_EXPECT_TALLY_H
#define EVE_EXPECT_TALLY_H

#include "arena.h"
#include "base.h"
#include "buf.h"
#include "decode.h"
#include "event.h"
#include "map.h"

#define EVE_EXPECT_TALLY_ORDER 200

enum eve_expect_tally_status {
    EVE_EXPECT_TALLY_OPEN,
    EVE_EXPECT_TALLY_WAITING,
    EVE_EXPECT_TALLY_COMPLETED,
    EVE_EXPECT_TALLY_FAILED,
    EVE_EXPECT_TALLY_CANCELLED
};

struct eve_expect_tally_turn {
    struct eve_slice id; /* raw string */
    enum eve_expect_tally_status status;
    struct eve_buf text; /* the last completed text but those before tools: raw string; or empty */
    struct eve_buf result;  /* of the last result.completed, raw; or empty */
    struct eve_buf reasons; /* finish reasons, raw strings with commas between */
    uint64_t line;          /* of the last event that changed any of these */
    uint64_t index;
};

struct eve_expect_tally_call {
    struct eve_slice name;  /* raw value; n = 0: none */
    struct eve_slice input; /* likewise */
};

struct eve_expect_tally {
    uint64_t events;
    struct eve_map types; /* decoded type -> number of events */
    struct eve_map keys;  /* group and turn -> number of the turn */
    struct eve_expect_tally_turn *turns;
    size_t turn_count;
    size_t turn_cap;
    struct eve_expect_tally_call *calls;
    size_t call_count;
    size_t call_cap;
    struct eve_buf order; /* types as they came, raw strings with commas between: no appends, none
                             twice in a row, the first EVE_EXPECT_TALLY_ORDER */
    size_t order_count;
    unsigned versions; /* bit per version from EVE_VERSION_MIN on that every event fits */
    struct eve_arena arena;
    struct eve_buf scratch;
};

void eve_expect_tally_init(struct eve_expect_tally *s, const uint64_t seed[2]);
void eve_expect_tally_fini(struct eve_expect_tally *s);

/* Take note of an event. EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status eve_expect_tally_event(struct eve_expect_tally *s,
                                                    const struct eve_event *ev,
                                                    const struct eve_decoder *d, unsigned version,
                                                    uint64_t line, uint64_t index,
                                                    struct eve_err *err);

/* Events of a type, a string; of "*" all. EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status eve_expect_tally_count(struct eve_expect_tally *s,
                                                    struct eve_json_value type, uint64_t *count,
                                                    struct eve_err *err);

/* The final text of a turn, raw JSON: a string, or the result where there is no text; n = 0: none.
 */
struct eve_slice eve_expect_tally_text(const struct eve_expect_tally_turn *turn);

/* "completed" and so on; constant. */
const char *eve_expect_tally_status_name(enum eve_expect_tally_status status);

/* Forget everything: another stream begins. */
void eve_expect_tally_clear(struct eve_expect_tally *s);

#endif
