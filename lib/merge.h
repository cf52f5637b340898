/*
 * merge: reports of evestat read back and added up.
 *
 * A report is read strictly: its figures must be there, be whole numbers, and add up within each
 * file, over its types, and over the files. Members that are not known are passed over. Entries of
 * one name become one; a file of which some part stopped at a bad event has stopped.
 */
#ifndef EVE_MERGE_H
#define EVE_MERGE_H

#include "account.h"
#include "base.h"
#include "map.h"

/* The version of reports that is read and written. */
#define EVE_MERGE_SCHEMA 1

struct eve_merge {
    struct eve_accounts files; /* one of each name */
    struct eve_map names;      /* spelled names -> place in `files`, until they are sorted */
    uint64_t seed[2];
};

/* `seed`: see map.h. */
void eve_merge_init(struct eve_merge *m, const uint64_t seed[2]);
void eve_merge_fini(struct eve_merge *m);

/* Read one report and add it. EVE_BAD: json-syntax json-utf8 json-depth not-object, or bad-data for
 * JSON that is no such report or whose sums are over 2^64-1; err->pos counts in `text`; nothing was
 * added. EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status eve_merge_report(struct eve_merge *m, struct eve_slice text,
                                              struct eve_err *err);

/* Add what `part` holds. EVE_BAD (bad-data): a sum is over 2^64-1. EVE_FAIL: no memory. After
 * either, `m` is of no use. */
EVE_MUST_USE enum eve_status eve_merge_add(struct eve_merge *m, const struct eve_merge *part,
                                           struct eve_err *err);

#endif
