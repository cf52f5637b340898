#include "aid.h"
#include "decode.h"

#include <stdio.h>
#include <string.h>

static struct eve_err err;

/* An event of the type with these members of data. */
#define MSG(members) "{\"data\":{" members "},\"type\":\"message.appended\"}"
#define REA(members) "{\"data\":{" members "},\"type\":\"reasoning.appended\"}"
#define INP(members) "{\"data\":{" members "},\"type\":\"action.input.appended\"}"
#define ACT(actions) "{\"data\":{\"actions\":" actions "},\"type\":\"actions.requested\"}"
#define D "\"messageDelta\":\"b\""
#define F "\"messageSoFar\":\"ab\""

/* Decodes `line` and puts its delta-only form into `out`; counts and edits must agree. */
static enum eve_status decode(const char *line, unsigned version, bool names, struct eve_buf *out,
                              bool *legacy)
{
    struct eve_event ev;
    struct eve_decoder d;
    size_t payload = 0;
    out->n = 0;
    aid_event(&ev, line, "");
    eve_decode_init(&d);
    enum eve_status status = eve_decode(&d, &ev, version, names, &err);
    if (status == EVE_OK) {
        for (size_t f = 0; f < EVE_FIELD_REMOVED_COUNT; f++)
            payload += d.payload[f];
        CHECK(eve_edit_put(&d.edits, ev.text, out, &err) == EVE_OK);
        CHECK_EQ_SIZE(payload, d.removed);
        CHECK_EQ_SIZE(out->n + d.removed, ev.text.n + d.added);
        *legacy = d.legacy;
    } else {
        CHECK(err.pos <= ev.line.n);
    }
    eve_decode_fini(&d);
    return status;
}

static const struct {
    unsigned from, to; /* declared versions; 0 is a version of its own: persisted */
    const char *in;
    const char *out; /* NULL: unchanged */
    enum eve_rule rule;
} cases[] = {
    {0, 0, MSG(D "," F), MSG(D), EVE_RULE_NONE},
    {21, 24, MSG(F "," D), MSG(D), EVE_RULE_NONE},
    {21, 24, MSG("\"a\":1 , " F " , " D), MSG("\"a\":1 , " D), EVE_RULE_NONE},
    {21, 24, MSG(" " D " , " F " "), MSG(" " D " "), EVE_RULE_NONE},
    {21, 24, MSG(F ",\"messageOffset\":0," D), MSG(D), EVE_RULE_NONE},
    {21, 24, MSG(D "," F "," F), MSG(D), EVE_RULE_NONE},
    {21, 24, MSG(D ",\"messageSoFar\":5," F), MSG(D), EVE_RULE_NONE},
    {21, 24, MSG(D ",\"message\\u0053oFar\":\"\\u0062\""), MSG(D), EVE_RULE_NONE},
    {21, 24, MSG(D), NULL, EVE_RULE_BAD_SNAPSHOT},
    {21, 24, MSG(D ",\"messageSoFar\":null"), NULL, EVE_RULE_BAD_SNAPSHOT},
    {0, 0, MSG(D ",\"messageSoFar\":null"), NULL, EVE_RULE_BAD_SNAPSHOT},
    {0, 24, MSG(D ",\"messageSoFar\":\"ba\""), NULL, EVE_RULE_SNAPSHOT_MISMATCH},
    {0, 26, MSG("\"messageDelta\":1," F), NULL, EVE_RULE_BAD_DELTA},
    {0, 26, MSG(F), NULL, EVE_RULE_BAD_DELTA},
    {0, 26, MSG(D ",\"messageDelta\":null"), NULL, EVE_RULE_BAD_DELTA},
    {25, 26, MSG(D), NULL, EVE_RULE_NONE},
    {0, 0, MSG(D), NULL, EVE_RULE_NONE},
    {25, 26, MSG(D "," F), NULL, EVE_RULE_LEGACY_FIELD},
    {25, 26, MSG(D ",\"messageOffset\":0"), NULL, EVE_RULE_LEGACY_FIELD},
    {0, 0, MSG(D ",\"messageOffset\":0"), NULL, EVE_RULE_LEGACY_FIELD},
    {0, 26, "{\"type\":\"message.appended\"}", NULL, EVE_RULE_BAD_DATA},
    {0, 26, "{\"type\":\"message.appended\",\"data\":[]}", NULL, EVE_RULE_BAD_DATA},
    {0, 26, "{\"data\":{" D "},\"data\":1,\"type\":\"message.appended\"}", NULL, EVE_RULE_BAD_DATA},
    {21, 24, REA("\"reasoningDelta\":\"\",\"reasoningSoFar\":\"x\""),
     REA("\"reasoningDelta\":\"\""), EVE_RULE_NONE},
    {25, 26, REA("\"reasoningDelta\":\"\",\"reasoningOffset\":1"), NULL, EVE_RULE_LEGACY_FIELD},
    {21, 23, INP("\"inputTextDelta\":\"\",\"inputTextOffset\":0"), NULL,
     EVE_RULE_UNSUPPORTED_EVENT},
    {21, 23, INP("\"inputTextDelta\":1"), NULL, EVE_RULE_UNSUPPORTED_EVENT},
    {24, 24, INP("\"inputTextOffset\":5.0,\"inputTextDelta\":\"\""), INP("\"inputTextDelta\":\"\""),
     EVE_RULE_NONE},
    {0, 0, INP("\"inputTextDelta\":\"\",\"inputTextOffset\":-0"), INP("\"inputTextDelta\":\"\""),
     EVE_RULE_NONE},
    {24, 24, INP("\"inputTextDelta\":\"\""), NULL, EVE_RULE_BAD_OFFSET},
    {0, 0, INP("\"inputTextDelta\":\"\""), NULL, EVE_RULE_NONE},
    {0, 0, INP("\"inputTextDelta\":\"\",\"inputTextOffset\":-1"), NULL, EVE_RULE_BAD_OFFSET},
    {24, 24, INP("\"inputTextDelta\":\"\",\"inputTextOffset\":1.5"), NULL, EVE_RULE_BAD_OFFSET},
    {24, 24, INP("\"inputTextDelta\":\"\",\"inputTextOffset\":\"0\""), NULL, EVE_RULE_BAD_OFFSET},
    {24, 24, INP("\"inputTextDelta\":\"\",\"inputTextOffset\":9007199254740992"), NULL,
     EVE_RULE_BAD_OFFSET},
    {25, 26, INP("\"inputTextDelta\":\"\",\"inputTextOffset\":0"), NULL, EVE_RULE_LEGACY_FIELD},
    {0, 26, "{\"type\":\"session.completed\"}", NULL, EVE_RULE_NONE},
    {0, 26, "{\"type\":\"unknown\",\"data\":{" F "}}", NULL, EVE_RULE_NONE},
    {0, 26, "{\"type\":\"message.completed\",\"data\":{" F "}}", NULL, EVE_RULE_NONE},
    {0, 26, ACT("[{\"kind\":\"load-skill\",\"input\":{\"skill\":\"s\\n\"}}]"),
     ACT("[{\"kind\":\"load-skill\",\"input\":{\"skill\":\"s\\n\"},\"name\":\"s\\n\"}]"),
     EVE_RULE_NONE},
    {0, 26, ACT("[ { \"kind\":\"load\\u002dskill\",\"name\":1,\"input\":{} } ,{\"a\":1}]"),
     ACT("[ { \"kind\":\"load\\u002dskill\",\"name\":1,\"input\":{},\"name\":\"load_skill\" } "
         ",{\"a\":1}]"),
     EVE_RULE_NONE},
    {0, 26, ACT("[{\"kind\":\"load-skill\",\"name\":\"n\"},{\"kind\":\"tool\"},{}]"), NULL,
     EVE_RULE_NONE},
    {0, 26, ACT("[]"), NULL, EVE_RULE_NONE},
    {0, 26, ACT("{}"), NULL, EVE_RULE_BAD_DATA},
    {0, 26, ACT("[1]"), NULL, EVE_RULE_BAD_DATA},
    {0, 26, ACT("[{},null]"), NULL, EVE_RULE_BAD_DATA},
    {0, 26, ACT("[{\"kind\":\"load-skill\"}]"), NULL, EVE_RULE_BAD_DATA},
    {0, 26, ACT("[{\"kind\":\"load-skill\",\"input\":[]}]"), NULL, EVE_RULE_BAD_DATA},
    {0, 26, "{\"type\":\"actions.requested\",\"data\":{}}", NULL, EVE_RULE_BAD_DATA},
    {0, 26, "{\"type\":\"actions.requested\"}", NULL, EVE_RULE_BAD_DATA},
};

static void one_case(size_t i, unsigned version, struct eve_buf *out)
{
    bool legacy = false;
    const char *want = cases[i].out ? cases[i].out : cases[i].in;
    enum eve_status status = decode(cases[i].in, version, true, out, &legacy);
    bool ok = CHECK(status == (cases[i].rule == EVE_RULE_NONE ? EVE_OK : EVE_BAD));
    if (status == EVE_OK)
        ok = CHECK_EQ_MEM(out->p, out->n, want, strlen(want));
    else
        ok = ok && CHECK_EQ_INT(err.rule, cases[i].rule);
    if (!ok)
        printf("# version %u: %s\n", version, cases[i].in);
    bool request = strstr(cases[i].in, "actions.requested") != NULL;
    if (request && status == EVE_OK) { /* with names left alone */
        CHECK(decode(cases[i].in, version, false, out, &legacy) == EVE_OK);
        CHECK_EQ_MEM(out->p, out->n, cases[i].in, strlen(cases[i].in));
    } else if (request) {
        CHECK(decode(cases[i].in, version, false, out, &legacy) == EVE_BAD);
    } else if (status == EVE_OK) {
        CHECK(legacy == (cases[i].out != NULL));
    }
}

static void versions(void)
{
    struct eve_buf out;
    TEST("every rule in every version");
    eve_buf_init(&out, SIZE_MAX);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (cases[i].from == 0)
            one_case(i, EVE_VERSION_AUTO, &out);
        for (unsigned v = cases[i].from < 21 ? 21 : cases[i].from; v <= cases[i].to; v++)
            one_case(i, v, &out);
    }
    eve_buf_fini(&out);
}

static void places(void)
{
    bool legacy = false;
    struct eve_buf out;
    TEST("where a bad event is bad");
    eve_buf_init(&out, SIZE_MAX);
    CHECK(decode("  " MSG("\"messageDelta\":12"), 26, true, &out, &legacy) == EVE_BAD);
    CHECK_EQ_SIZE(err.pos, 2 + strlen("{\"data\":{\"messageDelta\":"));
    CHECK(decode("  " MSG("\"x\":12"), 26, true, &out, &legacy) == EVE_BAD);
    CHECK_EQ_SIZE(err.pos, 2 + strlen("{\"data\":"));
    CHECK(decode(" {\"type\":\"message.appended\"}", 26, true, &out, &legacy) == EVE_BAD);
    CHECK_EQ_SIZE(err.pos, 1);
    CHECK(decode(MSG(D ",\"messageSoFar\":\"x\""), 24, true, &out, &legacy) == EVE_BAD);
    CHECK_EQ_SIZE(err.pos, strlen("{\"data\":{" D ",\"messageSoFar\":"));
    eve_buf_fini(&out);
}

/* Random objects. What has to come out is put together beside them by the words of the rule: a run
 * of members that go takes the bytes up to the member after it or, at the end, from the end of the
 * last member that stays. */
static size_t make(uint64_t *random, char *in, char *want)
{
    static const char *const members[] = {"\"messageDelta\":\"b\"",         "\"turnId\" : \"t\"",
                                          "\"x\":[1,{\"messageSoFar\":2}]", "\"sequence\":1e0",
                                          "\"messageSoFar\":\"ab\"",        "\"messageOffset\" :3",
                                          "\"message\\u0053oFar\": \"b\""};
    static const char *const spaces[] = {"", "", "", " ", "\t", "  "};
    size_t n = (size_t)sprintf(in, "{\"type\":\"message.appended\",\"data\":{");
    size_t count = 2 + aid_below(random, 7);
    size_t delta = aid_below(random, count);
    size_t snapshot = aid_below(random, count);
    size_t from[9];
    size_t to[9];
    bool goes[9];
    snapshot = snapshot == delta ? (delta + 1) % count : snapshot;
    for (size_t i = 0; i < count; i++) {
        size_t which = i == delta ? 0 : i == snapshot ? 4 : 1 + aid_below(random, 6);
        n += (size_t)sprintf(in + n, "%s", spaces[aid_below(random, 6)]);
        from[i] = n;
        to[i] = n += (size_t)sprintf(in + n, "%s", members[which]);
        goes[i] = which >= 4;
        n +=
            (size_t)sprintf(in + n, "%s%s", spaces[aid_below(random, 6)], i + 1 < count ? "," : "");
    }
    sprintf(in + n, "},\"z\":1}");
    size_t out = 0;
    size_t last = count;
    while (goes[last - 1])
        last--;
    for (size_t at = 0; in[at] != '\0'; at++) {
        bool cut = last < count && at >= to[last - 1] && at < to[count - 1];
        for (size_t i = 0; i < last; i++)
            cut |= goes[i] && at >= from[i] && at < from[i + 1];
        if (!cut)
            want[out++] = in[at];
    }
    return out;
}

static void cuts(void)
{
    uint64_t random = 12;
    char in[1000];
    char want[1000];
    bool legacy = false;
    struct eve_buf out;
    TEST("cutting, against its words");
    eve_buf_init(&out, SIZE_MAX);
    for (int round = 0; round < 20000; round++) {
        size_t n = make(&random, in, want);
        bool ok = CHECK(decode(in, 24, true, &out, &legacy) == EVE_OK) &&
                  CHECK_EQ_MEM(out.p, out.n, want, n);
        if (!ok) {
            printf("# %s\n", in);
            break;
        }
    }
    eve_buf_fini(&out);
}

static void fields(void)
{
    TEST("fields of the appends");
    CHECK(eve_decode_delta_field(EVE_EVENT_REASONING_APPENDED) == EVE_FIELD_REASONING_DELTA);
    CHECK(eve_decode_sum_field(EVE_EVENT_REASONING_APPENDED) == EVE_FIELD_REASONING_SO_FAR);
    CHECK(eve_decode_delta_field(EVE_EVENT_INPUT_APPENDED) == EVE_FIELD_INPUT_TEXT_DELTA);
    CHECK(eve_decode_sum_field(EVE_EVENT_INPUT_APPENDED) == EVE_FIELD_INPUT_TEXT_OFFSET);
    CHECK(eve_decode_delta_field(EVE_EVENT_ACTION_PARTIAL) == EVE_FIELD_COUNT);
    CHECK(eve_decode_sum_field(EVE_EVENT_OTHER) == EVE_FIELD_COUNT);
}

void test_decode(void);
void test_decode(void)
{
    versions();
    places();
    cuts();
    fields();
}
