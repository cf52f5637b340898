#include "messages.h"

#include "mem.h"
#include "messages_auth.h"
#include "messages_call.h"
#include "messages_doc.h"
#include "messages_run.h"
#include "messages_tool.h"
#include "num.h"
#include "str.h"
#include "text.h"

static void init(struct eve_messages *m, struct eve_slice group, const uint64_t seed[2])
{
    *m = (struct eve_messages){.group = group};
    eve_map_init(&m->groups, seed);
    eve_map_init(&m->ids, seed);
    eve_map_init(&m->turns, seed);
    eve_map_init(&m->runs, seed);
    eve_map_init(&m->calls, seed);
    eve_map_init(&m->tasks, seed);
    eve_map_init(&m->inputs, seed);
    eve_map_init(&m->authorizations, seed);
    eve_buf_init(&m->key, SIZE_MAX / 2);
    eve_buf_init(&m->text, SIZE_MAX / 2);
    eve_buf_init(&m->list, SIZE_MAX / 2);
}

static void fini(struct eve_messages *m)
{
    eve_messages_free_talks(m);
    eve_messages_free_calls(m);
    eve_map_fini(&m->groups);
    eve_map_fini(&m->ids);
    eve_map_fini(&m->turns);
    eve_map_fini(&m->runs);
    eve_map_fini(&m->calls);
    eve_map_fini(&m->tasks);
    eve_map_fini(&m->inputs);
    eve_map_fini(&m->authorizations);
    eve_buf_fini(&m->key);
    eve_buf_fini(&m->text);
    eve_buf_fini(&m->list);
}

enum eve_status eve_messages_new(struct eve_messages **out, struct eve_slice group,
                                 const uint64_t seed[2], struct eve_err *err)
{
    struct eve_messages *m = NULL;
    enum eve_status status = eve_mem_resize(&m, 1, sizeof *m, err);
    if (status == EVE_OK) {
        init(m, group, seed);
        *out = m;
    }
    return status;
}

void eve_messages_free(struct eve_messages *m)
{
    if (m != NULL) {
        fini(m);
        eve_mem_free(m);
    }
}

void eve_messages_clear(struct eve_messages *m)
{
    uint64_t seed[2] = {m->groups.seed[0], m->groups.seed[1]};
    struct eve_slice group = m->group;
    fini(m);
    init(m, group, seed);
}

static bool says_type(const struct eve_event *ev, const char *type)
{
    return ev->type == EVE_EVENT_OTHER && eve_text_is(ev->type_value, type);
}

/* Of an event that only a client makes: a message on its way to the server. */
static bool is_client_message(const struct eve_event *ev)
{
    return says_type(ev, "client.message.submitted") || says_type(ev, "client.message.failed");
}

/* What the event says about the conversation is in `data`, which has to be an object then. */
static bool reads_data(const struct eve_event *ev)
{
    switch (ev->type) {
    case EVE_EVENT_MESSAGE_APPENDED:
    case EVE_EVENT_REASONING_APPENDED:
    case EVE_EVENT_INPUT_APPENDED:
    case EVE_EVENT_ACTION_PARTIAL:
    case EVE_EVENT_ACTION_RESULT:
    case EVE_EVENT_ACTIONS_REQUESTED:
    case EVE_EVENT_APPROVAL_CANDIDATE:
    case EVE_EVENT_APPROVAL_SETTLED:
    case EVE_EVENT_AUTHORIZATION_COMPLETED:
    case EVE_EVENT_AUTHORIZATION_REQUIRED:
    case EVE_EVENT_INPUT_REQUESTED:
    case EVE_EVENT_INPUT_RESOLVED:
    case EVE_EVENT_MESSAGE_COMPLETED:
    case EVE_EVENT_MESSAGE_RECEIVED:
    case EVE_EVENT_REASONING_COMPLETED:
    case EVE_EVENT_RESULT_COMPLETED:
    case EVE_EVENT_STEP_COMPLETED:
    case EVE_EVENT_STEP_STARTED:
    case EVE_EVENT_TASK_SETTLED:
    case EVE_EVENT_TASK_STARTED:
    case EVE_EVENT_TURN_CANCELLED:
    case EVE_EVENT_TURN_COMPLETED:
    case EVE_EVENT_TURN_FAILED:
    case EVE_EVENT_TURN_STARTED:
    case EVE_EVENT_TURN_WAITING:
        return true;
    default:
        return is_client_message(ev);
    }
}

/* A step index is a number that is not over the limit, null, or missing. */
static void check_step(struct eve_messages_at *at)
{
    uint64_t ignored = 0;
    struct eve_num num;
    if (at->step.kind == EVE_JSON_NONE || at->step.kind == EVE_JSON_NULL) {
        return;
    }
    if (at->step.kind != EVE_JSON_NUMBER) {
        eve_messages_refuse(at, at->step, "stepIndex is not a number");
        return;
    }
    eve_num_parse((struct eve_slice){at->step.p, at->step.n}, &num);
    if (!num.negative && num.exponent > 0 &&
        (num.exponent > 5 ||
         (eve_num_integer((struct eve_slice){at->step.p, at->step.n}, UINT64_MAX, &ignored) &&
          ignored > EVE_MESSAGES_STEPS_MAX))) {
        eve_messages_refuse(at, at->step, "stepIndex is too large");
    }
}

static void check_received(struct eve_messages_at *at)
{
    struct eve_json j;
    struct eve_json_value part;
    struct eve_json_value parts = eve_messages_data(at, "parts");
    eve_messages_check_name(at, at->ev->id);
    eve_messages_check_name(at, eve_event_value(at->ev, EVE_FIELD_SEQUENCE));
    if (!eve_messages_given(parts)) {
        return;
    }
    if (parts.kind != EVE_JSON_ARRAY) {
        eve_messages_refuse(at, parts, "parts is not an array");
        return;
    }
    eve_json_open(&j, (struct eve_slice){parts.p, parts.n});
    enum eve_status status = eve_json_enter(&j, at->err);
    while (status == EVE_OK && at->status == EVE_OK && eve_json_element(&j, at->err) == EVE_OK) {
        status = eve_json_skip(&j, &part, at->err);
        if (part.kind == EVE_JSON_NULL) {
            eve_messages_refuse(at, part, "a part is null");
        }
    }
}

static void check(struct eve_messages_at *at)
{
    if (at->data.kind != EVE_JSON_OBJECT) {
        eve_messages_refuse(at, at->data, "data is not an object");
        return;
    }
    eve_messages_check_name(at, at->turn);
    check_step(at);
    switch (at->ev->type) {
    case EVE_EVENT_MESSAGE_RECEIVED:
        check_received(at);
        break;
    case EVE_EVENT_INPUT_APPENDED:
        eve_messages_check_name(at, eve_event_value(at->ev, EVE_FIELD_CALL_ID));
        break;
    case EVE_EVENT_ACTIONS_REQUESTED:
        eve_messages_check_requested(at);
        break;
    case EVE_EVENT_INPUT_REQUESTED:
        eve_messages_check_asked(at);
        break;
    case EVE_EVENT_ACTION_RESULT:
    case EVE_EVENT_ACTION_PARTIAL:
        eve_messages_check_result(at);
        break;
    case EVE_EVENT_INPUT_RESOLVED:
        eve_messages_check_resolved(at);
        break;
    case EVE_EVENT_TASK_STARTED:
    case EVE_EVENT_TASK_SETTLED:
        eve_messages_check_task(at);
        break;
    case EVE_EVENT_APPROVAL_SETTLED:
        eve_messages_check_name(at, eve_messages_data(at, "requestId"));
        break;
    case EVE_EVENT_AUTHORIZATION_REQUIRED:
    case EVE_EVENT_AUTHORIZATION_COMPLETED:
        eve_messages_check_authorization(at);
        break;
    default:
        if (at->ev->type == EVE_EVENT_OTHER) {
            eve_messages_check_name(at, eve_messages_data(at, "submissionId"));
        }
    }
}

/* A text part of a user message. */
static void add_text(struct eve_messages_at *at, struct eve_messages_message *message,
                     struct eve_json_value text, enum eve_messages_state state)
{
    struct eve_messages_part *part = eve_messages_add_part(at, message, EVE_PART_TEXT);
    if (part != NULL) {
        part->state = state;
        eve_messages_keep(at, &part->v[EVE_RUN_TEXT], text);
    }
}

static void add_file(struct eve_messages_at *at, struct eve_messages_message *message,
                     struct eve_json_value file)
{
    struct eve_messages_part *part = eve_messages_add_part(at, message, EVE_PART_FILE);
    if (part != NULL) {
        eve_messages_keep(at, &part->v[EVE_FILE_NAME], eve_event_find(file, "filename"));
        eve_messages_keep(at, &part->v[EVE_FILE_TYPE], eve_event_find(file, "mediaType"));
        eve_messages_keep(at, &part->v[EVE_FILE_SIZE], eve_event_find(file, "size"));
        eve_messages_keep(at, &part->v[EVE_FILE_URL], eve_event_find(file, "url"));
    }
}

static void take_received(struct eve_messages_at *at)
{
    struct eve_json j;
    struct eve_json_value part;
    eve_messages_begin_text(at);
    if (eve_messages_given(at->ev->id)) {
        eve_messages_add_value(at, at->ev->id);
    } else {
        eve_messages_add_value(at, at->turn);
        eve_messages_add(at, ":");
        eve_messages_add_value(at, eve_event_value(at->ev, EVE_FIELD_SEQUENCE));
    }
    eve_messages_add(at, ":user");
    struct eve_messages_message *message = eve_messages_user(at);
    if (message == NULL) {
        return;
    }
    message->status = EVE_MESSAGE_COMPLETE;
    eve_messages_keep(at, &message->turn, at->turn);
    struct eve_json_value parts = eve_messages_data(at, "parts");
    if (!eve_messages_given(parts)) {
        add_text(at, message, eve_event_value(at->ev, EVE_FIELD_MESSAGE), EVE_STATE_DONE);
        return;
    }
    eve_json_open(&j, (struct eve_slice){parts.p, parts.n});
    enum eve_status status = eve_json_enter(&j, at->err);
    while (status == EVE_OK && eve_json_element(&j, at->err) == EVE_OK) {
        status = eve_json_skip(&j, &part, at->err);
        struct eve_json_value type = eve_event_find(part, "type");
        if (eve_text_is(type, "text")) {
            add_text(at, message, eve_event_find(part, "text"), EVE_STATE_DONE);
        } else {
            add_file(at, message, part);
        }
    }
}

static void take_client_message(struct eve_messages_at *at)
{
    eve_messages_begin_text(at);
    eve_messages_add(at, "optimistic:");
    eve_messages_add_value(at, eve_messages_data(at, "submissionId"));
    eve_messages_add(at, ":user");
    struct eve_messages_message *message = eve_messages_user(at);
    if (message != NULL) {
        message->optimistic = true;
        message->status =
            says_type(at->ev, "client.message.failed") ? EVE_MESSAGE_FAILED : EVE_MESSAGE_SUBMITTED;
        add_text(at, message, eve_event_value(at->ev, EVE_FIELD_MESSAGE), EVE_STATE_NONE);
    }
}

static void take_append(struct eve_messages_at *at, enum eve_messages_kind kind,
                        struct eve_json_value delta)
{
    struct eve_messages_message *message = eve_messages_message_of_event(at);
    if (message == NULL || delta.n == 2) {
        return;
    }
    struct eve_messages_part *run = eve_messages_run(at, message, kind);
    if (run != NULL) {
        message->status = EVE_MESSAGE_STREAMING;
        eve_messages_append(at, run, EVE_RUN_TEXT, eve_text_of(delta));
    }
}

static void take_complete(struct eve_messages_at *at, enum eve_messages_kind kind,
                          struct eve_json_value text)
{
    struct eve_messages_message *message = eve_messages_message_of_event(at);
    struct eve_messages_part *run = message != NULL ? eve_messages_run(at, message, kind) : NULL;
    if (run != NULL) {
        message->status = kind == EVE_PART_TEXT ? EVE_MESSAGE_COMPLETE : EVE_MESSAGE_STREAMING;
        eve_messages_keep(at, &run->v[EVE_RUN_TEXT], text);
        run->count = 0;
        eve_messages_close_run(at, run);
    }
}

static void take_turn_end(struct eve_messages_at *at)
{
    struct eve_messages_message *message = eve_messages_find_assistant(at, at->turn);
    if (message == NULL && at->ev->type != EVE_EVENT_TURN_FAILED) {
        message = eve_messages_assistant(at, at->turn);
    }
    if (message != NULL) {
        message->status = EVE_MESSAGE_COMPLETE;
        eve_messages_close_runs(at, message);
        eve_messages_remove_unsettled(at, message);
    }
}

static void take_result(struct eve_messages_at *at)
{
    struct eve_messages_message *message = eve_messages_assistant(at, at->turn);
    if (message != NULL) {
        eve_messages_keep(at, &message->result, eve_event_value(at->ev, EVE_FIELD_RESULT));
    }
}

static void take_step_end(struct eve_messages_at *at)
{
    struct eve_messages_message *message = eve_messages_find_assistant(at, at->turn);
    if (message != NULL) {
        eve_messages_close_step(at, message);
    }
}

static void take(struct eve_messages_at *at)
{
    const struct eve_event *ev = at->ev;
    switch (ev->type) {
    case EVE_EVENT_MESSAGE_RECEIVED:
        take_received(at);
        break;
    case EVE_EVENT_STEP_STARTED:
        (void)eve_messages_message_of_event(at);
        break;
    case EVE_EVENT_STEP_COMPLETED:
        take_step_end(at);
        break;
    case EVE_EVENT_REASONING_APPENDED:
        take_append(at, EVE_PART_REASONING, eve_event_value(ev, EVE_FIELD_REASONING_DELTA));
        break;
    case EVE_EVENT_REASONING_COMPLETED:
        take_complete(at, EVE_PART_REASONING, eve_event_value(ev, EVE_FIELD_REASONING));
        break;
    case EVE_EVENT_MESSAGE_APPENDED:
        take_append(at, EVE_PART_TEXT, eve_event_value(ev, EVE_FIELD_MESSAGE_DELTA));
        break;
    case EVE_EVENT_MESSAGE_COMPLETED:
        take_complete(at, EVE_PART_TEXT, eve_event_value(ev, EVE_FIELD_MESSAGE));
        break;
    case EVE_EVENT_RESULT_COMPLETED:
        take_result(at);
        break;
    case EVE_EVENT_TURN_COMPLETED:
    case EVE_EVENT_TURN_CANCELLED:
    case EVE_EVENT_TURN_FAILED:
        take_turn_end(at);
        break;
    case EVE_EVENT_AUTHORIZATION_REQUIRED:
        eve_messages_take_required(at);
        break;
    case EVE_EVENT_AUTHORIZATION_COMPLETED:
        eve_messages_take_completed(at);
        break;
    case EVE_EVENT_OTHER:
        take_client_message(at);
        break;
    default:
        eve_messages_take_tool(at);
    }
}

/* Find the conversation of the event; *at gets the number it has or will have. */
static bool find_talk(struct eve_messages_at *at, struct eve_json_value group)
{
    struct eve_messages *m = at->m;
    at->talk = m->talk_count;
    eve_buf_clear(&m->key, 65536);
    eve_messages_key(at, group);
    struct eve_map_entry *entry =
        at->status == EVE_OK ? eve_map_get(&m->groups, eve_buf_slice(&m->key)) : NULL;
    if (entry != NULL) {
        at->talk = (size_t)entry->value;
    }
    return entry != NULL;
}

static void add_talk(struct eve_messages_at *at, struct eve_json_value group)
{
    struct eve_messages *m = at->m;
    if (m->talk_count == m->talk_cap) {
        size_t cap = eve_mem_grow(m->talk_cap, m->talk_count + 1, 4, SIZE_MAX / 64);
        at->status = eve_mem_resize(&m->talks, cap, sizeof *m->talks, at->err);
        if (at->status != EVE_OK) {
            return;
        }
        m->talk_cap = cap;
    }
    struct eve_messages_talk *talk = &m->talks[m->talk_count++];
    *talk = (struct eve_messages_talk){0};
    eve_messages_keep(at, &talk->group, group);
    eve_buf_clear(&m->key, 65536);
    eve_messages_key(at, group);
    struct eve_map_entry *entry = eve_messages_put(at, &m->groups);
    if (entry != NULL) {
        entry->value = at->talk;
    }
}

enum eve_status eve_messages_event(struct eve_messages *m, const struct eve_event *ev,
                                   struct eve_err *err)
{
    struct eve_messages_at at = {.m = m, .ev = ev, .data = ev->data, .err = err};
    struct eve_json_value group = m->group.n > 0 ? ev->group : (struct eve_json_value){0};
    bool reads = reads_data(ev);
    m->events++;
    at.turn = eve_event_value(ev, EVE_FIELD_TURN_ID);
    at.step = eve_event_value(ev, EVE_FIELD_STEP_INDEX);
    bool found = find_talk(&at, group);
    if (reads && at.status == EVE_OK) {
        check(&at);
    }
    if (!found && at.status == EVE_OK) {
        add_talk(&at, group);
    }
    if (at.status == EVE_OK) {
        eve_messages_fold(&at);
    }
    if (reads && at.status == EVE_OK) {
        take(&at);
        eve_messages_settle_parts(&at);
    }
    return at.status;
}
