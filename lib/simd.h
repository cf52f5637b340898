/*
 * simd: the byte-scanning kernels.
 *
 * Each kernel has one portable form, eight bytes at a time in a plain register, and one for each
 * instruction set; they give the same results. Which one runs is chosen once, before the first
 * scan, for the whole process: the one thing in the library that is set globally, since it changes
 * no result.
 */
#ifndef EVE_SIMD_H
#define EVE_SIMD_H

#include "base.h"

enum eve_simd_kind {
    EVE_SIMD_PORTABLE, /* the form used until a choice is made */
    EVE_SIMD_AVX2
};

/* Use the best form that this machine has and that is not above `most`; returns which. Not to be
 * called while another thread scans. */
enum eve_simd_kind eve_simd_choose(enum eve_simd_kind most);

/* Length of the longest prefix of the `n` bytes at `p` that a JSON string may hold without a second
 * look: ASCII from space on, no quote and no backslash. */
size_t eve_simd_clean(const char *p, size_t n);

/* Bytes that the block kernels look at at once. */
#define EVE_SIMD_BLOCK 32

/* Which of the EVE_SIMD_BLOCK bytes at `p` are not clean in that sense: bit 0 is the first. */
uint32_t eve_simd_special(const char *p);

/* What one block has to look like, byte by byte. */
struct eve_simd_pattern {
    unsigned char byte[EVE_SIMD_BLOCK];
    unsigned char same[EVE_SIMD_BLOCK];  /* 0xFF: just this byte; else 0 */
    unsigned char clean[EVE_SIMD_BLOCK]; /* 0xFF: any clean byte; else 0. With neither: any byte */
    bool any_clean;                      /* `clean` is not zero throughout */
};

/* The `count` blocks at `p` look like the patterns. */
bool eve_simd_like(const char *p, const struct eve_simd_pattern *pattern, size_t count);

#endif
