#include "mem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#ifdef EVE_TEST_HOOKS
static size_t fail_at;
static bool fail_on;

void eve_mem_test_fail(size_t n, bool forever)
{
    fail_at = n;
    fail_on = forever;
}

static bool hook_fails(void)
{
    if (fail_at == 0) {
        return false;
    }
    if (fail_at > 1) {
        fail_at--;
        return false;
    }
    if (!fail_on) {
        fail_at = 0;
    }
    return true;
}
#else
static inline bool hook_fails(void)
{
    return false;
}
#endif

enum eve_status eve_mem_resize(void *block, size_t count, size_t size, struct eve_err *err)
{
    size_t bytes = 0;
    void *old = NULL;
    void *grown = NULL;
    /* `block` is the address of a pointer of any object type; memcpy keeps aliasing rules. */
    memcpy(&old, block, sizeof old);
    if (!__builtin_mul_overflow(count, size, &bytes) && bytes <= PTRDIFF_MAX && !hook_fails()) {
        grown = realloc(old, bytes > 0 ? bytes : 1);
    }
    if (grown == NULL) {
        return eve_fail(err, EVE_FAIL, EVE_RULE_NONE, "out of memory", 0, ENOMEM);
    }
    memcpy(block, &grown, sizeof grown);
    return EVE_OK;
}

size_t eve_mem_grow(size_t cap, size_t need, size_t first, size_t max)
{
    if (need > max) {
        return 0;
    }
    size_t grown = cap < first ? first : cap;
    while (grown < need) {
        grown = grown > max - grown / 2 ? max : grown + grown / 2 + 1;
    }
    return grown > max ? max : grown;
}

void eve_mem_free(void *block)
{
    free(block);
}
