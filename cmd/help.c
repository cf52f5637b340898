#include "help.h"

#include "packed.h"

#include <string.h>

/* Widest line of --help, and the last column at which the texts of the options may start. */
#define HELP_WIDTH 79
#define HELP_MAX_COLUMN 28

/* Columns of len bytes of UTF-8, taking each character for one column wide. */
static int columns(const char *s, size_t len)
{
    int n = 0;
    for (size_t i = 0; i < len; i++)
        n += ((unsigned char)s[i] & 0xC0) != 0x80;
    return n;
}

/* Writes the words of text, the first at column at, further lines indented to indent. */
static void put_wrapped(FILE *to, const char *text, int at, int indent)
{
    bool fresh = true;
    for (;;) {
        text += strspn(text, " \n");
        size_t len = strcspn(text, " \n");
        if (len == 0)
            break;
        int wide = columns(text, len);
        if (!fresh && at + 1 + wide > HELP_WIDTH) {
            fprintf(to, "\n%*s", indent, "");
            at = indent;
            fresh = true;
        }
        fprintf(to, "%s%.*s", fresh ? "" : " ", (int)len, text);
        at += wide + !fresh;
        fresh = false;
        text += len;
    }
    fputc('\n', to);
}

/* Writes each line of text after indent and prefix. */
static void put_lines(FILE *to, const char *first, const char *next, const char *text)
{
    for (const char *lead = first; *text != '\0'; lead = next) {
        size_t len = strcspn(text, "\n");
        fprintf(to, "%s%.*s\n", lead, (int)len, text);
        text += len;
        text += *text == '\n';
    }
}

/* The parts of an option between its long name and its help: "=FILE", "[=SUFFIX]" or nothing. */
static void arg_parts(const struct cli_opt *o, const char **before, const char **arg)
{
    bool optional = o->arg != NULL && o->arg[0] == '[';
    *before = o->arg == NULL ? "" : optional ? "[=" : "=";
    *arg = o->arg == NULL ? "" : o->arg + optional;
}

static int label_width(const struct cli_opt *o)
{
    const char *before, *arg;
    arg_parts(o, &before, &arg);
    return (int)(strlen("  -x, --") + strlen(o->long_name) + strlen(before) + strlen(arg));
}

static void put_option(FILE *to, const struct cli_opt *o, int column)
{
    const char *before, *arg;
    arg_parts(o, &before, &arg);
    if (o->id < 256)
        fprintf(to, "  -%c, ", o->id);
    else
        fputs("      ", to);
    fprintf(to, "--%s%s%s", o->long_name, before, arg);
    int width = label_width(o);
    if (width + 2 > column) {
        fputc('\n', to);
        width = 0;
    }
    fprintf(to, "%*s", column - width, "");
    put_wrapped(to, o->help, column, column);
}

void help_usage(FILE *to, const struct cli_tool *tool)
{
    char first[64], next[64];
    snprintf(first, sizeof first, "Usage: %s ", tool->name);
    snprintf(next, sizeof next, "       %s ", tool->name);
    put_lines(to, first, next, tool->synopsis);
}

void help_full(FILE *to, const struct cli_tool *tool)
{
    help_usage(to, tool);
    put_wrapped(to, tool->purpose, 0, 0);

    int column = 0;
    for (const struct cli_opt *o = tool->opts; o->id != 0; o++) {
        int width = label_width(o) + 2;
        if (width > column && width <= HELP_MAX_COLUMN)
            column = width;
    }
    fputs("\nOptions:\n", to);
    for (const struct cli_opt *o = tool->opts; o->id != 0; o++)
        put_option(to, o, column);

    fputs("\nExit status:\n"
          "  0  all is well\n"
          "  1  bad data or findings\n"
          "  2  wrong usage, or no file, space or memory\n"
          "\nExamples:\n",
          to);
    put_lines(to, "  ", "  ", tool->examples);
}

void help_version(FILE *to, const struct cli_tool *tool)
{
    const char *between = "compressed files: ";
    fprintf(to, "%s (evetools) %s\n", tool->name, EVETOOLS_VERSION);
    for (enum eve_packed format = EVE_PACKED_GZIP; format < EVE_PACKED_COUNT; format++) {
        if (eve_packed_built(format)) {
            fprintf(to, "%s%s", between, eve_packed_name(format));
            between = ", ";
        }
    }
    fputs(*between == ',' ? "\n" : "compressed files: none in this build\n", to);
}

void help_dump(FILE *to, const struct cli_tool *tool)
{
    for (const struct cli_opt *o = tool->opts; o->id != 0; o++) {
        fprintf(to, "%c\t%s\t%s\t%s\t%s\n", o->id < 256 ? o->id : '-', o->long_name,
                o->arg != NULL ? o->arg : "-", o->complete != NULL ? o->complete : "-", o->help);
    }
}
