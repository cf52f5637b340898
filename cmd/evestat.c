/*
 * evestat: what a log costs, exact to the byte.
 *
 * The way of an event:
 *   argv -> cli (option table) -> struct options, constant from then on
 *   feed: line -> event -> decode (the version's rules, what is to be cut)
 *   stat: figures, blocks, breakdown -> an account for each file
 *   stat_view -> stat_table, stat_json or stat_csv -> sink -> file or standard output
 * With --merge stat_read and merge make the accounts from reports.
 */
#include "cli.h"
#include "curve.h"
#include "feed.h"
#include "mem.h"
#include "report.h"
#include "screen.h"
#include "signals.h"
#include "sink.h"
#include "spell.h"
#include "stat.h"
#include "stat_csv.h"
#include "stat_json.h"
#include "stat_plot.h"
#include "stat_read.h"
#include "stat_table.h"
#include "stat_view.h"
#include "str.h"

#include <string.h>
#include <unistd.h>

enum { OPT_FORMAT = CLI_OPT_OWN, OPT_BY, OPT_AS_IF, OPT_PLOT, OPT_MERGE };

/* The words of --format, in their order. */
enum format { FORMAT_TABLE, FORMAT_JSON, FORMAT_CSV };
#define FORMAT_WORDS "table json csv"
#define BY_WORDS "type turn step block file"

static const struct cli_opt opts[] = {
    {OPT_FORMAT, "format", "FORMAT", FORMAT_WORDS,
     "a table for people (the default), one line of JSON, or CSV"},
    {OPT_BY, "by", "WHAT", BY_WORDS, "break the figures down by type, turn, step, block or file"},
    {OPT_AS_IF, "as-if", "VERSION", "24 26",
     "also count what the events would take in version 24 or 26"},
    {OPT_PLOT, "plot", NULL, NULL, "draw how both forms grow over the events"},
    {OPT_MERGE, "merge", NULL, NULL, "read JSON reports instead of streams and add them up"},
    CLI_COMMON};

static const struct cli_tool tool = {
    "evestat", "[OPTION]... [FILE]...",
    "Count what eve event streams (NDJSON, versions 21 to 26) take as they are and in delta-only "
    "form, exact to the byte. Reads standard input without FILE.",
    opts,
    "evestat log.ndjson\n"
    "evestat *.ndjson\n"
    "evestat --format=json log.ndjson | jq .saved.percent\n"
    "evestat --format=csv --by=turn log.ndjson\n"
    "parallel -a log.ndjson --pipe-part evestat --format=json | evestat --merge"};

struct options {
    struct feed_options feed;
    bool from; /* given */
    enum format format;
    enum stat_by by;
    unsigned as_if;
    bool plot;
    bool merge;
};

/* The whole run. */
struct run {
    const struct options *options;
    struct report report;
    struct feed feed;
    struct sink sink;
    uint64_t seed[2];
    struct eve_snapshots *snapshots;
    struct eve_stat *stat;       /* of the file at hand */
    struct eve_account *account; /* the same */
    struct eve_curve *curve;     /* over all files, and as it was before this one; or NULL */
    bool unread;                 /* something could not be read */
};

static enum eve_status on_event(void *ctx, const struct eve_event *ev, const struct eve_decoder *d,
                                const struct feed_place *place, struct eve_err *err)
{
    struct run *run = ctx;
    uint64_t as_if = run->account->as_if;
    (void)place;
    enum eve_status status = eve_stat_event(run->stat, ev, d, err);
    if (run->curve != NULL) {
        bool priced = run->options->as_if == 24;
        uint64_t found = ev->text.n + 1;
        eve_curve_add(run->curve, priced ? run->account->as_if - as_if : found,
                      found - d->removed + d->added);
    }
    return status;
}

static bool on_takes_more(void *ctx)
{
    const struct run *run = ctx;
    return run->curve == NULL && eve_stat_takes_more(run->stat);
}

static enum eve_status on_more(void *ctx, const struct eve_event *ev, struct eve_slice lines,
                               uint64_t count, struct eve_err *err)
{
    struct run *run = ctx;
    return eve_stat_more(run->stat, ev, lines, count, err);
}

/* An account for the file `name`. */
static enum eve_status new_account(const struct run *run, const char *name,
                                   struct eve_account **out, struct eve_err *err)
{
    struct eve_buf spelled;
    eve_buf_init(&spelled, SIZE_MAX / 2);
    enum eve_status status =
        eve_spell_plain(&spelled, eve_str(strcmp(name, "-") == 0 ? "<stdin>" : name), err);
    if (status == EVE_OK) {
        status = eve_account_new(out, eve_buf_slice(&spelled), run->seed, err);
    }
    eve_buf_fini(&spelled);
    return status;
}

/* What the reader of lines knows. */
static enum eve_status finish_account(struct eve_account *a, const struct feed_figures *f,
                                      enum feed_end end, struct eve_err *err)
{
    uint64_t *n = a->tally.n;
    n[EVE_TALLY_LINES] = f->lines;
    n[EVE_TALLY_LONGEST_LINE] = f->longest;
    n[EVE_TALLY_BAD_LINES] = f->bad;
    n[EVE_TALLY_IN] = f->bytes;
    n[EVE_TALLY_TRANSPORT] = f->transport_bytes;
    n[EVE_TALLY_BAD] = f->bad_bytes;
    if (end == FEED_DONE) {
        return EVE_OK;
    }
    a->state = end == FEED_STOPPED ? EVE_ACCOUNT_STOPPED : EVE_ACCOUNT_UNREAD;
    a->stop_line = f->bad_line;
    return end == FEED_STOPPED ? eve_buf_puts(&a->rule, eve_diag_rule(f->bad_rule), err) : EVE_OK;
}

/* Read one file into an account of its own. EVE_FAIL: end the run; it was told. */
static enum eve_status read_file(struct run *run, const char *name, struct eve_accounts *files)
{
    static const enum eve_stat_by kinds[] = {[STAT_BY_TYPE] = EVE_STAT_BY_TYPE,
                                             [STAT_BY_TURN] = EVE_STAT_BY_TURN,
                                             [STAT_BY_STEP] = EVE_STAT_BY_STEP,
                                             [STAT_BY_BLOCK] = EVE_STAT_BY_BLOCK,
                                             [STAT_BY_FILE] = EVE_STAT_BY_NOTHING};
    struct eve_err err;
    struct eve_account *a = NULL;
    enum feed_end end = FEED_FAILED;
    struct eve_stat_options options = {.by = kinds[run->options->by],
                                       .as_if = run->options->as_if,
                                       .snapshots = run->snapshots,
                                       .seed = {run->seed[0], run->seed[1]}};
    enum eve_status status = new_account(run, name, &a, &err);
    status = status == EVE_OK ? eve_accounts_add(files, a, &err) : status;
    status = status == EVE_OK ? eve_stat_new(&run->stat, &options, a, &err) : status;
    run->account = a;
    if (status == EVE_OK && run->curve != NULL) {
        run->curve[1] = run->curve[0];
    }
    if (status == EVE_OK && !run->feed.full) {
        end = feed_file(&run->feed, name);
        run->unread = run->unread || end == FEED_FAILED;
    }
    if (end != FEED_DONE && run->curve != NULL) { /* not part of the total */
        run->curve[0] = run->curve[1];
    }
    if (end == FEED_ABORTED) {
        eve_stat_free(run->stat);
        run->stat = NULL;
        return EVE_FAIL;
    }
    if (status == EVE_OK) {
        status = finish_account(a, &run->feed.figures, end, &err);
    }
    eve_stat_free(run->stat);
    run->stat = NULL;
    if (status != EVE_OK) {
        report_failure(&run->report, NULL, &err);
    }
    return status;
}

static enum eve_status write_view(struct run *run, const struct stat_view *view,
                                  struct eve_err *err)
{
    const struct options *o = run->options;
    struct eve_out *out = &run->sink.out;
    if (o->format == FORMAT_JSON) {
        return stat_json_write(view, out, err);
    }
    bool to_terminal = o->feed.output == NULL && isatty(STDOUT_FILENO);
    if (o->format == FORMAT_CSV) {
        return stat_csv_write(view, to_terminal, out, err);
    }
    bool color = o->feed.output == NULL ? cli_want_color(o->feed.color, STDOUT_FILENO)
                                        : o->feed.color == CLI_ALWAYS;
    struct stat_table_options table = {.width = to_terminal ? screen_columns() : 0, .color = color};
    enum eve_status status = stat_table_write(view, &table, out, err);
    if (status != EVE_OK || run->curve == NULL) {
        return status;
    }
    struct stat_plot_options plot = {.width = screen_columns(),
                                     .height = screen_lines(),
                                     .unicode = screen_has_unicode(),
                                     .color = color,
                                     .as_if = o->as_if == 24};
    status = eve_out_put(out, eve_str("\n"), err);
    return status == EVE_OK ? stat_plot_write(run->curve, &plot, out, err) : status;
}

/* Add up and write the report. */
static enum eve_status write_report(struct run *run, const struct eve_accounts *files,
                                    struct eve_err *err)
{
    const struct options *o = run->options;
    struct eve_account *total = NULL;
    enum eve_status status = eve_account_new(&total, (struct eve_slice){0}, run->seed, err);
    if (status == EVE_OK) {
        struct stat_view view = {.files = files,
                                 .total = total,
                                 .by = o->by,
                                 .as_if = o->as_if,
                                 .grouped = o->feed.group != NULL,
                                 .merged = o->merge};
        status = eve_accounts_sum(files, total, err);
        status = status == EVE_OK ? write_view(run, &view, err) : status;
    }
    eve_account_free(total);
    return status;
}

/* Everything was read as far as it can be; `whole`: the report may replace a file. */
static void finish(struct run *run, const struct eve_accounts *files, bool whole)
{
    struct eve_err err;
    progress_clear(&run->feed.progress);
    enum eve_status status = write_report(run, files, &err);
    feed_close_output(&run->feed, &run->sink, whole, status, &err);
}

static void run_streams(struct run *run, char *const *names, size_t count)
{
    struct eve_err err;
    struct eve_accounts files;
    enum eve_status status = eve_snapshot_new(&run->snapshots, run->seed, &err);
    eve_accounts_init(&files);
    if (status == EVE_OK && run->options->plot) {
        status = eve_mem_resize(&run->curve, 2, sizeof *run->curve, &err);
    }
    if (run->curve != NULL) {
        eve_curve_init(run->curve);
    }
    if (status != EVE_OK) {
        report_failure(&run->report, NULL, &err);
    }
    run->feed.snapshots = run->snapshots;
    feed_measure(&run->feed, names, count);
    for (size_t i = 0; i < count && status == EVE_OK; i++) {
        status = read_file(run, names[i], &files);
    }
    if (status == EVE_OK) {
        finish(run, &files, !run->unread);
    } else {
        sink_abort(&run->sink);
    }
    eve_accounts_fini(&files);
    eve_snapshot_free(run->snapshots);
    eve_mem_free(run->curve);
}

/* The status is that of a run over all the streams: bad lines count. */
static void judge_merged(struct run *run, const struct eve_accounts *files)
{
    for (size_t i = 0; i < files->count; i++) {
        const struct eve_account *a = files->list[i];
        if (a->state == EVE_ACCOUNT_STOPPED || a->tally.n[EVE_TALLY_BAD_LINES] > 0) {
            report_raise(&run->report, CLI_EXIT_BAD);
        }
    }
}

static void run_merge(struct run *run, char *const *names, size_t count)
{
    struct eve_merge merge;
    const struct feed_options *o = &run->options->feed;
    struct stat_read_options options = {o->keep_going, o->max_errors, o->max_line};
    eve_merge_init(&merge, run->seed);
    if (stat_read_files(&merge, &options, names, count, &run->report)) {
        bool whole = run->report.status == CLI_EXIT_OK ||
                     (run->report.status == CLI_EXIT_BAD && o->keep_going);
        eve_accounts_sort(&merge.files);
        judge_merged(run, &merge.files);
        finish(run, &merge.files, whole);
    } else {
        sink_abort(&run->sink);
    }
    eve_merge_fini(&merge);
}

static int run_all(const struct options *o, char *const *names, size_t count)
{
    struct eve_err err;
    struct run run = {.options = o};
    run.report = (struct report){.tool = tool.name, .quiet = o->feed.quiet};
    run.report.color = cli_want_color(o->feed.color, STDERR_FILENO);
    run.feed.options = o->feed;
    run.feed.tool = (struct feed_tool){.ctx = &run,
                                       .name_skills = true,
                                       .event = on_event,
                                       .takes_more = on_takes_more,
                                       .more = on_more};
    run.feed.report = &run.report;
    feed_seed(run.seed);
    feed_init(&run.feed);
    if (o->feed.output != NULL || feed_check_inputs(&run.feed, names, count)) {
        if (sink_open(&run.sink, o->feed.output, &err) != EVE_OK) {
            report_failure(&run.report, o->feed.output, &err);
        } else if (o->merge) {
            run_merge(&run, names, count);
        } else {
            run_streams(&run, names, count);
        }
    }
    feed_fini(&run.feed);
    return run.report.status;
}

/* What must not go together. Returns an exit status, 0 if all is well. */
static int check_clashes(const struct options *o)
{
    const char *with = NULL;
    if (o->merge) {
        with = o->from ? "--from" : with;
        with = o->as_if != 0 ? "--as-if" : with;
        with = o->by != STAT_BY_NONE ? "--by" : with;
        with = o->plot ? "--plot" : with;
        with = o->feed.group != NULL ? "--group-by" : with;
        if (with != NULL) {
            return cli_usage(&tool, "--merge does not go with %s", with);
        }
    }
    if (o->plot && o->format != FORMAT_TABLE) {
        return cli_usage(&tool, "--plot does not go with --format=%s",
                         o->format == FORMAT_JSON ? "json" : "csv");
    }
    return 0;
}

/* Take one option. Returns an exit status, 0 if all is well. */
static int take_option(struct options *o, const struct cli *c, int id)
{
    int status = 0;
    int choice = 0;
    switch (id) {
    case OPT_FORMAT:
        if (!cli_choice(c->arg, FORMAT_WORDS, &choice)) {
            return cli_bad_arg(c, "table, json or csv");
        }
        o->format = (enum format)choice;
        break;
    case OPT_BY:
        if (!cli_choice(c->arg, BY_WORDS, &choice)) {
            return cli_bad_arg(c, "type, turn, step, block or file");
        }
        o->by = (enum stat_by)(choice + 1);
        break;
    case OPT_AS_IF:
        if (!cli_choice(c->arg, "24 26", &choice)) {
            return cli_bad_arg(c, "24 or 26");
        }
        o->as_if = choice == 0 ? 24 : 26;
        break;
    case OPT_PLOT:
        o->plot = true;
        break;
    case OPT_MERGE:
        o->merge = true;
        break;
    default:
        o->from = o->from || id == 'f';
        (void)feed_option(&o->feed, c, id, &status);
        break;
    }
    return status;
}

int main(int argc, char **argv)
{
    static char dash[] = "-";
    static char *stdin_only[] = {dash};
    struct cli c;
    struct options o = {0};
    int id = 0;
    int status = 0;
    cli_init(&c, &tool, argc, argv);
    while ((id = cli_next(&c)) > 0) {
        status = take_option(&o, &c, id);
        if (status != 0) {
            return status;
        }
    }
    if (id != CLI_END) {
        return c.status;
    }
    status = check_clashes(&o);
    if (status != 0) {
        return status;
    }
    if (c.noperands == 0 && isatty(STDIN_FILENO)) {
        return cli_no_input(&tool);
    }
    signals_init();
    return c.noperands == 0 ? run_all(&o, stdin_only, 1) : run_all(&o, c.operands, c.noperands);
}
