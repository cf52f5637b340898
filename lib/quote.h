/*
 * quote: bytes from outside as a message can show them.
 *
 * Printable UTF-8 stays; control characters, marks that end lines or turn the direction of text,
 * and bytes that are not UTF-8 become \xHH. So no name and no excerpt can move the cursor or forge
 * a line.
 */
#ifndef EVE_QUOTE_H
#define EVE_QUOTE_H

#include "base.h"

/* A digit for the lowest four bits. */
static inline char eve_quote_hex(unsigned bits)
{
    return "0123456789abcdef"[bits & 15];
}

/* Room that is enough for a word or an excerpt in a message. */
#define EVE_QUOTE_MAX 256

/* Write `s` to `buf` of `cap` bytes (at least 8), ended by NUL; what does not fit is cut and ends
 * in
 * "...". `backslash`: double them, so that the result can be read back; not for an excerpt of JSON.
 * Returns buf. */
char *eve_quote(char *buf, size_t cap, struct eve_slice s, bool backslash);

/* Length in bytes of the printable character at `p`, of which `n` bytes may be read; 0 if none. */
size_t eve_quote_printable(const char *p, size_t n);

#endif
