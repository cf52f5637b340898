#include "members.h"

#include "num.h"
#include "str.h"
#include "text.h"

/* Kinds a member may have, as a set. */
enum {
    STRING = 1 << EVE_JSON_STRING,
    NUMBER = 1 << EVE_JSON_NUMBER,
    OBJECT = 1 << EVE_JSON_OBJECT,
    ARRAY = 1 << EVE_JSON_ARRAY,
    NIL = 1 << EVE_JSON_NULL,
    INDEX = 1 << 8 | NUMBER, /* a number that counts something */
    ANY = 0xFF & ~(1 << EVE_JSON_NONE)
};

/* A member of data: a field of event.h, or (EVE_FIELD_COUNT) another one by its name. */
struct member {
    enum eve_event_field field;
    const char *name;
    unsigned kinds;
};

#define FIELD(symbol, kinds)                                                                       \
    {                                                                                              \
        EVE_FIELD_##symbol, NULL, kinds                                                            \
    }
#define NAMED(name, kinds)                                                                         \
    {                                                                                              \
        EVE_FIELD_COUNT, name, kinds                                                               \
    }
#define TURN FIELD(SEQUENCE, INDEX), FIELD(TURN_ID, STRING)
#define STEP FIELD(SEQUENCE, INDEX), FIELD(STEP_INDEX, INDEX), FIELD(TURN_ID, STRING)
#define TASK FIELD(CALL_ID, STRING), NAMED("taskId", STRING), FIELD(TURN_ID, STRING)
#define FAILURE NAMED("code", STRING), FIELD(MESSAGE, STRING)

enum { MEMBERS_MAX = 8 };

static const struct member members[][MEMBERS_MAX] = {
    [EVE_EVENT_MESSAGE_APPENDED] = {STEP},
    [EVE_EVENT_REASONING_APPENDED] = {STEP},
    [EVE_EVENT_INPUT_APPENDED] = {STEP, FIELD(CALL_ID, STRING), FIELD(TOOL_NAME, STRING)},
    [EVE_EVENT_ACTION_PARTIAL] = {STEP, FIELD(RESULT, OBJECT)},
    [EVE_EVENT_ACTION_RESULT] = {STEP, FIELD(RESULT, OBJECT), NAMED("status", STRING)},
    [EVE_EVENT_ACTIONS_REQUESTED] = {STEP},
    [EVE_EVENT_AGENT_STARTED] = {FIELD(CALL_ID, STRING), FIELD(TURN_ID, STRING)},
    [EVE_EVENT_APPROVAL_CANDIDATE] = {STEP, NAMED("requestId", STRING)},
    [EVE_EVENT_APPROVAL_SETTLED] = {STEP, NAMED("requestId", STRING), NAMED("outcome", STRING)},
    [EVE_EVENT_AUTHORIZATION_COMPLETED] = {STEP},
    [EVE_EVENT_AUTHORIZATION_REQUIRED] = {STEP},
    [EVE_EVENT_COMPACTION_COMPLETED] = {TURN},
    [EVE_EVENT_COMPACTION_REQUESTED] = {TURN},
    [EVE_EVENT_CONTEXT_CLEARED] = {TURN},
    [EVE_EVENT_INPUT_REQUESTED] = {STEP, NAMED("requests", ARRAY)},
    [EVE_EVENT_INPUT_RESOLVED] = {STEP, NAMED("resolutions", ARRAY)},
    [EVE_EVENT_MESSAGE_COMPLETED] = {STEP, FIELD(MESSAGE, STRING | NIL),
                                     FIELD(FINISH_REASON, STRING)},
    [EVE_EVENT_MESSAGE_RECEIVED] = {TURN, FIELD(MESSAGE, STRING)},
    [EVE_EVENT_REASONING_COMPLETED] = {STEP, FIELD(REASONING, STRING | NIL)},
    [EVE_EVENT_RESULT_COMPLETED] = {STEP, FIELD(RESULT, ANY)},
    [EVE_EVENT_SESSION_FAILED] = {FAILURE},
    [EVE_EVENT_STEP_COMPLETED] = {STEP, FIELD(FINISH_REASON, STRING)},
    [EVE_EVENT_STEP_FAILED] = {STEP, FAILURE},
    [EVE_EVENT_STEP_STARTED] = {STEP},
    [EVE_EVENT_SUBAGENT_CALLED] = {TURN, FIELD(CALL_ID, STRING), FIELD(TOOL_NAME, STRING)},
    [EVE_EVENT_SUBAGENT_COMPLETED] = {FIELD(CALL_ID, STRING)},
    [EVE_EVENT_SUBAGENT_EVENT] = {FIELD(CALL_ID, STRING)},
    [EVE_EVENT_SUBAGENT_STARTED] = {FIELD(CALL_ID, STRING)},
    [EVE_EVENT_TASK_SETTLED] = {TASK, NAMED("status", STRING)},
    [EVE_EVENT_TASK_STARTED] = {TASK},
    [EVE_EVENT_TURN_CANCELLED] = {TURN},
    [EVE_EVENT_TURN_COMPLETED] = {TURN},
    [EVE_EVENT_TURN_FAILED] = {TURN, FAILURE},
    [EVE_EVENT_TURN_STARTED] = {TURN},
    [EVE_EVENT_TURN_WAITING] = {TURN},
    [EVE_EVENT_OTHER] = {{0}},
};

static const char *wanted(unsigned kinds)
{
    switch (kinds) {
    case STRING:
        return "a string";
    case INDEX:
        return "a whole number from 0 on";
    case OBJECT:
        return "an object";
    case ARRAY:
        return "an array";
    default:
        return "a string or null";
    }
}

static void append(char *text, const char *s)
{
    size_t n = strlen(text);
    size_t room = EVE_MEMBERS_TEXT - 1 - n;
    size_t more = strlen(s) < room ? strlen(s) : room;
    memcpy(text + n, s, more);
    text[n + more] = '\0';
}

/* A whole number, not below 0, of any size. */
static bool is_index(struct eve_json_value value)
{
    struct eve_num num;
    if (value.n == 1) {
        return true; /* a digit */
    }
    eve_num_parse((struct eve_slice){value.p, value.n}, &num);
    if (num.first == NULL || num.negative || num.exponent <= 0) {
        return num.first == NULL;
    }
    bool point = memchr(num.first, '.', (size_t)(num.last - num.first)) != NULL;
    return num.last - num.first + 1 - (point ? 1 : 0) <= num.exponent;
}

/* Is `value`, a member of `owner`, as it has to be? If not, say so. */
static bool is_bad(struct eve_json_value value, struct eve_json_value owner, const char *name,
                   unsigned kinds, char *text, const char **at)
{
    if (1U << value.kind & kinds && (kinds != INDEX || is_index(value))) {
        return false;
    }
    *text = '\0';
    append(text, name);
    if (value.kind == EVE_JSON_NONE) {
        append(text, " is missing");
        *at = owner.p;
    } else {
        append(text, " is not ");
        append(text, wanted(kinds));
        *at = value.p;
    }
    return true;
}

/* The k-th check of the members of data. False: not bad; *done: there is no such check. */
static bool check_member(const struct eve_event *ev, unsigned k, char *text, const char **at,
                         bool *done)
{
    const struct member *m = &members[ev->type][k];
    *done = k >= MEMBERS_MAX || m->kinds == 0;
    if (*done) {
        return false;
    }
    if (m->field != EVE_FIELD_COUNT) {
        return is_bad(eve_event_value(ev, m->field), ev->data, eve_event_field_name(m->field),
                      m->kinds, text, at);
    }
    return is_bad(eve_event_find(ev->data, m->name), ev->data, m->name, m->kinds, text, at);
}

/* The call or result names its tool. */
static bool has_tool(struct eve_json_value action)
{
    struct eve_json_value kind = eve_event_find(action, "kind");
    return eve_text_is(kind, "tool-call") || eve_text_is(kind, "tool-result") ||
           eve_text_is(kind, "workflow-tool-call");
}

/* The first fault of a call or a result. */
static bool is_bad_call(struct eve_json_value action, char *text, const char **at)
{
    return is_bad(eve_event_find(action, "callId"), action, "callId", STRING, text, at) ||
           is_bad(eve_event_find(action, "kind"), action, "kind", STRING, text, at) ||
           (has_tool(action) &&
            is_bad(eve_event_find(action, "toolName"), action, "toolName", STRING, text, at));
}

/* A question is about a call. */
static bool is_bad_question(struct eve_json_value question, char *text, const char **at)
{
    struct eve_json_value action = eve_event_find(question, "action");
    return is_bad(question, question, "a request", OBJECT, text, at) ||
           is_bad(eve_event_find(question, "requestId"), question, "requestId", STRING, text, at) ||
           is_bad(action, question, "action", OBJECT, text, at) || is_bad_call(action, text, at);
}

static bool is_bad_answer(struct eve_json_value answer, char *text, const char **at)
{
    return is_bad(answer, answer, "a resolution", OBJECT, text, at) ||
           is_bad(eve_event_find(answer, "requestId"), answer, "requestId", STRING, text, at) ||
           is_bad(eve_event_find(answer, "outcome"), answer, "outcome", STRING, text, at);
}

/* The first fault of the elements of `list`, if it is an array. */
static bool check_list(struct eve_json_value list,
                       bool (*bad)(struct eve_json_value element, char *text, const char **at),
                       char *text, const char **at)
{
    struct eve_json j;
    struct eve_json_value element;
    struct eve_err ignored; /* it was scanned before */
    if (list.kind != EVE_JSON_ARRAY) {
        return false;
    }
    eve_json_open(&j, (struct eve_slice){list.p, list.n});
    enum eve_status status = eve_json_enter(&j, &ignored);
    while (status == EVE_OK && eve_json_element(&j, &ignored) == EVE_OK) {
        status = eve_json_skip(&j, &element, &ignored);
        if (status == EVE_OK && bad(element, text, at)) {
            return true;
        }
    }
    return false;
}

/* The first fault of the actions, the result, the questions or the answers. */
static bool check_parts(const struct eve_event *ev, char *text, const char **at)
{
    struct eve_json_value result = eve_event_value(ev, EVE_FIELD_RESULT);
    switch (ev->type) {
    case EVE_EVENT_ACTIONS_REQUESTED:
        return check_list(eve_event_value(ev, EVE_FIELD_ACTIONS), is_bad_call, text, at);
    case EVE_EVENT_ACTION_RESULT:
    case EVE_EVENT_ACTION_PARTIAL:
        return result.kind == EVE_JSON_OBJECT && is_bad_call(result, text, at);
    case EVE_EVENT_INPUT_REQUESTED:
        return check_list(eve_event_find(ev->data, "requests"), is_bad_question, text, at);
    case EVE_EVENT_INPUT_RESOLVED:
        return check_list(eve_event_find(ev->data, "resolutions"), is_bad_answer, text, at);
    default:
        return false;
    }
}

bool eve_members_fault(const struct eve_event *ev, unsigned *next, char *text, const char **at)
{
    enum { PARTS = MEMBERS_MAX };
    if (ev->data.kind != EVE_JSON_OBJECT) {
        bool needs = ev->type != EVE_EVENT_OTHER && ev->type != EVE_EVENT_SESSION_COMPLETED;
        bool none = ev->data.kind == EVE_JSON_NONE;
        *at = none ? ev->text.p : ev->data.p;
        *text = '\0';
        append(text, none ? "data is missing" : "data is not an object");
        return (*next)++ == 0 && (needs || !none);
    }
    while (*next < PARTS) {
        bool done = false;
        bool bad = check_member(ev, (*next)++, text, at, &done);
        *next = done ? (unsigned)PARTS : *next;
        if (bad) {
            return true;
        }
    }
    return (*next)++ == PARTS && check_parts(ev, text, at);
}
