#include "stat.h"

#include "block.h"
#include "mem.h"
#include "num.h"
#include "price.h"
#include "text.h"

#include <stdlib.h>

/* An open block: with its share of the table at most 128 bytes. */
struct open {
    struct eve_block block;
    struct eve_tally_count count;
    uint64_t text;  /* its text so far, see price.h: units of a tool input, bytes of any other */
    uint32_t row;   /* of the breakdown by block; without it, how many began before: an order */
    uint8_t slot;   /* among the largest blocks, + 1; 0: it is none of them */
    bool text_open; /* of a tool input: it has any text since it began, or began again */
};

struct eve_stat {
    struct eve_stat_options options;
    struct eve_account *account;
    struct eve_blocks blocks;
    uint32_t begun;                          /* blocks; stays at its end */
    struct open *owner[EVE_ACCOUNT_LARGEST]; /* of the largest: the block if it is open, or NULL */
};

enum eve_status eve_stat_new(struct eve_stat **out, const struct eve_stat_options *options,
                             struct eve_account *account, struct eve_err *err)
{
    struct eve_stat *s = NULL;
    enum eve_status status = eve_mem_resize(&s, 1, sizeof *s, err);
    if (status == EVE_OK) {
        *s = (struct eve_stat){.options = *options, .account = account};
        eve_block_init(&s->blocks, sizeof(struct open), options->seed);
        *out = s;
    }
    return status;
}

static int by_order(const void *a, const void *b)
{
    const struct eve_row *x = a;
    const struct eve_row *y = b;
    return (x->order > y->order) - (x->order < y->order);
}

void eve_stat_free(struct eve_stat *s)
{
    if (s == NULL) {
        return;
    }
    eve_snapshot_clear(s->options.snapshots);
    eve_rows_close(&s->account->rows);
    if (s->account->largest_count > 0) {
        qsort(s->account->largest, s->account->largest_count, sizeof(struct eve_row), by_order);
    }
    eve_block_fini(&s->blocks);
    eve_mem_free(s);
}

static struct open *open_of(struct eve_block *block)
{
    return (struct open *)(void *)block;
}

static void close_block(void *ctx, struct eve_block *block)
{
    struct eve_stat *s = ctx;
    struct open *o = open_of(block);
    if (o->slot > 0) {
        s->owner[o->slot - 1] = NULL;
    }
    o->count = (struct eve_tally_count){0};
    o->text = 0;
    o->text_open = false;
    o->row = 0;
    o->slot = 0;
    eve_block_remove(&s->blocks, block);
}

/* The inputs of the calls that the event names are over. */
static enum eve_status close_calls(struct eve_stat *s, const struct eve_event *ev,
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
            close_block(s, block);
        }
    }
    return status;
}

static enum eve_status close_blocks(struct eve_stat *s, const struct eve_event *ev,
                                    struct eve_err *err)
{
    enum eve_block_scope scope = s->blocks.count == 0 ? EVE_BLOCK_NOTHING : eve_block_scope(ev);
    if (scope == EVE_BLOCK_NOTHING) {
        return EVE_OK;
    }
    if (scope == EVE_BLOCK_CALLS) {
        return close_calls(s, ev, err);
    }
    enum eve_status status = eve_block_look(&s->blocks, ev, (struct eve_json_value){0}, err);
    if (status == EVE_OK) {
        eve_block_each_ended(&s->blocks, scope, close_block, s);
    }
    return status;
}

/* The coordinates that name the block of an append. */
static unsigned block_parts(const struct eve_event *ev)
{
    unsigned parts =
        EVE_ROW_BIT(EVE_ROW_GROUP) | EVE_ROW_BIT(EVE_ROW_TURN) | EVE_ROW_BIT(EVE_ROW_STEP);
    return ev->type == EVE_EVENT_INPUT_APPENDED ? parts | EVE_ROW_BIT(EVE_ROW_CALL) : parts;
}

/* A block comes behind one of the largest: it is smaller, or as large and began later. */
static bool comes_behind(uint64_t bytes, uint32_t order, const struct eve_row *than)
{
    return bytes != than->bytes ? bytes < than->bytes : order > than->order;
}

/* The place among the largest blocks for one that is not yet there: a free one, or that of the
 * last of them if this one comes before it; EVE_ACCOUNT_LARGEST if there is none. Blocks only grow,
 * so the list holds the largest at any time, and at the end. */
static size_t find_slot(const struct eve_stat *s, const struct open *o)
{
    const struct eve_account *a = s->account;
    size_t least = 0;
    if (a->largest_count < EVE_ACCOUNT_LARGEST) {
        return a->largest_count;
    }
    for (size_t i = 1; i < EVE_ACCOUNT_LARGEST; i++) {
        const struct eve_row *row = &a->largest[i];
        least = comes_behind(row->bytes, row->order, &a->largest[least]) ? i : least;
    }
    return comes_behind(o->count.bytes, o->row, &a->largest[least]) ? EVE_ACCOUNT_LARGEST : least;
}

static enum eve_status see_largest(struct eve_stat *s, const struct eve_event *ev, struct open *o,
                                   struct eve_err *err)
{
    struct eve_account *a = s->account;
    if (o->slot == 0) {
        size_t slot = find_slot(s, o);
        if (slot == EVE_ACCOUNT_LARGEST) {
            return EVE_OK;
        }
        struct eve_row *row = &a->largest[slot];
        if (slot == a->largest_count) {
            *row = (struct eve_row){0};
        }
        enum eve_status status = eve_row_set(row, ev, block_parts(ev), err);
        if (status != EVE_OK) {
            return status;
        }
        a->largest_count += slot == a->largest_count ? 1 : 0;
        if (s->owner[slot] != NULL) {
            s->owner[slot]->slot = 0;
        }
        row->kind = ev->type;
        row->order = o->row;
        s->owner[slot] = o;
        o->slot = (uint8_t)(slot + 1);
    }
    struct eve_row *row = &a->largest[o->slot - 1];
    row->events = o->count.events;
    row->bytes = o->count.bytes;
    row->removed = o->count.removed;
    return EVE_OK;
}

/* Bytes that version 24 adds to an append. A legacy one stays as it is, and says how the text goes
 * on. */
static uint64_t price_append(struct open *o, const struct eve_event *ev, bool legacy)
{
    struct eve_price before = {o->text, o->text, o->text_open};
    struct eve_price text = before;
    struct eve_slice delta = eve_text_of(ev->field[eve_decode_delta_field(ev->type)].value);
    struct eve_json_value sum = eve_event_value(ev, eve_decode_sum_field(ev->type));
    if (legacy && ev->type == EVE_EVENT_INPUT_APPENDED) {
        struct eve_slice digits = {sum.p, sum.n}; /* a whole number, as it was decoded */
        (void)eve_num_integer(digits, EVE_NUM_SAFE_MAX, &text.units);
    } else if (legacy) {
        text = (struct eve_price){0};
        delta = eve_text_of(sum);
    }
    eve_price_add(&text, delta);
    if (ev->type == EVE_EVENT_INPUT_APPENDED) {
        o->text = text.units;
    } else {
        o->text = text.bytes;
        o->text_open = text.open;
    }
    return legacy ? 0 : eve_price_member(ev->type, &before, &text);
}

/* A new block gets its row of the breakdown, or a number. */
static enum eve_status begin_block(struct eve_stat *s, const struct eve_event *ev, struct open *o,
                                   struct eve_err *err)
{
    size_t place = 0;
    if (s->options.by != EVE_STAT_BY_BLOCK) {
        o->row = s->begun;
        s->begun += s->begun < UINT32_MAX ? 1 : 0;
        return EVE_OK;
    }
    enum eve_status status = eve_rows_add(&s->account->rows, ev, block_parts(ev), &place, err);
    if (status == EVE_OK) {
        s->account->rows.list[place].kind = ev->type;
        o->row = (uint32_t)place;
    }
    return status;
}

/* A tool input that begins again, maybe in another step, is of that step from now on. The event was
 * looked at. EVE_FAIL: no memory. */
static enum eve_status see_restart(struct eve_stat *s, const struct eve_event *ev, bool legacy,
                                   struct eve_block *block, struct eve_err *err)
{
    uint64_t offset = 1;
    struct eve_json_value sum = eve_event_value(ev, EVE_FIELD_INPUT_TEXT_OFFSET);
    struct eve_slice digits = {sum.p, sum.n};
    struct open *o = open_of(block);
    bool again = ev->type == EVE_EVENT_INPUT_APPENDED && legacy && o->text_open &&
                 eve_num_integer(digits, EVE_NUM_SAFE_MAX, &offset) && offset == 0;
    if (!again) {
        return EVE_OK;
    }
    o->text_open = false;
    eve_block_remove(&s->blocks, block);
    /* The struct removed last is the next one to be used, with what it holds. */
    return eve_block_add(&s->blocks, ev->type, &block, err);
}

/* Find or make the block of an append and count it there. */
static enum eve_status see_append(struct eve_stat *s, const struct eve_event *ev,
                                  const struct eve_decoder *d, struct open **out,
                                  struct eve_err *err)
{
    struct eve_json_value call = {0};
    if (ev->type == EVE_EVENT_INPUT_APPENDED) {
        call = eve_event_value(ev, EVE_FIELD_CALL_ID);
    }
    enum eve_status status = eve_block_look(&s->blocks, ev, call, err);
    if (status != EVE_OK) {
        return status;
    }
    struct eve_block *block = eve_block_find(&s->blocks, ev->type);
    if (block == NULL) {
        status = eve_block_add(&s->blocks, ev->type, &block, err);
        if (status == EVE_OK) {
            status = begin_block(s, ev, open_of(block), err);
        }
    } else {
        status = see_restart(s, ev, d->legacy, block, err);
    }
    if (status != EVE_OK) {
        return status;
    }
    struct open *o = *out = open_of(block);
    o->count.events++;
    o->count.bytes += ev->text.n + 1;
    o->count.removed += d->removed;
    if (s->options.as_if == 24) {
        s->account->as_if += price_append(o, ev, d->legacy);
    }
    if (ev->type == EVE_EVENT_INPUT_APPENDED) {
        o->text_open =
            o->text_open || ev->field[EVE_FIELD_INPUT_TEXT_DELTA].value.n > sizeof "\"\"" - 1;
    }
    return see_largest(s, ev, o, err);
}

/* The row of the breakdown that the event belongs to; `o`: its block, or NULL. */
static enum eve_status find_row(struct eve_stat *s, const struct eve_event *ev,
                                const struct open *o, size_t *place, struct eve_err *err)
{
    unsigned parts = EVE_ROW_BIT(EVE_ROW_GROUP);
    switch (s->options.by) {
    case EVE_STAT_BY_TYPE:
        parts |= EVE_ROW_BIT(EVE_ROW_TYPE);
        break;
    case EVE_STAT_BY_STEP:
        parts |= EVE_ROW_BIT(EVE_ROW_TURN) | EVE_ROW_BIT(EVE_ROW_STEP);
        break;
    case EVE_STAT_BY_TURN:
        parts |= EVE_ROW_BIT(EVE_ROW_TURN);
        break;
    default:
        break;
    }
    if (o != NULL && s->options.by == EVE_STAT_BY_BLOCK) {
        *place = o->row;
        return EVE_OK;
    }
    return eve_rows_find(&s->account->rows, ev, parts, place, err);
}

/* Turns, steps and blocks are counted by single events, so that parts of a stream add up. */
static void count_life(struct eve_tally *t, const struct eve_event *ev)
{
    size_t at = 0;
    struct eve_json_value call;
    struct eve_json_value action;
    switch (ev->type) {
    case EVE_EVENT_TURN_STARTED:
        t->n[EVE_TALLY_TURNS]++;
        break;
    case EVE_EVENT_STEP_STARTED:
        t->n[EVE_TALLY_STEPS]++;
        break;
    case EVE_EVENT_MESSAGE_COMPLETED:
    case EVE_EVENT_REASONING_COMPLETED:
        t->n[EVE_TALLY_BLOCKS]++;
        break;
    case EVE_EVENT_ACTIONS_REQUESTED:
        while (eve_block_call(ev, &at, &call, &action)) {
            t->n[EVE_TALLY_BLOCKS]++;
        }
        break;
    default:
        break;
    }
}

static enum eve_status count_event(struct eve_stat *s, const struct eve_event *ev,
                                   const struct eve_decoder *d, struct eve_err *err)
{
    struct eve_tally *t = &s->account->tally;
    struct eve_tally_count *type = NULL;
    uint64_t bytes = ev->text.n + 1;
    enum eve_status status = eve_tally_of_event(t, ev, &type, err);
    if (status != EVE_OK) {
        return status;
    }
    type->events++;
    type->bytes += bytes;
    type->removed += d->removed;
    t->n[EVE_TALLY_EVENTS]++;
    t->n[EVE_TALLY_DELTA_ONLY] += bytes - d->removed + d->added;
    t->n[EVE_TALLY_REMOVED] += d->removed;
    t->n[EVE_TALLY_ADDED] += d->added + (ev->ended ? 0 : 1);
    for (size_t f = 0; f < EVE_FIELD_REMOVED_COUNT; f++) {
        t->n[EVE_TALLY_PAYLOAD + f] += d->payload[f];
    }
    count_life(t, ev);
    return EVE_OK;
}

enum eve_status eve_stat_event(struct eve_stat *s, const struct eve_event *ev,
                               const struct eve_decoder *d, struct eve_err *err)
{
    bool restarted = false;
    struct open *block = NULL;
    size_t place = 0;
    enum eve_status status = count_event(s, ev, d, err);
    if (status == EVE_OK) {
        status = eve_snapshot_see(s->options.snapshots, ev, d->legacy, &restarted, err);
        s->account->tally.n[EVE_TALLY_RESTARTS] += restarted ? 1 : 0;
    }
    s->account->as_if += s->options.as_if == 24 ? ev->text.n + 1 : 0;
    if (status == EVE_OK) {
        bool append = eve_decode_delta_field(ev->type) != EVE_FIELD_COUNT;
        status = append ? see_append(s, ev, d, &block, err) : close_blocks(s, ev, err);
    }
    if (status != EVE_OK || s->options.by == EVE_STAT_BY_NOTHING) {
        return status;
    }
    status = find_row(s, ev, block, &place, err);
    if (status == EVE_OK) {
        struct eve_row *row = &s->account->rows.list[place];
        row->events++;
        row->bytes += ev->text.n + 1;
        row->removed += d->removed;
        row->delta_only += ev->text.n + 1 - d->removed + d->added;
    }
    return status;
}
