#include "check_hold.h"

#include "str.h"
#include "text.h"

enum { KEEP_ROOM = 4096 };

static struct eve_check_held *as_held(struct eve_block *block)
{
    return (struct eve_check_held *)(void *)block;
}

/* Copy `s` to the end of the bytes of `h`; only its length counts until they are all there. */
static enum eve_status keep(struct eve_check_held *h, struct eve_slice s, struct eve_err *err)
{
    return s.n > 0 ? eve_buf_put(&h->bytes, s, err) : EVE_OK;
}

static enum eve_status copy(struct eve_check_held *h, const struct eve_finding *f,
                            struct eve_err *err)
{
    size_t message = strlen(f->message) + 1;
    h->bytes.n = 0;
    enum eve_status status = keep(h, (struct eve_slice){f->message, message}, err);
    status = status == EVE_OK ? keep(h, f->type, err) : status;
    status = status == EVE_OK ? keep(h, f->id, err) : status;
    status = status == EVE_OK ? keep(h, f->excerpt, err) : status;
    if (status != EVE_OK) {
        return status;
    }
    h->finding = *f;
    h->finding.message = h->bytes.p;
    h->finding.type.p = h->bytes.p + message;
    h->finding.id.p = h->finding.type.p + f->type.n;
    h->finding.excerpt.p = h->finding.id.p + f->id.n;
    return EVE_OK;
}

static void drop(struct eve_check *c, struct eve_check_held *h)
{
    eve_buf_clear(&h->bytes, KEEP_ROOM);
    eve_block_remove(&c->held, &h->block);
}

/* What is told only if inputs of a tool come in appends is a note where only those of others do. */
static bool is_told(struct eve_check_held *h)
{
    if (!h->replaced && h->needs != 0 && !eve_check_streams(h->group, h->needs)) {
        h->finding.explained = true;
        h->finding.message =
            "no append of this input came, though calls of other tools in this turn have some";
        return h->group->streamed_count > 0;
    }
    return !h->replaced;
}

static enum eve_status release(struct eve_check *c, struct eve_check_held *h, struct eve_err *err)
{
    enum eve_status status =
        is_told(h) ? eve_finder_tell(c->options.finder, &h->finding, err) : EVE_OK;
    drop(c, h);
    return status;
}

/* The call whose block is looked at now; none for messages and reasonings. */
static struct eve_json_value call_of(const struct eve_check *c, const char *at)
{
    struct eve_json_value call = {0};
    struct eve_json_value action;
    size_t next = 0;
    if (c->ev->type == EVE_EVENT_INPUT_APPENDED) {
        return eve_event_value(c->ev, EVE_FIELD_CALL_ID);
    }
    if (c->ev->type != EVE_EVENT_ACTIONS_REQUESTED) {
        return call;
    }
    while (eve_block_call(c->ev, &next, &call, &action)) {
        if (at >= action.p && at < action.p + action.n) {
            break;
        }
    }
    return call;
}

/* The event at hand completes the text: what is older is late from here on. */
static void complete(const struct eve_check *c, struct eve_check_held *h)
{
    h->has_id = c->well_formed_id;
    if (h->has_id) {
        h->id = c->ulid;
    }
}

enum eve_status eve_check_hold(struct eve_check *c, unsigned rule, uint64_t needs, const char *at,
                               const char *message, struct eve_err *err)
{
    struct eve_finding f = {.rule = rule, .message = message};
    struct eve_block *block = NULL;
    bool append = eve_decode_delta_field(c->ev->type) != EVE_FIELD_COUNT;
    enum eve_event_type kind =
        append                                         ? c->ev->type
        : c->ev->type == EVE_EVENT_MESSAGE_COMPLETED   ? EVE_EVENT_MESSAGE_APPENDED
        : c->ev->type == EVE_EVENT_REASONING_COMPLETED ? EVE_EVENT_REASONING_APPENDED
                                                       : EVE_EVENT_INPUT_APPENDED;
    enum eve_status status = EVE_OK;
    if (c->held.count >= EVE_CHECK_HELD) {
        status = release(c, as_held(c->held.first), err);
    }
    if (status == EVE_OK) {
        status = eve_block_look(&c->held, c->ev, call_of(c, at), err);
    }
    if (status == EVE_OK) {
        status = eve_block_add(&c->held, kind, &block, err);
    }
    if (status != EVE_OK) {
        return status;
    }
    struct eve_check_held *h = as_held(block);
    if (h->bytes.max == 0) {
        eve_buf_init(&h->bytes, SIZE_MAX / 2);
    }
    h->group = c->group;
    h->needs = needs;
    h->replaced = false;
    h->has_id = false;
    if (!append) {
        complete(c, h);
    }
    eve_finding_place(&f, c->ev, at, c->line, c->index);
    status = copy(h, &f, err);
    if (status != EVE_OK) {
        drop(c, h);
    }
    return status;
}

/* Is what is held about the text that the event at hand, which was looked for, belongs to? */
static bool is_of_event(const struct eve_check *c, const struct eve_block *b)
{
    enum eve_block_scope scope =
        b->kind == EVE_EVENT_MESSAGE_APPENDED ? EVE_BLOCK_MESSAGE : EVE_BLOCK_REASONING;
    return b->kind == EVE_EVENT_INPUT_APPENDED ? b == eve_block_find(&c->held, b->kind)
                                               : eve_block_is_ended(&c->held, b, scope);
}

static bool is_of_append(const struct eve_check *c, const struct eve_block *b)
{
    return b->kind == c->ev->type && is_of_event(c, b);
}

enum eve_status eve_check_hold_completed(struct eve_check *c, enum eve_event_type kind,
                                         struct eve_json_value call, struct eve_err *err)
{
    enum eve_status status =
        c->held.count > 0 ? eve_block_look(&c->held, c->ev, call, err) : EVE_OK;
    struct eve_block *b = status == EVE_OK ? c->held.first : NULL;
    for (; b != NULL; b = eve_block_after(&c->held, b)) {
        if (!as_held(b)->has_id && b->kind == kind && is_of_event(c, b)) {
            complete(c, as_held(b));
        }
    }
    return status;
}

enum eve_status eve_check_hold_late(struct eve_check *c, struct eve_json_value call,
                                    struct eve_err *err)
{
    struct eve_check_held *found = NULL;
    if (!c->well_formed_id) {
        return EVE_OK;
    }
    enum eve_status status = eve_block_look(&c->held, c->ev, call, err);
    if (status != EVE_OK) {
        return status;
    }
    for (struct eve_block *b = c->held.first; b != NULL && found == NULL;
         b = eve_block_after(&c->held, b)) {
        bool older = as_held(b)->has_id && eve_seen_before(c->ulid, as_held(b)->id);
        found = older && is_of_append(c, b) ? as_held(b) : NULL;
    }
    if (found == NULL) {
        return EVE_OK;
    }
    c->late = true;
    if (found->replaced) {
        return EVE_OK;
    }
    found->replaced = true;
    return eve_check_tell(c, EVE_RULE_LATE, false, c->ev->id.p,
                          "delivered after the event that completed its text", err);
}

enum eve_status eve_check_hold_spoil(struct eve_check *c, bool all, struct eve_json_value call,
                                     struct eve_err *err)
{
    if (c->held.count == 0) {
        return EVE_OK;
    }
    enum eve_status status = all ? EVE_OK : eve_block_look(&c->held, c->ev, call, err);
    struct eve_block *block = status == EVE_OK ? c->held.first : NULL;
    while (block != NULL) {
        struct eve_block *after = eve_block_after(&c->held, block);
        if (all || is_of_append(c, block)) {
            drop(c, as_held(block));
        }
        block = after;
    }
    return status;
}

enum eve_status eve_check_hold_release(struct eve_check *c, enum eve_block_scope scope,
                                       struct eve_err *err)
{
    enum eve_status status = EVE_OK;
    if (c->held.count == 0) {
        return EVE_OK;
    }
    status = eve_block_look(&c->held, c->ev, (struct eve_json_value){0}, err);
    struct eve_block *block = c->held.first;
    while (status == EVE_OK && block != NULL) {
        struct eve_block *after = eve_block_after(&c->held, block);
        if (eve_block_is_ended(&c->held, block, scope)) {
            status = release(c, as_held(block), err);
        }
        block = after;
    }
    return status;
}

enum eve_status eve_check_hold_release_all(struct eve_check *c, struct eve_err *err)
{
    enum eve_status status = EVE_OK;
    while (status == EVE_OK && c->held.first != NULL) {
        status = release(c, as_held(c->held.first), err);
    }
    while (c->held.first != NULL) {
        drop(c, as_held(c->held.first));
    }
    return status;
}
