#include "messages_label.h"

#include "mem.h"
#include "messages_case.h"
#include "messages_spell.h"
#include "text.h"

/* Code points, lone surrogates among them. */
struct chars {
    uint32_t *p;
    size_t n;
    size_t cap;
};

static enum eve_status add(struct chars *s, uint32_t c, struct eve_err *err)
{
    if (s->n == s->cap) {
        size_t cap = eve_mem_grow(s->cap, s->n + 1, 64, SIZE_MAX / 16);
        enum eve_status status = eve_mem_resize(&s->p, cap, sizeof *s->p, err);
        if (status != EVE_OK) {
            return status;
        }
        s->cap = cap;
    }
    s->p[s->n++] = c;
    return EVE_OK;
}

static enum eve_status decode(struct chars *s, struct eve_slice text, struct eve_err *err)
{
    struct eve_text_units u;
    enum eve_status status = EVE_OK;
    eve_text_units_init(&u, text);
    for (int32_t c = 0; status == EVE_OK && (c = eve_text_next_point(&u)) >= 0;) {
        status = add(s, (uint32_t)c, err);
    }
    return status;
}

static enum eve_status put(struct eve_buf *out, const uint32_t *p, size_t n, struct eve_err *err)
{
    enum eve_status status = EVE_OK;
    for (size_t i = 0; i < n && status == EVE_OK; i++) {
        status = eve_messages_spell_char(out, p[i], err);
    }
    return status;
}

/* The first UTF-16 unit in upper case, then the others. A character over U+FFFF begins with a
 * surrogate, which has no case. */
static enum eve_status put_capitalized(struct eve_buf *out, const struct chars *s,
                                       struct eve_err *err)
{
    uint32_t upper[EVE_MESSAGES_CASE_MAX];
    if (s->n == 0 || s->p[0] > 0xFFFF) {
        return put(out, s->p, s->n, err);
    }
    enum eve_status status = put(out, upper, eve_messages_upper(s->p[0], upper), err);
    return status == EVE_OK ? put(out, s->p + 1, s->n - 1, err) : status;
}

static bool is_upper_ascii(uint32_t c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_lower_ascii(uint32_t c)
{
    return c >= 'a' && c <= 'z';
}

/* White space as \s has it, "_" or "-". */
static bool is_separator(uint32_t c)
{
    return c == '_' || c == '-' || c == ' ' || (c >= '\t' && c <= '\r') || c == 0xA0 ||
           c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 ||
           c == 0x202F || c == 0x205F || c == 0x3000 || c == 0xFEFF;
}

/* A word ends between places i - 1 and i of the `n` characters at `p`. */
static bool is_cut(const uint32_t *p, size_t n, size_t i)
{
    uint32_t before = p[i - 1];
    if (!is_upper_ascii(p[i])) {
        return false;
    }
    return is_lower_ascii(before) || (before >= '0' && before <= '9') ||
           (is_upper_ascii(before) && i + 1 < n && is_lower_ascii(p[i + 1]));
}

static bool is_cased(uint32_t c)
{
    uint32_t other[EVE_MESSAGES_CASE_MAX];
    return eve_messages_upper(c, other) != 1 || other[0] != c ||
           eve_messages_lower(c, other) != 1 || other[0] != c;
}

/* A word of `n` characters: all capitals stay, others become lower case. */
static enum eve_status add_word(struct chars *out, const uint32_t *p, size_t n, struct eve_err *err)
{
    uint32_t other[EVE_MESSAGES_CASE_MAX];
    bool capitals = n > 1 || p[0] > 0xFFFF; /* more than one unit */
    enum eve_status status = out->n > 0 ? add(out, ' ', err) : EVE_OK;
    for (size_t i = 0; i < n && capitals; i++) {
        capitals = eve_messages_upper(p[i], other) == 1 && other[0] == p[i];
    }
    for (size_t i = 0; i < n && status == EVE_OK; i++) {
        size_t count = 1;
        other[0] = p[i];
        if (!capitals && p[i] == 0x3A3 && i > 0 && is_cased(p[i - 1]) &&
            !(i + 1 < n && is_cased(p[i + 1]))) {
            other[0] = 0x3C2; /* sigma at the end of a word */
        } else if (!capitals) {
            count = eve_messages_lower(p[i], other);
        }
        for (size_t k = 0; k < count && status == EVE_OK; k++) {
            status = add(out, other[k], err);
        }
    }
    return status;
}

/* The range of what stands behind the last "__" that is not the end; all, if there is nothing. */
static void last_segment(const struct chars *s, size_t *from, size_t *to)
{
    size_t begin = 0;
    *from = 0;
    *to = s->n;
    bool found = false;
    for (size_t i = 0; i <= s->n; i++) {
        bool cut = i + 1 < s->n && s->p[i] == '_' && s->p[i + 1] == '_';
        if (cut || i == s->n) {
            if (i > begin) {
                *from = begin;
                *to = i;
                found = true;
            }
            begin = i + 2;
            i += cut ? 1 : 0;
        }
    }
    if (!found) {
        *from = 0;
        *to = s->n;
    }
}

static enum eve_status add_words(struct chars *out, const uint32_t *p, size_t n,
                                 struct eve_err *err)
{
    enum eve_status status = EVE_OK;
    size_t begin = 0;
    for (size_t i = 0; i <= n && status == EVE_OK; i++) {
        bool separator = i < n && is_separator(p[i]);
        if (i == n || separator || (i > begin && is_cut(p, n, i))) {
            status = i > begin ? add_word(out, p + begin, i - begin, err) : EVE_OK;
            begin = separator ? i + 1 : i;
        }
    }
    return status;
}

enum eve_status eve_messages_label(struct eve_buf *out, struct eve_slice name, struct eve_err *err)
{
    struct chars s = {0};
    struct chars words = {0};
    size_t from = 0;
    size_t to = 0;
    if (name.n == 0) {
        return EVE_OK;
    }
    enum eve_status status = decode(&s, name, err);
    if (status == EVE_OK) {
        last_segment(&s, &from, &to);
        status = add_words(&words, s.p + from, to - from, err);
    }
    if (status == EVE_OK) {
        status = put_capitalized(out, words.n > 0 ? &words : &s, err);
    }
    eve_mem_free(s.p);
    eve_mem_free(words.p);
    return status;
}

enum eve_status eve_messages_capitalize(struct eve_buf *out, struct eve_slice text,
                                        struct eve_err *err)
{
    struct chars s = {0};
    enum eve_status status = decode(&s, text, err);
    if (status == EVE_OK) {
        status = put_capitalized(out, &s, err);
    }
    eve_mem_free(s.p);
    return status;
}
