#include "aid.h"
#include "mem.h"
#include "out.h"
#include "source.h"

#include <errno.h>
#include <string.h>

enum { TEXT = 3 << 20, ROOM = 600000 };

static struct eve_err err;
static char text[TEXT];
static char got[TEXT + ROOM];
static size_t got_n;

/* A file in memory with the text up to `n` bytes, compressed. */
static int packed_file(enum eve_packed format, size_t n)
{
    struct eve_out o;
    int fd = aid_file(S(""));
    CHECK(eve_out_init(&o, fd, &err) == EVE_OK);
    CHECK(eve_out_pack(&o, format, false, &err) == EVE_OK);
    CHECK(eve_out_put(&o, (struct eve_slice){text, n}, &err) == EVE_OK);
    CHECK(eve_out_finish(&o, &err) == EVE_OK && lseek(fd, 0, SEEK_SET) == 0 && o.bytes == n);
    eve_out_fini(&o);
    return fd;
}

static enum eve_status read_all(int fd, size_t max, bool alone)
{
    struct eve_source s;
    size_t n = 0;
    enum eve_status status = EVE_OK;
    got_n = 0;
    eve_source_init(&s, fd, max, alone);
    while (got_n <= TEXT && (status = eve_source_read(&s, got + got_n, ROOM, &n, &err)) == EVE_OK) {
        CHECK(n <= max + EVE_PACKED_MAGIC);
        got_n += n;
    }
    if (status == EVE_END) {
        CHECK(eve_source_read(&s, got, 0 + ROOM, &n, &err) == EVE_END); /* and stays so */
        CHECK(s.taken == (uint64_t)lseek(fd, 0, SEEK_CUR));
    }
    eve_source_fini(&s);
    return status;
}

static void same_text(enum eve_packed format)
{
    static const struct {
        size_t text, max;
    } cases[] = {{TEXT, ROOM},  {TEXT, 100000}, {TEXT, 1 << 20},
                 {50000, 1000}, {3000, 1},      {0, ROOM},
                 {0, 1},        {1, 1},         {2 * EVE_SOURCE_BLOCK, EVE_SOURCE_BLOCK}};
    TEST("the same text in any reads, on a thread or not");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int fd = packed_file(format, cases[i].text);
        for (int alone = 0; alone < 2; alone++) {
            CHECK(lseek(fd, 0, SEEK_SET) == 0);
            CHECK(read_all(fd, cases[i].max, alone) == EVE_END);
            CHECK_EQ_MEM(got, got_n, text, cases[i].text);
        }
        close(fd);
    }
}

static void plain(void)
{
    static const char *const texts[] = {
        "", "\x1f", "[", "[\n", "\x28\xb5\x2f", "\x28\xb5/x", "{\"type\":\"x\"}\n"};
    TEST("what is not compressed comes as it is");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        for (size_t max = 1; max < 6; max++) {
            int fd = aid_file(eve_str(texts[i]));
            CHECK(read_all(fd, max, false) == EVE_END);
            CHECK_EQ_MEM(got, got_n, texts[i], strlen(texts[i]));
            close(fd);
        }
    }
    TEST("a read that fails may be tried again");
    struct eve_source s;
    size_t n = 0;
    eve_source_init(&s, -1, ROOM, false);
    CHECK(eve_source_reads(&s));
    CHECK(eve_source_read(&s, got, ROOM, &n, &err) == EVE_FAIL && err.sys == EBADF);
    s.fd = aid_file(S("text"));
    CHECK(eve_source_read(&s, got, ROOM, &n, &err) == EVE_OK && n == 4);
    close(s.fd);
    eve_source_fini(&s);
}

static void ends(enum eve_packed format)
{
    struct eve_source s;
    size_t n = 0;
    TEST("what is wrong is told after the text before it");
    int fd = packed_file(format, TEXT);
    off_t size = lseek(fd, 0, SEEK_END);
    CHECK(write(fd, "{}", 2) == 2);
    for (int alone = 0; alone < 2; alone++) {
        CHECK(lseek(fd, 0, SEEK_SET) == 0 && read_all(fd, ROOM, alone) == EVE_FAIL);
        CHECK(err.sys == 0 && err.pos == (size_t)size && got_n == TEXT);
    }
    CHECK(ftruncate(fd, size - 1) == 0);
    for (int alone = 0; alone < 2; alone++) {
        CHECK(lseek(fd, 0, SEEK_SET) == 0 && read_all(fd, ROOM, alone) == EVE_FAIL);
        CHECK(err.rule == EVE_RULE_TRUNCATED && got_n == TEXT);
    }
    TEST("a reader that stops early leaves nothing behind");
    for (int reads = 0; reads < 6; reads++) {
        CHECK(lseek(fd, 0, SEEK_SET) == 0);
        eve_source_init(&s, fd, ROOM, false);
        for (int i = 0; i < reads; i++)
            CHECK(eve_source_read(&s, got, ROOM, &n, &err) == EVE_OK);
        eve_source_fini(&s);
    }
    TEST("without memory for a thread it is done without");
    for (size_t at = 1; at < 30; at++) {
        CHECK(lseek(fd, 0, SEEK_SET) == 0);
        eve_mem_test_fail(at, true);
        enum eve_status status = read_all(fd, ROOM, false);
        eve_mem_test_fail(0, false);
        CHECK(status == EVE_FAIL && (got_n == TEXT || err.sys == ENOMEM));
        CHECK(memcmp(got, text, got_n) == 0);
    }
    close(fd);
}

/* Live: what is there is handed out before more is read. */
static void live(enum eve_packed format)
{
    int ends_of[2];
    struct eve_source s;
    struct eve_out o;
    size_t n = 0;
    TEST("a live pipe gives what is there");
    if (!CHECK(pipe(ends_of) == 0))
        return;
    CHECK(eve_out_init(&o, ends_of[1], &err) == EVE_OK);
    CHECK(eve_out_pack(&o, format, true, &err) == EVE_OK);
    eve_source_init(&s, ends_of[0], ROOM, false);
    for (size_t i = 0; i < 50; i++) {
        CHECK(eve_source_reads(&s));
        CHECK(eve_out_put(&o, (struct eve_slice){text + i * 1000, 1000}, &err) == EVE_OK);
        CHECK(eve_out_flush(&o, &err) == EVE_OK);
        got_n = 0;
        do {
            CHECK(eve_source_read(&s, got + got_n, ROOM, &n, &err) == EVE_OK);
            got_n += n;
        } while (!eve_source_reads(&s) || got_n == 0);
        CHECK_EQ_MEM(got, got_n, text + i * 1000, 1000);
    }
    CHECK(eve_out_finish(&o, &err) == EVE_OK);
    eve_out_fini(&o);
    close(ends_of[1]);
    while (eve_source_read(&s, got, ROOM, &n, &err) == EVE_OK)
        CHECK(n == 0);
    CHECK(eve_source_read(&s, got, ROOM, &n, &err) == EVE_END);
    eve_source_fini(&s);
    close(ends_of[0]);
}

void test_source(void);
void test_source(void)
{
    uint64_t random = 42;
    for (size_t i = 0; i < TEXT; i++)
        text[i] = i > 1000 && i % 4096 < 3000 ? text[i - 1 - i % 997] : (char)aid_random(&random);
    plain();
    for (enum eve_packed format = EVE_PACKED_GZIP; format < EVE_PACKED_COUNT; format++) {
        if (eve_packed_built(format)) {
            same_text(format);
            ends(format);
            live(format);
        }
    }
}
