#include "aid.h"
#include "diag.h"
#include "mem.h"

#include <errno.h>
#include <string.h>

static struct eve_err err;

static void rules(void)
{
    static const char *const ids[] = {
        NULL,           "line-too-long", "json-syntax",       "json-utf8",
        "json-depth",   "truncated",     "not-object",        "newer-format",
        "type-missing", "bad-data",      "unsupported-event", "bad-delta",
        "bad-snapshot", "bad-offset",    "snapshot-mismatch", "legacy-field"};
    TEST("rules and levels by name");
    CHECK_EQ_SIZE(sizeof ids / sizeof *ids, EVE_RULE_DECODE_COUNT);
    for (size_t i = 0; i < EVE_RULE_DECODE_COUNT; i++)
        CHECK_EQ_STR(eve_diag_rule((enum eve_rule)i), ids[i]);
    CHECK_EQ_STR(eve_diag_level(EVE_LEVEL_NOTE), "note");
    CHECK_EQ_STR(eve_diag_level(EVE_LEVEL_WARNING), "warning");
    CHECK_EQ_STR(eve_diag_level(EVE_LEVEL_ERROR), "error");
}

static const struct {
    struct eve_diag d;
    const char *want;
} lines[] = {
    {{"t", "f.ndjson", 3, 14, EVE_LEVEL_ERROR, "bad", "json-syntax", false},
     "t: f.ndjson:3:14: error: bad [json-syntax]\n"},
    {{"t", "f", 18446744073709551615u, 0, EVE_LEVEL_WARNING, "x", NULL, false},
     "t: f:18446744073709551615: warning: x\n"},
    {{"t", "f", 0, 0, EVE_LEVEL_NOTE, "x", "r", false}, "t: f: note: x [r]\n"},
    {{"t", NULL, 3, 4, EVE_LEVEL_ERROR, "no file", NULL, false}, "t: error: no file\n"},
    {{"t", "<stdin>", 1, 1, EVE_LEVEL_ERROR, "x", NULL, true},
     "t: <stdin>:1:1: \033[1;31merror\033[0m: x\n"},
};

static void formats(void)
{
    struct eve_buf out;
    TEST("the one form of a finding");
    eve_buf_init(&out, SIZE_MAX);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        out.n = 0;
        CHECK(eve_diag_format(&lines[i].d, &out, &err) == EVE_OK);
        CHECK_EQ_MEM(out.p, out.n, lines[i].want, strlen(lines[i].want));
    }
    TEST("no room for it");
    for (size_t max = 1; max < strlen(lines[0].want); max++) {
        struct eve_buf small;
        eve_buf_init(&small, max);
        CHECK(eve_diag_format(&lines[0].d, &small, &err) == EVE_FAIL && err.sys == ENOMEM);
        eve_buf_fini(&small);
    }
    eve_buf_fini(&out);
}

static void foreign(void)
{
    static const struct {
        struct eve_slice first;
        const char *word; /* in what is said */
    } cases[] = {
        {{"\x1f\x8b\x08", 3}, "gzip"},
        {{"\x28\xb5\x2f\xfd\x04", 5}, "zstd"},
        {{"\xff\xfe{\0", 4}, "UTF-16"},
        {{"\xfe\xff\0{", 4}, "UTF-16"},
        {{"{\0\"\0", 4}, "UTF-16"},
        {{"\0{\0\"", 4}, "UTF-16"},
        {{"data: {}", 8}, "data:"},
        {{" event: x\r", 10}, "server-sent"},
        {{"HTTP/2 200", 10}, "--from=http"},
        {{"<!DOCTYPE html>", 15}, "HTML"},
        {{"  <html>", 8}, "HTML"},
        {{"BZh91", 5}, "bzip2"},
        {{"\xfd"
          "7zXZ\0",
          6},
         "xz"},
        {{"\x51*M\x18", 4}, "zstd"},
    };
    TEST("what is no event stream is told by name");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *said = eve_diag_foreign(cases[i].first);
        CHECK(said != NULL && strstr(said, cases[i].word) != NULL);
    }
    CHECK(eve_diag_foreign(S("")) == NULL && eve_diag_foreign(S("{\"type\":1}")) == NULL);
    CHECK(eve_diag_foreign(S("x")) == NULL && eve_diag_foreign(S("\x1f")) == NULL);
    CHECK(eve_diag_foreign(S("database")) == NULL);
}

void test_diag(void);
void test_diag(void)
{
    rules();
    formats();
    foreign();
}
