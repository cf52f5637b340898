#include "http.h"

#include "str.h"

void eve_http_init(struct eve_http *h)
{
    *h = (struct eve_http){0};
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* A status line: `HTTP/` version, space, three digits. */
static bool parse_status_line(struct eve_slice line, unsigned *status)
{
    if (!eve_str_starts(line, "HTTP/")) {
        return false;
    }
    size_t i = 5;
    while (i < line.n && (is_digit(line.p[i]) || line.p[i] == '.')) {
        i++;
    }
    if (i == 5 || line.n - i < 4 || line.p[i] != ' ' || !is_digit(line.p[i + 1]) ||
        !is_digit(line.p[i + 2]) || !is_digit(line.p[i + 3])) {
        return false;
    }
    *status = (unsigned)((line.p[i + 1] - '0') * 100 + (line.p[i + 2] - '0') * 10 +
                         (line.p[i + 3] - '0'));
    return true;
}

static void take_version(struct eve_http *h, struct eve_slice value)
{
    h->has_version = true;
    h->bad_version = true;
    if (value.n == 2 && value.p[0] == '2' && value.p[1] >= '1' && value.p[1] <= '6') {
        h->bad_version = false;
        h->version = 20 + (unsigned)(value.p[1] - '0');
    }
}

static void take_length(struct eve_http *h, struct eve_slice value)
{
    h->has_length = value.n > 0;
    h->length = 0;
    for (size_t i = 0; i < value.n && h->has_length; i++) {
        unsigned digit = (unsigned)(value.p[i] - '0');
        h->has_length = is_digit(value.p[i]) && h->length <= (UINT64_MAX - digit) / 10;
        h->length = h->length * 10 + digit;
    }
}

/* The last coding of a list is the one that frames the body. */
static bool ends_in_chunked(struct eve_slice value)
{
    size_t i = value.n;
    while (i > 0 && value.p[i - 1] != ',') {
        i--;
    }
    return eve_str_is_nocase(eve_str_trim(eve_str_sub(value, i, value.n)), "chunked");
}

static void take_header(struct eve_http *h, struct eve_slice line)
{
    const char *colon = memchr(line.p, ':', line.n);
    if (colon == NULL) { /* not a header; nothing we need */
        return;
    }
    size_t at = (size_t)(colon - line.p);
    struct eve_slice name = eve_str_trim(eve_str_sub(line, 0, at));
    struct eve_slice value = eve_str_trim(eve_str_sub(line, at + 1, line.n));
    if (eve_str_is_nocase(name, "x-eve-stream-version")) {
        take_version(h, value);
    } else if (eve_str_is_nocase(name, "content-length")) {
        take_length(h, value);
    } else if (eve_str_is_nocase(name, "transfer-encoding")) {
        h->chunked = ends_in_chunked(value);
    } else if (eve_str_is_nocase(name, "content-encoding")) {
        h->encoded = !eve_str_is_nocase(value, "identity") && value.n > 0;
    }
}

enum eve_status eve_http_line(struct eve_http *h, struct eve_slice line, struct eve_err *err)
{
    unsigned status = 0;
    if (h->in_head) {
        struct eve_slice text = eve_str_trim(line);
        if (text.n == 0) {
            h->in_head = false;
        } else {
            take_header(h, text);
        }
        return EVE_OK;
    }
    if (parse_status_line(line, &status)) {
        eve_http_init(h);
        h->status = status;
        h->in_head = true;
        return EVE_OK;
    }
    if (h->status == 0) {
        return eve_fail(err, EVE_FAIL, EVE_RULE_NONE,
                        "no HTTP response head (give the output of curl -i)", 0, 0);
    }
    return EVE_END;
}

enum eve_status eve_http_check(const struct eve_http *h, struct eve_err *err)
{
    const char *msg = NULL;
    if (h->in_head) {
        msg = "the HTTP response head ends too soon";
    } else if (h->encoded) {
        msg = "the body is encoded (content-encoding); ask for it with accept-encoding: identity";
    } else if (!h->has_version) {
        msg = "the response has no x-eve-stream-version; is it an event stream?";
    } else if (h->bad_version) {
        msg = "x-eve-stream-version is not one of 21 to 26";
    }
    return msg == NULL ? EVE_OK : eve_fail(err, EVE_FAIL, EVE_RULE_NONE, msg, 0, 0);
}

bool eve_http_is_chunk_size(struct eve_slice line)
{
    size_t i = 0;
    while (i < line.n && memchr("0123456789abcdefABCDEF", line.p[i], 22) != NULL) {
        i++;
    }
    return i > 0 && line.n > i && line.p[line.n - 1] == '\r' &&
           (i + 1 == line.n || line.p[i] == ';' || line.p[i] == ' ');
}
