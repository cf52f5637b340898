/*
 * norm: the core of evenorm. Events go in, their delta-only forms come out.
 *
 * One of these serves a whole run; eve_norm_end closes each file. What was
 * written is in the output it was given; figures are for the closing line.
 */
#ifndef EVE_NORM_H
#define EVE_NORM_H

#include "base.h"
#include "coalesce.h"
#include "decode.h"
#include "dedupe.h"
#include "event.h"
#include "out.h"
#include "snapshot.h"

struct eve_norm_options {
    bool coalesce;
    bool dedupe;
    bool dedupe_by_file; /* forget ids at the end of each file */
    uint64_t seed[2];    /* see map.h */
};

/* Counted since eve_norm_new, or since the caller set them to zero. */
struct eve_norm_figures {
    uint64_t events;     /* read */
    uint64_t changed;    /* something was cut out or put in */
    uint64_t joined;     /* became part of the event after them */
    uint64_t dropped;    /* their id came before */
    uint64_t without_id; /* could not be compared */
    uint64_t restarts;   /* texts that started again in the middle of a block */
};

struct eve_norm;

EVE_MUST_USE enum eve_status
eve_norm_new(struct eve_norm **out, const struct eve_norm_options *options, struct eve_err *err);
void eve_norm_free(struct eve_norm *n);

/* The kept snapshots, for template.h. Good until eve_norm_free. */
struct eve_snapshots *eve_norm_snapshots(struct eve_norm *n);

/* The figures, which the caller may read and reset. Good until eve_norm_free. */
struct eve_norm_figures *eve_norm_figures(struct eve_norm *n);

/* A decoded event: `d` is what eve_decode made of it. The output gets its delta-only form and LF,
 * at once or, with coalesce, when the next event or eve_norm_end shows that nothing joins it. */
EVE_MUST_USE enum eve_status eve_norm_event(struct eve_norm *n, const struct eve_event *ev,
                                            const struct eve_decoder *d, struct eve_out *out,
                                            struct eve_err *err);

/* Delta-only appends now come out as they went in and leave nothing behind. */
bool eve_norm_passes(const struct eve_norm *n);

/* While that is so: `count` such events, whole lines, which stay good until eve_out_settle. */
EVE_MUST_USE enum eve_status eve_norm_pass(struct eve_norm *n, struct eve_slice lines,
                                           uint64_t count, struct eve_out *out,
                                           struct eve_err *err);

/* Something stands between events that must not be joined over: a bad line. */
EVE_MUST_USE enum eve_status eve_norm_break(struct eve_norm *n, struct eve_out *out,
                                            struct eve_err *err);

/* The file is over: write what is held, forget what was kept of it. */
EVE_MUST_USE enum eve_status eve_norm_end(struct eve_norm *n, struct eve_out *out,
                                          struct eve_err *err);

#endif
