#include "saved.h"

#include "event.h"
#include "num.h"
#include "spell.h"
#include "str.h"
#include "utf8.h"

void eve_saved_bytes(struct eve_saved *s, struct eve_slice bytes)
{
    struct eve_err sticks; /* in the output */
    enum eve_status status = eve_out_put(s->out, bytes, &sticks);
    (void)status;
}

/* The comma and the name before a value. */
static void put_name(struct eve_saved *s, const char *name)
{
    if (name == NULL) {
        eve_saved_bytes(s, eve_str(s->comma ? "," : ""));
    } else {
        eve_saved_bytes(s, eve_str(s->comma ? ",\"" : "\""));
        eve_saved_bytes(s, eve_str(name));
        eve_saved_bytes(s, eve_str("\":"));
    }
    s->comma = true;
}

void eve_saved_open(struct eve_saved *s, const char *name, char bracket)
{
    eve_saved_raw(s, name, (struct eve_slice){&bracket, 1});
    s->comma = false;
}

void eve_saved_close(struct eve_saved *s, char bracket)
{
    eve_saved_bytes(s, (struct eve_slice){&bracket, 1});
    s->comma = true;
}

void eve_saved_raw(struct eve_saved *s, const char *name, struct eve_slice value)
{
    put_name(s, name);
    eve_saved_bytes(s, value);
}

void eve_saved_text(struct eve_saved *s, const char *name, struct eve_slice spelled)
{
    eve_saved_raw(s, name, eve_str("\""));
    eve_saved_bytes(s, spelled);
    eve_saved_bytes(s, eve_str("\""));
}

void eve_saved_plain(struct eve_saved *s, const char *name, struct eve_slice plain)
{
    char spelled[EVE_SPELL_LONGEST];
    eve_saved_raw(s, name, eve_str("\""));
    for (size_t i = 0; i < plain.n;) {
        bool cut = false;
        size_t len = eve_utf8_length(plain.p + i, plain.n - i, &cut);
        uint32_t c = len > 0 ? eve_utf8_decode(plain.p + i, len) : 0xFFFD;
        eve_saved_bytes(s, (struct eve_slice){spelled, eve_spell_one(spelled, c)});
        i += len > 0 ? len : 1;
    }
    eve_saved_bytes(s, eve_str("\""));
}

void eve_saved_count(struct eve_saved *s, const char *name, uint64_t n)
{
    char digits[20];
    size_t i = sizeof digits;
    do {
        digits[--i] = (char)('0' + n % 10);
        n /= 10;
    } while (n > 0);
    eve_saved_raw(s, name, (struct eve_slice){digits + i, sizeof digits - i});
}

void eve_saved_flag(struct eve_saved *s, const char *name, bool flag)
{
    eve_saved_raw(s, name, eve_str(flag ? "true" : "false"));
}

static enum eve_status refuse(const char *name, struct eve_err *err)
{
    return eve_fail(err, EVE_BAD, EVE_RULE_NONE, name, 0, 0);
}

enum eve_status eve_saved_get(struct eve_json_value object, const char *name,
                              enum eve_json_kind kind, struct eve_json_value *out,
                              struct eve_err *err)
{
    struct eve_json_value value = eve_event_find(object, name);
    if (value.kind != kind) {
        return refuse(name, err);
    }
    *out = value;
    return EVE_OK;
}

enum eve_status eve_saved_get_count(struct eve_json_value object, const char *name, uint64_t *out,
                                    struct eve_err *err)
{
    struct eve_json_value value;
    enum eve_status status = eve_saved_get(object, name, EVE_JSON_NUMBER, &value, err);
    if (status == EVE_OK &&
        !eve_num_integer((struct eve_slice){value.p, value.n}, EVE_NUM_SAFE_MAX, out)) {
        status = refuse(name, err);
    }
    return status;
}

enum eve_status eve_saved_get_flag(struct eve_json_value object, const char *name, bool *out,
                                   struct eve_err *err)
{
    struct eve_json_value value = eve_event_find(object, name);
    if (value.kind != EVE_JSON_TRUE && value.kind != EVE_JSON_FALSE) {
        return refuse(name, err);
    }
    *out = value.kind == EVE_JSON_TRUE;
    return EVE_OK;
}

bool eve_saved_next(struct eve_json_value array, size_t *at, struct eve_json_value *out)
{
    struct eve_json j;
    struct eve_err ignored; /* it was scanned before */
    eve_json_open(&j, (struct eve_slice){array.p, array.n});
    if (eve_json_peek(&j) != EVE_JSON_ARRAY || eve_json_enter(&j, &ignored) != EVE_OK) {
        return false;
    }
    if (*at > 0) {
        eve_json_resume(&j, array.p + *at);
    }
    if (eve_json_element(&j, &ignored) != EVE_OK || eve_json_skip(&j, out, &ignored) != EVE_OK) {
        return false;
    }
    *at = (size_t)(eve_json_at(&j) - array.p);
    return true;
}
