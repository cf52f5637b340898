#include "stat_csv.h"

#include "spell.h"
#include "str.h"

#include <string.h>

enum { KEEP_ROOM = 4096 };

/* What writing needs at hand. */
struct writer {
    const struct stat_view *view;
    struct eve_out *out;
    struct eve_buf line; /* scratch */
    bool guard;
};

/* A field: a spelled text, in quotes where it holds what parts fields or lines. */
static enum eve_status put_field(struct writer *w, struct eve_slice spelled, struct eve_err *err)
{
    struct eve_buf *line = &w->line;
    struct eve_buf text;
    eve_buf_init(&text, SIZE_MAX / 2);
    enum eve_status status = eve_spell_to_text(&text, spelled, w->guard, err);
    bool quoted = false;
    for (size_t i = 0; i < text.n; i++) {
        quoted = quoted || memchr(",\"\r\n", text.p[i], 4) != NULL;
    }
    if (status == EVE_OK && quoted) {
        status = eve_buf_putc(line, '"', err);
    }
    for (size_t i = 0; i < text.n && status == EVE_OK; i++) {
        if (text.p[i] == '"') {
            status = eve_buf_putc(line, '"', err);
        }
        status = status == EVE_OK ? eve_buf_putc(line, text.p[i], err) : status;
    }
    if (status == EVE_OK && quoted) {
        status = eve_buf_putc(line, '"', err);
    }
    eve_buf_fini(&text);
    return status;
}

static enum eve_status put_number(struct eve_buf *line, uint64_t n, struct eve_err *err)
{
    enum eve_status status = eve_buf_putc(line, ',', err);
    return status == EVE_OK ? eve_buf_put_u64(line, n, err) : status;
}

static enum eve_status write_row(struct writer *w, const struct eve_account *file,
                                 struct eve_slice key, const struct eve_row *row,
                                 struct eve_err *err)
{
    const uint64_t numbers[] = {row->events, row->bytes, row->removed, row->delta_only};
    eve_buf_clear(&w->line, KEEP_ROOM);
    enum eve_status status = put_field(w, eve_buf_slice(&file->name), err);
    status = status == EVE_OK ? eve_buf_putc(&w->line, ',', err) : status;
    status = status == EVE_OK ? put_field(w, key, err) : status;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers && status == EVE_OK; i++) {
        status = put_number(&w->line, numbers[i], err);
    }
    status = status == EVE_OK ? eve_buf_puts(&w->line, "\r\n", err) : status;
    return status == EVE_OK ? eve_out_put(w->out, eve_buf_slice(&w->line), err) : status;
}

static enum eve_status write_file(struct writer *w, const struct eve_account *file,
                                  struct eve_err *err)
{
    const struct stat_view *v = w->view;
    struct eve_buf key;
    bool known = false;
    enum eve_status status = EVE_OK;
    eve_buf_init(&key, SIZE_MAX / 2);
    if (v->by == STAT_BY_NONE || v->by == STAT_BY_FILE) {
        struct eve_row row = stat_view_file_row(file);
        struct eve_slice none = {0};
        return write_row(w, file, v->by == STAT_BY_FILE ? eve_buf_slice(&file->name) : none, &row,
                         err);
    }
    for (size_t i = 0; i < file->rows.count && status == EVE_OK; i++) {
        eve_buf_clear(&key, KEEP_ROOM);
        status = stat_view_key(&key, &file->rows.list[i], v->grouped, &known, err);
        if (status == EVE_OK) {
            status = write_row(w, file, eve_buf_slice(&key), &file->rows.list[i], err);
        }
    }
    eve_buf_fini(&key);
    return status;
}

enum eve_status stat_csv_write(const struct stat_view *v, bool guard, struct eve_out *out,
                               struct eve_err *err)
{
    struct writer w = {.view = v, .out = out, .guard = guard};
    eve_buf_init(&w.line, SIZE_MAX / 2);
    enum eve_status status =
        eve_out_put(out, eve_str("file,key,events,bytes,removed,deltaOnly\r\n"), err);
    for (size_t i = 0; i < v->files->count && status == EVE_OK; i++) {
        if (v->files->list[i]->state == EVE_ACCOUNT_READ) {
            status = write_file(&w, v->files->list[i], err);
        }
    }
    eve_buf_fini(&w.line);
    return status;
}
