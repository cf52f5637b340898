#include "flow.h"

#include "arena.h"
#include "canon.h"
#include "edit.h"
#include "flow_block.h"
#include "key.h"
#include "map.h"
#include "mem.h"
#include "str.h"
#include "text.h"

#include <errno.h>
#include <stdlib.h>

enum { FIRST_ITEMS = 64, PARTS = 4 };

struct eve_flow {
    const struct eve_flow_options *options;
    struct eve_arena arena; /* what the items point to */
    struct eve_flow_item *items;
    size_t n;
    size_t cap;
    struct eve_blocks blocks; /* of struct eve_flow_block */
    struct eve_map started;   /* groups in which a session or a step was started */
    struct eve_buf partial;   /* which call the last item, an action.partial, is of; else empty */
    struct eve_value tree;    /* of the event at hand */
    struct eve_flow_trees trees;
    struct eve_buf scratch; /* an edited event */
    struct eve_buf spelled;
};

static struct eve_flow_block *own(struct eve_block *block)
{
    return (struct eve_flow_block *)(void *)block;
}

enum eve_status eve_flow_new(struct eve_flow **out, const struct eve_flow_options *options,
                             struct eve_err *err)
{
    struct eve_flow *f = NULL;
    enum eve_status status = eve_mem_resize(&f, 1, sizeof *f, err);
    if (status != EVE_OK) {
        return status;
    }
    *f = (struct eve_flow){.options = options};
    eve_arena_init(&f->arena);
    eve_block_init(&f->blocks, sizeof(struct eve_flow_block), options->seed);
    eve_map_init(&f->started, options->seed);
    eve_value_init(&f->tree);
    eve_value_init(&f->trees.a);
    eve_value_init(&f->trees.b);
    eve_buf_init(&f->trees.text, SIZE_MAX / 2);
    eve_buf_init(&f->partial, SIZE_MAX / 2);
    eve_buf_init(&f->scratch, SIZE_MAX / 2);
    eve_buf_init(&f->spelled, SIZE_MAX / 2);
    *out = f;
    return EVE_OK;
}

void eve_flow_free(struct eve_flow *f)
{
    if (f == NULL) {
        return;
    }
    eve_flow_clear(f);
    for (struct eve_block *b = f->blocks.unused; b != NULL;
         b = eve_block_unused_after(&f->blocks, b)) {
        eve_flow_block_fini(own(b));
    }
    eve_block_fini(&f->blocks);
    eve_map_fini(&f->started);
    eve_value_fini(&f->tree);
    eve_value_fini(&f->trees.a);
    eve_value_fini(&f->trees.b);
    eve_buf_fini(&f->trees.text);
    eve_buf_fini(&f->partial);
    eve_buf_fini(&f->scratch);
    eve_buf_fini(&f->spelled);
    eve_arena_fini(&f->arena);
    eve_mem_free(f->items);
    eve_mem_free(f);
}

void eve_flow_clear(struct eve_flow *f)
{
    while (f->blocks.first != NULL) {
        eve_block_remove(&f->blocks, f->blocks.first);
    }
    eve_map_clear(&f->started);
    eve_arena_reset(&f->arena);
    f->partial.n = 0;
    f->n = 0;
}

const struct eve_flow_item *eve_flow_items(const struct eve_flow *f, size_t *count)
{
    *count = f->n;
    return f->items;
}

/* Add an item, whose slices are copied. */
static enum eve_status push(struct eve_flow *f, struct eve_flow_item item, struct eve_err *err)
{
    enum eve_status status = EVE_OK;
    if (f->n == f->cap) {
        size_t cap = eve_mem_grow(f->cap, f->n + 1, FIRST_ITEMS, SIZE_MAX / sizeof item);
        if (cap == 0) {
            return eve_fail(err, EVE_FAIL, EVE_RULE_NONE, "out of memory", 0, ENOMEM);
        }
        status = eve_mem_resize(&f->items, cap, sizeof item, err);
        if (status != EVE_OK) {
            return status;
        }
        f->cap = cap;
    }
    item.hash = eve_map_hash(f->options->seed, item.spelled);
    struct eve_slice *parts[PARTS] = {&item.spelled, &item.said, &item.type, &item.id};
    for (size_t i = 0; i < PARTS && status == EVE_OK; i++) {
        status = parts[i]->n > 0 ? eve_arena_copy(&f->arena, *parts[i], parts[i], err) : EVE_OK;
    }
    if (status == EVE_OK) {
        f->items[f->n++] = item;
    }
    return status;
}

/* Spell the event in `text` without what is ignored, to f->spelled. Its tree stays in f->tree. */
static enum eve_status spell(struct eve_flow *f, struct eve_slice text, struct eve_json_value type,
                             struct eve_err *err)
{
    enum eve_status status = eve_value_read(&f->tree, text, err);
    if (status != EVE_OK) {
        return status; /* not for what was scanned before */
    }
    eve_ignore_prune(&f->options->ignore, f->tree.root, type);
    f->spelled.n = 0;
    return eve_canon_put(&f->spelled, f->tree.root, err);
}

/* The block is over: what it said becomes an item. */
static enum eve_status emit(struct eve_flow *f, const struct eve_flow_block *b, struct eve_err *err)
{
    static const char *const types[] = {[EVE_EVENT_MESSAGE_APPENDED] = "\"message.appended\"",
                                        [EVE_EVENT_REASONING_APPENDED] = "\"reasoning.appended\"",
                                        [EVE_EVENT_INPUT_APPENDED] = "\"action.input.appended\""};
    const char *delta = eve_event_field_name(eve_decode_delta_field(b->block.kind));
    struct eve_flow_item item = {.block = true, .line = b->line, .index = b->index};
    item.type = eve_str(types[b->block.kind]);
    struct eve_json_value type_value = {item.type.p, item.type.n, EVE_JSON_STRING, false};
    if (b->text.n == 0 || eve_ignore_type(&f->options->ignore, type_value)) {
        return EVE_OK;
    }
    item.tail = !b->settled && (b->legacy || b->partial);
    item.id = eve_buf_slice(&b->id);
    enum eve_status status = spell(f, eve_buf_slice(&b->head), type_value, err);
    f->scratch.n = 0;
    const struct eve_value_node *data =
        status == EVE_OK ? eve_value_member(f->tree.root, eve_str("data")) : NULL;
    if (data != NULL && eve_value_member(data, eve_str(delta)) != NULL) {
        status = eve_canon_text(&f->scratch, eve_buf_slice(&b->text), err);
    }
    item.spelled = eve_buf_slice(&f->spelled);
    item.said = eve_buf_slice(&f->scratch);
    return status == EVE_OK ? push(f, item, err) : status;
}

static int compare_items(const void *a, const void *b)
{
    const struct eve_flow_item *x = a;
    const struct eve_flow_item *y = b;
    int order = eve_str_compare(x->spelled, y->spelled);
    return order != 0 ? order : eve_str_compare(x->said, y->said);
}

/* The items from `from` on are blocks that ended together. */
static void sort_from(struct eve_flow *f, size_t from)
{
    if (f->n > from + 1) {
        qsort(f->items + from, f->n - from, sizeof *f->items, compare_items);
    }
}

/* End the inputs of the calls that the event names. */
static enum eve_status end_calls(struct eve_flow *f, const struct eve_event *ev,
                                 struct eve_err *err)
{
    size_t at = 0;
    size_t from = f->n;
    struct eve_json_value call;
    struct eve_json_value action;
    enum eve_status status = EVE_OK;
    while (status == EVE_OK && eve_block_call(ev, &at, &call, &action)) {
        status = eve_block_look(&f->blocks, ev, call, err);
        struct eve_block *block =
            status == EVE_OK ? eve_block_find(&f->blocks, EVE_EVENT_INPUT_APPENDED) : NULL;
        if (block == NULL) {
            continue;
        }
        if (ev->type == EVE_EVENT_ACTIONS_REQUESTED) { /* else it is withdrawn */
            status =
                eve_flow_block_request(own(block), eve_event_find(action, "input"), &f->trees, err);
            if (status == EVE_OK) {
                status = emit(f, own(block), err);
            }
        }
        eve_block_remove(&f->blocks, block);
    }
    sort_from(f, from);
    return status;
}

/* End the one text that a completed event is about. */
static enum eve_status end_text(struct eve_flow *f, const struct eve_event *ev,
                                enum eve_event_type kind, enum eve_event_field completed,
                                struct eve_err *err)
{
    enum eve_status status = eve_block_look(&f->blocks, ev, (struct eve_json_value){0}, err);
    struct eve_block *block = status == EVE_OK ? eve_block_find(&f->blocks, kind) : NULL;
    if (block == NULL) {
        return status;
    }
    status = eve_flow_block_complete(own(block), eve_event_value(ev, completed), err);
    if (status == EVE_OK) {
        status = emit(f, own(block), err);
    }
    eve_block_remove(&f->blocks, block);
    return status;
}

/* End all blocks of a step or turn. A step that is started again makes them failed attempts. */
static enum eve_status end_all(struct eve_flow *f, const struct eve_event *ev,
                               enum eve_block_scope scope, struct eve_err *err)
{
    size_t from = f->n;
    struct eve_block *after = NULL;
    enum eve_status status = eve_block_look(&f->blocks, ev, (struct eve_json_value){0}, err);
    for (struct eve_block *b = f->blocks.first; status == EVE_OK && b != NULL; b = after) {
        after = eve_block_after(&f->blocks, b);
        if (eve_block_is_ended(&f->blocks, b, scope)) {
            status = ev->type != EVE_EVENT_STEP_STARTED ? emit(f, own(b), err) : EVE_OK;
            eve_block_remove(&f->blocks, b);
        }
    }
    sort_from(f, from);
    return status;
}

static enum eve_status end_blocks(struct eve_flow *f, const struct eve_event *ev,
                                  struct eve_err *err)
{
    enum eve_block_scope scope = eve_block_scope(ev);
    switch (scope) {
    case EVE_BLOCK_NOTHING:
        return EVE_OK;
    case EVE_BLOCK_MESSAGE:
        return end_text(f, ev, EVE_EVENT_MESSAGE_APPENDED, EVE_FIELD_MESSAGE, err);
    case EVE_BLOCK_REASONING:
        return end_text(f, ev, EVE_EVENT_REASONING_APPENDED, EVE_FIELD_REASONING, err);
    case EVE_BLOCK_CALLS:
        return end_calls(f, ev, err);
    default:
        return end_all(f, ev, scope, err);
    }
}

/* The group of the event as a key, in f->scratch. */
static enum eve_status key_group(struct eve_flow *f, const struct eve_event *ev,
                                 struct eve_err *err)
{
    f->scratch.n = 0;
    return eve_key_put(&f->scratch, ev->group, err);
}

static enum eve_status append(struct eve_flow *f, const struct eve_event *ev, bool legacy,
                              uint64_t line, uint64_t index, struct eve_err *err)
{
    struct eve_json_value call = ev->type == EVE_EVENT_INPUT_APPENDED
                                     ? eve_event_value(ev, EVE_FIELD_CALL_ID)
                                     : (struct eve_json_value){0};
    enum eve_status status = eve_block_look(&f->blocks, ev, call, err);
    struct eve_block *block = status == EVE_OK ? eve_block_find(&f->blocks, ev->type) : NULL;
    if (status == EVE_OK && block == NULL) {
        status = eve_block_add(&f->blocks, ev->type, &block, err);
        if (status == EVE_OK) {
            status = eve_flow_block_begin(own(block), ev, err);
        }
        if (status == EVE_OK) {
            status = key_group(f, ev, err);
        }
        if (status == EVE_OK) {
            own(block)->partial = eve_map_get(&f->started, eve_buf_slice(&f->scratch)) == NULL;
        }
    }
    if (status != EVE_OK) {
        return status;
    }
    own(block)->line = line;
    own(block)->index = index;
    return eve_flow_block_append(own(block), ev, legacy, err);
}

/* An action.partial of the call that the item before is of takes its place. */
static enum eve_status take_partial(struct eve_flow *f, const struct eve_event *ev,
                                    struct eve_err *err)
{
    struct eve_json_value call = eve_event_find(eve_event_value(ev, EVE_FIELD_RESULT), "callId");
    enum eve_status status = key_group(f, ev, err);
    if (status == EVE_OK) {
        status = eve_key_put(&f->scratch, call, err);
    }
    if (status != EVE_OK) {
        return status;
    }
    if (call.kind != EVE_JSON_NONE &&
        eve_str_equal(eve_buf_slice(&f->scratch), eve_buf_slice(&f->partial))) {
        f->n--;
    }
    f->partial.n = 0;
    return eve_buf_put(&f->partial, eve_buf_slice(&f->scratch), err);
}

static enum eve_status put_event(struct eve_flow *f, const struct eve_event *ev,
                                 const struct eve_decoder *d, uint64_t line, uint64_t index,
                                 struct eve_err *err)
{
    struct eve_slice text = ev->text;
    enum eve_status status = EVE_OK;
    struct eve_flow_item item = {.line = line,
                                 .index = index,
                                 .type = {ev->type_value.p, ev->type_value.n},
                                 .id = {ev->id.p, ev->id.n}};
    if (eve_ignore_type(&f->options->ignore, ev->type_value)) {
        return EVE_OK;
    }
    if (ev->type == EVE_EVENT_ACTION_PARTIAL && !f->options->exact_chunks) {
        status = take_partial(f, ev, err);
    } else {
        f->partial.n = 0;
    }
    if (status == EVE_OK && d->edits.n > 0) {
        f->scratch.n = 0;
        status = eve_edit_put(&d->edits, text, &f->scratch, err);
        text = eve_buf_slice(&f->scratch);
    }
    if (status == EVE_OK) {
        status = spell(f, text, ev->type_value, err);
    }
    item.spelled = eve_buf_slice(&f->spelled);
    return status == EVE_OK ? push(f, item, err) : status;
}

enum eve_status eve_flow_event(struct eve_flow *f, const struct eve_event *ev,
                               const struct eve_decoder *d, uint64_t line, uint64_t index,
                               struct eve_err *err)
{
    struct eve_map_entry *entry = NULL;
    bool added = false;
    size_t before = f->n;
    if (f->options->exact_chunks) {
        return put_event(f, ev, d, line, index, err);
    }
    if (ev->type <= EVE_EVENT_INPUT_APPENDED) {
        return append(f, ev, d->legacy, line, index, err);
    }
    enum eve_status status = end_blocks(f, ev, err);
    if (f->n > before) {
        f->partial.n = 0;
    }
    if (status == EVE_OK &&
        (ev->type == EVE_EVENT_SESSION_STARTED || ev->type == EVE_EVENT_STEP_STARTED)) {
        status = key_group(f, ev, err);
        if (status == EVE_OK) {
            status = eve_map_put(&f->started, eve_buf_slice(&f->scratch), &entry, &added, err);
        }
    }
    return status == EVE_OK ? put_event(f, ev, d, line, index, err) : status;
}

enum eve_status eve_flow_end(struct eve_flow *f, struct eve_err *err)
{
    size_t from = f->n;
    enum eve_status status = EVE_OK;
    while (f->blocks.first != NULL && status == EVE_OK) {
        status = emit(f, own(f->blocks.first), err);
        eve_block_remove(&f->blocks, f->blocks.first);
    }
    sort_from(f, from);
    return status;
}

bool eve_flow_same(const struct eve_flow_item *a, const struct eve_flow_item *b)
{
    if (a->block != b->block || a->hash != b->hash || !eve_str_equal(a->spelled, b->spelled)) {
        return false;
    }
    return eve_str_equal(a->said, b->said) || (a->tail && eve_text_ends_with(b->said, a->said)) ||
           (b->tail && eve_text_ends_with(a->said, b->said));
}
