#include "messages_call.h"

#include "key.h"
#include "mem.h"
#include "text.h"

/* Statuses that can be said, see the enum. */
static const char *const status_names[EVE_CALL_STATUSES] = {
    NULL, "working", "running", "awaiting-input", "completed", "failed", "rejected", "cancelled"};

enum eve_messages_call_status eve_messages_call_status(struct eve_json_value value)
{
    unsigned status = value.kind == EVE_JSON_NONE ? EVE_CALL_NONE : EVE_CALL_WORKING;
    while (status > EVE_CALL_NONE && status < EVE_CALL_STATUSES &&
           !eve_text_is(value, status_names[status])) {
        status++;
    }
    return (enum eve_messages_call_status)status;
}

/* The record behind the key begun, `size` bytes of zeros if there is none yet. */
static void *record(struct eve_messages_at *at, struct eve_map *map, size_t size)
{
    void *made = NULL;
    struct eve_map_entry *entry = eve_messages_put(at, map);
    if (entry == NULL || entry->value != 0) {
        return entry != NULL ? (void *)(uintptr_t)entry->value : NULL;
    }
    at->status = eve_mem_resize(&made, 1, size, at->err);
    if (at->status == EVE_OK) {
        memset(made, 0, size);
        entry->value = (uint64_t)(uintptr_t)made;
    }
    return made;
}

static void begin_call_key(struct eve_messages_at *at, struct eve_json_value name)
{
    eve_messages_begin_key(at);
    eve_messages_name_key(at, name);
}

static void begin_task_key(struct eve_messages_at *at, struct eve_json_value task,
                           struct eve_json_value call_id)
{
    begin_call_key(at, task);
    eve_messages_name_key(at, call_id);
}

struct eve_messages_call *eve_messages_call(struct eve_messages_at *at,
                                            struct eve_json_value call_id)
{
    begin_call_key(at, call_id);
    return record(at, &at->m->calls, sizeof(struct eve_messages_call));
}

static bool is_known(const struct eve_messages_at *at, const struct eve_messages_call *call)
{
    return call->known && (call->task.p != NULL || call->cleared == at->m->talks[at->talk].cleared);
}

struct eve_messages_call *eve_messages_known_call(struct eve_messages_at *at,
                                                  struct eve_json_value call_id)
{
    begin_call_key(at, call_id);
    struct eve_messages_call *call = eve_messages_get(at, &at->m->calls);
    return call != NULL && is_known(at, call) ? call : NULL;
}

struct eve_messages_task *eve_messages_task(struct eve_messages_at *at, struct eve_json_value task,
                                            struct eve_json_value call_id)
{
    begin_task_key(at, task, call_id);
    return eve_messages_get(at, &at->m->tasks);
}

struct eve_messages_input *eve_messages_input(struct eve_messages_at *at,
                                              struct eve_json_value request)
{
    begin_call_key(at, request);
    return eve_messages_get(at, &at->m->inputs);
}

enum eve_messages_call_status eve_messages_reported(struct eve_messages_at *at,
                                                    const struct eve_messages_call *call,
                                                    struct eve_json_value call_id)
{
    if (call->task.p == NULL) {
        return call->status;
    }
    const struct eve_messages_task *task =
        eve_messages_task(at, eve_messages_value(&call->task), call_id);
    return task == NULL || task->status <= EVE_CALL_WORKING ? EVE_CALL_RUNNING : task->status;
}

/* Make the call known, with nothing but its status. */
static void know(struct eve_messages_at *at, struct eve_messages_call *call,
                 enum eve_messages_call_status status)
{
    call->known = true;
    call->cleared = at->m->talks[at->talk].cleared;
    call->status = status;
    eve_messages_drop(&call->task);
    eve_messages_drop(&call->request);
    eve_messages_drop(&call->error);
}

static void settle(struct eve_messages_at *at, struct eve_messages_call *call,
                   enum eve_messages_call_status status, struct eve_json_value error)
{
    if (call->task.p == NULL && call->status < EVE_CALL_COMPLETED) {
        call->status = status;
        eve_messages_keep(at, &call->error, error);
    }
}

static void fold_requested(struct eve_messages_at *at)
{
    struct eve_json j;
    struct eve_json_value action;
    struct eve_json_value actions = eve_event_value(at->ev, EVE_FIELD_ACTIONS);
    eve_json_open(&j, (struct eve_slice){actions.p, actions.n});
    enum eve_status status = eve_json_enter(&j, at->err);
    while (status == EVE_OK && eve_json_element(&j, at->err) == EVE_OK) {
        status = eve_json_skip(&j, &action, at->err);
        struct eve_messages_call *call = eve_messages_call(at, eve_event_find(action, "callId"));
        if (call != NULL && !is_known(at, call)) {
            know(at, call, EVE_CALL_RUNNING);
        }
    }
}

static void fold_result(struct eve_messages_at *at)
{
    struct eve_json_value result = eve_event_value(at->ev, EVE_FIELD_RESULT);
    struct eve_json_value error = eve_event_value(at->ev, EVE_FIELD_ERROR);
    struct eve_json_value said = eve_messages_data(at, "status");
    struct eve_messages_call *call = eve_messages_call(at, eve_event_find(result, "callId"));
    enum eve_messages_call_status status = EVE_CALL_COMPLETED;
    if (eve_text_is(said, "rejected") ||
        eve_text_is(eve_event_find(error, "code"), "TOOL_EXECUTION_DENIED")) {
        status = EVE_CALL_REJECTED;
    } else if (eve_text_is(said, "failed") ||
               eve_event_find(result, "isError").kind == EVE_JSON_TRUE) {
        status = EVE_CALL_FAILED;
    }
    if (call == NULL) {
        return;
    }
    if (!is_known(at, call)) {
        know(at, call, EVE_CALL_RUNNING);
    }
    settle(at, call, status, error);
}

static void fold_task_started(struct eve_messages_at *at)
{
    struct eve_json_value call_id = eve_event_value(at->ev, EVE_FIELD_CALL_ID);
    struct eve_json_value task_id = eve_messages_data(at, "taskId");
    begin_task_key(at, task_id, call_id);
    bool first = eve_messages_get(at, &at->m->tasks) == NULL;
    struct eve_messages_task *task = record(at, &at->m->tasks, sizeof *task);
    struct eve_messages_call *call = eve_messages_call(at, call_id);
    if (task == NULL || call == NULL) {
        return;
    }
    task->status = first ? EVE_CALL_WORKING : task->status;
    bool known = is_known(at, call);
    struct eve_json_value has =
        known ? eve_messages_value(&call->task) : (struct eve_json_value){0};
    if (eve_key_equal(has, task_id)) {
        return;
    }
    struct eve_messages_kept request = {0};
    if (known) {
        eve_messages_move(&request, &call->request);
    }
    know(at, call, EVE_CALL_NONE);
    eve_messages_move(&call->request, &request);
    eve_messages_keep(at, &call->task, task_id);
}

static void fold_task_settled(struct eve_messages_at *at)
{
    struct eve_json_value output = eve_messages_data(at, "output");
    struct eve_messages_task *task = eve_messages_task(at, eve_messages_data(at, "taskId"),
                                                       eve_event_value(at->ev, EVE_FIELD_CALL_ID));
    if (task != NULL && task->status == EVE_CALL_WORKING) {
        task->status = eve_messages_call_status(eve_messages_data(at, "status"));
        if (task->status == EVE_CALL_COMPLETED) {
            eve_messages_keep(at, &task->output, output);
        } else if (task->status == EVE_CALL_FAILED) {
            eve_messages_keep(at, &task->error, eve_event_value(at->ev, EVE_FIELD_ERROR));
        }
    }
}

/* A request for input, and if it asks for approval the call that waits for it. `relayed`: for
 * another session. */
static void fold_request(struct eve_messages_at *at, struct eve_json_value request, bool relayed)
{
    struct eve_json_value id = eve_event_find(request, "requestId");
    struct eve_json_value call_id = eve_event_find(eve_event_find(request, "action"), "callId");
    if (eve_messages_input(at, id) != NULL) {
        return;
    }
    struct eve_messages_input *input = record(at, &at->m->inputs, sizeof *input);
    if (input == NULL) {
        return;
    }
    input->approval = !relayed && eve_text_is(eve_event_find(request, "kind"), "tool-approval");
    if (!input->approval) {
        return;
    }
    eve_messages_keep(at, &input->id, id);
    eve_messages_keep(at, &input->call, call_id);
    struct eve_messages_call *call = eve_messages_call(at, call_id);
    if (call == NULL) {
        return;
    }
    if (!is_known(at, call)) {
        know(at, call, EVE_CALL_AWAITING);
    }
    if (call->task.p == NULL && call->status < EVE_CALL_COMPLETED) {
        call->status = EVE_CALL_AWAITING;
        eve_messages_keep(at, &call->request, id);
    }
}

static void fold_input_requested(struct eve_messages_at *at)
{
    struct eve_json j;
    struct eve_json_value request;
    struct eve_json_value requests = eve_messages_data(at, "requests");
    bool relayed = eve_event_has(at->ev, EVE_FIELD_CALL_ID) ||
                   eve_messages_data(at, "taskId").kind != EVE_JSON_NONE;
    eve_json_open(&j, (struct eve_slice){requests.p, requests.n});
    enum eve_status status = eve_json_enter(&j, at->err);
    while (status == EVE_OK && eve_json_element(&j, at->err) == EVE_OK) {
        status = eve_json_skip(&j, &request, at->err);
        fold_request(at, request, relayed);
    }
}

/* The input is settled; so is its call, or it goes on. */
static void settle_input(struct eve_messages_at *at, struct eve_messages_input *input,
                         struct eve_json_value outcome)
{
    struct eve_messages_call *call =
        input->approval ? eve_messages_known_call(at, eve_messages_value(&input->call)) : NULL;
    input->settled = true;
    eve_messages_keep(at, &input->outcome, outcome);
    if (call == NULL || call->status != EVE_CALL_AWAITING ||
        !eve_key_equal(eve_messages_value(&call->request), eve_messages_value(&input->id))) {
        return;
    }
    if (eve_text_is(outcome, "approved")) {
        call->status = EVE_CALL_RUNNING;
    } else if (eve_text_is(outcome, "denied") || eve_text_is(outcome, "cancelled")) {
        settle(at, call, eve_text_is(outcome, "denied") ? EVE_CALL_REJECTED : EVE_CALL_CANCELLED,
               (struct eve_json_value){0});
    }
}

static void fold_approval(struct eve_messages_at *at)
{
    struct eve_json_value approved = {"\"approved\"", 10, EVE_JSON_STRING, false};
    struct eve_json_value denied = {"\"denied\"", 8, EVE_JSON_STRING, false};
    struct eve_messages_input *input = eve_messages_input(at, eve_messages_data(at, "requestId"));
    if (input != NULL && !input->settled) {
        bool yes = eve_text_is(eve_messages_data(at, "outcome"), "approved");
        settle_input(at, input, yes ? approved : denied);
    }
}

static void fold_resolved(struct eve_messages_at *at)
{
    struct eve_json j;
    struct eve_json_value resolution;
    struct eve_json_value resolutions = eve_messages_data(at, "resolutions");
    eve_json_open(&j, (struct eve_slice){resolutions.p, resolutions.n});
    enum eve_status status = eve_json_enter(&j, at->err);
    while (status == EVE_OK && eve_json_element(&j, at->err) == EVE_OK) {
        status = eve_json_skip(&j, &resolution, at->err);
        struct eve_messages_input *input =
            eve_messages_input(at, eve_event_find(resolution, "requestId"));
        struct eve_json_value response = eve_event_find(resolution, "response");
        if (input == NULL || input->settled) {
            continue;
        }
        if (eve_messages_given(response)) {
            eve_messages_keep(at, &input->response, response);
        }
        settle_input(at, input, eve_event_find(resolution, "outcome"));
    }
}

void eve_messages_fold(struct eve_messages_at *at)
{
    switch (at->ev->type) {
    case EVE_EVENT_CONTEXT_CLEARED:
        at->m->talks[at->talk].cleared++;
        break;
    case EVE_EVENT_ACTIONS_REQUESTED:
        fold_requested(at);
        break;
    case EVE_EVENT_ACTION_RESULT:
        fold_result(at);
        break;
    case EVE_EVENT_TASK_STARTED:
        fold_task_started(at);
        break;
    case EVE_EVENT_TASK_SETTLED:
        fold_task_settled(at);
        break;
    case EVE_EVENT_INPUT_REQUESTED:
        fold_input_requested(at);
        break;
    case EVE_EVENT_APPROVAL_SETTLED:
        fold_approval(at);
        break;
    case EVE_EVENT_INPUT_RESOLVED:
        fold_resolved(at);
        break;
    default:
        break;
    }
}

void eve_messages_free_calls(struct eve_messages *m)
{
    for (size_t i = 0; i < m->calls.count; i++) {
        struct eve_messages_call *call = (void *)(uintptr_t)m->calls.entries[i].value;
        if (call != NULL) {
            eve_messages_drop(&call->task);
            eve_messages_drop(&call->request);
            eve_messages_drop(&call->error);
            eve_mem_free(call);
        }
    }
    for (size_t i = 0; i < m->tasks.count; i++) {
        struct eve_messages_task *task = (void *)(uintptr_t)m->tasks.entries[i].value;
        if (task != NULL) {
            eve_messages_drop(&task->output);
            eve_messages_drop(&task->error);
            eve_mem_free(task);
        }
    }
    for (size_t i = 0; i < m->inputs.count; i++) {
        struct eve_messages_input *input = (void *)(uintptr_t)m->inputs.entries[i].value;
        if (input != NULL) {
            eve_messages_drop(&input->id);
            eve_messages_drop(&input->call);
            eve_messages_drop(&input->outcome);
            eve_messages_drop(&input->response);
            eve_mem_free(input);
        }
    }
}
