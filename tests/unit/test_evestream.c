#include "aid.h"
#include "evestream.h"
#include "mem.h"

#include <string.h>
#include <unistd.h>

#define AT ",\"sequence\":1,\"stepIndex\":0,\"turnId\":\"t\"}"
#define STEP                                                                                       \
    "{\"data\":{\"sequence\":1,\"stepIndex\":0,\"turnId\":\"t\"},\"type\":\"step.started\"}"
#define OLD(d, all)                                                                                \
    "{\"data\":{\"messageDelta\":\"" d "\",\"messageSoFar\":\"" all "\"" AT                        \
    ",\"type\":\"message.appended\"}"
#define NEW(d) "{\"data\":{\"messageDelta\":\"" d "\"" AT ",\"type\":\"message.appended\"}"
#define DONE                                                                                       \
    "{\"data\":{\"finishReason\":\"stop\",\"message\":\"ab\"" AT ",\"type\":\"message."            \
    "completed\"}"

static struct eve_stream_event event;
static struct eve_stream_bytes record;

static void is(struct eve_stream_bytes got, const char *want)
{
    CHECK_EQ_MEM(got.p, got.n, want, strlen(want));
}

static bool has(struct eve_stream_bytes s, const char *part)
{
    return memmem(s.p, s.n, part, strlen(part)) != NULL;
}

static enum eve_stream_status line(struct eve_stream *s, const char *text)
{
    return eve_stream_line(s, text, strlen(text), &event);
}

static void reads_lines(void)
{
    TEST("evestream: lines become events, delta-only forms, texts and records");
    CHECK_EQ_STR(eve_stream_version(), EVE_STREAM_VERSION);
    struct eve_stream *s = eve_stream_new(&(struct eve_stream_options){.blocks = true});
    CHECK(line(s, "\n") == EVE_STREAM_END && line(s, STEP "\n") == EVE_STREAM_OK);
    CHECK(event.line == 2 && event.index == 0 && event.append == NULL && event.text.p == NULL);
    CHECK(eve_stream_says(event.type, "step.started") && !eve_stream_says(event.type, "step"));
    CHECK(line(s, " " OLD("a", "a") "\r\n") == EVE_STREAM_OK && event.legacy);
    is(event.found, OLD("a", "a"));
    is(event.delta_only, NEW("a"));
    is(event.delta, "\"a\"");
    is(eve_stream_data(s, "turnId"), "\"t\"");
    CHECK(eve_stream_data(s, "nothing").p == NULL);
    CHECK(line(s, NEW("\\u0062")) == EVE_STREAM_OK && !event.legacy && event.index == 2);
    CHECK_EQ_STR(event.append, "message");
    is(event.text, "ab");
    is(event.delta_only, NEW("\\u0062"));
    CHECK(!eve_stream_block(s, &record));
    CHECK(line(s, DONE "\n") == EVE_STREAM_OK && eve_stream_block(s, &record));
    CHECK(has(record, "\"state\":\"completed\",\"text\":\"ab\"") && record.p[record.n - 1] == '}');
    CHECK(!eve_stream_block(s, &record));
    CHECK(line(s, NEW("x")) == EVE_STREAM_OK && eve_stream_end(s) == EVE_STREAM_OK);
    CHECK(eve_stream_block(s, &record) && has(record, "\"state\":\"open\",\"text\":\"x\""));
    CHECK(line(s, STEP) == EVE_STREAM_OK && event.line == 1 && event.index == 0);
    eve_stream_free(s);
}

static void tells_bad_lines(void)
{
    TEST("evestream: a bad line is told and the next one is fine");
    struct eve_stream *s = eve_stream_new(NULL);
    CHECK(line(s, "{\"type\":\"x\",}\n") == EVE_STREAM_BAD);
    CHECK_EQ_STR(eve_stream_error(s)->rule, "json-syntax");
    CHECK(eve_stream_error(s)->line == 1 && eve_stream_error(s)->column == 13);
    CHECK(eve_stream_error(s)->system == 0 && eve_stream_error(s)->message != NULL);
    CHECK(eve_stream_data(s, "x").p == NULL);
    CHECK(line(s, OLD("a", "b")) == EVE_STREAM_BAD);
    CHECK_EQ_STR(eve_stream_error(s)->rule, "snapshot-mismatch");
    CHECK(line(s, "{\"type\":\n\"x\"}\n") == EVE_STREAM_BAD && eve_stream_error(s)->column == 9);
    CHECK(line(s, "{\"type\":\"\\u0078\"}") == EVE_STREAM_OK && event.index == 0);
    CHECK(eve_stream_says(event.type, "x") && eve_stream_error(s)->rule == NULL);
    CHECK(eve_stream_end(s) == EVE_STREAM_OK && !eve_stream_block(s, &record));
    eve_stream_free(s);
    s = eve_stream_new(&(struct eve_stream_options){.version = 26});
    CHECK(line(s, OLD("a", "a")) == EVE_STREAM_BAD);
    CHECK_EQ_STR(eve_stream_error(s)->rule, "legacy-field");
    eve_stream_free(s);
    CHECK(eve_stream_new(&(struct eve_stream_options){.version = 27}) == NULL);
    eve_stream_free(NULL);
}

static const char text[] = "\n" STEP "\n" OLD("a", "a") "\nbad\n" OLD(
    "b", "ab") "\n" DONE "\n"
               "{\"type\":\"longer than any other line, as far as one can see: so it is "
               "refused where a limit is set, ......................................"
               "................................................................\"}\n" NEW("y");

static void reads_descriptors(void)
{
    TEST("evestream: a descriptor is read to its end, bad lines included, and then another");
    struct eve_stream *s =
        eve_stream_new(&(struct eve_stream_options){.blocks = true, .max_line = 160});
    CHECK(eve_stream_next(s, &event) == EVE_STREAM_END);
    for (int i = 0; i < 2; i++) {
        int counts[4] = {0};
        int blocks = 0;
        enum eve_stream_status status = EVE_STREAM_OK;
        int fd = aid_file(S(text));
        eve_stream_open(s, fd);
        while (status != EVE_STREAM_END && status != EVE_STREAM_FAIL) {
            status = eve_stream_next(s, &event);
            counts[status + 2]++;
            while (eve_stream_block(s, &record)) {
                blocks++;
            }
        }
        CHECK(counts[0] == 0 && counts[1] == 2 && counts[2] == 5 && counts[3] == 1 && blocks == 2);
        CHECK(eve_stream_next(s, &event) == EVE_STREAM_END && !eve_stream_block(s, &record));
        close(fd);
    }
    eve_stream_open(s, -1);
    CHECK(eve_stream_next(s, &event) == EVE_STREAM_FAIL && eve_stream_error(s)->system != 0);
    CHECK(eve_stream_next(s, &event) == EVE_STREAM_END);
    eve_stream_free(s);
}

static void keeps_groups_apart(void)
{
    TEST("evestream: sessions that a member tells apart have texts of their own");
    struct eve_stream *s =
        eve_stream_new(&(struct eve_stream_options){.blocks = true, .group_by = "s"});
    CHECK(line(s, "{\"s\":1,\"data\":{\"messageDelta\":\"a\"" AT
                  ",\"type\":\"message.appended\"}") == EVE_STREAM_OK);
    CHECK(line(s, "{\"s\":2,\"data\":{\"messageDelta\":\"b\"" AT
                  ",\"type\":\"message.appended\"}") == EVE_STREAM_OK);
    is(event.text, "b");
    CHECK(eve_stream_end(s) == EVE_STREAM_OK && eve_stream_block(s, &record));
    CHECK(has(record, ",\"s\":1}") && eve_stream_block(s, &record) && has(record, ",\"s\":2}"));
    eve_stream_free(s);
}

/* The whole of `text`; false: memory ran out somewhere. */
static bool pass(void)
{
    enum eve_stream_status status = EVE_STREAM_OK;
    struct eve_stream *s =
        eve_stream_new(&(struct eve_stream_options){.blocks = true, .group_by = "s"});
    if (s == NULL) {
        return false;
    }
    int fd = aid_file(S(text));
    eve_stream_open(s, fd);
    while (status == EVE_STREAM_OK || status == EVE_STREAM_BAD) {
        status = eve_stream_next(s, &event);
    }
    close(fd);
    bool well = status == EVE_STREAM_END && line(s, OLD("a", "a")) == EVE_STREAM_OK &&
                eve_stream_end(s) == EVE_STREAM_OK;
    eve_stream_free(s);
    return well;
}

static void survives(void)
{
    TEST("evestream: any allocation may fail");
    size_t n = 1;
    for (bool well = false; !well && n < 1000; n++) {
        eve_mem_test_fail(n, true);
        well = pass();
        eve_mem_test_fail(0, false);
    }
    CHECK(n > 5 && n < 1000 && pass());
}

void test_evestream(void);
void test_evestream(void)
{
    reads_lines();
    tells_bad_lines();
    reads_descriptors();
    keeps_groups_apart();
    survives();
}
