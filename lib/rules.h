/*
 * rules: what evecheck can find, and how a finding is told to whoever shows it.
 *
 * One table has every rule: its stable id, its default level, a line that says what it is about,
 * and an explanation with an example. The rules of the decode boundary keep the numbers of enum
 * eve_rule (base.h); those over a whole stream follow them. The table is constant.
 *
 * A finding goes through a struct eve_finder, which holds the level of every rule for this run and
 * the callback that shows findings. All makers of findings (check, expect, golden) share one.
 */
#ifndef EVE_RULES_H
#define EVE_RULES_H

#include "base.h"
#include "diag.h"
#include "event.h"

/* The rules over more than the decode boundary; ids and levels are in the table. */
enum eve_stream_rule {
    EVE_RULE_REPEATED_NAME = EVE_RULE_DECODE_COUNT,
    EVE_RULE_MISSING_MEMBER,
    EVE_RULE_UNKNOWN_TYPE,
    EVE_RULE_RETIRED_TYPE,
    EVE_RULE_ID_FORM,
    EVE_RULE_ID_ORDER,
    EVE_RULE_ID_MISSING,
    EVE_RULE_ID_REUSED,
    EVE_RULE_REPLAY,
    EVE_RULE_TIME_FORM,
    EVE_RULE_TIME_ORDER,
    EVE_RULE_SNAPSHOT_GAP,
    EVE_RULE_RESTART,
    EVE_RULE_OFFSET_GAP,
    EVE_RULE_TEXT_DIVERGED,
    EVE_RULE_RETRY,
    EVE_RULE_INPUT_DIFFERS,
    EVE_RULE_REQUEST_OPEN,
    EVE_RULE_RESULT_UNASKED,
    EVE_RULE_COORDINATE_DIFFERS,
    EVE_RULE_ORDER,
    EVE_RULE_OUTSIDE_STEP,
    EVE_RULE_OUTSIDE_TURN,
    EVE_RULE_BLOCK_OPEN,
    EVE_RULE_TURN_OPEN,
    EVE_RULE_AFTER_END,
    EVE_RULE_MIXED_FORMS,
    EVE_RULE_LATE,
    EVE_RULE_DELTA_REPEATS_TEXT,
    EVE_RULE_STARTS_MIDWAY,
    EVE_RULE_EXPECT,
    EVE_RULE_GOLDEN,
    EVE_RULE_COUNT /* number of all rules, EVE_RULE_NONE counted */
};

/* What the table says about a rule. Constant texts, never freed. */
struct eve_rule_info {
    const char *id;
    enum eve_level level;    /* by default */
    const char *summary;     /* one line, no period */
    const char *explanation; /* paragraphs parted by "\n\n"; lines of an example begin with four
                                spaces; no last "\n" */
};

/* The rule numbered `rule`, from 1 to EVE_RULE_COUNT - 1. */
const struct eve_rule_info *eve_rules_get(unsigned rule);

/* The rule called `id`, or EVE_RULE_NONE. */
unsigned eve_rules_find(struct eve_slice id);

/* Findings that are about no event. */
#define EVE_FINDING_NO_EVENT UINT64_MAX

/* A finding, but for the name of its file. All is borrowed for the call that hands it over. */
struct eve_finding {
    unsigned rule;
    enum eve_level level;
    uint64_t line;         /* from 1; 0: about the file as a whole */
    uint64_t column;       /* in bytes from 1; 0: none */
    const char *message;   /* printable text, no period; what it quotes of a stream is escaped */
    uint64_t event;        /* index of the event (--start-index added), or EVE_FINDING_NO_EVENT */
    struct eve_slice type; /* raw JSON string with its quotes, as in the stream; n = 0: none */
    struct eve_slice id;   /* meta.id, the same */
    struct eve_slice excerpt; /* raw bytes of the line about that column, at most
                                 EVE_FINDING_EXCERPT, any bytes at all; n = 0: none */
    bool explained;           /* set by the maker: of the kind that real streams have, so a note
                                 unless the user gave the rule a level */
};

#define EVE_FINDING_EXCERPT 60

/* A level beside those of diag.h: the rule is off. */
#define EVE_LEVEL_OFF 3

struct eve_finder {
    uint8_t level[EVE_RULE_COUNT]; /* an enum eve_level or EVE_LEVEL_OFF */
    bool given[EVE_RULE_COUNT];    /* the user chose it */
    /* Show the finding. EVE_FAIL ends the run; *err says why. */
    enum eve_status (*found)(void *ctx, const struct eve_finding *f, struct eve_err *err);
    void *ctx;
};

/* Default levels for all rules. */
void eve_finder_init(struct eve_finder *f,
                     enum eve_status (*found)(void *ctx, const struct eve_finding *f,
                                              struct eve_err *err),
                     void *ctx);

/* The user's choice: `level` is an enum eve_level or EVE_LEVEL_OFF. */
void eve_finder_set(struct eve_finder *f, unsigned rule, unsigned level);

static inline bool eve_finder_wants(const struct eve_finder *f, unsigned rule)
{
    return f->level[rule] != EVE_LEVEL_OFF;
}

/* Fill in line, column, event, type, id and excerpt of *out from an event; `at` is the byte of its
 * line that the finding is about, or NULL for the event as a whole (column of its first byte). */
void eve_finding_place(struct eve_finding *out, const struct eve_event *ev, const char *at,
                       uint64_t line, uint64_t index);

/* Give *f its level and hand it over, unless its rule is off. EVE_FAIL: as the callback said. */
EVE_MUST_USE enum eve_status eve_finder_tell(const struct eve_finder *finder, struct eve_finding *f,
                                             struct eve_err *err);

#endif
