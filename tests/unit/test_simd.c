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

static uint32_t slow_special(const char *p)
{
    uint32_t bits = 0;
    for (unsigned i = 0; i < EVE_SIMD_BLOCK; i++)
        bits |= (uint32_t)(slow_clean(p + i, 1) == 0) << i;
    return bits;
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
        if (!CHECK_EQ_SIZE(eve_simd_clean(text + from, n), clean))
            return;
        if (n >= EVE_SIMD_BLOCK &&
            !CHECK(eve_simd_special(text + from) == slow_special(text + from)))
            return;
    }
}

static void patterns(const char *name)
{
    static const char alphabet[] = "ab\"\\\x80\xff\x1f\x20";
    uint64_t random = 3;
    TEST(name);
    for (int i = 0; i < 100000; i++) {
        struct eve_simd_pattern pattern[2] = {{.any_clean = false}};
        char text[2 * EVE_SIMD_BLOCK];
        bool like = true;
        for (size_t k = 0; k < sizeof text; k++) {
            struct eve_simd_pattern *p = &pattern[k / EVE_SIMD_BLOCK];
            size_t at = k % EVE_SIMD_BLOCK;
            unsigned kind = aid_below(&random, 3);
            char c = alphabet[aid_below(&random, 40) == 0 ? aid_below(&random, 8) : 0];
            text[k] = kind == 2 ? alphabet[aid_below(&random, 8)] : c;
            p->byte[at] = 'a';
            p->same[at] = kind == 0 ? 0xFF : 0;
            p->clean[at] = kind == 1 ? 0xFF : 0;
            p->any_clean |= kind == 1;
            like = like && (kind != 0 || c == 'a') && (kind != 1 || slow_clean(&c, 1) == 1);
        }
        if (!CHECK(eve_simd_like(text, pattern, 2) == like))
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
    patterns("patterns, portable");
    if (eve_simd_choose(EVE_SIMD_AVX2) == EVE_SIMD_AVX2) {
        one_byte("each byte at each place, AVX2");
        mixtures("any mixture, length and alignment, AVX2");
        patterns("patterns, AVX2");
    }
}
