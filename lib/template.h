/*
 * template: append events as eve's own writer spells them, recognised byte by byte.
 *
 * Nearly every line of a stream is an append, and nearly every append is spelled the same way.
 * Comparing it with that spelling takes a fraction of a walk through the JSON; at the first
 * difference the walk (eve_event_parse) has to be taken, so this never refuses anything. What it
 * fills in equals what the walk would.
 *
 * A snapshot is not even scanned: it is right if it is the kept one of its block (which was
 * validated) plus the delta (which is validated here), byte for byte. Both are whole string
 * contents, so the seam lies between two characters or escapes; that is why equal bytes are enough
 * here, while a mere tail comparison has to mind the boundary (see eve_text_ends_with). Halves of a
 * surrogate pair that met are spelled as one character in the snapshot: a difference, left to the
 * walk.
 */
#ifndef EVE_TEMPLATE_H
#define EVE_TEMPLATE_H

#include "base.h"
#include "event.h"
#include "snapshot.h"

/* Do the `bytes` begin with an append line in a known spelling, its LF included? If so, *ev is
 * filled in as by eve_event_parse without a group, and ev->line is the line. `s`: kept snapshots;
 * NULL: only delta-only lines are recognised. */
bool eve_template_match(struct eve_event *ev, struct eve_slice bytes, struct eve_snapshots *s);

#endif
