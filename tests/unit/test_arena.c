#include "aid.h"
#include "arena.h"
#include "mem.h"

#include <errno.h>
#include <stdalign.h>
#include <string.h>

static void holds(void)
{
    enum { COUNT = 3000 };
    static char *blocks[COUNT];
    static size_t sizes[COUNT];
    struct eve_err err = {0};
    struct eve_arena a;
    uint64_t random = 5;
    TEST("blocks keep apart and are aligned");
    eve_arena_init(&a);
    for (size_t i = 0; i < COUNT; i++) {
        sizes[i] = aid_below(&random, i % 100 == 0 ? 20000 : 60);
        bool aligned = i % 2 == 0;
        struct eve_slice copy = {0};
        if (aligned) {
            CHECK(eve_arena_alloc(&a, sizes[i], &blocks[i], &err) == EVE_OK);
            CHECK((uintptr_t)blocks[i] % alignof(max_align_t) == 0);
        } else {
            char *bytes = calloc(1, sizes[i] + 1);
            CHECK(bytes &&
                  eve_arena_copy(&a, (struct eve_slice){bytes, sizes[i]}, &copy, &err) == EVE_OK);
            CHECK(copy.n == sizes[i]);
            free(bytes);
            blocks[i] = (char *)(uintptr_t)copy.p;
        }
        memset(blocks[i], (int)(i % 251), sizes[i]);
    }
    bool whole = true;
    for (size_t i = 0; i < COUNT; i++)
        for (size_t k = 0; k < sizes[i]; k++)
            whole &= blocks[i][k] == (char)(i % 251);
    CHECK(whole);
    eve_arena_fini(&a);
    CHECK(a.last == NULL && a.used == 0);
}

static void copies(void)
{
    struct eve_err err = {0};
    struct eve_arena a;
    struct eve_slice copy;
    TEST("copies");
    eve_arena_init(&a);
    CHECK(eve_arena_copy(&a, S("a\0b"), &copy, &err) == EVE_OK);
    CHECK_SLICE(copy, "a\0b");
    CHECK(eve_arena_copy(&a, (struct eve_slice){0}, &copy, &err) == EVE_OK && copy.n == 0);

    TEST("a reset arena is used again without new memory");
    for (int i = 0; i < 2000; i++)
        CHECK(eve_arena_copy(&a, S("some text that takes room"), &copy, &err) == EVE_OK);
    eve_arena_reset(&a);
    eve_mem_test_fail(1, true);
    CHECK(eve_arena_copy(&a, S("again"), &copy, &err) == EVE_OK);
    CHECK_SLICE(copy, "again");
    eve_mem_test_fail(0, false);
    eve_arena_fini(&a);
    eve_arena_reset(&a);
    CHECK(a.last == NULL);
}

static void fails(void)
{
    struct eve_err err = {0};
    struct eve_arena a;
    struct eve_slice copy = {0};
    char *p = NULL;
    TEST("no memory");
    eve_arena_init(&a);
    CHECK(eve_arena_alloc(&a, SIZE_MAX, &p, &err) == EVE_FAIL && err.sys == ENOMEM);
    CHECK(eve_arena_alloc(&a, (size_t)PTRDIFF_MAX, &p, &err) == EVE_FAIL && p == NULL);
    CHECK(eve_arena_copy(&a, S("x"), &copy, &err) == EVE_OK);
    eve_mem_test_fail(1, true);
    CHECK(eve_arena_alloc(&a, 100000, &p, &err) == EVE_FAIL && err.sys == ENOMEM);
    CHECK(eve_arena_copy(&a, S("y"), &copy, &err) == EVE_OK && *copy.p == 'y');
    eve_mem_test_fail(0, false);
    eve_arena_fini(&a);
}

void test_arena(void);
void test_arena(void)
{
    holds();
    copies();
    fails();
}
