#include "messages.h"

#include "messages_doc.h"
#include "messages_spell.h"
#include "str.h"

#include <cjson/cJSON.h>
#include <limits.h>
#include <string.h>

/* A document being printed: one message or part at a time, so that no more than that is held
 * twice. */
struct printer {
    struct eve_buf text;
    struct eve_out *out;
    struct eve_err *err;
    enum eve_status status;
};

/* An object that grows, with an upper bound of the bytes it takes. */
struct object {
    cJSON *json;
    size_t size;
    bool failed;
};

struct name {
    size_t value;
    const char *name;
};

static const struct name run_names[] = {
    {EVE_RUN_ID, "id"}, {EVE_RUN_STEP, "stepIndex"}, {EVE_RUN_TEXT, "text"}};
static const struct name file_names[] = {{EVE_FILE_NAME, "filename"},
                                         {EVE_FILE_TYPE, "mediaType"},
                                         {EVE_FILE_SIZE, "size"},
                                         {EVE_FILE_URL, "url"}};
static const struct name auth_names[] = {{EVE_AUTH_AUTHORIZATION, "authorization"},
                                         {EVE_AUTH_DESCRIPTION, "description"},
                                         {EVE_AUTH_DISPLAY, "displayName"},
                                         {EVE_AUTH_NAME, "name"},
                                         {EVE_AUTH_ATTEMPT, "attemptId"},
                                         {EVE_AUTH_OUTCOME, "outcome"},
                                         {EVE_AUTH_REASON, "reason"},
                                         {EVE_AUTH_STEP, "stepIndex"},
                                         {EVE_AUTH_TURN, "turnId"}};
static const struct name tool_names[] = {
    {EVE_TOOL_CALL, "toolCallId"}, {EVE_TOOL_NAME, "toolName"},        {EVE_TOOL_STEP, "stepIndex"},
    {EVE_TOOL_INPUT, "input"},     {EVE_TOOL_INPUT_TEXT, "inputText"}, {EVE_TOOL_OUTPUT, "output"},
    {EVE_TOOL_ERROR, "errorText"}};
static const struct name meta_names[] = {{EVE_TOOL_LABEL, "label"},
                                         {EVE_TOOL_META_NAME, "name"},
                                         {EVE_TOOL_REQUEST, "inputRequest"},
                                         {EVE_TOOL_RESPONSE, "inputResponse"}};
static const struct name approval_names[] = {{EVE_TOOL_APPROVAL, "id"},
                                             {EVE_TOOL_REASON, "reason"}};

#define COUNT(list) (sizeof(list) / sizeof *(list))

static const char *const type_names[EVE_PART_KINDS] = {
    "text", "reasoning", "file", "step-start", "authorization", "dynamic-tool"};
static const char *const state_names[EVE_STATE_COUNT] = {NULL,
                                                         "streaming",
                                                         "done",
                                                         "required",
                                                         "completed",
                                                         "input-streaming",
                                                         "input-available",
                                                         "approval-requested",
                                                         "approval-responded",
                                                         "output-available",
                                                         "output-error",
                                                         "output-denied"};
static const char *const action_names[] = {"unknown", "tool-call", "subagent-call", "load-skill"};
static const char *const status_names[] = {"complete", "streaming", "submitted", "failed"};

static void begin(struct object *o)
{
    o->json = cJSON_CreateObject();
    o->size = 16;
    o->failed = o->json == NULL;
}

static void add_item(struct object *o, const char *name, cJSON *item, size_t size)
{
    /* The name is constant: it is not copied. */
    if (!cJSON_AddItemToObjectCS(o->json, name, item)) {
        cJSON_Delete(item);
        o->failed = true;
    }
    o->size += strlen(name) + size + 8;
}

static void add_text(struct object *o, const char *name, const char *s)
{
    if (s != NULL) {
        add_item(o, name, cJSON_CreateString(s), strlen(s) + 2);
    }
}

static void add_true(struct object *o, const char *name, bool said)
{
    if (said) {
        add_item(o, name, cJSON_CreateTrue(), 5);
    }
}

/* Values go in as they are, and without a copy: a raw item that refers to them. */
static void add_value(struct object *o, const char *name, const struct eve_messages_kept *k)
{
    if (k->p != NULL) {
        cJSON *item = cJSON_CreateStringReference(k->p);
        if (item != NULL) {
            item->type = cJSON_Raw | cJSON_IsReference;
        }
        add_item(o, name, item, k->n);
    }
}

static void add_values(struct object *o, const struct eve_messages_part *part,
                       const struct name *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        add_value(o, names[i].name, &part->v[names[i].value]);
    }
}

static void add_object(struct object *o, const char *name, struct object *inner)
{
    o->failed = o->failed || inner->failed;
    add_item(o, name, inner->json, inner->size);
}

static void put(struct printer *p, const char *s)
{
    if (p->status == EVE_OK) {
        p->status = eve_out_put(p->out, eve_str(s), p->err);
    }
}

/* Print the object without its last `cut` bytes, and let go of it. */
static void finish(struct printer *p, struct object *o, size_t cut)
{
    if (p->status == EVE_OK && (o->failed || o->size > INT_MAX)) {
        p->status = eve_fail(p->err, EVE_FAIL, EVE_RULE_NONE,
                             o->failed ? "out of memory" : "a message part is over 2 GiB", 0, 0);
    }
    eve_buf_clear(&p->text, 1 << 20);
    if (p->status == EVE_OK) {
        p->status = eve_buf_reserve(&p->text, o->size, p->err);
    }
    if (p->status == EVE_OK) {
        bool printed = cJSON_PrintPreallocated(o->json, p->text.p, (int)o->size, false);
        p->status =
            printed ? eve_out_put(p->out, (struct eve_slice){p->text.p, strlen(p->text.p) - cut},
                                  p->err)
                    : eve_fail(p->err, EVE_FAIL, EVE_RULE_NONE, "out of memory", 0, 0);
    }
    cJSON_Delete(o->json);
}

static void add_tool(struct object *o, const struct eve_messages_part *part)
{
    struct object meta;
    struct object eve;
    add_values(o, part, tool_names, COUNT(tool_names));
    add_true(o, "partial", part->partial);
    if (part->has_approval) {
        struct object approval;
        begin(&approval);
        add_values(&approval, part, approval_names, COUNT(approval_names));
        if (part->approved != EVE_APPROVED_UNSAID) {
            add_item(&approval, "approved", cJSON_CreateBool(part->approved == EVE_APPROVED_YES),
                     6);
        }
        add_object(o, "approval", &approval);
    }
    begin(&meta);
    begin(&eve);
    add_text(&eve, "kind", action_names[part->action]);
    add_values(&eve, part, meta_names, COUNT(meta_names));
    add_object(&meta, "eve", &eve);
    add_object(o, "toolMetadata", &meta);
}

static void print_part(struct printer *p, const struct eve_messages_part *part)
{
    struct object o;
    begin(&o);
    add_text(&o, "type", type_names[part->kind]);
    add_text(&o, "state", state_names[part->state]);
    switch (part->kind) {
    case EVE_PART_TEXT:
    case EVE_PART_REASONING:
        add_values(&o, part, run_names, COUNT(run_names));
        break;
    case EVE_PART_FILE:
        add_values(&o, part, file_names, COUNT(file_names));
        break;
    case EVE_PART_AUTHORIZATION:
        add_values(&o, part, auth_names, COUNT(auth_names));
        add_true(&o, "awaitsCallback", part->awaits_callback);
        break;
    case EVE_PART_TOOL:
        add_tool(&o, part);
        break;
    default:
        break;
    }
    finish(p, &o, 0);
}

static void print_message(struct printer *p, const struct eve_messages_message *message)
{
    struct object o;
    struct object metadata;
    begin(&o);
    begin(&metadata);
    add_value(&o, "id", &message->id);
    add_text(&o, "role", message->user ? "user" : "assistant");
    add_text(&metadata, "status", status_names[message->status]);
    add_value(&metadata, "turnId", &message->turn);
    add_value(&metadata, "result", &message->result);
    add_true(&metadata, "optimistic", message->optimistic);
    add_object(&o, "metadata", &metadata);
    finish(p, &o, 1); /* left open for the parts */
    put(p, ",\"parts\":[");
    const struct eve_messages_part *part = message->first;
    for (; part != NULL && p->status == EVE_OK; part = part->after) {
        size_t times = part->kind == EVE_PART_STEP ? part->count : 1;
        for (size_t i = 0; i < times && p->status == EVE_OK; i++) {
            put(p, part == message->first && i == 0 ? "" : ",");
            print_part(p, part);
        }
    }
    put(p, "]}");
}

/* The name of the group's member, as plain UTF-8. */
static void put_group_name(struct printer *p, struct eve_slice name)
{
    eve_buf_clear(&p->text, 1 << 20);
    for (size_t i = 0; i < name.n && p->status == EVE_OK; i++) {
        unsigned char c = (unsigned char)name.p[i];
        p->status = c < 0x80 ? eve_messages_spell_char(&p->text, c, p->err)
                             : eve_buf_putc(&p->text, (char)c, p->err);
    }
    if (p->status == EVE_OK) {
        p->status = eve_out_put(p->out, eve_buf_slice(&p->text), p->err);
    }
}

/* `talk` NULL: a conversation without messages. */
static void print_talk(struct printer *p, const struct eve_messages *m,
                       const struct eve_messages_talk *talk)
{
    put(p, "{\"messages\":[");
    const struct eve_messages_message *message = talk != NULL ? talk->first : NULL;
    for (; message != NULL && p->status == EVE_OK; message = message->after) {
        put(p, message->before != NULL ? "," : "");
        print_message(p, message);
    }
    put(p, "]");
    if (talk != NULL && talk->group.p != NULL) {
        put(p, ",\"");
        put_group_name(p, m->group);
        put(p, "\":");
        put(p, talk->group.p);
    }
    put(p, "}\n");
}

enum eve_status eve_messages_write(const struct eve_messages *m, struct eve_out *out,
                                   struct eve_err *err)
{
    struct printer p = {.out = out, .err = err};
    eve_buf_init(&p.text, INT_MAX);
    if (m->talk_count == 0 && m->group.n == 0) {
        print_talk(&p, m, NULL);
    }
    for (size_t i = 0; i < m->talk_count && p.status == EVE_OK; i++) {
        print_talk(&p, m, &m->talks[i]);
    }
    eve_buf_fini(&p.text);
    return p.status;
}
