#include "aid.h"
#include "map.h"
#include "mem.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const uint64_t seed[2] = {1, 2};
static struct eve_err err;

/* SipHash-1-3 of the bytes 0, 1, 2 … with the key 0, 1, … 15: figures that other programs give. */
static void hashes(void)
{
    static const uint64_t key[2] = {0x0706050403020100u, 0x0f0e0d0c0b0a0908u};
    static const struct {
        size_t n;
        uint64_t want;
    } cases[] = {
        {0, 0xabac0158050fc4dcu},  {1, 0xc9f49bf37d57ca93u},  {7, 0xd3927d989bb11140u},
        {8, 0x369095118d299a8eu},  {15, 0xd320d86d2a519956u}, {16, 0xcc4fdd1a7d908b66u},
        {63, 0x9d199062b7bbb3a8u},
    };
    char bytes[64];
    TEST("the hash");
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)i;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CHECK(eve_map_hash(key, (struct eve_slice){bytes, cases[i].n}) == cases[i].want);
    CHECK(eve_map_hash(key, S("a")) != eve_map_hash(seed, S("a")));
    for (size_t n = 0; n < sizeof bytes; n++) { /* every byte and the length count */
        uint64_t whole = eve_map_hash(key, (struct eve_slice){bytes, n});
        CHECK(whole != eve_map_hash(key, (struct eve_slice){bytes, n + 1}));
        for (size_t i = 0; i < n; i++) {
            bytes[i] ^= 1;
            CHECK(whole != eve_map_hash(key, (struct eve_slice){bytes, n}));
            bytes[i] ^= 1;
        }
    }
}

static struct eve_slice name_of(char *room, size_t cap, unsigned i)
{
    int n = snprintf(room, cap, "%s%u", i % 3 ? "evt_" : "a longer name of an event: ", i);
    return (struct eve_slice){room, (size_t)n};
}

static void grows(void)
{
    enum { COUNT = 20000 };
    struct eve_map m;
    struct eve_map_entry *e = NULL;
    char room[64];
    bool added = false;
    bool ok = true;
    TEST("many keys, in their order");
    eve_map_init(&m, seed);
    CHECK(eve_map_get(&m, S("x")) == NULL);
    for (unsigned i = 0; i < COUNT && ok; i++) {
        struct eve_slice key = name_of(room, sizeof room, i);
        ok = CHECK(eve_map_get(&m, key) == NULL) &&
             CHECK(eve_map_put(&m, key, &e, &added, &err) == EVE_OK && added && e->value == 0);
        e->value = i;
    }
    memset(room, 'x', sizeof room); /* keys are the map's own */
    for (unsigned i = 0; i < COUNT && ok; i++) {
        struct eve_slice key = name_of(room, sizeof room, i);
        ok = CHECK((e = eve_map_get(&m, key)) != NULL && e->value == i) &&
             CHECK(eve_map_put(&m, key, &e, &added, &err) == EVE_OK && !added && e->value == i) &&
             CHECK(e == &m.entries[i] && e->key_n == key.n && memcmp(e->key, key.p, key.n) == 0);
    }
    CHECK_EQ_SIZE(m.count, COUNT);
    CHECK(m.index_cap >= m.count * 2 && (m.index_cap & (m.index_cap - 1)) == 0);
    CHECK(eve_map_get(&m, S("evt_")) == NULL);
    eve_map_fini(&m);
    CHECK(m.count == 0 && m.seed[0] == 1 && m.seed[1] == 2);
}

/* Keys that the index puts in one place, and two with the same 32 bits of hash. */
static void collides(void)
{
    struct eve_map m;
    struct eve_map_entry *e = NULL;
    char room[64];
    bool added = false;
    unsigned found = 0;
    TEST("keys that collide");
    eve_map_init(&m, seed);
    for (unsigned i = 0; found < 12; i++) {
        struct eve_slice key = name_of(room, sizeof room, i);
        if ((eve_map_hash(seed, key) & 31) != 31)
            continue;
        CHECK(eve_map_put(&m, key, &e, &added, &err) == EVE_OK && added);
        e->value = i;
        found++;
    }
    for (size_t i = 0; i < m.count; i++) {
        struct eve_slice key = name_of(room, sizeof room, (unsigned)m.entries[i].value);
        CHECK(eve_map_get(&m, key) == &m.entries[i]);
    }
    eve_map_clear(&m);
    for (size_t i = 0; i < 2; i++) { /* all bits of the hash that are kept */
        struct eve_slice key = eve_str(i ? "evt_192511" : "evt_10259");
        CHECK(eve_map_put(&m, key, &e, &added, &err) == EVE_OK && added);
    }
    CHECK(m.entries[0].hash == m.entries[1].hash);
    CHECK(eve_map_get(&m, S("evt_10259")) == &m.entries[0]);
    CHECK(eve_map_get(&m, S("evt_192511")) == &m.entries[1]);
    eve_map_fini(&m);
}

static void odd_keys(void)
{
    static const struct eve_slice keys[] = {
        {NULL, 0}, {"\0", 1}, {"\0\0", 2}, {"a", 1}, {"a\0", 2}};
    enum { COUNT = sizeof keys / sizeof *keys };
    struct eve_map m;
    struct eve_map_entry *e = NULL;
    bool added = false;
    TEST("any bytes are a key");
    eve_map_init(&m, seed);
    for (size_t i = 0; i < COUNT; i++) {
        CHECK(eve_map_put(&m, keys[i], &e, &added, &err) == EVE_OK && added);
        e->value = i;
    }
    for (size_t i = 0; i < COUNT; i++)
        CHECK((e = eve_map_get(&m, keys[i])) != NULL && e->value == i);
    if (SIZE_MAX > UINT32_MAX) { /* refused before it is looked at */
        struct eve_slice huge = {"x", (size_t)UINT32_MAX + 1};
        CHECK(eve_map_put(&m, huge, &e, &added, &err) == EVE_FAIL);
    }

    TEST("cleared");
    eve_map_clear(&m);
    CHECK(m.count == 0 && eve_map_get(&m, S("a")) == NULL);
    CHECK(eve_map_put(&m, S("b"), &e, &added, &err) == EVE_OK && added && e == &m.entries[0]);
    CHECK(eve_map_get(&m, S("b")) == e);
    eve_map_fini(&m);
    eve_map_clear(&m);
    CHECK(eve_map_get(&m, S("b")) == NULL);
}

static void fails(void)
{
    struct eve_map m;
    struct eve_map_entry *e = NULL;
    char room[64];
    bool added = false;
    TEST("without memory the map stays as it was");
    eve_map_init(&m, seed);
    for (unsigned i = 0; i < 1000; i++) {
        struct eve_slice key = name_of(room, sizeof room, i);
        for (size_t n = 1;; n++) {
            eve_mem_test_fail(n, true);
            enum eve_status status = eve_map_put(&m, key, &e, &added, &err);
            eve_mem_test_fail(0, false);
            if (status == EVE_OK)
                break;
            CHECK(status == EVE_FAIL && err.sys == ENOMEM && m.count == i);
            CHECK(eve_map_get(&m, key) == NULL);
        }
    }
    for (unsigned i = 0; i < 1000; i++)
        CHECK(eve_map_get(&m, name_of(room, sizeof room, i)) == &m.entries[i]);
    eve_map_fini(&m);
}

void test_map(void);
void test_map(void)
{
    hashes();
    grows();
    collides();
    odd_keys();
    fails();
}
