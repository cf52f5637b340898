/*
 * key: one spelling for one value, so that coordinates of events can be compared as bytes.
 *
 * "turn_0" equals "turn_\u0030" and 1 equals 1.0, as JavaScript sees them; integers over 2^53 stay
 * apart. Objects and arrays are taken by their bytes.
 */
#ifndef EVE_KEY_H
#define EVE_KEY_H

#include "base.h"
#include "buf.h"
#include "json.h"

/* Append the key of `value` (of kind EVE_JSON_NONE: of its absence). Keys put one behind the other
 * are equal only if each of their values is. EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status eve_key_put(struct eve_buf *out, struct eve_json_value value,
                                         struct eve_err *err);

/* Same key, without making it. */
bool eve_key_equal(struct eve_json_value a, struct eve_json_value b);

#endif
