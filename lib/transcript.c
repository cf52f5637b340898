#include "transcript.h"

#include "key.h"
#include "record.h"
#include "spell.h"
#include "str.h"
#include "text.h"

enum { KEEP_ROOM = 1 << 16 };

#define BOLD "\033[1m"
#define FAINT "\033[2m"
#define PLAIN "\033[0m"

void eve_transcript_init(struct eve_transcript *t, const struct eve_transcript_options *options)
{
    *t = (struct eve_transcript){.options = *options};
    eve_buf_init(&t->text, SIZE_MAX / 2);
    eve_buf_init(&t->page, SIZE_MAX / 2);
    eve_buf_init(&t->turn, SIZE_MAX / 2);
}

void eve_transcript_fini(struct eve_transcript *t)
{
    eve_buf_fini(&t->text);
    eve_buf_fini(&t->page);
    eve_buf_fini(&t->turn);
}

void eve_transcript_next(struct eve_transcript *t)
{
    t->turn.n = 0;
}

/* Append the bytes of a value. */
static enum eve_status put_raw(struct eve_transcript *t, struct eve_json_value value,
                               struct eve_err *err)
{
    struct eve_slice raw = {value.p, value.n};
    return t->options.terminal ? eve_spell_guard(&t->page, raw, err)
                               : eve_buf_put(&t->page, raw, err);
}

/* Append a value of the stream as a word: what a string says, the bytes of anything else. */
static enum eve_status put_word(struct eve_transcript *t, struct eve_json_value value,
                                struct eve_err *err)
{
    eve_buf_clear(&t->text, KEEP_ROOM);
    if (value.kind != EVE_JSON_STRING) {
        return put_raw(t, value, err);
    }
    enum eve_status status = eve_spell_put(&t->text, 0, value, err);
    return status == EVE_OK
               ? eve_spell_to_text(&t->page, eve_buf_slice(&t->text), t->options.terminal, err)
               : status;
}

/* On a terminal: `--- GROUP turn_0 ---`, where another turn begins. */
static enum eve_status put_heading(struct eve_transcript *t, struct eve_json_value group,
                                   struct eve_json_value turn, struct eve_err *err)
{
    if (!t->options.terminal || t->options.nul || turn.kind == EVE_JSON_NONE) {
        return EVE_OK;
    }
    eve_buf_clear(&t->text, KEEP_ROOM);
    enum eve_status status = eve_key_put(&t->text, group, err);
    if (status == EVE_OK) {
        status = eve_key_put(&t->text, turn, err);
    }
    if (status != EVE_OK || eve_str_equal(eve_buf_slice(&t->text), eve_buf_slice(&t->turn))) {
        return status;
    }
    t->turn.n = 0;
    status = eve_buf_put(&t->turn, eve_buf_slice(&t->text), err);
    if (status == EVE_OK) {
        status = eve_buf_puts(&t->page, t->options.color ? BOLD "--- " : "--- ", err);
    }
    if (status == EVE_OK && group.kind != EVE_JSON_NONE) {
        status = put_word(t, group, err);
        status = status == EVE_OK ? eve_buf_putc(&t->page, ' ', err) : status;
    }
    if (status == EVE_OK) {
        status = put_word(t, turn, err);
    }
    return status == EVE_OK
               ? eve_buf_puts(&t->page, t->options.color ? " ---" PLAIN "\n\n" : " ---\n\n", err)
               : status;
}

/* Begin a block on the page: an empty line, a heading. */
static enum eve_status open_page(struct eve_transcript *t, const struct eve_json_value group,
                                 struct eve_json_value turn, struct eve_err *err)
{
    enum eve_status status = EVE_OK;
    eve_buf_clear(&t->page, KEEP_ROOM);
    if (t->begun && !t->options.nul) {
        status = eve_buf_putc(&t->page, '\n', err);
    }
    return status == EVE_OK ? put_heading(t, group, turn, err) : status;
}

static enum eve_status close_page(struct eve_transcript *t, struct eve_out *out,
                                  struct eve_err *err)
{
    enum eve_status status = eve_buf_putc(&t->page, t->options.nul ? '\0' : '\n', err);
    t->begun = true;
    return status == EVE_OK ? eve_out_put(out, eve_buf_slice(&t->page), err) : status;
}

/* Append a spelled text, with `mark` before each line. */
static enum eve_status put_text(struct eve_transcript *t, struct eve_slice spelled,
                                const char *mark, struct eve_err *err)
{
    if (*mark == '\0') {
        return eve_spell_to_text(&t->page, spelled, t->options.terminal, err);
    }
    /* `spelled` may be in t->text. */
    size_t from = t->page.n;
    enum eve_status status = eve_spell_to_text(&t->page, spelled, t->options.terminal, err);
    eve_buf_clear(&t->text, KEEP_ROOM);
    if (status == EVE_OK) {
        status = eve_buf_put(&t->text, eve_str_sub(eve_buf_slice(&t->page), from, t->page.n), err);
    }
    t->page.n = from;
    struct eve_slice rest = eve_buf_slice(&t->text);
    while (status == EVE_OK) {
        const char *lf = rest.n > 0 ? memchr(rest.p, '\n', rest.n) : NULL;
        size_t n = lf != NULL ? (size_t)(lf - rest.p) + 1 : rest.n;
        status = eve_buf_puts(&t->page, mark, err);
        if (status == EVE_OK) {
            status = eve_buf_put(&t->page, eve_str_sub(rest, 0, n), err);
        }
        rest = eve_str_sub(rest, n, rest.n);
        if (lf == NULL) {
            break;
        }
    }
    return status;
}

/* `* NAME INPUT`; of an unfinished call the text so far, in one line: between the tokens of JSON a
 * space is as good as a line end. */
static enum eve_status put_call(struct eve_transcript *t, const struct eve_ending *e,
                                struct eve_err *err)
{
    enum eve_status status = eve_buf_puts(&t->page, "*", err);
    if (status == EVE_OK && e->part[EVE_DRAFT_TOOL].kind != EVE_JSON_NONE) {
        status = eve_buf_putc(&t->page, ' ', err);
        status = status == EVE_OK ? put_word(t, e->part[EVE_DRAFT_TOOL], err) : status;
    }
    bool requested = e->state == EVE_ENDING_COMPLETED;
    if (status == EVE_OK && (requested ? e->input.n : e->text.n) > 0) {
        status = eve_buf_putc(&t->page, ' ', err);
    }
    size_t from = t->page.n;
    if (status == EVE_OK) {
        status = requested ? put_raw(t, e->input, err)
                           : eve_spell_to_text(&t->page, e->text, t->options.terminal, err);
    }
    for (size_t i = from; i < t->page.n && !requested; i++) {
        bool ends_line = t->page.p[i] == '\n' || t->page.p[i] == '\r';
        t->page.p[i] = ends_line ? ' ' : t->page.p[i];
    }
    return status;
}

static bool is_shown(const struct eve_transcript *t, const struct eve_ending *e)
{
    if (e->kind == EVE_EVENT_INPUT_APPENDED) {
        return !e->late;
    }
    return !e->late && !e->no_text && e->text.n > 0 &&
           (e->kind == EVE_EVENT_MESSAGE_APPENDED || t->options.reasoning);
}

enum eve_status eve_transcript_block(struct eve_transcript *t, const struct eve_ending *e,
                                     struct eve_out *out, struct eve_err *err)
{
    bool reasoning = e->kind == EVE_EVENT_REASONING_APPENDED;
    bool faint = reasoning && t->options.color;
    if (!is_shown(t, e)) {
        return EVE_OK;
    }
    enum eve_status status = open_page(t, e->part[EVE_DRAFT_GROUP], e->part[EVE_DRAFT_TURN], err);
    if (status == EVE_OK && faint) {
        status = eve_buf_puts(&t->page, FAINT, err);
    }
    if (status == EVE_OK) {
        status = e->kind == EVE_EVENT_INPUT_APPENDED
                     ? put_call(t, e, err)
                     : put_text(t, e->text, reasoning ? "| " : "", err);
    }
    if (status == EVE_OK && e->state != EVE_ENDING_COMPLETED) {
        status = eve_buf_puts(&t->page, " [", err);
        status =
            status == EVE_OK ? eve_buf_puts(&t->page, eve_record_state(e->state), err) : status;
        status = status == EVE_OK ? eve_buf_putc(&t->page, ']', err) : status;
    }
    if (status == EVE_OK && faint) {
        status = eve_buf_puts(&t->page, PLAIN, err);
    }
    return status == EVE_OK ? close_page(t, out, err) : status;
}

enum eve_status eve_transcript_event(struct eve_transcript *t, const struct eve_event *ev,
                                     struct eve_out *out, struct eve_err *err)
{
    struct eve_json_value message = eve_event_value(ev, EVE_FIELD_MESSAGE);
    if (ev->type != EVE_EVENT_MESSAGE_RECEIVED || message.kind != EVE_JSON_STRING ||
        eve_text_of(message).n == 0) {
        return EVE_OK;
    }
    enum eve_status status = open_page(t, ev->group, eve_event_value(ev, EVE_FIELD_TURN_ID), err);
    eve_buf_clear(&t->text, KEEP_ROOM);
    if (status == EVE_OK) {
        status = eve_spell_put(&t->text, 0, message, err);
    }
    if (status == EVE_OK) {
        status = put_text(t, eve_buf_slice(&t->text), "> ", err);
    }
    return status == EVE_OK ? close_page(t, out, err) : status;
}
