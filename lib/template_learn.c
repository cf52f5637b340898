#include "decode.h"
#include "mem.h"
#include "simd.h"
#include "template.h"
#include "template_shape.h"
#include "text.h"

#include <string.h>

void eve_template_init(struct eve_templates *t)
{
    *t = (struct eve_templates){0};
}

void eve_template_clear(struct eve_templates *t)
{
    t->first = t->last = t->latest = NULL;
    for (uint32_t i = 0; i < t->count; i++) {
        eve_mem_free(t->shapes[i]->pattern);
        eve_mem_free(t->shapes[i]);
    }
    t->count = t->vain = 0;
}

void eve_template_fini(struct eve_templates *t)
{
    eve_template_clear(t);
}

static void unlink_shape(struct eve_templates *t, struct eve_template_shape *s)
{
    *(s->before != NULL ? &s->before->after : &t->first) = s->after;
    *(s->after != NULL ? &s->after->before : &t->last) = s->before;
}

static void link_first(struct eve_templates *t, struct eve_template_shape *s)
{
    s->before = NULL;
    s->after = t->first;
    *(t->first != NULL ? &t->first->before : &t->last) = s;
    t->first = s;
}

void eve_template_follow(struct eve_templates *t, struct eve_template_shape *s)
{
    if (t->latest != NULL) {
        t->latest->next = s;
    }
    t->latest = s;
    if (t->first != s) {
        unlink_shape(t, s);
        link_first(t, s);
    }
}

/* What is learned from, in terms of the learned line. */
struct lesson {
    const struct eve_event *ev;
    const char *start[PIECES];
    const char *end[PIECES];
    struct eve_slice changing[2]; /* contents of meta.id and meta.at */
};

static bool holds(struct eve_json_value outer, const char *p)
{
    return outer.kind != EVE_JSON_NONE && p >= outer.p && p < outer.p + outer.n;
}

static bool is_clean(struct eve_json_value string)
{
    struct eve_slice text = eve_text_of(string);
    return !string.escaped && eve_simd_clean(text.p, text.n) == text.n;
}

/* Can the line be learned, and how does it fall into pieces? */
static bool prepare(struct lesson *l, const struct eve_event *ev, bool snapshots)
{
    *l = (struct lesson){.ev = ev};
    enum eve_event_field d = eve_decode_delta_field(ev->type);
    enum eve_event_field a = eve_decode_sum_field(ev->type);
    if (ev->kind != EVE_LINE_EVENT || d == EVE_FIELD_COUNT || !ev->ended || ev->repeated != 0 ||
        !ev->plain || ev->text.n != ev->line.n) {
        return false;
    }
    struct eve_json_value delta = eve_event_value(ev, d);
    struct eve_json_value sum = eve_event_value(ev, a);
    if (delta.kind != EVE_JSON_STRING || holds(ev->group, delta.p) ||
        (ev->meta.kind != EVE_JSON_NONE && holds(ev->group, ev->meta.p))) {
        return false;
    }
    l->start[HEAD] = ev->line.p;
    l->end[HEAD] = delta.p + 1;
    l->start[MIDDLE] = l->end[MIDDLE] = l->start[TAIL] = delta.p + delta.n - 1;
    l->end[TAIL] = ev->line.p + ev->line.n + 1;
    if (sum.kind != EVE_JSON_NONE) {
        bool text = ev->type != EVE_EVENT_INPUT_APPENDED;
        if (sum.kind != (text ? EVE_JSON_STRING : EVE_JSON_NUMBER) || sum.p < delta.p ||
            (text && !snapshots)) {
            return false;
        }
        l->end[MIDDLE] = sum.p + (text ? 1 : 0);
        l->start[TAIL] = sum.p + sum.n - (text ? 1 : 0);
    }
    const struct eve_json_value *changing[] = {&ev->id, &ev->at};
    for (size_t i = 0; i < 2; i++) {
        if (changing[i]->kind == EVE_JSON_STRING) {
            if (!is_clean(*changing[i])) {
                return false;
            }
            l->changing[i] = eve_text_of(*changing[i]);
        }
    }
    return (size_t)(l->end[HEAD] - l->start[HEAD] + l->end[MIDDLE] - l->start[MIDDLE] +
                    l->end[TAIL] - l->start[TAIL]) <= EVE_TEMPLATE_BYTES;
}

/* Note the ranges of a piece that change, in blocks. False: too many. */
static bool find_ranges(const struct lesson *l, int which, struct eve_simd_piece *piece)
{
    for (size_t i = 0; i < 2; i++) {
        const char *p = l->changing[i].p;
        if (l->changing[i].n == 0 || p < l->start[which] || p >= l->end[which]) {
            continue;
        }
        for (const char *end = p + l->changing[i].n; p < end; p += EVE_SIMD_BLOCK) {
            if (piece->ranges == EVE_SIMD_RANGES) {
                return false;
            }
            size_t n = end - p < EVE_SIMD_BLOCK ? (size_t)(end - p) : EVE_SIMD_BLOCK;
            piece->range[piece->ranges++] =
                (struct eve_simd_range){(uint16_t)(p - l->start[which]), (uint16_t)n};
        }
    }
    return true;
}

/* The patterns of a piece: all its bytes but those of the ranges. */
static void draw_patterns(const struct lesson *l, int which, const struct eve_simd_piece *piece,
                          struct eve_simd_pattern *pattern)
{
    for (size_t i = 0; i < piece->blocks; i++) {
        size_t n = piece->n - i * EVE_SIMD_BLOCK;
        n = n < EVE_SIMD_BLOCK ? n : EVE_SIMD_BLOCK;
        pattern[i] = (struct eve_simd_pattern){{0}, {0}};
        memcpy(pattern[i].byte, l->start[which] + i * EVE_SIMD_BLOCK, n);
        memset(pattern[i].same, 0xFF, n);
    }
    for (size_t i = 0; i < piece->ranges; i++) {
        for (size_t at = piece->range[i].at; at < (size_t)piece->range[i].at + piece->range[i].n;
             at++) {
            pattern[at / EVE_SIMD_BLOCK].same[at % EVE_SIMD_BLOCK] = 0;
        }
    }
}

/* The pointer to `p` at `at` in the event is set for each line, if it lies in the piece. */
static void add_slot(struct eve_template_shape *s, const struct lesson *l, int which,
                     const char *const *at)
{
    struct slots *slots = &s->slots[which];
    if (*at == NULL) {
        return;
    }
    int in = *at < l->end[HEAD] ? HEAD : *at >= l->start[TAIL] ? TAIL : MIDDLE;
    if (in == which) {
        s->slot[slots->first + slots->n++] = (struct slot){
            (uint16_t)((const char *)at - (const char *)&s->ev), (uint16_t)(*at - l->start[which])};
    }
}

/* All pointers of the event, which is still that of the learned line. */
static void add_slots(struct eve_template_shape *s, const struct lesson *l, int which)
{
    const struct eve_event *ev = &s->ev;
    add_slot(s, l, which, &ev->type_value.p);
    add_slot(s, l, which, &ev->data.p);
    add_slot(s, l, which, &ev->meta.p);
    add_slot(s, l, which, &ev->id.p);
    add_slot(s, l, which, &ev->at.p);
    add_slot(s, l, which, &ev->group.p);
    for (int f = 0; f < EVE_FIELD_COUNT; f++) {
        if (ev->seen >> f & 1) {
            add_slot(s, l, which, &ev->field[f].value.p);
        }
    }
    if (s->sum_kind != EVE_JSON_NONE) {
        add_slot(s, l, which, &ev->field[s->sum].name);
        add_slot(s, l, which, &ev->field[s->sum].before);
        add_slot(s, l, which, &ev->field[s->sum].after);
    }
}

/* A shape to be filled in, with room for so many patterns: a new one or the least recently used. */
static enum eve_status take_shape(struct eve_templates *t, size_t blocks,
                                  struct eve_template_shape **out, struct eve_err *err)
{
    struct eve_template_shape *s = t->last;
    enum eve_status status = EVE_OK;
    bool new = t->count < EVE_EVENT_SHAPES;
    t->vain += new ? 0 : 1;
    if (new) {
        s = NULL;
        status = eve_mem_resize(&s, 1, sizeof *s, err);
        if (status != EVE_OK) {
            return status;
        }
        *s = (struct eve_template_shape){.ev.shape = t->count};
    }
    if (s->pattern_cap < blocks) {
        status = eve_mem_resize(&s->pattern, blocks, sizeof *s->pattern, err);
        s->pattern_cap = status == EVE_OK ? blocks : s->pattern_cap;
    }
    if (new &&status != EVE_OK) {
        eve_mem_free(s);
    } else if (new) {
        link_first(t, s);
        t->shapes[t->count++] = s;
    }
    if (status == EVE_OK) {
        *out = s;
    }
    return status;
}

/* Lay out the pieces; the number of their blocks, 0 if that cannot be. */
static size_t lay_out(const struct lesson *l, struct eve_simd_piece piece[PIECES])
{
    size_t blocks = 0;
    for (int which = HEAD; which < PIECES; which++) {
        piece[which] = (struct eve_simd_piece){.n = (size_t)(l->end[which] - l->start[which])};
        piece[which].blocks = (piece[which].n + EVE_SIMD_BLOCK - 1) / EVE_SIMD_BLOCK;
        blocks += piece[which].blocks;
        if (!find_ranges(l, which, &piece[which])) {
            return 0;
        }
    }
    return blocks;
}

enum eve_status eve_template_learn(struct eve_templates *t, struct eve_event *ev,
                                   const struct eve_snapshots *snapshots, struct eve_err *err)
{
    struct lesson l;
    struct eve_simd_piece piece[PIECES];
    struct eve_template_shape *s = NULL;
    size_t blocks = prepare(&l, ev, snapshots != NULL) ? lay_out(&l, piece) : 0;
    if (blocks == 0) {
        return EVE_OK;
    }
    enum eve_status status = take_shape(t, blocks, &s, err);
    if (status != EVE_OK) {
        return status;
    }
    ev->shape = ++t->serial * EVE_EVENT_SHAPES + s->ev.shape % EVE_EVENT_SHAPES;
    s->ev = *ev;
    s->next = s;
    s->delta = eve_decode_delta_field(ev->type);
    s->sum = eve_decode_sum_field(ev->type);
    s->sum_kind = eve_event_value(ev, s->sum).kind;
    s->data_end = (size_t)(ev->data.p + ev->data.n - l.start[TAIL]);
    blocks = 0;
    size_t slots = 0;
    for (int which = HEAD; which < PIECES; which++) {
        s->piece[which] = piece[which];
        s->piece[which].pattern = s->pattern + blocks;
        draw_patterns(&l, which, &piece[which], s->pattern + blocks);
        s->slots[which] = (struct slots){.first = slots};
        add_slots(s, &l, which);
        blocks += piece[which].blocks;
        slots += s->slots[which].n;
    }
    eve_template_follow(t, s);
    return EVE_OK;
}
