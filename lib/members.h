/*
 * members: what the data of each event type has to hold.
 *
 * Only what every released version wrote is asked for, and what the decode boundary checks already
 * (deltas, cumulative fields, the array actions) is not asked again.
 */
#ifndef EVE_MEMBERS_H
#define EVE_MEMBERS_H

#include "base.h"
#include "event.h"

/* Room for the text of a fault. */
#define EVE_MEMBERS_TEXT 96

/* What is wrong with the event, one fault a call: begin with *next = 0 and call until it is false.
 * `text` (of EVE_MEMBERS_TEXT bytes) says it; *at is the byte of the line it is about. */
bool eve_members_fault(const struct eve_event *ev, unsigned *next, char *text, const char **at);

#endif
