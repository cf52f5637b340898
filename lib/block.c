#include "block.h"

#include "key.h"
#include "map.h"
#include "mem.h"
#include "str.h"
#include "text.h"

enum { FIRST_BUCKETS = 64 };

void eve_block_init(struct eve_blocks *b, size_t size, const uint64_t seed[2])
{
    *b = (struct eve_blocks){.size = size, .seed = {seed[0], seed[1]}};
    eve_arena_init(&b->structs);
    eve_buf_init(&b->keys, SIZE_MAX / 2);
}

void eve_block_fini(struct eve_blocks *b)
{
    eve_mem_free(b->buckets);
    eve_mem_free(b->turns);
    eve_arena_fini(&b->structs);
    eve_buf_fini(&b->keys);
    eve_block_init(b, b->size, b->seed);
}

/* The keys of the event looked at from one place to another. */
static struct eve_slice part(const struct eve_blocks *b, size_t from, size_t to)
{
    return eve_str_sub(eve_buf_slice(&b->keys), from, to);
}

static uint64_t turn_of(const struct eve_blocks *b)
{
    return eve_map_hash(b->seed, part(b, b->group_from, b->turn_to));
}

static uint64_t step_of(const struct eve_blocks *b)
{
    return eve_map_hash(b->seed, part(b, b->group_from, b->keys.n));
}

static void id_of(const struct eve_blocks *b, enum eve_event_type kind, uint64_t id[2])
{
    struct eve_slice keys = kind == EVE_EVENT_INPUT_APPENDED ? part(b, 0, b->group_to)
                                                             : part(b, b->group_from, b->keys.n);
    eve_map_hash128(b->seed, keys, id);
}

enum eve_status eve_block_look(struct eve_blocks *b, const struct eve_event *ev,
                               struct eve_json_value call, struct eve_err *err)
{
    enum eve_status status = EVE_OK;
    b->keys.n = 0;
    if (call.kind != EVE_JSON_NONE) {
        status = eve_key_put(&b->keys, call, err);
    }
    b->group_from = b->keys.n;
    status = status == EVE_OK ? eve_key_put(&b->keys, ev->group, err) : status;
    b->group_to = b->keys.n;
    if (status == EVE_OK) {
        status = eve_key_put(&b->keys, eve_event_value(ev, EVE_FIELD_TURN_ID), err);
    }
    b->turn_to = b->keys.n;
    if (status == EVE_OK) {
        status = eve_key_put(&b->keys, eve_event_value(ev, EVE_FIELD_STEP_INDEX), err);
    }
    if (status == EVE_OK) {
        b->turn = turn_of(b);
        b->step = step_of(b);
    }
    return status;
}

struct eve_block *eve_block_find(const struct eve_blocks *b, enum eve_event_type kind)
{
    uint64_t id[2];
    if (b->count == 0) {
        return NULL;
    }
    id_of(b, kind, id);
    struct eve_block *block = b->buckets[id[0] & (b->bucket_count - 1)];
    while (block != NULL &&
           !(block->id[0] == id[0] && block->id[1] == id[1] && block->kind == kind)) {
        block = block->chain;
    }
    return block;
}

static struct eve_block **turn_bucket(const struct eve_blocks *b, uint64_t turn)
{
    return &b->turns[turn & (b->bucket_count - 1)];
}

static void link_turn(struct eve_blocks *b, struct eve_block *block)
{
    struct eve_block **bucket = turn_bucket(b, block->turn);
    block->turn_before = NULL;
    block->turn_after = *bucket;
    if (*bucket != NULL) {
        (*bucket)->turn_before = block;
    }
    *bucket = block;
}

static void unlink_turn(struct eve_blocks *b, struct eve_block *block)
{
    *(block->turn_before != NULL ? &block->turn_before->turn_after : turn_bucket(b, block->turn)) =
        block->turn_after;
    if (block->turn_after != NULL) {
        block->turn_after->turn_before = block->turn_before;
    }
}

static enum eve_status grow_buckets(struct eve_blocks *b, struct eve_err *err)
{
    size_t count = b->bucket_count == 0 ? FIRST_BUCKETS : b->bucket_count * 2;
    struct eve_block **buckets = NULL;
    enum eve_status status = eve_mem_resize(&b->turns, count, sizeof(struct eve_block *), err);
    if (status == EVE_OK) {
        status = eve_mem_resize(&buckets, count, sizeof(struct eve_block *), err);
    }
    if (status != EVE_OK) {
        return status;
    }
    eve_mem_free(b->buckets);
    b->buckets = buckets;
    b->bucket_count = count;
    for (size_t i = 0; i < count; i++) {
        buckets[i] = NULL;
        b->turns[i] = NULL;
    }
    for (struct eve_block *block = b->first; block != NULL; block = block->after) {
        size_t i = block->id[0] & (count - 1);
        block->chain = buckets[i];
        buckets[i] = block;
        link_turn(b, block);
    }
    return EVE_OK;
}

/* A struct to use: one that was removed before, or a new one. */
static enum eve_status take_unused(struct eve_blocks *b, struct eve_block **out,
                                   struct eve_err *err)
{
    char *fresh = NULL;
    if (b->unused != NULL) {
        *out = b->unused;
        return EVE_OK;
    }
    enum eve_status status = eve_arena_alloc(&b->structs, b->size, &fresh, err);
    if (status == EVE_OK) {
        memset(fresh, 0, b->size);
        *out = b->unused = (struct eve_block *)(void *)fresh;
    }
    return status;
}

static void link_last(struct eve_blocks *b, struct eve_block *block)
{
    block->before = b->last;
    block->after = NULL;
    *(b->last != NULL ? &b->last->after : &b->first) = block;
    b->last = block;
}

static void unlink_order(struct eve_blocks *b, struct eve_block *block)
{
    *(block->before != NULL ? &block->before->after : &b->first) = block->after;
    *(block->after != NULL ? &block->after->before : &b->last) = block->before;
}

enum eve_status eve_block_add(struct eve_blocks *b, enum eve_event_type kind,
                              struct eve_block **out, struct eve_err *err)
{
    struct eve_block *block = NULL;
    enum eve_status status = b->count >= b->bucket_count ? grow_buckets(b, err) : EVE_OK;
    if (status == EVE_OK) {
        status = take_unused(b, &block, err);
    }
    if (status != EVE_OK) {
        return status;
    }
    b->unused = block->chain;
    block->kind = kind;
    block->turn = b->turn;
    block->step = b->step;
    id_of(b, kind, block->id);
    struct eve_block **bucket = &b->buckets[block->id[0] & (b->bucket_count - 1)];
    block->chain = *bucket;
    *bucket = block;
    link_last(b, block);
    b->count++;
    b->inputs += kind == EVE_EVENT_INPUT_APPENDED ? 1 : 0;
    link_turn(b, block);
    *out = block;
    return EVE_OK;
}

void eve_block_use(struct eve_blocks *b, struct eve_block *block)
{
    if (b->last != block) {
        unlink_order(b, block);
        link_last(b, block);
    }
}

void eve_block_remove(struct eve_blocks *b, struct eve_block *block)
{
    struct eve_block **link = &b->buckets[block->id[0] & (b->bucket_count - 1)];
    while (*link != block) {
        link = &(*link)->chain;
    }
    *link = block->chain;
    unlink_order(b, block);
    block->chain = b->unused;
    b->unused = block;
    b->count--;
    b->inputs -= block->kind == EVE_EVENT_INPUT_APPENDED ? 1 : 0;
    unlink_turn(b, block);
}

/* An action.result that withdraws its call: the model's attempt was given up. */
static bool withdraws(const struct eve_event *ev)
{
    struct eve_json_value code = eve_event_find(eve_event_value(ev, EVE_FIELD_ERROR), "code");
    return code.kind == EVE_JSON_STRING && eve_text_is(code, "MODEL_CALL_ATTEMPT_RETRIED");
}

enum eve_block_scope eve_block_scope(const struct eve_event *ev)
{
    switch (ev->type) {
    case EVE_EVENT_MESSAGE_COMPLETED:
        return EVE_BLOCK_MESSAGE;
    case EVE_EVENT_REASONING_COMPLETED:
        return EVE_BLOCK_REASONING;
    case EVE_EVENT_STEP_STARTED:
    case EVE_EVENT_STEP_COMPLETED:
    case EVE_EVENT_STEP_FAILED:
        return EVE_BLOCK_STEP;
    case EVE_EVENT_TURN_COMPLETED:
    case EVE_EVENT_TURN_FAILED:
    case EVE_EVENT_TURN_CANCELLED:
        return EVE_BLOCK_TURN;
    case EVE_EVENT_ACTIONS_REQUESTED:
        return EVE_BLOCK_CALLS;
    case EVE_EVENT_ACTION_RESULT:
        return withdraws(ev) ? EVE_BLOCK_CALLS : EVE_BLOCK_NOTHING;
    default:
        return EVE_BLOCK_NOTHING;
    }
}

bool eve_block_is_ended(const struct eve_blocks *b, const struct eve_block *block,
                        enum eve_block_scope scope)
{
    switch (scope) {
    case EVE_BLOCK_MESSAGE:
        return block->kind == EVE_EVENT_MESSAGE_APPENDED && block->step == b->step;
    case EVE_BLOCK_REASONING:
        return block->kind == EVE_EVENT_REASONING_APPENDED && block->step == b->step;
    case EVE_BLOCK_STEP:
        return block->step == b->step;
    case EVE_BLOCK_TURN:
        return block->turn == b->turn;
    default:
        return false;
    }
}

/* End the one block of `kind` at the coordinates of the event. */
static void end_one(struct eve_blocks *b, enum eve_event_type kind,
                    void (*end)(void *ctx, struct eve_block *block), void *ctx)
{
    struct eve_block *block = eve_block_find(b, kind);
    if (block != NULL) {
        end(ctx, block);
    }
}

void eve_block_each_ended(struct eve_blocks *b, enum eve_block_scope scope,
                          void (*end)(void *ctx, struct eve_block *block), void *ctx)
{
    if (scope == EVE_BLOCK_MESSAGE || scope == EVE_BLOCK_STEP) {
        end_one(b, EVE_EVENT_MESSAGE_APPENDED, end, ctx);
    }
    if (scope == EVE_BLOCK_REASONING || scope == EVE_BLOCK_STEP) {
        end_one(b, EVE_EVENT_REASONING_APPENDED, end, ctx);
    }
    bool more = scope == EVE_BLOCK_TURN || (scope == EVE_BLOCK_STEP && b->inputs > 0);
    struct eve_block *block = more && b->count > 0 ? *turn_bucket(b, b->turn) : NULL;
    while (block != NULL) {
        struct eve_block *after = block->turn_after;
        if (eve_block_is_ended(b, block, scope)) {
            end(ctx, block);
        }
        block = after;
    }
}

bool eve_block_call(const struct eve_event *ev, size_t *at, struct eve_json_value *call,
                    struct eve_json_value *action)
{
    struct eve_json j;
    struct eve_err ignored; /* it was scanned before */
    struct eve_json_value actions = eve_event_value(ev, EVE_FIELD_ACTIONS);
    if (ev->type == EVE_EVENT_ACTION_RESULT) {
        *action = eve_event_value(ev, EVE_FIELD_RESULT);
        *call = eve_event_find(*action, "callId");
        return (*at)++ == 0;
    }
    if (actions.kind != EVE_JSON_ARRAY) {
        return false;
    }
    /* `at` is where the last element ended, so that going through them all is linear. */
    eve_json_open(&j, (struct eve_slice){actions.p, actions.n});
    if (eve_json_enter(&j, &ignored) != EVE_OK) {
        return false;
    }
    if (*at > 0) {
        eve_json_resume(&j, actions.p + *at);
    }
    if (eve_json_element(&j, &ignored) != EVE_OK || eve_json_skip(&j, action, &ignored) != EVE_OK) {
        return false;
    }
    *at = (size_t)(eve_json_at(&j) - actions.p);
    *call = eve_event_find(*action, "callId");
    return true;
}
