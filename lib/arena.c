#include "arena.h"

#include "mem.h"

#include <stdalign.h>
#include <string.h>

struct eve_arena_chunk {
    struct eve_arena_chunk *before;
    size_t size; /* bytes of room after the header */
    alignas(max_align_t) char bytes[];
};

enum { FIRST_CHUNK = 4096, LARGEST_CHUNK = 1 << 20 };

void eve_arena_init(struct eve_arena *a)
{
    *a = (struct eve_arena){0};
}

void eve_arena_fini(struct eve_arena *a)
{
    while (a->last != NULL) {
        struct eve_arena_chunk *before = a->last->before;
        eve_mem_free(a->last);
        a->last = before;
    }
    a->used = 0;
}

/* Chunks double up to a limit, so that a small owner stays small and a large one makes few calls.
 */
static enum eve_status add_chunk(struct eve_arena *a, size_t need, struct eve_err *err)
{
    struct eve_arena_chunk *chunk = NULL;
    size_t size = a->last == NULL ? FIRST_CHUNK : a->last->size * 2;
    if (size > LARGEST_CHUNK) {
        size = LARGEST_CHUNK;
    }
    if (size < need) {
        size = need;
    }
    if (size > PTRDIFF_MAX - sizeof *chunk) {
        size = PTRDIFF_MAX; /* let the allocator refuse it */
    }
    enum eve_status status = eve_mem_resize(&chunk, sizeof *chunk + size, 1, err);
    if (status != EVE_OK) {
        return status;
    }
    chunk->before = a->last;
    chunk->size = size;
    a->last = chunk;
    a->used = 0;
    return EVE_OK;
}

static enum eve_status take(struct eve_arena *a, size_t size, size_t align, char **out,
                            struct eve_err *err)
{
    size_t from = (a->used + align - 1) & ~(align - 1);
    if (a->last == NULL || from > a->last->size || size > a->last->size - from) {
        enum eve_status status = add_chunk(a, size, err);
        if (status != EVE_OK) {
            return status;
        }
        from = 0;
    }
    *out = a->last->bytes + from;
    a->used = from + size;
    return EVE_OK;
}

enum eve_status eve_arena_alloc(struct eve_arena *a, size_t size, void *out, struct eve_err *err)
{
    char *p = NULL;
    enum eve_status status = take(a, size, alignof(max_align_t), &p, err);
    if (status == EVE_OK) {
        memcpy(out, &p, sizeof p);
    }
    return status;
}

enum eve_status eve_arena_copy(struct eve_arena *a, struct eve_slice s, struct eve_slice *out,
                               struct eve_err *err)
{
    char *p = NULL;
    enum eve_status status = take(a, s.n, 1, &p, err);
    if (status == EVE_OK) {
        if (s.n > 0) {
            memcpy(p, s.p, s.n);
        }
        *out = (struct eve_slice){p, s.n};
    }
    return status;
}

void eve_arena_reset(struct eve_arena *a)
{
    while (a->last != NULL && a->last->before != NULL) {
        struct eve_arena_chunk *before = a->last->before;
        eve_mem_free(a->last);
        a->last = before;
    }
    a->used = 0;
}
