/*
 * accum_options: the command line of eveaccum.
 */
#ifndef CLI_ACCUM_OPTIONS_H
#define CLI_ACCUM_OPTIONS_H

#include "cli.h"
#include "feed.h"

enum accum_as { AS_BLOCKS, AS_EVENTS, AS_MESSAGES, AS_TEXT };

struct accum_options {
    struct feed_options feed;
    enum accum_as as;
    bool as_given;
    bool final;
    bool reasoning;
    bool nul;
    bool dedupe;
    const char *state; /* or NULL */
    bool flush;
    bool starts; /* start_index was given */
    uint64_t start_index;
};

extern const struct cli_tool accum_tool;

/* The word that --as has for it; constant. */
const char *accum_as_name(enum accum_as as);

/* Read the command line into *o; the operands are in *c. False: c->status is the exit status. */
bool accum_options_read(struct accum_options *o, struct cli *c, int argc, char **argv);

#endif
