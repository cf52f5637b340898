/*
 * same: two JSON texts have the same value.
 *
 * Compared as the program that wrote them would: members in any order, of a repeated name the last,
 * numbers by exact value, strings by what they say. Without recursion, in time that grows with the
 * texts (times the logarithm of the largest object).
 */
#ifndef EVE_SAME_H
#define EVE_SAME_H

#include "base.h"
#include "buf.h"
#include "json.h"

struct eve_same_node;

/* Memory that is used again from one comparison to the next. */
struct eve_same {
    struct eve_same_node *nodes;
    size_t n;
    size_t cap;
    struct eve_buf names; /* decoded */
};

void eve_same_init(struct eve_same *s);
void eve_same_fini(struct eve_same *s);

/* `a` is any text, `b` a value that was scanned. *same: `a` is one JSON value, and it equals `b`.
 * EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status eve_same_value(struct eve_same *s, struct eve_slice a,
                                            struct eve_json_value b, bool *same,
                                            struct eve_err *err);

#endif
