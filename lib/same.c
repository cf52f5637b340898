#include "same.h"

#include "mem.h"
#include "num.h"
#include "str.h"
#include "text.h"

enum { NOBODY = 0, FIRST_NODES = 64, KEEP_NAMES = 1 << 16, KEEP_NODES = 1 << 12 };

/* A value of a text taken apart. Nodes are numbered; number 0 is nobody. */
struct eve_same_node {
    struct eve_json_value value;
    size_t name; /* of a member: where its decoded name begins, and its length */
    size_t name_n;
    size_t parent;
    size_t first; /* child */
    size_t last;
    size_t next; /* sibling */
};

void eve_same_init(struct eve_same *s)
{
    *s = (struct eve_same){0};
    eve_buf_init(&s->names, SIZE_MAX / 2);
}

void eve_same_fini(struct eve_same *s)
{
    eve_mem_free(s->nodes);
    eve_buf_fini(&s->names);
    eve_same_init(s);
}

/* A new child of `parent`. */
static enum eve_status add(struct eve_same *s, size_t parent, size_t *out, struct eve_err *err)
{
    if (s->n == s->cap) {
        size_t cap = eve_mem_grow(s->cap, s->n + 1, FIRST_NODES, SIZE_MAX / 2);
        enum eve_status status = eve_mem_resize(&s->nodes, cap, sizeof *s->nodes, err);
        if (status != EVE_OK) {
            return status;
        }
        s->cap = cap;
    }
    size_t at = s->n++;
    s->nodes[at] = (struct eve_same_node){.parent = parent};
    if (parent != NOBODY) {
        struct eve_same_node *p = &s->nodes[parent];
        *(p->first == NOBODY ? &p->first : &s->nodes[p->last].next) = at;
        p->last = at;
    }
    *out = at;
    return EVE_OK;
}

/* The next value ahead, below `parent`: a new node, entered if it holds others. */
static enum eve_status take(struct eve_same *s, struct eve_json *j, size_t parent,
                            struct eve_json_value name, size_t *at, struct eve_err *err)
{
    size_t node = NOBODY;
    enum eve_status status = add(s, parent, &node, err);
    if (status == EVE_OK && name.kind == EVE_JSON_STRING) {
        s->nodes[node].name = s->names.n;
        status = eve_text_decode(eve_text_of(name), &s->names, err);
        s->nodes[node].name_n = s->names.n - s->nodes[node].name;
    }
    if (status != EVE_OK) {
        return status;
    }
    enum eve_json_kind kind = eve_json_peek(j);
    s->nodes[node].value = (struct eve_json_value){eve_json_at(j), 0, kind, false};
    if (kind == EVE_JSON_OBJECT || kind == EVE_JSON_ARRAY) {
        *at = node;
        return eve_json_enter(j, err);
    }
    return eve_json_skip(j, &s->nodes[node].value, err);
}

/* Take `text` apart; *root is its value. EVE_BAD: it is not one JSON value. */
static enum eve_status build(struct eve_same *s, struct eve_slice text, size_t *root,
                             struct eve_err *err)
{
    struct eve_json j;
    struct eve_json_value none = {0};
    size_t at = NOBODY; /* the object or array we are in */
    eve_json_open(&j, text);
    *root = s->n;
    enum eve_status status = take(s, &j, NOBODY, none, &at, err);
    while (status == EVE_OK && at != NOBODY) {
        struct eve_json_value name = none;
        status = s->nodes[at].value.kind == EVE_JSON_OBJECT ? eve_json_member(&j, &name, err)
                                                            : eve_json_element(&j, err);
        if (status == EVE_OK) {
            status = take(s, &j, at, name, &at, err);
        } else if (status == EVE_END) {
            at = s->nodes[at].parent;
            status = EVE_OK;
        }
    }
    return status == EVE_OK ? eve_json_finish(&j, err) : status;
}

static int compare_names(const struct eve_same *s, size_t a, size_t b)
{
    const struct eve_same_node *x = &s->nodes[a];
    const struct eve_same_node *y = &s->nodes[b];
    return eve_str_compare((struct eve_slice){s->names.p + x->name, x->name_n},
                           (struct eve_slice){s->names.p + y->name, y->name_n});
}

/* Two chains in order become one; of equal names those of `a` come first. */
static size_t merge(struct eve_same *s, size_t a, size_t b)
{
    size_t head = NOBODY;
    size_t *link = &head;
    while (a != NOBODY && b != NOBODY) {
        size_t *from = compare_names(s, a, b) <= 0 ? &a : &b;
        *link = *from;
        link = &s->nodes[*from].next;
        *from = *link;
    }
    *link = a != NOBODY ? a : b;
    return head;
}

/* The members from `head` on in the order of their names, by merging chains of 1, 2, 4 … */
static size_t sort(struct eve_same *s, size_t head)
{
    size_t chains[64] = {0};
    while (head != NOBODY) {
        size_t next = s->nodes[head].next;
        size_t chain = head;
        size_t i = 0;
        s->nodes[head].next = NOBODY;
        for (; chains[i] != NOBODY; i++) {
            chain = merge(s, chains[i], chain);
            chains[i] = NOBODY;
        }
        chains[i] = chain;
        head = next;
    }
    size_t all = NOBODY;
    for (size_t i = 0; i < sizeof chains / sizeof *chains; i++) {
        all = merge(s, chains[i], all);
    }
    return all;
}

/* Of members with one name only the last stays. */
static void drop_repeated(struct eve_same *s, size_t object)
{
    size_t *link = &s->nodes[object].first;
    while (*link != NOBODY) {
        size_t next = s->nodes[*link].next;
        if (next != NOBODY && compare_names(s, *link, next) == 0) {
            *link = next;
        } else {
            link = &s->nodes[*link].next;
        }
    }
}

static void tidy(struct eve_same *s)
{
    for (size_t i = 1; i < s->n; i++) {
        if (s->nodes[i].value.kind == EVE_JSON_OBJECT) {
            s->nodes[i].first = sort(s, s->nodes[i].first);
            drop_repeated(s, i);
        }
    }
}

/* The same in itself, children aside. */
static bool alike(const struct eve_same *s, size_t a, size_t b)
{
    const struct eve_json_value x = s->nodes[a].value;
    const struct eve_json_value y = s->nodes[b].value;
    if (x.kind != y.kind || compare_names(s, a, b) != 0) {
        return false;
    }
    if (x.kind == EVE_JSON_STRING) {
        return eve_text_equal(eve_text_of(x), eve_text_of(y));
    }
    return x.kind != EVE_JSON_NUMBER ||
           eve_num_equal((struct eve_slice){x.p, x.n}, (struct eve_slice){y.p, y.n});
}

/* Go through both trees in step. */
static bool equal(const struct eve_same *s, size_t a, size_t b)
{
    size_t depth = 0;
    for (;;) {
        if ((a == NOBODY) != (b == NOBODY) || (a != NOBODY && !alike(s, a, b))) {
            return false;
        }
        if (s->nodes[a].first != NOBODY && s->nodes[b].first != NOBODY) {
            a = s->nodes[a].first;
            b = s->nodes[b].first;
            depth++;
            continue;
        }
        if (s->nodes[a].first != s->nodes[b].first) {
            return false; /* one of them is empty */
        }
        while (depth > 0 && s->nodes[a].next == NOBODY && s->nodes[b].next == NOBODY) {
            a = s->nodes[a].parent;
            b = s->nodes[b].parent;
            depth--;
        }
        if (depth == 0) {
            return true;
        }
        a = s->nodes[a].next;
        b = s->nodes[b].next;
    }
}

static void give_back(struct eve_same *s)
{
    eve_buf_clear(&s->names, KEEP_NAMES);
    s->n = 0;
    if (s->cap > KEEP_NODES) {
        eve_same_fini(s);
    }
}

enum eve_status eve_same_value(struct eve_same *s, struct eve_slice a, struct eve_json_value b,
                               bool *same, struct eve_err *err)
{
    size_t nobody = NOBODY;
    size_t x = NOBODY;
    size_t y = NOBODY;
    if (eve_str_equal(a, (struct eve_slice){b.p, b.n})) {
        *same = true;
        return EVE_OK;
    }
    enum eve_status status = add(s, NOBODY, &nobody, err);
    if (status == EVE_OK) {
        status = build(s, a, &x, err);
    }
    if (status == EVE_OK) {
        status = build(s, (struct eve_slice){b.p, b.n}, &y, err);
    }
    if (status == EVE_OK) {
        tidy(s);
    }
    *same = status == EVE_OK && equal(s, x, y);
    give_back(s);
    return status == EVE_BAD ? EVE_OK : status;
}
