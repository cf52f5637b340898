/*
 * snapshot: the kept texts of the blocks that are open in legacy input.
 *
 * In v21 to v24 a retry inside a step shows only in the snapshots: the text starts again. To see
 * that, the last snapshot of each open block is kept, as its raw bytes (of a tool input only its
 * length). What is kept goes with the events that end its block. At most EVE_SNAPSHOT_BLOCKS blocks
 * and EVE_SNAPSHOT_BYTES are kept over all groups; the least recently used goes first, and a
 * restart in a block that is no longer kept goes unseen. Only this object owns what it keeps.
 */
#ifndef EVE_SNAPSHOT_H
#define EVE_SNAPSHOT_H

#include "base.h"
#include "event.h"

#define EVE_SNAPSHOT_BLOCKS 1024
#define EVE_SNAPSHOT_BYTES ((size_t)8 * 1024 * 1024)

struct eve_snapshots;

/* A store with nothing kept. `seed`: see map.h. EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status eve_snapshot_new(struct eve_snapshots **out, const uint64_t seed[2],
                                              struct eve_err *err);
void eve_snapshot_free(struct eve_snapshots *s);

/* Take note of an event that eve_decode took; `legacy` is what it found. *restarted: the text of
 * its block, not empty so far, starts again here. EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status eve_snapshot_see(struct eve_snapshots *s, const struct eve_event *ev,
                                              bool legacy, bool *restarted, struct eve_err *err);

/* For template.h. The open block of the events of this shape, if eve_snapshot_see was told one of
 * them; *kept is its kept snapshot, good until the next one is told. NULL: not known, or nothing is
 * kept. */
struct eve_block *eve_snapshot_of(const struct eve_snapshots *s, const struct eve_event *ev,
                                  struct eve_slice *kept);

/* There is a backslash in what is kept of the block. */
bool eve_snapshot_is_escaped(const struct eve_block *block);

/* No block is open: a delta-only append changes nothing. */
bool eve_snapshot_is_empty(const struct eve_snapshots *s);

/* Forget everything: another file begins. */
void eve_snapshot_clear(struct eve_snapshots *s);

#endif
