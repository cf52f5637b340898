#include "aid.h"
#include "dedupe.h"

#include <stdio.h>

static const uint64_t seed[2] = {5, 6};
static struct eve_dedupe d;

/* n: new, s: seen, w: without an id */
static char see(const char *meta)
{
    char line[200];
    struct eve_event ev;
    struct eve_err err = {0};
    bool seen = false;
    bool without = false;
    snprintf(line, sizeof line, "{\"type\":\"x\"%s%s}", *meta ? ",\"meta\":" : "", meta);
    aid_event(&ev, line, "");
    CHECK(eve_dedupe_see(&d, &ev, &seen, &without, &err) == EVE_OK && !(seen && without));
    return seen ? 's' : without ? 'w' : 'n';
}

static void ids(void)
{
    TEST("ids are compared by what they say");
    eve_dedupe_init(&d, seed);
    CHECK(see("{\"id\":\"a\"}") == 'n' && see("{\"id\":\"a\"}") == 's');
    CHECK(see("{\"id\":\"\\u0061\",\"at\":1}") == 's' && see("{\"i\\u0064\":\"a\"}") == 's');
    CHECK(see("{\"id\":\"\\u0062\"}") == 'n' && see("{\"id\":\"b\"}") == 's');
    CHECK(see("{\"id\":\"\"}") == 'n' && see("{\"id\":\"\"}") == 's');
    CHECK(see("{\"id\":\"A\"}") == 'n' && see("{\"id\":\"ab\"}") == 'n');
    CHECK(see("{\"id\":\"\\ud83d\"}") == 'n' && see("{\"id\":\"\\ude00\"}") == 'n');
    CHECK(see("{\"id\":\"\\ud83d\\ude00\"}") == 'n' && see("{\"id\":\"\xf0\x9f\x98\x80\"}") == 's');
    CHECK(see("{\"id\":\"z\",\"id\":\"a\"}") == 's' && see("{\"id\":\"z\"}") == 'n');

    TEST("events without a string id are never seen");
    for (int i = 0; i < 2; i++) {
        CHECK(see("") == 'w' && see("{}") == 'w' && see("{\"id\":1}") == 'w');
        CHECK(see("{\"id\":null}") == 'w' && see("[\"id\"]") == 'w' && see("\"a\"") == 'w');
        CHECK(see("{\"id\":\"a\",\"id\":2}") == 'w' && see("{\"\\u0069\":\"a\"}") == 'w');
    }
    CHECK(see("{\"id\":\"1\"}") == 'n');

    TEST("cleared");
    eve_dedupe_clear(&d);
    CHECK(see("{\"id\":\"a\"}") == 'n' && see("{\"id\":\"a\"}") == 's');
    eve_dedupe_fini(&d);
}

static void many(void)
{
    char meta[64];
    bool ok = true;
    TEST("many ids");
    eve_dedupe_init(&d, seed);
    for (int round = 0; round < 2 && ok; round++) {
        for (unsigned i = 0; i < 10000 && ok; i++) {
            snprintf(meta, sizeof meta, "{\"id\":\"evt_%026u\"}", i);
            ok = CHECK(see(meta) == (round ? 's' : 'n'));
        }
    }
    eve_dedupe_clear(&d);
    CHECK(see(meta) == 'n');
    eve_dedupe_fini(&d);
}

void test_dedupe(void);
void test_dedupe(void)
{
    ids();
    many();
}
