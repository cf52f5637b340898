/*
 * A whole stream through the core of evenorm. Of its first byte bit 0 is coalesce, bit 1 dedupe;
 * the rest is the stream. Templates and the walk give the same; so do reads of any size; what came
 * out comes out again unchanged; and no event is lost.
 */
#include "fuzz.h"

#include "line.h"
#include "norm.h"
#include "str.h"
#include "template.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct outcome {
    struct eve_buf bytes;
    struct eve_norm_figures figures;
    uint64_t bad;
};

struct way {
    struct eve_norm_options options;
    size_t read_bytes;
    bool templates;
};

static int file_of(struct eve_slice s)
{
    int fd = memfd_create("fuzz", MFD_CLOEXEC);
    HOLDS(fd >= 0 && write(fd, s.p, s.n) == (ssize_t)s.n && lseek(fd, 0, SEEK_SET) == 0);
    return fd;
}

static int settle(void *ctx, bool blocks)
{
    struct eve_err err;
    (void)blocks;
    HOLDS(eve_out_settle(ctx, &err) == EVE_OK);
    return -1;
}

static void take(struct eve_norm *norm, struct eve_decoder *d, const struct eve_event *ev,
                 struct eve_out *out, struct outcome *got)
{
    struct eve_err err;
    enum eve_status status = eve_decode(d, ev, EVE_VERSION_AUTO, true, &err);
    HOLDS(status != EVE_FAIL);
    if (status == EVE_BAD) {
        got->bad++;
        HOLDS(err.pos <= ev->line.n);
        HOLDS(eve_norm_break(norm, out, &err) == EVE_OK);
    } else {
        HOLDS(eve_norm_event(norm, ev, d, out, &err) == EVE_OK);
    }
}

static void run(struct eve_slice stream, const struct way *way, struct outcome *got)
{
    struct eve_norm *norm = NULL;
    struct eve_out out;
    struct eve_decoder d;
    struct eve_line_reader r;
    struct eve_line line;
    struct eve_event ev;
    struct eve_err err;
    struct eve_event_options none = {{0}};
    struct eve_templates templates;
    const struct eve_event *known = NULL;
    int in = file_of(stream);
    int to = memfd_create("out", MFD_CLOEXEC);
    *got = (struct outcome){0};
    eve_buf_init(&got->bytes, SIZE_MAX / 2);
    HOLDS(eve_out_init(&out, to, &err) == EVE_OK);
    HOLDS(eve_norm_new(&norm, &way->options, &err) == EVE_OK);
    struct eve_line_options options = {
        .read_bytes = way->read_bytes, .hook = settle, .hook_ctx = &out};
    eve_line_init(&r, in, &options);
    eve_decode_init(&d);
    eve_template_init(&templates);
    while (eve_line_next(&r, &line, &err) == EVE_OK) {
        struct eve_slice whole = {line.text.p, line.text.n + 1};
        known = way->templates && line.ended
                    ? eve_template_match(&templates, whole, eve_norm_snapshots(norm))
                    : NULL;
        if (known != NULL) {
            take(norm, &d, known, &out, got);
        } else if (eve_event_parse(&ev, line.text, line.ended, &none, &err) != EVE_OK) {
            HOLDS(err.pos <= line.text.n);
            got->bad++;
            HOLDS(eve_norm_break(norm, &out, &err) == EVE_OK);
        } else if (ev.kind == EVE_LINE_EVENT) {
            HOLDS(!way->templates || eve_template_learn(&templates, &ev, eve_norm_snapshots(norm),
                                                        &err) == EVE_OK);
            take(norm, &d, &ev, &out, got);
        }
    }
    HOLDS(eve_norm_end(norm, &out, &err) == EVE_OK);
    HOLDS(eve_out_flush(&out, &err) == EVE_OK);
    got->figures = *eve_norm_figures(norm);
    off_t size = lseek(to, 0, SEEK_END);
    HOLDS(eve_buf_reserve(&got->bytes, (size_t)size + 1, &err) == EVE_OK);
    HOLDS(pread(to, got->bytes.p, (size_t)size, 0) == size && (uint64_t)size == out.bytes);
    got->bytes.n = (size_t)size;
    eve_decode_fini(&d);
    eve_template_fini(&templates);
    eve_line_fini(&r);
    eve_norm_free(norm);
    eve_out_fini(&out);
    close(in);
    close(to);
}

static void same(const struct outcome *a, const struct outcome *b)
{
    HOLDS(a->bytes.n == b->bytes.n && memcmp(a->bytes.p, b->bytes.p, a->bytes.n) == 0);
    HOLDS(a->bad == b->bad);
    HOLDS(memcmp(&a->figures, &b->figures, sizeof a->figures) == 0);
}

static uint64_t lines_in(const struct eve_buf *b)
{
    uint64_t lines = 0;
    for (size_t i = 0; i < b->n; i++) {
        lines += b->p[i] == '\n' ? 1 : 0;
    }
    return lines;
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
    struct outcome plain;
    struct outcome other;
    if (n == 0) {
        return 0;
    }
    struct eve_slice stream = {(const char *)p + 1, n - 1};
    struct way way = {{.coalesce = (p[0] & 1) != 0, .dedupe = (p[0] & 2) != 0}, 0, false};
    run(stream, &way, &plain);
    HOLDS(lines_in(&plain.bytes) ==
          plain.figures.events - plain.figures.dropped - plain.figures.joined);
    way.templates = true;
    run(stream, &way, &other);
    same(&plain, &other);
    eve_buf_fini(&other.bytes);
    if (n < 4096) {
        way.read_bytes = 1 + p[0] / 4 % 16;
        run(stream, &way, &other);
        same(&plain, &other);
        eve_buf_fini(&other.bytes);
    }
    if (!way.options.coalesce) { /* joined, what was a restart may join once more */
        run(eve_buf_slice(&plain.bytes), &way, &other);
        HOLDS(other.bytes.n == plain.bytes.n &&
              memcmp(other.bytes.p, plain.bytes.p, plain.bytes.n) == 0);
        HOLDS(other.bad == 0 && other.figures.changed == 0);
        eve_buf_fini(&other.bytes);
    }
    eve_buf_fini(&plain.bytes);
    return 0;
}
