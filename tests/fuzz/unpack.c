/*
 * Compressed data. The first byte says how it is cut and how much room there is for the text, which
 * makes no difference to what is wrong with the data, nor to the text but for the damaged block.
 */
#include "fuzz.h"

#include "unpack.h"

#include <string.h>

enum { MOST = 1 << 20, BLOCK = 128 * 1024 };

static char text[2][MOST];

/* Decode up to MOST bytes; the status at the end. */
static enum eve_status decode(enum eve_packed format, struct eve_slice all, size_t piece,
                              size_t room, char *to, size_t *len, struct eve_err *err)
{
    struct eve_unpack *u = NULL;
    enum eve_status status = eve_unpack_new(&u, format, err);
    *len = 0;
    HOLDS(status == EVE_OK);
    while (status == EVE_OK && all.n > 0 && *len < MOST) {
        struct eve_slice in = {all.p, all.n < piece ? all.n : piece};
        all = (struct eve_slice){all.p + in.n, all.n - in.n};
        do {
            size_t got = 0;
            size_t left = MOST - *len < room ? MOST - *len : room;
            status = eve_unpack_some(u, &in, to + *len, left, &got, err);
            HOLDS(got <= left && (status == EVE_OK || got == 0));
            HOLDS(status != EVE_OK || in.n == 0 || got == left || eve_unpack_holds(u));
            *len += got;
        } while (status == EVE_OK && *len < MOST && (in.n > 0 || eve_unpack_holds(u)));
    }
    status = status == EVE_OK && *len < MOST ? eve_unpack_end(u, err) : status;
    eve_unpack_free(u);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
    static const size_t sizes[] = {1, 2, 3, 7, 64, 1000, 70000, 200000};
    struct eve_err a = {0};
    struct eve_err b = {0};
    size_t len[2];
    bool more = false;
    if (n == 0) {
        return 0;
    }
    struct eve_slice all = {(const char *)p + 1, n - 1};
    enum eve_packed format = eve_packed_of(all, &more);
    if (format == EVE_PACKED_NOT || !eve_packed_built(format)) {
        return 0;
    }
    enum eve_status one = decode(format, all, n, MOST, text[0], &len[0], &a);
    enum eve_status two =
        decode(format, all, sizes[p[0] & 7], sizes[p[0] >> 3 & 7], text[1], &len[1], &b);
    bool damaged = one == EVE_FAIL && a.rule == EVE_RULE_NONE;
    HOLDS(memcmp(text[0], text[1], len[0] < len[1] ? len[0] : len[1]) == 0);
    HOLDS(len[0] == len[1] || (damaged && len[0] < len[1] + BLOCK && len[1] < len[0] + BLOCK));
    HOLDS(len[0] == MOST || len[1] == MOST ||
          (one == two && a.msg == b.msg && a.pos == b.pos && a.rule == b.rule));
    return 0;
}
