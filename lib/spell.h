/*
 * spell: texts in one spelling, that of JSON.stringify.
 *
 * Raw UTF-8; only quote, backslash and control characters are escaped (\b \t \n \f \r, else \u00xx
 * in lower case), and halves of surrogate pairs that stand alone (\udxxx). So equal texts are equal
 * bytes, and a text that grows piece by piece is spelled as if it had come in one: halves that meet
 * become one character. A "spelled" text is one made here, without its quotes.
 */
#ifndef EVE_SPELL_H
#define EVE_SPELL_H

#include "base.h"
#include "buf.h"
#include "json.h"

/* Bytes of the longest spelling of a character. */
#define EVE_SPELL_LONGEST 6

/* Spell a character, or half of one, to `out`, which has room for the longest. Returns how many
 * bytes it takes. */
size_t eve_spell_one(char *out, uint32_t c);

/* Append what the string says to the spelled text that begins at byte `from` of `out`. EVE_FAIL: no
 * memory; the text is then cut short. */
EVE_MUST_USE enum eve_status eve_spell_put(struct eve_buf *out, size_t from,
                                           struct eve_json_value string, struct eve_err *err);

/* Append the first `units` UTF-16 units of a spelled text, a new spelled text that begins where
 * `out` ends. EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status eve_spell_head(struct eve_buf *out, struct eve_slice spelled,
                                            uint64_t units, struct eve_err *err);

/* Append plain bytes, spelled; what is not UTF-8 becomes U+FFFD. EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status eve_spell_plain(struct eve_buf *out, struct eve_slice plain,
                                             struct eve_err *err);

/* Append what a spelled text says, to be read as JSON itself: halves that stand alone stay escapes,
 * since UTF-8 has no place for them. EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status eve_spell_to_json(struct eve_buf *out, struct eve_slice spelled,
                                               struct eve_err *err);

/* Append what a spelled text says, to be read by people: halves that stand alone become U+FFFD.
 * `guard`: what could move the cursor of a terminal is shown as \xHH, except LF and TAB. EVE_FAIL:
 * no memory. */
EVE_MUST_USE enum eve_status eve_spell_to_text(struct eve_buf *out, struct eve_slice spelled,
                                               bool guard, struct eve_err *err);

/* Append plain UTF-8, guarded in the same way. EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status eve_spell_guard(struct eve_buf *out, struct eve_slice plain,
                                             struct eve_err *err);

#endif
