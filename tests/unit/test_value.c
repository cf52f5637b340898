#include "check.h"
#include "mem.h"
#include "str.h"
#include "value.h"

#include <stdlib.h>

void test_value(void);

static struct eve_value a;
static struct eve_value b;

static bool reads(struct eve_value *v, const char *text)
{
    struct eve_err err;
    return eve_value_read(v, eve_str(text), &err) == EVE_OK;
}

static bool equal(const char *x, const char *y)
{
    return reads(&a, x) && reads(&b, y) && eve_value_equal(a.root, b.root) &&
           eve_value_equal(b.root, a.root);
}

static bool covers(const char *value, const char *pattern)
{
    return reads(&a, value) && reads(&b, pattern) && eve_value_covers(a.root, b.root);
}

static void equality(void)
{
    TEST("equal by value");
    CHECK(equal("1", "1.0"));
    CHECK(equal("-0", "0e9"));
    CHECK(!equal("9007199254740993", "9007199254740992"));
    CHECK(equal("1e400", "10e399"));
    CHECK(equal("\"A\\/\"", "\"\\u0041/\""));
    CHECK(equal("\"\\ud83d\\ude00\"", "\"\xF0\x9F\x98\x80\""));
    CHECK(!equal("\"a\\u0000b\"", "\"a\\u0000c\""));
    CHECK(equal(" {\"a\":1,\"b\":[2,{}]} ", "{\"b\":[2.0,{ }],\"\\u0061\":1}"));
    CHECK(equal("{\"a\":1,\"b\":0,\"a\":2}", "{\"b\":0,\"a\":2}"));
    CHECK(!equal("{\"a\":1,\"b\":0,\"a\":2}", "{\"b\":0,\"a\":1}"));
    CHECK(!equal("{}", "[]"));
    CHECK(!equal("null", "{}"));
    CHECK(!equal("[1,2]", "[2,1]"));
    CHECK(!equal("[1,2]", "[1]"));
    CHECK(!equal("{\"a\":[]}", "{\"a\":[],\"b\":null}"));
    CHECK(!equal("{\"a\":{\"x\":1},\"b\":2}", "{\"a\":{\"x\":1,\"b\":2}}"));
    CHECK(equal("{\"\":1}", "{\"\":1}"));
    CHECK(!equal("{\"\":1}", "{\"a\":1}"));
    CHECK(!equal("true", "false"));
}

static void subset(void)
{
    TEST("a pattern and what it covers");
    CHECK(covers("{\"a\":1,\"b\":{\"c\":2,\"d\":3},\"e\":[]}", "{\"e\":[],\"b\":{\"d\":3}}"));
    CHECK(covers("{\"a\":1}", "{}"));
    CHECK(!covers("{\"a\":1}", "{\"b\":1}"));
    CHECK(!covers("{\"a\":1}", "{\"a\":1,\"b\":1}"));
    CHECK(!covers("{\"a\":1}", "[]"));
    CHECK(!covers("[1,2]", "[1]"));
    CHECK(!covers("[1]", "[1,2]"));
    CHECK(covers("[{\"a\":1,\"b\":1},{\"c\":1}]", "[{\"b\":1},{}]"));
    CHECK(!covers("[[1],[2]]", "[[1],[]]"));
    CHECK(!covers("{\"a\":[1],\"b\":0}", "{\"a\":[],\"b\":0}"));
    CHECK(covers("3", "3.0"));
}

static void difference(void)
{
    struct eve_err err;
    const struct eve_value_node *x = NULL;
    const struct eve_value_node *y = NULL;
    struct eve_buf path;
    eve_buf_init(&path, 1000);
    TEST("where values differ");
    CHECK(reads(&a, "{\"z\":1,\"a\":[0,{\"b\":[3,4]}]}"));
    CHECK(reads(&b, "{\"a\":[0,{\"b\":[3,5]}],\"z\":1}"));
    CHECK(eve_value_differ(a.root, b.root, &x, &y));
    CHECK_EQ_MEM(x->raw.p, x->raw.n, "4", 1);
    CHECK_EQ_MEM(y->raw.p, y->raw.n, "5", 1);
    CHECK(eve_value_path(x, &path, &err) == EVE_OK);
    CHECK_EQ_MEM(path.p, path.n, "a/1/b/1", 7);
    CHECK(reads(&b, "{\"a\":[0,{\"b\":[3,4]}],\"m\":1,\"z\":1}"));
    CHECK(eve_value_differ(a.root, b.root, &x, &y));
    CHECK(x == NULL);
    CHECK_EQ_MEM(y->name.p, y->name.n, "m", 1);
    CHECK(reads(&b, "{\"z\":1}"));
    CHECK(eve_value_differ(a.root, b.root, &x, &y) && y == NULL);
    path.n = 0;
    CHECK(eve_value_path(a.root, &path, &err) == EVE_OK && path.n == 0);
    CHECK(eve_value_member(a.root, eve_str("z")) != NULL);
    CHECK(eve_value_member(a.root, eve_str("y")) == NULL);
    eve_buf_fini(&path);
}

static bool drop_x(void *ctx, const struct eve_value_node *node)
{
    (void)ctx;
    return node->name.p != NULL && eve_str_is(node->name, "x");
}

static void pruning(void)
{
    TEST("nodes taken out");
    CHECK(reads(&a, "{\"x\":1,\"a\":[{\"x\":{\"x\":1}},{\"b\":2,\"x\":3}],\"y\":{\"x\":1}}"));
    CHECK(reads(&b, "{\"a\":[{},{\"b\":2}],\"y\":{}}"));
    eve_value_prune(a.root, drop_x, NULL);
    CHECK(eve_value_equal(a.root, b.root));
}

static void bad_texts(void)
{
    struct eve_err err;
    bool same = true;
    TEST("what is no JSON");
    CHECK(!reads(&a, "") && a.root == NULL);
    CHECK(!reads(&a, "{\"a\":1"));
    CHECK(!reads(&a, "1 2"));
    CHECK(!reads(&a, "{\"a\":[}"));
    CHECK(eve_value_same(&a, &b, eve_str("{"), eve_str("{}"), &same, &err) == EVE_OK && !same);
    CHECK(eve_value_same(&a, &b, eve_str("{}"), eve_str(" { } "), &same, &err) == EVE_OK && same);
}

/* `head`, `n` times `s`, `m` times `t`, and `tail`; to be freed. */
static char *repeat(const char *head, const char *s, size_t n, const char *t, size_t m,
                    const char *tail)
{
    size_t lengths[] = {strlen(head), strlen(s), strlen(t), strlen(tail)};
    size_t whole = lengths[0] + n * lengths[1] + m * lengths[2] + lengths[3];
    char *text = malloc(whole + 1);
    char *p = text;
    if (text == NULL) {
        abort();
    }
    memcpy(p, head, lengths[0]);
    p += lengths[0];
    for (size_t i = 0; i < n; i++, p += lengths[1]) {
        memcpy(p, s, lengths[1]);
    }
    for (size_t i = 0; i < m; i++, p += lengths[2]) {
        memcpy(p, t, lengths[2]);
    }
    memcpy(p, tail, lengths[3] + 1);
    return text;
}

static void extremes(void)
{
    struct eve_err err;
    TEST("deep, and many members of one name");
    char *deep = repeat("", "[", EVE_DEPTH_MAX, "]", EVE_DEPTH_MAX, "");
    char *deeper = repeat("", "[", EVE_DEPTH_MAX + 1, "]", EVE_DEPTH_MAX + 1, "");
    char *many = repeat("{", "\"a\":1,\"b\":2,", 200000, "", 0, "\"a\":3}");
    CHECK(equal(deep, deep));
    CHECK(eve_value_read(&a, eve_str(deeper), &err) == EVE_BAD);
    CHECK(equal(many, "{\"a\":3,\"b\":2}"));
    free(deep);
    free(deeper);
    free(many);
}

void test_value(void)
{
    eve_value_init(&a);
    eve_value_init(&b);
    equality();
    subset();
    difference();
    pruning();
    bad_texts();
    extremes();
    eve_value_fini(&a);
    eve_value_fini(&b);
}
