#include "ignore.h"

#include "num.h"
#include "str.h"
#include "text.h"

static const char *const everywhere[] = {"continuationToken", "sessionId",  "childSessionId",
                                         "childStreamPath",   "streamPath", "workflowId",
                                         "requestId",         "taskId",     "agentId",
                                         "errorId",           "trace"};

/* An entry in its parts. */
struct entry {
    struct eve_slice type;
    struct eve_slice path; /* n = 0: the whole event */
};

static struct entry split(const char *s)
{
    const char *slash = strchr(s, '/');
    struct entry e = {eve_str(s), {s, 0}};
    if (slash != NULL) {
        e.type.n = (size_t)(slash - s);
        e.path = eve_str(slash + 1);
    }
    return e;
}

bool eve_ignore_is_good(const char *entry)
{
    struct entry e = split(entry);
    struct eve_slice whole = eve_str(entry);
    return e.type.n > 0 && whole.p[whole.n - 1] != '/' && strstr(entry, "//") == NULL;
}

static bool fits_type(const struct entry *e, struct eve_json_value type)
{
    return eve_str_is(e->type, "*") || eve_text_says(type, e->type);
}

bool eve_ignore_type(const struct eve_ignore *ignore, struct eve_json_value type)
{
    for (size_t i = 0; i < ignore->n; i++) {
        struct entry e = split(ignore->list[i]);
        if (e.path.n == 0 && fits_type(&e, type)) {
            return true;
        }
    }
    return false;
}

/* What is pruned, while it is. */
struct pruning {
    const struct eve_ignore *ignore;
    const struct eve_value_node *root;
    struct eve_json_value type;
};

static bool is_called(const struct eve_value_node *node, const char *name)
{
    return node != NULL && node->name.p != NULL && eve_str_is(node->name, name);
}

/* The step of a path goes with the node. */
static bool fits_step(struct eve_slice step, const struct eve_value_node *node)
{
    uint64_t index = 0;
    if (eve_str_is(step, "*")) {
        return true;
    }
    if (node->name.p != NULL) {
        return eve_str_equal(step, node->name);
    }
    for (size_t i = 0; i < step.n; i++) {
        if (step.p[i] < '0' || step.p[i] > '9') {
            return false;
        }
    }
    return eve_num_integer(step, UINT32_MAX, &index) && index == node->index;
}

/* The path leads to the node; it is gone back from its last step. */
static bool fits_path(struct eve_slice path, const struct eve_value_node *node,
                      const struct eve_value_node *root)
{
    for (; node != root; node = node->parent) {
        size_t from = path.n;
        while (from > 0 && path.p[from - 1] != '/') {
            from--;
        }
        if (!fits_step(eve_str_sub(path, from, path.n), node)) {
            return false;
        }
        if (from == 0) {
            return node->parent == root;
        }
        path.n = from - 1;
    }
    return false;
}

static bool is_dropped(void *ctx, const struct eve_value_node *node)
{
    const struct pruning *p = ctx;
    if (node->parent == p->root && is_called(node, "meta")) {
        return true;
    }
    if (is_called(node, "eveVersion") && is_called(node->parent, "runtime") &&
        is_called(node->parent->parent, "data") && node->parent->parent->parent == p->root) {
        return true;
    }
    for (size_t i = 0; i < sizeof everywhere / sizeof *everywhere; i++) {
        if (is_called(node, everywhere[i])) {
            return true;
        }
    }
    for (size_t i = 0; i < p->ignore->n; i++) {
        struct entry e = split(p->ignore->list[i]);
        if (e.path.n > 0 && fits_type(&e, p->type) && fits_path(e.path, node, p->root)) {
            return true;
        }
    }
    return false;
}

void eve_ignore_prune(const struct eve_ignore *ignore, struct eve_value_node *event,
                      struct eve_json_value type)
{
    struct pruning p = {ignore, event, type};
    eve_value_prune(event, is_dropped, &p);
}
