#include "snapshot.h"

#include "block.h"
#include "buf.h"
#include "decode.h"
#include "mem.h"
#include "num.h"
#include "str.h"
#include "text.h"

enum { KEEP_ROOM = 4096 };

/* What is kept of an open block. */
struct kept {
    struct eve_block block;
    struct eve_buf text; /* the last snapshot, raw */
    uint64_t units;      /* of a tool input: its length so far */
    bool escaped;        /* there is a backslash in the text */
    uint64_t birth;      /* tells blocks in the same memory apart; 0: removed */
};

/* The block of the events of a shape, if it has this birth. */
struct link {
    uint64_t shape;
    uint64_t birth;
    struct eve_block *block;
};

struct eve_snapshots {
    struct eve_blocks blocks; /* least recently used first */
    size_t bytes;             /* of all texts */
    uint64_t births;
    struct link link[EVE_EVENT_SHAPES];
};

enum eve_status eve_snapshot_new(struct eve_snapshots **out, const uint64_t seed[2],
                                 struct eve_err *err)
{
    struct eve_snapshots *s = NULL;
    enum eve_status status = eve_mem_resize(&s, 1, sizeof *s, err);
    if (status == EVE_OK) {
        eve_block_init(&s->blocks, sizeof(struct kept), seed);
        s->bytes = 0;
        s->births = 0;
        memset(s->link, 0, sizeof s->link);
        *out = s;
    }
    return status;
}

static struct kept *kept_of(struct eve_block *block)
{
    return (struct kept *)(void *)block;
}

static void drop(struct eve_snapshots *s, struct eve_block *block)
{
    struct kept *k = kept_of(block);
    s->bytes -= k->text.n;
    k->units = 0;
    k->escaped = false;
    k->birth = 0;
    eve_buf_clear(&k->text, KEEP_ROOM);
    eve_block_remove(&s->blocks, block);
}

void eve_snapshot_clear(struct eve_snapshots *s)
{
    while (s->blocks.first != NULL) {
        drop(s, s->blocks.first);
    }
}

void eve_snapshot_free(struct eve_snapshots *s)
{
    if (s == NULL) {
        return;
    }
    eve_snapshot_clear(s);
    for (struct eve_block *b = s->blocks.unused; b != NULL;
         b = eve_block_unused_after(&s->blocks, b)) {
        eve_buf_fini(&kept_of(b)->text);
    }
    eve_block_fini(&s->blocks);
    eve_mem_free(s);
}

/* The text of `block` becomes `text`, or is extended by it; the least recently used make room. */
static enum eve_status keep(struct eve_snapshots *s, struct eve_block *block, struct eve_slice text,
                            bool extend, struct eve_err *err)
{
    struct kept *k = kept_of(block);
    if (!extend) {
        s->bytes -= k->text.n;
        k->text.n = 0;
    }
    eve_block_use(&s->blocks, block);
    while (s->bytes + text.n > EVE_SNAPSHOT_BYTES && s->blocks.first != block) {
        drop(s, s->blocks.first);
    }
    if (s->bytes + text.n > EVE_SNAPSHOT_BYTES) {
        drop(s, block);
        return EVE_OK;
    }
    enum eve_status status = eve_buf_put(&k->text, text, err);
    s->bytes += status == EVE_OK ? text.n : 0;
    return status;
}

static enum eve_status add(struct eve_snapshots *s, enum eve_event_type kind,
                           struct eve_block **out, struct eve_err *err)
{
    if (s->blocks.count == EVE_SNAPSHOT_BLOCKS) {
        drop(s, s->blocks.first);
    }
    enum eve_status status = eve_block_add(&s->blocks, kind, out, err);
    if (status == EVE_OK && kept_of(*out)->text.max == 0) {
        eve_buf_init(&kept_of(*out)->text, SIZE_MAX / 2);
    }
    if (status == EVE_OK) {
        kept_of(*out)->birth = ++s->births;
    }
    return status;
}

/* The block that the shape of the event is linked with, or NULL. */
static struct eve_block *linked(const struct eve_snapshots *s, const struct eve_event *ev)
{
    const struct link *link = &s->link[ev->shape % EVE_EVENT_SHAPES];
    return ev->shape != 0 && link->shape == ev->shape && link->birth == kept_of(link->block)->birth
               ? link->block
               : NULL;
}

static void link_shape(struct eve_snapshots *s, const struct eve_event *ev, struct eve_block *block)
{
    if (ev->shape != 0) {
        s->link[ev->shape % EVE_EVENT_SHAPES] =
            (struct link){ev->shape, kept_of(block)->birth, block};
    }
}

struct eve_block *eve_snapshot_of(const struct eve_snapshots *s, const struct eve_event *ev,
                                  struct eve_slice *kept)
{
    struct eve_block *block = linked(s, ev);
    if (block == NULL || kept_of(block)->text.n == 0) {
        return NULL;
    }
    *kept = eve_buf_slice(&kept_of(block)->text);
    return block;
}

bool eve_snapshot_is_escaped(const struct eve_block *block)
{
    return ((const struct kept *)(const void *)block)->escaped;
}

bool eve_snapshot_is_empty(const struct eve_snapshots *s)
{
    return s->blocks.count == 0;
}

/* The block of an append, if it is open; *out is NULL if not. If `adds`, it is opened. */
static enum eve_status find(struct eve_snapshots *s, const struct eve_event *ev,
                            struct eve_json_value call, bool adds, struct eve_block **out,
                            bool *added, struct eve_err *err)
{
    *out = linked(s, ev);
    if (*out != NULL) {
        return EVE_OK;
    }
    enum eve_status status = eve_block_look(&s->blocks, ev, call, err);
    if (status != EVE_OK) {
        return status;
    }
    *out = eve_block_find(&s->blocks, ev->type);
    if (*out == NULL && adds) {
        *added = true;
        status = add(s, ev->type, out, err);
    }
    if (status == EVE_OK && *out != NULL) {
        link_shape(s, ev, *out);
    }
    return status;
}

/* The snapshot continues what is kept, and the seam is where the delta begins: or six bytes before,
 * if halves of a pair met there. */
static enum eve_status go_on(struct eve_snapshots *s, struct eve_block *block,
                             struct eve_slice snapshot, struct eve_slice delta, bool escaped,
                             struct eve_err *err)
{
    struct kept *k = kept_of(block);
    size_t from = k->text.n;
    if (snapshot.n != from + delta.n) {
        from -= 6;
        s->bytes -= 6;
        k->text.n = from;
    }
    k->escaped = escaped;
    return keep(s, block, eve_str_sub(snapshot, from, snapshot.n), true, err);
}

static enum eve_status see_text(struct eve_snapshots *s, const struct eve_event *ev, bool legacy,
                                bool *restarted, struct eve_err *err)
{
    struct eve_slice delta = eve_text_of(ev->field[eve_decode_delta_field(ev->type)].value);
    struct eve_json_value sum = eve_event_value(ev, eve_decode_sum_field(ev->type));
    struct eve_block *block = ev->continues;
    bool added = false;
    if (block != NULL) {
        return go_on(s, block, eve_text_of(sum), delta, sum.escaped, err);
    }
    enum eve_status status = find(s, ev, (struct eve_json_value){0}, legacy, &block, &added, err);
    if (status != EVE_OK || block == NULL) {
        return status;
    }
    struct kept *k = kept_of(block);
    if (!legacy) { /* both forms in one log: the text goes on */
        k->escaped |= ev->field[eve_decode_delta_field(ev->type)].value.escaped;
        return keep(s, block, delta, true, err);
    }
    struct eve_slice snapshot = eve_text_of(sum);
    *restarted =
        !added && k->text.n > 0 && !eve_text_is_sum(snapshot, eve_buf_slice(&k->text), delta);
    k->escaped = sum.escaped;
    return keep(s, block, snapshot, false, err);
}

static enum eve_status see_input(struct eve_snapshots *s, const struct eve_event *ev, bool legacy,
                                 bool *restarted, struct eve_err *err)
{
    uint64_t offset = 0;
    struct eve_json_value value = eve_event_value(ev, EVE_FIELD_INPUT_TEXT_OFFSET);
    struct eve_block *block = NULL;
    bool added = false;
    enum eve_status status =
        find(s, ev, eve_event_value(ev, EVE_FIELD_CALL_ID), legacy, &block, &added, err);
    if (status != EVE_OK || block == NULL) {
        return status;
    }
    struct kept *k = kept_of(block);
    if (legacy &&
        eve_num_integer((struct eve_slice){value.p, value.n}, EVE_NUM_SAFE_MAX, &offset) &&
        offset == 0) {
        *restarted = k->units > 0;
        k->units = 0;
    }
    k->units += eve_text_count(eve_text_of(ev->field[EVE_FIELD_INPUT_TEXT_DELTA].value));
    eve_block_use(&s->blocks, block);
    return EVE_OK;
}

static void end_block(void *ctx, struct eve_block *block)
{
    drop(ctx, block);
}

static enum eve_status end_blocks(struct eve_snapshots *s, const struct eve_event *ev,
                                  enum eve_block_scope scope, struct eve_err *err)
{
    if (scope == EVE_BLOCK_CALLS) {
        return eve_block_each_called(&s->blocks, ev, end_block, s, err);
    }
    enum eve_status status = eve_block_look(&s->blocks, ev, (struct eve_json_value){0}, err);
    if (status == EVE_OK) {
        eve_block_each_ended(&s->blocks, scope, end_block, s);
    }
    return status;
}

enum eve_status eve_snapshot_see(struct eve_snapshots *s, const struct eve_event *ev, bool legacy,
                                 bool *restarted, struct eve_err *err)
{
    *restarted = false;
    switch (ev->type) {
    case EVE_EVENT_MESSAGE_APPENDED:
    case EVE_EVENT_REASONING_APPENDED:
        if (!legacy && s->blocks.count == 0) {
            return EVE_OK;
        }
        return see_text(s, ev, legacy, restarted, err);
    case EVE_EVENT_INPUT_APPENDED:
        return see_input(s, ev, legacy, restarted, err);
    default:
        break;
    }
    enum eve_block_scope scope = s->blocks.count == 0 ? EVE_BLOCK_NOTHING : eve_block_scope(ev);
    return scope == EVE_BLOCK_NOTHING ? EVE_OK : end_blocks(s, ev, scope, err);
}
