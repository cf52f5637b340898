#include "key.h"

#include "num.h"
#include "str.h"
#include "text.h"

/* The digits of a number without the point. */
static enum eve_status put_digits(struct eve_buf *out, const struct eve_num *num,
                                  struct eve_err *err)
{
    enum eve_status status = EVE_OK;
    for (const char *p = num->first; p != NULL && p <= num->last && status == EVE_OK; p++) {
        if (*p != '.') {
            status = eve_buf_putc(out, *p, err);
        }
    }
    return status;
}

static enum eve_status put_number(struct eve_buf *out, struct eve_slice text, struct eve_err *err)
{
    struct eve_num num;
    eve_num_parse(text, &num);
    enum eve_status status = eve_buf_putc(out, num.negative ? '-' : '+', err);
    if (status == EVE_OK) {
        status = put_digits(out, &num, err);
    }
    if (status == EVE_OK) {
        status = eve_buf_putc(out, num.exponent < 0 ? 'e' : 'E', err);
    }
    uint64_t size = (uint64_t)(num.exponent < 0 ? -num.exponent : num.exponent);
    return status == EVE_OK ? eve_buf_put_u64(out, size, err) : status;
}

enum eve_status eve_key_put(struct eve_buf *out, struct eve_json_value value, struct eve_err *err)
{
    struct eve_slice raw = {value.p, value.n};
    uint64_t size = 0;
    char head[1 + sizeof size];
    /* Kind and length first: no key can run into the next one. */
    size_t from = out->n;
    head[0] = (char)('0' + (int)value.kind);
    memset(head + 1, 0, sizeof size);
    enum eve_status status = eve_buf_put(out, (struct eve_slice){head, sizeof head}, err);
    if (status != EVE_OK) {
        return status;
    }
    if (value.kind == EVE_JSON_STRING && value.escaped) {
        status = eve_text_decode(eve_text_of(value), out, err);
    } else if (value.kind == EVE_JSON_STRING) {
        status = eve_buf_put(out, eve_text_of(value), err);
    } else if (value.kind == EVE_JSON_NUMBER) {
        status = put_number(out, raw, err);
    } else if (value.kind != EVE_JSON_NONE) {
        status = eve_buf_put(out, raw, err);
    }
    if (status == EVE_OK) {
        size = out->n - from - sizeof head;
        memcpy(out->p + from + 1, &size, sizeof size);
    } else {
        out->n = from;
    }
    return status;
}

bool eve_key_equal(struct eve_json_value a, struct eve_json_value b)
{
    struct eve_slice x = {a.p, a.n};
    struct eve_slice y = {b.p, b.n};
    if (a.kind != b.kind) {
        return false;
    }
    if (a.kind == EVE_JSON_NONE || eve_str_equal(x, y)) {
        return true;
    }
    switch (a.kind) {
    case EVE_JSON_STRING:
        return (a.escaped || b.escaped) && eve_text_equal(eve_text_of(a), eve_text_of(b));
    case EVE_JSON_NUMBER:
        return eve_num_equal(x, y);
    default:
        return false;
    }
}
