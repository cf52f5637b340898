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
#include "template.h"

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

/* An event, or a line that is none: `ev` as it was parsed, `parsed` what came of that. */
static enum eve_status give(struct eve_check *c, struct eve_decoder *d, const struct eve_event *ev,
                            enum eve_status parsed, uint64_t number, struct eve_err *why,
                            struct eve_err *err)
{
    if (parsed != EVE_OK) {
        return eve_check_bad(c, ev, false, number, why, err);
    }
    if (ev->kind != EVE_LINE_EVENT) {
        return EVE_OK;
    }
    return eve_decode(d, ev, version, true, why) == EVE_OK
               ? eve_check_event(c, ev, d, version, number, err)
               : eve_check_bad(c, ev, true, number, why, err);
}

/* Check the stream; `templates`: to learn and to use, or NULL. */
static bool run_finds(struct eve_check *c, struct eve_decoder *d, struct eve_slice stream,
                      struct eve_templates *templates)
{
    struct eve_event_options options = {grouped != NULL ? eve_str(grouped) : (struct eve_slice){0}};
    struct eve_err err;
    struct eve_err why;
    bool good = true;
    for (uint64_t number = 1; good && stream.n > 0;) {
        struct eve_event ev;
        const struct eve_event *known =
            templates != NULL ? eve_template_match(templates, stream, NULL) : NULL;
        size_t n = strcspn(stream.p, "\n\f");
        enum eve_status parsed =
            known != NULL ? EVE_OK
                          : eve_event_parse(&ev, eve_str_sub(stream, 0, n), true, &options, &why);
        if (templates != NULL && known == NULL && parsed == EVE_OK && ev.kind == EVE_LINE_EVENT &&
            stream.p[n] == '\n') {
            good = eve_template_learn(templates, &ev, NULL, &err) == EVE_OK;
        }
        good =
            good && give(c, d, known != NULL ? known : &ev, parsed, number, &why, &err) == EVE_OK;
        number += stream.p[n] == '\n' ? 1 : 0;
        stream = eve_str_sub(stream, n + 1, stream.n);
    }
    return good && eve_check_end(c, &err) == EVE_OK;
}

/* What is found in a stream of lines, as "LEVEL RULE:LINE, …" in the order it is told. The same has
 * to be found with the help of templates. */
static const char *finds(const char *stream)
{
    static char room[32768]; /* with what templates read behind the last line */
    static char plain[sizeof told];
    struct eve_finder finder;
    struct eve_templates templates;
    struct eve_decoder d;
    struct eve_err err;
    eve_finder_init(&finder, on_found, NULL);
    struct eve_check_options options = {
        .finder = &finder, .start_index = first_event, .seed = {3, 4}};
    size_t n = strlen(stream);
    CHECK(n + EVE_TEMPLATE_SLACK < sizeof room);
    memcpy(room, stream, n + 1);
    eve_decode_init(&d);
    eve_template_init(&templates);
    for (int i = 0; i < 2; i++) {
        struct eve_check *c = NULL;
        memcpy(plain, told, sizeof plain);
        *told = '\0';
        CHECK(eve_check_new(&c, &options, &err) == EVE_OK &&
              run_finds(c, &d, (struct eve_slice){room, n}, i == 0 ? NULL : &templates));
        eve_check_free(c);
    }
    CHECK_EQ_STR(told, plain);
    eve_template_fini(&templates);
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
          AT ",\"actions\":[{\"kind\":\"tool-call\",\"callId\":\"c\",\"toolName\":\"x\",\"input\"" \
             ":" input "}]")
#define ANSWER                                                                                     \
    EVENT("action.result", AT ",\"status\":\"completed\",\"result\":{\"kind\":\"tool-result\","    \
                              "\"callId\":\"c\",\"toolName\":\"x\"}")
#define ASKED_ABOUT "{\"kind\":\"tool-call\",\"callId\":\"c\",\"toolName\":\"x\"}"
#define NO_IDS ", n id-missing:1"

#endif
