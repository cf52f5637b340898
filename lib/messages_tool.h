/*
 * messages_tool: the parts of a conversation that show tool calls.
 *
 * Used by the files of messages alone. The order for an event is: check, eve_messages_fold,
 * take, and eve_messages_settle_parts for the states.
 */
#ifndef EVE_MESSAGES_TOOL_H
#define EVE_MESSAGES_TOOL_H

#include "messages_called.h"
#include "messages_doc.h"

/* Refuse what cannot be projected: actions.requested, input.requested, action.result and
 * action.partial, input.resolved, task.started and task.settled. */
void eve_messages_check_requested(struct eve_messages_at *at);
void eve_messages_check_asked(struct eve_messages_at *at);
void eve_messages_check_result(struct eve_messages_at *at);
void eve_messages_check_resolved(struct eve_messages_at *at);
void eve_messages_check_task(struct eve_messages_at *at);

/* Change the parts as the event says; nothing for events that are not about tools. */
void eve_messages_take_tool(struct eve_messages_at *at);

/* The turn is over: take out the tool parts that came to nothing. */
void eve_messages_remove_unsettled(struct eve_messages_at *at,
                                   struct eve_messages_message *message);

/* Give the tool parts that the event is about the state that follows from their calls. */
void eve_messages_settle_parts(struct eve_messages_at *at);

/* For the two files of this module. What comes back of a call that is known already: */
void eve_messages_take_result(struct eve_messages_at *at);
void eve_messages_take_partial(struct eve_messages_at *at);
void eve_messages_take_resolved(struct eve_messages_at *at);
void eve_messages_take_settled(struct eve_messages_at *at);

/* The first tool part of that call, or whose approval has that id (both as ===); NULL if none. */
struct eve_messages_part *eve_messages_find_tool(struct eve_messages_at *at,
                                                 struct eve_json_value call_id);
struct eve_messages_part *eve_messages_find_approval(struct eve_messages_at *at,
                                                     struct eve_json_value request);

/* The first tool part of that call, or a new one in the message of the event's turn. */
struct eve_messages_part *eve_messages_tool_of_event(struct eve_messages_at *at,
                                                     struct eve_json_value call_id);

/* The message of the event's turn, with the steps it needs. */
struct eve_messages_message *eve_messages_message_of_event(struct eve_messages_at *at);

/* Let `to` say what `from` says. */
void eve_messages_copy_tool(struct eve_messages_at *at, struct eve_messages_part *to,
                            const struct eve_messages_part *from);

/* Nothing more is to come for the part. */
bool eve_messages_is_settled(const struct eve_messages_part *part);

/* Call `each` for the elements of an array that was scanned before. */
void eve_messages_for_each(struct eve_messages_at *at, struct eve_json_value array,
                           void (*each)(struct eve_messages_at *at, struct eve_json_value element));

/* Refuse the event if the member `name` of data is no array; else call `each` for its elements. */
void eve_messages_check_each(struct eve_messages_at *at, const char *name,
                             void (*each)(struct eve_messages_at *at,
                                          struct eve_json_value element));
/* Refuse it if `value` is no object (false then). */
bool eve_messages_check_object(struct eve_messages_at *at, struct eve_json_value value);
/* Refuse it if `value` is an object or array, which names nothing. */
void eve_messages_check_name(struct eve_messages_at *at, struct eve_json_value value);
/* Refuse it if the kind of the action is not known, or there is no label and no name to make one.
 */
void eve_messages_check_called(struct eve_messages_at *at, struct eve_json_value action,
                               const struct eve_messages_called *called, bool labelled);

#endif
