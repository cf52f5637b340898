#include "expect.h"

#include "mem.h"
#include "str.h"
#include "text.h"
#include "value.h"
#include "words.h"

/* Bytes of a value that a message shows at most, and before the place where two part. */
enum { SHOWN_BYTES = 40, SHOWN_BEFORE = 15 };

/* Calls that a message names at most. */
enum { SHOWN_CALLS = 3 };

struct eve_expect {
    struct eve_expect_options options;
    struct eve_expect_tally seen;
    const struct eve_expect_type *ahead; /* the next type of the order */
    uint64_t passed;                     /* types of the order that came */
    uint64_t retries;
    uint64_t first_retry; /* its line */
    struct eve_value a;
    struct eve_value b;
    struct eve_buf text;
    struct eve_buf other;
};

enum eve_status eve_expect_new(struct eve_expect **out, const struct eve_expect_options *options,
                               struct eve_err *err)
{
    struct eve_expect *e = NULL;
    enum eve_status status = eve_mem_resize(&e, 1, sizeof *e, err);
    if (status != EVE_OK) {
        return status;
    }
    *e = (struct eve_expect){.options = *options, .ahead = options->file->order};
    eve_expect_tally_init(&e->seen, options->seed);
    eve_value_init(&e->a);
    eve_value_init(&e->b);
    eve_buf_init(&e->text, SIZE_MAX / 2);
    eve_buf_init(&e->other, SIZE_MAX / 2);
    *out = e;
    return EVE_OK;
}

void eve_expect_free(struct eve_expect *e)
{
    if (e != NULL) {
        eve_expect_tally_fini(&e->seen);
        eve_value_fini(&e->a);
        eve_value_fini(&e->b);
        eve_buf_fini(&e->text);
        eve_buf_fini(&e->other);
        eve_mem_free(e);
    }
}

enum eve_status eve_expect_event(struct eve_expect *e, const struct eve_event *ev,
                                 const struct eve_decoder *d, unsigned version, uint64_t line,
                                 uint64_t index, struct eve_err *err)
{
    if (e->ahead != NULL &&
        eve_text_equal(eve_text_of(e->ahead->type), eve_text_of(ev->type_value))) {
        e->ahead = e->ahead->next;
        e->passed++;
    }
    return eve_expect_tally_event(&e->seen, ev, d, version, line, index, err);
}

void eve_expect_retry(struct eve_expect *e, uint64_t line)
{
    if (e->retries++ == 0) {
        e->first_retry = line;
    }
}

/* Tell what `w` says, about a turn or (NULL) about the file. */
static enum eve_status tell(struct eve_expect *e, const struct eve_words *w,
                            const struct eve_expect_tally_turn *turn, struct eve_err *err)
{
    struct eve_finding f = {
        .rule = EVE_RULE_EXPECT, .message = w->s, .event = EVE_FINDING_NO_EVENT};
    if (turn != NULL) {
        f.line = turn->line;
        f.event = turn->index;
    }
    return eve_finder_tell(e->options.finder, &f, err);
}

/* "found 3" and the like go on from "expected ...". */
static void say_range(struct eve_words *w, const struct eve_expect_range *range)
{
    if (range->min == range->max) {
        eve_words_count(w, range->min);
    } else if (range->max == UINT64_MAX) {
        eve_words_put(w, "at least ");
        eve_words_count(w, range->min);
    } else {
        eve_words_count(w, range->min);
        eve_words_put(w, " to ");
        eve_words_count(w, range->max);
    }
}

static enum eve_status check_range(struct eve_expect *e, const struct eve_expect_range *range,
                                   struct eve_words *w, uint64_t found, struct eve_err *err)
{
    if (found >= range->min && found <= range->max) {
        return EVE_OK;
    }
    say_range(w, range);
    eve_words_put(w, ", found ");
    eve_words_count(w, found);
    return tell(e, w, NULL, err);
}

static enum eve_status check_counts(struct eve_expect *e, struct eve_err *err)
{
    enum eve_status status = EVE_OK;
    const struct eve_expect_count *c = e->options.file->counts;
    for (; c != NULL && status == EVE_OK; c = c->next) {
        struct eve_words w;
        uint64_t found = 0;
        status = eve_expect_tally_count(&e->seen, c->type, &found, err);
        eve_words_init(&w, "events of type ");
        eve_words_quote(&w, eve_text_of(c->type));
        eve_words_put(&w, ": expected ");
        status = status == EVE_OK ? check_range(e, &c->range, &w, found, err) : status;
    }
    return status;
}

/* Show raw JSON about `at`, where it parts from what it is compared with. */
static void say_part(struct eve_words *w, struct eve_slice raw, size_t at)
{
    size_t from = at > SHOWN_BEFORE && raw.n > SHOWN_BYTES ? at - SHOWN_BEFORE : 0;
    while (from > 0 && ((unsigned char)raw.p[from] & 0xC0) == 0x80) {
        from--;
    }
    eve_words_put(w, from > 0 ? "..." : "");
    eve_words_quote(w, eve_str_sub(raw, from, raw.n));
}

/* What a text says, without the quotes of a string. */
static struct eve_slice inside(struct eve_slice raw)
{
    return raw.n >= 2 && raw.p[0] == '"' ? eve_str_sub(raw, 1, raw.n - 1) : raw;
}

/* "WHAT TEXT, found TEXT"; with `equal` both are shown from about where they part. */
static enum eve_status tell_text(struct eve_expect *e, struct eve_words *w, const char *what,
                                 struct eve_slice want, bool equal,
                                 const struct eve_expect_tally_turn *turn, struct eve_err *err)
{
    struct eve_slice found = inside(eve_expect_tally_text(turn));
    size_t at = 0;
    while (equal && at < want.n && at < found.n && want.p[at] == found.p[at]) {
        at++;
    }
    eve_words_put(w, what);
    if (want.p != NULL) {
        say_part(w, want, at);
    }
    eve_words_put(w, ", found ");
    if (eve_expect_tally_text(turn).n == 0) {
        eve_words_put(w, "none");
    } else {
        say_part(w, found, at);
    }
    return tell(e, w, turn, err);
}

/* The final text, decoded, holds the wanted one. */
static enum eve_status contains(struct eve_expect *e, struct eve_slice want, bool *holds,
                                struct eve_err *err)
{
    e->other.n = 0;
    enum eve_status status = eve_text_decode(want, &e->other, err);
    *holds = status == EVE_OK &&
             (e->other.n == 0 || memmem(e->text.p, e->text.n, e->other.p, e->other.n) != NULL);
    return status;
}

static bool matches(const struct eve_expect *e, const regex_t *regex)
{
    regmatch_t range = {0, (regoff_t)e->text.n};
    return e->text.n <= INT32_MAX && regexec(regex, e->text.p, 1, &range, REG_STARTEND) == 0;
}

/* Begin a message about a turn. */
static void say_turn(struct eve_words *w, struct eve_json_value id)
{
    eve_words_init(w, "turn ");
    eve_words_quote(w, eve_text_of(id));
    eve_words_put(w, ": expected ");
}

/* The final text decoded, in e->text; of a result its JSON. */
static enum eve_status decode_found(struct eve_expect *e, struct eve_slice found,
                                    struct eve_err *err)
{
    e->text.n = 0;
    enum eve_status status = found.n > 0 && found.p[0] == '"'
                                 ? eve_text_decode(inside(found), &e->text, err)
                                 : eve_buf_put(&e->text, found, err);
    if (status == EVE_OK) { /* a NUL behind it, for regexec */
        status = eve_buf_putc(&e->text, '\0', err);
        e->text.n -= status == EVE_OK ? 1 : 0;
    }
    return status;
}

/* Tell that a text is not as wanted, unless it is. `want` is raw text. */
static enum eve_status check_holds(struct eve_expect *e, const struct eve_expect_turn *turn,
                                   const struct eve_expect_tally_turn *found, const char *what,
                                   struct eve_slice want, bool equal, bool holds,
                                   struct eve_err *err)
{
    struct eve_words w;
    if (holds && eve_expect_tally_text(found).n > 0) {
        return EVE_OK;
    }
    say_turn(&w, turn->id);
    return tell_text(e, &w, what, want, equal, found, err);
}

static enum eve_status check_text(struct eve_expect *e, const struct eve_expect_turn *want,
                                  const struct eve_expect_tally_turn *turn, struct eve_err *err)
{
    const struct eve_expect_text *t = &want->text;
    bool holds = false;
    if (t->absent && eve_expect_tally_text(turn).n > 0) {
        struct eve_slice nothing = {0};
        return check_holds(e, want, turn, "no final text", nothing, false, false, err);
    }
    enum eve_status status = decode_found(e, eve_expect_tally_text(turn), err);
    if (status == EVE_OK && t->equals.kind == EVE_JSON_STRING) {
        e->other.n = 0;
        status = eve_text_decode(eve_text_of(t->equals), &e->other, err);
        holds = eve_str_equal(eve_buf_slice(&e->text), eve_buf_slice(&e->other));
        status = status == EVE_OK ? check_holds(e, want, turn, "the final text ",
                                                eve_text_of(t->equals), true, holds, err)
                                  : status;
    }
    if (status == EVE_OK && t->contains.kind == EVE_JSON_STRING) {
        status = contains(e, eve_text_of(t->contains), &holds, err);
        status = status == EVE_OK ? check_holds(e, want, turn, "a final text that contains ",
                                                eve_text_of(t->contains), false, holds, err)
                                  : status;
    }
    if (status == EVE_OK && t->regex != NULL) {
        status = check_holds(e, want, turn, "a final text that matches ", eve_text_of(t->matches),
                             false, matches(e, t->regex), err);
    }
    return status;
}

static enum eve_status check_reasons(struct eve_expect *e, const struct eve_expect_turn *want,
                                     const struct eve_expect_tally_turn *turn, struct eve_err *err)
{
    struct eve_words w;
    bool same = false;
    struct eve_slice wanted = {want->reasons.p, want->reasons.n};
    if (want->reasons.kind == EVE_JSON_NONE) {
        return EVE_OK;
    }
    e->text.n = 0;
    enum eve_status status = eve_buf_putc(&e->text, '[', err);
    if (status == EVE_OK) {
        status = eve_buf_put(&e->text, eve_buf_slice(&turn->reasons), err);
    }
    if (status == EVE_OK) {
        status = eve_buf_putc(&e->text, ']', err);
    }
    if (status == EVE_OK) {
        status = eve_value_same(&e->a, &e->b, wanted, eve_buf_slice(&e->text), &same, err);
    }
    if (status != EVE_OK || same) {
        return status;
    }
    say_turn(&w, want->id);
    eve_words_put(&w, "the finish reasons ");
    eve_words_quote(&w, wanted);
    eve_words_put(&w, ", found ");
    eve_words_quote(&w, eve_buf_slice(&e->text));
    return tell(e, &w, turn, err);
}

static enum eve_status check_turn(struct eve_expect *e, const struct eve_expect_turn *want,
                                  const struct eve_expect_tally_turn *turn, struct eve_err *err)
{
    enum eve_status status = EVE_OK;
    const char *found = eve_expect_tally_status_name(turn->status);
    if (want->status.kind == EVE_JSON_STRING && !eve_text_is(want->status, found)) {
        struct eve_words w;
        say_turn(&w, want->id);
        eve_words_put(&w, "the status ");
        eve_words_quote(&w, eve_text_of(want->status));
        eve_words_put(&w, ", found ");
        eve_words_quote(&w, eve_str(found));
        status = tell(e, &w, turn, err);
    }
    if (status == EVE_OK) {
        status = check_text(e, want, turn, err);
    }
    return status == EVE_OK ? check_reasons(e, want, turn, err) : status;
}

static enum eve_status check_turns(struct eve_expect *e, struct eve_err *err)
{
    enum eve_status status = EVE_OK;
    const struct eve_expect_turn *want = e->options.file->turns;
    for (; want != NULL && status == EVE_OK; want = want->next) {
        bool any = false;
        for (size_t i = 0; i < e->seen.turn_count && status == EVE_OK; i++) {
            const struct eve_expect_tally_turn *turn = &e->seen.turns[i];
            if (eve_text_equal(inside(turn->id), eve_text_of(want->id))) {
                any = true;
                status = check_turn(e, want, turn, err);
            }
        }
        if (status == EVE_OK && !any) {
            struct eve_words w;
            say_turn(&w, want->id);
            eve_words_put(&w, "such a turn, found none");
            status = tell(e, &w, NULL, err);
        }
    }
    return status;
}

/* The call is as wanted. */
static enum eve_status is_call(struct eve_expect *e, const struct eve_expect_call *want,
                               const struct eve_expect_tally_call *call, bool *is,
                               struct eve_err *err)
{
    *is = call->name.n > 0 && eve_text_equal(inside(call->name), eve_text_of(want->name));
    if (!*is || want->input.kind == EVE_JSON_NONE) {
        return EVE_OK;
    }
    *is = false;
    if (call->input.n == 0) {
        return EVE_OK;
    }
    enum eve_status status = eve_value_read(&e->a, call->input, err);
    if (status == EVE_OK) {
        status = eve_value_read(&e->b, (struct eve_slice){want->input.p, want->input.n}, err);
    }
    *is = status == EVE_OK && eve_value_covers(e->a.root, e->b.root);
    return status;
}

/* The wanted call numbered `number` is not among those from `from` on. */
static enum eve_status tell_call(struct eve_expect *e, const struct eve_expect_call *want,
                                 uint64_t number, size_t from, struct eve_err *err)
{
    struct eve_words w;
    eve_words_init(&w, "tool call ");
    eve_words_count(&w, number);
    eve_words_put(&w, ": expected ");
    eve_words_quote(&w, eve_text_of(want->name));
    if (want->input.kind != EVE_JSON_NONE) {
        eve_words_put(&w, " with ");
        eve_words_quote(&w, (struct eve_slice){want->input.p, want->input.n});
    }
    eve_words_put(&w, from < e->seen.call_count ? ", found " : ", found none");
    for (size_t i = from; i < e->seen.call_count && i < from + SHOWN_CALLS; i++) {
        eve_words_put(&w, i > from ? "; " : "");
        eve_words_quote(&w, inside(e->seen.calls[i].name));
        eve_words_put(&w, " with ");
        eve_words_quote(&w, e->seen.calls[i].input);
    }
    eve_words_put(&w, from + SHOWN_CALLS < e->seen.call_count ? "; and more" : "");
    eve_words_put(&w, number > 1 ? " after the call before it" : "");
    return tell(e, &w, NULL, err);
}

/* The wanted calls come in this order; others may stand between. */
static enum eve_status check_calls(struct eve_expect *e, struct eve_err *err)
{
    size_t from = 0;
    uint64_t number = 1;
    enum eve_status status = EVE_OK;
    const struct eve_expect_call *want = e->options.file->calls;
    for (; want != NULL && status == EVE_OK; want = want->next, number++) {
        bool is = false;
        size_t i = from;
        for (; i < e->seen.call_count && !is && status == EVE_OK; i++) {
            status = is_call(e, want, &e->seen.calls[i], &is, err);
        }
        if (status == EVE_OK && !is) {
            status = tell_call(e, want, number, from, err);
        } else {
            from = i;
        }
    }
    return status;
}

static enum eve_status check_order(struct eve_expect *e, struct eve_err *err)
{
    struct eve_words w;
    const struct eve_expect_type *before = NULL;
    if (e->ahead == NULL) {
        return EVE_OK;
    }
    for (const struct eve_expect_type *t = e->options.file->order; t != e->ahead; t = t->next) {
        before = t;
    }
    eve_words_init(&w, "order: expected ");
    eve_words_quote(&w, eve_text_of(e->ahead->type));
    eve_words_put(&w, " (number ");
    eve_words_count(&w, e->passed + 1);
    eve_words_put(&w, ")");
    if (before != NULL) {
        eve_words_put(&w, " after ");
        eve_words_quote(&w, eve_text_of(before->type));
    }
    eve_words_put(&w, ", found none");
    return tell(e, &w, NULL, err);
}

static void say_versions(struct eve_words *w, unsigned mask)
{
    const char *between = "";
    for (unsigned v = EVE_VERSION_MIN; v <= EVE_VERSION_MAX; v++) {
        if (mask >> (v - EVE_VERSION_MIN) & 1) {
            eve_words_put(w, between);
            eve_words_count(w, v);
            between = ", ";
        }
    }
    eve_words_put(w, mask == 0 ? "events that no single version has" : "");
}

static enum eve_status check_whole(struct eve_expect *e, uint64_t bytes, struct eve_err *err)
{
    struct eve_words w;
    const struct eve_expect_file *file = e->options.file;
    enum eve_status status = EVE_OK;
    if (file->bytes.given) {
        eve_words_init(&w, "bytes: expected ");
        status = check_range(e, &file->bytes, &w, bytes, err);
    }
    if (status == EVE_OK && file->versions != 0 && (file->versions & e->seen.versions) == 0) {
        eve_words_init(&w, "version: expected ");
        say_versions(&w, file->versions);
        eve_words_put(&w, ", found ");
        say_versions(&w, e->seen.versions);
        status = tell(e, &w, NULL, err);
    }
    if (status == EVE_OK && file->no_retries && e->retries > 0) {
        eve_words_init(&w, "retries: expected none, found ");
        eve_words_count(&w, e->retries);
        eve_words_put(&w, ", the first in line ");
        eve_words_count(&w, e->first_retry);
        status = tell(e, &w, NULL, err);
    }
    return status;
}

static enum eve_status check_all(struct eve_expect *e, uint64_t bytes, struct eve_err *err)
{
    enum eve_status status = check_counts(e, err);
    if (status == EVE_OK) {
        status = check_turns(e, err);
    }
    if (status == EVE_OK) {
        status = check_calls(e, err);
    }
    if (status == EVE_OK) {
        status = check_order(e, err);
    }
    return status == EVE_OK ? check_whole(e, bytes, err) : status;
}

enum eve_status eve_expect_end(struct eve_expect *e, bool whole, uint64_t bytes,
                               struct eve_err *err)
{
    enum eve_status status = whole ? check_all(e, bytes, err) : EVE_OK;
    eve_expect_tally_clear(&e->seen);
    e->ahead = e->options.file->order;
    e->passed = e->retries = 0;
    return status;
}
