#include "check.h"
#include "golden.h"
#include "str.h"

#include <stdio.h>

void test_golden(void);

static const uint64_t seed[2] = {1, 2};
static struct eve_err err;
static char told[4096]; /* "LINE MESSAGE" of each finding, a line each */

static enum eve_status on_found(void *ctx, const struct eve_finding *f, struct eve_err *e)
{
    size_t at = strlen(told);
    (void)ctx;
    (void)e;
    (void)snprintf(told + at, sizeof told - at, "%u %s\n", (unsigned)f->line, f->message);
    return EVE_OK;
}

/* Give the lines of `stream` to one side. */
static void feed(struct eve_golden *g, const char *stream, bool learn)
{
    static const struct eve_event_options options = {{NULL, 0}};
    struct eve_decoder d;
    struct eve_event ev;
    uint64_t line = 0;
    eve_decode_init(&d);
    for (const char *p = stream; *p != '\0';) {
        size_t n = strcspn(p, "\n");
        struct eve_slice text = {p, n};
        p += n + (p[n] == '\n' ? 1 : 0);
        line++;
        CHECK(eve_event_parse(&ev, text, true, &options, &err) == EVE_OK);
        CHECK(eve_decode(&d, &ev, EVE_VERSION_AUTO, true, &err) == EVE_OK);
        CHECK((learn ? eve_golden_learn(g, &ev, &d, line, &err)
                     : eve_golden_event(g, &ev, &d, line, line - 1, &err)) == EVE_OK);
    }
    eve_decode_fini(&d);
    CHECK((learn ? eve_golden_learned(g, &err) : eve_golden_end(g, true, &err)) == EVE_OK);
}

/* Compare two streams; what is told stands in `told`. */
static bool same(const char *golden, const char *stream, const char *ignore)
{
    struct eve_finder finder;
    struct eve_golden *g = NULL;
    struct eve_golden_options options = {.name = "G", .finder = &finder};
    options.flow.ignore = (struct eve_ignore){&ignore, ignore != NULL ? 1 : 0};
    memcpy(options.flow.seed, seed, sizeof seed);
    eve_finder_init(&finder, on_found, NULL);
    told[0] = '\0';
    if (!CHECK(eve_golden_new(&g, &options, &err) == EVE_OK)) {
        return false;
    }
    feed(g, golden, true);
    feed(g, stream, false);
    eve_golden_free(g);
    return told[0] == '\0';
}

#define STEP "{\"type\":\"step.started\",\"data\":{\"turnId\":\"t\",\"stepIndex\":0}}\n"
#define AT "\"turnId\":\"t\",\"stepIndex\":0}}\n"
#define TEXT(s) "{\"type\":\"message.appended\",\"data\":{\"messageDelta\":\"" s "\"," AT
#define INPUT(call, s)                                                                             \
    "{\"type\":\"action.input.appended\",\"data\":{\"callId\":\"" call                             \
    "\",\"inputTextDelta\":\"" s "\"," AT
#define DONE(s) "{\"type\":\"message.completed\",\"data\":{\"message\":\"" s "\"," AT
#define ASKED(actions) "{\"type\":\"actions.requested\",\"data\":{\"actions\":[" actions "]," AT
#define CALL(call, input) "{\"callId\":\"" call "\",\"input\":" input "}"

static void chunks(void)
{
    TEST("chunks do not count, texts do");
    CHECK(same(STEP TEXT("a") TEXT("b\\ud83d") TEXT("\\ude00") DONE("x"),
               STEP TEXT("ab\xF0\x9F\x98\x80") DONE("x"), NULL));
    CHECK(!same(STEP TEXT("a") DONE("x"), STEP TEXT("b") DONE("x"), NULL));
    CHECK_EQ_STR(told, "2 message.appended, the text appended: - a, + b (line 2 of G)\n");
    CHECK(same(STEP TEXT("a") DONE("x"), STEP TEXT("b") DONE("x"), "message.appended"));
    CHECK(same(STEP TEXT("a") DONE("x"), STEP TEXT("b") DONE("x"),
               "message.appended/data/messageDelta"));
    CHECK(!same(STEP TEXT("a"), STEP, NULL));
    CHECK(same(STEP TEXT(""), STEP, NULL));
}

static void attempts(void)
{
    TEST("failed attempts do not count");
    CHECK(same(STEP TEXT("a") TEXT("b") DONE("b"), STEP TEXT("b") DONE("b"), NULL));
    CHECK(same(STEP TEXT("a") STEP TEXT("b") DONE("b"), STEP STEP TEXT("b") DONE("b"), NULL));
    CHECK(!same(STEP TEXT("ab") DONE("b"), STEP TEXT("xc") DONE("b"), NULL));
    CHECK(same(STEP INPUT("c", "{\\\"a\\\"") INPUT("c", "{\\\"a\\\":") INPUT("c", "1}")
                   ASKED(CALL("c", "{\"a\":1.0}")),
               STEP INPUT("c", "{\\\"a\\\":1}") ASKED(CALL("c", "{\"a\":1}")), NULL));
    CHECK(!same(STEP INPUT("c", "{\\\"a\\\":2}") ASKED(CALL("c", "{\"a\":1}")),
                STEP INPUT("c", "{\\\"a\\\":1}") ASKED(CALL("c", "{\"a\":1}")), NULL));
}

static void interleaving(void)
{
    TEST("interleaving does not count");
    CHECK(same(STEP INPUT("1", "{") INPUT("2", "{") INPUT("2", "}") INPUT("1", "}")
                   ASKED(CALL("1", "{}") "," CALL("2", "{}")),
               STEP INPUT("2", "{}") INPUT("1", "{}") ASKED(CALL("1", "{}") "," CALL("2", "{}")),
               NULL));
    CHECK(!same(STEP INPUT("1", "{}") INPUT("2", "{ }") ASKED(CALL("1", "{}") "," CALL("2", "{}")),
                STEP INPUT("1", "{ }") INPUT("2", "{}") ASKED(CALL("1", "{}") "," CALL("2", "{}")),
                NULL));
}

static void joined_midway(void)
{
    TEST("joined midway: the completed text counts");
    CHECK(same(TEXT("cd") DONE("abcd"),
               "{\"type\":\"message.appended\",\"data\":{\"messageDelta\":\"d\","
               "\"messageSoFar\":\"abcd\"," AT DONE("abcd"),
               NULL));
}

static void coordinates(void)
{
    TEST("an append with other coordinates is seen");
    CHECK(!same(STEP INPUT("c", "{") INPUT("c", "}"),
                STEP INPUT("c", "{") "{\"type\":\"action.input.appended\",\"data\":{\"callId\":"
                                     "\"c\",\"inputTextDelta\":\"}\",\"turnId\":\"u\","
                                     "\"stepIndex\":0}}\n",
                NULL));
}

static void alignment(void)
{
    TEST("after a difference the streams are brought together");
    const char *a = "{\"type\":\"a\"}\n{\"type\":\"b\"}\n{\"type\":\"c\"}\n{\"type\":\"d\"}\n";
    CHECK(!same(a, "{\"type\":\"a\"}\n{\"type\":\"c\"}\n{\"type\":\"d\"}\n", NULL));
    CHECK_EQ_STR(told, "2 - b {\"type\":\"b\"}: missing (line 2 of G)\n");
    CHECK(
        !same(a, "{\"type\":\"x\"}\n{\"type\":\"a\"}\n{\"type\":\"b\"}\n{\"type\":\"c\"}\n", NULL));
    CHECK_EQ_STR(told,
                 "1 + x {\"type\":\"x\"}: not in G\n4 - d {\"type\":\"d\"}: missing (line 4 of "
                 "G)\n");
    CHECK(!same(a, "", NULL));
    CHECK_EQ_STR(told,
                 "0 - a {\"type\":\"a\"}: missing (line 1 of G)\n0 - b {\"type\":\"b\"}: "
                 "missing (line 2 of G)\n0 - c {\"type\":\"c\"}: missing (line 3 of G)\n0 - d "
                 "{\"type\":\"d\"}: missing (line 4 of G)\n");
    CHECK(!same("", "{\"type\":\"a\"}\n", NULL));
    CHECK(same("", "", NULL));
}

void test_golden(void)
{
    chunks();
    attempts();
    interleaving();
    joined_midway();
    coordinates();
    alignment();
}
