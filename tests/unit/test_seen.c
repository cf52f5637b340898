#include "check.h"
#include "seen.h"
#include "str.h"

#include <stdio.h>
#include <string.h>

void test_seen(void);

static struct eve_seen s;

/* Put the id with `said`: 0 if it is new, else what it came with before; -1: it is no ULID. */
static intmax_t put(const char *id, uint64_t said)
{
    struct eve_ulid ulid;
    struct eve_err err;
    bool added = false;
    if (!eve_seen_ulid(id, &ulid)) {
        return -1;
    }
    CHECK(eve_seen_ulid_put(&s, ulid, eve_str(id), &said, &added, &err) == EVE_OK);
    return added ? 0 : (intmax_t)said;
}

static bool before(const char *a, const char *b)
{
    struct eve_ulid x;
    struct eve_ulid y;
    return eve_seen_ulid(a, &x) && eve_seen_ulid(b, &y) && eve_seen_before(x, y);
}

void test_seen(void)
{
    static const uint64_t seed[2] = {1, 2};
    char id[32];
    struct eve_err err;
    bool added = false;
    eve_seen_init(&s, seed);
    TEST("what a ULID is");
    CHECK_EQ_INT(put("8ZZZZZZZZZZZZZZZZZZZZZZZZZ", 1), -1);
    CHECK_EQ_INT(put("01KYJBZA88B4M9XN3RTC5FDGHI", 1), -1);
    CHECK_EQ_INT(put("01KYJBZA88B4MUXN3RTC5FDGHJ", 1), -1);
    CHECK_EQ_INT(put("01KYJBZA88B4U9XN3RTC5FDGHJ", 1), -1);
    CHECK_EQ_INT(put("01kYJBZA88B4M9XN3RTC5FDGHJ", 1), -1);
    TEST("each character at each place of a ULID");
    for (size_t at = 0; at < 26; at++) {
        for (int c = 1; c < 256; c++) {
            char form[] = "00000000000000000000000000";
            struct eve_ulid ulid;
            form[at] = (char)c;
            bool good = strchr("0123456789ABCDEFGHJKMNPQRSTVWXYZ", c) != NULL;
            CHECK(eve_seen_ulid(form, &ulid) == (good && (at > 0 || c <= '7')));
        }
    }
    TEST("order is that of the characters, wherever they differ");
    for (size_t i = 0; i < 26; i++) {
        char a[] = "00000000000000000000000000";
        char b[] = "00000000000000000000000000";
        b[i] = i == 0 ? '7' : 'Z';
        CHECK(before(a, b) && !before(b, a));
        a[i] = i == 0 ? '6' : 'Y';
        CHECK(before(a, b) && !before(b, a) && !before(a, a));
    }
    TEST("ids in order, again, and out of order");
    CHECK_EQ_INT(put("00000000000000000000000001", 7), 0);
    CHECK_EQ_INT(put("00000000000000000000000005", 8), 0);
    CHECK_EQ_INT(put("00000000000000000000000005", 9), 8);
    CHECK_EQ_INT(put("00000000000000000000000001", 9), 7);
    CHECK_EQ_INT(put("00000000000000000000000003", 6), 0);
    CHECK_EQ_INT(put("00000000000000000000000003", 9), 6);
    CHECK_EQ_INT(put("00000000000000000000000000", 5), 0);
    CHECK_EQ_INT(put("00000000000000000000000009", 4), 0);
    CHECK_EQ_INT(put("00000000000000000000000000", 9), 5);
    TEST("ids of any form");
    uint64_t said = 3;
    CHECK(eve_seen_put(&s, eve_str("x"), &said, &added, &err) == EVE_OK && added);
    said = 2;
    CHECK(eve_seen_put(&s, eve_str("x"), &said, &added, &err) == EVE_OK && !added);
    CHECK_EQ_INT((intmax_t)said, 3);
    TEST("many, and then none");
    for (int i = 0; i < 100000; i++) {
        (void)snprintf(id, sizeof id, "01%024d", i);
        CHECK_EQ_INT(put(id, (uint64_t)i + 1), 0);
    }
    CHECK_EQ_INT(put("01000000000000000000054321", 1), 54322);
    eve_seen_clear(&s);
    CHECK_EQ_INT(put("01000000000000000000054321", 1), 0);
    eve_seen_fini(&s);
}
