#include "ending.h"

#include "spell.h"
#include "str.h"
#include "text.h"

enum { KEEP_ROOM = 1 << 16 };

void eve_judge_init(struct eve_judge *j)
{
    eve_value_init(&j->said);
    eve_value_init(&j->asked);
    eve_buf_init(&j->completed, SIZE_MAX / 2);
    eve_buf_init(&j->discarded, SIZE_MAX / 2);
    eve_buf_init(&j->plain, SIZE_MAX / 2);
}

void eve_judge_fini(struct eve_judge *j)
{
    eve_value_fini(&j->said);
    eve_value_fini(&j->asked);
    eve_buf_fini(&j->completed);
    eve_buf_fini(&j->discarded);
    eve_buf_fini(&j->plain);
}

void eve_ending_of_draft(struct eve_ending *e, const struct eve_draft *draft,
                         enum eve_ending_state state, uint64_t last)
{
    *e = (struct eve_ending){.kind = draft->kind,
                             .state = state,
                             .partial = draft->partial,
                             .deltas = draft->deltas,
                             .first = draft->first,
                             .last = last,
                             .text = eve_buf_slice(&draft->text)};
    for (size_t i = 0; i < EVE_DRAFT_PART_COUNT; i++) {
        e->part[i] = eve_draft_part(draft, (enum eve_draft_part)i);
    }
}

void eve_ending_of_event(struct eve_ending *e, enum eve_event_type kind, const struct eve_event *ev,
                         uint64_t index)
{
    *e = (struct eve_ending){.kind = kind, .first = index, .last = index};
    e->part[EVE_DRAFT_GROUP] = ev->group;
    e->part[EVE_DRAFT_TURN] = eve_event_value(ev, EVE_FIELD_TURN_ID);
    e->part[EVE_DRAFT_STEP] = eve_event_value(ev, EVE_FIELD_STEP_INDEX);
    e->part[EVE_DRAFT_SEQUENCE] = eve_event_value(ev, EVE_FIELD_SEQUENCE);
}

/* The accumulated text ends in the completed one: what came before was discarded. */
static enum eve_status discard_head(struct eve_judge *j, struct eve_ending *e,
                                    struct eve_slice accumulated, struct eve_err *err)
{
    size_t at = accumulated.n - e->text.n;
    e->retried = true;
    if (accumulated.n >= e->text.n && eve_text_is_boundary(accumulated, at) &&
        eve_str_equal(eve_str_sub(accumulated, at, accumulated.n), e->text)) {
        e->discarded = eve_str_sub(accumulated, 0, at);
        return EVE_OK;
    }
    /* A pair was cut in two: its halves are spelled anew. */
    uint64_t units = eve_text_count(accumulated) - eve_text_count(e->text);
    enum eve_status status = eve_spell_head(&j->discarded, accumulated, units, err);
    e->discarded = eve_buf_slice(&j->discarded);
    return status;
}

enum eve_status eve_judge_text(struct eve_judge *j, struct eve_ending *e,
                               const struct eve_draft *draft, struct eve_json_value value,
                               struct eve_err *err)
{
    struct eve_slice accumulated = draft != NULL ? e->text : (struct eve_slice){0};
    enum eve_status status = EVE_OK;
    eve_buf_clear(&j->completed, KEEP_ROOM);
    eve_buf_clear(&j->discarded, KEEP_ROOM);
    e->no_text = value.kind != EVE_JSON_STRING;
    if (e->no_text) {
        e->text = (struct eve_slice){0};
    } else if (value.escaped) {
        status = eve_spell_put(&j->completed, 0, value, err);
        e->text = eve_buf_slice(&j->completed);
    } else {
        e->text = eve_text_of(value);
    }
    if (status != EVE_OK || draft == NULL || e->partial || eve_str_equal(accumulated, e->text)) {
        return status;
    }
    if (e->text.n > 0 && eve_text_ends_with(accumulated, e->text)) {
        return discard_head(j, e, accumulated, err);
    }
    e->diverged = true;
    e->accumulated = accumulated;
    return EVE_OK;
}

/* `spelled` says the JSON value `input`. */
static enum eve_status says_input(struct eve_judge *j, struct eve_slice spelled,
                                  struct eve_json_value input, bool *same, struct eve_err *err)
{
    eve_buf_clear(&j->plain, KEEP_ROOM);
    enum eve_status status = spelled.n == 0 ? eve_buf_puts(&j->plain, "{}", err)
                                            : eve_spell_to_json(&j->plain, spelled, err);
    return status == EVE_OK ? eve_value_same(&j->said, &j->asked, eve_buf_slice(&j->plain),
                                             (struct eve_slice){input.p, input.n}, same, err)
                            : status;
}

/* Look for the last attempt: a tail that begins with a brace where a delta does. */
static enum eve_status find_tail(struct eve_judge *j, struct eve_ending *e,
                                 const struct eve_draft *draft, struct eve_err *err)
{
    const struct eve_draft_input *d = draft->input;
    struct eve_slice text = e->text;
    size_t n = d->start_count < EVE_DRAFT_STARTS ? d->start_count : EVE_DRAFT_STARTS;
    enum eve_status status = EVE_OK;
    for (size_t i = 0; i < n && status == EVE_OK && !e->retried; i++) {
        size_t start = d->starts[(d->start_count - 1 - i) % EVE_DRAFT_STARTS];
        if (start > 0) {
            struct eve_slice tail = eve_str_sub(text, start, text.n);
            status = says_input(j, tail, e->input, &e->retried, err);
            e->text = e->retried ? tail : text;
            e->discarded = e->retried ? eve_str_sub(text, 0, start) : (struct eve_slice){0};
        }
    }
    e->diverged = !e->retried;
    return status;
}

/* The action's name; a skill load without one gets the one that eve gives it. */
static struct eve_json_value name_of(struct eve_json_value action)
{
    static const struct eve_json_value load_skill = {"\"load_skill\"", 12, EVE_JSON_STRING, false};
    struct eve_json_value name = eve_event_find(action, "name");
    struct eve_json_value kind = eve_event_find(action, "kind");
    if (name.kind != EVE_JSON_STRING && eve_text_is(kind, "load-skill")) {
        name = eve_event_find(eve_event_find(action, "input"), "skill");
        name = name.kind == EVE_JSON_STRING ? name : load_skill;
    }
    return name;
}

static void name_tool(struct eve_ending *e, struct eve_json_value action)
{
    static const char *const names[] = {"toolName", "subagentName"};
    struct eve_json_value *tool = &e->part[EVE_DRAFT_TOOL];
    for (size_t i = 0; i < 2 && tool->kind == EVE_JSON_NONE; i++) {
        *tool = eve_event_find(action, names[i]);
    }
    *tool = tool->kind == EVE_JSON_NONE ? name_of(action) : *tool;
}

enum eve_status eve_judge_input(struct eve_judge *j, struct eve_ending *e,
                                const struct eve_draft *draft, struct eve_json_value action,
                                struct eve_err *err)
{
    bool same = false;
    name_tool(e, action);
    e->input = eve_event_find(action, "input");
    if (draft == NULL || e->partial || e->input.kind == EVE_JSON_NONE) {
        return EVE_OK;
    }
    enum eve_status status = says_input(j, e->text, e->input, &same, err);
    return status == EVE_OK && !same ? find_tail(j, e, draft, err) : status;
}
