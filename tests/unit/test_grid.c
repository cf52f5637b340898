#include "aid.h"
#include "grid.h"

#include <stdio.h>

static const char *const names[] = {"short", "a name that is rather long for a terminal",
                                    "caf\xc3\xa9"};
static const char *const numbers[] = {"1", "1,234,567", "22"};

static enum eve_status fill(void *ctx, size_t i, struct grid_row *row, struct eve_err *err)
{
    const bool *note = ctx;
    enum eve_status status = eve_buf_puts(&row->cell[0], names[i], err);
    if (status == EVE_OK && *note && i == 2) {
        row->note = true;
        row->look = GRID_BAD;
        return eve_buf_puts(&row->cell[1], "a remark of any length", err);
    }
    for (size_t c = 1; c < 4 && status == EVE_OK; c++)
        status = eve_buf_puts(&row->cell[c], numbers[(i + c - 1) % 3], err);
    return status;
}

static const char *draw(size_t width, bool color, bool note)
{
    static char text[2000];
    struct eve_err err = {0};
    struct eve_out out;
    int fd = aid_file(S(""));
    struct grid g = {.width = width,
                     .color = color,
                     .titles = {"title", "one", "two", "three"},
                     .columns = 4,
                     .rows = 3,
                     .fill = fill,
                     .ctx = &note};
    CHECK(eve_out_init(&out, fd, &err) == EVE_OK && grid_write(&g, &out, &err) == EVE_OK);
    CHECK(eve_out_flush(&out, &err) == EVE_OK);
    struct eve_slice got = aid_content(fd, text, sizeof text - 1);
    text[got.n] = '\0';
    eve_out_fini(&out);
    close(fd);
    return text;
}

/* No line of the text is wider. */
static bool fits(const char *text, size_t width)
{
    while (*text != '\0') {
        size_t n = strcspn(text, "\n");
        if (grid_columns((struct eve_slice){text, n}) > width)
            return false;
        text += n + 1;
    }
    return true;
}

static void widths(void)
{
    TEST("names stand left, numbers right");
    CHECK_EQ_STR(
        draw(0, false, false),
        "title                                              one        two      three\n"
        "  short                                              1  1,234,567         22\n"
        "  a name that is rather long for a terminal  1,234,567         22          1\n"
        "  caf\xc3\xa9                                              22          1  1,234,567\n");
    CHECK_EQ_STR(draw(76, false, false), draw(0, false, false));

    TEST("names are shortened in the middle");
    CHECK_EQ_STR(draw(64, false, false),
                 "title                                  one        two      three\n"
                 "  short                                  1  1,234,567         22\n"
                 "  a name that i...or a terminal  1,234,567         22          1\n"
                 "  caf\xc3\xa9                                  22          1  1,234,567\n");

    TEST("then columns are left out");
    CHECK_EQ_STR(draw(48, false, false),
                 "title                             one        two\n"
                 "  short                             1  1,234,567\n"
                 "  a name that...a terminal  1,234,567         22\n"
                 "  caf\xc3\xa9                             22          1\n");
    for (size_t width = 60; width >= 24; width--)
        CHECK(fits(draw(width, false, false), width));

    TEST("a remark runs over the columns");
    CHECK(strstr(draw(0, false, true), "  caf\xc3\xa9                                       "
                                       "a remark of any length\n") != NULL);

    TEST("colour only where it is wanted");
    CHECK(strchr(draw(0, false, true), '\033') == NULL);
    CHECK(strncmp(draw(0, true, true), "\033[1mtitle", 9) == 0);
    CHECK(strstr(draw(0, true, true), "\n\033[31m  caf") != NULL);
    CHECK(strstr(draw(0, true, true), "any length\033[0m\n") != NULL);
}

void test_grid(void);
void test_grid(void)
{
    widths();
}
