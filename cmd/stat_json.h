/*
 * stat_json: the report of evestat as one line of JSON.
 *
 * Objects are composed with cJSON. Every number and every text from outside is put in raw, since
 * cJSON keeps numbers as doubles and cuts texts at NUL.
 */
#ifndef CLI_STAT_JSON_H
#define CLI_STAT_JSON_H

#include "base.h"
#include "out.h"
#include "stat_view.h"

/* Write the report, LF included. EVE_FAIL: no memory, or the output. */
EVE_MUST_USE enum eve_status stat_json_write(const struct stat_view *v, struct eve_out *out,
                                             struct eve_err *err);

#endif
