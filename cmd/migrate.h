/*
 * migrate: a run of evenorm. Every file is read, made delta-only, and written to one output, back
 * in place, or nowhere.
 */
#ifndef CLI_MIGRATE_H
#define CLI_MIGRATE_H

#include "feed.h"

#include <stdbool.h>
#include <stddef.h>

struct migrate_options {
    const char *tool; /* its name, for messages */
    struct feed_options feed;
    bool coalesce;
    bool dedupe;
    bool check; /* write nothing, print the names of files that would change */
    bool in_place;
    const char *suffix;  /* of the backups, or NULL */
    const char *rejects; /* file for bad lines, or NULL */
    unsigned to;         /* 25 or 26 */
};

/* Do it; "-" is standard input. Everything is told on the way. Returns the exit status. */
int migrate(const struct migrate_options *o, char *const *names, size_t count);

#endif
