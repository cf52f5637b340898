#include "decode.h"

#include "num.h"
#include "str.h"
#include "text.h"

/* What an append event is made of. */
struct append {
    enum eve_event_field delta;
    enum eve_event_field sum;   /* cumulative: snapshot or offset */
    enum eve_event_field stray; /* never released, refused or removed with it */
};

static const struct append appends[] = {
    [EVE_EVENT_MESSAGE_APPENDED] = {EVE_FIELD_MESSAGE_DELTA, EVE_FIELD_MESSAGE_SO_FAR,
                                    EVE_FIELD_MESSAGE_OFFSET},
    [EVE_EVENT_REASONING_APPENDED] = {EVE_FIELD_REASONING_DELTA, EVE_FIELD_REASONING_SO_FAR,
                                      EVE_FIELD_REASONING_OFFSET},
    [EVE_EVENT_INPUT_APPENDED] = {EVE_FIELD_INPUT_TEXT_DELTA, EVE_FIELD_INPUT_TEXT_OFFSET,
                                  EVE_FIELD_INPUT_TEXT_OFFSET},
};

static bool is_append(enum eve_event_type type)
{
    return type <= EVE_EVENT_INPUT_APPENDED;
}

enum eve_event_field eve_decode_delta_field(enum eve_event_type type)
{
    return is_append(type) ? appends[type].delta : EVE_FIELD_COUNT;
}

enum eve_event_field eve_decode_sum_field(enum eve_event_type type)
{
    return is_append(type) ? appends[type].sum : EVE_FIELD_COUNT;
}

void eve_decode_init(struct eve_decoder *d)
{
    *d = (struct eve_decoder){0};
    eve_edit_init(&d->edits);
}

void eve_decode_fini(struct eve_decoder *d)
{
    eve_edit_fini(&d->edits);
}

/* Refuse the event, at `value` or, where that is missing, at the event's data or start. */
static enum eve_status refuse(const struct eve_event *ev, struct eve_json_value value,
                              enum eve_rule rule, const char *msg, struct eve_err *err)
{
    const char *at = ev->text.p;
    if (value.kind != EVE_JSON_NONE) {
        at = value.p;
    } else if (ev->data.kind != EVE_JSON_NONE) {
        at = ev->data.p;
    }
    return eve_fail(err, EVE_BAD, rule, msg, (size_t)(at - ev->line.p), 0);
}

static enum eve_status check_snapshot(const struct eve_event *ev, const struct append *a,
                                      struct eve_err *err)
{
    struct eve_json_value snapshot = eve_event_value(ev, a->sum);
    if (snapshot.kind != EVE_JSON_STRING) {
        return refuse(ev, snapshot, EVE_RULE_BAD_SNAPSHOT,
                      snapshot.kind == EVE_JSON_NONE ? "the text so far is missing"
                                                     : "the text so far is not a string",
                      err);
    }
    if (ev->continues == NULL &&
        !eve_text_ends_with(eve_text_of(snapshot), eve_text_of(ev->field[a->delta].value))) {
        return refuse(ev, snapshot, EVE_RULE_SNAPSHOT_MISMATCH,
                      "the text so far does not end with the delta", err);
    }
    return EVE_OK;
}

static enum eve_status check_offset(const struct eve_event *ev, struct eve_err *err)
{
    uint64_t offset = 0;
    struct eve_json_value value = eve_event_value(ev, EVE_FIELD_INPUT_TEXT_OFFSET);
    if (value.kind == EVE_JSON_NONE) {
        return refuse(ev, value, EVE_RULE_BAD_OFFSET, "inputTextOffset is missing", err);
    }
    if (value.kind != EVE_JSON_NUMBER ||
        !eve_num_integer((struct eve_slice){value.p, value.n}, EVE_NUM_SAFE_MAX, &offset)) {
        return refuse(ev, value, EVE_RULE_BAD_OFFSET,
                      "inputTextOffset is not an integer from 0 to 2^53-1", err);
    }
    return EVE_OK;
}

/* Bytes that go are counted for the field of each member: its own, and the comma with white space
 * up to the next member; the last member of an object takes the comma before its run instead. */
static enum eve_status add_cut(struct eve_decoder *d, const struct eve_event *ev, const char *from,
                               const char *to, struct eve_err *err)
{
    d->removed += (size_t)(to - from);
    return eve_edit_add(&d->edits, (size_t)(from - ev->text.p), (size_t)(to - ev->text.p),
                        (struct eve_slice){0}, err);
}

/* One member, once: the neighbourhood that the event noted is enough. */
static enum eve_status cut_one(struct eve_decoder *d, const struct eve_event *ev,
                               enum eve_event_field f, struct eve_err *err)
{
    const struct eve_member *m = &ev->field[f];
    const char *from = m->after != NULL ? m->name : m->before;
    const char *to = m->after != NULL ? m->after : m->value.p + m->value.n;
    d->payload[f] += (size_t)(to - from);
    return add_cut(d, ev, from, to, err);
}

/* Members that go, any number of times: go through `data` again and cut run by run. */
static enum eve_status cut_all(struct eve_decoder *d, const struct eve_event *ev,
                               const struct append *a, struct eve_err *err)
{
    struct eve_json j;
    struct eve_json_value name;
    struct eve_json_value value;
    const char *run = NULL;                       /* first byte of the open run */
    const char *kept_end = NULL;                  /* behind the last member that stays */
    const char *member = NULL;                    /* the removed member just passed */
    enum eve_event_field field = EVE_FIELD_COUNT; /* and what it is */
    eve_json_open(&j, (struct eve_slice){ev->data.p, ev->data.n});
    enum eve_status status = eve_json_enter(&j, err);
    while (status == EVE_OK && (status = eve_json_member(&j, &name, err)) == EVE_OK) {
        enum eve_event_field f = eve_event_find_field(name);
        bool goes = f == a->sum || f == a->stray;
        if (member != NULL) {
            d->payload[field] += (size_t)(name.p - member);
        }
        if (run != NULL && !goes) {
            status = add_cut(d, ev, run, name.p, err);
        }
        run = goes ? (run != NULL ? run : name.p) : NULL;
        member = goes ? name.p : NULL;
        field = f;
        if (status == EVE_OK) {
            status = eve_json_skip(&j, &value, err);
        }
        kept_end = goes ? kept_end : eve_json_at(&j);
    }
    if (status == EVE_END && run != NULL) {
        d->payload[field] += (size_t)(value.p + value.n - member) + (size_t)(run - kept_end);
        status = add_cut(d, ev, kept_end, value.p + value.n, err);
    }
    return status == EVE_END ? EVE_OK : status;
}

static enum eve_status cut(struct eve_decoder *d, const struct eve_event *ev,
                           const struct append *a, struct eve_err *err)
{
    bool stray = a->stray != a->sum && eve_event_has(ev, a->stray);
    return stray || ev->repeated >> a->sum & 1 ? cut_all(d, ev, a, err)
                                               : cut_one(d, ev, a->sum, err);
}

static enum eve_status decode_append(struct eve_decoder *d, const struct eve_event *ev,
                                     unsigned version, struct eve_err *err)
{
    const struct append *a = &appends[ev->type];
    struct eve_json_value delta = eve_event_value(ev, a->delta);
    enum eve_status status = EVE_OK;
    if (ev->data.kind != EVE_JSON_OBJECT) {
        return refuse(ev, ev->data, EVE_RULE_BAD_DATA, "data is not an object", err);
    }
    if (version != EVE_VERSION_AUTO && !eve_event_type_in(ev->type, version)) {
        return refuse(ev, ev->type_value, EVE_RULE_UNSUPPORTED_EVENT,
                      "the declared version has no such event", err);
    }
    if (delta.kind != EVE_JSON_STRING) {
        return refuse(ev, delta, EVE_RULE_BAD_DELTA,
                      delta.kind == EVE_JSON_NONE ? "the delta is missing"
                                                  : "the delta is not a string",
                      err);
    }
    d->legacy = version == EVE_VERSION_AUTO ? eve_event_has(ev, a->sum) : version <= 24;
    if (d->legacy) {
        status = ev->type == EVE_EVENT_INPUT_APPENDED ? check_offset(ev, err)
                                                      : check_snapshot(ev, a, err);
        return status == EVE_OK ? cut(d, ev, a, err) : status;
    }
    if (eve_event_has(ev, a->stray) || eve_event_has(ev, a->sum)) {
        enum eve_event_field f = eve_event_has(ev, a->stray) ? a->stray : a->sum;
        return refuse(ev, ev->field[f].value, EVE_RULE_LEGACY_FIELD,
                      "a member that delta-only streams do not have", err);
    }
    return EVE_OK;
}

/* What matters of one action. */
struct action {
    struct eve_json_value kind;
    struct eve_json_value name;
    struct eve_json_value input;
    const char *end; /* behind the last member */
};

static enum eve_status read_action(struct eve_json *j, struct action *action, struct eve_err *err)
{
    struct eve_json_value name;
    *action = (struct action){0};
    enum eve_status status = eve_json_enter(j, err);
    while (status == EVE_OK && (status = eve_json_member(j, &name, err)) == EVE_OK) {
        struct eve_json_value *where = NULL;
        if (eve_text_is(name, "kind")) {
            where = &action->kind;
        } else if (eve_text_is(name, "name")) {
            where = &action->name;
        } else if (eve_text_is(name, "input")) {
            where = &action->input;
        }
        status = eve_json_skip(j, where, err);
        action->end = eve_json_at(j);
    }
    return status == EVE_END ? EVE_OK : status;
}

/* The raw string `input.skill`, or the name that eve gives where there is none. */
static struct eve_slice skill_name(struct eve_json_value input)
{
    struct eve_json_value skill = eve_event_find(input, "skill");
    return skill.kind == EVE_JSON_STRING ? (struct eve_slice){skill.p, skill.n}
                                         : eve_str("\"load_skill\"");
}

static enum eve_status name_skill(struct eve_decoder *d, const struct eve_event *ev,
                                  const struct action *action, struct eve_err *err)
{
    size_t at = (size_t)(action->end - ev->text.p);
    struct eve_slice member = eve_str(",\"name\":");
    struct eve_slice name = skill_name(action->input);
    d->added += member.n + name.n;
    enum eve_status status = eve_edit_add(&d->edits, at, at, member, err);
    return status == EVE_OK ? eve_edit_add(&d->edits, at, at, name, err) : status;
}

/* The element of `actions` ahead. */
static enum eve_status decode_action(struct eve_decoder *d, const struct eve_event *ev,
                                     struct eve_json *j, bool name_skills, struct eve_err *err)
{
    struct action action;
    if (eve_json_peek(j) != EVE_JSON_OBJECT) {
        struct eve_json_value value;
        enum eve_status status = eve_json_skip(j, &value, err);
        return status != EVE_OK
                   ? status
                   : refuse(ev, value, EVE_RULE_BAD_DATA, "an action is not an object", err);
    }
    struct eve_json_value whole = {eve_json_at(j), 0, EVE_JSON_OBJECT, false};
    enum eve_status status = read_action(j, &action, err);
    bool unnamed = status == EVE_OK && eve_text_is(action.kind, "load-skill") &&
                   action.name.kind != EVE_JSON_STRING;
    if (unnamed && action.input.kind != EVE_JSON_OBJECT) {
        return refuse(ev, action.input.kind != EVE_JSON_NONE ? action.input : whole,
                      EVE_RULE_BAD_DATA, "a load-skill action has neither a name nor an input",
                      err);
    }
    return unnamed && name_skills ? name_skill(d, ev, &action, err) : status;
}

static enum eve_status decode_request(struct eve_decoder *d, const struct eve_event *ev,
                                      bool name_skills, struct eve_err *err)
{
    struct eve_json j;
    struct eve_json_value actions = eve_event_value(ev, EVE_FIELD_ACTIONS);
    if (ev->data.kind != EVE_JSON_OBJECT) {
        return refuse(ev, ev->data, EVE_RULE_BAD_DATA, "data is not an object", err);
    }
    if (actions.kind != EVE_JSON_ARRAY) {
        return refuse(ev, actions, EVE_RULE_BAD_DATA, "actions is not an array", err);
    }
    eve_json_open(&j, (struct eve_slice){actions.p, actions.n});
    enum eve_status status = eve_json_enter(&j, err);
    while (status == EVE_OK && (status = eve_json_element(&j, err)) == EVE_OK) {
        status = decode_action(d, ev, &j, name_skills, err);
    }
    return status == EVE_END ? EVE_OK : status;
}

enum eve_status eve_decode(struct eve_decoder *d, const struct eve_event *ev, unsigned version,
                           bool name_skills, struct eve_err *err)
{
    d->edits.n = 0;
    d->legacy = false;
    d->added = d->removed = 0;
    memset(d->payload, 0, sizeof d->payload);
    if (is_append(ev->type)) {
        return decode_append(d, ev, version, err);
    }
    if (ev->type == EVE_EVENT_ACTIONS_REQUESTED) {
        return decode_request(d, ev, name_skills, err);
    }
    return EVE_OK;
}
