#include "messages_tool.h"

#include "key.h"
#include "messages_call.h"
#include "messages_called.h"
#include "text.h"

static const struct eve_json_value nothing = {0};

void eve_messages_check_name(struct eve_messages_at *at, struct eve_json_value value)
{
    if (value.kind == EVE_JSON_OBJECT || value.kind == EVE_JSON_ARRAY) {
        eve_messages_refuse(at, value, "an object or array cannot name anything");
    }
}

struct eve_messages_part *eve_messages_find_tool(struct eve_messages_at *at,
                                                 struct eve_json_value call_id)
{
    eve_messages_begin_key(at);
    eve_messages_name_key(at, call_id);
    struct eve_messages_call *call = eve_messages_get(at, &at->m->calls);
    struct eve_messages_part *part = call != NULL ? call->parts : NULL;
    while (part != NULL && !eve_key_equal(eve_messages_value(&part->v[EVE_TOOL_CALL]), call_id)) {
        part = part->chain;
    }
    return part;
}

/* The first tool part whose approval has the id, all looked at. */
static struct eve_messages_part *scan_approvals(const struct eve_messages_at *at,
                                                struct eve_json_value request)
{
    const struct eve_messages_message *message = eve_messages_first(at);
    for (; message != NULL; message = message->after) {
        for (struct eve_messages_part *part = message->first; part != NULL; part = part->after) {
            if (part->kind == EVE_PART_TOOL &&
                eve_key_equal(eve_messages_value(&part->v[EVE_TOOL_APPROVAL]), request)) {
                return part;
            }
        }
    }
    return NULL;
}

/* The same among the parts of one call (NULL: none). */
static struct eve_messages_part *approval_of_call(const struct eve_messages_call *call,
                                                  struct eve_json_value request)
{
    struct eve_messages_part *part = call != NULL ? call->parts : NULL;
    while (part != NULL &&
           !eve_key_equal(eve_messages_value(&part->v[EVE_TOOL_APPROVAL]), request)) {
        part = part->chain;
    }
    return part;
}

struct eve_messages_part *eve_messages_find_approval(struct eve_messages_at *at,
                                                     struct eve_json_value request)
{
    if (request.kind == EVE_JSON_NONE) {
        return scan_approvals(at, request);
    }
    /* An id comes from a request, or is the callId where a call was denied without one. */
    const struct eve_messages_input *input = eve_messages_input(at, request);
    const struct eve_messages_call *named = eve_messages_get(at, &at->m->calls);
    struct eve_messages_part *asked =
        approval_of_call(input != NULL ? input->asked : NULL, request);
    struct eve_messages_part *other = approval_of_call(named, request);
    if ((input != NULL && input->many) || (asked != NULL && other != NULL && asked != other)) {
        return scan_approvals(at, request);
    }
    return asked != NULL ? asked : other;
}

/* The part of that call in the message, made if there is none. In a message a call is known by its
 * name alone. */
static struct eve_messages_part *tool_in(struct eve_messages_at *at,
                                         struct eve_messages_message *message,
                                         struct eve_json_value call_id)
{
    struct eve_messages_call *call = eve_messages_call(at, call_id);
    if (call == NULL || message == NULL) {
        return NULL;
    }
    struct eve_messages_part **p = &call->parts;
    while (*p != NULL && (*p)->message->ordinal < message->ordinal) {
        p = &(*p)->chain;
    }
    struct eve_messages_part *part = *p;
    if (part == NULL || part->message != message) {
        part = eve_messages_add_part(at, message, EVE_PART_TOOL);
        if (part == NULL) {
            return NULL;
        }
        part->call = call;
        part->chain = *p;
        *p = part;
    }
    message->status = EVE_MESSAGE_STREAMING;
    return part;
}

/* The message of the event's turn, with the steps it needs. */
struct eve_messages_message *eve_messages_message_of_event(struct eve_messages_at *at)
{
    struct eve_messages_message *message = eve_messages_assistant(at, at->turn);
    eve_messages_ensure_steps(at, message, at->step);
    return message;
}

/* Forget all that the part says, but not which call it is. */
static void wipe(struct eve_messages_part *part)
{
    for (size_t i = 0; i < EVE_TOOL_VALUES; i++) {
        eve_messages_drop(&part->v[i]);
    }
    part->count = 0;
    part->state = EVE_STATE_NONE;
    part->action = EVE_ACTION_UNKNOWN;
    part->approved = EVE_APPROVED_UNSAID;
    part->has_approval = part->partial = false;
}

/* The first part of that call, wherever it is, or a new one in the event's message. */
struct eve_messages_part *eve_messages_tool_of_event(struct eve_messages_at *at,
                                                     struct eve_json_value call_id)
{
    struct eve_messages_part *part = eve_messages_find_tool(at, call_id);
    if (part != NULL) {
        part->message->status = EVE_MESSAGE_STREAMING;
        return part;
    }
    part = tool_in(at, eve_messages_message_of_event(at), call_id);
    if (part != NULL) {
        wipe(part); /* it may be one that merely has the same name */
    }
    return part;
}

/* Let `to` say what `from` says. */
void eve_messages_copy_tool(struct eve_messages_at *at, struct eve_messages_part *to,
                            const struct eve_messages_part *from)
{
    for (size_t i = 0; i < EVE_TOOL_VALUES; i++) {
        eve_messages_keep(at, &to->v[i], eve_messages_value(&from->v[i]));
    }
    to->count = 0;
    to->state = from->state;
    to->action = from->action;
    to->approved = from->approved;
    to->has_approval = from->has_approval;
    to->partial = from->partial;
}

static void take_input(struct eve_messages_at *at)
{
    struct eve_json_value call_id = eve_event_value(at->ev, EVE_FIELD_CALL_ID);
    struct eve_json_value name = eve_event_value(at->ev, EVE_FIELD_TOOL_NAME);
    struct eve_json_value delta = eve_event_value(at->ev, EVE_FIELD_INPUT_TEXT_DELTA);
    struct eve_messages_part *part = eve_messages_find_tool(at, call_id);
    bool streaming = part != NULL && part->state == EVE_STATE_INPUT_STREAMING;
    if (part != NULL && !streaming) {
        return;
    }
    part = eve_messages_tool_of_event(at, call_id);
    if (part == NULL) {
        return;
    }
    if (!streaming) {
        wipe(part);
        part->state = EVE_STATE_INPUT_STREAMING;
        eve_messages_keep(at, &part->v[EVE_TOOL_META_NAME], name);
    }
    /* What a task.settled may have left goes; only the text and the metadata stay. */
    eve_messages_drop(&part->v[EVE_TOOL_OUTPUT]);
    eve_messages_drop(&part->v[EVE_TOOL_ERROR]);
    eve_messages_keep(at, &part->v[EVE_TOOL_CALL], call_id);
    eve_messages_keep(at, &part->v[EVE_TOOL_STEP], at->step);
    eve_messages_keep(at, &part->v[EVE_TOOL_NAME], name);
    eve_messages_append(at, part, EVE_TOOL_INPUT_TEXT, eve_text_of(delta));
}

/* Call `each` for the elements of an array that was scanned before. */
void eve_messages_for_each(struct eve_messages_at *at, struct eve_json_value array,
                           void (*each)(struct eve_messages_at *at, struct eve_json_value element))
{
    struct eve_json j;
    struct eve_json_value element;
    eve_json_open(&j, (struct eve_slice){array.p, array.n});
    enum eve_status status = eve_json_enter(&j, at->err);
    while (status == EVE_OK && at->status == EVE_OK && eve_json_element(&j, at->err) == EVE_OK) {
        status = eve_json_skip(&j, &element, at->err);
        each(at, element);
    }
}

/* The member `name` of data is an array of objects; go through them. */
void eve_messages_check_each(struct eve_messages_at *at, const char *name,
                             void (*each)(struct eve_messages_at *at,
                                          struct eve_json_value element))
{
    struct eve_json_value array = eve_messages_data(at, name);
    if (array.kind != EVE_JSON_ARRAY) {
        eve_messages_refuse(at, array, "what the event is about is not an array");
        return;
    }
    eve_messages_for_each(at, array, each);
}

bool eve_messages_check_object(struct eve_messages_at *at, struct eve_json_value value)
{
    if (value.kind != EVE_JSON_OBJECT) {
        eve_messages_refuse(at, value, "what the event is about is not an object");
    }
    return value.kind == EVE_JSON_OBJECT;
}

/* The kind is known; where the label comes of the name, that is a string. */
void eve_messages_check_called(struct eve_messages_at *at, struct eve_json_value action,
                               const struct eve_messages_called *called, bool labelled)
{
    eve_messages_check_name(at, called->name);
    if (!called->known) {
        eve_messages_refuse(at, action, "an action or result of unknown kind");
    } else if (!labelled && called->name.kind != EVE_JSON_STRING) {
        eve_messages_refuse(at, action, "an action or result has no name");
    }
}

/* A request for the call of that part (NULL: none) came before; another is passed over unread. */
static bool is_asked_for(const struct eve_messages_part *part)
{
    return part != NULL && part->state != EVE_STATE_INPUT_STREAMING;
}

static void check_action(struct eve_messages_at *at, struct eve_json_value action)
{
    struct eve_json_value call_id = eve_event_find(action, "callId");
    struct eve_messages_called called = eve_messages_called_of_request(action);
    eve_messages_check_name(at, call_id);
    if (!is_asked_for(eve_messages_find_tool(at, call_id))) {
        eve_messages_check_called(at, action, &called,
                                  eve_messages_given(eve_messages_presented(at, call_id)));
    }
}

void eve_messages_check_requested(struct eve_messages_at *at)
{
    eve_messages_check_each(at, "actions", check_action);
}

static void take_action(struct eve_messages_at *at, struct eve_json_value action)
{
    struct eve_json_value call_id = eve_event_find(action, "callId");
    struct eve_messages_called called = eve_messages_called_of_request(action);
    if (is_asked_for(eve_messages_find_tool(at, call_id))) {
        return;
    }
    struct eve_messages_part *part = tool_in(at, eve_messages_message_of_event(at), call_id);
    if (part == NULL) {
        return;
    }
    wipe(part);
    part->state = EVE_STATE_INPUT_AVAILABLE;
    part->action = called.action;
    eve_messages_keep(at, &part->v[EVE_TOOL_CALL], call_id);
    eve_messages_keep(at, &part->v[EVE_TOOL_STEP], at->step);
    eve_messages_keep(at, &part->v[EVE_TOOL_INPUT], eve_event_find(action, "input"));
    eve_messages_keep(at, &part->v[EVE_TOOL_META_NAME], called.name);
    eve_messages_keep_label(at, &part->v[EVE_TOOL_LABEL], eve_messages_presented(at, call_id),
                            called.name);
    eve_messages_keep_tool_name(at, &part->v[EVE_TOOL_NAME], &called);
}

bool eve_messages_is_settled(const struct eve_messages_part *part)
{
    return part->state == EVE_STATE_OUTPUT_DENIED || part->state == EVE_STATE_OUTPUT_ERROR ||
           (part->state == EVE_STATE_OUTPUT_AVAILABLE && !part->partial);
}

/* The request for input has nothing to say about that part (NULL: none). */
static bool is_old_news(const struct eve_messages_part *part, struct eve_json_value request_id)
{
    struct eve_json_value approval =
        part != NULL ? eve_messages_value(&part->v[EVE_TOOL_APPROVAL]) : nothing;
    return eve_key_equal(approval, request_id) || (part != NULL && eve_messages_is_settled(part));
}

static void check_request(struct eve_messages_at *at, struct eve_json_value request)
{
    struct eve_json_value id = eve_event_find(request, "requestId");
    struct eve_json_value action = eve_event_find(request, "action");
    struct eve_json_value call_id = eve_event_find(action, "callId");
    if (!eve_messages_check_object(at, request) || !eve_messages_check_object(at, action)) {
        return;
    }
    eve_messages_check_name(at, id);
    eve_messages_check_name(at, call_id);
    const struct eve_messages_part *part = eve_messages_find_tool(at, call_id);
    struct eve_messages_called called = eve_messages_called_of(action, false);
    if (!is_old_news(part, id)) {
        eve_messages_check_called(
            at, action, &called,
            part != NULL && eve_messages_given(eve_messages_value(&part->v[EVE_TOOL_LABEL])));
    }
}

void eve_messages_check_asked(struct eve_messages_at *at)
{
    eve_messages_check_each(at, "requests", check_request);
}

/* What a client is shown of the request. */
static void keep_request(struct eve_messages_at *at, struct eve_messages_kept *k,
                         struct eve_json_value request)
{
    static const char *const names[] = {"allowFreeform", "display", "kind",
                                        "options",       "prompt",  "requestId"};
    struct eve_buf *text = &at->m->text;
    eve_messages_begin_text(at);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct eve_json_value value = eve_event_find(request, names[i]);
        if (value.kind != EVE_JSON_NONE) {
            eve_messages_add(at, text->n == 0 ? "{\"" : ",\"");
            eve_messages_add(at, names[i]);
            eve_messages_add(at, "\":");
            eve_messages_add_raw(at, value);
        }
    }
    eve_messages_add(at, text->n == 0 ? "{}" : "}");
    eve_messages_keep(at, k, (struct eve_json_value){text->p, text->n, EVE_JSON_OBJECT, false});
}

/* The part of that call has an approval with that id now. */
static void note_asked(struct eve_messages_at *at, struct eve_json_value id,
                       struct eve_messages_call *call)
{
    struct eve_messages_input *input = eve_messages_input(at, id);
    if (input != NULL) {
        input->many = input->many || (input->asked != NULL && input->asked != call);
        input->asked = call;
    }
}

static void take_request(struct eve_messages_at *at, struct eve_json_value request)
{
    struct eve_json_value id = eve_event_find(request, "requestId");
    struct eve_json_value action = eve_event_find(request, "action");
    struct eve_json_value call_id = eve_event_find(action, "callId");
    struct eve_messages_called called = eve_messages_called_of(action, false);
    if (is_old_news(eve_messages_find_tool(at, call_id), id)) {
        return;
    }
    struct eve_messages_message *message = eve_messages_message_of_event(at);
    const struct eve_messages_part *before = eve_messages_find_tool(at, call_id);
    struct eve_messages_part *part = tool_in(at, message, call_id);
    if (part == NULL) {
        return;
    }
    if (before == NULL) {
        wipe(part);
    } else if (part != before) {
        eve_messages_copy_tool(at, part, before);
    }
    struct eve_json_value step = eve_messages_value(&part->v[EVE_TOOL_STEP]);
    if (!eve_messages_given(step)) {
        eve_messages_keep(at, &part->v[EVE_TOOL_STEP], at->step);
    }
    part->state = EVE_STATE_APPROVAL_REQUESTED;
    part->action = called.action;
    part->approved = EVE_APPROVED_UNSAID;
    part->has_approval = true;
    eve_messages_drop(&part->v[EVE_TOOL_REASON]);
    eve_messages_keep(at, &part->v[EVE_TOOL_APPROVAL], id);
    eve_messages_keep(at, &part->v[EVE_TOOL_CALL], call_id);
    eve_messages_keep(at, &part->v[EVE_TOOL_INPUT], eve_event_find(action, "input"));
    eve_messages_keep(at, &part->v[EVE_TOOL_META_NAME], called.name);
    keep_request(at, &part->v[EVE_TOOL_REQUEST], request);
    note_asked(at, id, part->call);
    eve_messages_drop(&part->v[EVE_TOOL_RESPONSE]);
    if (!eve_messages_given(eve_messages_value(&part->v[EVE_TOOL_LABEL]))) {
        eve_messages_keep_label(at, &part->v[EVE_TOOL_LABEL], nothing, called.name);
    }
    eve_messages_keep_tool_name(at, &part->v[EVE_TOOL_NAME], &called);
}

void eve_messages_take_tool(struct eve_messages_at *at)
{
    switch (at->ev->type) {
    case EVE_EVENT_INPUT_APPENDED:
        take_input(at);
        break;
    case EVE_EVENT_ACTIONS_REQUESTED:
        eve_messages_for_each(at, eve_event_value(at->ev, EVE_FIELD_ACTIONS), take_action);
        break;
    case EVE_EVENT_INPUT_REQUESTED:
        eve_messages_for_each(at, eve_messages_data(at, "requests"), take_request);
        break;
    case EVE_EVENT_ACTION_RESULT:
        eve_messages_take_result(at);
        break;
    case EVE_EVENT_ACTION_PARTIAL:
        eve_messages_take_partial(at);
        break;
    case EVE_EVENT_INPUT_RESOLVED:
        eve_messages_take_resolved(at);
        break;
    case EVE_EVENT_TASK_SETTLED:
        eve_messages_take_settled(at);
        break;
    default:
        break;
    }
}
