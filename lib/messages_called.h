/*
 * messages_called: what actions and their results are called, and how people read it.
 *
 * Used by the files of messages alone.
 */
#ifndef EVE_MESSAGES_CALLED_H
#define EVE_MESSAGES_CALLED_H

#include "messages_doc.h"

struct eve_messages_called {
    bool known; /* its kind is one that eve knows */
    enum eve_messages_action action;
    struct eve_json_value name;
};

/* Of an action, or of a result. */
struct eve_messages_called eve_messages_called_of(struct eve_json_value action, bool result);

/* Of an action of an actions.requested: a skill load without a name has one by now. */
struct eve_messages_called eve_messages_called_of_request(struct eve_json_value action);

/* The label that the event at hand has for the call. */
struct eve_json_value eve_messages_presented(struct eve_messages_at *at,
                                             struct eve_json_value call_id);

/* Keep the label that was given, or else one made of the name if that is a string. */
void eve_messages_keep_label(struct eve_messages_at *at, struct eve_messages_kept *k,
                             struct eve_json_value given, struct eve_json_value name);

/* Keep the name of the tool that runs it. */
void eve_messages_keep_tool_name(struct eve_messages_at *at, struct eve_messages_kept *k,
                                 const struct eve_messages_called *called);

#endif
