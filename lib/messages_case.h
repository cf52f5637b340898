/*
 * messages_case: letters to upper and lower case, by the full mappings of Unicode 17 without
 * locale, as JavaScript's toUpperCase and toLowerCase have them.
 */
#ifndef EVE_MESSAGES_CASE_H
#define EVE_MESSAGES_CASE_H

#include "base.h"

#define EVE_MESSAGES_CASE_MAX 3

/* Put what `c` becomes into `out` and return how many code points that is. Lone surrogates stay. A
 * final sigma is the caller's. */
size_t eve_messages_upper(uint32_t c, uint32_t out[EVE_MESSAGES_CASE_MAX]);
size_t eve_messages_lower(uint32_t c, uint32_t out[EVE_MESSAGES_CASE_MAX]);

#endif
