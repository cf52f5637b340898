/*
 * A whole stream through the core of eveaccum -a messages. Of its first byte bit 0 groups by "g";
 * the rest is the stream. Templates and the walk give the same, and what comes out is JSON.
 */
#include "stream.h"

#include "json.h"
#include "messages.h"

static enum eve_status on_event(void *ctx, const struct eve_event *ev, const struct eve_decoder *d,
                                uint64_t line, struct eve_err *err)
{
    (void)d;
    (void)line;
    return eve_messages_event(ctx, ev, err);
}

static void run(struct eve_slice stream, bool grouped, bool templates, struct eve_buf *bytes)
{
    static const uint64_t seed[2] = {1, 2};
    struct eve_err err;
    struct eve_out out;
    struct eve_messages *m = NULL;
    struct eve_slice group = grouped ? eve_str("g") : eve_str("");
    HOLDS(eve_messages_new(&m, group, seed, &err) == EVE_OK);
    fuzz_stream(stream, &(struct fuzz_way){.templates = templates},
                &(struct fuzz_tool){.ctx = m, .group = group, .event = on_event});
    eve_buf_init(bytes, SIZE_MAX / 2);
    eve_out_init_memory(&out, bytes);
    HOLDS(eve_messages_write(m, &out, &err) == EVE_OK);
    eve_messages_free(m);
}

/* Each line is one JSON value. */
static void check_json(struct eve_slice all)
{
    while (all.n > 0) {
        struct eve_json j;
        struct eve_json_value value;
        struct eve_err err;
        const char *end = memchr(all.p, '\n', all.n);
        HOLDS(end != NULL);
        eve_json_open(&j, (struct eve_slice){all.p, (size_t)(end - all.p)});
        HOLDS(eve_json_skip(&j, &value, &err) == EVE_OK && value.kind == EVE_JSON_OBJECT &&
              value.p + value.n == end);
        all.n -= (size_t)(end + 1 - all.p);
        all.p = end + 1;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
    struct eve_buf plain;
    struct eve_buf other;
    if (n == 0) {
        return 0;
    }
    struct eve_slice stream = {(const char *)p + 1, n - 1};
    run(stream, (p[0] & 1) != 0, false, &plain);
    run(stream, (p[0] & 1) != 0, true, &other);
    HOLDS(fuzz_equal(&plain, &other));
    check_json(eve_buf_slice(&plain));
    eve_buf_fini(&plain);
    eve_buf_fini(&other);
    return 0;
}
