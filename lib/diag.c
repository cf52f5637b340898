#include "diag.h"

#include "packed.h"
#include "str.h"

static const char *const rule_ids[EVE_RULE_DECODE_COUNT] = {
    [EVE_RULE_LINE_TOO_LONG] = "line-too-long", [EVE_RULE_JSON_SYNTAX] = "json-syntax",
    [EVE_RULE_JSON_UTF8] = "json-utf8",         [EVE_RULE_JSON_DEPTH] = "json-depth",
    [EVE_RULE_TRUNCATED] = "truncated",         [EVE_RULE_NOT_OBJECT] = "not-object",
    [EVE_RULE_NEWER_FORMAT] = "newer-format",   [EVE_RULE_TYPE_MISSING] = "type-missing",
    [EVE_RULE_BAD_DATA] = "bad-data",           [EVE_RULE_UNSUPPORTED_EVENT] = "unsupported-event",
    [EVE_RULE_BAD_DELTA] = "bad-delta",         [EVE_RULE_BAD_SNAPSHOT] = "bad-snapshot",
    [EVE_RULE_BAD_OFFSET] = "bad-offset",       [EVE_RULE_SNAPSHOT_MISMATCH] = "snapshot-mismatch",
    [EVE_RULE_LEGACY_FIELD] = "legacy-field",
};

const char *eve_diag_rule(enum eve_rule rule)
{
    return rule_ids[rule];
}

const char *eve_diag_level(enum eve_level level)
{
    static const char *const levels[] = {"note", "warning", "error"};
    return levels[level];
}

/* The level as a terminal shows it (ECMA-48 colours). */
static const char *painted(enum eve_level level)
{
    static const char *const levels[] = {"\033[1;36mnote\033[0m", "\033[1;33mwarning\033[0m",
                                         "\033[1;31merror\033[0m"};
    return levels[level];
}

/* `n` and a colon, if there is a number at all. */
static enum eve_status put_number(struct eve_buf *out, uint64_t n, struct eve_err *err)
{
    if (n == 0) {
        return EVE_OK;
    }
    enum eve_status status = eve_buf_put_u64(out, n, err);
    return status == EVE_OK ? eve_buf_putc(out, ':', err) : status;
}

static enum eve_status put_all(struct eve_buf *out, const char *const *parts, struct eve_err *err)
{
    enum eve_status status = EVE_OK;
    for (; *parts != NULL && status == EVE_OK; parts++) {
        status = eve_buf_puts(out, *parts, err);
    }
    return status;
}

enum eve_status eve_diag_format(const struct eve_diag *d, struct eve_buf *out, struct eve_err *err)
{
    enum eve_status status = put_all(out, (const char *const[]){d->tool, ": ", NULL}, err);
    if (status == EVE_OK && d->file != NULL) {
        status = put_all(out, (const char *const[]){d->file, ":", NULL}, err);
        if (status == EVE_OK) {
            status = put_number(out, d->line, err);
        }
        if (status == EVE_OK) {
            status = put_number(out, d->column, err);
        }
        if (status == EVE_OK) {
            status = eve_buf_putc(out, ' ', err);
        }
    }
    if (status == EVE_OK) {
        const char *level = d->color ? painted(d->level) : eve_diag_level(d->level);
        status = put_all(out, (const char *const[]){level, ": ", d->text, NULL}, err);
    }
    if (status == EVE_OK && d->rule != NULL) {
        status = put_all(out, (const char *const[]){" [", d->rule, "]", NULL}, err);
    }
    return status == EVE_OK ? eve_buf_putc(out, '\n', err) : status;
}

const char *eve_diag_foreign(struct eve_slice first)
{
    struct eve_slice text = eve_str_trim(first);
    bool more = false;
    enum eve_packed format = eve_packed_of(first, &more);
    if (format != EVE_PACKED_NOT && !eve_packed_built(format)) {
        return eve_packed_lacking(format);
    }
    if (format == EVE_PACKED_GZIP) {
        return "gzip data; decompress it first (gzip -dc)";
    }
    if (format == EVE_PACKED_ZSTD) {
        return "zstd data; decompress it first (zstd -dc)";
    }
    if (eve_str_starts(first, "\xFD"
                              "7zXZ") ||
        eve_str_starts(first, "BZh")) {
        return "xz or bzip2 data; decompress it first (xz -dc, bzip2 -dc)";
    }
    if (eve_str_starts(first, "\xFF\xFE") || eve_str_starts(first, "\xFE\xFF") ||
        (first.n >= 2 && (first.p[0] == '\0') != (first.p[1] == '\0'))) {
        return "UTF-16 text; convert it first (iconv -f UTF-16 -t UTF-8)";
    }
    if (eve_str_starts(text, "data:") || eve_str_starts(text, "event:")) {
        return "server-sent events, not NDJSON; keep what follows \"data:\"";
    }
    if (eve_str_starts(text, "HTTP/")) {
        return "an HTTP response head; use --from=http";
    }
    if (eve_str_starts(text, "<")) {
        return "HTML or XML, perhaps an error page";
    }
    return NULL;
}
