/*
 * account: what one file costs, an entry of the report; and the list of all entries.
 *
 * The list owns its entries. Names are spelled (see spell.h).
 */
#ifndef EVE_ACCOUNT_H
#define EVE_ACCOUNT_H

#include "base.h"
#include "buf.h"
#include "row.h"
#include "tally.h"

/* So many of the largest blocks are kept. */
#define EVE_ACCOUNT_LARGEST 10

enum eve_account_state {
    EVE_ACCOUNT_READ,    /* to its end: part of the total */
    EVE_ACCOUNT_STOPPED, /* at a bad event: not part of it */
    EVE_ACCOUNT_UNREAD   /* it could not be read, or the run ended before: not part of it */
};

struct eve_account {
    struct eve_buf name; /* spelled */
    enum eve_account_state state;
    uint64_t stop_line;  /* where it stopped, from 1 */
    struct eve_buf rule; /* and why: the id of the rule, spelled */
    struct eve_tally tally;
    uint64_t as_if;                              /* bytes; 0 if not asked for */
    struct eve_row largest[EVE_ACCOUNT_LARGEST]; /* blocks; in the end as they began */
    size_t largest_count;
    struct eve_rows rows; /* of the breakdown; none if not asked for */
};

struct eve_accounts {
    struct eve_account **list; /* owned */
    size_t count;
    size_t cap;
};

/* An entry of zeros. `name`: spelled; copied. `seed`: see map.h. EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status eve_account_new(struct eve_account **out, struct eve_slice name,
                                             const uint64_t seed[2], struct eve_err *err);
void eve_account_free(struct eve_account *a);

void eve_accounts_init(struct eve_accounts *list);
void eve_accounts_fini(struct eve_accounts *list);

/* Put `a` behind the others; it is the list's from now on, also on EVE_FAIL (no memory), which
 * frees it. */
EVE_MUST_USE enum eve_status eve_accounts_add(struct eve_accounts *list, struct eve_account *a,
                                              struct eve_err *err);

/* Add up tallies and as-if bytes of all entries that were read. EVE_BAD (bad-data): a sum is over
 * 2^64-1. EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status eve_accounts_sum(const struct eve_accounts *list,
                                              struct eve_account *total, struct eve_err *err);

/* The largest blocks of the entries that were read, by bytes; of equals the one of an earlier
 * entry, or that began earlier, comes first. Borrows the list; returns how many there are. */
size_t eve_accounts_largest(struct eve_account *const *list, size_t count,
                            const struct eve_row *best[EVE_ACCOUNT_LARGEST]);

/* Sort by name. */
void eve_accounts_sort(struct eve_accounts *list);

#endif
