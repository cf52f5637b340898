#include "aid.h"
#include "order.h"

static struct eve_err err;

/* `n` items at places below `places`, in any order, come out sorted. */
static void sorts(struct eve_order *o, size_t n, size_t places, uint64_t *random)
{
    uint64_t sum = 0;
    o->n = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t place = aid_below(random, places);
        sum += place;
        CHECK(eve_order_add(o, place, i, &err) == EVE_OK);
    }
    eve_order_sort(o);
    CHECK(o->n == n);
    for (size_t i = 0; i < n; i++) {
        const struct eve_order_item *at = &o->item[i];
        sum -= at->place;
        CHECK(i == 0 || at[-1].place < at->place ||
              (at[-1].place == at->place && at[-1].what < at->what));
    }
    CHECK(sum == 0);
}

void test_order(void);
void test_order(void)
{
    struct eve_order o = {0};
    uint64_t random = 9;
    TEST("order: by place, then by what it is");
    for (size_t n = 0; n < 200; n++) {
        sorts(&o, n, 1 + n % 7 * 50, &random);
    }
    sorts(&o, 5000, SIZE_MAX, &random);
    eve_order_fini(&o);
}
