#include "quote.h"

#include "utf8.h"

#include <string.h>

size_t eve_quote_printable(const char *p, size_t n)
{
    bool cut = false;
    size_t len = eve_utf8_length(p, n, &cut);
    if (len == 0) {
        return 0;
    }
    uint32_t c = eve_utf8_decode(p, len);
    bool control = c < 0x20 || (c >= 0x7F && c < 0xA0);
    bool mark = c == 0x200E || c == 0x200F || c == 0xFEFF || (c >= 0x2028 && c <= 0x202E) ||
                (c >= 0x2066 && c <= 0x2069);
    return control || mark ? 0 : len;
}

/* Write the character at `p` to `piece`; *used bytes of it were taken. */
static size_t quote_one(char piece[4], const char *p, size_t n, bool backslash, size_t *used)
{
    size_t len = eve_quote_printable(p, n);
    *used = len > 0 ? len : 1;
    if (len == 0) {
        unsigned char c = (unsigned char)*p;
        memcpy(piece, "\\x", 2);
        piece[2] = eve_quote_hex(c >> 4U);
        piece[3] = eve_quote_hex(c);
        return 4;
    }
    if (*p == '\\' && backslash) {
        memcpy(piece, "\\\\", 2);
        return 2;
    }
    memcpy(piece, p, len);
    return len;
}

char *eve_quote(char *buf, size_t cap, struct eve_slice s, bool backslash)
{
    size_t at = 0;
    size_t fits = 0; /* how much stays if "..." has to follow */
    char piece[4];
    size_t used = 0;
    for (size_t i = 0; i < s.n; i += used) {
        size_t len = quote_one(piece, s.p + i, s.n - i, backslash, &used);
        if (at + len >= cap) {
            memcpy(buf + fits, "...", 3);
            at = fits + 3;
            break;
        }
        memcpy(buf + at, piece, len);
        at += len;
        if (at + 3 < cap) {
            fits = at;
        }
    }
    buf[at] = '\0';
    return buf;
}
