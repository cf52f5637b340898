#include "aid.h"
#include "simd.h"
#include "utf8.h"

#include <string.h>

static size_t slow_clean(const char *p, size_t n)
{
    size_t i = 0;
    while (i < n && p[i] >= ' ' && p[i] != '"' && p[i] != '\\' && (unsigned char)p[i] < 0x80)
        i++;
    return i;
}

/* The closing quote of the string whose content begins at `p`, or NULL. */
static const char *slow_string_end(const char *p, const char *end, bool *escaped)
{
    while (p < end && *p != '"') {
        size_t len = slow_clean(p, 1);
        bool cut = false;
        if (*p == '\\') {
            *escaped = true;
            len = end - p >= 2 && p[1] != '\0' && strchr("\"\\/bfnrt", p[1]) != NULL ? 2 : 0;
            if (end - p >= 6 && p[1] == 'u' && strspn(p + 2, "0123456789abcdefABCDEF") >= 4)
                len = 6;
        } else if ((unsigned char)*p >= 0x80) {
            len = eve_utf8_length(p, (size_t)(end - p), &cut);
        }
        if (len == 0)
            return NULL;
        p += len;
    }
    return p < end ? p : NULL;
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
    }
}

static void strings(const char *name)
{
    static const char *const good[] = {"a",
                                       "bcd",
                                       "\\n",
                                       "\\\"",
                                       "\\\\",
                                       "\\/",
                                       "\\b",
                                       "\\f",
                                       "\\r",
                                       "\\t",
                                       "\\u12aF",
                                       "\xC3\xA9",
                                       "\xE2\x82\xAC",
                                       "\xF0\x9F\x98\x80",
                                       "a long piece of plain text"};
    static const char *const bad[] = {"\\u12g4",
                                      "\\x",
                                      "\x1F",
                                      "\x80",
                                      "\xC0\x80",
                                      "\xED\xA0\x80",
                                      "\xF4\x90\x80\x80",
                                      "\xE0\x80\x80",
                                      "\xF5\x80\x80\x80",
                                      "\"",
                                      "\\",
                                      "\xC3"};
    enum { GOOD = sizeof good / sizeof *good, BAD = sizeof bad / sizeof *bad };
    uint64_t random = 6;
    TEST(name);
    for (int i = 0; i < 200000; i++) {
        char text[2000] = {0};
        size_t n = 0;
        bool slow = false;
        bool fast = false;
        for (unsigned left = aid_below(&random, 30); left > 0; left--) {
            const char *piece = aid_below(&random, 50) == 0 ? bad[aid_below(&random, BAD)]
                                                            : good[aid_below(&random, GOOD)];
            memcpy(text + n, piece, strlen(piece));
            n += strlen(piece);
        }
        memset(text + n, '"', 40);
        n += aid_below(&random, 40);
        const char *end = eve_simd_string_end(text, text + n, &fast);
        if (!CHECK(end == slow_string_end(text, text + n, &slow)) ||
            (end != NULL && !CHECK(fast == slow)))
            return;
    }
}

static void pieces(const char *name)
{
    static const char alphabet[] = "ab\"\\\x80\xff\x1f\x20";
    uint64_t random = 3;
    TEST(name);
    for (int i = 0; i < 100000; i++) {
        struct eve_simd_pattern pattern[2] = {{{0}, {0}}};
        char text[3 * EVE_SIMD_BLOCK];
        bool like = true;
        struct eve_simd_piece piece = {.n = sizeof text, .blocks = 2, .pattern = pattern};
        uint16_t at = (uint16_t)aid_below(&random, 10);
        while (piece.ranges < EVE_SIMD_RANGES) {
            uint16_t n = (uint16_t)(1 + aid_below(&random, EVE_SIMD_BLOCK));
            if (at + n > 2 * EVE_SIMD_BLOCK)
                break;
            piece.range[piece.ranges++] = (struct eve_simd_range){at, n};
            at = (uint16_t)(at + n + aid_below(&random, 10));
        }
        for (size_t k = 0; k < 2 * EVE_SIMD_BLOCK; k++) {
            bool in = false;
            for (size_t r = 0; r < piece.ranges; r++)
                in = in ||
                     (k >= piece.range[r].at && k < (size_t)piece.range[r].at + piece.range[r].n);
            bool any = !in && aid_below(&random, 3) == 0;
            text[k] = any || aid_below(&random, 40) == 0 ? alphabet[aid_below(&random, 8)] : 'a';
            pattern[k / EVE_SIMD_BLOCK].byte[k % EVE_SIMD_BLOCK] = 'a';
            pattern[k / EVE_SIMD_BLOCK].same[k % EVE_SIMD_BLOCK] = any || in ? 0 : 0xFF;
            like = like && (any || (in ? slow_clean(text + k, 1) == 1 : text[k] == 'a'));
        }
        memset(text + 2 * EVE_SIMD_BLOCK, '"', EVE_SIMD_BLOCK);
        if (!CHECK(eve_simd_like(text, &piece) == like))
            return;
    }
}

/* The string content that eve_simd_lines passes. */
static bool slow_plain(const char *p, size_t n)
{
    char text[200] = {0};
    bool escaped = false;
    memcpy(text, p, n);
    text[n] = '"';
    return slow_string_end(text, text + n + 1, &escaped) == text + n;
}

static void lines(const char *name)
{
    static const char alphabet[] = "aaaaaaaaaaaaaaaaaaaaaaaaa\\\\nntu";
    struct eve_simd_pattern pattern[2] = {{"<\"", {0xFF, 0xFF}}, {"\">\n", {0xFF, 0xFF, 0xFF}}};
    struct eve_simd_piece head = {.n = 2, .blocks = 1, .pattern = pattern};
    struct eve_simd_piece tail = {.n = 3, .blocks = 1, .pattern = pattern + 1};
    uint64_t random = 4;
    TEST(name);
    for (int i = 0; i < 20000; i++) {
        char text[1000 + EVE_SIMD_BLOCK] = {0};
        size_t n = 0;
        size_t good = 0;
        uint64_t want = 0;
        uint64_t most = 0;
        bool all = true;
        for (int k = 0; k < 5; k++) {
            size_t from = n;
            size_t len = aid_below(&random, 90);
            memcpy(text + n, "<\"", 2);
            for (size_t c = 0; c < len; c++)
                text[n + 2 + c] = alphabet[aid_below(&random, sizeof alphabet - 1)];
            if (!slow_plain(text + n + 2, len) && aid_below(&random, 4) != 0)
                memset(text + n + 2, 'x', len);
            all = all && slow_plain(text + n + 2, len);
            memcpy(text + n + 2 + len, "\">\n", 3);
            n += len + 5;
            if (all) {
                good = n;
                want++;
                most = n - from > most ? n - from : most;
            }
        }
        size_t cut = all && aid_below(&random, 3) == 0 ? 1 : 0;
        uint64_t count = 0;
        uint64_t longest = 0;
        const char *end = eve_simd_lines(text, text + n - cut, &head, &tail, &count, &longest);
        if (cut == 0 && !(CHECK_EQ_SIZE((size_t)(end - text), good) && CHECK(count == want) &&
                          CHECK(longest == most)))
            return;
        if (cut == 1 && !CHECK(end < text + n && count == 4))
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
    strings("ends of strings, portable");
    pieces("pieces with ranges, portable");
    lines("lines in a frame, portable");
    if (eve_simd_choose(EVE_SIMD_AVX2) == EVE_SIMD_AVX2) {
        one_byte("each byte at each place, AVX2");
        mixtures("any mixture, length and alignment, AVX2");
        strings("ends of strings, AVX2");
        pieces("pieces with ranges, AVX2");
        lines("lines in a frame, AVX2");
    }
}
