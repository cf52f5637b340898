#include "aid.h"
#include "key.h"
#include "mem.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static struct eve_err err;

static struct eve_json_value value_of(const char *text)
{
    struct eve_json j;
    struct eve_json_value value = {0};
    if (text[0] != '\0') {
        eve_json_open(&j, eve_str(text));
        CHECK(eve_json_skip(&j, &value, &err) == EVE_OK);
    }
    return value;
}

/* Values in one row have one key; rows differ. An empty text is the absence of a value. */
static const char *const rows[][5] = {
    {"\"turn_0\"", "\"turn_\\u0030\"", "\"\\u0074urn_0\""},
    {"\"\"", "\"\""},
    {"\"\\ud83d\\ude00\"", "\"\xf0\x9f\x98\x80\"", "\"\\uD83D\\uDE00\""},
    {"\"\\ud83d\"", "\"\\uD83D\""},
    {"\"\\ude00\""},
    {"\"\\u0000\""},
    {"\"a\\\\n\"", "\"a\\u005cn\""},
    {"\"a\\n\""},
    {"1", "1.0", "10e-1", "0.1e1"},
    {"-1"},
    {"\"1\""},
    {"0", "-0", "0e5"},
    {"0.1", "1e-1"},
    {"0.01", "1e-2"},
    {"10", "1e1"},
    {"9007199254740992"},
    {"9007199254740993", "9007199254740993.0"},
    {"null"},
    {"true"},
    {"false"},
    {"[1]"},
    {"[1.0]"},
    {"{}"},
    {"[]"},
    {""},
};
enum { ROWS = sizeof rows / sizeof *rows };

static bool same_key(const char *a, const char *b)
{
    struct eve_buf x;
    struct eve_buf y;
    eve_buf_init(&x, SIZE_MAX);
    eve_buf_init(&y, SIZE_MAX);
    CHECK(eve_key_put(&x, value_of(a), &err) == EVE_OK);
    CHECK(eve_key_put(&y, value_of(b), &err) == EVE_OK);
    bool same = eve_str_equal(eve_buf_slice(&x), eve_buf_slice(&y));
    eve_buf_fini(&x);
    eve_buf_fini(&y);
    return same;
}

static void pairs(void)
{
    TEST("one key for one value, made or not");
    for (size_t i = 0; i < (size_t)ROWS * 5; i++) {
        for (size_t k = 0; k < (size_t)ROWS * 5; k++) {
            const char *a = rows[i / 5][i % 5];
            const char *b = rows[k / 5][k % 5];
            bool want = i / 5 == k / 5;
            if (a && b &&
                !(CHECK(same_key(a, b) == want) &&
                  CHECK(eve_key_equal(value_of(a), value_of(b)) == want)))
                printf("# %s %s\n", a, b);
        }
    }
}

static void sequences(void)
{
    static const char *const values[] = {"", "1", "\"\"", "\"a\"", "\"aa\"", "[]", "11"};
    enum { COUNT = sizeof values / sizeof *values };
    struct eve_buf keys[COUNT * COUNT];
    TEST("keys one behind the other do not run together");
    for (size_t i = 0; i < COUNT * COUNT; i++) {
        eve_buf_init(&keys[i], SIZE_MAX);
        CHECK(eve_key_put(&keys[i], value_of(values[i / COUNT]), &err) == EVE_OK);
        CHECK(eve_key_put(&keys[i], value_of(values[i % COUNT]), &err) == EVE_OK);
        for (size_t k = 0; k < i; k++)
            CHECK(!eve_str_equal(eve_buf_slice(&keys[i]), eve_buf_slice(&keys[k])));
    }
    for (size_t i = 0; i < COUNT * COUNT; i++)
        eve_buf_fini(&keys[i]);

    struct eve_buf two;
    struct eve_buf one; /* a text that says what two keys would be without their lengths */
    eve_buf_init(&two, SIZE_MAX);
    eve_buf_init(&one, SIZE_MAX);
    CHECK(eve_key_put(&two, value_of("\"a\""), &err) == EVE_OK);
    CHECK(eve_key_put(&two, value_of("\"b\""), &err) == EVE_OK);
    CHECK(eve_key_put(&one,
                      value_of("\"a5\\u0000\\u0000\\u0000\\u0000\\u0000\\u0000\\u0000\\u0000b\""),
                      &err) == EVE_OK);
    CHECK_EQ_SIZE(one.n, two.n);
    CHECK(!eve_str_equal(eve_buf_slice(&one), eve_buf_slice(&two)));
    eve_buf_fini(&two);
    eve_buf_fini(&one);
}

static void fails(void)
{
    struct eve_buf out;
    TEST("without room the keys before it stay");
    for (size_t max = 4; max < 40; max++) {
        eve_buf_init(&out, max);
        CHECK(eve_buf_puts(&out, "keys", &err) == EVE_OK);
        enum eve_status status = eve_key_put(&out, value_of("\"\\u0061bcdefghijklmn\""), &err);
        if (status != EVE_OK) {
            CHECK(status == EVE_FAIL && err.sys == ENOMEM);
            CHECK_SLICE(eve_buf_slice(&out), "keys");
        }
        out.n = 4;
        status = eve_key_put(&out, value_of("-123456789e7"), &err);
        if (status != EVE_OK)
            CHECK_SLICE(eve_buf_slice(&out), "keys");
        eve_buf_fini(&out);
    }
}

void test_key(void);
void test_key(void)
{
    pairs();
    sequences();
    fails();
}
