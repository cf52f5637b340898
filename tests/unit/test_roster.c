#include "check.h"
#include "roster.h"
#include "str.h"

#include <stdio.h>

void test_roster(void);

static struct eve_roster r;

static bool add(const char *key, uint64_t line)
{
    struct eve_err err;
    struct eve_roster_member member = {.line = line, .event = line * 2, .state = 1};
    return eve_roster_add(&r, eve_str(key), member, &err) == EVE_OK;
}

static bool push(const char *key, uint64_t line)
{
    struct eve_err err;
    struct eve_roster_member member = {.line = line, .event = line * 2, .state = 1};
    return eve_roster_push(&r, eve_str(key), member, &err) == EVE_OK;
}

/* Line of the member, 0 if there is none. */
static intmax_t line_of(const char *key)
{
    const struct eve_roster_member *member = eve_roster_get(&r, eve_str(key));
    return member != NULL ? (intmax_t)member->line : 0;
}

static void drop(const char *key)
{
    eve_roster_drop(&r, eve_roster_get(&r, eve_str(key)));
}

void test_roster(void)
{
    static const uint64_t seed[2] = {1, 2};
    char key[32];
    eve_roster_init(&r, seed);
    TEST("members come and go");
    CHECK_EQ_INT(line_of("a"), 0);
    CHECK(add("a", 1) && add("b", 2));
    CHECK_EQ_INT(line_of("a"), 1);
    CHECK(eve_str_is(eve_roster_key(&r, eve_roster_get(&r, eve_str("b"))), "b"));
    drop("a");
    CHECK_EQ_INT(line_of("a"), 0);
    CHECK_EQ_INT(line_of("b"), 2);
    CHECK(add("a", 3));
    CHECK_EQ_INT(line_of("a"), 3);
    TEST("one that comes again moves to the end");
    CHECK(add("b", 4));
    CHECK_EQ_INT(line_of("b"), 4);
    CHECK(r.members[r.count - 1].line == 4);
    TEST("what is dropped is forgotten in time");
    for (uint64_t i = 0; i < 100000; i++) {
        (void)snprintf(key, sizeof key, "key%llu", (unsigned long long)i);
        CHECK(add(key, i + 10));
        drop(key);
    }
    CHECK(r.cap < 10000);
    CHECK(r.keys.count < 10000);
    CHECK_EQ_INT(line_of("a"), 3);
    CHECK_EQ_INT(line_of("b"), 4);
    TEST("one that is pushed stands before the older ones of its key, also after forgetting");
    for (uint64_t i = 0; i < 5; i++) {
        CHECK(push("c", 100 + i));
    }
    eve_roster_drop(&r, eve_roster_older(&r, eve_roster_get(&r, eve_str("c"))));
    for (uint64_t i = 0; i < 10000; i++) {
        CHECK(add("key", i));
    }
    CHECK_EQ_INT(line_of("c"), 104);
    drop("c");
    CHECK_EQ_INT(line_of("c"), 102);
    drop("c");
    drop("c");
    CHECK_EQ_INT(line_of("c"), 100);
    CHECK(eve_roster_older(&r, eve_roster_get(&r, eve_str("c"))) == NULL);
    drop("c");
    CHECK_EQ_INT(line_of("c"), 0);
    TEST("clear");
    eve_roster_clear(&r);
    CHECK_EQ_INT(line_of("a"), 0);
    CHECK(add("a", 5));
    CHECK_EQ_INT(line_of("a"), 5);
    eve_roster_fini(&r);
}
