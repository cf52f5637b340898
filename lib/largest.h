/*
 * largest: which blocks of a stream are the largest so far.
 *
 * Blocks only grow, so the list in the account holds the largest at any time, and at the end. Each
 * block that is open has one byte that says which place in the list it has; the list knows whose
 * byte that is, and clears it when the block is pushed out. The byte must stay where it is until
 * eve_largest_leave or until it is cleared.
 */
#ifndef EVE_LARGEST_H
#define EVE_LARGEST_H

#include "account.h"
#include "base.h"
#include "event.h"
#include "tally.h"

struct eve_largest {
    struct eve_account *account;        /* borrowed; has the rows */
    uint8_t *slot[EVE_ACCOUNT_LARGEST]; /* the bytes; NULL: the block is open no more */
    uint64_t least;                     /* a block of fewer bytes is none of them */
};

/* `account`, which has no rows yet, is borrowed. */
void eve_largest_init(struct eve_largest *l, struct eve_account *account);

/* A block has grown: `ev` is an append of it, its coordinates are those whose bits are in `parts`
 * (see row.h), `count` is what it takes now, `order` is lower if it began earlier, and *slot is its
 * byte, 0 at first. EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status eve_largest_see(struct eve_largest *l, const struct eve_event *ev,
                                             unsigned parts, const struct eve_tally_count *count,
                                             uint32_t order, uint8_t *slot, struct eve_err *err);

/* The block is over and its byte not its own any more: it is set to 0. */
void eve_largest_leave(struct eve_largest *l, uint8_t *slot);

/* No block comes any more: the rows are sorted as the blocks began. */
void eve_largest_close(struct eve_largest *l);

#endif
