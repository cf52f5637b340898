/* Faults of coordinates, and of what is asked and received; for test_seed.c alone. */
#ifndef TEST_SEED_PLACES_H
#define TEST_SEED_PLACES_H

/* The event is gone. */
static bool lose(const struct stream *s, size_t at, bool fits)
{
    (void)s;
    if (fits) {
        drop_line(at);
    }
    return fits;
}

/* An event of the type comes after line `at`, before one of the type `until`. */
static bool follows(const struct stream *s, size_t at, enum eve_event_type type,
                    enum eve_event_type until)
{
    for (size_t i = at + 1; i < s->n; i++) {
        if (s->event[i].kind == EVE_LINE_EVENT && s->event[i].type == until) {
            return false;
        }
        if (s->event[i].kind == EVE_LINE_EVENT && s->event[i].type == type) {
            return true;
        }
    }
    return false;
}

/* An event like the one at `at` came before, so that a restart explains what is missing. */
static bool came_before(const struct stream *s, size_t at)
{
    for (size_t i = 0; i < at; i++) {
        if (s->event[i].kind == EVE_LINE_EVENT && s->event[i].type == s->event[at].type &&
            same(&s->event[i], &s->event[at], EVE_FIELD_TURN_ID) &&
            same(&s->event[i], &s->event[at], EVE_FIELD_STEP_INDEX)) {
            return true;
        }
    }
    return false;
}

/* The same, later. */
static bool comes_again(const struct stream *s, size_t at)
{
    for (size_t i = at + 1; i < s->n; i++) {
        if (s->event[i].kind == EVE_LINE_EVENT && s->event[i].type == s->event[at].type &&
            same(&s->event[i], &s->event[at], EVE_FIELD_TURN_ID) &&
            same(&s->event[i], &s->event[at], EVE_FIELD_STEP_INDEX)) {
            return true;
        }
    }
    return false;
}

/* A coordinate of the right kind, but another one. */
static bool change(const struct stream *s, size_t at, enum eve_event_field f, const char *by)
{
    if (eve_event_has(&s->event[at], f)) {
        seeded[at] = with_value(s->line[at], s->event[at].field[f].value, by);
    }
    return eve_event_has(&s->event[at], f);
}
static bool other_sequence(const struct stream *s, size_t at)
{
    /* no turn.started of its turn: turnId "" of answers, a subagent's event before its turn */
    bool known = false;
    for (size_t i = 0; i < at; i++) {
        known = known || (s->event[i].type == EVE_EVENT_TURN_STARTED &&
                          same(&s->event[i], &s->event[at], EVE_FIELD_TURN_ID));
    }
    return known && change(s, at, EVE_FIELD_SEQUENCE, "99");
}
static bool half_step(const struct stream *s, size_t at)
{
    return change(s, at, EVE_FIELD_STEP_INDEX, "0.5");
}
static bool needs_step(const struct stream *s, size_t at)
{
    enum eve_event_type type = s->event[at].type;
    return type == EVE_EVENT_ACTIONS_REQUESTED || type == EVE_EVENT_MESSAGE_COMPLETED ||
           type == EVE_EVENT_REASONING_COMPLETED || type == EVE_EVENT_STEP_COMPLETED ||
           eve_decode_delta_field(type) != EVE_FIELD_COUNT;
}
static bool other_step(const struct stream *s, size_t at)
{
    return needs_step(s, at) && change(s, at, EVE_FIELD_STEP_INDEX, "77");
}
static bool other_turn(const struct stream *s, size_t at)
{
    enum eve_event_type type = s->event[at].type;
    return (needs_step(s, at) || type == EVE_EVENT_RESULT_COMPLETED ||
            type == EVE_EVENT_TASK_STARTED || type == EVE_EVENT_TASK_SETTLED) &&
           change(s, at, EVE_FIELD_TURN_ID, "\"turn_77\"");
}
/* A result that withdraws its call has no request whose place it could have. */
static bool is_answer(const struct stream *s, size_t at)
{
    return s->event[at].type == EVE_EVENT_ACTION_RESULT &&
           eve_block_scope(&s->event[at]) == EVE_BLOCK_NOTHING;
}
/* The partial results of the recordings come while their call is open. */
static bool is_partial(const struct stream *s, size_t at)
{
    return s->event[at].type == EVE_EVENT_ACTION_PARTIAL;
}
static bool other_step_of_result(const struct stream *s, size_t at)
{
    return (is_answer(s, at) || is_partial(s, at)) && change(s, at, EVE_FIELD_STEP_INDEX, "77");
}
static bool other_turn_of_result(const struct stream *s, size_t at)
{
    return (is_answer(s, at) || is_partial(s, at)) &&
           change(s, at, EVE_FIELD_TURN_ID, "\"turn_77\"");
}
static bool other_tool(const struct stream *s, size_t at)
{
    struct eve_json_value call;
    struct eve_json_value action = {0};
    struct eve_json_value value;
    const struct eve_event *ev = &s->event[at];
    size_t next = 0;
    if (ev->type == EVE_EVENT_INPUT_APPENDED) {
        bool tool =
            false; /* a call that fails and has one append, or a subagent's, names it once */
        for (size_t i = 0; i < s->n && !tool; i++) {
            tool = i != at && s->event[i].type == EVE_EVENT_INPUT_APPENDED &&
                   same(&s->event[i], ev, EVE_FIELD_CALL_ID) &&
                   same(&s->event[i], ev, EVE_FIELD_TURN_ID);
        }
        return tool && change(s, at, EVE_FIELD_TOOL_NAME, "\"other\"");
    }
    bool compared = is_answer(s, at) && eve_block_call(ev, &next, &call, &action);
    for (size_t i = 0; i < at && compared; i++) { /* a subagent's request has no toolName */
        compared = s->event[i].type != EVE_EVENT_ACTIONS_REQUESTED ||
                   memmem(s->line[i].p, s->line[i].n, "subagent-call", 13) == NULL;
    }
    for (size_t i = 0; i < at && ev->type == EVE_EVENT_ACTIONS_REQUESTED && !compared; i++) {
        compared = s->event[i].type == EVE_EVENT_INPUT_APPENDED &&
                   completes(&s->event[i], ev, &value) && eve_block_call(ev, &next, &call, &action);
    }
    if (is_partial(s, at)) {
        action = eve_event_value(ev, EVE_FIELD_RESULT);
        compared = true;
    }
    struct eve_json_value name = eve_event_find(action, "toolName");
    if (!compared || name.kind != EVE_JSON_STRING) {
        return false;
    }
    seeded[at] = with_value(s->line[at], name, "\"other\"");
    return true;
}
static bool lose_question(const struct stream *s, size_t at)
{
    return lose(s, at,
                s->event[at].type == EVE_EVENT_INPUT_REQUESTED &&
                    follows(s, at, EVE_EVENT_INPUT_RESOLVED, EVE_EVENT_INPUT_REQUESTED));
}
static bool lose_task(const struct stream *s, size_t at)
{
    return lose(s, at,
                s->event[at].type == EVE_EVENT_TASK_STARTED &&
                    follows(s, at, EVE_EVENT_TASK_SETTLED, EVE_EVENT_TASK_STARTED));
}
static bool lose_waiting(const struct stream *s, size_t at)
{
    return lose(s, at,
                s->event[at].type == EVE_EVENT_SESSION_WAITING &&
                    follows(s, at, EVE_EVENT_TURN_STARTED, EVE_EVENT_SESSION_STARTED));
}
static bool lose_message(const struct stream *s, size_t at)
{
    /* after a question, a task or a subagent a turn may begin without one; a second message steers
     * a turn, and one after a restart says nothing new */
    bool lost = s->event[at].type == EVE_EVENT_MESSAGE_RECEIVED && !came_before(s, at) &&
                !comes_again(s, at);
    for (size_t i = 0; i < at && lost; i++) {
        lost = s->event[i].type != EVE_EVENT_INPUT_REQUESTED &&
               s->event[i].type != EVE_EVENT_TASK_STARTED &&
               s->event[i].type != EVE_EVENT_SUBAGENT_CALLED &&
               s->event[i].type != EVE_EVENT_SUBAGENT_COMPLETED;
    }
    return lose(s, at, lost);
}

#endif
