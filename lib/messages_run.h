/*
 * messages_run: the runs of text and reasoning that are streaming.
 *
 * Used by the files of messages alone.
 */
#ifndef EVE_MESSAGES_RUN_H
#define EVE_MESSAGES_RUN_H

#include "messages_doc.h"

/* The run of the event's step and of `kind` that is streaming, or a new one. NULL: no memory. */
struct eve_messages_part *eve_messages_run(struct eve_messages_at *at,
                                           struct eve_messages_message *message,
                                           enum eve_messages_kind kind);

/* All runs of the message are done as they are; or those of the event's step, if it names one. */
void eve_messages_close_runs(struct eve_messages_at *at, struct eve_messages_message *message);
void eve_messages_close_step(struct eve_messages_at *at, struct eve_messages_message *message);

#endif
