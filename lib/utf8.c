#include "utf8.h"

#include <string.h>

static bool is_tail(unsigned char c)
{
    return (c & 0xC0) == 0x80;
}

/* The range of the second byte for the lead bytes that restrict it (RFC 3629, section 4). */
static bool second_ok(unsigned char lead, unsigned char c)
{
    switch (lead) {
    case 0xE0:
        return c >= 0xA0 && c <= 0xBF;
    case 0xED:
        return c >= 0x80 && c <= 0x9F;
    case 0xF0:
        return c >= 0x90 && c <= 0xBF;
    case 0xF4:
        return c >= 0x80 && c <= 0x8F;
    default:
        return is_tail(c);
    }
}

size_t eve_utf8_length(const char *p, size_t n, bool *cut)
{
    const unsigned char *s = (const unsigned char *)p;
    size_t len = 0;
    if (n == 0) {
        *cut = true;
        return 0;
    }
    if (s[0] < 0x80) {
        return 1;
    }
    if (s[0] >= 0xC2 && s[0] <= 0xDF) {
        len = 2;
    } else if (s[0] >= 0xE0 && s[0] <= 0xEF) {
        len = 3;
    } else if (s[0] >= 0xF0 && s[0] <= 0xF4) {
        len = 4;
    } else {
        return 0;
    }
    for (size_t i = 1; i < len; i++) {
        if (i >= n) {
            *cut = true;
            return 0;
        }
        if (i == 1 ? !second_ok(s[0], s[1]) : !is_tail(s[i])) {
            return 0;
        }
    }
    return len;
}

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
/* The same for four bytes in one word, the first one lowest; 0 also for what needs a closer look.
 */
static size_t length_of_word(uint32_t w)
{
    if ((w & 0x00C0C0F0) == 0x008080E0) {
        uint32_t second = w & 0x200F; /* overlong forms, surrogates */
        return second != 0 && second != 0x200D ? 3 : 0;
    }
    if ((w & 0xC0E0) == 0x80C0) {
        return (w & 0x1E) != 0 ? 2 : 0;
    }
    if ((w & 0xC0C0C0F8) == 0x808080F0) {
        uint32_t second = w & 0x3007; /* overlong forms, over U+10FFFF */
        return second != 0 && ((w & 7) < 4 || second == 4) ? 4 : 0;
    }
    return 0;
}
#else
static size_t length_of_word(uint32_t w)
{
    (void)w;
    return 0;
}
#endif

const char *eve_utf8_pass(const char *p, const char *end)
{
    while (p < end && (unsigned char)*p >= 0x80) {
        size_t len = 0;
        bool cut = false;
        if (end - p >= 4) {
            uint32_t w;
            memcpy(&w, p, 4);
            len = length_of_word(w);
        }
        if (len == 0) {
            len = eve_utf8_length(p, (size_t)(end - p), &cut);
        }
        if (len == 0) {
            return NULL;
        }
        p += len;
    }
    return p;
}

uint32_t eve_utf8_decode(const char *p, size_t len)
{
    const unsigned char *s = (const unsigned char *)p;
    switch (len) {
    case 1:
        return s[0];
    case 2:
        return (uint32_t)(s[0] & 0x1F) << 6 | (uint32_t)(s[1] & 0x3F);
    case 3:
        return (uint32_t)(s[0] & 0x0F) << 12 | (uint32_t)(s[1] & 0x3F) << 6 |
               (uint32_t)(s[2] & 0x3F);
    default:
        return (uint32_t)(s[0] & 0x07) << 18 | (uint32_t)(s[1] & 0x3F) << 12 |
               (uint32_t)(s[2] & 0x3F) << 6 | (uint32_t)(s[3] & 0x3F);
    }
}

size_t eve_utf8_encode(uint32_t c, char *out)
{
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        out[0] = (char)(0xC0 | c >> 6);
        out[1] = (char)(0x80 | (c & 0x3F));
        return 2;
    }
    if (c < 0x10000) {
        out[0] = (char)(0xE0 | c >> 12);
        out[1] = (char)(0x80 | (c >> 6 & 0x3F));
        out[2] = (char)(0x80 | (c & 0x3F));
        return 3;
    }
    out[0] = (char)(0xF0 | c >> 18);
    out[1] = (char)(0x80 | (c >> 12 & 0x3F));
    out[2] = (char)(0x80 | (c >> 6 & 0x3F));
    out[3] = (char)(0x80 | (c & 0x3F));
    return 4;
}
