/*
 * expect_file: an expectation as it is written down, read strictly.
 *
 * The form is in evecheck(1). Nothing is guessed: a member that is not known, one that comes twice,
 * or a value of another kind is refused, with its place. What is read borrows the text, which has
 * to stay where it is while the struct is used.
 */
#ifndef EVE_EXPECT_FILE_H
#define EVE_EXPECT_FILE_H

#include "arena.h"
#include "base.h"
#include "json.h"

#include <regex.h>

/* A number of something: from min to max. */
struct eve_expect_range {
    bool given;
    uint64_t min;
    uint64_t max;
};

/* Events of one type; "*": of all types. */
struct eve_expect_count {
    struct eve_json_value type;
    struct eve_expect_range range;
    struct eve_expect_count *next;
};

/* A final text. Members of kind EVE_JSON_NONE are not asked for. */
struct eve_expect_text {
    bool absent; /* there is to be none */
    struct eve_json_value equals;
    struct eve_json_value contains;
    struct eve_json_value matches;
    regex_t *regex; /* of `matches` */
};

struct eve_expect_turn {
    struct eve_json_value id;
    struct eve_json_value status; /* a string, or of kind EVE_JSON_NONE */
    struct eve_expect_text text;
    struct eve_json_value reasons; /* an array of strings, or of kind EVE_JSON_NONE */
    struct eve_expect_turn *next;
};

struct eve_expect_call {
    struct eve_json_value name;
    struct eve_json_value input; /* or of kind EVE_JSON_NONE */
    struct eve_expect_call *next;
};

struct eve_expect_type {
    struct eve_json_value type;
    struct eve_expect_type *next;
};

struct eve_expect_file {
    struct eve_expect_count *counts;
    struct eve_expect_turn *turns;
    struct eve_expect_call *calls;
    struct eve_expect_type *order;
    struct eve_expect_range bytes;
    unsigned versions; /* bit per version, from EVE_VERSION_MIN on; 0: not asked for */
    bool no_retries;
    struct eve_arena arena;
};

void eve_expect_file_init(struct eve_expect_file *f);
void eve_expect_file_fini(struct eve_expect_file *f);

/* Read `text` into *f, which was just made. EVE_BAD: no expectation; err->msg says why and err->pos
 * where. EVE_FAIL: no memory. In both cases *f may only be given to eve_expect_file_fini. */
EVE_MUST_USE enum eve_status eve_expect_file_read(struct eve_expect_file *f, struct eve_slice text,
                                                  struct eve_err *err);

#endif
