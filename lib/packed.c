#include "packed.h"

#include <string.h>

static const char *const names[EVE_PACKED_COUNT] = {NULL, "gzip", "zstd"};
static const char *const endings[EVE_PACKED_COUNT] = {NULL, ".gz", ".zst"};

/* How many bytes of `magic` are what `first` begins with. Skippable frames of zstd have any low
 * half in their first byte. */
static size_t match(struct eve_slice first, const char *magic, size_t n, unsigned mask)
{
    size_t at = 0;
    while (at < first.n && at < n &&
           ((unsigned char)first.p[at] & (at == 0 ? mask : 0xFFu)) == (unsigned char)magic[at]) {
        at++;
    }
    return at;
}

static const struct {
    const char *bytes;
    size_t n;
    unsigned mask;
    enum eve_packed format;
} magic[] = {{"\x1F\x8B", 2, 0xFF, EVE_PACKED_GZIP},
             {"\x28\xB5\x2F\xFD", 4, 0xFF, EVE_PACKED_ZSTD},
             {"\x50\x2A\x4D\x18", 4, 0xF0, EVE_PACKED_ZSTD}};

enum { MAGICS = sizeof magic / sizeof *magic };

enum eve_packed eve_packed_of(struct eve_slice first, bool *more)
{
    *more = false;
    for (size_t i = 0; i < MAGICS; i++) {
        size_t got = match(first, magic[i].bytes, magic[i].n, magic[i].mask);
        if (got == magic[i].n) {
            *more = false;
            return magic[i].format;
        }
        *more = *more || got == first.n;
    }
    return EVE_PACKED_NOT;
}

bool eve_packed_begins(enum eve_packed format, struct eve_slice first)
{
    for (size_t i = 0; i < MAGICS; i++) {
        size_t got = match(first, magic[i].bytes, magic[i].n, magic[i].mask);
        if (magic[i].format == format && (got == magic[i].n || got == first.n)) {
            return true;
        }
    }
    return false;
}

enum eve_packed eve_packed_named(const char *path)
{
    size_t n = strlen(path);
    for (enum eve_packed format = EVE_PACKED_GZIP; format < EVE_PACKED_COUNT; format++) {
        size_t ending = strlen(endings[format]);
        if (n > ending && strcmp(path + n - ending, endings[format]) == 0) {
            return format;
        }
    }
    return EVE_PACKED_NOT;
}

const char *eve_packed_name(enum eve_packed format)
{
    return names[format];
}

bool eve_packed_built(enum eve_packed format)
{
    switch (format) {
    case EVE_PACKED_GZIP:
#ifdef EVE_WITH_GZIP
        return true;
#else
        return false;
#endif
    case EVE_PACKED_ZSTD:
#ifdef EVE_WITH_ZSTD
        return true;
#else
        return false;
#endif
    case EVE_PACKED_NOT:
    case EVE_PACKED_COUNT:
        break;
    }
    return true;
}

const char *eve_packed_lacking(enum eve_packed format)
{
    return format == EVE_PACKED_GZIP
               ? "gzip data, which this build lacks; decompress it first (gzip -dc)"
               : "zstd data, which this build lacks; decompress it first (zstd -dc)";
}
