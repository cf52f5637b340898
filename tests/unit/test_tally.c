#include "aid.h"
#include "tally.h"

static const uint64_t seed[2] = {3, 4};

static bool ratio_is(struct eve_tally_ratio r, uint64_t whole, unsigned hundredths)
{
    return r.known && r.whole == whole && r.hundredths == hundredths;
}

static void ratios(void)
{
    TEST("ratios are exact and rounded half up");
    CHECK(!eve_tally_share(0, 0).known && !eve_tally_quotient(5, 0).known);
    CHECK(ratio_is(eve_tally_share(0, 7), 0, 0) && ratio_is(eve_tally_share(7, 7), 100, 0));
    CHECK(ratio_is(eve_tally_share(1, 3), 33, 33) && ratio_is(eve_tally_share(2, 3), 66, 67));
    CHECK(ratio_is(eve_tally_share(1, 20000), 0, 1) && ratio_is(eve_tally_share(1, 20001), 0, 0));
    CHECK(ratio_is(eve_tally_share(19999, 20000), 100, 0));
    CHECK(ratio_is(eve_tally_quotient(1, 200), 0, 1) && ratio_is(eve_tally_quotient(1, 201), 0, 0));
    CHECK(ratio_is(eve_tally_quotient(1999, 1000), 2, 0));

    TEST("ratios of the public replay");
    struct eve_tally t;
    eve_tally_init(&t, seed);
    t.n[EVE_TALLY_DELTA_ONLY] = 85280426;
    t.n[EVE_TALLY_REMOVED] = UINT64_C(11295883667);
    CHECK(ratio_is(eve_tally_percent(&t), 99, 25) && ratio_is(eve_tally_times(&t), 133, 46));

    TEST("ratios of the largest numbers");
    CHECK(ratio_is(eve_tally_share(UINT64_MAX - 1, UINT64_MAX), 100, 0));
    CHECK(ratio_is(eve_tally_share(UINT64_MAX / 2, UINT64_MAX), 50, 0));
    CHECK(ratio_is(eve_tally_quotient(UINT64_MAX, 1), UINT64_MAX, 0));
    CHECK(ratio_is(eve_tally_quotient(UINT64_MAX, UINT64_MAX - 1), 1, 0));
    eve_tally_fini(&t);
}

static struct eve_tally_count *count_of(struct eve_tally *t, const char *line)
{
    struct eve_event ev;
    struct eve_err err = {0};
    struct eve_tally_count *count = NULL;
    aid_event(&ev, line, "");
    CHECK(eve_tally_of_event(t, &ev, &count, &err) == EVE_OK);
    return count;
}

static void types(void)
{
    struct eve_tally t;
    struct eve_err err = {0};
    struct eve_tally_type *const *sorted = NULL;
    TEST("types are told apart by what they say");
    eve_tally_init(&t, seed);
    count_of(&t, "{\"type\":\"turn.started\"}")->events++;
    count_of(&t, "{\"type\":\"turn\\u002estarted\"}")->events++;
    count_of(&t, "{\"type\":\"a\\u0062\"}")->events++;
    count_of(&t, "{\"type\":\"ab\"}")->events++;
    count_of(&t, "{\"type\":\"\\u0000\\ud800\"}")->events++;
    count_of(&t, "{\"type\":\"\"}")->bytes = 9;
    CHECK_EQ_SIZE(t.type_count, 4);
    CHECK(eve_tally_sort(&t, false, &sorted, &err) == EVE_OK);
    CHECK_SLICE(sorted[0]->name, "");
    CHECK_SLICE(sorted[1]->name, "\\u0000\\ud800");
    CHECK_SLICE(sorted[2]->name, "ab");
    CHECK_SLICE(sorted[3]->name, "turn.started");
    CHECK_EQ_INT((intmax_t)sorted[2]->count.events, 2);
    CHECK_EQ_INT((intmax_t)sorted[3]->count.events, 2);

    TEST("types sorted by bytes, then by name");
    CHECK(eve_tally_sort(&t, true, &sorted, &err) == EVE_OK);
    CHECK_SLICE(sorted[0]->name, "");
    CHECK_SLICE(sorted[1]->name, "\\u0000\\ud800");
    CHECK_SLICE(sorted[3]->name, "turn.started");
    eve_tally_fini(&t);
}

static void sums(void)
{
    struct eve_tally a;
    struct eve_tally b;
    struct eve_err err = {0};
    TEST("figures add up, the longest line does not");
    eve_tally_init(&a, seed);
    eve_tally_init(&b, seed);
    for (unsigned f = 0; f < EVE_TALLY_COUNT; f++) {
        a.n[f] = f;
        b.n[f] = 100;
    }
    count_of(&a, "{\"type\":\"x\"}")->bytes = 5;
    count_of(&b, "{\"type\":\"y\"}")->bytes = 6;
    count_of(&b, "{\"type\":\"x\"}")->bytes = 7;
    CHECK(eve_tally_add(&a, &b, &err) == EVE_OK);
    for (unsigned f = 0; f < EVE_TALLY_COUNT; f++)
        CHECK_EQ_INT((intmax_t)a.n[f], f == EVE_TALLY_LONGEST_LINE ? 100 : f + 100);
    CHECK(a.type_count == 2 && count_of(&a, "{\"type\":\"x\"}")->bytes == 12);

    TEST("a sum that does not fit is refused");
    b.n[EVE_TALLY_IN] = UINT64_MAX;
    CHECK(eve_tally_add(&a, &b, &err) == EVE_BAD && err.rule == EVE_RULE_BAD_DATA);
    b.n[EVE_TALLY_IN] = 0;
    b.n[EVE_TALLY_REMOVED] = UINT64_MAX - 300;
    CHECK(eve_tally_add(&a, &b, &err) == EVE_BAD);
    b.n[EVE_TALLY_REMOVED] = 0;
    count_of(&b, "{\"type\":\"x\"}")->removed = UINT64_MAX;
    count_of(&a, "{\"type\":\"x\"}")->removed = 1;
    a.n[EVE_TALLY_REMOVED] = a.n[EVE_TALLY_DELTA_ONLY] = 0;
    CHECK(eve_tally_add(&a, &b, &err) == EVE_BAD);
    eve_tally_fini(&a);
    eve_tally_fini(&b);
}

void test_tally(void);
void test_tally(void)
{
    ratios();
    types();
    sums();
}
