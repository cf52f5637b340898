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

struct eve_roster_member *eve_roster_older(const struct eve_roster *r,
                                           const struct eve_roster_member *member)
{
    return member->older > 0 ? &r->members[member->older - 1] : NULL;
}

/* Move members that are not dropped to the front; `keys` has an entry of value 0 for each key. */
static void move_kept(struct eve_roster *r, struct eve_map *keys)
{
    size_t kept = 0;
    for (size_t i = 0; i < r->count; i++) {
        if (r->members[i].state != 0) {
            struct eve_map_entry *entry = eve_map_get(keys, eve_roster_key(r, &r->members[i]));
            r->members[kept] = r->members[i];
            r->members[kept].key = (uint32_t)(entry - keys->entries);
            r->members[kept].older = (uint32_t)entry->value;
            entry->value = ++kept;
        }
    }
    for (size_t i = 0; i < keys->count; i++) {
        keys->entries[i].value--;
    }
    r->count = kept;
    r->dropped = 0;
}

/* Keep only what is not dropped, in its order. */
static enum eve_status compact(struct eve_roster *r, struct eve_err *err)
{
    struct eve_map keys;
    enum eve_status status = EVE_OK;
    eve_map_init(&keys, r->keys.seed);
    for (size_t i = 0; i < r->count && status == EVE_OK; i++) {
        struct eve_map_entry *entry = NULL;
        bool added = false;
        if (r->members[i].state != 0) {
            status = eve_map_put(&keys, eve_roster_key(r, &r->members[i]), &entry, &added, err);
        }
    }
    if (status != EVE_OK) {
        eve_map_fini(&keys);
        return status;
    }
    move_kept(r, &keys);
    eve_map_fini(&r->keys);
    r->keys = keys;
    return EVE_OK;
}

enum eve_status eve_roster_push(struct eve_roster *r, struct eve_slice key,
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
    bool older = !added && r->members[entry->value].state != 0;
    member.older = older ? (uint32_t)entry->value + 1 : 0;
    member.key = (uint32_t)(entry - r->keys.entries);
    entry->value = r->count;
    r->members[r->count++] = member;
    return EVE_OK;
}

enum eve_status eve_roster_add(struct eve_roster *r, struct eve_slice key,
                               struct eve_roster_member member, struct eve_err *err)
{
    enum eve_status status = eve_roster_push(r, key, member, err);
    if (status == EVE_OK && r->members[r->count - 1].older > 0) {
        eve_roster_drop(r, eve_roster_older(r, &r->members[r->count - 1]));
    }
    return status;
}

void eve_roster_drop(struct eve_roster *r, struct eve_roster_member *member)
{
    struct eve_map_entry *entry = &r->keys.entries[member->key];
    uint32_t number = (uint32_t)(member - r->members);
    struct eve_roster_member *newer = &r->members[entry->value];
    if (newer == member) {
        entry->value = member->older > 0 ? member->older - 1 : number;
    } else {
        while (newer->older != number + 1) {
            newer = &r->members[newer->older - 1];
        }
        newer->older = member->older;
    }
    member->state = 0;
    member->older = 0;
    r->dropped++;
}

struct eve_slice eve_roster_key(const struct eve_roster *r, const struct eve_roster_member *member)
{
    const struct eve_map_entry *entry = &r->keys.entries[member->key];
    return (struct eve_slice){entry->key, entry->key_n};
}
