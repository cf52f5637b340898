/*
 * zlib_mem: the memory of zlib comes from mem.
 */
#ifndef EVE_ZLIB_MEM_H
#define EVE_ZLIB_MEM_H

#include "base.h"

#ifdef EVE_WITH_GZIP
#include <zlib.h>

/* The members zalloc and zfree of a z_stream; `opaque` is of no use to them. */
void *eve_zlib_take(void *opaque, unsigned items, unsigned size);
void eve_zlib_give(void *opaque, void *block);
#endif

#endif
