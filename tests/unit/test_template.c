/*
 * template: whatever it takes, the walk takes too and finds the same. Tried on lines in eve's
 * spellings, and on each of them with every byte replaced by bytes that matter.
 */
#include "check.h"
#include "decode.h"
#include "event.h"
#include "snapshot.h"
#include "str.h"
#include "template.h"

#include <stdio.h>
#include <string.h>

#define META                                                                                       \
    "\"meta\":{\"at\":\"2026-10-20T01:04:11.912Z\",\"id\":\"evt_01KYJBZA88B4M9XN3RTC5FDGHJ\""
#define TURN(n) ",\"sequence\":0,\"stepIndex\":12,\"turnId\":\"turn_" #n "\"}"
#define MESSAGE ",\"type\":\"message.appended\","
#define REASONING ",\"type\":\"reasoning.appended\","

/* In order: each continues what came before. `known`: the template has to take it. */
static const struct {
    const char *line;
    bool known;
} lines[] = {
    {"{\"data\":{\"messageDelta\":\"Hel\",\"messageSoFar\":\"Hel\"" TURN(0) MESSAGE META "}}\n",
     false},
    {"{\"data\":{\"messageDelta\":\"lo\\n\",\"messageSoFar\":\"Hello\\n\"" TURN(0) MESSAGE META
     "}}\n",
     true},
    {"{\"data\":{\"reasoningDelta\":\"a\",\"reasoningSoFar\":\"a\"" TURN(0) REASONING META "}}\n",
     false},
    {"{\"data\":{\"messageDelta\":\"n\",\"messageSoFar\":\"Hello\\nn\"" TURN(0) MESSAGE META "}}\n",
     true},
    {"{\"data\":{\"reasoningDelta\":\"\xC3\xA9\",\"reasoningSoFar\":\"a\xC3\xA9\"" TURN(
         0) "," META "},\"type\":\"reasoning.appended\"}\n",
     true},
    {"{\"data\":{\"messageDelta\":\"x\",\"messageSoFar\":\"Hello\\nx\"" TURN(0) MESSAGE META "}}\n",
     false},
    {"{\"data\":{\"messageDelta\":\"\\ud83d\",\"messageSoFar\":\"Hello\\nx\\ud83d\"" TURN(0)
         MESSAGE META "}}\n",
     true},
    {"{\"data\":{\"messageDelta\":\"\\ude00\",\"messageSoFar\":\"Hello\\nx\xF0\x9F\x98\x80\"" TURN(
         0) MESSAGE META "}}\n",
     false},
    {"{\"data\":{\"messageDelta\":\"!\",\"messageSoFar\":\"Hello\\nx\xF0\x9F\x98\x80!\"" TURN(0)
         MESSAGE META "}}\n",
     true},
    {"{\"data\":{\"messageDelta\":\"?\",\"messageSoFar\":\"Hello\\nx\xF0\x9F\x98\x80!?\"" TURN(1)
         MESSAGE META "}}\n",
     false},
    {"{\"data\":{\"messageDelta\":\"delta only\"" TURN(0) MESSAGE META
     ",\"deliveryIds\":[\"94146d59-fcea-41b5-a130-f606bf000001\"]}}\n",
     true},
    {"{\"data\":{\"reasoningDelta\":\"\"" TURN(7) REASONING META "}}\n", true},
    {"{\"type\":\"message.appended\",\"data\":{\"messageDelta\":\"first\"" TURN(0) "," META "}}\n",
     true},
    {"{\"type\":\"reasoning.appended\",\"data\":{\"messageDelta\":\"odd\"" TURN(0) "," META "}}\n",
     false},
    {"{\"data\":{\"messageDelta\":\"late type\"" TURN(0) "," META
                                                         "},\"type\":\"message.appended\"}\n",
     true},
    {"{\"data\":{\"messageDelta\":\"\\u00\"" TURN(0) MESSAGE META "}}\n", false},
};
enum { LINES = sizeof lines / sizeof *lines };

static bool same_value(struct eve_json_value a, struct eve_json_value b)
{
    return a.kind == b.kind &&
           (a.kind == EVE_JSON_NONE || (a.p == b.p && a.n == b.n && a.escaped == b.escaped));
}

static bool same_event(const struct eve_event *a, const struct eve_event *b)
{
    bool same = a->kind == b->kind && a->type == b->type && a->plain == b->plain &&
                a->ended == b->ended && a->seen == b->seen && a->repeated == b->repeated &&
                a->data_other == b->data_other && a->line.p == b->line.p &&
                a->line.n == b->line.n && a->text.p == b->text.p && a->text.n == b->text.n &&
                same_value(a->type_value, b->type_value) && same_value(a->data, b->data) &&
                same_value(a->meta, b->meta) && same_value(a->id, b->id) &&
                same_value(a->at, b->at) && same_value(a->group, b->group);
    for (int f = 0; f < EVE_FIELD_COUNT && same; f++) {
        const struct eve_member *x = &a->field[f];
        const struct eve_member *y = &b->field[f];
        if (a->seen >> f & 1) {
            same = same_value(x->value, y->value) && x->name == y->name && x->before == y->before &&
                   x->after == y->after;
        }
    }
    return same;
}

/* Where the template takes `bytes`, the walk and the plain decoder have to agree. True if it did.
 */
static bool try(struct eve_slice bytes, struct eve_snapshots *s, bool *agree)
{
    struct eve_event fast;
    struct eve_event slow;
    struct eve_decoder d;
    struct eve_err err;
    static const struct eve_event_options none = {0};
    if (!eve_template_match(&fast, bytes, s)) {
        return false;
    }
    const char *lf = memchr(bytes.p, '\n', bytes.n);
    struct eve_slice line = {bytes.p, lf == NULL ? bytes.n : (size_t)(lf - bytes.p)};
    eve_decode_init(&d);
    *agree = lf != NULL && eve_event_parse(&slow, line, true, &none, &err) == EVE_OK &&
             same_event(&fast, &slow) &&
             eve_decode(&d, &slow, EVE_VERSION_AUTO, true, &err) == EVE_OK &&
             d.legacy == (fast.continues != NULL);
    eve_decode_fini(&d);
    return true;
}

/* Every byte of the line replaced in turn. */
static void mutate(struct eve_slice line, struct eve_snapshots *s)
{
    static const char put[] = "\"\\0x}{,:n \n\x80\xC3\x1F";
    char copy[1024];
    bool all = true;
    for (size_t at = 0; at < line.n; at++) {
        for (size_t i = 0; i < sizeof put - 1; i++) {
            bool agree = true;
            memcpy(copy, line.p, line.n);
            copy[at] = put[i];
            (void)try((struct eve_slice){copy, line.n}, s, &agree);
            all = all && agree;
        }
        bool agree = true;
        all = all && !try(eve_str_sub(line, 0, at), s, &agree); /* and the line cut there */
    }
    CHECK(all);
}

/* Take note of the line the plain way. */
static void see(struct eve_slice bytes, struct eve_snapshots *s)
{
    struct eve_event ev;
    struct eve_decoder d;
    struct eve_err err;
    bool restarted = false;
    static const struct eve_event_options none = {0};
    eve_decode_init(&d);
    if (eve_event_parse(&ev, eve_str_sub(bytes, 0, bytes.n - 1), true, &none, &err) == EVE_OK &&
        eve_decode(&d, &ev, EVE_VERSION_AUTO, true, &err) == EVE_OK) {
        CHECK(eve_snapshot_see(s, &ev, d.legacy, &restarted, &err) == EVE_OK);
    }
    eve_decode_fini(&d);
}

static void equals_the_walk(void)
{
    static const uint64_t seed[2] = {1, 2};
    struct eve_snapshots *s = NULL;
    struct eve_err err;
    TEST("a template takes eve's spellings, and nothing the walk would not");
    if (!CHECK(eve_snapshot_new(&s, seed, &err) == EVE_OK)) {
        return;
    }
    for (size_t i = 0; i < LINES; i++) {
        struct eve_slice line = eve_str(lines[i].line);
        bool agree = true;
        bool taken = try(line, s, &agree);
        if (!CHECK(taken == lines[i].known) || !CHECK(agree)) {
            (void)printf("# line %zu\n", i);
        }
        mutate(line, s);
        see(line, s);
    }
    eve_snapshot_free(s);
}

/* Several blocks in turn: each is found, whatever came before. */
static void finds_interleaved_blocks(void)
{
    static const uint64_t seed[2] = {3, 4};
    struct eve_snapshots *s = NULL;
    struct eve_err err;
    char line[1024];
    bool all = true;
    TEST("the blocks of interleaved turns are all found");
    if (!CHECK(eve_snapshot_new(&s, seed, &err) == EVE_OK)) {
        return;
    }
    for (int round = 1; round <= 4; round++) {
        for (int turn = 0; turn < 50; turn++) {
            int n = snprintf(
                line, sizeof line,
                "{\"data\":{\"messageDelta\":\"%d\",\"messageSoFar\":\"turn %d: %.*s\","
                "\"sequence\":0,\"stepIndex\":0,\"turnId\":\"turn_%d\"}" MESSAGE META "}}\n",
                round, turn, round, "1234", turn);
            struct eve_slice bytes = {line, (size_t)n};
            bool agree = true;
            all = all && try(bytes, s, &agree) == (round > 1) && agree;
            see(bytes, s);
        }
    }
    CHECK(all);
    eve_snapshot_free(s);
}

void test_template(void);

void test_template(void)
{
    equals_the_walk();
    finds_interleaved_blocks();
}
