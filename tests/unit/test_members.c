#include "check.h"
#include "decode.h"
#include "members.h"
#include "str.h"

#include <stdio.h>

void test_members(void);

static char told[1024];

/* The faults of an event, as "TEXT at OFFSET; …". */
static const char *faults(const char *line)
{
    struct eve_event ev;
    struct eve_event_options none = {{NULL, 0}};
    struct eve_err err;
    char text[EVE_MEMBERS_TEXT];
    const char *at = NULL;
    unsigned next = 0;
    size_t n = 0;
    *told = '\0';
    CHECK(eve_event_parse(&ev, eve_str(line), true, &none, &err) == EVE_OK);
    while (eve_members_fault(&ev, &next, text, &at)) {
        n += (size_t)snprintf(told + n, sizeof told - n, "%s%s at %td", n > 0 ? "; " : "", text,
                              at - line);
    }
    return told;
}

/* The faults of an event in a step, with these members beside its coordinates. */
static const char *of_step(const char *type, const char *members)
{
    char line[512];
    (void)snprintf(
        line, sizeof line,
        "{\"data\":{\"sequence\":0,\"stepIndex\":0,\"turnId\":\"t\",%s},\"type\":\"%s\"}", members,
        type);
    return faults(line);
}

void test_members(void)
{
    TEST("data itself");
    CHECK_EQ_STR(faults("{\"type\":\"turn.started\"}"), "data is missing at 0");
    CHECK_EQ_STR(faults("{\"type\":\"turn.started\",\"data\":7}"), "data is not an object at 30");
    CHECK_EQ_STR(faults("{\"type\":\"session.completed\"}"), "");
    CHECK_EQ_STR(faults("{\"type\":\"x\"}"), "");
    CHECK_EQ_STR(faults("{\"type\":\"x\",\"data\":7}"), "data is not an object at 19");
    CHECK_EQ_STR(faults("{\"type\":\"x\",\"data\":{}}"), "");
    TEST("coordinates");
    CHECK_EQ_STR(faults("{\"type\":\"turn.started\",\"data\":{\"sequence\":0,\"turnId\":\"\"}}"),
                 "");
    CHECK_EQ_STR(faults("{\"data\":{\"sequence\":\"0\",\"turnId\":7},\"type\":\"turn.started\"}"),
                 "sequence is not a whole number from 0 on at 20; turnId is not a string at 33");
    CHECK_EQ_STR(faults("{\"data\":{},\"type\":\"step.failed\"}"),
                 "sequence is missing at 8; stepIndex is missing at 8; turnId is missing at 8; "
                 "code is missing at 8; message is missing at 8");
    CHECK_EQ_STR(faults("{\"data\":{\"sequence\":0,\"turnId\":\"t\",\"callId\":\"c\"},"
                        "\"type\":\"subagent.called\"}"),
                 "toolName is missing at 8");
    TEST("members that are no coordinates");
    CHECK_EQ_STR(
        faults("{\"data\":{\"sequence\":0,\"stepIndex\":0,\"turnId\":\"t\",\"message\":null,"
               "\"finishReason\":\"stop\"},\"type\":\"message.completed\"}"),
        "");
    CHECK_EQ_STR(faults("{\"data\":{\"sequence\":0,\"stepIndex\":0,\"turnId\":\"t\",\"message\":7},"
                        "\"type\":\"message.completed\"}"),
                 "message is not a string or null at 59; finishReason is missing at 8");
    CHECK_EQ_STR(faults("{\"data\":{\"sequence\":0,\"stepIndex\":0,\"turnId\":\"t\"},"
                        "\"type\":\"result.completed\"}"),
                 "result is missing at 8");
    CHECK_EQ_STR(
        faults("{\"data\":{\"sequence\":0,\"stepIndex\":0,\"turnId\":\"t\",\"requests\":7},"
               "\"type\":\"input.requested\"}"),
        "requests is not an array at 60");
    TEST("actions and results");
    CHECK_EQ_STR(
        faults("{\"data\":{\"sequence\":0,\"stepIndex\":0,\"turnId\":\"t\",\"actions\":[{\"kind\":"
               "\"load-skill\",\"callId\":\"c\"},{\"kind\":\"tool-call\"}]},\"type\":"
               "\"actions.requested\"}"),
        "callId is missing at 95");
    CHECK_EQ_STR(
        faults("{\"data\":{\"sequence\":0,\"stepIndex\":0,\"turnId\":\"t\",\"status\":\"x\","
               "\"result\":{\"callId\":\"c\"}},\"type\":\"action.result\"}"),
        "kind is missing at 71");
    CHECK_EQ_STR(
        faults("{\"data\":{\"sequence\":0,\"stepIndex\":0,\"turnId\":\"t\",\"status\":\"x\","
               "\"result\":[]},\"type\":\"action.result\"}"),
        "result is not an object at 71");
    TEST("the tool that is called or answers has a name");
    CHECK_EQ_STR(
        of_step("actions.requested", "\"actions\":[{\"kind\":\"tool-call\",\"callId\":\"c\"}]"),
        "toolName is missing at 60");
    CHECK_EQ_STR(of_step("actions.requested", "\"actions\":[{\"kind\":\"workflow-tool-call\","
                                              "\"callId\":\"c\",\"toolName\":7}]"),
                 "toolName is not a string at 113");
    CHECK_EQ_STR(of_step("actions.requested",
                         "\"actions\":[{\"kind\":\"subagent-call\",\"callId\":\"c\"},"
                         "{\"kind\":\"load-skill\",\"callId\":\"d\"}]"),
                 "");
    CHECK_EQ_STR(of_step("action.result", "\"status\":\"completed\",\"result\":{\"kind\":"
                                          "\"tool-result\",\"callId\":\"c\"}"),
                 "toolName is missing at 79");
    CHECK_EQ_STR(of_step("action.partial", "\"result\":{\"kind\":\"tool-result\"}"),
                 "callId is missing at 58");
    CHECK_EQ_STR(
        of_step("action.partial", "\"result\":{\"kind\":\"tool-result\",\"callId\":\"c\"}"),
        "toolName is missing at 58");
    CHECK_EQ_STR(of_step("action.partial", "\"result\":{\"kind\":\"tool-result\",\"callId\":"
                                           "\"c\",\"toolName\":\"x\"}"),
                 "");
    TEST("questions and answers");
    CHECK_EQ_STR(of_step("input.requested", "\"requests\":[{\"action\":{\"kind\":\"tool-call\","
                                            "\"callId\":\"c\",\"toolName\":\"x\"}}]"),
                 "requestId is missing at 61");
    CHECK_EQ_STR(of_step("input.requested", "\"requests\":[{\"requestId\":\"r\"}]"),
                 "action is missing at 61");
    CHECK_EQ_STR(of_step("input.requested",
                         "\"requests\":[{\"requestId\":\"r\",\"action\":{\"toolName\":\"x\","
                         "\"kind\":\"tool-call\"}}]"),
                 "callId is missing at 87");
    CHECK_EQ_STR(of_step("input.requested", "\"requests\":[7]"),
                 "a request is not an object at 61");
    CHECK_EQ_STR(of_step("input.resolved", "\"resolutions\":[{\"requestId\":\"r\"}]"),
                 "outcome is missing at 64");
    CHECK_EQ_STR(of_step("input.resolved",
                         "\"resolutions\":[{\"requestId\":\"r\",\"outcome\":\"approved\"},"
                         "{\"requestId\":7,\"outcome\":\"approved\"}]"),
                 "requestId is not a string at 116");
}
