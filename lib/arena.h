/*
 * arena: many small things that live as long as their owner.
 *
 * Memory comes in chunks and is given back all at once. A pointer into the arena is good until
 * eve_arena_fini, or until eve_arena_reset.
 */
#ifndef EVE_ARENA_H
#define EVE_ARENA_H

#include "base.h"

struct eve_arena_chunk;

struct eve_arena {
    struct eve_arena_chunk *last;
    size_t used; /* bytes of the last chunk in use */
};

void eve_arena_init(struct eve_arena *a);
void eve_arena_fini(struct eve_arena *a);

/* `size` bytes, aligned for any object, not cleared. EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status eve_arena_alloc(struct eve_arena *a, size_t size, void *out,
                                             struct eve_err *err);

/* A copy of `s` in the arena, unaligned and without padding. */
EVE_MUST_USE enum eve_status eve_arena_copy(struct eve_arena *a, struct eve_slice s,
                                            struct eve_slice *out, struct eve_err *err);

/* Forget everything and keep one chunk for reuse. */
void eve_arena_reset(struct eve_arena *a);

#endif
