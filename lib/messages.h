/*
 * messages: the conversation, as eve's own client shows it.
 *
 * Events go in one by one; what comes out is the projection that the default message reducer of eve
 * 0.80 makes of them: user and assistant messages with their parts (text, reasoning, step-start,
 * file, dynamic-tool, authorization). With a group member each group is a conversation of its own.
 *
 * The result is equal to eve's as JSON. Values of the stream keep their spelling, so that no
 * number, NUL or lone surrogate is harmed; integers over 2^53 that differ are different here. Of a
 * legacy append only the delta counts, as for eve behind its decode boundary: a text that starts
 * again in the middle of a block is joined to what came before, until it is completed.
 *
 * Where eve's reducer would throw, the event is bad (EVE_BAD) and changes nothing. One thing is
 * taken that eve throws at: a message.received without `meta`, as rows of a database have it.
 *
 * Memory: what the document holds. Everything kept is copied; nothing borrows an event.
 */
#ifndef EVE_MESSAGES_H
#define EVE_MESSAGES_H

#include "base.h"
#include "event.h"
#include "out.h"

/* A step index over this is refused: the document has one step-start part for each step. */
#define EVE_MESSAGES_STEPS_MAX 65536

struct eve_messages;

/* A projector with nothing in it. `group`: name of the member that tells conversations apart, n =
 * 0: none; borrowed until eve_messages_free. `seed`: see map.h. EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status eve_messages_new(struct eve_messages **out, struct eve_slice group,
                                              const uint64_t seed[2], struct eve_err *err);

/* `m` may be NULL. */
void eve_messages_free(struct eve_messages *m);

/* Take an event that eve_decode took (whatever its version: what an append adds is its delta; skill
 * loads without a name get theirs here). EVE_BAD: bad-data, with err->pos in ev->line; nothing has
 * changed. EVE_FAIL: no memory; only eve_messages_free may follow. */
EVE_MUST_USE enum eve_status eve_messages_event(struct eve_messages *m, const struct eve_event *ev,
                                                struct eve_err *err);

/* Write one line {"messages":[…]}. With a group member one line for each group, in the order of
 * their first event, with the member behind the messages where the group has one; no line without
 * events. EVE_FAIL: no memory, or the output. */
EVE_MUST_USE enum eve_status eve_messages_write(const struct eve_messages *m, struct eve_out *out,
                                                struct eve_err *err);

/* Forget everything: another file begins. */
void eve_messages_clear(struct eve_messages *m);

#endif
