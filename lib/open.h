/*
 * open: the drafts of the blocks that are open, and the groups they belong to.
 *
 * A store over the table of blocks (block.h): each of its blocks has a draft, belongs to the row of
 * its group, and is found by its step and its turn, so that an event that ends those is held
 * against no other blocks. A block may stay in the store after it was completed, without a draft,
 * to know later appends as late. Everything handed out is owned by the store; a row is good until
 * eve_open_clear.
 */
#ifndef EVE_OPEN_H
#define EVE_OPEN_H

#include "arena.h"
#include "base.h"
#include "block.h"
#include "buf.h"
#include "draft.h"
#include "event.h"
#include "map.h"

struct eve_group;

struct eve_open {
    struct eve_block block;
    uint32_t step_before; /* among the blocks whose steps share a bucket */
    uint32_t step_after;
    struct eve_group *group;
    struct eve_buf *judged; /* id, decoded, of the event that completed an earlier block here which
                               ended diverged; NULL: none */
    bool is_open;           /* the draft is in use */
    bool named;             /* the caller's; false in a new one */
    struct eve_draft draft; /* its text is empty where it is not in use */
};

/* A row. */
struct eve_group {
    struct eve_json_value value; /* of the group member, kind EVE_JSON_NONE: of its absence */
    bool begun;                  /* a session or a step started */
    struct eve_draft *late;      /* late appends; in use if `is_late` */
    bool is_late;
    struct eve_group *late_before; /* among the rows with late appends, in the order of the first */
    struct eve_group *late_after;
};

struct eve_opens {
    struct eve_blocks blocks;
    uint32_t *steps;    /* the blocks by their steps: numbers */
    size_t step_count;  /* of these buckets; a power of two, or 0 */
    struct eve_map map; /* key of the group -> number of its row, from 1 */
    struct eve_arena rows;
    struct eve_group **row;
    size_t row_count;
    size_t row_cap;
    struct eve_group *at; /* row found last */
    struct eve_group *late_first;
    struct eve_group *late_last;
    struct eve_buf key; /* scratch */
};

void eve_open_init(struct eve_opens *o, const uint64_t seed[2]);
void eve_open_fini(struct eve_opens *o);

/* Forget all blocks; all rows too. */
void eve_open_clear_blocks(struct eve_opens *o);
void eve_open_clear(struct eve_opens *o);

/* The row of the event's group, made if there was none. EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status eve_open_group(struct eve_opens *o, const struct eve_event *ev,
                                            struct eve_group **out, struct eve_err *err);

/* The block of `kind` at the event looked at (eve_block_look on o->blocks), or NULL. */
struct eve_open *eve_open_find(const struct eve_opens *o, enum eve_event_type kind);

/* The block of a number (not 0). */
struct eve_open *eve_open_at(const struct eve_opens *o, uint32_t number);

/* A new block there, the last of all, not open yet. EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status eve_open_add(struct eve_opens *o, struct eve_group *group,
                                          enum eve_event_type kind, struct eve_open **out,
                                          struct eve_err *err);

/* Call `end` for each block of the step or turn looked at (`scope`: one of these two), in no
 * certain order; it may remove the block. */
void eve_open_each(struct eve_opens *o, enum eve_block_scope scope,
                   void (*end)(void *ctx, struct eve_block *block), void *ctx);

/* Make it the last again, and of the step and turn looked at: a call may begin again in others. */
void eve_open_renew(struct eve_opens *o, struct eve_open *open);

/* The open block is no longer open; its draft is empty. */
void eve_open_close(struct eve_open *open);

void eve_open_remove(struct eve_opens *o, struct eve_open *open);

/* The id of the event that completed the block; empty: none is kept. */
struct eve_slice eve_open_judged(const struct eve_open *open);

/* Keep it. EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status eve_open_judge(struct eve_open *open, struct eve_slice id,
                                            struct eve_err *err);

/* The row's draft for late appends is in use from now on, begun with `ev`; or no longer. EVE_FAIL:
 * no memory. */
EVE_MUST_USE enum eve_status eve_open_late(struct eve_opens *o, struct eve_group *group,
                                           const struct eve_event *ev, uint64_t index,
                                           struct eve_err *err);
void eve_open_not_late(struct eve_opens *o, struct eve_group *group);

/* Write everything as a member of a state file, an object; and read it into an empty store.
 * EVE_BAD: it is not what was saved; err->msg names the member. */
void eve_open_save(const struct eve_opens *o, const char *name, struct eve_saved *out);
EVE_MUST_USE enum eve_status eve_open_load(struct eve_opens *o, struct eve_json_value object,
                                           struct eve_err *err);

#endif
