#include "roster.h"

#include "mem.h"

enum { FIRST_MEMBERS = 16, KEEP_DROPPED = 1024 };

void eve_roster_init(struct eve_roster *r, const uint64_t seed[2])
{
    *r = (struct eve_roster){0};
    eve_map_init(&r->keys, seed);
}

void eve_roster_fini(struct eve_roster *r)
{
    eve_map_fini(&r->keys);
    eve_mem_free(r->members);
    *r = (struct eve_roster){.keys = r->keys};
}

void eve_roster_clear(struct eve_roster *r)
{
    eve_map_clear(&r->keys);
    r->count = r->dropped = 0;
}

struct eve_roster_member *eve_roster_get(const struct eve_roster *r, struct eve_slice key)
{
    const struct eve_map_entry *entry = eve_map_get(&r->keys, key);
    struct eve_roster_member *member = entry != NULL ? &r->members[entry->value] : NULL;
    return member != NULL && member->state != 0 ? member : NULL;
}

/* Keep only what is not dropped, in its order. */
static enum eve_status compact(struct eve_roster *r, struct eve_err *err)
{
    struct eve_map keys;
    size_t kept = 0;
    enum eve_status status = EVE_OK;
    eve_map_init(&keys, r->keys.seed);
    for (size_t i = 0; i < r->count && status == EVE_OK; i++) {
        struct eve_map_entry *entry = NULL;
        bool added = false;
        if (r->members[i].state == 0) {
            continue;
        }
        status = eve_map_put(&keys, eve_roster_key(r, &r->members[i]), &entry, &added, err);
        if (status == EVE_OK) {
            entry->value = kept++;
        }
    }
    if (status != EVE_OK) {
        eve_map_fini(&keys);
        return status;
    }
    kept = 0;
    for (size_t i = 0; i < r->count; i++) {
        if (r->members[i].state != 0) {
            r->members[kept] = r->members[i];
            r->members[kept].key = (uint32_t)kept;
            kept++;
        }
    }
    eve_map_fini(&r->keys);
    r->keys = keys;
    r->count = kept;
    r->dropped = 0;
    return EVE_OK;
}

enum eve_status eve_roster_add(struct eve_roster *r, struct eve_slice key,
                               struct eve_roster_member member, struct eve_err *err)
{
    struct eve_map_entry *entry = NULL;
    bool added = false;
    enum eve_status status = EVE_OK;
    if (r->dropped > KEEP_DROPPED && r->dropped > r->count / 2) {
        status = compact(r, err);
    }
    if (status == EVE_OK && r->count == r->cap) {
        size_t cap = eve_mem_grow(r->cap, r->count + 1, FIRST_MEMBERS, UINT32_MAX);
        status = eve_mem_resize(&r->members, cap, sizeof *r->members, err);
        r->cap = status == EVE_OK ? cap : r->cap;
    }
    if (status == EVE_OK) {
        status = eve_map_put(&r->keys, key, &entry, &added, err);
    }
    if (status != EVE_OK) {
        return status;
    }
    if (!added && r->members[entry->value].state != 0) {
        eve_roster_drop(r, &r->members[entry->value]);
    }
    member.key = (uint32_t)(entry - r->keys.entries);
    entry->value = r->count;
    r->members[r->count++] = member;
    return EVE_OK;
}

void eve_roster_drop(struct eve_roster *r, struct eve_roster_member *member)
{
    member->state = 0;
    r->dropped++;
}

struct eve_slice eve_roster_key(const struct eve_roster *r, const struct eve_roster_member *member)
{
    const struct eve_map_entry *entry = &r->keys.entries[member->key];
    return (struct eve_slice){entry->key, entry->key_n};
}
