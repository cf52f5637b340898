/*
 * canon: one spelling for one JSON value, so that equal values are equal bytes.
 *
 * Members lie in the order of their names, each name once; no white space; strings as
 * JSON.stringify writes them; numbers by their exact digits: 1e2 and 100.0 are 100, 1e-9 is 1e-9.
 * What comes out is JSON again. Two values have the same spelling exactly if they are equal as
 * value.h has it.
 */
#ifndef EVE_CANON_H
#define EVE_CANON_H

#include "base.h"
#include "buf.h"
#include "value.h"

/* Append the spelling of `node` and all that is in it. EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status eve_canon_put(struct eve_buf *out, const struct eve_value_node *node,
                                           struct eve_err *err);

/* Append what is between the quotes of a string: `raw` is text between quotes that the scanner took
 * (or several such, one behind the other). EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status eve_canon_text(struct eve_buf *out, struct eve_slice raw,
                                            struct eve_err *err);

/* The same for a text that was decoded (see eve_text_decode). */
EVE_MUST_USE enum eve_status eve_canon_decoded(struct eve_buf *out, struct eve_slice decoded,
                                               struct eve_err *err);

#endif
