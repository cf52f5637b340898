#include "record.h"

#include "block.h"
#include "saved.h"
#include "str.h"

const char *eve_record_state(enum eve_ending_state state)
{
    static const char *const names[] = {"completed", "abandoned", "interrupted", "open"};
    return names[state];
}

/* A member with a value of the stream, if there is one. */
static void put_value(struct eve_saved *s, const char *name, struct eve_json_value value)
{
    if (value.kind != EVE_JSON_NONE) {
        eve_saved_raw(s, name, (struct eve_slice){value.p, value.n});
    }
}

/* A member that is only there if it is true. */
static void put_flag(struct eve_saved *s, const char *name, bool flag)
{
    if (flag) {
        eve_saved_flag(s, name, true);
    }
}

static void put_coordinates(struct eve_saved *s, const struct eve_ending *e)
{
    static const char *const names[] = {
        [EVE_DRAFT_TURN] = "turnId",       [EVE_DRAFT_STEP] = "stepIndex",
        [EVE_DRAFT_SEQUENCE] = "sequence", [EVE_DRAFT_CALL] = "callId",
        [EVE_DRAFT_TOOL] = "toolName",
    };
    for (size_t i = EVE_DRAFT_TURN; i < EVE_DRAFT_PART_COUNT; i++) {
        put_value(s, names[i], e->part[i]);
    }
}

static void put_text(struct eve_saved *s, const struct eve_ending *e)
{
    if (e->no_text) {
        eve_saved_raw(s, "text", eve_str("null"));
    } else {
        eve_saved_text(s, "text", e->text);
    }
    put_value(s, "finishReason", e->finish_reason);
    put_value(s, "input", e->input);
    if (e->retried) {
        eve_saved_flag(s, "retried", true);
        eve_saved_text(s, "discarded", e->discarded);
    }
    put_flag(s, "diverged", e->diverged);
    if (e->diverged && e->kind != EVE_EVENT_INPUT_APPENDED) {
        eve_saved_text(s, "accumulated", e->accumulated);
    }
}

enum eve_status eve_record_write(const struct eve_ending *e, struct eve_slice group,
                                 struct eve_out *out, struct eve_err *err)
{
    struct eve_saved s = {out, false};
    struct eve_json_value value = e->part[EVE_DRAFT_GROUP];
    eve_saved_bytes(&s, eve_str("{\"type\":\"block\",\"kind\":\""));
    eve_saved_bytes(&s, eve_str(eve_block_kind_name(e->kind)));
    eve_saved_bytes(&s, eve_str("\""));
    s.comma = true;
    put_coordinates(&s, e);
    eve_saved_text(&s, "state", eve_str(eve_record_state(e->state)));
    put_flag(&s, "late", e->late);
    put_flag(&s, "partial", e->partial);
    put_text(&s, e);
    eve_saved_count(&s, "deltas", e->deltas);
    eve_saved_count(&s, "firstEvent", e->first);
    eve_saved_count(&s, "lastEvent", e->last);
    if (group.n > 0 && value.kind != EVE_JSON_NONE) {
        eve_saved_bytes(&s, eve_str(",\""));
        eve_saved_bytes(&s, group);
        eve_saved_bytes(&s, eve_str("\":"));
        eve_saved_bytes(&s, (struct eve_slice){value.p, value.n});
    }
    return eve_out_put(out, eve_str("}\n"), err);
}
