#include "check_state.h"
#include "num.h"
#include "str.h"
#include "text.h"

/* So many open requests of one callId are looked through for the one of a turn. */
enum { SAME_CALL_MAX = 16 };

/* The open calls of the group that were requested from event `since` on need no result. */
static void explain_since(struct eve_check *c, uint64_t since)
{
    for (size_t i = c->calls.count; i-- > 0 && c->calls.members[i].event >= since;) {
        struct eve_roster_member *call = &c->calls.members[i];
        if (call->owner != c->group->number) {
            continue;
        }
        if ((call->flags & EVE_CHECK_EXPLAINED) != 0) {
            break; /* and so are those before it */
        }
        call->flags |= EVE_CHECK_EXPLAINED;
    }
}

void eve_check_explain_calls(struct eve_check *c)
{
    if (c->group->step_open) {
        explain_since(c, c->group->step.event);
    }
}

enum eve_status eve_check_explain_turn(struct eve_check *c, struct eve_err *err)
{
    struct eve_roster_member *turn = NULL;
    enum eve_status status = eve_check_find_turn(c, &turn, err);
    if (turn != NULL) {
        explain_since(c, turn->event);
    }
    return status;
}

void eve_check_break_off(struct eve_check *c, struct eve_roster_member *turn)
{
    c->group->broken_off = c->index;
    c->group->any_broken_off = true;
    if (turn != NULL) {
        turn->flags |= EVE_CHECK_EXPLAINED;
    }
}

/* Number + 1 of the turn of the event at hand, or 0. */
static enum eve_status turn_number(struct eve_check *c, uint32_t *number, struct eve_err *err)
{
    struct eve_roster_member *turn = NULL;
    enum eve_status status = eve_check_find_turn(c, &turn, err);
    *number = turn != NULL ? (uint32_t)(turn - c->turns.members) + 1 : 0;
    return status;
}

/* The open request of `call` that is of the turn, or else the latest one. */
static enum eve_status find_call(struct eve_check *c, struct eve_json_value call, uint32_t turn,
                                 struct eve_roster_member **out, struct eve_err *err)
{
    enum eve_status status = eve_check_make_key(c, call, err);
    struct eve_roster_member *latest =
        status == EVE_OK ? eve_roster_get(&c->calls, eve_buf_slice(&c->key)) : NULL;
    *out = latest;
    for (int i = 0; i < SAME_CALL_MAX && *out != NULL && (*out)->turn != turn; i++) {
        *out = eve_roster_older(&c->calls, *out);
    }
    *out = *out != NULL && (*out)->turn == turn ? *out : latest;
    return status;
}

/* The request before this one was of an attempt that was given up, or of this very step. */
static bool is_repeated(const struct eve_check *c, const struct eve_roster_member *before,
                        uint32_t turn)
{
    bool same_step = !c->group->step_open || before->event >= c->group->step.event;
    return before->turn == turn && (same_step || (before->flags & EVE_CHECK_EXPLAINED) != 0);
}

/* The stepIndex of the event, plus 1; 0 if it is another or a larger number. */
static uint8_t step_number(const struct eve_event *ev)
{
    struct eve_json_value value = eve_event_value(ev, EVE_FIELD_STEP_INDEX);
    uint64_t step = 0;
    return value.kind == EVE_JSON_NUMBER &&
                   eve_num_integer((struct eve_slice){value.p, value.n}, UINT8_MAX - 1, &step)
               ? (uint8_t)(step + 1)
               : 0;
}

/* A request is in its step; those of eve's workflows, up to version 24, come between steps. */
static enum eve_status check_place(struct eve_check *c, struct eve_err *err)
{
    bool near = false;
    enum eve_status status = eve_check_near_step(c, &near, err);
    return status != EVE_OK || near ? status : eve_check_inside(c, false, err);
}

enum eve_status eve_check_requests(struct eve_check *c, struct eve_err *err)
{
    struct eve_json_value call;
    struct eve_json_value action;
    struct eve_roster_member member = {
        .line = c->line, .event = c->index, .owner = c->group->number, .state = EVE_CHECK_OPEN};
    size_t at = 0;
    enum eve_status status = check_place(c, err);
    c->group->step_said = true;
    if (status == EVE_OK) {
        status = turn_number(c, &member.turn, err);
    }
    member.step = step_number(c->ev);
    while (status == EVE_OK && eve_block_call(c->ev, &at, &call, &action)) {
        struct eve_roster_member *before = NULL;
        uint64_t tool = 0;
        if (call.kind != EVE_JSON_STRING) {
            continue;
        }
        status = eve_check_tool(c, action, &tool, err);
        member.name = (uint16_t)tool;
        if (status == EVE_OK) {
            status = find_call(c, call, member.turn, &before, err);
        }
        member.flags = before != NULL ? EVE_CHECK_AGAIN : 0;
        if (status == EVE_OK && before != NULL && is_repeated(c, before, member.turn)) {
            eve_roster_drop(&c->calls, before);
        }
        if (status == EVE_OK) {
            status = eve_roster_push(&c->calls, eve_buf_slice(&c->key), member, err);
        }
    }
    return status;
}

/* What the event at hand answers was not asked before, as far as the stream is known. */
static enum eve_status tell_unasked(struct eve_check *c, const char *what, struct eve_json_value id,
                                    const char *why, struct eve_err *err)
{
    struct eve_words w;
    if (c->group->midway || c->bad > 0) {
        return EVE_OK;
    }
    eve_words_init(&w, what);
    eve_words_quote(&w, eve_text_of(id));
    eve_words_put(&w, why);
    return eve_check_tell(c, EVE_RULE_RESULT_UNASKED, eve_check_is_unread(c->ev), id.p, w.s, err);
}

/* action.result, action.partial */
enum eve_status eve_check_result(struct eve_check *c, struct eve_err *err)
{
    struct eve_roster_member *request = NULL;
    uint32_t turn = 0;
    struct eve_json_value call = eve_event_find(eve_event_value(c->ev, EVE_FIELD_RESULT), "callId");
    if (call.kind != EVE_JSON_STRING) {
        return EVE_OK;
    }
    enum eve_status status = turn_number(c, &turn, err);
    if (status == EVE_OK) {
        status = find_call(c, call, turn, &request, err);
    }
    bool partial = c->ev->type == EVE_EVENT_ACTION_PARTIAL;
    bool withdraws = eve_block_scope(c->ev) == EVE_BLOCK_CALLS;
    if (status == EVE_OK && request != NULL && (!withdraws || request->turn == turn)) {
        bool same_place = request->turn == turn && request->step == step_number(c->ev);
        status = eve_check_result_place(c, request, same_place, err);
        if (!partial) {
            eve_roster_drop(&c->calls, request);
        }
        return status;
    }
    if (status != EVE_OK || withdraws || partial) {
        return status; /* tasks report when their call is answered, too */
    }
    return tell_unasked(c, "no call ", call,
                        " waits for a result: it was not requested, or answered before", err);
}

/* What waits for an answer or an end has the key in c->key: kept, unless it is known. */
static enum eve_status keep_ask(struct eve_check *c, struct eve_roster_member **out,
                                struct eve_err *err)
{
    struct eve_roster_member ask = {.line = c->line, .event = c->index, .state = EVE_CHECK_WAITING};
    enum eve_status status = EVE_OK;
    *out = eve_roster_get(&c->asks, eve_buf_slice(&c->key));
    if (*out == NULL) {
        status = eve_roster_push(&c->asks, eve_buf_slice(&c->key), ask, err);
        *out = status == EVE_OK ? &c->asks.members[c->asks.count - 1] : NULL;
    }
    return status;
}

/* Someone is asked, perhaps about a call: it may wait for long. */
static enum eve_status take_question(struct eve_check *c, struct eve_json_value request,
                                     struct eve_err *err)
{
    struct eve_roster_member *call = NULL;
    struct eve_roster_member *ask = NULL;
    struct eve_json_value id = eve_event_find(request, "requestId");
    struct eve_json_value call_id = eve_event_find(eve_event_find(request, "action"), "callId");
    uint32_t turn = 0;
    enum eve_status status = turn_number(c, &turn, err);
    if (status == EVE_OK) {
        status = find_call(c, call_id, turn, &call, err);
    }
    if (status == EVE_OK) {
        status = eve_check_make_key(c, id, err);
    }
    if (status == EVE_OK) {
        status = keep_ask(c, &ask, err);
    }
    if (status == EVE_OK && call != NULL) {
        call->flags |= EVE_CHECK_ASKED;
        call->ask = (uint32_t)(ask - c->asks.members) + 1;
    }
    return status;
}

/* An answer: the calls that were approved are to run now. */
static enum eve_status take_answer(struct eve_check *c, struct eve_json_value answer,
                                   struct eve_err *err)
{
    struct eve_json_value outcome = eve_event_find(answer, "outcome");
    struct eve_json_value id = eve_event_find(answer, "requestId");
    enum eve_status status = eve_check_make_key(c, id, err);
    struct eve_roster_member *ask =
        status == EVE_OK ? eve_roster_get(&c->asks, eve_buf_slice(&c->key)) : NULL;
    if (status == EVE_OK && ask == NULL && id.kind == EVE_JSON_STRING) {
        return tell_unasked(c, "the answer to ", id, ", which was not in input.requested", err);
    }
    if (ask != NULL && ask->state == EVE_CHECK_WAITING && eve_text_is(outcome, "approved")) {
        ask->state = EVE_CHECK_COMPLETED;
        ask->event = c->index;
    }
    return status;
}

/* task.started, task.settled */
static enum eve_status take_task(struct eve_check *c, struct eve_err *err)
{
    struct eve_roster_member *task = NULL;
    struct eve_json_value id = eve_event_find(c->ev->data, "taskId");
    enum eve_status status = eve_check_in_turn(c, err);
    if (status == EVE_OK) {
        status = eve_check_make_key(c, id, err);
    }
    if (status == EVE_OK) {
        status = eve_buf_putc(&c->key, '\0', err); /* no requestId ends so */
    }
    if (status != EVE_OK || id.kind != EVE_JSON_STRING) {
        return status;
    }
    if (c->ev->type == EVE_EVENT_TASK_STARTED) {
        return keep_ask(c, &task, err);
    }
    return eve_roster_get(&c->asks, eve_buf_slice(&c->key)) != NULL
               ? EVE_OK
               : tell_unasked(c, "the end of task ", id, ", which was not in task.started", err);
}

/* Call `take` for each element of the array `list`. */
static enum eve_status take_each(struct eve_check *c, struct eve_json_value list,
                                 enum eve_status (*take)(struct eve_check *c,
                                                         struct eve_json_value element,
                                                         struct eve_err *err),
                                 struct eve_err *err)
{
    struct eve_json j;
    if (list.kind != EVE_JSON_ARRAY) {
        return EVE_OK;
    }
    eve_json_open(&j, (struct eve_slice){list.p, list.n});
    enum eve_status status = eve_json_enter(&j, err);
    while (status == EVE_OK && (status = eve_json_element(&j, err)) == EVE_OK) {
        struct eve_json_value element;
        status = eve_json_skip(&j, &element, err);
        status = status == EVE_OK ? take(c, element, err) : status;
    }
    return status == EVE_END ? EVE_OK : status;
}

enum eve_status eve_check_questions(struct eve_check *c, struct eve_err *err)
{
    switch (c->ev->type) {
    case EVE_EVENT_INPUT_REQUESTED:
        return take_each(c, eve_event_find(c->ev->data, "requests"), take_question, err);
    case EVE_EVENT_INPUT_RESOLVED:
        return take_each(c, eve_event_find(c->ev->data, "resolutions"), take_answer, err);
    case EVE_EVENT_TASK_STARTED:
    case EVE_EVENT_TASK_SETTLED:
        return take_task(c, err);
    default:
        return take_answer(c, c->ev->data, err);
    }
}

/* The turn of a call is not over; that of an unknown one is taken for the open one. */
static bool is_in_open_turn(const struct eve_check *c, const struct eve_roster_member *call)
{
    const struct eve_check_group *g = c->group_list[call->owner];
    if (call->turn == 0) {
        return g->turn_open;
    }
    const struct eve_roster_member *turn = &c->turns.members[call->turn - 1];
    return turn->state == EVE_CHECK_WAITING ||
           (g->turn_open &&
            eve_str_equal(eve_roster_key(&c->turns, turn), eve_buf_slice(&g->turn_key)));
}

/* Its turn was cancelled or failed; of an unknown one, some turn after the request. */
static bool is_broken_off(const struct eve_check *c, const struct eve_roster_member *call)
{
    const struct eve_check_group *g = c->group_list[call->owner];
    return call->turn > 0 ? (c->turns.members[call->turn - 1].flags & EVE_CHECK_EXPLAINED) != 0
                          : g->any_broken_off && g->broken_off >= call->event;
}

/* Something explains that the call has no result. */
static bool is_explained(const struct eve_check *c, const struct eve_roster_member *call)
{
    const struct eve_check_group *g = c->group_list[call->owner];
    if (is_in_open_turn(c, call) || is_broken_off(c, call) ||
        (call->flags & EVE_CHECK_EXPLAINED) != 0) {
        return true;
    }
    if ((call->flags & EVE_CHECK_ASKED) == 0) {
        return false;
    }
    /* before version 26 it runs in the turn after the one that asked */
    const struct eve_roster_member *ask = call->ask > 0 ? &c->asks.members[call->ask - 1] : NULL;
    return ask == NULL || ask->state == EVE_CHECK_WAITING || g->turn_open ||
           (g->any_broken_off && g->broken_off >= ask->event);
}

enum eve_status eve_check_calls_end(struct eve_check *c, struct eve_err *err)
{
    struct eve_words w;
    enum eve_status status = EVE_OK;
    for (size_t i = 0; i < c->calls.count && status == EVE_OK; i++) {
        const struct eve_roster_member *call = &c->calls.members[i];
        struct eve_check_place place = {call->line, call->event, EVE_EVENT_ACTIONS_REQUESTED};
        struct eve_slice key = eve_roster_key(&c->calls, call);
        if (call->state == EVE_CHECK_OPEN && call->line > c->bad_line) {
            eve_words_init(&w, "the call ");
            eve_words_quote(&w, eve_str_sub(key, sizeof call->owner, key.n));
            eve_words_put(&w, " has no result");
            status = eve_check_tell_at(c, EVE_RULE_REQUEST_OPEN, is_explained(c, call), &place, w.s,
                                       err);
        }
    }
    return status;
}
