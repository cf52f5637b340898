#include "reference.h"

#include "buf.h"
#include "expect.h"
#include "expect_file.h"
#include "expect_write.h"
#include "feed.h"
#include "golden.h"
#include "mem.h"
#include "quote.h"
#include "source.h"
#include "str.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* An expectation is a small file that people write. */
enum { EXPECT_BYTES_MAX = 64 * 1024 * 1024 };

struct reference {
    struct reference_options options;
    struct eve_buf text; /* of the expectation */
    struct eve_expect_file file;
    struct eve_expect *expect; /* NULL: none */
    struct eve_golden *golden; /* NULL: none */
    char golden_name[EVE_QUOTE_MAX];
    struct eve_expect_tally seen; /* for reference_write */
    bool retries;                 /* of the file at hand */
};

/* Read all of `path` into `out`. */
static enum eve_status read_file(const char *path, struct eve_buf *out, struct eve_err *err)
{
    struct eve_source source;
    size_t n = 0;
    int fd = strcmp(path, "-") == 0
                 ? STDIN_FILENO
                 : (int)TEMP_FAILURE_RETRY(open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY));
    if (fd < 0) {
        return eve_fail(err, EVE_FAIL, EVE_RULE_NONE, "cannot open", 0, errno);
    }
    enum eve_status status = EVE_OK;
    eve_source_init(&source, fd, EVE_SOURCE_BLOCK, true);
    while (status == EVE_OK) {
        status = eve_buf_reserve(out, EVE_SOURCE_BLOCK, err);
        if (status == EVE_OK) {
            status = eve_source_read(&source, out->p + out->n, EVE_SOURCE_BLOCK, &n, err);
            out->n += status == EVE_OK ? n : 0;
            status = status == EVE_FAIL && err->sys == EINTR ? EVE_OK : status;
        }
    }
    eve_source_fini(&source);
    if (fd > STDIN_FILENO) {
        (void)close(fd);
    }
    return status == EVE_END ? EVE_OK : status;
}

static void tell_place(const struct reference *r, struct report *report, const struct eve_err *err)
{
    uint64_t line = 1;
    size_t from = 0;
    for (size_t i = 0; i < err->pos && i < r->text.n; i++) {
        if (r->text.p[i] == '\n') {
            line++;
            from = i + 1;
        }
    }
    const char *msg = *err->msg != '\0' ? err->msg : "it ends too soon";
    report_diag(report, EVE_LEVEL_ERROR, r->options.expect, line, err->pos - from + 1, msg, NULL);
    report_raise(report, CLI_EXIT_FAIL);
}

static bool load_expect(struct reference *r, struct report *report)
{
    struct eve_err err;
    enum eve_status status = read_file(r->options.expect, &r->text, &err);
    if (status == EVE_OK) {
        status = eve_expect_file_read(&r->file, eve_buf_slice(&r->text), &err);
    }
    if (status == EVE_BAD) {
        tell_place(r, report, &err);
        return false;
    }
    if (status == EVE_OK) {
        struct eve_expect_options options = {.file = &r->file, .finder = r->options.finder};
        memcpy(options.seed, r->options.seed, sizeof options.seed);
        status = eve_expect_new(&r->expect, &options, &err);
    }
    if (status != EVE_OK) {
        report_failure(report, r->options.expect, &err);
    }
    return status == EVE_OK;
}

static enum eve_status on_learn(void *ctx, const struct eve_event *ev, const struct eve_decoder *d,
                                const struct feed_place *place, struct eve_err *err)
{
    struct reference *r = ctx;
    return eve_golden_learn(r->golden, ev, d, place->line, err);
}

static bool load_golden(struct reference *r, struct report *report)
{
    struct eve_err err;
    struct eve_golden_options options = {.flow = {.ignore = {r->options.skip, r->options.skips},
                                                  .exact_chunks = r->options.exact_chunks},
                                         .name = report_name(r->golden_name, r->options.golden),
                                         .finder = r->options.finder};
    struct report own = {.tool = report->tool, .quiet = true, .color = report->color};
    struct feed feed = {.report = &own};
    memcpy(options.flow.seed, r->options.seed, sizeof options.flow.seed);
    feed.options = (struct feed_options){.quiet = true,
                                         .max_line = r->options.max_line,
                                         .group = r->options.group,
                                         .progress = CLI_NEVER};
    feed.tool = (struct feed_tool){.ctx = r, .name_skills = true, .event = on_learn};
    enum eve_status status = eve_golden_new(&r->golden, &options, &err);
    enum feed_end end = FEED_ABORTED;
    if (status == EVE_OK) {
        feed_init(&feed);
        end = feed_file(&feed, r->options.golden);
        feed_fini(&feed);
        status = eve_golden_learned(r->golden, &err);
    }
    if (status != EVE_OK) {
        report_failure(report, r->options.golden, &err);
    } else if (end != FEED_DONE) { /* it was told */
        report_raise(report, CLI_EXIT_FAIL);
    }
    return status == EVE_OK && end == FEED_DONE;
}

bool reference_stays(const struct reference_options *options, const char *output,
                     struct report *report)
{
    const char *const names[] = {options->golden, options->expect};
    struct stat out;
    bool got = output != NULL ? stat(output, &out) == 0 : fstat(STDOUT_FILENO, &out) == 0;
    for (size_t i = 0; got && S_ISREG(out.st_mode) && i < sizeof names / sizeof *names; i++) {
        if (names[i] != NULL && sink_is_file(names[i], &out)) {
            struct eve_err err = {EVE_RULE_NONE, "input file is also the output", 0, 0};
            report_failure(report, names[i], &err);
            return false;
        }
    }
    return true;
}

bool reference_new(struct reference **out, const struct reference_options *options,
                   struct report *report)
{
    struct eve_err err;
    struct reference *r = NULL;
    *out = NULL;
    if (eve_mem_resize(&r, 1, sizeof *r, &err) != EVE_OK) {
        report_failure(report, NULL, &err);
        return false;
    }
    *r = (struct reference){.options = *options};
    eve_buf_init(&r->text, EXPECT_BYTES_MAX);
    eve_expect_file_init(&r->file);
    eve_expect_tally_init(&r->seen, options->seed);
    *out = r;
    return (options->expect == NULL || load_expect(r, report)) &&
           (options->golden == NULL || load_golden(r, report));
}

void reference_free(struct reference *r)
{
    if (r != NULL) {
        eve_expect_free(r->expect);
        eve_golden_free(r->golden);
        eve_expect_file_fini(&r->file);
        eve_expect_tally_fini(&r->seen);
        eve_buf_fini(&r->text);
        eve_mem_free(r);
    }
}

bool reference_skip_is_good(const char *word)
{
    return eve_ignore_is_good(word);
}

enum eve_status reference_event(struct reference *r, const struct eve_event *ev,
                                const struct eve_decoder *d, unsigned version, uint64_t line,
                                uint64_t index, struct eve_err *err)
{
    enum eve_status status = EVE_OK;
    if (r->expect != NULL) {
        status = eve_expect_event(r->expect, ev, d, version, line, index, err);
    }
    if (status == EVE_OK && r->golden != NULL) {
        status = eve_golden_event(r->golden, ev, d, line, index, err);
    }
    if (status == EVE_OK && r->options.write_expect) {
        status = eve_expect_tally_event(&r->seen, ev, d, version, line, index, err);
    }
    return status;
}

void reference_saw(struct reference *r, const struct eve_finding *finding)
{
    if (finding->rule != EVE_RULE_RETRY && finding->rule != EVE_RULE_RESTART) {
        return;
    }
    r->retries = true;
    if (r->expect != NULL) {
        eve_expect_retry(r->expect, finding->line);
    }
}

enum eve_status reference_end(struct reference *r, bool whole, uint64_t bytes, struct eve_err *err)
{
    enum eve_status status = EVE_OK;
    if (r->expect != NULL) {
        status = eve_expect_end(r->expect, whole, bytes, err);
    }
    if (status == EVE_OK && r->golden != NULL) {
        status = eve_golden_end(r->golden, whole, err);
    }
    eve_expect_tally_clear(&r->seen);
    r->retries = false;
    return status;
}

enum eve_status reference_write(struct reference *r, struct eve_out *out, struct eve_err *err)
{
    struct eve_buf document;
    eve_buf_init(&document, SIZE_MAX / 2);
    enum eve_status status =
        eve_expect_write(&r->seen, r->options.group != NULL, r->retries, &document, err);
    if (status == EVE_OK) {
        status = eve_out_put(out, eve_buf_slice(&document), err);
    }
    eve_buf_fini(&document);
    return status;
}
