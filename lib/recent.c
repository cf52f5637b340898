#include "recent.h"

#include "saved.h"
#include "spell.h"
#include "str.h"

void eve_recent_init(struct eve_recent *r, const uint64_t seed[2])
{
    *r = (struct eve_recent){0};
    for (size_t i = 0; i < EVE_RECENT_MAX; i++) {
        eve_buf_init(&r->id[i], SIZE_MAX / 2);
    }
    eve_map_init(&r->known, seed);
    eve_buf_init(&r->scratch, SIZE_MAX / 2);
}

void eve_recent_fini(struct eve_recent *r)
{
    for (size_t i = 0; i < EVE_RECENT_MAX; i++) {
        eve_buf_fini(&r->id[i]);
    }
    eve_map_fini(&r->known);
    eve_buf_fini(&r->scratch);
}

/* The id of the event, and its group if it has one, as JSON. */
static enum eve_status put_id(struct eve_buf *out, const struct eve_event *ev, struct eve_err *err)
{
    bool grouped = ev->group.kind != EVE_JSON_NONE;
    out->n = 0;
    enum eve_status status = eve_buf_puts(out, grouped ? "[\"" : "\"", err);
    if (status == EVE_OK) {
        status = eve_spell_put(out, out->n, ev->id, err);
    }
    if (status == EVE_OK) {
        status = eve_buf_puts(out, grouped ? "\"," : "\"", err);
    }
    if (status == EVE_OK && grouped) {
        status = eve_buf_put(out, (struct eve_slice){ev->group.p, ev->group.n}, err);
        status = status == EVE_OK ? eve_buf_putc(out, ']', err) : status;
    }
    return status;
}

enum eve_status eve_recent_add(struct eve_recent *r, const struct eve_event *ev,
                               struct eve_err *err)
{
    return ev->id.kind == EVE_JSON_STRING ? put_id(&r->id[r->count++ % EVE_RECENT_MAX], ev, err)
                                          : EVE_OK;
}

/* The number of the oldest id that is kept. */
static uint64_t oldest(const struct eve_recent *r)
{
    return r->count > EVE_RECENT_MAX ? r->count - EVE_RECENT_MAX : 0;
}

enum eve_status eve_recent_know(struct eve_recent *r, struct eve_err *err)
{
    struct eve_map_entry *entry = NULL;
    bool added = false;
    enum eve_status status = EVE_OK;
    eve_map_clear(&r->known);
    for (uint64_t i = oldest(r); i < r->count && status == EVE_OK; i++) {
        status =
            eve_map_put(&r->known, eve_buf_slice(&r->id[i % EVE_RECENT_MAX]), &entry, &added, err);
    }
    return status;
}

enum eve_status eve_recent_knows(struct eve_recent *r, const struct eve_event *ev, bool *known,
                                 struct eve_err *err)
{
    enum eve_status status = put_id(&r->scratch, ev, err);
    *known = status == EVE_OK && eve_map_get(&r->known, eve_buf_slice(&r->scratch)) != NULL;
    return status;
}

void eve_recent_save(const struct eve_recent *r, const char *name, struct eve_saved *out)
{
    eve_saved_open(out, name, '[');
    for (uint64_t i = oldest(r); i < r->count; i++) {
        eve_saved_raw(out, NULL, eve_buf_slice(&r->id[i % EVE_RECENT_MAX]));
    }
    eve_saved_close(out, ']');
}

bool eve_recent_next(struct eve_json_value array, size_t *at, struct eve_event *ev)
{
    size_t within = 0;
    struct eve_json_value element;
    struct eve_json_value none = {0};
    if (!eve_saved_next(array, at, &element)) {
        return false;
    }
    ev->id = element;
    ev->group = none;
    if (element.kind == EVE_JSON_ARRAY) {
        ev->id = none;
        (void)eve_saved_next(element, &within, &ev->id);
        (void)eve_saved_next(element, &within, &ev->group);
    }
    ev->id = ev->id.kind == EVE_JSON_STRING ? ev->id : none;
    return true;
}

enum eve_status eve_recent_load(struct eve_recent *r, struct eve_json_value array,
                                struct eve_err *err)
{
    struct eve_event ev = {0};
    size_t at = 0;
    enum eve_status status = EVE_OK;
    while (status == EVE_OK && eve_recent_next(array, &at, &ev)) {
        status = ev.id.kind == EVE_JSON_STRING ? eve_recent_add(r, &ev, err)
                                               : eve_fail(err, EVE_BAD, EVE_RULE_NONE, "ids", 0, 0);
    }
    return status;
}
