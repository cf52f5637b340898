#include "messages_called.h"

#include "key.h"
#include "messages_label.h"
#include "text.h"

static const struct eve_json_value nothing = {0};

/* Kinds of actions and results, and the member that has the name. */
static const struct {
    const char *kind;
    const char *name;
    enum eve_messages_action action;
    bool result;
} kinds[] = {
    {"tool-call", "toolName", EVE_ACTION_TOOL, false},
    {"workflow-tool-call", "toolName", EVE_ACTION_TOOL, false},
    {"subagent-call", "subagentName", EVE_ACTION_AGENT, false},
    {"remote-agent-call", "remoteAgentName", EVE_ACTION_AGENT, false},
    {"load-skill", "name", EVE_ACTION_SKILL, false},
    {"tool-result", "toolName", EVE_ACTION_TOOL, true},
    {"subagent-result", "subagentName", EVE_ACTION_AGENT, true},
    {"load-skill-result", "name", EVE_ACTION_SKILL, true},
};

struct eve_messages_called eve_messages_called_of(struct eve_json_value action, bool result)
{
    struct eve_messages_called called = {0};
    struct eve_json_value kind = eve_event_find(action, "kind");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (kinds[i].result == result && eve_text_is(kind, kinds[i].kind)) {
            called.known = true;
            called.action = kinds[i].action;
            called.name = eve_event_find(action, kinds[i].name);
        }
    }
    return called;
}

struct eve_messages_called eve_messages_called_of_request(struct eve_json_value action)
{
    static const struct eve_json_value load_skill = {"\"load_skill\"", 12, EVE_JSON_STRING, false};
    struct eve_messages_called called = eve_messages_called_of(action, false);
    if (called.action == EVE_ACTION_SKILL && called.name.kind != EVE_JSON_STRING) {
        called.name = eve_event_find(eve_event_find(action, "input"), "skill");
        called.name = called.name.kind == EVE_JSON_STRING ? called.name : load_skill;
    }
    return called;
}

void eve_messages_keep_tool_name(struct eve_messages_at *at, struct eve_messages_kept *k,
                                 const struct eve_messages_called *called)
{
    if (called->action == EVE_ACTION_TOOL) {
        eve_messages_keep(at, k, called->name);
        return;
    }
    eve_messages_begin_text(at);
    if (called->action == EVE_ACTION_SKILL) {
        eve_messages_add(at, "eve__skill");
    } else {
        eve_messages_add(at, "eve:subagent:");
        eve_messages_add_value(at, called->name);
    }
    eve_messages_keep_text(at, k, eve_buf_slice(&at->m->text));
}

/* The last member of the object whose name equals `name`, a string. */
static struct eve_json_value member_of(struct eve_json_value object, struct eve_json_value name)
{
    struct eve_json j;
    struct eve_json_value said;
    struct eve_json_value value;
    struct eve_json_value found = nothing;
    struct eve_err ignored; /* it was scanned before */
    eve_json_open(&j, (struct eve_slice){object.p, object.n});
    enum eve_status status = eve_json_enter(&j, &ignored);
    while (status == EVE_OK && eve_json_member(&j, &said, &ignored) == EVE_OK) {
        status = eve_json_skip(&j, &value, &ignored);
        if (eve_key_equal(said, name)) {
            found = value;
        }
    }
    return found;
}

struct eve_json_value eve_messages_presented(struct eve_messages_at *at,
                                             struct eve_json_value call_id)
{
    struct eve_messages_kept name = {0};
    struct eve_json_value presentation = eve_messages_data(at, "presentation");
    if (presentation.kind != EVE_JSON_OBJECT) {
        return nothing;
    }
    if (call_id.kind != EVE_JSON_STRING) {
        eve_messages_begin_text(at);
        eve_messages_add_value(at, call_id);
        eve_messages_keep_text(at, &name, eve_buf_slice(&at->m->text));
        call_id = eve_messages_value(&name);
    }
    struct eve_json_value label = nothing;
    if (at->status == EVE_OK) {
        label = eve_event_find(member_of(presentation, call_id), "label");
    }
    eve_messages_drop(&name);
    return label;
}

void eve_messages_keep_label(struct eve_messages_at *at, struct eve_messages_kept *k,
                             struct eve_json_value given, struct eve_json_value name)
{
    if (eve_messages_given(given) || name.kind != EVE_JSON_STRING) {
        eve_messages_keep(at, k, given);
        return;
    }
    eve_messages_begin_text(at);
    if (at->status == EVE_OK) {
        at->status = eve_messages_label(&at->m->text, eve_text_of(name), at->err);
    }
    eve_messages_keep_text(at, k, eve_buf_slice(&at->m->text));
}
