#include "messages_state.h"

#include "key.h"
#include "messages_call.h"
#include "messages_tool.h"
#include "text.h"

static bool says(const struct eve_messages_kept *k, const char *s)
{
    return eve_text_is(eve_messages_value(k), s);
}

/* What a part had before its state was made anew. */
struct had {
    struct eve_messages_kept output;
    struct eve_messages_kept error;
    struct eve_messages_kept approval;
    bool partial;
};

/* Leave of the part what every state has, and hand over the rest. */
static void strip(struct eve_messages_part *part, struct had *had)
{
    *had = (struct had){.partial = part->partial};
    eve_messages_move(&had->output, &part->v[EVE_TOOL_OUTPUT]);
    eve_messages_move(&had->error, &part->v[EVE_TOOL_ERROR]);
    eve_messages_move(&had->approval, &part->v[EVE_TOOL_APPROVAL]);
    eve_messages_drop(&part->v[EVE_TOOL_INPUT_TEXT]);
    eve_messages_drop(&part->v[EVE_TOOL_REASON]);
    part->count = 0;
    part->has_approval = part->partial = false;
    part->approved = EVE_APPROVED_UNSAID;
}

/* Give the part its approval back, if it had one with an id. */
static void put_approval(struct eve_messages_part *part, struct had *had,
                         enum eve_messages_approved approved)
{
    if (had->approval.p != NULL) {
        eve_messages_move(&part->v[EVE_TOOL_APPROVAL], &had->approval);
        part->has_approval = true;
        part->approved = approved;
    }
}

/* The first of two messages that is given, or the text. */
static void put_error(struct eve_messages_at *at, struct eve_messages_part *part, struct had *had,
                      struct eve_json_value other, const char *text)
{
    if (eve_messages_given(eve_messages_value(&had->error))) {
        eve_messages_move(&part->v[EVE_TOOL_ERROR], &had->error);
    } else if (eve_messages_given(other)) {
        eve_messages_keep(at, &part->v[EVE_TOOL_ERROR], other);
    } else {
        eve_messages_keep_text(at, &part->v[EVE_TOOL_ERROR],
                               (struct eve_slice){text, strlen(text)});
    }
}

static void respond(struct eve_messages_at *at, struct eve_messages_part *part, struct had *had,
                    const struct eve_messages_input *input)
{
    put_approval(part, had,
                 says(&input->outcome, "approved") ? EVE_APPROVED_YES : EVE_APPROVED_UNSAID);
    eve_messages_keep(at, &part->v[EVE_TOOL_REASON],
                      eve_event_find(eve_messages_value(&input->response), "text"));
    part->state = EVE_STATE_APPROVAL_RESPONDED;
}

static void deny(struct eve_messages_at *at, struct eve_messages_part *part, struct had *had)
{
    if (!eve_messages_given(eve_messages_value(&had->approval))) {
        eve_messages_keep(at, &had->approval, eve_messages_value(&part->v[EVE_TOOL_CALL]));
    }
    put_approval(part, had, EVE_APPROVED_NO);
    part->has_approval = true;
    part->approved = EVE_APPROVED_NO;
    part->state = EVE_STATE_OUTPUT_DENIED;
}

/* No call is known: the request for input says what there is to say. */
static void follow_input(struct eve_messages_at *at, struct eve_messages_part *part,
                         const struct eve_messages_input *input)
{
    struct had had;
    strip(part, &had);
    if (input->response.p != NULL) {
        respond(at, part, &had, input);
    } else {
        eve_messages_begin_text(at);
        eve_messages_add(at, "{");
        if (input->outcome.p != NULL) {
            eve_messages_add(at, "\"status\":");
            eve_messages_add(at, input->outcome.p);
        }
        eve_messages_add(at, "}");
        struct eve_buf *text = &at->m->text;
        eve_messages_keep(at, &part->v[EVE_TOOL_OUTPUT],
                          (struct eve_json_value){text->p, text->n, EVE_JSON_OBJECT, false});
        part->state = EVE_STATE_OUTPUT_AVAILABLE;
    }
    eve_messages_drop(&had.output);
    eve_messages_drop(&had.error);
    eve_messages_drop(&had.approval);
}

static void follow_running(struct eve_messages_at *at, struct eve_messages_part *part,
                           struct had *had, const struct eve_messages_input *input)
{
    if (had->partial) {
        put_approval(part, had, EVE_APPROVED_YES);
        eve_messages_move(&part->v[EVE_TOOL_OUTPUT], &had->output);
        part->partial = true;
        part->state = EVE_STATE_OUTPUT_AVAILABLE;
    } else if (input != NULL && (says(&input->outcome, "approved") || input->response.p != NULL)) {
        respond(at, part, had, input);
    } else {
        part->state = EVE_STATE_INPUT_AVAILABLE;
    }
}

static void follow_cancelled(struct eve_messages_at *at, struct eve_messages_part *part,
                             struct had *had, const struct eve_messages_call *call,
                             const struct eve_messages_input *input)
{
    static const char reason[] = "Tool execution was cancelled.";
    if (had->approval.p != NULL && input != NULL && says(&input->outcome, "cancelled")) {
        put_approval(part, had, EVE_APPROVED_NO);
        eve_messages_keep_text(at, &part->v[EVE_TOOL_REASON],
                               (struct eve_slice){reason, sizeof reason - 1});
        part->state = EVE_STATE_OUTPUT_DENIED;
        return;
    }
    put_approval(part, had, EVE_APPROVED_YES);
    if (call->task.p != NULL) {
        eve_messages_drop(&had->error);
        put_error(at, part, had, (struct eve_json_value){0}, "Task was cancelled.");
    } else {
        put_error(at, part, had, eve_event_find(eve_messages_value(&call->error), "message"),
                  "Action was cancelled.");
    }
    part->state = EVE_STATE_OUTPUT_ERROR;
}

/* `task`: what the task of the call has, or NULL. */
static void follow_call(struct eve_messages_at *at, struct eve_messages_part *part,
                        const struct eve_messages_call *call, enum eve_messages_call_status status,
                        const struct eve_messages_task *task,
                        const struct eve_messages_input *input)
{
    static const struct eve_messages_kept none = {0};
    struct had had;
    struct eve_json_value error = eve_event_find(eve_messages_value(&call->error), "message");
    struct eve_json_value output = eve_messages_value(task != NULL ? &task->output : &none);
    struct eve_json_value task_error =
        eve_event_find(eve_messages_value(task != NULL ? &task->error : &none), "message");
    strip(part, &had);
    switch (status) {
    case EVE_CALL_COMPLETED:
        put_approval(part, &had, EVE_APPROVED_YES);
        if (eve_messages_given(output)) {
            eve_messages_keep(at, &part->v[EVE_TOOL_OUTPUT], output);
        } else {
            eve_messages_move(&part->v[EVE_TOOL_OUTPUT], &had.output);
        }
        part->state = EVE_STATE_OUTPUT_AVAILABLE;
        break;
    case EVE_CALL_FAILED:
        put_approval(part, &had, EVE_APPROVED_YES);
        if (eve_messages_given(task_error)) {
            eve_messages_keep(at, &had.error, task_error);
        }
        put_error(at, part, &had, error, call->task.p == NULL ? "Action failed." : "Task failed.");
        part->state = EVE_STATE_OUTPUT_ERROR;
        break;
    case EVE_CALL_REJECTED:
        deny(at, part, &had);
        if (eve_messages_given(error)) {
            eve_messages_keep(at, &part->v[EVE_TOOL_REASON], error);
        } else {
            eve_messages_move(&part->v[EVE_TOOL_REASON], &had.error);
        }
        break;
    case EVE_CALL_CANCELLED:
        follow_cancelled(at, part, &had, call, input);
        break;
    default:
        follow_running(at, part, &had, input);
    }
    eve_messages_drop(&had.output);
    eve_messages_drop(&had.error);
    eve_messages_drop(&had.approval);
}

void eve_messages_settle_part(struct eve_messages_at *at, struct eve_messages_part *part)
{
    struct eve_json_value call_id = eve_messages_value(&part->v[EVE_TOOL_CALL]);
    struct eve_json_value approval = eve_messages_value(&part->v[EVE_TOOL_APPROVAL]);
    const struct eve_messages_call *call = eve_messages_known_call(at, call_id);
    const struct eve_messages_input *input =
        approval.kind != EVE_JSON_NONE ? eve_messages_input(at, approval) : NULL;
    enum eve_messages_call_status status =
        call != NULL ? eve_messages_reported(at, call, call_id) : EVE_CALL_NONE;
    if (at->status != EVE_OK) {
        return;
    }
    if (input != NULL && !input->settled && status < EVE_CALL_COMPLETED) {
        struct had had;
        strip(part, &had);
        put_approval(part, &had, EVE_APPROVED_UNSAID);
        part->state = EVE_STATE_APPROVAL_REQUESTED;
        eve_messages_drop(&had.output);
        eve_messages_drop(&had.error);
    } else if (call != NULL) {
        const struct eve_messages_task *task =
            call->task.p != NULL ? eve_messages_task(at, eve_messages_value(&call->task), call_id)
                                 : NULL;
        follow_call(at, part, call, status, task, input);
    } else if (input != NULL) {
        follow_input(at, part, input);
    }
}
