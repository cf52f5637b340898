#include "aid.h"
#include "event.h"

#include <stdio.h>
#include <string.h>

static const struct eve_event_options none;
static struct eve_err err;

static void kinds(void)
{
    static const struct {
        const char *line;
        enum eve_event_line kind;
        const char *text;
    } cases[] = {
        {"", EVE_LINE_BLANK, ""},
        {" \t\r", EVE_LINE_BLANK, ""},
        {"\xef\xbb\xbf", EVE_LINE_BLANK, ""},
        {"\xef\xbb\xbf \r", EVE_LINE_BLANK, ""},
        {"{\"type\":\"x\"}", EVE_LINE_EVENT, "{\"type\":\"x\"}"},
        {" \t{\"type\":\"x\"} \r", EVE_LINE_EVENT, "{\"type\":\"x\"}"},
        {"\xef\xbb\xbf{\"type\":\"\"}\r", EVE_LINE_EVENT, "{\"type\":\"\"}"},
        {"{\"$eve\":\"stream.lease-ended\"}", EVE_LINE_CONTROL,
         "{\"$eve\":\"stream.lease-ended\"}"},
        {"{\"\\u0024eve\":1,\"type\":null}", EVE_LINE_CONTROL, "{\"\\u0024eve\":1,\"type\":null}"},
        {"{\"$eve\":1,\"type\":\"x\"}", EVE_LINE_EVENT, "{\"$eve\":1,\"type\":\"x\"}"},
        {"{\"facts\":1,\"type\":\"x\"}", EVE_LINE_EVENT, "{\"facts\":1,\"type\":\"x\"}"},
        {"{\"type\":1,\"type\":\"x\"}", EVE_LINE_EVENT, "{\"type\":1,\"type\":\"x\"}"},
        {"{\"typ\\u0065\":\"x\"}", EVE_LINE_EVENT, "{\"typ\\u0065\":\"x\"}"},
    };
    struct eve_event ev;
    TEST("what a line is");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int ended = 0; ended < 2; ended++) {
            struct eve_slice line = eve_str(cases[i].line);
            CHECK(eve_event_parse(&ev, line, ended, &none, &err) == EVE_OK);
            CHECK(ev.kind == cases[i].kind && ev.ended == ended && eve_str_equal(ev.line, line));
            CHECK_EQ_MEM(ev.text.p, ev.text.n, cases[i].text, strlen(cases[i].text));
        }
    }
}

static void refused(void)
{
    static const struct {
        const char *line;
        enum eve_rule rule, last; /* with LF; as the last line without */
        size_t pos;
    } cases[] = {
        {"{\"type\":\"x\"", EVE_RULE_JSON_SYNTAX, EVE_RULE_TRUNCATED, 11},
        {"  {\"type\":\"x\" \r", EVE_RULE_JSON_SYNTAX, EVE_RULE_TRUNCATED, 13},
        {"{\"type\":\"\xc3", EVE_RULE_JSON_UTF8, EVE_RULE_TRUNCATED, 10},
        {"{\"type\":tru", EVE_RULE_JSON_SYNTAX, EVE_RULE_TRUNCATED, 11},
        {"{\"type\":trx", EVE_RULE_JSON_SYNTAX, EVE_RULE_JSON_SYNTAX, 10},
        {"\xef\xbb\xbf{\"type\":01}", EVE_RULE_JSON_SYNTAX, EVE_RULE_JSON_SYNTAX, 12},
        {" {\"type\":\"\xff\"}", EVE_RULE_JSON_UTF8, EVE_RULE_JSON_UTF8, 10},
        {"{\"type\":\"x\"}{}", EVE_RULE_JSON_SYNTAX, EVE_RULE_JSON_SYNTAX, 12},
        {"{\"data\":{\"a\":}}", EVE_RULE_JSON_SYNTAX, EVE_RULE_JSON_SYNTAX, 13},
        {"{\"meta\":{\"id\" 1}}", EVE_RULE_JSON_SYNTAX, EVE_RULE_JSON_SYNTAX, 14},
        {" []", EVE_RULE_NOT_OBJECT, EVE_RULE_NOT_OBJECT, 1},
        {"12", EVE_RULE_NOT_OBJECT, EVE_RULE_NOT_OBJECT, 0},
        {"{}", EVE_RULE_TYPE_MISSING, EVE_RULE_TYPE_MISSING, 0},
        {"{\"type\":null}", EVE_RULE_TYPE_MISSING, EVE_RULE_TYPE_MISSING, 8},
        {"{\"type\":\"x\",\"type\":1}", EVE_RULE_TYPE_MISSING, EVE_RULE_TYPE_MISSING, 19},
        {"{\"\\u0074yp\":\"x\"}", EVE_RULE_TYPE_MISSING, EVE_RULE_TYPE_MISSING, 0},
        {"{\"facts\":[]}", EVE_RULE_NEWER_FORMAT, EVE_RULE_NEWER_FORMAT, 0},
        {" {\"progress\":1}", EVE_RULE_NEWER_FORMAT, EVE_RULE_NEWER_FORMAT, 1},
        {"{\"facts\":1", EVE_RULE_JSON_SYNTAX, EVE_RULE_TRUNCATED, 10},
    };
    struct eve_event ev;
    TEST("what is refused, and where");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int ended = 0; ended < 2; ended++) {
            enum eve_status status =
                eve_event_parse(&ev, eve_str(cases[i].line), ended, &none, &err);
            bool ok = CHECK(status == EVE_BAD && err.msg != NULL) &&
                      CHECK_EQ_INT(err.rule, ended ? cases[i].rule : cases[i].last) &&
                      CHECK_EQ_SIZE(err.pos, cases[i].pos);
            if (!ok)
                printf("# %s\n", cases[i].line);
        }
    }
}

static void types(void)
{
    static const struct {
        const char *name;
        unsigned first, last;
    } some[] = {{"message.appended", 21, 26},   {"action.input.appended", 24, 26},
                {"approval.candidate", 22, 26}, {"approval.settled", 22, 26},
                {"input.resolved", 23, 26},     {"agent.started", 26, 26},
                {"turn.waiting", 26, 26},       {"task.started", 26, 26},
                {"task.settled", 26, 26},       {"subagent.event", 21, 25},
                {"subagent.called", 21, 25},    {"subagent.started", 21, 25},
                {"subagent.completed", 21, 25}, {"session.completed", 21, 26},
                {"no.such.type", 0, 0},         {"message.append", 0, 0},
                {"message.appendedx", 0, 0},    {"", 0, 0}};
    struct eve_event ev;
    char line[100];
    TEST("types and their versions");
    for (int t = 0; t < EVE_EVENT_OTHER; t++) {
        const char *name = eve_event_type_name((enum eve_event_type)t);
        snprintf(line, sizeof line, "{\"type\":\"%s\"}", name);
        aid_event(&ev, line, "");
        CHECK(ev.type == (enum eve_event_type)t);
        snprintf(line, sizeof line, "{\"type\":\"\\u%04x%s\"}", (unsigned)name[0], name + 1);
        aid_event(&ev, line, "");
        CHECK(ev.type == (enum eve_event_type)t);
    }
    CHECK(eve_event_type_name(EVE_EVENT_OTHER) == NULL);
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        snprintf(line, sizeof line, "{\"type\":\"%s\"}", some[i].name);
        aid_event(&ev, line, "");
        for (unsigned v = 20; v <= 27; v++)
            CHECK(eve_event_type_in(ev.type, v) == (v >= some[i].first && v <= some[i].last));
    }
}

static void members(void)
{
    static const char line[] =
        "{\"data\": { \"x\":1 , \"messageDelta\" : \"d\" ,\"turnId\":\"t\"} }";
    struct eve_event ev;
    TEST("members of data with their neighbourhood");
    aid_event(&ev, "{\"type\":\"x\",\"data\":{}}", "");
    CHECK(ev.seen == 0 && ev.data_other == 0 && ev.data.n == 2 && ev.plain);
    char text[120];
    snprintf(text, sizeof text, "{\"type\":\"x\",%s", line + 1);
    aid_event(&ev, text, "");
    const struct eve_member *d = &ev.field[EVE_FIELD_MESSAGE_DELTA];
    const struct eve_member *t = &ev.field[EVE_FIELD_TURN_ID];
    CHECK(eve_event_has(&ev, EVE_FIELD_MESSAGE_DELTA) && eve_event_has(&ev, EVE_FIELD_TURN_ID));
    CHECK(!eve_event_has(&ev, EVE_FIELD_SEQUENCE) && ev.repeated == 0 && ev.data_other == 1);
    CHECK(eve_event_value(&ev, EVE_FIELD_SEQUENCE).kind == EVE_JSON_NONE);
    CHECK_SLICE(d->value, "\"d\"");
    CHECK(d->name == strstr(text, "\"messageDelta") && d->before == strstr(text, " , \"m"));
    CHECK(d->after == strstr(text, "\"turnId") && t->name == d->after && t->after == NULL);
    CHECK(t->before == strstr(text, " ,\"turnId"));
    CHECK_EQ_MEM(ev.data.p, ev.data.n, strstr(text, "{ \"x"), strlen(strstr(text, "{ \"x")) - 2);

    TEST("of a repeated name the last one counts");
    aid_event(&ev, "{\"type\":\"x\",\"data\":{\"turnId\":1,\"turnId\":2,\"turn\\u0049d\":3}}", "");
    CHECK(ev.repeated == UINT32_C(1) << EVE_FIELD_TURN_ID && ev.seen == ev.repeated);
    CHECK_SLICE(ev.field[EVE_FIELD_TURN_ID].value, "3");
    CHECK(ev.field[EVE_FIELD_TURN_ID].after == NULL && ev.plain);
    aid_event(&ev,
              "{\"data\":{\"turnId\":1,\"y\":1},\"type\":\"x\",\"d\\u0061ta\":{\"sequence\":2}}",
              "");
    CHECK(ev.seen == UINT32_C(1) << EVE_FIELD_SEQUENCE && ev.data_other == 0 && !ev.plain);
    CHECK_SLICE(ev.data, "{\"sequence\":2}");
    aid_event(&ev, "{\"type\":\"x\",\"data\":{\"turnId\":1},\"data\":null}", "");
    CHECK(ev.seen == 0 && ev.data.kind == EVE_JSON_NULL);
    aid_event(&ev, "{\"type\":\"x\",\"\\u0064at\":{\"turnId\":1}}", ""); /* no data at all */
    CHECK(ev.seen == 0 && ev.data.kind == EVE_JSON_NONE && !ev.plain);
}

static void meta_and_group(void)
{
    struct eve_event ev;
    TEST("meta");
    aid_event(&ev,
              "{\"type\":\"x\",\"meta\":{\"at\":\"now\",\"id\":\"a\",\"i\\u0064\":\"b\",\"z\":{}}}",
              "");
    CHECK_SLICE(ev.id, "\"b\"");
    CHECK_SLICE(ev.at, "\"now\"");
    CHECK(ev.plain);
    aid_event(&ev, "{\"meta\":{\"id\":\"a\"},\"type\":\"x\",\"meta\":{}}", "");
    CHECK(ev.id.kind == EVE_JSON_NONE && ev.meta.n == 2 && !ev.plain);
    aid_event(&ev, "{\"meta\":{\"id\":\"a\"},\"type\":\"x\",\"meta\":[]}", "");
    CHECK(ev.id.kind == EVE_JSON_NONE && ev.meta.kind == EVE_JSON_ARRAY);

    TEST("the group's member");
    aid_event(&ev, "{\"type\":\"x\",\"session_id\":7}", "session_id");
    CHECK_SLICE(ev.group, "7");
    CHECK(ev.plain);
    aid_event(&ev, "{\"type\":\"x\",\"session_i\\u0064\":7,\"other\":1}", "session_id");
    CHECK_SLICE(ev.group, "7");
    CHECK(!ev.plain);
    aid_event(&ev, "{\"g\":1,\"type\":\"x\",\"g\":2}", "g");
    CHECK_SLICE(ev.group, "2");
    CHECK(!ev.plain);
    aid_event(&ev, "{\"type\":\"x\",\"g\":2}", "");
    CHECK(ev.group.kind == EVE_JSON_NONE && !ev.plain);
    aid_event(&ev, "{\"type\":\"x\"}", "g");
    CHECK(ev.group.kind == EVE_JSON_NONE && ev.plain);
    aid_event(&ev, "{\"type\":\"x\",\"data\":{\"g\":1}}", "type");
    CHECK_SLICE(ev.group, "\"x\"");
}

static struct eve_json_value value_of(const char *text)
{
    struct eve_json j;
    struct eve_json_value value = {0};
    eve_json_open(&j, eve_str(text));
    CHECK(eve_json_skip(&j, &value, &err) == EVE_OK);
    return value;
}

static void finds(void)
{
    TEST("finding members and fields");
    CHECK_SLICE(eve_event_find(value_of("{\"a\":1,\"b\":{\"c\":2},\"a\":3}"), "a"), "3");
    CHECK_SLICE(eve_event_find(value_of("{\"\\u0061\":[1]}"), "a"), "[1]");
    CHECK(eve_event_find(value_of("{\"b\":{\"c\":2}}"), "c").kind == EVE_JSON_NONE);
    CHECK(eve_event_find(value_of("[1]"), "a").kind == EVE_JSON_NONE);
    CHECK(eve_event_find((struct eve_json_value){0}, "a").kind == EVE_JSON_NONE);
    for (int f = 0; f < EVE_FIELD_COUNT; f++) {
        char text[50];
        const char *name = eve_event_field_name((enum eve_event_field)f);
        snprintf(text, sizeof text, "\"%s\"", name);
        CHECK(eve_event_find_field(value_of(text)) == (enum eve_event_field)f);
        snprintf(text, sizeof text, "\"\\u%04x%.*s\"", (unsigned)name[0], (int)strlen(name) - 2,
                 name + 1); /* the last letter is missing */
        CHECK(eve_event_find_field(value_of(text)) == EVE_FIELD_COUNT);
    }
}

void test_event(void);
void test_event(void)
{
    kinds();
    refused();
    types();
    members();
    meta_and_group();
    finds();
}
