#include "norm.h"

#include "mem.h"
#include "str.h"

struct eve_norm {
    struct eve_norm_options options;
    struct eve_norm_figures figures;
    struct eve_dedupe dedupe;
    struct eve_coalesce coalesce;
    struct eve_snapshots *snapshots;
    struct eve_buf text; /* the event at hand in delta-only form */
};

enum { KEEP_ROOM = 1 << 20 };

enum eve_status eve_norm_new(struct eve_norm **out, const struct eve_norm_options *options,
                             struct eve_err *err)
{
    struct eve_norm *n = NULL;
    enum eve_status status = eve_mem_resize(&n, 1, sizeof *n, err);
    if (status != EVE_OK) {
        return status;
    }
    *n = (struct eve_norm){.options = *options};
    eve_dedupe_init(&n->dedupe, options->seed);
    eve_coalesce_init(&n->coalesce);
    eve_buf_init(&n->text, SIZE_MAX / 2);
    status = eve_snapshot_new(&n->snapshots, options->seed, err);
    if (status == EVE_OK) {
        *out = n;
    } else {
        eve_norm_free(n);
    }
    return status;
}

void eve_norm_free(struct eve_norm *n)
{
    if (n == NULL) {
        return;
    }
    eve_dedupe_fini(&n->dedupe);
    eve_coalesce_fini(&n->coalesce);
    eve_snapshot_free(n->snapshots);
    eve_buf_fini(&n->text);
    eve_mem_free(n);
}

struct eve_snapshots *eve_norm_snapshots(struct eve_norm *n)
{
    return n->snapshots;
}

struct eve_norm_figures *eve_norm_figures(struct eve_norm *n)
{
    return &n->figures;
}

/* An event that stays whole is lent with its LF, so that runs of such events become one write. */
static enum eve_status write_line(const struct eve_event *ev, const struct eve_decoder *d,
                                  struct eve_out *out, struct eve_err *err)
{
    bool to_end = ev->text.p + ev->text.n == ev->line.p + ev->line.n;
    if (d->edits.n == 0 && to_end && ev->ended) {
        return eve_out_lend(out, (struct eve_slice){ev->text.p, ev->text.n + 1}, err);
    }
    enum eve_status status = eve_edit_write(&d->edits, ev->text, out, err);
    return status == EVE_OK ? eve_out_put(out, eve_str("\n"), err) : status;
}

static enum eve_status join_or_hold(struct eve_norm *n, const struct eve_event *ev,
                                    const struct eve_decoder *d, bool restarted,
                                    struct eve_out *out, struct eve_err *err)
{
    bool joined = false;
    eve_buf_clear(&n->text, KEEP_ROOM);
    enum eve_status status = eve_edit_put(&d->edits, ev->text, &n->text, err);
    if (status == EVE_OK) {
        status = eve_coalesce_take(&n->coalesce, ev, eve_buf_slice(&n->text), restarted, out,
                                   &joined, err);
    }
    n->figures.joined += joined ? 1 : 0;
    return status;
}

enum eve_status eve_norm_event(struct eve_norm *n, const struct eve_event *ev,
                               const struct eve_decoder *d, struct eve_out *out,
                               struct eve_err *err)
{
    bool seen = false;
    bool without = false;
    bool restarted = false;
    enum eve_status status = EVE_OK;
    n->figures.events++;
    if (n->options.dedupe) {
        status = eve_dedupe_see(&n->dedupe, ev, &seen, &without, err);
        n->figures.dropped += seen ? 1 : 0;
        n->figures.without_id += without ? 1 : 0;
    }
    if (status != EVE_OK || seen) {
        return status;
    }
    status = eve_snapshot_see(n->snapshots, ev, d->legacy, &restarted, err);
    n->figures.restarts += restarted ? 1 : 0;
    n->figures.changed += d->edits.n > 0 ? 1 : 0;
    if (status != EVE_OK) {
        return status;
    }
    return n->options.coalesce ? join_or_hold(n, ev, d, restarted, out, err)
                               : write_line(ev, d, out, err);
}

bool eve_norm_passes(const struct eve_norm *n)
{
    return !n->options.dedupe && !n->options.coalesce && eve_snapshot_is_empty(n->snapshots);
}

enum eve_status eve_norm_pass(struct eve_norm *n, struct eve_slice lines, uint64_t count,
                              struct eve_out *out, struct eve_err *err)
{
    n->figures.events += count;
    return eve_out_lend(out, lines, err);
}

enum eve_status eve_norm_break(struct eve_norm *n, struct eve_out *out, struct eve_err *err)
{
    return eve_coalesce_release(&n->coalesce, out, err);
}

enum eve_status eve_norm_end(struct eve_norm *n, struct eve_out *out, struct eve_err *err)
{
    eve_snapshot_clear(n->snapshots);
    if (n->options.dedupe_by_file) {
        eve_dedupe_clear(&n->dedupe);
    }
    return eve_coalesce_release(&n->coalesce, out, err);
}
