/*
 * sink: where the data of a run goes: standard output, a file that is replaced in one step, a file
 * rewritten in place, or nowhere.
 *
 * A file whose name ends in .gz or .zst is written compressed, one rewritten in place as it was.
 * A temporary file is guarded against signals for as long as it exists.
 */
#ifndef CLI_SINK_H
#define CLI_SINK_H

#include "base.h"
#include "out.h"
#include "quote.h"
#include "replace.h"

#include <sys/stat.h>

struct sink {
    struct eve_out out;
    struct eve_replace file; /* in use if `replaces` */
    bool replaces;
    char on_signal[EVE_QUOTE_MAX + 128]; /* what is told if a signal ends it */
    const char *name;                    /* for messages: the file, or "standard output" */
};

/* Before anything is opened: let nothing else become descriptor 0, 1 or 2 if the tool was started
 * without it. Reading the first and writing the second then fail; messages go nowhere. */
void sink_reserve_descriptors(void);

/* If `fd` is a pipe, let it hold `bytes`, if it does not yet and that is allowed: whoever is at the
 * other end then works while we do. */
void sink_widen_pipe(int fd, int bytes);

/* Open for writing. `path`: the argument of --output, NULL for standard output. EVE_FAIL: *err says
 * why, sink->name where; nothing is left open. Close every sink that was opened. */
EVE_MUST_USE enum eve_status sink_open(struct sink *s, const char *path, struct eve_err *err);

/* The same for a file of our own, which is never compressed. */
EVE_MUST_USE enum eve_status sink_open_plain(struct sink *s, const char *path, struct eve_err *err);

/* Open a file to be rewritten in place; sink->file.source_fd reads it. `suffix` as for
 * eve_replace_in_place. */
EVE_MUST_USE enum eve_status sink_open_in_place(struct sink *s, const char *path,
                                                const char *suffix, struct eve_err *err);

/* Open one that only counts. */
EVE_MUST_USE enum eve_status sink_open_nowhere(struct sink *s, struct eve_err *err);

/* Write what is held and, for a file, put it in place. The sink is closed in any case; on EVE_FAIL
 * a file is as it was. */
EVE_MUST_USE enum eve_status sink_commit(struct sink *s, struct eve_err *err);

/* Close; a file stays as it was, and what was held for standard output is written if it still can
 * be. */
void sink_abort(struct sink *s);

/* One file? */
bool sink_is_same(const struct stat *a, const struct stat *b);

/* Is `path` ("-": standard input) the file of *st, by whatever name? */
bool sink_is_file(const char *path, const struct stat *st);

/* The sink's writing failed because nobody reads any more. */
bool sink_is_broken_pipe(const struct sink *s);

#endif
