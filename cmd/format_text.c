#include "diag.h"
#include "format_ops.h"
#include "quote.h"
#include "report.h"
#include "str.h"

#include <stdio.h>

/* A raw JSON string as a person reads it, without its quotes. */
static enum eve_status put_word(struct eve_buf *out, const char *before, struct eve_slice string,
                                struct eve_err *err)
{
    char word[EVE_QUOTE_MAX];
    if (string.n < 2) {
        return EVE_OK;
    }
    eve_quote(word, sizeof word, eve_str_sub(string, 1, string.n - 1), false);
    return FORMAT_PUTS(out, err, before, word);
}

/* The second line: which event, and what stands there. */
static enum eve_status put_event(struct eve_buf *out, const struct eve_finding *finding,
                                 struct eve_err *err)
{
    char word[EVE_QUOTE_MAX];
    const char *before = "    ";
    enum eve_status status = EVE_OK;
    if (finding->event != EVE_FINDING_NO_EVENT) {
        (void)snprintf(word, sizeof word, "event %llu", (unsigned long long)finding->event);
        status = FORMAT_PUTS(out, err, before, word);
        before = ", ";
    }
    if (status == EVE_OK && finding->type.n > 0) {
        status = put_word(out, before, finding->type, err);
        before = ", ";
    }
    if (status == EVE_OK && finding->id.n > 0) {
        status = put_word(out, before, finding->id, err);
        before = ", ";
    }
    if (status == EVE_OK && finding->excerpt.n > 0) {
        before = *before == ',' ? ": " : before;
        eve_quote(word, sizeof word, finding->excerpt, false);
        status = FORMAT_PUTS(out, err, before, word);
        before = ", ";
    }
    return status == EVE_OK && *before != ' ' ? eve_buf_putc(out, '\n', err) : status;
}

static enum eve_status put_finding(struct format *f, const struct eve_finding *finding,
                                   struct eve_err *err)
{
    char name[EVE_QUOTE_MAX];
    struct eve_diag d = {"evecheck",
                         report_name(name, f->name),
                         finding->line,
                         finding->column,
                         finding->level,
                         finding->message,
                         eve_rules_get(finding->rule)->id,
                         f->options.color};
    enum eve_status status = eve_diag_format(&d, &f->piece, err);
    if (status == EVE_OK) {
        status = put_event(&f->piece, finding, err);
    }
    return status == EVE_OK ? format_flush_piece(f, err) : status;
}

const struct format_ops format_text = {.finding = put_finding};
