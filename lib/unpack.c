#include "unpack.h"

#include "mem.h"
#include "unpack_codec.h"

#include <string.h>

struct eve_unpack {
    const struct eve_unpack_codec *codec;
    enum eve_packed format;
    void *state;
    uint64_t taken; /* bytes in */
    uint64_t part;  /* of these before the part at hand */
    char head[EVE_PACKED_MAGIC];
    size_t head_n;          /* first bytes of the part at hand that were looked at */
    bool padded;            /* nothing but zeros may follow */
    bool full;              /* all room was used the last time */
    struct eve_err failure; /* msg is NULL while all is well */
};

static const struct eve_unpack_codec *codec_of(enum eve_packed format)
{
#ifdef EVE_WITH_GZIP
    if (format == EVE_PACKED_GZIP) {
        return &eve_unpack_gzip;
    }
#endif
#ifdef EVE_WITH_ZSTD
    if (format == EVE_PACKED_ZSTD) {
        return &eve_unpack_zstd;
    }
#endif
    (void)format;
    return NULL;
}

enum eve_status eve_unpack_new(struct eve_unpack **u, enum eve_packed format, struct eve_err *err)
{
    struct eve_unpack *made = NULL;
    const struct eve_unpack_codec *codec = codec_of(format);
    if (codec == NULL) {
        return eve_fail(err, EVE_FAIL, EVE_RULE_NONE, eve_packed_lacking(format), 0, 0);
    }
    enum eve_status status = eve_mem_resize(&made, 1, sizeof *made, err);
    if (status == EVE_OK) {
        *made = (struct eve_unpack){.codec = codec, .format = format};
        status = codec->open(&made->state, err);
        if (status != EVE_OK) {
            eve_mem_free(made);
        }
    }
    if (status == EVE_OK) {
        *u = made;
    }
    return status;
}

void eve_unpack_free(struct eve_unpack *u)
{
    if (u != NULL) {
        u->codec->close(u->state);
        eve_mem_free(u);
    }
}

/* Where a part begins or goes on to begin: do its first bytes say so? */
static bool begins(struct eve_unpack *u, struct eve_slice in)
{
    size_t n = EVE_PACKED_MAGIC - u->head_n < in.n ? EVE_PACKED_MAGIC - u->head_n : in.n;
    memcpy(u->head + u->head_n, in.p, n);
    u->head_n += n;
    return eve_packed_begins(u->format, (struct eve_slice){u->head, u->head_n});
}

/* gzip data may be padded with zeros, as a tape or a file of a fixed size is. */
static bool take_padding(struct eve_unpack *u, struct eve_slice *in)
{
    if (u->format != EVE_PACKED_GZIP || u->part == 0) {
        return false;
    }
    size_t n = 0;
    while (n < in->n && in->p[n] == '\0') {
        n++;
    }
    bool all = n == in->n;
    u->padded = all;
    u->taken += n;
    *in = (struct eve_slice){in->p + n, in->n - n};
    return all;
}

/* See that what comes can be decoded. EVE_END: it is padding, and passed. */
static enum eve_status look(struct eve_unpack *u, struct eve_slice *in, struct eve_err *err)
{
    static const char *const garbage[EVE_PACKED_COUNT] = {
        NULL, "garbage after the end of the gzip data", "garbage after the end of the zstd data"};
    if (u->padded || (u->head_n == 0 && in->p[0] == '\0')) {
        if (take_padding(u, in)) {
            return EVE_END;
        }
    } else if (u->head_n == EVE_PACKED_MAGIC || begins(u, *in)) {
        return EVE_OK;
    }
    return eve_fail(err, EVE_FAIL, EVE_RULE_NONE, garbage[u->format], (size_t)u->part, 0);
}

/* One step of the decoder. */
static enum eve_status step(struct eve_unpack *u, struct eve_slice *in, char *to, size_t room,
                            size_t *got, struct eve_err *err)
{
    size_t before = in->n;
    enum eve_status status = u->codec->step(u->state, u->full, in, to, room, got, err);
    u->taken += before - in->n;
    u->full = *got == room && status == EVE_OK;
    if (status == EVE_END) {
        u->part = u->taken;
        u->head_n = 0;
    } else if (status != EVE_OK) {
        err->pos = (size_t)u->part;
    }
    return status;
}

enum eve_status eve_unpack_some(struct eve_unpack *u, struct eve_slice *in, char *to, size_t room,
                                size_t *got, struct eve_err *err)
{
    enum eve_status status = EVE_OK;
    *got = 0;
    while (u->failure.msg == NULL && *got < room && (in->n > 0 || u->full)) {
        size_t more = 0;
        status = in->n > 0 ? look(u, in, &u->failure) : EVE_OK;
        if (status == EVE_OK) {
            status = step(u, in, to + *got, room - *got, &more, &u->failure);
            *got += more;
        }
    }
    if (u->failure.msg != NULL && *got == 0) {
        *err = u->failure;
        return EVE_FAIL;
    }
    return EVE_OK;
}

bool eve_unpack_holds(const struct eve_unpack *u)
{
    return u->full || u->failure.msg != NULL;
}

enum eve_status eve_unpack_end(const struct eve_unpack *u, struct eve_err *err)
{
    static const char *const cut[EVE_PACKED_COUNT] = {NULL, "the gzip data ends too soon",
                                                      "the zstd data ends too soon"};
    return u->head_n == 0
               ? EVE_END
               : eve_fail(err, EVE_FAIL, EVE_RULE_TRUNCATED, cut[u->format], (size_t)u->part, 0);
}
