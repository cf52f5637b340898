/*
 * flow: a stream as a list of what it says, for comparing it with another.
 *
 * An event stands for itself, as its canonical spelling without what is ignored. The appends of a
 * block do not: in their place stands the text that they accumulate, before the event that ends the
 * block; blocks that end together lie in the order of their coordinates. Left out are empty texts
 * and failed attempts: a text that starts again in legacy input, a step that is started again, a
 * call that is withdrawn, and what comes before a completed text or a requested input. Of
 * action.partial events of one call that follow each other the last one stands. With `exact_chunks`
 * every event stands for itself.
 *
 * A flow owns all that its items point to, until eve_flow_clear. Memory: the list, and the open
 * texts while it is made.
 */
#ifndef EVE_FLOW_H
#define EVE_FLOW_H

#include "base.h"
#include "decode.h"
#include "event.h"
#include "ignore.h"

struct eve_flow_item {
    struct eve_slice spelled; /* the event; of a block its coordinates, with an empty delta */
    struct eve_slice said;    /* of a block: its text, as between the quotes of a string */
    bool block;
    bool tail;             /* the text may be only the tail of what the other side has */
    uint64_t hash;         /* of `spelled` */
    uint64_t line;         /* of a block: of its last append */
    uint64_t index;        /* of that event */
    struct eve_slice type; /* raw strings with their quotes; n = 0: none */
    struct eve_slice id;
};

struct eve_flow_options {
    struct eve_ignore ignore;
    bool exact_chunks;
    uint64_t seed[2]; /* see map.h */
};

struct eve_flow;

/* An empty list. `options` is borrowed while the flow lives. EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status
eve_flow_new(struct eve_flow **out, const struct eve_flow_options *options, struct eve_err *err);
void eve_flow_free(struct eve_flow *f);

/* An event: `d` is what eve_decode made of it, with skills named. EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status eve_flow_event(struct eve_flow *f, const struct eve_event *ev,
                                            const struct eve_decoder *d, uint64_t line,
                                            uint64_t index, struct eve_err *err);

/* The stream is over: what is open ends here. */
EVE_MUST_USE enum eve_status eve_flow_end(struct eve_flow *f, struct eve_err *err);

/* The list so far; good until the next call. */
const struct eve_flow_item *eve_flow_items(const struct eve_flow *f, size_t *count);

/* Forget everything: another stream begins. */
void eve_flow_clear(struct eve_flow *f);

/* The items say the same. */
bool eve_flow_same(const struct eve_flow_item *a, const struct eve_flow_item *b);

#endif
