#include "aid.h"
#include "mem.h"
#include "pack.h"
#include "unpack.h"

#include <errno.h>
#include <string.h>

enum { TEXT = 300000, MOST = 1 << 20 };

static struct eve_err err;
static char text[TEXT];
static char packed[MOST];
static size_t packed_n;
static char got[2][MOST];
static size_t got_n[2];

static void make_text(void)
{
    uint64_t random = 42;
    for (size_t i = 0; i < TEXT; i++) /* runs, copies from before, noise */
        text[i] = i > 1000 && i % 4096 < 3000 ? text[i - 1 - i % 997] : (char)aid_random(&random);
}

/* Put the encoded text behind what is packed already, cut into pieces. */
static void add_part(enum eve_packed format, struct eve_slice s, size_t piece, bool flush)
{
    struct eve_pack *p = NULL;
    struct eve_slice out = {0};
    enum eve_status status = eve_pack_new(&p, format, &err);
    if (!CHECK(status == EVE_OK))
        exit(1);
    while (s.n > 0) {
        struct eve_slice in = {s.p, s.n < piece ? s.n : piece};
        s = (struct eve_slice){s.p + in.n, s.n - in.n};
        do {
            status = eve_pack_some(p, &in, flush ? EVE_PACK_FLUSH : EVE_PACK_GATHER, &out, &err);
            memcpy(packed + packed_n, out.p, out.n);
            packed_n += out.n;
        } while (status == EVE_OK);
        CHECK(status == EVE_END && in.n == 0);
    }
    do {
        status = eve_pack_some(p, &(struct eve_slice){0}, EVE_PACK_FINISH, &out, &err);
        memcpy(packed + packed_n, out.p, out.n);
        packed_n += out.n;
    } while (status == EVE_OK);
    CHECK(status == EVE_END);
    eve_pack_free(p);
}

static void add_bytes(struct eve_slice s)
{
    memcpy(packed + packed_n, s.p, s.n);
    packed_n += s.n;
}

/* Decode what is packed, `piece` bytes at a time, with `room` for the text, into got[which]. The
 * status at the end; err has the reason. */
static enum eve_status decode(enum eve_packed format, size_t piece, size_t room, int which)
{
    struct eve_unpack *u = NULL;
    size_t at = 0;
    enum eve_status status = eve_unpack_new(&u, format, &err);
    got_n[which] = 0;
    while (status == EVE_OK && at < packed_n) {
        size_t n = packed_n - at < piece ? packed_n - at : piece;
        struct eve_slice in = {packed + at, n};
        do {
            size_t more = 0;
            size_t left = MOST - got_n[which];
            left = left < room ? left : room;
            status = eve_unpack_some(u, &in, got[which] + got_n[which], left, &more, &err);
            got_n[which] += more;
            CHECK(status == EVE_OK ? more <= left : more == 0);
        } while (status == EVE_OK && (in.n > 0 || eve_unpack_holds(u)));
        at += n;
    }
    status = status == EVE_OK ? eve_unpack_end(u, &err) : status;
    eve_unpack_free(u);
    return status;
}

/* Decoded in every way it is the text, and the status is END. */
static void decodes(enum eve_packed format, struct eve_slice want)
{
    static const size_t pieces[] = {1, 7, 4096, MOST};
    static const size_t rooms[] = {MOST, 131072, 1000, 1};
    for (size_t i = 0; i < 4; i++) {
        for (size_t k = 0; k < 4; k++) {
            CHECK(decode(format, pieces[i], rooms[k], 0) == EVE_END);
            CHECK_EQ_MEM(got[0], got_n[0], want.p, want.n);
        }
    }
}

/* It cannot be decoded, which is told alike however it is cut, after the same text. */
static struct eve_err fails(enum eve_packed format)
{
    enum eve_status a = decode(format, MOST, MOST, 0);
    struct eve_err first = err;
    CHECK(a == EVE_FAIL && first.msg != NULL);
    CHECK(decode(format, 5, 333, 1) == EVE_FAIL && err.msg == first.msg && err.pos == first.pos);
    CHECK_EQ_MEM(got[1], got_n[1], got[0], got_n[0]);
    return first;
}

static void round_trip(enum eve_packed format)
{
    TEST("what was packed is unpacked, wherever either is cut");
    packed_n = 0;
    add_part(format, (struct eve_slice){text, TEXT}, TEXT, false);
    decodes(format, (struct eve_slice){text, TEXT});
    packed_n = 0;
    add_part(format, (struct eve_slice){text, 50000}, 777, true);
    decodes(format, (struct eve_slice){text, 50000});
    packed_n = 0;
    add_part(format, S(""), 1, false);
    CHECK(packed_n > 0);
    decodes(format, S(""));

    TEST("the same text gives the same bytes");
    packed_n = 0;
    add_part(format, (struct eve_slice){text, 9000}, 100, false);
    size_t half = packed_n;
    add_part(format, (struct eve_slice){text, 9000}, 100, false);
    CHECK_EQ_MEM(packed, half, packed + half, packed_n - half);

    TEST("parts one behind the other");
    packed_n = 0;
    for (int i = 0; i < 20; i++)
        add_part(format, (struct eve_slice){text + i * 100, i % 3 ? 100 : 0}, 100, false);
    char want[2000];
    size_t n = 0;
    for (int i = 0; i < 20; i++) {
        memcpy(want + n, text + i * 100, i % 3 ? 100 : 0);
        n += i % 3 ? 100 : 0;
    }
    decodes(format, (struct eve_slice){want, n});
}

/* After a flush all the text so far can be decoded, without what follows. */
static void flushed(enum eve_packed format)
{
    struct eve_unpack *u = NULL;
    size_t more = 0;
    char room[200];
    TEST("a flush lets all be read so far");
    packed_n = 0;
    add_part(format, S("one\ntwo\n"), 4, true);
    size_t n = packed_n;
    while (eve_unpack_new(&u, format, &err) == EVE_OK) {
        struct eve_slice in = {packed, n};
        CHECK(eve_unpack_some(u, &in, room, sizeof room, &more, &err) == EVE_OK && in.n == 0);
        enum eve_status end = eve_unpack_end(u, &err);
        eve_unpack_free(u);
        if (more < 8 || n == 0)
            break;
        CHECK(end == (n == packed_n ? EVE_END : EVE_FAIL));
        n--;
    }
    CHECK(packed_n - n > 4 || format == EVE_PACKED_ZSTD); /* long before the end */
    CHECK(n < packed_n);
}

static void cut(enum eve_packed format)
{
    TEST("every prefix of the data ends too soon, after a prefix of the text");
    packed_n = 0;
    add_part(format, (struct eve_slice){text, 3000}, 3000, false);
    size_t one = packed_n;
    add_part(format, (struct eve_slice){text + 3000, 3000}, 500, true);
    for (size_t n = packed_n; n-- > 1;) {
        packed_n = n;
        if (n == one) {
            CHECK(decode(format, 5, 333, 1) == EVE_END && got_n[1] == 3000);
            continue;
        }
        struct eve_err why = fails(format);
        CHECK(why.rule == EVE_RULE_TRUNCATED && why.pos == (n > one ? one : 0));
        CHECK(got_n[0] <= 6000 && memcmp(got[0], text, got_n[0]) == 0);
    }
}

static void damaged(enum eve_packed format)
{
    TEST("a damaged byte is told, or changes nothing");
    uint64_t random = 7;
    packed_n = 0;
    add_part(format, (struct eve_slice){text, 40000}, 5000, true);
    for (size_t at = 4; at < packed_n; at += 1 + aid_below(&random, 40)) {
        char before = packed[at];
        packed[at] = (char)(before ^ (1 << aid_below(&random, 8)));
        if (decode(format, MOST, MOST, 0) == EVE_FAIL)
            (void)fails(format);
        else /* the head of gzip has a time and a system */
            CHECK_EQ_MEM(got[0], got_n[0], text, 40000);
        packed[at] = before;
    }
    TEST("a wrong checksum is told");
    packed[packed_n - (format == EVE_PACKED_GZIP ? 8 : 1)] ^= 1;
    CHECK(strstr(fails(format).msg, "checksum") != NULL && got_n[0] > 0);
}

static void garbage(enum eve_packed format)
{
    static const struct eve_slice after[] = {{"x", 1}, {"{\"type\":1}\n", 11}, {"\0\0x", 3}};
    TEST("garbage after the data is told, with its place");
    for (size_t i = 0; i < 3; i++) {
        packed_n = 0;
        add_part(format, (struct eve_slice){text, 2000}, 2000, false);
        size_t end = packed_n;
        add_bytes(after[i]);
        struct eve_err why = fails(format);
        CHECK(why.pos == end && got_n[0] == 2000 && strstr(why.msg, "garbage") != NULL);
    }
    packed_n = 0;
    add_part(format, S("text"), 4, false);
    add_part(format == EVE_PACKED_GZIP ? EVE_PACKED_ZSTD : EVE_PACKED_GZIP, S("text"), 4, false);
    CHECK(strstr(fails(format).msg, "garbage") != NULL && got_n[0] == 4);
    TEST("zeros after gzip data are padding");
    packed_n = 0;
    add_part(format, S("text"), 4, false);
    add_bytes((struct eve_slice){(char[5000]){0}, 5000});
    if (format == EVE_PACKED_GZIP)
        decodes(format, S("text"));
    else
        CHECK(strstr(fails(format).msg, "garbage") != NULL);
}

static void out_of_memory(enum eve_packed format)
{
    TEST("no memory for it");
    struct eve_unpack *u = NULL;
    struct eve_pack *p = NULL;
    eve_mem_test_fail(1, true);
    CHECK(eve_unpack_new(&u, format, &err) == EVE_FAIL && err.sys == ENOMEM);
    CHECK(eve_pack_new(&p, format, &err) == EVE_FAIL && err.sys == ENOMEM);
    eve_mem_test_fail(2, true);
    CHECK(eve_unpack_new(&u, format, &err) == EVE_FAIL && err.sys == ENOMEM);
    eve_mem_test_fail(0, false);
    packed_n = 0;
    add_part(format, (struct eve_slice){text, 2000}, 2000, false);
    for (size_t n = 1; n < 100; n++) { /* and when it is at work */
        eve_mem_test_fail(n, true);
        enum eve_status status = decode(format, 100, 100, 0);
        eve_mem_test_fail(0, false);
        if (status == EVE_END)
            break;
        CHECK(status == EVE_FAIL && err.sys == ENOMEM);
    }
    CHECK_EQ_SIZE(got_n[0], 2000);
}

/* A frame of zstd that wants a window of 2 to the power of `log`; nothing follows. */
static void window(unsigned log)
{
    char head[] = {'\x28', '\xB5', '\x2F', '\xFD', 0, (char)((log - 10) << 3), 1, 0, 0};
    packed_n = 0;
    add_bytes((struct eve_slice){head, sizeof head});
}

static void zstd_frames(void)
{
    TEST("frames that are to be skipped are");
    packed_n = 0;
    add_bytes(S("\x50*M\x18\x03\0\0\0abc"));
    add_part(EVE_PACKED_ZSTD, S("one "), 9, false);
    add_bytes(S("\x5f*M\x18\0\0\0\0"));
    add_part(EVE_PACKED_ZSTD, S("two"), 9, false);
    add_bytes(S("\x5a*M\x18\x01\0\0\0x"));
    decodes(EVE_PACKED_ZSTD, S("one two"));
    packed_n--;
    CHECK(fails(EVE_PACKED_ZSTD).rule == EVE_RULE_TRUNCATED);
    TEST("a window of 128 MiB is the largest");
    window(27);
    decodes(EVE_PACKED_ZSTD, S(""));
    window(28);
    CHECK(strstr(fails(EVE_PACKED_ZSTD).msg, "window") != NULL);
    TEST("data that needs a dictionary is told so");
    packed_n = 0;
    add_bytes(S("\x28\xB5\x2F\xFD\x01\x58\x07\x01\0\0"));
    CHECK(strstr(fails(EVE_PACKED_ZSTD).msg, "dictionary") != NULL);
}

static void names(void)
{
    bool more = false;
    TEST("formats by their first bytes");
    CHECK(eve_packed_of(S("\x1f\x8b"), &more) == EVE_PACKED_GZIP && !more);
    CHECK(eve_packed_of(S("\x1f"), &more) == EVE_PACKED_NOT && more);
    CHECK(eve_packed_of(S(""), &more) == EVE_PACKED_NOT && more);
    CHECK(eve_packed_of(S("{"), &more) == EVE_PACKED_NOT && !more);
    CHECK(eve_packed_of(S("[\n"), &more) == EVE_PACKED_NOT && !more);
    CHECK(eve_packed_of(S("["), &more) == EVE_PACKED_NOT && more);
    CHECK(eve_packed_of(S("\x28\xB5\x2F"), &more) == EVE_PACKED_NOT && more);
    CHECK(eve_packed_of(S("\x28\xB5\x2F\xFDx"), &more) == EVE_PACKED_ZSTD && !more);
    CHECK(eve_packed_of(S("\x5f*M\x18"), &more) == EVE_PACKED_ZSTD && !more);
    CHECK(eve_packed_of(S("\x60*M\x18"), &more) == EVE_PACKED_NOT && !more);
    TEST("formats by the end of a name");
    CHECK(eve_packed_named("a.gz") == EVE_PACKED_GZIP);
    CHECK(eve_packed_named("b.gz/a.x.zst") == EVE_PACKED_ZSTD);
    CHECK(eve_packed_named(".gz") == EVE_PACKED_NOT && eve_packed_named("") == EVE_PACKED_NOT);
    CHECK(eve_packed_named("a.gz.ndjson") == EVE_PACKED_NOT);
    CHECK(eve_packed_named("a.gzip") == EVE_PACKED_NOT);
}

void test_unpack(void);
void test_unpack(void)
{
    names();
    make_text();
    for (enum eve_packed format = EVE_PACKED_GZIP; format < EVE_PACKED_COUNT; format++) {
        struct eve_unpack *u = NULL;
        struct eve_pack *p = NULL;
        if (!eve_packed_built(format)) {
            TEST("a format that is not in this build is refused");
            CHECK(eve_unpack_new(&u, format, &err) == EVE_FAIL && err.sys == 0);
            CHECK(eve_pack_new(&p, format, &err) == EVE_FAIL && err.sys == 0);
            continue;
        }
        round_trip(format);
        flushed(format);
        cut(format);
        damaged(format);
        garbage(format);
        out_of_memory(format);
    }
    if (eve_packed_built(EVE_PACKED_ZSTD))
        zstd_frames();
}
