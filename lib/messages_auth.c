#include "messages_auth.h"

#include "key.h"
#include "messages_label.h"
#include "messages_tool.h"
#include "text.h"

static const struct eve_json_value nothing = {0};

/* The last authorization that is still required and that the event completes, or NULL: by its
 * attempt, or if the event has none by its name among those that have none. */
static struct eve_messages_part *find_pending(const struct eve_messages_at *at)
{
    struct eve_json_value attempt = eve_messages_data(at, "attemptId");
    struct eve_json_value name = eve_messages_data(at, "name");
    const struct eve_messages_message *message = at->m->required > 0 ? eve_messages_last(at) : NULL;
    for (; message != NULL; message = message->before) {
        for (struct eve_messages_part *part = message->last; part != NULL; part = part->before) {
            if (part->kind == EVE_PART_AUTHORIZATION && part->state == EVE_STATE_REQUIRED &&
                eve_key_equal(eve_messages_value(&part->v[EVE_AUTH_ATTEMPT]), attempt) &&
                (attempt.kind != EVE_JSON_NONE ||
                 eve_key_equal(eve_messages_value(&part->v[EVE_AUTH_NAME]), name))) {
                return part;
            }
        }
    }
    return NULL;
}

void eve_messages_check_authorization(struct eve_messages_at *at)
{
    static const char *const names[] = {"name", "attemptId", "outcome", "reason"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        eve_messages_check_name(at, eve_messages_data(at, names[i]));
    }
    struct eve_json_value challenge = eve_messages_data(at, "authorization");
    struct eve_json_value display = eve_event_find(challenge, "displayName");
    eve_messages_check_name(at, display);
    if (challenge.kind == EVE_JSON_STRING || challenge.kind == EVE_JSON_ARRAY) {
        eve_messages_refuse(at, challenge, "authorization is not an object");
    }
    if (!eve_messages_given(display) && eve_messages_data(at, "name").kind != EVE_JSON_STRING &&
        (at->ev->type == EVE_EVENT_AUTHORIZATION_REQUIRED || find_pending(at) == NULL)) {
        eve_messages_refuse(at, nothing, "an authorization has neither a name nor a displayName");
    }
}

/* Keep the name to show: the authorization's own, else `other` if it is given, else one made of the
 * name. */
static void keep_display(struct eve_messages_at *at, struct eve_messages_kept *k,
                         struct eve_json_value other)
{
    struct eve_json_value name = eve_messages_data(at, "name");
    struct eve_json_value display =
        eve_event_find(eve_messages_data(at, "authorization"), "displayName");
    if (!eve_messages_given(display)) {
        display = other;
    }
    if (eve_messages_given(display)) {
        eve_messages_keep(at, k, display);
        return;
    }
    eve_messages_begin_text(at);
    if (at->status == EVE_OK && name.kind == EVE_JSON_STRING) {
        at->status = eve_messages_capitalize(&at->m->text, eve_text_of(name), at->err);
    }
    eve_messages_keep_text(at, k, eve_buf_slice(&at->m->text));
}

/* Where the description merely names the connection, let it show the name to show. */
static void keep_description(struct eve_messages_at *at, struct eve_messages_kept *k,
                             struct eve_json_value display)
{
    struct eve_json_value description = eve_messages_data(at, "description");
    eve_messages_begin_text(at);
    eve_messages_add(at, "Authorization required for ");
    eve_messages_add_value(at, eve_messages_data(at, "name"));
    if (description.kind != EVE_JSON_STRING ||
        !eve_text_equal(eve_text_of(description), eve_buf_slice(&at->m->text))) {
        eve_messages_keep(at, k, description);
        return;
    }
    eve_messages_begin_text(at);
    eve_messages_add(at, "Authorization required for ");
    eve_messages_add_value(at, display);
    eve_messages_keep_text(at, k, eve_buf_slice(&at->m->text));
}

/* The text that tells the part from others of its message. */
static void build_key(struct eve_messages_at *at, struct eve_json_value attempt,
                      struct eve_json_value turn, struct eve_json_value step)
{
    eve_messages_begin_text(at);
    if (attempt.kind != EVE_JSON_NONE) {
        eve_messages_add_value(at, attempt);
        return;
    }
    eve_messages_add_value(at, turn);
    eve_messages_add(at, ":");
    eve_messages_add_value(at, step);
    eve_messages_add(at, ":");
    eve_messages_add_value(at, eve_messages_data(at, "name"));
}

/* The part of the message that has the key built, made if there is none. */
static struct eve_messages_part *part_of_key(struct eve_messages_at *at,
                                             struct eve_messages_message *message)
{
    struct eve_messages *m = at->m;
    if (message == NULL || at->status != EVE_OK) {
        return NULL;
    }
    eve_buf_clear(&m->key, 65536);
    at->status = eve_buf_put(
        &m->key, (struct eve_slice){(char *)&message->made, sizeof message->made}, at->err);
    if (at->status == EVE_OK) {
        at->status = eve_text_decode(eve_buf_slice(&m->text), &m->key, at->err);
    }
    struct eve_map_entry *entry = eve_messages_put(at, &m->authorizations);
    if (entry == NULL) {
        return NULL;
    }
    struct eve_messages_part *part = (struct eve_messages_part *)(uintptr_t)entry->value;
    if (part == NULL) {
        part = eve_messages_add_part(at, message, EVE_PART_AUTHORIZATION);
        entry->value = (uint64_t)(uintptr_t)part;
    }
    message->status = EVE_MESSAGE_STREAMING;
    return part;
}

/* Give the part its state, and keep count of those that are still required. */
static void set_state(struct eve_messages_at *at, struct eve_messages_part *part,
                      enum eve_messages_state state)
{
    at->m->required -= part->state == EVE_STATE_REQUIRED ? 1 : 0;
    at->m->required += state == EVE_STATE_REQUIRED ? 1 : 0;
    part->state = state;
}

void eve_messages_take_required(struct eve_messages_at *at)
{
    struct eve_json_value attempt = eve_messages_data(at, "attemptId");
    struct eve_messages_message *message = eve_messages_message_of_event(at);
    build_key(at, attempt, at->turn, at->step);
    struct eve_messages_part *part = part_of_key(at, message);
    if (part == NULL) {
        return;
    }
    set_state(at, part, EVE_STATE_REQUIRED);
    part->awaits_callback = eve_messages_data(at, "webhookUrl").kind != EVE_JSON_NONE;
    keep_display(at, &part->v[EVE_AUTH_DISPLAY], nothing);
    keep_description(at, &part->v[EVE_AUTH_DESCRIPTION],
                     eve_messages_value(&part->v[EVE_AUTH_DISPLAY]));
    eve_messages_keep(at, &part->v[EVE_AUTH_AUTHORIZATION], eve_messages_data(at, "authorization"));
    eve_messages_keep(at, &part->v[EVE_AUTH_NAME], eve_messages_data(at, "name"));
    eve_messages_keep(at, &part->v[EVE_AUTH_ATTEMPT], attempt);
    eve_messages_keep(at, &part->v[EVE_AUTH_OUTCOME], nothing);
    eve_messages_keep(at, &part->v[EVE_AUTH_REASON], nothing);
    eve_messages_keep(at, &part->v[EVE_AUTH_STEP], at->step);
    eve_messages_keep(at, &part->v[EVE_AUTH_TURN], at->turn);
}

/* What JavaScript takes for false. */
static bool is_falsy(struct eve_json_value value)
{
    static const struct eve_json_value zero = {"0", 1, EVE_JSON_NUMBER, false};
    return value.kind == EVE_JSON_NONE || value.kind == EVE_JSON_NULL ||
           value.kind == EVE_JSON_FALSE || (value.kind == EVE_JSON_STRING && value.n == 2) ||
           eve_key_equal(value, zero);
}

/* The object has a member of that name; any other value has none. */
static bool has_member(struct eve_json_value object, struct eve_json_value name)
{
    struct eve_json j;
    struct eve_json_value other;
    struct eve_err ignored; /* it was scanned before */
    bool found = false;
    if (object.kind != EVE_JSON_OBJECT) {
        return false;
    }
    eve_json_open(&j, (struct eve_slice){object.p, object.n});
    enum eve_status status = eve_json_enter(&j, &ignored);
    while (!found && status == EVE_OK && eve_json_member(&j, &other, &ignored) == EVE_OK) {
        found = eve_key_equal(other, name);
        status = eve_json_skip(&j, NULL, &ignored);
    }
    return found;
}

/* Append the members of an object to the object being built, but for those that `over` has too. */
static void add_members(struct eve_messages_at *at, struct eve_json_value object,
                        struct eve_json_value over)
{
    struct eve_json j;
    struct eve_json_value name;
    struct eve_json_value value;
    struct eve_buf *text = &at->m->text;
    if (object.kind != EVE_JSON_OBJECT) {
        return;
    }
    eve_json_open(&j, (struct eve_slice){object.p, object.n});
    enum eve_status status = eve_json_enter(&j, at->err);
    while (status == EVE_OK && at->status == EVE_OK &&
           eve_json_member(&j, &name, at->err) == EVE_OK) {
        status = eve_json_skip(&j, &value, at->err);
        if (!has_member(over, name)) {
            eve_messages_add(at, text->n == 1 ? "" : ",");
            eve_messages_add_raw(at, name);
            eve_messages_add(at, ":");
            eve_messages_add_raw(at, value);
        }
    }
}

/* Keep both challenges as one; where they differ the event's counts. */
static void keep_challenge(struct eve_messages_at *at, struct eve_messages_kept *k,
                           struct eve_json_value before)
{
    struct eve_json_value said = eve_messages_data(at, "authorization");
    struct eve_buf *text = &at->m->text;
    if (is_falsy(before) && is_falsy(said)) {
        eve_messages_drop(k);
        return;
    }
    eve_messages_begin_text(at);
    eve_messages_add(at, "{");
    add_members(at, before, said);
    add_members(at, said, nothing);
    eve_messages_add(at, "}");
    eve_messages_keep(at, k, (struct eve_json_value){text->p, text->n, EVE_JSON_OBJECT, false});
}

/* Keep a description made of the outcome. */
static void keep_outcome(struct eve_messages_at *at, struct eve_messages_kept *k,
                         struct eve_json_value display)
{
    struct eve_json_value outcome = eve_messages_data(at, "outcome");
    struct eve_json_value reason = eve_messages_data(at, "reason");
    eve_messages_begin_text(at);
    eve_messages_add_value(at, display);
    if (eve_text_is(outcome, "authorized")) {
        eve_messages_add(at, " connected.");
    } else {
        eve_messages_add(at, " authorization ");
        eve_messages_add_value(at, outcome);
        if (reason.kind != EVE_JSON_NONE) {
            eve_messages_add(at, " (");
            eve_messages_add_value(at, reason);
            eve_messages_add(at, ")");
        }
        eve_messages_add(at, ".");
    }
    eve_messages_keep_text(at, k, eve_buf_slice(&at->m->text));
}

/* What a completed part takes over from the one that was pending. */
struct pending {
    bool awaits_callback;
    struct eve_messages_kept v[EVE_AUTH_VALUES];
};

/* Fill in a completed part; what was pending is all nothing if nothing was. */
static void complete(struct eve_messages_at *at, struct eve_messages_part *part,
                     struct pending *was)
{
    struct eve_messages_kept *v = part->v;
    set_state(at, part, EVE_STATE_COMPLETED);
    part->awaits_callback = was->awaits_callback;
    eve_messages_keep(at, &v[EVE_AUTH_NAME], eve_messages_data(at, "name"));
    eve_messages_keep(at, &v[EVE_AUTH_OUTCOME], eve_messages_data(at, "outcome"));
    eve_messages_keep(at, &v[EVE_AUTH_REASON], eve_messages_data(at, "reason"));
    keep_display(at, &v[EVE_AUTH_DISPLAY], eve_messages_value(&was->v[EVE_AUTH_DISPLAY]));
    if (eve_messages_given(eve_messages_value(&was->v[EVE_AUTH_DESCRIPTION]))) {
        eve_messages_move(&v[EVE_AUTH_DESCRIPTION], &was->v[EVE_AUTH_DESCRIPTION]);
    } else {
        keep_outcome(at, &v[EVE_AUTH_DESCRIPTION], eve_messages_value(&v[EVE_AUTH_DISPLAY]));
    }
    keep_challenge(at, &v[EVE_AUTH_AUTHORIZATION],
                   eve_messages_value(&was->v[EVE_AUTH_AUTHORIZATION]));
    eve_messages_move(&v[EVE_AUTH_ATTEMPT], &was->v[EVE_AUTH_ATTEMPT]);
    eve_messages_move(&v[EVE_AUTH_STEP], &was->v[EVE_AUTH_STEP]);
    eve_messages_move(&v[EVE_AUTH_TURN], &was->v[EVE_AUTH_TURN]);
}

/* Keep the event's value if it is given, or nothing is kept. */
static void override(struct eve_messages_at *at, struct eve_messages_kept *k,
                     struct eve_json_value value, bool over)
{
    if (over ? eve_messages_given(value) : !eve_messages_given(eve_messages_value(k))) {
        eve_messages_keep(at, k, value);
    }
}

void eve_messages_take_completed(struct eve_messages_at *at)
{
    struct pending was = {0};
    const struct eve_messages_part *pending = find_pending(at);
    for (size_t i = 0; pending != NULL && i < EVE_AUTH_VALUES; i++) {
        eve_messages_keep(at, &was.v[i], eve_messages_value(&pending->v[i]));
        was.awaits_callback = pending->awaits_callback;
    }
    override(at, &was.v[EVE_AUTH_ATTEMPT], eve_messages_data(at, "attemptId"), true);
    override(at, &was.v[EVE_AUTH_STEP], at->step, false);
    override(at, &was.v[EVE_AUTH_TURN], at->turn, false);
    struct eve_json_value turn = eve_messages_value(&was.v[EVE_AUTH_TURN]);
    struct eve_json_value step = eve_messages_value(&was.v[EVE_AUTH_STEP]);
    struct eve_messages_message *message = eve_messages_assistant(at, turn);
    eve_messages_ensure_steps(at, message, step);
    build_key(at, eve_messages_value(&was.v[EVE_AUTH_ATTEMPT]), turn, step);
    struct eve_messages_part *part = part_of_key(at, message);
    if (part != NULL) {
        complete(at, part, &was);
    }
    for (size_t i = 0; i < EVE_AUTH_VALUES; i++) {
        eve_messages_drop(&was.v[i]);
    }
}
