/*
 * messages_doc: the conversations that messages.h makes: messages in their order, parts in theirs,
 * and the ways to find them again.
 *
 * Used by the files of messages alone. Everything is owned by the struct eve_messages and freed
 * part by part, so that the document is all that takes memory. What went wrong sticks to the event
 * at hand: its functions do nothing once its status is not EVE_OK, and those that return a pointer
 * return NULL.
 */
#ifndef EVE_MESSAGES_DOC_H
#define EVE_MESSAGES_DOC_H

#include "base.h"
#include "buf.h"
#include "event.h"
#include "json.h"
#include "map.h"

/* A value kept: its raw bytes and a NUL, owned; p = NULL: no value ("undefined"). */
struct eve_messages_kept {
    char *p;
    size_t n;
};

enum eve_messages_kind {
    EVE_PART_TEXT,
    EVE_PART_REASONING,
    EVE_PART_FILE,
    EVE_PART_STEP, /* one or more step-start parts */
    EVE_PART_AUTHORIZATION,
    EVE_PART_TOOL,
    EVE_PART_KINDS
};

/* The values a part keeps, by its kind. */
enum { EVE_RUN_ID, EVE_RUN_STEP, EVE_RUN_TEXT, EVE_RUN_VALUES }; /* text and reasoning */
enum { EVE_FILE_NAME, EVE_FILE_TYPE, EVE_FILE_SIZE, EVE_FILE_URL, EVE_FILE_VALUES };
enum {
    EVE_AUTH_AUTHORIZATION,
    EVE_AUTH_DESCRIPTION,
    EVE_AUTH_DISPLAY,
    EVE_AUTH_NAME,
    EVE_AUTH_ATTEMPT,
    EVE_AUTH_OUTCOME,
    EVE_AUTH_REASON,
    EVE_AUTH_STEP,
    EVE_AUTH_TURN,
    EVE_AUTH_VALUES
};
enum {
    EVE_TOOL_CALL,
    EVE_TOOL_NAME,
    EVE_TOOL_STEP,
    EVE_TOOL_INPUT,
    EVE_TOOL_INPUT_TEXT,
    EVE_TOOL_OUTPUT,
    EVE_TOOL_ERROR,
    EVE_TOOL_APPROVAL, /* its id */
    EVE_TOOL_REASON,
    EVE_TOOL_LABEL, /* this and what follows: toolMetadata.eve */
    EVE_TOOL_META_NAME,
    EVE_TOOL_REQUEST,
    EVE_TOOL_RESPONSE,
    EVE_TOOL_VALUES
};

enum eve_messages_state {
    EVE_STATE_NONE,
    EVE_STATE_STREAMING, /* runs */
    EVE_STATE_DONE,
    EVE_STATE_REQUIRED, /* authorizations */
    EVE_STATE_COMPLETED,
    EVE_STATE_INPUT_STREAMING, /* tools */
    EVE_STATE_INPUT_AVAILABLE,
    EVE_STATE_APPROVAL_REQUESTED,
    EVE_STATE_APPROVAL_RESPONDED,
    EVE_STATE_OUTPUT_AVAILABLE,
    EVE_STATE_OUTPUT_ERROR,
    EVE_STATE_OUTPUT_DENIED,
    EVE_STATE_COUNT
};

enum eve_messages_action {
    EVE_ACTION_UNKNOWN,
    EVE_ACTION_TOOL,
    EVE_ACTION_AGENT,
    EVE_ACTION_SKILL
};
enum eve_messages_approved { EVE_APPROVED_UNSAID, EVE_APPROVED_YES, EVE_APPROVED_NO };

struct eve_messages_part {
    struct eve_messages_part *before; /* in its message */
    struct eve_messages_part *after;
    struct eve_messages_message *message;
    struct eve_messages_part *chain; /* a tool: the next part of the same call in document order; an
                                        open run: the next one of the message */
    struct eve_messages_part *newer; /* an open run: the one whose `chain` it is */
    struct eve_messages_call *call;  /* a tool: its call */
    size_t count;                    /* of a step: how many; of a text that grows: bytes of room */
    uint64_t settled;                /* a tool: number of the event that saw to its state last */
    enum eve_messages_kind kind : 8;
    enum eve_messages_state state : 8;
    enum eve_messages_action action : 8;
    enum eve_messages_approved approved : 8;
    bool has_approval; /* a tool has an approval object */
    bool partial;
    bool awaits_callback;
    struct eve_messages_kept v[];
};

enum eve_messages_status {
    EVE_MESSAGE_COMPLETE,
    EVE_MESSAGE_STREAMING,
    EVE_MESSAGE_SUBMITTED,
    EVE_MESSAGE_FAILED
};

struct eve_messages_message {
    struct eve_messages_message *before;
    struct eve_messages_message *after;
    struct eve_messages_kept id;
    struct eve_messages_kept turn;
    struct eve_messages_kept result;
    struct eve_messages_part *first;
    struct eve_messages_part *last;
    struct eve_messages_part *open; /* runs that are streaming */
    uint64_t ordinal;               /* order of the assistant messages */
    uint64_t made;                  /* no other message, and not this one before it was emptied */
    size_t parts;                   /* their number */
    size_t steps;                   /* step-start parts among them */
    enum eve_messages_status status;
    bool user;
    bool optimistic;
};

/* One conversation. */
struct eve_messages_talk {
    struct eve_messages_kept group;
    struct eve_messages_message *first;
    struct eve_messages_message *last;
    uint64_t cleared; /* how many context.cleared it had */
};

struct eve_messages {
    struct eve_slice group; /* name of the member, n = 0: none */
    struct eve_messages_talk *talks;
    size_t talk_count;
    size_t talk_cap;
    struct eve_map groups; /* number of the conversation */
    /* The keys of these begin with that number; the values are pointers. */
    struct eve_map ids;   /* messages by their id */
    struct eve_map turns; /* assistant messages by their turn, 0 if it has none any more */
    struct eve_map runs;  /* see messages_run.c */
    struct eve_map calls; /* see messages_call.h */
    struct eve_map tasks;
    struct eve_map inputs;
    struct eve_map authorizations; /* parts by the `made` of their message and their key */
    uint64_t events;
    uint64_t made;     /* how often a message was made or emptied */
    uint64_t required; /* authorization parts in that state */
    struct eve_buf key;
    struct eve_buf text;
    struct eve_buf list; /* of the parts whose state the event at hand changes: pointers */
};

/* The event at hand. */
struct eve_messages_at {
    struct eve_messages *m;
    size_t talk; /* number of its conversation */
    const struct eve_event *ev;
    struct eve_json_value data;
    struct eve_json_value turn;
    struct eve_json_value step;
    struct eve_err *err;
    enum eve_status status;
};

/* The event is bad because of `value` (the whole of `data` if that is none). */
void eve_messages_refuse(struct eve_messages_at *at, struct eve_json_value value, const char *msg);

/* A member of `data`; kind EVE_JSON_NONE if it is not there. */
struct eve_json_value eve_messages_data(const struct eve_messages_at *at, const char *name);

/* Keep a copy of `value` in place of what *k has; of kind EVE_JSON_NONE: nothing. */
void eve_messages_keep(struct eve_messages_at *at, struct eve_messages_kept *k,
                       struct eve_json_value value);
/* Keep a string; `text` is its raw text. */
void eve_messages_keep_text(struct eve_messages_at *at, struct eve_messages_kept *k,
                            struct eve_slice text);
/* Put what `from` has in place of what `to` has. */
void eve_messages_move(struct eve_messages_kept *to, struct eve_messages_kept *from);
void eve_messages_drop(struct eve_messages_kept *k);

/* The value kept; borrowed until it changes. */
struct eve_json_value eve_messages_value(const struct eve_messages_kept *k);

/* A value that is neither missing nor null. */
bool eve_messages_given(struct eve_json_value value);

/* Build a text: begin, then append literals and values as template strings do. The text is
 * at->m->text. */
void eve_messages_begin_text(struct eve_messages_at *at);
void eve_messages_add(struct eve_messages_at *at, const char *literal);
void eve_messages_add_value(struct eve_messages_at *at, struct eve_json_value value);
/* The bytes of the value, for texts that are JSON. */
void eve_messages_add_raw(struct eve_messages_at *at, struct eve_json_value value);

/* Begin a key of the conversation in at->m->key, and append a value by what it is (as ===) or by
 * the name it makes as a property. */
void eve_messages_begin_key(struct eve_messages_at *at);
void eve_messages_key(struct eve_messages_at *at, struct eve_json_value value);
void eve_messages_name_key(struct eve_messages_at *at, struct eve_json_value value);

/* What `map` has for that key; NULL if nothing. */
void *eve_messages_get(const struct eve_messages_at *at, const struct eve_map *map);
/* Its place in the map, made with value 0 if it has none. */
struct eve_map_entry *eve_messages_put(struct eve_messages_at *at, struct eve_map *map);

/* The assistant message of `turn`, or NULL. */
struct eve_messages_message *eve_messages_find_assistant(struct eve_messages_at *at,
                                                         struct eve_json_value turn);
/* The same, made if there is none. */
struct eve_messages_message *eve_messages_assistant(struct eve_messages_at *at,
                                                    struct eve_json_value turn);
/* An empty user message whose id is the text built in at->m->text: in place of the one that has
 * that id, else before the assistant message of the event's turn, else at the end. */
struct eve_messages_message *eve_messages_user(struct eve_messages_at *at);

/* A new part at the end of the message. */
struct eve_messages_part *eve_messages_add_part(struct eve_messages_at *at,
                                                struct eve_messages_message *message,
                                                enum eve_messages_kind kind);
/* Take a part out and free it. */
void eve_messages_remove_part(struct eve_messages_part *part);

/* Append raw text to a text of the part that grows (none so far: an empty one). Only one value of a
 * part may grow. */
void eve_messages_append(struct eve_messages_at *at, struct eve_messages_part *part, size_t value,
                         struct eve_slice text);

/* A run that was streaming is done; room its text does not need is given back. */
void eve_messages_close_run(struct eve_messages_at *at, struct eve_messages_part *run);

/* See to it that the message has a step-start part for `step` (a number, null or missing), and all
 * before it. */
void eve_messages_ensure_steps(struct eve_messages_at *at, struct eve_messages_message *message,
                               struct eve_json_value step);

/* Where walks over the messages begin; NULL if there are none. */
struct eve_messages_message *eve_messages_first(const struct eve_messages_at *at);
struct eve_messages_message *eve_messages_last(const struct eve_messages_at *at);

/* How many values a part of this kind keeps. */
size_t eve_messages_values(enum eve_messages_kind kind);

/* Free all messages of all conversations, and the conversations. */
void eve_messages_free_talks(struct eve_messages *m);

#endif
