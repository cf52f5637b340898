/*
 * text: what JSON strings say, compared and counted without decoding them to memory.
 *
 * Arguments are the bytes between the quotes of strings that the scanner took ("raw text"). They
 * are read as JavaScript reads them: a sequence of UTF-16 code units. So `A` equals `\u0041`, a
 * character over U+FFFF is two units, and the two halves of a surrogate pair may come from two
 * texts.
 */
#ifndef EVE_TEXT_H
#define EVE_TEXT_H

#include "buf.h"
#include "json.h"
#include "str.h"

#include <string.h>

/* The bytes between the quotes of a string value. */
static inline struct eve_slice eve_text_of(struct eve_json_value string)
{
    return (struct eve_slice){string.p + 1, string.n - 2};
}

/* Reads units one by one. Borrows the text. */
struct eve_text_units {
    const char *p;
    const char *end;
    uint16_t low; /* second half of the character just read, or 0 */
    bool plain;   /* a backslash is a backslash: the bytes are no JSON string but plain UTF-8 */
};

static inline void eve_text_units_init(struct eve_text_units *u, struct eve_slice text)
{
    *u = (struct eve_text_units){text.p, eve_str_end(text), 0, false};
}

/* The next unit, or -1 at the end. */
int32_t eve_text_next(struct eve_text_units *u);

/* The next character, halves that meet joined, or a half that stands alone; -1 at the end. */
int32_t eve_text_next_point(struct eve_text_units *u);

/* Number of units in the text. */
uint64_t eve_text_count(struct eve_slice text);

/* Same units. */
bool eve_text_equal(struct eve_slice a, struct eve_slice b);

/* Order by units, as JavaScript sorts. Below 0, 0 or above 0. */
int eve_text_compare(struct eve_slice a, struct eve_slice b);

/* `text` consists of exactly the units of `head` followed by those of `tail`. */
bool eve_text_is_sum(struct eve_slice text, struct eve_slice head, struct eve_slice tail);

/* The units of `text` end with those of `tail`. */
bool eve_text_ends_with(struct eve_slice text, struct eve_slice tail);

/* The byte at `at` begins a character or escape of `text`, given that it is no UTF-8 tail byte. */
bool eve_text_is_boundary(struct eve_slice text, size_t at);

/* The value is a string and says exactly the plain UTF-8 in `s`. */
bool eve_text_says(struct eve_json_value value, struct eve_slice s);

/* The same for a literal. */
static inline bool eve_text_is(struct eve_json_value value, const char *s)
{
    return eve_text_says(value, (struct eve_slice){s, strlen(s)});
}

/* Append the text decoded, one spelling for one sequence of units: UTF-8, halves that meet joined,
 * a lone half in its three-byte form (see eve_utf8_encode). EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status eve_text_decode(struct eve_slice text, struct eve_buf *out,
                                             struct eve_err *err);

#endif
