/*
 * evenorm: legacy streams become delta-only.
 *
 * The way of an event:
 *   argv -> cli (option table) -> struct options, constant from then on
 *   migrate: which files go where; one run
 *   feed: line -> event -> decode (the version's rules, what is to be cut)
 *   norm: dedupe, restarts, coalesce -> sink -> out -> file or standard output
 *   report: messages, exit status
 */
#include "cli.h"
#include "feed.h"
#include "migrate.h"
#include "signals.h"
#include "sink.h"

#include <string.h>
#include <unistd.h>

enum { OPT_CHECK = CLI_OPT_OWN, OPT_REJECTS };

static const struct cli_opt opts[] = {
    {'t', "to", "VERSION", "25 26",
     "26 (default) also names unnamed load-skill actions, 25 does not"},
    {'c', "coalesce", NULL, NULL, "join appends that follow each other into one event"},
    {'u', "dedupe", NULL, NULL, "drop events whose meta.id was seen before"},
    {'i', "in-place", "[SUFFIX]", NULL,
     "rewrite the files in one step each; keep the old ones under their name + SUFFIX, if given"},
    {OPT_CHECK, "check", NULL, NULL,
     "write nothing; print the names of the files that would change, exit 1 if any"},
    {OPT_REJECTS, "rejects", "FILE", "file", "put bad lines into FILE and go on (implies -k)"},
    CLI_COMMON};

static const struct cli_tool tool = {
    "evenorm", "[OPTION]... [FILE]...",
    "Rewrite eve event streams (NDJSON, versions 21 to 26) in delta-only form: appends lose the "
    "text "
    "so far that versions 21 to 24 repeat in each of them. Every other byte stays as it is. Reads "
    "standard input without FILE.",
    opts,
    "evenorm log.ndjson >new.ndjson\n"
    "evenorm -i.bak log.ndjson\n"
    "evenorm --check log.ndjson\n"
    "evenorm -c -u -o log.ndjson.zst log.ndjson\n"
    "curl -si \"$URL\" | evenorm -f http"};

/* What must not go together. Returns an exit status, 0 if all is well. */
static int check_clashes(const struct migrate_options *o, char *const *names, size_t count)
{
    const char *with = NULL;
    if (o->in_place) {
        with = o->feed.output != NULL ? "--output" : with;
        with = o->check ? "--check" : with;
        with = o->feed.http ? "--from=http" : with;
        if (with != NULL) {
            return cli_usage(&tool, "--in-place does not go with %s", with);
        }
        for (size_t i = 0; i < count; i++) {
            if (strcmp(names[i], "-") == 0) {
                return cli_usage(&tool, "--in-place does not go with standard input");
            }
        }
        if (count == 0) {
            return cli_usage(&tool, "--in-place needs files");
        }
    }
    if (o->check && (o->rejects != NULL || o->feed.output != NULL)) {
        return cli_usage(&tool, "--check does not go with %s",
                         o->rejects != NULL ? "--rejects" : "--output");
    }
    return 0;
}

static bool suffix_is_good(const char *s)
{
    return strchr(".~-_", *s) != NULL && *s != '\0' && strchr(s, '/') == NULL;
}

/* Read the command line into *o. CLI_END to go on, else c->status is the exit status. */
static int read_options(struct cli *c, struct migrate_options *o)
{
    int id = 0;
    while ((id = cli_next(c)) > 0) {
        int status = 0;
        switch (id) {
        case 't':
            status = strcmp(c->arg, "25") != 0 && strcmp(c->arg, "26") != 0
                         ? cli_bad_arg(c, "25 or 26")
                         : 0;
            o->to = strcmp(c->arg, "25") == 0 ? 25 : 26;
            break;
        case 'c':
            o->coalesce = true;
            break;
        case 'u':
            o->dedupe = true;
            break;
        case 'i':
            o->in_place = true;
            o->suffix = c->arg;
            if (c->arg != NULL && !suffix_is_good(c->arg)) {
                status = cli_bad_arg(c, "a suffix that begins with . ~ - or _ and has no slash");
            }
            break;
        case OPT_CHECK:
            o->check = true;
            break;
        case OPT_REJECTS:
            o->rejects = c->arg;
            o->feed.keep_going = true;
            break;
        default:
            (void)feed_option(&o->feed, c, id, &status);
            break;
        }
        if (status != 0) {
            c->status = status;
            return CLI_USAGE;
        }
    }
    return id;
}

int main(int argc, char **argv)
{
    static char dash[] = "-";
    static char *stdin_only[] = {dash};
    struct cli c;
    struct migrate_options o = {.tool = tool.name, .to = 26};
    sink_reserve_descriptors();
    cli_init(&c, &tool, argc, argv);
    if (read_options(&c, &o) != CLI_END) {
        return c.status;
    }
    int status = check_clashes(&o, c.operands, c.noperands);
    if (status != 0) {
        return status;
    }
    if (c.noperands == 0 && isatty(STDIN_FILENO)) {
        return cli_no_input(&tool);
    }
    signals_init();
    return c.noperands == 0 ? migrate(&o, stdin_only, 1) : migrate(&o, c.operands, c.noperands);
}
