/*
 * ending: what a block came to, and the judgement of its text.
 *
 * When a block ends, its completed event or request has the authoritative text or input. That is
 * compared with what was accumulated: an attempt of the model that failed inside a step leaves its
 * text in front.
 */
#ifndef EVE_ENDING_H
#define EVE_ENDING_H

#include "base.h"
#include "buf.h"
#include "draft.h"
#include "event.h"
#include "value.h"

enum eve_ending_state {
    EVE_ENDING_COMPLETED,   /* by its completed event or request */
    EVE_ENDING_ABANDONED,   /* its text or its step began again, or its call was withdrawn */
    EVE_ENDING_INTERRUPTED, /* its step or turn ended first */
    EVE_ENDING_OPEN         /* the input ended */
};

/* Slices and values are borrowed: good while the event and the draft are. Texts are spelled, see
 * spell.h; values are raw, kind EVE_JSON_NONE where there is none. */
struct eve_ending {
    enum eve_event_type kind; /* type of the appends of such a block */
    enum eve_ending_state state;
    bool late;     /* appends that came after their block had been completed */
    bool partial;  /* its beginning may be missing */
    bool retried;  /* `discarded` came before the text */
    bool diverged; /* `accumulated` (but for a tool input) is not the text */
    bool no_text;  /* cleared: the text is null */
    uint64_t deltas;
    uint64_t first; /* numbers of events */
    uint64_t last;
    struct eve_json_value part[EVE_DRAFT_PART_COUNT]; /* coordinates */
    struct eve_json_value finish_reason;
    struct eve_json_value input;
    struct eve_slice text;
    struct eve_slice discarded;
    struct eve_slice accumulated;
};

/* Memory for judging; used again from block to block. */
struct eve_judge {
    struct eve_value said; /* trees to compare with, used again */
    struct eve_value asked;
    struct eve_buf completed; /* spelled */
    struct eve_buf discarded; /* spelled */
    struct eve_buf plain;     /* a tool input as JSON text */
};

void eve_judge_init(struct eve_judge *j);
void eve_judge_fini(struct eve_judge *j);

/* Fill in the text that `draft` has, and what is known of the block. */
void eve_ending_of_draft(struct eve_ending *e, const struct eve_draft *draft,
                         enum eve_ending_state state, uint64_t last);

/* The block of `kind` had no appends: its coordinates are those of the event, whose number is
 * `index`. */
void eve_ending_of_event(struct eve_ending *e, enum eve_event_type kind, const struct eve_event *ev,
                         uint64_t index);

/* A message or reasoning ended by its completed text: `value`, where anything but a string clears
 * the text. `draft`: NULL if there were no appends. What *e borrows is good until the next
 * judgement. EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status eve_judge_text(struct eve_judge *j, struct eve_ending *e,
                                            const struct eve_draft *draft,
                                            struct eve_json_value value, struct eve_err *err);

/* A tool input ended by the request for `action`. */
EVE_MUST_USE enum eve_status eve_judge_input(struct eve_judge *j, struct eve_ending *e,
                                             const struct eve_draft *draft,
                                             struct eve_json_value action, struct eve_err *err);

#endif
