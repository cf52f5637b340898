/*
 * str: small operations on slices. All are pure; none allocates.
 */
#ifndef EVE_STR_H
#define EVE_STR_H

#include "base.h"

#include <string.h>

/* A slice of a string literal or of any NUL-terminated string. */
static inline struct eve_slice eve_str(const char *s)
{
    return (struct eve_slice){s, strlen(s)};
}

/* The bytes from offset `from` up to `to` of `s`; both within it. */
static inline struct eve_slice eve_str_sub(struct eve_slice s, size_t from, size_t to)
{
    return (struct eve_slice){s.p + from, to - from};
}

/* The place behind the last byte of `s`; NULL where `s` is, for C has no NULL + 0. */
static inline const char *eve_str_end(struct eve_slice s)
{
    return s.n > 0 ? s.p + s.n : s.p;
}

/* Same length and same bytes. */
static inline bool eve_str_equal(struct eve_slice a, struct eve_slice b)
{
    return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

/* Same bytes as the literal `s`. */
static inline bool eve_str_is(struct eve_slice a, const char *s)
{
    return eve_str_equal(a, eve_str(s));
}

/* `a` begins with the literal `s`. */
static inline bool eve_str_starts(struct eve_slice a, const char *s)
{
    size_t n = strlen(s);
    return a.n >= n && memcmp(a.p, s, n) == 0;
}

/* As eve_str_is, with ASCII letters compared without case. */
bool eve_str_is_nocase(struct eve_slice a, const char *s);

/* `s` without the spaces, tabs and CRs at both ends: the white space around an event (RFC 8259
 * without LF, which ends the line). */
struct eve_slice eve_str_trim(struct eve_slice s);

/* Order by bytes, as memcmp; a proper prefix comes first. Below 0, 0 or above 0. */
int eve_str_compare(struct eve_slice a, struct eve_slice b);

#endif
