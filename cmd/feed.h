/*
 * feed: for each file, for each line: read, parse, decode, hand to the tool.
 *
 * What to do about bad events (stop or go on, tell, keep them in a file of rejects), response
 * heads, progress, and flushing when the input would block are the same in all tools and live here.
 * A tool gives callbacks; an event it is given borrows the line and is good during the call.
 */
#ifndef CLI_FEED_H
#define CLI_FEED_H

#include "base.h"
#include "buf.h"
#include "cli.h"
#include "decode.h"
#include "event.h"
#include "line.h"
#include "out.h"
#include "progress.h"
#include "report.h"
#include "sink.h"
#include "snapshot.h"
#include "template.h"

/* The shared options, as given. */
struct feed_options {
    unsigned version; /* EVE_VERSION_AUTO, or declared */
    bool http;        /* the version comes from a response head */
    bool keep_going;
    bool quiet;
    bool line_buffered;
    uint64_t max_errors; /* 0: no limit */
    size_t max_line;     /* 0: no limit */
    const char *group;   /* member that tells sessions apart, or NULL */
    const char *output;  /* or NULL */
    enum cli_when color;
    enum cli_when progress;
};

/* Where an event came from. */
struct feed_place {
    const char *file;
    uint64_t line;
};

/* Counted for the file at hand. bytes = event bytes with their LF + transport + bad. */
struct feed_figures {
    uint64_t bytes; /* read from the file */
    uint64_t lines;
    uint64_t events;
    uint64_t bad;             /* lines */
    uint64_t bad_line;        /* the last of them, from 1 */
    enum eve_rule bad_rule;   /* and what is wrong with it */
    uint64_t bad_bytes;       /* with their LF */
    uint64_t transport_bytes; /* blank lines, control records, trimmed space, heads, framing */
    uint64_t longest;         /* line, without LF */
    bool open_end;            /* the last line was an event without LF */
};

/* What a tool does. */
struct feed_tool {
    void *ctx;
    bool name_skills; /* see eve_decode */
    /* A good event. EVE_BAD: it is bad after all. EVE_FAIL ends the run. *err says why. */
    enum eve_status (*event)(void *ctx, const struct eve_event *ev, const struct eve_decoder *d,
                             const struct feed_place *place, struct eve_err *err);
    /* Or NULL. Asked before lines are looked at: delta-only appends now leave the tool as they are,
     * and leave nothing behind in it. Then it may be given some whole lines of them at once; they
     * are good until the next wait. */
    bool (*passes)(void *ctx);
    enum eve_status (*pass)(void *ctx, struct eve_slice lines, uint64_t count, struct eve_err *err);
    /* Or NULL. Asked behind an event: do delta-only appends that are like it (of its shape, see
     * event.h) take the tool no more than adding up? Then it may be given those that follow, as
     * whole lines; `ev` is that event. */
    bool (*takes_more)(void *ctx);
    enum eve_status (*more)(void *ctx, const struct eve_event *ev, struct eve_slice lines,
                            uint64_t count, struct eve_err *err);
    /* A bad line was passed over; or NULL. */
    enum eve_status (*bad)(void *ctx, struct eve_err *err);
    /* Before each read, after what was written has been flushed if the read would block: see
     * eve_line_hook. -2 ends the run as interrupted. Or NULL. */
    int (*wait)(void *ctx, bool blocks);
    int wake_fd; /* see line.h; 0: none */
    /* Or NULL. If given, bad lines are handed to this instead of being told, the reading always
     * goes on (until the tool sets `full`), and counting them is the tool's. `parsed`: *ev is an
     * event that the decode boundary refused; otherwise only ev->line is certain. why->msg is the
     * text to tell. */
    enum eve_status (*finding)(void *ctx, const struct eve_event *ev, bool parsed,
                               const struct feed_place *place, const struct eve_err *why,
                               struct eve_err *err);
};

enum feed_end {
    FEED_DONE,        /* read to its end; bad lines, if any, were passed over */
    FEED_STOPPED,     /* a bad event ended it */
    FEED_FAILED,      /* it could not be read */
    FEED_INTERRUPTED, /* the tool's `wait` said so */
    FEED_ABORTED      /* output or memory failed: end the run */
};

struct feed {
    struct feed_options options;
    struct feed_tool tool;
    struct report *report;
    struct sink *sink;               /* where the tool writes; flushed when the input would block */
    struct sink *rejects;            /* bad lines go there, or NULL */
    struct eve_snapshots *snapshots; /* for the fast path of legacy appends: the tool's, or NULL for
                                        some of its own */
    bool owns_snapshots;
    bool plain; /* take no fast path; set by tests */
    struct progress progress;
    struct eve_templates templates;
    struct eve_decoder decoder;
    uint64_t decoded; /* a delta-only shape for which the decoder's content is good; 0: none */
    struct feed_figures figures;
    uint64_t bytes_before; /* of files done before, for progress */
    uint64_t errors;       /* bad events of the run */
    bool full;             /* --max-errors is reached: read no further */
    size_t read_bytes;     /* see line.h; set by tests */
    /* the file at hand */
    const char *name;
    struct eve_line_reader lines;
    unsigned version;
    uint64_t
        body_end; /* bytes up to which a response must go by its content-length; 0: not known */
};

/* Take a shared option that cli_next returned. True if it was one; a bad argument is told and
 * *status is set to the exit status to end with (0 otherwise). */
bool feed_option(struct feed_options *o, const struct cli *c, int id, int *status);

/* Start a run; options, tool, report and sink are set in *f by the caller. */
void feed_init(struct feed *f);
void feed_fini(struct feed *f);

/* Read `fd` to its end as the file `name`. What went wrong was told; the report has the status. */
enum feed_end feed_fd(struct feed *f, int fd, const char *name);

/* For feed.c: read the response head; the body comes next, decoded if it is chunked and not yet so.
 */
enum feed_end feed_head(struct feed *f);

/* Open `name` ("-" is standard input) and read it. */
enum feed_end feed_file(struct feed *f, const char *name);

/* Tell that the run's output or memory failed. Dies of SIGPIPE where that is the reason. */
void feed_output_failed(struct feed *f, const struct sink *sink, const struct eve_err *err);

/* Close the output of a run: put it in place or, if writing failed or the run was not `whole`,
 * leave a file as it was. Failures are told, and so is a file left because of the run. `status`,
 * *err: EVE_FAIL if the last of it could not be written, and why. */
void feed_close_output(struct feed *f, struct sink *sink, bool whole, enum eve_status status,
                       struct eve_err *err);

/* Check that no input is the regular file that standard output is; told, and false, if so. */
bool feed_check_inputs(struct feed *f, char *const *names, size_t count);

/* Add the sizes of the inputs, for progress. */
void feed_measure(struct feed *f, char *const *names, size_t count);

/* A seed for hash tables that no input can foresee. */
void feed_seed(uint64_t seed[2]);

#endif
