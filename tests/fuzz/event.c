/*
 * One line as an event, in every declared version; the first byte is the version. The edits stay
 * inside the event, their figures add up, and what they leave is an event that needs none.
 */
#include "fuzz.h"

#include "decode.h"
#include "str.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
    struct eve_event_options group = {{"session_id", 10}};
    struct eve_event ev;
    struct eve_event again;
    struct eve_decoder d;
    struct eve_err err = {0};
    struct eve_buf out;
    if (n == 0) {
        return 0;
    }
    unsigned version = p[0] % 7 == 0 ? EVE_VERSION_AUTO : 20 + p[0] % 7u;
    struct eve_slice line = {(const char *)p + 1, n - 1};
    if (memchr(line.p, '\n', line.n) != NULL) {
        return 0;
    }
    if (eve_event_parse(&ev, line, false, &group, &err) != EVE_OK) {
        HOLDS(err.pos <= line.n && err.rule != EVE_RULE_NONE);
        return 0;
    }
    if (ev.kind != EVE_LINE_EVENT) {
        return 0;
    }
    HOLDS(ev.text.p >= line.p && ev.text.p + ev.text.n <= line.p + line.n);
    HOLDS(ev.type_value.kind == EVE_JSON_STRING);
    eve_decode_init(&d);
    eve_buf_init(&out, SIZE_MAX / 2);
    enum eve_status status = eve_decode(&d, &ev, version, true, &err);
    HOLDS(status == EVE_OK || (status == EVE_BAD && err.pos <= line.n));
    if (status == EVE_OK) {
        size_t payload = 0;
        size_t at = 0;
        for (size_t i = 0; i < d.edits.n; i++) {
            HOLDS(d.edits.list[i].from >= at && d.edits.list[i].to >= d.edits.list[i].from);
            at = d.edits.list[i].to;
        }
        HOLDS(at <= ev.text.n);
        for (size_t i = 0; i < EVE_FIELD_REMOVED_COUNT; i++) {
            payload += d.payload[i];
        }
        HOLDS(payload == d.removed);
        HOLDS(eve_edit_put(&d.edits, ev.text, &out, &err) == EVE_OK);
        HOLDS(out.n == ev.text.n - d.removed + d.added);
        HOLDS(eve_event_parse(&again, eve_buf_slice(&out), false, &group, &err) == EVE_OK);
        HOLDS(again.kind == EVE_LINE_EVENT && again.type == ev.type);
        HOLDS(eve_decode(&d, &again, 26, true, &err) == EVE_OK && d.edits.n == 0);
    }
    eve_buf_fini(&out);
    eve_decode_fini(&d);
    return 0;
}
