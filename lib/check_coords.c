#include "check_hold.h"
#include "check_state.h"
#include "num.h"
#include "text.h"

enum eve_status eve_check_sequence(struct eve_check *c, struct eve_err *err)
{
    struct eve_json_value value = eve_event_value(c->ev, EVE_FIELD_SEQUENCE);
    struct eve_roster_member *turn = NULL;
    struct eve_words w;
    uint64_t sequence = 0;
    if (value.kind != EVE_JSON_NUMBER || !eve_event_has(c->ev, EVE_FIELD_TURN_ID)) {
        return EVE_OK;
    }
    enum eve_status status = eve_check_find_turn(c, &turn, err);
    if (turn == NULL || turn->turn == 0 || (turn->flags & EVE_CHECK_SEQUENCE_TOLD) != 0 ||
        (eve_num_integer((struct eve_slice){value.p, value.n}, UINT32_MAX, &sequence) &&
         sequence == turn->turn - 1)) {
        return status;
    }
    turn->flags |= EVE_CHECK_SEQUENCE_TOLD;
    eve_words_init(&w, "sequence is ");
    eve_words_quote(&w, (struct eve_slice){value.p, value.n});
    eve_words_put(&w, ", but turn.started of its turnId has ");
    eve_words_count(&w, turn->turn - 1);
    return eve_check_tell(c, EVE_RULE_COORDINATE_DIFFERS, false, value.p, w.s, err);
}

enum eve_status eve_check_name(struct eve_check *c, struct eve_json_value name, uint64_t *hash,
                               struct eve_err *err)
{
    *hash = 0;
    if (name.kind != EVE_JSON_STRING) {
        return EVE_OK;
    }
    enum eve_status status = eve_check_make_key(c, name, err);
    if (status == EVE_OK) { /* the lower half is not 0 either: see eve_roster_member.name */
        *hash = eve_map_hash(c->options.seed, eve_buf_slice(&c->key)) | 1;
    }
    return status;
}

static bool is_kind(struct eve_json_value action, const char *kind)
{
    return eve_text_is(eve_event_find(action, "kind"), kind);
}

enum eve_status eve_check_tool(struct eve_check *c, struct eve_json_value action, uint64_t *hash,
                               struct eve_err *err)
{
    *hash = 0;
    return is_kind(action, "tool-call")
               ? eve_check_name(c, eve_event_find(action, "toolName"), hash, err)
               : EVE_OK;
}

bool eve_check_streams(const struct eve_check_group *g, uint64_t tool)
{
    unsigned count =
        g->streamed_count < EVE_CHECK_STREAMED ? g->streamed_count : (unsigned)EVE_CHECK_STREAMED;
    for (unsigned i = 0; i < count; i++) {
        if (g->streamed[i] == tool) {
            return true;
        }
    }
    return false;
}

/* A name that is not the one it should be. */
static enum eve_status tell_name(struct eve_check *c, struct eve_json_value name, const char *why,
                                 struct eve_err *err)
{
    struct eve_words w;
    eve_words_init(&w, "toolName is ");
    eve_words_quote(&w, eve_text_of(name));
    eve_words_put(&w, why);
    return eve_check_tell(c, EVE_RULE_COORDINATE_DIFFERS, false, name.p, w.s, err);
}

enum eve_status eve_check_tool_append(struct eve_check *c, struct eve_check_text *t,
                                      struct eve_err *err)
{
    struct eve_json_value name = eve_event_value(c->ev, EVE_FIELD_TOOL_NAME);
    uint64_t tool = 0;
    enum eve_status status = EVE_OK;
    if (!t->astray && !eve_block_is_ended(&c->texts, &t->block, EVE_BLOCK_STEP)) {
        t->astray = true;
        status = eve_check_tell(c, EVE_RULE_COORDINATE_DIFFERS, false, NULL,
                                "turnId and stepIndex are not those of the appends before it", err);
    }
    if (status == EVE_OK) {
        status = eve_check_name(c, name, &tool, err);
    }
    if (status != EVE_OK || tool == 0) {
        return status;
    }
    /* Inputs of version 24 begin with an empty append; there, calls of workflows have none. */
    bool first = t->deltas == 0 && !c->decoded->legacy &&
                 eve_event_value(c->ev, EVE_FIELD_INPUT_TEXT_DELTA).n > 2;
    if (first && !eve_check_streams(c->group, tool)) {
        c->group->streamed[c->group->streamed_count++ % EVE_CHECK_STREAMED] = tool;
    }
    if (t->deltas == 0) {
        t->of.input.tool = tool;
    }
    if (t->of.input.tool == 0 || t->of.input.tool == tool) {
        return EVE_OK;
    }
    t->of.input.tool = 0;
    return tell_name(c, name, ", which is not that of the appends before it", err);
}

/* The tool that an action calls is named as in the appends of its input: by its own name, or that
 * of the subagent. */
static enum eve_status find_streaming_name(struct eve_check *c, struct eve_json_value action,
                                           uint64_t *tool, struct eve_err *err)
{
    return is_kind(action, "subagent-call")
               ? eve_check_name(c, eve_event_find(action, "subagentName"), tool, err)
               : eve_check_tool(c, action, tool, err);
}

/* An object with a member, or another value: not what an empty text says. */
static bool is_some_input(struct eve_json_value input)
{
    struct eve_json j;
    struct eve_json_value name;
    struct eve_err ignored; /* it was scanned before */
    if (input.kind != EVE_JSON_OBJECT) {
        return input.kind != EVE_JSON_NONE;
    }
    eve_json_open(&j, (struct eve_slice){input.p, input.n});
    return eve_json_enter(&j, &ignored) == EVE_OK && eve_json_member(&j, &name, &ignored) == EVE_OK;
}

/* A request without appends: where the tool has some elsewhere in this turn, they are lost. */
static enum eve_status miss_appends(struct eve_check *c, struct eve_json_value call,
                                    struct eve_json_value action, struct eve_err *err)
{
    struct eve_json_value input = eve_event_find(action, "input");
    uint64_t tool = 0;
    bool in = false;
    enum eve_status status = eve_check_in_step(c, &in, err);
    if (status != EVE_OK || !in || c->group->step.line < c->bad_line || !is_some_input(input)) {
        return status;
    }
    status = find_streaming_name(c, action, &tool, err);
    if (status == EVE_OK && tool != 0) {
        status = eve_check_make_key(c, call, err);
    }
    if (status != EVE_OK || tool == 0) {
        return status;
    }
    const struct eve_roster_member *request = eve_roster_get(&c->calls, eve_buf_slice(&c->key));
    return request == NULL || (request->flags & EVE_CHECK_AGAIN) != 0
               ? EVE_OK
               : eve_check_hold(c, EVE_RULE_INPUT_DIFFERS, tool, input.p,
                                "no append of this input came, though another call of the tool in "
                                "this turn has some",
                                err);
}

enum eve_status eve_check_tool_request(struct eve_check *c, const struct eve_check_text *t,
                                       struct eve_json_value call, struct eve_json_value action,
                                       struct eve_err *err)
{
    uint64_t tool = 0;
    if (t == NULL) {
        return miss_appends(c, call, action, err);
    }
    enum eve_status status = eve_check_tool(c, action, &tool, err);
    return status == EVE_OK && tool != 0 && t->of.input.tool != 0 && t->of.input.tool != tool
               ? tell_name(c, eve_event_find(action, "toolName"),
                           ", which is not that of the appends of its input", err)
               : status;
}

enum eve_status eve_check_result_place(struct eve_check *c, const struct eve_roster_member *request,
                                       bool same_place, struct eve_err *err)
{
    struct eve_json_value result = eve_event_value(c->ev, EVE_FIELD_RESULT);
    struct eve_json_value name = eve_event_find(result, "toolName");
    uint64_t tool = 0;
    bool in = true;
    uint16_t asked = request->name;
    enum eve_status status = EVE_OK;
    if (!same_place && request->turn != 0 && request->step != 0 && c->bad == 0) {
        status = eve_check_near_step(c, &in, err);
    }
    if (status == EVE_OK && !in && c->group->step_seen) {
        status = eve_check_tell(c, EVE_RULE_COORDINATE_DIFFERS, false, NULL,
                                "turnId and stepIndex are neither those of its request nor those "
                                "of the step it comes in",
                                err);
    }
    if (status == EVE_OK && asked != 0 && is_kind(result, "tool-result")) {
        status = eve_check_name(c, name, &tool, err);
    }
    return status == EVE_OK && tool != 0 && (uint16_t)tool != asked
               ? tell_name(c, name, ", which is not that of its request", err)
               : status;
}
