/*
 * packed: the formats of compressed data: how they are known, and which this build has.
 *
 * A file is known by its first bytes when it is read, by its name when it is to be written. zlib
 * and libzstd are optional when the library is built (EVE_WITH_GZIP, EVE_WITH_ZSTD); what belongs
 * to a format that is left out says EVE_FAIL with eve_packed_lacking.
 */
#ifndef EVE_PACKED_H
#define EVE_PACKED_H

#include "base.h"

enum eve_packed { EVE_PACKED_NOT, EVE_PACKED_GZIP, EVE_PACKED_ZSTD, EVE_PACKED_COUNT };

/* First bytes that tell. */
#define EVE_PACKED_MAGIC 4

/* What data that begins with `first` is; what follows the first EVE_PACKED_MAGIC bytes does not
 * matter. *more: these are the beginning of a format, and the next byte is needed to tell. A file
 * can hold several parts one behind the other, each of which begins so: members of gzip, frames of
 * zstd, among them skippable ones. */
enum eve_packed eve_packed_of(struct eve_slice first, bool *more);

/* Can data that begins with `first`, be it less than EVE_PACKED_MAGIC bytes, be of this format? */
bool eve_packed_begins(enum eve_packed format, struct eve_slice first);

/* What a file of this name is to be: .gz and .zst at its end tell. */
enum eve_packed eve_packed_named(const char *path);

/* "gzip" or "zstd"; NULL for EVE_PACKED_NOT. Constant. */
const char *eve_packed_name(enum eve_packed format);

/* Is it in this build? Data that is not compressed always is. */
bool eve_packed_built(enum eve_packed format);

/* The message for a format that is not. Constant. */
const char *eve_packed_lacking(enum eve_packed format);

#endif
