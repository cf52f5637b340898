/* The kinds of faults of one line, for test_seed.c alone. */
#ifndef TEST_SEED_KINDS_H
#define TEST_SEED_KINDS_H

#include "test_seed_places.h"

static bool lose_session_start(const struct stream *s, size_t at)
{
    return lose(s, at, s->event[at].type == EVE_EVENT_SESSION_STARTED && !came_before(s, at));
}
static bool lose_turn_start(const struct stream *s, size_t at)
{
    return lose(s, at, s->event[at].type == EVE_EVENT_TURN_STARTED && !came_before(s, at));
}
static bool lose_step_start(const struct stream *s, size_t at)
{
    /* of a step that a crash started again the second start says nothing new; in v21 to v24 a
     * subagent's result starts the same step again, which is no retry */
    bool closed = !came_before(s, at);
    for (size_t i = at; i-- > 0 && !closed;) {
        if (s->event[i].type == EVE_EVENT_STEP_COMPLETED) {
            closed = true;
        } else if (s->event[i].type == EVE_EVENT_STEP_STARTED) {
            break;
        }
    }
    bool crashed =
        comes_again(s, at) && !follows(s, at, EVE_EVENT_STEP_COMPLETED, EVE_EVENT_STEP_STARTED);
    return lose(s, at, s->event[at].type == EVE_EVENT_STEP_STARTED && closed && !crashed);
}
static bool lose_step_end(const struct stream *s, size_t at)
{
    /* before the same step starts again it reads as a retry; before turn.failed as a failure */
    return lose(s, at, (s->event[at].type == EVE_EVENT_STEP_COMPLETED && !comes_again(s, at)));
}
static bool lose_turn_end(const struct stream *s, size_t at)
{
    enum eve_event_type type = s->event[at].type;
    return lose(s, at,
                type == EVE_EVENT_TURN_COMPLETED || type == EVE_EVENT_TURN_CANCELLED ||
                    type == EVE_EVENT_TURN_FAILED);
}
static bool lose_completion(const struct stream *s, size_t at)
{
    struct eve_json_value value;
    enum eve_event_type type = s->event[at].type;
    if (type != EVE_EVENT_MESSAGE_COMPLETED && type != EVE_EVENT_REASONING_COMPLETED) {
        return false;
    }
    for (size_t i = at; i-- > 0;) { /* was there an append, and no failed step? */
        if (s->event[i].kind == EVE_LINE_EVENT &&
            eve_decode_delta_field(s->event[i].type) != EVE_FIELD_COUNT &&
            completes(&s->event[i], &s->event[at], &value)) {
            /* started again before it ended: given up, as after a crash; and with another text of
             * the same kind behind it, it reads as a failed attempt */
            bool again = follows(s, at, s->event[i].type, EVE_EVENT_STEP_COMPLETED);
            return lose(s, at,
                        follows(s, at, EVE_EVENT_STEP_COMPLETED, EVE_EVENT_STEP_STARTED) && !again);
        }
    }
    return false;
}
static bool lose_request(const struct stream *s, size_t at)
{
    return lose(s, at,
                s->event[at].type == EVE_EVENT_ACTIONS_REQUESTED &&
                    follows(s, at, EVE_EVENT_ACTION_RESULT, EVE_EVENT_ACTIONS_REQUESTED));
}
static bool lose_result(const struct stream *s, size_t at)
{
    /* an approval may be waited for without end; a withdrawn call had no request */
    bool asked = false;
    for (size_t i = 0; i < at; i++) {
        asked = asked || s->event[i].type == EVE_EVENT_INPUT_REQUESTED;
    }
    return lose(s, at,
                s->event[at].type == EVE_EVENT_ACTION_RESULT && !asked &&
                    eve_block_scope(&s->event[at]) == EVE_BLOCK_NOTHING);
}

/* Rename a coordinate, so that it is missing. */
static bool lose_member(const struct stream *s, size_t at, enum eve_event_field f)
{
    const struct eve_event *ev = &s->event[at];
    bool needs = f != EVE_FIELD_TOOL_NAME || ev->type == EVE_EVENT_INPUT_APPENDED;
    if (!eve_event_has(ev, f) || !needs) {
        return false;
    }
    const char *name = ev->field[f].name + 1;
    seeded[at] = replaced(s->line[at], name, name + 1, eve_str("Z"));
    return true;
}
static bool lose_turn_id(const struct stream *s, size_t at)
{
    return lose_member(s, at, EVE_FIELD_TURN_ID);
}
static bool lose_step_index(const struct stream *s, size_t at)
{
    return lose_member(s, at, EVE_FIELD_STEP_INDEX);
}
static bool lose_sequence(const struct stream *s, size_t at)
{
    return lose_member(s, at, EVE_FIELD_SEQUENCE);
}
static bool lose_call_id(const struct stream *s, size_t at)
{
    return lose_member(s, at, EVE_FIELD_CALL_ID);
}
static bool lose_tool_name(const struct stream *s, size_t at)
{
    return lose_member(s, at, EVE_FIELD_TOOL_NAME);
}
/* The same of the name in the calls, results and questions of an event, of each in turn. */
static bool lose_nested(const struct stream *s, size_t at, const char *name)
{
    const struct eve_event *ev = &s->event[at];
    static const enum eve_event_type types[] = {
        EVE_EVENT_ACTIONS_REQUESTED, EVE_EVENT_ACTION_RESULT, EVE_EVENT_ACTION_PARTIAL,
        EVE_EVENT_INPUT_REQUESTED, EVE_EVENT_INPUT_RESOLVED};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        const char *found_at =
            ev->type == types[i] ? memmem(ev->data.p, ev->data.n, name, strlen(name)) : NULL;
        if (found_at != NULL) {
            seeded[at] = replaced(s->line[at], found_at + 1, found_at + 2, eve_str("Z"));
            return true;
        }
    }
    return false;
}
static bool lose_nested_call(const struct stream *s, size_t at)
{
    return lose_nested(s, at, "\"callId\":");
}
static bool lose_nested_tool(const struct stream *s, size_t at)
{
    return lose_nested(s, at, "\"toolName\":");
}
static bool lose_nested_request(const struct stream *s, size_t at)
{
    enum eve_event_type type = s->event[at].type;
    return (type == EVE_EVENT_INPUT_REQUESTED || type == EVE_EVENT_INPUT_RESOLVED) &&
           lose_nested(s, at, "\"requestId\":");
}
static bool wrong_kind(const struct stream *s, size_t at)
{
    const struct eve_event *ev = &s->event[at];
    bool has = eve_event_has(ev, EVE_FIELD_SEQUENCE);
    if (has) {
        seeded[at] = with_value(s->line[at], ev->field[EVE_FIELD_SEQUENCE].value, "\"0\"");
    }
    return has;
}

/* Appends with the same delta and coordinates differ in nothing but id and time. */
static bool is_same_append(const struct eve_event *a, const struct eve_event *b)
{
    enum eve_event_field f = eve_decode_delta_field(a->type);
    return a->type == b->type && f != EVE_FIELD_COUNT && same(a, b, f) &&
           same(a, b, EVE_FIELD_CALL_ID) && same(a, b, EVE_FIELD_STEP_INDEX);
}

static bool use_id_of_before(const struct stream *s, size_t at)
{
    for (size_t i = at; i-- > 0;) {
        if (s->event[i].kind == EVE_LINE_EVENT) {
            bool replay = is_same_append(&s->event[i], &s->event[at]);
            char id[64];
            (void)snprintf(id, sizeof id, "%.*s", (int)s->event[i].id.n, s->event[i].id.p);
            if (!replay) {
                seeded[at] = with_value(s->line[at], s->event[at].id, id);
            }
            return !replay;
        }
    }
    return false;
}
static bool spoil_id(const struct stream *s, size_t at)
{
    const char *p = s->event[at].id.p + 10;
    seeded[at] = replaced(s->line[at], p, p + 1, eve_str("I"));
    return true;
}
static bool lose_id(const struct stream *s, size_t at)
{
    const char *name = s->event[at].id.p - 4; /* "id": */
    seeded[at] = replaced(s->line[at], name, name + 2, eve_str("ix"));
    return true;
}
static bool swap_ids(const struct stream *s, size_t at)
{
    size_t next = at + 1;
    char id[64];
    char other[64];
    if (next >= s->n || s->event[next].kind != EVE_LINE_EVENT) {
        return false;
    }
    (void)snprintf(id, sizeof id, "%.*s", (int)s->event[at].id.n, s->event[at].id.p);
    (void)snprintf(other, sizeof other, "%.*s", (int)s->event[next].id.n, s->event[next].id.p);
    seeded[at] = with_value(s->line[at], s->event[at].id, other);
    seeded[next] = with_value(s->line[next], s->event[next].id, id);
    return true;
}
static bool repeat_event(const struct stream *s, size_t at)
{
    put_line(at + 1, s->line[at]);
    return true;
}
static bool spoil_time(const struct stream *s, size_t at)
{
    const char *p = s->event[at].at.p + 11;
    seeded[at] = replaced(s->line[at], p, p + 1, eve_str(" "));
    return true;
}
static bool turn_back_time(const struct stream *s, size_t at)
{
    const char *p = s->event[at].at.p + 1;
    seeded[at] = replaced(s->line[at], p, p + 4, eve_str("2001"));
    return at > 2;
}

static bool cut_line(const struct stream *s, size_t at)
{
    seeded[at].n = s->line[at].n / 2;
    return true;
}
static bool spoil_utf8(const struct stream *s, size_t at)
{
    const char *p = s->event[at].type_value.p + 2;
    seeded[at] = replaced(s->line[at], p, p + 1, eve_str("\xE9"));
    return true;
}
static bool repeat_name(const struct stream *s, size_t at)
{
    const char *end = s->line[at].p + s->line[at].n - 1;
    seeded[at] = replaced(s->line[at], end, end, eve_str(",\"type\":\"x\",\"meta\":{}"));
    return true;
}
static bool repeat_deep_name(const struct stream *s, size_t at)
{
    struct eve_json_value data = s->event[at].data;
    if (data.kind != EVE_JSON_OBJECT) {
        return false;
    }
    seeded[at] = replaced(s->line[at], data.p + 1, data.p + 1,
                          eve_str("\"x\":[{\"b\":1,\"a\":{},\"\\u0062\":2}],"));
    return true;
}
static bool unknown_type(const struct stream *s, size_t at)
{
    const char *p = s->event[at].type_value.p + 1;
    seeded[at] = replaced(s->line[at], p, p + 1, eve_str("X"));
    return true;
}
static bool retired_type(const struct stream *s, size_t at)
{
    seeded[at] = with_value(s->line[at], s->event[at].type_value, "\"subagent.called\"");
    return s->name[2] == '6' && eve_decode_delta_field(s->event[at].type) == EVE_FIELD_COUNT;
}
static bool legacy_member(const struct stream *s, size_t at)
{
    const struct eve_event *ev = &s->event[at];
    bool fits = s->name[2] == '6' && ev->type == EVE_EVENT_MESSAGE_APPENDED;
    if (fits) {
        seeded[at] = replaced(s->line[at], ev->data.p + 1, ev->data.p + 1,
                              eve_str("\"messageSoFar\":\"\","));
    }
    return fits;
}
static bool wrong_snapshot(const struct stream *s, size_t at)
{
    const struct eve_event *ev = &s->event[at];
    struct eve_json_value sum = eve_event_value(ev, eve_decode_sum_field(ev->type));
    if (eve_decode_delta_field(ev->type) == EVE_FIELD_COUNT || sum.kind != EVE_JSON_STRING ||
        eve_event_value(ev, eve_decode_delta_field(ev->type)).n < 3) {
        return false;
    }
    seeded[at] = replaced(s->line[at], sum.p + sum.n - 1, sum.p + sum.n - 1, eve_str("~"));
    return true;
}

/* Only blocks whose texts are compared: with an append before, and no white space only. */
static bool alter_completed(const struct stream *s, size_t at)
{
    const struct eve_event *ev = &s->event[at];
    struct eve_json_value v = eve_event_value(
        ev, ev->type == EVE_EVENT_MESSAGE_COMPLETED ? EVE_FIELD_MESSAGE : EVE_FIELD_REASONING);
    if ((ev->type != EVE_EVENT_MESSAGE_COMPLETED && ev->type != EVE_EVENT_REASONING_COMPLETED) ||
        v.n < 3) {
        return false;
    }
    seeded[at] = replaced(s->line[at], v.p + 1, v.p + 1, eve_str("~"));
    return true;
}
static bool alter_request(const struct stream *s, size_t at)
{
    struct eve_json_value call;
    struct eve_json_value action;
    struct eve_json_value value;
    size_t next = 0;
    if (s->event[at].type != EVE_EVENT_ACTIONS_REQUESTED ||
        !eve_block_call(&s->event[at], &next, &call, &action)) {
        return false;
    }
    struct eve_json_value input = eve_event_find(action, "input");
    for (size_t i = at; i-- > 0;) {
        if (s->event[i].type == EVE_EVENT_INPUT_APPENDED &&
            completes(&s->event[i], &s->event[at], &value)) {
            seeded[at] = replaced(s->line[at], input.p + 1, input.p + 1,
                                  eve_str(input.n > 2 ? "\"~\":1.5," : "\"~\":1.5"));
            return true;
        }
    }
    return false; /* without appends there is nothing to compare it with (v21 to v23) */
}

static bool end_session(const struct stream *s, size_t at)
{
    put_line(at, eve_str("{\"type\":\"session.completed\",\"meta\":{\"at\":\"2026-11-30T20:33:29."
                         "313Z\",\"id\":\"evt_00000000000000000000000001\"}}"));
    return at > 0 && s->event[at].type != EVE_EVENT_SESSION_STARTED;
}
static bool mix_forms(const struct stream *s, size_t at)
{
    const struct eve_event *ev = &s->event[at];
    struct eve_json_value sum = eve_event_value(ev, eve_decode_sum_field(ev->type));
    size_t others = 0;
    for (size_t i = 0; i < s->n; i++) {
        others += i != at && s->event[i].kind == EVE_LINE_EVENT &&
                  eve_decode_delta_field(s->event[i].type) != EVE_FIELD_COUNT;
    }
    if (eve_decode_delta_field(ev->type) == EVE_FIELD_COUNT || sum.kind == EVE_JSON_NONE ||
        others == 0) {
        return false;
    }
    enum eve_event_field f = eve_decode_sum_field(ev->type);
    const char *name = ev->field[f].name + 1;
    seeded[at] = replaced(s->line[at], name, name + 1, eve_str("Z"));
    return true;
}
static bool append_outside(const struct stream *s, size_t at)
{
    bool fits = s->event[at].type == EVE_EVENT_STEP_COMPLETED && at + 1 < s->n;
    for (size_t i = at; i-- > 0 && fits;) {
        if (s->event[i].type == EVE_EVENT_MESSAGE_APPENDED) {
            put_line(at + 1, with_new_id(s, i));
            return same(&s->event[i], &s->event[at], EVE_FIELD_STEP_INDEX) &&
                   same(&s->event[i], &s->event[at], EVE_FIELD_TURN_ID);
        }
    }
    return false;
}
/* Deltas become the text so far, as from an emitter that mistakes one for the other. */
static bool repeat_texts(const struct stream *s, size_t at)
{
    static struct text t;
    static char all[ROOM];
    size_t n = 0;
    size_t grown = 0;
    if (s->name[2] < '5' || s->event[at].type != EVE_EVENT_MESSAGE_APPENDED) {
        return false;
    }
    read_text(s, at, &t);
    for (size_t k = 0; k < t.n && t.end > 0; k++) {
        const struct eve_event *ev = &s->event[t.append[k]];
        struct eve_json_value v = eve_event_value(ev, EVE_FIELD_MESSAGE_DELTA);
        struct eve_slice text = eve_text_of(v);
        memcpy(all + n, text.p, text.n);
        grown = text.n > 0 && n > 0 ? grown + 1 : grown;
        n += text.n;
        seeded[t.append[k]] =
            replaced(s->line[t.append[k]], text.p, text.p + text.n, (struct eve_slice){all, n});
    }
    return t.end > 0 && grown >= 3 && t.n < 40;
}

#define RULES(...)                                                                                 \
    (const unsigned[])                                                                             \
    {                                                                                              \
        __VA_ARGS__, 0                                                                             \
    }

static const struct {
    const char *name;
    const unsigned *rules;
    unsigned version;
    seeder seed;
} kinds[] = {
    {"session.started is missing", RULES(EVE_RULE_STARTS_MIDWAY), 0, lose_session_start},
    {"turn.started is missing", RULES(EVE_RULE_OUTSIDE_TURN), 0, lose_turn_start},
    {"step.started is missing", RULES(EVE_RULE_OUTSIDE_STEP, EVE_RULE_ORDER), 0, lose_step_start},
    {"step.completed is missing", RULES(EVE_RULE_ORDER), 0, lose_step_end},
    {"the end of a turn is missing", RULES(EVE_RULE_TURN_OPEN), 0, lose_turn_end},
    {"a completed event is missing", RULES(EVE_RULE_BLOCK_OPEN, EVE_RULE_TEXT_DIVERGED), 0,
     lose_completion},
    {"a request is missing", RULES(EVE_RULE_RESULT_UNASKED), 0, lose_request},
    {"a result is missing", RULES(EVE_RULE_REQUEST_OPEN), 0, lose_result},
    {"turnId is missing", RULES(EVE_RULE_MISSING_MEMBER), 0, lose_turn_id},
    {"stepIndex is missing", RULES(EVE_RULE_MISSING_MEMBER), 0, lose_step_index},
    {"sequence is missing", RULES(EVE_RULE_MISSING_MEMBER), 0, lose_sequence},
    {"callId is missing", RULES(EVE_RULE_MISSING_MEMBER), 0, lose_call_id},
    {"toolName is missing", RULES(EVE_RULE_MISSING_MEMBER), 0, lose_tool_name},
    {"callId of a call or result is missing", RULES(EVE_RULE_MISSING_MEMBER), 0, lose_nested_call},
    {"toolName of a call or result is missing", RULES(EVE_RULE_MISSING_MEMBER), 0,
     lose_nested_tool},
    {"requestId of a question or answer is missing", RULES(EVE_RULE_MISSING_MEMBER), 0,
     lose_nested_request},
    {"a coordinate of the wrong kind", RULES(EVE_RULE_MISSING_MEMBER), 0, wrong_kind},
    {"another sequence", RULES(EVE_RULE_COORDINATE_DIFFERS), 0, other_sequence},
    {"half a step", RULES(EVE_RULE_MISSING_MEMBER), 0, half_step},
    {"another step",
     RULES(EVE_RULE_OUTSIDE_STEP, EVE_RULE_TEXT_DIVERGED, EVE_RULE_ORDER,
           EVE_RULE_COORDINATE_DIFFERS),
     0, other_step},
    {"another turn",
     RULES(EVE_RULE_OUTSIDE_TURN, EVE_RULE_TEXT_DIVERGED, EVE_RULE_ORDER,
           EVE_RULE_COORDINATE_DIFFERS),
     0, other_turn},
    {"a result of another step", RULES(EVE_RULE_COORDINATE_DIFFERS), 0, other_step_of_result},
    {"a result of another turn", RULES(EVE_RULE_COORDINATE_DIFFERS), 0, other_turn_of_result},
    {"another tool", RULES(EVE_RULE_COORDINATE_DIFFERS), 0, other_tool},
    {"input.requested is missing", RULES(EVE_RULE_RESULT_UNASKED), 0, lose_question},
    {"task.started is missing", RULES(EVE_RULE_RESULT_UNASKED), 0, lose_task},
    {"session.waiting is missing", RULES(EVE_RULE_ORDER), 0, lose_waiting},
    {"message.received is missing", RULES(EVE_RULE_ORDER), 0, lose_message},
    {"an id used for two events", RULES(EVE_RULE_ID_REUSED), 0, use_id_of_before},
    {"an id that is no ULID", RULES(EVE_RULE_ID_FORM), 0, spoil_id},
    {"an id is missing", RULES(EVE_RULE_ID_MISSING), 0, lose_id},
    {"ids out of order", RULES(EVE_RULE_ID_ORDER), 0, swap_ids},
    {"an event came again", RULES(EVE_RULE_REPLAY), 0, repeat_event},
    {"a malformed time", RULES(EVE_RULE_TIME_FORM), 0, spoil_time},
    {"a time that steps back", RULES(EVE_RULE_TIME_ORDER), 0, turn_back_time},
    {"a line cut in two", RULES(EVE_RULE_JSON_SYNTAX, EVE_RULE_JSON_UTF8), 0, cut_line},
    {"a byte that is not UTF-8", RULES(EVE_RULE_JSON_UTF8), 0, spoil_utf8},
    {"a name twice", RULES(EVE_RULE_REPEATED_NAME), 0, repeat_name},
    {"a name twice, deep and escaped", RULES(EVE_RULE_REPEATED_NAME), 0, repeat_deep_name},
    {"an unknown type", RULES(EVE_RULE_UNKNOWN_TYPE), 0, unknown_type},
    {"a retired type", RULES(EVE_RULE_RETIRED_TYPE), 26, retired_type},
    {"a legacy member in version 26", RULES(EVE_RULE_LEGACY_FIELD), 26, legacy_member},
    {"a snapshot that does not end with its delta", RULES(EVE_RULE_SNAPSHOT_MISMATCH), 0,
     wrong_snapshot},
    {"an altered completed text", RULES(EVE_RULE_TEXT_DIVERGED), 0, alter_completed},
    {"an altered request", RULES(EVE_RULE_INPUT_DIFFERS), 0, alter_request},
    {"events after the end", RULES(EVE_RULE_AFTER_END), 0, end_session},
    {"legacy and delta-only appends", RULES(EVE_RULE_MIXED_FORMS), 0, mix_forms},
    {"an append outside its step", RULES(EVE_RULE_OUTSIDE_STEP, EVE_RULE_OUTSIDE_TURN), 0,
     append_outside},
    {"deltas that repeat the text", RULES(EVE_RULE_DELTA_REPEATS_TEXT), 0, repeat_texts},
};

#endif
