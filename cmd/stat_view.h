/*
 * stat_view: what evestat has to show, whatever the format.
 *
 * The three writers (stat_json, stat_csv, stat_table) are given one of these and an output; none of
 * them keeps anything.
 */
#ifndef CLI_STAT_VIEW_H
#define CLI_STAT_VIEW_H

#include "account.h"
#include "base.h"
#include "buf.h"

/* What a row of the breakdown is; the words of --by in their order, from 1 on. */
enum stat_by {
    STAT_BY_NONE,
    STAT_BY_TYPE,
    STAT_BY_TURN,
    STAT_BY_STEP,
    STAT_BY_BLOCK,
    STAT_BY_FILE
};

struct stat_view {
    const struct eve_accounts *files;
    struct eve_account *total;
    enum stat_by by;
    unsigned as_if; /* 24, 26, or 0: not asked for */
    bool grouped;   /* rows tell groups apart */
    bool merged;    /* of reports: nothing is known of blocks */
};

/* The bytes that the entry would take in the version asked for. */
uint64_t stat_view_as_if(const struct stat_view *v, const struct eve_account *a);

/* What a file takes as a whole, as a row without coordinates. */
struct eve_row stat_view_file_row(const struct eve_account *a);

/* Append the key of a row as spelled text (see spell.h): its coordinates parted by slashes, for a
 * block with its kind. What is missing at the end is left out, before that it is an empty part. So
 * that no two rows look alike, a string that is empty, has a slash or begins with a quote is put as
 * JSON. `grouped`: the first part is the group. *known: it has any coordinate; else nothing was
 * appended. EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status stat_view_key(struct eve_buf *out, const struct eve_row *row,
                                           bool grouped, bool *known, struct eve_err *err);

/* A figure with two decimals as text, "-" if it is not known. Writes to `buf` of 32 bytes. */
const char *stat_view_ratio(char *buf, struct eve_tally_ratio r);

/* No memory left, as an error. */
enum eve_status stat_view_no_memory(struct eve_err *err);

#endif
