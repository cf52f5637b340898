#include "compose.h"
#include "format_ops.h"
#include "str.h"

/* A number from 1 on, or null. */
static bool add_place(cJSON *o, const char *name, uint64_t n)
{
    return n > 0 ? compose_number(o, name, n) : cJSON_AddNullToObject(o, name) != NULL;
}

static bool add_members(const struct format *f, const struct eve_finding *finding, cJSON *o)
{
    bool ok = compose_number(o, "schema", 1) && compose_bytes(o, "file", format_file(f)) &&
              add_place(o, "line", finding->line) && add_place(o, "column", finding->column) &&
              compose_text(o, "severity", eve_diag_level(finding->level)) &&
              compose_text(o, "rule", eve_rules_get(finding->rule)->id) &&
              compose_text(o, "message", finding->message);
    if (ok && finding->event != EVE_FINDING_NO_EVENT) {
        ok = compose_number(o, "event", finding->event);
    } else if (ok) {
        ok = cJSON_AddNullToObject(o, "event") != NULL;
    }
    return ok && compose_string(o, "type", finding->type) && compose_string(o, "id", finding->id);
}

static enum eve_status put_finding(struct format *f, const struct eve_finding *finding,
                                   struct eve_err *err)
{
    cJSON *o = cJSON_CreateObject();
    char *line = o != NULL && add_members(f, finding, o) ? cJSON_PrintUnformatted(o) : NULL;
    enum eve_status status =
        line != NULL ? FORMAT_PUTS(&f->piece, err, line, "\n") : format_no_memory(err);
    cJSON_free(line);
    cJSON_Delete(o);
    return status == EVE_OK ? format_flush_piece(f, err) : status;
}

const struct format_ops format_json = {.finding = put_finding};
