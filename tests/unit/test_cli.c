#include "check.h"
#include "cli.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OPT_CHECK = CLI_OPT_OWN, OPT_REJECTS };

static const struct cli_opt opts[] = {
    {'c', "coalesce", NULL, NULL, "join appends"},
    {'i', "in-place", "[SUFFIX]", NULL, "rewrite the files"},
    {OPT_CHECK, "check", NULL, NULL, "write nothing"},
    {OPT_REJECTS, "rejects", "FILE", "file", "put bad lines into FILE"},
    {'0', "null", NULL, NULL, "end with NUL"},
    CLI_COMMON,
};
static const struct cli_tool tool = {"tool", "[OPTION]... [FILE]...\n-i FILE...", "Does a thing.",
                                     opts, "tool a > b\ntool -i c"};

/* What the last run() did: the options and operands, and what it wrote to fd 1 and fd 2. */
static char trace[1024];
static char out[8192];
static char err[1024];
static int status;

static void add(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static void add(const char *fmt, ...)
{
    va_list args;
    size_t at = strlen(trace);
    va_start(args, fmt);
    vsnprintf(trace + at, sizeof trace - at, fmt, args);
    va_end(args);
}

static void parse(int argc, char **argv)
{
    struct cli c;
    int id;
    trace[0] = '\0';
    cli_init(&c, &tool, argc, argv);
    while ((id = cli_next(&c)) > 0) {
        bool right = c.opt->id == id;
        add(right ? "[%s%s%s]" : "[wrong id]", c.opt->long_name, c.arg ? "=" : "",
            c.arg ? c.arg : "");
    }
    for (size_t i = 0; id == CLI_END && i < c.noperands; i++)
        add("{%s}", c.operands[i]);
    status = id == CLI_END ? 0 : c.status;
}

static void read_back(FILE *from, char *buf, size_t cap)
{
    rewind(from);
    buf[fread(buf, 1, cap - 1, from)] = '\0';
    fclose(from);
}

/* Parses the words after the name of the tool, NULL at the end, with both streams caught. */
static void run(const char *first, ...)
{
    char store[16][64];
    char *argv[17];
    int argc = 0;
    va_list args;
    snprintf(store[argc++], 64, "tool");
    va_start(args, first);
    for (const char *word = first; word != NULL && argc < 16; word = va_arg(args, const char *))
        snprintf(store[argc++], 64, "%s", word);
    va_end(args);
    for (int i = 0; i < argc; i++)
        argv[i] = store[i];
    argv[argc] = NULL;

    FILE *files[2] = {tmpfile(), tmpfile()};
    int saved[2] = {dup(1), dup(2)};
    if (!CHECK(files[0] != NULL && files[1] != NULL && saved[0] >= 0 && saved[1] >= 0))
        exit(1);
    fflush(stdout);
    dup2(fileno(files[0]), 1);
    dup2(fileno(files[1]), 2);
    parse(argc, argv);
    fflush(stdout);
    dup2(saved[0], 1);
    dup2(saved[1], 2);
    close(saved[0]);
    close(saved[1]);
    read_back(files[0], out, sizeof out);
    read_back(files[1], err, sizeof err);
}

#define RUN(...) run(__VA_ARGS__, (const char *)NULL)
#define TRY "\nTry 'tool --help' for more information.\n"

static void good_lines(void)
{
    TEST("options and operands in any order");
    RUN("a", "-k", "b", "--output", "out", "-oout2", "--output=o3", "c");
    CHECK_EQ_STR(trace, "[keep-going][output=out][output=out2][output=o3]{a}{b}{c}");
    RUN("-k0c", "-", "--check");
    CHECK_EQ_STR(trace, "[keep-going][null][coalesce][check]{-}");
    RUN("a", "-k", "--", "-c", "--", "b");
    CHECK_EQ_STR(trace, "[keep-going]{a}{-c}{--}{b}");
    RUN("-o", "--", "a", "--rejects", "-h");
    CHECK_EQ_STR(trace, "[output=--][rejects=-h]{a}");
    RUN("", "--output=", "-f", "");
    CHECK_EQ_STR(trace, "[output=][from=]{}");
    RUN("--");
    CHECK_EQ_STR(trace, "");
    run(NULL);
    CHECK_EQ_STR(trace, "");
    CHECK_EQ_INT(status, 0);
    CHECK_EQ_STR(err, "");

    TEST("optional arguments are glued");
    RUN("-i", ".bak", "-i.bak", "--in-place", "a", "--in-place=.b", "-ki", "-kiz");
    CHECK_EQ_STR(trace, "[in-place][in-place=.bak][in-place][in-place=.b][keep-going][in-place]"
                        "[keep-going][in-place=z]{.bak}{a}");

    TEST("POSIXLY_CORRECT changes nothing");
    setenv("POSIXLY_CORRECT", "1", 1);
    RUN("a", "-k", "b");
    unsetenv("POSIXLY_CORRECT");
    CHECK_EQ_STR(trace, "[keep-going]{a}{b}");
}

static void wrong_lines(void)
{
    static const struct {
        const char *word, *err;
    } cases[] = {
        {"-z", "tool: unknown option '-z'" TRY},
        {"-kzc", "tool: unknown option '-z'" TRY},
        {"-:", "tool: unknown option '-:'" TRY},
        {"-?", "tool: unknown option '-?'" TRY},
        {"-k-c", "tool: unknown option '--'" TRY},
        {"-\xc3\xa9x", "tool: unknown option '-\xc3\xa9'" TRY},
        {"-\xff", "tool: unknown option '-\\xff'" TRY},
        {"-\n", "tool: unknown option '-\\x0a'" TRY},
        {"--foo", "tool: unknown option '--foo'" TRY},
        {"--foo=bar", "tool: unknown option '--foo'" TRY},
        {"--\033[1m", "tool: unknown option '--\\x1b[1m'" TRY},
        {"--=a", "tool: unknown option '--'" TRY},
        {"--out", "tool: unknown option '--out'" TRY},
        {"--out=a", "tool: unknown option '--out'" TRY},
        {"--c", "tool: unknown option '--c'" TRY},
        {"--hel", "tool: unknown option '--hel'" TRY},
        {"--dump", "tool: unknown option '--dump'" TRY},
        {"--outputs", "tool: unknown option '--outputs'" TRY},
        {"--output", "tool: option '--output' needs an argument" TRY},
        {"-o", "tool: option '-o' needs an argument" TRY},
        {"-ko", "tool: option '-o' needs an argument" TRY},
        {"--quiet=1", "tool: option '--quiet' takes no argument" TRY},
        {"--help=1", "tool: option '--help' takes no argument" TRY},
    };
    TEST("usage errors");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        RUN(cases[i].word);
        CHECK_EQ_STR(err, cases[i].err);
        CHECK_EQ_STR(out, "");
        CHECK_EQ_INT(status, CLI_EXIT_FAIL);
        RUN("a", cases[i].word);
        CHECK_EQ_STR(err, cases[i].err);
    }
}

static void shown(void)
{
    TEST("help and version win over all else");
    RUN("--foo", "-z", "--quiet=1", "--out", "-V", "-h");
    static const char version[] = "tool (evetools) " EVETOOLS_VERSION "\ncompressed files: ";
    CHECK(strncmp(out, version, sizeof version - 1) == 0);
    CHECK_EQ_STR(err, "");
    CHECK_EQ_INT(status, 0);
    RUN("-zkV", "-o");
    CHECK(strncmp(out, version, sizeof version - 1) == 0);
    RUN("a", "-kh");
    CHECK(strncmp(out, "Usage: tool [OPTION]... [FILE]...\n       tool -i FILE...\n", 57) == 0);
    const char *tail = strstr(out, "\nExamples:\n");
    CHECK_EQ_STR(tail, "\nExamples:\n  tool a > b\n  tool -i c\n");

    TEST("what only looks like help is none");
    RUN("-oh", "-o", "-h", "-ih", "--output", "--help", "--", "-h");
    CHECK_EQ_STR(trace, "[output=h][output=-h][in-place=h][output=--help]{-h}");
    CHECK_EQ_STR(out, "");

    TEST("help names each option but the hidden one, within 80 columns");
    RUN("--help");
    for (const struct cli_opt *o = opts; o->id != 0; o++) {
        char name[64];
        snprintf(name, sizeof name, "--%s", o->long_name);
        CHECK(strstr(out, name) != NULL);
    }
    CHECK(strstr(out, "dump-options") == NULL);
    CHECK(strstr(out, "  -i, --in-place[=SUFFIX]  rewrite the files\n") != NULL);
    CHECK(strstr(out, "      --check  ") != NULL);
    for (const char *line = out; *line != '\0'; line += strcspn(line, "\n") + 1)
        CHECK(strcspn(line, "\n") < 80);

    TEST("the table as completions need it");
    RUN("--dump-options");
    CHECK(strncmp(out,
                  "c\tcoalesce\t-\t-\tjoin appends\n"
                  "i\tin-place\t[SUFFIX]\t-\trewrite the files\n"
                  "-\tcheck\t-\t-\twrite nothing\n"
                  "-\trejects\tFILE\tfile\tput bad lines into FILE\n",
                  136) == 0);
}

static void sizes(void)
{
    static const char *const wrong[] = {"",
                                        "K",
                                        "-1",
                                        "+1",
                                        " 1",
                                        "1 ",
                                        "1KB",
                                        "1T",
                                        "0x",
                                        "1.5",
                                        "1e3",
                                        "1KK",
                                        "18446744073709551616",
                                        "18446744073709551615K",
                                        "17179869184G"};
    size_t size = 7;
    uint64_t count = 7;
    TEST("sizes");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        CHECK(!cli_size(wrong[i], &size));
        CHECK(!cli_count(wrong[i], &count));
    }
    CHECK(size == 7 && count == 7);
    CHECK(cli_size("0", &size) && size == 0);
    CHECK(cli_size("0064k", &size) && size == 65536);
    CHECK(cli_size("16M", &size) && size == (size_t)16 << 20);
    CHECK(cli_size("2g", &size) && size == (size_t)2 << 30);
    CHECK(SIZE_MAX < UINT64_MAX || (cli_size("17179869183G", &size) && size == ~(size_t)0 << 30));

    TEST("counts");
    CHECK(!cli_count("1K", &count));
    CHECK(cli_count("0", &count) && count == 0);
    CHECK(cli_count("18446744073709551615", &count) && count == UINT64_MAX);
}

static void choices(void)
{
    int at = 7;
    TEST("choices");
    CHECK(!cli_choice("", CLI_WHEN_WORDS, &at));
    CHECK(!cli_choice("al", CLI_WHEN_WORDS, &at));
    CHECK(!cli_choice("Auto", CLI_WHEN_WORDS, &at));
    CHECK(!cli_choice("auto always", CLI_WHEN_WORDS, &at));
    CHECK(!cli_choice(" ", CLI_WHEN_WORDS, &at));
    CHECK_EQ_INT(at, 7);
    CHECK(cli_choice("auto", CLI_WHEN_WORDS, &at) && at == CLI_AUTO);
    CHECK(cli_choice("always", CLI_WHEN_WORDS, &at) && at == CLI_ALWAYS);
    CHECK(cli_choice("never", CLI_WHEN_WORDS, &at) && at == CLI_NEVER);
    CHECK(cli_choice("21", CLI_FROM_WORDS, &at) && at == 1);
    CHECK(cli_choice("http", CLI_FROM_WORDS, &at) && at == 7);
}

static void quotes(void)
{
    char buf[CLI_QUOTE_MAX];
    TEST("words in messages");
    CHECK_EQ_STR(cli_quote(buf, sizeof buf, ""), "");
    CHECK_EQ_STR(cli_quote(buf, sizeof buf, "a b's"), "a b's");
    CHECK_EQ_STR(cli_quote(buf, sizeof buf, "\t\n\x1b\x7f\\"), "\\x09\\x0a\\x1b\\x7f\\\\");
    CHECK_EQ_STR(cli_quote(buf, sizeof buf, "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"),
                 "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
    CHECK_EQ_STR(cli_quote(buf, sizeof buf, "\xc2\x9b\xe2\x80\xae"), "\\xc2\\x9b\\xe2\\x80\\xae");
    CHECK_EQ_STR(cli_quote(buf, sizeof buf, "\xc0\xaf\xed\xa0\x80\xf5\x80"),
                 "\\xc0\\xaf\\xed\\xa0\\x80\\xf5\\x80");
    CHECK_EQ_STR(cli_quote(buf, sizeof buf, "\xf0\x9f\x98"), "\\xf0\\x9f\\x98");
    CHECK_EQ_STR(cli_quote(buf, 8, "1234567"), "1234567");
    CHECK_EQ_STR(cli_quote(buf, 8, "12345678"), "1234...");
    CHECK_EQ_STR(cli_quote(buf, 8, "123\xe2\x82\xac\xe2\x82\xac"), "123...");
    CHECK_EQ_STR(cli_quote(buf, 8, "\n\n"), "\\x0a...");
}

static bool color(const char *no_color, const char *force, const char *term, enum cli_when when)
{
    setenv("NO_COLOR", no_color, 1);
    setenv("CLICOLOR_FORCE", force, 1);
    setenv("TERM", term, 1);
    int pipes[2];
    if (pipe(pipes) != 0)
        return false;
    bool want = cli_want_color(when, pipes[1]);
    close(pipes[0]);
    close(pipes[1]);
    return want;
}

static void colors(void)
{
    TEST("colour");
    CHECK(!color("", "", "xterm", CLI_AUTO));
    CHECK(color("", "1", "xterm", CLI_AUTO));
    CHECK(color("", "1", "dumb", CLI_AUTO));
    CHECK(!color("", "0", "xterm", CLI_AUTO));
    CHECK(!color("1", "1", "xterm", CLI_AUTO));
    CHECK(color("1", "", "dumb", CLI_ALWAYS));
    CHECK(!color("", "1", "xterm", CLI_NEVER));
    unsetenv("NO_COLOR");
    unsetenv("CLICOLOR_FORCE");
}

void test_cli(void);
void test_cli(void)
{
    good_lines();
    wrong_lines();
    shown();
    sizes();
    choices();
    quotes();
    colors();
}
