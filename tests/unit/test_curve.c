#include "check.h"
#include "curve.h"

static struct eve_curve c;

static void straight(void)
{
    double found = 0;
    double delta = 0;
    TEST("nothing at all");
    eve_curve_init(&c);
    eve_curve_at(&c, 1.0, &found, &delta);
    CHECK(found == 0 && delta == 0);

    TEST("a straight line stays straight, however long");
    for (int i = 0; i < 100000; i++)
        eve_curve_add(&c, 10, 2);
    CHECK(c.count <= EVE_CURVE_POINTS && c.count >= EVE_CURVE_POINTS / 2);
    CHECK(c.events == 100000 && c.now.found == 1000000 && c.now.delta_only == 200000);
    for (int i = 0; i <= 100; i++) {
        eve_curve_at(&c, i / 100.0, &found, &delta);
        CHECK(found > i * 10000.0 - 1e-3 && found < i * 10000.0 + 1e-3);
        CHECK(delta > i * 2000.0 - 1e-3 && delta < i * 2000.0 + 1e-3);
    }
}

static void ends(void)
{
    double before = 0;
    TEST("sums never fall, and end in what was added, at every length");
    eve_curve_init(&c);
    for (uint64_t n = 1; n < 6000; n++) {
        double found = 0;
        double delta = 0;
        eve_curve_add(&c, n, 0);
        if (n % 97 != 0)
            continue;
        before = 0;
        for (int i = 0; i <= 50; i++) {
            eve_curve_at(&c, i / 50.0, &found, &delta);
            if (!CHECK(found >= before && delta == 0))
                return;
            before = found;
        }
        if (!CHECK(found == (double)(n * (n + 1) / 2)))
            return;
    }
}

void test_curve(void);
void test_curve(void)
{
    straight();
    ends();
}
