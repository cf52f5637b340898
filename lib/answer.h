/*
 * answer: the last word of each turn.
 *
 * That is the last completed text whose finishReason is not "tool-calls"; without one, the result
 * of a result.completed, which may also come after the turn. It is printed when the turn ends, or
 * the input.
 */
#ifndef EVE_ANSWER_H
#define EVE_ANSWER_H

#include "base.h"
#include "block.h"
#include "buf.h"
#include "event.h"
#include "out.h"
#include "saved.h"

struct eve_answers_options {
    uint64_t seed[2]; /* see map.h */
    bool nul;         /* NUL after each answer, else LF */
    bool terminal;    /* nothing in it can move the cursor */
};

struct eve_answers {
    struct eve_answers_options options;
    struct eve_blocks turns; /* turns that have an answer, and the last turn of each group that
                                ended without one */
    struct eve_buf page;     /* scratch */
};

void eve_answer_init(struct eve_answers *a, const struct eve_answers_options *options);
void eve_answer_fini(struct eve_answers *a);

/* Take an event that eve_decode took. EVE_FAIL: no memory, or the output. */
EVE_MUST_USE enum eve_status eve_answer_event(struct eve_answers *a, const struct eve_event *ev,
                                              struct eve_out *out, struct eve_err *err);

/* The input is over: print what is left, and forget all. EVE_FAIL: no memory, or the output. */
EVE_MUST_USE enum eve_status eve_answer_end(struct eve_answers *a, struct eve_out *out,
                                            struct eve_err *err);

/* Write all that is kept as a member of a state file, an array; and take it up again, after
 * eve_answer_init. EVE_BAD: it is not what was saved; err->msg names the member. */
void eve_answer_save(const struct eve_answers *a, const char *name, struct eve_saved *out);
EVE_MUST_USE enum eve_status eve_answer_load(struct eve_answers *a, struct eve_json_value array,
                                             struct eve_err *err);

#endif
