/*
 * grid: rows of text in aligned columns.
 *
 * The first column holds names and stands left, all others stand right. Where it would be wider
 * than the terminal, names are shortened in the middle, and then columns are left out, those named
 * last by the caller first. Rows are asked for twice, once to measure and once to write, so that
 * any number of them takes no memory.
 */
#ifndef CLI_GRID_H
#define CLI_GRID_H

#include "base.h"
#include "buf.h"
#include "out.h"

#define GRID_COLUMNS_MAX 6

/* How a row is shown where colour is wanted. */
enum grid_look { GRID_PLAIN, GRID_GOOD, GRID_BAD, GRID_DIM };

struct grid_row {
    struct eve_buf
        cell[GRID_COLUMNS_MAX]; /* texts to be filled in; UTF-8 that a terminal can take */
    enum grid_look look;
    bool note; /* cell 1 is a remark: it runs over the columns from the second on, to the left */
};

struct grid {
    size_t width; /* columns of the terminal; 0: as wide as it takes */
    bool color;
    const char *titles[GRID_COLUMNS_MAX]; /* of the columns; the first is that of the whole */
    size_t columns;
    size_t rows;
    /* Fill in the row number `i`, whose cells are empty. EVE_FAIL: no memory. */
    enum eve_status (*fill)(void *ctx, size_t i, struct grid_row *row, struct eve_err *err);
    void *ctx;
};

/* Write it, titles first. EVE_FAIL: no memory, or the output. */
EVE_MUST_USE enum eve_status grid_write(const struct grid *g, struct eve_out *out,
                                        struct eve_err *err);

/* Columns that UTF-8 text takes, each character taken for one. */
size_t grid_columns(struct eve_slice text);

#endif
