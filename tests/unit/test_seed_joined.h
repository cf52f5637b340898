/* Streams whose tool inputs came in one append each, as eve may join them; for test_seed.c alone.
 */
#ifndef TEST_SEED_JOINED_H
#define TEST_SEED_JOINED_H

/* Put the line into the stream, in its own memory. */
static void keep_line(struct stream *out, size_t *used, struct eve_slice line)
{
    struct eve_event_options none = {{NULL, 0}};
    struct eve_err err;
    char *p = out->bytes + *used;
    memcpy(p, line.p, line.n);
    *used += line.n;
    out->line[out->n] = (struct eve_slice){p, line.n};
    CHECK(eve_event_parse(&out->event[out->n], out->line[out->n], true, &none, &err) == EVE_OK);
    out->n++;
}

/* The last append of the text at line `at`, with the deltas of all of them. */
static struct eve_slice join(const struct stream *s, const struct text *t)
{
    static char all[ROOM];
    size_t n = 0;
    for (size_t i = 0; i < t->n; i++) {
        struct eve_slice delta =
            eve_text_of(eve_event_value(&s->event[t->append[i]], EVE_FIELD_INPUT_TEXT_DELTA));
        memcpy(all + n, delta.p, delta.n);
        n += delta.n;
    }
    size_t last = t->append[t->n - 1];
    struct eve_slice old =
        eve_text_of(eve_event_value(&s->event[last], EVE_FIELD_INPUT_TEXT_DELTA));
    return replaced(s->line[last], old.p, old.p + old.n, (struct eve_slice){all, n});
}

/* A delta-only stream with tool inputs once more, each input in one append. */
static void join_inputs(const struct stream *s)
{
    static struct text t;
    static bool gone[LINES_MAX];
    static struct eve_slice line[LINES_MAX];
    size_t inputs = 0;
    size_t used = 0;
    memset(gone, 0, sizeof gone);
    memcpy(line, s->line, sizeof line);
    room_n = 0;
    for (size_t at = 0; at < s->n; at++) {
        if (s->event[at].kind != EVE_LINE_EVENT || s->event[at].type != EVE_EVENT_INPUT_APPENDED ||
            eve_event_has(&s->event[at], EVE_FIELD_INPUT_TEXT_OFFSET)) {
            continue;
        }
        read_text(s, at, &t);
        for (size_t i = 0; i + 1 < t.n; i++) {
            gone[t.append[i]] = true;
        }
        if (t.n > 0) {
            line[t.append[t.n - 1]] = join(s, &t);
            inputs++;
        }
    }
    struct stream *out = inputs > 0 ? calloc(1, sizeof *out) : NULL;
    if (out == NULL || stream_count == STREAMS_MAX) {
        free(out);
        return;
    }
    (void)snprintf(out->name, sizeof out->name, "%.50s (joined)", s->name);
    out->bytes = malloc(ROOM);
    for (size_t at = 0; at < s->n && out->bytes != NULL; at++) {
        if (!gone[at]) {
            keep_line(out, &used, line[at]);
        }
    }
    streams[stream_count++] = out;
}

/* Another call of the tool has appends in this turn, by the same model: so this one had some. */
static bool has_sister(const struct stream *s, const struct text *t)
{
    const struct eve_event *a = &s->event[t->append[0]];
    for (size_t i = 0; i < s->n; i++) {
        const struct eve_event *b = &s->event[i];
        if (b->type == EVE_EVENT_INPUT_APPENDED && !same(a, b, EVE_FIELD_CALL_ID) &&
            same(a, b, EVE_FIELD_TOOL_NAME) && same(a, b, EVE_FIELD_TURN_ID) &&
            (i < t->append[0] || same(a, b, EVE_FIELD_STEP_INDEX))) {
            return true;
        }
    }
    return false;
}

static void unseeded(void)
{
    static const unsigned none[] = {0};
    TEST("the streams as they are, and from any event on: no error, no warning");
    for (size_t i = 0; i < stream_count; i++) {
        const struct stream *s = streams[i];
        copy_stream(s);
        run_check((unsigned)strtoul(s->name + 1, NULL, 10), none);
        CHECK_EQ_INT(worst, EVE_LEVEL_NOTE);
        for (first = 0; first<s->n; first += s->n> 200 ? 7 : 1) {
            run_check(EVE_VERSION_AUTO, none);
            CHECK_EQ_INT(worst, EVE_LEVEL_NOTE);
            for (unsigned k = 0; k < (s->n > 200 ? 7 : 1) && seeded_n > 0; k++) {
                drop_line(0);
            }
        }
        first = 0;
    }
}

#endif
