/*
 * expect: does a stream hold what the test expects of it?
 *
 * One of these serves a run; each file is held against the whole expectation. At the end of a file
 * every assertion that does not hold is told as a finding of the rule expect, with what was
 * expected and what was found.
 *
 * Memory: what the expectation is held against: a row a type and a turn, final texts, the requested
 * tool calls.
 */
#ifndef EVE_EXPECT_H
#define EVE_EXPECT_H

#include "base.h"
#include "decode.h"
#include "event.h"
#include "expect_file.h"
#include "expect_tally.h"
#include "rules.h"

struct eve_expect_options {
    const struct eve_expect_file *file; /* both borrowed while the expectation is in use */
    const struct eve_finder *finder;
    uint64_t seed[2]; /* see map.h */
};

struct eve_expect;

/* EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status eve_expect_new(struct eve_expect **out,
                                            const struct eve_expect_options *options,
                                            struct eve_err *err);
void eve_expect_free(struct eve_expect *e);

/* A good event of the file at hand. EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status eve_expect_event(struct eve_expect *e, const struct eve_event *ev,
                                              const struct eve_decoder *d, unsigned version,
                                              uint64_t line, uint64_t index, struct eve_err *err);

/* The rules saw a failed attempt at this line. */
void eve_expect_retry(struct eve_expect *e, uint64_t line);

/* The file is over, `bytes` long: tell what does not hold (unless it is not `whole`), and forget
 * it. EVE_FAIL: no memory, or as the finder's callback said. */
EVE_MUST_USE enum eve_status eve_expect_end(struct eve_expect *e, bool whole, uint64_t bytes,
                                            struct eve_err *err);

#endif
