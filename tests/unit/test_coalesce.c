#include "aid.h"
#include "coalesce.h"
#include "decode.h"

#include <stdio.h>
#include <string.h>

static struct eve_err err;
static struct eve_coalesce c;
static struct eve_out out;
static int fd;
static char *room;
enum { ROOM = 1 << 20 };

static void start(void)
{
    fd = aid_file(S(""));
    room = malloc(ROOM);
    CHECK(room != NULL && eve_out_init(&out, fd, &err) == EVE_OK);
    eve_coalesce_init(&c);
}

/* Everything that was written, the event in hand included. */
static struct eve_slice finish(void)
{
    size_t pending = eve_coalesce_pending(&c);
    uint64_t before = out.bytes;
    CHECK(eve_coalesce_release(&c, &out, &err) == EVE_OK && out.bytes - before == pending);
    CHECK(eve_coalesce_pending(&c) == 0 && eve_out_flush(&out, &err) == EVE_OK);
    struct eve_slice got = aid_content(fd, room, ROOM);
    eve_coalesce_fini(&c);
    eve_out_fini(&out);
    close(fd);
    return got;
}

static bool take(const char *line, bool apart)
{
    struct eve_event ev;
    struct eve_decoder d;
    struct eve_buf text;
    bool joined = false;
    aid_event(&ev, line, "g");
    eve_decode_init(&d);
    eve_buf_init(&text, SIZE_MAX);
    CHECK(eve_decode(&d, &ev, EVE_VERSION_AUTO, false, &err) == EVE_OK);
    CHECK(eve_edit_put(&d.edits, ev.text, &text, &err) == EVE_OK);
    CHECK(eve_coalesce_take(&c, &ev, eve_buf_slice(&text), apart, &out, &joined, &err) == EVE_OK);
    CHECK(eve_coalesce_pending(&c) > 0);
    eve_decode_fini(&d);
    eve_buf_fini(&text);
    return joined;
}

/* The lines, up to NULL: are the second and all after it joined, and what comes out? */
static void joins(const char *const *lines, const char *which, const char *want)
{
    char got[8] = "";
    start();
    for (size_t i = 0; lines[i] != NULL; i++)
        got[i] = take(lines[i], false) ? 'j' : '-';
    CHECK_EQ_STR(got, which);
    struct eve_slice all = finish();
    CHECK_EQ_MEM(all.p, all.n, want, strlen(want));
    free(room);
}

#define AT ",\"sequence\":1,\"stepIndex\":0,\"turnId\":\"t\"}"
#define MSG(delta) "{\"data\":{\"messageDelta\":\"" delta "\"" AT ",\"type\":\"message.appended\"}"
#define INP(delta, call)                                                                           \
    "{\"data\":{\"callId\":\"" call "\",\"inputTextDelta\":\"" delta "\",\"toolName\":\"n\"" AT    \
    ",\"type\":\"action.input.appended\"}"
#define META(delta, id)                                                                            \
    "{\"data\":{\"messageDelta\":\"" delta "\"" AT ",\"type\":\"message.appended\",\"meta\":" id "}"

static void shapes(void)
{
    TEST("appends of one shape and place are joined");
    joins((const char *[]){MSG("a"), MSG("b\\n"), MSG(""), MSG("\\u00e9"), NULL}, "-jjj",
          MSG("ab\\n\\u00e9") "\n");
    joins((const char *[]){MSG("\\ud83d"), MSG("\\ude00"), NULL}, "-j", MSG("\\ud83d\\ude00") "\n");
    joins((const char *[]){INP("{", "c"), INP("}", "\\u0063"), NULL}, "-j",
          INP("{}", "\\u0063") "\n");
    joins((const char *[]){META("a", "{\"id\":\"1\"}"), META("b", "5"), MSG("c"), NULL}, "-jj",
          MSG("abc") "\n");
    TEST("the last event stays as it is but for its delta");
    joins((const char *[]){MSG("a"),
                           " {\"type\":\"message.appended\" , \"data\":{\"turnId\":\"\\u0074\","
                           "\"stepIndex\":0.0,\"sequence\":1e0, \"messageDelta\" : \"b\"}}\r",
                           NULL},
          "-j",
          "{\"type\":\"message.appended\" , \"data\":{\"turnId\":\"\\u0074\","
          "\"stepIndex\":0.0,\"sequence\":1e0, \"messageDelta\" : \"ab\"}}\n");
    joins((const char *[]){"{\"data\":{\"messageDelta\":\"a\",\"messageSoFar\":\"a\"" AT
                           ",\"type\":\"message.appended\"}",
                           "{\"data\":{\"messageSoFar\":\"ab\",\"messageDelta\":\"b\","
                           "\"messageOffset\":1" AT ",\"type\":\"message.appended\"}",
                           NULL},
          "-j", MSG("ab") "\n");
    TEST("the group counts with its bytes");
#define GRP(delta, g)                                                                              \
    "{\"g\":" g ",\"data\":{\"messageDelta\":\"" delta "\"" AT ",\"type\":\"message.appended\"}"
    joins((const char *[]){GRP("a", "\"x\""), GRP("b", "\"x\""), GRP("c", "\"\\u0078\""), NULL},
          "-j-", GRP("ab", "\"x\"") "\n" GRP("c", "\"\\u0078\"") "\n");
    joins((const char *[]){GRP("a", "1"), MSG("b"), NULL}, "--", GRP("a", "1") "\n" MSG("b") "\n");
}

/* What is never joined to a plain append before it or after it. */
static void apart(void)
{
    static const char *const others[] = {
        "{\"data\":{\"reasoningDelta\":\"x\"" AT ",\"type\":\"reasoning.appended\"}",
        "{\"data\":{\"messageDelta\":\"x\",\"sequence\":2,\"stepIndex\":0,\"turnId\":\"t\"},"
        "\"type\":\"message.appended\"}",
        "{\"data\":{\"messageDelta\":\"x\",\"sequence\":1,\"stepIndex\":1,\"turnId\":\"t\"},"
        "\"type\":\"message.appended\"}",
        "{\"data\":{\"messageDelta\":\"x\",\"sequence\":1,\"stepIndex\":0,\"turnId\":\"u\"},"
        "\"type\":\"message.appended\"}",
        "{\"data\":{\"messageDelta\":\"x\",\"sequence\":1,\"stepIndex\":0},"
        "\"type\":\"message.appended\"}",
        "{\"data\":{\"messageDelta\":\"x\",\"y\":1" AT ",\"type\":\"message.appended\"}",
        "{\"data\":{\"messageDelta\":\"x\",\"callId\":1" AT ",\"type\":\"message.appended\"}",
        "{\"data\":{\"messageDelta\":\"x\",\"reasoningSoFar\":1" AT
        ",\"type\":\"message.appended\"}",
        "{\"data\":{\"messageDelta\":\"y\",\"messageDelta\":\"x\"" AT
        ",\"type\":\"message.appended\"}",
        "{\"data\":{\"messageDelta\":\"x\"" AT ",\"type\":\"message.appended\",\"id\":5}",
        "{\"meta\":1,\"data\":{\"messageDelta\":\"x\"" AT
        ",\"type\":\"message.appended\",\"meta\":2}",
        "{\"data\":{\"messageDelta\":\"x\"" AT ",\"type\":\"message.completed\"}",
        "{\"data\":{\"callId\":\"c\"},\"type\":\"action.partial\"}",
        "{\"type\":\"session.waiting\"}",
        INP("x", "c"),
    };
    TEST("what is of another shape or place stays apart");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        char want[1000];
        snprintf(want, sizeof want, MSG("a") "\n%s\n" MSG("b") "\n", others[i]);
        joins((const char *[]){MSG("a"), others[i], MSG("b"), NULL}, "---", want);
    }
    joins((const char *[]){INP("x", "c"), INP("y", "d"), NULL}, "--",
          INP("x", "c") "\n" INP("y", "d") "\n");
    for (size_t i = 11; i < 14; i++) { /* nor two that are no appends */
        char want[1000];
        snprintf(want, sizeof want, "%s\n%s\n", others[i], others[i]);
        joins((const char *[]){others[i], others[i], NULL}, "--", want);
    }

    TEST("told to stay apart");
    start();
    CHECK(!take(MSG("a"), false) && !take(MSG("b"), true) && take(MSG("c"), false));
    CHECK(eve_coalesce_release(&c, &out, &err) == EVE_OK);
    CHECK(eve_coalesce_release(&c, &out, &err) == EVE_OK);
    CHECK(!take(MSG("d"), false));
    CHECK_SLICE(finish(), MSG("a") "\n" MSG("bc") "\n" MSG("d") "\n");
    free(room);
}

/* An append whose delta is `n` times `unit`. */
static bool take_many(const char *unit, size_t n)
{
    char *line = malloc(n * strlen(unit) + 200);
    if (!CHECK(line != NULL))
        exit(1);
    size_t at = (size_t)sprintf(line, "{\"data\":{\"messageDelta\":\"");
    for (size_t i = 0; i < n; i++)
        at += (size_t)sprintf(line + at, "%s", unit);
    sprintf(line + at, "\"" AT ",\"type\":\"message.appended\"}");
    bool joined = take(line, false);
    free(line);
    return joined;
}

static void limits(void)
{
    static const struct {
        const char *unit;
        size_t n, units;
    } kinds[] = {{"a", 65536, 1},
                 {"\\u0041", 65536, 1},
                 {"\xf0\x9f\x98\x80", 32768, 2},
                 {"\xc3\xa9", 65536, 1}};
    TEST("a joined delta has 65,536 UTF-16 units at most");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        start();
        CHECK(!take_many(kinds[i].unit, kinds[i].n - 1));
        CHECK(take_many(kinds[i].unit, 1) && take(MSG(""), false));
        CHECK(!take(MSG("x"), false) && take(MSG("y"), false));
        CHECK(!take_many(kinds[i].unit, kinds[i].n)); /* 2 and 65,536 */
        CHECK(!take(MSG("z"), false));
        finish();
        free(room);
    }
    start();
    CHECK(!take_many("a", 70000) && !take(MSG("x"), false) && take(MSG("y"), false));
    CHECK(finish().n > 70000);
    free(room);
}

void test_coalesce(void);
void test_coalesce(void)
{
    shapes();
    apart();
    limits();
}
