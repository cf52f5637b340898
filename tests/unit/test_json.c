#include "aid.h"
#include "json.h"
#include "slow_json.h"

#include <stdio.h>
#include <string.h>

static enum eve_status scan(struct eve_slice text, struct eve_json_value *value,
                            struct eve_err *err)
{
    static struct eve_json j;
    eve_json_open(&j, text);
    enum eve_status status = eve_json_skip(&j, value, err);
    return status == EVE_OK ? eve_json_finish(&j, err) : status;
}

/* Go through the members of a text that was taken, as its users do. */
static bool same_members(struct eve_slice text, const struct slow *s)
{
    static struct eve_json j;
    struct eve_json_value name = {0};
    struct eve_json_value value = {0};
    struct eve_err err = {0};
    size_t i = 0;
    eve_json_open(&j, text);
    if (eve_json_peek(&j) != EVE_JSON_OBJECT)
        return true;
    if (!CHECK(eve_json_enter(&j, &err) == EVE_OK))
        return false;
    enum eve_status status;
    for (; (status = eve_json_member(&j, &name, &err)) == EVE_OK && i < s->members; i++) {
        bool ok = CHECK(eve_json_skip(&j, &value, &err) == EVE_OK) &&
                  CHECK(name.p == s->name[i].p && name.n == s->name[i].n) &&
                  CHECK(value.p == s->value[i].p && value.n == s->value[i].n) &&
                  CHECK(name.escaped == (memchr(name.p, '\\', name.n) != NULL)) &&
                  CHECK(eve_json_at(&j) == value.p + value.n);
        if (!ok)
            return false;
    }
    return CHECK(status == EVE_END && i == s->members) &&
           CHECK(eve_json_finish(&j, &err) == EVE_OK);
}

/* Both definitions agree on `text`; of an error the place is the first wrong byte or, in a
 * character that is not UTF-8, the start of that. */
static bool agree(struct eve_slice text)
{
    struct slow s;
    struct eve_json_value value = {0};
    struct eve_err err = {0};
    enum eve_status status = scan(text, &value, &err);
    bool want = slow_text(&s, text);
    bool ok = CHECK(status == (want ? EVE_OK : EVE_BAD));
    if (ok && want) {
        struct eve_slice trimmed = text;
        while (trimmed.n > 0 && strchr(" \t\r\n", *trimmed.p))
            trimmed = eve_str_sub(trimmed, 1, trimmed.n);
        while (trimmed.n > 0 && strchr(" \t\r\n", trimmed.p[trimmed.n - 1]))
            trimmed.n--;
        ok = CHECK(value.p == trimmed.p && value.n == trimmed.n) && same_members(text, &s);
    } else if (ok) {
        size_t fault = (size_t)(s.p - text.p);
        size_t slack = err.rule == EVE_RULE_JSON_UTF8 ? 3 : 0;
        ok = CHECK(err.pos <= fault && err.pos + slack >= fault) &&
             CHECK(err.rule == EVE_RULE_JSON_SYNTAX || err.rule == EVE_RULE_JSON_UTF8);
    }
    if (!ok)
        printf("# in: %.*s\n", (int)text.n, text.p);
    return ok;
}

static void grammar(void)
{
    static const char *const accepted[] = {
        "0",
        "-0",
        "1",
        "-12",
        "0.0",
        "1.5e10",
        "1E-2",
        "1e+0",
        "-0e0",
        "123456789012345678901234",
        "1e999999",
        " 1 ",
        "\t\r\n 1\n\r\t ",
        "true",
        "false",
        "null",
        "\"\"",
        "\"a\"",
        "[]",
        "{}",
        "[ ]",
        "{ }",
        "[1,2 , 3]",
        "[[],[[]],{}]",
        "{\"a\":1}",
        "{\"\":{}}",
        "{ \"a\" : 1 , \"a\" : [ ] }",
        "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
        "\"\\u0000\\uABCD\\uabcd\"",
        "\"\\ud83d\"",
        "\"\\ude00\"",
        "\"\\ude00\\ud83d\"",
        "\"\\ud83d\\ude00\"",
        "\"\x7f\"",
        "\"\xc2\x80\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf\xf0\x90\x80\x80\"",
        "\"\xf4\x8f\xbf\xbf\xe2\x80\xa8\xef\xbb\xbf\"",
    };
    static const char *const refused[] = {
        "",
        " ",
        "\r\n\t",
        "01",
        "-01",
        "00",
        "-",
        "+1",
        "1.",
        ".5",
        "-.5",
        "1.e1",
        "1e",
        "1e+",
        "1E-",
        "1e1.5",
        "0x1",
        "1_0",
        "1a",
        "Infinity",
        "NaN",
        "-Infinity",
        "-a",
        "--1",
        "1 2",
        "True",
        "tru",
        "truee",
        "nul",
        "nulll",
        "fals",
        "t",
        "'a'",
        "a",
        "\"",
        "\"a",
        "\"\\\"",
        "\"\\",
        "\"\\a\"",
        "\"\\'\"",
        "\"\\x41\"",
        "\"\\0\"",
        "\"\\U0041\"",
        "\"\\v\"",
        "\"\\ \"",
        "\"\\u\"",
        "\"\\u1\"",
        "\"\\u12\"",
        "\"\\u123\"",
        "\"\\u123g\"",
        "\"\\u 123\"",
        "\"\\u-123\"",
        "\"\\u123",
        "\"\\\n\"",
        "\"\n\"",
        "\"\t\"",
        "\"\x01\"",
        "\"\x1f\"",
        "[",
        "]",
        "[1",
        "[1,",
        "[1,]",
        "[,1]",
        "[,]",
        "[1,,2]",
        "[1 2]",
        "[1:2]",
        "[1}",
        "{",
        "}",
        "{]",
        "{\"a\"",
        "{\"a\":",
        "{\"a\":1",
        "{\"a\":1,",
        "{\"a\":1,}",
        "{,}",
        "{\"a\"}",
        "{\"a\" 1}",
        "{\"a\",1}",
        "{\"a\"::1}",
        "{a:1}",
        "{1:1}",
        "{'a':1}",
        "{\"a\":1 \"b\":2}",
        "{\"a\":1,,\"b\":2}",
        "{null:1}",
        "{\"a\":}",
        "{:1}",
        "[]]",
        "{}}",
        "[][]",
        "{}{}",
        "1,",
        "[1]x",
        "{}#",
        "//1\n1",
        "1/**/",
        "\v1",
        "\f1",
        "\xc2\xa0"
        "1",
        "\xe2\x80\xa8"
        "1",
        "\xef\xbb\xbf"
        "1",
        "[\xef\xbb\xbf"
        "1]",
        "1\xef\xbb\xbf",
        "\xff",
        "\"\xff\"",
        "\"\x80\"",
        "\"\xc3\"",
        "\"\xc0\x80\"",
        "\"\xc1\xbf\"",
        "\"\xe0\x80\x80\"",
        "\"\xe2\x82\"",
        "\"\xe2\x82",
        "\"\xed\xa0\x80\"",
        "\"\xf0\x80\x80\x80\"",
        "\"\xf0\x9f\x98",
        "\"\xf4\x90\x80\x80\"",
        "\"\xf5\x80\x80\x80\"",
        "\"\xf8\x88\x80\x80\x80\"",
        "[\"\xc3(\"]",
        "{\"\xff\":1}",
        "\x80",
        "{\"a\":\x80}",
    };
    struct slow s;
    TEST("what the grammar has");
    for (size_t i = 0; i < sizeof accepted / sizeof *accepted; i++)
        CHECK(agree(eve_str(accepted[i])) && slow_text(&s, eve_str(accepted[i])));
    TEST("what the grammar has not");
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        CHECK(agree(eve_str(refused[i])) && !slow_text(&s, eve_str(refused[i])));
    CHECK(agree(S("\0")) && agree(S("1\0")) && agree(S("\"\0\"")) && agree(S("\"\\\0\"")));
    CHECK(agree(S("[\0]")) && agree(S("{\"a\0\":1}")) &&
          agree(S("\"\\u00\0"
                  "0\"")));
    for (int c = 0; c < 256; c++) {
        char text[] = {'"', '\\', (char)c, '"'};
        CHECK(agree((struct eve_slice){text, 4}));
        text[1] = 'a';
        CHECK(agree((struct eve_slice){text, 4}));
        CHECK(agree((struct eve_slice){text + 2, 1}));
    }
}

static const char *const corpus[] = {
    "{\"data\":{\"messageDelta\":\"a\\n\xc3\xa9\",\"stepIndex\":0},\"type\":\"message.appended\"}",
    "{\"a\":[1,-2.5e+3,true,false,null],\"b\":{\"c\":{}},\"a\":\"\"}",
    "[[[]],[{}],[{\"x\":[0]}]]",
    "\"\\ud83d\\ude00 \xf0\x9f\x98\x80 \\\\\\\" \\u00e9\\/\\b\"",
    " { \"k\" : [ 1 , 2 ] ,\t\"l\" : \"v\" } ",
    "-0.00012E-10",
    "[0,10,-1,1.0,1e5,1E+5,123456789.123456789]",
    "{\"\xe2\x82\xac\":\"\xf4\x8f\xbf\xbf\",\"\":null}",
    "[\"plain ascii text, long enough for eight bytes at a time\",true]",
    "{\"meta\":{\"id\":\"evt_01\",\"at\":\"2026\"},\"n\":1e2,\"o\":[{},{},[]]}",
};

static size_t mutate(uint64_t *random, char *text, size_t n, size_t cap)
{
    static const char alphabet[] = "\"\\{}[]:,0123456789-+.eEtrufalsn \t\n\r/bx\x01\x1f\x7f\x80"
                                   "\xbf\xc3\xe2\x82\xed\xa0\xf0\x9f\xff\0";
    size_t from = aid_below(random, n + 1);
    size_t len = aid_below(random, 6);
    len = len > n - from ? n - from : len;
    size_t room = n + len < cap ? len : 0;
    switch (aid_below(random, 5)) {
    case 0: /* cut off */
        return aid_below(random, 4) ? n : from;
    case 1: /* leave out */
        memmove(text + from, text + from + len, n - from - len);
        return n - len;
    case 2: /* say twice */
        memmove(text + from + room, text + from, n - from);
        return n + room;
    case 3: /* put in */
        if (n + 1 > cap)
            return n;
        memmove(text + from + 1, text + from, n - from);
        text[from] = alphabet[aid_below(random, sizeof alphabet)];
        return n + 1;
    default: /* replace */
        if (from < n)
            text[from] = alphabet[aid_below(random, sizeof alphabet)];
        return n;
    }
}

static void mutations(void)
{
    uint64_t random = 6;
    char text[160];
    struct slow s;
    size_t taken = 0;
    enum { ROUNDS = 200000 };
    TEST("200,000 texts with random changes");
    for (size_t i = 0; i < ROUNDS; i++) {
        struct eve_slice from = eve_str(corpus[aid_below(&random, sizeof corpus / sizeof *corpus)]);
        size_t n = from.n;
        memcpy(text, from.p, n);
        for (unsigned k = aid_below(&random, 4); k > 0; k--)
            n = mutate(&random, text, n, sizeof text);
        if (!agree((struct eve_slice){text, n}))
            return;
        taken += slow_text(&s, (struct eve_slice){text, n}) ? 1 : 0;
    }
    CHECK(taken > ROUNDS / 5 && taken < ROUNDS * 4 / 5); /* both kinds are there */
}

static void prefixes(void)
{
    struct eve_err err;
    TEST("every prefix ends too soon, at its end");
    for (size_t i = 0; i < sizeof corpus / sizeof *corpus; i++) {
        struct eve_slice whole = eve_str(corpus[i]);
        for (size_t n = 0; n < whole.n; n++) {
            struct eve_slice part = {whole.p, n};
            enum eve_status status = scan(part, NULL, &err);
            CHECK(agree(part));
            CHECK(status == EVE_OK || err.pos == n);
        }
    }
}

static char *nest(const char *open, size_t depth, size_t *n)
{
    size_t len = strlen(open);
    char *text = malloc(depth * len + 1 + depth);
    if (!CHECK(text != NULL))
        exit(1);
    for (size_t i = 0; i < depth; i++)
        memcpy(text + i * len, open, len);
    text[depth * len] = '1';
    memset(text + depth * len + 1, *open == '[' ? ']' : '}', depth);
    *n = depth * len + 1 + depth;
    return text;
}

static void depths(void)
{
    static const char *const opens[] = {"[", "{\"a\":"};
    static const size_t depth[] = {1, 63, 64, 65, 9999, 10000, 10001, 10002, 1000000};
    struct eve_err err = {0};
    struct eve_json_value value = {0};
    TEST("nested 10,000 deep and no more");
    for (size_t i = 0; i < 2; i++) {
        for (size_t k = 0; k < sizeof depth / sizeof *depth; k++) {
            size_t n = 0;
            char *text = nest(opens[i], depth[k], &n);
            enum eve_status status = scan((struct eve_slice){text, n}, &value, &err);
            if (depth[k] <= EVE_DEPTH_MAX) {
                CHECK(status == EVE_OK && value.n == n);
            } else {
                CHECK(status == EVE_BAD && err.rule == EVE_RULE_JSON_DEPTH);
                CHECK_EQ_SIZE(err.pos, EVE_DEPTH_MAX * strlen(opens[i]));
            }
            free(text);
        }
    }
    CHECK(scan(S("[{\"a\":[{\"b\":[1]}]},[2]]"), &value, &err) == EVE_OK);
    CHECK(scan(S("[{\"a\":[{\"b\":[1}]}]"), &value, &err) == EVE_BAD && err.pos == 14);
    CHECK(scan(S("{\"a\":[{\"b\":1]]}"), &value, &err) == EVE_BAD && err.pos == 12);
}

static void kinds(void)
{
    static const enum eve_json_kind want[] = {EVE_JSON_STRING, EVE_JSON_STRING, EVE_JSON_NUMBER,
                                              EVE_JSON_NULL,   EVE_JSON_TRUE,   EVE_JSON_FALSE,
                                              EVE_JSON_ARRAY,  EVE_JSON_OBJECT};
    struct eve_err err = {0};
    struct eve_json j;
    struct eve_json_value value = {0};
    TEST("kinds and ranges");
    eve_json_open(&j, S(" [ \"a\" ,\"\\n\", -1.5e3 ,null,true,false,[ ],{ } ] "));
    CHECK(eve_json_peek(&j) == EVE_JSON_ARRAY && eve_json_enter(&j, &err) == EVE_OK);
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        CHECK(eve_json_element(&j, &err) == EVE_OK && eve_json_peek(&j) == want[i]);
        CHECK(eve_json_skip(&j, &value, &err) == EVE_OK && value.kind == want[i]);
        CHECK(value.escaped == (i == 1));
        if (i == 2)
            CHECK_SLICE(value, "-1.5e3");
        if (i == 6)
            CHECK_SLICE(value, "[ ]");
    }
    CHECK(eve_json_element(&j, &err) == EVE_END && eve_json_finish(&j, &err) == EVE_OK);
    eve_json_open(&j, S("  "));
    CHECK(eve_json_peek(&j) == EVE_JSON_NONE);
    eve_json_open(&j, S("x"));
    CHECK(eve_json_peek(&j) == EVE_JSON_NONE);
}

void test_json(void);
void test_json(void)
{
    grammar();
    mutations();
    prefixes();
    depths();
    kinds();
}
