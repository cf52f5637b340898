#ifndef STAT_AID_H
#define STAT_AID_H

/*
 * What the tests of evestat's core share: a stream in memory becomes an account, as evestat makes
 * it of a file without bad lines.
 */

#include "aid.h"
#include "decode.h"
#include "stat.h"

static const uint64_t stat_seed[2] = {7, 8};

/* One line into the account and its figures. */
static inline enum eve_status stat_aid_line(struct eve_stat *s, struct eve_account *a,
                                            struct eve_decoder *d, struct eve_slice line,
                                            bool ended, struct eve_err *err)
{
    struct eve_event ev;
    struct eve_event_options options = {S("group")};
    uint64_t *n = a->tally.n;
    enum eve_status status = eve_event_parse(&ev, line, ended, &options, err);
    n[EVE_TALLY_LINES]++;
    n[EVE_TALLY_IN] += line.n + (ended ? 1 : 0);
    n[EVE_TALLY_LONGEST_LINE] =
        line.n > n[EVE_TALLY_LONGEST_LINE] ? line.n : n[EVE_TALLY_LONGEST_LINE];
    if (status != EVE_OK || ev.kind != EVE_LINE_EVENT) {
        n[EVE_TALLY_TRANSPORT] += status == EVE_OK ? line.n + (ended ? 1 : 0) : 0;
        return status;
    }
    n[EVE_TALLY_TRANSPORT] += ev.line.n - ev.text.n;
    status = eve_decode(d, &ev, EVE_VERSION_AUTO, true, err);
    return status == EVE_OK ? eve_stat_event(s, &ev, d, err) : status;
}

/* The account of a whole stream under the name `name`; *out is NULL unless EVE_OK. */
static inline enum eve_status stat_aid_run(struct eve_account **out, const char *name,
                                           struct eve_slice text, enum eve_stat_by by,
                                           unsigned as_if, struct eve_err *err)
{
    struct eve_stat *s = NULL;
    struct eve_snapshots *snapshots = NULL;
    struct eve_account *a = NULL;
    struct eve_decoder d;
    eve_decode_init(&d);
    enum eve_status status = eve_snapshot_new(&snapshots, stat_seed, err);
    if (status == EVE_OK)
        status = eve_account_new(&a, eve_str(name), stat_seed, err);
    struct eve_stat_options options = {by, as_if, snapshots, {7, 8}};
    if (status == EVE_OK)
        status = eve_stat_new(&s, &options, a, err);
    while (status == EVE_OK && text.n > 0) {
        const char *end = memchr(text.p, '\n', text.n);
        size_t n = end != NULL ? (size_t)(end - text.p) : text.n;
        status = stat_aid_line(s, a, &d, eve_str_sub(text, 0, n), end != NULL, err);
        text = eve_str_sub(text, end != NULL ? n + 1 : n, text.n);
    }
    eve_stat_free(s);
    eve_snapshot_free(snapshots);
    eve_decode_fini(&d);
    if (status != EVE_OK) {
        eve_account_free(a);
        a = NULL;
    }
    *out = a;
    return status;
}

/* The same, which has to go well. */
static inline struct eve_account *stat_aid_account(struct eve_slice text, enum eve_stat_by by,
                                                   unsigned as_if)
{
    struct eve_err err = {0};
    struct eve_account *a = NULL;
    if (!CHECK(stat_aid_run(&a, "log", text, by, as_if, &err) == EVE_OK))
        exit(1);
    return a;
}

#endif
