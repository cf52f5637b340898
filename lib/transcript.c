#include "transcript.h"

#include "key.h"
#include "record.h"
#include "show.h"
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

/* How a text is shown. */
static struct eve_show show(struct eve_transcript *t, struct eve_out *out)
{
    return (struct eve_show){.out = out, .buf = &t->page, .guard = t->options.terminal};
}

static enum eve_status put(struct eve_out *out, const char *s, struct eve_err *err)
{
    return eve_out_put(out, eve_str(s), err);
}

/* Write a value of the stream as a word: what a string says, the bytes of anything else. */
static enum eve_status put_word(struct eve_transcript *t, struct eve_json_value value,
                                struct eve_out *out, struct eve_err *err)
{
    struct eve_show how = show(t, out);
    if (value.kind != EVE_JSON_STRING) {
        return eve_show_plain(&how, (struct eve_slice){value.p, value.n}, err);
    }
    eve_buf_clear(&t->text, KEEP_ROOM);
    enum eve_status status = eve_spell_put(&t->text, 0, value, err);
    return status == EVE_OK ? eve_show_text(&how, eve_buf_slice(&t->text), err) : status;
}

/* On a terminal: `--- GROUP turn_0 ---`, where another turn begins. */
static enum eve_status put_heading(struct eve_transcript *t, struct eve_json_value group,
                                   struct eve_json_value turn, struct eve_out *out,
                                   struct eve_err *err)
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
        status = put(out, t->options.color ? BOLD "--- " : "--- ", err);
    }
    if (status == EVE_OK && group.kind != EVE_JSON_NONE) {
        status = put_word(t, group, out, err);
        status = status == EVE_OK ? put(out, " ", err) : status;
    }
    if (status == EVE_OK) {
        status = put_word(t, turn, out, err);
    }
    return status == EVE_OK ? put(out, t->options.color ? " ---" PLAIN "\n\n" : " ---\n\n", err)
                            : status;
}

/* A block begins: an empty line, a heading. */
static enum eve_status begin(struct eve_transcript *t, struct eve_json_value group,
                             struct eve_json_value turn, struct eve_out *out, struct eve_err *err)
{
    enum eve_status status = t->begun && !t->options.nul ? put(out, "\n", err) : EVE_OK;
    return status == EVE_OK ? put_heading(t, group, turn, out, err) : status;
}

static enum eve_status end(struct eve_transcript *t, struct eve_out *out, struct eve_err *err)
{
    char last = t->options.nul ? '\0' : '\n';
    t->begun = true;
    return eve_out_put(out, (struct eve_slice){&last, 1}, err);
}

/* A spelled text, with `mark` before each line; NULL: nothing. */
static enum eve_status put_text(struct eve_transcript *t, struct eve_slice spelled,
                                const char *mark, struct eve_out *out, struct eve_err *err)
{
    struct eve_show how = show(t, out);
    how.mark = mark;
    return eve_show_text(&how, spelled, err);
}

/* `* NAME INPUT`; of an unfinished call the text so far, in one line: between the tokens of JSON a
 * space is as good as a line end. */
static enum eve_status put_call(struct eve_transcript *t, const struct eve_ending *e,
                                struct eve_out *out, struct eve_err *err)
{
    struct eve_show how = show(t, out);
    enum eve_status status = put(out, "*", err);
    if (status == EVE_OK && e->part[EVE_DRAFT_TOOL].kind != EVE_JSON_NONE) {
        status = put(out, " ", err);
        status = status == EVE_OK ? put_word(t, e->part[EVE_DRAFT_TOOL], out, err) : status;
    }
    bool requested = e->state == EVE_ENDING_COMPLETED;
    if (status == EVE_OK && (requested ? e->input.n : e->text.n) > 0) {
        status = put(out, " ", err);
    }
    how.one_line = !requested;
    if (status != EVE_OK) {
        return status;
    }
    return requested ? eve_show_plain(&how, (struct eve_slice){e->input.p, e->input.n}, err)
                     : eve_show_text(&how, e->text, err);
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
    enum eve_status status = begin(t, e->part[EVE_DRAFT_GROUP], e->part[EVE_DRAFT_TURN], out, err);
    if (status == EVE_OK && faint) {
        status = put(out, FAINT, err);
    }
    if (status == EVE_OK) {
        status = e->kind == EVE_EVENT_INPUT_APPENDED
                     ? put_call(t, e, out, err)
                     : put_text(t, e->text, reasoning ? "| " : NULL, out, err);
    }
    if (status == EVE_OK && e->state != EVE_ENDING_COMPLETED) {
        status = put(out, " [", err);
        status = status == EVE_OK ? put(out, eve_record_state(e->state), err) : status;
        status = status == EVE_OK ? put(out, "]", err) : status;
    }
    if (status == EVE_OK && faint) {
        status = put(out, PLAIN, err);
    }
    return status == EVE_OK ? end(t, out, err) : status;
}

enum eve_status eve_transcript_event(struct eve_transcript *t, const struct eve_event *ev,
                                     struct eve_out *out, struct eve_err *err)
{
    struct eve_json_value message = eve_event_value(ev, EVE_FIELD_MESSAGE);
    if (ev->type != EVE_EVENT_MESSAGE_RECEIVED || message.kind != EVE_JSON_STRING ||
        eve_text_of(message).n == 0) {
        return EVE_OK;
    }
    enum eve_status status = begin(t, ev->group, eve_event_value(ev, EVE_FIELD_TURN_ID), out, err);
    eve_buf_clear(&t->text, KEEP_ROOM);
    if (status == EVE_OK) {
        status = eve_spell_put(&t->text, 0, message, err);
    }
    if (status == EVE_OK) {
        status = put_text(t, eve_buf_slice(&t->text), "> ", out, err);
    }
    return status == EVE_OK ? end(t, out, err) : status;
}
