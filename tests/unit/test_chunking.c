/*
 * Random streams: however a text is cut into deltas, in whatever spelling and version, the blocks
 * are the same; also when the state is saved and loaded in between. CHUNKING in the environment is
 * the number of streams.
 */
#include "accum.h"
#include "aid.h"
#include "cumulate.h"
#include "decode.h"
#include "record.h"

#include <stdio.h>
#include <string.h>

enum { BLOCKS = 6, UNITS = 24, ROOM = 1 << 16 };

static struct eve_err err;
static uint64_t state = 88172645463325252u;

/* A text as UTF-16 units. */
struct units {
    uint16_t unit[UNITS];
    size_t n;
};

struct text {
    char p[ROOM];
    size_t n;
};

static void put(struct text *t, const char *s)
{
    size_t n = strlen(s);
    if (!CHECK(t->n + n < sizeof t->p))
        exit(1);
    memcpy(t->p + t->n, s, n + 1);
    t->n += n;
}

static void random_text(struct units *u)
{
    static const uint16_t some[] = {'a',  'b',    '"',    '\\',   '\n',   0,      0x1b,   '/',
                                    0xE9, 0x20AC, 0xD83D, 0xDE00, 0xD83D, 0xDE00, 0xFFFF, 'u'};
    u->n = aid_below(&state, UNITS);
    for (size_t i = 0; i < u->n; i++)
        u->unit[i] = some[aid_below(&state, sizeof some / sizeof *some)];
}

/* Units as a string, spelled as JSON.stringify does or, `wild`, in any way. */
static void put_string(struct text *t, const uint16_t *unit, size_t n, bool wild)
{
    char piece[16];
    put(t, "\"");
    for (size_t i = 0; i < n; i++) {
        unsigned c = unit[i];
        bool pair = c >= 0xD800 && c <= 0xDBFF && i + 1 < n && unit[i + 1] >= 0xDC00 &&
                    unit[i + 1] <= 0xDFFF;
        if (wild && aid_below(&state, 3) == 0) {
            snprintf(piece, sizeof piece, aid_below(&state, 2) ? "\\u%04X" : "\\u%04x", c);
        } else if (pair) {
            snprintf(piece, sizeof piece, "\xf0\x9f\x98\x80"); /* the only pair there is */
            i++;
        } else if (c == '"' || c == '\\') {
            snprintf(piece, sizeof piece, "\\%c", (char)c);
        } else if (c == '\n') {
            snprintf(piece, sizeof piece, "\\n");
        } else if (c < 0x20 || (c >= 0xD800 && c <= 0xDFFF)) {
            snprintf(piece, sizeof piece, "\\u%04x", c);
        } else if (c < 0x80) {
            snprintf(piece, sizeof piece, "%c", (char)c);
        } else {
            snprintf(piece, sizeof piece, "%s",
                     c == 0xE9     ? "\xc3\xa9"
                     : c == 0x20AC ? "\xe2\x82\xac"
                                   : "\xef\xbf\xbf");
        }
        put(t, piece);
    }
    put(t, "\"");
}

/* One of the three kinds, in a step of its own. */
struct block {
    int kind;
    struct units text;
};

static const char *const appended[] = {"message.appended", "reasoning.appended",
                                       "action.input.appended"};
static const char *const deltas[] = {"messageDelta", "reasoningDelta", "inputTextDelta"};
static const char *const sums[] = {"messageSoFar", "reasoningSoFar"};

static void put_append(struct text *t, const struct block *b, size_t at, size_t from, size_t to,
                       bool legacy, bool wild)
{
    char rest[160];
    put(t, "{\"data\":{");
    if (b->kind == 2)
        put(t, "\"callId\":\"c\",");
    put(t, "\"");
    put(t, deltas[b->kind]);
    put(t, "\":");
    put_string(t, b->text.unit + from, to - from, wild);
    if (legacy && b->kind == 2) {
        snprintf(rest, sizeof rest, ",\"inputTextOffset\":%zu", from);
        put(t, rest);
    } else if (legacy) {
        put(t, ",\"");
        put(t, sums[b->kind]);
        put(t, "\":");
        put_string(t, b->text.unit, to, wild);
    }
    snprintf(rest, sizeof rest,
             ",\"sequence\":1,\"stepIndex\":%zu,\"turnId\":\"t\"},\"type\":\"%s\"}\n", at,
             appended[b->kind]);
    put(t, rest);
}

static void put_end(struct text *t, const struct block *b, size_t at)
{
    char rest[160];
    if (b->kind < 2) {
        put(t, b->kind == 0 ? "{\"data\":{\"message\":" : "{\"data\":{\"reasoning\":");
        put_string(t, b->text.unit, b->text.n, true);
    } else {
        put(t, "{\"data\":{\"x\":0");
    }
    snprintf(rest, sizeof rest,
             ",\"sequence\":1,\"stepIndex\":%zu,\"turnId\":\"t\"},\"type\":\"%s\"}\n", at,
             b->kind == 2   ? "step.completed"
             : b->kind == 0 ? "message.completed"
                            : "reasoning.completed");
    put(t, rest);
}

/* The blocks one after the other, each cut at random (`whole`: not at all). */
static void make_stream(struct text *t, const struct block *blocks, bool whole, bool legacy,
                        bool wild)
{
    t->n = 0;
    put(t, "{\"type\":\"session.started\"}\n");
    for (size_t i = 0; i < BLOCKS; i++) {
        size_t from = 0;
        do {
            size_t left = blocks[i].text.n - from;
            size_t n = whole ? left : aid_below(&state, left < 4 ? left + 1 : 5);
            put_append(t, &blocks[i], i, from, from + n, legacy, wild);
            from += n;
        } while (from < blocks[i].text.n);
        put_end(t, &blocks[i], i);
    }
}

static enum eve_status note(void *ctx, const struct eve_ending *e, struct eve_err *why)
{
    struct eve_ending same = *e;
    same.deltas = same.first = same.last = 0; /* these may differ */
    enum eve_status status = eve_record_write(&same, (struct eve_slice){0}, aid_out(), why);
    return status == EVE_OK ? aid_taken(ctx, why) : status;
}

static void start(struct eve_accum **a, struct eve_buf *records)
{
    struct eve_accum_options options = {.seed = {1, 2}, .ended = note, .ctx = records};
    if (!CHECK(eve_accum_new(a, &options, &err) == EVE_OK))
        exit(1);
}

static void pass_on(struct eve_accum **a, struct eve_buf *records)
{
    struct eve_buf saved;
    struct eve_json j;
    struct eve_json_value value = {0};
    struct eve_accum *next = NULL;
    eve_buf_init(&saved, 1 << 24);
    start(&next, records);
    struct eve_saved to = {aid_out(), false};
    eve_accum_save(*a, NULL, &to);
    CHECK(aid_taken(&saved, &err) == EVE_OK);
    eve_json_open(&j, eve_buf_slice(&saved));
    CHECK(eve_json_skip(&j, &value, &err) == EVE_OK && eve_accum_load(next, value, &err) == EVE_OK);
    eve_accum_free(*a);
    eve_buf_fini(&saved);
    *a = next;
}

/* The records of a stream. `events`: its events with the text so far, or NULL. */
static void accumulate(const struct text *t, struct eve_buf *records, struct eve_out *events,
                       bool saves)
{
    static const struct eve_event_options none;
    struct eve_accum *a = NULL;
    struct eve_decoder d;
    struct eve_event ev;
    uint64_t index = 0;
    start(&a, records);
    eve_decode_init(&d);
    for (const char *p = t->p; *p != '\0';) {
        size_t n = strcspn(p, "\n");
        CHECK(eve_event_parse(&ev, (struct eve_slice){p, n}, true, &none, &err) == EVE_OK);
        CHECK(eve_decode(&d, &ev, EVE_VERSION_AUTO, false, &err) == EVE_OK);
        CHECK(eve_accum_event(a, &ev, d.legacy, index++, &err) == EVE_OK);
        if (events != NULL) {
            bool bare = ev.type <= EVE_EVENT_INPUT_APPENDED && !d.legacy;
            CHECK(eve_cumulate_write(&ev, bare ? eve_accum_draft(a) : NULL, events, &err) ==
                  EVE_OK);
        }
        if (saves && aid_below(&state, 4) == 0)
            pass_on(&a, records);
        p += n + 1;
    }
    CHECK(eve_accum_end(a, &err) == EVE_OK);
    eve_decode_fini(&d);
    eve_accum_free(a);
}

static void make_blocks(struct block *blocks)
{
    for (size_t i = 0; i < BLOCKS; i++) {
        blocks[i].kind = (int)aid_below(&state, 3);
        random_text(&blocks[i].text);
    }
}

/* True if all is as it should be. */
static bool one_stream(void)
{
    static struct text whole;
    static struct text cut;
    static struct text old;
    static char room[ROOM];
    struct block blocks[BLOCKS];
    struct eve_buf want;
    struct eve_buf got;
    struct eve_out out;
    make_blocks(blocks);
    uint64_t cuts = state;
    bool ok = true;
    for (int round = 0; round < 4 && ok; round++) {
        eve_buf_init(&want, 1 << 24);
        eve_buf_init(&got, 1 << 24);
        make_stream(&whole, blocks, true, false, false);
        make_stream(&cut, blocks, false, round == 1, round > 1);
        accumulate(&whole, &want, NULL, false);
        accumulate(&cut, &got, NULL, round == 3);
        ok = CHECK_EQ_MEM(got.p, got.n, want.p, want.n);
        eve_buf_fini(&want);
        eve_buf_fini(&got);
    }
    /* The same cuts in both versions: what is written is version 24. */
    state = cuts;
    make_stream(&cut, blocks, false, false, false);
    state = cuts;
    make_stream(&old, blocks, false, true, false);
    int fd = aid_file(S(""));
    eve_buf_init(&got, 1 << 24);
    CHECK(eve_out_init(&out, fd, &err) == EVE_OK);
    accumulate(&cut, &got, &out, false);
    CHECK(eve_out_flush(&out, &err) == EVE_OK);
    struct eve_slice written = aid_content(fd, room, sizeof room);
    ok = CHECK_EQ_MEM(written.p, written.n, old.p, old.n) && ok;
    eve_out_fini(&out);
    eve_buf_fini(&got);
    close(fd);
    return ok;
}

void test_chunking(void);
void test_chunking(void)
{
    const char *asked = getenv("CHUNKING");
    unsigned long count = asked != NULL ? strtoul(asked, NULL, 10) : 500;
    unsigned long i = 0;
    TEST("random chunkings give the same blocks, and version 24 back");
    while (i < count && one_stream())
        i++;
    CHECK(count > 0 && i == count);
}
