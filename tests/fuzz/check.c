/*
 * A whole stream through the core of evecheck. Of its first byte bit 0 groups by "g"; the rest is
 * the stream. Templates and the walk find the same; the stream is the same session as itself; an
 * expectation that was made of it holds.
 */
#include "stream.h"

#include "check.h"
#include "expect.h"
#include "expect_write.h"
#include "golden.h"

#include <stdio.h>

struct run {
    struct eve_check *check;
    struct eve_golden *golden;
    struct eve_expect *expect; /* NULL: the stream is learned */
    struct eve_expect_tally tally;
    struct eve_finder finder;
    struct eve_buf found; /* what was found, a line each */
    bool retries;
    uint64_t compared; /* findings of golden and expect */
};

static enum eve_status on_found(void *ctx, const struct eve_finding *f, struct eve_err *err)
{
    char place[128];
    struct run *run = ctx;
    int n = snprintf(place, sizeof place, "%u %d %ju:%ju %ju ", f->rule, (int)f->level,
                     (uintmax_t)f->line, (uintmax_t)f->column, (uintmax_t)f->event);
    HOLDS(f->rule > 0 && f->rule < EVE_RULE_COUNT);
    run->retries = run->retries || f->rule == EVE_RULE_RETRY || f->rule == EVE_RULE_RESTART;
    run->compared += f->rule == EVE_RULE_EXPECT || f->rule == EVE_RULE_GOLDEN ? 1 : 0;
    HOLDS(eve_buf_put(&run->found, (struct eve_slice){place, (size_t)n}, err) == EVE_OK);
    HOLDS(eve_buf_put(&run->found, eve_str(f->message), err) == EVE_OK);
    HOLDS(eve_buf_put(&run->found, f->excerpt, err) == EVE_OK);
    return eve_buf_put(&run->found, eve_str("\n"), err);
}

static enum eve_status on_event(void *ctx, const struct eve_event *ev, const struct eve_decoder *d,
                                uint64_t line, struct eve_err *err)
{
    struct run *run = ctx;
    uint64_t index = eve_check_index(run->check);
    unsigned version = EVE_VERSION_AUTO;
    HOLDS(eve_check_event(run->check, ev, d, version, line, err) == EVE_OK);
    if (run->expect == NULL) {
        HOLDS(eve_golden_learn(run->golden, ev, d, line, err) == EVE_OK);
        return eve_expect_tally_event(&run->tally, ev, d, version, line, index, err);
    }
    HOLDS(eve_golden_event(run->golden, ev, d, line, index, err) == EVE_OK);
    return eve_expect_event(run->expect, ev, d, version, line, index, err);
}

static void on_bad(void *ctx, const struct eve_event *ev, bool parsed, uint64_t line,
                   const struct eve_err *why)
{
    struct eve_err err;
    struct run *run = ctx;
    HOLDS(eve_check_bad(run->check, ev, parsed, line, why, &err) == EVE_OK);
}

static void read_stream(struct run *run, struct eve_slice stream, bool grouped, bool templates)
{
    struct eve_err err;
    fuzz_stream(stream, &(struct fuzz_way){.templates = templates},
                &(struct fuzz_tool){.ctx = run,
                                    .group = grouped ? eve_str("g") : eve_str(""),
                                    .name_skills = true,
                                    .event = on_event,
                                    .bad = on_bad});
    HOLDS(eve_check_empty(run->check, &err) == EVE_OK);
    HOLDS(eve_check_end(run->check, &err) == EVE_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
    struct eve_err err;
    struct run run = {0};
    struct eve_buf text;
    struct eve_expect_file file;
    struct eve_check_options check = {.finder = &run.finder, .seed = {1, 2}};
    struct eve_golden_options golden = {
        .flow = {.seed = {1, 2}}, .name = "golden", .finder = &run.finder};
    struct eve_expect_options expect = {.file = &file, .finder = &run.finder, .seed = {1, 2}};
    if (n == 0) {
        return 0;
    }
    bool grouped = (p[0] & 1) != 0;
    struct eve_slice stream = {(const char *)p + 1, n - 1};
    eve_buf_init(&run.found, SIZE_MAX / 2);
    eve_buf_init(&text, SIZE_MAX / 2);
    eve_finder_init(&run.finder, on_found, &run);
    eve_expect_tally_init(&run.tally, check.seed);
    eve_expect_file_init(&file);
    HOLDS(eve_check_new(&run.check, &check, &err) == EVE_OK);
    HOLDS(eve_golden_new(&run.golden, &golden, &err) == EVE_OK);
    read_stream(&run, stream, grouped, false);
    HOLDS(eve_golden_learned(run.golden, &err) == EVE_OK);
    HOLDS(eve_expect_write(&run.tally, grouped, run.retries, &text, &err) == EVE_OK);
    HOLDS(eve_expect_file_read(&file, eve_buf_slice(&text), &err) == EVE_OK);
    HOLDS(eve_expect_new(&run.expect, &expect, &err) == EVE_OK);
    size_t plain = run.found.n;
    read_stream(&run, stream, grouped, true);
    HOLDS(run.found.n == 2 * plain &&
          (plain == 0 || memcmp(run.found.p, run.found.p + plain, plain) == 0));
    HOLDS(eve_golden_end(run.golden, true, &err) == EVE_OK);
    HOLDS(eve_expect_end(run.expect, true, n - 1, &err) == EVE_OK);
    HOLDS(run.compared == 0);
    eve_check_free(run.check);
    eve_golden_free(run.golden);
    eve_expect_free(run.expect);
    eve_expect_file_fini(&file);
    eve_expect_tally_fini(&run.tally);
    eve_buf_fini(&run.found);
    eve_buf_fini(&text);
    return 0;
}
