/*
 * Lines through the templates. Of the first byte bit 0 is a group member, bit 1 the portable
 * scanner; the rest is the stream. What a template takes, the walk takes too and finds the same;
 * lines that pass in a run are delta-only appends with nothing to cut.
 */
#include "fuzz.h"

#include "decode.h"
#include "simd.h"
#include "str.h"
#include "template.h"

#include <string.h>

static struct eve_event_options options;
static struct eve_templates templates;
static struct eve_snapshots *kept;
static struct eve_decoder decoder;
static struct eve_err err;

static bool same_value(struct eve_json_value a, struct eve_json_value b)
{
    return a.kind == b.kind &&
           (a.kind == EVE_JSON_NONE || (a.p == b.p && a.n == b.n && a.escaped == b.escaped));
}

static void same_event(const struct eve_event *a, const struct eve_event *b)
{
    HOLDS(a->kind == b->kind && a->type == b->type && a->plain == b->plain && a->ended == b->ended);
    HOLDS(a->seen == b->seen && a->repeated == b->repeated && a->data_other == b->data_other);
    HOLDS(a->line.p == b->line.p && a->line.n == b->line.n);
    HOLDS(a->text.p == b->text.p && a->text.n == b->text.n);
    HOLDS(same_value(a->type_value, b->type_value) && same_value(a->data, b->data));
    HOLDS(same_value(a->meta, b->meta) && same_value(a->id, b->id) && same_value(a->at, b->at));
    HOLDS(same_value(a->group, b->group));
    for (int f = 0; f < EVE_FIELD_COUNT; f++) {
        const struct eve_member *x = &a->field[f];
        const struct eve_member *y = &b->field[f];
        if (a->seen >> f & 1) {
            HOLDS(same_value(x->value, y->value));
            HOLDS(f >= EVE_FIELD_REMOVED_COUNT ||
                  (x->name == y->name && x->before == y->before && x->after == y->after));
        }
    }
}

/* The line at `p` by the walk; how long it is, with its LF. */
static size_t walk(const char *p, const char *end, struct eve_event *ev, enum eve_status *status)
{
    const char *lf = memchr(p, '\n', (size_t)(end - p));
    struct eve_slice line = {p, (size_t)((lf != NULL ? lf : end) - p)};
    *status = eve_event_parse(ev, line, lf != NULL, &options, &err);
    return line.n + (lf != NULL ? 1 : 0);
}

static void check_run(const char *p, const char *end)
{
    struct eve_event ev;
    enum eve_status status = EVE_OK;
    uint64_t count = 0;
    uint64_t longest = 0;
    size_t n =
        eve_template_run(&templates, (struct eve_slice){p, (size_t)(end - p)}, &count, &longest);
    HOLDS(n <= (size_t)(end - p) && (n > 0) == (count > 0));
    for (end = p + n; p < end; count--) {
        size_t len = walk(p, end, &ev, &status);
        HOLDS(status == EVE_OK && ev.kind == EVE_LINE_EVENT && len - 1 <= longest);
        HOLDS(eve_decode(&decoder, &ev, EVE_VERSION_AUTO, true, &err) == EVE_OK);
        HOLDS(!decoder.legacy && decoder.edits.n == 0 && ev.text.n == len - 1);
        p += len;
    }
    HOLDS(count == 0);
}

static void read_all(const char *p, const char *end)
{
    while (p < end) {
        struct eve_event ev;
        enum eve_status status = EVE_OK;
        bool restarted = false;
        check_run(p, end);
        const struct eve_event *known =
            eve_template_match(&templates, (struct eve_slice){p, (size_t)(end - p)}, kept);
        size_t n = walk(p, end, &ev, &status);
        if (known != NULL) {
            HOLDS(status == EVE_OK && known->line.n == n - 1);
            same_event(known, &ev);
        } else if (status == EVE_OK) {
            HOLDS(eve_template_learn(&templates, &ev, kept, &err) == EVE_OK);
        }
        known = known != NULL ? known : &ev;
        if (status == EVE_OK && ev.kind == EVE_LINE_EVENT &&
            eve_decode(&decoder, &ev, EVE_VERSION_AUTO, true, &err) == EVE_OK) {
            HOLDS(eve_snapshot_see(kept, known, decoder.legacy, &restarted, &err) == EVE_OK);
        }
        p += n;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
    static const uint64_t seed[2] = {1, 2};
    if (n == 0) {
        return 0;
    }
    char *copy = calloc(1, n - 1 + EVE_TEMPLATE_SLACK);
    HOLDS(copy != NULL);
    memcpy(copy, p + 1, n - 1);
    options.group = (p[0] & 1) != 0 ? eve_str("g") : (struct eve_slice){0};
    (void)eve_simd_choose((p[0] & 2) != 0 ? EVE_SIMD_PORTABLE : EVE_SIMD_AVX2);
    eve_template_init(&templates);
    eve_decode_init(&decoder);
    HOLDS(eve_snapshot_new(&kept, seed, &err) == EVE_OK);
    read_all(copy, copy + n - 1);
    eve_snapshot_free(kept);
    eve_decode_fini(&decoder);
    eve_template_fini(&templates);
    free(copy);
    return 0;
}
