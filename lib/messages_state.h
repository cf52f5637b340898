/*
 * messages_state: the state of a tool part, as it follows from its call, its task and the request
 * for input that its approval names. Used by the files of messages alone.
 */
#ifndef EVE_MESSAGES_STATE_H
#define EVE_MESSAGES_STATE_H

#include "messages_doc.h"

/* Give the part its state, and only the values that a part in that state has. */
void eve_messages_settle_part(struct eve_messages_at *at, struct eve_messages_part *part);

#endif
