/*
 * template: whatever it takes, the walk takes too and finds the same. Tried on lines in several
 * spellings, on each of them with every byte replaced by bytes that matter, and on all recorded
 * streams.
 */
#include "aid.h"
#include "decode.h"
#include "event.h"
#include "simd.h"
#include "snapshot.h"
#include "str.h"
#include "template.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

#define META                                                                                       \
    "\"meta\":{\"at\":\"2026-10-20T01:04:11.912Z\",\"id\":\"evt_01KYJBZA88B4M9XN3RTC5FDGHJ\""
#define TURN(n) ",\"sequence\":0,\"stepIndex\":12,\"turnId\":\"turn_" #n "\"}"
#define MESSAGE ",\"type\":\"message.appended\","
#define REASONING ",\"type\":\"reasoning.appended\","

#define INPUT ",\"sequence\":0,\"stepIndex\":1,\"toolName\":\"t\",\"turnId\":\"turn_1\"}"
#define APPENDED "\"type\":\"action.input.appended\","

/* In order: each continues what came before. `known`: a shape of it was learned before. */
static const struct {
    const char *line;
    bool known;
} lines[] = {
    /* legacy, in eve's own spelling */
    {"{\"data\":{\"messageDelta\":\"Hel\",\"messageSoFar\":\"Hel\"" TURN(0) MESSAGE META "}}\n",
     false},
    {"{\"data\":{\"messageDelta\":\"lo\\n\",\"messageSoFar\":\"Hello\\n\"" TURN(0) MESSAGE META
     "}}\n",
     true},
    {"{\"data\":{\"reasoningDelta\":\"a\",\"reasoningSoFar\":\"a\"" TURN(0) REASONING META "}}\n",
     false},
    {"{\"data\":{\"messageDelta\":\"n\",\"messageSoFar\":\"Hello\\nn\"" TURN(0) MESSAGE META "}}\n",
     true},
    {"{\"data\":{\"reasoningDelta\":\"\xC3\xA9\",\"reasoningSoFar\":\"a\xC3\xA9\"" TURN(0)
         REASONING META "}}\n",
     true},
    /* a restart is for the walk, and so is the same text with an escape more */
    {"{\"data\":{\"messageDelta\":\"x\",\"messageSoFar\":\"x\"" TURN(0) MESSAGE META "}}\n", false},
    {"{\"data\":{\"messageDelta\":\"y\",\"messageSoFar\":\"xy\"" TURN(0) MESSAGE META "}}\n", true},
    {"{\"data\":{\"messageDelta\":\"A\",\"messageSoFar\":\"xy\\u0041\"" TURN(0) MESSAGE META "}}\n",
     false},
    /* halves of a pair: one character once they have met, or still two escapes */
    {"{\"data\":{\"messageDelta\":\"\\ud83d\",\"messageSoFar\":\"xy\\u0041\\ud83d\"" TURN(0)
         MESSAGE META "}}\n",
     true},
    {"{\"data\":{\"messageDelta\":\"\\ude00\",\"messageSoFar\":\"xy\\u0041\xF0\x9F\x98\x80\"" TURN(
         0) MESSAGE META "}}\n",
     true},
    {"{\"data\":{\"messageDelta\":\"\\uD83D\",\"messageSoFar\":\"xy\\u0041\xF0\x9F\x98\x80\\uD83D"
     "\"" TURN(0) MESSAGE META "}}\n",
     true},
    {"{\"data\":{\"messageDelta\":\"\\uDE00!\",\"messageSoFar\":\"xy\\u0041\xF0\x9F\x98\x80"
     "\xF0\x9F\x98\x80!\"" TURN(0) MESSAGE META "}}\n",
     true},
    {"{\"data\":{\"messageDelta\":\"\\ud83d\",\"messageSoFar\":\"\\ud83d\"" TURN(0) MESSAGE META
     "}}\n",
     false},
    {"{\"data\":{\"messageDelta\":\"\\ude00\",\"messageSoFar\":\"\\ud83d\\ude00\"" TURN(0)
         MESSAGE META "}}\n",
     false},
    {"{\"data\":{\"messageDelta\":\"\\\\ud83d\",\"messageSoFar\":\"\\\\ud83d\"" TURN(0) MESSAGE META
     "}}\n",
     false},
    {"{\"data\":{\"messageDelta\":\"\\ude00\",\"messageSoFar\":\"\\\\ud83d\\ude00\"" TURN(0)
         MESSAGE META "}}\n",
     true},
    {"{\"data\":{\"messageDelta\":\"?\",\"messageSoFar\":\"?\"" TURN(1) MESSAGE META "}}\n", false},
    /* delta-only, in every order */
    {"{\"data\":{\"messageDelta\":\"delta only\"" TURN(9) MESSAGE META
     ",\"deliveryIds\":[\"94146d59-fcea-41b5-a130-f606bf000001\"]}}\n",
     false},
    {"{\"data\":{\"messageDelta\":\"\"" TURN(9) MESSAGE META
     ",\"deliveryIds\":[\"94146d59-fcea-41b5-a130-f606bf000001\"]}}\n",
     true},
    {"{\"data\":{\"messageDelta\":\"\"" TURN(9) MESSAGE META
     ",\"deliveryIds\":[\"94146d59-fcea-41b5-a130-f606bf000002\"]}}\n",
     false},
    {"{\"type\":\"reasoning.appended\",\"data\":{\"reasoningDelta\":\"\"" TURN(7) "," META "}}\n",
     false},
    {"{\"type\":\"reasoning.appended\",\"data\":{\"reasoningDelta\":\"\\/\\u00e9\\t\"" TURN(
         7) "," META "}}\n",
     true},
    {"{" META
     "},\"data\":{\"messageDelta\":\"meta first\"" TURN(9) ",\"type\":\"message.appended\"}\n",
     false},
    {"{" META "},\"data\":{\"messageDelta\":\"again\"" TURN(9) ",\"type\":\"message.appended\"}\n",
     true},
    {"{ \"g\" : \"s\" , \"data\" : { \"turnId\" : \"t\", \"messageDelta\" : \"spaced\" } , "
     "\"type\" : \"message.appended\" }\n",
     false},
    {"{ \"g\" : \"s\" , \"data\" : { \"turnId\" : \"t\", \"messageDelta\" : \"\" } , "
     "\"type\" : \"message.appended\" }\n",
     true},
    {"{ \"g\" : \"r\" , \"data\" : { \"turnId\" : \"t\", \"messageDelta\" : \"\" } , "
     "\"type\" : \"message.appended\" }\n",
     false},
    /* tool inputs, with and without an offset */
    {"{\"data\":{\"callId\":\"c\",\"inputTextDelta\":\"{\",\"inputTextOffset\":0" INPUT
     "," APPENDED META "}}\n",
     false},
    {"{\"data\":{\"callId\":\"c\",\"inputTextDelta\":\"}\",\"inputTextOffset\":100" INPUT
     "," APPENDED META "}}\n",
     true},
    {"{\"data\":{\"callId\":\"c\",\"inputTextDelta\":\"}\",\"inputTextOffset\":01" INPUT
     "," APPENDED META "}}\n",
     false},
    {"{\"data\":{\"callId\":\"c\",\"inputTextDelta\":\"}\",\"inputTextOffset\":1.0" INPUT
     "," APPENDED META "}}\n",
     false},
    {"{\"data\":{\"callId\":\"d\",\"inputTextDelta\":\"{\"" INPUT "," APPENDED META "}}\n", false},
    {"{\"data\":{\"callId\":\"d\",\"inputTextDelta\":\"\"" INPUT "," APPENDED META "}}\n", true},
    /* not to be learned: a name twice, an id that is not plain, the snapshot before the delta */
    {"{\"data\":{\"messageDelta\":\"a\",\"messageDelta\":\"a\"" TURN(5) MESSAGE META "}}\n", false},
    {"{\"data\":{\"messageDelta\":\"a\",\"messageDelta\":\"a\"" TURN(5) MESSAGE META "}}\n", false},
    {"{\"data\":{\"messageDelta\":\"a\"" TURN(5) MESSAGE "\"meta\":{\"id\":\"\\u0041\"}}\n", false},
    {"{\"data\":{\"messageDelta\":\"a\"" TURN(5) MESSAGE "\"meta\":{\"id\":\"\\u0041\"}}\n", false},
    {"{\"data\":{\"messageSoFar\":\"a\",\"messageDelta\":\"a\"" TURN(6) MESSAGE META "}}\n", false},
    {"{\"data\":{\"messageSoFar\":\"aa\",\"messageDelta\":\"a\"" TURN(6) MESSAGE META "}}\n",
     false},
    {"{\"type\":\"message.completed\",\"data\":{\"message\":\"a\"" TURN(6) "," META "}}\n", false},
};
enum { LINES = sizeof lines / sizeof *lines };

static const struct eve_event_options options = {{"g", 1}};

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
            same = same_value(x->value, y->value) &&
                   (f >= EVE_FIELD_REMOVED_COUNT ||
                    (x->name == y->name && x->before == y->before && x->after == y->after));
        }
    }
    return same;
}

/* What templates and snapshots know, and what the walk makes of the same lines. */
static struct eve_templates templates;
static struct eve_snapshots *kept;

/* Where the template takes `bytes`, the walk and the plain decoder have to agree. True if it did.
 * The bytes need EVE_TEMPLATE_SLACK behind them. */
static bool try(struct eve_slice bytes, bool *agree)
{
    struct eve_event slow;
    struct eve_decoder d;
    struct eve_err err;
    const struct eve_event *fast = eve_template_match(&templates, bytes, kept);
    if (fast == NULL) {
        return false;
    }
    const char *lf = memchr(bytes.p, '\n', bytes.n);
    struct eve_slice line = {bytes.p, lf == NULL ? bytes.n : (size_t)(lf - bytes.p)};
    eve_decode_init(&d);
    *agree = lf != NULL && eve_event_parse(&slow, line, true, &options, &err) == EVE_OK &&
             same_event(fast, &slow) &&
             eve_decode(&d, &slow, EVE_VERSION_AUTO, true, &err) == EVE_OK &&
             d.legacy == eve_event_has(&slow, eve_decode_sum_field(slow.type));
    eve_decode_fini(&d);
    return true;
}

/* Every byte of the line replaced in turn, and the line cut there. */
static void mutate(struct eve_slice line)
{
    static const char put[] = "\"\\0x}{,:n \n\x80\xC3\x1F";
    char copy[1024 + EVE_TEMPLATE_SLACK] = {0};
    bool all = true;
    for (size_t at = 0; at < line.n; at++) {
        for (size_t i = 0; i < sizeof put - 1; i++) {
            bool agree = true;
            memcpy(copy, line.p, line.n);
            copy[at] = put[i];
            (void)try((struct eve_slice){copy, line.n}, &agree);
            all = all && agree;
        }
        bool agree = true;
        memcpy(copy, line.p, line.n);
        all = all && !try((struct eve_slice){copy, at}, &agree);
    }
    CHECK(all);
}

/* Take the line: by the template if it can, else by the walk, and learn it. True if it was known.
 */
static bool take(struct eve_slice bytes, bool *agree)
{
    struct eve_event ev;
    struct eve_decoder d;
    struct eve_err err;
    bool restarted = false;
    bool known = try(bytes, agree);
    const struct eve_event *event = eve_template_match(&templates, bytes, kept);
    if (event == NULL) {
        const char *lf = memchr(bytes.p, '\n', bytes.n);
        struct eve_slice line = {bytes.p, (size_t)(lf - bytes.p)};
        if (eve_event_parse(&ev, line, true, &options, &err) != EVE_OK) {
            return false;
        }
        CHECK(eve_template_learn(&templates, &ev, kept, &err) == EVE_OK);
        event = &ev;
    }
    eve_decode_init(&d);
    if (event->kind == EVE_LINE_EVENT &&
        eve_decode(&d, event, EVE_VERSION_AUTO, true, &err) == EVE_OK) {
        CHECK(eve_snapshot_see(kept, event, d.legacy, &restarted, &err) == EVE_OK);
    }
    eve_decode_fini(&d);
    return known;
}

static void fresh(void)
{
    eve_template_clear(&templates);
    eve_snapshot_clear(kept);
}

static void equals_the_walk(void)
{
    char line[1024 + EVE_TEMPLATE_SLACK] = {0};
    TEST("a template takes what is spelled as before, and nothing the walk would not");
    for (size_t i = 0; i < LINES; i++) {
        bool agree = true;
        struct eve_slice bytes = {line, strlen(lines[i].line)};
        memcpy(line, lines[i].line, bytes.n);
        mutate(bytes);
        if (!CHECK(take(bytes, &agree) == lines[i].known) || !CHECK(agree)) {
            (void)printf("# line %zu\n", i);
        }
        mutate(bytes);
    }
    fresh();
}

/* Several blocks in turn: each is found, whatever came before. */
static void finds_interleaved_blocks(void)
{
    char line[1024] = {0};
    bool all = true;
    TEST("the blocks of interleaved turns are all found");
    for (int round = 1; round <= 4; round++) {
        for (int turn = 0; turn < 1000; turn++) {
            int n = snprintf(
                line, sizeof line,
                "{\"data\":{\"messageDelta\":\"%d\",\"messageSoFar\":\"turn %d: %.*s\","
                "\"sequence\":0,\"stepIndex\":0,\"turnId\":\"turn_%d\"}" MESSAGE META "}}\n",
                round, turn, round, "1234", turn);
            bool agree = true;
            all = all && take((struct eve_slice){line, (size_t)n}, &agree) == (round > 1) && agree;
        }
    }
    CHECK(all);
    fresh();
}

/* Blocks with the same texts, told apart by what stands behind them. */
static void tells_blocks_apart(void)
{
    char line[1024] = {0};
    bool all = true;
    TEST("blocks with the same texts are told apart");
    for (int i = 0; i < 40; i++) {
        int n =
            snprintf(line, sizeof line,
                     "{\"data\":{\"messageDelta\":\"x\",\"messageSoFar\":\"%.*s\","
                     "\"sequence\":0,\"stepIndex\":0,\"turnId\":\"turn_%d\"}" MESSAGE META "}}\n",
                     i / 8 + 1, "xxxxxxxx", i % 8);
        bool agree = true;
        all = all && take((struct eve_slice){line, (size_t)n}, &agree) == (i >= 8) && agree;
    }
    CHECK(all);
    fresh();
}

/* More blocks than shapes, in no order: places are used again. */
static void forgets(void)
{
    char line[1024] = {0};
    uint64_t random = 5;
    bool all = true;
    TEST("shapes that were forgotten are not mistaken");
    for (int i = 0; i < 20000; i++) {
        int n = snprintf(line, sizeof line,
                         "{\"data\":{\"messageDelta\":\"x\",\"sequence\":0,\"stepIndex\":0,"
                         "\"turnId\":\"turn_%u\"}" MESSAGE META "}}\n",
                         aid_below(&random, 2000));
        bool agree = true;
        (void)take((struct eve_slice){line, (size_t)n}, &agree);
        all = all && agree;
    }
    CHECK(all);
    fresh();
}

/* Of `count` lines of `blocks` blocks that take turns, those that were walked without a try. */
static int rested(int count, int blocks)
{
    char line[1024] = {0};
    int n = 0;
    for (int i = 0; i < count; i++) {
        bool agree = true;
        int len = snprintf(line, sizeof line,
                           "{\"data\":{\"messageDelta\":\"x\",\"sequence\":0,\"stepIndex\":0,"
                           "\"turnId\":\"turn_%d\"}" MESSAGE META "}}\n",
                           i % blocks);
        if (eve_template_rests(&templates)) {
            n++;
        } else {
            (void)take((struct eve_slice){line, (size_t)len}, &agree);
        }
        CHECK(agree);
    }
    return n;
}

static void rests_in_vain(void)
{
    TEST("lines are tried as long as shapes come again, and seldom when none does");
    CHECK(rested(3 * EVE_EVENT_SHAPES, EVE_EVENT_SHAPES) == 0);
    (void)rested(200, 200 + EVE_EVENT_SHAPES);
    CHECK(rested(1600, 1600) >= 1300);
    CHECK(rested(100, 1) < 16);
    CHECK(rested(100, 1) == 0);
    fresh();
}

/* Runs of delta-only appends: as long as the lines are. */
static void runs(void)
{
    static const char meta[] = MESSAGE META "}}\n";
    char text[4096 + EVE_TEMPLATE_SLACK] = {0};
    uint64_t count = 0;
    uint64_t longest = 0;
    bool agree = true;
    size_t at[5] = {0};
    TEST("delta-only lines pass in runs, up to the first other one");
    for (size_t i = 0; i < 4; i++) {
        int n = snprintf(text + at[i], sizeof text - at[i],
                         "{\"data\":{\"messageDelta\":\"%.*s\"%s,\"turnId\":\"t\"}%s", (int)i,
                         "xyz", i == 3 ? ",\"messageSoFar\":\"xyz\"" : "", meta);
        at[i + 1] = at[i] + (size_t)n;
    }
    CHECK_EQ_SIZE(eve_template_run(&templates, (struct eve_slice){text, at[4]}, &count, &longest),
                  0);
    (void)take((struct eve_slice){text, at[4]}, &agree);
    CHECK_EQ_SIZE(eve_template_run(&templates, (struct eve_slice){text, at[4]}, &count, &longest),
                  at[3]);
    CHECK(count == 3 && longest == at[3] - at[2] - 1);
    CHECK_EQ_SIZE(
        eve_template_run(&templates, (struct eve_slice){text, at[2] - 1}, &count, &longest), at[1]);
    CHECK(count == 1);
    (void)take((struct eve_slice){text + at[3], at[4] - at[3]}, &agree);
    CHECK_EQ_SIZE(eve_template_run(&templates, (struct eve_slice){text + at[3], at[4] - at[3]},
                                   &count, &longest),
                  0);
    fresh();
}

/* Every line of a recorded stream. */
static size_t read_stream(const char *name, bool *all)
{
    char path[300];
    char *line = NULL;
    size_t cap = 0;
    ssize_t n = 0;
    size_t taken = 0;
    (void)snprintf(path, sizeof path, "tests/streams/%s", name);
    FILE *in = fopen(path, "rb");
    if (!CHECK(in != NULL)) {
        return 0;
    }
    while ((n = getline(&line, &cap, in)) > 0) {
        char *copy = calloc(1, (size_t)n + EVE_TEMPLATE_SLACK);
        bool agree = true;
        memcpy(copy, line, (size_t)n);
        taken += line[n - 1] == '\n' && take((struct eve_slice){copy, (size_t)n}, &agree) ? 1 : 0;
        *all = *all && agree;
        free(copy);
    }
    free(line);
    (void)fclose(in);
    fresh();
    return taken;
}

static void streams(void)
{
    struct dirent **names = NULL;
    bool all = true;
    size_t taken = 0;
    TEST("recorded streams: the same as the walk");
    int n = scandir("tests/streams", &names, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        if (strstr(names[i]->d_name, ".ndjson") != NULL) {
            taken += read_stream(names[i]->d_name, &all);
        }
        free(names[i]);
    }
    free(names);
    CHECK(all);
    CHECK(taken > 500);
}

static void all_of_it(void)
{
    equals_the_walk();
    finds_interleaved_blocks();
    tells_blocks_apart();
    forgets();
    rests_in_vain();
    runs();
    streams();
}

void test_template(void);

void test_template(void)
{
    static const uint64_t seed[2] = {1, 2};
    struct eve_err err;
    eve_template_init(&templates);
    if (!CHECK(eve_snapshot_new(&kept, seed, &err) == EVE_OK)) {
        return;
    }
    (void)eve_simd_choose(EVE_SIMD_PORTABLE);
    all_of_it();
    if (eve_simd_choose(EVE_SIMD_AVX2) == EVE_SIMD_AVX2) {
        all_of_it();
    }
    eve_template_fini(&templates);
    eve_snapshot_free(kept);
}
