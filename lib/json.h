/*
 * json: the strict scanner. It takes what JavaScript's JSON.parse takes and refuses what that
 * refuses (RFC 8259), and also refuses bytes that are not UTF-8. Lone surrogates as escapes and
 * repeated names are allowed, as they are there.
 *
 * Nothing is decoded, copied or kept: a value is the range of its bytes. The caller pulls: it
 * stands before a value and either steps over it (eve_json_skip) or, if it is an object or array,
 * enters it and goes through its members. Every byte is validated on the way, in one pass, without
 * recursion; one bit a level is all the memory that nesting takes.
 *
 * Ranges borrow the scanned text. All errors have status EVE_BAD, with the rule json-syntax,
 * json-utf8 or json-depth and the offset of the first byte that cannot stand where it does; where
 * the text only ends too soon, err->pos is its length.
 */
#ifndef EVE_JSON_H
#define EVE_JSON_H

#include "base.h"
#include "buf.h"

enum eve_json_kind {
    EVE_JSON_NONE = 0, /* no such value */
    EVE_JSON_NULL,
    EVE_JSON_FALSE,
    EVE_JSON_TRUE,
    EVE_JSON_NUMBER,
    EVE_JSON_STRING,
    EVE_JSON_ARRAY,
    EVE_JSON_OBJECT
};

/* The bytes of a value, quotes and brackets included. */
struct eve_json_value {
    const char *p;
    size_t n;
    enum eve_json_kind kind;
    bool escaped; /* a string with a backslash in it */
};

/* Cursor over one text. Treat as opaque; lives on the stack. */
struct eve_json {
    const char *start;
    const char *p;
    const char *end;
    size_t depth;
    bool first;                              /* just behind an opening bracket */
    uint64_t object[EVE_DEPTH_MAX / 64 + 1]; /* per open level: object (1) or array (0) */
};

/* Stand before the first value of `text`. */
void eve_json_open(struct eve_json *j, struct eve_slice text);

/* The kind of the value ahead, by its first byte; EVE_JSON_NONE if none can begin so. */
enum eve_json_kind eve_json_peek(struct eve_json *j);

/* The kind of a value that begins with `c`; EVE_JSON_NONE: none does. */
enum eve_json_kind eve_json_kind_of(char c);

/* Step over the value ahead; it is put in *out if `out` is not NULL. */
EVE_MUST_USE enum eve_status eve_json_skip(struct eve_json *j, struct eve_json_value *out,
                                           struct eve_err *err);

/* Enter the object or array ahead (eve_json_peek said so). */
EVE_MUST_USE enum eve_status eve_json_enter(struct eve_json *j, struct eve_err *err);

/* In an object: read the next name and stand before its value. EVE_END: the object is closed and
 * left behind. In an array: eve_json_element does the same for elements. After EVE_OK the value
 * ahead has to be skipped, or entered and gone through to its end, before the next call. */
EVE_MUST_USE enum eve_status eve_json_member(struct eve_json *j, struct eve_json_value *name,
                                             struct eve_err *err);
EVE_MUST_USE enum eve_status eve_json_element(struct eve_json *j, struct eve_err *err);

/* Where the cursor stands: after a skip or an EVE_END, the byte behind the value. */
static inline const char *eve_json_at(const struct eve_json *j)
{
    return j->p;
}

/* In an array that was entered: stand at `p`, where an earlier cursor over the same text stood
 * behind an element. */
static inline void eve_json_resume(struct eve_json *j, const char *p)
{
    j->p = p;
    j->first = false;
}

/* Nothing but white space is left. */
EVE_MUST_USE enum eve_status eve_json_finish(struct eve_json *j, struct eve_err *err);

#endif
