/*
 * record: the JSON object that `eveaccum` prints for a block that ended.
 */
#ifndef EVE_RECORD_H
#define EVE_RECORD_H

#include "base.h"
#include "ending.h"
#include "out.h"

/* The name of a state; constant. */
const char *eve_record_state(enum eve_ending_state state);

/* Write the record of `e` and LF, in pieces. `group`: the name of the group member, spelled (see
 * spell.h); n = 0: none. EVE_FAIL: the output. */
EVE_MUST_USE enum eve_status eve_record_write(const struct eve_ending *e, struct eve_slice group,
                                              struct eve_out *out, struct eve_err *err);

#endif
