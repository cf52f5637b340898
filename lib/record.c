#include "record.h"

#include "saved.h"
#include "str.h"

const char *eve_record_kind(enum eve_event_type kind)
{
    switch (kind) {
    case EVE_EVENT_MESSAGE_APPENDED:
        return "message";
    case EVE_EVENT_REASONING_APPENDED:
        return "reasoning";
    default:
        return "input";
    }
}

const char *eve_record_state(enum eve_ending_state state)
{
    static const char *const names[] = {"completed", "abandoned", "interrupted", "open"};
    return names[state];
}

/* A member with a value of the stream, if there is one. */
static enum eve_status put_value(struct eve_buf *out, const char *name, struct eve_json_value value,
                                 struct eve_err *err)
{
    return value.kind != EVE_JSON_NONE
               ? eve_saved_raw(out, name, (struct eve_slice){value.p, value.n}, err)
               : EVE_OK;
}

/* A member that is only there if it is true. */
static enum eve_status put_flag(struct eve_buf *out, const char *name, bool flag,
                                struct eve_err *err)
{
    return flag ? eve_saved_flag(out, name, true, err) : EVE_OK;
}

static enum eve_status put_coordinates(struct eve_buf *out, const struct eve_ending *e,
                                       struct eve_err *err)
{
    static const char *const names[] = {
        [EVE_DRAFT_TURN] = "turnId",       [EVE_DRAFT_STEP] = "stepIndex",
        [EVE_DRAFT_SEQUENCE] = "sequence", [EVE_DRAFT_CALL] = "callId",
        [EVE_DRAFT_TOOL] = "toolName",
    };
    enum eve_status status = EVE_OK;
    for (size_t i = EVE_DRAFT_TURN; i < EVE_DRAFT_PART_COUNT && status == EVE_OK; i++) {
        status = put_value(out, names[i], e->part[i], err);
    }
    return status;
}

static enum eve_status put_text(struct eve_buf *out, const struct eve_ending *e,
                                struct eve_err *err)
{
    enum eve_status status = e->no_text ? eve_saved_raw(out, "text", eve_str("null"), err)
                                        : eve_saved_text(out, "text", e->text, err);
    if (status == EVE_OK) {
        status = put_value(out, "finishReason", e->finish_reason, err);
    }
    if (status == EVE_OK) {
        status = put_value(out, "input", e->input, err);
    }
    if (status == EVE_OK && e->retried) {
        status = put_flag(out, "retried", true, err);
        status = status == EVE_OK ? eve_saved_text(out, "discarded", e->discarded, err) : status;
    }
    if (status == EVE_OK) {
        status = put_flag(out, "diverged", e->diverged, err);
    }
    if (status == EVE_OK && e->diverged && e->kind != EVE_EVENT_INPUT_APPENDED) {
        status = eve_saved_text(out, "accumulated", e->accumulated, err);
    }
    return status;
}

enum eve_status eve_record_put(struct eve_buf *out, const struct eve_ending *e,
                               struct eve_slice group, struct eve_err *err)
{
    struct eve_json_value value = e->part[EVE_DRAFT_GROUP];
    enum eve_status status = eve_buf_puts(out, "{\"type\":\"block\",\"kind\":\"", err);
    if (status == EVE_OK) {
        status = eve_buf_puts(out, eve_record_kind(e->kind), err);
    }
    if (status == EVE_OK) {
        status = eve_buf_putc(out, '"', err);
    }
    if (status == EVE_OK) {
        status = put_coordinates(out, e, err);
    }
    if (status == EVE_OK) {
        status = eve_saved_text(out, "state", eve_str(eve_record_state(e->state)), err);
    }
    if (status == EVE_OK) {
        status = put_flag(out, "late", e->late, err);
    }
    if (status == EVE_OK) {
        status = put_flag(out, "partial", e->partial, err);
    }
    if (status == EVE_OK) {
        status = put_text(out, e, err);
    }
    const struct {
        const char *name;
        uint64_t n;
    } counts[] = {{"deltas", e->deltas}, {"firstEvent", e->first}, {"lastEvent", e->last}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts && status == EVE_OK; i++) {
        status = eve_saved_count(out, counts[i].name, counts[i].n, err);
    }
    if (status == EVE_OK && group.n > 0 && value.kind != EVE_JSON_NONE) {
        status = eve_buf_puts(out, ",\"", err);
        status = status == EVE_OK ? eve_buf_put(out, group, err) : status;
        status = status == EVE_OK ? eve_buf_puts(out, "\":", err) : status;
        status =
            status == EVE_OK ? eve_buf_put(out, (struct eve_slice){value.p, value.n}, err) : status;
    }
    return status == EVE_OK ? eve_buf_puts(out, "}\n", err) : status;
}
