#include "saved.h"

#include "event.h"
#include "num.h"
#include "str.h"

enum eve_status eve_saved_comma(struct eve_buf *out, struct eve_err *err)
{
    char before = out->n > 0 ? out->p[out->n - 1] : '{';
    return before == '{' || before == '[' ? EVE_OK : eve_buf_putc(out, ',', err);
}

static enum eve_status put_name(struct eve_buf *out, const char *name, struct eve_err *err)
{
    enum eve_status status = eve_saved_comma(out, err);
    if (status == EVE_OK) {
        status = eve_buf_putc(out, '"', err);
    }
    if (status == EVE_OK) {
        status = eve_buf_puts(out, name, err);
    }
    return status == EVE_OK ? eve_buf_puts(out, "\":", err) : status;
}

enum eve_status eve_saved_raw(struct eve_buf *out, const char *name, struct eve_slice value,
                              struct eve_err *err)
{
    enum eve_status status = put_name(out, name, err);
    return status == EVE_OK ? eve_buf_put(out, value, err) : status;
}

enum eve_status eve_saved_text(struct eve_buf *out, const char *name, struct eve_slice spelled,
                               struct eve_err *err)
{
    enum eve_status status = eve_saved_raw(out, name, eve_str("\""), err);
    if (status == EVE_OK) {
        status = eve_buf_put(out, spelled, err);
    }
    return status == EVE_OK ? eve_buf_putc(out, '"', err) : status;
}

enum eve_status eve_saved_count(struct eve_buf *out, const char *name, uint64_t n,
                                struct eve_err *err)
{
    enum eve_status status = put_name(out, name, err);
    return status == EVE_OK ? eve_buf_put_u64(out, n, err) : status;
}

enum eve_status eve_saved_flag(struct eve_buf *out, const char *name, bool flag,
                               struct eve_err *err)
{
    return eve_saved_raw(out, name, eve_str(flag ? "true" : "false"), err);
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
