#include "evestream.h"

#include "accum.h"
#include "block.h"
#include "decode.h"
#include "diag.h"
#include "event.h"
#include "line.h"
#include "mem.h"
#include "out.h"
#include "record.h"
#include "spell.h"
#include "str.h"
#include "text.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

enum { KEEP_ROOM = 1 << 20 };

struct eve_stream {
    struct eve_stream_options options;
    struct eve_event_options parse;
    struct eve_stream_error error;
    struct eve_line_reader reader;
    struct eve_event event;
    struct eve_decoder decoder;
    struct eve_accum *accum; /* NULL: no blocks are wanted */
    struct eve_buf group;    /* name of the group member, spelled */
    struct eve_buf line;     /* a line of the caller's, with the slack that scanners need */
    struct eve_buf norm;     /* the event in delta-only form, if that is another */
    struct eve_buf records;  /* of blocks that ended, one a line */
    struct eve_out out;      /* puts them there */
    size_t handed;           /* bytes of records handed out */
    uint64_t number;         /* of the line at hand */
    uint64_t index;          /* of the next event */
    bool reads;
    bool ended;
};

static enum eve_status on_ended(void *ctx, const struct eve_ending *e, struct eve_err *err)
{
    struct eve_stream *s = ctx;
    return eve_record_write(e, eve_buf_slice(&s->group), &s->out, err);
}

const char *eve_stream_version(void)
{
    return EVE_STREAM_VERSION;
}

/* What can fail of a new object. */
static enum eve_status build(struct eve_stream *s, struct eve_err *err)
{
    struct eve_accum_options options = {.ended = on_ended, .ctx = s};
    enum eve_status status = EVE_OK;
    if (s->options.group_by != NULL) {
        s->parse.group = eve_str(s->options.group_by);
        status = eve_spell_plain(&s->group, s->parse.group, err);
    }
    if (status == EVE_OK && s->options.blocks) {
        /* A seed that cannot be had is 0, and tables still work. */
        if (getrandom(options.seed, sizeof options.seed, GRND_NONBLOCK) < 0) {
            options.seed[0] = 0;
        }
        status = eve_accum_new(&s->accum, &options, err);
    }
    return status;
}

struct eve_stream *eve_stream_new(const struct eve_stream_options *options)
{
    struct eve_stream *s = NULL;
    struct eve_err err;
    unsigned version = options != NULL ? options->version : EVE_VERSION_AUTO;
    if (version != EVE_VERSION_AUTO && (version < EVE_VERSION_MIN || version > EVE_VERSION_MAX)) {
        return NULL;
    }
    if (eve_mem_resize(&s, 1, sizeof *s, &err) != EVE_OK) {
        return NULL;
    }
    *s = (struct eve_stream){0};
    if (options != NULL) {
        s->options = *options;
    }
    eve_decode_init(&s->decoder);
    eve_buf_init(&s->group, SIZE_MAX / 2);
    eve_buf_init(&s->line, SIZE_MAX / 2);
    eve_buf_init(&s->norm, SIZE_MAX / 2);
    eve_buf_init(&s->records, SIZE_MAX / 2);
    if (build(s, &err) != EVE_OK) {
        eve_stream_free(s);
        return NULL;
    }
    return s;
}

void eve_stream_free(struct eve_stream *s)
{
    if (s == NULL) {
        return;
    }
    if (s->reads) {
        eve_line_fini(&s->reader);
    }
    eve_accum_free(s->accum);
    eve_decode_fini(&s->decoder);
    eve_buf_fini(&s->group);
    eve_buf_fini(&s->line);
    eve_buf_fini(&s->norm);
    eve_buf_fini(&s->records);
    eve_mem_free(s);
}

/* A new call: what the last one handed out is gone. */
static void turn_over(struct eve_stream *s)
{
    s->error = (struct eve_stream_error){0};
    eve_out_init_memory(&s->out, &s->records);
    s->event = (struct eve_event){0};
    eve_buf_clear(&s->records, KEEP_ROOM);
    s->handed = 0;
}

static void begin(struct eve_stream *s)
{
    if (s->reads) {
        eve_line_fini(&s->reader);
        s->reads = false;
    }
    if (s->accum != NULL) {
        eve_accum_clear(s->accum);
    }
    s->number = s->index = 0;
    s->ended = false;
}

void eve_stream_open(struct eve_stream *s, int fd)
{
    struct eve_line_options options = {.max_bytes = s->options.max_line};
    turn_over(s);
    begin(s);
    eve_line_init(&s->reader, fd, &options);
    s->reads = true;
}

static enum eve_stream_status fail(struct eve_stream *s, enum eve_status status,
                                   const struct eve_err *err)
{
    s->error = (struct eve_stream_error){eve_diag_rule(err->rule), err->msg, 0, 0, err->sys};
    if (err->rule != EVE_RULE_NONE) {
        s->error.line = s->number;
        s->error.column = err->pos + 1;
    }
    return status == EVE_BAD ? EVE_STREAM_BAD : EVE_STREAM_FAIL;
}

static struct eve_stream_bytes bytes_of(struct eve_json_value value)
{
    return value.kind == EVE_JSON_NONE ? (struct eve_stream_bytes){0}
                                       : (struct eve_stream_bytes){value.p, value.n};
}

static enum eve_status fill_in(struct eve_stream *s, struct eve_stream_event *event,
                               struct eve_err *err)
{
    const struct eve_event *ev = &s->event;
    *event = (struct eve_stream_event){.line = s->number,
                                       .index = s->index,
                                       .type = bytes_of(ev->type_value),
                                       .found = {ev->text.p, ev->text.n},
                                       .delta_only = {ev->text.p, ev->text.n},
                                       .legacy = s->decoder.legacy};
    if (ev->type <= EVE_EVENT_INPUT_APPENDED) {
        event->append = eve_block_kind_name(ev->type);
        event->delta = bytes_of(eve_event_value(ev, eve_decode_delta_field(ev->type)));
    }
    if (event->append != NULL && s->accum != NULL) {
        struct eve_slice text = eve_buf_slice(&eve_accum_draft(s->accum)->text);
        event->text = (struct eve_stream_bytes){text.n > 0 ? text.p : "", text.n};
    }
    if (s->decoder.edits.n == 0) {
        return EVE_OK;
    }
    eve_buf_clear(&s->norm, KEEP_ROOM);
    enum eve_status status = eve_edit_put(&s->decoder.edits, ev->text, &s->norm, err);
    event->delta_only = (struct eve_stream_bytes){s->norm.p, s->norm.n};
    return status;
}

/* EVE_END: no event is in the line. */
static enum eve_status take(struct eve_stream *s, struct eve_slice line, bool ended,
                            struct eve_stream_event *event, struct eve_err *err)
{
    enum eve_status status = eve_event_parse(&s->event, line, ended, &s->parse, err);
    if (status == EVE_OK && s->event.kind != EVE_LINE_EVENT) {
        return EVE_END;
    }
    if (status == EVE_OK) {
        status = eve_decode(&s->decoder, &s->event, s->options.version, true, err);
    }
    if (status == EVE_OK && s->accum != NULL) {
        status = eve_accum_event(s->accum, &s->event, s->decoder.legacy, s->index, err);
    }
    if (status == EVE_OK) {
        status = fill_in(s, event, err);
    }
    if (status == EVE_OK) {
        s->index++;
    } else {
        s->event = (struct eve_event){0};
    }
    return status;
}

static enum eve_stream_status end_blocks(struct eve_stream *s)
{
    struct eve_err err;
    enum eve_status status = s->accum != NULL ? eve_accum_end(s->accum, &err) : EVE_OK;
    return status == EVE_OK ? EVE_STREAM_OK : fail(s, status, &err);
}

enum eve_stream_status eve_stream_next(struct eve_stream *s, struct eve_stream_event *event)
{
    struct eve_line line;
    struct eve_err err;
    enum eve_status status = EVE_END;
    turn_over(s);
    if (s->reads && !s->ended && s->reader.source.fd < 0) { /* would be waited for without end */
        s->ended = true;
        status = eve_fail(&err, EVE_FAIL, EVE_RULE_NONE, "not open", 0, EBADF);
    }
    while (s->reads && !s->ended && status == EVE_END) {
        status = eve_line_next(&s->reader, &line, &err);
        s->number = s->reader.number;
        if (status == EVE_END) {
            s->ended = true;
            enum eve_stream_status end = end_blocks(s);
            return end == EVE_STREAM_OK ? EVE_STREAM_END : end;
        }
        s->number = status == EVE_FAIL ? s->number + 1 : s->number;
        status = status == EVE_OK ? take(s, line.text, line.ended, event, &err) : status;
    }
    s->ended = s->ended || status == EVE_FAIL;
    return status == EVE_OK    ? EVE_STREAM_OK
           : status == EVE_END ? EVE_STREAM_END
                               : fail(s, status, &err);
}

enum eve_stream_status eve_stream_line(struct eve_stream *s, const char *p, size_t n,
                                       struct eve_stream_event *event)
{
    struct eve_err err;
    bool ended = n > 0 && p[n - 1] == '\n';
    turn_over(s);
    s->number++;
    eve_buf_clear(&s->line, KEEP_ROOM);
    n -= ended;
    /* To the scanner LF is white space; a delta-only form that holds one would be two lines. */
    const char *lf = n > 0 ? memchr(p, '\n', n) : NULL;
    if (lf != NULL) {
        eve_fail(&err, EVE_BAD, EVE_RULE_JSON_SYNTAX, "more than one line", (size_t)(lf - p), 0);
        return fail(s, EVE_BAD, &err);
    }
    enum eve_status status = eve_buf_put(&s->line, (struct eve_slice){p, n}, &err);
    if (status == EVE_OK) {
        status = eve_buf_reserve(&s->line, EVE_LINE_SLACK, &err);
    }
    if (status == EVE_OK) {
        memset(s->line.p + n, 0, EVE_LINE_SLACK);
        status = take(s, (struct eve_slice){s->line.p, n}, ended, event, &err);
    }
    return status == EVE_OK    ? EVE_STREAM_OK
           : status == EVE_END ? EVE_STREAM_END
                               : fail(s, status, &err);
}

enum eve_stream_status eve_stream_end(struct eve_stream *s)
{
    turn_over(s);
    enum eve_stream_status status = end_blocks(s);
    begin(s);
    return status;
}

bool eve_stream_block(struct eve_stream *s, struct eve_stream_bytes *record)
{
    if (s->handed == s->records.n) {
        return false;
    }
    const char *p = s->records.p + s->handed;
    const char *lf = memchr(p, '\n', s->records.n - s->handed);
    *record = (struct eve_stream_bytes){p, (size_t)(lf - p)};
    s->handed += record->n + 1;
    return true;
}

struct eve_stream_bytes eve_stream_data(const struct eve_stream *s, const char *name)
{
    return bytes_of(eve_event_find(s->event.data, name));
}

bool eve_stream_says(struct eve_stream_bytes value, const char *text)
{
    struct eve_json_value string = {value.p, value.n, EVE_JSON_STRING, true};
    return value.p != NULL && value.n >= 2 && *value.p == '"' && eve_text_is(string, text);
}

const struct eve_stream_error *eve_stream_error(const struct eve_stream *s)
{
    return &s->error;
}
