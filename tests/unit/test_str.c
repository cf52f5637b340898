#include "aid.h"
#include "str.h"

static void equality(void)
{
    struct eve_slice none = {0};
    TEST("equal bytes");
    CHECK(eve_str_equal(none, S("")) && eve_str_equal(S(""), none) && eve_str_is(none, ""));
    CHECK(eve_str_equal(S("a\0b"), S("a\0b")));
    CHECK(!eve_str_equal(S("a\0b"), S("a\0c")));
    CHECK(!eve_str_equal(S("ab"), S("a")) && !eve_str_equal(S("a"), S("ab")));
    CHECK(!eve_str_is(S("a\0"), "a") && eve_str_is(S("abc"), "abc"));
    CHECK(eve_str_starts(S("abc"), "ab") && eve_str_starts(S("abc"), "abc"));
    CHECK(eve_str_starts(S("abc"), "") && !eve_str_starts(S("ab"), "abc"));
    CHECK(!eve_str_starts(S("xbc"), "ab"));
    CHECK_SLICE(eve_str_sub(S("abcdef"), 2, 4), "cd");
    CHECK_EQ_SIZE(eve_str_sub(S("abc"), 3, 3).n, 0);

    TEST("equal without case, of ASCII letters alone");
    CHECK(eve_str_is_nocase(S("Content-Type"), "cONTENT-tYPE") && eve_str_is_nocase(none, ""));
    CHECK(eve_str_is_nocase(S("az"), "AZ") && !eve_str_is_nocase(S("@["), "`{"));
    CHECK(!eve_str_is_nocase(S("ab"), "abc") && !eve_str_is_nocase(S("abc"), "ab"));
    CHECK(!eve_str_is_nocase(S("\xc3\xa9"), "\xc3\x89") && !eve_str_is_nocase(S("a\0"), "a"));
}

static void trimming(void)
{
    TEST("white space around an event");
    CHECK_SLICE(eve_str_trim(S(" \t\ra b\r\t ")), "a b");
    CHECK_SLICE(eve_str_trim(S("\n\v\fa\n")), "\n\v\fa\n");
    CHECK_SLICE(eve_str_trim(S("\0 ")), "\0");
    CHECK_EQ_SIZE(eve_str_trim(S(" \t\r ")).n, 0);
    CHECK_EQ_SIZE(eve_str_trim((struct eve_slice){0}).n, 0);
}

static void order(void)
{
    static const struct eve_slice sorted[] = {{NULL, 0},  {"\0", 1}, {"A", 1},    {"a", 1},
                                              {"a\0", 2}, {"ab", 2}, {"\x7f", 1}, {"\xc3\xa9", 2}};
    TEST("order by bytes");
    for (size_t i = 0; i < sizeof sorted / sizeof *sorted; i++) {
        for (size_t k = 0; k < sizeof sorted / sizeof *sorted; k++) {
            int got = eve_str_compare(sorted[i], sorted[k]);
            CHECK((got > 0) - (got < 0) == (i > k) - (i < k));
        }
    }
}

void test_str(void);
void test_str(void)
{
    equality();
    trimming();
    order();
}
