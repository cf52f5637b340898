#include "json.h"

#include "simd.h"
#include "str.h"
#include "utf8.h"

#include <string.h>

static enum eve_status bad(const struct eve_json *j, enum eve_rule rule, const char *msg,
                           const char *at, struct eve_err *err)
{
    return eve_fail(err, EVE_BAD, rule, at == j->end ? "the text ends too soon" : msg,
                    (size_t)(at - j->start), 0);
}

/* A byte that cannot stand at `at`: invalid UTF-8 is told as that wherever it is. */
static enum eve_status bad_syntax(const struct eve_json *j, const char *msg, const char *at,
                                  struct eve_err *err)
{
    bool cut = false;
    if (at < j->end && eve_utf8_length(at, (size_t)(j->end - at), &cut) == 0) {
        return bad(j, EVE_RULE_JSON_UTF8, "not UTF-8", at, err);
    }
    return bad(j, EVE_RULE_JSON_SYNTAX, msg, at, err);
}

static void skip_space(struct eve_json *j)
{
    while (j->p < j->end && (*j->p == ' ' || *j->p == '\t' || *j->p == '\n' || *j->p == '\r')) {
        j->p++;
    }
}

void eve_json_open(struct eve_json *j, struct eve_slice text)
{
    j->start = j->p = text.p;
    j->end = eve_str_end(text);
    j->depth = 0;
    j->first = false;
}

enum eve_json_kind eve_json_kind_of(char c)
{
    switch (c) {
    case '"':
        return EVE_JSON_STRING;
    case '{':
        return EVE_JSON_OBJECT;
    case '[':
        return EVE_JSON_ARRAY;
    case 't':
        return EVE_JSON_TRUE;
    case 'f':
        return EVE_JSON_FALSE;
    case 'n':
        return EVE_JSON_NULL;
    default:
        return c == '-' || (c >= '0' && c <= '9') ? EVE_JSON_NUMBER : EVE_JSON_NONE;
    }
}

enum eve_json_kind eve_json_peek(struct eve_json *j)
{
    skip_space(j);
    return j->p < j->end ? eve_json_kind_of(*j->p) : EVE_JSON_NONE;
}

static bool is_hex(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* Length of the escape at `p`, its backslash; 0 if it is none. *at is the byte that is wrong. */
static size_t escape_length(const char *p, const char *end, const char **at)
{
    const char *q = p + 1;
    if (q == end || memchr("\"\\/bfnrtu", *q, 9) == NULL) {
        *at = q;
        return 0;
    }
    if (*q == 'u') {
        for (int i = 0; i < 4; i++) {
            q++;
            if (q == end || !is_hex(*q)) {
                *at = q;
                return 0;
            }
        }
    }
    return (size_t)(q + 1 - p);
}

/* What is wrong with the string at the cursor, which the kernel did not take. */
static enum eve_status explain_string(const struct eve_json *j, struct eve_err *err)
{
    const char *p = j->p + 1;
    const char *wrong = NULL;
    for (;;) {
        bool cut = false;
        size_t len = 1;
        p += eve_simd_clean(p, (size_t)(j->end - p));
        if (p == j->end) {
            return bad_syntax(j, "", p, err);
        }
        if ((unsigned char)*p < 0x20) {
            return bad_syntax(j, "control character in a string", p, err);
        }
        if (*p == '\\') {
            len = escape_length(p, j->end, &wrong);
            if (len == 0) {
                return bad_syntax(
                    j, wrong == p + 1 ? "no such escape" : "\\u needs four hexadecimal digits",
                    wrong, err);
            }
        } else {
            len = eve_utf8_length(p, (size_t)(j->end - p), &cut);
            if (len == 0) {
                return bad(j, EVE_RULE_JSON_UTF8, "not UTF-8", cut ? j->end : p, err);
            }
        }
        p += len;
    }
}

static enum eve_status scan_string(struct eve_json *j, struct eve_json_value *out,
                                   struct eve_err *err)
{
    bool escaped = false;
    const char *quote = eve_simd_string_end(j->p + 1, j->end, &escaped);
    if (quote == NULL) {
        return explain_string(j, err);
    }
    *out = (struct eve_json_value){j->p, (size_t)(quote + 1 - j->p), EVE_JSON_STRING, escaped};
    j->p = quote + 1;
    return EVE_OK;
}

static const char *skip_digits(const char *p, const char *end)
{
    while (p < end && *p >= '0' && *p <= '9') {
        p++;
    }
    return p;
}

static enum eve_status scan_number(struct eve_json *j, struct eve_err *err)
{
    const char *p = j->p;
    p += *p == '-' ? 1 : 0;
    const char *digits = p;
    p = skip_digits(p, j->end);
    if (p == digits) {
        return bad_syntax(j, "a digit is missing", p, err);
    }
    if (*digits == '0' && p - digits > 1) {
        return bad_syntax(j, "a number with a leading zero", digits + 1, err);
    }
    if (p < j->end && *p == '.') {
        digits = ++p;
        p = skip_digits(p, j->end);
        if (p == digits) {
            return bad_syntax(j, "a digit is missing after the point", p, err);
        }
    }
    if (p < j->end && (*p == 'e' || *p == 'E')) {
        p++;
        p += p < j->end && (*p == '+' || *p == '-') ? 1 : 0;
        digits = p;
        p = skip_digits(p, j->end);
        if (p == digits) {
            return bad_syntax(j, "a digit is missing in the exponent", p, err);
        }
    }
    j->p = p;
    return EVE_OK;
}

static enum eve_status scan_literal(struct eve_json *j, const char *word, struct eve_err *err)
{
    for (; *word != '\0'; word++, j->p++) {
        if (j->p == j->end || *j->p != *word) {
            return bad_syntax(j, "no JSON value begins so", j->p, err);
        }
    }
    return EVE_OK;
}

/* The scalar ahead. */
static enum eve_status scan_scalar(struct eve_json *j, struct eve_json_value *out,
                                   struct eve_err *err)
{
    const char *from = j->p;
    enum eve_json_kind kind = from < j->end ? eve_json_kind_of(*from) : EVE_JSON_NONE;
    enum eve_status status = EVE_OK;
    switch (kind) {
    case EVE_JSON_STRING:
        return scan_string(j, out, err);
    case EVE_JSON_NUMBER:
        status = scan_number(j, err);
        break;
    case EVE_JSON_TRUE:
        status = scan_literal(j, "true", err);
        break;
    case EVE_JSON_FALSE:
        status = scan_literal(j, "false", err);
        break;
    case EVE_JSON_NULL:
        status = scan_literal(j, "null", err);
        break;
    case EVE_JSON_NONE:
    case EVE_JSON_ARRAY:
    case EVE_JSON_OBJECT:
        return bad_syntax(j, "a value is missing", from, err);
    }
    if (status == EVE_OK) {
        *out = (struct eve_json_value){from, (size_t)(j->p - from), kind, false};
    }
    return status;
}

static bool in_object(const struct eve_json *j)
{
    size_t level = j->depth - 1;
    return j->object[level / 64] >> (level % 64) & 1;
}

enum eve_status eve_json_enter(struct eve_json *j, struct eve_err *err)
{
    size_t level = j->depth;
    if (level == EVE_DEPTH_MAX) {
        return eve_fail(err, EVE_BAD, EVE_RULE_JSON_DEPTH, "nested more than 10,000 deep",
                        (size_t)(j->p - j->start), 0);
    }
    uint64_t bit = UINT64_C(1) << (level % 64);
    if (*j->p == '{') {
        j->object[level / 64] |= bit;
    } else {
        j->object[level / 64] &= ~bit;
    }
    j->depth++;
    j->first = true;
    j->p++;
    return EVE_OK;
}

/* Pass the comma before the next item of the open level, or its closing bracket (EVE_END). */
static enum eve_status next_item(struct eve_json *j, char close, struct eve_err *err)
{
    skip_space(j);
    if (j->p < j->end && *j->p == close) {
        j->p++;
        j->depth--;
        j->first = false;
        return EVE_END;
    }
    if (j->first) {
        j->first = false;
        return EVE_OK;
    }
    if (j->p == j->end || *j->p != ',') {
        return bad_syntax(j, close == '}' ? "expected a comma or }" : "expected a comma or ]", j->p,
                          err);
    }
    j->p++;
    skip_space(j);
    return EVE_OK;
}

enum eve_status eve_json_member(struct eve_json *j, struct eve_json_value *name,
                                struct eve_err *err)
{
    enum eve_status status = next_item(j, '}', err);
    if (status != EVE_OK) {
        return status;
    }
    if (j->p == j->end || *j->p != '"') {
        return bad_syntax(j, "expected a name in quotes", j->p, err);
    }
    status = scan_string(j, name, err);
    if (status != EVE_OK) {
        return status;
    }
    skip_space(j);
    if (j->p == j->end || *j->p != ':') {
        return bad_syntax(j, "expected a colon", j->p, err);
    }
    j->p++;
    skip_space(j);
    return EVE_OK;
}

enum eve_status eve_json_element(struct eve_json *j, struct eve_err *err)
{
    return next_item(j, ']', err);
}

/* Go on to the end of the item that was entered at depth `floor`, level by level. */
static enum eve_status skip_levels(struct eve_json *j, size_t floor, struct eve_err *err)
{
    while (j->depth > floor) {
        struct eve_json_value scratch;
        enum eve_status status =
            in_object(j) ? eve_json_member(j, &scratch, err) : eve_json_element(j, err);
        if (status == EVE_END) {
            continue;
        }
        if (status == EVE_OK) {
            bool opens = j->p < j->end && (*j->p == '{' || *j->p == '[');
            status = opens ? eve_json_enter(j, err) : scan_scalar(j, &scratch, err);
        }
        if (status != EVE_OK) {
            return status;
        }
    }
    return EVE_OK;
}

enum eve_status eve_json_skip(struct eve_json *j, struct eve_json_value *out, struct eve_err *err)
{
    struct eve_json_value value;
    enum eve_status status = EVE_OK;
    skip_space(j);
    if (j->p < j->end && (*j->p == '{' || *j->p == '[')) {
        value = (struct eve_json_value){j->p, 0, eve_json_kind_of(*j->p), false};
        size_t floor = j->depth;
        status = eve_json_enter(j, err);
        if (status == EVE_OK) {
            status = skip_levels(j, floor, err);
        }
        value.n = (size_t)(j->p - value.p);
    } else {
        status = scan_scalar(j, &value, err);
    }
    if (status == EVE_OK && out != NULL) {
        *out = value;
    }
    return status;
}

enum eve_status eve_json_finish(struct eve_json *j, struct eve_err *err)
{
    skip_space(j);
    if (j->p < j->end) {
        return bad_syntax(j, "data after the end of the value", j->p, err);
    }
    return EVE_OK;
}
