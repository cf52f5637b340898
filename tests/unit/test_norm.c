#include "aid.h"
#include "norm.h"

#include <string.h>

static struct eve_err err;
static struct eve_norm_figures figures;
static char room[1 << 16];

/* The whole of `text` through norm. "--" lines are breaks, "==" lines end a file. */
static struct eve_slice norm(const char *text, struct eve_norm_options options)
{
    static const struct eve_event_options none;
    struct eve_norm *n = NULL;
    struct eve_decoder d;
    struct eve_event ev;
    struct eve_out out;
    int fd = aid_file(S(""));
    eve_decode_init(&d);
    CHECK(eve_out_init(&out, fd, &err) == EVE_OK && eve_norm_new(&n, &options, &err) == EVE_OK);
    while (*text != '\0') {
        size_t len = strcspn(text, "\n");
        struct eve_slice line = {text, len};
        if (eve_str_is(line, "--")) {
            CHECK(eve_norm_break(n, &out, &err) == EVE_OK);
        } else if (eve_str_is(line, "==")) {
            CHECK(eve_norm_end(n, &out, &err) == EVE_OK);
        } else {
            CHECK(eve_event_parse(&ev, line, text[len] == '\n', &none, &err) == EVE_OK);
            CHECK(eve_decode(&d, &ev, EVE_VERSION_AUTO, true, &err) == EVE_OK);
            CHECK(eve_norm_event(n, &ev, &d, &out, &err) == EVE_OK);
        }
        text += len + (text[len] == '\n' ? 1 : 0);
    }
    CHECK(eve_norm_end(n, &out, &err) == EVE_OK && eve_out_flush(&out, &err) == EVE_OK);
    figures = *eve_norm_figures(n);
    struct eve_slice got = aid_content(fd, room, sizeof room - 1);
    room[got.n] = '\0';
    CHECK(out.bytes == got.n);
    eve_norm_free(n);
    eve_norm_free(NULL);
    eve_decode_fini(&d);
    eve_out_fini(&out);
    close(fd);
    return got;
}

#define AT ",\"sequence\":1,\"stepIndex\":0,\"turnId\":\"t\"}"
#define OLD(d, all)                                                                                \
    "{\"data\":{\"messageDelta\":\"" d "\",\"messageSoFar\":\"" all "\"" AT                        \
    ",\"type\":\"message.appended\"}"
#define NEW(d) "{\"data\":{\"messageDelta\":\"" d "\"" AT ",\"type\":\"message.appended\"}"
#define ID(id) "{\"type\":\"x\",\"meta\":{\"id\":\"" id "\"}}"

static void figures_are(uint64_t events, uint64_t changed, uint64_t joined, uint64_t dropped,
                        uint64_t without, uint64_t restarts)
{
    CHECK_EQ_INT((intmax_t)figures.events, (intmax_t)events);
    CHECK_EQ_INT((intmax_t)figures.changed, (intmax_t)changed);
    CHECK_EQ_INT((intmax_t)figures.joined, (intmax_t)joined);
    CHECK_EQ_INT((intmax_t)figures.dropped, (intmax_t)dropped);
    CHECK_EQ_INT((intmax_t)figures.without_id, (intmax_t)without);
    CHECK_EQ_INT((intmax_t)figures.restarts, (intmax_t)restarts);
}

static void plain(void)
{
    const struct eve_norm_options none = {0};
    TEST("every event in delta-only form");
    CHECK_SLICE(norm(OLD("a", "a") "\n {\"type\":\"x\"} \r\n" ID("1") "\n" OLD("b", "ab"), none),
                NEW("a") "\n{\"type\":\"x\"}\n" ID("1") "\n" NEW("b") "\n");
    figures_are(4, 2, 0, 0, 0, 0);
    CHECK_SLICE(norm("", none), "");
    CHECK_SLICE(norm("\xef\xbb\xbf{\"type\":\"x\"}", none), "{\"type\":\"x\"}\n");

    TEST("a text that starts again is counted");
    norm(OLD("a", "a") "\n" OLD("b", "ab") "\n" OLD("a", "a") "\n" OLD("b", "b") "\n", none);
    figures_are(4, 4, 0, 0, 0, 2);
    norm(OLD("a", "a") "\n==\n" OLD("b", "b") "\n", none); /* another file */
    figures_are(2, 2, 0, 0, 0, 0);
}

static void coalesced(void)
{
    const struct eve_norm_options join = {.coalesce = true};
    TEST("appends are joined, but not over a restart, a break or the end of a file");
    CHECK_SLICE(norm(OLD("a", "a") "\n" OLD("b", "ab") "\n" NEW("c") "\n", join), NEW("abc") "\n");
    figures_are(3, 2, 2, 0, 0, 0);
    CHECK_SLICE(norm(OLD("a", "a") "\n" OLD("b", "b") "\n" OLD("c", "bc") "\n", join),
                NEW("a") "\n" NEW("bc") "\n");
    figures_are(3, 3, 1, 0, 0, 1);
    CHECK_SLICE(norm(NEW("a") "\n--\n" NEW("b") "\n" NEW("c") "\n", join),
                NEW("a") "\n" NEW("bc") "\n");
    CHECK_SLICE(norm(NEW("a") "\n==\n" NEW("b") "\n--\n", join), NEW("a") "\n" NEW("b") "\n");
    CHECK_SLICE(norm(ID("1") "\n" NEW("a") "\n" ID("2") "\n" NEW("b"), join),
                ID("1") "\n" NEW("a") "\n" ID("2") "\n" NEW("b") "\n");
    figures_are(4, 0, 0, 0, 0, 0);
}

static void deduped(void)
{
    struct eve_norm_options once = {.dedupe = true};
    static const char in[] =
        ID("1") "\n{\"type\":\"y\"}\n" ID("1") "\n{\"type\":\"y\"}\n==\n" ID("1") "\n";
    TEST("events seen before are dropped, those without id stay");
    CHECK_SLICE(norm(in, once), ID("1") "\n{\"type\":\"y\"}\n{\"type\":\"y\"}\n");
    figures_are(5, 0, 0, 2, 2, 0);
    once.dedupe_by_file = true;
    CHECK_SLICE(norm(in, once), ID("1") "\n{\"type\":\"y\"}\n{\"type\":\"y\"}\n" ID("1") "\n");
    figures_are(5, 0, 0, 1, 2, 0);

    TEST("dropped before they are joined or taken for a restart");
#define OLD_ID(d, all, id)                                                                         \
    "{\"data\":{\"messageDelta\":\"" d "\",\"messageSoFar\":\"" all "\"" AT                        \
    ",\"type\":\"message.appended\",\"meta\":{\"id\":\"" id "\"}}"
    once.coalesce = true;
    CHECK_SLICE(norm(OLD_ID("a", "a", "1") "\n" OLD_ID("b", "ab", "2") "\n" OLD_ID(
                         "a", "a", "1") "\n" OLD_ID("c", "abc", "3") "\n",
                     once),
                "{\"data\":{\"messageDelta\":\"abc\"" AT
                ",\"type\":\"message.appended\",\"meta\":{\"id\":\"3\"}}\n");
    figures_are(4, 3, 2, 1, 0, 0);
}

static void twice(void)
{
    static const char in[] =
        OLD("a", "a") "\n" ID("1") "\r\n" OLD("a", "a") "\n {\"type\":\"y\"}\n" NEW("z");
    struct eve_norm_options options = {0};
    TEST("a second pass changes nothing");
    for (int i = 0; i < 2; i++) {
        char once[sizeof room];
        options.dedupe = i > 0;
        norm(in, options);
        strcpy(once, room);
        struct eve_slice again = norm(once, options);
        CHECK_EQ_MEM(again.p, again.n, once, strlen(once));
        CHECK(figures.changed == 0 && figures.dropped == 0);
    }
}

void test_norm(void);
void test_norm(void)
{
    plain();
    coalesced();
    deduped();
    twice();
}
