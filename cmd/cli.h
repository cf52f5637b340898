#ifndef CLI_CLI_H
#define CLI_CLI_H

/*
 * The command line, from one table of options per tool.
 *
 * The table gives the parser, --help, --version and the hidden --dump-options from which the
 * completions are made. It knows nothing of the library. Nothing here allocates: tables and texts
 * are static, arguments and operands point into argv and live as long as it does.
 *
 *     struct cli c;
 *     int id;
 *     cli_init(&c, &tool, argc, argv);
 *     while ((id = cli_next(&c)) > 0) {
 *         switch (id) {
 *         case 'o': output = c.arg; break;
 *         case OPT_MAX_LINE:
 *             if (!cli_size(c.arg, &max_line))
 *                 return cli_bad_arg(&c, "a size such as 64K or 16M");
 *             break;
 *         }
 *     }
 *     if (id != CLI_END)
 *         return c.status;
 *     for (size_t i = 0; i < c.noperands; i++) ... c.operands[i] ...
 *
 * The parser uses getopt_long, whose state is global: one struct cli at a time.
 */

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EVETOOLS_VERSION "0.1.0"

/* Exit statuses of every tool, in rising order: the worst one wins. */
enum cli_exit {
    CLI_EXIT_OK = 0,   /* all is well */
    CLI_EXIT_BAD = 1,  /* bad data or findings */
    CLI_EXIT_FAIL = 2, /* usage, input or output, memory */
};

/* What cli_next() returns when it does not return the id of an option (ids are above 0). */
enum cli_stop {
    CLI_END = 0,    /* no options are left; the operands are set */
    CLI_USAGE = -1, /* a usage error was reported; exit with c->status */
    CLI_SHOWN = -2, /* help or version was printed (or failed to be); exit with c->status */
};

/*
 * One option. Tables are static arrays that end with CLI_OPT_END (CLI_COMMON holds it).
 *
 * id         the short letter, or a value from 256 on for an option without one
 * long_name  never NULL, without the dashes
 * arg        name of the argument for --help, such as "FILE"; NULL: takes none;
 *            "[SUFFIX]": optional, given glued only (-i.bak, --in-place=.bak)
 * complete   what the argument is, for the completions: NULL (anything), "file", "dir", or the
 *            words it can be, parted by single spaces (also fit for cli_choice)
 * help       one sentence in ASCII without capital and stop; --help wraps it
 */
struct cli_opt {
    int id;
    const char *long_name;
    const char *arg;
    const char *complete;
    const char *help;
};

/* Ids of the shared options without a letter. A tool numbers its own from CLI_OPT_OWN on. */
enum cli_opt_id {
    CLI_OPT_MAX_ERRORS = 256,
    CLI_OPT_MAX_LINE,
    CLI_OPT_COLOR,
    CLI_OPT_PROGRESS,
    CLI_OPT_LINE_BUFFERED,
    CLI_OPT_DUMP, /* hidden, added to each table by the parser */
    CLI_OPT_OWN = 512,
};

/* Values of --from: cli_choice() gives the index, 0 auto, 1 to 6 for 21 to 26, 7 http. */
#define CLI_FROM_WORDS "auto 21 22 23 24 25 26 http"

/* Values of --color and --progress, in the order of enum cli_when. */
#define CLI_WHEN_WORDS "auto always never"
enum cli_when { CLI_AUTO = 0, CLI_ALWAYS = 1, CLI_NEVER = 2 };

/* The most options a table can have, the hidden one included; cli_init() refuses more. */
#define CLI_OPTS_MAX 64

/* clang-format off */
#define CLI_OPT_END { 0, NULL, NULL, NULL, NULL }

/* The options all tools share, and the end of the table; with the help for -k and -q of a tool whose
 * findings are its output. */
#define CLI_COMMON \
    CLI_COMMON_OF("report each bad event and go on", \
                  "no closing line, warnings or progress; errors always")
#define CLI_COMMON_OF(keep, quiet) \
    { 'f', "from", "FORMAT", CLI_FROM_WORDS, \
      "take the input as stream version 21 to 26, as http (a response head, then the stream) or " \
      "find out for each event (auto, the default)" }, \
    { 'o', "output", "FILE", "file", \
      "write to FILE, replaced in one step at the end, instead of standard output; compressed if " \
      "its name ends in .gz or .zst" }, \
    { 'k', "keep-going", NULL, NULL, keep }, \
    { CLI_OPT_MAX_ERRORS, "max-errors", "N", NULL, \
      "stop after N errors (default 0: no limit)" }, \
    { CLI_OPT_MAX_LINE, "max-line", "SIZE", NULL, \
      "refuse lines longer than SIZE bytes; K, M and G are understood (default: no limit)" }, \
    { 'g', "group-by", "MEMBER", NULL, \
      "keep sessions apart by this top-level member of the events" }, \
    { 'q', "quiet", NULL, NULL, quiet }, \
    { CLI_OPT_COLOR, "color", "WHEN", CLI_WHEN_WORDS, \
      "colour: auto (on a terminal, the default), always or never" }, \
    { CLI_OPT_PROGRESS, "progress", "WHEN", CLI_WHEN_WORDS, \
      "progress: auto (on a terminal, the default), always or never" }, \
    { CLI_OPT_LINE_BUFFERED, "line-buffered", NULL, NULL, "write out each line at once" }, \
    { 'h', "help", NULL, NULL, "show this help" }, \
    { 'V', "version", NULL, NULL, "show the version" }, \
    CLI_OPT_END
/* clang-format on */

/*
 * What there is to say about a tool.
 *
 * synopsis  one line for each form of use, parted by "\n", without the name of the tool
 * purpose   a sentence or two; --help wraps it
 * examples  three to five lines of shell, parted by "\n", each under 78 columns
 */
struct cli_tool {
    const char *name;
    const char *synopsis;
    const char *purpose;
    const struct cli_opt *opts;
    const char *examples;
};

/* A command line being read. Callers read the first group and leave the second alone. */
struct cli {
    const struct cli_tool *tool;
    const struct cli_opt *opt; /* the option returned last */
    const char *arg;           /* its argument; NULL if it has none */
    char **operands;           /* after CLI_END: what is not an option, in order; "-" included */
    size_t noperands;
    int status; /* after CLI_USAGE and CLI_SHOWN: the exit status */

    int argc;
    char **argv;
    bool started;
    struct option longs[CLI_OPTS_MAX + 1];
    char shorts[3 * CLI_OPTS_MAX + 3];
};

/*
 * Starts on a command line. tool and argv are borrowed while c is in use; argv is reordered: the
 * operands move to its front. A table that is too long or malformed is our bug, and aborts.
 */
void cli_init(struct cli *c, const struct cli_tool *tool, int argc, char **argv);

/*
 * The next option in the order of argv: its id with c->opt and c->arg set, or a value of enum
 * cli_stop. The first call looks for --help, --version and --dump-options on the whole line and
 * prints what is asked, whatever else is wrong there. Options and operands mix freely (whatever
 * POSIXLY_CORRECT says), "--" ends the options, "-" is an operand, long names must be complete.
 * Not to be called again after it returned 0 or less.
 */
int cli_next(struct cli *c);

/*
 * Reports a usage error on standard error: "NAME: TEXT" and a line that points to --help.
 * Text from the user goes through cli_quote() first. Returns CLI_EXIT_FAIL.
 */
int cli_usage(const struct cli_tool *tool, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * Reports that the argument of the option returned last is not as it should be: "option '--from'
 * needs WANTED, not 'ARG'". Returns CLI_EXIT_FAIL.
 */
int cli_bad_arg(const struct cli *c, const char *wanted);

/* Short usage on standard error, for no input but a terminal. Returns CLI_EXIT_FAIL. */
int cli_no_input(const struct cli_tool *tool);

/* Reads a size in bytes: decimal digits, then K, M or G (powers of 1024, also in lower case) or
 * nothing. False, and *out untouched, for anything else and for what does not fit. */
bool cli_size(const char *s, size_t *out);

/* Reads a number of decimal digits. False, and *out untouched, otherwise or if it does not fit. */
bool cli_count(const char *s, uint64_t *out);

/* Finds value among words parted by single spaces; its place, from 0 on, goes to *index.
 * False, and *index untouched, if it is none of them. */
bool cli_choice(const char *value, const char *words, int *index);

/* Whether to colour what is written to fd: the option, then NO_COLOR, CLICOLOR_FORCE, TERM=dumb,
 * and last whether fd is a terminal. */
bool cli_want_color(enum cli_when when, int fd);

/* A buffer of this size is enough for a word in a message. */
#define CLI_QUOTE_MAX 256

/*
 * Writes the string s to buf as a message can show it: printable UTF-8 stays, a backslash is
 * doubled, control characters and bytes that are not UTF-8 become \xHH. What does not fit in cap
 * bytes (at least 8) is cut and ends in "...". Returns buf.
 */
char *cli_quote(char *buf, size_t cap, const char *s);

#endif
