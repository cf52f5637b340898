#include "cursor.h"

void eve_cursor_init(struct eve_cursor *c, const uint64_t seed[2])
{
    *c = (struct eve_cursor){0};
    eve_recent_init(&c->recent, seed);
}

void eve_cursor_fini(struct eve_cursor *c)
{
    eve_recent_fini(&c->recent);
}

enum eve_status eve_cursor_start_at(struct eve_cursor *c, uint64_t start, bool kept,
                                    struct eve_err *err)
{
    if (kept && start > c->at) {
        return eve_fail(err, EVE_FAIL, EVE_RULE_NONE,
                        "the input begins behind the cursor of the state: events are missing", 0,
                        0);
    }
    if (!kept) {
        c->at = c->index = start;
    }
    c->before = c->at - start;
    return EVE_OK;
}

enum eve_status eve_cursor_start(struct eve_cursor *c, struct eve_err *err)
{
    c->by_id = c->first = c->at > 0;
    return eve_recent_know(&c->recent, err);
}

enum eve_status eve_cursor_look(struct eve_cursor *c, const struct eve_event *ev, bool *repeated,
                                struct eve_err *err)
{
    *repeated = c->before > 0;
    if (*repeated) {
        c->before--;
        return EVE_OK;
    }
    if (!c->by_id) {
        return EVE_OK;
    }
    if (ev->id.kind != EVE_JSON_STRING) {
        c->by_id = false;
        return !c->first ? EVE_OK
                         : eve_fail(err, EVE_FAIL, EVE_RULE_NONE,
                                    "the first event has no id, so nobody can know whether it was "
                                    "taken before; say where the input begins with --start-index",
                                    0, 0);
    }
    enum eve_status status = eve_recent_knows(&c->recent, ev, repeated, err);
    c->by_id = *repeated;
    c->first = false;
    return status;
}

void eve_cursor_pass(struct eve_cursor *c)
{
    if (c->before > 0) {
        c->before--;
    } else if (!c->by_id) {
        c->at++;
    }
}

enum eve_status eve_cursor_take(struct eve_cursor *c, const struct eve_event *ev, uint64_t *index,
                                struct eve_err *err)
{
    *index = c->index++;
    return eve_cursor_drop(c, ev, err);
}

enum eve_status eve_cursor_drop(struct eve_cursor *c, const struct eve_event *ev,
                                struct eve_err *err)
{
    c->at++;
    return c->keeps_ids ? eve_recent_add(&c->recent, ev, err) : EVE_OK;
}
