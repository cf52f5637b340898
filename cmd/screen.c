#include "screen.h"

#include "cli.h"

#include <langinfo.h>
#include <locale.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { COLUMNS = 80, LINES = 24, MOST = 10000 };

/* A size from the environment, or `otherwise`. */
static size_t from_environment(const char *name, size_t otherwise)
{
    const char *value = getenv(name);
    uint64_t n = 0;
    bool good = value != NULL && cli_count(value, &n) && n > 0 && n <= MOST;
    return good ? (size_t)n : otherwise;
}

static struct winsize ask_terminal(void)
{
    struct winsize size = {0};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) {
        size = (struct winsize){0};
    }
    return size;
}

size_t screen_columns(void)
{
    struct winsize size = ask_terminal();
    return size.ws_col > 0 ? size.ws_col : from_environment("COLUMNS", COLUMNS);
}

size_t screen_lines(void)
{
    struct winsize size = ask_terminal();
    return size.ws_row > 0 ? size.ws_row : from_environment("LINES", LINES);
}

bool screen_has_unicode(void)
{
    bool has = false;
    locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    if (locale != (locale_t)0) {
        has = strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0;
        freelocale(locale);
    }
    return has;
}
