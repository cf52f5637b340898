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

#include <string.h>

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

/* High bit set in the lowest byte of `v` that is not clean in that sense; higher bytes may be
 * marked wrongly, since a borrow runs upwards. Zero if all are clean. */
static inline uint64_t eve_simd_unclean(uint64_t v)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t control = v - ones * 0x20;
    uint64_t quote = (v ^ ones * '"') - ones;
    uint64_t backslash = (v ^ ones * '\\') - ones;
    return (control | quote | backslash | v) & ones * 0x80;
}

/* Which of the eight bytes, in the order of memory, is the first that eve_simd_unclean marked. On a
 * machine that keeps the highest byte first, marks are only sure from the other end: then there is
 * none (8). */
static inline size_t eve_simd_first(uint64_t marks)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return (size_t)__builtin_ctzll(marks) / 8;
#else
    (void)marks;
    return 8;
#endif
}

/* All of the `n` bytes at `p`, at least 8, are clean; for the short strings of fixed length. */
static inline bool eve_simd_all_clean(const char *p, size_t n)
{
    uint64_t word = 0;
    uint64_t bad = 0;
    for (size_t i = 0; i + 8 <= n; i += 8) {
        memcpy(&word, p + i, 8);
        bad |= eve_simd_unclean(word);
    }
    memcpy(&word, p + n - 8, 8); /* the rest, and some of what was looked at */
    return (bad | eve_simd_unclean(word)) == 0;
}

#endif
