#include "aid.h"
#include "out.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>

static struct eve_err err;

/* Random calls against what should come out in the end. Lent bytes are spoilt once they are
 * settled: they have to be gone by then. */
static void model(uint64_t seed, size_t write_bytes, size_t longest)
{
    enum { SOURCE = 1 << 18, MOST = 1 << 20 };
    char *source = malloc(SOURCE);
    char *want = malloc(MOST);
    char *got = malloc(MOST);
    struct eve_out o;
    uint64_t random = seed;
    size_t n = 0;
    size_t lent_from = 0; /* of what is lent in the source */
    size_t lent_to = 0;
    if (!CHECK(source && want && got))
        exit(1);
    for (size_t i = 0; i < SOURCE; i++)
        source[i] = (char)aid_random(&random);
    int fd = aid_file(S(""));
    CHECK(eve_out_init(&o, fd, &err) == EVE_OK);
    o.write_bytes = write_bytes;
    for (int step = 0; step < 300; step++) {
        unsigned what = aid_below(&random, 8);
        size_t len = aid_below(&random, aid_below(&random, 4) ? 200 : longest);
        if (n + len > MOST)
            break;
        if (what < 4 && lent_to + 300 + len < SOURCE) { /* lend, often just behind the last */
            size_t from = lent_to + (what == 0 ? 1 + aid_below(&random, 200) : 0);
            struct eve_slice s = {source + from, len};
            CHECK(eve_out_lend(&o, s, &err) == EVE_OK);
            memcpy(want + n, s.p, len);
            n += len;
            lent_to = from + len;
        } else if (what < 6 && len < 5000) { /* put from a place that is gone at once */
            char piece[5000];
            memset(piece, (int)('a' + step % 26), len);
            CHECK(eve_out_put(&o, (struct eve_slice){piece, len}, &err) == EVE_OK);
            memcpy(want + n, piece, len);
            n += len;
        } else {
            CHECK((what == 7 ? eve_out_flush(&o, &err) : eve_out_settle(&o, &err)) == EVE_OK);
            memset(source + lent_from, '#', lent_to - lent_from);
            lent_from = lent_to = aid_below(&random, 100);
            if (what == 7)
                CHECK(aid_content(fd, got, MOST).n == n);
        }
        CHECK(o.bytes == n);
    }
    CHECK(eve_out_flush(&o, &err) == EVE_OK);
    struct eve_slice content = aid_content(fd, got, MOST);
    CHECK_EQ_MEM(content.p, content.n, want, n);
    eve_out_fini(&o);
    close(fd);
    free(source);
    free(want);
    free(got);
}

static void orders(void)
{
    TEST("put, lend, settle and flush in any order");
    for (uint64_t seed = 1; seed <= 60; seed++)
        model(seed, 0, 3000);
    TEST("pieces larger than the room");
    for (uint64_t seed = 1; seed <= 20; seed++)
        model(seed, 0, EVE_OUT_ROOM + 5000);
    TEST("short writes");
    for (uint64_t seed = 1; seed <= 3; seed++)
        model(seed, 1, 300);
    for (uint64_t seed = 1; seed <= 10; seed++)
        model(seed, 1 + seed * 7, 3000);
}

static void counts(void)
{
    struct eve_out o;
    TEST("without a descriptor the bytes are counted");
    CHECK(eve_out_init(&o, -1, &err) == EVE_OK);
    for (int i = 0; i < 100; i++) {
        CHECK(eve_out_put(&o, S("0123456789"), &err) == EVE_OK);
        CHECK(eve_out_lend(&o, S("0123456789"), &err) == EVE_OK);
    }
    CHECK(eve_out_flush(&o, &err) == EVE_OK && o.bytes == 2000);
    eve_out_fini(&o);
}

static void gathers(void)
{
    struct eve_out o;
    struct eve_buf into;
    TEST("into memory, to its limit, and no further");
    eve_buf_init(&into, 20);
    eve_out_init_memory(&o, &into);
    CHECK(eve_out_put(&o, S("01234"), &err) == EVE_OK &&
          eve_out_lend(&o, S("56789"), &err) == EVE_OK);
    CHECK_EQ_MEM(into.p, into.n, "0123456789", 10);
    CHECK(eve_out_flush(&o, &err) == EVE_OK && o.bytes == 10);
    CHECK(eve_out_put(&o, S("01234567890"), &err) == EVE_FAIL && err.sys != 0);
    CHECK(eve_out_put(&o, S("0"), &err) == EVE_FAIL && into.n == 10);
    eve_buf_fini(&into);
}

/* Fails at the latest with the flush, and stays so. */
static void sticks(int fd, int sys)
{
    static char large[EVE_OUT_ROOM * 2];
    struct eve_out o;
    CHECK(eve_out_init(&o, fd, &err) == EVE_OK);
    CHECK(eve_out_put(&o, S("small"), &err) == EVE_OK);
    err = (struct eve_err){0};
    CHECK(eve_out_flush(&o, &err) == EVE_FAIL && err.sys == sys && err.msg != NULL);
    for (int i = 0; i < 3; i++) {
        err = (struct eve_err){0};
        CHECK(eve_out_put(&o, S("more"), &err) == EVE_FAIL && err.sys == sys);
        CHECK(eve_out_lend(&o, (struct eve_slice){large, sizeof large}, &err) == EVE_FAIL);
        CHECK(eve_out_settle(&o, &err) == EVE_FAIL);
        err = (struct eve_err){0};
        CHECK(eve_out_flush(&o, &err) == EVE_FAIL && err.sys == sys);
    }
    eve_out_fini(&o);
    CHECK(eve_out_init(&o, fd, &err) == EVE_OK);
    CHECK(eve_out_put(&o, S("small"), &err) == EVE_OK);
    CHECK(eve_out_put(&o, (struct eve_slice){large, sizeof large}, &err) == EVE_FAIL);
    eve_out_fini(&o);
}

static void packed(void)
{
    struct eve_out o;
    char got[4096];
    TEST("compressed, counts are of the text, and nothing is complete before the end");
    for (enum eve_packed format = EVE_PACKED_GZIP; format < EVE_PACKED_COUNT; format++) {
        if (!eve_packed_built(format)) {
            continue;
        }
        int fd = aid_file(S(""));
        CHECK(eve_out_init(&o, fd, &err) == EVE_OK);
        CHECK(eve_out_pack(&o, format, false, &err) == EVE_OK);
        CHECK(eve_out_put(&o, S("some text, some text"), &err) == EVE_OK);
        CHECK(eve_out_lend(&o, S("and more of it"), &err) == EVE_OK);
        CHECK(eve_out_flush(&o, &err) == EVE_OK && o.bytes == 34);
        size_t before = aid_content(fd, got, sizeof got).n;
        CHECK(eve_out_finish(&o, &err) == EVE_OK && o.bytes == 34);
        size_t after = aid_content(fd, got, sizeof got).n;
        CHECK(before < after);
        CHECK(eve_out_flush(&o, &err) == EVE_OK && eve_out_finish(&o, &err) == EVE_OK);
        CHECK(aid_content(fd, got, sizeof got).n == after);
        eve_out_fini(&o);
        close(fd);

        fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
        CHECK(eve_out_init(&o, fd, &err) == EVE_OK);
        CHECK(eve_out_pack(&o, format, false, &err) == EVE_OK);
        CHECK(eve_out_put(&o, S("text"), &err) == EVE_OK);
        CHECK(eve_out_finish(&o, &err) == EVE_FAIL && err.sys == ENOSPC);
        CHECK(eve_out_finish(&o, &err) == EVE_FAIL && err.sys == ENOSPC);
        eve_out_fini(&o);
        close(fd);
    }
}

static void errors(void)
{
    TEST("the first error sticks: a full disk");
    int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
    if (CHECK(full >= 0))
        sticks(full, ENOSPC);
    close(full);
    TEST("the first error sticks: a closed descriptor");
    sticks(full, EBADF);
    TEST("the first error sticks: nobody reads");
    int ends[2];
    if (!CHECK(pipe(ends) == 0))
        return;
    void (*before)(int) = signal(SIGPIPE, SIG_IGN);
    close(ends[0]);
    sticks(ends[1], EPIPE);
    close(ends[1]);
    signal(SIGPIPE, before);
}

static void visible(void)
{
    TEST("control characters of a terminal become escapes, wherever a write ends");
    struct eve_slice text = S("a\x7f\xc2\x9b\xc3\xa9\xc2\xc2\xa0\xc2\x80\x1b\n\xc2");
    for (size_t cut = 0; cut <= text.n; cut++) {
        struct eve_out o;
        char buf[100];
        int fd = aid_file(S(""));
        CHECK(eve_out_init(&o, fd, &err) == EVE_OK);
        o.visible = true;
        CHECK(eve_out_put(&o, eve_str_sub(text, 0, cut), &err) == EVE_OK);
        CHECK(cut % 2 == 0 || eve_out_flush(&o, &err) == EVE_OK);
        CHECK(eve_out_lend(&o, eve_str_sub(text, cut, text.n), &err) == EVE_OK);
        CHECK(eve_out_finish(&o, &err) == EVE_OK && o.bytes == text.n);
        CHECK_SLICE(aid_content(fd, buf, sizeof buf),
                    "a\\u007f\\u009b\xc3\xa9\xc2\xc2\xa0\\u0080\x1b\n\xc2");
        eve_out_fini(&o);
        close(fd);
    }
}

void test_out(void);
void test_out(void)
{
    orders();
    counts();
    gathers();
    packed();
    visible();
    errors();
}
