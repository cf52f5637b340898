/*
 * cumulate: events as eve 0.49 (version 24) wrote them, each append with the text so far.
 */
#ifndef EVE_CUMULATE_H
#define EVE_CUMULATE_H

#include "base.h"
#include "draft.h"
#include "event.h"
#include "out.h"

/* Write the event and LF. `draft`: where the append went, and its text with it; NULL: the event
 * stays as it is. An event that stays whole is lent, see out.h. EVE_FAIL: the output. */
EVE_MUST_USE enum eve_status eve_cumulate_write(const struct eve_event *ev,
                                                const struct eve_draft *draft, struct eve_out *out,
                                                struct eve_err *err);

#endif
