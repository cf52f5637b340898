/*
 * num: JSON numbers by exact value.
 *
 * The text of a number is never turned into a floating-point value: 9007199254740993 and
 * 9007199254740992 differ here. Arguments are valid numbers of RFC 8259. An exponent beyond
 * 2^61 counts as that.
 */
#ifndef EVE_NUM_H
#define EVE_NUM_H

#include "base.h"

/* Largest integer that a JavaScript number holds exactly with all below it: 2^53-1. */
#define EVE_NUM_SAFE_MAX UINT64_C(9007199254740991)

/* True if the value of `text` is an integer from 0 to `max`; it is then put in *out. `5.0` and
 * `1e2` are integers, `-0` is 0. */
bool eve_num_integer(struct eve_slice text, uint64_t max, uint64_t *out);

/* A number taken apart: its value is 0.DIGITS x 10^exponent, where DIGITS are the digits from
 * `first` to `last` of the text without the point, neither the first nor the last of them 0; zero
 * has first = NULL. Borrows the text. */
struct eve_num {
    bool negative; /* never for zero */
    const char *first;
    const char *last; /* the last digit itself */
    int64_t exponent;
};

void eve_num_parse(struct eve_slice text, struct eve_num *out);

/* Same value. */
bool eve_num_equal(struct eve_slice a, struct eve_slice b);

#endif
