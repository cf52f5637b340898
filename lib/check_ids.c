#include "check_state.h"
#include "str.h"
#include "text.h"

/* evt_ and a ULID: Crockford's base 32, the first digit 0 to 7. */
static bool is_id(struct eve_slice s)
{
    static const char digits[256] = {
        ['0'] = 1, ['1'] = 1, ['2'] = 1, ['3'] = 1, ['4'] = 1, ['5'] = 1, ['6'] = 1, ['7'] = 1,
        ['8'] = 1, ['9'] = 1, ['A'] = 1, ['B'] = 1, ['C'] = 1, ['D'] = 1, ['E'] = 1, ['F'] = 1,
        ['G'] = 1, ['H'] = 1, ['J'] = 1, ['K'] = 1, ['M'] = 1, ['N'] = 1, ['P'] = 1, ['Q'] = 1,
        ['R'] = 1, ['S'] = 1, ['T'] = 1, ['V'] = 1, ['W'] = 1, ['X'] = 1, ['Y'] = 1, ['Z'] = 1};
    if (s.n != EVE_CHECK_ID || memcmp(s.p, "evt_", 4) != 0 || s.p[4] < '0' || s.p[4] > '7') {
        return false;
    }
    int good = 0;
    for (size_t i = 4; i < EVE_CHECK_ID; i++) {
        good += digits[(unsigned char)s.p[i]];
    }
    return good == EVE_CHECK_ID - 4;
}

/* A number of two digits from `low` to `high`. */
static bool is_between(const char *p, int low, int high)
{
    int value = (p[0] - '0') * 10 + (p[1] - '0');
    return value >= low && value <= high;
}

/* 2026-10-20T01:04:11.912Z */
static bool is_time(struct eve_slice s)
{
    static const char form[EVE_CHECK_AT + 1] = "dddd-dd-ddTdd:dd:dd.dddZ";
    if (s.n != EVE_CHECK_AT) {
        return false;
    }
    for (size_t i = 0; i < EVE_CHECK_AT; i++) {
        bool digit = s.p[i] >= '0' && s.p[i] <= '9';
        if (form[i] == 'd' ? !digit : s.p[i] != form[i]) {
            return false;
        }
    }
    return is_between(s.p + 5, 1, 12) && is_between(s.p + 8, 1, 31) &&
           is_between(s.p + 11, 0, 23) && is_between(s.p + 14, 0, 59) &&
           is_between(s.p + 17, 0, 60);
}

static uint64_t hash_on(uint64_t h, struct eve_slice s)
{
    uint64_t seed[2] = {h, h ^ 0x9E3779B97F4A7C15u};
    return eve_map_hash(seed, s);
}

/* What the event says, as a number. Of an append only its delta and coordinates count, so that a
 * replay in the other form, or with its members in another order, is the same event. */
static uint64_t content(const struct eve_check *c)
{
    static const enum eve_event_field fields[] = {EVE_FIELD_SEQUENCE, EVE_FIELD_STEP_INDEX,
                                                  EVE_FIELD_TURN_ID, EVE_FIELD_CALL_ID};
    const struct eve_event *ev = c->ev;
    enum eve_event_field delta = eve_decode_delta_field(ev->type);
    char small[256];
    size_t n = 1;
    uint64_t h = c->options.seed[0];
    if (delta == EVE_FIELD_COUNT) {
        h = hash_on(h, (struct eve_slice){ev->type_value.p, ev->type_value.n});
        return hash_on(h, (struct eve_slice){ev->data.p, ev->data.n});
    }
    small[0] = (char)ev->type;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        struct eve_json_value v = eve_event_value(ev, fields[i]);
        if (v.n + 1 > sizeof small - n) {
            h = hash_on(h, (struct eve_slice){v.p, v.n});
            v.n = 0;
        }
        if (v.n > 0) {
            memcpy(small + n, v.p, v.n);
        }
        n += v.n;
        small[n++] = '\0';
    }
    struct eve_slice text = eve_text_of(ev->field[delta].value);
    if (text.n <= sizeof small - n) {
        memcpy(small + n, text.p, text.n);
        n += text.n;
    } else {
        h = hash_on(h, text);
    }
    return hash_on(h, (struct eve_slice){small, n});
}

static enum eve_status check_time(struct eve_check *c, struct eve_err *err)
{
    const struct eve_event *ev = c->ev;
    if (ev->at.kind == EVE_JSON_NONE) {
        return ev->meta.kind == EVE_JSON_OBJECT
                   ? eve_check_tell(c, EVE_RULE_MISSING_MEMBER, false, ev->meta.p,
                                    "meta.at is missing", err)
                   : EVE_OK;
    }
    if (ev->at.kind != EVE_JSON_STRING) {
        return eve_check_tell(c, EVE_RULE_MISSING_MEMBER, false, ev->at.p,
                              "meta.at is not a string", err);
    }
    if (is_time(eve_text_of(ev->at))) {
        return EVE_OK;
    }
    struct eve_words w;
    eve_words_init(&w, "meta.at is not of the form 2026-10-20T01:04:11.912Z: ");
    eve_words_quote(&w, eve_text_of(ev->at));
    return eve_check_tell(c, EVE_RULE_TIME_FORM, false, ev->at.p, w.s, err);
}

/* The event has no id. */
static enum eve_status take_missing(struct eve_check *c, struct eve_err *err)
{
    const struct eve_event *ev = c->ev;
    enum eve_status status = EVE_OK;
    if (ev->meta.kind != EVE_JSON_NONE && ev->meta.kind != EVE_JSON_OBJECT) {
        status = eve_check_tell(c, EVE_RULE_MISSING_MEMBER, false, ev->meta.p,
                                "meta is not an object", err);
    } else if (ev->id.kind != EVE_JSON_NONE) {
        return eve_check_tell(c, EVE_RULE_ID_FORM, false, ev->id.p, "meta.id is not a string", err);
    }
    if (status == EVE_OK && c->with_id > 0) {
        return eve_check_tell(c, EVE_RULE_ID_MISSING, false, NULL,
                              "no meta.id, though other events have one", err);
    }
    if (c->without_id++ == 0) {
        c->first_without_id = eve_check_here(c);
    }
    return status;
}

/* The id, as its text and, where several sessions share a stream, for its group. */
static enum eve_status id_key(struct eve_check *c, struct eve_slice id, struct eve_slice *key,
                              struct eve_err *err)
{
    *key = id;
    if (c->group->number == 0) {
        return EVE_OK;
    }
    c->key.n = 0;
    struct eve_slice number = {(const char *)&c->group->number, sizeof c->group->number};
    enum eve_status status = eve_buf_put(&c->key, number, err);
    if (status == EVE_OK) {
        status = eve_buf_put(&c->key, id, err);
    }
    *key = eve_buf_slice(&c->key);
    return status;
}

static enum eve_status take_id(struct eve_check *c, struct eve_slice id, bool *replay,
                               struct eve_err *err)
{
    struct eve_map_entry *entry = NULL;
    struct eve_slice key;
    struct eve_words w;
    bool added = false;
    enum eve_status status = id_key(c, id, &key, err);
    if (status == EVE_OK) {
        status = eve_map_put(&c->ids, key, &entry, &added, err);
    }
    if (status != EVE_OK) {
        return status;
    }
    uint64_t said = content(c);
    *replay = !added && entry->value == said;
    if (added) {
        entry->value = said;
    } else if (!*replay) {
        eve_words_init(&w, "another event had this meta.id: ");
        eve_words_quote(&w, id);
        return eve_check_tell(c, EVE_RULE_ID_REUSED, false, c->ev->id.p, w.s, err);
    }
    if (*replay && !c->group->replaying) {
        status = eve_check_tell(c, EVE_RULE_REPLAY, false, c->ev->id.p,
                                "this event came before: a replay begins here", err);
    }
    c->group->replaying = *replay;
    return status;
}

enum eve_status eve_check_id(struct eve_check *c, bool *replay, struct eve_err *err)
{
    struct eve_words w;
    *replay = false;
    c->well_formed_id = false;
    enum eve_status status = check_time(c, err);
    if (status != EVE_OK || c->ev->id.kind != EVE_JSON_STRING) {
        return status != EVE_OK ? status : take_missing(c, err);
    }
    struct eve_slice id = eve_text_of(c->ev->id);
    if (c->ev->id.escaped) {
        c->text.n = 0;
        status = eve_text_decode(id, &c->text, err);
        id = eve_buf_slice(&c->text);
    }
    c->well_formed_id = is_id(id) && !c->ev->id.escaped;
    if (status == EVE_OK && c->with_id++ == 0 && c->without_id > 0) {
        eve_words_init(&w, "no meta.id, though later events have one; so it is with ");
        eve_words_number(&w, c->without_id, "event");
        status = eve_check_tell_at(c, EVE_RULE_ID_MISSING, false, &c->first_without_id, w.s, err);
    }
    if (status == EVE_OK && !is_id(id)) {
        eve_words_init(&w, "meta.id is not evt_ and a ULID: ");
        eve_words_quote(&w, id);
        status = eve_check_tell(c, EVE_RULE_ID_FORM, false, c->ev->id.p, w.s, err);
    }
    return status == EVE_OK ? take_id(c, id, replay, err) : status;
}

enum eve_status eve_check_id_order(struct eve_check *c, struct eve_err *err)
{
    struct eve_check_group *g = c->group;
    const struct eve_event *ev = c->ev;
    bool at = ev->at.kind == EVE_JSON_STRING && ev->at.n == EVE_CHECK_AT + 2;
    bool told = false;
    enum eve_status status = EVE_OK;
    if (c->late) {
        return EVE_OK;
    }
    if (c->well_formed_id) {
        const char *id = eve_text_of(ev->id).p;
        if (g->has_id && memcmp(id, g->last_id, EVE_CHECK_ID) < 0) {
            told = true;
            status = eve_check_tell(c, EVE_RULE_ID_ORDER, false, ev->id.p,
                                    "meta.id is older than that of the event before", err);
        }
        memcpy(g->last_id, id, EVE_CHECK_ID);
        g->has_id = true;
    }
    if (status == EVE_OK && at) {
        const char *time = eve_text_of(ev->at).p;
        if (!told && g->has_at && memcmp(time, g->last_at, EVE_CHECK_AT) < 0) {
            status = eve_check_tell(c, EVE_RULE_TIME_ORDER, false, ev->at.p,
                                    "meta.at is earlier than that of the event before", err);
        }
        memcpy(g->last_at, time, EVE_CHECK_AT);
        g->has_at = true;
    }
    return status;
}

enum eve_status eve_check_id_end(struct eve_check *c, struct eve_err *err)
{
    struct eve_words w;
    if (c->with_id > 0 || c->without_id == 0) {
        return EVE_OK;
    }
    eve_words_init(&w, "no event has a meta.id (");
    eve_words_number(&w, c->without_id, "event");
    eve_words_put(&w, "): a replay cannot be told from new events");
    return eve_check_tell_at(c, EVE_RULE_ID_MISSING, true, &c->first_without_id, w.s, err);
}
