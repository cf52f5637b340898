#include "value.h"

#include "num.h"
#include "str.h"
#include "text.h"

void eve_value_init(struct eve_value *v)
{
    *v = (struct eve_value){0};
    eve_arena_init(&v->arena);
    eve_buf_init(&v->scratch, SIZE_MAX / 2);
}

void eve_value_fini(struct eve_value *v)
{
    eve_arena_fini(&v->arena);
    eve_buf_fini(&v->scratch);
    v->root = NULL;
}

/* Merge two lists, each in order; of equal names those of `a` come first. */
static struct eve_value_node *merge(struct eve_value_node *a, struct eve_value_node *b)
{
    struct eve_value_node *head = NULL;
    struct eve_value_node **tail = &head;
    while (a != NULL && b != NULL) {
        struct eve_value_node **from = eve_str_compare(a->name, b->name) <= 0 ? &a : &b;
        *tail = *from;
        tail = &(*tail)->next;
        *from = *tail;
    }
    *tail = a != NULL ? a : b;
    return head;
}

/* Put the members of an object in order. `runs[i]` is a list of 2^i of them, or NULL. */
static struct eve_value_node *sort(struct eve_value_node *list)
{
    struct eve_value_node *runs[64] = {0};
    struct eve_value_node *all = NULL;
    size_t top = 0;
    while (list != NULL) {
        struct eve_value_node *run = list;
        size_t i = 0;
        list = list->next;
        run->next = NULL;
        for (; runs[i] != NULL; i++) {
            run = merge(runs[i], run);
            runs[i] = NULL;
        }
        runs[i] = run;
        top = i > top ? i : top;
    }
    for (size_t i = 0; i <= top; i++) {
        all = merge(runs[i], all);
    }
    return all;
}

static bool in_order(const struct eve_value_node *list)
{
    for (; list != NULL && list->next != NULL; list = list->next) {
        if (eve_str_compare(list->name, list->next->name) >= 0) {
            return false;
        }
    }
    return true;
}

/* An object is complete: order its members, and keep the last of each name. */
static void finish_object(struct eve_value_node *object)
{
    if (in_order(object->first)) {
        return;
    }
    object->first = sort(object->first);
    struct eve_value_node **at = &object->first;
    while (*at != NULL) {
        struct eve_value_node *next = (*at)->next;
        if (next != NULL && eve_str_equal((*at)->name, next->name)) {
            *at = next;
        } else {
            at = &(*at)->next;
        }
    }
}

static enum eve_status set_name(struct eve_value *v, struct eve_value_node *node,
                                struct eve_json_value name, struct eve_err *err)
{
    node->name = eve_text_of(name);
    if (!name.escaped) {
        return EVE_OK;
    }
    v->scratch.n = 0;
    enum eve_status status = eve_text_decode(eve_text_of(name), &v->scratch, err);
    return status == EVE_OK
               ? eve_arena_copy(&v->arena, eve_buf_slice(&v->scratch), &node->name, err)
               : status;
}

/* Where the reading stands. */
struct reading {
    struct eve_json j;
    struct eve_value_node *open; /* the object or array being read, or NULL */
    struct eve_value_node *last; /* its last member so far, or NULL */
};

/* The node for the value ahead; what it has inside is not read yet. */
static enum eve_status read_node(struct eve_value *v, struct reading *r, struct eve_json_value name,
                                 struct eve_err *err)
{
    struct eve_value_node *node = NULL;
    enum eve_status status = eve_arena_alloc(&v->arena, sizeof *node, &node, err);
    if (status != EVE_OK) {
        return status;
    }
    *node = (struct eve_value_node){.parent = r->open,
                                    .index = r->last != NULL ? r->last->index + 1 : 0};
    if (name.kind == EVE_JSON_STRING && (status = set_name(v, node, name, err)) != EVE_OK) {
        return status;
    }
    enum eve_json_kind kind = eve_json_peek(&r->j);
    if (kind == EVE_JSON_OBJECT || kind == EVE_JSON_ARRAY) {
        node->raw = (struct eve_json_value){eve_json_at(&r->j), 0, kind, false};
        status = eve_json_enter(&r->j, err);
    } else {
        status = eve_json_skip(&r->j, &node->raw, err);
    }
    if (r->open == NULL) {
        v->root = node;
    } else if (r->last == NULL) {
        r->open->first = node;
    } else {
        r->last->next = node;
    }
    r->last = node;
    if (kind == EVE_JSON_OBJECT || kind == EVE_JSON_ARRAY) {
        r->open = node;
        r->last = NULL;
    }
    return status;
}

/* The open object or array is read to its end: go on behind it. */
static void close_node(struct reading *r)
{
    struct eve_value_node *node = r->open;
    node->raw.n = (size_t)(eve_json_at(&r->j) - node->raw.p);
    if (node->raw.kind == EVE_JSON_OBJECT) {
        finish_object(node);
    }
    r->open = node->parent;
    r->last = node;
}

static enum eve_status read_all(struct eve_value *v, struct eve_slice text, struct eve_err *err)
{
    struct reading r = {.open = NULL};
    struct eve_json_value none = {0};
    eve_json_open(&r.j, text);
    enum eve_status status = read_node(v, &r, none, err);
    while (status == EVE_OK && r.open != NULL) {
        struct eve_json_value name = {0};
        status = r.open->raw.kind == EVE_JSON_OBJECT ? eve_json_member(&r.j, &name, err)
                                                     : eve_json_element(&r.j, err);
        if (status == EVE_END) {
            close_node(&r);
            status = EVE_OK;
        } else if (status == EVE_OK) {
            status = read_node(v, &r, name, err);
        }
    }
    return status == EVE_OK ? eve_json_finish(&r.j, err) : status;
}

enum eve_status eve_value_read(struct eve_value *v, struct eve_slice text, struct eve_err *err)
{
    eve_arena_reset(&v->arena);
    v->root = NULL;
    enum eve_status status = read_all(v, text, err);
    if (status != EVE_OK) {
        v->root = NULL;
    }
    return status;
}

/* Same kind, and for scalars the same value; what is inside is not looked at. */
static bool same_outside(const struct eve_value_node *a, const struct eve_value_node *b)
{
    if (a->raw.kind != b->raw.kind) {
        return false;
    }
    switch (a->raw.kind) {
    case EVE_JSON_NUMBER:
        return eve_num_equal((struct eve_slice){a->raw.p, a->raw.n},
                             (struct eve_slice){b->raw.p, b->raw.n});
    case EVE_JSON_STRING:
        return eve_text_equal(eve_text_of(a->raw), eve_text_of(b->raw));
    default:
        return true;
    }
}

/* How two neighbours of their parents go together: 0 if they are to be compared, below 0 if the
 * other side lacks `a`, above 0 if this side lacks `b`. One of them may be NULL. */
static int pair(const struct eve_value_node *a, const struct eve_value_node *b)
{
    if (a == NULL || b == NULL) {
        return a == NULL ? 1 : -1;
    }
    return eve_str_compare(a->name, b->name);
}

bool eve_value_differ(const struct eve_value_node *a, const struct eve_value_node *b,
                      const struct eve_value_node **x, const struct eve_value_node **y)
{
    const struct eve_value_node *p = a;
    const struct eve_value_node *q = b;
    while (same_outside(p, q)) {
        const struct eve_value_node *p2 = p->first;
        const struct eve_value_node *q2 = q->first;
        while (p2 == NULL && q2 == NULL) { /* nothing more inside: go on behind it */
            if (p == a) {
                return false;
            }
            p2 = p->next;
            q2 = q->next;
            p = p->parent;
            q = q->parent;
        }
        int order = pair(p2, q2);
        p = order > 0 ? NULL : p2;
        q = order < 0 ? NULL : q2;
        if (order != 0) {
            break;
        }
    }
    *x = p;
    *y = q;
    return true;
}

bool eve_value_equal(const struct eve_value_node *a, const struct eve_value_node *b)
{
    const struct eve_value_node *x = NULL;
    const struct eve_value_node *y = NULL;
    return !eve_value_differ(a, b, &x, &y);
}

/* From `list` on, what goes with `pattern`: the member of its name, the element of its place. */
static const struct eve_value_node *counterpart(const struct eve_value_node *list,
                                                const struct eve_value_node *pattern)
{
    while (list != NULL && pair(list, pattern) < 0) {
        list = list->next;
    }
    return list != NULL && pair(list, pattern) == 0 ? list : NULL;
}

bool eve_value_covers(const struct eve_value_node *value, const struct eve_value_node *pattern)
{
    const struct eve_value_node *v = value;
    const struct eve_value_node *p = pattern;
    while (same_outside(v, p)) {
        const struct eve_value_node *v2 = v->first;
        const struct eve_value_node *p2 = p->first;
        bool whole = v->raw.kind == EVE_JSON_ARRAY; /* nothing may be left over */
        while (p2 == NULL) {
            if (whole && v2 != NULL) {
                return false;
            }
            if (p == pattern) {
                return true;
            }
            v2 = v->next;
            p2 = p->next;
            v = v->parent;
            p = p->parent;
            whole = v->raw.kind == EVE_JSON_ARRAY;
        }
        v = counterpart(v2, p2);
        p = p2;
        if (v == NULL) {
            return false;
        }
    }
    return false;
}

struct eve_value_node *eve_value_member(const struct eve_value_node *object, struct eve_slice name)
{
    struct eve_value_node *node = object->raw.kind == EVE_JSON_OBJECT ? object->first : NULL;
    while (node != NULL && !eve_str_equal(node->name, name)) {
        node = node->next;
    }
    return node;
}

void eve_value_prune(struct eve_value_node *root,
                     bool (*drop)(void *ctx, const struct eve_value_node *node), void *ctx)
{
    struct eve_value_node *parent = root;
    struct eve_value_node **at = &root->first;
    for (;;) {
        if (*at != NULL && drop(ctx, *at)) {
            *at = (*at)->next;
        } else if (*at != NULL) {
            parent = *at;
            at = &parent->first;
        } else if (parent == root) {
            return;
        } else {
            at = &parent->next;
            parent = parent->parent;
        }
    }
}

enum eve_status eve_value_path(const struct eve_value_node *node, struct eve_buf *out,
                               struct eve_err *err)
{
    enum eve_status status = EVE_OK;
    size_t from = out->n;
    const struct eve_value_node *below = NULL; /* what was put last: steps are put from the root */
    while (status == EVE_OK && below != node) {
        const struct eve_value_node *step = node;
        while (step->parent != NULL && step->parent != below) {
            step = step->parent;
        }
        if (step->parent != NULL && out->n > from) {
            status = eve_buf_putc(out, '/', err);
        }
        if (status == EVE_OK && step->name.p != NULL) {
            status = eve_buf_put(out, step->name, err);
        } else if (status == EVE_OK && step->parent != NULL) {
            status = eve_buf_put_u64(out, step->index, err);
        }
        below = step;
    }
    return status;
}

enum eve_status eve_value_same(struct eve_value *a, struct eve_value *b, struct eve_slice text_a,
                               struct eve_slice text_b, bool *same, struct eve_err *err)
{
    enum eve_status status = eve_value_read(a, text_a, err);
    if (status == EVE_OK) {
        status = eve_value_read(b, text_b, err);
    }
    if (status == EVE_OK) {
        *same = eve_value_equal(a->root, b->root);
    } else if (status == EVE_BAD) {
        *same = false;
        status = EVE_OK;
    }
    return status;
}
