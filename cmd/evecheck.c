/*
 * evecheck: is this stream right, and is it what the test expects?
 *
 * The way of an event:
 *   argv -> cli (option table) -> struct options, constant from then on
 *   feed: line -> event -> decode; a bad line becomes a finding and the reading goes on
 *   check (the rules), golden, expect -> findings -> finder (their levels) -> format -> sink
 *   report: failures, closing line, exit status
 */
#include "check.h"
#include "cli.h"
#include "feed.h"
#include "format.h"
#include "reference.h"
#include "report.h"
#include "rulebook.h"
#include "rules.h"
#include "signals.h"
#include "sink.h"
#include "str.h"

#include <string.h>
#include <unistd.h>

enum {
    OPT_FORMAT = CLI_OPT_OWN,
    OPT_NO_RETRIES,
    OPT_STRICT,
    OPT_SEVERITY,
    OPT_DISABLE,
    OPT_START_INDEX,
    OPT_EXPECT,
    OPT_WRITE_EXPECT,
    OPT_GOLDEN,
    OPT_IGNORE,
    OPT_EXACT_CHUNKS,
    OPT_LIST_RULES,
    OPT_EXPLAIN
};

/* As many --ignore as one may give. */
enum { SKIPS_MAX = 256 };

static const struct cli_opt opts[] = {
    {OPT_FORMAT, "format", "FORMAT", FORMAT_WORDS,
     "print findings as text (the default), json, github, sarif, junit or tap"},
    {OPT_STRICT, "strict", NULL, NULL, "exit 1 for warnings, too"},
    {OPT_NO_RETRIES, "no-retries", NULL, NULL,
     "failed attempts (rules retry and restart) are errors"},
    {OPT_SEVERITY, "severity", "RULE=LEVEL", NULL,
     "findings of RULE are of LEVEL: error, warning, note or off"},
    {OPT_DISABLE, "disable", "RULE", RULEBOOK_WORDS, "findings of RULE do not count: RULE=off"},
    {OPT_START_INDEX, "start-index", "N", NULL,
     "the stream was joined at event N; with N over 0 it may begin in the middle"},
    {OPT_EXPECT, "expect", "FILE", "file", "hold each file against the expectation in FILE"},
    {OPT_WRITE_EXPECT, "write-expect", NULL, NULL,
     "write an expectation that the stream meets, as a start, instead of findings"},
    {OPT_GOLDEN, "golden", "FILE", "file",
     "compare each file with the stream in FILE, whatever its chunks and its version"},
    {OPT_IGNORE, "ignore", "TYPE/PATH", NULL,
     "with --golden: that member of events of TYPE does not count; without PATH no such event "
     "does; * stands for any type or name"},
    {OPT_EXACT_CHUNKS, "exact-chunks", NULL, NULL, "with --golden: chunks count"},
    {OPT_LIST_RULES, "list-rules", NULL, NULL, "print the rules with their levels and end"},
    {OPT_EXPLAIN, "explain", "RULE", RULEBOOK_WORDS, "print what RULE is about and end"},
    CLI_COMMON_OF("as always: go on after a bad line",
                  "no findings, closing line or progress; the exit status says it all")};

static const struct cli_tool tool = {
    "evecheck", "[OPTION]... [FILE]...",
    "Check eve event streams (NDJSON, versions 21 to 26): every line, and the stream as a whole. "
    "Findings are printed; errors make the exit status 1. Reads standard input without FILE.",
    opts,
    "evecheck log.ndjson\n"
    "evecheck --strict --no-retries fixtures/*.ndjson\n"
    "evecheck --format=sarif -o evecheck.sarif log.ndjson\n"
    "evecheck --golden=old.ndjson --ignore=session.waiting/data/usage new.ndjson\n"
    "evecheck --explain=text-diverged"};

struct options {
    struct feed_options feed;
    struct eve_finder finder; /* the levels */
    int format;               /* enum format_kind */
    bool format_given;
    bool strict;
    bool no_retries;
    bool list_rules;
    unsigned explain; /* a rule, or 0 */
    uint64_t start_index;
    struct reference_options against; /* --expect, --golden and what goes with them */
    const char *skip[SKIPS_MAX];      /* --ignore */
};

/* The whole run. */
struct run {
    const struct options *options;
    struct report report;
    struct feed feed;
    struct sink sink;
    struct eve_finder finder;
    struct format *format; /* NULL: findings are only counted */
    struct eve_check *check;
    struct reference *against;
    uint64_t found[3]; /* by enum eve_level */
    uint64_t events;
};

static bool is_full(const struct run *run)
{
    uint64_t max = run->options->feed.max_errors;
    return max > 0 && run->found[EVE_LEVEL_ERROR] >= max;
}

static enum eve_status on_found(void *ctx, const struct eve_finding *f, struct eve_err *err)
{
    struct run *run = ctx;
    if (is_full(run)) {
        return EVE_OK;
    }
    run->found[f->level]++;
    run->feed.full = is_full(run);
    reference_saw(run->against, f);
    if (run->options->against.write_expect && f->level != EVE_LEVEL_NOTE) {
        report_diag(&run->report, f->level, run->feed.name, f->line, f->column, f->message,
                    eve_rules_get(f->rule)->id);
    }
    return run->format != NULL ? format_finding(run->format, f, err) : EVE_OK;
}

static enum eve_status on_event(void *ctx, const struct eve_event *ev, const struct eve_decoder *d,
                                const struct feed_place *place, struct eve_err *err)
{
    struct run *run = ctx;
    uint64_t index = eve_check_index(run->check);
    enum eve_status status =
        eve_check_event(run->check, ev, d, run->feed.version, place->line, err);
    return status == EVE_OK
               ? reference_event(run->against, ev, d, run->feed.version, place->line, index, err)
               : status;
}

static enum eve_status on_bad(void *ctx, const struct eve_event *ev, bool parsed,
                              const struct feed_place *place, const struct eve_err *why,
                              struct eve_err *err)
{
    struct run *run = ctx;
    return eve_check_bad(run->check, ev, parsed, place->line, why, err);
}

/* Hold the file against what was given, or write what it is to be held against. */
static enum eve_status finish_against(struct run *run, bool whole, struct eve_err *err)
{
    if (run->options->against.write_expect && whole && run->found[EVE_LEVEL_ERROR] == 0) {
        return reference_write(run->against, &run->sink.out, err);
    }
    return reference_end(run->against, whole, run->feed.figures.bytes, err);
}

/* The file is read as far as it goes. False: the output or memory failed. */
static bool finish_file(struct run *run, enum feed_end end)
{
    struct eve_err err;
    static const char *const trouble[] = {[FEED_STOPPED] = "stopped: --max-errors is reached",
                                          [FEED_FAILED] = "could not be read",
                                          [FEED_ABORTED] = "could not be checked to its end"};
    enum eve_status status = EVE_OK;
    if (end == FEED_ABORTED) {
        return false;
    }
    run->events += run->feed.figures.events;
    status = end == FEED_DONE ? eve_check_empty(run->check, &err) : EVE_OK;
    if (status == EVE_OK) {
        status = eve_check_end(run->check, &err);
    }
    if (status == EVE_OK) {
        status = finish_against(run, end == FEED_DONE && !is_full(run), &err);
    }
    if (status == EVE_OK && run->format != NULL) {
        end = is_full(run) ? FEED_STOPPED : end;
        status = format_end_file(run->format, end == FEED_DONE ? NULL : trouble[end], &err);
    }
    if (status != EVE_OK) {
        feed_output_failed(&run->feed, &run->sink, &err);
    }
    return status == EVE_OK;
}

/* Check all files. True if each was read to its end, or --max-errors ended the run. */
static bool check_files(struct run *run, char *const *names, size_t count)
{
    struct eve_err err;
    bool whole = true;
    for (size_t i = 0; i < count && !is_full(run); i++) {
        enum eve_status status =
            run->format != NULL ? format_begin_file(run->format, names[i], &err) : EVE_OK;
        if (status != EVE_OK) {
            feed_output_failed(&run->feed, &run->sink, &err);
            return false;
        }
        run->feed.figures = (struct feed_figures){0};
        enum feed_end end = feed_file(&run->feed, names[i]);
        if (!finish_file(run, end)) {
            return false;
        }
        whole = whole && end != FEED_FAILED &&
                (!run->options->against.write_expect || run->found[EVE_LEVEL_ERROR] == 0);
    }
    return whole;
}

static enum eve_status open_format(struct run *run, size_t count, struct eve_err *err)
{
    const struct options *o = run->options;
    struct format_options format = {.kind = (enum format_kind)o->format,
                                    .out = &run->sink.out,
                                    .finder = &run->finder,
                                    .files = count,
                                    .strict = o->strict,
                                    .color = o->feed.output == NULL &&
                                             cli_want_color(o->feed.color, STDOUT_FILENO)};
    return o->feed.quiet || o->against.write_expect ? EVE_OK
                                                    : format_new(&run->format, &format, err);
}

/* End the report and put the output in place, or leave the old file as it is. */
static void close_output(struct run *run, bool whole)
{
    struct eve_err err;
    enum eve_status status = EVE_OK;
    if (run->format != NULL && run->sink.out.failure.sys == 0) {
        status = format_end(run->format, is_full(run) ? "--max-errors is reached" : NULL, &err);
    }
    feed_close_output(&run->feed, &run->sink, whole, status, &err);
}

static void told_failure(struct run *run, const char *name, const struct eve_err *err)
{
    run->feed.sink = NULL;
    report_failure(&run->report, name, err);
}

static void run_files(struct run *run, char *const *names, size_t count)
{
    struct eve_err err;
    char text[FORMAT_SUMMARY_MAX];
    const char *output = run->options->feed.output;
    if (output == NULL && !feed_check_inputs(&run->feed, names, count)) {
        return;
    }
    if (sink_open(&run->sink, output, &err) != EVE_OK) {
        told_failure(run, output, &err);
        return;
    }
    run->feed.sink = &run->sink;
    feed_measure(&run->feed, names, count);
    bool whole = false;
    if (open_format(run, count, &err) != EVE_OK) {
        told_failure(run, NULL, &err);
    } else {
        whole = check_files(run, names, count);
    }
    close_output(run, whole);
    bool bad = run->found[EVE_LEVEL_ERROR] > 0 ||
               (run->options->strict && run->found[EVE_LEVEL_WARNING] > 0);
    report_raise(&run->report, bad ? CLI_EXIT_BAD : CLI_EXIT_OK);
    if (run->format != NULL && run->report.status < CLI_EXIT_FAIL) {
        report_note(&run->report, format_summary(run->format, run->events, text));
    }
}

static int run_all(const struct options *o, char *const *names, size_t count)
{
    struct eve_err err;
    struct run run = {.options = o, .finder = o->finder};
    struct eve_check_options check = {.finder = &run.finder, .start_index = o->start_index};
    struct reference_options against = o->against;
    run.report = (struct report){.tool = tool.name, .quiet = o->feed.quiet};
    run.report.color = cli_want_color(o->feed.color, STDERR_FILENO);
    run.finder.found = on_found;
    run.finder.ctx = &run;
    run.feed.options = o->feed;
    run.feed.tool =
        (struct feed_tool){.ctx = &run, .name_skills = true, .event = on_event, .finding = on_bad};
    run.feed.report = &run.report;
    feed_seed(check.seed);
    against.skip = o->skip;
    against.group = o->feed.group;
    against.max_line = o->feed.max_line;
    against.finder = &run.finder;
    memcpy(against.seed, check.seed, sizeof against.seed);
    feed_init(&run.feed);
    if (!reference_stays(&against, o->feed.output, &run.report) ||
        !reference_new(&run.against, &against, &run.report)) {
        run.feed.sink = NULL; /* it was told */
    } else if (eve_check_new(&run.check, &check, &err) != EVE_OK) {
        told_failure(&run, NULL, &err);
    } else {
        run_files(&run, names, count);
    }
    eve_check_free(run.check);
    reference_free(run.against);
    format_free(run.format);
    feed_fini(&run.feed);
    return run.report.status;
}

/* Take an option of this tool. Returns an exit status, 0 if all is well. */
static int take_option(struct options *o, const struct cli *c, int id)
{
    int status = 0;
    switch (id) {
    case OPT_FORMAT:
        o->format_given = true;
        return cli_choice(c->arg, FORMAT_WORDS, &o->format)
                   ? 0
                   : cli_bad_arg(c, "text, json, github, sarif, junit or tap");
    case OPT_STRICT:
        o->strict = true;
        return 0;
    case OPT_NO_RETRIES:
        o->no_retries = true;
        return 0;
    case OPT_SEVERITY:
        return rulebook_set(&o->finder, c->arg, NULL)
                   ? 0
                   : cli_bad_arg(c, "RULE=LEVEL (see --list-rules; error, warning, note or off)");
    case OPT_DISABLE:
        return rulebook_set(&o->finder, c->arg, "off") ? 0
                                                       : cli_bad_arg(c, "a rule of --list-rules");
    case OPT_START_INDEX:
        return cli_count(c->arg, &o->start_index) ? 0 : cli_bad_arg(c, "a number");
    case OPT_EXPECT:
        o->against.expect = c->arg;
        return 0;
    case OPT_WRITE_EXPECT:
        o->against.write_expect = true;
        return 0;
    case OPT_GOLDEN:
        o->against.golden = c->arg;
        return 0;
    case OPT_EXACT_CHUNKS:
        o->against.exact_chunks = true;
        return 0;
    case OPT_IGNORE:
        if (o->against.skips == SKIPS_MAX || !reference_skip_is_good(c->arg)) {
            return cli_bad_arg(c, "TYPE or TYPE/PATH (at most 256 times)");
        }
        o->skip[o->against.skips++] = c->arg;
        return 0;
    case OPT_LIST_RULES:
        o->list_rules = true;
        return 0;
    case OPT_EXPLAIN:
        o->explain = eve_rules_find(eve_str(c->arg));
        return o->explain != EVE_RULE_NONE ? 0 : cli_bad_arg(c, "a rule of --list-rules");
    default:
        (void)feed_option(&o->feed, c, id, &status);
        return status;
    }
}

/* Read the command line into *o. CLI_END to go on, else c->status is the exit status. */
static int read_options(struct cli *c, struct options *o)
{
    int id = 0;
    while ((id = cli_next(c)) > 0) {
        int status = take_option(o, c, id);
        if (status != 0) {
            c->status = status;
            return CLI_USAGE;
        }
    }
    static const unsigned retries[] = {EVE_RULE_RETRY, EVE_RULE_RESTART};
    for (size_t i = 0; o->no_retries && i < sizeof retries / sizeof *retries; i++) {
        if (!o->finder.given[retries[i]]) {
            eve_finder_set(&o->finder, retries[i], EVE_LEVEL_ERROR);
        }
    }
    return id;
}

/* So many names, of inputs and of what they are held against, are standard input. */
static size_t count_stdin(const struct options *o, char *const *names, size_t count)
{
    const char *const against[] = {o->against.golden, o->against.expect};
    size_t n = count == 0 ? 1 : 0;
    for (size_t i = 0; i < count; i++) {
        n += strcmp(names[i], "-") == 0 ? 1 : 0;
    }
    for (size_t i = 0; i < sizeof against / sizeof *against; i++) {
        n += against[i] != NULL && strcmp(against[i], "-") == 0 ? 1 : 0;
    }
    return n;
}

/* What must not go together. Returns an exit status, 0 if all is well. */
static int check_clashes(const struct options *o, char *const *names, size_t count)
{
    const struct reference_options *a = &o->against;
    if (a->golden == NULL && (a->skips > 0 || a->exact_chunks)) {
        return cli_usage(&tool, "%s goes with --golden only",
                         a->exact_chunks ? "--exact-chunks" : "--ignore");
    }
    if (a->write_expect) {
        const char *with = o->format_given ? "--format" : NULL;
        with = a->expect != NULL ? "--expect" : with;
        with = a->golden != NULL ? "--golden" : with;
        with = count > 1 ? "several files" : with;
        if (with != NULL) {
            return cli_usage(&tool, "--write-expect does not go with %s", with);
        }
    }
    if (count_stdin(o, names, count) > 1) {
        return cli_usage(&tool, "standard input can be read only once");
    }
    return 0;
}

int main(int argc, char **argv)
{
    static char dash[] = "-";
    static char *stdin_only[] = {dash};
    struct cli c;
    struct options o = {0};
    eve_finder_init(&o.finder, NULL, NULL);
    cli_init(&c, &tool, argc, argv);
    if (read_options(&c, &o) != CLI_END) {
        return c.status;
    }
    if (o.list_rules || o.explain != EVE_RULE_NONE) {
        return rulebook_show(tool.name, o.list_rules ? 0 : o.explain);
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
