/*
 * mem: the only place that calls malloc, realloc and free.
 *
 * Sizes of arrays are multiplied with an overflow check. A test build (EVE_TEST_HOOKS) can make the
 * n-th allocation fail. Every block is freed with eve_mem_free.
 */
#ifndef EVE_MEM_H
#define EVE_MEM_H

#include "base.h"

/* Give `*block` room for `count` items of `size` bytes, keeping its content; `*block` may be NULL.
 * On EVE_FAIL (no memory, or the size overflows) the block is as it was and *err is filled in. */
EVE_MUST_USE enum eve_status eve_mem_resize(void *block, size_t count, size_t size,
                                            struct eve_err *err);

/* The capacity to grow to from `cap` so that `need` fits: at least `first`, then half as much again
 * each time (so growing costs linear time), never over `max`. Returns 0 if `need` is over `max`. */
size_t eve_mem_grow(size_t cap, size_t need, size_t first, size_t max);

/* Free `block`, which may be NULL. */
void eve_mem_free(void *block);

#ifdef EVE_TEST_HOOKS
/* Let the `n`-th allocation from now on (from 1) fail, and all after it if `forever`; 0 ends that.
 */
void eve_mem_test_fail(size_t n, bool forever);
#endif

#endif
