/*
 * words: a message put together in a buffer of fixed size.
 *
 * What does not fit is left out, so that a message never fails for want of memory. The text ends in
 * NUL; what is quoted of a stream is escaped (see quote.h).
 */
#ifndef EVE_WORDS_H
#define EVE_WORDS_H

#include "base.h"

#define EVE_WORDS_MAX 480

struct eve_words {
    char s[EVE_WORDS_MAX];
    size_t n;
};

/* Begin with `s`. */
void eve_words_init(struct eve_words *w, const char *s);

void eve_words_put(struct eve_words *w, const char *s);

/* `n` in decimal. */
void eve_words_count(struct eve_words *w, uint64_t n);

/* `n` and a noun, with an s unless n is 1. */
void eve_words_number(struct eve_words *w, uint64_t n, const char *noun);

/* Raw bytes of a stream between double quotes, escaped and cut to about 40 bytes. */
void eve_words_quote(struct eve_words *w, struct eve_slice raw);

#endif
