/*
 * format_ops: what the files of the formats share; not for others (see format.h).
 *
 * Each format fills in one struct format_ops. Its state lives in format->state, made by `open` and
 * freed by `close`.
 */
#ifndef CLI_FORMAT_OPS_H
#define CLI_FORMAT_OPS_H

#include "buf.h"
#include "format.h"

/* Members may be NULL: nothing to do. Statuses as in format.h. */
struct format_ops {
    enum eve_status (*open)(struct format *f, struct eve_err *err);
    enum eve_status (*begin_file)(struct format *f, struct eve_err *err);
    enum eve_status (*finding)(struct format *f, const struct eve_finding *finding,
                               struct eve_err *err);
    enum eve_status (*end_file)(struct format *f, const char *trouble, struct eve_err *err);
    enum eve_status (*end)(struct format *f, const char *trouble, struct eve_err *err);
    void (*close)(struct format *f);
};

struct format {
    struct format_options options;
    const struct format_ops *ops;
    struct format_counts counts;
    const char *name;     /* of the file at hand, or NULL: none */
    uint64_t in_file[3];  /* findings of the file at hand, by level */
    struct eve_buf piece; /* what is written next; empty between calls */
    void *state;
};

extern const struct format_ops format_text;
extern const struct format_ops format_json;
extern const struct format_ops format_github;
extern const struct format_ops format_sarif;
extern const struct format_ops format_junit;
extern const struct format_ops format_tap;

/* The name of the file at hand as documents have it; "<stdin>" for standard input. */
struct eve_slice format_file(const struct format *f);

/* A finding of this level fails its file. */
bool format_fails(const struct format *f, enum eve_level level);

/* Write out f->piece and empty it. */
EVE_MUST_USE enum eve_status format_flush_piece(struct format *f, struct eve_err *err);

/* Append the strings of a list up to NULL to a buffer; FORMAT_PUTS takes them one by one. */
EVE_MUST_USE enum eve_status format_puts(struct eve_buf *out, const char *const *parts,
                                         struct eve_err *err);
#define FORMAT_PUTS(out, err, ...) format_puts(out, (const char *const[]){__VA_ARGS__, NULL}, err)

/* Append "FILE:LINE:COLUMN: LEVEL: MESSAGE", each part that there is, ended by LF; the name is
 * quoted as in messages. */
EVE_MUST_USE enum eve_status format_line(const struct format *f, const struct eve_finding *finding,
                                         struct eve_buf *out, struct eve_err *err);

/* Memory is short. */
EVE_MUST_USE enum eve_status format_no_memory(struct eve_err *err);

/* The text of a raw JSON string decoded, in f->piece's stead: appended to `out`. Empty for none. */
EVE_MUST_USE enum eve_status format_decode(struct eve_slice string, struct eve_buf *out,
                                           struct eve_err *err);

#endif
