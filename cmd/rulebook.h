/*
 * rulebook: the table of rules as evecheck prints it, and the levels a user gives to rules.
 */
#ifndef CLI_RULEBOOK_H
#define CLI_RULEBOOK_H

#include "rules.h"

/* For the completions; the tests hold it against the table of rules. */
#define RULEBOOK_WORDS                                                                             \
    "line-too-long json-syntax json-utf8 json-depth truncated not-object newer-format "            \
    "type-missing bad-data unsupported-event bad-delta bad-snapshot bad-offset "                   \
    "snapshot-mismatch legacy-field repeated-name missing-member unknown-type retired-type "       \
    "id-form id-order id-missing id-reused replay time-form time-order snapshot-gap restart "      \
    "offset-gap text-diverged retry input-differs request-open result-unasked "                    \
    "coordinate-differs order "                                                                    \
    "outside-step outside-turn block-open turn-open after-end mixed-forms late "                   \
    "delta-repeats-text starts-midway expect golden"

/* Write all rules (`only` is 0), or what one of them is about, to standard output. Returns an exit
 * status; a failure was told in the name of `tool`. */
int rulebook_show(const char *tool, unsigned only);

/* Take "RULE=LEVEL", LEVEL being error, warning, note or off; or only "RULE", if `level` (not NULL)
 * is its level. False: malformed. */
bool rulebook_set(struct eve_finder *finder, const char *arg, const char *level);

#endif
