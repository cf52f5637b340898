/*
 * eveaccum: deltas become texts again.
 *
 * The way of an event:
 *   argv -> cli (option table) -> struct options, constant from then on
 *   feed: line -> event -> decode (the version's rules)
 *   cursor, dedupe: was it taken before?
 *   accum: texts of open blocks -> record, cumulate or transcript; or messages; or answer
 *   sink -> out -> file or standard output; keep: what a later run has to know
 */
#include "accum.h"
#include "accum_options.h"
#include "answer.h"
#include "cli.h"
#include "cumulate.h"
#include "cursor.h"
#include "dedupe.h"
#include "feed.h"
#include "keep.h"
#include "messages.h"
#include "record.h"
#include "report.h"
#include "signals.h"
#include "sink.h"
#include "spell.h"
#include "str.h"
#include "text.h"
#include "transcript.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The whole run. */
struct run {
    const struct accum_options *options;
    struct report report;
    struct feed feed;
    struct sink sink;
    uint64_t seed[2];
    struct eve_cursor cursor;
    struct eve_dedupe dedupe;
    struct eve_accum *accum;
    struct eve_messages *messages; /* NULL in any other mode */
    struct eve_answers answers;
    struct eve_transcript transcript;
    struct keep keep;
    bool save_failed;
    bool refused;         /* the input begins where nobody can know what was taken before */
    const char *name;     /* of the file at hand */
    struct eve_buf group; /* name of the group member, spelled */
    uint64_t events;
    uint64_t dropped;
    uint64_t blocks;
    uint64_t bytes_in;
    uint64_t bytes_out;
    uint64_t bad;
};

static enum eve_status on_ended(void *ctx, const struct eve_ending *e, struct eve_err *err)
{
    struct run *run = ctx;
    run->blocks++;
    if (run->options->as == AS_TEXT) {
        return eve_transcript_block(&run->transcript, e, &run->sink.out, err);
    }
    return eve_record_write(e, eve_buf_slice(&run->group), &run->sink.out, err);
}

static void told_failure(struct run *run, const char *name, const struct eve_err *err)
{
    run->feed.sink = NULL;
    report_failure(&run->report, name, err);
}

/* *skip: the event was taken before. */
static enum eve_status look_back(struct run *run, const struct eve_event *ev, bool *skip,
                                 struct eve_err *err)
{
    bool without = false;
    *skip = false;
    enum eve_status status = eve_cursor_look(&run->cursor, ev, skip, err);
    if (status == EVE_OK && !*skip && run->options->dedupe) {
        status = eve_dedupe_see(&run->dedupe, ev, skip, &without, err);
        status = status == EVE_OK && *skip ? eve_cursor_drop(&run->cursor, ev, err) : status;
    }
    run->dropped += *skip ? 1 : 0;
    return status;
}

static enum eve_status on_event(void *ctx, const struct eve_event *ev, const struct eve_decoder *d,
                                const struct feed_place *place, struct eve_err *err)
{
    struct run *run = ctx;
    const struct accum_options *o = run->options;
    bool skip = false;
    uint64_t index = 0;
    (void)place;
    enum eve_status status = look_back(run, ev, &skip, err);
    if (status == EVE_FAIL && err->sys == 0) {
        run->refused = run->feed.full = true;
        told_failure(run, run->name, err);
        return EVE_OK;
    }
    if (status != EVE_OK || skip) {
        return status;
    }
    if (o->as == AS_MESSAGES) {
        status = eve_messages_event(run->messages, ev, err);
        run->events += status == EVE_OK ? 1 : 0;
        return status;
    }
    run->events++;
    status = eve_cursor_take(&run->cursor, ev, &index, err);
    if (status == EVE_OK && o->final) {
        return eve_answer_event(&run->answers, ev, &run->sink.out, err);
    }
    if (status == EVE_OK) {
        status = eve_accum_event(run->accum, ev, d->legacy, index, err);
    }
    if (status == EVE_OK && o->as == AS_EVENTS) {
        bool bare = ev->type <= EVE_EVENT_INPUT_APPENDED && !d->legacy;
        status =
            eve_cumulate_write(ev, bare ? eve_accum_draft(run->accum) : NULL, &run->sink.out, err);
    } else if (status == EVE_OK && o->as == AS_TEXT) {
        status = eve_transcript_event(&run->transcript, ev, &run->sink.out, err);
    }
    return status;
}

/* A bad line was passed over. Where it is an event all the same, the server counts it. */
static enum eve_status on_bad(void *ctx, struct eve_err *err)
{
    struct run *run = ctx;
    (void)err;
    switch (run->feed.figures.bad_rule) {
    case EVE_RULE_JSON_SYNTAX:
    case EVE_RULE_JSON_UTF8:
    case EVE_RULE_TRUNCATED:
    case EVE_RULE_NOT_OBJECT:
    case EVE_RULE_TYPE_MISSING:
        break;
    default:
        eve_cursor_pass(&run->cursor);
    }
    return EVE_OK;
}

/* Before a read: a signal that was noted ends the reading; while it is quiet, the state is saved.
 */
static int on_wait(void *ctx, bool blocks)
{
    struct run *run = ctx;
    struct eve_err err;
    int wait_ms = -1;
    if (signals_noted() != 0) {
        return -2;
    }
    if (blocks && keep_tick(&run->keep, &run->sink.out, &wait_ms, &err) != EVE_OK) {
        run->save_failed = true;
        run->feed.sink = NULL;
        report_failure(&run->report, run->options->state, &err);
        return -2;
    }
    return wait_ms;
}

/* Print what is open, and forget all of the input. */
static enum eve_status close_input(struct run *run, struct eve_err *err)
{
    enum eve_status status = EVE_OK;
    if (run->options->final) {
        status = eve_answer_end(&run->answers, &run->sink.out, err);
    } else if (run->options->as == AS_MESSAGES) {
        status = eve_messages_write(run->messages, &run->sink.out, err);
    }
    return status == EVE_OK ? eve_accum_end(run->accum, err) : status;
}

static void forget_input(struct run *run)
{
    eve_accum_clear(run->accum);
    if (run->messages != NULL) {
        eve_messages_clear(run->messages);
    }
    eve_dedupe_clear(&run->dedupe);
    eve_transcript_next(&run->transcript);
}

/* Read one file. */
static enum feed_end read_file(struct run *run, const char *name)
{
    struct eve_err err;
    bool keeps = run->options->state != NULL;
    enum eve_status status = EVE_OK;
    if (run->options->starts || !keeps) {
        status = eve_cursor_start_at(&run->cursor, run->options->start_index,
                                     keeps && run->keep.found, &err);
    } else {
        status = eve_cursor_start(&run->cursor, &err);
    }
    if (status != EVE_OK) {
        told_failure(run, name, &err);
        return FEED_ABORTED;
    }
    run->name = name;
    enum feed_end end = feed_file(&run->feed, name);
    end = run->refused ? FEED_ABORTED : end;
    run->bytes_in += run->feed.figures.bytes;
    run->bad += run->feed.figures.bad;
    if (!keeps && end != FEED_ABORTED) {
        if (close_input(run, &err) != EVE_OK) {
            feed_output_failed(&run->feed, &run->sink, &err);
            end = FEED_ABORTED;
        }
        forget_input(run);
    }
    return end;
}

/* Read all files into the one sink. True if all of them were read to their ends; *aborted: no use
 * in going on. */
static bool read_files(struct run *run, char *const *names, size_t count, bool *aborted)
{
    bool whole = true;
    enum feed_end end = FEED_DONE;
    for (size_t i = 0; i < count && !run->feed.full && end != FEED_ABORTED; i++) {
        end = read_file(run, names[i]);
        whole = whole && end == FEED_DONE;
    }
    *aborted = end == FEED_ABORTED;
    return whole;
}

/* Leave the state behind. What was printed comes first. */
static void save_state(struct run *run)
{
    struct eve_err err;
    if (keep_save(&run->keep, &run->sink.out, &err) == EVE_OK) {
        return;
    }
    if (run->sink.out.failure.sys != 0) {
        feed_output_failed(&run->feed, &run->sink, &err);
    } else {
        told_failure(run, run->options->state, &err);
    }
}

static void open_transcript(struct run *run)
{
    const struct accum_options *o = run->options;
    bool terminal = isatty(run->sink.out.fd) == 1;
    run->transcript.options = (struct eve_transcript_options){
        .reasoning = o->reasoning,
        .nul = o->nul,
        .terminal = terminal,
        .color = terminal && cli_want_color(o->feed.color, run->sink.out.fd)};
    run->answers.options.terminal = terminal;
}

static void run_to_output(struct run *run, char *const *names, size_t count)
{
    struct eve_err err;
    const struct accum_options *o = run->options;
    bool whole = true;
    bool aborted = false;
    if (o->feed.output == NULL && !feed_check_inputs(&run->feed, names, count)) {
        return;
    }
    if (sink_open(&run->sink, o->feed.output, &err) != EVE_OK) {
        told_failure(run, o->feed.output, &err);
        return;
    }
    run->feed.sink = &run->sink;
    open_transcript(run);
    if (o->flush && close_input(run, &err) != EVE_OK) {
        feed_output_failed(&run->feed, &run->sink, &err);
        aborted = true;
    } else if (!o->flush) {
        feed_measure(&run->feed, names, count);
        whole = read_files(run, names, count, &aborted);
    }
    if (o->state != NULL && !aborted && !run->save_failed) {
        save_state(run);
    }
    run->bytes_out = run->sink.out.bytes;
    feed_close_output(&run->feed, &run->sink, whole, EVE_OK, &err);
}

static void close_with_figures(struct run *run)
{
    char text[512];
    char n[4][32];
    const struct accum_options *o = run->options;
    int at = snprintf(text, sizeof text, "%s event%s", report_count(n[0], run->events),
                      run->events == 1 ? "" : "s");
    if (run->dropped > 0 || o->dedupe) {
        at += snprintf(text + at, sizeof text - (size_t)at, ", %s dropped",
                       report_count(n[0], run->dropped));
    }
    if (o->as == AS_BLOCKS) {
        at += snprintf(text + at, sizeof text - (size_t)at, ", %s block%s",
                       report_count(n[0], run->blocks), run->blocks == 1 ? "" : "s");
    }
    if (run->bad > 0) {
        at +=
            snprintf(text + at, sizeof text - (size_t)at, ", %s bad", report_count(n[0], run->bad));
    }
    (void)snprintf(text + at, sizeof text - (size_t)at, "; %s bytes in, %s out",
                   report_count(n[1], run->bytes_in), report_count(n[2], run->bytes_out));
    report_note(&run->report, text);
}

/* What the run is made of, and what the run before left. */
static enum eve_status open_run(struct run *run, struct eve_err *err)
{
    const struct accum_options *o = run->options;
    struct eve_accum_options accum = {
        .seed = {run->seed[0], run->seed[1]},
        .ended = o->as == AS_EVENTS ? NULL : on_ended,
        .ctx = run,
    };
    enum eve_status status = eve_accum_new(&run->accum, &accum, err);
    if (status == EVE_OK && o->as == AS_MESSAGES) {
        const char *group = o->feed.group != NULL ? o->feed.group : "";
        status = eve_messages_new(&run->messages, eve_str(group), run->seed, err);
    }
    if (status == EVE_OK && o->feed.group != NULL) {
        status = eve_spell_plain(&run->group, eve_str(o->feed.group), err);
    }
    if (status != EVE_OK || o->state == NULL) {
        return status;
    }
    struct eve_state state = {.as = accum_as_name(o->as),
                              .final = o->final,
                              .reasoning = o->reasoning,
                              .nul = o->nul,
                              .group = eve_buf_slice(&run->group),
                              .cursor = &run->cursor,
                              .accum = run->accum,
                              .answers = &run->answers,
                              .begun = &run->transcript.begun,
                              .dedupe = o->dedupe ? &run->dedupe : NULL};
    keep_init(&run->keep, o->state, &state);
    run->cursor.keeps_ids = true;
    status = keep_load(&run->keep, err);
    if (status == EVE_OK && o->flush && !run->keep.found) {
        status = eve_fail(err, EVE_FAIL, EVE_RULE_NONE, "there is no such state", 0, 0);
    }
    run->feed.tool.wait = on_wait;
    run->feed.tool.wake_fd = signals_note();
    return status;
}

static void close_run(struct run *run)
{
    if (run->options->state != NULL) {
        keep_fini(&run->keep);
    }
    eve_accum_free(run->accum);
    eve_messages_free(run->messages);
    eve_answer_fini(&run->answers);
    eve_transcript_fini(&run->transcript);
    eve_cursor_fini(&run->cursor);
    eve_dedupe_fini(&run->dedupe);
    eve_buf_fini(&run->group);
    feed_fini(&run->feed);
}

static int run_all(const struct accum_options *o, char *const *names, size_t count)
{
    struct eve_err err;
    struct run run = {.options = o};
    struct eve_transcript_options transcript = {0};
    struct eve_answers_options answers = {.nul = o->nul};
    run.report = (struct report){.tool = accum_tool.name, .quiet = o->feed.quiet};
    run.report.color = cli_want_color(o->feed.color, STDERR_FILENO);
    run.feed.options = o->feed;
    run.feed.tool = (struct feed_tool){.ctx = &run, .event = on_event, .bad = on_bad};
    run.feed.report = &run.report;
    feed_seed(run.seed);
    feed_init(&run.feed);
    memcpy(answers.seed, run.seed, sizeof answers.seed);
    eve_cursor_init(&run.cursor, run.seed);
    eve_dedupe_init(&run.dedupe, run.seed);
    eve_answer_init(&run.answers, &answers);
    eve_transcript_init(&run.transcript, &transcript);
    eve_buf_init(&run.group, SIZE_MAX / 2);
    if (open_run(&run, &err) != EVE_OK) {
        told_failure(&run, o->state, &err);
    } else {
        run_to_output(&run, names, count);
    }
    if (run.report.status < CLI_EXIT_FAIL && signals_noted() == 0) {
        close_with_figures(&run);
    }
    close_run(&run);
    if (signals_noted() != 0) {
        signals_die(signals_noted());
    }
    return run.report.status;
}

/* What to print, where the command line does not say it, is what the run did that left the state.
 * `name` gets the name of the group member. */
static void take_mode(struct accum_options *o, struct eve_buf *name)
{
    struct eve_buf text;
    struct eve_err ignored; /* no memory: the state will be refused */
    struct eve_state_mode mode;
    eve_buf_init(&text, SIZE_MAX / 2);
    if (keep_mode(o->state, &text, &mode)) {
        static const enum accum_as kept[] = {AS_BLOCKS, AS_EVENTS, AS_TEXT};
        for (size_t i = 0; i < sizeof kept / sizeof *kept && !o->as_given; i++) {
            o->as = eve_text_is(mode.as, accum_as_name(kept[i])) ? kept[i] : o->as;
        }
        o->final = o->final || mode.final;
        o->reasoning = o->reasoning || mode.reasoning;
        o->nul = o->nul || mode.nul;
        if (o->feed.group == NULL && mode.group.kind == EVE_JSON_STRING &&
            eve_text_decode(eve_text_of(mode.group), name, &ignored) == EVE_OK &&
            eve_buf_putc(name, '\0', &ignored) == EVE_OK) {
            o->feed.group = name->p;
        }
    }
    eve_buf_fini(&text);
}

int main(int argc, char **argv)
{
    static char dash[] = "-";
    static char *stdin_only[] = {dash};
    struct cli c;
    struct accum_options o;
    struct eve_buf group;
    if (!accum_options_read(&o, &c, argc, argv)) {
        return c.status;
    }
    if (c.noperands == 0 && !o.flush && isatty(STDIN_FILENO)) {
        return cli_no_input(&accum_tool);
    }
    signals_init();
    eve_buf_init(&group, SIZE_MAX / 2);
    if (o.flush) {
        take_mode(&o, &group);
    }
    int status =
        c.noperands == 0 ? run_all(&o, stdin_only, 1) : run_all(&o, c.operands, c.noperands);
    eve_buf_fini(&group);
    return status;
}
