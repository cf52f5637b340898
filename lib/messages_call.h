/*
 * messages_call: what became of the calls, tasks and input requests of a conversation.
 *
 * Used by the files of messages alone. The state of a tool part follows from this.
 */
#ifndef EVE_MESSAGES_CALL_H
#define EVE_MESSAGES_CALL_H

#include "messages_doc.h"

enum eve_messages_call_status {
    EVE_CALL_NONE, /* of a task: none was said */
    EVE_CALL_WORKING,
    EVE_CALL_RUNNING,
    EVE_CALL_AWAITING,
    EVE_CALL_COMPLETED, /* this and what follows: settled */
    EVE_CALL_FAILED,
    EVE_CALL_REJECTED,
    EVE_CALL_CANCELLED,
    EVE_CALL_STATUSES
};

/* A call by the name its callId makes. One that only has parts is not known. */
struct eve_messages_call {
    struct eve_messages_part *parts; /* the first of its tool parts, see `chain` */
    bool known;
    uint64_t cleared; /* of its conversation, when it became known */
    enum eve_messages_call_status status;
    struct eve_messages_kept task; /* the task that took it over */
    struct eve_messages_kept request;
    struct eve_messages_kept error;
};

/* A call of a task. */
struct eve_messages_task {
    enum eve_messages_call_status status;
    struct eve_messages_kept output;
    struct eve_messages_kept error;
};

/* A request for input. */
struct eve_messages_input {
    bool settled;
    bool approval; /* it asks for the approval of a call of this session */
    struct eve_messages_kept id;
    struct eve_messages_kept call;
    struct eve_messages_kept outcome;
    struct eve_messages_kept response;
    struct eve_messages_call *asked; /* a call whose parts have its id, the last such */
    bool many;                       /* there was another one before */
};

/* The record of a callId, made if there is none. */
struct eve_messages_call *eve_messages_call(struct eve_messages_at *at,
                                            struct eve_json_value call_id);
/* The same if it is known, else NULL. */
struct eve_messages_call *eve_messages_known_call(struct eve_messages_at *at,
                                                  struct eve_json_value call_id);
/* The call of a task; NULL if it has none of that name. */
struct eve_messages_task *eve_messages_task(struct eve_messages_at *at, struct eve_json_value task,
                                            struct eve_json_value call_id);
struct eve_messages_input *eve_messages_input(struct eve_messages_at *at,
                                              struct eve_json_value request);

/* What the call has come to, its task asked if it has one. */
enum eve_messages_call_status eve_messages_reported(struct eve_messages_at *at,
                                                    const struct eve_messages_call *call,
                                                    struct eve_json_value call_id);

/* The status a string says; EVE_CALL_STATUSES if none. */
enum eve_messages_call_status eve_messages_call_status(struct eve_json_value value);

/* Take note of the event at hand, which was checked. */
void eve_messages_fold(struct eve_messages_at *at);

/* Free all records. */
void eve_messages_free_calls(struct eve_messages *m);

#endif
