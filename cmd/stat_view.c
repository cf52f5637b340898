#include "stat_view.h"

#include "block.h"
#include "spell.h"
#include "str.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

uint64_t stat_view_as_if(const struct stat_view *v, const struct eve_account *a)
{
    return v->as_if == 24 ? a->as_if : a->tally.n[EVE_TALLY_DELTA_ONLY];
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

/* A string as JSON, spelled once more; `from`: where it begins in `out`. */
static enum eve_status quote(struct eve_buf *out, size_t from, struct eve_err *err)
{
    struct eve_buf json;
    eve_buf_init(&json, SIZE_MAX / 2);
    enum eve_status status = eve_buf_putc(&json, '"', err);
    if (status == EVE_OK) {
        status = eve_buf_put(&json, (struct eve_slice){out->p + from, out->n - from}, err);
    }
    status = status == EVE_OK ? eve_buf_putc(&json, '"', err) : status;
    if (status == EVE_OK) {
        out->n = from;
        status = eve_spell_plain(out, eve_buf_slice(&json), err);
    }
    eve_buf_fini(&json);
    return status;
}

static enum eve_status put_value(struct eve_buf *out, struct eve_json_value value,
                                 struct eve_err *err)
{
    size_t from = out->n;
    if (value.kind != EVE_JSON_STRING) {
        return eve_spell_plain(out, (struct eve_slice){value.p, value.n}, err);
    }
    enum eve_status status = eve_spell_put(out, from, value, err);
    if (status != EVE_OK) {
        return status;
    }
    size_t n = out->n - from;
    bool plain = n > 0 && memchr(out->p + from, '/', n) == NULL &&
                 !(n > 1 && memcmp(out->p + from, "\\\"", 2) == 0);
    return plain ? EVE_OK : quote(out, from, err);
}

/* The slashes before a part: one for each part before it. */
static enum eve_status put_slashes(struct eve_buf *out, unsigned *due, struct eve_err *err)
{
    enum eve_status status = EVE_OK;
    for (; *due > 0 && status == EVE_OK; --*due) {
        status = eve_buf_putc(out, '/', err);
    }
    *due = 1;
    return status;
}

enum eve_status stat_view_key(struct eve_buf *out, const struct eve_row *row, bool grouped,
                              bool *known, struct eve_err *err)
{
    unsigned due = 0;
    enum eve_status status = EVE_OK;
    *known = false;
    for (unsigned part = 0; part < EVE_ROW_PARTS && status == EVE_OK; part++) {
        struct eve_json_value value = eve_row_get(row, (enum eve_row_part)part);
        if (part == EVE_ROW_CALL && row->kind != EVE_EVENT_OTHER) {
            status = put_slashes(out, &due, err);
            status =
                status == EVE_OK ? eve_buf_puts(out, eve_block_kind_name(row->kind), err) : status;
            *known = true;
        }
        if (value.kind != EVE_JSON_NONE && status == EVE_OK) {
            status = put_slashes(out, &due, err);
            status = status == EVE_OK ? put_value(out, value, err) : status;
            *known = true;
        } else if (part == EVE_ROW_GROUP ? grouped : part != EVE_ROW_TYPE) {
            due++;
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
