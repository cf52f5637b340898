#include "row.h"

#include "json.h"
#include "key.h"
#include "mem.h"

#include <errno.h>
#include <string.h>

enum { FIRST_ROWS = 16 };

void eve_row_fini(struct eve_row *row)
{
    eve_mem_free(row->raw);
    *row = (struct eve_row){0};
}

static struct eve_json_value part_of(const struct eve_event *ev, enum eve_row_part part)
{
    switch (part) {
    case EVE_ROW_GROUP:
        return ev->group;
    case EVE_ROW_TYPE:
        return ev->type_value;
    case EVE_ROW_TURN:
        return eve_event_value(ev, EVE_FIELD_TURN_ID);
    case EVE_ROW_STEP:
        return eve_event_value(ev, EVE_FIELD_STEP_INDEX);
    default:
        return eve_event_value(ev, EVE_FIELD_CALL_ID);
    }
}

enum eve_status eve_row_set(struct eve_row *row, const struct eve_event *ev, unsigned parts,
                            struct eve_err *err)
{
    size_t n = 0;
    for (unsigned part = 0; part < EVE_ROW_PARTS; part++) {
        n += parts & EVE_ROW_BIT(part) ? part_of(ev, (enum eve_row_part)part).n : 0;
    }
    enum eve_status status = eve_mem_resize(&row->raw, n, 1, err);
    if (status != EVE_OK) {
        return status;
    }
    n = 0;
    for (unsigned part = 0; part < EVE_ROW_PARTS; part++) {
        struct eve_json_value value = part_of(ev, (enum eve_row_part)part);
        if (parts & EVE_ROW_BIT(part) && value.n > 0) {
            memcpy(row->raw + n, value.p, value.n);
            n += value.n;
        }
        row->end[part] = n;
    }
    return EVE_OK;
}

struct eve_json_value eve_row_get(const struct eve_row *row, enum eve_row_part part)
{
    size_t from = part == 0 ? 0 : row->end[part - 1];
    size_t n = row->end[part] - from;
    struct eve_json_value value = {0};
    if (n > 0) {
        struct eve_json j;
        value.p = row->raw + from;
        value.n = n;
        eve_json_open(&j, (struct eve_slice){value.p, n});
        value.kind = eve_json_peek(&j);
        value.escaped = value.kind == EVE_JSON_STRING && memchr(value.p, '\\', n) != NULL;
    }
    return value;
}

void eve_rows_init(struct eve_rows *rows, const uint64_t seed[2])
{
    *rows = (struct eve_rows){0};
    eve_map_init(&rows->map, seed);
    eve_buf_init(&rows->key, SIZE_MAX / 2);
}

void eve_rows_fini(struct eve_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        eve_row_fini(&rows->list[i]);
    }
    eve_mem_free(rows->list);
    eve_rows_close(rows);
    rows->list = NULL;
    rows->count = rows->cap = 0;
}

void eve_rows_close(struct eve_rows *rows)
{
    eve_map_fini(&rows->map);
    eve_buf_fini(&rows->key);
}

enum eve_status eve_rows_add(struct eve_rows *rows, const struct eve_event *ev, unsigned parts,
                             size_t *place, struct eve_err *err)
{
    if (rows->count == rows->cap) {
        size_t cap = eve_mem_grow(rows->cap, rows->count + 1, FIRST_ROWS, UINT32_MAX);
        if (cap == 0) {
            return eve_fail(err, EVE_FAIL, EVE_RULE_NONE, "too many rows", 0, ENOMEM);
        }
        enum eve_status status = eve_mem_resize(&rows->list, cap, sizeof *rows->list, err);
        if (status != EVE_OK) {
            return status;
        }
        rows->cap = cap;
    }
    struct eve_row *row = &rows->list[rows->count];
    *row = (struct eve_row){.kind = EVE_EVENT_OTHER};
    enum eve_status status = eve_row_set(row, ev, parts, err);
    if (status == EVE_OK) {
        *place = rows->count++;
    }
    return status;
}

enum eve_status eve_rows_find(struct eve_rows *rows, const struct eve_event *ev, unsigned parts,
                              size_t *place, struct eve_err *err)
{
    struct eve_map_entry *entry = NULL;
    bool added = false;
    enum eve_status status = EVE_OK;
    rows->key.n = 0;
    for (unsigned part = 0; part < EVE_ROW_PARTS && status == EVE_OK; part++) {
        if (parts & EVE_ROW_BIT(part)) {
            status = eve_key_put(&rows->key, part_of(ev, (enum eve_row_part)part), err);
        }
    }
    if (status == EVE_OK) {
        status = eve_map_put(&rows->map, eve_buf_slice(&rows->key), &entry, &added, err);
    }
    if (status == EVE_OK && added) {
        size_t made = rows->count;
        status = eve_rows_add(rows, ev, parts, &made, err);
        entry->value = made; /* a failed run uses no row */
    }
    if (status == EVE_OK) {
        *place = (size_t)entry->value;
    }
    return status;
}
