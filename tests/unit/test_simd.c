#include "aid.h"
#include "simd.h"

#include <string.h>

static size_t slow_clean(const char *p, size_t n)
{
    size_t i = 0;
    while (i < n && p[i] >= ' ' && p[i] != '"' && p[i] != '\\' && (unsigned char)p[i] < 0x80)
        i++;
    return i;
}

static void one_byte(const char *name)
{
    char text[48];
    TEST(name);
    for (int byte = 0; byte < 256; byte++) {
        for (size_t at = 0; at < 40; at++) {
            memset(text, 'a', sizeof text);
            text[at] = (char)byte;
            if (!CHECK_EQ_SIZE(eve_simd_clean(text, 40), slow_clean(text, 40)))
                return;
        }
    }
    CHECK_EQ_SIZE(eve_simd_clean("\"", 0), 0);
}

static void mixtures(const char *name)
{
    static const char alphabet[] = " !\"#[\\]~\x7f\x80\xff\x1f\x20\x21\x22\x23\x5b\x5c\x5d"
                                   "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    uint64_t random = 2;
    char text[100];
    TEST(name);
    for (int i = 0; i < 100000; i++) {
        size_t from = aid_below(&random, 9);
        size_t n = aid_below(&random, sizeof text - 8);
        for (size_t k = 0; k < n; k++)
            text[from + k] = alphabet[aid_below(&random, sizeof alphabet - 1)];
        size_t clean = slow_clean(text + from, n);
        if (!CHECK_EQ_SIZE(eve_simd_clean(text + from, n), clean) ||
            (n >= 8 && !CHECK(eve_simd_all_clean(text + from, n) == (clean == n))))
            return;
    }
}

void test_simd(void);
void test_simd(void)
{
    TEST("the portable form can be chosen");
    CHECK(eve_simd_choose(EVE_SIMD_PORTABLE) == EVE_SIMD_PORTABLE);
    one_byte("each byte at each place, portable");
    mixtures("any mixture, length and alignment, portable");
    if (eve_simd_choose(EVE_SIMD_AVX2) == EVE_SIMD_AVX2) {
        one_byte("each byte at each place, AVX2");
        mixtures("any mixture, length and alignment, AVX2");
    }
}
