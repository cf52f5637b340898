#include "stat_plot.h"

#include "mem.h"
#include "report.h"
#include "str.h"
#include "utf8.h"

#include <stdio.h>
#include <string.h>

/* Columns of the labels on the left with the axis; the smallest drawing; lines around it. */
enum { LABEL = 10, WIDTH_MIN = 30, WIDTH_MAX = 1000, HEIGHT_MIN = 8, HEIGHT_MAX = 60, AROUND = 5 };

/* The dots of the drawing, some of them to a character. */
struct canvas {
    const struct eve_curve *curve;
    const struct stat_plot_options *options;
    size_t columns; /* characters */
    size_t lines;
    size_t across; /* dots of a character */
    size_t down;
    double top;          /* value at the upper edge */
    unsigned char *dots; /* per dot: bit 0 found, bit 1 delta-only */
};

/* A size in bytes, short: "11.4 GB". */
static void put_size(char *buf, size_t room, double bytes)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
    size_t unit = 0;
    while (bytes >= 999.5 && unit + 1 < sizeof units / sizeof *units) {
        bytes /= 1000;
        unit++;
    }
    (void)snprintf(buf, room, "%.*f %s", unit == 0 || bytes >= 99.95 ? 0 : 1, bytes, units[unit]);
}

/* The line of dots, from the top, that `value` falls on. */
static size_t dot_line(const struct canvas *c, double value)
{
    size_t last = c->lines * c->down - 1;
    double up = c->top > 0 ? value / c->top * (double)last : 0;
    return last - (size_t)(up + 0.5);
}

static void draw(struct canvas *c)
{
    size_t width = c->columns * c->across;
    size_t before[2] = {dot_line(c, 0), dot_line(c, 0)};
    for (size_t x = 0; x < width; x++) {
        double value[2];
        eve_curve_at(c->curve, (double)(x + 1) / (double)width, &value[0], &value[1]);
        for (unsigned i = 0; i < 2; i++) {
            size_t y = dot_line(c, value[i]);
            for (size_t at = y; at <= before[i]; at++) { /* sums never fall */
                c->dots[at * width + x] |= (unsigned char)(1u << i);
            }
            before[i] = y;
        }
    }
}

/* The dots of one character: bits of its braille cell, and which of the two lines they are of. */
static unsigned read_cell(const struct canvas *c, size_t column, size_t line, unsigned *lines)
{
    static const unsigned char bits[4][2] = {
        {0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    size_t width = c->columns * c->across;
    unsigned cell = 0;
    *lines = 0;
    for (size_t y = 0; y < c->down; y++) {
        for (size_t x = 0; x < c->across; x++) {
            unsigned dot = c->dots[(line * c->down + y) * width + column * c->across + x];
            cell |= dot != 0 ? bits[y][x] : 0u;
            *lines |= dot;
        }
    }
    return cell;
}

static enum eve_status put_cell(const struct canvas *c, size_t column, size_t line,
                                struct eve_out *out, struct eve_err *err)
{
    static const char *const looks[] = {"", "\033[33m", "\033[32m", "\033[33m"};
    char text[32];
    size_t n = 0;
    unsigned lines = 0;
    unsigned cell = read_cell(c, column, line, &lines);
    bool painted = c->options->color && lines != 0;
    if (painted) {
        n += (size_t)snprintf(text, sizeof text, "%s", looks[lines]);
    }
    if (cell == 0) {
        text[n++] = ' ';
    } else if (c->options->unicode) {
        n += eve_utf8_encode(0x2800 + cell, text + n);
    } else {
        text[n++] = lines & 1 ? '*' : '.';
    }
    if (painted) {
        n += (size_t)snprintf(text + n, sizeof text - n, "\033[0m");
    }
    return eve_out_put(out, (struct eve_slice){text, n}, err);
}

/* One line of the drawing with its label. */
static enum eve_status put_line(const struct canvas *c, size_t line, struct eve_out *out,
                                struct eve_err *err)
{
    char size[32] = "";
    char label[64];
    if (line == 0) {
        put_size(size, sizeof size, c->top);
    } else if (line == c->lines / 2) {
        put_size(size, sizeof size, c->top * (double)(c->lines - line) / (double)c->lines);
    } else if (line + 1 == c->lines) {
        put_size(size, sizeof size, 0);
    }
    (void)snprintf(label, sizeof label, "%*s %s", LABEL - 2, size,
                   c->options->unicode ? "\xE2\x94\x82" : "|");
    enum eve_status status = eve_out_put(out, eve_str(label), err);
    size_t columns = c->columns;
    unsigned lines = 0;
    while (columns > 0 && read_cell(c, columns - 1, line, &lines) == 0) {
        columns--; /* no spaces at the end */
    }
    for (size_t x = 0; x < columns && status == EVE_OK; x++) {
        status = put_cell(c, x, line, out, err);
    }
    return status == EVE_OK ? eve_out_put(out, eve_str("\n"), err) : status;
}

static enum eve_status put_axis(const struct canvas *c, struct eve_out *out, struct eve_err *err)
{
    char text[128];
    char count[32];
    const char *dash = c->options->unicode ? "\xE2\x94\x80" : "-";
    (void)snprintf(text, sizeof text, "%*s%s", LABEL - 1, "",
                   c->options->unicode ? "\xE2\x94\x94" : "+");
    enum eve_status status = eve_out_put(out, eve_str(text), err);
    for (size_t x = 0; x < c->columns && status == EVE_OK; x++) {
        status = eve_out_put(out, eve_str(dash), err);
    }
    (void)snprintf(text, sizeof text, "\n%*s%s%s\n", LABEL, "",
                   report_count(count, c->curve->events),
                   c->curve->events == 1 ? " event" : " events");
    return status == EVE_OK ? eve_out_put(out, eve_str(text), err) : status;
}

/* Which line is which, in its colour. */
static enum eve_status put_legend(const struct canvas *c, struct eve_out *out, struct eve_err *err)
{
    static const char *const looks[] = {"\033[33m", "\033[32m"};
    const char *names[] = {c->options->as_if ? "as version 24" : "as found", "delta-only"};
    const char *marks[] = {c->options->unicode ? "upper line" : "*",
                           c->options->unicode ? "lower line" : "."};
    uint64_t bytes[] = {c->curve->now.found, c->curve->now.delta_only};
    enum eve_status status = EVE_OK;
    for (size_t i = 0; i < 2 && status == EVE_OK; i++) {
        char text[128];
        char count[32];
        bool color = c->options->color;
        (void)snprintf(text, sizeof text, "%*s%s%s%s %s, %s bytes\n", LABEL, "",
                       color ? looks[i] : "", marks[i], color ? "\033[0m" : "", names[i],
                       report_count(count, bytes[i]));
        status = eve_out_put(out, eve_str(text), err);
    }
    return status;
}

static size_t clamp(size_t n, size_t least, size_t most)
{
    n = n < least ? least : n;
    return n > most ? most : n;
}

enum eve_status stat_plot_write(const struct eve_curve *c, const struct stat_plot_options *o,
                                struct eve_out *out, struct eve_err *err)
{
    struct canvas canvas = {.curve = c,
                            .options = o,
                            .columns = clamp(o->width, WIDTH_MIN, WIDTH_MAX) - LABEL,
                            .lines = clamp(o->height, HEIGHT_MIN, HEIGHT_MAX) - AROUND,
                            .across = o->unicode ? 2 : 1,
                            .down = o->unicode ? 4 : 1};
    uint64_t top = c->now.found > c->now.delta_only ? c->now.found : c->now.delta_only;
    canvas.top = (double)top;
    size_t dots = canvas.columns * canvas.across * canvas.lines * canvas.down;
    enum eve_status status = eve_mem_resize(&canvas.dots, dots, 1, err);
    if (status != EVE_OK) {
        return status;
    }
    memset(canvas.dots, 0, dots);
    draw(&canvas);
    for (size_t line = 0; line < canvas.lines && status == EVE_OK; line++) {
        status = put_line(&canvas, line, out, err);
    }
    status = status == EVE_OK ? put_axis(&canvas, out, err) : status;
    status = status == EVE_OK ? put_legend(&canvas, out, err) : status;
    eve_mem_free(canvas.dots);
    return status;
}
