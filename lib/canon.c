#include "canon.h"

#include "num.h"
#include "simd.h"
#include "spell.h"
#include "str.h"
#include "text.h"
#include "utf8.h"

/* From here to here the decimal point stands among or right beside the digits, as in JavaScript. */
enum { POINT_MIN = -5, POINT_MAX = 21 };

enum eve_status eve_canon_decoded(struct eve_buf *out, struct eve_slice s, struct eve_err *err)
{
    enum eve_status status = EVE_OK;
    for (size_t i = 0; i < s.n && status == EVE_OK;) {
        char bytes[EVE_SPELL_LONGEST];
        bool cut = false;
        size_t clean = eve_simd_clean(s.p + i, s.n - i);
        if (clean > 0) {
            status = eve_buf_put(out, eve_str_sub(s, i, i + clean), err);
            i += clean;
            continue;
        }
        size_t len = eve_utf8_length(s.p + i, s.n - i, &cut);
        len = len > 0 ? len : 3; /* a lone half, in its three-byte form */
        size_t n = eve_spell_one(bytes, eve_utf8_decode(s.p + i, len));
        status = eve_buf_put(out, (struct eve_slice){bytes, n}, err);
        i += len;
    }
    return status;
}

enum eve_status eve_canon_text(struct eve_buf *out, struct eve_slice raw, struct eve_err *err)
{
    struct eve_buf decoded;
    if (raw.n == 0 || memchr(raw.p, '\\', raw.n) == NULL) {
        return eve_buf_put(out, raw, err);
    }
    eve_buf_init(&decoded, SIZE_MAX / 2);
    enum eve_status status = eve_text_decode(raw, &decoded, err);
    if (status == EVE_OK) {
        status = eve_canon_decoded(out, eve_buf_slice(&decoded), err);
    }
    eve_buf_fini(&decoded);
    return status;
}

static enum eve_status put_zeros(struct eve_buf *out, int64_t count, struct eve_err *err)
{
    enum eve_status status = EVE_OK;
    for (; count > 0 && status == EVE_OK; count--) {
        status = eve_buf_putc(out, '0', err);
    }
    return status;
}

/* The digits of `num`, with a point before the digit numbered `point`. */
static enum eve_status put_digits(struct eve_buf *out, const struct eve_num *num, int64_t point,
                                  int64_t *count, struct eve_err *err)
{
    enum eve_status status = EVE_OK;
    *count = 0;
    for (const char *p = num->first; p <= num->last && status == EVE_OK; p++) {
        if (*p == '.') {
            continue;
        }
        if ((*count)++ == point) {
            status = eve_buf_putc(out, '.', err);
        }
        if (status == EVE_OK) {
            status = eve_buf_putc(out, *p, err);
        }
    }
    return status;
}

static enum eve_status put_exponent(struct eve_buf *out, int64_t exponent, struct eve_err *err)
{
    enum eve_status status = eve_buf_puts(out, exponent < 0 ? "e-" : "e+", err);
    uint64_t size = exponent < 0 ? (uint64_t)-exponent : (uint64_t)exponent;
    return status == EVE_OK ? eve_buf_put_u64(out, size, err) : status;
}

static enum eve_status put_number(struct eve_buf *out, struct eve_slice text, struct eve_err *err)
{
    struct eve_num num;
    int64_t count = 0;
    eve_num_parse(text, &num);
    if (num.first == NULL) {
        return eve_buf_putc(out, '0', err);
    }
    enum eve_status status = num.negative ? eve_buf_putc(out, '-', err) : EVE_OK;
    if (status == EVE_OK && (num.exponent < POINT_MIN || num.exponent > POINT_MAX)) {
        status = put_digits(out, &num, 1, &count, err);
        return status == EVE_OK ? put_exponent(out, num.exponent - 1, err) : status;
    }
    if (status == EVE_OK && num.exponent <= 0) {
        status = eve_buf_puts(out, "0.", err);
        if (status == EVE_OK) {
            status = put_zeros(out, -num.exponent, err);
        }
        return status == EVE_OK ? put_digits(out, &num, -1, &count, err) : status;
    }
    if (status == EVE_OK) {
        status = put_digits(out, &num, num.exponent, &count, err);
    }
    return status == EVE_OK ? put_zeros(out, num.exponent - count, err) : status;
}

static enum eve_status put_name(struct eve_buf *out, struct eve_slice name, struct eve_err *err)
{
    enum eve_status status = eve_buf_putc(out, '"', err);
    if (status == EVE_OK) {
        status = eve_canon_decoded(out, name, err);
    }
    return status == EVE_OK ? eve_buf_puts(out, "\":", err) : status;
}

/* The value of a node; of an object or array the bracket that opens it. */
static enum eve_status put_value(struct eve_buf *out, const struct eve_value_node *node,
                                 struct eve_err *err)
{
    struct eve_slice raw = {node->raw.p, node->raw.n};
    enum eve_status status = EVE_OK;
    switch (node->raw.kind) {
    case EVE_JSON_OBJECT:
        return eve_buf_putc(out, '{', err);
    case EVE_JSON_ARRAY:
        return eve_buf_putc(out, '[', err);
    case EVE_JSON_NUMBER:
        return put_number(out, raw, err);
    case EVE_JSON_STRING:
        status = eve_buf_putc(out, '"', err);
        if (status == EVE_OK) {
            status = eve_canon_text(out, eve_text_of(node->raw), err);
        }
        return status == EVE_OK ? eve_buf_putc(out, '"', err) : status;
    default:
        return eve_buf_put(out, raw, err);
    }
}

static enum eve_status put_close(struct eve_buf *out, const struct eve_value_node *node,
                                 struct eve_err *err)
{
    if (node->raw.kind != EVE_JSON_OBJECT && node->raw.kind != EVE_JSON_ARRAY) {
        return EVE_OK;
    }
    return eve_buf_putc(out, node->raw.kind == EVE_JSON_OBJECT ? '}' : ']', err);
}

enum eve_status eve_canon_put(struct eve_buf *out, const struct eve_value_node *node,
                              struct eve_err *err)
{
    const struct eve_value_node *n = node;
    enum eve_status status = EVE_OK;
    while (status == EVE_OK) {
        if (n != node && n->parent->first != n) {
            status = eve_buf_putc(out, ',', err);
        }
        if (status == EVE_OK && n != node && n->name.p != NULL) {
            status = put_name(out, n->name, err);
        }
        if (status == EVE_OK) {
            status = put_value(out, n, err);
        }
        if (n->first != NULL) {
            n = n->first;
            continue;
        }
        if (status == EVE_OK) {
            status = put_close(out, n, err);
        }
        while (status == EVE_OK && n != node && n->next == NULL) {
            n = n->parent;
            status = put_close(out, n, err);
        }
        if (n == node) {
            break;
        }
        n = n->next;
    }
    return status;
}
