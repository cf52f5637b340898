/*
 * state: what a run of `eveaccum -S` leaves for the next one, as one JSON object.
 *
 * {"schema":1,"tool":"eveaccum","cursor":N,"index":N,"mode":{…},"begun":true,"ids":[…],
 * "texts":{…},"answers":[…]}: number of events so far, number of the next one in records, mode and
 * options of the run, ids of the last events, and what is open. Read strictly: what is not exactly
 * of this make is refused as a whole.
 */
#ifndef EVE_STATE_H
#define EVE_STATE_H

#include "accum.h"
#include "answer.h"
#include "base.h"
#include "cursor.h"
#include "dedupe.h"
#include "out.h"

#define EVE_STATE_SCHEMA 1

/* The parts are the caller's. */
struct eve_state {
    /* The mode; a state of another one is refused. */
    const char *as;
    bool final;
    bool reasoning;
    bool nul;
    struct eve_slice group; /* name of the group member, spelled; n = 0: none */
    /* What is kept. */
    struct eve_cursor *cursor;
    struct eve_accum *accum;
    struct eve_answers *answers;
    bool *begun;               /* of a transcript: something was printed */
    struct eve_dedupe *dedupe; /* gets the ids when a state is read; or NULL */
};

/* The mode of a run, as its state has it. */
struct eve_state_mode {
    struct eve_json_value as; /* a string */
    bool final;
    bool reasoning;
    bool nul;
    struct eve_json_value group; /* name of the group member; not a string: none */
};

/* Write the state and LF, in pieces. EVE_FAIL: the output. */
EVE_MUST_USE enum eve_status eve_state_save(const struct eve_state *s, struct eve_out *out,
                                            struct eve_err *err);

/* Take up what was saved; all parts are fresh. EVE_BAD: it is not a state, damaged, or of another
 * schema or mode, as err->msg says; the parts may hold some of it. EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status eve_state_load(struct eve_state *s, struct eve_slice text,
                                            struct eve_err *err);

/* Read the mode alone; it borrows `text`. EVE_BAD: it is not a state, damaged, or of another
 * schema.
 */
EVE_MUST_USE enum eve_status eve_state_mode(struct eve_slice text, struct eve_state_mode *mode,
                                            struct eve_err *err);

#endif
