/*
 * check: is this stream right? The rules over single events and over the whole stream.
 *
 * One of these serves a run; eve_check_end closes each file, and state never crosses a file. Good
 * events and bad lines go in, in the order of the stream; findings come out through the finder
 * (rules.h), each as soon as it is certain. A finding on a completed text or a requested input is
 * held until its step, turn or input ends, since a late append may still explain it; so findings
 * do not come in the order of lines.
 *
 * Memory: the open texts and about 400 bytes for each, 32 bytes an id (48 while growing; see
 * seen.h), about 100 bytes a turn, a question, a task and an unanswered call.
 */
#ifndef EVE_CHECK_H
#define EVE_CHECK_H

#include "base.h"
#include "decode.h"
#include "event.h"
#include "rules.h"

struct eve_check_options {
    const struct eve_finder *finder; /* borrowed while the check lives */
    uint64_t start_index;            /* index of the first event of each file */
    uint64_t seed[2];                /* see map.h */
};

struct eve_check;

/* EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status
eve_check_new(struct eve_check **out, const struct eve_check_options *options, struct eve_err *err);
void eve_check_free(struct eve_check *c);

/* A good event of the file at hand: `d` is what eve_decode made of it by `version` (or
 * EVE_VERSION_AUTO), `line` its number. EVE_FAIL: no memory, or what the finder's callback said. */
EVE_MUST_USE enum eve_status eve_check_event(struct eve_check *c, const struct eve_event *ev,
                                             const struct eve_decoder *d, unsigned version,
                                             uint64_t line, struct eve_err *err);

/* A bad line: `ev` is what is known of it (ev->line at least; type and members only where `parsed`:
 * the line is an event, and the decode boundary refused it), `why` the decode rule it breaks, with
 * the text to tell in why->msg. It is told, and counts as no event. EVE_FAIL: as above. */
EVE_MUST_USE enum eve_status eve_check_bad(struct eve_check *c, const struct eve_event *ev,
                                           bool parsed, uint64_t line, const struct eve_err *why,
                                           struct eve_err *err);

/* The file was read to its end: tell it if there was nothing in it. EVE_FAIL: as above. */
EVE_MUST_USE enum eve_status eve_check_empty(struct eve_check *c, struct eve_err *err);

/* The file is over: tell what was held and what is open, and forget all of it. EVE_FAIL: as above.
 */
EVE_MUST_USE enum eve_status eve_check_end(struct eve_check *c, struct eve_err *err);

/* Index of the next event of the file at hand. */
uint64_t eve_check_index(const struct eve_check *c);

#endif
