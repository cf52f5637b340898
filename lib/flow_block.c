#include "flow_block.h"

#include "key.h"
#include "num.h"
#include "str.h"
#include "text.h"

/* The coordinates of an append. */
static const enum eve_event_field fields[] = {EVE_FIELD_TURN_ID, EVE_FIELD_STEP_INDEX,
                                              EVE_FIELD_SEQUENCE, EVE_FIELD_CALL_ID,
                                              EVE_FIELD_TOOL_NAME};
enum { FIELDS = sizeof fields / sizeof *fields };

/* Append `,"NAME":VALUE`, or nothing if there is no value. */
static enum eve_status put_member(struct eve_buf *out, const char *name,
                                  struct eve_json_value value, struct eve_err *err)
{
    if (value.kind == EVE_JSON_NONE) {
        return EVE_OK;
    }
    enum eve_status status = eve_buf_puts(out, ",\"", err);
    if (status == EVE_OK) {
        status = eve_buf_puts(out, name, err);
    }
    if (status == EVE_OK) {
        status = eve_buf_puts(out, "\":", err);
    }
    return status == EVE_OK ? eve_buf_put(out, (struct eve_slice){value.p, value.n}, err) : status;
}

/* The coordinates of the append as keys, in b->coordinates; *changed: it held others. */
static enum eve_status take_coordinates(struct eve_flow_block *b, const struct eve_event *ev,
                                        bool *changed, struct eve_err *err)
{
    struct eve_buf *keys = &b->coordinates;
    size_t before = keys->n;
    enum eve_status status = EVE_OK;
    for (size_t i = 0; i < FIELDS && status == EVE_OK; i++) {
        status = eve_key_put(keys, eve_event_value(ev, fields[i]), err);
    }
    struct eve_slice old = eve_str_sub(eve_buf_slice(keys), 0, before);
    struct eve_slice now = eve_str_sub(eve_buf_slice(keys), before, keys->n);
    *changed = status == EVE_OK && before > 0 && !eve_str_equal(old, now);
    keys->n = before > 0 ? before : keys->n;
    return status;
}

enum eve_status eve_flow_block_begin(struct eve_flow_block *b, const struct eve_event *ev,
                                     struct eve_err *err)
{
    if (b->text.max == 0) {
        eve_buf_init(&b->text, SIZE_MAX / 2);
        eve_buf_init(&b->head, SIZE_MAX / 2);
        eve_buf_init(&b->id, SIZE_MAX / 2);
        eve_buf_init(&b->coordinates, SIZE_MAX / 2);
    }
    b->text.n = b->head.n = b->id.n = b->coordinates.n = 0;
    b->legacy = b->settled = b->partial = b->mixed = false;
    b->try_count = 0;
    enum eve_status status = eve_buf_puts(&b->head, "{\"data\":{\"", err);
    if (status == EVE_OK) {
        status =
            eve_buf_puts(&b->head, eve_event_field_name(eve_decode_delta_field(ev->type)), err);
    }
    if (status == EVE_OK) {
        status = eve_buf_puts(&b->head, "\":\"\"", err);
    }
    for (size_t i = 0; i < FIELDS && status == EVE_OK; i++) {
        status = put_member(&b->head, eve_event_field_name(fields[i]),
                            eve_event_value(ev, fields[i]), err);
    }
    if (status == EVE_OK) {
        status = eve_buf_putc(&b->head, '}', err);
    }
    if (status == EVE_OK) {
        status = put_member(&b->head, "type", ev->type_value, err);
    }
    if (status == EVE_OK) {
        status = put_member(&b->head, "group", ev->group, err);
    }
    return status == EVE_OK ? eve_buf_putc(&b->head, '}', err) : status;
}

static void forget_text(struct eve_flow_block *b)
{
    b->text.n = 0;
    b->try_count = 0;
}

/* A legacy append of a message or reasoning. A text that starts again shows nothing but its delta;
 * any other snapshot that does not go on is a gap, in which deltas are all there is to go by. Where
 * the stream may have been joined in the middle, the first snapshot is the text so far. */
static enum eve_status take_snapshot(struct eve_flow_block *b, struct eve_slice snapshot,
                                     struct eve_slice delta, struct eve_err *err)
{
    bool begins = b->text.n == 0 && b->partial;
    if (begins || (b->text.n > 0 && eve_text_equal(snapshot, delta) &&
                   !eve_text_is_sum(snapshot, eve_buf_slice(&b->text), delta))) {
        forget_text(b);
        return eve_buf_put(&b->text, snapshot, err);
    }
    return eve_buf_put(&b->text, delta, err);
}

/* A delta of a tool input, which may begin an attempt. */
static void note_try(struct eve_flow_block *b, struct eve_slice delta)
{
    struct eve_text_units u;
    eve_text_units_init(&u, delta);
    if (eve_text_next(&u) == '{') {
        b->tries[b->try_count++ % EVE_FLOW_TRIES] = b->text.n;
    }
}

enum eve_status eve_flow_block_append(struct eve_flow_block *b, const struct eve_event *ev,
                                      bool legacy, struct eve_err *err)
{
    uint64_t offset = 0;
    struct eve_slice delta = eve_text_of(eve_event_value(ev, eve_decode_delta_field(ev->type)));
    struct eve_json_value sum = eve_event_value(ev, eve_decode_sum_field(ev->type));
    b->legacy = b->legacy || legacy;
    b->id.n = 0;
    bool changed = false;
    enum eve_status status = eve_buf_put(&b->id, (struct eve_slice){ev->id.p, ev->id.n}, err);
    if (status == EVE_OK) {
        status = take_coordinates(b, ev, &changed, err);
    }
    if (status == EVE_OK && changed && !b->mixed) { /* no real stream does that: show it */
        b->mixed = true;
        b->head.n--;
        status = eve_buf_puts(&b->head, ",\"mixed\":true}", err);
    }
    if (status != EVE_OK) {
        return status;
    }
    if (legacy && ev->type != EVE_EVENT_INPUT_APPENDED) {
        return take_snapshot(b, eve_text_of(sum), delta, err);
    }
    if (legacy && eve_num_integer((struct eve_slice){sum.p, sum.n}, EVE_NUM_SAFE_MAX, &offset) &&
        offset == 0) {
        forget_text(b);
    }
    if (ev->type == EVE_EVENT_INPUT_APPENDED) {
        note_try(b, delta);
    }
    return eve_buf_put(&b->text, delta, err);
}

enum eve_status eve_flow_block_complete(struct eve_flow_block *b, struct eve_json_value completed,
                                        struct eve_err *err)
{
    if (completed.kind != EVE_JSON_STRING) {
        return EVE_OK;
    }
    struct eve_slice text = eve_text_of(completed);
    if (!b->partial && (text.n == 0 || !eve_text_ends_with(eve_buf_slice(&b->text), text))) {
        return EVE_OK;
    }
    b->settled = true;
    b->text.n = 0;
    return eve_buf_put(&b->text, text, err);
}

/* The text from `from` on is the requested input. */
static enum eve_status is_input(const struct eve_flow_block *b, size_t from, struct eve_slice input,
                                struct eve_flow_trees *trees, bool *is, struct eve_err *err)
{
    trees->text.n = 0;
    struct eve_slice tail = eve_str_sub(eve_buf_slice(&b->text), from, b->text.n);
    enum eve_status status = eve_text_decode(tail, &trees->text, err);
    return status == EVE_OK
               ? eve_value_same(&trees->a, &trees->b, eve_buf_slice(&trees->text), input, is, err)
               : status;
}

enum eve_status eve_flow_block_request(struct eve_flow_block *b, struct eve_json_value input,
                                       struct eve_flow_trees *trees, struct eve_err *err)
{
    bool is = false;
    struct eve_slice raw = {input.p, input.n};
    if (input.kind == EVE_JSON_NONE || b->text.n == 0) {
        return EVE_OK;
    }
    enum eve_status status = is_input(b, 0, raw, trees, &is, err);
    uint64_t tries = b->try_count < EVE_FLOW_TRIES ? b->try_count : EVE_FLOW_TRIES;
    for (uint64_t i = 1; i <= tries && status == EVE_OK && !is; i++) {
        size_t from = b->tries[(b->try_count - i) % EVE_FLOW_TRIES];
        status = is_input(b, from, raw, trees, &is, err);
        if (status == EVE_OK && is) {
            memmove(b->text.p, b->text.p + from, b->text.n - from);
            b->text.n -= from;
        }
    }
    b->settled = is;
    return status;
}

void eve_flow_block_fini(struct eve_flow_block *b)
{
    eve_buf_fini(&b->text);
    eve_buf_fini(&b->head);
    eve_buf_fini(&b->id);
    eve_buf_fini(&b->coordinates);
    b->text.max = 0;
}
