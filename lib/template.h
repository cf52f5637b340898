/*
 * template: lines like an earlier one, recognised without a walk.
 *
 * Nearly every line of a stream is an append, and in all appends of a block only the delta, the
 * text so far, meta.id and meta.at change. So the line of an append that the walk
 * (eve_event_parse) took is learned, whatever its member order, spacing and other members are: its
 * shape. A later line is of that shape if it has the same bytes but for those four values, whose
 * contents are validated here; then the walk would find the same members at the same places, and
 * they are filled in from the shape. At the first difference the walk has to be taken: this never
 * refuses anything.
 *
 * A snapshot is not even scanned: it is right if it is the kept one of its block (which was
 * validated) plus the delta (which is validated here), byte for byte. Both are whole string
 * contents, so the seam lies between two characters or escapes; that is why equal bytes are enough
 * here, while a mere tail comparison has to mind the boundary (see eve_text_ends_with).
 *
 * Traps. meta.id and meta.at may hold clean bytes only (no quote, escape, control or non-ASCII
 * byte) and keep their length, or the places behind them would move. A shape is not learned where
 * the range of another value holds one of the four, or where one of their names is repeated. Blocks
 * of bytes are compared, so up to EVE_TEMPLATE_SLACK bytes behind the given ones are read, whatever
 * they are.
 */
#ifndef EVE_TEMPLATE_H
#define EVE_TEMPLATE_H

#include "base.h"
#include "event.h"
#include "line.h"
#include "snapshot.h"

/* Bytes of a shape; a line with more beside the four values is not learned. */
#define EVE_TEMPLATE_BYTES 1024

/* As many bytes must be readable behind those that are looked at. */
#define EVE_TEMPLATE_SLACK EVE_LINE_SLACK

/* When so many shapes took the place of others and none came again, most lines are walked: see
 * eve_template_rests. */
#define EVE_TEMPLATE_PATIENCE 64

struct eve_template_shape;

/* What was learned. Shapes beyond EVE_EVENT_SHAPES take the place of the least recently used. */
struct eve_templates {
    struct eve_template_shape *shapes[EVE_EVENT_SHAPES];
    uint32_t count;
    uint64_t serial;
    uint32_t vain; /* shapes that took the place of others since one came again; beyond
                      EVE_TEMPLATE_PATIENCE lines count as well */
    struct eve_template_shape *first; /* most recently used first */
    struct eve_template_shape *last;
    struct eve_template_shape *latest; /* the shape of the last line that had one */
};

/* Nothing learned, nothing allocated. */
void eve_template_init(struct eve_templates *t);
void eve_template_fini(struct eve_templates *t);

/* Forget the shapes: another file begins. */
void eve_template_clear(struct eve_templates *t);

/* Learn the line of *ev, which eve_event_parse just filled in, and set ev->shape; if it is no
 * append or cannot be learned, that is EVE_OK as well. `s`: as for eve_template_match. EVE_FAIL: no
 * memory. */
EVE_MUST_USE enum eve_status eve_template_learn(struct eve_templates *t, struct eve_event *ev,
                                                const struct eve_snapshots *s, struct eve_err *err);

/* Do the `bytes` begin with a line of a known shape, its LF included? Then the event as
 * eve_event_parse would fill it in with the options that were used for the learned lines; it is
 * good until the next call. NULL: not known, or a snapshot that does not continue the kept one.
 * `s`: kept snapshots, to which eve_snapshot_see is told every event; NULL: lines with a snapshot
 * are not taken. */
const struct eve_event *eve_template_match(struct eve_templates *t, struct eve_slice bytes,
                                           const struct eve_snapshots *s);

/* Asked once before each line: shapes do not come again here (more blocks take turns than there are
 * shapes, say), so the line is better walked, and not learned. Some of sixteen lines are still
 * tried, lest that be missed when it changes. */
bool eve_template_rests(struct eve_templates *t);

/* The lines that the `bytes` begin with, as long as they are of known shapes and delta-only: their
 * length in bytes, 0 if there are none. *count is set to their number and *longest is raised to the
 * longest of them, without LF. */
size_t eve_template_run(struct eve_templates *t, struct eve_slice bytes, uint64_t *count,
                        uint64_t *longest);

/* The same for lines of just the shape of the last line that had one. */
size_t eve_template_more(const struct eve_templates *t, struct eve_slice bytes, uint64_t *count,
                         uint64_t *longest);

#endif
