/*
 * Faults seeded into the recorded streams: evecheck has to find each of them, by the rule meant for
 * it, and nothing in the streams as they are.
 *
 * Every kind of fault is put into every place of every stream where it is one: what the protocol
 * itself explains (a change that leaves the text equal, or that reads as a failed attempt; a result
 * after a cancellation) is skipped, and how often is printed. Whether a change of a text can be
 * seen at all is worked out here from the deltas alone, not by the checker.
 */
#include "check.h"

#include "block.h"
#include "check_state.h"
#include "decode.h"
#include "event.h"
#include "key.h"
#include "str.h"
#include "text.h"
#include "value.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

void test_seed(void);

enum { LINES_MAX = 1024, STREAMS_MAX = 100, APPENDS_MAX = 600, ROOM = 1 << 20 };

struct stream {
    char name[64];
    char *bytes;
    struct eve_slice line[LINES_MAX];
    struct eve_event event[LINES_MAX]; /* kind: blank where the line is no event */
    size_t n;
};

static struct stream *streams[STREAMS_MAX];
static size_t stream_count;

/* The stream with its fault. */
static struct eve_slice seeded[LINES_MAX + 4];
static size_t seeded_n;
static char room[ROOM]; /* of lines that were made */
static size_t room_n;
static const struct stream *base; /* it was made of */

static uint64_t first; /* index of its first event */
static bool found[EVE_RULE_COUNT];
static enum eve_level worst;

static enum eve_status on_found(void *ctx, const struct eve_finding *f, struct eve_err *err)
{
    (void)ctx;
    (void)err;
    bool note = f->level == EVE_LEVEL_NOTE && eve_rules_get(f->rule)->level != EVE_LEVEL_NOTE;
    found[f->rule] = found[f->rule] || !note; /* as --strict sees it */
    worst = f->level > worst ? f->level : worst;
    return EVE_OK;
}

/* Lines of the stream that was copied are parsed already; they stand in order in its bytes. */
static const struct eve_event *parsed(struct eve_slice line)
{
    size_t low = 0;
    size_t high = base->n;
    while (low < high) {
        size_t at = low + (high - low) / 2;
        if (base->line[at].p == line.p) {
            return base->line[at].n == line.n ? &base->event[at] : NULL;
        }
        low = base->line[at].p < line.p ? at + 1 : low;
        high = base->line[at].p < line.p ? high : at;
    }
    return NULL;
}

static enum eve_status give(struct eve_check *c, struct eve_decoder *d, size_t at, unsigned version,
                            struct eve_err *err)
{
    struct eve_event made;
    struct eve_err why;
    struct eve_event_options none = {{NULL, 0}};
    const struct eve_event *ev = parsed(seeded[at]);
    uint64_t number = at + 1;
    if (ev == NULL && eve_event_parse(&made, seeded[at], true, &none, &why) != EVE_OK) {
        return eve_check_bad(c, &made, false, number, &why, err);
    }
    ev = ev != NULL ? ev : &made;
    if (ev->kind != EVE_LINE_EVENT) {
        return EVE_OK;
    }
    enum eve_status status = eve_decode(d, ev, version, true, &why);
    return status == EVE_OK ? eve_check_event(c, ev, d, version, number, err)
                            : eve_check_bad(c, ev, true, number, &why, err);
}

static bool is_found(const unsigned *rules)
{
    for (; *rules != 0; rules++) {
        if (found[*rules]) {
            return true;
        }
    }
    return false;
}

/* Check the seeded stream, until one of `rules` (a list that ends with 0) is found; what was found
 * is in `found`. */
static void run_check(unsigned version, const unsigned *rules)
{
    struct eve_finder finder;
    struct eve_check *c = NULL;
    struct eve_decoder d;
    struct eve_err err;
    eve_finder_init(&finder, on_found, NULL);
    struct eve_check_options options = {.finder = &finder, .start_index = first, .seed = {1, 2}};
    memset(found, 0, sizeof found);
    worst = EVE_LEVEL_NOTE;
    eve_decode_init(&d);
    bool good = eve_check_new(&c, &options, &err) == EVE_OK;
    for (size_t i = 0; i < seeded_n && good && !is_found(rules); i++) {
        good = give(c, &d, i, version, &err) == EVE_OK;
    }
    CHECK(good && eve_check_end(c, &err) == EVE_OK);
    eve_check_free(c);
    eve_decode_fini(&d);
}

static void copy_stream(const struct stream *s)
{
    memcpy(seeded, s->line, s->n * sizeof *seeded);
    seeded_n = s->n;
    base = s;
    room_n = 0;
}

static void drop_line(size_t at)
{
    memmove(seeded + at, seeded + at + 1, (seeded_n - at - 1) * sizeof *seeded);
    seeded_n--;
}

static void put_line(size_t at, struct eve_slice line)
{
    memmove(seeded + at + 1, seeded + at, (seeded_n - at) * sizeof *seeded);
    seeded[at] = line;
    seeded_n++;
}

/* `line` with the bytes from `from` to `to` replaced. */
static struct eve_slice replaced(struct eve_slice line, const char *from, const char *to,
                                 struct eve_slice by)
{
    struct eve_slice out = {room + room_n, 0};
    const struct eve_slice parts[] = {
        {line.p, (size_t)(from - line.p)}, by, {to, (size_t)(line.p + line.n - to)}};
    for (size_t i = 0; i < 3 && room_n + parts[i].n < ROOM; i++) {
        memcpy(room + room_n, parts[i].p, parts[i].n);
        room_n += parts[i].n;
        out.n += parts[i].n;
    }
    return out;
}

static struct eve_slice with_value(struct eve_slice line, struct eve_json_value v, const char *by)
{
    return replaced(line, v.p, v.p + v.n, eve_str(by));
}

/* ---- streams and their blocks ---- */

static void load(const char *name)
{
    char path[320];
    struct eve_event_options none = {{NULL, 0}};
    struct eve_err err;
    (void)snprintf(path, sizeof path, "tests/streams/%s", name);
    FILE *in = fopen(path, "rb");
    struct stream *s = calloc(1, sizeof *s);
    if (in == NULL || s == NULL || stream_count == STREAMS_MAX) {
        return;
    }
    (void)snprintf(s->name, sizeof s->name, "%.60s", name);
    s->bytes = malloc(ROOM);
    size_t n = s->bytes != NULL ? fread(s->bytes, 1, ROOM, in) : 0;
    (void)fclose(in);
    for (size_t at = 0; at < n && s->n < LINES_MAX; s->n++) {
        const char *end = memchr(s->bytes + at, '\n', n - at);
        size_t len = end != NULL ? (size_t)(end - s->bytes) - at : n - at;
        s->line[s->n] = (struct eve_slice){s->bytes + at, len};
        CHECK(eve_event_parse(&s->event[s->n], s->line[s->n], true, &none, &err) == EVE_OK);
        at += len + 1;
    }
    streams[stream_count++] = s;
}

/* The appends of one text up to the event that completes it. */
struct text {
    size_t append[APPENDS_MAX];
    size_t n;
    size_t end;                  /* line of the event, or 0 */
    struct eve_json_value value; /* completed text, or requested input */
    bool input;
};

static bool same(const struct eve_event *a, const struct eve_event *b, enum eve_event_field f)
{
    return eve_key_equal(eve_event_value(a, f), eve_event_value(b, f));
}

/* Does event `b` end the text that `a` appends to? The value is put in *value. */
static bool completes(const struct eve_event *a, const struct eve_event *b,
                      struct eve_json_value *value)
{
    struct eve_json_value call;
    struct eve_json_value action;
    size_t at = 0;
    if (b->type == EVE_EVENT_ACTIONS_REQUESTED && a->type == EVE_EVENT_INPUT_APPENDED) {
        while (eve_block_call(b, &at, &call, &action)) {
            *value = eve_event_find(action, "input");
            if (eve_key_equal(call, eve_event_value(a, EVE_FIELD_CALL_ID))) {
                return true;
            }
        }
        return false;
    }
    bool message = b->type == EVE_EVENT_MESSAGE_COMPLETED && a->type == EVE_EVENT_MESSAGE_APPENDED;
    bool reasoning =
        b->type == EVE_EVENT_REASONING_COMPLETED && a->type == EVE_EVENT_REASONING_APPENDED;
    *value = eve_event_value(b, message ? EVE_FIELD_MESSAGE : EVE_FIELD_REASONING);
    return (message || reasoning) && same(a, b, EVE_FIELD_TURN_ID) &&
           same(a, b, EVE_FIELD_STEP_INDEX);
}

/* The text that begins with the append at line `at`; n = 0 if that is not its first. */
static void read_text(const struct stream *s, size_t at, struct text *t)
{
    const struct eve_event *a = &s->event[at];
    bool input = a->type == EVE_EVENT_INPUT_APPENDED;
    *t = (struct text){.input = input};
    size_t from = at;
    struct eve_json_value value;
    for (; from > 0; from--) { /* back to what began or ended the one before */
        const struct eve_event *b = &s->event[from - 1];
        if (b->kind != EVE_LINE_EVENT) {
            continue;
        }
        if (completes(a, b, &value) || b->type == EVE_EVENT_STEP_STARTED) {
            break;
        }
        if (b->type == a->type &&
            (input ? same(a, b, EVE_FIELD_CALL_ID) : same(a, b, EVE_FIELD_STEP_INDEX))) {
            return;
        }
    }
    for (size_t i = at; i < s->n && t->end == 0 && t->n < APPENDS_MAX; i++) {
        const struct eve_event *b = &s->event[i];
        if (b->kind != EVE_LINE_EVENT || (i > at && b->type == EVE_EVENT_STEP_STARTED)) {
            break;
        }
        if (b->type == a->type &&
            (input ? same(a, b, EVE_FIELD_CALL_ID) : same(a, b, EVE_FIELD_STEP_INDEX))) {
            t->append[t->n++] = i;
        } else if (completes(a, b, &t->value)) {
            t->end = i;
        }
    }
}

static bool same_input(struct eve_slice raw, struct eve_json_value input)
{
    static struct eve_value a;
    static struct eve_value b;
    struct eve_buf text;
    struct eve_err err;
    bool equal = false;
    eve_buf_init(&text, ROOM);
    eve_value_init(&a);
    eve_value_init(&b);
    bool good = eve_text_decode(raw, &text, &err) == EVE_OK &&
                eve_value_same(&a, &b, text.n > 0 ? eve_buf_slice(&text) : eve_str("{}"),
                               (struct eve_slice){input.p, input.n}, &equal, &err) == EVE_OK;
    eve_buf_fini(&text);
    eve_value_fini(&a);
    eve_value_fini(&b);
    return good && equal;
}

/* Can a reader see that these appends do not lead to the value? Their events in the order given. */
static bool is_visible(const struct eve_event *const *appends, size_t n, const struct text *t)
{
    static char all[ROOM];
    size_t len = 0;
    uint64_t units = 0;
    size_t brace[APPENDS_MAX];
    size_t braces = 0;
    for (size_t i = 0; i < n; i++) {
        const struct eve_event *ev = appends[i];
        struct eve_slice delta = eve_text_of(eve_event_value(ev, eve_decode_delta_field(ev->type)));
        struct eve_json_value sum = eve_event_value(ev, eve_decode_sum_field(ev->type));
        struct eve_slice kept = {all, len};
        if (sum.kind == EVE_JSON_STRING && !eve_text_is_sum(eve_text_of(sum), kept, delta)) {
            if (!eve_text_equal(eve_text_of(sum), delta)) {
                return true; /* neither goes on nor starts again */
            }
            len = 0;
        }
        if (sum.kind == EVE_JSON_NUMBER && strtoull(sum.p, NULL, 10) != units) {
            if (strtoull(sum.p, NULL, 10) != 0) {
                return true;
            }
            len = units = braces = 0;
        }
        if (delta.n > 0 && *delta.p == '{') {
            brace[braces++] = len;
        }
        memcpy(all + len, delta.p, delta.n);
        len += delta.n;
        units += eve_text_count(delta);
    }
    if (!t->input) {
        return n == 0 || !eve_text_ends_with((struct eve_slice){all, len}, eve_text_of(t->value));
    }
    bool equal = same_input((struct eve_slice){all, len}, t->value);
    for (size_t i = 0; i < braces; i++) {
        equal = equal || same_input((struct eve_slice){all + brace[i], len - brace[i]}, t->value);
    }
    return !equal;
}

/* ---- kinds of faults ---- */

struct tally {
    const char *kind;
    unsigned tried;
    unsigned skipped;
    unsigned missed;
};

/* The seeded stream has to have a finding of one of these rules (a list that ends with 0). */
static void expect(struct tally *t, const struct stream *s, size_t line, unsigned version,
                   const unsigned *rules)
{
    run_check(version, rules);
    t->tried++;
    if (!is_found(rules)) {
        t->missed++;
        printf("# %s: missed in %s, line %zu\n", t->kind, s->name, line + 1);
    }
}

static void finish(struct tally *t)
{
    printf("# %s: %u seeded, %u skipped\n", t->kind, t->tried, t->skipped);
    CHECK(t->tried > 0);
    CHECK_EQ_SIZE(t->missed, 0);
}

#include "test_seed_joined.h"

enum change { LOST, DOUBLED, SWAPPED, ALTERED };

static const unsigned text_rules[] = {EVE_RULE_TEXT_DIVERGED,     EVE_RULE_SNAPSHOT_GAP,
                                      EVE_RULE_SNAPSHOT_MISMATCH, EVE_RULE_OFFSET_GAP,
                                      EVE_RULE_INPUT_DIFFERS,     0};

/* A line with another id, so that it is no replay. */
static struct eve_slice with_new_id(const struct stream *s, size_t at)
{
    char id[] = "\"evt_7ZZZZZZZZZZZZZZZZZZZZZZZZZ\"";
    return s->event[at].id.kind == EVE_JSON_STRING ? with_value(s->line[at], s->event[at].id, id)
                                                   : s->line[at];
}

/* The delta of the append with another last character. False: it is empty or ends in an escape. */
static bool altered(const struct stream *s, size_t at, struct eve_slice *line)
{
    const struct eve_event *ev = &s->event[at];
    struct eve_json_value v = eve_event_value(ev, eve_decode_delta_field(ev->type));
    const char *last = v.p + v.n - 2;
    if (v.n < 3 || v.escaped || (unsigned char)*last >= 0x80) {
        return false;
    }
    *line = replaced(s->line[at], last, last + 1, eve_str(*last == 'x' ? "y" : "x"));
    return true;
}

static void seed_append(struct tally *tally, const struct stream *s, const struct text *t, size_t k,
                        enum change change)
{
    const struct eve_event *order[APPENDS_MAX + 1];
    static struct eve_event other;
    struct eve_event_options none = {{NULL, 0}};
    struct eve_err err;
    struct eve_slice line = {0};
    size_t at = t->append[k];
    size_t n = 0;
    copy_stream(s);
    bool possible = change == SWAPPED ? k + 1 < t->n : change != ALTERED || altered(s, at, &line);
    if (possible && change == ALTERED) {
        possible = eve_event_parse(&other, line, true, &none, &err) == EVE_OK;
    }
    for (size_t i = 0; i < t->n && possible; i++) {
        bool here = i == k;
        size_t from = change == SWAPPED && here ? i + 1 : change == SWAPPED && i == k + 1 ? k : i;
        if (!(change == LOST && here)) {
            order[n++] = change == ALTERED && here ? &other : &s->event[t->append[from]];
        }
        if (change == DOUBLED && here) {
            order[n++] = &s->event[at];
        }
    }
    /* An altered delta of a legacy message no longer fits its own snapshot. */
    bool mismatch =
        change == ALTERED && possible &&
        eve_event_value(&other, eve_decode_sum_field(other.type)).kind == EVE_JSON_STRING;
    bool alone = t->input && n == 0 && !has_sister(s, t);
    if (!possible || alone || (!mismatch && !is_visible(order, n, t))) {
        tally->skipped++;
        return;
    }
    if (change == LOST) {
        drop_line(at);
    } else if (change == DOUBLED) {
        put_line(at + 1, with_new_id(s, at));
    } else if (change == ALTERED) {
        seeded[at] = line;
    } else {
        seeded[at] = s->line[t->append[k + 1]];
        seeded[t->append[k + 1]] = s->line[at];
    }
    expect(tally, s, at, EVE_VERSION_AUTO, text_rules);
}

static void seed_appends(const char *name, enum change change)
{
    TEST(name);
    struct tally tally = {.kind = name};
    static struct text t;
    for (size_t i = 0; i < stream_count; i++) {
        const struct stream *s = streams[i];
        for (size_t at = 0; at < s->n; at++) {
            if (s->event[at].kind != EVE_LINE_EVENT ||
                eve_decode_delta_field(s->event[at].type) == EVE_FIELD_COUNT) {
                continue;
            }
            read_text(s, at, &t);
            for (size_t k = 0; k < t.n && t.end > 0; k += t.n > 100 ? 7 : 1) {
                seed_append(&tally, s, &t, k, change);
            }
            tally.skipped += t.end == 0 ? (unsigned)t.n : 0;
        }
    }
    finish(&tally);
}

/* A fault of one line: make it in `seeded` and say so, or do not. */
typedef bool (*seeder)(const struct stream *s, size_t at);

static void seed_lines(const char *name, const unsigned *rules, unsigned version, seeder seed)
{
    TEST(name);
    struct tally tally = {.kind = name};
    for (size_t i = 0; i < stream_count; i++) {
        const struct stream *s = streams[i];
        size_t step = s->n > 200 ? 5 : 1;
        for (size_t at = 0; at < s->n;
             at += s->event[at].type <= EVE_EVENT_INPUT_APPENDED ? step : 1) {
            if (s->event[at].kind != EVE_LINE_EVENT) {
                continue;
            }
            copy_stream(s);
            if (seed(s, at)) {
                expect(&tally, s, at, version, rules);
            } else {
                tally.skipped++;
            }
        }
    }
    finish(&tally);
}

#include "test_seed_kinds.h"

void test_seed(void)
{
    struct dirent **names = NULL;
    int n = scandir("tests/streams", &names, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        size_t len = strlen(names[i]->d_name);
        if (len > 7 && strcmp(names[i]->d_name + len - 7, ".ndjson") == 0) {
            load(names[i]->d_name);
        }
        free(names[i]);
    }
    free(names);
    unseeded();
    CHECK(stream_count >= 56);
    size_t recorded = stream_count;
    for (size_t i = 0; i < recorded; i++) {
        join_inputs(streams[i]);
    }
    seed_appends("a lost append", LOST);
    seed_appends("a doubled append", DOUBLED);
    seed_appends("two appends swapped", SWAPPED);
    seed_appends("an altered append", ALTERED);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        seed_lines(kinds[i].name, kinds[i].rules, kinds[i].version, kinds[i].seed);
    }
    for (size_t i = 0; i < stream_count; i++) {
        free(streams[i]->bytes);
        free(streams[i]);
    }
    stream_count = 0;
}
