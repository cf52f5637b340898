/*
 * attrs: what a file has beside its bytes: owner, mode, extended attributes, ACLs.
 *
 * Given from one file to another as far as the system allows; what cannot be kept never widens who
 * may read or write.
 */
#ifndef EVE_ATTRS_H
#define EVE_ATTRS_H

#include "base.h"

#include <sys/stat.h>

/* Give the file `to` what `st` and the file `from` have; `from` may be -1: owner and mode only.
 * EVE_FAIL: the mode could not be set. */
EVE_MUST_USE enum eve_status eve_attrs_copy(int from, int to, const struct stat *st,
                                            struct eve_err *err);

/* Give the file `to` the mode that a new file gets (the umask's). */
EVE_MUST_USE enum eve_status eve_attrs_new(int to, struct eve_err *err);

#endif
