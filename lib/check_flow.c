#include "check_state.h"
#include "key.h"
#include "num.h"
#include "str.h"
#include "text.h"

enum eve_status eve_check_make_key(struct eve_check *c, struct eve_json_value value,
                                   struct eve_err *err)
{
    struct eve_slice number = {(const char *)&c->group->number, sizeof c->group->number};
    c->key.n = 0;
    enum eve_status status = eve_buf_put(&c->key, number, err);
    if (status == EVE_OK && value.kind == EVE_JSON_STRING && !value.escaped) {
        status = eve_buf_put(&c->key, eve_text_of(value), err);
    } else if (status == EVE_OK && value.kind == EVE_JSON_STRING) {
        status = eve_text_decode(eve_text_of(value), &c->key, err);
    } else if (status == EVE_OK) {
        status = eve_key_put(&c->key, value, err); /* begins with a kind, as no id does */
    }
    return status;
}

enum eve_status eve_check_find_turn(struct eve_check *c, struct eve_roster_member **turn,
                                    struct eve_err *err)
{
    enum eve_status status = eve_check_make_key(c, eve_event_value(c->ev, EVE_FIELD_TURN_ID), err);
    *turn = status == EVE_OK ? eve_roster_get(&c->turns, eve_buf_slice(&c->key)) : NULL;
    return status;
}

/* The key of the step of the event at hand, in c->text. */
static enum eve_status make_step_key(struct eve_check *c, struct eve_err *err)
{
    c->text.n = 0;
    enum eve_status status = eve_key_put(&c->text, eve_event_value(c->ev, EVE_FIELD_TURN_ID), err);
    return status == EVE_OK
               ? eve_key_put(&c->text, eve_event_value(c->ev, EVE_FIELD_STEP_INDEX), err)
               : status;
}

enum eve_status eve_check_in_step(struct eve_check *c, bool *in, struct eve_err *err)
{
    enum eve_status status = make_step_key(c, err);
    *in = status == EVE_OK && c->group->step_open &&
          eve_str_equal(eve_buf_slice(&c->text), eve_buf_slice(&c->group->step_key));
    return status;
}

/* The open turn is the one in c->key. */
static bool is_open_turn(const struct eve_check *c)
{
    return c->group->turn_open &&
           eve_str_equal(eve_buf_slice(&c->key), eve_buf_slice(&c->group->turn_key));
}

/* Turns are not known that began before the stream was joined. */
static bool may_be_before(const struct eve_check *c)
{
    return (c->group->midway && !c->group->turn_seen) || c->bad > 0;
}

/* A number of the event at hand, or UINT64_MAX. */
static uint64_t number_of(const struct eve_event *ev, enum eve_event_field f)
{
    struct eve_json_value value = eve_event_value(ev, f);
    uint64_t number = 0;
    return value.kind == EVE_JSON_NUMBER &&
                   eve_num_integer((struct eve_slice){value.p, value.n}, EVE_NUM_SAFE_MAX, &number)
               ? number
               : UINT64_MAX;
}

enum eve_status eve_check_near_step(struct eve_check *c, bool *near, struct eve_err *err)
{
    struct eve_roster_member *turn = NULL;
    uint64_t step = number_of(c->ev, EVE_FIELD_STEP_INDEX);
    enum eve_status status = eve_check_in_step(c, near, err);
    if (status != EVE_OK || *near || c->group->step_open) {
        return status;
    }
    status = eve_check_find_turn(c, &turn, err);
    *near = turn != NULL && turn->state <= EVE_CHECK_WAITING && step != UINT64_MAX &&
            c->group->step_index != UINT64_MAX && step <= c->group->step_index + 1;
    return status;
}

enum eve_status eve_check_in_turn(struct eve_check *c, struct eve_err *err)
{
    struct eve_roster_member *turn = NULL;
    enum eve_status status = eve_check_find_turn(c, &turn, err);
    return status != EVE_OK || turn != NULL || may_be_before(c)
               ? status
               : eve_check_tell(c, EVE_RULE_OUTSIDE_TURN, false, NULL,
                                "no turn of its turnId has started", err);
}

enum eve_status eve_check_inside(struct eve_check *c, bool explained, struct eve_err *err)
{
    struct eve_roster_member *turn = NULL;
    bool in = false;
    enum eve_status status = eve_check_in_step(c, &in, err);
    if (status != EVE_OK || in || (c->group->midway && !c->group->step_seen) || c->bad > 0) {
        return status;
    }
    status = eve_check_find_turn(c, &turn, err);
    if (status != EVE_OK) {
        return status;
    }
    bool open = turn != NULL && turn->state <= EVE_CHECK_WAITING;
    explained = explained && turn != NULL && !c->group->step_open;
    if (open || explained || (turn == NULL && may_be_before(c))) {
        return eve_check_tell(c, EVE_RULE_OUTSIDE_STEP, explained, NULL,
                              "no step of its turnId and stepIndex is open", err);
    }
    return eve_check_tell(
        c, EVE_RULE_OUTSIDE_TURN, false, NULL,
        turn == NULL ? "no turn of its turnId has started" : "its turn has ended already", err);
}

/* The open turn is over without having ended. */
static enum eve_status leave_turn(struct eve_check *c, const char *why, bool explained,
                                  struct eve_err *err)
{
    struct eve_check_group *g = c->group;
    struct eve_words w;
    if (!g->turn_open) {
        return EVE_OK;
    }
    g->turn_open = g->step_open = false;
    if (g->turn.line < c->bad_line) {
        return EVE_OK;
    }
    eve_words_init(&w, "this turn has no end: ");
    eve_words_put(&w, why);
    return eve_check_tell_at(c, EVE_RULE_TURN_OPEN, explained, &g->turn, w.s, err);
}

/* The turn in c->key, begun at `place`, is the open one from now on. */
static enum eve_status enter_turn(struct eve_check *c, struct eve_check_place place,
                                  struct eve_err *err)
{
    c->group->turn_open = true;
    c->group->turn = place;
    c->group->turn_key.n = 0;
    return eve_buf_put(&c->group->turn_key, eve_buf_slice(&c->key), err);
}

/* Every turn's end is followed by session.waiting, or by the end of the session. */
static enum eve_status check_settled(struct eve_check *c, struct eve_err *err)
{
    uint64_t line = c->group->settled_line;
    c->group->settled_line = 0;
    return line <= c->bad_line ? EVE_OK
                               : eve_check_tell(c, EVE_RULE_ORDER, false, NULL,
                                                "the turn before it has ended, but the session "
                                                "has not waited since",
                                                err);
}

static enum eve_status start_turn(struct eve_check *c, struct eve_err *err)
{
    struct eve_roster_member *turn = NULL;
    enum eve_status status = check_settled(c, err);
    uint64_t sequence = number_of(c->ev, EVE_FIELD_SEQUENCE);
    c->group->turn_seen = true;
    c->group->streamed_count = 0;
    if (status == EVE_OK) {
        status = eve_check_find_turn(c, &turn, err);
    }
    if (status == EVE_OK && turn != NULL && turn->state <= EVE_CHECK_WAITING) {
        status = eve_check_tell(c, EVE_RULE_RESTART, false, NULL,
                                "the turn starts again while it is open: recovery", err);
    } else if (status == EVE_OK && turn != NULL) {
        status = eve_check_tell(c, EVE_RULE_ORDER, false, NULL,
                                "the turn starts again after its end", err);
    }
    if (status == EVE_OK && !is_open_turn(c)) {
        status = leave_turn(c, "another one started", false, err);
    }
    if (status != EVE_OK) {
        return status;
    }
    if (turn != NULL) {
        turn->state = EVE_CHECK_OPEN;
    } else {
        struct eve_roster_member member = {.line = c->line,
                                           .event = c->index,
                                           .owner = c->group->number,
                                           .turn =
                                               sequence < UINT32_MAX ? (uint32_t)sequence + 1 : 0,
                                           .state = EVE_CHECK_OPEN};
        status = eve_roster_add(&c->turns, eve_buf_slice(&c->key), member, err);
    }
    return status == EVE_OK ? enter_turn(c, eve_check_here(c), err) : status;
}

/* A turn that is over ends the step that is open in it. */
static enum eve_status end_step_of_turn(struct eve_check *c, struct eve_err *err)
{
    struct eve_check_group *g = c->group;
    if (!g->step_open) {
        return EVE_OK;
    }
    g->step_open = false;
    if (c->ev->type == EVE_EVENT_TURN_CANCELLED || g->step.line < c->bad_line) {
        return EVE_OK;
    }
    return eve_check_tell_at(
        c, EVE_RULE_ORDER, eve_check_is_idle_step(c), &g->step,
        c->ev->type == EVE_EVENT_TURN_COMPLETED ? "this step has no end: its turn is completed"
        : c->ev->type == EVE_EVENT_TURN_FAILED  ? "this step has no end: its turn failed"
                                                : "this step has no end: its turn waits",
        err);
}

/* The same, where the start of the turn was not seen: its key is the head of that of its step. */
static enum eve_status end_step_of_unknown(struct eve_check *c, struct eve_err *err)
{
    struct eve_slice step = eve_buf_slice(&c->group->step_key);
    enum eve_status status = EVE_OK;
    if (!c->group->step_open) {
        return EVE_OK;
    }
    c->text.n = 0;
    status = eve_key_put(&c->text, eve_event_value(c->ev, EVE_FIELD_TURN_ID), err);
    return status == EVE_OK && step.n > c->text.n &&
                   eve_str_equal(eve_str_sub(step, 0, c->text.n), eve_buf_slice(&c->text))
               ? end_step_of_turn(c, err)
               : status;
}

static enum eve_status end_turn(struct eve_check *c, struct eve_err *err)
{
    struct eve_roster_member *turn = NULL;
    enum eve_status status = eve_check_find_turn(c, &turn, err);
    unsigned state = c->ev->type == EVE_EVENT_TURN_COMPLETED ? EVE_CHECK_COMPLETED
                     : c->ev->type == EVE_EVENT_TURN_WAITING ? EVE_CHECK_WAITING
                                                             : EVE_CHECK_BROKEN_OFF;
    if (status != EVE_OK) {
        return status;
    }
    if (turn == NULL && !may_be_before(c)) {
        bool apart = eve_check_fails_apart(c->ev) && !c->group->turn_open;
        status = eve_check_tell(c, EVE_RULE_ORDER, apart, NULL,
                                "the turn ends or waits without having started", err);
    } else if (turn != NULL && turn->state > EVE_CHECK_WAITING) {
        status = eve_check_tell(c, EVE_RULE_ORDER, false, NULL, "the turn has ended already", err);
    }
    if (status == EVE_OK && is_open_turn(c)) {
        c->group->turn_open = false;
        status = end_step_of_turn(c, err);
    } else if (status == EVE_OK && turn == NULL) {
        status = end_step_of_unknown(c, err);
    }
    if (state == EVE_CHECK_BROKEN_OFF) {
        eve_check_break_off(c, turn);
    }
    c->group->settled_line = state == EVE_CHECK_WAITING ? 0 : c->line;
    if (status == EVE_OK && turn == NULL && !eve_check_fails_apart(c->ev)) {
        struct eve_roster_member member = {
            .line = c->line, .event = c->index, .owner = c->group->number, .state = state & 15};
        return eve_roster_add(&c->turns, eve_buf_slice(&c->key), member, err);
    }
    if (turn != NULL) {
        turn->state = state & 15;
    }
    return status;
}

static enum eve_status receive(struct eve_check *c, struct eve_err *err)
{
    struct eve_roster_member *turn = NULL;
    enum eve_status status = eve_check_find_turn(c, &turn, err);
    if (turn != NULL) {
        turn->flags |= EVE_CHECK_RECEIVED;
    }
    return status;
}

/* The first step of a turn comes after a message, unless the turn goes on with something asked. */
static enum eve_status check_received(struct eve_check *c, struct eve_roster_member *turn,
                                      struct eve_err *err)
{
    bool received = (turn->flags & EVE_CHECK_RECEIVED) != 0 || turn->turn == 0;
    turn->flags |= EVE_CHECK_RECEIVED;
    return received || c->group->asked || c->group->midway || c->bad > 0
               ? EVE_OK
               : eve_check_tell(c, EVE_RULE_ORDER, false, NULL,
                                "no message.received came before the first step of its turn", err);
}

/* step.started is in an open turn, or wakes a waiting one. */
static enum eve_status check_turn_of_step(struct eve_check *c, struct eve_err *err)
{
    struct eve_roster_member *turn = NULL;
    enum eve_status status = eve_check_find_turn(c, &turn, err);
    if (status != EVE_OK) {
        return status;
    }
    if (turn != NULL && turn->state == EVE_CHECK_WAITING) {
        struct eve_check_place place = {turn->line, turn->event, EVE_EVENT_TURN_STARTED};
        turn->state = EVE_CHECK_OPEN;
        return enter_turn(c, place, err);
    }
    if (turn == NULL && !may_be_before(c)) {
        return eve_check_tell(c, EVE_RULE_OUTSIDE_TURN, false, NULL,
                              "no turn of its turnId has started", err);
    }
    if (turn != NULL && turn->state > EVE_CHECK_WAITING) {
        return eve_check_tell(c, EVE_RULE_OUTSIDE_TURN, false, NULL, "its turn has ended already",
                              err);
    }
    return turn != NULL ? check_received(c, turn, err) : EVE_OK;
}

/* Whether tools stream their inputs depends on the model. */
static enum eve_status take_model(struct eve_check *c, struct eve_err *err)
{
    uint64_t model = 0;
    enum eve_status status = eve_check_name(c, eve_event_find(c->ev->data, "modelId"), &model, err);
    if (model != c->group->model) {
        c->group->streamed_count = 0;
    }
    c->group->model = model;
    return status;
}

static enum eve_status start_step(struct eve_check *c, struct eve_err *err)
{
    struct eve_check_group *g = c->group;
    bool same = false;
    enum eve_status status = check_turn_of_step(c, err);
    g->step_seen = true;
    if (status == EVE_OK) {
        status = take_model(c, err);
    }
    if (status == EVE_OK) {
        status = eve_check_in_step(c, &same, err);
    }
    if (status == EVE_OK && same) {
        eve_check_explain_calls(c);
        status = eve_check_tell(c, EVE_RULE_RESTART, false, NULL,
                                "the step starts again while it is open", err);
    } else if (status == EVE_OK && g->step_open && g->step.line > c->bad_line) {
        status = eve_check_tell_at(c, EVE_RULE_ORDER, false, &g->step,
                                   "this step has no end: another one started", err);
    }
    g->step_open = true;
    g->step_said = eve_check_is_behind(c); /* its texts may have begun */
    g->step_asked = false;
    g->step = eve_check_here(c);
    g->step_index = number_of(c->ev, EVE_FIELD_STEP_INDEX);
    g->step_key.n = 0;
    return status == EVE_OK ? eve_buf_put(&g->step_key, eve_buf_slice(&c->text), err) : status;
}

static enum eve_status end_step(struct eve_check *c, struct eve_err *err)
{
    bool same = false;
    enum eve_status status = eve_check_in_step(c, &same, err);
    if (c->ev->type == EVE_EVENT_STEP_FAILED || eve_check_is_superseded(c->ev)) {
        eve_check_explain_calls(c);
    }
    if (status == EVE_OK && !same && !(c->group->midway && !c->group->step_seen) && c->bad == 0) {
        status = eve_check_tell(c, EVE_RULE_ORDER, eve_check_fails_apart(c->ev), NULL,
                                "the step ends, but it is not open", err);
    }
    c->group->step_open = c->group->step_open && !same;
    return status;
}

static enum eve_status take_session(struct eve_check *c, struct eve_err *err)
{
    struct eve_check_group *g = c->group;
    enum eve_status status = EVE_OK;
    g->settled_line = 0;
    switch (c->ev->type) {
    case EVE_EVENT_SESSION_STARTED:
        if (g->session_started) {
            status = eve_check_tell(c, EVE_RULE_RESTART, false, NULL,
                                    "the session starts again: recovery", err);
        }
        g->session_started = true;
        g->ended = g->after_end_told = false;
        break;
    case EVE_EVENT_SESSION_WAITING:
        status = leave_turn(c, "the session waits", false, err);
        break;
    case EVE_EVENT_SESSION_COMPLETED:
        status = leave_turn(c, "the session is completed", false, err);
        g->ended = true;
        g->end_line = c->line;
        break;
    default:
        if (g->turn_open) {
            eve_check_break_off(c, eve_roster_get(&c->turns, eve_buf_slice(&g->turn_key)));
        }
        status = leave_turn(c, "the session failed", true, err);
        g->ended = true;
        g->end_line = c->line;
        break;
    }
    return status;
}

/* The first event of a session, and the first after its end. */
static enum eve_status check_ends(struct eve_check *c, struct eve_err *err)
{
    struct eve_check_group *g = c->group;
    enum eve_event_type type = c->ev->type;
    bool first = !g->any;
    g->any = true;
    if (first && type != EVE_EVENT_SESSION_STARTED && type != EVE_EVENT_SESSION_FAILED &&
        !eve_check_fails_apart(c->ev)) {
        g->midway = true;
        if (c->options.start_index == 0 && c->bad == 0) {
            return eve_check_tell(c, EVE_RULE_STARTS_MIDWAY, false, NULL,
                                  "the stream does not begin with session.started", err);
        }
    }
    if (g->ended && g->end_line > c->bad_line && !g->after_end_told &&
        type != EVE_EVENT_SESSION_STARTED) {
        g->after_end_told = true;
        return eve_check_tell(c, EVE_RULE_AFTER_END, false, NULL,
                              "the session has ended before this event", err);
    }
    return EVE_OK;
}

enum eve_status eve_check_flow(struct eve_check *c, struct eve_err *err)
{
    enum eve_status status = check_ends(c, err);
    if (status != EVE_OK) {
        return status;
    }
    switch (c->ev->type) {
    case EVE_EVENT_SESSION_STARTED:
    case EVE_EVENT_SESSION_WAITING:
    case EVE_EVENT_SESSION_COMPLETED:
    case EVE_EVENT_SESSION_FAILED:
        return take_session(c, err);
    case EVE_EVENT_TURN_STARTED:
        return start_turn(c, err);
    case EVE_EVENT_TURN_COMPLETED:
    case EVE_EVENT_TURN_FAILED:
    case EVE_EVENT_TURN_CANCELLED:
    case EVE_EVENT_TURN_WAITING:
        return end_turn(c, err);
    case EVE_EVENT_STEP_STARTED:
        return start_step(c, err);
    case EVE_EVENT_STEP_COMPLETED:
    case EVE_EVENT_STEP_FAILED:
        return end_step(c, err);
    case EVE_EVENT_ACTIONS_REQUESTED:
        return eve_check_requests(c, err);
    case EVE_EVENT_ACTION_RESULT:
    case EVE_EVENT_ACTION_PARTIAL:
        return eve_check_result(c, err);
    case EVE_EVENT_MESSAGE_RECEIVED:
        return receive(c, err);
    case EVE_EVENT_INPUT_REQUESTED:
    case EVE_EVENT_INPUT_RESOLVED:
    case EVE_EVENT_APPROVAL_SETTLED:
    case EVE_EVENT_TASK_STARTED:
    case EVE_EVENT_TASK_SETTLED:
        c->group->asked = c->group->step_asked = true;
        return eve_check_questions(c, err);
    case EVE_EVENT_RESULT_COMPLETED:
        return eve_check_in_turn(c, err);
    case EVE_EVENT_AUTHORIZATION_REQUIRED:
        c->group->asked = c->group->step_asked = true;
        return eve_check_explain_turn(c, err);
    case EVE_EVENT_APPROVAL_CANDIDATE:
    case EVE_EVENT_AUTHORIZATION_COMPLETED:
    case EVE_EVENT_SUBAGENT_CALLED:
    case EVE_EVENT_SUBAGENT_STARTED:
    case EVE_EVENT_SUBAGENT_EVENT:
    case EVE_EVENT_SUBAGENT_COMPLETED:
    case EVE_EVENT_AGENT_STARTED:
        c->group->asked = true;
        return EVE_OK;
    default:
        return EVE_OK;
    }
}

enum eve_status eve_check_flow_end(struct eve_check *c, struct eve_err *err)
{
    enum eve_status status = eve_check_calls_end(c, err);
    for (size_t i = 0; i < c->group_count && status == EVE_OK; i++) {
        c->group = c->group_list[i];
        status = leave_turn(c, "the stream ends", false, err);
    }
    return status;
}
