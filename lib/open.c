#include "open.h"

#include "key.h"
#include "mem.h"
#include "saved.h"
#include "spell.h"
#include "str.h"
#include "text.h"

enum { FIRST_ROWS = 16, KEEP_ROOM = 256 };

/* A step or turn. */
struct eve_place {
    struct eve_block block;
    struct eve_open *first;
    struct eve_open *last;
};

void eve_open_init(struct eve_opens *o, const uint64_t seed[2])
{
    *o = (struct eve_opens){0};
    eve_block_init(&o->blocks, sizeof(struct eve_open), seed);
    eve_block_init(&o->places, sizeof(struct eve_place), seed);
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
        eve_buf_fini(&open_of(b)->judged);
    }
    eve_block_fini(&o->blocks);
    eve_block_fini(&o->places);
    eve_map_fini(&o->map);
    eve_arena_fini(&o->rows);
    eve_mem_free(o->row);
    eve_buf_fini(&o->key);
}

static bool same_bytes(struct eve_json_value a, struct eve_json_value b)
{
    return a.kind == b.kind &&
           eve_str_equal((struct eve_slice){a.p, a.n}, (struct eve_slice){b.p, b.n});
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
    if (o->at != NULL && same_bytes(o->at->value, ev->group)) {
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

static void link_last(struct eve_open *open, int scope)
{
    struct eve_place *place = open->in[scope].place;
    open->in[scope].before = place->last;
    open->in[scope].after = NULL;
    *(place->last != NULL ? &place->last->in[scope].after : &place->first) = open;
    place->last = open;
}

static void unlink_from(struct eve_open *open, int scope)
{
    struct eve_place *place = open->in[scope].place;
    struct eve_open *before = open->in[scope].before;
    struct eve_open *after = open->in[scope].after;
    *(before != NULL ? &before->in[scope].after : &place->first) = after;
    *(after != NULL ? &after->in[scope].before : &place->last) = before;
}

/* Steps and turns are told apart in the table by the kinds of their entries. */
static enum eve_event_type kind_of(int scope)
{
    return scope == EVE_OPEN_STEP ? EVE_EVENT_MESSAGE_APPENDED : EVE_EVENT_REASONING_APPENDED;
}

/* The step or turn of the event, NULL if it is not listed. */
static enum eve_status find_place(struct eve_opens *o, const struct eve_event *ev, int scope,
                                  struct eve_place **out, struct eve_err *err)
{
    struct eve_event at = {.group = ev->group};
    at.field[EVE_FIELD_TURN_ID].value = eve_event_value(ev, EVE_FIELD_TURN_ID);
    at.seen = UINT32_C(1) << EVE_FIELD_TURN_ID;
    if (scope == EVE_OPEN_STEP) {
        at.field[EVE_FIELD_STEP_INDEX].value = eve_event_value(ev, EVE_FIELD_STEP_INDEX);
        at.seen |= UINT32_C(1) << EVE_FIELD_STEP_INDEX;
    }
    enum eve_status status = eve_block_look(&o->places, &at, (struct eve_json_value){0}, err);
    if (status == EVE_OK) {
        *out = (struct eve_place *)(void *)eve_block_find(&o->places, kind_of(scope));
    }
    return status;
}

enum eve_status eve_open_first(struct eve_opens *o, const struct eve_event *ev,
                               enum eve_open_scope scope, struct eve_open **out,
                               struct eve_err *err)
{
    struct eve_place *place = NULL;
    enum eve_status status = EVE_OK;
    if (o->places.count > 0) {
        status = find_place(o, ev, (int)scope, &place, err);
    }
    if (status == EVE_OK) {
        *out = place != NULL ? place->first : NULL;
    }
    return status;
}

/* The step or turn of the event, listed. */
static enum eve_status get_place(struct eve_opens *o, const struct eve_event *ev, int scope,
                                 struct eve_place **out, struct eve_err *err)
{
    struct eve_block *block = NULL;
    enum eve_status status = find_place(o, ev, scope, out, err);
    if (status == EVE_OK && *out == NULL) {
        status = eve_block_add(&o->places, kind_of(scope), &block, err);
    }
    if (status == EVE_OK && *out == NULL) {
        *out = (struct eve_place *)(void *)block;
        (*out)->first = (*out)->last = NULL;
    }
    return status;
}

static void leave_place(struct eve_opens *o, struct eve_place *place)
{
    if (place != NULL && place->first == NULL) {
        eve_block_remove(&o->places, &place->block);
    }
}

/* The step and the turn of the event, listed. */
static enum eve_status get_places(struct eve_opens *o, const struct eve_event *ev,
                                  struct eve_place *place[EVE_OPEN_SCOPES], struct eve_err *err)
{
    enum eve_status status = EVE_OK;
    for (int i = 0; i < EVE_OPEN_SCOPES && status == EVE_OK; i++) {
        status = get_place(o, ev, i, &place[i], err);
    }
    for (int i = 0; i < EVE_OPEN_SCOPES && status != EVE_OK; i++) {
        leave_place(o, place[i]);
    }
    return status;
}

enum eve_status eve_open_add(struct eve_opens *o, struct eve_group *group,
                             const struct eve_event *ev, struct eve_open **out, struct eve_err *err)
{
    struct eve_block *block = NULL;
    struct eve_place *place[EVE_OPEN_SCOPES] = {NULL};
    enum eve_status status = get_places(o, ev, place, err);
    if (status != EVE_OK) {
        return status;
    }
    status = eve_block_add(&o->blocks, ev->type, &block, err);
    if (status != EVE_OK) {
        leave_place(o, place[EVE_OPEN_STEP]);
        leave_place(o, place[EVE_OPEN_TURN]);
        return status;
    }
    struct eve_open *open = open_of(block);
    if (open->draft.text.max == 0) { /* a new struct */
        eve_draft_init(&open->draft);
        eve_buf_init(&open->judged, SIZE_MAX / 2);
    }
    open->group = group;
    open->is_open = open->named = false;
    for (int i = 0; i < EVE_OPEN_SCOPES; i++) {
        open->in[i].place = place[i];
        link_last(open, i);
    }
    *out = open;
    return EVE_OK;
}

enum eve_status eve_open_renew(struct eve_opens *o, struct eve_open *open,
                               const struct eve_event *ev, struct eve_err *err)
{
    struct eve_place *place[EVE_OPEN_SCOPES] = {NULL};
    enum eve_status status = get_places(o, ev, place, err);
    for (int i = 0; i < EVE_OPEN_SCOPES && status == EVE_OK; i++) {
        struct eve_place *left = open->in[i].place;
        unlink_from(open, i);
        open->in[i].place = place[i];
        link_last(open, i);
        leave_place(o, left);
    }
    if (status == EVE_OK) {
        eve_block_use(&o->blocks, &open->block);
    }
    return status;
}

void eve_open_remove(struct eve_opens *o, struct eve_open *open)
{
    for (int i = 0; i < EVE_OPEN_SCOPES; i++) {
        unlink_from(open, i);
        leave_place(o, open->in[i].place);
    }
    open->is_open = false;
    eve_draft_clear(&open->draft);
    eve_buf_clear(&open->judged, KEEP_ROOM);
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
    eve_draft_clear(group->late);
}

/* The rows: {"group":VALUE,"begun":true,"late":DRAFT}. */
static enum eve_status save_row(const struct eve_group *g, struct eve_buf *out, struct eve_err *err)
{
    enum eve_status status = eve_saved_comma(out, err);
    if (status == EVE_OK) {
        status = eve_buf_putc(out, '{', err);
    }
    if (status == EVE_OK && g->value.kind != EVE_JSON_NONE) {
        status = eve_saved_raw(out, "group", (struct eve_slice){g->value.p, g->value.n}, err);
    }
    if (status == EVE_OK) {
        status = eve_saved_flag(out, "begun", g->begun, err);
    }
    if (status == EVE_OK && g->is_late) {
        status = eve_saved_raw(out, "late", (struct eve_slice){0}, err);
        status = status == EVE_OK ? eve_draft_save(g->late, out, err) : status;
    }
    return status == EVE_OK ? eve_buf_putc(out, '}', err) : status;
}

/* The blocks: {"open":true,"judged":ID,"draft":DRAFT}. */
static enum eve_status save_block(const struct eve_open *open, struct eve_buf *out,
                                  struct eve_err *err)
{
    enum eve_status status = eve_saved_comma(out, err);
    if (status == EVE_OK) {
        status = eve_buf_putc(out, '{', err);
    }
    if (status == EVE_OK) {
        status = eve_saved_flag(out, "open", open->is_open, err);
    }
    if (status == EVE_OK && open->judged.n > 0) {
        status = eve_saved_raw(out, "judged", eve_str("\""), err);
        status =
            status == EVE_OK ? eve_spell_plain(out, eve_buf_slice(&open->judged), err) : status;
        status = status == EVE_OK ? eve_buf_putc(out, '"', err) : status;
    }
    if (status == EVE_OK) {
        status = eve_saved_raw(out, "draft", (struct eve_slice){0}, err);
    }
    if (status == EVE_OK) {
        status = eve_draft_save(&open->draft, out, err);
    }
    return status == EVE_OK ? eve_buf_putc(out, '}', err) : status;
}

enum eve_status eve_open_save(const struct eve_opens *o, struct eve_buf *out, struct eve_err *err)
{
    enum eve_status status = eve_buf_puts(out, "{\"groups\":[", err);
    for (size_t i = 0; i < o->row_count && status == EVE_OK; i++) {
        status = save_row(o->row[i], out, err);
    }
    if (status == EVE_OK) {
        status = eve_buf_puts(out, "],\"blocks\":[", err);
    }
    for (struct eve_block *b = o->blocks.first; b != NULL && status == EVE_OK;
         b = eve_block_after(&o->blocks, b)) {
        status = save_block(open_of(b), out, err);
    }
    return status == EVE_OK ? eve_buf_puts(out, "]}", err) : status;
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
        status = eve_open_add(o, group, &ev, &open, err);
    }
    if (status == EVE_OK) {
        struct eve_draft empty = open->draft;
        open->draft = *draft;
        *draft = empty;
        open->is_open = is_open;
    }
    if (status == EVE_OK && judged.kind == EVE_JSON_STRING) {
        status = eve_text_decode(eve_text_of(judged), &open->judged, err);
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
