/*
 * template_shape: what template.c and template_learn.c share, and nobody else includes.
 */
#ifndef EVE_TEMPLATE_SHAPE_H
#define EVE_TEMPLATE_SHAPE_H

#include "base.h"
#include "event.h"
#include "simd.h"
#include "template.h"

/* A line falls into pieces that stay: up to the content of the delta, from there to the content of
 * the cumulative field if there is one, and the rest. */
enum { HEAD, MIDDLE, TAIL, PIECES };

/* Pointers of an event that are set for each line: at most the values of all fields, three of the
 * cumulative one's neighbourhood, and the top-level values. */
enum { SLOTS = EVE_FIELD_COUNT + 3 + 8 };

/* A pointer in struct eve_event, and how far into its piece it points. */
struct slot {
    uint16_t at;
    uint16_t offset;
};

/* Those of a piece. */
struct slots {
    size_t first;
    size_t n;
};

struct eve_template_shape {
    struct eve_template_shape *before; /* used more recently */
    struct eve_template_shape *after;
    struct eve_template_shape *next; /* the shape that came after this one, last time: a guess */
    struct eve_event ev;             /* of the last line; what stays is set once */
    enum eve_event_field delta;
    enum eve_event_field sum;
    enum eve_json_kind sum_kind; /* EVE_JSON_NONE: delta-only */
    size_t data_end;             /* in the tail */
    struct eve_simd_piece piece[PIECES];
    struct slots slots[PIECES];
    struct slot slot[SLOTS];
    struct eve_simd_pattern *pattern;
    size_t pattern_cap;
};

/* A line of this shape came: so one may the next time after the shape before. */
void eve_template_follow(struct eve_templates *t, struct eve_template_shape *s);

#endif
