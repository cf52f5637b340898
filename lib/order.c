#include "order.h"

#include "mem.h"

enum { FIRST = 8 };

void eve_order_fini(struct eve_order *o)
{
    eve_mem_free(o->item);
    *o = (struct eve_order){0};
}

enum eve_status eve_order_add(struct eve_order *o, uint64_t place, uint64_t what,
                              struct eve_err *err)
{
    if (o->n == o->cap) {
        size_t cap = eve_mem_grow(o->cap, o->n + 1, FIRST, SIZE_MAX / 2);
        enum eve_status status = eve_mem_resize(&o->item, cap, sizeof *o->item, err);
        if (status != EVE_OK) {
            return status;
        }
        o->cap = cap;
    }
    o->item[o->n++] = (struct eve_order_item){place, what};
    return EVE_OK;
}

static bool comes_before(struct eve_order_item x, struct eve_order_item y)
{
    return x.place != y.place ? x.place < y.place : x.what < y.what;
}

/* The item at `i` sinks to where no child of it, at 2i+1 and 2i+2, comes after it. */
static void sink(struct eve_order_item *item, size_t n, size_t i)
{
    struct eve_order_item top = item[i];
    for (size_t child = 2 * i + 1; child < n; child = 2 * i + 1) {
        if (child + 1 < n && comes_before(item[child], item[child + 1])) {
            child++;
        }
        if (!comes_before(top, item[child])) {
            break;
        }
        item[i] = item[child];
        i = child;
    }
    item[i] = top;
}

void eve_order_sort(struct eve_order *o)
{
    bool sorted = true;
    for (size_t i = 1; i < o->n && sorted; i++) {
        sorted = comes_before(o->item[i - 1], o->item[i]);
    }
    if (sorted) {
        return;
    }
    for (size_t i = o->n / 2; i > 0; i--) {
        sink(o->item, o->n, i - 1);
    }
    for (size_t i = o->n; i > 1; i--) {
        struct eve_order_item last = o->item[0];
        o->item[0] = o->item[i - 1];
        o->item[i - 1] = last;
        sink(o->item, i - 1, 0);
    }
}
