#include "explain.h"
#include "feed.h"
#include "http.h"
#include "quote.h"
#include "str.h"

#include <errno.h>
#include <stdio.h>

/* A response head that does not lead to a stream: say what the server said. */
static enum feed_end refuse_answer(struct feed *f, const struct eve_http *http)
{
    char text[512];
    char quoted[EVE_QUOTE_MAX];
    struct eve_line line;
    struct eve_err err;
    struct eve_slice body = {0};
    while (body.n == 0 && eve_line_next(&f->lines, &line, &err) == EVE_OK) {
        body = eve_str_trim(line.text);
    }
    struct eve_json j;
    eve_json_open(&j, body);
    bool object = eve_json_peek(&j) == EVE_JSON_OBJECT && eve_json_skip(&j, NULL, &err) == EVE_OK;
    struct eve_slice said = object ? explain_answer(body) : (struct eve_slice){0};
    said = said.n > 0 ? said : body;
    (void)snprintf(text, sizeof text, "the server answered with status %u%s%s", http->status,
                   said.n > 0 ? ": " : "", eve_quote(quoted, sizeof quoted, said, false));
    report_raise(f->report, CLI_EXIT_FAIL);
    report_diag(f->report, EVE_LEVEL_ERROR, f->name, 0, 0, text, NULL);
    return FEED_FAILED;
}

enum feed_end feed_head(struct feed *f)
{
    struct eve_http http;
    struct eve_line line;
    struct eve_err err;
    eve_http_init(&http);
    enum eve_status status = EVE_OK;
    bool body = false; /* `line` is its first line */
    while (!body && (status = eve_line_next(&f->lines, &line, &err)) == EVE_OK) {
        status = eve_http_line(&http, line.text, &err);
        body = status == EVE_END;
        if (status == EVE_FAIL) {
            break;
        }
        f->figures.transport_bytes += body ? 0 : line.text.n + (line.ended ? 1 : 0);
    }
    if (body) {
        eve_line_back(&f->lines, &line);
    } else if (status == EVE_END && http.status == 0) {
        status = eve_http_line(&http, (struct eve_slice){"", 0}, &err); /* an empty input */
    }
    if (body && http.chunked && eve_http_is_chunk_size(line.text)) {
        eve_line_dechunk(&f->lines);
    }
    if (status == EVE_END && http.status != 200 && !http.in_head) {
        return refuse_answer(f, &http);
    }
    status = status == EVE_END ? eve_http_check(&http, &err) : status;
    if (status != EVE_OK && err.sys == EINTR) {
        return FEED_INTERRUPTED;
    }
    if (status != EVE_OK) {
        report_failure(f->report, f->name, &err);
        return FEED_FAILED;
    }
    f->version = http.version;
    if (http.has_length && !http.chunked) {
        f->body_end = f->lines.bytes - (f->lines.to - f->lines.from) + http.length;
    }
    return FEED_DONE;
}
