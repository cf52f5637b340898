/*
 * value: JSON values compared by what they say, not by how they are spelled.
 *
 * Member order is free, numbers are equal by their exact value (1.0 and 1e0; 2^53+1 is not 2^53),
 * strings by their UTF-16 units, and of a repeated name the last member counts, as in JavaScript.
 * A value is read into a tree of nodes with the members of each object in the order of their names,
 * so that two trees are gone through side by side: in linear time, without recursion, at any depth
 * the scanner takes. Nodes borrow the text they were read from and belong to their struct
 * eve_value: they are good until it reads again. About 100 bytes a node.
 */
#ifndef EVE_VALUE_H
#define EVE_VALUE_H

#include "arena.h"
#include "base.h"
#include "buf.h"
#include "json.h"

struct eve_value_node {
    struct eve_json_value raw; /* its bytes */
    struct eve_slice name;     /* of a member, decoded (see eve_text_decode); p is NULL otherwise */
    uint64_t index;            /* its place in its parent, as written */
    struct eve_value_node *parent; /* NULL at the root */
    struct eve_value_node *first;  /* first member or element */
    struct eve_value_node *next;   /* the one after it in its parent */
};

struct eve_value {
    struct eve_arena arena;
    struct eve_buf scratch; /* a name while it is decoded */
    struct eve_value_node *root;
};

void eve_value_init(struct eve_value *v);
void eve_value_fini(struct eve_value *v);

/* Read the one value that `text` holds, white space around it allowed; it has to stay where it is.
 * EVE_BAD: not JSON, as json.h says, v->root is NULL. EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status eve_value_read(struct eve_value *v, struct eve_slice text,
                                            struct eve_err *err);

/* Same value. */
bool eve_value_equal(const struct eve_value_node *a, const struct eve_value_node *b);

/* The first difference of two values: false if there is none. *x and *y are the nodes that differ;
 * where one side lacks a member or an element, its pointer is NULL. */
bool eve_value_differ(const struct eve_value_node *a, const struct eve_value_node *b,
                      const struct eve_value_node **x, const struct eve_value_node **y);

/* `value` has all that `pattern` has: the members of an object, others allowed; as many elements of
 * an array, each matching its own; scalars equal. */
bool eve_value_covers(const struct eve_value_node *value, const struct eve_value_node *pattern);

/* The member of an object whose name is the plain UTF-8 `name`, or NULL (also for no object). */
struct eve_value_node *eve_value_member(const struct eve_value_node *object, struct eve_slice name);

/* Take out of the tree every node below `root` for which `drop` is true. */
void eve_value_prune(struct eve_value_node *root,
                     bool (*drop)(void *ctx, const struct eve_value_node *node), void *ctx);

/* Append where `node` is: names and indices from the root on, as in `data/actions/0/input`; the
 * root itself appends nothing. EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status eve_value_path(const struct eve_value_node *node, struct eve_buf *out,
                                            struct eve_err *err);

/* Compare two texts, each to be a JSON value: *same is false also if one is not JSON. `a` and `b`
 * are trees to work with, for reuse. EVE_FAIL: no memory. */
EVE_MUST_USE enum eve_status eve_value_same(struct eve_value *a, struct eve_value *b,
                                            struct eve_slice text_a, struct eve_slice text_b,
                                            bool *same, struct eve_err *err);

#endif
