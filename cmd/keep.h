/*
 * keep: the state file of a run: read at the start, replaced in one step whenever it is saved.
 */
#ifndef CLI_KEEP_H
#define CLI_KEEP_H

#include "base.h"
#include "buf.h"
#include "sink.h"
#include "state.h"

#include <time.h>

/* So many milliseconds after the last save, at the latest, the state is saved again while the input
 * is quiet. */
#define KEEP_MS 5000

struct keep {
    const char *path;
    struct eve_state state;
    bool found;        /* there was a state */
    uint64_t saved_at; /* the cursor then */
    struct timespec saved;
    struct eve_buf text; /* scratch */
};

/* `path` is borrowed; the parts of `state` are the caller's. */
void keep_init(struct keep *k, const char *path, const struct eve_state *state);
void keep_fini(struct keep *k);

/* Read the state, if the file is there, and see whether it can be replaced, before anything is
 * printed. EVE_FAIL: it cannot be read or replaced, or is refused; *err says why. */
EVE_MUST_USE enum eve_status keep_load(struct keep *k, struct eve_err *err);

/* Read the mode of the run that left a state; it borrows `text`, which gets the file. False: there
 * is no mode, as keep_load will say. */
bool keep_mode(const char *path, struct eve_buf *text, struct eve_state_mode *mode);

/* Replace the state, after all that was written to `out` has been flushed (EVE_FAIL, if that or
 * the replacing fails; the state is then as it was). */
EVE_MUST_USE enum eve_status keep_save(struct keep *k, struct eve_out *out, struct eve_err *err);

/* The input is quiet: save if it is time. *wait_ms: how long to wait before the next call, -1 for
 * as long as it takes. */
EVE_MUST_USE enum eve_status keep_tick(struct keep *k, struct eve_out *out, int *wait_ms,
                                       struct eve_err *err);

#endif
