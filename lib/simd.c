#include "simd.h"

#include <string.h>

#define ONES 0x0101010101010101u
#define HIGHS 0x8080808080808080u

static bool is_clean(unsigned char c)
{
    return c >= 0x20 && c < 0x80 && c != '"' && c != '\\';
}

/* High bit set in the lowest byte of `v` that is not clean; higher bytes may be marked wrongly (a
 * borrow runs upwards), and a marked byte over 0x7F is marked rightly. */
static uint64_t unclean(uint64_t v)
{
    uint64_t control = v - ONES * 0x20;
    uint64_t quote = (v ^ ONES * '"') - ONES;
    uint64_t backslash = (v ^ ONES * '\\') - ONES;
    return ((control | quote | backslash) | v) & HIGHS;
}

size_t eve_simd_clean(const char *p, size_t n)
{
    size_t i = 0;
    while (n - i >= 8) {
        uint64_t v;
        memcpy(&v, p + i, 8);
        if (unclean(v) != 0) {
            break;
        }
        i += 8;
    }
    while (i < n && is_clean((unsigned char)p[i])) {
        i++;
    }
    return i;
}
