/*
 * draft: the text of one block as it grows, with what is known of the block.
 *
 * Text and coordinates are copies; a draft is used again for the next block and keeps its room.
 * Coordinates are raw JSON values, those of the first append.
 */
#ifndef EVE_DRAFT_H
#define EVE_DRAFT_H

#include "base.h"
#include "buf.h"
#include "event.h"
#include "saved.h"

/* The last so many deltas that begin with a brace are remembered. */
#define EVE_DRAFT_STARTS 8

enum eve_draft_part {
    EVE_DRAFT_GROUP,
    EVE_DRAFT_TURN,
    EVE_DRAFT_STEP,
    EVE_DRAFT_SEQUENCE,
    EVE_DRAFT_CALL,
    EVE_DRAFT_TOOL,
    EVE_DRAFT_PART_COUNT
};

/* What is known of a tool input beside its text. */
struct eve_draft_input {
    uint64_t before;                 /* UTF-16 units before the last delta … */
    uint64_t units;                  /* … and with it */
    size_t starts[EVE_DRAFT_STARTS]; /* where deltas that begin with a brace begin; a ring */
    size_t start_count;              /* of all such deltas */
};

/* Small, as any number of blocks may be open. */
struct eve_draft {
    enum eve_event_type kind;           /* type of its appends */
    bool partial;                       /* its beginning may be missing */
    struct eve_buf text;                /* spelled, see spell.h */
    char *raw;                          /* the parts, one behind the other */
    uint32_t end[EVE_DRAFT_PART_COUNT]; /* where each of them ends */
    uint64_t deltas;
    uint64_t first; /* numbers of events */
    uint64_t last;
    struct eve_draft_input *input; /* in use for a tool input */
};

void eve_draft_init(struct eve_draft *d);
void eve_draft_fini(struct eve_draft *d);

/* Forget the text; its room is given back, but for a few KiB if `keep`. */
void eve_draft_clear(struct eve_draft *d, bool keep);

/* A new draft, empty, with the coordinates of `ev`, whose number is `index`. EVE_FAIL: no memory.
 */
EVE_MUST_USE enum eve_status eve_draft_begin(struct eve_draft *d, const struct eve_event *ev,
                                             uint64_t index, struct eve_err *err);

/* The delta (a string) of event number `index` comes behind the text. EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status eve_draft_append(struct eve_draft *d, struct eve_json_value delta,
                                              uint64_t index, struct eve_err *err);

/* The same, and the text is now what `snapshot` (a string) says. */
EVE_MUST_USE enum eve_status eve_draft_replace(struct eve_draft *d, struct eve_json_value snapshot,
                                               uint64_t index, struct eve_err *err);

/* A part, kind EVE_JSON_NONE if the event did not have it. Good until the next begin. */
struct eve_json_value eve_draft_part(const struct eve_draft *d, enum eve_draft_part part);

/* The event spells kind, group, turn and step (of a tool input: group and call) with the very bytes
 * of the draft. False says nothing. */
bool eve_draft_is_at(const struct eve_draft *d, const struct eve_event *ev);

/* Write the draft as a JSON object, a member of a state file; and read it back. EVE_BAD: it is
 * none. */
void eve_draft_save(const struct eve_draft *d, const char *name, struct eve_saved *out);
EVE_MUST_USE enum eve_status eve_draft_load(struct eve_draft *d, struct eve_json_value object,
                                            struct eve_err *err);

/* An event with the coordinates of the draft and nothing else. Borrows the draft. */
void eve_draft_event(const struct eve_draft *d, struct eve_event *ev);

#endif
