#include "format.h"

#include "format_ops.h"
#include "mem.h"
#include "quote.h"
#include "report.h"
#include "str.h"
#include "text.h"

#include <errno.h>
#include <stdio.h>

static const struct format_ops *const all_ops[FORMAT_COUNT] = {
    [FORMAT_TEXT] = &format_text,     [FORMAT_JSON] = &format_json,
    [FORMAT_GITHUB] = &format_github, [FORMAT_SARIF] = &format_sarif,
    [FORMAT_JUNIT] = &format_junit,   [FORMAT_TAP] = &format_tap,
};

enum eve_status format_new(struct format **out, const struct format_options *options,
                           struct eve_err *err)
{
    struct format *f = NULL;
    enum eve_status status = eve_mem_resize(&f, 1, sizeof *f, err);
    if (status != EVE_OK) {
        return status;
    }
    *f = (struct format){.options = *options, .ops = all_ops[options->kind]};
    eve_buf_init(&f->piece, SIZE_MAX / 2);
    status = f->ops->open != NULL ? f->ops->open(f, err) : EVE_OK;
    if (status != EVE_OK) {
        format_free(f);
        return status;
    }
    *out = f;
    return EVE_OK;
}

void format_free(struct format *f)
{
    if (f != NULL) {
        if (f->ops->close != NULL) {
            f->ops->close(f);
        }
        eve_buf_fini(&f->piece);
        eve_mem_free(f);
    }
}

enum eve_status format_begin_file(struct format *f, const char *name, struct eve_err *err)
{
    f->name = name;
    f->counts.files++;
    memset(f->in_file, 0, sizeof f->in_file);
    return f->ops->begin_file != NULL ? f->ops->begin_file(f, err) : EVE_OK;
}

enum eve_status format_finding(struct format *f, const struct eve_finding *finding,
                               struct eve_err *err)
{
    f->counts.level[finding->level]++;
    f->in_file[finding->level]++;
    return f->ops->finding(f, finding, err);
}

enum eve_status format_end_file(struct format *f, const char *trouble, struct eve_err *err)
{
    enum eve_status status = f->ops->end_file != NULL ? f->ops->end_file(f, trouble, err) : EVE_OK;
    bool failed = trouble != NULL;
    for (int level = EVE_LEVEL_NOTE; level <= EVE_LEVEL_ERROR; level++) {
        failed = failed || (f->in_file[level] > 0 && format_fails(f, (enum eve_level)level));
    }
    f->counts.failed_files += failed ? 1 : 0;
    f->name = NULL;
    return status;
}

enum eve_status format_end(struct format *f, const char *trouble, struct eve_err *err)
{
    enum eve_status status = f->name != NULL ? format_end_file(f, trouble, err) : EVE_OK;
    return status == EVE_OK && f->ops->end != NULL ? f->ops->end(f, trouble, err) : status;
}

const struct format_counts *format_counts(const struct format *f)
{
    return &f->counts;
}

const char *format_summary(const struct format *f, uint64_t events, char *buf)
{
    const uint64_t *level = f->counts.level;
    uint64_t counts[] = {f->counts.files, events, level[EVE_LEVEL_ERROR], level[EVE_LEVEL_WARNING],
                         level[EVE_LEVEL_NOTE]};
    static const char *const nouns[] = {"file", "event", "error", "warning", "note"};
    static const char *const before[] = {"", ", ", ": ", ", ", ", "};
    size_t at = 0;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        char digits[32];
        int n = snprintf(buf + at, FORMAT_SUMMARY_MAX - at, "%s%s %s%s", before[i],
                         report_count(digits, counts[i]), nouns[i], counts[i] == 1 ? "" : "s");
        at += n > 0 ? (size_t)n : 0;
    }
    return buf;
}

struct eve_slice format_file(const struct format *f)
{
    return eve_str(strcmp(f->name, "-") == 0 ? "<stdin>" : f->name);
}

bool format_fails(const struct format *f, enum eve_level level)
{
    return level == EVE_LEVEL_ERROR || (f->options.strict && level == EVE_LEVEL_WARNING);
}

enum eve_status format_flush_piece(struct format *f, struct eve_err *err)
{
    enum eve_status status = eve_out_put(f->options.out, eve_buf_slice(&f->piece), err);
    eve_buf_clear(&f->piece, (size_t)64 * 1024);
    return status;
}

enum eve_status format_puts(struct eve_buf *out, const char *const *parts, struct eve_err *err)
{
    enum eve_status status = EVE_OK;
    for (; *parts != NULL && status == EVE_OK; parts++) {
        status = eve_buf_puts(out, *parts, err);
    }
    return status;
}

enum eve_status format_line(const struct format *f, const struct eve_finding *finding,
                            struct eve_buf *out, struct eve_err *err)
{
    char name[EVE_QUOTE_MAX];
    char place[64] = "";
    if (finding->line > 0 && finding->column > 0) {
        (void)snprintf(place, sizeof place, "%llu:%llu:", (unsigned long long)finding->line,
                       (unsigned long long)finding->column);
    } else if (finding->line > 0) {
        (void)snprintf(place, sizeof place, "%llu:", (unsigned long long)finding->line);
    }
    return FORMAT_PUTS(out, err, report_name(name, f->name), ":", place, " ",
                       eve_diag_level(finding->level), ": ", finding->message, "\n");
}

enum eve_status format_no_memory(struct eve_err *err)
{
    return eve_fail(err, EVE_FAIL, EVE_RULE_NONE, "out of memory", 0, ENOMEM);
}

enum eve_status format_decode(struct eve_slice string, struct eve_buf *out, struct eve_err *err)
{
    return string.n < 2 ? EVE_OK : eve_text_decode(eve_str_sub(string, 1, string.n - 1), out, err);
}
