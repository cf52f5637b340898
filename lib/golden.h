/*
 * golden: is this stream the same session as the one before?
 *
 * The golden stream is learned once; each other stream is then taken event by event and compared at
 * its end. What is compared, and what is left out, is in flow.h and ignore.h. The first differences
 * are told one by one, like a diff, as findings of the rule golden: an event that differs with the
 * member that does, one that is missing, one that is not in the golden stream.
 *
 * Memory: both streams, as flow.h has them.
 */
#ifndef EVE_GOLDEN_H
#define EVE_GOLDEN_H

#include "base.h"
#include "decode.h"
#include "event.h"
#include "flow.h"
#include "rules.h"

/* So many differences of a file are told. */
#define EVE_GOLDEN_SHOWN 10

struct eve_golden_options {
    struct eve_flow_options flow;
    const char *name;                /* of the golden stream, as messages show it; borrowed */
    const struct eve_finder *finder; /* borrowed while the golden lives */
};

struct eve_golden;

/* EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status eve_golden_new(struct eve_golden **out,
                                            const struct eve_golden_options *options,
                                            struct eve_err *err);
void eve_golden_free(struct eve_golden *g);

/* An event of the golden stream, decoded with skills named; and its end. EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status eve_golden_learn(struct eve_golden *g, const struct eve_event *ev,
                                              const struct eve_decoder *d, uint64_t line,
                                              struct eve_err *err);
EVE_MUST_USE enum eve_status eve_golden_learned(struct eve_golden *g, struct eve_err *err);

/* An event of the stream at hand, as above; `index` is what findings give as its number. */
EVE_MUST_USE enum eve_status eve_golden_event(struct eve_golden *g, const struct eve_event *ev,
                                              const struct eve_decoder *d, uint64_t line,
                                              uint64_t index, struct eve_err *err);

/* The stream at hand is over: compare it and tell the differences (unless it is not `whole`), and
 * forget it. EVE_FAIL: no memory, or
 * as the finder's callback said. */
EVE_MUST_USE enum eve_status eve_golden_end(struct eve_golden *g, bool whole, struct eve_err *err);

#endif
