#include "grid.h"

#include "str.h"

#include <string.h>

enum { GAP = 2, INDENT = 2, NAME_MIN = 24, NAME_LEAST = 8, KEEP_ROOM = 4096 };

/* A grid being written. */
struct layout {
    const struct grid *grid;
    struct grid_row row;
    size_t width[GRID_COLUMNS_MAX];
    size_t columns; /* that fit */
};

static bool is_tail(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

size_t grid_columns(struct eve_slice text)
{
    size_t columns = 0;
    for (size_t i = 0; i < text.n; i++) {
        columns += is_tail(text.p[i]) ? 0 : 1;
    }
    return columns;
}

static enum eve_status fill(struct layout *l, size_t i, struct eve_err *err)
{
    for (size_t c = 0; c < l->grid->columns; c++) {
        eve_buf_clear(&l->row.cell[c], KEEP_ROOM);
    }
    l->row.look = GRID_PLAIN;
    l->row.note = false;
    return l->grid->fill(l->grid->ctx, i, &l->row, err);
}

static size_t total_width(const struct layout *l)
{
    size_t total = INDENT;
    for (size_t c = 0; c < l->columns; c++) {
        total += l->width[c] + (c > 0 ? GAP : 0);
    }
    return total;
}

/* The widths that the content asks for, and then those that fit. */
static enum eve_status measure(struct layout *l, struct eve_err *err)
{
    const struct grid *g = l->grid;
    enum eve_status status = EVE_OK;
    l->columns = g->columns;
    for (size_t c = 0; c < g->columns; c++) {
        size_t title = grid_columns(eve_str(g->titles[c]));
        l->width[c] = c == 0 ? (title > INDENT ? title - INDENT : 0) : title;
    }
    for (size_t i = 0; i < g->rows && status == EVE_OK; i++) {
        status = fill(l, i, err);
        for (size_t c = 0; c < g->columns && status == EVE_OK; c++) {
            size_t width = grid_columns(eve_buf_slice(&l->row.cell[c]));
            bool counts = c == 0 || !l->row.note;
            l->width[c] = counts && width > l->width[c] ? width : l->width[c];
        }
    }
    while (g->width > 0 && total_width(l) > g->width) {
        size_t over = total_width(l) - g->width;
        size_t least = l->columns > 2 ? NAME_MIN : NAME_LEAST;
        size_t spare = l->width[0] > least ? l->width[0] - least : 0;
        if (over <= spare || l->columns <= 2) {
            l->width[0] -= over < spare ? over : spare;
            break;
        }
        l->columns--;
    }
    return status;
}

/* The byte where column `column` of the text begins. */
static size_t byte_of(struct eve_slice text, size_t column)
{
    size_t i = 0;
    for (; i < text.n; i++) {
        if (!is_tail(text.p[i])) {
            if (column == 0) {
                break;
            }
            column--;
        }
    }
    return i;
}

/* Put a name into `width` columns, shortened in the middle: both ends tell names apart. */
static enum eve_status put_name(struct eve_buf *line, struct eve_slice name, size_t width,
                                struct eve_err *err)
{
    static const char dots[] = "...";
    size_t columns = grid_columns(name);
    if (columns <= width) {
        return eve_buf_put(line, name, err);
    }
    size_t kept = width > 3 ? width - 3 : 0;
    size_t head = byte_of(name, kept - kept / 2);
    size_t tail = byte_of(name, columns - kept / 2);
    enum eve_status status = eve_buf_put(line, eve_str_sub(name, 0, head), err);
    status = status == EVE_OK ? eve_buf_puts(line, dots, err) : status;
    return status == EVE_OK ? eve_buf_put(line, eve_str_sub(name, tail, name.n), err) : status;
}

static enum eve_status put_spaces(struct eve_buf *line, size_t n, struct eve_err *err)
{
    enum eve_status status = EVE_OK;
    for (; n > 0 && status == EVE_OK; n--) {
        status = eve_buf_putc(line, ' ', err);
    }
    return status;
}

/* Spaces up to `column`, counted from where the line begins at byte `from`. */
static enum eve_status pad_to(struct eve_buf *line, size_t from, size_t column, struct eve_err *err)
{
    size_t at = grid_columns(eve_str_sub(eve_buf_slice(line), from, line->n));
    return put_spaces(line, column > at ? column - at : 0, err);
}

static enum eve_status put_cells(const struct layout *l, struct eve_buf *line, size_t indent,
                                 const struct eve_slice cells[GRID_COLUMNS_MAX], bool note,
                                 struct eve_err *err)
{
    size_t from = line->n;
    size_t column = INDENT + l->width[0];
    enum eve_status status = put_spaces(line, indent, err);
    if (status == EVE_OK) {
        status = put_name(line, cells[0], column - indent, err);
    }
    if (note && status == EVE_OK) {
        status = pad_to(line, from, column + GAP, err);
        return status == EVE_OK ? eve_buf_put(line, cells[1], err) : status;
    }
    for (size_t c = 1; c < l->columns && status == EVE_OK; c++) {
        size_t width = grid_columns(cells[c]);
        column += GAP + l->width[c];
        if (cells[c].n > 0) {
            status = pad_to(line, from, column - width, err);
            status = status == EVE_OK ? eve_buf_put(line, cells[c], err) : status;
        }
    }
    return status;
}

/* Write one line with the escapes of its look around it. */
static enum eve_status write_line(const struct layout *l, size_t indent,
                                  const struct eve_slice cells[GRID_COLUMNS_MAX], bool note,
                                  const char *escape, struct eve_out *out, struct eve_err *err)
{
    struct eve_buf line;
    bool painted = l->grid->color && *escape != '\0';
    eve_buf_init(&line, SIZE_MAX / 2);
    enum eve_status status = EVE_OK;
    if (painted) {
        status = eve_out_put(out, eve_str(escape), err);
    }
    status = status == EVE_OK ? put_cells(l, &line, indent, cells, note, err) : status;
    status = status == EVE_OK ? eve_out_put(out, eve_buf_slice(&line), err) : status;
    if (status == EVE_OK && painted) {
        status = eve_out_put(out, eve_str("\033[0m"), err);
    }
    status = status == EVE_OK ? eve_out_put(out, eve_str("\n"), err) : status;
    eve_buf_fini(&line);
    return status;
}

enum eve_status grid_write(const struct grid *g, struct eve_out *out, struct eve_err *err)
{
    static const char *const looks[] = {[GRID_PLAIN] = "",
                                        [GRID_GOOD] = "\033[32m",
                                        [GRID_BAD] = "\033[31m",
                                        [GRID_DIM] = "\033[2m"};
    struct layout l = {.grid = g};
    struct eve_slice cells[GRID_COLUMNS_MAX] = {{0}};
    for (size_t c = 0; c < g->columns; c++) {
        eve_buf_init(&l.row.cell[c], SIZE_MAX / 2);
        cells[c] = eve_str(g->titles[c]);
    }
    enum eve_status status = measure(&l, err);
    status = status == EVE_OK ? write_line(&l, 0, cells, false, "\033[1m", out, err) : status;
    for (size_t i = 0; i < g->rows && status == EVE_OK; i++) {
        status = fill(&l, i, err);
        for (size_t c = 0; c < g->columns; c++) {
            cells[c] = eve_buf_slice(&l.row.cell[c]);
        }
        status = status == EVE_OK
                     ? write_line(&l, INDENT, cells, l.row.note, looks[l.row.look], out, err)
                     : status;
    }
    for (size_t c = 0; c < g->columns; c++) {
        eve_buf_fini(&l.row.cell[c]);
    }
    return status;
}
