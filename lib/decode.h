/*
 * decode: stream versions and the decode boundary.
 *
 * Every tool takes its events through here: the rules of the declared version are checked, and the
 * edits that turn the event into delta-only form are worked out. Rules, order of checks and the
 * meaning of "persisted" (no declared version: each event by its shape) are those of eve's decoder;
 * evestream(5) has them.
 */
#ifndef EVE_DECODE_H
#define EVE_DECODE_H

#include "base.h"
#include "edit.h"
#include "event.h"

enum {
    EVE_VERSION_AUTO = 0, /* persisted: by the shape of each event */
    EVE_VERSION_MIN = 21,
    EVE_VERSION_MAX = 26
};

struct eve_decoder {
    struct eve_edits edits; /* what makes the event delta-only, in terms of ev->text */
    bool legacy;            /* an append that came with its cumulative field */
    size_t added;           /* bytes the edits put in (names of skill loads) */
    size_t removed;         /* bytes the edits cut */
    size_t
        payload[EVE_FIELD_REMOVED_COUNT]; /* the same per field: name, quotes, colon, value, and a
                                             comma with the white space up to the next member */
};

void eve_decode_init(struct eve_decoder *d);
void eve_decode_fini(struct eve_decoder *d);

/* Check `ev` against `version` (EVE_VERSION_AUTO or 21 to 26) and fill in *d, whose content is good
 * until the next call and borrows the event. `name_skills`: unnamed load-skill actions get their
 * name (they are checked in any case). EVE_BAD: bad-data unsupported-event bad-delta bad-snapshot
 * bad-offset snapshot-mismatch legacy-field, with err->pos in ev->line. EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status eve_decode(struct eve_decoder *d, const struct eve_event *ev,
                                        unsigned version, bool name_skills, struct eve_err *err);

/* The delta and the cumulative field of an append type; EVE_FIELD_COUNT for any other type. */
enum eve_event_field eve_decode_delta_field(enum eve_event_type type);
enum eve_event_field eve_decode_sum_field(enum eve_event_type type);

#endif
