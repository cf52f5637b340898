/*
 * A whole stream through the core of evenorm. Of its first byte bit 0 is coalesce, bit 1 dedupe;
 * the rest is the stream. Templates and the walk give the same; so do reads of any size; what came
 * out comes out again unchanged; and no event is lost.
 */
#include "stream.h"

#include "norm.h"

struct outcome {
    struct eve_buf bytes;
    struct eve_norm_figures figures;
    uint64_t bad;
};

struct way {
    struct eve_norm_options options;
    struct fuzz_way reading;
};

struct run {
    struct eve_norm *norm;
    struct eve_out out;
    struct outcome *got;
};

static enum eve_status on_event(void *ctx, const struct eve_event *ev, const struct eve_decoder *d,
                                uint64_t line, struct eve_err *err)
{
    struct run *run = ctx;
    (void)line;
    return eve_norm_event(run->norm, ev, d, &run->out, err);
}

static void on_bad(void *ctx, const struct eve_event *ev, bool parsed, uint64_t line,
                   const struct eve_err *why)
{
    struct eve_err err;
    struct run *run = ctx;
    (void)ev;
    (void)parsed;
    (void)line;
    (void)why;
    run->got->bad++;
    HOLDS(eve_norm_break(run->norm, &run->out, &err) == EVE_OK);
}

static void run(struct eve_slice stream, const struct way *way, struct outcome *got)
{
    struct eve_err err;
    struct run run = {.got = got};
    int to = memfd_create("out", MFD_CLOEXEC);
    *got = (struct outcome){0};
    eve_buf_init(&got->bytes, SIZE_MAX / 2);
    HOLDS(eve_out_init(&run.out, to, &err) == EVE_OK);
    HOLDS(eve_norm_new(&run.norm, &way->options, &err) == EVE_OK);
    fuzz_stream(stream, &way->reading,
                &(struct fuzz_tool){.ctx = &run,
                                    .name_skills = true,
                                    .snapshots = eve_norm_snapshots(run.norm),
                                    .out = &run.out,
                                    .event = on_event,
                                    .bad = on_bad});
    HOLDS(eve_norm_end(run.norm, &run.out, &err) == EVE_OK);
    HOLDS(eve_out_flush(&run.out, &err) == EVE_OK);
    got->figures = *eve_norm_figures(run.norm);
    off_t size = lseek(to, 0, SEEK_END);
    HOLDS(eve_buf_reserve(&got->bytes, (size_t)size + 1, &err) == EVE_OK);
    HOLDS(pread(to, got->bytes.p, (size_t)size, 0) == size && (uint64_t)size == run.out.bytes);
    got->bytes.n = (size_t)size;
    eve_norm_free(run.norm);
    eve_out_fini(&run.out);
    close(to);
}

static void same(const struct outcome *a, const struct outcome *b)
{
    HOLDS(fuzz_equal(&a->bytes, &b->bytes));
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
    struct way way = {{.coalesce = (p[0] & 1) != 0, .dedupe = (p[0] & 2) != 0}, {0}};
    run(stream, &way, &plain);
    HOLDS(lines_in(&plain.bytes) ==
          plain.figures.events - plain.figures.dropped - plain.figures.joined);
    way.reading.templates = true;
    run(stream, &way, &other);
    same(&plain, &other);
    eve_buf_fini(&other.bytes);
    if (n < 4096) {
        way.reading.read_bytes = 1 + p[0] / 4 % 16;
        run(stream, &way, &other);
        same(&plain, &other);
        eve_buf_fini(&other.bytes);
    }
    if (!way.options.coalesce) { /* joined, what was a restart may join once more */
        run(eve_buf_slice(&plain.bytes), &way, &other);
        HOLDS(fuzz_equal(&other.bytes, &plain.bytes));
        HOLDS(other.bad == 0 && other.figures.changed == 0);
        eve_buf_fini(&other.bytes);
    }
    eve_buf_fini(&plain.bytes);
    return 0;
}
