#include "largest.h"

#include <stdlib.h>

void eve_largest_init(struct eve_largest *l, struct eve_account *account)
{
    *l = (struct eve_largest){.account = account};
}

/* A block comes behind one of the largest: it is smaller, or as large and began later. */
static bool comes_behind(uint64_t bytes, uint32_t order, const struct eve_row *than)
{
    return bytes != than->bytes ? bytes < than->bytes : order > than->order;
}

/* The place in the list for a block that is not yet there: a free one, or that of the last of them
 * if this one comes before it; EVE_ACCOUNT_LARGEST if there is none. */
static size_t find_place(struct eve_largest *l, uint64_t bytes, uint32_t order)
{
    const struct eve_account *a = l->account;
    size_t last = 0;
    if (a->largest_count < EVE_ACCOUNT_LARGEST) {
        return a->largest_count;
    }
    for (size_t i = 1; i < EVE_ACCOUNT_LARGEST; i++) {
        const struct eve_row *row = &a->largest[i];
        last = comes_behind(row->bytes, row->order, &a->largest[last]) ? i : last;
    }
    l->least = a->largest[last].bytes;
    return comes_behind(bytes, order, &a->largest[last]) ? EVE_ACCOUNT_LARGEST : last;
}

/* The block gets a place, and whoever had it loses it. */
static enum eve_status enter(struct eve_largest *l, const struct eve_event *ev, unsigned parts,
                             size_t place, uint8_t *slot, struct eve_err *err)
{
    struct eve_account *a = l->account;
    struct eve_row *row = &a->largest[place];
    if (place == a->largest_count) {
        *row = (struct eve_row){0};
    }
    enum eve_status status = eve_row_set(row, ev, parts, err);
    if (status != EVE_OK) {
        return status;
    }
    a->largest_count += place == a->largest_count ? 1 : 0;
    if (l->slot[place] != NULL) {
        *l->slot[place] = 0;
    }
    row->kind = ev->type;
    l->slot[place] = slot;
    *slot = (uint8_t)(place + 1);
    return EVE_OK;
}

enum eve_status eve_largest_see(struct eve_largest *l, const struct eve_event *ev, unsigned parts,
                                const struct eve_tally_count *count, uint32_t order, uint8_t *slot,
                                struct eve_err *err)
{
    if (*slot == 0) {
        size_t place =
            count->bytes < l->least ? EVE_ACCOUNT_LARGEST : find_place(l, count->bytes, order);
        if (place == EVE_ACCOUNT_LARGEST) {
            return EVE_OK;
        }
        enum eve_status status = enter(l, ev, parts, place, slot, err);
        if (status != EVE_OK) {
            return status;
        }
    }
    struct eve_row *row = &l->account->largest[*slot - 1];
    row->order = order;
    row->events = count->events;
    row->bytes = count->bytes;
    row->removed = count->removed;
    return EVE_OK;
}

void eve_largest_leave(struct eve_largest *l, uint8_t *slot)
{
    if (*slot > 0) {
        l->slot[*slot - 1] = NULL;
        *slot = 0;
    }
}

static int by_order(const void *a, const void *b)
{
    const struct eve_row *x = a;
    const struct eve_row *y = b;
    return (x->order > y->order) - (x->order < y->order);
}

void eve_largest_close(struct eve_largest *l)
{
    if (l->account->largest_count > 0) {
        qsort(l->account->largest, l->account->largest_count, sizeof(struct eve_row), by_order);
    }
}
