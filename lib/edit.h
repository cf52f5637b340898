/*
 * edit: what is cut out of an event and what is put in; every other byte of it stays.
 *
 * Edits lie in the order of the text and do not overlap. The list is reused from event to event;
 * what is put in is borrowed.
 */
#ifndef EVE_EDIT_H
#define EVE_EDIT_H

#include "base.h"
#include "buf.h"
#include "out.h"

struct eve_edit {
    size_t from; /* bytes from here … */
    size_t to;   /* … to here go; none if equal */
    struct eve_slice put;
};

struct eve_edits {
    struct eve_edit *list;
    size_t n;
    size_t cap;
};

void eve_edit_init(struct eve_edits *edits);
void eve_edit_fini(struct eve_edits *edits);

/* Add an edit behind the others. EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status eve_edit_add(struct eve_edits *edits, size_t from, size_t to,
                                          struct eve_slice put, struct eve_err *err);

/* Write `text` edited, to an output (where the text may be lent, see out.h) or a buffer. */
EVE_MUST_USE enum eve_status eve_edit_write(const struct eve_edits *edits, struct eve_slice text,
                                            struct eve_out *out, struct eve_err *err);
EVE_MUST_USE enum eve_status eve_edit_put(const struct eve_edits *edits, struct eve_slice text,
                                          struct eve_buf *out, struct eve_err *err);

#endif
