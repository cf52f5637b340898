#include "check_hold.h"
#include "check_state.h"
#include "num.h"
#include "str.h"
#include "text.h"

/* The raw delta of an append, which the decode boundary took. */
static struct eve_slice delta_of(const struct eve_event *ev)
{
    return eve_text_of(ev->field[eve_decode_delta_field(ev->type)].value);
}

/* The head of a text that begins at the event at hand may be missing: it stood before the stream
 * was joined, or in a line of this step that could not be read. */
static enum eve_status find_partial(struct eve_check *c, bool *partial, struct eve_err *err)
{
    bool in = true;
    enum eve_status status = c->bad > 0 ? eve_check_in_step(c, &in, err) : EVE_OK;
    *partial = (!c->group->session_started && !c->group->step_seen) ||
               (c->bad > 0 && (!in || c->group->step.line < c->bad_line));
    return status;
}

/* A text begins with the append at hand. */
static enum eve_status open_text(struct eve_check *c, struct eve_check_text **out,
                                 struct eve_err *err)
{
    struct eve_block *block = NULL;
    enum eve_status status = eve_block_add(&c->texts, c->ev->type, &block, err);
    if (status != EVE_OK) {
        return status;
    }
    struct eve_check_text *t = eve_check_as_text(block);
    struct eve_buf raw = t->raw;
    *t = (struct eve_check_text){.block = t->block, .group = c->group, .raw = raw};
    if (raw.max == 0) {
        eve_buf_init(&t->raw, SIZE_MAX / 2);
    }
    t->begun = eve_check_here(c);
    t->serial = ++c->serial;
    c->group->blocks++;
    c->group->step_said = true;
    *out = t;
    status = find_partial(c, &t->partial, err);
    if (status != EVE_OK) {
        return status;
    }
    eve_check_explain_calls(c);
    return eve_check_inside(c, false, err);
}

/* The text starts again at the append at hand. */
static enum eve_status restart(struct eve_check *c, struct eve_check_text *t, struct eve_err *err)
{
    struct eve_words w;
    eve_words_init(&w, "the ");
    eve_words_put(&w, eve_check_noun(t->block.kind));
    eve_words_put(&w, " starts again after ");
    eve_words_number(&w, t->deltas, "append");
    eve_words_put(&w, ": the attempt before it failed");
    t->raw.n = 0;
    t->deltas = 0;
    if (t->block.kind == EVE_EVENT_INPUT_APPENDED) {
        t->of.input = (struct eve_check_input){.tool = t->of.input.tool};
    } else {
        t->of.said = (struct eve_check_said){0};
    }
    return eve_check_tell(c, EVE_RULE_RESTART, false, NULL, w.s, err);
}

/* The snapshot of a legacy append against what is kept. *whole: the snapshot was taken as the text
 * so far, the delta in it. */
static enum eve_status check_snapshot(struct eve_check *c, struct eve_check_text *t, bool *whole,
                                      struct eve_err *err)
{
    struct eve_json_value value = c->ev->field[eve_decode_sum_field(c->ev->type)].value;
    struct eve_slice delta = delta_of(c->ev);
    struct eve_slice all = eve_text_of(value);
    struct eve_slice kept = eve_buf_slice(&t->raw);
    enum eve_status status = EVE_OK;
    if (all.n == kept.n + delta.n && eve_str_equal(eve_str_sub(all, 0, kept.n), kept) &&
        eve_str_equal(eve_str_sub(all, kept.n, all.n), delta)) {
        return EVE_OK;
    }
    *whole = true;
    bool spoiled = eve_check_is_spoiled(t, c->bad_line);
    if (eve_text_is_sum(all, kept, delta) || (t->deltas == 0 && spoiled)) {
        /* the same in other bytes, as halves that became one character; or its head is not known */
    } else if (eve_text_equal(all, delta)) {
        status = restart(c, t, err);
    } else if (!t->broken && t->begun.line > c->bad_line) {
        struct eve_words w;
        eve_words_init(&w, "the text so far does not continue the ");
        eve_words_number(&w, eve_text_count(kept), "unit");
        eve_words_put(&w, " before it: ");
        eve_words_number(&w, eve_text_count(all), "unit");
        eve_words_put(&w, " with a delta of ");
        eve_words_count(&w, eve_text_count(delta));
        status = eve_check_hold(c, EVE_RULE_SNAPSHOT_GAP, 0, value.p, w.s, err);
    }
    t->raw.n = 0;
    return status == EVE_OK ? eve_buf_put(&t->raw, all, err) : status;
}

/* The offset of a legacy tool input append against the length of what is kept. */
static enum eve_status check_offset(struct eve_check *c, struct eve_check_text *t,
                                    struct eve_err *err)
{
    struct eve_json_value value = eve_event_value(c->ev, EVE_FIELD_INPUT_TEXT_OFFSET);
    struct eve_check_input *of = &t->of.input;
    uint64_t offset = 0;
    struct eve_words w;
    of->units += eve_text_count(eve_str_sub(eve_buf_slice(&t->raw), of->counted, t->raw.n));
    of->counted = t->raw.n;
    if (!eve_num_integer((struct eve_slice){value.p, value.n}, EVE_NUM_SAFE_MAX, &offset) ||
        offset == of->units) {
        return EVE_OK;
    }
    if (offset == 0) {
        return restart(c, t, err);
    }
    eve_words_init(&w, "inputTextOffset is ");
    eve_words_count(&w, offset);
    eve_words_put(&w, ", but the input has ");
    eve_words_number(&w, of->units, "unit");
    eve_words_put(&w, " so far");
    bool told = t->broken || t->begun.line < c->bad_line || (t->deltas == 0 && t->partial);
    t->broken = true;
    of->units = offset;
    return told ? EVE_OK : eve_check_hold(c, EVE_RULE_OFFSET_GAP, 0, value.p, w.s, err);
}

/* Deltas that begin with the one before them, and go on. */
static void watch_repeats(struct eve_check *c, struct eve_check_text *t, struct eve_slice delta)
{
    struct eve_check_said *of = &t->of.said;
    size_t n = t->raw.n - of->last;
    bool repeats = n > 0 && delta.n > n && memcmp(delta.p, t->raw.p + of->last, n) == 0;
    if (of->repeat < EVE_CHECK_REPEATS) {
        of->repeat = repeats ? of->repeat + 1 : 0;
        of->repeated = of->repeat == EVE_CHECK_REPEATS ? eve_check_here(c) : of->repeated;
    }
    of->last = t->raw.n;
}

static enum eve_status take_delta(struct eve_check *c, struct eve_check_text *t,
                                  struct eve_err *err)
{
    struct eve_slice delta = delta_of(c->ev);
    enum eve_status status = EVE_OK;
    bool whole = false;
    bool input = c->ev->type == EVE_EVENT_INPUT_APPENDED;
    if (c->decoded->legacy) {
        status = input ? check_offset(c, t, err) : check_snapshot(c, t, &whole, err);
    }
    if (input && delta.n > 0 && delta.p[0] == '{' && t->raw.n <= UINT32_MAX) {
        struct eve_check_input *of = &t->of.input;
        of->tails[of->tail_count++ % EVE_CHECK_TAILS] = (uint32_t)t->raw.n;
    }
    if (!input && !c->decoded->legacy) {
        watch_repeats(c, t, delta);
    }
    t->deltas++;
    return status == EVE_OK && !whole ? eve_buf_put(&t->raw, delta, err) : status;
}

static enum eve_status check_forms(struct eve_check *c, struct eve_err *err)
{
    struct eve_check_group *g = c->group;
    *(c->decoded->legacy ? &g->legacy_seen : &g->delta_seen) = true;
    if (!g->legacy_seen || !g->delta_seen || g->mixed_told) {
        return EVE_OK;
    }
    g->mixed_told = true;
    return eve_check_tell(c, EVE_RULE_MIXED_FORMS, false, NULL,
                          c->decoded->legacy
                              ? "a legacy append, though others before it are delta-only"
                              : "a delta-only append, though others before it are legacy",
                          err);
}

static void get_parts(const struct eve_event *ev, struct eve_json_value parts[EVE_CHECK_PARTS])
{
    bool input = ev->type == EVE_EVENT_INPUT_APPENDED;
    parts[0] = eve_event_value(ev, EVE_FIELD_TURN_ID);
    parts[1] = eve_event_value(ev, EVE_FIELD_STEP_INDEX);
    parts[2] = eve_event_value(ev, EVE_FIELD_SEQUENCE);
    parts[3] = input ? eve_event_value(ev, EVE_FIELD_CALL_ID) : (struct eve_json_value){0};
    parts[4] = input ? eve_event_value(ev, EVE_FIELD_TOOL_NAME) : (struct eve_json_value){0};
}

/* The text of the append before, if this one is spelled with the same coordinates. */
static struct eve_check_text *find_last(const struct eve_check *c,
                                        const struct eve_json_value parts[EVE_CHECK_PARTS])
{
    const struct eve_check_spelling *s = &c->last_spelling;
    const char *raw = s->raw;
    if (c->last_text == NULL || c->last_text->block.kind != c->ev->type ||
        c->last_text->group != c->group) {
        return NULL;
    }
    for (size_t i = 0; i < EVE_CHECK_PARTS; i++) {
        if (!eve_str_equal((struct eve_slice){parts[i].p, parts[i].n},
                           (struct eve_slice){raw, s->n[i]})) {
            return NULL;
        }
        raw += s->n[i];
    }
    return c->last_text;
}

static void keep_last(struct eve_check *c, struct eve_check_text *t,
                      const struct eve_json_value parts[EVE_CHECK_PARTS])
{
    struct eve_check_spelling *s = &c->last_spelling;
    size_t n = 0;
    c->last_text = NULL;
    for (size_t i = 0; i < EVE_CHECK_PARTS; i++) {
        if (parts[i].n > sizeof s->raw - n) {
            return;
        }
        if (parts[i].n > 0) {
            memcpy(s->raw + n, parts[i].p, parts[i].n);
        }
        s->n[i] = parts[i].n;
        n += parts[i].n;
    }
    c->last_text = t;
}

/* The text of the append at hand, opened if it was not. */
static enum eve_status find_text(struct eve_check *c, struct eve_json_value call,
                                 struct eve_check_text **out, struct eve_err *err)
{
    struct eve_json_value parts[EVE_CHECK_PARTS];
    get_parts(c->ev, parts);
    *out = find_last(c, parts);
    if (*out != NULL) {
        return EVE_OK;
    }
    enum eve_status status = eve_check_sequence(c, err);
    if (status == EVE_OK) {
        status = eve_block_look(&c->texts, c->ev, call, err);
    }
    if (status != EVE_OK) {
        return status;
    }
    struct eve_block *block = eve_block_find(&c->texts, c->ev->type);
    if (block == NULL) {
        status = open_text(c, out, err);
    } else {
        eve_block_use(&c->texts, block);
        *out = eve_check_as_text(block);
    }
    if (status == EVE_OK && c->ev->type == EVE_EVENT_INPUT_APPENDED) {
        status = eve_check_tool_append(c, *out, err);
    }
    if (status == EVE_OK) {
        keep_last(c, *out, parts);
    }
    return status;
}

/* What was worked out for this append holds for those like it. */
static void keep_shape(struct eve_check *c, struct eve_check_text *t)
{
    if (c->clean && c->ev->shape != 0) {
        c->shapes[c->ev->shape % EVE_EVENT_SHAPES] =
            (struct eve_check_shape){c->ev->shape, eve_check_content(c), c->group, t, t->serial};
    }
}

enum eve_status eve_check_append_known(struct eve_check *c, bool *done, struct eve_err *err)
{
    struct eve_check_text *t = c->known->text;
    *done = t->serial == c->known->serial && c->held.count == 0 &&
            (!c->group->ended || c->group->after_end_told);
    if (!*done) {
        return EVE_OK;
    }
    if (c->last_text != t) {
        c->last_text = NULL;
        eve_block_use(&c->texts, &t->block);
    }
    return take_delta(c, t, err);
}

enum eve_status eve_check_append(struct eve_check *c, struct eve_err *err)
{
    struct eve_json_value call = {0};
    struct eve_check_text *t = NULL;
    if (c->ev->type == EVE_EVENT_INPUT_APPENDED) {
        call = eve_event_value(c->ev, EVE_FIELD_CALL_ID);
    }
    enum eve_status status = check_forms(c, err);
    if (status == EVE_OK && c->held.count > 0) {
        status = eve_check_hold_late(c, call, err);
    }
    if (status != EVE_OK || c->late) {
        return status;
    }
    status = find_text(c, call, &t, err);
    if (status == EVE_OK) {
        keep_shape(c, t);
        status = take_delta(c, t, err);
    }
    return status;
}

enum eve_status eve_check_text_spoil(struct eve_check *c, struct eve_err *err)
{
    struct eve_check_text *t = NULL;
    struct eve_json_value call = {0};
    if (c->ev->type == EVE_EVENT_INPUT_APPENDED) {
        call = eve_event_value(c->ev, EVE_FIELD_CALL_ID);
    }
    enum eve_status status = eve_check_hold_spoil(c, false, call, err);
    if (status == EVE_OK) {
        status = eve_block_look(&c->texts, c->ev, call, err);
    }
    struct eve_block *block = status == EVE_OK ? eve_block_find(&c->texts, c->ev->type) : NULL;
    if (status == EVE_OK && block == NULL) {
        status = open_text(c, &t, err);
        block = status == EVE_OK ? &t->block : NULL;
    }
    if (block != NULL) {
        eve_check_as_text(block)->broken = true;
    }
    return status;
}
