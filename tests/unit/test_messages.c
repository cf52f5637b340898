#include "aid.h"
#include "decode.h"
#include "mem.h"
#include "messages.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const uint64_t seed[2] = {5, 6};

#define AT ",\"sequence\":0,\"stepIndex\":0,\"turnId\":\"t\"}"
#define USER                                                                                       \
    "{\"id\":\"e:user\",\"role\":\"user\",\"metadata\":{\"status\":\"complete\",\"turnId\":\"t\"}"
#define SAYS(status)                                                                               \
    "{\"id\":\"t:assistant\",\"role\":\"assistant\",\"metadata\":{\"status\":\"" status            \
    "\",\"turnId\":\"t\"},\"parts\":[{\"type\":\"step-start\"}"
#define CALL                                                                                       \
    "{\"type\":\"actions.requested\",\"data\":{\"actions\":[{\"kind\":\"tool-call\",\"callId\":"   \
    "\"c\","                                                                                       \
    "\"toolName\":\"get_it\",\"input\":{\"n\":12345678901234567890}}]" AT "}"
#define RESULT(more)                                                                               \
    "{\"type\":\"action.result\",\"data\":{\"result\":{\"callId\":\"c\"," more AT "}"

/* Feeds the events, parted by LF, and writes what comes of them to `to`. */
static enum eve_status project(const char *lines, const char *group, int to, struct eve_err *err)
{
    struct eve_messages *m = NULL;
    struct eve_out out = {0};
    enum eve_status status = eve_messages_new(&m, eve_str(group), seed, err);
    while (status == EVE_OK && *lines != '\0') {
        struct eve_event ev;
        struct eve_event_options options = {eve_str(group)};
        struct eve_slice line = {lines, strcspn(lines, "\n")};
        lines += line.n + (lines[line.n] == '\n' ? 1 : 0);
        status = eve_event_parse(&ev, line, true, &options, err);
        if (status == EVE_OK)
            status = eve_messages_event(m, &ev, err);
        if (status == EVE_BAD)
            status = EVE_OK;
    }
    if (status == EVE_OK)
        status = eve_out_init(&out, to, err);
    if (status == EVE_OK)
        status = eve_messages_write(m, &out, err);
    if (status == EVE_OK)
        status = eve_out_flush(&out, err);
    eve_out_fini(&out);
    eve_messages_free(m);
    return status;
}

static void becomes_with(const char *lines, const char *group, const char *want)
{
    char buf[8192];
    struct eve_err err = {0};
    int fd = aid_file(S(""));
    CHECK(project(lines, group, fd, &err) == EVE_OK);
    struct eve_slice got = aid_content(fd, buf, sizeof buf);
    CHECK_EQ_MEM(got.p, got.n, want, strlen(want));
    close(fd);
}

static void becomes(const char *lines, const char *want)
{
    becomes_with(lines, "", want);
}

static void texts(void)
{
    TEST("nothing is an empty conversation");
    becomes("", "{\"messages\":[]}\n");
    TEST("a user message stands before its answer, which stays in its spelling");
    becomes(
        "{\"type\":\"message.appended\",\"data\":{\"messageDelta\":\"a\\ud83d\"" AT
        ",\"meta\":{\"id\":\"i\"}}\n"
        "{\"type\":\"message.appended\",\"data\":{\"messageDelta\":\"\\ude00\\u0000\"" AT "}\n"
        "{\"type\":\"message.received\",\"data\":{\"message\":\"q\"" AT
        ",\"meta\":{\"id\":\"e\"}}\n",
        "{\"messages\":[" USER
        ",\"parts\":[{\"type\":\"text\",\"state\":\"done\",\"text\":\"q\"}]}," SAYS(
            "streaming") ",{\"type\":\"text\",\"state\":\"streaming\",\"id\":\"i\",\"stepIndex\":0,"
                         "\"text\":\"a\\ud83d\\ude00\\u0000\"}]}]}\n");
    TEST("files, and a message without meta");
    becomes(
        "{\"type\":\"message.received\",\"data\":{\"parts\":[{\"type\":\"file\",\"size\":1.0}]" AT
        "}",
        "{\"messages\":[{\"id\":\"t:0:user\",\"role\":\"user\",\"metadata\":{\"status\":"
        "\"complete\","
        "\"turnId\":\"t\"},\"parts\":[{\"type\":\"file\",\"size\":1.0}]}]}\n");
    TEST("each group is a conversation");
    becomes_with("{\"g\":\"b\",\"type\":\"session.started\"}\n"
                 "{\"type\":\"session.started\"}\n{\"g\":\"\\u0062\",\"type\":\"x\"}\n",
                 "g", "{\"messages\":[],\"g\":\"b\"}\n{\"messages\":[]}\n");
}

static void tools(void)
{
#define META(more)                                                                                 \
    "\"toolMetadata\":{\"eve\":{\"kind\":\"tool-call\",\"label\":\"Get "                           \
    "it\",\"name\":\"get_it\"" more "}}}"
#define TOOL(state, more)                                                                          \
    ",{\"type\":\"dynamic-tool\",\"state\":\"" state                                               \
    "\",\"toolCallId\":\"c\",\"toolName\":\"get_it\",\"stepIndex\":0,"                             \
    "\"input\":{\"n\":12345678901234567890}" more
    TEST("a call and its result");
    becomes(CALL "\n" RESULT("\"kind\":\"tool-result\",\"toolName\":\"get_it\",\"output\":1e400}"),
            "{\"messages\":[" SAYS("streaming") TOOL("output-available", ",\"output\":1e400,")
                META("") "]}]}\n");
    TEST("an error is made text as JavaScript makes it");
    becomes(CALL "\n" RESULT("\"kind\":\"tool-result\",\"toolName\":\"get_it\",\"isError\":true,"
                             "\"output\":{ \"b\":1.0,\"2\":1e2,\"b\":\"\\u0041\\n\",\"1\":[]}}"),
            "{\"messages\":[" SAYS("streaming")
                TOOL("output-error",
                     ",\"errorText\":\"{\\\"1\\\":[],\\\"2\\\":100,\\\"b\\\":\\\"A\\\\n\\\"}\",")
                    META("") "]}]}\n");
    TEST("a call that is taken back is gone");
    becomes(CALL "\n{\"type\":\"action.result\",\"data\":{\"error\":{\"code\":\"MODEL_CALL_ATTEMPT_"
                 "RETRIED\"},\"result\":{\"callId\":\"c\"}" AT "}",
            "{\"messages\":[" SAYS("streaming") "]}]}\n");
    TEST("a request for a call that is known is not read, whatever its kind");
    becomes(
        CALL "\n{\"type\":\"actions.requested\",\"data\":{\"actions\":[{\"kind\":\"new\","
             "\"callId\":\"c\"},{\"kind\":\"load-skill\",\"name\":\"s\",\"callId\":\"d\"}]" AT "}",
        "{\"messages\":[" SAYS("streaming") TOOL("input-available", ",") META(
            "") ",{\"type\":\"dynamic-tool\",\"state\":\"input-available\",\"toolCallId\":\"d\","
                "\"toolName\":\"eve__skill\",\"stepIndex\":0,\"toolMetadata\":{\"eve\":{"
                "\"kind\":\"load-skill\",\"label\":\"S\",\"name\":\"s\"}}}]}]}\n");
    TEST("a call that never ran goes with its turn");
    becomes(CALL "\n{\"type\":\"turn.completed\",\"data\":{\"turnId\":\"t\"}}",
            "{\"messages\":[" SAYS("complete") "]}]}\n");
}

static void bad_events(void)
{
    static const char *const lines[] = {
        "{\"type\":\"message.received\"}",
        "{\"type\":\"step.started\",\"data\":{\"stepIndex\":65537}}",
        "{\"type\":\"step.started\",\"data\":{\"stepIndex\":\"0\"}}",
        "{\"type\":\"step.started\",\"data\":{\"turnId\":{}}}",
        "{\"type\":\"actions.requested\",\"data\":{\"actions\":[{\"kind\":\"new\"}]}}",
        "{\"type\":\"action.result\",\"data\":{\"result\":null}}",
        "{\"type\":\"input.requested\",\"data\":{}}",
        "{\"type\":\"input.resolved\",\"data\":{\"resolutions\":[null]}}",
        "{\"type\":\"task.settled\",\"data\":{\"status\":\"odd\"}}",
        "{\"type\":\"authorization.required\",\"data\":{}}",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct eve_messages *m = NULL;
        struct eve_event ev;
        struct eve_err err = {0};
        TEST("an event that eve cannot project is bad and changes nothing");
        aid_event(&ev, lines[i], "");
        CHECK(eve_messages_new(&m, eve_str(""), seed, &err) == EVE_OK);
        CHECK(eve_messages_event(m, &ev, &err) == EVE_BAD);
        CHECK(err.rule == EVE_RULE_BAD_DATA && err.pos <= ev.line.n);
        eve_messages_free(m);
        becomes(lines[i], "{\"messages\":[]}\n");
    }
}

static void labels(void)
{
    static const char *const names[][2] = {{"web__getHTTPStatus_code", "Get HTTP status code"},
                                           {"__", "__"},
                                           {"", ""},
                                           {"a___b", "B"},
                                           {"ÀÉ-ßx", "ÀÉ ßx"},
                                           {"ßx", "SSx"},
                                           {"ΑΣ_ΣΑΣx ΟΔΟΣs", "ΑΣ σασx οδοσs"},
                                           {"İx", "I\u0307x"},
                                           {"\\ud83dx", "\\ud83dx"},
                                           {"v2Go", "V2 go"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char line[512];
        char want[512];
        char buf[2048];
        struct eve_err err = {0};
        TEST("the label of a name");
        int fd = aid_file(S(""));
        snprintf(line, sizeof line,
                 "{\"type\":\"actions.requested\",\"data\":{\"actions\":[{\"kind\":\"tool-call\","
                 "\"toolName\":\"%s\"}]}}",
                 names[i][0]);
        snprintf(want, sizeof want, "\"label\":\"%s\"", names[i][1]);
        CHECK(project(line, "", fd, &err) == EVE_OK);
        struct eve_slice got = aid_content(fd, buf, sizeof buf - 1);
        buf[got.n] = '\0';
        if (!CHECK(strstr(buf, want) != NULL))
            printf("# %s: %s\n", names[i][0], buf);
        close(fd);
    }
}

static void torture(void)
{
    static const char lines[] = CALL
        "\n{\"type\":\"message.received\",\"data\":{\"message\":\"q\"" AT "}\n"
        "{\"type\":\"message.appended\",\"data\":{\"messageDelta\":\"a\"" AT "}\n"
        "{\"type\":\"input.requested\",\"data\":{\"requests\":[{\"requestId\":\"r\",\"kind\":"
        "\"tool-approval\","
        "\"action\":{\"kind\":\"tool-call\",\"toolName\":\"x\",\"callId\":\"c\"}}]" AT "}\n"
        "{\"type\":\"input.resolved\",\"data\":{\"resolutions\":[{\"requestId\":\"r\",\"outcome\":"
        "\"denied\","
        "\"response\":{\"text\":\"no\"}}]" AT "}\n"
        "{\"type\":\"task.started\",\"data\":{\"callId\":\"k\",\"taskId\":\"s\"" AT "}\n"
        "{\"type\":\"task.settled\",\"data\":{\"callId\":\"k\",\"taskId\":\"s\",\"status\":"
        "\"completed\","
        "\"output\":{}" AT "}\n"
        "{\"type\":\"authorization.required\",\"data\":{\"name\":\"n\",\"description\":\"d\"" AT
        "}\n"
        "{\"type\":\"authorization.completed\",\"data\":{\"name\":\"n\",\"outcome\":\"x\"" AT
        "}\n" RESULT(
            "\"kind\":\"tool-result\",\"toolName\":\"x\",\"isError\":true,\"output\":{\"b\":1,"
            "\"1\":2}}") "\n{\"type\":\"result.completed\",\"data\":{\"result\":[1]" AT "}\n";
    int want = aid_file(S(""));
    struct eve_err err = {0};
    size_t clean = 0;
    TEST("runs in which an allocation fails");
    CHECK(project(lines, "", want, &err) == EVE_OK);
    for (size_t n = 1; clean < 20; n++) {
        int to = aid_file(S(""));
        err = (struct eve_err){0};
        eve_mem_test_fail(n, n % 2 == 0);
        enum eve_status status = project(lines, "", to, &err);
        eve_mem_test_fail(0, false);
        clean += status == EVE_OK ? 1 : 0;
        off_t size = lseek(to, 0, SEEK_END);
        close(to);
        if (!CHECK(status == EVE_OK ? size == lseek(want, 0, SEEK_END)
                                    : status == EVE_FAIL && err.sys == ENOMEM && clean == 0))
            break;
    }
    close(want);
}

void test_messages(void);
void test_messages(void)
{
    texts();
    tools();
    bad_events();
    labels();
    torture();
}
