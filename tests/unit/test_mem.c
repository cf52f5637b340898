#include "aid.h"
#include "mem.h"

#include <errno.h>

static void resizes(void)
{
    struct eve_err err = {0};
    uint32_t *items = NULL;
    TEST("room grows and keeps its content");
    CHECK(eve_mem_resize(&items, 4, sizeof *items, &err) == EVE_OK);
    for (uint32_t i = 0; i < 4; i++)
        items[i] = i * 7;
    CHECK(eve_mem_resize(&items, 40000, sizeof *items, &err) == EVE_OK);
    items[39999] = 1;
    for (uint32_t i = 0; i < 4; i++)
        CHECK(items[i] == i * 7);
    CHECK(eve_mem_resize(&items, 0, sizeof *items, &err) == EVE_OK && items != NULL);
    eve_mem_free(items);
    eve_mem_free(NULL);
}

static void refuses(void)
{
    static const size_t sizes[][2] = {
        {SIZE_MAX, 2}, {2, SIZE_MAX}, {SIZE_MAX / 2 + 1, 1}, {SIZE_MAX / 4 + 1, 4}, {SIZE_MAX, 1}};
    struct eve_err err = {0};
    char *block = NULL;
    TEST("sizes that overflow are refused and the block stays");
    CHECK(eve_mem_resize(&block, 1, 1, &err) == EVE_OK);
    *block = 'x';
    char *before = block;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        err = (struct eve_err){0};
        CHECK(eve_mem_resize(&block, sizes[i][0], sizes[i][1], &err) == EVE_FAIL);
        CHECK(err.sys == ENOMEM && err.msg != NULL && err.rule == EVE_RULE_NONE);
        CHECK(block == before && *block == 'x');
    }
    eve_mem_free(block);
}

/* The outcome of four allocations, as letters. */
static const char *four(size_t n, bool forever)
{
    static char outcome[5];
    struct eve_err err;
    eve_mem_test_fail(n, forever);
    for (int i = 0; i < 4; i++) {
        void *block = NULL;
        outcome[i] = eve_mem_resize(&block, 1, 1, &err) == EVE_OK ? 'o' : '-';
        eve_mem_free(block);
    }
    eve_mem_test_fail(0, false);
    return outcome;
}

static void hooks(void)
{
    TEST("the hook fails the allocation it is told to");
    CHECK_EQ_STR(four(0, false), "oooo");
    CHECK_EQ_STR(four(1, false), "-ooo");
    CHECK_EQ_STR(four(3, false), "oo-o");
    CHECK_EQ_STR(four(3, true), "oo--");
    CHECK_EQ_STR(four(5, true), "oooo");
}

static void grows(void)
{
    uint64_t random = 1;
    TEST("capacities");
    CHECK_EQ_SIZE(eve_mem_grow(0, 1, 8, 100), 8);
    CHECK_EQ_SIZE(eve_mem_grow(0, 1, 256, 10), 10);
    CHECK_EQ_SIZE(eve_mem_grow(8, 8, 8, 100), 8);
    CHECK_EQ_SIZE(eve_mem_grow(90, 95, 8, 100), 100);
    CHECK_EQ_SIZE(eve_mem_grow(100, 101, 8, 100), 0);
    CHECK_EQ_SIZE(eve_mem_grow(SIZE_MAX - 9, SIZE_MAX - 5, 8, SIZE_MAX), SIZE_MAX);
    CHECK_EQ_SIZE(eve_mem_grow(0, 0, 0, 0), 0);
    for (int i = 0; i < 10000; i++) {
        size_t max = 1 + aid_below(&random, 5000);
        size_t need = aid_below(&random, max + 1);
        size_t cap = aid_below(&random, max + 1);
        size_t grown = eve_mem_grow(cap, need, 8, max);
        bool half_more = cap >= need || grown == max || grown >= cap + cap / 2;
        if (!CHECK(grown >= need && grown >= cap && grown <= max && half_more))
            return;
    }
}

void test_mem(void);
void test_mem(void)
{
    resizes();
    refuses();
    hooks();
    grows();
}
