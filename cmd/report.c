#include "report.h"

#include "cli.h"
#include "quote.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

void report_raise(struct report *r, int status)
{
    r->status = status > r->status ? status : r->status;
}

const char *report_name(char *buf, const char *name)
{
    if (strcmp(name, "-") == 0) {
        return "<stdin>";
    }
    return eve_quote(buf, EVE_QUOTE_MAX, (struct eve_slice){name, strlen(name)}, true);
}

const char *report_count(char *buf, uint64_t n)
{
    char digits[24];
    int len = snprintf(digits, sizeof digits, "%llu", (unsigned long long)n);
    size_t at = 0;
    for (int i = 0; i < len; i++) {
        if (i > 0 && (len - i) % 3 == 0) {
            buf[at++] = ',';
        }
        buf[at++] = digits[i];
    }
    buf[at] = '\0';
    return buf;
}

/* Write all of it, past anything that stdio might hold. A message that cannot be told is lost; the
 * exit status still tells. */
static void tell(struct report *r, const struct eve_diag *d)
{
    struct eve_buf line;
    struct eve_err err;
    eve_buf_init(&line, (size_t)64 * 1024);
    if (r->before != NULL) {
        r->before(r->ctx);
    }
    if (eve_diag_format(d, &line, &err) == EVE_OK) {
        (void)fwrite(line.p, 1, line.n, stderr);
    } else {
        (void)fprintf(stderr, "%s: %s\n", d->tool, d->text);
    }
    (void)fflush(stderr);
    eve_buf_fini(&line);
}

void report_diag(struct report *r, enum eve_level level, const char *file, uint64_t line,
                 uint64_t column, const char *text, const char *rule)
{
    char name[EVE_QUOTE_MAX];
    if (level == EVE_LEVEL_ERROR) {
        report_raise(r, CLI_EXIT_BAD);
    } else if (r->quiet) {
        return;
    }
    struct eve_diag d = {
        r->tool, file == NULL ? NULL : report_name(name, file), line, column, level, text, rule,
        r->color};
    tell(r, &d);
}

void report_failure(struct report *r, const char *file, const struct eve_err *err)
{
    char text[512];
    if (err->sys != 0) {
        (void)snprintf(text, sizeof text, "%s: %s", err->msg, strerror(err->sys));
    } else {
        (void)snprintf(text, sizeof text, "%s", err->msg);
    }
    report_raise(r, CLI_EXIT_FAIL);
    report_diag(r, EVE_LEVEL_ERROR, file, 0, 0, text, NULL);
}

void report_note(struct report *r, const char *text)
{
    if (!r->quiet) {
        if (r->before != NULL) {
            r->before(r->ctx);
        }
        (void)fprintf(stderr, "%s: %s\n", r->tool, text);
    }
}
