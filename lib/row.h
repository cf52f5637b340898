/*
 * row: one line of a breakdown: a turn, a step, a block, and what it takes.
 *
 * A row keeps the coordinates of its first event as they are spelled in the stream. Rows are found
 * again by what their coordinates say (see key.h).
 */
#ifndef EVE_ROW_H
#define EVE_ROW_H

#include "base.h"
#include "buf.h"
#include "event.h"
#include "map.h"

/* The coordinates. */
enum eve_row_part { EVE_ROW_GROUP, EVE_ROW_TYPE, EVE_ROW_TURN, EVE_ROW_STEP, EVE_ROW_CALL };
#define EVE_ROW_PARTS 5

struct eve_row {
    enum eve_event_type kind;  /* of a block: the type of its appends; else EVE_EVENT_OTHER */
    uint32_t order;            /* of one of the largest blocks: lower if it began earlier */
    char *raw;                 /* the coordinates, one behind the other; owned */
    size_t end[EVE_ROW_PARTS]; /* where each ends */
    uint64_t events;
    uint64_t bytes; /* as in tally.h */
    uint64_t removed;
    uint64_t delta_only;
};

/* Bits for the parts that make a row. */
#define EVE_ROW_BIT(part) (1u << (part))

struct eve_rows {
    struct eve_row *list; /* in the order they came */
    size_t count;
    size_t cap;
    struct eve_map map; /* keys -> place in the list */
    struct eve_buf key; /* scratch */
};

void eve_row_fini(struct eve_row *row);

/* Give `row`, which is zero or has a name already, the coordinates of `ev` whose bits are in
 * `parts`. EVE_FAIL: no memory; the row is as it was. */
EVE_MUST_USE enum eve_status eve_row_set(struct eve_row *row, const struct eve_event *ev,
                                         unsigned parts, struct eve_err *err);

/* One coordinate; kind EVE_JSON_NONE if the row has none. Borrows the row. */
struct eve_json_value eve_row_get(const struct eve_row *row, enum eve_row_part part);

/* `seed`: see map.h. */
void eve_rows_init(struct eve_rows *rows, const uint64_t seed[2]);
void eve_rows_fini(struct eve_rows *rows);
/* Forget what it takes to find rows again; they stay. */
void eve_rows_close(struct eve_rows *rows);

/* The place of the row with the coordinates of `ev` in `parts`, made if there is none. EVE_FAIL: no
 * memory. */
EVE_MUST_USE enum eve_status eve_rows_find(struct eve_rows *rows, const struct eve_event *ev,
                                           unsigned parts, size_t *place, struct eve_err *err);

/* A new row, whether there is one like it or not. */
EVE_MUST_USE enum eve_status eve_rows_add(struct eve_rows *rows, const struct eve_event *ev,
                                          unsigned parts, size_t *place, struct eve_err *err);

#endif
