#include "check_state.h"
#include "str.h"
#include "text.h"

/* Hooks, budgets, models that cannot be chosen and results that do not fit fail a turn between its
 * steps, or before it began; model calls fail in a step. */
bool eve_check_fails_apart(const struct eve_event *ev)
{
    struct eve_json_value code = eve_event_find(ev->data, "code");
    return (ev->type == EVE_EVENT_STEP_FAILED || ev->type == EVE_EVENT_TURN_FAILED) &&
           code.kind == EVE_JSON_STRING && !eve_text_is(code, "MODEL_CALL_FAILED");
}

/* A message that comes before the answer has begun ends the model call: a new step follows. */
bool eve_check_is_superseded(const struct eve_event *ev)
{
    return ev->type == EVE_EVENT_STEP_COMPLETED &&
           eve_text_is(eve_event_value(ev, EVE_FIELD_FINISH_REASON), "other");
}

/* A call whose input is no object is answered in place of being requested. */
bool eve_check_is_unread(const struct eve_event *ev)
{
    struct eve_json_value result = eve_event_value(ev, EVE_FIELD_RESULT);
    struct eve_json_value output = eve_event_find(result, "output");
    return eve_event_find(result, "isError").kind == EVE_JSON_TRUE &&
           output.kind == EVE_JSON_STRING &&
           eve_str_starts(eve_text_of(output), "Failed to parse tool-call arguments for ");
}

/* A limit that is reached, a sign-in, and approved work that is handed over let the turn wait, or
 * up to version 25 end, after the start of a step and before its model call. */
bool eve_check_is_idle_step(const struct eve_check *c)
{
    const struct eve_check_group *g = c->group;
    return !g->step_said && (g->step_asked || c->ev->type == EVE_EVENT_TURN_WAITING);
}
