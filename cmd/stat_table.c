#include "stat_table.h"

#include "grid.h"
#include "mem.h"
#include "quote.h"
#include "report.h"
#include "spell.h"
#include "str.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>

enum { NAME_MAX_BYTES = 1024 };

/* The table being written. */
struct table {
    const struct stat_view *view;
    const struct stat_table_options *options;
    struct eve_out *out;
    struct eve_account **files; /* in the order they are shown */
    struct eve_tally_type *const *types;
    const struct eve_row *largest[EVE_ACCOUNT_LARGEST];
    size_t file; /* the entry whose rows are shown */
};

static enum eve_status put_count(struct eve_buf *cell, uint64_t n, struct eve_err *err)
{
    char text[32];
    return eve_buf_puts(cell, report_count(text, n), err);
}

static enum eve_status put_ratio(struct eve_buf *cell, struct eve_tally_ratio r, const char *unit,
                                 struct eve_err *err)
{
    char text[32];
    enum eve_status status = eve_buf_puts(cell, stat_view_ratio(text, r), err);
    return status == EVE_OK && r.known ? eve_buf_puts(cell, unit, err) : status;
}

/* A spelled text as a terminal may have it, on one line. */
static enum eve_status put_name(struct eve_buf *cell, struct eve_slice spelled, struct eve_err *err)
{
    char quoted[NAME_MAX_BYTES];
    struct eve_buf text;
    eve_buf_init(&text, SIZE_MAX / 2);
    enum eve_status status = eve_spell_to_text(&text, spelled, false, err);
    if (status == EVE_OK) {
        status =
            eve_buf_puts(cell, eve_quote(quoted, sizeof quoted, eve_buf_slice(&text), false), err);
    }
    eve_buf_fini(&text);
    return status;
}

static enum eve_status put_counts(struct grid_row *row, const uint64_t *numbers, size_t count,
                                  struct eve_err *err)
{
    enum eve_status status = EVE_OK;
    for (size_t i = 0; i < count && status == EVE_OK; i++) {
        status = put_count(&row->cell[i + 1], numbers[i], err);
    }
    return status;
}

static enum eve_status write_text(struct table *t, const char *text, struct eve_err *err)
{
    return eve_out_put(t->out, eve_str(text), err);
}

static struct grid new_grid(struct table *t)
{
    return (struct grid){.width = t->options->width, .color = t->options->color, .ctx = t};
}

/* An empty line before each part but the first. */
static enum eve_status write_grid(struct table *t, const struct grid *g, struct eve_err *err)
{
    enum eve_status status = write_text(t, "\n", err);
    return status == EVE_OK ? grid_write(g, t->out, err) : status;
}

/* "1 turn", "2 turns". */
static enum eve_status put_item(struct eve_buf *to, uint64_t n, const char *noun,
                                struct eve_err *err)
{
    enum eve_status status = put_count(to, n, err);
    status = status == EVE_OK ? eve_buf_putc(to, ' ', err) : status;
    status = status == EVE_OK ? eve_buf_puts(to, noun, err) : status;
    return status == EVE_OK && n != 1 ? eve_buf_putc(to, 's', err) : status;
}

/* What there is, in as many lines as it takes. */
static enum eve_status write_counts(struct table *t, struct eve_err *err)
{
    static const struct {
        enum eve_tally_figure figure;
        const char *noun;
    } items[] = {{EVE_TALLY_EVENTS, "event"}, {EVE_TALLY_LINES, "line"},
                 {EVE_TALLY_TURNS, "turn"},   {EVE_TALLY_STEPS, "step"},
                 {EVE_TALLY_BLOCKS, "block"}, {EVE_TALLY_RESTARTS, "restart"}};
    enum { COUNT = sizeof items / sizeof *items };
    struct eve_buf line;
    size_t column = 0;
    eve_buf_init(&line, SIZE_MAX / 2);
    enum eve_status status = EVE_OK;
    for (size_t i = 0; i < COUNT && status == EVE_OK; i++) {
        line.n = 0;
        status = put_item(&line, t->view->total->tally.n[items[i].figure], items[i].noun, err);
        status = status == EVE_OK && i + 1 < COUNT ? eve_buf_putc(&line, ',', err) : status;
        size_t width = t->options->width;
        bool fits = width == 0 || column + 1 + line.n <= width;
        if (status == EVE_OK && i > 0) {
            status = write_text(t, fits ? " " : "\n", err);
        }
        column = fits && i > 0 ? column + 1 + line.n : line.n;
        status = status == EVE_OK ? eve_out_put(t->out, eve_buf_slice(&line), err) : status;
    }
    eve_buf_fini(&line);
    return status == EVE_OK ? write_text(t, "\n", err) : status;
}

/* The name of the one file, or how many there are and how many of them are broken. */
static enum eve_status write_head(struct table *t, struct eve_err *err)
{
    const struct eve_accounts *files = t->view->files;
    struct eve_buf line;
    size_t out = 0;
    for (size_t i = 0; i < files->count; i++) {
        out += files->list[i]->state != EVE_ACCOUNT_READ ? 1 : 0;
    }
    eve_buf_init(&line, SIZE_MAX / 2);
    enum eve_status status = EVE_OK;
    if (files->count == 1) {
        status = put_name(&line, eve_buf_slice(&files->list[0]->name), err);
    } else {
        status = put_item(&line, files->count, "file", err);
    }
    if (status == EVE_OK && out > 0 && files->count > 1) {
        status = eve_buf_puts(&line, ", of which ", err);
        status = status == EVE_OK ? put_count(&line, out, err) : status;
        status = status == EVE_OK
                     ? eve_buf_puts(&line, out == 1 ? " is left out" : " are left out", err)
                     : status;
    }
    const char *paint = t->options->color ? "\033[1m" : "";
    status = status == EVE_OK ? write_text(t, paint, err) : status;
    status = status == EVE_OK ? eve_out_put(t->out, eve_buf_slice(&line), err) : status;
    status = status == EVE_OK ? write_text(t, t->options->color ? "\033[0m\n" : "\n", err) : status;
    eve_buf_fini(&line);
    return status == EVE_OK ? write_counts(t, err) : status;
}

/* The sums: what was found, what stays, the difference, what another version would take. */
static enum eve_status fill_total(void *ctx, size_t i, struct grid_row *row, struct eve_err *err)
{
    const struct table *t = ctx;
    const struct eve_tally *tally = &t->view->total->tally;
    uint64_t delta_only = tally->n[EVE_TALLY_DELTA_ONLY];
    uint64_t found = delta_only + tally->n[EVE_TALLY_REMOVED];
    char name[32];
    uint64_t bytes[] = {found, delta_only, tally->n[EVE_TALLY_REMOVED],
                        stat_view_as_if(t->view, t->view->total)};
    (void)snprintf(name, sizeof name, "as version %u", t->view->as_if);
    const char *names[] = {"as found", "delta-only", "difference", name};
    enum eve_status status = eve_buf_puts(&row->cell[0], names[i], err);
    status = status == EVE_OK ? put_count(&row->cell[1], bytes[i], err) : status;
    if (i == 2 && status == EVE_OK) {
        row->look = GRID_GOOD;
        status = put_ratio(&row->cell[2], eve_tally_percent(tally), " %", err);
        status = status == EVE_OK ? put_ratio(&row->cell[3], eve_tally_times(tally), " times", err)
                                  : status;
    } else if (i == 3 && status == EVE_OK) {
        status = put_ratio(&row->cell[3], eve_tally_quotient(bytes[3], delta_only), " times", err);
    }
    return status;
}

/* The removed member that is the `i`-th of those that take any bytes. */
static enum eve_tally_figure payload_at(const struct eve_tally *t, size_t i)
{
    unsigned f = EVE_TALLY_PAYLOAD;
    for (; f < EVE_TALLY_COUNT; f++) {
        if (t->n[f] > 0 && i-- == 0) {
            break;
        }
    }
    return (enum eve_tally_figure)f;
}

static enum eve_status fill_payload(void *ctx, size_t i, struct grid_row *row, struct eve_err *err)
{
    const struct table *t = ctx;
    const struct eve_tally *tally = &t->view->total->tally;
    enum eve_tally_figure f = payload_at(tally, i);
    enum eve_status status = eve_buf_puts(&row->cell[0], eve_tally_name(f), err);
    status = status == EVE_OK ? put_count(&row->cell[1], tally->n[f], err) : status;
    return status == EVE_OK
               ? put_ratio(&row->cell[2], eve_tally_share(tally->n[f], tally->n[EVE_TALLY_REMOVED]),
                           " %", err)
               : status;
}

/* What was read beside events, or put in. */
static enum eve_status fill_input(void *ctx, size_t i, struct grid_row *row, struct eve_err *err)
{
    static const struct {
        enum eve_tally_figure figure;
        const char *name;
    } lines[] = {{EVE_TALLY_IN, "read"},
                 {EVE_TALLY_TRANSPORT, "transport"},
                 {EVE_TALLY_BAD, "bad lines"},
                 {EVE_TALLY_ADDED, "added"}};
    const struct table *t = ctx;
    const struct eve_tally *tally = &t->view->total->tally;
    if (lines[i].figure == EVE_TALLY_BAD && tally->n[EVE_TALLY_BAD_LINES] > 0) {
        row->look = GRID_BAD;
    }
    enum eve_status status = eve_buf_puts(&row->cell[0], lines[i].name, err);
    status = status == EVE_OK ? put_count(&row->cell[1], tally->n[lines[i].figure], err) : status;
    if (lines[i].figure == EVE_TALLY_BAD && row->look == GRID_BAD && status == EVE_OK) {
        status = put_item(&row->cell[2], tally->n[EVE_TALLY_BAD_LINES], "line", err);
    }
    return status;
}

static enum eve_status fill_file(void *ctx, size_t i, struct grid_row *row, struct eve_err *err)
{
    const struct table *t = ctx;
    const struct eve_account *a = t->files[i];
    const struct eve_row sums = stat_view_file_row(a);
    char text[64];
    enum eve_status status = put_name(&row->cell[0], eve_buf_slice(&a->name), err);
    if (status != EVE_OK) {
        return status;
    }
    if (a->state == EVE_ACCOUNT_READ) {
        const uint64_t numbers[] = {sums.bytes, sums.removed};
        status = put_counts(row, numbers, 2, err);
        status = status == EVE_OK
                     ? put_ratio(&row->cell[3], eve_tally_percent(&a->tally), " %", err)
                     : status;
        return status == EVE_OK ? put_count(&row->cell[4], sums.events, err) : status;
    }
    row->look = GRID_BAD;
    row->note = true;
    if (a->state == EVE_ACCOUNT_UNREAD) {
        return eve_buf_puts(&row->cell[1], "not read", err);
    }
    (void)snprintf(text, sizeof text, "stopped at line %llu: ", (unsigned long long)a->stop_line);
    status = eve_buf_puts(&row->cell[1], text, err);
    return status == EVE_OK ? put_name(&row->cell[1], eve_buf_slice(&a->rule), err) : status;
}

static enum eve_status fill_type(void *ctx, size_t i, struct grid_row *row, struct eve_err *err)
{
    const struct table *t = ctx;
    const struct eve_tally_type *type = t->types[i];
    const uint64_t numbers[] = {type->count.bytes, type->count.removed, type->count.events};
    struct eve_slice name = type->name.n > 0 ? type->name : eve_str("\\\"\\\"");
    enum eve_status status = put_name(&row->cell[0], name, err);
    return status == EVE_OK ? put_counts(row, numbers, 3, err) : status;
}

/* The name of the entry `a`, where there are several, and the key of a row. */
static enum eve_status put_key(const struct table *t, struct eve_buf *cell,
                               const struct eve_account *a, const struct eve_row *row,
                               struct eve_err *err)
{
    struct eve_buf key;
    bool known = false;
    enum eve_status status = EVE_OK;
    eve_buf_init(&key, SIZE_MAX / 2);
    if (t->view->files->count > 1) {
        status = put_name(cell, eve_buf_slice(&a->name), err);
        status = status == EVE_OK ? eve_buf_puts(cell, ": ", err) : status;
    }
    status = status == EVE_OK ? stat_view_key(&key, row, t->view->grouped, &known, err) : status;
    if (status == EVE_OK && !known) {
        status = eve_buf_puts(cell, "(other)", err);
    } else if (status == EVE_OK) {
        status = put_name(cell, eve_buf_slice(&key), err);
    }
    eve_buf_fini(&key);
    return status;
}

/* The entry that one of the largest blocks is of. */
static const struct eve_account *owner_of(const struct eve_accounts *files,
                                          const struct eve_row *block)
{
    const struct eve_account *owner = files->list[0];
    for (size_t f = 0; f < files->count; f++) {
        for (size_t k = 0; k < files->list[f]->largest_count; k++) {
            owner = &files->list[f]->largest[k] == block ? files->list[f] : owner;
        }
    }
    return owner;
}

static enum eve_status fill_largest(void *ctx, size_t i, struct grid_row *row, struct eve_err *err)
{
    const struct table *t = ctx;
    const struct eve_row *block = t->largest[i];
    const uint64_t numbers[] = {block->bytes, block->removed, block->events};
    enum eve_status status = put_key(t, &row->cell[0], owner_of(t->view->files, block), block, err);
    return status == EVE_OK ? put_counts(row, numbers, 3, err) : status;
}

static enum eve_status fill_row(void *ctx, size_t i, struct grid_row *row, struct eve_err *err)
{
    const struct table *t = ctx;
    const struct eve_account *a = t->view->files->list[t->file];
    const struct eve_row *r = &a->rows.list[i];
    const uint64_t numbers[] = {r->bytes, r->removed, r->delta_only, r->events};
    enum eve_status status = put_key(t, &row->cell[0], a, r, err);
    return status == EVE_OK ? put_counts(row, numbers, 4, err) : status;
}

/* What to do first comes first: most bytes to save; what is broken last. */
static int by_removed(const void *a, const void *b)
{
    const struct eve_account *x = *(struct eve_account *const *)a;
    const struct eve_account *y = *(struct eve_account *const *)b;
    uint64_t p = x->tally.n[EVE_TALLY_REMOVED];
    uint64_t q = y->tally.n[EVE_TALLY_REMOVED];
    if (x->state != y->state) {
        return x->state < y->state ? -1 : 1;
    }
    if (x->state == EVE_ACCOUNT_READ && p != q) {
        return p > q ? -1 : 1;
    }
    return eve_text_compare(eve_buf_slice(&x->name), eve_buf_slice(&y->name));
}

static enum eve_status write_files(struct table *t, struct eve_err *err)
{
    size_t count = t->view->files->count;
    struct grid g = new_grid(t);
    bool stopped = count == 1 && t->view->files->list[0]->state != EVE_ACCOUNT_READ;
    if (count == 0 || (count == 1 && !stopped && t->view->by != STAT_BY_FILE)) {
        return EVE_OK;
    }
    enum eve_status status = eve_mem_resize(&t->files, count, sizeof(struct eve_account *), err);
    if (status != EVE_OK) {
        return status;
    }
    for (size_t i = 0; i < count; i++) {
        t->files[i] = t->view->files->list[i];
    }
    qsort(t->files, count, sizeof(struct eve_account *), by_removed);
    g.titles[0] = "files";
    g.titles[1] = "as found";
    g.titles[2] = "removed";
    g.titles[3] = "saved";
    g.titles[4] = "events";
    g.columns = 5;
    g.rows = count;
    g.fill = fill_file;
    return write_grid(t, &g, err);
}

static enum eve_status write_total(struct table *t, struct eve_err *err)
{
    const struct eve_tally *tally = &t->view->total->tally;
    struct grid g = new_grid(t);
    g.titles[0] = "total";
    g.titles[1] = "bytes";
    g.titles[2] = g.titles[3] = "";
    g.columns = 4;
    g.rows = t->view->as_if != 0 ? 4 : 3;
    g.fill = fill_total;
    enum eve_status status = write_grid(t, &g, err);
    g.titles[0] = "removed";
    g.titles[2] = "share";
    g.columns = 3;
    g.rows = 0;
    while (payload_at(tally, g.rows) < EVE_TALLY_COUNT) {
        g.rows++;
    }
    g.fill = fill_payload;
    if (status == EVE_OK && g.rows > 0) {
        status = write_grid(t, &g, err);
    }
    bool more = tally->n[EVE_TALLY_TRANSPORT] + tally->n[EVE_TALLY_BAD] + tally->n[EVE_TALLY_ADDED];
    g.titles[0] = "input";
    g.titles[2] = "";
    g.rows = 4;
    g.fill = fill_input;
    return status == EVE_OK && more ? write_grid(t, &g, err) : status;
}

static enum eve_status write_types(struct table *t, struct eve_err *err)
{
    struct eve_tally *tally = &t->view->total->tally;
    struct grid g = new_grid(t);
    enum eve_status status = eve_tally_sort(tally, true, &t->types, err);
    g.titles[0] = "types of events";
    g.titles[1] = "as found";
    g.titles[2] = "removed";
    g.titles[3] = "events";
    g.columns = 4;
    g.rows = tally->type_count;
    g.fill = fill_type;
    return status == EVE_OK && g.rows > 0 ? write_grid(t, &g, err) : status;
}

static enum eve_status write_largest(struct table *t, struct eve_err *err)
{
    struct grid g = new_grid(t);
    g.titles[0] = "largest blocks";
    g.titles[1] = "as found";
    g.titles[2] = "removed";
    g.titles[3] = "events";
    g.columns = 4;
    g.rows = eve_accounts_largest(t->view->files->list, t->view->files->count, t->largest);
    g.fill = fill_largest;
    return g.rows > 0 ? write_grid(t, &g, err) : EVE_OK;
}

/* The breakdown, file by file. */
static enum eve_status write_rows(struct table *t, struct eve_err *err)
{
    static const char *const titles[] = {[STAT_BY_TYPE] = "by type",
                                         [STAT_BY_TURN] = "by turn",
                                         [STAT_BY_STEP] = "by step",
                                         [STAT_BY_BLOCK] = "by block"};
    enum eve_status status = EVE_OK;
    if (t->view->by == STAT_BY_NONE || t->view->by == STAT_BY_FILE) {
        return EVE_OK;
    }
    for (size_t i = 0; i < t->view->files->count && status == EVE_OK; i++) {
        const struct eve_account *a = t->view->files->list[i];
        struct grid g = new_grid(t);
        t->file = i;
        g.titles[0] = titles[t->view->by];
        g.titles[1] = "as found";
        g.titles[2] = "removed";
        g.titles[3] = "delta-only";
        g.titles[4] = "events";
        g.columns = 5;
        g.rows = a->state == EVE_ACCOUNT_READ ? a->rows.count : 0;
        g.fill = fill_row;
        status = g.rows > 0 ? write_grid(t, &g, err) : EVE_OK;
    }
    return status;
}

enum eve_status stat_table_write(const struct stat_view *v, const struct stat_table_options *o,
                                 struct eve_out *out, struct eve_err *err)
{
    struct table t = {.view = v, .options = o, .out = out};
    enum eve_status status = write_head(&t, err);
    status = status == EVE_OK ? write_total(&t, err) : status;
    status = status == EVE_OK ? write_files(&t, err) : status;
    status = status == EVE_OK ? write_types(&t, err) : status;
    status = status == EVE_OK && !v->merged ? write_largest(&t, err) : status;
    status = status == EVE_OK ? write_rows(&t, err) : status;
    eve_mem_free(t.files);
    return status;
}
