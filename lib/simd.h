/*
 * simd: the byte-scanning kernels.
 *
 * Each kernel has one portable form, eight bytes at a time in a plain register; it is the
 * definition that any faster form must equal.
 */
#ifndef EVE_SIMD_H
#define EVE_SIMD_H

#include "base.h"

/* Length of the longest prefix of the `n` bytes at `p` that a JSON string may hold without a second
 * look: ASCII from space on, no quote and no backslash. */
size_t eve_simd_clean(const char *p, size_t n);

#endif
