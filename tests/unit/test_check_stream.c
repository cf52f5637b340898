/* The rules over a stream, case by case: small streams and what is found in them. */
#include "check_finds.h"

void test_check_stream(void);

static void texts(void)
{
    TEST("completed texts");
    CHECK_EQ_STR(finds(OPEN SAY("a") SAY("b") SAID("\"ab\"") END), "n id-missing:1");
    CHECK_EQ_STR(finds(OPEN SAY("a") SAY("b") SAID("\"abc\"") END), "E text-diverged:6" NO_IDS);
    CHECK_EQ_STR(finds(OPEN SAY("x") SAY("ab") SAID("\"ab\"") END), "n retry:6" NO_IDS);
    CHECK_EQ_STR(finds(OPEN SAY("ab") SAID("\"\"") END), "E text-diverged:5" NO_IDS);
    CHECK_EQ_STR(finds(OPEN SAY("ab") SAID("null") END), "n id-missing:1");
    CHECK_EQ_STR(finds(OPEN SAY("\\ud83d") SAY("\\ude00") SAID("\"\xF0\x9F\x98\x80\"") END),
                 "n id-missing:1");
    CHECK_EQ_STR(finds(OPEN SAY("A") SAID("\"\\u0041\"") END), "n id-missing:1");
    CHECK_EQ_STR(finds(OPEN SAY("a") THINK("z") SAY("b") SAID("\"ab\"")
                           EVENT("reasoning.completed", AT ",\"reasoning\":\"z\"") END),
                 "n id-missing:1");
    CHECK_EQ_STR(finds(OPEN SAY("a") SAID("\"a\"") SAY("b") SAID("\"b\"") END), "n id-missing:1");
    CHECK_EQ_STR(finds(OPEN SAID("\"a\"") END), "E text-diverged:4" NO_IDS);
    CHECK_EQ_STR(finds(OPEN SAID("\"\"") END), "n id-missing:1");
    TEST("a message without appends outside of a step is eve's word on an approval");
    CHECK_EQ_STR(finds(OPEN STEP_END EVENT("turn.waiting", "\"sequence\":0,\"turnId\":\"t\"")
                           SAID("\"no\"") STEP SAY("a") SAID("\"a\"") END),
                 "n outside-step:6" NO_IDS);
}

static void open_texts(void)
{
    TEST("texts left open");
    CHECK_EQ_STR(finds(OPEN SAY("a") END), "W block-open:4" NO_IDS);
    CHECK_EQ_STR(finds(OPEN SAY(" \\n\\u00a0") END), "n id-missing:1");
#define SPACES "\\t\\u000b\\f\\r\\ufeff\\u1680\\u2000\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000"
    CHECK_EQ_STR(finds(OPEN SAY(SPACES) END), "n id-missing:1");
    CHECK_EQ_STR(finds(OPEN SAY("\\u200b") END), "W block-open:4" NO_IDS);
    CHECK_EQ_STR(finds(OPEN SAY("\\u0008") END), "W block-open:4" NO_IDS);
    CHECK_EQ_STR(finds(OPEN INPUT("{") END), "n block-open:4" NO_IDS);
    CHECK_EQ_STR(finds(OPEN SAY("a") CANCEL EVENT("session.waiting", "")), "n block-open:4" NO_IDS);
    CHECK_EQ_STR(finds(OPEN SAY("a") EVENT("step.completed",
                                           AT ",\"finishReason\":\"content-filter\"") TURN_END),
                 "n block-open:4" NO_IDS);
    CHECK_EQ_STR(finds(OPEN SAY("a")), "W block-open:4, W turn-open:2" NO_IDS);
    TEST("a step that starts again gives up what was open");
    CHECK_EQ_STR(finds(OPEN SAY("a") STEP SAY("b") SAID("\"b\"") END), "n restart:5" NO_IDS);
    CHECK_EQ_STR(finds(OPEN SAY("a") START TURN STEP SAY("b") SAID("\"b\"") END),
                 "n restart:5, n restart:6, n restart:7" NO_IDS);
}

static void legacy(void)
{
    TEST("snapshots");
    CHECK_EQ_STR(finds(OPEN OLD("a", "a") OLD("b", "ab") SAID("\"ab\"") END), "n id-missing:1");
    CHECK_EQ_STR(finds(OPEN OLD("a", "a") OLD("c", "abc") SAID("\"abc\"") END),
                 "E snapshot-gap:5" NO_IDS);
    CHECK_EQ_STR(finds(OPEN OLD("b", "ab") SAID("\"ab\"") END), "E snapshot-gap:4" NO_IDS);
    CHECK_EQ_STR(finds(OPEN OLD("a", "a") OLD("b", "b") SAID("\"b\"") END), "n restart:5" NO_IDS);
    CHECK_EQ_STR(finds(OPEN OLD("a", "a") SAID("\"ab\"") END), "E text-diverged:5" NO_IDS);
    CHECK_EQ_STR(finds(OPEN OLD("b", "a") SAID("\"ab\"") END), "E snapshot-mismatch:4" NO_IDS);
    CHECK_EQ_STR(finds(OPEN OLD("\\ud83d", "\\ud83d") OLD("\\ude00", "\xF0\x9F\x98\x80")
                           OLD("a", "\xF0\x9F\x98\x80"
                                    "a") SAID("\"\xF0\x9F\x98\x80"
                                              "a\"") END),
                 "n id-missing:1");
    TEST("mixed forms");
    CHECK_EQ_STR(finds(OPEN OLD("a", "a") SAY("b") OLD("c", "abc") SAID("\"abc\"") END),
                 "W mixed-forms:5" NO_IDS);
    TEST("offsets");
    CHECK_EQ_STR(
        finds(OPEN INPUT_AT("", "0") INPUT_AT("{", "0") INPUT_AT("}", "1.0") ASK("{}") ANSWER END),
        "n id-missing:1");
    CHECK_EQ_STR(finds(OPEN INPUT_AT("{", "0") INPUT_AT("}", "2") ASK("{}") ANSWER END),
                 "E offset-gap:5" NO_IDS);
    CHECK_EQ_STR(finds(OPEN INPUT_AT("{", "0") INPUT_AT("{}", "0") ASK("{}") ANSWER END),
                 "n restart:5" NO_IDS);
    CHECK_EQ_STR(finds(OPEN INPUT_AT("}", "1") ASK("{}") ANSWER END), "E offset-gap:4" NO_IDS);
}

static void inputs(void)
{
    TEST("requested inputs");
    CHECK_EQ_STR(finds(OPEN INPUT("{\\\"a\\\":1,") INPUT("\\\"b\\\":2}")
                           ASK("{\"b\":2.0,\"a\":1e0}") ANSWER END),
                 "n id-missing:1");
    CHECK_EQ_STR(finds(OPEN INPUT("") ASK("{}") ANSWER END), "n id-missing:1");
    CHECK_EQ_STR(finds(OPEN INPUT("{\\\"a\\\":1}") ASK("{\"a\":2}") ANSWER END),
                 "W input-differs:5" NO_IDS);
    CHECK_EQ_STR(finds(OPEN INPUT("{\\\"a\\\":9007199254740993}") ASK("{\"a\":9007199254740992}")
                           ANSWER END),
                 "W input-differs:5" NO_IDS);
    CHECK_EQ_STR(finds(OPEN INPUT("{\\\"a") INPUT("{\\\"a\\\":1}") ASK("{\"a\":1}") ANSWER END),
                 "n retry:6" NO_IDS);
    CHECK_EQ_STR(finds(OPEN INPUT("{") INPUT("{") INPUT("{") INPUT("{") INPUT("{") INPUT("{")
                           INPUT("{") INPUT("{") INPUT("{") INPUT("{}") ASK("{}") ANSWER END),
                 "n retry:14" NO_IDS);
    TEST("a call that is withdrawn needs neither request nor comparison");
    CHECK_EQ_STR(finds(OPEN INPUT("{") EVENT("action.result", AT
                                             ",\"status\":\"failed\",\"error\":{\"code\":"
                                             "\"MODEL_CALL_ATTEMPT_RETRIED\"},\"result\":{\"kind\":"
                                             "\"tool-result\",\"toolName\":\"x\","
                                             "\"callId\":\"c\"}") INPUT("{}") ASK("{}") ANSWER END),
                 "n id-missing:1");
    TEST("requests and results");
    CHECK_EQ_STR(finds(OPEN ASK("{}") END), "W request-open:4" NO_IDS);
    CHECK_EQ_STR(finds(OPEN ANSWER END), "W result-unasked:4" NO_IDS);
    CHECK_EQ_STR(finds(OPEN ASK("{}") ANSWER ANSWER END), "W result-unasked:6" NO_IDS);
    CHECK_EQ_STR(finds(OPEN ASK("{}") CANCEL), "n request-open:4" NO_IDS);
    CHECK_EQ_STR(finds(OPEN ASK("{}") ANSWER ASK("{}") ANSWER END), "n id-missing:1");
    CHECK_EQ_STR(finds(OPEN ASK("{}") SAY("a") SAID("\"a\"") END), "n request-open:4" NO_IDS);
    CHECK_EQ_STR(finds(OPEN ASK("{}") STEP_END EVENT(
                     "input.requested", AT
                     ",\"requests\":[{\"requestId\":\"r\",\"action\":" ASKED_ABOUT "}]") TURN_END),
                 "n request-open:4" NO_IDS);
}

static void repeats(void)
{
    TEST("deltas that repeat the text");
    CHECK_EQ_STR(finds(OPEN SAY("H") SAY("He") SAY("Hel") SAY("Hell") SAID("\"Hell\"") END),
                 "W delta-repeats-text:7" NO_IDS);
    CHECK_EQ_STR(finds(OPEN SAY("H") SAY("He") SAY("Hel") SAID("\"Hel\"") END), "n retry:7" NO_IDS);
    CHECK_EQ_STR(finds(OPEN SAY("-") SAY("--") SAY("---") SAY("----") SAID("\"----------\"") END),
                 "n id-missing:1");
}

static void late(void)
{
#define SAY_ID(delta, n) EVENT_ID("message.appended", AT ",\"messageDelta\":\"" delta "\"", n)
#define SAID_ID(text, n)                                                                           \
    EVENT_ID("message.completed", AT ",\"finishReason\":\"stop\",\"message\":\"" text "\"", n)
#define BEGUN_ID                                                                                   \
    "{\"type\":\"session.started\",\"data\":{},\"meta\":{\"at\":\"2026-01-01T00:00:00.000Z\","     \
    "\"id\":\"evt_00000000000000000000000000\"}}\f" EVENT_ID("turn.started",                       \
                                                             "\"sequence\":0,\"turnId\":\"t\"", 0) \
        EVENT_ID("message.received", "\"sequence\":0,\"turnId\":\"t\",\"message\":\"\"", 1)
#define STEP_ID(n) EVENT_ID("step.started", AT, n)
#define OPEN_ID BEGUN_ID STEP_ID(2)
#define END_ID                                                                                     \
    EVENT_ID("step.completed", AT ",\"finishReason\":\"stop\"", 8)                                 \
    EVENT_ID("turn.completed", "\"sequence\":0,\"turnId\":\"t\"", 9)
    TEST("late appends: one note in place of the finding on the text");
    CHECK_EQ_STR(
        finds(OPEN_ID SAY_ID("a", 3) SAID_ID("abc", 6) SAY_ID("b", 4) SAY_ID("c", 5) END_ID),
        "n late:6");
    CHECK_EQ_STR(
        finds(OPEN_ID SAY_ID("a", 3) SAID_ID("ab", 5) SAY_ID("c", 6) SAID_ID("c", 7) END_ID),
        "E text-diverged:5");
    CHECK_EQ_STR(finds(OPEN_ID SAY_ID("a", 3) SAID_ID("ab", 5) SAY_ID("c", 6) SAY_ID("b", 4)
                           SAID_ID("c", 7) END_ID),
                 "n late:7");
    TEST("a swap within a text is none");
    CHECK_EQ_STR(finds(OPEN_ID SAY_ID("b", 4) SAY_ID("a", 3) SAID_ID("ab", 5) END_ID),
                 "n id-order:5, E text-diverged:6");
    TEST("a step.started that comes late ends no text");
#define OLD_ID(delta, all, n)                                                                      \
    EVENT_ID("message.appended",                                                                   \
             AT ",\"messageDelta\":\"" delta "\",\"messageSoFar\":\"" all "\"", n)
    CHECK_EQ_STR(finds(BEGUN_ID SAY_ID("a", 3) STEP_ID(2) SAY_ID("b", 4) SAID_ID("ab", 5) END_ID),
                 "W outside-step:3, n id-order:4");
    CHECK_EQ_STR(
        finds(BEGUN_ID OLD_ID("a", "a", 3) STEP_ID(2) OLD_ID("b", "ab", 4) SAID_ID("ab", 5) END_ID),
        "W outside-step:3, n id-order:4");
    TEST("a completed text that comes late, when its appends are over");
    CHECK_EQ_STR(finds(OPEN_ID SAY_ID("a", 3) STEP_ID(5) SAID_ID("a", 4) SAY_ID("b", 6)
                           SAID_ID("b", 7) END_ID),
                 "n restart:5, n late:6");
    CHECK_EQ_STR(finds(OPEN_ID SAY_ID("a", 3) STEP_ID(4) SAID_ID("a", 5) SAY_ID("b", 6)
                           SAID_ID("b", 7) END_ID),
                 "n restart:5, E text-diverged:6");
    TEST("a replay is left out");
    CHECK_EQ_STR(finds(OPEN_ID SAY_ID("a", 3) SAY_ID("b", 4) SAY_ID("a", 3) SAY_ID("b", 4)
                           SAY_ID("c", 5) SAID_ID("abc", 6) END_ID),
                 "n replay:6");
    CHECK_EQ_STR(finds(OPEN_ID SAY_ID("a", 3) SAY_ID("b", 3) SAID_ID("ab", 6) END_ID),
                 "E id-reused:5");
    TEST("an id for another tool is used again");
#define INPUT_ID(tool)                                                                             \
    EVENT_ID("action.input.appended",                                                              \
             AT ",\"callId\":\"c\",\"toolName\":\"" tool "\",\"inputTextDelta\":\"{\"", 3)
    CHECK_EQ_STR(finds(OPEN_ID INPUT_ID("x") INPUT_ID("x") END_ID), "n replay:5, n block-open:4");
    CHECK_EQ_STR(finds(OPEN_ID INPUT_ID("x") INPUT_ID("y") END_ID),
                 "E id-reused:5, W coordinate-differs:5, n block-open:4");
}

static void life_cycle(void)
{
    TEST("life cycle");
    CHECK_EQ_STR(finds(START STEP STEP_END), "W outside-turn:2" NO_IDS);
    CHECK_EQ_STR(finds(START TURN STEP_END TURN_END), "W order:3" NO_IDS);
    CHECK_EQ_STR(finds(OPEN TURN_END), "W order:3" NO_IDS);
    CHECK_EQ_STR(finds(OPEN EVENT("turn.failed", "\"sequence\":0,\"turnId\":\"t\",\"code\":\"x\","
                                                 "\"message\":\"x\"")),
                 "W order:3" NO_IDS);
    CHECK_EQ_STR(finds(START TURN_END), "W order:2" NO_IDS);
    CHECK_EQ_STR(finds(START TURN TURN_END TURN_END), "W order:4" NO_IDS);
    CHECK_EQ_STR(finds(START TURN TURN_END TURN TURN_END), "W order:4, W order:4" NO_IDS);
    CHECK_EQ_STR(finds(START TURN EVENT("session.waiting", "")), "W turn-open:2" NO_IDS);
    CHECK_EQ_STR(finds(OPEN STEP_END STEP STEP_END TURN_END), "n id-missing:1");
    CHECK_EQ_STR(finds(START TURN SAY("a") SAY("b") SAID("\"ab\"") STEP END),
                 "W outside-step:3" NO_IDS);
    CHECK_EQ_STR(finds(OPEN END SAY("a")), "W outside-turn:7, W block-open:7" NO_IDS);
    CHECK_EQ_STR(finds(OPEN EVENT("step.started", "\"sequence\":0,\"stepIndex\":1,\"turnId\":\"t\"")
                           EVENT("step.completed", "\"sequence\":0,\"stepIndex\":1.0,\"turnId\":"
                                                   "\"\\u0074\",\"finishReason\":\"stop\"")
                               TURN_END),
                 "W order:3" NO_IDS);
    TEST("a step is left open by a cancelled turn only");
    CHECK_EQ_STR(finds(OPEN CANCEL), "n id-missing:1");
    CHECK_EQ_STR(
        finds(OPEN SAY("a") SAID("\"a\"") EVENT("turn.waiting", "\"sequence\":0,\"turnId\":\"t\"")),
        "W order:3" NO_IDS);
    TEST("a parked turn is open, and the next step wakes it");
    CHECK_EQ_STR(finds(OPEN STEP_END EVENT("turn.waiting", "\"sequence\":0,\"turnId\":\"t\"")
                           EVENT("session.waiting", "")),
                 "n id-missing:1");
    TEST("the end of a session");
    CHECK_EQ_STR(finds(START "{\"type\":\"session.completed\"}\n" TURN TURN_END),
                 "W after-end:3" NO_IDS);
    CHECK_EQ_STR(finds(EVENT("session.failed", "\"code\":\"x\",\"message\":\"x\"")),
                 "n id-missing:1");
}

/* What the code of eve 0.33 to 0.80 writes, though no recording has it. */
#define AT_1 "\"sequence\":0,\"stepIndex\":1,\"turnId\":\"t\""
#define FAILED(type, at, code) EVENT(type, at ",\"code\":\"" code "\",\"message\":\"x\"")
#define FAILING(at, code)                                                                          \
    FAILED("step.failed", at, code)                                                                \
    FAILED("turn.failed", "\"sequence\":0,\"turnId\":\"t\"", code) EVENT("session.waiting", "")
#define WAITS EVENT("turn.waiting", "\"sequence\":0,\"turnId\":\"t\",\"on\":\"input\"")
#define LIMIT                                                                                      \
    EVENT("input.requested", AT ",\"requests\":[{\"requestId\":\"r\",\"kind\":\"session-limit\","  \
                                "\"action\":" ASKED_ABOUT "}]")
#define SIGN_IN EVENT("authorization.required", AT ",\"name\":\"x\",\"description\":\"x\"")
static void failures(void)
{
    TEST("a turn fails without a step, but not by its model call");
    CHECK_EQ_STR(finds(OPEN STEP_END FAILING(AT, "OUTPUT_SCHEMA_NOT_FULFILLED")),
                 "n order:5" NO_IDS);
    CHECK_EQ_STR(finds(START TURN FAILING(AT, "MODEL_SELECTION_FAILED")), "n order:3" NO_IDS);
    CHECK_EQ_STR(finds(START FAILING(AT, "EVENT_HANDLER_FAILED")), "n order:2, n order:3" NO_IDS);
    CHECK_EQ_STR(finds(START TURN FAILING(AT, "MODEL_CALL_FAILED")), "W order:3" NO_IDS);
    CHECK_EQ_STR(finds(START FAILING(AT, "MODEL_CALL_FAILED")), "W order:2, W order:3" NO_IDS);
    CHECK_EQ_STR(finds(OPEN FAILING(AT, "SESSION_TOKEN_LIMIT_REACHED")), "n id-missing:1");
    CHECK_EQ_STR(finds(FAILING(AT, "EVENT_HANDLER_FAILED") OPEN END),
                 "n order:1, n order:2" NO_IDS); /* the number of the turn was not used up */
    TEST("a step in which the model was not called is left open by a question");
    CHECK_EQ_STR(finds(OPEN LIMIT WAITS EVENT("step.started", AT_1)
                           EVENT("step.completed", AT_1 ",\"finishReason\":\"stop\"") TURN_END),
                 "n order:3" NO_IDS);
    CHECK_EQ_STR(finds(OPEN LIMIT TURN_END EVENT("session.waiting", "")), "n order:3" NO_IDS);
    CHECK_EQ_STR(finds(OPEN SIGN_IN WAITS), "n order:3" NO_IDS);
    CHECK_EQ_STR(finds(OPEN WAITS), "n order:3" NO_IDS);
    CHECK_EQ_STR(finds(OPEN TURN_END), "W order:3" NO_IDS);
    CHECK_EQ_STR(finds(OPEN SAY("a") SAID("\"a\"") LIMIT WAITS), "W order:3" NO_IDS);
    CHECK_EQ_STR(finds(OPEN ASK("{}") WAITS), "W order:3, n request-open:4" NO_IDS);
    TEST("a model call that a message superseded leaves reasoning and calls open");
    CHECK_EQ_STR(finds(OPEN THINK("a") ASK("{}")
                           EVENT("step.completed", AT ",\"finishReason\":\"other\"") TURN_END),
                 "n block-open:4, n request-open:5" NO_IDS);
    CHECK_EQ_STR(finds(OPEN THINK("a") SAY("b")
                           EVENT("step.completed", AT ",\"finishReason\":\"other\"") TURN_END),
                 "n block-open:4, W block-open:5" NO_IDS);
    TEST("a failed attempt that is seen by its end or a withdrawn call explains what it left open");
    CHECK_EQ_STR(finds(OPEN SAY("a") ASK("{}") SAY("a") SAID("\"a\"") END),
                 "n retry:7, n request-open:5" NO_IDS);
#define WITHDRAWN                                                                                  \
    EVENT("action.result",                                                                         \
          AT ",\"status\":\"failed\",\"error\":{\"code\":\"MODEL_CALL_ATTEMPT_RETRIED\"},"         \
             "\"result\":{\"kind\":\"tool-result\",\"callId\":\"c\",\"toolName\":\"x\"}")
    CHECK_EQ_STR(finds(OPEN THINK("a") INPUT("{") WITHDRAWN SAY("b") SAID("\"b\"") END),
                 "n block-open:4" NO_IDS);
    CHECK_EQ_STR(finds(OPEN INPUT("{") WITHDRAWN THINK("a") SAY("b") SAID("\"b\"") END),
                 "W block-open:6" NO_IDS);
    CHECK_EQ_STR(finds(OPEN INPUT("{") WITHDRAWN STEP_END EVENT("step.started", AT_1)
                           EVENT("message.appended", AT_1 ",\"messageDelta\":\"a\"")
                               EVENT("step.completed", AT_1 ",\"finishReason\":\"stop\"") TURN_END),
                 "W block-open:8" NO_IDS);
    TEST("a call whose input could not be read has a result without a request");
#define UNREAD(text)                                                                               \
    EVENT("action.result",                                                                         \
          AT ",\"status\":\"failed\",\"result\":{\"kind\":\"tool-result\",\"callId\":"             \
             "\"c\",\"toolName\":\"x\",\"isError\":true,\"output\":\"" text "\"}")
    CHECK_EQ_STR(
        finds(OPEN INPUT("[]") UNREAD("Failed to parse tool-call arguments for \\\"x\\\" (c): "
                                      "no object") END),
        "n result-unasked:5, n block-open:4" NO_IDS);
    CHECK_EQ_STR(finds(OPEN UNREAD("no such city") END), "W result-unasked:4" NO_IDS);
    TEST("a call that waits for a sign-in may have no result");
    CHECK_EQ_STR(finds(OPEN ASK("{}") STEP_END SIGN_IN WAITS EVENT("step.started", AT_1)
                           EVENT("step.completed", AT_1 ",\"finishReason\":\"stop\"") TURN_END),
                 "n request-open:4" NO_IDS);
}

static void midway(void)
{
    TEST("a stream joined midway: one warning, and nothing about what came before");
    CHECK_EQ_STR(finds(SAY("b") SAID("\"ab\"") ANSWER END), "W starts-midway:1" NO_IDS);
    CHECK_EQ_STR(finds(OLD("b", "ab") OLD("c", "abc") SAID("\"xabc\"") END),
                 "W starts-midway:1" NO_IDS);
    CHECK_EQ_STR(finds(SAY("b") STEP_END STEP SAY("a") SAID("\"ab\"") END),
                 "W starts-midway:1, W block-open:1, E text-diverged:5" NO_IDS);
    first_event = 7;
    CHECK_EQ_STR(finds(SAY("b") SAID("\"ab\"") END), "n id-missing:1");
    first_event = 0;
}

static void bad_lines(void)
{
    TEST("after a bad line nothing is told that it may explain");
    CHECK_EQ_STR(finds(OPEN SAY("a") "{\n" SAID("\"ab\"") END), "E json-syntax:5" NO_IDS);
    CHECK_EQ_STR(finds("{\n" TURN STEP SAY("a") SAID("\"a\"") END),
                 "E json-syntax:1, n id-missing:2");
    CHECK_EQ_STR(finds(OPEN OLD("a", "a") OLD("b", "x") OLD("c", "abc") SAID("\"abc\"") END),
                 "E snapshot-mismatch:5" NO_IDS);
    CHECK_EQ_STR(finds(OPEN OLD("b", "x") OLD("c", "abc") SAID("\"abc\"") END),
                 "E snapshot-mismatch:4" NO_IDS);
}

static void bad_lines_hide(void)
{
    TEST("after a bad line: a text whose head it may be is not compared");
    CHECK_EQ_STR(finds(OPEN "{\n" SAY("b") SAID("\"ab\"") END), "E json-syntax:4" NO_IDS);
    CHECK_EQ_STR(finds(OPEN "{\n" INPUT("2}") ASK("{}") ANSWER END), "E json-syntax:4" NO_IDS);
    CHECK_EQ_STR(finds(OPEN "{\n" STEP_END STEP SAY("b") SAID("\"ab\"") END),
                 "E json-syntax:4, E text-diverged:8" NO_IDS);
    TEST("after a bad line: no end is missed that it may be");
    CHECK_EQ_STR(finds(OPEN SAY("a") "{\n" END), "E json-syntax:5" NO_IDS);
    CHECK_EQ_STR(finds(OPEN ASK("{}") "{\n" END), "E json-syntax:5" NO_IDS);
    CHECK_EQ_STR(finds(OPEN "{\n" TURN_END), "E json-syntax:4" NO_IDS);
    CHECK_EQ_STR(finds(OPEN STEP_END "{\n" EVENT("session.waiting", "")), "E json-syntax:5" NO_IDS);
    CHECK_EQ_STR(finds(START "{\n" STEP CANCEL STEP STEP_END),
                 "E json-syntax:2, W outside-turn:5" NO_IDS);
    CHECK_EQ_STR(finds(START "{\"type\":\"session.completed\"}\n{\n" TURN TURN_END),
                 "E json-syntax:3" NO_IDS);
    TEST("after a bad line: what began behind it is missed");
    CHECK_EQ_STR(finds(START "{\n" TURN STEP SAY("a") ASK("{}") TURN_END),
                 "E json-syntax:2, W order:4, W block-open:5, W request-open:6" NO_IDS);
}

#define IN(turn) "\"sequence\":0,\"stepIndex\":0,\"turnId\":\"" turn "\""
#define TURN_IN(turn) EVENT("turn.started", IN(turn)) EVENT("step.started", IN(turn))
#define END_IN(turn) EVENT("step.completed", IN(turn)) EVENT("turn.completed", IN(turn))
#define ASK_IN(turn)                                                                               \
    EVENT("actions.requested", IN(turn) ",\"actions\":[{\"kind\":\"tool-call\",\"callId\":\"c\","  \
                                        "\"toolName\":\"x\",\"input\":{}}]")
#define ANSWER_IN(turn) EVENT("action.result", IN(turn) ",\"result\":{\"callId\":\"c\"}")
#define QUESTION                                                                                   \
    EVENT("input.requested",                                                                       \
          IN("t") ",\"requests\":[{\"requestId\":\"r\",\"action\":" ASKED_ABOUT "}]")
#define RESOLVED(outcome)                                                                          \
    EVENT("input.resolved",                                                                        \
          IN("t") ",\"resolutions\":[{\"requestId\":\"r\",\"outcome\":\"" outcome "\"}]")

/* What is found of calls: only the rules of calls count. */
static const char *calls(const char *stream)
{
    static char out[256];
    char *rest = NULL;
    *out = '\0';
    (void)finds(stream);
    for (char *part = strtok_r(told, ",", &rest); part != NULL; part = strtok_r(NULL, ",", &rest)) {
        part += *part == ' ' ? 1 : 0;
        if (strstr(part, "re") != NULL && strstr(part, "missing-member") == NULL) {
            (void)strncat(out, part, sizeof out - strlen(out) - 1);
        }
    }
    return out;
}

static void used_again(void)
{
    TEST("a callId that is used again: the lost result of the first request is told");
    CHECK_EQ_STR(calls(START TURN_IN("t") ASK_IN("t") END_IN("t") TURN_IN("u") ASK_IN("u")
                           ANSWER_IN("u") END_IN("u")),
                 "W request-open:4");
    CHECK_EQ_STR(calls(START TURN_IN("t") ASK_IN("t") END_IN("t") TURN_IN("u") ASK_IN("u")
                           ANSWER_IN("t") END_IN("u")),
                 "W request-open:9");
    CHECK_EQ_STR(calls(START TURN_IN("t") ASK_IN("t") END_IN("t") TURN_IN("u") ASK_IN("u")
                           END_IN("u") TURN_IN("v") ANSWER_IN("v") END_IN("v")),
                 "W request-open:4");
    CHECK_EQ_STR(calls(START TURN_IN("t") ASK_IN("t") END_IN("t") TURN_IN("u") ASK_IN("u")
                           ANSWER_IN("u") ANSWER_IN("t") END_IN("u")),
                 "");
    TEST("an approved call needs a result, a refused one and one that waits do not");
    CHECK_EQ_STR(calls(START TURN_IN("t") ASK_IN("t") QUESTION RESOLVED("approved") END_IN("t")),
                 "W request-open:4");
    CHECK_EQ_STR(calls(START TURN_IN("t") ASK_IN("t") QUESTION RESOLVED("denied") END_IN("t")),
                 "n request-open:4");
    CHECK_EQ_STR(calls(START TURN_IN("t") ASK_IN("t") QUESTION END_IN("t")), "n request-open:4");
    TEST("an approved call is explained by a later turn that is cancelled or runs");
    CHECK_EQ_STR(calls(START TURN_IN("t") ASK_IN("t") QUESTION END_IN("t") RESOLVED("approved")
                           TURN_IN("u") EVENT("turn.cancelled", IN("u"))),
                 "n request-open:4");
    CHECK_EQ_STR(calls(START TURN_IN("t") ASK_IN("t") QUESTION END_IN("t") RESOLVED("approved")
                           TURN_IN("u")),
                 "n request-open:4");
}

static void days_of_months(void)
{
    static const char *const days[] = {"2026-02-29", "2026-04-31", "1900-02-29", "2026-00-10",
                                       "2026-01-00", "2024-02-29", "2000-02-29", "2026-12-31"};
    char line[256];
    TEST("a day that does not exist is no time");
    for (size_t i = 0; i < sizeof days / sizeof *days; i++) {
        (void)snprintf(line, sizeof line,
                       "{\"type\":\"session.started\",\"data\":{},\"meta\":{\"at\":\"%sT00:00:00."
                       "000Z\",\"id\":\"evt_00000000000000000000000000\"}}\n",
                       days[i]);
        CHECK_EQ_STR(finds(line), i < 5 ? "W time-form:1" : "");
    }
}

static void groups(void)
{
#define G(event, group) "{\"s\":\"" group "\"," event
    TEST("groups are sessions of their own");
    grouped = "s";
    CHECK_EQ_STR(
        finds(
            "{\"s\":1,\"type\":\"session.started\",\"data\":{}}\n"
            "{\"s\":2,\"type\":\"session.started\",\"data\":{}}\n"
            "{\"s\":1,\"type\":\"turn.started\",\"data\":{\"sequence\":0,\"turnId\":\"t\"}}\n"
            "{\"s\":2,\"type\":\"turn.started\",\"data\":{\"sequence\":0,\"turnId\":\"t\"}}\n"
            "{\"s\":1.0,\"type\":\"turn.completed\",\"data\":{\"sequence\":0,\"turnId\":\"t\"}}\n"),
        "W turn-open:4" NO_IDS);
    CHECK_EQ_STR(finds("{\"s\":1,\"type\":\"session.started\",\"data\":{}" ID(
                     1) "}\n"
                        "{\"s\":2,\"type\":\"session.started\",\"data\":{}" ID(
                            1) "}\n"
                               "{\"s\":1,\"type\":\"session.started\",\"data\":{}" ID(1) "}\n"),
                 "n replay:3");
    grouped = NULL;
    CHECK_EQ_STR(finds("{\"s\":1,\"type\":\"session.started\",\"data\":{}}\n"
                       "{\"s\":2,\"type\":\"session.started\",\"data\":{}}\n"),
                 "n restart:2" NO_IDS);
}

static void single_events(void)
{
    TEST("rules over single events");
    CHECK_EQ_STR(finds(START "{\"type\":\"x.y\",\"data\":7,\"data\":{}}\n"),
                 "W repeated-name:2, W unknown-type:2" NO_IDS);
    CHECK_EQ_STR(finds(START "{\"type\":\"x.y\",\"data\":7}\n"),
                 "W unknown-type:2, W missing-member:2" NO_IDS);
    CHECK_EQ_STR(finds("{\"type\":\"session.started\",\"data\":{},\"meta\":7}\n"),
                 "W missing-member:1" NO_IDS);
    CHECK_EQ_STR(finds("{\"type\":\"session.started\",\"data\":{},\"meta\":{\"id\":\"x\"}}\n"),
                 "W missing-member:1, W id-form:1");
    CHECK_EQ_STR(finds("{\"type\":\"session.started\",\"data\":{},\"meta\":{\"at\":7,\"id\":7}}\n"),
                 "W missing-member:1, W id-form:1");
    CHECK_EQ_STR(finds("{\"type\":\"session.started\",\"data\":{},\"meta\":{\"at\":"
                       "\"2026-13-01T00:00:00.000Z\",\"id\":\"evt_00000000000000000000000000\"}}\n"
                       "{\"type\":\"session.waiting\",\"data\":{}}\n"),
                 "W time-form:1, W id-missing:2");
    CHECK_EQ_STR(finds("{\"type\":\"session.started\",\"data\":{}}\n"
                       "{\"type\":\"session.waiting\",\"data\":{}" ID(1) "}\n"),
                 "W id-missing:1");
    version = 25;
    CHECK_EQ_STR(finds(START EVENT("turn.waiting", "\"sequence\":0,\"turnId\":\"t\"")),
                 "W unknown-type:2, W order:2" NO_IDS);
    version = 26;
    CHECK_EQ_STR(
        finds(START EVENT("subagent.called",
                          "\"sequence\":0,\"turnId\":\"t\",\"callId\":\"c\",\"toolName\":\"x\"")),
        "W retired-type:2" NO_IDS);
    version = EVE_VERSION_AUTO;
    CHECK_EQ_STR(
        finds(START EVENT("subagent.called",
                          "\"sequence\":0,\"turnId\":\"t\",\"callId\":\"c\",\"toolName\":\"x\"")),
        "n id-missing:1");
}

void test_check_stream(void)
{
    texts();
    open_texts();
    legacy();
    inputs();
    repeats();
    late();
    life_cycle();
    failures();
    midway();
    bad_lines();
    bad_lines_hide();
    used_again();
    days_of_months();
    groups();
    single_events();
}
