/*
 * diag: rules, levels, and the one form in which they are told.
 *
 * A finding is told as `TOOL: FILE:LINE:COLUMN: LEVEL: TEXT [RULE]`, the form that editors and CI
 * know. This module makes the text; it never prints.
 */
#ifndef EVE_DIAG_H
#define EVE_DIAG_H

#include "base.h"
#include "buf.h"

enum eve_level { EVE_LEVEL_NOTE, EVE_LEVEL_WARNING, EVE_LEVEL_ERROR };

struct eve_diag {
    const char *tool;
    const char *file; /* as it is to be shown, or NULL */
    uint64_t line;    /* from 1; 0: none */
    uint64_t column;  /* in bytes from 1; 0: none */
    enum eve_level level;
    const char *text;
    const char *rule; /* or NULL */
    bool color;       /* paint the level, for a terminal */
};

/* The stable id of a rule, such as "bad-delta"; constant. NULL for EVE_RULE_NONE. */
const char *eve_diag_rule(enum eve_rule rule);

/* "note", "warning" or "error"; constant. */
const char *eve_diag_level(enum eve_level level);

/* Append the line that tells `d`, LF included. EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status eve_diag_format(const struct eve_diag *d, struct eve_buf *out,
                                             struct eve_err *err);

/* What the first bytes of a text that is no event stream say it is, as a sentence with the way out
 * ("gzip data; …"), or NULL. For messages about a first line that is not JSON. */
const char *eve_diag_foreign(struct eve_slice first);

#endif
