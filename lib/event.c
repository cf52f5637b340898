#include "event.h"

#include "str.h"
#include "text.h"

struct name {
    const char *s;
    size_t n;
};

#define NAME(literal)                                                                              \
    {                                                                                              \
        literal, sizeof(literal) - 1                                                               \
    }

static const struct name type_names[] = {
#define X(symbol, name, first, last) NAME(name),
    EVE_EVENT_TYPES(X)
#undef X
};

static const struct {
    unsigned char first;
    unsigned char last;
} type_versions[] = {
#define X(symbol, name, first, last) {first, last},
    EVE_EVENT_TYPES(X)
#undef X
};

static const struct name field_names[] = {
#define X(symbol, name) NAME(name),
    EVE_EVENT_FIELDS(X)
#undef X
};

/* Which of the `count` names the string says; `count` if none. */
static size_t find_name(struct eve_json_value string, const struct name *names, size_t count)
{
    struct eve_slice text = eve_text_of(string);
    size_t i = 0;
    if (string.escaped) {
        while (i < count && !eve_text_is(string, names[i].s)) {
            i++;
        }
        return i;
    }
    while (i < count && (names[i].n != text.n || memcmp(names[i].s, text.p, text.n) != 0)) {
        i++;
    }
    return i;
}

const char *eve_event_field_name(enum eve_event_field f)
{
    return field_names[f].s;
}

const char *eve_event_type_name(enum eve_event_type type)
{
    return type == EVE_EVENT_OTHER ? NULL : type_names[type].s;
}

bool eve_event_type_in(enum eve_event_type type, unsigned version)
{
    return type != EVE_EVENT_OTHER && version >= type_versions[type].first &&
           version <= type_versions[type].last;
}

enum eve_event_field eve_event_find_field(struct eve_json_value name)
{
    return (enum eve_event_field)find_name(name, field_names, EVE_FIELD_COUNT);
}

struct eve_json_value eve_event_find(struct eve_json_value object, const char *name)
{
    struct eve_json j;
    struct eve_json_value said;
    struct eve_json_value value;
    struct eve_json_value found = {0};
    struct eve_err ignored; /* it was scanned before: nothing can be wrong */
    if (object.kind != EVE_JSON_OBJECT) {
        return found;
    }
    eve_json_open(&j, (struct eve_slice){object.p, object.n});
    if (eve_json_enter(&j, &ignored) != EVE_OK) {
        return found;
    }
    while (eve_json_member(&j, &said, &ignored) == EVE_OK &&
           eve_json_skip(&j, &value, &ignored) == EVE_OK) {
        found = eve_text_is(said, name) ? value : found;
    }
    return found;
}

/* Go through the object ahead, the last `data` so far. */
static enum eve_status scan_data(struct eve_event *ev, struct eve_json *j, struct eve_err *err)
{
    struct eve_json_value name;
    struct eve_member *open = NULL; /* the member before this one, if it is a field */
    const char *before = NULL;
    ev->seen = ev->repeated = ev->data_other = 0;
    enum eve_status status = eve_json_enter(j, err);
    while (status == EVE_OK && (status = eve_json_member(j, &name, err)) == EVE_OK) {
        struct eve_member scratch;
        struct eve_member *m = &scratch;
        enum eve_event_field f = eve_event_find_field(name);
        if (open != NULL) {
            open->after = name.p;
        }
        if (f == EVE_FIELD_COUNT) {
            ev->data_other++;
            open = NULL;
        } else {
            ev->repeated |= ev->seen & UINT32_C(1) << f;
            ev->seen |= UINT32_C(1) << f;
            m = open = &ev->field[f];
        }
        m->name = name.p;
        m->before = before;
        m->after = NULL;
        status = eve_json_skip(j, &m->value, err);
        before = eve_json_at(j);
    }
    return status == EVE_END ? EVE_OK : status;
}

/* Go through the object ahead, the last `meta` so far. */
static enum eve_status scan_meta(struct eve_event *ev, struct eve_json *j, struct eve_err *err)
{
    struct eve_json_value name;
    enum eve_status status = eve_json_enter(j, err);
    while (status == EVE_OK && (status = eve_json_member(j, &name, err)) == EVE_OK) {
        struct eve_json_value *where = NULL;
        if (eve_text_is(name, "id")) {
            where = &ev->id;
        } else if (eve_text_is(name, "at")) {
            where = &ev->at;
        }
        status = eve_json_skip(j, where, err);
    }
    return status == EVE_END ? EVE_OK : status;
}

/* What the top-level names amount to while the line is gone through. */
struct top {
    struct eve_json_value type;
    bool control; /* $eve */
    bool newer;   /* facts or progress */
};

/* Step over the value of `data` or `meta`, looking into it if it is an object. */
static enum eve_status scan_member(struct eve_event *ev, struct eve_json *j, bool is_data,
                                   struct eve_json_value *out, struct eve_err *err)
{
    if (is_data) {
        ev->seen = ev->repeated = ev->data_other = 0;
    } else {
        ev->id = ev->at = (struct eve_json_value){0};
    }
    if (eve_json_peek(j) != EVE_JSON_OBJECT) {
        return eve_json_skip(j, out, err);
    }
    struct eve_json_value value = {eve_json_at(j), 0, EVE_JSON_OBJECT, false};
    enum eve_status status = is_data ? scan_data(ev, j, err) : scan_meta(ev, j, err);
    value.n = (size_t)(eve_json_at(j) - value.p);
    *out = value;
    return status;
}

static enum eve_status scan_top(struct eve_event *ev, struct eve_json *j, struct top *top,
                                struct eve_slice group, struct eve_err *err)
{
    struct eve_json_value name;
    struct eve_json_value value;
    enum eve_status status = eve_json_enter(j, err);
    while (status == EVE_OK && (status = eve_json_member(j, &name, err)) == EVE_OK) {
        struct eve_json_value *where = NULL;
        bool grouped = group.n > 0 && eve_text_says(name, group);
        if (eve_text_is(name, "data")) {
            where = &ev->data;
        } else if (eve_text_is(name, "type")) {
            where = &top->type;
        } else if (eve_text_is(name, "meta")) {
            where = &ev->meta;
        } else {
            top->control |= eve_text_is(name, "$eve");
            top->newer |= eve_text_is(name, "facts") || eve_text_is(name, "progress");
        }
        bool wanted = where != NULL || grouped;
        bool again = (where == NULL ? ev->group : *where).kind != EVE_JSON_NONE;
        ev->plain = ev->plain && wanted && !again;
        status = where == &ev->data || where == &ev->meta
                     ? scan_member(ev, j, where == &ev->data, &value, err)
                     : eve_json_skip(j, &value, err);
        if (where != NULL) {
            *where = value;
        }
        if (grouped) {
            ev->group = value;
        }
    }
    return status == EVE_END ? EVE_OK : status;
}

/* The line is whole and valid JSON; is it an event? */
static enum eve_status judge(struct eve_event *ev, const struct top *top, size_t pos,
                             struct eve_err *err)
{
    if (top->type.kind == EVE_JSON_STRING) {
        ev->kind = EVE_LINE_EVENT;
        ev->type_value = top->type;
        ev->type = (enum eve_event_type)find_name(top->type, type_names, EVE_EVENT_OTHER);
        return EVE_OK;
    }
    if (top->control) {
        ev->kind = EVE_LINE_CONTROL;
        return EVE_OK;
    }
    if (top->type.kind != EVE_JSON_NONE) {
        return eve_fail(err, EVE_BAD, EVE_RULE_TYPE_MISSING, "type is not a string",
                        (size_t)(top->type.p - ev->line.p), 0);
    }
    if (top->newer) {
        return eve_fail(err, EVE_BAD, EVE_RULE_NEWER_FORMAT,
                        "stream version 27 or newer (facts, progress), which is not read yet", pos,
                        0);
    }
    return eve_fail(err, EVE_BAD, EVE_RULE_TYPE_MISSING, "no member type", pos, 0);
}

static enum eve_status scan_line(struct eve_event *ev, const struct eve_event_options *options,
                                 struct eve_err *err)
{
    struct eve_json j;
    struct top top = {0};
    enum eve_status status = EVE_OK;
    eve_json_open(&j, ev->text);
    bool object = eve_json_peek(&j) == EVE_JSON_OBJECT;
    status = object ? scan_top(ev, &j, &top, options->group, err) : eve_json_skip(&j, NULL, err);
    if (status == EVE_OK) {
        status = eve_json_finish(&j, err);
    }
    if (status != EVE_OK) {
        err->pos += (size_t)(ev->text.p - ev->line.p);
        return status;
    }
    size_t pos = (size_t)(ev->text.p - ev->line.p);
    if (!object) {
        return eve_fail(err, EVE_BAD, EVE_RULE_NOT_OBJECT, "not an object", pos, 0);
    }
    return judge(ev, &top, pos, err);
}

enum eve_status eve_event_parse(struct eve_event *ev, struct eve_slice line, bool ended,
                                const struct eve_event_options *options, struct eve_err *err)
{
    struct eve_slice text = line;
    if (eve_str_starts(text, "\xEF\xBB\xBF")) {
        text = eve_str_sub(text, 3, text.n);
    }
    ev->line = line;
    ev->ended = ended;
    ev->text = text = eve_str_trim(text);
    ev->kind = EVE_LINE_BLANK;
    ev->type = EVE_EVENT_OTHER;
    ev->data = ev->meta = ev->id = ev->at = ev->group = (struct eve_json_value){0};
    ev->seen = ev->repeated = ev->data_other = 0;
    ev->plain = true;
    ev->continues = NULL;
    ev->shape = 0;
    if (text.n == 0) {
        return EVE_OK;
    }
    enum eve_status status = scan_line(ev, options, err);
    bool stops_short = status == EVE_BAD && err->pos == (size_t)(text.p + text.n - line.p);
    if (stops_short && !ended &&
        (err->rule == EVE_RULE_JSON_SYNTAX || err->rule == EVE_RULE_JSON_UTF8)) {
        err->rule = EVE_RULE_TRUNCATED;
        err->msg = "the last line is cut off";
    }
    return status;
}
