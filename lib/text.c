#include "text.h"

#include "simd.h"
#include "utf8.h"

static unsigned hex4(const char *p)
{
    unsigned v = 0;
    for (int i = 0; i < 4; i++) {
        char c = p[i];
        unsigned digit = 0;
        if (c <= '9') {
            digit = (unsigned)(c - '0');
        } else {
            digit = (unsigned)((c | 0x20) - 'a' + 10);
        }
        v = v << 4 | digit;
    }
    return v;
}

/* The unit of the escape at u->p. */
static uint16_t next_escape(struct eve_text_units *u)
{
    char c = u->p[1];
    if (c == 'u') {
        uint16_t unit = (uint16_t)hex4(u->p + 2);
        u->p += 6;
        return unit;
    }
    u->p += 2;
    switch (c) {
    case 'b':
        return '\b';
    case 'f':
        return '\f';
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    default:
        return (unsigned char)c;
    }
}

int32_t eve_text_next(struct eve_text_units *u)
{
    bool cut = false;
    if (u->low != 0) {
        int32_t unit = u->low;
        u->low = 0;
        return unit;
    }
    if (u->p == u->end) {
        return -1;
    }
    if ((unsigned char)*u->p < 0x80) {
        return *u->p == '\\' && !u->plain ? next_escape(u) : *u->p++;
    }
    size_t len = eve_utf8_length(u->p, (size_t)(u->end - u->p), &cut);
    uint32_t c = eve_utf8_decode(u->p, len);
    u->p += len;
    if (c < 0x10000) {
        return (int32_t)c;
    }
    u->low = (uint16_t)(0xDC00 + ((c - 0x10000) & 0x3FF));
    return (int32_t)(0xD800 + ((c - 0x10000) >> 10));
}

int32_t eve_text_next_point(struct eve_text_units *u)
{
    int32_t unit = eve_text_next(u);
    if (unit >= 0xD800 && unit <= 0xDBFF) {
        struct eve_text_units ahead = *u;
        int32_t low = eve_text_next(&ahead);
        if (low >= 0xDC00 && low <= 0xDFFF) {
            *u = ahead;
            return 0x10000 + ((unit - 0xD800) * 0x400 + (low - 0xDC00));
        }
    }
    return unit;
}

uint64_t eve_text_count(struct eve_slice text)
{
    uint64_t count = 0;
    const char *p = text.p;
    const char *end = eve_str_end(text);
    while (p < end) {
        size_t clean = eve_simd_clean(p, (size_t)(end - p));
        p += clean;
        count += clean;
        if (p == end) {
            break;
        }
        unsigned char c = (unsigned char)*p;
        if (c == '\\') {
            p += p[1] == 'u' ? 6 : 2;
            count++;
        } else if (c >= 0xF0) {
            p += 4;
            count += 2;
        } else {
            p += c >= 0xE0 ? 3 : 2;
            count++;
        }
    }
    return count;
}

/* Step over what is the same in both byte by byte: most of two texts that are spelled differently.
 */
static void skip_same(struct eve_text_units *a, struct eve_text_units *b)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    const uint64_t tops = ones << 7;
    uint64_t x;
    uint64_t y;
    while (a->low == 0 && b->low == 0 && a->end - a->p >= 8 && b->end - b->p >= 8) {
        memcpy(&x, a->p, 8);
        memcpy(&y, b->p, 8);
        uint64_t slash = x ^ ones * '\\';
        if (x != y || ((x | ((slash - ones) & ~slash)) & tops) != 0) {
            return; /* they differ, or hold a backslash or more than ASCII */
        }
        a->p += 8;
        b->p += 8;
    }
}

/* Both come to their ends with the same units. */
static bool same_units(struct eve_text_units *a, struct eve_text_units *b)
{
    int32_t x = 0;
    int32_t y = 0;
    do {
        skip_same(a, b);
        x = eve_text_next(a);
        y = eve_text_next(b);
    } while (x == y && x >= 0);
    return x == y;
}

bool eve_text_equal(struct eve_slice a, struct eve_slice b)
{
    return eve_str_equal(a, b) || eve_text_is_sum(a, b, (struct eve_slice){b.p, 0});
}

int eve_text_compare(struct eve_slice a, struct eve_slice b)
{
    struct eve_text_units x;
    struct eve_text_units y;
    int32_t p = 0;
    int32_t q = 0;
    eve_text_units_init(&x, a);
    eve_text_units_init(&y, b);
    do {
        p = eve_text_next(&x);
        q = eve_text_next(&y);
    } while (p == q && p >= 0);
    return p < q ? -1 : p > q;
}

bool eve_text_is_sum(struct eve_slice text, struct eve_slice head, struct eve_slice tail)
{
    struct eve_text_units whole;
    struct eve_text_units part;
    /* Head and tail are complete texts, so equal bytes mean equal units. */
    if (text.n == head.n + tail.n && eve_str_equal(eve_str_sub(text, 0, head.n), head) &&
        eve_str_equal(eve_str_sub(text, head.n, text.n), tail)) {
        return true;
    }
    eve_text_units_init(&whole, text);
    for (int i = 0; i < 2; i++) {
        int32_t unit = 0;
        eve_text_units_init(&part, i == 0 ? head : tail);
        for (skip_same(&part, &whole); (unit = eve_text_next(&part)) >= 0;
             skip_same(&part, &whole)) {
            if (eve_text_next(&whole) != unit) {
                return false;
            }
        }
    }
    return eve_text_next(&whole) < 0;
}

/* An escape reaches at most five bytes beyond its backslash, and a backslash begins one only if an
 * even number of them stands before it. */
bool eve_text_is_boundary(struct eve_slice text, size_t at)
{
    for (size_t back = 1; back <= 5 && back <= at; back++) {
        size_t slash = at - back;
        if (text.p[slash] != '\\') {
            continue;
        }
        size_t before = slash;
        while (before > 0 && text.p[before - 1] == '\\') {
            before--;
        }
        if ((slash - before) % 2 == 0) {
            size_t len = text.p[slash + 1] == 'u' ? 6 : 2;
            return back >= len;
        }
        /* This backslash is itself escaped: its escape ends right after it. */
        return true;
    }
    return true;
}

bool eve_text_ends_with(struct eve_slice text, struct eve_slice tail)
{
    struct eve_text_units a;
    struct eve_text_units b;
    if (tail.n == 0) {
        return true;
    }
    if (text.n >= tail.n) {
        size_t at = text.n - tail.n;
        if (eve_str_equal(eve_str_sub(text, at, text.n), tail) && eve_text_is_boundary(text, at)) {
            return true;
        }
    }
    uint64_t whole = eve_text_count(text);
    uint64_t part = eve_text_count(tail);
    if (whole < part) {
        return false;
    }
    eve_text_units_init(&a, text);
    eve_text_units_init(&b, tail);
    for (uint64_t i = 0; i < whole - part; i++) {
        (void)eve_text_next(&a);
    }
    return same_units(&a, &b);
}

bool eve_text_says(struct eve_json_value value, struct eve_slice s)
{
    struct eve_text_units said;
    struct eve_text_units plain;
    if (value.kind != EVE_JSON_STRING) {
        return false;
    }
    if (!value.escaped) {
        return eve_str_equal(eve_text_of(value), s);
    }
    eve_text_units_init(&said, eve_text_of(value));
    plain = (struct eve_text_units){s.p, eve_str_end(s), 0, true};
    return same_units(&said, &plain);
}

enum eve_status eve_text_decode(struct eve_slice text, struct eve_buf *out, struct eve_err *err)
{
    struct eve_text_units u;
    char bytes[4];
    /* Decoding never makes a text longer: an escape of two bytes or six is at most three. */
    enum eve_status status = eve_buf_reserve(out, text.n + 3, err);
    eve_text_units_init(&u, text);
    for (int32_t c = 0; status == EVE_OK && (c = eve_text_next_point(&u)) >= 0;) {
        size_t len = eve_utf8_encode((uint32_t)c, bytes);
        memcpy(out->p + out->n, bytes, len);
        out->n += len;
    }
    return status;
}
