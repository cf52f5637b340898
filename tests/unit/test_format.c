#include "check.h"
#include "format.h"
#include "str.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void test_format(void);

static struct eve_out out;
static struct eve_finder finder;
static struct format *format;
static FILE *file;
static char *text; /* what the last run wrote */
static struct eve_err err;

static void begin(enum format_kind kind, size_t files)
{
    eve_finder_init(&finder, NULL, NULL);
    file = tmpfile();
    if (!CHECK(file != NULL && eve_out_init(&out, fileno(file), &err) == EVE_OK)) {
        exit(1);
    }
    struct format_options options = {.kind = kind, .out = &out, .finder = &finder, .files = files};
    CHECK(format_new(&format, &options, &err) == EVE_OK);
}

static void end(const char *trouble)
{
    CHECK(format_end(format, trouble, &err) == EVE_OK);
    CHECK(eve_out_flush(&out, &err) == EVE_OK);
    format_free(format);
    eve_out_fini(&out);
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    free(text);
    text = calloc(1, (size_t)size + 1);
    CHECK(text != NULL && fread(text, 1, (size_t)size, file) == (size_t)size);
    fclose(file);
}

static void find_one(unsigned rule, enum eve_level level, const char *message)
{
    struct eve_finding f = {.rule = rule,
                            .level = level,
                            .line = 3,
                            .column = 7,
                            .message = message,
                            .event = 1,
                            .type = eve_str("\"turn.started\""),
                            .id = eve_str("\"a\\ud83d\"")};
    f.excerpt = (struct eve_slice){"{\"a\xFF\x1B[31m\":1}", 13};
    CHECK(format_finding(format, &f, &err) == EVE_OK);
}

static void find_plain(enum eve_level level, const char *message)
{
    struct eve_finding f = {
        .rule = EVE_RULE_EXPECT, .level = level, .message = message, .event = EVE_FINDING_NO_EVENT};
    CHECK(format_finding(format, &f, &err) == EVE_OK);
}

#define HAS(part) CHECK(strstr(text, part) != NULL)
#define LACKS(part) CHECK(strstr(text, part) == NULL)

static void as_text(void)
{
    char summary[FORMAT_SUMMARY_MAX];
    TEST("text");
    begin(FORMAT_TEXT, 1);
    CHECK(format_begin_file(format, "a\nb", &err) == EVE_OK);
    find_one(EVE_RULE_RETRY, EVE_LEVEL_NOTE, "again");
    find_plain(EVE_LEVEL_ERROR, "no");
    CHECK(format_end_file(format, NULL, &err) == EVE_OK);
    CHECK_EQ_STR(format_summary(format, 1234, summary),
                 "1 file, 1,234 events: 1 error, 0 warnings, 1 note");
    CHECK_EQ_INT((int)format_counts(format)->failed_files, 1);
    end(NULL);
    CHECK_EQ_STR(text, "evecheck: a\\x0ab:3:7: note: again [retry]\n"
                       "    event 1, turn.started, a\\ud83d: {\"a\\xff\\x1b[31m\":1}\n"
                       "evecheck: a\\x0ab: error: no [expect]\n");
}

static void as_json(void)
{
    TEST("json");
    begin(FORMAT_JSON, 2);
    CHECK(format_begin_file(format, "-", &err) == EVE_OK);
    find_one(EVE_RULE_RETRY, EVE_LEVEL_NOTE, "a \"b\"");
    CHECK(format_end_file(format, NULL, &err) == EVE_OK);
    CHECK(format_begin_file(format, "x\xFFy", &err) == EVE_OK);
    find_plain(EVE_LEVEL_WARNING, "no");
    end(NULL);
    CHECK_EQ_STR(text,
                 "{\"schema\":1,\"file\":\"<stdin>\",\"line\":3,\"column\":7,\"severity\":\"note\","
                 "\"rule\":\"retry\",\"message\":\"a \\\"b\\\"\",\"event\":1,\"type\":\"turn."
                 "started\",\"id\":\"a\xEF\xBF\xBD\"}\n"
                 "{\"schema\":1,\"file\":\"x\xEF\xBF\xBDy\",\"line\":null,\"column\":null,"
                 "\"severity\":\"warning\",\"rule\":\"expect\",\"message\":\"no\",\"event\":null,"
                 "\"type\":null,\"id\":null}\n");
}

static void as_github(void)
{
    TEST("github: escaped, the most severe first");
    begin(FORMAT_GITHUB, 1);
    CHECK(format_begin_file(format, "a:b,c%\n", &err) == EVE_OK);
    find_one(EVE_RULE_RETRY, EVE_LEVEL_NOTE, "n");
    find_plain(EVE_LEVEL_WARNING, "w");
    find_one(EVE_RULE_EXPECT, EVE_LEVEL_ERROR, "50% ::error::\r\n, e:");
    end(NULL);
    CHECK_EQ_STR(text, "::error file=a%3Ab%2Cc%25%0A,line=3,col=7,title=expect::"
                       "50%25 ::error::%0D%0A, e:\n"
                       "::warning file=a%3Ab%2Cc%25%0A,title=expect::w\n"
                       "::notice file=a%3Ab%2Cc%25%0A,line=3,col=7,title=retry::n\n");
    TEST("github: within its limits");
    begin(FORMAT_GITHUB, 1);
    CHECK(format_begin_file(format, "f", &err) == EVE_OK);
    for (int i = 0; i < 12; i++) {
        find_plain(EVE_LEVEL_NOTE, i == 8 ? "ninth" : i == 9 ? "tenth" : "n");
        find_plain(EVE_LEVEL_ERROR, "e");
    }
    end(NULL);
    size_t lines = 0;
    for (const char *p = text; *p != '\0'; p++) {
        lines += *p == '\n';
    }
    CHECK_EQ_SIZE(lines, 20);
    HAS("ninth");
    LACKS("tenth");
    HAS("::notice title=evecheck::not shown here: 2 errors, 0 warnings, 3 notes\n");
}

static void as_sarif(void)
{
    TEST("sarif: whole though the run ended early");
    begin(FORMAT_SARIF, 2);
    CHECK(format_begin_file(format, "./dir/a b\xFF.nd", &err) == EVE_OK);
    find_one(EVE_RULE_RETRY, EVE_LEVEL_NOTE, "n");
    find_one(EVE_RULE_RETRY, EVE_LEVEL_NOTE, "n");
    end("stopped");
    HAS("\"uri\":\"dir/a%20b%FF.nd\",\"uriBaseId\":\"%SRCROOT%\"");
    HAS("\"region\":{\"startLine\":3}");
    HAS(":1\"}");
    HAS(":2\"}");
    HAS("\"executionSuccessful\":false");
    CHECK(text[strlen(text) - 2] == '}');
    TEST("sarif: at most 5,000 results");
    begin(FORMAT_SARIF, 1);
    CHECK(format_begin_file(format, "/nowhere/f", &err) == EVE_OK);
    for (int i = 0; i < FORMAT_SARIF_MAX + 1234; i++) {
        find_plain(EVE_LEVEL_ERROR, "e");
    }
    end(NULL);
    HAS("1,234 more findings are left out here");
    HAS("\"uri\":\"file:///nowhere/f\"}");
    HAS("\"executionSuccessful\":true");
}

static void as_junit(void)
{
    TEST("junit");
    begin(FORMAT_JUNIT, 2);
    eve_finder_set(&finder, EVE_RULE_LATE, EVE_LEVEL_OFF);
    CHECK(format_begin_file(format, "a<\x01\xFF\">", &err) == EVE_OK);
    find_one(EVE_RULE_RETRY, EVE_LEVEL_NOTE, "n & m");
    for (int i = 0; i < FORMAT_JUNIT_MAX + 5; i++) {
        find_plain(EVE_LEVEL_ERROR, "e ]]>");
    }
    CHECK(format_end_file(format, "it broke", &err) == EVE_OK);
    end(NULL);
    HAS("<testsuite name=\"a&lt;\xEF\xBF\xBD\xEF\xBF\xBD&quot;&gt;\" tests=\"");
    HAS("failures=\"1\" errors=\"1\" skipped=\"1\">");
    HAS("<failure type=\"error\" message=\"e ]]&gt;\">");
    HAS("\nand 5 more\n</failure>");
    HAS("note: n &amp; m\n</system-out>");
    HAS("name=\"late\"><skipped/></testcase>");
    HAS("<error message=\"it broke\"/>");
}

static void as_tap(void)
{
    TEST("tap");
    begin(FORMAT_TAP, 3);
    CHECK(format_begin_file(format, "a # skip", &err) == EVE_OK);
    find_one(EVE_RULE_RETRY, EVE_LEVEL_NOTE, "n: \"m\"");
    CHECK(format_end_file(format, NULL, &err) == EVE_OK);
    CHECK(format_begin_file(format, "b", &err) == EVE_OK);
    CHECK(format_end_file(format, NULL, &err) == EVE_OK);
    CHECK(format_begin_file(format, "c", &err) == EVE_OK);
    end("interrupted");
    CHECK_EQ_STR(text, "TAP version 13\n1..3\nok 1 - a \\# skip\n  ---\n  file: \"a # skip\"\n"
                       "  findings:\n    - severity: note\n      rule: retry\n      line: 3\n"
                       "      column: 7\n      message: \"n: \\\"m\\\"\"\n      event: 1\n"
                       "      type: \"turn.started\"\n"
                       "      id: \"a\xEF\xBF\xBD\"\n  ...\nok 2 - b\n"
                       "not ok 3 - c\n  ---\n  file: \"c\"\n  trouble: \"interrupted\"\n  ...\n"
                       "Bail out!  interrupted\n");
}

void test_format(void)
{
    as_text();
    as_json();
    as_github();
    as_sarif();
    as_junit();
    as_tap();
    free(text);
    text = NULL;
}
