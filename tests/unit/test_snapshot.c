#include "aid.h"
#include "decode.h"
#include "snapshot.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const uint64_t seed[2] = {3, 4};
static struct eve_snapshots *kept;
static struct eve_err err;

/* Shows an event to the store; true if a text starts again. Group member: g. */
static bool see(const char *line)
{
    struct eve_event ev;
    struct eve_decoder d;
    bool restarted = false;
    aid_event(&ev, line, "g");
    eve_decode_init(&d);
    CHECK(eve_decode(&d, &ev, EVE_VERSION_AUTO, false, &err) == EVE_OK);
    CHECK(eve_snapshot_see(kept, &ev, d.legacy, &restarted, &err) == EVE_OK);
    eve_decode_fini(&d);
    return restarted;
}

static bool show(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static bool show(const char *fmt, ...)
{
    char line[1000];
    va_list args;
    va_start(args, fmt);
    vsnprintf(line, sizeof line, fmt, args);
    va_end(args);
    return see(line);
}

/* Appends: of a message or reasoning in turn t and step s, of the input of a call. */
static bool msg(const char *t, int s, const char *delta, const char *so_far)
{
    return show("{\"data\":{\"messageDelta\":\"%s\",\"messageSoFar\":\"%s\",\"sequence\":1,"
                "\"stepIndex\":%d,\"turnId\":\"%s\"},\"type\":\"message.appended\"}",
                delta, so_far, s, t);
}

static bool rea(const char *t, int s, const char *delta, const char *so_far)
{
    return show("{\"type\":\"reasoning.appended\",\"data\":{\"reasoningSoFar\":\"%s\","
                "\"reasoningDelta\":\"%s\",\"stepIndex\":%d,\"turnId\":\"%s\"}}",
                so_far, delta, s, t);
}

static bool inp(const char *call, const char *delta, const char *offset)
{
    return show("{\"data\":{\"callId\":\"%s\",\"inputTextDelta\":\"%s\",\"inputTextOffset\":%s,"
                "\"stepIndex\":0,\"turnId\":\"t\",\"toolName\":\"n\"},"
                "\"type\":\"action.input.appended\"}",
                call, delta, offset);
}

static void fresh(void)
{
    eve_snapshot_clear(kept);
}

static void restarts(void)
{
    TEST("a text that goes on does not start again");
    CHECK(!msg("t", 0, "a", "a") && !msg("t", 0, "b", "ab") && !msg("t", 0, "", "ab"));
    CHECK(!msg("\\u0074", 0, "\\u0063", "\\u0061bc") && !msg("t", 0, "\\ud83d", "abc\\ud83d"));
    CHECK(!msg("t", 0, "\\ude00", "abc\xf0\x9f\x98\x80"));
    CHECK(!msg("t", 0, "x", "abc\\ud83d\\ude00x"));
    TEST("a text that does not continue starts again");
    CHECK(msg("t", 0, "x", "x") && !msg("t", 0, "y", "xy"));
    CHECK(msg("t", 0, "y", "y") && msg("t", 0, "yz", "ayz") && msg("t", 0, "z", "ayzz!z"));
    CHECK(msg("t", 0, "", ""));
    CHECK(!msg("t", 0, "q", "q")); /* what was empty cannot start again */
    CHECK(!msg("t", 1, "x", "x") && !msg("u", 0, "x", "x") && !rea("t", 0, "x", "x"));
    CHECK(!msg("t", 0, "r", "qr"));
    CHECK(rea("t", 0, "y", "y") && !rea("t", 0, "z", "yz"));
    fresh();
    CHECK(!msg("t", 0, "x", "midway x")); /* joined in the middle */
    CHECK(!msg("t", 0, "y", "midway xy") && msg("t", 0, "y", "y"));

    TEST("groups have texts of their own");
    fresh();
    CHECK(!msg("t", 0, "x", "x"));
    CHECK(!show(
        "{\"g\":\"s1\",\"data\":{\"messageDelta\":\"y\",\"messageSoFar\":\"y\",\"stepIndex\":0,"
        "\"turnId\":\"t\"},\"type\":\"message.appended\"}"));
    CHECK(show("{\"g\":\"s\\u0031\",\"data\":{\"messageDelta\":\"z\",\"messageSoFar\":\"z\","
               "\"stepIndex\":0,\"turnId\":\"t\"},\"type\":\"message.appended\"}"));
    CHECK(!msg("t", 0, "y", "xy"));
    fresh();
}

static void mixed(void)
{
    TEST("delta-only appends carry a kept text on");
    CHECK(!msg("t", 0, "a", "a"));
    CHECK(!show("{\"data\":{\"messageDelta\":\"b\",\"stepIndex\":0,\"turnId\":\"t\"},"
                "\"type\":\"message.appended\"}"));
    CHECK(!msg("t", 0, "c", "abc") && msg("t", 0, "d", "abd"));
    CHECK(!show("{\"data\":{\"messageDelta\":\"b\",\"stepIndex\":7,\"turnId\":\"t\"},"
                "\"type\":\"message.appended\"}"));
    CHECK(!msg("t", 7, "c", "c")); /* nothing was kept of that */
    fresh();
}

static void inputs(void)
{
    TEST("an input starts again at offset 0");
    CHECK(!inp("c", "", "0") && !inp("c", "{", "0") && !inp("c", "}", "1"));
    CHECK(inp("c", "{", "0.0") && inp("c", "", "-0") && !inp("c", "{", "0"));
    CHECK(!inp("d", "{", "0") && !inp("e", "x", "5") && inp("e", "x", "0"));
    CHECK(!show("{\"type\":\"action.input.appended\",\"data\":{\"callId\":\"f\","
                "\"inputTextDelta\":\"x\"}}"));
    CHECK(!inp("f", "{", "0"));
    CHECK(!show("{\"type\":\"action.input.appended\",\"data\":{\"callId\":\"f\","
                "\"inputTextDelta\":\"x\"}}"));
    CHECK(inp("\\u0066", "{", "0"));
    fresh();
}

/* After `event`, does a text that begins again still count: of message, reasoning, input? */
static void ends(const char *event, const char *want)
{
    char got[4];
    fresh();
    CHECK(!msg("t", 0, "a", "a") && !rea("t", 0, "a", "a") && !inp("c", "{", "0"));
    CHECK(!see(event));
    got[0] = msg("t", 0, "x", "x") ? 'm' : '-';
    got[1] = rea("t", 0, "x", "x") ? 'r' : '-';
    got[2] = inp("c", "{", "0") ? 'i' : '-';
    got[3] = '\0';
    if (!CHECK_EQ_STR(got, want))
        printf("# %s\n", event);
    fresh();
    CHECK(!see(event)); /* and with nothing kept */
}

#define IN(turn, step) "\"data\":{\"stepIndex\":" step ",\"turnId\":\"" turn "\"}}"
#define RESULT(code, call)                                                                         \
    "{\"type\":\"action.result\",\"data\":{\"error\":{\"code\":\"" code "\"},"                     \
    "\"result\":{\"callId\":\"" call "\"}}}"

static void ended(void)
{
    TEST("what is kept goes with the event that ends its block");
    ends("{\"type\":\"message.completed\"," IN("t", "0"), "-ri");
    ends("{\"type\":\"message.completed\"," IN("\\u0074", "0.0"), "-ri");
    ends("{\"type\":\"message.completed\"," IN("t", "1"), "mri");
    ends("{\"type\":\"message.completed\"," IN("u", "0"), "mri");
    ends("{\"g\":1,\"type\":\"message.completed\"," IN("t", "0"), "mri");
    ends("{\"type\":\"reasoning.completed\"," IN("t", "0"), "m-i");
    ends("{\"type\":\"step.completed\"," IN("t", "0"), "---");
    ends("{\"type\":\"step.failed\"," IN("t", "0"), "---");
    ends("{\"type\":\"step.started\"," IN("t", "0"), "---");
    ends("{\"type\":\"step.started\"," IN("t", "1"), "mri");
    ends("{\"g\":1,\"type\":\"step.started\"," IN("t", "0"), "mri");
    ends("{\"type\":\"turn.completed\",\"data\":{\"turnId\":\"t\"}}", "---");
    ends("{\"type\":\"turn.failed\",\"data\":{\"turnId\":\"t\"}}", "---");
    ends("{\"type\":\"turn.cancelled\",\"data\":{\"turnId\":\"t\"}}", "---");
    ends("{\"type\":\"turn.cancelled\",\"data\":{\"turnId\":\"u\"}}", "mri");
    ends("{\"type\":\"turn.cancelled\"}", "mri");
    ends("{\"type\":\"turn.waiting\",\"data\":{\"turnId\":\"t\"}}", "mri");
    ends("{\"type\":\"session.failed\",\"data\":{\"turnId\":\"t\"}}", "mri");
    ends("{\"type\":\"session.completed\"}", "mri");
    ends("{\"type\":\"unknown\"," IN("t", "0"), "mri");

    TEST("requests and withdrawn calls");
    ends("{\"type\":\"actions.requested\",\"data\":{\"actions\":[{\"callId\":\"x\"},"
         "{\"callId\":\"\\u0063\"}]}}",
         "mr-");
    ends("{\"type\":\"actions.requested\",\"data\":{\"actions\":[{\"callId\":\"x\"},{}]}}", "mri");
    ends("{\"type\":\"actions.requested\",\"data\":{\"actions\":[]}}", "mri");
    ends("{\"g\":1,\"type\":\"actions.requested\",\"data\":{\"actions\":[{\"callId\":\"c\"}]}}",
         "mri");
    ends(RESULT("MODEL_CALL_ATTEMPT_RETRIED", "c"), "mr-");
    ends(RESULT("MODEL_CALL_ATTEMPT_RETRIED", "x"), "mri");
    ends(RESULT("OTHER", "c"), "mri");
    ends("{\"type\":\"action.result\",\"data\":{\"result\":{\"callId\":\"c\"}}}", "mri");
    ends("{\"type\":\"action.result\"}", "mri");
}

static void blocks(void)
{
    TEST("1,024 blocks are kept, and the one not used longest goes");
    for (int i = 0; i < EVE_SNAPSHOT_BLOCKS; i++)
        CHECK(!msg("t", i, "a", "a"));
    CHECK(msg("t", 0, "b", "b"));                    /* kept, and the newest now */
    CHECK(!msg("t", EVE_SNAPSHOT_BLOCKS, "a", "a")); /* takes the place of 1 */
    CHECK(!msg("t", 1, "b", "b"));                   /* which takes that of 2 */
    CHECK(msg("t", 3, "b", "b") && msg("t", 0, "c", "c") && msg("t", 1023, "c", "c"));
    CHECK(!msg("t", 2, "b", "b")); /* takes that of 4 */
    CHECK(!msg("t", 4, "b", "b") && msg("t", 6, "b", "b"));
    for (int i = 0; i < 5000; i++) /* many that come and go */
        CHECK(!inp(i % 2 ? "c" : "d", "{", "1") && !msg("v", i, "a", "a"));
    CHECK(inp("c", "{", "0") && inp("d", "{", "0"));
    CHECK(!msg("v", 1, "b", "b") && msg("v", 4999, "b", "b"));
    CHECK(!show("{\"type\":\"turn.completed\",\"data\":{\"turnId\":\"v\"}}"));
    CHECK(!msg("v", 4999, "b", "b"));
    fresh();
}

/* An append of step s whose text so far is `n` times `c`, with the last `delta` of them new. */
static bool large(int s, char c, size_t n, size_t delta)
{
    char *line = malloc(n + delta + 300);
    if (!CHECK(line != NULL))
        exit(1);
    size_t at =
        (size_t)sprintf(line, "{\"type\":\"message.appended\",\"data\":{\"messageDelta\":\"");
    memset(line + at, c, delta);
    at += delta;
    at += (size_t)sprintf(line + at, "\",\"messageSoFar\":\"");
    memset(line + at, c, n);
    at += n;
    sprintf(line + at, "\",\"stepIndex\":%d,\"turnId\":\"t\"}}", s);
    bool restarted = see(line);
    free(line);
    return restarted;
}

static void bytes(void)
{
    const size_t mib = 1024 * 1024;
    TEST("8 MiB are kept, and the text not used longest goes");
    CHECK(!large(0, 'a', 5 * mib, 1) && !large(1, 'b', 2 * mib, 1) && !large(2, 'c', mib, 1));
    CHECK(!large(0, 'a', 5 * mib, 0)); /* used again: 1 is the oldest now */
    CHECK(!large(3, 'd', 1, 1));       /* one byte too many */
    CHECK(!msg("t", 1, "x", "x"));     /* forgotten */
    CHECK(msg("t", 2, "x", "x") && msg("t", 0, "x", "x") && msg("t", 3, "x", "x"));
    fresh();
    CHECK(!large(0, 'a', EVE_SNAPSHOT_BYTES, 1) && msg("t", 0, "x", "x"));
    fresh();
    CHECK(!large(0, 'a', EVE_SNAPSHOT_BYTES + 1, 1) && !msg("t", 0, "x", "x"));
    fresh();
    CHECK(!large(0, 'a', 5 * mib, 1) && !large(1, 'b', 3 * mib, 1));
    CHECK(!large(1, 'b', 3 * mib + 1, 1)); /* grows by its delta, over the limit */
    CHECK(!msg("t", 0, "x", "x") && msg("t", 1, "x", "x"));
    fresh();
    CHECK(!msg("t", 1, "y", "y") && !large(0, 'a', EVE_SNAPSHOT_BYTES, 1));
    CHECK(!large(0, 'a', EVE_SNAPSHOT_BYTES + 1, 1)); /* alone too large: not kept */
    CHECK(!msg("t", 0, "x", "x") && !msg("t", 1, "x", "x"));
    fresh();
}

void test_snapshot(void);
void test_snapshot(void)
{
    TEST("a store");
    if (!CHECK(eve_snapshot_new(&kept, seed, &err) == EVE_OK))
        return;
    restarts();
    mixed();
    inputs();
    ended();
    blocks();
    bytes();
    eve_snapshot_free(kept);
    eve_snapshot_free(NULL);
}
