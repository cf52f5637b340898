/*
 * explain: what a line that is no event is instead: an error answer of a server, or a file of
 * another kind.
 */
#ifndef CLI_EXPLAIN_H
#define CLI_EXPLAIN_H

#include "base.h"
#include "event.h"

/* The message of a server's error answer, from the JSON object `body`, raw; or a slice of nothing.
 * Borrows the body. */
struct eve_slice explain_answer(struct eve_slice body);

/* Write to `text` (of `room` bytes) what is wrong with the bad line `line` of a file: err->msg, or
 * more than that about a line that we know by its looks. */
void explain_line(char *text, size_t room, const struct eve_event *ev, uint64_t line,
                  const struct eve_err *err);

#endif
