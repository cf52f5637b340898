#include "draft.h"

#include "mem.h"
#include "num.h"
#include "saved.h"
#include "spell.h"
#include "str.h"
#include "text.h"

#include <errno.h>
#include <string.h>

enum { KEEP_ROOM = 4096 };

/* The names of the parts in a state file, and what of an event they are. */
static const struct {
    const char *name;
    enum eve_event_field field; /* EVE_FIELD_COUNT: the group */
} parts[] = {
    [EVE_DRAFT_GROUP] = {"group", EVE_FIELD_COUNT},
    [EVE_DRAFT_TURN] = {"turnId", EVE_FIELD_TURN_ID},
    [EVE_DRAFT_STEP] = {"stepIndex", EVE_FIELD_STEP_INDEX},
    [EVE_DRAFT_SEQUENCE] = {"sequence", EVE_FIELD_SEQUENCE},
    [EVE_DRAFT_CALL] = {"callId", EVE_FIELD_CALL_ID},
    [EVE_DRAFT_TOOL] = {"toolName", EVE_FIELD_TOOL_NAME},
};

void eve_draft_init(struct eve_draft *d)
{
    *d = (struct eve_draft){0};
    eve_buf_init(&d->text, SIZE_MAX / 2);
}

void eve_draft_fini(struct eve_draft *d)
{
    eve_buf_fini(&d->text);
    eve_mem_free(d->raw);
    eve_mem_free(d->input);
    eve_draft_init(d);
}

void eve_draft_clear(struct eve_draft *d, bool keep)
{
    eve_buf_clear(&d->text, keep ? KEEP_ROOM : 0);
    d->deltas = 0;
    if (d->input != NULL) {
        *d->input = (struct eve_draft_input){0};
    }
}

static struct eve_json_value part_of(const struct eve_event *ev, enum eve_draft_part part)
{
    return part == EVE_DRAFT_GROUP ? ev->group : eve_event_value(ev, parts[part].field);
}

/* Only tool inputs have calls. */
static size_t part_count(enum eve_event_type kind)
{
    return kind == EVE_EVENT_INPUT_APPENDED ? EVE_DRAFT_PART_COUNT : EVE_DRAFT_CALL;
}

/* Copies of the parts, in memory of just their size. */
static enum eve_status put_parts(struct eve_draft *d, const struct eve_event *ev,
                                 struct eve_err *err)
{
    size_t total = 0;
    size_t count = part_count(ev->type);
    for (size_t i = 0; i < count; i++) {
        size_t n = part_of(ev, (enum eve_draft_part)i).n;
        if (n > UINT32_MAX - total) {
            return eve_fail(err, EVE_FAIL, EVE_RULE_NONE, "coordinates of over 4 GiB", 0, ENOMEM);
        }
        total += n;
    }
    enum eve_status status = eve_mem_resize(&d->raw, total + 1, 1, err);
    uint32_t at = 0;
    for (size_t i = 0; i < EVE_DRAFT_PART_COUNT && status == EVE_OK; i++) {
        if (i < count) {
            struct eve_json_value value = part_of(ev, (enum eve_draft_part)i);
            memcpy(d->raw + at, value.n > 0 ? value.p : "", value.n);
            at += (uint32_t)value.n;
        }
        d->end[i] = at;
    }
    return status;
}

enum eve_status eve_draft_begin(struct eve_draft *d, const struct eve_event *ev, uint64_t index,
                                struct eve_err *err)
{
    enum eve_status status = EVE_OK;
    d->text.n = 0;
    d->deltas = 0;
    d->kind = ev->type;
    d->partial = false;
    d->first = d->last = index;
    if (ev->type == EVE_EVENT_INPUT_APPENDED) {
        if (d->input == NULL) {
            status = eve_mem_resize(&d->input, 1, sizeof *d->input, err);
        }
        if (status == EVE_OK) {
            *d->input = (struct eve_draft_input){0};
        }
    }
    return status == EVE_OK ? put_parts(d, ev, err) : status;
}

/* A delta begins with a brace, at `at`. */
static void note_start(struct eve_draft *d, size_t at)
{
    d->input->starts[d->input->start_count++ % EVE_DRAFT_STARTS] = at;
}

static bool begins_with_brace(struct eve_slice text)
{
    struct eve_text_units u;
    eve_text_units_init(&u, text);
    return eve_text_next(&u) == '{';
}

enum eve_status eve_draft_append(struct eve_draft *d, struct eve_json_value delta, uint64_t index,
                                 struct eve_err *err)
{
    size_t at = d->text.n;
    size_t n = delta.n - 2;
    /* No spelling is longer than the one that came. */
    enum eve_status status = eve_buf_reserve_close(&d->text, n, err);
    if (status == EVE_OK && delta.escaped) {
        status = eve_spell_put(&d->text, 0, delta, err);
    } else if (status == EVE_OK && n > 0) {
        memcpy(d->text.p + at, delta.p + 1, n);
        d->text.n += n;
    }
    d->deltas++;
    d->last = index;
    if (d->kind == EVE_EVENT_INPUT_APPENDED && status == EVE_OK) {
        d->input->before = d->input->units;
        d->input->units += eve_text_count(eve_text_of(delta));
        if (begins_with_brace(eve_text_of(delta))) {
            note_start(d, at);
        }
    }
    return status;
}

enum eve_status eve_draft_replace(struct eve_draft *d, struct eve_json_value snapshot,
                                  uint64_t index, struct eve_err *err)
{
    d->text.n = 0;
    return eve_draft_append(d, snapshot, index, err);
}

/* The bytes of a part; none if the event did not have it. */
static struct eve_slice bytes_of(const struct eve_draft *d, enum eve_draft_part part)
{
    uint32_t from = part > 0 ? d->end[part - 1] : 0;
    return (struct eve_slice){d->raw + from, d->end[part] - from};
}

struct eve_json_value eve_draft_part(const struct eve_draft *d, enum eve_draft_part part)
{
    struct eve_slice raw = bytes_of(d, part);
    struct eve_json_value value = {0};
    if (raw.n > 0) {
        value = (struct eve_json_value){raw.p, raw.n, eve_json_kind_of(*raw.p), false};
        value.escaped = value.kind == EVE_JSON_STRING && memchr(raw.p, '\\', raw.n) != NULL;
    }
    return value;
}

static bool same_bytes(const struct eve_draft *d, enum eve_draft_part part,
                       struct eve_json_value value)
{
    return eve_str_equal(bytes_of(d, part), (struct eve_slice){value.p, value.n});
}

bool eve_draft_is_at(const struct eve_draft *d, const struct eve_event *ev)
{
    if (d->kind != ev->type || !same_bytes(d, EVE_DRAFT_GROUP, ev->group)) {
        return false;
    }
    if (d->kind == EVE_EVENT_INPUT_APPENDED) {
        return same_bytes(d, EVE_DRAFT_CALL, eve_event_value(ev, EVE_FIELD_CALL_ID));
    }
    return same_bytes(d, EVE_DRAFT_TURN, eve_event_value(ev, EVE_FIELD_TURN_ID)) &&
           same_bytes(d, EVE_DRAFT_STEP, eve_event_value(ev, EVE_FIELD_STEP_INDEX));
}

void eve_draft_event(const struct eve_draft *d, struct eve_event *ev)
{
    *ev = (struct eve_event){.kind = EVE_LINE_EVENT, .type = d->kind};
    ev->group = eve_draft_part(d, EVE_DRAFT_GROUP);
    for (size_t i = EVE_DRAFT_TURN; i < EVE_DRAFT_PART_COUNT; i++) {
        struct eve_json_value value = eve_draft_part(d, (enum eve_draft_part)i);
        if (value.kind != EVE_JSON_NONE) {
            ev->seen |= UINT32_C(1) << parts[i].field;
            ev->field[parts[i].field].value = value;
        }
    }
}

static void save_starts(const struct eve_draft_input *input, struct eve_saved *out)
{
    size_t n = input->start_count < EVE_DRAFT_STARTS ? input->start_count : EVE_DRAFT_STARTS;
    eve_saved_open(out, "starts", '[');
    for (size_t i = input->start_count - n; i < input->start_count; i++) {
        eve_saved_count(out, NULL, input->starts[i % EVE_DRAFT_STARTS]);
    }
    eve_saved_close(out, ']');
}

void eve_draft_save(const struct eve_draft *d, const char *name, struct eve_saved *out)
{
    eve_saved_open(out, name, '{');
    eve_saved_text(out, "type", eve_str(eve_event_type_name(d->kind)));
    for (size_t i = 0; i < EVE_DRAFT_PART_COUNT; i++) {
        struct eve_slice raw = bytes_of(d, (enum eve_draft_part)i);
        if (raw.n > 0) {
            eve_saved_raw(out, parts[i].name, raw);
        }
    }
    eve_saved_flag(out, "partial", d->partial);
    eve_saved_count(out, "deltas", d->deltas);
    eve_saved_count(out, "firstEvent", d->first);
    eve_saved_count(out, "lastEvent", d->last);
    if (d->kind == EVE_EVENT_INPUT_APPENDED) {
        eve_saved_count(out, "units", d->input->units);
        save_starts(d->input, out);
    }
    eve_saved_text(out, "text", eve_buf_slice(&d->text));
    eve_saved_close(out, '}');
}

static enum eve_status load_starts(struct eve_draft *d, struct eve_json_value object,
                                   struct eve_err *err)
{
    struct eve_json_value array;
    struct eve_json_value number;
    uint64_t start = 0;
    size_t at = 0;
    d->input->start_count = 0;
    enum eve_status status = eve_saved_get(object, "starts", EVE_JSON_ARRAY, &array, err);
    while (status == EVE_OK && eve_saved_next(array, &at, &number)) {
        if (number.kind != EVE_JSON_NUMBER ||
            !eve_num_integer((struct eve_slice){number.p, number.n}, d->text.n, &start) ||
            start == d->text.n || d->text.p[start] != '{') {
            status = eve_fail(err, EVE_BAD, EVE_RULE_NONE, "starts", 0, 0);
        } else {
            note_start(d, (size_t)start);
        }
    }
    return status;
}

/* The type and the coordinates. */
static enum eve_status load_head(struct eve_draft *d, struct eve_json_value object,
                                 struct eve_err *err)
{
    struct eve_json_value type;
    enum eve_status status = eve_saved_get(object, "type", EVE_JSON_STRING, &type, err);
    if (status != EVE_OK) {
        return status;
    }
    for (int i = EVE_EVENT_MESSAGE_APPENDED; i <= EVE_EVENT_INPUT_APPENDED; i++) {
        if (eve_text_is(type, eve_event_type_name((enum eve_event_type)i))) {
            struct eve_event ev = {.type = (enum eve_event_type)i};
            ev.group = eve_event_find(object, "group");
            for (size_t k = EVE_DRAFT_TURN; k < EVE_DRAFT_PART_COUNT; k++) {
                ev.field[parts[k].field].value = eve_event_find(object, parts[k].name);
                ev.seen |= UINT32_C(1) << parts[k].field;
            }
            return eve_draft_begin(d, &ev, 0, err);
        }
    }
    return eve_fail(err, EVE_BAD, EVE_RULE_NONE, "type", 0, 0);
}

enum eve_status eve_draft_load(struct eve_draft *d, struct eve_json_value object,
                               struct eve_err *err)
{
    struct eve_json_value text;
    bool partial = false;
    enum eve_status status = load_head(d, object, err);
    if (status == EVE_OK) {
        status = eve_saved_get(object, "text", EVE_JSON_STRING, &text, err);
    }
    if (status == EVE_OK) {
        status = eve_draft_replace(d, text, 0, err);
    }
    if (status == EVE_OK) {
        status = eve_saved_get_flag(object, "partial", &partial, err);
    }
    d->partial = partial;
    const struct {
        const char *name;
        uint64_t *n;
    } counts[] = {{"deltas", &d->deltas}, {"firstEvent", &d->first}, {"lastEvent", &d->last}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts && status == EVE_OK; i++) {
        status = eve_saved_get_count(object, counts[i].name, counts[i].n, err);
    }
    if (status == EVE_OK && d->kind == EVE_EVENT_INPUT_APPENDED) {
        status = eve_saved_get_count(object, "units", &d->input->units, err);
        status = status == EVE_OK ? load_starts(d, object, err) : status;
    }
    return status;
}
