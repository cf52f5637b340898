/*
 * evenorm: legacy streams become delta-only.
 *
 * The way of an event:
 *   argv -> cli (option table) -> struct options, constant from then on
 *   feed: line -> event -> decode (the version's rules, what is to be cut)
 *   norm: dedupe, restarts, coalesce -> sink -> out -> file or standard output
 *   report: messages, exit status
 */
#include "cli.h"
#include "feed.h"
#include "norm.h"
#include "quote.h"
#include "report.h"
#include "signals.h"
#include "sink.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OPT_CHECK = CLI_OPT_OWN, OPT_REJECTS };

static const struct cli_opt opts[] = {
    {'t', "to", "VERSION", "25 26",
     "26 (default) also names unnamed load-skill actions, 25 does not"},
    {'c', "coalesce", NULL, NULL, "join appends that follow each other into one event"},
    {'u', "dedupe", NULL, NULL, "drop events whose meta.id was seen before"},
    {'i', "in-place", "[SUFFIX]", NULL,
     "rewrite the files in one step each; keep the old ones under their name + SUFFIX, if given"},
    {OPT_CHECK, "check", NULL, NULL,
     "write nothing; print the names of the files that would change, exit 1 if any"},
    {OPT_REJECTS, "rejects", "FILE", "file", "put bad lines into FILE and go on (implies -k)"},
    CLI_COMMON};

static const struct cli_tool tool = {
    "evenorm", "[OPTION]... [FILE]...",
    "Rewrite eve event streams (NDJSON, versions 21 to 26) in delta-only form: appends lose the "
    "text "
    "so far that versions 21 to 24 repeat in each of them. Every other byte stays as it is. Reads "
    "standard input without FILE.",
    opts,
    "evenorm log.ndjson >new.ndjson\n"
    "evenorm -i.bak log.ndjson\n"
    "evenorm --check log.ndjson\n"
    "evenorm -c -u log.ndjson | gzip >log.gz\n"
    "curl -si \"$URL\" | evenorm -f http"};

struct options {
    struct feed_options feed;
    bool coalesce;
    bool dedupe;
    bool check;
    bool in_place;
    const char *suffix; /* of the backups, or NULL */
    const char *rejects;
    unsigned to;
};

/* The whole run. */
struct run {
    const struct options *options;
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

static enum eve_status on_bad(void *ctx, struct eve_err *err)
{
    struct run *run = ctx;
    return eve_norm_break(run->norm, &run->sink.out, err);
}

static void warn_restarts(struct run *run, const char *name)
{
    char text[160];
    uint64_t n = eve_norm_figures(run->norm)->restarts;
    if (n > 0) {
        (void)snprintf(text, sizeof text,
                       "%llu text%s again in the middle of a block, first here; "
                       "delta-only form cannot show that",
                       (unsigned long long)n, n == 1 ? " starts" : "s start");
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
        status = eve_out_flush(&run->rejects.out, &err);
        if (status == EVE_OK && fsync(run->rejects.out.fd) != 0 && errno != EINVAL) {
            status = eve_fail(&err, EVE_FAIL, EVE_RULE_NONE, "cannot write", 0, errno);
        }
        if (status != EVE_OK) {
            told_failure(run, run->options->rejects, &err);
            spoilt = true;
            end = FEED_ABORTED;
        }
    }
    run->bytes_out += spoilt || !changes ? run->feed.figures.bytes : run->sink.out.bytes;
    if (spoilt || !changes) {
        run->feed.sink = NULL;
        sink_abort(&run->sink);
        if (spoilt) {
            told_kept(run, name);
        }
    } else {
        status = sink_commit(&run->sink, &err);
        run->feed.sink = NULL;
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
    bool failed = run->sink.out.failure.sys != 0;
    bool keeps = run->sink.replaces && !run->sink.file.direct && !whole;
    enum eve_status status = EVE_OK;
    if (keeps || failed) {
        sink_abort(&run->sink);
    } else {
        status = sink_commit(&run->sink, &err);
    }
    run->feed.sink = NULL;
    if (status != EVE_OK) {
        feed_output_failed(&run->feed, &run->sink, &err);
        if (run->sink.out.failure.sys == 0) {
            report_raise(&run->report, CLI_EXIT_FAIL);
        }
    } else if (keeps) {
        told_kept(run, output);
    }
}

static void run_check(struct run *run, char *const *names, size_t count)
{
    struct eve_err err;
    struct sink list;
    char name[EVE_QUOTE_MAX];
    if (sink_open_nowhere(&run->sink, &err) != EVE_OK || sink_open(&list, NULL, &err) != EVE_OK) {
        told_failure(run, NULL, &err);
        return;
    }
    run->feed.sink = &list;
    enum eve_status status = EVE_OK;
    for (size_t i = 0; i < count && status == EVE_OK && !run->feed.full; i++) {
        enum feed_end end = feed_file(&run->feed, names[i]);
        if (finish_file(run, names[i], &end) && end == FEED_DONE) {
            report_raise(&run->report, CLI_EXIT_BAD);
            const char *shown = strcmp(names[i], "-") == 0 ? report_name(name, "-") : names[i];
            status = eve_out_put(&list.out, (struct eve_slice){shown, strlen(shown)}, &err);
            if (status == EVE_OK) {
                status = eve_out_put(&list.out, (struct eve_slice){"\n", 1}, &err);
            }
        }
    }
    run->bytes_out = run->sink.out.bytes;
    sink_abort(&run->sink);
    status = status == EVE_OK ? sink_commit(&list, &err) : status;
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
    int at = snprintf(text, sizeof text, "%s events, %s changed", report_count(n[0], t->events),
                      report_count(n[1], t->changed));
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

/* What must not go together. Returns an exit status, 0 if all is well. */
static int check_clashes(const struct options *o, char *const *names, size_t count)
{
    const char *with = NULL;
    if (o->in_place) {
        with = o->feed.output != NULL ? "--output" : with;
        with = o->check ? "--check" : with;
        with = o->feed.http ? "--from=http" : with;
        if (with != NULL) {
            return cli_usage(&tool, "--in-place does not go with %s", with);
        }
        for (size_t i = 0; i < count; i++) {
            if (strcmp(names[i], "-") == 0) {
                return cli_usage(&tool, "--in-place does not go with standard input");
            }
        }
        if (count == 0) {
            return cli_usage(&tool, "--in-place needs files");
        }
    }
    if (o->check && (o->rejects != NULL || o->feed.output != NULL)) {
        return cli_usage(&tool, "--check does not go with %s",
                         o->rejects != NULL ? "--rejects" : "--output");
    }
    return 0;
}

static bool suffix_is_good(const char *s)
{
    return strchr(".~-_", *s) != NULL && *s != '\0' && strchr(s, '/') == NULL;
}

/* Read the command line into *o. CLI_END to go on, else c->status is the exit status. */
static int read_options(struct cli *c, struct options *o)
{
    int id = 0;
    while ((id = cli_next(c)) > 0) {
        int status = 0;
        switch (id) {
        case 't':
            status = strcmp(c->arg, "25") != 0 && strcmp(c->arg, "26") != 0
                         ? cli_bad_arg(c, "25 or 26")
                         : 0;
            o->to = strcmp(c->arg, "25") == 0 ? 25 : 26;
            break;
        case 'c':
            o->coalesce = true;
            break;
        case 'u':
            o->dedupe = true;
            break;
        case 'i':
            o->in_place = true;
            o->suffix = c->arg;
            if (c->arg != NULL && !suffix_is_good(c->arg)) {
                status = cli_bad_arg(c, "a suffix that begins with . ~ - or _ and has no slash");
            }
            break;
        case OPT_CHECK:
            o->check = true;
            break;
        case OPT_REJECTS:
            o->rejects = c->arg;
            o->feed.keep_going = true;
            break;
        default:
            (void)feed_option(&o->feed, c, id, &status);
            break;
        }
        if (status != 0) {
            c->status = status;
            return CLI_USAGE;
        }
    }
    return id;
}

/* `path` names the same file as `st`. */
static bool is_same_file(const char *path, const struct stat *st)
{
    struct stat other;
    return stat(path, &other) == 0 && other.st_dev == st->st_dev && other.st_ino == st->st_ino;
}

/* The rejects may be the only copy of what they hold, so a file that has something is not replaced.
 */
static enum eve_status open_rejects(struct run *run, char *const *names, size_t count,
                                    struct eve_err *err)
{
    struct stat st = {0};
    const char *path = run->options->rejects;
    const char *output = run->options->feed.output;
    const char *refused = NULL;
    bool made = true;
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0666);
    if (fd < 0 && errno == EEXIST) {
        made = false;
        fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    }
    if (fd < 0 || fstat(fd, &st) != 0) {
        return eve_fail(err, EVE_FAIL, EVE_RULE_NONE, "cannot open", 0, errno);
    }
    if (output != NULL && (strcmp(output, path) == 0 || is_same_file(output, &st))) {
        refused = "the rejects and the output are one file";
    }
    for (size_t i = 0; i < count && refused == NULL; i++) {
        if (is_same_file(names[i], &st)) {
            refused = "the rejects and an input are one file";
        }
    }
    if (refused == NULL && S_ISREG(st.st_mode) && st.st_size > 0) {
        refused = "it holds something already and is not replaced";
    }
    if (refused != NULL) {
        (void)close(fd);
        if (made) {
            (void)unlink(path);
        }
        return eve_fail(err, EVE_FAIL, EVE_RULE_NONE, refused, 0, 0);
    }
    run->rejects = (struct sink){.name = path};
    return eve_out_init(&run->rejects.out, fd, err);
}

static void close_rejects(struct run *run)
{
    struct eve_err err;
    if (run->options->rejects == NULL || run->rejects.out.buf == NULL) {
        return;
    }
    enum eve_status status = eve_out_flush(&run->rejects.out, &err);
    if (close(run->rejects.out.fd) != 0 && status == EVE_OK) {
        status = eve_fail(&err, EVE_FAIL, EVE_RULE_NONE, "cannot write", 0, errno);
    }
    eve_out_fini(&run->rejects.out);
    if (status != EVE_OK) {
        told_failure(run, run->options->rejects, &err);
    }
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
    if (run->report.status < CLI_EXIT_FAIL) {
        close_with_figures(run);
    }
}

static int run_all(const struct options *o, char *const *names, size_t count)
{
    struct eve_err err;
    struct run run = {.options = o};
    struct eve_norm_options norm = {.coalesce = o->coalesce,
                                    .dedupe = o->dedupe,
                                    .dedupe_by_file = o->in_place,
                                    .watch_restarts = !o->feed.quiet};
    run.report = (struct report){.tool = tool.name, .quiet = o->feed.quiet};
    run.report.color = cli_want_color(o->feed.color, STDERR_FILENO);
    run.feed.options = o->feed;
    run.feed.tool = (struct feed_tool){
        .ctx = &run, .name_skills = o->to == 26, .event = on_event, .bad = on_bad};
    run.feed.report = &run.report;
    feed_seed(norm.seed);
    feed_init(&run.feed);
    enum eve_status status = eve_norm_new(&run.norm, &norm, &err);
    if (status != EVE_OK) {
        told_failure(&run, NULL, &err);
    } else if (o->rejects != NULL) {
        status = open_rejects(&run, names, count, &err);
        if (status != EVE_OK) {
            told_failure(&run, o->rejects, &err);
        }
        run.feed.rejects = &run.rejects;
    }
    if (status == EVE_OK) {
        run_files(&run, names, count);
    }
    close_rejects(&run);
    eve_norm_free(run.norm);
    feed_fini(&run.feed);
    return run.report.status;
}

int main(int argc, char **argv)
{
    static char dash[] = "-";
    static char *stdin_only[] = {dash};
    struct cli c;
    struct options o = {.to = 26};
    cli_init(&c, &tool, argc, argv);
    if (read_options(&c, &o) != CLI_END) {
        return c.status;
    }
    int status = check_clashes(&o, c.operands, c.noperands);
    if (status != 0) {
        return status;
    }
    if (c.noperands == 0 && isatty(STDIN_FILENO)) {
        return cli_no_input(&tool);
    }
    signals_init();
    return c.noperands == 0 ? run_all(&o, stdin_only, 1) : run_all(&o, c.operands, c.noperands);
}
