#include "block.h"

#include "key.h"
#include "map.h"
#include "mem.h"
#include "str.h"
#include "text.h"

#include <errno.h>
#include <string.h>

enum { FIRST_BUCKETS = 64, CHUNK = 64, FIRST_CHUNKS = 16 };

void eve_block_init(struct eve_blocks *b, size_t size, const uint64_t seed[2])
{
    *b = (struct eve_blocks){.size = size, .seed = {seed[0], seed[1]}};
    eve_buf_init(&b->keys, SIZE_MAX / 2);
}

struct eve_block *eve_block_at(const struct eve_blocks *b, uint32_t number)
{
    if (number == 0) {
        return NULL;
    }
    char *chunk = b->structs[(number - 1) / CHUNK];
    return (struct eve_block *)(void *)(chunk + (number - 1) % CHUNK * b->size);
}

void eve_block_fini(struct eve_blocks *b)
{
    eve_mem_free(b->buckets);
    eve_mem_free(b->turns);
    for (size_t i = 0; i < (b->made + CHUNK - 1) / CHUNK; i++) {
        eve_mem_free(b->structs[i]);
    }
    eve_mem_free(b->structs);
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
    struct eve_block *block = eve_block_at(b, b->buckets[id[0] & (b->bucket_count - 1)]);
    while (block != NULL &&
           !(block->id[0] == id[0] && block->id[1] == id[1] && block->kind == kind)) {
        block = eve_block_at(b, block->chain);
    }
    return block;
}

static uint32_t *turn_bucket(const struct eve_blocks *b, uint64_t turn)
{
    return &b->turns[turn & (b->bucket_count - 1)];
}

static void link_turn(struct eve_blocks *b, struct eve_block *block)
{
    uint32_t *bucket = turn_bucket(b, block->turn);
    block->turn_before = 0;
    block->turn_after = *bucket;
    if (*bucket != 0) {
        eve_block_at(b, *bucket)->turn_before = block->number;
    }
    *bucket = block->number;
}

static void unlink_turn(struct eve_blocks *b, struct eve_block *block)
{
    *(block->turn_before != 0 ? &eve_block_at(b, block->turn_before)->turn_after
                              : turn_bucket(b, block->turn)) = block->turn_after;
    if (block->turn_after != 0) {
        eve_block_at(b, block->turn_after)->turn_before = block->turn_before;
    }
}

static enum eve_status grow_buckets(struct eve_blocks *b, struct eve_err *err)
{
    size_t count = b->bucket_count == 0 ? FIRST_BUCKETS : b->bucket_count * 2;
    uint32_t *buckets = NULL;
    enum eve_status status = eve_mem_resize(&b->turns, count, sizeof *b->turns, err);
    if (status == EVE_OK) {
        status = eve_mem_resize(&buckets, count, sizeof *buckets, err);
    }
    if (status != EVE_OK) {
        return status;
    }
    eve_mem_free(b->buckets);
    b->buckets = buckets;
    b->bucket_count = count;
    memset(buckets, 0, count * sizeof *buckets);
    memset(b->turns, 0, count * sizeof *b->turns);
    for (struct eve_block *block = b->first; block != NULL; block = eve_block_after(b, block)) {
        size_t i = block->id[0] & (count - 1);
        block->chain = buckets[i];
        buckets[i] = block->number;
        link_turn(b, block);
    }
    return EVE_OK;
}

/* Room for one more struct. */
static enum eve_status add_chunk(struct eve_blocks *b, struct eve_err *err)
{
    size_t chunk = b->made / CHUNK;
    if (b->made > UINT32_MAX - CHUNK) {
        return eve_fail(err, EVE_FAIL, EVE_RULE_NONE, "too many open blocks", 0, ENOMEM);
    }
    if (chunk == b->struct_cap) {
        size_t cap = eve_mem_grow(b->struct_cap, chunk + 1, FIRST_CHUNKS, SIZE_MAX / 2);
        enum eve_status status = eve_mem_resize(&b->structs, cap, sizeof *b->structs, err);
        if (status != EVE_OK) {
            return status;
        }
        b->struct_cap = cap;
    }
    b->structs[chunk] = NULL;
    return eve_mem_resize(&b->structs[chunk], CHUNK, b->size, err);
}

/* A struct to use: one that was removed before, or a new one. */
static enum eve_status take_unused(struct eve_blocks *b, struct eve_block **out,
                                   struct eve_err *err)
{
    if (b->unused == NULL) {
        enum eve_status status = b->made % CHUNK == 0 ? add_chunk(b, err) : EVE_OK;
        if (status != EVE_OK) {
            return status;
        }
        b->unused = eve_block_at(b, ++b->made);
        memset(b->unused, 0, b->size);
        b->unused->number = b->made;
    }
    *out = b->unused;
    return EVE_OK;
}

struct eve_block *eve_block_after(const struct eve_blocks *b, const struct eve_block *block)
{
    return eve_block_at(b, block->after);
}

struct eve_block *eve_block_unused_after(const struct eve_blocks *b, const struct eve_block *block)
{
    return eve_block_at(b, block->chain);
}

static void link_last(struct eve_blocks *b, struct eve_block *block)
{
    block->before = b->last != NULL ? b->last->number : 0;
    block->after = 0;
    if (b->last != NULL) {
        b->last->after = block->number;
    } else {
        b->first = block;
    }
    b->last = block;
}

static void unlink_order(struct eve_blocks *b, struct eve_block *block)
{
    struct eve_block *before = eve_block_at(b, block->before);
    struct eve_block *after = eve_block_at(b, block->after);
    if (before != NULL) {
        before->after = block->after;
    } else {
        b->first = after;
    }
    if (after != NULL) {
        after->before = block->before;
    } else {
        b->last = before;
    }
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
    b->unused = eve_block_unused_after(b, block);
    block->kind = kind;
    block->turn = b->turn;
    block->step = b->step;
    id_of(b, kind, block->id);
    uint32_t *bucket = &b->buckets[block->id[0] & (b->bucket_count - 1)];
    block->chain = *bucket;
    *bucket = block->number;
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

void eve_block_renew(struct eve_blocks *b, struct eve_block *block)
{
    unlink_turn(b, block);
    block->turn = b->turn;
    block->step = b->step;
    link_turn(b, block);
    eve_block_use(b, block);
}

void eve_block_remove(struct eve_blocks *b, struct eve_block *block)
{
    uint32_t *link = &b->buckets[block->id[0] & (b->bucket_count - 1)];
    while (*link != block->number) {
        link = &eve_block_at(b, *link)->chain;
    }
    *link = block->chain;
    unlink_order(b, block);
    block->chain = b->unused != NULL ? b->unused->number : 0;
    b->unused = block;
    b->count--;
    b->inputs -= block->kind == EVE_EVENT_INPUT_APPENDED ? 1 : 0;
    unlink_turn(b, block);
}

/* An action.result that withdraws its call: the model's attempt was given up. */
static bool withdraws(const struct eve_event *ev)
{
    struct eve_json_value code = eve_event_find(eve_event_value(ev, EVE_FIELD_ERROR), "code");
    return eve_text_is(code, "MODEL_CALL_ATTEMPT_RETRIED");
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
    struct eve_block *block =
        more && b->count > 0 ? eve_block_at(b, *turn_bucket(b, b->turn)) : NULL;
    while (block != NULL) {
        struct eve_block *after = eve_block_at(b, block->turn_after);
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

enum eve_status eve_block_each_called(struct eve_blocks *b, const struct eve_event *ev,
                                      void (*end)(void *ctx, struct eve_block *block), void *ctx,
                                      struct eve_err *err)
{
    size_t at = 0;
    struct eve_json_value call;
    struct eve_json_value action;
    enum eve_status status = EVE_OK;
    while (status == EVE_OK && eve_block_call(ev, &at, &call, &action)) {
        status = eve_block_look(b, ev, call, err);
        if (status == EVE_OK) {
            end_one(b, EVE_EVENT_INPUT_APPENDED, end, ctx);
        }
    }
    return status;
}

const char *eve_block_kind_name(enum eve_event_type kind)
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
