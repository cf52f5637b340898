/*
 * saved: small helpers to write and strictly read the values of a state file.
 *
 * Writers append to a buffer; `name` is a plain name that needs no escapes. Readers take members of
 * an object that was scanned before; EVE_BAD with the name of the member as message if it is
 * missing or of another kind than it must be.
 */
#ifndef EVE_SAVED_H
#define EVE_SAVED_H

#include "base.h"
#include "buf.h"
#include "json.h"

/* `"name":value`, with a comma before it unless it is the first of its object. EVE_FAIL: no memory.
 */
EVE_MUST_USE enum eve_status eve_saved_raw(struct eve_buf *out, const char *name,
                                           struct eve_slice value, struct eve_err *err);
EVE_MUST_USE enum eve_status eve_saved_text(struct eve_buf *out, const char *name,
                                            struct eve_slice spelled, struct eve_err *err);
EVE_MUST_USE enum eve_status eve_saved_count(struct eve_buf *out, const char *name, uint64_t n,
                                             struct eve_err *err);
EVE_MUST_USE enum eve_status eve_saved_flag(struct eve_buf *out, const char *name, bool flag,
                                            struct eve_err *err);

/* A comma, if something stands before the next element or member. */
EVE_MUST_USE enum eve_status eve_saved_comma(struct eve_buf *out, struct eve_err *err);

EVE_MUST_USE enum eve_status eve_saved_get(struct eve_json_value object, const char *name,
                                           enum eve_json_kind kind, struct eve_json_value *out,
                                           struct eve_err *err);
EVE_MUST_USE enum eve_status eve_saved_get_count(struct eve_json_value object, const char *name,
                                                 uint64_t *out, struct eve_err *err);
EVE_MUST_USE enum eve_status eve_saved_get_flag(struct eve_json_value object, const char *name,
                                                bool *out, struct eve_err *err);

/* The next element of an array that was scanned before; *at is 0 at first. False at its end. */
bool eve_saved_next(struct eve_json_value array, size_t *at, struct eve_json_value *out);

#endif
