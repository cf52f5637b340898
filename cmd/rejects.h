/*
 * rejects: the file that takes bad lines, verbatim.
 *
 * It may be the only copy of what it holds: it is made at the start, never replaces a file that has
 * something, never is an input or the output, and is on disk before any file that it was taken from
 * is replaced.
 */
#ifndef CLI_REJECTS_H
#define CLI_REJECTS_H

#include "sink.h"

#include <stddef.h>

/* Make the file `path`. `output`: the argument of --output, or NULL. EVE_FAIL: *err says why;
 * nothing is left behind. */
EVE_MUST_USE enum eve_status rejects_open(struct sink *s, const char *path, const char *output,
                                          char *const *inputs, size_t count, struct eve_err *err);

/* Write all that was put in, to the disk. */
EVE_MUST_USE enum eve_status rejects_sync(struct sink *s, struct eve_err *err);

/* Write all, and close. Does nothing for a sink that was not opened. */
EVE_MUST_USE enum eve_status rejects_close(struct sink *s, struct eve_err *err);

#endif
