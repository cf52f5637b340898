/*
 * order: a list of things in the order in which they are to be done.
 *
 * Each has a place, a number, and is told by a number of the caller's, which also decides between
 * equal places. A list is used again and keeps its room.
 */
#ifndef EVE_ORDER_H
#define EVE_ORDER_H

#include "base.h"

struct eve_order_item {
    uint64_t place;
    uint64_t what;
};

/* Begin with zeros. */
struct eve_order {
    struct eve_order_item *item;
    size_t n;
    size_t cap;
};

void eve_order_fini(struct eve_order *o);

/* Put `what` in. EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status eve_order_add(struct eve_order *o, uint64_t place, uint64_t what,
                                           struct eve_err *err);

/* Sort the items by place, then by what they are: n log n steps, and no memory. */
void eve_order_sort(struct eve_order *o);

#endif
