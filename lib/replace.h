/*
 * replace: a file replaced in one step, or not at all.
 *
 * The new content goes to a temporary file in the target's folder (created exclusively, mode 0600).
 * On commit it gets owner, mode, extended attributes and ACLs of the old file, is synced, and
 * renamed over it; the folder is synced. Killed at any point, the target is the old file or the new
 * one, whole. Symbolic links are followed and stay links. A FIFO, socket or character device is
 * opened and written directly (not in place).
 */
#ifndef EVE_REPLACE_H
#define EVE_REPLACE_H

#include "base.h"

#include <sys/stat.h>

struct eve_replace {
    char *target;  /* the file itself, links resolved; owned */
    char *temp;    /* the temporary file; NULL: none, or gone. Owned. */
    char *backup;  /* the backup to make, or NULL. Owned. */
    int source_fd; /* in place: the old file, open for reading; else -1 */
    int fd;        /* write here */
    bool existed;  /* there was a file at the target; `before` is its status then */
    bool direct;   /* fd is the target itself */
    struct stat before;
    struct stat after; /* of the new content, when it was written */
};

/* Open `path` to be rewritten in place: source_fd reads the old content. `suffix`: keep the old
 * file beside the new one, under the name of the file (links resolved) + suffix; NULL: not. Refused
 * with EVE_FAIL and a message: what is no regular file or has hard links. On EVE_FAIL nothing is
 * left open or behind. */
EVE_MUST_USE enum eve_status eve_replace_in_place(struct eve_replace *r, const char *path,
                                                  const char *suffix, struct eve_err *err);

/* Open `path`, which need not exist, to be written anew. */
EVE_MUST_USE enum eve_status eve_replace_output(struct eve_replace *r, const char *path,
                                                struct eve_err *err);

/* Put the new content in place and close everything. EVE_FAIL (also if the backup exists): the
 * target is as it was (also when it was changed by others since it was opened), and nothing is left
 * behind. */
EVE_MUST_USE enum eve_status eve_replace_commit(struct eve_replace *r, struct eve_err *err);

/* Make the names in the folder of `path` safe on disk. EVE_FAIL: they may not be. */
EVE_MUST_USE enum eve_status eve_replace_sync_folder(const char *path, struct eve_err *err);

/* Leave the target as it is, remove the temporary file, close everything. Also after a commit, when
 * it does nothing. */
void eve_replace_abort(struct eve_replace *r);

#endif
