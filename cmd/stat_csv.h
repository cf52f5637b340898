/*
 * stat_csv: the report of evestat as CSV (RFC 4180: lines end in CR LF).
 *
 * A head line, then a line for each file or, with a breakdown, for each row of each file.
 */
#ifndef CLI_STAT_CSV_H
#define CLI_STAT_CSV_H

#include "base.h"
#include "out.h"
#include "stat_view.h"

/* Write it all. `guard`: for a terminal, see eve_spell_to_text. EVE_FAIL: no memory, or the output.
 */
EVE_MUST_USE enum eve_status stat_csv_write(const struct stat_view *v, bool guard,
                                            struct eve_out *out, struct eve_err *err);

#endif
