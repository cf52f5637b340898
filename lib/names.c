#include "names.h"

#include "buf.h"
#include "json.h"
#include "mem.h"
#include "str.h"
#include "text.h"

#include <stdlib.h>

enum { PAIRWISE_MAX = 8 };

struct eve_name {
    struct eve_slice says;
    const char *at; /* its opening quote */
};

void eve_names_init(struct eve_names *n)
{
    *n = (struct eve_names){0};
    eve_arena_init(&n->decoded);
}

void eve_names_fini(struct eve_names *n)
{
    eve_mem_free(n->open);
    eve_mem_free(n->from);
    eve_arena_fini(&n->decoded);
    eve_names_init(n);
}

static int compare(const void *a, const void *b)
{
    const struct eve_name *x = a;
    const struct eve_name *y = b;
    int order = eve_str_compare(x->says, y->says);
    return order != 0 ? order : (x->at > y->at) - (x->at < y->at);
}

/* The first name among `count` that came before among them, or NULL. Leaves them in any order. */
static const char *find_repeated(struct eve_name *names, size_t count)
{
    const char *found = NULL;
    if (count <= PAIRWISE_MAX) {
        for (size_t i = 1; i < count; i++) {
            for (size_t k = 0; k < i; k++) {
                if (eve_str_equal(names[i].says, names[k].says)) {
                    return names[i].at;
                }
            }
        }
        return NULL;
    }
    qsort(names, count, sizeof *names, compare);
    for (size_t i = 1; i < count; i++) {
        if (eve_str_equal(names[i].says, names[i - 1].says) &&
            (found == NULL || names[i].at < found)) {
            found = names[i].at;
        }
    }
    return found;
}

static enum eve_status open_level(struct eve_names *n, bool object, struct eve_err *err)
{
    if (n->from_n == n->from_cap) {
        size_t cap = n->from_cap == 0 ? 64 : n->from_cap * 2;
        enum eve_status status = eve_mem_resize(&n->from, cap, sizeof *n->from, err);
        if (status != EVE_OK) {
            return status;
        }
        n->from_cap = cap;
    }
    n->from[n->from_n++] = object ? n->open_n : SIZE_MAX;
    return EVE_OK;
}

static enum eve_status decode(struct eve_names *n, struct eve_slice raw, struct eve_slice *out,
                              struct eve_err *err)
{
    struct eve_buf buf;
    eve_buf_init(&buf, SIZE_MAX / 2);
    enum eve_status status = eve_text_decode(raw, &buf, err);
    if (status == EVE_OK) {
        status = eve_arena_copy(&n->decoded, eve_buf_slice(&buf), out, err);
    }
    eve_buf_fini(&buf);
    return status;
}

static enum eve_status add_name(struct eve_names *n, struct eve_json_value name,
                                struct eve_err *err)
{
    enum eve_status status = EVE_OK;
    struct eve_slice says = eve_text_of(name);
    if (n->open_n >= EVE_NAMES_MAX) {
        return EVE_OK;
    }
    if (n->open_n == n->open_cap) {
        size_t cap = n->open_cap == 0 ? 64 : n->open_cap * 2;
        status = eve_mem_resize(&n->open, cap, sizeof *n->open, err);
        n->open_cap = status == EVE_OK ? cap : n->open_cap;
    }
    if (status == EVE_OK && name.escaped) {
        status = decode(n, says, &says, err);
    }
    if (status == EVE_OK) {
        n->open[n->open_n++] = (struct eve_name){says, name.p};
    }
    return status;
}

/* The innermost object or array is at its end. */
static const char *close_level(struct eve_names *n)
{
    size_t from = n->from[--n->from_n];
    const char *found = NULL;
    if (from != SIZE_MAX) {
        found = find_repeated(n->open + from, n->open_n - from);
        n->open_n = from;
    }
    return found;
}

/* Go on to the next value in the levels that are open, or out of all of them. */
static enum eve_status step_on(struct eve_names *n, struct eve_json *j, const char **at,
                               struct eve_err *err)
{
    enum eve_status status = EVE_END;
    while (n->from_n > 0 && status == EVE_END) {
        struct eve_json_value name;
        bool object = n->from[n->from_n - 1] != SIZE_MAX;
        status = object ? eve_json_member(j, &name, err) : eve_json_element(j, err);
        if (status == EVE_OK && object) {
            status = add_name(n, name, err);
        }
        if (status == EVE_END) {
            const char *found = close_level(n);
            *at = found != NULL && (*at == NULL || found < *at) ? found : *at;
        }
    }
    return status;
}

enum eve_status eve_names_repeated(struct eve_names *n, struct eve_slice text, const char **at,
                                   struct eve_err *err)
{
    struct eve_json j;
    enum eve_status status = EVE_OK;
    eve_json_open(&j, text);
    n->open_n = n->from_n = 0;
    *at = NULL;
    while (status == EVE_OK) {
        enum eve_json_kind kind = eve_json_peek(&j);
        if (kind == EVE_JSON_OBJECT || kind == EVE_JSON_ARRAY) {
            status = eve_json_enter(&j, err);
            if (status == EVE_OK) {
                status = open_level(n, kind == EVE_JSON_OBJECT, err);
            }
        } else {
            status = eve_json_skip(&j, NULL, err);
        }
        if (status == EVE_OK) {
            status = step_on(n, &j, at, err);
        }
    }
    eve_arena_reset(&n->decoded);
    return status == EVE_END ? EVE_OK : status;
}
