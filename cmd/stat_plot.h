/*
 * stat_plot: how both forms of a log grow, drawn in characters.
 */
#ifndef CLI_STAT_PLOT_H
#define CLI_STAT_PLOT_H

#include "base.h"
#include "curve.h"
#include "out.h"

struct stat_plot_options {
    size_t width;  /* columns of the whole drawing */
    size_t height; /* lines of the whole drawing */
    bool unicode;  /* braille dots; else ASCII */
    bool color;
    bool as_if; /* what is compared is version 24 as it would be, not the form found */
};

/* Write the drawing. EVE_FAIL: no memory, or the output. */
EVE_MUST_USE enum eve_status stat_plot_write(const struct eve_curve *c,
                                             const struct stat_plot_options *o, struct eve_out *out,
                                             struct eve_err *err);

#endif
