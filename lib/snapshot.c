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
    struct eve_buf turn; /* turnId and stepIndex as spelled */
    struct eve_buf step;
    struct eve_block *next; /* the block whose append came after this one's, last time; a guess */
};

struct eve_snapshots {
    struct eve_blocks blocks; /* least recently used first */
    size_t bytes;             /* of all texts */
    struct eve_block *latest; /* block of the last append, or NULL; may have been removed since */
};

enum eve_status eve_snapshot_new(struct eve_snapshots **out, const uint64_t seed[2],
                                 struct eve_err *err)
{
    struct eve_snapshots *s = NULL;
    enum eve_status status = eve_mem_resize(&s, 1, sizeof *s, err);
    if (status == EVE_OK) {
        eve_block_init(&s->blocks, sizeof(struct kept), seed);
        s->bytes = 0;
        s->latest = NULL;
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
    for (struct eve_block *b = s->blocks.unused; b != NULL; b = b->chain) {
        eve_buf_fini(&kept_of(b)->text);
        eve_buf_fini(&kept_of(b)->turn);
        eve_buf_fini(&kept_of(b)->step);
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
        eve_buf_init(&kept_of(*out)->turn, SIZE_MAX / 2);
        eve_buf_init(&kept_of(*out)->step, SIZE_MAX / 2);
    }
    return status;
}

/* Note how turn and step are spelled, for eve_snapshot_fits. */
static enum eve_status spell(struct kept *k, const struct eve_event *ev, struct eve_err *err)
{
    struct eve_json_value turn = eve_event_value(ev, EVE_FIELD_TURN_ID);
    struct eve_json_value step = eve_event_value(ev, EVE_FIELD_STEP_INDEX);
    k->turn.n = k->step.n = 0;
    enum eve_status status = eve_buf_put(&k->turn, (struct eve_slice){turn.p, turn.n}, err);
    return status == EVE_OK ? eve_buf_put(&k->step, (struct eve_slice){step.p, step.n}, err)
                            : status;
}

/* This block's append came now: so it may the next time after the one before. */
static void follow(struct eve_snapshots *s, struct eve_block *block)
{
    if (s->latest != NULL) {
        kept_of(s->latest)->next = block;
    }
    s->latest = block;
}

static bool is_continued(const struct eve_block *block, enum eve_event_type kind,
                         struct eve_slice delta, struct eve_slice rest)
{
    const struct kept *k = (const struct kept *)(const void *)block;
    size_t n = k->text.n + delta.n;
    return block->kind == kind && k->text.n > 0 && n < rest.n && rest.p[n] == '"' &&
           memcmp(rest.p + k->text.n, delta.p, delta.n) == 0 &&
           memcmp(rest.p, k->text.p, k->text.n) == 0;
}

struct eve_block *eve_snapshot_match(struct eve_snapshots *s, enum eve_event_type kind,
                                     struct eve_slice delta, struct eve_slice rest, size_t *n,
                                     bool *escaped)
{
    struct eve_block *block = s->latest != NULL ? kept_of(s->latest)->next : NULL;
    if (block == NULL || !is_continued(block, kind, delta, rest)) {
        block = s->blocks.last;
        while (block != NULL && !is_continued(block, kind, delta, rest)) {
            block = block->before;
        }
    }
    if (block != NULL) {
        *n = kept_of(block)->text.n + delta.n;
        *escaped = kept_of(block)->escaped;
    }
    return block;
}

bool eve_snapshot_fits(const struct eve_block *block, const struct eve_event *ev)
{
    const struct kept *k = (const struct kept *)(const void *)block;
    struct eve_json_value turn = ev->field[EVE_FIELD_TURN_ID].value;
    struct eve_json_value step = ev->field[EVE_FIELD_STEP_INDEX].value;
    return eve_str_equal(eve_buf_slice(&k->turn), (struct eve_slice){turn.p, turn.n}) &&
           eve_str_equal(eve_buf_slice(&k->step), (struct eve_slice){step.p, step.n});
}

static enum eve_status see_text(struct eve_snapshots *s, const struct eve_event *ev, bool legacy,
                                bool *restarted, struct eve_err *err)
{
    const struct eve_json_value *value = &ev->field[eve_decode_delta_field(ev->type)].value;
    struct eve_slice delta = eve_text_of(*value);
    struct eve_block *block = ev->continues;
    if (block != NULL) {
        follow(s, block);
        kept_of(block)->escaped |= value->escaped;
        return keep(s, block, delta, true, err);
    }
    enum eve_status status = eve_block_look(&s->blocks, ev, (struct eve_json_value){0}, err);
    if (status != EVE_OK) {
        return status;
    }
    block = eve_block_find(&s->blocks, ev->type);
    if (!legacy) { /* both forms in one log: the text goes on */
        return block == NULL ? EVE_OK : keep(s, block, delta, true, err);
    }
    value = &ev->field[eve_decode_sum_field(ev->type)].value;
    struct eve_slice snapshot = eve_text_of(*value);
    bool goes_on = true;
    if (block == NULL) {
        status = add(s, ev->type, &block, err);
    } else {
        struct eve_slice kept = eve_buf_slice(&kept_of(block)->text);
        goes_on = eve_text_is_sum(snapshot, kept, delta);
        *restarted = !goes_on && kept.n > 0;
    }
    if (status == EVE_OK) {
        follow(s, block);
        kept_of(block)->escaped = value->escaped;
        status = spell(kept_of(block), ev, err);
    }
    return status == EVE_OK ? keep(s, block, snapshot, false, err) : status;
}

static enum eve_status see_input(struct eve_snapshots *s, const struct eve_event *ev, bool legacy,
                                 bool *restarted, struct eve_err *err)
{
    uint64_t offset = 0;
    struct eve_json_value value = eve_event_value(ev, EVE_FIELD_INPUT_TEXT_OFFSET);
    struct eve_json_value call = eve_event_value(ev, EVE_FIELD_CALL_ID);
    enum eve_status status = eve_block_look(&s->blocks, ev, call, err);
    if (status != EVE_OK) {
        return status;
    }
    struct eve_block *block = eve_block_find(&s->blocks, ev->type);
    if (block == NULL && legacy) {
        status = add(s, ev->type, &block, err);
    }
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

/* The inputs of the calls that the event names are over. */
static enum eve_status end_calls(struct eve_snapshots *s, const struct eve_event *ev,
                                 struct eve_err *err)
{
    size_t at = 0;
    struct eve_json_value call;
    struct eve_json_value action;
    enum eve_status status = EVE_OK;
    while (status == EVE_OK && eve_block_call(ev, &at, &call, &action)) {
        status = eve_block_look(&s->blocks, ev, call, err);
        struct eve_block *block =
            status == EVE_OK ? eve_block_find(&s->blocks, EVE_EVENT_INPUT_APPENDED) : NULL;
        if (block != NULL) {
            drop(s, block);
        }
    }
    return status;
}

static void end_block(void *ctx, struct eve_block *block)
{
    drop(ctx, block);
}

static enum eve_status end_blocks(struct eve_snapshots *s, const struct eve_event *ev,
                                  enum eve_block_scope scope, struct eve_err *err)
{
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
    if (scope == EVE_BLOCK_NOTHING) {
        return EVE_OK;
    }
    return scope == EVE_BLOCK_CALLS ? end_calls(s, ev, err) : end_blocks(s, ev, scope, err);
}
