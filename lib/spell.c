#include "spell.h"

#include "quote.h"
#include "str.h"
#include "text.h"
#include "utf8.h"

enum {
    ESCAPE = 6,
    LONGEST = EVE_SPELL_LONGEST,
    GUARDED = 16
}; /* bytes of \uXXXX; of a unit spelled; of a
       character guarded */

static bool is_low(uint32_t unit)
{
    return unit >= 0xDC00 && unit <= 0xDFFF;
}

static bool is_half(uint32_t unit)
{
    return unit >= 0xD800 && unit <= 0xDFFF;
}

static uint32_t join(uint32_t high, uint32_t low)
{
    return 0x10000 + ((high - 0xD800) << 10 | (low - 0xDC00));
}

static size_t put_escape(char *out, uint32_t unit)
{
    out[0] = '\\';
    out[1] = 'u';
    for (unsigned i = 2; i < ESCAPE; i++) {
        out[i] = eve_quote_hex(unit >> (4 * (ESCAPE - 1 - i)));
    }
    return ESCAPE;
}

size_t eve_spell_one(char *out, uint32_t c)
{
    static const char after[] = {['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f',
                                 ['\r'] = 'r', ['"'] = '"',  ['\\'] = '\\'};
    if (c < sizeof after && after[c] != 0) {
        out[0] = '\\';
        out[1] = after[c];
        return 2;
    }
    return c < 0x20 || is_half(c) ? put_escape(out, c) : eve_utf8_encode(c, out);
}

/* The high half that stands alone at the end of the spelled text, or 0. */
static uint32_t open_half(const char *p, size_t n)
{
    static const char kinds[] = "89ab";
    size_t slashes = 0;
    if (n < ESCAPE || memcmp(p + n - ESCAPE, "\\ud", 3) != 0 ||
        memchr(kinds, p[n - 3], sizeof kinds - 1) == NULL) {
        return 0;
    }
    while (slashes < n - ESCAPE && p[n - ESCAPE - 1 - slashes] == '\\') {
        slashes++;
    }
    struct eve_text_units u;
    eve_text_units_init(&u, (struct eve_slice){p + n - ESCAPE, ESCAPE});
    return slashes % 2 == 0 ? (uint32_t)eve_text_next(&u) : 0;
}

/* Append one unit, for which there is room. */
static void put_unit(struct eve_buf *out, size_t from, uint32_t unit)
{
    uint32_t high = is_low(unit) ? open_half(out->p + from, out->n - from) : 0;
    if (high != 0) {
        out->n -= ESCAPE;
        unit = join(high, unit);
    }
    out->n += eve_spell_one(out->p + out->n, unit);
}

enum eve_status eve_spell_put(struct eve_buf *out, size_t from, struct eve_json_value string,
                              struct eve_err *err)
{
    struct eve_slice text = eve_text_of(string);
    if (!string.escaped) {
        return eve_buf_put(out, text, err);
    }
    /* No spelling of a unit is shorter than this one. */
    enum eve_status status = eve_buf_reserve(out, text.n, err);
    struct eve_text_units u;
    eve_text_units_init(&u, text);
    while (status == EVE_OK && u.p < u.end) {
        size_t left = (size_t)(u.end - u.p);
        const char *escape = memchr(u.p, '\\', left);
        size_t plain = escape != NULL ? (size_t)(escape - u.p) : left;
        if (plain == 0 && u.p[1] != 'u' && u.p[1] != '/') {
            plain = 2; /* an escape that is spelled so */
        }
        if (plain > 0) {
            memcpy(out->p + out->n, u.p, plain);
            out->n += plain;
            u.p += plain;
        } else {
            put_unit(out, from, (uint32_t)eve_text_next(&u));
        }
    }
    return status;
}

enum eve_status eve_spell_head(struct eve_buf *out, struct eve_slice spelled, uint64_t units,
                               struct eve_err *err)
{
    struct eve_text_units u;
    size_t from = out->n;
    enum eve_status status = EVE_OK;
    eve_text_units_init(&u, spelled);
    for (uint64_t i = 0; i < units && status == EVE_OK; i++) {
        int32_t unit = eve_text_next(&u);
        status = eve_buf_reserve(out, LONGEST, err);
        if (status == EVE_OK && unit >= 0) {
            put_unit(out, from, (uint32_t)unit);
        }
    }
    return status;
}

enum eve_status eve_spell_plain(struct eve_buf *out, struct eve_slice plain, struct eve_err *err)
{
    enum eve_status status = EVE_OK;
    for (size_t i = 0; i < plain.n && status == EVE_OK;) {
        bool cut = false;
        size_t len = eve_utf8_length(plain.p + i, plain.n - i, &cut);
        status = eve_buf_reserve(out, LONGEST, err);
        if (status == EVE_OK) {
            uint32_t c = len > 0 ? eve_utf8_decode(plain.p + i, len) : 0xFFFD;
            out->n += eve_spell_one(out->p + out->n, c);
        }
        i += len > 0 ? len : 1;
    }
    return status;
}

/* What the backslash at `p` begins: its unit, and its length. */
static uint32_t read_escape(const char *p, size_t *len)
{
    struct eve_text_units u;
    *len = p[1] == 'u' ? ESCAPE : 2;
    eve_text_units_init(&u, (struct eve_slice){p, *len});
    return (uint32_t)eve_text_next(&u);
}

enum eve_status eve_spell_to_json(struct eve_buf *out, struct eve_slice spelled,
                                  struct eve_err *err)
{
    enum eve_status status = eve_buf_reserve(out, spelled.n, err);
    for (size_t i = 0; i < spelled.n && status == EVE_OK;) {
        size_t len = 1;
        if (spelled.p[i] != '\\') {
            out->p[out->n++] = spelled.p[i];
        } else {
            uint32_t c = read_escape(spelled.p + i, &len);
            out->n +=
                is_half(c) ? put_escape(out->p + out->n, c) : eve_utf8_encode(c, out->p + out->n);
        }
        i += len;
    }
    return status;
}

/* Append a character as a terminal may have it. */
static void put_guarded(struct eve_buf *out, const char *p, size_t len)
{
    if (*p == '\n' || *p == '\t' || eve_quote_printable(p, len) > 0) {
        memcpy(out->p + out->n, p, len);
        out->n += len;
        return;
    }
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)p[i];
        out->p[out->n++] = '\\';
        out->p[out->n++] = 'x';
        out->p[out->n++] = eve_quote_hex(c >> 4U);
        out->p[out->n++] = eve_quote_hex(c);
    }
}

enum eve_status eve_spell_to_text(struct eve_buf *out, struct eve_slice spelled, bool guard,
                                  struct eve_err *err)
{
    enum eve_status status = EVE_OK;
    for (size_t i = 0; i < spelled.n && status == EVE_OK;) {
        char bytes[4];
        const char *p = spelled.p + i;
        bool cut = false;
        size_t used = 0;
        size_t len = 0;
        if (*p == '\\') {
            uint32_t c = read_escape(p, &used);
            len = eve_utf8_encode(is_half(c) ? 0xFFFD : c, bytes);
            p = bytes;
        } else {
            used = len = guard ? eve_utf8_length(p, spelled.n - i, &cut) : 1;
        }
        status = eve_buf_reserve(out, GUARDED, err);
        if (status == EVE_OK && guard) {
            put_guarded(out, p, len);
        } else if (status == EVE_OK) {
            memcpy(out->p + out->n, p, len);
            out->n += len;
        }
        i += used;
    }
    return status;
}

enum eve_status eve_spell_guard(struct eve_buf *out, struct eve_slice plain, struct eve_err *err)
{
    enum eve_status status = EVE_OK;
    for (size_t i = 0; i < plain.n && status == EVE_OK;) {
        bool cut = false;
        size_t len = eve_utf8_length(plain.p + i, plain.n - i, &cut);
        len = len > 0 ? len : 1;
        status = eve_buf_reserve(out, GUARDED, err);
        if (status == EVE_OK) {
            put_guarded(out, plain.p + i, len);
        }
        i += len;
    }
    return status;
}
