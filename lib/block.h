/*
 * block: the texts that are open, and which event ends them.
 *
 * A message or reasoning belongs to its turn and step, a tool input to its call; all of them to
 * their group. Whoever keeps something for each open block puts a struct eve_block first in his own
 * struct; this table finds it again, in the order in which the blocks were added or last used. It
 * owns the memory of the structs, not what else they hold: empty a block before it is removed.
 * Coordinates are compared by what they say (see key.h), and a block keeps only their keyed hash:
 * 128 bits tell blocks apart, 64 say which turn and step they are of. Blocks are numbered, so that
 * a link to one takes four bytes. So a block takes 64 bytes and at most EVE_BLOCK_SHARE of the
 * table beside the caller's own, however long its coordinates are.
 */
#ifndef EVE_BLOCK_H
#define EVE_BLOCK_H

#include "base.h"
#include "buf.h"
#include "event.h"

/* Most bytes of the table for each block, while it grows. */
#define EVE_BLOCK_SHARE 20

/* A block of the table. The caller reads `kind`, `number` and `step`. Links are numbers of blocks,
 * from 1; 0: none. */
struct eve_block {
    enum eve_event_type kind; /* type of its appends */
    uint32_t number;          /* its own */
    uint32_t before;          /* in the order of the table */
    uint32_t after;
    uint32_t chain;       /* in its bucket; of an unused one: the next unused */
    uint32_t turn_before; /* among the blocks whose turns share a bucket */
    uint32_t turn_after;
    uint64_t id[2]; /* group and call of a tool input, else group, turn and step */
    uint64_t turn;  /* group and turn */
    uint64_t step;  /* group, turn and step */
};

struct eve_blocks {
    size_t size; /* of the caller's struct */
    struct eve_block *first;
    struct eve_block *last;
    struct eve_block *unused;
    size_t count;
    size_t inputs;       /* of them, tool inputs */
    uint32_t *buckets;   /* numbers of blocks */
    uint32_t *turns;     /* the blocks by their turns; as many buckets */
    size_t bucket_count; /* of both; a power of two, or 0 */
    uint64_t seed[2];
    char **structs; /* some at a time */
    size_t struct_cap;
    uint32_t made; /* structs: the highest number */
    /* The event looked at: its keys, call, group, turn and step, one behind the other. */
    struct eve_buf keys;
    size_t group_from;
    size_t group_to;
    size_t turn_to;
    uint64_t turn; /* as of a block; not for appends */
    uint64_t step;
};

/* What an event ends. */
enum eve_block_scope {
    EVE_BLOCK_NOTHING,
    EVE_BLOCK_MESSAGE,   /* the message of its step */
    EVE_BLOCK_REASONING, /* the reasoning of its step */
    EVE_BLOCK_STEP,      /* all blocks of its step */
    EVE_BLOCK_TURN,      /* all blocks of its turn */
    EVE_BLOCK_CALLS      /* the inputs of the calls it names; see eve_block_call */
};

/* `size`: of the caller's struct, which begins with a struct eve_block. `seed`: see map.h. */
void eve_block_init(struct eve_blocks *b, size_t size, const uint64_t seed[2]);
/* Free all structs, emptied or not. */
void eve_block_fini(struct eve_blocks *b);

/* Look at an event: eve_block_find, eve_block_add and eve_block_is_ended are about it until the
 * next look. `call`: the call it is about, for tool inputs; kind EVE_JSON_NONE otherwise. EVE_FAIL:
 * no memory. */
EVE_MUST_USE enum eve_status eve_block_look(struct eve_blocks *b, const struct eve_event *ev,
                                            struct eve_json_value call, struct eve_err *err);

/* The open block of `kind` at the coordinates of the event, or NULL. Good until it is removed. */
struct eve_block *eve_block_find(const struct eve_blocks *b, enum eve_event_type kind);

/* A new block there, the last in order; what follows the struct eve_block is zero, or as it was
 * when the caller removed an earlier block (so that its buffers can be used again). EVE_FAIL: no
 * memory. */
EVE_MUST_USE enum eve_status eve_block_add(struct eve_blocks *b, enum eve_event_type kind,
                                           struct eve_block **out, struct eve_err *err);

/* The block of a number; NULL for 0. */
struct eve_block *eve_block_at(const struct eve_blocks *b, uint32_t number);

/* The block behind this one in the order that begins with b->first; NULL: it is the last. */
struct eve_block *eve_block_after(const struct eve_blocks *b, const struct eve_block *block);

/* The removed struct behind this one in the list that begins with b->unused, or NULL. For freeing
 * what they hold. */
struct eve_block *eve_block_unused_after(const struct eve_blocks *b, const struct eve_block *block);

/* Make the block the last in order. */
void eve_block_use(struct eve_blocks *b, struct eve_block *block);

/* The same, and it is now of the turn and step of the event looked at. */
void eve_block_renew(struct eve_blocks *b, struct eve_block *block);

/* Take the block out. Its struct is kept for the next one to be added. */
void eve_block_remove(struct eve_blocks *b, struct eve_block *block);

/* What the event ends, by its type alone (for an action.result: only if it withdraws its call). A
 * step.started ends what an open step of the same coordinates left behind. */
enum eve_block_scope eve_block_scope(const struct eve_event *ev);

/* The event looked at, whose scope is `scope` (not EVE_BLOCK_CALLS), ends this block. */
bool eve_block_is_ended(const struct eve_blocks *b, const struct eve_block *block,
                        enum eve_block_scope scope);

/* Call `end` for each block that the event looked at ends (`scope` is not EVE_BLOCK_CALLS), in no
 * certain order; it may remove the block. The same as asking eve_block_is_ended of every block,
 * but only those of the event's turn are looked at. */
void eve_block_each_ended(struct eve_blocks *b, enum eve_block_scope scope,
                          void (*end)(void *ctx, struct eve_block *block), void *ctx);

/* The name of a kind: "message", "reasoning" or "input"; constant. */
const char *eve_block_kind_name(enum eve_event_type kind);

/* Call `end` for each open input of the calls that the event names (its scope is EVE_BLOCK_CALLS);
 * looks at the event. EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status eve_block_each_called(struct eve_blocks *b, const struct eve_event *ev,
                                                   void (*end)(void *ctx, struct eve_block *block),
                                                   void *ctx, struct eve_err *err);

/* Go through the calls that an actions.requested or a withdrawing action.result names. Begin with
 * *at = 0; each time it is true, *call is a callId (kind EVE_JSON_NONE if that action has none) and
 * *action the action (or result) it belongs to. */
bool eve_block_call(const struct eve_event *ev, size_t *at, struct eve_json_value *call,
                    struct eve_json_value *action);

#endif
