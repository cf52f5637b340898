#include "merge.h"

#include "json.h"
#include "num.h"
#include "spell.h"
#include "str.h"
#include "text.h"

/* An object of the report being read: a file's, or the report itself. */
struct reading {
    struct eve_account *account;
    uint32_t seen; /* bit per figure */
    bool types;
    bool name;    /* of a file */
    bool stopped; /* of a file */
    bool schema;  /* of a report */
    bool files;   /* of a report */
};

void eve_merge_init(struct eve_merge *m, const uint64_t seed[2])
{
    *m = (struct eve_merge){.seed = {seed[0], seed[1]}};
    eve_accounts_init(&m->files);
    eve_map_init(&m->names, seed);
}

void eve_merge_fini(struct eve_merge *m)
{
    eve_accounts_fini(&m->files);
    eve_map_fini(&m->names);
}

static enum eve_status bad(const struct eve_json *j, const char *at, const char *msg,
                           struct eve_err *err)
{
    return eve_fail(err, EVE_BAD, EVE_RULE_BAD_DATA, msg, (size_t)(at - j->start), 0);
}

/* The value ahead must be of `kind`. */
static enum eve_status expect(struct eve_json *j, enum eve_json_kind kind, const char *msg,
                              struct eve_err *err)
{
    if (eve_json_peek(j) == kind) {
        return EVE_OK;
    }
    const char *at = eve_json_at(j);
    enum eve_status status = eve_json_skip(j, NULL, err); /* no JSON at all comes first */
    return status == EVE_OK ? bad(j, at, msg, err) : status;
}

static enum eve_status enter(struct eve_json *j, enum eve_json_kind kind, const char *msg,
                             struct eve_err *err)
{
    enum eve_status status = expect(j, kind, msg, err);
    return status == EVE_OK ? eve_json_enter(j, err) : status;
}

static enum eve_status read_number(struct eve_json *j, uint64_t *out, struct eve_err *err)
{
    static const char msg[] = "not a whole number from 0 to 2^64-1";
    struct eve_json_value value;
    enum eve_status status = expect(j, EVE_JSON_NUMBER, msg, err);
    status = status == EVE_OK ? eve_json_skip(j, &value, err) : status;
    if (status == EVE_OK &&
        !eve_num_integer((struct eve_slice){value.p, value.n}, UINT64_MAX, out)) {
        return bad(j, value.p, msg, err);
    }
    return status;
}

/* A string, spelled to `out`, which was empty. */
static enum eve_status read_string(struct eve_json *j, struct eve_buf *out, struct eve_err *err)
{
    struct eve_json_value value;
    enum eve_status status = expect(j, EVE_JSON_STRING, "not a string", err);
    status = status == EVE_OK ? eve_json_skip(j, &value, err) : status;
    return status == EVE_OK ? eve_spell_put(out, 0, value, err) : status;
}

static bool same_group(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && eve_str_is(eve_str(a), b));
}

/* The figure called `name` in `group`; EVE_TALLY_COUNT if there is none. */
static unsigned find_figure(const char *group, struct eve_json_value name)
{
    unsigned f = 0;
    while (f < EVE_TALLY_COUNT && !(same_group(group, eve_tally_group((enum eve_tally_figure)f)) &&
                                    eve_text_is(name, eve_tally_name((enum eve_tally_figure)f)))) {
        f++;
    }
    return f;
}

/* The value of the member `name` of `group`, if it is a figure; else it is passed over. */
static enum eve_status read_figure(struct eve_json *j, struct reading *r, const char *group,
                                   struct eve_json_value name, struct eve_err *err)
{
    unsigned f = find_figure(group, name);
    if (f == EVE_TALLY_COUNT) {
        return eve_json_skip(j, NULL, err);
    }
    if (r->seen >> f & 1) {
        return bad(j, name.p, "a figure given twice", err);
    }
    r->seen |= UINT32_C(1) << f;
    return read_number(j, &r->account->tally.n[f], err);
}

static enum eve_status read_group(struct eve_json *j, struct reading *r, const char *group,
                                  struct eve_err *err)
{
    struct eve_json_value name;
    enum eve_status status = enter(j, EVE_JSON_OBJECT, "not an object of figures", err);
    while (status == EVE_OK && (status = eve_json_member(j, &name, err)) == EVE_OK) {
        status = read_figure(j, r, group, name, err);
    }
    return status == EVE_END ? EVE_OK : status;
}

/* The object of one type. */
static enum eve_status read_count(struct eve_json *j, struct eve_tally_count *count,
                                  struct eve_err *err)
{
    static const char *const names[] = {"events", "bytes", "removed"};
    uint64_t *const numbers[] = {&count->events, &count->bytes, &count->removed};
    struct eve_json_value name;
    unsigned seen = 0;
    const char *at = eve_json_at(j);
    enum eve_status status = enter(j, EVE_JSON_OBJECT, "not an object of figures", err);
    while (status == EVE_OK && (status = eve_json_member(j, &name, err)) == EVE_OK) {
        unsigned i = 0;
        while (i < 3 && !eve_text_is(name, names[i])) {
            i++;
        }
        if (i < 3 && seen >> i & 1) {
            return bad(j, name.p, "a figure given twice", err);
        }
        seen |= 1u << i;
        status = i < 3 ? read_number(j, numbers[i], err) : eve_json_skip(j, NULL, err);
    }
    if (status == EVE_END && (seen & 7) != 7) {
        return bad(j, at, "a figure is missing", err);
    }
    return status == EVE_END ? EVE_OK : status;
}

static enum eve_status read_types(struct eve_json *j, struct eve_tally *t, struct eve_err *err)
{
    struct eve_json_value name;
    struct eve_buf spelled;
    eve_buf_init(&spelled, SIZE_MAX / 2);
    enum eve_status status = enter(j, EVE_JSON_OBJECT, "not an object of types", err);
    while (status == EVE_OK && (status = eve_json_member(j, &name, err)) == EVE_OK) {
        struct eve_tally_count *count = NULL;
        size_t before = t->type_count;
        spelled.n = 0;
        status = eve_spell_put(&spelled, 0, name, err);
        status =
            status == EVE_OK ? eve_tally_of_name(t, eve_buf_slice(&spelled), &count, err) : status;
        if (status == EVE_OK && t->type_count == before) {
            status = bad(j, name.p, "a type given twice", err);
        }
        status = status == EVE_OK ? read_count(j, count, err) : status;
    }
    eve_buf_fini(&spelled);
    return status == EVE_END ? EVE_OK : status;
}

static enum eve_status read_stop(struct eve_json *j, struct eve_account *a, struct eve_err *err)
{
    struct eve_json_value name;
    bool line = false;
    bool rule = false;
    const char *at = eve_json_at(j);
    enum eve_status status = enter(j, EVE_JSON_OBJECT, "not an object", err);
    while (status == EVE_OK && (status = eve_json_member(j, &name, err)) == EVE_OK) {
        if (eve_text_is(name, "line") && !line) {
            line = true;
            status = read_number(j, &a->stop_line, err);
        } else if (eve_text_is(name, "rule") && !rule) {
            rule = true;
            status = read_string(j, &a->rule, err);
        } else {
            status = eve_json_skip(j, NULL, err);
        }
    }
    if (status == EVE_END && !(line && rule)) {
        return bad(j, at, "line or rule is missing", err);
    }
    a->state = EVE_ACCOUNT_STOPPED;
    return status == EVE_END ? EVE_OK : status;
}

/* A member that files and reports have. */
static enum eve_status read_member(struct eve_json *j, struct reading *r,
                                   struct eve_json_value name, struct eve_err *err)
{
    static const char *const groups[] = {"bytes", "payload"};
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        if (eve_text_is(name, groups[i])) {
            return read_group(j, r, groups[i], err);
        }
    }
    if (eve_text_is(name, "byType") && !r->types) {
        r->types = true;
        return read_types(j, &r->account->tally, err);
    }
    return read_figure(j, r, NULL, name, err);
}

static enum eve_status check_figures(const struct eve_json *j, const char *at,
                                     const struct reading *r, struct eve_err *err)
{
    if (r->seen != (UINT32_C(1) << EVE_TALLY_COUNT) - 1 || !r->types) {
        return bad(j, at, "no report of evestat: a figure is missing", err);
    }
    if (!eve_tally_adds_up(&r->account->tally)) {
        return bad(j, at, "the figures do not add up", err);
    }
    return EVE_OK;
}

/* An element of `files`, into a new account. */
static enum eve_status read_file(struct eve_json *j, struct eve_account *a, struct eve_err *err)
{
    struct reading r = {.account = a};
    struct eve_json_value name;
    enum eve_status status = expect(j, EVE_JSON_OBJECT, "not the object of a file", err);
    const char *at = eve_json_at(j);
    status = status == EVE_OK ? eve_json_enter(j, err) : status;
    while (status == EVE_OK && (status = eve_json_member(j, &name, err)) == EVE_OK) {
        if (eve_text_is(name, "file") && !r.name) {
            r.name = true;
            status = read_string(j, &a->name, err);
        } else if (eve_text_is(name, "stopped") && !r.stopped) {
            r.stopped = true;
            status = read_stop(j, a, err);
        } else {
            status = read_member(j, &r, name, err);
        }
    }
    if (status != EVE_END) {
        return status;
    }
    if (!r.name) {
        return bad(j, at, "the name of the file is missing", err);
    }
    return r.stopped ? EVE_OK : check_figures(j, at, &r, err);
}

/* Add an entry to the one of its name. */
static enum eve_status add_entry(struct eve_merge *m, const struct eve_account *a,
                                 struct eve_err *err)
{
    struct eve_map_entry *entry = NULL;
    struct eve_account *to = NULL;
    bool added = false;
    enum eve_status status = eve_map_put(&m->names, eve_buf_slice(&a->name), &entry, &added, err);
    if (status == EVE_OK && added) {
        entry->value = m->files.count;
        status = eve_account_new(&to, eve_buf_slice(&a->name), m->seed, err);
        status = status == EVE_OK ? eve_accounts_add(&m->files, to, err) : status;
    }
    if (status != EVE_OK) {
        return status;
    }
    to = m->files.list[entry->value];
    if (a->state == EVE_ACCOUNT_READ) {
        return eve_tally_add(&to->tally, &a->tally, err);
    }
    /* Of several places where parts stopped, one that does not depend on their order. */
    bool first = to->state == EVE_ACCOUNT_READ || a->stop_line < to->stop_line ||
                 (a->stop_line == to->stop_line &&
                  eve_text_compare(eve_buf_slice(&a->rule), eve_buf_slice(&to->rule)) < 0);
    if (first) {
        to->state = EVE_ACCOUNT_STOPPED;
        to->stop_line = a->stop_line;
        to->rule.n = 0;
        status = eve_buf_put(&to->rule, eve_buf_slice(&a->rule), err);
    }
    return status;
}

static enum eve_status read_files(struct eve_json *j, struct eve_merge *m, struct eve_err *err)
{
    enum eve_status status = enter(j, EVE_JSON_ARRAY, "files is no array", err);
    while (status == EVE_OK && (status = eve_json_element(j, err)) == EVE_OK) {
        struct eve_account *a = NULL;
        const char *at = eve_json_at(j);
        status = eve_account_new(&a, (struct eve_slice){0}, m->seed, err);
        status = status == EVE_OK ? read_file(j, a, err) : status;
        if (status == EVE_OK) {
            status = add_entry(m, a, err);
            err->pos = (size_t)(at - j->start);
        }
        eve_account_free(a);
    }
    return status == EVE_END ? EVE_OK : status;
}

/* The report at the cursor, whose files go to `m`. */
static enum eve_status read_report(struct eve_json *j, struct reading *r, struct eve_merge *m,
                                   struct eve_err *err)
{
    struct eve_json_value name;
    uint64_t schema = 0;
    const char *at = eve_json_at(j);
    enum eve_status status = eve_json_enter(j, err);
    while (status == EVE_OK && (status = eve_json_member(j, &name, err)) == EVE_OK) {
        if (eve_text_is(name, "schema") && !r->schema) {
            r->schema = true;
            at = eve_json_at(j);
            status = read_number(j, &schema, err);
            if (status == EVE_OK && schema != EVE_MERGE_SCHEMA) {
                return bad(j, at, "a report of another schema than 1", err);
            }
        } else if (eve_text_is(name, "files") && !r->files) {
            r->files = true;
            status = read_files(j, m, err);
        } else {
            status = read_member(j, r, name, err);
        }
    }
    if (status != EVE_END) {
        return status;
    }
    if (!r->schema || !r->files) {
        return bad(j, at, "no report of evestat: schema or files is missing", err);
    }
    return check_figures(j, at, r, err);
}

/* What the report says of all has to be the sum of what it says of each. */
static enum eve_status check_sum(const struct eve_json *j, const struct eve_merge *read,
                                 const struct eve_account *said, struct eve_err *err)
{
    struct eve_account *sum = NULL;
    enum eve_status status = eve_account_new(&sum, (struct eve_slice){0}, read->seed, err);
    status = status == EVE_OK ? eve_accounts_sum(&read->files, sum, err) : status;
    if (status == EVE_OK && !eve_tally_equal(&sum->tally, &said->tally)) {
        status = bad(j, j->start, "the figures are not the sum of those of the files", err);
    }
    eve_account_free(sum);
    return status;
}

enum eve_status eve_merge_report(struct eve_merge *m, struct eve_slice text, struct eve_err *err)
{
    struct eve_json j;
    struct eve_merge read;
    struct eve_account *said = NULL;
    eve_merge_init(&read, m->seed);
    eve_json_open(&j, text);
    enum eve_status status = eve_account_new(&said, (struct eve_slice){0}, m->seed, err);
    struct reading r = {.account = said};
    if (status == EVE_OK) {
        status = expect(&j, EVE_JSON_OBJECT, "not an object", err);
        if (status == EVE_BAD && err->rule == EVE_RULE_BAD_DATA) {
            err->rule = EVE_RULE_NOT_OBJECT;
        }
    }
    status = status == EVE_OK ? read_report(&j, &r, &read, err) : status;
    status = status == EVE_OK ? eve_json_finish(&j, err) : status;
    status = status == EVE_OK ? check_sum(&j, &read, said, err) : status;
    status = status == EVE_OK ? eve_merge_add(m, &read, err) : status;
    eve_account_free(said);
    eve_merge_fini(&read);
    return status;
}

enum eve_status eve_merge_add(struct eve_merge *m, const struct eve_merge *part,
                              struct eve_err *err)
{
    enum eve_status status = EVE_OK;
    for (size_t i = 0; i < part->files.count && status == EVE_OK; i++) {
        status = add_entry(m, part->files.list[i], err);
    }
    return status;
}
