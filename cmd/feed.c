#include "feed.h"

#include "explain.h"
#include "signals.h"
#include "simd.h"
#include "str.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIPE_BYTES (1 << 20)

/* Before a message: what was written so far comes first, and the progress line goes. */
static void before_message(void *ctx)
{
    struct feed *f = ctx;
    struct eve_err ignored; /* sticks, and is told when the tool writes next */
    progress_clear(&f->progress);
    if (f->sink != NULL && eve_out_flush(&f->sink->out, &ignored) != EVE_OK) {
        return;
    }
}

void feed_init(struct feed *f)
{
    bool terminal = isatty(STDERR_FILENO) != 0;
    const char *term = getenv("TERM");
    bool dumb = term == NULL || strcmp(term, "dumb") == 0;
    bool on = !f->options.quiet && (f->options.progress == CLI_ALWAYS ||
                                    (f->options.progress == CLI_AUTO && terminal && !dumb));
    const char *read_bytes = getenv("EVETOOLS_TEST_READ");
    size_t size = 0;
    if (read_bytes != NULL && cli_size(read_bytes, &size)) {
        f->read_bytes = size;
    }
    f->plain = getenv("EVETOOLS_TEST_PLAIN") != NULL;
    (void)eve_simd_choose(getenv("EVETOOLS_TEST_PORTABLE") != NULL ? EVE_SIMD_PORTABLE
                                                                   : EVE_SIMD_AVX2);
    progress_init(&f->progress, on);
    eve_decode_init(&f->decoder);
    eve_template_init(&f->templates);
    f->report->before = before_message;
    f->report->ctx = f;
}

void feed_fini(struct feed *f)
{
    progress_clear(&f->progress);
    eve_decode_fini(&f->decoder);
    eve_template_fini(&f->templates);
    if (f->owns_snapshots) {
        eve_snapshot_free(f->snapshots);
    }
    f->report->before = NULL;
}

void feed_output_failed(struct feed *f, const struct sink *sink, const struct eve_err *err)
{
    if (sink != NULL && sink_is_broken_pipe(sink)) {
        signals_die_of_pipe();
    }
    f->sink = NULL; /* nothing to flush any more */
    /* A sink that writes well fails only while its file is put in place; else it is memory. */
    bool out = sink != NULL && (sink->out.failure.sys != 0 || err->sys != ENOMEM);
    report_failure(f->report, out ? sink->name : NULL, err);
}

void feed_close_output(struct feed *f, struct sink *sink, bool whole, enum eve_status status,
                       struct eve_err *err)
{
    bool leaves = sink->replaces && !sink->file.direct && !whole;
    if (leaves || status != EVE_OK || sink->out.failure.sys != 0) {
        sink_abort(sink);
    } else {
        status = sink_commit(sink, err);
    }
    f->sink = NULL;
    if (status != EVE_OK) {
        feed_output_failed(f, sink, err);
    } else if (leaves) {
        report_diag(f->report, EVE_LEVEL_ERROR, f->options.output, 0, 0, "left as it is", NULL);
    }
}

/* The line reader is about to read, and may have to wait. */
static int on_read(void *ctx, bool blocks)
{
    struct feed *f = ctx;
    struct eve_err ignored; /* sticks, and is told when the tool writes next */
    enum eve_status status = EVE_OK;
    if (f->sink != NULL) {
        status = blocks ? eve_out_flush(&f->sink->out, &ignored)
                        : eve_out_settle(&f->sink->out, &ignored);
    }
    if (status == EVE_OK && blocks && f->rejects != NULL) {
        status = eve_out_flush(&f->rejects->out, &ignored);
    }
    progress_tick(&f->progress, f->bytes_before + f->lines.source.taken);
    if (status != EVE_OK) {
        return -2; /* no use in reading on when nothing can be written */
    }
    return f->tool.wait != NULL ? f->tool.wait(f->tool.ctx, blocks) : -1;
}

/* Keep a bad line, of which `line` is all or the beginning. */
static enum eve_status reject(struct feed *f, struct eve_slice line, struct eve_err *err)
{
    struct eve_slice piece;
    enum eve_status status = EVE_OK;
    if (f->rejects != NULL) {
        status = eve_out_put(&f->rejects->out, line, err);
    }
    size_t whole = line.n;
    while (status == EVE_OK && (status = eve_line_rest(&f->lines, &piece, err)) == EVE_OK) {
        whole += piece.n;
        if (f->rejects != NULL) {
            status = eve_out_put(&f->rejects->out, piece, err);
        }
    }
    if (status == EVE_END) {
        status = EVE_OK;
    }
    if (whole > line.n) {
        f->figures.bad_bytes += whole - line.n;
        f->figures.longest = whole > f->figures.longest ? whole : f->figures.longest;
    }
    f->figures.bad_bytes += f->lines.rest_ended ? 1 : 0;
    return status == EVE_OK && f->rejects != NULL
               ? eve_out_put(&f->rejects->out, eve_str("\n"), err)
               : status;
}

/* Tell a bad line, or hand it to the tool. True: go on. */
static bool tell_bad(struct feed *f, const struct eve_event *ev, bool parsed,
                     const struct eve_line *line, const struct eve_err *why, enum feed_end *end)
{
    char text[512];
    struct eve_err err;
    explain_line(text, sizeof text, ev, line->number, why);
    if (f->tool.finding != NULL) {
        struct feed_place place = {f->name, line->number};
        struct eve_err told = {why->rule, text, why->pos, why->sys};
        *end = FEED_DONE;
        if (f->tool.finding(f->tool.ctx, ev, parsed, &place, &told, &err) != EVE_OK) {
            feed_output_failed(f, f->sink, &err);
            *end = FEED_ABORTED;
        }
        return *end == FEED_DONE;
    }
    report_diag(f->report, EVE_LEVEL_ERROR, f->name, line->number, why->pos + 1, text,
                eve_diag_rule(why->rule));
    f->errors++;
    *end = f->options.keep_going ? FEED_DONE : FEED_STOPPED;
    return *end == FEED_DONE;
}

/* A bad line: tell it and go on or not. */
static enum feed_end take_bad(struct feed *f, const struct eve_event *ev, bool parsed,
                              const struct eve_line *line, const struct eve_err *why)
{
    struct eve_err err;
    enum feed_end end = FEED_DONE;
    f->figures.bad++;
    f->figures.bad_line = line->number;
    f->figures.bad_rule = why->rule;
    f->figures.bad_bytes += line->text.n + (line->ended ? 1 : 0);
    if (!tell_bad(f, ev, parsed, line, why, &end)) {
        return end;
    }
    enum eve_status status = reject(f, line->text, &err);
    if (status != EVE_OK) {
        feed_output_failed(f, f->rejects, &err);
        return FEED_ABORTED;
    }
    if (f->tool.finding == NULL && f->options.max_errors > 0 &&
        f->errors >= f->options.max_errors) {
        f->full = true;
        return FEED_STOPPED;
    }
    status = f->tool.bad != NULL ? f->tool.bad(f->tool.ctx, &err) : EVE_OK;
    if (status != EVE_OK) {
        feed_output_failed(f, f->sink, &err);
        return FEED_ABORTED;
    }
    return FEED_DONE;
}

/* Decode the event. Delta-only appends of one shape are all good, with nothing to cut. */
static enum eve_status decode(struct feed *f, const struct eve_event *ev, struct eve_err *err)
{
    bool restarted = false; /* of no interest here */
    if (ev->shape == 0 || ev->shape != f->decoded) {
        f->decoded = 0;
        enum eve_status status = eve_decode(&f->decoder, ev, f->version, f->tool.name_skills, err);
        if (status != EVE_OK) {
            return status;
        }
        f->decoded = f->decoder.legacy ? 0 : ev->shape;
    }
    return f->owns_snapshots && (f->decoder.legacy || !eve_snapshot_is_empty(f->snapshots))
               ? eve_snapshot_see(f->snapshots, ev, f->decoder.legacy, &restarted, err)
               : EVE_OK;
}

static enum feed_end take_event(struct feed *f, const struct eve_event *ev,
                                const struct eve_line *line)
{
    struct eve_err err;
    struct feed_place place = {f->name, line->number};
    enum eve_status status = decode(f, ev, &err);
    if (status == EVE_OK) {
        status = f->tool.event(f->tool.ctx, ev, &f->decoder, &place, &err);
    }
    if (status == EVE_BAD) {
        return take_bad(f, ev, true, line, &err);
    }
    f->figures.events++;
    f->figures.transport_bytes += ev->line.n - ev->text.n;
    f->figures.open_end = !line->ended;
    if (status == EVE_OK && f->options.line_buffered && f->sink != NULL) {
        status = eve_out_flush(&f->sink->out, &err);
    }
    if (status != EVE_OK) {
        feed_output_failed(f, f->sink, &err);
        return FEED_ABORTED;
    }
    return FEED_DONE;
}

/* `walk`: templates are not asked. `tried`: they did not know the line when its bytes were at hand.
 */
static enum feed_end take_line(struct feed *f, const struct eve_line *line, bool walk, bool tried)
{
    struct eve_event ev;
    struct eve_err err;
    struct eve_slice whole = {line->text.p, line->text.n + 1};
    struct eve_event_options options = {f->options.group != NULL ? eve_str(f->options.group)
                                                                 : (struct eve_slice){0}};
    f->figures.longest = line->text.n > f->figures.longest ? line->text.n : f->figures.longest;
    const struct eve_event *known = walk || tried || !line->ended
                                        ? NULL
                                        : eve_template_match(&f->templates, whole, f->snapshots);
    if (known != NULL) {
        return take_event(f, known, line);
    }
    if (eve_event_parse(&ev, line->text, line->ended, &options, &err) != EVE_OK) {
        return take_bad(f, &ev, false, line, &err);
    }
    if (ev.kind != EVE_LINE_EVENT) {
        f->figures.transport_bytes += line->text.n + (line->ended ? 1 : 0);
        return FEED_DONE;
    }
    if (!walk && eve_template_learn(&f->templates, &ev, f->snapshots, &err) != EVE_OK) {
        feed_output_failed(f, f->sink, &err);
        return FEED_ABORTED;
    }
    return take_event(f, &ev, line);
}

/* May delta-only appends be taken many at once? */
static bool takes_runs(const struct feed *f)
{
    bool declared = f->version != EVE_VERSION_AUTO && f->version < 25;
    return !declared && !f->options.line_buffered && f->options.max_line == 0;
}

/* Lines that templates know, all at once: those that the tool lets pass, or (behind an event, `ev`)
 * those that are like it. */
static enum feed_end take_run(struct feed *f, const struct eve_event *ev)
{
    uint64_t count = 0;
    struct eve_err err;
    enum eve_status status = EVE_OK;
    struct eve_slice lines = eve_line_peek(&f->lines);
    bool (*asked)(void *ctx) = ev != NULL ? f->tool.takes_more : f->tool.passes;
    if (asked == NULL || !takes_runs(f) || !asked(f->tool.ctx)) {
        return FEED_DONE;
    }
    lines.n = ev != NULL ? eve_template_more(&f->templates, lines, &count, &f->figures.longest)
                         : eve_template_run(&f->templates, lines, &count, &f->figures.longest);
    if (lines.n == 0) {
        return FEED_DONE;
    }
    eve_line_pass(&f->lines, lines.n, count);
    f->figures.events += count;
    f->figures.open_end = false;
    status = ev != NULL ? f->tool.more(f->tool.ctx, ev, lines, count, &err)
                        : f->tool.pass(f->tool.ctx, lines, count, &err);
    if (status != EVE_OK) {
        feed_output_failed(f, f->sink, &err);
        return FEED_ABORTED;
    }
    return FEED_DONE;
}

/* Take lines that templates know as long as there are any, without looking for their ends first. */
static enum feed_end take_templates(struct feed *f)
{
    const struct eve_event *ev = NULL;
    struct eve_line line;
    size_t max = f->options.max_line;
    enum feed_end end = take_run(f, NULL);
    while (end == FEED_DONE && !f->full &&
           (ev = eve_template_match(&f->templates, eve_line_peek(&f->lines), f->snapshots)) !=
               NULL &&
           (max == 0 || ev->line.n <= max)) {
        eve_line_take(&f->lines, ev->line.n, &line);
        f->figures.longest = line.text.n > f->figures.longest ? line.text.n : f->figures.longest;
        end = take_event(f, ev, &line);
        end = end == FEED_DONE ? take_run(f, ev) : end;
    }
    return end;
}

/* The text ends too soon, in the line `number`: a response or compressed data does. */
static enum feed_end take_short_body(struct feed *f, uint64_t number, const struct eve_err *why)
{
    struct eve_event none = {0};
    struct eve_line line = {.number = number};
    enum feed_end end = FEED_DONE;
    if (f->tool.finding != NULL) {
        (void)tell_bad(f, &none, false, &line, why, &end);
        return end;
    }
    f->figures.bad++;
    f->figures.bad_line = number;
    f->figures.bad_rule = why->rule;
    report_diag(f->report, EVE_LEVEL_ERROR, f->name, number, why->pos + 1, why->msg,
                eve_diag_rule(why->rule));
    return FEED_STOPPED;
}

/* What comes cannot be decoded, after `column` bytes of the line `number`. */
static enum feed_end take_broken(struct feed *f, uint64_t number, size_t column)
{
    char text[256];
    const struct eve_err *why = &f->lines.broken;
    if (why->rule == EVE_RULE_TRUNCATED) {
        struct eve_err here = {why->rule, why->msg, column, 0};
        return take_short_body(f, number, &here);
    }
    (void)snprintf(text, sizeof text, why->pos > 0 ? "%s (byte %llu and on)" : "%s", why->msg,
                   (unsigned long long)why->pos + 1);
    report_raise(f->report, CLI_EXIT_FAIL);
    report_diag(f->report, EVE_LEVEL_ERROR, f->name, number, column + 1, text, NULL);
    return FEED_FAILED;
}

/* This is what is left of a line before something that cannot be decoded, and no event. */
static bool is_piece(const struct feed *f, const struct eve_line *line)
{
    struct eve_event ev;
    struct eve_err ignored;
    struct eve_event_options options = {0};
    return !line->ended && f->lines.broken.msg != NULL &&
           eve_event_parse(&ev, line->text, false, &options, &ignored) != EVE_OK;
}

static enum feed_end take_piece(struct feed *f, const struct eve_line *line)
{
    struct eve_err err;
    if (reject(f, line->text, &err) != EVE_OK) {
        feed_output_failed(f, f->rejects, &err);
        return FEED_ABORTED;
    }
    return take_broken(f, line->number, line->text.n);
}

/* The reader gave no line: why? */
static enum feed_end take_end(struct feed *f, enum eve_status status, const struct eve_err *err)
{
    static const struct eve_err too_short = {
        EVE_RULE_TRUNCATED, "the body is shorter than its content-length says", 0, 0};
    if (status == EVE_END) {
        return f->body_end > f->lines.bytes ? take_short_body(f, f->lines.number + 1, &too_short)
                                            : FEED_DONE;
    }
    if (err->sys == EINTR && f->sink != NULL && f->sink->out.failure.sys != 0) {
        struct eve_err failure = f->sink->out.failure;
        feed_output_failed(f, f->sink, &failure);
        return FEED_ABORTED;
    }
    if (err->sys == EINTR) {
        return FEED_INTERRUPTED;
    }
    if (f->lines.broken.msg != NULL) {
        return take_broken(f, f->lines.number + 1, 0);
    }
    report_failure(f->report, f->name, err);
    return FEED_FAILED;
}

/* Nothing is known of the file that begins. */
static enum eve_status forget(struct feed *f, struct eve_err *err)
{
    eve_template_clear(&f->templates);
    f->decoded = 0;
    if (f->snapshots == NULL && !f->plain) {
        uint64_t seed[2];
        feed_seed(seed);
        enum eve_status status = eve_snapshot_new(&f->snapshots, seed, err);
        f->owns_snapshots = status == EVE_OK;
        return status;
    }
    if (f->owns_snapshots) {
        eve_snapshot_clear(f->snapshots);
    }
    return EVE_OK;
}

enum feed_end feed_fd(struct feed *f, int fd, const char *name)
{
    struct eve_line line;
    struct eve_err err;
    struct eve_line_options options = {f->options.max_line, f->read_bytes, on_read, f,
                                       f->tool.wake_fd,     f->plain};
    enum feed_end end = FEED_DONE;
    struct sink *sink = f->sink;
    f->name = name;
    f->figures = (struct feed_figures){0};
    f->version = f->options.version;
    f->body_end = 0;
    sink_widen_pipe(fd, PIPE_BYTES);
    if (forget(f, &err) != EVE_OK) {
        feed_output_failed(f, NULL, &err);
        return FEED_ABORTED;
    }
    eve_line_init(&f->lines, fd, &options);
    if (f->options.http) {
        end = feed_head(f);
    }
    uint64_t head_lines = f->lines.number;
    while (end == FEED_DONE && !f->full) {
        bool walk = f->plain || eve_template_rests(&f->templates);
        end = walk ? FEED_DONE : take_templates(f);
        if (end != FEED_DONE) {
            break;
        }
        size_t seen = eve_line_peek(&f->lines).n;
        enum eve_status status = eve_line_next(&f->lines, &line, &err);
        if (status == EVE_OK && is_piece(f, &line)) {
            end = take_piece(f, &line);
            break;
        }
        if (status == EVE_OK) {
            end = take_line(f, &line, walk, line.text.n < seen);
        } else if (status == EVE_BAD) {
            struct eve_event none = {.line = line.text};
            end = take_bad(f, &none, false, &line, &err);
        } else {
            end = take_end(f, status, &err);
            break;
        }
    }
    end = end == FEED_DONE && f->full ? FEED_STOPPED : end;
    f->figures.lines = f->lines.number - head_lines;
    f->figures.bytes = f->lines.bytes - (f->lines.to - f->lines.from); /* not what was read ahead */
    f->figures.transport_bytes += f->lines.framing;
    f->bytes_before += f->lines.source.taken;
    if (sink != NULL) { /* an abort leaves lines lent, and now they go; a failure sticks */
        (void)!eve_out_settle(&sink->out, &err);
    }
    eve_line_fini(&f->lines);
    return end;
}

enum feed_end feed_file(struct feed *f, const char *name)
{
    struct eve_err err;
    struct stat st;
    int fd = strcmp(name, "-") == 0
                 ? STDIN_FILENO
                 : (int)TEMP_FAILURE_RETRY(open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY));
    if (fd < 0 || fstat(fd, &st) != 0) {
        err = (struct eve_err){EVE_RULE_NONE, "cannot open", 0, errno};
        report_failure(f->report, name, &err);
        f->figures = (struct feed_figures){0};
        return FEED_FAILED;
    }
    if (S_ISREG(st.st_mode)) {
        (void)posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    }
    enum feed_end end = feed_fd(f, fd, name);
    if (fd != STDIN_FILENO) {
        (void)close(fd);
    }
    return end;
}
