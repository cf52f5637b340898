#include "escape.h"
#include "format_ops.h"
#include "mem.h"
#include "report.h"
#include "str.h"

#include <stdio.h>

/* Nothing can be written before the last file is done: the most severe come first. */
struct github {
    struct eve_buf lines[3]; /* the first commands of each level, as they will be written */
    size_t shown[3];         /* how many that is */
    size_t last_note;        /* where the last of the notes begins, when all room is taken */
    uint64_t over[3];        /* findings that are not among them */
};

static const char *const commands[3] = {
    [EVE_LEVEL_NOTE] = "notice", [EVE_LEVEL_WARNING] = "warning", [EVE_LEVEL_ERROR] = "error"};

static enum eve_status open_github(struct format *f, struct eve_err *err)
{
    struct github *g = NULL;
    enum eve_status status = eve_mem_resize(&g, 1, sizeof *g, err);
    if (status == EVE_OK) {
        *g = (struct github){.last_note = 0};
        for (int level = 0; level < 3; level++) {
            eve_buf_init(&g->lines[level], SIZE_MAX / 2);
        }
        f->state = g;
    }
    return status;
}

static void close_github(struct format *f)
{
    struct github *g = f->state;
    for (int level = 0; g != NULL && level < 3; level++) {
        eve_buf_fini(&g->lines[level]);
    }
    eve_mem_free(g);
}

/* One command. `name`, `rule`: NULL if it is about none; `line`, `column`: 0 likewise. */
static enum eve_status put_command(struct eve_buf *out, enum eve_level level,
                                   const struct eve_slice *file, const struct eve_finding *finding,
                                   const char *title, const char *text, struct eve_err *err)
{
    char place[80] = "";
    enum eve_status status = FORMAT_PUTS(out, err, "::", commands[level], " ");
    if (finding != NULL && finding->line > 0 && finding->column > 0) {
        (void)snprintf(place, sizeof place, "line=%llu,col=%llu,",
                       (unsigned long long)finding->line, (unsigned long long)finding->column);
    } else if (finding != NULL && finding->line > 0) {
        (void)snprintf(place, sizeof place, "line=%llu,", (unsigned long long)finding->line);
    }
    if (status == EVE_OK && file != NULL) {
        status = eve_buf_puts(out, "file=", err);
        if (status == EVE_OK) {
            status = escape_github(out, *file, true, err);
        }
        if (status == EVE_OK) {
            status = FORMAT_PUTS(out, err, ",", place);
        }
    }
    if (status == EVE_OK) {
        status = FORMAT_PUTS(out, err, "title=", title, "::");
    }
    if (status == EVE_OK) {
        status = escape_github(out, eve_str(text), false, err);
    }
    return status == EVE_OK ? eve_buf_putc(out, '\n', err) : status;
}

static enum eve_status keep(struct format *f, enum eve_level level,
                            const struct eve_finding *finding, const char *title, const char *text,
                            struct eve_err *err)
{
    struct github *g = f->state;
    struct eve_slice file = f->name != NULL ? format_file(f) : (struct eve_slice){0};
    if (g->shown[level] == FORMAT_GITHUB_MAX) {
        g->over[level]++;
        return EVE_OK;
    }
    if (level == EVE_LEVEL_NOTE && g->shown[level] == FORMAT_GITHUB_MAX - 1) {
        g->last_note = g->lines[level].n;
    }
    g->shown[level]++;
    return put_command(&g->lines[level], level, f->name != NULL ? &file : NULL, finding, title,
                       text, err);
}

static enum eve_status keep_finding(struct format *f, const struct eve_finding *finding,
                                    struct eve_err *err)
{
    return keep(f, finding->level, finding, eve_rules_get(finding->rule)->id, finding->message,
                err);
}

static enum eve_status keep_trouble(struct format *f, const char *trouble, struct eve_err *err)
{
    return trouble == NULL ? EVE_OK : keep(f, EVE_LEVEL_ERROR, NULL, "evecheck", trouble, err);
}

/* The line for the rest is a notice itself, so it takes the place of the last one. */
static enum eve_status put_rest(struct github *g, struct eve_buf *out, struct eve_err *err)
{
    char text[160];
    char digits[3][32];
    if (g->over[EVE_LEVEL_ERROR] + g->over[EVE_LEVEL_WARNING] + g->over[EVE_LEVEL_NOTE] == 0) {
        return EVE_OK;
    }
    if (g->shown[EVE_LEVEL_NOTE] == FORMAT_GITHUB_MAX) {
        g->lines[EVE_LEVEL_NOTE].n = g->last_note;
        g->over[EVE_LEVEL_NOTE]++;
    }
    (void)snprintf(text, sizeof text, "not shown here: %s errors, %s warnings, %s notes",
                   report_count(digits[0], g->over[EVE_LEVEL_ERROR]),
                   report_count(digits[1], g->over[EVE_LEVEL_WARNING]),
                   report_count(digits[2], g->over[EVE_LEVEL_NOTE]));
    return put_command(out, EVE_LEVEL_NOTE, NULL, NULL, "evecheck", text, err);
}

static enum eve_status end_github(struct format *f, const char *trouble, struct eve_err *err)
{
    struct github *g = f->state;
    enum eve_status status = keep_trouble(f, trouble, err);
    struct eve_buf rest;
    eve_buf_init(&rest, SIZE_MAX / 2);
    if (status == EVE_OK) {
        status = put_rest(g, &rest, err);
    }
    for (int level = EVE_LEVEL_ERROR; level >= EVE_LEVEL_NOTE && status == EVE_OK; level--) {
        status = eve_out_put(f->options.out, eve_buf_slice(&g->lines[level]), err);
    }
    if (status == EVE_OK) {
        status = eve_out_put(f->options.out, eve_buf_slice(&rest), err);
    }
    eve_buf_fini(&rest);
    return status;
}

const struct format_ops format_github = {.open = open_github,
                                         .finding = keep_finding,
                                         .end_file = keep_trouble,
                                         .end = end_github,
                                         .close = close_github};
