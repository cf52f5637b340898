#include "edit.h"

#include "mem.h"
#include "str.h"

#include <errno.h>

enum { FIRST_EDITS = 8 };

void eve_edit_init(struct eve_edits *edits)
{
    *edits = (struct eve_edits){0};
}

void eve_edit_fini(struct eve_edits *edits)
{
    eve_mem_free(edits->list);
    eve_edit_init(edits);
}

enum eve_status eve_edit_add(struct eve_edits *edits, size_t from, size_t to, struct eve_slice put,
                             struct eve_err *err)
{
    if (edits->n == edits->cap) {
        size_t cap = eve_mem_grow(edits->cap, edits->n + 1, FIRST_EDITS, SIZE_MAX / 2);
        enum eve_status status = eve_mem_resize(&edits->list, cap, sizeof *edits->list, err);
        if (status != EVE_OK) {
            return status;
        }
        edits->cap = cap;
    }
    edits->list[edits->n++] = (struct eve_edit){from, to, put};
    return EVE_OK;
}

enum eve_status eve_edit_write(const struct eve_edits *edits, struct eve_slice text,
                               struct eve_out *out, struct eve_err *err)
{
    enum eve_status status = EVE_OK;
    size_t at = 0;
    for (size_t i = 0; i < edits->n && status == EVE_OK; i++) {
        const struct eve_edit *e = &edits->list[i];
        status = eve_out_put(out, eve_str_sub(text, at, e->from), err);
        if (status == EVE_OK) {
            status = eve_out_put(out, e->put, err);
        }
        at = e->to;
    }
    struct eve_slice rest = eve_str_sub(text, at, text.n);
    return status == EVE_OK ? eve_out_put(out, rest, err) : status;
}

enum eve_status eve_edit_put(const struct eve_edits *edits, struct eve_slice text,
                             struct eve_buf *out, struct eve_err *err)
{
    enum eve_status status = EVE_OK;
    size_t at = 0;
    for (size_t i = 0; i < edits->n && status == EVE_OK; i++) {
        const struct eve_edit *e = &edits->list[i];
        status = eve_buf_put(out, eve_str_sub(text, at, e->from), err);
        if (status == EVE_OK) {
            status = eve_buf_put(out, e->put, err);
        }
        at = e->to;
    }
    struct eve_slice rest = eve_str_sub(text, at, text.n);
    return status == EVE_OK ? eve_buf_put(out, rest, err) : status;
}
