#include "aid.h"
#include "chunk.h"

#include <stdio.h>
#include <string.h>

static char body[512];
static size_t body_n;
static struct eve_err err;

/* Decodes `s` given in two parts and then byte by byte; the result of the last call. */
static enum eve_status decode(struct eve_chunk *c, struct eve_slice s, size_t first)
{
    enum eve_status status = EVE_OK;
    size_t at = 0;
    body_n = 0;
    eve_chunk_init(c);
    while (at < s.n && status == EVE_OK) {
        char piece[512];
        size_t n = at < first ? first : 1;
        size_t out = 0;
        memcpy(piece, s.p + at, n);
        status = eve_chunk_decode(c, piece, n, &out, &err);
        memcpy(body + body_n, piece, out);
        body_n += out;
        if (status == EVE_FAIL)
            err.pos += at;
        at += n;
    }
    return status;
}

static void good(void)
{
    static const struct {
        struct eve_slice in;
        const char *want;
    } cases[] = {
        {{"5\r\nhello\r\n0\r\n\r\n", 15}, "hello"},
        {{"5\nhello\n0\n\n", 11}, "hello"},
        {{"3\r\nfoo\r\n2;a=b;c=\"d\"\r\n\r\n\r\n1 \r\nx\r\n000\r\n\r\n", 42}, "foo\r\nx"},
        {{"0A\r\n0123456789\r\n00a;x\r\nabcdefghij\r\n0;y\r\n\r\n", 43}, "0123456789abcdefghij"},
        {{"1\r\na\r\n0\r\nTrailer: 5\r\nOther: x\r\n\r\n", 33}, "a"},
        {{"1\t\r\na\r\n0\t\r\n\r\n", 14}, "a"},
        {{"0\r\n\r\n", 5}, ""},
    };
    struct eve_chunk c;
    TEST("whole bodies, cut anywhere");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct eve_slice in = {cases[i].in.p, strlen(cases[i].in.p)};
        for (size_t first = 0; first <= in.n; first++) {
            CHECK(decode(&c, in, first) == EVE_END);
            CHECK_EQ_MEM(body, body_n, cases[i].want, strlen(cases[i].want));
        }
    }

    TEST("what comes after the end is told");
    CHECK(decode(&c, S("1\r\na\r\n0\r\n\r\nHTTP/1.1"), 19) == EVE_FAIL);
    CHECK_EQ_MEM(body, body_n, "a", 1);
    char more[] = "more";
    size_t out = 7;
    CHECK(eve_chunk_decode(&c, more, 4, &out, &err) == EVE_FAIL && out == 0);

    TEST("a body that is not over");
    CHECK(decode(&c, S("5\r\nhel"), 0) == EVE_OK && c.state != EVE_CHUNK_DONE);
    CHECK_EQ_MEM(body, body_n, "hel", 3);
    CHECK(decode(&c, S("1\r\na\r\n0\r\n"), 3) == EVE_OK && c.state != EVE_CHUNK_DONE);
}

static void broken(void)
{
    static const struct {
        const char *in, *body;
        size_t pos;
    } cases[] = {
        {"\r\n", "", 0},
        {"x", "", 0},
        {"-1\r\n", "", 0},
        {" 1\r\n", "", 0},
        {";a\r\n", "", 0},
        {"1x\r\n", "", 1},
        {"1\r\nab\r\n", "a", 4},
        {"1\r\na\rb", "a", 5},
        {"1\r\na\r\n\r\n", "a", 6},
        {"{\"type\":", "", 0},
        {"11111111111111111\r\n", "", 16},
    };
    struct eve_chunk c;
    TEST("what is no chunk, and where");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct eve_slice in = eve_str(cases[i].in);
        for (size_t first = 0; first <= in.n; first++) {
            CHECK(decode(&c, in, first) == EVE_FAIL);
            CHECK_EQ_SIZE(err.pos, cases[i].pos);
            CHECK_EQ_MEM(body, body_n, cases[i].body, strlen(cases[i].body));
        }
    }
}

void test_chunk(void);
void test_chunk(void)
{
    good();
    broken();
}
