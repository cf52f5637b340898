#include "escape.h"
#include "format_ops.h"
#include "mem.h"
#include "quote.h"
#include "str.h"

#include <stdio.h>

struct tap {
    struct eve_buf items;   /* the findings of the file at hand, as they will be written */
    struct eve_buf decoded; /* a string on its way there */
    uint64_t point;
};

static enum eve_status open_tap(struct format *f, struct eve_err *err)
{
    char plan[64];
    struct tap *t = NULL;
    enum eve_status status = eve_mem_resize(&t, 1, sizeof *t, err);
    if (status != EVE_OK) {
        return status;
    }
    *t = (struct tap){.point = 0};
    eve_buf_init(&t->items, SIZE_MAX / 2);
    eve_buf_init(&t->decoded, SIZE_MAX / 2);
    f->state = t;
    (void)snprintf(plan, sizeof plan, "TAP version 13\n1..%zu\n", f->options.files);
    return eve_out_put(f->options.out, eve_str(plan), err);
}

static void close_tap(struct format *f)
{
    struct tap *t = f->state;
    if (t != NULL) {
        eve_buf_fini(&t->items);
        eve_buf_fini(&t->decoded);
        eve_mem_free(t);
    }
}

static enum eve_status begin_point(struct format *f, struct eve_err *err)
{
    struct tap *t = f->state;
    (void)err;
    eve_buf_clear(&t->items, (size_t)64 * 1024);
    return EVE_OK;
}

/* A line `NAME: "TEXT"` of the block. */
static enum eve_status put_text(struct eve_buf *out, const char *name, struct eve_slice text,
                                struct eve_err *err)
{
    enum eve_status status = FORMAT_PUTS(out, err, name, ": ");
    if (status == EVE_OK) {
        status = escape_json(out, text, err);
    }
    return status == EVE_OK ? eve_buf_putc(out, '\n', err) : status;
}

static enum eve_status put_number(struct eve_buf *out, const char *name, uint64_t n,
                                  struct eve_err *err)
{
    enum eve_status status = FORMAT_PUTS(out, err, name, ": ");
    if (status == EVE_OK) {
        status = eve_buf_put_u64(out, n, err);
    }
    return status == EVE_OK ? eve_buf_putc(out, '\n', err) : status;
}

/* YAML has no halves of surrogate pairs, so strings of the stream are written anew. */
static enum eve_status put_string(struct tap *t, const char *name, struct eve_slice string,
                                  struct eve_err *err)
{
    t->decoded.n = 0;
    enum eve_status status = format_decode(string, &t->decoded, err);
    return status == EVE_OK ? put_text(&t->items, name, eve_buf_slice(&t->decoded), err) : status;
}

static enum eve_status add_finding(struct format *f, const struct eve_finding *finding,
                                   struct eve_err *err)
{
    struct tap *t = f->state;
    if (f->in_file[0] + f->in_file[1] + f->in_file[2] > FORMAT_TAP_MAX) {
        return EVE_OK;
    }
    struct eve_buf *out = &t->items;
    enum eve_status status =
        FORMAT_PUTS(out, err, "    - severity: ", eve_diag_level(finding->level),
                    "\n      rule: ", eve_rules_get(finding->rule)->id, "\n");
    if (status == EVE_OK && finding->line > 0) {
        status = put_number(out, "      line", finding->line, err);
    }
    if (status == EVE_OK && finding->column > 0) {
        status = put_number(out, "      column", finding->column, err);
    }
    if (status == EVE_OK) {
        status = put_text(out, "      message", eve_str(finding->message), err);
    }
    if (status == EVE_OK && finding->event != EVE_FINDING_NO_EVENT) {
        status = put_number(out, "      event", finding->event, err);
    }
    if (status == EVE_OK && finding->type.n > 0) {
        status = put_string(t, "      type", finding->type, err);
    }
    return status == EVE_OK && finding->id.n > 0 ? put_string(t, "      id", finding->id, err)
                                                 : status;
}

/* `ok 1 - NAME`, in which a # would begin a directive. */
static enum eve_status put_point(struct format *f, bool ok, struct eve_err *err)
{
    struct tap *t = f->state;
    char number[40];
    char name[EVE_QUOTE_MAX];
    (void)snprintf(number, sizeof number, " %llu - ", (unsigned long long)++t->point);
    enum eve_status status = FORMAT_PUTS(&f->piece, err, ok ? "ok" : "not ok", number);
    eve_quote(name, sizeof name, format_file(f), true);
    for (const char *p = name; *p != '\0' && status == EVE_OK; p++) {
        if (*p == '#') {
            status = eve_buf_putc(&f->piece, '\\', err);
        }
        if (status == EVE_OK) {
            status = eve_buf_putc(&f->piece, *p, err);
        }
    }
    return status == EVE_OK ? eve_buf_putc(&f->piece, '\n', err) : status;
}

static enum eve_status put_block(struct format *f, const char *trouble, struct eve_err *err)
{
    const struct tap *t = f->state;
    struct eve_buf *out = &f->piece;
    uint64_t findings = f->in_file[0] + f->in_file[1] + f->in_file[2];
    enum eve_status status = eve_buf_puts(out, "  ---\n", err);
    if (status == EVE_OK) {
        status = put_text(out, "  file", format_file(f), err);
    }
    if (status == EVE_OK && trouble != NULL) {
        status = put_text(out, "  trouble", eve_str(trouble), err);
    }
    if (status == EVE_OK && findings > 0) {
        status = eve_buf_puts(out, "  findings:\n", err);
    }
    if (status == EVE_OK) {
        status = eve_buf_put(out, eve_buf_slice(&t->items), err);
    }
    if (status == EVE_OK && findings > FORMAT_TAP_MAX) {
        status = put_number(out, "  more", findings - FORMAT_TAP_MAX, err);
    }
    return status == EVE_OK ? eve_buf_puts(out, "  ...\n", err) : status;
}

static enum eve_status end_point(struct format *f, const char *trouble, struct eve_err *err)
{
    const uint64_t *n = f->in_file;
    bool fails =
        n[EVE_LEVEL_ERROR] > 0 || (n[EVE_LEVEL_WARNING] > 0 && format_fails(f, EVE_LEVEL_WARNING));
    enum eve_status status = put_point(f, !fails && trouble == NULL, err);
    if (status == EVE_OK && (n[0] + n[1] + n[2] > 0 || trouble != NULL)) {
        status = put_block(f, trouble, err);
    }
    return status == EVE_OK ? format_flush_piece(f, err) : status;
}

static enum eve_status end_tap(struct format *f, const char *trouble, struct eve_err *err)
{
    char text[EVE_QUOTE_MAX];
    if (trouble == NULL) {
        return EVE_OK;
    }
    eve_quote(text, sizeof text, eve_str(trouble), false);
    enum eve_status status = FORMAT_PUTS(&f->piece, err, "Bail out!  ", text, "\n");
    return status == EVE_OK ? format_flush_piece(f, err) : status;
}

const struct format_ops format_tap = {.open = open_tap,
                                      .begin_file = begin_point,
                                      .finding = add_finding,
                                      .end_file = end_point,
                                      .end = end_tap,
                                      .close = close_tap};
