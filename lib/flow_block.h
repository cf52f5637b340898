/*
 * flow_block: the open blocks of a flow and their texts; for flow.c only.
 *
 * Texts are raw: what stands between quotes, one delta behind the other.
 */
#ifndef EVE_FLOW_BLOCK_H
#define EVE_FLOW_BLOCK_H

#include "base.h"
#include "block.h"
#include "buf.h"
#include "decode.h"
#include "event.h"
#include "value.h"

/* Of a tool input so many places are kept at which an attempt may have begun. */
enum { EVE_FLOW_TRIES = 8 };

struct eve_flow_block {
    struct eve_block block; /* first, see block.h */
    struct eve_buf text;
    struct eve_buf head;        /* its first append as an event, with nothing but coordinates */
    struct eve_buf coordinates; /* of its first append, as keys */
    bool mixed;                 /* an append had others */
    struct eve_buf id;          /* of the last append, raw; empty: none */
    bool legacy;                /* a snapshot or offset was seen */
    bool partial;               /* the stream may have been joined in the middle of it */
    bool settled;               /* its text is the completed one, its input the requested one */
    uint64_t line;              /* of the last append */
    uint64_t index;
    size_t tries[EVE_FLOW_TRIES]; /* where in the text deltas begin with a brace, the last ones */
    uint64_t try_count;           /* all of them */
};

/* Trees to compare inputs with, for reuse. */
struct eve_flow_trees {
    struct eve_value a;
    struct eve_value b;
    struct eve_buf text;
};

/* The block was just added: make it empty, with the coordinates of this append. */
EVE_MUST_USE enum eve_status eve_flow_block_begin(struct eve_flow_block *b,
                                                  const struct eve_event *ev, struct eve_err *err);

/* Add an append to the text; what legacy input shows to be a failed attempt goes. */
EVE_MUST_USE enum eve_status eve_flow_block_append(struct eve_flow_block *b,
                                                   const struct eve_event *ev, bool legacy,
                                                   struct eve_err *err);

/* The completed text is `completed` (not a string: cleared): failed attempts before it go. */
EVE_MUST_USE enum eve_status eve_flow_block_complete(struct eve_flow_block *b,
                                                     struct eve_json_value completed,
                                                     struct eve_err *err);

/* The same for a tool input and the input that was requested. */
EVE_MUST_USE enum eve_status eve_flow_block_request(struct eve_flow_block *b,
                                                    struct eve_json_value input,
                                                    struct eve_flow_trees *trees,
                                                    struct eve_err *err);

/* Free what the block holds. */
void eve_flow_block_fini(struct eve_flow_block *b);

#endif
