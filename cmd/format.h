/*
 * format: findings as people and machines read them.
 *
 * One of these serves a run: format_begin_file, the findings of that file, format_end_file, for
 * each file, then format_end. What is written goes to the output it was given, at once or, where
 * the format needs it, when the file or the run ends. A run that stops early still calls format_end
 * and so leaves a whole document. Whatever bytes names and streams hold, the documents are valid:
 * what no document can hold is replaced by U+FFFD.
 *
 *   text    the line of diag.h, and below it the event and a short excerpt
 *   json    one object a finding and line; see evecheck(1)
 *   github  workflow commands, the most severe first, within GitHub's limits for one step
 *   sarif   SARIF 2.1.0, at most FORMAT_SARIF_MAX results
 *   junit   JUnit XML: a test suite a file, a test case a rule
 *   tap     TAP 13: a point a file, findings in its YAML block
 *
 * All statuses: EVE_FAIL: no memory, or the output failed, in which case out->failure has it.
 */
#ifndef CLI_FORMAT_H
#define CLI_FORMAT_H

#include "base.h"
#include "out.h"
#include "rules.h"

/* For cli_choice, in the order of enum format_kind. */
#define FORMAT_WORDS "text json github sarif junit tap"
enum format_kind {
    FORMAT_TEXT,
    FORMAT_JSON,
    FORMAT_GITHUB,
    FORMAT_SARIF,
    FORMAT_JUNIT,
    FORMAT_TAP,
    FORMAT_COUNT
};

/* Results in a SARIF document, findings of a rule in a test case, findings of a file in a TAP
 * block; what is over is counted and said. */
enum { FORMAT_SARIF_MAX = 5000, FORMAT_JUNIT_MAX = 100, FORMAT_TAP_MAX = 1000 };
/* GitHub shows so many of each level a step. */
enum { FORMAT_GITHUB_MAX = 10 };

struct format_options {
    enum format_kind kind;
    struct eve_out *out;             /* borrowed until format_free */
    const struct eve_finder *finder; /* which rules are on; borrowed likewise */
    size_t files;                    /* how many there are to be */
    bool strict;                     /* a warning fails its file, as an error does */
    bool color;                      /* text: paint the level */
};

/* Findings so far, over all files, by enum eve_level. */
struct format_counts {
    uint64_t level[3];
    uint64_t files;
    uint64_t failed_files; /* with what fails a file, or not read to their ends */
};

struct format;

EVE_MUST_USE enum eve_status format_new(struct format **out, const struct format_options *options,
                                        struct eve_err *err);
void format_free(struct format *f);

/* A file begins; `name` as the user gave it ("-": standard input), borrowed until the file ends. */
EVE_MUST_USE enum eve_status format_begin_file(struct format *f, const char *name,
                                               struct eve_err *err);

/* A finding of the file at hand; borrowed for the call. */
EVE_MUST_USE enum eve_status format_finding(struct format *f, const struct eve_finding *finding,
                                            struct eve_err *err);

/* The file is done; `trouble`: a sentence about why it was not read to its end, or NULL. */
EVE_MUST_USE enum eve_status format_end_file(struct format *f, const char *trouble,
                                             struct eve_err *err);

/* The run is done; ends the file at hand if there is one. `trouble`: why the run ended early, or
 * NULL. Once, before format_free. */
EVE_MUST_USE enum eve_status format_end(struct format *f, const char *trouble, struct eve_err *err);

/* Good until format_free. */
const struct format_counts *format_counts(const struct format *f);

/* Room for format_summary. */
#define FORMAT_SUMMARY_MAX 256

/* The closing line, as "2 files, 1,234 events: 1 error, 0 warnings, 3 notes"; `events` is the
 * caller's count. Writes to `buf` of FORMAT_SUMMARY_MAX bytes and returns it. */
const char *format_summary(const struct format *f, uint64_t events, char *buf);

#endif
