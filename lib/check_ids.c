#include "check_state.h"
#include "str.h"
#include "text.h"

/* evt_ and a ULID */
static bool is_id(struct eve_slice s, struct eve_ulid *ulid)
{
    return s.n == EVE_CHECK_ID && memcmp(s.p, "evt_", 4) == 0 && eve_seen_ulid(s.p + 4, ulid);
}

/* A number of two digits from `low` to `high`. */
static bool is_between(const char *p, int low, int high)
{
    int value = (p[0] - '0') * 10 + (p[1] - '0');
    return value >= low && value <= high;
}

/* The day of 2026-10-20 is one of its month. */
static bool is_day(const char *p)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (!is_between(p + 5, 1, 12)) {
        return false;
    }
    int century = (p[0] - '0') * 10 + (p[1] - '0');
    int year = (p[2] - '0') * 10 + (p[3] - '0');
    int month = (p[5] - '0') * 10 + (p[6] - '0');
    bool leap = (year == 0 ? century : year) % 4 == 0;
    return is_between(p + 8, 1, days[month - 1] + (leap && month == 2 ? 1 : 0));
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The date and the minute of 2026-10-20T01:04:11.912Z. */
static bool is_minute(const char *p)
{
    static const char form[] = "dddd-dd-ddTdd:dd:";
    for (size_t i = 0; i < sizeof form - 1; i++) {
        if (form[i] == 'd' ? !is_digit(p[i]) : p[i] != form[i]) {
            return false;
        }
    }
    return is_day(p) && is_between(p + 11, 0, 23) && is_between(p + 14, 0, 59);
}

/* 2026-10-20T01:04:11.912Z; `known`: a time that was found good before, or NULL. */
static bool is_time(struct eve_slice s, const char *known)
{
    enum { MINUTE = 17 }; /* so many bytes are the same for a minute */
    const char *p = s.p;
    return s.n == EVE_CHECK_AT && is_digit(p[17]) && is_digit(p[18]) && p[19] == '.' &&
           is_digit(p[20]) && is_digit(p[21]) && is_digit(p[22]) && p[23] == 'Z' &&
           is_between(p + 17, 0, 60) &&
           ((known != NULL && memcmp(p, known, MINUTE) == 0) || is_minute(p));
}

static uint64_t load(const char *p, size_t n)
{
    uint64_t word = 0;
    uint32_t half[2] = {0, 0};
    if (n == sizeof word) {
        memcpy(&word, p, sizeof word);
        return word;
    }
    if (n >= sizeof *half) { /* both halves, overlapping */
        memcpy(&half[0], p, sizeof *half);
        memcpy(&half[1], p + n - sizeof *half, sizeof *half);
        return (uint64_t)half[0] << 32 | half[1];
    }
    const unsigned char *c = (const unsigned char *)p;
    return n == 0 ? 0 : c[0] | (uint64_t)c[n / 2] << 8 | (uint64_t)c[n - 1] << 16;
}

/* Only to tell contents apart that are not made to collide; what hides so is its maker's loss. */
static uint64_t hash_on(uint64_t h, struct eve_slice s)
{
    enum { WORD = 8 };
    size_t i = 0;
    for (; s.n - i >= WORD; i += WORD) {
        h = (h ^ load(s.p + i, WORD)) * 0x9E3779B97F4A7C15u;
        h ^= h >> 29;
    }
    if (i < s.n) {
        h ^= i > 0 ? load(s.p + s.n - WORD, WORD) : load(s.p, s.n);
    }
    h = (h ^ (uint64_t)s.n << 56) * 0x9E3779B97F4A7C15u;
    return h ^ h >> 32;
}

/* Of an append only its delta and coordinates count, so that a replay in the other form, or with
 * its members in another order, is the same event. */
uint64_t eve_check_content(const struct eve_check *c)
{
    static const enum eve_event_field fields[] = {EVE_FIELD_SEQUENCE, EVE_FIELD_STEP_INDEX,
                                                  EVE_FIELD_TURN_ID, EVE_FIELD_CALL_ID,
                                                  EVE_FIELD_TOOL_NAME};
    const struct eve_event *ev = c->ev;
    uint64_t h = c->options.seed[0];
    if (eve_decode_delta_field(ev->type) == EVE_FIELD_COUNT) {
        h = hash_on(h, (struct eve_slice){ev->type_value.p, ev->type_value.n});
        return hash_on(h, (struct eve_slice){ev->data.p, ev->data.n});
    }
    h += ev->type;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        struct eve_json_value v = eve_event_value(ev, fields[i]);
        h = hash_on(h, (struct eve_slice){v.p, v.n});
    }
    return h;
}

/* What the event says, as a number. */
static uint64_t content(const struct eve_check *c)
{
    enum eve_event_field delta = eve_decode_delta_field(c->ev->type);
    uint64_t h = c->known != NULL ? c->known->hash : eve_check_content(c);
    h = delta != EVE_FIELD_COUNT ? hash_on(h, eve_text_of(c->ev->field[delta].value)) : h;
    return h & ((UINT64_C(1) << EVE_SEEN_BITS) - 1);
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
    c->well_formed_at = is_time(eve_text_of(ev->at), c->group->has_at ? c->group->last_at : NULL);
    if (c->well_formed_at) {
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

/* Put the id down with what its event says: by its text and, where several sessions share a stream,
 * for its group. */
static enum eve_status put_id(struct eve_check *c, struct eve_slice id, uint64_t *said, bool *added,
                              struct eve_err *err)
{
    if (c->group->number == 0) {
        return c->well_formed_id ? eve_seen_ulid_put(&c->ids, c->ulid, id, said, added, err)
                                 : eve_seen_put(&c->ids, id, said, added, err);
    }
    c->key.n = 0;
    struct eve_slice number = {(const char *)&c->group->number, sizeof c->group->number};
    enum eve_status status = eve_buf_put(&c->key, number, err);
    if (status == EVE_OK) {
        status = eve_buf_put(&c->key, id, err);
    }
    return status == EVE_OK ? eve_seen_put(&c->ids, eve_buf_slice(&c->key), said, added, err)
                            : status;
}

static enum eve_status take_id(struct eve_check *c, struct eve_slice id, bool *replay,
                               struct eve_err *err)
{
    struct eve_words w;
    bool added = false;
    uint64_t says = content(c);
    uint64_t said = says;
    enum eve_status status = put_id(c, id, &said, &added, err);
    if (status != EVE_OK) {
        return status;
    }
    *replay = !added && said == says;
    if (!added && !*replay) {
        eve_words_init(&w, "another event had this meta.id: ");
        eve_words_quote(&w, id);
        status = eve_check_tell(c, EVE_RULE_ID_REUSED, false, c->ev->id.p, w.s, err);
    } else if (*replay && !c->group->replaying) {
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
    c->well_formed_id = c->well_formed_at = false;
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
    bool good = is_id(id, &c->ulid);
    c->well_formed_id = good && !c->ev->id.escaped;
    if (status == EVE_OK && c->with_id++ == 0 && c->without_id > 0) {
        eve_words_init(&w, "no meta.id, though later events have one; so it is with ");
        eve_words_number(&w, c->without_id, "event");
        status = eve_check_tell_at(c, EVE_RULE_ID_MISSING, false, &c->first_without_id, w.s, err);
    }
    if (status == EVE_OK && !good) {
        eve_words_init(&w, "meta.id is not evt_ and a ULID: ");
        eve_words_quote(&w, id);
        status = eve_check_tell(c, EVE_RULE_ID_FORM, false, c->ev->id.p, w.s, err);
    }
    return status == EVE_OK ? take_id(c, id, replay, err) : status;
}

bool eve_check_is_behind(const struct eve_check *c)
{
    return c->well_formed_id && c->group->has_id && eve_seen_before(c->ulid, c->group->last_id);
}

enum eve_status eve_check_id_order(struct eve_check *c, struct eve_err *err)
{
    struct eve_check_group *g = c->group;
    const struct eve_event *ev = c->ev;
    bool told = false;
    enum eve_status status = EVE_OK;
    if (c->late) {
        return EVE_OK;
    }
    if (c->well_formed_id) {
        if (eve_check_is_behind(c)) {
            told = true;
            status = eve_check_tell(c, EVE_RULE_ID_ORDER, false, ev->id.p,
                                    "meta.id is older than that of the event before", err);
        }
        g->last_id = c->ulid;
        g->has_id = true;
    }
    if (status == EVE_OK && c->well_formed_at) {
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
