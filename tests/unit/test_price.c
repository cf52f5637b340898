#include "aid.h"
#include "price.h"
#include "spell.h"
#include "text.h"

#include <stdio.h>

static void lengths(void)
{
    struct eve_price p = {0};
    TEST("lengths of what is spelled in its own way");
    eve_price_add(&p, S("aA \x7f/"));
    CHECK(p.bytes == 5 && p.units == 5 && !p.open);
    p = (struct eve_price){0};
    eve_price_add(&p, S("\\\"\\\\\\n\\b\\f\\r\\t"));
    CHECK(p.bytes == 14 && p.units == 7);
    p = (struct eve_price){0};
    eve_price_add(&p, S("\\/\\u0041\\u000a\\u0000\\u001F\\u007f\\u00e9\\u20ac"));
    CHECK(p.bytes == 1 + 1 + 2 + 6 + 6 + 1 + 2 + 3 && p.units == 8);
    p = (struct eve_price){0};
    eve_price_add(&p, S("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"));
    CHECK(p.bytes == 9 && p.units == 4 && !p.open);

    TEST("halves of a pair");
    p = (struct eve_price){0};
    eve_price_add(&p, S("\\ud83d"));
    CHECK(p.bytes == 6 && p.units == 1 && p.open);
    eve_price_add(&p, S(""));
    CHECK(p.open);
    eve_price_add(&p, S("\\uDE00\\ude00"));
    CHECK(p.bytes == 4 + 6 && p.units == 3 && !p.open);
    eve_price_add(&p, S("\\ud83d\\ud83d\xf0\x9f\x98\x80"));
    CHECK(p.bytes == 10 + 6 + 6 + 4 && p.units == 7 && !p.open);
    p = (struct eve_price){0};
    eve_price_add(&p, S("\\ud83d"));
    eve_price_add(&p, S("x\\ude00"));
    CHECK(p.bytes == 6 + 1 + 6 && p.units == 3 && !p.open);
}

static void members(void)
{
    struct eve_price before = {9, 9, false};
    struct eve_price after = {123, 123, false};
    TEST("the member of version 24");
    CHECK(eve_price_member(EVE_EVENT_MESSAGE_APPENDED, &before, &after) == 18 + 123);
    CHECK(eve_price_member(EVE_EVENT_REASONING_APPENDED, &before, &after) == 20 + 123);
    CHECK(eve_price_member(EVE_EVENT_INPUT_APPENDED, &before, &after) == 19 + 1);
    CHECK(eve_price_member(EVE_EVENT_INPUT_APPENDED, &after, &after) == 19 + 3);
    before.units = UINT64_MAX;
    CHECK(eve_price_member(EVE_EVENT_INPUT_APPENDED, &before, &after) == 19 + 20);
    CHECK(eve_price_member(EVE_EVENT_TURN_STARTED, &before, &after) == 0);
}

/* Texts of random pieces, cut anywhere: as long as what is made of all of it. */
static void random_texts(void)
{
    static const char *const pieces[] = {"a",       "plain words, ", "\\n",      "\\u0041",
                                         "\\ud83d", "\\ude00",       "\xc3\xa9", "\xf0\x9f\x98\x80",
                                         "\\\\",    "\\\"",          "\\/",      "\\u001b",
                                         "\\u2028", "\xe2\x80\xa8",  "\x7f",     "\\ud83d\\ude00"};
    uint64_t state = 11;
    TEST("as long as the whole text spelled");
    for (int round = 0; round < 2000; round++) {
        char raw[600] = "\"";
        size_t n = 1;
        struct eve_price p = {0};
        struct eve_buf whole;
        struct eve_err err = {0};
        size_t count = aid_below(&state, 30);
        size_t from = 1;
        for (size_t i = 0; i < count; i++) {
            const char *piece = pieces[aid_below(&state, sizeof pieces / sizeof *pieces)];
            memcpy(raw + n, piece, strlen(piece));
            n += strlen(piece);
            if (aid_below(&state, 3) == 0) { /* a delta ends here */
                eve_price_add(&p, (struct eve_slice){raw + from, n - from});
                from = n;
            }
        }
        eve_price_add(&p, (struct eve_slice){raw + from, n - from});
        raw[n++] = '"';
        struct eve_json_value string = {raw, n, EVE_JSON_STRING, true};
        eve_buf_init(&whole, SIZE_MAX / 2);
        CHECK(eve_spell_put(&whole, 0, string, &err) == EVE_OK);
        bool same = p.bytes == whole.n && p.units == eve_text_count(eve_text_of(string));
        eve_buf_fini(&whole);
        if (!CHECK(same)) {
            printf("# %.*s\n", (int)n, raw);
            break;
        }
    }
}

void test_price(void);
void test_price(void)
{
    lengths();
    members();
    random_texts();
}
