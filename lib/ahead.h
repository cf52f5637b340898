/*
 * ahead: work that is done beside the caller's own, on a thread.
 *
 * One piece of work at a time: from eve_ahead_start to eve_ahead_wait all that it touches is the
 * thread's alone. The thread takes no signals.
 */
#ifndef EVE_AHEAD_H
#define EVE_AHEAD_H

#include "base.h"

struct eve_ahead;

/* A thread that waits for work, which is to call `work` with `ctx`. Stop it with eve_ahead_free.
 * EVE_FAIL: no memory, or no thread is to be had. */
EVE_MUST_USE enum eve_status eve_ahead_new(struct eve_ahead **a, void (*work)(void *ctx), void *ctx,
                                           struct eve_err *err);

/* Work that was started is waited for. `a` may be NULL. */
void eve_ahead_free(struct eve_ahead *a);

/* Begin; the work before was waited for. */
void eve_ahead_start(struct eve_ahead *a);

/* Until it is done. */
void eve_ahead_wait(struct eve_ahead *a);

#endif
