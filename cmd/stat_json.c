#include "stat_json.h"

#include "block.h"
#include "str.h"

#include <cjson/cJSON.h>
#include <string.h>

/* What composing needs at hand. */
struct writer {
    const struct stat_view *view;
    struct eve_out *out;
    struct eve_buf text; /* scratch: raw JSON, ended by NUL for cJSON */
};

/* The members of cJSON objects are put in by these. False: no memory. */
static bool put_raw(cJSON *object, const char *name, const char *raw)
{
    return cJSON_AddRawToObject(object, name, raw) != NULL;
}

static bool put_number(cJSON *object, const char *name, uint64_t n)
{
    struct eve_buf digits;
    struct eve_err ignored;
    eve_buf_init(&digits, SIZE_MAX / 2);
    bool put = eve_buf_put_u64(&digits, n, &ignored) == EVE_OK &&
               eve_buf_putc(&digits, '\0', &ignored) == EVE_OK && put_raw(object, name, digits.p);
    eve_buf_fini(&digits);
    return put;
}

static bool put_text(struct writer *w, cJSON *object, const char *name, const char *quote,
                     struct eve_slice raw)
{
    struct eve_err ignored;
    w->text.n = 0;
    return eve_buf_puts(&w->text, quote, &ignored) == EVE_OK &&
           eve_buf_put(&w->text, raw, &ignored) == EVE_OK &&
           eve_buf_puts(&w->text, quote, &ignored) == EVE_OK &&
           eve_buf_putc(&w->text, '\0', &ignored) == EVE_OK && put_raw(object, name, w->text.p);
}

/* A spelled text (see spell.h). */
static bool put_string(struct writer *w, cJSON *object, const char *name, struct eve_slice spelled)
{
    return put_text(w, object, name, "\"", spelled);
}

static bool put_part(struct writer *w, cJSON *object, const char *name, const struct eve_row *row,
                     enum eve_row_part part)
{
    struct eve_json_value value = eve_row_get(row, part);
    return put_text(w, object, name, "",
                    value.kind == EVE_JSON_NONE ? eve_str("null")
                                                : (struct eve_slice){value.p, value.n});
}

static bool put_ratio(cJSON *object, const char *name, struct eve_tally_ratio r)
{
    char text[32];
    return put_raw(object, name, r.known ? stat_view_ratio(text, r) : "null");
}

static bool put_figures(cJSON *object, const struct eve_tally *t)
{
    cJSON *in = object;
    bool put = true;
    for (unsigned f = 0; f < EVE_TALLY_COUNT && put; f++) {
        const char *group = eve_tally_group((enum eve_tally_figure)f);
        if (group != NULL) {
            in = cJSON_GetObjectItemCaseSensitive(object, group);
            in = in != NULL ? in : cJSON_AddObjectToObject(object, group);
        }
        put = in != NULL && put_number(in, eve_tally_name((enum eve_tally_figure)f), t->n[f]);
    }
    return put;
}

static bool put_saved(cJSON *object, const struct eve_tally *t)
{
    cJSON *saved = cJSON_AddObjectToObject(object, "saved");
    return saved != NULL && put_ratio(saved, "percent", eve_tally_percent(t)) &&
           put_ratio(saved, "times", eve_tally_times(t));
}

/* Append `object` printed, and free it. False: no memory. */
static bool print(struct eve_buf *to, cJSON *object)
{
    struct eve_err ignored;
    char *text = object != NULL ? cJSON_PrintUnformatted(object) : NULL;
    bool printed = text != NULL && eve_buf_puts(to, text, &ignored) == EVE_OK;
    cJSON_free(text);
    cJSON_Delete(object);
    return printed;
}

static bool append_count(struct eve_buf *to, const struct eve_tally_count *count)
{
    cJSON *object = cJSON_CreateObject();
    if (object != NULL && put_number(object, "events", count->events) &&
        put_number(object, "bytes", count->bytes) &&
        put_number(object, "removed", count->removed)) {
        return print(to, object);
    }
    cJSON_Delete(object);
    return false;
}

/* Names of types come from the stream; cJSON takes no raw names, so this object is put together
 * here. */
static bool put_types(struct writer *w, cJSON *object, struct eve_tally *t)
{
    struct eve_err ignored;
    struct eve_tally_type *const *types = NULL;
    if (eve_tally_sort(t, false, &types, &ignored) != EVE_OK) {
        return false;
    }
    w->text.n = 0;
    bool put = eve_buf_putc(&w->text, '{', &ignored) == EVE_OK;
    for (size_t i = 0; i < t->type_count && put; i++) {
        put = eve_buf_puts(&w->text, i > 0 ? ",\"" : "\"", &ignored) == EVE_OK &&
              eve_buf_put(&w->text, types[i]->name, &ignored) == EVE_OK &&
              eve_buf_puts(&w->text, "\":", &ignored) == EVE_OK &&
              append_count(&w->text, &types[i]->count);
    }
    return put && eve_buf_put(&w->text, (struct eve_slice){"}", 2}, &ignored) == EVE_OK &&
           put_raw(object, "byType", w->text.p);
}

static bool put_as_if(struct writer *w, cJSON *object, const struct eve_account *a)
{
    cJSON *as_if = cJSON_AddObjectToObject(object, "asIf");
    return as_if != NULL && put_number(as_if, "version", w->view->as_if) &&
           put_number(as_if, "bytes", stat_view_as_if(w->view, a));
}

static bool put_block(struct writer *w, cJSON *object, const struct eve_row *row)
{
    return put_string(w, object, "kind", eve_str(eve_block_kind_name(row->kind))) &&
           put_part(w, object, "turnId", row, EVE_ROW_TURN) &&
           put_part(w, object, "stepIndex", row, EVE_ROW_STEP) &&
           put_part(w, object, "callId", row, EVE_ROW_CALL);
}

static bool put_costs(struct writer *w, cJSON *object, const struct eve_row *row)
{
    return put_number(object, "events", row->events) && put_number(object, "bytes", row->bytes) &&
           put_number(object, "removed", row->removed) &&
           (!w->view->grouped || put_part(w, object, "group", row, EVE_ROW_GROUP));
}

static bool put_largest(struct writer *w, cJSON *object, struct eve_account *const *list,
                        size_t count)
{
    const struct eve_row *best[EVE_ACCOUNT_LARGEST];
    size_t n = eve_accounts_largest(list, count, best);
    cJSON *array = cJSON_AddArrayToObject(object, "largest");
    bool put = array != NULL;
    for (size_t i = 0; i < n && put; i++) {
        cJSON *block = cJSON_CreateObject();
        put = block != NULL && put_block(w, block, best[i]) && put_costs(w, block, best[i]);
        if (put) {
            put = cJSON_AddItemToArray(array, block) != 0;
        } else {
            cJSON_Delete(block);
        }
    }
    return put;
}

/* The figures of an entry, or of all `count` of them, whose sum is `a`; without the breakdown. */
static bool put_account(struct writer *w, cJSON *object, struct eve_account *a,
                        struct eve_account *const *list, size_t count)
{
    return put_figures(object, &a->tally) && put_saved(object, &a->tally) &&
           put_types(w, object, &a->tally) && (w->view->as_if == 0 || put_as_if(w, object, a)) &&
           (w->view->merged || put_largest(w, object, list, count));
}

static bool put_stop(struct writer *w, cJSON *object, const struct eve_account *a)
{
    cJSON *stopped = cJSON_AddObjectToObject(object, "stopped");
    return stopped != NULL && put_number(stopped, "line", a->stop_line) &&
           put_string(w, stopped, "rule", eve_buf_slice(&a->rule));
}

/* A row of the breakdown. `file`: the entry it is of, named in the breakdown of all files. */
static cJSON *compose_row(struct writer *w, const struct eve_row *row,
                          const struct eve_account *file)
{
    struct eve_buf key;
    struct eve_err ignored;
    bool known = false;
    cJSON *object = cJSON_CreateObject();
    eve_buf_init(&key, SIZE_MAX / 2);
    bool put =
        object != NULL && stat_view_key(&key, row, w->view->grouped, &known, &ignored) == EVE_OK;
    if (put && known) {
        put = put_string(w, object, "key", eve_buf_slice(&key));
    } else if (put) {
        put = put_raw(object, "key", "null");
    }
    if (put && file != NULL) {
        put = put_string(w, object, "file", eve_buf_slice(&file->name));
    }
    if (put && row->kind != EVE_EVENT_OTHER) {
        put = put_block(w, object, row);
    } else if (put && w->view->by == STAT_BY_STEP) {
        put = put_part(w, object, "turnId", row, EVE_ROW_TURN) &&
              put_part(w, object, "stepIndex", row, EVE_ROW_STEP);
    }
    eve_buf_fini(&key);
    if (!put || !put_costs(w, object, row) || !put_number(object, "deltaOnly", row->delta_only)) {
        cJSON_Delete(object);
        return NULL;
    }
    return object;
}

/* The one row of a file in a breakdown by file. */
static cJSON *compose_file_row(struct writer *w, const struct eve_account *a)
{
    cJSON *object = cJSON_CreateObject();
    struct eve_row row = stat_view_file_row(a);
    if (object != NULL && put_string(w, object, "key", eve_buf_slice(&a->name)) &&
        put_costs(w, object, &row) && put_number(object, "deltaOnly", row.delta_only)) {
        return object;
    }
    cJSON_Delete(object);
    return NULL;
}

static enum eve_status write_text(struct writer *w, const char *text, struct eve_err *err)
{
    return eve_out_put(w->out, eve_str(text), err);
}

static enum eve_status write_printed(struct writer *w, bool printed, struct eve_err *err)
{
    return printed ? eve_out_put(w->out, eve_buf_slice(&w->text), err) : stat_view_no_memory(err);
}

/* The rows of one entry, behind `*first` others. Rows are many: they are written one by one. */
static enum eve_status write_rows(struct writer *w, const struct eve_account *a, bool named,
                                  bool *first, struct eve_err *err)
{
    bool by_file = w->view->by == STAT_BY_FILE;
    size_t count = by_file ? 1 : a->rows.count;
    enum eve_status status = EVE_OK;
    for (size_t i = 0; i < count && status == EVE_OK; i++) {
        cJSON *row =
            by_file ? compose_file_row(w, a) : compose_row(w, &a->rows.list[i], named ? a : NULL);
        status = *first ? EVE_OK : write_text(w, ",", err);
        *first = false;
        w->text.n = 0;
        bool printed = print(&w->text, row);
        status = status == EVE_OK ? write_printed(w, printed, err) : status;
    }
    return status;
}

/* `object` without its opening bracket, and the breakdown of `count` entries as its last member.
 * Frees `object`. */
static enum eve_status write_members(struct writer *w, cJSON *object, bool composed,
                                     struct eve_account *const *list, size_t count, bool named,
                                     struct eve_err *err)
{
    bool first = true;
    w->text.n = 0;
    if (!print(&w->text, object) || !composed) {
        return stat_view_no_memory(err);
    }
    struct eve_slice members = {w->text.p + 1, w->text.n - 2};
    enum eve_status status = eve_out_put(w->out, members, err);
    if (w->view->by != STAT_BY_NONE && count > 0 && status == EVE_OK) {
        status = write_text(w, ",\"by\":[", err);
        for (size_t i = 0; i < count && status == EVE_OK; i++) {
            if (list[i]->state == EVE_ACCOUNT_READ) {
                status = write_rows(w, list[i], named, &first, err);
            }
        }
        status = status == EVE_OK ? write_text(w, "]", err) : status;
    }
    return status == EVE_OK ? write_text(w, "}", err) : status;
}

static enum eve_status write_file(struct writer *w, struct eve_account *const *file,
                                  struct eve_err *err)
{
    cJSON *object = cJSON_CreateObject();
    bool stopped = (*file)->state == EVE_ACCOUNT_STOPPED;
    bool composed = object != NULL && put_string(w, object, "file", eve_buf_slice(&(*file)->name));
    if (stopped) {
        composed = composed && put_stop(w, object, *file);
    } else {
        composed = composed && put_account(w, object, *file, file, 1);
    }
    return write_members(w, object, composed, file, stopped ? 0 : 1, false, err);
}

static enum eve_status write_total(struct writer *w, struct eve_err *err)
{
    const struct eve_accounts *files = w->view->files;
    cJSON *object = cJSON_CreateObject();
    bool composed =
        object != NULL && put_account(w, object, w->view->total, files->list, files->count);
    return write_members(w, object, composed, files->list, files->count, true, err);
}

enum eve_status stat_json_write(const struct stat_view *v, struct eve_out *out, struct eve_err *err)
{
    struct writer w = {.view = v, .out = out};
    const char *before = "{";
    eve_buf_init(&w.text, SIZE_MAX / 2);
    enum eve_status status = write_text(&w, "{\"schema\":1,\"files\":[", err);
    for (size_t i = 0; i < v->files->count && status == EVE_OK; i++) {
        if (v->files->list[i]->state != EVE_ACCOUNT_UNREAD) {
            status = write_text(&w, before, err);
            status = status == EVE_OK ? write_file(&w, &v->files->list[i], err) : status;
            before = ",{";
        }
    }
    status = status == EVE_OK ? write_text(&w, "],", err) : status;
    status = status == EVE_OK ? write_total(&w, err) : status;
    status = status == EVE_OK ? write_text(&w, "\n", err) : status;
    eve_buf_fini(&w.text);
    return status;
}
