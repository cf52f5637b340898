/*
 * messages_spell: values as JavaScript makes text of them.
 *
 * Everything is appended as the inside of a JSON string ("raw text"), so that texts can be put
 * behind each other. Numbers are spelled as JavaScript spells them, but with all the digits they
 * have.
 */
#ifndef EVE_MESSAGES_SPELL_H
#define EVE_MESSAGES_SPELL_H

#include "base.h"
#include "buf.h"
#include "json.h"

/* Append one code point, or a lone surrogate, as JSON.stringify spells it. EVE_FAIL here and
 * below: no memory. */
EVE_MUST_USE enum eve_status eve_messages_spell_char(struct eve_buf *out, uint32_t c,
                                                     struct eve_err *err);

/* Append what a template string shows of a value: a string itself, "undefined" for a missing one,
 * "[object Object]" for objects and (unlike JavaScript) arrays. */
EVE_MUST_USE enum eve_status
eve_messages_spell_value(struct eve_buf *out, struct eve_json_value value, struct eve_err *err);

/* Append the text that JSON.stringify makes of a value: no white space, the last of repeated
 * members at the place of the first, names that are array indices first and in order. */
EVE_MUST_USE enum eve_status
eve_messages_stringify(struct eve_buf *out, struct eve_json_value value, struct eve_err *err);

#endif
