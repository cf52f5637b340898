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

/* Most ranges of a piece. */
#define EVE_SIMD_RANGES 4

/* Where the JSON string ends whose content begins at `p`: its closing quote, before `end`. *escaped
 * is set to true if it has a backslash. NULL: it is not a valid string, or does not end there. */
const char *eve_simd_string_end(const char *p, const char *end, bool *escaped);

/* What one block has to look like, byte by byte. */
struct eve_simd_pattern {
    unsigned char byte[EVE_SIMD_BLOCK];
    unsigned char same[EVE_SIMD_BLOCK]; /* 0xFF: just this byte; 0: any */
};

/* A place of at most EVE_SIMD_BLOCK bytes that have to be clean. */
struct eve_simd_range {
    uint16_t at;
    uint16_t n;
};

/* A piece of text that is known but for some clean bytes. */
struct eve_simd_piece {
    size_t n;      /* bytes */
    size_t blocks; /* patterns, the last one with any bytes behind the piece */
    const struct eve_simd_pattern *pattern;
    size_t ranges;
    struct eve_simd_range range[EVE_SIMD_RANGES];
};

/* What is at `p` looks like the piece; EVE_SIMD_BLOCK bytes behind it are readable. */
bool eve_simd_like(const char *p, const struct eve_simd_piece *piece);

/* Is what stands at `p` the content of a valid JSON string between head and tail, the tail with the
 * closing quote in front, all before `end`? Its closing quote, and *escaped as above; or NULL.
 * EVE_SIMD_BLOCK bytes behind `end` are readable. */
const char *eve_simd_line(const char *p, const char *end, const struct eve_simd_piece *head,
                          const struct eve_simd_piece *tail, bool *escaped);

/* Pass such lines, one behind the other. The end of the last one; *count goes up by their number,
 * and *longest to the longest of them. */
const char *eve_simd_lines(const char *p, const char *end, const struct eve_simd_piece *head,
                           const struct eve_simd_piece *tail, uint64_t *count, uint64_t *longest);

#endif
