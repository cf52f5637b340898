/*
 * expect_write: an expectation made from a stream that is as it should be, for a person to edit.
 */
#ifndef EVE_EXPECT_WRITE_H
#define EVE_EXPECT_WRITE_H

#include "base.h"
#include "buf.h"
#include "expect_tally.h"

/* Append the document, which `seen` meets: versions, number of events (of appends and partial
 * results only that there are some, since chunking may change), turns unless `grouped` (ids may
 * then come twice), tool calls, order, and whether there were `retries`. EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status eve_expect_write(const struct eve_expect_tally *seen, bool grouped,
                                              bool retries, struct eve_buf *out,
                                              struct eve_err *err);

#endif
