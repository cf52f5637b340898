#include "messages_spell.h"

#include "mem.h"
#include "num.h"
#include "spell.h"
#include "str.h"
#include "text.h"

#include <stdlib.h>

enum eve_status eve_messages_spell_char(struct eve_buf *out, uint32_t c, struct eve_err *err)
{
    char bytes[EVE_SPELL_LONGEST];
    return eve_buf_put(out, (struct eve_slice){bytes, eve_spell_one(bytes, c)}, err);
}

/* The digits of `num` from the `from`-th to before the `to`-th (zeros behind the last); the number
 * of digits it has goes to *count. */
static enum eve_status put_digits(struct eve_buf *out, const struct eve_num *num, int64_t from,
                                  int64_t to, int64_t *count, struct eve_err *err)
{
    enum eve_status status = EVE_OK;
    int64_t i = 0;
    for (const char *p = num->first; p <= num->last && status == EVE_OK; p++) {
        if (*p != '.') {
            status = i >= from && i < to ? eve_buf_putc(out, *p, err) : EVE_OK;
            i++;
        }
    }
    *count = i;
    for (; i < to && to != INT64_MAX && status == EVE_OK; i++) {
        status = eve_buf_putc(out, '0', err);
    }
    return status;
}

/* d.ddde+N */
static enum eve_status put_scientific(struct eve_buf *out, const struct eve_num *num,
                                      struct eve_err *err)
{
    int64_t digits = 0;
    int64_t power = num->exponent - 1;
    enum eve_status status = put_digits(out, num, 0, 1, &digits, err);
    if (status == EVE_OK && digits > 1) {
        status = eve_buf_putc(out, '.', err);
        if (status == EVE_OK) {
            status = put_digits(out, num, 1, INT64_MAX, &digits, err);
        }
    }
    if (status == EVE_OK) {
        status = eve_buf_puts(out, power < 0 ? "e-" : "e+", err);
    }
    return status == EVE_OK ? eve_buf_put_u64(out, (uint64_t)(power < 0 ? -power : power), err)
                            : status;
}

static enum eve_status put_number(struct eve_buf *out, struct eve_slice text, struct eve_err *err)
{
    struct eve_num num;
    int64_t digits = 0;
    eve_num_parse(text, &num);
    if (num.first == NULL) {
        return eve_buf_putc(out, '0', err);
    }
    enum eve_status status = num.negative ? eve_buf_putc(out, '-', err) : EVE_OK;
    if (status == EVE_OK && num.exponent > 0 && num.exponent <= 21) {
        status = put_digits(out, &num, 0, num.exponent, &digits, err);
        if (status == EVE_OK && digits > num.exponent) {
            status = eve_buf_putc(out, '.', err);
            if (status == EVE_OK) {
                status = put_digits(out, &num, num.exponent, INT64_MAX, &digits, err);
            }
        }
    } else if (status == EVE_OK && num.exponent > -6 && num.exponent <= 0) {
        status = eve_buf_put(out, (struct eve_slice){"0.00000", (size_t)(2 - num.exponent)}, err);
        if (status == EVE_OK) {
            status = put_digits(out, &num, 0, INT64_MAX, &digits, err);
        }
    } else if (status == EVE_OK) {
        status = put_scientific(out, &num, err);
    }
    return status;
}

enum eve_status eve_messages_spell_value(struct eve_buf *out, struct eve_json_value value,
                                         struct eve_err *err)
{
    switch (value.kind) {
    case EVE_JSON_NONE:
        return eve_buf_puts(out, "undefined", err);
    case EVE_JSON_STRING:
        return eve_buf_put(out, eve_text_of(value), err);
    case EVE_JSON_NUMBER:
        return put_number(out, (struct eve_slice){value.p, value.n}, err);
    case EVE_JSON_ARRAY:
    case EVE_JSON_OBJECT:
        return eve_buf_puts(out, "[object Object]", err);
    default:
        return eve_buf_put(out, (struct eve_slice){value.p, value.n}, err);
    }
}

/* A member of an object that is open, as ranges of what was written. */
struct member {
    size_t from;
    size_t name_end;
    size_t end;
};

struct frame {
    size_t first;    /* its first member */
    size_t elements; /* so far */
    bool object;
};

/* What JSON.stringify writes, and the objects and arrays around the place it has come to. */
struct writer {
    struct eve_buf out;
    struct member *members;
    size_t member_count;
    size_t member_cap;
    struct frame *frames;
    size_t depth;
    size_t frame_cap;
    struct eve_json json;
};

/* A member to be put in order: its name, its place among the others. */
struct place {
    struct eve_slice name;
    uint64_t index; /* the array index that the name is, or UINT64_MAX */
    size_t at;      /* where it stands */
    size_t value;   /* whose value it takes */
};

static uint64_t array_index(struct eve_slice name)
{
    uint64_t index = UINT64_MAX;
    bool canonical = name.n > 2 && (name.p[1] != '0' || name.n == 3);
    struct eve_slice digits = {name.p + 1, name.n - 2};
    for (size_t i = 0; canonical && i < digits.n; i++) {
        canonical = digits.p[i] >= '0' && digits.p[i] <= '9';
    }
    return canonical && eve_num_integer(digits, UINT32_MAX - 1, &index) ? index : UINT64_MAX;
}

static int by_name(const void *a, const void *b)
{
    const struct place *x = a;
    const struct place *y = b;
    int order = eve_str_compare(x->name, y->name);
    return order != 0 ? order : (x->at > y->at) - (x->at < y->at);
}

static int by_order(const void *a, const void *b)
{
    const struct place *x = a;
    const struct place *y = b;
    int order = (x->index > y->index) - (x->index < y->index);
    return order != 0 ? order : (x->at > y->at) - (x->at < y->at);
}

/* Fill in the `n` places of the members from `m`; drop repeated names, and return how many stay.
 * *ordered: they stand as JavaScript has them. */
static size_t find_places(const struct writer *w, const struct member *m, size_t n,
                          struct place *places, bool *ordered)
{
    size_t kept = 0;
    *ordered = true;
    for (size_t i = 0; i < n; i++) {
        struct eve_slice name = {w->out.p + m[i].from, m[i].name_end - m[i].from};
        places[i] = (struct place){name, array_index(name), i, i};
        *ordered = *ordered && places[i].index == UINT64_MAX;
    }
    qsort(places, n, sizeof *places, by_name);
    for (size_t i = 0; i < n; i++) {
        if (kept > 0 && eve_str_equal(places[kept - 1].name, places[i].name)) {
            places[kept - 1].value = places[i].value;
            *ordered = false;
        } else {
            places[kept++] = places[i];
        }
    }
    return kept;
}

/* The object from member `first` on is complete: put its members in JavaScript's order. */
static enum eve_status order_members(struct writer *w, size_t first, struct eve_err *err)
{
    const struct member *m = w->members + first;
    size_t n = w->member_count - first;
    struct place *places = NULL;
    struct eve_buf sorted;
    bool ordered = true;
    if (n == 0) {
        return EVE_OK;
    }
    eve_buf_init(&sorted, SIZE_MAX / 2);
    enum eve_status status = eve_mem_resize(&places, n, sizeof *places, err);
    size_t kept = status == EVE_OK ? find_places(w, m, n, places, &ordered) : 0;
    if (status == EVE_OK && !ordered) {
        qsort(places, kept, sizeof *places, by_order);
        for (size_t i = 0; i < kept && status == EVE_OK; i++) {
            const struct member *v = &m[places[i].value];
            status = i > 0 ? eve_buf_putc(&sorted, ',', err) : EVE_OK;
            if (status == EVE_OK) {
                status = eve_buf_put(&sorted,
                                     (struct eve_slice){w->out.p + v->from, v->end - v->from}, err);
            }
        }
        if (status == EVE_OK) {
            w->out.n = m[0].from;
            status = eve_buf_put(&w->out, eve_buf_slice(&sorted), err);
        }
    }
    eve_buf_fini(&sorted);
    eve_mem_free(places);
    return status;
}

static enum eve_status put_string(struct eve_buf *out, struct eve_json_value string,
                                  struct eve_err *err)
{
    enum eve_status status = eve_buf_putc(out, '"', err);
    if (status == EVE_OK) {
        status = eve_spell_put(out, out->n, string, err);
    }
    return status == EVE_OK ? eve_buf_putc(out, '"', err) : status;
}

/* A scalar, or the opening of an object or array. */
static enum eve_status put_value(struct writer *w, struct eve_err *err)
{
    struct eve_json_value value;
    enum eve_json_kind kind = eve_json_peek(&w->json);
    if (kind == EVE_JSON_OBJECT || kind == EVE_JSON_ARRAY) {
        if (w->depth == w->frame_cap) {
            size_t cap = eve_mem_grow(w->frame_cap, w->depth + 1, 16, SIZE_MAX / 64);
            enum eve_status status = eve_mem_resize(&w->frames, cap, sizeof *w->frames, err);
            if (status != EVE_OK) {
                return status;
            }
            w->frame_cap = cap;
        }
        w->frames[w->depth++] = (struct frame){w->member_count, 0, kind == EVE_JSON_OBJECT};
        enum eve_status status = eve_json_enter(&w->json, err);
        return status == EVE_OK ? eve_buf_putc(&w->out, kind == EVE_JSON_OBJECT ? '{' : '[', err)
                                : status;
    }
    enum eve_status status = eve_json_skip(&w->json, &value, err);
    if (status != EVE_OK) {
        return status;
    }
    return kind == EVE_JSON_STRING ? put_string(&w->out, value, err)
                                   : eve_messages_spell_value(&w->out, value, err);
}

/* Put the name of the member that comes next. */
static enum eve_status put_name(struct writer *w, struct eve_json_value name, struct eve_err *err)
{
    enum eve_status status = EVE_OK;
    if (w->member_count == w->member_cap) {
        size_t cap = eve_mem_grow(w->member_cap, w->member_count + 1, 16, SIZE_MAX / 64);
        status = eve_mem_resize(&w->members, cap, sizeof *w->members, err);
        w->member_cap = status == EVE_OK ? cap : w->member_cap;
    }
    if (status == EVE_OK) {
        struct member *m = &w->members[w->member_count++];
        m->from = w->out.n;
        status = put_string(&w->out, name, err);
        m->name_end = w->out.n;
    }
    return status == EVE_OK ? eve_buf_putc(&w->out, ':', err) : status;
}

/* Behind a value: go on to the next one, closing what ends here. EVE_END: all is written. */
static enum eve_status go_on(struct writer *w, struct eve_err *err)
{
    struct eve_json_value name;
    enum eve_status status = EVE_END;
    while (w->depth > 0) {
        struct frame *f = &w->frames[w->depth - 1];
        size_t end = w->out.n;
        if (f->object && w->member_count > f->first) {
            w->members[w->member_count - 1].end = end;
        }
        status =
            f->object ? eve_json_member(&w->json, &name, err) : eve_json_element(&w->json, err);
        if (status == EVE_OK) {
            status = f->elements++ > 0 ? eve_buf_putc(&w->out, ',', err) : EVE_OK;
            return status == EVE_OK && f->object ? put_name(w, name, err) : status;
        }
        if (status == EVE_END && f->object) {
            status = order_members(w, f->first, err);
            w->member_count = f->first;
        }
        if (status == EVE_OK || status == EVE_END) {
            status = eve_buf_putc(&w->out, f->object ? '}' : ']', err);
        }
        if (status != EVE_OK) {
            return status;
        }
        w->depth--;
    }
    return EVE_END;
}

enum eve_status eve_messages_stringify(struct eve_buf *out, struct eve_json_value value,
                                       struct eve_err *err)
{
    struct writer w = {0};
    enum eve_status status = EVE_OK;
    eve_buf_init(&w.out, SIZE_MAX / 2);
    eve_json_open(&w.json, (struct eve_slice){value.p, value.n});
    while (status == EVE_OK && (status = put_value(&w, err)) == EVE_OK) {
        status = go_on(&w, err);
    }
    status = status == EVE_END ? EVE_OK : status;
    /* What was written has no control characters: only these two need an escape once more. */
    for (size_t i = 0; i < w.out.n && status == EVE_OK; i++) {
        char c = w.out.p[i];
        status = c == '"' || c == '\\' ? eve_buf_putc(out, '\\', err) : EVE_OK;
        if (status == EVE_OK) {
            status = eve_buf_putc(out, c, err);
        }
    }
    eve_buf_fini(&w.out);
    eve_mem_free(w.members);
    eve_mem_free(w.frames);
    return status;
}
