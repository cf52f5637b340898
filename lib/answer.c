#include "answer.h"

#include "saved.h"
#include "show.h"
#include "spell.h"
#include "str.h"
#include "text.h"

enum { KEEP_ROOM = 4096 };

/* What is kept of a turn. Blocks of the kind of messages: it goes on, and has an answer. Of the
 * kind of reasonings, with only the group for a key: the last turn of the group that ended. */
struct turn {
    struct eve_block block;
    struct eve_buf text;  /* spelled, or the raw bytes of a result */
    bool is_result;       /* … of a result */
    bool answered;        /* it ended, and its answer was printed */
    struct eve_buf group; /* raw value; empty: none */
    struct eve_buf id;
};

static struct turn *turn_of(struct eve_block *block)
{
    return (struct turn *)(void *)block;
}

void eve_answer_init(struct eve_answers *a, const struct eve_answers_options *options)
{
    *a = (struct eve_answers){.options = *options};
    eve_block_init(&a->turns, sizeof(struct turn), options->seed);
    eve_buf_init(&a->page, SIZE_MAX / 2);
}

static void remove_turn(struct eve_answers *a, struct turn *t)
{
    eve_buf_clear(&t->text, KEEP_ROOM);
    eve_buf_clear(&t->group, KEEP_ROOM);
    eve_buf_clear(&t->id, KEEP_ROOM);
    eve_block_remove(&a->turns, &t->block);
}

void eve_answer_fini(struct eve_answers *a)
{
    while (a->turns.first != NULL) {
        remove_turn(a, turn_of(a->turns.first));
    }
    for (struct eve_block *b = a->turns.unused; b != NULL;
         b = eve_block_unused_after(&a->turns, b)) {
        eve_buf_fini(&turn_of(b)->text);
        eve_buf_fini(&turn_of(b)->group);
        eve_buf_fini(&turn_of(b)->id);
    }
    eve_block_fini(&a->turns);
    eve_buf_fini(&a->page);
}

/* Look at the group of the event and, if `turn`, its turn. */
static enum eve_status look(struct eve_answers *a, struct eve_json_value group,
                            struct eve_json_value turn, struct eve_err *err)
{
    struct eve_event at = {.group = group};
    at.field[EVE_FIELD_TURN_ID].value = turn;
    at.seen = UINT32_C(1) << EVE_FIELD_TURN_ID;
    return eve_block_look(&a->turns, &at, (struct eve_json_value){0}, err);
}

static enum eve_status copy(struct eve_buf *to, struct eve_json_value value, struct eve_err *err)
{
    to->n = 0;
    return eve_buf_put(to, (struct eve_slice){value.p, value.n}, err);
}

/* The entry of `kind` at the turn looked at, made if there is none. */
static enum eve_status get(struct eve_answers *a, enum eve_event_type kind,
                           struct eve_json_value group, struct eve_json_value turn,
                           struct turn **out, struct eve_err *err)
{
    struct eve_block *block = eve_block_find(&a->turns, kind);
    enum eve_status status = EVE_OK;
    if (block == NULL) {
        status = eve_block_add(&a->turns, kind, &block, err);
        if (status == EVE_OK && turn_of(block)->text.max == 0) {
            eve_buf_init(&turn_of(block)->text, SIZE_MAX / 2);
            eve_buf_init(&turn_of(block)->group, SIZE_MAX / 2);
            eve_buf_init(&turn_of(block)->id, SIZE_MAX / 2);
        }
        if (status == EVE_OK) {
            turn_of(block)->is_result = true;
            status = copy(&turn_of(block)->group, group, err);
        }
    }
    if (status == EVE_OK) {
        *out = turn_of(block);
        status = copy(&(*out)->id, turn, err);
    }
    return status;
}

static enum eve_status print(struct eve_answers *a, const struct turn *t, struct eve_out *out,
                             struct eve_err *err)
{
    struct eve_show how = {.out = out, .buf = &a->page, .guard = a->options.terminal};
    struct eve_slice text = eve_buf_slice(&t->text);
    char last = a->options.nul ? '\0' : '\n';
    enum eve_status status =
        t->is_result ? eve_show_plain(&how, text, err) : eve_show_text(&how, text, err);
    return status == EVE_OK ? eve_out_put(out, (struct eve_slice){&last, 1}, err) : status;
}

static enum eve_status end_turn(struct eve_answers *a, const struct eve_event *ev,
                                struct eve_out *out, struct eve_err *err)
{
    struct eve_json_value id = eve_event_value(ev, EVE_FIELD_TURN_ID);
    struct turn *ended = NULL;
    enum eve_status status = look(a, ev->group, id, err);
    struct eve_block *block =
        status == EVE_OK ? eve_block_find(&a->turns, EVE_EVENT_MESSAGE_APPENDED) : NULL;
    if (block != NULL) {
        status = print(a, turn_of(block), out, err);
        remove_turn(a, turn_of(block));
    }
    if (status == EVE_OK) {
        status = look(a, ev->group, (struct eve_json_value){0}, err);
    }
    if (status == EVE_OK) {
        status = get(a, EVE_EVENT_REASONING_APPENDED, ev->group, id, &ended, err);
    }
    if (status == EVE_OK) {
        ended->answered = block != NULL;
    }
    return status;
}

static bool is_answer(const struct eve_event *ev)
{
    struct eve_json_value reason = eve_event_value(ev, EVE_FIELD_FINISH_REASON);
    return eve_event_value(ev, EVE_FIELD_MESSAGE).kind == EVE_JSON_STRING &&
           !eve_text_is(reason, "tool-calls");
}

/* The turn of the event, if it is the one that ended last in its group; else NULL. */
static enum eve_status find_ended(struct eve_answers *a, const struct eve_event *ev,
                                  struct turn **ended, struct eve_err *err)
{
    struct eve_json_value id = eve_event_value(ev, EVE_FIELD_TURN_ID);
    enum eve_status status = look(a, ev->group, (struct eve_json_value){0}, err);
    struct eve_block *block =
        status == EVE_OK ? eve_block_find(&a->turns, EVE_EVENT_REASONING_APPENDED) : NULL;
    bool same = block != NULL &&
                eve_str_equal(eve_buf_slice(&turn_of(block)->id), (struct eve_slice){id.p, id.n});
    *ended = same ? turn_of(block) : NULL;
    return status;
}

static enum eve_status take_answer(struct eve_answers *a, const struct eve_event *ev,
                                   struct eve_out *out, struct eve_err *err)
{
    bool result = ev->type == EVE_EVENT_RESULT_COMPLETED;
    struct turn *ended = NULL;
    struct turn *t = NULL;
    struct eve_json_value id = eve_event_value(ev, EVE_FIELD_TURN_ID);
    struct eve_json_value value =
        eve_event_value(ev, result ? EVE_FIELD_RESULT : EVE_FIELD_MESSAGE);
    if (result ? value.kind == EVE_JSON_NONE : !is_answer(ev)) {
        return EVE_OK;
    }
    enum eve_status status = result ? find_ended(a, ev, &ended, err) : EVE_OK;
    if (status != EVE_OK || (ended != NULL && ended->answered)) {
        return status;
    }
    status = look(a, ev->group, id, err);
    if (status == EVE_OK) {
        status = get(a, EVE_EVENT_MESSAGE_APPENDED, ev->group, id, &t, err);
    }
    if (status == EVE_OK && (!result || t->is_result)) {
        t->is_result = result;
        t->text.n = 0;
        status = result ? eve_buf_put(&t->text, (struct eve_slice){value.p, value.n}, err)
                        : eve_spell_put(&t->text, 0, value, err);
    }
    if (status == EVE_OK && ended != NULL) { /* a result that comes after its turn */
        ended->answered = true;
        status = print(a, t, out, err);
        remove_turn(a, t);
    }
    return status;
}

/* A turn that had ended begins anew. */
static enum eve_status start_turn(struct eve_answers *a, const struct eve_event *ev,
                                  struct eve_err *err)
{
    struct turn *ended = NULL;
    enum eve_status status = a->turns.count > 0 ? find_ended(a, ev, &ended, err) : EVE_OK;
    if (ended != NULL) {
        remove_turn(a, ended);
    }
    return status;
}

enum eve_status eve_answer_event(struct eve_answers *a, const struct eve_event *ev,
                                 struct eve_out *out, struct eve_err *err)
{
    switch (ev->type) {
    case EVE_EVENT_MESSAGE_COMPLETED:
    case EVE_EVENT_RESULT_COMPLETED:
        return take_answer(a, ev, out, err);
    case EVE_EVENT_TURN_STARTED:
        return start_turn(a, ev, err);
    case EVE_EVENT_TURN_COMPLETED:
    case EVE_EVENT_TURN_FAILED:
    case EVE_EVENT_TURN_CANCELLED:
        return end_turn(a, ev, out, err);
    default:
        return EVE_OK;
    }
}

enum eve_status eve_answer_end(struct eve_answers *a, struct eve_out *out, struct eve_err *err)
{
    enum eve_status status = EVE_OK;
    while (a->turns.first != NULL) {
        struct turn *t = turn_of(a->turns.first);
        if (status == EVE_OK && t->block.kind == EVE_EVENT_MESSAGE_APPENDED) {
            status = print(a, t, out, err);
        }
        remove_turn(a, t);
    }
    return status;
}

static void save_turn(const struct turn *t, struct eve_saved *out)
{
    eve_saved_open(out, NULL, '{');
    if (t->group.n > 0) {
        eve_saved_raw(out, "group", eve_buf_slice(&t->group));
    }
    if (t->id.n > 0) {
        eve_saved_raw(out, "turnId", eve_buf_slice(&t->id));
    }
    if (t->block.kind != EVE_EVENT_MESSAGE_APPENDED) {
        eve_saved_flag(out, "answered", t->answered);
    } else if (t->is_result) {
        eve_saved_raw(out, "result", eve_buf_slice(&t->text));
    } else {
        eve_saved_text(out, "text", eve_buf_slice(&t->text));
    }
    eve_saved_close(out, '}');
}

void eve_answer_save(const struct eve_answers *a, const char *name, struct eve_saved *out)
{
    eve_saved_open(out, name, '[');
    for (struct eve_block *b = a->turns.first; b != NULL; b = eve_block_after(&a->turns, b)) {
        save_turn(turn_of(b), out);
    }
    eve_saved_close(out, ']');
}

static enum eve_status load_turn(struct eve_answers *a, struct eve_json_value saved,
                                 struct eve_err *err)
{
    struct eve_json_value none = {0};
    struct eve_json_value group = eve_event_find(saved, "group");
    struct eve_json_value id = eve_event_find(saved, "turnId");
    struct eve_json_value text = eve_event_find(saved, "text");
    struct eve_json_value result = eve_event_find(saved, "result");
    bool goes_on = text.kind != EVE_JSON_NONE || result.kind != EVE_JSON_NONE;
    bool answered = false;
    struct turn *t = NULL;
    enum eve_status status = EVE_OK;
    if (saved.kind != EVE_JSON_OBJECT ||
        (text.kind != EVE_JSON_NONE && text.kind != EVE_JSON_STRING)) {
        return eve_fail(err, EVE_BAD, EVE_RULE_NONE, "answers", 0, 0);
    }
    if (!goes_on) {
        status = eve_saved_get_flag(saved, "answered", &answered, err);
    }
    if (status == EVE_OK) {
        status = look(a, group, goes_on ? id : none, err);
    }
    if (status == EVE_OK) {
        status = get(a, goes_on ? EVE_EVENT_MESSAGE_APPENDED : EVE_EVENT_REASONING_APPENDED, group,
                     id, &t, err);
    }
    if (status == EVE_OK) {
        t->answered = answered;
        t->is_result = text.kind == EVE_JSON_NONE;
        t->text.n = 0;
    }
    if (status == EVE_OK && goes_on) {
        status = t->is_result ? eve_buf_put(&t->text, (struct eve_slice){result.p, result.n}, err)
                              : eve_spell_put(&t->text, 0, text, err);
    }
    return status;
}

enum eve_status eve_answer_load(struct eve_answers *a, struct eve_json_value array,
                                struct eve_err *err)
{
    struct eve_json_value saved;
    size_t at = 0;
    enum eve_status status = EVE_OK;
    while (status == EVE_OK && eve_saved_next(array, &at, &saved)) {
        status = load_turn(a, saved, err);
    }
    return status;
}
