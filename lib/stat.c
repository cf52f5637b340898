#include "stat.h"

#include "block.h"
#include "largest.h"
#include "mem.h"
#include "num.h"
#include "price.h"
#include "simd.h"
#include "text.h"

#include <assert.h>
#include <string.h>

/* An open block. */
struct open {
    struct eve_block block;
    struct eve_tally_count count;
    uint64_t text;  /* its text so far, see price.h: units of a tool input, bytes of any other */
    uint32_t row;   /* of the breakdown by block; without it, how many began before: an order. It
                       tells blocks apart, but for NO_ROW */
    uint8_t slot;   /* among the largest blocks, + 1; 0: it is none of them */
    bool text_open; /* of a tool input: it has any text since it began, or began again */
};

/* What the man page promises. */
static_assert(sizeof(struct open) + EVE_BLOCK_SHARE <= 128, "an open block takes 128 bytes");

/* What open blocks do not have: it is closed, or one of too many. */
#define NO_ROW UINT32_MAX

/* What was worked out for the appends of a shape, see event.h. */
struct known {
    uint64_t shape;    /* 0: nothing */
    struct open *open; /* their block as long as it has this row, see struct open */
    uint32_t row;
    bool has_place;
    size_t place; /* of their row of the breakdown, if it is not by block */
};

struct eve_stat {
    struct eve_stat_options options;
    struct eve_account *account;
    struct eve_blocks blocks;
    uint32_t begun; /* blocks; stays at its end */
    struct eve_largest largest;
    struct known *last; /* of the last event, if it was an append that has a shape */
    struct known known[EVE_EVENT_SHAPES];
};

enum eve_status eve_stat_new(struct eve_stat **out, const struct eve_stat_options *options,
                             struct eve_account *account, struct eve_err *err)
{
    struct eve_stat *s = NULL;
    enum eve_status status = eve_mem_resize(&s, 1, sizeof *s, err);
    if (status == EVE_OK) {
        memset(s, 0, sizeof *s);
        s->options = *options;
        s->account = account;
        eve_largest_init(&s->largest, account);
        eve_block_init(&s->blocks, sizeof(struct open), options->seed);
        *out = s;
    }
    return status;
}

void eve_stat_free(struct eve_stat *s)
{
    if (s == NULL) {
        return;
    }
    eve_snapshot_clear(s->options.snapshots);
    eve_rows_close(&s->account->rows);
    eve_largest_close(&s->largest);
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
    eve_largest_leave(&s->largest, &o->slot);
    o->count = (struct eve_tally_count){0};
    o->text = 0;
    o->text_open = false;
    o->row = NO_ROW;
    eve_block_remove(&s->blocks, block);
}

static enum eve_status close_blocks(struct eve_stat *s, const struct eve_event *ev,
                                    struct eve_err *err)
{
    enum eve_block_scope scope = s->blocks.count == 0 ? EVE_BLOCK_NOTHING : eve_block_scope(ev);
    if (scope == EVE_BLOCK_NOTHING) {
        return EVE_OK;
    }
    if (scope == EVE_BLOCK_CALLS) {
        return eve_block_each_called(&s->blocks, ev, close_block, s, err);
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

static enum eve_status see_largest(struct eve_stat *s, const struct eve_event *ev, struct open *o,
                                   struct eve_err *err)
{
    return eve_largest_see(&s->largest, ev, block_parts(ev), &o->count, o->row, &o->slot, err);
}

static struct eve_price price_of(const struct open *o)
{
    return (struct eve_price){o->text, o->text, o->text_open};
}

/* The text of the block is `text` from now on. */
static void set_price(struct open *o, enum eve_event_type type, const struct eve_price *text)
{
    if (type == EVE_EVENT_INPUT_APPENDED) {
        o->text = text->units;
    } else {
        o->text = text->bytes;
        o->text_open = text->open;
    }
}

/* Bytes that version 24 adds to an append with this delta. */
static uint64_t price_delta(struct open *o, enum eve_event_type type, struct eve_slice delta)
{
    struct eve_price before = price_of(o);
    struct eve_price text = before;
    eve_price_add(&text, delta);
    set_price(o, type, &text);
    return eve_price_member(type, &before, &text);
}

/* A legacy append stays as it is, and says how the text goes on. */
static void price_legacy(struct open *o, const struct eve_event *ev)
{
    struct eve_price text = {0};
    struct eve_slice added = eve_text_of(ev->field[eve_decode_delta_field(ev->type)].value);
    struct eve_json_value sum = eve_event_value(ev, eve_decode_sum_field(ev->type));
    if (ev->type == EVE_EVENT_INPUT_APPENDED) {
        struct eve_slice digits = {sum.p, sum.n}; /* a whole number, as it was decoded */
        text = price_of(o);
        (void)eve_num_integer(digits, EVE_NUM_SAFE_MAX, &text.units);
    } else {
        added = eve_text_of(sum);
    }
    eve_price_add(&text, added);
    set_price(o, ev->type, &text);
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

/* The append makes a tool input that is open begin again. */
static bool begins_again(const struct open *o, const struct eve_event *ev, bool legacy)
{
    uint64_t offset = 1;
    if (ev->type != EVE_EVENT_INPUT_APPENDED || !legacy || !o->text_open) {
        return false;
    }
    struct eve_json_value sum = eve_event_value(ev, EVE_FIELD_INPUT_TEXT_OFFSET);
    struct eve_slice digits = {sum.p, sum.n};
    return eve_num_integer(digits, EVE_NUM_SAFE_MAX, &offset) && offset == 0;
}

/* A tool input that begins again, maybe in another step, is of that step from now on. The event was
 * looked at. EVE_FAIL: no memory. */
static enum eve_status restart(struct eve_stat *s, const struct eve_event *ev,
                               struct eve_block *block, struct eve_err *err)
{
    open_of(block)->text_open = false;
    eve_block_remove(&s->blocks, block);
    /* The struct removed last is the next one to be used, with what it holds. */
    return eve_block_add(&s->blocks, ev->type, &block, err);
}

/* Find or make the block of an append. */
static enum eve_status find_block(struct eve_stat *s, const struct eve_event *ev, bool legacy,
                                  struct open **out, struct eve_err *err)
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
        status = status == EVE_OK ? begin_block(s, ev, open_of(block), err) : status;
    } else if (begins_again(open_of(block), ev, legacy)) {
        status = restart(s, ev, block, err);
    }
    *out = block != NULL ? open_of(block) : NULL;
    return status;
}

/* Count an append in its block. Appends of a known shape need not look for it. */
static enum eve_status see_append(struct eve_stat *s, const struct eve_event *ev,
                                  const struct eve_decoder *d, struct open **out,
                                  struct eve_err *err)
{
    struct known *known = ev->shape != 0 ? &s->known[ev->shape % EVE_EVENT_SHAPES] : NULL;
    if (known != NULL && known->shape != ev->shape) {
        *known = (struct known){.shape = ev->shape, .row = NO_ROW};
    }
    struct open *o = NULL;
    if (known != NULL && known->row != NO_ROW && known->open->row == known->row &&
        !begins_again(known->open, ev, d->legacy)) {
        o = known->open;
    } else {
        enum eve_status status = find_block(s, ev, d->legacy, &o, err);
        if (status != EVE_OK) {
            return status;
        }
        if (known != NULL) {
            known->open = o;
            known->row = o->row;
        }
    }
    s->last = known;
    o->count.events++;
    o->count.bytes += ev->text.n + 1;
    o->count.removed += d->removed;
    if (s->options.as_if == 24 && d->legacy) {
        price_legacy(o, ev);
    } else if (s->options.as_if == 24) {
        struct eve_json_value delta = ev->field[eve_decode_delta_field(ev->type)].value;
        s->account->as_if += price_delta(o, ev->type, eve_text_of(delta));
    }
    if (ev->type == EVE_EVENT_INPUT_APPENDED) {
        o->text_open =
            o->text_open || ev->field[EVE_FIELD_INPUT_TEXT_DELTA].value.n > sizeof "\"\"" - 1;
    }
    *out = o;
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
    if (s->last != NULL && s->last->has_place) {
        *place = s->last->place;
        return EVE_OK;
    }
    enum eve_status status = eve_rows_find(&s->account->rows, ev, parts, place, err);
    if (status == EVE_OK && s->last != NULL) {
        s->last->place = *place;
        s->last->has_place = true;
    }
    return status;
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
    for (size_t f = 0; d->removed > 0 && f < EVE_FIELD_REMOVED_COUNT; f++) {
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
    s->last = NULL;
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

bool eve_stat_takes_more(const struct eve_stat *s)
{
    const struct open *o = s->last != NULL && s->last->row != NO_ROW ? s->last->open : NULL;
    return o != NULL && (o->text_open || o->block.kind != EVE_EVENT_INPUT_APPENDED) &&
           eve_snapshot_is_empty(s->options.snapshots);
}

/* Bytes that version 24 adds to lines like `ev`, in which nothing but the delta is of any length.
 * Short clean deltas are told apart without a branch on their length, see simd.h. */
static uint64_t price_lines(struct open *o, const struct eve_event *ev, struct eve_slice lines)
{
    uint64_t sum = 0;
    struct eve_price text = price_of(o);
    struct eve_slice delta = eve_text_of(ev->field[eve_decode_delta_field(ev->type)].value);
    size_t before = (size_t)(delta.p - ev->line.p);
    size_t beside = ev->line.n - delta.n;
    struct eve_simd_piece clean = {.ranges = 1};
    const char *p = lines.p;
    for (const char *end = p + lines.n; p < end;) {
        const char *lf = memchr(p + beside, '\n', (size_t)(end - p) - beside);
        struct eve_price old = text;
        delta = (struct eve_slice){p + before, (size_t)(lf - p) - beside};
        clean.range[0].n = (uint16_t)delta.n;
        if (delta.n > 0 && delta.n <= EVE_SIMD_BLOCK && eve_simd_like(delta.p, &clean)) {
            text = (struct eve_price){text.bytes + delta.n, text.units + delta.n, false};
        } else {
            eve_price_add(&text, delta);
        }
        sum += eve_price_member(ev->type, &old, &text);
        p = lf + 1;
    }
    set_price(o, ev->type, &text);
    return sum;
}

enum eve_status eve_stat_more(struct eve_stat *s, const struct eve_event *ev,
                              struct eve_slice lines, uint64_t count, struct eve_err *err)
{
    struct eve_tally *t = &s->account->tally;
    struct eve_tally_count *type = NULL;
    struct open *o = s->last->open;
    enum eve_status status = eve_tally_of_event(t, ev, &type, err);
    if (status != EVE_OK) {
        return status;
    }
    type->events += count;
    type->bytes += lines.n;
    t->n[EVE_TALLY_EVENTS] += count;
    t->n[EVE_TALLY_DELTA_ONLY] += lines.n;
    o->count.events += count;
    o->count.bytes += lines.n;
    if (s->options.as_if == 24) {
        s->account->as_if += lines.n + price_lines(o, ev, lines);
    }
    if (s->options.by != EVE_STAT_BY_NOTHING) {
        size_t place = s->options.by == EVE_STAT_BY_BLOCK ? o->row : s->last->place;
        struct eve_row *row = &s->account->rows.list[place];
        row->events += count;
        row->bytes += lines.n;
        row->delta_only += lines.n;
    }
    return see_largest(s, ev, o, err);
}
