/*
 * base: what every other file of the library stands on.
 *
 * Status of a call, the error it fills in, and the slice. A slice borrows its bytes: whoever hands
 * one out says until when it is good. Lengths are bytes unless a name carries another unit.
 * The library never prints, exits, or reads arguments, environment, locale or clock.
 */
#ifndef EVE_BASE_H
#define EVE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EVE_MUST_USE __attribute__((warn_unused_result))
#define EVE_LIKELY(x) __builtin_expect(!!(x), 1)
#define EVE_UNLIKELY(x) __builtin_expect(!!(x), 0)

/* Deepest nesting of objects and arrays that a line may have. */
#define EVE_DEPTH_MAX 10000

enum eve_status {
    EVE_OK = 0,   /* done */
    EVE_END = 1,  /* nothing more to come */
    EVE_BAD = -1, /* this record is wrong; the next may be fine */
    EVE_FAIL = -2 /* stop: input or output failed, no memory, or a limit was reached */
};

/* Rules a single event can break, in the order in which they are checked. Their ids and texts are
 * in diag.h; the rules over a whole stream follow the same scheme there. */
enum eve_rule {
    EVE_RULE_NONE = 0,
    EVE_RULE_LINE_TOO_LONG,
    EVE_RULE_JSON_SYNTAX,
    EVE_RULE_JSON_UTF8,
    EVE_RULE_JSON_DEPTH,
    EVE_RULE_TRUNCATED,
    EVE_RULE_NOT_OBJECT,
    EVE_RULE_NEWER_FORMAT,
    EVE_RULE_TYPE_MISSING,
    EVE_RULE_BAD_DATA,
    EVE_RULE_UNSUPPORTED_EVENT,
    EVE_RULE_BAD_DELTA,
    EVE_RULE_BAD_SNAPSHOT,
    EVE_RULE_BAD_OFFSET,
    EVE_RULE_SNAPSHOT_MISMATCH,
    EVE_RULE_LEGACY_FIELD,
    EVE_RULE_DECODE_COUNT /* number of the rules above */
};

/* What went wrong. `msg` is constant text and never freed. */
struct eve_err {
    enum eve_rule rule; /* EVE_RULE_NONE for an error that is not about data */
    const char *msg;
    size_t pos; /* byte offset in the record, from 0 */
    int sys;    /* errno, or 0 */
};

/* Borrowed bytes; may hold NUL, need not end in one. */
struct eve_slice {
    const char *p;
    size_t n;
};

/* Fill *err and return `status`, so that a failure is one line at its place. */
static inline enum eve_status eve_fail(struct eve_err *err, enum eve_status status,
                                       enum eve_rule rule, const char *msg, size_t pos, int sys)
{
    err->rule = rule;
    err->msg = msg;
    err->pos = pos;
    err->sys = sys;
    return status;
}

#endif
