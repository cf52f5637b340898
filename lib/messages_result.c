#include "messages_tool.h"

#include "key.h"
#include "messages_call.h"
#include "messages_spell.h"
#include "messages_state.h"
#include "text.h"

static const struct eve_json_value nothing = {0};

/* The call was taken back, because its model call is tried again. */
static bool is_withdrawn(const struct eve_messages_at *at)
{
    struct eve_json_value error = eve_event_value(at->ev, EVE_FIELD_ERROR);
    return eve_text_is(eve_event_find(error, "code"), "MODEL_CALL_ATTEMPT_RETRIED");
}

/* The call belongs to a task, which says what becomes of it. */
static bool is_of_task(struct eve_messages_at *at, struct eve_json_value call_id)
{
    const struct eve_messages_call *call = eve_messages_known_call(at, call_id);
    return call != NULL && call->task.p != NULL;
}

static struct eve_json_value label_of(struct eve_messages_at *at,
                                      const struct eve_messages_part *part,
                                      struct eve_json_value call_id)
{
    struct eve_json_value label = eve_messages_presented(at, call_id);
    if (!eve_messages_given(label) && part != NULL) {
        label = eve_messages_value(&part->v[EVE_TOOL_LABEL]);
    }
    return label;
}

void eve_messages_check_result(struct eve_messages_at *at)
{
    struct eve_json_value result = eve_event_value(at->ev, EVE_FIELD_RESULT);
    struct eve_json_value call_id = eve_event_find(result, "callId");
    struct eve_messages_called called = eve_messages_called_of(result, true);
    if (!eve_messages_check_object(at, result)) {
        return;
    }
    eve_messages_check_name(at, call_id);
    const struct eve_messages_part *part = eve_messages_find_tool(at, call_id);
    bool ignored = at->ev->type == EVE_EVENT_ACTION_RESULT
                       ? is_of_task(at, call_id) || is_withdrawn(at)
                       : part != NULL && eve_messages_is_settled(part);
    if (!ignored) {
        eve_messages_check_called(at, result, &called,
                                  eve_messages_given(label_of(at, part, call_id)));
    }
}

/* Take the parts of the call out of the message of the event's turn. */
static void withdraw(struct eve_messages_at *at, struct eve_json_value call_id)
{
    struct eve_messages_message *message = eve_messages_assistant(at, at->turn);
    struct eve_messages_part *next = message != NULL ? message->first : NULL;
    while (next != NULL) {
        struct eve_messages_part *part = next;
        next = part->after;
        if (part->kind == EVE_PART_TOOL &&
            eve_key_equal(eve_messages_value(&part->v[EVE_TOOL_CALL]), call_id)) {
            eve_messages_remove_part(part);
        }
    }
}

/* The part of the result, with what a result says about any part. */
static struct eve_messages_part *part_of_result(struct eve_messages_at *at,
                                                struct eve_json_value result)
{
    struct eve_json_value call_id = eve_event_find(result, "callId");
    struct eve_messages_called called = eve_messages_called_of(result, true);
    struct eve_messages_part *part = eve_messages_tool_of_event(at, call_id);
    if (part == NULL) {
        return NULL;
    }
    struct eve_json_value label = label_of(at, part, call_id);
    eve_messages_keep_label(at, &part->v[EVE_TOOL_LABEL], label, called.name);
    if (eve_messages_given(called.name)) {
        eve_messages_keep(at, &part->v[EVE_TOOL_META_NAME], called.name);
    } else if (!eve_messages_given(eve_messages_value(&part->v[EVE_TOOL_META_NAME]))) {
        eve_messages_keep_text(at, &part->v[EVE_TOOL_META_NAME], (struct eve_slice){"unknown", 7});
    }
    if (!eve_messages_given(eve_messages_value(&part->v[EVE_TOOL_NAME]))) {
        eve_messages_keep_tool_name(at, &part->v[EVE_TOOL_NAME], &called);
    }
    if (!eve_messages_given(eve_messages_value(&part->v[EVE_TOOL_STEP]))) {
        eve_messages_keep(at, &part->v[EVE_TOOL_STEP], at->step);
    }
    part->action = called.action;
    eve_messages_keep(at, &part->v[EVE_TOOL_CALL], call_id);
    return part;
}

/* What went wrong, as text. */
static void keep_error(struct eve_messages_at *at, struct eve_messages_kept *k,
                       struct eve_json_value message, struct eve_json_value output)
{
    if (eve_messages_given(message)) {
        eve_messages_keep(at, k, message);
    } else if (output.kind == EVE_JSON_STRING || output.kind == EVE_JSON_NONE) {
        eve_messages_keep(at, k, output);
    } else {
        eve_messages_begin_text(at);
        if (at->status == EVE_OK) {
            at->status = eve_messages_stringify(&at->m->text, output, at->err);
        }
        eve_messages_keep_text(at, k, eve_buf_slice(&at->m->text));
    }
}

void eve_messages_take_result(struct eve_messages_at *at)
{
    struct eve_json_value result = eve_event_value(at->ev, EVE_FIELD_RESULT);
    struct eve_json_value error = eve_event_value(at->ev, EVE_FIELD_ERROR);
    struct eve_json_value status = eve_messages_data(at, "status");
    struct eve_json_value call_id = eve_event_find(result, "callId");
    struct eve_json_value output = eve_event_find(result, "output");
    if (is_of_task(at, call_id)) {
        return;
    }
    if (is_withdrawn(at)) {
        withdraw(at, call_id);
        return;
    }
    struct eve_messages_part *part = part_of_result(at, result);
    if (part == NULL) {
        return;
    }
    bool fine = (status.kind == EVE_JSON_NONE || eve_text_is(status, "completed")) &&
                eve_event_find(result, "isError").kind != EVE_JSON_TRUE &&
                error.kind == EVE_JSON_NONE;
    part->partial = false;
    if (fine) {
        eve_messages_keep(at, &part->v[EVE_TOOL_OUTPUT], output);
        eve_messages_drop(&part->v[EVE_TOOL_ERROR]);
    } else {
        keep_error(at, &part->v[EVE_TOOL_ERROR], eve_event_find(error, "message"), output);
        eve_messages_drop(&part->v[EVE_TOOL_OUTPUT]);
    }
}

void eve_messages_take_partial(struct eve_messages_at *at)
{
    struct eve_json_value result = eve_event_value(at->ev, EVE_FIELD_RESULT);
    struct eve_messages_part *part = eve_messages_find_tool(at, eve_event_find(result, "callId"));
    if (part != NULL && eve_messages_is_settled(part)) {
        return;
    }
    part = part_of_result(at, result);
    if (part != NULL) {
        eve_messages_keep(at, &part->v[EVE_TOOL_OUTPUT], eve_event_find(result, "output"));
        part->partial = true;
        part->state = EVE_STATE_OUTPUT_AVAILABLE;
    }
}

static void check_resolution(struct eve_messages_at *at, struct eve_json_value resolution)
{
    if (eve_messages_check_object(at, resolution)) {
        eve_messages_check_name(at, eve_event_find(resolution, "requestId"));
    }
}

void eve_messages_check_resolved(struct eve_messages_at *at)
{
    eve_messages_check_each(at, "resolutions", check_resolution);
}

static void take_resolution(struct eve_messages_at *at, struct eve_json_value resolution)
{
    struct eve_json_value response = eve_event_find(resolution, "response");
    struct eve_messages_part *found =
        response.kind != EVE_JSON_NONE
            ? eve_messages_find_approval(at, eve_event_find(resolution, "requestId"))
            : NULL;
    if (found == NULL) {
        return;
    }
    /* What is replaced is the first part of that call, even if it is another one. */
    struct eve_messages_part *part =
        eve_messages_find_tool(at, eve_messages_value(&found->v[EVE_TOOL_CALL]));
    if (part == NULL) {
        return;
    }
    if (part != found) {
        eve_messages_copy_tool(at, part, found);
    }
    if (eve_messages_given(response)) {
        eve_messages_keep(at, &part->v[EVE_TOOL_RESPONSE], response);
    }
    struct eve_messages_kept *name = &part->v[EVE_TOOL_META_NAME];
    if (!eve_messages_given(eve_messages_value(name))) {
        eve_messages_keep(at, name, eve_messages_value(&part->v[EVE_TOOL_NAME]));
    }
    if (!eve_messages_given(eve_messages_value(name))) {
        eve_messages_keep_text(at, name, (struct eve_slice){"unknown", 7});
    }
}

void eve_messages_take_resolved(struct eve_messages_at *at)
{
    eve_messages_for_each(at, eve_messages_data(at, "resolutions"), take_resolution);
}

void eve_messages_check_task(struct eve_messages_at *at)
{
    struct eve_json_value call_id = eve_event_value(at->ev, EVE_FIELD_CALL_ID);
    struct eve_json_value task = eve_messages_data(at, "taskId");
    struct eve_json_value status = eve_messages_data(at, "status");
    eve_messages_check_name(at, task);
    eve_messages_check_name(at, call_id);
    if (at->ev->type == EVE_EVENT_TASK_STARTED) {
        if (task.kind == EVE_JSON_NONE && is_of_task(at, call_id)) {
            eve_messages_refuse(at, nothing, "a task without taskId takes over a call");
        }
    } else if (eve_messages_call_status(status) == EVE_CALL_STATUSES) {
        eve_messages_refuse(at, status, "unknown status of a task");
    }
}

void eve_messages_take_settled(struct eve_messages_at *at)
{
    struct eve_messages_part *part =
        eve_messages_find_tool(at, eve_event_value(at->ev, EVE_FIELD_CALL_ID));
    if (part == NULL) {
        return;
    }
    if (eve_text_is(eve_messages_data(at, "status"), "completed")) {
        eve_messages_keep(at, &part->v[EVE_TOOL_OUTPUT], eve_messages_data(at, "output"));
    } else {
        eve_messages_keep(at, &part->v[EVE_TOOL_ERROR],
                          eve_event_find(eve_event_value(at->ev, EVE_FIELD_ERROR), "message"));
    }
}

void eve_messages_remove_unsettled(struct eve_messages_at *at, struct eve_messages_message *message)
{
    struct eve_messages_part *next = message->first;
    while (next != NULL) {
        struct eve_messages_part *part = next;
        next = part->after;
        if (part->kind != EVE_PART_TOOL) {
            continue;
        }
        const struct eve_messages_call *call =
            eve_messages_known_call(at, eve_messages_value(&part->v[EVE_TOOL_CALL]));
        if (part->state == EVE_STATE_INPUT_STREAMING ||
            (part->state == EVE_STATE_INPUT_AVAILABLE && call != NULL && call->task.p == NULL &&
             call->status == EVE_CALL_RUNNING)) {
            eve_messages_remove_part(part);
        }
    }
}

/* The state of the first part of that call has to be seen to. */
static void list_call(struct eve_messages_at *at, struct eve_json_value call_id)
{
    struct eve_messages_part *part = eve_messages_find_tool(at, call_id);
    if (part != NULL && part->settled != at->m->events && at->status == EVE_OK) {
        uint64_t listed = (uint64_t)(uintptr_t)part;
        part->settled = at->m->events;
        at->status =
            eve_buf_put(&at->m->list, (struct eve_slice){(char *)&listed, sizeof listed}, at->err);
    }
}

static void list_approval(struct eve_messages_at *at, struct eve_json_value request)
{
    const struct eve_messages_part *part = eve_messages_find_approval(at, request);
    struct eve_json_value call_id =
        part != NULL ? eve_messages_value(&part->v[EVE_TOOL_CALL]) : nothing;
    if (eve_messages_given(call_id)) {
        list_call(at, call_id);
    }
}

static void list_action(struct eve_messages_at *at, struct eve_json_value action)
{
    list_call(at, eve_event_find(action, "callId"));
}

static void list_request(struct eve_messages_at *at, struct eve_json_value request)
{
    list_action(at, eve_event_find(request, "action"));
}

static void list_resolution(struct eve_messages_at *at, struct eve_json_value resolution)
{
    list_approval(at, eve_event_find(resolution, "requestId"));
}

void eve_messages_settle_parts(struct eve_messages_at *at)
{
    struct eve_buf *list = &at->m->list;
    eve_buf_clear(list, 65536);
    switch (at->ev->type) {
    case EVE_EVENT_ACTIONS_REQUESTED:
        eve_messages_for_each(at, eve_event_value(at->ev, EVE_FIELD_ACTIONS), list_action);
        break;
    case EVE_EVENT_INPUT_REQUESTED:
        eve_messages_for_each(at, eve_messages_data(at, "requests"), list_request);
        break;
    case EVE_EVENT_ACTION_RESULT:
    case EVE_EVENT_ACTION_PARTIAL:
        list_action(at, eve_event_value(at->ev, EVE_FIELD_RESULT));
        break;
    case EVE_EVENT_TASK_STARTED:
    case EVE_EVENT_TASK_SETTLED:
        list_call(at, eve_event_value(at->ev, EVE_FIELD_CALL_ID));
        break;
    case EVE_EVENT_INPUT_RESOLVED:
        eve_messages_for_each(at, eve_messages_data(at, "resolutions"), list_resolution);
        break;
    case EVE_EVENT_APPROVAL_SETTLED:
        list_approval(at, eve_messages_data(at, "requestId"));
        break;
    default:
        break;
    }
    for (size_t i = 0; i < list->n; i += sizeof(uint64_t)) {
        uint64_t listed = 0;
        memcpy(&listed, list->p + i, sizeof listed);
        eve_messages_settle_part(at, (struct eve_messages_part *)(uintptr_t)listed);
    }
}
