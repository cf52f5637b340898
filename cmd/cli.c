#include "cli.h"

#include "help.h"
#include "quote.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What getopt_long returns for an operand when the short options begin with '-'. */
#define GETOPT_OPERAND 1
#define GETOPT_UNKNOWN '?'
#define GETOPT_MISSING ':'

static const struct cli_opt dump_opt = {CLI_OPT_DUMP, "dump-options", NULL, NULL, ""};

/* Not isalnum(): the locale must not matter. */
static bool is_letter_or_digit(int id)
{
    return (id >= '0' && id <= '9') || (id >= 'A' && id <= 'Z') || (id >= 'a' && id <= 'z');
}

static int has_arg(const struct cli_opt *o)
{
    if (o->arg == NULL)
        return no_argument;
    return o->arg[0] == '[' ? optional_argument : required_argument;
}

static void table_is_wrong(const struct cli_tool *tool)
{
    fprintf(stderr, "%s: the option table is wrong\n", tool->name);
    abort();
}

void cli_init(struct cli *c, const struct cli_tool *tool, int argc, char **argv)
{
    *c = (struct cli){.tool = tool, .argc = argc, .argv = argv};
    /* '-' hands out operands in their place, even under POSIXLY_CORRECT; ':' makes getopt silent
     * and tells a missing argument from an unknown option. */
    char *s = c->shorts;
    *s++ = '-';
    *s++ = ':';
    size_t n = 0;
    for (const struct cli_opt *o = tool->opts; o->id != 0; o++, n++) {
        if (n + 1 >= CLI_OPTS_MAX || (o->id < 256 && !is_letter_or_digit(o->id)))
            table_is_wrong(tool);
        c->longs[n] = (struct option){o->long_name, has_arg(o), NULL, o->id};
        if (o->id >= 256)
            continue;
        *s++ = (char)o->id;
        for (int colons = has_arg(o); colons > 0; colons--)
            *s++ = ':';
    }
    c->longs[n] = (struct option){dump_opt.long_name, no_argument, NULL, dump_opt.id};
    c->operands = argc > 0 ? argv + 1 : argv;
}

static const struct cli_opt *find_short(const struct cli_tool *tool, int letter)
{
    for (const struct cli_opt *o = tool->opts; o->id != 0; o++) {
        if (o->id == letter)
            return o;
    }
    return NULL;
}

/* The option whose whole name stands in word, which is "--NAME" or "--NAME=ARG". */
static const struct cli_opt *find_long(const struct cli_tool *tool, const char *word)
{
    const char *name = word + 2;
    size_t len = strcspn(name, "=");
    for (const struct cli_opt *o = tool->opts; o->id != 0; o++) {
        if (strncmp(o->long_name, name, len) == 0 && o->long_name[len] == '\0')
            return o;
    }
    if (strncmp(dump_opt.long_name, name, len) == 0 && dump_opt.long_name[len] == '\0')
        return &dump_opt;
    return NULL;
}

static bool is_long(const char *word)
{
    return word[0] == '-' && word[1] == '-';
}

/*
 * One step of getopt_long. Returns what it returned; for an option, *word is the element of argv
 * it stands in and c->opt the option meant, NULL if there is none of that very name.
 */
static int step(struct cli *c, const char **word)
{
    int at = optind > 0 ? optind : 1;
    int id = getopt_long(c->argc, c->argv, c->shorts, c->longs, NULL);
    c->opt = NULL;
    c->arg = NULL;
    if (id == -1 || id == GETOPT_OPERAND)
        return id;
    *word = c->argv[at];
    if (is_long(*word)) {
        c->opt = find_long(c->tool, *word);
        /* An abbreviation is no option, so it has not taken the next word as its argument. */
        if (c->opt == NULL)
            optind = at + 1;
    } else if (id == GETOPT_MISSING) {
        c->opt = find_short(c->tool, optopt);
    } else if (id != GETOPT_UNKNOWN) {
        c->opt = find_short(c->tool, id);
    }
    if (c->opt != NULL && id != GETOPT_UNKNOWN && id != GETOPT_MISSING)
        c->arg = optarg;
    return id;
}

static int show(struct cli *c, int id)
{
    errno = 0;
    if (id == 'h')
        help_full(stdout, c->tool);
    else if (id == 'V')
        help_version(stdout, c->tool);
    else
        help_dump(stdout, c->tool);
    c->status = CLI_EXIT_OK;
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "%s: standard output: %s\n", c->tool->name,
                errno != 0 ? strerror(errno) : "write error");
        c->status = CLI_EXIT_FAIL;
    }
    return CLI_SHOWN;
}

/* Shows the first of --help, --version and --dump-options on the line. CLI_END: there is none. */
static int look_for_help(struct cli *c)
{
    const char *word;
    int id;
    optind = 0;
    while ((id = step(c, &word)) != -1) {
        if (c->opt != NULL && (id == 'h' || id == 'V' || id == CLI_OPT_DUMP))
            return show(c, id);
    }
    return CLI_END;
}

char *cli_quote(char *buf, size_t cap, const char *s)
{
    return eve_quote(buf, cap, (struct eve_slice){s, strlen(s)}, true);
}

static void point_to_help(const struct cli_tool *tool)
{
    fprintf(stderr, "Try '%s --help' for more information.\n", tool->name);
}

int cli_usage(const struct cli_tool *tool, const char *fmt, ...)
{
    va_list args;
    fprintf(stderr, "%s: ", tool->name);
    va_start(args, fmt);
    vfprintf(stderr, fmt, args);
    va_end(args);
    fputc('\n', stderr);
    point_to_help(tool);
    return CLI_EXIT_FAIL;
}

int cli_bad_arg(const struct cli *c, const char *wanted)
{
    char arg[CLI_QUOTE_MAX];
    return cli_usage(c->tool, "option '--%s' needs %s, not '%s'", c->opt->long_name, wanted,
                     cli_quote(arg, sizeof arg, c->arg != NULL ? c->arg : ""));
}

int cli_no_input(const struct cli_tool *tool)
{
    help_usage(stderr, tool);
    point_to_help(tool);
    return CLI_EXIT_FAIL;
}

/* Reports what getopt did not like about word. */
static int report(struct cli *c, int id, const char *word)
{
    char name[CLI_QUOTE_MAX];
    if (is_long(word)) {
        eve_quote(name, sizeof name, (struct eve_slice){word, strcspn(word, "=")}, true);
    } else {
        /* All letters before the wrong one are right ones, so this finds its place in a bundle;
         * what is not ASCII is shown as the character it begins. */
        char letter = (char)optopt;
        const char *at = strchr(word + 1, letter);
        size_t len = 1;
        name[0] = '-';
        if (at != NULL && (unsigned char)letter >= 0x80)
            len = eve_quote_printable(at, strlen(at));
        eve_quote(name + 1, sizeof name - 1,
                  (struct eve_slice){at != NULL ? at : &letter, len > 0 ? len : 1}, true);
    }
    if (c->opt == NULL)
        c->status = cli_usage(c->tool, "unknown option '%s'", name);
    else if (id == GETOPT_MISSING)
        c->status = cli_usage(c->tool, "option '%s' needs an argument", name);
    else
        c->status = cli_usage(c->tool, "option '%s' takes no argument", name);
    return CLI_USAGE;
}

int cli_next(struct cli *c)
{
    if (!c->started) {
        c->started = true;
        int shown = look_for_help(c);
        if (shown != CLI_END)
            return shown;
        optind = 0; /* glibc: start over, forget all state */
    }
    const char *word = "";
    int id;
    /* Operands move to the front of argv, always to a place that getopt has left behind. */
    while ((id = step(c, &word)) == GETOPT_OPERAND)
        c->operands[c->noperands++] = optarg;
    if (id == -1) {
        for (int i = optind; i < c->argc; i++)
            c->operands[c->noperands++] = c->argv[i];
        return CLI_END;
    }
    if (c->opt == NULL || id == GETOPT_UNKNOWN || id == GETOPT_MISSING)
        return report(c, id, word);
    return id;
}

/* Reads digits to *out; returns what follows them, NULL if there are none or they do not fit. */
static const char *read_digits(const char *s, uint64_t *out)
{
    uint64_t n = 0;
    if (*s < '0' || *s > '9')
        return NULL;
    for (; *s >= '0' && *s <= '9'; s++) {
        unsigned digit = (unsigned)(*s - '0');
        if (n > (UINT64_MAX - digit) / 10)
            return NULL;
        n = n * 10 + digit;
    }
    *out = n;
    return s;
}

bool cli_count(const char *s, uint64_t *out)
{
    uint64_t n;
    const char *rest = read_digits(s, &n);
    if (rest == NULL || *rest != '\0')
        return false;
    *out = n;
    return true;
}

bool cli_size(const char *s, size_t *out)
{
    uint64_t n;
    unsigned shift = 0;
    const char *rest = read_digits(s, &n);
    if (rest == NULL)
        return false;
    if (*rest == 'K' || *rest == 'k')
        shift = 10;
    else if (*rest == 'M' || *rest == 'm')
        shift = 20;
    else if (*rest == 'G' || *rest == 'g')
        shift = 30;
    if (rest[shift > 0] != '\0' || n > (uint64_t)SIZE_MAX >> shift)
        return false;
    *out = (size_t)(n << shift);
    return true;
}

bool cli_choice(const char *value, const char *words, int *index)
{
    size_t len = strlen(value);
    for (int i = 0; *words != '\0'; i++) {
        size_t word = strcspn(words, " ");
        if (word == len && memcmp(words, value, len) == 0) {
            *index = i;
            return true;
        }
        words += word;
        words += *words == ' ';
    }
    return false;
}

bool cli_want_color(enum cli_when when, int fd)
{
    if (when != CLI_AUTO)
        return when == CLI_ALWAYS;
    const char *value = getenv("NO_COLOR");
    if (value != NULL && *value != '\0')
        return false;
    value = getenv("CLICOLOR_FORCE");
    if (value != NULL && *value != '\0' && strcmp(value, "0") != 0)
        return true;
    value = getenv("TERM");
    if (value != NULL && strcmp(value, "dumb") == 0)
        return false;
    return isatty(fd) == 1;
}
