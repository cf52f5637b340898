#include "aid.h"
#include "mem.h"
#include "same.h"

#include <stdio.h>
#include <string.h>

static struct eve_err err;
static struct eve_same same;

static bool equal(struct eve_slice a, struct eve_slice b)
{
    struct eve_json j;
    struct eve_json_value value = {0};
    bool is_same = false;
    eve_json_open(&j, b);
    CHECK(eve_json_skip(&j, &value, &err) == EVE_OK);
    CHECK(eve_same_value(&same, a, value, &is_same, &err) == EVE_OK);
    return is_same;
}

/* Values in one row are equal; rows differ. */
static const char *const rows[][4] = {
    {"{}", " { } "},
    {"[]", "[ ]"},
    {"null", "null "},
    {"true"},
    {"false"},
    {"\"a\"", "\"\\u0061\""},
    {"\"\""},
    {"\"\\ud83d\\ude00\"", "\"\xf0\x9f\x98\x80\""},
    {"\"\\ud83d\""},
    {"1", "1.0", "10e-1", "1e0"},
    {"0", "-0", "0.0", "0e9"},
    {"9007199254740993"},
    {"9007199254740992"},
    {"{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}", "{\"b\":0,\"a\":1,\"b\":2.0}",
     "{ \"\\u0062\" : 2 , \"a\" : 1 }"},
    {"{\"a\":1}", "{\"a\":2,\"a\":1}"},
    {"{\"a\":1,\"b\":2,\"c\":3}", "{\"c\":3,\"a\":1,\"b\":2}", "{\"c\":3,\"b\":2,\"a\":1}"},
    {"{\"a\":{}}"},
    {"{\"a\":[]}"},
    {"{\"a\":null}"},
    {"{\"b\":1}"},
    {"[1,2]", "[1.0,2]"},
    {"[2,1]"},
    {"[1]"},
    {"[[1]]"},
    {"[[],[]]"},
    {"[[[]]]"},
    {"{\"a\":{\"x\":[1,{\"y\":2,\"z\":3}]},\"b\":[]}",
     "{\"b\":[],\"a\":{\"x\":[1,{\"z\":3,\"y\":2}]}}"},
    {"{\"a\":{\"x\":[1,{\"y\":2,\"z\":4}]},\"b\":[]}"},
    {"{\"\":0}"},
};

static void rows_hold(void)
{
    size_t count = sizeof rows / sizeof *rows;
    TEST("equal values are equal, others are not");
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < 4 && rows[i][k] != NULL; k++) {
            for (size_t l = 0; l < 4 && rows[i][l] != NULL; l++)
                CHECK(equal(eve_str(rows[i][k]), eve_str(rows[i][l])));
            for (size_t o = 0; o < count; o++)
                CHECK(o == i || !equal(eve_str(rows[i][k]), eve_str(rows[o][0])));
        }
    }

    TEST("what is no JSON value equals none");
    CHECK(!equal(S(""), S("{}")));
    CHECK(!equal(S("{\"a\":1"), S("{\"a\":1}")));
    CHECK(!equal(S("{\"a\":1}}"), S("{\"a\":1}")));
    CHECK(!equal(S("{\"a\":1} {}"), S("{\"a\":1}")));
    CHECK(!equal(S("\"\xed\xa0\xbd\""), S("\"\\ud83d\"")));
}

/* Deep and wide values, which must not recurse or take long. */
static void extremes(void)
{
    enum { WIDTH = 20000 };
    const size_t depth = 9000;
    static char a[WIDTH * 16];
    static char b[WIDTH * 16];
    TEST("9,000 levels");
    memset(a, '[', depth);
    memset(a + depth, ']', depth);
    memcpy(b, a, 2 * depth);
    b[depth - 1] = ' ';
    b[depth] = ' ';
    CHECK(!equal((struct eve_slice){a, 2 * depth}, (struct eve_slice){b, 2 * depth}));
    b[2 * depth] = ' ';
    memcpy(b, a, 2 * depth);
    CHECK(equal((struct eve_slice){a, 2 * depth}, (struct eve_slice){b, 2 * depth + 1}));

    TEST("20,000 members in other orders");
    size_t x = 0;
    size_t y = 0;
    for (int i = 0; i < WIDTH; i++) {
        x += (size_t)sprintf(a + x, "%c\"k%d\":%d", i == 0 ? '{' : ',', i, i);
        y += (size_t)sprintf(b + y, "%c\"k%d\":%d", i == 0 ? '{' : ',', (i * 7919) % WIDTH,
                             (i * 7919) % WIDTH);
    }
    a[x++] = b[y++] = '}';
    CHECK(equal((struct eve_slice){a, x}, (struct eve_slice){b, y}));
}

static void no_memory(void)
{
    struct eve_json j;
    struct eve_json_value value = {0};
    bool is_same = false;
    size_t n = 0;
    enum eve_status status = EVE_FAIL;
    TEST("no memory is told");
    eve_json_open(&j, S("{\"b\":[1,2],\"a\":1}"));
    CHECK(eve_json_skip(&j, &value, &err) == EVE_OK);
    while (status == EVE_FAIL && n < 50) {
        eve_same_fini(&same);
        eve_mem_test_fail(++n, false);
        status = eve_same_value(&same, S("{\"a\":1,\"b\":[1,2]}"), value, &is_same, &err);
        eve_mem_test_fail(0, false);
    }
    CHECK(n > 1 && status == EVE_OK && is_same);
}

void test_same(void);
void test_same(void)
{
    eve_same_init(&same);
    rows_hold();
    extremes();
    no_memory();
    eve_same_fini(&same);
}
