#include "template.h"

#include "decode.h"
#include "json.h"
#include "simd.h"

#include <string.h>

/* The place in the line, and its end. */
struct at {
    const char *p;
    const char *end;
};

/* Pass the literal if it stands here. The length is known at compile time, so this is a few loads.
 */
#define PASS(at, literal) pass((at), (literal), sizeof(literal) - 1)

static inline bool pass(struct at *at, const char *literal, size_t n)
{
    if ((size_t)(at->end - at->p) < n || memcmp(at->p, literal, n) != 0) {
        return false;
    }
    at->p += n;
    return true;
}

static inline void set(struct eve_json_value *v, const char *p, const char *end,
                       enum eve_json_kind kind, bool escaped)
{
    v->p = p;
    v->n = (size_t)(end - p);
    v->kind = kind;
    v->escaped = escaped;
}

/* The closing quote of a string of a few plain characters, which most are; NULL if it is not one.
 */
static inline const char *short_string_end(const char *p, const char *end)
{
    for (int i = 0; i < 4 && end - p >= 8; i++) {
        uint64_t word;
        memcpy(&word, p, 8);
        uint64_t found = eve_simd_unclean(word);
        if (found != 0) {
            p += eve_simd_first(found);
            return p < end && *p == '"' ? p : NULL;
        }
        p += 8;
    }
    return NULL;
}

/* A string whose opening quote was just passed: up to and with its closing quote. */
static inline bool pass_string(struct at *at, struct eve_json_value *v)
{
    bool escaped = false;
    const char *from = at->p - 1;
    const char *quote = short_string_end(at->p, at->end);
    if (quote == NULL) {
        quote = eve_json_string_end(at->p, at->end, &escaped);
    }
    if (quote == NULL) {
        return false;
    }
    at->p = quote + 1;
    set(v, from, at->p, EVE_JSON_STRING, escaped);
    return true;
}

/* The same for a string of `n` plain characters. */
static inline bool pass_fixed(struct at *at, size_t n, struct eve_json_value *v)
{
    if ((size_t)(at->end - at->p) <= n || at->p[n] != '"' || !eve_simd_all_clean(at->p, n)) {
        return false;
    }
    set(v, at->p - 1, at->p + n + 1, EVE_JSON_STRING, false);
    at->p += n + 1;
    return true;
}

/* A number of digits only, without a leading zero, that ends in a comma. */
static inline bool pass_number(struct at *at, struct eve_json_value *v)
{
    const char *from = at->p;
    const char *p = from;
    while (p < at->end && *p >= '0' && *p <= '9') {
        p++;
    }
    if (p == from || p == at->end || *p != ',' || (*from == '0' && p - from > 1)) {
        return false;
    }
    at->p = p;
    set(v, from, p, EVE_JSON_NUMBER, false);
    return true;
}

/* Note a member of data that was passed: its name begins at `name`, `before` is the end of the one
 * before it (NULL: none). The end of this one is returned. */
static inline const char *note(struct eve_event *ev, enum eve_event_field f, const char *name,
                               const char *before)
{
    struct eve_member *m = &ev->field[f];
    ev->seen |= UINT32_C(1) << f;
    m->name = name;
    m->before = before;
    m->after = NULL;
    return m->value.p + m->value.n;
}

/* The snapshot, after its opening quote: it must continue what is kept. */
static inline bool pass_snapshot(struct at *at, struct eve_event *ev, enum eve_event_field delta,
                                 struct eve_snapshots *s, struct eve_json_value *v)
{
    const struct eve_json_value *d = &ev->field[delta].value;
    struct eve_slice added = {d->p + 1, d->n - 2};
    struct eve_slice rest = {at->p, (size_t)(at->end - at->p)};
    size_t n = 0;
    bool escaped = false;
    ev->continues = eve_snapshot_match(s, ev->type, added, rest, &n, &escaped);
    if (ev->continues == NULL) {
        return false;
    }
    set(v, at->p - 1, at->p + n + 1, EVE_JSON_STRING, escaped || d->escaped);
    at->p += n + 1;
    return true;
}

/* The three coordinates that end the data of a text append, and the bracket behind them. */
static inline bool pass_coordinates(struct at *at, struct eve_event *ev, const char *before)
{
    struct eve_member *sequence = &ev->field[EVE_FIELD_SEQUENCE];
    struct eve_member *step = &ev->field[EVE_FIELD_STEP_INDEX];
    struct eve_member *turn = &ev->field[EVE_FIELD_TURN_ID];
    const char *name = at->p + 1;
    if (!PASS(at, ",\"sequence\":") || !pass_number(at, &sequence->value)) {
        return false;
    }
    before = note(ev, EVE_FIELD_SEQUENCE, name, before);
    sequence->after = name = at->p + 1;
    if (!PASS(at, ",\"stepIndex\":") || !pass_number(at, &step->value)) {
        return false;
    }
    before = note(ev, EVE_FIELD_STEP_INDEX, name, before);
    step->after = name = at->p + 1;
    if (!PASS(at, ",\"turnId\":\"") || !pass_string(at, &turn->value)) {
        return false;
    }
    (void)note(ev, EVE_FIELD_TURN_ID, name, before);
    return PASS(at, "}");
}

/* The data of a text append, from the first name on. */
static inline bool pass_text_data(struct at *at, struct eve_event *ev, struct eve_snapshots *s)
{
    bool message = ev->type == EVE_EVENT_MESSAGE_APPENDED;
    enum eve_event_field delta = eve_decode_delta_field(ev->type);
    enum eve_event_field sum = eve_decode_sum_field(ev->type);
    const char *name = at->p;
    if (!(message ? PASS(at, "\"messageDelta\":\"") : PASS(at, "\"reasoningDelta\":\"")) ||
        !pass_string(at, &ev->field[delta].value)) {
        return false;
    }
    const char *before = note(ev, delta, name, NULL);
    ev->field[delta].after = at->p + 1;
    name = at->p + 1;
    if (s != NULL &&
        (message ? PASS(at, ",\"messageSoFar\":\"") : PASS(at, ",\"reasoningSoFar\":\""))) {
        if (!pass_snapshot(at, ev, delta, s, &ev->field[sum].value)) {
            return false;
        }
        before = note(ev, sum, name, before);
        ev->field[sum].after = at->p + 1;
    }
    return pass_coordinates(at, ev, before);
}

/* `"at":"…","id":"…"`, and delivery ids if there are any. */
static inline bool pass_meta(struct at *at, struct eve_event *ev)
{
    struct eve_json_value scratch;
    const char *from = at->p;
    if (!PASS(at, "{\"at\":\"") || !pass_fixed(at, 24, &ev->at) || !PASS(at, ",\"id\":\"") ||
        !pass_fixed(at, 30, &ev->id)) {
        return false;
    }
    if (PASS(at, ",\"deliveryIds\":[\"") &&
        (!(pass_fixed(at, 36, &scratch) || pass_string(at, &scratch)) || !PASS(at, "]"))) {
        return false;
    }
    if (!PASS(at, "}")) {
        return false;
    }
    set(&ev->meta, from, at->p, EVE_JSON_OBJECT, false);
    return true;
}

/* The value of `type`, after the colon. */
static inline bool pass_type(struct at *at, struct eve_event *ev)
{
    const char *from = at->p;
    if (!(ev->type == EVE_EVENT_MESSAGE_APPENDED ? PASS(at, "\"message.appended\"")
                                                 : PASS(at, "\"reasoning.appended\""))) {
        return false;
    }
    set(&ev->type_value, from, at->p, EVE_JSON_STRING, false);
    return true;
}

/* Type and meta behind the data, in either order; the type may have been there before it. */
static inline bool pass_tail(struct at *at, struct eve_event *ev, bool typed)
{
    bool type_last = false;
    if (!typed && PASS(at, ",\"type\":")) {
        typed = pass_type(at, ev);
        if (!typed) {
            return false;
        }
    }
    if (!PASS(at, ",\"meta\":") || !pass_meta(at, ev)) {
        return false;
    }
    if (!typed) {
        type_last = PASS(at, ",\"type\":") && pass_type(at, ev);
    }
    return (typed || type_last) && PASS(at, "}\n");
}

/* Which append it is, from the name of the delta that comes first in its data. */
static inline bool guess_type(const struct at *at, enum eve_event_type *type)
{
    if (at->end - at->p < 2) {
        return false;
    }
    *type = at->p[1] == 'm' ? EVE_EVENT_MESSAGE_APPENDED : EVE_EVENT_REASONING_APPENDED;
    return at->p[1] == 'm' || at->p[1] == 'r';
}

bool eve_template_match(struct eve_event *ev, struct eve_slice bytes, struct eve_snapshots *s)
{
    struct at at = {bytes.p, bytes.p + bytes.n};
    bool typed = false;
    ev->seen = ev->repeated = ev->data_other = 0;
    ev->continues = NULL;
    if (PASS(&at, "{\"type\":\"")) {
        typed = true;
        ev->type = at.p < at.end && *at.p == 'm' ? EVE_EVENT_MESSAGE_APPENDED
                                                 : EVE_EVENT_REASONING_APPENDED;
        at.p--;
        if (!pass_type(&at, ev) || !PASS(&at, ",\"data\":")) {
            return false;
        }
    } else if (!PASS(&at, "{\"data\":")) {
        return false;
    }
    const char *data = at.p;
    enum eve_event_type type = EVE_EVENT_OTHER;
    if (!PASS(&at, "{") || !guess_type(&at, &type) || (typed && type != ev->type)) {
        return false;
    }
    ev->type = type;
    if (!pass_text_data(&at, ev, s)) {
        return false;
    }
    set(&ev->data, data, at.p, EVE_JSON_OBJECT, false);
    if (!pass_tail(&at, ev, typed) ||
        (ev->continues != NULL && !eve_snapshot_fits(ev->continues, ev))) {
        return false;
    }
    ev->kind = EVE_LINE_EVENT;
    ev->line = ev->text = (struct eve_slice){bytes.p, (size_t)(at.p - bytes.p) - 1};
    ev->ended = true;
    ev->group = (struct eve_json_value){0};
    ev->plain = true;
    return true;
}
