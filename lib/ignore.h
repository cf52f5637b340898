/*
 * ignore: what does not count when two streams are compared.
 *
 * Always: `meta`, data.runtime.eveVersion, and members that hold addresses of one run, wherever
 * they stand. Beyond that the user's list, each entry TYPE (events of that type), or TYPE/PATH (a
 * member of them, by its names from the top of the event: step.completed/data/usage). `*` stands
 * for any type, and in a path for any one name or index.
 */
#ifndef EVE_IGNORE_H
#define EVE_IGNORE_H

#include "base.h"
#include "value.h"

struct eve_ignore {
    const char *const *list; /* the user's; borrowed */
    size_t n;
};

/* The entry is well-formed: a type, and no empty name after it. */
bool eve_ignore_is_good(const char *entry);

/* Events of this type do not count at all. `type`: a string. */
bool eve_ignore_type(const struct eve_ignore *ignore, struct eve_json_value type);

/* Take what does not count out of the tree of an event. */
void eve_ignore_prune(const struct eve_ignore *ignore, struct eve_value_node *event,
                      struct eve_json_value type);

#endif
