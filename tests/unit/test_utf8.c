#include "aid.h"
#include "utf8.h"

#include <string.h>

/* What one to four bytes are, from the table of bits: the length that the first byte asks for, 0 if
 * it cannot be one. */
static size_t asked(unsigned char lead)
{
    if (lead < 0x80)
        return 1;
    if ((lead & 0xE0) == 0xC0)
        return 2;
    if ((lead & 0xF0) == 0xE0)
        return 3;
    return (lead & 0xF8) == 0xF0 ? 4 : 0;
}

/* The slow definition: put the bits together and see whether the code point is allowed and could
 * not have been shorter. Of a character cut short: whether some end would make it right. */
static size_t slow_length(const unsigned char *s, size_t n, bool *cut)
{
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    static const unsigned char mask[5] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    size_t len = asked(s[0]);
    if (len == 0)
        return 0;
    uint32_t low = s[0] & mask[len];
    uint32_t high = low;
    for (size_t i = 1; i < len; i++) {
        bool there = i < n;
        if (there && (s[i] & 0xC0) != 0x80)
            return 0;
        low = low << 6 | (there ? s[i] & 0x3F : 0);
        high = high << 6 | (there ? s[i] & 0x3F : 0x3F);
    }
    low = low < least[len] ? least[len] : low;
    high = high > 0x10FFFF ? 0x10FFFF : high;
    if (low > high || (low >= 0xD800 && high <= 0xDFFF))
        return 0;
    *cut = n < len;
    return *cut ? 0 : len;
}

static bool same(const unsigned char *s, size_t n)
{
    bool want_cut = false;
    bool cut = false;
    size_t want = slow_length(s, n, &want_cut);
    size_t got = eve_utf8_length((const char *)s, n, &cut);
    char text[8] = "aaaaaaa"; /* the same character, and ASCII behind it */
    memcpy(text, s, want > 0 ? want : n);
    const char *end = eve_utf8_pass(text, text + sizeof text);
    bool passed = s[0] < 0x80 ? end == text : want > 0 ? end == text + want : end == NULL;
    return CHECK_EQ_SIZE(got, want) && CHECK(cut == want_cut) && CHECK(passed);
}

static void lengths(void)
{
    static const unsigned char third[] = {0, 'a', 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0};
    static const unsigned char fourth[] = {0x7F, 0x80, 0xBF, 0xC0};
    TEST("valid and invalid characters, whole and cut");
    for (unsigned first = 0; first < 0x10000; first++) {
        for (size_t k = 0; k < sizeof third * sizeof fourth; k++) {
            unsigned char s[4] = {(unsigned char)(first >> 8), (unsigned char)first,
                                  third[k / sizeof fourth], fourth[k % sizeof fourth]};
            if (!same(s, 4) || (k % sizeof fourth == 0 && !same(s, 3)))
                return;
        }
        unsigned char s[2] = {(unsigned char)(first >> 8), (unsigned char)first};
        if (!same(s, 2) || !same(s, 1))
            return;
    }
    bool cut = false;
    CHECK(eve_utf8_length("", 0, &cut) == 0 && cut);
}

static void round_trip(void)
{
    char s[4];
    bool cut = false;
    TEST("every code point there and back");
    for (uint32_t c = 0; c <= 0x10FFFF; c++) {
        size_t len = eve_utf8_encode(c, s);
        bool lone = c >= 0xD800 && c <= 0xDFFF;
        if (!CHECK(eve_utf8_decode(s, len) == c) ||
            !CHECK(eve_utf8_length(s, len, &cut) == (lone ? 0 : len)))
            return;
    }
    CHECK(!cut);
    CHECK_EQ_MEM(s, eve_utf8_encode(0x20AC, s), "\xe2\x82\xac", 3);
    CHECK_EQ_MEM(s, eve_utf8_encode(0x1F600, s), "\xf0\x9f\x98\x80", 4);
    CHECK_EQ_MEM(s, eve_utf8_encode(0xD83D, s), "\xed\xa0\xbd", 3);
}

void test_utf8(void);
void test_utf8(void)
{
    lengths();
    round_trip();
}
