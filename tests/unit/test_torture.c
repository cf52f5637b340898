/*
 * Whole runs in which one allocation fails, the first, the second and so on until a run is clean:
 * each has to end with "no memory" and give everything back (the asan build sees to that). After
 * the first clean run no other may fail: a failure that goes unseen would look like one.
 */
#include "aid.h"
#include "line.h"
#include "mem.h"
#include "norm.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static char *input; /* a stream of many shapes, long lines among them */
static size_t input_n;

static void add(const char *s)
{
    size_t n = strlen(s);
    memcpy(input + input_n, s, n);
    input_n += n;
}

#define AT(step) ",\"sequence\":1,\"stepIndex\":" step ",\"turnId\":\"t\"}"

static void make_input(void)
{
    char id[200];
    input_n = 0;
    input = malloc(4 << 20);
    if (!CHECK(input != NULL))
        exit(1);
    for (int i = 0; i < 40; i++) { /* ids and blocks of their own; escapes need a decoded copy */
        snprintf(
            id, sizeof id,
            "{\"data\":{\"messageDelta\":\"a\",\"messageSoFar\":\"\\u0061\",\"messageOffset\":1,"
            "\"sequence\":%d,\"stepIndex\":%d,\"turnId\":\"\\u0074\"},"
            "\"type\":\"message.appended\",\"meta\":{\"id\":\"\\u0065vt_%d\"}}\n",
            i, i / 4, i);
        add(id);
    }
    add("{\"data\":{\"messageDelta\":\"b\",\"messageSoFar\":\"b\"" AT(
        "0") ",\"type\":\"message.appended\"}\n");
    add("{\"data\":{\"messageDelta\":\"c\"" AT("0") ",\"type\":\"message.appended\"}\n");
    add("{\"data\":{\"callId\":\"c\",\"inputTextDelta\":\"{\",\"inputTextOffset\":0,\"toolName\":"
        "\"n\"" AT("0") ",\"type\":\"action.input.appended\"}\n");
    add("{\"data\":{\"actions\":[");
    for (int i = 0; i < 12; i++) /* many edits */
        add("{\"kind\":\"load-skill\",\"callId\":\"\\u0063\",\"input\":{}},");
    add("{}]},\"type\":\"actions.requested\"}\n");
    add("{\"data\":{\"turnId\":\"t\"},\"type\":\"turn.completed\"}\n{\"type\":\"");
    memset(input + input_n, 'x', 1 << 20); /* the buffer has to grow */
    input_n += 1 << 20;
    add("\"}\n");
}

/* Reads the input through everything; the first status that is not fine. */
static enum eve_status pass(struct eve_norm *n, struct eve_out *out, struct eve_line_reader *r,
                            struct eve_decoder *d, struct eve_err *err)
{
    struct eve_event_options none = {{0}};
    struct eve_line line;
    struct eve_event ev;
    enum eve_status status = EVE_OK;
    while (status == EVE_OK && (status = eve_line_next(r, &line, err)) == EVE_OK) {
        status = eve_event_parse(&ev, line.text, line.ended, &none, err);
        if (status == EVE_OK)
            status = eve_decode(d, &ev, EVE_VERSION_AUTO, true, err);
        if (status == EVE_OK)
            status = eve_norm_event(n, &ev, d, out, err);
        if (status == EVE_OK)
            status = eve_out_settle(out, err);
    }
    if (status == EVE_END)
        status = eve_norm_end(n, out, err);
    return status == EVE_OK ? eve_out_flush(out, err) : status;
}

static enum eve_status run(struct eve_norm_options options, int in, int to, struct eve_err *err)
{
    struct eve_norm *n = NULL;
    struct eve_out out = {0};
    struct eve_line_reader r;
    struct eve_decoder d;
    struct eve_line_options plain = {0};
    lseek(in, 0, SEEK_SET);
    eve_line_init(&r, in, &plain);
    eve_decode_init(&d);
    enum eve_status status = eve_out_init(&out, to, err);
    if (status == EVE_OK)
        status = eve_norm_new(&n, &options, err);
    if (status == EVE_OK)
        status = pass(n, &out, &r, &d, err);
    eve_norm_free(n);
    eve_decode_fini(&d);
    eve_line_fini(&r);
    eve_out_fini(&out);
    return status;
}

static void runs(struct eve_norm_options options, bool forever)
{
    struct eve_err err = {0};
    int in = aid_file((struct eve_slice){input, input_n});
    int want = aid_file(S(""));
    size_t failures = 0;
    size_t clean = 0;
    CHECK(run(options, in, want, &err) == EVE_OK);
    for (size_t n = 1; clean < 40; n++) {
        int to = aid_file(S(""));
        err = (struct eve_err){0};
        eve_mem_test_fail(n, forever);
        enum eve_status status = run(options, in, to, &err);
        eve_mem_test_fail(0, false);
        off_t size = lseek(to, 0, SEEK_END);
        close(to);
        clean += status == EVE_OK ? 1 : 0;
        failures += status == EVE_OK ? 0 : 1;
        if (!CHECK(status == EVE_OK ? size == lseek(want, 0, SEEK_END)
                                    : status == EVE_FAIL && err.sys == ENOMEM && clean == 0))
            break;
    }
    CHECK(failures > 4); /* there was something to fail */
    close(in);
    close(want);
}

void test_torture(void);
void test_torture(void)
{
    struct eve_norm_options options = {0};
    TEST("a plain run in which an allocation fails");
    make_input();
    runs(options, false);
    TEST("a run with coalesce and dedupe");
    options.coalesce = options.dedupe = options.dedupe_by_file = true;
    runs(options, false);
    TEST("a run in which all after it fail too");
    runs(options, true);
    free(input);
}
