/* Coordinates that have to agree, inputs that never came, and what was never asked. */
#include "check_finds.h"

void test_check_coords(void);

/* An event of turn `t`, step `step`, with a sequence of its own. */
#define PLACE(sequence, step, turn)                                                                \
    "\"sequence\":" sequence ",\"stepIndex\":" step ",\"turnId\":\"" turn "\""
#define CALL(call, tool, input)                                                                    \
    "{\"kind\":\"tool-call\",\"callId\":\"" call "\",\"toolName\":\"" tool "\",\"input\":" input "}"
#define REQUEST(place, call, tool, input)                                                          \
    EVENT("actions.requested", place ",\"actions\":[" CALL(call, tool, input) "]")
#define PARTIAL(place, call, tool)                                                                 \
    EVENT("action.partial",                                                                        \
          place ",\"result\":{\"kind\":"                                                           \
                "\"tool-result\",\"callId\":\"" call "\",\"toolName\":\"" tool "\"}")
#define RESULT(place, call, tool)                                                                  \
    EVENT("action.result",                                                                         \
          place ",\"status\":\"completed\",\"result\":{\"kind\":"                                  \
                "\"tool-result\",\"callId\":\"" call "\",\"toolName\":\"" tool "\"}")
#define APPEND(call, tool, delta)                                                                  \
    EVENT("action.input.appended", AT ",\"callId\":\"" call "\",\"toolName\":\"" tool              \
                                      "\",\"inputTextDelta\":\"" delta "\"")
#define A1 "{\\\"a\\\":1}"
#define LATER_STEP EVENT("step.started", PLACE("0", "1", "t"))
#define LATER_END                                                                                  \
    EVENT("step.completed", PLACE("0", "1", "t") ",\"finishReason\":\"stop\"")                     \
    TURN_END EVENT("session.waiting", "")

static void whole_numbers(void)
{
    TEST("sequence and stepIndex are whole numbers from 0 on");
    CHECK_EQ_STR(
        finds(OPEN EVENT("message.appended", PLACE("0", "0.5", "t") ",\"messageDelta\":\"a\"")),
        "W missing-member:4, W outside-step:4, W block-open:4, W turn-open:2" NO_IDS);
    CHECK_EQ_STR(finds(START EVENT("turn.started", "\"sequence\":-1,\"turnId\":\"t\"")),
                 "W missing-member:2, W turn-open:2" NO_IDS);
    CHECK_EQ_STR(finds(START EVENT("turn.started", "\"sequence\":1e-1,\"turnId\":\"t\"")),
                 "W missing-member:2, W turn-open:2" NO_IDS);
    CHECK_EQ_STR(finds(START EVENT("turn.started", "\"sequence\":1.50e1,\"turnId\":\"t\"")
                           EVENT("turn.started", "\"sequence\":-0,\"turnId\":\"u\"")),
                 "W turn-open:2, W turn-open:3" NO_IDS);
    CHECK_EQ_STR(
        finds(START EVENT("turn.started", "\"sequence\":9007199254740993000000,\"turnId\":\"t\"")),
        "W turn-open:2" NO_IDS);
}

static void sequences(void)
{
    TEST("sequence is that of the turn, told once a turn");
    CHECK_EQ_STR(finds(OPEN SAY("a") EVENT("message.appended",
                                           PLACE("99", "0", "t") ",\"messageDelta\":\"b\"") SAY("c")
                           SAID("\"abc\"") END),
                 "W coordinate-differs:5" NO_IDS);
    CHECK_EQ_STR(
        finds(START BEGIN("\"sequence\":7,\"turnId\":\"t\"") STEP SAY("a") SAID("\"a\"") END),
        "W coordinate-differs:3" NO_IDS);
    CHECK_EQ_STR(finds(START BEGIN("\"sequence\":0.0,\"turnId\":\"t\"") STEP STEP_END TURN_END),
                 "n id-missing:1");
    TEST("a turn that is not known has no sequence");
    CHECK_EQ_STR(finds(OPEN STEP_END EVENT("compaction.completed",
                                           "\"sequence\":4,\"turnId\":\"u\"") TURN_END),
                 "n id-missing:1");
}

static void requests(void)
{
    TEST("a request is in its step");
    CHECK_EQ_STR(finds(OPEN REQUEST(PLACE("0", "9", "t"), "c", "x", "{}") RESULT(AT, "c", "x") END),
                 "W outside-step:4" NO_IDS);
    CHECK_EQ_STR(finds(OPEN REQUEST(PLACE("0", "0", "u"), "c", "x", "{}") RESULT(AT, "c", "x") END),
                 "W outside-turn:4" NO_IDS);
    CHECK_EQ_STR(finds(OPEN STEP_END REQUEST(PLACE("0", "7", "t"), "c", "x", "{}")
                           RESULT(PLACE("0", "7", "t"), "c", "x") TURN_END),
                 "W outside-step:5" NO_IDS);
    TEST("a workflow's request comes between steps");
    CHECK_EQ_STR(finds(OPEN STEP_END REQUEST(AT, "c", "x", "{}")
                           RESULT(PLACE("0", "1", "t"), "c", "x") LATER_STEP LATER_END),
                 "n id-missing:1");
    CHECK_EQ_STR(finds(OPEN STEP_END REQUEST(PLACE("0", "1", "t"), "c", "x", "{}")
                           RESULT(PLACE("0", "1", "t"), "c", "x") LATER_STEP LATER_END),
                 "n id-missing:1");
    TEST("a result is in the step of its request, or where it comes");
    CHECK_EQ_STR(
        finds(OPEN REQUEST(AT, "c", "x", "{}") STEP_END LATER_STEP RESULT(AT, "c", "x") LATER_END),
        "n id-missing:1");
    CHECK_EQ_STR(finds(OPEN REQUEST(AT, "c", "x", "{}")
                           STEP_END LATER_STEP RESULT(PLACE("0", "1", "t"), "c", "x") LATER_END),
                 "n id-missing:1");
    CHECK_EQ_STR(finds(OPEN REQUEST(AT, "c", "x", "{}")
                           STEP_END LATER_STEP RESULT(PLACE("0", "3", "t"), "c", "x") LATER_END),
                 "W coordinate-differs:7" NO_IDS);
    CHECK_EQ_STR(finds(OPEN REQUEST(AT, "c", "x", "{}") RESULT(PLACE("0", "0", "u"), "c", "x") END),
                 "W coordinate-differs:5" NO_IDS);
    TEST("and so is a partial result");
    CHECK_EQ_STR(finds(OPEN REQUEST(AT, "c", "x", "{}") PARTIAL(AT, "c", "x")
                           STEP_END LATER_STEP PARTIAL(PLACE("0", "1", "t"), "c", "x")
                               PARTIAL(AT, "c", "x") RESULT(AT, "c", "x") LATER_END),
                 "n id-missing:1");
    CHECK_EQ_STR(finds(OPEN REQUEST(AT, "c", "x", "{}") PARTIAL(PLACE("0", "7", "t"), "c", "x")
                           PARTIAL(PLACE("0", "0", "u"), "c", "x") PARTIAL(AT, "c", "y")
                               RESULT(AT, "c", "x") END),
                 "W coordinate-differs:5, W coordinate-differs:6, W coordinate-differs:7" NO_IDS);
    CHECK_EQ_STR(finds(OPEN REQUEST(AT, "c", "x", "{}") RESULT(AT, "c", "x") PARTIAL(AT, "c", "x")
                           PARTIAL(AT, "d", "x") END),
                 "n id-missing:1"); /* a task reports after its call was answered */
}

static void calls_again(void)
{
    TEST("a callId that is used again in a later step of its turn, and a turn that ended in order");
    CHECK_EQ_STR(finds(OPEN REQUEST(AT, "c", "x", "{}")
                           STEP_END LATER_STEP REQUEST(PLACE("0", "1", "t"), "c", "x", "{}")
                               RESULT(PLACE("0", "1", "t"), "c", "x") LATER_END),
                 "W request-open:4" NO_IDS);
    CHECK_EQ_STR(finds(OPEN REQUEST(AT, "c", "x", "{}") END BEGIN("\"sequence\":1,\"turnId\":\"u\"")
                           EVENT("turn.cancelled", "\"sequence\":1,\"turnId\":\"u\"")),
                 "W request-open:4" NO_IDS);
}

static void joined_midway(void)
{
    TEST("a result of a turn whose start is not known");
    first_event = 5;
    CHECK_EQ_STR(finds(STEP REQUEST(AT, "c", "x", "{}")
                           STEP_END TURN_END EVENT("session.waiting", "") RESULT(AT, "c", "x")),
                 "n id-missing:1");
    first_event = 0;
}

static void tools(void)
{
    TEST("toolName is that of the call");
    CHECK_EQ_STR(finds(OPEN APPEND("c", "x", "{") APPEND("c", "y", "}") APPEND("c", "y", "")
                           REQUEST(AT, "c", "x", "{}") RESULT(AT, "c", "x") END),
                 "W coordinate-differs:5" NO_IDS);
    CHECK_EQ_STR(
        finds(OPEN APPEND("c", "x", "{}") REQUEST(AT, "c", "y", "{}") RESULT(AT, "c", "y") END),
        "W coordinate-differs:5" NO_IDS);
    CHECK_EQ_STR(
        finds(OPEN APPEND("c", "x", "{}") REQUEST(AT, "c", "x", "{}") RESULT(AT, "c", "y") END),
        "W coordinate-differs:6" NO_IDS);
    CHECK_EQ_STR(finds(OPEN APPEND("c", "\\u0078", "{}") REQUEST(AT, "c", "x", "{}")
                           RESULT(AT, "c", "x") END),
                 "n id-missing:1");
}

static void lost_appends(void)
{
    TEST("a lost only append is seen where another call of the tool has some");
    CHECK_EQ_STR(finds(OPEN APPEND("b", "x", A1) REQUEST(AT, "b", "x", "{\"a\":1}") RESULT(
                     AT, "b", "x") REQUEST(AT, "c", "x", "{\"a\":1}") RESULT(AT, "c", "x") END),
                 "W input-differs:7" NO_IDS);
    CHECK_EQ_STR(finds(OPEN REQUEST(AT, "c", "x", "{\"a\":1}") RESULT(AT, "c", "x") APPEND(
                     "b", "x", A1) REQUEST(AT, "b", "x", "{\"a\":1}") RESULT(AT, "b", "x") END),
                 "W input-differs:4" NO_IDS);
    TEST("but not where no input streams, in another turn or with another model; of another tool a "
         "note");
    CHECK_EQ_STR(finds(OPEN REQUEST(AT, "c", "x", "{\"a\":1}") RESULT(AT, "c", "x") END),
                 "n id-missing:1");
    CHECK_EQ_STR(finds(OPEN APPEND("b", "y", A1) REQUEST(AT, "b", "y", "{\"a\":1}") RESULT(
                     AT, "b", "y") REQUEST(AT, "c", "x", "{\"a\":1}") RESULT(AT, "c", "x") END),
                 "n input-differs:7" NO_IDS);
    CHECK_EQ_STR(finds(OPEN APPEND("b", "x", A1) REQUEST(AT, "b", "x", "{\"a\":1}") RESULT(
                     AT, "b", "x") REQUEST(AT, "c", "x", "{}") RESULT(AT, "c", "x") END),
                 "n id-missing:1");
    CHECK_EQ_STR(
        finds(OPEN APPEND("b", "x", A1) REQUEST(AT, "b", "x", "{\"a\":1}") RESULT(AT, "b", "x")
                  STEP_END EVENT("step.started", PLACE("0", "1", "t") ",\"modelId\":\"m\"")
                      REQUEST(PLACE("0", "1", "t"), "c", "x", "{\"a\":1}")
                          RESULT(PLACE("0", "1", "t"), "c", "x") LATER_END),
        "n id-missing:1");
#define NEXT PLACE("1", "0", "u")
    CHECK_EQ_STR(
        finds(OPEN APPEND("b", "x", A1) REQUEST(AT, "b", "x", "{\"a\":1}") RESULT(AT, "b", "x")
                  END BEGIN("\"sequence\":1,\"turnId\":\"u\"") EVENT("step.started", NEXT)
                      REQUEST(NEXT, "c", "x", "{\"a\":1}") RESULT(NEXT, "c", "x")
                          EVENT("step.completed", NEXT ",\"finishReason\":\"stop\"")
                              EVENT("turn.completed", "\"sequence\":1,\"turnId\":\"u\"")),
        "n id-missing:1");
}

static void never_asked(void)
{
#define ANSWERED(id)                                                                               \
    EVENT("input.resolved", AT ",\"resolutions\":[{\"requestId\":\"" id "\",\"outcome\":\"x\"}]")
#define ASKED(id)                                                                                  \
    EVENT("input.requested",                                                                       \
          AT ",\"requests\":[{\"requestId\":\"" id "\",\"action\":" ASKED_ABOUT "}]")
#define TASK(type, more) EVENT(type, "\"turnId\":\"t\",\"callId\":\"c\",\"taskId\":\"k\"" more)
    TEST("an answer and the end of a task need what they end");
    CHECK_EQ_STR(finds(OPEN ASKED("r") ANSWERED("r") END), "n id-missing:1");
    CHECK_EQ_STR(finds(OPEN ANSWERED("r") END), "W result-unasked:4" NO_IDS);
    CHECK_EQ_STR(finds(OPEN ASKED("r") ANSWERED("s") END), "W result-unasked:5" NO_IDS);
    CHECK_EQ_STR(finds(OPEN EVENT("approval.settled",
                                  AT ",\"requestId\":\"r\",\"outcome\":\"approved\"") END),
                 "W result-unasked:4" NO_IDS);
    CHECK_EQ_STR(
        finds(OPEN TASK("task.started", "") TASK("task.settled", ",\"status\":\"completed\"") END),
        "n id-missing:1");
    CHECK_EQ_STR(finds(OPEN ASKED("k") TASK("task.settled", ",\"status\":\"completed\"") END),
                 "W result-unasked:5" NO_IDS);
}

static void no_message(void)
{
#define SILENT EVENT("turn.started", "\"sequence\":0,\"turnId\":\"t\"")
    TEST("a turn begins with a message, unless something was asked before");
    CHECK_EQ_STR(finds(START SILENT STEP STEP_END STEP STEP_END TURN_END), "W order:3" NO_IDS);
    CHECK_EQ_STR(finds(START SILENT EVENT("message.received",
                                          "\"sequence\":0,\"turnId\":\"u\",\"message\":\"\"")
                           STEP STEP_END TURN_END),
                 "W order:4" NO_IDS);
    CHECK_EQ_STR(finds(START ASKED("r") SILENT STEP STEP_END TURN_END), "n id-missing:1");
    CHECK_EQ_STR(finds("x\n" START SILENT STEP STEP_END TURN_END), "E json-syntax:1"
                                                                   ", n id-missing:2");
}

/* What is rare, and what is asked for in another way than eve does. */
static void odd(void)
{
    static char many[20000];
    TEST("appends of one shape, in texts that end and begin again");
    CHECK_EQ_STR(finds(OPEN SAY("a") SAY("b") SAY("c") SAID("\"abc\"") SAY("d") SAY("e") SAID(
                     "\"de\"") SAY("f") SAID("\"g\"") SAY("g") SAY("h") SAID("\"gh\"") END),
                 "E text-diverged:12" NO_IDS);
    CHECK_EQ_STR(finds(OPEN SAY("a") THINK("b") SAY("c") THINK("d") SAY("e") SAID("\"ace\"")
                           EVENT("reasoning.completed", AT ",\"reasoning\":\"bd\"") END),
                 "n id-missing:1");
    CHECK_EQ_STR(finds(OPEN SAY("a") SAY("b") EVENT("session.completed", "") SAY("c") SAY("d")),
                 "W turn-open:2, W after-end:7, W block-open:4" NO_IDS);
    TEST("more findings than are held");
    (void)snprintf(many, sizeof many, "%s", OPEN);
    for (size_t i = 0; i < 66; i++) {
        (void)snprintf(many + strlen(many), sizeof many - strlen(many), "%s%s", SAY("a"),
                       SAID("\"b\""));
    }
    const char *all = finds(many);
    CHECK(strncmp(all, "E text-diverged:5, E text-diverged:7, ", 38) == 0);
    CHECK(strstr(all, "E text-diverged:135") != NULL);
    TEST("requests and results that eve does not make");
    CHECK_EQ_STR(finds(OPEN EVENT("actions.requested",
                                  AT ",\"actions\":[{\"kind\":\"tool-call\",\"callId\":7}]") END),
                 "W missing-member:4" NO_IDS);
    CHECK_EQ_STR(finds(OPEN REQUEST(AT, "c", "x", "{}") REQUEST(AT, "c", "x", "{}")
                           RESULT(AT, "c", "x") END),
                 "n id-missing:1");
    CHECK_EQ_STR(
        finds(OPEN EVENT("action.result", AT ",\"status\":\"x\",\"result\":{\"kind\":\"x\"}") END),
        "W missing-member:4" NO_IDS);
    CHECK_EQ_STR(finds(OPEN APPEND("b", "x", A1) REQUEST(AT, "b", "x", "{\"a\":1}") RESULT(
                     AT, "b", "x") REQUEST(AT, "c", "x", "7") RESULT(AT, "c", "x") END),
                 "W input-differs:7" NO_IDS);
    CHECK_EQ_STR(finds(OPEN EVENT("input.requested", AT ",\"requests\":7")
                           EVENT("input.resolved", AT ",\"resolutions\":[7]") END),
                 "W missing-member:4, W missing-member:5" NO_IDS);
    CHECK_EQ_STR(finds(OPEN EVENT("task.settled", "\"turnId\":\"t\",\"callId\":\"c\",\"taskId\":7,"
                                                  "\"status\":\"x\"") END),
                 "W missing-member:4" NO_IDS);
    TEST("a session that fails explains what is open");
    CHECK_EQ_STR(finds(OPEN REQUEST(AT, "c", "x", "{}")
                           EVENT("session.failed", "\"code\":\"x\",\"message\":\"x\"")),
                 "n turn-open:2, n request-open:4" NO_IDS);
}

static void settled(void)
{
#define SECOND "\"sequence\":1,\"turnId\":\"u\""
    TEST("the session waits between turns");
    CHECK_EQ_STR(finds(START TURN TURN_END EVENT("session.waiting", "") BEGIN(SECOND)
                           EVENT("turn.completed", SECOND)),
                 "n id-missing:1");
    CHECK_EQ_STR(finds(START TURN TURN_END BEGIN(SECOND) EVENT("turn.completed", SECOND)),
                 "W order:4" NO_IDS);
    CHECK_EQ_STR(finds(START TURN TURN_END "x\n" BEGIN(SECOND) EVENT("turn.completed", SECOND)),
                 "E json-syntax:4" NO_IDS);
    TEST("results and tasks are of a turn that is known");
    CHECK_EQ_STR(finds(OPEN STEP_END EVENT("result.completed", PLACE("0", "0", "v") ",\"result\":1")
                           TURN_END),
                 "W outside-turn:5" NO_IDS);
    CHECK_EQ_STR(
        finds(OPEN EVENT("task.started", "\"turnId\":\"v\",\"callId\":\"c\",\"taskId\":\"k\"") END),
        "W outside-turn:4" NO_IDS);
}

static void held(void)
{
    TEST("a bad line may be the late append that explains what is held");
    CHECK_EQ_STR(finds(OPEN SAY("a") SAID("\"ab\"") "x\n" END), "E json-syntax:6" NO_IDS);
    CHECK_EQ_STR(
        finds(OPEN SAY("a") SAID("\"ab\"") EVENT("message.appended", AT ",\"messageDelta\":7") END),
        "E bad-delta:6" NO_IDS);
    CHECK_EQ_STR(finds(OPEN SAY("a") SAID("\"ab\"")
                           EVENT("reasoning.appended", AT ",\"reasoningDelta\":7") END),
                 "E bad-delta:6, E text-diverged:5" NO_IDS);
    CHECK_EQ_STR(finds(OPEN SAY("a") SAID("\"ab\"") STEP_END "x\n" TURN_END),
                 "E text-diverged:5, E json-syntax:7" NO_IDS);
}

void test_check_coords(void)
{
    whole_numbers();
    sequences();
    requests();
    calls_again();
    joined_midway();
    tools();
    lost_appends();
    never_asked();
    no_message();
    settled();
    odd();
    held();
}
