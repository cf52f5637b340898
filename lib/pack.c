#include "pack.h"

#include "mem.h"
#include "pack_codec.h"

enum { ROOM = 64 * 1024 };

struct eve_pack {
    const struct eve_pack_codec *codec;
    void *state;
    char out[ROOM];
};

static const struct eve_pack_codec *codec_of(enum eve_packed format)
{
#ifdef EVE_WITH_GZIP
    if (format == EVE_PACKED_GZIP) {
        return &eve_pack_gzip;
    }
#endif
#ifdef EVE_WITH_ZSTD
    if (format == EVE_PACKED_ZSTD) {
        return &eve_pack_zstd;
    }
#endif
    (void)format;
    return NULL;
}

enum eve_status eve_pack_new(struct eve_pack **p, enum eve_packed format, struct eve_err *err)
{
    static const char *const lacking[EVE_PACKED_COUNT] = {
        NULL, "this build cannot write gzip data; write to a pipe to gzip",
        "this build cannot write zstd data; write to a pipe to zstd"};
    struct eve_pack *made = NULL;
    const struct eve_pack_codec *codec = codec_of(format);
    if (codec == NULL) {
        return eve_fail(err, EVE_FAIL, EVE_RULE_NONE, lacking[format], 0, 0);
    }
    enum eve_status status = eve_mem_resize(&made, 1, sizeof *made, err);
    if (status == EVE_OK) {
        made->codec = codec;
        status = codec->open(&made->state, err);
        if (status != EVE_OK) {
            eve_mem_free(made);
        }
    }
    if (status == EVE_OK) {
        *p = made;
    }
    return status;
}

void eve_pack_free(struct eve_pack *p)
{
    if (p != NULL) {
        p->codec->close(p->state);
        eve_mem_free(p);
    }
}

enum eve_status eve_pack_some(struct eve_pack *p, struct eve_slice *in, enum eve_pack_how how,
                              struct eve_slice *out, struct eve_err *err)
{
    size_t got = 0;
    enum eve_status status = p->codec->step(p->state, in, how, p->out, sizeof p->out, &got, err);
    *out = (struct eve_slice){p->out, got};
    return status;
}
