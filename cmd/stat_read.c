#include "stat_read.h"

#include "line.h"
#include "str.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* The reading of all files. */
struct reader {
    const struct stat_read_options *options;
    struct report *report;
    uint64_t errors;
};

static bool is_full(const struct reader *r)
{
    return r->options->keep_going && r->options->max_errors > 0 &&
           r->errors >= r->options->max_errors;
}

/* EVE_BAD: the file is to be left out. */
static enum eve_status read_lines(struct reader *r, struct eve_merge *part, int fd,
                                  const char *name, struct eve_err *err)
{
    struct eve_line_reader lines;
    struct eve_line line;
    struct eve_line_options options = {.max_bytes = r->options->max_line};
    enum eve_status status = EVE_OK;
    eve_line_init(&lines, fd, &options);
    while (status == EVE_OK && (status = eve_line_next(&lines, &line, err)) != EVE_END) {
        struct eve_slice text = status == EVE_OK ? eve_str_trim(line.text) : line.text;
        if (status == EVE_OK && text.n > 0) {
            status = eve_merge_report(part, text, err);
            err->pos += (size_t)(text.p - line.text.p);
        }
        if (status == EVE_BAD) {
            report_diag(r->report, EVE_LEVEL_ERROR, name, line.number, err->pos + 1, err->msg,
                        eve_diag_rule(err->rule));
            r->errors++;
            status = r->options->keep_going && !is_full(r) ? EVE_OK : EVE_BAD;
        } else if (status == EVE_FAIL) {
            report_failure(r->report, name, err);
        }
    }
    eve_line_fini(&lines);
    return status == EVE_END ? EVE_OK : status;
}

/* False: go no further. */
static bool read_file(struct reader *r, struct eve_merge *m, const char *name)
{
    struct eve_err err;
    struct eve_merge part;
    int fd = strcmp(name, "-") == 0
                 ? STDIN_FILENO
                 : (int)TEMP_FAILURE_RETRY(open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY));
    if (fd < 0) {
        err = (struct eve_err){EVE_RULE_NONE, "cannot open", 0, errno};
        report_failure(r->report, name, &err);
        return true;
    }
    eve_merge_init(&part, m->seed);
    enum eve_status status = read_lines(r, &part, fd, name, &err);
    if (fd != STDIN_FILENO) {
        (void)close(fd);
    }
    if (status == EVE_OK) {
        status = eve_merge_add(m, &part, &err);
        if (status != EVE_OK) {
            report_failure(r->report, name, &err);
            status = EVE_FAIL;
        }
    } else {
        report_diag(r->report, EVE_LEVEL_ERROR, name, 0, 0, "left out of the sum", NULL);
        status = EVE_OK;
    }
    eve_merge_fini(&part);
    return status == EVE_OK;
}

bool stat_read_files(struct eve_merge *m, const struct stat_read_options *o, char *const *names,
                     size_t count, struct report *report)
{
    struct reader r = {.options = o, .report = report};
    for (size_t i = 0; i < count && !is_full(&r); i++) {
        if (!read_file(&r, m, names[i])) {
            return false;
        }
    }
    return true;
}
