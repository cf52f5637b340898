#include "aid.h"
#include "row.h"

#include <stdio.h>

static const uint64_t seed[2] = {1, 2};
static struct eve_rows rows;

#define TURN (EVE_ROW_BIT(EVE_ROW_GROUP) | EVE_ROW_BIT(EVE_ROW_TURN))
#define STEP (TURN | EVE_ROW_BIT(EVE_ROW_STEP))

static size_t place(const char *line, unsigned parts)
{
    struct eve_event ev;
    struct eve_err err = {0};
    size_t at = 999;
    aid_event(&ev, line, "group");
    CHECK(eve_rows_find(&rows, &ev, parts, &at, &err) == EVE_OK);
    return at;
}

static struct eve_slice get(size_t at, enum eve_row_part part)
{
    struct eve_json_value v = eve_row_get(&rows.list[at], part);
    return (struct eve_slice){v.p, v.n};
}

static void finding(void)
{
    TEST("rows are found by what their coordinates say");
    eve_rows_init(&rows, seed);
    CHECK(place("{\"type\":\"x\",\"data\":{\"turnId\":\"a\",\"stepIndex\":1}}", STEP) == 0);
    CHECK(place("{\"type\":\"y\",\"data\":{\"turnId\":\"\\u0061\",\"stepIndex\":1.0}}", STEP) == 0);
    CHECK(place("{\"type\":\"x\",\"data\":{\"turnId\":\"a\",\"stepIndex\":2}}", STEP) == 1);
    CHECK(place("{\"type\":\"x\",\"data\":{\"turnId\":\"a\",\"stepIndex\":\"1\"}}", STEP) == 2);
    CHECK(place("{\"type\":\"x\",\"data\":{\"turnId\":\"a\"}}", STEP) == 3);
    CHECK(place("{\"type\":\"x\",\"data\":{\"turnId\":null}}", STEP) == 4);
    CHECK(place("{\"type\":\"x\"}", STEP) == 5);
    CHECK(place("{\"type\":\"x\",\"group\":1,\"data\":{\"turnId\":\"a\",\"stepIndex\":1}}", STEP) ==
          6);
    CHECK(place("{\"type\":\"z\",\"data\":{}}", STEP) == 5);

    TEST("rows keep the spelling of their first event");
    CHECK_SLICE(get(0, EVE_ROW_TURN), "\"a\"");
    CHECK_SLICE(get(0, EVE_ROW_STEP), "1");
    CHECK_SLICE(get(2, EVE_ROW_STEP), "\"1\"");
    CHECK_SLICE(get(4, EVE_ROW_TURN), "null");
    CHECK_SLICE(get(6, EVE_ROW_GROUP), "1");
    CHECK(eve_row_get(&rows.list[5], EVE_ROW_TURN).kind == EVE_JSON_NONE);
    CHECK(eve_row_get(&rows.list[0], EVE_ROW_GROUP).kind == EVE_JSON_NONE);
    CHECK(eve_row_get(&rows.list[0], EVE_ROW_CALL).kind == EVE_JSON_NONE);
    CHECK(eve_row_get(&rows.list[4], EVE_ROW_TURN).kind == EVE_JSON_NULL);
    eve_rows_close(&rows);
    CHECK_SLICE(get(6, EVE_ROW_GROUP), "1");
    eve_rows_fini(&rows);

    TEST("many rows");
    eve_rows_init(&rows, seed);
    for (unsigned i = 0; i < 5000; i++) {
        char line[100];
        snprintf(line, sizeof line, "{\"type\":\"x\",\"data\":{\"turnId\":\"t%u\"}}", i % 2500);
        CHECK(place(line, TURN) == i % 2500);
    }
    CHECK_EQ_SIZE(rows.count, 2500);
    eve_rows_fini(&rows);
}

void test_row(void);
void test_row(void)
{
    finding();
}
