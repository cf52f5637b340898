/*
 * check_hold: findings on completed texts and requested inputs, and on legacy appends that do not
 * continue theirs, held until they are certain.
 *
 * A live stream may deliver an append after the event that completed its text. The finding on that
 * text is wrong then, and is replaced by a note. So it is held until its step, its turn or the
 * input ends; at most EVE_CHECK_HELD are, and the oldest is told when there are more. Part of
 * check; statuses as in check_state.h.
 */
#ifndef EVE_CHECK_HOLD_H
#define EVE_CHECK_HOLD_H

#include "check_state.h"

/* Hold a finding about the event at hand. `needs`: see eve_check_held. */
EVE_MUST_USE enum eve_status eve_check_hold(struct eve_check *c, unsigned rule, uint64_t needs,
                                            const char *at, const char *message,
                                            struct eve_err *err);

/* The event at hand completes the text of `kind` (and `call`, see block.h): what is held on appends
 * of it may be replaced from here on. */
EVE_MUST_USE enum eve_status eve_check_hold_completed(struct eve_check *c, enum eve_event_type kind,
                                                      struct eve_json_value call,
                                                      struct eve_err *err);

/* The event at hand is an append (of `call`, if it is a tool input): c->late if it belongs to a
 * text with a finding and is older than the event that completed it. The first one is told. */
EVE_MUST_USE enum eve_status eve_check_hold_late(struct eve_check *c, struct eve_json_value call,
                                                 struct eve_err *err);

/* Tell what is held of the step or turn that the event at hand ends. */
EVE_MUST_USE enum eve_status eve_check_hold_release(struct eve_check *c, enum eve_block_scope scope,
                                                    struct eve_err *err);

/* A line could not be read (`all`), or is a refused append, the event at hand: it may be the late
 * append that explains what is held. That is forgotten. */
EVE_MUST_USE enum eve_status eve_check_hold_spoil(struct eve_check *c, bool all,
                                                  struct eve_json_value call, struct eve_err *err);

/* Tell all that is held. */
EVE_MUST_USE enum eve_status eve_check_hold_release_all(struct eve_check *c, struct eve_err *err);

#endif
