#include "stat_view.h"

#include "spell.h"
#include "str.h"

#include <errno.h>
#include <stdio.h>

uint64_t stat_view_as_if(const struct stat_view *v, const struct eve_account *a)
{
    return v->as_if == 24 ? a->as_if : a->tally.n[EVE_TALLY_DELTA_ONLY];
}

const char *stat_view_kind(const struct eve_row *row)
{
    switch (row->kind) {
    case EVE_EVENT_MESSAGE_APPENDED:
        return "message";
    case EVE_EVENT_REASONING_APPENDED:
        return "reasoning";
    default:
        return "input";
    }
}

struct eve_row stat_view_file_row(const struct eve_account *a)
{
    struct eve_row row = {.kind = EVE_EVENT_OTHER,
                          .events = a->tally.n[EVE_TALLY_EVENTS],
                          .removed = a->tally.n[EVE_TALLY_REMOVED],
                          .delta_only = a->tally.n[EVE_TALLY_DELTA_ONLY]};
    for (size_t i = 0; i < a->tally.type_count; i++) {
        row.bytes += a->tally.types[i].count.bytes;
    }
    return row;
}

/* A slash before all parts but the first. */
static enum eve_status next_part(struct eve_buf *out, bool *known, struct eve_err *err)
{
    enum eve_status status = *known ? eve_buf_putc(out, '/', err) : EVE_OK;
    *known = true;
    return status;
}

static enum eve_status put_value(struct eve_buf *out, struct eve_json_value value,
                                 struct eve_err *err)
{
    return value.kind == EVE_JSON_STRING
               ? eve_spell_put(out, out->n, value, err)
               : eve_spell_plain(out, (struct eve_slice){value.p, value.n}, err);
}

enum eve_status stat_view_key(struct eve_buf *out, const struct eve_row *row, bool *known,
                              struct eve_err *err)
{
    enum eve_status status = EVE_OK;
    *known = false;
    for (unsigned part = 0; part < EVE_ROW_PARTS && status == EVE_OK; part++) {
        struct eve_json_value value = eve_row_get(row, (enum eve_row_part)part);
        if (part == EVE_ROW_CALL && row->kind != EVE_EVENT_OTHER) {
            status = next_part(out, known, err);
            if (status == EVE_OK) {
                status = eve_buf_puts(out, stat_view_kind(row), err);
            }
        }
        if (value.kind != EVE_JSON_NONE && status == EVE_OK) {
            status = next_part(out, known, err);
            if (status == EVE_OK) {
                status = put_value(out, value, err);
            }
        }
    }
    return status;
}

const char *stat_view_ratio(char *buf, struct eve_tally_ratio r)
{
    if (!r.known) {
        return "-";
    }
    (void)snprintf(buf, 32, "%llu.%02u", (unsigned long long)r.whole, r.hundredths);
    return buf;
}

enum eve_status stat_view_no_memory(struct eve_err *err)
{
    return eve_fail(err, EVE_FAIL, EVE_RULE_NONE, "out of memory", 0, ENOMEM);
}
