#include "zlib_mem.h"

#ifdef EVE_WITH_GZIP

#include "mem.h"

void *eve_zlib_take(void *opaque, unsigned items, unsigned size)
{
    void *block = NULL;
    struct eve_err ignored; /* zlib says Z_MEM_ERROR */
    (void)opaque;
    return eve_mem_resize(&block, items, size, &ignored) == EVE_OK ? block : NULL;
}

void eve_zlib_give(void *opaque, void *block)
{
    (void)opaque;
    eve_mem_free(block);
}

#endif
