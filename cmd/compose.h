/*
 * compose: members of a JSON document of ours, with values that are not ours put in raw, since
 * cJSON holds neither every string nor every number. All return false if memory is short.
 */
#ifndef CLI_COMPOSE_H
#define CLI_COMPOSE_H

#include "base.h"

#include <cjson/cJSON.h>

/* Any bytes as a string (see escape_json). */
bool compose_bytes(cJSON *object, const char *name, struct eve_slice s);

/* A string that is ours: plain UTF-8. */
bool compose_text(cJSON *object, const char *name, const char *s);

/* A whole number. */
bool compose_number(cJSON *object, const char *name, uint64_t n);

/* A string of a stream, raw with its quotes, saying the same; but half of a surrogate pair, which
 * many readers refuse, becomes U+FFFD. Null if `string` is empty. */
bool compose_string(cJSON *object, const char *name, struct eve_slice string);

/* A new object or array as a member of an object (`name`), or as the last element of an array
 * (`name` NULL). It belongs to `parent`. NULL: memory is short, or `parent` is NULL. */
cJSON *compose_object(cJSON *parent, const char *name);
cJSON *compose_array(cJSON *parent, const char *name);

#endif
