#include "state.h"

#include "saved.h"
#include "str.h"
#include "text.h"

static void save_mode(const struct eve_state *s, struct eve_saved *out)
{
    eve_saved_open(out, "mode", '{');
    eve_saved_text(out, "as", eve_str(s->as));
    eve_saved_flag(out, "final", s->final);
    eve_saved_flag(out, "reasoning", s->reasoning);
    eve_saved_flag(out, "null", s->nul);
    if (s->group.n > 0) {
        eve_saved_text(out, "groupBy", s->group);
    }
    eve_saved_close(out, '}');
}

enum eve_status eve_state_save(const struct eve_state *s, struct eve_out *out, struct eve_err *err)
{
    struct eve_saved w = {out, false};
    eve_saved_open(&w, NULL, '{');
    eve_saved_count(&w, "schema", EVE_STATE_SCHEMA);
    eve_saved_text(&w, "tool", eve_str("eveaccum"));
    eve_saved_count(&w, "cursor", s->cursor->at);
    eve_saved_count(&w, "index", s->cursor->index);
    save_mode(s, &w);
    eve_saved_flag(&w, "begun", *s->begun);
    eve_recent_save(&s->cursor->recent, "ids", &w);
    eve_accum_save(s->accum, "texts", &w);
    eve_answer_save(s->answers, "answers", &w);
    return eve_out_put(out, eve_str("}\n"), err);
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
    if (!eve_text_is(tool, "eveaccum")) {
        return refuse(err, "is no state of eveaccum");
    }
    if (eve_saved_get_count(*state, "schema", &schema, err) != EVE_OK ||
        schema != EVE_STATE_SCHEMA) {
        return refuse(err, "is the state of another version of eveaccum");
    }
    return EVE_OK;
}

static enum eve_status read_mode(struct eve_state_mode *m, struct eve_json_value state,
                                 struct eve_err *err)
{
    struct eve_json_value mode;
    enum eve_status status = eve_saved_get(state, "mode", EVE_JSON_OBJECT, &mode, err);
    if (status == EVE_OK) {
        status = eve_saved_get(mode, "as", EVE_JSON_STRING, &m->as, err);
    }
    if (status == EVE_OK) {
        status = eve_saved_get_flag(mode, "final", &m->final, err);
    }
    if (status == EVE_OK) {
        status = eve_saved_get_flag(mode, "reasoning", &m->reasoning, err);
    }
    if (status == EVE_OK) {
        status = eve_saved_get_flag(mode, "null", &m->nul, err);
    }
    if (status == EVE_OK) {
        m->group = eve_event_find(mode, "groupBy");
    }
    return status;
}

enum eve_status eve_state_mode(struct eve_slice text, struct eve_state_mode *mode,
                               struct eve_err *err)
{
    struct eve_json_value state;
    enum eve_status status = open_state(text, &state, err);
    return status == EVE_OK ? read_mode(mode, state, err) : status;
}

/* *same: the state was left by a run in the same mode. */
static enum eve_status check_mode(const struct eve_state *s, struct eve_json_value state,
                                  bool *same, struct eve_err *err)
{
    struct eve_state_mode m;
    enum eve_status status = read_mode(&m, state, err);
    if (status == EVE_OK) {
        bool same_group = m.group.kind == EVE_JSON_STRING
                              ? s->group.n > 0 && eve_text_equal(eve_text_of(m.group), s->group)
                              : s->group.n == 0;
        *same = eve_text_is(m.as, s->as) && m.final == s->final && m.reasoning == s->reasoning &&
                m.nul == s->nul && same_group;
    }
    return status;
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
