#include "dedupe.h"

#include "key.h"
#include "text.h"

void eve_dedupe_init(struct eve_dedupe *d, const uint64_t seed[2])
{
    eve_map_init(&d->ids, seed);
    eve_buf_init(&d->key, SIZE_MAX / 2);
}

void eve_dedupe_fini(struct eve_dedupe *d)
{
    eve_map_fini(&d->ids);
    eve_buf_fini(&d->key);
}

void eve_dedupe_clear(struct eve_dedupe *d)
{
    eve_map_clear(&d->ids);
}

enum eve_status eve_dedupe_see(struct eve_dedupe *d, const struct eve_event *ev, bool *seen,
                               bool *without, struct eve_err *err)
{
    struct eve_map_entry *entry = NULL;
    bool added = true;
    *without = ev->id.kind != EVE_JSON_STRING;
    *seen = false;
    if (*without) {
        return EVE_OK;
    }
    d->key.n = 0;
    enum eve_status status = eve_key_put(&d->key, ev->group, err);
    if (status == EVE_OK) {
        status = eve_text_decode(eve_text_of(ev->id), &d->key, err);
    }
    if (status == EVE_OK) {
        status = eve_map_put(&d->ids, eve_buf_slice(&d->key), &entry, &added, err);
    }
    *seen = status == EVE_OK && !added;
    return status;
}
