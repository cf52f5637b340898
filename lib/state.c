#include "state.h"

#include "saved.h"
#include "str.h"
#include "text.h"

static enum eve_status save_mode(const struct eve_state *s, struct eve_buf *out,
                                 struct eve_err *err)
{
    enum eve_status status = eve_saved_raw(out, "mode", eve_str("{"), err);
    if (status == EVE_OK) {
        status = eve_saved_text(out, "as", eve_str(s->as), err);
    }
    if (status == EVE_OK) {
        status = eve_saved_flag(out, "final", s->final, err);
    }
    if (status == EVE_OK) {
        status = eve_saved_flag(out, "reasoning", s->reasoning, err);
    }
    if (status == EVE_OK) {
        status = eve_saved_flag(out, "null", s->nul, err);
    }
    if (status == EVE_OK && s->group.n > 0) {
        status = eve_saved_text(out, "groupBy", s->group, err);
    }
    return status == EVE_OK ? eve_buf_putc(out, '}', err) : status;
}

enum eve_status eve_state_save(const struct eve_state *s, struct eve_buf *out, struct eve_err *err)
{
    enum eve_status status = eve_buf_puts(out, "{\"schema\":1,\"tool\":\"eveaccum\"", err);
    if (status == EVE_OK) {
        status = eve_saved_count(out, "cursor", s->cursor->at, err);
    }
    if (status == EVE_OK) {
        status = eve_saved_count(out, "index", s->cursor->index, err);
    }
    if (status == EVE_OK) {
        status = save_mode(s, out, err);
    }
    if (status == EVE_OK) {
        status = eve_saved_flag(out, "begun", *s->begun, err);
    }
    if (status == EVE_OK) {
        status = eve_saved_raw(out, "ids", (struct eve_slice){0}, err);
    }
    if (status == EVE_OK) {
        status = eve_recent_save(&s->cursor->recent, out, err);
    }
    if (status == EVE_OK) {
        status = eve_saved_raw(out, "texts", (struct eve_slice){0}, err);
    }
    if (status == EVE_OK) {
        status = eve_accum_save(s->accum, out, err);
    }
    if (status == EVE_OK) {
        status = eve_saved_raw(out, "answers", (struct eve_slice){0}, err);
    }
    if (status == EVE_OK) {
        status = eve_answer_save(s->answers, out, err);
    }
    return status == EVE_OK ? eve_buf_puts(out, "}\n", err) : status;
}

static enum eve_status refuse(struct eve_err *err, const char *msg)
{
    return eve_fail(err, EVE_BAD, EVE_RULE_NONE, msg, 0, 0);
}

/* The whole of `text` is one JSON object of this tool and schema. */
static enum eve_status open_state(struct eve_slice text, struct eve_json_value *state,
                                  struct eve_err *err)
{
    struct eve_json j;
    uint64_t schema = 0;
    eve_json_open(&j, text);
    if (eve_json_peek(&j) != EVE_JSON_OBJECT) {
        return refuse(err, "is no state of eveaccum");
    }
    if (eve_json_skip(&j, state, err) != EVE_OK || eve_json_finish(&j, err) != EVE_OK) {
        return refuse(err, "is damaged: not whole or not valid JSON");
    }
    struct eve_json_value tool = eve_event_find(*state, "tool");
    if (tool.kind != EVE_JSON_STRING || !eve_text_is(tool, "eveaccum")) {
        return refuse(err, "is no state of eveaccum");
    }
    if (eve_saved_get_count(*state, "schema", &schema, err) != EVE_OK ||
        schema != EVE_STATE_SCHEMA) {
        return refuse(err, "is the state of another version of eveaccum");
    }
    return EVE_OK;
}

/* *same: the state was left by a run in the same mode. */
static enum eve_status check_mode(const struct eve_state *s, struct eve_json_value state,
                                  bool *same, struct eve_err *err)
{
    struct eve_json_value mode;
    struct eve_json_value as;
    bool final = false;
    bool reasoning = false;
    bool nul = false;
    enum eve_status status = eve_saved_get(state, "mode", EVE_JSON_OBJECT, &mode, err);
    if (status == EVE_OK) {
        status = eve_saved_get(mode, "as", EVE_JSON_STRING, &as, err);
    }
    if (status == EVE_OK) {
        status = eve_saved_get_flag(mode, "final", &final, err);
    }
    if (status == EVE_OK) {
        status = eve_saved_get_flag(mode, "reasoning", &reasoning, err);
    }
    if (status == EVE_OK) {
        status = eve_saved_get_flag(mode, "null", &nul, err);
    }
    if (status != EVE_OK) {
        return status;
    }
    struct eve_json_value group = eve_event_find(mode, "groupBy");
    bool same_group = group.kind == EVE_JSON_STRING
                          ? s->group.n > 0 && eve_text_equal(eve_text_of(group), s->group)
                          : s->group.n == 0;
    *same = eve_text_is(as, s->as) && final == s->final && reasoning == s->reasoning &&
            nul == s->nul && same_group;
    return EVE_OK;
}

/* Events that came with an id of the list were seen. */
static enum eve_status tell_ids(struct eve_dedupe *d, struct eve_json_value ids,
                                struct eve_err *err)
{
    struct eve_event ev = {0};
    size_t at = 0;
    bool seen = false;
    bool without = false;
    enum eve_status status = EVE_OK;
    while (status == EVE_OK && eve_recent_next(ids, &at, &ev)) {
        status = eve_dedupe_see(d, &ev, &seen, &without, err);
    }
    return status;
}

static enum eve_status load_parts(struct eve_state *s, struct eve_json_value state,
                                  struct eve_err *err)
{
    struct eve_json_value ids;
    struct eve_json_value texts;
    struct eve_json_value answers;
    enum eve_status status = eve_saved_get_count(state, "cursor", &s->cursor->at, err);
    if (status == EVE_OK) {
        status = eve_saved_get_count(state, "index", &s->cursor->index, err);
    }
    if (status == EVE_OK) {
        status = eve_saved_get_flag(state, "begun", s->begun, err);
    }
    if (status == EVE_OK) {
        status = eve_saved_get(state, "ids", EVE_JSON_ARRAY, &ids, err);
    }
    if (status == EVE_OK) {
        status = eve_recent_load(&s->cursor->recent, ids, err);
    }
    if (status == EVE_OK && s->dedupe != NULL) {
        status = tell_ids(s->dedupe, ids, err);
    }
    if (status == EVE_OK) {
        status = eve_saved_get(state, "texts", EVE_JSON_OBJECT, &texts, err);
    }
    if (status == EVE_OK) {
        status = eve_accum_load(s->accum, texts, err);
    }
    if (status == EVE_OK) {
        status = eve_saved_get(state, "answers", EVE_JSON_ARRAY, &answers, err);
    }
    return status == EVE_OK ? eve_answer_load(s->answers, answers, err) : status;
}

enum eve_status eve_state_load(struct eve_state *s, struct eve_slice text, struct eve_err *err)
{
    struct eve_json_value state;
    bool same = false;
    enum eve_status status = open_state(text, &state, err);
    if (status != EVE_OK) {
        return status;
    }
    status = check_mode(s, state, &same, err);
    if (status == EVE_OK && !same) {
        return refuse(err, "was left by a run with another --as, --final, --reasoning, --null or "
                           "--group-by");
    }
    if (status == EVE_OK) {
        status = load_parts(s, state, err);
    }
    return status == EVE_BAD ? refuse(err, "is damaged: a member is missing or wrong") : status;
}
