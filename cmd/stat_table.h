/*
 * stat_table: the report of evestat for people.
 */
#ifndef CLI_STAT_TABLE_H
#define CLI_STAT_TABLE_H

#include "base.h"
#include "out.h"
#include "stat_view.h"

struct stat_table_options {
    size_t width; /* columns to fit into; 0: as wide as it takes */
    bool color;
};

/* Write it all. EVE_FAIL: no memory, or the output. */
EVE_MUST_USE enum eve_status stat_table_write(const struct stat_view *v,
                                              const struct stat_table_options *o,
                                              struct eve_out *out, struct eve_err *err);

#endif
