/*
 * event: one line as an event, its members found as byte ranges.
 *
 * The line is scanned once. Of a repeated name the last one counts, and of a repeated `data` only
 * the last is looked into, as in JavaScript. Names are compared by what they say, so "\u0064ata" is
 * data. Nothing is copied: an event borrows its line.
 */
#ifndef EVE_EVENT_H
#define EVE_EVENT_H

#include "base.h"
#include "json.h"

/* The types of v21 to v26: symbol, name, first version, last version. The three appends come first.
 */
#define EVE_EVENT_TYPES(X)                                                                         \
    X(MESSAGE_APPENDED, "message.appended", 21, 26)                                                \
    X(REASONING_APPENDED, "reasoning.appended", 21, 26)                                            \
    X(INPUT_APPENDED, "action.input.appended", 24, 26)                                             \
    X(ACTION_PARTIAL, "action.partial", 21, 26)                                                    \
    X(ACTION_RESULT, "action.result", 21, 26)                                                      \
    X(ACTIONS_REQUESTED, "actions.requested", 21, 26)                                              \
    X(AGENT_STARTED, "agent.started", 26, 26)                                                      \
    X(APPROVAL_CANDIDATE, "approval.candidate", 22, 26)                                            \
    X(APPROVAL_SETTLED, "approval.settled", 22, 26)                                                \
    X(AUTHORIZATION_COMPLETED, "authorization.completed", 21, 26)                                  \
    X(AUTHORIZATION_REQUIRED, "authorization.required", 21, 26)                                    \
    X(COMPACTION_COMPLETED, "compaction.completed", 21, 26)                                        \
    X(COMPACTION_REQUESTED, "compaction.requested", 21, 26)                                        \
    X(CONTEXT_CLEARED, "context.cleared", 21, 26)                                                  \
    X(INPUT_REQUESTED, "input.requested", 21, 26)                                                  \
    X(INPUT_RESOLVED, "input.resolved", 23, 26)                                                    \
    X(MESSAGE_COMPLETED, "message.completed", 21, 26)                                              \
    X(MESSAGE_RECEIVED, "message.received", 21, 26)                                                \
    X(REASONING_COMPLETED, "reasoning.completed", 21, 26)                                          \
    X(RESULT_COMPLETED, "result.completed", 21, 26)                                                \
    X(SESSION_COMPLETED, "session.completed", 21, 26)                                              \
    X(SESSION_FAILED, "session.failed", 21, 26)                                                    \
    X(SESSION_STARTED, "session.started", 21, 26)                                                  \
    X(SESSION_WAITING, "session.waiting", 21, 26)                                                  \
    X(STEP_COMPLETED, "step.completed", 21, 26)                                                    \
    X(STEP_FAILED, "step.failed", 21, 26)                                                          \
    X(STEP_STARTED, "step.started", 21, 26)                                                        \
    X(SUBAGENT_CALLED, "subagent.called", 21, 25)                                                  \
    X(SUBAGENT_COMPLETED, "subagent.completed", 21, 25)                                            \
    X(SUBAGENT_EVENT, "subagent.event", 21, 25)                                                    \
    X(SUBAGENT_STARTED, "subagent.started", 21, 25)                                                \
    X(TASK_SETTLED, "task.settled", 26, 26)                                                        \
    X(TASK_STARTED, "task.started", 26, 26)                                                        \
    X(TURN_CANCELLED, "turn.cancelled", 21, 26)                                                    \
    X(TURN_COMPLETED, "turn.completed", 21, 26)                                                    \
    X(TURN_FAILED, "turn.failed", 21, 26)                                                          \
    X(TURN_STARTED, "turn.started", 21, 26)                                                        \
    X(TURN_WAITING, "turn.waiting", 26, 26)

enum eve_event_type {
#define X(symbol, name, first, last) EVE_EVENT_##symbol,
    EVE_EVENT_TYPES(X)
#undef X
        EVE_EVENT_OTHER, /* a type we do not know: kept, never refused */
};

/* Members of `data` that are looked for: symbol, name. The five removed ones come first. */
#define EVE_EVENT_FIELDS(X)                                                                        \
    X(MESSAGE_SO_FAR, "messageSoFar")                                                              \
    X(REASONING_SO_FAR, "reasoningSoFar")                                                          \
    X(INPUT_TEXT_OFFSET, "inputTextOffset")                                                        \
    X(MESSAGE_OFFSET, "messageOffset")                                                             \
    X(REASONING_OFFSET, "reasoningOffset")                                                         \
    X(MESSAGE_DELTA, "messageDelta")                                                               \
    X(REASONING_DELTA, "reasoningDelta")                                                           \
    X(INPUT_TEXT_DELTA, "inputTextDelta")                                                          \
    X(SEQUENCE, "sequence")                                                                        \
    X(STEP_INDEX, "stepIndex")                                                                     \
    X(TURN_ID, "turnId")                                                                           \
    X(CALL_ID, "callId")                                                                           \
    X(TOOL_NAME, "toolName")                                                                       \
    X(MESSAGE, "message")                                                                          \
    X(REASONING, "reasoning")                                                                      \
    X(FINISH_REASON, "finishReason")                                                               \
    X(ACTIONS, "actions")                                                                          \
    X(RESULT, "result")                                                                            \
    X(ERROR, "error")

enum eve_event_field {
#define X(symbol, name) EVE_FIELD_##symbol,
    EVE_EVENT_FIELDS(X)
#undef X
        EVE_FIELD_COUNT
};

/* Of these, the ones that v25 removed. */
#define EVE_FIELD_REMOVED_COUNT 5

/* As many shapes are told apart at a time. */
#define EVE_EVENT_SHAPES 1024

struct eve_block;

enum eve_event_line {
    EVE_LINE_EVENT,  /* an event */
    EVE_LINE_BLANK,  /* nothing but white space: transport */
    EVE_LINE_CONTROL /* a control record: transport */
};

/* A member of `data` with its neighbourhood, for cutting. Pointers into the line. What a template
 * filled in has the neighbourhood of the removed fields only. */
struct eve_member {
    struct eve_json_value value;
    const char *name;   /* opening quote of the name */
    const char *before; /* byte behind the member before it, NULL if it is the first */
    const char *after;  /* first byte of the member after it, NULL if it is the last */
};

struct eve_event {
    enum eve_event_line kind;
    struct eve_slice line; /* as read, without LF */
    bool ended;            /* the byte behind the line is its LF */
    struct eve_slice text; /* the event itself: without byte order mark and white space around it */
    enum eve_event_type type;
    struct eve_json_value type_value; /* a string */
    struct eve_json_value data;       /* kind EVE_JSON_NONE where there is none, as below */
    struct eve_json_value meta;
    struct eve_json_value id;    /* meta.id */
    struct eve_json_value at;    /* meta.at */
    struct eve_json_value group; /* the member named by the options */
    bool plain;        /* no top-level member but type, data, meta and the group's, none repeated */
    uint32_t seen;     /* bit per field: it was there */
    uint32_t repeated; /* bit per field: more than once */
    uint32_t data_other;         /* members of data that are no field */
    struct eve_block *continues; /* set by eve_template_match only: the open block whose kept
                                    snapshot this event's continues, byte for byte */
    uint64_t shape; /* set by template.h, 0 otherwise: appends of one file with the same shape have
                       the same bytes but for the contents of the delta, of the cumulative field, of
                       meta.id and of meta.at. So they belong to the same block, and what was worked
                       out for one holds for the next. shape % EVE_EVENT_SHAPES is a place in a
                       table for that; the entry there must be for this very shape, since places are
                       used again. */
    struct eve_member field[EVE_FIELD_COUNT]; /* good where `seen` has the bit */
};

struct eve_event_options {
    struct eve_slice group; /* name of the group member; n = 0: none */
};

/* Look at `line` (without LF). EVE_OK: ev->kind says what it is; members are filled in for an event
 * only. EVE_BAD: json-syntax json-utf8 json-depth not-object newer-format type-missing, with
 * err->pos counted from the start of the line; json-syntax becomes truncated where a line that has
 * no LF
 * (`ended` false) merely stops too soon. */
EVE_MUST_USE enum eve_status eve_event_parse(struct eve_event *ev, struct eve_slice line,
                                             bool ended, const struct eve_event_options *options,
                                             struct eve_err *err);

static inline bool eve_event_has(const struct eve_event *ev, enum eve_event_field f)
{
    return ev->seen >> f & 1;
}

/* The value of a field; kind EVE_JSON_NONE if it is not there. */
static inline struct eve_json_value eve_event_value(const struct eve_event *ev,
                                                    enum eve_event_field f)
{
    return eve_event_has(ev, f) ? ev->field[f].value : (struct eve_json_value){0};
}

/* Names, and the versions a type belongs to; constant. */
const char *eve_event_field_name(enum eve_event_field f);
const char *eve_event_type_name(enum eve_event_type type); /* NULL for EVE_EVENT_OTHER */
bool eve_event_type_in(enum eve_event_type type, unsigned version);

/* The last member called `name` of an object that was scanned before (any other value has none);
 * kind EVE_JSON_NONE if it is not there. */
struct eve_json_value eve_event_find(struct eve_json_value object, const char *name);

/* The field that `name`, a string, names; EVE_FIELD_COUNT if none. */
enum eve_event_field eve_event_find_field(struct eve_json_value name);

#endif
