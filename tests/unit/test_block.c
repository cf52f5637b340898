#include "aid.h"
#include "block.h"
#include "map.h"

#include <stdio.h>

static const uint64_t seed[2] = {9, 10};
static struct eve_blocks blocks;

struct labelled {
    struct eve_block block;
    unsigned label;
};

/* A random event: an append or something that ends blocks, at one of few coordinates. */
static void random_event(struct eve_event *ev, struct eve_json_value *call, uint64_t *state)
{
    static const char *const types[] = {
        "message.appended",      "message.appended",  "reasoning.appended",
        "action.input.appended", "message.completed", "reasoning.completed",
        "step.completed",        "turn.completed",    "action.input.appended"};
    static const char *const turns[] = {"\"t\"", "\"\\u0074\"", "\"u\"", "1", "1.0", "null"};
    static char line[300];
    snprintf(
        line, sizeof line,
        "{\"group\":%u,\"type\":\"%s\",\"data\":{\"turnId\":%s,\"stepIndex\":%u,\"callId\":%u}}",
        aid_below(state, 2), types[aid_below(state, sizeof types / sizeof *types)],
        turns[aid_below(state, sizeof turns / sizeof *turns)], aid_below(state, 3),
        aid_below(state, 12));
    aid_event(ev, line, "group");
    *call = eve_event_value(ev, EVE_FIELD_CALL_ID);
    if (ev->type != EVE_EVENT_INPUT_APPENDED)
        *call = (struct eve_json_value){0};
}

static char ended[100000]; /* per label */

static void end(void *ctx, struct eve_block *block)
{
    ++*(size_t *)ctx;
    ended[((struct labelled *)(void *)block)->label] = 1;
    eve_block_remove(&blocks, block);
}

static void random_streams(void)
{
    uint64_t state = 3;
    unsigned labels = 0;
    size_t most = 0;
    TEST("what an event ends is what is asked of every block");
    eve_block_init(&blocks, sizeof(struct labelled), seed);
    for (int i = 0; i < 60000; i++) {
        struct eve_event ev;
        struct eve_err err = {0};
        struct eve_json_value call;
        static unsigned want[1000];
        size_t wanted = 0;
        size_t count = 0;
        size_t before = blocks.count;
        random_event(&ev, &call, &state);
        CHECK(eve_block_look(&blocks, &ev, call, &err) == EVE_OK);
        if (ev.type <= EVE_EVENT_INPUT_APPENDED) {
            struct eve_block *block = eve_block_find(&blocks, ev.type);
            if (block == NULL) {
                CHECK(eve_block_add(&blocks, ev.type, &block, &err) == EVE_OK);
                ((struct labelled *)(void *)block)->label = labels++;
            }
            if (!CHECK(eve_block_find(&blocks, ev.type) == block && block->kind == ev.type))
                return;
            continue;
        }
        for (struct eve_block *b = blocks.first; b != NULL; b = eve_block_after(&blocks, b)) {
            if (eve_block_is_ended(&blocks, b, eve_block_scope(&ev)))
                want[wanted++] = ((struct labelled *)(void *)b)->label;
        }
        eve_block_each_ended(&blocks, eve_block_scope(&ev), end, &count);
        most = count > most ? count : most;
        bool right = count == wanted && blocks.count == before - count;
        for (size_t k = 0; k < wanted; k++)
            right = right && ended[want[k]];
        if (!CHECK(right))
            return;
    }
    CHECK(labels > 5000 && labels < sizeof ended && most > 5);
    eve_block_fini(&blocks);
}

static void order(void)
{
    struct eve_event ev;
    struct eve_err err = {0};
    struct eve_block *b[300];
    char line[100];
    TEST("blocks keep their order, and a used one becomes the last");
    eve_block_init(&blocks, sizeof(struct labelled), seed);
    for (int i = 0; i < 300; i++) {
        snprintf(line, sizeof line, "{\"type\":\"message.appended\",\"data\":{\"turnId\":%d}}", i);
        aid_event(&ev, line, "");
        CHECK(eve_block_look(&blocks, &ev, (struct eve_json_value){0}, &err) == EVE_OK);
        CHECK(eve_block_find(&blocks, ev.type) == NULL);
        CHECK(eve_block_add(&blocks, ev.type, &b[i], &err) == EVE_OK);
    }
    eve_block_use(&blocks, b[0]);
    eve_block_remove(&blocks, b[1]);
    CHECK(blocks.first == b[2] && blocks.last == b[0] && eve_block_after(&blocks, b[299]) == b[0]);
    CHECK_EQ_SIZE(blocks.count, 299);
    struct eve_block *again = NULL;
    CHECK(eve_block_add(&blocks, ev.type, &again, &err) == EVE_OK && again == b[1]);
    eve_block_fini(&blocks);
}

static void hashes(void)
{
    uint64_t key[2] = {UINT64_C(0x0706050403020100), UINT64_C(0x0f0e0d0c0b0a0908)};
    uint64_t a[2];
    uint64_t b[2];
    TEST("hashes of 128 bits differ in both halves");
    eve_map_hash128(key, S("turn_0"), a);
    eve_map_hash128(key, S("turn_1"), b);
    CHECK(a[0] != b[0] && a[1] != b[1] && a[0] != a[1]);
    eve_map_hash128(key, S("turn_0"), b);
    CHECK(a[0] == b[0] && a[1] == b[1]);
    CHECK(eve_map_hash(key, S("turn_0")) != a[0]);
}

void test_block(void);
void test_block(void)
{
    random_streams();
    order();
    hashes();
}
