#include "out.h"

#include "mem.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum eve_status eve_out_init(struct eve_out *o, int fd, struct eve_err *err)
{
    *o = (struct eve_out){.fd = fd};
    return eve_mem_resize(&o->buf, EVE_OUT_ROOM, 1, err);
}

void eve_out_init_memory(struct eve_out *o, struct eve_buf *into)
{
    *o = (struct eve_out){.fd = -1, .into = into};
}

enum eve_status eve_out_pack(struct eve_out *o, enum eve_packed format, bool live,
                             struct eve_err *err)
{
    o->live = live;
    return format == EVE_PACKED_NOT ? EVE_OK : eve_pack_new(&o->pack, format, err);
}

void eve_out_fini(struct eve_out *o)
{
    eve_pack_free(o->pack);
    o->pack = NULL;
    eve_mem_free(o->buf);
    o->buf = NULL;
}

static enum eve_status result(const struct eve_out *o, struct eve_err *err)
{
    if (o->failure.sys == 0) {
        return EVE_OK;
    }
    *err = o->failure;
    return EVE_FAIL;
}

/* Somebody else may have made the descriptor non-blocking; then wait for it here. */
static bool try_again(struct eve_out *o)
{
    struct pollfd ready = {.fd = o->fd, .events = POLLOUT};
    if (errno == EAGAIN || errno == EWOULDBLOCK) {
        (void)poll(&ready, 1, -1);
        return true;
    }
    return errno == EINTR;
}

/* An empty slice may have no address, which must not be added to. */
static void pass(struct eve_slice *s, size_t n)
{
    if (n > 0) {
        *s = (struct eve_slice){s->p + n, s->n - n};
    }
}

/* Write two ranges, one after the other, whole, as they are. */
static void write_plain(struct eve_out *o, struct eve_slice a, struct eve_slice b)
{
    while (o->failure.sys == 0 && o->fd >= 0 && a.n + b.n > 0) {
        struct iovec parts[2] = {{(void *)(uintptr_t)a.p, a.n}, {(void *)(uintptr_t)b.p, b.n}};
        if (o->write_bytes > 0) { /* tests: small writes */
            parts[0].iov_len = a.n < o->write_bytes ? a.n : o->write_bytes;
            parts[1].iov_len = a.n > 0 ? 0 : (b.n < o->write_bytes ? b.n : o->write_bytes);
        }
        ssize_t wrote = writev(o->fd, parts, 2);
        if (wrote < 0) {
            if (!try_again(o)) {
                o->failure = (struct eve_err){EVE_RULE_NONE, "cannot write", 0, errno};
            }
            continue;
        }
        size_t n = (size_t)wrote;
        size_t from_a = n < a.n ? n : a.n;
        pass(&a, from_a);
        pass(&b, n - from_a);
    }
}

/* Compress `s`, and write what comes of it. */
static void pack(struct eve_out *o, struct eve_slice s, enum eve_pack_how how)
{
    enum eve_status status = EVE_OK;
    while (o->failure.sys == 0 && status == EVE_OK) {
        struct eve_slice packed = {0};
        struct eve_err err;
        status = eve_pack_some(o->pack, &s, how, &packed, &err);
        if (status == EVE_FAIL) {
            o->failure = err;
        } else {
            write_plain(o, packed, (struct eve_slice){0});
        }
    }
}

/* The first byte of U+0080 to U+00BF. */
static const struct eve_slice half = {"\xC2", 1};

/* Write `s` so that no control character of it reaches a terminal, but those of ASCII, which are
 * not in JSON: what else writes them means them. */
static void write_visible(struct eve_out *o, struct eve_slice s)
{
    size_t from = 0;
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        bool control = c == 0x7F || (o->half && c >= 0x80 && c < 0xA0);
        if (o->half && !control) {
            write_plain(o, half, (struct eve_slice){0});
        }
        o->half = c == 0xC2;
        if (control || o->half) {
            char escape[] = "\\u0000";
            escape[4] = "0123456789abcdef"[c >> 4];
            escape[5] = "0123456789abcdef"[c & 15];
            write_plain(o, (struct eve_slice){s.p + from, i - from},
                        (struct eve_slice){escape, control ? sizeof escape - 1 : 0});
            from = i + 1;
        }
    }
    write_plain(o, (struct eve_slice){s.p + from, s.n - from}, (struct eve_slice){0});
}

/* Write two ranges, one after the other, whole. */
static void write_both(struct eve_out *o, struct eve_slice a, struct eve_slice b)
{
    if (o->visible) {
        write_visible(o, a);
        write_visible(o, b);
    } else if (o->pack == NULL) {
        write_plain(o, a, b);
    } else {
        pack(o, a, EVE_PACK_GATHER);
        pack(o, b, EVE_PACK_GATHER);
    }
}

/* Without a descriptor: put `s` where the bytes go, if anywhere. */
static void keep(struct eve_out *o, struct eve_slice s)
{
    struct eve_err err;
    if (o->into != NULL && o->failure.sys == 0 && eve_buf_put(o->into, s, &err) != EVE_OK) {
        o->failure = err;
    }
}

/* Put `s` behind the gathered bytes, or write both if it does not fit. */
static void take(struct eve_out *o, struct eve_slice s)
{
    if (s.n == 0 || o->fd < 0) {
        keep(o, s);
        return;
    }
    if (s.n <= EVE_OUT_ROOM - o->n) {
        memcpy(o->buf + o->n, s.p, s.n);
        o->n += s.n;
        return;
    }
    write_both(o, (struct eve_slice){o->buf, o->n}, s);
    o->n = 0;
}

enum eve_status eve_out_settle(struct eve_out *o, struct eve_err *err)
{
    take(o, o->lent);
    o->lent = (struct eve_slice){0};
    return result(o, err);
}

enum eve_status eve_out_put(struct eve_out *o, struct eve_slice s, struct eve_err *err)
{
    if (o->lent.n > 0) {
        take(o, o->lent);
        o->lent = (struct eve_slice){0};
    }
    take(o, s);
    o->bytes += s.n;
    return result(o, err);
}

enum eve_status eve_out_lend(struct eve_out *o, struct eve_slice s, struct eve_err *err)
{
    if (o->fd < 0) {
        take(o, s); /* nothing is written, so nothing is borrowed */
    } else if (o->lent.n > 0 && o->lent.p + o->lent.n == s.p) {
        o->lent.n += s.n;
    } else {
        take(o, o->lent);
        o->lent = s;
    }
    o->bytes += s.n;
    return result(o, err);
}

enum eve_status eve_out_flush(struct eve_out *o, struct eve_err *err)
{
    struct eve_slice lent = o->lent;
    o->lent = (struct eve_slice){0};
    write_both(o, (struct eve_slice){o->buf, o->n}, lent);
    o->n = 0;
    if (o->pack != NULL && o->live) {
        pack(o, (struct eve_slice){0}, EVE_PACK_FLUSH);
    }
    return result(o, err);
}

enum eve_status eve_out_finish(struct eve_out *o, struct eve_err *err)
{
    enum eve_status status = eve_out_flush(o, err);
    if (o->half) {
        write_plain(o, half, (struct eve_slice){0});
        o->half = false;
        status = result(o, err);
    }
    if (o->pack != NULL) {
        pack(o, (struct eve_slice){0}, EVE_PACK_FINISH);
        status = result(o, err);
        eve_pack_free(o->pack);
        o->pack = NULL;
    }
    return status;
}
