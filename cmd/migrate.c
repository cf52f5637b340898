#include "migrate.h"

#include "norm.h"
#include "quote.h"
#include "rejects.h"
#include "report.h"
#include "sink.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The whole run. */
struct run {
    const struct migrate_options *options;
    struct report report;
    struct feed feed;
    struct sink sink;
    struct sink rejects;
    struct eve_norm *norm;
    uint64_t first_restart; /* line in the file at hand */
    struct eve_norm_figures total;
    uint64_t bytes_in;
    uint64_t bytes_out;
    uint64_t bad;
    bool broken; /* the output failed */
};

static enum eve_status on_event(void *ctx, const struct eve_event *ev, const struct eve_decoder *d,
                                const struct feed_place *place, struct eve_err *err)
{
    struct run *run = ctx;
    const struct eve_norm_figures *figures = eve_norm_figures(run->norm);
    uint64_t before = figures->restarts;
    enum eve_status status = eve_norm_event(run->norm, ev, d, &run->sink.out, err);
    if (before == 0 && figures->restarts > 0) {
        run->first_restart = place->line;
    }
    return status;
}

static bool on_passes(void *ctx)
{
    const struct run *run = ctx;
    return eve_norm_passes(run->norm);
}

static enum eve_status on_pass(void *ctx, struct eve_slice lines, uint64_t count,
                               struct eve_err *err)
{
    struct run *run = ctx;
    return eve_norm_pass(run->norm, lines, count, &run->sink.out, err);
}

static enum eve_status on_bad(void *ctx, struct eve_err *err)
{
    struct run *run = ctx;
    return eve_norm_break(run->norm, &run->sink.out, err);
}

static void warn_restarts(struct run *run, const char *name)
{
    char text[160];
    char count[32];
    uint64_t n = eve_norm_figures(run->norm)->restarts;
    if (n > 0) {
        (void)snprintf(text, sizeof text,
                       "%s text%s again in the middle of a block, first here; "
                       "delta-only form cannot show that",
                       report_count(count, n), n == 1 ? " starts" : "s start");
        report_diag(&run->report, EVE_LEVEL_WARNING, name, run->first_restart, 0, text, "restart");
    }
}

/* The file is read to its end or as far as it goes: write what is held, add up. True if something
 * of it changes. */
static bool finish_file(struct run *run, const char *name, enum feed_end *end)
{
    struct eve_err err;
    struct eve_norm_figures *figures = eve_norm_figures(run->norm);
    if (*end != FEED_ABORTED && eve_norm_end(run->norm, &run->sink.out, &err) != EVE_OK) {
        feed_output_failed(&run->feed, &run->sink, &err);
        *end = FEED_ABORTED;
    }
    warn_restarts(run, name);
    bool changes = figures->changed + figures->dropped + figures->joined > 0 ||
                   (run->options->rejects != NULL && run->feed.figures.bad > 0);
    run->total.events += figures->events;
    run->total.changed += figures->changed;
    run->total.joined += figures->joined;
    run->total.dropped += figures->dropped;
    run->total.without_id += figures->without_id;
    run->bytes_in += run->feed.figures.bytes;
    run->bad += run->feed.figures.bad;
    *figures = (struct eve_norm_figures){0};
    return changes;
}

static void told_failure(struct run *run, const char *name, const struct eve_err *err)
{
    run->feed.sink = NULL;
    report_failure(&run->report, name, err);
}

static void told_kept(struct run *run, const char *name)
{
    report_diag(&run->report, EVE_LEVEL_ERROR, name, 0, 0, "left as it is", NULL);
}

/* Rewrite one file. False: end the run. */
static bool rewrite(struct run *run, const char *name)
{
    struct eve_err err;
    enum eve_status status = sink_open_in_place(&run->sink, name, run->options->suffix, &err);
    if (status != EVE_OK) {
        told_failure(run, name, &err);
        return true;
    }
    run->feed.sink = &run->sink;
    enum feed_end end = feed_fd(&run->feed, run->sink.file.source_fd, name);
    bool changes = finish_file(run, name, &end);
    bool spoilt = end != FEED_DONE || (run->feed.figures.bad > 0 && run->options->rejects == NULL);
    if (run->options->rejects != NULL && !spoilt) {
        status = rejects_sync(&run->rejects, &err);
        if (status != EVE_OK) {
            told_failure(run, run->options->rejects, &err);
            spoilt = true;
            end = FEED_ABORTED;
        }
    }
    if (spoilt || !changes) {
        run->bytes_out += run->feed.figures.bytes;
        run->feed.sink = NULL;
        sink_abort(&run->sink);
        if (spoilt) {
            told_kept(run, name);
        }
    } else {
        uint64_t written = run->sink.out.bytes;
        status = sink_commit(&run->sink, &err);
        run->feed.sink = NULL;
        run->bytes_out += status == EVE_OK ? written : run->feed.figures.bytes;
        if (status != EVE_OK) {
            told_failure(run, name, &err);
        }
    }
    return end != FEED_ABORTED && !run->feed.full;
}

static void run_in_place(struct run *run, char *const *names, size_t count)
{
    for (size_t i = 0; i < count && rewrite(run, names[i]); i++) {
    }
}

/* Read all files into the one sink. True if all of them were read to their ends. */
static bool run_through(struct run *run, char *const *names, size_t count)
{
    bool whole = true;
    for (size_t i = 0; i < count; i++) {
        enum feed_end end = feed_file(&run->feed, names[i]);
        (void)finish_file(run, names[i], &end);
        whole = whole && end == FEED_DONE;
        if (end == FEED_STOPPED || end == FEED_ABORTED) {
            break;
        }
    }
    return whole;
}

static void run_to_output(struct run *run, char *const *names, size_t count)
{
    struct eve_err err;
    const char *output = run->options->feed.output;
    if (output == NULL && !feed_check_inputs(&run->feed, names, count)) {
        return;
    }
    if (sink_open(&run->sink, output, &err) != EVE_OK) {
        told_failure(run, output, &err);
        return;
    }
    run->feed.sink = &run->sink;
    bool whole = run_through(run, names, count);
    run->bytes_out = run->sink.out.bytes;
    bool told = run->feed.sink == NULL; /* a failure was met, and told, on the way */
    bool failed = run->sink.out.failure.sys != 0;
    bool keeps = run->sink.replaces && !run->sink.file.direct && !whole;
    enum eve_status status = EVE_OK;
    run->feed.sink = NULL;
    if (failed) {
        status = EVE_FAIL;
        err = run->sink.out.failure;
    }
    run->broken = failed;
    if (keeps || failed) {
        sink_abort(&run->sink);
    } else {
        status = sink_commit(&run->sink, &err);
        run->broken = status != EVE_OK;
    }
    if (status != EVE_OK && !told) {
        feed_output_failed(&run->feed, &run->sink, &err);
    } else if (keeps) {
        told_kept(run, output);
    }
}

/* A name for programs, or for people. */
static enum eve_status list_name(struct sink *list, const char *name, bool terminal,
                                 struct eve_err *err)
{
    char quoted[4 * PATH_MAX]; /* enough for each of its bytes */
    if (strcmp(name, "-") == 0) {
        name = report_name(quoted, "-");
    } else if (terminal) {
        name = eve_quote(quoted, sizeof quoted, (struct eve_slice){name, strlen(name)}, true);
    }
    enum eve_status status = eve_out_put(&list->out, (struct eve_slice){name, strlen(name)}, err);
    return status == EVE_OK ? eve_out_put(&list->out, (struct eve_slice){"\n", 1}, err) : status;
}

static void run_check(struct run *run, char *const *names, size_t count)
{
    struct eve_err err;
    struct sink list;
    bool terminal = isatty(STDOUT_FILENO);
    if (!feed_check_inputs(&run->feed, names, count)) {
        return;
    }
    if (sink_open_nowhere(&run->sink, &err) != EVE_OK || sink_open(&list, NULL, &err) != EVE_OK) {
        told_failure(run, NULL, &err);
        sink_abort(&run->sink);
        return;
    }
    run->feed.sink = &list;
    enum eve_status status = EVE_OK;
    for (size_t i = 0; i < count && status == EVE_OK && !run->feed.full; i++) {
        enum feed_end end = feed_file(&run->feed, names[i]);
        if (finish_file(run, names[i], &end) && end == FEED_DONE) {
            report_raise(&run->report, CLI_EXIT_BAD);
            status = list_name(&list, names[i], terminal, &err);
        }
    }
    run->bytes_out = run->sink.out.bytes;
    sink_abort(&run->sink);
    if (status == EVE_OK) {
        status = sink_commit(&list, &err);
    } else {
        sink_abort(&list);
    }
    run->feed.sink = NULL;
    if (status != EVE_OK) {
        feed_output_failed(&run->feed, &list, &err);
    }
}

static void close_with_figures(struct run *run)
{
    char text[512];
    char n[5][32];
    const struct eve_norm_figures *t = &run->total;
    uint64_t in = run->bytes_in;
    uint64_t out = run->bytes_out;
    uint64_t diff = in > out ? in - out : out - in;
    double percent = in > 0 ? 100.0 * (double)diff / (double)in : 0.0;
    int at = snprintf(text, sizeof text, "%s event%s, %s changed", report_count(n[0], t->events),
                      t->events == 1 ? "" : "s", report_count(n[1], t->changed));
    if (run->options->coalesce) {
        at += snprintf(text + at, sizeof text - (size_t)at, ", %s joined",
                       report_count(n[0], t->joined));
    }
    if (run->options->dedupe) {
        at += snprintf(text + at, sizeof text - (size_t)at, ", %s dropped, %s without id",
                       report_count(n[0], t->dropped), report_count(n[1], t->without_id));
    }
    if (run->bad > 0) {
        at +=
            snprintf(text + at, sizeof text - (size_t)at, ", %s bad", report_count(n[0], run->bad));
    }
    (void)snprintf(text + at, sizeof text - (size_t)at, "; %s bytes in, %s out (%.2f %% %s)",
                   report_count(n[2], in), report_count(n[3], out), percent,
                   in >= out ? "less" : "more");
    report_note(&run->report, text);
}

static void run_files(struct run *run, char *const *names, size_t count)
{
    feed_measure(&run->feed, names, count);
    if (run->options->in_place) {
        run_in_place(run, names, count);
    } else if (run->options->check) {
        run_check(run, names, count);
    } else {
        run_to_output(run, names, count);
    }
    if (!run->broken && (run->report.status < CLI_EXIT_FAIL || run->total.events > 0)) {
        close_with_figures(run);
    }
}

int migrate(const struct migrate_options *o, char *const *names, size_t count)
{
    struct eve_err err;
    struct run run = {.options = o};
    struct eve_norm_options norm = {
        .coalesce = o->coalesce, .dedupe = o->dedupe, .dedupe_by_file = o->in_place || o->check};
    run.report = (struct report){.tool = o->tool, .quiet = o->feed.quiet};
    run.report.color = cli_want_color(o->feed.color, STDERR_FILENO);
    run.feed.options = o->feed;
    run.feed.tool = (struct feed_tool){.ctx = &run,
                                       .name_skills = o->to == 26,
                                       .event = on_event,
                                       .passes = on_passes,
                                       .pass = on_pass,
                                       .bad = on_bad};
    run.feed.report = &run.report;
    feed_seed(norm.seed);
    feed_init(&run.feed);
    enum eve_status status = eve_norm_new(&run.norm, &norm, &err);
    if (status != EVE_OK) {
        told_failure(&run, NULL, &err);
    } else if (o->rejects != NULL) {
        status = rejects_open(&run.rejects, o->rejects, o->feed.output, names, count, &err);
        if (status != EVE_OK) {
            told_failure(&run, o->rejects, &err);
        }
        run.feed.rejects = &run.rejects;
    }
    if (status == EVE_OK) {
        run.feed.snapshots = eve_norm_snapshots(run.norm);
        run_files(&run, names, count);
    }
    if (rejects_close(&run.rejects, &err) != EVE_OK) {
        told_failure(&run, o->rejects, &err);
    }
    eve_norm_free(run.norm);
    feed_fini(&run.feed);
    return run.report.status;
}
