/*
 * utf8: one character at a time, strictly as RFC 3629 has it.
 *
 * Overlong forms, encoded surrogates and anything over U+10FFFF are refused. Long runs go through
 * simd.h; this is the plain definition that the kernels must equal.
 */
#ifndef EVE_UTF8_H
#define EVE_UTF8_H

#include "base.h"

/* Length in bytes (1 to 4) of the valid character at `p`, of which `n` bytes may be read; 0 if the
 * bytes are not valid UTF-8. If they are only cut short by the end, *cut is set to true. */
size_t eve_utf8_length(const char *p, size_t n, bool *cut);

/* Pass the characters beyond ASCII that stand at `p`, as many as there are: where they end, at
 * `end` or an ASCII byte. NULL: one of them is not valid or cut short. */
const char *eve_utf8_pass(const char *p, const char *end);

/* The code point of the valid character of `len` bytes at `p`. */
uint32_t eve_utf8_decode(const char *p, size_t len);

/* Write the code point `c` (up to 0x10FFFF; a surrogate in its three-byte form) to `out`, which has
 * room for 4 bytes, and return its length. A lone surrogate written so is "WTF-8": it never leaves
 * the process, it only lets decoded JSON texts be compared as bytes. */
size_t eve_utf8_encode(uint32_t c, char *out);

#endif
