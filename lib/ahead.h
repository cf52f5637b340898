/*
 * ahead: unpack at work on a thread of its own, some text ahead of who takes it.
 *
 * Compressed bytes are given, text is taken, in order; the thread does nothing but decode, and
 * takes no signals. Both sides work in long stretches: a side that waits is woken when half of the
 * room for text is full, or empty, or the other has nothing more to do.
 */
#ifndef EVE_AHEAD_H
#define EVE_AHEAD_H

#include "base.h"
#include "unpack.h"

/* Compressed bytes given at a time, and bytes of text taken at a time, at most. */
#define EVE_AHEAD_IN ((size_t)128 * 1024)
#define EVE_AHEAD_OUT ((size_t)128 * 1024)

struct eve_ahead;

/* Start a thread that decodes with `u`, at most `max` bytes at a time. `u` is lent to it: nobody
 * else calls it before eve_ahead_free but while eve_ahead_is_dry. EVE_FAIL: no memory, or no thread
 * is to be had. */
EVE_MUST_USE enum eve_status eve_ahead_new(struct eve_ahead **a, struct eve_unpack *u, size_t max,
                                           struct eve_err *err);

/* Stop the thread. `a` may be NULL. */
void eve_ahead_free(struct eve_ahead *a);

/* Where the next EVE_AHEAD_IN compressed bytes can be put; NULL: there are enough for now. */
char *eve_ahead_room(struct eve_ahead *a);

/* `n` bytes, at least one, were put there. */
void eve_ahead_give(struct eve_ahead *a, size_t n);

/* All text was taken, and there is none before more is given. */
bool eve_ahead_is_dry(struct eve_ahead *a);

/* Wait for text, and put some at `to`, where there is `room` for EVE_AHEAD_OUT bytes or more. *got
 * is how much, none if it is dry. EVE_FAIL: see eve_unpack_some; the text before was taken. */
EVE_MUST_USE enum eve_status eve_ahead_take(struct eve_ahead *a, char *to, size_t room, size_t *got,
                                            struct eve_err *err);

#endif
