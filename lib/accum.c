#include "accum.h"

#include "block.h"
#include "decode.h"
#include "key.h"
#include "mem.h"
#include "num.h"
#include "open.h"
#include "order.h"
#include "str.h"
#include "text.h"

enum { FIRST_CALLS = 8 };

/* A call that an event names. */
struct call {
    struct eve_json_value id;
    struct eve_json_value action;
    struct eve_open *open; /* its block, which is open, or NULL */
};

struct eve_accum {
    struct eve_accum_options options;
    struct eve_opens opens;
    struct eve_judge judge;
    struct eve_open *last;         /* block of the last append that went on, while it is open */
    uint64_t shape;                /* … of that append, see event.h; 0: none */
    const struct eve_draft *draft; /* where the last append went to */
    struct eve_buf id;             /* decoded; scratch */
    struct call *calls;            /* scratch */
    size_t call_count;
    size_t call_cap;
    struct eve_order order; /* scratch: of those that end at an event */
    enum eve_status listed; /* EVE_FAIL: no memory for all of them */
    struct eve_err *why;    /* … and where that is told */
};

enum eve_status eve_accum_new(struct eve_accum **out, const struct eve_accum_options *options,
                              struct eve_err *err)
{
    struct eve_accum *a = NULL;
    enum eve_status status = eve_mem_resize(&a, 1, sizeof *a, err);
    if (status == EVE_OK) {
        *a = (struct eve_accum){.options = *options};
        eve_open_init(&a->opens, options->seed);
        eve_judge_init(&a->judge);
        eve_buf_init(&a->id, SIZE_MAX / 2);
        *out = a;
    }
    return status;
}

void eve_accum_free(struct eve_accum *a)
{
    if (a == NULL) {
        return;
    }
    eve_open_fini(&a->opens);
    eve_judge_fini(&a->judge);
    eve_buf_fini(&a->id);
    eve_mem_free(a->calls);
    eve_order_fini(&a->order);
    eve_mem_free(a);
}

const struct eve_draft *eve_accum_draft(const struct eve_accum *a)
{
    return a->draft;
}

static enum eve_status tell(struct eve_accum *a, const struct eve_ending *e, struct eve_err *err)
{
    return a->options.ended != NULL ? a->options.ended(a->options.ctx, e, err) : EVE_OK;
}

/* What is open in the block ends without an authoritative text. */
static enum eve_status end_open(struct eve_accum *a, struct eve_open *open,
                                enum eve_ending_state state, uint64_t last, struct eve_err *err)
{
    struct eve_ending e;
    eve_ending_of_draft(&e, &open->draft, state, last);
    enum eve_status status = tell(a, &e, err);
    eve_open_close(open);
    a->last = NULL;
    return status;
}

/* The late appends of the group are all there are. */
static enum eve_status end_late(struct eve_accum *a, struct eve_group *group, struct eve_err *err)
{
    struct eve_ending e;
    eve_ending_of_draft(&e, group->late, EVE_ENDING_COMPLETED, group->late->last);
    e.late = true;
    enum eve_status status = tell(a, &e, err);
    eve_open_not_late(&a->opens, group);
    return status;
}

/* The id of the event, decoded; empty if it has none. */
static enum eve_status read_id(struct eve_accum *a, const struct eve_event *ev,
                               struct eve_slice *out, struct eve_err *err)
{
    enum eve_status status = EVE_OK;
    *out = (struct eve_slice){0};
    if (ev->id.kind == EVE_JSON_STRING && ev->id.escaped) {
        a->id.n = 0;
        status = eve_text_decode(eve_text_of(ev->id), &a->id, err);
        *out = eve_buf_slice(&a->id);
    } else if (ev->id.kind == EVE_JSON_STRING) {
        *out = eve_text_of(ev->id);
    }
    return status;
}

/* Kept late appends are of the same block as the event. */
static bool is_same_block(const struct eve_draft *d, const struct eve_event *ev)
{
    if (d->kind != ev->type) {
        return false;
    }
    if (ev->type == EVE_EVENT_INPUT_APPENDED) {
        return eve_key_equal(eve_draft_part(d, EVE_DRAFT_CALL),
                             eve_event_value(ev, EVE_FIELD_CALL_ID));
    }
    return eve_key_equal(eve_draft_part(d, EVE_DRAFT_TURN),
                         eve_event_value(ev, EVE_FIELD_TURN_ID)) &&
           eve_key_equal(eve_draft_part(d, EVE_DRAFT_STEP),
                         eve_event_value(ev, EVE_FIELD_STEP_INDEX));
}

/* An append that is older than the event which completed its block. */
static enum eve_status take_late(struct eve_accum *a, struct eve_group *group,
                                 const struct eve_event *ev, uint64_t index, struct eve_err *err)
{
    enum eve_status status = EVE_OK;
    if (group->is_late && !is_same_block(group->late, ev)) {
        status = end_late(a, group, err);
    }
    if (status == EVE_OK && !group->is_late) {
        status = eve_open_late(&a->opens, group, ev, index, err);
    }
    if (status == EVE_OK) {
        struct eve_json_value delta = ev->field[eve_decode_delta_field(ev->type)].value;
        status = eve_draft_append(group->late, delta, index, err);
        a->draft = group->late;
    }
    return status;
}

/* The kept text, which is not empty, does not lead to what the legacy append says. */
static bool starts_again(const struct eve_draft *d, const struct eve_event *ev)
{
    uint64_t offset = 0;
    struct eve_slice kept = eve_buf_slice(&d->text);
    struct eve_json_value sum = ev->field[eve_decode_sum_field(ev->type)].value;
    if (kept.n == 0) {
        return false;
    }
    if (ev->type == EVE_EVENT_INPUT_APPENDED) {
        return eve_num_integer((struct eve_slice){sum.p, sum.n}, EVE_NUM_SAFE_MAX, &offset) &&
               offset == 0;
    }
    return !eve_text_is_sum(eve_text_of(sum), kept,
                            eve_text_of(ev->field[eve_decode_delta_field(ev->type)].value));
}

/* Put the append into the block, which is open and to which it belongs. */
static enum eve_status put(struct eve_accum *a, struct eve_open *open, const struct eve_event *ev,
                           bool legacy, uint64_t index, struct eve_err *err)
{
    struct eve_draft *d = &open->draft;
    struct eve_json_value delta = ev->field[eve_decode_delta_field(ev->type)].value;
    struct eve_json_value sum = legacy ? ev->field[eve_decode_sum_field(ev->type)].value : delta;
    a->last = open;
    a->shape = ev->shape;
    a->draft = d;
    if (legacy && ev->type == EVE_EVENT_INPUT_APPENDED) {
        (void)eve_num_integer((struct eve_slice){sum.p, sum.n}, EVE_NUM_SAFE_MAX, &d->input->units);
    } else if (legacy && d->text.n == 0) {
        return eve_draft_replace(d, sum, index, err);
    }
    return eve_draft_append(d, delta, index, err);
}

/* Begin a block at the event looked at. *at: the one that is there, or NULL. */
static enum eve_status begin(struct eve_accum *a, struct eve_group *group, struct eve_open **at,
                             const struct eve_event *ev, uint64_t index, struct eve_err *err)
{
    enum eve_status status = EVE_OK;
    if (*at == NULL) {
        status = eve_open_add(&a->opens, group, ev->type, at, err);
    } else {
        eve_open_renew(&a->opens, *at);
    }
    if (status == EVE_OK) {
        status = eve_draft_begin(&(*at)->draft, ev, index, err);
        (*at)->draft.partial = !group->begun;
        (*at)->is_open = true;
    }
    return status;
}

static enum eve_status take_append(struct eve_accum *a, struct eve_group *group,
                                   const struct eve_event *ev, bool legacy, uint64_t index,
                                   struct eve_err *err)
{
    struct eve_slice id = {0};
    struct eve_json_value call = {0};
    if (ev->type == EVE_EVENT_INPUT_APPENDED) {
        call = eve_event_value(ev, EVE_FIELD_CALL_ID);
    }
    enum eve_status status = eve_block_look(&a->opens.blocks, ev, call, err);
    if (status != EVE_OK) {
        return status;
    }
    struct eve_open *open = eve_open_find(&a->opens, ev->type);
    if (open != NULL && open->judged != NULL) {
        status = read_id(a, ev, &id, err);
        if (status == EVE_OK && id.n > 0 && eve_str_compare(id, eve_open_judged(open)) < 0) {
            return take_late(a, group, ev, index, err);
        }
    }
    if (status == EVE_OK && group->is_late) {
        status = end_late(a, group, err);
    }
    if (status == EVE_OK && open != NULL && open->is_open && legacy &&
        starts_again(&open->draft, ev)) {
        status = end_open(a, open, EVE_ENDING_ABANDONED, index, err);
    }
    if (status == EVE_OK && (open == NULL || !open->is_open)) {
        status = begin(a, group, &open, ev, index, err);
    }
    return status == EVE_OK ? put(a, open, ev, legacy, index, err) : status;
}

/* The block came to its end by `ev` and is gone; but where it ended diverged, its place is kept, so
 * that appends which come later and are older are known. */
static enum eve_status leave(struct eve_accum *a, struct eve_open *open, const struct eve_event *ev,
                             bool diverged, struct eve_err *err)
{
    struct eve_slice id = {0};
    enum eve_status status = EVE_OK;
    eve_open_close(open);
    a->last = NULL;
    if (diverged && a->options.ended != NULL) {
        status = read_id(a, ev, &id, err);
    }
    if (status == EVE_OK && eve_str_compare(id, eve_open_judged(open)) > 0) {
        status = eve_open_judge(open, id, err);
    }
    if (open->judged == NULL) {
        eve_open_remove(&a->opens, open);
    }
    return status;
}

/* message.completed, reasoning.completed */
static enum eve_status complete(struct eve_accum *a, struct eve_group *group,
                                const struct eve_event *ev, uint64_t index, struct eve_err *err)
{
    struct eve_ending e;
    bool message = ev->type == EVE_EVENT_MESSAGE_COMPLETED;
    enum eve_event_type kind = message ? EVE_EVENT_MESSAGE_APPENDED : EVE_EVENT_REASONING_APPENDED;
    enum eve_status status = eve_block_look(&a->opens.blocks, ev, (struct eve_json_value){0}, err);
    if (status != EVE_OK) {
        return status;
    }
    struct eve_open *open = eve_open_find(&a->opens, kind);
    struct eve_draft *draft = open != NULL && open->is_open ? &open->draft : NULL;
    if (a->options.ended == NULL) {
        return draft != NULL ? leave(a, open, ev, false, err) : EVE_OK;
    }
    if (draft != NULL) {
        eve_ending_of_draft(&e, draft, EVE_ENDING_COMPLETED, index);
    } else {
        eve_ending_of_event(&e, kind, ev, index);
        e.partial = !group->begun;
    }
    if (message) {
        e.finish_reason = eve_event_value(ev, EVE_FIELD_FINISH_REASON);
    }
    struct eve_json_value text =
        eve_event_value(ev, message ? EVE_FIELD_MESSAGE : EVE_FIELD_REASONING);
    status = eve_judge_text(&a->judge, &e, draft, text, err);
    if (status == EVE_OK) {
        status = tell(a, &e, err);
    }
    return status == EVE_OK && draft != NULL ? leave(a, open, ev, e.diverged, err) : status;
}

/* Keep the call, and its place: blocks end in the order of their first appends; calls without
 * appends come last, as they stand. */
static enum eve_status add_call(struct eve_accum *a, const struct call *call, struct eve_err *err)
{
    enum eve_status status = EVE_OK;
    if (a->call_count == a->call_cap) {
        size_t cap = eve_mem_grow(a->call_cap, a->call_count + 1, FIRST_CALLS, SIZE_MAX / 2);
        status = eve_mem_resize(&a->calls, cap, sizeof *a->calls, err);
        a->call_cap = status == EVE_OK ? cap : a->call_cap;
    }
    if (status == EVE_OK) {
        uint64_t place = call->open != NULL ? call->open->draft.first : UINT64_MAX;
        a->calls[a->call_count] = *call;
        status = eve_order_add(&a->order, place, a->call_count++, err);
    }
    return status;
}

/* Note the calls that the event names, and find their blocks. */
static enum eve_status list_calls(struct eve_accum *a, const struct eve_event *ev,
                                  struct eve_err *err)
{
    size_t at = 0;
    struct call call = {0};
    enum eve_status status = EVE_OK;
    a->call_count = a->order.n = 0;
    while (status == EVE_OK && eve_block_call(ev, &at, &call.id, &call.action)) {
        status = eve_block_look(&a->opens.blocks, ev, call.id, err);
        if (status == EVE_OK) {
            call.open = eve_open_find(&a->opens, EVE_EVENT_INPUT_APPENDED);
            bool open = call.open != NULL && call.open->is_open && !call.open->named;
            call.open = open ? call.open : NULL;
            status = add_call(a, &call, err);
            if (open) { /* only the first one that names it is meant */
                call.open->named = true;
            }
        }
    }
    return status;
}

/* A call is requested. */
static enum eve_status request(struct eve_accum *a, struct eve_group *group,
                               const struct eve_event *ev, const struct call *call, uint64_t index,
                               struct eve_err *err)
{
    struct eve_ending e;
    struct eve_draft *draft = NULL;
    if (call->open != NULL) {
        draft = &call->open->draft;
        eve_ending_of_draft(&e, draft, EVE_ENDING_COMPLETED, index);
    } else {
        eve_ending_of_event(&e, EVE_EVENT_INPUT_APPENDED, ev, index);
        e.part[EVE_DRAFT_CALL] = call->id;
        e.partial = !group->begun;
    }
    enum eve_status status = EVE_OK;
    if (a->options.ended != NULL) {
        status = eve_judge_input(&a->judge, &e, draft, call->action, err);
        status = status == EVE_OK ? tell(a, &e, err) : status;
    }
    return status == EVE_OK && draft != NULL ? leave(a, call->open, ev, e.diverged, err) : status;
}

/* actions.requested, and an action.result that withdraws its call. */
static enum eve_status end_calls(struct eve_accum *a, struct eve_group *group,
                                 const struct eve_event *ev, uint64_t index, struct eve_err *err)
{
    bool requested = ev->type == EVE_EVENT_ACTIONS_REQUESTED;
    enum eve_status status = list_calls(a, ev, err);
    if (status == EVE_OK) {
        eve_order_sort(&a->order);
    }
    for (size_t i = 0; i < a->order.n && status == EVE_OK; i++) {
        struct call *call = &a->calls[a->order.item[i].what];
        if (call->open != NULL) {
            call->open->named = false;
        }
        if (requested) {
            status = request(a, group, ev, call, index, err);
        } else if (call->open != NULL) {
            status = end_open(a, call->open, EVE_ENDING_ABANDONED, index, err);
            status = status == EVE_OK ? leave(a, call->open, ev, false, err) : status;
        }
    }
    return status;
}

/* A block ends with its step or turn. */
static void list_ended(void *ctx, struct eve_block *block)
{
    struct eve_accum *a = ctx;
    struct eve_open *open = (struct eve_open *)(void *)block;
    if (!open->is_open) {
        eve_open_remove(&a->opens, open);
    } else if (a->listed == EVE_OK) {
        a->listed = eve_order_add(&a->order, open->draft.first, block->number, a->why);
    }
}

/* All blocks of the step or turn end, in the order of their first appends. */
static enum eve_status end_scope(struct eve_accum *a, const struct eve_event *ev,
                                 enum eve_block_scope scope, uint64_t index, struct eve_err *err)
{
    enum eve_ending_state state =
        ev->type == EVE_EVENT_STEP_STARTED ? EVE_ENDING_ABANDONED : EVE_ENDING_INTERRUPTED;
    enum eve_status status = EVE_OK;
    if (a->opens.blocks.count == 0) {
        return EVE_OK;
    }
    status = eve_block_look(&a->opens.blocks, ev, (struct eve_json_value){0}, err);
    a->order.n = 0;
    a->listed = status;
    a->why = err;
    if (status == EVE_OK) {
        eve_open_each(&a->opens, scope, list_ended, a);
        status = a->listed;
        eve_order_sort(&a->order);
    }
    for (size_t i = 0; i < a->order.n && status == EVE_OK; i++) {
        struct eve_open *open = eve_open_at(&a->opens, (uint32_t)a->order.item[i].what);
        status = end_open(a, open, state, index, err);
        eve_open_remove(&a->opens, open);
    }
    return status;
}

/* The append spells its block as the one before did. False says nothing. */
static bool is_next(const struct eve_accum *a, const struct eve_event *ev)
{
    return (ev->shape != 0 && ev->shape == a->shape) || eve_draft_is_at(&a->last->draft, ev);
}

enum eve_status eve_accum_event(struct eve_accum *a, const struct eve_event *ev, bool legacy,
                                uint64_t index, struct eve_err *err)
{
    struct eve_group *group = NULL;
    struct eve_open *last = a->last;
    bool append = ev->type <= EVE_EVENT_INPUT_APPENDED;
    /* The next append of the block at hand, spelled as the one before. */
    if (append && last != NULL && last->judged == NULL && !last->group->is_late && is_next(a, ev) &&
        !(legacy && starts_again(&last->draft, ev))) {
        return put(a, last, ev, legacy, index, err);
    }
    enum eve_block_scope scope = append ? EVE_BLOCK_NOTHING : eve_block_scope(ev);
    enum eve_status status = eve_open_group(&a->opens, ev, &group, err);
    if (status != EVE_OK || append) {
        return status == EVE_OK ? take_append(a, group, ev, legacy, index, err) : status;
    }
    if (group->is_late) {
        status = end_late(a, group, err);
    }
    if (status == EVE_OK && scope == EVE_BLOCK_CALLS) {
        status = end_calls(a, group, ev, index, err);
    } else if (status == EVE_OK && (scope == EVE_BLOCK_MESSAGE || scope == EVE_BLOCK_REASONING)) {
        status = complete(a, group, ev, index, err);
    } else if (status == EVE_OK && scope != EVE_BLOCK_NOTHING) {
        status = end_scope(a, ev, scope, index, err);
    }
    if (ev->type == EVE_EVENT_SESSION_STARTED || ev->type == EVE_EVENT_STEP_STARTED) {
        group->begun = true;
    }
    return status;
}

enum eve_status eve_accum_end(struct eve_accum *a, struct eve_err *err)
{
    enum eve_status status = EVE_OK;
    struct eve_block *block = a->opens.blocks.first;
    while (status == EVE_OK && (block != NULL || a->opens.late_first != NULL)) {
        struct eve_open *open = (struct eve_open *)(void *)block;
        struct eve_group *late = a->opens.late_first;
        if (open != NULL && !open->is_open) {
            block = eve_block_after(&a->opens.blocks, block);
        } else if (late != NULL && (open == NULL || late->late->first < open->draft.first)) {
            status = end_late(a, late, err);
        } else {
            block = eve_block_after(&a->opens.blocks, block);
            status = end_open(a, open, EVE_ENDING_OPEN, open->draft.last, err);
        }
    }
    eve_open_clear_blocks(&a->opens);
    a->last = NULL;
    return status;
}

void eve_accum_clear(struct eve_accum *a)
{
    eve_open_clear(&a->opens);
    a->last = NULL;
}

void eve_accum_save(const struct eve_accum *a, const char *name, struct eve_saved *out)
{
    eve_open_save(&a->opens, name, out);
}

enum eve_status eve_accum_load(struct eve_accum *a, struct eve_json_value object,
                               struct eve_err *err)
{
    return eve_open_load(&a->opens, object, err);
}
