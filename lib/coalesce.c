#include "coalesce.h"

#include "decode.h"
#include "key.h"
#include "str.h"
#include "text.h"

enum { KEEP_ROOM = 1 << 20 };

void eve_coalesce_init(struct eve_coalesce *c)
{
    *c = (struct eve_coalesce){0};
    eve_buf_init(&c->held, SIZE_MAX / 2);
    eve_buf_init(&c->delta, SIZE_MAX / 2);
    eve_buf_init(&c->key, SIZE_MAX / 2);
    eve_buf_init(&c->next, SIZE_MAX / 2);
}

void eve_coalesce_fini(struct eve_coalesce *c)
{
    eve_buf_fini(&c->held);
    eve_buf_fini(&c->delta);
    eve_buf_fini(&c->key);
    eve_buf_fini(&c->next);
}

size_t eve_coalesce_pending(const struct eve_coalesce *c)
{
    return c->held.n == 0 ? 0 : c->held.n - (c->delta_to - c->delta_from) + c->delta.n + 1;
}

enum eve_status eve_coalesce_release(struct eve_coalesce *c, struct eve_out *out,
                                     struct eve_err *err)
{
    if (c->held.n == 0) {
        return EVE_OK;
    }
    struct eve_slice held = eve_buf_slice(&c->held);
    enum eve_status status = eve_out_put(out, eve_str_sub(held, 0, c->delta_from), err);
    if (status == EVE_OK) {
        status = eve_out_put(out, eve_buf_slice(&c->delta), err);
    }
    if (status == EVE_OK) {
        status = eve_out_put(out, eve_str_sub(held, c->delta_to, held.n), err);
    }
    if (status == EVE_OK) {
        status = eve_out_put(out, eve_str("\n"), err);
    }
    eve_buf_clear(&c->held, KEEP_ROOM);
    eve_buf_clear(&c->delta, KEEP_ROOM);
    c->joinable = false;
    return status;
}

/* The members of an append that a joined one still tells; all must be there, once, and no other. */
static bool is_plain_append(const struct eve_event *ev)
{
    uint32_t wanted = UINT32_C(1) << EVE_FIELD_SEQUENCE | UINT32_C(1) << EVE_FIELD_STEP_INDEX |
                      UINT32_C(1) << EVE_FIELD_TURN_ID;
    uint32_t removed = (UINT32_C(1) << EVE_FIELD_REMOVED_COUNT) - 1;
    enum eve_event_field delta = eve_decode_delta_field(ev->type);
    if (delta == EVE_FIELD_COUNT || !ev->plain || ev->data_other > 0 ||
        (ev->repeated & ~removed) != 0) {
        return false;
    }
    wanted |= UINT32_C(1) << delta;
    if (ev->type == EVE_EVENT_INPUT_APPENDED) {
        wanted |= UINT32_C(1) << EVE_FIELD_CALL_ID | UINT32_C(1) << EVE_FIELD_TOOL_NAME;
    }
    /* What is removed from this type is gone in `text`; what is not, is one member too many. */
    enum eve_event_field sum = eve_decode_sum_field(ev->type);
    uint32_t gone = UINT32_C(1) << sum;
    if (ev->type == EVE_EVENT_MESSAGE_APPENDED) {
        gone |= UINT32_C(1) << EVE_FIELD_MESSAGE_OFFSET;
    } else if (ev->type == EVE_EVENT_REASONING_APPENDED) {
        gone |= UINT32_C(1) << EVE_FIELD_REASONING_OFFSET;
    }
    return (ev->seen & ~gone) == wanted;
}

/* What two appends must share to be joined. The group counts with its bytes. */
static enum eve_status make_key(const struct eve_event *ev, struct eve_buf *key,
                                struct eve_err *err)
{
    static const enum eve_event_field fields[] = {EVE_FIELD_TURN_ID, EVE_FIELD_STEP_INDEX,
                                                  EVE_FIELD_SEQUENCE, EVE_FIELD_CALL_ID,
                                                  EVE_FIELD_TOOL_NAME};
    key->n = 0;
    enum eve_status status = eve_buf_putc(key, (char)('0' + (int)ev->type), err);
    for (size_t i = 0; i < sizeof fields / sizeof *fields && status == EVE_OK; i++) {
        status = eve_key_put(key, eve_event_value(ev, fields[i]), err);
    }
    struct eve_slice group = {ev->group.p, ev->group.n};
    return status == EVE_OK ? eve_buf_put(key, group, err) : status;
}

/* Hold the event; its delta lies between `from` and `to` of its delta-only form. */
static enum eve_status hold(struct eve_coalesce *c, struct eve_slice text, size_t from, size_t to,
                            struct eve_err *err)
{
    c->held.n = 0;
    c->delta_from = from;
    c->delta_to = to;
    return eve_buf_put(&c->held, text, err);
}

/* Where the delta stands in `text`, the delta-only form of a plain append. */
static void find_delta(struct eve_slice text, enum eve_event_field field, size_t *from, size_t *to)
{
    struct eve_event ev;
    struct eve_err ignored; /* it was scanned before */
    static const struct eve_event_options none = {0};
    enum eve_status status = eve_event_parse(&ev, text, true, &none, &ignored);
    (void)status;
    struct eve_slice delta = eve_text_of(ev.field[field].value);
    *from = (size_t)(delta.p - text.p);
    *to = *from + delta.n;
}

enum eve_status eve_coalesce_take(struct eve_coalesce *c, const struct eve_event *ev,
                                  struct eve_slice text, bool apart, struct eve_out *out,
                                  bool *joined, struct eve_err *err)
{
    bool joinable = is_plain_append(ev);
    struct eve_slice delta = {0};
    size_t from = 0;
    size_t to = 0;
    uint64_t units = 0;
    enum eve_status status = EVE_OK;
    if (joinable) {
        enum eve_event_field field = eve_decode_delta_field(ev->type);
        delta = eve_text_of(ev->field[field].value);
        units = eve_text_count(delta);
        find_delta(text, field, &from, &to);
        status = make_key(ev, &c->next, err);
    }
    *joined = status == EVE_OK && joinable && c->joinable && !apart &&
              c->units + units <= EVE_COALESCE_UNITS &&
              eve_str_equal(eve_buf_slice(&c->key), eve_buf_slice(&c->next));
    if (status == EVE_OK && !*joined) {
        status = eve_coalesce_release(c, out, err);
        c->units = 0;
    }
    if (status == EVE_OK) {
        status = hold(c, text, from, to, err);
    }
    if (status == EVE_OK) {
        status = eve_buf_put(&c->delta, delta, err);
    }
    c->units += units;
    c->joinable = joinable;
    struct eve_buf key = c->key;
    c->key = c->next;
    c->next = key;
    return status;
}
