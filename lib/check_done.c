#include "check_hold.h"
#include "check_state.h"
#include "mem.h"
#include "str.h"
#include "text.h"

#include <stdlib.h>

enum { KEEP_ROOM = 64 * 1024, FIRST_ENDED = 16 };

/* Take a text out of the table; what it holds stays until the next one is added. */
static void unlink_text(struct eve_check *c, struct eve_check_text *t)
{
    t->group->blocks--;
    t->serial = 0;
    c->last_text = c->last_text == t ? NULL : c->last_text;
    eve_block_remove(&c->texts, &t->block);
}

static void close_text(struct eve_check *c, struct eve_check_text *t)
{
    eve_buf_clear(&t->raw, KEEP_ROOM);
    unlink_text(c, t);
}

/* Where two texts part: *unit is how many units they share, *x and *y what follows in each. */
static void find_parting(struct eve_slice a, struct eve_slice b, uint64_t *unit,
                         struct eve_slice *x, struct eve_slice *y)
{
    struct eve_text_units u;
    struct eve_text_units v;
    eve_text_units_init(&u, a);
    eve_text_units_init(&v, b);
    *x = a;
    *y = b;
    for (*unit = 0;; ++*unit) {
        if (u.low == 0 && v.low == 0) {
            *x = eve_str_sub(a, (size_t)(u.p - a.p), a.n);
            *y = eve_str_sub(b, (size_t)(v.p - b.p), b.n);
        }
        int32_t next = eve_text_next(&u);
        if (next != eve_text_next(&v) || next < 0) {
            return;
        }
    }
}

/* The completed text is not what its appends amount to. */
static enum eve_status tell_diverged(struct eve_check *c, const struct eve_check_text *t,
                                     struct eve_json_value value, struct eve_err *err)
{
    struct eve_words w;
    struct eve_slice all = t != NULL ? eve_buf_slice(&t->raw) : (struct eve_slice){"", 0};
    struct eve_slice x;
    struct eve_slice y;
    uint64_t unit = 0;
    find_parting(all, eve_text_of(value), &unit, &x, &y);
    eve_words_init(&w, "the completed text has ");
    eve_words_number(&w, eve_text_count(eve_text_of(value)), "unit");
    if (t == NULL) {
        eve_words_put(&w, ", but no append came before it");
        return eve_check_hold(c, EVE_RULE_TEXT_DIVERGED, 0, value.p, w.s, err);
    }
    eve_words_put(&w, ", its ");
    eve_words_number(&w, t->deltas, "append");
    eve_words_put(&w, t->deltas == 1 ? " has " : " have ");
    eve_words_count(&w, eve_text_count(all));
    eve_words_put(&w, "; they part at unit ");
    eve_words_count(&w, unit);
    eve_words_put(&w, ": completed ");
    eve_words_quote(&w, y);
    eve_words_put(&w, ", appended ");
    eve_words_quote(&w, x);
    return eve_check_hold(c, EVE_RULE_TEXT_DIVERGED, 0, value.p, w.s, err);
}

static enum eve_status tell_retry(struct eve_check *c, uint64_t units, const char *at,
                                  struct eve_err *err)
{
    struct eve_words w;
    eve_words_init(&w, "failed attempts came before it: ");
    eve_words_number(&w, units, "unit");
    eve_words_put(&w, units == 1 ? " was discarded" : " were discarded");
    eve_check_explain_calls(c);
    return eve_check_hold(c, EVE_RULE_RETRY, 0, at, w.s, err);
}

/* A completed text without an open block: in an open step it should have had appends. */
static enum eve_status complete_nothing(struct eve_check *c, struct eve_json_value value,
                                        struct eve_err *err)
{
    bool in = false;
    enum eve_status status = eve_check_in_step(c, &in, err);
    bool known = c->group->session_started || c->group->step_seen;
    if (status != EVE_OK || !known) {
        return status;
    }
    if (!in) {
        return eve_check_inside(c, true, err);
    }
    if (value.kind != EVE_JSON_STRING || value.n == 2 || c->bad > 0) {
        return EVE_OK;
    }
    if (eve_check_is_behind(c)) { /* its appends were over before: the step started again */
        c->late = true;
        return eve_check_tell(c, EVE_RULE_LATE, false, c->ev->id.p,
                              "delivered after newer events: its text is not compared", err);
    }
    return tell_diverged(c, NULL, value, err);
}

/* message.completed, reasoning.completed */
static enum eve_status complete(struct eve_check *c, enum eve_event_type kind,
                                enum eve_event_field field, struct eve_err *err)
{
    struct eve_json_value value = eve_event_value(c->ev, field);
    const struct eve_json_value none = {0};
    enum eve_status status = eve_check_hold_completed(c, kind, none, err);
    c->group->step_said = true;
    status = status == EVE_OK ? eve_block_look(&c->texts, c->ev, none, err) : status;
    struct eve_block *block = status == EVE_OK ? eve_block_find(&c->texts, kind) : NULL;
    if (status != EVE_OK || block == NULL) {
        return status != EVE_OK ? status : complete_nothing(c, value, err);
    }
    struct eve_check_text *t = eve_check_as_text(block);
    struct eve_slice all = eve_buf_slice(&t->raw);
    bool compared = value.kind == EVE_JSON_STRING && !eve_check_is_spoiled(t, c->bad_line);
    struct eve_slice text = compared ? eve_text_of(value) : (struct eve_slice){"", 0};
    if (!compared || eve_str_equal(all, text) || eve_text_equal(all, text)) {
        status = EVE_OK;
    } else if (t->of.said.repeat == EVE_CHECK_REPEATS) {
        status = eve_check_tell_at(c, EVE_RULE_DELTA_REPEATS_TEXT, false, &t->of.said.repeated,
                                   "this delta and the two before it begin with the whole text of "
                                   "the delta before them",
                                   err);
    } else if (text.n > 0 && eve_text_ends_with(all, text)) {
        status = tell_retry(c, eve_text_count(all) - eve_text_count(text), value.p, err);
    } else {
        status = tell_diverged(c, t, value, err);
    }
    close_text(c, t);
    return status;
}

/* The decoded bytes of raw text as JSON are the value `input`; an empty text is {}. */
static enum eve_status same_input(struct eve_check *c, struct eve_slice raw,
                                  struct eve_json_value input, bool *same, struct eve_err *err)
{
    c->text.n = 0;
    enum eve_status status = eve_text_decode(raw, &c->text, err);
    struct eve_slice text = eve_buf_slice(&c->text);
    if (eve_str_trim(text).n == 0) {
        text = eve_str("{}");
    }
    return status == EVE_OK ? eve_value_same(&c->values[0], &c->values[1], text,
                                             (struct eve_slice){input.p, input.n}, same, err)
                            : status;
}

static enum eve_status compare_input(struct eve_check *c, const struct eve_check_text *t,
                                     struct eve_json_value input, struct eve_err *err)
{
    struct eve_slice all = eve_buf_slice(&t->raw);
    struct eve_words w;
    bool same = false;
    enum eve_status status = same_input(c, all, input, &same, err);
    const struct eve_check_input *of = &t->of.input;
    unsigned tails = of->tail_count < EVE_CHECK_TAILS ? of->tail_count : (unsigned)EVE_CHECK_TAILS;
    for (unsigned i = 1; i <= tails && status == EVE_OK && !same; i++) {
        size_t from = of->tails[(of->tail_count - i) % EVE_CHECK_TAILS];
        status =
            from == 0 ? EVE_OK : same_input(c, eve_str_sub(all, from, all.n), input, &same, err);
        if (status == EVE_OK && same) {
            uint64_t units = eve_text_count(eve_str_sub(all, 0, from));
            return tell_retry(c, units, input.p, err);
        }
    }
    if (status != EVE_OK || same) {
        return status;
    }
    eve_words_init(&w, "the requested input is not what its ");
    eve_words_number(&w, t->deltas, "append");
    eve_words_put(&w, t->deltas == 1 ? " says: requested " : " say: requested ");
    eve_words_quote(&w, (struct eve_slice){input.p, input.n});
    eve_words_put(&w, ", appended ");
    eve_words_quote(&w, all);
    return eve_check_hold(c, EVE_RULE_INPUT_DIFFERS, 0, input.p, w.s, err);
}

/* actions.requested, or an action.result that withdraws its call */
static enum eve_status end_calls(struct eve_check *c, struct eve_err *err)
{
    struct eve_json_value call;
    struct eve_json_value action;
    size_t at = 0;
    enum eve_status status = EVE_OK;
    if (c->ev->type == EVE_EVENT_ACTION_RESULT) {
        c->group->any_withdrawn = true;
        c->group->withdrawn = c->index;
    }
    while (status == EVE_OK && eve_block_call(c->ev, &at, &call, &action)) {
        status = eve_check_hold_completed(c, EVE_EVENT_INPUT_APPENDED, call, err);
        status = status == EVE_OK ? eve_block_look(&c->texts, c->ev, call, err) : status;
        struct eve_block *block =
            status == EVE_OK ? eve_block_find(&c->texts, EVE_EVENT_INPUT_APPENDED) : NULL;
        struct eve_check_text *t = block != NULL ? eve_check_as_text(block) : NULL;
        if (status == EVE_OK && c->ev->type == EVE_EVENT_ACTIONS_REQUESTED) {
            status = eve_check_tool_request(c, t, call, action, err);
        }
        if (t == NULL) {
            continue;
        }
        struct eve_json_value input = eve_event_find(action, "input");
        if (c->ev->type == EVE_EVENT_ACTIONS_REQUESTED && input.kind != EVE_JSON_NONE &&
            status == EVE_OK && !eve_check_is_spoiled(t, c->bad_line)) {
            status = compare_input(c, t, input, err);
        }
        close_text(c, t);
    }
    return status;
}

/* White space as JavaScript trims it: such a text has no completed event. */
static bool is_blank(struct eve_slice raw)
{
    struct eve_text_units u;
    int32_t c = ' ';
    eve_text_units_init(&u, raw);
    while (c == ' ' || (c >= 9 && c <= 13) || c == 0xA0 || c == 0x1680 ||
           (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F ||
           c == 0x205F || c == 0x3000 || c == 0xFEFF) {
        c = eve_text_next(&u);
    }
    return c < 0;
}

/* The text was not completed when the event at hand (NULL: the input) ended it. */
static enum eve_status tell_open(struct eve_check *c, const struct eve_check_text *t,
                                 const char *ended_by, bool explained, struct eve_err *err)
{
    struct eve_words w;
    bool input = t->block.kind == EVE_EVENT_INPUT_APPENDED;
    if (t->begun.line < c->bad_line || (!input && is_blank(eve_buf_slice(&t->raw)))) {
        return EVE_OK;
    }
    bool given_up = t->group->any_withdrawn && t->begun.event < t->group->withdrawn;
    eve_words_init(&w, "the ");
    eve_words_put(&w, eve_check_noun(t->block.kind));
    eve_words_put(&w, " that begins here (");
    eve_words_number(&w, t->deltas, "append");
    eve_words_put(&w, input ? ") has no actions.requested by " : ") is not completed by ");
    eve_words_put(&w, ended_by);
    return eve_check_tell_at(c, EVE_RULE_BLOCK_OPEN, explained || input || given_up, &t->begun, w.s,
                             err);
}

/* What explains that a text of `kind` is not completed. */
static bool is_broken_off(const struct eve_event *ev, enum eve_event_type kind)
{
    struct eve_json_value why = eve_event_value(ev, EVE_FIELD_FINISH_REASON);
    if (ev->type == EVE_EVENT_STEP_COMPLETED) {
        return (eve_check_is_superseded(ev) && kind == EVE_EVENT_REASONING_APPENDED) ||
               eve_text_is(why, "content-filter") || eve_text_is(why, "error");
    }
    return ev->type != EVE_EVENT_TURN_COMPLETED;
}

/* Take an ended text out of the table, and keep it until it is told. */
static void take_ended(void *ctx, struct eve_block *block)
{
    struct eve_check *c = ctx;
    struct eve_check_text *t = eve_check_as_text(block);
    if (c->ended_count < c->ended_cap) {
        c->ended[c->ended_count++] = t;
    }
    unlink_text(c, t);
}

static int by_line(const void *a, const void *b)
{
    const struct eve_check_text *x = *(struct eve_check_text *const *)a;
    const struct eve_check_text *y = *(struct eve_check_text *const *)b;
    return (x->begun.line > y->begun.line) - (x->begun.line < y->begun.line);
}

/* step.* and turn.* end all texts of theirs. */
static enum eve_status end_scope(struct eve_check *c, enum eve_block_scope scope,
                                 struct eve_err *err)
{
    const char *name = eve_event_type_name(c->ev->type);
    enum eve_status status = EVE_OK;
    if (c->group->blocks == 0 || (scope == EVE_BLOCK_STEP && eve_check_is_behind(c))) {
        return EVE_OK; /* a late event of the step says nothing about newer appends */
    }
    if (c->ended_cap < c->group->blocks) {
        size_t cap = eve_mem_grow(c->ended_cap, c->group->blocks, FIRST_ENDED, SIZE_MAX);
        status = eve_mem_resize(&c->ended, cap, sizeof *c->ended, err);
        c->ended_cap = status == EVE_OK ? cap : c->ended_cap;
    }
    if (status == EVE_OK) {
        status = eve_block_look(&c->texts, c->ev, (struct eve_json_value){0}, err);
    }
    if (status != EVE_OK) {
        return status;
    }
    c->ended_count = 0;
    eve_block_each_ended(&c->texts, scope, take_ended, c);
    if (c->ended_count > 1) {
        qsort(c->ended, c->ended_count, sizeof(struct eve_check_text *), by_line);
    }
    for (size_t i = 0; i < c->ended_count; i++) {
        struct eve_check_text *t = c->ended[i]; /* as it was, since none was added */
        if (status == EVE_OK && c->ev->type != EVE_EVENT_STEP_STARTED) {
            status = tell_open(c, t, name, is_broken_off(c->ev, t->block.kind), err);
        }
        eve_buf_clear(&t->raw, KEEP_ROOM);
    }
    return status;
}

enum eve_status eve_check_text_ends(struct eve_check *c, struct eve_err *err)
{
    enum eve_block_scope scope = eve_block_scope(c->ev);
    switch (scope) {
    case EVE_BLOCK_MESSAGE:
        return complete(c, EVE_EVENT_MESSAGE_APPENDED, EVE_FIELD_MESSAGE, err);
    case EVE_BLOCK_REASONING:
        return complete(c, EVE_EVENT_REASONING_APPENDED, EVE_FIELD_REASONING, err);
    case EVE_BLOCK_CALLS:
        return end_calls(c, err);
    case EVE_BLOCK_STEP:
    case EVE_BLOCK_TURN: {
        enum eve_status status = end_scope(c, scope, err);
        return status == EVE_OK ? eve_check_hold_release(c, scope, err) : status;
    }
    default:
        return EVE_OK;
    }
}

enum eve_status eve_check_text_end(struct eve_check *c, struct eve_err *err)
{
    enum eve_status status = eve_check_hold_release_all(c, err);
    while (c->texts.first != NULL) {
        struct eve_check_text *t = eve_check_as_text(c->texts.first);
        if (status == EVE_OK) {
            status = tell_open(c, t, "the end of the stream", false, err);
        }
        close_text(c, t);
    }
    return status;
}
