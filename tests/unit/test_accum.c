#include "accum.h"
#include "aid.h"
#include "decode.h"
#include "mem.h"
#include "record.h"
#include "saved.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static struct eve_err err;

static enum eve_status put_record(void *ctx, const struct eve_ending *e, struct eve_err *why)
{
    enum eve_status status = eve_record_write(e, S("s"), aid_out(), why);
    return status == EVE_OK ? aid_taken(ctx, why) : status;
}

/* A new accumulator whose records go to `out`. */
static enum eve_status make(struct eve_accum **a, struct eve_buf *out, struct eve_err *why)
{
    struct eve_accum_options options = {.seed = {3, 4}, .ended = put_record, .ctx = out};
    return eve_accum_new(a, &options, why);
}

/* Save everything and take it up in a new accumulator. */
static void pass_on(struct eve_accum **a, struct eve_buf *out)
{
    struct eve_buf state;
    struct eve_json j;
    struct eve_json_value value = {0};
    struct eve_accum *next = NULL;
    eve_buf_init(&state, 1 << 24);
    struct eve_saved to = {aid_out(), false};
    eve_accum_save(*a, NULL, &to);
    CHECK(aid_taken(&state, &err) == EVE_OK && make(&next, out, &err) == EVE_OK);
    eve_json_open(&j, eve_buf_slice(&state));
    CHECK(eve_json_skip(&j, &value, &err) == EVE_OK && eve_json_finish(&j, &err) == EVE_OK);
    if (!CHECK(eve_accum_load(next, value, &err) == EVE_OK))
        printf("# %s: %.*s\n", err.msg, (int)state.n, state.p);
    eve_buf_fini(&state);
    eve_accum_free(*a);
    *a = next;
}

/* The lines through an accumulator, with the member s as group. `state`: save and load all the
 * time.
 */
static enum eve_status feed(const char *text, bool state, struct eve_buf *out, struct eve_err *why)
{
    struct eve_accum *a = NULL;
    struct eve_decoder d;
    struct eve_event ev;
    struct eve_event_options options = {S("s")};
    uint64_t index = 0;
    enum eve_status status = make(&a, out, why);
    eve_decode_init(&d);
    while (*text != '\0' && status == EVE_OK) {
        size_t n = strcspn(text, "\n");
        status = eve_event_parse(&ev, (struct eve_slice){text, n}, true, &options, why);
        if (status == EVE_OK)
            status = eve_decode(&d, &ev, EVE_VERSION_AUTO, false, why);
        if (status == EVE_OK)
            status = eve_accum_event(a, &ev, d.legacy, index++, why);
        if (state && status == EVE_OK)
            pass_on(&a, out);
        text += n + 1;
    }
    if (status == EVE_OK)
        status = eve_accum_end(a, why);
    eve_decode_fini(&d);
    eve_accum_free(a);
    return status;
}

static void gives(const char *text, const char *want)
{
    for (int state = 0; state < 2; state++) {
        struct eve_buf out;
        eve_buf_init(&out, 1 << 24);
        if (!CHECK(feed(text, state > 0, &out, &err) == EVE_OK))
            printf("# %s\n", err.msg);
        CHECK_EQ_MEM(out.p, out.n, want, strlen(want));
        eve_buf_fini(&out);
    }
}

/* Events. AT is a place; events with an id end in ID(n), others in END. */
#define AT "\"sequence\":0,\"stepIndex\":0,\"turnId\":\"t\""
#define END "}\n"
#define ID(n) ",\"meta\":{\"id\":\"evt_" n "\"}}\n"
#define EVENT(type, data) "{\"type\":\"" type "\",\"data\":{" data "}"
#define BEGIN EVENT("step.started", AT) END
#define MSG(d) EVENT("message.appended", "\"messageDelta\":\"" d "\"," AT)
#define OLD(d, all)                                                                                \
    EVENT("message.appended", "\"messageDelta\":\"" d "\",\"messageSoFar\":\"" all "\"," AT)
#define RSN(d) EVENT("reasoning.appended", "\"reasoningDelta\":\"" d "\"," AT)
#define INP(call, d)                                                                               \
    EVENT("action.input.appended",                                                                 \
          "\"callId\":\"" call "\",\"inputTextDelta\":\"" d "\",\"toolName\":\"n\"," AT)
#define OLDINP(d, o)                                                                               \
    EVENT("action.input.appended", "\"callId\":\"c\",\"inputTextDelta\":\"" d                      \
                                   "\",\"inputTextOffset\":" o ",\"toolName\":\"n\"," AT)
#define DONE(text) EVENT("message.completed", "\"message\":" text ",\"finishReason\":\"stop\"," AT)
#define ASK(call, input)                                                                           \
    EVENT("actions.requested",                                                                     \
          "\"actions\":[{\"callId\":\"" call "\",\"input\":" input ",\"toolName\":\"m\"}]," AT)
/* Records. */
#define DONE_AS(text) "\"state\":\"completed\",\"text\":\"" text "\",\"finishReason\":\"stop\","
#define PLACE "\"turnId\":\"t\",\"stepIndex\":0,\"sequence\":0,"
#define REC(kind) "{\"type\":\"block\",\"kind\":\"" kind "\"," PLACE
#define NUM(n, i, j) "\"deltas\":" n ",\"firstEvent\":" i ",\"lastEvent\":" j "}\n"
#define CALLED(call, tool) "\"callId\":\"" call "\",\"toolName\":\"" tool "\","

static void messages(void)
{
    TEST("a completed text is authoritative");
    gives(BEGIN MSG("a") END MSG("b") END DONE("\"ab\"") END,
          REC("message") DONE_AS("ab") NUM("2", "1", "3"));
    gives(BEGIN MSG("a\\ud83d") END MSG("\\ude00") END DONE("\"a\\uD83D\\uDE00\"") END,
          REC("message") DONE_AS("a\xf0\x9f\x98\x80") NUM("2", "1", "3"));
    gives(BEGIN DONE("\"only\"") END, REC("message") DONE_AS("only") NUM("0", "1", "1"));
    gives(BEGIN MSG("") END DONE("null") END,
          REC("message") "\"state\":\"completed\",\"text\":null,\"finishReason\":\"stop\"," NUM(
              "1", "1", "2"));

    TEST("a retry is a prefix of what was accumulated");
    gives(BEGIN MSG("Hel") END MSG("Hello") END DONE("\"Hello\"") END,
          REC("message")
              DONE_AS("Hello") "\"retried\":true,\"discarded\":\"Hel\"," NUM("2", "1", "3"));
    gives(BEGIN MSG("\\ud83d") END MSG("\\ude00") END DONE("\"\\ude00\"") END,
          REC("message")
              DONE_AS("\\ude00") "\"retried\":true,\"discarded\":\"\\ud83d\"," NUM("2", "1", "3"));
    gives(BEGIN MSG("\\\\n") END DONE("\"n\"") END,
          REC("message")
              DONE_AS("n") "\"retried\":true,\"discarded\":\"\\\\\"," NUM("1", "1", "2"));
    gives(BEGIN MSG("\\n") END DONE("\"n\"") END,
          REC("message")
              DONE_AS("n") "\"diverged\":true,\"accumulated\":\"\\n\"," NUM("1", "1", "2"));
    gives(BEGIN MSG("a") END DONE("\"\"") END,
          REC("message") DONE_AS("") "\"diverged\":true,\"accumulated\":\"a\"," NUM("1", "1", "2"));
    gives(BEGIN MSG("a") END DONE("null") END,
          REC("message") "\"state\":\"completed\",\"text\":null,\"finishReason\":\"stop\","
                         "\"diverged\":true,"
                         "\"accumulated\":\"a\"," NUM("1", "1", "2"));

    TEST("reasoning in between does not end a message");
    gives(BEGIN MSG("A") END RSN("r") END MSG("B") END DONE("\"AB\"")
              END EVENT("step.completed", AT) END,
          REC("message") DONE_AS("AB") NUM("2", "1", "4")
              REC("reasoning") "\"state\":\"interrupted\",\"text\":\"r\"," NUM("1", "2", "5"));

    TEST("without a beginning a block is partial and never compared");
    gives(MSG("b") END DONE("\"ab\"") END,
          REC("message") "\"state\":\"completed\",\"partial\":true,\"text\":\"ab\","
                         "\"finishReason\":\"stop\"," NUM("1", "0", "1"));
    gives(
        OLD("c", "abc") END,
        REC("message") "\"state\":\"open\",\"partial\":true,\"text\":\"abc\"," NUM("1", "0", "0"));

    TEST("what ends a block");
    gives(BEGIN MSG("a") END BEGIN,
          REC("message") "\"state\":\"abandoned\",\"text\":\"a\"," NUM("1", "1", "2"));
    gives(BEGIN MSG("a") END EVENT("turn.cancelled", "\"turnId\":\"t\"") END,
          REC("message") "\"state\":\"interrupted\",\"text\":\"a\"," NUM("1", "1", "2"));
    gives(BEGIN MSG("a") END EVENT("turn.failed", "\"turnId\":\"u\"")
              END EVENT("session.failed", "") END EVENT("turn.waiting", "\"turnId\":\"t\"")
                  END MSG("b") END,
          REC("message") "\"state\":\"open\",\"text\":\"ab\"," NUM("2", "1", "5"));
    gives(BEGIN RSN("1") END MSG("2") END INP("c", "3") END EVENT("step.failed", AT) END,
          REC("reasoning") "\"state\":\"interrupted\",\"text\":\"1\"," NUM("1", "1", "4") REC(
              "message") "\"state\":\"interrupted\",\"text\":\"2\"," NUM("1", "2", "4") REC("input")
              CALLED("c", "n") "\"state\":\"interrupted\",\"text\":\"3\"," NUM("1", "3", "4"));
}

static void legacy(void)
{
    TEST("snapshots show where a text starts again");
    gives(BEGIN OLD("a", "a") END OLD("b", "ab") END OLD("x", "x") END DONE("\"x\"") END,
          REC("message") "\"state\":\"abandoned\",\"text\":\"ab\"," NUM("2", "1", "3")
              REC("message") DONE_AS("x") NUM("1", "3", "4"));
    gives(BEGIN OLD("", "") END OLD("b", "ab") END OLD("c", "abc") END MSG("d") END DONE("\"abcd\"")
              END,
          REC("message") DONE_AS("abcd") NUM("4", "1", "5"));
    gives(BEGIN OLD("\\u0061", "a") END OLD("\\ud83d", "a\\uD83D")
              END OLD("\\ude00", "\\u0061\xf0\x9f\x98\x80") END,
          REC("message") "\"state\":\"open\",\"text\":\"a\xf0\x9f\x98\x80\"," NUM("3", "1", "3"));
    gives(BEGIN OLDINP("", "0") END OLDINP("{", "0") END OLDINP("}", "1") END OLDINP("{}", "0.0")
              END ASK("c", "{}") END,
          REC("input") CALLED("c", "n") "\"state\":\"abandoned\",\"text\":\"{}\"," NUM(
              "3", "1", "4") REC("input")
              CALLED("c", "n") "\"state\":\"completed\",\"text\":\"{}\",\"input\":{}," NUM("1", "4",
                                                                                           "5"));
}

static void inputs(void)
{
    TEST("a tool input is compared as JSON value");
    gives(BEGIN INP("c", "{\\\"b\\\":1.0,") END INP("c", "\\\"a\\\":\\\"\\\\u0041\\\"}")
              END ASK("c", "{\"a\":\"A\",\"b\":1}") END,
          REC("input") CALLED(
              "c", "n") "\"state\":\"completed\",\"text\":\"{\\\"b\\\":1.0,\\\"a\\\":"
                        "\\\"\\\\u0041\\\"}\",\"input\":{\"a\":\"A\",\"b\":1}," NUM("2", "1", "3"));
    gives(BEGIN INP("c", "") END ASK("c", "{}") END,
          REC("input") CALLED("c", "n") "\"state\":\"completed\",\"text\":\"\",\"input\":{}," NUM(
              "1", "1", "2"));
    gives(BEGIN INP("c", "{}") END ASK("c", "{\"a\":1}") END,
          REC("input") CALLED("c", "n") "\"state\":\"completed\",\"text\":\"{}\",\"input\":{\"a\":"
                                        "1},\"diverged\":true," NUM("1", "1", "2"));
    gives(BEGIN ASK("c", "{\"a\":1}") END,
          REC("input")
              CALLED("c", "m") "\"state\":\"completed\",\"text\":\"\",\"input\":{\"a\":1}," NUM(
                  "0", "1", "1"));

    TEST("a retried tool input is found at a delta that begins with a brace");
    gives(BEGIN INP("c", "{\\\"a") END INP("c", "{\\\"a") END INP("c", "\\\":1}")
              END ASK("c", "{\"a\":1}") END,
          REC("input") CALLED(
              "c", "n") "\"state\":\"completed\",\"text\":\"{\\\"a\\\":1}\",\"input\":{\"a\":1},"
                        "\"retried\":true,\"discarded\":\"{\\\"a\"," NUM("3", "1", "4"));

    TEST("a delta whose first half joins the text before it does not begin with a brace");
    gives(BEGIN INP("c", "\\ud83d") END INP("c", "\\ude00\\\\{}") END ASK("c", "{}") END,
          REC("input")
              CALLED("c", "n") "\"state\":\"completed\",\"text\":\"\xf0\x9f\x98\x80"
                               "\\\\{}\",\"input\":{},\"diverged\":true," NUM("2", "1", "3"));

    TEST("the place of a tool input that diverged is kept in a state");
    gives(BEGIN INP("c", "x") ID("1") INP("c", "{}") ID("2") ASK("c", "{\"a\":1}") ID("5")
              INP("c", "y") ID("4") INP("c", "{}") ID("6"),
          REC("input") CALLED(
              "c",
              "n") "\"state\":\"completed\",\"text\":\"x{}\",\"input\":{\"a\":"
                   "1},\"diverged\":true," NUM("2", "1", "3") REC("input")
                       CALLED("c", "n") "\"state\":\"completed\",\"late\":true,\"text\":\"y\"," NUM(
                           "1", "4", "4") REC("input")
                           CALLED("c", "n") "\"state\":\"open\",\"text\":\"{}"
                                            "\"," NUM("1", "5", "5"));

    TEST("calls end in the order of their first appends, those without come last");
    gives(
        BEGIN INP("b", "{}") END INP("a", "{}") END EVENT(
            "actions.requested",
            "\"actions\":[{\"callId\":\"x\",\"name\":\"k\",\"input\":{}},{\"callId\":\"a\","
            "\"input\":{}},{\"callId\":\"b\",\"input\":{}},{\"callId\":\"b\",\"input\":[]},{}]," AT)
            END,
        REC("input") CALLED("b", "n") "\"state\":\"completed\",\"text\":\"{}\",\"input\":{}," NUM(
            "1", "1", "3") REC("input")
            CALLED("a", "n") "\"state\":\"completed\",\"text\":\"{}\",\"input\":{}," NUM(
                "1", "2", "3") REC("input")
                CALLED("x", "k") "\"state\":\"completed\",\"text\":\"\",\"input\":{}," NUM("0", "3",
                                                                                           "3")
                    REC("input") "\"callId\":\"b\",\"state\":\"completed\",\"text\":\"\",\"input\":"
                                 "[]," NUM("0", "3", "3")
                                     REC("input") "\"state\":\"completed\",\"text\":\"\"," NUM(
                                         "0", "3", "3"));

    TEST("a result that withdraws its call");
    gives(BEGIN INP("c", "{") END EVENT(
              "action.result", "\"result\":{\"callId\":\"c\"},\"error\":{\"code\":\"OTHER\"}," AT)
              END EVENT("action.result", "\"result\":{\"callId\":\"c\"},\"error\":{\"code\":"
                                         "\"MODEL_CALL_ATTEMPT_RETRIED\"}," AT) END,
          REC("input")
              CALLED("c", "n") "\"state\":\"abandoned\",\"text\":\"{\"," NUM("1", "1", "3"));
}

static void late(void)
{
    TEST("late appends are known by their ids");
    gives(
        BEGIN MSG("a") ID("1") MSG("c") ID("4") DONE("\"abbc\"") ID("5") MSG("b") ID("2") MSG("b")
            ID("3") MSG("new") ID("6") MSG("x") ID("2") EVENT("step.completed", AT) ID("7") MSG("y")
                ID("3"),
        REC("message") DONE_AS("abbc") "\"diverged\":true,\"accumulated\":\"ac\"," NUM("2", "1",
                                                                                       "3")
            REC("message") "\"state\":\"completed\",\"late\":true,\"text\":\"bb\"," NUM("2", "4",
                                                                                        "5")
                REC("message") "\"state\":\"completed\",\"late\":true,\"text\":\"x\"," NUM("1", "7",
                                                                                           "7")
                    REC("message") "\"state\":\"interrupted\",\"text\":\"new\"," NUM("1", "6", "8")
                        REC("message") "\"state\":\"open\",\"text\":\"y\"," NUM("1", "9", "9"));
    gives(BEGIN MSG("ab") ID("1") DONE("\"ab\"") ID("5") MSG("b") ID("2"),
          REC("message") DONE_AS("ab") NUM("1", "1", "2")
              REC("message") "\"state\":\"open\",\"text\":\"b\"," NUM("1", "3", "3"));
}

/* Two sessions that take turns. */
static void groups(void)
{
#define IN(s, event) "{\"s\":\"" s "\"," event
#define M(d) "\"type\":\"message.appended\",\"data\":{\"messageDelta\":\"" d "\"," AT "}}\n"
    TEST("groups are kept apart, and records name them");
    gives(IN("x", "\"type\":\"session.started\"}\n") IN("x", M("1")) IN("y", M("2"))
              IN("\\u0078", M("3")) "{" M("4")
                  IN("y", "\"type\":\"message.completed\",\"data\":{\"message\":\"02\"," AT "}}\n"),
          REC("message") "\"state\":\"completed\",\"partial\":true,\"text\":\"02\",\"deltas\":1,"
                         "\"firstEvent\":2,\"lastEvent\":5,\"s\":\"y\"}\n" REC(
                             "message") "\"state\":"
                                        "\"open\","
                                        "\"text\":"
                                        "\"13\","
                                        "\"deltas\""
                                        ":2,"
                                        "\"firstEve"
                                        "nt\":1,"
                                        "\"lastEven"
                                        "t\":3,"
                                        "\"s\":"
                                        "\"x\"}"
                                        "\n" REC("m"
                                                 "e"
                                                 "s"
                                                 "s"
                                                 "a"
                                                 "g"
                                                 "e") "\"state\":\"open\",\"partial\":true,"
                                                      "\"text\":\"4\"," NUM("1", "4", "4"));
}

static void no_memory(void)
{
    static const char text[] = BEGIN MSG("a\\u0041") ID("1") RSN("r") END INP("c", "{\\\"a\\\":1")
        END INP("c", "}") END DONE("\"x\\ny\"") ID("\\u0035") MSG("b") ID("2")
            ASK("c", "{\"a\":1.0}") END OLD("q", "q") END OLD("\\u0072", "r") END IN("x", M("1"))
                EVENT("turn.completed", "\"turnId\":\"t\"") END;
    struct eve_buf want;
    size_t failures = 0;
    TEST("an allocation that fails is told, and all is given back");
    eve_buf_init(&want, 1 << 20);
    CHECK(feed(text, false, &want, &err) == EVE_OK);
    for (size_t n = 1, clean = 0; clean < 20 && n < 1000; n++) {
        struct eve_buf out;
        eve_buf_init(&out, 1 << 20);
        eve_mem_test_fail(n, false);
        enum eve_status status = feed(text, false, &out, &err);
        eve_mem_test_fail(0, false);
        clean += status == EVE_OK ? 1 : 0;
        failures += status == EVE_OK ? 0 : 1;
        CHECK(status == EVE_OK ? eve_str_equal(eve_buf_slice(&out), eve_buf_slice(&want))
                               : status == EVE_FAIL && err.sys == ENOMEM && clean == 0);
        eve_buf_fini(&out);
    }
    CHECK(failures > 10);
    eve_buf_fini(&want);
}

static void damaged(void)
{
#define BLOCK(draft) "{\"groups\":[],\"blocks\":[{\"open\":true,\"draft\":{" draft "}}]}"
#define REST ",\"text\":\"a\",\"partial\":false,\"firstEvent\":0,\"lastEvent\":0,\"units\":0"
    static const char *const states[] = {
        "[]",
        "{}",
        "{\"groups\":[],\"blocks\":{}}",
        "{\"groups\":[1],\"blocks\":[]}",
        "{\"groups\":[{\"begun\":1}],\"blocks\":[]}",
        "{\"groups\":[{\"begun\":true,\"late\":[]}],\"blocks\":[]}",
        "{\"groups\":[],\"blocks\":[null]}",
        "{\"groups\":[],\"blocks\":[{\"open\":true}]}",
        BLOCK("\"type\":\"x\""),
        BLOCK("\"type\":\"message.appended\",\"deltas\":-1" REST),
        BLOCK("\"type\":\"action.input.appended\",\"deltas\":1,\"starts\":[2]" REST),
    };
    TEST("a state that was not saved here is refused");
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        struct eve_json j;
        struct eve_json_value value = {0};
        struct eve_accum *a = NULL;
        struct eve_buf out;
        eve_buf_init(&out, 1 << 20);
        eve_json_open(&j, eve_str(states[i]));
        CHECK(eve_json_skip(&j, &value, &err) == EVE_OK && make(&a, &out, &err) == EVE_OK);
        CHECK(eve_accum_load(a, value, &err) == EVE_BAD);
        eve_accum_free(a);
        eve_buf_fini(&out);
    }
}

void test_accum(void);
void test_accum(void)
{
    messages();
    legacy();
    inputs();
    late();
    groups();
    no_memory();
    damaged();
}
