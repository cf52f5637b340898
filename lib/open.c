#include "open.h"

#include "key.h"
#include "mem.h"
#include "saved.h"
#include "spell.h"
#include "str.h"
#include "text.h"

/* Of so many structs the room for texts is kept for the next block. */
enum { FIRST_ROWS = 16, FIRST_STEPS = 64, KEEP_TEXTS = 64 };

void eve_open_init(struct eve_opens *o, const uint64_t seed[2])
{
    *o = (struct eve_opens){0};
    eve_block_init(&o->blocks, sizeof(struct eve_open), seed);
    eve_map_init(&o->map, seed);
    eve_arena_init(&o->rows);
    eve_buf_init(&o->key, SIZE_MAX / 2);
}

static struct eve_open *open_of(struct eve_block *block)
{
    return (struct eve_open *)(void *)block;
}

void eve_open_clear_blocks(struct eve_opens *o)
{
    while (o->blocks.first != NULL) {
        eve_open_remove(o, open_of(o->blocks.first));
    }
    while (o->late_first != NULL) {
        eve_open_not_late(o, o->late_first);
    }
}

void eve_open_clear(struct eve_opens *o)
{
    eve_open_clear_blocks(o);
    for (size_t i = 0; i < o->row_count; i++) {
        if (o->row[i]->late != NULL) {
            eve_draft_fini(o->row[i]->late);
            eve_mem_free(o->row[i]->late);
        }
    }
    eve_map_clear(&o->map);
    eve_arena_reset(&o->rows);
    o->row_count = 0;
    o->at = NULL;
}

void eve_open_fini(struct eve_opens *o)
{
    eve_open_clear(o);
    for (struct eve_block *b = o->blocks.unused; b != NULL;
         b = eve_block_unused_after(&o->blocks, b)) {
        eve_draft_fini(&open_of(b)->draft);
    }
    eve_block_fini(&o->blocks);
    eve_mem_free(o->steps);
    eve_map_fini(&o->map);
    eve_arena_fini(&o->rows);
    eve_mem_free(o->row);
    eve_buf_fini(&o->key);
}

static enum eve_status add_row(struct eve_opens *o, struct eve_json_value value,
                               struct eve_err *err)
{
    struct eve_group *group = NULL;
    struct eve_slice copy = {0};
    enum eve_status status = eve_arena_alloc(&o->rows, sizeof *group, &group, err);
    if (status == EVE_OK && value.n > 0) {
        status = eve_arena_copy(&o->rows, (struct eve_slice){value.p, value.n}, &copy, err);
    }
    if (status == EVE_OK && o->row_count == o->row_cap) {
        size_t cap = eve_mem_grow(o->row_cap, o->row_count + 1, FIRST_ROWS, SIZE_MAX / 2);
        status = eve_mem_resize(&o->row, cap, sizeof(struct eve_group *), err);
        o->row_cap = status == EVE_OK ? cap : o->row_cap;
    }
    if (status == EVE_OK) {
        value.p = copy.p;
        *group = (struct eve_group){.value = value};
        o->row[o->row_count++] = group;
    }
    return status;
}

enum eve_status eve_open_group(struct eve_opens *o, const struct eve_event *ev,
                               struct eve_group **out, struct eve_err *err)
{
    struct eve_map_entry *entry = NULL;
    bool added = false;
    if (o->at != NULL && eve_str_equal((struct eve_slice){o->at->value.p, o->at->value.n},
                                       (struct eve_slice){ev->group.p, ev->group.n})) {
        *out = o->at;
        return EVE_OK;
    }
    o->key.n = 0;
    enum eve_status status = eve_key_put(&o->key, ev->group, err);
    if (status == EVE_OK) {
        status = eve_map_put(&o->map, eve_buf_slice(&o->key), &entry, &added, err);
    }
    if (status == EVE_OK && added) {
        status = add_row(o, ev->group, err);
    }
    if (status == EVE_OK) {
        entry->value = added ? o->row_count : entry->value;
        *out = o->at = o->row[entry->value - 1];
    }
    return status;
}

struct eve_open *eve_open_find(const struct eve_opens *o, enum eve_event_type kind)
{
    struct eve_block *block = eve_block_find(&o->blocks, kind);
    return block != NULL ? open_of(block) : NULL;
}

struct eve_open *eve_open_at(const struct eve_opens *o, uint32_t number)
{
    return open_of(eve_block_at(&o->blocks, number));
}

static uint32_t *step_bucket(const struct eve_opens *o, uint64_t step)
{
    return &o->steps[step & (o->step_count - 1)];
}

static void link_step(struct eve_opens *o, struct eve_open *open)
{
    uint32_t *bucket = step_bucket(o, open->block.step);
    open->step_before = 0;
    open->step_after = *bucket;
    if (*bucket != 0) {
        eve_open_at(o, *bucket)->step_before = open->block.number;
    }
    *bucket = open->block.number;
}

static void unlink_step(struct eve_opens *o, struct eve_open *open)
{
    *(open->step_before != 0 ? &eve_open_at(o, open->step_before)->step_after
                             : step_bucket(o, open->block.step)) = open->step_after;
    if (open->step_after != 0) {
        eve_open_at(o, open->step_after)->step_before = open->step_before;
    }
}

/* As many buckets as the table of blocks has, when one more is added. */
static enum eve_status grow_steps(struct eve_opens *o, struct eve_err *err)
{
    size_t count = o->step_count == 0 ? FIRST_STEPS : o->step_count * 2;
    enum eve_status status = eve_mem_resize(&o->steps, count, sizeof *o->steps, err);
    if (status == EVE_OK) {
        o->step_count = count;
        memset(o->steps, 0, count * sizeof *o->steps);
        for (struct eve_block *b = o->blocks.first; b != NULL; b = eve_block_after(&o->blocks, b)) {
            link_step(o, open_of(b));
        }
    }
    return status;
}

enum eve_status eve_open_add(struct eve_opens *o, struct eve_group *group, enum eve_event_type kind,
                             struct eve_open **out, struct eve_err *err)
{
    struct eve_block *block = NULL;
    enum eve_status status = o->blocks.count >= o->step_count ? grow_steps(o, err) : EVE_OK;
    if (status == EVE_OK) {
        status = eve_block_add(&o->blocks, kind, &block, err);
    }
    if (status != EVE_OK) {
        return status;
    }
    struct eve_open *open = open_of(block);
    if (open->draft.text.max == 0) { /* a new struct */
        eve_draft_init(&open->draft);
    }
    open->group = group;
    open->is_open = open->named = false;
    link_step(o, open);
    *out = open;
    return EVE_OK;
}

void eve_open_each(struct eve_opens *o, enum eve_block_scope scope,
                   void (*end)(void *ctx, struct eve_block *block), void *ctx)
{
    if (scope == EVE_BLOCK_TURN) {
        eve_block_each_ended(&o->blocks, scope, end, ctx);
        return;
    }
    uint32_t number = o->blocks.count > 0 ? *step_bucket(o, o->blocks.step) : 0;
    while (number != 0) {
        struct eve_open *open = eve_open_at(o, number);
        number = open->step_after;
        if (open->block.step == o->blocks.step) {
            end(ctx, &open->block);
        }
    }
}

void eve_open_renew(struct eve_opens *o, struct eve_open *open)
{
    unlink_step(o, open);
    eve_block_renew(&o->blocks, &open->block);
    link_step(o, open);
}

void eve_open_close(struct eve_open *open)
{
    open->is_open = false;
    eve_draft_clear(&open->draft, open->block.number <= KEEP_TEXTS);
}

struct eve_slice eve_open_judged(const struct eve_open *open)
{
    return open->judged != NULL ? eve_buf_slice(open->judged) : (struct eve_slice){0};
}

enum eve_status eve_open_judge(struct eve_open *open, struct eve_slice id, struct eve_err *err)
{
    enum eve_status status = EVE_OK;
    if (open->judged == NULL) {
        status = eve_mem_resize(&open->judged, 1, sizeof *open->judged, err);
        if (status != EVE_OK) {
            return status;
        }
        eve_buf_init(open->judged, SIZE_MAX / 2);
    }
    open->judged->n = 0;
    return eve_buf_put(open->judged, id, err);
}

void eve_open_remove(struct eve_opens *o, struct eve_open *open)
{
    unlink_step(o, open);
    eve_open_close(open);
    if (open->judged != NULL) {
        eve_buf_fini(open->judged);
        eve_mem_free(open->judged);
        open->judged = NULL;
    }
    eve_block_remove(&o->blocks, &open->block);
}

enum eve_status eve_open_late(struct eve_opens *o, struct eve_group *group,
                              const struct eve_event *ev, uint64_t index, struct eve_err *err)
{
    enum eve_status status = EVE_OK;
    if (group->late == NULL) {
        status = eve_mem_resize(&group->late, 1, sizeof *group->late, err);
        if (status != EVE_OK) {
            return status;
        }
        eve_draft_init(group->late);
    }
    group->is_late = true;
    group->late_before = o->late_last;
    group->late_after = NULL;
    *(o->late_last != NULL ? &o->late_last->late_after : &o->late_first) = group;
    o->late_last = group;
    return eve_draft_begin(group->late, ev, index, err);
}

void eve_open_not_late(struct eve_opens *o, struct eve_group *group)
{
    struct eve_group *before = group->late_before;
    struct eve_group *after = group->late_after;
    *(before != NULL ? &before->late_after : &o->late_first) = after;
    *(after != NULL ? &after->late_before : &o->late_last) = before;
    group->is_late = false;
    eve_draft_clear(group->late, true);
}

/* The rows: {"group":VALUE,"begun":true,"late":DRAFT}. */
static void save_row(const struct eve_group *g, struct eve_saved *out)
{
    eve_saved_open(out, NULL, '{');
    if (g->value.kind != EVE_JSON_NONE) {
        eve_saved_raw(out, "group", (struct eve_slice){g->value.p, g->value.n});
    }
    eve_saved_flag(out, "begun", g->begun);
    if (g->is_late) {
        eve_draft_save(g->late, "late", out);
    }
    eve_saved_close(out, '}');
}

/* The blocks: {"open":true,"judged":ID,"draft":DRAFT}. */
static void save_block(const struct eve_open *open, struct eve_saved *out)
{
    eve_saved_open(out, NULL, '{');
    eve_saved_flag(out, "open", open->is_open);
    if (open->judged != NULL) {
        eve_saved_plain(out, "judged", eve_open_judged(open));
    }
    eve_draft_save(&open->draft, "draft", out);
    eve_saved_close(out, '}');
}

void eve_open_save(const struct eve_opens *o, const char *name, struct eve_saved *out)
{
    eve_saved_open(out, name, '{');
    eve_saved_open(out, "groups", '[');
    for (size_t i = 0; i < o->row_count; i++) {
        save_row(o->row[i], out);
    }
    eve_saved_close(out, ']');
    eve_saved_open(out, "blocks", '[');
    for (struct eve_block *b = o->blocks.first; b != NULL; b = eve_block_after(&o->blocks, b)) {
        save_block(open_of(b), out);
    }
    eve_saved_close(out, ']');
    eve_saved_close(out, '}');
}

static enum eve_status load_row(struct eve_opens *o, struct eve_json_value row, struct eve_err *err)
{
    struct eve_event ev = {.group = eve_event_find(row, "group")};
    struct eve_json_value late = eve_event_find(row, "late");
    struct eve_group *group = NULL;
    bool begun = false;
    enum eve_status status = eve_saved_get_flag(row, "begun", &begun, err);
    if (status == EVE_OK) {
        status = eve_open_group(o, &ev, &group, err);
    }
    if (status == EVE_OK) {
        group->begun = begun;
    }
    if (status == EVE_OK && late.kind != EVE_JSON_NONE && !group->is_late) {
        status = eve_open_late(o, group, &ev, 0, err);
        status = status == EVE_OK ? eve_draft_load(group->late, late, err) : status;
    }
    return status;
}

static enum eve_status load_block(struct eve_opens *o, struct eve_json_value block,
                                  struct eve_draft *draft, struct eve_err *err)
{
    struct eve_json_value value;
    struct eve_json_value judged = eve_event_find(block, "judged");
    struct eve_group *group = NULL;
    struct eve_open *open = NULL;
    struct eve_event ev;
    bool is_open = false;
    enum eve_status status = eve_saved_get_flag(block, "open", &is_open, err);
    if (status == EVE_OK) {
        status = eve_saved_get(block, "draft", EVE_JSON_OBJECT, &value, err);
    }
    if (status == EVE_OK) {
        status = eve_draft_load(draft, value, err);
    }
    if (status != EVE_OK) {
        return status;
    }
    eve_draft_event(draft, &ev);
    status = eve_open_group(o, &ev, &group, err);
    if (status == EVE_OK) {
        status = eve_block_look(&o->blocks, &ev, eve_event_value(&ev, EVE_FIELD_CALL_ID), err);
    }
    if (status == EVE_OK && eve_open_find(o, draft->kind) != NULL) {
        return eve_fail(err, EVE_BAD, EVE_RULE_NONE, "blocks", 0, 0);
    }
    if (status == EVE_OK) {
        status = eve_open_add(o, group, draft->kind, &open, err);
    }
    if (status == EVE_OK) {
        struct eve_draft empty = open->draft;
        open->draft = *draft;
        *draft = empty;
        open->is_open = is_open;
    }
    if (status == EVE_OK && judged.kind == EVE_JSON_STRING) {
        o->key.n = 0;
        status = eve_text_decode(eve_text_of(judged), &o->key, err);
        status = status == EVE_OK ? eve_open_judge(open, eve_buf_slice(&o->key), err) : status;
    }
    return status;
}

enum eve_status eve_open_load(struct eve_opens *o, struct eve_json_value object,
                              struct eve_err *err)
{
    struct eve_json_value array;
    struct eve_json_value element;
    struct eve_draft draft;
    size_t at = 0;
    enum eve_status status = eve_saved_get(object, "groups", EVE_JSON_ARRAY, &array, err);
    while (status == EVE_OK && eve_saved_next(array, &at, &element)) {
        status = load_row(o, element, err);
    }
    if (status == EVE_OK) {
        status = eve_saved_get(object, "blocks", EVE_JSON_ARRAY, &array, err);
    }
    at = 0;
    eve_draft_init(&draft);
    while (status == EVE_OK && eve_saved_next(array, &at, &element)) {
        status = load_block(o, element, &draft, err);
    }
    eve_draft_fini(&draft);
    return status;
}
