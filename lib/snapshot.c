#include "snapshot.h"

#include "buf.h"
#include "decode.h"
#include "key.h"
#include "map.h"
#include "mem.h"
#include "num.h"
#include "str.h"
#include "text.h"

enum { BUCKETS = 1024, NONE = UINT16_MAX, KEEP_ROOM = 4096 };

/* An open block. Its keys lie in `keys` one behind the other: group, turn, step, call. */
struct block {
    struct eve_buf keys;
    size_t turn;   /* where the key of the turn begins; that of the group lies before it */
    size_t step;   /* of the step */
    size_t call;   /* of the call, empty for a text block */
    uint16_t kind; /* enum eve_event_type of its appends */
    uint16_t next; /* in its bucket, or in the free list */
    uint16_t newer;
    uint16_t older;
    uint16_t bucket;
    struct eve_buf text; /* the last snapshot, raw */
    uint64_t units;      /* of a tool input: its length so far */
};

struct eve_snapshots {
    struct block blocks[EVE_SNAPSHOT_BLOCKS];
    uint16_t buckets[BUCKETS];
    uint16_t unused; /* free list */
    uint16_t newest;
    uint16_t oldest;
    size_t bytes; /* of all texts */
    uint64_t seed[2];
    struct eve_buf keys; /* of the event at hand */
    size_t turn, step, call;
};

enum eve_status eve_snapshot_new(struct eve_snapshots **out, const uint64_t seed[2],
                                 struct eve_err *err)
{
    struct eve_snapshots *s = NULL;
    enum eve_status status = eve_mem_resize(&s, 1, sizeof *s, err);
    if (status != EVE_OK) {
        return status;
    }
    memset(s, 0, sizeof *s);
    s->seed[0] = seed[0];
    s->seed[1] = seed[1];
    eve_buf_init(&s->keys, SIZE_MAX / 2);
    for (size_t i = 0; i < BUCKETS; i++) {
        s->buckets[i] = NONE;
    }
    for (size_t i = 0; i < EVE_SNAPSHOT_BLOCKS; i++) {
        eve_buf_init(&s->blocks[i].keys, SIZE_MAX / 2);
        eve_buf_init(&s->blocks[i].text, SIZE_MAX / 2);
        s->blocks[i].next = i + 1 < EVE_SNAPSHOT_BLOCKS ? (uint16_t)(i + 1) : (uint16_t)NONE;
    }
    s->newest = s->oldest = NONE;
    *out = s;
    return EVE_OK;
}

/* Take the block out of the order of use. */
static void unlink_use(struct eve_snapshots *s, struct block *b)
{
    if (b->newer != NONE) {
        s->blocks[b->newer].older = b->older;
    } else {
        s->newest = b->older;
    }
    if (b->older != NONE) {
        s->blocks[b->older].newer = b->newer;
    } else {
        s->oldest = b->newer;
    }
}

static void link_newest(struct eve_snapshots *s, uint16_t i)
{
    struct block *b = &s->blocks[i];
    b->newer = NONE;
    b->older = s->newest;
    if (s->newest != NONE) {
        s->blocks[s->newest].newer = i;
    } else {
        s->oldest = i;
    }
    s->newest = i;
}

static void drop(struct eve_snapshots *s, uint16_t i)
{
    struct block *b = &s->blocks[i];
    uint16_t *link = &s->buckets[b->bucket];
    while (*link != i) {
        link = &s->blocks[*link].next;
    }
    *link = b->next;
    unlink_use(s, b);
    s->bytes -= b->text.n;
    eve_buf_clear(&b->text, KEEP_ROOM);
    eve_buf_clear(&b->keys, KEEP_ROOM);
    b->next = s->unused;
    s->unused = i;
}

void eve_snapshot_clear(struct eve_snapshots *s)
{
    while (s->newest != NONE) {
        drop(s, s->newest);
    }
}

void eve_snapshot_free(struct eve_snapshots *s)
{
    if (s == NULL) {
        return;
    }
    for (size_t i = 0; i < EVE_SNAPSHOT_BLOCKS; i++) {
        eve_buf_fini(&s->blocks[i].text);
        eve_buf_fini(&s->blocks[i].keys);
    }
    eve_buf_fini(&s->keys);
    eve_mem_free(s);
}

/* Put the keys of the event at hand into s->keys. `call`: the call it is about, if any. */
static enum eve_status make_keys(struct eve_snapshots *s, const struct eve_event *ev,
                                 struct eve_json_value call, struct eve_err *err)
{
    s->keys.n = 0;
    enum eve_status status = eve_key_put(&s->keys, ev->group, err);
    s->turn = s->keys.n;
    if (status == EVE_OK) {
        status = eve_key_put(&s->keys, eve_event_value(ev, EVE_FIELD_TURN_ID), err);
    }
    s->step = s->keys.n;
    if (status == EVE_OK) {
        status = eve_key_put(&s->keys, eve_event_value(ev, EVE_FIELD_STEP_INDEX), err);
    }
    s->call = s->keys.n;
    if (status == EVE_OK && call.kind != EVE_JSON_NONE) {
        status = eve_key_put(&s->keys, call, err);
    }
    return status;
}

/* The keys of `b` from `from` up to `to` are the `to2 - from2` bytes of the event's from `from2`.
 */
static bool same_part(const struct eve_snapshots *s, const struct block *b, size_t from, size_t to,
                      size_t from2, size_t to2)
{
    return eve_str_equal(eve_str_sub(eve_buf_slice(&b->keys), from, to),
                         eve_str_sub(eve_buf_slice(&s->keys), from2, to2));
}

/* A text belongs to its group, turn and step, a tool input to its group and call. */
static bool same_block(const struct eve_snapshots *s, const struct block *b, uint16_t kind)
{
    if (b->kind != kind || !same_part(s, b, 0, b->turn, 0, s->turn)) {
        return false;
    }
    return kind == EVE_EVENT_INPUT_APPENDED
               ? same_part(s, b, b->call, b->keys.n, s->call, s->keys.n)
               : same_part(s, b, b->turn, b->call, s->turn, s->call);
}

static uint16_t bucket_of(const struct eve_snapshots *s, uint16_t kind)
{
    struct eve_slice keys = eve_buf_slice(&s->keys);
    uint64_t hash = kind == EVE_EVENT_INPUT_APPENDED
                        ? eve_map_hash(s->seed, eve_str_sub(keys, s->call, keys.n))
                        : eve_map_hash(s->seed, keys) + kind;
    return (uint16_t)(hash % BUCKETS);
}

/* The block of the event at hand, or NONE. */
static uint16_t find(const struct eve_snapshots *s, uint16_t kind)
{
    uint16_t i = s->buckets[bucket_of(s, kind)];
    while (i != NONE && !same_block(s, &s->blocks[i], kind)) {
        i = s->blocks[i].next;
    }
    return i;
}

/* A new block with the keys of the event at hand. */
static enum eve_status add(struct eve_snapshots *s, uint16_t kind, uint16_t *out,
                           struct eve_err *err)
{
    if (s->unused == NONE) {
        drop(s, s->oldest);
    }
    uint16_t i = s->unused;
    struct block *b = &s->blocks[i];
    enum eve_status status = eve_buf_put(&b->keys, eve_buf_slice(&s->keys), err);
    if (status != EVE_OK) {
        return status;
    }
    s->unused = b->next;
    b->kind = kind;
    b->turn = s->turn;
    b->step = s->step;
    b->call = s->call;
    b->units = 0;
    b->bucket = bucket_of(s, kind);
    b->next = s->buckets[b->bucket];
    s->buckets[b->bucket] = i;
    link_newest(s, i);
    *out = i;
    return EVE_OK;
}

/* The text of block `i` becomes `text`, or is extended by it; others make room. */
static enum eve_status keep(struct eve_snapshots *s, uint16_t i, struct eve_slice text, bool extend,
                            struct eve_err *err)
{
    struct block *b = &s->blocks[i];
    if (!extend) {
        s->bytes -= b->text.n;
        b->text.n = 0;
    }
    unlink_use(s, b);
    link_newest(s, i);
    while (s->bytes + text.n > EVE_SNAPSHOT_BYTES && s->oldest != i) {
        drop(s, s->oldest);
    }
    if (s->bytes + text.n > EVE_SNAPSHOT_BYTES) {
        drop(s, i);
        return EVE_OK;
    }
    s->bytes += text.n;
    enum eve_status status = eve_buf_put(&b->text, text, err);
    if (status != EVE_OK) {
        s->bytes -= text.n;
    }
    return status;
}

static enum eve_status see_text(struct eve_snapshots *s, const struct eve_event *ev, bool legacy,
                                bool *restarted, struct eve_err *err)
{
    uint16_t kind = (uint16_t)ev->type;
    enum eve_status status = make_keys(s, ev, (struct eve_json_value){0}, err);
    if (status != EVE_OK) {
        return status;
    }
    uint16_t i = find(s, kind);
    struct eve_slice delta = eve_text_of(ev->field[eve_decode_delta_field(ev->type)].value);
    if (!legacy) { /* both forms in one log: the text goes on */
        return i == NONE ? EVE_OK : keep(s, i, delta, true, err);
    }
    struct eve_slice snapshot = eve_text_of(ev->field[eve_decode_sum_field(ev->type)].value);
    if (i == NONE) {
        status = add(s, kind, &i, err);
        return status == EVE_OK ? keep(s, i, snapshot, false, err) : status;
    }
    struct eve_slice kept = eve_buf_slice(&s->blocks[i].text);
    bool goes_on = eve_text_is_sum(snapshot, kept, delta);
    *restarted = !goes_on && kept.n > 0;
    if (goes_on && snapshot.n == kept.n + delta.n) {
        return keep(s, i, delta, true, err);
    }
    return keep(s, i, snapshot, false, err);
}

static enum eve_status see_input(struct eve_snapshots *s, const struct eve_event *ev, bool legacy,
                                 bool *restarted, struct eve_err *err)
{
    uint64_t offset = 0;
    uint16_t kind = (uint16_t)ev->type;
    struct eve_json_value value = eve_event_value(ev, EVE_FIELD_INPUT_TEXT_OFFSET);
    enum eve_status status = make_keys(s, ev, eve_event_value(ev, EVE_FIELD_CALL_ID), err);
    if (status != EVE_OK) {
        return status;
    }
    uint16_t i = find(s, kind);
    if (i == NONE && legacy) {
        status = add(s, kind, &i, err);
    }
    if (status != EVE_OK || i == NONE) {
        return status;
    }
    struct block *b = &s->blocks[i];
    uint64_t units = eve_text_count(eve_text_of(ev->field[EVE_FIELD_INPUT_TEXT_DELTA].value));
    if (legacy &&
        eve_num_integer((struct eve_slice){value.p, value.n}, EVE_NUM_SAFE_MAX, &offset) &&
        offset == 0) {
        *restarted = b->units > 0;
        b->units = 0;
    }
    b->units += units;
    return keep(s, i, (struct eve_slice){0}, true, err);
}

/* What an event ends. */
enum scope {
    ENDS_NOTHING,
    ENDS_MESSAGE,
    ENDS_REASONING,
    ENDS_STEP,
    ENDS_TURN,
};

static enum scope scope_of(enum eve_event_type type)
{
    switch (type) {
    case EVE_EVENT_MESSAGE_COMPLETED:
        return ENDS_MESSAGE;
    case EVE_EVENT_REASONING_COMPLETED:
        return ENDS_REASONING;
    case EVE_EVENT_STEP_STARTED: /* of a step still open: it was given up */
    case EVE_EVENT_STEP_COMPLETED:
    case EVE_EVENT_STEP_FAILED:
        return ENDS_STEP;
    case EVE_EVENT_TURN_COMPLETED:
    case EVE_EVENT_TURN_FAILED:
    case EVE_EVENT_TURN_CANCELLED:
        return ENDS_TURN;
    default:
        return ENDS_NOTHING;
    }
}

static bool is_ended(const struct eve_snapshots *s, const struct block *b, enum scope scope)
{
    bool turn = same_part(s, b, 0, b->step, 0, s->step); /* group and turn */
    bool step = same_part(s, b, b->step, b->call, s->step, s->call);
    switch (scope) {
    case ENDS_MESSAGE:
        return turn && step && b->kind == EVE_EVENT_MESSAGE_APPENDED;
    case ENDS_REASONING:
        return turn && step && b->kind == EVE_EVENT_REASONING_APPENDED;
    case ENDS_STEP:
        return turn && step;
    case ENDS_TURN:
        return turn;
    default:
        return false;
    }
}

static enum eve_status end_blocks(struct eve_snapshots *s, const struct eve_event *ev,
                                  enum scope scope, struct eve_err *err)
{
    enum eve_status status = make_keys(s, ev, (struct eve_json_value){0}, err);
    uint16_t older = NONE;
    for (uint16_t i = s->newest; status == EVE_OK && i != NONE; i = older) {
        older = s->blocks[i].older;
        if (is_ended(s, &s->blocks[i], scope)) {
            drop(s, i);
        }
    }
    return status;
}

static enum eve_status end_call(struct eve_snapshots *s, const struct eve_event *ev,
                                struct eve_json_value call, struct eve_err *err)
{
    if (call.kind == EVE_JSON_NONE) {
        return EVE_OK;
    }
    enum eve_status status = make_keys(s, ev, call, err);
    uint16_t i = status == EVE_OK ? find(s, EVE_EVENT_INPUT_APPENDED) : (uint16_t)NONE;
    if (i != NONE) {
        drop(s, i);
    }
    return status;
}

/* A request ends the input blocks of its calls. */
static enum eve_status end_requested(struct eve_snapshots *s, const struct eve_event *ev,
                                     struct eve_err *err)
{
    struct eve_json j;
    struct eve_json_value action;
    struct eve_json_value actions = eve_event_value(ev, EVE_FIELD_ACTIONS);
    eve_json_open(&j, (struct eve_slice){actions.p, actions.n});
    enum eve_status status = eve_json_enter(&j, err);
    while (status == EVE_OK && (status = eve_json_element(&j, err)) == EVE_OK) {
        status = eve_json_skip(&j, &action, err);
        if (status == EVE_OK) {
            status = end_call(s, ev, eve_event_find(action, "callId"), err);
        }
    }
    return status == EVE_END ? EVE_OK : status;
}

/* A result that withdraws its call: the model's attempt was given up. */
static enum eve_status end_withdrawn(struct eve_snapshots *s, const struct eve_event *ev,
                                     struct eve_err *err)
{
    struct eve_json_value code = eve_event_find(eve_event_value(ev, EVE_FIELD_ERROR), "code");
    struct eve_json_value result = eve_event_value(ev, EVE_FIELD_RESULT);
    if (code.kind != EVE_JSON_STRING || !eve_text_is(code, "MODEL_CALL_ATTEMPT_RETRIED")) {
        return EVE_OK;
    }
    return end_call(s, ev, eve_event_find(result, "callId"), err);
}

enum eve_status eve_snapshot_see(struct eve_snapshots *s, const struct eve_event *ev, bool legacy,
                                 bool *restarted, struct eve_err *err)
{
    *restarted = false;
    switch (ev->type) {
    case EVE_EVENT_MESSAGE_APPENDED:
    case EVE_EVENT_REASONING_APPENDED:
        return see_text(s, ev, legacy, restarted, err);
    case EVE_EVENT_INPUT_APPENDED:
        return see_input(s, ev, legacy, restarted, err);
    default:
        break;
    }
    if (s->newest == NONE) {
        return EVE_OK;
    }
    if (ev->type == EVE_EVENT_ACTIONS_REQUESTED) {
        return end_requested(s, ev, err);
    }
    if (ev->type == EVE_EVENT_ACTION_RESULT) {
        return end_withdrawn(s, ev, err);
    }
    enum scope scope = scope_of(ev->type);
    return scope == ENDS_NOTHING ? EVE_OK : end_blocks(s, ev, scope, err);
}
