#ifndef SAME_ACCOUNT_H
#define SAME_ACCOUNT_H

/*
 * Two accounts of evestat are the same, row by row: what the unit test and the fuzz target of stat
 * ask of a run with templates and one without.
 */
#include "account.h"

#include <string.h>

static inline bool same_rows(const struct eve_row *a, const struct eve_row *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (memcmp(a[i].end, b[i].end, sizeof a[i].end) != 0 ||
            memcmp(a[i].raw, b[i].raw, a[i].end[EVE_ROW_PARTS - 1]) != 0 ||
            a[i].kind != b[i].kind || a[i].order != b[i].order || a[i].events != b[i].events ||
            a[i].bytes != b[i].bytes || a[i].removed != b[i].removed ||
            a[i].delta_only != b[i].delta_only) {
            return false;
        }
    }
    return true;
}

static inline bool same_account(const struct eve_account *a, const struct eve_account *b)
{
    return eve_tally_equal(&a->tally, &b->tally) && a->as_if == b->as_if &&
           a->rows.count == b->rows.count && a->largest_count == b->largest_count &&
           same_rows(a->rows.list, b->rows.list, a->rows.count) &&
           same_rows(a->largest, b->largest, a->largest_count);
}

#endif
