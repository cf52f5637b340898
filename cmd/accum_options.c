#include "accum_options.h"

#include "num.h"

#define AS_WORDS "blocks events messages text"

enum { OPT_FINAL = CLI_OPT_OWN, OPT_REASONING, OPT_FLUSH, OPT_START_INDEX };

static const struct cli_opt opts[] = {
    {'a', "as", "FORM", AS_WORDS,
     "print a record of each block (blocks, the default), the events with the text so far "
     "(events), the conversation (messages) or what a person reads (text)"},
    {OPT_FINAL, "final", NULL, NULL, "with -a text: only the last answer of each turn"},
    {OPT_REASONING, "reasoning", NULL, NULL, "with -a text: reasoning too"},
    {'0', "null", NULL, NULL, "with -a text: end each text with NUL"},
    {'u', "dedupe", NULL, NULL, "drop events whose meta.id was seen before"},
    {'S', "state", "FILE", "file",
     "go on where the run before stopped, and leave in FILE what the next one has to know"},
    {OPT_FLUSH, "flush", NULL, NULL, "with -S: read nothing, print and close what is open"},
    {OPT_START_INDEX, "start-index", "N", NULL, "the input begins with event number N"},
    CLI_COMMON};

const struct cli_tool accum_tool = {
    "eveaccum", "[OPTION]... [FILE]...\n-S FILE --flush",
    "Put the deltas of eve event streams (NDJSON, versions 21 to 26) together again: texts, "
    "reasoning and tool inputs as they were when they ended, the events as version 24 wrote them, "
    "or the conversation. Reads standard input without FILE.",
    opts,
    "eveaccum log.ndjson >blocks.ndjson\n"
    "eveaccum -a text --final log.ndjson\n"
    "eveaccum -a events new.ndjson >v24.ndjson\n"
    "eveaccum -a messages log.ndjson | jq .messages\n"
    "curl -sN \"$URL?startIndex=$N\" | eveaccum -S state --start-index=\"$N\""};

const char *accum_as_name(enum accum_as as)
{
    static const char *const names[] = {"blocks", "events", "messages", "text"};
    return names[as];
}

/* What must not go together. Returns an exit status, 0 if all is well. */
static int check_clashes(const struct accum_options *o, size_t count)
{
    const char *with = NULL;
    if (o->state != NULL) {
        with = count > 1 ? "several files" : with;
        with = o->feed.output != NULL ? "--output" : with;
        with = o->as == AS_MESSAGES ? "--as=messages" : with;
        if (with != NULL) {
            return cli_usage(&accum_tool, "--state does not go with %s", with);
        }
    }
    if (o->flush && o->state == NULL) {
        return cli_usage(&accum_tool, "--flush needs --state");
    }
    if (o->flush && count > 0) {
        return cli_usage(&accum_tool, "--flush takes no file");
    }
    if (o->as != AS_TEXT) {
        with = o->nul ? "--null" : with;
        with = o->reasoning ? "--reasoning" : with;
        with = o->final ? "--final" : with;
        if (with != NULL) {
            return cli_usage(&accum_tool, "%s needs --as=text", with);
        }
    }
    return 0;
}

/* Take one of our own options; *status is the exit status to end with, 0 if all is well. */
static void take_option(struct accum_options *o, const struct cli *c, int id, int *status)
{
    int choice = 0;
    switch (id) {
    case 'a':
        *status = cli_choice(c->arg, AS_WORDS, &choice)
                      ? 0
                      : cli_bad_arg(c, "blocks, events, messages or text");
        o->as = (enum accum_as)choice;
        o->as_given = true;
        break;
    case OPT_FINAL:
        o->final = true;
        break;
    case OPT_REASONING:
        o->reasoning = true;
        break;
    case '0':
        o->nul = true;
        break;
    case 'u':
        o->dedupe = true;
        break;
    case 'S':
        o->state = c->arg;
        break;
    case OPT_FLUSH:
        o->flush = true;
        break;
    case OPT_START_INDEX:
        if (!cli_count(c->arg, &o->start_index) || o->start_index > EVE_NUM_SAFE_MAX) {
            *status = cli_bad_arg(c, "the number of an event, from 0");
        }
        o->starts = true;
        break;
    default:
        (void)feed_option(&o->feed, c, id, status);
        break;
    }
}

bool accum_options_read(struct accum_options *o, struct cli *c, int argc, char **argv)
{
    int id = 0;
    *o = (struct accum_options){0};
    cli_init(c, &accum_tool, argc, argv);
    while ((id = cli_next(c)) > 0) {
        int status = 0;
        take_option(o, c, id, &status);
        if (status != 0) {
            c->status = status;
            return false;
        }
    }
    if (id == CLI_END) {
        c->status = check_clashes(o, c->noperands);
    }
    return id == CLI_END && c->status == 0;
}
