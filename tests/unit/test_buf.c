#include "aid.h"
#include "buf.h"
#include "mem.h"

#include <errno.h>
#include <string.h>

static void appends(void)
{
    struct eve_err err = {0};
    struct eve_buf b;
    char want[5000];
    size_t n = 0;
    uint64_t random = 4;
    TEST("appending");
    eve_buf_init(&b, SIZE_MAX / 2);
    CHECK(b.p == NULL && eve_buf_slice(&b).n == 0);
    CHECK(eve_buf_put(&b, (struct eve_slice){0}, &err) == EVE_OK && b.n == 0);
    CHECK(eve_buf_puts(&b, "ab", &err) == EVE_OK && eve_buf_putc(&b, '\0', &err) == EVE_OK);
    CHECK(eve_buf_put_u64(&b, 0, &err) == EVE_OK);
    CHECK(eve_buf_put_u64(&b, UINT64_MAX, &err) == EVE_OK);
    CHECK_SLICE(eve_buf_slice(&b), "ab\0"
                                   "018446744073709551615");
    eve_buf_clear(&b, SIZE_MAX);
    while (n < sizeof want - 100) {
        size_t more = aid_below(&random, 100);
        memset(want + n, (int)('a' + more % 26), more);
        CHECK(eve_buf_put(&b, (struct eve_slice){want + n, more}, &err) == EVE_OK);
        n += more;
    }
    CHECK_EQ_MEM(b.p, b.n, want, n);
    CHECK(b.cap < n * 2);
    eve_buf_fini(&b);
    CHECK(b.p == NULL && b.n == 0 && b.cap == 0 && b.max == SIZE_MAX / 2);
}

static void limits(void)
{
    struct eve_err err = {0};
    struct eve_buf b;
    TEST("never over the maximum");
    eve_buf_init(&b, 10);
    CHECK(eve_buf_puts(&b, "12345678", &err) == EVE_OK && b.cap == 10);
    CHECK(eve_buf_puts(&b, "abc", &err) == EVE_FAIL && err.sys == ENOMEM);
    CHECK(eve_buf_reserve(&b, SIZE_MAX, &err) == EVE_FAIL);
    CHECK_SLICE(eve_buf_slice(&b), "12345678");
    CHECK(eve_buf_puts(&b, "ab", &err) == EVE_OK && eve_buf_reserve(&b, 0, &err) == EVE_OK);
    CHECK(eve_buf_putc(&b, 'c', &err) == EVE_FAIL);
    CHECK_SLICE(eve_buf_slice(&b), "12345678ab");
    eve_buf_fini(&b);

    TEST("no memory leaves the content");
    eve_buf_init(&b, SIZE_MAX);
    CHECK(eve_buf_puts(&b, "kept", &err) == EVE_OK);
    eve_mem_test_fail(1, true);
    CHECK(eve_buf_reserve(&b, 100000, &err) == EVE_FAIL && err.sys == ENOMEM);
    eve_mem_test_fail(0, false);
    CHECK_SLICE(eve_buf_slice(&b), "kept");
    eve_buf_fini(&b);
}

static void clears(void)
{
    struct eve_err err = {0};
    struct eve_buf b;
    TEST("clearing keeps the room that was asked for");
    eve_buf_init(&b, SIZE_MAX);
    CHECK(eve_buf_reserve(&b, 1000, &err) == EVE_OK && eve_buf_puts(&b, "x", &err) == EVE_OK);
    size_t cap = b.cap;
    eve_buf_clear(&b, cap);
    CHECK(b.n == 0 && b.cap == cap);
    eve_buf_clear(&b, cap - 1);
    CHECK(b.n == 0 && b.cap == 0 && b.p == NULL && b.max == SIZE_MAX);
    CHECK(eve_buf_puts(&b, "y", &err) == EVE_OK);
    CHECK_SLICE(eve_buf_slice(&b), "y");
    eve_buf_fini(&b);
}

void test_buf(void);
void test_buf(void)
{
    appends();
    limits();
    clears();
}
