#include "escape.h"
#include "format_ops.h"
#include "mem.h"
#include "report.h"
#include "str.h"

#include <stdio.h>

/* What a rule found in the file at hand. */
struct suite_case {
    struct eve_buf lines; /* of its findings, the first FORMAT_JUNIT_MAX; escaped */
    struct eve_buf first; /* message of the first one that fails the file; escaped */
    enum eve_level level; /* the worst */
    uint64_t findings;
    uint64_t failures;
};

struct junit {
    struct suite_case cases[EVE_RULE_COUNT];
};

static enum eve_status open_junit(struct format *f, struct eve_err *err)
{
    struct junit *j = NULL;
    enum eve_status status = eve_mem_resize(&j, 1, sizeof *j, err);
    if (status != EVE_OK) {
        return status;
    }
    for (unsigned i = 0; i < EVE_RULE_COUNT; i++) {
        j->cases[i] = (struct suite_case){.findings = 0};
        eve_buf_init(&j->cases[i].lines, SIZE_MAX / 2);
        eve_buf_init(&j->cases[i].first, SIZE_MAX / 2);
    }
    f->state = j;
    status = FORMAT_PUTS(&f->piece, err, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n",
                         "<testsuites name=\"evecheck\">\n");
    return status == EVE_OK ? format_flush_piece(f, err) : status;
}

static void close_junit(struct format *f)
{
    struct junit *j = f->state;
    for (unsigned i = 0; j != NULL && i < EVE_RULE_COUNT; i++) {
        eve_buf_fini(&j->cases[i].lines);
        eve_buf_fini(&j->cases[i].first);
    }
    eve_mem_free(j);
}

static enum eve_status begin_suite(struct format *f, struct eve_err *err)
{
    struct junit *j = f->state;
    (void)err;
    for (unsigned i = 0; i < EVE_RULE_COUNT; i++) {
        struct suite_case *c = &j->cases[i];
        c->lines.n = c->first.n = 0;
        c->findings = c->failures = 0;
        c->level = EVE_LEVEL_NOTE;
    }
    return EVE_OK;
}

static enum eve_status add_finding(struct format *f, const struct eve_finding *finding,
                                   struct eve_err *err)
{
    struct junit *j = f->state;
    struct suite_case *c = &j->cases[finding->rule];
    enum eve_status status = EVE_OK;
    c->findings++;
    if (format_fails(f, finding->level)) {
        c->failures++;
        c->level = finding->level > c->level ? finding->level : c->level;
        if (c->failures == 1) {
            status = escape_xml(&c->first, eve_str(finding->message), err);
        }
    }
    if (status == EVE_OK && c->findings <= FORMAT_JUNIT_MAX) {
        f->piece.n = 0;
        status = format_line(f, finding, &f->piece, err);
        f->piece.n -= status == EVE_OK ? 1 : 0;
        if (status == EVE_OK) {
            status = escape_xml(&c->lines, eve_buf_slice(&f->piece), err);
        }
        if (status == EVE_OK) {
            status = eve_buf_putc(&c->lines, '\n', err);
        }
        f->piece.n = 0;
    }
    return status;
}

/* Begin an element whose attributes are the file and a name. */
static enum eve_status put_case(struct format *f, const char *name, const char *end,
                                struct eve_err *err)
{
    enum eve_status status = eve_buf_puts(&f->piece, "    <testcase classname=\"", err);
    if (status == EVE_OK) {
        status = escape_xml(&f->piece, format_file(f), err);
    }
    return status == EVE_OK ? FORMAT_PUTS(&f->piece, err, "\" name=\"", name, "\"", end) : status;
}

/* The lines of a case, and how many there are beyond them. */
static enum eve_status put_lines(struct format *f, const struct suite_case *c, struct eve_err *err)
{
    char more[64];
    char digits[32];
    enum eve_status status = eve_buf_put(&f->piece, eve_buf_slice(&c->lines), err);
    if (status == EVE_OK && c->findings > FORMAT_JUNIT_MAX) {
        (void)snprintf(more, sizeof more, "and %s more\n",
                       report_count(digits, c->findings - FORMAT_JUNIT_MAX));
        status = eve_buf_puts(&f->piece, more, err);
    }
    return status;
}

static enum eve_status put_rule(struct format *f, unsigned rule, struct eve_err *err)
{
    const struct junit *j = f->state;
    const struct suite_case *c = &j->cases[rule];
    const char *id = eve_rules_get(rule)->id;
    if (!eve_finder_wants(f->options.finder, rule)) {
        return put_case(f, id, "><skipped/></testcase>\n", err);
    }
    if (c->findings == 0) {
        return put_case(f, id, "/>\n", err);
    }
    enum eve_status status = put_case(f, id, ">\n", err);
    if (status == EVE_OK && c->failures == 0) {
        status = eve_buf_puts(&f->piece, "      <system-out>", err);
    } else if (status == EVE_OK) {
        status = FORMAT_PUTS(&f->piece, err, "      <failure type=\"", eve_diag_level(c->level),
                             "\" message=\"");
        if (status == EVE_OK) {
            status = eve_buf_put(&f->piece, eve_buf_slice(&c->first), err);
        }
        if (status == EVE_OK) {
            status = eve_buf_puts(&f->piece, "\">", err);
        }
    }
    if (status == EVE_OK) {
        status = put_lines(f, c, err);
    }
    const char *close = c->failures == 0 ? "</system-out>" : "</failure>";
    return status == EVE_OK ? FORMAT_PUTS(&f->piece, err, close, "\n    </testcase>\n") : status;
}

static enum eve_status put_trouble(struct format *f, const char *trouble, struct eve_err *err)
{
    enum eve_status status = put_case(f, "reading", "><error message=\"", err);
    if (status == EVE_OK) {
        status = escape_xml(&f->piece, eve_str(trouble), err);
    }
    return status == EVE_OK ? eve_buf_puts(&f->piece, "\"/></testcase>\n", err) : status;
}

static enum eve_status put_suite_head(struct format *f, const char *trouble, struct eve_err *err)
{
    const struct junit *j = f->state;
    char counts[128];
    unsigned failures = 0;
    unsigned skipped = 0;
    unsigned errors = trouble != NULL ? 1 : 0;
    for (unsigned i = 1; i < EVE_RULE_COUNT; i++) {
        failures += j->cases[i].failures > 0 ? 1 : 0;
        skipped += eve_finder_wants(f->options.finder, i) ? 0 : 1;
    }
    (void)snprintf(counts, sizeof counts,
                   "\" tests=\"%u\" failures=\"%u\" errors=\"%u\" skipped=\"%u\">\n",
                   (unsigned)EVE_RULE_COUNT - 1 + errors, failures, errors, skipped);
    enum eve_status status = eve_buf_puts(&f->piece, "  <testsuite name=\"", err);
    if (status == EVE_OK) {
        status = escape_xml(&f->piece, format_file(f), err);
    }
    return status == EVE_OK ? eve_buf_puts(&f->piece, counts, err) : status;
}

static enum eve_status end_suite(struct format *f, const char *trouble, struct eve_err *err)
{
    enum eve_status status = put_suite_head(f, trouble, err);
    for (unsigned i = 1; i < EVE_RULE_COUNT && status == EVE_OK; i++) {
        status = put_rule(f, i, err);
    }
    if (status == EVE_OK && trouble != NULL) {
        status = put_trouble(f, trouble, err);
    }
    if (status == EVE_OK) {
        status = eve_buf_puts(&f->piece, "  </testsuite>\n", err);
    }
    return status == EVE_OK ? format_flush_piece(f, err) : status;
}

static enum eve_status end_junit(struct format *f, const char *trouble, struct eve_err *err)
{
    (void)trouble; /* the suites that were made are whole; the rest is told elsewhere */
    return eve_out_put(f->options.out, eve_str("</testsuites>\n"), err);
}

const struct format_ops format_junit = {.open = open_junit,
                                        .begin_file = begin_suite,
                                        .finding = add_finding,
                                        .end_file = end_suite,
                                        .end = end_junit,
                                        .close = close_junit};
