/*
 * check_state: what the parts of check share. Nothing outside check includes it.
 *
 *   check.c        the way of an event through the rules; groups; bad lines; the end of a file
 *   check_ids.c    ids and times
 *   check_text.c   open texts: appends, snapshots, offsets
 *   check_done.c   how they end: completed texts, requested inputs, texts left open
 *   check_hold.c   findings on completed texts, and late appends
 *   check_flow.c   sessions, turns, steps
 *   check_calls.c  requests, approvals, results
 *   check_coords.c coordinates and names that have to agree; inputs that never came
 *   check_excuse.c what eve itself does, which explains what else would be a warning
 *
 * All functions are about the event at hand (c->ev and what stands beside it); all statuses are
 * EVE_FAIL: no memory, or what the finder said.
 */
#ifndef EVE_CHECK_STATE_H
#define EVE_CHECK_STATE_H

#include "block.h"
#include "buf.h"
#include "check.h"
#include "map.h"
#include "names.h"
#include "roster.h"
#include "seen.h"
#include "value.h"
#include "words.h"

#define EVE_CHECK_ID 30 /* bytes of a well-formed id */
#define EVE_CHECK_AT 24 /* bytes of a well-formed time */

/* Findings held at a time; beyond them the oldest is told at once. */
#define EVE_CHECK_HELD 64

/* Where an event was. */
struct eve_check_place {
    uint64_t line;
    uint64_t event;
    enum eve_event_type type;
};

/* State of a turn in its roster; of a call, where only OPEN is used; and of a question about a
 * call, which is WAITING, or COMPLETED once it is approved. */
enum { EVE_CHECK_OPEN = 1, EVE_CHECK_WAITING, EVE_CHECK_COMPLETED, EVE_CHECK_BROKEN_OFF };

/* Flags of a call: that it has no result needs no other reason; someone was asked about it; it was
 * open already when it was requested. Of a turn: its calls need no result; its message.received
 * came or was missed already; its sequence was told. */
enum { EVE_CHECK_EXPLAINED = 1, EVE_CHECK_ASKED = 2, EVE_CHECK_AGAIN = 4 };
enum { EVE_CHECK_RECEIVED = 2, EVE_CHECK_SEQUENCE_TOLD = 4 };

/* Tools that are known to stream their inputs in a turn. */
enum { EVE_CHECK_STREAMED = 16 };

/* A session: the events of one group. */
struct eve_check_group {
    uint32_t number;
    bool any;             /* an event came */
    bool midway;          /* it did not begin with session.started */
    bool session_started; /* session.started came */
    bool turn_seen;       /* turn.started came */
    bool step_seen;       /* step.started came */
    bool ended;           /* session.completed or session.failed was the last of its kind */
    uint64_t end_line;    /* its line */
    uint64_t broken_off;  /* event at which a turn or the session last was cancelled or failed */
    bool any_broken_off;  /* there was one */
    bool after_end_told;
    bool replaying; /* in a run of events that came before */
    bool legacy_seen;
    bool delta_seen;
    bool mixed_told;
    bool asked; /* something may begin a turn without a message */
    bool step_open;
    bool step_said;  /* the model's word came in the step: an append, a text or a request */
    bool step_asked; /* someone was asked, or has to sign in, since it began */
    bool any_withdrawn;
    uint64_t withdrawn; /* event at which a call of a failed attempt was last withdrawn */
    bool turn_open;
    struct eve_check_place step; /* where the open step, or the last one, began */
    struct eve_check_place turn; /* where the open turn began */
    uint64_t step_index;         /* of the step, if it is such a number; else UINT64_MAX */
    uint64_t settled_line;       /* of the last end of a turn, until the session waits; or 0 */
    struct eve_buf step_key;     /* of the open step: turn and step */
    struct eve_buf turn_key;     /* of the open turn, as in the roster */
    size_t blocks;               /* open texts */
    uint64_t model;              /* of the last step, as a hash; 0: none */
    uint64_t streamed[EVE_CHECK_STREAMED]; /* tools with appends in this turn, by this model */
    unsigned streamed_count;               /* of them, as a ring */
    bool has_id;
    bool has_at;
    struct eve_ulid last_id;
    char last_at[EVE_CHECK_AT];
};

/* Delta boundaries of a tool input at which a later attempt may begin. */
enum { EVE_CHECK_TAILS = 8 };

/* What is kept of a message or reasoning only, and of a tool input only. */
struct eve_check_said {
    size_t last;     /* where the last delta begins in `raw` */
    unsigned repeat; /* deltas in a row that begin with the one before */
    struct eve_check_place repeated;
};
struct eve_check_input {
    uint64_t units; /* of its first `counted` bytes; of legacy ones only */
    size_t counted;
    uint64_t tool;                   /* its toolName as a hash; 0: none, or a difference was told */
    uint32_t tails[EVE_CHECK_TAILS]; /* the last places where a delta began with {, as a ring */
    unsigned tail_count;
};

/* An open text. */
struct eve_check_text {
    struct eve_block block; /* first */
    struct eve_check_group *group;
    struct eve_buf raw; /* the text so far: the raw deltas, or the last raw snapshot */
    uint64_t deltas;
    uint64_t serial; /* no text has the same one; 0: closed */
    struct eve_check_place begun;
    union {
        struct eve_check_input input; /* the larger one first: all of it is 0 if none is named */
        struct eve_check_said said;
    } of;         /* by the kind of the block */
    bool partial; /* its beginning may be missing: never compared */
    bool broken;  /* a fault in it was told already: not compared */
    bool astray;  /* an append of another step was told */
};

/* Members of an append that say which text it belongs to, and those that have to agree in it. */
enum { EVE_CHECK_PARTS = 5 };

/* How they are spelled, one behind the other. */
struct eve_check_spelling {
    size_t n[EVE_CHECK_PARTS]; /* bytes of each */
    char raw[200];
};

/* What was worked out for an append holds for those of the same shape (event.h). */
struct eve_check_shape {
    uint64_t shape; /* 0: nothing */
    uint64_t hash;  /* of what its content says beside the delta */
    struct eve_check_group *group;
    struct eve_check_text *text;
    uint64_t serial; /* of the text; another one by now: it is closed */
};

/* Deltas in a row that have to repeat the text before it is told. */
enum { EVE_CHECK_REPEATS = 3 };

static inline struct eve_check_text *eve_check_as_text(struct eve_block *block)
{
    return (struct eve_check_text *)(void *)block;
}

/* Its beginning or its end may be lost, in part or as a whole: not compared. */
static inline bool eve_check_is_spoiled(const struct eve_check_text *t, uint64_t bad_line)
{
    return t->partial || t->broken || t->begun.line < bad_line;
}

static inline const char *eve_check_noun(enum eve_event_type kind)
{
    return kind == EVE_EVENT_MESSAGE_APPENDED     ? "message"
           : kind == EVE_EVENT_REASONING_APPENDED ? "reasoning"
                                                  : "tool input";
}

/* A finding on a text, which a late append may still replace. */
struct eve_check_held {
    struct eve_block block; /* first */
    struct eve_check_group *group;
    uint64_t needs; /* told if inputs of this tool stream in this turn, a note if only those of
                     * others do; 0: in any case */
    struct eve_finding finding;
    struct eve_buf bytes; /* its message, type, id and excerpt */
    bool replaced;        /* by the note about the late append */
    bool has_id;
    struct eve_ulid id; /* of the event that completed the text: what is older is late */
};

struct eve_check {
    struct eve_check_options options;
    struct eve_names names;
    struct eve_seen ids;   /* with a hash of the content */
    struct eve_map groups; /* value: number of the group */
    struct eve_check_group **group_list;
    size_t group_count;
    size_t group_cap;
    struct eve_blocks texts;
    struct eve_check_text *last_text; /* the text of the last append, or NULL */
    struct eve_check_spelling last_spelling;
    struct eve_check_shape *shapes; /* EVE_EVENT_SHAPES of them, by shape; all were found good */
    uint64_t serial;                /* of the text that began last */
    struct eve_blocks held;
    struct eve_roster turns;       /* none is dropped, so their numbers stay */
    struct eve_roster calls;       /* turn, ask: number + 1 in `turns` and `asks`, or 0 */
    struct eve_roster asks;        /* by requestId; event: where it was asked, or approved. And
                                      tasks, by taskId */
    struct eve_check_text **ended; /* scratch: texts that the event at hand ends */
    size_t ended_count;
    size_t ended_cap;
    struct eve_buf key;  /* scratch */
    struct eve_buf text; /* scratch */
    struct eve_value values[2];
    /* the event at hand */
    const struct eve_event *ev;
    const struct eve_decoder *decoded;
    unsigned version;
    uint64_t line;
    uint64_t index;
    struct eve_check_group *group;
    bool well_formed_id;
    bool well_formed_at;
    struct eve_ulid ulid;                /* of a well-formed id */
    bool late;                           /* it is a late append */
    bool clean;                          /* nothing was found in it by itself */
    const struct eve_check_shape *known; /* what is known of its shape, or NULL */
    uint64_t told;                       /* findings of the run */
    /* the file at hand */
    uint64_t bad;        /* lines that could not be read */
    uint64_t bad_line;   /* the last of them, or 0; what began before it may be over */
    uint64_t with_id;    /* events */
    uint64_t without_id; /* events */
    struct eve_check_place first_without_id;
};

/* Tell a finding about the event at hand; `at` is the byte it is about, or NULL. */
EVE_MUST_USE enum eve_status eve_check_tell(struct eve_check *c, unsigned rule, bool explained,
                                            const char *at, const char *message,
                                            struct eve_err *err);
/* About an event that is gone. */
EVE_MUST_USE enum eve_status eve_check_tell_at(struct eve_check *c, unsigned rule, bool explained,
                                               const struct eve_check_place *place,
                                               const char *message, struct eve_err *err);

/* The place of the event at hand. */
static inline struct eve_check_place eve_check_here(const struct eve_check *c)
{
    return (struct eve_check_place){c->line, c->index, c->ev->type};
}

/* Form of the id and the time, and whether the id came before. *replay: it did, with the same
 * content, and the event is to be left out of all that follows. */
EVE_MUST_USE enum eve_status eve_check_id(struct eve_check *c, bool *replay, struct eve_err *err);
/* Order of ids and times. */
EVE_MUST_USE enum eve_status eve_check_id_order(struct eve_check *c, struct eve_err *err);
/* Whether the file had ids at all. */
EVE_MUST_USE enum eve_status eve_check_id_end(struct eve_check *c, struct eve_err *err);

/* What the event at hand says beside a delta, as a number. */
uint64_t eve_check_content(const struct eve_check *c);
/* An append. */
EVE_MUST_USE enum eve_status eve_check_append(struct eve_check *c, struct eve_err *err);
/* The same for one of a known shape, where that is all there is to do: *done. */
EVE_MUST_USE enum eve_status eve_check_append_known(struct eve_check *c, bool *done,
                                                    struct eve_err *err);
/* What the event ends: compare completed texts and requested inputs, tell what was left open, and
 * tell what was held of it. */
EVE_MUST_USE enum eve_status eve_check_text_ends(struct eve_check *c, struct eve_err *err);
/* Tell all that is held and all that is open. */
EVE_MUST_USE enum eve_status eve_check_text_end(struct eve_check *c, struct eve_err *err);
/* The open text of the event at hand, a refused append, is not compared any more. */
EVE_MUST_USE enum eve_status eve_check_text_spoil(struct eve_check *c, struct eve_err *err);

/* Life cycle and calls, before the texts are looked at. */
EVE_MUST_USE enum eve_status eve_check_flow(struct eve_check *c, struct eve_err *err);
/* A text begins, or ends without having begun, or a call is requested at the event at hand: is it
 * in an open step? `explained`: a note where no step of its turn is open. */
EVE_MUST_USE enum eve_status eve_check_inside(struct eve_check *c, bool explained,
                                              struct eve_err *err);
/* The event at hand is in the open step of its group. */
EVE_MUST_USE enum eve_status eve_check_in_step(struct eve_check *c, bool *in, struct eve_err *err);
/* It is in the open step or, where none is, in the last one of an open turn or the next. */
EVE_MUST_USE enum eve_status eve_check_near_step(struct eve_check *c, bool *near,
                                                 struct eve_err *err);
/* A turn of its turnId has started, as far as is known; tell it if not. */
EVE_MUST_USE enum eve_status eve_check_in_turn(struct eve_check *c, struct eve_err *err);
/* A coordinate of the group, as a key of a roster, in c->key. */
EVE_MUST_USE enum eve_status eve_check_make_key(struct eve_check *c, struct eve_json_value value,
                                                struct eve_err *err);
/* The turn of the event at hand, or NULL; its key is in c->key. */
EVE_MUST_USE enum eve_status
eve_check_find_turn(struct eve_check *c, struct eve_roster_member **turn, struct eve_err *err);

/* The sequence of the event at hand is that of its turn. */
EVE_MUST_USE enum eve_status eve_check_sequence(struct eve_check *c, struct eve_err *err);
/* A name of a tool or model as a hash; 0 if it is no string. Uses c->key. */
EVE_MUST_USE enum eve_status eve_check_name(struct eve_check *c, struct eve_json_value name,
                                            uint64_t *hash, struct eve_err *err);
/* The name of the tool that an action calls by its own name. */
EVE_MUST_USE enum eve_status eve_check_tool(struct eve_check *c, struct eve_json_value action,
                                            uint64_t *hash, struct eve_err *err);
/* An append of a tool input, which has this text and was just looked for there, is of the same step
 * and tool. */
EVE_MUST_USE enum eve_status eve_check_tool_append(struct eve_check *c, struct eve_check_text *t,
                                                   struct eve_err *err);
/* An action is requested whose input had this text, or none (NULL). */
EVE_MUST_USE enum eve_status eve_check_tool_request(struct eve_check *c,
                                                    const struct eve_check_text *t,
                                                    struct eve_json_value call,
                                                    struct eve_json_value action,
                                                    struct eve_err *err);
/* An action.result answers `request`; same_place: with the same turn and step. */
EVE_MUST_USE enum eve_status eve_check_result_place(struct eve_check *c,
                                                    const struct eve_roster_member *request,
                                                    bool same_place, struct eve_err *err);
/* Inputs of the tool came in appends in this turn. */
bool eve_check_streams(const struct eve_check_group *g, uint64_t tool);

/* By its id the event at hand is older than the one before: a live stream delivered it late. */
bool eve_check_is_behind(const struct eve_check *c);

/* actions.requested */
EVE_MUST_USE enum eve_status eve_check_requests(struct eve_check *c, struct eve_err *err);
/* action.result, action.partial */
EVE_MUST_USE enum eve_status eve_check_result(struct eve_check *c, struct eve_err *err);
/* input.requested, input.resolved, approval.settled, task.started, task.settled */
EVE_MUST_USE enum eve_status eve_check_questions(struct eve_check *c, struct eve_err *err);
/* A later attempt, or the failure of the step, explains that the calls of this step have no
 * result. */
void eve_check_explain_calls(struct eve_check *c);
/* Someone has to sign in: the same of all calls of the turn of the event at hand. */
EVE_MUST_USE enum eve_status eve_check_explain_turn(struct eve_check *c, struct eve_err *err);
/* The event at hand breaks off a turn (NULL: an unknown one): its calls, and those approved before,
 * need no result. */
void eve_check_break_off(struct eve_check *c, struct eve_roster_member *turn);
/* Tell calls that are open. */
EVE_MUST_USE enum eve_status eve_check_calls_end(struct eve_check *c, struct eve_err *err);

/* The turn fails by something else than a model call: it needs neither step nor start. */
bool eve_check_fails_apart(const struct eve_event *ev);
/* The step ends since a message superseded its model call: reasoning and calls may be open. */
bool eve_check_is_superseded(const struct eve_event *ev);
/* The result of a call whose input could not be read, which is not requested. */
bool eve_check_is_unread(const struct eve_event *ev);
/* The open step did nothing before the event at hand, by which its turn waits or ends. */
bool eve_check_is_idle_step(const struct eve_check *c);

/* Tell turns and calls that are open. */
EVE_MUST_USE enum eve_status eve_check_flow_end(struct eve_check *c, struct eve_err *err);

#endif
