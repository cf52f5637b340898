/*
 * A response head and chunks. The first byte is where the chunks are cut into two reads, which
 * makes no difference; the decoder never gives more than it got.
 */
#include "fuzz.h"

#include "chunk.h"
#include "http.h"

#include <string.h>

static void head(struct eve_slice text)
{
    struct eve_http h;
    struct eve_err err = {0};
    enum eve_status status = EVE_OK;
    eve_http_init(&h);
    while (status == EVE_OK && text.n > 0) {
        const char *lf = memchr(text.p, '\n', text.n);
        size_t len = lf != NULL ? (size_t)(lf - text.p) : text.n;
        struct eve_slice line = {text.p, len};
        status = eve_http_line(&h, line, &err);
        (void)eve_http_is_chunk_size(line);
        text.p += len + (lf != NULL ? 1 : 0);
        text.n -= len + (lf != NULL ? 1 : 0);
    }
    if (eve_http_check(&h, &err) == EVE_OK) {
        HOLDS(h.version >= 21 && h.version <= 26);
    } else {
        HOLDS(err.msg != NULL);
    }
}

static enum eve_status decode(const uint8_t *p, size_t n, size_t cut, char **body, size_t *len)
{
    struct eve_chunk c;
    struct eve_err err;
    char *copy = malloc(n + 1);
    size_t first = 0;
    size_t second = 0;
    HOLDS(copy != NULL);
    memcpy(copy, p, n);
    eve_chunk_init(&c);
    enum eve_status status = eve_chunk_decode(&c, copy, cut, &first, &err);
    HOLDS(first <= cut);
    if (status == EVE_OK) {
        status = eve_chunk_decode(&c, copy + cut, n - cut, &second, &err);
        HOLDS(second <= n - cut);
        memmove(copy + first, copy + cut, second);
    }
    *body = copy;
    *len = first + second;
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
    char *whole;
    char *parts;
    size_t a;
    size_t b;
    if (n == 0) {
        return 0;
    }
    head((struct eve_slice){(const char *)p + 1, n - 1});
    enum eve_status one = decode(p + 1, n - 1, 0, &whole, &a);
    enum eve_status two = decode(p + 1, n - 1, p[0] % n, &parts, &b);
    HOLDS(one == two && a == b && memcmp(whole, parts, a) == 0);
    free(whole);
    free(parts);
    return 0;
}
