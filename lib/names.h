/*
 * names: member names that an object has twice, at any depth.
 *
 * Names are compared by what they say, so "\u0061" repeats "a". At most EVE_NAMES_MAX names of the
 * objects that are open at a time are kept; those beyond are not compared. Memory is reused from
 * call to call.
 */
#ifndef EVE_NAMES_H
#define EVE_NAMES_H

#include "arena.h"
#include "base.h"

#define EVE_NAMES_MAX 65536

struct eve_name;

struct eve_names {
    struct eve_name *open; /* names of the open objects, the outermost first */
    size_t open_n;
    size_t open_cap;
    size_t *from; /* per open object or array: where its names begin; SIZE_MAX: an array */
    size_t from_n;
    size_t from_cap;
    struct eve_arena decoded; /* names with escapes, of the line at hand */
};

void eve_names_init(struct eve_names *n);
void eve_names_fini(struct eve_names *n);

/* Look through the value `text`, which the scanner took before. *at: the first name that its object
 * had already, in the text, or NULL. EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status eve_names_repeated(struct eve_names *n, struct eve_slice text,
                                                const char **at, struct eve_err *err);

#endif
