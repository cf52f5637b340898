#ifndef STAT_AID_H
#define STAT_AID_H

/*
 * What the tests of evestat's core share: a stream in memory becomes an account, as evestat makes
 * it of a file without bad lines.
 */

#include "aid.h"
#include "decode.h"
#include "stat.h"
#include "template.h"

static const uint64_t stat_seed[2] = {7, 8};

/* What a run needs. */
struct stat_aid {
    struct eve_stat *stat;
    struct eve_snapshots *snapshots;
    struct eve_account *account;
    struct eve_decoder decoder;
    struct eve_templates *templates; /* NULL: every line is walked */
};

static inline enum eve_status stat_aid_event(struct stat_aid *aid, const struct eve_event *ev,
                                             struct eve_err *err)
{
    aid->account->tally.n[EVE_TALLY_TRANSPORT] += ev->line.n - ev->text.n;
    enum eve_status status = eve_decode(&aid->decoder, ev, EVE_VERSION_AUTO, true, err);
    return status == EVE_OK ? eve_stat_event(aid->stat, ev, &aid->decoder, err) : status;
}

static inline void stat_aid_count(struct stat_aid *aid, uint64_t lines, size_t bytes,
                                  uint64_t longest)
{
    uint64_t *n = aid->account->tally.n;
    n[EVE_TALLY_LINES] += lines;
    n[EVE_TALLY_IN] += bytes;
    n[EVE_TALLY_LONGEST_LINE] =
        longest > n[EVE_TALLY_LONGEST_LINE] ? longest : n[EVE_TALLY_LONGEST_LINE];
}

/* One line into the account and its figures; *text goes on behind it. */
static inline enum eve_status stat_aid_line(struct stat_aid *aid, struct eve_slice *text,
                                            struct eve_err *err)
{
    struct eve_event ev;
    struct eve_event_options options = {S("group")};
    const char *end = memchr(text->p, '\n', text->n);
    size_t lf = end != NULL ? 1 : 0;
    struct eve_slice line = {text->p, end != NULL ? (size_t)(end - text->p) : text->n};
    enum eve_status status = eve_event_parse(&ev, line, end != NULL, &options, err);
    stat_aid_count(aid, 1, line.n + lf, line.n);
    *text = eve_str_sub(*text, line.n + lf, text->n);
    if (status != EVE_OK || ev.kind != EVE_LINE_EVENT) {
        aid->account->tally.n[EVE_TALLY_TRANSPORT] += status == EVE_OK ? line.n + lf : 0;
        return status;
    }
    if (aid->templates != NULL)
        status = eve_template_learn(aid->templates, &ev, aid->snapshots, err);
    return status == EVE_OK ? stat_aid_event(aid, &ev, err) : status;
}

/* The lines that templates know. *added goes up by those that were only added up. */
static inline enum eve_status stat_aid_known(struct stat_aid *aid, struct eve_slice *text,
                                             uint64_t *added, struct eve_err *err)
{
    const struct eve_event *ev = NULL;
    enum eve_status status = EVE_OK;
    while (status == EVE_OK &&
           (ev = eve_template_match(aid->templates, *text, aid->snapshots)) != NULL) {
        uint64_t count = 0;
        uint64_t longest = 0;
        stat_aid_count(aid, 1, ev->line.n + 1, ev->line.n);
        *text = eve_str_sub(*text, ev->line.n + 1, text->n);
        status = stat_aid_event(aid, ev, err);
        if (status != EVE_OK || !eve_stat_takes_more(aid->stat))
            continue;
        struct eve_slice lines = *text;
        lines.n = eve_template_more(aid->templates, lines, &count, &longest);
        if (lines.n > 0) {
            stat_aid_count(aid, count, lines.n, longest);
            *added += count;
            *text = eve_str_sub(*text, lines.n, text->n);
            status = eve_stat_more(aid->stat, ev, lines, count, err);
        }
    }
    return status;
}

/* The account of a whole stream under the name `name`; *out is NULL unless EVE_OK. `added`: if not
 * NULL, templates are used, and bytes behind `text` are readable, see template.h. */
static inline enum eve_status stat_aid_run(struct eve_account **out, const char *name,
                                           struct eve_slice text, enum eve_stat_by by,
                                           unsigned as_if, uint64_t *added, struct eve_err *err)
{
    struct stat_aid aid = {0};
    struct eve_templates templates;
    eve_decode_init(&aid.decoder);
    eve_template_init(&templates);
    aid.templates = added != NULL ? &templates : NULL;
    enum eve_status status = eve_snapshot_new(&aid.snapshots, stat_seed, err);
    if (status == EVE_OK)
        status = eve_account_new(&aid.account, eve_str(name), stat_seed, err);
    struct eve_stat_options options = {by, as_if, aid.snapshots, {7, 8}};
    if (status == EVE_OK)
        status = eve_stat_new(&aid.stat, &options, aid.account, err);
    while (status == EVE_OK && text.n > 0) {
        if (added != NULL)
            status = stat_aid_known(&aid, &text, added, err);
        if (status == EVE_OK && text.n > 0)
            status = stat_aid_line(&aid, &text, err);
    }
    eve_stat_free(aid.stat);
    eve_snapshot_free(aid.snapshots);
    eve_decode_fini(&aid.decoder);
    eve_template_fini(&templates);
    if (status != EVE_OK) {
        eve_account_free(aid.account);
        aid.account = NULL;
    }
    *out = aid.account;
    return status;
}

/* The same, which has to go well. */
static inline struct eve_account *stat_aid_account(struct eve_slice text, enum eve_stat_by by,
                                                   unsigned as_if)
{
    struct eve_err err = {0};
    struct eve_account *a = NULL;
    if (!CHECK(stat_aid_run(&a, "log", text, by, as_if, NULL, &err) == EVE_OK))
        exit(1);
    return a;
}

#endif
