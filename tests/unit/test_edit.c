#include "aid.h"
#include "edit.h"
#include "mem.h"

#include <errno.h>
#include <string.h>

static struct eve_err err;

/* The edits done to `text` by both ways give `want`. */
static bool gives(const struct eve_edits *edits, struct eve_slice text, struct eve_slice want)
{
    char room[2000];
    struct eve_buf buf;
    struct eve_out out;
    int fd = aid_file(S(""));
    eve_buf_init(&buf, SIZE_MAX);
    CHECK(eve_edit_put(edits, text, &buf, &err) == EVE_OK);
    bool ok = CHECK_EQ_MEM(buf.p, buf.n, want.p, want.n);
    CHECK(eve_out_init(&out, fd, &err) == EVE_OK);
    CHECK(eve_edit_write(edits, text, &out, &err) == EVE_OK);
    CHECK(out.bytes == want.n && eve_out_flush(&out, &err) == EVE_OK);
    struct eve_slice got = aid_content(fd, room, sizeof room);
    ok &= CHECK_EQ_MEM(got.p, got.n, want.p, want.n);
    eve_out_fini(&out);
    eve_buf_fini(&buf);
    close(fd);
    return ok;
}

static void by_hand(void)
{
    struct eve_edits edits;
    struct eve_slice text = S("0123456789");
    TEST("cut and put");
    eve_edit_init(&edits);
    CHECK(gives(&edits, text, text));
    CHECK(eve_edit_add(&edits, 0, 2, S(""), &err) == EVE_OK);
    CHECK(eve_edit_add(&edits, 2, 2, S("ab"), &err) == EVE_OK);
    CHECK(eve_edit_add(&edits, 5, 6, S("cd"), &err) == EVE_OK);
    CHECK(eve_edit_add(&edits, 10, 10, S("e"), &err) == EVE_OK);
    CHECK(gives(&edits, text, S("ab234cd6789e")));
    edits.n = 0;
    CHECK(eve_edit_add(&edits, 0, 10, S(""), &err) == EVE_OK);
    CHECK(gives(&edits, text, S("")));
    eve_edit_fini(&edits);
    CHECK(edits.list == NULL && edits.n == 0);
}

static void at_random(void)
{
    static const char put[] = "ABCDEFGHIJ";
    struct eve_edits edits;
    uint64_t random = 11;
    char text[400];
    char want[1000];
    TEST("any number of edits");
    eve_edit_init(&edits);
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (char)('a' + i % 26);
    for (int round = 0; round < 1000; round++) {
        size_t at = 0;
        size_t n = 0;
        size_t len = aid_below(&random, sizeof text);
        edits.n = 0;
        for (;;) {
            size_t from = at + aid_below(&random, 30);
            size_t to = from + aid_below(&random, 10);
            size_t more = aid_below(&random, sizeof put);
            if (to > len)
                break;
            memcpy(want + n, text + at, from - at);
            memcpy(want + n + (from - at), put, more);
            n += from - at + more;
            at = to;
            CHECK(eve_edit_add(&edits, from, to, (struct eve_slice){put, more}, &err) == EVE_OK);
        }
        memcpy(want + n, text + at, len - at);
        if (!gives(&edits, (struct eve_slice){text, len}, (struct eve_slice){want, n + len - at}))
            break;
    }
    eve_edit_fini(&edits);
}

static void fails(void)
{
    struct eve_edits edits;
    struct eve_buf small;
    TEST("no memory");
    eve_edit_init(&edits);
    eve_mem_test_fail(1, false);
    CHECK(eve_edit_add(&edits, 0, 1, S(""), &err) == EVE_FAIL && err.sys == ENOMEM);
    CHECK(edits.n == 0 && eve_edit_add(&edits, 1, 1, S("xyz"), &err) == EVE_OK);
    for (size_t max = 1; max < 8; max++) {
        eve_buf_init(&small, max);
        CHECK(eve_edit_put(&edits, S("abcde"), &small, &err) == EVE_FAIL && err.sys == ENOMEM);
        eve_buf_fini(&small);
    }
    eve_edit_fini(&edits);
}

void test_edit(void);
void test_edit(void)
{
    by_hand();
    at_random();
    fails();
}
