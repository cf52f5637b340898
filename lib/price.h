/*
 * price: how long a text would be where it is written out in full, without making it.
 *
 * Takes the deltas of a text as they come and knows at any time how many bytes the whole text takes
 * as JSON.stringify spells it, and how many UTF-16 units it has. Halves of a surrogate pair that
 * meet over the seam of two deltas become one character.
 */
#ifndef EVE_PRICE_H
#define EVE_PRICE_H

#include "base.h"
#include "event.h"

/* A text so far; all zero is the empty text. */
struct eve_price {
    uint64_t bytes; /* spelled, without its quotes */
    uint64_t units;
    bool open; /* its last unit is the first half of a pair that may yet be completed */
};

/* Append raw text (what stands between the quotes of a string, see text.h). */
void eve_price_add(struct eve_price *p, struct eve_slice raw);

/* Bytes of the member that v24 has behind the delta of an append of this type: comma, name, colon
 * and value. `before` and `after`: the text of its block without and with the delta. */
uint64_t eve_price_member(enum eve_event_type type, const struct eve_price *before,
                          const struct eve_price *after);

#endif
