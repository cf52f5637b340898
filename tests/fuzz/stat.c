/*
 * A whole stream through the core of evestat. Of its first byte bits 0 to 2 are what rows are by,
 * bit 3 counts as if it were version 24; the rest is the stream. Templates and the walk count the
 * same, and the events of types and rows add up.
 */
#include "../same_account.h"
#include "stream.h"

#include "stat.h"

static const uint64_t seed[2] = {1, 2};

static enum eve_status on_event(void *ctx, const struct eve_event *ev, const struct eve_decoder *d,
                                uint64_t line, struct eve_err *err)
{
    (void)line;
    return eve_stat_event(ctx, ev, d, err);
}

static struct eve_account *run(struct eve_slice stream, enum eve_stat_by by, unsigned as_if,
                               bool templates)
{
    struct eve_err err;
    struct eve_account *a = NULL;
    struct eve_stat *stat = NULL;
    struct eve_stat_options options = {by, as_if, NULL, {1, 2}};
    HOLDS(eve_snapshot_new(&options.snapshots, seed, &err) == EVE_OK);
    HOLDS(eve_account_new(&a, eve_str("log"), seed, &err) == EVE_OK);
    HOLDS(eve_stat_new(&stat, &options, a, &err) == EVE_OK);
    fuzz_stream(stream, &(struct fuzz_way){.templates = templates},
                &(struct fuzz_tool){.ctx = stat,
                                    .group = eve_str("g"),
                                    .name_skills = true,
                                    .snapshots = options.snapshots,
                                    .event = on_event});
    eve_stat_free(stat);
    eve_snapshot_free(options.snapshots);
    return a;
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
    if (n == 0) {
        return 0;
    }
    enum eve_stat_by by = (enum eve_stat_by)((p[0] & 7) % (EVE_STAT_BY_BLOCK + 1));
    struct eve_slice stream = {(const char *)p + 1, n - 1};
    struct eve_account *a = run(stream, by, (p[0] & 8) != 0 ? 24 : 0, false);
    struct eve_account *b = run(stream, by, (p[0] & 8) != 0 ? 24 : 0, true);
    HOLDS(same_account(a, b));
    uint64_t events = 0;
    for (size_t i = 0; i < a->tally.type_count; i++) {
        events += a->tally.types[i].count.events;
    }
    HOLDS(events == a->tally.n[EVE_TALLY_EVENTS]);
    eve_account_free(a);
    eve_account_free(b);
    return 0;
}
