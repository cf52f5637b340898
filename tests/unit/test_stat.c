#include "../same_account.h"
#include "mem.h"
#include "stat_aid.h"

#include <errno.h>
#include <stdio.h>

#define AT(turn, step) "\"sequence\":0,\"stepIndex\":" step ",\"turnId\":\"" turn "\"}"
#define NEW(delta, turn, step)                                                                     \
    "{\"data\":{\"messageDelta\":\"" delta "\"," AT(turn, step) ",\"type\":\"message.appended\"}"  \
                                                                "\n"
#define OLD(delta, sum, turn, step)                                                                \
    "{\"data\":{\"messageDelta\":\"" delta "\",\"messageSoFar\":\"" sum                            \
    "\"," AT(turn, step) ",\"type\":\"message.appended\"}\n"
#define INPUT(delta, call, turn)                                                                   \
    "{\"data\":{\"callId\":\"" call "\",\"inputTextDelta\":\"" delta                               \
    "\",\"toolName\":\"n\"," AT(turn, "0") ",\"type\":\"action.input.appended\"}\n"
#define JOINED(delta, offset, call, turn, step)                                                    \
    "{\"data\":{\"callId\":\"" call "\",\"inputTextDelta\":\"" delta                               \
    "\",\"inputTextOffset\":" offset "," AT(turn, step) ",\"type\":\"action.input.appended\"}\n"
#define DONE(turn, step)                                                                           \
    "{\"data\":{\"message\":\"m\"," AT(turn, step) ",\"type\":\"message.completed\"}\n"

#define BARE(delta, call, turn, step)                                                              \
    "{\"data\":{\"callId\":\"" call "\",\"inputTextDelta\":\"" delta                               \
    "\"," AT(turn, step) ",\"type\":\"action.input.appended\"}\n"
#define STEP(turn, step) "{\"data\":{" AT(turn, step) ",\"type\":\"step.started\"}\n"

static uint64_t figure(const struct eve_account *a, enum eve_tally_figure f)
{
    return a->tally.n[f];
}

static bool adds_up(const struct eve_account *a)
{
    const uint64_t *n = a->tally.n;
    uint64_t payload = 0;
    for (unsigned f = 0; f < EVE_FIELD_REMOVED_COUNT; f++)
        payload += n[EVE_TALLY_PAYLOAD + f];
    return n[EVE_TALLY_IN] + n[EVE_TALLY_ADDED] ==
               n[EVE_TALLY_DELTA_ONLY] + n[EVE_TALLY_REMOVED] + n[EVE_TALLY_TRANSPORT] &&
           payload == n[EVE_TALLY_REMOVED];
}

static void figures(void)
{
    TEST("figures of single events");
    struct eve_account *a = stat_aid_account(
        S("\n{\"type\":\"turn.started\"}\n {\"type\":\"step.started\"}\r\n" OLD("a", "a", "t", "0")
              OLD("b", "ab", "t", "0") DONE(
                  "t", "0") "{\"$eve\":1}\n{\"data\":{\"actions\":[{},{\"kind\":\"load-skill\","
                            "\"input\":{}},{}]},\"type\":\"actions.requested\"}\n{\"type\":\"x\"}"),
        EVE_STAT_BY_NOTHING, 0);
    CHECK_EQ_INT((intmax_t)figure(a, EVE_TALLY_EVENTS), 7);
    CHECK_EQ_INT((intmax_t)figure(a, EVE_TALLY_TURNS), 1);
    CHECK_EQ_INT((intmax_t)figure(a, EVE_TALLY_STEPS), 1);
    CHECK_EQ_INT((intmax_t)figure(a, EVE_TALLY_BLOCKS), 4);
    CHECK_EQ_INT((intmax_t)figure(a, EVE_TALLY_TRANSPORT), 1 + 2 + 11);
    CHECK_EQ_INT((intmax_t)figure(a, EVE_TALLY_ADDED), 1 + 20);
    CHECK_EQ_INT((intmax_t)figure(a, EVE_TALLY_REMOVED), 19 + 20);
    CHECK_EQ_INT((intmax_t)figure(a, EVE_TALLY_PAYLOAD), 39);
    CHECK(adds_up(a) && a->as_if == 0 && a->rows.count == 0);
    CHECK(a->largest_count == 1 && a->largest[0].events == 2 && a->largest[0].removed == 39);
    eve_account_free(a);

    TEST("restarts");
    a = stat_aid_account(S(OLD("a", "a", "t", "0") OLD("b", "b", "t", "0") OLD("c", "bc", "t", "0")
                               OLD("d", "d", "t", "1") OLD("e", "e", "t", "1")),
                         EVE_STAT_BY_NOTHING, 0);
    CHECK_EQ_INT((intmax_t)figure(a, EVE_TALLY_RESTARTS), 2);
    eve_account_free(a);
}

static uint64_t as_if(struct eve_slice text)
{
    struct eve_account *a = stat_aid_account(text, EVE_STAT_BY_NOTHING, 24);
    uint64_t bytes = a->as_if;
    eve_account_free(a);
    return bytes;
}

/* The delta-only form costs as if it were the legacy one. */
#define SAME(new, old) CHECK_EQ_INT((intmax_t)as_if(S(new)), (intmax_t)(sizeof(old) - 1))

static void prices(void)
{
    TEST("as if version 24: a text goes on until its block ends");
    SAME(NEW("a", "t", "0") NEW("", "t", "0") NEW("b", "t", "0"),
         OLD("a", "a", "t", "0") OLD("", "a", "t", "0") OLD("b", "ab", "t", "0"));
    SAME(NEW("a", "t", "0") DONE("t", "0") NEW("b", "t", "0"),
         OLD("a", "a", "t", "0") DONE("t", "0") OLD("b", "b", "t", "0"));
    SAME(NEW("a", "t", "0") NEW("b", "t", "1") NEW("c", "u", "0") NEW("d", "t", "0"),
         OLD("a", "a", "t", "0") OLD("b", "b", "t", "1") OLD("c", "c", "u", "0")
             OLD("d", "ad", "t", "0"));
    SAME(NEW("a", "t", "0") "{\"type\":\"session.waiting\"}\n" NEW("b", "t", "0"),
         OLD("a", "a", "t", "0") "{\"type\":\"session.waiting\"}\n" OLD("b", "ab", "t", "0"));

    TEST("as if version 24: halves and escapes");
    SAME(NEW("\\ud83d", "t", "0") NEW("\\ude00", "t", "0"),
         OLD("\\ud83d", "\\ud83d", "t", "0") OLD("\\ude00", "\xf0\x9f\x98\x80", "t", "0"));
    SAME(NEW("\\u0041\\/", "t", "0") NEW("\\u000a", "t", "0"),
         OLD("\\u0041\\/", "A/", "t", "0") OLD("\\u000a", "A/\\n", "t", "0"));

    TEST("as if version 24: offsets of tool inputs");
    uint64_t plain =
        sizeof(INPUT("{", "c", "t") INPUT("\xf0\x9f\x98\x80}", "c", "t") INPUT("", "c", "t")) - 1;
    CHECK(as_if(S(INPUT("{", "c", "t") INPUT("\xf0\x9f\x98\x80}", "c", "t") INPUT("", "c", "t"))) ==
          plain + 3 * 20);
    CHECK(as_if(S(INPUT("{123456789", "c", "t") INPUT("}", "c", "u"))) ==
          sizeof(INPUT("{123456789", "c", "t") INPUT("}", "c", "u")) - 1 + 20 + 21);

    TEST("as if version 24: a tool input goes on from the offset that was given");
    SAME(JOINED("", "12345678901", "c", "t", "0") BARE("", "c", "t", "0"),
         JOINED("", "12345678901", "c", "t", "0") JOINED("", "12345678901", "c", "t", "0"));
    SAME(JOINED("a", "99", "c", "t", "0") JOINED("b", "8", "c", "t", "0") BARE("", "c", "t", "0"),
         JOINED("a", "99", "c", "t", "0") JOINED("b", "8", "c", "t", "0")
             JOINED("", "9", "c", "t", "0"));

    TEST("as if version 24: a tool input that began again is of its new step");
    SAME(JOINED("0123456789", "0", "c", "t", "0") JOINED("a", "0", "c", "t", "1") STEP("t", "0")
             BARE("b", "c", "t", "1") STEP("t", "1") BARE("", "c", "t", "1"),
         JOINED("0123456789", "0", "c", "t", "0") JOINED("a", "0", "c", "t", "1") STEP("t", "0")
             JOINED("b", "1", "c", "t", "1") STEP("t", "1") JOINED("", "0", "c", "t", "1"));
    SAME(JOINED("0123456789", "0", "c", "t", "0") JOINED("a", "0", "c", "t", "1") STEP("t", "0")
             BARE("0123456789", "c", "t", "1") BARE("", "c", "t", "1"),
         JOINED("0123456789", "0", "c", "t", "0") JOINED("a", "0", "c", "t", "1") STEP("t", "0")
             JOINED("0123456789", "1", "c", "t", "1") JOINED("", "11", "c", "t", "1"));

    TEST("as if version 24: legacy appends stay, and a text goes on behind them");
    SAME(OLD("b", "ab", "t", "0") NEW("c", "t", "0"),
         OLD("b", "ab", "t", "0") OLD("c", "abc", "t", "0"));
    SAME(NEW("a", "t", "0") OLD("x", "x", "t", "0") NEW("c", "t", "0"),
         OLD("a", "a", "t", "0") OLD("x", "x", "t", "0") OLD("c", "xc", "t", "0"));
    SAME("{\"type\":\"x\"}", "{\"type\":\"x\"}\n");
}

/* Many blocks of random sizes, interleaved; some end and begin again. The largest, found the slow
 * way, are those of the account, and the rows by block are all of them. */
static void largest(void)
{
    enum { PLACES = 40, EVENTS = 3000 };
    static char text[EVENTS * 200];
    static uint64_t bytes[EVENTS]; /* per block */
    size_t now[PLACES];            /* block + 1 that is open at a place */
    size_t blocks = 0;
    size_t n = 0;
    uint64_t state = 17;
    memset(now, 0, sizeof now);
    TEST("the largest blocks and the rows by block");
    for (int i = 0; i < EVENTS; i++) {
        unsigned at = aid_below(&state, PLACES);
        if (aid_below(&state, 8) == 0) {
            n += (size_t)snprintf(text + n, sizeof text - n,
                                  "{\"data\":{\"message\":\"\",\"stepIndex\":%u,\"turnId\":\"t\"},"
                                  "\"type\":\"message.completed\"}\n",
                                  at);
            now[at] = 0;
            continue;
        }
        if (now[at] == 0)
            now[at] = ++blocks;
        int wrote = snprintf(text + n, sizeof text - n,
                             "{\"data\":{\"messageDelta\":\"%.*s\",\"stepIndex\":%u,\"turnId\":"
                             "\"t\"},\"type\":\"message.appended\"}\n",
                             (int)aid_below(&state, 60),
                             "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
                             "xxxxxxxxxxxxxxxxxxxxxxxxx",
                             at);
        bytes[now[at] - 1] += (uint64_t)wrote;
        n += (size_t)wrote;
    }
    struct eve_account *a = stat_aid_account((struct eve_slice){text, n}, EVE_STAT_BY_BLOCK, 0);
    CHECK_EQ_SIZE(a->largest_count, EVE_ACCOUNT_LARGEST);
    CHECK_EQ_SIZE(a->rows.count, blocks + 1); /* and one for all other events */
    for (size_t i = 0, k = 0; i < a->rows.count; i++) {
        if (a->rows.list[i].kind == EVE_EVENT_MESSAGE_APPENDED)
            CHECK_EQ_INT((intmax_t)a->rows.list[i].bytes, (intmax_t)bytes[k++]);
    }
    const struct eve_row *best[EVE_ACCOUNT_LARGEST];
    CHECK_EQ_SIZE(eve_accounts_largest(&a, 1, best), EVE_ACCOUNT_LARGEST);
    for (size_t i = 0; i < EVE_ACCOUNT_LARGEST; i++) {
        size_t most = 0;
        for (size_t k = 0; k < blocks; k++)
            most = bytes[k] > bytes[most] ? k : most;
        CHECK_EQ_INT((intmax_t)best[i]->bytes, (intmax_t)bytes[most]);
        bytes[most] = 0;
    }
    eve_account_free(a);
}

static void rows(void)
{
    static const enum eve_stat_by kinds[] = {EVE_STAT_BY_TYPE, EVE_STAT_BY_TURN, EVE_STAT_BY_STEP,
                                             EVE_STAT_BY_BLOCK};
    static const size_t counts[] = {4, 3, 4, 6};
    TEST("rows add up to the whole");
    for (size_t i = 0; i < 4; i++) {
        struct eve_account *a =
            stat_aid_account(S("{\"type\":\"x\"}\n" OLD("a", "a", "t", "0") OLD("a", "a", "t", "1")
                                   OLD("b", "ab", "t", "0") DONE("t", "0") NEW("c", "t", "0")
                                       INPUT("{", "c", "u") NEW("c", "u", "0")),
                             kinds[i], 0);
        uint64_t events = 0;
        uint64_t removed = 0;
        uint64_t delta_only = 0;
        for (size_t r = 0; r < a->rows.count; r++) {
            events += a->rows.list[r].events;
            removed += a->rows.list[r].removed;
            delta_only += a->rows.list[r].delta_only;
        }
        CHECK_EQ_SIZE(a->rows.count, counts[i]);
        CHECK(events == 8 && removed == figure(a, EVE_TALLY_REMOVED));
        CHECK(delta_only == figure(a, EVE_TALLY_DELTA_ONLY));
        eve_account_free(a);
    }
}

static void groups(void)
{
    TEST("groups keep their state apart");
    struct eve_account *a = stat_aid_account(
        S("{\"group\":1,\"data\":{\"messageDelta\":\"a\",\"messageSoFar\":\"a\"},\"type\":"
          "\"message.appended\"}\n"
          "{\"group\":2,\"data\":{\"messageDelta\":\"b\",\"messageSoFar\":\"b\"},\"type\":"
          "\"message.appended\"}\n"
          "{\"group\":1.0,\"data\":{\"messageDelta\":\"c\",\"messageSoFar\":\"ac\"},\"type\":"
          "\"message.appended\"}\n"),
        EVE_STAT_BY_TURN, 24);
    CHECK(figure(a, EVE_TALLY_RESTARTS) == 0 && a->largest_count == 2 && a->rows.count == 2);
    eve_account_free(a);
}

/* A random event of few blocks at `out`, or a run of appends that are alike. */
static size_t random_lines(char *out, size_t cap, uint64_t *state)
{
    static const char *const deltas[] = {
        "",
        "a",
        "ab ",
        "\\n",
        "\xc3\xa4",
        "\\ud83d",
        "\\ude00",
        "{\\\"",
        "\xf0\x9f\x98\x80",
        "a text of many words, long enough for more than one block of bytes"};
    static const char *const turns[] = {"\"t\"", "\"\\u0074\"", "1", "1.0"};
    static const char *const ends[] = {"step.completed",      "turn.completed", "message.completed",
                                       "reasoning.completed", "step.started",   "x"};
    static const char *const kinds[] = {"message", "reasoning"};
    char at[100];
    size_t n = 0;
    unsigned kind = aid_below(state, 3);
    bool legacy = aid_below(state, 8) == 0;
    snprintf(at, sizeof at, "\"stepIndex\":%u,\"turnId\":%s", aid_below(state, 2),
             turns[aid_below(state, sizeof turns / sizeof *turns)]);
    if (aid_below(state, 5) == 0)
        return (size_t)snprintf(out, cap, "{\"data\":{%s},\"type\":\"%s\"}\n", at,
                                ends[aid_below(state, sizeof ends / sizeof *ends)]);
    unsigned call = aid_below(state, 3);
    for (unsigned i = aid_below(state, 6) + 1; i > 0; i--) {
        const char *delta = deltas[aid_below(state, sizeof deltas / sizeof *deltas)];
        char sum[200] = "";
        if (kind < 2 && legacy)
            snprintf(sum, sizeof sum, ",\"%sSoFar\":\"b%s\"", kinds[kind], delta);
        else if (legacy)
            snprintf(sum, sizeof sum, ",\"inputTextOffset\":%u", aid_below(state, 2) * 7);
        n += kind < 2
                 ? (size_t)snprintf(out + n, cap - n,
                                    "{\"data\":{\"%sDelta\":\"%s\"%s,%s},\"type\":"
                                    "\"%s.appended\",\"meta\":{\"id\":\"%02u\"}}\n",
                                    kinds[kind], delta, sum, at, kinds[kind], aid_below(state, 100))
                 : (size_t)snprintf(out + n, cap - n,
                                    "{\"data\":{\"callId\":%u,\"inputTextDelta\":\"%s\"%s,"
                                    "%s},\"type\":\"action.input.appended\"}\n",
                                    call, delta, sum, at);
    }
    return n;
}

static void fast(void)
{
    enum { EVENTS = 400, ROOM = 600000 };
    static char text[ROOM];
    uint64_t state = 5;
    uint64_t added = 0;
    struct eve_err err = {0};
    TEST("appends that are alike, found by templates and added up, give the same account");
    for (int round = 0; round < 60; round++) {
        size_t n = 0;
        for (int i = 0; i < EVENTS; i++)
            n += random_lines(text + n, sizeof text - n, &state);
        struct eve_slice stream = {text, n};
        for (int by = EVE_STAT_BY_NOTHING; by <= EVE_STAT_BY_BLOCK; by++) {
            unsigned version = round % 2 == 0 ? 24 : 0;
            struct eve_account *a = stat_aid_account(stream, (enum eve_stat_by)by, version);
            struct eve_account *b = NULL;
            CHECK(stat_aid_run(&b, "log", stream, (enum eve_stat_by)by, version, &added, &err) ==
                  EVE_OK);
            if (!CHECK(b != NULL && same_account(a, b)))
                return;
            eve_account_free(a);
            eve_account_free(b);
        }
    }
    CHECK(added > 10000);
}

/* A run in which the n-th allocation fails gives EVE_FAIL and nothing else. */
static void torture(void)
{
    static char text[400000];
    size_t n = 0;
    struct eve_err err = {0};
    TEST("runs in which each allocation fails in turn");
    for (int i = 0; i < 200; i++)
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "{\"data\":{\"messageDelta\":\"a\",\"messageSoFar\":\"a\","
                              "\"stepIndex\":%d,\"turnId\":\"\\u0074\"},\"type\":"
                              "\"message.appended\"}\n{\"type\":\"t\\u0041%d\"}\n",
                              i, i);
    for (int by = EVE_STAT_BY_NOTHING; by <= EVE_STAT_BY_BLOCK; by++) {
        size_t clean = 0;
        size_t failures = 0;
        uint64_t added = 0;
        for (size_t i = 1; clean < 20; i++) {
            struct eve_account *a = NULL;
            eve_mem_test_fail(i, false);
            enum eve_status status = stat_aid_run(&a, "log", (struct eve_slice){text, n},
                                                  (enum eve_stat_by)by, 24, &added, &err);
            eve_mem_test_fail(0, false);
            eve_account_free(a);
            clean += status == EVE_OK ? 1 : 0;
            failures += status == EVE_OK ? 0 : 1;
            if (!CHECK(status == EVE_OK || (status == EVE_FAIL && err.sys == ENOMEM && clean == 0)))
                break;
        }
        CHECK(failures > 20);
    }
}

void test_stat(void);
void test_stat(void)
{
    figures();
    prices();
    largest();
    rows();
    groups();
    fast();
    torture();
}
