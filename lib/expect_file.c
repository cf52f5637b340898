#include "expect_file.h"

#include "buf.h"
#include "decode.h"
#include "num.h"
#include "str.h"
#include "text.h"

/* What the reading stands on. */
struct reading {
    struct eve_expect_file *file;
    struct eve_json j;
    const char *start;
};

/* A member of an object: its name, and what reads its value into `into`. */
struct member {
    const char *name;
    enum eve_status (*read)(struct reading *r, void *into, struct eve_err *err);
    void *into;
};

static enum eve_status bad(const struct reading *r, const char *at, const char *msg,
                           struct eve_err *err)
{
    return eve_fail(err, EVE_BAD, EVE_RULE_NONE, msg, (size_t)(at - r->start), 0);
}

/* Enter the value ahead if it is of the kind. */
static enum eve_status enter(struct reading *r, enum eve_json_kind kind, const char *msg,
                             struct eve_err *err)
{
    if (eve_json_peek(&r->j) != kind) {
        return bad(r, eve_json_at(&r->j), msg, err);
    }
    return eve_json_enter(&r->j, err);
}

/* Read an object whose members are those of the table, each at most once. *seen: a bit for each
 * that was there. */
static enum eve_status read_object(struct reading *r, const struct member *table, size_t count,
                                   unsigned *seen, struct eve_err *err)
{
    struct eve_json_value name;
    enum eve_status status = enter(r, EVE_JSON_OBJECT, "an object is expected here", err);
    *seen = 0;
    while (status == EVE_OK && (status = eve_json_member(&r->j, &name, err)) == EVE_OK) {
        size_t i = 0;
        while (i < count && !eve_text_is(name, table[i].name)) {
            i++;
        }
        if (i == count) {
            return bad(r, name.p, "no such member is known here", err);
        }
        if (*seen >> i & 1) {
            return bad(r, name.p, "this member comes twice", err);
        }
        *seen |= 1u << i;
        status = table[i].read(r, table[i].into, err);
    }
    return status == EVE_END ? EVE_OK : status;
}

static enum eve_status read_kind(struct reading *r, enum eve_json_kind kind, const char *msg,
                                 struct eve_json_value *out, struct eve_err *err)
{
    if (eve_json_peek(&r->j) != kind) {
        return bad(r, eve_json_at(&r->j), msg, err);
    }
    return eve_json_skip(&r->j, out, err);
}

static enum eve_status read_string(struct reading *r, void *into, struct eve_err *err)
{
    return read_kind(r, EVE_JSON_STRING, "a string is expected here", into, err);
}

static enum eve_status read_any(struct reading *r, void *into, struct eve_err *err)
{
    return eve_json_skip(&r->j, into, err);
}

static enum eve_status read_whole(struct reading *r, void *into, struct eve_err *err)
{
    static const char msg[] = "a whole number from 0 to 2^53-1 is expected here";
    struct eve_json_value number;
    const char *at = eve_json_at(&r->j);
    enum eve_status status = read_kind(r, EVE_JSON_NUMBER, msg, &number, err);
    if (status != EVE_OK) {
        return status;
    }
    return eve_num_integer((struct eve_slice){number.p, number.n}, EVE_NUM_SAFE_MAX, into)
               ? EVE_OK
               : bad(r, at, msg, err);
}

/* N, or {"min":N,"max":N} with one of them or both. */
static enum eve_status read_range(struct reading *r, void *into, struct eve_err *err)
{
    struct eve_expect_range *range = into;
    const char *at = eve_json_at(&r->j);
    unsigned seen = 0;
    *range = (struct eve_expect_range){true, 0, UINT64_MAX};
    if (eve_json_peek(&r->j) == EVE_JSON_NUMBER) {
        enum eve_status status = read_whole(r, &range->min, err);
        range->max = range->min;
        return status;
    }
    const struct member table[] = {{"min", read_whole, &range->min},
                                   {"max", read_whole, &range->max}};
    if (eve_json_peek(&r->j) != EVE_JSON_OBJECT) {
        return bad(r, at, "a number or {\"min\":N,\"max\":N} is expected here", err);
    }
    enum eve_status status = read_object(r, table, 2, &seen, err);
    if (status == EVE_OK && seen == 0) {
        return bad(r, at, "min or max is missing", err);
    }
    return status == EVE_OK && range->min > range->max ? bad(r, at, "min is over max", err)
                                                       : status;
}

/* An item for one of the lists, all zero. */
static enum eve_status new_item(struct reading *r, size_t size, void *out, struct eve_err *err)
{
    void *item = NULL;
    enum eve_status status = eve_arena_alloc(&r->file->arena, size, &item, err);
    if (status == EVE_OK) {
        memset(item, 0, size);
        memcpy(out, &item, sizeof item);
    }
    return status;
}

static enum eve_status read_counts(struct reading *r, void *into, struct eve_err *err)
{
    struct eve_expect_count **tail = into;
    struct eve_expect_count **first = into;
    struct eve_json_value name;
    enum eve_status status = enter(r, EVE_JSON_OBJECT, "an object is expected here", err);
    while (status == EVE_OK && (status = eve_json_member(&r->j, &name, err)) == EVE_OK) {
        for (const struct eve_expect_count *c = *first; c != NULL; c = c->next) {
            if (eve_text_equal(eve_text_of(c->type), eve_text_of(name))) {
                return bad(r, name.p, "this type comes twice", err);
            }
        }
        status = new_item(r, sizeof **tail, tail, err);
        if (status == EVE_OK) {
            (*tail)->type = name;
            status = read_range(r, &(*tail)->range, err);
            tail = &(*tail)->next;
        }
    }
    return status == EVE_END ? EVE_OK : status;
}

/* Compile the pattern of `text`. */
static enum eve_status compile(struct reading *r, struct eve_expect_text *text, struct eve_err *err)
{
    struct eve_buf pattern;
    regex_t *regex = NULL;
    eve_buf_init(&pattern, SIZE_MAX / 2);
    enum eve_status status = eve_text_decode(eve_text_of(text->matches), &pattern, err);
    if (status == EVE_OK && memchr(pattern.p, '\0', pattern.n) != NULL) {
        status = bad(r, text->matches.p, "a pattern cannot hold a NUL", err);
    }
    if (status == EVE_OK) {
        status = eve_buf_putc(&pattern, '\0', err);
    }
    if (status == EVE_OK) {
        status = eve_arena_alloc(&r->file->arena, sizeof *regex, &regex, err);
    }
    if (status == EVE_OK && regcomp(regex, pattern.p, REG_EXTENDED | REG_NOSUB) != 0) {
        status = bad(r, text->matches.p, "this is no POSIX extended regular expression", err);
    } else if (status == EVE_OK) {
        text->regex = regex;
    }
    eve_buf_fini(&pattern);
    return status;
}

/* "TEXT", null, or an object of equals, contains and matches. */
static enum eve_status read_text(struct reading *r, void *into, struct eve_err *err)
{
    struct eve_expect_text *text = into;
    struct eve_json_value null;
    const char *at = eve_json_at(&r->j);
    unsigned seen = 0;
    const struct member table[] = {{"equals", read_string, &text->equals},
                                   {"contains", read_string, &text->contains},
                                   {"matches", read_string, &text->matches}};
    switch (eve_json_peek(&r->j)) {
    case EVE_JSON_NULL:
        text->absent = true;
        return eve_json_skip(&r->j, &null, err);
    case EVE_JSON_STRING:
        return eve_json_skip(&r->j, &text->equals, err);
    case EVE_JSON_OBJECT:
        break;
    default:
        return bad(r, at, "a string, null or an object is expected here", err);
    }
    enum eve_status status = read_object(r, table, 3, &seen, err);
    if (status == EVE_OK && seen == 0) {
        return bad(r, at, "equals, contains or matches is missing", err);
    }
    return status == EVE_OK && text->matches.kind == EVE_JSON_STRING ? compile(r, text, err)
                                                                     : status;
}

static enum eve_status read_status(struct reading *r, void *into, struct eve_err *err)
{
    static const char *const words[] = {"completed", "failed", "cancelled", "waiting", "open"};
    struct eve_json_value *word = into;
    enum eve_status status = read_string(r, word, err);
    for (size_t i = 0; status == EVE_OK && i < sizeof words / sizeof *words; i++) {
        if (eve_text_is(*word, words[i])) {
            return EVE_OK;
        }
    }
    return status == EVE_OK
               ? bad(r, word->p, "completed, failed, cancelled, waiting or open is expected here",
                     err)
               : status;
}

static enum eve_status read_reasons(struct reading *r, void *into, struct eve_err *err)
{
    static const char msg[] = "an array of strings is expected here";
    struct eve_json_value *array = into;
    struct eve_json_value string;
    const char *at = eve_json_at(&r->j);
    enum eve_status status = enter(r, EVE_JSON_ARRAY, msg, err);
    while (status == EVE_OK && (status = eve_json_element(&r->j, err)) == EVE_OK) {
        status = read_kind(r, EVE_JSON_STRING, msg, &string, err);
    }
    *array = (struct eve_json_value){at, (size_t)(eve_json_at(&r->j) - at), EVE_JSON_ARRAY, false};
    return status == EVE_END ? EVE_OK : status;
}

static enum eve_status read_turns(struct reading *r, void *into, struct eve_err *err)
{
    struct eve_expect_turn **tail = into;
    struct eve_expect_turn **first = into;
    struct eve_json_value name;
    unsigned seen = 0;
    enum eve_status status = enter(r, EVE_JSON_OBJECT, "an object is expected here", err);
    while (status == EVE_OK && (status = eve_json_member(&r->j, &name, err)) == EVE_OK) {
        for (const struct eve_expect_turn *t = *first; t != NULL; t = t->next) {
            if (eve_text_equal(eve_text_of(t->id), eve_text_of(name))) {
                return bad(r, name.p, "this turn comes twice", err);
            }
        }
        status = new_item(r, sizeof **tail, tail, err);
        if (status == EVE_OK) {
            struct eve_expect_turn *turn = *tail;
            const struct member table[] = {{"status", read_status, &turn->status},
                                           {"text", read_text, &turn->text},
                                           {"finishReasons", read_reasons, &turn->reasons}};
            turn->id = name;
            tail = &turn->next;
            status = read_object(r, table, 3, &seen, err);
        }
    }
    return status == EVE_END ? EVE_OK : status;
}

static enum eve_status read_calls(struct reading *r, void *into, struct eve_err *err)
{
    struct eve_expect_call **tail = into;
    unsigned seen = 0;
    enum eve_status status = enter(r, EVE_JSON_ARRAY, "an array is expected here", err);
    while (status == EVE_OK && (status = eve_json_element(&r->j, err)) == EVE_OK) {
        const char *at = NULL;
        status = new_item(r, sizeof **tail, tail, err);
        if (status == EVE_OK) {
            struct eve_expect_call *call = *tail;
            const struct member table[] = {{"name", read_string, &call->name},
                                           {"input", read_any, &call->input}};
            (void)eve_json_peek(&r->j);
            at = eve_json_at(&r->j);
            tail = &call->next;
            status = read_object(r, table, 2, &seen, err);
        }
        if (status == EVE_OK && (seen & 1) == 0) {
            return bad(r, at, "name is missing", err);
        }
    }
    return status == EVE_END ? EVE_OK : status;
}

static enum eve_status read_order(struct reading *r, void *into, struct eve_err *err)
{
    struct eve_expect_type **tail = into;
    enum eve_status status = enter(r, EVE_JSON_ARRAY, "an array is expected here", err);
    while (status == EVE_OK && (status = eve_json_element(&r->j, err)) == EVE_OK) {
        status = new_item(r, sizeof **tail, tail, err);
        if (status == EVE_OK) {
            status = read_string(r, &(*tail)->type, err);
            tail = &(*tail)->next;
        }
    }
    return status == EVE_END ? EVE_OK : status;
}

static enum eve_status read_versions(struct reading *r, void *into, struct eve_err *err)
{
    unsigned *versions = into;
    const char *at = eve_json_at(&r->j);
    uint64_t version = 0;
    enum eve_status status = enter(r, EVE_JSON_ARRAY, "an array is expected here", err);
    while (status == EVE_OK && (status = eve_json_element(&r->j, err)) == EVE_OK) {
        (void)eve_json_peek(&r->j);
        const char *number = eve_json_at(&r->j);
        status = read_whole(r, &version, err);
        if (status == EVE_OK && (version < EVE_VERSION_MIN || version > EVE_VERSION_MAX)) {
            return bad(r, number, "a version from 21 to 26 is expected here", err);
        }
        *versions |= status == EVE_OK ? 1u << (version - EVE_VERSION_MIN) : 0;
    }
    return status == EVE_END && *versions == 0 ? bad(r, at, "a version is missing", err)
           : status == EVE_END                 ? EVE_OK
                                               : status;
}

static enum eve_status read_bool(struct reading *r, void *into, struct eve_err *err)
{
    struct eve_json_value value;
    enum eve_json_kind kind = eve_json_peek(&r->j);
    if (kind != EVE_JSON_TRUE && kind != EVE_JSON_FALSE) {
        return bad(r, eve_json_at(&r->j), "true or false is expected here", err);
    }
    *(bool *)into = kind == EVE_JSON_TRUE;
    return eve_json_skip(&r->j, &value, err);
}

static enum eve_status read_schema(struct reading *r, void *into, struct eve_err *err)
{
    const char *at = eve_json_at(&r->j);
    enum eve_status status = read_whole(r, into, err);
    return status == EVE_OK && *(uint64_t *)into != 1 ? bad(r, at, "schema 1 is expected here", err)
                                                      : status;
}

enum eve_status eve_expect_file_read(struct eve_expect_file *f, struct eve_slice text,
                                     struct eve_err *err)
{
    struct reading r = {.file = f, .start = text.p};
    uint64_t schema = 0;
    unsigned seen = 0;
    const struct member table[] = {
        {"schema", read_schema, &schema},          {"events", read_counts, &f->counts},
        {"turns", read_turns, &f->turns},          {"toolCalls", read_calls, &f->calls},
        {"order", read_order, &f->order},          {"bytes", read_range, &f->bytes},
        {"versions", read_versions, &f->versions}, {"noRetries", read_bool, &f->no_retries}};
    eve_json_open(&r.j, text);
    enum eve_status status = read_object(&r, table, sizeof table / sizeof *table, &seen, err);
    if (status == EVE_OK) {
        status = eve_json_finish(&r.j, err);
    }
    return status == EVE_OK && (seen & 1) == 0 ? bad(&r, text.p, "\"schema\":1 is missing", err)
                                               : status;
}

void eve_expect_file_init(struct eve_expect_file *f)
{
    *f = (struct eve_expect_file){0};
    eve_arena_init(&f->arena);
}

void eve_expect_file_fini(struct eve_expect_file *f)
{
    for (struct eve_expect_turn *t = f->turns; t != NULL; t = t->next) {
        if (t->text.regex != NULL) {
            regfree(t->text.regex);
        }
    }
    eve_arena_fini(&f->arena);
    eve_expect_file_init(f);
}
