#include "words.h"

#include "quote.h"
#include "str.h"

void eve_words_init(struct eve_words *w, const char *s)
{
    w->n = 0;
    w->s[0] = '\0';
    eve_words_put(w, s);
}

void eve_words_put(struct eve_words *w, const char *s)
{
    size_t n = strlen(s);
    if (n < sizeof w->s - w->n) {
        memcpy(w->s + w->n, s, n + 1);
        w->n += n;
    }
}

void eve_words_count(struct eve_words *w, uint64_t n)
{
    char digits[21];
    size_t at = sizeof digits - 1;
    digits[at] = '\0';
    do {
        digits[--at] = (char)('0' + n % 10);
        n /= 10;
    } while (n > 0);
    eve_words_put(w, digits + at);
}

void eve_words_number(struct eve_words *w, uint64_t n, const char *noun)
{
    eve_words_count(w, n);
    eve_words_put(w, " ");
    eve_words_put(w, noun);
    eve_words_put(w, n == 1 ? "" : "s");
}

void eve_words_quote(struct eve_words *w, struct eve_slice raw)
{
    enum { SHOWN = 40 };
    char quoted[SHOWN + 4];
    eve_words_put(w, "\"");
    eve_words_put(w, eve_quote(quoted, sizeof quoted, raw, false));
    eve_words_put(w, "\"");
}
