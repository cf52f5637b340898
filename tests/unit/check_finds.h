/*
 * What check finds in small streams that are written down as text, and macros to write them.
 *
 * Lines end in LF; behind FF comes another event that counts as the same line, so that a turn and
 * its message are one.
 */
#ifndef CHECK_FINDS_H
#define CHECK_FINDS_H

#include "check.h"

#include "../../lib/check.h"
#include "decode.h"
#include "event.h"
#include "str.h"

#include <stdio.h>

static char told[4096];
static uint64_t first_event;
static const char *grouped; /* the group member, or NULL */
static unsigned version;

static enum eve_status on_found(void *ctx, const struct eve_finding *f, struct eve_err *err)
{
    static const char levels[] = "nWE";
    (void)ctx;
    (void)err;
    size_t n = strlen(told);
    (void)snprintf(told + n, sizeof told - n, "%s%c %s:%llu", n > 0 ? ", " : "", levels[f->level],
                   eve_rules_get(f->rule)->id, (unsigned long long)f->line);
    return EVE_OK;
}

static enum eve_status give(struct eve_check *c, struct eve_decoder *d, struct eve_slice line,
                            uint64_t number, struct eve_err *err)
{
    struct eve_event ev;
    struct eve_err why;
    struct eve_event_options options = {grouped != NULL ? eve_str(grouped) : (struct eve_slice){0}};
    if (eve_event_parse(&ev, line, true, &options, &why) != EVE_OK) {
        return eve_check_bad(c, &ev, false, number, &why, err);
    }
    if (ev.kind != EVE_LINE_EVENT) {
        return EVE_OK;
    }
    return eve_decode(d, &ev, version, true, &why) == EVE_OK
               ? eve_check_event(c, &ev, d, version, number, err)
               : eve_check_bad(c, &ev, true, number, &why, err);
}

/* What is found in a stream of lines, as "LEVEL RULE:LINE, …" in the order it is told. */
static const char *finds(const char *stream)
{
    struct eve_finder finder;
    struct eve_check *c = NULL;
    struct eve_decoder d;
    struct eve_err err;
    eve_finder_init(&finder, on_found, NULL);
    struct eve_check_options options = {
        .finder = &finder, .start_index = first_event, .seed = {3, 4}};
    *told = '\0';
    eve_decode_init(&d);
    bool good = eve_check_new(&c, &options, &err) == EVE_OK;
    for (uint64_t number = 1; good && *stream != '\0';) {
        const char *end = strpbrk(stream, "\n\f");
        struct eve_slice line = {stream, (size_t)(end - stream)};
        good = give(c, &d, line, number, &err) == EVE_OK;
        number += *end == '\n' ? 1 : 0;
        stream = end + 1;
    }
    CHECK(good && eve_check_end(c, &err) == EVE_OK);
    eve_check_free(c);
    eve_decode_fini(&d);
    return told;
}

/* Events of turn t and step 0, without ids but where one is given. */
#define AT "\"sequence\":0,\"stepIndex\":0,\"turnId\":\"t\""
#define EVENT(type, data) "{\"type\":\"" type "\",\"data\":{" data "}}\n"
#define RECEIVED(at) EVENT("message.received", at ",\"message\":\"\"")
#define BEGIN(at) "{\"type\":\"turn.started\",\"data\":{" at "}}\f" RECEIVED(at)
#define ID(n)                                                                                      \
    ",\"meta\":{\"at\":\"2026-01-01T00:00:00.00" #n                                                \
    "Z\",\"id\":\"evt_1000000000000000000000000" #n "\"}"
#define EVENT_ID(type, data, n) "{\"type\":\"" type "\",\"data\":{" data "}" ID(n) "}\n"
#define START EVENT("session.started", "")
#define TURN BEGIN("\"sequence\":0,\"turnId\":\"t\"")
#define STEP EVENT("step.started", AT)
#define OPEN START TURN STEP /* lines 1 to 3 */
#define STEP_END EVENT("step.completed", AT ",\"finishReason\":\"stop\"")
#define TURN_END EVENT("turn.completed", "\"sequence\":0,\"turnId\":\"t\"")
#define CANCEL EVENT("turn.cancelled", "\"sequence\":0,\"turnId\":\"t\"")
#define END STEP_END TURN_END EVENT("session.waiting", "")
#define SAY(delta) EVENT("message.appended", AT ",\"messageDelta\":\"" delta "\"")
#define OLD(delta, all)                                                                            \
    EVENT("message.appended", AT ",\"messageDelta\":\"" delta "\",\"messageSoFar\":\"" all "\"")
#define THINK(delta) EVENT("reasoning.appended", AT ",\"reasoningDelta\":\"" delta "\"")
#define SAID(text) EVENT("message.completed", AT ",\"finishReason\":\"stop\",\"message\":" text)
#define INPUT(delta)                                                                               \
    EVENT("action.input.appended",                                                                 \
          AT ",\"callId\":\"c\",\"toolName\":\"x\",\"inputTextDelta\":\"" delta "\"")
#define INPUT_AT(delta, offset)                                                                    \
    EVENT("action.input.appended",                                                                 \
          AT ",\"callId\":\"c\",\"toolName\":\"x\",\"inputTextDelta\":\"" delta                    \
             "\",\"inputTextOffset\":" offset)
#define ASK(input)                                                                                 \
    EVENT("actions.requested",                                                                     \
          AT ",\"actions\":[{\"kind\":\"tool-call\",\"callId\":\"c\",\"input\""                    \
             ":" input "}]")
#define ANSWER                                                                                     \
    EVENT("action.result",                                                                         \
          AT ",\"status\":\"completed\",\"result\":{\"kind\":\"tool-result\",\"callId\":\"c\"}")
#define NO_IDS ", n id-missing:1"

#endif
