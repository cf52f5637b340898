#include "aid.h"
#include "quote.h"
#include "utf8.h"

#include <string.h>

static char buf[EVE_QUOTE_MAX];

static void shows(void)
{
    TEST("what stays and what is escaped");
    CHECK_EQ_STR(eve_quote(buf, sizeof buf, S(""), true), "");
    CHECK_EQ_STR(eve_quote(buf, sizeof buf, (struct eve_slice){0}, true), "");
    CHECK_EQ_STR(eve_quote(buf, sizeof buf, S("a b'\"\xc3\xa9\xf0\x9f\x98\x80"), true),
                 "a b'\"\xc3\xa9\xf0\x9f\x98\x80");
    CHECK_EQ_STR(eve_quote(buf, sizeof buf, S("\0\t\n\x1b\x7f\xc2\x85"), true),
                 "\\x00\\x09\\x0a\\x1b\\x7f\\xc2\\x85");
    CHECK_EQ_STR(
        eve_quote(buf, sizeof buf, S("\xe2\x80\xa8\xe2\x80\xae\xe2\x81\xa6\xef\xbb\xbf"), true),
        "\\xe2\\x80\\xa8\\xe2\\x80\\xae\\xe2\\x81\\xa6\\xef\\xbb\\xbf");
    CHECK_EQ_STR(eve_quote(buf, sizeof buf, S("\xff\xc3(\xed\xa0\x80\xe2\x82"), true),
                 "\\xff\\xc3(\\xed\\xa0\\x80\\xe2\\x82");
    CHECK_EQ_STR(eve_quote(buf, sizeof buf, S("a\\nb"), true), "a\\\\nb");
    CHECK_EQ_STR(eve_quote(buf, sizeof buf, S("a\\nb"), false), "a\\nb");
}

static void fits(void)
{
    TEST("what does not fit ends in dots");
    CHECK_EQ_STR(eve_quote(buf, 8, S("1234567"), true), "1234567");
    CHECK_EQ_STR(eve_quote(buf, 8, S("12345678"), true), "1234...");
    CHECK_EQ_STR(eve_quote(buf, 8, S("123\xe2\x82\xac\xe2\x82\xac"), true), "123...");
    CHECK_EQ_STR(eve_quote(buf, 8, S("\n\n"), true), "\\x0a...");
    CHECK_EQ_STR(eve_quote(buf, 8, S("12\\\\\\"), true), "12\\\\...");
    for (size_t cap = 8; cap < 40; cap++) {
        memset(buf, 'X', sizeof buf);
        eve_quote(buf, cap, S("a\xf0\x9f\x98\x80\nb\\c\xc3\xa9\xe2\x82\xac\x01zzzzzzz"), true);
        CHECK(strlen(buf) < cap && buf[cap] == 'X');
    }
}

static void printable(void)
{
    char s[4];
    size_t hidden = 0;
    TEST("printable characters");
    for (uint32_t c = 0; c <= 0x10FFFF; c++) {
        size_t len = eve_utf8_encode(c, s);
        size_t got = eve_quote_printable(s, len);
        hidden += got == 0 ? 1 : 0;
        if (!CHECK(got == 0 || got == len))
            return;
    }
    /* C0, DEL and C1; 15 marks; surrogates */
    CHECK_EQ_SIZE(hidden, 32 + 33 + 14 + 0x800);
    CHECK_EQ_SIZE(eve_quote_printable("a", 0), 0);
}

void test_quote(void);
void test_quote(void)
{
    shows();
    fits();
    printable();
}
