/*
 * stat_read: reports of evestat read from files, one a line, and added up.
 */
#ifndef CLI_STAT_READ_H
#define CLI_STAT_READ_H

#include "base.h"
#include "merge.h"
#include "report.h"

struct stat_read_options {
    bool keep_going;     /* leave out a bad report, not its whole file */
    uint64_t max_errors; /* stop after so many; 0: no limit */
    size_t max_line;     /* 0: no limit */
};

/* Read all the files ("-" is standard input) and add what they hold to `m`. A file with a bad
 * report is left out, or only that report with `keep_going`. What went wrong was told; the report
 * has the status. False: no memory, or sums that do not fit, and `m` is of no use. */
bool stat_read_files(struct eve_merge *m, const struct stat_read_options *o, char *const *names,
                     size_t count, struct report *report);

#endif
