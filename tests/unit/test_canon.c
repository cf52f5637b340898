#include "canon.h"
#include "check.h"
#include "str.h"

void test_canon(void);

static struct eve_value value;
static struct eve_buf out;

static void spells(const char *text, const char *want)
{
    struct eve_err err;
    out.n = 0;
    CHECK(eve_value_read(&value, eve_str(text), &err) == EVE_OK);
    CHECK(eve_canon_put(&out, value.root, &err) == EVE_OK);
    CHECK_EQ_MEM(out.p, out.n, want, strlen(want));
}

static void numbers(void)
{
    TEST("numbers");
    spells("100.0", "100");
    spells("1e2", "100");
    spells("-0.0e9", "0");
    spells("21.50", "21.5");
    spells("0.00012e1", "0.0012");
    spells("1e-9", "1e-9");
    spells("-12e-9", "-1.2e-8");
    spells("9007199254740993", "9007199254740993");
    spells("1E+400", "1e+400");
    spells("123456789012345678901", "123456789012345678901");
    spells("1234567890123456789012", "1.234567890123456789012e+21");
    spells("0.000001", "0.000001");
    spells("0.00e5", "0");
}

static void strings(void)
{
    TEST("strings");
    spells("\"\\u0041\\/\\\"\\\\\\b\\f\\n\\r\\t\\u0001\\u0000\"",
           "\"A/\\\"\\\\\\b\\f\\n\\r\\t\\u0001\\u0000\"");
    spells("\"\\ud83d\\ude00 \\uD83D \xC3\xA9\"", "\"\xF0\x9F\x98\x80 \\ud83d \xC3\xA9\"");
    spells("\"\\ude00\\u007f\"", "\"\\ude00\x7F\"");
}

static void trees(void)
{
    TEST("objects and arrays");
    spells(" { \"b\" : [ 1 , { } , [ ] , null ] , \"\\u0061\\n\" : { \"z\" : true , \"y\" : false "
           "} } ",
           "{\"a\\n\":{\"y\":false,\"z\":true},\"b\":[1,{},[],null]}");
    spells("{\"a\":1,\"a\":[[]]}", "{\"a\":[[]]}");
    spells("[[[1],2],3]", "[[[1],2],3]");
}

void test_canon(void)
{
    eve_value_init(&value);
    eve_buf_init(&out, 10000);
    numbers();
    strings();
    trees();
    eve_value_fini(&value);
    eve_buf_fini(&out);
}
