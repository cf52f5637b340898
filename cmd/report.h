/*
 * report: what is told on standard error, and the exit status that comes of it.
 *
 * The status only rises: 0 fine, 1 bad data or findings, 2 usage, input or output, memory. Data
 * that was written before is flushed before anything is told.
 */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include "base.h"
#include "diag.h"

struct report {
    const char *tool;
    bool quiet; /* errors only */
    bool color;
    int status;
    void (*before)(void *ctx); /* called before each message, or NULL */
    void *ctx;
};

/* Raise the status to at least `status`. */
void report_raise(struct report *r, int status);

/* Tell a finding; an error raises the status to 1. Quiet drops all but errors. `file` is a name as
 * the user gave it, or NULL. Line and column 0: none. */
void report_diag(struct report *r, enum eve_level level, const char *file, uint64_t line,
                 uint64_t column, const char *text, const char *rule);

/* Tell that something failed (input, output, memory) and raise the status to 2. `file` may be NULL;
 * standard input is told as <stdin>. */
void report_failure(struct report *r, const char *file, const struct eve_err *err);

/* The closing line, unless quiet. */
void report_note(struct report *r, const char *text);

/* `name` as messages show it: "-" is <stdin>, odd bytes are escaped. Writes to `buf` of
 * EVE_QUOTE_MAX bytes. */
const char *report_name(char *buf, const char *name);

/* `n` in decimal with a comma every three digits. Writes to `buf` of 32 bytes. */
const char *report_count(char *buf, uint64_t n);

#endif
