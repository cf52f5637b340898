/*
 * saved: JSON as records and state files have it: written piece by piece, and strictly read.
 *
 * A writer puts every byte straight into an eve_out, so that no document is ever made in memory; as
 * errors of an output stick there, writers return none. Names are plain and need no escapes; NULL:
 * an element of an array. Readers take members of an object that was scanned before; EVE_BAD with
 * the name of the member as message if it is missing or of another kind than it must be.
 */
#ifndef EVE_SAVED_H
#define EVE_SAVED_H

#include "base.h"
#include "json.h"
#include "out.h"

/* Begin with {out, false}. */
struct eve_saved {
    struct eve_out *out; /* borrowed */
    bool comma;          /* what comes next is not the first of its object or array */
};

/* An object or array begins ('{', '[') or ends ('}', ']'). */
void eve_saved_open(struct eve_saved *s, const char *name, char bracket);
void eve_saved_close(struct eve_saved *s, char bracket);

/* A value as it stands; a spelled text (see spell.h); plain UTF-8, which is spelled; a number; true
 * or false. */
void eve_saved_raw(struct eve_saved *s, const char *name, struct eve_slice value);
void eve_saved_text(struct eve_saved *s, const char *name, struct eve_slice spelled);
void eve_saved_plain(struct eve_saved *s, const char *name, struct eve_slice plain);
void eve_saved_count(struct eve_saved *s, const char *name, uint64_t n);
void eve_saved_flag(struct eve_saved *s, const char *name, bool flag);

/* Bytes of the document as they are, commas too. */
void eve_saved_bytes(struct eve_saved *s, struct eve_slice bytes);

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
